/* write.c -- the files of a library; and whether they are still as they were written.
 *
 * All are written into the stage, and then take the place of those of an earlier library. The manifest makes a folder a library: the
 * old one goes away first and the new one comes last, so none stands beside files that are not its own.
 */
#include "internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xml.h"
#include "gen/sbst.h"

/* Written as they are in the data folder: sbst/runner. */
static const char *const copied[] = {"library.h", "runner.c"};
enum { COPIED = sizeof copied / sizeof *copied };

/* Without the kernels of tests that have been left out since. */
static int trim(struct library *l, int count, struct fl_err *err)
{
    struct cubin all = *l->test[0].job->cubin;
    all.kernel = fl_alloc((size_t)all.nkernels * sizeof *all.kernel);
    all.nkernels = l->bytes = 0;
    for (int i = 0; i < count; i++) {
        const struct job *job = l->test[i].job;
        for (int k = 0; k < job->nlaunches; k++) {
            const struct cubin_kernel *from = &job->cubin->kernel[job->launch[k].kernel_index];
            if (cubin_find(&all, from->name) >= 0)
                continue;
            all.kernel[all.nkernels++] = *from;
            for (int c = 0; c < from->ncode; c++)
                l->bytes += (int)from->code[c].size;
        }
    }
    l->kernels = all.nkernels;
    fl_buf_free(&l->cubin);
    int bad = cubin_write_memory(&all, &l->cubin, err);
    free(all.kernel);
    return bad;
}

static void print(const struct library *l, int count, const struct library_options *o,
                  struct fl_buf *report)
{
    uint64_t cycles = 0;
    const char *part = "";
    for (int i = 0; i < count; i++)
        cycles += l->test[i].total;
    fl_buf_printf(report,
                  "%s: %d tests, %d kernels, %d bytes of code, %" PRIu64
                  " cycles; machine %s with %d SM%s of %d SPs\n",
                  o->dir, count, l->kernels, l->bytes, cycles, l->test[0].job->profile.name,
                  l->test[0].job->profile.sms, l->test[0].job->profile.sms == 1 ? "" : "s",
                  l->test[0].job->profile.sps);
    for (int i = count; i < l->tests; i++)
        fl_buf_printf(report, "%sleft out: %s (%s)\n", part, l->test[i].name, l->test[i].left);
    fl_buf_printf(report,
                  "manifest %s/" LIBRARY_MANIFEST ", table library.c, host program runner.c, a job "
                  "for each test\n",
                  o->dir);
}

static int put_file(const char *dir, const char *name, const struct fl_buf *b, struct fl_err *err)
{
    char *path = fl_format("%s/%s", dir, name);
    int bad = fl_write_file(path, b->data, b->size, err);
    free(path);
    return bad;
}

static int put_tests(const struct library *l, int count, const char *dir, struct fl_err *err)
{
    int bad = 0;
    for (int i = 0; i < count && !bad; i++) {
        char *name = fl_format("%s.job.xml", l->test[i].name);
        bad = put_file(dir, name, &l->test[i].text, err);
        free(name);
    }
    return bad;
}

struct names {
    char **name;
    int count;
};

static void add_name(struct names *n, char *name)
{
    n->name = fl_grow(n->name, (size_t)n->count + 1, sizeof *n->name);
    n->name[n->count++] = name;
}

static void free_names(struct names *n)
{
    while (n->count-- > 0)
        free(n->name[n->count]);
    free(n->name);
}

/* All files of the library, the manifest last. */
static struct names list_names(const struct library *l, int count)
{
    struct names n = {0};
    for (int i = 0; i < count; i++)
        add_name(&n, fl_format("%s.job.xml", l->test[i].name));
    for (int i = 0; i < COPIED; i++)
        add_name(&n, fl_strdup(copied[i]));
    add_name(&n, fl_strdup(LIBRARY_CUBIN));
    add_name(&n, fl_strdup("library.c"));
    add_name(&n, fl_strdup(LIBRARY_MANIFEST));
    return n;
}

static int read_copied(struct library_file *to, struct fl_err *err)
{
    int bad = 0;
    for (int i = 0; i < COPIED && !bad; i++) {
        char *rel = fl_format("sbst/runner/%s", copied[i]), *path = xml_data_file(rel);
        to[i].name = copied[i];
        bad = fl_read_text(path, &to[i].bytes, err);
        free(path);
        free(rel);
    }
    return bad;
}

/* Before them the jobs of an earlier library in this folder: they are over its cubin, which goes. */
static void add_older_jobs(struct names *n, const char *manifest)
{
    struct xml_file f;
    struct fl_err none;
    struct names all = {0};
    bool there = access(manifest, F_OK) == 0 && xml_open(manifest, "library", &f, &none) == 0;
    for (xmlNode *e = there ? xml_first(xmlDocGetRootElement(f.doc)) : NULL; e; e = xml_next(e)) {
        const char *job = xml_is(e, "test") ? xml_attr(e, "job") : NULL;
        int i = job && !strchr(job, '/') ? 0 : n->count;
        while (i < n->count && strcmp(n->name[i], job) != 0)
            i++;
        if (job && !strchr(job, '/') && i == n->count)
            add_name(&all, fl_strdup(job));
    }
    for (int i = 0; i < n->count; i++)
        add_name(&all, n->name[i]);
    free(n->name);
    *n = all;
    if (there)
        xml_close(&f);
}

