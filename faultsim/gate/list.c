/* list.c -- see list.h. */
#include "list.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "kind.h"

struct fault_list {
    const struct unit *unit;
    int units, sps, sp;
    bool **wanted;   /* [units * sps], each of the unit's classes or NULL */
    int below;       /* the unit whose netlist a remark has named, or -1 */
    uint32_t class_; /* of the line */
};

static bool of_sp(const struct fault_list *l)
{
    return l->unit->kind->of_sp;
}

static int netlist_named(void *list, const char *digest, struct fl_err *err)
{
    struct fault_list *l = list;
    for (l->below = 0; l->below < l->units; l->below++)
        if (strcmp(l->unit[l->below].netlist->digest, digest) == 0)
            return 0;
    return fl_fail(err,
                   "the list is of the netlist %.16s..., and %s is %.16s...; make the list again, "
                   "or name the unit that it is of with --unit",
                   digest, l->unit->netlist->file, l->unit->netlist->digest);
}

/* Which unit and SP an id names, and what of it is the fault's in the netlist. */
static int find_unit(const struct fault_list *l, const char *id, int *unit, int *sp,
                     const char **fault, struct fl_err *err)
{
    char name[UNIT_NAME];
    struct fl_buf units = {0};
    *fault = id;
    *sp = -1;
    *unit = l->below;
    if (strncmp(id, "gate/", 5) != 0)
        return l->below >= 0
                   ? 0
                   : fl_fail(err,
                             "'%.100s' does not say of which unit it is; write gate/%s/%.60s, or "
                             "the line `# netlist DIGEST` above it",
                             id, l->unit->name, id);
    if (unit_split(id, name, sp, fault, err) != 0)
        return -1;
    for (*unit = 0; *unit < l->units; ++*unit)
        if (strcmp(l->unit[*unit].name, name) == 0)
            return 0;
    for (int i = 0; i < l->units; i++)
        fl_buf_printf(&units, "%s%s", i ? "," : "", l->unit[i].name);
    fl_fail(err,
            "'%.100s' is a fault of %s, and --unit names %s; name %s too, or leave the line out",
            id, name, (char *)units.data, name);
    fl_buf_free(&units);
    return -1;
}

static int check_sp(const struct fault_list *l, const char *id, int sp, struct fl_err *err)
{
    if (sp < 0)
        return 0;
    if (!of_sp(l))
        return fl_fail(err, "'%.100s' names an SP, and an SM has one %s; leave .sp%d out", id,
                       l->unit->name, sp);
    if (sp >= l->sps)
        return fl_fail(err, "'%.100s': the machine has SPs 0 to %d", id, l->sps - 1);
    if (l->sp >= 0 && sp != l->sp)
        return fl_fail(err, "'%.100s' is a fault of SP %d, and --sp names SP %d", id, sp, l->sp);
    return 0;
}

static void want(struct fault_list *l, int unit, int sp, uint32_t class)
{
    bool **to = &l->wanted[unit * l->sps + (sp < 0 ? 0 : sp)];
    if (!*to)
        *to = fl_alloc(l->unit[unit].faults->count * sizeof **to);
    (*to)[class] = true;
}

static int take(void *list, const char *id, bool first, struct fl_err *err)
{
    struct fault_list *l = list;
    const char *in_netlist;
    int unit, sp;
    uint32_t fault, class;
    if (find_unit(l, id, &unit, &sp, &in_netlist, err) != 0 || check_sp(l, id, sp, err) != 0 ||
        unit_fault(&l->unit[unit], in_netlist, &fault, err) != 0)
        return -1;
    class = l->unit[unit].faults->class_of[fault];
    if (!first && class != l->class_)
        return fl_fail(err,
                       "'%.100s' is not of the class of the first fault of its line; write it "
                       "on a line of its own",
                       id);
    l->class_ = class;
    if (sp >= 0 || !of_sp(l) || l->sp >= 0)
        want(l, unit, sp >= 0 ? sp : l->sp, class);
    else
        for (int i = 0; i < l->sps; i++)
            want(l, unit, i, class);
    return 0;
}

struct fault_list *fault_list_read(const char *path, const struct unit *unit, int units, int sps,
                                   int sp, struct fl_err *err)
{
    struct fault_list *l = fl_alloc(sizeof *l);
    *l = (struct fault_list){.unit = unit, .units = units, .sps = sps, .sp = sp, .below = -1};
    l->wanted = fl_alloc((size_t)(units * sps) * sizeof *l->wanted);
    bool any = false;
    int bad = sp >= sps ? fl_fail(err, "--sp %d: the machine has SPs 0 to %d", sp, sps - 1)
                        : gate_list_read(path, unit->faults->model,
                                         &(struct gate_list){l, netlist_named, take}, err);
    for (int i = 0; i < units * sps; i++)
        any |= l->wanted[i] != NULL;
    if (!bad && !any)
        bad = fl_fail(err, "%s: no fault in it; write an id a line", path);
    if (!bad)
        return l;
    fault_list_free(l);
    return NULL;
}

void fault_list_free(struct fault_list *l)
{
    for (int i = 0; l && i < l->units * l->sps; i++)
        free(l->wanted[i]);
    if (l)
        free(l->wanted);
    free(l);
}

const bool *fault_list_of(const struct fault_list *l, int unit, int sp)
{
    return sp < l->sps ? l->wanted[unit * l->sps + (sp < 0 ? 0 : sp)] : NULL;
}

void fault_list_identity(const struct fault_list *l, struct fl_buf *out)
{
    uint64_t count = 0, digest = FL_HASH_START;
    for (int i = 0; i < l->units * l->sps; i++) {
        const struct unit *u = &l->unit[i / l->sps];
        for (uint32_t c = 0; l->wanted[i] && c < u->faults->count; c++) {
            char id[UNIT_ID];
            if (!l->wanted[i][c])
                continue;
            unit_fault_id(u, of_sp(l) ? i % l->sps : -1, u->faults->fault[c], id);
            digest = fl_hash_bytes(digest, id, strlen(id));
            count++;
        }
    }
    fl_buf_printf(out, " list=%llu,%016llx", (unsigned long long)count, (unsigned long long)digest);
}
