/* test_texture_rtl.c -- the texture unit of the RTL in lock step with the C model: random fetches of all formats and modes,
 * what traps, the workloads; and faults in the registers that feed fetches end the same.
 *
 *     test_texture_rtl [TEXTURES [FLIPS]]
 */
#include "tests/lib/flips.h"
#include "tests/lib/rtl_program.h"
#include "tests/texture/textures.h"

static uint32_t textures = 400, flips = 150;

/* ---- fetches --------------------------------------------------------------------------------- */

/* Of two coordinates; of one, some lanes; of integers, any and small ones; all components and some. */
static const char fetches[] =
    ".kernel k\n.param ptr p\n.regs 12\n" TID
    "SHL R4, R0, 3\nIADD R4, s[p], R4\nGLD.U32 R10, global14[R4]\nIADD32I R4, R4, 4\n"
    "GLD.U32 R11, global14[R4]\nMVI R5, 2\nLOP.AND.C0 R5, R0, R5\n"
    "MOV R6, R10\nMOV R7, R11\nTEX R6, t3, s3, n1, m15, x0, y0, z0\n"
    "MOV R1, R10\nTEX R1 (C0.NE), t3, s3, n0, m10, x0, y0, z0\n"
    "MOV R1, R11\nMOV R2, R10\nTEX32.LIVE R1, t3, s3, n1\n.align 8\n"
    "MOV R1, R10\nTLD R1, t3, s3, n0, m4, x0, y0, z0\n"
    "LOP32I.AND R1, R11, 0x3f\nTLD.LIVE R1, t3, s3, n0, m1, x0, y0, z0\n"
    "LOP32I.AND R11, R11, 0x1f\nTEX R11, t3, s3, n1, m9, x0, y0, z0\nNOP.EXIT\n";

/* Texels of any bits; of each four words one is a float near the smallest. */
static void add_texels(struct job *job, uint64_t *seed)
{
    static uint32_t words[TEXTURES_BYTES / 4];
    for (uint32_t i = 0; i < TEXTURES_BYTES / 4; i++) {
        words[i] = machine_random(seed);
        if (words[i] % 4 == 0)
            words[i] = (words[i] & 0x81ffffff) | (i % 2 ? 0x01000000 : 0x00800000);
    }
    machine_buffer(job, TEXTURES_BYTES, words);
}

/* A launch for each of `n` textures, bound to unit 3. */
static struct job *fetch_job(const char *profile, const char *text, uint32_t n, uint64_t seed)
{
    struct job *job = machine_job(profile, text);
    job->texture = fl_alloc(n * sizeof *job->texture);
    uint32_t *at = fl_alloc(n * 64 * sizeof *at);
    add_texels(job, &seed);
    for (uint32_t i = 0; i < n; i++) {
        struct job_texture *x = &job->texture[job->ntextures++];
        *x = (struct job_texture){.unit = 3, .texture = textures_draw(&seed)};
        for (int l = 0; l < 32; l++) {
            at[i * 64 + 2 * (uint32_t)l] = textures_coordinate(&seed, &x->texture,
                                                               x->texture.width);
            at[i * 64 + 2 * (uint32_t)l + 1] = textures_coordinate(&seed, &x->texture,
                                                                   x->texture.height);
        }
    }
    uint32_t coordinates = machine_buffer(job, n * 256, at);
    for (uint32_t i = 0; i < n; i++) {
        struct job_launch *l = machine_launch(job, 0, 1, 32);
        l->textures = (int)i + 1;
        machine_param(l, coordinates + i * 256);
    }
    free(at);
    return job;
}

static void fetches_of_all_formats_and_modes_agree(void)
{
    enum { IN_A_JOB = 400 };
    for (uint32_t i = 0; i < textures; i += IN_A_JOB) {
        struct machine m = machine_load(fetch_job("tiny", fetches, IN_A_JOB, 2801 + i));
        CU_ASSERT(rtl_agree(&m, NULL));
        ASSERT_FINISHED(m);
        machine_end(&m);
    }
}

