/* test_stack.c -- the divergence stack, one rule a test: what pushes store, what pops bring
 * back, when stacks unwind, what traps.
 *
 * Masks come from machine_flags: lanes in the Z flag of C0 are those that C0.EQ picks.
 */
#include "tests/lib/check.h"
#include "tests/lib/machine.h"
#include "tests/lib/stack_checks.h"

/* ---- what is pushed ---- */

static void ssy_pushes_its_target_and_the_active_mask(void)
{
    struct machine m = stack_run("g80", 20, 0, 0, K "SSY 0x20\nNOP.EXIT");
    stack_event(&m, 0, 1, 1, LE_SYNC, 0xfffff, 0x20);
    ASSERT_FINISHED(m);
    machine_end(&m);
}

static void pbk_pushes_its_target_and_the_active_mask(void)
{
    struct machine m = stack_run("g80", 20, 0, 0, K "NOP\nPBK 0x40\nNOP.EXIT");
    stack_event(&m, 0, 1, 1, LE_BREAK, 0xfffff, 0x40);
    machine_end(&m);
}

static void cal_pushes_the_next_instruction_and_the_active_mask(void)
{
    struct machine m = stack_run("g80", 20, 0, 0, K "NOP\nCAL.NOINC f\nNOP\nf: NOP.EXIT");
    stack_event(&m, 0, 1, 1, LE_CALL, 0xfffff, 0x10);
    machine_end(&m);
}

static void divergent_bra_pushes_the_fall_through_path_and_who_takes_it(void)
{
    struct machine m = stack_run("g80", 20, 0xf0, 0, K "NOP\nBRA C0.EQ, f\nNOP\nf: NOP.EXIT");
    stack_event(&m, 0, 1, 1, LE_DIVERGE, 0xfff0f, 0x10);
    machine_end(&m);
}

static void a_push_stores_the_active_mask_not_that_of_the_predicate(void)
{
    /* SSY, PBK and CAL ignore their predicate field */
    struct machine m = stack_run("g80", 32, 0xf, 0,
                                 K "SSY C0.EQ, 0x40\nPBK C0.EQ, 0x40\nCAL.NOINC C0.EQ, f\nf: "
                                   "NOP.EXIT");
    for (int i = 0; i < 3; i++)
        CU_ASSERT_EQUAL(machine_event(&m, i).tm, ALL);
    CU_ASSERT_EQUAL(machine_event(&m, 2).id, LE_CALL);
    machine_end(&m);
}

/* ---- branches ---- */

static void taken_path_runs_first(void)
{
    struct machine m = stack_run("g80", 32, 0xff, 0, K "BRA C0.EQ, f\nNOP.EXIT\nf: NOP.EXIT");
    STACK_PATH(&m, {0, ALL}, {0x10, 0xff}, {8, ~0xffu});
    machine_end(&m);
}

static void bra_that_all_active_threads_take_pushes_nothing(void)
{
    struct machine m = stack_run("g80", 8, 0xff, 0, K "BRA C0.EQ, f\nNOP.EXIT\nf: NOP.EXIT");
    STACK_PATH(&m, {0, 0xff}, {0x10, 0xff});
    CU_ASSERT_EQUAL(machine_events(&m), 0);
    machine_end(&m);
}

static void bra_that_no_active_thread_takes_pushes_nothing(void)
{
    struct machine m = stack_run("g80", 8, ~0xffu, 0, K "BRA C0.EQ, f\nNOP.EXIT\nf: NOP.EXIT");
    STACK_PATH(&m, {0, 0xff}, {8, 0xff});
    CU_ASSERT_EQUAL(machine_events(&m), 0);
    machine_end(&m);
}

