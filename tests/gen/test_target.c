/* test_target.c -- sbstgen --target flexgripplus: its programs, the folders of its launches, and sbstgen verify.
 *
 * That the published RTL itself ends so is in test_flexgripplus.c.
 */
#include "tests/lib/faults.h"
#include "asm/isa/isa.h"
#include "tests/lib/tools.h"

static char *scratch;

/* Files made by the call in the folder "p"; the job there. */
static struct job *generate(const char *options)
{
    struct fl_buf out = {0};
    struct fl_err err = {{0}};
    struct job *job = NULL;
    CU_ASSERT_EQUAL_FATAL(
        tools_run(
            scratch, &out,
            "rm -rf p && sbstgen --target flexgripplus --format flexgripplus %s -o p --quiet && "
            "cp p/*.job.xml job.xml && printf %%s $PWD/p/*.job.xml",
            options),
        0);
    CU_ASSERT_EQUAL_FATAL(job_load((char *)out.data, NULL, &job, &err), 0);
    fl_buf_free(&out);
    return job;
}

static void programs_end_alike_on_that_machine_and_on_others(void)
{
    static const char *const options[] = {
        "--method sync-trick --le 2-3 --checkpoint",
        "--method sync-trick --approach ind --le 1",
        "--method sync-trick --patterns minimal --le 1-31",
        "--method sync-trick --patterns minimal --le 29-31 --flow-id",
        "--method sync-trick --patterns minimal --le 1-4 --warps 2",
        "--method nesting --patterns minimal --le 1-3 --flow-id",
    };
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i += SANITIZED ? 2 : 1) {
        job_free(generate(options[i]));
        tools_expect(scratch, "smrun", "p/*.job.xml --expect", 0, "(as the job states)");
        tools_expect(scratch, "sed -i s/flexgripplus-rtl/g80/ p/*.job.xml; smrun",
                     "p/*.job.xml --expect", 0, "(as the job states)");
        tools_expect(scratch, "sed -i s/g80/flexgripplus/ p/*.job.xml; smrun",
                     "p/*.job.xml --expect", 0, "(as the job states)");
    }
}

static void all_mask_faults_of_31_entries_are_found_in_170_instructions(void)
{
    struct job *job = generate("--method sync-trick --patterns minimal --le 1-31");
    struct fsim_campaign c = faults_campaign(job, "dstack/le1-31/tm*:sa*",
                                             (struct fsim_options){.run.threads = 1});
    long found = 0;
    for (long i = 0; i < c.list.count; i++)
        found += c.result[i].outcome == OUT_SDC;
    CU_ASSERT_EQUAL(found, 1984);
    CU_ASSERT_EQUAL(c.list.count, 1984);
    CU_ASSERT(c.golden->end->sm->s.instructions <= 170);
    fsim_campaign_free(&c);
    job_free(job);
}

/* Behind them that machine takes the second source for an immediate. */
static void constants_that_are_added_lie_in_the_first_64_words(void)
{
    struct job *job = generate("--method sync-trick --patterns minimal --le 1-31");
    int seen = 0;
    for (int k = 0; k < job->cubin->nkernels; k++) {
        const struct cubin_code *c = &job->cubin->kernel[k].code[0];
        CU_ASSERT_EQUAL(job->cubin->kernel[k].ncode, 1);
        for (uint32_t at = 0; at < c->size; at += 8) {
            uint32_t w[2];
            char text[160], *constant;
            unsigned index = 64;
            memcpy(w, c->bytes + at, sizeof w);
            CU_ASSERT_FATAL(isa_print(w[0], w[1], text, sizeof text) > 0);
            if (strncmp(text, "IMAD", 4) != 0)
                continue;
            constant = strstr(text, ".U16 R1, R1L, R7L, c[0x1][");
            CU_ASSERT_PTR_NOT_NULL_FATAL(constant);
            CU_ASSERT_EQUAL(sscanf(strstr(constant, "]["), "][%x]", &index), 1);
            CU_ASSERT(index < 64);
            seen++;
        }
    }
    CU_ASSERT_EQUAL(seen, 65);
    job_free(job);
}

