/* What a fault leaves, and back: responses against runs from cycle 0, groups, files, questions. */
#include <unistd.h>

#include "faultsim/permanent/dictionary.h"
#include "tests/lib/faults.h"
#include "tests/lib/tools.h"

enum { EVERY = SANITIZED ? 3 : 1 };

/* Threads below `split` store 1 and the others 2, five times over with a sum; SPC[12] of LE 1 stuck at 1 leads to an endless
 * loop. */
#define KERNEL(name, split)                                                                        \
    ".kernel " name "\n.param ptr out\n"                                                           \
    "  I2I.U32.U16 R1, R0L\n"                                                                      \
    "  SHL R4, R1, 2\n"                                                                            \
    "  IADD R4, s[out], R4\n"                                                                      \
    "  MVI R2, " split "\n"                                                                        \
    "  MVI R3, 0x0\n"                                                                              \
    "  MVI R5, 0x5\n"                                                                              \
    "  ISET.S32.C0 o[0x7f], R1, R2, LT\n" name "_again: SSY " name "_sync\n"                       \
    "  BRA C0.NE, " name "_then\n"                                                                 \
    "  IADD32I R3, R3, 2\n"                                                                        \
    "  BRA " name "_sync\n" name "_then: IADD32I R3, R3, 1\n" name "_sync: NOP.S\n"                \
    "  IADD R3, R3, R3\n"                                                                          \
    "  IADD32I R5, R5, -1\n"                                                                       \
    "  ISET.S32.C1 o[0x7f], R5, R124, NE\n"                                                        \
    "  BRA C1.NE, " name "_again\n"                                                                \
    "  GST.U32 global14[R4], R3\n"                                                                 \
    "  NOP.EXIT\n"                                                                                 \
    ".org 0x1058\n" name "_far: BRA " name "_far\n  BRA " name "_far\n  BRA " name "_far\n"

static const char one[] = KERNEL("k", "0x8");
static const char two[] = KERNEL("k", "0x8") KERNEL("l", "0x10");

static struct fsim_campaign campaign(const struct job *job, bool timing)
{
    return faults_campaign(job, "dstack", (struct fsim_options){.detect_timing = timing});
}

static struct dict build(const struct fsim_campaign *c, int n, enum dict_view view)
{
    struct dict d;
    struct fl_err err = {{0}};
    CU_ASSERT_EQUAL_FATAL(dict_build(c, n, view, 2, &d, &err), 0);
    return d;
}

static const struct dict_response *response_of(const struct dict *d, long fault, int job)
{
    return &d->response[d->fault[fault].group * d->njobs + job];
}

static long fault_of_kind(const struct dict *d, enum dict_kind kind)
{
    long i = 0;
    while (i < d->nfaults && response_of(d, i, 0)->kind != kind)
        i++;
    CU_ASSERT_NOT_EQUAL_FATAL(i, d->nfaults);
    return i;
}

/* ---- responses ------------------------------------------------------------------------------------------------------ */

/* The machine with the fault there from cycle 0, at its end or at 2G. The caller frees it. */
static struct gpu *brute(const struct fsim_campaign *c, long fault)
{
    const struct fsim_fault *f = &c->list.fault[fault];
    struct sm_force force = sm_cell_force(c->img, &f->cell, f->value);
    struct gpu *m = gpu_new(c->img);
    gpu_add_force(m, &force);
    while (!gpu_ended(m) && m->sm->s.next <= 2 * c->golden->cycles)
        gpu_tick(m);
    return m;
}

static bool response_is_that_of(const struct dict_response *s, const struct gpu *m,
                                const struct fsim_campaign *c)
{
    uint8_t digest[32];
    gpu_outputs_digest(m, digest);
    switch (s->kind) {
    case SEES_NOTHING: return m->grid.done && gpu_outputs_equal(m, c->golden->end);
    case SEES_OUTPUTS:
        return m->grid.done && memcmp(digest, s->digest, 32) == 0 &&
               s->cycles == (c->detect_timing ? gpu_cycles(m) : 0);
    case SEES_TRAP:
        return m->sm->s.trap && strcmp(s->what, sm_trap_name((enum sm_trap)m->sm->s.trap)) == 0 &&
               s->pc == m->sm->s.trap_pc && s->launch == m->grid.launch + 1;
    case SEES_NO_END: return !m->grid.done && !m->sm->s.trap && s->launch == m->grid.launch + 1;
    }
    return false;
}

