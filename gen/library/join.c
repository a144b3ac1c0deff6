/* join.c -- many jobs with a cubin each become jobs over one cubin, and run once. */
#include "internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/xml.h"
#include "gen/sbst.h"
#include "sm/gpu/gpu.h"

#define STAGE ".sbstgen-"             /* folders on their way begin so */
enum { CYCLES_AT_MOST = 2000000000 }; /* the L2 of a large chip takes a quarter of it */

/* ---- folders on the way ---- */

static void remove_folder(const char *path);

/* Whoever works in such a folder holds it: *fd, or -1 on a file system without locks. False: another does, or it is gone. */
static bool hold_folder(const char *path, int *fd)
{
    *fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*fd < 0)
        return false;
    if (flock(*fd, LOCK_EX | LOCK_NB) == 0)
        return access(path, F_OK) == 0;
    bool none = errno != EWOULDBLOCK;
    close(*fd);
    *fd = -1;
    return none;
}

/* What killed runs have left. Without locks it stays: another run may be at work there. */
static void remove_left(const char *dir)
{
    DIR *d = opendir(dir);
    for (struct dirent *e; d && (e = readdir(d));) {
        char *path = fl_format("%s/%s", dir, e->d_name);
        int fd = -1;
        if (strncmp(e->d_name, STAGE, sizeof STAGE - 1) == 0 && hold_folder(path, &fd) && fd >= 0)
            remove_folder(path);
        if (fd >= 0)
            close(fd);
        free(path);
    }
    if (d)
        closedir(d);
}

int library_open(struct library *l, const char *dir, struct fl_err *err)
{
    *l = (struct library){.held = -1};
    bool held = false, good = sbst_make_folder(dir, NULL) == 0;
    if (good)
        remove_left(dir);
    /* Another run may take a new folder for one that was left. */
    for (int i = 0; i < 100 && good && !held; i++) {
        free(l->stage);
        l->stage = fl_format("%s/" STAGE "XXXXXX", dir);
        good = mkdtemp(l->stage);
        held = good && hold_folder(l->stage, &l->held);
        if (!held && l->held >= 0)
            close(l->held);
    }
    if (!held) {
        free(l->stage);
        *l = (struct library){.held = -1};
        return fl_fail(err, "%s: cannot write there; name another folder with --library", dir);
    }
    return 0;
}

char *library_stage(const struct library *l, const char *part)
{
    return fl_format("%s/%s", l->stage, part);
}

static void remove_folder(const char *path)
{
    DIR *d = opendir(path);
    for (struct dirent *e; d && (e = readdir(d));) {
        char *name = fl_format("%s/%s", path, e->d_name);
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0 && unlink(name) != 0)
            remove_folder(name);
        free(name);
    }
    if (d)
        closedir(d);
    rmdir(path);
}

void library_close(struct library *l)
{
    for (int i = 0; i < l->tests; i++) {
        struct library_test *t = &l->test[i];
        job_free(t->job);
        fl_buf_free(&t->text);
        free(t->name);
        free(t->part);
        free(t->units);
        free(t->stage);
        free(t->points);
        free(t->cycles);
        free(t->out);
    }
    free(l->test);
    fl_buf_free(&l->cubin);
    if (l->stage)
        remove_folder(l->stage);
    if (l->held >= 0)
        close(l->held);
    free(l->stage);
}

/* ---- jobs of a part ---- */

static int is_job(const struct dirent *e)
{
    size_t n = strlen(e->d_name);
    return n > 8 && strcmp(e->d_name + n - 8, ".job.xml") == 0;
}

static int is_list(const struct dirent *e)
{
    size_t n = strlen(e->d_name);
    return n > 13 && strcmp(e->d_name + n - 13, ".programs.xml") == 0;
}

/* What sbstgen --gates says of its programs; NULL: there is no such file. */
static int read_units(const char *folder, struct xml_file *f, struct fl_err *err)
{
    struct dirent **e;
    int n = scandir(folder, &e, is_list, alphasort), bad = 0;
    for (int i = 0; i < n; i++) {
        char *path = fl_format("%s/%s", folder, e[i]->d_name);
        bad = bad || (i == 0 && xml_read(path, "programs", "docs/sbst-programs.rng", f, err) != 0);
        free(path);
        free(e[i]);
    }
    if (n >= 0)
        free(e);
    return bad ? -1 : 0;
}

static const char *units_of(const struct xml_file *f, const char *job)
{
    for (xmlNode *n = f->doc ? xml_first(xmlDocGetRootElement(f->doc)) : NULL; n; n = xml_next(n))
        if (strcmp(xml_attr(n, "job"), job) == 0)
            return xml_attr(n, "units");
    return NULL;
}

