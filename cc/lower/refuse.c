/* refuse.c -- messages for what smcc does not support and can name: instructions of PTX, and functions that the source calls. */
#include "lower.h"

#include <string.h>
#include "cc/ptx/source.h"

int cc_refuse_instruction(struct cc_lower *l)
{
    static const struct {
        const char *op, *why;
    } known[] = {
        {"suld", "images are not supported; read a buffer"},
        {"sust", "images are not supported; write a buffer"},
        {"shfl", "the machine has no shuffles; exchange the values through shared memory (local "
                 "memory of OpenCL C)"},
        {"trap", "the source has no defined result here (clang compiled it to a trap); correct it"},
        {"prmt", "byte permutation is not supported"},
        {"brx", "computed jumps are not supported; use if and else"}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(l->part[0], known[i].op) == 0)
            return cc_refuse(l, "%s", known[i].why);
    if (cc_part(l, "f16"))
        return cc_refuse(l, "half: arithmetic with 16-bit floats is not supported; use float");
    return cc_refuse(l, "the PTX instruction '%s' is not known to smcc", l->in->op);
}

int cc_refuse_call(struct cc_lower *l)
{
    const struct ptx_module *m = l->f->module;
    const char *name = l->in->n ? l->in->o[0].name : "%";
    bool is_kernel = false, has_body = false;
    for (int i = 0; i < m->nkernels; i++)
        is_kernel |= strcmp(m->kernel[i].name, name) == 0;
    for (int i = 0; i < m->nfuncs; i++)
        has_body |= m->func[i].has_body && strcmp(m->func[i].name, name) == 0;
    const char *plain = cc_plain_name(l->f->arena, name);
    if (strncmp(plain, "__translate_sampler", 19) == 0) /* as clang has a sampler of OpenCL C */
        plain = "sampler_t";
    /* of namespace cooperative_groups, and a member of something there */
    static const char groups[] = "_ZN18cooperative_groups",
                      of_groups[] = "_ZNK18cooperative_groups";
    /* '-': what the machine has not */
    static const char heap[] = "-memory that kernels allocate, 2.0 has; use an array of constant "
                               "size, or pass a buffer",
                      layers[] = "-layers of textures, 2.0 has; bind one of them at a time, or "
                                 "pass a buffer";
    static const struct {
        const char *begin, *why;
    } missing[] = {
        {"sampler_t", "a sampler serves only to read an image"},
        {"atomic", "-atomic operations, 1.1 has; let each thread write an element of its own and "
                   "combine them later"},
        {"atom_", "-atomic operations, 1.1 has; let each thread write an element of its own and "
                  "combine them later"},
        {"__shfl", "-shuffles, 3.0 has; exchange the values through shared memory"},
        {"__all", "-votes, 1.2 has; combine the values in shared memory"},
        {"__any", "-votes, 1.2 has; combine the values in shared memory"},
        {"__ballot", "-votes, 2.0 has this one; combine the values in shared memory"},
        {"__syncthreads_", "-votes, 2.0 has these; combine the values in shared memory and call "
                           "__syncthreads()"},
        {"__activemask", "-votes, 2.0 has this one; combine the values in shared memory"},
        {"__match_", "-votes, 7.0 has this one; compare the values through shared memory"},
        {"__reduce_", "-reductions of a warp, 8.0 has; combine the values in shared memory"},
        {"__dp", "-products of four bytes, 6.1 has; add the products one by one"},
        {"__nanosleep", "-such wait, 7.0 has; leave it out"},
        {"__h", "-arithmetic of half, 5.3 has; convert with __half2float, and compute in float"},
        {"_Zn", heap},
        {"_Zd", heap},
        {"malloc", heap},
        {"free", heap},
        {"tex1DLayered", layers},
        {"tex2DLayered", layers},
        {"texCubemap", layers},
        {"tex", "supported are tex1Dfetch, tex1D and tex2D; use one of them, or pass a buffer"},
        {"read_image", "supported are reads of image2d_t; use it, or pass a buffer"},
        {"write_image", "-images that kernels write, 2.0 has; write a buffer"},
        {"get_image", "supported are the width and height of an image2d_t that the kernel reads; "
                      "pass others as arguments"}};
    if (strncmp(name, groups, sizeof groups - 1) == 0 ||
        strncmp(name, of_groups, sizeof of_groups - 1) == 0)
        return cc_refuse(
            l,
            "'%s' is unavailable: of cooperative groups, sync() of blocks and tiles is supported; "
            "exchange values through shared memory, or launch another kernel",
            plain);
    for (size_t i = 0; i < sizeof missing / sizeof missing[0] && !has_body && !is_kernel; i++)
        if (strncmp(plain, missing[i].begin, strlen(missing[i].begin)) == 0) {
            const char *why = missing[i].why;
            if (strncmp(why, "-atomic", 7) == 0 && l->f->capability >= 1)
                why = "-such atomic operation: those of int and unsigned are all, and 1.2 has add, "
                      "exchange and compare-and-swap of 64 bits; build it of these";
            if (*why == '-')
                return cc_refuse(
                    l, "'%s' is unavailable: the machine (compute capability 1.%d) has no %s",
                    plain, l->f->capability, why + 1);
            return cc_refuse(l, "'%s' is unavailable: %s", plain, why);
        }
    if (*name == '%')
        return cc_refuse(l,
                         "a call through a pointer is not supported: all functions are inlined, "
                         "as the machine has no such calls (2.0 has); call the function by name");
    if (has_body || is_kernel)
        return cc_refuse(l,
                         "'%s' calls itself, and the machine has no stack for its variables (2.0 "
                         "has); write a loop",
                         plain);
    return cc_refuse(l,
                     "'%s' is declared and not defined; all functions are inlined, so define it in "
                     "the same source",
                     plain);
}
