/* test_stack.c -- the divergence stack, one rule a test: what pushes store, what pops bring
 * back, when stacks unwind, what traps.
 *
 * Masks come from machine_flags: lanes in the Z flag of C0 are those that C0.EQ picks.
 */
#include "tests/lib/check.h"

#include "tests/lib/machine.h"

#define K ".kernel k\n"

/* Runs a kernel of one warp whose C0 is EQ for `z` and C1 for `z1`. */
static struct machine run_masks(const char *profile, uint32_t threads, uint32_t z, uint32_t z1,
                                const char *text)
{
    struct machine m = machine_start(profile, threads, text);
    machine_flags(&m, 0, 0, z);
    machine_flags(&m, 0, 1, z1);
    machine_run(&m);
    return m;
}

static void assert_event(const struct machine *m, int n, int push, int le, enum sm_le_id id,
                         uint32_t tm, uint32_t spc)
{
    struct sm_stack_event e = machine_event(m, n);
    if (e.push != push || e.le != le || e.id != id || e.tm != tm || e.spc != spc)
        printf("\n    event %d: %s le%d id=%d tm=%08x spc=%x\n", n, e.push ? "push" : "pop", e.le,
               e.id, e.tm, e.spc);
    CU_ASSERT_EQUAL(e.push, push);
    CU_ASSERT_EQUAL(e.le, le);
    CU_ASSERT_EQUAL(e.id, id);
    CU_ASSERT_EQUAL(e.tm, tm);
    CU_ASSERT_EQUAL(e.spc, spc);
}

/* Warp 0 executed exactly these, as pairs of PC and active mask before the instruction. */
struct step {
    uint32_t pc, active;
};

static void assert_path(const struct machine *m, const struct step *want, int n)
{
    for (int i = 0; i < n; i++) {
        const struct sm_commit *c = machine_commit(m, 0, COMMIT_INSTRUCTION, i);
        CU_ASSERT_PTR_NOT_NULL(c);
        if (!c)
            return;
        if (c->pc != want[i].pc || c->active != want[i].active)
            printf("\n    step %d: pc %x mask %08x, wanted %x %08x\n", i, c->pc, c->active,
                   want[i].pc, want[i].active);
        CU_ASSERT_EQUAL(c->pc, want[i].pc);
        CU_ASSERT_EQUAL(c->active, want[i].active);
    }
    CU_ASSERT_PTR_NULL(machine_commit(m, 0, COMMIT_INSTRUCTION, n));
}
#define ASSERT_PATH(m, ...)                                                                        \
    assert_path(m, (const struct step[]){__VA_ARGS__},                                             \
                (int)(sizeof((const struct step[]){__VA_ARGS__}) / sizeof(struct step)))

#define ALL 0xffffffffu

/* ---- what is pushed ---- */

static void ssy_pushes_its_target_and_the_active_mask(void)
{
    struct machine m = run_masks("g80", 20, 0, 0, K "SSY 0x20\nNOP.EXIT");
    assert_event(&m, 0, 1, 1, LE_SYNC, 0xfffff, 0x20);
    ASSERT_FINISHED(m);
    machine_end(&m);
}

static void pbk_pushes_its_target_and_the_active_mask(void)
{
    struct machine m = run_masks("g80", 20, 0, 0, K "NOP\nPBK 0x40\nNOP.EXIT");
    assert_event(&m, 0, 1, 1, LE_BREAK, 0xfffff, 0x40);
    machine_end(&m);
}

static void cal_pushes_the_next_instruction_and_the_active_mask(void)
{
    struct machine m = run_masks("g80", 20, 0, 0, K "NOP\nCAL.NOINC f\nNOP\nf: NOP.EXIT");
    assert_event(&m, 0, 1, 1, LE_CALL, 0xfffff, 0x10);
    machine_end(&m);
}

static void divergent_bra_pushes_the_fall_through_path_and_who_takes_it(void)
{
    struct machine m = run_masks("g80", 20, 0xf0, 0, K "NOP\nBRA C0.EQ, f\nNOP\nf: NOP.EXIT");
    assert_event(&m, 0, 1, 1, LE_DIVERGE, 0xfff0f, 0x10);
    machine_end(&m);
}

