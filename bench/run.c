/* run.c -- a job run to its end on the C model, and what it was like. */
#include "run.h"

#include <stdlib.h>
#include <string.h>

static void finish(struct bench_run *r)
{
    struct sm_commit commit = {0};
    uint32_t launch = UINT32_MAX;
    for (int i = 0; i < r->machine->sms; i++) /* one of them commits in a step */
        r->machine->sm[i].record = &commit;
    while (!gpu_ended(r->machine)) {
        uint64_t before = gpu_cycles(r->machine);
        gpu_step(r->machine);
        for (int i = 0; i < r->machine->sms; i++)
            r->warp_cycles += (gpu_cycles(r->machine) - before) *
                              (uint64_t)mask_count(r->machine->sm[i].s.live);
        if (commit.kind && commit.launch != launch) {
            launch = commit.launch;
            r->launches++;
        }
        if (commit.kind == COMMIT_INSTRUCTION)
            r->executed[commit.uop->in.op] = true;
        for (int i = 0; commit.kind && i < commit.nstack; i++)
            if (commit.stack[i].le > r->deepest)
                r->deepest = commit.stack[i].le;
    }
    for (int i = 0; i < r->machine->sms; i++) {
        r->machine->sm[i].record = NULL;
        r->instructions += r->machine->sm[i].s.instructions;
    }
    r->after = fl_alloc((size_t)r->job->nbuffers * sizeof *r->after);
    for (int i = 0; i < r->job->nbuffers; i++) {
        const struct job_buffer *b = &r->job->buffer[i];
        r->after[i] = fl_alloc(b->size);
        gpu_read_global(r->machine, b->addr, r->after[i], b->size);
    }
}

int bench_run_job(const char *path, struct bench_run *r, struct fl_err *err)
{
    *r = (struct bench_run){0};
    if (job_load(path, NULL, &r->job, err) != 0)
        return -1;
    r->image = sm_image_new(r->job, err);
    if (!r->image)
        return -1;
    r->machine = gpu_new(r->image);
    finish(r);
    if (!r->machine->grid.done)
        return fl_fail(err, "%s: does not finish: %s at 0x%x", r->job->name,
                       sm_trap_name(r->machine->sm->s.trap), r->machine->sm->s.trap_pc);
    return 0;
}

void bench_run_drop(struct bench_run *r)
{
    for (int i = 0; r->after && i < r->job->nbuffers; i++)
        free(r->after[i]);
    free(r->after);
    if (r->machine)
        gpu_free(r->machine);
    if (r->image)
        sm_image_free(r->image);
    if (r->job)
        job_free(r->job);
}

int bench_run_row(const char *folder, const char *name, bool paper, struct fl_buf *out,
                  struct fl_err *err)
{
    struct bench_run r;
    char *path = fl_format("%s/%s%s.job.xml", folder, name, paper ? "-paper" : "");
    int bad = bench_run_job(path, &r, err);
    if (!bad) {
        int regs = 0;
        uint32_t shared = 0, threads = 0;
        for (int i = 0; i < r.image->nlaunches; i++) {
            const struct sm_launch *l = &r.image->launch[i];
            int k = r.image->kernel[l->kernel].regs;
            regs = k > regs ? k : regs;
            shared = l->shared > shared ? l->shared : shared;
            threads = l->blocks * (uint32_t)l->threads > threads ? l->blocks * (uint32_t)l->threads
                                                                 : threads;
        }
        uint64_t cycles = gpu_cycles(r.machine);
        fl_buf_printf(out, "| [%s](%s/README.md) | %d | %u | %llu | %llu | %d | %d | %u | %.0f |\n",
                      name, name, r.launches, threads, (unsigned long long)r.instructions,
                      (unsigned long long)cycles, r.deepest, regs, shared,
                      100.0 * (double)r.warp_cycles / (double)cycles / r.image->profile.warps /
                          r.machine->sms);
    }
    bench_run_drop(&r);
    free(path);
    return bad;
}
