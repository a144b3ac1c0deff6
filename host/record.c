/* record.c -- see record.h. Data goes into data.bin at once, what the host does into the text of job.xml, which is kept until the end. */
#include "record.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <nettle/sha2.h>

#include "base/hash.h"
#include "machine.h"

enum { MAX_NAME = 63 };

struct recorder {
    char *folder, *profile;
    struct fl_out data;
    struct sha256_ctx read; /* all that the program has read */
    uint64_t written;       /* bytes in data.bin */
    int launches, actions, reads;
    struct recorded *buffer;
    int nbuffers;
    struct fl_buf modules, steps; /* text */
    size_t in_launch;             /* where the attributes of the last launch end in it */
};

struct recorded {        /* what is known of a buffer of the job */
    char *name;          /* NULL: it has none yet */
    struct fl_buf first; /* its contents at the first launch, as text; empty: zeros */
    /* what kernels have found in it, of cubin_elements; "": several types, or none; NULL: no kernel has got it */
    const char *element;
};

static char *in_folder(const struct recorder *r, const char *file)
{
    return fl_format("%s/%s", r->folder, file);
}

char *record_folder(const char *folder, int n)
{
    return n == 1 ? fl_strdup(folder) : fl_format("%s/%d", folder, n);
}

void record_module_name(int number, char name[RECORD_MODULE])
{
    snprintf(name, RECORD_MODULE, "module%d", number + 1);
}

int record_module(struct recorder *r, int number, const void *cubin, size_t size,
                  struct fl_err *err)
{
    char name[RECORD_MODULE] = "program";
    if (number)
        record_module_name(number, name);
    char *file = fl_format("%s.cubin", name), *path = in_folder(r, file);
    int bad = fl_write_file(path, cubin, size, err);
    if (!bad && number)
        fl_buf_printf(&r->modules, "  <module name=\"%s\" cubin=\"%s\"/>\n", name, file);
    free(file);
    free(path);
    return bad;
}

struct recorder *record_open(const char *folder, const char *profile, struct fl_err *err)
{
    struct recorder *r = fl_alloc(sizeof *r);
    char *absolute = realpath(folder, NULL); /* the program may change its folder before it ends */
    *r = (struct recorder){.folder = absolute ? absolute : fl_strdup(folder)};
    r->profile = strchr(profile, '/') ? realpath(profile, NULL) : fl_strdup(profile);
    char *data = in_folder(r, "data.bin");
    int bad = fl_out_open(&r->data, data, err);
    r->data.path = data; /* which messages name */
    sha256_init(&r->read);
    if (!bad) { /* a child of fork that ends by exit() would write what a buffer holds once more */
        setvbuf(r->data.f, NULL, _IONBF, 0);
        return r;
    }
    free(data);
    free(r->folder);
    free(r->profile);
    free(r);
    return NULL;
}

static void put_bytes(struct recorder *r, const void *bytes, uint32_t size)
{
    fwrite(bytes, 1, size, r->data.f);
    r->written += size;
}

/* As the content of an element: bytes in data.bin. */
static void put_file(struct recorder *r, struct fl_buf *to, const void *bytes, uint32_t size)
{
    fl_buf_printf(to, "<file path=\"data.bin\" offset=\"%" PRIu64 "\" size=\"%u\"/>", r->written,
                  size);
    put_bytes(r, bytes, size);
}

static bool is_zero(const uint8_t *bytes, uint32_t size)
{
    return size == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, size - 1) == 0);
}

static bool is_taken(const struct recorder *r, const char *name)
{
    for (int i = 0; i < r->nbuffers; i++)
        if (r->buffer[i].name && strcmp(r->buffer[i].name, name) == 0)
            return true;
    return false;
}

static struct recorded *buffer_of(struct recorder *r, int buffer)
{
    if (buffer >= r->nbuffers) {
        r->buffer = fl_grow(r->buffer, (size_t)buffer + 1, sizeof *r->buffer);
        memset(r->buffer + r->nbuffers, 0, (size_t)(buffer + 1 - r->nbuffers) * sizeof *r->buffer);
        r->nbuffers = buffer + 1;
    }
    return &r->buffer[buffer];
}

/* A kernel finds such elements in it. */
static void note_element(struct recorder *r, int buffer, const char *element)
{
    struct recorded *b = buffer_of(r, buffer);
    b->element = !b->element || strcmp(b->element, element) == 0 ? element : "";
}

