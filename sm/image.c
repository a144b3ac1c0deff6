/* image.c -- builds what never changes while a job runs: decoded code, launches, the memory map and its contents.
 *
 * Code is decoded here, once. Every 4-byte address gets an entry, also the second words of two-word instructions,
 * because a faulty machine may jump between them.
 */
#include "machine.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static uint32_t round_up(uint32_t n, uint32_t to)
{
    return (n + to - 1) / to * to;
}

static enum sm_unit unit_of(const struct isa_insn *in, sm_alu_fn alu)
{
    switch ((enum isa_op)in->op) {
    case OP_NOP: return UNIT_NOP;
    case OP_BRA: return UNIT_BRA;
    case OP_CAL: return UNIT_CAL;
    case OP_RET: return UNIT_RET;
    case OP_SSY: return UNIT_SSY;
    case OP_PBK: return UNIT_PBK;
    case OP_BRK: return UNIT_BRK;
    case OP_BAR: return UNIT_BAR;
    case OP_TRAP: return UNIT_TRAP;
    case OP_R2A: return UNIT_R2A;
    case OP_A2R: return UNIT_A2R;
    case OP_ADA: return UNIT_ADA;
    case OP_C2R: return UNIT_C2R;
    case OP_R2C: return UNIT_R2C;
    case OP_S2R: return UNIT_S2R;
    default: break;
    }
    bool memory_dst = in->dst.kind == ISA_S || in->dst.kind == ISA_G || in->dst.kind == ISA_L;
    bool memory_src = in->src[0].kind == ISA_G || in->src[0].kind == ISA_L;
    bool wide = in->dst.type == T_B64 || in->dst.type == T_B128;
    if (memory_dst)
        return UNIT_STORE;
    if (memory_src || (wide && (in->src[0].kind == ISA_S || in->src[0].kind == ISA_K)))
        return UNIT_LOAD;
    if (in->op == OP_MOV || in->op == OP_MVC)
        return UNIT_MOVE;
    return alu ? UNIT_ALU : UNIT_UNSUPPORTED;
}

/* The operand that decides how long an access takes: off-chip before on-chip. */
static void find_memory_operand(struct sm_uop *u)
{
    const struct isa_operand *list[4] = {&u->in.dst, &u->in.src[0], &u->in.src[1], &u->in.src[2]};
    for (int i = 3; i >= 0; i--)
        if ((list[i]->kind == ISA_S || list[i]->kind == ISA_K) && list[i]->areg) {
            u->memory = list[i];
            u->banked = true;
        }
    for (int i = 3; i >= 0; i--)
        if (list[i]->kind == ISA_G || list[i]->kind == ISA_L) {
            u->memory = list[i];
            u->offchip = true;
        }
    for (int i = 0; i < 4; i++)
        u->postinc |= list[i]->postinc;
    const struct isa_operand *o = u->memory;
    u->word_shared = o && o->kind == ISA_S && o->areg <= 4 && !o->postinc && o->type == T_B32 &&
                     o->value <= 0x7fff && o->value % 4 == 0;
}

/* A post-increment of $a0: the address is $a0 itself, which is 0 and stays so. */
static void plain_a0(struct isa_insn *in)
{
    struct isa_operand *list[4] = {&in->dst, &in->src[0], &in->src[1], &in->src[2]};
    for (int i = 0; i < 4; i++)
        if (list[i]->postinc && list[i]->areg == 0) {
            list[i]->postinc = false;
            list[i]->value = 0;
        }
}

static void decode_uop(const uint8_t *bytes, uint32_t left, bool wide_code, struct sm_uop *u)
{
    uint32_t hi = 0;
    memcpy(&u->lo, bytes, 4);
    if (left >= 8)
        memcpy(&hi, bytes + 4, 4);
    int size = isa_decode(u->lo, hi, wide_code, &u->in);
    if (size == 0 || (uint32_t)size > left)
        return; /* unit stays UNIT_NONE */
    u->hi = size == 8 ? hi : 0;
    plain_a0(&u->in);
    u->alu = sm_alu_select(&u->in);
    u->unit = (uint8_t)unit_of(&u->in, u->alu);
    u->sfu = isa_op_class((enum isa_op)u->in.op) == ISA_SFU;
    find_memory_operand(u);
    for (int i = 0; i < 3; i++) {
        const struct isa_operand *s = &u->in.src[i];
        if (s->kind != ISA_NONE)
            u->nsrc = (uint8_t)(i + 1);
        if (s->kind == ISA_I) {
            u->imm[i] = fl_alloc(SM_LANES * sizeof *u->imm[i]);
            for (int l = 0; l < SM_LANES; l++)
                u->imm[i][l] = s->value;
        }
    }
}

