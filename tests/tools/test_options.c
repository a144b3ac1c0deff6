/* test_options.c -- the command line of faultsim: what its table says is what the parser takes, what help shows and what
 * the messages name.
 */
#include "faultsim/cli/options.h"

#include <string.h>
#include <sys/stat.h>

#include "faultsim/cli/commands.h"
#include "faultsim/cli/values.h"
#include "tests/lib/check.h"
#include "tests/lib/tools.h"

static struct cli_request request;
static struct fl_err said;

/* Reads "transient --ace a.job.xml": words with a space between, quoted by '' where they hold special letters. */
static int read_line(const char *line)
{
    static char *copy, *argv[32], tool[] = "faultsim"; /* of which the request keeps some */
    char *rest;
    int argc = 1;
    cli_free(&request);
    free(copy);
    memset(argv, 0, sizeof argv);
    argv[0] = tool;
    rest = copy = fl_strdup(line);
    for (char *word; (word = strsep(&rest, " "));) {
        size_t n = strlen(word);
        if (n > 1 && word[0] == '\'' && word[n - 1] == '\'') {
            word[n - 1] = 0;
            word++;
        }
        CU_ASSERT_FATAL(argc < 31);
        if (*word)
            argv[argc++] = word;
    }
    said.msg[0] = 0;
    return cli_read(argc, argv, &request, &said);
}

static bool is_refused(const char *line, const char *says)
{
    int status = read_line(line);
    bool good = status == CLI_USAGE && strstr(said.msg, says);
    if (!good)
        printf("\n    faultsim %s\n    status %d, wanted '%s', got: %s\n", line, status, says,
               said.msg);
    return good;
}

/* A row of that name which the command takes, or NULL. */
static const struct cli_option *row_of(int command, const char *name)
{
    for (int i = 0; i < cli_option_count; i++)
        if (strcmp(cli_options[i].name, name) == 0 && (cli_options[i].commands >> command & 1))
            return &cli_options[i];
    return NULL;
}

static void a_command_takes_an_option_of_one_name_once(void)
{
    for (int i = 0; i < cli_option_count; i++)
        for (int k = 0; k < i; k++) {
            bool same = strcmp(cli_options[i].name, cli_options[k].name) == 0;
            CU_ASSERT(!same || !(cli_options[i].commands & cli_options[k].commands));
            CU_ASSERT(!same || !cli_options[i].argument == !cli_options[k].argument);
        }
}

static void help_of_a_command_has_each_option_that_it_takes(void)
{
    for (int c = 0; c < CLI_COMMANDS; c++) {
        struct fl_buf help = {0};
        cli_help((enum cli_command)c, &help);
        for (int i = 0; i < cli_option_count; i++) {
            const struct cli_option *o = &cli_options[i];
            char *line = fl_format("\n  --%s%s%s", o->name, o->argument ? " " : "",
                                   o->argument ? o->argument : "");
            const char *at = strstr((char *)help.data, line);
            while (at && at[strlen(line)] != ' ' && at[strlen(line)] != '\n')
                at = strstr(at + 1, line);
            CU_ASSERT_EQUAL(at != NULL, (o->commands >> c & 1) != 0 ||
                                            (row_of(c, o->name) &&
                                             !strcmp(row_of(c, o->name)->argument, o->argument)));
            free(line);
        }
        fl_buf_free(&help);
    }
}

static void an_option_of_others_is_refused_with_the_name_of_who_takes_it(void)
{
    int refused = 0;
    for (int c = 0; c < CLI_COMMANDS; c++)
        for (int i = 0; i < cli_option_count; i++) {
            const char *name = cli_options[i].name;
            if (row_of(c, name))
                continue;
            char *line = fl_format("%s --%s 1 x", cli_commands[c].name, name);
            char *says = fl_format("--%s is an option of ", name);
            CU_ASSERT(is_refused(line, says));
            char *end = strchr(said.msg, ';');
            CU_ASSERT_PTR_NOT_NULL_FATAL(end);
            for (int k = 0; k < CLI_COMMANDS; k++) {
                char *word = fl_format(" %s", cli_commands[k].name);
                char *at = strstr(said.msg, word);
                bool named = at && at < end && strchr(" ,;", at[strlen(word)]);
                CU_ASSERT_EQUAL(named, row_of(k, name) != NULL);
                free(word);
            }
            char *see = fl_format("; see faultsim %s", cli_commands[c].name);
            CU_ASSERT_PTR_NOT_NULL(strstr(said.msg, c == CLI_HELP ? "; see faultsim help" : see));
            free(see);
            free(says);
            free(line);
            refused++;
        }
    CU_ASSERT(refused > 100);
}

