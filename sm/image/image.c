/* image.c -- builds what never changes while a job runs: decoded code, launches, the memory map and
 * its contents. */
#include "sm/image.h"

#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "sm/state.h"

static uint32_t round_up(uint32_t n, uint32_t to)
{
    return (n + to - 1) / to * to;
}

/* A launch as the block launcher needs it; `l` has its place in the list of all. Sizes were checked
 * against the profile by job_finish. */
static void build_launch(struct sm_launch *l, const struct job_launch *src,
                         const struct cubin_kernel *k)
{
    if (src->back) {
        *l = l[-src->back];
        l->shares = true;
        l->last_pass = src->last_pass;
        return; /* but for the steps, all else is alike */
    }
    l->before = (struct sm_steps){0};
    l->kernel = src->kernel_index;
    memcpy(l->grid, src->grid, sizeof l->grid);
    memcpy(l->block, src->block, sizeof l->block);
    l->blocks = l->grid[0] * l->grid[1];
    l->threads = (int)(l->block[0] * l->block[1] * l->block[2]);
    l->warps = (l->threads + SM_LANES - 1) / SM_LANES;
    l->regs = l->warps * SM_LANES * k->regs;
    l->params_end = 0x10;
    for (int i = 0; i < src->nparams; i++)
        if (src->param[i].offset + 4 > l->params_end)
            l->params_end = src->param[i].offset + 4;
    uint32_t fixed = k->shared_bytes > l->params_end ? k->shared_bytes : l->params_end;
    l->shared = round_up(fixed + src->shared, 16);
    l->r0 = fl_alloc((size_t)l->warps * SM_LANES * sizeof *l->r0);
    for (uint32_t t = 0, x = l->block[0], y = l->block[1]; t < (uint32_t)l->threads; t++)
        l->r0[t] = t % x | t / x % y << 16 | t / (x * y) << 26;
    l->params = fl_alloc(l->params_end);
    for (int i = 0; i < src->nparams; i++)
        memcpy(l->params + src->param[i].offset, &src->param[i].value, 4);
    l->decides = src->decides;
    l->last_pass = src->last_pass;
    l->word = src->word;
    l->until = src->until;
    l->over = (uint32_t)src->over;
}

/* How many blocks of a launch can be resident at once: bounds what of the state the job can
 * touch. */
static int resident_blocks(const struct profile *p, const struct sm_launch *l)
{
    int n = p->blocks_per_sm;
    int by_warps = p->warps / l->warps, by_threads = p->threads_per_sm / l->threads;
    int by_regs = l->regs ? p->regs / l->regs : n;
    int by_shared = p->shared_bytes / (int)l->shared;
    n = by_warps < n ? by_warps : n;
    n = by_threads < n ? by_threads : n;
    n = by_regs < n ? by_regs : n;
    n = by_shared < n ? by_shared : n;
    return (uint32_t)n > l->blocks ? (int)l->blocks : n;
}

static void add_bank(struct sm_image *img, const struct job *job, int kernel, int bank,
                     const uint8_t *data, uint32_t size, uint32_t *end, struct fl_buf *mem)
{
    /* the job's own constants lie over the cubin's and may lengthen the bank */
    const int module = job->cubin->kernel[kernel].module;
    uint32_t whole = size;
    for (int i = 0; i < job->nconsts; i++)
        if (job->konst[i].bank == bank && job->konst[i].module == module &&
            job->konst[i].offset + job->konst[i].size > whole)
            whole = job->konst[i].offset + job->konst[i].size;
    for (int i = 0; i < job->nsteps; i++)
        if (job->step[i].konst && job->step[i].bank == bank && job->step[i].module == module &&
            job->step[i].offset + job->step[i].size > whole)
            whole = job->step[i].offset + job->step[i].size;
    if (whole == 0)
        return;
    uint8_t *bytes = fl_alloc(round_up(whole, SM_PAGE));
    if (size)
        memcpy(bytes, data, size);
    for (int i = 0; i < job->nconsts; i++)
        if (job->konst[i].bank == bank && job->konst[i].module == module)
            memcpy(bytes + job->konst[i].offset, job->konst[i].data, job->konst[i].size);
    img->kernel[kernel].bank[bank] = (struct sm_bank){*end, whole};
    fl_buf_add(mem, bytes, round_up(whole, SM_PAGE));
    *end += round_up(whole, SM_PAGE);
    free(bytes);
}

