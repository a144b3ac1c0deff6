/* test_robust.c -- a faulty machine may do anything, the simulator may not: random code, flipped
 * and stuck cells.
 *
 * Every run is bounded in cycles and watched by the sanitizers. Two machines go through each
 * fault: one writes commit records and moves a tick at a time, the other does not and runs in
 * jumps. They must stay equal, so no shortcut of the model may depend on a machine being
 * healthy.
 */
#include "tests/lib/check.h"

#include "asm/isa/table.h"
#include "tests/lib/machine.h"
#include "tests/lib/random_program.h"

/* Of injured machines the sanitized build takes some; the release build all (scripts/test). */
enum { FLIPPED = SANITIZED ? 30 : 130, STUCK = SANITIZED ? 16 : 60 };

/* What became of many runs. */
struct outcomes {
    int finished, trapped, deadlocked, endless, differing;
    int trap[TRAP_COUNT];
    uint64_t instructions;
};

static void count(struct outcomes *o, const struct gpu *m)
{
    o->finished += m->grid.done && !m->sm->s.trap;
    o->trapped += m->sm->s.trap != TRAP_NONE;
    o->deadlocked += m->sm->s.deadlock != 0;
    o->endless += !gpu_ended(m);
    o->trap[m->sm->s.trap < TRAP_COUNT ? m->sm->s.trap : 0]++;
    o->instructions += m->sm->s.instructions;
}

/* Ticks with a record up to a cycle; prints every commit into a buffer when there is one. */
static void run_recorded(const struct machine *m, uint64_t cycle, struct sm_commit *r,
                         struct fl_buf *text)
{
    m->gpu->sm->record = r;
    m->gpu->sm->stop = cycle;
    while (m->gpu->sm->s.next <= cycle && !gpu_ended(m->gpu)) {
        gpu_tick(m->gpu);
        if (text && (r->kind != COMMIT_NONE || r->started >= 0)) {
            text->size = 0;
            sm_commit_print(m->img, r, text);
        }
    }
    m->gpu->sm->stop = UINT64_MAX;
    m->gpu->sm->record = NULL;
}

static struct sm_cell random_cell(const struct sm_image *img, uint64_t *seed)
{
    struct sm_structure s;
    struct sm_cell c = {.structure = (int)(machine_random(seed) %
                                           (uint32_t)SM_S_l1d)}; /* no machine here has caches */
    sm_structure_get(img, c.structure, &s);
    if (sm_structure_bits(&s) == 0) /* a job without local memory */
        return random_cell(img, seed);
    /* mostly low numbers: the warps, registers and blocks that are in use */
    for (int a = 0; a < s.naxes; a++) {
        uint32_t n = (uint32_t)s.axis[a].count;
        if (machine_random(seed) % 4 && n > 4)
            n = n > 1024 ? 1024 : n / 4 + 1;
        c.index[a] = (int)(machine_random(seed) % n);
    }
    c.field = (int)(machine_random(seed) % (uint32_t)s.nfields);
    c.bit = (int)(machine_random(seed) % (uint32_t)s.field[c.field].bits);
    return c;
}

static void flip(struct gpu *m, const struct sm_image *img, const struct sm_cell *cell)
{
    struct machine view = {.img = img ? (struct sm_image *)(uintptr_t)img : NULL, .gpu = m};
    machine_flip(&view, *cell);
}

/* ---- random code ---- */

static bool executes(uint32_t op)
{
    switch (op) {
    case OP_TEX:
    case OP_TLD:
    case OP_TXB:
    case OP_TXL:
    case OP_TXQ:
    case OP_QUADOP:
    case OP_QUADON:
    case OP_QUADPOP:
    case OP_PMTRIG:
    case OP_TRAP: return false;
    default: return true;
    }
}

enum { CODE_WORDS = 128 };

/* A random word of a random row of the instruction set: zeros where the row says so, noise
 * elsewhere, most of it under the predicate `always` and with branches that stay inside the
 * code. Returns its size. */
