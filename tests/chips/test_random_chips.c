/* test_random_chips.c -- random transient and intermittent faults in random chips and jobs: what is pruned ends as
 * brute force ends it.
 *
 *     test_random_chips                         3,000 faults, seed 1
 *     test_random_chips --count N [--seed S]    so many, with a table; results/engines/make draws 300,000
 *     test_random_chips --atomics ...           of jobs for compute capability 1.2, with atomic operations and votes
 *
 * Chips have two to four SMs, now and then one, with a port to memory for all SMs or one for each, and some have caches. Jobs
 * have several launches, which read what other SMs have stored in those before, or in the same, and steps of the host between
 * them. Faults are in one cell or several, in one SM or some; windows end anywhere, and often past the end of a launch or of
 * the job.
 */
#include "tests/caches/random_caches.h"
#include "tests/lib/check.h"
#include "tests/lib/flips.h"

static uint32_t below(uint64_t *seed, uint32_t n)
{
    return machine_random(seed) % n;
}

/* ---- jobs ------------------------------------------------------------------------------------ */

enum { MOST_THREADS = 8 * 40, MOST_PASSES = 5, WORDS = (MOST_PASSES + 1) * MOST_THREADS };

/* R1: the thread's own word of OUT, for stores, R6: for loads; R5: a word of IN; R2, R4: data; A1: a word of shared
 * memory. */
/* With atomic operations: on words of all threads, from R7 on, and on one's own; their results are data, addresses and
 * conditions. R8 to R11: pairs. */
static void add_atomic(struct fl_buf *text, uint64_t *seed, int number)
{
    static const char *const line[] = {
        "GRED.IADD.U32 global14[R7], R4\n",
        "GRED.IADD.U32 global14[R1], R2\n",
        "GRED.MAX.S32 global14[R7] (C0.NE), R2\n",
        "GRED.XOR.U32 global14[R6], R4\n",
        "GATOM.IADD.U32 R2, global14[R7], R4\n",
        "GATOM.INC.U32 R4, global14[R7], R0\n",
        "GATOM.DEC.U32 R2, global14[R6], R0\n",
        "GATOM.EXCH.U32 R4, global14[R7], R2\n",
        "GATOM.CAS.U32 R2, global14[R7], R4, R3\n",
        "GATOM.CAS.U32 R4, global14[R6], R2, R0\n",
        "GATOM.MIN.U32 R7, global14[R7], R7\n MOV R7, s[OUT]\n",
        "GATOM.INC.U32 R2, global14[R7], R0\n LOP32I.AND R2, R2, 0x3f\n SHL R2, R2, 2\n"
        "IADD R6, R2, R7\n",
        "GATOM.OR.U32 R2, global14[R7], R3\n ISET.S32.C0 o[0x7f], R4, R2, LT\n",
        "MOV R10, R4\n GATOM.IADD.U64 R8, global14[R7], R10\n IADD R4, R4, R9\n",
        "MOV R11, R4\n GRED.IADD.U64 global14[R7], R10\n",
        "GATOM.CAS.U64 R8, global14[R7], R10, R2\n IADD R4, R4, R8\n",
        "VOTE.ANY C0 (C0.NE)\n",
        "VOTE.ALL C1 (C0.NE)\n IADD R4 (C1.NE), R4, R2\n",
        "G2R.U32 R2, s[A1 + tile]\n",
        "G2R.U32.LCK.C1 R2, s[A1 + tile]\n IADD R2 (C1.LT), R2, R4\n"
        "R2G.U32.U32.UNL s[A1 + tile] (C1.LT), R2\n",
        "GLD.U32 R4, global14[R7]\n",
    };
    uint32_t n = below(seed, sizeof line / sizeof *line + 1);
    if (n < sizeof line / sizeof *line)
        fl_buf_printf(text, "%s", line[n]);
    else /* who comes first goes another way */
        fl_buf_printf(text,
                      "GATOM.INC.U32 R2, global14[R7], R0\n SHL R2, R2, 0x1e\n"
                      "ISET.C0 o[0x7f], R2, R124, NE\n SSY first%d\n BRA C0.NE, first%d\n"
                      "IADD32I R4, R4, 0x9\n first%d: NOP.S\n",
                      number, number, number);
}

