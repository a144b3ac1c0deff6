/* test_libcuda.c -- the driver API as a program calls it: what each call does, and which of CUDA's errors it ends with. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "asm/sasm/sasm.h"
#include "host/libcuda/cuda.h"
#include "tests/lib/check.h"
#include "tests/lib/tools.h"

/* add(p, by) adds by * factors[1] to p[thread]; wild traps; many needs 100 registers; reads loads total[0]. */
static const char kernels[] =
    ".constant factors, u32, 3, 4\n"
    ".device total, u32, 5, 6\n"
    ".kernel add, _Z3addPjj\n.param ptr p, 4\n.param u32 by, 4\n"
    "    SHL R0, R0, 2\n    MOV R1, s[p]\n    IADD R1, R1, R0\n    GLD.U32 R2, global14[R1]\n"
    "    MVC R3, c0[factors + 4]\n    MOV R0, s[by]\n    IMUL.U16.U16 R3, R0L, R3L\n    IADD R2, "
    "R2, R3\n    GST.U32 global14[R1], R2\n    MOV.EXIT R1, R1\n"
    ".kernel wild\n.param ptr p, 4\n"
    "    MVI R1, 0\n    GLD.U32 R2, global14[R1]\n    MOV.EXIT R1, R1\n"
    ".kernel many\n.regs 100\n    MOV.EXIT R1, R1\n"
    ".kernel reads\n.param ptr p, 4\n"
    "    MOV R1, s[p]\n    MVC R2, c14[total]\n    GLD.U32 R2, global14[R2]\n    GST.U32 "
    "global14[R1], R2\n    MOV.EXIT R1, R1\n";

/* row fetches texel thread of texels. Only the first cubin of a context may have textures. */
static const char fetches[] =
    ".texture texels, any, 3\n"
    ".kernel row\n.param ptr p, 4\n"
    "    SHL R4, R0, 2\n    MOV R5, s[p]\n    IADD R5, R5, R4\n    I2F.F32.U32 R0, R0\n"
    "    TEX R0, t3, s3, n0x1, m0x1, x0x0, y0x0, z0x0\n    GST.U32 global14[R5], R0\n    MOV.EXIT "
    "R1, R1\n";

static struct fl_buf cubin, textured;
static char *dir;
static CUcontext context;
static CUmodule module;
static CUfunction add;

#define IS(call, error) CU_ASSERT_EQUAL(call, error)
#define OK(call)        IS(call, CUDA_SUCCESS)

static void start_with(const struct fl_buf *image)
{
    CUdevice device;
    OK(cuInit(0));
    OK(cuDeviceGet(&device, 0));
    OK(cuCtxCreate(&context, CU_CTX_SCHED_AUTO, device));
    OK(cuModuleLoadData(&module, image->data));
}

static void start(void)
{
    start_with(&cubin);
    OK(cuModuleGetFunction(&add, module, "add"));
}

static void end(void)
{
    OK(cuCtxDestroy(context));
}

static CUfunction function(const char *name)
{
    CUfunction f = NULL;
    OK(cuModuleGetFunction(&f, module, name));
    return f;
}

static CUresult launch(CUfunction f, CUdeviceptr p, uint32_t by)
{
    void *params[] = {&p, &by};
    return cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, NULL, params, NULL);
}

static CUdeviceptr zeros(void)
{
    CUdeviceptr p = 0;
    OK(cuMemAlloc(&p, 128));
    OK(cuMemsetD32(p, 0, 32));
    return p;
}

static uint32_t word(CUdeviceptr at)
{
    uint32_t w = 0;
    OK(cuMemcpyDtoH(&w, at, 4));
    return w;
}

/* ---- before cuInit ---- */

static void no_call_goes_before_cuInit(void)
{
    CUdevice device;
    CUcontext c;
    CUdeviceptr p;
    tools_listen();
    IS(cuDeviceGet(&device, 0), CUDA_ERROR_NOT_INITIALIZED);
    IS(cuCtxCreate(&c, 0, 0), CUDA_ERROR_NOT_INITIALIZED);
    IS(cuMemAlloc(&p, 4), CUDA_ERROR_NOT_INITIALIZED);
    IS(cuInit(1), CUDA_ERROR_INVALID_VALUE);
    tools_said("call cuInit first");
}

static void a_profile_that_is_not_there_is_no_device(void)
{
    setenv("FAULTLINE_PROFILE", "g81", 1);
    tools_listen();
    IS(cuInit(0), CUDA_ERROR_NO_DEVICE);
    tools_said("no such profile");
    unsetenv("FAULTLINE_PROFILE");
}

/* ---- the device ---- */

