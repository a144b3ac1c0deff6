/* test_migrate.c -- stores of earlier formats: what their own faultsim exported is exported still, a campaign goes on where
 * it stopped, and a kill on the way leaves the old store or the new one.
 *
 * tests/data/stores holds such stores as SQL: made by the last faultsim of their format from tiny.job.xml beside them;
 * format5-part, format6-part and format7-part are some that were stopped on the way, format6-part by a kill of version 0.2.0,
 * whose shards format6-shard1 and format6-shard2 are, too.
 */
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "faultsim/result/made.h"
#include "tests/lib/made_up.h"
#include "tests/lib/seal.h"
#include "tests/lib/tools.h"

#define STORES   FAULTLINE_SOURCE_DIR "/tests/data/stores/"
#define CAMPAIGN "faultsim transient --quiet --target rf "
#define EXACT    "--exact --ace " STORES "tiny.job.xml "
#define SAMPLE   "--seed 4 --fit-per-bit 1e-5 " STORES "tiny.job.xml "

static char *dir;

static char *path_of(const char *name)
{
    return fl_format("%s/%s", dir, name);
}

static void change(const char *name, const char *sql)
{
    char *path = path_of(name), *why = NULL;
    sqlite3 *db;
    CU_ASSERT_EQUAL_FATAL(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK)
        printf("\n%s: %s\n", name, why);
    CU_ASSERT_PTR_NULL(why);
    sqlite3_close(db);
    free(path);
}

/* A store of the folder, new each time; `name` without .sql. */
static void make(const char *name)
{
    struct fl_buf sql = {0};
    struct fl_err err = {""};
    char *from = fl_format(STORES "%s.sql", name), *path = path_of(name);
    unlink(path);
    CU_ASSERT_EQUAL_FATAL(fl_read_file(from, &sql, &err), 0);
    fl_buf_add(&sql, "", 1);
    change(name, (const char *)sql.data);
    fl_buf_free(&sql);
    free(from);
    free(path);
}

/* Such a store of flips whose results are those of today, as one whose results have not moved is. */
static void make_of_today(const char *name)
{
    char *path = path_of(name);
    char *sql = fl_format("UPDATE campaign SET value = replace(value, 'faultline 0.1 ', "
                          "'faultline %s ') WHERE name = 'options'",
                          made_results("transient", "c"));
    make(name);
    change(name, sql);
    CU_ASSERT_EQUAL_FATAL(seal_store(path), 0);
    free(sql);
    free(path);
}

static int format_of(const char *name)
{
    char *path = path_of(name);
    struct store s = {.path = path, .name = path};
    CU_ASSERT_EQUAL_FATAL(sqlite3_open(path, &s.db), SQLITE_OK);
    int format = store_pragma(&s, "user_version");
    sqlite3_close(s.db);
    free(path);
    return format;
}

static void run(const char *command)
{
    struct fl_buf out = {0};
    int status = tools_run(dir, &out, "%s 2>&1", command);
    if (status)
        printf("\n%s\n%s\n", command, (char *)out.data);
    CU_ASSERT_EQUAL(status, 0);
    fl_buf_free(&out);
}

/* ---- reading ------------------------------------------------------------------------------------------------------- */

/* Format 4 knew neither launches nor intervals of avf_util, and did not say what made an export. */
#define SINCE_4 "| grep -v '^#' | cut -d, -f1,2,4-21,24- "
/* As the line began before it named the program that writes the export. */
#define WITHOUT_PROGRAM "| sed 's/faultline [^ ]*\\( revision=[^ ]*\\)* results=/faultline /' "
/* Format 6 did not know how wrong outputs are. */
#define SINCE_6 "| sed -E '/^[^#]/s/(,[^,]*){21}$//' "
/* Format 8 did not know which elements are unwritten. */
#define SINCE_8 "| sed -E '/^[^#]/s/(,[^,]*){19}$//' "
/* Format 9 did not know what wrong elements look like. */
#define SINCE_9     "| sed -E '/^[^#]/s/(,[^,]*){18}$//' "
#define SINCE_8_XML "| sed 's/ unwritten=\"0\"//' "

