/* flow.h -- the events of the fault-free run, and its data flow: of each value, who wrote it and who
 * read it.
 *
 * An event is a commit: an instruction, or a further pop of one; or what the host does between two
 * launches, step by step. Registers, flags, address registers
 * and every word of global, shared and local memory are kept by owner and not by place. A *warp instance* is
 * a warp of a block from its start to its end; its registers, flags and address registers are its
 * own, its block's shared words are the block's own. So what is recorded stays right when blocks
 * come to lie elsewhere.
 *
 *   event   what was executed when, with the numbers of the values it read and wrote
 *   value   contents of rows of registers, one for each write; flags and areg likewise
 *   instance    its events in order: instance_event, and which places each of them touches: instance_mask
 *   chain   of each word of memory: the events that write it, with the value, and that read it
 *   pair    events that must not change places
 *
 * Invariants:
 *   F1  events are in the order of (cycle, SM), one commit of an SM a cycle at most; the host's come behind
 *       the commit that ends their launch, in its cycle
 *   F2  instances are in the order of their starts, and of those that are there at once no two own a row
 *   F3  the writes of a word, and its reads, are in the order of events, each event once
 *
 * Read-only once made.
 *
 * A flow that is too large is recorded in segments: each is one of events that follow each other, and
 * the recorder makes the next one of it. In a segment events, and those of an instance, are counted from
 * its start, and so do values, flags and aregs, of which the first ones are those that places hold
 * then; `init` is what words hold then. Instances, blocks and words have one number in all of them.
 */
#ifndef FLOW_H
#define FLOW_H

#include "residence.h"

#define FLOW_NONE UINT32_MAX

/* Places of a warp instance that can differ: registers, then $c, then $a. */
enum { PLACE_CC = 128, PLACE_A = 132, PLACES = 137 };

struct flow_event {
    const struct sm_uop *uop; /* NULL: a further pop of an earlier instruction, or the host's */
    uint64_t cycle;           /* of its Write-back */
    uint32_t pc;              /* of the host's: the launch that has ended */
    /* at: its number in the order of its instance. FLOW_NONE: the host's, `at` in image.step, or
     * FLOW_NONE where the host reads a word and decides */
    uint32_t instance, at;
    uint32_t active, exec;
    /* rows before the event, numbers in flow.value: sources 0..2, global address, then
     * what is overwritten (a load or arithmetic) or stored, word by word. FLOW_NONE: zeros. */
    uint32_t row[8];
    uint32_t made; /* first row written, the others follow; FLOW_NONE: none */
    /* flags: of the predicate or the carry; of the $c written (or read by C2R), before and after:
     * in flow.flags */
    uint32_t cc_in, cc_old, cc_new;
    /* address register used; the one written, before and after: in flow.areg */
    uint32_t a_in, a_old, a_new;
};
enum { ROW_ADDRESS = 3, ROW_DATA = 4 };

struct flow_instance {
    uint32_t first, count; /* in instance_event and instance_mask */
    uint32_t block, local; /* local: number of the word of offset 0, lane 0 */
    uint32_t base;         /* row of $r0, a unit of `rf` (sm/gpu/access.h) */
    uint16_t regs, kernel;
    uint8_t sm, slot;
    uint32_t active, r0; /* r0: row that $r0 starts with, in the lanes that are active */
};

struct flow_chain { /* accesses to a word: writes and reads each in golden order */
    uint32_t write, writes, read, reads;
};
struct flow_write {
    uint32_t event, value; /* of the whole word, afterwards */
};
struct flow_pair { /* two accesses of different instances to one word, one of them a write */
    uint32_t first, second;
};

enum { STALE_ROW, STALE_CC, STALE_A, STALE_SHARED, STALE_LOCAL, STALE_KINDS };

