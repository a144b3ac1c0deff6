/* directives.c -- the assembler proper: names, directives, addresses, and kernels put together into a
 * cubin.
 *
 * Two passes over the plain lines. The first gives every label its address: an instruction's size
 * does not depend on values, so names that are not known yet count as 0. The second encodes again
 * with all names known. A name belongs to the kernel it is defined in, or to the whole program when
 * it comes before the first .kernel.
 *
 * A mistake does not end a pass where what follows can still be judged: an instruction that is
 * wrong keeps its room, so that labels stay put. Where names may be missing there is no second
 * pass: it would complain of each.
 */
#include "internal.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NO_SCOPE = -1,
    MAX_REGS = 128,
    ZERO_REG = 124,
    MAX_SHARED = 65536,
    MAX_DEVICE = 1 << 30,
    MAX_CONST = 65536,
    PARAM_BASE = 0x10,
    MOST_PARAMS = 256, /* bytes, as CUDA has it for this GPU, and a launch */
    ALIAS_BUCKETS = 1024,
    MAX_REPEATED = 1000 /* the same mistake, in a long repetition: enough is known */
};

struct name {
    char *text;
    int scope; /* kernel, or NO_SCOPE */
    uint32_t value;
    const char *expr; /* .equ: evaluated when used; inside its line's text */
    int line;         /* where it was defined, -1: given beforehand */
    bool busy;        /* being evaluated */
    bool forced;      /* given beforehand: .equ does not change it */
};

struct alias { /* .reg; the last one before the place of use counts */
    char *text;
    int scope;
    char reg[16];
    int before; /* index + 1 of the alias before it in its bucket */
};

struct section {
    uint32_t base, size;
    int line; /* of the .org, -1 */
};

struct item { /* an instruction; without text padding, or words as they are */
    int kernel, section, line, nalias;
    uint32_t addr;
    const char *text;
    int size;
    bool ready; /* the text holds no names but registers: these words are final */
    bool bad;   /* does not encode: takes its room, nothing else */
    struct isa_words words;
};

struct kernel {
    struct cubin_kernel k;
    struct section *section;
    int nsections;
    int line;
    bool has_shared;
    uint32_t shared_end;
    int last_short; /* item that waits for its partner, -1 */
    bool unsure;    /* holds an instruction that is wrong: it may have been meant as a partner */
};

struct sasm {
    struct sasm_lines *lines;
    struct name *name;
    int nnames;
    int *hash; /* index + 1 */
    int nhash;
    struct alias *alias;
    int naliases;
    int bucket[ALIAS_BUCKETS]; /* index + 1 of the last alias of this hash */
    struct kernel *kernel;
    int nkernels;
    struct item *item;
    int nitems, item_room;
    bool wide;
    struct fl_buf const0;
    struct cubin files; /* constants, variables and sources, on their way into the program */
    /* while evaluating */
    int scope, visible; /* kernel; aliases defined so far */
    bool final;         /* second pass: an unknown name is an error */
    bool now;           /* the value is needed at once, also in the first pass */
    int depth, steps;   /* of names that stand for names, in one evaluation */
    bool named;         /* a name has been looked up since this was cleared */
    bool missed;        /* the same, and a name needed at once was not there */
    struct sasm_errors *errors;
    int error_line[SASM_MAX_ERRORS]; /* what they are in order of */
    int repeated;                    /* mistakes that are among them already */
    bool gaps;                       /* a name may be missing for a mistake that is known already */
};

/* ---- mistakes ---- */

static void note(struct sasm *a, int line, const struct fl_err *err)
{
    struct sasm_errors *e = a->errors;
    size_t n = strcspn(err->msg, "\n"); /* place and message; the line shown may differ */
    for (int i = 0; i < e->count; i++)
        if (strcspn(e->text[i], "\n") == n && memcmp(e->text[i], err->msg, n) == 0) {
            e->more |= ++a->repeated > MAX_REPEATED;
            return;
        }
    if (e->count == SASM_MAX_ERRORS) {
        e->more = true;
        return;
    }
    int at = e->count++;
    for (; at && a->error_line[at - 1] > line; at--) {
        e->text[at] = e->text[at - 1];
        a->error_line[at] = a->error_line[at - 1];
    }
    e->text[at] = fl_strdup(err->msg);
    a->error_line[at] = line;
}

void sasm_errors_free(struct sasm_errors *errors)
{
    for (int i = 0; i < errors->count; i++)
        free(errors->text[i]);
    *errors = (struct sasm_errors){0};
}

/* ---- names ---- */

static uint32_t hash_of(const char *s, size_t n, int scope)
{
    uint32_t h = 2166136261u ^ (uint32_t)scope * 2654435761u;
    for (size_t i = 0; i < n; i++)
        h = (h ^ (uint8_t)s[i]) * 16777619u;
    return h ^ h >> 15;
}

static int *slot(const struct sasm *a, const char *s, size_t n, int scope)
{
    uint32_t h = hash_of(s, n, scope);
    for (;; h++) {
        int *p = &a->hash[h & (uint32_t)(a->nhash - 1)];
        if (!*p)
            return p;
        const struct name *m = &a->name[*p - 1];
        if (m->scope == scope && strncmp(m->text, s, n) == 0 && m->text[n] == 0)
            return p;
    }
}

static struct name *find_name(const struct sasm *a, const char *s, size_t n)
{
    int i = a->scope != NO_SCOPE ? *slot(a, s, n, a->scope) : 0;
    if (!i)
        i = *slot(a, s, n, NO_SCOPE);
    return i ? &a->name[i - 1] : NULL;
}

static void grow_hash(struct sasm *a)
{
    free(a->hash);
    a->nhash *= 2;
    a->hash = fl_alloc((size_t)a->nhash * sizeof *a->hash);
    for (int i = 0; i < a->nnames; i++)
        *slot(a, a->name[i].text, strlen(a->name[i].text), a->name[i].scope) = i + 1;
}

