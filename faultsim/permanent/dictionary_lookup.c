/* dictionary_lookup.c -- from what was seen to the faults that show it. */
#include "dictionary.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xml.h"

enum { MIN_HEX = 12, MAX_NAMES = 64 };

/* What was seen of one job. */
struct seen {
    bool given;
    struct dict_response response;
    int hex;           /* digits of response.digest that are known */
    bool any_pc;       /* a trap without its address */
    const char **dump; /* BUFFER=FILE texts */
    int ndumps;
};

/* ---- reading observations -------------------------------------------------------------------- */

static bool is_hex(const char *s)
{
    size_t n = strlen(s);
    return n >= MIN_HEX && n <= 64 && strspn(s, "0123456789abcdefABCDEF") == n;
}

static int digit(char c)
{
    return c <= '9' ? c - '0' : (c | 32) - 'a' + 10;
}

static int set_digest(struct seen *s, const char *text)
{
    s->response.kind = SEES_OUTPUTS;
    s->hex = (int)strlen(text);
    for (int i = 0; i < s->hex; i++)
        s->response.digest[i / 2] |= (uint8_t)(digit(text[i]) << (i % 2 ? 0 : 4));
    return 0;
}

static int set_trap(const struct dict *d, struct seen *s, const char *text, struct fl_err *err)
{
    const char *at = strchr(text, '@');
    int trap = 1;
    if (d->view == DICT_END)
        return fl_fail(
            err, "'%s': this dictionary has no traps (it was made with --see end); write no-end",
            text);
    snprintf(s->response.what, sizeof s->response.what, "%.*s", at ? (int)(at - text) : 63, text);
    while (trap < TRAP_COUNT && strcmp(sm_trap_name((enum sm_trap)trap), s->response.what) != 0)
        trap++;
    if (trap == TRAP_COUNT)
        return fl_fail(err,
                       "--lookup '%s' is no digest (12 to 64 hex digits), no BUFFER=FILE, no trap, "
                       "and neither good nor no-end",
                       text);
    s->response.kind = SEES_TRAP;
    s->any_pc = !at || d->view != DICT_PLACE;
    if (at && !xml_u32(at + 1, &s->response.pc))
        return fl_fail(err, "--lookup '%s': '%s' is no address; write it in hex digits, as in 0x38",
                       text, at + 1);
    return 0;
}

static int read_what(const struct dict *d, struct seen *s, const char *text, struct fl_err *err)
{
    if (strchr(text, '=')) {
        if (s->given && !s->ndumps)
            return fl_fail(
                err, "--lookup '%s': an earlier --lookup is of the same job; leave one out", text);
        s->given = true;
        s->dump = fl_grow(s->dump, (size_t)s->ndumps + 1, sizeof *s->dump);
        s->dump[s->ndumps++] = text;
        return 0;
    }
    if (s->given)
        return fl_fail(err, "--lookup '%s': an earlier --lookup is of the same job; leave one out",
                       text);
    s->given = true;
    if (is_hex(text))
        return set_digest(s, text);
    if (strcmp(text, "good") == 0) {
        s->response.kind = SEES_NOTHING;
        return 0;
    }
    if (strcmp(text, "no-end") == 0) {
        s->response.kind = SEES_NO_END;
        return 0;
    }
    return set_trap(d, s, text, err);
}

/* The job that "[JOB:]WHAT" speaks of; what follows the colon. */
static int find_job(const struct dict *d, const char *text, const char **what, struct fl_err *err)
{
    for (int k = 0; k < d->njobs; k++) {
        size_t n = strlen(d->job[k].name);
        if (strncmp(text, d->job[k].name, n) == 0 && text[n] == ':') {
            *what = text + n + 1;
            return k;
        }
    }
    *what = text;
    if (d->njobs > 1)
        return fl_fail(err, "--lookup '%s': the dictionary has %d jobs; say which as in '%s:%s'",
                       text, d->njobs, d->job[0].name, text);
    return 0;
}

/* ---- dumps ----------------------------------------------------------------------------------- */

/* The dump of a buffer: its text, or NULL when it is not among them. */
static const char *dump_of(const struct seen *s, const char *buffer)
{
    size_t n = strlen(buffer);
    for (int i = 0; i < s->ndumps; i++)
        if (strncmp(s->dump[i], buffer, n) == 0 && s->dump[i][n] == '=')
            return s->dump[i] + n + 1;
    return NULL;
}

static int check_dumps(const struct dict_job *j, const struct seen *s, struct fl_err *err)
{
    for (int i = 0; i < s->ndumps; i++) {
        int k = 0;
        size_t n = strcspn(s->dump[i], "=");
        while (k < j->noutputs && (strlen(j->output[k].buffer) != n ||
                                   strncmp(j->output[k].buffer, s->dump[i], n) != 0))
            k++;
        if (k == j->noutputs)
            return fl_fail(err, "--lookup '%s': job %s has no output in a buffer of that name",
                           s->dump[i], j->name);
    }
    return 0;
}