static void the_device_is_the_profile(void)
{
    CUdevice device;
    CUdevprop properties;
    int n, major, minor;
    size_t bytes;
    char name[32];
    OK(cuInit(0));
    OK(cuInit(0));
    OK(cuDeviceGetCount(&n));
    CU_ASSERT_EQUAL(n, 1);
    OK(cuDeviceGet(&device, 0));
    OK(cuDeviceGetName(name, sizeof name, device));
    CU_ASSERT_STRING_EQUAL(name, "Faultline g80");
    OK(cuDeviceComputeCapability(&major, &minor, device));
    CU_ASSERT_EQUAL(major, 1);
    CU_ASSERT_EQUAL(minor, 0);
    OK(cuDeviceTotalMem(&bytes, device));
    CU_ASSERT_EQUAL(bytes, 768 << 20);
    OK(cuDeviceGetAttribute(&n, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device));
    CU_ASSERT_EQUAL(n, 32);
    OK(cuDeviceGetAttribute(&n, CU_DEVICE_ATTRIBUTE_CLOCK_RATE, device));
    CU_ASSERT_EQUAL(n, 1350000);
    OK(cuDeviceGetAttribute(&n, CU_DEVICE_ATTRIBUTE_ECC_ENABLED, device));
    CU_ASSERT_EQUAL(n, 0);
    OK(cuDeviceGetProperties(&properties, device));
    CU_ASSERT_EQUAL(properties.maxThreadsPerBlock, 512);
    CU_ASSERT_EQUAL(properties.textureAlign, 256);
    OK(cuDriverGetVersion(&n));
    CU_ASSERT_EQUAL(n, CUDA_VERSION);
    tools_listen();
    IS(cuDeviceGet(&device, 1), CUDA_ERROR_INVALID_DEVICE);
    IS(cuCtxCreate(&context, 0, 3), CUDA_ERROR_INVALID_DEVICE);
    IS(cuDeviceGetCount(NULL), CUDA_ERROR_INVALID_VALUE);
    tools_said("device 1 does not exist");
}

static void every_error_has_a_name_and_a_text(void)
{
    const char *s;
    OK(cuGetErrorName(CUDA_ERROR_LAUNCH_FAILED, &s));
    CU_ASSERT_STRING_EQUAL(s, "CUDA_ERROR_LAUNCH_FAILED");
    OK(cuGetErrorString(CUDA_ERROR_LAUNCH_FAILED, &s));
    CU_ASSERT_STRING_EQUAL(s, "unspecified launch failure");
    IS(cuGetErrorName((CUresult)77, &s), CUDA_ERROR_INVALID_VALUE);
    CU_ASSERT_PTR_NULL(s);
    IS(cuGetErrorString((CUresult)77, &s), CUDA_ERROR_INVALID_VALUE);
}

/* ---- contexts ---- */

static void a_call_without_a_context_is_refused(void)
{
    CUdeviceptr p;
    CUcontext c = (CUcontext)dir;
    tools_listen();
    IS(cuMemAlloc(&p, 4), CUDA_ERROR_INVALID_CONTEXT);
    IS(cuCtxSynchronize(), CUDA_ERROR_INVALID_CONTEXT);
    IS(cuCtxPopCurrent(NULL), CUDA_ERROR_INVALID_CONTEXT);
    IS(cuCtxSetCurrent(c), CUDA_ERROR_INVALID_CONTEXT);
    IS(cuCtxDestroy(c), CUDA_ERROR_INVALID_CONTEXT);
    OK(cuCtxGetCurrent(&c));
    CU_ASSERT_PTR_NULL(c);
    tools_said("no context is current");
}

static void contexts_are_a_stack_and_have_their_own_memory(void)
{
    CUcontext first, now;
    CUdevice device;
    start();
    first = context;
    CUdeviceptr p = zeros();
    OK(cuCtxGetDevice(&device));
    CU_ASSERT_EQUAL(device, 0);
    OK(cuCtxCreate(&context, 0, 0));
    OK(cuCtxGetCurrent(&now));
    CU_ASSERT_PTR_EQUAL(now, context);
    tools_listen();
    IS(cuMemcpyDtoH(&now, p, 4), CUDA_ERROR_INVALID_VALUE);
    IS(launch(add, p, 1), CUDA_ERROR_INVALID_HANDLE); /* of the other context */
    tools_said("is no function of the current context");
    OK(cuCtxPopCurrent(&now));
    CU_ASSERT_PTR_EQUAL(now, context);
    OK(launch(add, p, 1));
    OK(cuCtxPushCurrent(context));
    OK(cuCtxSetCurrent(first));
    CU_ASSERT_EQUAL(word(p), 4);
    OK(cuCtxPopCurrent(NULL));
    OK(cuCtxDestroy(context));
    OK(cuCtxGetCurrent(&now));
    CU_ASSERT_PTR_EQUAL(now, first);
    context = first;
    end();
}

static void a_destroyed_context_is_said_to_be_one(void)
{
    CUcontext other;
    start();
    OK(cuCtxCreate(&other, 0, 0));
    OK(cuCtxDestroy(context)); /* below the current one */
    OK(cuCtxDestroy(other));
    tools_listen();
    IS(cuCtxSynchronize(), CUDA_ERROR_CONTEXT_IS_DESTROYED);
    tools_said("has been destroyed");
    OK(cuCtxPopCurrent(NULL));
}

static void *from_a_thread(void *at)
{
    uint32_t *out = at;
    tools_listen();
    out[0] = cuCtxSynchronize();
    tools_said("no context is current");
    out[1] = cuCtxSetCurrent(context);
    out[2] = cuCtxSynchronize();
    return NULL;
}

