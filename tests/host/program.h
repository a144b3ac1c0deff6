/* program.h -- a program with kernels in text of the assembler, as the runtime library sees it, and what its calls say. */
#ifndef TESTS_HOST_PROGRAM_H
#define TESTS_HOST_PROGRAM_H

#include <stdint.h>

#include "host/cudart/runtime.h"
#include "tests/lib/tools.h"

/* Kernels: add(p, by) adds by * factors[1] to p[thread]; wild traps; many needs 100 registers; gone is not in the cubin; more, which has
 * the name of add in another image, adds factors[1] of that image, 1000. */
extern char stub_more, shadow_more, shadow_addend, stub_add, stub_wild, stub_many, stub_gone,
    shadow_total, shadow_factors;

void register_program(void);
cudaError_t add(const dim3 grid, const dim3 block, size_t shared, uint32_t *p, uint32_t by);

/* A call must end so. */
#define IS(call, error) CU_ASSERT_EQUAL(call, error)
#define OK(call)        IS(call, cudaSuccess)

static const dim3 one = {1, 1, 1}, warp = {32, 1, 1};

#endif