static void sights_are_those_of_runs_from_cycle_0(void)
{
    long kinds[4] = {0};
    for (int i = 0; i < 4; i++) {
        struct job *job = faults_job("tiny", 1 + i, 32, i & 1 ? two : one);
        struct fsim_campaign c = campaign(job, i > 1);
        struct dict d = build(&c, 1, DICT_PLACE);
        long wrong = 0;
        for (long f = i % EVERY; f < d.nfaults; f += EVERY) {
            struct gpu *m = brute(&c, f);
            wrong += !response_is_that_of(response_of(&d, f, 0), m, &c);
            kinds[response_of(&d, f, 0)->kind]++;
            gpu_free(m);
        }
        CU_ASSERT_EQUAL(wrong, 0);
        dict_free(&d);
        fsim_campaign_free(&c);
        job_free(job);
    }
    for (int k = 0; k < 4; k++)
        CU_ASSERT_TRUE(kinds[k] > 0); /* or the programs prove little */
}

static void faults_share_a_group_when_and_only_when_they_show_the_same(void)
{
    struct job *job = faults_job("tiny", 1, 32, one);
    struct fsim_campaign c = campaign(job, false);
    struct dict d = build(&c, 1, DICT_PLACE);
    uint8_t(*digest)[32] = fl_alloc((size_t)d.nfaults * sizeof *digest);
    long pairs = 0, wrong = 0;
    for (long i = 0; i < d.nfaults; i++) {
        struct gpu *m = brute(&c, i);
        gpu_outputs_digest(m, digest[i]);
        gpu_free(m);
    }
    for (long a = 0; a < d.nfaults; a++)
        for (long b = a + 1; b < d.nfaults; b++) {
            if (response_of(&d, a, 0)->kind != SEES_OUTPUTS ||
                response_of(&d, b, 0)->kind != SEES_OUTPUTS)
                continue;
            bool together = d.fault[a].group == d.fault[b].group;
            wrong += (memcmp(digest[a], digest[b], 32) == 0) != together;
            pairs += together;
        }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_TRUE(pairs > 0);
    free(digest);
    dict_free(&d);
    fsim_campaign_free(&c);
    job_free(job);
}

static void faults_that_show_nothing_are_those_not_detected(void)
{
    for (int timing = 0; timing < 2; timing++) {
        struct job *job = faults_job("tiny", 1, 32, one);
        struct fsim_campaign c = campaign(job, timing);
        struct dict d = build(&c, 1, DICT_PLACE);
        for (long i = 0; i < d.nfaults; i++)
            CU_ASSERT_EQUAL(d.fault[i].group != 0, fsim_detected(&c.result[i], timing));
        dict_free(&d);
        fsim_campaign_free(&c);
        job_free(job);
    }
}

static void the_less_is_seen_the_fewer_signatures(void)
{
    struct job *job = faults_job("tiny", 1, 32, two);
    struct fsim_campaign c = campaign(job, false);
    long n[3];
    for (int view = DICT_PLACE; view <= DICT_END; view++) {
        struct dict d = build(&c, 1, (enum dict_view)view);
        n[view] = d.ngroups;
        dict_free(&d);
    }
    CU_ASSERT_TRUE(n[DICT_PLACE] > n[DICT_TRAP] && n[DICT_TRAP] > n[DICT_END]);
    fsim_campaign_free(&c);
    job_free(job);
}

/* ---- resolution -------------------------------------------------------------------------------------------------- */

