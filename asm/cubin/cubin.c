/* cubin.c -- cubin files in and out: ELF through libelf. Written as ELF32; ELF64, which nvcc makes
 * on 64-bit hosts, is read as well.
 *
 * What a file holds, section by section (the layout nvcc wrote for sm_10):
 *   .text.<kernel>          code; sh_info: registers << 24 | symbol of the kernel; sh_flags bits
 *                           26..20: barriers
 *   .text.<kernel>@<hex>    code of the same kernel that lies at that address; ours, nvcc has none
 *   .nv.info.<kernel>       records `u8 format, u8 attribute, u16 size or value`; attribute 17h is
 *                           one parameter, 10h the only shape of blocks
 *   .nv.constant1.<kernel>  c1[]; .nv.constant0: c0[], for all kernels
 *   .nv.shared.<kernel>     NOBITS; its size counts the 16-byte header and the parameters
 *   .nv.local.<kernel>      NOBITS; bytes per thread
 *   .faultline.params.<kernel>  text, a line for each parameter: its offset in hexadecimal, type
 *                               and name, and what a pointer points to where that is known, as in
 *                           "0 ptr a f32"; ours, nvcc's files have no names
 *   .faultline.arguments.<kernel>   text, a line for each argument of a kernel of OpenCL C: kind,
 *                               offset, size, unit, sampler and name, as in "global 0 4 -1 -1 a"
 *   .faultline.lines.<kernel>, .faultline.source.<file>   see source.c
 *   .faultline.textures     see texture.c; in nvcc's files records of .nv.info with attribute 2
 *   .faultline.code32       u32 1: some address or target needs more than 24 bits
 *   .nv.global              NOBITS; __device__ variables, one symbol each; .nv.global.init: those
 *                           with a value
 *   .nv.constant14          c14[], which holds the addresses of __device__ variables;
 *                           .rel.nv.constant14: which address goes where
 *   .symtab                 kernels (global functions; a second one at the same place has the name
 *                           that C++ gives it), labels (local, relative to their section),
 *                           variables (objects)
 * Pointers have 64 bits where e_flags has 400h (smcc -m64), and in the ELF files of 64 bits of nvcc -m64.
 *
 * Files come from anywhere: nothing in one is trusted, every size is checked before it is used.
 */
#include "internal.h"

#include <errno.h>
#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MACHINE_CUDA = 190,
    ABI_CUDA = 0x33,
    SM_10 = 10,
    SM_13 = 13,
    ABI_LATER =
        8, /* of the header's ABI version: from here on the flags have the machine a byte further up (CUDA 13) */
    ADDRESSES_64 = 0x400,      /* EF_CUDA_64BIT_ADDRESS */
    INFO_SECTION = 0x70000000, /* SHT_CUDA_INFO */
    CUDA_ENTRY = 0x10,         /* st_other of a kernel */
    ATTR_IMAGE = 0x02,         /* a texture reference: its symbol, its unit */
    ATTR_BLOCK = 0x10,         /* the only shape of blocks (.reqntid of PTX) */
    ATTR_PARAM = 0x17,
    ATTR_PARAM_BYTES = 0x18, /* of the whole parameter block, in shared memory */
    FORMAT_SHORT = 3,
    FORMAT_SIZED = 4,
    RELOC_ADDRESS = 1, /* 32 bits: the address of the symbol, added to what stands there */
    CONST_BYTES = 1 << 16,
    HEADER = 0x10,
    MAX_SECTIONS = 65000,
    PER_KERNEL = 4, /* buffers of a file that is written */
};

static const char wide_section[] = ".faultline.code32";
static const char textures_section[] = ".faultline.textures";
static const char params_section[] = ".faultline.params.";
static const char arguments_section[] = ".faultline.arguments.";
static const char lines_section[] = ".faultline.lines.";
static const char source_section[] = ".faultline.source.";

static uint32_t get32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void put32(uint8_t *p, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        p[i] = (uint8_t)(v >> 8 * i);
}

static uint32_t params_end(const struct cubin_kernel *k)
{
    uint32_t end = HEADER;
    for (int i = 0; i < k->nparams; i++)
        if (HEADER + k->param[i].offset + k->param[i].size > end)
            end = HEADER + k->param[i].offset + k->param[i].size;
    return end;
}

void cubin_free(struct cubin *cubin)
{
    if (!cubin)
        return;
    for (int i = 0; i < cubin->nkernels; i++) {
        struct cubin_kernel *k = &cubin->kernel[i];
        for (int j = 0; j < k->nparams; j++)
            free(k->param[j].name);
        for (int j = 0; j < k->ncode; j++)
            free(k->code[j].bytes);
        for (int j = 0; j < k->nsymbols; j++)
            free(k->symbol[j].name);
        free(k->name);
        free(k->mangled);
        free(k->param);
        for (int j = 0; j < k->narguments; j++)
            free(k->argument[j].name);
        free(k->argument);
        free(k->code);
        free(k->const1);
        free(k->symbol);
        free(k->line);
    }
    cubin_free_sources(cubin);
    for (int i = 0; i < cubin->nconstants; i++)
        free(cubin->constant[i].name);
    for (int i = 0; i < cubin->ntextures; i++)
        free(cubin->texture[i].name);
    free(cubin->texture);
    for (int i = 0; i < cubin->nvariables; i++) {
        free(cubin->variable[i].name);
        free(cubin->variable[i].init);
    }
    for (int i = 0; i < cubin->nmodules; i++) {
        free(cubin->module[i].name);
        free(cubin->module[i].const0);
        free(cubin->module[i].address);
    }
    free(cubin->module);
    free(cubin->kernel);
    free(cubin->const0);
    free(cubin->constant);
    free(cubin->variable);
    free(cubin->address);
    free(cubin);
}

int cubin_find(const struct cubin *cubin, const char *kernel)
{
    for (int i = 0; i < cubin->nkernels; i++)
        if (strcmp(cubin->kernel[i].name, kernel) == 0)
            return i;
    return -1;
}

int cubin_find_mangled(const struct cubin *cubin, const char *kernel)
{
    for (int i = 0; i < cubin->nkernels; i++) {
        const struct cubin_kernel *k = &cubin->kernel[i];
        if (strcmp(k->mangled ? k->mangled : k->name, kernel) == 0)
            return i;
    }
    return -1;
}

int cubin_find_fewer(const struct cubin *cubin, int kernel)
{
    char *name = fl_format("%s" CUBIN_FEWER_REGISTERS, cubin->kernel[kernel].name);
    int found = cubin_find(cubin, name);
    free(name);
    return found;
}

bool cubin_is_fewer(const struct cubin_kernel *k)
{
    const size_t n = strlen(k->name), end = sizeof CUBIN_FEWER_REGISTERS - 1;
    return n > end && strcmp(k->name + n - end, CUBIN_FEWER_REGISTERS) == 0;
}

/* ---- reading ---- */

