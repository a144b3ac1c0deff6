/* smrtl.h -- the Verilated RTL of the chip behind calls like those of sm/gpu/gpu.h.
 *
 * One struct smrtl is one machine; any number of them may live side by side. The RTL has its sizes
 * built in, so there is one model per profile; smrtl_new picks the one that agrees with the image,
 * or says which were built.
 *
 * Memories live here, outside of the RTL: smrtl_state() gives them and what the RTL holds as a
 * struct gpu, so that outputs, digests and cells are read with the functions that the C model has.
 */
#ifndef SMRTL_H
#define SMRTL_H

#include "sm/gpu/gpu.h"
#include "sm/pins/pins.h"

#ifdef __cplusplus
extern "C" {
#endif

struct smrtl;

struct smrtl *smrtl_new(const struct sm_image *img,
                        struct fl_err *err); /* at cycle 0 of the job; NULL: see err */
/* Of a model in which something may stand in for units of the control, which is slower (PROFILE:gates in
 * FAULTLINE_RTL_MODELS). */
struct smrtl *smrtl_new_gates(const struct sm_image *img, struct fl_err *err);
/* Of a named model (smrtl_model_name), for the tests: "tiny_broken" has a defect. NULL name: the
 * one that fits. */
struct smrtl *smrtl_new_model(const struct sm_image *img, const char *model, struct fl_err *err);
void smrtl_free(struct smrtl *m);
const char *smrtl_model_name(int i); /* NULL behind the last one */

bool smrtl_ended(const struct smrtl *m);
void smrtl_tick(struct smrtl *m);                /* one clock cycle; nothing when ended */
void smrtl_run(struct smrtl *m, uint64_t cycle); /* until that cycle comes next, or ended */
void smrtl_step(struct smrtl *m); /* to the next commit or start of a block, or ended */
uint64_t
smrtl_cycles(const struct smrtl *m); /* cycles of an ended job; else the cycle that comes next */
uint64_t smrtl_instructions(const struct smrtl *m); /* committed so far */
uint64_t smrtl_commits(const struct smrtl *m);      /* the same, and further pops */
/* `record`, one for each SM, is filled in by every tick; NULL: nothing is recorded. */
void smrtl_record(struct smrtl *m, struct sm_commit *record);
/* Of the last tick, the first record in which something happened, from SM `from` on; or NULL. */
const struct sm_commit *smrtl_commit(const struct smrtl *m, int from);

/* The machine as the C model would hold it: registers, stacks, memories, how it ended. Valid until
 * the next tick. Left out, as the RTL keeps them in its own way: the stages, the memory queue,
 * resident blocks. */
const struct gpu *smrtl_state(struct smrtl *m);
/* Of that only how the run stands, and the memory; cheap. */
const struct gpu *smrtl_end(struct smrtl *m);

/* Its memory, for the host to write. */
struct sm_memory *smrtl_memory(struct smrtl *m);
/* The image has got another launch since. Call it before the job is over: what has ended does not go on. */
void smrtl_look_again(struct smrtl *m);

/* Any element of structures.def and registers.def, found by the path in its row. Of a field the word
 * of 32 bits with the cell's bit is read and written whole. Changes count from the cycle that comes
 * next on: smrtl_run(m, c), then smrtl_flip, is a flip in cycle c. */
uint32_t smrtl_read(const struct smrtl *m, const struct sm_cell *cell);
void smrtl_write(struct smrtl *m, const struct sm_cell *cell, uint32_t word);
void smrtl_flip(struct smrtl *m, const struct sm_cell *cell);
/* Holds a cell from now on: it has that value after every edge. -1: there are SMRTL_MAX_HOLDS
 * already. */
enum { SMRTL_MAX_HOLDS = 64 };
int smrtl_hold(struct smrtl *m, const struct sm_cell *cell, int value);
void smrtl_release(struct smrtl *m); /* all of them; the cells keep what they have */
/* Whether each field of a structure is in the RTL under the path that its row names, in the right
 * size. smrtl_new asks for all of them. Without a path are fields in the memory pages, which both
 * machines have outside, and what is in the C model only: that must not be read here. */
bool smrtl_has(const struct smrtl *m, const struct sm_cell *cell);
int smrtl_check(const struct smrtl *m, const struct sm_structure *s, struct fl_err *err);
/* Register i of sm0 and of what the SMs share: its path below sm_top or gpu_top, and its bits; NULL
 * behind the last. */
const char *smrtl_register(const struct smrtl *m, int i, long *bits);

/* The quick way to hold cells of the divergence stack, le counted from 0: a port of the RTL changes
 * what is read. One line-entry at a time, the last call counts; an empty mask ends it. The cells
 * keep what was written. */
struct smrtl_le {
    uint32_t tm, spc;
    uint8_t id;
};
void smrtl_force_le(struct smrtl *m, int sm, int warp, int le, struct smrtl_le mask,
                    struct smrtl_le value);

/* In place of a unit, the one of this number, of sm0; one at a time; NULL: its own again. It stays with this
 * machine and must outlive it. -1: there is no way in for the unit, only for lanes and, of
 * smrtl_new_gates, sm_control_pins. */
int smrtl_replace_unit(struct smrtl *m, const struct sm_pins *unit, int number,
                       const struct sm_override *by);
/* The bits of a register of sm0, the lowest of the first byte first, for who stands in for what stands before it;
 * NULL: no register is called so. */
uint8_t *smrtl_bits(const struct smrtl *m, const char *path, int *width);

/* Copies machine and memories; both of one image. Record and replaced unit of `to` stay. Held cells
 * are copied too. */
void smrtl_copy(struct smrtl *to, const struct smrtl *from);
/* All registers and memories equal, what is held left out; `relative`: times taken relative, so
 * that a state that comes back later counts as equal (recurrence), unless the program has read the
 * clock in between. */
bool smrtl_same(const struct smrtl *a, const struct smrtl *b, bool relative);

/* Waves from now on into an .fst file; -1 when it cannot or the build has none
 * (FAULTLINE_RTL_TRACE). */
int smrtl_trace(struct smrtl *m, const char *path, struct fl_err *err);

/* The first field in which two commits of one job differ ("registers written"), or NULL. */
const char *smrtl_commit_differs(const struct sm_commit *c, const struct sm_commit *rtl);

/* Runs both machines side by side from cycle 0 until they differ, end, or reach the limit. 0: they
 * agree; else `account` says in sentences and the last commits of that warp what differs. `rtl` may
 * be NULL: a new one is made. */
struct smrtl_lockstep {
    uint64_t cycles, commits;
};
int smrtl_compare(const struct sm_image *img, struct gpu *c, struct smrtl *rtl, uint64_t limit,
                  struct smrtl_lockstep *stats, struct fl_buf *account);

#ifdef __cplusplus
}
#endif
#endif