struct flow {
    const struct sm_image *img;
    struct flow_event *event;
    uint32_t nevents;
    uint32_t before; /* a segment: events before it; else 0 */
    bool ends;       /* its last event is the job's */
    uint32_t (*value)[SM_LANES];
    uint32_t nvalues;
    struct flow_instance *instance;
    uint32_t ninstances;
    const struct run_block *block; /* those of the run */
    uint32_t nblocks;
    uint32_t *instance_event; /* by instance */
    uint64_t *instance_mask;  /* what the event touches: flow_place_bit of each place */
    struct sm_cc *flags;
    uint16_t (*areg)[SM_LANES];
    /* words: those of the memory pages before local memory (global memory, what the host has read,
     * constants), then shared memory of each block and local memory of each instance */
    uint32_t nwords;
    uint32_t *init;
    struct flow_chain *chain;
    struct flow_write *write;
    uint32_t *read;
    struct flow_pair *pair; /* by `second` */
    uint32_t npairs;
    /* the last event that reads what an earlier owner of the place left there, + 1, counted from the start of the
     * job; 0: none. By kind. This and what follows: up to the end of a segment */
    uint32_t stale[STALE_KINDS];
    bool uninitialised; /* somebody reads what he has not written: placement of blocks matters */
    bool physid, clock; /* somebody asks where, or when, he is */
    /* an SM's L1 may keep a word that another SM stores in the same launch: a load may not find what was stored last */
    bool incoherent;
    struct sm_shares *shares; /* of a chip whose SMs may run alone (single_sm.h), or NULL */
};

#define FLOW_BYTES ((size_t)4 << 30) /* for who has no other bound */
/* Data can be followed in machines of this kind. */
bool flow_is_possible(const struct sm_image *img);
/* The flow of so many warp instructions may take no more; its recorder finds out. */
bool flow_fits(uint64_t instructions, size_t max_bytes);
/* A view of a run (run.h) whose blocks are known. NULL: no flow is possible. */
struct flow_recorder;
struct flow_recorder *flow_recorder_new(struct residence *r, size_t max_bytes);
extern const uint64_t flow_places; /* that it must be told of, bits UINT64_C(1) << SM_S_... */
/* False: it takes more than `max_bytes` now, and can be cut or dropped. */
bool flow_recorder_tick(struct flow_recorder *k, const struct sm_watch *w,
                        const struct sm_accesses *seen);
struct flow *flow_recorder_end(struct flow_recorder *k);
void flow_recorder_drop(struct flow_recorder *k);
/* The segment from the last cut to here, which stays the recorder's; `ends`: the job has ended. Then the recorder goes on
 * with the next one. */
const struct flow *flow_recorder_cut(struct flow_recorder *k, bool ends);
void flow_recorder_next(struct flow_recorder *k);
void flow_free(struct flow *f);

/* Events of the host in a tick: when a launch has ended in it, those before the next one. */
static inline uint32_t flow_host_events(const struct sm_watch *w)
{
    const struct gpu_grid *now = &w->g->grid;
    if (w->c.kind == COMMIT_NONE || (now->launch == w->c.launch && !now->done))
        return 0;
    return (uint32_t)w->g->img->launch[w->c.launch].decides +
           sm_steps_before(w->g->img, now->done ? SM_JOB_OVER : now->launch).count;
}

static inline bool flow_by_host(const struct flow_event *e)
{
    return e->instance == FLOW_NONE;
}

static inline uint64_t flow_place_bit(uint32_t place)
{
    return 1ull << (place < PLACE_CC ? place % 56 : 56 + (place - PLACE_CC) % 8);
}

/* The address registers that an instruction reads and writes, 0: none; the $c that it writes, -1: none. */
uint32_t flow_areg_read(const struct sm_uop *u);
uint32_t flow_areg_written(const struct sm_uop *u);
int flow_flags_written(const struct sm_uop *u);

/* The byte address of a lane in the operand's own space. */
static inline uint32_t flow_address(const struct flow *f, const struct flow_event *e,
                                    const struct isa_operand *o, uint32_t row, int lane)
{
    if (o->kind == ISA_G)
        return row == FLOW_NONE ? 0 : f->value[row][lane];
    if (!o->areg)
        return o->value;
    uint16_t a = e->a_in == FLOW_NONE ? 0 : f->areg[e->a_in][lane];
    return (uint16_t)(a + (o->postinc ? 0 : o->value));
}

/* The word of an address that is in bounds. */
static inline uint32_t flow_word(const struct flow *f, const struct flow_instance *l,
                                 const struct isa_operand *o, uint32_t addr, int lane)
{
    if (o->kind == ISA_G)
        return (addr - JOB_BASE) / 4;
    if (o->kind == ISA_S)
        return f->block[l->block].word0 + addr / 4;
    return l->local + addr / 4 * SM_LANES + (uint32_t)lane;
}

/* From one word of a lane's access to its next: words of local memory are interleaved. */
static inline uint32_t flow_step(const struct isa_operand *o)
{
    return o->kind == ISA_L ? SM_LANES : 1;
}

#endif
