/* test_lane_netlists.c -- netlists of a lane's units: which are the unit, how that is known, and what it means for a store.
 */
#include "tests/lib/check.h"
#include "tests/lib/faults.h"
#include "tests/lib/stores.h"
#include "lane_gates.h"

#include <string.h>

#include "faultsim/lane/check.h"

static void netlists_answer_random_instructions_as_the_c_model_does(void)
{
    static const enum vector_unit units[] = {VECTOR_INT, VECTOR_CVT};
    for (int i = 0; i < 2; i++) {
        char *path = fl_format(LANE_GATES_NETLISTS "%s.blif", lane_name(units[i]));
        struct unit u = lane_gates_unit(path, units[i]);
        struct fl_err err = {""};
        CU_ASSERT_EQUAL(check_unit(&u, 20000, 7, &err), 0);
        CU_ASSERT_STRING_EQUAL(err.msg, "");
        unit_close(&u);
        free(path);
    }
}

/* The netlist with one gate changed: the first NAND becomes an AND. */
static void a_netlist_with_one_gate_changed_is_told(void)
{
    struct fl_buf text = {0};
    struct fl_err err = {""};
    CU_ASSERT_EQUAL_FATAL(fl_read_file(LANE_GATES_NETLISTS "alu_cvt.blif", &text, &err), 0);
    char *nand = strstr((char *)text.data, "0- 1\n-0 1\n");
    CU_ASSERT_PTR_NOT_NULL_FATAL(nand);
    memcpy(nand, "1- 1\n-1 1\n", 10);
    char *path = fl_format("%s/wrong-cvt.blif", FAULTLINE_BUILD_DIR);
    CU_ASSERT_EQUAL_FATAL(fl_write_file(path, text.data, text.size, &err), 0);
    struct unit u = lane_gates_unit(path, VECTOR_CVT);
    CU_ASSERT_EQUAL(check_unit(&u, 20000, 7, &err), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "in the C model"));
    unit_close(&u);
    remove(path);
    free(path);
    fl_buf_free(&text);
}

static void ports_that_are_not_those_of_the_unit_are_refused(void)
{
    static const struct {
        const char *text, *says;
    } wrong[] = {
        {".model m\n.inputs a_i[32]\n.outputs d_o[0]\n.names a_i[32] d_o[0]\n1 1\n.end\n",
         "input a_i[32] is no port of sm_alu_int"},
        {".model m\n.inputs x\n.outputs d_o[0]\n.names x d_o[0]\n1 1\n.end\n",
         "input x is no port of sm_alu_int"},
        {".model m\n.inputs a_i[3]\n.outputs q_o\n.names a_i[3] q_o\n1 1\n.end\n",
         "output q_o is no port of sm_alu_int"},
        {".model m\n.inputs a_i[3]\n.outputs d_o[0]\n.names a_i[3] d_o[0]\n1 1\n.end\n",
         "some are missing"},
        {".model m\n.inputs a_i[3]\n.outputs d_o[0]\n.latch a_i[3] d_o[0] re clk 0\n.end\n",
         "it has flip-flops"},
    };
    char *path = fl_format("%s/ports.blif", FAULTLINE_BUILD_DIR);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct fl_err err = {""};
        struct unit u;
        CU_ASSERT_EQUAL(fl_write_file(path, wrong[i].text, strlen(wrong[i].text), &err), 0);
        CU_ASSERT_EQUAL(unit_open(path, &lane_kind, VECTOR_INT, &u, &err), -1);
        if (!strstr(err.msg, wrong[i].says))
            printf("\n%s\n", err.msg);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, wrong[i].says));
        CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, path));
    }
    remove(path);
    free(path);
}

