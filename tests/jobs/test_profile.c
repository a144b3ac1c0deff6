/* test_profile.c -- profile.xml: what profiles say, and what is refused. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tests/lib/check.h"
#include "sm/job/job.h"
#include "base/xml.h"
#include "asm/isa/isa.h"
#include "tests/lib/tools.h"
#include "tests/lib/jobs.h"

static void the_shipped_profiles_have_the_stated_sizes(void)
{
    static const struct {
        const char *name;
        int warps, regs, shared, entries, spill, bits;
    } want[] = {{"g80", 24, 8192, 16384, 32, 64, 24},
                {"flexgripplus", 24, 8192, 16384, 32, 0, 32},
                {"tiny", 2, 2048, 256, 4, 0, 32}};
    for (int i = 0; i < 3; i++) {
        struct profile p;
        struct fl_err err;
        CU_ASSERT_EQUAL(profile_load(want[i].name, &p, &err), 0);
        CU_ASSERT_STRING_EQUAL(p.name, want[i].name);
        CU_ASSERT(p.warps == want[i].warps && p.regs == want[i].regs);
        CU_ASSERT(p.shared_bytes == want[i].shared && p.stack_entries == want[i].entries);
        CU_ASSERT(p.stack_spill == want[i].spill && p.code_bits == want[i].bits);
        CU_ASSERT(p.sps == 8 && p.sfu_cycles == 16 && p.clock_mhz == 1350);
    }
}

/* tiny.xml with one text replaced by another. */
static void profile_refused(const char *from, const char *to, const char *words)
{
    struct fl_buf text = {0};
    struct fl_err err = {""};
    struct profile p;
    char *tiny = xml_data_file("profiles/tiny.xml"), *path = jobs_path("p.xml");
    CU_ASSERT_EQUAL_FATAL(fl_read_file(tiny, &text, &err), 0);
    char *at = strstr((char *)text.data, from);
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    char *xml = fl_format("%.*s%s%s", (int)(at - (char *)text.data), text.data, to,
                          at + strlen(from));
    jobs_put("p.xml", xml, strlen(xml));
    CU_ASSERT_EQUAL(profile_load(path, &p, &err), -1);
    bool good = !strncmp(err.msg, path, strlen(path)) && err.msg[strlen(path)] == ':' &&
                strstr(err.msg, words);
    if (!good)
        printf("\n    wanted ...%s...\n    got    %s\n", words, err.msg);
    CU_ASSERT(good);
    free(xml);
    free(path);
    free(tiny);
    fl_buf_free(&text);
}

static void a_profile_that_contradicts_itself_is_refused(void)
{
    profile_refused("<threads_per_sm>64<", "<threads_per_sm>65<", "2 warps hold 64 threads");
    profile_refused("<threads_per_block>64<", "<threads_per_block>65<",
                    "contradicts <threads_per_sm>");
    profile_refused("<blocks_per_sm>2<", "<blocks_per_sm>3<", "contradicts <warps>");
    profile_refused("<regs>2048<", "<regs>2050<", "multiple of 32");
    profile_refused("<shared_bytes>256<", "<shared_bytes>250<", "multiple of 16");
    profile_refused("<shared_banks>16<", "<shared_banks>12<", "power of two");
    profile_refused("<sps>8<", "<sps>12<", "8, 16 or 32");
    profile_refused("<code_bits>32<", "<code_bits>28<", "18, 24 or 32 bits");
    profile_refused("</profile>", "<sms>6</sms><clusters>4</clusters></profile>",
                    "a number that divides <sms> 6");
    profile_refused("</profile>", "<interleave>96</interleave></profile>", "power of two");
    profile_refused("</profile>", "<partitions>6</partitions><ports>sm</ports></profile>",
                    "contradicts <ports> sm");
    profile_refused("</profile>", "<partitions>0</partitions></profile>", "from 1 to 64");
    profile_refused("</profile>", "<interleave>32</interleave></profile>", "from 64 to 65536");
}

/* A cache that is good but for one attribute, which comes in place of another. */
static void cache_refused(const char *from, const char *to, const char *behind, const char *words)
{
    static const char good[] =
        "<cache name='l1d' kind='data' place='sm' bytes='128' line='32' ways='2' replacement='lru' "
        "write='through' allocate='read' on-store='update' spaces='global local' latency='4' "
        "next='memory'/>";
    const char *at = strstr(good, from);
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    char *xml = fl_format("%.*s%s%s%s</profile>", (int)(at - good), good, to, at + strlen(from),
                          behind);
    profile_refused("</profile>", xml, words);
    free(xml);
}

