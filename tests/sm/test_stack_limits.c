/* test_stack_limits.c -- the divergence stack where it ends: how deep it is, which addresses it
 * holds, what faults in it do, and what a profile may change.
 */
#include "tests/lib/check.h"
#include "tests/lib/machine.h"
#include "tests/lib/stack_checks.h"

/* ---- depth ---- */

/* `depth` SSYs and as many joins. */
static struct machine run_nest(const char *profile, int depth)
{
    struct fl_buf b = {0};
    fl_buf_printf(&b, K);
    for (int i = 0; i < depth; i++)
        fl_buf_printf(&b, "SSY j%d\n", depth - 1 - i);
    for (int i = 0; i < depth; i++)
        fl_buf_printf(&b, "j%d: NOP.S\n", i);
    fl_buf_printf(&b, "NOP.EXIT");
    fl_buf_add(&b, "", 1);
    struct machine m = machine_start(profile, 32, (const char *)b.data);
    fl_buf_free(&b);
    machine_run(&m);
    return m;
}

static void all_entries_of_tiny_are_usable_and_the_next_push_traps(void)
{
    struct machine m = run_nest("tiny", 4);
    ASSERT_FINISHED(m);
    stack_event(&m, 3, 1, 4, LE_SYNC, ALL, 0x20);
    machine_end(&m);
    m = run_nest("tiny", 5);
    ASSERT_TRAP(m, STACK_OVERFLOW);
    CU_ASSERT_EQUAL(m.gpu->sm->s.trap_pc, 4 * 8);
    machine_end(&m);
}

static void all_32_entries_of_flexgripplus_are_usable_and_the_33rd_push_traps(void)
{
    struct machine m = run_nest("flexgripplus", 32);
    ASSERT_FINISHED(m);
    CU_ASSERT_EQUAL(machine_event(&m, 31).le, 32);
    CU_ASSERT_EQUAL(machine_event(&m, 32).le, 32);
    machine_end(&m);
    m = run_nest("flexgripplus", 33);
    ASSERT_TRAP(m, STACK_OVERFLOW);
    CU_ASSERT_EQUAL(m.gpu->sm->s.trap_pc, 32 * 8);
    machine_end(&m);
}

static void g80_spills_behind_its_32_entries_and_traps_behind_the_spill_area(void)
{
    struct machine m = run_nest("g80", 96);
    ASSERT_FINISHED(m);
    stack_event(&m, 95, 1, 96, LE_SYNC, ALL, 96 * 8);
    stack_event(&m, 96, 0, 96, LE_SYNC, ALL, 96 * 8);
    machine_end(&m);
    m = run_nest("g80", 97);
    ASSERT_TRAP(m, STACK_OVERFLOW);
    machine_end(&m);
}

static void every_spilled_push_and_pop_costs_the_spill_latency(void)
{
    struct machine m = run_nest("g80", 32), n = run_nest("g80", 33);
    uint64_t more = gpu_cycles(n.gpu) - gpu_cycles(m.gpu);
    uint64_t slot = 32 / (uint64_t)m.img->profile.sps;
    CU_ASSERT_EQUAL(more, 2 * 5 * slot + 2 * (uint64_t)m.img->profile.spill_latency);
    machine_end(&m);
    machine_end(&n);
}

/* A loop that 32 threads leave one by one: 31 of them wait in DIVERGE entries. Two SYNC entries
 * below: 33. */
static const char leaving[] = K
    ".regs 4\n"
    "I2I.U32.U16 R0, R0L\n"
    "SSY outer\n"
    "SSY inner\n"
    "loop: IADD32I R1, R1, 1\n"
    "ISET.S32.C0 o[0x7f], R0, R1, GE\n" /* lane l leaves in turn l + 1 */
    "BRA C0.NE, loop\n"
    "inner: NOP.S\n"
    "IADD32I R2, R2, 1\n"
    "outer: NOP.S\n"
    "NOP.EXIT";

