/* smrtl.c -- the calls of smrtl.h: picks the model that fits, steps it, compares it with the C
 * model. */
#include "internal.h"

#include "sm/memory/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *smrtl_model_name(int i)
{
    return smrtl_models[i] ? smrtl_models[i]->name : NULL;
}

static const struct smrtl_ops *find(const struct sm_image *img, const char *model, bool gates)
{
    const struct smrtl_ops *slower = NULL;
    for (int i = 0; smrtl_models[i]; i++) {
        const struct smrtl_ops *ops = smrtl_models[i];
        if (model ? strcmp(ops->name, model) != 0
                  : ops->broken || profile_differs(&ops->profile, &img->profile))
            continue;
        if (model || ops->gates == gates)
            return ops;
        if (ops->gates)
            slower = ops;
    }
    return slower;
}

static int refuse(const struct sm_image *img, const char *model, struct fl_err *err)
{
    struct fl_buf names = {0};
    for (int i = 0; smrtl_models[i]; i++)
        fl_buf_printf(&names, " %s", smrtl_models[i]->name);
    char *sms = img->sms > 1 ? fl_format(" with %d SMs", img->sms) : fl_format("%s", "");
    fl_fail(err, "no RTL of %s %s%s was built, only of%.*s; add it to FAULTLINE_RTL_MODELS",
            model ? "the name" : "profile", model ? model : img->profile.name, model ? "" : sms,
            (int)names.size, (const char *)names.data);
    free(sms);
    fl_buf_free(&names);
    return -1;
}

/* ---- the way into registers ------------------------------------------------------------------ */

static long elements(const struct sm_structure *s)
{
    long n = 1;
    for (int i = 0; i < s->naxes; i++)
        n *= s->axis[i].count;
    return n;
}

/* A row of the RTL holds one element of a structure or several side by side, the first one lowest;
 * and of an element all fields of one path, so too. */
static int find_place(const struct smrtl *m, const struct sm_structure *s, int sm, int field,
                      struct smrtl_place *out, struct fl_err *err)
{
    const struct sm_field *f = &s->field[field];
    const char *list = f->width ? "structures.def" : "registers.def";
    struct smrtl_array *a = &out->array;
    *out = (struct smrtl_place){0};
    if (!f->rtl || elements(s) == 0)
        return 0;
    for (int i = 0; i < s->nfields; i++) {
        int bits = s->field[i].rtl && strcmp(s->field[i].rtl, f->rtl) == 0 ? s->field[i].bits : 0;
        out->first += i < field ? bits : 0;
        out->apart += bits;
    }
    if (!m->ops->find(m, sm, f->rtl, a))
        return fl_fail(err, "%s, %s.%s: the RTL has no register '%s' (model %s)", list, s->name,
                       f->name, f->rtl, m->ops->name);
    if ((long)a->rows * a->width != elements(s) * out->apart || a->width % out->apart)
        return fl_fail(err, "%s, %s.%s: '%s' of the RTL is %d x %d bits, not %ld x %d (model %s)",
                       list, s->name, f->name, f->rtl, a->rows, a->width, elements(s), out->apart,
                       m->ops->name);
    return 0;
}

int smrtl_check(const struct smrtl *m, const struct sm_structure *s, struct fl_err *err)
{
    struct smrtl_place place;
    for (int i = 0; i < s->nfields; i++)
        if (find_place(m, s, 0, i, &place, err))
            return -1;
    return 0;
}

const char *smrtl_register(const struct smrtl *m, int i, long *bits)
{
    struct smrtl_array a;
    const char *path = m->ops->list(m, i, &a);
    *bits = path ? (long)a.rows * a.width : 0;
    return path;
}

uint8_t *smrtl_bits(const struct smrtl *m, const char *path, int *width)
{
    struct smrtl_array a;
    if (!m->ops->find(m, 0, path, &a) || a.rows != 1)
        return NULL;
    *width = a.width;
    return a.data;
}

static struct smrtl_place *place_of(const struct smrtl *m, int sm, int structure, int field)
{
    return &m->place[(sm * SM_ALL_STRUCTURES + structure) * SM_MAX_FIELDS + field];
}