static void if_else_joins_again(void)
{
    struct machine m = stack_run("tiny", 32, 0xff, 0,
                                 K "SSY sync\nBRA C0.EQ, then\nNOP\nBRA sync\nthen: NOP\nsync: "
                                   "NOP.S\nNOP.EXIT");
    STACK_PATH(&m, {0, ALL}, {8, ALL}, {0x20, 0xff}, {0x28, 0xff}, {0x10, ~0xffu}, {0x18, ~0xffu},
               {0x28, ~0xffu}, {0x30, ALL});
    stack_event(&m, 0, 1, 1, LE_SYNC, ALL, 0x28);
    stack_event(&m, 1, 1, 2, LE_DIVERGE, ~0xffu, 0x10);
    stack_event(&m, 2, 0, 2, LE_DIVERGE, ~0xffu, 0x10);
    stack_event(&m, 3, 0, 1, LE_SYNC, ALL, 0x28);
    CU_ASSERT_EQUAL(machine_events(&m), 4);
    machine_end(&m);
}

/* ---- what a pop does ---- */

static void pop_adds_8_to_spc_for_sync_only(void)
{
    /* DIVERGE, CALL and BREAK go on at SPC itself */
    struct machine m = stack_run("g80", 32, 0xff, 0,
                                 K "SSY 0x10\n" /* 00: the join lies at 10 */
                                   "BRA C0.EQ, 0x10\n"
                                   "NOP.S\n" /* 10: first pops DIVERGE to 10, then SYNC to 18 */
                                   "CAL.NOINC f\n"
                                   "PBK b\n" /* 20: CALL comes back here */
                                   "BRK\n"
                                   "NOP\n"
                                   "b: NOP.EXIT\n" /* 38 */
                                   "f: RET");
    STACK_PATH(&m, {0, ALL}, {8, ALL}, {0x10, 0xff}, {0x10, ~0xffu}, {0x18, ALL}, {0x40, ALL},
               {0x20, ALL}, {0x28, ALL}, {0x38, ALL});
    ASSERT_FINISHED(m);
    machine_end(&m);
}

static void call_revives_the_returned_threads_of_its_mask(void)
{
    struct machine m = stack_run("g80", 32, 0xff, 0, K "CAL.NOINC f\nNOP.EXIT\nf: RET C0.EQ\nRET");
    STACK_PATH(&m, {0, ALL}, {0x10, ALL}, {0x18, ~0xffu}, {8, ALL});
    ASSERT_FINISHED(m);
    machine_end(&m);
}

static void call_does_not_revive_threads_outside_its_mask(void)
{
    /* lanes of C0 return before the call: ended, as far as it is concerned */
    struct machine m = stack_run("g80", 32, 0xff, 0, K "RET C0.EQ\nCAL.NOINC f\nNOP.EXIT\nf: RET");
    STACK_PATH(&m, {0, ALL}, {8, ~0xffu}, {0x18, ~0xffu}, {0x10, ~0xffu});
    ASSERT_FINISHED(m);
    machine_end(&m);
}

static void call_leaves_broken_threads_broken_until_break(void)
{
    struct machine m = stack_run("g80", 32, 0xff, 0,
                                 K "PBK b\nCAL.NOINC f\nBRK\nb: NOP.EXIT\nf: BRK C0.EQ\nRET");
    STACK_PATH(&m, {0, ALL}, {8, ALL}, {0x20, ALL}, {0x28, ~0xffu}, {0x10, ~0xffu}, {0x18, ALL});
    ASSERT_FINISHED(m);
    machine_end(&m);
}

static void break_leaves_returned_threads_returned_until_call(void)
{
    struct machine m = stack_run("g80", 32, 0xff, 0,
                                 K "CAL.NOINC f\nNOP.EXIT\nf: PBK b\nRET C0.EQ\nBRK\nb: RET");
    STACK_PATH(&m, {0, ALL}, {0x10, ALL}, {0x18, ALL}, {0x20, ~0xffu}, {0x28, ~0xffu}, {8, ALL});
    ASSERT_FINISHED(m);
    machine_end(&m);
}

