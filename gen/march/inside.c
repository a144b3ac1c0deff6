/* inside.c -- the test of a memory as macros for the middle of a kernel, which goes on as if nothing
 * had happened.
 *
 * Whatever the test overwrites is kept in the thread's local memory and given back: its instructions
 * take an address that is in the code, so they need no register to begin with. Nobody knows his
 * number in the middle of a kernel, since only the start has it in R0: a first macro keeps it, too.
 * Names of constants get the macro's before them, so that several tests fit into one kernel.
 */
#include "internal.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/sasm/sasm.h"

enum { FLAGS = 4, ADDRESSES = 4 };

/* sbst_rf, sbst_rf_part02 */
static char *macro_name(const struct march_program *p)
{
    const struct march_request *r = &p->request;
    return r->part ? fl_format("sbst_%s_part%02d", r->unit->name, r->part)
                   : fl_format("sbst_%s", r->unit->name);
}

static bool in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Whether a .const or .shared of the unit has this name. */
static bool is_ours(const struct march_unit *u, const char *name, size_t length)
{
    for (const char *s = u->constants; s && (s = strchr(s, '.')); s++) {
        size_t skip = strncmp(s, ".const ", 7) == 0 ? 7 : strncmp(s, ".shared ", 8) == 0 ? 8 : 0;
        if (skip && strncmp(s + skip, name, length) == 0 && s[skip + length] == ',')
            return true;
    }
    return false;
}

/* A line of the unit as it stands in a macro. */
void march_rename(const struct march_program *p, const char *line, struct fl_buf *out)
{
    char *macro = macro_name(p);
    const char *exit = strstr(line, ".EXIT");
    if (strncmp(line, ".local", 6) == 0 || strncmp(line, ".shared", 7) == 0)
        line += strlen(line); /* the kernel's own */
    while (*line) {
        size_t n = 0;
        while (in_name(line[n]))
            n++;
        if (line == exit) { /* it goes on */
            line += strlen(".EXIT");
            continue;
        }
        if (n == 3 && strncmp(line, "OUT", n) == 0)
            fl_buf_printf(out, "\\out");
        else if (n && is_ours(p->request.unit, line, n))
            fl_buf_printf(out, "%s_%.*s", macro, (int)n, line);
        else
            fl_buf_add(out, line, n ? n : 1);
        line += n ? n : 1;
    }
    free(macro);
}

/* ---- what is kept ---------------------------------------------------------------------------- */