static int find_places(struct smrtl *m, struct fl_err *err)
{
    size_t each = (size_t)SM_ALL_STRUCTURES * SM_MAX_FIELDS;
    m->place = fl_alloc((size_t)m->img->sms * each * sizeof *m->place);
    for (int i = 0; i < SM_ALL_STRUCTURES; i++) {
        struct sm_structure s;
        sm_structure_get(m->img, i, &s);
        for (int sm = 0; sm < s.places; sm++)
            for (int f = 0; f < s.nfields; f++)
                if (find_place(m, &s, sm, f, place_of(m, sm, i, f), err))
                    return -1;
    }
    return 0;
}

/* The bytes around a word of an element, 32 bits of it or what is left: `at` is its first bit in
 * `row`. */
struct spot {
    uint8_t *row;
    int at, bits;
};

static struct spot spot_of(const struct smrtl *m, const struct sm_structure *s,
                           const struct sm_cell *cell)
{
    const struct smrtl_place *p = place_of(m, cell->place, cell->structure, cell->field);
    int side = p->array.width / p->apart;
    int word = cell->bit / 32 * 32, left = s->field[cell->field].bits - word;
    long n = 0;
    for (int i = 0; i < s->naxes; i++)
        n = n * s->axis[i].count + cell->index[i];
    return (struct spot){p->array.data + (size_t)(n / side) * p->array.stride,
                         (int)(n % side) * p->apart + p->first + word, left < 32 ? left : 32};
}

static uint32_t get(const struct spot *p)
{
    uint64_t v = 0;
    int first = p->at / 8, last = (p->at + p->bits - 1) / 8;
    memcpy(&v, p->row + first, (size_t)(last - first + 1));
    return (uint32_t)(v >> p->at % 8 & ((1ull << p->bits) - 1));
}

static void put(const struct spot *p, uint32_t word)
{
    uint64_t v = 0, mask = ((1ull << p->bits) - 1) << p->at % 8;
    int first = p->at / 8, last = (p->at + p->bits - 1) / 8;
    memcpy(&v, p->row + first, (size_t)(last - first + 1));
    v = (v & ~mask) | ((uint64_t)word << p->at % 8 & mask);
    memcpy(p->row + first, &v, (size_t)(last - first + 1));
}

static bool is_register(const struct smrtl *m, const struct sm_cell *cell)
{
    return place_of(m, cell->place, cell->structure, cell->field)->array.data;
}

static bool is_in_pages(const struct smrtl *m, const struct sm_cell *cell)
{
    return sm_cell_force(m->img, cell, 0).offset >= sizeof(struct sm_state);
}

bool smrtl_has(const struct smrtl *m, const struct sm_cell *cell)
{
    return is_register(m, cell) || (cell->structure < SM_STRUCTURES && is_in_pages(m, cell));
}

uint32_t smrtl_read(const struct smrtl *m, const struct sm_cell *cell)
{
    uint32_t word = 0;
    if (is_register(m, cell)) {
        struct sm_structure s;
        sm_structure_get(m->img, cell->structure, &s);
        struct spot spot = spot_of(m, &s, cell);
        return get(&spot);
    }
    struct sm_force at = sm_cell_force(m->img, cell, 0);
    memcpy(&word, sm_memory_at(&m->gpu->memory, at.offset - (uint32_t)sizeof(struct sm_state)),
           at.width);
    return word;
}

void smrtl_write(struct smrtl *m, const struct sm_cell *cell, uint32_t word)
{
    if (is_register(m, cell)) {
        struct sm_structure s;
        sm_structure_get(m->img, cell->structure, &s);
        struct spot spot = spot_of(m, &s, cell);
        put(&spot, word);
        m->ops->settle(m);
        return;
    }
    struct sm_force at = sm_cell_force(m->img, cell, 0);
    memcpy(sm_memory_writable(&m->gpu->memory, at.offset - (uint32_t)sizeof(struct sm_state)),
           &word, at.width);
}

void smrtl_flip(struct smrtl *m, const struct sm_cell *cell)
{
    smrtl_write(m, cell, smrtl_read(m, cell) ^ 1u << cell->bit % 32);
}

static void apply(struct smrtl *m, const struct smrtl_hold *h)
{
    if ((int)(smrtl_read(m, &h->cell) >> h->cell.bit % 32 & 1) != h->value)
        smrtl_flip(m, &h->cell);
}

void smrtl_apply_holds(struct smrtl *m)
{
    for (int i = 0; i < m->nholds; i++)
        apply(m, &m->hold[i]);
}

