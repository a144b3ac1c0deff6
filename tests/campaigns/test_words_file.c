/* test_words_file.c -- all wrong words of the faults of a campaign (--words), and the outputs that a fault leaves (--dump):
 * as many as are counted, the same by every way to them, and those of a machine that runs with the fault by itself.
 */
#include "faultsim/result/words.h"
#include "tests/lib/campaigns.h"
#include "tests/lib/commands.h"

/* ---- the words of a run -------------------------------------------------------------------------------------------- */

/* What the machine leaves in an output. */
static bool leaves(const struct bench *b, struct dut *m, int output, const uint8_t *want)
{
    const uint32_t from = sm_output_at(b->img, output), size = b->job->output[output].size;
    uint8_t *bytes = fl_alloc(size);
    sm_memory_read(dut_end(m).memory, from, bytes, size);
    bool same = memcmp(bytes, want, size) == 0;
    free(bytes);
    return same;
}

/* By the record, by data-flow propagation, by a machine from a checkpoint: whatever the ladder takes. Returns how many runs
 * end with other outputs. */
static int compare_with_machines(struct job *job, int flips, uint64_t seed, int *wrong)
{
    struct fl_err err;
    struct bench b = bench_open(job, true);
    int n = 0;
    if (!b.g)
        return 0;
    outputs_keep(b.g->outputs, UINT64_MAX);
    struct dut *m = engine_c.make(b.img, &err), *start = engine_c.make(b.img, &err);
    for (int i = 0; i < flips; i++) {
        struct fsim_fault u[FLIPS_CELLS];
        struct transient_result r;
        flips_draw(&b, i % 3 ? SM_S_rf : SM_S_shared, ONE_FLIP, &seed, u);
        transient_simulate(b.w, b.t, u, &r);
        if (r.r.outcome != OUT_SDC)
            continue;
        uint32_t kept;
        outputs_kept(b.g->outputs, r.r.kept, &kept);
        dut_copy(m, start);
        dut_inject(m, u);
        dut_run(m, 2 * b.g->cycles);
        bool same = kept == r.r.elements && dut_ended(m);
        for (int o = 0; o < job->noutputs; o++) {
            uint8_t *left = outputs_left(b.g->outputs, r.r.kept, o);
            same &= leaves(&b, m, o, left);
            free(left);
        }
        *wrong += !same;
        n++;
    }
    dut_free(m);
    dut_free(start);
    bench_close(&b);
    return n;
}

static void the_words_of_a_flip_are_those_of_a_machine_that_runs_with_it_by_itself(void)
{
    int n = 0, wrong = 0;
    for (uint64_t seed = 1; n < (SANITIZED ? 150 : 1000) && seed < 100; seed++)
        n += compare_with_machines(seed % 2 ? flips_structured(seed) : flips_memories(seed), 1000,
                                   seed, &wrong);
    CU_ASSERT(n >= (SANITIZED ? 150 : 1000));
    CU_ASSERT_EQUAL(wrong, 0);
}

/* ---- who wrote them ------------------------------------------------------------------------------------------------ */

static void the_writer_of_an_element_is_the_last_store_to_it(void)
{
    struct fl_err err;
    struct job *job = faults_job(
        "tiny", 1, 64,
        ".kernel k\n.param ptr out\n  I2I.U32.U16 R1, R0L\n  SHL R2, R1, 2\n  IADD R2, s[out], R2\n"
        "  GST.U32 global14[R2], R1\n  IADD32I R2, R2, 0x4\n  GST.U16 global14[R2], R1\n"
        "  NOP.EXIT\n");
    struct sm_image *img = sm_image_new(job, &err);
    struct golden *g = golden_run(img, 100000, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(g);
    for (uint32_t i = 0; i < 66; i++) {
        const struct writer *w = writers_of(g->writers, 0, i);
        const uint32_t by = i ? i - 1 : 0; /* word 0 has the first store alone */
        if (i == 65) {
            CU_ASSERT_EQUAL(memcmp(w, &writer_none, sizeof *w), 0);
            continue;
        }
        CU_ASSERT(w->launch == 0 && w->block == 0);
        CU_ASSERT(w->warp == by / 32 && w->lane == by % 32);
        CU_ASSERT(i ? w->pc > writers_of(g->writers, 0, 0)->pc : w->pc != UINT32_MAX);
    }
    golden_free(g);
    sm_image_free(img);
    job_free(job);
}

/* ---- limits -------------------------------------------------------------------------------------------------------- */

static void more_words_than_fit_end_the_campaign_with_a_message(void)
{
    struct fl_err err = {""};
    struct store *s = NULL;
    struct avf_options opt = campaigns_options();
    struct job *job = campaigns_small(campaigns_loop);
    opt.methods[METHOD_SAMPLE] = true;
    opt.target[0] = "rf";
    opt.count = 500;
    opt.run.words = 10;
    CU_ASSERT_EQUAL(avf_run((const struct job *const *)&job, 1, &opt, &s, &err), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "--words"));
    job_free(job);
}

