/* kernel.c -- kernels, their arguments, and their launches. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- made and ended ---- */

static const struct cubin_kernel *code_of(const struct _cl_kernel *k)
{
    return &k->object.context->d.job.cubin->kernel[k->number];
}

/* The name in the source, without the module's. */
static const char *name_of(const struct _cl_kernel *k)
{
    char module[RECORD_MODULE];
    record_module_name(k->program->module, module);
    return code_of(k)->name + (k->program->module ? strlen(module) + 1 : 0);
}

/* A cubin that was not made for OpenCL lists parameters alone: each is an argument. */
static void take_arguments(cl_kernel k)
{
    const struct cubin_kernel *c = code_of(k);
    k->narguments = c->narguments ? c->narguments : c->nparams;
    k->argument = fl_alloc((size_t)k->narguments * sizeof *k->argument);
    k->value = fl_alloc((size_t)k->narguments * sizeof *k->value);
    for (int i = 0; i < k->narguments; i++)
        if (c->narguments)
            k->argument[i] = c->argument[i];
        else
            k->argument[i] = (struct cubin_argument){
                strcmp(c->param[i].type, "ptr") == 0 ? CUBIN_GLOBAL : CUBIN_VALUE,
                c->param[i].offset,
                c->param[i].size,
                -1,
                -1,
                c->param[i].name};
    for (int i = 0; i < k->narguments; i++)
        if (k->argument[i].kind == CUBIN_VALUE)
            k->value[i].bytes = fl_alloc(k->argument[i].size);
}

static cl_kernel make(struct ocl *o, cl_program p, int number)
{
    cl_kernel k = ocl_new(o, OCL_KERNEL, sizeof *k, p->object.context);
    ocl_hold(p);
    p->kernels++;
    k->program = p;
    k->number = number;
    take_arguments(k);
    return k;
}

void ocl_end_kernel(struct ocl *o, cl_kernel k)
{
    for (int i = 0; i < k->narguments; i++)
        free(k->value[i].bytes);
    free(k->value);
    free(k->argument);
    k->program->kernels--;
    ocl_drop(o, k->program);
}

static cl_int check_built(const struct ocl *o, cl_program p)
{
    cl_int error = ocl_check(o, OCL_PROGRAM, p);
    if (!error && p->module < 0)
        error = ocl_refuse(o, CL_INVALID_PROGRAM_EXECUTABLE,
                           "the program has not been built; call clBuildProgram");
    return error;
}

cl_kernel clCreateKernel(cl_program p, const char *name, cl_int *where)
{
    struct ocl *o = ocl_enter("clCreateKernel");
    cl_int error = check_built(o, p);
    int number = -1;
    if (!error && !name)
        error = ocl_refuse(o, CL_INVALID_VALUE, "the name is NULL");
    if (!error && (number = host_find_kernel(&p->object.context->d, p->module, name)) < 0)
        error = ocl_refuse(o, CL_INVALID_KERNEL_NAME,
                           "the program has no kernel '%s'; CL_PROGRAM_BUILD_LOG says why one is "
                           "left out",
                           name);
    return ocl_made(o, error, where, error ? NULL : make(o, p, number));
}

cl_int clCreateKernelsInProgram(cl_program p, cl_uint room, cl_kernel *out, cl_uint *count)
{
    struct ocl *o = ocl_enter("clCreateKernelsInProgram");
    cl_int error = check_built(o, p);
    cl_uint n = 0;
    if (error)
        return ocl_leave(o, error);
    const struct cubin *c = p->object.context->d.job.cubin;
    for (int i = 0; i < c->nkernels; i++)
        n += c->kernel[i].module == p->module && !cubin_is_fewer(&c->kernel[i]);
    if (out && room < n)
        return ocl_leave(
            o, ocl_refuse(o, CL_INVALID_VALUE, "room for %u kernels, and there are %u", room, n));
    for (int i = 0; i < c->nkernels && out; i++)
        if (c->kernel[i].module == p->module && !cubin_is_fewer(&c->kernel[i]))
            *out++ = make(o, p, i);
    if (count)
        *count = n;
    return ocl_leave(o, CL_SUCCESS);
}

