/* campaigns.c -- runs them. */
#include "campaigns.h"

struct avf_options campaigns_options(void)
{
    return (struct avf_options){.target = {"all"},
                                .ntargets = 1,
                                .confidence = 0.95,
                                .margin = 0.01,
                                .seed = 1,
                                .pattern = {.with = -1},
                                .window = {.launch = -1, .to = UINT64_MAX},
                                .run.shard = 1,
                                .run.shards = 1,
                                .run.max_cycles = 1000000};
}

struct store *campaigns_run(const struct job *job, struct avf_options opt)
{
    struct fl_err err = {{0}};
    struct store *s = NULL;
    struct sm_image *img = sm_image_new(job, &err);
    if (!img || avf_targets(&img, 1, &opt, &err) != 0 || avf_run(&job, 1, &opt, &s, &err) != 0) {
        printf("\n%s\n", err.msg);
        CU_FAIL_FATAL("no campaign");
    }
    sm_image_free(img);
    return s;
}

void campaigns_close(struct store *s)
{
    struct fl_err err;
    CU_ASSERT_EQUAL(store_close(s, &err), 0);
}

struct job *campaigns_small(const char *text)
{
    struct job *job = faults_job("tiny", 1, 40, text);
    struct fl_err err;
    job->profile.regs = 2 * 32 * job->cubin->kernel[0].regs;
    job->profile.barriers = 2;
    job->profile.global_latency = 20; /* a wait is a wait, however long */
    CU_ASSERT_EQUAL_FATAL(job_finish(job, &err), 0);
    return job;
}

struct tally campaigns_of_target(const struct job *job, const char *target, struct avf_options opt)
{
    opt.target[0] = target;
    struct store *s = campaigns_run(job, opt);
    struct tally t = store_result(s)->part[0].tally[0];
    campaigns_close(s);
    return t;
}

const char campaigns_loop[] = ".kernel k\n.param u32 OUT\n.regs 6\n.shared tile, 64\n"
                              "SHL R1, R0, 2\n IADD R1, s[OUT], R1\n"
                              "LOP32I.AND R2, R0, 0xf\n SHL R2, R2, 2\n R2A A1, R2\n"
                              "R2G.U32.U32 s[A1 + tile], R0\n"
                              "MVI R2, 0\n MVI R3, 4\n"
                              "again: MOV R4, s[A1 + tile]\n IADD R2, R2, R4\n"
                              "IADD32I R3, R3, -1\n ISET.C0 o[0x7f], R3, R124, NE\n"
                              "BRA C0.NE, again\n"
                              "GST.U32 global14[R1], R2\n"
                              "NOP.EXIT\n";

struct job_context campaigns_context(const struct job *job)
{
    struct job_context l;
    struct fl_err err;
    CU_ASSERT_EQUAL_FATAL(context_open(&l, job, &context_all_cycles, 1000000, &err), 0);
    return l;
}