static void each_thread_has_its_own_stack_of_contexts(void)
{
    pthread_t thread;
    uint32_t out[3];
    start();
    pthread_create(&thread, NULL, from_a_thread, out);
    pthread_join(thread, NULL);
    CU_ASSERT_EQUAL(out[0], CUDA_ERROR_INVALID_CONTEXT);
    CU_ASSERT_EQUAL(out[1], CUDA_SUCCESS);
    CU_ASSERT_EQUAL(out[2], CUDA_SUCCESS);
    end();
}

/* ---- modules ---- */

static void a_module_is_a_file_or_bytes(void)
{
    CUmodule m;
    CUfunction f, again;
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    char log[4] = "old", *path = fl_format("%s/k.cubin", dir);
    void *values[] = {log, (void *)sizeof log};
    start();
    tools_put(dir, "k.cubin", cubin.data, cubin.size);
    OK(cuModuleLoad(&m, path));
    OK(cuModuleGetFunction(&f, m, "_Z3addPjj"));
    OK(cuModuleGetFunction(&again, m, "add"));
    CU_ASSERT_PTR_EQUAL(f, again);
    CU_ASSERT_PTR_NOT_EQUAL(f, add);
    OK(cuModuleUnload(m));
    OK(cuModuleLoadDataEx(&m, cubin.data, 2, options, values));
    CU_ASSERT_STRING_EQUAL(log, "");
    OK(cuModuleUnload(m));
    free(path);
    end();
}

static void an_unloaded_module_and_its_functions_are_invalid_handles(void)
{
    start();
    CUdeviceptr p = zeros();
    CUfunction f;
    OK(cuModuleUnload(module));
    tools_listen();
    IS(launch(add, p, 1), CUDA_ERROR_INVALID_HANDLE);
    IS(cuModuleUnload(module), CUDA_ERROR_INVALID_HANDLE);
    IS(cuModuleGetFunction(&f, module, "add"), CUDA_ERROR_INVALID_HANDLE);
    tools_said("is no function of the current context, or none any more");
    end();
}

static void what_is_no_cubin_is_refused_by_what_it_is(void)
{
    static const uint32_t wrapper[4] = {0x466243b1, 1}, fat[4] = {0xba55ed50, 0x00100001};
    uint8_t *cut = fl_alloc(cubin.size);
    CUmodule m;
    start();
    memcpy(cut, cubin.data, cubin.size);
    memset(cut + 16, 0xff, 4); /* of another machine */
    tools_listen();
    IS(cuModuleLoadData(&m, "// a comment\n.version 1.0"), CUDA_ERROR_JIT_COMPILER_NOT_FOUND);
    IS(cuModuleLoadData(&m, wrapper), CUDA_ERROR_NO_BINARY_FOR_GPU);
    IS(cuModuleLoadData(&m, fat), CUDA_ERROR_NO_BINARY_FOR_GPU);
    IS(cuModuleLoadData(&m, "nothing"), CUDA_ERROR_INVALID_IMAGE);
    IS(cuModuleLoadData(&m, cut), CUDA_ERROR_INVALID_IMAGE);
    IS(cuModuleLoad(&m, "none.cubin"), CUDA_ERROR_FILE_NOT_FOUND);
    IS(cuModuleLoadData(&m, NULL), CUDA_ERROR_INVALID_VALUE);
    tools_said("this is PTX");
    free(cut);
    end();
}

static void a_name_that_is_not_there_is_not_found(void)
{
    CUfunction f;
    CUdeviceptr p;
    start();
    tools_listen();
    IS(cuModuleGetFunction(&f, module, "sub"), CUDA_ERROR_NOT_FOUND);
    IS(cuModuleGetGlobal(&p, NULL, module, "nobody"), CUDA_ERROR_NOT_FOUND);
    tools_said("the module has no kernel 'sub'");
    end();
}

static void variables_have_addresses_in_global_and_in_constant_memory(void)
{
    CUdeviceptr total, factors, p;
    size_t bytes;
    uint32_t nine = 9, back[2];
    start();
    p = zeros();
    OK(cuModuleGetGlobal(&total, &bytes, module, "total"));
    CU_ASSERT_EQUAL(bytes, 8);
    OK(cuMemcpyDtoH(back, total, 8));
    CU_ASSERT_EQUAL(back[1], 6);
    OK(cuMemcpyHtoD(total, &nine, 4));
    OK(launch(function("reads"), p, 0));
    CU_ASSERT_EQUAL(word(p), 9);
    OK(cuModuleGetGlobal(&factors, &bytes, module, "factors"));
    CU_ASSERT_EQUAL(bytes, 8);
    OK(cuMemcpyHtoD(factors + 4, &nine, 4));
    OK(launch(add, p, 1));
    CU_ASSERT_EQUAL(word(p), 18);
    OK(cuMemsetD32(factors, 2, 2));
    OK(launch(add, p, 1));
    CU_ASSERT_EQUAL(word(p), 20);
    tools_listen();
    IS(cuMemcpyHtoD(factors + 4, &back, 8), CUDA_ERROR_INVALID_VALUE);
    IS(cuMemcpyDtoH(back, factors, 4), CUDA_ERROR_NOT_SUPPORTED);
    IS(cuMemFree(total), CUDA_ERROR_INVALID_VALUE);
    tools_said("are not in the constants of a module");
    end();
}

