/* job.c -- a first job for a cubin: every kernel launched once, with a ? where only the user knows the value. */
#include <stdlib.h>
#include <string.h>
#include "smcc.h"

struct first {
    const struct cubin *c;
    const struct smcc_launch *launch;
    struct fl_buf out;
};

/* Pointers to buffers; those to __local memory are offsets. */
static bool is_buffer(const struct first *f, int kernel, int param)
{
    const struct cubin_param *p = &f->c->kernel[kernel].param[param];
    return strcmp(p->type, "ptr") == 0 && !(f->launch[kernel].local >> p->offset / 4 & 1);
}

struct use { /* what any kernel does with a buffer */
    bool read, written;
    const char *element; /* that all find in it; empty: several, or not known */
};

/* Is it the first of its name? Then what any kernel does with one of that name. */
static bool first_of_name(const struct first *f, int kernel, int param, struct use *u)
{
    const char *name = f->c->kernel[kernel].param[param].name;
    *u = (struct use){.element = f->c->kernel[kernel].param[param].element};
    for (int k = 0; k < f->c->nkernels; k++)
        for (int p = 0; p < f->c->kernel[k].nparams; p++) {
            const struct cubin_param *q = &f->c->kernel[k].param[p];
            if (!is_buffer(f, k, p) || strcmp(q->name, name))
                continue;
            if (k < kernel || (k == kernel && p < param))
                return false;
            u->read |= f->launch[k].read >> q->offset / 4 & 1;
            u->written |= f->launch[k].written >> q->offset / 4 & 1;
            u->element = strcmp(q->element, u->element) == 0 ? u->element : "";
        }
    return true;
}

/* <buffer>s, or <output>s: of what kernels write. */
static void put_buffers(struct first *f, bool outputs)
{
    struct use u;
    for (int k = 0; k < f->c->nkernels; k++)
        for (int p = 0; p < f->c->kernel[k].nparams; p++) {
            const char *name = f->c->kernel[k].param[p].name;
            if (!is_buffer(f, k, p) || !first_of_name(f, k, p, &u))
                continue;
            if (!outputs)
                fl_buf_printf(&f->out, "  <buffer name=\"%s\" size=\"?\"%s\n", name,
                              u.read ? "><file path=\"?\"/></buffer>" : "/>");
            else if (u.written)
                fl_buf_printf(&f->out, "  <output name=\"%s\" buffer=\"%s\"%s%s%s/>\n", name, name,
                              *u.element ? " type=\"" : "", u.element, *u.element ? "\"" : "");
        }
}

/* A buffer for each texture reference, of its name unless a kernel's buffer has it. */
static char *texels_of(const struct first *f, const struct cubin_texture *t)
{
    for (int k = 0; k < f->c->nkernels; k++)
        for (int p = 0; p < f->c->kernel[k].nparams; p++)
            if (is_buffer(f, k, p) && strcmp(f->c->kernel[k].param[p].name, t->name) == 0)
                return fl_format("%s_texels", t->name);
    return fl_strdup(t->name);
}

static void put_texels(struct first *f)
{
    for (int i = 0; i < f->c->ntextures; i++) {
        char *buffer = texels_of(f, &f->c->texture[i]);
        fl_buf_printf(&f->out, "  <buffer name=\"%s\" size=\"?\"><file path=\"?\"/></buffer>\n",
                      buffer);
        free(buffer);
    }
}

/* What the references are bound to; of images the sampler is the kernel's. */
static void put_textures(struct first *f)
{
    for (int i = 0; i < f->c->ntextures; i++) {
        const struct cubin_texture *t = &f->c->texture[i];
        struct cubin_image image;
        bool known = cubin_image(t, &image) && !image.any;
        char *buffer = texels_of(f, t);
        fl_buf_printf(&f->out,
                      "  <texture name=\"%s\" buffer=\"%s\" width=\"?\" height=\"?\" format=\"?\" "
                      "channels=\"?\" address=\"%s\" filter=\"%s\" normalized=\"%s\"/>\n",
                      t->name, buffer,
                      !known       ? "?"
                      : image.wrap ? "wrap"
                                   : "clamp",
                      !known         ? "?"
                      : image.linear ? "linear"
                                     : "nearest",
                      !known             ? "?"
                      : image.normalized ? "yes"
                                         : "no");
        free(buffer);
    }
}

static void put_launch(struct first *f, int kernel)
{
    const struct cubin_kernel *k = &f->c->kernel[kernel];
    const struct smcc_launch *l = &f->launch[kernel];
    fl_buf_printf(&f->out, "  <launch kernel=\"%s\" grid=\"?\" block=\"", k->name);
    if (l->block[0])
        fl_buf_printf(&f->out, "%u,%u,%u\"", l->block[0], l->block[1], l->block[2]);
    else
        fl_buf_printf(&f->out, "?\"");
    fl_buf_printf(&f->out, "%s>\n", l->dynamic || l->local ? " shared=\"?\"" : "");
    for (int p = 0; p < k->nparams; p++) {
        const struct cubin_param *q = &k->param[p];
        bool height;
        if (strncmp(q->name, "pad_0x", 6) == 0 || cubin_size_of(f->c, q->name, &height))
            continue;
        fl_buf_printf(&f->out, "    <param name=\"%s\" ", q->name);
        if (is_buffer(f, kernel, p))
            fl_buf_printf(&f->out, "buffer=\"%s\"/>\n", q->name);
        else if (strcmp(q->type, "ptr") == 0)
            fl_buf_printf(&f->out, "u32=\"?\"/> <!-- a place in s[]: from 0x%x on -->\n",
                          k->shared_bytes);
        else
            fl_buf_printf(&f->out, "%s=\"?\"/>\n", q->type);
    }
    fl_buf_printf(&f->out, "  </launch>\n");
}

int smcc_job(const char *path, const char *profile, const char *cubin_path, const struct cubin *c,
             const struct smcc_launch *launch, struct fl_err *err)
{
    struct first f = {.c = c, .launch = launch};
    const char *slash = strrchr(cubin_path, '/'), *out = strrchr(path, '/');
    size_t folder = out ? (size_t)(out - path) : 0;
    /* beside the job, or as it was given */
    bool beside = slash ? out && folder == (size_t)(slash - cubin_path) &&
                              memcmp(path, cubin_path, folder) == 0
                        : !out;
    char *absolute = beside ? fl_strdup(slash ? slash + 1 : cubin_path)
                            : realpath(cubin_path, NULL);
    fl_buf_printf(&f.out,
                  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                  "<!-- A first job. It runs when each ? is replaced: sizes in bytes, contents of "
                  "what is read, arguments,\n"
                  "     the launch. Contents are also <random type=\"f32\" seed=\"1\"/> or <u32>1 "
                  "2 3</u32>; docs/reference/job.md\n"
                  "     has all. What kernels write is an output: take out what is no result. -->\n"
                  "<job profile=\"%s\" cubin=\"%s\">\n",
                  profile, absolute ? absolute : cubin_path);
    put_buffers(&f, false);
    put_texels(&f);
    put_textures(&f);
    for (int k = 0; k < c->nkernels; k++)
        if (!cubin_is_fewer(&c->kernel[k]))
            put_launch(&f, k);
    put_buffers(&f, true);
    fl_buf_printf(&f.out, "</job>\n");
    free(absolute);
    int bad = fl_write_file(path, f.out.data, f.out.size, err);
    fl_buf_free(&f.out);
    return bad;
}
