/* test_gate_campaigns.c -- which faults of gates a campaign injects, and what it says of them. */
#include "tests/gate/lane_gates.h"
#include "tests/lib/check.h"
#include "tests/lib/tools.h"

static char *dir;

/* With $f, a campaign of a small unit, and $j, $n, a job and the netlists. */
static int run(struct fl_buf *said, const char *lines)
{
    char *all = fl_format("n=%s/gates j=%s/bench/vecadd.job.xml sort=%s/bench/sort.job.xml\n"
                          "f=\"faultsim gate --unit alu_cvt --netlists $n --quiet\"\n%s",
                          FAULTLINE_BUILD_DIR, FAULTLINE_BUILD_DIR, FAULTLINE_BUILD_DIR, lines);
    int status = tools_run(dir, said, "%s", all);
    free(all);
    return status;
}

/* ---- lists ----------------------------------------------------------------------------------------------------------- */

static void a_list_of_all_faults_is_the_campaign_of_all(void)
{
    struct fl_buf said = {0};
    CU_ASSERT_EQUAL(run(&said, "gatesim faults $n/alu_cvt.blif >all.list &&\n"
                               "$f --sp 0 $j --csv-faults a && "
                               "$f --sp 0 $j --faults all.list --csv-faults b || exit\n"
                               "grep -v '^#' a >a1; grep -v '^#' b | cmp - a1 || exit\n"
                               "head -n 1 b; wc -l <b"),
                    0);
    CU_ASSERT_TRUE(tools_says(&said, " list=8804,"));
    CU_ASSERT_TRUE(tools_says(&said, "\n8807\n"));
    fl_buf_free(&said);
}

static void a_fault_stands_for_its_class_and_without_an_sp_for_those_of_all_sps(void)
{
    struct fl_buf said = {0};
    CU_ASSERT_EQUAL(
        run(&said,
            "class=$(gatesim faults $n/alu_cvt.blif | grep -v '#' | grep -m 1 ' ')\n"
            "set -- $class\n"
            "printf 'gate/alu_cvt.sp2/%s # remark\\n\\n' $2 | $f $j --faults - --csv-faults one\n"
            "grep -c \"^vecadd,gate/alu_cvt.sp2/$1,\" one && wc -l <one || exit\n"
            "printf 'gate/alu_cvt/%s\\ngate/alu_cvt.sp5/%s\\n' $1 $2 >some\n"
            "$f $j --faults some --csv-faults many && grep -c \"/$1,\" many && wc -l <many"),
        0);
    CU_ASSERT_TRUE(tools_says(&said, "1\n4\n8\n11\n"));
    fl_buf_free(&said);
}

static void lists_with_faults_that_are_not_there_are_refused_by_line(void)
{
    static const struct {
        const char *list, *says;
    } bad[] = {
        {"# x\\ngate/alu_cvt.sp9/n70:sa0\\n",
         "in:2: 'gate/alu_cvt.sp9/n70:sa0': the machine has SPs 0"},
        {"gate/alu_int/n7:sa0\\n",
         "in:1: 'gate/alu_int/n7:sa0' is a fault of alu_int, and --unit names"},
        {"gate/flow/n7:sa0\\n", "in:1: 'gate/flow/n7:sa0' is a fault of flow, and --unit names"},
        {"gate/alu_cvt/n99999:sa0\\n", "in:1: 'n99999:sa0': the netlist has nets n0 to"},
        {"gate/alu_cvt/n70:str\\n", "in:1: 'n70:str' is no fault"},
        {"gate/alu_cvt/n70:sa0 gate/alu_cvt/n71:sa0\\n",
         "in:1: 'gate/alu_cvt/n71:sa0' is not of the"},
        {"n70:sa0\\n", "in:1: 'n70:sa0' does not say of which unit it is"},
        {"# netlist 12ab\\nn70:sa0\\n", "in:1: the list is of the netlist 12ab..., and"},
        {"# model transition\\n", "in:1: the list is of transition faults"},
        {"gate/alu_cvt/n70:sa0\\ngate/alu_cvt/n7", "in:2: 'n7' is no fault"},
        {"gate/alu_cvt/n70:sa0\\ngate/alu_cvt/n71:sa0", "in:2: the last line has no end"},
        {"# classes 3\\ngate/alu_cvt/n70:sa0\\ngate/alu_cvt/n71:sa0\\n",
         "in:3: the list ends with 2 of the 3 faults"},
        {"# nothing\\n", "in: no fault in it"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct fl_buf said = {0};
        char *lines = fl_format("printf '%s' >in; ! $f --faults in $j 2>&1", bad[i].list);
        CU_ASSERT_EQUAL(run(&said, lines), 0);
        if (!tools_says(&said, bad[i].says))
            printf("\n%s: %s", bad[i].list, (char *)said.data);
        CU_ASSERT_TRUE(tools_says(&said, bad[i].says));
        free(lines);
        fl_buf_free(&said);
    }
}

static void a_list_of_one_sp_needs_no_other_and_refuses_others(void)
{
    struct fl_buf said = {0};
    CU_ASSERT_EQUAL(run(&said, "printf 'gate/alu_cvt/n70:sa0\\n' >in\n"
                               "$f --sp 3 --faults in $j --csv-faults - | grep -c sp3/ || exit\n"
                               "printf 'gate/alu_cvt.sp2/n70:sa0\\n' >in\n"
                               "$f --sp 3 --faults in $j 2>&1; "
                               "$f --sp 31 --faults in $j 2>&1; true"),
                    0);
    CU_ASSERT_TRUE(tools_says(&said,
                              "1\nfaultsim: in:1: 'gate/alu_cvt.sp2/n70:sa0' is a fault of SP "
                              "2, and --sp names SP 3"));
    CU_ASSERT_TRUE(tools_says(&said, "--sp 31: the machine has SPs 0 to"));
    fl_buf_free(&said);
}

static void a_store_goes_on_with_its_list_however_it_is_written_and_with_no_other(void)
{
    struct fl_buf said = {0};
    CU_ASSERT_EQUAL(run(&said, "printf 'gate/alu_cvt/%s\\n' n70:sa0 n71:sa0 >one\n"
                               "printf 'gate/alu_cvt/%s\\n' n71:sa0 n70:sa0 n71:sa0 >same\n"
                               "printf 'gate/alu_cvt/%s\\n' n72:sa0 n70:sa0 >other\n"
                               "$f --faults one --store s $j --csv-faults a &&\n"
                               "$f --faults same --store s --resume $j --csv-faults b &&\n"
                               "cmp a b && ! $f --faults other --store s --resume $j 2>&1"),
                    0);
    CU_ASSERT_TRUE(tools_says(&said, "s: holds a campaign with other options:"));
    fl_buf_free(&said);
}

int main(void)
{
    dir = tools_folder();
    int status = CHECK_RUN(
        "campaigns of gates", CHECK(a_list_of_all_faults_is_the_campaign_of_all),
        CHECK(a_fault_stands_for_its_class_and_without_an_sp_for_those_of_all_sps),
        CHECK(lists_with_faults_that_are_not_there_are_refused_by_line),
        CHECK(a_list_of_one_sp_needs_no_other_and_refuses_others),
        CHECK(a_store_goes_on_with_its_list_however_it_is_written_and_with_no_other));
    tools_remove(dir);
    return status;
}