static void modules_lie_side_by_side(void)
{
    CUmodule other;
    CUfunction f;
    CUdeviceptr factors, p;
    uint32_t nine = 9;
    start();
    p = zeros();
    OK(launch(add, p, 1));
    OK(cuModuleLoadData(&other, cubin.data));
    OK(cuModuleGetFunction(&f, other, "add"));
    OK(cuModuleGetGlobal(&factors, NULL, other, "factors"));
    OK(cuMemcpyHtoD(factors + 4, &nine, 4));
    OK(launch(f, p, 1));
    OK(launch(add, p, 1));
    CU_ASSERT_EQUAL(word(p), 4 + 9 + 4);
    end();
}

/* ---- launches ---- */

static void both_forms_of_a_launch_do_the_same(void)
{
    start();
    CUdeviceptr p = zeros();
    uint32_t block[2] = {(uint32_t)p, 3};
    size_t size = sizeof block;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, block, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                     CU_LAUNCH_PARAM_END};
    OK(launch(add, p, 2));
    CU_ASSERT_EQUAL(word(p + 124), 8);
    OK(cuLaunchKernel(add, 1, 1, 1, 16, 1, 1, 0, NULL, NULL, extra));
    CU_ASSERT_EQUAL(word(p + 60), 20);
    CU_ASSERT_EQUAL(word(p + 64), 8);
    OK(cuFuncSetBlockShape(add, 8, 1, 1));
    OK(cuFuncSetSharedSize(add, 16));
    OK(cuParamSeti(add, 0, (unsigned)p));
    OK(cuParamSetv(add, 4, &block[1], 4));
    OK(cuParamSetSize(add, 8));
    OK(cuLaunchGrid(add, 1, 1));
    CU_ASSERT_EQUAL(word(p), 32);
    OK(cuLaunch(add));
    OK(cuLaunchGridAsync(add, 1, 1, NULL));
    CU_ASSERT_EQUAL(word(p), 56);
    CU_ASSERT_EQUAL(word(p + 32), 20);
    end();
}

static void a_launch_outside_the_limits_is_an_invalid_value(void)
{
    start();
    CUdeviceptr p = zeros();
    uint32_t by = 1;
    size_t size = 300;
    void *params[] = {&p, &by}, *none[] = {&p, NULL},
         *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &p, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                     CU_LAUNCH_PARAM_END},
         *wrong[] = {(void *)7, &p, CU_LAUNCH_PARAM_END};
    tools_listen();
    IS(cuLaunchKernel(add, 1, 1, 2, 1, 1, 1, 0, NULL, params, NULL), CUDA_ERROR_INVALID_VALUE);
    IS(cuLaunchKernel(add, 0, 1, 1, 1, 1, 1, 0, NULL, params, NULL), CUDA_ERROR_INVALID_VALUE);
    IS(cuLaunchKernel(add, 1, 1, 1, 513, 1, 1, 0, NULL, params, NULL), CUDA_ERROR_INVALID_VALUE);
    IS(cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 1 << 20, NULL, params, NULL),
       CUDA_ERROR_INVALID_VALUE);
    IS(cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL), CUDA_ERROR_INVALID_VALUE);
    IS(cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, NULL, none, NULL), CUDA_ERROR_INVALID_VALUE);
    IS(cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, NULL, params, extra), CUDA_ERROR_INVALID_VALUE);
    IS(cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra), CUDA_ERROR_INVALID_VALUE);
    IS(cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, wrong), CUDA_ERROR_INVALID_VALUE);
    IS(cuFuncSetBlockShape(add, 0, 1, 1), CUDA_ERROR_INVALID_VALUE);
    IS(cuParamSeti(add, 254, 1), CUDA_ERROR_INVALID_VALUE);
    IS(cuParamSeti(add, -4, 1), CUDA_ERROR_INVALID_VALUE);
    IS(cuParamSetSize(add, 257), CUDA_ERROR_INVALID_VALUE);
    IS(cuLaunchGrid(add, 1, 0), CUDA_ERROR_INVALID_VALUE);
    tools_said("the launch has no value for parameter 2");
    OK(launch(add, p, 1)); /* the context is as before */
    end();
}

