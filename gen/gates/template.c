/* template.c -- a template of sbst/gates/ for a profile and a seed: one kernel, which a job launches in several shapes. */
#include "gates.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "asm/isa/table.h"
#include "asm/sasm/sasm.h"
#include "base/random.h"

struct shape {
    int blocks, warps, threads, grid; /* resident; warps and threads of a block; all blocks */
    int parameters, shared; /* words of parameters; bytes of a block, 0: those of the kernel */
};

static struct shape shape_of(const struct gates_shape *s, const struct sbst_machine *m)
{
    int blocks = s->blocks < m->blocks ? s->blocks : m->blocks;
    while (blocks > 1 && sbst_resident_warps(m, blocks) == 0)
        blocks--;
    int most = sbst_resident_warps(m, blocks);
    int warps = s->warps && s->warps < most ? s->warps : most;
    int share = (m->shared_bytes / blocks) & ~15;
    return (struct shape){.blocks = blocks,
                          .warps = warps,
                          .threads = SBST_LANES * warps - s->less,
                          .grid = blocks * s->waves,
                          .parameters = s->parameters,
                          .shared = s->shared < share ? s->shared : share};
}

/* Of a block: a little less than its share, so that blocks begin at odd places. */
static int shared_bytes(const struct gates_row *row, const struct sbst_machine *m)
{
    int blocks = 1;
    for (int i = 0; i < row->shapes; i++)
        if (shape_of(&row->shape[i], m).blocks > blocks)
            blocks = shape_of(&row->shape[i], m).blocks;
    return blocks == 1 ? m->shared_bytes : (m->shared_bytes / blocks - 1) & ~15;
}

/* The machine, in the names that files of templates use. */
static void write_names(const struct gates_program *p, int parameters, struct fl_buf *out)
{
    const struct sbst_machine *m = p->machine;
    uint64_t state = gates_random(p->row, p->seed);
    const struct {
        const char *name;
        uint32_t value;
        const char *what;
    } names[] = {
        {"SEED", (uint32_t)(fl_random(&state) >> 32), "random"},
        {"SALT", (uint32_t)(fl_random(&state) >> 32), "random"},
        {"ENTRIES", (uint32_t)m->stack_entries, "line-entries of a stack"},
        {"SPILL", (uint32_t)m->stack_spill, "entries behind them"},
        {"EXITS", (uint32_t)m->exit_ends, "an exit ends threads"},
        {"BITS", (uint32_t)m->code_bits, "of a code address"},
        {"SHARED", (uint32_t)shared_bytes(p->row, m), "bytes of shared memory of a block"},
        {"PARAMETERS", (uint32_t)parameters, "words behind OUT"},
        {"TEXTURES", p->row->textures, "a bit for each unit with a texture"},
        {"VARIANT", (uint32_t)p->variant, "of a program that must trap"},
    };
    const size_t count = sizeof names / sizeof names[0] - !p->trap;
    for (size_t k = 0; k < count; k++)
        fl_buf_printf(out, ".equ %s, 0x%x // %s\n", names[k].name, names[k].value, names[k].what);
}

/* As many as a template wants and shared memory has room for beside the header and the signature's address. */
static int parameters_of(const struct gates_row *row, const struct sbst_machine *m)
{
    int room = (shared_bytes(row, m) - 16) / 4 - 1 - row->buffers;
    return row->parameters < room ? row->parameters : room;
}

/* Up to the text of the template's file. */
static void write_head(const struct gates_program *p, int parameters, struct fl_buf *out)
{
    fl_buf_printf(out, "\n.kernel test\n.param ptr OUT // a signature of each thread\n");
    for (int i = 0; i < p->row->buffers; i++) {
        fl_buf_printf(out, ".param ptr ");
        for (const char *c = p->row->buffer[i].name; *c; c++)
            fl_buf_printf(out, "%c", toupper((unsigned char)*c));
        fl_buf_printf(out, "\n");
    }
    for (int i = 1; i <= parameters; i++)
        fl_buf_printf(out, ".param u32 P%d\n", i);
    write_names(p, parameters, out);
}

/* ---- launches ---------------------------------------------------------------------------------------------------- */

