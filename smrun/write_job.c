/* write_job.c -- a job out of the options of smrun: in memory, and as a job.xml. */
#include "smrun.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "base/xml.h"

int smrun_bad(struct fl_err *err, const char *option, const char *value, const char *want)
{
    return fl_fail(err, "--%s %s: write %s", option, value, want);
}

static int dims(const char *option, const char *text, int count, uint32_t *out, struct fl_err *err)
{
    char *copy = fl_strdup(text), *rest = copy;
    int n = 0;
    bool ok = true;
    for (char *w = strsep(&rest, ","); w && ok; w = strsep(&rest, ","), n++)
        ok = n < count && xml_u32(w, &out[n]);
    free(copy);
    for (; n < count; n++)
        out[n] = 1;
    return ok ? 0 : smrun_bad(err, option, text, count == 2 ? "X,Y" : "X,Y,Z");
}

char *smrun_split(const char *text, char at, const char **value)
{
    const char *mark = strchr(text, at);
    *value = mark && mark != text ? mark + 1 : "";
    if (!**value)
        return NULL;
    return fl_format("%.*s", (int)(mark - text), text);
}

static int add_buffer(struct job *job, const char *text, struct fl_err *err)
{
    const char *value;
    char *name = smrun_split(text, '=', &value);
    if (!name)
        return smrun_bad(err, "buffer", text, "NAME=FILE or NAME=SIZE");
    job->buffer = fl_grow(job->buffer, (size_t)job->nbuffers + 1, sizeof *job->buffer);
    struct job_buffer *b = &job->buffer[job->nbuffers++];
    *b = (struct job_buffer){.name = name};
    if (xml_u32(value, &b->size)) {
        if (b->size > JOB_MAX_BYTES)
            return smrun_bad(err, "buffer", text, "a size of at most 1 GiB");
        b->init = fl_alloc(b->size);
        return 0;
    }
    struct fl_buf bytes = {0};
    fl_files_in(&job->files, "--buffer", value);
    if (fl_read_file(value, &bytes, err))
        return -1;
    b->init = bytes.data;
    b->size = (uint32_t)bytes.size;
    return 0;
}

/* Where the bytes of --const go: BANK:OFFSET, or a constant of the cubin by its name. `room` is
 * what the name has. */
static bool const_place(const struct job *job, const char *where, uint32_t *bank, uint32_t *at,
                        uint32_t *room)
{
    *room = JOB_MAX_CONST;
    for (int i = 0; i < job->cubin->nconstants; i++) {
        const struct cubin_constant *c = &job->cubin->constant[i];
        if (!strcmp(c->name, where)) {
            *bank = 0;
            *at = c->offset;
            *room = c->size;
            return true;
        }
    }
    const char *offset;
    char *bank_text = smrun_split(where, ':', &offset);
    bool ok = bank_text && xml_u32(bank_text, bank) && *bank < 16 && xml_u32(offset, at);
    free(bank_text);
    return ok;
}

static int add_const(struct job *job, const char *text, struct fl_err *err)
{
    const char *file;
    char *where = smrun_split(text, '=', &file);
    uint32_t bank, at, room;
    bool ok = where && const_place(job, where, &bank, &at, &room);
    free(where);
    if (!ok)
        return smrun_bad(err, "const", text,
                         "BANK:OFFSET=FILE or NAME=FILE, the name as --list shows it");
    struct fl_buf bytes = {0};
    fl_files_in(&job->files, "--const", file);
    if (fl_read_file(file, &bytes, err))
        return -1;
    if (bytes.size > room) {
        fl_fail(err,
                "--const %s: the file has %zu bytes and the constant %u; give a file of that size",
                text, bytes.size, room);
        fl_buf_free(&bytes);
        return -1;
    }
    job->konst = fl_grow(job->konst, (size_t)job->nconsts + 1, sizeof *job->konst);
    job->konst[job->nconsts++] = (struct job_const){
        .bank = (int)bank, .offset = at, .size = (uint32_t)bytes.size, .data = bytes.data};
    return 0;
}

static int buffer_param(const struct job *job, const char *text, const char *value, uint32_t *out,
                        struct fl_err *err)
{
    const char *plus = strrchr(value, '+');
    char *name = fl_format("%.*s", (int)(plus ? (size_t)(plus - value) : strlen(value)), value);
    uint32_t bytes = 0;
    int i = job_find_buffer(job, name);
    free(name);
    if (plus && !xml_u32(plus + 1, &bytes))
        return smrun_bad(err, "param", text, "WHERE:buf:NAME+BYTES");
    if (i < 0)
        return smrun_bad(err, "param", text, "the name of a --buffer");
    if (bytes > job->buffer[i].size)
        return smrun_bad(err, "param", text, "an offset inside the buffer");
    *out = job->buffer[i].addr + bytes;
    return 0;
}