static void too_many_registers_are_too_many_resources(void)
{
    start();
    tools_listen();
    IS(cuLaunchKernel(function("many"), 1, 1, 1, 512, 1, 1, 0, NULL, NULL, NULL),
       CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
    tools_said("registers");
    end();
}

static void a_function_says_what_it_needs(void)
{
    int n;
    start();
    OK(cuFuncGetAttribute(&n, CU_FUNC_ATTRIBUTE_NUM_REGS, function("many")));
    CU_ASSERT_EQUAL(n, 100);
    OK(cuFuncGetAttribute(&n, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function("many")));
    CU_ASSERT_EQUAL(n, 64);
    OK(cuFuncGetAttribute(&n, CU_FUNC_ATTRIBUTE_BINARY_VERSION, add));
    CU_ASSERT_EQUAL(n, 10);
    OK(cuFuncSetCacheConfig(add, CU_FUNC_CACHE_PREFER_L1));
    tools_listen();
    IS(cuFuncGetAttribute(&n, CU_FUNC_ATTRIBUTE_MAX, add), CUDA_ERROR_INVALID_VALUE);
    IS(cuFuncGetAttribute(NULL, CU_FUNC_ATTRIBUTE_NUM_REGS, add), CUDA_ERROR_INVALID_VALUE);
    tools_said("is no attribute of a function");
    end();
}

static void a_trap_ends_the_context_and_a_new_one_goes_on(void)
{
    CUdeviceptr p;
    uint32_t w;
    start();
    p = zeros();
    tools_listen();
    IS(launch(function("wild"), p, 0), CUDA_ERROR_ILLEGAL_ADDRESS);
    tools_said("kernel 'wild' trapped");
    IS(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
    IS(cuMemcpyDtoH(&w, p, 4), CUDA_ERROR_ILLEGAL_ADDRESS);
    IS(cuMemAlloc(&p, 4), CUDA_ERROR_ILLEGAL_ADDRESS);
    IS(launch(add, p, 1), CUDA_ERROR_ILLEGAL_ADDRESS);
    IS(cuModuleUnload(module), CUDA_ERROR_ILLEGAL_ADDRESS);
    end();
    start();
    p = zeros();
    OK(launch(add, p, 1));
    CU_ASSERT_EQUAL(word(p), 4);
    end();
}

/* ---- memory ---- */

static void memory_is_copied_and_filled_in_all_directions(void)
{
    uint8_t h[4][10], back[4][10] = {{0}};
    uint16_t half;
    CUdeviceptr a, b, base;
    size_t pitch, bytes;
    start();
    for (int i = 0; i < 40; i++)
        h[i / 10][i % 10] = (uint8_t)i;
    OK(cuMemAllocPitch(&a, &pitch, 10, 4, 4));
    CU_ASSERT_EQUAL(pitch, 256);
    CUDA_MEMCPY2D c = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                       .srcHost = h,
                       .srcPitch = 10,
                       .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                       .dstDevice = a,
                       .dstPitch = pitch,
                       .WidthInBytes = 10,
                       .Height = 4};
    OK(cuMemcpy2D(&c));
    CUDA_MEMCPY2D d = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                       .srcDevice = a,
                       .srcPitch = pitch,
                       .srcXInBytes = 1,
                       .srcY = 2,
                       .dstMemoryType = CU_MEMORYTYPE_HOST,
                       .dstHost = back,
                       .dstPitch = 10,
                       .WidthInBytes = 9,
                       .Height = 2};
    OK(cuMemcpy2D(&d));
    CU_ASSERT_EQUAL(back[0][0], 21);
    CU_ASSERT_EQUAL(back[1][8], 39);
    OK(cuMemGetAddressRange(&base, &bytes, a + 300));
    CU_ASSERT_EQUAL(base, a);
    CU_ASSERT_EQUAL(bytes, 1024);
    OK(cuMemAlloc(&b, 64));
    OK(cuMemcpyDtoD(b, a + 256, 8));
    OK(cuMemsetD8(b + 1, 0xee, 1));
    OK(cuMemsetD16(b + 2, 0x1234, 2));
    OK(cuMemcpyDtoH(&half, b + 4, 2));
    CU_ASSERT_EQUAL(half, 0x1234);
    CU_ASSERT_EQUAL(word(b), 0x1234ee0a);
    OK(cuMemcpy(b, (CUdeviceptr)(uintptr_t)h, 4));
    CU_ASSERT_EQUAL(word(b), 0x03020100);
    OK(cuMemcpy((CUdeviceptr)(uintptr_t)back, b, 4));
    CU_ASSERT_EQUAL(back[0][3], 3);
    OK(cuMemsetD2D32(a, pitch, 0x01020304, 2, 3));
    CU_ASSERT_EQUAL(word(a + 516), 0x01020304);
    CU_ASSERT_NOT_EQUAL(word(a + 768), 0x01020304);
    end();
}

static void what_is_not_memory_of_the_device_is_an_invalid_value(void)
{
    CUdeviceptr p;
    uint32_t h[4] = {0};
    start();
    OK(cuMemAlloc(&p, 16));
    tools_listen();
    IS(cuMemcpyHtoD(p, h, 20), CUDA_ERROR_INVALID_VALUE);
    IS(cuMemcpyDtoH(h, p + 4, 16), CUDA_ERROR_INVALID_VALUE);
    IS(cuMemcpyHtoD(p, NULL, 4), CUDA_ERROR_INVALID_VALUE);
    IS(cuMemsetD32(p + 1, 0, 1), CUDA_ERROR_INVALID_VALUE);
    IS(cuMemsetD32(p, 0, 5), CUDA_ERROR_INVALID_VALUE);
    IS(cuMemFree(p + 4), CUDA_ERROR_INVALID_VALUE);
    IS(cuMemAlloc(&p, 0), CUDA_ERROR_INVALID_VALUE);
    IS(cuMemGetAddressRange(NULL, NULL, 4), CUDA_ERROR_NOT_FOUND);
    tools_said("20 bytes at");
    OK(cuMemFree(p));
    tools_listen();
    IS(cuMemFree(p), CUDA_ERROR_INVALID_VALUE);
    tools_said("freed already");
    end();
}