static void a_push_stores_the_active_mask_not_that_of_the_predicate(void)
{
    /* SSY, PBK and CAL ignore their predicate field */
    struct machine m = run_masks("g80", 32, 0xf, 0,
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
    struct machine m = run_masks("g80", 32, 0xff, 0, K "BRA C0.EQ, f\nNOP.EXIT\nf: NOP.EXIT");
    ASSERT_PATH(&m, {0, ALL}, {0x10, 0xff}, {8, ~0xffu});
    machine_end(&m);
}

static void bra_that_all_active_threads_take_pushes_nothing(void)
{
    struct machine m = run_masks("g80", 8, 0xff, 0, K "BRA C0.EQ, f\nNOP.EXIT\nf: NOP.EXIT");
    ASSERT_PATH(&m, {0, 0xff}, {0x10, 0xff});
    CU_ASSERT_EQUAL(machine_events(&m), 0);
    machine_end(&m);
}

static void bra_that_no_active_thread_takes_pushes_nothing(void)
{
    struct machine m = run_masks("g80", 8, ~0xffu, 0, K "BRA C0.EQ, f\nNOP.EXIT\nf: NOP.EXIT");
    ASSERT_PATH(&m, {0, 0xff}, {8, 0xff});
    CU_ASSERT_EQUAL(machine_events(&m), 0);
    machine_end(&m);
}

static void if_else_joins_again(void)
{
    struct machine m = run_masks("tiny", 32, 0xff, 0,
                                 K "SSY sync\nBRA C0.EQ, then\nNOP\nBRA sync\nthen: NOP\nsync: "
                                   "NOP.S\nNOP.EXIT");
    ASSERT_PATH(&m, {0, ALL}, {8, ALL}, {0x20, 0xff}, {0x28, 0xff}, {0x10, ~0xffu}, {0x18, ~0xffu},
                {0x28, ~0xffu}, {0x30, ALL});
    assert_event(&m, 0, 1, 1, LE_SYNC, ALL, 0x28);
    assert_event(&m, 1, 1, 2, LE_DIVERGE, ~0xffu, 0x10);
    assert_event(&m, 2, 0, 2, LE_DIVERGE, ~0xffu, 0x10);
    assert_event(&m, 3, 0, 1, LE_SYNC, ALL, 0x28);
    CU_ASSERT_EQUAL(machine_events(&m), 4);
    machine_end(&m);
}

/* ---- what a pop does ---- */

static void pop_adds_8_to_spc_for_sync_only(void)
{
    /* DIVERGE, CALL and BREAK go on at SPC itself */
    struct machine m = run_masks("g80", 32, 0xff, 0,
                                 K "SSY 0x10\n" /* 00: the join lies at 10 */
                                   "BRA C0.EQ, 0x10\n"
                                   "NOP.S\n" /* 10: first pops DIVERGE to 10, then SYNC to 18 */
                                   "CAL.NOINC f\n"
                                   "PBK b\n" /* 20: CALL comes back here */
                                   "BRK\n"
                                   "NOP\n"
                                   "b: NOP.EXIT\n" /* 38 */
                                   "f: RET");
    ASSERT_PATH(&m, {0, ALL}, {8, ALL}, {0x10, 0xff}, {0x10, ~0xffu}, {0x18, ALL}, {0x40, ALL},
                {0x20, ALL}, {0x28, ALL}, {0x38, ALL});
    ASSERT_FINISHED(m);
    machine_end(&m);
}

static void call_revives_the_returned_threads_of_its_mask(void)
{
    struct machine m = run_masks("g80", 32, 0xff, 0, K "CAL.NOINC f\nNOP.EXIT\nf: RET C0.EQ\nRET");
    ASSERT_PATH(&m, {0, ALL}, {0x10, ALL}, {0x18, ~0xffu}, {8, ALL});
    ASSERT_FINISHED(m);
    machine_end(&m);
}

static void call_does_not_revive_threads_outside_its_mask(void)
{
    /* lanes of C0 return before the call: ended, as far as it is concerned */
    struct machine m = run_masks("g80", 32, 0xff, 0, K "RET C0.EQ\nCAL.NOINC f\nNOP.EXIT\nf: RET");
    ASSERT_PATH(&m, {0, ALL}, {8, ~0xffu}, {0x18, ~0xffu}, {0x10, ~0xffu});
    ASSERT_FINISHED(m);
    machine_end(&m);
}

static void call_leaves_broken_threads_broken_until_break(void)
{
    struct machine m = run_masks("g80", 32, 0xff, 0,
                                 K "PBK b\nCAL.NOINC f\nBRK\nb: NOP.EXIT\nf: BRK C0.EQ\nRET");
    ASSERT_PATH(&m, {0, ALL}, {8, ALL}, {0x20, ALL}, {0x28, ~0xffu}, {0x10, ~0xffu}, {0x18, ALL});
    ASSERT_FINISHED(m);
    machine_end(&m);
}

static void break_leaves_returned_threads_returned_until_call(void)
{
    struct machine m = run_masks("g80", 32, 0xff, 0,
                                 K "CAL.NOINC f\nNOP.EXIT\nf: PBK b\nRET C0.EQ\nBRK\nb: RET");
    ASSERT_PATH(&m, {0, ALL}, {0x10, ALL}, {0x18, ALL}, {0x20, ~0xffu}, {0x28, ~0xffu}, {8, ALL});
    ASSERT_FINISHED(m);
    machine_end(&m);
}

static void exited_threads_are_never_revived(void)
{
    struct machine m = run_masks("g80", 32, 0xff, 0,
                                 K "PBK b\n"
                                   "CAL.NOINC f\n"
                                   "BRK\n"
                                   "b: NOP.EXIT\n"
                                   "f: BRA C0.EQ, gone\n" /* 20 */
                                   "RET\n"
                                   "gone: NOP.EXIT");
    ASSERT_PATH(&m, {0, ALL}, {8, ALL}, {0x20, ALL}, {0x30, 0xff}, {0x28, ~0xffu}, {0x10, ~0xffu},
                {0x18, ~0xffu});
    ASSERT_FINISHED(m);
    machine_end(&m);
}

static void sync_and_diverge_revive_nobody(void)
{
    /* returned and broken threads stay out when a SYNC entry that holds them is popped */
    struct machine m = run_masks("g80", 32, 0xff, 0xff00,
                                 K "PBK b\n"
                                   "CAL.NOINC f\n"
                                   "BRK\n"         /* 10 */
                                   "b: NOP.EXIT\n" /* 18 */
                                   "f: SSY join\n" /* 20 */
                                   "RET C0.EQ\n"   /* 28 */
                                   "BRK C1.EQ\n"   /* 30 */
                                   "join: NOP.S\n" /* 38 */
                                   "RET");         /* 40 */
    ASSERT_PATH(&m, {0, ALL}, {8, ALL}, {0x20, ALL}, {0x28, ALL}, {0x30, ~0xffu},
                {0x38, 0xffff0000}, {0x40, 0xffff0000}, {0x10, 0xffff00ff}, {0x18, ALL});
    ASSERT_FINISHED(m);
    machine_end(&m);
}

static void lanes_without_a_thread_start_exited(void)
{
    struct machine m = run_masks("g80", 5, 0, 0, K "CAL.NOINC f\nNOP.EXIT\nf: RET");
    ASSERT_PATH(&m, {0, 0x1f}, {0x10, 0x1f}, {8, 0x1f});
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
    struct machine m = run_masks("g80", 32, 0, 0,
                                 K "SSY j\nMVI R1, 1\nj: IADD.S R1 (C0.EQ), R1, R1\nNOP.EXIT");
    ASSERT_PATH(&m, {0, ALL}, {8, ALL}, {0x10, ALL}, {0x18, ALL});
    CU_ASSERT_EQUAL(machine_insn(&m, 2)->exec, 0);
    assert_event(&m, 1, 0, 1, LE_SYNC, ALL, 0x10);
    CU_ASSERT_EQUAL(machine_reg(&m, 0, 0, 1), 1);
    machine_end(&m);
}

static void the_instruction_with_the_join_flag_executes_under_the_mask_before_the_pop(void)
{
    struct machine m = run_masks("g80", 32, 0xff, 0,
                                 K "SSY j\nMVI R2, 1\nBRA C0.EQ, j\nMVI R2, 0x10\nj: IADD.S R1, "
                                   "R1, R2\nNOP.EXIT");
    for (int l = 0; l < 32; l++)
        CU_ASSERT_EQUAL(machine_reg(&m, 0, l, 1), l < 8 ? 1 : 0x10);
    machine_end(&m);
}

static void a_join_pops_once(void)
{
    struct machine m = run_masks("g80", 32, 0, 0, K "SSY a\nSSY b\nb: NOP.S\na: NOP.S\nNOP.EXIT");
    ASSERT_PATH(&m, {0, ALL}, {8, ALL}, {0x10, ALL}, {0x18, ALL}, {0x20, ALL});
    assert_event(&m, 2, 0, 2, LE_SYNC, ALL, 0x10);
    assert_event(&m, 3, 0, 1, LE_SYNC, ALL, 0x18);
    machine_end(&m);
}

static void join_on_an_empty_stack_traps(void)
{
    struct machine m = run_masks("g80", 32, 0, 0, K "NOP\nNOP.S\nNOP.EXIT");
    ASSERT_TRAP(m, STACK_UNDERFLOW);
    CU_ASSERT_EQUAL(m.sm->s.trap_warp, 0);
    machine_end(&m);
}

static void join_that_finds_call_traps(void)
{
    struct machine m = run_masks("g80", 32, 0, 0, K "CAL.NOINC f\nNOP.EXIT\nf: NOP.S\nRET");
    ASSERT_TRAP(m, STACK_MISMATCH);
    machine_end(&m);
}

static void join_that_finds_break_traps(void)
{
    struct machine m = run_masks("g80", 32, 0, 0, K "PBK b\nNOP.S\nb: NOP.EXIT");
    ASSERT_TRAP(m, STACK_MISMATCH);
    machine_end(&m);
}

static void unwinding_pops_any_kind_of_entry(void)
{
    struct machine m = run_masks("g80", 32, 0xff, 0,
                                 K "BRA C0.EQ, a\nNOP.EXIT\na: CAL.NOINC f\nf: PBK b\nb: SSY "
                                   "c\nc: NOP.EXIT");
    /* the eight lanes of C0 exit with four entries above the others' DIVERGE */
    ASSERT_PATH(&m, {0, ALL}, {0x10, 0xff}, {0x18, 0xff}, {0x20, 0xff}, {0x28, 0xff}, {8, ~0xffu});
    assert_event(&m, 4, 0, 4, LE_SYNC, 0xff, 0x28);
    assert_event(&m, 5, 0, 3, LE_BREAK, 0xff, 0x20);
    assert_event(&m, 6, 0, 2, LE_CALL, 0xff, 0x18);
    assert_event(&m, 7, 0, 1, LE_DIVERGE, ~0xffu, 8);
    ASSERT_FINISHED(m);
    machine_end(&m);
}

static void unwinding_pops_one_entry_a_cycle_from_the_instructions_own(void)
{
    struct machine m = run_masks("g80", 32, 0, 0, K "SSY 0x40\nSSY 0x40\nSSY 0x40\nNOP.EXIT");
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
    CU_ASSERT_EQUAL(sm_cycles(m.sm), exits->cycle + 3);
    ASSERT_FINISHED(m);
    machine_end(&m);
}

static void a_join_that_leaves_nobody_unwinds_from_the_next_cycle(void)
{
    /* only a fault makes such an entry: TM of the second SYNC is cleared behind its push */
    struct machine m = machine_start("g80", 32, K "SSY 0x20\nSSY 0x10\nNOP.S\nNOP\nNOP\nNOP.EXIT");
    machine_run_instructions(&m, 2);
    m.sm->s.warp[0].tm[1] = 0;
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
    struct machine m = run_masks("g80", 32, 0xff, 0, K "RET C0.EQ\nRET");
    ASSERT_FINISHED(m);
    machine_end(&m);
}

static void active_threads_in_no_entry_end_with_the_warp(void)
{
    /* a faulty TM loses all lanes but one; they are `active` still when the last one exits */
    struct machine m = machine_start("g80", 32, K "SSY 8\nNOP.S\nNOP.EXIT");
    machine_run_instructions(&m, 1);
    m.sm->s.warp[0].tm[0] = 1;
    machine_run(&m);
    CU_ASSERT_EQUAL(machine_insn(&m, 1)->active, 1);
    CU_ASSERT_EQUAL(m.sm->s.warp[0].ts[0] | m.sm->s.warp[0].ts[1], 1);
    ASSERT_FINISHED(m);
    machine_end(&m);
}

static void a_warp_that_ends_with_broken_threads_traps(void)
{
    struct machine m = run_masks("g80", 32, 0xff, 0, K "BRK C0.EQ\nNOP.EXIT");
    ASSERT_TRAP(m, STACK_MISMATCH);
    machine_end(&m);
}

static void break_with_an_empty_stack_traps(void)
{
    struct machine m = run_masks("g80", 32, 0, 0, K "BRK\nNOP.EXIT");
    ASSERT_TRAP(m, STACK_MISMATCH);
    machine_end(&m);
}

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
    assert_event(&m, 3, 1, 4, LE_SYNC, ALL, 0x20);
    machine_end(&m);
    m = run_nest("tiny", 5);
    ASSERT_TRAP(m, STACK_OVERFLOW);
    CU_ASSERT_EQUAL(m.sm->s.trap_pc, 4 * 8);
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
    CU_ASSERT_EQUAL(m.sm->s.trap_pc, 32 * 8);
    machine_end(&m);
}