/* c14[], where programs find the addresses of their __device__ variables. Returns its size. */
static uint32_t build_addresses(const struct job *job, const struct cubin_module *m, uint8_t **out)
{
    const struct cubin *c = job->cubin;
    uint32_t size = 0;
    for (int i = 0; i < m->naddresses; i++)
        if (m->address[i].offset + 4 > size)
            size = m->address[i].offset + 4;
    *out = fl_alloc(size);
    for (int i = 0; i < m->naddresses; i++) {
        const struct cubin_address *a = &m->address[i];
        int b = job_find_buffer(job, c->variable[a->variable].name);
        uint32_t addr = job->buffer[b].addr + a->plus; /* job_place has made the buffer */
        memcpy(*out + a->offset, &addr, 4);
    }
    return size;
}

/* No page has two: job_place begins each buffer on a page of its own. */
static void map_pages(struct sm_image *img, const struct sm_buffer *b)
{
    uint32_t at = b->addr - JOB_BASE;
    for (uint32_t p = at / SM_PAGE; b->size && p <= (at + b->size - 1) / SM_PAGE; p++)
        img->page_buffer[p] = b;
}

/* ---- what the host does ---------------------------------------------------------------------- */

/* Pages for what the host reads: each output word by word as it lies in its buffer. */
static void place_taken(struct sm_image *img, const struct job *job)
{
    uint32_t end = img->global_bytes;
    img->taken = fl_alloc((size_t)job->noutputs * sizeof *img->taken);
    for (int i = 0; i < job->noutputs; i++) {
        const struct job_output *o = &job->output[i];
        if (!o->taken)
            continue;
        img->taken[i] = end + o->offset % 4;
        end = round_up(img->taken[i] + o->size, 4);
    }
    img->const_offset = round_up(end, SM_PAGE);
}

/* A step of the job is one of the image; a write of constants one for each kernel. */
static struct sm_steps build_steps(struct sm_image *img, const struct job *job,
                                   const struct job_steps *of, uint32_t *room)
{
    struct sm_steps steps = {img->nsteps, 0};
    for (int i = of->first; i < of->first + of->count; i++) {
        const struct job_step *s = &job->step[i];
        uint32_t place = s->konst ? 0 : job->buffer[s->buffer].addr + s->offset - JOB_BASE;
        struct sm_step x = {.to = place, .size = s->size, .data = s->data, .value = s->value};
        if (s->kind == STEP_COPY || s->kind == STEP_READ) {
            x.copies = true;
            x.from = place;
            x.to = s->kind == STEP_READ ? img->taken[s->output]
                                        : job->buffer[s->to].addr + s->at - JOB_BASE;
        }
        for (int k = 0; k < (s->konst ? img->nkernels : 1); k++) {
            if (s->konst && job->cubin->kernel[k].module != s->module)
                continue;
            if (s->konst)
                x.to = img->kernel[k].bank[s->bank].offset + s->offset;
            FL_ROOM(img->step, img->nsteps, *room, 64);
            img->step[img->nsteps++] = x;
        }
    }
    steps.count = img->nsteps - steps.first;
    return steps;
}

void sm_step_do(const struct sm_step *s, uint8_t *pages)
{
    if (s->data || s->copies)
        memcpy(pages + s->to, s->data ? s->data : pages + s->from, s->size);
    for (uint32_t i = 0; !s->data && !s->copies && i < s->size; i++)
        pages[s->to + i] = (uint8_t)(s->value >> 8 * (i % 4));
}

/* The first launch finds what the host has done before it. */
static void take_first_steps(struct sm_image *img)
{
    struct sm_steps *first = &img->launch[0].before;
    for (uint32_t i = first->first; i < first->first + first->count; i++)
        sm_step_do(&img->step[i], img->initial);
    first->count = 0;
}

/* Where code of the kernels from `first` on stands: lines begin at the addresses that programs see. */
static void place_code(struct sm_image *img, int first)
{
    uint32_t end = img->code_end;
    for (int k = first; img->profile.cache[CACHE_L1I].bytes && k < img->nkernels; k++)
        for (int i = 0; i < img->kernel[k].ncode; i++) {
            struct sm_code *c = &img->kernel[k].code[i];
            c->at = round_up(end, SM_MAX_LINE) + c->base % SM_MAX_LINE;
            end = c->at + c->size;
        }
    img->code_end = end;
}

