/* gpu.h -- the chip: a grid of blocks, memory, and the SMs that run the one on the other.
 *
 *   image    what never changes while a job runs (sm/image.h)
 *   gpu      one machine: the grid, the memory, the SMs with their states, all flat. A copy is a
 *            checkpoint. The faults that it carries are not copied.
 *
 * What the SMs share is touched in the order (cycle, number of the SM): words of memory, channels,
 * blocks, the end of a launch, a trap. The slot of an SM has its effects in the last of its cycles.
 * gpu_run() lets SMs run ahead of the others through slots that touch nothing of it; gpu_tick() does
 * one slot after the other, with the same result. A trap ends the job: slots behind it in the order
 * do not happen, but those that nobody else can see may have.
 */
#ifndef SM_GPU_H
#define SM_GPU_H

#include "sm/machine.h"
#include "sm/structures.h"

enum { SM_GAVE_UP = 2 }; /* the host has: a repeat has reached its limit */

/* What runs: launches one after the other, the blocks of each in order. */
struct gpu_grid {
    uint32_t launch;     /* index of the one that is running */
    uint32_t next_block; /* of that launch */
    uint32_t ended_blocks;
    uint32_t done; /* all launches have finished: 1, or SM_GAVE_UP */
    /* of a chip with several SMs: how many can go on, now; whose slot ended the job */
    uint32_t awake;
    int32_t last;
    uint32_t taken[SM_MAX_SMS]; /* blocks fixed: those of this launch that the SM has taken */
};

/* Told when a block starts and ends, for pictures. */
struct gpu_log {
    void (*block)(void *context, int sm, uint32_t launch, uint32_t block, uint64_t cycle,
                  bool ends);
    void *context;
};

struct gpu {
    const struct sm_image *img;
    struct gpu_grid grid;
    struct sm_memory memory;
    /* of the chip: the first, or one for each partition; else one for each SM */
    struct sm_channel channel[SM_MAX_SMS];
    const struct gpu_log *log;         /* NULL: nobody wants to know */
    struct cache_count counts[CACHES]; /* of all SMs, since the machine was made; not copied */
    int single;                        /* gpu_copy_single_sm: the SM, + 1; 0: all run */
    int changed; /* the SM of the last cell that was flipped or held: comparisons begin with it */
    int sms;
    struct sm sm[];
};

struct gpu *gpu_new(const struct sm_image *img); /* at cycle 0 of the job */
void gpu_free(struct gpu *g);

int gpu_channels(const struct gpu *g); /* how many it has */

/* Ended for good: finished, trapped or deadlocked. */
static inline bool gpu_ended(const struct gpu *g)
{
    return g->sms == 1 ? sm_ended(g->sm)
           : g->single ? sm_ended(&g->sm[g->single - 1])
                       : !g->grid.awake;
}

/* The SM whose slot ended the job, or comes next. */
int gpu_find_turn(const struct gpu *g);
static inline int gpu_turn(const struct gpu *g)
{
    return g->sms == 1 ? 0 : gpu_find_turn(g);
}
static inline const struct sm_state *gpu_end_state(const struct gpu *g)
{
    return &g->sm[gpu_turn(g)].s;
}
/* How it ended: TRAP_NONE, or what that SM found; no SM can go on. */
static inline enum sm_trap gpu_trap(const struct gpu *g)
{
    return (enum sm_trap)gpu_end_state(g)->trap;
}
static inline bool gpu_deadlocked(const struct gpu *g)
{
    return gpu_ended(g) && !g->grid.done && gpu_trap(g) == TRAP_NONE;
}
/* As the job states: finished, or trapped so in its last launch. */
static inline bool gpu_ended_rightly(const struct gpu *g)
{
    return g->img->traps ? g->img->traps >> gpu_trap(g) & 1 &&
                               g->grid.launch + 1 == (uint32_t)g->img->nlaunches
                         : g->grid.done == 1;
}
/* Of warps, committed, on all SMs. */
static inline uint64_t gpu_instructions(const struct gpu *g)
{
    if (g->single)
        return g->sm[g->single - 1].s.instructions;
    uint64_t sum = g->sm->s.instructions;
    for (int i = 1; i < g->sms; i++)
        sum += g->sm[i].s.instructions;
    return sum;
}

