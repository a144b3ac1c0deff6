/* compose.c -- a march printed through the row of a unit: which warps fill the memory, which passes
 * there are, and the text of each operation. */
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- who fills the memory -------------------------------------------------------------------- */

/* Cells of each of `n` warps; 0: they do not come out even, or are too few or too many. */
static int cells_of(const struct march_unit *u, const struct sbst_machine *m, int n)
{
    int rows = u->fills == MARCH_REGISTERS ? m->regs / SBST_LANES
               : u->fills == MARCH_SHARED  ? m->shared_bytes / (4 * SBST_LANES)
                                           : n * u->cells;
    int cells = rows % n ? 0 : rows / n;
    return cells >= u->least && cells <= u->most ? cells : 0;
}

/* Whether `n` warps in `blocks` blocks are resident at once. */
static bool resident(const struct march_unit *u, const struct sbst_machine *m, int n, int blocks)
{
    int threads = n / blocks * SBST_LANES;
    int regs = u->regs ? u->regs : cells_of(u, m, n);
    return n % blocks == 0 && blocks <= m->blocks && threads <= m->block_threads &&
           threads * blocks <= m->threads && regs * threads * blocks <= m->regs;
}

static int choose_shape(struct march_program *p, struct fl_err *err)
{
    const struct march_unit *u = p->request.unit;
    const struct sbst_machine *m = p->machine;
    int least = u->fills == MARCH_WARPS ? m->warps : 1;
    int blocks = u->fills == MARCH_SHARED ? 1 : m->blocks; /* shared memory is a block's */
    for (int n = m->warps; n >= least; n--)
        for (int b = 1; b <= blocks; b++)
            if (cells_of(u, m, n) && resident(u, m, n, b)) {
                p->blocks = b;
                p->warps = n / b;
                p->cells = cells_of(u, m, n);
                p->regs = u->regs ? u->regs : p->cells;
                return 0;
            }
    return fl_fail(err,
                   "--unit %s: no number of warps of profile %s fills it with %d to %d cells each; "
                   "choose another profile",
                   u->name, m->profile, u->least, u->most);
}

bool march_fills(const struct march_unit *unit, const struct sbst_machine *machine)
{
    struct march_program p = {.machine = machine, .request = {.unit = unit}};
    struct fl_err none;
    return choose_shape(&p, &none) == 0;
}

/* ---- passes ---------------------------------------------------------------------------------- */

static void append(struct march_program *p, const struct march *m, int pass, int data)
{
    for (int i = 0; i < m->nelements; i++) {
        struct march_element e = m->element[i];
        for (int j = 0; j < e.nsteps; j++)
            e.step[j].data = data;
        struct march_element *last = i || !p->nelements ? NULL : &p->element[p->nelements - 1];
        /* what the last pass reads at its end, this one writes: in one go */
        if (last && last->order == MARCH_ANY && e.order == MARCH_ANY && e.nsteps == 1 &&
            p->request.unit->data[data].plain) {
            last->step[last->nsteps++] = e.step[0];
        } else {
            p->pass_of[p->nelements] = pass;
            p->element[p->nelements++] = e;
        }
    }
}

static void list_elements(struct march_program *p)
{
    const struct march_unit *u = p->request.unit;
    const struct march_request *r = &p->request;
    for (int i = r->first_pass; i < (r->passes ? r->first_pass + r->passes : u->npasses); i++) {
        const struct march_pass *pass = &u->pass[i];
        if (!pass->march || !p->request.alone)
            append(p, pass->march ? march_find(p->lib, pass->march) : p->request.march, i,
                   pass->data);
    }
}

/* ---- text ------------------------------------------------------------------------------------ */

/* As many warps keep the pipeline full. A read then finds what the third warp before it read, so
 * bits that alternate by threes show stuck-open cells: docs/explain/sbst-units.md. */
enum { STAGES = 5, THIRDS = 0x38e38e38 };

