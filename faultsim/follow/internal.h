/* internal.h -- shared by the files of this room: what differs, and an event that is evaluated. A difference is 32 values
 * of a place: those of the 32 copies of one lane.
 */
#ifndef FOLLOW_INTERNAL_H
#define FOLLOW_INTERNAL_H

#include <string.h>

#include "sm/evaluate.h"
#include "sm/memory/memory.h"
#include "follow.h"
#include "faultsim/record/retime.h"

enum {
    COPIES = 32,
    MAX_TRACKS = 48,
    MAX_PLACES = 48,
    MAX_WORDS = 128,
    MAX_COSTS = 1024,
    HEAP = 4096,
    MAX_DIVERGENCES = 64,
    ENDED = 1 << 13,
    MAX_ENDED_ITEMS = 32
};

struct vector {
    uint32_t v[COPIES];
};

/* A place of a thread that differs. */
struct place {
    uint8_t place, lane;
    uint32_t mask; /* copies that differ */
    struct vector x;
};

/* A warp instance of which some place differs. */
struct track {
    uint32_t instance, at; /* at: its next event that has not been looked at */
    uint64_t places_bits;  /* flow_place_bit of the places */
    uint32_t n;
    struct place place[MAX_PLACES];
};

struct word {
    uint32_t number, mask;
    struct vector x;
};

struct visit { /* an event to look at */
    uint32_t key, event;
    bool words; /* it uses words that differ */
};

struct cost { /* an access that takes longer or shorter in some copies */
    uint32_t event, cost, mask;
};

/* Copies that diverge from the golden run in a branch, and what differs by then. */
struct divergence {
    uint32_t event, mask, first, count;
};
struct item {
    uint32_t instance; /* FLOW_NONE: a word */
    uint32_t number, mask;
    uint8_t lane;
    struct vector x;
};
struct divergences {
    struct divergence list[MAX_DIVERGENCES];
    uint32_t n;
    struct item *item;
    uint32_t items, room;
};

/* How a machine has ended that diverged in the event with these differences, and what it took. */
struct ended {
    uint32_t event, items;
    struct follow_item *item; /* in order; NULL: empty */
    struct fsim_result r;
    uint64_t instructions;
};

/* What the copies are copies of. In copy b it happened to bit b of the register. */
struct subject {
    bool cached; /* a word of global memory in an L1, until this cycle; else a register */
    uint32_t word;
    uint64_t until;
    uint32_t row;
    int lane;
    uint32_t site; /* flipped before this instruction read it */
    bool held;     /* or: held at `value`, in all instances that own the row */
    int value;
    const struct follow_passage *carried; /* or: what has come from the segment before; NULL */
};

struct follower {
    const struct flow *f; /* of `g`; NULL: nothing can be followed */
    const struct golden *g;
    struct retiming *retime;
    uint64_t stop;         /* the cycle up to which they are followed; FSIM_NEVER: to the end */
    struct gpu *scratch;   /* works out how long accesses take */
    struct sm_warp *warp;  /* works out predicates */
    const uint32_t *order; /* of the events, when it is not the golden one */
    uint32_t alive, crashed, diverged, lost, sensitive; /* copies */
    uint32_t stop_event[COPIES];                        /* where it crashed or diverged */
    enum sm_trap trap[COPIES];
    struct track track[MAX_TRACKS];
    uint32_t ntracks;
    struct word *word;
    uint32_t nwords, word_room;
    uint32_t *word_at;             /* of each word of the flow: number + 1 in `word`, or 0 */
    struct word stored[MAX_WORDS]; /* those that the event at hand may write, as they are by now */
    uint32_t nstored;
    struct outputs_word *left; /* room to judge outputs in */
    uint32_t left_room;
    struct word *changed; /* room for what the host leaves */
    uint32_t changed_room;
    struct cost cost[MAX_COSTS];
    uint32_t ncosts;
    struct visit heap[HEAP];
    uint32_t nheap;
    struct subject subject;
    uint64_t forgot
        [STALE_KINDS];    /* first event behind which a difference has been forgotten; UINT64_MAX */
    uint32_t left_behind; /* copies in which a warp that has ended left something that differs */
    bool placed;          /* blocks lie where they lie, whatever their instructions take */
    struct divergences divergences[2],
        *now;            /* of the first time, and of the second in another order */
    struct ended *ended; /* [ENDED], or NULL */
    struct runner *run;
    struct single_sm *single;
    /* flips of the bits of a word of an L1 that is first read in this cycle: those that are known */
    struct {
        uint32_t unit, known;
        uint64_t first;
        struct fsim_result r[COPIES];
    } cached;
    uint64_t evaluated, machines;
    /* copies whose machines have come back to the control of the fault-free run, and what differs there; how many
     * more may */
    uint32_t returned, returns;
    struct follow_passage back[COPIES];
};