void gpu_tick_chip(struct gpu *g, int turn); /* of several SMs */
/* One slot, of the SM that gpu_turn says; nothing when the machine has ended. */
static inline void gpu_tick_turn(struct gpu *g, int turn)
{
    if (g->sms == 1)
        sm_tick(g->sm);
    else if (!gpu_ended(g))
        gpu_tick_chip(g, turn);
}
/* Which SM's it was. */
static inline int gpu_tick(struct gpu *g)
{
    int turn = gpu_turn(g);
    gpu_tick_turn(g, turn);
    return turn;
}
void gpu_run(struct gpu *g,
             uint64_t cycle); /* all effects of cycles below `cycle` have happened, or ended */
/* Ticks while the current slot ends by `cycle`, `slots` at most. */
void gpu_run_slots(struct gpu *g, uint64_t cycle, uint64_t slots);
/* To the next commit of an SM that has a record (kind set), or ended. */
void gpu_step(struct gpu *g);
/* Its job was over, and the image has got another launch since: the machine is as if it had been there all the time. */
void gpu_go_on(struct gpu *g);
/* Before a live host reads or writes memory between two launches: what caches of the chip hold is in memory, and they are empty. */
void gpu_host_looks(struct gpu *g);
/* Between this launch and the next, which is there, the host reads or writes memory. */
static inline bool gpu_host_between(const struct sm_image *img, uint32_t launch)
{
    const struct sm_launch *l = &img->launch[launch];
    return l->decides || l[1].before.count || l[1].looked;
}
/* Cycles of an ended job; else the cycle that comes next. */
static inline uint64_t gpu_cycles(const struct gpu *g)
{
    return gpu_end_state(g)->next;
}

/* What follows the end of a launch, with the memory as it is then: the number of another one,
 * SM_JOB_OVER or SM_HOST_GIVES_UP. */
uint32_t gpu_next_launch(const struct sm_image *img, const struct sm_memory *memory,
                         uint32_t launch);

/* The host does what comes before that launch; behind the last one, what comes then. */
void gpu_host(const struct sm_image *img, struct sm_memory *memory, uint32_t launch);

/* A cell's word, all bits of it; a cell. */
uint32_t gpu_word_read(const struct gpu *g, const struct sm_force *at);
int gpu_cell_read(const struct gpu *g, const struct sm_cell *cell);
void gpu_cell_flip(struct gpu *g, const struct sm_cell *cell);
/* A cell that is held from now on; at most SM_MAX_FORCES of each SM. No cell is held any more; those of
 * another machine are. */
void gpu_add_force(struct gpu *g, const struct sm_force *f);
void gpu_drop_forces(struct gpu *g);
void gpu_copy_forces(struct gpu *to, const struct gpu *from);
bool gpu_has_forces(const struct gpu *g);

/* Each tick of any SM fills in `c` from now on; NULL: none does. */
void gpu_record(struct gpu *g, struct sm_commit *c);

/* Both of one image. Faults, lanes and records stay as they are in `to`. */
void gpu_copy(struct gpu *to, const struct gpu *from);

/* One SM of a chip, with its channel, all words of memory and the blocks that are its own: from now on all that
 * is asked or done of `to` is of this SM alone. It ends when it has no block left, as if no warp could go
 * on; the launch does not. */
void gpu_copy_single_sm(struct gpu *to, const struct gpu *from, int sm);

/* States, absolute time included; states, time taken relative, right after a tick of each. */
bool gpu_same(const struct gpu *a, const struct gpu *b);
bool gpu_recurs(const struct gpu *a, const struct gpu *b);
/* The slots of all SMs lie alike, behind the time of each machine. */
bool gpu_in_phase(const struct gpu *a, const struct gpu *b);
/* What the SMs share, without the words of memory: equal, time taken relative. */
bool gpu_chip_recurs(const struct gpu *a, const struct gpu *b);
uint64_t gpu_hash(const struct gpu *g); /* of what gpu_same compares */

/* Bytes of global memory; the range must lie inside a buffer. */
void gpu_read_global(const struct gpu *g, uint32_t addr, void *out, uint32_t size);
void gpu_write_global(struct gpu *g, uint32_t addr, const void *bytes, uint32_t size);
void gpu_outputs_digest(const struct gpu *g, uint8_t digest[32]);
bool gpu_outputs_equal(const struct gpu *a, const struct gpu *b);
/* The same of two memories of machines of an image. */
bool gpu_same_outputs(const struct sm_image *img, const struct sm_memory *a,
                      const struct sm_memory *b);

/* How far the job is, and each warp with its stack and registers, as lines of text. */
void gpu_print(const struct gpu *g, struct fl_buf *out);

#endif