cl_int clGetKernelInfo(cl_kernel k, cl_kernel_info what, size_t room, void *out, size_t *size)
{
    struct ocl *o = ocl_enter("clGetKernelInfo");
    const struct ocl_question q = {o, room, out, size};
    cl_int error = ocl_check(o, OCL_KERNEL, k);
    if (error)
        return ocl_leave(o, error);
    switch (what) {
    case CL_KERNEL_FUNCTION_NAME: error = ocl_answer_text(&q, name_of(k)); break;
    case CL_KERNEL_NUM_ARGS: error = OCL_ANSWER(&q, cl_uint, (cl_uint)k->narguments); break;
    case CL_KERNEL_REFERENCE_COUNT: error = OCL_ANSWER(&q, cl_uint, k->object.references); break;
    case CL_KERNEL_CONTEXT: error = OCL_ANSWER(&q, cl_context, k->object.context); break;
    case CL_KERNEL_PROGRAM: error = OCL_ANSWER(&q, cl_program, k->program); break;
    default: error = ocl_no_answer(&q, what);
    }
    return ocl_leave(o, error);
}

/* `own`: without the version of fewer registers. */
static size_t most_threads(const struct _cl_kernel *k, bool own)
{
    return (size_t)host_block_threads(&k->object.context->d, k->number, own);
}

cl_int clGetKernelWorkGroupInfo(cl_kernel k, cl_device_id device, cl_kernel_work_group_info what,
                                size_t room, void *out, size_t *size)
{
    struct ocl *o = ocl_enter("clGetKernelWorkGroupInfo");
    const struct ocl_question q = {o, room, out, size};
    cl_int error = ocl_check(o, OCL_KERNEL, k);
    if (!error && device)
        error = ocl_check_device(o, device);
    if (error)
        return ocl_leave(o, error);
    switch (what) {
    case CL_KERNEL_WORK_GROUP_SIZE: error = OCL_ANSWER(&q, size_t, most_threads(k, false)); break;
    case CL_KERNEL_COMPILE_WORK_GROUP_SIZE: {
        const uint32_t *b = code_of(k)->block;
        const size_t only[3] = {b[0], b[1], b[2]};
        error = ocl_answer(&q, only, sizeof only);
        break;
    }
    case CL_KERNEL_LOCAL_MEM_SIZE:
        error = OCL_ANSWER(&q, cl_ulong, code_of(k)->shared_bytes);
        break;
    case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
        error = OCL_ANSWER(&q, size_t, SM_LANES);
        break;
    case CL_KERNEL_PRIVATE_MEM_SIZE:
        error = OCL_ANSWER(&q, cl_ulong, code_of(k)->local_bytes);
        break;
    default: error = ocl_no_answer(&q, what);
    }
    return ocl_leave(o, error);
}

/* ---- arguments ---- */

static cl_int wrong_size(const struct ocl *o, const struct cubin_argument *a, size_t size,
                         size_t right)
{
    return ocl_refuse(o, CL_INVALID_ARG_SIZE, "argument '%s' (%s) has %zu bytes, not %zu", a->name,
                      cubin_argument_kinds[a->kind], right, size);
}

static cl_int set(const struct ocl *o, cl_kernel k, int i, size_t size, const void *from)
{
    const struct cubin_argument *a = &k->argument[i];
    struct ocl_value *v = &k->value[i];
    cl_int error = CL_SUCCESS;
    /* an old cubin does not say which pointers are local */
    const bool local = a->kind == CUBIN_LOCAL ||
                       (!code_of(k)->narguments && a->kind == CUBIN_GLOBAL && !from && size);
    if (local && from)
        return ocl_refuse(o, CL_INVALID_ARG_VALUE,
                          "argument '%s' is local memory: it has a size, and NULL for its value",
                          a->name);
    if (local && !size)
        return ocl_refuse(o, CL_INVALID_ARG_SIZE, "argument '%s': 0 bytes of local memory",
                          a->name);
    if (local) {
        v->local = size;
        v->object = NULL;
    } else if (a->kind == CUBIN_VALUE) {
        if (size != a->size)
            return wrong_size(o, a, size, a->size);
        if (!from)
            return ocl_refuse(o, CL_INVALID_ARG_VALUE, "argument '%s': the value is NULL", a->name);
        memcpy(v->bytes, from, size);
    } else {
        void *object = NULL;
        if (size != sizeof object)
            return wrong_size(o, a, size, sizeof object);
        if (from)
            memcpy(&object, from, sizeof object);
        if (a->kind == CUBIN_SAMPLER)
            error = ocl_check(o, OCL_SAMPLER, object);
        else if (object || a->kind == CUBIN_IMAGE)
            error = ocl_check(o, OCL_MEMORY, object);
        if (!error && a->kind != CUBIN_SAMPLER && object &&
            ((cl_mem)object)->is_image != (a->kind == CUBIN_IMAGE))
            error = ocl_refuse(o, CL_INVALID_MEM_OBJECT, "argument '%s' is a%s", a->name,
                               a->kind == CUBIN_IMAGE ? "n image, and this a buffer"
                                                      : " buffer, and this an image");
        if (error)
            return error;
        v->object = object;
        v->local = 0;
    }
    v->set = true;
    return CL_SUCCESS;
}

