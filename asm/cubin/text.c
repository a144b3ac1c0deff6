/* text.c -- reads the text form of cubins that nvcc wrote before 3.0.
 *
 *     architecture {sm_10}
 *     code { name = k  lmem = 0  smem = 28  reg = 4  bar = 0
 *            const { segname = const segnum = 1 offset = 0 bytes = 4  mem { 0x3f800000 } }
 *            bincode { 0xa0004c05 0x04200780 ... } }
 *     consts { name = table segname = const segnum = 0 offset = 0 bytes = 8  mem { 0x1 0x2 } }
 *     reloc { name = v segname = reloc segnum = 14 offset = 4 bytes = 8 }
 *
 * A file is keys with a value (key = value, key {value}) and blocks; what is not known is skipped.
 * It does not describe parameters: smem counts the 16-byte header, the parameters and the variables
 * together. A reloc block is a __device__ variable of so many bytes, whose address stands in
 * c14[offset].
 */
#include "internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    const char *path, *s;
    int line, sm;
    char word[256]; /* the last token: a word, or one of { } = */
    struct cubin *cubin;
    uint32_t global_bytes; /* of the variables so far */
    struct fl_err *err;
};

static int fail(struct reader *r, const char *what)
{
    return fl_fail(r->err, "%s:%d: damaged cubin: %s; compile it again", r->path, r->line, what);
}

/* The next token; false at the end. A word that is too long is cut: only names can be, and they
 * only have to differ. */
static bool next(struct reader *r)
{
    for (; *r->s && isspace((unsigned char)*r->s); r->s++)
        r->line += *r->s == '\n';
    size_t n = 0;
    if (strchr("{}=", *r->s) && *r->s)
        r->word[n++] = *r->s++;
    else
        for (; *r->s && !isspace((unsigned char)*r->s) && !strchr("{}=", *r->s); r->s++)
            if (n < sizeof r->word - 1)
                r->word[n++] = *r->s;
    r->word[n] = 0;
    return n != 0;
}

static bool is(const struct reader *r, const char *word)
{
    return strcmp(r->word, word) == 0;
}

static int number(struct reader *r, uint32_t *v)
{
    char *end;
    *v = 0;
    unsigned long n = strtoul(r->word, &end, 0);
    if (!isdigit((unsigned char)r->word[0]) || *end || n > 0xffffffff)
        return fail(r, "expected a number");
    *v = (uint32_t)n;
    return 0;
}

static int expect(struct reader *r, const char *word)
{
    if (next(r) && is(r, word))
        return 0;
    return fl_fail(r->err, "%s:%d: damaged cubin: expected '%s'; compile it again", r->path,
                   r->line, word);
}

/* Everything up to the bracket that closes the one just read. */
static int skip_block(struct reader *r)
{
    for (int depth = 1; depth;) {
        if (!next(r))
            return fail(r, "a block is not closed");
        depth += is(r, "{") - is(r, "}");
    }
    return 0;
}

static int words(struct reader *r, struct fl_buf *out)
{
    if (expect(r, "{"))
        return -1;
    while (next(r) && !is(r, "}")) {
        uint32_t v;
        if (number(r, &v))
            return -1;
        uint8_t b[4] = {(uint8_t)v, (uint8_t)(v >> 8), (uint8_t)(v >> 16), (uint8_t)(v >> 24)};
        fl_buf_add(out, b, 4);
    }
    return is(r, "}") ? 0 : fail(r, "a block is not closed");
}

/* Puts data at an offset of a constant bank. */
static int place(struct reader *r, uint8_t **bank, uint32_t *size, uint32_t offset,
                 const struct fl_buf *data)
{
    if (offset > CUBIN_MAX_BYTES || data->size > CUBIN_MAX_BYTES - offset)
        return fail(r, "constants reach behind the end of their bank");
    uint32_t end = offset + (uint32_t)data->size;
    if (end > *size) {
        *bank = fl_grow(*bank, end, 1);
        memset(*bank + *size, 0, end - *size);
        *size = end;
    }
    if (data->size)
        memcpy(*bank + offset, data->data, data->size);
    return 0;
}

/* A block const, consts or reloc. */
struct piece {
    char name[256];
    bool is_const, is_address; /* segname */
    uint32_t segment, offset, bytes;
    struct fl_buf data;
};

