/* protect.c -- see protect.h. */
#include "protect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "faultsim/faults/fault.h"
#include "faultsim/result/csv.h"
#include "faultsim/result/made.h"

enum { WORD = 32, PARITY_BITS = 1, SECDED_BITS = 7 };

const char *const protect_memory[PROTECT_MEMORIES] = {"rf", "shared", "local", "const"};
static const char *const code_name[] = {"", "parity", "secded"};

/* ---- what is asked for ----------------------------------------------------------------------- */

static int find(const char *const *names, int n, const char *text, size_t letters)
{
    for (int i = 0; i < n; i++)
        if (strlen(names[i]) == letters && strncmp(names[i], text, letters) == 0)
            return i;
    return -1;
}

int protect_parse(const char *text, struct protect *out)
{
    *out = (struct protect){{PROTECT_NOTHING}};
    do {
        const size_t all = strcspn(text, ","), name = strcspn(text, "=,");
        const int memory = find(protect_memory, PROTECT_MEMORIES, text, name);
        const int code = name < all ? find(code_name, 3, text + name + 1, all - name - 1) : -1;
        if (memory < 0 || code < PROTECT_PARITY || out->code[memory] != PROTECT_NOTHING)
            return -1;
        out->code[memory] = (enum protect_code)code;
        text += all;
    } while (*text++ == ',');
    return 0;
}

bool protect_any(const struct protect *p)
{
    for (int i = 0; p && i < PROTECT_MEMORIES; i++)
        if (p->code[i] != PROTECT_NOTHING)
            return true;
    return false;
}

int protect_check(const struct avf_report *a, struct fl_err *err)
{
    const struct result *r = a->result;
    if (strcmp(result_model(r)->name, "transient") != 0)
        return fl_fail(err, "--protect is for transient faults, and the campaign has %s faults",
                       result_model(r)->name);
    const bool exhaustive = made_says(store_options(a->store), "exhaustive");
    for (int p = 0; p < r->nparts; p++) {
        if (r->part[p].sums_only)
            return fl_fail(err,
                           "--protect looks at each flip of a sample, and the store keeps sums "
                           "alone (--keep sums): leave it out, or start the campaign again "
                           "with --keep flips in another file");
        if (r->part[p].method == METHOD_EXACT && exhaustive)
            return fl_fail(err, "--protect must know which flips are read, and an exact campaign "
                                "with --exhaustive does not tell; leave one of them out");
    }
    return 0;
}

/* ---- a flip and the words that it is in ------------------------------------------------------ */

struct word { /* of an id: the letters up to its bit */
    const char *id;
    size_t letters;
    int bits;
};

static enum protect_code code_of(const struct protect *p, const char *id, size_t letters)
{
    const char *at = id, *slash = memchr(id, '/', letters);
    if (slash && strncmp(id, "sm", 2) == 0 && id[2] >= '0' && id[2] <= '9') { /* of a chip */
        at = slash + 1;
        slash = memchr(at, '/', letters - (size_t)(at - id));
    }
    const int memory = slash ? find(protect_memory, PROTECT_MEMORIES, at, (size_t)(slash - at))
                             : -1;
    return memory < 0 ? PROTECT_NOTHING : p->code[memory];
}

/* The words of a fault: "rf/p1/b1@5:flip+rf/p1/b2@5:flip". */
static int words_of(const char *id, struct word word[FSIM_CELLS])
{
    int n = 0;
    for (; *id; id += strcspn(id, "+"), id += *id == '+') {
        size_t letters = strcspn(id, "@+");
        while (letters && id[letters - 1] != '/')
            letters--;
        int i = 0;
        while (i < n && (word[i].letters != letters || strncmp(word[i].id, id, letters) != 0))
            i++;
        if (i == FSIM_CELLS)
            break;
        if (i == n)
            word[n++] = (struct word){.id = id, .letters = letters};
        word[i].bits++;
    }
    return n;
}

/* What codes make of the flips of a part. */
struct protected
{
    const struct protect *by;
    bool any; /* some flip is in a protected word */
    uint64_t corrected, detected, mixed;
    uint64_t outcome[OUT_COUNT]; /* of the others */
};

static int add(void *context, const struct store_injection *i)
{
    struct protected *p = context;
    struct word word[FSIM_CELLS];
    int corrected = 0, detected = 0, stand = 0;
    for (int k = 0, n = words_of(i->id, word); k < n; k++) {
        const enum protect_code code = code_of(p->by, word[k].id, word[k].letters);
        const bool sees = code == PROTECT_PARITY ? word[k].bits % 2 : word[k].bits <= 2;
        p->any |= code != PROTECT_NOTHING;
        if (code == PROTECT_NOTHING || !sees)
            stand++;
        else if (code == PROTECT_SECDED && word[k].bits == 1)
            corrected++;
        else
            detected++;
    }
    const bool read = i->outcome != OUT_MASKED ||
                      (strcmp(i->reason, "idle") != 0 && strcmp(i->reason, "overwritten") != 0);
    if (read && detected)
        p->detected++;
    else if (read && corrected && !stand)
        p->corrected++;
    else
        p->outcome[i->outcome]++;
    p->mixed += read && !detected && corrected && stand;
    return 0;
}

