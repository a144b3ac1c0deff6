/* lane_gates.c -- see lane_gates.h. */
#include "lane_gates.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/check.h"
#include "tests/lib/faults.h"
#include "tests/lib/tools.h"

struct unit lane_gates_unit(const char *path, enum vector_unit which)
{
    struct unit u;
    struct fl_err err;
    if (unit_open(path, &lane_kind, which, &u, &err) != 0) {
        printf("\n%s\n", err.msg);
        CU_FAIL_FATAL("no netlist");
    }
    return u;
}

struct unit lane_gates_slow(const char *path, enum vector_unit which)
{
    struct unit u = lane_gates_unit(path, which);
    unit_choose(&u, GATE_TRANSITION);
    return u;
}

static struct fl_buf exported(struct store *s)
{
    struct fl_buf b = {0};
    const struct result *r = store_result(s);
    for (int p = 0; p < r->nparts; p++) {
        const struct result_part *part = &r->part[p];
        fl_buf_printf(&b, "%s %s", r->job[part->job].name, part->target);
        for (int o = 0; o < OUT_COUNT; o++)
            fl_buf_printf(&b, " %llu", (unsigned long long)part->tally[0].outcome[o]);
        fl_buf_printf(&b, "\n");
    }
    return b;
}

static int line_of(void *context, const struct store_injection *i)
{
    fl_buf_printf(context, "%s %s %s %lld %lld\n", i->id, fsim_outcome_name(i->outcome), i->reason,
                  (long long)i->first_activation, (long long)i->end);
    return 0;
}

char *lane_gates_campaign(const struct job *const *jobs, int n, struct gates_options opt)
{
    struct store *s;
    struct fl_err err = {""};
    if (opt.run.max_cycles == 0)
        opt.run.max_cycles = 10000000;
    if (gates_run(jobs, n, &opt, &s, &err) != 0) {
        printf("\n%s\n", err.msg);
        CU_FAIL_FATAL("the campaign failed");
    }
    return lane_gates_text(s);
}

char *lane_gates_text(struct store *s)
{
    struct fl_err err = {""};
    struct fl_buf b = exported(s);
    for (int p = 0; p < store_result(s)->nparts; p++)
        CU_ASSERT_EQUAL(store_injections(s, p, line_of, &b, &err), 0);
    CU_ASSERT_EQUAL(store_close(s, &err), 0);
    return (char *)b.data;
}

char *lane_gates_both_ways(const struct unit *u, uint64_t sample)
{
    struct job *job = faults_job("tiny", 1, 40, LANE_GATES_BUSY);
    const struct job *const jobs[] = {job};
    struct gates_options opt = {.unit = u, .units = 1, .sp = 3, .seed = 5, .sample = sample};
    char *together = lane_gates_campaign(jobs, 1, opt), *kept = fl_strdup(together);
    opt.run.exhaustive = true;
    lane_gates_same(together, lane_gates_campaign(jobs, 1, opt));
    job_free(job);
    return kept;
}

int lane_gates_count(const char *text, const char *word)
{
    int n = 0;
    for (const char *at = text; (at = strstr(at, word)); at += strlen(word))
        n++;
    return n;
}

void lane_gates_same(char *a, char *b)
{
    for (const char *x = a, *y = b; strcmp(a, b) != 0 && *x; x++, y++)
        if (*x != *y) {
            printf("\n%.200s\n%.200s\n", x, y);
            break;
        }
    CU_ASSERT_STRING_EQUAL(a, b);
    free(a);
    free(b);
}

void lane_gates_put_reads(const char *dir, const char *source, int threads)
{
    struct fl_buf job = {0}, said = {0};
    fl_buf_printf(&job,
                  "<job name=\"reads\" profile=\"tiny\" cubin=\"reads.cubin\">\n"
                  "<buffer name=\"out\" size=\"%d\"/>\n",
                  4 * threads);
    for (int i = 0; i < 4; i++) {
        fl_buf_printf(&job,
                      "<launch kernel=\"k\" grid=\"1\" block=\"%d\">"
                      "<param name=\"p\" buffer=\"out\"/></launch>\n",
                      threads);
        if (i < 3)
            fl_buf_printf(&job, "<read name=\"r%d\" buffer=\"out\"/>\n", i);
    }
    fl_buf_printf(&job, "<output name=\"last\" buffer=\"out\"/></job>\n");
    tools_put(dir, "reads.job.xml", job.data, job.size);
    tools_put(dir, "reads.sasm", source, strlen(source));
    CU_ASSERT_EQUAL_FATAL(tools_run(dir, &said, "sasm reads.sasm -o reads.cubin 2>&1"), 0);
    fl_buf_free(&said);
    fl_buf_free(&job);
}
