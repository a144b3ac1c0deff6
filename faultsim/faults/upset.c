/* upset.c -- upsets from text and back; how they come about in a machine. See upset.h. */
#include "upset.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sm/machine.h"
#include "fault.h"

/* ---- ids -------------------------------------------------------------------------------------------------------- */

static int bad(const char *text, const char *why, struct fl_err *err)
{
    return fl_fail(err,
                   "fault '%.100s': %s; an id reads rf/p517/b12@1834:flip or "
                   "rf/p517/b12@1800-1900:sa1 (@1800-:sa1 to the end), several joined by '+'",
                   text, why);
}

static bool read_cycle(const char **text, uint64_t *out)
{
    char *end;
    if (**text < '0' || **text > '9')
        return false;
    *out = strtoull(*text, &end, 10);
    bool ok = end - *text < 19;
    *text = end;
    return ok;
}

/* `@1834:flip`, `@1800-1900:sa1` or `@1800-:sa1` */
static int parse_when(const char *part, const char *at, struct upset *u, struct fl_err *err)
{
    if (!at)
        return bad(part, "the cycle is missing", err);
    at++;
    if (!read_cycle(&at, &u->from))
        return bad(part, "the cycle is no number", err);
    u->to = u->from;
    if (*at == '-') {
        at++;
        u->to = UPSET_NO_END;
        if (*at != ':' && (!read_cycle(&at, &u->to) || u->to < u->from))
            return bad(part, "the last cycle is no number, or before the first", err);
    }
    u->kind = UPSET_FLIP;
    if (strcmp(at, ":sa0") == 0)
        u->kind = UPSET_SA0;
    else if (strcmp(at, ":sa1") == 0)
        u->kind = UPSET_SA1;
    else if (*at && strcmp(at, ":flip") != 0)
        return bad(part, "the kind is none of :flip, :sa0, :sa1", err);
    if (u->kind == UPSET_FLIP && u->to != u->from)
        return bad(part, "a flip happens in one cycle", err);
    return 0;
}

/* rf/w2/t5/r3/b12: 1, and the cell; 0 when the text is no such name. */
static long by_owner(const struct sm_image *img, const char *part, const char *text,
                     upset_owner owner, void *context, uint64_t cycle, struct sm_cell *out,
                     struct fl_err *err)
{
    int warp, lane, reg, bit, end = 0, regs = 0;
    if (sscanf(text, "rf/w%d/t%d/r%d/b%d%n", &warp, &lane, &reg, &bit, &end) != 4 || text[end])
        return 0;
    if (!owner)
        return bad(part, "who owns a register is not known here; name the physical one", err);
    int base = owner(context, warp, cycle, &regs);
    if (base < 0 || lane < 0 || lane >= SM_LANES || reg < 0 || reg >= regs || bit < 0 || bit > 31)
        return bad(part, "no such warp, thread, register or bit in that cycle", err);
    *out = (struct sm_cell){.structure = sm_structure_find(img, "rf"),
                            .bit = bit,
                            .index = {base + reg * SM_LANES + lane}};
    return 1;
}

static int parse_part(const struct sm_image *img, const char *part, upset_owner owner,
                      void *context, struct upset *u, struct fl_err *err)
{
    struct upset when = *u;
    struct sm_cell cell[UPSET_MAX_CELLS];
    char text[128];
    const char *at = strchr(part, '@');
    if (parse_when(part, at, &when, err) != 0)
        return -1;
    if (u->ncells && (when.kind != u->kind || when.from != u->from || when.to != u->to))
        return bad(part, "all parts of a fault have the same cycles and kind", err);
    if ((size_t)(at - part) >= sizeof text)
        return bad(part, "no id is that long", err);
    memcpy(text, part, (size_t)(at - part));
    text[at - part] = 0;
    if (strchr(text, ':'))
        return bad(part, "the kind stands behind the cycle", err);
    long n = by_owner(img, part, text, owner, context, when.from, cell, err);
    if (n == 0)
        n = fsim_cells(img, text, part, cell, UPSET_MAX_CELLS, err);
    if (n < 0)
        return -1;
    if (u->ncells + n > UPSET_MAX_CELLS)
        return fl_fail(err, "fault '%.100s': %ld bits are too many; an upset has at most %d", part,
                       u->ncells + n, UPSET_MAX_CELLS);
    for (long i = 0; i < n; i++) {
        for (int k = 0; k < when.ncells; k++)
            if (memcmp(&when.cell[k], &cell[i], sizeof cell[i]) == 0)
                return bad(part, "a bit is there twice: two flips of it are none", err);
        when.cell[when.ncells++] = cell[i];
    }
    *u = when;
    return 0;
}