struct reader {
    const char *path;
    const uint8_t *data;
    size_t size;
    Elf *elf;
    size_t names; /* section of section names */
    size_t nsections;
    bool wide; /* ELF64 */
    int sm;
    struct cubin *cubin;
    int *owner; /* of each section: kernel + 1 whose code it is, 0: none */
    uint32_t *base;
    size_t const0, global, global_init; /* sections, 0 when there is none */
    /* of each variable: where its symbol stands, to find out what a relocation means */
    size_t *variable_section;
    uint64_t *variable_at;
    uint32_t global_bytes; /* of the variables so far */
    struct fl_err *err;
};

static int damaged(struct reader *r, const char *what)
{
    return fl_fail(r->err, "%s: damaged cubin: %s; compile it again", r->path, what);
}

/* Header, name and bytes of a section; the bytes lie in the file, or are NULL for NOBITS. */
static int section(struct reader *r, size_t i, GElf_Shdr *sh, const char **name,
                   const uint8_t **bytes)
{
    Elf_Scn *scn = elf_getscn(r->elf, i);
    if (!scn || !gelf_getshdr(scn, sh))
        return damaged(r, "a section header is missing");
    *name = elf_strptr(r->elf, r->names, sh->sh_name);
    if (!*name)
        return damaged(r, "a section has no name");
    *bytes = NULL;
    if (sh->sh_type == SHT_NOBITS || sh->sh_type == SHT_NULL)
        return 0;
    if (sh->sh_offset > r->size || sh->sh_size > r->size - sh->sh_offset) {
        return fl_fail(r->err,
                       "%s: damaged cubin: section '%.80s' reaches behind the end of the file; "
                       "compile it again",
                       r->path, *name);
    }
    *bytes = r->data + sh->sh_offset;
    return 0;
}

static const char *behind(const char *name, const char *prefix)
{
    size_t n = strlen(prefix);
    return strncmp(name, prefix, n) == 0 && name[n] ? name + n : NULL;
}

/* ".text.<kernel>@<hex>": splits it, true when it is one. */
static bool far_address(const char *kernel, size_t *len, uint32_t *base)
{
    const char *at = strrchr(kernel, '@');
    if (!at || strspn(at + 1, "0123456789abcdefABCDEF") != strlen(at + 1) || !at[1] ||
        strlen(at + 1) > 8)
        return false;
    *len = (size_t)(at - kernel);
    *base = (uint32_t)strtoul(at + 1, NULL, 16);
    return true;
}

static int add_code(struct reader *r, struct cubin_kernel *k, uint32_t base, const uint8_t *bytes,
                    uint64_t size)
{
    if (size % 4 || size == 0 || base & 7 || base + size > 1ull << 32)
        return fl_fail(r->err,
                       "%s: damaged cubin: the code of '%.80s' at 0x%x has a size of 0x%llx bytes; "
                       "compile it again",
                       r->path, k->name, base, (unsigned long long)size);
    k->code = fl_grow(k->code, (size_t)k->ncode + 1, sizeof *k->code);
    struct cubin_code *c = &k->code[k->ncode++];
    *c = (struct cubin_code){base, (uint32_t)size, fl_alloc(size)};
    memcpy(c->bytes, bytes, size);
    return 0;
}

static int read_kernel(struct reader *r, size_t i, const GElf_Shdr *sh, const char *name,
                       const uint8_t *bytes)
{
    struct cubin *c = r->cubin;
    if (cubin_find(c, name) >= 0)
        return fl_fail(r->err, "%s: damaged cubin: two kernels '%.80s'; compile it again", r->path,
                       name);
    if (c->nkernels == CUBIN_MAX_KERNELS)
        return fl_fail(r->err, "%s: has more than %d kernels; split it", r->path,
                       CUBIN_MAX_KERNELS);
    c->kernel = fl_grow(c->kernel, (size_t)c->nkernels + 1, sizeof *c->kernel);
    struct cubin_kernel *k = &c->kernel[c->nkernels++];
    *k = (struct cubin_kernel){.name = fl_strdup(name),
                               .sm = r->sm,
                               .regs = (int)(sh->sh_info >> 24),
                               .barriers = (int)(sh->sh_flags >> 20 & 0x7f)};
    r->owner[i] = c->nkernels;
    if (k->regs > 128) /* an empty kernel has none */
        return fl_fail(r->err,
                       "%s: damaged cubin: kernel '%.80s' has %d registers, at most 128 are "
                       "possible; compile it again",
                       r->path, name, k->regs);
    return bytes ? add_code(r, k, 0, bytes, sh->sh_size) : damaged(r, "a kernel without code");
}

static int read_params(struct reader *r, struct cubin_kernel *k, const uint8_t *p, uint64_t size)
{
    while (size) {
        if (size < 4)
            return damaged(r, ".nv.info ends inside a record");
        uint64_t n = p[0] == FORMAT_SIZED ? 4u + ((unsigned)p[2] | (unsigned)p[3] << 8) : 4;
        if (n > size)
            return damaged(r, ".nv.info ends inside a record");
        if (p[0] == FORMAT_SIZED && p[1] == ATTR_PARAM && n == 16) {
            struct cubin_param param = {.offset = (unsigned)p[10] | (unsigned)p[11] << 8,
                                        .size = get32(p + 12) >> 18};
            if (k->nparams == 256 || HEADER + param.offset + param.size > CUBIN_MAX_BYTES)
                return damaged(r, "a parameter lies outside shared memory");
            k->param = fl_grow(k->param, (size_t)k->nparams + 1, sizeof *k->param);
            k->param[k->nparams++] = param;
        }
        for (int i = 0; p[0] == FORMAT_SIZED && p[1] == ATTR_BLOCK && n == 16 && i < 3; i++)
            k->block[i] = get32(p + 4 + 4 * i);
        p += n;
        size -= n;
    }
    return 0;
}

/* A section of text about a kernel whose name begins so: *text, to be freed; NULL: it is another one. */
static int read_about(struct reader *r, size_t i, const char *begins, struct cubin_kernel **k,
                      char **text)
{
    GElf_Shdr sh;
    const char *name;
    const uint8_t *bytes;
    *text = NULL;
    if (section(r, i, &sh, &name, &bytes))
        return -1;
    const char *kernel = behind(name, begins);
    int index = kernel && bytes ? cubin_find(r->cubin, kernel) : -1;
    if (index < 0)
        return 0;
    if (sh.sh_size > CUBIN_MAX_BYTES)
        return damaged(r, "the names of parameters have more bytes than any program needs");
    *k = &r->cubin->kernel[index];
    *text = fl_format("%.*s", (int)sh.sh_size, (const char *)bytes);
    return 0;
}

const char *const cubin_argument_kinds[] = {"value", "global",  "constant", "local",
                                            "image", "sampler", NULL};

