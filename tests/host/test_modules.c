/* test_modules.c -- several cubins in one machine: each has its own code, constants and variables, and a run of them is one job. */
#include <stdint.h>
#include <unistd.h>

#include "asm/sasm/sasm.h"
#include "host/device.h"
#include "tests/lib/check.h"
#include "tests/lib/tools.h"

/* add(p) adds factors[1] and total[1], which differ, to p[thread]; and 1 to a word of local memory, which it leaves. */
static const char form[] =
    ".addresses 64\n"
    ".constant factors, u32, 3, %u\n"
    ".device total, u32, 5, %u\n"
    ".kernel add, _Z3addPj\n.local %u\n.param ptr p, 4\n"
    "    SHL R0, R0, 2\n    MOV R1, s[p]\n    IADD R1, R1, R0\n    GLD.U32 R2, global14[R1]\n"
    "    MVC R3, c0[factors + 4]\n    IADD R2, R2, R3\n    MVC R3, c14[total]\n"
    "    IADD32I R3, R3, 4\n    GLD.U32 R3, global14[R3]\n    IADD R2, R2, R3\n"
    "    LST.U32 local[0], R2\n    LLD.U32 R2, local[0]\n"
    "    GST.U32 global14[R1], R2\n    MOV.EXIT R1, R1\n";

static struct fl_buf file[4]; /* of cubins: they add 10, 200 and 3000; 10 with much local memory */
static struct host_process process = {.call = "a test", .gives = "a test"};
static struct host_device d;
static char *dir;

static void assemble(int i, unsigned factor, unsigned total, unsigned local)
{
    char *text = fl_format(form, factor, total, local);
    struct cubin *cubin;
    struct fl_err err = {""};
    if (sasm_assemble("module.sasm", text, &cubin, &err) ||
        cubin_write_memory(cubin, &file[i], &err))
        fl_give_up(err.msg);
    cubin_free(cubin);
    free(text);
}

static void start(void)
{
    struct fl_err err = {""};
    CU_ASSERT_EQUAL(host_open(&d, &process, &err), 0);
}

static void end(void)
{
    host_close_record(&d);
    host_close(&d);
}

static int load(int i)
{
    struct fl_err err = {""};
    int module = host_load(&d, file[i].data, file[i].size, &err);
    if (module < 0)
        printf("%s\n", err.msg);
    CU_ASSERT_FATAL(module >= 0);
    return module;
}

static void launch(int module, int buffer)
{
    static const uint32_t one[3] = {1, 1, 1}, warp[3] = {32, 1, 1};
    struct job_param param[JOB_MAX_PARAMS];
    struct job_launch l = {.param = param};
    uint32_t at = d.job.buffer[buffer].addr;
    int kernel = host_find_kernel(&d, module, "add");
    CU_ASSERT_FATAL(kernel >= 0);
    CU_ASSERT_EQUAL(host_find_kernel(&d, module, "_Z3addPj"), kernel);
    CU_ASSERT_EQUAL(host_prepare(&d, kernel, one, warp, 0, &l), HOST_OK);
    CU_ASSERT_EQUAL(host_run(&d, &l, (const uint8_t *)&at, sizeof at), HOST_OK);
}

/* What its first word, which starts as 0, is after the launch. */
static uint32_t run(int module, int buffer)
{
    uint32_t at = d.job.buffer[buffer].addr, word = 0;
    launch(module, buffer);
    struct host_block to = {&word, 4, -1}, from = {(void *)(uintptr_t)at, 4, buffer};
    CU_ASSERT_EQUAL(host_copy(&d, &to, &from, 4, 1), HOST_OK);
    return word;
}

static void modules_keep_their_own_constants_and_variables(void)
{
    start();
    int a = load(0), b = load(1), buffer = host_allocate(&d, 128);
    CU_ASSERT_NOT_EQUAL(a, b);
    CU_ASSERT_EQUAL(run(a, buffer), 10);
    CU_ASSERT_EQUAL(run(b, buffer), 210);
    CU_ASSERT_EQUAL(run(a, buffer), 220);
    end();
}

