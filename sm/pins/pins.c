/* pins.c -- see pins.h. */
#include "pins.h"

#include <stddef.h>

#include "asm/isa/isa.h"

static const struct sm_pin lane[] = {
#define X(name, first, width) {#name, first, width, false},
    SM_LANE_INPUTS(X)
#undef X
#define X(name, first, width) {#name, first, width, true},
        SM_LANE_OUTPUTS(X)
#undef X
};
const struct sm_pins sm_lane_pins = {"lane", lane, sizeof lane / sizeof *lane, SM_LANE_IN,
                                     SM_LANE_OUT};

#define CONTROL(name)                                                                              \
    {                                                                                              \
        name, NULL, 0, SM_CONTROL_BITS, SM_CONTROL_BITS                                            \
    }
const struct sm_pins sm_control_pins[SM_CONTROLS] = {
    [SM_CONTROL_SCHED] = CONTROL("sched"),
    [SM_CONTROL_DECODE] = CONTROL("decode"),
    [SM_CONTROL_UOP] = CONTROL("uop"),
    [SM_CONTROL_FLOW] = CONTROL("flow"),
    [SM_CONTROL_CCRF] = CONTROL("ccrf"),
    [SM_CONTROL_ARF] = CONTROL("arf"),
    [SM_CONTROL_WARP_STATE] = CONTROL("warp_state"),
    [SM_CONTROL_DMU] = CONTROL("dmu"),
    [SM_CONTROL_SMEM] = CONTROL("smem"),
    [SM_CONTROL_SLOT] = CONTROL("slot"),
    [SM_CONTROL_PIPE] = CONTROL("pipe"),
    [SM_CONTROL_RF] = CONTROL("rf"),
    [SM_CONTROL_EXECUTE_SELECT] = CONTROL("execute_select"),
    [SM_CONTROL_EXECUTE_RESULT] = CONTROL("execute_result"),
    [SM_CONTROL_LSU_ADDR] = CONTROL("lsu_addr"),
    [SM_CONTROL_LSU_CHECK] = CONTROL("lsu_check"),
    [SM_CONTROL_LSU_TRANSACTIONS] = CONTROL("lsu_transactions"),
    [SM_CONTROL_LSU_PASSES] = CONTROL("lsu_passes"),
    [SM_CONTROL_LSU_DATA] = CONTROL("lsu_data"),
    [SM_CONTROL_LSU_QUEUE] = CONTROL("lsu_queue"),
    [SM_CONTROL_WRITEBACK] = CONTROL("writeback"),
    [SM_CONTROL_BLOCK_BARRIER] = CONTROL("block_barrier"),
    [SM_CONTROL_BLOCK_PLACE] = CONTROL("block_place"),
    [SM_CONTROL_BLOCK_NEXT] = CONTROL("block_next")};

void sm_lane_insn(const struct isa_insn *in, uint64_t out[SM_LANE_WORDS])
{
    const struct isa_operand *s = in->src;
    const struct {
        uint32_t op, type, stype, as0, as1, cmp, subop, rnd, rint, sat, high, carry;
        uint32_t neg0, abs0, inv0, neg1, abs1, inv1, neg2, a, b, c, cc_c;
    } pin = {.op = in->op,
             .type = in->type,
             .stype = in->stype,
             .as0 = s[0].as,
             .as1 = s[1].as,
             .cmp = in->cmp,
             .subop = in->subop,
             .rnd = in->rnd,
             .rint = in->rint,
             .sat = in->sat,
             .high = in->high,
             .carry = in->carry,
             .neg0 = s[0].neg,
             .abs0 = s[0].abs,
             .inv0 = s[0].inv,
             .neg1 = s[1].neg,
             .abs1 = s[1].abs,
             .inv1 = s[1].inv,
             .neg2 = s[2].neg};
    out[0] = out[1] = out[2] = 0;
#define X(name, first, width) sm_pin_put(out, first, width, pin.name);
    SM_LANE_INPUTS(X)
#undef X
}