static void exports_are_the_bytes_of_the_faultsim_that_wrote_the_store(void)
{
    static const struct {
        const char *store, *export, *then, *sha256;
    } all[] = {
        {"format4-exact", "csv", SINCE_4,
         "2e5657c0253587d57906ce5bd6723e76ad2d36724946dec18069cff4d4f8cb5c"},
        {"format4-sample", "csv", SINCE_4,
         "d8430eac6ff0c603dd53080302424db1c0754abfc39219647c67aead3f30eb02"},
        {"format4-sample", "csv-faults", "| grep -v '^#'" SINCE_6,
         "8fdfb48cb6edbf7fbf1a146b98f62c74cab7caf1ff8ea205f9a417bc6c2c9dc1"},
        {"format5-exact", "csv", "",
         "2bd747520bb5a2fda5d5591729d1f41e4dbab5f3356958ad5509451c887bd3ab"},
        {"format5-exact", "xml", "",
         "3c51fdd872a01c942ba8b15196ef6e51806264eb8068a92e36f423939f0f4e03"},
        {"format5-sample", "csv", "",
         "3d585668c59fa52ddbfae2785711c74e95147269c06d2b1389f54c01d94a2cbd"},
        {"format5-sample", "csv-faults", SINCE_6,
         "b41b5cd4dd36ac17619c037343cd3dbbb44b1e513964773e0c10411ef9cd9b14"},
        {"format5-sample", "xml", "",
         "ca25b068bea4fac9ce041d94b4268e2358b3939efc65cca69fcd76e8460fe1f0"},
        {"format6-sample", "csv", "",
         "3d585668c59fa52ddbfae2785711c74e95147269c06d2b1389f54c01d94a2cbd"},
        {"format6-sample", "csv-faults", SINCE_6,
         "b41b5cd4dd36ac17619c037343cd3dbbb44b1e513964773e0c10411ef9cd9b14"},
        {"format6-sample", "xml", "",
         "ca25b068bea4fac9ce041d94b4268e2358b3939efc65cca69fcd76e8460fe1f0"},
        {"format7-sample", "csv", "",
         "3d585668c59fa52ddbfae2785711c74e95147269c06d2b1389f54c01d94a2cbd"},
        {"format7-sample", "csv-faults", SINCE_8,
         "95846951ce7a7bea90566d8a5c3d36dd8d1f3b7394c1d04ddbf471ceec51988d"},
        {"format7-sample", "xml", SINCE_8_XML,
         "da8d07ab01f5796fc8f7cb2ebcf827d9146a4796133053d3badfa00b55857318"},
        {"format8-sample", "csv", "",
         "5aab75f5be6177b9c43d02852db45b5724bf7a02be4d4c5be98ed7c1668833bc"},
        {"format8-sample", "csv-faults", SINCE_8,
         "1a2b18e8db3085b033a7450a352ffc2704620d30149096a1f0d56bf318324743"},
        {"format8-sample", "xml", SINCE_8_XML,
         "332f1574918777ac61783be8e7f5e921591c15731d708acb03b7a7a151a4ad83"},
        {"format9-sample", "csv", "",
         "5aab75f5be6177b9c43d02852db45b5724bf7a02be4d4c5be98ed7c1668833bc"},
        {"format9-sample", "csv-faults", SINCE_9,
         "80407890d9067024dc480a147d8c1eb2c77d9fb27b5c6bb712c581092d8c014b"},
        {"format9-sample", "xml", "",
         "01d2b0504520a4d2e5221d84a9a1a8dc94cdb4c2b5cd15a6ec3884f37f128240"},
    };
    struct fl_buf out = {0};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        make(all[i].store);
        tools_run(dir, &out, "faultsim report %s --quiet --%s - " WITHOUT_PROGRAM "%s | sha256sum",
                  all[i].store, all[i].export, all[i].then);
        if (strncmp((char *)out.data, all[i].sha256, 64) != 0)
            printf("\n%s --%s: %s\n", all[i].store, all[i].export, (char *)out.data);
        CU_ASSERT_EQUAL(strncmp((char *)out.data, all[i].sha256, 64), 0);
    }
    fl_buf_free(&out);
}