static void copy_code(const struct sm_image *img, int first)
{
    for (int k = first; img->profile.cache[CACHE_L1I].bytes && k < img->nkernels; k++)
        for (int i = 0; i < img->kernel[k].ncode; i++) {
            const struct sm_code *c = &img->kernel[k].code[i];
            for (uint32_t w = 0; w < c->size / 4; w++)
                memcpy(img->initial + img->code_offset + c->at + 4 * w, &c->uop[w].lo, 4);
        }
}

/* Behind everything else: first of local memory, SM by SM, then of constant memory. */
static void place_spare_cells(struct sm_image *img)
{
    struct sm_image_cells own = {img->local_bytes, img->local_offset - img->const_offset};
    img->cells.local = own.local > img->cells.local ? own.local : img->cells.local;
    img->cells.konst = own.konst > img->cells.konst ? own.konst : img->cells.konst;
    img->spare_offset = img->mem_bytes;
    img->mem_bytes += (uint32_t)img->sms * (img->cells.local - own.local) +
                      round_up(img->cells.konst - own.konst, SM_PAGE);
}

size_t sm_image_local_cell(const struct sm_image *img, size_t sm, size_t word)
{
    size_t own = img->local_bytes / 4, spare = img->cells.local / 4 - own;
    return word < own ? img->local_offset + 4 * (sm * own + word)
                      : img->spare_offset + 4 * (sm * spare + word - own);
}

size_t sm_image_const_cell(const struct sm_image *img, size_t word)
{
    size_t own = (img->local_offset - img->const_offset) / 4;
    size_t local = (size_t)img->sms * (img->cells.local - img->local_bytes);
    return word < own ? img->const_offset + 4 * word : img->spare_offset + local + 4 * (word - own);
}

/* Of the kernels from `first` on, behind those that are there. */
static void add_banks(struct sm_image *img, const struct job *job, int first, struct fl_buf *mem)
{
    for (int k = first; k < img->nkernels; k++) {
        const struct cubin_kernel *src = &job->cubin->kernel[k];
        const struct cubin_module m = cubin_module(job->cubin, src->module);
        uint8_t *addresses;
        uint32_t size = build_addresses(job, &m, &addresses), *end = &img->const_end;
        for (int bank = 0; bank < 16; bank++) {
            if (bank == 0)
                add_bank(img, job, k, 0, m.const0, m.const0_size, end, mem);
            else if (bank == 1)
                add_bank(img, job, k, 1, src->const1, src->const1_size, end, mem);
            else if (bank == 14)
                add_bank(img, job, k, 14, addresses, size, end, mem);
            else
                add_bank(img, job, k, bank, NULL, 0, end, mem);
        }
        free(addresses);
    }
}

/* Local memory that an SM needs for any of its kernels. */
static uint32_t local_bytes(const struct sm_image *img)
{
    uint32_t most = 0;
    for (int k = 0; k < img->nkernels; k++)
        most = img->kernel[k].local_bytes > most ? img->kernel[k].local_bytes : most;
    return round_up(most * SM_LANES * (uint32_t)img->warps_used, SM_PAGE);
}

/* Bytes of the constants, of the local memory and of the code that modules may bring later, each. */
enum { LATER_BYTES = 64 << 20 };

/* What follows the constants. With `later`, with room for more in each place. */
static void place_rest(struct sm_image *img, bool later)
{
    const uint32_t room = later ? LATER_BYTES : 0, konst = img->const_end - img->const_offset,
                   local = (uint32_t)img->sms * local_bytes(img);
    img->local_bytes = local_bytes(img);
    img->local_offset = img->const_offset + (konst > room ? konst : room);
    img->code_offset = img->local_offset + (local > room ? local : room);
    img->code_bytes = round_up(img->code_end, SM_PAGE);
    if (img->profile.cache[CACHE_L1I].bytes && img->code_bytes < room)
        img->code_bytes = room;
    img->mem_bytes = cache_lay_out(&img->caches, &img->profile, img->code_offset + img->code_bytes);
    if (later) { /* cells that modules may come to address are there, to be flipped, from the start */
        img->cells.local = (img->code_offset - img->local_offset) / (uint32_t)img->sms &
                           ~(uint32_t)(SM_PAGE - 1);
        img->cells.konst = img->local_offset - img->const_offset;
        img->spare_offset = img->local_offset + (uint32_t)img->sms * img->local_bytes;
    } else {
        place_spare_cells(img);
    }
    img->npages = img->mem_bytes / SM_PAGE;
}

