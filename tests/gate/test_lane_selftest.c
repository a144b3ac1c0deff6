/* test_lane_selftest.c -- self-tests of a lane's gates: a group shows what it says, a program holds all groups that it needs,
 * and the judge, who knows the job alone, finds every fault that was promised.
 */
#include "tests/lib/check.h"
#include "tests/lib/tools.h"

#include <string.h>

#include "asm/cubin/cubin.h"
#include "asm/isa/isa.h"
#include "asm/sasm/sasm.h"
#include "base/random.h"
#include "faultsim/lane/constraints.h"
#include "faultsim/lane/forms.h"
#include "faultsim/lane/groups.h"
#include "gen/lane/lane.h"
#include "netlists.h"

static struct unit opened(enum vector_unit which)
{
    struct unit u;
    struct fl_err err = {""};
    char *path = fl_format(FAULTLINE_BUILD_DIR "/gates/%s.blif", lane_name(which));
    if (unit_open(path, &lane_kind, which, &u, &err) != 0)
        CU_FAIL_FATAL("no netlist");
    free(path);
    return u;
}

static void every_control_word_has_a_form(void)
{
    for (int which = VECTOR_INT; which <= VECTOR_CVT; which += VECTOR_CVT - VECTOR_INT) {
        struct unit u = opened((enum vector_unit)which);
        struct forms f = forms_of(&u);
        struct fl_buf text = {0};
        CU_ASSERT_EQUAL(f.count, constraints_print(&u, &text));
        fl_buf_free(&text);
        forms_free(&f);
        unit_close(&u);
    }
}

/* With operands that are 0, which every instruction can have, some instruction writes what is watched: the form does. */
static void a_form_writes_all_that_is_watched(void)
{
    struct unit u = opened(VECTOR_INT);
    struct forms f = forms_of(&u);
    struct fl_buf text = {0};
    struct fl_err err = {""};
    struct gate_constraints *c = NULL;
    constraints_print(&u, &text);
    CU_ASSERT_EQUAL_FATAL(gate_constraints_text("it", (char *)text.data, u.netlist, &c, &err), 0);
    for (uint32_t i = 0; i < f.count; i++) {
        uint64_t source[256], seen[VECTOR_OUTPUTS], all = 0;
        for (uint32_t k = 0; k < u.netlist->inputs; k++)
            source[k] = vector_bit(&f.form[i].word, u.place[k]);
        gate_constraints_watched(c, u.netlist->outputs, source, seen);
        for (uint32_t o = 0; o < u.netlist->outputs; o++)
            all |= (seen[o] & 1) << u.output[o];
        CU_ASSERT_EQUAL(all, f.form[i].written);
    }
    gate_constraints_free(c);
    fl_buf_free(&text);
    forms_free(&f);
    unit_close(&u);
}

/* The instruction that sasm makes of a line. */
static struct isa_insn assembled(const char *line)
{
    struct cubin *c = NULL;
    struct fl_err err = {""};
    struct isa_insn in = {.op = OP_COUNT};
    uint32_t word[2];
    char *text = fl_format(".kernel k\n.regs 32\n    %s\n", line);
    if (sasm_assemble("it.sasm", text, &c, &err) != 0)
        CU_FAIL_FATAL("sasm refuses the text of a form");
    memcpy(word, c->kernel[0].code[0].bytes, sizeof word);
    isa_decode(word[0], word[1], true, ISA_1_0, &in);
    cubin_free(c);
    free(text);
    return in;
}

static void a_form_assembled_puts_its_word_on_the_ports(void)
{
    struct unit u = opened(VECTOR_INT);
    struct forms f = forms_of(&u);
    for (uint32_t i = 0; i < f.count; i += 7)
        for (int carry = 0; carry < 2; carry++) {
            struct isa_insn in = assembled(f.form[i].text[carry]);
            struct vector v = vector_of(&in, lane_which(&u));
            CU_ASSERT_EQUAL(forms_find(&f, &u, &v), i);
            CU_ASSERT_EQUAL(in.cc_src, 2 + carry);
            CU_ASSERT_EQUAL(in.src[0].kind == ISA_S, f.form[i].memory);
            CU_ASSERT_EQUAL(vector_written(&in), f.form[i].written);
        }
    forms_free(&f);
    unit_close(&u);
}

/* Groups of alu_cvt of random vectors, few of each form: made once. */
static char *dir;
static struct unit unit;

static void make_groups(void)
{
    struct fl_buf text = {0};
    unit = opened(VECTOR_CVT);
    groups_print(&unit, NULL, 6, 1, 1, &text); /* three for each value of the carry */
    tools_put(dir, "it.groups", text.data, text.size);
    fl_buf_free(&text);
}

