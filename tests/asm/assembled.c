/* assembled.c -- assembles and disassembles. */
#include <stdlib.h>

#include "asm/sasm/sasm.h"
#include "assembled.h"
#include "tests/lib/check.h"

struct cubin *assembled(const char *text)
{
    struct cubin *c = NULL;
    struct fl_err err = {{0}};
    if (sasm_assemble("t.sasm", text, &c, &err)) {
        printf("\n%s\n", err.msg);
        c = NULL;
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(c);
    return c;
}

uint32_t assembled_word(const struct cubin *c, int kernel, uint32_t addr)
{
    const struct cubin_kernel *k = &c->kernel[kernel];
    for (int i = 0; i < k->ncode; i++)
        if (addr >= k->code[i].base && addr - k->code[i].base + 4 <= k->code[i].size) {
            const uint8_t *p = k->code[i].bytes + (addr - k->code[i].base);
            return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
                   (uint32_t)p[3] << 24;
        }
    CU_FAIL("no code at that address");
    return 0;
}

const char *assembled_text(const struct cubin *c, int kernel, uint32_t addr, char *buffer,
                           size_t size)
{
    uint32_t lo = assembled_word(c, kernel, addr);
    if (isa_print(lo, (lo & 1) ? assembled_word(c, kernel, addr + 4) : 0, buffer, size) < 0)
        return "illegal";
    return buffer;
}

void assembled_gives(const char *body, const char *want)
{
    char *text = fl_format(".kernel k\n%s", body);
    struct cubin *c = assembled(text);
    CU_ASSERT_STRING_EQUAL(TEXT(c, 0, 0), want);
    cubin_free(c);
    free(text);
}
