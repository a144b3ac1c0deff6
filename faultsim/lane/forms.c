/* forms.c -- instructions for control words. See forms.h. */
#include "forms.h"

#include <stdlib.h>
#include <string.h>

#include "asm/isa/table.h"
#include "constraints.h"

enum { RESULT = 16, ADDRESS = 3, STEP = 4, TO_C0 = 4, NO_CARRY = 2 };
#define CARRY_FROM(c) ((uint64_t)(c) << (32 + 12))

/* ---- one word of the instruction table ------------------------------------------------------- */

struct fields {
    const struct isa_field *field[16];
    int count;
};

static struct fields fields_of(const struct isa_row *row)
{
    struct fields all = {.count = 0};
    for (const char *t = strchr(row->text, '{'); t; t = strchr(t + 1, '{')) {
        const struct isa_field *f = isa_field(t + 1, strcspn(t + 1, "}"));
        bool known = false;
        for (int i = 0; i < all.count; i++)
            known |= all.field[i] == f;
        if (!known && all.count < (int)(sizeof all.field / sizeof *all.field))
            all.field[all.count++] = f;
    }
    return all;
}

/* Gives fields the values that are ours to choose: registers, flags, no predicate. */
static uint64_t fill(const struct fields *fields, uint64_t word)
{
    uint32_t number = 0;
    word &= ~CARRY_FROM(3);
    for (int i = 0; i < fields->count; i++) {
        const struct isa_alt *a = isa_alt(fields->field[i], word);
        if (!a)
            return 0;
        if (a->kind == ISA_PRED)
            word |= isa_put(a, a->canon);
        else if (a->kind == ISA_NAMES && a->to == TO_CC_DST)
            word |= isa_put(a, TO_C0);
        else if (a->kind == ISA_R || a->kind == ISA_RH) {
            uint32_t reg = number++ ? number - 1 : RESULT;
            word |= isa_put(a, a->kind == ISA_RH ? 2 * reg : reg);
        }
    }
    return word | CARRY_FROM(NO_CARRY);
}

/* The same instruction with its first source, R1 or R1L, in shared memory, all 32 bits of it; 0: it cannot be
 * there. */
static uint64_t from_memory(const struct fields *fields, uint64_t word)
{
    for (int i = 0; i < fields->count; i++) {
        const struct isa_alt *now = isa_alt(fields->field[i], word);
        bool first = (now->kind == ISA_R && isa_get(now, word) == 1) ||
                     (now->kind == ISA_RH && isa_get(now, word) == 2);
        if (!first)
            continue;
        for (const struct isa_alt *a = fields->field[i]->alt;
             a < fields->field[i]->alt + ISA_MAX_ALTS; a++)
            if (a->kind == ISA_S && a->type == T_B32 && a->areg && a->inc)
                return (word & ~isa_claims(now)) | a->is | isa_put(a, STEP) |
                       (uint64_t)ADDRESS << 26 | 1ull << a->inc;
    }
    return 0;
}

static bool take_operands(struct form *f)
{
    uint32_t seen = 0;
    for (int s = 0; s < 3; s++) {
        const struct isa_operand *o = &f->in.src[s];
        bool half = o->kind == ISA_RH;
        if (o->kind == ISA_NONE)
            continue;
        if ((o->kind != ISA_R && !half) || o->value >> half != (uint32_t)s + 1 ||
            (half && o->value & 1))
            return false;
        f->operand[s] = half ? FORM_HALF : FORM_WORD;
        seen++;
    }
    return seen > 0 && (f->in.dst.kind == ISA_R || f->in.dst.kind == ISA_RH);
}

static struct vector word_of(const struct unit *u, const struct isa_insn *in)
{
    return lane_part(u, vector_of(in, lane_which(u)));
}

/* Whether the word, filled in, is an instruction that a self-test can use. */
static bool make(const struct unit *u, const struct fields *fields, uint64_t word, struct form *f)
{
    *f = (struct form){.memory = false};
    word = fill(fields, word);
    if (!word || isa_decode((uint32_t)word, (uint32_t)(word >> 32), true, ISA_1_0, &f->in) != 8 ||
        !vector_reaches(&f->in) || f->in.pred != PRED_ALWAYS || f->in.cc_src != NO_CARRY ||
        !take_operands(f))
        return false;
    f->word = word_of(u, &f->in);
    f->written = vector_written(&f->in);
    uint64_t other = from_memory(fields, word);
    struct isa_insn in;
    if (other && isa_decode((uint32_t)other, (uint32_t)(other >> 32), true, ISA_1_0, &in) == 8 &&
        in.src[0].kind == ISA_S) {
        struct vector v = word_of(u, &in);
        f->memory = vector_same(&v, &f->word) && vector_written(&in) == f->written;
    }
    if (f->memory)
        f->operand[0] = FORM_WORD;
    word = f->memory ? other : word;
    for (int carry = 0; carry < 2; carry++, word |= CARRY_FROM(1))
        if (isa_print((uint32_t)word, (uint32_t)(word >> 32), f->text[carry],
                      sizeof f->text[carry]) <= 0)
            return false;
    return true;
}

