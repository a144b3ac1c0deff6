/* platform.c -- the state of the process, messages; the platform and its device. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct ocl ocl = {.lock = PTHREAD_MUTEX_INITIALIZER, .process = {.gives = "clCreateBuffer"}};
struct _cl_platform_id ocl_platform = {&ocl_dispatch};
struct _cl_device_id ocl_device = {&ocl_dispatch};

/* ---- calls ---- */

struct ocl *ocl_enter(const char *call)
{
    pthread_mutex_lock(&ocl.lock);
    ocl.process.call = call;
    return &ocl;
}

cl_int ocl_leave(struct ocl *o, cl_int error)
{
    pthread_mutex_unlock(&o->lock);
    return error;
}

cl_int ocl_refuse(const struct ocl *o, cl_int error, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    host_say(&o->process, fmt, ap);
    va_end(ap);
    return error;
}

cl_int ocl_error(enum host_error error)
{
    static const cl_int number[] = {[HOST_OK] = CL_SUCCESS,
                                    [HOST_INVALID_VALUE] = CL_INVALID_VALUE,
                                    [HOST_INVALID_POINTER] = CL_INVALID_VALUE,
                                    [HOST_INVALID_LAUNCH] = CL_INVALID_WORK_GROUP_SIZE,
                                    [HOST_NO_MEMORY] = CL_MEM_OBJECT_ALLOCATION_FAILURE,
                                    [HOST_NO_REGISTERS] = CL_OUT_OF_RESOURCES,
                                    [HOST_NOT_STARTED] = CL_OUT_OF_RESOURCES,
                                    [HOST_UNKNOWN] = CL_OUT_OF_RESOURCES};
    return number[error] || !error ? number[error] : CL_OUT_OF_RESOURCES;
}

static void at_exit(void)
{
    struct ocl *o = ocl_enter("exit");
    for (int i = 0; i < o->held.count && getpid() == o->owner; i++) {
        if (o->held.thing[i].kind != OCL_CONTEXT)
            continue;
        struct host_device *d = &((cl_context)o->held.thing[i].at)->d;
        host_close_record(d);
        watch_close(&d->machine.watch);
    }
    ocl_leave(o, CL_SUCCESS);
}

cl_int ocl_start(struct ocl *o)
{
    struct fl_err err;
    if (o->started)
        return CL_SUCCESS;
    if (profile_load(host_profile(), &o->profile, &err))
        return ocl_refuse(o, CL_DEVICE_NOT_FOUND, "%s", err.msg);
    o->started = true;
    o->owner = getpid();
    atexit(at_exit);
    return CL_SUCCESS;
}

/* ---- answers ---- */

cl_int ocl_answer(const struct ocl_question *q, const void *value, size_t size)
{
    if (q->size)
        *q->size = size;
    if (!q->out)
        return CL_SUCCESS;
    if (q->room < size)
        return ocl_refuse(q->o, CL_INVALID_VALUE,
                          "the answer has %zu bytes, and there is room for %zu; ask for its size "
                          "first",
                          size, q->room);
    if (size)
        memcpy(q->out, value, size);
    return CL_SUCCESS;
}

cl_int ocl_answer_text(const struct ocl_question *q, const char *text)
{
    return ocl_answer(q, text, strlen(text) + 1);
}

cl_int ocl_no_answer(const struct ocl_question *q, cl_uint what)
{
    return ocl_refuse(q->o, CL_INVALID_VALUE, "0x%x is nothing that OpenCL 1.1 can be asked here",
                      what);
}

/* ---- the platform ---- */

static cl_int check_platform(const struct ocl *o, cl_platform_id platform)
{
    return platform && platform != &ocl_platform
               ? ocl_refuse(o, CL_INVALID_PLATFORM, "%p is no platform; clGetPlatformIDs gives it",
                            (void *)platform)
               : CL_SUCCESS;
}

cl_int clGetPlatformIDs(cl_uint room, cl_platform_id *out, cl_uint *count)
{
    struct ocl *o = ocl_enter("clGetPlatformIDs");
    if ((out && !room) || (!out && !count))
        return ocl_leave(o, ocl_refuse(o, CL_INVALID_VALUE, "there is no room for a platform"));
    if (out)
        *out = &ocl_platform;
    if (count)
        *count = 1;
    return ocl_leave(o, CL_SUCCESS);
}

cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info what, size_t room, void *out,
                         size_t *size)
{
    struct ocl *o = ocl_enter("clGetPlatformInfo");
    const struct ocl_question q = {o, room, out, size};
    cl_int error = check_platform(o, platform);
    if (error)
        return ocl_leave(o, error);
    switch (what) {
    case CL_PLATFORM_PROFILE: error = ocl_answer_text(&q, "EMBEDDED_PROFILE"); break;
    case CL_PLATFORM_VERSION: error = ocl_answer_text(&q, "OpenCL 1.1 Faultline"); break;
    case CL_PLATFORM_NAME:
    case CL_PLATFORM_VENDOR: error = ocl_answer_text(&q, "Faultline"); break;
    case CL_PLATFORM_EXTENSIONS: error = ocl_answer_text(&q, "cl_khr_icd"); break;
    case CL_PLATFORM_ICD_SUFFIX_KHR: error = ocl_answer_text(&q, "FAULTLINE"); break;
    default: error = ocl_no_answer(&q, what);
    }
    return ocl_leave(o, error);
}

