/* error_model.c -- see error_model.h. */
#include "error_model.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/random.h"
#include "faultsim/result/made.h"
#include "syndrome.h"

#define END "# sha256="

struct rule {
    uint64_t set, clear, flip; /* bits of d and flags */
    uint64_t share;            /* of 2^64 - 1: in how many uses `flip` is wrong */
};

struct error_model {
    const struct unit *unit;
    char digest[65];
    struct rule (*rule)[OP_COUNT]; /* [faults->count] */
};

static void digest_of(const void *data, size_t size, char out[65])
{
    uint8_t digest[32];
    job_sha256(&(struct job_range){data, size}, 1, digest);
    fl_hex(digest, sizeof digest, out);
}

void error_model_end(struct fl_buf *csv)
{
    char digest[65];
    digest_of(csv->data, csv->size, digest);
    fl_buf_printf(csv, END "%s\n", digest);
}

/* The word behind "name=" in a line, or "": "alu_fp:4c65..." */
static const char *word_of(const char *line, const char *name, int *length)
{
    const char *end = line + strcspn(line, "\n");
    const size_t n = strlen(name);
    *length = 0;
    for (const char *at = line; (at = strstr(at, name)) && at < end; at += n)
        if (at > line && at[-1] == ' ') {
            *length = (int)strcspn(at + n, " \n");
            return at + n;
        }
    return "";
}

static int check_whole(const char *path, const struct fl_buf *text, char digest[65],
                       struct fl_err *err)
{
    const size_t end = strlen(END) + 65;
    const char *last = text->size < end ? "" : (const char *)text->data + text->size - end;
    if (strncmp(last, END, strlen(END)) != 0)
        return fl_fail(err,
                       "%s: the last line is no '" END "...': the file is cut short, or no export "
                       "of faultsim gate --syndromes of this version; make it again",
                       path);
    digest_of(text->data, text->size - end, digest);
    if (strncmp(last + strlen(END), digest, 64) != 0)
        return fl_fail(err, "%s: has been changed: its lines do not have the digest of its end",
                       path);
    return 0;
}

/* Of this netlist, version and profile. */
static int check_origin(const char *path, const char *text, const struct unit *u,
                        const char *profile, struct fl_err *err)
{
    int n;
    const char *results = word_of(text, "results=", &n), *here = made_results("gate", "c");
    if (n != (int)strlen(here) || strncmp(results, here, (size_t)n) != 0)
        return fl_fail(err,
                       "%s: is of results %.*s, and this faultsim has results %s; make it again",
                       path, n, results, here);
    const char *netlist = word_of(text, "netlist=", &n), *digest = u->netlist->digest;
    char *wanted = fl_format("%s:%s", u->name, digest);
    const char *at = strstr(netlist, wanted);
    const bool same = at && at < netlist + n;
    free(wanted);
    if (!same)
        return fl_fail(err,
                       "%s: is of the netlists %.*s, and %s is %s:%s; make it again with this "
                       "netlist",
                       path, n, netlist, u->netlist->file, u->name, digest);
    for (const char *line = strstr(text, "\n# job="); line; line = strstr(line + 1, "\n# job=")) {
        const char *of = word_of(line + 1, "profile=", &n);
        if ((size_t)n != strlen(profile) || strncmp(of, profile, (size_t)n) != 0)
            return fl_fail(err, "%s: is of the profile %.*s, and the job is for %s", path, n, of,
                           profile);
    }
    return 0;
}

static int find_op(const char *name)
{
    for (int op = 0; op < OP_COUNT; op++)
        if (strcmp(isa_op_name((enum isa_op)op), name) == 0)
            return op;
    return -1;
}