/* The job converts nothing: it would not see a conversion that is wrong. */
static void a_netlist_that_is_not_proved_is_told_and_exports_say_how_it_was_checked(void)
{
    char *folder = tools_folder();
    struct fl_buf said = {0};
    CU_ASSERT_EQUAL(
        tools_run(
            folder, &said,
            "exec 2>&1\n"
            "n=%s/gates j=%s/bench/vecadd.job.xml\n"
            "f='faultsim gate --unit alu_cvt --sp 0 --sample 5 --quiet'\n"
            "$f --netlists $n $j --csv a && grep -q ' checked=proved$' a || exit\n"
            "mkdir o && cp $n/alu_cvt.blif o && $f --netlists o --store s --csv b $j || exit\n"
            "grep -q ' checked=vectors$' b && faultsim report s --quiet --csv c && cmp b c || "
            "exit\n"
            "sed 's/^rtl ./&&/' $n/alu_cvt.proved >o/alu_cvt.proved\n"
            "$f --netlists o $j && cp $n/alu_cvt.proved o || exit\n"
            "$f --netlists o --store s --resume --csv d $j && cmp a d || exit\n"
            "sed '0,/^0- 1$/s//1- 1/' $n/alu_cvt.blif >o/alu_cvt.blif\n"
            "! $f --netlists o $j && "
            "! faultsim gate --netlists o --fault gate/alu_cvt.sp0/n0:sa0 $j",
            FAULTLINE_BUILD_DIR, FAULTLINE_BUILD_DIR),
        0);
    CU_ASSERT_EQUAL(lane_gates_count((char *)said.data, "not proved equal to the RTL"), 4);
    CU_ASSERT_TRUE(tools_says(&said, "o/alu_cvt.blif: not proved equal to the RTL (no proof lies"));
    CU_ASSERT_TRUE(tools_says(&said, "(the proof beside it is of another rtl/"));
    CU_ASSERT_TRUE(tools_says(&said, "(the proof beside it is of another netlist)"));
    CU_ASSERT_EQUAL(lane_gates_count((char *)said.data, " in the C model\n"), 2);
    fl_buf_free(&said);
    tools_remove(folder);
}

/* A profile is what it says, not its name. */
static void jobs_of_different_machines_share_no_campaign_of_gates(void)
{
    char *folder = tools_folder();
    struct fl_buf said = {0};
    CU_ASSERT_EQUAL(
        tools_run(folder, &said,
                  "exec 2>&1\n"
                  "b=%s\n"
                  "sed '/<regs>/s/8192/16384/' '" FAULTLINE_SOURCE_DIR "/profiles/g80.xml' "
                  ">g80.xml\n"
                  "sed 's|profile=\"g80\" cubin=\"|profile=\"g80.xml\" cubin=\"'$b/bench/'|' "
                  "$b/bench/vecadd.job.xml >more.job.xml\n"
                  "faultsim gate --unit alu_cvt --sp 0 --sample 5 --quiet --netlists $b/gates "
                  "--csv none.csv $b/bench/vecadd.job.xml more.job.xml\n"
                  "[ $? = 1 ] && [ ! -e none.csv ]",
                  FAULTLINE_BUILD_DIR),
        0);
    CU_ASSERT_TRUE(tools_says(&said, "more.job.xml for profile g80: these are different machines "
                                     "(regs)"));
    fl_buf_free(&said);
    tools_remove(folder);
}

/* Whatever the order, what is known of a shard is known of all: they have the same netlist. */
static void shards_that_are_merged_are_as_proved_as_any_of_them(void)
{
    char *folder = tools_folder();
    struct fl_buf said = {0};
    CU_ASSERT_EQUAL(
        tools_run(folder, &said,
                  "exec 2>&1\n"
                  "n=%s/gates j=%s/bench/vecadd.job.xml\n"
                  "f='faultsim gate --unit alu_cvt --sp 0 --sample 5 --quiet'\n"
                  "mkdir o && cp $n/alu_cvt.blif o\n"
                  "$f --netlists o --store s1 --shard 1/2 $j && $f --netlists $n --store s2 "
                  "--shard 2/2 $j &&\n"
                  "faultsim merge m s1 s2 && faultsim report m --quiet --csv c && head -n 1 c",
                  FAULTLINE_BUILD_DIR, FAULTLINE_BUILD_DIR),
        0);
    CU_ASSERT_TRUE(tools_says(&said, " checked=proved\n"));
    fl_buf_free(&said);
    tools_remove(folder);
}

