/* leftover.c -- what campaigns left, and why. See leftover.h. */
#include "leftover.h"

#include <stdlib.h>
#include <string.h>

#include "made_stuck_at.h"

/* Calls `tell` for each fault that no campaign detects. */
static void
each_undetected(const struct fsim_campaign *c, int n, const struct prove_writers *writers,
                void (*take)(void *, const char *id, const char *proof, const char *reason),
                void *arg)
{
    struct fsim_result *r = fl_alloc((size_t)c[0].list.count * sizeof *r);
    fsim_union(c, n, r);
    for (long i = 0; i < c[0].list.count; i++) {
        if (!r[i].untestable && fsim_detected(&r[i], c[0].detect_timing))
            continue;
        const struct fsim_fault *f = &c[0].list.fault[i];
        const char *why = prove_untestable(c[0].img, f), *proof = "untestable";
        char id[FSIM_ID];
        if (!why && writers && (why = prove_unwritten(writers, f)))
            proof = "untestable without";
        fsim_id(c[0].img, f, id);
        take(arg, id, why ? proof : "none", why ? why : r[i].reason);
    }
    free(r);
}

struct leftover {
    long untestable, without, none;
    struct fl_buf names;
};

static void count_proof(void *arg, const char *id, const char *proof, const char *reason)
{
    struct leftover *t = arg;
    if (strcmp(proof, "none") == 0) {
        if (t->none++ < 20)
            fl_buf_printf(&t->names, "  %s: %s\n", id, reason);
    } else if (strcmp(proof, "untestable") == 0) {
        t->untestable++;
    } else {
        t->without++;
    }
}

void prove_print(const struct fsim_campaign *c, int n, const struct prove_writers *writers,
                 struct fl_buf *out)
{
    struct leftover t = {0};
    each_undetected(c, n, writers, count_proof, &t);
    long left = t.untestable + t.without + t.none;
    fl_buf_printf(out, "%s%s: %ld of %ld faults detected. Of the other %ld\n", c[0].job_name,
                  n > 1 ? " and the other jobs" : "", c[0].list.count - left, c[0].list.count,
                  left);
    fl_buf_printf(out, "%6ld are untestable, as proved above;\n", t.untestable);
    if (writers)
        fl_buf_printf(out, "%6ld more are untestable without those operations;\n", t.without);
    fl_buf_printf(out, "%6ld have no proof: not detected%s\n", t.none, t.none ? ":" : ".");
    if (t.none)
        fl_buf_add(out, t.names.data, t.names.size);
    if (t.none > 20)
        fl_buf_printf(out, "  and %ld more; --csv-faults FILE names all\n", t.none - 20);
    fl_buf_free(&t.names);
}

static void csv_proof(void *arg, const char *id, const char *proof, const char *reason)
{
    fl_buf_printf(arg, "%s,%s,\"%s\"\n", id, proof, reason);
}

void prove_csv(const struct fsim_campaign *c, int n, const struct prove_writers *writers,
               struct fl_buf *out)
{
    made_csv_stuck_at(c, n, out);
    fl_buf_printf(out, "id,proof,reason\n");
    each_undetected(c, n, writers, csv_proof, out);
}