int smrtl_hold(struct smrtl *m, const struct sm_cell *cell, int value)
{
    if (m->nholds == SMRTL_MAX_HOLDS)
        return -1;
    struct sm_structure s;
    sm_structure_get(m->img, cell->structure, &s);
    m->times_held |= is_register(m, cell) && m->ops->is_time(s.field[cell->field].rtl);
    m->hold[m->nholds] = (struct smrtl_hold){*cell, value};
    apply(m, &m->hold[m->nholds++]);
    return 0;
}

void smrtl_release(struct smrtl *m)
{
    m->nholds = 0;
    m->times_held = false;
}

/* Its indices, as elements are counted. */
static void set_element(const struct sm_structure *s, long n, struct sm_cell *c)
{
    for (int a = s->naxes; a-- > 0; n /= s->axis[a].count)
        c->index[a] = (int)(n % s->axis[a].count);
}

/* What structures.def lists, into the struct of the C model; caches stay where they are. */
static void copy_structures(struct smrtl *m, int sm)
{
    for (int i = 0; i < SM_STRUCTURES; i++) {
        struct sm_structure s;
        sm_structure_get(m->img, i, &s);
        struct sm_cell c = {.place = sm, .structure = i};
        for (c.field = 0; sm < s.places && c.field < s.nfields; c.field++) {
            if (!is_register(m, &c) || is_in_pages(m, &c))
                continue;
            for (long n = elements(&s); n-- > 0;) {
                set_element(&s, n, &c);
                struct sm_force to = sm_cell_force(m->img, &c, 0);
                struct spot from = spot_of(m, &s, &c);
                uint32_t v = get(&from);
                memcpy((char *)&m->gpu->sm[sm].s + to.offset, &v, to.width);
            }
        }
    }
}

/* ---- machines -------------------------------------------------------------------------------- */

static struct smrtl *make(const struct sm_image *img, const char *model, bool gates,
                          struct fl_err *err)
{
    enum { PARAM_BYTES = 4 * JOB_MAX_PARAMS };
    const struct smrtl_ops *ops = find(img, model, gates);
    if (img->profile.partitions > 1) {
        fl_fail(err,
                "profile %s has a memory of %d partitions, the RTL one of a single one; use "
                "--engine c",
                img->profile.name, img->profile.partitions);
        return NULL;
    }
    if (img->caches.instructions) {
        fl_fail(err, "profile %s has a cache for instructions, the RTL has none; give --engine c",
                img->profile.name);
        return NULL;
    }
    bool fetches = img->job->ntextures && img->caches.first[CACHE_TEXELS] != CACHE_MEMORY;
    if (img->caches.cache[CACHE_L1T].sets || fetches) {
        fl_fail(err,
                "profile %s has caches for textures, the RTL has those for data and constants "
                "alone; give --engine c",
                img->profile.name);
        return NULL;
    }
    if (img->profile.cache_model != CACHE_MODEL_REAL) {
        fl_fail(err, "the RTL has caches that hold data alone; give --cache-model real");
        return NULL;
    }
    if (!ops) {
        refuse(img, model, err);
        return NULL;
    }
    for (int i = 0; i < img->nlaunches; i++) {
        if (img->launch[i].params_end > JOB_PARAM0 + PARAM_BYTES) {
            fl_fail(err,
                    "launch %d: parameters up to 0x%x, the RTL has room up to 0x%x; move them down",
                    i + 1, img->launch[i].params_end, JOB_PARAM0 + PARAM_BYTES);
            return NULL;
        }
    }
    struct smrtl *m = fl_alloc(sizeof *m);
    m->ops = ops;
    m->img = img;
    m->gpu = gpu_new(img);
    m->model = ops->make(m);
    if (find_places(m, err)) {
        smrtl_free(m);
        return NULL;
    }
    return m;
}

struct smrtl *smrtl_new(const struct sm_image *img, struct fl_err *err)
{
    return make(img, NULL, false, err);
}

struct smrtl *smrtl_new_model(const struct sm_image *img, const char *model, struct fl_err *err)
{
    return make(img, model, false, err);
}

struct smrtl *smrtl_new_gates(const struct sm_image *img, struct fl_err *err)
{
    struct smrtl *m = make(img, NULL, true, err);
    if (!m || m->ops->gates)
        return m;
    fl_fail(err,
            "the RTL of profile %s was built without gates of its control; add %s:gates to "
            "FAULTLINE_RTL_MODELS",
            img->profile.name, img->profile.name);
    smrtl_free(m);
    return NULL;
}

