/* ptx.c -- reads PTX. Statement by statement: directives, labels, instructions.
 *
 * A register's name is looked up by its prefix and number, as .reg declares them (".reg .b32 %r<93>" makes %r0 to %r92).
 * Debug sections behind the code are skipped; .file lines stand among them and are kept.
 */
#include "source.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct range { /* %r<93> */
    const char *prefix;
    size_t n;
    int first, count;
};

struct parser {
    struct cc_arena *arena;
    const struct cc_source *source;
    const char *s;
    int line;
    struct ptx_module *m;
    struct ptx_kernel *k; /* NULL outside */
    struct range range[64];
    int nranges;
    struct cc_place loc;
    bool linked;   /* .visible or its like has been read */
    bool declared; /* ... and it was .extern */
    struct fl_err *err;
};

static int fail(struct parser *p, const char *fmt, const char *what, size_t n)
{
    char *why = cc_format(p->arena, fmt, (int)(n > 60 ? 60 : n), what);
    if (p->source->is_ptx)
        return fl_fail(p->err, "%s:%d: error: %s", p->source->name, p->line, why);
    struct cc_place at = p->loc;
    const char *next = at.line ? NULL : strstr(p->s, "\n\t.loc\t"); /* what comes first behind it */
    if (next)
        sscanf(next, " .loc %2d %d %d", &at.file, &at.line, &at.column);
    return cc_source_fail(p->source, p->m, &at, p->err, why);
}

/* ---- words ---- */

static void skip(struct parser *p)
{
    for (;; p->s++) {
        if (p->s[0] == '/' && p->s[1] == '/')
            p->s += strcspn(p->s, "\n");
        if (*p->s == '\n')
            p->line++;
        else if (!isspace((unsigned char)*p->s))
            return;
    }
}

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '.' || c == '%';
}

/* The next word, or its length 0. A symbol may hold '.', as clang's ".str" does. */
static size_t word(struct parser *p, const char **w)
{
    skip(p);
    *w = p->s;
    size_t n = 0;
    while (in_word(p->s[n]))
        n++;
    p->s += n;
    return n;
}

static bool same(const char *w, size_t n, const char *text)
{
    return strlen(text) == n && memcmp(w, text, n) == 0;
}

static bool take(struct parser *p, char c)
{
    skip(p);
    if (*p->s != c)
        return false;
    p->s++;
    return true;
}

static int need(struct parser *p, char c)
{
    if (take(p, c))
        return 0;
    char text[2] = {c, 0};
    return fail(p, "expected '%.*s' in the PTX", text, 1);
}

static int number(struct parser *p, uint64_t *v)
{
    skip(p);
    bool minus = *p->s == '-';
    const char *s = p->s + minus;
    char *end;
    if (s[0] == '0' && s[1] && strchr("fFdD", s[1])) /* bits of a float */
        *v = strtoull(s + 2, &end, 16);
    else
        *v = strtoull(s, &end, 0);
    if (!isdigit((unsigned char)*s) || end == s)
        return fail(p, "expected a number, not '%.*s'", p->s, strcspn(p->s, " ,;\n"));
    while (*end == 'U' || *end == 'L')
        end++;
    p->s = end;
    if (minus)
        *v = 0 - *v;
    return 0;
}

/* ---- names ---- */

