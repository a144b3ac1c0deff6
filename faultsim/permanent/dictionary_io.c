/* dictionary_io.c -- dictionaries as a table for people, as CSV, as XML and back. */
#include "dictionary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/table.h"
#include "base/xml.h"
#include "faultsim/result/made.h"
#include "base/xml_out.h"

static const char *const kinds[] = {"nothing", "outputs", "trap", "no-end"};
static const char *const views[] = {"place", "trap", "end"};

/* ---- for people ------------------------------------------------------------------------------ */

static double percent(long part, long whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0.0;
}

void dict_report(const struct dict *d, struct fl_buf *out)
{
    long seen = d->nresolutions ? d->resolution[0].faults : 0;
    struct fl_table t = {0};
    fl_wrap(out, "%s faults in %s, profile %s, %d job%s: %ld of %ld show something, in %ld ways",
            d->model, d->target, d->profile, d->njobs, d->njobs == 1 ? "" : "s", seen, d->nfaults,
            d->ngroups - 1);
    fl_table_columns(&t, "*faults|seen|signatures|alone|alone %|candidates");
    fl_table_columns(&t, strcmp(d->model, "gate") == 0 ? "unit known %|cell %|pin %"
                                                       : "LE known %|field %|bit %");
    for (int i = 0; i < d->nresolutions && seen; i++) {
        const struct dict_resolution *r = &d->resolution[i];
        fl_table_cell(&t, "%s", r->name);
        fl_table_cell(&t, "%ld", r->faults);
        fl_table_cell(&t, "%ld", r->groups);
        fl_table_cell(&t, "%ld", r->alone);
        fl_table_cell(&t, "%.2f", percent(r->alone, r->faults));
        fl_table_cell(&t, "%.2f", r->candidates);
        fl_table_cell(&t, "%.2f", percent(r->element, r->faults));
        fl_table_cell(&t, "%.2f", percent(r->field, r->faults));
        fl_table_cell(&t, "%.2f", percent(r->bit, r->faults));
    }
    fl_table_print(&t, out);
}

/* ---- CSV ------------------------------------------------------------------------------------- */

static void csv_response(const struct dict_response *s, struct fl_buf *out)
{
    char digest[65] = "";
    if (s->kind == SEES_OUTPUTS)
        fl_hex(s->digest, 32, digest);
    fl_buf_printf(out, "%s,%s,%s,", kinds[s->kind], digest, s->what);
    if (s->launch)
        fl_buf_printf(out, "%u", s->launch);
    fl_buf_printf(out, ",");
    if (s->kind == SEES_TRAP)
        fl_buf_printf(out, "0x%x", s->pc);
    fl_buf_printf(out, ",");
    if (s->cycles)
        fl_buf_printf(out, "%llu", (unsigned long long)s->cycles);
    fl_buf_printf(out, "\n");
}

void dict_csv(const struct dict *d, struct fl_buf *out)
{
    long *size = fl_alloc((size_t)d->ngroups * sizeof *size);
    for (long i = 0; i < d->nfaults; i++)
        size[d->fault[i].group]++;
    struct result_job *job = fl_alloc((size_t)d->njobs * sizeof *job);
    for (int k = 0; k < d->njobs; k++)
        job[k] = d->job[k].made;
    made_csv(d->made, job, d->njobs, out);
    free(job);
    fl_buf_printf(out, "signature,size,id,job,sees,sha256,what,launch,pc,cycles\n");
    for (long i = 0; i < d->nfaults; i++) {
        long g = d->fault[i].group;
        if (g == 0)
            fl_buf_printf(out, "0,%ld,%s,,nothing,,,,,\n", size[0], d->fault[i].id);
        for (int k = 0; k < d->njobs; k++) {
            const struct dict_response *s = &d->response[g * d->njobs + k];
            if (s->kind == SEES_NOTHING)
                continue;
            fl_buf_printf(out, "%ld,%ld,%s,%s,", g, size[g], d->fault[i].id, d->job[k].name);
            csv_response(s, out);
        }
    }
    free(size);
}

