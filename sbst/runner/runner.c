/* runner.c -- runs a self-test library over CUDA's driver API: one file of C99, to be compiled with library.c.
 *
 *     cc runner.c library.c -lcuda -o selftest
 *
 * Each test has a context of its own. It begins with the device as the test's job does, so a campaign of faultsim over the jobs says
 * what this program reports; and after a trap or an overrun, which end a context, the next test has a new one.
 * Exit status: 0 all tests right, 1 a test failed, 2 wrong usage, 3 not the machine of the library, 4 the library is damaged,
 * 5 the driver failed otherwise.
 */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "library.h"

enum { RIGHT, FAILED, USAGE, OTHER_MACHINE, DAMAGED, NO_DRIVER };
enum { MAX_BUFFERS = 64 };

static const struct selftest_library *const lib = &selftest_library;

/* ---- SHA-256, as FIPS 180-4 defines it ---- */

struct sha {
    unsigned h[8], w[16];
    unsigned long bytes;
};

static unsigned turn(unsigned x, int n)
{
    return x >> n | x << (32 - n);
}

/* The first 32 bits of the fractions of the cube roots of the first 64 primes. */
static const unsigned sha_k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static void sha_block(struct sha *s)
{
    unsigned v[8], w[64];
    memcpy(v, s->h, sizeof v);
    memcpy(w, s->w, sizeof s->w);
    for (int i = 16; i < 64; i++)
        w[i] = w[i - 16] + (turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ w[i - 15] >> 3) + w[i - 7] +
               (turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ w[i - 2] >> 10);
    for (int i = 0; i < 64; i++) {
        unsigned a = v[7] + (turn(v[4], 6) ^ turn(v[4], 11) ^ turn(v[4], 25)) +
                     ((v[4] & v[5]) ^ (~v[4] & v[6])) + sha_k[i] + w[i];
        unsigned b = (turn(v[0], 2) ^ turn(v[0], 13) ^ turn(v[0], 22)) +
                     ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += a;
        v[0] = a + b;
    }
    for (int i = 0; i < 8; i++)
        s->h[i] += v[i];
    memset(s->w, 0, sizeof s->w);
}

static void sha_add(struct sha *s, const unsigned char *p, unsigned long n)
{
    static const unsigned start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    if (!s->bytes)
        memcpy(s->h, start, sizeof start);
    for (; n; n--, s->bytes++) {
        s->w[s->bytes / 4 % 16] |= (unsigned)*p++ << (24 - s->bytes % 4 * 8);
        if (s->bytes % 64 == 63)
            sha_block(s);
    }
}

static void sha_end(struct sha *s, char hex[65])
{
    unsigned long bits = s->bytes * 8;
    unsigned char one = 0x80, zero = 0;
    sha_add(s, &one, 1);
    while (s->bytes % 64 != 56)
        sha_add(s, &zero, 1);
    s->w[14] = (unsigned)((unsigned long long)bits >> 32);
    s->w[15] = (unsigned)bits;
    sha_block(s);
    for (int i = 0; i < 8; i++)
        sprintf(hex + 8 * i, "%08x", s->h[i]);
}

/* ---- a test ---- */

struct response {
    CUresult error;      /* of the driver */
    int must;            /* the error that the test must end in; 0: none */
    unsigned long wrong; /* words */
    int output;          /* the first one with a wrong word */
    unsigned word, is, expected;
    int sm; /* of all wrong words; -1: of several, or not known */
    unsigned long long cycles;
    char sha256[65];
};

static const char *name_of(CUresult error)
{
    const char *name = "an unknown error";
    cuGetErrorName(error, &name);
    return name;
}

static int driver_failed(const char *call, CUresult error)
{
    fprintf(stderr, "selftest: %s: %s\n", call, name_of(error));
    return NO_DRIVER;
}

/* A launch has ended so. */
static int is_trap(CUresult error)
{
    return error == CUDA_ERROR_ILLEGAL_ADDRESS ||
           (error >= CUDA_ERROR_HARDWARE_STACK_ERROR && error <= CUDA_ERROR_LAUNCH_FAILED);
}

