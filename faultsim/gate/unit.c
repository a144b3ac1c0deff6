/* unit.c -- see unit.h. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "gate/mapped/mapped.h"
#include "kind.h"
#include "sm/job/job.h"

/* What stands behind a word at the start of a line. */
static bool says(const char *text, const char *word, const char *digest)
{
    size_t n = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at += n)
        if ((at == text || at[-1] == '\n') && at[n] == ' ' &&
            strncmp(at + n + 1, digest, strlen(digest)) == 0)
            return true;
    return false;
}

/* Why the netlist in this file is not known to be made of the RTL of the unit, by the proof beside it. */
static const char *doubt(const char *path, const struct unit_kind *kind, int which)
{
    struct fl_buf blif = {0}, proof = {0};
    struct fl_err ignored;
    if (gate_is_verilog(path))
        return "it was not made by scripts/gates";
    char hex[65], *beside = fl_format("%.*s.proved", (int)strlen(path) - 5, path);
    uint8_t digest[32];
    const char *why = "no proof lies beside it";
    if (fl_read_file(path, &blif, &ignored) == 0 && fl_read_file(beside, &proof, &ignored) == 0) {
        job_sha256(&(struct job_range){blif.data, blif.size}, 1, digest);
        fl_hex(digest, sizeof digest, hex);
        why = !says((const char *)proof.data, "netlist", hex)
                  ? "the proof beside it is of another netlist"
              : !says((const char *)proof.data, "rtl", kind->rtl(which, false)) &&
                      !says((const char *)proof.data, "rtl", kind->rtl(which, true))
                  ? "the proof beside it is of another rtl/ than this program's"
                  : NULL;
    }
    fl_buf_free(&blif);
    fl_buf_free(&proof);
    free(beside);
    return why;
}

/* Pins in their order, until the kind says otherwise. */
static void place_in_order(struct unit *u)
{
    const struct gate_netlist *n = u->netlist;
    u->in_words = (n->inputs + 63) / 64;
    u->out_words = (n->outputs + 63) / 64;
    u->place = fl_alloc(n->inputs * sizeof *u->place);
    u->output = fl_alloc(n->outputs * sizeof *u->output);
    for (uint32_t i = 0; i < n->inputs; i++)
        u->place[i] = (uint16_t)i;
    for (uint32_t i = 0; i < n->outputs; i++)
        u->output[i] = (uint16_t)i;
}

int unit_open(const char *path, const struct unit_kind *kind, int which, struct unit *u,
              struct fl_err *err)
{
    return unit_open_cells(path, &(struct gate_how){.undriven = -1}, kind, which, u, err);
}

int unit_open_cells(const char *path, const struct gate_how *how, const struct unit_kind *kind,
                    int which, struct unit *u, struct fl_err *err)
{
    *u = (struct unit){.kind = kind, .which = which, .name = kind->name(which)};
    if ((gate_is_verilog(path) ? gate_read_with(path, how, &u->netlist, err)
                               : gate_read(path, &u->netlist, err)) != 0)
        return -1;
    place_in_order(u);
    if (kind->open(u, path, err) != 0) {
        unit_close(u);
        return -1;
    }
    unit_choose(u, GATE_STUCK);
    u->doubt = doubt(path, kind, which);
    return 0;
}

void unit_choose(struct unit *u, enum gate_model model)
{
    gate_faults_free(u->faults);
    u->faults = gate_faults_new(u->netlist, model);
    if (!u->registers)
        return;
    struct gate_faults *all = u->faults;
    u->faults = registers_faults(u->registers, u->netlist, all);
    gate_faults_free(all);
}

void unit_close(struct unit *u)
{
    gate_faults_free(u->faults);
    registers_free(u->registers);
    gate_netlist_free(u->netlist);
    free(u->place);
    free(u->output);
    free(u->used);
    *u = (struct unit){0};
}

void unit_inputs(const struct unit *u, const uint64_t *vector, uint64_t *in)
{
    memset(in, 0, unit_input_words(u) * sizeof *in);
    for (uint32_t i = 0; i < u->netlist->inputs; i++)
        in[i / 64] |= (uint64_t)vectors_bit(vector, u->place[i]) << i % 64;
}

/* ---- many patterns ------------------------------------------------------------------------------ */

struct unit_sim unit_sim_new(const struct unit *u, int width)
{
    struct unit_sim s = {.unit = u, .sim = gate_sim_new(u->netlist, width)};
    s.words = (uint32_t)gate_sim_words(s.sim);
    s.room = 64 * s.words;
    s.source = fl_alloc((size_t)u->netlist->inputs * s.words * sizeof *s.source);
    if (u->kind->care)
        s.care = fl_alloc((size_t)u->netlist->outputs * s.words * sizeof *s.care);
    return s;
}