static void what_cannot_run_there_is_refused_with_the_reason(void)
{
    static const struct {
        const char *arguments, *words;
    } call[] = {
        {"--target flexgripplus --le 1-32", "loses a push above line-entry 31; use --le"},
        {"--target flexgripplus --le 1-4 --pc", "never reaches a far block; use --flow-id"},
        {"--target flexgripplus --le 1-4 --patterns minimal --pc --flow-id --landing-pads",
         "has no room for pads; use --flow-id"},
        {"--target g80 --le 1", "there is no target 'g80'; use --target flexgripplus"},
        {"--format mif --le 1", "there is no format 'mif'; use --format flexgripplus"},
        {"--format flexgripplus --le 1", "say --target flexgripplus as well"},
    };
    for (size_t i = 0; i < sizeof call / sizeof call[0]; i++) {
        char *all = fl_format("--method sync-trick %s", call[i].arguments);
        tools_expect(scratch, "sbstgen", all, 2, call[i].words);
        free(all);
    }
}

/* Breaks pop once per pass there: 4 times with 8 SPs. Calls and returns are exact with as many. */
static void flow_ids_are_those_that_its_scalar_processors_can_do(void)
{
    static const struct {
        int sps;
        const char *routine, *other;
    } machine[] = {{8, "calls", "breaks"}, {16, "calls", "breaks"}, {32, "breaks", "calls"}};
    for (int i = 0; i < 3; i++) {
        struct fl_buf out = {0};
        CU_ASSERT_EQUAL(
            tools_run(
                scratch, &out,
                "rm -rf p && sed 's/<sps>8/<sps>%d/' %s/profiles/flexgripplus-rtl.xml >sps.xml && "
                "sbstgen --target flexgripplus --method sync-trick --patterns minimal "
                "--flow-id --le 1-4 --profile ./sps.xml -o p --quiet && smrun p/*sync*.job.xml "
                "--expect >/dev/null && grep -q 'sbst_%s ' p/*sync*.sasm && "
                "! grep -q 'sbst_%s ' p/*sync*.sasm",
                machine[i].sps, FAULTLINE_SOURCE_DIR, machine[i].routine, machine[i].other),
            0);
        fl_buf_free(&out);
    }
}

/* ---- folders of launches ---- */

/* The hex numbers of a file, one a line; `count` must be right. */
static void expect_numbers(const char *name, const uint32_t *want, size_t count)
{
    struct fl_buf text = {0};
    struct fl_err err;
    char *path = fl_format("%s/p/%s", scratch, name), *rest;
    size_t n = 0;
    CU_ASSERT_EQUAL_FATAL(fl_read_file(path, &text, &err), 0);
    rest = (char *)text.data;
    for (char *line; (line = strsep(&rest, "\n")) && *line; n++)
        CU_ASSERT_FATAL(n < count && strtoul(line, NULL, 16) == want[n]);
    CU_ASSERT_EQUAL(n, count);
    fl_buf_free(&text);
    free(path);
}

static void folders_hold_the_program_and_the_memories_of_each_launch(void)
{
    struct job *job = generate("--method sync-trick --patterns minimal --le 1-4 --warps 2");
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL_FATAL(job->nlaunches, 2);
    for (int i = 0; i < 2; i++) {
        const struct cubin_kernel *k = &job->cubin->kernel[i];
        uint32_t word[256], byte[768];
        char name[128];
        size_t words = k->code[0].size / 4;
        CU_ASSERT_FATAL(words <= 256 && k->const1_size <= 768);
        memcpy(word, k->code[0].bytes, k->code[0].size);
        const char *folder = "sync-trick-acc-le01-04-minimal-warps02-flexgripplus.launch";
        snprintf(name, sizeof name, "%s%d/program.hex", folder, i + 1);
        expect_numbers(name, word, words);
        for (uint32_t b = 0; b < k->const1_size; b++)
            byte[b] = k->const1[b];
        snprintf(name, sizeof name, "%s%d/constant_mem.mif", folder, i + 1);
        expect_numbers(name, byte, k->const1_size);
        for (int b = 0; b < 768; b++)
            byte[b] = b < 256 ? 0 : 0xff;
        snprintf(name, sizeof name, "%s%d/global_mem.mif", folder, i + 1);
        expect_numbers(name, byte, 768);
        CU_ASSERT_EQUAL(tools_run(scratch, &out,
                                  "cd p/*launch%d && grep -o 'x\"........\"' TP_instructions.vhd | "
                                  "tr -d 'x\"' | cmp - program.hex && "
                                  "grep -q 'array (0 to %zu)' TP_instructions.vhd && "
                                  "grep -q 'BLKX  *x\"0040\"' launch.txt && "
                                  "grep -q 'GPRS  *\"000001000\"' launch.txt && "
                                  "grep -q 'READ_DATA_SIZE .*unsigned(191, 18)' launch.txt && "
                                  "test $(grep -c '^00[0-9a-f]* [0-9a-f]*$' launch.txt) = 128",
                                  i + 1, words - 1),
                        0);
    }
    fl_buf_free(&out);
    job_free(job);
}