/* One instruction, or none. */
static int keep(struct march_program *p, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
static int keep(struct march_program *p, const char *fmt, ...)
{
    char line[64];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    fl_buf_printf(&p->source, "    %s\n", line);
    p->accesses += strncmp(line, "LST", 3) == 0 || strncmp(line, "LLD", 3) == 0;
    return 1;
}

/* The words in local memory, behind the thread's number: registers, flags, address registers, cells. */
static int place(const struct march_program *p, int cell)
{
    return 4 * (1 + p->regs + FLAGS + ADDRESSES + cell);
}

static int save(struct march_program *p)
{
    int count = 0;
    fl_buf_printf(&p->source, "\n    // saved: registers, flags, address registers\n");
    for (int i = 0; i < p->regs; i++)
        count += keep(p, "LST.U32 local[\\at+%d], R%d", 4 * (1 + i), i);
    for (int i = 0; i < FLAGS + ADDRESSES; i++) {
        count += i < FLAGS ? keep(p, "C2R R0, C%d", i) : keep(p, "A2R R0, A%d", i - FLAGS + 1);
        count += keep(p, "LST.U32 local[\\at+%d], R0", 4 * (1 + p->regs + i));
    }
    return count + keep(p, "LLD.U32 R0, local[\\at]");
}

static int give_back(struct march_program *p)
{
    int count = 0;
    fl_buf_printf(&p->source, "\n    // given back: flags, address registers, registers\n");
    for (int i = 0; i < FLAGS + ADDRESSES; i++) {
        count += keep(p, "LLD.U32 R0, local[\\at+%d]", 4 * (1 + p->regs + i));
        count += i < FLAGS ? keep(p, "R2C C%d, R0", i) : keep(p, "R2A A%d, R0", i - FLAGS + 1);
    }
    for (int i = 0; i < p->regs; i++)
        count += keep(p, "LLD.U32 R%d, local[\\at+%d]", i, 4 * (1 + i));
    return count;
}

/* Cells that are no registers or flags: how many instructions, or -1. */
static int cells(struct march_program *p, bool back, struct fl_err *err)
{
    const struct march_unit *u = p->request.unit;
    struct march_names n = {.p = p, .y = u->through};
    int count = 0;
    if (!u->fetch)
        return 0;
    fl_buf_printf(&p->source, "\n    // %s: the memory\n", back ? "given back" : "saved");
    for (n.cell = 0; n.cell < p->cells; n.cell++) {
        if (back)
            count += keep(p, "LLD.U32 %s, local[\\at+%d]", u->through, place(p, n.cell));
        int lines = march_write_lines(p, &n, back ? u->write : u->fetch, false, err);
        if (lines < 0)
            return -1;
        count += lines;
        if (!back)
            count += keep(p, "LST.U32 local[\\at+%d], %s", place(p, n.cell), u->through);
    }
    return count;
}

static int barrier(struct march_program *p)
{
    p->barriers += p->warps > 1;
    return p->warps > 1 ? keep(p, "BAR.ARV.WAIT b0, 0xfff") : 0;
}

/* ---- the macros ------------------------------------------------------------------------------ */

static void write_head(struct march_program *p, const char *macro)
{
    const struct march_unit *u = p->request.unit;
    fl_buf_printf(
        &p->source,
        "// %s.sasm -- %s, in the middle of a kernel.\n// Made by: %s\n//\n"
        "//     .include \"%s.sasm\"\n"
        "//         %s_begin AT          // first in the kernel: keeps R0, the thread's number\n"
        "//         %s PARAMETER, AT     // where all threads of the block are\n"
        "//\n"
        "// The kernel runs in %d block%s of %d threads with %d registers each%s.\n"
        "// Bytes AT to AT + %d of its local memory belong to the macros. Thread i leaves\n"
        "// (i << 16) + 0x%08x in word i of the buffer to which PARAMETER points.\n//\n"
        "// The test %s.\n"
        "// Saved and given back: R0 to R%d, flags C0 to C3, $a1 to $a4%s%s.\n"
        "// Nothing is pushed or popped.\n\n"
        ".equ %s_local, %d\n.equ %s_regs, %d\n.equ %s_block, %d\n.equ %s_grid, %d\n",
        p->name, p->about, p->command, p->name, macro, macro, p->blocks, p->blocks == 1 ? "" : "s",
        p->warps * SBST_LANES, p->regs,
        u->fills == MARCH_SHARED ? ", and has all of shared memory" : "", p->saved - 1,
        march_expect(p, 0), u->saves ? u->saves : "overwrites what it tests", p->regs - 1,
        u->fetch ? ", " : "", u->fetch ? u->title : "", macro, p->saved, macro, p->regs, macro,
        p->warps * SBST_LANES, macro, p->blocks);
}

/* The macros assemble, in a kernel that has nothing else, to as many instructions as were counted. */
static int try_macros(const struct march_program *p, const char *macro, struct fl_err *err)
{
    char *name = fl_format("%s.sasm", p->name);
    char *text = fl_format("%.*s.kernel trial\n.param ptr OUT\n.local 1024\n    %s_begin 512\n    "
                           "%s OUT, 512\n    NOP.EXIT\n",
                           (int)p->source.size, (char *)p->source.data, macro, macro);
    struct cubin *cubin = NULL;
    int bad = sasm_assemble(name, text, &cubin, err);
    if (cubin)
        cubin_free(cubin);
    free(name);
    free(text);
    return bad;
}

int march_write_inside(struct march_program *p, struct fl_err *err)
{
    const struct march_unit *u = p->request.unit;
    struct march_names n = {.p = p};
    char *macro = macro_name(p);
    p->saved = place(p, u->fetch ? p->cells : 0);
    write_head(p, macro);
    fl_buf_printf(&p->source, "\n.macro %s_begin at\n", macro);
    int bad = march_write_lines(p, &n, u->constants, true, err) < 0;
    fl_buf_printf(&p->source, "    LST.U32 local[\\at], R0\n.endm\n\n.macro %s out, at\n", macro);
    p->begin = save(p);
    int begin = bad ? -1 : march_write_lines(p, &n, u->begin, true, err);
    int saved = begin < 0 ? -1 : cells(p, false, err);
    bad = saved < 0 || march_write_body(p, err) != 0;
    p->begin += begin + saved;
    fl_buf_printf(&p->source, "\n    // the result\n");
    p->end = bad ? -1 : march_write_lines(p, &n, u->end, true, err);
    int back = p->end < 0 ? -1 : cells(p, true, err);
    bad = back < 0;
    p->end += back + give_back(p) + barrier(p);
    fl_buf_printf(&p->source, ".endm\n");
    bad = bad || try_macros(p, macro, err) != 0;
    free(macro);
    return bad ? -1 : 0;
}

int march_write_macros(const struct march_program *p, int count, const char *dir,
                       const struct fl_files *read, struct fl_err *err)
{
    char **name = fl_alloc((size_t)count * sizeof *name);
    for (int i = 0; i < count; i++)
        name[i] = fl_format("%s.sasm", p[i].name);
    int bad = sbst_make_folder(dir, err) != 0 ||
              sbst_check_outputs(dir, name, count, read, err) != 0;
    for (int i = 0; i < count; i++) {
        char *path = fl_format("%s/%s", dir, name[i]);
        bad = bad || fl_write_file(path, p[i].source.data, p[i].source.size, err) != 0;
        free(path);
        free(name[i]);
    }
    free(name);
    return bad ? -1 : 0;
}