#define TRY(call)                                                                                  \
    do {                                                                                           \
        CUresult error_ = (call);                                                                  \
        if (error_)                                                                                \
            return error_;                                                                         \
    } while (0)

static CUresult fill(CUdeviceptr at, const struct selftest_buffer *b)
{
    return b->words ? cuMemcpyHtoD(at, b->words, b->bytes) : cuMemsetD32(at, b->word, b->bytes / 4);
}

static CUresult bind(CUmodule module, const struct selftest_texture *x, const CUdeviceptr *at)
{
    CUtexref r;
    CUDA_ARRAY_DESCRIPTOR size = {0};
    CUdeviceptr texels = at[x->buffer] + x->offset;
    size_t offset;
    size.Width = x->width;
    size.Height = x->height;
    size.Format = (CUarray_format)x->format;
    size.NumChannels = (unsigned)x->channels;
    TRY(cuModuleGetTexRef(&r, module, x->reference));
    TRY(cuTexRefSetFormat(r, size.Format, x->channels));
    for (int i = 0; i < 2; i++)
        TRY(cuTexRefSetAddressMode(r, i, (CUaddress_mode)x->mode[i]));
    TRY(cuTexRefSetFilterMode(r, x->linear ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT));
    TRY(cuTexRefSetFlags(r, (unsigned)x->flags));
    return x->height == 1 ? cuTexRefSetAddress(&offset, r, texels, x->pitch)
                          : cuTexRefSetAddress2D(r, &size, texels, x->pitch);
}

/* At the address that the test needs: a driver since CUDA 10.2 can do so. */
static CUresult place(CUdevice device, CUdeviceptr *at, const struct selftest_buffer *b)
{
#if CUDA_VERSION >= 10020 || defined(FAULTLINE_CUDA_H)
    CUmemAllocationProp p = {0};
    CUmemAccessDesc access = {0};
    CUmemGenericAllocationHandle memory;
    p.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    p.location.type = access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    p.location.id = access.location.id = device;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    TRY(cuMemAddressReserve(at, b->bytes, 0, b->address, 0));
    if (*at != b->address)
        return CUDA_ERROR_NOT_SUPPORTED;
    TRY(cuMemCreate(&memory, b->bytes, &p, 0));
    TRY(cuMemMap(*at, b->bytes, 0, memory, 0));
    TRY(cuMemRelease(memory)); /* with the map */
    return cuMemSetAccess(*at, b->bytes, &access, 1);
#else
    (void)device, (void)at, (void)b;
    return CUDA_ERROR_NOT_SUPPORTED;
#endif
}

/* Such memory outlives a context. */
static void remove_placed(const struct selftest_test *t)
{
#if CUDA_VERSION >= 10020 || defined(FAULTLINE_CUDA_H)
    for (int i = 0; i < t->buffers; i++)
        if (t->buffer[i].address && cuMemUnmap(t->buffer[i].address, t->buffer[i].bytes) == 0)
            cuMemAddressFree(t->buffer[i].address, t->buffer[i].bytes);
#else
    (void)t;
#endif
}

/* First the memory with addresses of its own, as the jobs have it. */
static CUresult set_up(const struct selftest_test *t, CUmodule module, CUdevice device,
                       CUdeviceptr *at)
{
    for (int placed = 1; placed >= 0; placed--)
        for (int i = 0; i < t->buffers; i++) {
            const struct selftest_buffer *b = &t->buffer[i];
            if ((b->address != 0) != placed)
                continue;
            TRY(placed ? place(device, &at[i], b) : cuMemAlloc(&at[i], b->bytes));
            TRY(fill(at[i], b));
        }
    if (t->constants) {
        CUdeviceptr constants;
        size_t bytes;
        TRY(cuModuleGetGlobal(&constants, &bytes, module, t->constants->name));
        TRY(fill(constants, t->constants));
    }
    for (int i = 0; i < t->textures; i++)
        TRY(bind(module, &t->texture[i], at));
    return CUDA_SUCCESS;
}