static void resolution_counts_what_the_groups_say(void)
{
    struct job *job = faults_job("tiny", 1, 32, one);
    struct fsim_campaign c = campaign(job, false);
    struct dict d = build(&c, 1, DICT_PLACE);
    const struct dict_resolution *all = &d.resolution[0];
    long alone = 0, squares = 0, by_field = 0, by_element = 0, seen = 0;
    for (long g = 1; g < d.ngroups; g++) {
        long size = 0;
        for (long i = 0; i < d.nfaults; i++)
            size += d.fault[i].group == g;
        CU_ASSERT_TRUE(size > 0);
        alone += size == 1;
        squares += size * size;
        seen += size;
    }
    CU_ASSERT_EQUAL(all->faults, seen);
    CU_ASSERT_EQUAL(all->groups, d.ngroups - 1);
    CU_ASSERT_EQUAL(all->alone, alone);
    CU_ASSERT_DOUBLE_EQUAL(all->candidates, (double)squares / (double)seen, 1e-9);
    CU_ASSERT_TRUE(all->bit <= all->field && all->alone <= all->element && all->alone <= all->bit);
    for (int i = 1; i < d.nresolutions; i++)
        if (strncmp(d.resolution[i].name, "le", 2) == 0)
            by_element += d.resolution[i].faults;
        else
            by_field += d.resolution[i].faults;
    CU_ASSERT_EQUAL(by_field, seen);
    CU_ASSERT_EQUAL(by_element, seen);
    dict_free(&d);
    fsim_campaign_free(&c);
    job_free(job);
}

static void more_jobs_tell_more_faults_apart(void)
{
    struct job *job[2] = {faults_job("tiny", 1, 32, one),
                          faults_job("tiny", 1, 32, KERNEL("k", "0x10"))};
    struct fsim_campaign c[2] = {campaign(job[0], false), campaign(job[1], false)};
    struct fl_err err = {{0}};
    struct dict d;
    CU_ASSERT_EQUAL(dict_build(c, 2, DICT_PLACE, 1, &d, &err), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "two jobs have the name"));
    c[1].job_name = "other";
    struct dict alone = build(c, 1, DICT_PLACE);
    d = build(c, 2, DICT_PLACE);
    CU_ASSERT_TRUE(d.ngroups > alone.ngroups);
    for (long i = 0; i < d.nfaults; i++)
        if (alone.fault[i].group)
            CU_ASSERT_TRUE(d.fault[i].group != 0);
    dict_free(&d);
    dict_free(&alone);
    for (int i = 0; i < 2; i++) {
        fsim_campaign_free(&c[i]);
        job_free(job[i]);
    }
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static void dictionary_reads_back_as_it_was_written(void)
{
    struct job *job = faults_job("tiny", 1, 32, two);
    struct fsim_campaign c = campaign(job, true);
    struct fl_err err = {{0}};
    for (int view = DICT_PLACE; view <= DICT_END; view++) {
        struct dict d = build(&c, 1, (enum dict_view)view), back;
        struct fl_buf xml = {0}, again = {0};
        char *dir = tools_folder(), *path = fl_format("%s/xml", dir);
        CU_ASSERT_EQUAL(dict_xml(&d, &xml, &err), 0);
        tools_put(dir, "xml", xml.data, xml.size);
        CU_ASSERT_EQUAL_FATAL(dict_load(path, &back, &err), 0);
        CU_ASSERT_EQUAL(dict_xml(&back, &again, &err), 0);
        CU_ASSERT_EQUAL(xml.size, again.size);
        CU_ASSERT_EQUAL(memcmp(xml.data, again.data, xml.size), 0);
        /* the schema can refuse */
        memcpy(strstr((char *)xml.data, "<signature"), "<signaturs", 10);
        tools_put(dir, "xml", xml.data, xml.size);
        dict_free(&back);
        CU_ASSERT_EQUAL(dict_load(path, &back, &err), -1);
        free(path);
        tools_remove(dir);
        fl_buf_free(&xml);
        fl_buf_free(&again);
        dict_free(&d);
    }
    fsim_campaign_free(&c);
    job_free(job);
}

