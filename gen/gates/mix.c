/* mix.c -- a random mix of all instructions.
 *
 * Up to five warps run a code of their own each, a *stream*, on registers and a window of shared memory of their own. A
 * stream is a row of rounds. In a round every instruction writes to registers that hold no other result; at its end all
 * registers, flags, address registers and stored words are folded into the thread's signature, which is stored. So no
 * result is overwritten before the signature has it. The fold rotates the signature by one bit and adds the value: no two
 * signatures become one, so a difference stays until another value differs by exactly as much.
 *
 * Next is the row that the program has drawn least often. Costs are upper bounds: a warp's instruction takes five slots
 * (docs/explain/cycles.md), and what makes a slot longer counts for all warps.
 */
#include "asm/sasm/sasm.h"
#include "internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static long alone(const struct mix *x, const struct cost *c)
{
    return c->executed * STAGES * x->beat + c->waits;
}

/* Cycles of all streams since `from`, between two barriers. */
static long cycles_since(const struct mix *x, const struct cost *from)
{
    long most = 0, sum = 0;
    for (int i = 0; i < x->streams; i++) {
        long own = alone(x, &x->stream[i].cost) - alone(x, &from[i]);
        most = own > most ? own : most;
        sum += x->stream[i].cost.extra - from[i].extra;
    }
    return most + sum;
}

static void note(const struct mix *x, struct cost *to)
{
    for (int i = 0; i < x->streams; i++)
        to[i] = x->stream[i].cost;
}

/* What fold_all and end would cost now. */
static long cost_of_end(struct mix *x)
{
    struct mix copy = *x;
    struct cost from[MAX_STREAMS];
    note(x, from);
    for (int i = 0; i < x->streams; i++) {
        copy.stream[i].text = (struct fl_buf){0};
        mix_fold_all(&copy, &copy.stream[i]);
        mix_end(&copy, &copy.stream[i]);
        mix_line(&copy.stream[i], "BAR");
        fl_buf_free(&copy.stream[i].text);
    }
    return cycles_since(&copy, from);
}

/* Has every stream registers left for what an instruction writes and what is saved before it? */
static bool has_room(const struct mix *x)
{
    for (int i = 0; i < x->streams; i++) {
        int free = 0;
        for (int r = 0; r < x->regs; r++)
            free += !x->stream[i].used[r];
        if (free < GATES_KEPT + ROOM)
            return false;
    }
    return true;
}

/* One more step of every stream. False: there is no room. */
static bool step(struct mix *x)
{
    bool more = has_room(x);
    for (int i = 0; i < x->streams; i++) {
        struct stream *s = &x->stream[i];
        if (mix_below(x, 100) < x->flow && s->instructions > 0)
            mix_flow(x, s);
        more &= mix_instruction(x, s, false);
    }
    return more;
}

/* A copy of all that a step changes, but text, which only grows. */
struct before {
    struct mix mix;
    long *drawn;
};

static void keep(const struct mix *x, struct before *b)
{
    b->mix = *x;
    memcpy(b->drawn, x->drawn, (size_t)isa_nrows * sizeof *b->drawn);
}

static void take_back(struct mix *x, const struct before *b)
{
    for (int i = 0; i < x->streams; i++) {
        struct fl_buf text = x->stream[i].text;
        text.size = b->mix.stream[i].text.size;
        x->stream[i] = b->mix.stream[i];
        x->stream[i].text = text;
    }
    x->labels = b->mix.labels;
    memcpy(x->drawn, b->drawn, (size_t)isa_nrows * sizeof *b->drawn);
}

/* A round of at most `budget` cycles with what ends the program; `least`: at least one step, whatever it costs. Returns
 * the steps. */
static int round_of(struct mix *x, const struct cost *from, long budget, bool least)
{
    struct before b = {.drawn = fl_alloc((size_t)isa_nrows * sizeof *b.drawn)};
    int steps = 0;
    memset(x->failed, 0, (size_t)isa_nrows * sizeof *x->failed);
    for (;; steps++) {
        keep(x, &b);
        if (!step(x) || (cycles_since(x, from) + cost_of_end(x) > budget && !(least && !steps))) {
            take_back(x, &b);
            break;
        }
    }
    free(b.drawn);
    return steps;
}

static void write_barrier(struct mix *x)
{
    uint32_t number = mix_below(x, (uint32_t)x->m->barriers), mask = mix_below(x, 4096);
    const char *all = mix_below(x, 2) ? ".ALL" : "";
    for (int i = 0; i < x->streams; i++)
        mix_line(&x->stream[i], "BAR.ARV.WAIT%s b%u, 0x%x", all, number, mask);
}