int upset_parse(const struct sm_image *img, const char *text, upset_owner owner, void *context,
                struct upset *out, struct fl_err *err)
{
    char *copy = fl_strdup(text), *rest = copy;
    int r = 0;
    memset(out, 0, sizeof *out);
    for (char *part; r == 0 && (part = strsep(&rest, "+"));)
        r = parse_part(img, part, owner, context, out, err);
    free(copy);
    return r;
}

void upset_print(const struct sm_image *img, const struct upset *u, struct fl_buf *out)
{
    static const char *const kind[] = {"flip", "sa0", "sa1"};
    for (int i = 0; i < u->ncells; i++) {
        struct fsim_fault f = {u->cell[i], 0};
        char id[FSIM_ID];
        fsim_id(img, &f, id);
        *strchr(id, ':') = 0;
        fl_buf_printf(out, "%s%s@%llu", i ? "+" : "", id, (unsigned long long)u->from);
        if (u->kind != UPSET_FLIP)
            fl_buf_printf(out, "-");
        if (u->kind != UPSET_FLIP && u->to != UPSET_NO_END)
            fl_buf_printf(out, "%llu", (unsigned long long)u->to);
        fl_buf_printf(out, ":%s", kind[u->kind]);
    }
}

/* ---- in a machine ----------------------------------------------------------------------------------------------- */

enum structure_kind { OTHER, RF, CC, AREG, SHARED, CONST };

static enum structure_kind kind_of(const struct sm_image *img, const struct sm_cell *c)
{
    static const char *const name[] = {
        [RF] = "rf", [CC] = "cc", [AREG] = "areg", [SHARED] = "shared", [CONST] = "const"};
    struct sm_structure s;
    sm_structure_get(img, c->structure, &s);
    for (int k = RF; k <= CONST; k++)
        if (strcmp(s.name, name[k]) == 0)
            return (enum structure_kind)k;
    return OTHER;
}

/* The warp's instruction has taken its operands, and has had no effect yet. */
static bool behind_read(const struct sm *m, int w)
{
    const struct sm_state *s = &m->s;
    bool behind = s->stage[STAGE_X] == w || (s->stage[STAGE_W] == w && !s->unwinding);
    for (int i = 0; i < s->nrequests; i++)
        behind |= s->request[i].warp == w;
    return behind;
}

bool upset_store_data(const struct sm_uop *u, uint32_t reg)
{
    if (!u || u->unit != UNIT_STORE || (u->in.dst.kind != ISA_G && u->in.dst.kind != ISA_L))
        return false;
    const struct isa_operand *d = &u->in.src[0];
    uint32_t first = d->kind == ISA_RH ? d->value >> 1 : d->value, n = 1;
    if (d->kind != ISA_R && d->kind != ISA_RH)
        return false;
    if (d->kind == ISA_R)
        n = u->in.dst.type == T_B128 ? 4 : u->in.dst.type == T_B64 ? 2 : 1;
    return reg - first < n && (u->in.dst.kind != ISA_G || u->in.dst.value != reg);
}

static bool reads_shared(const struct sm_uop *u)
{
    for (int i = 0; u && i < 3; i++)
        if (u->in.src[i].kind == ISA_S)
            return true;
    return false;
}

/* The warp whose instruction must leave before a change of the cell in this cycle acts; NO_WARP when it acts at once. */
static int waits_for(struct sm *m, const struct sm_cell *c, uint64_t cycle)
{
    const struct sm_state *s = &m->s;
    int w = NO_WARP;
    switch (kind_of(m->img, c)) {
    case RF:
        for (int i = 0; i < m->img->warps_used; i++) {
            uint32_t at = (uint32_t)c->index[0] - s->warp[i].reg_base;
            if ((s->live >> i & 1) && at < s->warp[i].regs * (uint32_t)SM_LANES) {
                w = i;
                if (behind_read(m, i) && upset_store_data(warp_uop(m, i), at / SM_LANES))
                    return NO_WARP; /* a store takes its data in Write-back */
            }
        }
        break;
    case CC:
    case AREG: w = c->index[0]; break;
    case SHARED: /* operands are taken in the first cycle of Write-back */
        if (s->unwinding || s->stage[STAGE_W] == NO_WARP || cycle <= s->next - s->slot)
            return NO_WARP;
        return reads_shared(warp_uop(m, s->stage[STAGE_W])) ? s->stage[STAGE_W] : NO_WARP;
    case CONST: return s->unwinding ? NO_WARP : s->stage[STAGE_W];
    case OTHER: break;
    }
    return w != NO_WARP && behind_read(m, w) ? w : NO_WARP;
}