static void build_code(const struct sm_image *img, struct sm_kernel *k,
                       const struct cubin_kernel *src)
{
    bool wide_code = img->profile.code_bits == 32;
    uint32_t sfu = (uint32_t)img->profile.sfu_cycles;
    k->ncode = src->ncode;
    k->code = fl_alloc((size_t)(src->ncode + 1) * sizeof *k->code); /* the last one empty */
    for (int i = 0; i < src->ncode; i++) {
        struct sm_code *c = &k->code[i];
        c->base = src->code[i].base;
        c->size = src->code[i].size / 4 * 4;
        c->uop = fl_alloc(c->size / 4 * sizeof *c->uop);
        for (uint32_t at = 0; at < c->size; at += 4) {
            struct sm_uop *u = &c->uop[at / 4];
            decode_uop(src->code[i].bytes + at, c->size - at, wide_code, u);
            u->cycles = u->sfu && sfu > img->beats ? sfu : img->beats;
            u->always = u->in.pred == PRED_ALWAYS && u->in.lanes == 15;
            if (u->in.size == 4 || (c->base + at) % 8 == 0)
                quick_select(u, (uint32_t)k->regs);
        }
    }
}

/* A launch as the block launcher needs it. Sizes were checked against the profile by job_finish. */
static void build_launch(struct sm_launch *l, const struct job_launch *src,
                         const struct cubin_kernel *k)
{
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
}

/* How many blocks of a launch can be resident at once: bounds what of the state the job can touch. */
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
    uint32_t whole = size;
    for (int i = 0; i < job->nconsts; i++)
        if (job->konst[i].bank == bank && job->konst[i].offset + job->konst[i].size > whole)
            whole = job->konst[i].offset + job->konst[i].size;
    if (whole == 0)
        return;
    uint8_t *bytes = fl_alloc(round_up(whole, SM_PAGE));
    if (size)
        memcpy(bytes, data, size);
    for (int i = 0; i < job->nconsts; i++)
        if (job->konst[i].bank == bank)
            memcpy(bytes + job->konst[i].offset, job->konst[i].data, job->konst[i].size);
    img->kernel[kernel].bank[bank] = (struct sm_bank){*end, whole};
    fl_buf_add(mem, bytes, round_up(whole, SM_PAGE));
    *end += round_up(whole, SM_PAGE);
    free(bytes);
}

/* c14[], where programs find the addresses of their __device__ variables. Returns its size. */
static uint32_t build_addresses(const struct job *job, uint8_t **out)
{
    const struct cubin *c = job->cubin;
    uint32_t size = 0;
    for (int i = 0; i < c->naddresses; i++)
        if (c->address[i].offset + 4 > size)
            size = c->address[i].offset + 4;
    *out = fl_alloc(size);
    for (int i = 0; i < c->naddresses; i++) {
        const struct cubin_address *a = &c->address[i];
        int b = job_find_buffer(job, c->variable[a->variable].name);
        uint32_t addr = job->buffer[b].addr + a->plus; /* job_place has made the buffer */
        memcpy(*out + a->offset, &addr, 4);
    }
    return size;
}

static void build_page_buffers(struct sm_image *img)
{
    img->page_buffer = fl_alloc(img->global_bytes / SM_PAGE * sizeof *img->page_buffer);
    for (int i = 0; i < img->nbuffers; i++) {
        const struct sm_buffer *b = &img->buffer[i];
        uint32_t at = b->addr - JOB_BASE;
        for (uint32_t p = at / SM_PAGE; b->size && p <= (at + b->size - 1) / SM_PAGE; p++) {
            assert(!img->page_buffer[p]);
            img->page_buffer[p] = b;
        }
    }
}