static void g80_spills_behind_its_32_entries_and_traps_behind_the_spill_area(void)
{
    struct machine m = run_nest("g80", 96);
    ASSERT_FINISHED(m);
    assert_event(&m, 95, 1, 96, LE_SYNC, ALL, 96 * 8);
    assert_event(&m, 96, 0, 96, LE_SYNC, ALL, 96 * 8);
    machine_end(&m);
    m = run_nest("g80", 97);
    ASSERT_TRAP(m, STACK_OVERFLOW);
    machine_end(&m);
}

static void every_spilled_push_and_pop_costs_the_spill_latency(void)
{
    struct machine m = run_nest("g80", 32), n = run_nest("g80", 33);
    uint64_t more = sm_cycles(n.sm) - sm_cycles(m.sm);
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
    CU_ASSERT_EQUAL(m.sm->s.warp[0].spc[1], 0x10);
    CU_ASSERT_EQUAL(m.sm->s.warp[1].spc[1], 0x10);
    machine_end(&m);
}

/* ---- addresses ---- */

static void spc_bits_2_to_0_are_written_0(void)
{
    struct machine m = machine_start("g80", 32, K "SSY 8\nNOP.S\nNOP.EXIT");
    m.sm->s.warp[0].spc[0] = ALL;
    machine_run_instructions(&m, 1);
    CU_ASSERT_EQUAL(m.sm->s.warp[0].spc[0], 8);
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
        ASSERT_PATH(&m, {0, ALL}, {8, ALL}, {0x18, 0xff}, {0x10, ~0xffu}, {0x18, ~0xffu},
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
        CU_ASSERT_EQUAL(m.sm->s.trap_pc, 8);
        machine_end(&m);
    }
}