void smrtl_free(struct smrtl *m)
{
    if (!m)
        return;
    m->ops->free(m->model);
    gpu_free(m->gpu);
    free(m->place);
    free(m);
}

bool smrtl_ended(const struct smrtl *m)
{
    return m->ended;
}

void smrtl_tick(struct smrtl *m)
{
    if (m->ended)
        return;
    m->ops->tick(m);
    smrtl_apply_holds(m);
}

void smrtl_run(struct smrtl *m, uint64_t cycle)
{
    while (!m->ended && m->cycle < cycle)
        smrtl_tick(m);
}

const struct sm_commit *smrtl_commit(const struct smrtl *m, int from)
{
    for (int i = from; m->record && i < m->img->sms; i++)
        if (m->record[i].kind != COMMIT_NONE || m->record[i].started >= 0)
            return &m->record[i];
    return NULL;
}

void smrtl_step(struct smrtl *m)
{
    do
        smrtl_tick(m);
    while (!m->ended && m->record && !smrtl_commit(m, 0));
}

uint64_t smrtl_cycles(const struct smrtl *m)
{
    return m->cycle;
}

uint64_t smrtl_instructions(const struct smrtl *m)
{
    uint64_t sum = 0;
    for (int i = 0; i < m->img->sms; i++)
        sum += m->instructions[i];
    return sum;
}

uint64_t smrtl_commits(const struct smrtl *m)
{
    return m->commits;
}

void smrtl_record(struct smrtl *m, struct sm_commit *record)
{
    m->record = record;
}

const struct gpu *smrtl_end(struct smrtl *m)
{
    m->ops->state(m);
    return m->gpu;
}

struct sm_memory *smrtl_memory(struct smrtl *m)
{
    return &m->gpu->memory;
}

void smrtl_look_again(struct smrtl *m)
{
    m->ops->settle(m);
}

const struct gpu *smrtl_state(struct smrtl *m)
{
    m->ops->state(m);
    for (int i = 0; i < m->gpu->sms; i++)
        copy_structures(m, i);
    return m->gpu;
}

void smrtl_force_le(struct smrtl *m, int sm, int warp, int le, struct smrtl_le mask,
                    struct smrtl_le value)
{
    m->ops->force_le(m, sm, warp, le, mask, value);
}

int smrtl_replace_unit(struct smrtl *m, const struct sm_pins *unit, int number,
                       const struct sm_override *by)
{
    const bool lane = unit == &sm_lane_pins;
    int control = -1;
    for (int i = 0; i < SM_CONTROLS; i++)
        if (unit == &sm_control_pins[i])
            control = i;
    if (lane ? number < 0 || number >= m->img->profile.sps
             : control < 0 || number != 0 || !m->ops->gates)
        return -1;
    m->by = lane ? by : NULL;
    m->control = lane ? NULL : by;
    m->ops->replace(m, number, control + 1);
    return 0;
}

/* What rtl/sm_gates.sv calls: vectors are 32-bit words there. */
static void unpack(const uint32_t *from, int bits, int first, uint64_t to[SM_CONTROL_WORDS])
{
    const int words = (bits + 31) / 32;
    for (int i = 0, at = first; i < words; i++, at += 32) {
        to[at / 64] |= (uint64_t)from[i] << at % 64;
        if (at % 64 > 32)
            to[at / 64 + 1] |= (uint64_t)from[i] >> (64 - at % 64);
    }
}

/* What unpack() touches, in bytes. */
static size_t words_of(int bits)
{
    return ((size_t)bits / 64 + 1) * sizeof(uint64_t);
}

static void ask(unsigned long long handle, bool at_edge, int first_in, int ins, int first, int outs,
                const uint32_t *seen, const uint32_t *own, uint32_t *is)
{
    const struct sm_override *by = (const struct sm_override *)(uintptr_t)handle;
    uint64_t in[SM_CONTROL_WORDS + 1], out[SM_CONTROL_WORDS + 1];
    const size_t bytes = (size_t)(outs + 31) / 32 * sizeof *is;
    if (by->part && (by->to <= first || by->from >= first + outs)) {
        memcpy(is, own, bytes);
        return;
    }
    memset(in, 0, words_of(by->part ? by->inputs : ins)); /* other parts' are looked at, in vain */
    memset(out, 0, words_of(outs));
    unpack(seen, ins, first_in, in);
    unpack(own, outs, 0, out);
    if (by->part)
        (at_edge ? by->write : by->part)(by->context, first, outs, in, out);
    else
        by->answer(by->context, in, out);
    memcpy(is, out, bytes); /* little endian, as all that run this */
}

