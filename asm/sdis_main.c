/* sdis_main.c -- the disassembler's command line. */
#include "asm/cubin/cubin.h"
#include "asm/isa/isa.h"
#include "base/usage.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct usage_row rows[] = {
    {"--words", "hex words, LO HI or LO - a line, to instructions", 'w'},
    USAGE_GENERAL,
    {0},
};
static const struct usage usage = {
    "sdis", "prints the code of a cubin as text; a file that is called - is standard input",
    "FILE.cubin\n--words [FILE]", rows};

static uint32_t word(const struct cubin_code *c, uint32_t offset)
{
    const uint8_t *p = c->bytes + offset;
    return offset + 4 > c->size
               ? 0
               : (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static const char *label_at(const struct cubin_kernel *k, uint32_t addr)
{
    for (int i = 0; i < k->nsymbols; i++)
        if (k->symbol[i].addr == addr)
            return k->symbol[i].name;
    return NULL;
}

static void print_code(const struct cubin_kernel *k, const struct cubin_code *c)
{
    for (uint32_t at = 0; at < c->size;) {
        uint32_t addr = c->base + at, lo = word(c, at), hi = word(c, at + 4);
        struct isa_insn in;
        char text[256] = "illegal instruction";
        int size = isa_decode(lo, hi, true, ISA_NEWEST, &in);
        for (int i = 0; i < k->nsymbols; i++)
            if (k->symbol[i].addr == addr)
                printf("%s:\n", k->symbol[i].name);
        if (size)
            isa_print(lo, hi, text, sizeof text);
        else
            size = at + 8 <= c->size && addr % 8 == 0 && (lo & 1) ? 8 : 4;
        printf("    /*%06x*/  %08x ", addr, lo);
        if (size == 8)
            printf("%08x  %s", hi, text);
        else
            printf("%8s  %s", "", text);
        bool jumps = size &&
                     (in.op == OP_BRA || in.op == OP_CAL || in.op == OP_SSY || in.op == OP_PBK) &&
                     text[0] != 'i';
        const char *label = jumps ? label_at(k, in.target) : NULL;
        printf(label ? "  // %s\n" : "\n", label);
        at += (uint32_t)size;
    }
}

static int file(const char *path)
{
    struct cubin *c;
    struct fl_err err;
    if (cubin_read(path, &c, &err)) {
        return fl_complain(1, "%s", err.msg);
    }
    for (int i = 0; i < c->nkernels; i++) {
        const struct cubin_kernel *k = &c->kernel[i];
        printf("%s.kernel %s\n.regs %d  // shared %u bytes, local %u, c1 %u, %d parameter%s%s\n",
               i ? "\n" : "", k->name, k->regs, k->shared_bytes, k->local_bytes, k->const1_size,
               k->nparams, k->nparams == 1 ? "" : "s",
               c->wide_code ? ", 32-bit code addresses" : "");
        if (k->mangled)
            printf("// %s\n", k->mangled);
        for (int j = 0; j < k->ncode; j++) {
            if (j)
                printf(".org 0x%x\n", k->code[j].base);
            print_code(k, &k->code[j]);
        }
    }
    cubin_free(c);
    return 0;
}

static int words(const char *path)
{
    FILE *f = fopen(path, "r");
    if (!f)
        return fl_complain(1, "%s: cannot open: %m", path);
    char line[1024], text[256];
    int number = 0, bad = 0;
    while (!bad && fgets(line, sizeof line, f)) {
        unsigned lo, hi = 0;
        number++;
        if (!line[strspn(line, " \t\r\n")]) {
            putchar('\n');
            continue;
        }
        if (sscanf(line, "%x %x", &lo, &hi) < 1 ||
            (sscanf(line, "%x %x", &lo, &hi) == 1 && !strchr(line, '-') && (lo & 1))) {
            bad = fl_complain(1, "%s:%d: expected two hex words, or one and '-'", path, number);
        } else if (isa_print(lo, hi, text, sizeof text) < 0)
            printf("illegal instruction\n");
        else
            printf("%s\n", text);
    }
    fclose(f);
    return bad;
}

int main(int argc, char **argv)
{
    bool want_words = false;
    fl_start("sdis");
    for (int option; (option = usage_next(&usage, argc, argv)) != USAGE_END;) {
        if (option == 'w')
            want_words = true;
        else
            return fl_end(option == USAGE_ANSWERED ? 0 : 2);
    }
    if (argc - optind > 1 || (argc == optind && !want_words)) {
        fprintf(stderr, "sdis: %s%s\nsdis --help shows how it is called\n",
                argc == optind ? "name the file: FILE.cubin" : "one file at a time, not also ",
                argc == optind ? "" : argv[optind + 1]);
        return 2;
    }
    const char *path = fl_input(optind < argc ? argv[optind] : "-");
    return fl_end(want_words ? words(path) : file(path));
}