/* ---- the file ------------------------------------------------------------------------------------------------------ */

static uint64_t number_at(const uint8_t *p, int bytes)
{
    uint64_t n = 0;
    while (bytes--)
        n = n << 8 | p[bytes];
    return n;
}

/* The head says how many rows and how much provenance follow, and nothing else does. Rows; NULL: it is no such file. */
static const uint8_t *rows_of(const struct fl_buf *file, uint64_t *count)
{
    char text[1024] = "";
    const uint64_t head = file->size > 10 ? number_at(file->data + 8, 2) + 10 : 0;
    if (!head || head % 64 || head > file->size || head > sizeof text ||
        memcmp(file->data, "\x93NUMPY\x01\x00", 8) != 0 || file->data[head - 1] != '\n')
        return NULL;
    memcpy(text, file->data + 10, head - 10);
    const char *shape = strstr(text, "'shape': ("), *behind = strstr(text, "provenance=");
    if (!shape || !behind || !strstr(text, "('fault', '<u4')"))
        return NULL;
    *count = strtoull(shape + 10, NULL, 10);
    const uint64_t rows = head + *count * WORDS_ROW;
    return file->size == rows + strtoull(behind + 11, NULL, 10) &&
                   memcmp(file->data + rows, "# faultline ", 12) == 0
               ? file->data + head
               : NULL;
}

static void read_in(const char *name, struct fl_buf *out)
{
    struct fl_err err;
    char *path = commands_path(name);
    CU_ASSERT_EQUAL_FATAL(fl_read_file(path, out, &err), 0);
    free(path);
}

/* Of line `line` of --csv-faults, column `elements`. */
static uint64_t elements_of(const char *csv, uint32_t line)
{
    while (*csv == '#')
        csv = strchr(csv, '\n') + 1;
    const char *column = strstr(csv, "elements");
    int commas = 0;
    for (const char *c = csv; c < column; c++)
        commas += *c == ',';
    for (uint32_t i = 0; i <= line; i++)
        csv = strchr(csv, '\n') + 1;
    while (commas--)
        csv = strchr(csv, ',') + 1;
    return strtoull(csv, NULL, 10);
}

#define MODELS                                                                                     \
    "'stuck-at --target rf/p0-15,pc' 'memory --target rf --sample 1200' "                          \
    "'transient --target rf,cc --sample 900' 'intermittent --target rf --sample 900 --hold 9'"

/* Two jobs; a run at once and one in two shards, another number of threads, by brute force. */
static void a_file_has_the_words_of_each_fault_whatever_the_way_to_them(void)
{
    struct fl_buf said = {0}, file = {0}, csv = {0};
    CU_ASSERT_EQUAL(
        commands_run(
            "sed 's/name=\"t\"/name=\"u\"/' launches.job.xml >u.job.xml; n=0; for how in " MODELS
            "; do n=$((n + 1)); f=\"faultsim $how good.job.xml u.job.xml --quiet\"; "
            "$f --words w$n --csv-faults f$n --threads 1 && "
            "$f --words again --threads 3 --exhaustive && cmp w$n again && "
            "rm -f a b m && $f --keep words --store a --shard 1/2 && "
            "$f --keep words --store b --shard 2/2 && faultsim merge m a b && "
            "faultsim report m --quiet --words again --csv-faults same && cmp w$n again && "
            "cmp f$n same || exit; done 2>&1",
            &said, NULL),
        0);
    if (said.size)
        printf("\n%s", commands_text(&said));
    for (char name[] = "w1"; name[1] <= '4'; name[1]++) {
        char faults[] = {'f', name[1], 0};
        uint64_t count = 0, n = 0;
        read_in(name, &file);
        read_in(faults, &csv);
        const uint8_t *row = rows_of(&file, &count);
        CU_ASSERT_PTR_NOT_NULL_FATAL(row);
        CU_ASSERT(count > 5);
        uint32_t line = 0;
        for (const char *c = (char *)csv.data; (c = strchr(c, '\n')) && c[1]; c++)
            line += c[1] != '#';
        line--; /* the heading */
        for (uint32_t i = 0; i < line; i++) {
            uint64_t mine = 0;
            for (; n < count && number_at(row + n * WORDS_ROW, 4) == i; n++)
                mine++;
            CU_ASSERT_EQUAL(mine, elements_of((char *)csv.data, i));
        }
        CU_ASSERT_EQUAL(n, count);
        fl_buf_free(&file);
        fl_buf_free(&csv);
    }
    fl_buf_free(&said);
}