/* Why no host of the driver API can run it as it is; NULL: one can. */
static const char *without_form(const struct job *job)
{
    if (job->cubin->ntextures || job->cubin->const0_size || job->cubin->nvariables)
        return "its cubin has textures, constants or variables of its own";
    for (int i = 0; i < job->nconsts; i++)
        if (job->konst[i].bank)
            return "the host has no form of banks of constants but c0";
    for (int i = 0; i < job->nlaunches; i++)
        if (job->launch[i].textures != job->ntextures)
            return "the host would bind textures between its launches";
    if (job_traps(job) && job->ntextures)
        return "the host has no texture reference for its fetches";
    if (job->nsteps)
        return "the host would act between its launches";
    for (int i = 0; i < job->nlaunches; i++)
        if (job->launch[i].back || job->launch[i].decides)
            return "the host would repeat launches";
    return NULL;
}

int library_add(struct library *l, const char *part, struct fl_err *err)
{
    char *folder = library_stage(l, part);
    struct dirent **e = NULL;
    struct xml_file list = {0};
    int n = scandir(folder, &e, is_job, alphasort), bad = read_units(folder, &list, err);
    for (int i = 0; i < n; i++) {
        l->test = fl_grow(l->test, (size_t)l->tests + 1, sizeof *l->test);
        struct library_test *t = &l->test[l->tests++];
        const char *units = units_of(&list, e[i]->d_name);
        *t = (struct library_test){
            .part = fl_strdup(part),
            .units = units ? fl_strdup(units) : NULL,
            .name = fl_format("%.*s", (int)strlen(e[i]->d_name) - 8, e[i]->d_name),
            .stage = fl_format("%s/%s", folder, e[i]->d_name)};
        bad = bad || job_load(t->stage, NULL, &t->job, err) != 0;
        t->left = bad ? NULL : without_form(t->job);
        free(e[i]);
    }
    free(e);
    if (list.doc)
        xml_close(&list);
    free(folder);
    return bad ? -1 : 0;
}

void library_leave(struct library *l, const char *part, const char *why)
{
    l->test = fl_grow(l->test, (size_t)l->tests + 1, sizeof *l->test);
    l->test[l->tests++] = (struct library_test){
        .part = fl_strdup(part), .name = fl_strdup(part), .left = why};
}

/* ---- one cubin ---- */

