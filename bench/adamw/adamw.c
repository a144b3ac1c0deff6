/* adamw.c -- two steps of an optimizer with weight decay. */
#include "bench/host.h"

void bench_adamw(struct host *h)
{
    enum { STEPS = 2, THREADS = 128 };
    const float rate = 0.01f, decay = 0.1f, keep_m = 0.9f, keep_v = 0.999f;
    uint32_t n = host_size(h, 512, 16384);
    host_random_f32(h, "p", n, 1, -1, 1);
    const float *gradient[STEPS] = {host_random_f32(h, "first", n, 2, 0.25f, 1),
                                    host_random_f32(h, "second", n, 3, -1, -0.25f)};
    host_words(h, "m", n);
    host_words(h, "v", n);
    float *p = host_output(h, "p", "f32");
    float *m = host_output(h, "m", "f32"), *v = host_output(h, "v", "f32");
    float left_m = 1, left_v = 1;
    for (int s = 0; s < STEPS; s++) {
        left_m *= keep_m;
        left_v *= keep_v;
        float fix_m = 1.0f / (1.0f - left_m), fix_v = 1.0f / (1.0f - left_v);
        host_launch(h, "adamw", n / THREADS, 1, THREADS, 1,
                    "p=p gradient=%s m=m v=v rate=%.9gf decay=%.9gf keep_m=%.9gf keep_v=%.9gf "
                    "fix_m=%.9gf fix_v=%.9gf",
                    s ? "second" : "first", (double)rate, (double)decay, (double)keep_m,
                    (double)keep_v, (double)fix_m, (double)fix_v);
        for (uint32_t i = 0; i < n; i++) {
            float g = gradient[s][i];
            m[i] = keep_m * m[i] + (1.0f - keep_m) * g;
            v[i] = keep_v * v[i] + (1.0f - keep_v) * (g * g);
            float step = host_div(m[i] * fix_m, host_sqrt(v[i] * fix_v) + 1e-8f);
            p[i] -= rate * (step + decay * p[i]);
        }
    }
}