static void memory_ends(void)
{
    size_t left, total;
    CUdeviceptr p, q;
    start();
    OK(cuMemAlloc(&p, 512 << 20));
    OK(cuMemGetInfo(&left, &total));
    CU_ASSERT_EQUAL(left, 256 << 20);
    tools_listen();
    IS(cuMemAlloc(&q, 512 << 20), CUDA_ERROR_OUT_OF_MEMORY);
    tools_said("the device has 805306368");
    end();
}

static CUresult place(CUdeviceptr *at, CUdeviceptr wanted, size_t bytes)
{
    const CUmemAllocationProp p = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                   .location.type = CU_MEM_LOCATION_TYPE_DEVICE};
    const CUmemAccessDesc access = {p.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    CUmemGenericAllocationHandle h;
    CUresult error = cuMemAddressReserve(at, bytes, 0, wanted, 0);
    if (error)
        return error;
    OK(cuMemCreate(&h, bytes, &p, 0));
    OK(cuMemMap(*at, bytes, 0, h, 0));
    OK(cuMemRelease(h));
    IS(cuMemMap(*at, bytes + 1, 0, h, 0), CUDA_ERROR_INVALID_VALUE);
    return cuMemSetAccess(*at, bytes, &access, 1);
}

static void memory_lies_where_the_program_chooses(void)
{
    CUdeviceptr high, low, p, any;
    CUmemGenericAllocationHandle h;
    start();
    tools_listen();
    OK(place(&high, 0x5fffff00, 256)); /* the last one */
    OK(place(&low, 0x2aaaaa00, 128));
    CU_ASSERT_EQUAL(high, 0x5fffff00);
    OK(cuMemsetD32(low, 0, 32));
    OK(launch(add, low, 2));
    CU_ASSERT_EQUAL(word(low + 124), 8);
    IS(place(&p, 0x2aaaaa00, 128), CUDA_ERROR_OUT_OF_MEMORY); /* taken */
    IS(place(&p, 0x2aaaa900, 256), CUDA_ERROR_OUT_OF_MEMORY); /* no guard */
    IS(place(&p, 0x2aaabb80, 256), CUDA_ERROR_OUT_OF_MEMORY); /* no multiple of 256 */
    IS(place(&p, 0x60010000, 256), CUDA_ERROR_OUT_OF_MEMORY);
    IS(place(&p, 0x1060010000, 256), CUDA_ERROR_OUT_OF_MEMORY);
    IS(place(&p, 0x40000000, (size_t)1 << 30), CUDA_ERROR_OUT_OF_MEMORY);
    IS(cuMemAddressReserve(&p, 256, 512, 0, 0), CUDA_ERROR_INVALID_VALUE);
    IS(cuMemCreate(&h, 256, NULL, 0), CUDA_ERROR_INVALID_VALUE);
    IS(cuMemUnmap(low, 64), CUDA_ERROR_INVALID_VALUE);
    OK(cuMemUnmap(high, 256));
    OK(cuMemAddressFree(high, 256));
    IS(cuMemAddressFree(high, 256), CUDA_ERROR_INVALID_VALUE);
    OK(place(&high, 0x5fffff00, 256)); /* again */
    tools_said("0x2aaaaa00: an address is a multiple of 256 from 0x10000 to 0x6000ffff");
    end();
    start();
    OK(place(&low, 0x2aaaaa00, 128));
    OK(cuMemAlloc(&p, 128)); /* behind it, as in a job */
    CU_ASSERT(p > low);
    OK(place(&any, 0, 128));
    CU_ASSERT(any > p);
    end();
}

/* ---- textures ---- */