/* ---- all of a unit --------------------------------------------------------------------------- */

/* More outputs are better, then operands of any value, then a cheap first operand. */
static int worth(const struct form *f)
{
    int whole = 0;
    for (int s = 0; s < 3; s++)
        whole += f->operand[s] != FORM_HALF;
    return 16 * __builtin_popcountll(f->written) + 2 * whole + f->memory;
}

struct forms forms_of(const struct unit *u)
{
    struct forms all = {.words.words = VECTOR_WORDS};
    for (const struct isa_row *row = isa_rows; row < isa_rows + isa_rows_of(ISA_1_0); row++) {
        uint64_t immediates, bits = constraints_choosers(row, &immediates), some = 0;
        struct fields fields = fields_of(row);
        if (row->form != ISA_LONG)
            continue;
        do {
            struct form f;
            if (make(u, &fields, ((uint64_t)row->hi << 32 | row->lo) | some, &f)) {
                bool isnew;
                const uint32_t at = vectors_add(&all.words, f.word.w, &isnew);
                if (isnew) {
                    FL_ROOM(all.form, all.count, all.room, 64);
                    all.form[all.count++] = f;
                } else if (worth(&f) > worth(&all.form[at])) {
                    all.form[at] = f;
                }
            }
            some = (some - bits) & bits;
        } while (some);
    }
    return all;
}

void forms_free(struct forms *f)
{
    free(f->form);
    vectors_free(&f->words);
    *f = (struct forms){.count = 0};
}

/* The control word of a vector. */
static struct vector control_of(const struct unit *u, const struct vector *v)
{
    struct vector word = lane_part(u, *v);
    word.w[0] = 0;
    word.w[1] &= ~0ull << (VECTOR_cc_c - 64 + 1);
    word.w[2] &= (1ull << (VECTOR_CARE - 128)) - 1;
    return word;
}

int64_t forms_find(const struct forms *f, const struct unit *u, const struct vector *v)
{
    struct vector word = control_of(u, v);
    return vectors_find(&f->words, word.w);
}

/* ---- immediates ------------------------------------------------------------------------------ */

/* a in R1L or in shared memory, b as it stands, c in the register of the result. */
static uint64_t fill_immediate(const struct fields *fields, uint64_t word, uint32_t value)
{
    bool first = true;
    for (int i = 0; i < fields->count; i++) {
        const struct isa_alt *a = isa_alt(fields->field[i], word);
        if (!a)
            return 0;
        if (a->kind == ISA_I)
            word |= isa_put(a, value);
        else if (a->kind == ISA_R || a->kind == ISA_RH) {
            uint32_t reg = first ? RESULT : 1;
            word |= isa_put(a, a->kind == ISA_RH ? 2 * reg : reg);
            first = false;
        }
    }
    return word;
}

static bool make_immediate(const struct unit *u, const struct fields *fields, uint64_t word,
                           const struct vector *control, uint32_t value, struct form *f)
{
    *f = (struct form){.immediate = true, .value = value};
    word = fill_immediate(fields, word, value);
    if (!word || isa_decode((uint32_t)word, (uint32_t)(word >> 32), true, ISA_1_0, &f->in) != 8 ||
        !vector_reaches(&f->in) || f->in.src[1].kind != ISA_I || f->in.src[1].value != value)
        return false;
    uint64_t other = from_memory(fields, word);
    if (!other || isa_decode((uint32_t)other, (uint32_t)(other >> 32), true, ISA_1_0, &f->in) != 8)
        return false;
    f->word = word_of(u, &f->in);
    f->written = vector_written(&f->in);
    f->memory = true;
    f->operand[0] = FORM_WORD;
    f->operand[1] = FORM_FIXED;
    f->operand[2] = f->in.src[2].kind == ISA_NONE ? FORM_NONE : FORM_WORD;
    return vector_same(&f->word, control) && f->written && f->in.src[0].kind == ISA_S &&
           isa_print((uint32_t)other, (uint32_t)(other >> 32), f->text[0], sizeof f->text[0]) > 0;
}

int64_t forms_immediate(struct forms *all, const struct unit *u, const struct vector *v)
{
    struct vector control = control_of(u, v);
    uint32_t value = (uint32_t)(v->w[0] >> 32);
    for (uint32_t i = all->words.count; i < all->count; i++)
        if (all->form[i].value == value && vector_same(&all->form[i].word, &control))
            return i;
    for (const struct isa_row *row = isa_rows; row < isa_rows + isa_rows_of(ISA_1_0); row++) {
        uint64_t immediates, bits = constraints_choosers(row, &immediates), some = 0;
        struct fields fields = fields_of(row);
        if (row->form != ISA_IMM)
            continue;
        do {
            struct form f;
            if (make_immediate(u, &fields, ((uint64_t)row->hi << 32 | row->lo) | some, &control,
                               value, &f)) {
                memcpy(f.text[1], f.text[0], sizeof f.text[1]);
                FL_ROOM(all->form, all->count, all->room, 64);
                all->form[all->count] = f;
                return all->count++;
            }
            some = (some - bits) & bits;
        } while (some);
    }
    return -1;
}