static bool param_offset(const struct job *job, const char *name, uint32_t *offset,
                         struct fl_err *err)
{
    int kernel = cubin_find(job->cubin, job->launch[0].kernel);
    int i = kernel < 0 ? fl_fail(err, "the cubin has no kernel '%.200s'; --list shows which it has",
                                 job->launch[0].kernel)
                       : job_find_param(&job->cubin->kernel[kernel], name, err);
    if (i >= 0)
        *offset = JOB_PARAM0 + job->cubin->kernel[kernel].param[i].offset;
    return i >= 0;
}

static int add_param(struct job *job, const char *text, struct fl_err *err)
{
    static const char want[] =
        "WHERE:u32:VALUE, WHERE:s32:VALUE, WHERE:f32:VALUE or WHERE:buf:NAME, WHERE being the "
        "parameter's name or its offset";
    struct job_launch *l = &job->launch[0];
    const char *rest, *value;
    char *offset = smrun_split(text, ':', &rest),
         *type = offset ? smrun_split(rest, ':', &value) : NULL;
    struct job_param p = {0};
    int result = -1;
    bool known = type && (xml_u32(offset, &p.offset) || param_offset(job, offset, &p.offset, err));
    if (type && !known) {
        free(offset);
        free(type);
        return -1;
    }
    if (known && !strcmp(type, "buf"))
        result = buffer_param(job, text, value, &p.value, err);
    else if (known && ((!strcmp(type, "u32") && xml_u32(value, &p.value)) ||
                       (!strcmp(type, "s32") && xml_s32(value, &p.value)) ||
                       (!strcmp(type, "f32") && xml_f32(value, &p.value))))
        result = 0;
    else
        smrun_bad(err, "param", text, want);
    free(offset);
    free(type);
    if (result)
        return -1;
    l->param = fl_grow(l->param, (size_t)l->nparams + 1, sizeof *l->param);
    l->param[l->nparams++] = p;
    return 0;
}

/* The whole of every buffer is an output, so that the digest speaks of all the kernel did. */
static void add_outputs(struct job *job)
{
    job->output = fl_alloc((size_t)job->nbuffers * sizeof *job->output);
    job->noutputs = job->nbuffers;
    for (int i = 0; i < job->nbuffers; i++)
        job->output[i] = (struct job_output){
            .name = fl_strdup(job->buffer[i].name), .buffer = i, .size = job->buffer[i].size};
}

int smrun_build_job(const struct options *o, struct job *job, int *status, struct fl_err *err)
{
    *status = PROBLEM;
    const char *profile = o->machine.profile ? o->machine.profile : "g80";
    char *profile_file = profile_path(profile);
    job->path = fl_strdup(o->file);
    job->name = fl_strdup(o->kernel);
    fl_files_in(&job->files, "the cubin", o->file);
    fl_files_in(&job->files, "the profile", profile_file);
    free(profile_file);
    if (profile_load(profile, &job->profile, err) ||
        cubin_read(fl_input(o->file), &job->cubin, err))
        return -1;
    *status = USAGE;
    job->launch = fl_alloc(sizeof *job->launch);
    job->nlaunches = 1;
    struct job_launch *l = &job->launch[0];
    l->kernel = fl_strdup(o->kernel);
    if (dims("grid", o->grid ? o->grid : "1", 2, l->grid, err) ||
        dims("block", o->block ? o->block : "1", 3, l->block, err))
        return -1;
    if (o->shared && !xml_u32(o->shared, &l->shared))
        return smrun_bad(err, "shared", o->shared, "a number of bytes");
    for (int i = 0; i < o->buffer.count; i++)
        if (add_buffer(job, o->buffer.item[i], err))
            return -1;
    if (job_place(job, err))
        return -1;
    for (int i = 0; i < o->param.count; i++)
        if (add_param(job, o->param.item[i], err))
            return -1;
    for (int i = 0; i < o->konst.count; i++)
        if (add_const(job, o->konst.item[i], err))
            return -1;
    add_outputs(job);
    *status = PROBLEM;
    return job_finish(job, err);
}

/* ---- as job.xml ---- */

/* A value between quotes. Control characters have no form in XML. */
static void attribute(struct fl_buf *out, const char *name, const char *value)
{
    fl_buf_printf(out, " %s=\"", name);
    for (; *value; value++)
        fl_buf_printf(out,
                      *value == '&'   ? "&amp;"
                      : *value == '<' ? "&lt;"
                      : *value == '"' ? "&quot;"
                                      : "%c",
                      *value);
    fl_buf_printf(out, "\"");
}

/* `file` as a job at `path` names it: from the job's folder when it lies in there, else from the
 * root. */
static char *seen_from(const char *path, const char *file)
{
    char dir[PATH_MAX], whole[PATH_MAX];
    char *folder = fl_path_beside(path, ".");
    bool good = realpath(folder, dir) && realpath(file, whole);
    size_t n = good ? strlen(dir) : 0;
    free(folder);
    if (!good)
        return fl_strdup(file);
    return fl_strdup(strncmp(whole, dir, n) == 0 && whole[n] == '/' ? whole + n + 1 : whole);
}