static void add_instruction(struct fl_buf *text, uint64_t *seed, int number, bool atomics)
{
    if (atomics && below(seed, 2)) {
        add_atomic(text, seed, number);
        return;
    }
    static const char *const line[] = {
        "GLD.U32 R2, global14[R5]\n",
        "GLD.U32 R4, global14[R6]\n",
        "GLD.U32 R2, global14[R6]\n",
        "GLD.U32 R4, global14[R6]\n GST.U32 global14[R1], R4\n",
        "GLD.U32 R2, global14[R6]\n IADD R4, R4, R2\n GST.U32 global14[R1], R4\n",
        "GST.U32 global14[R1], R4\n",
        "GST.U32 global14[R1], R2\n",
        "GST.U8 global14[R1], R4\n",
        "GST.U16 global14[R1] (C0.NE), R2\n",
        "IADD R4, R4, R2\n",
        "IADD R2, R4, R3\n",
        "IADD32I R4, R4, 0x101\n",
        "R2G.U32.U32 s[A1 + tile], R4\n",
        "MOV R2, s[A1 + tile]\n",
        "BAR.ARV.WAIT b0, 0xfff\n",
        "ISET.S32.C0 o[0x7f], R4, R2, LT\n",
    };
    uint32_t n = below(seed, sizeof line / sizeof *line + 1);
    if (n < sizeof line / sizeof *line)
        fl_buf_printf(text, "%s", line[n]);
    else
        fl_buf_printf(text,
                      "SSY join%d\n BRA C0.NE, join%d\n IADD32I R4, R4, 0x7\n"
                      "GST.U32 global14[R1], R4\n join%d: NOP.S\n",
                      number, number, number);
}

/* Threads wait, in each block another time, and then load, compute and store in a loop. */
static void add_kernel(struct fl_buf *text, uint64_t *seed, bool atomics)
{
    int instructions = 3 + (int)below(seed, 8);
    fl_buf_printf(text,
                  ".kernel k\n.param ptr IN\n.param ptr OUT\n.regs %d\n.shared tile, 64\n"
                  "I2I.U32.U16 R1, R0L\n LOP32I.AND R2, R1, 0xf\n SHL R2, R2, 2\n R2A A1, R2\n"
                  "MOV.U16 R3L, s[0xc].U16\n I2I.U32.U16 R3, R3L\n",
                  atomics ? 12 : 8);
    if (below(seed, 3)) /* blocks have every eighth word, or words in a row */
        fl_buf_printf(text, "SHL R0, R1, 3\n IADD R0, R0, R3\n");
    else
        fl_buf_printf(text, "MOV.U16 R0H, s[0x2].U16\n IMAD.U16 R0, s[0xc].U16, R0H, R1\n");
    fl_buf_printf(text,
                  "IADD32I R5, R0, 0x%x\n SHL R5, R5, 2\n IADD R5, s[IN], R5\n"
                  "SHL R1, R0, 2\n IADD R1, s[OUT], R1\n MOV R6, R1\n MOV R4, R0\n"
                  "LOP32I.AND R3, R3, 0x%x\n IADD32I R3, R3, 0x1\n"
                  "wait: IADD32I R3, R3, -1\n ISET.C0 o[0x7f], R3, R124, NE\n BRA C0.NE, wait\n"
                  "MVI R3, 0x%x\n%sagain:\n",
                  below(seed, WORDS - MOST_THREADS), below(seed, 8), 1 + below(seed, MOST_PASSES),
                  atomics ? "MOV R7, s[OUT]\n" : "");
    for (int i = 0; i < instructions; i++)
        add_instruction(text, seed, i, atomics);
    if (below(seed, 2)) /* another word in each pass */
        fl_buf_printf(text, "IADD32I R1, R1, 0x%x\n%s", 4 * MOST_THREADS,
                      below(seed, 2) ? "MOV R6, R1\n" : "");
    fl_buf_printf(text, "IADD32I R3, R3, -1\n ISET.C0 o[0x7f], R3, R124, NE\n BRA C0.NE, again\n"
                        "GST.U32 global14[R1], R4\n");
    if (below(seed, 4) == 0) /* checkpoints of a long run are far apart */
        fl_buf_printf(text,
                      "MVI R3, 0x%x\nlast: IADD32I R3, R3, -1\n"
                      "ISET.C0 o[0x7f], R3, R124, NE\n BRA C0.NE, last\n",
                      40 + below(seed, 100));
    fl_buf_printf(text, "NOP.EXIT\n");
}