static int of_part(const struct avf_report *a, int part, const struct tally *t,
                   struct protected *out, struct fl_err *err)
{
    const struct result_part *p = &a->result->part[part];
    *out = (struct protected){.by = a->protect};
    if (p->method == METHOD_ACE ||
        strncmp(p->target, "dest", 4) == 0) /* results before they are words */
        return 0;
    if (p->method != METHOD_EXACT)
        return store_injections(a->store, part, add, out, err);
    const int memory = find(protect_memory, PROTECT_MEMORIES, p->target, strlen(p->target));
    const enum protect_code code = memory < 0 ? PROTECT_NOTHING : a->protect->code[memory];
    const uint64_t read = t->reason[REASON_LOGIC] + t->reason[REASON_FAILS];
    out->any = code != PROTECT_NOTHING;
    *(code == PROTECT_SECDED ? &out->corrected : &out->detected) = read;
    out->outcome[OUT_MASKED] = t->counted - read;
    return 0;
}

/* ---- figures --------------------------------------------------------------------------------- */

/* Of flips that end so, alone. */
static struct metrics share_of(const struct avf_report *a, int job, const struct tally_row *all,
                               uint64_t n)
{
    struct tally_row row = *all;
    struct metrics m;
    memset(row.t.outcome, 0, sizeof row.t.outcome);
    row.t.outcome[OUT_SDC] = n;
    row.t.outcome[OUT_MASKED] = row.t.counted - n;
    avf_metrics(a, job, &row, &m);
    if (isnan(m.avf) && row.t.counted) /* a list stands for itself */
        m.avf = (double)n / (double)row.t.counted;
    return m;
}

static uint64_t due(const uint64_t outcome[OUT_COUNT])
{
    return fsim_outcomes_failed(outcome) - outcome[OUT_SDC];
}

enum { SDC_BEFORE, DUE_BEFORE, CORRECTED, DETECTED, SDC_AFTER, DUE_AFTER, SHARES };
static const char *const share_name[SHARES] = {"sdc",      "due",       "corrected",
                                               "detected", "sdc_after", "due_after"};

struct figures {
    struct tally_row all;
    struct protected p;
    struct metrics share[SHARES];
    uint64_t words, check_bits; /* words 0: the target is no protected memory */
    enum protect_code code;
};

static int figures_of(const struct avf_report *a, int part, struct figures *f, struct fl_err *err)
{
    const struct result_part *of = &a->result->part[part];
    struct metrics ignored;
    avf_all(a, part, &f->all, &ignored);
    if (of_part(a, part, &f->all.t, &f->p, err) != 0)
        return -1;
    const uint64_t *before = f->all.t.outcome, *after = f->p.outcome;
    const uint64_t n[SHARES] = {before[OUT_SDC], due(before),    f->p.corrected,
                                f->p.detected,   after[OUT_SDC], due(after) + f->p.detected};
    for (int i = 0; i < SHARES; i++)
        f->share[i] = share_of(a, of->job, &f->all, n[i]);
    const int memory = find(protect_memory, PROTECT_MEMORIES, of->target, strlen(of->target));
    f->code = memory < 0 ? PROTECT_NOTHING : a->protect->code[memory];
    f->words = f->code == PROTECT_NOTHING ? 0 : f->all.t.bits / WORD;
    f->check_bits = f->words * (f->code == PROTECT_SECDED ? SECDED_BITS : PARITY_BITS);
    return 0;
}

static double fit(const struct figures *f, bool after)
{
    return f->share[after ? SDC_AFTER : SDC_BEFORE].fit +
           f->share[after ? DUE_AFTER : DUE_BEFORE].fit;
}

static void cell(struct fl_table *t, const struct figures *f, int share)
{
    const struct metrics *m = &f->share[share];
    if (m->avf == 0)
        fl_table_cell(t, "0");
    else if (f->all.method == METHOD_SAMPLE && !isnan(m->avf_lo))
        fl_table_cell(t, "%.4f (%.4f-%.4f)", 100 * m->avf, 100 * m->avf_lo, 100 * m->avf_hi);
    else
        fl_table_cell(t, "%.4f", 100 * m->avf);
}

static void rate(struct fl_table *t, double fit)
{
    if (isnan(fit))
        fl_table_cell(t, "-");
    else
        fl_table_cell(t, "%.4g", fit);
}