static void shorts_run_at_4_mod_8(void)
{
    struct machine m = run_masks("g80", 32, 0, 0,
                                 K "MVI R1, 5\nIADD32 R2, R1, R1\nIADD32 R3, R2, R1\nNOP.EXIT");
    ASSERT_PATH(&m, {0, ALL}, {8, ALL}, {0xc, ALL}, {0x10, ALL});
    CU_ASSERT_EQUAL(machine_reg(&m, 0, 9, 3), 15);
    machine_end(&m);
}

static void two_word_instruction_at_4_mod_8_traps(void)
{
    /* the words of a NOP at 4; only a faulty PC gets there without a trap on the way */
    struct machine m = start_patched("g80", K "NOP\nNOP\nNOP.EXIT", 4, 0xf0000001, 0xe0000000);
    sm_run(m.sm, 4); /* the block has started, nothing is fetched yet */
    m.sm->s.warp[0].pc = 4;
    machine_run(&m);
    ASSERT_TRAP(m, FETCH_MISALIGNED);
    CU_ASSERT_EQUAL(m.sm->s.trap_pc, 4);
    machine_end(&m);
}

static void g80_ignores_target_bits_31_to_24(void)
{
    struct machine m = start_patched("g80", K "NOP\nNOP\nNOP\nNOP.EXIT", 0, 0x10000003 | 6u << 11,
                                     0x780 | 0xffu << 20);
    machine_run(&m);
    ASSERT_PATH(&m, {0, ALL}, {0x18, ALL});
    ASSERT_FINISHED(m);
    machine_end(&m);
}