/* The buffer's name; one without gets `wanted`, when nobody has it, or one with a number. */
static const char *name_of(struct recorder *r, int buffer, const char *wanted)
{
    struct recorded *b = buffer_of(r, buffer);
    if (b->name)
        return b->name;
    char name[MAX_NAME + 1];
    snprintf(name, sizeof name, "%s", wanted);
    for (int i = buffer + 1; !*wanted || is_taken(r, name); i++)
        if (snprintf(name, sizeof name, "%.50s%d", *wanted ? wanted : "buffer", i),
            !is_taken(r, name))
            break;
    b->name = fl_strdup(name);
    return b->name;
}

static void name_buffers(struct recorder *r, const struct job *job)
{
    for (int i = 0; i < job->nbuffers; i++)
        name_of(r, i, job->buffer[i].name ? job->buffer[i].name : "");
}

/* Contents at the first launch, with zeros behind them: the buffer may grow when it is given again. */
static void keep_contents(struct recorder *r, const struct job *job, struct machine *m)
{
    for (int i = 0; i < job->nbuffers; i++) {
        const struct job_buffer *b = &job->buffer[i];
        uint32_t room = machine_room(b->size);
        uint8_t *bytes = fl_alloc(room);
        machine_read(m, b->addr - JOB_BASE, bytes, b->size);
        if (!is_zero(bytes, b->size)) {
            fl_buf_printf(&r->buffer[i].first, "<file path=\"data.bin\" offset=\"%" PRIu64 "\"",
                          r->written);
            put_bytes(r, bytes, room);
        }
        free(bytes);
    }
}

static void put_buffers(const struct recorder *r, const struct job *job, struct fl_buf *text)
{
    for (int i = 0; i < job->nbuffers; i++) {
        const struct job_buffer *b = &job->buffer[i];
        fl_buf_printf(text, "  <buffer name=\"%s\" size=\"%u\" address=\"0x%x\"", r->buffer[i].name,
                      b->size, b->addr);
        const struct fl_buf *first = &r->buffer[i].first;
        if (first->size)
            fl_buf_printf(text, ">%.*s size=\"%u\"/></buffer>\n", (int)first->size,
                          (char *)first->data, b->size);
        else
            fl_buf_printf(text, "/>\n");
    }
}

static int buffer_at(const struct job *job, uint32_t addr)
{
    for (int i = 0; i < job->nbuffers; i++)
        if (addr - job->buffer[i].addr < job->buffer[i].size)
            return i;
    return -1;
}

/* The kernel's argument that begins there, or NULL. */
static const struct cubin_param *argument_at(const struct cubin_kernel *k, uint32_t offset)
{
    for (int i = 0; i < k->nparams; i++)
        if (JOB_PARAM0 + k->param[i].offset == offset)
            return &k->param[i];
    return NULL;
}

static void put_param(struct recorder *r, const struct job *job, const struct cubin_kernel *k,
                      const struct job_param *p)
{
    const struct cubin_param *a = argument_at(k, p->offset);
    int buffer = a && strcmp(a->type, "ptr") == 0 ? buffer_at(job, p->value) : -1;
    if (a && a->name)
        fl_buf_printf(&r->steps, "    <param name=\"%s\"", a->name);
    else
        fl_buf_printf(&r->steps, "    <param offset=\"0x%x\"", p->offset);
    if (buffer < 0)
        fl_buf_printf(&r->steps, " u32=\"%u\"/>\n", p->value);
    else if (p->value == job->buffer[buffer].addr)
        fl_buf_printf(&r->steps, " buffer=\"%s\"/>\n", name_of(r, buffer, ""));
    else
        fl_buf_printf(&r->steps, " buffer=\"%s\" plus=\"%u\"/>\n", name_of(r, buffer, ""),
                      p->value - job->buffer[buffer].addr);
}

void record_variables(struct recorder *r, const struct job *job)
{
    for (int i = 0; i < job->nbuffers; i++)
        if (job->buffer[i].name)
            name_of(r, i, job->buffer[i].name);
}