static void build_memory(struct sm_image *img, const struct job *job)
{
    img->nbuffers = job->nbuffers;
    img->buffer = fl_alloc((size_t)job->nbuffers * sizeof *img->buffer);
    for (int i = 0; i < job->nbuffers; i++) {
        img->buffer[i] = (struct sm_buffer){job->buffer[i].addr, job->buffer[i].size};
        uint32_t end = job->buffer[i].addr + job->buffer[i].size - JOB_BASE;
        if (end > img->global_bytes)
            img->global_bytes = end;
    }
    img->global_bytes = round_up(img->global_bytes, SM_PAGE);
    build_page_buffers(img);

    struct fl_buf consts = {0};
    uint32_t end = img->global_bytes, local = 0;
    uint8_t *addresses;
    uint32_t addresses_size = build_addresses(job, &addresses);
    for (int k = 0; k < img->nkernels; k++) {
        const struct cubin_kernel *src = &job->cubin->kernel[k];
        for (int bank = 0; bank < 16; bank++) {
            if (bank == 0)
                add_bank(img, job, k, 0, job->cubin->const0, job->cubin->const0_size, &end,
                         &consts);
            else if (bank == 1)
                add_bank(img, job, k, 1, src->const1, src->const1_size, &end, &consts);
            else if (bank == 14)
                add_bank(img, job, k, 14, addresses, addresses_size, &end, &consts);
            else
                add_bank(img, job, k, bank, NULL, 0, &end, &consts);
        }
        if (src->local_bytes > local)
            local = src->local_bytes;
    }
    free(addresses);
    img->local_offset = end;
    img->mem_bytes = end +
                     round_up(round_up(local, 4) * SM_LANES * (uint32_t)img->warps_used, SM_PAGE);
    img->npages = img->mem_bytes / SM_PAGE;
    img->initial = fl_alloc(img->mem_bytes);
    for (int i = 0; i < job->nbuffers; i++)
        if (job->buffer[i].size)
            memcpy(img->initial + job->buffer[i].addr - JOB_BASE, job->buffer[i].init,
                   job->buffer[i].size);
    if (consts.size)
        memcpy(img->initial + img->global_bytes, consts.data, consts.size);
    fl_buf_free(&consts);
}

struct sm_image *sm_image_new(const struct job *job, struct fl_err *err)
{
    if (job->nlaunches < 1) {
        fl_fail(err, "%s: the job has no launch; add a <launch>", job->path);
        return NULL;
    }
    struct sm_image *img = fl_alloc(sizeof *img);
    img->profile = job->profile;
    img->beats = SM_LANES / (uint32_t)job->profile.sps;
    img->job = job;
    img->nkernels = job->cubin->nkernels;
    img->kernel = fl_alloc((size_t)img->nkernels * sizeof *img->kernel);
    for (int k = 0; k < img->nkernels; k++) {
        img->kernel[k].name = job->cubin->kernel[k].name;
        img->kernel[k].regs = job->cubin->kernel[k].regs;
        img->kernel[k].local_bytes = round_up(job->cubin->kernel[k].local_bytes, 4);
        build_code(img, &img->kernel[k], &job->cubin->kernel[k]);
    }
    img->nlaunches = job->nlaunches;
    img->launch = fl_alloc((size_t)job->nlaunches * sizeof *img->launch);
    for (int i = 0; i < job->nlaunches; i++) {
        struct sm_launch *l = &img->launch[i];
        build_launch(l, &job->launch[i], &job->cubin->kernel[job->launch[i].kernel_index]);
        int n = resident_blocks(&img->profile, l);
        if (n < 1) {
            fl_fail(
                err,
                "%s: launch %d: a block of kernel %s does not fit profile %s; use smaller blocks",
                job->path, i + 1, img->kernel[l->kernel].name, img->profile.name);
            sm_image_free(img);
            return NULL;
        }
        if (n * l->warps > img->warps_used)
            img->warps_used = n * l->warps;
        if (n * l->regs > img->regs_used)
            img->regs_used = n * l->regs;
        if ((uint32_t)n * l->shared > img->shared_used)
            img->shared_used = (uint32_t)n * l->shared;
    }
    build_memory(img, job);
    return img;
}

void sm_image_free(struct sm_image *img)
{
    if (!img)
        return;
    for (int k = 0; k < img->nkernels; k++) {
        for (int i = 0; i < img->kernel[k].ncode; i++) {
            struct sm_code *c = &img->kernel[k].code[i];
            for (uint32_t u = 0; u < c->size / 4; u++)
                for (int s = 0; s < 3; s++)
                    free(c->uop[u].imm[s]);
            free(c->uop);
        }
        free(img->kernel[k].code);
    }
    for (int i = 0; img->launch && i < img->nlaunches; i++) {
        free(img->launch[i].params);
        free(img->launch[i].r0);
    }
    free(img->kernel);
    free(img->launch);
    free(img->buffer);
    free(img->page_buffer);
    free(img->initial);
    free(img);
}