static void csv_has_a_line_for_each_fault_that_a_job_shows(void)
{
    struct job *job = faults_job("tiny", 1, 32, one);
    struct fsim_campaign c = campaign(job, false);
    struct dict d = build(&c, 1, DICT_PLACE);
    struct fl_buf csv = {0};
    long lines = 0;
    dict_csv(&d, &csv);
    CU_ASSERT_PTR_NOT_NULL(
        strstr((char *)csv.data, "\nsignature,size,id,job,sees,sha256,what,launch,pc,cycles\n"));
    for (size_t i = 0; i < csv.size; i++)
        lines += csv.data[i] == '\n';
    CU_ASSERT_EQUAL(lines, 2 + 1 + d.nfaults); /* what made it, head, faults */
    fl_buf_free(&csv);
    dict_free(&d);
    fsim_campaign_free(&c);
    job_free(job);
}

/* ---- questions --------------------------------------------------------------------------------------------------- */

static long ask(const struct dict *d, const char *what, struct fl_buf *out)
{
    struct fl_err err = {{0}};
    fl_buf_free(out);
    return dict_lookup(d, &what, 1, out, &err);
}

/* Asked with what the fault leaves, the dictionary names it, and its group only. */
static void dump_digest_and_trap_lead_back_to_the_fault(void)
{
    struct job *job = faults_job("tiny", 1, 32, one);
    struct fsim_campaign c = campaign(job, false);
    struct dict d = build(&c, 1, DICT_PLACE);
    struct fl_buf out = {0};
    char *dir = tools_folder();
    for (long f = 0; f < d.nfaults; f += 11) {
        const struct dict_response *s = response_of(&d, f, 0);
        struct gpu *m = brute(&c, f);
        uint8_t bytes[4096];
        char hex[65], *dump = fl_format("buffer0=%s/dump", dir), *trap;
        gpu_read_global(m, job->buffer[0].addr, bytes, sizeof bytes);
        tools_put(dir, "dump", bytes, sizeof bytes);
        for (int i = 0; i < 32; i++)
            snprintf(hex + 2 * i, 3, "%02X", s->digest[i]);
        trap = fl_format("%s@0x%x", s->what, s->pc);
        if (s->kind == SEES_OUTPUTS) {
            CU_ASSERT_EQUAL(ask(&d, dump, &out), 1);
            CU_ASSERT_PTR_NOT_NULL(strstr((char *)out.data, d.fault[f].id));
            CU_ASSERT_EQUAL(ask(&d, hex, &out), 1);
            hex[13] = 0;
            CU_ASSERT_EQUAL(ask(&d, hex, &out), 1);
            CU_ASSERT_PTR_NOT_NULL(strstr((char *)out.data, d.fault[f].id));
        } else if (s->kind == SEES_TRAP) {
            CU_ASSERT_EQUAL(ask(&d, trap, &out), 1);
            CU_ASSERT_PTR_NOT_NULL(strstr((char *)out.data, d.fault[f].id));
            CU_ASSERT_TRUE(ask(&d, s->what, &out) >= 1);
        } else if (s->kind == SEES_NOTHING) {
            CU_ASSERT_EQUAL(ask(&d, dump, &out), 1);
            CU_ASSERT_PTR_NOT_NULL(strstr((char *)out.data, "nothing wrong"));
        }
        free(dump);
        free(trap);
        gpu_free(m);
    }
    CU_ASSERT_EQUAL(ask(&d, "no-end", &out), 1);
    CU_ASSERT_PTR_NOT_NULL(strstr((char *)out.data, d.fault[fault_of_kind(&d, SEES_NO_END)].id));
    tools_remove(dir);
    fl_buf_free(&out);
    dict_free(&d);
    fsim_campaign_free(&c);
    job_free(job);
}

