/* launch.c -- a launch as the files that the test bench of FlexGripPlus reads: program, memories,
 * parameters, and the words to expect. A simulation there is one launch, on memories that its files
 * fill.
 *
 * The test bench takes the program from the entity TP_instructions, word by word; c1[] begins at
 * byte 0 of its constant memory; the parameters are constants of its package pick_bench.
 * docs/reference/schedules.md has the table.
 */
#include "launch.h"

const char *const launch_file[LAUNCH_FILES] = {"program.hex", "TP_instructions.vhd",
                                               "constant_mem.mif", "global_mem.mif", "launch.txt"};

enum { WARP_BYTES = SBST_SIGNATURES * SBST_LANES * 4 };

static uint32_t word(const uint8_t *b)
{
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static void write_program(const struct cubin_code *c, struct fl_buf *out)
{
    for (uint32_t at = 0; at < c->size; at += 4)
        fl_buf_printf(out, "%08x\n", word(c->bytes + at));
}

static void write_entity(const struct sbst_program *p, const struct cubin_code *c,
                         struct fl_buf *out)
{
    fl_buf_printf(out,
                  "-- %s, one of its launches, as the program that the test bench loads.\n"
                  "-- Made by: %s\n"
                  "library ieee;\nuse ieee.std_logic_1164.all;\n\n"
                  "entity TP_instructions is\n"
                  "  port (instruction_pointer_in : in integer;\n"
                  "        num_instructions_out : out integer;\n"
                  "        instruction_out : out std_logic_vector(31 downto 0));\n"
                  "end entity;\n\n"
                  "architecture words of TP_instructions is\n"
                  "  type memory is array (0 to %u) of std_logic_vector(31 downto 0);\n"
                  "  constant code : memory := (\n",
                  p->name, p->command, c->size / 4 - 1);
    for (uint32_t at = 0; at < c->size; at += 4)
        fl_buf_printf(out, "    x\"%08x\"%s\n", word(c->bytes + at), at + 4 < c->size ? "," : ");");
    fl_buf_printf(out,
                  "begin\n"
                  "  num_instructions_out <= code'length;\n"
                  "  instruction_out <= code(instruction_pointer_in)\n"
                  "    when instruction_pointer_in >= 0 and instruction_pointer_in < code'length\n"
                  "    else (others => '0');\n"
                  "end architecture;\n");
}

static void write_bytes(const uint8_t *b, size_t size, struct fl_buf *out)
{
    for (size_t i = 0; i < size; i++)
        fl_buf_printf(out, "%02x\n", b[i]);
}

/* Zeros up to the outputs, then what a thread that stores nothing leaves. */
static void write_global(const struct sbst_program *p, int warps, struct fl_buf *out)
{
    for (uint32_t i = 0; i < p->target->buffer + (uint32_t)(warps * WARP_BYTES); i++)
        fl_buf_printf(out, i < p->target->buffer ? "00\n" : "ff\n");
}

static void write_parameters(const struct sbst_program *p, int number,
                             const struct cubin_kernel *code, struct fl_buf *out)
{
    const int sps = p->machine->sps, threads = SBST_LANES * sbst_block_warps(p);
    const uint32_t end = p->target->buffer + (uint32_t)(p->warps * WARP_BYTES);
    fl_buf_printf(out,
                  "# %s, launch %d of %d. Made by: %s\n#\n"
                  "# block        %d 1 1\n# grid         %d 1\n# registers    %d\n"
                  "# shared bytes %u\n# parameter 0  0x%08x, the address of the outputs\n#\n"
                  "# In configuration/pick_bench.vhd:\n"
                  "# BENCH_CORES             %d\n# BENCH_WARP_LANES        %d\n"
                  "# BENCH_APP               \"TP\"\n# BENCH_APP_INST          \"TP\"\n"
                  "# BENCH_K_BLKX            x\"%04x\"\n# BENCH_K_BLKY            x\"0001\"\n"
                  "# BENCH_K_BLKZ            x\"0001\"\n# BENCH_K_GRDX            x\"%04x\"\n"
                  "# BENCH_K_GRDY            x\"0001\"\n# BENCH_CMEM_PARAM_SIZE   \"000000\"\n"
                  "# BENCH_KERNEL_PARAM_SIZE x\"1\"\n# BENCH_KERNEL_GPRS       \"",
                  p->name, number, p->nkernels, p->command, threads, p->blocks, code->regs,
                  code->shared_bytes, p->target->buffer, sps, SBST_LANES / sps, threads, p->blocks);
    for (int bit = 8; bit >= 0; bit--)
        fl_buf_printf(out, "%d", code->regs >> bit & 1);
    fl_buf_printf(
        out,
        "\"\n# BENCH_KERNEL_SHMEM_SIZE x\"%08x\"\n# BENCH_DYN_SHMEM_SIZE    x\"00000000\"\n"
        "# BENCH_KREG0             x\"%08x\"\n"
        "# READ_DATA_SIZE          std_logic_vector(to_unsigned(%u, 18))\n#\n"
        "# Words to expect, address and word: for each warp spt[32], then chk[32].\n",
        code->shared_bytes, p->target->buffer, end / 4 - 1);
}

static void write_launch(const struct sbst_program *p, int number, const struct cubin_kernel *code,
                         struct fl_buf *out)
{
    const struct sbst_kernel *k = &p->kernel[number - 1];
    uint32_t at = p->target->buffer;
    write_parameters(p, number, code, out);
    for (int w = 0; w < p->warps; w++)
        for (int s = 0; s < SBST_SIGNATURES; s++)
            for (int t = 0; t < SBST_LANES; t++, at += 4)
                fl_buf_printf(out, "%05x %08x\n", at, k->output[s][t]);
}

int launch_write(const struct sbst_program *p, const struct cubin *cubin, int number,
                 enum launch_kind kind, struct fl_buf *out, struct fl_err *err)
{
    const char *name = p->kernel[number - 1].name;
    int index = cubin_find(cubin, name);
    if (index < 0)
        return fl_fail(err, "%s: the assembled code has no kernel '%s'", p->name, name);
    const struct cubin_kernel *code = &cubin->kernel[index];
    switch (kind) {
    case LAUNCH_PROGRAM: write_program(&code->code[0], out); break;
    case LAUNCH_ENTITY: write_entity(p, &code->code[0], out); break;
    case LAUNCH_CONSTANT: write_bytes(code->const1, code->const1_size, out); break;
    case LAUNCH_GLOBAL: write_global(p, p->blocks * sbst_block_warps(p), out); break;
    default: write_launch(p, number, code, out);
    }
    return 0;
}