void record_launch(struct recorder *r, const struct job *job, struct machine *m,
                   const struct job_launch *l)
{
    const struct cubin_kernel *k = &job->cubin->kernel[l->kernel_index];
    record_variables(r, job);
    for (int i = 0; i < l->nparams;
         i++) { /* a buffer is called as the argument that it comes in by */
        const struct cubin_param *a = argument_at(k, l->param[i].offset);
        int buffer = a && a->name && strcmp(a->type, "ptr") == 0 ? buffer_at(job, l->param[i].value)
                                                                 : -1;
        if (buffer < 0)
            continue;
        name_of(r, buffer, a->name);
        int element = cubin_element(a->element, strlen(a->element));
        bool whole = element >= 0 &&
                     (l->param[i].value - job->buffer[buffer].addr) %
                             (uint32_t)job_element_size((enum job_element)element) ==
                         0;
        note_element(r, buffer, whole ? a->element : "");
    }
    name_buffers(r, job);
    if (r->launches == 0)
        keep_contents(r, job, m);
    fl_buf_printf(&r->steps, "  <launch kernel=\"%s\" grid=\"%u,%u\" block=\"%u,%u,%u\"", k->name,
                  l->grid[0], l->grid[1], l->block[0], l->block[1], l->block[2]);
    if (l->shared)
        fl_buf_printf(&r->steps, " shared=\"%u\"", l->shared);
    r->in_launch = r->steps.size;
    fl_buf_printf(&r->steps, l->nparams ? ">\n" : "/>\n");
    for (int i = 0; i < l->nparams; i++)
        if (l->param[i].value || i == l->nparams - 1) /* what is not named is 0, up to the last */
            put_param(r, job, k, &l->param[i]);
    if (l->nparams)
        fl_buf_printf(&r->steps, "  </launch>\n");
    r->launches++;
}

void record_trap(struct recorder *r, const char *trap)
{
    struct fl_buf behind = {0};
    fl_buf_add(&behind, r->steps.data + r->in_launch, r->steps.size - r->in_launch);
    r->steps.size = r->in_launch;
    fl_buf_printf(&r->steps, " trap=\"%s\"", trap);
    fl_buf_add(&r->steps, behind.data, behind.size);
    fl_buf_free(&behind);
}

void record_texture(struct recorder *r, const struct job *job, const struct job_texture *x,
                    const char *name)
{
    static const char *const address[2][2] = {{"clamp", "clamp,wrap"}, {"wrap,clamp", "wrap"}};
    const struct texture *t = &x->texture;
    record_variables(r, job);
    fl_buf_printf(&r->steps,
                  "  <texture name=\"%s\" buffer=\"%s\" offset=\"%u\" width=\"%u\" height=\"%u\" "
                  "pitch=\"%u\" format=\"%s\" channels=\"%u\" address=\"%s\" filter=\"%s\" "
                  "normalized=\"%s\"/>\n",
                  name, name_of(r, x->buffer, ""), x->offset, t->width, t->height, t->pitch,
                  texture_format_name((enum texture_format)t->format), t->channels,
                  address[t->wrap[0]][t->wrap[1]], t->linear ? "linear" : "nearest",
                  t->normalized ? "yes" : "no");
}

void record_given(struct recorder *r, int buffer)
{
    buffer_of(r, buffer)->element = NULL;
}

/* What comes before the first launch is in the contents that buffers start with. */
void record_write(struct recorder *r, int buffer, uint32_t offset, const void *bytes, uint32_t size)
{
    if (r->launches == 0)
        return;
    fl_buf_printf(&r->steps, "  <write buffer=\"%s\" offset=\"%u\">", name_of(r, buffer, ""),
                  offset);
    put_file(r, &r->steps, bytes, size);
    fl_buf_printf(&r->steps, "</write>\n");
    r->actions++;
}

void record_write_constant(struct recorder *r, int module, uint32_t offset, const void *bytes,
                           uint32_t size)
{
    const char *element = r->launches ? "write" : "constant";
    char name[RECORD_MODULE];
    fl_buf_printf(&r->steps, "  <%s bank=\"0\" offset=\"%u\"", element, offset);
    record_module_name(module, name);
    if (module)
        fl_buf_printf(&r->steps, " module=\"%s\"", name);
    fl_buf_printf(&r->steps, ">");
    put_file(r, &r->steps, bytes, size);
    fl_buf_printf(&r->steps, "</%s>\n", element);
    r->actions++;
}

void record_fill(struct recorder *r, int buffer, uint32_t offset, uint32_t size, uint32_t value)
{
    if (r->launches == 0)
        return;
    fl_buf_printf(&r->steps, "  <fill buffer=\"%s\" offset=\"%u\" size=\"%u\" value=\"0x%08x\"/>\n",
                  name_of(r, buffer, ""), offset, size, value);
    r->actions++;
}