/* Adds a name to the current scope; an error when it is there already. */
static int add_name(struct sasm *a, int line, const char *s, size_t n, uint32_t value,
                    const char *expr, struct fl_err *err)
{
    int *p = slot(a, s, n, a->scope);
    if (*p) {
        const struct name *old = &a->name[*p - 1];
        if (old->forced)
            return 0;
        const struct sasm_line *l = sasm_lines_get(a->lines, old->line);
        return sasm_lines_fail(a->lines, line, s, err, "'%.*s' is defined already, at %s:%d",
                               (int)n, s, sasm_lines_file(a->lines, l->file), l->number);
    }
    if ((a->nnames & (a->nnames - 1)) == 0)
        a->name = fl_grow(a->name, a->nnames ? (size_t)a->nnames * 2 : 1, sizeof *a->name);
    a->name[a->nnames++] = (struct name){
        fl_format("%.*s", (int)n, s), a->scope, value, expr, line, false, false};
    *p = a->nnames;
    if (a->nnames * 2 > a->nhash)
        grow_hash(a);
    return 0;
}

static int name_value(void *ctx, const char *s, size_t n, uint32_t *value, bool *known,
                      struct isa_text_err *err)
{
    struct sasm *a = ctx;
    struct name *m = find_name(a, s, n);
    a->named = true;
    if (!m) {
        *value = 0;
        *known = false;
        if (!a->final && !a->now)
            return 0;
        a->missed = true;
        snprintf(err->msg, sizeof err->msg, "unknown name '%.*s'%s", n > 80 ? 80 : (int)n, s,
                 a->now && !a->final ? "; it must be defined above this line" : "");
        return -1;
    }
    *value = m->value;
    if (!m->expr)
        return 0;
    if (m->busy || a->depth >= SASM_MAX_NESTING || ++a->steps > SASM_MAX_STEPS) {
        snprintf(err->msg, sizeof err->msg, "'%.*s' depends on %s", n > 80 ? 80 : (int)n, s,
                 m->busy ? "itself" : "too many other names");
        return -1;
    }
    int scope = a->scope;
    struct isa_text_err why = {0};
    const char *e = m->expr;
    m->busy = true;
    a->depth++;
    a->scope = m->scope == NO_SCOPE ? scope : m->scope;
    int bad = sasm_expr(&e, name_value, a, value, known, &why);
    a->scope = scope;
    a->depth--;
    m = find_name(a, s, n);
    m->busy = false;
    if (bad)
        snprintf(err->msg, sizeof err->msg, "in '%.*s': %.120s", n > 40 ? 40 : (int)n, s, why.msg);
    else if (*known && m->scope == scope) { /* does not change any more */
        m->value = *value;
        m->expr = NULL;
    }
    return bad;
}

static int value_now(void *ctx, const char **s, uint32_t *value, struct isa_text_err *err)
{
    struct sasm *a = ctx;
    bool known;
    a->now = true;
    a->steps = 0;
    int bad = sasm_expr(s, name_value, a, value, &known, err);
    a->now = false;
    return bad;
}

static int env_eval(void *ctx, const char **s, uint32_t *value, bool *known,
                    struct isa_text_err *err)
{
    ((struct sasm *)ctx)->steps = 0;
    return sasm_expr(s, name_value, ctx, value, known, err);
}

/* The last alias of that name and scope among the visible ones: index + 1, or 0. */
static int find_alias(const struct sasm *a, const char *s, size_t n, int scope)
{
    int i = a->bucket[hash_of(s, n, scope) % ALIAS_BUCKETS];
    for (; i; i = a->alias[i - 1].before) {
        const struct alias *r = &a->alias[i - 1];
        if (i <= a->visible && r->scope == scope && strncmp(r->text, s, n) == 0 && !r->text[n])
            return i;
    }
    return 0;
}

static const char *env_alias(void *ctx, const char *s, size_t n)
{
    const struct sasm *a = ctx;
    int own = find_alias(a, s, n, a->scope), global = find_alias(a, s, n, NO_SCOPE);
    int i = own > global ? own : global;
    return i ? a->alias[i - 1].reg : NULL;
}

/* ---- items ---- */

static struct kernel *current(struct sasm *a)
{
    return a->scope == NO_SCOPE ? NULL : &a->kernel[a->scope];
}

static struct section *section(struct kernel *k)
{
    return &k->section[k->nsections - 1];
}

/* What follows begins at a multiple of 8, as if .align 8 stood here. */
static void end_pair(struct sasm *a, struct kernel *k)
{
    struct section *s = section(k);
    if (!(s->size & 4))
        return;
    if (!k->unsure) {
        const struct item *i = &a->item[k->last_short];
        struct fl_err err;
        sasm_lines_fail(
            a->lines, i->line, i->text, &err,
            "short instructions come in pairs, this one is alone: put .align 8 behind it, or use "
            "the long form (without the 32)");
        note(a, i->line, &err);
    }
    s->size += 4;
    k->last_short = -1;
}

static int add_item(struct sasm *a, int line, const char *text, int size, struct fl_err *err)
{
    struct kernel *k = current(a);
    struct section *s = section(k);
    if (size == 8)
        end_pair(a, k);
    if (s->base + s->size + (uint32_t)size - 1 < s->base)
        return sasm_lines_fail(a->lines, line, text ? text : "", err,
                               "code runs past address 0xffffffff");
    FL_ROOM(a->item, a->nitems, a->item_room, 256);
    a->item[a->nitems] = (struct item){.kernel = a->scope,
                                       .section = k->nsections - 1,
                                       .line = line,
                                       .nalias = a->naliases,
                                       .addr = s->base + s->size,
                                       .text = text,
                                       .size = size};
    if (size == 4)
        k->last_short = s->size & 4 ? -1 : a->nitems;
    a->nitems++;
    s->size += (uint32_t)size;
    return 0;
}

static void add_section(struct sasm *a, int line, uint32_t base)
{
    struct kernel *k = current(a);
    if (k->nsections)
        end_pair(a, k);
    k->section = fl_grow(k->section, (size_t)k->nsections + 1, sizeof *k->section);
    k->section[k->nsections++] = (struct section){base, 0, line};
    k->last_short = -1;
}

/* ---- directives ---- */

struct words { /* a directive's line while it is read */
    struct sasm *a;
    int line;
    const char *s;
    struct fl_err *err;
};

#define FAIL(w, at, ...) sasm_lines_fail((w)->a->lines, (w)->line, at, (w)->err, __VA_ARGS__)

static int read_name(struct words *w, const char **name, size_t *n, const char *what)
{
    w->s = sasm_skip(w->s);
    *name = w->s;
    *n = sasm_name_len(w->s);
    if (!*n)
        return FAIL(w, w->s, "expected %s", what);
    w->s += *n;
    return 0;
}

static int read_comma(struct words *w)
{
    w->s = sasm_skip(w->s);
    if (*w->s != ',')
        return FAIL(w, w->s, "expected ','");
    w->s++;
    return 0;
}

