/* xml.c -- fuzz target: bytes as job.xml, profile.xml, or a manifest of self-test routines or of a self-test library, whichever root they name.
 *
 * What is refused has a message that starts with the file; a job that is accepted runs; a profile that is accepted runs a
 * program of one warp and is the same when read again; with a manifest that is accepted a self-test is generated, and
 * what comes out assembles or is refused; the manifest of a library is checked as it is, and with its own digest. Nobody prints.
 */
#include <dirent.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>
#include <libxml/xmlerror.h>
#include <nettle/sha2.h>

#include "fuzz.h"
#include "asm/sasm/sasm.h"
#include "base/hash.h"
#include "gen/library/library.h"
#include "gen/sbst.h"
#include "sm/gpu/gpu.h"

enum { MAX_SIZE = 1 << 14, MAX_BUFFER = 1 << 20, MAX_CYCLES = 4000 };

static const char program[] = ".kernel k\n.param ptr a\n.param u32 n\n.shared tile, 64\n"
                              ".const one, f32, 1.0\n"
                              " MOV R1, s[a]\n SHL R0, R0, 2\n IADD R0, R0, R1\n"
                              " GLD.U32 R1, global14[R0]\n FADD R1, R1, c1[one]\n"
                              " GST.U32 global14[R0], R1\n NOP.EXIT\n"
                              ".kernel empty\n NOP.EXIT\n";

/* A folder that looks like the project's data, with a manifest of its own; and a cubin for the jobs. */
static void make_root(void)
{
    static const char *const folders[] = {"docs", "profiles"};
    char from[700], to[700];
    for (int i = 0; i < 2; i++) {
        snprintf(from, sizeof from, "%s/%s", FAULTLINE_SOURCE_DIR, folders[i]);
        snprintf(to, sizeof to, "%s/%s", fuzz_dir(), folders[i]);
        FUZZ_CHECK(symlink(from, to) == 0, "%s", to);
    }
    fuzz_file("sbst/manifest.xml", "", 0);
    snprintf(from, sizeof from, "%s/sbst", FAULTLINE_SOURCE_DIR);
    DIR *d = opendir(from);
    FUZZ_CHECK(d, "%s: cannot read", from);
    for (struct dirent *e; (e = readdir(d)) != NULL;) {
        if (!strstr(e->d_name, ".sasm"))
            continue;
        snprintf(from, sizeof from, "%s/sbst/%.200s", FAULTLINE_SOURCE_DIR, e->d_name);
        snprintf(to, sizeof to, "%s/sbst/%.200s", fuzz_dir(), e->d_name);
        FUZZ_CHECK(symlink(from, to) == 0, "%s", to);
    }
    closedir(d);
    static const char routine[] = ".macro sbst_fuzz one, number, there\n MVI R5, \\number\n.endm\n";
    fuzz_file("sbst/fuzz.sasm", routine, sizeof routine - 1);
    struct fl_err err;
    struct cubin *cubin = NULL;
    FUZZ_CHECK(sasm_assemble("k.sasm", program, &cubin, &err) == 0, "%s", err.msg);
    snprintf(to, sizeof to, "%s/k.cubin", fuzz_dir());
    FUZZ_CHECK(cubin_write(to, cubin, &err) == 0, "%s", err.msg);
    cubin_free(cubin);
    fuzz_file("sixteen.bin", "0123456789abcdef", 16);
}

