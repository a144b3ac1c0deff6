/* dump.c -- the warps of an SM as text: where each is in the pipeline, its stack and registers.
 *
 * Rows that hold one value in all lanes are one number; zeros are left out.
 */
#include "internal.h"

#include "sm/evaluate.h"

static bool uniform(const uint32_t v[SM_LANES])
{
    for (int l = 1; l < SM_LANES; l++)
        if (v[l] != v[0])
            return false;
    return true;
}

static void print_row(struct fl_buf *out, const char *name, int number, const uint32_t v[SM_LANES])
{
    if (uniform(v)) {
        if (v[0])
            fl_buf_printf(out, "  %s%-3d %08x in all lanes\n", name, number, v[0]);
        return;
    }
    for (int l = 0; l < SM_LANES; l += 8) {
        if (l == 0)
            fl_buf_printf(out, "  %s%-3d", name, number);
        else
            fl_buf_printf(out, "  %*s", (int)strlen(name) + 3, "");
        for (int i = l; i < l + 8; i++)
            fl_buf_printf(out, " %08x", v[i]);
        fl_buf_printf(out, "  lanes %d-%d\n", l, l + 7);
    }
}

static void print_instruction(const struct sm *m, uint32_t pc, struct fl_buf *out)
{
    const struct sm_uop *u = fetch_uop(m->kernel, pc);
    char text[256];
    if (!u)
        fl_buf_printf(out, "no code");
    else if (isa_print(u->lo, u->hi, text, sizeof text) > 0)
        fl_buf_printf(out, "%s", text);
    else
        fl_buf_printf(out, "%08x: no instruction", u->lo);
}

static void print_stack(const struct sm *m, int wi, struct fl_buf *out)
{
    static const char *const id[] = {"SYNC", "DIVERGE", "CALL", "BREAK"};
    const struct sm_warp *w = &m->s.warp[wi];
    uint32_t les = (uint32_t)m->img->profile.stack_entries;
    uint32_t top = les + (uint32_t)m->img->profile.stack_spill;
    for (uint32_t i = w->sp < top ? w->sp : top; i-- > 0;) {
        bool spilled = i >= les;
        fl_buf_printf(out, "  le%-3u %-7s tm=%08x spc=%08x%s\n", i + 1,
                      id[(spilled ? m->s.spill_id[wi][i - les] : w->id[i]) & 3],
                      spilled ? m->s.spill_tm[wi][i - les] : w->tm[i],
                      spilled ? m->s.spill_spc[wi][i - les] : w->spc[i],
                      spilled ? "  (spilled)" : "");
    }
}

static void print_warp(const struct sm *m, int wi, struct fl_buf *out)
{
    static const char *const stage[] = {"Fetch", "Decode", "Read", "Execute", "Write-back"};
    const struct sm_state *s = &m->s;
    const struct sm_warp *w = &s->warp[wi];
    const struct sm_block *b = &s->block[w->block];
    uint32_t v[SM_LANES];
    fl_buf_printf(out, "warp %d of block %u,%u  pc %06x  ", wi, b->x, b->y, w->pc);
    print_instruction(m, w->pc, out);
    fl_buf_printf(out, "\n  active %08x", w->active);
    if (w->ts[0] | w->ts[1])
        fl_buf_printf(out, "  broken %08x  returned %08x  exited %08x", w->ts[0] & ~w->ts[1],
                      w->ts[1] & ~w->ts[0], w->ts[0] & w->ts[1]);
    for (int i = 0; i < STAGE_COUNT; i++)
        if (s->stage[i] == wi)
            fl_buf_printf(out, "  in %s", stage[i]);
    for (int i = 0; i < s->nrequests; i++)
        if (s->request[i].warp == wi)
            fl_buf_printf(out, "  waits for memory until cycle %llu",
                          (unsigned long long)s->request[i].ready);
    if (mask_has(s->fetching, wi))
        fl_buf_printf(out, "  waits for its instruction until cycle %llu",
                      (unsigned long long)s->line_ready[wi]);
    if (mask_has(s->waiting, wi))
        fl_buf_printf(out, "  at barrier %d", w->barrier);
    fl_buf_printf(out, "\n");
    print_stack(m, wi, out);
    for (int i = 0; i < 4; i++) {
        const struct sm_cc *c = &w->cc[i];
        if (c->z | c->s | c->c | c->o)
            fl_buf_printf(out, "  C%-3d z=%08x s=%08x c=%08x o=%08x\n", i, c->z, c->s, c->c, c->o);
    }
    for (int i = 1; i < 5; i++) {
        for (int l = 0; l < SM_LANES; l++)
            v[l] = w->a[i][l];
        print_row(out, "A", i, v);
    }
    for (uint32_t i = 0; i < w->regs; i++)
        print_row(out, "R", (int)i, register_row(m, w, i));
}

void sm_print_warps(const struct sm *m, struct fl_buf *out)
{
    for (int i = 0; i < m->img->profile.warps; i++)
        if (mask_has(m->s.live, i))
            print_warp(m, i, out);
}