/* `room`: bytes that buffers may come to lie in, at least. */
static void build_memory(struct sm_image *img, const struct job *job, uint32_t room, bool later)
{
    img->nbuffers = job->nbuffers;
    img->buffer = fl_alloc(SM_MAX_JOB_BUFFERS * sizeof *img->buffer);
    img->global_bytes = room;
    for (int i = 0; i < job->nbuffers; i++) {
        img->buffer[i] = (struct sm_buffer){job->buffer[i].addr, job->buffer[i].size};
        uint32_t end = job->buffer[i].addr + job->buffer[i].size - JOB_BASE;
        if (end > img->global_bytes)
            img->global_bytes = end;
    }
    img->global_bytes = round_up(img->global_bytes, SM_PAGE);
    img->page_buffer = fl_alloc(img->global_bytes / SM_PAGE * sizeof *img->page_buffer);
    for (int i = 0; i < img->nbuffers; i++)
        map_pages(img, &img->buffer[i]);
    place_taken(img, job);

    struct fl_buf consts = {0};
    img->const_end = img->const_offset;
    add_banks(img, job, 0, &consts);
    place_code(img, 0);
    place_rest(img, later);
    img->initial = fl_alloc(img->mem_bytes);
    for (int i = 0; i < job->nbuffers; i++)
        if (job->buffer[i].size)
            memcpy(img->initial + job->buffer[i].addr - JOB_BASE, job->buffer[i].init,
                   job->buffer[i].size);
    cache_reset(&img->caches, img->sms, img->initial);
    copy_code(img, 0);
    if (consts.size)
        memcpy(img->initial + img->const_offset, consts.data, consts.size);
    fl_buf_free(&consts);
    uint32_t steps = 0;
    for (int i = 0; i < img->nlaunches; i++)
        img->launch[i].before = build_steps(img, job, &job->launch[i].before, &steps);
    img->after = build_steps(img, job, &job->after, &steps);
    if (img->nlaunches)
        take_first_steps(img);
}

static void add_kernels(struct sm_image *img, const struct job *job)
{
    for (int i = 0; i < job->cubin->ntextures; i++)
        img->texture_units |= 1u << job->cubin->texture[i].unit;
    for (int k = img->nkernels; k < job->cubin->nkernels; k++) {
        img->kernel[k].name = job->cubin->kernel[k].name;
        img->kernel[k].regs = job->cubin->kernel[k].regs;
        img->kernel[k].local_bytes = round_up(job->cubin->kernel[k].local_bytes, 4);
        decode_code(img, &img->kernel[k], &job->cubin->kernel[k]);
    }
    img->nkernels = job->cubin->nkernels;
}

static struct sm_image *start(const struct job *job, bool later)
{
    struct sm_image *img = fl_alloc(sizeof *img);
    img->profile = job->profile;
    img->sms = job->profile.sms;
    img->beats = SM_LANES / (uint32_t)job->profile.sps;
    img->job = job;
    img->kernel = fl_alloc((size_t)(later ? CUBIN_MAX_KERNELS : job->cubin->nkernels) *
                           sizeof *img->kernel); /* which machines point into */
    for (int i = 0; i < job->ntextures; i++)
        img->texture_units |= 1u << job->texture[i].unit;
    add_kernels(img, job);
    return img;
}

/* ---- textures -------------------------------------------------------------------------------- */

/* What stands in the way of an instruction that asks a texture; NULL: nothing. */
static const char *not_fetched(const struct isa_insn *in)
{
    const struct isa_texture *t = &in->tex;
    if (t->cube)
        return "cube textures are not built";
    if (in->op != OP_TEX && in->op != OP_TLD)
        return "TEX and TLD run, and no other instruction that asks a texture";
    if (t->coords > (in->op == OP_TEX ? 2 : 1))
        return in->op == OP_TEX ? "textures of 3 dimensions are not built"
                                : "TLD runs with one coordinate";
    if (t->deriv || t->offset)
        return "derivatives and offsets of coordinates are not built";
    return t->sampler != t->unit ? "texture and sampler have one number" : NULL;
}