static int random_instruction(uint64_t *seed, uint32_t word[2], struct isa_insn *in)
{
    const struct isa_row *row;
    int size;
    do {
        row = &isa_rows[machine_random(seed) % (uint32_t)isa_nrows];
        uint32_t noise = machine_random(seed), more = machine_random(seed) & machine_random(seed);
        if (machine_random(seed) % 4)
            more = (more & ~0xf80u) | PRED_ALWAYS << 7;
        if (machine_random(seed) % 2) /* registers that exist */
            noise &= 0xfe8e1e3f;
        if (row->form == ISA_CTRL) {
            noise = (noise & ~(0xffffu << 11)) | machine_random(seed) % 64 << 12 |
                    (machine_random(seed) % 16 == 0) << 11;
            more &= 0xf00fffff & ~(63u << 14);
        }
        word[0] = (noise & ~row->lo_mask) | row->lo;
        word[1] = (more & ~row->hi_mask) | row->hi;
        size = isa_decode(word[0], word[1], true, ISA_NEWEST, in);
    } while (!size || !executes(in->op));
    return size;
}

static void random_code(uint64_t *seed, uint32_t code[CODE_WORDS], bool seen[OP_COUNT])
{
    for (int i = 0; i < CODE_WORDS; i += 2) {
        struct isa_insn in;
        uint32_t word[2];
        int size = random_instruction(seed, word, &in);
        seen[in.op] = true;
        code[i] = word[0];
        for (int tries = 0; size == 4 && tries < 100; tries++) /* shorts come in pairs */
            if (random_instruction(seed, word, &in) == 4) {
                word[1] = word[0];
                break;
            }
        code[i + 1] = word[1];
        if (machine_random(seed) % 200 == 0)
            code[i] = machine_random(seed); /* and sometimes anything */
    }
}

static struct machine load_code(const uint32_t code[CODE_WORDS], uint64_t *seed)
{
    static const char *const profile[] = {"tiny", "g80", "flexgripplus",
                                          FAULTLINE_SOURCE_DIR "/tests/data/tiny12.xml"};
    /* one block of code near, one far away; the assembler makes the room, the words are put in */
    struct job *job = machine_job(profile[machine_random(seed) % 4],
                                  ".kernel k\n.regs 20\n.local 64\n.shared s, 64\n"
                                  ".const C, u32, 0x10000, 8, 12, 0xffffffff\n"
                                  ".rept 64\nNOP\n.endr\n");
    memcpy(job->cubin->kernel[0].code[0].bytes, code, CODE_WORDS * 4);
    uint32_t bytes[64];
    for (int i = 0; i < 64; i++)
        bytes[i] = machine_random(seed);
    machine_buffer(job, sizeof bytes, bytes);
    machine_buffer(job, sizeof bytes, bytes);
    machine_const(job, 0, bytes, sizeof bytes);
    machine_launch(job, 0, 1 + machine_random(seed) % 3, 1 + machine_random(seed) % 64);
    machine_launch(job, 0, 1, 33);
    return machine_load(job);
}

/* Data that makes addresses likely: buffers, small offsets, and noise. */
static void random_data(struct gpu *m, uint64_t seed)
{
    for (int i = 0; i < 2048; i++) {
        uint32_t v = machine_random(&seed);
        switch (v % 4) {
        case 0: v = JOB_BASE + (v >> 8) % 256 / 16 * 16; break;
        case 1: v = v >> 8 & 60; break;
        default: break;
        }
        m->sm->s.rf[i] = v;
    }
    for (int w = 0; w < 2; w++) {
        for (int a = 1; a < 5; a++)
            for (int l = 0; l < 32; l++)
                m->sm->s.warp[w].a[a][l] = (uint16_t)(machine_random(&seed) % 96 / 4 * 4);
        for (int c = 0; c < 4; c++)
            m->sm->s.warp[w].cc[c] = (struct sm_cc){machine_random(&seed), machine_random(&seed),
                                                    machine_random(&seed), machine_random(&seed)};
    }
}

