/* units.c -- the units of the control as gates. faultsim has the same names; a test compares the two lists. */
#include "gates.h"

#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"

static const struct {
    const char *name, *group;
} units[GATES_UNITS] = {
    {"sched", "control"},
    {"decode", "control"},
    {"uop", "control"},
    {"flow", "control"},
    {"ccrf", "ports"},
    {"arf", "ports"},
    {"warp_state", "ports"},
    {"dmu", "ports"},
    {"smem", "ports"},
    {"slot", "pipeline"},
    {"pipe", "pipeline"},
    {"rf", "operands"},
    {"execute_select", "operands"},
    {"execute_result", "operands"},
    {"lsu_addr", "lsu"},
    {"lsu_check", "lsu"},
    {"lsu_transactions", "lsu"},
    {"lsu_passes", "lsu"},
    {"lsu_data", "lsu"},
    {"lsu_queue", "lsu"},
    {"writeback", "operands"},
    {"block_barrier", "blocks"},
    {"block_place", "blocks"},
    {"block_next", "blocks"},
};

const char *gates_unit_name(int unit)
{
    return units[unit].name;
}

const char *gates_unit_group(int unit)
{
    return units[unit].group;
}

char *gates_unit_list(uint32_t mask, const char *between)
{
    struct fl_buf text = {0};
    for (int i = 0; i < GATES_UNITS; i++)
        if (mask >> i & 1)
            fl_buf_printf(&text, "%s%s", text.size ? between : "", units[i].name);
    fl_buf_add(&text, "", 1);
    return (char *)text.data;
}

uint32_t gates_units(const char *list, struct fl_err *err)
{
    char *copy = fl_strdup(list), *rest = copy;
    uint32_t mask = 0;
    bool bad = false;
    for (char *name; !bad && (name = strsep(&rest, ","));) {
        struct fl_nearest meant = {.typed = name};
        uint32_t named = 0;
        for (int i = 0; i < GATES_UNITS; i++) {
            fl_nearest_try(&meant, units[i].name, NULL);
            fl_nearest_try(&meant, units[i].group, NULL);
            if (fl_same_name(name, units[i].name) || strcmp(name, units[i].group) == 0 ||
                strcmp(name, "all") == 0)
                named |= 1u << i;
        }
        bad = !named;
        if (bad) {
            char *all = gates_unit_list(UINT32_MAX, ", ");
            fl_fail(err,
                    "--gates: the control has no unit '%s'%s; use %s, or control, ports, pipeline, "
                    "operands, lsu, blocks or all",
                    name, meant.hint, all);
            free(all);
        }
        mask |= named;
    }
    free(copy);
    return bad ? 0 : mask;
}
