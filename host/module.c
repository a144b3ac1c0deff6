/* module.c -- see device.h: cubins of a program in one machine.
 *
 * Code that has been loaded stays: the machine takes code, and gives none back. So a module that is loaded again after it was unloaded
 * is the same one, and the host writes what its variables and constants hold at first.
 */
#include "device.h"

#include <stdlib.h>
#include <string.h>

/* A name of the module's file as the joint cubin has it. */
static char *joint_name(int module, const char *name)
{
    char prefix[RECORD_MODULE];
    record_module_name(module, prefix);
    return module ? fl_format("%s.%s", prefix, name) : fl_strdup(name);
}

int host_find_kernel(const struct host_device *d, int module, const char *name)
{
    const struct cubin *c = d->job.cubin;
    char *joint = joint_name(module, name);
    int found = cubin_find(c, joint);
    found = found >= 0 ? found : cubin_find_mangled(c, joint);
    free(joint);
    return found >= 0 && c->kernel[found].module == module ? found : -1;
}

bool host_find_variable(const struct host_device *d, int module, const char *name,
                        struct host_place *out)
{
    const struct cubin *c = d->job.cubin;
    char *joint = joint_name(module, name);
    bool found = false;
    for (int i = 0; i < c->nvariables && !found; i++)
        if ((found = strcmp(c->variable[i].name, joint) == 0))
            *out = (struct host_place){job_find_buffer(&d->job, joint), 0, c->variable[i].size,
                                       module};
    for (int i = 0; i < c->nconstants && !found; i++)
        if ((found = c->constant[i].module == module && strcmp(c->constant[i].name, joint) == 0))
            *out = (struct host_place){-1, c->constant[i].offset, c->constant[i].size, module};
    free(joint);
    return found;
}

/* Only the first cubin may have references. */
int host_find_texture(const struct host_device *d, int module, const char *name)
{
    int i = module ? -1 : cubin_find_texture(d->job.cubin, name);
    return i < 0 ? -1 : (int)d->job.cubin->texture[i].unit;
}

/* What variables hold at first; zeros are written where something else may be. */
static void write_variable(struct host_device *d, const struct cubin_variable *v, int buffer,
                           bool again)
{
    struct host_block at = {(const void *)(uintptr_t)d->job.buffer[buffer].addr, v->size, buffer};
    struct host_block from = {v->init, v->size, -1};
    if (v->init && v->size)
        host_copy(d, &at, &from, v->size, 1);
    else if (again && v->size)
        host_fill(d, &at, 0, v->size, 1);
}

static bool is_of(int module, const char *joint)
{
    char prefix[RECORD_MODULE];
    record_module_name(module, prefix);
    size_t n = strlen(prefix);
    return module == 0 || (strncmp(joint, prefix, n) == 0 && joint[n] == '.');
}

static int load_again(struct host_device *d, int module)
{
    const struct cubin *c = d->job.cubin;
    const struct cubin_module m = cubin_module(c, module);
    for (int i = 0; i < c->nvariables; i++) {
        if (!is_of(module, c->variable[i].name))
            continue;
        int buffer = job_find_buffer(&d->job, c->variable[i].name);
        d->given[buffer] = c->variable[i].size;
        write_variable(d, &c->variable[i], buffer, true);
    }
    if (m.const0_size)
        host_write_constant(d, module, 0, m.const0, m.const0_size);
    d->module[module].loaded = true;
    d->fifo.module = -1;
    return module;
}

void host_unload(struct host_device *d, int module)
{
    const struct cubin *c = d->job.cubin;
    for (int i = 0; i < c->nvariables; i++) {
        if (!is_of(module, c->variable[i].name))
            continue;
        int buffer = job_find_buffer(&d->job, c->variable[i].name);
        d->given[buffer] = 0;
    }
    d->module[module].loaded = false;
}

static int check_module(const struct host_device *d, struct cubin *cubin, struct fl_err *err)
{
    struct job alone = d->job;
    alone.cubin = cubin;
    if (cubin->nkernels == 0)
        return fl_fail(err, "the cubin has no kernel");
    return job_check_code(&alone, err);
}

/* Of the module's file, before it is joined. What was given goes back when there is not enough. */
static int give_variables(struct host_device *d, const struct cubin *c, struct fl_err *err)
{
    int first = d->job.nbuffers;
    for (int i = 0; i < c->nvariables; i++) {
        char *joint = joint_name(d->nmodules, c->variable[i].name);
        int n = host_allocate_variable(d, joint, c->variable[i].size);
        free(joint);
        if (n >= 0)
            continue;
        for (n = first; n < d->job.nbuffers; n++) {
            free(d->job.buffer[n].name);
            d->job.buffer[n].name = NULL;
            d->given[n] = 0;
        }
        return fl_fail(err, "there is no memory for variable '%.100s'", c->variable[i].name);
    }
    return 0;
}

/* From here on the number is taken. */
static void take_number(struct host_device *d, const void *bytes, size_t size)
{
    d->module = fl_grow(d->module, (size_t)d->nmodules + 1, sizeof *d->module);
    d->module[d->nmodules] = (struct host_module){fl_alloc(size), size, true};
    memcpy(d->module[d->nmodules++].bytes, bytes, size);
}

int host_load(struct host_device *d, const void *bytes, size_t size, struct fl_err *err)
{
    struct cubin *cubin = NULL;
    const int number = d->nmodules, first = d->job.cubin->nvariables;
    char name[RECORD_MODULE];
    for (int i = 0; i < number; i++)
        if (!d->module[i].loaded && d->module[i].size == size &&
            memcmp(d->module[i].bytes, bytes, size) == 0)
            return load_again(d, i);
    if (cubin_read_memory(d->job.path, bytes, size, &cubin, err))
        return -1;
    if (check_module(d, cubin, err) || give_variables(d, cubin, err)) {
        cubin_free(cubin);
        return -1;
    }
    record_module_name(number, name);
    if (cubin_join(d->job.cubin, cubin, name, err))
        return -1;
    take_number(d, bytes, size);
    if (machine_add(&d->machine))
        return fl_fail(err, "the device has no room for the code, constants and local memory of "
                            "one more module; load it before the first launch, or load fewer");
    if (d->recorder) {
        if (record_module(d->recorder, number, bytes, size, err))
            return -1;
        record_variables(d->recorder, &d->job);
    }
    for (int i = first; i < d->job.cubin->nvariables; i++)
        write_variable(d, &d->job.cubin->variable[i],
                       job_find_buffer(&d->job, d->job.cubin->variable[i].name), false);
    return number;
}