/* Puts a trapped machine behind the instruction that trapped: random code would not get far
 * otherwise. */
static void resume(struct gpu *m)
{
    struct sm_warp *w = &m->sm->s.warp[m->sm->s.trap_warp];
    if (!m->sm->s.trap)
        return;
    m->sm->s.trap = TRAP_NONE;
    w->pc = w->fetched = (w->pc & ~7u) + 8;
    w->exec = w->active;
}

static void random_code_does_no_harm_and_needs_no_record_to_be_right(void)
{
    struct outcomes o = {0};
    bool seen[OP_COUNT] = {false};
    struct sm_commit r;
    struct fl_buf text = {0};
    memset(&r, 0, sizeof r);
    for (uint64_t i = 0; i < 200; i++) {
        uint64_t seed = i;
        uint32_t code[CODE_WORDS];
        random_code(&seed, code, seen);
        struct machine m = load_code(code, &seed);
        struct gpu *n = gpu_new(m.img);
        for (uint64_t round = SANITIZED ? 2 : 0; round < 3;
             round++) { /* the same code from other data */
            struct gpu *fresh = gpu_new(m.img);
            gpu_copy(m.gpu, fresh);
            random_data(m.gpu, seed + round);
            gpu_copy(n, m.gpu);
            for (int traps = 0; traps < (SANITIZED ? 20 : 60) && !m.gpu->grid.done; traps++) {
                run_recorded(&m, 20000, &r, i % 8 == 0 ? &text : NULL);
                gpu_run(n, 20000);
                o.differing += !gpu_same(m.gpu, n);
                count(&o, m.gpu);
                resume(m.gpu);
                resume(n);
            }
            gpu_free(fresh);
        }
        gpu_free(n);
        machine_end(&m);
    }
    fl_buf_free(&text);
    CU_ASSERT_EQUAL(o.differing, 0);
    CU_ASSERT(o.trapped > 500);
    CU_ASSERT(o.instructions > 10000);
    for (int op = 0; op < OP_COUNT; op++) {
        if (executes((uint32_t)op) && !seen[op])
            printf("\n    never drawn: %s\n", isa_op_name((enum isa_op)op));
        CU_ASSERT(seen[op] || !executes((uint32_t)op));
    }
    for (int t = TRAP_FETCH_UNMAPPED; t < TRAP_COUNT; t++) /* random code gets nearly everywhere */
        if (t != TRAP_TRAP_INSTRUCTION && t != TRAP_UNSUPPORTED_INSTRUCTION &&
            t != TRAP_STACK_OVERFLOW)
            CU_ASSERT(o.trap[t] > 0);
}

static void words_of_any_bits_do_no_harm(void)
{
    struct outcomes o = {0};
    for (uint64_t i = 0; i < 60; i++) {
        uint64_t seed = 77 + i;
        uint32_t code[CODE_WORDS];
        for (int k = 0; k < CODE_WORDS; k++)
            code[k] = machine_random(&seed);
        struct machine m = load_code(code, &seed);
        for (uint32_t start = 0; start < 32; start += 4) { /* odd entry points as well */
            struct gpu *n = gpu_new(m.img);
            gpu_run(n, 4); /* nothing is fetched yet */
            n->sm->s.warp[0].pc = start;
            gpu_run(n, 2000);
            count(&o, n);
            gpu_free(n);
        }
        machine_end(&m);
    }
    CU_ASSERT(o.trap[TRAP_ILLEGAL_INSTRUCTION] > 300);
}

/* ---- faults ---- */