static void each_example_of_the_help_is_a_line_that_is_taken(void)
{
    for (int c = 0; c < CLI_COMMANDS; c++)
        for (int i = 0; i < CLI_EXAMPLES && cli_commands[c].example[i].line; i++) {
            CU_ASSERT_EQUAL(read_line(cli_commands[c].example[i].line), CLI_DONE);
            CU_ASSERT_EQUAL(request.command, c);
        }
}

static void a_model_is_the_subcommand_of_its_name_wherever_it_stands(void)
{
    static const struct {
        const char *line;
        enum cli_command command;
        int nfiles;
    } list[] = {
        {"stuck-at a.xml", CLI_STUCK_AT, 1},
        {"--model stuck-at a.xml", CLI_STUCK_AT, 1},
        {"a.xml --model=transient b.xml", CLI_TRANSIENT, 2},
        {"a.xml --sample 9 b.xml --model intermittent", CLI_INTERMITTENT, 2},
        {"--csv --model transient --model stuck-at", CLI_STUCK_AT, 1}, /* a file of that name */
        {"transient --model transient a.xml", CLI_TRANSIENT, 1},
        {"prove --model stuck-at a.xml", CLI_PROVE, 1},
        {"--model gate a.xml", CLI_GATE, 1},
        {"gate --model glitch a.xml", CLI_GATE, 1},
        {"gate --model transition a.xml", CLI_GATE,
         1}, /* faults of gates have models of their own */
        {"gate --model transition-delay a.xml", CLI_GATE, 1},
        {"a --model transient", CLI_TRANSIENT, 1},
        {"transient -- --model", CLI_TRANSIENT, 1},
        {"transient -- a.xml", CLI_TRANSIENT, 1},
        {"transient -- ./a.out a.xml", CLI_TRANSIENT, 0},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        CU_ASSERT_EQUAL(read_line(list[i].line), CLI_DONE);
        CU_ASSERT_EQUAL(request.command, list[i].command);
        CU_ASSERT_EQUAL(request.nfiles, list[i].nfiles);
    }
    CU_ASSERT(is_refused("transient --model intermittent a.xml", "is about transient faults"));
    CU_ASSERT(is_refused("prove --model transient a.xml", "is about stuck-at faults"));
    CU_ASSERT(is_refused("--model prove a.xml", "there is no model 'prove'"));
    CU_ASSERT(is_refused("a.xml --model", "say what to do"));
}

static void help_is_found_by_each_of_its_names(void)
{
    static const struct {
        const char *line;
        enum cli_command about;
    } list[] = {{"help", CLI_NONE},
                {"--help", CLI_NONE},
                {"-h", CLI_NONE},
                {"a.xml --help", CLI_NONE},
                {"help --help", CLI_NONE},
                {"help transient", CLI_TRANSIENT},
                {"transient --help", CLI_TRANSIENT},
                {"--model transient -h", CLI_TRANSIENT},
                {"--help --model transient", CLI_TRANSIENT},
                {"merge --help --teapot", CLI_MERGE}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        CU_ASSERT_EQUAL(read_line(list[i].line), CLI_DONE);
        CU_ASSERT_EQUAL(request.command, CLI_HELP);
        CU_ASSERT_EQUAL(request.about, list[i].about);
    }
    CU_ASSERT(is_refused("help teapot", "there is no command 'teapot'; there are"));
}