/* Installed as libxml2's printer. */
static void libraries_do_not_print(void *context, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
static void libraries_do_not_print(void *context, const char *fmt, ...)
{
    char text[200];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    FUZZ_CHECK(context, "libxml2 prints: %s", text);
}

static void check_message(const struct fl_err *err)
{
    FUZZ_CHECK(strncmp(err->msg, fuzz_dir(), strlen(fuzz_dir())) == 0, "message '%s'", err->msg);
}

/* A user may ask for a gigabyte of buffers; here that would only cost time. */
static bool asks_for_much(const char *text)
{
    for (const char *p = text; (p = strstr(p, "size")) != NULL; p++) {
        const char *v = p + 4 + strspn(p + 4, " \t\r\n=\"'");
        if (memchr(v, '&', strcspn(v, "\"'")) || strtoul(v, NULL, 0) > MAX_BUFFER ||
            strtoul(v, NULL, 10) > MAX_BUFFER)
            return true;
    }
    return false;
}

static void run_job(const struct job *job)
{
    struct fl_err err = {{0}};
    struct sm_image *img = sm_image_new(job, &err);
    if (!img) {
        FUZZ_CHECK(err.msg[0], "refused without a message");
        return;
    }
    struct gpu *m = gpu_new(img);
    uint8_t digest[32];
    gpu_run(m, MAX_CYCLES);
    gpu_outputs_digest(m, digest);
    gpu_free(m);
    sm_image_free(img);
}

static void try_job(const char *text, size_t size)
{
    struct fl_err err = {{0}};
    struct job *job = NULL;
    if (asks_for_much(text))
        return;
    if (job_load(fuzz_file("a.job.xml", text, size), NULL, &job, &err)) {
        FUZZ_CHECK(!job, "a job in spite of an error");
        check_message(&err);
        return;
    }
    run_job(job);
    job_free(job);
}

static void run_profile(const struct profile *p)
{
    struct fl_err err = {{0}};
    struct job *job = fl_alloc(sizeof *job);
    job->name = fl_strdup("fuzz");
    job->path = fl_strdup("fuzz.sasm");
    job->profile = *p;
    FUZZ_CHECK(sasm_assemble(job->path, program, &job->cubin, &err) == 0, "%s", err.msg);
    job->nbuffers = job->nlaunches = 1;
    job->buffer = fl_alloc(sizeof *job->buffer);
    job->buffer[0] = (struct job_buffer){
        .name = fl_strdup("a"), .size = 4096, .init = fl_alloc(4096)};
    job->launch = fl_alloc(sizeof *job->launch);
    job->launch[0] = (struct job_launch){
        .kernel = fl_strdup("k"), .grid = {3, 1}, .block = {32, 1, 1}};
    job->launch[0].param = fl_alloc(sizeof *job->launch[0].param);
    job->launch[0].param[0] = (struct job_param){.offset = 0x10, .value = JOB_BASE};
    job->launch[0].nparams = 1;
    if (job_finish(job, &err) == 0)
        run_job(job);
    else
        FUZZ_CHECK(err.msg[0], "refused without a message");
    job_free(job);
}

static void try_profile(const char *text, size_t size)
{
    struct fl_err err = {{0}};
    struct profile p, again;
    struct sbst_machine machine = {0};
    const char *path = fuzz_file("a.xml", text, size);
    int bad = profile_load(path, &p, &err);
    if (bad)
        check_message(&err);
    struct fl_err other = {{0}};
    if (sbst_machine_load(FAULTLINE_SOURCE_DIR, path, &machine, &other)) {
        FUZZ_CHECK(bad, "a profile that is accepted, but not by the generator: %s", other.msg);
        return;
    }
    if (!bad) {
        FUZZ_CHECK(machine.stack_entries == p.stack_entries && machine.regs == p.regs,
                   "%d LEs, %d registers; the generator reads %d, %d", p.stack_entries, p.regs,
                   machine.stack_entries, machine.regs);
        FUZZ_CHECK(profile_load(path, &again, &err) == 0 && !profile_differs(&p, &again),
                   "read twice");
        run_profile(&p);
    }
    sbst_machine_free(&machine);
}

static void generate(const struct sbst_library *lib, const struct sbst_request *request)
{
    struct fl_err err = {{0}};
    static struct sbst_machine machine; /* the generator's default */
    if (!machine.profile)
        FUZZ_CHECK(sbst_machine_load(FAULTLINE_SOURCE_DIR, "flexgripplus", &machine, &err) == 0,
                   "%s", err.msg);
    struct sbst_program program_of = {0};
    struct cubin *cubin = NULL;
    struct fl_buf source = {0}, listing = {0}, job = {0};
    int bad = request->nesting ? sbst_nesting(lib, &machine, request, &program_of, &err)
                               : sbst_sync_trick(lib, &machine, request, &program_of, &err);
    if (!bad) {
        sbst_write_source(&program_of, &source);
        if (sbst_assemble(&program_of, &source, &cubin, &err) == 0) {
            fuzz_check_cubin(cubin);
            if (sbst_write_listing(&program_of, cubin, &listing, &err) == 0)
                FUZZ_CHECK(sbst_write_job(&program_of, &job, &err) == 0, "%s", err.msg);
        }
    }
    cubin_free(cubin);
    fl_buf_free(&source);
    fl_buf_free(&listing);
    fl_buf_free(&job);
    sbst_program_free(&program_of);
}

/* What the schema lets through has a meaning. */
static void check_library(const struct sbst_library *lib)
{
    for (int i = 0; i < lib->nroutines; i++) {
        const struct sbst_routine *r = &lib->routine[i];
        FUZZ_CHECK(r->name && r->file && r->text && sbst_routine_find(lib, r->name, r->target) == i,
                   "routine %d", i);
        FUZZ_CHECK(r->nparams <= SBST_MAX_PARAMS && r->neffects <= SBST_MAX_EFFECTS, "%s", r->name);
        for (int j = 0; j < r->nparams; j++)
            FUZZ_CHECK(r->param[j].name && (int)r->param[j].type >= SBST_U32, "%s: parameter %d",
                       r->name, j);
        for (int j = 0; j < r->neffects; j++) {
            const struct sbst_effect *e = &r->effect[j];
            bool both = e->kind != SBST_SEED && e->kind != SBST_UPDATE && e->kind != SBST_EXPECT &&
                        e->kind != SBST_LOAD; /* or none */
            FUZZ_CHECK((int)e->kind >= SBST_SEED && (int)e->threads >= SBST_ALL &&
                           (int)e->signature >= SBST_SIG &&
                           (int)e->signature < SBST_SIGNATURES + both && e->param >= -1 &&
                           e->param < r->nparams,
                       "%s: effect %d", r->name, j);
        }
    }
}

static void try_manifest(const char *text, size_t size)
{
    struct fl_err err = {{0}};
    struct sbst_library *lib = NULL;
    fuzz_file("sbst/manifest.xml", text, size);
    if (sbst_library_load(fuzz_dir(), &lib, &err)) {
        check_message(&err);
        return;
    }
    check_library(lib);
    const struct sbst_request requests[] = {
        {.le_first = 1, .le_last = 1, .checkpoint = true},
        {.le_first = 3, .le_last = 3, .approach = SBST_IND, .warps = 3},
        {.le_first = 1, .le_last = 4, .minimal = true, .pc = true, .flow_id = true},
        {.le_first = 2, .le_last = 3, .nesting = true, .checkpoint = true},
        {.le_first = 1,
         .le_last = 4,
         .minimal = true,
         .pc = true,
         .flow_id = true,
         .landing_pads = true},
    };
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
        generate(lib, &requests[i]);
    sbst_library_free(lib);
}

static void check_manifest(const char *text, size_t size)
{
    struct fl_err err = {{0}};
    struct fl_buf told = {0};
    char path[700];
    snprintf(path, sizeof path, "%s/library.xml", fuzz_dir());
    fuzz_file("library.xml", text, size);
    if (library_check(path, &told, &err))
        check_message(&err);
    else
        FUZZ_CHECK(told.size, "nothing is said of %s", path);
    fl_buf_free(&told);
}

static void try_made_library(char *text, size_t size)
{
    check_manifest(text, size);
    char *at = strstr(text, " sha256=\"");
    if (!at || strlen(at) < 9 + 64)
        return;
    struct sha256_ctx ctx;
    uint8_t digest[SHA256_DIGEST_SIZE];
    char hex[65];
    memset(at + 9, '0', 64);
    sha256_init(&ctx);
    sha256_update(&ctx, strlen(text), (const uint8_t *)text);
    sha256_digest(&ctx, sizeof digest, digest);
    fl_hex(digest, sizeof digest, hex);
    memcpy(at + 9, hex, 64);
    check_manifest(text, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool ready;
    if (size > MAX_SIZE)
        return 0;
    if (!ready)
        make_root();
    ready = true;
    xmlSetGenericErrorFunc(NULL, libraries_do_not_print);
    char *text = fl_alloc(size + 1);
    memcpy(text, data, size);
    if (strstr(text, "<profile"))
        try_profile(text, size);
    else if (strstr(text, "<sbst"))
        try_manifest(text, size);
    else if (strstr(text, "<library"))
        try_made_library(text, size);
    else
        try_job(text, size);
    free(text);
    return 0;
}
