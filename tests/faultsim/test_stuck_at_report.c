/* test_stuck_at_report.c -- counts, unions and exports of stuck-at campaigns; the fault trace of a fault. */
#include "tests/lib/faults.h"
#include <libxml/parser.h>
#include <libxml/relaxng.h>
#include <unistd.h>
#include "faultsim/permanent/prove.h"
#include "faultsim/record/run.h"
#include "faultsim/outcome/reference.h"

/* ---- counts, unions ---------------------------------------------------------------------------------------------- */

static void check_counts(const struct fsim_campaign *c, int field, long faults)
{
    struct fsim_counts k;
    faults_count(&c->list, c->result, c->detect_timing, -1, field, &k);
    const long *o = k.by_outcome;
    CU_ASSERT_EQUAL(k.faults, faults);
    CU_ASSERT_EQUAL(
        k.untestable + k.detected + o[OUT_PERFORMANCE] + o[OUT_MASKED] + k.not_activated, k.faults);
    long strong = o[OUT_SDC] + o[OUT_CRASH] + o[OUT_TIMEOUT] + o[OUT_HANG];
    CU_ASSERT_TRUE(c->detect_timing ? k.detected >= strong && o[OUT_PERFORMANCE] == 0
                                    : k.detected == strong);
}

static void counts_add_up_in_all_and_by_field(void)
{
    struct job *job = faults_job("tiny", 1, 32, IF_ELSE FAR("far: BRA far\n"));
    struct fsim_counts plain, timing;
    for (int detect_timing = 0; detect_timing < 2; detect_timing++) {
        struct fsim_campaign c = faults_campaign(
            job, "dstack", (struct fsim_options){.run.threads = 1, .detect_timing = detect_timing});
        check_counts(&c, -1, 528);
        check_counts(&c, 0, 256);
        check_counts(&c, 1, 16);
        check_counts(&c, 2, 256);
        faults_count(&c.list, c.result, detect_timing, -1, -1, detect_timing ? &timing : &plain);
        fsim_campaign_free(&c);
    }
    CU_ASSERT_EQUAL(plain.untestable, 24);
    CU_ASSERT_TRUE(plain.by_outcome[OUT_PERFORMANCE] > 0);
    CU_ASSERT_EQUAL(timing.detected, plain.detected + plain.by_outcome[OUT_PERFORMANCE]);
    CU_ASSERT_EQUAL(timing.by_outcome[OUT_MASKED], plain.by_outcome[OUT_MASKED]);
    job_free(job);
}

static void detect_timing_makes_performance_detected(void)
{
    for (int o = 0; o < OUT_COUNT; o++) {
        struct fsim_result r = {.outcome = (enum fsim_outcome)o};
        bool strong = o == OUT_SDC || o == OUT_CRASH || o == OUT_TIMEOUT || o == OUT_HANG;
        strong |= o == OUT_EXIT || o == OUT_DETECTED;
        CU_ASSERT_EQUAL(fsim_detected(&r, false), strong);
        CU_ASSERT_EQUAL(fsim_detected(&r, true), strong || o == OUT_PERFORMANCE);
        CU_ASSERT_STRING_EQUAL(fsim_class(&r, false), strong             ? "detected"
                                                      : o == OUT_DROPPED ? "dropped"
                                                                         : "not detected");
    }
}

