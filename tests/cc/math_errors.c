/* math_errors.c -- how far the functions of float are from the true values, over all floats or a part of them.
 *
 *     math_errors [--every N] [--pairs N] [FUNCTION]...
 *
 * Functions of one argument: every Nth float, from all 2^32 (--every 1, which takes about a minute a function) to 1 of 2039. Of
 * two arguments: N pairs, half of them of any bits, half positive from 2^-31 to 2^97. The true values are those of the C library in double.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "host_math.h"

enum { CHUNK = 4096 };

struct worst {
    double ulps;
    float x, y;
    uint64_t count;
};

static void note(struct worst *w, float got, double want, float x, float y)
{
    double ulps = host_ulps(got, want);
    w->count++;
    if (ulps > w->ulps) {
        w->ulps = ulps;
        w->x = x;
        w->y = y;
    }
}

static float operand(uint32_t bits)
{
    return host_float(bits & 0x7f800000 ? bits : bits & 0x80000000);
}

static void measure(const struct host_function *h, uint64_t every)
{
    static double x[CHUNK], want[CHUNK];
    static float in[CHUNK], got[CHUNK];
    struct worst w = {0};
    for (uint64_t bits = 0; bits < 1ull << 32;) {
        int n = 0;
        host_math_flush(true);
        for (; n < CHUNK && bits < 1ull << 32; n++, bits += every) {
            in[n] = operand((uint32_t)bits);
            got[n] = h->f(in[n]);
        }
        host_math_flush(false);
        for (int i = 0; i < n; i++)
            x[i] = (double)in[i];
        h->want(x, want, n);
        for (int i = 0; i < n; i++)
            note(&w, got[i], want[i], in[i], 0);
    }
    printf("%-14s %11llu  %6.2f  at %a\n", h->name, (unsigned long long)w.count, w.ulps,
           (double)w.x);
}

static void measure2(const struct host_function2 *h, uint64_t pairs)
{
    struct worst w = {0};
    uint64_t state = 1;
    for (uint64_t i = 0; i < pairs; i++) {
        uint64_t r = fl_random(&state), near = i & 1 ? 0x3fffffff : 0xffffffff;
        uint64_t base = i & 1 ? 0x30000000 : 0;
        host_math_flush(true);
        float x = operand((uint32_t)((r >> 32 & near) + base));
        float y = operand((uint32_t)((r & near) + base)), got = h->f(x, y);
        host_math_flush(false);
        if (strcmp(h->name, "powr") == 0 && !(x > 0)) /* has its own rules there */
            continue;
        note(&w, got, h->want((double)x, (double)y), x, y);
    }
    printf("%-14s %11llu  %6.2f  at %a, %a\n", h->name, (unsigned long long)w.count, w.ulps,
           (double)w.x, (double)w.y);
}

static bool wanted(int argc, char **argv, int from, const char *name)
{
    for (int i = from; i < argc; i++)
        if (strcmp(argv[i], name) == 0)
            return true;
    return from == argc;
}

int main(int argc, char **argv)
{
    uint64_t every = 2039, pairs = 1 << 22;
    int from = 1;
    for (; from + 1 < argc && argv[from][0] == '-'; from += 2) {
        uint64_t n = strtoull(argv[from + 1], NULL, 0);
        if (strcmp(argv[from], "--every") == 0 && n)
            every = n;
        else if (strcmp(argv[from], "--pairs") == 0)
            pairs = n;
        else
            return 2;
    }
    if (!host_math_flush(true)) {
        fprintf(stderr, "math_errors: needs a host that can take denormals as zero (x86-64)\n");
        return 1;
    }
    printf("function         arguments  ulp\n");
    for (int i = 0; i < host_nfunctions; i++)
        if (wanted(argc, argv, from, host_functions[i].name)) {
            measure(&host_functions[i], every);
            fflush(stdout);
        }
    for (int i = 0; i < host_nfunctions2; i++)
        if (wanted(argc, argv, from, host_functions2[i].name))
            measure2(&host_functions2[i], pairs);
    return 0;
}
