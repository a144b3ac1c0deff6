/* verify.c -- what a simulation of FlexGripPlus printed, held against the words to expect. */
#include <libxml/tree.h>
#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "launch.h"
#include "base/xml.h"

/* Words of memory from one address on. */
struct words {
    uint32_t first;
    int count;
    uint32_t *word;
    bool *seen;
};

static void free_words(struct words *w)
{
    free(w->word);
    free(w->seen);
}

/* A number of hex digits, at most 8; `exact`: 8. */
static bool parse_hex(const char *s, bool exact, uint32_t *value)
{
    size_t n = strlen(s);
    if (n == 0 || n > 8 || (exact && n < 8) || strspn(s, "0123456789abcdefABCDEF") != n)
        return false;
    *value = (uint32_t)strtoul(s, NULL, 16);
    return true;
}

/* Calls `take` with each line "address word"; lines that begin with # are for people. */
static int read_lines(const char *path, struct words *w,
                      int (*take)(struct words *w, uint32_t address, uint32_t word),
                      struct fl_err *err)
{
    static const char blanks[] = " \t\r";
    struct fl_buf text = {0};
    if (fl_read_text(path, &text, err) != 0)
        return -1;
    int bad = strlen((char *)text.data) == text.size ? 0 : fl_fail(err, "%s: is no text", path);
    char *rest = (char *)text.data;
    for (int number = 1; rest && !bad; number++) {
        char *line = strsep(&rest, "\n"), *state = NULL;
        char *a = *line == '#' ? NULL : strtok_r(line, blanks, &state);
        if (!a)
            continue;
        char *b = strtok_r(NULL, blanks, &state);
        uint32_t address = 0, word = 0;
        if (!b || strtok_r(NULL, blanks, &state))
            bad = fl_fail(err, "%s:%d: a line has an address and a word, as in '00100 1a2b3c4d'",
                          path, number);
        else if (!parse_hex(a, false, &address))
            bad = fl_fail(err, "%s:%d: address '%.20s' is not a number of at most 8 hex digits",
                          path, number, a);
        else if (address % 4)
            bad = fl_fail(err, "%s:%d: address '%s' is not that of a word, a multiple of 4", path,
                          number, a);
        else if (!parse_hex(b, true, &word))
            bad = fl_fail(err,
                          "%s:%d: word '%.20s' is not 8 hex digits; the file is cut off, or bits "
                          "of the simulation are undefined (x)",
                          path, number, b);
        else if (take(w, address, word) != 0)
            bad = fl_fail(err,
                          "%s:%d: a second word for address 0x%05x; give the dump of one launch",
                          path, number, address);
    }
    fl_buf_free(&text);
    return bad;
}

static int take_expected(struct words *w, uint32_t address, uint32_t word)
{
    if (w->count == 0)
        w->first = address;
    w->word = fl_grow(w->word, (size_t)w->count + 1, sizeof *w->word);
    w->word[w->count++] = word;
    return address != w->first + 4 * (uint32_t)(w->count - 1);
}

/* The test bench prints memory from address 0 on: what is no output does not matter. */
static int take_dumped(struct words *w, uint32_t address, uint32_t word)
{
    uint32_t i = (address - w->first) / 4;
    if (address < w->first || i >= (uint32_t)w->count)
        return 0;
    if (w->seen[i])
        return -1;
    w->seen[i] = true;
    w->word[i] = word;
    return 0;
}

static int read_dump(const char *path, const struct words *expected, struct words *w,
                     struct fl_err *err)
{
    *w = (struct words){expected->first, expected->count,
                        fl_alloc((size_t)expected->count * sizeof *w->word),
                        fl_alloc((size_t)expected->count * sizeof *w->seen)};
    if (read_lines(path, w, take_dumped, err) != 0)
        return -1;
    for (int i = 0; i < w->count; i++)
        if (!w->seen[i])
            return fl_fail(
                err,
                "%s: has no word for address 0x%05x, the outputs are 0x%05x to 0x%05x; is "
                "the file cut off, or READ_DATA_SIZE smaller than launch.txt says?",
                path, w->first + 4 * (uint32_t)i, w->first,
                w->first + 4 * (uint32_t)(w->count - 1));
    return 0;
}

/* ---- the job ---- */

struct checked {
    char *name;
    int launches;
    char digest[65]; /* to expect */
};

static bool is(const xmlNode *n, const char *name)
{
    return n->type == XML_ELEMENT_NODE && strcmp((const char *)n->name, name) == 0;
}

static bool has(xmlNode *n, const char *attribute, const char *value)
{
    xmlChar *s = xmlGetProp(n, (const xmlChar *)attribute);
    bool same = s && strcmp((const char *)s, value) == 0;
    xmlFree(s);
    return same;
}

static int read_job(const char *path, struct checked *c, struct fl_err *err)
{
    struct xml_file f;
    if (xml_read(path, "job", "docs/job.rng", &f, err) != 0)
        return -1;
    xmlNode *job = xmlDocGetRootElement(f.doc);
    xmlChar *s = xmlGetProp(job, (const xmlChar *)"name");
    c->name = fl_strdup(s ? (char *)s : "");
    xmlFree(s);
    for (xmlNode *n = job->children; n; n = n->next) {
        c->launches += is(n, "launch");
        if (is(n, "digest") && (s = xmlGetProp(n, (const xmlChar *)"sha256"))) {
            snprintf(c->digest, sizeof c->digest, "%s", (char *)s);
            xmlFree(s);
        }
    }
    xml_close(&f);
    if (!*c->name || !*c->digest)
        return fl_fail(err, "%s: is not a job of sbstgen: it has no %s", path,
                       *c->name ? "digest" : "name");
    return 0;
}

