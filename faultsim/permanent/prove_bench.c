/* prove_bench.c -- see prove_bench.h. */
#include "prove_bench.h"

#include <string.h>

#include "base/random.h"

static int make(struct prove_bench *b, const struct profile *p, uint32_t base, uint32_t too,
                int warps, int blocks, const uint32_t *word, uint32_t words, struct fl_err *err)
{
    memset(b, 0, sizeof *b);
    memcpy(b->bytes, word, 4 * words);
    b->code[0] = (struct cubin_code){.base = base, .size = 4 * words, .bytes = b->bytes};
    b->code[1] = b->code[0];
    b->code[1].base = too;
    b->kernel = (struct cubin_kernel){
        .name = "k", .regs = 1, .code = b->code, .ncode = 1 + (too != base)};
    b->cubin = (struct cubin){.kernel = &b->kernel, .nkernels = 1};
    b->launch = (struct job_launch){.kernel = "k",
                                    .grid = {(uint32_t)blocks, 1},
                                    .block = {(uint32_t)(warps * SM_LANES), 1, 1}};
    b->job = (struct job){.name = "prove",
                          .path = "prove",
                          .profile = *p,
                          .cubin = &b->cubin,
                          .launch = &b->launch,
                          .nlaunches = 1};
    b->img = sm_image_new(&b->job, err);
    if (!b->img)
        return -1;
    b->start = gpu_new(b->img);
    b->a = gpu_new(b->img);
    b->b = gpu_new(b->img);
    return 0;
}

int prove_bench_open(struct prove_bench *b, const struct profile *p, uint32_t base, uint32_t too,
                     int warps, const uint32_t *word, uint32_t words, struct fl_err *err)
{
    if (make(b, p, base, too, warps, 1, word, words, err) != 0)
        return -1;
    gpu_run(b->start, b->start->sm->s.next); /* the block has started */
    return 0;
}

int prove_bench_grid(struct prove_bench *b, const struct profile *p, int warps, int blocks,
                     const uint32_t *word, uint32_t words, struct fl_err *err)
{
    return make(b, p, 0, 0, warps, blocks, word, words, err);
}

void prove_bench_close(struct prove_bench *b)
{
    gpu_free(b->start);
    gpu_free(b->a);
    gpu_free(b->b);
    sm_image_free(b->img);
}

bool prove_draw_word(const struct profile *p, const struct isa_row *row, uint64_t *seed,
                     uint32_t word[2], struct isa_insn *in)
{
    uint64_t bits = fl_random(seed);
    word[0] = ((uint32_t)bits & ~row->lo_mask) | row->lo;
    word[1] = ((uint32_t)(bits >> 32) & ~row->hi_mask) | row->hi;
    return isa_decode(word[0], word[1], p->code_bits == 32, p->capability, in);
}

void prove_draw_flags(struct sm_warp *w, uint64_t *seed)
{
    for (int c = 0; c < 4; c++)
        w->cc[c] = (struct sm_cc){(uint32_t)fl_random(seed), (uint32_t)fl_random(seed),
                                  (uint32_t)fl_random(seed), (uint32_t)fl_random(seed)};
}

void prove_execute(struct gpu *m)
{
    uint64_t before = m->sm->s.instructions;
    while (m->sm->s.instructions == before && !gpu_ended(m))
        gpu_tick(m);
}

void prove_run_out(struct gpu *m)
{
    while (!gpu_ended(m))
        gpu_tick(m);
}