/* Format 4 has no digest: what its texts say is looked at. */
static void ids_and_names_that_cannot_be_are_refused_in_every_format(void)
{
    static const char *const stores[] = {"format4-sample", "format5-sample", "format6-sample",
                                         "format7-sample", "format7-memory", "format8-sample",
                                         "format9-sample"};
    static const char *const ids[] = {"rf/p1;02/b6@2251:flip", "vf/p102/b6@2251:flip",
                                      "rf/q102/b6@2251:flip",  "rf/p102/c6@2251:flip",
                                      "rf/p102/b6A2251:flip",  "rf/p102/b6@2251:flop",
                                      "rf/p102/b6@2251;flip",  ""};
    struct fl_buf out = {0};
    for (size_t i = 0; i < sizeof stores / sizeof *stores; i++)
        for (size_t k = 0; k < (i ? 1 : sizeof ids / sizeof *ids); k++) {
            make(stores[i]);
            char *sql = fl_format("UPDATE injection SET id = '%s' WHERE injection & 255 = 7",
                                  ids[k]);
            change(stores[i], sql);
            int status = tools_run(dir, &out, "faultsim report %s 2>&1", stores[i]);
            if (status != 1 || !strstr((char *)out.data, "is damaged"))
                printf("\n%s %s: %s\n", stores[i], ids[k], (char *)out.data);
            CU_ASSERT(status == 1 && strstr((char *)out.data, "is damaged"));
            free(sql);
        }
    fl_buf_free(&out);
}

static void who_reads_a_store_of_an_earlier_format_leaves_it_as_it_is(void)
{
    static const char *const all[] = {"format4-exact", "format5-sample", "format6-sample",
                                      "format7-memory", "format9-sample"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char *command = fl_format("cp %s before && chmod a-w %s && faultsim report %s --quiet "
                                  "--xml a.xml && rm -f merged && faultsim merge merged %s && "
                                  "faultsim report merged --quiet --xml b.xml && cmp a.xml b.xml "
                                  "&& cmp %s before",
                                  all[i], all[i], all[i], all[i], all[i]);
        make(all[i]);
        run(command);
        CU_ASSERT_EQUAL(format_of("merged"), STORE_FORMAT);
        free(command);
    }
}

/* Format 4 says how many only in its options; the last unit may be short. */
static void the_size_of_a_sample_of_format_4_follows_from_its_options(void)
{
    static const struct {
        const char *options;
        bool fits;
    } all[] = {{"flips=230", true},
               {"margin=0.0647", true}, /* 230 of 274,989,056 */
               {"flips=231", false},
               {"margin=0.065", false}, /* 228 */
               {"list=230,4d01", true}};
    char *path = path_of("format4-sample");
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char *sql = fl_format("UPDATE campaign SET value = replace(value, 'flips=230', '%s'); "
                              "UPDATE part SET target = CASE %d WHEN 4 THEN 'list' ELSE 'rf' END",
                              all[i].options, (int)i);
        struct fl_err err = {""};
        struct store *s;
        make("format4-sample");
        change("format4-sample", sql);
        int status = store_read(path, &s, &err);
        CU_ASSERT_EQUAL_FATAL(status == 0, all[i].fits);
        if (status == 0) {
            CU_ASSERT_EQUAL(store_result(s)->part[0].flips, 230);
            CU_ASSERT_EQUAL(store_result(s)->part[0].method, i == 4 ? METHOD_LIST : METHOD_SAMPLE);
            store_close(s, NULL);
        } else {
            CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "flips it has done"));
        }
        free(sql);
    }
    free(path);
}