#ifdef FAULTLINE_RTL
static void the_rtl_gives_the_words_and_patterns_of_the_c_model(void)
{
    static const char *const how[] = {"transient --target rf,pc --sample 300",
                                      "stuck-at --target rf/p0-3,pc/w0"};
    for (size_t i = 0; i < sizeof how / sizeof *how; i++) {
        struct fl_buf file[2] = {{0}}, said = {0};
        uint64_t count[2] = {0};
        char *line = fl_format("for e in c rtl; do faultsim %s good.job.xml --engine $e --quiet "
                               "--words $e.npy --csv-faults $e.csv && grep -v '^#' $e.csv >$e || "
                               "exit; done; cmp c rtl",
                               how[i]);
        CU_ASSERT_EQUAL_FATAL(commands_run(line, &said, NULL), 0);
        read_in("c.npy", &file[0]);
        read_in("rtl.npy", &file[1]);
        const uint8_t *c = rows_of(&file[0], &count[0]), *rtl = rows_of(&file[1], &count[1]);
        CU_ASSERT_FATAL(c && rtl && count[0] == count[1] && count[0] > 5);
        CU_ASSERT_EQUAL(memcmp(c, rtl, count[0] * WORDS_ROW), 0);
        for (int k = 0; k < 2; k++)
            fl_buf_free(&file[k]);
        fl_buf_free(&said);
        free(line);
    }
}
#endif

/* Thread t writes t into word t: an output with another word differs in this one alone. */
static void a_dump_is_the_output_that_the_fault_leaves(void)
{
    struct fl_buf said = {0};
    CU_ASSERT_EQUAL(
        commands_run(
            "smrun good.job.xml --dump b=right >/dev/null && "
            "faultsim transient --target rf --sample 900 good.job.xml --quiet --csv-faults f && "
            "id=$(grep ,sdc, f | head -1 | cut -d, -f3) && "
            "at=$(grep ,sdc, f | head -1 | sed 's/.*o+0x\\([0-9a-f]*\\),.*/\\1/') && "
            "faultsim transient --fault $id good.job.xml --dump o=left >/dev/null && "
            "test $(stat -c %s left) = 256 && "
            "first=$(cmp left right | sed 's/.*byte \\([0-9]*\\),.*/\\1/') && "
            "test $first = $((0x$at + 1)) && "
            "id=$(grep ,masked, f | head -1 | cut -d, -f3) && "
            "faultsim transient --fault $id good.job.xml --dump o=left >/dev/null && cmp left "
            "right",
            &said, &said),
        0);
    if (said.size)
        printf("\n%s", commands_text(&said));
    fl_buf_free(&said);
}