void smrtl_gates_answer(unsigned long long handle, int first_in, int ins, int first, int outs,
                        const uint32_t *seen, const uint32_t *own, uint32_t *is)
{
    ask(handle, false, first_in, ins, first, outs, seen, own, is);
}

void smrtl_gates_write(unsigned long long handle, int first_in, int ins, int first, int outs,
                       const uint32_t *seen, const uint32_t *own, uint32_t *is)
{
    ask(handle, true, first_in, ins, first, outs, seen, own, is);
}

int smrtl_gates_listens(unsigned long long handle)
{
    return ((const struct sm_override *)(uintptr_t)handle)->edge != NULL;
}

void smrtl_gates_edge(unsigned long long handle, int ins, int outs, const uint32_t *seen,
                      const uint32_t *own)
{
    const struct sm_override *by = (const struct sm_override *)(uintptr_t)handle;
    uint64_t in[SM_CONTROL_WORDS + 1], out[SM_CONTROL_WORDS + 1];
    memset(in, 0, words_of(ins));
    memset(out, 0, words_of(outs));
    unpack(seen, ins, 0, in);
    unpack(own, outs, 0, out);
    by->edge(by->context, in, out);
}

void smrtl_copy(struct smrtl *to, const struct smrtl *from)
{
    /* first: what follows a launch may stand there */
    sm_memory_copy(&to->gpu->memory, &from->gpu->memory);
    to->ops->copy(to, from);
    to->cycle = from->cycle;
    memcpy(to->instructions, from->instructions, sizeof to->instructions);
    to->commits = from->commits;
    to->clock_reads = from->clock_reads;
    to->ended = from->ended;
    to->nholds = from->nholds;
    to->times_held = from->times_held;
    memcpy(to->hold, from->hold, sizeof to->hold);
}

bool smrtl_same(const struct smrtl *a, const struct smrtl *b, bool relative)
{
    return (!relative || a->clock_reads == b->clock_reads) && a->ops->same(a, b, relative) &&
           sm_memory_equal(&a->gpu->memory, &b->gpu->memory);
}

int smrtl_trace(struct smrtl *m, const char *path, struct fl_err *err)
{
    if (m->ops->trace(m, path) == 0)
        return 0;
    return fl_fail(
        err,
        "%s: no waves; build with -DFAULTLINE_RTL_TRACE=ON, and name a file that can be written",
        path);
}

/* ---- lock step ------------------------------------------------------------------------------- */

static bool lanes_differ(const uint32_t *a, const uint32_t *b, uint32_t lanes)
{
    for (int l = 0; l < SM_LANES; l++)
        if (lanes >> l & 1 && a[l] != b[l])
            return true;
    return false;
}

static bool stacks_differ(const struct sm_commit *a, const struct sm_commit *b)
{
    if (a->nstack != b->nstack)
        return true;
    for (int i = 0; i < a->nstack; i++) {
        const struct sm_stack_event *x = &a->stack[i], *y = &b->stack[i];
        if (x->push != y->push || x->le != y->le || x->id != y->id || x->tm != y->tm ||
            x->spc != y->spc)
            return true;
    }
    return false;
}

static const char *instruction_differs(const struct sm_commit *a, const struct sm_commit *b)
{
    if (a->uop != b->uop)
        return "instruction";
    if (a->uop && (a->lo != b->lo || a->hi != b->hi))
        return "instruction words";
    if (a->uop && !(a->uop->in.size == 8 && a->pc & 7) && a->exec != b->exec)
        return "executing lanes";
    if (a->nregs != b->nregs || (a->nregs && a->reg_row != b->reg_row))
        return "registers written";
    for (int i = 0; i < a->nregs; i++)
        if (lanes_differ(a->reg[i], b->reg[i], a->reg_mask))
            return "values of registers";
    if (a->cc != b->cc || (a->cc >= 0 && memcmp(&a->flags, &b->flags, sizeof a->flags) != 0))
        return "condition codes";
    if (a->areg != b->areg)
        return "address register written";
    for (int l = 0; a->areg >= 0 && l < SM_LANES; l++)
        if (a->a[l] != b->a[l])
            return "values of an address register";
    if (a->space != b->space || (a->space && (a->bytes != b->bytes || a->store != b->store)))
        return "memory access";
    if (a->space && lanes_differ(a->addr, b->addr, a->exec))
        return "addresses";
    for (uint32_t k = 0; a->space && a->store && k < sm_words(a->bytes); k++)
        if (lanes_differ(a->data[k], b->data[k], a->exec))
            return "values stored";
    return NULL;
}