static int put_all(const struct library *l, int count, const struct library_file *file, int files,
                   const struct fl_buf *manifest, const char *stage, struct fl_err *err)
{
    int bad = sbst_make_folder(stage, err) != 0 || put_tests(l, count, stage, err) != 0;
    for (int i = 0; i < files && !bad; i++)
        bad = put_file(stage, file[i].name, &file[i].bytes, err);
    return bad || put_file(stage, LIBRARY_MANIFEST, manifest, err) != 0 ? -1 : 0;
}

int library_write(struct library *l, const struct library_options *o, struct fl_buf *report,
                  struct fl_err *err)
{
    struct library_file file[] = {{.name = LIBRARY_CUBIN}, {.name = "library.c"}, {0}, {0}};
    enum { FILES = sizeof file / sizeof *file };
    struct fl_buf manifest = {0};
    struct names names = {0};
    char *path = fl_format("%s/" LIBRARY_MANIFEST, o->dir), *stage = library_stage(l, "library");
    int count = 0, bad = library_join(l, err) != 0 || library_order(l, o, &count, err) != 0 ||
                         trim(l, count, err) != 0 || read_copied(file + FILES - COPIED, err) != 0;
    if (!bad) {
        names = list_names(l, count);
        fl_buf_add(&file[0].bytes, l->cubin.data, l->cubin.size);
        library_table(l, count, o, &file[1].bytes);
    }
    bad = bad || sbst_check_outputs(o->dir, names.name, names.count, o->read, err) != 0 ||
          library_manifest(l, count, o, file, FILES, &manifest, err) != 0 ||
          put_all(l, count, file, FILES, &manifest, stage, err) != 0;
    if (!bad) {
        add_older_jobs(&names, path);
        bad = sbst_replace_files(names.name, names.count, stage, o->dir, err);
    }
    if (!bad)
        print(l, count, o, report);
    for (int i = 0; i < FILES; i++)
        fl_buf_free(&file[i].bytes);
    fl_buf_free(&manifest);
    free_names(&names);
    free(stage);
    free(path);
    return bad ? -1 : 0;
}

/* ---- whether they still are ---- */

static int check_file(const char *manifest, const char *name, const char *digest,
                      struct fl_err *err)
{
    char *path = fl_path_beside(manifest, name), hex[65];
    struct fl_buf bytes = {0};
    int bad = fl_read_file(path, &bytes, err);
    if (!bad) {
        library_sha256(bytes.data, bytes.size, hex);
        bad = strcmp(hex, digest) != 0
                  ? fl_fail(err,
                            "%s: is not the file that %s names (SHA-256 %.12s, and there %.12s): "
                            "cut short, changed, or of another library; make the library again",
                            path, manifest, hex, digest)
                  : 0;
    }
    fl_buf_free(&bytes);
    free(path);
    return bad;
}

static int check_seal(const char *path, struct fl_err *err)
{
    struct fl_buf text = {0};
    char hex[65];
    int bad = fl_read_text(path, &text, err);
    if (!bad) {
        fl_buf_add(&text, "", 1);
        const char *at = library_seal(&text, hex);
        if (!at || strncmp(at, hex, 64) != 0)
            bad = fl_fail(err, "%s: has been changed since sbstgen wrote it; make it again", path);
    }
    fl_buf_free(&text);
    return bad;
}

static int check_machine(const struct xml_file *f, const xmlNode *n, struct fl_err *err)
{
    static const char *const size[] = {"sms", "sps", "threads", "registers", "shared"};
    struct profile p;
    uint32_t there = 0;
    struct fl_err why;
    if (profile_load(xml_attr(n, "profile"), &p, &why) != 0)
        return xml_fail(f, n, err, "%s", why.msg);
    const int is[] = {p.sms, p.sps, p.threads_per_sm, p.regs, p.shared_bytes};
    for (int i = 0; i < 5; i++)
        if (xml_attr_u32(f, n, size[i], 0, UINT32_MAX, &there, err) != 0)
            return -1;
        else if ((uint32_t)is[i] != there)
            return xml_fail(f, n, err,
                            "the library is of a machine with %s=\"%u\", and profile %s has %d: "
                            "another machine; make the library again",
                            size[i], there, p.name, is[i]);
    return 0;
}

int library_check(const char *path, struct fl_buf *report, struct fl_err *err)
{
    struct xml_file f;
    int tests = 0, bad = 0;
    if (xml_read(path, "library", "docs/library.rng", &f, err) != 0)
        return -1;
    const xmlNode *root = xmlDocGetRootElement(f.doc);
    const char *results = xml_attr(root, "results");
    if (check_seal(path, err) != 0)
        bad = -1;
    else if (strcmp(results, FAULTLINE_RESULTS) != 0)
        bad = xml_fail(&f, root, err,
                       "the library is of results %s, and this program's are %s: another version; "
                       "make the library again",
                       results, FAULTLINE_RESULTS);
    for (xmlNode *n = xml_first(root); n && !bad; n = xml_next(n)) {
        if (xml_is(n, "machine"))
            bad = check_machine(&f, n, err);
        else if (xml_is(n, "file"))
            bad = check_file(path, xml_attr(n, "name"), xml_attr(n, "digest"), err);
        else if (xml_is(n, "test"))
            bad = check_file(path, xml_attr(n, "job"), xml_attr(n, "job_sha256"), err);
        tests += xml_is(n, "test");
    }
    if (!bad)
        fl_buf_printf(report, "%s: as sbstgen wrote it, %d tests\n", path, tests);
    xml_close(&f);
    return bad ? -1 : 0;
}
