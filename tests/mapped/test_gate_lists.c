/* test_gate_lists.c -- fault lists of other tools: what is written is read again, lines of public files are read, and what is no
 * list of the netlist is refused. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gate/lists/lists.h"
#include "mapped_cells.h"
#include "tests/lib/check.h"

static const char unit[] =
    "module t (input ck, a, b, output q); wire x, y; sub u (.a(a), .b(b), .y(x)); "
    "DFF r (.D(x), .CK(ck), .Q(q)); endmodule module sub (input a, b, output y); "
    "NAND2 \\g.1 (.A(a), .B(b), .Y(y)); endmodule";

static int read_list(const struct gate_netlist *n, const struct gate_faults *f, const char *text,
                     struct gate_listed *listed, struct fl_err *err)
{
    char path[] = "/tmp/test_gate_lists-XXXXXX";
    int file = mkstemp(path);
    CU_ASSERT_FATAL(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    close(file);
    int bad = gate_lists_read(path, n, f, listed, err);
    unlink(path);
    return bad;
}

static void what_is_written_is_read_again(void)
{
    struct gate_netlist *n = mapped_read(unit);
    for (int model = 0; model < 2; model++)
        for (int form = 0; form < GATE_FORMS; form++)
            for (int collapsed = 0; collapsed < 2; collapsed++) {
                struct gate_faults *f = gate_faults_new(n, (enum gate_model)model);
                struct gate_listed part;
                bool *wanted = fl_alloc(f->count * sizeof *wanted);
                uint8_t *status = fl_alloc(f->count);
                struct fl_buf text = {0};
                struct fl_err err = {""};
                for (uint32_t c = 0; c < f->count; c += 2)
                    wanted[c] = true;
                struct gate_faults *half = gate_faults_part(f, wanted);
                gate_lists_write(n, half, (enum gate_form)form, collapsed, status, &text);
                fl_buf_add(&text, "", 1);
                int bad = read_list(n, f, (const char *)text.data, &part, &err);
                if (bad || part.faults->count != half->count)
                    fprintf(stderr, "form %d, %d: %s\n%s", form, (int)part.form, err.msg,
                            (const char *)text.data);
                CU_ASSERT_FATAL(!bad && (int)part.form == form &&
                                part.faults->count == half->count);
                CU_ASSERT(memcmp(part.faults->fault, half->fault,
                                 half->count * sizeof *half->fault) == 0);
                gate_listed_free(&part);
                gate_faults_free(half);
                gate_faults_free(f);
                free(wanted);
                free(status);
                fl_buf_free(&text);
            }
    gate_netlist_free(n);
}

static void lines_of_other_tools_are_read(void)
{
    static const struct {
        const char *text;
        uint32_t classes; /* or 0: refused, with these words */
        const char *want;
    } row[] = {
        {" sa0   NC   a\n sa0   --   u/g.1/A\n sa1   DS   r/Q (DFF)\n", 2, NULL},
        {"sa1   UD   u/g.1/Y ( 1: 2/0/0 )\n", 1, NULL},
        {"    type    code   pin_pathname\n    ----   ------   -----\n  1    DS       /u/g.1/Y\n",
         1, NULL},
        {"  0    DS    /core/t/u/g.1/Y\n  1    EQ    /core/t/a\n", 2, NULL},
        {"FaultList one {\n <  1> ON 0 {PORT \"tb.dut.u.g.2.A\"}(* \"test1\"->PC=3055; *)\n"
         "  -- 1 {PORT \"tb.dut.u.g.1.Y\"}\n  UU 1 {PORT \"tb.dut.q\"}\n}\n",
         0, "'tb.dut.u.g.2.A' is no place"},
        {"FaultList one {\n <  1> ON 0 {PORT \"tb.dut.u.g.1.A\"}(* \"test1\"->PC=3055; *)\n"
         "  UU 1 {PORT \"tb.dut.q\"}\n}\n",
         2, NULL},
        {" sa0 NC a\n sa0 NC nobody/A\n", 0, ":2: 'nobody/A' is no place of unit.v"},
        {" sa0 NC top/a\n sa0 NC a\n", 0, ":2: 'a' is no place of unit.v behind the path 'top/'"},
        {" sa0 NC a\n str NC a\n", 0, ":2: 'str' is no stuck-at fault of tetramax"},
        {" sa0 a\n", 0, ":1: a line has a type, a class and a name"},
        {"  ON ~ {PORT \"t.a\"}\n", 0, ":1: bit flips (~)"},
        {"FaultList x {\n ON R {PORT \"t.a\"}\n}\n", 0, ":2: 'R' is no stuck-at fault"},
        {"FaultList x {\n ON 0 {PORT t.a}\n}\n", 0, ":2: a fault is written as"},
        {"FaultList x {\n}\n", 0, "the list names no fault"},
        {"FaultList x {\n ON 0 {PORT \"t.a\"}\n", 0, ":2: a } is missing: the list is cut short"},
        {"FaultList x {\n ON 0 {PORT \"t.a\"\n}\n", 0, ":3: a } is missing"},
        {" sa0 DS a\n sa1 QQ a\n", 0, ":2: 'QQ' is no class of tetramax"},
        {" sa0 -- a\n", 0, ":1: an equivalent fault (--) stands below"},
        {" sa0 DS a\n sa1 DS a\n sa0 UR a\n", 0, ":3: the fault is UR here and DS in line 1"},
        {" sa0 DS a\n sa0 DS a\n", 1, NULL},
        {" sa0 NC u/g.1/A\n sa1 UR u/g.1/Y\n sa0 DS u/g.1/B\n", 0,
         ":3: the fault is detected (DS), and an equivalent one in line 2 is undetectable"},
        {"FaultList x {\n NN 0 (7.52ns) {PORT \"t.a\"}\n NN 0 {FLOP \"t.r\"}\n}\n", 1, NULL},
        {"FaultList x {\n NN 0 {FLOP \"t.r\"}\n}\n", 0, "the list names no fault of a PORT"},
        {"FaultList x {\n NN 0 {PORT \"t.a\"} + {PORT \"t.b\"}\n}\n", 0,
         ":2: the line has several places"},
        {"FaultList x {\n N 0 {PORT \"t.a\"}\n}\n", 0, ":2: 'N' is no class of z01x"},
        {"  0 DS /a\n  1 UO.AAB /a\n", 2, NULL},
        {"  0 DS /a\n  1 NC /a\n", 0, ":2: 'NC' is no class of fastscan"},
        {"", 0, "no fault in it; write an id a line"},
        {"\n\n", 0, "no fault in it; write an id a line"},
        {"nonsense\n", 0, "the list does not say of which netlist it is"}};
    struct gate_netlist *n = mapped_read(unit);
    struct gate_faults *f = gate_faults_new(n, GATE_STUCK);
    struct gate_listed part;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct fl_err err = {""};
        int bad = read_list(n, f, row[i].text, &part, &err);
        bool right = row[i].classes ? !bad && part.faults->count == row[i].classes
                                    : bad && strstr(err.msg, row[i].want);
        if (!right)
            fprintf(stderr, "%s  says: %s\n", row[i].text, err.msg);
        CU_ASSERT(right);
        gate_listed_free(&part);
    }
    gate_faults_free(f);
    gate_netlist_free(n);
}