static void flexgripplus_branches_to_32_bit_addresses(void)
{
    struct machine m = run_masks("flexgripplus", 32, 0, 0,
                                 K "SSY 0x89abcde8\nBRA far\nNOP.EXIT\n.org 0x89abcde0\nfar: "
                                   "NOP\nNOP.S\nNOP.EXIT");
    assert_event(&m, 0, 1, 1, LE_SYNC, ALL, 0x89abcde8);
    ASSERT_PATH(&m, {0, ALL}, {8, ALL}, {0x89abcde0, ALL}, {0x89abcde8, ALL}, {0x89abcdf0, ALL});
    ASSERT_FINISHED(m);
    machine_end(&m);
}

static void pc_and_spc_additions_wrap(void)
{
    struct machine m = run_masks("flexgripplus", 32, 0, 0,
                                 K "NOP.EXIT\n"
                                   ".org 0x100\n"
                                   "SSY last\n"
                                   "BRA last\n"
                                   ".org 0xfffffff8\n"
                                   "last: NOP.S");
    ASSERT_PATH(&m, {0, ALL});
    machine_end(&m);
    m = machine_start("flexgripplus", 32,
                      K "NOP.EXIT\n.org 0x100\nSSY last\nBRA last\n.org 0xfffffff8\nlast: NOP.S");
    sm_run(m.sm, 4);
    m.sm->s.warp[0].pc = 0x100;
    machine_run(&m);
    ASSERT_PATH(&m, {0x100, ALL}, {0x108, ALL}, {0xfffffff8, ALL}, {0, ALL});
    ASSERT_FINISHED(m);
    machine_end(&m);
}