/* Of an instruction of a launch's kernel; what no reference of the cubin names may be anything. */
static int check_fetch(const struct sm_image *img, const struct sm_kernel *k,
                       const struct sm_launch *l, uint32_t pc, const struct isa_insn *in,
                       struct fl_err *err)
{
    const struct cubin *c = img->job->cubin;
    int i = 0;
    while (i < c->ntextures && c->texture[i].unit != in->tex.unit)
        i++;
    if (i == c->ntextures)
        return 0;
    const char *why = not_fetched(in);
    if (why)
        return fl_fail(err, "%s: kernel '%.200s' reads texture '%.100s' at 0x%x by %s: %s",
                       img->job->path, k->name, c->texture[i].name, pc,
                       isa_op_name((enum isa_op)in->op), why);
    if (!img->texture[l->textures + in->tex.unit].width)
        return fl_fail(
            err,
            "%s: kernel '%.200s' reads texture '%.100s', and nothing is bound to it; put a "
            "<texture name=\"%.100s\" buffer=...> in front of the launch",
            img->job->path, k->name, c->texture[i].name, c->texture[i].name);
    return 0;
}

/* Code for a higher compute capability than the machine's may use what the machine has, and nothing else. */
static int check_capability(const struct sm_image *img, int kernel, struct fl_err *err)
{
    const struct sm_kernel *k = &img->kernel[kernel];
    const struct profile *p = &img->profile;
    for (int i = 0; img->job->cubin->kernel[kernel].sm > 10 + p->capability && i < k->ncode; i++)
        for (uint32_t at = 0; at < k->code[i].size; at += k->code[i].uop[at / 4].in.size) {
            const struct sm_uop *u = &k->code[i].uop[at / 4];
            const uint32_t pc = k->code[i].base + at, hi = at + 4 < k->code[i].size ? u[1].lo : 0;
            struct isa_insn in;
            char text[200];
            if (u->in.size)
                continue;
            if (!isa_decode(u->lo, hi, true, ISA_NEWEST, &in))
                return fl_fail(err,
                               "%s: kernel '%.200s' has %08x %08x at 0x%x, an instruction of "
                               "compute capability 1.3 (double precision) or none; compile it for "
                               "sm_12 at most",
                               img->job->path, k->name, u->lo, hi, pc);
            isa_print(u->lo, hi, text, sizeof text);
            return fl_fail(err,
                           "%s: kernel '%.200s' has %s at 0x%x, which needs compute capability "
                           "%s, and profile %s has %s; take another (g92 has 1.1, gt215 1.2)",
                           img->job->path, k->name, text, pc, isa_capability_name[in.min], p->name,
                           isa_capability_name[p->capability]);
        }
    return 0;
}

static int check_fetches(const struct sm_image *img, const struct sm_launch *l, struct fl_err *err)
{
    const struct sm_kernel *k = &img->kernel[l->kernel];
    for (int i = 0; img->job->cubin->ntextures && i < k->ncode; i++)
        for (uint32_t at = 0; at < k->code[i].size;) {
            const struct isa_insn *in = &k->code[i].uop[at / 4].in;
            bool asks = in->op == OP_TEX || in->op == OP_TLD || in->op == OP_TXB ||
                        in->op == OP_TXL || in->op == OP_TXQ;
            if (in->size && asks && check_fetch(img, k, l, k->code[i].base + at, in, err))
                return -1;
            at += in->size ? in->size : 4;
        }
    return 0;
}

/* The set of textures that a launch finds. */
static void bind_textures(struct sm_image *img, struct sm_launch *l, int count)
{
    const struct job *job = img->job;
    size_t sets = img->ntextures / TEXTURE_UNITS;
    if (!sets || count != img->textures_bound) {
        img->texture = fl_grow(img->texture, (sets + 1) * TEXTURE_UNITS, sizeof *img->texture);
        struct texture *set = &img->texture[img->ntextures];
        memset(set, 0, TEXTURE_UNITS * sizeof *set);
        for (int i = 0; i < count; i++)
            set[job->texture[i].unit] = job->texture[i].texture;
        img->ntextures += TEXTURE_UNITS;
        img->textures_bound = count;
    }
    l->textures = img->ntextures - TEXTURE_UNITS;
}

