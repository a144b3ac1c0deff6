/* object.c -- objects of all kinds: their references, contexts. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *name;
    cl_int error;
} kinds[OCL_KINDS] = {[OCL_CONTEXT] = {"context", CL_INVALID_CONTEXT},
                      [OCL_QUEUE] = {"command queue", CL_INVALID_COMMAND_QUEUE},
                      [OCL_MEMORY] = {"memory object", CL_INVALID_MEM_OBJECT},
                      [OCL_SAMPLER] = {"sampler", CL_INVALID_SAMPLER},
                      [OCL_PROGRAM] = {"program", CL_INVALID_PROGRAM},
                      [OCL_KERNEL] = {"kernel", CL_INVALID_KERNEL},
                      [OCL_EVENT] = {"event", CL_INVALID_EVENT}};

void *ocl_new(struct ocl *o, enum ocl_kind kind, size_t size, cl_context context)
{
    struct ocl_object *x = fl_alloc(size);
    *x = (struct ocl_object){&ocl_dispatch, kind, 1, context ? context : (cl_context)x};
    if (context)
        ocl_hold(context);
    host_hold(&o->held, kind, x);
    return x;
}

cl_int ocl_check(const struct ocl *o, enum ocl_kind kind, const void *object)
{
    return host_holds(&o->held, kind, object)
               ? CL_SUCCESS
               : ocl_refuse(o, kinds[kind].error, "%p is no %s, or none any more", object,
                            kinds[kind].name);
}

cl_int ocl_check_of(const struct ocl *o, enum ocl_kind kind, const void *object, cl_context context)
{
    cl_int error = ocl_check(o, kind, object);
    if (error || ((const struct ocl_object *)object)->context == context)
        return error;
    return ocl_refuse(o, CL_INVALID_CONTEXT, "the %s is of another context", kinds[kind].name);
}

cl_int ocl_check_alive(const struct ocl *o, cl_context context)
{
    if (getpid() != o->owner)
        return ocl_refuse(o, CL_OUT_OF_RESOURCES,
                          "a child of fork has no device: let it make its context before its "
                          "parent does, or start it by exec");
    return ocl_error(context->d.dead);
}

void ocl_hold(void *object)
{
    ((struct ocl_object *)object)->references++;
}

static void end_context(cl_context c)
{
    host_close_record(&c->d);
    host_close(&c->d);
    free(c->properties);
}

void ocl_drop(struct ocl *o, void *object)
{
    struct ocl_object *x = object;
    if (--x->references)
        return;
    host_drop(&o->held, x->kind, x);
    switch (x->kind) {
    case OCL_CONTEXT: end_context(object); break;
    case OCL_MEMORY: ocl_end_memory(o, object); break;
    case OCL_PROGRAM: ocl_end_program(o, object); break;
    case OCL_KERNEL: ocl_end_kernel(o, object); break;
    case OCL_EVENT: ocl_drop(o, ((cl_event)object)->queue); break;
    case OCL_QUEUE:
    case OCL_SAMPLER:
    case OCL_KINDS: break;
    }
    if (x->kind != OCL_CONTEXT)
        ocl_drop(o, x->context);
    free(x);
}

void *ocl_made(struct ocl *o, cl_int error, cl_int *where, void *object)
{
    if (where)
        *where = error;
    ocl_leave(o, error);
    return error ? NULL : object;
}

static cl_int retain(const char *call, enum ocl_kind kind, void *object)
{
    struct ocl *o = ocl_enter(call);
    cl_int error = ocl_check(o, kind, object);
    if (!error)
        ocl_hold(object);
    return ocl_leave(o, error);
}

static cl_int release(const char *call, enum ocl_kind kind, void *object)
{
    struct ocl *o = ocl_enter(call);
    cl_int error = ocl_check(o, kind, object);
    if (!error)
        ocl_drop(o, object);
    return ocl_leave(o, error);
}

#define REFERENCES(Name, type, kind)                                                               \
    cl_int clRetain##Name(type x)                                                                  \
    {                                                                                              \
        return retain("clRetain" #Name, kind, x);                                                  \
    }                                                                                              \
    cl_int clRelease##Name(type x)                                                                 \
    {                                                                                              \
        return release("clRelease" #Name, kind, x);                                                \
    }
REFERENCES(Context, cl_context, OCL_CONTEXT)
REFERENCES(CommandQueue, cl_command_queue, OCL_QUEUE)
REFERENCES(MemObject, cl_mem, OCL_MEMORY)
REFERENCES(Sampler, cl_sampler, OCL_SAMPLER)
REFERENCES(Program, cl_program, OCL_PROGRAM)
REFERENCES(Kernel, cl_kernel, OCL_KERNEL)
REFERENCES(Event, cl_event, OCL_EVENT)

/* ---- contexts ---- */

