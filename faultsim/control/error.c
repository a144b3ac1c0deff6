/* error.c -- see error.h. */
#include "error.h"

#include <stdlib.h>

#include "asm/isa/isa.h"
#include "asm/isa/table.h"
#include "base/random.h"
#include "faultsim/outcome/runner.h"
#include "sm/image.h"

/* The words of the instruction at `at` with the error, and what they say. False: it is of another form, or has the
 * bit's value anyway. *legal: the words are an instruction. */
static bool wrong_words(const struct sm_image *img, const struct control_error *e,
                        const struct sm_code *c, uint32_t at, uint32_t words[2],
                        struct isa_insn *now, bool *legal)
{
    const struct sm_uop *u = &c->uop[at / 4];
    if (u->unit == UNIT_NONE || u->in.row != e->row || e->bit >= 8 * u->in.size)
        return false;
    words[0] = u->lo;
    words[1] = u->in.size == 8 ? u->hi : at + 4 < c->size ? u[1].lo : 0;
    uint32_t *w = &words[e->bit / 32], old = *w;
    *w = (*w & ~(1u << e->bit % 32)) | (uint32_t)e->value << e->bit % 32;
    if (*w == old)
        return false;
    int size = isa_decode(words[0], words[1], img->profile.code_bits == 32, img->profile.capability,
                          now);
    *legal = size > 0 && at + (uint32_t)size <= c->size;
    return true;
}

/* Calls `see` for each instruction of the code, one behind the other as they are laid. */
static void each_instruction(const struct sm_image *img,
                             void (*see)(void *context, struct sm_kernel *k, struct sm_code *c,
                                         uint32_t at),
                             void *context)
{
    for (int i = 0; i < img->nkernels; i++)
        for (int n = 0; n < img->kernel[i].ncode; n++) {
            struct sm_code *c = &img->kernel[i].code[n];
            for (uint32_t at = 0, size; at < c->size; at += size) {
                size = c->uop[at / 4].in.size ? c->uop[at / 4].in.size : 4;
                see(context, &img->kernel[i], c, at);
            }
        }
}

/* ---- which there are ------------------------------------------------------------------------- */

struct survey {
    const struct sm_image *img;
    struct control_error *list;
    uint32_t count, room;
    bool *row; /* that the code has */
};

static void add(struct survey *s, struct control_error e)
{
    FL_ROOM(s->list, s->count, s->room, 1024);
    s->list[s->count++] = e;
}

static void see_row(void *context, struct sm_kernel *k, struct sm_code *c, uint32_t at)
{
    (void)k;
    ((bool *)context)[c->uop[at / 4].in.row] |= c->uop[at / 4].unit != UNIT_NONE;
}

struct looked { /* an error, and the class that comes first in what it does to the code */
    const struct sm_image *img;
    const struct control_error *e;
    bool any;
    enum control_class class;
};

static void look(void *context, struct sm_kernel *k, struct sm_code *c, uint32_t at)
{
    struct looked *l = context;
    uint32_t words[2];
    struct isa_insn now;
    bool legal;
    enum control_class is;
    if (!wrong_words(l->img, l->e, c, at, words, &now, &legal) ||
        !control_class_of_change(&c->uop[at / 4].in, legal ? &now : NULL, k->regs, &is))
        return;
    l->class = l->any ? control_class_first(l->class, is) : is;
    l->any = true;
}

static void code_errors(struct survey *s)
{
    bool *row = fl_alloc((size_t)isa_nrows * sizeof *row);
    each_instruction(s->img, see_row, row);
    for (int r = 0; r < isa_nrows; r++)
        for (int i = 0; row[r] && i < 2 * 64; i++) {
            struct control_error e = {.in_code = true,
                                      .row = (uint16_t)r,
                                      .bit = (uint8_t)(i / 2),
                                      .value = (uint8_t)(i % 2)};
            struct looked l = {.img = s->img, .e = &e};
            each_instruction(s->img, look, &l);
            e.class = l.class;
            if (l.any)
                add(s, e);
        }
    free(row);
}

