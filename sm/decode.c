/* decode.c -- code into instructions.
 *
 * Code is decoded once, when the image is built. Every 4-byte address gets an entry, also the
 * second words of two-word instructions, because a faulty machine may jump between them. Only an
 * instruction that a fault changed on its way through Decode is decoded when it comes.
 */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

/* TEX with one or two float coordinates, TLD with an integer: see docs/reference/textures.md. */
static bool fetches(const struct sm_image *img, const struct isa_insn *in)
{
    const struct isa_texture *t = &in->tex;
    return t->unit < TEXTURE_UNITS && (img->texture_units >> t->unit & 1) &&
           t->sampler == t->unit && !t->cube && !t->deriv && !t->offset &&
           t->coords <= (in->op == OP_TEX ? 2 : 1);
}

static enum sm_unit unit_of(const struct sm_image *img, const struct isa_insn *in, sm_alu_fn alu)
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
    case OP_G2R: return in->subop == LOCK ? UNIT_LOCK : UNIT_MOVE;
    case OP_VOTE: return UNIT_VOTE;
    case OP_GRED:
    case OP_GATOM: return UNIT_ATOM;
    case OP_TEX:
    case OP_TLD: return fetches(img, in) ? UNIT_TEXTURE : UNIT_UNSUPPORTED;
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
            u->longer = LONGER_BY_ADDRESSES;
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

/* imm: room for the lanes of immediates, or NULL to allocate it. */
static void decode_words(const struct sm_image *img, uint32_t lo, uint32_t hi, uint32_t left,
                         struct sm_uop *u, uint32_t (*imm)[SM_LANES])
{
    u->lo = lo;
    int size = isa_decode(u->lo, hi, img->profile.code_bits == 32, img->profile.capability, &u->in);
    if (size == 0 || (uint32_t)size > left)
        return; /* unit stays UNIT_NONE */
    u->hi = size == 8 ? hi : 0;
    plain_a0(&u->in);
    u->alu = sm_alu_select(&u->in);
    u->unit = (uint8_t)unit_of(img, &u->in, u->alu);
    u->sfu = isa_op_class((enum isa_op)u->in.op) == ISA_SFU;
    find_memory_operand(u);
    u->offchip |= u->unit == UNIT_TEXTURE;
    for (int i = 0; i < 3; i++) {
        const struct isa_operand *s = &u->in.src[i];
        if (s->kind != ISA_NONE)
            u->nsrc = (uint8_t)(i + 1);
        if (s->kind == ISA_I) {
            u->imm[i] = imm ? imm[i] : fl_alloc(SM_LANES * sizeof *u->imm[i]);
            for (int l = 0; l < SM_LANES; l++)
                u->imm[i][l] = s->value;
        }
    }
}

/* The instruction at an address that has these words. */
static void decode(const struct sm_image *img, const struct sm_kernel *k, uint32_t at,
                   const uint32_t words[2], uint32_t left, struct sm_uop *u,
                   uint32_t (*imm)[SM_LANES])
{
    uint32_t sfu = (uint32_t)img->profile.sfu_cycles;
    decode_words(img, words[0], words[1], left, u, imm);
    u->cycles = u->sfu && sfu > img->beats ? sfu : img->beats;
    u->always = u->in.pred == PRED_ALWAYS && u->in.lanes == 15;
    if (u->in.size == 4 || at % 8 == 0)
        quick_select(u, (uint32_t)k->regs);
    for (int i = 0; i < 3 && profile_first_cache(&img->profile, CACHE_CONSTANT) != CACHE_MEMORY;
         i++)
        if (u->in.src[i].kind == ISA_K)
            u->longer |= LONGER_BY_CACHE;
    u->word_shared &= !(u->longer & LONGER_BY_CACHE); /* more than its address decides how long */
    if (u->longer & LONGER_BY_CACHE ||
        (u->offchip && profile_first_cache(&img->profile, CACHE_GLOBAL) != CACHE_MEMORY))
        u->quick = NULL; /* a shortcut goes to memory straight away */
    u->pace = u->longer & LONGER_BY_CACHE        ? PACE_DECODE
              : u->offchip                       ? PACE_READ
              : !u->quick || u->unit == UNIT_BAR ? PACE_EXECUTE
                                                 : PACE_THROUGH;
}