static void a_loop_that_32_threads_leave_one_by_one_takes_33_entries_in_g80(void)
{
    struct machine m = machine_start("g80", 32, leaving);
    machine_run(&m);
    ASSERT_FINISHED(m);
    int deepest = 0;
    for (int i = 0; i < machine_events(&m); i++)
        deepest = machine_event(&m, i).le > deepest ? machine_event(&m, i).le : deepest;
    CU_ASSERT_EQUAL(deepest, 33);
    for (int l = 0; l < 32; l++) {
        CU_ASSERT_EQUAL(machine_reg(&m, 0, l, 1), (uint32_t)l + 1);
        CU_ASSERT_EQUAL(machine_reg(&m, 0, l, 2), 1);
    }
    machine_end(&m);
    m = machine_start("flexgripplus", 32, leaving);
    machine_run(&m);
    ASSERT_TRAP(m, STACK_OVERFLOW);
    machine_end(&m);
}

static void stacks_of_warps_are_separate(void)
{
    struct machine m = machine_start("tiny", 64, K "SSY j\nSSY i\ni: NOP.S\nj: NOP.S\nNOP.EXIT");
    machine_run(&m);
    ASSERT_FINISHED(m);
    CU_ASSERT_EQUAL(machine_events(&m), 8);
    CU_ASSERT_EQUAL(m.gpu->sm->s.warp[0].spc[1], 0x10);
    CU_ASSERT_EQUAL(m.gpu->sm->s.warp[1].spc[1], 0x10);
    machine_end(&m);
}

/* ---- addresses ---- */

static void spc_bits_2_to_0_are_written_0(void)
{
    struct machine m = machine_start("g80", 32, K "SSY 8\nNOP.S\nNOP.EXIT");
    m.gpu->sm->s.warp[0].spc[0] = ALL;
    machine_run_instructions(&m, 1);
    CU_ASSERT_EQUAL(m.gpu->sm->s.warp[0].spc[0], 8);
    machine_end(&m);
}

static void spc_bits_2_to_0_are_ignored_by_a_pop(void)
{
    for (int bit = 0; bit < 3; bit++) {
        struct machine m = machine_start("g80", 32,
                                         K "SSY j\nBRA C0.EQ, j\nNOP\nj: NOP.S\nNOP.EXIT");
        machine_flags(&m, 0, 0, 0xff);
        machine_stick(&m, machine_cell(&m, "dstack", 2, bit, 0, 0), 1);
        machine_stick(&m, machine_cell(&m, "dstack", 2, bit, 0, 1), 1);
        machine_run(&m);
        STACK_PATH(&m, {0, ALL}, {8, ALL}, {0x18, 0xff}, {0x10, ~0xffu}, {0x18, ~0xffu},
                   {0x20, ALL});
        CU_ASSERT_EQUAL(machine_event(&m, 3).spc, 0x18 | 1u << bit);
        ASSERT_FINISHED(m);
        machine_end(&m);
    }
}

/* Loads `text` and replaces the words of the instruction at `pc` before the image is built. */
static struct machine start_patched(const char *profile, const char *text, uint32_t pc, uint32_t lo,
                                    uint32_t hi)
{
    struct job *job = machine_job(profile, text);
    machine_launch(job, 0, 1, 32);
    memcpy(job->cubin->kernel[0].code[0].bytes + pc, &lo, 4);
    memcpy(job->cubin->kernel[0].code[0].bytes + pc + 4, &hi, 4);
    return machine_load(job);
}

static void control_target_at_4_mod_8_traps(void)
{
    static const uint32_t op[] = {0x10000003, 0x20000003, 0x40000003, 0xa0000003};
    for (int i = 0; i < 4; i++) { /* BRA, CAL, PBK, SSY to 0x14 */
        struct machine m = start_patched("g80", K "NOP\nNOP\nNOP\nNOP.EXIT", 8, op[i] | 5u << 11,
                                         0x780);
        machine_run(&m);
        ASSERT_TRAP(m, FETCH_MISALIGNED);
        CU_ASSERT_EQUAL(m.gpu->sm->s.trap_pc, 8);
        machine_end(&m);
    }
}

