/* timeline.c -- which block ran on which SM, and when. See timeline.h. */
#include "timeline.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/table.h"

static void on_block(void *context, int sm, uint32_t launch, uint32_t block, uint64_t cycle,
                     bool ends)
{
    struct timeline *t = context;
    if (!ends) {
        FL_ROOM(t->block, t->count, t->room, 64);
        t->block[t->count++] = (struct timeline_block){sm, launch, block, cycle, UINT64_MAX};
        return;
    }
    for (uint32_t i = t->count; i-- > 0;) {
        struct timeline_block *b = &t->block[i];
        if (b->sm == sm && b->launch == launch && b->block == block) {
            b->end = cycle + 1;
            return;
        }
    }
}

void timeline_listen(struct timeline *t, struct gpu *g)
{
    t->log = (struct gpu_log){on_block, t};
    g->log = &t->log;
}

void timeline_free(struct timeline *t)
{
    free(t->block);
}

static uint64_t end_of(const struct timeline_block *b, const struct gpu *g)
{
    return b->end == UINT64_MAX ? gpu_cycles(g) : b->end;
}

/* ---- table ----------------------------------------------------------------------------------- */

void timeline_print(const struct timeline *t, const struct gpu *g, struct fl_buf *out)
{
    struct fl_table table = {0};
    uint64_t cycles = gpu_cycles(g);
    fl_table_columns(&table, "*SM|blocks|instructions|busy %|occupancy %");
    for (int i = 0; i < g->sms; i++) {
        uint64_t blocks = 0, busy = 0, until = 0, warps = 0;
        for (uint32_t k = 0; k < t->count; k++) {
            const struct timeline_block *b = &t->block[k];
            if (b->sm != i)
                continue;
            uint64_t end = end_of(b, g), from = b->start > until ? b->start : until;
            blocks++;
            warps += (end - b->start) * (uint64_t)g->img->launch[b->launch].warps;
            if (end > from) {
                busy += end - from;
                until = end;
            }
        }
        double all = cycles ? (double)cycles : 1;
        fl_table_cell(&table, "sm%d", i);
        fl_table_cell(&table, "%" PRIu64, blocks);
        fl_table_cell(&table, "%" PRIu64, g->sm[i].s.instructions);
        fl_table_cell(&table, "%.1f", 100 * (double)busy / all);
        fl_table_cell(&table, "%.1f", 100 * (double)warps / (all * g->img->profile.warps));
    }
    fl_table_print(&table, out);
}

void timeline_print_partitions(const struct gpu *g, struct fl_buf *out)
{
    struct fl_table table = {0};
    double cycles = gpu_cycles(g) ? (double)gpu_cycles(g) : 1;
    fl_table_columns(&table, "*partition|transactions|busy %");
    for (int i = 0; i < gpu_channels(g); i++) {
        const struct sm_channel *c = &g->channel[i];
        fl_table_cell(&table, "%d", i);
        fl_table_cell(&table, "%" PRIu64, c->transactions);
        fl_table_cell(&table, "%.1f", 100 * (double)c->transactions * c->transaction / cycles);
    }
    fl_table_print(&table, out);
}

/* ---- picture --------------------------------------------------------------------------------- */

enum { LEFT = 60, WIDTH = 1000, LINE = 14, TOP = 40, GAP = 4, COLOURS = 6 };

/* The row of each block within its SM: the lowest that is free. Returns how many rows there are. */
static int give_rows(const struct timeline *t, const struct gpu *g, int *row)
{
    int rows = 1;
    uint64_t *until = fl_alloc((size_t)g->sms * SM_MAX_BLOCKS * sizeof *until);
    for (uint32_t k = 0; k < t->count; k++) {
        const struct timeline_block *b = &t->block[k];
        uint64_t *of = &until[b->sm * SM_MAX_BLOCKS];
        int r = 0;
        while (r < SM_MAX_BLOCKS - 1 && of[r] > b->start)
            r++;
        of[r] = end_of(b, g);
        row[k] = r;
        rows = r + 1 > rows ? r + 1 : rows;
    }
    free(until);
    return rows;
}

static void draw(const struct timeline *t, const struct gpu *g, const int *row, int rows,
                 struct fl_buf *out)
{
    static const char *const colour[COLOURS] = {"#0072b2", "#e69f00", "#009e73",
                                                "#cc79a7", "#56b4e9", "#d55e00"};
    uint64_t cycles = gpu_cycles(g);
    int each = rows * LINE + GAP;
    fl_buf_printf(out,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                  "font-family=\"sans-serif\" font-size=\"11\">\n"
                  "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"
                  "<text x=\"%d\" y=\"16\">Blocks on the SMs of %s, %" PRIu64
                  " cycles; a colour for each launch, a number for each block</text>\n",
                  LEFT + WIDTH + 20, TOP + g->sms * each + 20, LEFT, g->img->profile.name, cycles);
    for (int i = 0; i < g->sms; i++)
        fl_buf_printf(out,
                      "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">sm%d</text>"
                      "<path d=\"M%d %dH%d\" stroke=\"#ccc\"/>\n",
                      LEFT - 8, TOP + i * each + LINE - 3, i, LEFT, TOP + (i + 1) * each - GAP / 2,
                      LEFT + WIDTH);
    for (uint32_t k = 0; k < t->count; k++) {
        const struct timeline_block *b = &t->block[k];
        double scale = (double)WIDTH / (double)(cycles ? cycles : 1);
        double x = LEFT + (double)b->start * scale, w = (double)(end_of(b, g) - b->start) * scale;
        int y = TOP + b->sm * each + row[k] * LINE;
        fl_buf_printf(out,
                      "<g><title>launch %u, block %u: cycles %" PRIu64 " to %" PRIu64
                      "</title><rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" fill=\"%s\" "
                      "stroke=\"#fff\" stroke-width=\".5\"/>",
                      b->launch + 1, b->block, b->start, end_of(b, g), x, y, w, LINE - 1,
                      colour[b->launch % COLOURS]);
        if (w > 30)
            fl_buf_printf(out, "<text x=\"%.2f\" y=\"%d\" fill=\"#fff\">%u</text>", x + 3,
                          y + LINE - 4, b->block);
        fl_buf_printf(out, "</g>\n");
    }
    fl_buf_printf(out, "</svg>\n");
}

int timeline_write(const struct timeline *t, const struct gpu *g, const char *path,
                   struct fl_err *err)
{
    struct fl_buf out = {0};
    int *row = fl_alloc((t->count + 1) * sizeof *row);
    int rows = give_rows(t, g, row);
    draw(t, g, row, rows, &out);
    int result = fl_write_file(path, out.data, out.size, err);
    free(row);
    fl_buf_free(&out);
    return result;
}