/* ---- the device ---- */

cl_int ocl_check_device(const struct ocl *o, cl_device_id device)
{
    return device == &ocl_device
               ? CL_SUCCESS
               : ocl_refuse(o, CL_INVALID_DEVICE, "%p is no device; clGetDeviceIDs gives it",
                            (void *)device);
}

cl_int ocl_check_type(struct ocl *o, cl_device_type type)
{
    const cl_device_type ours = CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_DEFAULT,
                         known = ours | CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_ACCELERATOR |
                                 CL_DEVICE_TYPE_CUSTOM;
    if (type != CL_DEVICE_TYPE_ALL && (!type || type & ~known))
        return ocl_refuse(o, CL_INVALID_DEVICE_TYPE, "0x%llx is no type of devices",
                          (unsigned long long)type);
    cl_int error = ocl_start(o);
    return error ? error : type & ours ? CL_SUCCESS : CL_DEVICE_NOT_FOUND;
}

cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint room, cl_device_id *out,
                      cl_uint *count)
{
    struct ocl *o = ocl_enter("clGetDeviceIDs");
    cl_int error = check_platform(o, platform);
    if (!error && ((out && !room) || (!out && !count)))
        error = ocl_refuse(o, CL_INVALID_VALUE, "there is no room for a device");
    if (!error)
        error = ocl_check_type(o, type);
    if (error == CL_DEVICE_NOT_FOUND && count)
        *count = 0;
    if (!error && out)
        *out = &ocl_device;
    if (!error && count)
        *count = 1;
    return ocl_leave(o, error);
}

static size_t attribute(const struct ocl *o, enum host_attribute a)
{
    return (size_t)host_attribute(&o->profile, a);
}

static cl_int answer_sizes(const struct ocl_question *q)
{
    const struct ocl *o = q->o;
    const size_t sizes[] = {attribute(o, HOST_BLOCK_X), attribute(o, HOST_BLOCK_Y),
                            attribute(o, HOST_BLOCK_Z)};
    return ocl_answer(q, sizes, sizeof sizes);
}

static cl_int answer_name(const struct ocl_question *q)
{
    char *name = fl_format("Faultline %s", q->o->profile.name);
    cl_int error = ocl_answer_text(q, name);
    free(name);
    return error;
}

static cl_int answer_extensions(const struct ocl_question *q)
{
    static const char *const of[] = {
        "", " cl_khr_global_int32_base_atomics cl_khr_global_int32_extended_atomics",
        " cl_khr_global_int32_base_atomics cl_khr_global_int32_extended_atomics "
        "cl_khr_local_int32_base_atomics cl_khr_local_int32_extended_atomics "
        "cl_khr_int64_base_atomics"};
    char *all = fl_format("cl_khr_byte_addressable_store cles_khr_int64%s",
                          of[q->o->profile.capability]);
    cl_int error = ocl_answer_text(q, all);
    free(all);
    return error;
}

static cl_int answer_text_of_device(const struct ocl_question *q, cl_device_info what)
{
    switch (what) {
    case CL_DEVICE_NAME: return answer_name(q);
    case CL_DEVICE_VENDOR: return ocl_answer_text(q, "Faultline");
    case CL_DRIVER_VERSION: return ocl_answer_text(q, "1.1");
    case CL_DEVICE_PROFILE: return ocl_answer_text(q, "EMBEDDED_PROFILE");
    case CL_DEVICE_VERSION: return ocl_answer_text(q, "OpenCL 1.1 Faultline");
    case CL_DEVICE_OPENCL_C_VERSION: return ocl_answer_text(q, "OpenCL C 1.1 smcc");
    case CL_DEVICE_EXTENSIONS: return answer_extensions(q);
    default: return ocl_no_answer(q, what);
    }
}