/* Divergence, loop, barrier, call, break, every memory, two launches. */
static const char busy[] =
    ".kernel k\n.param ptr p\n.shared x, 128\n.local 16\n.const N, u32, 5, 6, 7, 8\n"
    "I2I.U32.U16 R0, R0L\nSHL R1, R0, 2\nIADD R1, s[p], R1\nGLD.U32 R2, global14[R1]\n"
    "R2A A1, R0, 1\nMVI R3, 0\nMVI R7, 3\nLOP.AND R7, R0, R7\nSHL R7, R7, 2\nR2A A2, R7\n"
    "SSY out\n"
    "loop: IADD R2, R2, R3\nR2G.U32.U16 s[A1+x], R2\nLST.U32 local[4], R2\n"
    "MVC R4, c1[A2]\nRCP R5, R4\nIADD32I R3, R3, 1\nISET.C0 o[0x7f], R3, R4, LT\n"
    "BRA C0.NE, loop\n"
    "out: NOP.S\nBAR.ARV.WAIT b0, 0xfff\nLLD.U32 R4, local[4]\nMOV R6, s[x]\n"
    "IADD R4, R4, R6\nPBK done\nCAL.NOINC f\nBRK\ndone: GST.EXIT.U32 global14[R1], R4\n"
    "f: LOP.XOR R4, R4, R5\nRET C0.EQ\nRET";

static struct machine load_victim(uint64_t i, const char *profile)
{
    if (i % 3 == 0) {
        struct job *job = machine_job(profile, busy);
        uint32_t addr = machine_buffer(job, 1024, NULL);
        machine_param(machine_launch(job, 0, 3, 50), addr);
        machine_param(machine_launch(job, 0, 2, 20), addr + 0x100);
        return machine_load(job);
    }
    struct rp_program *p = fl_alloc(sizeof *p);
    bool tiny = strcmp(profile, "tiny") == 0;
    rp_make(p, &(struct rp_shape){.seed = 9000 + i,
                                  .threads = 40,
                                  .depth = 2,
                                  .functions = tiny ? 0 : 2,
                                  .no_loops = tiny});
    struct job *job = machine_job(profile, p->text);
    uint32_t addr = machine_buffer(job, 256, NULL);
    machine_param(machine_launch(job, 0, 2, 40), addr);
    rp_free(p);
    free(p);
    return machine_load(job);
}

struct injury {
    uint64_t cycle;
    struct sm_cell cell;
};

/* Runs both machines through the flips and up to `end`; they must stay equal. */
static void suffer(const struct machine *m, struct gpu *n, const struct injury *list, int count_of,
                   uint64_t end, struct fl_buf *text)
{
    struct sm_commit r;
    memset(&r, 0, sizeof r);
    for (int i = 0; i < count_of; i++) {
        run_recorded(m, list[i].cycle, &r, text);
        gpu_run(n, list[i].cycle);
        flip(m->gpu, m->img, &list[i].cell);
        flip(n, m->img, &list[i].cell);
    }
    run_recorded(m, end, &r, text);
    gpu_run(n, end);
}

static void flipped_cells_do_no_harm_and_need_no_record_to_be_right(void)
{
    static const char *const profile[] = {"tiny", "g80", "flexgripplus"};
    struct outcomes o = {0};
    struct fl_buf text = {0};
    for (uint64_t victim = 0; victim < 36; victim++) {
        struct machine m = load_victim(victim, profile[victim / 3 % 3]);
        struct gpu *start = gpu_new(m.img), *n = gpu_new(m.img);
        gpu_copy(n, start);
        gpu_run(n, MACHINE_MAX_CYCLES);
        CU_ASSERT(n->grid.done);
        uint64_t golden = gpu_cycles(n), seed = victim;
        for (int k = 0; k < FLIPPED; k++) {
            struct injury list[3];
            int flips = 1 + (int)(machine_random(&seed) % 3);
            uint64_t at = 0;
            for (int i = 0; i < flips; i++) {
                at += machine_random(&seed) % (golden / (uint64_t)flips);
                list[i] = (struct injury){at, random_cell(m.img, &seed)};
            }
            gpu_copy(m.gpu, start);
            gpu_copy(n, start);
            suffer(&m, n, list, flips, 2 * golden, k % 16 == 0 ? &text : NULL);
            o.differing += !gpu_same(m.gpu, n) || !gpu_recurs(m.gpu, n);
            count(&o, n);
            /* back to health: nothing of the faulty run may be left in a machine that is copied
             * over */
            if (k % 16 == 0) {
                gpu_copy(n, start);
                gpu_run(n, MACHINE_MAX_CYCLES);
                CU_ASSERT(n->grid.done && gpu_cycles(n) == golden);
            }
        }
        gpu_free(start);
        gpu_free(n);
        machine_end(&m);
    }
    fl_buf_free(&text);
    CU_ASSERT_EQUAL(o.differing, 0);
    CU_ASSERT(o.finished > 200);
    CU_ASSERT(o.trapped > FLIPPED);
    CU_ASSERT(o.endless > 2);
}

