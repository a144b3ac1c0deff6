/* ports.c -- the units of a lane by name, and where the ports of their netlists stand in vectors and answers. See lane.h. */
#include "lane.h"

#include <stdio.h>
#include <string.h>

static const char *const names[VECTOR_UNITS] = {"alu_int", "alu_fp", "alu_cvt", "sfu", "lane"};

const char *lane_name(int which)
{
    return names[which];
}

int lane_find(const char *name, struct fl_err *err)
{
    for (int i = 0; i < VECTOR_UNITS; i++)
        if (fl_same_name(names[i], name))
            return i;
    if (strcmp(name, "cvt") == 0) /* its name in earlier versions of sbstgen */
        return VECTOR_CVT;
    return fl_fail(err, "there is no unit '%s'; give alu_int, alu_fp, alu_cvt, sfu or lane", name);
}

bool lane_is(int which, const char *name)
{
    struct fl_err ignored;
    return strcmp(name, "all") == 0 ? which <= VECTOR_SFU : lane_find(name, &ignored) == which;
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

/* What makes a netlist fit. */
static const char *remedy(const struct unit *u)
{
    return u->netlist->places ? "synthesize the module of rtl/ with the names of its ports"
                              : "make the netlist anew: scripts/gates";
}

/* Where the bit of a port stands, in a vector or in an answer. */
static int find(const struct unit *u, const char *path, const char *name, bool output,
                struct fl_err *err)
{
    char port[16];
    int bit = split(name, output ? "_o" : "_i", port);
    for (size_t i = 0; bit >= 0 && i < sizeof pins / sizeof *pins; i++)
        if (pins[i].output == output && strcmp(pins[i].name, port) == 0 && bit < pins[i].width)
            return pins[i].first + bit;
    return fl_fail(err, "%s: %s %s is no port of sm_%s; %s", path, output ? "output" : "input",
                   name, u->name, remedy(u));
}

int lane_open(struct unit *u, const char *path, struct fl_err *err)
{
    const struct gate_netlist *n = u->netlist;
    uint64_t seen = 0;
    u->in_words = VECTOR_WORDS;
    u->out_words = 1;
    u->used = fl_alloc(VECTOR_WORDS * sizeof *u->used);
    u->used[VECTOR_CARE / 64] = ~0ull << VECTOR_CARE % 64;
    if (n->flops)
        return fl_fail(err, "%s: it has flip-flops, and sm_%s has none; %s", path, u->name,
                       remedy(u));
    for (uint32_t i = 0; i < n->inputs; i++) {
        int at = find(u, path, n->name[i], false, err);
        if (at < 0)
            return -1;
        u->place[i] = (uint16_t)at;
        u->used[at / 64] |= 1ull << at % 64;
    }
    for (uint32_t i = 0; i < n->outputs; i++) {
        int at = find(u, path, n->output_name[i], true, err);
        if (at < 0)
            return -1;
        u->output[i] = (uint16_t)at;
        seen |= 1ull << at;
    }
    if (seen != (1ull << VECTOR_OUTPUTS) - 1 || n->outputs != VECTOR_OUTPUTS)
        return fl_fail(err,
                       "%s: sm_%s has the outputs d_o[31:0] and flags_o[3:0], and some are missing "
                       "here; %s",
                       path, u->name, remedy(u));
    return 0;
}
