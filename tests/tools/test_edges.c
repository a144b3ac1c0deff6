/* test_edges.c -- the last value for which a rule holds, and the first for which it does not. */
#include "sm/gpu/access.h"
#include "tests/lib/tools.h"
#include "tests/lib/flips.h"

static void integers_come_to_f16_through_31_bits(void)
{
    static const struct {
        uint32_t from, to;
    } list[] = {{0x7fffff80, 0x7c00}, {0x7fffffe0, 0}, {0x80000000, 0}, {0x80000001, 0x3c00}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        char text[100];
        snprintf(text, sizeof text, ".kernel k\n.regs 4\nMVI R1, %u\nI2F.F16.U32 R0L, R1\nNOP.EXIT",
                 list[i].from);
        struct machine m = machine_start("tiny", 32, text);
        machine_run(&m);
        CU_ASSERT_EQUAL(machine_reg(&m, 0, 0, 0) & 0xffff, list[i].to);
        machine_end(&m);
    }
}

static void bit_16_of_a_register_is_the_lowest_of_its_high_half(void)
{
    struct machine m = machine_start("tiny", 32, ".kernel k\nNOP.EXIT");
    struct sm_cell c = machine_cell(&m, "rf", 0, 15, 0, 0);
    CU_ASSERT_EQUAL(sm_unit_of(m.img, &c).part, ACCESS_LOW_HALF);
    c.bit = 16;
    CU_ASSERT_EQUAL(sm_unit_of(m.img, &c).part, ACCESS_HIGH_HALF);
    machine_end(&m);
}

#define PUSHES                                                                                     \
    ".kernel k\n.regs 4\n.local 8\nSSY end\nNOP\nNOP\n"                                            \
    "end: NOP.S\nNOP.EXIT\n"

/* Code lies at multiples of 8. */
static void a_pop_reads_no_bit_of_spc_below_the_fourth(void)
{
    struct bench l = bench_open(faults_job("tiny", 1, 32, PUSHES), false);
    for (int bit = 0; bit < 8; bit++) {
        bool read = false;
        struct sm_cell c = {
            .structure = sm_structure_find(l.img, "dstack"), .field = 2, .bit = bit};
        for (uint64_t cycle = 0; cycle < l.g->cycles; cycle++)
            read |= access_class_at(l.t, &c, cycle).end == CLASS_READ;
        CU_ASSERT_EQUAL(read, bit >= 3);
    }
    bench_close(&l);
}

static void the_first_state_that_smrun_dumps_is_that_of_cycle_0(void)
{
    char *dir = tools_folder();
    tools_put(dir, "k.sasm", ".kernel k\nNOP.EXIT\n", 19);
    tools_expect(dir, "sasm k.sasm -o k.cubin; smrun",
                 "k.cubin --kernel k --profile tiny --dump-state 0", 0,
                 "state after 0 warp instructions");
    tools_remove(dir);
}

int main(void)
{
    return CHECK_RUN("edges", CHECK(integers_come_to_f16_through_31_bits),
                     CHECK(bit_16_of_a_register_is_the_lowest_of_its_high_half),
                     CHECK(a_pop_reads_no_bit_of_spc_below_the_fourth),
                     CHECK(the_first_state_that_smrun_dumps_is_that_of_cycle_0));
}
