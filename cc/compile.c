/* compile.c -- all kernels of a file: layout of their memories, the passes in their order, what the assembler needs around
 * the code. */
#include "smcc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cc/code/ir.h"
#include "cc/images.h"
#include "cc/clang/names.h"
#include "cc/ptx/source.h"

enum { MOST_PARAMS = 64 }; /* words that sasm takes of a kernel's parameters */
enum { MOST_TEXTURES = 32 };

struct unit {
    struct cc_arena arena, scratch;
    struct ptx_module m;
    struct cc_source source;
    const char *llvm;
    const struct smcc_options *options;
    struct fl_buf *out, *launches, *warnings;
    struct fl_err *err;
    struct smcc_place place; /* where its variables begin */
    uint32_t units;          /* of textures that are taken */
    int fewer; /* registers of the version that is being made; 0: as the options say */
};

static uint32_t align(uint32_t x, uint32_t to)
{
    return (x + to - 1) / to * to;
}

/* The first instruction that names it; NULL. */
static const struct ptx_insn *use_of(const struct ptx_kernel *k, const char *name)
{
    for (int i = 0; i < k->ninsns; i++)
        for (int o = 0; o < k->insn[i].n; o++)
            if (k->insn[i].o[o].name && strcmp(k->insn[i].o[o].name, name) == 0)
                return &k->insn[i];
    return NULL;
}

static bool uses(const struct ptx_kernel *k, const char *name)
{
    return use_of(k, name) != NULL;
}

/* Whether an earlier file of the program has defined the name; `kind` tells kernels from variables. */
static bool is_defined(const struct unit *u, char kind, const char *name, uint32_t *address)
{
    const struct fl_buf *names = u->options->place ? &u->options->place->names : NULL;
    char *line = fl_format("\n%c %s ", kind, name);
    const char *at = names && names->size ? memmem(names->data, names->size, line, strlen(line))
                                          : NULL;
    if (at)
        *address = (uint32_t)strtoul(at + strlen(line), NULL, 10);
    free(line);
    return at != NULL;
}

static void define(struct unit *u, char kind, const char *name, uint32_t address)
{
    if (u->options->place)
        fl_buf_printf(&u->options->place->names, "\n%c %s %u\n", kind, name, address);
}

/* Static, or of a namespace without a name: clang lets the host see them all the same. */
static bool is_own(const char *name, bool linked)
{
    return !linked || strncmp(name, "_ZL", 3) == 0 || strncmp(name, "_ZZL", 4) == 0 ||
           strstr(name, "_GLOBAL__N_1");
}

/* The name in the cubin: one that is a file's own has the file's number there, from the second file on. */
static const char *joint_name(struct unit *u, const char *name, bool linked)
{
    char *joint = is_own(name, linked) && u->place.file
                      ? cc_format(&u->arena, "%s_%d", name, u->place.file + 1)
                      : cc_text(&u->arena, name, strlen(name));
    for (char *c = joint; (c = strchr(c, '$')) != NULL;) /* clang's, in names of strings */
        *c = '_';
    return joint;
}

/* Of another file; what smcc's own headers declare, the machine's host fills. */
static bool is_declared(const struct ptx_var *v)
{
    return v->declared && strncmp(v->name, "smcc_", 5) != 0;
}