static void what_is_misspelt_gets_a_hint(void)
{
    static const struct {
        const char *line, *says;
    } list[] = {
        {"transent a.xml", "there is no command 'transent' (did you mean transient?)"},
        {"--model stuckat a.xml", "there is no model 'stuckat' (did you mean stuck-at?)"},
        {"transient --smaple 9 a.xml", "unknown option --smaple (did you mean --sample?); see"},
        {"transient --shards=1/2 a.xml", "unknown option --shards (did you mean --shard?)"},
        {"stuck-at --quite a.xml", "unknown option --quite (did you mean --quiet?)"},
        {"gate --unti flow a.xml", "unknown option --unti (did you mean --unit?)"},
        {"stuck-at --xyzzy a.xml", "unknown option --xyzzy; see faultsim stuck-at --help"},
        {"stuck-at -q a.xml", "unknown option -q; see"},
        {"stuck-at --ma 1 a.xml", "unknown option --ma;"}, /* --matrix, --max-cycles */
        {"stuck-at a.xml --csv", "--csv needs a value: --csv F; see"},
        {"stuck-at a.xml --quiet=yes", "--quiet takes no value"},
        {"stuck-at a.xml --threads 0", "--threads '0': give a number from 1 to 1024; see"},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        CU_ASSERT(is_refused(list[i].line, list[i].says));
}

static void values_go_where_their_option_says(void)
{
    CU_ASSERT_EQUAL(
        read_line("transient --thr 3 --sample=40 --cycles 5-9 --bits adjacent:2 --lanes "
                  "--shard 2/3 --sps 8,32 --csv - --quiet --progress line:60 a.xml -"),
        CLI_DONE);
    CU_ASSERT(request.progress.show == PROGRESS_LINE && request.progress.every == 60);
    CU_ASSERT(request.threads == 3 && request.sample == 40 && request.pattern.adjacent == 2);
    CU_ASSERT(request.window.from == 5 && request.window.to == 9 && request.window.launch == -1);
    CU_ASSERT(request.shard.number == 2 && request.shard.of == 3 && request.pattern.warp);
    CU_ASSERT(request.sps.count == 2 && request.sps.sps[1] == 32 && request.quiet);
    CU_ASSERT(request.nfiles == 2 && strcmp(request.csv, "-") == 0);
    CU_ASSERT(request.seed.number == 1 && !request.seed.given && request.max_cycles == 1000000000 &&
              !request.margin);
    CU_ASSERT_EQUAL(read_line("intermittent --hold end --sample 1 a.xml"), CLI_DONE);
    CU_ASSERT(request.pattern.window == FSIM_NO_END);
    CU_ASSERT_EQUAL(read_line("dictionary --from x --lookup a --lookup b --see end"), CLI_DONE);
    CU_ASSERT(request.lookup.count == 2 && request.view == DICT_END);
}

/* ---- files ----------------------------------------------------------------------------------- */

static bool is_refused_for_its_files(const char *line)
{
    const struct cli_jobs none = {0};
    int status = read_line(line);
    bool good = status == CLI_DONE && cli_check_files(&request, &none, &said) != 0 &&
                (strstr(said.msg, "would overwrite") || strstr(said.msg, "would go into one file"));
    if (!good)
        printf("\n    faultsim %s\n    status %d: %s\n", line, status, said.msg);
    return good;
}

/* What a line with `more` reads or keeps is `path`: each output of the command is refused there. */
static void check_outputs(int command, const char *more, const char *path, const char *behind)
{
    for (int i = 0; i < cli_option_count; i++) {
        const struct cli_option *o = &cli_options[i];
        if (!(o->commands >> command & 1) || o->read != cli_output)
            continue;
        char *line = fl_format("%s --%s %s %s %s", cli_commands[command].name, o->name, path, more,
                               behind);
        CU_ASSERT(is_refused_for_its_files(line));
        free(line);
    }
}

static void no_output_of_any_command_goes_over_what_the_command_reads_or_keeps(void)
{
    static const char *const beside[] = {"", "-journal", "-wal", "-shm", ".status"};
    char *dir = tools_folder(), *gates = fl_format("%s/gates", dir),
         *of_profile = fl_format("%s/g80", gates), *netlist = fl_format("%s/flow.blif", of_profile);
    CU_ASSERT_FATAL(mkdir(gates, 0777) == 0 && mkdir(of_profile, 0777) == 0);
    CU_ASSERT_EQUAL_FATAL(fl_write_file(netlist, "", 0, NULL), 0);
    for (int c = 0; c < CLI_COMMANDS; c++) {
        const bool stores = c == CLI_REPORT || c == CLI_COMPARE;
        const char *job = stores ? "" : "a.job.xml";
        for (int i = 0; i < cli_option_count; i++) {
            const struct cli_option *o = &cli_options[i];
            char *path = fl_format("%s/x.%s", dir, strcmp(o->name, "profile") ? "in" : "xml");
            char *more = fl_format("--%s %s", o->name, path);
            if ((o->commands >> c & 1) &&
                (o->read == cli_input || strcmp(o->name, "profile") == 0) && !stores)
                check_outputs(c, more, path, job);
            free(more);
            free(path);
        }
        for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
            char *path = fl_format("%s/s.db%s", dir, beside[i]),
                 *more = fl_format("%s%s/s.db", stores ? "" : "--store ", dir);
            if (stores || row_of(c, "store"))
                check_outputs(c, more, path, job);
            free(more);
            free(path);
        }
    }
    char *more = fl_format("--netlists %s", gates);
    check_outputs(CLI_GATE, more, netlist, "a.job.xml");
    free(more);
    static const char *const of_program[] = {"./prog", "graph.txt", "data.bin"};
    for (int i = 0; i < 3; i++) {
        char *folder = fl_format("%s/", dir), *path = fl_format("%s%s", folder, of_program[i]);
        char *behind = fl_format("-- %sprog %sgraph.txt --in=%sdata.bin", folder, folder, folder);
        check_outputs(CLI_TRANSIENT, "", path, behind);
        free(behind);
        free(path);
        free(folder);
    }
    char *judge = fl_format("%s/judge", dir), *check = fl_format("--check-output sh;%s", judge);
    check_outputs(CLI_TRANSIENT, check, judge, "-- prog");
    free(check);
    free(judge);
    free(netlist);
    free(of_profile);
    free(gates);
    tools_remove(dir);
}

