/* alu.c -- integer and logic operations, and the choice of the function for an instruction.
 *
 * 16-bit adds and shifts run in the upper half of the word: carry, overflow, sign and clamping then
 * happen at bit 31 as for 32 bits, and one function serves both widths. Subtraction is addition of
 * the complement with a carry in, as in the hardware, so the C flag of a subtraction means "no
 * borrow".
 */
#include "alu_lanes.h"

/* Move of a, complemented where the row says so. */
static inline uint32_t move(uint32_t a, uint32_t invert, int top, uint32_t *f)
{
    uint32_t r = a ^ invert;
    *f = zero_sign(r << top);
    return r;
}

SM_KERNEL(mov, uint32_t invert = ones_if(in->src[0].inv);
          int top = is_half(in->type) ? 16 : 0, move(a[i], invert, top, &f))

/* x + y + carry_in (0, 1 or, for two complements, 2) with all four flags. */
static inline uint32_t add_carry(uint32_t x, uint32_t y, uint32_t carry_in, uint32_t *f)
{
    uint32_t r = x + y + carry_in;
    uint32_t carry = ((x & y) | ((x | y) & ~r)) >> 31;
    uint32_t overflow = ((x ^ r) & (y ^ r)) >> 31;
    *f = zero_sign(r) | carry << 2 | overflow << 3;
    return r;
}

/* The same, clamped as a signed number: C and O describe the sum before, Z and S the result after.
 */
static inline uint32_t add_clamp(uint32_t x, uint32_t y, uint32_t carry_in, uint32_t *f)
{
    uint32_t r = add_carry(x, y, carry_in, f);
    uint32_t overflow = sign_fill((x ^ r) & (y ^ r));
    uint32_t limit = 0x80000000u - (r >> 31); /* the sum has the wrong sign */
    r = (r & ~overflow) | (limit & overflow);
    *f = (*f & (SM_CC_C | SM_CC_O)) | zero_sign(r);
    return r;
}

/* How the adder treats its operands: those of IADD, or the product and src[2] of IMAD. */
struct adder {
    int top;             /* operands sit this far up in the word */
    uint32_t nx, ny;     /* complement masks */
    uint32_t carry_in;   /* constant part */
    uint32_t carry_flag; /* 1: add the C flag, at the operands' bit 0 */
};

static struct adder adder(const struct isa_insn *in, bool neg_x, bool neg_y, int top)
{
    return (struct adder){top, ones_if(neg_x), ones_if(neg_y), (uint32_t)neg_x + neg_y, in->carry};
}

static inline uint32_t carry_in(struct adder s, uint8_t cc)
{
    return s.carry_in + ((cc >> 2 & s.carry_flag) << s.top);
}

#define ADDER_OF_SOURCES                                                                           \
    struct adder s = adder(in, in->src[0].neg, in->src[1].neg, is_half(in->type) ? 16 : 0)

SM_KERNEL(iadd_plain, , add_carry(a[i], b[i], 0, &f))
SM_KERNEL(iadd_any, ADDER_OF_SOURCES,
          add_carry(a[i] << s.top ^ s.nx, b[i] << s.top ^ s.ny, s.carry_in, &f) >> s.top)
SM_KERNEL(iadd_sat, ADDER_OF_SOURCES,
          add_clamp(a[i] << s.top ^ s.nx, b[i] << s.top ^ s.ny, s.carry_in, &f) >> s.top)
SM_KERNEL(iadd_carry, ADDER_OF_SOURCES,
          add_carry(a[i] << s.top ^ s.nx, b[i] << s.top ^ s.ny, carry_in(s, cc[i]), &f) >> s.top)
SM_KERNEL(iadd_carry_sat, ADDER_OF_SOURCES,
          add_clamp(a[i] << s.top ^ s.nx, b[i] << s.top ^ s.ny, carry_in(s, cc[i]), &f) >> s.top)

static sm_alu_fn select_iadd(const struct isa_insn *in)
{
    if (in->carry)
        return in->sat ? iadd_carry_sat : iadd_carry;
    if (in->sat)
        return iadd_sat;
    return is_half(in->type) || in->src[0].neg || in->src[1].neg ? iadd_any : iadd_plain;
}

static struct extension factor(const struct isa_operand *o)
{
    switch (o->as) {
    case T_U16: return (struct extension){0xffff, 0};
    case T_S16: return (struct extension){0xffff, 0x8000};
    case T_S24: return (struct extension){0xffffff, 0x800000};
    default: return (struct extension){0xffffff, 0}; /* T_U24 */
    }
}

/* Bits 47..16 of the product of two sign- or zero-extended 24-bit numbers. */
static inline uint32_t high_product(uint32_t x, uint32_t y)
{
    return (uint32_t)((uint64_t)((int64_t)(int32_t)x * (int32_t)y) >> 16);
}

