/* sasm.c -- fuzz target: bytes as assembler text, a program and single instructions.
 *
 * What assembles is a sound cubin; what does not has a message with a place. A line that is an instruction by itself
 * prints as text that assembles to the same words.
 */
#include "asm/sasm/sasm.h"

#include <string.h>

#include "fuzz.h"
#include "asm/isa/isa.h"

enum { MAX_SIZE = 1 << 14 };

/* Beside the program, for .include; it includes itself until the limit stops it. */
static const char included[] =
    ".equ FROM_FILE, 3\n.macro FILE_MACRO a, b=1\n MOV \\a, R\\b\n.endm\n"
    ".if DEEP\n.include \"inc.sasm\"\n.endif\n";

static const char *program_path(void)
{
    static char path[600];
    if (!path[0]) {
        fuzz_file("inc.sasm", included, sizeof included - 1);
        snprintf(path, sizeof path, "%s/fuzz.sasm", fuzz_dir());
    }
    return path;
}

static void check_line(const char *line)
{
    struct isa_words w = {0};
    struct isa_text_err err = {0};
    if (sasm_words(line, &w, &err)) {
        FUZZ_CHECK(err.msg[0], "'%s' is refused without a message", line);
        FUZZ_CHECK(err.at >= line && err.at <= line + strlen(line),
                   "'%s' is refused outside of the line", line);
        return;
    }
    FUZZ_CHECK(fuzz_check_instruction(w.lo, w.size == 8 ? w.hi : 0) == w.size,
               "'%s' becomes an illegal instruction: %08x %08x", line, w.lo, w.hi);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > MAX_SIZE)
        return 0;
    char *text = fl_alloc(size + 1);
    memcpy(text, data, size);
    struct fl_err err = {{0}};
    struct cubin *cubin = NULL;
    const char *path = program_path();
    if (sasm_assemble(path, text, &cubin, &err) == 0) {
        if (cubin->nkernels) {
            fuzz_check_cubin(cubin);
            fuzz_check_cubin_file(cubin);
        }
        cubin_free(cubin);
    } else {
        FUZZ_CHECK(strstr(err.msg, ".sasm:"), "message '%s'", err.msg);
    }
    char *next = text;
    for (int i = 0; next && i < 64; i++) {
        char *line = strsep(&next, "\n");
        check_line(line);
    }
    free(text);
    return 0;
}
