/* test_diff.c -- faults in random programs must end as brute force says.
 *
 * Programs are drawn here: several warps and blocks, arithmetic of every kind on eight registers, halves, flags,
 * predicates, wide and narrow accesses to global memory, shared and constant operands, loops, branches that split a warp.
 */
#include "tests/lib/faults.h"

#include "tests/lib/random_program.h"

enum { FAULT_SEEDS = SANITIZED ? 18 : 150, STRUCTURED_SEEDS = SANITIZED ? 12 : 120 };
enum { FAULTS = 12 };

/* ---- random programs ---------------------------------------------------------------------------------------------- */

static uint32_t draw(uint64_t *seed, uint32_t n)
{
    return machine_random(seed) % n;
}

/* R0 thread, R1 tid, R2 address of 64 bytes of its own, R12 to R14 in there, R15 an address that two threads share, R3 loop
 * counter, R4 to R11 data; C1 a condition on data, C2 one on tid, which never differs. */
static void add_instruction(struct fl_buf *b, uint64_t *seed)
{
    static const char *const shapes[] = {
        /* d, a, b, c: data registers; @ an offset of a word */
        "IADD Rd, Ra, Rb",
        "IADD Rd, Ra, -Rb",
        "IADD32I Rd, Ra, 0x1234",
        "LOP.XOR Rd, Ra, Rb",
        "LOP.AND Rd, Ra, Rb",
        "SHL Rd, Ra, 3",
        "SHR Rd, Ra, 5",
        "IMAD.U16 Rd, RaL, RbH, Rc",
        "ISAD Rd, Ra, Rb, Rc",
        "IMIN.S32 Rd, Ra, Rb",
        "FADD Rd, Ra, Rb",
        "FMUL Rd, Ra, Rb",
        "FMAD Rd, Ra, Rb, Rc",
        "RCP Rd, Ra",
        "I2F.F32.S32 Rd, Ra",
        "I2I.U32.U16 Rd, RaH",
        "MOV Rd, Ra",
        "MOV.U16 RdH, RaL",
        "MOV.U16 RdL, RaH",
        "MVI Rd, 0x77",
        "ISET Rd, Ra, Rb, LT",
        "IADD Rd (C1.NE), Ra, Rb",
        "IADD Rd (C2.NE), Ra, Rb",
        "MOV Rd (C2.EQU), Ra",
        "IADD.C1 Rd, Ra, Rb",
        "ISET.S32.C1 o[0x7f], Ra, Rb, LT",
        "IADD.CARRY1 Rd, Ra, Rb",
        "FMUL Rd, Ra, c1[k0]",
        "IADD Rd, Ra, c1[k1]",
        "IADD Rd, s[A1 + tile], Ra",
        "MOV Rd, s[A1 + tile]",
        "MOV Rd, s[out]",
        "R2G.U32.U32 s[A1 + tile], Ra",
        "GST.U32 global14[R@], Ra",
        "GST.U32 global14[R@], Ra",
        "GST.U32 global14[R@] (C2.NE), Ra",
        "GST.S64 global14[R13], R4",
        "GST.S128 global14[R2], R8",
        "GST.U8 global14[R@], Ra",
        "GST.U16 global14[R@], Ra",
        "GLD.U32 Rd, global14[R@]",
        "GLD.S128 R8, global14[R2]",
        "GLD.U8 Rd, global14[R@]",
        "R2A A2, Ra, 0",
        "S2R Rd, SR_CLOCK",
    };
    const char *s = shapes[draw(seed, sizeof shapes / sizeof *shapes)];
    fl_buf_printf(b, "  ");
    for (; *s; s++) {
        bool reg = s[0] == 'R' && strchr("dabc", s[1]) != NULL && s[1];
        if (reg)
            fl_buf_printf(b, "R%d", 4 + (int)draw(seed, 8)), s++;
        else if (s[0] == 'R' && s[1] == '@')
            fl_buf_printf(b, "R%s",
                          (const char *const[]){"2", "12", "13", "14", "15"}[draw(seed, 5)]),
                s++;
        else
            fl_buf_printf(b, "%c", *s);
    }
    fl_buf_printf(b, "\n");
}

static void add_body(struct fl_buf *b, uint64_t *seed, int depth, int *label)
{
    for (int i = 0, n = 3 + (int)draw(seed, 8); i < n; i++) {
        int kind = depth ? (int)draw(seed, 9) : 8, l = *label;
        if (kind == 0) { /* part of the warp, by thread or by data */
            *label += 1;
            fl_buf_printf(b, "  SSY j%d\n  BRA C%d.%s, j%d\n", l, 1 + (int)draw(seed, 2),
                          draw(seed, 2) ? "EQU" : "NE", l);
            add_body(b, seed, depth - 1, label);
            fl_buf_printf(b, "j%d: NOP.S\n", l);
        } else if (kind == 1 && depth == 2) {
            *label += 1;
            fl_buf_printf(b, "  MVI R3, %d\nl%d:\n", 2 + (int)draw(seed, 4), l);
            add_body(b, seed, 0, label);
            fl_buf_printf(b,
                          "  IADD32I R3, R3, -1\n  ISET.S32.C0 o[0x7f], R3, R124, NE\n"
                          "  BRA C0.NE, l%d\n",
                          l);
        } else {
            add_instruction(b, seed);
        }
    }
}