/* ---- XML ------------------------------------------------------------------------------------- */

static void write_job(xmlTextWriterPtr w, const struct dict_job *j)
{
    char digest[65];
    fl_hex(j->digest, 32, digest);
    xml_out_open(w, "job");
    xml_out_text(w, "name", j->name);
    made_xml_job(w, &j->made);
    xml_out_count(w, "cycles", j->cycles);
    xml_out_text(w, "sha256", digest);
    for (int i = 0; i < j->noutputs; i++) {
        const struct dict_output *o = &j->output[i];
        xml_out_open(w, "output");
        xml_out_text(w, "name", o->name);
        xml_out_text(w, "buffer", o->buffer);
        xml_out_count(w, "offset", o->offset);
        xml_out_count(w, "size", o->size);
        xml_out_close(w);
    }
    xml_out_close(w);
}

static void write_resolution(xmlTextWriterPtr w, const struct dict_resolution *r)
{
    xml_out_open(w, "resolution");
    xml_out_text(w, "of", r->name);
    xml_out_count(w, "faults", (uint64_t)r->faults);
    xml_out_count(w, "signatures", (uint64_t)r->groups);
    xml_out_count(w, "alone", (uint64_t)r->alone);
    xml_out_hundredths(w, "candidates", r->candidates);
    xml_out_count(w, "element", (uint64_t)r->element);
    xml_out_count(w, "field", (uint64_t)r->field);
    xml_out_count(w, "bit", (uint64_t)r->bit);
    xml_out_close(w);
}

static void write_response(xmlTextWriterPtr w, const char *job, const struct dict_response *s)
{
    xml_out_open(w, "sees");
    xml_out_text(w, "job", job);
    xml_out_text(w, "kind", kinds[s->kind]);
    if (s->kind == SEES_OUTPUTS) {
        char digest[65];
        fl_hex(s->digest, 32, digest);
        xml_out_text(w, "sha256", digest);
    }
    if (s->what[0])
        xml_out_text(w, "what", s->what);
    if (s->launch)
        xml_out_count(w, "launch", s->launch);
    if (s->kind == SEES_TRAP)
        xmlTextWriterWriteFormatAttribute(w, BAD_CAST "pc", "0x%x", s->pc);
    if (s->cycles)
        xml_out_count(w, "cycles", s->cycles);
    xml_out_close(w);
}

/* Members of all groups, group by group: member[start[g]] to member[start[g + 1] - 1]. */
static long *members(const struct dict *d, long **start)
{
    long *at = fl_alloc((size_t)(d->ngroups + 2) * sizeof *at);
    long *m = fl_alloc((size_t)d->nfaults * sizeof *m);
    for (long i = 0; i < d->nfaults; i++)
        at[d->fault[i].group + 2]++;
    for (long g = 0; g <= d->ngroups; g++)
        at[g + 1] += at[g];
    for (long i = 0; i < d->nfaults; i++)
        m[at[d->fault[i].group + 1]++] = i;
    *start = at;
    return m;
}

static void write_groups(xmlTextWriterPtr w, const struct dict *d)
{
    long *start, *m = members(d, &start);
    for (long g = 0; g < d->ngroups; g++) {
        xml_out_open(w, g ? "signature" : "unseen");
        if (g)
            xml_out_count(w, "number", (uint64_t)g);
        for (int k = 0; k < d->njobs && g; k++)
            if (d->response[g * d->njobs + k].kind != SEES_NOTHING)
                write_response(w, d->job[k].name, &d->response[g * d->njobs + k]);
        for (long i = start[g]; i < start[g + 1]; i++) {
            xml_out_open(w, "fault");
            xml_out_count(w, "number", (uint64_t)m[i]);
            xml_out_text(w, "id", d->fault[m[i]].id);
            if (d->fault[m[i]].untestable)
                xml_out_text(w, "untestable", "true");
            xml_out_close(w);
        }
        xml_out_close(w);
    }
    free(start);
    free(m);
}

