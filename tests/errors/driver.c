/* driver.c -- see test_api_errors.c: calls of CUDA's driver API (CUresult). */
#include "errors.h"

#include <stdint.h>

#include "asm/sasm/sasm.h"
#include "host/libcuda/cuda.h"
#include "tests/lib/check.h"

#define OK(call) CU_ASSERT_EQUAL(call, CUDA_SUCCESS)

static const char text[] = ".constant factors, u32, 3\n.device total, u32, 5, 6\n"
                           ".kernel store\n.param ptr p, 4\n    MOV R1, s[p]\n    GST.U32 "
                           "global14[R1], R0\n    MOV.EXIT R1, R1\n"
                           ".kernel many\n.regs 100\n    MOV.EXIT R1, R1\n";

static void rows_before_a_context(void)
{
    CUdevice device;
    CUcontext c = NULL;
    CUdeviceptr p;
    CUmodule m;
    size_t pitch;
    ENDS(cuDeviceGet(&device, 0), CUDA_ERROR_NOT_INITIALIZED);
    ENDS(cuMemAllocPitch(&p, &pitch, 16, 4, 3), CUDA_ERROR_NOT_INITIALIZED);
    ENDS(cuModuleLoadDataEx(&m, text, 1, NULL, NULL), CUDA_ERROR_NOT_INITIALIZED);
    ENDS(cuInit(2), CUDA_ERROR_INVALID_VALUE);
    OK(cuInit(0));
    ENDS(cuMemAllocPitch(&p, &pitch, 16, 4, 4), CUDA_ERROR_INVALID_CONTEXT);
    ENDS(cuCtxSynchronize(), CUDA_ERROR_INVALID_CONTEXT);
    ENDS(cuCtxGetDevice(&device), CUDA_ERROR_INVALID_CONTEXT);
    ENDS(cuCtxPopCurrent(&c), CUDA_ERROR_INVALID_CONTEXT);
    ENDS(cuCtxPushCurrent((CUcontext)&c), CUDA_ERROR_INVALID_CONTEXT);
    ENDS(cuCtxCreate(&c, 0, 9), CUDA_ERROR_INVALID_DEVICE);
    ENDS(cuCtxCreate(&c, 0x8000, 0), CUDA_ERROR_INVALID_VALUE);
    ENDS(cuCtxCreate(NULL, 0, 0), CUDA_ERROR_INVALID_VALUE);
}

static void rows_of_device(void)
{
    int value;
    size_t bytes;
    char name[8];
    ENDS(cuDeviceGetName(name, 8, 9), CUDA_ERROR_INVALID_DEVICE);
    ENDS(cuDeviceGetName(name, 0, 0), CUDA_ERROR_INVALID_VALUE);
    ENDS(cuDeviceTotalMem(&bytes, 9), CUDA_ERROR_INVALID_DEVICE);
    ENDS(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 9), CUDA_ERROR_INVALID_DEVICE);
    ENDS(cuDeviceGetAttribute(&value, (CUdevice_attribute)9999, 0), CUDA_ERROR_INVALID_VALUE);
    ENDS(cuDeviceComputeCapability(NULL, &value, 0), CUDA_ERROR_INVALID_VALUE);
    ENDS(cuDriverGetVersion(NULL), CUDA_ERROR_INVALID_VALUE);
}

static void rows_of_memory(CUdeviceptr device)
{
    CUdeviceptr p;
    size_t pitch;
    uint32_t host[4];
    void *h;
    CUDA_MEMCPY2D pitches = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                             .srcHost = host,
                             .srcPitch = 4,
                             .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                             .dstDevice = device,
                             .dstPitch = 8,
                             .WidthInBytes = 8,
                             .Height = 2};
    ENDS(cuMemAlloc(&p, 0), CUDA_ERROR_INVALID_VALUE);
    ENDS(cuMemAlloc(&p, (size_t)1 << 40), CUDA_ERROR_OUT_OF_MEMORY);
    ENDS(cuMemAllocPitch(&p, &pitch, 16, 4, 3), CUDA_ERROR_INVALID_VALUE);
    ENDS(cuMemAllocPitch(&p, NULL, 16, 4, 4), CUDA_ERROR_INVALID_VALUE);
    ENDS(cuMemAllocPitch(&p, &pitch, (size_t)1 << 40, 4, 4), CUDA_ERROR_OUT_OF_MEMORY);
    ENDS(cuMemFree(device + 4), CUDA_ERROR_INVALID_VALUE);
    ENDS(cuMemHostAlloc(&h, 0, 0), CUDA_ERROR_INVALID_VALUE);
    ENDS(cuMemHostAlloc(&h, 4, 0x100), CUDA_ERROR_INVALID_VALUE);
    ENDS(cuMemFreeHost(host), CUDA_ERROR_INVALID_VALUE);
    ENDS(cuMemGetAddressRange(&p, &pitch, 64), CUDA_ERROR_NOT_FOUND);
    ENDS(cuMemcpyDtoD(device, device + 252, 8), CUDA_ERROR_INVALID_VALUE);
    ENDS(cuMemcpyHtoD(device, NULL, 4), CUDA_ERROR_INVALID_VALUE);
    ENDS(cuMemcpy2D(NULL), CUDA_ERROR_INVALID_VALUE);
    ENDS(cuMemcpy2D(&pitches), CUDA_ERROR_INVALID_VALUE);
    ENDS(cuMemsetD8(device, 0, 257), CUDA_ERROR_INVALID_VALUE);
    ENDS(cuMemsetD16(device + 1, 0, 2), CUDA_ERROR_INVALID_VALUE);
    ENDS(cuMemsetD2D32(device, 6, 0, 2, 2), CUDA_ERROR_INVALID_VALUE);
}

