/* unit.c -- units of the lanes as gates. See unit.h. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "sm/job/job.h"

static const char *const names[VECTOR_UNITS] = {"alu_int", "alu_fp", "alu_cvt", "sfu", "lane"};

const char *unit_name(enum vector_unit which)
{
    return names[which];
}

int unit_find(const char *name, struct fl_err *err)
{
    for (int i = 0; i < VECTOR_UNITS; i++)
        if (fl_same_name(names[i], name))
            return i;
    if (strcmp(name, "cvt") == 0) /* its name in earlier versions of sbstgen */
        return VECTOR_CVT;
    return fl_fail(err, "there is no unit '%s'; give alu_int, alu_fp, alu_cvt, sfu or lane", name);
}

/* ---- ports ----------------------------------------------------------------------------------- */

/* "a_i[3]": the port without what stands behind `end`, and the bit; -1: no such name. */
static int split(const char *name, const char *end, char port[16])
{
    size_t n = strcspn(name, "[");
    int bit = 0, used = 0;
    if (name[n] && (sscanf(name + n, "[%d]%n", &bit, &used) != 1 || name[n + (size_t)used]))
        return -1;
    if (n <= strlen(end) || n - strlen(end) >= 16 ||
        strncmp(name + n - strlen(end), end, strlen(end)) != 0)
        return -1;
    snprintf(port, 16, "%.*s", (int)(n - strlen(end)), name);
    return bit;
}

static const struct sm_pin pins[] = {
#define X(name, first, width) {#name, first, width, false},
    VECTOR_PORTS(X)
#undef X
#define X(name, first, width) {#name, first, width, true},
        SM_LANE_OUTPUTS(X)
#undef X
};

static int find(const char *name, bool output)
{
    char port[16];
    int bit = split(name, output ? "_o" : "_i", port);
    for (size_t i = 0; bit >= 0 && i < sizeof pins / sizeof *pins; i++)
        if (pins[i].output == output && strcmp(pins[i].name, port) == 0 && bit < pins[i].width)
            return pins[i].first + bit;
    return -1;
}

static int find_inputs(struct unit *u, const char *path, struct fl_err *err)
{
    const struct gate_netlist *n = u->netlist;
    u->place = fl_alloc(n->inputs);
    for (uint32_t i = 0; i < n->inputs; i++) {
        int at = find(n->name[i], false);
        if (at < 0)
            return fl_fail(err,
                           "%s: input %s is no port of sm_%s; make the netlist anew: scripts/gates",
                           path, n->name[i], unit_name(u->which));
        u->place[i] = (uint8_t)at;
        u->used.w[at / 64] |= 1ull << at % 64;
    }
    return 0;
}

static int find_outputs(struct unit *u, const char *path, struct fl_err *err)
{
    const struct gate_netlist *n = u->netlist;
    uint64_t seen = 0;
    u->output = fl_alloc(n->outputs);
    for (uint32_t i = 0; i < n->outputs; i++) {
        int at = find(n->output_name[i], true);
        if (at < 0)
            return fl_fail(
                err, "%s: output %s is no port of sm_%s; make the netlist anew: scripts/gates",
                path, n->output_name[i], unit_name(u->which));
        u->output[i] = (uint8_t)at;
        seen |= 1ull << at;
    }
    if (seen != (1ull << VECTOR_OUTPUTS) - 1 || n->outputs != VECTOR_OUTPUTS)
        return fl_fail(err,
                       "%s: sm_%s has the outputs d_o[31:0] and flags_o[3:0], and some are missing "
                       "here; make the netlist anew: scripts/gates",
                       path, unit_name(u->which));
    return 0;
}

/* ---- the proof beside it --------------------------------------------------------------------- */

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