static void stuck_cells_do_no_harm_and_need_no_record_to_be_right(void)
{
    static const char *const profile[] = {"tiny", "g80", "flexgripplus"};
    struct outcomes o = {0};
    for (uint64_t victim = 0; victim < 18; victim++) {
        struct machine m = load_victim(victim, profile[victim / 3 % 3]);
        struct gpu *healthy = gpu_new(m.img);
        gpu_run(healthy, MACHINE_MAX_CYCLES);
        uint64_t golden = gpu_cycles(healthy), seed = 500 + victim;
        gpu_free(healthy);
        for (int k = 0; k < STUCK; k++) {
            struct gpu *a = gpu_new(m.img), *b = gpu_new(m.img);
            struct machine recorded = {.img = m.img, .gpu = a};
            int faults = 1 + (int)(machine_random(&seed) % 3);
            for (int i = 0; i < faults; i++) {
                struct sm_cell cell = random_cell(m.img, &seed);
                struct sm_force f = sm_cell_force(m.img, &cell, (int)(machine_random(&seed) & 1));
                gpu_add_force(a, &f);
                gpu_add_force(b, &f);
            }
            suffer(&recorded, b, NULL, 0, 2 * golden, NULL);
            o.differing += !gpu_same(a, b);
            count(&o, b);
            gpu_free(a);
            gpu_free(b);
        }
        machine_end(&m);
    }
    CU_ASSERT_EQUAL(o.differing, 0);
    CU_ASSERT(o.finished > 100);
    CU_ASSERT(o.trapped > 50);
    CU_ASSERT(o.endless > 5);
}

static void a_stuck_stack_pointer_bit_ends_in_an_outcome(void)
{
    /* every bit of the pointer, both ways, with a full, an empty and a spilling stack */
    static const char *const profile[] = {"tiny", "g80", "flexgripplus"};
    for (int p = 0; p < 3; p++)
        for (int bit = 0; bit < 6; bit++)
            for (int value = 0; value < 2; value++) {
                struct machine m = load_victim(0, profile[p]);
                machine_stick(&m, machine_cell(&m, "dsp", 0, bit, 0, 0), value);
                gpu_run(m.gpu, 20000);
                CU_ASSERT(gpu_ended(m.gpu) || m.gpu->sm->s.next > 20000);
                machine_end(&m);
            }
}

static void more_forces_than_there_is_room_for_are_ignored(void)
{
    struct machine m = load_victim(0, "tiny");
    uint64_t seed = 4;
    for (int i = 0; i < 3 * SM_MAX_FORCES; i++) {
        struct sm_cell cell = random_cell(m.img, &seed);
        struct sm_force f = sm_cell_force(m.img, &cell, i & 1);
        gpu_add_force(m.gpu, &f);
    }
    CU_ASSERT_EQUAL(m.gpu->sm->nforces, SM_MAX_FORCES);
    gpu_run(m.gpu, 5000);
    machine_end(&m);
}

int main(void)
{
    return CHECK_RUN("robust", CHECK(random_code_does_no_harm_and_needs_no_record_to_be_right),
                     CHECK(words_of_any_bits_do_no_harm),
                     CHECK(flipped_cells_do_no_harm_and_need_no_record_to_be_right),
                     CHECK(stuck_cells_do_no_harm_and_need_no_record_to_be_right),
                     CHECK(a_stuck_stack_pointer_bit_ends_in_an_outcome),
                     CHECK(more_forces_than_there_is_room_for_are_ignored));
}