static int read_value(struct words *w, uint32_t *v)
{
    struct isa_text_err why = {0};
    w->s = sasm_skip(w->s);
    if (value_now(w->a, &w->s, v, &why))
        return FAIL(w, why.at ? why.at : w->s, "%s", why.msg);
    return 0;
}

/* Whether a comma follows, which is taken. */
static bool more(struct words *w)
{
    w->s = sasm_skip(w->s);
    w->s += *w->s == ',';
    return w->s[-1] == ',';
}

static int read_end(struct words *w)
{
    w->s = sasm_skip(w->s);
    if (*w->s)
        return FAIL(w, w->s, "unexpected text");
    return 0;
}

static int need_kernel(struct words *w)
{
    if (current(w->a))
        return 0;
    return FAIL(w, w->s, "there is no kernel yet: begin one with .kernel NAME");
}

static int do_equ(struct words *w)
{
    const char *name;
    size_t n;
    if (read_name(w, &name, &n, "a name") || read_comma(w))
        return -1;
    /* a dry run finds mistakes of form here, not where the name is used */
    const char *expr = sasm_skip(w->s), *e = expr;
    uint32_t v;
    bool known;
    struct isa_text_err why = {0};
    w->a->steps = 0;
    if (sasm_expr(&e, name_value, w->a, &v, &known, &why))
        return FAIL(w, why.at ? why.at : e, "%s", why.msg);
    w->s = e;
    if (read_end(w))
        return -1;
    int i = *slot(w->a, name, n, NO_SCOPE);
    if (i && w->a->name[i - 1].forced)
        return 0; /* -D wins */
    return add_name(w->a, w->line, name, n, v, known ? NULL : expr, w->err);
}

static bool is_register(const char *s, size_t n)
{
    size_t digits = 0;
    while (1 + digits < n && isdigit((unsigned char)s[1 + digits]))
        digits++;
    int v = atoi(s + 1);
    if (n < 2 || digits == 0 || digits > 3)
        return false;
    bool half = *s == 'R' && 2 + digits == n && (s[n - 1] == 'L' || s[n - 1] == 'H');
    if (1 + digits != n && !half)
        return false;
    return (*s == 'R' && v < MAX_REGS) || (*s == 'A' && v <= 4) || (*s == 'C' && v <= 3);
}

static int do_reg(struct words *w)
{
    const char *name, *reg;
    size_t n, m;
    if (read_name(w, &name, &n, "a name") || read_comma(w) || read_name(w, &reg, &m, "a register"))
        return -1;
    if (is_register(name, n))
        return FAIL(w, name, "'%.*s' is the name of a register itself", (int)n, name);
    struct sasm *a = w->a;
    a->visible = a->naliases;
    const char *through = env_alias(a, reg, m); /* a name for a name */
    char copy[sizeof a->alias->reg];            /* the table may move when it grows */
    if (through) {
        m = strlen(through);
        reg = memcpy(copy, through, m + 1);
    } else if (!is_register(reg, m))
        return FAIL(w, reg, "unknown register '%.*s'", (int)m, reg);
    if (read_end(w))
        return -1;
    if ((a->naliases & (a->naliases - 1)) == 0)
        a->alias = fl_grow(a->alias, a->naliases ? (size_t)a->naliases * 2 : 1, sizeof *a->alias);
    int *bucket = &a->bucket[hash_of(name, n, a->scope) % ALIAS_BUCKETS];
    struct alias *r = &a->alias[a->naliases++];
    *r = (struct alias){
        .text = fl_format("%.*s", (int)n, name), .scope = a->scope, .before = *bucket};
    *bucket = a->naliases;
    snprintf(r->reg, sizeof r->reg, "%.*s", (int)m, reg);
    return 0;
}

static void finish_kernel(struct sasm *a)
{
    if (current(a))
        end_pair(a, current(a));
}

static int do_kernel(struct words *w)
{
    const char *name, *mangled = NULL;
    size_t n, m = 0;
    struct sasm *a = w->a;
    finish_kernel(a);
    if (read_name(w, &name, &n, "the kernel's name") ||
        (more(w) && read_name(w, &mangled, &m, "the name that the host has for it")) || read_end(w))
        return -1;
    for (int i = 0; i < a->nkernels; i++)
        if (strlen(a->kernel[i].k.name) == n && memcmp(a->kernel[i].k.name, name, n) == 0)
            return FAIL(w, name, "there is a kernel '%.*s' already", (int)n, name);
    if (a->nkernels == CUBIN_MAX_KERNELS)
        return FAIL(w, name, "more than %d kernels; split the program", CUBIN_MAX_KERNELS);
    a->kernel = fl_grow(a->kernel, (size_t)a->nkernels + 1, sizeof *a->kernel);
    a->kernel[a->nkernels] = (struct kernel){
        .k.sm = 10, .line = w->line, .shared_end = PARAM_BASE, .last_short = -1};
    a->kernel[a->nkernels].k.name = fl_format("%.*s", (int)n, name);
    if (mangled)
        a->kernel[a->nkernels].k.mangled = fl_format("%.*s", (int)m, mangled);
    a->scope = a->nkernels++;
    add_section(a, -1, 0);
    return 0;
}

static int do_regs(struct words *w)
{
    uint32_t v;
    if (need_kernel(w) || read_value(w, &v) || read_end(w))
        return -1;
    if (v < 1 || v > MAX_REGS)
        return FAIL(w, w->s, "a thread has 1 to %d registers", MAX_REGS);
    current(w->a)->k.regs = (int)v;
    return 0;
}

/* .block X, Y, Z: the only shape of the kernel's blocks */
static int do_block(struct words *w)
{
    uint32_t v[3];
    if (need_kernel(w) || read_value(w, &v[0]) || read_comma(w) || read_value(w, &v[1]) ||
        read_comma(w) || read_value(w, &v[2]) || read_end(w))
        return -1;
    for (int i = 0; i < 3; i++)
        if (v[i] < 1 || v[i] > 65535)
            return FAIL(w, w->s, "a block has 1 to 65535 threads each way");
    memcpy(current(w->a)->k.block, v, sizeof v);
    return 0;
}

static int do_local(struct words *w)
{
    uint32_t v;
    if (need_kernel(w) || read_value(w, &v) || read_end(w))
        return -1;
    if (v > MAX_SHARED)
        return FAIL(w, w->s, "a thread has at most %d bytes of local memory", MAX_SHARED);
    current(w->a)->k.local_bytes = v;
    return 0;
}