const char *smrtl_commit_differs(const struct sm_commit *a, const struct sm_commit *b)
{
    if (a->cycle != b->cycle)
        return "cycle";
    if (a->sm != b->sm)
        return "SM";
    if (a->kind != b->kind)
        return "kind of commit";
    if (a->started != b->started)
        return "start of a block";
    if (a->launch != b->launch)
        return "launch";
    if (a->kind == COMMIT_NONE)
        return NULL;
    if (a->warp != b->warp)
        return "warp";
    if (a->block_x != b->block_x || a->block_y != b->block_y)
        return "block";
    if (a->reg_base != b->reg_base || a->regs != b->regs)
        return "registers of the warp";
    if (a->pc != b->pc)
        return "pc";
    if (a->active != b->active)
        return "active mask";
    const char *field = a->kind == COMMIT_INSTRUCTION ? instruction_differs(a, b) : NULL;
    if (field)
        return field;
    if (stacks_differ(a, b))
        return "divergence stack";
    if (a->trap != b->trap)
        return "trap";
    if (a->ended != b->ended)
        return "end of the warp";
    if (a->pc_after != b->pc_after)
        return "pc afterwards";
    return a->active_after != b->active_after ? "active mask afterwards" : NULL;
}

enum { HISTORY = 64, SHOWN = 8 };

static void print_line(const struct sm_image *img, const char *head, const struct sm_commit *c,
                       struct fl_buf *out)
{
    fl_buf_printf(out, "%s", head);
    sm_commit_print(img, c, out);
    fl_buf_printf(out, "\n");
}

static bool of_one_warp(const struct sm_commit *a, const struct sm_commit *b)
{
    return a->sm == b->sm && a->warp == b->warp;
}

/* The last commits of the warp that differs, oldest first. */
static void print_history(const struct sm_image *img, const struct sm_commit *history,
                          uint64_t commits, const struct sm_commit *of, struct fl_buf *out)
{
    uint64_t oldest = commits > HISTORY ? commits - HISTORY : 0, from = commits;
    for (int n = 0; from > oldest && n < SHOWN; from--)
        n += of_one_warp(&history[(from - 1) % HISTORY], of);
    fl_buf_printf(out, "the last commits of warp %d that agree:\n", of->warp);
    for (uint64_t i = from; i < commits; i++)
        if (of_one_warp(&history[i % HISTORY], of))
            print_line(img, "        ", &history[i % HISTORY], out);
}

/* Locks, lines of caches and their state, bit for bit. */
static bool cells_differ(const struct gpu *c, const struct smrtl *rtl)
{
    for (int i = SM_S_lock; i <= SM_S_l2_data; i++) {
        struct sm_structure s;
        sm_structure_get(c->img, i, &s);
        struct sm_cell cell = {.structure = i};
        for (cell.place = 0; cell.place < s.places; cell.place++)
            for (long n = 0; n < elements(&s); n++) {
                set_element(&s, n, &cell);
                for (cell.field = 0; cell.field < s.nfields; cell.field++) {
                    struct sm_force at = sm_cell_force(c->img, &cell, 0);
                    if (gpu_word_read(c, &at) != smrtl_read(rtl, &cell))
                        return true;
                }
            }
    }
    return false;
}

static const char *end_differs(const struct gpu *c, const struct gpu *r)
{
    const struct sm_state *x = gpu_end_state(c), *y = gpu_end_state(r);
    if (x->trap != y->trap || c->grid.done != r->grid.done || x->deadlock != y->deadlock)
        return "how the job ends";
    if (x->next != y->next)
        return "cycles of the job";
    if (x->trap &&
        (gpu_turn(c) != gpu_turn(r) || x->trap_pc != y->trap_pc || x->trap_warp != y->trap_warp))
        return "place of the trap";
    for (int i = 0; i < c->sms; i++) {
        const struct sm_state *s = &c->sm[i].s, *t = &r->sm[i].s;
        if (s->instructions != t->instructions)
            return "number of instructions";
        if (memcmp(s->rf, t->rf, sizeof s->rf) != 0)
            return "register file";
        if (memcmp(s->shared, t->shared, sizeof s->shared) != 0)
            return "shared memory";
    }
    if (memcmp(c->counts, r->counts, sizeof c->counts) != 0)
        return "hits, misses and write-backs";
    return gpu_outputs_equal(c, r) ? NULL : "outputs";
}