/* Constant variables lie in c0[], which all kernels share; those in global memory have their addresses in c14[]. */
static int layout_module(struct unit *u)
{
    uint32_t at = u->place.constants, addresses = u->place.addresses;
    for (int i = 0; i < u->m.nvars; i++) {
        struct ptx_var *v = &u->m.var[i];
        struct cc_fn f = {.module = &u->m, .source = &u->source, .err = u->err};
        if (v->fix) /* a kernel that uses it is refused (check_initial) */
            continue;
        if (!is_own(v->name, v->linked) && is_defined(u, 'v', v->name, &v->address)) {
            v->known = true;
            continue;
        }
        if (is_declared(v)) { /* so is one that uses it */
            if (u->options->place)
                u->options->place->missing = true;
            continue;
        }
        if (v->space == PTX_CONST) {
            v->address = align(at, v->align);
            at = v->address + v->size;
            if (at > 65536)
                return cc_fail(
                    &f, &v->place,
                    "the constant variables take more than 65,536 bytes; pass '%s' as a buffer",
                    cc_plain_name(&u->arena, v->name));
        } else if (v->space == PTX_GLOBAL) {
            if (v->size > (v->init ? 1u << 16 : 1u << 30))
                return cc_fail(&f, &v->place, "'%s' is too large, %u bytes: pass a buffer instead",
                               cc_plain_name(&u->arena, v->name), v->size);
            v->address = addresses; /* in c14[] */
            addresses += 4;
        }
        if (!is_own(v->name, v->linked) && v->space != PTX_SHARED)
            define(u, 'v', v->name, v->address);
    }
    uint32_t textures = u->place.textures;
    for (int i = 0; i < u->m.ntextures; i++)
        u->m.texture[i].address = textures++;
    struct cc_fn f = {.module = &u->m, .source = &u->source, .err = u->err};
    if (textures > MOST_TEXTURES)
        return cc_fail(
            &f, &u->m.texture[u->m.ntextures - 1].place,
            "%u texture references, and the machine has %d texture units; use fewer textures",
            textures, MOST_TEXTURES);
    u->units = textures;
    if (u->options->place) {
        u->options->place->constants = at;
        u->options->place->addresses = addresses;
        u->options->place->textures = textures;
    }
    return 0;
}

/* Addresses are not known before the launch, so no variable can hold one at first. */
static int check_initial(struct unit *u, const struct ptx_kernel *k, struct cc_fn *f)
{
    for (int i = 0; i < u->m.nvars; i++) {
        const struct ptx_var *v = &u->m.var[i];
        const bool missing = is_declared(v) && !v->known;
        const struct ptx_insn *use = v->fix || missing ? use_of(k, v->name) : NULL;
        if (use && missing)
            return cc_fail(
                f, &use->place,
                "'%s' is declared and not defined; define it in this source, or in a file "
                "of the program that needs none of this one's variables",
                cc_plain_name(&u->arena, v->name));
        if (use && strncmp(v->name, "_ZTV", 4) == 0)
            return cc_fail(f, &use->place,
                           "virtual functions are not supported, since all functions are inlined; "
                           "call a function of the class by its name, or use a template");
        if (use)
            return cc_fail(f, &use->place,
                           "the initial value of '%s' is an address, which is not known before the "
                           "launch; assign it in the kernel",
                           cc_plain_name(&u->arena, v->name));
    }
    return 0;
}

static int layout_kernel(struct unit *u, struct ptx_kernel *k, struct cc_fn *f)
{
    const int shared = u->options->machine_shared;
    uint32_t at = 0x10, most = shared ? (uint32_t)shared : 16384;
    for (int i = 0; i < k->nparams; i++) {
        struct ptx_var *v = &k->param[i];
        at = align(at, v->align > 4 ? v->align : 4);
        v->address = at;
        at += align(v->size, 4);
    }
    f->params_end = at;
    if (at > 0x10 + 4 * MOST_PARAMS)
        return cc_fail(f, &k->place,
                       "the parameters of kernel '%s' take %u words, and %d are the most; pass "
                       "some of them in a buffer",
                       cc_plain_name(&u->arena, k->name), (at - 0x10) / 4, MOST_PARAMS);
    for (int external = 0; external < 2; external++) /* those that the launch sizes come last */
        for (int i = 0; i < k->nvars + u->m.nvars; i++) {
            struct ptx_var *v = i < k->nvars ? &k->var[i] : &u->m.var[i - k->nvars];
            if (v->space != PTX_SHARED || v->external != (external == 1) ||
                (i >= k->nvars && !uses(k, v->name)))
                continue;
            at = align(at, v->align);
            v->address = at;
            at += v->external ? 0 : v->size;
            if (at > most)
                return cc_fail(f, &v->place,
                               "kernel '%s' needs more than the %u bytes of shared memory that a "
                               "block of the profile can have, with '%s'; make it smaller, pass a "
                               "buffer, or choose another --profile",
                               cc_plain_name(&u->arena, k->name), most,
                               cc_plain_name(&u->arena, v->name));
        }
    f->shared_bytes = at;
    if (at > most)
        return cc_fail(f, &k->place,
                       "the parameters of kernel '%s' do not fit into shared memory; pass some of "
                       "them in a buffer",
                       cc_plain_name(&u->arena, k->name));
    at = 0;
    for (int i = 0; i < k->nvars; i++)
        if (k->var[i].space == PTX_LOCAL) {
            k->var[i].address = align(at, k->var[i].align);
            at = k->var[i].address + k->var[i].size;
        }
    f->local_bytes = at;
    return at > 65536 ? cc_fail(f, &k->place,
                                "kernel '%s' needs %u bytes of local memory for each thread, and "
                                "65,536 are the most; make its arrays smaller, or pass a buffer",
                                cc_plain_name(&u->arena, k->name), at)
                      : 0;
}