void decode_code(const struct sm_image *img, struct sm_kernel *k, const struct cubin_kernel *src)
{
    k->ncode = src->ncode;
    k->code = fl_alloc((size_t)(src->ncode + 1) * sizeof *k->code); /* the last one empty */
    for (int i = 0; i < src->ncode; i++) {
        struct sm_code *c = &k->code[i];
        c->base = src->code[i].base;
        c->size = src->code[i].size / 4 * 4;
        c->uop = fl_alloc(c->size / 4 * sizeof *c->uop);
        for (uint32_t at = 0; at < c->size; at += 4) {
            uint32_t words[2] = {0}, left = c->size - at;
            memcpy(words, src->code[i].bytes + at, left < 8 ? 4 : 8);
            decode(img, k, c->base + at, words, left, &c->uop[at / 4], NULL);
        }
    }
}

void decode_patch(struct sm_image *img, struct sm_kernel *k, uint32_t at, const uint32_t words[2],
                  int size)
{
    struct sm_code *c = &k->code[fetch_code(k, at) - k->code];
    const uint32_t n = c->size / 4, i = (at - c->base) / 4;
    c->uop[i].lo = words[0];
    if (size == 8)
        c->uop[i + 1].lo = words[1];
    for (uint32_t j = i ? i - 1 : 0; j < n && j < i + 2; j++) { /* whose words these are */
        struct sm_uop *u = &c->uop[j];
        const uint32_t both[2] = {u->lo, j + 1 < n ? u[1].lo : 0};
        for (int s = 0; s < 3; s++)
            free(u->imm[s]);
        *u = (struct sm_uop){.unit = UNIT_NONE};
        decode(img, k, c->base + 4 * j, both, 4 * (n - j), u, NULL);
    }
}

void decode_free(struct sm_kernel *k)
{
    for (int i = 0; i < k->ncode; i++) {
        struct sm_code *c = &k->code[i];
        for (uint32_t u = 0; u < c->size / 4; u++)
            for (int s = 0; s < 3; s++)
                free(c->uop[u].imm[s]);
        free(c->uop);
    }
    free(k->code);
}

/* ---- instructions that a fault changed between Fetch and Read -------------------------------- */

/* Kept with what they were worked out from. */
struct sm_altered {
    const struct sm_kernel *kernel; /* NULL: empty */
    uint32_t at, altered[2];
    uint32_t imm[3][SM_LANES];
    struct sm_uop uop;
};

uint32_t sm_code_words(const struct sm_kernel *k, uint32_t pc, uint32_t words[2])
{
    const struct sm_uop *u = fetch_uop(k, pc);
    words[0] = words[1] = 0;
    if (!u)
        return 0;
    const struct sm_code *c = fetch_code(k, pc);
    uint32_t left = c->size - (pc - c->base);
    words[0] = u->lo;
    words[1] = left < 8 ? 0 : u[1].lo;
    return left;
}

uint32_t sm_ir_word(const struct sm *m, uint32_t i)
{
    uint32_t words[2] = {0};
    if (m->s.stage[STAGE_D] != NO_WARP)
        sm_code_words(m->kernel, m->s.warp[m->s.stage[STAGE_D]].fetched, words);
    return words[i];
}

const struct sm_uop *sm_altered_uop(struct sm *m, int wi)
{
    const struct sm_warp *w = &m->s.warp[wi];
    uint32_t words[2], left = sm_code_words(m->kernel, w->fetched, words);
    if (left == 0)
        return NULL;
    if (!m->altered)
        m->altered = fl_alloc(SM_MAX_WARPS * sizeof *m->altered);
    struct sm_altered *o = &m->altered[wi];
    if (o->kernel != m->kernel || o->at != w->fetched || o->altered[0] != w->altered[0] ||
        o->altered[1] != w->altered[1]) {
        *o = (struct sm_altered){
            .kernel = m->kernel, .at = w->fetched, .altered = {w->altered[0], w->altered[1]}};
        words[0] ^= w->altered[0];
        words[1] ^= w->altered[1];
        decode(m->img, m->kernel, w->fetched, words, left, &o->uop, o->imm);
        o->uop.quick = NULL; /* the long way cleans up behind it */
    }
    return &o->uop;
}