static void write_launch(struct gates_program *p, int i, int parameters, uint64_t *random)
{
    struct shape s = shape_of(&p->row->shape[i], p->machine);
    uint64_t words = *random;
    fl_buf_printf(&p->job, "  <launch kernel=\"test\" grid=\"%d\" block=\"%d\"", s.grid, s.threads);
    if (s.shared > p->shared)
        fl_buf_printf(&p->job, " shared=\"%d\"", s.shared - p->shared);
    if (p->trap)
        fl_buf_printf(&p->job, " trap=\"%s\"", p->trap);
    fl_buf_printf(&p->job, ">\n    <param name=\"OUT\" buffer=\"out%d\"/>\n", i + 1);
    for (int k = 0; k < p->row->buffers; k++) {
        const char *name = p->row->buffer[k].name;
        fl_buf_printf(&p->job, "    <param offset=\"0x%x\" buffer=\"%s\"/>\n", 0x14 + 4 * k, name);
    }
    for (int k = 1; k <= parameters; k++) { /* every second launch has the complements */
        uint32_t word = (uint32_t)(fl_random(&words) >> 32) ^ (i % 2 ? UINT32_MAX : 0);
        if (k <= s.parameters)
            fl_buf_printf(&p->job, "    <param name=\"P%d\" u32=\"0x%x\"/>\n", k, word);
    }
    fl_buf_printf(&p->job, "  </launch>\n");
    if (i % 2)
        *random = words;
}

static void write_job(struct gates_program *p, int parameters)
{
    const struct gates_row *row = p->row;
    uint64_t random = ~gates_random(row, p->seed);
    for (int i = 0; i < row->shapes; i++) {
        struct shape s = shape_of(&row->shape[i], p->machine);
        fl_buf_printf(
            &p->job, "  <buffer name=\"out%d\" size=\"%d\" fill=\"0xffffffff\"/>\n", i + 1,
            4 * s.grid * SBST_LANES * s.warps); /* lanes that a warp lacks leave it as it is */
    }
    for (int i = 0; i < row->buffers; i++)
        fl_buf_printf(&p->job,
                      "  <buffer name=\"%s\" size=\"%u\" address=\"0x%x\"><random type=\"u32\" "
                      "seed=\"%u\"/></buffer>\n",
                      row->buffer[i].name, row->buffer[i].bytes, row->buffer[i].address,
                      p->seed + (uint32_t)i);
    if (row->textures)
        gates_write_textures(&p->job, p->seed, row->textures);
    if (row->constants)
        gates_write_constants(&p->job, p->seed, 0);
    for (int i = 0; i < row->shapes; i++)
        write_launch(p, i, parameters, &random);
    for (int i = 0; i < row->shapes && !p->trap; i++)
        fl_buf_printf(&p->job, "  <output name=\"out%d\" buffer=\"out%d\"/>\n", i + 1, i + 1);
    for (int i = 0; i < row->buffers; i++)
        fl_buf_printf(&p->job, "  <output name=\"%s\" buffer=\"%s\"/>\n", row->buffer[i].name,
                      row->buffer[i].name);
}

/* ---- occupancy --------------------------------------------------------------------------------------------------- */

/* Do the registers of the kernel let all warps of a launch be resident at once? */
static int check_registers(const struct gates_program *p, int registers, struct fl_err *err)
{
    const struct sbst_machine *m = p->machine;
    for (int i = 0; i < p->row->shapes; i++) {
        struct shape s = shape_of(&p->row->shape[i], m);
        int warps = s.blocks * s.warps, rows = m->regs / SBST_LANES;
        if (p->row->full && registers * warps > rows)
            return fl_fail(err,
                           "sbst/gates.xml: template %s has %d registers a thread, so profile %s "
                           "runs %d of its %d warps at once; use %d registers or fewer, or leave "
                           "full=\"yes\" out",
                           p->row->name, registers, m->profile, rows / registers, warps,
                           rows / warps);
    }
    return 0;
}

/* Assembles it with the files of the library in their places, so that a mistake is told with its file and line, and takes
 * its sizes. */