static struct lane_groups *loaded(void)
{
    struct lane_groups *g = NULL;
    if (!unit.netlist)
        make_groups();
    struct fl_err err = {""};
    char *path = fl_format("%s/it.groups", dir);
    int bad = lane_groups_load(path, &g, &err);
    free(path);
    if (bad) {
        puts(err.msg);
        CU_FAIL_FATAL("no groups");
    }
    return g;
}

static long left(struct lane_groups *g, const char *text, struct fl_err *err)
{
    char *path = fl_format("%s/it.left", dir);
    tools_put(dir, "it.left", text, strlen(text));
    long count = lane_groups_left(g, path, err);
    free(path);
    return count;
}

/* By an evaluator of one fault and one vector: outputs that the group's instruction writes. The sets come one behind the other. */
static bool shown(const struct unit *u, const struct lane_group *group, enum gate_model model,
                  uint32_t fault)
{
    struct isa_insn in = assembled(group->insn);
    uint64_t written = vector_written(&in) & (group->flags ? ~0ull : 0xffffffff);
    uint8_t input[256];
    bool any = false;
    struct naive good = naive_new(u->netlist, model, UINT32_MAX),
                 bad = naive_new(u->netlist, model, fault);
    for (int k = 0; k < LANE_SETS; k++) {
        uint32_t x[3] = {0};
        for (int o = 0; o < group->operands; o++)
            x[group->operand[o].to[0] == 'R' ? group->operand[o].to[1] - '1' : 0] =
                group->operand[o].word[k];
        struct vector v = vector_with_operands(vector_of(&in, lane_which(u)), x[0], x[1], x[2],
                                               in.cc_src == 3);
        for (uint32_t i = 0; i < u->netlist->inputs; i++)
            input[i] = vector_bit(&v, u->place[i]);
        naive_eval(&good, input);
        naive_eval(&bad, input);
        for (uint32_t o = 0; o < u->netlist->outputs; o++)
            if (good.watched[o] != bad.watched[o] && written >> u->output[o] & 1)
                any |= lane_alone(u, &v); /* else another unit may hide it */
        naive_clock(&bad);
    }
    naive_free(&good);
    naive_free(&bad);
    return any;
}

static void a_group_shows_what_it_says(void)
{
    struct lane_groups *g = loaded();
    uint64_t seed = 1;
    int both[2][2] = {{0}};
    struct gate_faults *slow = gate_faults_new(unit.netlist, GATE_TRANSITION);
    CU_ASSERT_EQUAL(g->first_slow, (long)unit.faults->count);
    CU_ASSERT_EQUAL(g->faults, (long)(unit.faults->count + slow->count));
    for (int n = 0; n < 500; n++) {
        const struct lane_group *group = &g->group[fl_random(&seed) % (uint64_t)g->count];
        const struct gate_faults *of = n % 2 ? slow : unit.faults;
        uint32_t at = (uint32_t)(fl_random(&seed) % of->count),
                 f = at + (n % 2 ? unit.faults->count : 0);
        struct isa_insn in = assembled(group->insn);
        bool says = group->shows[f / 64] >> f % 64 & 1;
        if (vector_unit_of(in.op) != VECTOR_CVT)
            continue;
        CU_ASSERT_EQUAL(says, shown(&unit, group, of->model, of->fault[at]));
        both[n % 2][says]++;
    }
    CU_ASSERT(both[0][0] > 5 && both[0][1] > 5 && both[1][0] > 5 && both[1][1] > 2);
    gate_faults_free(slow);
    lane_groups_free(g);
}

/* How many of the chosen groups show a fault. */
static int times(const struct lane_groups *g, const int *chosen, int count, int but, long fault)
{
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += i != but && g->group[chosen[i]].shows[fault / 64] >> fault % 64 & 1;
    return sum;
}

static void chosen_groups_show_every_fault_and_none_is_superfluous(void)
{
    struct lane_groups *g = loaded();
    int count, *chosen = lane_cover(g, &count);
    for (long f = 0; f < g->faults; f++)
        CU_ASSERT(g->wanted[f] == 0 || times(g, chosen, count, -1, f) > 0);
    for (int i = 0; i < count; i++) {
        bool needed = false;
        for (long f = 0; f < g->faults && !needed; f++)
            needed = g->wanted[f] && !times(g, chosen, count, i, f);
        CU_ASSERT(needed);
    }
    free(chosen);
    lane_groups_free(g);
}