typedef void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *);

static cl_int check_properties(const struct ocl *o, const cl_context_properties *p, int *count)
{
    int n = 0;
    for (; p && p[n]; n += 2) {
        if (p[n] != CL_CONTEXT_PLATFORM)
            return ocl_refuse(o, CL_INVALID_PROPERTY,
                              "property 0x%llx is not supported; CL_CONTEXT_PLATFORM is",
                              (unsigned long long)p[n]);
        if (n)
            return ocl_refuse(o, CL_INVALID_PROPERTY, "CL_CONTEXT_PLATFORM is there twice");
        if ((cl_platform_id)p[n + 1] != &ocl_platform)
            return ocl_refuse(o, CL_INVALID_PLATFORM,
                              "%p is no platform; clGetPlatformIDs gives it", (void *)p[n + 1]);
    }
    *count = n + 1;
    return CL_SUCCESS;
}

static cl_context make_context(struct ocl *o, const cl_context_properties *properties,
                               notify callback, void *data, cl_int error, cl_int *where)
{
    struct fl_err err;
    int n = 0;
    cl_context c = NULL;
    if (!error)
        error = check_properties(o, properties, &n);
    if (!error && !callback && data)
        error = ocl_refuse(o, CL_INVALID_VALUE, "data for a callback, and no callback");
    if (!error)
        error = ocl_start(o);
    if (!error && getpid() != o->owner)
        error = ocl_refuse(o, CL_OUT_OF_RESOURCES, "a child of fork has no device");
    if (error)
        return ocl_made(o, error, where, NULL);
    c = ocl_new(o, OCL_CONTEXT, sizeof *c, NULL);
    if (properties) {
        c->properties = fl_alloc((size_t)n * sizeof *properties);
        memcpy(c->properties, properties, (size_t)n * sizeof *properties);
        c->nproperties = n;
    }
    if (host_open(&c->d, &o->process, &err)) {
        error = ocl_refuse(o, CL_DEVICE_NOT_AVAILABLE, "%s", err.msg);
        ocl_drop(o, c);
    }
    return ocl_made(o, error, where, c);
}

cl_context clCreateContext(const cl_context_properties *properties, cl_uint count,
                           const cl_device_id *devices, notify callback, void *data, cl_int *where)
{
    struct ocl *o = ocl_enter("clCreateContext");
    cl_int error = CL_SUCCESS;
    if (!count || !devices)
        error = ocl_refuse(o, CL_INVALID_VALUE, "no device is given");
    for (cl_uint i = 0; i < count && !error; i++)
        error = ocl_check_device(o, devices[i]);
    return make_context(o, properties, callback, data, error, where);
}

cl_context clCreateContextFromType(const cl_context_properties *properties, cl_device_type type,
                                   notify callback, void *data, cl_int *where)
{
    struct ocl *o = ocl_enter("clCreateContextFromType");
    return make_context(o, properties, callback, data, ocl_check_type(o, type), where);
}

cl_int clGetContextInfo(cl_context c, cl_context_info what, size_t room, void *out, size_t *size)
{
    struct ocl *o = ocl_enter("clGetContextInfo");
    const struct ocl_question q = {o, room, out, size};
    cl_int error = ocl_check(o, OCL_CONTEXT, c);
    if (error)
        return ocl_leave(o, error);
    switch (what) {
    case CL_CONTEXT_REFERENCE_COUNT: error = OCL_ANSWER(&q, cl_uint, c->object.references); break;
    case CL_CONTEXT_NUM_DEVICES: error = OCL_ANSWER(&q, cl_uint, 1); break;
    case CL_CONTEXT_DEVICES: error = OCL_ANSWER(&q, cl_device_id, &ocl_device); break;
    case CL_CONTEXT_PROPERTIES:
        error = ocl_answer(&q, c->properties, (size_t)c->nproperties * sizeof *c->properties);
        break;
    default: error = ocl_no_answer(&q, what);
    }
    return ocl_leave(o, error);
}