/* A trap or a run without an end is known when it has been waited for. */
static CUresult launch(CUmodule module, const struct selftest_launch *l, const CUdeviceptr *at)
{
    CUfunction f;
    unsigned block[64] = {0};
    size_t size = 0;
    for (int i = 0; i < l->params; i++) {
        const struct selftest_param *p = &l->param[i];
        block[p->offset / 4] = p->value + (p->buffer >= 0 ? (unsigned)at[p->buffer] : 0);
        size = p->offset + 4 > size ? p->offset + 4 : size;
    }
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, block, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                     CU_LAUNCH_PARAM_END};
    TRY(cuModuleGetFunction(&f, module, l->kernel));
    TRY(cuLaunchKernel(f, l->grid[0], l->grid[1], 1, l->block[0], l->block[1], l->block[2],
                       l->shared, 0, 0, l->params ? extra : 0));
    return cuCtxSynchronize();
}

/* One output against what is expected. */
static void compare(const struct selftest_test *t, int output, const unsigned *is,
                    struct response *r)
{
    const struct selftest_output *o = &t->output[output];
    for (unsigned i = 0; i < o->bytes / 4; i++) {
        unsigned expected = o->words ? o->words[i] : o->word;
        if (is[i] == expected)
            continue;
        if (!r->wrong++) {
            r->output = output;
            r->word = i;
            r->is = is[i];
            r->expected = expected;
            r->sm = o->sm;
        }
        if (r->sm != o->sm)
            r->sm = -1;
    }
}

static CUresult read_outputs(const struct selftest_test *t, const CUdeviceptr *at,
                             struct response *r)
{
    struct sha s = {{0}, {0}, 0};
    for (int i = 0; i < t->outputs; i++) {
        const struct selftest_output *o = &t->output[i];
        unsigned *is = malloc(o->bytes);
        if (!is)
            return CUDA_ERROR_OUT_OF_MEMORY;
        CUresult error = cuMemcpyDtoH(is, at[o->buffer] + o->offset, o->bytes);
        if (!error) {
            compare(t, i, is, r);
            sha_add(&s, (unsigned char *)is, o->bytes);
        }
        free(is);
        TRY(error);
    }
    sha_end(&s, r->sha256);
    return CUDA_SUCCESS;
}

/* In a context that is there. */
static CUresult run_in(const struct selftest_test *t, CUdevice device, int khz, struct response *r)
{
    CUmodule module;
    CUdeviceptr at[MAX_BUFFERS];
    CUevent start, end;
    float ms = 0;
    TRY(cuModuleLoadData(&module, lib->cubin));
    TRY(set_up(t, module, device, at));
    TRY(cuEventCreate(&start, CU_EVENT_DEFAULT));
    TRY(cuEventCreate(&end, CU_EVENT_DEFAULT));
    TRY(cuEventRecord(start, 0));
    for (int i = 0; i < t->launches; i++) {
        r->must = t->launch[i].error;
        TRY(launch(module, &t->launch[i], at));
    }
    TRY(cuEventRecord(end, 0));
    TRY(cuEventSynchronize(end));
    TRY(cuEventElapsedTime(&ms, start, end));
    r->cycles = (unsigned long long)((double)ms * khz + 0.5);
    return read_outputs(t, at, r);
}

static CUresult run(const struct selftest_test *t, CUdevice device, int khz, struct response *r)
{
    CUcontext context;
    memset(r, 0, sizeof *r);
    TRY(cuCtxCreate(&context, 0, device));
    CUresult error = run_in(t, device, khz, r);
    remove_placed(t);
    cuCtxDestroy(context);
    return error;
}

/* ---- what a response says ---- */

static int late(const struct selftest_test *t, const struct response *r)
{
    return r->cycles > t->limit;
}