cl_int clSetKernelArg(cl_kernel k, cl_uint i, size_t size, const void *from)
{
    struct ocl *o = ocl_enter("clSetKernelArg");
    cl_int error = ocl_check(o, OCL_KERNEL, k);
    if (!error && i >= (cl_uint)k->narguments)
        error = ocl_refuse(o, CL_INVALID_ARG_INDEX, "argument %u: kernel '%s' has %d", i,
                           name_of(k), k->narguments);
    return ocl_leave(o, error ? error : set(o, k, (int)i, size, from));
}

/* ---- launches ---- */

struct launch {
    const struct ocl_command *c;
    cl_kernel k;
    uint8_t words[4 * JOB_MAX_PARAMS];
    size_t size;     /* of them */
    uint32_t shared; /* bytes that the launch adds to the kernel's own */
};

static void put(struct launch *l, uint32_t offset, const void *from, size_t size)
{
    if (offset > sizeof l->words || size > sizeof l->words - offset)
        return; /* no cubin that a job takes has it */
    memcpy(l->words + offset, from, size);
    l->size = offset + size > l->size ? offset + size : l->size;
}

/* What the sampler of an image says: the kernel's own, or the argument. */
static cl_int set_sampler(const struct launch *l, const struct cubin_argument *a,
                          const struct cubin_image *own, struct texture *t)
{
    const struct ocl *o = l->c->o;
    bool wrap = own->wrap;
    t->linear = own->linear;
    t->normalized = own->normalized;
    if (a->sampler >= 0 && a->sampler < l->k->narguments) {
        cl_sampler s = l->k->value[a->sampler].object;
        cl_int error = ocl_check(o, OCL_SAMPLER, s);
        if (error)
            return error;
        if (s->addressing == CL_ADDRESS_CLAMP || s->addressing == CL_ADDRESS_MIRRORED_REPEAT)
            return ocl_refuse(o, CL_INVALID_SAMPLER,
                              "image '%s': texture units have no colour of a border, and do not "
                              "mirror; use CL_ADDRESS_CLAMP_TO_EDGE or CL_ADDRESS_REPEAT",
                              a->name);
        wrap = s->addressing == CL_ADDRESS_REPEAT;
        if (!own->any && (wrap || s->normalized || s->filter == CL_FILTER_LINEAR))
            return ocl_refuse(o, CL_INVALID_SAMPLER,
                              "image '%s' is read with coordinates that are integers: its sampler "
                              "clamps, and has neither a filter nor normalized coordinates",
                              a->name);
        t->normalized = s->normalized;
        t->linear = s->filter == CL_FILTER_LINEAR &&
                    texture_is_float((enum texture_format)t->format);
    }
    t->wrap[0] = t->wrap[1] = wrap;
    return CL_SUCCESS;
}

static const struct cubin_texture *texture_of(const struct launch *l, int unit)
{
    const struct cubin *c = l->c->d->job.cubin;
    for (int i = 0; i < c->ntextures; i++)
        if ((int)c->texture[i].unit == unit)
            return &c->texture[i];
    return NULL;
}

static cl_int bind_image(const struct launch *l, const struct cubin_argument *a, cl_mem m)
{
    static const char *const reads[] = {"read_imagef", "read_imagei", "read_imageui"};
    struct host_device *d = l->c->d;
    const struct cubin_texture *of = texture_of(l, a->unit);
    const void *at = (const void *)(uintptr_t)m->address;
    struct job_texture x = {.unit = a->unit, .texture = m->texture};
    struct cubin_image image;
    struct fl_err err;
    if (!of || !cubin_image(of, &image)) /* the kernel does not read it */
        return CL_SUCCESS;
    const enum texture_format f = (enum texture_format)m->texture.format;
    int kind = texture_is_float(f)                                       ? CUBIN_FLOATS
               : f == TEXTURE_S8 || f == TEXTURE_S16 || f == TEXTURE_S32 ? CUBIN_SIGNED
                                                                         : CUBIN_UNSIGNED;
    if (kind != (int)image.kind)
        return ocl_refuse(l->c->o, CL_IMAGE_FORMAT_NOT_SUPPORTED,
                          "image '%s' is read by %s, and has texels for %s", a->name,
                          reads[image.kind], reads[kind]);
    cl_int error = set_sampler(l, a, &image, &x.texture);
    if (error)
        return error;
    x.buffer = host_buffer(d, at, m->size);
    x.offset = host_offset_in(d, x.buffer, at);
    return host_bind(d, &x, of->name, &err)
               ? ocl_refuse(l->c->o, CL_INVALID_ARG_VALUE, "image '%s': %s", a->name, err.msg)
               : CL_SUCCESS;
}