static void exited_threads_are_never_revived(void)
{
    struct machine m = stack_run("g80", 32, 0xff, 0,
                                 K "PBK b\n"
                                   "CAL.NOINC f\n"
                                   "BRK\n"
                                   "b: NOP.EXIT\n"
                                   "f: BRA C0.EQ, gone\n" /* 20 */
                                   "RET\n"
                                   "gone: NOP.EXIT");
    STACK_PATH(&m, {0, ALL}, {8, ALL}, {0x20, ALL}, {0x30, 0xff}, {0x28, ~0xffu}, {0x10, ~0xffu},
               {0x18, ~0xffu});
    ASSERT_FINISHED(m);
    machine_end(&m);
}

static void sync_and_diverge_revive_nobody(void)
{
    /* returned and broken threads stay out when a SYNC entry that holds them is popped */
    struct machine m = stack_run("g80", 32, 0xff, 0xff00,
                                 K "PBK b\n"
                                   "CAL.NOINC f\n"
                                   "BRK\n"         /* 10 */
                                   "b: NOP.EXIT\n" /* 18 */
                                   "f: SSY join\n" /* 20 */
                                   "RET C0.EQ\n"   /* 28 */
                                   "BRK C1.EQ\n"   /* 30 */
                                   "join: NOP.S\n" /* 38 */
                                   "RET");         /* 40 */
    STACK_PATH(&m, {0, ALL}, {8, ALL}, {0x20, ALL}, {0x28, ALL}, {0x30, ~0xffu}, {0x38, 0xffff0000},
               {0x40, 0xffff0000}, {0x10, 0xffff00ff}, {0x18, ALL});
    ASSERT_FINISHED(m);
    machine_end(&m);
}

static void lanes_without_a_thread_start_exited(void)
{
    struct machine m = stack_run("g80", 5, 0, 0, K "CAL.NOINC f\nNOP.EXIT\nf: RET");
    STACK_PATH(&m, {0, 0x1f}, {0x10, 0x1f}, {8, 0x1f});
    machine_end(&m);
}

static void a_lane_without_a_thread_is_not_even_revived_by_a_faulty_entry(void)
{
    struct machine m = machine_start("g80", 5,
                                     K "CAL.NOINC f\nPBK b\nBRK\nb: SSY j\nj: NOP.S\n"
                                       "NOP.EXIT\nf: RET");
    machine_stick(&m, machine_cell(&m, "dstack", 0, 9, 0, 0), 1);
    machine_run(&m);
    ASSERT_FINISHED(m);
    for (int i = 0; i < 7; i++)
        CU_ASSERT_EQUAL(machine_insn(&m, i)->active, 0x1f);
    machine_end(&m);
}

/* ---- joins ---- */

static void join_happens_with_predicate_never(void)
{
    struct machine m = stack_run("g80", 32, 0, 0,
                                 K "SSY j\nMVI R1, 1\nj: IADD.S R1 (C0.EQ), R1, R1\nNOP.EXIT");
    STACK_PATH(&m, {0, ALL}, {8, ALL}, {0x10, ALL}, {0x18, ALL});
    CU_ASSERT_EQUAL(machine_insn(&m, 2)->exec, 0);
    stack_event(&m, 1, 0, 1, LE_SYNC, ALL, 0x10);
    CU_ASSERT_EQUAL(machine_reg(&m, 0, 0, 1), 1);
    machine_end(&m);
}

static void the_instruction_with_the_join_flag_executes_under_the_mask_before_the_pop(void)
{
    struct machine m = stack_run("g80", 32, 0xff, 0,
                                 K "SSY j\nMVI R2, 1\nBRA C0.EQ, j\nMVI R2, 0x10\nj: IADD.S R1, "
                                   "R1, R2\nNOP.EXIT");
    for (int l = 0; l < 32; l++)
        CU_ASSERT_EQUAL(machine_reg(&m, 0, l, 1), l < 8 ? 1 : 0x10);
    machine_end(&m);
}

static void a_join_pops_once(void)
{
    struct machine m = stack_run("g80", 32, 0, 0, K "SSY a\nSSY b\nb: NOP.S\na: NOP.S\nNOP.EXIT");
    STACK_PATH(&m, {0, ALL}, {8, ALL}, {0x10, ALL}, {0x18, ALL}, {0x20, ALL});
    stack_event(&m, 2, 0, 2, LE_SYNC, ALL, 0x10);
    stack_event(&m, 3, 0, 1, LE_SYNC, ALL, 0x18);
    machine_end(&m);
}