static void a_fault_that_is_left_is_shown_once_more(void)
{
    struct fl_err err = {""};
    struct lane_groups *g = loaded();
    long fault = 0;
    for (long f = 0, most = 0; f < g->faults; f++) { /* one that many groups show */
        long n = 0;
        for (int k = 0; k < g->count; k++)
            n += g->group[k].shows[f / 64] >> f % 64 & 1;
        if (n > most && n < 20)
            most = n, fault = f;
    }
    char *text = fl_format(
        "# a remark\nit,gate/alu_cvt.sp0/%s,masked\nit,gate/sfu.sp0/n3:sa0,masked\n",
        g->fault[fault]);
    CU_ASSERT_EQUAL(left(g, text, &err), 1);
    int count, *chosen = lane_cover(g, &count);
    CU_ASSERT(times(g, chosen, count, -1, fault) >= 2);
    free(text);
    free(chosen);
    lane_groups_free(g);
}

/* A judge's list of slow gates: those that are no longer there are wanted, found ones are not, and so many that suffice. */
static void slow_gates_that_are_left_are_shown_as_many_as_suffice(void)
{
    struct fl_err err = {""};
    struct lane_groups *g = loaded();
    int count, more, *chosen = lane_cover(g, &count);
    struct fl_buf text = {0};
    long missing = 0, shown_now = 0;
    for (long f = g->first_slow; f < g->faults; f++) {
        bool can = false, has = times(g, chosen, count, -1, f) > 0;
        for (int k = 0; k < g->count; k++)
            can |= g->group[k].shows[f / 64] >> f % 64 & 1;
        missing += can && !has;
        fl_buf_printf(&text, "it,gate/alu_cvt.sp0/%s,%s,\n", g->fault[f],
                      has ? "sdc,detected" : "masked,undetected");
    }
    CU_ASSERT(missing > 20);
    fl_buf_add(&text, "", 1);
    CU_ASSERT_EQUAL(left(g, (char *)text.data, &err), missing);
    for (long f = 0; f < g->faults; f++)
        CU_ASSERT(g->wanted[f] < 2);
    free(chosen);
    chosen = lane_cover(g, &more);
    CU_ASSERT(more > count);
    for (long f = 0; f < g->faults; f++)
        CU_ASSERT(g->wanted[f] == 0 || times(g, chosen, more, -1, f) > 0);
    free(chosen);
    lane_groups_suffice(g, 10);
    chosen = lane_cover(g, &count);
    CU_ASSERT(count < more);
    for (long f = 0; f < g->faults; f++) {
        bool there = times(g, chosen, count, -1, f) > 0;
        CU_ASSERT(f >= g->first_slow || g->wanted[f] == 0 || there);
        shown_now += f >= g->first_slow && g->wanted[f] && there;
    }
    CU_ASSERT(shown_now >= 10);
    fl_buf_free(&text);
    free(chosen);
    lane_groups_free(g);
}

static void a_list_of_another_netlist_is_refused(void)
{
    struct fl_err err = {""};
    struct lane_groups *g = loaded();
    CU_ASSERT_EQUAL(left(g, "gate/alu_cvt/n99999:sa0\n", &err), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "another netlist"));
    lane_groups_free(g);
}

/* The judge has the job alone. Faults that the groups show are found in any SP, and none of them ends in a trap. */
static void the_judge_finds_what_was_promised(void)
{
    struct lane_groups *g = loaded();
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL_FATAL(
        tools_run(
            dir, &out,
            "sbstgen --unit cvt --groups it.groups --warps 3 --quiet && smrun "
            "alu_cvt-gates.job.xml --sign && "
            "smrun alu_cvt-gates.job.xml --expect && faultsim gate --unit alu_cvt "
            "--netlists " FAULTLINE_BUILD_DIR
            "/gates --sp 5 --sample 150 alu_cvt-gates.job.xml --quiet --csv-faults faults.csv"),
        0);
    struct fl_buf csv = {0};
    struct fl_err err = {""};
    char *path = fl_format("%s/faults.csv", dir);
    CU_ASSERT_EQUAL_FATAL(fl_read_file(path, &csv, &err), 0);
    int found = 0;
    for (long f = 0; f < g->faults; f++) {
        char *sdc = fl_format("/%s,sdc,", g->fault[f]), *any = fl_format("/%s,", g->fault[f]);
        if (g->wanted[f] && strstr((char *)csv.data, any)) {
            CU_ASSERT_PTR_NOT_NULL(strstr((char *)csv.data, sdc));
            found++;
        }
        free(sdc);
        free(any);
    }
    CU_ASSERT(found > 50);
    fl_buf_free(&out);
    fl_buf_free(&csv);
    free(path);
    lane_groups_free(g);
}

/* Four faults: the most wrong signatures decide; half as many elsewhere mean the fold, but only where the
 * integer unit's own program shows the fault. Of two the jobs have the names of earlier versions. */