static int number_of(const struct march_names *n, const char *name, size_t length, int *value)
{
    const struct march_program *p = n->p;
    int full = p->blocks * p->warps >= STAGES;
    const struct {
        const char *name;
        int value;
    } numbers[] = {{"k", n->cell},
                   {"f", n->flag},
                   {"full", full},
                   {"thirds", full ? THIRDS : 0},
                   {"odd", full ? 0 : n->cell % 2},
                   {"cells", p->cells},
                   {"warps", p->warps},
                   {"threads", p->warps * SBST_LANES},
                   {"blocks", p->blocks},
                   {"part", p->request.part},
                   {"shared", p->machine->shared_bytes},
                   {"sms", p->machine->sms}};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (strlen(numbers[i].name) == length && strncmp(name, numbers[i].name, length) == 0) {
            *value = numbers[i].value;
            return 0;
        }
    return -1;
}

/* Of each warp: a number for each cell, beside its complement, so that any two differ both ways; then the columns, those of odd
 * warps the other way round, where as many warps are there as it takes. */
static void write_table(const struct march_program *p, struct fl_buf *out)
{
    int warps = p->blocks * p->warps;
    for (int w = 0; w < warps; w++) {
        uint32_t columns = warps >= STAGES && w % 2 ? 0xaaaaaaaa : 0x55555555;
        for (int k = 0; k < p->cells; k++) {
            uint32_t n = (uint32_t)(w * p->cells + k);
            fl_buf_printf(out, "0x%08x, ", n | ~n << 16);
        }
        fl_buf_printf(out, "0x%08x, 0x%08x, 0x%08x%s", columns, ~columns, columns,
                      w + 1 < warps ? ", " : "");
    }
}

static int fill_in(const struct march_names *n, const char *text, size_t length, struct fl_buf *out,
                   struct fl_err *err);

/* {x}, {y}, {table}, or a number and what is done to it, from left to right: {k/2+1}. */
static int write_brace(const struct march_names *n, const char *text, size_t length,
                       struct fl_buf *out, struct fl_err *err)
{
    const char *operand = length == 1 && *text == 'x'   ? n->x
                          : length == 1 && *text == 'y' ? n->y
                                                        : NULL;
    if (operand)
        return fill_in(n, operand, strlen(operand), out, err);
    if (length == 5 && strncmp(text, "table", length) == 0) {
        write_table(n->p, out);
        return 0;
    }
    size_t at = strcspn(text, "/%*+}");
    int value;
    if (number_of(n, text, at, &value) != 0)
        return fl_fail(err, "sbst/units.xml: unit '%s': nothing is called {%.*s}",
                       n->p->request.unit->name, (int)length, text);
    while (at < length) {
        int by = 0, used = 0;
        if (sscanf(text + at + 1, "%3d%n", &by, &used) != 1 || by < 1)
            return fl_fail(err, "sbst/units.xml: unit '%s': {%.*s} is no number",
                           n->p->request.unit->name, (int)length, text);
        value = text[at] == '/'   ? value / by
                : text[at] == '%' ? value % by
                : text[at] == '*' ? value * by
                                  : value + by;
        at += 1 + (size_t)used;
    }
    fl_buf_printf(out, "%d", value);
    return 0;
}

static int fill_in(const struct march_names *n, const char *text, size_t length, struct fl_buf *out,
                   struct fl_err *err)
{
    for (size_t i = 0; i < length; i++) {
        const char *end = text[i] == '{' ? memchr(text + i, '}', length - i) : NULL;
        if (!end) {
            fl_buf_add(out, text + i, 1);
            continue;
        }
        if (write_brace(n, text + i + 1, (size_t)(end - text) - i - 1, out, err) != 0)
            return -1;
        i = (size_t)(end - text);
    }
    return 0;
}

/* The lines of a part of a unit; those that name {k} once for each cell where `each`. Returns how
 * many are instructions, or -1. */