static void union_takes_the_strongest_outcome(void)
{
    static const enum fsim_outcome weakest_first[] = {
        OUT_DROPPED, OUT_MASKED, OUT_PERFORMANCE, OUT_TOLERABLE, OUT_DETECTED,
        OUT_TIMEOUT, OUT_HANG,   OUT_EXIT,        OUT_CRASH,     OUT_SDC};
    enum { KINDS = OUT_COUNT, PAIRS = KINDS * KINDS };
    struct fsim_fault fault[PAIRS] = {0};
    struct fsim_result a[PAIRS], b[PAIRS], both[PAIRS];
    for (int i = 0; i < PAIRS; i++) {
        a[i] = (struct fsim_result){.outcome = weakest_first[i / KINDS], .end = 1};
        b[i] = (struct fsim_result){.outcome = weakest_first[i % KINDS], .end = 2};
    }
    struct fsim_campaign c[2] = {{.list = {fault, PAIRS}, .result = a},
                                 {.list = {fault, PAIRS}, .result = b}};
    fsim_union(c, 2, both);
    for (int i = 0; i < PAIRS; i++) {
        int strongest = i / KINDS > i % KINDS ? i / KINDS : i % KINDS;
        CU_ASSERT_EQUAL(both[i].outcome, weakest_first[strongest]);
        CU_ASSERT_EQUAL(both[i].end,
                        i / KINDS >= i % KINDS ? 1u : 2u); /* of equals the first job's */
    }
    /* masked in one job, not activated in another: some job activated it */
    a[0] = (struct fsim_result){.outcome = OUT_MASKED, .first_activation = FSIM_NEVER};
    b[0] = (struct fsim_result){.outcome = OUT_MASKED, .first_activation = 7};
    fsim_union(c, 2, both);
    CU_ASSERT_EQUAL(both[0].first_activation, 7);
    fsim_union(c, 1, both);
    CU_ASSERT_EQUAL(both[0].first_activation, FSIM_NEVER);
}

/* ---- exports ----------------------------------------------------------------------------------------------------- */

static const char *const names[] = {"csv", "csv-faults", "xml", "table"};
enum { NAMES = sizeof names / sizeof *names };

struct exports {
    struct fl_buf of[NAMES];
};

static struct exports export_all(const struct job *const *jobs, int n, const char *pattern,
                                 struct fsim_options opt)
{
    struct exports e;
    struct store *s = faults_store(jobs, n, pattern, opt);
    for (int i = 0; i < NAMES; i++)
        e.of[i] = faults_export(s, names[i]);
    store_close(s, NULL);
    return e;
}

static void free_exports(struct exports *e)
{
    for (int i = 0; i < NAMES; i++)
        fl_buf_free(&e->of[i]);
}

static bool same_bytes(const struct fl_buf *a, const struct fl_buf *b)
{
    return a->size == b->size && memcmp(a->data, b->data, a->size) == 0;
}

static void exports_are_the_same_bytes_for_any_number_of_threads(void)
{
    static const int threads[] = {1, 2, 5, 0};
    struct job *job = faults_job("tiny", 3, 32, PEEL);
    struct exports one = {0};
    for (int i = 0; i < 4; i++) {
        struct exports e = export_all((const struct job *const *)&job, 1, "dstack/w*",
                                      (struct fsim_options){.run.threads = threads[i]});
        for (int k = 0; k < NAMES && i; k++)
            CU_ASSERT_TRUE(same_bytes(&one.of[k], &e.of[k]));
        if (i)
            free_exports(&e);
        else
            one = e;
    }
    free_exports(&one);
    job_free(job);
}

static struct job *named(const char *name, const char *text)
{
    struct job *job = faults_job("tiny", 1, 32, text);
    free(job->name);
    job->name = fl_strdup(name);
    return job;
}