static void what_no_fault_shows_fits_no_group(void)
{
    struct job *job = faults_job("tiny", 1, 32, one);
    struct fsim_campaign c = campaign(job, false);
    struct dict d = build(&c, 1, DICT_PLACE);
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(ask(&d, "0123456789abcdef", &out), 0);
    CU_ASSERT_EQUAL(out.size, 0);
    CU_ASSERT_EQUAL(ask(&d, "OUT_OF_BOUNDS_LOCAL", &out), 0);
    fl_buf_free(&out);
    dict_free(&d);
    fsim_campaign_free(&c);
    job_free(job);
}

static void several_jobs_are_asked_by_name_and_narrow_the_answer(void)
{
    struct job *job[2] = {faults_job("tiny", 1, 32, one),
                          faults_job("tiny", 1, 32, KERNEL("k", "0x10"))};
    struct fsim_campaign c[2] = {campaign(job[0], false), campaign(job[1], false)};
    struct fl_err err = {{0}};
    struct fl_buf out = {0};
    c[1].job_name = "other";
    struct dict d = build(c, 2, DICT_PLACE);
    const char *seen[] = {"test:good", "other:good"}, *both[] = {"test:good", "test:no-end"};
    long first = dict_lookup(&d, seen, 1, &out, &err),
         narrowed = dict_lookup(&d, seen, 2, &out, &err);
    CU_ASSERT_TRUE(first > narrowed);
    CU_ASSERT_EQUAL(narrowed, 1);
    CU_ASSERT_EQUAL(dict_lookup(&d, both, 2, &out, &err), -1);
    CU_ASSERT_EQUAL(ask(&d, "no-end", &out), -1); /* which of them? */
    CU_ASSERT_EQUAL(ask(&d, "good", &out), 1);
    const char *rest[] = {"good", "test:no-end"}, *named[] = {"other:good", "test:no-end"};
    CU_ASSERT_EQUAL(dict_lookup(&d, rest, 2, &out, &err), dict_lookup(&d, named, 2, &out, &err));
    fl_buf_free(&out);
    dict_free(&d);
    for (int i = 0; i < 2; i++) {
        fsim_campaign_free(&c[i]);
        job_free(job[i]);
    }
}

static void observations_that_make_no_sense_are_refused(void)
{
    static const struct {
        const char *what, *says;
    } bad[] = {
        {"0123", "12 to 64 hex digits"},    {"TEAPOT", "no trap"},
        {"FETCH_UNMAPPED@x", "no address"}, {"buffer1=/dev/null", "no output in a buffer"},
        {"buffer0=/dev/null", "a device"},  {"buffer0=/no/file", "/no/file"},
    };
    struct job *job = faults_job("tiny", 1, 32, one);
    struct fsim_campaign c = campaign(job, false);
    struct dict d = build(&c, 1, DICT_PLACE);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct fl_err err = {{0}};
        struct fl_buf out = {0};
        CU_ASSERT_EQUAL(dict_lookup(&d, &bad[i].what, 1, &out, &err), -1);
        if (!strstr(err.msg, bad[i].says))
            printf("\n    %s: %s", bad[i].what, err.msg);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, bad[i].says));
        fl_buf_free(&out);
    }
    dict_free(&d);
    fsim_campaign_free(&c);
    job_free(job);
}

int main(void)
{
    return CHECK_RUN(
        "dictionary", CHECK(sights_are_those_of_runs_from_cycle_0),
        CHECK(faults_share_a_group_when_and_only_when_they_show_the_same),
        CHECK(faults_that_show_nothing_are_those_not_detected),
        CHECK(the_less_is_seen_the_fewer_signatures), CHECK(resolution_counts_what_the_groups_say),
        CHECK(more_jobs_tell_more_faults_apart), CHECK(dictionary_reads_back_as_it_was_written),
        CHECK(csv_has_a_line_for_each_fault_that_a_job_shows),
        CHECK(dump_digest_and_trap_lead_back_to_the_fault),
        CHECK(what_no_fault_shows_fits_no_group),
        CHECK(several_jobs_are_asked_by_name_and_narrow_the_answer),
        CHECK(observations_that_make_no_sense_are_refused));
}
