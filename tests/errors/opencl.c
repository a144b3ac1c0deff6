/* opencl.c -- see test_api_errors.c: calls of OpenCL 1.1. */
#include "errors.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include "base/fl.h"
#include "tests/lib/check.h"
#include "tests/lib/tools.h"

#define OK(call) CU_ASSERT_EQUAL(call, CL_SUCCESS)
/* A call that ends with an error, and prints a line that names it. */
#define REFUSES(call, ended, wanted)                                                               \
    do {                                                                                           \
        tools_listen();                                                                            \
        errors_row(#call, ended, wanted);                                                          \
        char *name = fl_format("%.*s: ", (int)strcspn(#call, "("), #call);                         \
        tools_said(name);                                                                          \
        free(name);                                                                                \
    } while (0)
#define FAILS(call, wanted) REFUSES(call, call, wanted)
/* One that makes an object. */
#define MAKES(call, wanted) REFUSES(call, (error = CL_SUCCESS, (call) ? CL_SUCCESS : error), wanted)

static const char source[] =
    "__kernel void add(__global int *p, int by) { p[get_global_id(0)] += by; }\n"
    "__attribute__((reqd_work_group_size(8, 1, 1)))\n"
    "__kernel void eights(__global int *p) { p[get_group_id(0)] = get_local_size(0); }\n";

static cl_platform_id platform;
static cl_device_id device;
static cl_context context, other;
static cl_command_queue queue;
static cl_int error;

static void rows_of_contexts(void)
{
    const cl_context_properties twice[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platform,
                                           CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0};
    cl_device_id found;
    size_t size;
    FAILS(clGetDeviceIDs((cl_platform_id)&size, CL_DEVICE_TYPE_ALL, 1, &found, NULL),
          CL_INVALID_PLATFORM);
    FAILS(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, &found, NULL), CL_INVALID_VALUE);
    FAILS(clGetDeviceInfo(device, CL_DEVICE_NAME, 1, &size, NULL), CL_INVALID_VALUE);
    MAKES(clCreateContext(twice, 1, &device, NULL, NULL, &error), CL_INVALID_PROPERTY);
    MAKES(clCreateContextFromType(NULL, 1 << 20, NULL, NULL, &error), CL_INVALID_DEVICE_TYPE);
    FAILS(clGetContextInfo(context, 0, 0, NULL, &size), CL_INVALID_VALUE);
    FAILS(clReleaseContext(NULL), CL_INVALID_CONTEXT);
    FAILS(clGetCommandQueueInfo(queue, 0, 0, NULL, &size), CL_INVALID_VALUE);
    FAILS(clGetCommandQueueInfo(NULL, CL_QUEUE_CONTEXT, 0, NULL, &size), CL_INVALID_COMMAND_QUEUE);
    MAKES(clCreateCommandQueue(NULL, device, 0, &error), CL_INVALID_CONTEXT);
    MAKES(clCreateCommandQueue(context, device, 1 << 10, &error), CL_INVALID_VALUE);
    FAILS(clSetCommandQueueProperty(queue, 1 << 10, CL_TRUE, NULL), CL_INVALID_VALUE);
    FAILS(clFlush(NULL), CL_INVALID_COMMAND_QUEUE);
}

static void rows_of_buffers(void)
{
    cl_mem m = clCreateBuffer(context, CL_MEM_WRITE_ONLY, 1024, NULL, &error), part,
           theirs = clCreateBuffer(other, 0, 1024, NULL, &error),
           hidden = clCreateBuffer(context, CL_MEM_HOST_NO_ACCESS, 64, NULL, &error),
           unread = clCreateBuffer(context, CL_MEM_HOST_WRITE_ONLY, 64, NULL, &error),
           unwritten = clCreateBuffer(context, CL_MEM_HOST_READ_ONLY, 64, NULL, &error);
    int host[16] = {0};
    size_t size;
    const size_t zero[3] = {0}, row[3] = {16, 1, 1}, empty[3] = {16, 0, 1}, at[3] = {8, 0, 0};
    const cl_buffer_region region = {256, 64}, odd = {4, 64}, outside = {768, 512},
                           nothing = {256, 0};
    MAKES(clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_READ_WRITE, 4, NULL, &error),
          CL_INVALID_VALUE);
    MAKES(clCreateBuffer(context, CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS, 4, NULL, &error),
          CL_INVALID_VALUE);
    MAKES(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 4, NULL, &error), CL_INVALID_HOST_PTR);
    MAKES(clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &outside, &error),
          CL_INVALID_VALUE);
    MAKES(clCreateSubBuffer(m, 0, 0, &region, &error), CL_INVALID_VALUE);
    MAKES(clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &nothing, &error),
          CL_INVALID_BUFFER_SIZE);
    MAKES(clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &odd, &error),
          CL_MISALIGNED_SUB_BUFFER_OFFSET);
    MAKES(clCreateSubBuffer(m, CL_MEM_READ_ONLY, CL_BUFFER_CREATE_TYPE_REGION, &region, &error),
          CL_INVALID_VALUE);
    part = clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    OK(error);
    MAKES(clCreateSubBuffer(part, 0, CL_BUFFER_CREATE_TYPE_REGION, &nothing, &error),
          CL_INVALID_MEM_OBJECT);
    FAILS(clEnqueueReadBuffer(queue, m, CL_TRUE, 1020, 8, host, 0, NULL, NULL), CL_INVALID_VALUE);
    FAILS(clEnqueueReadBuffer(queue, theirs, CL_TRUE, 0, 4, host, 0, NULL, NULL),
          CL_INVALID_CONTEXT);
    FAILS(clEnqueueReadBuffer(queue, unread, CL_TRUE, 0, 4, host, 0, NULL, NULL),
          CL_INVALID_OPERATION);
    FAILS(clEnqueueWriteBuffer(queue, unwritten, CL_TRUE, 0, 4, host, 0, NULL, NULL),
          CL_INVALID_OPERATION);
    MAKES(clEnqueueMapBuffer(queue, hidden, CL_TRUE, CL_MAP_READ, 0, 4, 0, NULL, NULL, &error),
          CL_INVALID_OPERATION);
    FAILS(clEnqueueWriteBuffer(queue, m, CL_TRUE, 0, 4, NULL, 0, NULL, NULL), CL_INVALID_VALUE);
    FAILS(clEnqueueCopyBuffer(queue, m, m, 0, 4, 16, 0, NULL, NULL), CL_MEM_COPY_OVERLAP);
    FAILS(clEnqueueCopyBuffer(queue, m, part, 0, 60, 16, 0, NULL, NULL), CL_INVALID_VALUE);
    FAILS(clEnqueueFillBuffer(queue, m, host, 3, 0, 12, 0, NULL, NULL), CL_INVALID_VALUE);
    FAILS(clEnqueueFillBuffer(queue, m, host, 4, 2, 8, 0, NULL, NULL), CL_INVALID_VALUE);
    FAILS(clEnqueueReadBufferRect(queue, m, CL_TRUE, zero, zero, empty, 0, 0, 0, 0, host, 0, NULL,
                                  NULL),
          CL_INVALID_VALUE);
    FAILS(clEnqueueReadBufferRect(queue, m, CL_TRUE, zero, zero, row, 8, 0, 0, 0, host, 0, NULL,
                                  NULL),
          CL_INVALID_VALUE);
    FAILS(clEnqueueWriteBufferRect(queue, m, CL_TRUE, zero, zero, NULL, 0, 0, 0, 0, host, 0, NULL,
                                   NULL),
          CL_INVALID_VALUE);
    FAILS(clEnqueueCopyBufferRect(queue, m, m, zero, at, row, 0, 0, 0, 0, 0, NULL, NULL),
          CL_MEM_COPY_OVERLAP);
    FAILS(clEnqueueUnmapMemObject(queue, m, host, 0, NULL, NULL), CL_INVALID_VALUE);
    FAILS(clGetMemObjectInfo(m, CL_MEM_SIZE, 1, &size, NULL), CL_INVALID_VALUE);
    FAILS(clRetainMemObject(NULL), CL_INVALID_MEM_OBJECT);
    const cl_mem all[] = {part, m, theirs, hidden, unread, unwritten};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        OK(clReleaseMemObject(all[i]));
}

