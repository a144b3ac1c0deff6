/* sasm_main.c -- the assembler's command line. */
#include "asm/sasm/sasm.h"
#include "base/usage.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct usage_row rows[] = {
    {"-o, --output OUT.cubin", "output file; - is standard output", 'o'},
    {"-D NAME=VALUE", "define NAME; overrides .equ NAME of the source", 'D'},
    {"--words", "encode instructions, one a line, as hex words: LO HI, or LO - for a short one",
     'w'},
    USAGE_GENERAL,
    {0},
};
static const struct usage usage = {
    "sasm", "assembles kernels for sm_10; source file - is standard input",
    "KERNEL.sasm -o OUT.cubin [-D NAME=VALUE]...\n--words [FILE]", rows};

static int words(const char *path)
{
    struct fl_buf text = {0};
    struct fl_err err;
    if (fl_read_file(path, &text, &err))
        return fl_complain(1, "%s", err.msg);
    int bad = 0, number = 0;
    for (char *s = (char *)text.data; *s;) {
        size_t n = strcspn(s, "\n");
        char *next = s + n + (s[n] == '\n');
        s[n] = 0;
        number++;
        if (n && s[n - 1] == '\r')
            s[n - 1] = 0;
        struct isa_words w;
        struct isa_text_err why;
        if (!s[strspn(s, " \t")]) {
            putchar('\n');
        } else if (sasm_words(s, &w, &why)) {
            fprintf(stderr, "%s:%d:%d: %s\n%s\n%*s^\n", path, number, (int)(why.at - s) + 1,
                    why.msg, s, (int)(why.at - s), "");
            bad = 1;
            break;
        } else if (w.size == 4)
            printf("%08x -\n", w.lo);
        else
            printf("%08x %08x\n", w.lo, w.hi);
        s = next;
    }
    fl_buf_free(&text);
    return bad;
}

static void complain(const struct sasm_errors *errors)
{
    for (int i = 0; i < errors->count; i++) {
        fl_print(stderr, errors->text[i]);
        fputc('\n', stderr);
    }
    if (errors->more)
        fputs("and more\n", stderr);
}

int main(int argc, char **argv)
{
    const char *out = NULL;
    const char **define = fl_alloc((size_t)argc * sizeof *define);
    int ndefines = 0, option, status = -1;
    bool want_words = false;
    fl_start("sasm");
    while ((option = usage_next(&usage, argc, argv)) != USAGE_END) {
        switch (option) {
        case 'o': out = optarg; break;
        case 'D': define[ndefines++] = optarg; break;
        case 'w': want_words = true; break;
        case USAGE_ANSWERED: status = 0; break;
        default: status = 2;
        }
        if (status >= 0)
            break;
    }
    if (status < 0 && want_words && argc - optind <= 1 && !out)
        status = words(fl_input(optind < argc ? argv[optind] : "-"));
    else if (status < 0 && (argc - optind != 1 || !out || want_words)) {
        fprintf(stderr, "sasm: %s%s\nsasm --help shows how it is called\n",
                want_words           ? "--words takes one file, and writes to standard output"
                : optind == argc     ? "name the source: KERNEL.sasm"
                : argc - optind != 1 ? "one source at a time, not also "
                                     : "name the output: -o OUT.cubin",
                !want_words && argc - optind > 1 ? argv[optind + 1] : "");
        status = 2;
    } else if (status < 0) {
        struct cubin *cubin = NULL;
        struct fl_err err;
        struct fl_files files = {0};
        struct sasm_errors errors;
        fl_files_out(&files, "-o", out);
        status = sasm_assemble_with(fl_input(argv[optind]), NULL, define, ndefines, &files, &cubin,
                                    &errors) != 0;
        if (status)
            complain(&errors);
        else {
            cubin_take_sources(cubin, fl_input(argv[optind]), &files);
            status = fl_files_check(&files, &err) || cubin_write(out, cubin, &err);
            if (status) {
                fl_print(stderr, err.msg);
                fputc('\n', stderr);
            }
        }
        sasm_errors_free(&errors);
        fl_files_free(&files);
        cubin_free(cubin);
    }
    free(define);
    return fl_end(status);
}