static void folders_of_a_call_that_fails_are_those_of_before(void)
{
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(
        tools_run(
            scratch, &out,
            "rm -rf p; A='--method sync-trick --le 1 --target flexgripplus --format flexgripplus'; "
            "N=p/sync-trick-acc-le01-flexgripplus; "
            "sbstgen $A --quiet -o p && echo mine >$N.launch1/launch.txt && "
            "rm $N.lst && mkdir $N.lst && ! sbstgen $A -o p 2>/dev/null && "
            "cat $N.launch1/launch.txt && ls -A $N.launch1 | wc -l && ls -A p | wc -l"),
        0);
    CU_ASSERT(tools_says(&out, "mine\n5\n6\n"));
    fl_buf_free(&out);
}

/* ---- verify ---- */

/* What the test bench would print of a run: memory from address 0, the outputs from 0x100. A file for each launch. */
static void write_dumps(const struct gpu *m)
{
    const struct job *job = m->img->job;
    for (int i = 0; i < job->nbuffers; i++) {
        const struct job_buffer *b = &job->buffer[i];
        struct fl_buf text = {0};
        char name[16];
        snprintf(name, sizeof name, "dump%d", i + 1);
        for (uint32_t at = 0; at < 0x100 + b->size; at += 4) {
            uint32_t word = 0;
            if (at >= 0x100)
                gpu_read_global(m, b->addr + at - 0x100, &word, 4);
            fl_buf_printf(&text, "%05X %08X\n", at, word);
        }
        tools_put(scratch, name, text.data, text.size);
        fl_buf_free(&text);
    }
}

static void run_with(const struct job *job, const char *fault)
{
    struct fsim_campaign c = faults_campaign(job, fault, (struct fsim_options){.run.threads = 1});
    struct gpu *m = gpu_new(c.img);
    struct sm_force held = sm_cell_force(c.img, &c.list.fault[0].cell, c.list.fault[0].value);
    gpu_add_force(m, &held);
    gpu_run(m, c.result[0].end);
    CU_ASSERT(m->grid.done);
    write_dumps(m);
    gpu_free(m);
    fsim_campaign_free(&c);
}