static void join_on_an_empty_stack_traps(void)
{
    struct machine m = stack_run("g80", 32, 0, 0, K "NOP\nNOP.S\nNOP.EXIT");
    ASSERT_TRAP(m, STACK_UNDERFLOW);
    CU_ASSERT_EQUAL(m.gpu->sm->s.trap_warp, 0);
    machine_end(&m);
}

static void join_that_finds_call_traps(void)
{
    struct machine m = stack_run("g80", 32, 0, 0, K "CAL.NOINC f\nNOP.EXIT\nf: NOP.S\nRET");
    ASSERT_TRAP(m, STACK_MISMATCH);
    machine_end(&m);
}

static void join_that_finds_break_traps(void)
{
    struct machine m = stack_run("g80", 32, 0, 0, K "PBK b\nNOP.S\nb: NOP.EXIT");
    ASSERT_TRAP(m, STACK_MISMATCH);
    machine_end(&m);
}

static void unwinding_pops_any_kind_of_entry(void)
{
    struct machine m = stack_run("g80", 32, 0xff, 0,
                                 K "BRA C0.EQ, a\nNOP.EXIT\na: CAL.NOINC f\nf: PBK b\nb: SSY "
                                   "c\nc: NOP.EXIT");
    /* the eight lanes of C0 exit with four entries above the others' DIVERGE */
    STACK_PATH(&m, {0, ALL}, {0x10, 0xff}, {0x18, 0xff}, {0x20, 0xff}, {0x28, 0xff}, {8, ~0xffu});
    stack_event(&m, 4, 0, 4, LE_SYNC, 0xff, 0x28);
    stack_event(&m, 5, 0, 3, LE_BREAK, 0xff, 0x20);
    stack_event(&m, 6, 0, 2, LE_CALL, 0xff, 0x18);
    stack_event(&m, 7, 0, 1, LE_DIVERGE, ~0xffu, 8);
    ASSERT_FINISHED(m);
    machine_end(&m);
}

static void unwinding_pops_one_entry_a_cycle_from_the_instructions_own(void)
{
    struct machine m = stack_run("g80", 32, 0, 0, K "SSY 0x40\nSSY 0x40\nSSY 0x40\nNOP.EXIT");
    const struct sm_commit *exits = machine_insn(&m, 3);
    CU_ASSERT_EQUAL(exits->nstack, 1);
    CU_ASSERT_EQUAL(exits->stack[0].le, 3);
    CU_ASSERT_FALSE(exits->ended);
    for (int i = 0; i < 2; i++) {
        const struct sm_commit *c = machine_commit(&m, 0, COMMIT_UNWIND, i);
        CU_ASSERT_PTR_NOT_NULL_FATAL(c);
        CU_ASSERT_EQUAL(c->cycle, exits->cycle + 1 + (uint64_t)i);
        CU_ASSERT_EQUAL(c->nstack, 1);
        CU_ASSERT_EQUAL(c->stack[0].le, 2 - i);
        CU_ASSERT_EQUAL(c->ended, i == 1);
    }
    CU_ASSERT_EQUAL(gpu_cycles(m.gpu), exits->cycle + 3);
    ASSERT_FINISHED(m);
    machine_end(&m);
}

