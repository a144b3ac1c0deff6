/* batch.c -- see batch.h. Of a member each vector that it may ask about has a field of bits: the
 * fault-free unit in the lowest, then the faults. A field lies in one 64-bit number.
 */
#include "batch.h"

#include <stdlib.h>
#include <string.h>

enum { NO_INPUT = UINT8_MAX, VECTOR_PLACES = 64 * VECTOR_WORDS, MOST_WORDS = 8 };

struct member {
    const uint32_t *fault;
    uint32_t n;
    const struct use *vector; /* asked */
    uint32_t count;
    uint64_t *diff;
};

/* What a bit stands for. */
struct bit {
    uint8_t member, vector, fault;
};

/* As many bits as the netlist is evaluated with at once. */
struct block {
    struct gate_group *group;
    struct bit *bit;                           /* [width] */
    uint64_t low[MOST_WORDS], top[MOST_WORDS]; /* the lowest and highest bits of the fields */
};

struct batch {
    const struct unit *u;
    uint32_t vectors, words;
    struct member member[BATCH_MEMBERS];
    bool changed;    /* members or their faults, since fields were given out */
    uint32_t *field; /* [member][vector] first bit, of all blocks */
    struct block *block;
    uint32_t blocks, used;           /* used: of blocks */
    uint8_t input_at[VECTOR_PLACES]; /* which input a place in a vector is */
    uint64_t *input;                 /* [input][words] */
};

struct batch *batch_new(const struct unit *u, uint32_t vectors)
{
    struct batch *c = fl_alloc(sizeof *c);
    c->u = u;
    c->vectors = vectors;
    c->words = (uint32_t)gate_width(0, NULL) / 64;
    c->field = fl_alloc(BATCH_MEMBERS * vectors * sizeof *c->field);
    c->input = fl_alloc_line(u->netlist->inputs * c->words * sizeof *c->input);
    memset(c->input_at, NO_INPUT, sizeof c->input_at);
    for (uint32_t i = 0; i < u->netlist->inputs; i++)
        c->input_at[u->place[i]] = (uint8_t)i;
    return c;
}

void batch_free(struct batch *c)
{
    if (!c)
        return;
    for (uint32_t b = 0; b < c->blocks; b++) {
        gate_group_free(c->block[b].group);
        free(c->block[b].bit);
    }
    free(c->block);
    free(c->field);
    free(c->input);
    free(c);
}

void batch_set(struct batch *c, uint32_t member, const uint32_t *fault, uint32_t n)
{
    c->member[member] = (struct member){.fault = fault, .n = n};
    c->changed = true;
}

void batch_ask(struct batch *c, uint32_t member, const struct use *v, uint32_t count,
               uint64_t *diff)
{
    struct member *m = &c->member[member];
    m->vector = v;
    m->count = count;
    m->diff = diff;
    memset(diff, 0, (size_t)count * m->n * sizeof *diff);
}

/* ---- fields ---------------------------------------------------------------------------------- */

static struct block *block_at(struct batch *c, uint32_t number)
{
    if (number == c->blocks) {
        c->block = fl_grow(c->block, c->blocks + 1, sizeof *c->block);
        c->block[c->blocks++] = (struct block){
            .group = gate_group_new(c->u->netlist, (int)c->words * 64),
            .bit = fl_alloc(64 * c->words * sizeof(struct bit))};
    }
    return &c->block[number];
}

static void give_field(struct block *b, uint32_t at, uint32_t member, uint32_t vector, uint32_t n)
{
    b->low[at / 64] |= 1ull << at % 64;
    b->top[at / 64] |= 1ull << (at + n) % 64;
    for (uint32_t i = 0; i <= n; i++)
        b->bit[at + i] = (struct bit){(uint8_t)member, (uint8_t)vector, (uint8_t)(i - 1)};
}

/* Gives the faults of a block, whose fields are given, to its group. */
static void set_group(struct batch *c, struct block *b)
{
    uint32_t fault[64 * MOST_WORDS], width = 64 * c->words;
    bool inside = false;
    for (uint32_t i = 0; i < width; i++) {
        bool low = b->low[i / 64] >> i % 64 & 1;
        const struct bit *at = &b->bit[i];
        fault[i] = inside && !low ? c->member[at->member].fault[at->fault] : GATE_NO_FAULT;
        inside = low || (inside && !(b->top[i / 64] >> i % 64 & 1));
    }
    gate_group_set(b->group, c->u->faults->model, fault, width);
}