static bool same(const char *s, size_t n, const char *word)
{
    return strlen(word) == n && memcmp(s, word, n) == 0;
}

static bool power_of_two(uint32_t x)
{
    return x && !(x & (x - 1));
}

/* "f32," or the last word: what a pointer points to. False: something else follows. */
static bool take_element(struct words *w, char element[4])
{
    w->s = sasm_skip(w->s);
    size_t n = sasm_name_len(w->s);
    if (cubin_element(w->s, n) < 0)
        return false;
    memcpy(element, w->s, n); /* 3 letters at most */
    w->s += n;
    return true;
}

/* .param TYPE NAME[, ELEMENT][, BYTES[, ALIGNMENT]] */
static int do_param(struct words *w)
{
    const char *type, *name;
    size_t n, m;
    uint32_t bytes = 4, align = 4;
    char element[4] = "";
    if (need_kernel(w) || read_name(w, &type, &m, "a type"))
        return -1;
    if (!same(type, m, "u32") && !same(type, m, "s32") && !same(type, m, "f32") &&
        !same(type, m, "ptr"))
        return FAIL(w, type, "a parameter is u32, s32, f32 or ptr");
    if (read_name(w, &name, &n, "the parameter's name"))
        return -1;
    bool goes_on = more(w);
    if (goes_on && take_element(w, element)) {
        if (!same(type, m, "ptr"))
            return FAIL(w, type, "only a ptr points to elements");
        goes_on = more(w);
    }
    if ((goes_on && (read_value(w, &bytes) || (more(w) && read_value(w, &align)))) || read_end(w))
        return -1;
    struct kernel *k = current(w->a);
    if (k->has_shared)
        return FAIL(w, name, "parameters come before .shared variables: move this line up");
    if (!bytes || align < 4 || align > 4096 || !power_of_two(align))
        return FAIL(w, name,
                    "a parameter has 1 byte or more; its alignment is a power of two, 4 to 4096");
    uint32_t at = (k->shared_end + align - 1) & ~(align - 1);
    if (bytes > MOST_PARAMS || at + bytes > PARAM_BASE + MOST_PARAMS)
        return FAIL(w, name, "a kernel has at most 64 parameters, words of 4 bytes");
    k->k.param = fl_grow(k->k.param, (size_t)k->k.nparams + 1, sizeof *k->k.param);
    k->k.param[k->k.nparams] = (struct cubin_param){at - PARAM_BASE, bytes,
                                                    fl_format("%.*s", (int)n, name), "", ""};
    memcpy(k->k.param[k->k.nparams].type, type, m); /* 3 letters */
    memcpy(k->k.param[k->k.nparams].element, element, sizeof element);
    k->k.nparams++;
    k->shared_end = (at + bytes + 3) & ~3u;
    return add_name(w->a, w->line, name, n, at, NULL, w->err);
}

/* .argument KIND NAME, OFFSET, SIZE[, TEXTURE[, ARGUMENT]]: of a kernel of OpenCL C, as its host sets it */
static int do_argument(struct words *w)
{
    const char *kind, *name;
    size_t n, m;
    int k = 0;
    uint32_t at, bytes, unit = CUBIN_TEXTURES, sampler = CUBIN_MAX_ARGUMENTS;
    if (need_kernel(w) || read_name(w, &kind, &m, "a kind") ||
        read_name(w, &name, &n, "the argument's name") || read_comma(w) || read_value(w, &at) ||
        read_comma(w) || read_value(w, &bytes) ||
        (more(w) && (read_value(w, &unit) || (more(w) && read_value(w, &sampler)))) || read_end(w))
        return -1;
    while (cubin_argument_kinds[k] && !same(kind, m, cubin_argument_kinds[k]))
        k++;
    if (!cubin_argument_kinds[k])
        return FAIL(w, kind, "an argument is value, global, constant, local, image or sampler");
    struct cubin_kernel *of = &current(w->a)->k;
    uint32_t end = current(w->a)->shared_end - PARAM_BASE;
    if (of->narguments == CUBIN_MAX_ARGUMENTS || at > end || bytes > end - at)
        return FAIL(w, name, "an argument lies within the parameters, whose lines come before it");
    of->argument = fl_grow(of->argument, (size_t)of->narguments + 1, sizeof *of->argument);
    of->argument[of->narguments++] = (struct cubin_argument){
        (enum cubin_argument_kind)k,
        at,
        bytes,
        unit < CUBIN_TEXTURES ? (int)unit : -1,
        sampler < CUBIN_MAX_ARGUMENTS ? (int)sampler : -1,
        fl_format("%.*s", (int)n, name)};
    return 0;
}

static int do_shared(struct words *w)
{
    const char *name;
    size_t n;
    uint32_t bytes, align = 4;
    if (need_kernel(w) || read_name(w, &name, &n, "the variable's name") || read_comma(w) ||
        read_value(w, &bytes))
        return -1;
    if ((more(w) && read_value(w, &align)) || read_end(w))
        return -1;
    if (!power_of_two(align) || align > 4096)
        return FAIL(w, name, "an alignment is a power of two up to 4096");
    struct kernel *k = current(w->a);
    uint32_t at = (k->shared_end + align - 1) & ~(align - 1);
    if (bytes > MAX_SHARED || at + bytes > MAX_SHARED)
        return FAIL(w, name, "shared memory has at most %d bytes", MAX_SHARED);
    k->has_shared = true;
    k->shared_end = at + bytes;
    return add_name(w->a, w->line, name, n, at, NULL, w->err);
}

/* A decimal number in an f32 list is a float, with or without a point; 0x... and names are bits. */
static int read_datum(struct words *w, bool is_float, uint32_t *v)
{
    w->s = sasm_skip(w->s);
    const char *s = w->s;
    if (is_float) {
        const char *d = *s == '-' || *s == '+' ? s + 1 : s;
        size_t n = strspn(d, "0123456789");
        const char *e = sasm_skip(d + n);
        if (n && (*e == ',' || *e == 0)) {
            float f = strtof(s, NULL);
            memcpy(v, &f, 4);
            w->s = e;
            return 0;
        }
    }
    return read_value(w, v);
}