/* The netlist with a gate that reads the first output and that nothing reads. */
static struct unit unit_whose_output_is_read(void)
{
    struct fl_buf text = {0};
    struct fl_err err = {""};
    CU_ASSERT_EQUAL_FATAL(fl_read_file(LANE_GATES_NETLISTS "alu_cvt.blif", &text, &err), 0);
    char *path = fl_format("%s/read-cvt.blif", FAULTLINE_BUILD_DIR);
    char *end = strstr((char *)text.data, ".end");
    CU_ASSERT_PTR_NOT_NULL_FATAL(end);
    char *more = fl_format("%.*s.names d_o[0] reader\n1 1\n.end\n", (int)(end - (char *)text.data),
                           (char *)text.data);
    CU_ASSERT_EQUAL_FATAL(fl_write_file(path, more, strlen(more), &err), 0);
    struct unit u = lane_gates_unit(path, VECTOR_CVT);
    remove(path);
    free(more);
    free(path);
    fl_buf_free(&text);
    return u;
}

static void a_store_whose_list_lacks_faults_of_outputs_is_refused_and_others_go_on(void)
{
    struct job *job = faults_job("tiny", 1, 40, LANE_GATES_BUSY);
    struct unit all[] = {unit_whose_output_is_read(),
                         lane_gates_unit(LANE_GATES_NETLISTS "alu_cvt.blif", VECTOR_CVT)};
    const struct job *jobs[] = {job};
    struct fl_err err = {""};
    stores_start();
    for (int i = 0; i < 2; i++) {
        struct gates_options opt = {.unit = &all[i],
                                    .units = 1,
                                    .sample = 5,
                                    .run.max_cycles = 100000,
                                    .run.store = stores_file(i ? "same" : "longer")};
        struct store *s;
        char *made = gates_made(&opt);
        CU_ASSERT((strstr(made, " ports=alu_cvt:1 ") != NULL) == (i == 0));
        free(made);
        CU_ASSERT_EQUAL_FATAL(gates_run(jobs, 1, &opt, &s, &err), 0);
        CU_ASSERT_EQUAL(store_close(s, &err), 0);
        stores_change_sealed(opt.run.store, "UPDATE campaign SET value = replace(value, "
                                            "' ports=alu_cvt:1', '') WHERE name = 'options'");
        opt.run.resume = true;
        if (i == 0) {
            CU_ASSERT_EQUAL(gates_run(jobs, 1, &opt, &s, &err), -1);
            REFUSED(err, "whose lists lack faults of outputs that are read inside too");
            CU_ASSERT_EQUAL(store_read(opt.run.store, &s, &err), 0);
            made = store_made(s);
            CU_ASSERT_PTR_NOT_NULL(strstr(made, " checked=no"));
            free(made);
        } else {
            CU_ASSERT_EQUAL_FATAL(gates_run(jobs, 1, &opt, &s, &err), 0);
        }
        CU_ASSERT_EQUAL(store_close(s, &err), 0);
        unit_close(&all[i]);
    }
    stores_end();
    job_free(job);
}

int main(void)
{
    return CHECK_RUN("netlists of lanes",
                     CHECK(netlists_answer_random_instructions_as_the_c_model_does),
                     CHECK(a_netlist_with_one_gate_changed_is_told),
                     CHECK(ports_that_are_not_those_of_the_unit_are_refused),
                     CHECK(a_netlist_that_is_not_proved_is_told_and_exports_say_how_it_was_checked),
                     CHECK(jobs_of_different_machines_share_no_campaign_of_gates),
                     CHECK(shards_that_are_merged_are_as_proved_as_any_of_them),
                     CHECK(a_store_whose_list_lacks_faults_of_outputs_is_refused_and_others_go_on));
}