/* Registers of a thread: what the option says, at most as many as let the blocks be resident that the kernel speaks of, or
 * one of the size that the options say. */
static int most_registers(struct unit *u, const struct ptx_kernel *k, struct cc_fn *f)
{
    const struct smcc_options *o = u->options;
    const uint32_t *block = k->block[0] ? k->block : o->block;
    int64_t threads = (int64_t)block[0] * block[1] * block[2];
    int most = u->fewer ? u->fewer : o->max_regs ? o->max_regs : 124;
    if (threads > o->machine_threads && k->block_exact)
        return cc_fail(f, &k->place,
                       "blocks of %lld threads, and the profile allows at most %d; make the block "
                       "smaller, or choose another --profile",
                       (long long)threads, o->machine_threads);
    if (threads > o->machine_threads)
        threads = o->machine_threads;
    if (threads) {
        int64_t lanes = (threads + 31) / 32 * 32 * (k->blocks ? k->blocks : 1),
                each = o->machine_regs / lanes;
        if (each < 4)
            return cc_fail(f, &k->place,
                           "%lld resident threads have %d registers each, and a kernel needs at "
                           "least 4; make the block smaller",
                           (long long)lanes, (int)each);
        most = each < most ? (int)each : most;
    }
    return most;
}

static int run_passes(struct unit *u, struct ptx_kernel *k, struct cc_fn *f, bool wide)
{
    *f = (struct cc_fn){.arena = &u->arena,
                        .scratch = &u->scratch,
                        .module = &u->m,
                        .ptx = k,
                        .source = &u->source,
                        .err = u->err,
                        .fmad = u->options->clang.fmad,
                        .no_double = u->options->no_double,
                        .capability = u->options->clang.capability,
                        .nvcc_loops = u->options->nvcc_loops,
                        .wide = wide};
    if (check_initial(u, k, f) || layout_kernel(u, k, f) || cc_lower(f))
        return -1;
    cc_simplify(f);
    cc_drop_ways(f);
    if (!u->options->no_predicates)
        cc_predicate(f);
    cc_split_tails(f);
    cc_simplify(f);
    cc_arena_free(f->scratch);
    if (cc_addresses(f))
        return -1;
    cc_arena_free(f->scratch);
    cc_operands(f);
    cc_arena_free(f->scratch);
    if (u->options->debug)
        cc_dump(f, stderr);
    int most = most_registers(u, k, f),
        bad = most < 0 ? -1 : cc_registers(f, most - f->texture_regs - f->pairs);
    if (bad)
        return bad;
    cc_tidy_flow(f);
    cc_find_divergence(f);
    cc_drop_copies(f);
    return 0;
}

/* A parameter of several words has a line for each; with pointers of 64 bits, which a host passes, a line all the same. */
static void show_params(struct unit *u, const struct ptx_kernel *k)
{
    uint32_t at = 0x10;
    for (int i = 0; i < k->nparams; i++) {
        const struct ptx_var *v = &k->param[i];
        char known[64];
        const char *name = v->name, *type = v->is_float ? "f32" : "u32", *element = NULL;
        if (cc_param_name(u->llvm, k->name, i, known, sizeof known, &type))
            name = known;
        if (strcmp(type, "ptr") == 0)
            element = cc_param_element(u->llvm, k->name, i);
        const char *comma = element ? ", " : "", *points = element ? element : "";
        if (u->m.m64) {
            fl_buf_printf(u->out, ".param %s %s%s%s, %u, %u\n", type, name, comma, points, v->size,
                          v->align > 4 ? v->align : 4);
            continue;
        }
        for (; at < v->address; at += 4)
            fl_buf_printf(u->out, ".param u32 pad_0x%x\n", at);
        for (uint32_t w = 0; w < v->size; w += 4, at += 4) {
            fl_buf_printf(u->out, ".param %s %s", type, name);
            if (v->size > 4)
                fl_buf_printf(u->out, "_%u", w / 4);
            fl_buf_printf(u->out, "%s%s\n", comma, points);
        }
    }
}