static void a_module_is_loaded_between_launches(void)
{
    start();
    int buffer = host_allocate(&d, 128);
    CU_ASSERT_EQUAL(run(load(0), buffer), 10);
    CU_ASSERT_EQUAL(run(load(1), buffer), 210);
    CU_ASSERT_EQUAL(run(load(2), buffer), 3210);
    CU_ASSERT_EQUAL(run(load(3), buffer), 3220); /* with more local memory than all before */
    end();
}

static void one_file_may_be_two_modules(void)
{
    start();
    int a = load(0), b = load(0), buffer = host_allocate(&d, 128);
    uint32_t nine = 9;
    host_write_constant(&d, b, 4, &nine, 4);
    CU_ASSERT_EQUAL(run(a, buffer), 10);
    CU_ASSERT_EQUAL(run(b, buffer), 10 + 9 + 6);
    end();
}

static void a_module_that_is_loaded_again_is_as_it_was_at_first(void)
{
    start();
    int a = load(0), buffer = host_allocate(&d, 128);
    uint32_t nine = 9;
    struct host_place total;
    CU_ASSERT_FATAL(host_find_variable(&d, a, "total", &total));
    struct host_block from = {&nine, 4, -1},
                      to = {(void *)(uintptr_t)(d.job.buffer[total.buffer].addr + 4), 4,
                            total.buffer};
    host_write_constant(&d, a, 4, &nine, 4);
    CU_ASSERT_EQUAL(host_copy(&d, &to, &from, 4, 1), HOST_OK);
    CU_ASSERT_EQUAL(run(a, buffer), 18);
    host_unload(&d, a);
    CU_ASSERT_EQUAL(host_buffer(&d, to.at, 4), -1);
    CU_ASSERT_EQUAL(load(0), a);
    CU_ASSERT_EQUAL(run(a, buffer), 28);
    end();
}

static void what_is_no_cubin_is_refused_and_costs_nothing(void)
{
    struct fl_err err = {""};
    start();
    CU_ASSERT_EQUAL(host_load(&d, "\177ELF", 4, &err), -1);
    CU_ASSERT_EQUAL(host_load(&d, file[0].data, file[0].size / 2, &err), -1);
    int buffer = host_allocate(&d, 128);
    CU_ASSERT_EQUAL(run(load(0), buffer), 10);
    end();
}

static void record(void)
{
    process.records = 0;
    setenv("FAULTLINE_RECORD", dir, 1);
    start();
    unsetenv("FAULTLINE_RECORD");
}

/* What smrun says of the recorded job, and the job. */
static struct fl_buf ends_as_its_job(void)
{
    struct fl_buf out = {0};
    char *cycles = fl_format("cycles        %llu ", (unsigned long long)machine_cycles(&d.machine));
    setenv("FAULTLINE_RECORD", dir, 1);
    end();
    unsetenv("FAULTLINE_RECORD");
    CU_ASSERT_EQUAL(tools_run(dir, &out, "smrun --expect job.xml && smrun job.xml && cat job.xml"),
                    0);
    CU_ASSERT_TRUE(tools_says(&out, cycles));
    free(cycles);
    return out;
}

/* Loads before and after launches, writes of each module's constants, a module loaded again. */
static void a_run_of_several_modules_is_recorded_as_one_job(void)
{
    record();
    int a = load(0), buffer = host_allocate(&d, 128);
    uint32_t nine = 9;
    CU_ASSERT_EQUAL(run(a, buffer), 10);
    int b = load(1);
    CU_ASSERT_EQUAL(run(b, buffer), 210);
    host_write_constant(&d, b, 4, &nine, 4);
    CU_ASSERT_EQUAL(run(b, buffer), 319); /* 109 more */
    host_unload(&d, a);
    CU_ASSERT_EQUAL(run(load(2), buffer), 3319);
    CU_ASSERT_EQUAL(load(0), a);
    CU_ASSERT_EQUAL(run(a, buffer), 3329);
    struct fl_buf out = ends_as_its_job();
    CU_ASSERT_TRUE(tools_says(&out, "<module name=\"module3\" cubin=\"module3.cubin\"/>"));
    CU_ASSERT_TRUE(tools_says(&out, "<launch kernel=\"module2.add\""));
    CU_ASSERT_TRUE(tools_says(&out, "<write bank=\"0\" offset=\"4\" module=\"module2\">"));
    CU_ASSERT_TRUE(tools_says(&out, "name=\"module3.total\""));
    fl_buf_free(&out);
}

