/* program.c -- see program.h. */
#include "program.h"

#include "asm/sasm/sasm.h"
#include "tests/lib/check.h"

void **__cudaRegisterFatBinary(const void *wrapper);
void __cudaRegisterFunction(void **handle, const void *stub, char *device_stub, const char *name,
                            int threads, void *tid, void *bid, void *block, void *grid, int *warp);
void __cudaRegisterVar(void **handle, const void *shadow, char *address, const char *name,
                       int external, size_t size, int constant, int global);

static const char kernels[] =
    ".addresses 64\n"
    ".constant factors, u32, 3, 4\n"
    ".device total, u32, 5, 6\n"
    /* p[i] += by * factors[1] */
    ".kernel add, _Z3addPjj\n.param ptr p, 8, 8\n.param u32 by, 4\n"
    "    SHL R0, R0, 2\n    MOV R1, s[p]\n    IADD R1, R1, R0\n    GLD.U32 R2, global14[R1]\n"
    "    MVC R3, c0[factors + 4]\n    MOV R0, s[by]\n    IMUL.U16.U16 R3, R0L, R3L\n    IADD R2, "
    "R2, R3\n    GST.U32 global14[R1], R2\n    MOV.EXIT R1, R1\n"
    ".kernel wild\n.param ptr p, 8, 8\n"
    "    MVI R1, 0\n    GLD.U32 R2, global14[R1]\n    MOV.EXIT R1, R1\n"
    ".kernel many\n.regs 100\n    MOV.EXIT R1, R1\n";

static const char
    more_kernels[] = /* p[i] += factors[1]: of another image, with names of the first */
    ".addresses 64\n.constant factors, u32, 7, 1000\n.device total, u32, 7\n"
    ".kernel add, _Z3addPjj\n.param ptr p, 8, 8\n.param u32 by, 4\n"
    "    SHL R0, R0, 2\n    MOV R1, s[p]\n    IADD R1, R1, R0\n    GLD.U32 R2, global14[R1]\n"
    "    MVC R3, c0[factors + 4]\n    IADD R2, R2, R3\n    MVC R3, c14[total]\n    GST.U32 "
    "global14[R1], R2\n    MOV.EXIT R1, R1\n";

char stub_more, shadow_more, shadow_addend, stub_add, stub_wild, stub_many, stub_gone, shadow_total,
    shadow_factors;

static void **register_image(const char *text)
{
    static struct fl_buf images[2];
    static int count;
    struct fl_buf *bytes = &images[count++];
    struct cubin *cubin;
    struct fl_err err = {""};
    int bad = sasm_assemble("program.sasm", text, &cubin, &err) ||
              cubin_write_memory(cubin, bytes, &err);
    if (bad)
        fl_give_up(err.msg);
    cubin_free(cubin);
    const struct {
        uint32_t magic, version;
        const void *bytes, *more;
    } wrapper = {0x466243b1, 1, bytes->data, NULL};
    return __cudaRegisterFatBinary(&wrapper);
}

void register_program(void)
{
    void **h = register_image(kernels);
    __cudaRegisterFunction(h, &stub_add, NULL, "_Z3addPjj", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFunction(h, &stub_wild, NULL, "wild", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFunction(h, &stub_many, NULL, "many", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFunction(h, &stub_gone, NULL, "gone", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterVar(h, &shadow_total, NULL, "total", 0, 8, 0, 0);
    __cudaRegisterVar(h, &shadow_factors, NULL, "factors", 0, 8, 1, 0);
    h = register_image(more_kernels);
    __cudaRegisterFunction(h, &stub_more, NULL, "_Z3addPjj", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterVar(h, &shadow_more, NULL, "total", 0, 4, 0, 0);
    __cudaRegisterVar(h, &shadow_addend, NULL, "factors", 0, 8, 1, 0);
}

cudaError_t add(const dim3 grid, const dim3 block, size_t shared, uint32_t *p, uint32_t by)
{
    cudaConfigureCall(grid, block, shared, NULL);
    cudaSetupArgument(&p, sizeof p, 0);
    cudaSetupArgument(&by, sizeof by, 8);
    return cudaLaunch(&stub_add);
}