/* ---- faults in the stack ---- */

static void a_stuck_mask_bit_acts_when_the_entry_is_popped(void)
{
    struct machine m = machine_start("g80", 32, K "SSY 8\nNOP.S\nNOP.EXIT");
    machine_stick(&m, machine_cell(&m, "dstack", 0, 7, 0, 0), 0);
    machine_run(&m);
    ASSERT_PATH(&m, {0, ALL}, {8, ALL}, {0x10, ~0x80u});
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
    ASSERT_PATH(&m, {0, ALL}, {8, ALL}, {0x10, ALL});
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
    assert_event(&m, 30, 1, 31, LE_SYNC, ALL, machine_event(&m, 30).spc);
    assert_event(&m, 31, 0, 31, LE_SYNC, ALL, machine_event(&m, 30).spc);
    assert_event(&m, 61, 0, 1, LE_SYNC, ALL, machine_event(&m, 0).spc);
    machine_end(&m);
}

static void a_join_may_go_on_behind_itself_after_sync(void)
{
    struct machine m = run_masks(FLEX, 32, 0, 0, K "SSY 0x20\nSSY 0x28\nNOP.S\nNOP.EXIT");
    ASSERT_PATH(&m, {0, ALL}, {8, ALL}, {0x10, ALL}, {0x18, ALL}, {0x20, ALL}, {0x20, ALL});
    machine_end(
        &m); /* 0x20 is the RET: it pops the SYNC that is left, and the second time ends the warp */
}