/* A field of a line of faultsim dictionary --csv: "signature,size,id,job,sees,sha256,..." */
static const char *field(const char *line, int n, size_t *length)
{
    while (n-- > 0 && line)
        line = strchr(line, ',') ? strchr(line, ',') + 1 : 0;
    *length = line ? strcspn(line, ",\r\n") : 0;
    return line;
}

static int is_field(const char *line, int n, const char *text)
{
    size_t length;
    const char *at = field(line, n, &length);
    return at && length == strlen(text) && strncmp(at, text, length) == 0;
}

static int explains(const char *line, const struct selftest_test *t, const struct response *r)
{
    if (!is_field(line, 3, t->name))
        return 0;
    if (is_trap(r->error))
        return is_field(line, 4, "trap") || is_field(line, 4, "no-end");
    if (r->error || late(t, r))
        return is_field(line, 4, "no-end");
    return is_field(line, 4, "outputs") && is_field(line, 5, r->sha256);
}

static int is_of_another(const char *line)
{
    const char *cubin = strncmp(line, "# job=", 6) == 0 ? strstr(line, " cubin=") : 0;
    return cubin && strncmp(cubin + 7, lib->sha256, 64) != 0;
}

/* Why that file is no dictionary of this library; 0: it is one. The first line says how many faults there are. */
static const char *wrong_with(FILE *f)
{
    static const char head[] = "signature,size,id,job,sees,sha256,";
    char line[1024], last[128] = "";
    unsigned long listed = 0, faults = 0;
    int rows = 0, ended = 1;
    while (fgets(line, sizeof line, f)) {
        size_t n;
        const char *all = strncmp(line, "# faultline ", 12) == 0 ? strstr(line, " faults=") : 0;
        const char *id = field(line, 2, &n);
        ended = strchr(line, '\n') != 0;
        listed = all ? strtoul(all + 8, 0, 10) : listed;
        if (is_of_another(line))
            return "is a dictionary of another library; make it of the jobs of this one";
        if (rows && id && n < sizeof last && (strncmp(last, id, n) != 0 || last[n])) {
            faults++;
            sprintf(last, "%.*s", (int)n, id);
        }
        rows = rows || strncmp(line, head, sizeof head - 1) == 0;
    }
    if (!rows)
        return "is no dictionary; name a file of faultsim dictionary --csv";
    return !ended || (listed && faults != listed) ? "is cut short; make it again" : 0;
}

/* Before a test runs. */
static int check_dictionary(const char *dictionary)
{
    FILE *f = fopen(dictionary, "r");
    const char *wrong = f ? wrong_with(f)
                          : "cannot read it; name a file of faultsim dictionary --csv";
    if (wrong)
        fprintf(stderr, "selftest: %s: %s\n", dictionary, wrong);
    if (f)
        fclose(f);
    return wrong ? USAGE : RIGHT;
}

/* The faults that explain the response: unit, warp and bit are in their names. */
static void look_up(const char *dictionary, const struct selftest_test *t, const struct response *r)
{
    char line[1024];
    int faults = 0;
    FILE *f = fopen(dictionary, "r");
    while (f && fgets(line, sizeof line, f))
        if (explains(line, t, r)) {
            size_t n;
            const char *id = field(line, 2, &n);
            if (faults++ < 8)
                printf("  explained by %.*s\n", (int)n, id);
        }
    if (f)
        fclose(f);
    if (faults > 8)
        printf("  and by %d more\n", faults - 8);
    if (!faults)
        printf("  no fault of %s explains it\n", dictionary);
}