static int read_argument(struct reader *r, struct cubin_kernel *k, const char *line)
{
    char kind[12];
    int n = 0, at = 0;
    struct cubin_argument a;
    if (sscanf(line, "%11s %u %u %d %d %n", kind, &a.offset, &a.size, &a.unit, &a.sampler, &at) !=
            5 ||
        !at || !line[at])
        return damaged(r, "an argument is not 'kind offset size unit sampler name'");
    while (cubin_argument_kinds[n] && strcmp(cubin_argument_kinds[n], kind) != 0)
        n++;
    if (!cubin_argument_kinds[n] || k->narguments == CUBIN_MAX_ARGUMENTS || a.unit < -1 ||
        a.unit >= CUBIN_TEXTURES || a.sampler < -1 || a.sampler >= CUBIN_MAX_ARGUMENTS ||
        a.offset > CUBIN_MAX_BYTES || a.size > CUBIN_MAX_BYTES ||
        HEADER + a.offset + a.size > params_end(k))
        return damaged(r, "an argument has no such kind, or lies outside the parameters");
    a.kind = (enum cubin_argument_kind)n;
    a.name = fl_strdup(line + at);
    k->argument = fl_grow(k->argument, (size_t)k->narguments + 1, sizeof *k->argument);
    k->argument[k->narguments++] = a;
    return 0;
}

static int read_arguments(struct reader *r, size_t i)
{
    struct cubin_kernel *k = NULL;
    char *text;
    int bad = read_about(r, i, arguments_section, &k, &text);
    char *rest = text;
    for (char *line; !bad && text && (line = strsep(&rest, "\n"));)
        bad = *line ? read_argument(r, k, line) : 0;
    free(text);
    return bad;
}

/* The names and types of a kernel's parameters, which .nv.info has without them. */
static int read_param_names(struct reader *r, size_t i)
{
    struct cubin_kernel *k = NULL;
    char *text;
    int bad = read_about(r, i, params_section, &k, &text);
    if (bad || !text)
        return bad;
    char *rest = text;
    for (char *line; !bad && (line = strsep(&rest, "\n"));) {
        unsigned offset;
        char type[4];
        int at = 0;
        if (!*line)
            continue;
        if (sscanf(line, "%x %3s %n", &offset, type, &at) != 2 || !at || !line[at])
            bad = damaged(r, "the names of parameters are not 'offset type name'");
        char *element = bad ? NULL : strchr(line + at, ' ');
        if (element) {
            *element++ = 0;
            if (strcmp(type, "ptr") != 0 || cubin_element(element, strlen(element)) < 0)
                bad = damaged(r, "what a parameter points to is no type of elements");
        }
        for (int p = 0; p < k->nparams && !bad; p++)
            if (k->param[p].offset == offset && !k->param[p].name) {
                k->param[p].name = fl_strdup(line + at);
                memcpy(k->param[p].type, type, sizeof type);
                if (element)
                    memcpy(k->param[p].element, element,
                           strlen(element) + 1); /* 3 letters at most */
                break;
            }
    }
    free(text);
    return bad;
}

const char *const cubin_elements[] = {"f32", "s32", "u32", "s16", "u16", "s8", "u8", NULL};

int cubin_element(const char *word, size_t n)
{
    for (int i = 0; cubin_elements[i]; i++)
        if (strlen(cubin_elements[i]) == n && memcmp(word, cubin_elements[i], n) == 0)
            return i;
    return -1;
}

/* Lines of the source. */
static int read_lines(struct reader *r, size_t i)
{
    GElf_Shdr sh;
    const char *name;
    const uint8_t *bytes;
    if (section(r, i, &sh, &name, &bytes))
        return -1;
    const char *kernel = behind(name, lines_section);
    if (!kernel || !bytes)
        return 0;
    if (sh.sh_size > CUBIN_MAX_GLOBAL)
        return damaged(r, "more lines of source than any program has");
    int index = cubin_find(r->cubin, kernel);
    if (index >= 0 &&
        cubin_read_lines(r->cubin, &r->cubin->kernel[index], (const char *)bytes, sh.sh_size))
        return damaged(r, "the lines of the source are not 'address line file'");
    return 0;
}

/* The source itself, after all lines. */
static int read_source(struct reader *r, size_t i)
{
    GElf_Shdr sh;
    const char *name;
    const uint8_t *bytes;
    if (section(r, i, &sh, &name, &bytes))
        return -1;
    const char *file = behind(name, source_section);
    if (!file || !bytes)
        return 0;
    if (sh.sh_size > CUBIN_MAX_GLOBAL)
        return damaged(r, "a source with more bytes than any program has");
    int source = cubin_find_source(r->cubin, file);
    if (source < 0)
        return damaged(r, "a source without a line that names it");
    if (r->cubin->source[source].text)
        return damaged(r, "two sources of one name");
    r->cubin->source[source].text = fl_format("%.*s", (int)sh.sh_size, (const char *)bytes);
    return 0;
}

static int by_offset(const void *a, const void *b)
{
    const struct cubin_param *x = a, *y = b; /* a damaged file may have two at one offset */
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    return x->size < y->size ? -1 : x->size > y->size;
}

static int take_bytes(struct reader *r, const char *name, const GElf_Shdr *sh, const uint8_t *bytes,
                      uint8_t **out, uint32_t *size)
{
    if (sh->sh_size > CUBIN_MAX_BYTES)
        return fl_fail(
            r->err,
            "%s: damaged cubin: '%.80s' has 0x%llx bytes, 0x%x is the most; compile it again",
            r->path, name, (unsigned long long)sh->sh_size, CUBIN_MAX_BYTES);
    if (*out)
        return fl_fail(r->err, "%s: damaged cubin: two sections '%.80s'; compile it again", r->path,
                       name);
    if (!sh->sh_size)
        return 0;
    *out = fl_alloc(sh->sh_size);
    if (bytes)
        memcpy(*out, bytes, sh->sh_size);
    *size = (uint32_t)sh->sh_size;
    return 0;
}

static int read_size(struct reader *r, const char *name, const GElf_Shdr *sh, uint32_t *out)
{
    if (sh->sh_size > CUBIN_MAX_BYTES)
        return fl_fail(
            r->err,
            "%s: damaged cubin: '%.80s' has 0x%llx bytes, 0x%x is the most; compile it again",
            r->path, name, (unsigned long long)sh->sh_size, CUBIN_MAX_BYTES);
    *out = (uint32_t)sh->sh_size;
    return 0;
}