static void untestable_faults_have_their_reason(void)
{
    struct gate_netlist *n = mapped_read(
        "module t (input a, b, output y); wire z, v; NAND2 u (.A(a), "
        ".B(1'b1), .Y(y)); INV w (.A(b), .Y(z)); endmodule");
    struct gate_faults *f = gate_faults_new(n, GATE_STUCK);
    uint8_t *status = fl_alloc(f->count);
    static const struct {
        const char *id;
        enum gate_status want;
    } row[] = {{"u/B:sa1", GATE_IS_TIED}, {"w/A:sa0", GATE_IS_UNUSED}, {"w/Y:sa1", GATE_IS_UNUSED}};
    memset(status, GATE_IS_UNTESTABLE, f->count);
    gate_lists_refine(n, f, NULL, status);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        uint32_t fault;
        struct fl_err err;
        CU_ASSERT_FATAL(gate_fault_parse(n, GATE_STUCK, row[i].id, &fault, &err) == 0);
        CU_ASSERT_EQUAL(status[f->class_of[fault]], row[i].want);
    }
    free(status);
    gate_faults_free(f);
    gate_netlist_free(n);
}

static void undetectable_faults_of_a_list_are_undetectable_again(void)
{
    static const enum gate_status row[] = {
        GATE_IS_DETECTED,    GATE_IS_UNTESTABLE, GATE_IS_TIED,    GATE_IS_UNUSED,
        GATE_IS_CONSTRAINED, GATE_IS_UNOBSERVED, GATE_IS_POSSIBLE};
    struct gate_netlist *n = mapped_read(unit);
    struct gate_faults *f = gate_faults_new(n, GATE_STUCK);
    uint8_t *status = fl_alloc(f->count);
    for (uint32_t c = 0; c < f->count; c++)
        status[c] = row[c % (sizeof row / sizeof *row)];
    for (int form = GATE_FORM_TETRAMAX; form < GATE_FORMS; form++) {
        struct fl_buf text = {0};
        struct fl_err err = {""};
        struct gate_listed again;
        gate_lists_write(n, f, (enum gate_form)form, form == GATE_FORM_Z01X, status, &text);
        fl_buf_add(&text, "", 1);
        CU_ASSERT_FATAL(read_list(n, f, (const char *)text.data, &again, &err) == 0);
        for (uint32_t c = 0; c < f->count; c++) {
            bool kept = status[c] >= GATE_IS_UNTESTABLE && status[c] <= GATE_IS_CONSTRAINED;
            /* Z01X has no class of its own for constraints */
            int want = !kept ? GATE_IS_UNDECIDED
                       : form == GATE_FORM_Z01X && status[c] == GATE_IS_CONSTRAINED
                           ? GATE_IS_UNTESTABLE
                           : status[c];
            CU_ASSERT_EQUAL(again.status[c], want);
        }
        gate_listed_free(&again);
        fl_buf_free(&text);
    }
    free(status);
    gate_faults_free(f);
    gate_netlist_free(n);
}

/* (DT + PT/2) / (all - UD), and of all: as TetraMAX printed it for 28,879, 3 and 16 of 35,486 faults. */
static void coverage_is_that_of_other_tools(void)
{
    uint32_t members[] = {28879, 3, 16, 35486 - 28879 - 3 - 16};
    uint8_t status[] = {GATE_IS_DETECTED, GATE_IS_POSSIBLE, GATE_IS_UNTESTABLE, GATE_IS_UNOBSERVED};
    struct gate_faults f = {.count = 4, .members = members};
    struct gate_summary s = gate_summary_of(&f, status);
    char text[32];
    snprintf(text, sizeof text, "%.2f %.2f", s.test, s.fault);
    CU_ASSERT_STRING_EQUAL(text, "81.42 81.39");
}

int main(void)
{
    return CHECK_RUN(
        "gate_lists", CHECK(what_is_written_is_read_again), CHECK(lines_of_other_tools_are_read),
        CHECK(undetectable_faults_of_a_list_are_undetectable_again),
        CHECK(untestable_faults_have_their_reason), CHECK(coverage_is_that_of_other_tools));
}