static void give_fields(struct batch *c)
{
    uint32_t width = 64 * c->words, at = 0;
    for (uint32_t b = 0; b < c->blocks; b++) {
        memset(c->block[b].low, 0, sizeof c->block[b].low);
        memset(c->block[b].top, 0, sizeof c->block[b].top);
    }
    for (uint32_t m = 0; m < BATCH_MEMBERS; m++)
        for (uint32_t k = 0, n = c->member[m].n; k < c->vectors && n; k++) {
            if (at % 64 + n + 1 > 64)
                at += 64 - at % 64;
            c->field[m * c->vectors + k] = at;
            give_field(block_at(c, at / width), at % width, m, k, n);
            at += n + 1;
        }
    c->used = (at + width - 1) / width;
    for (uint32_t b = 0; b < c->used; b++)
        set_group(c, &c->block[b]);
    c->changed = false;
}

/* ---- answers --------------------------------------------------------------------------------- */

/* The vectors that were asked about, or what is before them, in the fields of block `number`; which bits these are,
 * in `asked`. */
static void put_inputs(struct batch *c, uint32_t number, bool before, uint64_t asked[MOST_WORDS])
{
    uint32_t width = 64 * c->words;
    memset(c->input, 0, c->u->netlist->inputs * c->words * sizeof *c->input);
    memset(asked, 0, MOST_WORDS * sizeof *asked);
    for (uint32_t m = 0; m < BATCH_MEMBERS; m++)
        for (uint32_t k = 0; k < c->member[m].count; k++) {
            uint32_t at = c->field[m * c->vectors + k];
            const struct use *use = &c->member[m].vector[k];
            const struct vector *v = before ? &use->before : &use->now;
            if (at / width != number)
                continue;
            uint64_t bits = ((2ull << c->member[m].n) - 1) << at % 64;
            uint64_t *to = c->input + at % width / 64;
            asked[at % width / 64] |= bits;
            for (uint32_t w = 0; w < VECTOR_WORDS; w++)
                for (uint64_t left = v->w[w]; left; left &= left - 1) {
                    uint8_t i = c->input_at[64 * w + (uint32_t)__builtin_ctzll(left)];
                    if (i != NO_INPUT)
                        to[i * c->words] |= bits;
                }
        }
}

static void answer_block(struct batch *c, uint32_t number)
{
    struct block *b = &c->block[number];
    uint64_t asked[MOST_WORDS];
    if (unit_slow(c->u)) {
        put_inputs(c, number, true, asked);
        gate_group_reset(b->group);
        gate_group_eval_each(b->group, c->input);
        gate_group_clock(b->group);
    }
    put_inputs(c, number, false, asked);
    gate_group_eval_each(b->group, c->input);
    for (uint32_t o = 0; o < c->u->netlist->outputs; o++) {
        const uint64_t *out = gate_group_watched(b->group, o);
        uint64_t mask = 1ull << c->u->output[o];
        for (uint32_t w = 0; w < c->words; w++) {
            /* what the fault-free unit says, in all bits of its field: no borrow leaves a field */
            uint64_t good = (b->top[w] - (out[w] & b->low[w])) ^ b->top[w];
            for (uint64_t wrong = (out[w] ^ good) & asked[w]; wrong; wrong &= wrong - 1) {
                const struct bit *at = &b->bit[64 * w + (uint32_t)__builtin_ctzll(wrong)];
                struct member *m = &c->member[at->member];
                m->diff[at->vector * m->n + at->fault] |= mask;
            }
        }
    }
}

void batch_answer(struct batch *c)
{
    if (c->changed)
        give_fields(c);
    for (uint32_t b = 0; b < c->used; b++)
        answer_block(c, b);
    for (struct member *m = c->member; m < c->member + BATCH_MEMBERS; m++) {
        for (uint32_t k = 0; k < m->count; k++)
            for (uint32_t i = 0; i < m->n; i++)
                m->diff[k * m->n + i] &= vector_care(&m->vector[k].now);
        m->count = 0;
    }
}