/* The lines of code lie as in the job, so it takes as long. */
static void a_machine_with_caches_takes_as_long_as_its_job(void)
{
    setenv("FAULTLINE_PROFILE", "tiny-chip-icache", 1);
    a_run_of_several_modules_is_recorded_as_one_job();
    setenv("FAULTLINE_PROFILE", "tiny-chip-constants", 1);
    a_run_of_several_modules_is_recorded_as_one_job();
    unsetenv("FAULTLINE_PROFILE");
}

/* Caches of the chip keep their lines when the host does nothing between two launches, and are empty when it looks. */
static void launches_one_behind_the_other_take_as_long_as_in_a_job(void)
{
    static const char *const profiles[] = {"tiny-chip-caches", "tiny-chip-icache",
                                           "tiny-chip-constants"};
    for (int i = 0; i < 3; i++) {
        setenv("FAULTLINE_PROFILE", profiles[i], 1);
        record();
        int a = load(0), b = load(1), buffer = host_allocate(&d, 128);
        launch(a, buffer);
        launch(b, buffer);
        CU_ASSERT_EQUAL(run(b, buffer), 410);
        launch(b, buffer);
        CU_ASSERT_EQUAL(run(a, buffer), 620);
        launch(b, buffer);
        CU_ASSERT_EQUAL(run(a, buffer), 830);
        struct fl_buf out = ends_as_its_job();
        fl_buf_free(&out);
        unsetenv("FAULTLINE_PROFILE");
    }
}

#ifdef FAULTLINE_RTL
static void the_RTL_takes_modules_between_launches(void)
{
    setenv("FAULTLINE_ENGINE", "rtl", 1);
    a_run_of_several_modules_is_recorded_as_one_job();
    unsetenv("FAULTLINE_ENGINE");
}
#endif

/* They would lie elsewhere than in the recorded job. */
static void local_memory_in_caches_of_several_SMs_grows_before_the_first_launch(void)
{
    struct fl_err err = {""};
    setenv("FAULTLINE_PROFILE", "tiny-chip-caches", 1);
    start();
    int a = load(0), b = load(3), buffer = host_allocate(&d, 128);
    CU_ASSERT_EQUAL(run(a, buffer), 10);
    CU_ASSERT_EQUAL(run(b, buffer), 20);
    end();
    start();
    a = load(0);
    buffer = host_allocate(&d, 128);
    CU_ASSERT_EQUAL(run(a, buffer), 10);
    CU_ASSERT_EQUAL(host_load(&d, file[3].data, file[3].size, &err), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "load it before the first launch"));
    CU_ASSERT_EQUAL(run(a, buffer), 20);
    end();
    unsetenv("FAULTLINE_PROFILE");
}

/* An entry of a fat binary. */
static void put_entry(struct fl_buf *fat, uint16_t kind, uint32_t made_for, const void *bytes,
                      size_t size)
{
    const struct {
        uint16_t kind, version;
        uint32_t head;
        uint64_t size;
        uint32_t more[3], made_for;
    } head = {kind, 0x101, 32, size, {0}, made_for};
    fl_buf_add(fat, &head, sizeof head);
    fl_buf_add(fat, bytes, size);
}