struct lane {
    int lane;
    uint32_t exec; /* copies that execute */
    /* of the memory operand: copies whose address is not the golden run's, and all addresses */
    uint32_t moved;
    struct vector addr;
};

struct step { /* what is needed to evaluate an event */
    struct follower *l;
    uint32_t event;
    const struct flow_event *e;
    const struct isa_insn *in;
    const struct flow_instance *instance;
    struct track *t;
    bool calm; /* no lane, no address comes out differently */
    int n;
    struct lane lane[SM_LANES];
};

static inline uint32_t when(const struct follower *l, uint32_t event)
{
    return l->order ? l->order[event] : event;
}

/* These copies cannot be followed any further. */
static inline void lose(struct follower *l, uint32_t copies)
{
    l->lost |= copies & l->alive;
    l->alive &= ~copies;
}

static inline struct track *find_track(struct follower *l, uint32_t instance)
{
    for (uint32_t i = 0; i < l->ntracks; i++)
        if (l->track[i].instance == instance)
            return &l->track[i];
    return NULL;
}

static inline struct place *find_place(struct track *t, uint32_t place, int lane)
{
    for (uint32_t i = 0; t && i < t->n; i++)
        if (t->place[i].place == place && t->place[i].lane == lane)
            return &t->place[i];
    return NULL;
}

static inline struct word *find_word(struct follower *l, uint32_t number)
{
    return l->word_at[number] ? &l->word[l->word_at[number] - 1] : NULL;
}

static inline void fill(uint32_t v[COPIES], uint32_t x)
{
    for (int i = 0; i < COPIES; i++)
        v[i] = x;
}

/* ---- the golden run, and what the copies have instead -------------------------------------- */

/* What `at`, an index in flow.value, flow.flags or flow.areg, says of a lane. */
static inline uint32_t golden_value(const struct flow *f, uint32_t place, uint32_t at, int lane)
{
    return place < PLACE_CC  ? f->value[at][lane]
           : place < PLACE_A ? sm_lane_flags(&f->flags[at], lane)
                             : f->areg[at][lane];
}

/* The same as 32 values. */
static inline const uint32_t *golden(const struct follower *l, uint32_t place, uint32_t at,
                                     int lane, uint32_t room[COPIES])
{
    if (at == FLOW_NONE)
        return zero_row;
    fill(room, golden_value(l->f, place, at, lane));
    return room;
}

/* The place is the register that is held. */
static inline bool is_held(const struct follower *l, uint32_t instance, uint32_t place, int lane)
{
    const struct subject *x = &l->subject;
    return x->held && lane == x->lane && place < PLACE_CC &&
           l->f->instance[instance].base + place == x->row;
}

static inline void hold(const struct follower *l, uint32_t v[COPIES])
{
    for (int i = 0; i < COPIES; i++)
        v[i] = l->subject.value ? v[i] | lane_bit[i] : v[i] & ~lane_bit[i];
}

/* The contents of a place before the event: the copies', or what `at` says in all of them. */
static inline const uint32_t *contents(const struct step *s, uint32_t place, int lane, uint32_t at,
                                       uint32_t room[COPIES])
{
    const struct place *p = find_place(s->t, place, lane);
    if (p && p->mask)
        return p->x.v;
    const uint32_t *v = golden(s->l, place, at, lane, room);
    if (!is_held(s->l, s->e->instance, place, lane))
        return v;
    memmove(room, v, COPIES * sizeof *room);
    hold(s->l, room);
    return room;
}

/* No later segment has events of the instance. */
static inline bool is_over(const struct flow *f, uint32_t instance)
{
    return f->ends ||
           f->block[f->instance[instance].block].to <= f->event[f->nevents - 1].cycle + 1;
}