static void a_cache_that_cannot_be_is_refused(void)
{
    static const char l2[] =
        "<cache name='l2' kind='data' place='chip' bytes='256' line='32' ways='4' "
        "replacement='lru' write='back' allocate='both' on-store='update' spaces='global' "
        "latency='12' next='memory'/>";
    cache_refused("l1d", "l3", "", "write l1d, l1c, l1t, l1i or l2");
    cache_refused("'data'", "'constant'", "", "cache l1d has kind=\"data\"");
    cache_refused("global local", "global constant", "", "write global, local or some of them");
    cache_refused("global local", "global global", "", "write global, local or some of them");
    cache_refused("global local", "", "", "write global, local or some of them");
    cache_refused("place='sm'", "place='chip'", "", "one of each SM");
    cache_refused("line='32'", "line='24'", "", "power of two");
    cache_refused("line='32'", "line='512'", "", "16 to 256");
    cache_refused("bytes='128'", "bytes='96'", "", "write a multiple");
    cache_refused("ways='2'", "ways='1'", "", "2 to 512");
    cache_refused("'lru'", "'random'", "", "lru, plru or fifo");
    cache_refused("next='memory'", "next='l1d'", "", "not behind itself");
    cache_refused("next='memory'", "next='l2'", "", "has no such cache");
    cache_refused("next='memory'", "next='l2'", l2, "must hold its spaces");
    cache_refused("next='memory'", "next='memory'", l2, "goes round l2");
    cache_refused("latency='4'", "latency='401'", "", "longer than a miss");
    cache_refused("through' allocate='read' on-store='update",
                  "back' allocate='read' on-store='evict", "", "would be lost");
    cache_refused("read' on-store='update", "both' on-store='evict", "", "contradicts allocate");
    cache_refused("write='through'", "write='back'", "<sms>2</sms>", "other SMs have written");
    cache_refused("global local", "code", "", "write global, local or some of them");
    cache_refused(" latency='4'", "", "", "latency");
    cache_refused("name='l1d'", "name='l2'", "", "place=\"chip\"");
}

static void code_in_an_l2_is_that_of_a_cache_for_instructions(void)
{
    static const char l1i[] =
        "<cache name='l1i' kind='instruction' place='sm' bytes='128' line='32' ways='2' "
        "replacement='lru' latency='0' next='l2'/>";
    char l2[512], both[1024];
    for (int i = 0; i < 2; i++) {
        snprintf(l2, sizeof l2,
                 "<cache name='l2' kind='data' place='chip' bytes='256' line='32' ways='4' "
                 "replacement='lru' write='back' allocate='both' on-store='update' spaces='%s' "
                 "latency='12' next='memory'/></profile>",
                 i ? "global" : "global code");
        snprintf(both, sizeof both, "%s%s", i ? l1i : "", l2);
        profile_refused("</profile>", both, i ? "must hold its spaces" : "which only a cache l1i");
    }
}

static void a_cache_that_is_only_read_has_no_way_of_writing(void)
{
    profile_refused("</profile>",
                    "<cache name='l1c' kind='constant' place='sm' bytes='128' line='32' ways='2' "
                    "replacement='lru' latency='0' next='memory' write='back'/></profile>",
                    "write");
    profile_refused("</profile>",
                    "<cache name='l1c' kind='constant' place='sm' bytes='128' line='32' ways='2' "
                    "replacement='lru' latency='0' next='l1d'/></profile>",
                    "behind l1c comes l2 or memory");
}

/* Stores and results name machines by digests of this. */
static void what_a_machine_is_called_by_stays_when_there_are_further_caches(void)
{
    struct profile p;
    struct fl_err err;
    struct fl_buf text = {0};
    CU_ASSERT_EQUAL_FATAL(profile_load("tiny-chip-caches", &p, &err), 0);
    profile_print_rules(&p, &text);
    CU_ASSERT_PTR_NOT_NULL(strstr((char *)text.data, "l1d=128/32/2/0/0/0/0/3/4/3"));
    CU_ASSERT_PTR_NOT_NULL(strstr((char *)text.data, "l2=256/32/4/0/1/1/0/3/12/4"));
    fl_buf_free(&text);
}

static void a_profile_says_everything_once_and_in_range(void)
{
    profile_refused("<sps>8</sps>", "", "<sps> is missing");
    profile_refused("<clock_mhz>1350</clock_mhz>", "", "<clock_mhz> is missing");
    profile_refused("<sps>8</sps>", "<sps>8</sps><sps>8</sps>", "given twice");
    profile_refused("<sps>8</sps>", "<spx>8</spx>", "a profile has no <spx>");
    profile_refused("<warps>2<", "<warps>65<", "from 1 to 64");
    profile_refused("<warps>2<", "<warps>two<", "from 1 to 64");
    profile_refused("<warps>2<", "<warps><b/><", "holds text alone");
    profile_refused("<clock_mhz>1350<", "<clock_mhz>0<", "from 0.001");
    profile_refused("<clock_mhz>1350<", "<clock_mhz>-inf<", "from 0.001");
    profile_refused("<sps>8</sps>", "<sps>8</sps><capability>1.3</capability>",
                    "<capability> '1.3': write 1.0, 1.1 or 1.2");
    profile_refused("<sps>8</sps>", "<sps>8</sps><ports>chips</ports>", "write chip or sm");
    profile_refused("name=\"tiny\"", "name=\"a b\"", "letters");
    profile_refused("name=\"tiny\"", "", "needs the attribute name");
}