const char *unit_doubt(const char *path, const char *rtl)
{
    struct fl_buf blif = {0}, proof = {0};
    struct fl_err ignored;
    char hex[65], *beside = fl_format("%.*s.proved", (int)strlen(path) - 5, path);
    uint8_t digest[32];
    const char *doubt = "no proof lies beside it";
    if (fl_read_file(path, &blif, &ignored) == 0 && fl_read_file(beside, &proof, &ignored) == 0) {
        job_sha256(&(struct job_range){blif.data, blif.size}, 1, digest);
        fl_hex(digest, sizeof digest, hex);
        doubt = !says((const char *)proof.data, "netlist", hex)
                    ? "the proof beside it is of another netlist"
                : !says((const char *)proof.data, "rtl", rtl)
                    ? "the proof beside it is of another rtl/ than this program's"
                    : NULL;
    }
    fl_buf_free(&blif);
    fl_buf_free(&proof);
    free(beside);
    return doubt;
}

int unit_open(const char *path, enum vector_unit which, struct unit *u, struct fl_err *err)
{
    *u = (struct unit){.which = which};
    u->used = vector_with_care(u->used, (1ull << VECTOR_OUTPUTS) - 1);
    if (gate_read(path, &u->netlist, err) != 0)
        return -1;
    if (u->netlist->flops)
        fl_fail(err,
                "%s: it has flip-flops, and sm_%s has none; make the netlist anew: scripts/gates",
                path, unit_name(which));
    if (u->netlist->flops || find_inputs(u, path, err) != 0 || find_outputs(u, path, err) != 0) {
        unit_close(u);
        return -1;
    }
    u->faults = gate_faults_new(u->netlist, GATE_STUCK);
    u->doubt = unit_doubt(path, FAULTLINE_LANE_RTL);
    return 0;
}

void unit_choose(struct unit *u, enum gate_model model)
{
    gate_faults_free(u->faults);
    u->faults = gate_faults_new(u->netlist, model);
}

void unit_close(struct unit *u)
{
    gate_faults_free(u->faults);
    gate_netlist_free(u->netlist);
    free(u->place);
    free(u->output);
    *u = (struct unit){0};
}

void unit_inputs(const struct unit *u, const struct vector *v, uint64_t *in)
{
    memset(in, 0, unit_input_words(u) * sizeof *in);
    for (uint32_t i = 0; i < u->netlist->inputs; i++)
        in[i / 64] |= (uint64_t)vector_bit(v, u->place[i]) << i % 64;
}

static void put_sources(const struct unit *u, const struct gate_sim *sim, const struct vector *v,
                        uint32_t count, uint64_t *source)
{
    uint32_t inputs = u->netlist->inputs, words = (uint32_t)gate_sim_words(sim);
    memset(source, 0, (size_t)inputs * words * sizeof *source);
    for (uint32_t p = 0; p < count; p++)
        for (uint32_t i = 0; i < inputs; i++)
            source[i * words + p / 64] |= (uint64_t)vector_bit(&v[p], u->place[i]) << p % 64;
}

void unit_load(const struct unit *u, struct gate_sim *sim, const struct vector *v,
               const struct vector *before, uint32_t count, uint64_t *source)
{
    if (before) {
        put_sources(u, sim, before, count, source);
        gate_sim_load(sim, source, (int)count);
    }
    put_sources(u, sim, v, count, source);
    if (before)
        gate_sim_load_second(sim, source, (int)count);
    else
        gate_sim_load(sim, source, (int)count);
}

uint64_t unit_result(const struct unit *u, struct gate_sim *sim, uint32_t p)
{
    const struct gate_netlist *n = u->netlist;
    uint64_t is = 0;
    for (uint32_t o = 0; o < n->outputs; o++)
        is |= (gate_sim_value(sim, n->output[o])[p / 64] >> p % 64 & 1) << u->output[o];
    return is;
}

void unit_fault_id(const struct unit *u, int sp, uint32_t fault, char out[UNIT_ID])
{
    char id[GATE_ID_ROOM], of[16] = "";
    if (sp >= 0)
        snprintf(of, sizeof of, ".sp%d", sp);
    snprintf(out, UNIT_ID, "gate/%s%s/%s", unit_name(u->which), of,
             gate_fault_id(u->netlist, u->faults->model, fault, id));
}