static void a_join_that_leaves_nobody_unwinds_from_the_next_cycle(void)
{
    /* only a fault makes such an entry: TM of the second SYNC is cleared behind its push */
    struct machine m = machine_start("g80", 32, K "SSY 0x20\nSSY 0x10\nNOP.S\nNOP\nNOP\nNOP.EXIT");
    machine_run_instructions(&m, 2);
    m.gpu->sm->s.warp[0].tm[1] = 0;
    machine_run(&m);
    const struct sm_commit *join = machine_insn(&m, 0);
    const struct sm_commit *pop = machine_commit(&m, 0, COMMIT_UNWIND, 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(pop);
    CU_ASSERT_EQUAL(join->nstack, 1);
    CU_ASSERT_EQUAL(pop->cycle, join->cycle + 1);
    CU_ASSERT_EQUAL(pop->pc_after, 0x28);
    CU_ASSERT_EQUAL(pop->active_after, ALL);
    ASSERT_FINISHED(m);
    machine_end(&m);
}

/* ---- the end of a warp ---- */

static void an_empty_stack_with_returned_threads_ends_the_warp(void)
{
    struct machine m = stack_run("g80", 32, 0xff, 0, K "RET C0.EQ\nRET");
    ASSERT_FINISHED(m);
    machine_end(&m);
}

static void active_threads_in_no_entry_end_with_the_warp(void)
{
    /* a faulty TM loses all lanes but one; they are `active` still when the last one exits */
    struct machine m = machine_start("g80", 32, K "SSY 8\nNOP.S\nNOP.EXIT");
    machine_run_instructions(&m, 1);
    m.gpu->sm->s.warp[0].tm[0] = 1;
    machine_run(&m);
    CU_ASSERT_EQUAL(machine_insn(&m, 1)->active, 1);
    CU_ASSERT_EQUAL(m.gpu->sm->s.warp[0].ts[0] | m.gpu->sm->s.warp[0].ts[1], 1);
    ASSERT_FINISHED(m);
    machine_end(&m);
}

static void a_warp_that_ends_with_broken_threads_traps(void)
{
    struct machine m = stack_run("g80", 32, 0xff, 0, K "BRK C0.EQ\nNOP.EXIT");
    ASSERT_TRAP(m, STACK_MISMATCH);
    machine_end(&m);
}

static void break_with_an_empty_stack_traps(void)
{
    struct machine m = stack_run("g80", 32, 0, 0, K "BRK\nNOP.EXIT");
    ASSERT_TRAP(m, STACK_MISMATCH);
    machine_end(&m);
}

int main(void)
{
    return CHECK_RUN(
        "stack", CHECK(ssy_pushes_its_target_and_the_active_mask),
        CHECK(pbk_pushes_its_target_and_the_active_mask),
        CHECK(cal_pushes_the_next_instruction_and_the_active_mask),
        CHECK(divergent_bra_pushes_the_fall_through_path_and_who_takes_it),
        CHECK(a_push_stores_the_active_mask_not_that_of_the_predicate),
        CHECK(taken_path_runs_first), CHECK(bra_that_all_active_threads_take_pushes_nothing),
        CHECK(bra_that_no_active_thread_takes_pushes_nothing), CHECK(if_else_joins_again),
        CHECK(pop_adds_8_to_spc_for_sync_only),
        CHECK(call_revives_the_returned_threads_of_its_mask),
        CHECK(call_does_not_revive_threads_outside_its_mask),
        CHECK(call_leaves_broken_threads_broken_until_break),
        CHECK(break_leaves_returned_threads_returned_until_call),
        CHECK(exited_threads_are_never_revived), CHECK(sync_and_diverge_revive_nobody),
        CHECK(lanes_without_a_thread_start_exited),
        CHECK(a_lane_without_a_thread_is_not_even_revived_by_a_faulty_entry),
        CHECK(join_happens_with_predicate_never),
        CHECK(the_instruction_with_the_join_flag_executes_under_the_mask_before_the_pop),
        CHECK(a_join_pops_once), CHECK(join_on_an_empty_stack_traps),
        CHECK(join_that_finds_call_traps), CHECK(join_that_finds_break_traps),
        CHECK(unwinding_pops_any_kind_of_entry),
        CHECK(unwinding_pops_one_entry_a_cycle_from_the_instructions_own),
        CHECK(a_join_that_leaves_nobody_unwinds_from_the_next_cycle),
        CHECK(an_empty_stack_with_returned_threads_ends_the_warp),
        CHECK(active_threads_in_no_entry_end_with_the_warp),
        CHECK(a_warp_that_ends_with_broken_threads_traps), CHECK(break_with_an_empty_stack_traps));
}