/* ", type, value, value, ..." behind what is in `data` already, aligned to the type; returns where it begins, -1. */
static int64_t read_data(struct words *w, const char *what, const char *bank, struct fl_buf *data)
{
    const char *type;
    size_t m;
    if (read_comma(w) || read_name(w, &type, &m, "a type"))
        return -1;
    bool is_float = same(type, m, "f32");
    uint32_t size = same(type, m, "u8")                ? 1
                    : same(type, m, "u16")             ? 2
                    : is_float || same(type, m, "u32") ? 4
                                                       : 0;
    if (!size)
        return FAIL(w, type, "constants are u32, f32, u16 or u8");
    static const uint8_t zero[4];
    fl_buf_add(data, zero, (size - data->size % size) % size);
    int64_t at = (int64_t)data->size;
    do {
        uint32_t v;
        if (read_comma(w) || read_datum(w, is_float, &v))
            return -1;
        uint8_t b[4] = {(uint8_t)v, (uint8_t)(v >> 8), (uint8_t)(v >> 16), (uint8_t)(v >> 24)};
        bool fits = size == 4 || (v >> 8 * size ? (int32_t)v >= -(1 << (8 * size - 1)) : true);
        if (size < 4 && (int32_t)v >= 1 << 8 * size)
            fits = false;
        if (!fits)
            return FAIL(w, w->s, "does not fit in %u bits", 8 * size);
        fl_buf_add(data, b, size);
        if (data->size > MAX_CONST)
            return FAIL(w, what, "%s has at most %d bytes", bank, MAX_CONST);
        w->s = sasm_skip(w->s);
    } while (*w->s);
    return at;
}

static int do_const(struct words *w)
{
    const char *name;
    size_t n;
    if (need_kernel(w) || read_name(w, &name, &n, "a name"))
        return -1;
    struct cubin_kernel *k = &current(w->a)->k;
    struct fl_buf data = {0};
    fl_buf_add(&data, k->const1, k->const1_size);
    int64_t at = read_data(w, name, "c1", &data);
    if (at < 0) {
        fl_buf_free(&data);
        return -1;
    }
    free(k->const1);
    k->const1 = data.data;
    k->const1_size = (uint32_t)data.size;
    return add_name(w->a, w->line, name, n, (uint32_t)at, NULL, w->err);
}

/* A name that all kernels know. */
static int add_shared_name(struct words *w, const char *name, size_t n, uint32_t value)
{
    struct sasm *a = w->a;
    int scope = a->scope;
    a->scope = NO_SCOPE;
    int bad = add_name(a, w->line, name, n, value, NULL, w->err);
    a->scope = scope;
    return bad;
}

/* A named part of c0[], which all kernels share. */
static int do_constant(struct words *w)
{
    const char *name;
    size_t n;
    struct sasm *a = w->a;
    if (read_name(w, &name, &n, "a name"))
        return -1;
    int64_t at = read_data(w, name, "c0", &a->const0);
    if (at < 0)
        return -1;
    struct cubin *c = &a->files;
    c->constant = fl_grow(c->constant, (size_t)c->nconstants + 1, sizeof *c->constant);
    c->constant[c->nconstants++] = (struct cubin_constant){
        fl_format("%.*s", (int)n, name), (uint32_t)at, (uint32_t)(a->const0.size - (size_t)at), 0};
    return add_shared_name(w, name, n, (uint32_t)at);
}

/* Memory in g14[] that the program owns: .device NAME, BYTES or .device NAME, type, values. NAME is the place of its address
 * in c14[]. */
static int do_device(struct words *w)
{
    const char *name, *type;
    size_t n, m;
    struct sasm *a = w->a;
    struct cubin *c = &a->files;
    struct fl_buf data = {0};
    uint32_t bytes = 0;
    if (read_name(w, &name, &n, "a name"))
        return -1;
    const char *before = w->s;
    if (read_comma(w))
        return -1;
    type = sasm_skip(w->s);
    m = sasm_name_len(type);
    bool values = same(type, m, "u8") || same(type, m, "u16") || same(type, m, "u32") ||
                  same(type, m, "f32");
    w->s = values ? before : w->s;
    if (values ? read_data(w, name, "a variable", &data) < 0
               : read_value(w, &bytes) || read_end(w)) {
        fl_buf_free(&data);
        return -1;
    }
    if (!values && (bytes == 0 || bytes > MAX_DEVICE))
        return FAIL(w, type, "a variable has 1 to %d bytes", MAX_DEVICE);
    uint32_t at = 4 * (uint32_t)c->nvariables;
    c->variable = fl_grow(c->variable, (size_t)c->nvariables + 1, sizeof *c->variable);
    c->address = fl_grow(c->address, (size_t)c->naddresses + 1, sizeof *c->address);
    c->address[c->naddresses++] = (struct cubin_address){at, c->nvariables, 0};
    c->variable[c->nvariables++] = (struct cubin_variable){
        fl_format("%.*s", (int)n, name), values ? (uint32_t)data.size : bytes, data.data};
    return add_shared_name(w, name, n, at);
}

/* .line "FILE", NUMBER: what follows was made of that line; 0: of none. */
static int do_line(struct words *w)
{
    uint32_t v;
    if (need_kernel(w))
        return -1;
    w->s = sasm_skip(w->s);
    const char *name = w->s + 1;
    size_t n = *w->s == '"' ? strcspn(name, "\"") : 0;
    if (!n || name[n] != '"')
        return FAIL(w, w->s, "expected the source in quotes: .line \"K.cl\", 12");
    w->s = name + n + 1;
    if (read_comma(w) || read_value(w, &v) || read_end(w))
        return -1;
    struct kernel *k = current(w->a);
    if (k->nsections != 1 || v > 1u << 30)
        return FAIL(w, name, "lines are known for the code from address 0 on only");
    char *file = fl_format("%.*s", (int)n, name);
    int source = cubin_source(&w->a->files, file);
    free(file);
    struct cubin_kernel *c = &k->k;
    uint32_t addr = (section(k)->size + 7) & ~7u;
    if (c->nlines && c->line[c->nlines - 1].addr == addr)
        c->nlines--;
    if ((c->nlines & (c->nlines - 1)) == 0)
        c->line = fl_grow(c->line, c->nlines ? (size_t)c->nlines * 2 : 1, sizeof *c->line);
    c->line[c->nlines++] = (struct cubin_line){addr, source, (int)v};
    return 0;
}