/* Sections that belong to a kernel, by its name. */
static int read_section(struct reader *r, size_t i)
{
    GElf_Shdr sh;
    const char *name, *who;
    const uint8_t *bytes;
    if (section(r, i, &sh, &name, &bytes))
        return -1;
    struct cubin *c = r->cubin;
    if (strcmp(name, wide_section) == 0)
        c->wide_code = true;
    if (strcmp(name, ".nv.constant0") == 0) {
        r->const0 = i;
        return take_bytes(r, name, &sh, bytes, &c->const0, &c->const0_size);
    }
    if (strcmp(name, ".nv.global") == 0)
        r->global = i;
    if (strcmp(name, ".nv.global.init") == 0)
        r->global_init = i;
    if (strncmp(name, ".rel", 4) == 0 && sh.sh_size &&
        (strstr(name, ".text.") || strstr(name, ".nv.global") ||
         (strstr(name, ".nv.constant") && strcmp(name, ".rel.nv.constant14"))))
        return fl_fail(r->err,
                       "%s: needs a linker, which Faultline has not: '%.80s' is not resolved; "
                       "compile all device code as one source",
                       r->path, name);
    static const char *const prefix[] = {".text.", ".nv.info.", ".nv.constant1.", ".nv.shared.",
                                         ".nv.local."};
    int kind = -1;
    for (int p = 0; p < 5 && kind < 0; p++)
        if ((who = behind(name, prefix[p])) != NULL)
            kind = p;
    if (kind < 0)
        return 0;
    uint32_t base;
    size_t len;
    if (kind == 0) {
        if (!far_address(who, &len, &base))
            return 0; /* the kernel itself, read before */
        for (int k = 0; k < c->nkernels; k++)
            if (strncmp(c->kernel[k].name, who, len) == 0 && !c->kernel[k].name[len]) {
                r->owner[i] = k + 1;
                r->base[i] = base;
                return bytes ? add_code(r, &c->kernel[k], base, bytes, sh.sh_size)
                             : damaged(r, "a kernel without code");
            }
        return fl_fail(r->err, "%s: damaged cubin: '%.80s' belongs to no kernel; compile it again",
                       r->path, name);
    }
    int index = cubin_find(c, who);
    if (index < 0)
        return 0; /* of a kernel that another file has, or of a device function */
    struct cubin_kernel *k = &c->kernel[index];
    switch (kind) {
    case 1: return bytes ? read_params(r, k, bytes, sh.sh_size) : 0;
    case 2: return take_bytes(r, name, &sh, bytes, &k->const1, &k->const1_size);
    case 3: return read_size(r, name, &sh, &k->shared_bytes);
    default: return read_size(r, name, &sh, &k->local_bytes);
    }
}

/* A symbol of either width. */
struct symbol {
    uint32_t name;
    uint8_t info;
    size_t section;
    uint64_t value, size;
};

static uint64_t get64(const uint8_t *p)
{
    return get32(p) | (uint64_t)get32(p + 4) << 32;
}

static struct symbol symbol(const struct reader *r, const uint8_t *p)
{
    /* 32 bits: name, value, size, info, other, section; 64 bits: name, info, other, section, value,
     * size */
    const uint8_t *info = p + (r->wide ? 4 : 12);
    return (struct symbol){.name = get32(p),
                           .info = *info,
                           .section = (size_t)info[2] | (size_t)info[3] << 8,
                           .value = r->wide ? get64(p + 8) : get32(p + 4),
                           .size = r->wide ? get64(p + 16) : get32(p + 8)};
}

static int add_constant(struct reader *r, const struct symbol *s, const char *name)
{
    struct cubin *c = r->cubin;
    if (s->value > c->const0_size || s->size > c->const0_size - s->value)
        return fl_fail(r->err,
                       "%s: damaged cubin: constant '%.80s' reaches behind c0[]; compile it again",
                       r->path, name);
    if ((c->nconstants & (c->nconstants - 1)) == 0)
        c->constant = fl_grow(c->constant, c->nconstants ? (size_t)c->nconstants * 2 : 1,
                              sizeof *c->constant);
    c->constant[c->nconstants++] = (struct cubin_constant){fl_strdup(name), (uint32_t)s->value,
                                                           (uint32_t)s->size, 0};
    return 0;
}

static int add_variable(struct reader *r, const struct symbol *s, const char *name)
{
    struct cubin *c = r->cubin;
    GElf_Shdr sh;
    const char *section_name;
    const uint8_t *bytes;
    if (section(r, s->section, &sh, &section_name, &bytes))
        return -1;
    if (s->value > sh.sh_size || s->size > sh.sh_size - s->value)
        return fl_fail(
            r->err, "%s: damaged cubin: variable '%.80s' reaches behind '%.80s'; compile it again",
            r->path, name, section_name);
    if (s->size > CUBIN_MAX_GLOBAL - r->global_bytes || c->nvariables == CUBIN_MAX_VARIABLES)
        return damaged(r, "the variables have more than 1 GiB, or are more than 1024");
    r->global_bytes += (uint32_t)s->size;
    size_t n = (size_t)c->nvariables++;
    c->variable = fl_grow(c->variable, n + 1, sizeof *c->variable);
    r->variable_section = fl_grow(r->variable_section, n + 1, sizeof *r->variable_section);
    r->variable_at = fl_grow(r->variable_at, n + 1, sizeof *r->variable_at);
    r->variable_section[n] = s->section;
    r->variable_at[n] = s->value;
    c->variable[n] = (struct cubin_variable){.name = fl_strdup(name), .size = (uint32_t)s->size};
    if (bytes) {
        c->variable[n].init = fl_alloc(s->size);
        memcpy(c->variable[n].init, bytes + s->value, s->size);
    }
    return 0;
}

/* The names of memory: objects in c0[] and in g14[]. */
static int read_variables(struct reader *r, size_t i)
{
    GElf_Shdr sh;
    const char *name;
    const uint8_t *bytes;
    if (section(r, i, &sh, &name, &bytes))
        return -1;
    if (sh.sh_type != SHT_SYMTAB || !bytes)
        return 0;
    size_t each = r->wide ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
    for (uint64_t n = sh.sh_size / each; n; n--, bytes += each) {
        struct symbol s = symbol(r, bytes);
        bool global = s.section && (s.section == r->global || s.section == r->global_init);
        bool constant = s.section && s.section == r->const0;
        const char *object = elf_strptr(r->elf, sh.sh_link, s.name);
        if ((s.info & 15) != STT_OBJECT || !object || !*object)
            continue;
        if ((global && s.size && add_variable(r, &s, object)) ||
            (constant && add_constant(r, &s, object)))
            return -1;
    }
    return 0;
}

/* The variable that `s`, `plus` bytes further, points into; -1 for none. */
static int variable_of(const struct reader *r, const struct symbol *s, uint32_t plus,
                       uint32_t *rest)
{
    for (int i = 0; i < r->cubin->nvariables; i++) {
        uint64_t at = s->value + plus - r->variable_at[i];
        if (r->variable_section[i] == s->section && at < r->cubin->variable[i].size) {
            *rest = (uint32_t)at;
            return i;
        }
    }
    return -1;
}