int march_write_lines(struct march_program *p, struct march_names *n, const char *text, bool each,
                      struct fl_err *err)
{
    static const char *const memory[] = {"GLD", "GST", "LLD", "LST"};
    int count = 0;
    for (const char *s = text; s && *s; s += strspn(s, "\n")) {
        s += strspn(s, " \t\r\n");
        size_t length = strcspn(s, "\n"), code = length;
        for (size_t i = 0; i + 1 < length; i++)
            if (s[i] == '/' && s[i + 1] == '/' && i < code)
                code = i;
        const char *k = length ? memmem(s, length, "{k", 2) : NULL;
        if (length && p->machine->sms == 1 && memmem(s, length, "{sms}", 5)) {
            s += length;
            continue;
        }
        for (int turn = 0; length && turn < (each && k ? p->cells : 1); turn++) {
            if (each)
                n->cell = turn;
            fl_buf_printf(&p->source, "    ");
            struct fl_buf line = {0};
            int bad = fill_in(n, s, length, &line, err);
            fl_buf_add(&line, "", 1);
            if (p->request.inside)
                march_rename(p, (char *)line.data, &p->source);
            else
                fl_buf_printf(&p->source, "%s", (char *)line.data);
            fl_buf_free(&line);
            if (bad)
                return -1;
            fl_buf_printf(&p->source, "\n");
            count += code && *s != '.';
            for (size_t i = 0; i < sizeof memory / sizeof memory[0]; i++)
                p->accesses += strncmp(s, memory[i], 3) == 0;
        }
        s += length;
    }
    return count;
}

/* One operation of an element, or a read and the write behind it in one. `*used` operations. */
static int write_step(struct march_program *p, const struct march_element *e, int i, int cell,
                      int *used, struct fl_err *err)
{
    const struct march_unit *u = p->request.unit;
    const struct march_step *s = &e->step[i], *next = i + 1 < e->nsteps ? s + 1 : NULL;
    const struct march_data *d = &u->data[s->data];
    struct march_names n = {p, cell, d->flag, d->value[s->value], d->value[s->value]};
    *used = 1;
    if (s->kind == MARCH_WRITE)
        return march_write_lines(p, &n, u->write, false, err);
    if (s->kind == MARCH_READ && next && next->kind == MARCH_WRITE && u->data[next->data].plain &&
        u->turn[next->value]) {
        *used = 2;
        return march_write_lines(p, &n, u->turn[next->value], false, err);
    }
    if (s->kind == MARCH_READ)
        return march_write_lines(p, &n, u->read, false, err);
    if (u->invert)
        return march_write_lines(p, &n, u->invert, false, err);
    int read = march_write_lines(p, &n, u->read, false, err);
    n.y = d->value[!s->value];
    int write = read < 0 ? -1 : march_write_lines(p, &n, u->write, false, err);
    return write < 0 ? -1 : read + write;
}

static int write_element(struct march_program *p, int index, struct fl_err *err)
{
    const struct march_element *e = &p->element[index];
    const struct march_request *r = &p->request;
    int cells = r->cells ? r->cells : p->cells, count = 0, used;
    for (int k = 0; k < cells; k++)
        for (int i = 0; i < e->nsteps; i += used) {
            int turn = e->order == MARCH_DOWN ? cells - 1 - k : k;
            int lines = write_step(p, e, i, (r->first_cell + turn) % p->cells, &used, err);
            if (lines < 0)
                return -1;
            count += lines;
        }
    return count;
}

int march_write_body(struct march_program *p, struct fl_err *err)
{
    const struct march_unit *u = p->request.unit;
    struct march_names n = {.p = p};
    for (int i = 0; i < p->nelements; i++) {
        const struct march_data *d = &u->data[u->pass[p->pass_of[i]].data];
        bool first = !i || p->pass_of[i] != p->pass_of[i - 1];
        fl_buf_printf(&p->source, p->request.inside ? "\n    // element %d: " : "\nelement%d: // ",
                      i + 1);
        march_element_text(&p->element[i], &p->source);
        fl_buf_printf(&p->source, ", %s\n", d->name);
        int setup = first ? march_write_lines(p, &n, d->setup, true, err) : 0;
        if (p->warps > 1)
            fl_buf_printf(&p->source, "    BAR.ARV.WAIT b0, 0xfff\n");
        p->barriers += p->warps > 1;
        int body = setup < 0 ? -1 : write_element(p, i, err);
        if (body < 0)
            return -1;
        p->body[i] = setup + (p->warps > 1) + body;
    }
    return 0;
}