static void rows_of_images(void)
{
    const cl_image_format bytes = {CL_R, CL_UNSIGNED_INT8}, none = {1, 1}, rgb = {CL_RGB, CL_FLOAT},
                          words = {CL_R, CL_UNSIGNED_INT32};
    cl_mem image = clCreateImage2D(context, CL_MEM_READ_ONLY, &bytes, 8, 8, 0, NULL, &error),
           wide = clCreateImage2D(context, CL_MEM_READ_ONLY, &words, 8, 8, 0, NULL, &error),
           buffer = clCreateBuffer(context, 0, 16, NULL, &error);
    const size_t zero[3] = {0}, one[3] = {1, 0, 0}, part[3] = {4, 4, 1}, outside[3] = {9, 1, 1};
    int host[16];
    size_t size, pitch;
    cl_uint count;
    cl_sampler sampler = clCreateSampler(context, CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST,
                                         &error);
    OK(error);
    MAKES(clCreateImage2D(context, 0, &none, 4, 4, 0, NULL, &error),
          CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    MAKES(clCreateImage2D(context, 0, &rgb, 4, 4, 0, NULL, &error),
          CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    MAKES(clCreateImage2D(context, 0, &bytes, 4, 0, 0, NULL, &error), CL_INVALID_IMAGE_SIZE);
    MAKES(clCreateImage2D(context, 0, &bytes, 4, 4, 16, NULL, &error), CL_INVALID_IMAGE_SIZE);
    MAKES(clCreateImage(context, 0, &bytes, NULL, NULL, &error), CL_INVALID_IMAGE_DESCRIPTOR);
    FAILS(clGetSupportedImageFormats(NULL, 0, CL_MEM_OBJECT_IMAGE2D, 0, NULL, &count),
          CL_INVALID_CONTEXT);
    FAILS(clGetSupportedImageFormats(context, 0, CL_MEM_OBJECT_BUFFER, 0, NULL, &count),
          CL_INVALID_VALUE);
    FAILS(clGetImageInfo(image, 0, 0, NULL, &size), CL_INVALID_VALUE);
    FAILS(clEnqueueReadImage(queue, image, CL_TRUE, zero, outside, 0, 0, host, 0, NULL, NULL),
          CL_INVALID_VALUE);
    FAILS(clEnqueueReadImage(queue, buffer, CL_TRUE, zero, part, 0, 0, host, 0, NULL, NULL),
          CL_INVALID_MEM_OBJECT);
    FAILS(clEnqueueWriteImage(queue, image, CL_TRUE, zero, part, 2, 0, host, 0, NULL, NULL),
          CL_INVALID_VALUE);
    FAILS(clEnqueueCopyImage(queue, image, wide, zero, zero, part, 0, NULL, NULL),
          CL_IMAGE_FORMAT_MISMATCH);
    FAILS(clEnqueueCopyImage(queue, image, image, zero, one, part, 0, NULL, NULL),
          CL_MEM_COPY_OVERLAP);
    FAILS(clEnqueueCopyImageToBuffer(queue, image, buffer, zero, part, 8, 0, NULL, NULL),
          CL_INVALID_VALUE);
    FAILS(clEnqueueCopyBufferToImage(queue, image, image, 0, zero, part, 0, NULL, NULL),
          CL_INVALID_MEM_OBJECT);
    MAKES(clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_READ, zero, part, NULL, NULL, 0, NULL,
                            NULL, &error),
          CL_INVALID_VALUE);
    MAKES(clEnqueueMapImage(queue, image, CL_TRUE, 1 << 10, zero, part, &pitch, NULL, 0, NULL, NULL,
                            &error),
          CL_INVALID_VALUE);
    MAKES(clCreateSampler(context, CL_FALSE, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST, &error),
          CL_INVALID_VALUE);
    MAKES(clCreateSampler(context, CL_TRUE, CL_ADDRESS_REPEAT, 0, &error), CL_INVALID_VALUE);
    FAILS(clGetSamplerInfo(sampler, 0, 0, NULL, &size), CL_INVALID_VALUE);
    FAILS(clReleaseSampler((cl_sampler)image), CL_INVALID_SAMPLER);
    OK(clReleaseSampler(sampler));
    OK(clReleaseMemObject(image));
    OK(clReleaseMemObject(wide));
    OK(clReleaseMemObject(buffer));
}

static void rows_of_programs(cl_program program)
{
    const char *text = source, *wrong = "__kernel void k( {";
    const size_t none = 0;
    const unsigned char *binary = (const unsigned char *)source;
    cl_program unbuilt = clCreateProgramWithSource(context, 1, &text, NULL, &error),
               bad = clCreateProgramWithSource(context, 1, &wrong, NULL, &error);
    cl_kernel made[1];
    cl_uint count;
    size_t size;
    MAKES(clCreateProgramWithSource(NULL, 1, &text, NULL, &error), CL_INVALID_CONTEXT);
    MAKES(clCreateProgramWithBinary(context, 1, &device, &none, &binary, NULL, &error),
          CL_INVALID_VALUE);
    FAILS(clBuildProgram(bad, 0, NULL, NULL, NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
    FAILS(clBuildProgram(unbuilt, 0, &device, NULL, NULL, NULL), CL_INVALID_VALUE);
    FAILS(clGetProgramBuildInfo(program, (cl_device_id)&size, CL_PROGRAM_BUILD_LOG, 0, NULL, &size),
          CL_INVALID_DEVICE);
    FAILS(clGetProgramBuildInfo(program, device, 0, 0, NULL, &size), CL_INVALID_VALUE);
    FAILS(clGetProgramInfo(program, 0, 0, NULL, &size), CL_INVALID_VALUE);
    MAKES(clCreateKernel(unbuilt, "add", &error), CL_INVALID_PROGRAM_EXECUTABLE);
    FAILS(clCreateKernelsInProgram(unbuilt, 0, NULL, &count), CL_INVALID_PROGRAM_EXECUTABLE);
    FAILS(clCreateKernelsInProgram(program, 1, made, NULL), CL_INVALID_VALUE);
    OK(clReleaseProgram(bad));
    OK(clReleaseProgram(unbuilt));
    FAILS(clReleaseProgram(NULL), CL_INVALID_PROGRAM);
}

static void rows_of_launches(cl_program program)
{
    cl_kernel add = clCreateKernel(program, "add", &error),
              eights = clCreateKernel(program, "eights", &error);
    cl_mem m = clCreateBuffer(context, 0, 256, NULL, &error);
    const size_t items = 16, sixteen = 16, eight = 8, seven = 7;
    cl_event event, theirs;
    size_t size, required[3];
    cl_command_queue far = clCreateCommandQueue(other, device, 0, &error);
    OK(clEnqueueMarker(far, &theirs));
    FAILS(clGetKernelInfo(add, 0, 0, NULL, &size), CL_INVALID_VALUE);
    FAILS(clGetKernelWorkGroupInfo(add, (cl_device_id)&size, CL_KERNEL_WORK_GROUP_SIZE, 0, NULL,
                                   &size),
          CL_INVALID_DEVICE);
    FAILS(clGetKernelWorkGroupInfo(add, device, 0, 0, NULL, &size), CL_INVALID_VALUE);
    FAILS(clSetKernelArg(add, 9, 4, &items), CL_INVALID_ARG_INDEX);
    FAILS(clSetKernelArg(add, 1, 8, &items), CL_INVALID_ARG_SIZE);
    FAILS(clSetKernelArg(add, 0, sizeof queue, &queue), CL_INVALID_MEM_OBJECT);
    OK(clSetKernelArg(eights, 0, sizeof m, &m));
    FAILS(clEnqueueTask(queue, add, 0, NULL, NULL), CL_INVALID_KERNEL_ARGS);
    OK(clSetKernelArg(add, 0, sizeof m, &m));
    OK(clSetKernelArg(add, 1, 4, &(cl_int){1}));
    FAILS(clEnqueueNDRangeKernel(far, add, 1, NULL, &items, NULL, 0, NULL, NULL),
          CL_INVALID_CONTEXT);
    FAILS(clEnqueueNDRangeKernel(queue, NULL, 1, NULL, &items, NULL, 0, NULL, NULL),
          CL_INVALID_KERNEL);
    FAILS(clEnqueueNDRangeKernel(queue, add, 9, NULL, &items, NULL, 0, NULL, NULL),
          CL_INVALID_WORK_DIMENSION);
    FAILS(clEnqueueNDRangeKernel(queue, add, 1, NULL, &items, &seven, 0, NULL, NULL),
          CL_INVALID_WORK_GROUP_SIZE);
    FAILS(clEnqueueNDRangeKernel(queue, eights, 1, NULL, &items, &sixteen, 0, NULL, NULL),
          CL_INVALID_WORK_GROUP_SIZE);
    OK(clEnqueueNDRangeKernel(queue, eights, 1, NULL, &items, &eight, 0, NULL, NULL));
    FAILS(clEnqueueNDRangeKernel(queue, eights, 1, NULL, &items, NULL, 0, NULL, NULL),
          CL_INVALID_WORK_GROUP_SIZE);
    OK(clGetKernelWorkGroupInfo(eights, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof required,
                                required, NULL));
    CU_ASSERT_EQUAL(required[0], 8);
    FAILS(clEnqueueNDRangeKernel(queue, add, 1, NULL, &items, NULL, 1, &theirs, NULL),
          CL_INVALID_CONTEXT);
    FAILS(clEnqueueMarker(queue, NULL), CL_INVALID_VALUE);
    FAILS(clEnqueueWaitForEvents(queue, 0, NULL), CL_INVALID_VALUE);
    OK(clEnqueueNDRangeKernel(queue, add, 1, NULL, &items, NULL, 0, NULL, &event));
    FAILS(clGetEventInfo(NULL, CL_EVENT_CONTEXT, 0, NULL, &size), CL_INVALID_EVENT);
    FAILS(clWaitForEvents(2, (cl_event[]){event, theirs}), CL_INVALID_CONTEXT);
    FAILS(clSetEventCallback(event, CL_COMPLETE, NULL, NULL), CL_INVALID_VALUE);
    FAILS(clGetEventProfilingInfo(theirs, CL_PROFILING_COMMAND_END, 0, NULL, &size),
          CL_PROFILING_INFO_NOT_AVAILABLE);
    OK(clReleaseEvent(theirs));
    OK(clReleaseEvent(event));
    OK(clReleaseCommandQueue(far));
    OK(clReleaseMemObject(m));
    OK(clReleaseKernel(add));
    OK(clReleaseKernel(eights));
    FAILS(clReleaseKernel(eights), CL_INVALID_KERNEL);
}

void errors_of_opencl(void)
{
    const char *text = source;
    char *path = fl_format(FAULTLINE_BUILD_DIR "/bin:%s", getenv("PATH"));
    setenv("PATH", path, 1);
    free(path);
    OK(clGetPlatformIDs(1, &platform, NULL));
    OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL));
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    OK(error);
    other = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    OK(error);
    queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &error);
    OK(error);
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
    OK(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    rows_of_contexts();
    rows_of_buffers();
    rows_of_images();
    rows_of_programs(program);
    rows_of_launches(program);
    OK(clReleaseProgram(program));
    OK(clFinish(queue));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(other));
    OK(clReleaseContext(context));
}