/* Lanes of faults, and the elements of the output, as --csv-faults counts them; no map without kept words. */
static void the_page_shows_lanes_and_elements_as_they_are_counted(void)
{
    struct fl_buf said = {0};
    CU_ASSERT_EQUAL(
        commands_run(
            "f='faultsim transient --target rf --sample 900 good.job.xml --quiet'; rm -rf p q; "
            "$f --csv-faults f --words page.npy --html h --plots p && $f --html h --plots q && "
            "test -e q/*-lanes.csv -a ! -e q/*-map-*.csv && grep -q 'Wrong outputs' h && "
            "grep -v '^#' f >g && of() { awk -F, -v name=$1 'NR == 1 { for (i = 1; i <= NF; i++) "
            "c[$i] = i; next } "
            "{ print $c[name] }' g | grep .; } && of elements >e && n=$(wc -l <e) && test $n -gt 9 "
            "&& "
            "lane=$(of lanes | grep -c '[13579bdf]$') && test $lane -gt 0 && "
            "cut -d, -f2,3 p/*-lanes.csv | grep -qx 0,$lane && "
            "awk -F, -v n=$n 'NR == FNR { words += $1; next } { sum += $3 * n / 100 } "
            "END { exit !(words > 9 && sum > words - .01 && sum < words + .01) }' e p/*-map-*.csv "
            "&& "
            "of writers | sort | uniq -c | awk -F' *' '{ print $3, $2 }' >k && "
            "awk -F, 'NR == FNR { split($0, p, \" \"); k[p[1]] = p[2]; n += p[2]; next } FNR == 1 "
            "{ split($0, name, \",\"); next } "
            "{ for (i = 2; i <= 10; i++) if ($i < 100 * k[name[i]] / n - .01 || $i > 100 * "
            "k[name[i]] / n + .01) exit 1 }' "
            "k p/*-wrong-writers.csv",
            &said, &said),
        0);
    if (said.size)
        printf("\n%s", commands_text(&said));
    fl_buf_free(&said);
}

static void words_that_nobody_keeps_are_refused(void)
{
    static const struct commands_refusal all[] = {
        {"faultsim transient --exact good.job.xml --words w", 2, "--sample"},
        {"faultsim transient --sample 9 --keep sums good.job.xml --words w", 2, "--keep sums"},
        {"faultsim transient --fault rf/p1/b1@5:flip good.job.xml --words w", 2, "--faults"},
        {"faultsim transient --sample 9 good.job.xml --dump o=x", 2, "--fault ID"},
        {"faultsim transient --fault rf/p1/b1@5:flip good.job.xml --dump p=x", 2, "it has o"},
        {"faultsim transient --fault rf/p1/b1@5:flip good.job.xml --dump o", 2, "out=FILE"},
        {"faultsim stuck-at --fault rf/p1/b1:sa1 good.job.xml --dump x=x", 2, "it has o"},
        {"faultsim stuck-at --target pc good.job.xml --keep sums", 2, "give flips or words"},
        {"faultsim stuck-at --words w -- ./program", 2, "--words is for jobs"},
        {"faultsim gate --detect good.job.xml --words w", 2, "--detect"},
        {"faultsim gate --model glitch --unit control --engine rtl good.job.xml --words w", 2,
         "--sample"},
        {"faultsim transient --fault rf/p1/b1@5:flip good.job.xml --dump o=good.job.xml", 1,
         "--dump"},
    };
    CHECK_REFUSED(all);
    struct fl_buf said = {0};
    CU_ASSERT_EQUAL(commands_run("rm -f s.db; faultsim transient --sample 9 good.job.xml --quiet "
                                 "--store s.db && faultsim report s.db --quiet --words w",
                                 NULL, &said),
                    1);
    CU_ASSERT_PTR_NOT_NULL(strstr(commands_text(&said), "has not kept the wrong words"));
    CU_ASSERT_EQUAL(commands_run("faultsim transient --sample 19 good.job.xml --quiet --store s.db "
                                 "--resume --words w",
                                 NULL, &said),
                    1);
    CU_ASSERT_EQUAL(commands_run("! test -e w", NULL, NULL), 0);
    fl_buf_free(&said);
}

int main(void)
{
    commands_start();
    int status = CHECK_RUN(
        "words_file", CHECK(the_words_of_a_flip_are_those_of_a_machine_that_runs_with_it_by_itself),
        CHECK(the_writer_of_an_element_is_the_last_store_to_it),
        CHECK(more_words_than_fit_end_the_campaign_with_a_message),
        CHECK(a_file_has_the_words_of_each_fault_whatever_the_way_to_them),
#ifdef FAULTLINE_RTL
        CHECK(the_rtl_gives_the_words_and_patterns_of_the_c_model),
#endif
        CHECK(a_dump_is_the_output_that_the_fault_leaves),
        CHECK(the_page_shows_lanes_and_elements_as_they_are_counted),
        CHECK(words_that_nobody_keeps_are_refused));
    commands_end();
    return status;
}