static void a_join_may_go_on_behind_itself_after_the_last_entry_of_any_kind(void)
{
    struct machine m = run_masks(FLEX, 32, 0xff, 0, K "BRA C0.EQ, 0x10\nNOP\nNOP\nNOP.S\nNOP.EXIT");
    ASSERT_PATH(&m, {0, ALL}, {0x10, 0xff}, {0x18, 0xff}, {0x20, ~0xffu}, {0x28, ~0xffu});
    ASSERT_FINISHED(m);
    machine_end(&m);
}

static void a_join_takes_the_address_of_what_is_neither_sync_nor_last(void)
{
    struct machine m = run_masks(FLEX, 32, 0xff, 0,
                                 K "SSY 0x18\nBRA C0.EQ, 0x18\nMVI R0, 1\nNOP.S\nNOP.EXIT");
    ASSERT_PATH(&m, {0, ALL}, {8, ALL}, {0x18, 0xff}, {0x10, ~0xffu}, {0x18, ~0xffu}, {0x20, ALL},
                {0x28, ALL});
    ASSERT_FINISHED(m);
    machine_end(&m);
}

static void a_join_may_pop_what_a_call_or_a_prebreak_pushed(void)
{
    struct machine m = run_masks(
        FLEX, 32, 0, 0, K "SSY 0x28\nCAL 0x28\nBRA 0x30\nNOP\nNOP\nNOP.S\nNOP.S\nNOP.EXIT");
    ASSERT_PATH(&m, {0, ALL}, {8, ALL}, {0x28, ALL}, {0x10, ALL}, {0x30, ALL}, {0x38, ALL},
                {0x40, ALL});
    ASSERT_FINISHED(m);
    machine_end(&m);
}

static void a_join_on_an_empty_stack_may_restore_the_threads_of_the_start(void)
{
    struct machine m = run_masks(FLEX, 20, 0xff, 0, K "RET C0.EQ\nMVI R0, 1\nNOP.S\nNOP.EXIT");
    ASSERT_PATH(&m, {0, 0xfffff}, {8, 0xfff00}, {0x10, 0xfff00}, {0x18, 0xfffff}, {0x20, 0xfffff});
    ASSERT_FINISHED(m);
    machine_end(&m);
}

static void ret_may_pop_an_entry_of_any_kind_and_go_on_at_its_address(void)
{
    struct machine m = run_masks(FLEX, 32, 0, 0, K "SSY 0x18\nRET\nNOP\nNOP\nMVI R0, 1\nNOP.EXIT");
    ASSERT_PATH(&m, {0, ALL}, {8, ALL}, {0x18, ALL}, {0x20, ALL}, {0x28, ALL}, {0x30, ALL});
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
        CU_ASSERT_EQUAL(m.sm->s.trap == TRAP_FETCH_UNMAPPED, list[i].taken);
        CU_ASSERT_EQUAL(m.sm->s.done, !list[i].taken);
        machine_end(&m);
    }
}

int main(void)
{
    return CHECK_RUN(
        "stack", CHECK(a_push_is_lost_where_the_profile_drops_it),
        CHECK(a_join_may_go_on_behind_itself_after_sync),
        CHECK(a_join_may_go_on_behind_itself_after_the_last_entry_of_any_kind),
        CHECK(a_join_takes_the_address_of_what_is_neither_sync_nor_last),
        CHECK(a_join_may_pop_what_a_call_or_a_prebreak_pushed),
        CHECK(a_join_on_an_empty_stack_may_restore_the_threads_of_the_start),
        CHECK(ret_may_pop_an_entry_of_any_kind_and_go_on_at_its_address),
        CHECK(a_pop_takes_no_more_bits_of_spc_than_fetch_sees),
        CHECK(ssy_pushes_its_target_and_the_active_mask),
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
        CHECK(a_warp_that_ends_with_broken_threads_traps), CHECK(break_with_an_empty_stack_traps),
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
