/* matrix.c -- prints the detection matrix. */
#include "matrix.h"

#include "made_stuck_at.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

/* A name may hold a comma or a quote. */
static void quoted(const char *s, struct fl_buf *out)
{
    if (!strpbrk(s, ",\"\r\n")) {
        fl_buf_printf(out, "%s", s);
        return;
    }
    fl_buf_printf(out, "\"");
    for (; *s; s++)
        fl_buf_printf(out, *s == '"' ? "\"\"" : "%c", *s);
    fl_buf_printf(out, "\"");
}

static long code_bytes(const struct job *job)
{
    long n = 0;
    for (int k = 0; k < job->cubin->nkernels; k++)
        for (int i = 0; i < job->cubin->kernel[k].ncode; i++)
            n += job->cubin->kernel[k].code[i].size;
    return n;
}

static void file_of(const struct fsim_campaign *c, struct fl_buf *out)
{
    const char *path = c->img->job->path, *slash = strrchr(path, '/');
    quoted(slash ? slash + 1 : path, out);
}

static void launches_of(const struct fsim_campaign *c, struct fl_buf *out)
{
    fl_buf_printf(out, "%d", c->img->job->nlaunches);
}

static void instructions_of(const struct fsim_campaign *c, struct fl_buf *out)
{
    fl_buf_printf(out, "%llu", (unsigned long long)c->golden->instructions);
}

static void cycles_of(const struct fsim_campaign *c, struct fl_buf *out)
{
    fl_buf_printf(out, "%llu", (unsigned long long)c->golden->cycles);
}

static void bytes_of(const struct fsim_campaign *c, struct fl_buf *out)
{
    fl_buf_printf(out, "%ld", code_bytes(c->img->job));
}

static void sha256_of(const struct fsim_campaign *c, struct fl_buf *out)
{
    uint8_t digest[32];
    char hex[65];
    gpu_outputs_digest(c->golden->end, digest);
    fl_hex(digest, sizeof digest, hex);
    fl_buf_printf(out, "%s", hex);
}

void matrix_csv(const struct fsim_campaign *c, int n, struct fl_buf *out)
{
    static const struct {
        const char *name;
        void (*print)(const struct fsim_campaign *c, struct fl_buf *out);
    } line[] = {
        {"@file", file_of},     {"@launches", launches_of}, {"@instructions", instructions_of},
        {"@cycles", cycles_of}, {"@bytes", bytes_of},       {"@sha256", sha256_of},
    };
    struct fsim_result *all = fl_alloc((size_t)c[0].list.count * sizeof *all);
    fsim_union(c, n, all);
    made_csv_stuck_at(c, n, out);
    fl_buf_printf(out, "fault,class");
    for (int k = 0; k < n; k++) {
        fl_buf_printf(out, ",");
        quoted(c[k].job_name, out);
    }
    fl_buf_printf(out, "\n");
    for (size_t i = 0; i < sizeof line / sizeof *line; i++) {
        fl_buf_printf(out, "%s,", line[i].name);
        for (int k = 0; k < n; k++) {
            fl_buf_printf(out, ",");
            line[i].print(&c[k], out);
        }
        fl_buf_printf(out, "\n");
    }
    for (long i = 0; i < c[0].list.count; i++) {
        char id[FSIM_ID];
        fsim_id(c[0].img, &c[0].list.fault[i], id);
        fl_buf_printf(out, "%s,%s", id, fsim_class(&all[i], c[0].detect_timing));
        for (int k = 0; k < n; k++) {
            const struct fsim_result *r = &c[k].result[i];
            bool hit = !r->untestable && fsim_detected(r, c[k].detect_timing);
            fl_buf_printf(out, ",%s", hit ? fsim_outcome_name(r->outcome) : "");
        }
        fl_buf_printf(out, "\n");
    }
    free(all);
}