/* The space up to the next multiple: a short move onto itself where the phase is odd, then NOPs. */
static int do_align(struct words *w)
{
    uint32_t v;
    if (need_kernel(w) || read_value(w, &v) || read_end(w))
        return -1;
    if (v < 4 || v > 65536 || v & (v - 1))
        return FAIL(w, w->s, "an alignment is a power of two, 4 to 65536");
    struct section *s = section(current(w->a));
    while ((s->base + s->size) & (v - 1))
        if (add_item(w->a, w->line, NULL, (s->base + s->size) & 4 ? 4 : 8, w->err))
            return -1;
    return 0;
}

/* .words LO, HI: eight bytes of code as they are, which need not be an instruction. */
static int do_words(struct words *w)
{
    struct isa_words is = {.size = 8};
    if (need_kernel(w) || read_value(w, &is.lo) || read_comma(w) || read_value(w, &is.hi) ||
        read_end(w) || add_item(w->a, w->line, NULL, is.size, w->err))
        return -1;
    w->a->item[w->a->nitems - 1].words = is;
    w->a->item[w->a->nitems - 1].ready = true;
    return 0;
}

static int do_org(struct words *w)
{
    uint32_t v;
    if (need_kernel(w) || read_value(w, &v) || read_end(w))
        return -1;
    if (v & 7)
        return FAIL(w, w->s, "code begins at a multiple of 8, 0x%x is none", v);
    add_section(w->a, w->line, v);
    return 0;
}

/* .addresses 64: pointers have 8 bytes wherever they are kept. */
static int do_addresses(struct words *w)
{
    uint32_t v;
    if (read_value(w, &v) || read_end(w))
        return -1;
    if (v != 32 && v != 64)
        return FAIL(w, w->s, "addresses have 32 or 64 bits");
    w->a->files.m64 = v == 64;
    return 0;
}

/* .texture NAME [, TYPE [, UNIT]]: a texture reference; NAME is the number of its unit. */
static int do_texture(struct words *w)
{
    struct cubin *c = &w->a->files;
    const char *name, *type = "";
    size_t n, m = 0;
    uint32_t unit = (uint32_t)c->ntextures;
    if (read_name(w, &name, &n, "the texture's name") ||
        (more(w) && (read_name(w, &type, &m, "a type") || (more(w) && read_value(w, &unit)))) ||
        read_end(w))
        return -1;
    char *owned = fl_format("%.*s", (int)n, name), *of = fl_format("%.*s", (int)m, type);
    int bad = strlen(of) >= sizeof c->texture->type || cubin_add_texture(c, owned, unit, of);
    free(owned);
    free(of);
    return bad ? FAIL(w, name, "a texture has a name and a unit below %d of its own",
                      CUBIN_TEXTURES)
               : add_name(w->a, w->line, name, n, unit, NULL, w->err);
}

static const struct {
    const char *name;
    int (*run)(struct words *w);
    /* what a mistake in it means for the lines that follow */
    enum { MISLEADS, LEAVES_GAP, HARMLESS } mistake;
} directive[] = {{"equ", do_equ, LEAVES_GAP},         {"reg", do_reg, MISLEADS},
                 {"kernel", do_kernel, MISLEADS},     {"regs", do_regs, HARMLESS},
                 {"param", do_param, LEAVES_GAP},     {"shared", do_shared, LEAVES_GAP},
                 {"const", do_const, LEAVES_GAP},     {"align", do_align, HARMLESS},
                 {"org", do_org, HARMLESS},           {"local", do_local, HARMLESS},
                 {"line", do_line, HARMLESS},         {"constant", do_constant, LEAVES_GAP},
                 {"device", do_device, LEAVES_GAP},   {"addresses", do_addresses, HARMLESS},
                 {"texture", do_texture, LEAVES_GAP}, {"argument", do_argument, HARMLESS},
                 {"words", do_words, HARMLESS},       {"block", do_block, HARMLESS}};

/* Whether what failed is a name that a mistake before this one kept from being defined. */
static bool follows_from_gap(const struct sasm *a)
{
    return a->gaps && a->missed;
}

/* -1: the pass ends here. */
static int run_directive(struct sasm *a, int line, const char *s, struct fl_err *err)
{
    size_t n = sasm_name_len(s + 1);
    for (size_t i = 0; i < sizeof directive / sizeof directive[0]; i++) {
        if (!same(s + 1, n, directive[i].name))
            continue;
        struct words w = {a, line, s + 1 + n, err};
        if (directive[i].run(&w) == 0)
            return 0;
        bool wants_kernel = !current(a) && directive[i].run != do_equ &&
                            directive[i].run != do_constant && directive[i].run != do_device &&
                            directive[i].run != do_addresses && directive[i].run != do_texture;
        if (directive[i].mistake == MISLEADS || wants_kernel)
            return -1;
        if (!follows_from_gap(a))
            note(a, line, err);
        a->gaps |= directive[i].mistake == LEAVES_GAP;
        return 0;
    }
    return sasm_lines_fail(a->lines, line, s, err, "unknown directive '.%.*s'",
                           n > 40 ? 40 : (int)n, s + 1);
}

/* ---- passes ---- */

static const struct isa_env env = {.eval = env_eval, .alias = env_alias};

static int encode(struct sasm *a, int line, const char *s, struct isa_words *out,
                  struct fl_err *err)
{
    struct isa_env here = env;
    struct isa_text_err why = {0};
    here.ctx = a;
    if (isa_encode(s, &here, out, &why) == 0)
        return 0;
    a->now = true; /* a hint shall hold: no name in it may come later */
    isa_encode_hint(s, &here, &why);
    a->now = false;
    return sasm_lines_fail(a->lines, line, why.at, err, "%s", why.msg);
}

static void add_label(struct sasm *a, int line, const char *s, size_t n)
{
    struct kernel *k = current(a);
    struct fl_err err;
    uint32_t addr = section(k)->base + section(k)->size;
    if (addr & 4 && !k->unsure) {
        sasm_lines_fail(
            a->lines, line, s, &err,
            "label '%.*s' is not 8-byte aligned, it stands inside a pair of short instructions: "
            "put .align 8 before it",
            (int)n, s);
        note(a, line, &err);
    }
    addr &= ~7u; /* jumps to it are not to blame */
    if (add_name(a, line, s, n, addr, NULL, &err)) {
        note(a, line, &err);
        return;
    }
    struct cubin_kernel *c = &k->k;
    if ((c->nsymbols & (c->nsymbols - 1)) == 0)
        c->symbol = fl_grow(c->symbol, c->nsymbols ? (size_t)c->nsymbols * 2 : 1,
                            sizeof *c->symbol);
    c->symbol[c->nsymbols++] = (struct cubin_symbol){fl_format("%.*s", (int)n, s), addr};
}