#define SAME_XML                                                                                   \
    "for f in want got; do grep -v -e '<wrong ' -e '<pattern ' $f.xml > $f.x; done; cmp want.x "   \
    "got.x"

/* ---- going on ------------------------------------------------------------------------------------------------------ */

/* All but how wrong outputs are, which the old part did not count. */
static void a_campaign_of_an_earlier_format_goes_on_to_the_bytes_of_one_run(void)
{
    make_of_today("format5-part");
    run(CAMPAIGN EXACT "--xml want.xml && " CAMPAIGN EXACT
                       "--xml got.xml --store format5-part --resume && " SAME_XML);
    CU_ASSERT_EQUAL(format_of("format5-part"), STORE_FORMAT);
    run("faultsim report format5-part --quiet --xml got.xml && " SAME_XML);
    static const char *const samples[] = {"format5-sample", "format6-sample", "format9-sample"};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        char *command = fl_format(
            CAMPAIGN SAMPLE "--sample 320 --xml want.xml --csv-faults want && " CAMPAIGN SAMPLE
                            "--sample 320 --xml got.xml --csv-faults got --store %s --resume "
                            "&& cat want " SINCE_6 "> w && cat got " SINCE_6
                            "| cmp - w && " SAME_XML,
            samples[i]);
        make_of_today(samples[i]);
        run(command);
        CU_ASSERT_EQUAL(format_of(samples[i]), STORE_FORMAT);
        free(command);
    }
}

#define PERMANENT "'dstack/le1-2/tm*,dstack/le1/spc0-3,pc/w0,cc/w0/c0/z*' " STORES "tiny.job.xml "

/* One that is finished, one half of whose units are done, a sample of faults of memories: format 7 did not say which faults
 * are untestable, nor where they stand in the list. */
static void permanent_faults_of_formats_7_to_9_go_on_to_the_exports_of_one_run(void)
{
    static const char *const all[][2] = {
        {"format7-stuck-at", "stuck-at --target " PERMANENT},
        {"format7-part", "stuck-at --target " PERMANENT},
        {"format8-stuck-at", "stuck-at --target " PERMANENT},
        {"format9-stuck-at", "stuck-at --target " PERMANENT},
        {"format7-memory",
         "memory --target rf,shared --sample 60 --kind tf,cfid " STORES "tiny.job.xml "}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char *command = fl_format(
            "e='--csv $to.csv --csv-faults $to.faults --xml $to.xml' f='faultsim %s'; "
            "to=want; eval \"$f $e\" >want.text && "
            "to=got; eval \"$f --store %s --resume $e\" >got.text && "
            "to=again; eval \"faultsim report %s $e\" >again.text && "
            "sed -E -i '/^[^#]/s/(,[^,]*){19}$//' want.faults got.faults again.faults && "
            "sed -E -i 's/ unwritten=\"[0-9]*\".*\\/>/\\/>/' want.xml got.xml again.xml && "
            "sed -i -e '/^What most wrong elements/,/^$/d' -e '/^Bits that differ in most/,/^$/d' "
            "-e '/^What all of them have/,/^$/d' -e '/^$/d' want.text got.text again.text && "
            "for x in csv faults xml text; do cmp want.$x got.$x && cmp got.$x again.$x || exit; "
            "done",
            all[i][1], all[i][0], all[i][0]);
        make(all[i][0]);
        run(command);
        CU_ASSERT_EQUAL(format_of(all[i][0]), STORE_FORMAT);
        free(command);
    }
}