static int most_streams(const struct sbst_machine *m)
{
    int most = m->regs / SBST_LANES / 32, limit = m->block_threads / SBST_LANES;
    int windows = (m->shared_bytes - READABLE) / (GATES_SLOT + 64);
    most = most > MAX_STREAMS ? MAX_STREAMS : most;
    most = most > limit ? limit : most;
    return windows < most ? windows : most;
}

/* How many warps, and what each of them has; `streams`: so many, the first with the bytes of shared memory that a fixed
 * address has; 0: any number. */
static int choose_shape(struct mix *x, int streams, struct fl_err *err)
{
    const struct sbst_machine *m = x->m;
    int most = most_streams(m);
    if (m->regs / SBST_LANES < 32 || m->shared_bytes < PARAMETERS + GATES_SLOT + 64)
        return fl_fail(err,
                       "--gates: profile %s has %d registers and %d bytes of shared memory, and a "
                       "mix needs 1024 and %d; choose another profile",
                       m->profile, m->regs, m->shared_bytes, PARAMETERS + GATES_SLOT + 64);
    x->streams = streams ? streams : most < 2 ? 1 : 2 + (int)mix_below(x, (uint32_t)most - 1);
    x->regs = m->regs / SBST_LANES / x->streams;
    x->regs = x->regs > GATES_REGS ? GATES_REGS : x->regs / 4 * 4;
    x->readable = most >= 2 && !streams;
    int start = x->readable ? READABLE : PARAMETERS;
    int room = (m->shared_bytes - start) / x->streams / 8 * 8;
    x->size = (uint32_t)(room < WINDOW ? room : WINDOW);
    x->room = streams ? room : 0;
    for (int i = 0; i < x->streams; i++) {
        struct stream *s = &x->stream[i];
        s->number = i;
        s->kept = streams ? x->regs - GATES_KEPT
                          : 8 + 4 * (int)mix_below(x, (uint32_t)(x->regs - 8 - GATES_KEPT) / 4 + 1);
        s->window = (uint32_t)(start + i * room);
        if (!streams)
            s->window += 8 * mix_below(x, ((uint32_t)room - x->size) / 8 + 1);
    }
    return 0;
}

static void write_source(const struct mix *x, struct gates_program *p)
{
    fl_buf_printf(&p->source,
                  "// %s.sasm -- %s.\n// Made by: %s\n\n.kernel mix\n.param ptr OUT // a signature "
                  "of each thread for each check-point\n.param ptr SCRATCH // what stores leave\n"
                  ".regs %d\n.shared WINDOWS, %d\n.local %d\n",
                  p->name, p->about, p->command, x->regs, x->m->shared_bytes - PARAMETERS,
                  GATES_LOCAL);
    const struct stream *s = &x->first;
    bool own = !s->instructions;
    int warp = own ? 1 : mix_reg(s, FOLDED), number = own ? 2 : mix_reg(s, TEMPORARY);
    fl_buf_add(&p->source, s->text.data, s->text.size);
    if (own && x->streams > 1)
        fl_buf_printf(&p->source, "    LOP32I.AND R1, R0, 0x3ff\n    SHR R1, R1, 0x5\n");
    for (int i = 1; i < x->streams; i++)
        fl_buf_printf(
            &p->source,
            "    MVI R%d, 0x%x\n    ISET.S32.C%d o[0x7f], R%d, R%d, EQ\n    BRA C%d.NE, s%d\n",
            number, i, !own, warp, number, !own, i);
    for (int i = 0; i < x->streams; i++)
        fl_buf_add(&p->source, x->stream[i].text.data, x->stream[i].text.size);
    fl_buf_add(&p->source, x->last.text.data, x->last.text.size);
}

