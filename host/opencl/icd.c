/* icd.c -- the table of calls that a loader (libOpenCL) takes, and what it asks a vendor's library for. Calls of later versions, and of
 * extensions, that are not in it are NULL, as in other vendors' tables: no program calls them that has looked at the version.
 */
#include "internal.h"

#include <string.h>

/* ---- calls of OpenCL 1.1 that are refused ---- */

static cl_event create_user_event(cl_context context, cl_int *where)
{
    (void)context;
    struct ocl *o = ocl_enter("clCreateUserEvent");
    return ocl_made(o,
                    ocl_refuse(o, CL_INVALID_OPERATION,
                               "events of the program are not supported: each command is complete "
                               "when its call returns, so none can wait for one"),
                    where, NULL);
}

static cl_int set_user_event_status(cl_event event, cl_int status)
{
    (void)event, (void)status;
    struct ocl *o = ocl_enter("clSetUserEventStatus");
    return ocl_leave(o, ocl_refuse(o, CL_INVALID_EVENT, "this is no event of the program"));
}

static cl_int native_kernel(cl_command_queue queue, void(CL_CALLBACK *function)(void *), void *args,
                            size_t size, cl_uint nmemory, const cl_mem *memory, const void **at,
                            cl_uint nevents, const cl_event *events, cl_event *event)
{
    (void)queue, (void)function, (void)args, (void)size, (void)nmemory, (void)memory, (void)at;
    (void)nevents, (void)events, (void)event;
    struct ocl *o = ocl_enter("clEnqueueNativeKernel");
    return ocl_leave(o, ocl_refuse(o, CL_INVALID_OPERATION,
                                   "the device runs no functions of the host "
                                   "(CL_DEVICE_EXECUTION_CAPABILITIES)"));
}

static cl_int destructor_callback(cl_mem memory, void(CL_CALLBACK *callback)(cl_mem, void *),
                                  void *data)
{
    (void)memory, (void)callback, (void)data;
    struct ocl *o = ocl_enter("clSetMemObjectDestructorCallback");
    return ocl_leave(o, ocl_refuse(o, CL_INVALID_OPERATION,
                                   "callbacks of memory objects are not supported; free the memory "
                                   "after clReleaseMemObject"));
}

/* ---- calls of OpenCL 1.2 that programs make without a look at the version ---- */

static cl_int of_later_version(const char *call)
{
    struct ocl *o = ocl_enter(call);
    return ocl_leave(o, ocl_refuse(o, CL_INVALID_OPERATION,
                                   "this is a call of OpenCL 1.2, and the device has version 1.1; "
                                   "build programs with clBuildProgram"));
}

static cl_int compile_program(cl_program program, cl_uint ndevices, const cl_device_id *devices,
                              const char *options, cl_uint nheaders, const cl_program *headers,
                              const char **names, void(CL_CALLBACK *callback)(cl_program, void *),
                              void *data)
{
    (void)program, (void)ndevices, (void)devices, (void)options, (void)nheaders, (void)headers;
    (void)names, (void)callback, (void)data;
    return of_later_version("clCompileProgram");
}

static cl_program link_program(cl_context context, cl_uint ndevices, const cl_device_id *devices,
                               const char *options, cl_uint ninputs, const cl_program *inputs,
                               void(CL_CALLBACK *callback)(cl_program, void *), void *data,
                               cl_int *where)
{
    (void)context, (void)ndevices, (void)devices, (void)options, (void)ninputs, (void)inputs;
    (void)callback, (void)data;
    cl_int error = of_later_version("clLinkProgram");
    if (where)
        *where = error;
    return NULL;
}

static cl_int argument_info(cl_kernel kernel, cl_uint argument, cl_kernel_arg_info what,
                            size_t room, void *out, size_t *size)
{
    (void)kernel, (void)argument, (void)what, (void)room, (void)out, (void)size;
    return of_later_version("clGetKernelArgInfo");
}

static cl_int sub_devices(cl_device_id device, const cl_device_partition_property *properties,
                          cl_uint room, cl_device_id *out, cl_uint *count)
{
    (void)device, (void)properties, (void)room, (void)out, (void)count;
    return of_later_version("clCreateSubDevices");
}

static cl_int migrate(cl_command_queue queue, cl_uint count, const cl_mem *memory,
                      cl_mem_migration_flags flags, cl_uint nevents, const cl_event *events,
                      cl_event *event)
{
    (void)queue, (void)count, (void)memory, (void)flags, (void)nevents, (void)events, (void)event;
    return of_later_version("clEnqueueMigrateMemObjects");
}

/* There is one device, which has no parts and is never released. */
static cl_int device_reference(cl_device_id device)
{
    struct ocl *o = ocl_enter("clRetainDevice");
    return ocl_leave(o, ocl_check_device(o, device));
}

/* smcc is started for each build, so none is loaded. */
static cl_int unload_compiler(cl_platform_id platform)
{
    (void)platform;
    return clUnloadCompiler();
}

static void *address_for_platform(cl_platform_id platform, const char *name)
{
    (void)platform;
    return clGetExtensionFunctionAddress(name);
}