/* The proofs need the profile alone. Where faults stand in the list is not known yet: they are compared without their order. */
static void untestable_faults_of_format_7_are_proved_again_by_a_report(void)
{
    make("format7-stuck-at");
    run("cp format7-stuck-at before; e='--csv $to.csv --csv-faults $to.faults --xml $to.xml'; "
        "to=read; eval \"faultsim report format7-stuck-at $e\" >read.text && "
        "cmp before format7-stuck-at && "
        "faultsim stuck-at --target " PERMANENT "--store format7-stuck-at --resume --quiet && "
        "to=on; eval \"faultsim report format7-stuck-at $e\" >on.text && "
        "for x in read on; do sort $x.faults >$x.sorted; sed 's/ instructions=\"[0-9]*\"//' "
        "$x.xml | sort >$x.lines; sed '/^fault-free/,$d' $x.text >$x.table; done && "
        "cmp read.csv on.csv && cmp read.sorted on.sorted && cmp read.lines on.lines && "
        "cmp read.table on.table && grep -c untestable read.faults");
}

/* What somebody has added to it stays. */
static void views_and_tables_of_ones_own_outlive_the_upgrade(void)
{
    make_of_today("format5-part");
    change("format5-part", "CREATE VIEW mine AS SELECT target, avf FROM avf WHERE kernel = 'all'; "
                           "CREATE TABLE notes(text); INSERT INTO notes VALUES('seen')");
    run(CAMPAIGN EXACT "--store format5-part --resume");
    change("format5-part", "CREATE TEMP TABLE t(x CHECK(x)); INSERT INTO t SELECT avf > 0 FROM "
                           "mine; INSERT INTO t SELECT text = 'seen' FROM notes");
}

static void a_campaign_with_other_options_leaves_the_store_as_it_is(void)
{
    make_of_today("format5-sample");
    run("cp format5-sample before");
    tools_expect(dir, CAMPAIGN SAMPLE, "--sample 230 --stop-early --store format5-sample --resume",
                 1, "holds a campaign with other options");
    run("cmp format5-sample before");
}

/* ---- results that moved ---------------------------------------------------------------------------------------------- */

#define ONE_BY_ONE                                                                                 \
    "faultsim transient --quiet --target rf --exact --exhaustive " STORES "tiny.job.xml "

/* Version 0.2.0 was killed in the middle of this campaign, and made these shards. */
static void a_store_whose_results_have_moved_names_the_version_that_finishes_it(void)
{
    static const char moved[] = "its results are those of version 0.1, and such faults may end "
                                "otherwise since 0.3: finish it with version 0.2.0";
    make("format6-part");
    run("cp format6-part before");
    tools_expect(dir, ONE_BY_ONE, "--store format6-part --resume", 1, moved);
    tools_expect(dir, "faultsim", "report format6-part", 1, moved);
    run("cmp format6-part before");
    make("format6-sample");
    tools_expect(dir, CAMPAIGN SAMPLE, "--sample 320 --store format6-sample --resume", 1, moved);
    make("format6-shard1");
    tools_expect(dir, CAMPAIGN "--seed 4 " STORES "tiny.job.xml",
                 "--sample 40 --shard 1/2 --store format6-shard1 --resume", 1, moved);
}

static void a_store_whose_results_have_moved_is_reported_and_merged(void)
{
    make("format6-shard1");
    make("format6-shard2");
    run("rm -f both && faultsim merge both format6-shard1 format6-shard2 && "
        "faultsim report both --quiet --csv both.csv && "
        "grep -q ' results=0.1 model=transient ' both.csv");
    make("format6-part");
    run("rm -f some && faultsim merge --partial some format6-part");
}

/* Stuck-at faults end as they did: so half of a campaign of an earlier program is finished by this one. */
static void results_of_stuck_at_faults_have_not_moved_with_those_of_flips(void)
{
    CU_ASSERT_STRING_NOT_EQUAL(made_results("stuck-at", "c"), made_results("transient", "c"));
    make("format7-part");
    run("faultsim stuck-at --quiet --target " PERMANENT "--store format7-part --resume");
}