static void csv_has_the_documented_columns(void)
{
    struct job *jobs[2] = {named("test", IF_ELSE),
                           named("a,\"b\"", ".kernel k\n.param ptr out\n  NOP.EXIT\n")};
    struct exports e = export_all((const struct job *const *)jobs, 2, "dstack",
                                  (struct fsim_options){.run.threads = 1});
    const char *csv = (const char *)e.of[0].data, *faults = (const char *)e.of[1].data;
    static const char head[] =
        "\njob,target,model,engine,faults,untestable,detected,sdc,crash,timeout,hang,"
        "performance,masked,not_activated,fc_pct,testable_fc_pct\n";
    static const char fault_head[] =
        "\njob,id,outcome,class,first_activation_cycle,end_cycle,reason,elements,by,unwritten,"
        "nan,inf,zero,sign,exponent,mantissa,fields,other,bits_1,bits_2_4,bits_5_8,bits_more,up,"
        "down,"
        "error_median,writers,period,lanes\n";
    CU_ASSERT_PTR_NOT_NULL(strstr(csv, head));
    CU_ASSERT_PTR_NOT_NULL(strstr(faults, fault_head));
    CU_ASSERT_PTR_NOT_NULL(strstr(csv, "\ntest,dstack,stuck-at,c,528,24,"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(csv, "\n\"a,\"\"b\"\"\",dstack,stuck-at,c,528,24,0,0,0,0,0,0,0,504,0.00,0.00\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(csv, "\nunion,dstack,stuck-at,c,528,24,"));
    CU_ASSERT_PTR_NOT_NULL(strstr(faults, ",out+0xc,1,,0,0,0,0,0,0,0,0,1,"));
    CU_ASSERT_PTR_NOT_NULL(strstr(faults, ",,word,0,00000008\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(faults, "\ntest,dstack/w0/le2/tm3:sa1,sdc,detected,"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(faults, "\ntest,dstack/w0/le1/spc0:sa0,masked,undetectable-untestable,,"));
    int lines = 0;
    for (const char *s = faults; (s = strchr(s, '\n')); s++)
        lines++;
    CU_ASSERT_EQUAL(lines, 3 + 1 + 2 * 528); /* what made it, head, faults */
    free_exports(&e);
    for (int i = 0; i < 2; i++)
        job_free(jobs[i]);
}

static void quiet(void *data, const xmlError *e)
{
    (void)data, (void)e;
}

static bool schema_accepts(const char *xml, size_t size)
{
    xmlRelaxNGParserCtxtPtr p = xmlRelaxNGNewParserCtxt(FAULTLINE_SOURCE_DIR "/docs/report.rng");
    xmlRelaxNGPtr schema = xmlRelaxNGParse(p);
    CU_ASSERT_PTR_NOT_NULL_FATAL(schema);
    xmlRelaxNGValidCtxtPtr v = xmlRelaxNGNewValidCtxt(schema);
    xmlRelaxNGSetValidStructuredErrors(v, (xmlStructuredErrorFunc)quiet, NULL);
    xmlDocPtr doc = xmlReadMemory(xml, (int)size, "report", NULL, XML_PARSE_NOERROR);
    bool good = doc && xmlRelaxNGValidateDoc(v, doc) == 0;
    xmlFreeDoc(doc);
    xmlRelaxNGFreeValidCtxt(v);
    xmlRelaxNGFree(schema);
    xmlRelaxNGFreeParserCtxt(p);
    return good;
}

static void xml_follows_its_schema(void)
{
    struct job *jobs[2];
    for (int i = 0; i < 2; i++)
        jobs[i] = named(i ? "<&\">" : "test", IF_ELSE FAR("far: BRA far\n"));
    for (int timing = 0; timing < 2; timing++)
        for (int n = 1; n <= 2; n++) {
            struct exports e = export_all(
                (const struct job *const *)jobs, n, "dstack/le1-2",
                (struct fsim_options){.run.threads = 1, .detect_timing = timing});
            struct fl_buf *xml = &e.of[2];
            CU_ASSERT_TRUE(schema_accepts((char *)xml->data, xml->size));
            CU_ASSERT_EQUAL(strstr((char *)xml->data, "<union") != NULL, n == 2);
            /* the check itself can fail */
            char *outcome = strstr((char *)xml->data, "outcome=\"sdc\"");
            CU_ASSERT_PTR_NOT_NULL_FATAL(outcome);
            outcome[9] = 'x';
            CU_ASSERT_FALSE(schema_accepts((char *)xml->data, xml->size));
            free_exports(&e);
        }
    for (int i = 0; i < 2; i++)
        job_free(jobs[i]);
}

/* ---- the fault trace of a fault ---------------------------------------------------------------------------------------- */

static void trace_names_activation_divergence_and_end(void)
{
    static const struct {
        const char *id, *says;
    } traces[] = {
        {"dstack/le2/tm3:sa1", "first output byte that differs is out+0xc"},
        {"dstack/le2/spc3:sa0", "All outputs are right; it finishes 20 cycles late"},
        {"dstack/le1/spc20:sa1", "It ends in a trap: FETCH_UNMAPPED"},
        {"dstack/le1/spc12:sa1", "It never ends: state_recurs"},
        {"dstack/le4/tm0:sa1", "it is never activated"},
    };
    struct fl_err err = {{0}};
    struct job *job = faults_job("tiny", 1, 32, IF_ELSE FAR("far: BRA far\n"));
    struct sm_image *img = sm_image_new(job, &err);
    struct golden *g = golden_run(img, 100000, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(g);
    struct fsim_worker *w = fsim_worker_new(g);
    for (size_t i = 0; i < sizeof traces / sizeof *traces; i++) {
        struct fsim_list list = {0};
        struct fault_trace out = {0};
        CU_ASSERT_EQUAL_FATAL(fsim_list_add(&list, img, traces[i].id, &err), 0);
        fsim_explain(w, &list.fault[0], false, &out);
        bool good = strstr((char *)out.text.data, traces[i].says) != NULL;
        if (!good)
            printf("\n    %s", (char *)out.text.data);
        CU_ASSERT_TRUE(good);
        CU_ASSERT_EQUAL(strstr((char *)out.text.data, "First activation: cycle ") != NULL, i < 4);
        fault_trace_free(&out);
        fsim_list_free(&list);
    }
    fsim_worker_free(w);
    golden_free(g);
    sm_image_free(img);
    job_free(job);
}

/* tiny has 8 SPs; the fault is in a register of one thread, and others have other values */
static void trace_shows_the_lanes_that_differ(void)
{
    struct fl_err err = {{0}};
    struct job *job = faults_job("tiny", 1, 32, IF_ELSE FAR("far: BRA far\n"));
    struct sm_image *img = sm_image_new(job, &err);
    struct golden *g = golden_new(img, 100000, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(g);
    struct fsim_list list = {0};
    int told = 0;
    CU_ASSERT_EQUAL_FATAL(fsim_list_add(&list, img, "rf/p0-95/b20:sa1", &err), 0);
    record_run(g, &(struct record_wanted){.flow_bytes = FLOW_BYTES, .faults = &list});
    struct reference *ref = reference_of(g);
    struct fsim_worker *w = fsim_worker_on(ref);
    for (long i = 0; i < list.count; i++) {
        struct fault_trace out = {0};
        fsim_explain(w, &list.fault[i], false, &out);
        const char *first = strstr((char *)out.text.data, "First wrong result in a register");
        const char *faulty = first ? strstr(first, "\n  faulty ") : NULL;
        int end = faulty ? (int)strcspn(faulty + 1, "\n") : 0, lanes = 0;
        for (int at = 0; at < end; at++)
            lanes += faulty[at] == ':';
        CU_ASSERT(!faulty || lanes == 1);
        told += faulty != NULL;
        fault_trace_free(&out);
    }
    CU_ASSERT(told > 0);
    fsim_list_free(&list);
    fsim_worker_free(w);
    reference_free(ref);
    golden_free(g);
    sm_image_free(img);
    job_free(job);
}

int main(void)
{
    return CHECK_RUN("stuck_at_report", CHECK(counts_add_up_in_all_and_by_field),
                     CHECK(trace_shows_the_lanes_that_differ),
                     CHECK(detect_timing_makes_performance_detected),
                     CHECK(union_takes_the_strongest_outcome),
                     CHECK(exports_are_the_same_bytes_for_any_number_of_threads),
                     CHECK(csv_has_the_documented_columns), CHECK(xml_follows_its_schema),
                     CHECK(trace_names_activation_divergence_and_end));
}