/* The next one; there is room in the list. */
static int add_launch(struct sm_image *img, const struct job_launch *src, struct fl_err *err)
{
    struct sm_launch *l = &img->launch[img->nlaunches++];
    build_launch(l, src, &img->job->cubin->kernel[src->kernel_index]);
    if (check_capability(img, l->kernel, err))
        return -1;
    if (!src->back) {
        bind_textures(img, l, src->textures);
        if (check_fetches(img, l, err))
            return -1;
    }
    int n = resident_blocks(&img->profile, l);
    if (n < 1)
        return fl_fail(
            err, "%s: launch %d: a block of kernel %s does not fit profile %s; use smaller blocks",
            img->job->path, img->nlaunches, img->kernel[l->kernel].name, img->profile.name);
    if (n * l->warps > img->warps_used)
        img->warps_used = n * l->warps;
    if (n > img->blocks_used)
        img->blocks_used = n;
    if (n * l->regs > img->regs_used)
        img->regs_used = n * l->regs;
    if ((uint32_t)n * l->shared > img->shared_used)
        img->shared_used = (uint32_t)n * l->shared;
    return 0;
}

/* Addresses in the memory pages have 32 bits. */
static int local_fits(const struct sm_image *img, struct fl_err *err)
{
    uint64_t most = 0;
    for (int k = 0; k < img->nkernels; k++)
        most = img->kernel[k].local_bytes > most ? img->kernel[k].local_bytes : most;
    most *= (uint64_t)SM_LANES * (uint64_t)img->warps_used;
    most = (most > img->cells.local ? most : img->cells.local) * (uint64_t)img->sms;
    return most <= UINT32_C(1) << 30
               ? 0
               : fl_fail(
                     err,
                     "%s: the local memory of %d SMs takes %llu MB, of which 1,024 can be; take "
                     "fewer SMs (--sms)",
                     img->job->path, img->sms, (unsigned long long)(most >> 20));
}

struct sm_image *sm_image_new(const struct job *job, struct fl_err *err)
{
    return sm_image_with_cells(job, &(struct sm_image_cells){0}, err);
}

/* The traps that a job states, by their names. */
static int find_traps(struct sm_image *img, const struct job *job, struct fl_err *err)
{
    const struct job_launch *l = &job->launch[job->nlaunches - 1];
    char *words = fl_strdup(l->trap ? l->trap : ""), *rest = words;
    int bad = 0;
    for (char *word; (word = strsep(&rest, " ")) && !bad;) {
        struct fl_nearest meant = {.typed = word};
        enum sm_trap t = 1;
        for (; t < TRAP_COUNT && strcmp(sm_trap_name(t), word) != 0; t++)
            fl_nearest_try(&meant, sm_trap_name(t), NULL);
        if (t < TRAP_COUNT)
            img->traps |= 1u << t;
        else if (l->trap)
            bad = fl_fail(err,
                          "%s:%d: trap=\"%.40s\": there is no such trap%s; smrun prints the one "
                          "that comes, docs/explain/machine.md lists all",
                          job->path, l->line, word, meant.hint);
    }
    img->beside_traps = img->traps != 0;
    free(words);
    return bad;
}

struct sm_image *sm_image_with_cells(const struct job *job, const struct sm_image_cells *least,
                                     struct fl_err *err)
{
    if (job->nlaunches < 1) {
        fl_fail(err, "%s: the job has no launch; add a <launch>", job->path);
        return NULL;
    }
    if (profile_lines_collide(&job->profile)) {
        fl_fail(err,
                "%s: the L1 caches of profile %s write lines of global memory back, which only one "
                "SM can: others would lose what they wrote; give --sms 1",
                job->path, job->profile.name);
        return NULL;
    }
    struct sm_image *img = start(job, false);
    img->cells = *least;
    img->launch = fl_alloc((size_t)job->nlaunches * sizeof *img->launch);
    for (int i = 0; i < job->nlaunches; i++)
        if (add_launch(img, &job->launch[i], err)) {
            sm_image_free(img);
            return NULL;
        }
    if (find_traps(img, job, err) || local_fits(img, err)) {
        sm_image_free(img);
        return NULL;
    }
    build_memory(img, job, 0, false);
    return img;
}