static void shorts_run_at_4_mod_8(void)
{
    struct machine m = stack_run("g80", 32, 0, 0,
                                 K "MVI R1, 5\nIADD32 R2, R1, R1\nIADD32 R3, R2, R1\nNOP.EXIT");
    STACK_PATH(&m, {0, ALL}, {8, ALL}, {0xc, ALL}, {0x10, ALL});
    CU_ASSERT_EQUAL(machine_reg(&m, 0, 9, 3), 15);
    machine_end(&m);
}

static void two_word_instruction_at_4_mod_8_traps(void)
{
    /* the words of a NOP at 4; only a faulty PC gets there without a trap on the way */
    struct machine m = start_patched("g80", K "NOP\nNOP\nNOP.EXIT", 4, 0xf0000001, 0xe0000000);
    gpu_run(m.gpu, 4); /* the block has started, nothing is fetched yet */
    m.gpu->sm->s.warp[0].pc = 4;
    machine_run(&m);
    ASSERT_TRAP(m, FETCH_MISALIGNED);
    CU_ASSERT_EQUAL(m.gpu->sm->s.trap_pc, 4);
    machine_end(&m);
}

static void g80_ignores_target_bits_31_to_24(void)
{
    struct machine m = start_patched("g80", K "NOP\nNOP\nNOP\nNOP.EXIT", 0, 0x10000003 | 6u << 11,
                                     0x780 | 0xffu << 20);
    machine_run(&m);
    STACK_PATH(&m, {0, ALL}, {0x18, ALL});
    ASSERT_FINISHED(m);
    machine_end(&m);
}

static void flexgripplus_branches_to_32_bit_addresses(void)
{
    struct machine m = stack_run("flexgripplus", 32, 0, 0,
                                 K "SSY 0x89abcde8\nBRA far\nNOP.EXIT\n.org 0x89abcde0\nfar: "
                                   "NOP\nNOP.S\nNOP.EXIT");
    stack_event(&m, 0, 1, 1, LE_SYNC, ALL, 0x89abcde8);
    STACK_PATH(&m, {0, ALL}, {8, ALL}, {0x89abcde0, ALL}, {0x89abcde8, ALL}, {0x89abcdf0, ALL});
    ASSERT_FINISHED(m);
    machine_end(&m);
}

static void pc_and_spc_additions_wrap(void)
{
    struct machine m = stack_run("flexgripplus", 32, 0, 0,
                                 K "NOP.EXIT\n"
                                   ".org 0x100\n"
                                   "SSY last\n"
                                   "BRA last\n"
                                   ".org 0xfffffff8\n"
                                   "last: NOP.S");
    STACK_PATH(&m, {0, ALL});
    machine_end(&m);
    m = machine_start("flexgripplus", 32,
                      K "NOP.EXIT\n.org 0x100\nSSY last\nBRA last\n.org 0xfffffff8\nlast: NOP.S");
    gpu_run(m.gpu, 4);
    m.gpu->sm->s.warp[0].pc = 0x100;
    machine_run(&m);
    STACK_PATH(&m, {0x100, ALL}, {0x108, ALL}, {0xfffffff8, ALL}, {0, ALL});
    ASSERT_FINISHED(m);
    machine_end(&m);
}

/* ---- faults in the stack ---- */

static void a_stuck_mask_bit_acts_when_the_entry_is_popped(void)
{
    struct machine m = machine_start("g80", 32, K "SSY 8\nNOP.S\nNOP.EXIT");
    machine_stick(&m, machine_cell(&m, "dstack", 0, 7, 0, 0), 0);
    machine_run(&m);
    STACK_PATH(&m, {0, ALL}, {8, ALL}, {0x10, ~0x80u});
    machine_end(&m);
}

