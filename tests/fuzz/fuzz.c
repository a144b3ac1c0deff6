/* fuzz.c -- files, and the rules about cubins and instructions that several targets check. See fuzz.h. */
#include "fuzz.h"

#include <ftw.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "asm/isa/isa.h"
#include "asm/sasm/sasm.h"

/* AddressSanitizer asks for this: what is freed gets other contents, so that a use of it by a function it does not watch
 * has consequences. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "max_free_fill_size=65536";
}

/* ---- files ---- */

static char dir[512];

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *where)
{
    (void)st, (void)type, (void)where;
    return remove(path);
}

static void remove_dir(void)
{
    nftw(dir, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

const char *fuzz_dir(void)
{
    if (!dir[0]) {
        const char *tmp = getenv("TMPDIR");
        if (!tmp) /* in memory where there is such a thing: a store waits for the disk */
            tmp = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
        snprintf(dir, sizeof dir, "%s/faultline-fuzz-XXXXXX", tmp);
        FUZZ_CHECK(mkdtemp(dir), "%s: cannot make a directory", dir);
        atexit(remove_dir);
    }
    return dir;
}

const char *fuzz_file(const char *name, const void *data, size_t size)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s/%s", fuzz_dir(), name);
    for (char *p = path + strlen(dir) + 1; (p = strchr(p, '/')) != NULL; p++) {
        *p = 0;
        mkdir(path, 0777);
        *p = '/';
    }
    FILE *f = fopen(path, "wb");
    FUZZ_CHECK(f && fwrite(data, 1, size, f) == size && fclose(f) == 0, "%s: cannot write", path);
    return path;
}

/* ---- instructions ---- */

int fuzz_check_instruction(uint32_t lo, uint32_t hi)
{
    struct isa_insn in, again;
    memset(&in, 0, sizeof in);
    memset(&again, 0xff, sizeof again);
    int size = isa_decode(lo, hi, true, ISA_NEWEST, &in),
        narrow = isa_decode(lo, hi, false, ISA_NEWEST, &again);
    FUZZ_CHECK(size == narrow, "%08x %08x: %d bytes, %d when targets are narrow", lo, hi, size,
               narrow);
    char text[128]; /* the room that traces have */
    int len = isa_print(lo, hi, text, sizeof text);
    FUZZ_CHECK((size == 0) == (len < 0), "%08x %08x: decoder says %d, printer %d", lo, hi, size,
               len);
    if (!size)
        return 0;
    FUZZ_CHECK(size == 4 || size == 8, "%08x %08x: %d bytes", lo, hi, size);
    FUZZ_CHECK(len < (int)sizeof text && (int)strlen(text) == len, "%08x %08x: '%s': %d characters",
               lo, hi, text, len);
    FUZZ_CHECK(in.op < OP_COUNT && in.op == again.op && in.row == again.row, "%08x %08x: %s", lo,
               hi, text);
    char *small = malloc(9); /* too small a buffer is not overrun */
    FUZZ_CHECK(isa_print(lo, hi, small, 9) == len && strncmp(small, text, 8) == 0,
               "%08x %08x: '%s' in a small buffer", lo, hi, text);
    free(small);
    struct isa_words w = {0};
    struct isa_text_err err = {0};
    FUZZ_CHECK(sasm_words(text, &w, &err) == 0, "%08x %08x: '%s' does not assemble: %s", lo, hi,
               text, err.msg);
    FUZZ_CHECK(w.size == size && w.lo == lo && (size == 4 || w.hi == hi),
               "%08x %08x: '%s' becomes %08x %08x, %d bytes", lo, hi, text, w.lo, w.hi, w.size);
    return size;
}

/* ---- cubins ---- */

static void check_code(const struct cubin_code *c)
{
    uint32_t lo, hi;
    for (uint32_t at = 0; at < c->size;) {
        hi = 0;
        memcpy(&lo, c->bytes + at, 4);
        if (c->size - at >= 8)
            memcpy(&hi, c->bytes + at + 4, 4);
        int size = fuzz_check_instruction(lo, hi);
        at += size == 8 && c->size - at >= 8 ? 8 : 4;
    }
}

static void check_variables(const struct cubin *c)
{
    uint64_t all = 0, bytes = 0;
    FUZZ_CHECK(!c->const0_size || c->const0, "c0 without bytes");
    for (int i = 0; i < c->nconstants; i++) {
        const struct cubin_constant *k = &c->constant[i];
        FUZZ_CHECK(k->name && (uint64_t)k->offset + k->size <= c->const0_size &&
                       (!i || c->constant[i - 1].offset <= k->offset),
                   "constant %d: %u bytes at %u", i, k->size, k->offset);
    }
    for (int i = 0; i < c->nvariables; i++) {
        const struct cubin_variable *v = &c->variable[i];
        FUZZ_CHECK(v->name && v->size, "variable %d", i);
        for (uint32_t j = 0; v->init && j < v->size && j < 65536; j++)
            bytes += v->init[j];
        all += v->size;
    }
    FUZZ_CHECK(all <= 1 << 30 && bytes <= 255 * all, "variables of %llu bytes",
               (unsigned long long)all);
    for (int i = 0; i < c->naddresses; i++) {
        const struct cubin_address *a = &c->address[i];
        FUZZ_CHECK(a->variable >= 0 && a->variable < c->nvariables && a->offset % 4 == 0 &&
                       a->offset < 65536 && a->plus < c->variable[a->variable].size,
                   "address %d at c14[0x%x]: variable %d, %u", i, a->offset, a->variable, a->plus);
    }
}

void fuzz_check_cubin(const struct cubin *cubin)
{
    FUZZ_CHECK(cubin->nkernels > 0, "no kernel");
    check_variables(cubin);
    for (int i = 0; i < cubin->nkernels; i++) {
        const struct cubin_kernel *k = &cubin->kernel[i];
        FUZZ_CHECK(k->name && k->name[0] && cubin_find(cubin, k->name) == i, "kernel %d", i);
        FUZZ_CHECK(k->regs >= 0 && k->regs <= 128, "%s: %d registers", k->name, k->regs);
        FUZZ_CHECK(k->shared_bytes >= 0x10, "%s: %u bytes of shared memory", k->name,
                   k->shared_bytes);
        FUZZ_CHECK(k->ncode >= 1 && k->code[0].base == 0, "%s: no code at 0", k->name);
        FUZZ_CHECK(!k->const1_size || k->const1, "%s: c1 without bytes", k->name);
        for (int j = 0; j < k->nparams; j++)
            FUZZ_CHECK(!j || k->param[j - 1].offset <= k->param[j].offset,
                       "%s: parameter %d unsorted", k->name, j);
        for (int j = 0; j < k->nsymbols; j++)
            FUZZ_CHECK(k->symbol[j].name && (!j || k->symbol[j - 1].addr <= k->symbol[j].addr),
                       "%s: symbol %d unsorted", k->name, j);
        for (int j = 0; j < k->ncode; j++) {
            const struct cubin_code *c = &k->code[j];
            FUZZ_CHECK(c->size && c->size % 4 == 0 && c->base % 8 == 0 &&
                           (uint64_t)c->base + c->size <= 1ull << 32,
                       "%s: code 0x%x, 0x%x bytes", k->name, c->base, c->size);
            FUZZ_CHECK(!j || k->code[j - 1].base + (uint64_t)k->code[j - 1].size <= c->base,
                       "%s: code at 0x%x overlaps", k->name, c->base);
            check_code(c);
        }
    }
}

static void same_bytes(const char *what, const void *a, uint32_t size, const void *b,
                       uint32_t bsize)
{
    FUZZ_CHECK(size == bsize && (!size || memcmp(a, b, size) == 0), "%s: %u bytes became %u", what,
               size, bsize);
}

static void same_kernel(const struct cubin_kernel *a, const struct cubin_kernel *b)
{
    const char *n = a->name;
    FUZZ_CHECK(strcmp(n, b->name) == 0, "'%s' became '%s'", n, b->name);
    FUZZ_CHECK(a->regs == b->regs && a->barriers == b->barriers, "%s: registers, barriers", n);
    FUZZ_CHECK(a->shared_bytes == b->shared_bytes && a->local_bytes == b->local_bytes,
               "%s: shared %u became %u, local %u became %u", n, a->shared_bytes, b->shared_bytes,
               a->local_bytes, b->local_bytes);
    FUZZ_CHECK(a->nparams == b->nparams && a->ncode == b->ncode && a->nsymbols == b->nsymbols,
               "%s: %d parameters, %d codes, %d labels became %d, %d, %d", n, a->nparams, a->ncode,
               a->nsymbols, b->nparams, b->ncode, b->nsymbols);
    for (int i = 0; i < a->nparams; i++)
        FUZZ_CHECK(a->param[i].offset == b->param[i].offset && a->param[i].size == b->param[i].size,
                   "%s: parameter %d", n, i);
    for (int i = 0; i < a->ncode; i++) {
        FUZZ_CHECK(a->code[i].base == b->code[i].base, "%s: code %d", n, i);
        same_bytes("code", a->code[i].bytes, a->code[i].size, b->code[i].bytes, b->code[i].size);
    }
    for (int i = 0; i < a->nsymbols; i++)
        FUZZ_CHECK(a->symbol[i].addr == b->symbol[i].addr &&
                       strcmp(a->symbol[i].name, b->symbol[i].name) == 0,
                   "%s: label '%s' at 0x%x became '%s' at 0x%x", n, a->symbol[i].name,
                   a->symbol[i].addr, b->symbol[i].name, b->symbol[i].addr);
    same_bytes("c1", a->const1, a->const1_size, b->const1, b->const1_size);
    FUZZ_CHECK(!a->mangled == !b->mangled && (!a->mangled || strcmp(a->mangled, b->mangled) == 0),
               "%s: the host's name", n);
}

static void same_variables(const struct cubin *a, const struct cubin *b)
{
    FUZZ_CHECK(a->nvariables == b->nvariables && a->naddresses == b->naddresses,
               "%d variables, %d addresses became %d, %d", a->nvariables, a->naddresses,
               b->nvariables, b->naddresses);
    for (int i = 0; i < a->nvariables; i++) {
        const struct cubin_variable *v = &a->variable[i], *w = &b->variable[i];
        FUZZ_CHECK(strcmp(v->name, w->name) == 0 && v->size == w->size && !v->init == !w->init,
                   "variable '%s' of %u bytes became '%s' of %u", v->name, v->size, w->name,
                   w->size);
        if (v->init)
            same_bytes(v->name, v->init, v->size, w->init, w->size);
    }
    for (int i = 0; i < a->naddresses; i++)
        FUZZ_CHECK(a->address[i].offset == b->address[i].offset &&
                       a->address[i].variable == b->address[i].variable &&
                       a->address[i].plus == b->address[i].plus,
                   "address %d", i);
}

void fuzz_check_cubin_file(const struct cubin *cubin)
{
    /* A link, so that the file is written in place: no fsync for each input. */
    static char link[600];
    if (!link[0]) {
        snprintf(link, sizeof link, "%s/link.cubin", fuzz_dir());
        FUZZ_CHECK(symlink(fuzz_file("written.cubin", "", 0), link) == 0, "%s", link);
    }
    struct fl_err err = {{0}};
    struct cubin *again = NULL;
    FUZZ_CHECK(cubin_write(link, cubin, &err) == 0, "%s", err.msg);
    FUZZ_CHECK(cubin_read(link, &again, &err) == 0, "%s", err.msg);
    FUZZ_CHECK(cubin->nkernels == again->nkernels, "%d kernels became %d", cubin->nkernels,
               again->nkernels);
    FUZZ_CHECK(cubin->wide_code == again->wide_code, "wide code");
    FUZZ_CHECK(cubin->m64 == again->m64, "width of addresses");
    same_bytes("c0", cubin->const0, cubin->const0_size, again->const0, again->const0_size);
    same_variables(cubin, again);
    for (int i = 0; i < cubin->nkernels; i++)
        same_kernel(&cubin->kernel[i], &again->kernel[i]);
    cubin_free(again);
}