static cl_int answer_of_device(const struct ocl_question *q, cl_device_info what)
{
    const struct ocl *o = q->o;
    switch (what) {
    case CL_DEVICE_TYPE: return OCL_ANSWER(q, cl_device_type, CL_DEVICE_TYPE_GPU);
    case CL_DEVICE_VENDOR_ID: return OCL_ANSWER(q, cl_uint, 0);
    case CL_DEVICE_MAX_COMPUTE_UNITS: return OCL_ANSWER(q, cl_uint, (cl_uint)o->profile.sms);
    case CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS: return OCL_ANSWER(q, cl_uint, 3);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE:
        return OCL_ANSWER(q, size_t, attribute(o, HOST_THREADS_PER_BLOCK));
    case CL_DEVICE_MAX_WORK_ITEM_SIZES: return answer_sizes(q);
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_INT:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT: return OCL_ANSWER(q, cl_uint, 1);
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF: return OCL_ANSWER(q, cl_uint, 0);
    case CL_DEVICE_MAX_CLOCK_FREQUENCY:
        return OCL_ANSWER(q, cl_uint, (cl_uint)o->profile.clock_mhz);
    case CL_DEVICE_ADDRESS_BITS: return OCL_ANSWER(q, cl_uint, 32);
    case CL_DEVICE_MAX_READ_IMAGE_ARGS:
    case CL_DEVICE_MAX_SAMPLERS: return OCL_ANSWER(q, cl_uint, CUBIN_TEXTURES);
    case CL_DEVICE_MAX_WRITE_IMAGE_ARGS: return OCL_ANSWER(q, cl_uint, 0);
    case CL_DEVICE_IMAGE2D_MAX_WIDTH:
    case CL_DEVICE_IMAGE2D_MAX_HEIGHT: return OCL_ANSWER(q, size_t, TEXTURE_MAX);
    case CL_DEVICE_IMAGE3D_MAX_WIDTH:
    case CL_DEVICE_IMAGE3D_MAX_HEIGHT:
    case CL_DEVICE_IMAGE3D_MAX_DEPTH: return OCL_ANSWER(q, size_t, 0);
    case CL_DEVICE_IMAGE_SUPPORT: return OCL_ANSWER(q, cl_bool, CL_TRUE);
    case CL_DEVICE_GLOBAL_MEM_SIZE:
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE: return OCL_ANSWER(q, cl_ulong, HOST_DEVICE_BYTES);
    case CL_DEVICE_MAX_PARAMETER_SIZE: return OCL_ANSWER(q, size_t, 256);
    case CL_DEVICE_MEM_BASE_ADDR_ALIGN: return OCL_ANSWER(q, cl_uint, 2048);
    case CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE: return OCL_ANSWER(q, cl_uint, 128);
    case CL_DEVICE_SINGLE_FP_CONFIG:
        return OCL_ANSWER(q, cl_device_fp_config, CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN);
    case CL_DEVICE_DOUBLE_FP_CONFIG:
    case CL_DEVICE_HALF_FP_CONFIG: return OCL_ANSWER(q, cl_device_fp_config, 0);
    case CL_DEVICE_GLOBAL_MEM_CACHE_TYPE: return OCL_ANSWER(q, cl_device_mem_cache_type, CL_NONE);
    case CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE: return OCL_ANSWER(q, cl_uint, 0);
    case CL_DEVICE_GLOBAL_MEM_CACHE_SIZE: return OCL_ANSWER(q, cl_ulong, 0);
    case CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE:
        return OCL_ANSWER(q, cl_ulong, attribute(o, HOST_CONSTANT_BYTES));
    case CL_DEVICE_MAX_CONSTANT_ARGS: return OCL_ANSWER(q, cl_uint, 64);
    case CL_DEVICE_LOCAL_MEM_TYPE: return OCL_ANSWER(q, cl_device_local_mem_type, CL_LOCAL);
    case CL_DEVICE_LOCAL_MEM_SIZE:
        return OCL_ANSWER(q, cl_ulong, attribute(o, HOST_SHARED_PER_BLOCK));
    case CL_DEVICE_ERROR_CORRECTION_SUPPORT:
    case CL_DEVICE_HOST_UNIFIED_MEMORY: return OCL_ANSWER(q, cl_bool, CL_FALSE);
    case CL_DEVICE_PROFILING_TIMER_RESOLUTION: return OCL_ANSWER(q, size_t, 1);
    case CL_DEVICE_ENDIAN_LITTLE:
    case CL_DEVICE_AVAILABLE:
    case CL_DEVICE_COMPILER_AVAILABLE: return OCL_ANSWER(q, cl_bool, CL_TRUE);
    case CL_DEVICE_EXECUTION_CAPABILITIES:
        return OCL_ANSWER(q, cl_device_exec_capabilities, CL_EXEC_KERNEL);
    case CL_DEVICE_QUEUE_PROPERTIES:
        return OCL_ANSWER(q, cl_command_queue_properties, CL_QUEUE_PROFILING_ENABLE);
    case CL_DEVICE_PLATFORM: return OCL_ANSWER(q, cl_platform_id, &ocl_platform);
    default: return answer_text_of_device(q, what);
    }
}

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t room, void *out,
                       size_t *size)
{
    struct ocl *o = ocl_enter("clGetDeviceInfo");
    const struct ocl_question q = {o, room, out, size};
    cl_int error = ocl_check_device(o, device);
    if (!error)
        error = ocl_start(o);
    return ocl_leave(o, error ? error : answer_of_device(&q, what));
}