static void a_machine_has_compute_capability_1_0_unless_it_says_another(void)
{
    static const struct {
        const char *name, *rules;
        int capability, warps, regs, sms;
    } want[] = {{"g80", "", ISA_1_0, 24, 8192, 1},
                {"g92", " capability=1.1 sms=16", ISA_1_1, 24, 8192, 16},
                {"gt215", " capability=1.2 sms=12", ISA_1_2, 32, 16384, 12}};
    for (int i = 0; i < 3; i++) {
        struct profile p;
        struct fl_err err;
        struct fl_buf rules = {0};
        CU_ASSERT_EQUAL_FATAL(profile_load(want[i].name, &p, &err), 0);
        CU_ASSERT(p.capability == want[i].capability && p.warps == want[i].warps);
        CU_ASSERT(p.regs == want[i].regs && p.sms == want[i].sms);
        profile_print_rules(&p, &rules);
        CU_ASSERT_STRING_EQUAL(rules.data ? (char *)rules.data : "", want[i].rules);
        fl_buf_free(&rules);
    }
}

static void other_sms_are_in_clusters_as_large_as_before(void)
{
    static const int want[][2] = {{1, 1}, {2, 1}, {3, 2}, {16, 8}, {128, 64}}; /* SMs, clusters */
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        struct profile p = {.sms = 16, .clusters = 8};
        profile_set_sms(&p, want[i][0]);
        CU_ASSERT_EQUAL(p.sms, want[i][0]);
        CU_ASSERT_EQUAL(p.clusters, want[i][1]);
    }
}

/* Table of gpuFI-4's configurations. */
static void the_profiles_of_gpufi_differ_from_those_without_caches_in_these_alone(void)
{
    static const struct {
        const char *name;
        uint32_t bytes[CACHES], sets[CACHES]; /* l1d, l1c, l1t, l1i, l2 */
    } want[] = {{"gpufi-titan", {16384, 16384, 49152, 0, 1572864}, {4, 128, 16, 0, 768}},
                {"gpufi-rtx2060", {65536, 65536, 131072, 0, 3145728}, {1, 128, 4, 0, 1536}},
                {"gpufi-gv100", {32768, 65536, 131072, 0, 6291456}, {1, 128, 4, 0, 2048}}};
    for (int i = 0; i < 3; i++) {
        struct profile p, without;
        struct fl_err err;
        char *other = fl_format("%s-nocache", want[i].name);
        CU_ASSERT_EQUAL_FATAL(profile_load(want[i].name, &p, &err), 0);
        CU_ASSERT_EQUAL_FATAL(profile_load(other, &without, &err), 0);
        for (int c = 0; c < CACHES; c++) {
            CU_ASSERT_EQUAL(p.cache[c].bytes, want[i].bytes[c]);
            CU_ASSERT_EQUAL(profile_cache_sets(&p.cache[c]), want[i].sets[c]);
        }
        CU_ASSERT_FALSE(profile_has_caches(&without));
        CU_ASSERT_STRING_EQUAL(profile_differs(&p, &without), "cache");
        free(other);
    }
}

static void a_profile_is_found_in_the_folder_that_the_environment_names(void)
{
    struct profile p;
    struct fl_err err = {""};
    setenv("FAULTLINE_DATA", jobs_dir, 1);
    CU_ASSERT_EQUAL(profile_load("tiny", &p, &err), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, jobs_dir));
    setenv("FAULTLINE_DATA", FAULTLINE_SOURCE_DIR, 1);
    CU_ASSERT_EQUAL(profile_load("tiny", &p, &err), 0);
    unsetenv("FAULTLINE_DATA");
}

int main(void)
{
    jobs_start();
    int status = CHECK_RUN(
        "profile", CHECK(the_shipped_profiles_have_the_stated_sizes),
        CHECK(a_profile_that_contradicts_itself_is_refused),
        CHECK(a_cache_that_cannot_be_is_refused),
        CHECK(code_in_an_l2_is_that_of_a_cache_for_instructions),
        CHECK(a_cache_that_is_only_read_has_no_way_of_writing),
        CHECK(what_a_machine_is_called_by_stays_when_there_are_further_caches),
        CHECK(a_profile_says_everything_once_and_in_range),
        CHECK(a_machine_has_compute_capability_1_0_unless_it_says_another),
        CHECK(other_sms_are_in_clusters_as_large_as_before),
        CHECK(the_profiles_of_gpufi_differ_from_those_without_caches_in_these_alone),
        CHECK(a_profile_is_found_in_the_folder_that_the_environment_names));
    jobs_end();
    return status;
}
