/* prove_bench.h -- a machine on which the checks of a proof try instructions.
 *
 * One block, and a few words of code. Where the code leads there is nothing, so a warp that goes on
 * traps, and says where.
 */
#ifndef PROVE_BENCH_H
#define PROVE_BENCH_H

#include "asm/isa/table.h"
#include "sm/gpu/gpu.h"

enum { PROVE_WORDS = 4 };

struct prove_bench {
    struct cubin_code code[2];
    struct cubin_kernel kernel;
    struct cubin cubin;
    struct job_launch launch;
    struct job job;
    uint8_t bytes[4 * PROVE_WORDS];
    struct sm_image *img;
    struct gpu *start, *a, *b; /* the block has started; two to try on */
};

/* `words` words of code at `base`, and once more at `too`, for a block of `warps` warps. -1 with
 * the reason when no job can have such code. */
int prove_bench_open(struct prove_bench *b, const struct profile *p, uint32_t base, uint32_t too,
                     int warps, const uint32_t *word, uint32_t words, struct fl_err *err);
/* The code at 0, for `blocks` blocks; none has started. */
int prove_bench_grid(struct prove_bench *b, const struct profile *p, int warps, int blocks,
                     const uint32_t *word, uint32_t words, struct fl_err *err);
void prove_bench_close(struct prove_bench *b);

/* A word of a row of the ISA table, its free bits drawn. False: it is no instruction under the profile. */
bool prove_draw_word(const struct profile *p, const struct isa_row *row, uint64_t *seed,
                     uint32_t word[2], struct isa_insn *in);
/* All $c registers at random. */
void prove_draw_flags(struct sm_warp *w, uint64_t *seed);

/* Lets the pipeline carry one instruction to its end; runs to the end of the job. */
void prove_execute(struct gpu *m);
void prove_run_out(struct gpu *m);

#endif