static int check_code(const struct gates_library *lib, const char *root, struct gates_program *p,
                      int parameters, struct fl_err *err)
{
    struct cubin *cubin = NULL;
    struct fl_buf text = {0};
    fl_buf_printf(&text, ".include \"%s\"\n", lib->common_file);
    write_head(p, parameters, &text);
    fl_buf_printf(&text, ".include \"%s\"\n", p->row->file);
    fl_buf_add(&text, "", 1);
    char *path = fl_format("%s/sbst/gates/%s.sasm", root, p->name);
    int bad = sasm_assemble(path, (const char *)text.data, &cubin, err);
    free(path);
    fl_buf_free(&text);
    if (bad)
        return -1;
    const struct cubin_kernel *k = &cubin->kernel[0];
    for (int c = 0; c < k->ncode; c++)
        p->bytes += (int)k->code[c].size;
    p->instructions = p->bytes / 8;
    p->shared = (int)k->shared_bytes;
    bad = check_registers(p, k->regs, err);
    cubin_free(cubin);
    return bad;
}

/* Its name has the number, where there are several. */
static void name_it(struct gates_program *p, int number)
{
    char *units = gates_unit_list(p->row->units, ",");
    p->name = number ? fl_format("gates-%s-%d-s%u", p->row->name, number, p->seed)
                     : fl_format("gates-%s-s%u", p->row->name, p->seed);
    p->about = fl_format("self-test of the gates of the control: %s", p->row->title);
    p->command = fl_format("sbstgen --gates %s%s --seed %u --profile %s", units,
                           p->trap ? " --traps" : "", p->seed, p->machine->profile);
    free(units);
}

int gates_template(const struct gates_library *lib, const char *root, const struct gates_row *row,
                   const struct sbst_machine *machine, uint32_t seed, int variant,
                   struct gates_program *out, struct fl_err *err)
{
    int parameters = parameters_of(row, machine);
    *out = (struct gates_program){.row = row,
                                  .machine = machine,
                                  .seed = seed,
                                  .launches = row->shapes,
                                  .trap = row->trap,
                                  .variant = variant};
    name_it(out, row->variants > 1 ? variant + 1 : 0);
    fl_buf_printf(&out->source, "// %s.sasm -- %s.\n// Made by: %s\n\n%s", out->name, out->about,
                  out->command, lib->common);
    write_head(out, parameters, &out->source);
    fl_buf_printf(&out->source, "%s", row->text);
    int bad = check_code(lib, root, out, parameters, err);
    if (bad)
        gates_program_free(out);
    else
        write_job(out, parameters);
    return bad;
}

/* ---- witnesses that trap ----------------------------------------------------------------------------------------- */

static const char *trap_of(const struct gates_witness *w, const struct sbst_machine *m)
{
    struct isa_insn in;
    if (!isa_decode(w->lo, w->hi, m->code_bits == 32, ISA_1_0, &in))
        return "ILLEGAL_INSTRUCTION";
    switch ((enum isa_op)in.op) {
    case OP_TRAP: return "TRAP_INSTRUCTION";
    case OP_QUADOP:
    case OP_QUADON:
    case OP_QUADPOP:
    case OP_PMTRIG: return "UNSUPPORTED_INSTRUCTION";
    default: return NULL;
    }
}

bool gates_trap(const struct gates_row *row, const struct sbst_machine *machine, uint32_t seed,
                const struct gates_rows *rows, int witness, struct gates_program *out)
{
    enum { MOVE = 0x10008000 /* R0 to itself */ };
    const struct gates_witness *w = &rows->row[witness];
    const bool one_word = !(w->lo & 1);
    *out = (struct gates_program){.row = row,
                                  .machine = machine,
                                  .seed = seed,
                                  .launches = 1,
                                  .trap = trap_of(w, machine),
                                  .instructions = 2,
                                  .bytes = 16};
    if (!out->trap)
        return false;
    name_it(out, witness + 1);
    fl_buf_printf(&out->source, "// %s.sasm -- %s.\n// Made by: %s\n\n.kernel test\n", out->name,
                  out->about, out->command);
    fl_buf_printf(&out->source, ".words 0x%x, 0x%x\n%s\n", w->lo, one_word ? MOVE : w->hi,
                  machine->exit_ends ? "NOP.EXIT" : "RET");
    fl_buf_printf(&out->job, "  <launch kernel=\"test\" grid=\"1\" block=\"%d\" trap=\"%s\"/>\n",
                  SBST_LANES, out->trap);
    return true;
}