/* What is not built, what nobody binds at all and what is bound later only; a lane must want the last one. */
static void what_traps_traps_alike(void)
{
    static const struct {
        const char *text;
        enum sm_trap trap;
    } cases[] = {{"TEX R1, t3, s3, n2, m1, x0, y0, z0", TRAP_UNSUPPORTED_INSTRUCTION},
                 {"TEX R1, t3, s2, n1, m1, x0, y0, z0", TRAP_UNSUPPORTED_INSTRUCTION},
                 {"TEX R1, t3, s3, n1, m1, x0, y1, z0", TRAP_UNSUPPORTED_INSTRUCTION},
                 {"TEX.DERIV R1, t3, s3, n1, m1, x0, y0, z0", TRAP_UNSUPPORTED_INSTRUCTION},
                 {"TEX.CUBE R1, t3, s3, n1, m1", TRAP_UNSUPPORTED_INSTRUCTION},
                 {"TLD R1, t3, s3, n1, m1, x0, y0, z0", TRAP_UNSUPPORTED_INSTRUCTION},
                 {"TEX R1, t4, s4, n1, m1, x0, y0, z0", TRAP_UNSUPPORTED_INSTRUCTION},
                 {"TEX R1, t35, s3, n1, m1, x0, y0, z0", TRAP_UNSUPPORTED_INSTRUCTION},
                 {"TEX R1 (C0.NE), t4, s4, n1, m1, x0, y0, z0", TRAP_UNSUPPORTED_INSTRUCTION},
                 {"TEX R1, t5, s5, n1, m1, x0, y0, z0", TRAP_UNSUPPORTED_INSTRUCTION},
                 {"TEX R1 (C0.NE), t5, s5, n1, m1, x0, y0, z0", TRAP_NONE},
                 {"TEX R127, t3, s3, n1, m15, x0, y0, z0", TRAP_NONE},
                 {"TEX R1, t3, s3, n1, m0, x0, y0, z0", TRAP_NONE}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = fl_format(".kernel k\n.param ptr p\n.regs 4\nLOP.AND.C0 R1, R124, R124\n"
                               "MVI R1, 0x3f800000\n%s\nNOP.EXIT\n",
                               cases[i].text);
        struct job *job = fetch_job("tiny", text, 2, i);
        job->texture[1].unit = 5; /* bound to the second launch alone */
        struct machine m = machine_load(job);
        CU_ASSERT(rtl_agree(&m, NULL));
        CU_ASSERT_EQUAL(gpu_trap(m.gpu), cases[i].trap);
        machine_end(&m);
        free(text);
    }
}

/* ---- faults ---------------------------------------------------------------------------------- */

/* Two warps; what they fetch is the output. */
static const char stored[] =
    ".kernel k\n.param ptr p\n.regs 6\n" TID
    "SHL R5, R0, 3\nLOP32I.AND R5, R5, 0xff\nIADD R5, s[p], R5\nGLD.U32 R1, global14[R5]\n"
    "IADD32I R4, R5, 4\nGLD.U32 R2, global14[R4]\nMOV R3, R1\n"
    "TEX R1, t3, s3, n1, m3, x0, y0, z0\nTLD R3, t3, s3, n0, m1, x0, y0, z0\n"
    "IADD R1, R1, R3\nGST.U32 global14[R5], R1\nGST.U32 global14[R4], R2\nNOP.EXIT\n";
enum { REGS = 6, FIRST = 1, COORDINATES = 3 }; /* R1 to R3 feed fetches */

static struct job *fault_job(uint64_t seed)
{
    enum { LAUNCHES = 4 };
    struct fl_err err;
    struct job *job = fetch_job("tiny", stored, LAUNCHES, seed);
    for (int i = 0; i < job->nlaunches; i++)
        job->launch[i].block[0] = 64;
    job->output = fl_alloc(sizeof *job->output);
    job->output[0] = (struct job_output){
        .name = fl_strdup("out"), .buffer = 1, .size = LAUNCHES * 256};
    job->noutputs = 1;
    if (job_finish(job, &err))
        CU_FAIL_FATAL("no job");
    return job;
}

static bool ends_alike(const struct bench *b, struct fsim_worker *rtl, const struct fsim_fault *u,
                       bool *fails)
{
    struct transient_result c, r;
    transient_simulate(b->w, b->t, u, &c);
    transient_simulate(rtl, b->t, u, &r);
    *fails = fsim_outcome_fails(r.r.outcome);
    if (c.r.outcome == r.r.outcome && c.r.end == r.r.end &&
        c.r.first_activation == r.r.first_activation && strcmp(c.r.reason, r.r.reason) == 0)
        return true;
    faults_print("C model", "", &c.r);
    faults_print("RTL", "", &r.r);
    return false;
}

static void flips_in_the_registers_of_fetches_end_the_same(void)
{
    enum { IN_A_JOB = 50 };
    struct fl_err err = {{0}};
    uint64_t seed = 2802;
    uint32_t wrong = 0, fail = 0, tried = 0;
    for (uint64_t n = 0; tried < flips; n++) {
        struct bench b = bench_open(fault_job(n), false);
        struct reference *ref = reference_new(engine_find("rtl", &err), b.g, &err);
        CU_ASSERT_PTR_NOT_NULL_FATAL(ref);
        struct fsim_worker *w = fsim_worker_on(ref);
        for (int i = 0; i < IN_A_JOB; i++, tried++) {
            struct fsim_fault u[FLIPS_CELLS];
            bool fails;
            flips_draw(&b, SM_S_rf, ONE_FLIP, &seed, u);
            uint32_t reg = machine_random(&seed) % 2 * REGS + FIRST +
                           machine_random(&seed) % COORDINATES;
            u->cell.index[0] = (int)(reg * SM_LANES + machine_random(&seed) % SM_LANES);
            wrong += !ends_alike(&b, w, u, &fails);
            fail += fails;
        }
        fsim_worker_free(w);
        reference_free(ref);
        bench_close(&b);
    }
    printf("%u flips, %u fail ", tried, fail);
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(fail > tried / 20);
}

int main(int argc, char **argv)
{
    textures = argc > 1 ? (uint32_t)atoi(argv[1]) : textures;
    flips = argc > 2 ? (uint32_t)atoi(argv[2]) : flips;
    return CHECK_RUN("texture_rtl", CHECK(fetches_of_all_formats_and_modes_agree),
                     CHECK(what_traps_traps_alike),
                     CHECK(flips_in_the_registers_of_fetches_end_the_same));
}