/* A line; whether the test failed. Without `cycles`, a fault that only changes the time of a test changes nothing that is said. */
static int report(const struct selftest_test *t, const struct response *r, int cycles)
{
    char sm[40] = "SM not known";
    if (lib->sms == 1 || (r->wrong && r->sm >= 0))
        sprintf(sm, "SM %d", lib->sms == 1 ? 0 : r->sm);
    printf("%-24s ", t->name);
    if ((int)r->error == r->must && !r->wrong && !late(t, r)) {
        printf(cycles && !r->must ? "right, %llu cycles\n" : "right\n", r->cycles);
        return 0;
    }
    printf("FAILED, %s, part %s: ", sm, t->part);
    if (is_trap(r->error))
        printf("trap, %s", name_of(r->error));
    else if (r->error == CUDA_ERROR_LAUNCH_TIMEOUT || (!r->wrong && late(t, r)))
        printf("overrun of %llu cycles", t->limit);
    else if (r->must)
        printf("no trap");
    else
        printf("wrong words: %lu, the first is %s[%u]: %08x, expected %08x", r->wrong,
               t->output[r->output].name, r->word, r->is, r->expected);
    if (r->must)
        printf(", expected %s", name_of((CUresult)r->must));
    printf("%s%s\n", *t->units ? "; gates of " : "", t->units);
    return 1;
}

/* ---- the machine ---- */

static int check_number(const char *what, int is, int expected)
{
    if (is == expected)
        return RIGHT;
    fprintf(stderr, "selftest: not the machine of the library: %s is %d here, and %d there\n", what,
            is, expected);
    return OTHER_MACHINE;
}

static int check_attribute(const char *what, CUdevice_attribute attribute, CUdevice d, int expected)
{
    int is = -1;
    CUresult error = cuDeviceGetAttribute(&is, attribute, d);
    return error ? driver_failed(what, error) : check_number(what, is, expected);
}

static int check_machine(CUdevice d)
{
    char name[128] = "";
    int major = 0, minor = 0, status;
    CUresult error = cuDeviceGetName(name, sizeof name, d);
    if (!error)
        error = cuDeviceComputeCapability(&major, &minor, d);
    if (error)
        return driver_failed("cuDeviceGetName", error);
    if (strcmp(name, lib->device) != 0) {
        fprintf(
            stderr,
            "selftest: not the machine of the library: this is %s, and the library is for %s; make "
            "one with sbstgen --library --profile\n",
            name, lib->device);
        return OTHER_MACHINE;
    }
    if ((status = check_number("the compute capability", 10 * major + minor,
                               10 * lib->major + lib->minor)) ||
        (status = check_attribute("the number of SMs", CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, d,
                                  lib->sms)) ||
        (status = check_attribute("the number of threads of an SM",
                                  CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, d,
                                  lib->threads)) ||
        (status = check_attribute("the number of registers",
                                  CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, d, lib->registers)))
        return status;
    return check_attribute("the shared memory", CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, d,
                           lib->shared);
}

/* What the table says of itself, before anything is run. */
static int check_library(void)
{
    struct sha s = {{0}, {0}, 0};
    char hex[65];
    sha_add(&s, lib->cubin, lib->bytes);
    sha_end(&s, hex);
    if (strcmp(hex, lib->sha256) != 0) {
        fprintf(stderr,
                "selftest: the cubin of the library is damaged: its SHA-256 is %.12s..., "
                "expected %.12s...\n",
                hex, lib->sha256);
        return DAMAGED;
    }
    for (int i = 0; i < lib->tests; i++)
        if (lib->test[i].buffers > MAX_BUFFERS) {
            fprintf(stderr, "selftest: test %s has more than %d buffers\n", lib->test[i].name,
                    MAX_BUFFERS);
            return DAMAGED;
        }
    return RIGHT;
}

/* ---- the command ---- */

struct asked {
    const char *test, *dictionary;
    unsigned long slot, cycles; /* of a slot; 0: no slots */
    int list, show_cycles;
};

static int usage(const char *text, const char *what)
{
    fprintf(stderr,
            "selftest: %s%s\n"
            "usage: selftest [--test NAME | --slot K --cycles N] [--dictionary FILE.csv] "
            "[--show-cycles] [--list]\n",
            text, what);
    return USAGE;
}