/* ---- killed -------------------------------------------------------------------------------------------------------- */

static char *dump(const char *path)
{
    struct store *s;
    struct fl_err err = {""};
    if (store_read(path, &s, &err) != 0) {
        printf("\n%s\n", err.msg);
        CU_FAIL_FATAL("cannot be read");
    }
    char *text = made_up_dump(s);
    store_close(s, NULL);
    return text;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Goes on with a store; it is killed by the first write behind `most` bytes of a file, or after `us` microseconds. */
static void upgrade_and_die(const char *path, const struct store_identity *id, rlim_t most, int us)
{
    struct store *s;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){most, most});
        if (store_open(path, true, id, &s, NULL) == 0)
            store_close(s, NULL);
        _exit(0);
    }
    if (us) {
        usleep((useconds_t)us);
        kill(child, SIGKILL);
    }
    waitpid(child, NULL, 0);
}

static void a_kill_at_any_instant_leaves_the_old_store_or_the_new_one(void)
{
    int found[STORE_FORMAT + 1] = {0};
    struct fl_err err = {""};
    struct store *s;
    char *path = path_of("format5-part");
    make("format5-part");
    char *want = dump(path);
    CU_ASSERT_EQUAL_FATAL(store_read(path, &s, &err), 0);
    struct result_job job;
    result_job_copy(&job, &store_result(s)->job[0]);
    char *options = fl_strdup(store_options(s));
    struct store_identity id = {
        .options = options, .size = "", .shard = 1, .shards = 1, .njobs = 1, .job = &job};
    store_close(s, NULL);
    make("format5-part");
    double start = now();
    upgrade_and_die(path, &id, RLIM_INFINITY, 0);
    int whole = (int)(1e6 * (now() - start)); /* microseconds */
    CU_ASSERT_EQUAL(format_of("format5-part"), STORE_FORMAT);
    /* by a limit of the file's size, the last beyond all of it; then by time, up to the whole of it */
    enum { BY_SIZE = SANITIZED ? 6 : 22, BY_TIME = SANITIZED ? 3 : 8 };
    for (int i = 0; i < BY_SIZE + BY_TIME; i++) {
        make("format5-part");
        if (i < BY_SIZE)
            upgrade_and_die(path, &id, 200000 / BY_SIZE * (rlim_t)(i + 1), 0);
        else
            upgrade_and_die(path, &id, RLIM_INFINITY, 1 + whole / BY_TIME * (i + 1 - BY_SIZE));
        char *got = dump(path);
        CU_ASSERT_STRING_EQUAL(got, want);
        free(got);
        int format = format_of("format5-part");
        CU_ASSERT_FATAL(format == 5 || format == STORE_FORMAT);
        found[format]++;
    }
    /* whatever the clock did: those of the sizes */
    CU_ASSERT(found[5] >= BY_SIZE / 3 && found[STORE_FORMAT] > 0);
    result_job_free(&job);
    free(options);
    free(want);
    free(path);
}

/* ---- refused ------------------------------------------------------------------------------------------------------- */

/* The proofs find another number of faults with this profile than the store has counted. */
static void a_report_that_needs_what_format_7_did_not_say_tells_how_to_add_it(void)
{
    make("format7-stuck-at");
    change("format7-stuck-at", "UPDATE job SET profile = 'g80'");
    char *path = path_of("format7-stuck-at");
    CU_ASSERT_EQUAL_FATAL(seal_store(path), 0);
    free(path);
    tools_expect(dir, "faultsim", "report format7-stuck-at --csv a.csv", 1,
                 "did not say which of its faults are untestable; resume the campaign with its "
                 "jobs, --store format7-stuck-at and --resume");
}