/* The next of the RTL's commits in the order (cycle, number of the SM); `at` is the one before, or NULL. */
static const struct sm_commit *next_commit(struct smrtl *rtl, const struct sm_commit *at)
{
    const struct sm_commit *r = at ? smrtl_commit(rtl, (int)(at - rtl->record) + 1) : NULL;
    if (r || rtl->ended)
        return r;
    smrtl_step(rtl);
    return smrtl_commit(rtl, 0);
}

static void print_end(const char *head, const struct gpu *g, struct fl_buf *account)
{
    fl_buf_printf(account, "  %s: %" PRIu64 " cycles, trap %s%s\n", head, gpu_cycles(g),
                  sm_trap_name(gpu_trap(g)), gpu_deadlocked(g) ? ", deadlock" : "");
}

static int compare(const struct sm_image *img, struct gpu *c, struct smrtl *rtl, uint64_t limit,
                   struct smrtl_lockstep *stats, struct fl_buf *account)
{
    struct sm_commit *history = fl_alloc(HISTORY * sizeof *history), a;
    struct sm_commit *records = fl_alloc((size_t)img->sms * sizeof *records);
    static const struct sm_commit nothing = {.started = -1};
    const char *field = NULL;
    const struct sm_commit *commit = NULL;
    memset(&a, 0, sizeof a);
    gpu_record(c, &a);
    smrtl_record(rtl, records);
    stats->commits = 0;
    while (!field &&
           !(gpu_ended(c) && rtl->ended &&
             !(commit && smrtl_commit(rtl, (int)(commit - records) + 1))) &&
           gpu_cycles(c) < limit) {
        if (gpu_ended(c))
            a = nothing; /* a chip that has ended leaves the last record as it is */
        else
            gpu_step(c);
        commit = next_commit(rtl, commit);
        const struct sm_commit *b = commit ? commit : &nothing;
        bool none = a.kind == COMMIT_NONE && a.started < 0;
        if (none && !commit)
            break; /* both have ended without a further commit */
        field = none != !commit ? "number of commits" : smrtl_commit_differs(&a, b);
        if (field) {
            fl_buf_printf(account, "the machines differ in cycle %" PRIu64 ": %s\n",
                          commit && b->cycle < a.cycle ? b->cycle : a.cycle, field);
            print_history(img, history, stats->commits, a.kind == COMMIT_NONE ? b : &a, account);
            print_line(img, "C model ", &a, account);
            print_line(img, "RTL     ", b, account);
            break;
        }
        history[stats->commits++ % HISTORY] = a;
    }
    while (!field && gpu_ended(c) && !smrtl_ended(rtl) && smrtl_cycles(rtl) < gpu_cycles(c) + 1000)
        smrtl_tick(rtl); /* a deadlock shows when the pipeline has run empty */
    stats->cycles = gpu_cycles(c);
    if (!field && gpu_ended(c)) {
        const struct gpu *r = smrtl_state(rtl);
        field = end_differs(c, r);
        if (!field && cells_differ(c, rtl))
            field = "locks, or what caches hold";
        if (field) {
            fl_buf_printf(account, "the machines differ at the end: %s\n", field);
            print_end("C model", c, account);
            print_end("RTL", r, account);
        }
    }
    gpu_record(c, NULL);
    smrtl_record(rtl, NULL);
    free(history);
    free(records);
    return field ? -1 : 0;
}

int smrtl_compare(const struct sm_image *img, struct gpu *c, struct smrtl *rtl, uint64_t limit,
                  struct smrtl_lockstep *stats, struct fl_buf *account)
{
    struct fl_err err;
    struct smrtl *own = rtl ? NULL : smrtl_new(img, &err);
    if (!rtl && !own) {
        fl_buf_printf(account, "%s\n", err.msg);
        return -1;
    }
    int result = compare(img, c, rtl ? rtl : own, limit, stats, account);
    smrtl_free(own);
    return result;
}
