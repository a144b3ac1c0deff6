/* program.c -- programs from source and binary; their build, and what is known of them. */
#include "internal.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

/* ---- made and ended ---- */

static cl_program make(struct ocl *o, cl_context context)
{
    cl_program p = ocl_new(o, OCL_PROGRAM, sizeof *p, context);
    p->status = CL_BUILD_NONE;
    p->module = -1;
    p->options = fl_strdup("");
    p->log = fl_strdup("");
    return p;
}

cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char **text,
                                     const size_t *length, cl_int *where)
{
    struct ocl *o = ocl_enter("clCreateProgramWithSource");
    struct fl_buf source = {0};
    cl_program p = NULL;
    cl_int error = ocl_check(o, OCL_CONTEXT, context);
    if (!error && (!count || !text))
        error = ocl_refuse(o, CL_INVALID_VALUE, "there is no source");
    for (cl_uint i = 0; i < count && !error; i++) {
        if (!text[i])
            error = ocl_refuse(o, CL_INVALID_VALUE, "part %u of the source is NULL", i + 1);
        else
            fl_buf_add(&source, text[i], length && length[i] ? length[i] : strlen(text[i]));
    }
    if (!error) {
        p = make(o, context);
        p->number = ++o->programs;
        p->source = fl_format("%.*s", (int)source.size, source.size ? (char *)source.data : "");
    }
    fl_buf_free(&source);
    return ocl_made(o, error, where, p);
}

cl_program clCreateProgramWithBinary(cl_context context, cl_uint count, const cl_device_id *devices,
                                     const size_t *length, const unsigned char **binary,
                                     cl_int *status, cl_int *where)
{
    struct ocl *o = ocl_enter("clCreateProgramWithBinary");
    cl_program p = NULL;
    cl_int error = ocl_check(o, OCL_CONTEXT, context);
    if (!error && (!count || !devices || !length || !binary))
        error = ocl_refuse(o, CL_INVALID_VALUE, "there is no device, or no binary");
    for (cl_uint i = 0; i < count && !error; i++) {
        error = ocl_check_device(o, devices[i]);
        bool none = !error && (!binary[i] || !length[i]);
        if (none)
            error = ocl_refuse(o, CL_INVALID_VALUE, "the binary is empty");
        else if (!error && (length[i] < SELFMAG || memcmp(binary[i], ELFMAG, SELFMAG) != 0))
            error = ocl_refuse(o, CL_INVALID_BINARY,
                               "the binary is no cubin: this library gives one "
                               "(CL_PROGRAM_BINARIES), and so does smcc -cl-kernel-arg-info");
        if (status)
            status[i] = none ? CL_INVALID_VALUE : error;
    }
    if (!error) {
        p = make(o, context);
        fl_buf_add(&p->binary, binary[0], length[0]);
    }
    return ocl_made(o, error, where, p);
}

static void unload(cl_program p)
{
    if (p->module >= 0)
        host_unload(&p->object.context->d, p->module);
    p->module = -1;
}

void ocl_end_program(struct ocl *o, cl_program p)
{
    (void)o;
    unload(p);
    fl_buf_free(&p->binary);
    free(p->source);
    free(p->options);
    free(p->log);
}

/* ---- builds ---- */

/* The first line of the log that is an error, or the first one. */
static const char *first_line(cl_program p, int *length)
{
    const char *line = p->log, *at = strstr(p->log, "error:");
    while (at && at > line && at[-1] != '\n')
        at--;
    line = at ? at : line;
    *length = (int)strcspn(line, "\n");
    return line;
}

static cl_int load(struct ocl *o, cl_program p)
{
    struct fl_err err;
    p->module = host_load(&p->object.context->d, p->binary.data, p->binary.size, &err);
    if (p->module >= 0)
        return CL_SUCCESS;
    fl_buf_free(&p->binary);
    free(p->log);
    p->log = fl_format("%s\n", err.msg);
    return ocl_refuse(o, p->source ? CL_BUILD_PROGRAM_FAILURE : CL_INVALID_BINARY, "%s", err.msg);
}

static cl_int build(struct ocl *o, cl_program p, const char *options)
{
    int length;
    unload(p);
    free(p->options);
    p->options = fl_strdup(options ? options : "");
    cl_int error = p->source ? ocl_compile(o, p, p->options) : CL_SUCCESS;
    if (error) {
        const char *line = first_line(p, &length);
        ocl_refuse(o, error, "program %d is not built: %.*s; CL_PROGRAM_BUILD_LOG has it all",
                   p->number, length, line);
    } else
        error = load(o, p);
    p->status = error ? CL_BUILD_ERROR : CL_BUILD_SUCCESS;
    return error;
}