/* .rel.nv.constant14: offset, then the symbol and the kind. */
static int read_addresses(struct reader *r, size_t i)
{
    GElf_Shdr sh, target, symbols;
    const char *name, *other;
    const uint8_t *bytes, *bank, *table;
    struct cubin *c = r->cubin;
    if (section(r, i, &sh, &name, &bytes))
        return -1;
    if (strcmp(name, ".rel.nv.constant14") != 0 || !bytes)
        return 0;
    if (section(r, sh.sh_info, &target, &other, &bank) ||
        section(r, sh.sh_link, &symbols, &other, &table))
        return -1;
    if (!bank || !table || target.sh_size > CONST_BYTES)
        return damaged(r, "the addresses of variables have no place in c14[]");
    size_t each = r->wide ? sizeof(Elf64_Rel) : sizeof(Elf32_Rel);
    size_t symbol_size = r->wide ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
    for (uint64_t n = sh.sh_size / each; n; n--, bytes += each) {
        uint64_t at = r->wide ? get64(bytes) : get32(bytes);
        uint64_t index = r->wide ? get32(bytes + 12) : get32(bytes + 4) >> 8;
        uint32_t kind = r->wide ? get32(bytes + 8) : bytes[4];
        if (at % 4 || at >= target.sh_size || target.sh_size - at < 4 ||
            (index + 1) * symbol_size > symbols.sh_size)
            return damaged(r, "an address of a variable has no place in c14[]");
        struct symbol s = symbol(r, table + index * symbol_size);
        struct cubin_address a = {.offset = (uint32_t)at};
        a.variable = kind == RELOC_ADDRESS ? variable_of(r, &s, get32(bank + at), &a.plus) : -1;
        if (a.variable < 0)
            return fl_fail(r->err,
                           "%s: needs a linker, which Faultline has not: c14[0x%x] is the address "
                           "of a symbol of another file; compile all device code as one source",
                           r->path, a.offset);
        c->address = fl_grow(c->address, (size_t)c->naddresses + 1, sizeof *c->address);
        c->address[c->naddresses++] = a;
    }
    return 0;
}

static int read_symbols(struct reader *r, size_t i)
{
    GElf_Shdr sh;
    const char *name;
    const uint8_t *bytes;
    if (section(r, i, &sh, &name, &bytes))
        return -1;
    if (sh.sh_type != SHT_SYMTAB || !bytes)
        return 0;
    size_t each = r->wide ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
    for (uint64_t n = sh.sh_size / each; n; n--, bytes += each) {
        struct symbol s = symbol(r, bytes);
        bool function = s.info == (STB_GLOBAL << 4 | STT_FUNC) && !s.value;
        if ((s.info != (STB_LOCAL << 4 | STT_NOTYPE) && !function) || s.section >= r->nsections ||
            !r->owner[s.section])
            continue;
        const char *label = elf_strptr(r->elf, sh.sh_link, s.name);
        if (!label || !*label)
            continue;
        struct cubin_kernel *k = &r->cubin->kernel[r->owner[s.section] - 1];
        if (function) {
            if (!k->mangled && !r->base[s.section] && strcmp(label, k->name))
                k->mangled = fl_strdup(label);
            continue;
        }
        if ((k->nsymbols & (k->nsymbols - 1)) == 0)
            k->symbol = fl_grow(k->symbol, k->nsymbols ? (size_t)k->nsymbols * 2 : 1,
                                sizeof *k->symbol);
        k->symbol[k->nsymbols++] = (struct cubin_symbol){fl_strdup(label),
                                                         r->base[s.section] + (uint32_t)s.value};
    }
    return 0;
}

/* A record of .nv.info with a texture reference. */
static void add_image(struct reader *r, uint32_t index, uint32_t unit)
{
    GElf_Shdr sh;
    const char *name;
    const uint8_t *bytes;
    size_t each = r->wide ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
    for (size_t i = 1; i < r->nsections; i++) {
        if (section(r, i, &sh, &name, &bytes) || sh.sh_type != SHT_SYMTAB || !bytes ||
            index >= sh.sh_size / each)
            continue;
        struct symbol s = symbol(r, bytes + index * each);
        name = elf_strptr(r->elf, sh.sh_link, s.name);
        if (name)
            cubin_add_texture(r->cubin, name, unit, "");
    }
}

static int read_references(struct reader *r, size_t i)
{
    GElf_Shdr sh;
    const char *name;
    const uint8_t *p;
    if (section(r, i, &sh, &name, &p))
        return -1;
    if (strcmp(name, textures_section) == 0 && p)
        return sh.sh_size > CUBIN_MAX_BYTES ||
                       cubin_read_textures(r->cubin, (const char *)p, sh.sh_size)
                   ? damaged(r, "the texture references are not 'unit type name'")
                   : 0;
    if (!p || strncmp(name, ".nv.info", 8) != 0)
        return 0;
    for (uint64_t left = sh.sh_size, n; left >= 4; p += n, left -= n) {
        n = p[0] == FORMAT_SIZED ? 4u + ((unsigned)p[2] | (unsigned)p[3] << 8) : 4;
        if (n > left)
            break;
        if (p[0] == FORMAT_SIZED && p[1] == ATTR_IMAGE && n == 12)
            add_image(r, get32(p + 4), get32(p + 8));
    }
    return 0;
}

static int by_addr(const void *a, const void *b)
{
    const struct cubin_symbol *x = a, *y = b;
    return x->addr != y->addr ? (x->addr < y->addr ? -1 : 1) : strcmp(x->name, y->name);
}