static enum ptx_type type_of(const char *w, size_t n, bool *is_float)
{
    static const struct {
        const char *name;
        enum ptx_type type;
    } types[] = {{".pred", PTX_PRED}, {".b8", PTX_8},   {".u8", PTX_8},   {".s8", PTX_8},
                 {".b16", PTX_16},    {".u16", PTX_16}, {".s16", PTX_16}, {".b32", PTX_32},
                 {".u32", PTX_32},    {".s32", PTX_32}, {".f32", PTX_32}, {".b64", PTX_64},
                 {".u64", PTX_64},    {".s64", PTX_64}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (same(w, n, types[i].name)) {
            *is_float = n == 4 && w[1] == 'f';
            return types[i].type;
        }
    return PTX_NONE;
}

static int find_reg(struct parser *p, const char *w, size_t n)
{
    for (int i = p->nranges - 1; i >= 0; i--) { /* the innermost scope first */
        const struct range *r = &p->range[i];
        if (n < r->n || memcmp(w, r->prefix, r->n))
            continue;
        if (n == r->n)
            return r->count == 1 ? r->first : -1;
        char *end;
        long v = strtol(w + r->n, &end, 10);
        if (isdigit((unsigned char)w[r->n]) && end == w + n && v < r->count)
            return r->first + (int)v;
    }
    return -1;
}

static int add_reg(struct parser *p, const char *w, size_t n, uint64_t count, enum ptx_type type,
                   bool is_float)
{
    struct ptx_kernel *k = p->k;
    if (p->nranges == 64 || count > 1000000)
        return fail(p, "too many registers: '%.*s'", w, n);
    p->range[p->nranges++] = (struct range){w, n, k->nregs, (int)count};
    for (uint64_t i = 0; i < count; i++) {
        CC_ROOM(p->arena, k->reg, k->nregs, k->reg_room);
        k->reg[k->nregs++] = (struct ptx_reg){
            count == 1 ? cc_text(p->arena, w, n) : cc_format(p->arena, "%.*s%d", (int)n, w, (int)i),
            type, is_float};
    }
    return 0;
}

/* .reg .b32 %r<93>; */
static int do_reg(struct parser *p)
{
    const char *w;
    bool is_float = false;
    size_t n = word(p, &w);
    enum ptx_type type = type_of(w, n, &is_float);
    if (type == PTX_NONE && !same(w, n, ".f64"))
        return fail(p, "registers of type '%.*s' are not supported", w, n);
    if (type == PTX_NONE)
        type = PTX_64, is_float = true;
    do {
        uint64_t count = 1;
        n = word(p, &w);
        if (take(p, '<') && (number(p, &count) || need(p, '>')))
            return -1;
        if (add_reg(p, w, n, count, type, is_float))
            return -1;
    } while (take(p, ','));
    return need(p, ';');
}

/* ---- variables ---- */

static int read_init(struct parser *p, struct ptx_var *v, uint32_t each)
{
    bool list = take(p, '{');
    uint32_t at = 0;
    v->init = cc_alloc(p->arena, v->size);
    do {
        skip(p);
        uint64_t x = 0;
        if (*p->s == '{' || *p->s == '"')
            return fail(p, "initial values of this form are not supported: '%.*s'", p->s, 1);
        if (isdigit((unsigned char)*p->s) || *p->s == '-') {
            if (number(p, &x))
                return -1;
        } else { /* the address of a variable, also as generic(NAME) */
            const char *w;
            size_t n = word(p, &w);
            bool generic = same(w, n, "generic");
            if (generic && (need(p, '(') || !(n = word(p, &w)) || need(p, ')')))
                return -1;
            struct ptx_fix *f = cc_alloc(p->arena, sizeof *f);
            *f = (struct ptx_fix){at, 0, cc_text(p->arena, w, n), v->fix};
            uint64_t plus = 0;
            if (take(p, '+') && number(p, &plus))
                return -1;
            f->plus = (uint32_t)plus;
            v->fix = f;
        }
        if (at + each > v->size)
            return fail(p, "more initial values than room in '%.*s'", v->name, strlen(v->name));
        for (uint32_t i = 0; i < each; i++)
            v->init[at++] = (uint8_t)(x >> 8 * i);
    } while (list && take(p, ','));
    return list ? need(p, '}') : 0;
}

/* Behind the space: .align 4 .b8 name[20] = {...} */
static int read_var(struct parser *p, struct ptx_var *v)
{
    const char *w;
    size_t n;
    uint32_t each = 0;
    v->place = p->loc;
    v->place.ptx_line = p->line;
    v->align = 1;
    while ((n = word(p, &w)) != 0 && *w == '.') {
        uint64_t x;
        bool is_float = false;
        if (same(w, n, ".align")) {
            if (number(p, &x))
                return -1;
            v->align = (uint32_t)x;
        } else if (same(w, n, ".ptr"))
            ;
        else if (same(w, n, ".global") || same(w, n, ".shared") || same(w, n, ".const"))
            ; /* what a .ptr points to */
        else if (same(w, n, ".texref") || same(w, n, ".samplerref") || same(w, n, ".surfref"))
            v->is_image = true, each = 8;
        else if (same(w, n, ".f64"))
            each = 8;
        else {
            enum ptx_type type = type_of(w, n, &is_float);
            if (type < PTX_8)
                return fail(p, "variables with '%.*s' are not supported", w, n);
            each = type == PTX_8 ? 1 : type == PTX_16 ? 2 : type == PTX_32 ? 4 : 8;
            v->is_float = is_float;
        }
    }
    if (!n || !each)
        return fail(p, "expected a variable before '%.*s'", p->s, 1);
    v->name = cc_text(p->arena, w, n);
    v->size = each;
    if (v->align < each)
        v->align = each;
    if (take(p, '[')) {
        uint64_t count = 0;
        v->external = take(p, ']');
        if (!v->external && (number(p, &count) || need(p, ']')))
            return -1;
        if (count > 1u << 28)
            return fail(p, "'%.*s' is too large", v->name, strlen(v->name));
        v->size = (uint32_t)count * each;
    }
    return take(p, '=') ? read_init(p, v, each) : 0;
}

static int add_var(struct parser *p, enum ptx_space space)
{
    struct ptx_var v = {.space = space,
                        .linked = p->linked,
                        .declared = p->declared && (space == PTX_CONST || space == PTX_GLOBAL)};
    p->linked = p->declared = false;
    if (read_var(p, &v) || need(p, ';'))
        return -1;
    if (v.is_image) {
        CC_ROOM(p->arena, p->m->texture, p->m->ntextures, p->m->texture_room);
        p->m->texture[p->m->ntextures++] = v;
        return 0;
    }
    bool own = p->k && (space == PTX_SHARED || space == PTX_LOCAL);
    if (own) {
        CC_ROOM(p->arena, p->k->var, p->k->nvars, p->k->var_room);
        p->k->var[p->k->nvars++] = v;
    } else {
        CC_ROOM(p->arena, p->m->var, p->m->nvars, p->m->var_room);
        p->m->var[p->m->nvars++] = v;
    }
    return 0;
}

/* ---- instructions ---- */

/* Behind the bracket: a list of registers. */
static int read_vector(struct parser *p, struct ptx_operand *o)
{
    do {
        const char *w;
        size_t n = word(p, &w);
        int r = find_reg(p, w, n);
        if (o->elements == 4 || r < 0)
            return fail(p, "expected a register, not '%.*s'", w, n ? n : 1);
        o->element[o->elements++] = r;
    } while (take(p, ','));
    return need(p, '}');
}

static int read_operand(struct parser *p, struct ptx_operand *o)
{
    const char *w;
    *o = (struct ptx_operand){.reg = -1};
    o->not = take(p, '!');
    if (take(p, '{')) {
        o->kind = PTX_VEC;
        return read_vector(p, o);
    }
    bool memory = take(p, '[');
    skip(p);
    if (isdigit((unsigned char)*p->s) || *p->s == '-') {
        o->kind = memory ? PTX_MEM : PTX_IMM;
        return number(p, &o->imm) || (memory && need(p, ']')) ? -1 : 0;
    }
    size_t n = word(p, &w);
    if (!n)
        return fail(p, "unexpected '%.*s'", p->s, 1);
    o->reg = find_reg(p, w, n);
    o->kind = memory ? PTX_MEM : o->reg >= 0 ? PTX_REG : *w == '%' ? PTX_SPECIAL : PTX_SYM;
    if (o->reg < 0)
        o->name = cc_text(p->arena, w, n);
    if (*p->s == '+' || (memory && *p->s == '-')) {
        p->s += *p->s == '+';
        if (number(p, &o->imm))
            return -1;
    }
    if (memory && take(p, ',') && (need(p, '{') || read_vector(p, o)))
        return -1;
    return memory ? need(p, ']') : 0;
}

static int read_insn(struct parser *p, const char *w, size_t n, int guard, bool not )
{
    struct ptx_kernel *k = p->k;
    CC_ROOM(p->arena, k->insn, k->ninsns, k->insn_room);
    struct ptx_insn *i = &k->insn[k->ninsns++];
    *i = (struct ptx_insn){
        .op = cc_text(p->arena, w, n), .guard = guard, .guard_not = not, .place = p->loc};
    i->place.ptx_line = p->line;
    if (same(w, n, "call") || (n > 5 && memcmp(w, "call.", 5) == 0)) {
        /* call.uni (retval0), NAME, (param0): only its name matters, for the message */
        const char *open = p->s + strcspn(p->s, ";");
        for (size_t m; p->s < open && !i->n;) {
            skip(p);
            if (*p->s == '(') {
                p->s += strcspn(p->s, ")");
            }
            if (in_word(*p->s)) {
                m = word(p, &w);
                if (take(p, ':')) /* clang has labels for its debug sections anywhere */
                    continue;
                i->o[i->n++] = (struct ptx_operand){.kind = PTX_SYM,
                                                    .name = cc_text(p->arena, w, m)};
            } else
                p->s++;
        }
        for (; *p->s && *p->s != ';'; p->s++)
            p->line += *p->s == '\n';
        return need(p, ';');
    }
    if (take(p, ';'))
        return 0;
    do {
        if (i->n == 6)
            return fail(p, "too many operands of '%.*s'", i->op, strlen(i->op));
        if (read_operand(p, &i->o[i->n++]))
            return -1;
    } while (take(p, ',') || take(p, '|'));
    return need(p, ';');
}

static int do_loc(struct parser *p)
{
    uint64_t v[3];
    for (int i = 0; i < 3; i++)
        if (number(p, &v[i]))
            return -1;
    /* Line 0: the compiler made it. It stays with the line before. */
    if (v[1])
        p->loc = (struct cc_place){v[0] < 64 ? (int)v[0] : 0, (int)v[1], (int)v[2], 0};
    else if (!p->loc.line)
        p->loc.file = (int)(v[0] < 64 ? v[0] : 0);
    const char *end = p->s + strcspn(p->s, "\n"); /* function_name, inlined_at */
    p->s = end;
    return 0;
}

/* .file 1 "/folder" "name" */
static int do_file(struct parser *p)
{
    uint64_t v;
    const char *part[2] = {"", ""};
    int n = 0;
    if (number(p, &v))
        return -1;
    for (skip(p); *p->s == '"' && n < 2; skip(p)) {
        size_t len = strcspn(p->s + 1, "\"\n");
        part[n++] = cc_text(p->arena, p->s + 1, len);
        p->s += len + 2;
    }
    if (v && v < 64)
        p->m->file[v].name = cc_source_shown(p->source, p->arena, n == 2 ? part[0] : "",
                                             part[n == 2]);
    return 0;
}

/* They stand behind the code whose places name them. */
static void read_files(struct parser *p)
{
    const char *start = p->s;
    while ((p->s = strstr(p->s, "\n\t.file\t")) != NULL) {
        p->s += strlen("\n\t.file\t");
        do_file(p);
    }
    p->s = start;
    p->line = 1;
    p->err->msg[0] = 0; /* what is wrong there is said where it stands */
}

/* Skips { ... }, or up to a ';'. */
static void skip_block(struct parser *p)
{
    int depth = 0;
    for (; *p->s; p->s++) {
        if (*p->s == '/' && p->s[1] == '/') {
            p->s += strcspn(p->s, "\n");
            if (!*p->s)
                return;
        }
        p->line += *p->s == '\n';
        depth += *p->s == '{';
        if (*p->s == '}' && --depth == 0)
            break;
        if (*p->s == ';' && depth == 0)
            break;
    }
    p->s += *p->s != 0;
}

static int read_body(struct parser *p);

static int read_size(struct parser *p, uint32_t *block)
{
    uint64_t v;
    for (int i = 0; i < 3; i++)
        block[i] = 1;
    int i = 0;
    do {
        if (number(p, &v))
            return -1;
        if (i < 3)
            block[i++] = (uint32_t)v;
    } while (take(p, ','));
    return 0;
}

static int do_entry(struct parser *p)
{
    const char *w;
    size_t n = word(p, &w);
    CC_ROOM(p->arena, p->m->kernel, p->m->nkernels, p->m->kernel_room);
    p->k = &p->m->kernel[p->m->nkernels++];
    *p->k = (struct ptx_kernel){.name = cc_text(p->arena, w, n)};
    p->nranges = 0;
    p->loc = (struct cc_place){0};
    if (take(p, '(') && !take(p, ')')) {
        do {
            struct ptx_var v = {.space = PTX_PARAM};
            n = word(p, &w);
            if (!same(w, n, ".param") || read_var(p, &v))
                return *p->err->msg ? -1 : fail(p, "expected .param, not '%.*s'", w, n);
            CC_ROOM(p->arena, p->k->param, p->k->nparams, p->k->param_room);
            p->k->param[p->k->nparams++] = v;
        } while (take(p, ','));
        if (need(p, ')'))
            return -1;
    }
    while (!take(p, '{')) {
        n = word(p, &w);
        uint64_t v;
        bool exact = same(w, n, ".reqntid");
        if (exact || same(w, n, ".maxntid")) {
            if (read_size(p, p->k->block))
                return -1;
            p->k->block_exact = exact;
        } else if (same(w, n, ".minnctapersm") || same(w, n, ".maxnreg")) {
            if (number(p, &v))
                return -1;
            if (w[2] == 'i')
                p->k->blocks = (uint32_t)v;
        } else
            return fail(p, "expected the body of the kernel, not '%.*s'", w, n ? n : 1);
    }
    int bad = read_body(p);
    p->k = NULL;
    return bad;
}

/* .func (.param .b32 func_retval0) NAME(...) { ... }, or ';'. Its code is where it is called, if it may be called at all. */
static int do_func(struct parser *p)
{
    const char *w;
    p->loc = (struct cc_place){0};
    if (take(p, '('))
        p->s += strcspn(p->s, ")");
    take(p, ')');
    size_t n = word(p, &w);
    if (!n)
        return fail(p, "expected the name of a function, not '%.*s'", p->s, 1);
    skip_block(p);
    CC_ROOM(p->arena, p->m->func, p->m->nfuncs, p->m->func_room);
    p->m->func[p->m->nfuncs++] = (struct ptx_func){cc_text(p->arena, w, n), p->s[-1] == '}'};
    return 0;
}

static int statement(struct parser *p, const char *w, size_t n)
{
    static const char *const links[] = {".visible", ".weak", ".common", ".extern"};
    uint64_t v;
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++)
        if (same(w, n, links[i])) {
            p->linked = true;
            p->declared = same(w, n, ".extern");
            return 0;
        }
    if (same(w, n, ".version") || same(w, n, ".target")) {
        p->s += strcspn(p->s, "\n");
        return 0;
    }
    if (same(w, n, ".address_size")) {
        if (number(p, &v))
            return -1;
        p->m->m64 = v == 64;
        return 0;
    }
    if (same(w, n, ".entry") || same(w, n, ".func"))
        p->linked = p->declared = false;
    if (same(w, n, ".entry"))
        return do_entry(p);
    if (same(w, n, ".func"))
        return do_func(p);
    if (same(w, n, ".section")) {
        p->loc = (struct cc_place){0};
        skip_block(p);
        return 0;
    }
    if (p->k && (same(w, n, ".param") || same(w, n, ".callprototype"))) { /* of a call */
        skip_block(p);
        return 0;
    }
    if (same(w, n, ".reg") && p->k)
        return do_reg(p);
    if (same(w, n, ".shared"))
        return add_var(p, PTX_SHARED);
    if (same(w, n, ".local"))
        return add_var(p, PTX_LOCAL);
    if (same(w, n, ".const"))
        return add_var(p, PTX_CONST);
    if (same(w, n, ".global"))
        return add_var(p, PTX_GLOBAL);
    if (same(w, n, ".loc"))
        return do_loc(p);
    if (same(w, n, ".file"))
        return do_file(p);
    if (same(w, n, ".pragma")) {
        p->s += strcspn(p->s, ";");
        return need(p, ';');
    }
    return fail(p, "'%.*s' is not known here", w, n);
}