int protect_print(const struct avf_report *a, struct fl_buf *out, struct fl_err *err)
{
    struct fl_table t = {0};
    uint64_t mixed = 0;
    int bad = 0;
    fl_table_title(&t, "Protected memories (percent of flips): sdc and due before and after; due "
                       "after includes detected");
    fl_table_columns(&t, "*job|*target|*code|sdc|due|?corrected|?detected|sdc after|due after|FIT|"
                         "FIT after|check bits");
    for (int p = 0; p < a->result->nparts && !bad; p++) {
        struct figures f;
        bad = figures_of(a, p, &f, err);
        if (bad || !f.p.any)
            continue;
        mixed += f.p.mixed;
        fl_table_cell(&t, "%s", a->result->job[a->result->part[p].job].name);
        fl_table_cell(&t, "%s", a->result->part[p].target);
        fl_table_cell(&t, "%s", f.code == PROTECT_NOTHING ? "-" : code_name[f.code]);
        for (int i = 0; i < SHARES; i++)
            cell(&t, &f, i);
        rate(&t, fit(&f, false));
        rate(&t, fit(&f, true));
        if (f.words)
            fl_table_cell(&t, "%llu", (unsigned long long)f.check_bits);
        else
            fl_table_cell(&t, "-");
    }
    fl_table_print(&t, out);
    if (mixed)
        fl_wrap(
            out,
            "\n%llu faults have corrected words and others that are wrong: their outcomes stand.",
            (unsigned long long)mixed);
    return bad;
}

int protect_csv(const struct avf_report *a, int part, const struct tally_row *row,
                struct fl_buf *out, struct fl_err *err)
{
    struct figures f;
    bool known = row && strcmp(row->kernel, "all") == 0 && !strchr(row->target, '/');
    if (!a->protect)
        return 0;
    if (known && figures_of(a, part, &f, err) != 0)
        return -1;
    known = known && f.p.any;
    fl_buf_printf(out, row ? ",%s" : ",protect_code", known ? code_name[f.code] : "");
    if (known)
        fl_buf_printf(out, ",%llu", (unsigned long long)f.check_bits);
    else
        fl_buf_printf(out, row ? "," : ",protect_check_bits");
    for (int i = 0; i < SHARES; i++) {
        const double figure[] = {known ? f.share[i].avf : (double)NAN,
                                 known ? f.share[i].avf_lo : (double)NAN,
                                 known ? f.share[i].avf_hi : (double)NAN};
        static const char *const end[] = {"", "_lo", "_hi"};
        for (int k = 0; k < 3; k++)
            if (row)
                csv_number(figure[k], out);
            else
                fl_buf_printf(out, ",protect_%s%s", share_name[i], end[k]);
    }
    for (int after = 0; after < 2; after++)
        if (row)
            csv_number(known ? fit(&f, after) : (double)NAN, out);
        else
            fl_buf_printf(out, ",protect_fit%s", after ? "_after" : "");
    return 0;
}

void protect_page(struct page *p)
{
    struct fl_err ignored;
    if (!p->a->protect)
        return;
    page_heading(p, 2, "Protected memories");
    page_head(p,
              "*job|*target|*code|sdc %|due %|corrected %|detected %|sdc after %|due after %|FIT|"
              "FIT after|check bits");
    for (int i = 0; i < p->a->result->nparts; i++) {
        struct figures f;
        if (figures_of(p->a, i, &f, &ignored) != 0 || !f.p.any)
            continue;
        page_cell_text(p, p->a->result->job[p->a->result->part[i].job].name);
        page_cell_text(p, p->a->result->part[i].target);
        page_cell_text(p, f.code == PROTECT_NOTHING ? "-" : code_name[f.code]);
        for (int s = 0; s < SHARES; s++)
            page_cell_share(p, f.share[s].avf,
                            page_half(f.all.method, f.share[s].avf_lo, f.share[s].avf_hi));
        page_cell_number(p, fit(&f, false), 0);
        page_cell_number(p, fit(&f, true), 0);
        page_cell_count(p, f.check_bits);
        page_end_row(p);
    }
    if (page_end_table(p))
        page_say(p, "Flips classified again by the code of their words: shares of all flips. DUE "
                    "after includes detected.");
}

int protect_xml(xmlTextWriterPtr w, const struct avf_report *a, int part, struct fl_err *err)
{
    struct figures f;
    if (figures_of(a, part, &f, err) != 0)
        return -1;
    if (!f.p.any)
        return 0;
    xml_out_open(w, "protected");
    if (f.code != PROTECT_NOTHING)
        xml_out_text(w, "code", code_name[f.code]);
    xml_out_count(w, "words", f.words);
    xml_out_count(w, "check_bits", f.check_bits);
    xml_out_count(w, "mixed", f.p.mixed);
    for (int i = 0; i < SHARES; i++) {
        xml_out_open(w, "share");
        xml_out_text(w, "of", share_name[i]);
        xmlTextWriterWriteFormatAttribute(w, BAD_CAST "value", "%.10g", f.share[i].avf);
        if (f.all.method == METHOD_SAMPLE && !isnan(f.share[i].avf_lo)) {
            xmlTextWriterWriteFormatAttribute(w, BAD_CAST "lo", "%.10g", f.share[i].avf_lo);
            xmlTextWriterWriteFormatAttribute(w, BAD_CAST "hi", "%.10g", f.share[i].avf_hi);
        }
        if (!isnan(f.share[i].fit))
            xmlTextWriterWriteFormatAttribute(w, BAD_CAST "fit", "%.10g", f.share[i].fit);
        xml_out_close(w);
    }
    xml_out_close(w);
    return 0;
}