/* "rf_c_minus_test": of the test and its kernel. */
static char *kernel_name(const struct library_test *t, const char *kernel)
{
    char *name = fl_format("%s_%s", t->name, kernel);
    for (char *c = name; *c; c++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", *c))
            *c = '_';
    return name;
}

static int add_kernels(const struct library_test *t, struct cubin *all, struct fl_err *err)
{
    const struct cubin *c = t->job->cubin;
    all->wide_code |= c->wide_code;
    all->kernel = fl_grow(all->kernel, (size_t)(all->nkernels + c->nkernels), sizeof *all->kernel);
    for (int i = 0; i < c->nkernels; i++) {
        struct cubin_kernel k = c->kernel[i]; /* its code belongs to the job */
        k.name = kernel_name(t, k.name);
        k.nlines = 0;
        bool twice = cubin_find(all, k.name) >= 0;
        all->kernel[all->nkernels++] = k;
        if (twice)
            return fl_fail(err, "two kernels of the library would be called %s", k.name);
    }
    return 0;
}

uint32_t library_constants(const struct job *job, uint8_t **bytes)
{
    uint32_t size = 0;
    for (int i = 0; i < job->nconsts; i++)
        if (job->konst[i].offset + job->konst[i].size > size)
            size = job->konst[i].offset + job->konst[i].size;
    *bytes = fl_alloc(size ? size : 1);
    for (int i = 0; i < job->nconsts; i++)
        memcpy(*bytes + job->konst[i].offset, job->konst[i].data, job->konst[i].size);
    return size;
}

/* References to what the test binds, and room for its constants, which the host writes. */
static void add_names(const struct library_test *t, struct cubin *all)
{
    uint8_t *bytes;
    uint32_t size = library_constants(t->job, &bytes);
    free(bytes);
    all->const0_size = size > all->const0_size ? size : all->const0_size;
    for (int i = 0; i < t->job->ntextures; i++) {
        char name[LIBRARY_TEXTURE];
        library_texture(t->job->texture[i].unit, name);
        cubin_add_texture(all, name, (uint32_t)t->job->texture[i].unit, "");
    }
}

/* The job of a test, over the joint cubin, with a digest. */
static int rewrite_job(struct library_test *t, struct fl_err *err)
{
    struct xml_file f;
    xmlChar *text;
    int size, params = 0;
    if (xml_open(t->stage, "job", &f, err) != 0)
        return -1;
    xmlNode *root = xmlDocGetRootElement(f.doc);
    xmlSetProp(root, BAD_CAST "cubin", BAD_CAST LIBRARY_CUBIN);
    for (xmlNode *n = xml_first(root); n; n = xml_next(n))
        if (xml_is(n, "launch")) {
            char *name = kernel_name(t, xml_attr(n, "kernel"));
            xmlSetProp(n, BAD_CAST "kernel", BAD_CAST name);
            free(name);
            if (xml_attr(n, "trap")) {
                char *traps = library_traps(xml_attr(n, "trap"));
                xmlSetProp(n, BAD_CAST "trap", BAD_CAST traps);
                free(traps);
            }
            for (xmlNode *p = xml_first(n); p; p = xml_next(p)) {
                t->points = fl_grow(t->points, (size_t)params + 1, sizeof *t->points);
                t->points[params++] = xml_attr(p, "buffer");
            }
        }
    xmlDocDumpMemoryEnc(f.doc, &text, &size, "UTF-8");
    fl_buf_add(&t->text, text, (size_t)size);
    xmlFree(text);
    xml_close(&f);
    return 0;
}

/* ---- a run ---- */

struct ends { /* of launches */
    uint64_t *cycle;
};

static void note_end(void *context, int sm, uint32_t launch, uint32_t block, uint64_t cycle,
                     bool ends)
{
    struct ends *e = context;
    (void)sm;
    (void)block;
    if (ends && cycle > e->cycle[launch])
        e->cycle[launch] = cycle;
}

static void take_outputs(struct library_test *t, const struct gpu *g)
{
    size_t size = 0;
    for (int i = 0; i < t->job->noutputs; i++)
        size += t->job->output[i].size;
    uint8_t *at = t->out = fl_alloc(size ? size : 1); /* a job that must trap has none */
    for (int i = 0; i < t->job->noutputs; i++) {
        const struct job_output *o = &t->job->output[i];
        gpu_read_global(g, t->job->buffer[o->buffer].addr + o->offset, at, o->size);
        at += o->size;
    }
    library_sha256(t->out, size, t->sha256);
}

static int run(struct library_test *t, struct fl_err *err)
{
    struct job *job = t->job;
    struct sm_image *img = sm_image_new(job, err);
    if (!img)
        return -1;
    struct gpu *g = gpu_new(img);
    struct ends e = {t->cycles = fl_alloc((size_t)job->nlaunches * sizeof *t->cycles)};
    g->log = &(struct gpu_log){note_end, &e};
    gpu_run(g, CYCLES_AT_MOST);
    int bad = gpu_ended_rightly(g) ? 0
              : gpu_trap(g) ? fl_fail(err, "test %s traps: %s", t->name, sm_trap_name(gpu_trap(g)))
                            : fl_fail(err, "test %s does not end in %d cycles, or not in its trap",
                                      t->name, CYCLES_AT_MOST);
    if (!bad) {
        t->total = gpu_cycles(g);
        t->instructions = gpu_instructions(g);
        e.cycle[job->nlaunches - 1] = t->total;
        for (int i = job->nlaunches; i-- > 1;)
            e.cycle[i] -= e.cycle[i - 1];
        take_outputs(t, g);
        char hex[65];
        fl_hex(job->digest, sizeof job->digest, hex);
        if (job->has_digest && strcmp(hex, t->sha256) != 0)
            bad = fl_fail(err, "test %s has other outputs in the joint cubin than alone", t->name);
    }
    gpu_free(g);
    sm_image_free(img);
    return bad;
}

static void sign(struct library_test *t)
{
    static const char end[] = "</job>\n";
    t->text.size -= sizeof end - 1;
    fl_buf_printf(&t->text, "  <digest sha256=\"%s\"/>\n%s", t->sha256, end);
}

/* The job is read again from its file beside the joint cubin. */
static int measure(const struct library *l, struct library_test *t, struct fl_err *err)
{
    char *path = fl_format("%s/%s.job.xml", l->stage, t->name);
    bool signed_already = t->job->has_digest;
    job_free(t->job);
    t->job = NULL;
    int bad = rewrite_job(t, err) != 0 ||
              fl_write_file(path, t->text.data, t->text.size, err) != 0 ||
              job_load(path, NULL, &t->job, err) != 0 || run(t, err) != 0;
    if (!bad && !signed_already && t->job->noutputs)
        sign(t);
    free(path);
    return bad ? -1 : 0;
}

int library_join(struct library *l, struct fl_err *err)
{
    struct cubin all = {0};
    struct cubin_constant constants = {.name = LIBRARY_CONSTANTS};
    char *path = fl_format("%s/%s", l->stage, LIBRARY_CUBIN);
    int bad = 0;
    for (int i = 0; i < l->tests && !bad; i++) {
        bad = !l->test[i].left && add_kernels(&l->test[i], &all, err) != 0;
        if (!l->test[i].left)
            add_names(&l->test[i], &all);
    }
    if (all.const0_size) {
        constants.size = all.const0_size;
        all.const0 = fl_alloc(all.const0_size);
        all.constant = &constants;
        all.nconstants = 1;
    }
    bad = bad || cubin_write_memory(&all, &l->cubin, err) != 0 ||
          fl_write_file(path, l->cubin.data, l->cubin.size, err) != 0;
    l->kernels = all.nkernels;
    l->bytes = 0;
    for (int i = 0; i < all.nkernels; i++) {
        for (int c = 0; c < all.kernel[i].ncode; c++)
            l->bytes += (int)all.kernel[i].code[c].size;
        free(all.kernel[i].name);
    }
    free(all.kernel);
    for (int i = 0; i < all.ntextures; i++)
        free(all.texture[i].name);
    free(all.texture);
    free(all.const0);
    for (int i = 0; i < l->tests && !bad; i++)
        bad = !l->test[i].left && measure(l, &l->test[i], err) != 0;
    free(path);
    return bad ? -1 : 0;
}