static int read_number(const char *text, unsigned long *out)
{
    char *end;
    *out = strtoul(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && *out ? RIGHT
                                                         : usage("no number from 1: ", text);
}

static int parse(int argc, char **argv, struct asked *a)
{
    int status = RIGHT;
    for (int i = 1; i < argc && !status; i++) {
        const char *option = argv[i];
        if (strcmp(option, "--list") == 0 || strcmp(option, "--show-cycles") == 0) {
            *(option[2] == 'l' ? &a->list : &a->show_cycles) = 1;
            continue;
        }
        const char *value = i + 1 < argc ? argv[++i] : 0;
        if (strcmp(option, "--test") && strcmp(option, "--slot") && strcmp(option, "--cycles") &&
            strcmp(option, "--dictionary"))
            return usage("unknown option ", option);
        if (!value)
            return usage("no value after ", option);
        if (strcmp(option, "--test") == 0)
            a->test = value;
        else if (strcmp(option, "--dictionary") == 0)
            a->dictionary = value;
        else
            status = read_number(value, strcmp(option, "--slot") ? &a->cycles : &a->slot);
    }
    if (!status && (!a->slot != !a->cycles || (a->slot && a->test)))
        return usage("--slot K and --cycles N go together, and not with --test", "");
    return status;
}

/* The slot of each test, from 1: as many tests as their limits of time allow; 0: a test is longer than a slot. */
static unsigned long slot_of(int test, unsigned long cycles)
{
    unsigned long slot = 1;
    unsigned long long used = 0;
    for (int i = 0; i <= test; i++) {
        if (lib->test[i].cycles > cycles)
            return 0;
        if (used + lib->test[i].cycles > cycles) {
            slot++;
            used = 0;
        }
        used += lib->test[i].cycles;
    }
    return slot;
}

static int wanted(const struct asked *a, int test)
{
    if (a->test)
        return strcmp(a->test, lib->test[test].name) == 0;
    return !a->slot || slot_of(test, a->cycles) == a->slot;
}

static int run_tests(const struct asked *a, CUdevice device)
{
    int khz = 0, ran = 0, failed = 0;
    CUresult error = cuDeviceGetAttribute(&khz, CU_DEVICE_ATTRIBUTE_CLOCK_RATE, device);
    if (error)
        return driver_failed("cuDeviceGetAttribute", error);
    for (int i = 0; i < lib->tests; i++) {
        struct response r;
        if (!wanted(a, i))
            continue;
        r.error = run(&lib->test[i], device, khz, &r);
        if (r.error && !is_trap(r.error) && r.error != CUDA_ERROR_LAUNCH_TIMEOUT)
            return driver_failed(lib->test[i].name, r.error);
        int bad = report(&lib->test[i], &r, a->show_cycles);
        if (bad && a->dictionary)
            look_up(a->dictionary, &lib->test[i], &r);
        fflush(stdout);
        ran++;
        failed += bad;
    }
    if (!ran && a->test)
        return usage("no test of that name: ", a->test);
    if (!ran)
        return usage("no test in that slot; the tests and their cycles: selftest --list", "");
    printf("%d of %d tests failed on %s\n", failed, ran, lib->device);
    return failed ? FAILED : RIGHT;
}

int main(int argc, char **argv)
{
    struct asked a = {0, 0, 0, 0, 0, 0};
    CUdevice device;
    int status = parse(argc, argv, &a);
    for (int i = 0; i < lib->tests && !status && a.cycles; i++)
        if (!slot_of(i, a.cycles))
            status = usage("a slot is shorter than test ", lib->test[i].name);
    if (!status && a.list) {
        for (int i = 0; i < lib->tests; i++)
            printf("%-24s part %s, %llu cycles, %d launches\n", lib->test[i].name,
                   lib->test[i].part, lib->test[i].cycles, lib->test[i].launches);
        return RIGHT;
    }
    status = status ? status : check_library();
    status = status || !a.dictionary ? status : check_dictionary(a.dictionary);
    if (status)
        return status;
    CUresult error = cuInit(0);
    if (!error)
        error = cuDeviceGet(&device, 0);
    if (error)
        return driver_failed("cuInit", error);
    status = check_machine(device);
    return status ? status : run_tests(&a, device);
}