static int write_source(struct march_program *p, struct fl_err *err)
{
    const struct march_unit *u = p->request.unit;
    struct march_names n = {.p = p};
    fl_buf_printf(&p->source,
                  "// %s.sasm -- %s.\n// Made by: %s\n\n.kernel test\n.param ptr OUT // a word of "
                  "each thread\n.regs %d\n",
                  p->name, p->about, p->command, p->regs);
    if (march_write_lines(p, &n, u->constants, true, err) < 0)
        return -1;
    fl_buf_printf(&p->source, "\n");
    p->begin = march_write_lines(p, &n, u->begin, true, err);
    if (p->begin < 0 || march_write_body(p, err) != 0)
        return -1;
    fl_buf_printf(&p->source, "\nend:\n");
    p->end = march_write_lines(p, &n, u->end, true, err);
    if (p->end > 0 && !p->machine->exit_ends)
        p->end += march_write_lines(p, &n, "RET", false, err);
    return p->end < 0 ? -1 : 0;
}

int march_compose(const struct march_library *lib, const struct sbst_machine *machine,
                  const struct march_request *request, struct march_program *out,
                  struct fl_err *err)
{
    const struct march *m = request->march;
    *out = (struct march_program){.lib = lib, .machine = machine, .request = *request};
    const char *inside = request->inside ? "-inside" : "";
    char *part = request->part ? fl_format("-part%02d", request->part) : fl_strdup("");
    const char *compare = request->compare ? "-compare" : "";
    out->name = fl_format("%s-%s%s%s%s%s", request->unit->name, m->file,
                          request->alone ? "-alone" : "", inside, compare, part);
    free(part);
    const struct sbst_budget *b = &request->budget;
    char *cycles = b->cycles ? fl_format(" --max-cycles %d", b->cycles) : fl_strdup("");
    char *bytes = b->bytes ? fl_format(" --max-bytes %d", b->bytes) : fl_strdup("");
    out->command = fl_format(
        "sbstgen --unit %s --march %s%s%s%s%s%s --profile %s", request->unit->name, m->name,
        request->alone ? " --alone" : "", request->inside ? " --inside" : "",
        request->compare ? " --compare-sms" : "", cycles, bytes, machine->profile);
    free(cycles);
    free(bytes);
    out->about = fl_format("%s on the %s", m->title, request->unit->title);
    int bad = choose_shape(out, err);
    if (!bad) {
        list_elements(out);
        bad = request->inside ? march_write_inside(out, err) : write_source(out, err);
    }
    if (bad)
        march_program_free(out);
    return bad;
}

void march_program_free(struct march_program *p)
{
    free(p->name);
    free(p->command);
    free(p->about);
    fl_buf_free(&p->source);
    *p = (struct march_program){0};
}

int march_instructions(const struct march_program *p)
{
    int n = p->begin + p->end;
    for (int i = 0; i < p->nelements; i++)
        n += p->body[i];
    return n;
}

int march_executed(const struct march_program *p)
{
    return march_instructions(p) * p->warps * p->blocks * p->machine->sms;
}

int march_bytes(const struct march_program *p)
{
    return 8 * march_instructions(p);
}

/* The barrel turns once for each instruction; a barrier empties it, an access lets everybody wait in the worst case, or as
 * long as all accesses take. docs/explain/sbst-units.md,
 * "Memories". */
int march_cycles(const struct march_program *p)
{
    const struct sbst_machine *m = p->machine;
    int slot = SBST_LANES / m->sps, warps = p->blocks * p->warps;
    int turn = (warps < STAGES ? STAGES : warps) * slot, port = 2 * m->global_transaction;
    int all = warps * m->sms * port,
        wait = m->global_latency + port; /* SMs share the way to memory */
    return march_instructions(p) * turn + p->barriers * STAGES * slot +
           p->accesses * ((wait > all ? wait : all) + STAGES * slot) + all + warps * slot + slot;
}
