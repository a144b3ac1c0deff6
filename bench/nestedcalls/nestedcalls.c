/* nestedcalls.c -- a stress of calls and breaks. The reference follows one thread at a time. */
#include "bench/host.h"

enum { THREADS = 64, FUNCTIONS = 8 };

struct thread {
    uint32_t acc;
    int32_t left; /* turns of all loops */
};

static void function(struct thread *t, uint32_t k)
{
    if (k == FUNCTIONS) {
        t->acc += 0x10001;
        return;
    }
    if (!(t->acc >> k & 1))
        return;
    for (;;) {
        t->acc = t->acc * 9 + k;
        function(t, k + 1);
        if (--t->left <= 0 || !(t->acc & 7))
            break;
    }
    t->acc ^= t->acc >> 5;
}

void bench_nestedcalls(struct host *h)
{
    uint32_t n = THREADS * host_size(h, 2, 64);
    const uint32_t *in = host_random_u32(h, "in", n, 1, 0, UINT32_MAX);
    uint32_t *out = host_result(h, "out", "u32", n * sizeof *out);
    host_launch(h, "nestedcalls", n / THREADS, 1, THREADS, 1, "in=in out=out");
    for (uint32_t i = 0; i < n; i++) {
        struct thread t = {in[i], (int32_t)(in[i] & 7) + 20};
        function(&t, 0);
        out[i] = t.acc;
    }
}