int dict_xml(const struct dict *d, struct fl_buf *out, struct fl_err *err)
{
    struct xml_out x;
    if (xml_out_begin(&x, "dictionary", err) != 0)
        return -1;
    xml_out_text(x.w, "made", d->made);
    xml_out_text(x.w, "target", d->target);
    xml_out_text(x.w, "model", d->model);
    xml_out_text(x.w, "engine", d->engine);
    xml_out_text(x.w, "profile", d->profile);
    xml_out_text(x.w, "see", views[d->view]);
    xml_out_text(x.w, "detect_timing", d->timing ? "true" : "false");
    for (int k = 0; k < d->njobs; k++)
        write_job(x.w, &d->job[k]);
    for (int i = 0; i < d->nresolutions; i++)
        write_resolution(x.w, &d->resolution[i]);
    write_groups(x.w, d);
    xml_out_end(&x, out);
    return 0;
}

/* ---- and back: the schema has been checked, so what must be there is there ------------------- */

static void read_digest(const char *text, uint8_t digest[32])
{
    for (int i = 0; i < 32; i++) {
        const char pair[3] = {text[2 * i], text[2 * i + 1], 0};
        digest[i] = (uint8_t)strtoul(pair, NULL, 16);
    }
}

static uint64_t read_u64(const xmlNode *n, const char *name)
{
    const char *text = xml_attr(n, name);
    return text ? strtoull(text, NULL, 0) : 0;
}

static void read_job(const xmlNode *n, struct dict *d)
{
    d->job = fl_grow(d->job, (size_t)d->njobs + 1, sizeof *d->job);
    struct dict_job *j = &d->job[d->njobs++];
    const char *cubin = xml_attr(n, "cubin");
    *j = (struct dict_job){.name = fl_strdup(xml_attr(n, "name")),
                           .made = {.name = fl_strdup(xml_attr(n, "name")),
                                    .profile = fl_strdup(xml_attr(n, "profile")),
                                    .sps = (int)read_u64(n, "sps")},
                           .cycles = read_u64(n, "cycles")};
    snprintf(j->made.digest, sizeof j->made.digest, "%s", xml_attr(n, "digest"));
    snprintf(j->made.cubin, sizeof j->made.cubin, "%s", cubin ? cubin : "");
    read_digest(xml_attr(n, "sha256"), j->digest);
    for (const xmlNode *o = xml_first(n); o; o = xml_next(o)) {
        j->output = fl_grow(j->output, (size_t)j->noutputs + 1, sizeof *j->output);
        j->output[j->noutputs++] = (struct dict_output){
            fl_strdup(xml_attr(o, "name")), fl_strdup(xml_attr(o, "buffer")),
            (uint32_t)read_u64(o, "offset"), (uint32_t)read_u64(o, "size")};
    }
    j->made.outputs = j->noutputs;
}

static void read_resolution(const xmlNode *n, struct dict *d)
{
    d->resolution = fl_grow(d->resolution, (size_t)d->nresolutions + 1, sizeof *d->resolution);
    struct dict_resolution *r = &d->resolution[d->nresolutions++];
    *r = (struct dict_resolution){.faults = (long)read_u64(n, "faults"),
                                  .groups = (long)read_u64(n, "signatures"),
                                  .alone = (long)read_u64(n, "alone"),
                                  .element = (long)read_u64(n, "element"),
                                  .field = (long)read_u64(n, "field"),
                                  .bit = (long)read_u64(n, "bit"),
                                  .candidates = strtod(xml_attr(n, "candidates"), NULL)};
    snprintf(r->name, sizeof r->name, "%s", xml_attr(n, "of"));
}

static int word_in(const char *word, const char *const *list, int n)
{
    int i = 0;
    while (i < n - 1 && strcmp(word, list[i]) != 0)
        i++;
    return i;
}