static inline uint32_t flagged(uint32_t r, uint32_t *f)
{
    *f = zero_sign(r);
    return r;
}

#define FACTORS struct extension ea = factor(&in->src[0]), eb = factor(&in->src[1])
#define LOW     (extend(a[i], ea) * extend(b[i], eb))
#define HIGH    high_product(extend(a[i], ea), extend(b[i], eb))

SM_KERNEL(imul_low, FACTORS, flagged(LOW, &f))
SM_KERNEL(imul_high, FACTORS, flagged(HIGH, &f))

#define FACTORS_AND_ADDER                                                                          \
    FACTORS;                                                                                       \
    struct adder s = adder(in, in->src[0].neg, in->src[2].neg, 0)

SM_KERNEL(imad_low, FACTORS_AND_ADDER, add_carry(LOW ^ s.nx, c[i] ^ s.ny, carry_in(s, cc[i]), &f))
SM_KERNEL(imad_low_sat, FACTORS_AND_ADDER,
          add_clamp(LOW ^ s.nx, c[i] ^ s.ny, carry_in(s, cc[i]), &f))
SM_KERNEL(imad_high, FACTORS_AND_ADDER, add_carry(HIGH ^ s.nx, c[i] ^ s.ny, carry_in(s, cc[i]), &f))
SM_KERNEL(imad_high_sat, FACTORS_AND_ADDER,
          add_clamp(HIGH ^ s.nx, c[i] ^ s.ny, carry_in(s, cc[i]), &f))

static sm_alu_fn select_imad(const struct isa_insn *in)
{
    if (in->high)
        return in->sat ? imad_high_sat : imad_high;
    return in->sat ? imad_low_sat : imad_low;
}

/* Comparisons are signed ones: halves are extended, unsigned words have bit 31 flipped first. */
struct order {
    struct extension extension;
    uint32_t bias;
};

static struct order order(int type)
{
    if (is_half(type))
        return (struct order){{0xffff, type == T_S16 ? 0x8000 : 0}, 0};
    return (struct order){{0xffffffff, 0}, is_signed(type) ? 0 : 0x80000000u};
}

static inline uint32_t ordered(uint32_t x, struct order o)
{
    return extend(x, o.extension) ^ o.bias;
}

#define ORDER                                                                                      \
    struct order o = order(in->type);                                                              \
    int top = is_half(in->type) ? 16 : 0
#define A_LESS_B less(ordered(a[i], o), ordered(b[i], o))

static inline uint32_t pick(bool first, uint32_t x, uint32_t y, int top, uint32_t *f)
{
    uint32_t r = first ? x : y;
    *f = zero_sign(r << top);
    return r;
}

SM_KERNEL(imin, ORDER, pick(A_LESS_B, a[i], b[i], top, &f))
SM_KERNEL(imax, ORDER, pick(A_LESS_B, b[i], a[i], top, &f))

/* |a - b| + c: the difference cannot overflow what an unsigned word holds. */
static inline uint32_t sum_difference(uint32_t x, uint32_t y, uint32_t c, uint32_t *f)
{
    uint32_t difference = less(x, y) ? y - x : x - y;
    return add_carry(difference, c, 0, f);
}

SM_KERNEL(isad, ORDER; (void)top, sum_difference(ordered(a[i], o), ordered(b[i], o), c[i], &f))

/* The three outcomes of a comparison that count as true, as masks. */
struct outcomes {
    uint32_t lt, eq, gt;
};

static struct outcomes outcomes(int cmp)
{
    return (struct outcomes){ones_if(cmp & CMP_LT), ones_if(cmp & CMP_EQ), ones_if(cmp & CMP_GT)};
}

static inline uint32_t compare(uint32_t x, uint32_t y, struct outcomes t, uint32_t *f)
{
    uint32_t r = (ones_if(less(x, y)) & t.lt) | (ones_if(x == y) & t.eq) |
                 (ones_if(less(y, x)) & t.gt);
    *f = zero_sign(r);
    return r;
}

SM_KERNEL(iset, ORDER; (void)top;
          struct outcomes t = outcomes(in->cmp), compare(ordered(a[i], o), ordered(b[i], o), t, &f))

SM_KERNEL(iset_word, uint32_t bias = order(in->type).bias;
          struct outcomes t = outcomes(in->cmp), compare(a[i] ^ bias, b[i] ^ bias, t, &f))

/* Whether it matters which of two different values is the greater. */
static bool orders(int cmp)
{
    return !(cmp & CMP_LT) != !(cmp & CMP_GT);
}

/* Equal or not: no order to find out. */
static inline uint32_t compare_equal(uint32_t x, uint32_t y, struct outcomes t, uint32_t *f)
{
    uint32_t r = t.lt ^ (ones_if(x == y) & (t.lt ^ t.eq));
    *f = zero_sign(r);
    return r;
}