void unit_sim_free(struct unit_sim *s)
{
    gate_sim_free(s->sim);
    free(s->source);
    free(s->care);
}

/* Bit i of word k becomes bit k of word i. */
static void transpose(uint64_t square[64])
{
    uint64_t mask = UINT32_MAX;
    for (uint32_t j = 32; j; j /= 2, mask ^= mask << j)
        for (uint32_t k = 0; k < 64; k = (k + j + 1) & ~j) {
            const uint64_t moves = (square[k] >> j ^ square[k + j]) & mask;
            square[k] ^= moves << j;
            square[k + j] ^= moves;
        }
}

static void put_sources(struct unit_sim *s, const uint64_t *const *v, uint32_t count)
{
    const struct unit *u = s->unit;
    uint64_t *column = fl_alloc((size_t)64 * u->in_words * sizeof *column);
    for (uint32_t word = 0; word < s->words; word++) {
        const uint32_t from = 64 * word;
        for (uint32_t w = 0; w < u->in_words; w++) {
            for (uint32_t p = from; p < from + 64; p++)
                column[64 * w + p - from] = p < count ? v[p][w] : 0;
            transpose(&column[64 * w]);
        }
        for (uint32_t i = 0; i < u->netlist->inputs; i++)
            s->source[i * s->words + word] = column[u->place[i]];
    }
    free(column);
}

void unit_sim_load(struct unit_sim *s, const uint64_t *const *now, const uint64_t *const *before,
                   uint32_t count)
{
    const struct unit *u = s->unit;
    const bool slow = unit_slow(u) && before;
    if (slow) {
        put_sources(s, before, count);
        gate_sim_load(s->sim, s->source, (int)count);
    }
    put_sources(s, now, count);
    (slow ? gate_sim_load_second : gate_sim_load)(s->sim, s->source, (int)count);
    s->count = count;
    if (!s->care)
        return;
    const uint32_t outputs = u->netlist->outputs;
    memset(s->care, 0, (size_t)outputs * s->words * sizeof *s->care);
    for (uint32_t p = 0; p < count; p++) {
        const uint64_t care = u->kind->care(now[p]);
        for (uint32_t o = 0; o < outputs; o++)
            s->care[o * s->words + p / 64] |= (care >> u->output[o] & 1) << p % 64;
    }
}

/* ---- names ----------------------------------------------------------------------------------- */

void unit_fault_id(const struct unit *u, int sp, uint32_t fault, char out[UNIT_ID])
{
    char id[GATE_ID_ROOM], of[16] = "";
    if (sp >= 0)
        snprintf(of, sizeof of, ".sp%d", sp);
    snprintf(out, UNIT_ID, "gate/%s%s/%s", u->name, of,
             gate_fault_id(u->netlist, u->faults->model, fault, id));
}

char *unit_target(const struct unit *u, int sp)
{
    return u->kind->of_sp ? fl_format("%s.sp%d", u->name, sp) : fl_format("gate/%s", u->name);
}

int unit_split(const char *id, char name[UNIT_NAME], int *sp, const char **fault,
               struct fl_err *err)
{
    int used = 0, more = 0;
    *sp = -1;
    if (sscanf(id, "gate/%31[a-z_]%n", name, &used) == 1 && used) {
        const char *rest = id + used;
        if (sscanf(rest, ".sp%4d%n", sp, &more) == 1 && *sp >= 0)
            rest += more;
        if (*rest == '/') {
            *fault = rest + 1;
            return 0;
        }
    }
    return fl_fail(err, "'%.100s' names no gate; write it like gate/alu_int.sp3/n120.1:sa0", id);
}

int unit_parse(const char *id, const struct unit_kind *kind, int *which, int *sp,
               const char **fault, struct fl_err *err)
{
    char name[UNIT_NAME];
    if (unit_split(id, name, sp, fault, err) != 0)
        return -1;
    if (*sp >= 0 && !kind->of_sp)
        return fl_fail(err, "'%.100s' names an SP, and an SM has one %s; leave .sp%d out", id, name,
                       *sp);
    *sp = *sp < 0 && kind->of_sp ? 0 : *sp;
    *which = kind->find(name, err);
    return *which < 0 ? -1 : 0;
}

int unit_fault(const struct unit *u, const char *fault, uint32_t *number, struct fl_err *err)
{
    if (gate_fault_parse(u->netlist, u->faults->model, fault, number, err) != 0)
        return -1;
    if (u->faults->class_of[*number] == UINT32_MAX)
        return fl_fail(err,
                       "'%s' lies inside a register; of the multiplexer at its input only the data "
                       "input, pin 2, has faults",
                       fault);
    return 0;
}