static void add_constant(struct cubin *c, const struct piece *p)
{
    c->constant = fl_grow(c->constant, (size_t)c->nconstants + 1, sizeof *c->constant);
    c->constant[c->nconstants++] = (struct cubin_constant){fl_strdup(p->name), p->offset,
                                                           (uint32_t)p->data.size, 0};
}

static int add_variable(struct reader *r, const struct piece *p)
{
    struct cubin *c = r->cubin;
    if (p->offset % 4 || p->offset > CUBIN_MAX_BYTES - 4)
        return fail(r, "the address of a variable has no place in c14[]");
    if (p->data.size > p->bytes || !p->bytes)
        return fail(r, "a variable has no bytes, or fewer than its value");
    if (!*p->name)
        return fail(r, "a variable has no name");
    if (p->bytes > CUBIN_MAX_GLOBAL - r->global_bytes || c->nvariables == CUBIN_MAX_VARIABLES)
        return fail(r, "the variables have more than 1 GiB, or are more than 1024");
    r->global_bytes += p->bytes;
    c->variable = fl_grow(c->variable, (size_t)c->nvariables + 1, sizeof *c->variable);
    c->address = fl_grow(c->address, (size_t)c->naddresses + 1, sizeof *c->address);
    c->address[c->naddresses++] = (struct cubin_address){p->offset, c->nvariables, 0};
    struct cubin_variable *v = &c->variable[c->nvariables++];
    *v = (struct cubin_variable){.name = fl_strdup(p->name), .size = p->bytes};
    if (p->data.size) {
        v->init = fl_alloc(p->bytes);
        memcpy(v->init, p->data.data, p->data.size);
    }
    return 0;
}

static int key_of_piece(struct reader *r, struct piece *p)
{
    char key[16];
    strncpy(key, r->word, sizeof key - 1);
    key[sizeof key - 1] = 0;
    if (expect(r, "=") || !next(r))
        return -1;
    if (strcmp(key, "name") == 0)
        memcpy(p->name, r->word, sizeof p->name);
    else if (strcmp(key, "segname") == 0) {
        p->is_const = is(r, "const");
        p->is_address = is(r, "reloc");
    } else if (strcmp(key, "segnum") == 0)
        return number(r, &p->segment);
    else if (strcmp(key, "offset") == 0)
        return number(r, &p->offset);
    else if (strcmp(key, "bytes") == 0)
        return number(r, &p->bytes);
    return 0;
}

/* const { ... } inside code, consts { ... } and reloc { ... } outside. */
static int constants(struct reader *r, struct cubin_kernel *k)
{
    struct piece p = {.is_const = true};
    int bad = expect(r, "{");
    while (!bad && (bad = !next(r)) == 0 && !is(r, "}"))
        bad = is(r, "mem") ? words(r, &p.data) : key_of_piece(r, &p);
    if (bad && !r->err->msg[0])
        fail(r, "a block is not closed");
    static const uint8_t zeros[CUBIN_MAX_BYTES]; /* constants without a value have no mem */
    if (!bad && p.is_const && p.bytes > p.data.size && p.bytes <= CUBIN_MAX_BYTES)
        fl_buf_add(&p.data, zeros, p.bytes - p.data.size);
    if (!bad && p.is_const && k && p.segment == 1)
        bad = place(r, &k->const1, &k->const1_size, p.offset, &p.data);
    else if (!bad && p.is_const && p.segment == 0) {
        bad = place(r, &r->cubin->const0, &r->cubin->const0_size, p.offset, &p.data);
        if (!bad && p.name[0])
            add_constant(r->cubin, &p);
    } else if (!bad && p.is_address && p.segment == 14)
        bad = add_variable(r, &p);
    fl_buf_free(&p.data);
    return bad ? -1 : 0;
}

static int sampler(struct reader *r)
{
    char name[256] = "";
    uint32_t unit = CUBIN_TEXTURES;
    if (expect(r, "{"))
        return -1;
    while (next(r) && !is(r, "}")) {
        bool names = is(r, "name"), units = is(r, "texunit");
        if (expect(r, "=") || !next(r))
            return fail(r, "a key without a value");
        if (names)
            memcpy(name, r->word, sizeof name);
        else if (units && number(r, &unit))
            return -1;
    }
    return cubin_add_texture(r->cubin, name, unit, "")
               ? fail(r, "a sampler has a name and a texunit below 32 of its own")
               : 0;
}