struct sm_image *sm_image_open(const struct job *job, uint32_t room)
{
    struct sm_image *img = start(job, true);
    img->live = true;
    img->warps_used = img->profile.warps;
    img->blocks_used = img->profile.blocks_per_sm;
    img->regs_used = img->profile.regs;
    img->shared_used = (uint32_t)img->profile.shared_bytes;
    build_memory(img, job, room, true);
    return img;
}

static void drop_kernels(struct sm_image *img, int first)
{
    for (int k = first; k < img->nkernels; k++) {
        decode_free(&img->kernel[k]);
        img->kernel[k] = (struct sm_kernel){0};
    }
    img->nkernels = first;
}

/* Before the first launch no machine is there, and what follows the constants may move. */
static void place_again(struct sm_image *img)
{
    const uint32_t old = img->mem_bytes, code = img->code_offset;
    memset(img->initial + code, 0, old - code);
    place_rest(img, true);
    if (img->mem_bytes > old) {
        img->initial = fl_grow(img->initial, img->mem_bytes, 1);
        memset(img->initial + old, 0, img->mem_bytes - old);
    }
    cache_reset(&img->caches, img->sms, img->initial);
    copy_code(img, 0);
}

/* Where a cache has local memory, lines of further SMs would lie at other addresses than in a job of all modules. */
static bool fits(const struct sm_image *img)
{
    const bool moves = img->sms > 1 && local_bytes(img) > img->local_bytes &&
                       profile_first_cache(&img->profile, CACHE_LOCAL) != CACHE_MEMORY;
    return !moves && img->const_end <= img->local_offset && img->code_end <= img->code_bytes &&
           (uint64_t)local_bytes(img) * (uint64_t)img->sms <= img->code_offset - img->local_offset;
}

int sm_image_add(struct sm_image *img)
{
    const uint32_t konst = img->const_end, code = img->code_end;
    const int first = img->nkernels;
    struct fl_buf consts = {0};
    struct fl_err err;
    add_kernels(img, img->job);
    add_banks(img, img->job, first, &consts);
    place_code(img, first);
    bool good = img->nlaunches ? fits(img) : local_fits(img, &err) == 0;
    if (good && !img->nlaunches)
        place_again(img);
    if (good) {
        img->local_bytes = local_bytes(img);
        img->spare_offset = img->local_offset + (uint32_t)img->sms * img->local_bytes;
        if (consts.size)
            memcpy(img->initial + konst, consts.data, consts.size);
        copy_code(img, first);
    } else {
        drop_kernels(img, first);
        img->const_end = konst;
        img->code_end = code;
    }
    fl_buf_free(&consts);
    return good ? 0 : -1;
}

int sm_image_map(struct sm_image *img, uint32_t addr, uint32_t size)
{
    if (img->nbuffers == SM_MAX_JOB_BUFFERS ||
        (uint64_t)addr + size > (uint64_t)JOB_BASE + img->global_bytes)
        return -1;
    struct sm_buffer *b = &img->buffer[img->nbuffers++];
    *b = (struct sm_buffer){addr, size};
    map_pages(img, b);
    return 0;
}

void sm_image_resize(struct sm_image *img, int buffer, uint32_t size)
{
    img->buffer[buffer].size = size;
    map_pages(img, &img->buffer[buffer]);
}

int sm_image_launch(struct sm_image *img, const struct job_launch *l, struct fl_err *err)
{
    img->launch = fl_grow(img->launch, (size_t)img->nlaunches + 1, sizeof *img->launch);
    img->launch[img->nlaunches] = (struct sm_launch){0};
    return add_launch(img, l, err);
}

void sm_image_free(struct sm_image *img)
{
    if (!img)
        return;
    drop_kernels(img, 0);
    for (int i = 0; img->launch && i < img->nlaunches; i++) {
        if (img->launch[i].shares)
            continue;
        free(img->launch[i].params);
        free(img->launch[i].r0);
    }
    free(img->kernel);
    free(img->launch);
    free(img->buffer);
    free(img->step);
    free(img->taken);
    free(img->texture);
    free(img->page_buffer);
    free(img->initial);
    free(img);
}