static void print_file(const char *path, const char *file, struct fl_buf *out)
{
    char *name = seen_from(path, file);
    fl_buf_printf(out, "<file");
    attribute(out, "path", name);
    fl_buf_printf(out, "/>");
    free(name);
}

static void print_buffer(const char *path, const char *text, const struct job *job,
                         struct fl_buf *out)
{
    const char *value;
    uint32_t size;
    char *name = smrun_split(text, '=', &value);
    bool zeros = xml_u32(value, &size);
    fl_buf_printf(out, "  <buffer");
    attribute(out, "name", name);
    fl_buf_printf(out, " size=\"%u\"%s", job->buffer[job_find_buffer(job, name)].size,
                  zeros ? "/>\n" : ">");
    if (!zeros) {
        print_file(path, value, out);
        fl_buf_printf(out, "</buffer>\n");
    }
    free(name);
}

static void print_param(const struct cubin_kernel *k, const struct job_param *p, const char *text,
                        struct fl_buf *out)
{
    const char *rest, *value, *name = NULL;
    char *where = smrun_split(text, ':', &rest), *type = smrun_split(rest, ':', &value);
    bool buffer = strcmp(type, "buf") == 0;
    const char *plus = buffer ? strrchr(value, '+') : NULL;
    char *what = fl_format("%.*s", (int)(plus ? (size_t)(plus - value) : strlen(value)), value);
    for (int i = 0; i < k->nparams; i++)
        if (JOB_PARAM0 + k->param[i].offset == p->offset)
            name = k->param[i].name;
    fl_buf_printf(out, "    <param");
    if (name)
        attribute(out, "name", name);
    else
        fl_buf_printf(out, " offset=\"0x%x\"", p->offset);
    attribute(out, buffer ? "buffer" : type, what);
    if (plus)
        attribute(out, "plus", plus + 1);
    fl_buf_printf(out, "/>\n");
    free(what);
    free(where);
    free(type);
}

/* Is it a name that a job may have for a buffer or an output? */
static bool plain(const char *name)
{
    size_t n = strlen(name);
    for (const char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("_.-", *c))
            return false;
    return n >= 1 && n <= 63;
}

int smrun_print_job(const struct options *o, const struct job *job, const char *path,
                    struct fl_buf *out, struct fl_err *err)
{
    const struct job_launch *l = &job->launch[0];
    const char *profile = o->machine.profile ? o->machine.profile : "g80";
    size_t n = strlen(profile);
    bool shipped = !strchr(profile, '/') && !(n > 4 && strcmp(profile + n - 4, ".xml") == 0);
    char *cubin = seen_from(path, o->file);
    char *where = shipped ? fl_strdup(profile) : seen_from(path, profile);
    for (int i = 0; i < job->noutputs; i++)
        if (!plain(job->output[i].name))
            fl_fail(err, "buffer '%.80s': a job's names are 1 to 63 letters, digits, or . _ -",
                    job->output[i].name);
    fl_buf_printf(out, "<job");
    attribute(out, "profile", where);
    attribute(out, "cubin", cubin);
    fl_buf_printf(out, ">\n");
    for (int i = 0; i < o->buffer.count; i++)
        print_buffer(path, o->buffer.item[i], job, out);
    for (int i = 0; i < o->konst.count; i++) {
        fl_buf_printf(out, "  <constant bank=\"%d\" offset=\"0x%x\">", job->konst[i].bank,
                      job->konst[i].offset);
        print_file(path, strchr(o->konst.item[i], '=') + 1, out);
        fl_buf_printf(out, "</constant>\n");
    }
    fl_buf_printf(out, "  <launch");
    attribute(out, "kernel", l->kernel);
    attribute(out, "grid", o->grid ? o->grid : "1");
    attribute(out, "block", o->block ? o->block : "1");
    if (o->shared)
        attribute(out, "shared", o->shared);
    fl_buf_printf(out, ">\n");
    for (int i = 0; i < l->nparams; i++)
        print_param(&job->cubin->kernel[l->kernel_index], &l->param[i], o->param.item[i], out);
    fl_buf_printf(out, "  </launch>\n");
    for (int i = 0; i < job->noutputs; i++) {
        fl_buf_printf(out, "  <output");
        attribute(out, "name", job->output[i].name);
        attribute(out, "buffer", job->output[i].name);
        fl_buf_printf(out, "/>\n");
    }
    fl_buf_printf(out, "</job>\n");
    free(cubin);
    free(where);
    for (const uint8_t *c = out->data; *c; c++)
        if (*c < 0x20 && *c != '\n')
            return fl_fail(
                err, "%s: a name in it has a control character, which XML cannot hold; rename it",
                job->path);
    return err->msg[0] ? -1 : 0;
}