/* Which copies execute the event in the golden run: all or none. */
static inline uint32_t golden_exec(const struct step *s, int lane)
{
    return s->e->exec >> lane & 1 ? ~0u : 0;
}

/* The lanes that execute it in copy v. */
static inline uint32_t follow_exec(const struct step *s, int v)
{
    uint32_t exec = s->e->exec;
    for (int i = 0; i < s->n; i++) {
        const uint32_t lane = lane_bit[s->lane[i].lane];
        exec = s->lane[i].exec >> v & 1 ? exec | lane : exec & ~lane;
    }
    return exec;
}

/* ---- walk.c -------------------------------------------------------------------------- */

/* Follows the flips of `bits` through the golden run, from the instruction `site` on, as far as
 * that goes. */
void follow_walk(struct follower *l, const struct subject *x, uint32_t bits);
/* Copies whose value is not `good`. */
uint32_t lanes_differ(const uint32_t v[COPIES], uint32_t good);
/* After the event `at` of the instance the place holds `v`; the golden run's holds what `good` says. */
void follow_set_place(struct follower *l, uint32_t instance, uint32_t at, uint32_t place, int lane,
                      const uint32_t v[COPIES], uint32_t good);
/* These copies may read or keep what is in a place now, which the golden run writes first: lost where an earlier owner has left
 * something else there. */
void follow_lose_stale(struct step *s, uint32_t copies);
/* The same of a word of memory. */
void follow_set_word(struct follower *l, uint32_t number, uint32_t event, const uint32_t v[COPIES],
                     uint32_t good);
/* What the word holds before and behind the event in the golden run. */
uint32_t follow_word_before(const struct follower *l, uint32_t word, uint32_t event);
uint32_t follow_word_after(const struct follower *l, uint32_t word, uint32_t event);

/* ---- evaluate.c ------------------------------------------------------------------------ */

void follow_evaluate(struct step *s);
/* A register, or an address register, of a lane as all copies have it: the scratch warp's, of which each lane is a copy. */
void follow_enter_row(const struct step *s, uint32_t reg, int lane, uint32_t at);
void follow_enter_areg(const struct step *s, uint32_t number, int lane, uint32_t at);

/* ---- host.c ---------------------------------------------------------------------------- */

/* What the host does between two launches, in all copies. */
void follow_host(struct follower *l, uint32_t event);

/* ---- memory.c -------------------------------------------------------------------------- */

/* Addresses of all memory operands: what they take, and who traps. The last one's addresses stay in
 * s->lane. */
void follow_find_memory(struct step *s);
/* The scratch SM's warp 0 becomes one of the event's block. */
void follow_scratch(const struct step *s);
/* The words that the copies of a lane read and write: for sm.words, of which a reader is the context. */
struct reader {
    const struct step *step;
    int lane;
};
void follow_words(void *context, const struct isa_operand *o, uint32_t exec,
                  const uint32_t at[SM_LANES], uint32_t words, uint32_t (*v)[SM_LANES], bool store);
/* All words that lanes in s->lane write, in some copy or in the golden run, may be written from here on. Returns the other
 * lanes that write one of them: of a word that several write, the last lane's value stays. */
uint32_t follow_open_words(struct step *s);
/* They are what the lanes have left. */
void follow_close_words(struct step *s);

/* ---- diverge.c ---------------------------------------------------------------------------- */

/* These copies go another way from here: they leave, and what differs now is kept. */
void follow_diverge(struct step *s, uint32_t copies);
/* An instruction that another warp may have behind Read in this moment: does a difference decide its lanes or its
 * addresses? */
bool follow_decides(const struct follower *l, const struct track *t, uint32_t copies);
/* Takes the copies of `group` to their end by a machine each, with these costs up to where they
 * part. Returns those whose outcome is known. */
uint32_t follow_run_diverged(struct follower *l, const struct divergences *all, uint32_t group,
                             const struct retime_cost *cost, uint32_t n,
                             struct fsim_result out[COPIES]);

/* ---- rejoin.c -------------------------------------------------------------------------- */

/* The machine of copy v, which has diverged in the event, runs on to where its control agrees again: then what
 * differs is in l->back[v], and v in l->returned. */
bool follow_rejoin(struct follower *l, uint32_t event, int v);

#endif