/* ---- the dictionary ---- */

/* The faults whose <signature> has a <sees> with these outputs. */
static int name_faults(const char *path, const struct checked *c, const char *digest,
                       struct fl_buf *out, struct fl_err *err)
{
    struct xml_file f;
    if (xml_read(path, "dictionary", "docs/dictionary.rng", &f, err) != 0)
        return -1;
    bool known = false;
    long faults = 0;
    for (xmlNode *n = xmlDocGetRootElement(f.doc)->children; n; n = n->next) {
        known |= is(n, "job") && has(n, "name", c->name) && has(n, "sha256", c->digest);
        bool sees = false;
        for (xmlNode *m = is(n, "signature") ? n->children : NULL; m; m = m->next) {
            sees |= is(m, "sees") && has(m, "job", c->name) && has(m, "kind", "outputs") &&
                    has(m, "sha256", digest);
            if (!sees || !is(m, "fault"))
                continue;
            xmlChar *id = xmlGetProp(m, (const xmlChar *)"id");
            if (faults++ == 0)
                fl_buf_printf(out, "faults that leave these outputs:\n");
            fl_buf_printf(out, "  %s\n", (char *)id);
            xmlFree(id);
        }
    }
    xml_close(&f);
    if (!known)
        return fl_fail(err,
                       "%s: knows no job %s with these outputs to expect; make it with faultsim "
                       "dictionary --xml for this job",
                       path, c->name);
    if (faults == 0)
        fl_buf_printf(out, "no fault of %s leaves these outputs\n", path);
    return 0;
}

/* ---- the comparison ---- */

static void add_words(struct sha256_ctx *ctx, const struct words *w)
{
    for (int i = 0; i < w->count; i++) {
        uint32_t v = w->word[i];
        const uint8_t bytes[4] = {(uint8_t)v, (uint8_t)(v >> 8), (uint8_t)(v >> 16),
                                  (uint8_t)(v >> 24)};
        sha256_update(ctx, sizeof bytes, bytes);
    }
}

static void finish(struct sha256_ctx *ctx, char hex[65])
{
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_digest(ctx, sizeof digest, digest);
    fl_hex(digest, sizeof digest, hex);
}

static int compare(int launch, const struct words *want, const struct words *got,
                   struct fl_buf *out)
{
    int differ = 0;
    for (int i = 0; i < want->count; i++) {
        if (got->word[i] == want->word[i])
            continue;
        differ++;
        fl_buf_printf(out, "launch %d, 0x%05x, %s of thread %d", launch,
                      want->first + 4 * (uint32_t)i, i / SBST_LANES % 2 ? "chk" : "spt",
                      i % SBST_LANES);
        if (want->count > 2 * SBST_LANES)
            fl_buf_printf(out, " of warp %d", i / (2 * SBST_LANES));
        fl_buf_printf(out, ": %08x, expected %08x\n", got->word[i], want->word[i]);
    }
    return differ;
}

/* One launch; the number of words that differ, or -1. */
static int check_launch(const char *job, const struct checked *c, int launch, const char *dump,
                        struct sha256_ctx ctx[2], int *words, struct fl_buf *out,
                        struct fl_err *err)
{
    char *file = fl_format("%s.launch%d/%s", c->name, launch, launch_file[LAUNCH_TEXT]);
    char *path = fl_path_beside(job, file);
    struct words want = {0}, got = {0};
    int differ = read_lines(path, &want, take_expected, err);
    if (differ == 0 && (differ = read_dump(dump, &want, &got, err)) == 0) {
        add_words(&ctx[0], &want);
        add_words(&ctx[1], &got);
        *words += want.count;
        differ = compare(launch, &want, &got, out);
    }
    free_words(&want);
    free_words(&got);
    free(path);
    free(file);
    return differ;
}

int launch_verify(const char *job, const char *const *dump, int ndumps, const char *dictionary,
                  struct fl_buf *out, struct fl_err *err)
{
    struct checked c = {0};
    struct sha256_ctx ctx[2];
    char want[65], got[65];
    int differ = 0, words = 0, bad = read_job(job, &c, err);
    if (!bad && ndumps != c.launches)
        bad = fl_fail(err, "%s: has %d launch%s, each a simulation with a dump; there %s %d", job,
                      c.launches, c.launches == 1 ? "" : "es", ndumps == 1 ? "is" : "are", ndumps);
    sha256_init(&ctx[0]);
    sha256_init(&ctx[1]);
    for (int i = 0; i < ndumps && !bad; i++) {
        int n = check_launch(job, &c, i + 1, dump[i], ctx, &words, out, err);
        bad = n < 0;
        differ += n;
    }
    finish(&ctx[0], want);
    finish(&ctx[1], got);
    if (!bad && strcmp(want, c.digest) != 0)
        bad = fl_fail(err,
                      "%s: the words in %s.launch1 and later folders belong to another job; make "
                      "them again with sbstgen --format flexgripplus",
                      job, c.name);
    if (!bad && differ)
        fl_buf_printf(out, "%s: fail: %d of %d words differ; SHA-256 of the outputs: %s\n", c.name,
                      differ, words, got);
    else if (!bad)
        fl_buf_printf(out, "%s: pass: %d words as expected\n", c.name, words);
    if (!bad && differ && dictionary)
        bad = name_faults(dictionary, &c, got, out, err);
    free(c.name);
    return bad ? -1 : differ > 0;
}