/* The kernel's arguments as a host of OpenCL sets them, where clang has said so. */
static void show_arguments(struct unit *u, const struct ptx_kernel *k)
{
    const char *kind;
    for (int i = 0; i < k->nparams && (kind = cc_param_kind(u->llvm, k->name, i)); i++) {
        const struct ptx_var *v = &k->param[i];
        char known[64];
        const char *ignored, *name = v->name;
        if (cc_param_name(u->llvm, k->name, i, known, sizeof known, &ignored))
            name = known;
        fl_buf_printf(u->out, ".argument %s %s, %u, %u", kind, name,
                      v->size ? v->address - 0x10 : 0, v->size);
        if (v->unit)
            fl_buf_printf(u->out, ", %d", v->unit - 1);
        if (v->sampler)
            fl_buf_printf(u->out, ", %d", v->sampler - 1);
        fl_buf_printf(u->out, "\n");
    }
}

/* Texture objects of a kernel of CUDA C, which the host binds to their units. */
static void show_objects(struct unit *u, const struct ptx_kernel *k)
{
    for (int i = 0; i < k->nparams; i++) {
        const struct ptx_var *v = &k->param[i];
        char known[64];
        const char *ignored, *name = v->name;
        if (!v->unit || !v->size)
            continue;
        if (cc_param_name(u->llvm, k->name, i, known, sizeof known, &ignored))
            name = known;
        fl_buf_printf(u->out, ".argument image %s, %u, %u, %d\n", name, v->address - 0x10, v->size,
                      v->unit - 1);
    }
}

/* ", type, values" of a variable, and the end of the line. */
static void show_values(struct unit *u, const struct ptx_var *v, bool words)
{
    fl_buf_printf(u->out, ", %s", words ? "u32" : "u8");
    for (uint32_t b = 0; b < v->size; b += words ? 4 : 1) {
        uint32_t x = 0;
        for (uint32_t k = 0; v->init && k < (words ? 4u : 1u); k++)
            x |= (uint32_t)v->init[b + k] << 8 * k;
        fl_buf_printf(u->out, ", 0x%x", x);
    }
    fl_buf_printf(u->out, "\n");
}

static void show_variables(struct unit *u)
{
    for (int i = 0; i < u->m.nvars; i++) {
        const struct ptx_var *v = &u->m.var[i];
        if (v->space != PTX_GLOBAL || is_declared(v) || v->known || v->fix)
            continue;
        fl_buf_printf(u->out, ".device %s", joint_name(u, v->name, v->linked));
        if (v->init)
            show_values(u, v, v->size % 4 == 0);
        else
            fl_buf_printf(u->out, ", %u\n", v->size);
    }
}

static void show_textures(struct unit *u, int from)
{
    for (int i = from; i < u->m.ntextures; i++) {
        const struct ptx_var *t = &u->m.texture[i];
        fl_buf_printf(u->out, ".texture %s, %s, %u\n", joint_name(u, t->name, true),
                      t->type ? t->type : "any", t->address);
    }
}

/* Constant variables, where all kernels find them. */
static void show_constants(struct unit *u)
{
    uint32_t at = u->place.constants;
    for (int i = 0; i < u->m.nvars; i++) {
        const struct ptx_var *v = &u->m.var[i];
        if (v->space != PTX_CONST || is_declared(v) || !v->size || v->known || v->fix)
            continue;
        if (v->address > at) {
            fl_buf_printf(u->out, ".constant pad_0x%x, u8", at);
            for (; at < v->address; at++)
                fl_buf_printf(u->out, ", 0");
            fl_buf_printf(u->out, "\n");
        }
        fl_buf_printf(u->out, ".constant %s", joint_name(u, v->name, v->linked));
        show_values(u, v, v->address % 4 == 0 && v->size % 4 == 0);
        at = v->address + v->size;
    }
}