static void of_a_fat_binary_the_best_code_for_the_machine_is_taken(void)
{
    enum { HEAD = 16, PTX = 1, CUBIN = 2 };
    static const int best[][3] = {{10, 11, 11}, {11, 11, 11}, {13, 13, 13}, {0, 0, 0}};
    static const uint32_t all[] = {20, 13, 10, 11};
    static const int left_out[] = {0, 10, 10 + 11, 10 + 11 + 13}; /* by the sum: one more each */
    for (int i = 0; i < 4; i++) {
        struct fl_buf fat = {0};
        const struct {
            uint32_t magic;
            uint16_t version, head;
            uint64_t size;
        } none = {0xba55ed50, 1, HEAD, 0};
        size_t at[21] = {0}, size;
        fl_buf_add(&fat, &none, sizeof none);
        put_entry(&fat, PTX, 11,
                  "\x7f"
                  "ELF of no kind",
                  16);
        for (int k = 0; k < 4; k++) {
            bool out = (all[k] == 10 && left_out[i] >= 10) || (all[k] == 11 && left_out[i] >= 21) ||
                       (all[k] == 13 && left_out[i] >= 34);
            if (out)
                continue;
            at[all[k]] = fat.size + 32;
            put_entry(&fat, CUBIN, all[k], file[0].data, file[0].size);
        }
        uint64_t bytes = fat.size - HEAD;
        memcpy(fat.data + 8, &bytes, sizeof bytes);
        CU_ASSERT_EQUAL(host_image_size(fat.data), fat.size);
        for (int capability = 0; capability < 3; capability++) {
            int must = best[i][capability];
            const uint8_t *found = host_choose_cubin(fat.data, fat.size, capability, &size);
            CU_ASSERT_PTR_EQUAL(found, must ? fat.data + at[must] : NULL);
            CU_ASSERT_EQUAL(size, must ? file[0].size : fat.size);
        }
        for (size_t cut = 4; cut < fat.size; cut++) { /* nothing behind its end is read */
            uint8_t *copy = fl_alloc(cut < HEAD ? HEAD : cut);
            memcpy(copy, fat.data, cut);
            CU_ASSERT_PTR_NULL(host_choose_cubin(copy, cut, 2, &size));
            free(copy);
        }
        fl_buf_free(&fat);
    }
}

static void a_buffer_is_aligned_only_where_the_memory_of_the_device_goes_on(void)
{
    struct host_device near = {.next = JOB_BASE + 1}, far = {.next = JOB_END - 100};
    CU_ASSERT_EQUAL((uintptr_t)host_align_next(&near, 4096), JOB_BASE + 4096);
    CU_ASSERT_EQUAL((uintptr_t)host_align_next(&far, 4096), JOB_END - 100);
}

int main(void)
{
    dir = tools_folder();
    assemble(0, 4, 6, 4);
    assemble(1, 100, 100, 4);
    assemble(2, 1000, 2000, 4);
    assemble(3, 4, 6, 1024);
    setenv("FAULTLINE_DATA", FAULTLINE_SOURCE_DIR, 1);
    int failed = CHECK_RUN(
        "modules", CHECK(modules_keep_their_own_constants_and_variables),
        CHECK(a_module_is_loaded_between_launches), CHECK(one_file_may_be_two_modules),
        CHECK(a_module_that_is_loaded_again_is_as_it_was_at_first),
        CHECK(what_is_no_cubin_is_refused_and_costs_nothing),
        CHECK(a_buffer_is_aligned_only_where_the_memory_of_the_device_goes_on),
        CHECK(a_run_of_several_modules_is_recorded_as_one_job),
        CHECK(a_machine_with_caches_takes_as_long_as_its_job),
        CHECK(launches_one_behind_the_other_take_as_long_as_in_a_job),
        CHECK(of_a_fat_binary_the_best_code_for_the_machine_is_taken),
#ifdef FAULTLINE_RTL
        CHECK(the_RTL_takes_modules_between_launches),
#endif
        CHECK(local_memory_in_caches_of_several_SMs_grows_before_the_first_launch));
    for (int i = 0; i < 4; i++)
        fl_buf_free(&file[i]);
    free(process.folder);
    tools_remove(dir);
    return failed;
}
