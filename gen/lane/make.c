/* make.c -- from files of groups to a program's files: what sbstgen --unit of a lane's unit does. */
#include "lane.h"

#include <stdlib.h>
#include <string.h>

#include "base/xml.h"

/* As faultsim and files of groups have them. */
static const char *const units[LANE_MAX_UNITS] = {"alu_int", "alu_fp", "alu_cvt", "sfu"};

const char *lane_unit_name(int unit)
{
    return units[unit];
}

const char *lane_unit(const char *name)
{
    for (int i = 0; i < LANE_MAX_UNITS; i++)
        if (fl_same_name(name, units[i]))
            return units[i];
    if (strcmp(name, "cvt") == 0) /* its name in earlier versions */
        return "alu_cvt";
    return strcmp(name, "lane") == 0 ? "lane" : NULL;
}

/* All that is open. */
struct work {
    struct lane_groups *groups[LANE_MAX_UNITS];
    int n;
    struct sbst_machine machine;
    struct lane_program program;
};

/* The files of groups, in the order of the units. */
static int load(const struct lane_options *o, struct work *w, struct fl_err *err)
{
    char *copy = fl_strdup(o->groups), *rest = copy;
    struct lane_groups *of[LANE_MAX_UNITS] = {NULL};
    int bad = 0;
    for (char *path; !bad && (path = strsep(&rest, ","));) {
        struct lane_groups *one = NULL;
        bad = lane_groups_load(path, &one, err);
        for (int i = 0; i < LANE_MAX_UNITS && one; i++)
            if (strcmp(one->unit, units[i]) == 0 && !of[i] &&
                (strcmp(o->unit, units[i]) == 0 || strcmp(o->unit, "lane") == 0)) {
                of[i] = one;
                one = NULL;
            }
        if (one)
            bad = fl_fail(err,
                          "%s: these groups of %s are not for --unit %s, or another file has them "
                          "already; leave the file out",
                          path, one->unit, o->unit);
        lane_groups_free(one);
    }
    for (int i = 0; i < LANE_MAX_UNITS; i++)
        if (of[i])
            w->groups[w->n++] = of[i];
    for (int i = 0; i < w->n && o->left && !bad; i++) {
        bad = lane_groups_left(w->groups[i], o->left, err) < 0;
        lane_groups_suffice(w->groups[i], o->enough);
    }
    free(copy);
    return bad;
}

static void print(const struct lane_program *p, const char *dir, struct fl_buf *out)
{
    int groups = 0, instructions = 0;
    for (int i = 0; i < p->launches; i++) {
        groups += p->launch[i].count;
        instructions += p->launch[i].instructions;
    }
    fl_buf_printf(out,
                  "%s/%s: .cubin .job.xml .sasm .lst, %d launch%s, %d groups, %d instructions, %d "
                  "bytes, %d executed\n",
                  dir, p->name, p->launches, p->launches == 1 ? "" : "es", groups, instructions,
                  8 * instructions, lane_executed(p));
}

int lane_make(const struct lane_options *o, struct fl_buf *report, struct fl_err *err)
{
    struct work w = {.n = 0};
    char *root = xml_data_folder();
    int status = 0;
    if (load(o, &w, err) != 0)
        status = 1;
    else if (sbst_machine_load(root, o->profile ? o->profile : "g80", &w.machine, err) != 0 ||
             lane_compose((const struct lane_groups *const *)w.groups, w.n, o->unit, o->warps,
                          &w.machine, &w.program, err) != 0)
        status = 2;
    else if (lane_write_files(&w.program, o->dir, o->read, err) != 0)
        status = 1;
    else
        print(&w.program, o->dir, report);
    lane_program_free(&w.program);
    sbst_machine_free(&w.machine);
    for (int i = 0; i < w.n; i++)
        lane_groups_free(w.groups[i]);
    free(root);
    return status;
}