/* A line behind the head. Of another unit: none of ours. */
static int add_line(struct error_model *m, const char *line, struct fl_err *err)
{
    char id[UNIT_ID], op[16], rule[8], name[UNIT_NAME];
    unsigned long long vectors, uses, wrong_vectors, wrong, mask_uses;
    uint32_t up, down, mask, fault;
    unsigned flags_up, flags_down, masks, flags;
    const char *rest;
    int sp;
    if (sscanf(line,
               "%1311[^,],%15[^,],%llu,%llu,%llu,%llu,%" SCNx32 ",%" SCNx32 ",%x,%x,%u,%" SCNx32
               ",%x,%llu,%7[a-z]",
               id, op, &vectors, &uses, &wrong_vectors, &wrong, &up, &down, &flags_up, &flags_down,
               &masks, &mask, &flags, &mask_uses, rule) != 15 ||
        find_op(op) < 0 || wrong > uses || !uses)
        return fl_fail(err, "is no line of --syndromes: %.*s", (int)strcspn(line, "\n"), line);
    if (unit_split(id, name, &sp, &rest, err) != 0)
        return -1;
    if (strcmp(name, m->unit->name) != 0)
        return 0;
    if (unit_fault(m->unit, rest, &fault, err) != 0)
        return -1;
    struct rule *r = &m->rule[m->unit->faults->class_of[fault]][find_op(op)];
    if (strcmp(rule, "set") == 0)
        r->set = up | (uint64_t)flags_up << VECTOR_D_BITS;
    else if (strcmp(rule, "clear") == 0)
        r->clear = down | (uint64_t)flags_down << VECTOR_D_BITS;
    else {
        r->flip = mask | (uint64_t)flags << VECTOR_D_BITS;
        r->share = wrong == uses ? UINT64_MAX : (uint64_t)((double)wrong / (double)uses * 0x1p64);
    }
    return 0;
}

struct error_model *error_model_read(const char *path, const struct unit *u, const char *profile,
                                     struct fl_err *err)
{
    struct fl_buf text = {0};
    struct error_model *m = fl_alloc(sizeof *m);
    struct fl_err why;
    m->unit = u;
    m->rule = fl_alloc(u->faults->count * sizeof *m->rule);
    int bad = fl_read_file(path, &text, err);
    bad = bad ? bad : check_whole(path, &text, m->digest, err);
    if (!bad)
        fl_buf_add(&text, "", 1);
    bad = bad ? bad : check_origin(path, (char *)text.data, u, profile, err);
    const char *line = bad ? NULL : strstr((char *)text.data, "\n" SYNDROME_HEAD);
    if (!bad && !line)
        bad = fl_fail(err, "%s: has no line '%s'", path, "id,operation,...");
    if (!bad)
        line += strlen("\n" SYNDROME_HEAD);
    while (!bad && *line != '#') {
        const char *end = strchr(line, '\n');
        bad = end ? add_line(m, line, &why) : fl_fail(&why, "a line has no end; make it again");
        if (bad)
            fl_fail(err, "%s: %s", path, why.msg);
        else
            line = end + 1;
    }
    fl_buf_free(&text);
    if (bad) {
        error_model_free(m);
        return NULL;
    }
    return m;
}

void error_model_free(struct error_model *m)
{
    if (!m)
        return;
    free(m->rule);
    free(m);
}

const char *error_model_digest(const struct error_model *m)
{
    return m->digest;
}

uint64_t error_model_wrong(const struct error_model *m, uint32_t fault, const struct vector *v,
                           uint64_t good)
{
    const uint32_t class = m->unit->faults->class_of[fault];
    const struct rule *r = &m->rule[class][vector_op(v)];
    uint64_t wrong = (r->set & ~good) | (r->clear & good);
    if (r->flip) {
        const struct vector in = vector_without_care(*v);
        uint64_t h = fl_random_mix(class + FL_RANDOM_STEP);
        for (int i = 0; i < VECTOR_WORDS; i++)
            h = fl_random_mix(h ^ in.w[i]);
        wrong |= h <= r->share ? r->flip : 0;
    }
    return wrong & vector_care(v);
}