/* A launch reads one buffer and writes the other one, the next launch the other way round; or one buffer is both. */
static struct job *exchanging_job(uint64_t *seed, bool atomics)
{
    struct fl_buf text = {0};
    struct fl_err err = {{0}};
    uint32_t address[2], words[WORDS];
    bool one = below(seed, 5) == 0;
    add_kernel(&text, seed, atomics);
    struct job *job = machine_job("tiny", (char *)text.data);
    job->profile.capability = atomics ? ISA_1_2 : ISA_1_0;
    fl_buf_free(&text);
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < WORDS; k++)
            words[k] = machine_random(seed);
        address[i] = machine_buffer(job, sizeof words, words);
    }
    for (uint32_t i = 0, launches = 1 + below(seed, 3); i < launches; i++) {
        struct job_launch *l = machine_launch(job, 0, 1 + below(seed, 3), 1 + below(seed, 40));
        machine_param(l, address[i % 2]);
        machine_param(l, address[one ? i % 2 : 1 - i % 2]);
    }
    job->output = fl_alloc(2 * sizeof *job->output);
    for (int i = 0; i < 2; i++)
        job->output[i] = (struct job_output){.name = fl_format("out%d", i),
                                             .buffer = i,
                                             .size = sizeof words,
                                             .typed = true, /* how wrong a word is counts too */
                                             .element = ELEMENT_U32};
    job->noutputs = 2;
    if (below(seed, 2))
        flips_add_steps(job, seed, 0);
    flips_on_a_chip(job, seed);
    if (below(seed, 2)) {
        job->profile.ports = PORTS_SM;
        job->profile.partitions = 1;
    }
    if (job_finish(job, &err)) {
        printf("\n%s\n", err.msg);
        CU_FAIL_FATAL("no job");
    }
    return job;
}

static struct job *random_job(uint64_t seed, bool atomics)
{
    uint64_t random = seed;
    struct job *job = atomics    ? exchanging_job(&random, true)
                      : seed % 4 ? exchanging_job(&random, false)
                      : seed % 8 ? flips_mix(seed)
                                 : flips_hosted(seed / 8);
    if (!atomics && seed % 4 == 0)
        flips_on_a_chip(job, &random);
    if (below(&random, 8) == 0) {
        job->profile.sms = 1;
        job->profile.ports = PORTS_CHIP;
    }
    if (below(&random, 6) == 0)
        random_caches(&random, &job->profile);
    return job;
}

/* ---- faults ---------------------------------------------------------------------------------- */

static int random_structure(const struct bench *b, uint64_t *seed)
{
    static const int often[] = {SM_S_rf, SM_S_rf, SM_S_pc, SM_S_mask, SM_S_areg, SM_S_cc};
    struct sm_structure s;
    int structure;
    do {
        structure = below(seed, 2) ? often[below(seed, sizeof often / sizeof *often)]
                                   : (int)below(seed, SM_STRUCTURES);
        sm_structure_get(b->img, structure, &s);
    } while (!sm_structure_bits(&s));
    return structure;
}

static bool is_among(const struct fsim_fault *u, int count, const struct sm_cell *c)
{
    bool found = false;
    for (int i = 0; i < count; i++)
        found |= memcmp(&u[i].cell, c, sizeof *c) == 0;
    return found;
}

static void add_cells(const struct bench *b, int cells, uint64_t *seed, struct fsim_fault *u)
{
    int place = u->cells ? u->cell.place : (int)below(seed, (uint32_t)b->img->sms);
    bool together = below(seed, 4) != 0; /* in one SM */
    while (u->cells < cells) {
        struct sm_structure s;
        struct sm_cell c;
        flips_cell(b, random_structure(b, seed), seed, &c);
        sm_structure_get(b->img, c.structure, &s);
        int anywhere = (int)below(seed, (uint32_t)s.places);
        c.place = s.places == 1 ? 0 : together ? place : anywhere;
        if (!is_among(u, u->cells, &c))
            u[u->cells++].cell = c;
    }
}

/* The last store to the word of this address before an event; FLOW_NONE: there is none. */
static uint32_t last_store(const struct flow *f, uint32_t address, uint32_t event)
{
    uint32_t word = (address - JOB_BASE) / 4;
    if (word >= f->img->const_offset / 4)
        return FLOW_NONE;
    const struct flow_chain *c = &f->chain[word];
    uint32_t n = 0;
    while (n < c->writes && f->write[c->write + n].event < event)
        n++;
    return n ? f->write[c->write + n - 1].event : FLOW_NONE;
}

/* The first cell becomes a bit of an address, in a cycle between a store to a word, often another SM's, and a load or store
 * that the bit sends there. False: no such access is found. */