void record_copy(struct recorder *r, int from, uint32_t offset, uint32_t size, int to, uint32_t at)
{
    if (r->launches == 0)
        return;
    fl_buf_printf(&r->steps, "  <copy buffer=\"%s\" offset=\"%u\" size=\"%u\"",
                  name_of(r, from, ""), offset, size);
    fl_buf_printf(&r->steps, " to=\"%s\" at=\"%u\"/>\n", name_of(r, to, ""), at);
    if (r->buffer[from].element)
        note_element(r, to, r->buffer[from].element);
    r->actions++;
}

void record_read(struct recorder *r, int buffer, uint32_t offset, const void *bytes, uint32_t size)
{
    if (r->launches == 0)
        return;
    fl_buf_printf(&r->steps, "  <read name=\"r%d\" buffer=\"%s\" offset=\"%u\" size=\"%u\"",
                  ++r->reads, name_of(r, buffer, ""), offset, size);
    const char *type = r->buffer[buffer].element;
    int element = type ? cubin_element(type, strlen(type)) : -1;
    uint32_t each = element < 0 ? 0 : (uint32_t)job_element_size((enum job_element)element);
    if (each && offset % each == 0 && size % each == 0)
        fl_buf_printf(&r->steps, " type=\"%s\"", type);
    fl_buf_printf(&r->steps, "/>\n");
    sha256_update(&r->read, size, bytes);
    r->actions++;
}

/* As the value of an attribute. */
static void put_escaped(struct fl_buf *b, const char *text)
{
    for (; *text; text++)
        if (strchr("&<\"", *text))
            fl_buf_printf(b, "&#%d;", *text);
        else
            fl_buf_add(b, text, 1);
}

static void put_digest(struct recorder *r)
{
    uint8_t digest[SHA256_DIGEST_SIZE];
    char hex[2 * SHA256_DIGEST_SIZE + 1];
    sha256_digest(&r->read, sizeof digest, digest);
    fl_hex(digest, sizeof digest, hex);
    if (r->reads)
        fl_buf_printf(&r->steps, "  <digest sha256=\"%s\"/>\n", hex);
}

/* The program's name, with _ for what no name of a job may have. */
static void name_job(char name[MAX_NAME + 1])
{
    snprintf(name, MAX_NAME + 1, "%s", program_invocation_short_name);
    for (char *s = name; *s; s++)
        if (!isalnum((unsigned char)*s) && !strchr("_.-", *s))
            *s = '_';
}

int record_close(struct recorder *r, const struct job *job, struct fl_err *err)
{
    char name[MAX_NAME + 1];
    struct fl_buf text = {0};
    char *path = in_folder(r, "job.xml"), *data = (char *)(uintptr_t)r->data.path;
    name_job(name);
    name_buffers(r, job);
    put_digest(r);
    fl_buf_printf(&text,
                  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- A run of a program, "
                  "recorded: what the host does between launches, and what it reads. -->\n"
                  "<job name=\"%s\" profile=\"",
                  name);
    put_escaped(&text, r->profile);
    fl_buf_printf(&text, "\" cubin=\"program.cubin\">\n");
    fl_buf_add(&text, r->modules.data, r->modules.size);
    if (r->launches)
        put_buffers(r, job, &text);
    fl_buf_add(&text, r->steps.data, r->steps.size);
    fl_buf_printf(&text, "</job>\n");
    int bad =
        r->launches == 0 ? fl_fail(err, "no kernel was launched, so there is no job")
        : r->launches > JOB_MAX_LAUNCHES || r->actions > JOB_MAX_STEPS
            ? fl_fail(
                  err,
                  "%d launches and %d copies: a job takes 65,536 of each; let the program do less",
                  r->launches, r->actions)
            : 0;
    struct fl_err why;
    if (fl_out_close(&r->data, !bad, &why) && !bad)
        bad = fl_fail(err, "%s", why.msg);
    bad = bad || fl_write_file(path, text.data, text.size, err);
    for (int i = 0; i < r->nbuffers; i++) {
        free(r->buffer[i].name);
        fl_buf_free(&r->buffer[i].first);
    }
    free(r->buffer);
    free(r->folder);
    free(r->profile);
    free(path);
    free(data);
    fl_buf_free(&r->modules);
    fl_buf_free(&r->steps);
    fl_buf_free(&text);
    free(r);
    return bad;
}
