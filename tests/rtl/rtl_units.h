/* rtl_units.h -- the decoder and one lane of the RTL, Verilated, as a C function. */
#ifndef RTL_UNITS_H
#define RTL_UNITS_H

#include <stdint.h>

/* The fields that sm_decode gives, a byte each; named as in struct isa_insn. */
struct rtl_operand {
    uint32_t value;
    uint8_t kind, type, as, areg, bank, neg, abs, inv, postinc, unused[3];
};

struct rtl_insn {
    uint8_t valid, op, op_class, size, exit, join, pred, cc_src, cc_we, cc_dst;
    uint8_t type, stype, cmp, subop, lanes, rnd, rint, sat, high, carry;
    uint32_t target;
    struct rtl_operand dst, src[3];
};

struct rtl_result {
    uint32_t d;
    uint8_t flags;
};

/* One build of the model: the sources as they are, or with mistakes in them. */
struct rtl_units_model {
    void *(*make)(void);
    void (*drop)(void *model);
    /* Decodes lo and hi, computes one lane; `carry` is the C flag of $c<cc_src>. insn may be NULL. */
    struct rtl_result (*run)(void *model, const uint32_t word[2], int wide_code,
                             const uint32_t operand[3], int carry, struct rtl_insn *insn);
};

#ifdef __cplusplus
extern "C" {
#endif
extern const struct rtl_units_model rtl_units, rtl_units_broken;
#ifdef __cplusplus
}
#endif

#endif
