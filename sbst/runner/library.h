/* library.h -- the tables of a self-test library, which sbstgen --library writes as library.c. C99, without any other header.
 *
 * docs/reference/library.md explains the fields; library.xml holds the same.
 */
#ifndef SELFTEST_LIBRARY_H
#define SELFTEST_LIBRARY_H

struct selftest_buffer {
    const char *name;
    unsigned bytes;
    unsigned address;      /* where it has to lie; 0: anywhere */
    unsigned word;         /* every word before the test, where words is 0 */
    const unsigned *words; /* else each of them */
};

struct selftest_param {
    unsigned offset; /* in the parameters of the kernel */
    int buffer;      /* whose address it is, with value added; -1: value alone */
    unsigned value;
};

struct selftest_texture {
    const char *reference;
    int buffer;
    unsigned offset, width, height,
        pitch;            /* of texel (0, 0) in its buffer; in texels; bytes from row to row */
    int format, channels; /* of CUDA's CUarray_format */
    int flags, mode[2], linear; /* of cuTexRefSetFlags; CUaddress_mode in x, y; filtered */
};

struct selftest_launch {
    const char *kernel;
    unsigned grid[2], block[3];
    unsigned shared; /* dynamic, in bytes */
    const struct selftest_param *param;
    int params;
    unsigned long long cycles; /* of a fault-free machine */
    int error; /* of the driver, a CUresult, that it must end in: a trap; 0: it must end without one */
};

struct selftest_output {
    const char *name;
    int buffer;
    unsigned offset, bytes;
    int sm;                /* whose blocks leave it; -1: several SMs may */
    unsigned word;         /* every word after the test, where words is 0 */
    const unsigned *words; /* else each of them */
};

struct selftest_test {
    const char *name;
    const char *part;  /* of the SM: rf, dstack ... */
    const char *units; /* whose gates it tests, with spaces between; "": none in particular */
    const struct selftest_buffer *buffer;
    int buffers;
    const struct selftest_buffer *constants; /* a __constant__ variable; 0: none */
    const struct selftest_texture *texture;  /* for all launches */
    int textures;
    const struct selftest_launch *launch;
    int launches;
    const struct selftest_output *output;
    int outputs;
    unsigned long long cycles; /* of a fault-free machine, all launches */
    unsigned long long limit;  /* more cycles are a failure */
    const char *sha256;        /* of all outputs in this order */
};

struct selftest_library {
    const char *profile;
    const char *device; /* as cuDeviceGetName has it */
    int major, minor;   /* compute capability */
    int sms, sps, threads, registers,
        shared; /* SMs; of each: SPs, threads, registers, bytes of shared memory */
    const unsigned char *cubin;
    unsigned long bytes;
    const char *sha256;               /* of the cubin */
    const struct selftest_test *test; /* in the order that detects soonest */
    int tests;
};

extern const struct selftest_library selftest_library;

#endif