static void machine_errors(struct survey *s)
{
    const uint8_t warps = (uint8_t)s->img->warps_used, sps = (uint8_t)s->img->profile.sps;
    for (uint8_t l = 0; l < SM_LANES; l++)
        for (uint8_t v = 0; v < 2; v++)
            add(s,
                (struct control_error){
                    .class = CLASS_IAT, .value = v, .first = l, .step = SM_LANES, .warps = warps});
    for (uint8_t sp = 0; sp < sps && warps * (SM_LANES / sps) <= SM_MAX_FORCES; sp++)
        add(s,
            (struct control_error){.class = CLASS_IAL, .first = sp, .step = sps, .warps = warps});
    for (uint8_t w = 0; w < warps; w++)
        add(s, (struct control_error){.class = CLASS_IAW, .step = 1, .warp = w, .warps = 1});
}

static int by_class(const void *a, const void *b)
{
    const struct control_error *x = a, *y = b;
    return (x->class > y->class) - (x->class < y->class);
}

struct control_error *control_errors(const struct job_context *ctx, uint64_t seed, uint32_t *count)
{
    struct survey s = {.img = ctx->img};
    code_errors(&s);
    machine_errors(&s);
    qsort(s.list, s.count, sizeof *s.list, by_class);
    for (uint32_t from = 0, to; from < s.count; from = to) {
        for (to = from; to < s.count && s.list[to].class == s.list[from].class; to++)
            continue;
        for (uint32_t i = to - 1; i > from; i--) {
            uint32_t k = from + (uint32_t)(fl_random(&seed) % (i - from + 1));
            struct control_error e = s.list[i];
            s.list[i] = s.list[k];
            s.list[k] = e;
        }
    }
    *count = s.count;
    return s.list;
}

/* ---- runs ------------------------------------------------------------------------------------ */

struct patch {
    struct sm_image *img;
    const struct control_error *e;
};

static void patch(void *context, struct sm_kernel *k, struct sm_code *c, uint32_t at)
{
    const struct patch *p = context;
    uint32_t words[2];
    struct isa_insn now;
    bool legal;
    const int size = c->uop[at / 4].in.size;
    if (wrong_words(p->img, p->e, c, at, words, &now, &legal))
        decode_patch(p->img, k, c->base + at, words, size);
}

static void hold(struct dut *m, const struct control_error *e)
{
    struct sm_cell cell = {.structure = SM_S_exec};
    for (int w = e->warp; w < e->warp + e->warps; w++)
        for (cell.bit = e->first; cell.bit < SM_LANES; cell.bit += e->step) {
            cell.index[0] = w;
            dut_hold(m, &cell, e->value, true);
        }
}

int control_error_run(const struct job_context *ctx, const struct control_error *e,
                      struct fsim_result *out, struct fl_err *err)
{
    struct sm_image *img = sm_image_new(ctx->job, err);
    if (!img)
        return -1;
    /* the run of an engine without shortcuts, of code that is not that of the record */
    const struct reference ref = {
        .engine = &engine_c, .img = img, .cycles = ctx->g->cycles, .outputs = ctx->g->outputs};
    struct patch p = {img, e};
    struct runner run = {0};
    if (e->in_code)
        each_instruction(img, patch, &p);
    runner_open(&run, &ref);
    if (!e->in_code)
        hold(run.bad, e);
    *out = (struct fsim_result){.outcome = OUT_MASKED};
    run_to_end(&run, LOOK_EARLY, out);
    runner_close(&run);
    sm_image_free(img);
    return 0;
}

void control_error_print(const struct control_error *e, struct fl_buf *out)
{
    if (e->in_code)
        fl_buf_printf(out, "form %d bit %d is %d", e->row, e->bit, e->value);
    else if (e->step == 1)
        fl_buf_printf(out, "warp %d never executes", e->warp);
    else
        fl_buf_printf(out, "%s %d %s executes", e->step == SM_LANES ? "lane" : "SP", e->first,
                      e->value ? "always" : "never");
}