static void the_unit_of_a_fault_is_that_whose_program_leaves_most_wrong_signatures(void)
{
    static const char row[] =
        "%s-gates,gate/u.sp%d/n%d:sa1,sdc,detected,9,99,signatures1+0x%x,%d,\n";
    static const struct {
        const char *program;
        int sp, net, byte, wrong;
    } saw[] = {
        {"alu_int", 5, 1, 0x52, 4}, {"alu_cvt", 5, 1, 0x1d3, 24}, {"sfu", 5, 1, 0x50, 4},
        {"alu-int", 2, 2, 0xa1, 3}, {"alu-fp", 2, 2, 0x20, 24},   {"sfu", 2, 2, 0x20, 22},
        {"alu_fp", 0, 3, 0x80, 20}, {"sfu", 0, 3, 0x3, 24},       {"alu_int", 7, 4, 0xf0, 24},
        {"cvt", 1, 6, 0x10, 9},     {"another", 7, 5, 0x70, 24}};
    struct fl_buf csv = {0};
    fl_buf_printf(&csv,
                  "job,id,outcome,class,first_activation_cycle,end_cycle,reason,elements,by\n");
    for (size_t i = 0; i < sizeof saw / sizeof *saw; i++)
        fl_buf_printf(&csv, row, saw[i].program, saw[i].sp, saw[i].net, (unsigned)saw[i].byte,
                      saw[i].wrong);
    char *path = fl_format("%s/diagnose.csv", dir);
    struct fl_err err = {""};
    CU_ASSERT_EQUAL_FATAL(fl_write_file(path, csv.data, csv.size, &err), 0);
    fl_buf_free(&csv);
    free(path);
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(
        tools_run(dir, &out, FAULTLINE_SOURCE_DIR "/scripts/lane-diagnose diagnose.csv"), 0);
    CU_ASSERT_STRING_EQUAL((char *)out.data, "id,unit,sp\n"
                                             "gate/u.sp5/n1:sa1,alu_cvt,5\n"
                                             "gate/u.sp2/n2:sa1,alu_int,2\n"
                                             "gate/u.sp0/n3:sa1,sfu,0\n"
                                             "gate/u.sp7/n4:sa1,alu_int,7\n"
                                             "gate/u.sp1/n6:sa1,alu_cvt,1\n");
    fl_buf_free(&out);
}

static void what_cannot_be_is_refused_in_words(void)
{
    tools_expect(dir, "sbstgen", "--unit cvt", 2, "needs --groups FILE");
    tools_expect(dir, "sbstgen", "--unit sfu --groups it.groups", 1, "are not for --unit sfu");
    tools_expect(dir, "sbstgen", "--unit cvt --groups it.groups --warps 17", 2, "has at most 16");
    tools_expect(dir, "sbstgen", "--unit cvt --groups it.groups --march c-", 2, "takes --groups");
    tools_expect(dir, "sbstgen", "--unit rf --groups it.groups", 2, "go with --unit alu_int");
    tools_expect_line(dir, FAULTLINE_SOURCE_DIR "/scripts/lane-selftest --goal most cvt 2>&1", 2,
                      "scripts/lane-selftest [--goal P]");
    tools_expect_line(dir, FAULTLINE_SOURCE_DIR "/scripts/lane-selftest --netlists no cvt 2>&1", 1,
                      "no/alu_cvt.blif");
    tools_expect_line(dir, FAULTLINE_SOURCE_DIR "/scripts/lane-selftest --netlists no alu-fp 2>&1",
                      1, "no/alu_fp.blif");
    tools_expect(dir, "sbstgen", "--unit cvt --groups it.groups --enough 9", 2,
                 "it goes with --left");
    tools_expect(dir, "faultsim",
                 "gate --unit alu_cvt --netlists " FAULTLINE_BUILD_DIR "/gates --groups .", 1,
                 "there are no vectors");
}

int main(void)
{
    dir = tools_folder();
    int status = CHECK_RUN(
        "lane_selftest", CHECK(every_control_word_has_a_form),
        CHECK(a_form_writes_all_that_is_watched),
        CHECK(a_form_assembled_puts_its_word_on_the_ports), CHECK(a_group_shows_what_it_says),
        CHECK(chosen_groups_show_every_fault_and_none_is_superfluous),
        CHECK(a_fault_that_is_left_is_shown_once_more),
        CHECK(slow_gates_that_are_left_are_shown_as_many_as_suffice),
        CHECK(a_list_of_another_netlist_is_refused), CHECK(the_judge_finds_what_was_promised),
        CHECK(the_unit_of_a_fault_is_that_whose_program_leaves_most_wrong_signatures),
        CHECK(what_cannot_be_is_refused_in_words));
    if (unit.netlist)
        unit_close(&unit);
    tools_remove(dir);
    return status;
}