/* The name of a kernel: that of the source where C++ has added the types of the parameters and no other kernel has it. */
static const char *plain_name(struct unit *u, const char *name)
{
    char *end;
    long n = strncmp(name, "_Z", 2) == 0 ? strtol(name + 2, &end, 10) : 0;
    if (n <= 0 || (size_t)n > strlen(end))
        return joint_name(u, name, true);
    for (int i = 0; i < u->m.nkernels; i++) {
        const char *other = u->m.kernel[i].name;
        size_t same = (size_t)(end - name) + (size_t)n;
        if (other != name && (strncmp(other, name, same) == 0 ||
                              (strlen(other) == (size_t)n && strncmp(other, end, (size_t)n) == 0)))
            return name;
    }
    uint32_t none;
    char *plain = cc_text(&u->arena, end, (size_t)n);
    return is_defined(u, 'k', plain, &none) ? name : plain;
}

/* What a first job says of the kernel. */
static void note_launch(struct unit *u, const struct ptx_kernel *k)
{
    struct smcc_launch l = {.dynamic = false};
    struct ptx_uses seen = ptx_find_uses(&u->arena, k);
    memcpy(l.block, k->block_exact ? k->block : u->options->block, sizeof l.block);
    for (int i = 0; i < k->nparams; i++) {
        uint64_t bit = UINT64_C(1) << ((k->param[i].address - 0x10) / 4 & 63);
        l.read |= seen.read >> i & 1 ? bit : 0;
        l.written |= seen.written >> i & 1 ? bit : 0;
        l.local |= cc_param_is_local(u->llvm, k->name, i) ? bit : 0;
    }
    for (int i = 0; i < u->m.nvars; i++)
        l.dynamic |= u->m.var[i].space == PTX_SHARED && u->m.var[i].external &&
                     uses(k, u->m.var[i].name);
    fl_buf_add(u->launches, &l, sizeof l);
}

/* "k.cu:3:5: error: ..." as a warning of a kernel, which `what` goes before. */
static void warn(struct unit *u, const struct ptx_kernel *k, const char *what, const char *msg)
{
    static const char mark[] = ": error: ";
    const char *at = strstr(msg, mark);
    fl_buf_printf(u->warnings, "%.*s: warning: kernel '%s'%s: %s\n", at ? (int)(at - msg) : 0, msg,
                  cc_plain_name(&u->arena, k->name), what, at ? at + sizeof mark - 1 : msg);
}

/* What a kernel does otherwise than its source says. */
static void warn_of(struct unit *u, struct cc_fn *f, const struct cc_place *at, const char *text)
{
    struct fl_err err;
    if (!at->ptx_line)
        return;
    cc_source_fail(f->source, f->module, at, &err, text);
    warn(u, f->ptx, "", err.msg);
}

/* Units of the kernel's images, behind those that are taken. */
static int take_images(struct unit *u, struct ptx_kernel *k)
{
    struct cc_fn f = {.module = &u->m, .source = &u->source, .err = u->err};
    if (cc_images(&u->arena, &u->m, k, &u->source, u->llvm, &u->units, u->err) ||
        cc_texture_objects(&u->arena, &u->m, k, &u->source, u->llvm, &u->units, u->err))
        return -1;
    return u->units > MOST_TEXTURES
               ? cc_fail(
                     &f, &k->place,
                     "the images need %u texture units, and the machine has %d; read fewer images",
                     u->units, MOST_TEXTURES)
               : 0;
}

static int translate(struct unit *u, struct ptx_kernel *k, struct cc_fn *f)
{
    int r = run_passes(u, k, f, false);
    return r > 0 ? run_passes(u, k, f, true) : r;
}

static int show_kernel(struct unit *u, const struct ptx_kernel *k, struct cc_fn *f,
                       const char *name, const char *mangled)
{
    const bool same = strcmp(name, mangled) == 0;
    fl_buf_printf(u->out, "\n.kernel %s%s%s\n", name, same ? "" : ", ", same ? "" : mangled);
    show_params(u, k);
    if (u->options->arguments) {
        show_arguments(u, k);
        if (k->block_exact)
            fl_buf_printf(u->out, ".block %u, %u, %u\n", k->block[0], k->block[1], k->block[2]);
    } else
        show_objects(u, k);
    if (f->shared_bytes > f->params_end)
        fl_buf_printf(u->out, ".shared variables, 0x%x\n", f->shared_bytes - f->params_end);
    if (f->local_bytes)
        fl_buf_printf(u->out, ".local %u\n", align(f->local_bytes, 4));
    fl_buf_printf(u->out, ".regs %d\n", f->regs + f->texture_regs);
    for (int i = 0; i < f->nliterals; i++) {
        if (i % 8 == 0)
            fl_buf_printf(u->out, "%s.const literals_%d, u32", i ? "\n" : "", i);
        fl_buf_printf(u->out, ", 0x%x", f->literal[i]);
    }
    if (f->nliterals)
        fl_buf_printf(u->out, "\n");
    return cc_print_kernel(f, u->out);
}