static void a_stuck_id_bit_changes_what_a_pop_does(void)
{
    /* id 00 with bit 1 stuck at 1 reads CALL: a join on it traps */
    struct machine m = machine_start("g80", 32, K "SSY 8\nNOP.S\nNOP.EXIT");
    machine_stick(&m, machine_cell(&m, "dstack", 1, 1, 0, 0), 1);
    machine_run(&m);
    ASSERT_TRAP(m, STACK_MISMATCH);
    machine_end(&m);
    /* with bit 0 it reads DIVERGE: goes on at SPC, not behind it */
    m = machine_start("g80", 32, K "SSY 0x10\nNOP.S\nNOP.EXIT\nNOP.EXIT");
    machine_stick(&m, machine_cell(&m, "dstack", 1, 0, 0, 0), 1);
    machine_run(&m);
    STACK_PATH(&m, {0, ALL}, {8, ALL}, {0x10, ALL});
    machine_end(&m);
}

static void the_spill_area_holds_no_faults(void)
{
    struct sm_structure s;
    struct machine m = machine_start("g80", 32, K "NOP.EXIT");
    sm_structure_get(m.img, sm_structure_find(m.img, "dstack"), &s);
    CU_ASSERT_EQUAL(sm_structure_bits(&s), 24L * 32 * 66);
    CU_ASSERT_EQUAL(s.axis[1].count, 32);
    machine_end(&m);
}

/* ---- rules of a profile: those of the published RTL of FlexGripPlus. A RET stands behind each exit (machine_job). ---- */

#define FLEX "flexgripplus-rtl"

static void a_push_is_lost_where_the_profile_drops_it(void)
{
    struct machine m = run_nest(FLEX, 33);
    ASSERT_FINISHED(m);
    stack_event(&m, 30, 1, 31, LE_SYNC, ALL, machine_event(&m, 30).spc);
    stack_event(&m, 31, 0, 31, LE_SYNC, ALL, machine_event(&m, 30).spc);
    stack_event(&m, 61, 0, 1, LE_SYNC, ALL, machine_event(&m, 0).spc);
    machine_end(&m);
}

static void a_join_may_go_on_behind_itself_after_sync(void)
{
    struct machine m = stack_run(FLEX, 32, 0, 0, K "SSY 0x20\nSSY 0x28\nNOP.S\nNOP.EXIT");
    STACK_PATH(&m, {0, ALL}, {8, ALL}, {0x10, ALL}, {0x18, ALL}, {0x20, ALL}, {0x20, ALL});
    machine_end(
        &m); /* 0x20 is the RET: it pops the SYNC that is left, and the second time ends the warp */
}

static void a_join_may_go_on_behind_itself_after_the_last_entry_of_any_kind(void)
{
    struct machine m = stack_run(FLEX, 32, 0xff, 0, K "BRA C0.EQ, 0x10\nNOP\nNOP\nNOP.S\nNOP.EXIT");
    STACK_PATH(&m, {0, ALL}, {0x10, 0xff}, {0x18, 0xff}, {0x20, ~0xffu}, {0x28, ~0xffu});
    ASSERT_FINISHED(m);
    machine_end(&m);
}

static void a_join_takes_the_address_of_what_is_neither_sync_nor_last(void)
{
    struct machine m = stack_run(FLEX, 32, 0xff, 0,
                                 K "SSY 0x18\nBRA C0.EQ, 0x18\nMVI R0, 1\nNOP.S\nNOP.EXIT");
    STACK_PATH(&m, {0, ALL}, {8, ALL}, {0x18, 0xff}, {0x10, ~0xffu}, {0x18, ~0xffu}, {0x20, ALL},
               {0x28, ALL});
    ASSERT_FINISHED(m);
    machine_end(&m);
}

static void a_join_may_pop_what_a_call_or_a_prebreak_pushed(void)
{
    struct machine m = stack_run(
        FLEX, 32, 0, 0, K "SSY 0x28\nCAL 0x28\nBRA 0x30\nNOP\nNOP\nNOP.S\nNOP.S\nNOP.EXIT");
    STACK_PATH(&m, {0, ALL}, {8, ALL}, {0x28, ALL}, {0x10, ALL}, {0x30, ALL}, {0x38, ALL},
               {0x40, ALL});
    ASSERT_FINISHED(m);
    machine_end(&m);
}