/* A new option with a file is read by cli_input or cli_output, or cli_check_files knows it by name. */
static void every_option_with_a_file_is_known_as_one(void)
{
    static const char *const by_name[] = {"netlists", "store",    "constraints", "groups", "plots",
                                          "output",   "evidence", "proofs",      "liberty"};
    for (int i = 0; i < cli_option_count; i++) {
        const struct cli_option *o = &cli_options[i];
        bool file = o->argument &&
                    (strcmp(o->argument, "F") == 0 || strncmp(o->argument, "FILE", 4) == 0 ||
                     strcmp(o->argument, "DIR") == 0);
        bool known = o->read == cli_input || o->read == cli_output;
        for (size_t k = 0; k < sizeof by_name / sizeof *by_name; k++)
            known |= strcmp(by_name[k], o->name) == 0;
        if (file && !known)
            printf("\n    --%s %s\n", o->name, o->argument);
        CU_ASSERT(!file || known);
    }
}

int main(void)
{
    int status = CHECK_RUN(
        "options", CHECK(a_command_takes_an_option_of_one_name_once),
        CHECK(help_of_a_command_has_each_option_that_it_takes),
        CHECK(an_option_of_others_is_refused_with_the_name_of_who_takes_it),
        CHECK(each_example_of_the_help_is_a_line_that_is_taken),
        CHECK(a_model_is_the_subcommand_of_its_name_wherever_it_stands),
        CHECK(help_is_found_by_each_of_its_names), CHECK(what_is_misspelt_gets_a_hint),
        CHECK(values_go_where_their_option_says), CHECK(every_option_with_a_file_is_known_as_one),
        CHECK(no_output_of_any_command_goes_over_what_the_command_reads_or_keeps));
    cli_free(&request);
    return status;
}