/* Every bank of constants and every texture unit contains something, or none is read. */
static void write_job(const struct mix *x, struct gates_program *p, int rounds, int stores)
{
    const uint32_t seed = p->seed;
    int threads = SBST_LANES * x->streams;
    fl_buf_printf(&p->job,
                  "  <buffer name=\"signatures\" size=\"%d\" fill=\"0xffffffff\"/>\n"
                  "  <buffer name=\"scratch\" size=\"%d\"><random type=\"u32\" seed=\"%u\"/>"
                  "</buffer>\n",
                  4 * threads * rounds, (stores + 1) * STEP_BYTES * threads, seed);
    gates_write_textures(&p->job, seed, UINT32_MAX);
    for (unsigned bank = 0; bank < 16 && !x->hosted; bank++)
        gates_write_constants(&p->job, seed, bank);
    fl_buf_printf(&p->job,
                  "  <launch kernel=\"mix\" grid=\"1\" block=\"%d\">\n"
                  "    <param name=\"OUT\" buffer=\"signatures\"/>\n"
                  "    <param name=\"SCRATCH\" buffer=\"scratch\"/>\n  </launch>\n"
                  "  <output name=\"signatures\" buffer=\"signatures\"/>\n"
                  "  <output name=\"scratch\" buffer=\"scratch\"/>\n",
                  threads);
}

static int count_bytes(struct gates_program *p, struct fl_err *err)
{
    struct cubin *cubin = NULL;
    struct fl_buf text = {0};
    fl_buf_add(&text, p->source.data, p->source.size);
    fl_buf_add(&text, "", 1);
    int bad = sasm_assemble(p->name, (const char *)text.data, &cubin, err);
    for (int c = 0; !bad && c < cubin->kernel[0].ncode; c++)
        p->bytes += (int)cubin->kernel[0].code[c].size;
    fl_buf_free(&text);
    cubin_free(cubin);
    return bad;
}

static int finish(struct mix *x, struct gates_program *p, long cycles, int rounds,
                  struct fl_err *err)
{
    int stores = 0;
    p->instructions = x->first.instructions + x->last.instructions + 3 * (x->streams - 1);
    if (!x->first.instructions && x->streams > 1)
        p->instructions += 2;
    for (int i = 0; i < x->streams; i++) {
        stores = x->stream[i].stores > stores ? x->stream[i].stores : stores;
        p->instructions += x->stream[i].instructions;
    }
    p->cycles = cycles;
    p->launches = 1;
    write_source(x, p);
    write_job(x, p, rounds, stores);
    return count_bytes(p, err);
}

static int write_rounds(struct mix *x, int budget, struct gates_program *p, long *least,
                        struct fl_err *err)
{
    struct cost from[MAX_STREAMS] = {{0}};
    long spent = MARGIN + (long)STAGES * x->beat * (3 * x->streams - 1);
    int rounds = 0, steps;
    for (int i = 0; i < x->streams; i++)
        mix_begin(x, &x->stream[i]);
    do {
        steps = round_of(x, from, budget - spent, rounds == 0);
        if (steps == 0 && rounds > 0)
            break;
        for (int i = 0; i < x->streams; i++)
            mix_fold_all(x, &x->stream[i]);
        write_barrier(x);
        spent += cycles_since(x, from);
        note(x, from);
        rounds++;
    } while (steps > 1);
    for (int i = 0; i < x->streams; i++)
        mix_end(x, &x->stream[i]);
    spent += cycles_since(x, from);
    if (spent > budget) {
        *least = spent > *least ? spent : *least;
        return 1;
    }
    return finish(x, p, spent, rounds, err);
}

/* What a program of instructions begins with. */
static struct mix begin(const struct gates_row *row, const struct sbst_machine *machine,
                        uint32_t seed, struct gates_program *out)
{
    struct mix x = {.m = machine,
                    .random = gates_random(row, seed),
                    .beat = SBST_LANES / machine->sps,
                    .flow = row->flow,
                    .hosted = row->hosted};
    int levels = (machine->stack_entries + machine->stack_spill - 3) / 2; /* two entries each */
    x.levels = levels < NESTED ? levels : NESTED;
    x.drawn = fl_alloc((size_t)isa_nrows * sizeof *x.drawn);
    x.failed = fl_alloc((size_t)isa_nrows * sizeof *x.failed);
    for (int i = 0; i < isa_nrows; i++) {
        enum isa_op op = (enum isa_op)isa_rows[i].preset.op;
        bool flow = isa_op_class(op) == ISA_CONTROL && op != OP_NOP;
        bool given = !row->hosted || gates_is_hosted(&isa_rows[i].preset);
        x.drawn[i] = gates_row_runs(&isa_rows[i]) && !flow && given ? 0 : -1;
    }
    *out = (struct gates_program){.row = row, .machine = machine, .seed = seed};
    out->about = fl_format("self-test of the gates of the control: %s", row->title);
    return x;
}

