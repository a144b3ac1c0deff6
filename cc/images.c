/* images.c -- image arguments of OpenCL C, and texture objects of CUDA C, become texture references.
 *
 * opencl.h has a read of an image as an instruction that PTX does not have, "image.2d...": it names the image's argument
 * and the sampler, of which clang makes a call. Both are known here, for functions stand in their callers: the read
 * becomes tex.2d of a reference, and neither argument is one of the kernel's words any longer. A question for width or height
 * becomes a parameter of that name, which the job fills in.
 */
#include "images.h"

#include <stdio.h>
#include <string.h>
#include "cc/clang/names.h"
#include "cc/ptx/source.h"

enum {
    NORMALIZED = 1,
    ADDRESS = 14,
    NEAREST = 16,
    LINEAR = 32,
    REPEAT = 6,
    CLAMP_TO_BORDER = 4,
    MIRRORED = 8
};

/* What is known of an image: a sampler is the number of its bits, or -1 less the number of the argument. */
struct image {
    bool read, integers; /* integers: some coordinates are */
    const char *kind;    /* "float", "int", "uint": what the first read gives */
    int64_t sampler;
};

struct images {
    struct cc_arena *arena;
    struct ptx_module *m;
    struct ptx_kernel *k;
    const struct cc_source *source;
    const char *llvm;
    struct fl_err *err;
    struct image *image; /* of each parameter */
};

static int refuse(const struct images *s, const struct cc_place *at, const char *text)
{
    return cc_source_fail(s->source, s->m, at, s->err, text);
}

static void leave_out(struct ptx_insn *in)
{
    in->op = "membar.gl"; /* of which no code is made */
    in->n = 0;
}

static bool is_param(const struct ptx_insn *in, const char *op, const char *name)
{
    return in->n == 2 && strncmp(in->op, op, strlen(op)) == 0 && in->o[op[0] == 'l'].name &&
           strcmp(in->o[op[0] == 'l'].name, name) == 0;
}

/* The call that clang makes of a sampler: its result is its argument. */
static void take_samplers(struct images *s)
{
    struct ptx_kernel *k = s->k;
    for (int i = 0; i < k->ninsns; i++) {
        struct ptx_insn *in = &k->insn[i], *to = in, *from = in;
        if (strncmp(in->op, "call", 4) != 0 || !in->n ||
            strcmp(in->o[0].name, "__translate_sampler_initializer") != 0)
            continue;
        while (to > k->insn && !is_param(to, "st.param.", "param0"))
            to--;
        while (from < k->insn + k->ninsns - 1 && !is_param(from, "ld.param.", "retval0"))
            from++;
        if (!is_param(to, "st.param.", "param0") || !is_param(from, "ld.param.", "retval0"))
            continue;
        to->op = "mov.u32";
        to->o[0] = from->o[0];
        leave_out(in);
        leave_out(from);
    }
}

/* The only instruction that sets a register; NULL. */
static struct ptx_insn *setter(const struct images *s, int reg)
{
    struct ptx_insn *found = NULL;
    for (int i = 0; i < s->k->ninsns; i++) {
        struct ptx_insn *in = &s->k->insn[i];
        if (in->n < 2 || in->o[0].kind != PTX_REG || in->o[0].reg != reg)
            continue;
        if (found)
            return NULL;
        found = in;
    }
    return found;
}

/* Where a register's value comes from: *number, or the argument whose number is returned; -1: a number, -2: not known. */
static int origin(const struct images *s, int reg, uint64_t *number)
{
    for (int copies = 0; copies < 16; copies++) {
        const struct ptx_insn *in = setter(s, reg);
        if (!in || in->n != 2)
            return -2;
        for (int p = 0; p < s->k->nparams; p++)
            if (is_param(in, "ld.param.", s->k->param[p].name) && !in->o[1].imm)
                return p;
        if (strncmp(in->op, "mov.", 4) != 0)
            return -2;
        if (in->o[1].kind == PTX_IMM) {
            *number = in->o[1].imm;
            return -1;
        }
        if (in->o[1].kind != PTX_REG)
            return -2;
        reg = in->o[1].reg;
    }
    return -2;
}

/* NULL, or why no unit can do what the sampler says. */
static const char *wrong_sampler(const struct image *x)
{
    int64_t a = x->sampler & ADDRESS;
    bool normalized = x->sampler & NORMALIZED, linear = x->sampler & LINEAR;
    if (x->sampler < 0)
        return NULL;
    if (a > MIRRORED || x->sampler > (ADDRESS | NORMALIZED | NEAREST | LINEAR))
        return "these bits are no sampler: add CLK_ constants";
    if (x->integers && (normalized || linear))
        return "integers are coordinates of samplers with CLK_FILTER_NEAREST and "
               "CLK_NORMALIZED_COORDS_FALSE";
    if (a == CLAMP_TO_BORDER)
        return "CLK_ADDRESS_CLAMP: the units have no colour of a border; keep coordinates inside, "
               "with CLK_ADDRESS_CLAMP_TO_EDGE";
    if (a == MIRRORED)
        return "CLK_ADDRESS_MIRRORED_REPEAT: the units clamp or repeat";
    return a == REPEAT && !normalized ? "CLK_ADDRESS_REPEAT is for normalized coordinates" : NULL;
}