/* Width and height of images are words behind the arguments. */
static void put_sizes(struct launch *l)
{
    const struct cubin_kernel *c = code_of(l->k);
    for (int p = 0; p < c->nparams; p++) {
        bool height;
        const struct cubin_texture *of = cubin_size_of(l->c->d->job.cubin, c->param[p].name,
                                                       &height);
        for (int i = 0; of && i < l->k->narguments; i++) {
            const struct _cl_mem *m = l->k->value[i].object;
            if (l->k->argument[i].kind == CUBIN_IMAGE && l->k->argument[i].unit == (int)of->unit)
                put(l, c->param[p].offset, height ? &m->texture.height : &m->texture.width, 4);
        }
    }
}

/* Local memory that arguments ask for lies behind the kernel's own. */
static void put_local(struct launch *l, const struct cubin_argument *a, size_t size)
{
    const uint32_t own = code_of(l->k)->shared_bytes, start = (own + 15) & ~15u;
    uint32_t at = l->shared ? own + l->shared : start;
    put(l, a->offset, &at, sizeof at);
    at += size < SM_MAX_SHARED ? ((uint32_t)size + 15) & ~15u : SM_MAX_SHARED;
    l->shared = at - own;
}

static cl_int put_argument(struct launch *l, int i)
{
    const struct cubin_argument *a = &l->k->argument[i];
    const struct ocl_value *v = &l->k->value[i];
    const cl_mem m = a->kind == CUBIN_SAMPLER ? NULL : v->object;
    cl_int error = m ? ocl_check_of(l->c->o, OCL_MEMORY, m, l->k->object.context) : CL_SUCCESS;
    if (error)
        return error;
    if (a->kind == CUBIN_VALUE)
        put(l, a->offset, v->bytes, a->size);
    else if (v->local)
        put_local(l, a, v->local);
    else if (a->kind == CUBIN_IMAGE && a->unit >= 0)
        return bind_image(l, a, m);
    else if (a->size)
        put(l, a->offset, &(uint32_t){m ? m->address : 0}, 4);
    return CL_SUCCESS;
}

/* The largest divisor of n that is at most `most`. */
static size_t divisor(size_t n, size_t most)
{
    size_t d = n < most ? n : most;
    while (d > 1 && n % d)
        d--;
    return d ? d : 1;
}

static cl_int shape(const struct ocl *o, const struct _cl_kernel *k, cl_uint dimensions,
                    const size_t *global, const size_t *local, uint32_t grid[3], uint32_t block[3])
{
    const struct profile *p = &o->profile;
    const size_t left = most_threads(k, !local);
    const uint32_t *only = code_of(k)->block;
    size_t threads = 1;
    if (only[0] && !local)
        return ocl_refuse(o, CL_INVALID_WORK_GROUP_SIZE,
                          "kernel '%s' has reqd_work_group_size: give its work-groups of %u,%u,%u "
                          "as local_work_size",
                          name_of(k), only[0], only[1], only[2]);
    for (int i = 2; i >= 0; i--) { /* a grid has no third dimension: its block takes all of it */
        const size_t items = i < (int)dimensions ? global[i] : 1,
                     most = (size_t)host_attribute(p, (enum host_attribute)(HOST_BLOCK_X + i));
        size_t size = i >= (int)dimensions ? 1
                      : local              ? local[i]
                      : i == 2             ? divisor(items, most < left ? most : left)
                                           : 1;
        if (local && i < (int)dimensions && (!size || items % size))
            return ocl_refuse(o, CL_INVALID_WORK_GROUP_SIZE,
                              "dimension %d: %zu work-items are no multiple of %zu", i, items,
                              size);
        if (size > most)
            return ocl_refuse(o, CL_INVALID_WORK_ITEM_SIZE,
                              "dimension %d: a work-group of %zu, and %zu are the most", i, size,
                              most);
        block[i] = (uint32_t)size;
        threads *= size;
    }
    for (int i = 0; i < 2 && !local; i++) { /* as large as they can be */
        size_t size = i < (int)dimensions ? divisor(global[i], left / threads) : 1;
        block[i] = (uint32_t)size;
        threads *= size;
    }
    if (threads > (size_t)p->threads_per_block)
        return ocl_refuse(o, CL_INVALID_WORK_GROUP_SIZE,
                          "a work-group of %zu work-items, and profile %s allows %d; make it "
                          "smaller",
                          threads, p->name, p->threads_per_block);
    if (threads > left)
        return ocl_refuse(o, CL_INVALID_WORK_GROUP_SIZE,
                          "a work-group of %zu work-items, and the registers of kernel '%s' allow "
                          "%zu (CL_KERNEL_WORK_GROUP_SIZE)",
                          threads, name_of(k), left);
    for (int i = 0; i < 3; i++) {
        const size_t groups = i < (int)dimensions ? global[i] / block[i] : 1,
                     most = (size_t)host_attribute(p, (enum host_attribute)(HOST_GRID_X + i));
        if (groups > most)
            return ocl_refuse(o, CL_INVALID_GLOBAL_WORK_SIZE,
                              "dimension %d: %zu work-groups, and a grid of compute capability 1.x "
                              "has %zu; make work-groups larger, or use fewer dimensions",
                              i, groups, most);
        grid[i] = (uint32_t)groups;
    }
    return CL_SUCCESS;
}

