/* idioms.h -- what integers are shifted, turned, counted, saturated and compared with in C, and what both languages have for it. */
#ifndef IDIOMS_H
#define IDIOMS_H

enum idiom_in { CUDA = 1, OPENCL = 2, BOTH = CUDA | OPENCL };

/* One expression in x, y and z, which have the type T. In the texts $T, $U and $S are that type, the unsigned and the signed one of
 * its width, $D and $E the unsigned and the signed one of twice the width, $W the width in bits, $N an amount from 0 to W - 1. */
struct idiom {
    const char *name;
    enum idiom_in in;
    const char *types;  /* names with a blank behind each; NULL: UNSIGNED */
    const char *result; /* a type; NULL: $T */
    const char *device;
    const char *host; /* the same in plain C; NULL: the same text */
};
#define UNSIGNED "u8 u16 u32 u64 "
#define SIGNED   "s8 s16 s32 s64 "
#define ALL      UNSIGNED SIGNED
#define SHORT    "u8 u16 u32 s8 s16 s32 " /* those of which there is a type of twice the width */

extern const struct idiom idioms[];
extern const int nidioms;
/* What the texts of `host` call. */
extern const char idioms_host[];

#endif