static int code_value(struct reader *r, struct cubin_kernel *k)
{
    char key[16];
    uint32_t v;
    strncpy(key, r->word, sizeof key - 1);
    key[sizeof key - 1] = 0;
    if (expect(r, "=") || !next(r))
        return fail(r, "a key without a value");
    if (strcmp(key, "name") == 0) {
        if (strchr(r->word, '@')) /* in an ELF file that would be code of another kernel */
            return fail(r, "a kernel's name holds no '@'");
        free(k->name);
        k->name = fl_strdup(r->word);
        return 0;
    }
    bool smem = strcmp(key, "smem") == 0, lmem = strcmp(key, "lmem") == 0,
         reg = strcmp(key, "reg") == 0;
    bool bar = strcmp(key, "bar") == 0;
    if (!smem && !lmem && !reg && !bar)
        return 0;
    if (number(r, &v))
        return -1;
    if (v > ((smem || lmem) ? CUBIN_MAX_BYTES : 128))
        return fail(r, "a size is too large");
    if (smem)
        k->shared_bytes = v;
    else if (lmem)
        k->local_bytes = v;
    else
        *(reg ? &k->regs : &k->barriers) = (int)v;
    return 0;
}

static int code(struct reader *r)
{
    struct cubin *c = r->cubin;
    if (c->nkernels == CUBIN_MAX_KERNELS)
        return fl_fail(r->err, "%s: has more than %d kernels; split it", r->path,
                       CUBIN_MAX_KERNELS);
    c->kernel = fl_grow(c->kernel, (size_t)c->nkernels + 1, sizeof *c->kernel);
    struct cubin_kernel *k = &c->kernel[c->nkernels++];
    *k = (struct cubin_kernel){.name = fl_strdup(""), .sm = r->sm};
    struct fl_buf bytes = {0};
    int bad = expect(r, "{");
    while (!bad && next(r) && !is(r, "}")) {
        if (is(r, "bincode"))
            bad = words(r, &bytes);
        else if (is(r, "const"))
            bad = constants(r, k);
        else
            bad = code_value(r, k);
    }
    if (!bad && !is(r, "}"))
        bad = fail(r, "a block is not closed");
    if (!bad && (!k->name[0] || !bytes.size))
        bad = fail(r, "a kernel without a name or without code");
    for (int i = 0; i < c->nkernels - 1 && !bad; i++)
        if (strcmp(c->kernel[i].name, k->name) == 0)
            bad = fail(r, "two kernels of one name");
    if (bad) {
        fl_buf_free(&bytes);
        return -1;
    }
    k->code = fl_alloc(sizeof *k->code);
    k->ncode = 1;
    k->code[0] = (struct cubin_code){0, (uint32_t)bytes.size, bytes.data};
    if (k->shared_bytes < 0x10)
        k->shared_bytes = 0x10;
    return 0;
}

int cubin_read_text(const char *path, const char *text, struct cubin *cubin, struct fl_err *err)
{
    struct reader r = {.path = path, .s = text, .line = 1, .sm = 10, .cubin = cubin, .err = err};
    while (next(&r)) {
        int bad;
        if (is(&r, "architecture")) {
            bad = expect(&r, "{");
            if (!bad && next(&r) &&
                (strlen(r.word) != 5 || strncmp(r.word, "sm_1", 4) != 0 ||
                 !strchr("0123", r.word[4])))
                bad = fl_fail(err,
                              "%s: is for %.20s; Faultline runs sm_10 to sm_13 (compile with "
                              "-arch=sm_10)",
                              path, r.word);
            r.sm = bad ? 0 : 10 + r.word[4] - '0';
            bad = bad || expect(&r, "}");
        } else if (is(&r, "code"))
            bad = code(&r);
        else if (is(&r, "sampler"))
            bad = sampler(&r);
        else if (is(&r, "consts") || is(&r, "reloc"))
            bad = constants(&r, NULL);
        else
            bad = expect(&r, "{") || skip_block(&r);
        if (bad)
            return -1;
    }
    return cubin->nkernels
               ? 0
               : fl_fail(err,
                         "%s: holds no kernel (no block 'code'); compile a source that has one",
                         path);
}