static cl_int check_range(const struct ocl *o, cl_uint dimensions, const size_t *offset,
                          const size_t *global)
{
    if (dimensions < 1 || dimensions > 3)
        return ocl_refuse(o, CL_INVALID_WORK_DIMENSION, "%u dimensions; 1 to 3 are possible",
                          dimensions);
    for (cl_uint i = 0; i < dimensions; i++) {
        if (!global || !global[i])
            return ocl_refuse(o, CL_INVALID_GLOBAL_WORK_SIZE, "dimension %u has no work-items", i);
        if (offset && offset[i])
            return ocl_refuse(o, CL_INVALID_GLOBAL_OFFSET,
                              "work-items are counted from 0 on; add the offset in the kernel");
    }
    return CL_SUCCESS;
}

static cl_int check_set(const struct ocl *o, const struct _cl_kernel *k)
{
    for (int i = 0; i < k->narguments; i++)
        if (!k->value[i].set)
            return ocl_refuse(o, CL_INVALID_KERNEL_ARGS,
                              "argument '%s' of kernel '%s' is not set; call clSetKernelArg",
                              k->argument[i].name, name_of(k));
    return CL_SUCCESS;
}

static cl_int launch(const struct ocl_command *c, cl_kernel k, cl_uint dimensions,
                     const size_t *offset, const size_t *global, const size_t *local)
{
    struct job_param param[JOB_MAX_PARAMS];
    struct job_launch job = {.param = param};
    struct launch l = {.c = c, .k = k};
    uint32_t grid[3], block[3];
    cl_int error = ocl_check_of(c->o, OCL_KERNEL, k, c->queue->object.context);
    if (!error)
        error = check_range(c->o, dimensions, offset, global);
    if (!error)
        error = check_set(c->o, k);
    for (int i = 0; !error && i < k->narguments; i++)
        error = put_argument(&l, i);
    if (!error)
        error = shape(c->o, k, dimensions, global, local, grid, block);
    if (error)
        return error;
    put_sizes(&l);
    if (code_of(k)->shared_bytes + l.shared > (uint32_t)c->o->profile.shared_bytes)
        return ocl_refuse(c->o, CL_OUT_OF_RESOURCES,
                          "kernel '%s' needs %u bytes of local memory, %u of them for arguments, "
                          "and profile %s has %d",
                          name_of(k), code_of(k)->shared_bytes + l.shared, l.shared,
                          c->o->profile.name, c->o->profile.shared_bytes);
    enum host_error wrong = host_prepare(c->d, k->number, grid, block, l.shared, &job);
    return ocl_error(wrong ? wrong : host_run(c->d, &job, l.words, l.size));
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel k, cl_uint dimensions,
                              const size_t *offset, const size_t *global, const size_t *local,
                              cl_uint nevents, const cl_event *events, cl_event *event)
{
    struct ocl_command c;
    cl_int error = ocl_begin(&c, "clEnqueueNDRangeKernel", CL_COMMAND_NDRANGE_KERNEL, queue,
                             nevents, events, event);
    return ocl_end(&c, error ? error : launch(&c, k, dimensions, offset, global, local));
}

cl_int clEnqueueTask(cl_command_queue queue, cl_kernel k, cl_uint nevents, const cl_event *events,
                     cl_event *event)
{
    struct ocl_command c;
    const size_t one = 1;
    cl_int error = ocl_begin(&c, "clEnqueueTask", CL_COMMAND_TASK, queue, nevents, events, event);
    return ocl_end(&c, error ? error : launch(&c, k, 1, NULL, &one, &one));
}