static bool aim_at_address(const struct bench *b, uint64_t *seed, struct fsim_fault *u)
{
    const struct flow *f = b->g->flow;
    for (int tries = 0; f && f->nevents && tries < 500; tries++) {
        uint32_t event = below(seed, f->nevents);
        const struct flow_event *e = &f->event[event];
        const struct isa_operand *o = e->uop ? e->uop->memory : NULL;
        if (!o || o->kind != ISA_G || !e->exec || o->value >= f->instance[e->instance].regs)
            continue;
        if (e->uop->unit != UNIT_LOAD && below(seed, 8))
            continue;
        int lane = __builtin_ctz(e->exec), bit = 2 + (int)below(seed, 9);
        uint32_t address = flow_address(f, e, o, e->row[ROW_ADDRESS], lane);
        uint32_t store = last_store(f, address ^ 1u << bit, event);
        if (store == FLOW_NONE)
            continue;
        u->cell = sm_unit_cell(b->img, SM_S_rf, f->instance[e->instance].base + o->value, lane,
                               bit);
        u->cells = 1;
        u->value = !(address >> bit & 1);
        uint64_t passed = e->cycle - f->event[store].cycle;
        u->from = f->event[store].cycle + below(seed, passed < 200 ? (uint32_t)passed + 1 : 200);
        return true;
    }
    return false;
}

/* The last cycle of a window that begins in `from`. */
static uint64_t random_end(const struct bench *b, uint64_t from, uint64_t *seed)
{
    uint64_t cycles = b->g->cycles;
    const struct run_launch *l = &b->g->residence->launch[below(seed, (uint32_t)b->img->nlaunches)];
    switch (below(seed, 5)) {
    case 0: return from + below(seed, 100);
    case 1: return from + below(seed, (uint32_t)cycles);
    case 2: return l->to + below(seed, 80) > from + 40 ? l->to + below(seed, 80) - 40 : from;
    case 3: return cycles + below(seed, (uint32_t)cycles);
    default: return FSIM_NO_END;
    }
}

enum family { FLIP, FLIPS, HELD, HELD_PAST_LAUNCH, HELD_PAST_JOB, HELD_OPEN, SAME_IN, FAMILIES };

static const char *const family_names[FAMILIES] = {
    "flip",          "several flips",   "held",          "held past a launch",
    "held past job", "held to the end", "in several SMs"};

static bool past_launch(const struct bench *b, const struct fsim_fault *u)
{
    const struct run_launch *l = b->g->residence->launch;
    bool past = false;
    for (int i = 0; i < b->img->nlaunches; i++)
        past |= u->from < l[i].to && l[i].to <= u->to;
    return past;
}

static enum family draw_fault(const struct bench *b, uint64_t *seed,
                              struct fsim_fault u[FSIM_CELLS])
{
    struct fsim_sms in = {{0}};
    struct fl_err err;
    uint32_t kind = below(seed, 16);
    memset(u, 0, FSIM_CELLS * sizeof *u);
    if (below(seed, 3) == 0 || !aim_at_address(b, seed, u)) {
        u->from = machine_random(seed) % b->g->cycles;
        u->value = below(seed, 2) != 0;
    }
    add_cells(b, below(seed, 3) ? 1 : 2 + (int)below(seed, 2), seed, u);
    u->kind = kind > 8 ? FSIM_FLIP : FSIM_SA;
    u->value = u->kind == FSIM_SA && u->value;
    u->to = u->from;
    if (u->kind == FSIM_SA)
        u->to = random_end(b, u->from, seed);
    if (below(seed, 8) == 0) {
        for (int i = 0; i < b->img->sms; i++)
            in.bits[0] |= (uint64_t)(i == u->cell.place || below(seed, 2)) << i;
        if (fsim_same_in(b->img, &in, u, &err) == 0 && u->cells > 1)
            return SAME_IN;
    }
    return u->kind == FSIM_FLIP    ? u->cells > 1 ? FLIPS : FLIP
           : u->to == FSIM_NO_END  ? HELD_OPEN
           : u->to >= b->g->cycles ? HELD_PAST_JOB
           : past_launch(b, u)     ? HELD_PAST_LAUNCH
                                   : HELD;
}

/* ---- both ways ------------------------------------------------------------------------------- */

struct counts {
    long drawn[FAMILIES], differ[FAMILIES], outcome[FAMILIES][OUT_COUNT];
    struct fsim_statistics stat;
};