static void a_texture_is_what_its_reference_says_at_the_launch(void)
{
    static const uint32_t texels[2][32] = {{0x80ff0102, 7, 8}, {5, 6}};
    CUdeviceptr p, t;
    CUtexref r, again;
    size_t offset = 1;
    CUDA_ARRAY_DESCRIPTOR size = {2, 2, CU_AD_FORMAT_UNSIGNED_INT32, 1};
    start_with(&textured);
    CUfunction row = function("row");
    p = zeros();
    OK(cuMemAlloc(&t, sizeof texels));
    OK(cuMemcpyHtoD(t, texels, sizeof texels));
    OK(cuModuleGetTexRef(&r, module, "texels"));
    OK(cuModuleGetTexRef(&again, module, "texels"));
    CU_ASSERT_PTR_EQUAL(r, again);
    OK(cuTexRefSetFormat(r, CU_AD_FORMAT_UNSIGNED_INT32, 1));
    OK(cuTexRefSetAddress(&offset, r, t, 12));
    CU_ASSERT_EQUAL(offset, 0);
    OK(cuParamSetTexRef(row, CU_PARAM_TR_DEFAULT, r));
    OK(launch(row, p, 0));
    CU_ASSERT_EQUAL(word(p + 8), 8);
    CU_ASSERT_EQUAL(word(p + 124), 8); /* clamped */
    OK(cuTexRefSetFormat(r, CU_AD_FORMAT_UNSIGNED_INT8, 4));
    OK(launch(row, p, 0));
    CU_ASSERT_EQUAL(word(p), 0x3c008081); /* 2 of 255 */
    OK(cuTexRefSetFlags(r, CU_TRSF_READ_AS_INTEGER));
    OK(launch(row, p, 0));
    CU_ASSERT_EQUAL(word(p), 2);
    OK(cuTexRefSetFormat(r, CU_AD_FORMAT_UNSIGNED_INT32, 1));
    OK(cuTexRefSetAddress2D(r, &size, t + 128, 128));
    OK(cuTexRefSetFlags(r, CU_TRSF_NORMALIZED_COORDINATES));
    OK(cuTexRefSetAddressMode(r, 0, CU_TR_ADDRESS_MODE_WRAP));
    OK(cuTexRefSetFilterMode(r, CU_TR_FILTER_MODE_LINEAR)); /* of integers: none */
    tools_listen();
    IS(launch(row, p, 0), CUDA_ERROR_INVALID_VALUE); /* the second row is not in the buffer */
    tools_said("bytes from");
    OK(cuTexRefSetAddress2D(r, &size, t, 128));
    OK(launch(row, p, 0));
    CU_ASSERT_EQUAL(word(p + 4), 0x80ff0102); /* 1.0 is 0.0 */
    end();
}

static void a_texture_that_cannot_be_is_an_invalid_value(void)
{
    CUdeviceptr p;
    CUtexref r;
    CUDA_ARRAY_DESCRIPTOR size = {2, 2, CU_AD_FORMAT_FLOAT, 2};
    start_with(&textured);
    p = zeros();
    tools_listen();
    IS(cuModuleGetTexRef(&r, module, "none"), CUDA_ERROR_NOT_FOUND);
    OK(cuModuleGetTexRef(&r, module, "texels"));
    IS(cuTexRefSetFormat(r, CU_AD_FORMAT_HALF, 1), CUDA_ERROR_INVALID_VALUE);
    IS(cuTexRefSetFormat(r, CU_AD_FORMAT_FLOAT, 3), CUDA_ERROR_INVALID_VALUE);
    IS(cuTexRefSetAddressMode(r, 3, CU_TR_ADDRESS_MODE_WRAP), CUDA_ERROR_INVALID_VALUE);
    IS(cuTexRefSetAddressMode(r, 0, CU_TR_ADDRESS_MODE_MIRROR), CUDA_ERROR_INVALID_VALUE);
    IS(cuTexRefSetFilterMode(r, (CUfilter_mode)2), CUDA_ERROR_INVALID_VALUE);
    IS(cuTexRefSetFlags(r, 16), CUDA_ERROR_INVALID_VALUE);
    IS(cuTexRefSetAddress2D(r, &size, p, 16), CUDA_ERROR_INVALID_VALUE); /* other channels */
    IS(cuTexRefSetAddress(NULL, r, 1, 16), CUDA_ERROR_INVALID_VALUE);
    IS(cuParamSetTexRef(function("row"), 1, r), CUDA_ERROR_INVALID_VALUE);
    tools_said("the module has no texture reference 'none'");
    OK(cuModuleUnload(module));
    tools_listen();
    IS(cuTexRefSetFlags(r, 0), CUDA_ERROR_INVALID_HANDLE);
    tools_said("no texture reference of the current context");
    end();
}

static void memory_of_the_host_is_freed_once(void)
{
    void *p, *q;
    start();
    OK(cuMemAllocHost(&p, 64));
    OK(cuMemHostAlloc(&q, 64, CU_MEMHOSTALLOC_PORTABLE));
    OK(cuMemFreeHost(p));
    OK(cuMemFreeHost(q));
    tools_listen();
    IS(cuMemFreeHost(p), CUDA_ERROR_INVALID_VALUE);
    IS(cuMemHostAlloc(&q, 64, CU_MEMHOSTALLOC_DEVICEMAP), CUDA_ERROR_NOT_SUPPORTED);
    tools_said("freed already");
    end();
}

/* What programs of CUDA 2 and 3.0 call. */
#undef cuMemAlloc
#undef cuMemsetD32
#undef cuMemcpyDtoH
#undef cuMemFree
#undef cuModuleGetGlobal
#undef cuMemGetInfo
CUresult cuMemAlloc(unsigned *at, unsigned n);
CUresult cuMemsetD32(unsigned at, unsigned value, unsigned n);
CUresult cuMemcpyDtoH(void *to, unsigned from, unsigned n);
CUresult cuMemFree(unsigned at);
CUresult cuMemGetInfo(unsigned *left, unsigned *total);
CUresult cuModuleGetGlobal(unsigned *at, unsigned *bytes, CUmodule m, const char *name);