cl_int clBuildProgram(cl_program p, cl_uint count, const cl_device_id *devices, const char *options,
                      void(CL_CALLBACK *callback)(cl_program, void *), void *data)
{
    struct ocl *o = ocl_enter("clBuildProgram");
    cl_int error = ocl_check(o, OCL_PROGRAM, p);
    if (!error && (!count != !devices || (!callback && data)))
        error = ocl_refuse(o, CL_INVALID_VALUE,
                           "%u devices at %p, or data for a callback that is not there", count,
                           (const void *)devices);
    for (cl_uint i = 0; i < count && !error; i++)
        error = ocl_check_device(o, devices[i]);
    if (!error && p->kernels)
        error = ocl_refuse(o, CL_INVALID_OPERATION,
                           "the program has %d kernel objects; release them before it is built "
                           "again",
                           p->kernels);
    if (!error)
        error = ocl_check_alive(o, p->object.context);
    if (!error)
        error = build(o, p, options);
    ocl_leave(o, error);
    if (callback && (!error || error == CL_BUILD_PROGRAM_FAILURE))
        callback(p, data);
    return error;
}

cl_int clUnloadCompiler(void)
{
    return CL_SUCCESS;
}

/* ---- what is known of them ---- */

/* A binary for each device, of which there is one: to where the place for it points. */
static cl_int answer_binaries(const struct ocl_question *q, cl_program p)
{
    unsigned char *at = NULL;
    if (q->size)
        *q->size = sizeof at;
    if (!q->out)
        return CL_SUCCESS;
    if (q->room < sizeof at)
        return ocl_refuse(q->o, CL_INVALID_VALUE, "there is no room for the address of a binary");
    memcpy(&at, q->out, sizeof at);
    if (at && p->binary.size)
        memcpy(at, p->binary.data, p->binary.size);
    return CL_SUCCESS;
}

cl_int clGetProgramInfo(cl_program p, cl_program_info what, size_t room, void *out, size_t *size)
{
    struct ocl *o = ocl_enter("clGetProgramInfo");
    const struct ocl_question q = {o, room, out, size};
    cl_int error = ocl_check(o, OCL_PROGRAM, p);
    if (error)
        return ocl_leave(o, error);
    switch (what) {
    case CL_PROGRAM_REFERENCE_COUNT: error = OCL_ANSWER(&q, cl_uint, p->object.references); break;
    case CL_PROGRAM_CONTEXT: error = OCL_ANSWER(&q, cl_context, p->object.context); break;
    case CL_PROGRAM_NUM_DEVICES: error = OCL_ANSWER(&q, cl_uint, 1); break;
    case CL_PROGRAM_DEVICES: error = OCL_ANSWER(&q, cl_device_id, &ocl_device); break;
    case CL_PROGRAM_SOURCE: error = ocl_answer_text(&q, p->source ? p->source : ""); break;
    case CL_PROGRAM_BINARY_SIZES: error = OCL_ANSWER(&q, size_t, p->binary.size); break;
    case CL_PROGRAM_BINARIES: error = answer_binaries(&q, p); break;
    default: error = ocl_no_answer(&q, what);
    }
    return ocl_leave(o, error);
}

cl_int clGetProgramBuildInfo(cl_program p, cl_device_id device, cl_program_build_info what,
                             size_t room, void *out, size_t *size)
{
    struct ocl *o = ocl_enter("clGetProgramBuildInfo");
    const struct ocl_question q = {o, room, out, size};
    cl_int error = ocl_check(o, OCL_PROGRAM, p);
    if (!error)
        error = ocl_check_device(o, device);
    if (error)
        return ocl_leave(o, error);
    switch (what) {
    case CL_PROGRAM_BUILD_STATUS: error = OCL_ANSWER(&q, cl_build_status, p->status); break;
    case CL_PROGRAM_BUILD_OPTIONS: error = ocl_answer_text(&q, p->options); break;
    case CL_PROGRAM_BUILD_LOG: error = ocl_answer_text(&q, p->log); break;
    default: error = ocl_no_answer(&q, what);
    }
    return ocl_leave(o, error);
}