static void rows_of_modules(CUmodule module, CUdeviceptr device)
{
    CUmodule m;
    CUfunction f, many;
    CUdeviceptr p;
    size_t size;
    CUstream stream;
    CUevent event, other;
    float ms;
    void *params[] = {&device}, *none[] = {NULL};
    ENDS(cuModuleLoad(&m, "/nowhere/none.cubin"), CUDA_ERROR_FILE_NOT_FOUND);
    ENDS(cuModuleLoadData(&m, "no cubin at all"), CUDA_ERROR_INVALID_IMAGE);
    ENDS(cuModuleLoadDataEx(&m, text, 1, NULL, NULL), CUDA_ERROR_INVALID_VALUE);
    ENDS(cuModuleUnload((CUmodule)&m), CUDA_ERROR_INVALID_HANDLE);
    ENDS(cuModuleGetFunction(&f, module, "none"), CUDA_ERROR_NOT_FOUND);
    ENDS(cuModuleGetFunction(NULL, module, "store"), CUDA_ERROR_INVALID_VALUE);
    ENDS(cuModuleGetGlobal(&p, &size, module, "none"), CUDA_ERROR_NOT_FOUND);
    OK(cuModuleGetFunction(&f, module, "store"));
    OK(cuModuleGetFunction(&many, module, "many"));
    ENDS(cuLaunchKernel((CUfunction)&m, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL),
         CUDA_ERROR_INVALID_HANDLE);
    ENDS(cuLaunchKernel(f, 1, 1, 1, 1024, 1, 1, 0, NULL, params, NULL), CUDA_ERROR_INVALID_VALUE);
    ENDS(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 1 << 20, NULL, params, NULL),
         CUDA_ERROR_INVALID_VALUE);
    ENDS(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, none, NULL), CUDA_ERROR_INVALID_VALUE);
    ENDS(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, (CUstream)&m, params, NULL),
         CUDA_ERROR_INVALID_HANDLE);
    ENDS(cuLaunchKernel(many, 1, 1, 1, 512, 1, 1, 0, NULL, NULL, NULL),
         CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
    ENDS(cuFuncGetAttribute(NULL, CU_FUNC_ATTRIBUTE_NUM_REGS, f), CUDA_ERROR_INVALID_VALUE);
    ENDS(cuFuncSetCacheConfig(f, (CUfunc_cache)9), CUDA_ERROR_INVALID_VALUE);
    ENDS(cuFuncSetBlockShape(f, 0, 1, 1), CUDA_ERROR_INVALID_VALUE);
    ENDS(cuParamSetv(f, 0, NULL, 4), CUDA_ERROR_INVALID_VALUE);
    ENDS(cuLaunchGridAsync(f, 0, 1, NULL), CUDA_ERROR_INVALID_VALUE);
    ENDS(cuStreamCreate(NULL, 0), CUDA_ERROR_INVALID_VALUE);
    ENDS(cuStreamCreate(&stream, 8), CUDA_ERROR_INVALID_VALUE);
    ENDS(cuStreamQuery((CUstream)&m), CUDA_ERROR_INVALID_HANDLE);
    ENDS(cuStreamDestroy((CUstream)&m), CUDA_ERROR_INVALID_HANDLE);
    ENDS(cuEventCreate(&event, 64), CUDA_ERROR_INVALID_VALUE);
    OK(cuEventCreate(&event, 0));
    OK(cuEventCreate(&other, 0));
    ENDS(cuStreamWaitEvent(NULL, event, 1), CUDA_ERROR_INVALID_VALUE);
    ENDS(cuEventElapsedTime(&ms, event, other), CUDA_ERROR_INVALID_HANDLE);
    OK(cuEventDestroy(event));
    ENDS(cuEventSynchronize(event), CUDA_ERROR_INVALID_HANDLE);
    ENDS(cuEventDestroy(event), CUDA_ERROR_INVALID_HANDLE);
    OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
}

void errors_of_driver(void)
{
    struct fl_buf bytes = {0};
    struct fl_err err;
    struct cubin *cubin;
    CUcontext context;
    CUmodule module;
    CUdeviceptr device;
    if (sasm_assemble("errors.sasm", text, &cubin, &err) || cubin_write_memory(cubin, &bytes, &err))
        fl_give_up(err.msg);
    cubin_free(cubin);
    rows_before_a_context();
    OK(cuCtxCreate(&context, 0, 0));
    OK(cuModuleLoadData(&module, bytes.data));
    OK(cuMemAlloc(&device, 256));
    rows_of_device();
    rows_of_memory(device);
    rows_of_modules(module, device);
    OK(cuCtxSynchronize());
    OK(cuCtxDestroy(context));
    ENDS(cuCtxDestroy(context), CUDA_ERROR_INVALID_CONTEXT);
    fl_buf_free(&bytes);
}