static int read_body(struct parser *p)
{
    struct ptx_kernel *k = p->k;
    int outer[8], depth = 0; /* names of the scopes around */
    for (;;) {
        if (take(p, '}')) {
            if (!depth)
                return 0;
            p->nranges = outer[--depth];
            continue;
        }
        if (depth < 8 && take(p, '{')) {
            outer[depth++] = p->nranges;
            continue;
        }
        const char *w;
        int guard = -1;
        bool not = false;
        if (take(p, '@')) {
            not = take(p, '!');
            size_t n = word(p, &w);
            guard = find_reg(p, w, n);
            if (guard < 0)
                return fail(p, "unknown predicate '%.*s'", w, n);
        }
        size_t n = word(p, &w);
        if (!n)
            return fail(p, "unexpected '%.*s'", p->s, 1);
        if (*w == '.') {
            if (statement(p, w, n))
                return -1;
        } else if (take(p, ':')) {
            CC_ROOM(p->arena, k->label, k->nlabels, k->label_room);
            k->label[k->nlabels++] = (struct ptx_label){cc_text(p->arena, w, n), k->ninsns};
        } else if (read_insn(p, w, n, guard, not ))
            return -1;
        if (!k->place.line && p->loc.line)
            k->place = p->loc;
    }
}

int ptx_parse(struct cc_arena *arena, const struct cc_source *source, struct ptx_module *out,
              struct fl_err *err)
{
    struct parser p = {
        .arena = arena, .source = source, .s = source->ptx, .line = 1, .m = out, .err = err};
    *out = (struct ptx_module){.by_llvm = strstr(source->ptx, "Generated by LLVM") != NULL};
    read_files(&p);
    for (;;) {
        const char *w;
        size_t n = word(&p, &w);
        if (!n && !*p.s)
            return 0;
        if (!n)
            return fail(
                &p, "unexpected '%.*s': this is not PTX; names of sources end in .cl, .cu or .ptx",
                p.s, 1);
        if (*w != '.')
            return fail(&p, "'%.*s' is not PTX; names of sources end in .cl, .cu or .ptx", w, n);
        if (statement(&p, w, n))
            return -1;
    }
}
