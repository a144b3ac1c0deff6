/* make.c -- what sbstgen --gates does: the programs that the library has for the units. */
#include "gates.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/xml.h"

/* All that is open. */
struct work {
    struct gates_library *lib;
    bool hosted, traps;
    struct sbst_machine machine;
    struct gates_program *program;
    int programs;
    struct gates_rows rows;
    int without;        /* witnesses that no program can hold */
    struct fl_buf left; /* templates that a budget leaves out: only a run can time them */
};

/* A number from `least`, nothing else. */
static int read_number(const char *option, const char *text, uint64_t least, uint64_t most,
                       uint64_t *value, struct fl_err *err)
{
    char *end = NULL;
    errno = 0;
    if (!text)
        return 0;
    *value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end || errno || *value < least || *value > most)
        return fl_fail(err, "%s '%s' is not a number from %llu to %llu", option, text,
                       (unsigned long long)least, (unsigned long long)most);
    return 0;
}

/* Chips and caches are not supported. */
static int check_machine(const struct sbst_machine *m, struct fl_err *err)
{
    if (m->sms > 1)
        return fl_fail(err,
                       "--gates: profile %s has %d SMs, and the programs run on one; use a profile "
                       "of one SM, such as g80",
                       m->profile, m->sms);
    if (m->l1d.bytes || m->l2.bytes)
        return fl_fail(err,
                       "--gates: profile %s has caches, whose time the budgets do not have; use a "
                       "profile without caches, such as g80",
                       m->profile);
    return 0;
}

static int check_traps(const struct sbst_machine *m, struct fl_err *err)
{
    return m->exit_ends ? 0
                        : fl_fail(err,
                                  "--traps: on profile %s an exit ends no thread, and stacks trap "
                                  "otherwise; use a profile such as g80",
                                  m->profile);
}

/* Room for one more program. */
static struct gates_program *next(struct work *w)
{
    w->program = fl_grow(w->program, (size_t)w->programs + 1, sizeof *w->program);
    return &w->program[w->programs];
}

/* Programs of all witnesses. */
static int compose_rows(struct work *w, const struct gates_row *row, uint32_t seed, uint64_t cycles,
                        long *least, struct fl_err *err)
{
    int part = 1, bad = 0, wide = 0;
    while (wide < 2 && bad >= 0) { /* 1: too small a budget; the others may need even more */
        bad = gates_witnesses(row, &w->machine, seed, part, cycles ? (int)cycles : row->cycles,
                              wide, &w->rows, next(w), least, err);
        w->programs += !bad;
        part += !bad;
        wide += bad == 2;
    }
    for (int i = 0; i < w->rows.rows; i++)
        w->without += !w->rows.row[i].held;
    return bad;
}

/* All that the row has of programs that must trap. */
static int compose_traps(struct work *w, const char *root, const struct gates_row *row,
                         uint32_t seed, struct fl_err *err)
{
    for (int i = 0; row->witnesses && i < w->rows.rows; i++) {
        const bool traps = gates_trap(row, &w->machine, seed, &w->rows, i, next(w));
        w->programs += traps;
        w->without += !traps;
    }
    for (int i = 0; row->trap && i < row->variants; i++, w->programs++)
        if (gates_template(w->lib, root, row, &w->machine, seed, i, next(w), err) != 0)
            return -1;
    return 0;
}

static int compose(struct work *w, const char *root, uint32_t units, uint32_t seed, uint64_t cycles,
                   struct fl_err *err)
{
    long least = 0;
    for (int i = 0; i < w->lib->rows; i++) {
        struct gates_row *row = &w->lib->row[i];
        row->hosted = w->hosted && !row->text;
        if (!(row->units & units) || (row->trap && !w->traps))
            continue;
        if (w->traps) {
            if (compose_traps(w, root, row, seed, err) != 0)
                return -1;
            continue;
        }
        if (row->text && cycles) {
            fl_buf_printf(&w->left, "%s%s", w->left.size ? ", " : "", row->name);
            continue;
        }
        if (row->witnesses) {
            if (compose_rows(w, row, seed, cycles, &least, err) < 0)
                return -1;
            continue;
        }
        struct gates_program *p = next(w);
        int bad = row->text ? gates_template(w->lib, root, row, &w->machine, seed, 0, p, err)
                            : gates_mix(row, &w->machine, seed, cycles ? (int)cycles : row->cycles,
                                        p, &least, err);
        if (bad < 0)
            return -1;
        w->programs += !bad;
    }
    if (w->traps && !w->programs)
        return fl_fail(err, "--traps: no program of these units must trap; name others, or --rows");
    if (least)
        return fl_fail(err,
                       "a program for profile %s with this seed takes at least %ld cycles; use "
                       "--max-cycles %ld or more",
                       w->machine.profile, least, least);
    return 0;
}

static void print(const struct work *w, const char *dir, const char *manifest, struct fl_buf *out)
{
    for (int i = 0; i < w->programs; i++) {
        const struct gates_program *p = &w->program[i];
        fl_buf_printf(
            out, "%s/%s: .cubin .job.xml .sasm .lst, %d launch%s, %d instructions, %d bytes", dir,
            p->name, p->launches, p->launches == 1 ? "" : "es", p->instructions, p->bytes);
        if (p->cycles)
            fl_buf_printf(out, ", at most %ld cycles", p->cycles);
        fl_buf_printf(out, "\n");
    }
    if (w->without)
        fl_buf_printf(out, "%d of %d witnesses are left out: %s\n", w->without, w->rows.rows,
                      w->traps ? "they need not trap"
                               : "they trap, jump or end threads, or need registers or memory that "
                                 "the program keeps");
    if (w->left.size)
        fl_buf_printf(out, "left out, since only a run gives their cycles: %.*s\n",
                      (int)w->left.size, (char *)w->left.data);
    fl_buf_printf(out, "the programs and their units: %s\n", manifest);
}

int gates_make(const struct gates_options *o, struct fl_buf *report, struct fl_err *err)
{
    struct work w = {.hosted = o->hosted, .traps = o->traps};
    uint64_t number = 1, cycles = 0;
    uint32_t units = gates_units(o->units, err);
    if (!units || read_number("--seed", o->seed, 0, UINT32_MAX, &number, err) != 0 ||
        read_number("--max-cycles", o->max_cycles, 1, 1000000, &cycles, err) != 0)
        return 2;
    char *root = xml_data_folder();
    uint32_t seed = (uint32_t)number;
    char *manifest = fl_format("gates-%ss%u.programs.xml", o->traps ? "traps-" : "", seed);
    int status = 0;
    if (gates_library_load(root, &w.lib, err) != 0)
        status = 1;
    else if (sbst_machine_load(root, o->profile ? o->profile : "g80", &w.machine, err) != 0 ||
             check_machine(&w.machine, err) != 0 ||
             (w.traps && check_traps(&w.machine, err) != 0) ||
             (o->rows && gates_rows_load(o->rows, w.machine.profile, &w.rows, err) != 0) ||
             compose(&w, root, units, seed, cycles, err) != 0)
        status = 2;
    else if (gates_write(w.program, w.programs, manifest, units, o->dir, o->read, err) != 0)
        status = 1;
    else
        print(&w, o->dir, manifest, report);
    for (int i = 0; i < w.programs; i++)
        gates_program_free(&w.program[i]);
    free(w.program);
    fl_buf_free(&w.left);
    gates_rows_free(&w.rows);
    gates_library_free(w.lib);
    sbst_machine_free(&w.machine);
    free(manifest);
    free(root);
    return status;
}