static char *make_text(uint64_t seed)
{
    struct fl_buf b = {0};
    int label = 0;
    fl_buf_printf(&b, ".kernel k\n.regs 16\n.param ptr out\n.shared tile, 1024\n"
                      ".const k0, u32, 0x3fc00000\n.const k1, u32, 0x01020304\n"
                      "  I2I.U32.U16 R1, R0L\n  I2I.U32.U16 R2, s[0xc].U16\n"
                      "  SHL R2, R2, 6\n  IADD R2, R2, R1\n  R2A A1, R1, 2\n"
                      "  SHL R2, R2, 6\n  IADD R2, s[out], R2\n  IADD32I R12, R2, 0x10\n"
                      "  IADD32I R13, R2, 0x18\n  IADD32I R14, R2, 0x2c\n"
                      "  MVI R3, 0xffffffbf\n  LOP.AND R15, R2, R3\n  IADD32I R15, R15, 0x3c\n"
                      "  MVI R4, 0x11\n  ISET.S32.C2 o[0x7f], R1, R4, LT\n"
                      "  GLD.S128 R4, global14[R2]\n  GLD.S128 R8, global14[R2]\n");
    add_body(&b, &seed, 2, &label);
    fl_buf_printf(&b, "  GST.U32 global14[R2], R4\n  GST.U32 global14[R12], R5\n  NOP.EXIT\n");
    return (char *)b.data;
}

/* Two launches of a program over one buffer: 2 blocks of 2 warps, random contents; the output is part of the buffer. */
static struct job *make_job(uint64_t seed)
{
    struct fl_err err = {{0}};
    uint8_t init[8192];
    uint64_t bytes = ~seed;
    for (size_t i = 0; i < sizeof init; i++)
        init[i] = (uint8_t)machine_random(&bytes);
    char *text = make_text(seed);
    struct job *job = machine_job(seed % 2 ? "g80" : "flexgripplus", text);
    uint32_t addr = machine_buffer(job, sizeof init, init);
    for (int i = 0; i < 2; i++)
        machine_param(machine_launch(job, 0, 2, 64), addr);
    job->output = fl_alloc(2 * sizeof *job->output);
    job->output[0] = (struct job_output){.name = fl_strdup("late"), .offset = 4096, .size = 2001};
    job->output[1] = (struct job_output){.name = fl_strdup("early"), .offset = 3, .size = 4000};
    job->noutputs = 2;
    if (job_finish(job, &err)) {
        printf("\n%s\n%s\n", text, err.msg);
        CU_FAIL_FATAL("no job");
    }
    free(text);
    return job;
}

/* ---- faults in random programs ------------------------------------------------------------------------------------ */

/* Random activated faults of one stack: their results pruned and by brute force. */
static long try_faults(struct job *job, const char *pattern, uint64_t seed,
                       long outcomes[OUT_COUNT])
{
    struct fsim_campaign c = faults_campaign(job, pattern, (struct fsim_options){.run.threads = 1});
    struct fsim_worker *w = fsim_worker_new(c.golden);
    long different = 0;
    for (int i = 0, tries = 0; i < FAULTS && tries < 4000; tries++) {
        long f = (long)draw(&seed, (uint32_t)c.list.count);
        struct fsim_result r;
        if (c.result[f].first_activation == FSIM_NEVER && draw(&seed, 200))
            continue;
        i++;
        fsim_exhaustive(w, &c.list.fault[f], &r);
        r.untestable = c.result[f].untestable;
        outcomes[r.outcome]++;
        if (faults_same(&r, &c.result[f]) || different++ > 3)
            continue;
        char id[FSIM_ID];
        fsim_id(c.img, &c.list.fault[f], id);
        faults_print("pruned", id, &c.result[f]);
        faults_print("exhaustive", id, &r);
    }
    fsim_worker_free(w);
    fsim_campaign_free(&c);
    return different;
}

static void check_outcomes(const long outcomes[OUT_COUNT])
{
    printf("\n    ");
    for (int o = 0; o < OUT_COUNT; o++)
        printf("%ld %s ", outcomes[o], fsim_outcome_name((enum fsim_outcome)o));
    CU_ASSERT_TRUE(outcomes[OUT_MASKED] > 10 && outcomes[OUT_SDC] > 10 && outcomes[OUT_CRASH] > 10);
}

static void faults_in_random_programs_have_the_same_results_by_brute_force(void)
{
    long outcomes[OUT_COUNT] = {0};
    for (uint64_t seed = 1000; seed < 1000 + FAULT_SEEDS; seed++) {
        struct job *job = make_job(seed);
        long n = try_faults(job, seed % 3 ? "dstack/w0-3/le1-4" : "dstack", seed, outcomes);
        if (n)
            printf(", seed %llu", (unsigned long long)seed);
        CU_ASSERT_EQUAL(n, 0);
        job_free(job);
    }
    check_outcomes(outcomes);
}

static void faults_in_structured_programs_have_the_same_results_by_brute_force(void)
{
    long outcomes[OUT_COUNT] = {0};
    for (uint64_t seed = 1; seed <= STRUCTURED_SEEDS; seed++) {
        struct rp_program p;
        struct fl_err err = {{0}};
        rp_make(&p, &(struct rp_shape){
                        .seed = seed, .threads = 64, .depth = 3, .functions = (int)(seed % 3)});
        struct job *job = faults_job("g80", 1, 64, p.text);
        long n = try_faults(job, "dstack/w0-2/le1-8", seed, outcomes);
        if (n)
            printf(", seed %llu", (unsigned long long)seed);
        CU_ASSERT_EQUAL(n, 0);
        (void)err;
        job_free(job);
        rp_free(&p);
    }
    check_outcomes(outcomes);
}

int main(void)
{
    return CHECK_RUN("diff", CHECK(faults_in_random_programs_have_the_same_results_by_brute_force),
                     CHECK(faults_in_structured_programs_have_the_same_results_by_brute_force));
}
