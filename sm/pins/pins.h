/* pins.h -- units of an SM that something outside can stand in for, as gates with a fault do, and
 * what stands on their pins.
 *
 * The pins of a unit are a table. Their bits lie in words, in the order of the table, the first pin
 * lowest; inputs apart from outputs. A register of a unit is a pin of both: what it holds is an
 * input, what it will hold an output. So state stays in the machine, which is copied and compared as
 * ever.
 */
#ifndef SM_PINS_H
#define SM_PINS_H

#include <stdbool.h>
#include <stdint.h>

struct isa_insn;

struct sm_pin {
    const char *name; /* in the RTL with _i or _o behind it */
    int first, width; /* bits, among the inputs or the outputs */
    bool output;
};

struct sm_pins {
    const char *unit;
    const struct sm_pin *pin;
    int count, inputs, outputs; /* pins; bits */
};

/* Answers for a unit: the RTL asks in every cycle, the C model when an instruction does. `out` holds
 * what the unit itself says, to be changed. */
struct sm_override {
    void (*answer)(void *context, const uint64_t *in, uint64_t *out);
    void *context;
    /* Or NULL. Of a unit of the control, which is asked whenever its inputs may have changed: told at every
     * edge of the clock what stands there, and what the unit itself says. */
    void (*edge)(void *context, const uint64_t *in, const uint64_t *own);
    /* Or NULL. Of a unit of the control that answers in parts (rtl/sm_gates.sv), in place of `answer`: its
     * outputs from `first` on, `count` of them, in `out`; of `in` those that they hang on. It is asked for
     * parts that have outputs of [from, to). Of the unit's `inputs`, bits, the others are 0. */
    void (*part)(void *context, int first, int count, const uint64_t *in, uint64_t *out);
    /* Of such a unit: the same of what it writes, where the RTL asks for that at the edge itself (smrtl_gates_write).
     * In no order with `edge`. */
    void (*write)(void *context, int first, int count, const uint64_t *in, uint64_t *out);
    int from, to, inputs;
    /* Or NULL. Of a unit that stands before registers, what they take is its answer: told before an edge, when they
     * hold what they have held, and behind it, when they have taken what the RTL says. Returns whether it has
     * written others. */
    void (*before)(void *context);
    bool (*behind)(void *context);
};

/* The units of the control whose logic the RTL alone has (rtl/sm_gates.sv): the scheduler's choice, the
 * decoder, the micro-operation, Write-back's control flow; then what stands around the arrays of flags, of
 * address registers, the registers of warp slots, the divergence stacks and shared memory; the slot of the barrel, and
 * what stands before the registers of its stages; the ports of the register file, what stands before and behind the
 * lanes, the load/store unit, what stands between units, and blocks. Their pins are those of their netlists, in that order,
 * and hang on the profile: `pin` is NULL, the bits are the most there can be. */
enum sm_control {
    SM_CONTROL_SCHED,
    SM_CONTROL_DECODE,
    SM_CONTROL_UOP,
    SM_CONTROL_FLOW,
    SM_CONTROL_CCRF,
    SM_CONTROL_ARF,
    SM_CONTROL_WARP_STATE,
    SM_CONTROL_DMU,
    SM_CONTROL_SMEM,
    SM_CONTROL_SLOT,
    SM_CONTROL_PIPE,
    SM_CONTROL_RF,
    SM_CONTROL_EXECUTE_SELECT,
    SM_CONTROL_EXECUTE_RESULT,
    SM_CONTROL_LSU_ADDR,
    SM_CONTROL_LSU_CHECK,
    SM_CONTROL_LSU_TRANSACTIONS,
    SM_CONTROL_LSU_PASSES,
    SM_CONTROL_LSU_DATA,
    SM_CONTROL_LSU_QUEUE,
    SM_CONTROL_WRITEBACK,
    SM_CONTROL_BLOCK_BARRIER,
    SM_CONTROL_BLOCK_PLACE,
    SM_CONTROL_BLOCK_NEXT,
    SM_CONTROLS
};
enum { SM_CONTROL_BITS = 32768, SM_CONTROL_WORDS = SM_CONTROL_BITS / 64 };
extern const struct sm_pins sm_control_pins[SM_CONTROLS];

/* The lane of an SP, one of them for each number of an SP: pin, first bit, width. */
#define SM_LANE_INPUTS(X)                                                                          \
    X(a, 0, 32)                                                                                    \
    X(b, 32, 32)                                                                                   \
    X(c, 64, 32)                                                                                   \
    X(cc_c, 96, 1)                                                                                 \
    X(op, 97, 6)                                                                                   \
    X(type, 103, 4)                                                                                \
    X(stype, 107, 4)                                                                               \
    X(as0, 111, 4)                                                                                 \
    X(as1, 115, 4)                                                                                 \
    X(cmp, 119, 4)                                                                                 \
    X(subop, 123, 3)                                                                               \
    X(rnd, 126, 2)                                                                                 \
    X(rint, 128, 1)                                                                                \
    X(sat, 129, 1)                                                                                 \
    X(high, 130, 1)                                                                                \
    X(carry, 131, 1)                                                                               \
    X(neg0, 132, 1)                                                                                \
    X(abs0, 133, 1)                                                                                \
    X(inv0, 134, 1)                                                                                \
    X(neg1, 135, 1)                                                                                \
    X(abs1, 136, 1)                                                                                \
    X(inv1, 137, 1)                                                                                \
    X(neg2, 138, 1)
#define SM_LANE_OUTPUTS(X) X(d, 0, 32) X(flags, 32, 4)
enum { SM_LANE_IN = 139, SM_LANE_WORDS = 3, SM_LANE_OUT = 36, SM_LANE_D = 32 };

extern const struct sm_pins sm_lane_pins;

/* What an instruction puts on the inputs of all lanes; operands are 0. */
void sm_lane_insn(const struct isa_insn *in, uint64_t out[SM_LANE_WORDS]);
/* And the operands of one. */
static inline void sm_lane_operands(uint64_t in[SM_LANE_WORDS], uint32_t a, uint32_t b, uint32_t c,
                                    bool carry)
{
    in[0] = a | (uint64_t)b << 32;
    in[1] |= c | (uint64_t)carry << 32;
}

static inline void sm_pin_put(uint64_t *words, unsigned first, unsigned width, uint32_t value)
{
    uint64_t bits = value & ((UINT64_C(1) << width) - 1);
    words[first / 64] |= bits << first % 64;
    if (first % 64 + width > 64)
        words[first / 64 + 1] |= bits >> (64 - first % 64);
}

#endif