static int by_place(const void *a, const void *b)
{
    const struct cubin_constant *x = a, *y = b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static int by_base(const void *a, const void *b)
{
    const struct cubin_code *x = a, *y = b;
    return x->base < y->base ? -1 : x->base > y->base;
}

static int finish(struct reader *r)
{
    struct cubin *c = r->cubin;
    if (!c->nkernels)
        return fl_fail(
            r->err, "%s: holds no kernel (no section .text.<name>); compile a source that has one",
            r->path);
    for (int i = 0; i < c->nkernels; i++) {
        struct cubin_kernel *k = &c->kernel[i];
        qsort(k->code, (size_t)k->ncode, sizeof *k->code, by_base);
        for (int j = 1; j < k->ncode; j++)
            if (k->code[j].base - k->code[j - 1].base < k->code[j - 1].size)
                return fl_fail(
                    r->err, "%s: damaged cubin: code of '%.80s' overlaps at 0x%x; compile it again",
                    r->path, k->name, k->code[j].base);
        if (k->nparams)
            qsort(k->param, (size_t)k->nparams, sizeof *k->param, by_offset);
        if (k->nsymbols)
            qsort(k->symbol, (size_t)k->nsymbols, sizeof *k->symbol, by_addr);
        if (k->shared_bytes < params_end(k))
            k->shared_bytes = params_end(k);
    }
    return 0;
}

static int read_sections(struct reader *r)
{
    GElf_Shdr sh;
    const char *name;
    const uint8_t *bytes;
    size_t len;
    uint32_t base;
    for (size_t i = 1; i < r->nsections; i++) { /* kernels first, so that all else finds its own */
        if (section(r, i, &sh, &name, &bytes))
            return -1;
        const char *kernel = behind(name, ".text.");
        if (kernel && !far_address(kernel, &len, &base) && read_kernel(r, i, &sh, kernel, bytes))
            return -1;
    }
    for (size_t i = 1; i < r->nsections; i++)
        if (read_section(r, i))
            return -1;
    for (size_t i = 1; i < r->nsections; i++)
        if (read_symbols(r, i) || read_variables(r, i) || read_param_names(r, i) ||
            read_arguments(r, i) || read_lines(r, i) || read_references(r, i))
            return -1;
    for (size_t i = 1; i < r->nsections; i++)
        if (read_source(r, i) || read_addresses(r, i))
            return -1;
    return finish(r);
}

static int read_elf(struct reader *r)
{
    GElf_Ehdr eh;
    if (elf_version(EV_CURRENT) == EV_NONE)
        return fl_fail(r->err, "%s: cannot read: libelf is too old", r->path);
    r->elf = elf_memory((char *)(uintptr_t)r->data, r->size);
    if (!r->elf || elf_kind(r->elf) != ELF_K_ELF || !gelf_getehdr(r->elf, &eh))
        return fl_fail(r->err,
                       "%s: not a cubin (neither an ELF file nor the old text form); name a file "
                       "of smcc, sasm or nvcc -cubin",
                       r->path);
    if (eh.e_machine != MACHINE_CUDA)
        return fl_fail(r->err, "%s: not a cubin: an ELF file for machine %u, not for a GPU (%u)",
                       r->path, eh.e_machine, MACHINE_CUDA);
    r->cubin->m64 = eh.e_flags & ADDRESSES_64 || eh.e_ident[EI_CLASS] == ELFCLASS64;
    bool later = eh.e_ident[EI_ABIVERSION] >= ABI_LATER;
    unsigned sm = later ? eh.e_flags >> 8 & 0xff : eh.e_flags & 0xff;
    if (sm < SM_10 || sm > SM_13)
        return fl_fail(r->err,
                       "%s: is for sm_%u; Faultline runs sm_10 to sm_13 (compile with -arch=sm_10)",
                       r->path, sm);
    r->sm = (int)sm;
    if (eh.e_ident[EI_DATA] != ELFDATA2LSB)
        return fl_fail(r->err, "%s: not a cubin for sm_10 to sm_13: not little endian", r->path);
    r->wide = eh.e_ident[EI_CLASS] == ELFCLASS64;
    if (elf_getshdrstrndx(r->elf, &r->names) != 0 || elf_getshdrnum(r->elf, &r->nsections) != 0 ||
        !r->nsections || r->nsections > MAX_SECTIONS)
        return damaged(r, "its section table is missing or cut off");
    r->owner = fl_alloc(r->nsections * sizeof *r->owner);
    r->base = fl_alloc(r->nsections * sizeof *r->base);
    return read_sections(r);
}

int cubin_read_memory(const char *name, const void *data, size_t size, struct cubin **out,
                      struct fl_err *err)
{
    struct fl_buf copy = {
        0}; /* libelf wants it writable, and the text reader a zero byte at the end */
    struct fl_err ignored;
    struct reader r = {.path = name, .err = err ? err : &ignored};
    r.err->msg[0] = 0;
    fl_buf_add(&copy, data, size);
    r.data = copy.data;
    r.size = size;
    r.cubin = fl_alloc(sizeof *r.cubin);
    const char *text = (const char *)copy.data + strspn((const char *)copy.data, " \t\r\n");
    int bad;
    if (strncmp(text, "architecture", 12) == 0)
        bad = cubin_read_text(name, (const char *)copy.data, r.cubin, r.err);
    else
        bad = read_elf(&r);
    elf_end(r.elf);
    free(r.owner);
    free(r.base);
    free(r.variable_section);
    free(r.variable_at);
    fl_buf_free(&copy);
    if (bad) {
        cubin_free(r.cubin);
        return -1;
    }
    if (r.cubin->nconstants)
        qsort(r.cubin->constant, (size_t)r.cubin->nconstants, sizeof *r.cubin->constant, by_place);
    *out = r.cubin;
    return 0;
}

int cubin_read(const char *path, struct cubin **out, struct fl_err *err)
{
    struct fl_buf file = {0};
    if (fl_read_file(path, &file, err))
        return -1;
    int bad = cubin_read_memory(path, file.data, file.size, out, err);
    fl_buf_free(&file);
    return bad;
}

/* ---- writing ---- */

struct writer {
    Elf *elf;
    struct fl_buf section_names, names, symbols;
    int failed;
};

static uint32_t add_string(struct fl_buf *b, const char *s)
{
    if (!b->size)
        fl_buf_add(b, "", 1);
    uint32_t at = (uint32_t)b->size;
    fl_buf_add(b, s, strlen(s) + 1);
    return at;
}

/* Appends a section; its index, 0 on failure. The bytes must live until the file is written. */
static uint32_t add_section(struct writer *w, const char *name, uint32_t type, uint64_t flags,
                            uint32_t info, const void *bytes, size_t size, uint32_t align)
{
    Elf_Scn *scn = elf_newscn(w->elf);
    Elf_Data *data = scn ? elf_newdata(scn) : NULL;
    Elf32_Shdr *sh = scn ? elf32_getshdr(scn) : NULL;
    if (!data || !sh) {
        w->failed = 1;
        return 0;
    }
    data->d_buf = type == SHT_NOBITS ? NULL : (void *)(uintptr_t)bytes;
    data->d_size = size;
    data->d_align = align;
    data->d_type = type == SHT_SYMTAB ? ELF_T_SYM : ELF_T_BYTE;
    sh->sh_name = add_string(&w->section_names, name);
    sh->sh_type = type;
    sh->sh_flags = (Elf32_Word)flags;
    sh->sh_info = info;
    return (uint32_t)elf_ndxscn(scn);
}

static void add_symbol(struct writer *w, const char *name, uint32_t value, uint32_t size,
                       unsigned info, unsigned other, uint32_t shndx)
{
    Elf32_Sym s = {.st_name = *name ? add_string(&w->names, name) : 0,
                   .st_value = value,
                   .st_size = size,
                   .st_info = (unsigned char)info,
                   .st_other = (unsigned char)other,
                   .st_shndx = (Elf32_Half)shndx};
    fl_buf_add(&w->symbols, &s, sizeof s);
}

/* __device__ variables and c14[], which has their addresses: the bytes of both sections live in `data` until the file is
 * written. Returns the index of the relocations' section, 0 for none. */
static uint32_t write_variables(struct writer *w, const struct cubin *c, struct fl_buf data[3])
{
    enum { INIT, BANK, RELOCATIONS };
    uint32_t zeros = 0, index[2] = {0};
    for (int turn = 0; turn < 2;
         turn++) { /* the sections have their indices before the symbols name them */
        zeros = 0;
        data[INIT].size = 0;
        for (int i = 0; i < c->nvariables; i++) {
            const struct cubin_variable *v = &c->variable[i];
            static const uint8_t gap[4];
            uint32_t at = v->init ? (uint32_t)data[INIT].size : zeros;
            for (int a = 0; turn && a < c->naddresses; a++)
                if (c->address[a].variable == i) {
                    Elf32_Rel r = {c->address[a].offset,
                                   (uint32_t)(w->symbols.size / sizeof(Elf32_Sym)) << 8 |
                                       RELOC_ADDRESS};
                    fl_buf_add(&data[RELOCATIONS], &r, sizeof r);
                }
            if (turn)
                add_symbol(w, v->name, at, v->size, STB_GLOBAL << 4 | STT_OBJECT, 0,
                           index[v->init != NULL]);
            if (!v->init)
                zeros += (v->size + 3) & ~3u;
            else {
                fl_buf_add(&data[INIT], v->init, v->size);
                fl_buf_add(&data[INIT], gap, -v->size & 3);
            }
        }
        if (turn == 0 && zeros)
            index[0] = add_section(w, ".nv.global", SHT_NOBITS, SHF_ALLOC | SHF_WRITE, 0, NULL,
                                   zeros, 4);
        if (turn == 0 && data[INIT].size)
            index[1] = add_section(w, ".nv.global.init", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 0,
                                   data[INIT].data, data[INIT].size, 4);
    }
    if (!c->naddresses)
        return 0;
    for (int a = 0; a < c->naddresses; a++) {
        static const uint8_t word[4];
        while (data[BANK].size < c->address[a].offset + 4)
            fl_buf_add(&data[BANK], word, 4);
        put32(data[BANK].data + c->address[a].offset, c->address[a].plus);
    }
    uint32_t bank = add_section(w, ".nv.constant14", SHT_PROGBITS, SHF_ALLOC, 0, data[BANK].data,
                                data[BANK].size, 4);
    return add_section(w, ".rel.nv.constant14", SHT_REL, 0, bank, data[RELOCATIONS].data,
                       data[RELOCATIONS].size, 4);
}

static void make_info(struct fl_buf *b, const struct cubin_kernel *k)
{
    uint32_t bytes = params_end(k) - HEADER;
    for (int i = k->nparams - 1; i >= 0; i--) { /* nvcc's order: the last parameter first */
        const struct cubin_param *p = &k->param[i];
        uint8_t rec[16] = {FORMAT_SIZED, ATTR_PARAM, 12, 0};
        rec[8] = (uint8_t)i;
        rec[10] = (uint8_t)p->offset;
        rec[11] = (uint8_t)(p->offset >> 8);
        put32(rec + 12, p->size << 18 | 0x1f000);
        fl_buf_add(b, rec, sizeof rec);
    }
    uint8_t block[16] = {FORMAT_SIZED, ATTR_BLOCK, 12, 0};
    for (int i = 0; i < 3; i++)
        put32(block + 4 + 4 * i, k->block[i]);
    if (k->block[0])
        fl_buf_add(b, block, sizeof block);
    uint8_t total[4] = {FORMAT_SHORT, ATTR_PARAM_BYTES, (uint8_t)bytes, (uint8_t)(bytes >> 8)};
    fl_buf_add(b, total, sizeof total);
}

/* The range of code that a label belongs to. */
static int range_of(const struct cubin_kernel *k, uint32_t addr)
{
    for (int i = k->ncode - 1; i > 0; i--)
        if (addr >= k->code[i].base && addr - k->code[i].base <= k->code[i].size)
            return i;
    return 0;
}

static void write_kernel(struct writer *w, const struct cubin *c, const struct cubin_kernel *k,
                         uint32_t global, struct fl_buf *info, uint32_t *first_section)
{
    struct fl_buf *params = info + 1, *lines = info + 2, *arguments = info + 3;
    char *name = NULL;
    for (int i = 0; i < k->ncode; i++) {
        const struct cubin_code *code = &k->code[i];
        name = i ? fl_format(".text.%s@%x", k->name, code->base) : fl_format(".text.%s", k->name);
        uint32_t index = add_section(w, name, SHT_PROGBITS,
                                     SHF_ALLOC | SHF_EXECINSTR | (uint64_t)k->barriers << 20,
                                     (uint32_t)k->regs << 24 | global, code->bytes, code->size, 4);
        if (i == 0)
            *first_section = index;
        free(name);
    }
    make_info(info, k);
    name = fl_format(".nv.info.%s", k->name);
    add_section(w, name, INFO_SECTION, 0, *first_section, info->data, info->size, 1);
    free(name);
    for (int i = 0; i < k->nparams; i++)
        if (k->param[i].name)
            fl_buf_printf(params, "%x %s %s%s%s\n", k->param[i].offset,
                          k->param[i].type[0] ? k->param[i].type : "u32", k->param[i].name,
                          k->param[i].element[0] ? " " : "", k->param[i].element);
    if (params->size) {
        name = fl_format("%s%s", params_section, k->name);
        add_section(w, name, SHT_PROGBITS, 0, *first_section, params->data, params->size, 1);
        free(name);
    }
    for (int i = 0; i < k->narguments; i++) {
        const struct cubin_argument *a = &k->argument[i];
        fl_buf_printf(arguments, "%s %u %u %d %d %s\n", cubin_argument_kinds[a->kind], a->offset,
                      a->size, a->unit, a->sampler, a->name);
    }
    if (arguments->size) {
        name = fl_format("%s%s", arguments_section, k->name);
        add_section(w, name, SHT_PROGBITS, 0, *first_section, arguments->data, arguments->size, 1);
        free(name);
    }
    cubin_write_lines(c, k, lines);
    if (lines->size) {
        name = fl_format("%s%s", lines_section, k->name);
        add_section(w, name, SHT_PROGBITS, 0, *first_section, lines->data, lines->size, 1);
        free(name);
    }
    if (k->const1_size) {
        name = fl_format(".nv.constant1.%s", k->name);
        add_section(w, name, SHT_PROGBITS, SHF_ALLOC, *first_section, k->const1, k->const1_size, 4);
        free(name);
    }
    name = fl_format(".nv.shared.%s", k->name);
    add_section(w, name, SHT_NOBITS, SHF_ALLOC | SHF_WRITE, *first_section, NULL, k->shared_bytes,
                4);
    free(name);
    if (k->local_bytes) {
        name = fl_format(".nv.local.%s", k->name);
        add_section(w, name, SHT_NOBITS, SHF_ALLOC | SHF_WRITE, *first_section, NULL,
                    k->local_bytes, 4);
        free(name);
    }
}

/* info: PER_KERNEL of each kernel, those of the variables, that of the textures. */
static int write_sections(struct writer *w, const struct cubin *c, struct fl_buf *info)
{
    static const uint8_t one[4] = {1};
    Elf32_Ehdr *eh = elf32_newehdr(w->elf);
    if (!eh)
        return -1;
    eh->e_ident[EI_DATA] = ELFDATA2LSB;
    eh->e_ident[EI_OSABI] = ABI_CUDA;
    eh->e_type = ET_EXEC;
    eh->e_machine = MACHINE_CUDA;
    eh->e_version = EV_CURRENT;
    int sm = SM_10;
    for (int i = 0; i < c->nkernels; i++)
        sm = c->kernel[i].sm > sm ? c->kernel[i].sm : sm;
    eh->e_flags = (unsigned)sm | (c->m64 ? ADDRESSES_64 : 0);

    add_symbol(w, "", 0, 0, 0, 0, 0);
    uint32_t nlocals = 1;
    for (int i = 0; i < c->nkernels; i++)
        nlocals += (uint32_t)c->kernel[i].nsymbols;
    uint32_t *first = fl_alloc((size_t)c->nkernels * sizeof *first);
    for (int i = 0; i < c->nkernels; i++) {
        const struct cubin_kernel *k = &c->kernel[i];
        write_kernel(w, c, k, nlocals + (uint32_t)i, &info[PER_KERNEL * i], &first[i]);
        for (int j = 0; j < k->nsymbols; j++) {
            int range = range_of(k, k->symbol[j].addr);
            add_symbol(w, k->symbol[j].name, k->symbol[j].addr - k->code[range].base, 0,
                       STB_LOCAL << 4 | STT_NOTYPE, 0, first[i] + (uint32_t)range);
        }
    }
    for (int i = 0; i < c->nkernels; i++)
        add_symbol(w, c->kernel[i].name, 0, c->kernel[i].code[0].size, STB_GLOBAL << 4 | STT_FUNC,
                   CUDA_ENTRY, first[i]);
    for (int i = 0; i < c->nkernels; i++)
        if (c->kernel[i].mangled)
            add_symbol(w, c->kernel[i].mangled, 0, c->kernel[i].code[0].size,
                       STB_GLOBAL << 4 | STT_FUNC, CUDA_ENTRY, first[i]);
    free(first);
    uint32_t const0 = 0;
    if (c->const0_size)
        const0 = add_section(w, ".nv.constant0", SHT_PROGBITS, SHF_ALLOC, 0, c->const0,
                             c->const0_size, 4);
    for (int i = 0; i < c->nconstants; i++)
        add_symbol(w, c->constant[i].name, c->constant[i].offset, c->constant[i].size,
                   STB_GLOBAL << 4 | STT_OBJECT, 0, const0);
    uint32_t relocations = write_variables(w, c, &info[PER_KERNEL * c->nkernels]);
    for (int i = 0; i < c->nsources; i++) {
        char *name = fl_format("%s%s", source_section, c->source[i].name);
        if (c->source[i].text && cubin_source_has_lines(c, i))
            add_section(w, name, SHT_PROGBITS, 0, 0, c->source[i].text, strlen(c->source[i].text),
                        1);
        free(name);
    }
    if (c->wide_code)
        add_section(w, wide_section, SHT_PROGBITS, 0, 0, one, sizeof one, 4);
    struct fl_buf *textures = &info[PER_KERNEL * (c->nkernels + 1)];
    cubin_write_textures(c, textures);
    if (textures->size)
        add_section(w, textures_section, SHT_PROGBITS, 0, 0, textures->data, textures->size, 1);
    uint32_t symtab = add_section(w, ".symtab", SHT_SYMTAB, 0, nlocals, w->symbols.data,
                                  w->symbols.size, 4);
    uint32_t strtab = add_section(w, ".strtab", SHT_STRTAB, 0, 0, w->names.data, w->names.size, 1);
    add_string(&w->section_names,
               ".shstrtab"); /* so that the last section's own name is in the bytes it is given */
    Elf_Scn *scn = elf_newscn(w->elf);
    Elf_Data *data = scn ? elf_newdata(scn) : NULL;
    Elf32_Shdr *sh = scn ? elf32_getshdr(scn) : NULL;
    if (!sh || !data || w->failed)
        return -1;
    data->d_buf = w->section_names.data;
    data->d_size = w->section_names.size;
    data->d_align = 1;
    sh->sh_name = (Elf32_Word)(w->section_names.size - sizeof ".shstrtab");
    sh->sh_type = SHT_STRTAB;
    eh->e_shstrndx = (Elf32_Half)elf_ndxscn(scn);
    sh = elf32_getshdr(elf_getscn(w->elf, symtab));
    sh->sh_link = strtab;
    sh->sh_entsize = sizeof(Elf32_Sym);
    if (relocations) {
        sh = elf32_getshdr(elf_getscn(w->elf, relocations));
        sh->sh_link = symtab;
        sh->sh_entsize = sizeof(Elf32_Rel);
    }
    return elf_update(w->elf, ELF_C_WRITE) < 0 ? -1 : 0;
}

/* libelf writes to a file descriptor: that of a file in memory. `path`: for messages. */
static int make_file(const char *path, const struct cubin *cubin, struct fl_buf *file,
                     struct fl_err *err)
{
    for (int i = 0; i < cubin->nkernels; i++)
        if (!cubin->kernel[i].ncode || cubin->kernel[i].code[0].base != 0)
            return fl_fail(err, "%s: cannot write: kernel '%s' has no code at address 0", path,
                           cubin->kernel[i].name);
    FILE *f = fl_memory_file();
    if (!f)
        return fl_fail(err, "%s: cannot write: no temporary file: %s", path, strerror(errno));
    struct writer *w = fl_alloc(sizeof *w);
    /* of each kernel: .nv.info, .faultline.params, .faultline.lines, .faultline.arguments; then those of write_variables */
    struct fl_buf *info = fl_alloc((PER_KERNEL * ((size_t)cubin->nkernels + 1) + 1) * sizeof *info);
    int bad = elf_version(EV_CURRENT) == EV_NONE;
    w->elf = bad ? NULL : elf_begin(fileno(f), ELF_C_WRITE, NULL);
    bad = !w->elf || write_sections(w, cubin, info);
    if (bad)
        fl_fail(err, "%s: cannot write: %s", path, elf_errmsg(-1));
    elf_end(w->elf);
    char chunk[65536];
    size_t n;
    rewind(f);
    while (!bad && (n = fread(chunk, 1, sizeof chunk, f)) > 0)
        fl_buf_add(file, chunk, n);
    if (!bad && ferror(f))
        bad = fl_fail(err, "%s: cannot write: %s", path, strerror(errno));
    fclose(f);
    for (int i = 0; i < PER_KERNEL * (cubin->nkernels + 1) + 1; i++)
        fl_buf_free(&info[i]);
    free(info);
    fl_buf_free(&w->section_names);
    fl_buf_free(&w->names);
    fl_buf_free(&w->symbols);
    free(w);
    return bad ? -1 : 0;
}

int cubin_write_memory(const struct cubin *cubin, struct fl_buf *out, struct fl_err *err)
{
    return make_file("a cubin", cubin, out, err);
}

int cubin_write(const char *path, const struct cubin *cubin, struct fl_err *err)
{
    struct fl_buf file = {0};
    int bad = make_file(path, cubin, &file, err) || fl_write_file(path, file.data, file.size, err);
    fl_buf_free(&file);
    return bad ? -1 : 0;
}
