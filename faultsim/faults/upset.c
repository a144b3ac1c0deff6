/* upset.c -- upsets from text and back; how they come about in a machine. See upset.h. */
#include "upset.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sm/access.h"

/* ---- ids ------------------------------------------------------------------------------------- */

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
    u->kind = FSIM_FLIP;
    u->value = 0;
    if (*at && (*at != ':' || !fsim_what(at + 1, &u->kind, &u->value) ||
                (u->kind != FSIM_FLIP && u->kind != FSIM_SA)))
        return bad(part, "the kind is none of :flip, :sa0, :sa1", err);
    if (u->kind == FSIM_FLIP && u->to != u->from)
        return bad(part, "a flip happens in one cycle", err);
    return 0;
}

/* rf/w2/t5/r3/b12: 1, and the cell; 0 when the text is no such name. */
static long by_owner(const struct sm_image *img, const char *part, const char *text,
                     upset_owner owner, void *context, uint64_t cycle, struct sm_cell *out,
                     struct fl_err *err)
{
    int warp, lane, reg, bit, end = 0, regs = 0, place = 0, behind = 0;
    if (sscanf(text, "sm%d/%n", &place, &behind) == 1 && (place < 0 || place >= img->sms))
        return bad(part, "the chip has no such SM", err);
    text += behind;
    if (sscanf(text, "rf/w%d/t%d/r%d/b%d%n", &warp, &lane, &reg, &bit, &end) != 4 || text[end])
        return 0;
    if (!owner)
        return bad(part, "who owns a register is not known here; name the physical one", err);
    int base = owner(context, warp, cycle, &regs);
    if (base < 0 || lane < 0 || lane >= SM_LANES || reg < 0 || reg >= regs || bit < 0 || bit > 31)
        return bad(part, "no such warp, thread, register or bit in that cycle", err);
    *out = (struct sm_cell){
        .place = place, .structure = SM_S_rf, .bit = bit, .index = {base + reg * SM_LANES + lane}};
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
    if (u->ncells && (when.kind != u->kind || when.value != u->value || when.from != u->from ||
                      when.to != u->to))
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
    for (int i = 0; i < u->ncells; i++) {
        struct fsim_fault f = {.cell = u->cell[i]};
        char id[FSIM_ID];
        fsim_id(img, &f, id);
        *strchr(id, ':') = 0;
        fl_buf_printf(out, "%s%s@%llu", i ? "+" : "", id, (unsigned long long)u->from);
        if (u->kind != FSIM_FLIP)
            fl_buf_printf(out, "-");
        if (u->kind != FSIM_FLIP && u->to != UPSET_NO_END)
            fl_buf_printf(out, "%llu", (unsigned long long)u->to);
        fl_buf_printf(out, ":%s", fsim_what_name(u->kind, u->value));
    }
}

/* ---- in a machine ---------------------------------------------------------------------------- */

/* The instruction of this commit, or a block that started in its cycle, wrote the cell. */
static bool wrote(const struct sm_image *img, const struct sm_accesses *seen,
                  const struct sm_cell *c)
{
    struct sm_unit_place place = sm_unit_of(img, c);
    for (uint32_t i = 0; i < seen->count; i++)
        if (seen->access[i].write && sm_access_covers(&seen->access[i], c->structure, &place))
            return true;
    return false;
}

static void change(struct gpu *m, const struct upset *u, const struct sm_cell *c, bool hold)
{
    if (u->kind == FSIM_FLIP || gpu_cell_read(m, c) != u->value)
        gpu_cell_flip(m, c);
    if (u->kind != FSIM_FLIP && hold) {
        struct sm_force f = sm_cell_force(m->img, c, u->value);
        gpu_add_force(m, &f);
    }
}

/* Those that wait change right behind the commit of the instruction that had taken its operands,
 * unless it, or a block that started in the same cycle, wrote the cell. */
static void change_later(struct gpu *m, const struct upset *u, int *waiting, int left)
{
    struct sm_watch w;
    struct sm_accesses seen = {0};
    sm_watch_start(&w, m, 1u << SM_S_rf | 1u << SM_S_cc | 1u << SM_S_areg | 1u << SM_S_shared,
                   true);
    while (left && !gpu_ended(m)) {
        if (m->sm->s.next > u->to)
            m->sm->nforces = 0; /* what is held is let go at the end of cycle `to` */
        sm_watch_tick(&w, &seen);
        for (int i = 0; i < u->ncells; i++) {
            if (waiting[i] == NO_WARP || w.c.kind != COMMIT_INSTRUCTION || w.c.warp != waiting[i])
                continue;
            waiting[i] = NO_WARP;
            left--;
            bool inside = u->kind != FSIM_FLIP && w.c.cycle < u->to;
            if (inside || !wrote(m->img, &seen, &u->cell[i]))
                change(m, u, &u->cell[i], inside);
        }
    }
    sm_watch_end(&w);
    free(seen.access);
}

void upset_bring(struct gpu *m, const struct upset *u)
{
    int waiting[UPSET_MAX_CELLS], left = 0;
    m->sm->nforces = 0;
    gpu_run(m, u->from);
    for (int i = 0; i < u->ncells; i++)
        left += (waiting[i] = sm_taken_by(m, &u->cell[i], u->from)) != NO_WARP;
    for (int i = 0; i < u->ncells; i++)
        if (waiting[i] == NO_WARP)
            change(m, u, &u->cell[i], true);
    if (left)
        change_later(m, u, waiting, left);
    if (u->to == UPSET_NO_END)
        return;
    if (u->kind != FSIM_FLIP && m->sm->nforces)
        gpu_run(m, u->to); /* its effects meet a cell that is free again behind this cycle */
    m->sm->nforces = 0;
}
