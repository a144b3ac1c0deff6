/* fuzz.h -- what the fuzz targets share.
 *
 * A target is one file <target>.c with LLVMFuzzerTestOneInput: it takes any bytes, does with them what a user of the
 * library would, and checks rules that must hold whatever they are. A broken rule ends the process with a line that
 * says which, so that libFuzzer keeps the input; the sanitizers end it by themselves. The same file with replay.c is a
 * plain program that runs given inputs: the `corpus` tests.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "asm/cubin/cubin.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* FUZZ_CHECK(rule, printf arguments that say what is wrong) */
#define FUZZ_CHECK(rule, ...)                                                                      \
    do {                                                                                           \
        if (!(rule)) {                                                                             \
            fprintf(stderr, "\n%s:%d: broken: %s\n  ", __FILE__, __LINE__, #rule);                 \
            fprintf(stderr, __VA_ARGS__);                                                          \
            fputc('\n', stderr);                                                                   \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* A directory of this process alone, made at the first call, with everything in it removed at exit. */
const char *fuzz_dir(void);
/* Its file `name` (path in the directory, folders are made) gets new contents; the path lives until the next call. */
const char *fuzz_file(const char *name, const void *data, size_t size);

/* Every rule that cubin.h states about a cubin; all of its code is decoded and printed. */
void fuzz_check_cubin(const struct cubin *cubin);
/* Written and read again it is the same. */
void fuzz_check_cubin_file(const struct cubin *cubin);

/* One instruction: decoder, printer and assembler agree about it. Returns its size, 0 for an illegal one. */
int fuzz_check_instruction(uint32_t lo, uint32_t hi);

#endif