static int read_response(const struct xml_file *f, const xmlNode *n, struct dict *d, long group,
                         struct fl_err *err)
{
    int k = 0;
    while (k < d->njobs && strcmp(d->job[k].name, xml_attr(n, "job")) != 0)
        k++;
    if (k == d->njobs)
        return xml_fail(f, n, err, "there is no <job> '%s' above", xml_attr(n, "job"));
    struct dict_response *s = &d->response[group * d->njobs + k];
    const char *digest = xml_attr(n, "sha256"), *what = xml_attr(n, "what");
    *s = (struct dict_response){.kind = (enum dict_kind)word_in(xml_attr(n, "kind"), kinds, 4),
                                .launch = (uint32_t)read_u64(n, "launch"),
                                .pc = (uint32_t)read_u64(n, "pc"),
                                .cycles = read_u64(n, "cycles")};
    if (digest)
        read_digest(digest, s->digest);
    snprintf(s->what, sizeof s->what, "%s", what ? what : "");
    return 0;
}

static int read_group(const struct xml_file *f, const xmlNode *n, struct dict *d,
                      struct fl_err *err)
{
    long g = d->ngroups++;
    size_t jobs = (size_t)d->njobs;
    d->response = fl_grow(d->response, (size_t)d->ngroups * jobs, sizeof *d->response);
    memset(&d->response[(size_t)g * jobs], 0, jobs * sizeof *d->response);
    for (const xmlNode *c = xml_first(n); c; c = xml_next(c)) {
        if (xml_is(c, "sees")) {
            if (read_response(f, c, d, g, err) != 0)
                return -1;
            continue;
        }
        unsigned long long at = read_u64(c, "number");
        if (at >= (unsigned long long)d->nfaults || d->fault[at].id[0])
            return xml_fail(f, c, err, "number=\"%s\": number the faults from 0, each once",
                            xml_attr(c, "number"));
        struct dict_fault *fault = &d->fault[at];
        *fault = (struct dict_fault){.group = g, .untestable = xml_attr(c, "untestable") != NULL};
        snprintf(fault->id, sizeof fault->id, "%s", xml_attr(c, "id"));
    }
    return 0;
}

/* Of all groups. */
static long count_faults(const xmlNode *root)
{
    long n = 0;
    for (const xmlNode *g = xml_first(root); g; g = xml_next(g))
        for (const xmlNode *c = xml_first(g); c; c = xml_next(c))
            n += xml_is(c, "fault");
    return n;
}

int dict_load(const char *path, struct dict *out, struct fl_err *err)
{
    struct xml_file f;
    int bad = xml_open(path, "dictionary", &f, err) || xml_validate(&f, "docs/dictionary.rng", err);
    *out = (struct dict){.model = "stuck-at"};
    if (!bad) {
        const xmlNode *root = xmlDocGetRootElement(f.doc);
        out->model = strcmp(xml_attr(root, "model"), "gate") == 0 ? "gate" : "stuck-at";
        out->engine = strcmp(xml_attr(root, "engine"), "rtl") == 0 ? "rtl" : "c";
        out->nfaults = count_faults(root);
        out->fault = fl_alloc((size_t)out->nfaults * sizeof *out->fault);
        out->made = fl_strdup(xml_attr(root, "made"));
        out->profile = fl_strdup(xml_attr(root, "profile"));
        out->target = fl_strdup(xml_attr(root, "target"));
        out->view = (enum dict_view)word_in(xml_attr(root, "see"), views, 3);
        out->timing = strcmp(xml_attr(root, "detect_timing"), "true") == 0;
        for (const xmlNode *n = xml_first(root); n && !bad; n = xml_next(n)) {
            if (xml_is(n, "job"))
                read_job(n, out);
            else if (xml_is(n, "resolution"))
                read_resolution(n, out);
            else
                bad = read_group(&f, n, out, err);
        }
    }
    xml_close(&f);
    if (bad)
        dict_free(out);
    return bad ? -1 : 0;
}