static void names_without_v2_take_addresses_of_32_bits(void)
{
    unsigned p[2] = {0, 7}, bytes, left, total, w = 0;
    start();
    OK(cuMemAlloc(p, 128));
    CU_ASSERT_EQUAL(p[1], 7); /* nothing is written behind it */
    OK(cuMemsetD32(p[0], 5, 32));
    OK(launch(add, p[0], 1));
    OK(cuMemcpyDtoH(&w, p[0], 4));
    CU_ASSERT_EQUAL(w, 9);
    OK(cuMemGetInfo(&left, &total));
    CU_ASSERT_EQUAL(total - left, 128);
    OK(cuMemFree(p[0]));
    OK(cuModuleGetGlobal(p, &bytes, module, "total"));
    CU_ASSERT_EQUAL(bytes, 8);
    tools_listen();
    IS(cuModuleGetGlobal(p, &bytes, module, "factors"), CUDA_ERROR_NOT_SUPPORTED);
    tools_said("addresses of 64 bits");
    end();
}

/* ---- streams and events ---- */

static void events_count_the_cycles_of_the_machine(void)
{
    CUstream stream;
    CUevent a, b, untimed;
    float ms;
    start();
    CUdeviceptr p = 0;
    OK(cuMemAlloc_v2(&p, 128));
    OK(cuStreamCreate(&stream, CU_STREAM_DEFAULT));
    OK(cuEventCreate(&a, CU_EVENT_DEFAULT));
    OK(cuEventCreate(&b, CU_EVENT_DEFAULT));
    OK(cuEventCreate(&untimed, CU_EVENT_DISABLE_TIMING));
    OK(cuEventRecord(a, stream));
    OK(launch(add, p, 1));
    OK(cuEventRecord(b, NULL));
    OK(cuEventSynchronize(b));
    OK(cuEventQuery(b));
    OK(cuStreamWaitEvent(stream, b, 0));
    OK(cuStreamSynchronize(stream));
    OK(cuStreamQuery(stream));
    OK(cuEventElapsedTime(&ms, a, b));
    CU_ASSERT(ms > 0 && ms < 0.01f);
    tools_listen();
    IS(cuEventElapsedTime(&ms, a, untimed), CUDA_ERROR_INVALID_HANDLE);
    OK(cuEventDestroy(a));
    IS(cuEventRecord(a, NULL), CUDA_ERROR_INVALID_HANDLE);
    OK(cuStreamDestroy(stream));
    IS(cuStreamSynchronize(stream), CUDA_ERROR_INVALID_HANDLE);
    tools_said("is no event of the current context");
    end();
}

int main(void)
{
    struct cubin *c;
    struct fl_err err = {""};
    const char *const source[] = {kernels, fetches};
    for (int i = 0; i < 2; i++) {
        if (sasm_assemble("program.sasm", source[i], &c, &err) ||
            cubin_write_memory(c, i ? &textured : &cubin, &err))
            fl_give_up(err.msg);
        cubin_free(c);
    }
    dir = tools_folder();
    int failed = CHECK_RUN(
        "libcuda", CHECK(no_call_goes_before_cuInit),
        CHECK(a_profile_that_is_not_there_is_no_device), CHECK(the_device_is_the_profile),
        CHECK(every_error_has_a_name_and_a_text), CHECK(a_call_without_a_context_is_refused),
        CHECK(contexts_are_a_stack_and_have_their_own_memory),
        CHECK(a_destroyed_context_is_said_to_be_one),
        CHECK(each_thread_has_its_own_stack_of_contexts), CHECK(a_module_is_a_file_or_bytes),
        CHECK(an_unloaded_module_and_its_functions_are_invalid_handles),
        CHECK(what_is_no_cubin_is_refused_by_what_it_is),
        CHECK(a_name_that_is_not_there_is_not_found),
        CHECK(variables_have_addresses_in_global_and_in_constant_memory),
        CHECK(modules_lie_side_by_side), CHECK(both_forms_of_a_launch_do_the_same),
        CHECK(a_launch_outside_the_limits_is_an_invalid_value),
        CHECK(too_many_registers_are_too_many_resources), CHECK(a_function_says_what_it_needs),
        CHECK(a_trap_ends_the_context_and_a_new_one_goes_on),
        CHECK(memory_is_copied_and_filled_in_all_directions),
        CHECK(what_is_not_memory_of_the_device_is_an_invalid_value), CHECK(memory_ends),
        CHECK(memory_lies_where_the_program_chooses),
        CHECK(a_texture_is_what_its_reference_says_at_the_launch),
        CHECK(a_texture_that_cannot_be_is_an_invalid_value),
        CHECK(memory_of_the_host_is_freed_once), CHECK(names_without_v2_take_addresses_of_32_bits),
        CHECK(events_count_the_cycles_of_the_machine));
    fl_buf_free(&cubin);
    tools_remove(dir);
    return failed;
}