/* image.2d.KIND.v4.TYPE.COORDINATES {4 results}, [image, {2 coordinates}], sampler */
static int note_read(struct images *s, const struct ptx_insn *in)
{
    uint64_t bits = 0;
    const char *kind = strstr(in->op, ".float.")  ? "float"
                       : strstr(in->op, ".uint.") ? "uint"
                                                  : "int";
    bool integers = strstr(in->op, ".s32.") != NULL;
    int p = in->n == 3 && in->o[1].reg >= 0 ? origin(s, in->o[1].reg, &bits) : -2,
        from = p >= 0 && in->o[2].kind == PTX_REG ? origin(s, in->o[2].reg, &bits) : -2;
    if (in->n == 3 && in->o[2].kind == PTX_IMM) {
        bits = in->o[2].imm;
        from = -1;
    }
    if (p < 0)
        return refuse(
            s, &in->place,
            "the image of this read cannot be determined; read an argument of the kernel directly");
    if (from < -1)
        return refuse(s, &in->place,
                      "the sampler of this read cannot be determined; name a sampler directly");
    struct image *x = &s->image[p],
                 now = {.read = true,
                        .integers = integers || x->integers,
                        .kind = x->read ? x->kind : kind,
                        .sampler = from < 0 ? (int64_t)(bits & UINT32_MAX) : -1 - from};
    if (from < 0)
        now.sampler &= ~(int64_t)NEAREST; /* it is, unless LINEAR says otherwise */
    /* CLK_ADDRESS_NONE: coordinates are inside, wherever those outside would lead */
    if (from < 0 && (now.sampler & ADDRESS) == 0)
        now.sampler |= 2;
    if (x->read && strcmp(now.kind, kind) != 0)
        return refuse(s, &in->place,
                      "an image is read by two kinds of functions; use one of read_imagef, "
                      "read_imagei and read_imageui for each image");
    if (x->read && now.sampler != x->sampler)
        return refuse(s, &in->place,
                      "an image is read with two samplers, and a texture unit has one; pass the "
                      "image as two arguments");
    *x = now;
    const char *why = wrong_sampler(x);
    return why ? refuse(s, &in->place, why) : 0;
}

static bool is_size(const struct ptx_insn *in)
{
    return strcmp(in->op, "image.width") == 0 || strcmp(in->op, "image.height") == 0;
}

/* What the job's <texture> must say: asm/cubin/texture.c. */
static const char *type_of(const struct images *s, const struct image *x)
{
    if (x->sampler < 0)
        return cc_format(s->arena, "image_%s_%s", x->kind,
                         x->integers ? "clamp_nearest_texels" : "any");
    return cc_format(s->arena, "image_%s_%s_%s_%s", x->kind,
                     (x->sampler & ADDRESS) == REPEAT ? "wrap" : "clamp",
                     x->sampler & LINEAR ? "linear" : "nearest",
                     x->sampler & NORMALIZED ? "normalized" : "texels");
}

/* The image, or the object, whose type is NULL, becomes the reference of that name and kind, a new one unless an earlier kernel has it. */
static const char *reference(struct images *s, int p, const char *type, uint32_t *unit)
{
    char known[64];
    const char *ignored, *name = s->k->param[p].name;
    if (cc_param_name(s->llvm, s->k->name, p, known, sizeof known, &ignored))
        name = cc_text(s->arena, known, strlen(known));
    struct ptx_module *m = s->m;
    for (int i = 0; i < m->ntextures; i++)
        if (strcmp(m->texture[i].name, name) == 0) {
            s->k->param[p].unit = (int)m->texture[i].address + 1;
            if (m->texture[i].is_object == !type &&
                (!type || (m->texture[i].type && strcmp(m->texture[i].type, type) == 0)))
                return name;
            name = cc_format(s->arena, "%s_%s", s->k->name, name);
            i = -1;
        }
    s->k->param[p].unit = (int)*unit + 1;
    CC_ROOM(s->arena, m->texture, m->ntextures, m->texture_room);
    m->texture[m->ntextures++] = (struct ptx_var){.name = name,
                                                  .is_image = true,
                                                  .is_object = !type,
                                                  .type = type,
                                                  .address = (*unit)++,
                                                  .place = s->k->place};
    return name;
}