/* -1: the pass ends here. */
static int read_line(struct sasm *a, int line, struct fl_err *err)
{
    const char *s = sasm_skip(sasm_lines_get(a->lines, line)->text);
    for (size_t n; (n = sasm_name_len(s)) != 0 && *sasm_skip(s + n) == ':';
         s = sasm_skip(sasm_skip(s + n) + 1)) {
        if (!current(a))
            return sasm_lines_fail(a->lines, line, s, err,
                                   "a label needs a kernel: begin one with .kernel NAME");
        add_label(a, line, s, n);
    }
    if (!*s)
        return 0;
    if (*s == '.')
        return run_directive(a, line, s, err);
    if (!current(a))
        return sasm_lines_fail(a->lines, line, s, err,
                               "code needs a kernel: begin one with .kernel NAME");
    struct isa_words words;
    a->visible = a->naliases;
    a->named = false;
    bool bad = encode(a, line, s, &words, err) != 0;
    if (bad) {
        note(a, line, err);
        current(a)->unsure = true;
    }
    if (add_item(a, line, s, words.size, err))
        return -1;
    struct item *it = &a->item[a->nitems - 1];
    it->words = words;
    it->ready = !a->named;
    it->bad = bad;
    return 0;
}

/* False: it ended early, at a mistake that would mislead whoever reads on. */
static bool first_pass(struct sasm *a)
{
    while (!a->errors->more) {
        struct fl_err err;
        a->missed = false;
        int line = sasm_lines_next(a->lines, &err);
        if (line == -1) {
            finish_kernel(a);
            return true;
        }
        if (line < 0 || read_line(a, line, &err)) {
            if (!follows_from_gap(a))
                note(a, INT_MAX, &err);
            return false;
        }
    }
    return false;
}

static void put_word(uint8_t *p, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        p[i] = (uint8_t)(v >> 8 * i);
}

/* Highest register of an operand, -1: none. R124 and above read as zero in nvcc's code: they
 * need no room. */
static int highest(const struct isa_operand *o)
{
    int n;
    switch (o->kind) {
    case ISA_R: n = (int)o->value + (o->type == T_B64 ? 1 : o->type == T_B128 ? 3 : 0); break;
    case ISA_RH: n = (int)o->value >> 1; break;
    case ISA_G: n = (int)o->value; break;
    default: return -1;
    }
    return n < ZERO_REG ? n : -1;
}

static void second_pass(struct sasm *a, int *regs)
{
    struct fl_err err;
    a->final = true;
    for (int i = 0; i < a->nitems && !a->errors->more; i++) {
        const struct item *it = &a->item[i];
        if (it->bad)
            continue;
        struct kernel *k = &a->kernel[it->kernel];
        struct isa_words words = {it->size == 4 ? 0x10008000 : 0xf0000001, 0xe0000000, it->size};
        a->scope = it->kernel;
        a->visible = it->nalias;
        if (it->ready)
            words = it->words;
        else if (it->text && encode(a, it->line, it->text, &words, &err)) {
            note(a, it->line, &err);
            continue;
        }
        struct isa_insn in;
        isa_decode(words.lo, words.hi, true, ISA_NEWEST, &in);
        bool jumps = it->text &&
                     (in.op == OP_BRA || in.op == OP_CAL || in.op == OP_SSY || in.op == OP_PBK);
        if (jumps && in.target & 7) {
            sasm_lines_fail(a->lines, it->line, it->text, &err,
                            "target 0x%x is not a multiple of 8", in.target);
            note(a, it->line, &err);
        }
        if (it->addr + (uint32_t)it->size - 1 >= 1u << 24 || (jumps && in.target >= 1u << 24))
            a->wide = true;
        if (it->text && isa_op_class(in.op) != ISA_OTHER) {
            const struct isa_operand *o[] = {&in.dst, &in.src[0], &in.src[1], &in.src[2]};
            for (int j = 0; j < 4; j++)
                if (highest(o[j]) >= regs[it->kernel])
                    regs[it->kernel] = highest(o[j]) + 1;
        }
        uint32_t asked = it->text ? isa_texture_registers(&in) : 0;
        if (asked && (int)(in.dst.value + asked) <= ZERO_REG &&
            (int)(in.dst.value + asked) > regs[it->kernel])
            regs[it->kernel] = (int)(in.dst.value + asked);
        if (it->text && in.op == OP_BAR && k->k.barriers <= (int)in.src[0].value)
            k->k.barriers = (int)in.src[0].value + 1;
        if (it->text && k->k.sm < 10 + in.min)
            k->k.sm = 10 + in.min;
        uint8_t *p = k->k.code[it->section].bytes + (it->addr - k->section[it->section].base);
        put_word(p, words.lo);
        if (it->size == 8)
            put_word(p + 4, words.hi);
    }
}

static int by_base(const void *a, const void *b)
{
    const struct cubin_code *x = a, *y = b;
    return x->base < y->base ? -1 : x->base > y->base;
}

static int by_addr(const void *a, const void *b)
{
    const struct cubin_symbol *x = a, *y = b;
    return x->addr != y->addr ? (x->addr < y->addr ? -1 : 1) : strcmp(x->name, y->name);
}

static void make_room(struct kernel *k)
{
    k->k.code = fl_alloc((size_t)k->nsections * sizeof *k->k.code);
    k->k.ncode = k->nsections;
    for (int i = 0; i < k->nsections; i++)
        k->k.code[i] = (struct cubin_code){k->section[i].base, k->section[i].size,
                                           fl_alloc(k->section[i].size)};
}