/* For a host that may launch blocks of any size: where the largest block of the profile does not have the kernel's registers, a second
 * version that has no more than it has. Without an error there is none where they do not suffice. */
static void add_fewer(struct unit *u, struct ptx_kernel *k, const struct cc_fn *first,
                      const char *name)
{
    const struct smcc_options *o = u->options;
    const size_t before = u->out->size;
    struct cc_fn f;
    char *fewer = cc_format(&u->arena, "%s" CUBIN_FEWER_REGISTERS, name);
    if ((!o->place && !o->arguments) || k->block[0] || o->block[0] || !o->machine_threads ||
        (first->regs + first->texture_regs) * o->machine_threads <= o->machine_regs)
        return;
    u->fewer = o->machine_regs / o->machine_threads;
    if (translate(u, k, &f) || show_kernel(u, k, &f, fewer, fewer)) {
        u->out->size = before;
        u->err->msg[0] = 0;
    } else
        note_launch(u, k);
    u->fewer = 0;
}

static int compile_kernel(struct unit *u, struct ptx_kernel *k)
{
    struct cc_fn f;
    int textures = u->m.ntextures;
    ptx_settle_doubles(&u->arena, k);
    if (take_images(u, k) || translate(u, k, &f))
        return -1;
    note_launch(u, k);
    warn_of(u, &f, &f.demoted, "double is demoted to float");
    warn_of(u, &f, &f.assumed,
            "which memory the pointer means is not known: global memory is assumed");
    const char *plain = plain_name(u, k->name), *joint = joint_name(u, k->name, true);
    define(u, 'k', plain, 0);
    define(u, 'k', k->name, 0);
    show_textures(u, textures);
    if (show_kernel(u, k, &f, plain, strcmp(plain, joint) == 0 ? plain : k->name))
        return -1;
    add_fewer(u, k, &f, plain);
    return 0;
}

int smcc_translate(const char *name, bool is_ptx, const char *ptx, const char *llvm,
                   const struct smcc_options *options, struct fl_buf *sasm, struct fl_buf *launches,
                   struct fl_buf *warnings, struct fl_err *err)
{
    struct unit u = {.source = {name, is_ptx, ptx},
                     .llvm = llvm,
                     .options = options,
                     .out = sasm,
                     .launches = launches,
                     .warnings = warnings,
                     .err = err};
    int bad = ptx_parse(&u.arena, &u.source, &u.m, err);
    if (!bad && !u.m.nkernels && !options->place)
        bad = fl_fail(
            err, "%s: no kernel in it: mark one with __kernel (OpenCL C) or __global__ (CUDA C)",
            name);
    if (options->place)
        u.place = *options->place;
    if (!bad)
        bad = layout_module(&u);
    if (!bad) {
        if (u.m.m64)
            fl_buf_printf(sasm, ".addresses 64\n");
        show_constants(&u);
        show_variables(&u);
        show_textures(&u, 0);
    }
    int made = 0;
    for (int i = 0; i < u.m.nkernels && !bad; i++) {
        size_t before = sasm->size;
        int textures = u.m.ntextures;
        uint32_t units = u.units, none;
        if (!is_own(u.m.kernel[i].name, true) &&
            is_defined(&u, 'k', u.m.kernel[i].name, &none)) { /* a template's, the same there */
            made++;
            continue;
        }
        if (compile_kernel(&u, &u.m.kernel[i]) == 0) {
            made++;
            continue;
        }
        sasm->size = before;
        u.m.ntextures = textures;
        u.units = units;
        bad = options->strict || (i == u.m.nkernels - 1 && !made);
        if (!bad) {
            warn(&u, &u.m.kernel[i], " is left out", err->msg);
            err->msg[0] = 0;
        }
        cc_arena_free(&u.scratch);
    }
    cc_arena_free(&u.scratch);
    cc_arena_free(&u.arena);
    return bad ? -1 : 0;
}