static void formats_that_are_not_read_are_refused_with_what_to_do(void)
{
    make("format4-sample");
    run("cp format4-sample before");
    tools_expect(dir, CAMPAIGN SAMPLE, "--sample 230 --store format4-sample --resume", 1,
                 "faultsim report and merge read it");
    run("cmp format4-sample before");
    change("format4-sample", "PRAGMA user_version = 3");
    tools_expect(
        dir, "faultsim", "report format4-sample", 1,
        "(store format 3, this one reads 4 to 10); use that version, or start the campaign "
        "again in another file");
    tools_expect(dir, CAMPAIGN SAMPLE, "--sample 230 --store format4-sample --resume", 1,
                 "store format 3");
}

static void a_damaged_store_of_an_earlier_format_is_refused(void)
{
    static const struct {
        const char *store, *sql, *words;
    } bad[] = {
        {"format5-part", "UPDATE tally SET sdc = sdc + 1", "rows were changed behind its back"},
        {"format5-part", "UPDATE injection SET ran = 0; DELETE FROM done", "rows were changed"},
        {"format5-part", "DROP TABLE site", "its tables are not as faultsim made them"},
        {"format5-part", "ALTER TABLE site RENAME COLUMN sdc TO crash2", "its tables are not as"},
        {"format5-part", "CREATE TRIGGER t AFTER INSERT ON done BEGIN DELETE FROM done; END",
         "has a trigger"},
        {"format4-exact", "ALTER TABLE site ADD COLUMN x", "its tables are not as"},
        {"format4-exact", "UPDATE tally SET sdc = sdc + 1", "do not add up"},
        {"format4-exact", "UPDATE tally SET sdc = 'many'", "a count makes no sense"},
        {"format4-exact", "DELETE FROM moment WHERE bucket = 3", "a piece of time are missing"},
        {"format4-sample", "DELETE FROM injection WHERE injection % 7 = 3", "lacks injections"},
        {"format4-sample", "UPDATE injection SET outcome = 'odd' WHERE injection = 3",
         "none of those that were counted"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        make(bad[i].store);
        change(bad[i].store, bad[i].sql);
        char *path = path_of(bad[i].store);
        struct fl_err err = {""};
        struct store *s;
        CU_ASSERT_EQUAL_FATAL(store_read(path, &s, &err), -1);
        if (!strstr(err.msg, "is damaged") || !strstr(err.msg, bad[i].words))
            printf("\n%s\n%s\n", bad[i].sql, err.msg);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "is damaged"));
        CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, bad[i].words));
        free(path);
    }
}

int main(void)
{
    dir = tools_folder();
    int status = CHECK_RUN(
        "migrate", CHECK(exports_are_the_bytes_of_the_faultsim_that_wrote_the_store),
        CHECK(ids_and_names_that_cannot_be_are_refused_in_every_format),
        CHECK(who_reads_a_store_of_an_earlier_format_leaves_it_as_it_is),
        CHECK(the_size_of_a_sample_of_format_4_follows_from_its_options),
        CHECK(permanent_faults_of_formats_7_to_9_go_on_to_the_exports_of_one_run),
        CHECK(untestable_faults_of_format_7_are_proved_again_by_a_report),
        CHECK(a_report_that_needs_what_format_7_did_not_say_tells_how_to_add_it),
        CHECK(a_campaign_of_an_earlier_format_goes_on_to_the_bytes_of_one_run),
        CHECK(views_and_tables_of_ones_own_outlive_the_upgrade),
        CHECK(a_campaign_with_other_options_leaves_the_store_as_it_is),
        CHECK(a_store_whose_results_have_moved_names_the_version_that_finishes_it),
        CHECK(a_store_whose_results_have_moved_is_reported_and_merged),
        CHECK(results_of_stuck_at_faults_have_not_moved_with_those_of_flips),
        CHECK(a_kill_at_any_instant_leaves_the_old_store_or_the_new_one),
        CHECK(formats_that_are_not_read_are_refused_with_what_to_do),
        CHECK(a_damaged_store_of_an_earlier_format_is_refused));
    tools_remove(dir);
    return status;
}