static void outputs_are_passed_or_the_words_and_the_faults_are_named(void)
{
    const char *call = "verify p/*.job.xml --dump dump1 dump2";
    struct job *job = generate("--method sync-trick --patterns minimal --le 1-4");
    struct fl_err err = {{0}};
    struct fl_buf out = {0};
    struct sm_image *img = sm_image_new(job, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(img);
    struct gpu *m = gpu_new(img);
    gpu_run(m, 1000000);
    write_dumps(m);
    gpu_free(m);
    sm_image_free(img);
    tools_expect(scratch, "sbstgen", call, 0, "pass: 128 words as expected");

    run_with(job, "dstack/le3/tm7:sa0");
    tools_expect(scratch, "sbstgen", call, 1, "launch 1, 0x0011c, spt of thread 7: ");
    tools_expect(scratch, "sbstgen", call, 1, " of 128 words differ; SHA-256 of the outputs: ");
    CU_ASSERT_EQUAL(tools_run(scratch, &out,
                              "faultsim dictionary p/*.job.xml --faults 'dstack/w0/le1-4/tm*:sa*' "
                              "--xml d.xml --quiet >/dev/null && "
                              "sbstgen %s --dictionary d.xml; test $? = 1",
                              call),
                    0);
    CU_ASSERT(tools_says(&out, "faults that leave these outputs:\n"));
    CU_ASSERT(tools_says(&out, "  dstack/w0/le3/tm7:sa0\n"));
    CU_ASSERT(!tools_says(&out, "tm8"));
    CU_ASSERT_EQUAL(tools_run(scratch, &out,
                              "sed -i 's/^0011C ......../0011C 12345678/' dump1 && "
                              "sbstgen %s --dictionary d.xml; test $? = 1",
                              call),
                    0);
    CU_ASSERT(tools_says(&out, "no fault of d.xml leaves these outputs"));

    job_free(job);
    job_free(generate("--method sync-trick --patterns minimal --le 2-4 --warps 2"));
    tools_expect(scratch, "sbstgen", "verify p/*.job.xml --dump dump1 --dictionary d.xml", 1,
                 "has no word for address 0x00200");
    fl_buf_free(&out);
}

static void dumps_that_are_none_are_refused(void)
{
    static const struct {
        const char *dump, *words; /* dump: how it is made of a good one, g */
    } bad[] = {
        {"sed '$d' g >b", "has no word for address 0x001fc"},
        {"head -c 700 g >b", "b:47: "},
        {"sed 's/^00180 .*/00180 0000000/' g >b", "is not 8 hex digits; the file is cut off"},
        {"sed 's/^00180 .*/00180 XXXXXXXX/' g >b", "word 'XXXXXXXX' is not 8 hex digits"},
        {"sed 's/^00180/0018x/' g >b", "address '0018x' is not a number"},
        {"sed 's/^00180/00182/' g >b", "address '00182' is not that of a word"},
        {"cat g g >b", "a second word for address 0x00100"},
        {"sed 's/^001/002/' g >b", "has no word for address 0x00100"},
        {"sed 's/ //' g >b", "a line has an address and a word"},
        {"head -c 300 /bin/sh >b", "b:1: a zero byte in a text file"},
        {": >b", "has no word for address 0x00100"},
    };
    struct fl_buf out = {0};
    job_free(generate("--method sync-trick --le 2"));
    CU_ASSERT_EQUAL(tools_run(scratch, &out, "grep -v '^#' p/*.launch1/launch.txt >g"), 0);
    fl_buf_free(&out);
    tools_expect(scratch, "{ echo 4 00000000; sed s/^00// g; } >b; sbstgen",
                 "verify p/*.job.xml --dump b", 0, "pass"); /* addresses may be short */
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i += SANITIZED ? 2 : 1) {
        char *line = fl_format("%s; sbstgen", bad[i].dump);
        tools_expect(scratch, line, "verify p/*.job.xml --dump b", 1, bad[i].words);
        free(line);
    }
    tools_expect(scratch, "sbstgen", "verify p/*.job.xml --dump g g", 1,
                 "has 1 launch, each a simulation with a dump; there are 2");
    tools_expect(scratch, "sbstgen", "verify p/*.job.xml --dump nowhere", 1, "nowhere");
    tools_expect(scratch, "sbstgen", "verify p/*.job.xml", 2, "needs a job and a dump");
    tools_expect(scratch, "sbstgen", "verify p/*.job.xml --dump g --dictionary", 2, "no file");
    tools_expect(scratch, "sed -i 's/^00180 ./00180 0/' p/*.launch1/launch.txt; sbstgen",
                 "verify p/*.job.xml --dump g", 1, "belong to another job; make them again");
    tools_expect(scratch, "rm -r p/*.launch1; sbstgen", "verify p/*.job.xml --dump g", 1,
                 "launch.txt");
}

int main(void)
{
    scratch = tools_folder();
    int status = CHECK_RUN("target", CHECK(programs_end_alike_on_that_machine_and_on_others),
                           CHECK(all_mask_faults_of_31_entries_are_found_in_170_instructions),
                           CHECK(constants_that_are_added_lie_in_the_first_64_words),
                           CHECK(what_cannot_run_there_is_refused_with_the_reason),
                           CHECK(flow_ids_are_those_that_its_scalar_processors_can_do),
                           CHECK(folders_hold_the_program_and_the_memories_of_each_launch),
                           CHECK(folders_of_a_call_that_fails_are_those_of_before),
                           CHECK(outputs_are_passed_or_the_words_and_the_faults_are_named),
                           CHECK(dumps_that_are_none_are_refused));
    tools_remove(scratch);
    return status;
}