/* The digest of all outputs, from the dumps of their buffers. */
static int digest_dumps(const struct dict_job *j, struct seen *s, struct fl_err *err)
{
    struct fl_buf *file = fl_alloc((size_t)j->noutputs * sizeof *file);
    struct job_range *range = fl_alloc((size_t)j->noutputs * sizeof *range);
    int bad = check_dumps(j, s, err);
    for (int i = 0; i < j->noutputs && !bad; i++) {
        const struct dict_output *o = &j->output[i];
        const char *path = dump_of(s, o->buffer);
        if (!path)
            bad = fl_fail(err, "output '%s' of job %s lies in buffer '%s'; add --lookup %s=FILE",
                          o->name, j->name, o->buffer, o->buffer);
        else if (fl_read_file(path, &file[i], err) != 0)
            bad = -1;
        else if (file[i].size < (uint64_t)o->offset + o->size)
            bad = fl_fail(err,
                          "%s: %zu bytes, and output '%s' ends at byte %llu of buffer '%s'; give "
                          "the whole buffer",
                          path, file[i].size, o->name, (unsigned long long)o->offset + o->size,
                          o->buffer);
        else
            range[i] = (struct job_range){file[i].data + o->offset, o->size};
    }
    if (!bad) {
        s->hex = 64;
        s->response.kind = SEES_OUTPUTS;
        job_sha256(range, j->noutputs, s->response.digest);
    }
    for (int i = 0; i < j->noutputs; i++)
        fl_buf_free(&file[i]);
    free(file);
    free(range);
    return bad;
}

/* ---- matching -------------------------------------------------------------------------------- */

static bool digests_fit(const struct seen *s, const uint8_t digest[32])
{
    int whole = s->hex / 2;
    return memcmp(s->response.digest, digest, (size_t)whole) == 0 &&
           (s->hex % 2 == 0 || (s->response.digest[whole] ^ digest[whole]) < 16);
}

static bool fits(const struct seen *s, const struct dict_response *g, const struct dict_job *j)
{
    if (!s->given)
        return true;
    if (s->response.kind == SEES_OUTPUTS)
        return g->kind == SEES_NOTHING   ? digests_fit(s, j->digest)
               : g->kind == SEES_OUTPUTS ? digests_fit(s, g->digest)
                                         : false;
    if (s->response.kind != g->kind)
        return false;
    return g->kind != SEES_TRAP ||
           (strcmp(s->response.what, g->what) == 0 && (s->any_pc || s->response.pc == g->pc));
}

static bool group_fits(const struct dict *d, const struct seen *s, long g)
{
    for (int k = 0; k < d->njobs; k++)
        if (!fits(&s[k], &d->response[g * d->njobs + k], &d->job[k]))
            return false;
    return true;
}

static void print_group(const struct dict *d, long g, struct fl_buf *out)
{
    long size = 0, printed = 0;
    for (long i = 0; i < d->nfaults; i++)
        size += d->fault[i].group == g;
    if (g == 0)
        fl_buf_printf(out, "nothing wrong: no fault, or one of %ld that show nothing\n", size);
    else
        fl_buf_printf(out, "signature %ld: %ld fault%s\n", g, size, size == 1 ? "" : "s");
    for (int k = 0; k < d->njobs && g; k++) {
        const struct dict_response *s = &d->response[g * d->njobs + k];
        if (s->kind == SEES_OUTPUTS && s->what[0])
            fl_buf_printf(out, "  %s: outputs differ from %s on\n", d->job[k].name, s->what);
        else if (s->kind == SEES_OUTPUTS)
            fl_buf_printf(out, "  %s: right, after %llu cycles\n", d->job[k].name,
                          (unsigned long long)s->cycles);
        else if (s->kind == SEES_TRAP && d->view == DICT_PLACE)
            fl_buf_printf(out, "  %s: %s in launch %u at 0x%x\n", d->job[k].name, s->what,
                          s->launch, s->pc);
        else if (s->kind == SEES_TRAP)
            fl_buf_printf(out, "  %s: %s in launch %u\n", d->job[k].name, s->what, s->launch);
        else if (s->kind == SEES_NO_END && s->launch)
            fl_buf_printf(out, "  %s: launch %u does not end\n", d->job[k].name, s->launch);
        else if (s->kind == SEES_NO_END)
            fl_buf_printf(out, "  %s: does not end well\n", d->job[k].name);
    }
    for (long i = 0; i < d->nfaults && g; i++)
        if (d->fault[i].group == g && printed++ < MAX_NAMES)
            fl_buf_printf(out, "    %s\n", d->fault[i].id);
    if (printed > MAX_NAMES)
        fl_buf_printf(out, "    and %ld more\n", printed - MAX_NAMES);
}

long dict_lookup(const struct dict *d, const char *const *text, int n, struct fl_buf *out,
                 struct fl_err *err)
{
    struct seen *s = fl_alloc((size_t)d->njobs * sizeof *s);
    long found = 0;
    int bad = 0;
    bool rest_good = false;
    for (int i = 0; i < n && !bad; i++) {
        const char *what;
        if (d->njobs > 1 && strcmp(text[i], "good") == 0) {
            rest_good = true;
            continue;
        }
        int k = find_job(d, text[i], &what, err);
        bad = k < 0 || read_what(d, &s[k], what, err) != 0;
    }
    for (int k = 0; k < d->njobs && rest_good; k++)
        if (!s[k].given)
            s[k].given = true; /* and the response says: nothing */
    for (int k = 0; k < d->njobs && !bad; k++)
        if (s[k].ndumps)
            bad = digest_dumps(&d->job[k], &s[k], err);
    for (long g = 0; g < d->ngroups && !bad; g++)
        if (group_fits(d, s, g)) {
            print_group(d, g, out);
            found++;
        }
    for (int k = 0; k < d->njobs; k++)
        free(s[k].dump);
    free(s);
    return bad ? -1 : found;
}