/* A block that starts in the same cycle writes $r0 of its threads and the head of its shared memory after that. */
static bool start_wrote(const struct sm *m, const struct sm_commit *r, const struct sm_cell *c)
{
    enum structure_kind kind = kind_of(m->img, c);
    if (r->started < 0 || (kind != RF && kind != SHARED))
        return false;
    const struct sm_block *b = &m->s.block[r->started];
    if (kind == SHARED)
        return 4 * (uint32_t)c->index[0] + (uint32_t)c->bit / 8 - b->shared0 <
               current_launch(m)->params_end;
    for (int i = b->warp0; i < b->warp0 + b->warps; i++) {
        uint32_t lane = (uint32_t)c->index[0] - m->s.warp[i].reg_base;
        if (lane < SM_LANES && (m->s.warp[i].active >> lane & 1))
            return true;
    }
    return false;
}

/* The instruction of this commit wrote the cell. */
static bool wrote(const struct sm_image *img, const struct sm_commit *r, const struct sm_cell *c)
{
    const struct isa_insn *in = r->uop ? &r->uop->in : NULL;
    uint32_t row, lane;
    switch (kind_of(img, c)) {
    case RF:
        row = (uint32_t)c->index[0] / SM_LANES;
        lane = (uint32_t)c->index[0] % SM_LANES;
        if (!r->nregs || row - r->reg_row / (uint32_t)SM_LANES >= (uint32_t)r->nregs ||
            !(r->reg_mask >> lane & 1))
            return false;
        return in->dst.kind != ISA_RH || (c->bit >= 16) == (in->dst.value & 1);
    case CC: return r->cc == c->index[1] && (r->exec >> c->bit & 1);
    case AREG:
        if (!in || !(r->exec >> c->index[2] & 1))
            return false;
        for (int i = 0; i < 3; i++)
            if (in->src[i].postinc && in->src[i].areg == c->index[1] + 1)
                return true;
        return (in->dst.postinc && in->dst.areg == c->index[1] + 1) || r->areg == c->index[1] + 1;
    default: return false;
    }
}

static void change(struct sm *m, const struct upset *u, const struct sm_cell *c, bool hold)
{
    int value = u->kind == UPSET_SA1;
    if (u->kind == UPSET_FLIP || sm_cell_read(m, c) != value)
        sm_cell_flip(m, c);
    if (u->kind != UPSET_FLIP && hold) {
        struct sm_force f = sm_cell_force(m->img, c, value);
        sm_add_force(m, &f);
    }
}

void upset_bring(struct sm *m, const struct upset *u)
{
    int waiting[UPSET_MAX_CELLS], left = 0;
    struct sm_commit r;
    m->nforces = 0;
    sm_run(m, u->from);
    for (int i = 0; i < u->ncells; i++)
        left += (waiting[i] = waits_for(m, &u->cell[i], u->from)) != NO_WARP;
    for (int i = 0; i < u->ncells; i++)
        if (waiting[i] == NO_WARP)
            change(m, u, &u->cell[i], true);
    m->record = &r;
    m->stop = 0; /* no shortcut: the change comes right behind the commit */
    while (left && !sm_ended(m)) {
        if (m->s.next > u->to)
            m->nforces = 0; /* what is held is let go at the end of cycle `to` */
        sm_tick(m);
        for (int i = 0; i < u->ncells; i++) {
            if (waiting[i] == NO_WARP || r.kind != COMMIT_INSTRUCTION || r.warp != waiting[i])
                continue;
            waiting[i] = NO_WARP;
            left--;
            bool inside = u->kind != UPSET_FLIP && r.cycle < u->to;
            if (inside || !(wrote(m->img, &r, &u->cell[i]) || start_wrote(m, &r, &u->cell[i])))
                change(m, u, &u->cell[i], inside);
        }
    }
    m->record = NULL;
    m->stop = UINT64_MAX;
    if (u->to == UPSET_NO_END)
        return;
    if (u->kind != UPSET_FLIP && m->nforces)
        sm_run(m, u->to); /* its effects meet a cell that is free again behind this cycle */
    m->nforces = 0;
}
