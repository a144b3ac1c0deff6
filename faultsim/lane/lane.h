/* lane.h -- the units of a lane, as one kind of units (../gate/kind.h): their vectors are what the C model puts on the
 * ports of the lane of one SP (vector.h), and machines with faults run in the C model (concurrent.h) or in the RTL
 * (serial.h).
 */
#ifndef FAULTSIM_LANE_H
#define FAULTSIM_LANE_H

#include "faultsim/gate/kind.h"
#include "vector.h"

extern const struct unit_kind lane_kind;

/* "alu_int" ... */
const char *lane_name(int which);
/* -1: no unit is called so. */
int lane_find(const char *name, struct fl_err *err);
/* `all` are all but the whole lane. */
bool lane_is(int which, const char *name);
/* Finds the ports of a unit's netlist, and refuses one that lacks some (struct unit_kind). */
int lane_open(struct unit *u, const char *path, struct fl_err *err);

static inline enum vector_unit lane_which(const struct unit *u)
{
    return (enum vector_unit)u->which;
}

/* Of the inputs those that the unit has. */
static inline struct vector lane_part(const struct unit *u, struct vector v)
{
    for (int i = 0; i < VECTOR_WORDS; i++)
        v.w[i] &= u->used[i];
    return v;
}

/* No other unit of the lane says anything: those that are not enabled give zeros. */
static inline bool lane_alone(const struct unit *u, const struct vector *v)
{
    return lane_which(u) == VECTOR_LANE || vector_bit(v, VECTOR_en);
}

/* What instruction and operands put on the unit's inputs; `good`: what the C model makes of it in this lane, d below,
 * flags from bit VECTOR_D_BITS on. `insn` is vector_of the instruction. What other units of the lane hold at 1 hides
 * what this one says: they are joined by an OR. */
static inline struct vector lane_vector(const struct unit *u, struct vector insn, uint64_t written,
                                        uint64_t good)
{
    const bool alone = lane_alone(u, &insn);
    return vector_with_care(lane_part(u, insn), alone ? written : written & ~good);
}

/* What a unit has behind it: the inputs of its last use. */
struct unit_past {
    struct vector inputs;
    bool any;
};
/* The next use: a vector behind those inputs. Behind nothing is behind its own inputs, where no gate moves. */
static inline struct use lane_next(const struct unit *u, struct unit_past *p, struct vector v)
{
    struct use use = {.now = v};
    if (unit_slow(u)) {
        v = vector_without_care(v);
        use.before = p->any ? p->inputs : v;
        *p = (struct unit_past){v, true};
    }
    return use;
}
/* A set of uses; of gates that are not slow, of what is now. */
static inline struct vectors lane_uses(const struct unit *u)
{
    return (struct vectors){.words = (unit_slow(u) ? 2 : 1) * VECTOR_WORDS};
}

/* unit_sim_load of vectors one behind the other, each alone. */
void lane_load(struct unit_sim *sim, const struct vector *v, uint32_t count);
/* d and flags that the unit without a fault gives to a pattern. */
uint64_t lane_result(const struct unit_sim *sim, uint32_t pattern);
/* d and flags of a lane in one word. */
static inline uint64_t lane_answer(const uint32_t *d, const uint8_t *flags, int lane)
{
    return d[lane] | (uint64_t)(flags ? flags[lane] & 15 : 0) << VECTOR_D_BITS;
}

/* Lanes of an SP, or of all (-1): a bit each. */
uint32_t lane_mask(const struct sm_image *img, int sp);

/* Runs the job once more, for all traces at once: `t` have their units and SPs, and keep what they have of other
 * jobs. */
void lane_record(const struct golden *g, struct trace *t, int n);
static inline const struct vector *lane_seen(const struct trace *t, uint32_t pattern)
{
    return vector_at(&t->seen, pattern);
}

#endif