static void print_end(const char *way, const struct fsim_result *r)
{
    fprintf(stderr, "; %s: %s, %s, end %lld, %u elements by %g", way, fsim_outcome_name(r->outcome),
            r->reason, (long long)r->end, r->elements, r->by);
}

static void print_difference(const struct bench *b, uint64_t seed, const struct fsim_fault *u,
                             const struct fsim_result *pruned, const struct fsim_result *brute)
{
    struct fl_buf id = {0};
    fsim_print(b->img, u, &id);
    fprintf(stderr, "\njob of seed %llu, %d SMs: %s", (unsigned long long)seed, b->img->sms,
            (char *)id.data);
    print_end("pruned", pruned);
    print_end("by brute force", brute);
    fl_buf_free(&id);
}

static void try_fault(const struct bench *b, uint64_t seed, enum family family,
                      const struct fsim_fault *u, struct counts *n)
{
    struct transient_result pruned, brute;
    transient_simulate(b->w, b->t, u, &pruned);
    transient_exhaustive(b->w, b->t, u, &brute);
    bool same = faults_same(&pruned.r, &brute.r) && pruned.why == brute.why &&
                pruned.site == brute.site && pruned.writer == brute.writer;
    n->drawn[family]++;
    n->differ[family] += !same;
    n->outcome[family][brute.r.outcome]++;
    if (!same && n->differ[family] < 3)
        print_difference(b, seed, u, &pruned.r, &brute.r);
}

enum { FAULTS_OF_A_JOB = 50 };

/* Job by job until so many faults are drawn. Random programs trap now and then: such a job is left out. */
static void try_faults(long count, uint64_t seed, bool atomics, struct counts *n)
{
    memset(n, 0, sizeof *n);
    for (long drawn = 0; drawn < count; seed++) {
        struct bench b = bench_open(random_job(seed, atomics), true);
        uint64_t random = ~seed;
        for (int i = 0; b.w && i < FAULTS_OF_A_JOB && drawn < count; i++, drawn++) {
            struct fsim_fault u[FSIM_CELLS];
            enum family family = draw_fault(&b, &random, u);
            try_fault(&b, seed, family, u, n);
        }
        if (b.w)
            fsim_worker_statistics(b.w, &n->stat);
        bench_close(&b);
    }
}

static void end_as_by_brute_force(long count, bool atomics, struct counts *n)
{
    try_faults(count, 1, atomics, n);
    for (int f = 0; f < FAMILIES; f++) {
        CU_ASSERT_EQUAL(n->differ[f], 0);
        CU_ASSERT(n->drawn[f] > count / 60);
        CU_ASSERT(n->outcome[f][OUT_SDC] > 5);
        CU_ASSERT(n->outcome[f][OUT_MASKED] > 5);
    }
}

static void faults_in_random_chips_end_as_by_brute_force(void)
{
    struct counts n;
    end_as_by_brute_force(3000, false, &n);
    CU_ASSERT(n.stat.single_sm > 200); /* one SM without the others */
}

static void faults_in_chips_with_atomic_operations_end_as_by_brute_force(void)
{
    struct counts n;
    end_as_by_brute_force(3000, true, &n);
}

static int many(int argc, char **argv)
{
    long count = 3000, differ = 0;
    uint64_t seed = 1;
    bool atomics = false;
    struct counts n;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--atomics") == 0)
            atomics = true;
        else if (strcmp(argv[i], "--count") == 0 && i + 1 < argc)
            count = atol(argv[++i]);
        else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc)
            seed = strtoull(argv[++i], NULL, 10);
        else
            return printf("usage: test_random_chips [--count N] [--seed S] [--atomics]\n"), 2;
    }
    try_faults(count, seed, atomics, &n);
    printf("faults,drawn,differ");
    for (int o = 0; o < OUT_COUNT; o++)
        printf(",%s", fsim_outcome_name((enum fsim_outcome)o));
    for (int f = 0; f < FAMILIES; f++) {
        printf("\n%s,%ld,%ld", family_names[f], n.drawn[f], n.differ[f]);
        for (int o = 0; o < OUT_COUNT; o++)
            printf(",%ld", n.outcome[f][o]);
        differ += n.differ[f];
    }
    printf("\n");
    return differ != 0;
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return many(argc, argv);
    return CHECK_RUN("random_chips", CHECK(faults_in_random_chips_end_as_by_brute_force),
                     CHECK(faults_in_chips_with_atomic_operations_end_as_by_brute_force));
}