static char *command(const struct gates_program *p, int cycles, const char *rows)
{
    char *units = gates_unit_list(p->row->units, ",");
    char *text = fl_format("sbstgen --gates %s%s%s%s --seed %u --max-cycles %d --profile %s", units,
                           p->row->hosted ? " --hosted" : "", rows ? " --rows " : "",
                           rows ? rows : "", p->seed, cycles, p->machine->profile);
    free(units);
    return text;
}

static void end(struct mix *x, int bad, struct gates_program *out)
{
    for (int i = 0; i < MAX_STREAMS; i++)
        fl_buf_free(&x->stream[i].text);
    fl_buf_free(&x->first.text);
    fl_buf_free(&x->last.text);
    free(x->drawn);
    free(x->failed);
    if (bad)
        gates_program_free(out);
}

int gates_mix(const struct gates_row *row, const struct sbst_machine *machine, uint32_t seed,
              int cycles, struct gates_program *out, long *least, struct fl_err *err)
{
    struct mix x = begin(row, machine, seed, out);
    out->name = fl_format("gates-%s%s-s%u", row->name, row->hosted ? "-hosted" : "", seed);
    out->command = command(out, cycles, NULL);
    int bad = choose_shape(&x, 0, err);
    bad = bad ? bad : write_rounds(&x, cycles, out, least, err);
    end(&x, bad, out);
    return bad;
}

/* ---- witnesses --------------------------------------------------------------------------------------------------- */

/* In the stream with the least work that can hold it; `all`: with all given operands. */
static bool place_witness(struct mix *x, const struct before *b, const struct gates_witness *w,
                          bool all)
{
    bool tried[MAX_STREAMS] = {false};
    for (int n = 0; n < x->streams; n++) {
        int best = -1;
        for (int i = 0; i < x->streams; i++)
            if (!tried[i] &&
                (best < 0 || alone(x, &x->stream[i].cost) < alone(x, &x->stream[best].cost)))
                best = i;
        if (mix_witness(x, &x->stream[best], w, all))
            return true;
        tried[best] = true;
        take_back(x, b);
    }
    return false;
}

/* Of those that no program has yet as many as fit the budget, at least one. 1: that is more than the budget; 2: no
 * program of this shape can hold any of them. */
static int write_witnesses(struct mix *x, int budget, bool wide, struct gates_rows *rows,
                           struct gates_program *p, long *least, struct fl_err *err)
{
    struct cost from[MAX_STREAMS] = {{0}};
    struct before b = {.drawn = fl_alloc((size_t)isa_nrows * sizeof *b.drawn)};
    const long start = MARGIN + (long)STAGES * x->beat * 3 * x->streams;
    long spent = 0;
    x->first = x->last = x->stream[0];
    mix_begin(x, &x->first);
    for (int i = 0; i < x->streams; i++) {
        x->stream[i].cost = x->first.cost;
        if (i)
            mix_label(&x->stream[i], 's', i);
    }
    for (int i = 0; i < rows->rows; i++) {
        struct gates_witness *w = &rows->row[i];
        keep(x, &b);
        if (w->held ||
            (!place_witness(x, &b, w, true) && !(wide && place_witness(x, &b, w, false))))
            continue;
        long cycles = start + cycles_since(x, from) + cost_of_end(x);
        if (spent && cycles > budget) {
            take_back(x, &b);
            break;
        }
        w->held = true;
        spent = cycles;
    }
    free(b.drawn);
    for (int i = 0; i < x->streams - 1; i++)
        mix_line(&x->stream[i], "BRA last");
    fl_buf_printf(&x->last.text, "last:\n");
    mix_fold_all(x, &x->last);
    mix_end(x, &x->last);
    if (spent > budget) {
        *least = spent > *least ? spent : *least;
        return 1;
    }
    return spent ? finish(x, p, spent, 1, err) : 2;
}

int gates_witnesses(const struct gates_row *row, const struct sbst_machine *machine, uint32_t seed,
                    int part, int cycles, bool wide, struct gates_rows *rows,
                    struct gates_program *out, long *least, struct fl_err *err)
{
    struct mix x = begin(row, machine, seed, out);
    int most = most_streams(machine), few = machine->regs / SBST_LANES / GATES_REGS;
    few = few < 1 || most < 1 ? 1 : few < most ? few : most;
    wide |= most <= few;
    out->name = fl_format("gates-%s%d%s-s%u", row->name, part, row->hosted ? "-hosted" : "", seed);
    out->command = command(out, cycles, "FILE");
    int bad = choose_shape(&x, wide ? few : most, err);
    bad = bad ? bad : write_witnesses(&x, cycles, wide, rows, out, least, err);
    end(&x, bad, out);
    return bad;
}