SM_KERNEL(iset_equal, struct outcomes t = outcomes(in->cmp), compare_equal(a[i], b[i], t, &f))

/* Shifts work on a value at the top of the word. C is the last bit that falls out, 0 when the count
 * is 0 or at least the width; O says that a shift by one changed the sign. */
struct shift {
    int top;             /* 0 or 16 */
    uint32_t width;      /* 32 or 16 */
    uint32_t count;      /* mask of the count operand */
    uint32_t keep;       /* result bits of the word */
    uint32_t arithmetic; /* all ones: fill with the sign */
};

static struct shift shift(const struct isa_insn *in)
{
    if (is_half(in->type))
        return (struct shift){16, 16, 0xffff, 0xffff0000u, ones_if(is_signed(in->type))};
    return (struct shift){0, 32, 0xffffffffu, 0xffffffffu, ones_if(is_signed(in->type))};
}

/* `some`: the count is in 1..width-1; then `last` is the last bit out. */
static inline uint32_t shift_flags(uint32_t x, uint32_t r, uint32_t n, uint32_t last, uint32_t some)
{
    return zero_sign(r) | (last & some & 1) << 2 | ((x ^ r) >> 31 & (n == 1)) << 3;
}

static inline uint32_t shift_left(uint32_t a, uint32_t b, struct shift s, uint32_t *f)
{
    uint32_t x = a << s.top;
    uint32_t n = b & s.count;
    uint32_t inside = ones_if(n < s.width);
    uint32_t r = x << (n & 31) & inside;
    *f = shift_flags(x, r, n, (x << ((n - 1) & 31)) >> 31, inside & ones_if(n != 0));
    return r >> s.top;
}

static inline uint32_t shift_right(uint32_t a, uint32_t b, struct shift s, uint32_t *f)
{
    uint32_t x = a << s.top;
    uint32_t n = b & s.count;
    uint32_t inside = ones_if(n < s.width);
    uint32_t fill = sign_fill(x) & s.arithmetic;
    /* The complement of a negative number shifts in zeros, which are its sign. */
    uint32_t r = (((x ^ fill) >> (n & 31) & inside) ^ fill) & s.keep;
    *f = shift_flags(x, r, n, a >> ((n - 1) & 31), inside & ones_if(n != 0));
    return r >> s.top;
}

SM_KERNEL(shl, struct shift s = shift(in), shift_left(a[i], b[i], s, &f))
SM_KERNEL(shr, struct shift s = shift(in), shift_right(a[i], b[i], s, &f))
/* One count for all lanes: vector units of any age can do that. */
SM_KERNEL(shl_by_constant, struct shift s = shift(in);
          uint32_t n = in->src[1].value, shift_left(a[i], n, s, &f))
SM_KERNEL(shr_by_constant, struct shift s = shift(in);
          uint32_t n = in->src[1].value, shift_right(a[i], n, s, &f))

#define LOGIC                                                                                      \
    uint32_t ia = ones_if(in->src[0].inv), ib = ones_if(in->src[1].inv);                           \
    int top = is_half(in->type) ? 16 : 0

SM_KERNEL(lop_and, LOGIC, move((a[i] ^ ia) & (b[i] ^ ib), 0, top, &f))
SM_KERNEL(lop_or, LOGIC, move((a[i] ^ ia) | (b[i] ^ ib), 0, top, &f))
SM_KERNEL(lop_xor, LOGIC, move((a[i] ^ ia) ^ (b[i] ^ ib), 0, top, &f))
SM_KERNEL(lop_pass_b, LOGIC; (void)ia, move(b[i] ^ ib, 0, top, &f))

static sm_alu_fn select_lop(const struct isa_insn *in)
{
    switch (in->subop) {
    case LOP_AND: return lop_and;
    case LOP_OR: return lop_or;
    case LOP_XOR: return lop_xor;
    default: return lop_pass_b;
    }
}

sm_alu_fn sm_alu_select(const struct isa_insn *in)
{
    bool by_constant = in->src[1].kind == ISA_I;
    switch (in->op) {
    case OP_MOV:
    case OP_MVC: return mov;
    case OP_IADD: return select_iadd(in);
    case OP_IMUL: return in->high ? imul_high : imul_low;
    case OP_IMAD: return select_imad(in);
    case OP_ISAD: return isad;
    case OP_IMIN: return imin;
    case OP_IMAX: return imax;
    case OP_ISET: return is_half(in->type) ? iset : orders(in->cmp) ? iset_word : iset_equal;
    case OP_SHL: return by_constant ? shl_by_constant : shl;
    case OP_SHR: return by_constant ? shr_by_constant : shr;
    case OP_LOP: return select_lop(in);
    default: break;
    }
    sm_alu_fn fn = sm_alu_select_float(in);
    if (!fn)
        fn = sm_alu_select_convert(in);
    return fn ? fn : sm_alu_select_sfu(in);
}