static void a_join_on_an_empty_stack_may_restore_the_threads_of_the_start(void)
{
    struct machine m = stack_run(FLEX, 20, 0xff, 0, K "RET C0.EQ\nMVI R0, 1\nNOP.S\nNOP.EXIT");
    STACK_PATH(&m, {0, 0xfffff}, {8, 0xfff00}, {0x10, 0xfff00}, {0x18, 0xfffff}, {0x20, 0xfffff});
    ASSERT_FINISHED(m);
    machine_end(&m);
}

static void ret_may_pop_an_entry_of_any_kind_and_go_on_at_its_address(void)
{
    struct machine m = stack_run(FLEX, 32, 0, 0, K "SSY 0x18\nRET\nNOP\nNOP\nMVI R0, 1\nNOP.EXIT");
    STACK_PATH(&m, {0, ALL}, {8, ALL}, {0x18, ALL}, {0x20, ALL}, {0x28, ALL}, {0x30, ALL});
    ASSERT_FINISHED(m);
    machine_end(&m);
}

static void a_pop_takes_no_more_bits_of_spc_than_fetch_sees(void)
{
    static const struct {
        int bit;
        bool taken;
    } list[] = {{17, true}, {18, false}, {31, false}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        struct machine m = machine_start(FLEX, 32, K "CAL 0x10\nNOP.EXIT\nRET");
        machine_stick(&m, machine_cell(&m, "dstack", 2, list[i].bit, 0, 0), 1);
        machine_run(&m);
        CU_ASSERT_EQUAL(m.gpu->sm->s.trap == TRAP_FETCH_UNMAPPED, list[i].taken);
        CU_ASSERT_EQUAL(m.gpu->grid.done, !list[i].taken);
        machine_end(&m);
    }
}

int main(void)
{
    return CHECK_RUN(
        "stack_limits", CHECK(a_push_is_lost_where_the_profile_drops_it),
        CHECK(a_join_may_go_on_behind_itself_after_sync),
        CHECK(a_join_may_go_on_behind_itself_after_the_last_entry_of_any_kind),
        CHECK(a_join_takes_the_address_of_what_is_neither_sync_nor_last),
        CHECK(a_join_may_pop_what_a_call_or_a_prebreak_pushed),
        CHECK(a_join_on_an_empty_stack_may_restore_the_threads_of_the_start),
        CHECK(ret_may_pop_an_entry_of_any_kind_and_go_on_at_its_address),
        CHECK(a_pop_takes_no_more_bits_of_spc_than_fetch_sees),
        CHECK(all_entries_of_tiny_are_usable_and_the_next_push_traps),
        CHECK(all_32_entries_of_flexgripplus_are_usable_and_the_33rd_push_traps),
        CHECK(g80_spills_behind_its_32_entries_and_traps_behind_the_spill_area),
        CHECK(every_spilled_push_and_pop_costs_the_spill_latency),
        CHECK(a_loop_that_32_threads_leave_one_by_one_takes_33_entries_in_g80),
        CHECK(stacks_of_warps_are_separate), CHECK(spc_bits_2_to_0_are_written_0),
        CHECK(spc_bits_2_to_0_are_ignored_by_a_pop), CHECK(control_target_at_4_mod_8_traps),
        CHECK(shorts_run_at_4_mod_8), CHECK(two_word_instruction_at_4_mod_8_traps),
        CHECK(g80_ignores_target_bits_31_to_24), CHECK(flexgripplus_branches_to_32_bit_addresses),
        CHECK(pc_and_spc_additions_wrap), CHECK(a_stuck_mask_bit_acts_when_the_entry_is_popped),
        CHECK(a_stuck_id_bit_changes_what_a_pop_does), CHECK(the_spill_area_holds_no_faults));
}