/* The parameter with the width or height of an image, behind those that there are. */
static int add_size(struct images *s, const char *image, bool height, const struct cc_place *at,
                    const char **out)
{
    struct ptx_kernel *k = s->k;
    char known[64];
    const char *ignored, *name = cc_format(s->arena, "%s_%s", image, height ? "height" : "width");
    for (int p = 0; p < k->nparams; p++) {
        bool named = cc_param_name(s->llvm, k->name, p, known, sizeof known, &ignored);
        if (strcmp(named ? known : k->param[p].name, name) == 0)
            return refuse(
                s, at,
                "this argument has a name that is reserved for the size of an image; rename it");
    }
    CC_ROOM(s->arena, k->param, k->nparams, k->param_room);
    k->param[k->nparams++] = (struct ptx_var){.name = name, .size = 4, .align = 4, .place = *at};
    *out = name;
    return 0;
}

/* image.width result, image: `name` and `size` are those of each argument. */
static int ask_size(struct images *s, struct ptx_insn *in, const char **name,
                    const char *(*size)[2])
{
    uint64_t bits;
    bool height = strcmp(in->op, "image.height") == 0;
    int p = in->n == 2 && in->o[1].kind == PTX_REG ? origin(s, in->o[1].reg, &bits) : -2;
    if (p < 0)
        return refuse(s, &in->place,
                      "the image of this size query cannot be determined; query an argument of the "
                      "kernel directly");
    if (!name[p])
        return refuse(s, &in->place,
                      "the size of an image is available only in a kernel that reads the image; "
                      "pass the size as an argument");
    if (!size[p][height] && add_size(s, name[p], height, &in->place, &size[p][height]))
        return -1;
    in->op = "ld.param.u32";
    in->o[1] = (struct ptx_operand){.kind = PTX_MEM, .reg = -1, .name = size[p][height]};
    return 0;
}

static void drop_param(struct images *s, int p)
{
    s->k->param[p].is_image = true;
    s->k->param[p].size = 0;
    for (int i = 0; i < s->k->ninsns; i++)
        if (is_param(&s->k->insn[i], "ld.param.", s->k->param[p].name))
            leave_out(&s->k->insn[i]);
}

int cc_images(struct cc_arena *arena, struct ptx_module *m, struct ptx_kernel *k,
              const struct cc_source *source, const char *llvm, uint32_t *unit, struct fl_err *err)
{
    struct images s = {arena,
                       m,
                       k,
                       source,
                       llvm,
                       err,
                       cc_alloc(arena, (size_t)(k->nparams + 1) * sizeof *s.image)};
    bool some = false;
    const int nparams = k->nparams;
    take_samplers(&s);
    for (int i = 0; i < k->ninsns; i++)
        if (strncmp(k->insn[i].op, "image.", 6) == 0) {
            some = true;
            if (!is_size(&k->insn[i]) && note_read(&s, &k->insn[i]))
                return -1;
        }
    if (!some)
        return 0;
    const char **name = cc_alloc(arena, (size_t)(nparams + 1) * sizeof *name),
               *(*size)[2] = cc_alloc(arena, (size_t)(nparams + 1) * sizeof *size);
    for (int p = 0; p < nparams; p++)
        if (s.image[p].read)
            name[p] = reference(&s, p, type_of(&s, &s.image[p]), unit);
    for (int i = 0; i < k->ninsns; i++) {
        struct ptx_insn *in = &k->insn[i];
        uint64_t bits;
        if (strncmp(in->op, "image.", 6) != 0)
            continue;
        if (is_size(in)) {
            if (ask_size(&s, in, name, size))
                return -1;
            continue;
        }
        in->op = "tex.2d.v4.u32.f32";
        in->o[1].name = name[origin(&s, in->o[1].reg, &bits)];
        in->o[1].reg = -1;
        in->n = 2;
    }
    for (int p = 0; p < nparams; p++)
        if (s.image[p].read) {
            drop_param(&s, p);
            if (s.image[p].sampler < 0) {
                k->param[p].sampler = (int)-s.image[p].sampler;
                drop_param(&s, k->param[p].sampler - 1);
            }
        }
    return 0;
}

int cc_texture_objects(struct cc_arena *arena, struct ptx_module *m, struct ptx_kernel *k,
                       const struct cc_source *source, const char *llvm, uint32_t *unit,
                       struct fl_err *err)
{
    struct images s = {arena, m, k, source, llvm, err, NULL};
    const char **name = cc_alloc(arena, (size_t)(k->nparams + 1) * sizeof *name);
    for (int i = 0; i < k->ninsns; i++) {
        struct ptx_insn *in = &k->insn[i];
        uint64_t bits;
        if (strncmp(in->op, "tex.", 4) != 0 || in->n != 2 || in->o[1].reg < 0)
            continue;
        int p = origin(&s, in->o[1].reg, &bits);
        if (p < 0)
            continue; /* of a reference, or refused (lower_texture.c) */
        if (!name[p])
            name[p] = reference(&s, p, NULL, unit);
        in->o[1].name = name[p];
        in->o[1].reg = -1;
    }
    return 0;
}