/* Sorts the ranges of code, drops empty ones, and refuses those that share an address. */
static void sort_code(struct sasm *a, struct kernel *k)
{
    struct fl_err err;
    struct cubin_kernel *c = &k->k;
    int n = 0;
    for (int i = 0; i < c->ncode; i++)
        if (c->code[i].size)
            c->code[n++] = c->code[i];
        else
            free(c->code[i].bytes);
    c->ncode = n;
    if (n)
        qsort(c->code, (size_t)n, sizeof *c->code, by_base);
    if (!n || c->code[0].base != 0) {
        sasm_lines_fail(a->lines, k->line, sasm_lines_get(a->lines, k->line)->text, &err,
                        "kernel '%s' has no code at address 0, where it starts", c->name);
        note(a, k->line, &err);
    }
    for (int i = 1; i < n; i++)
        if ((uint64_t)c->code[i - 1].base + c->code[i - 1].size > c->code[i].base) {
            int line = k->line;
            for (int j = 0; j < k->nsections; j++)
                if (k->section[j].base == c->code[i].base && k->section[j].line >= 0)
                    line = k->section[j].line;
            sasm_lines_fail(a->lines, line, sasm_lines_get(a->lines, line)->text, &err,
                            "code at 0x%x lies inside the code from 0x%x to 0x%x", c->code[i].base,
                            c->code[i - 1].base, c->code[i - 1].base + c->code[i - 1].size);
            note(a, line, &err);
        }
    if (c->nsymbols)
        qsort(c->symbol, (size_t)c->nsymbols, sizeof *c->symbol, by_addr);
}

static int assemble(struct sasm *a, const char *path, struct cubin **out)
{
    if (!first_pass(a) || a->gaps)
        return -1;
    if (!a->nkernels) {
        struct fl_err err;
        fl_fail(&err, "%s: no kernel: begin one with .kernel NAME", path);
        note(a, INT_MAX, &err);
        return -1;
    }
    for (int i = 0; i < a->nkernels; i++)
        make_room(&a->kernel[i]);
    int *regs = fl_alloc((size_t)a->nkernels * sizeof *regs);
    second_pass(a, regs);
    for (int i = 0; i < a->nkernels; i++) {
        struct kernel *k = &a->kernel[i];
        if (!k->k.regs)
            k->k.regs = regs[i] ? regs[i] : 1;
        k->k.shared_bytes = k->shared_end;
        if (!k->unsure)
            sort_code(a, k);
    }
    free(regs);
    if (a->errors->count)
        return -1;
    struct cubin *c = fl_alloc(sizeof *c);
    c->kernel = fl_alloc((size_t)a->nkernels * sizeof *c->kernel);
    c->nkernels = a->nkernels;
    c->wide_code = a->wide;
    c->m64 = a->files.m64;
    c->const0 = a->const0.data;
    c->const0_size = (uint32_t)a->const0.size;
    a->const0 = (struct fl_buf){0};
    c->constant = a->files.constant;
    c->nconstants = a->files.nconstants;
    c->source = a->files.source;
    c->nsources = a->files.nsources;
    c->variable = a->files.variable;
    c->nvariables = a->files.nvariables;
    c->address = a->files.address;
    c->naddresses = a->files.naddresses;
    c->texture = a->files.texture;
    c->ntextures = a->files.ntextures;
    a->files = (struct cubin){0};
    for (int i = 0; i < a->nkernels; i++) {
        c->kernel[i] = a->kernel[i].k;
        a->kernel[i].k = (struct cubin_kernel){0};
    }
    *out = c;
    return 0;
}

static int add_define(struct sasm *a, const char *text, struct fl_err *err)
{
    size_t n = sasm_name_len(text);
    const char *s = text + n + 1;
    uint32_t v = 0;
    struct isa_text_err why = {0};
    if (!n || text[n] != '=')
        return fl_fail(err, "'%.80s': a definition has the form NAME=VALUE", text);
    if (value_now(a, &s, &v, &why) || *sasm_skip(s))
        return fl_fail(err, "'%.80s': %s", text,
                       why.msg[0] ? why.msg : "unexpected text behind the value");
    if (*slot(a, text, n, NO_SCOPE))
        return fl_fail(err, "'%.*s' is defined twice", (int)n, text);
    if (add_name(a, -1, text, n, v, NULL, err))
        return -1;
    a->name[a->nnames - 1].forced = true;
    return 0;
}

static void release(struct sasm *a)
{
    for (int i = 0; i < a->nnames; i++)
        free(a->name[i].text);
    for (int i = 0; i < a->naliases; i++)
        free(a->alias[i].text);
    struct cubin *c = fl_alloc(sizeof *c);
    *c = a->files;
    c->kernel = fl_alloc((size_t)a->nkernels * sizeof *c->kernel);
    c->nkernels = a->nkernels;
    for (int i = 0; i < a->nkernels; i++) {
        c->kernel[i] = a->kernel[i].k;
        free(a->kernel[i].section);
    }
    cubin_free(c);
    fl_buf_free(&a->const0);
    free(a->name);
    free(a->alias);
    free(a->hash);
    free(a->kernel);
    free(a->item);
    sasm_lines_close(a->lines);
}

int sasm_assemble_with(const char *path, const char *text, const char *const *define, int ndefines,
                       struct fl_files *files, struct cubin **out, struct sasm_errors *errors)
{
    struct sasm a = {.scope = NO_SCOPE, .nhash = 64, .errors = errors};
    struct fl_err err;
    *errors = (struct sasm_errors){0};
    a.hash = fl_alloc((size_t)a.nhash * sizeof *a.hash);
    a.lines = sasm_lines_open(path, text, files, value_now, &a, &err);
    int bad = a.lines ? 0 : -1;
    for (int i = 0; i < ndefines && !bad; i++)
        bad = add_define(&a, define[i], &err);
    if (bad)
        note(&a, 0, &err);
    else
        bad = assemble(&a, path, out);
    release(&a);
    return bad;
}

int sasm_assemble(const char *path, const char *text, struct cubin **out, struct fl_err *err)
{
    struct sasm_errors errors;
    int bad = sasm_assemble_with(path, text, NULL, 0, NULL, out, &errors);
    if (bad)
        fl_fail(err, "%s", errors.text[0]);
    sasm_errors_free(&errors);
    return bad;
}

static int no_names(void *ctx, const char *name, size_t len, uint32_t *value, bool *known,
                    struct isa_text_err *err)
{
    (void)ctx;
    (void)value;
    (void)known;
    snprintf(err->msg, sizeof err->msg, "unknown name '%.*s': only numbers here",
             len > 80 ? 80 : (int)len, name);
    return -1;
}

static int eval_numbers(void *ctx, const char **s, uint32_t *value, bool *known,
                        struct isa_text_err *err)
{
    return sasm_expr(s, no_names, ctx, value, known, err);
}

int sasm_words(const char *text, struct isa_words *out, struct isa_text_err *err)
{
    static const struct isa_env numbers = {.eval = eval_numbers, .any_areg = true};
    if (isa_encode(text, &numbers, out, err) == 0)
        return 0;
    isa_encode_hint(text, &numbers, err);
    return -1;
}
