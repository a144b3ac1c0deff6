/* anatomy.h -- what the wrong elements of a run look like: their values, the bits that differ, who wrote them
 * (docs/reference/words.md, "Pattern of a fault").
 */
#ifndef ANATOMY_H
#define ANATOMY_H

#include <stdint.h>

/* Of a float: what it has become, else in which of its fields it differs. */
enum anatomy_value {
    VALUE_NAN,
    VALUE_INF,
    VALUE_ZERO,
    VALUE_SIGN,
    VALUE_EXPONENT,
    VALUE_MANTISSA,
    VALUE_FIELDS, /* in several */
    VALUE_OTHER,  /* no float, or of no stated type */
    ANATOMY_VALUES
};
enum anatomy_bits { BITS_1, BITS_2_4, BITS_5_8, BITS_MORE, ANATOMY_BITS };
/* What the writers of the elements in the fault-free run have in common; the first that holds. */
enum anatomy_writers {
    WRITERS_UNKNOWN,
    WRITERS_WORD, /* there is one element */
    WRITERS_THREAD,
    WRITERS_ALL, /* at least 95 % of all elements that instructions write */
    WRITERS_LANE,
    WRITERS_SP,
    WRITERS_INSTRUCTION, /* of a warp */
    WRITERS_WARP,
    WRITERS_BLOCK,
    WRITERS_MIXED,
    ANATOMY_WRITERS
};
extern const char *const anatomy_value[ANATOMY_VALUES]; /* "nan" ... */
extern const char *const anatomy_bits[ANATOMY_BITS];    /* "bits_1" ... */
extern const char *const anatomy_writers[ANATOMY_WRITERS];

struct anatomy {
    /* of elements that are not unwritten: values, bits that differ, up from 0 to 1, down */
    uint32_t value[ANATOMY_VALUES], bits[ANATOMY_BITS];
    uint64_t up, down;
    double median; /* of the differences as shares of the right values; NaN: none has a type */
    /* of all; WRITERS_UNKNOWN: nothing is known of the pattern */
    enum anatomy_writers writers;
    uint32_t period; /* of the indices; 0: none */
    uint32_t lanes;  /* of the writers */
};

/* The commonest, the first of equals; ANATOMY_VALUES, ANATOMY_BITS: there is none. */
enum anatomy_value anatomy_main_value(const struct anatomy *a);
enum anatomy_bits anatomy_main_bits(const struct anatomy *a);

#endif
