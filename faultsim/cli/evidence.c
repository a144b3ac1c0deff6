/* evidence.c -- faultsim report --evidence: a page and CSV files of one or several stores. */
#include "commands.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "faultsim/evidence/evidence.h"
#include "faultsim/result/made.h"
#include "sm/structures.h"

static const struct {
    const char *name;
    void (*write)(const struct evidence *e, const char *made, struct fl_buf *out);
} files[] = {{"evidence.html", evidence_html},
             {"parts.csv", evidence_parts_csv},
             {"tests.csv", evidence_tests_csv},
             {"residual.csv", evidence_residual_csv}};

void cli_evidence_files(const char *folder, struct fl_files *out)
{
    char *inside = fl_format("%s/.", folder); /* a folder that is yet to be made has no files */
    for (size_t i = 0; access(inside, F_OK) == 0 && i < sizeof files / sizeof *files; i++)
        fl_files_out_folder(out, "--evidence", folder, files[i].name);
    for (int s = 0; s < SM_STRUCTURES;
         s++) { /* those of an earlier evidence are replaced, or removed */
        char *name = evidence_proof_name(s), *path = fl_format("%s/%s", folder, name);
        if (access(path, F_OK) == 0)
            fl_files_out_folder(out, "--evidence", folder, name);
        free(path);
        free(name);
    }
    free(inside);
}

/* Proofs that an earlier evidence has left in the folder, and that this one has not. */
static int remove_old(const char *folder, const struct evidence *e, struct fl_err *err)
{
    int bad = 0;
    for (int s = 0; s < SM_STRUCTURES && !bad; s++) {
        char *name = evidence_proof_name(s), *path = fl_format("%s/%s", folder, name);
        bool mine = false;
        for (int i = 0; i < e->proofs; i++)
            mine |= e->proof[i].text.size && strcmp(e->proof[i].name, name) == 0;
        if (!mine && unlink(path) != 0 && errno != ENOENT)
            bad = fl_fail(err, "%s: cannot remove this proof of an earlier evidence: %s", path,
                          strerror(errno));
        free(path);
        free(name);
    }
    return bad;
}

struct sheet { /* a file of the folder, written, and not in its place yet */
    char *path;
    struct fl_out out;
};

static int write_sheet(struct sheet *s, const char *folder, const char *name,
                       const struct fl_buf *text, struct fl_err *err)
{
    s->path = fl_format("%s/%s", folder, name);
    if (fl_out_open(&s->out, s->path, err) != 0)
        return -1;
    bool good = fwrite(text->data, 1, text->size, s->out.f) == text->size && fflush(s->out.f) == 0;
    return good ? 0 : fl_out_close(&s->out, true, err);
}

/* When all are written they take their places: a full disk leaves the folder as it was. */
static int write_all(const struct cli_request *r, const struct evidence *e, struct fl_err *err)
{
    enum { FILES = sizeof files / sizeof *files };
    struct sheet *sheet = fl_alloc((size_t)(e->proofs + FILES) * sizeof *sheet);
    struct fl_buf line = {0};
    int n = 0, bad = 0;
    fl_buf_printf(&line, "faultline %s evidence campaigns=%d", usage_program(), e->sources);
    if (e->interval_ms > 0)
        fl_buf_printf(&line, " interval=%g", e->interval_ms);
    if (*e->rates_sha256)
        fl_buf_printf(&line, " rates=%s", e->rates_sha256);
    for (int i = 0; i < e->proofs && !bad; i++)
        if (e->proof[i].text.size)
            bad = write_sheet(&sheet[n++], r->evidence, e->proof[i].name, &e->proof[i].text, err);
    for (int i = 0; i < FILES && !bad; i++) {
        struct fl_buf out = {0};
        files[i].write(e, (const char *)line.data, &out);
        bad = write_sheet(&sheet[n++], r->evidence, files[i].name, &out, err);
        fl_buf_free(&out);
    }
    for (int i = 0; i < n; i++) {
        bad = fl_out_close(&sheet[i].out, !bad, err) != 0 || bad;
        free(sheet[i].path);
    }
    free(sheet);
    fl_buf_free(&line);
    return bad || remove_old(r->evidence, e, err) ? -1 : 0;
}

/* What the sums say, and where the page is. */
static void print(const struct cli_request *r, const struct evidence *e)
{
    struct fl_buf out = {0};
    for (enum evidence_sum sum = 0; sum < EVIDENCE_SUMS; sum++) {
        struct evidence_share s;
        if (!evidence_total(e, sum, EVIDENCE_ANY, false, &s))
            continue;
        char *name = evidence_sum_name(e, sum);
        fl_buf_printf(&out, "%s: diagnostic coverage %.2f %%", name, 100 * s.share);
        free(name);
        if (s.hi > s.lo)
            fl_buf_printf(&out, " (%.2f to %.2f)", 100 * s.lo, 100 * s.hi);
        fl_buf_printf(&out, "\n");
    }
    fl_buf_printf(&out, "%s/evidence.html, parts.csv, tests.csv, residual.csv\n", r->evidence);
    cli_print(r, &out);
}

int cli_evidence(struct cli_request *r, struct fl_err *err)
{
    const struct cli_jobs none = {0};
    if (!r->nfiles)
        return cli_wrong(r, err, "--evidence takes one STORE.db or several");
    for (int i = 0; i < r->nfiles; i++)
        for (int k = 0; k < i; k++)
            if (strcmp(r->file[i], r->file[k]) == 0)
                return cli_wrong(r, err, "%s stands there twice; give each store once", r->file[i]);
    if (cli_exports(r))
        return cli_wrong(r, err,
                         "--evidence writes files of its own; leave --csv, --csv-faults, --xml, "
                         "--html and --plots out");
    if (r->rate.fit_per_bit > 0)
        return cli_wrong(r, err,
                         "--evidence takes base rates of permanent faults from --rates FILE; leave "
                         "--fit-per-bit and "
                         "--technology out");
    struct evidence_source *source = fl_alloc((size_t)r->nfiles * sizeof *source);
    struct store **store = fl_alloc((size_t)r->nfiles * sizeof *store);
    char **made = fl_alloc((size_t)r->nfiles * sizeof *made);
    int bad = cli_check_files(r, &none, err);
    for (int i = 0; i < r->nfiles && !bad; i++) {
        bad = cli_open_whole(r->file[i], &store[i], err);
        if (bad)
            break;
        char *line = store_made(store[i]);
        made[i] = made_exported(line, usage_program());
        free(line);
        source[i] = (struct evidence_source){store[i], store_result(store[i]), made[i], r->file[i]};
    }
    struct evidence e;
    const struct evidence_given given = {.source = source,
                                         .sources = r->nfiles,
                                         .proof = r->proofs.word,
                                         .proofs = r->proofs.count,
                                         .rates = r->rates,
                                         .interval_ms = r->interval};
    bad = bad || evidence_open(&given, &e, err) != 0;
    if (!bad) {
        bad = write_all(r, &e, err);
        if (!bad && !r->quiet)
            print(r, &e);
        evidence_close(&e);
    }
    for (int i = 0; i < r->nfiles; i++) {
        struct fl_err ignored;
        free(made[i]);
        if (store[i])
            store_close(store[i], &ignored);
    }
    free(store);
    free(source);
    free(made);
    return bad ? CLI_PROBLEM : CLI_DONE;
}