/* The names of exported functions may mean the loader's. */
static void *address_of(const char *name)
{
    return clGetExtensionFunctionAddress(name);
}

const cl_icd_dispatch ocl_dispatch = {
#define CALL(name) .name = name
    CALL(clGetPlatformIDs),
    CALL(clGetPlatformInfo),
    CALL(clGetDeviceIDs),
    CALL(clGetDeviceInfo),
    CALL(clCreateContext),
    CALL(clCreateContextFromType),
    CALL(clRetainContext),
    CALL(clReleaseContext),
    CALL(clGetContextInfo),
    CALL(clCreateCommandQueue),
    CALL(clRetainCommandQueue),
    CALL(clReleaseCommandQueue),
    CALL(clGetCommandQueueInfo),
    CALL(clSetCommandQueueProperty),
    CALL(clCreateBuffer),
    CALL(clCreateImage2D),
    CALL(clCreateImage3D),
    CALL(clRetainMemObject),
    CALL(clReleaseMemObject),
    CALL(clGetSupportedImageFormats),
    CALL(clGetMemObjectInfo),
    CALL(clGetImageInfo),
    CALL(clCreateSampler),
    CALL(clRetainSampler),
    CALL(clReleaseSampler),
    CALL(clGetSamplerInfo),
    CALL(clCreateProgramWithSource),
    CALL(clCreateProgramWithBinary),
    CALL(clRetainProgram),
    CALL(clReleaseProgram),
    CALL(clBuildProgram),
    CALL(clUnloadCompiler),
    CALL(clGetProgramInfo),
    CALL(clGetProgramBuildInfo),
    CALL(clCreateKernel),
    CALL(clCreateKernelsInProgram),
    CALL(clRetainKernel),
    CALL(clReleaseKernel),
    CALL(clSetKernelArg),
    CALL(clGetKernelInfo),
    CALL(clGetKernelWorkGroupInfo),
    CALL(clWaitForEvents),
    CALL(clGetEventInfo),
    CALL(clRetainEvent),
    CALL(clReleaseEvent),
    CALL(clGetEventProfilingInfo),
    CALL(clFlush),
    CALL(clFinish),
    CALL(clEnqueueReadBuffer),
    CALL(clEnqueueWriteBuffer),
    CALL(clEnqueueCopyBuffer),
    CALL(clEnqueueReadImage),
    CALL(clEnqueueWriteImage),
    CALL(clEnqueueCopyImage),
    CALL(clEnqueueCopyImageToBuffer),
    CALL(clEnqueueCopyBufferToImage),
    CALL(clEnqueueMapBuffer),
    CALL(clEnqueueMapImage),
    CALL(clEnqueueUnmapMemObject),
    CALL(clEnqueueNDRangeKernel),
    CALL(clEnqueueTask),
    .clEnqueueNativeKernel = native_kernel,
    CALL(clEnqueueMarker),
    CALL(clEnqueueWaitForEvents),
    CALL(clEnqueueBarrier),
    .clGetExtensionFunctionAddress = address_of,
    /* 1.1 */
    CALL(clSetEventCallback),
    CALL(clCreateSubBuffer),
    .clSetMemObjectDestructorCallback = destructor_callback,
    .clCreateUserEvent = create_user_event,
    .clSetUserEventStatus = set_user_event_status,
    CALL(clEnqueueReadBufferRect),
    CALL(clEnqueueWriteBufferRect),
    CALL(clEnqueueCopyBufferRect),
    /* of later versions, because programs for 1.1 call them too */
    .clRetainDevice = device_reference,
    .clReleaseDevice = device_reference,
    CALL(clCreateImage),
    .clUnloadPlatformCompiler = unload_compiler,
    .clCompileProgram = compile_program,
    .clLinkProgram = link_program,
    .clGetKernelArgInfo = argument_info,
    .clCreateSubDevices = sub_devices,
    .clEnqueueMigrateMemObjects = migrate,
    CALL(clEnqueueFillBuffer),
    CALL(clEnqueueMarkerWithWaitList),
    CALL(clEnqueueBarrierWithWaitList),
    .clGetExtensionFunctionAddressForPlatform = address_for_platform,
    CALL(clCreateCommandQueueWithProperties),
#undef CALL
};

/* ---- what a loader asks for ---- */

#pragma GCC visibility push(default)
cl_int clIcdGetPlatformIDsKHR(cl_uint room, cl_platform_id *out, cl_uint *count);

cl_int clIcdGetPlatformIDsKHR(cl_uint room, cl_platform_id *out, cl_uint *count)
{
    return clGetPlatformIDs(room, out, count);
}

void *clGetExtensionFunctionAddress(const char *name)
{
    if (!name)
        return NULL;
    return strcmp(name, "clIcdGetPlatformIDsKHR") == 0 ? (void *)(uintptr_t)&clIcdGetPlatformIDsKHR
           : strcmp(name, "clGetPlatformInfo") == 0    ? (void *)(uintptr_t)&clGetPlatformInfo
                                                       : NULL;
}
#pragma GCC visibility pop
