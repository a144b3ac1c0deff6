/* outputs.c -- see outputs.h. */
#include "dissect.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sm/memory/memory.h"

extern char **environ;

struct opinion { /* of a checker */
    uint8_t digest[32];
    int output;
    bool good;
};

/* Elements of one run that differ. */
struct found {
    struct dissected *element;
    uint32_t count, room;
};

struct kept {
    struct outputs_element *element;
    uint32_t count;
};

struct outputs {
    const struct job *job;
    const struct gpu *end;
    const struct writers *writers;
    int compared[JOB_MAX_COMPARED], ncompared; /* outputs */
    pthread_mutex_t lock;
    struct opinion *opinion; /* sorted by digest */
    uint32_t opinions, room;
    /* by outputs_keep: of runs, the first is number 1 */
    struct kept *kept;
    uint32_t nkept, kept_room;
    uint64_t left; /* so many more may be kept */
    bool keeps, too_many;
};

/* ---- programs -------------------------------------------------------------------------------- */

/* A file in memory, open for a child; its path in `path`. */
static int put(const uint8_t *bytes, uint32_t size, char path[32])
{
    int fd = memfd_create("output", 0);
    for (uint32_t at = 0; fd >= 0 && at < size;) {
        ssize_t n = write(fd, bytes + at, size - at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            close(fd);
            return -1;
        }
        at += (uint32_t)n;
    }
    snprintf(path, 32, "/proc/self/fd/%d", fd);
    return fd;
}

/* 1: within what it tolerates, 0: wrong, -1: it could not be run. */
static int ask(const char *checker, const uint8_t *right, const uint8_t *mine, uint32_t size)
{
    char a[32], b[32];
    int x = put(right, size, a), y = put(mine, size, b), status = -1;
    char *argv[] = {(char *)checker, a, b, NULL};
    posix_spawn_file_actions_t io;
    pid_t child;
    posix_spawn_file_actions_init(&io);
    posix_spawn_file_actions_addopen(&io, 0, "/dev/null", 0, 0);
    posix_spawn_file_actions_adddup2(&io, 2, 1);
    bool runs = x >= 0 && y >= 0 && posix_spawn(&child, checker, &io, NULL, argv, environ) == 0;
    posix_spawn_file_actions_destroy(&io);
    while (runs && waitpid(child, &status, 0) < 0)
        runs = errno == EINTR;
    if (x >= 0)
        close(x);
    if (y >= 0)
        close(y);
    if (!runs || (WIFEXITED(status) && WEXITSTATUS(status) == 127))
        return -1;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static int compare(const struct opinion *x, int output, const uint8_t digest[32])
{
    return x->output != output ? (x->output < output ? -1 : 1)
                               : memcmp(x->digest, digest, sizeof x->digest);
}

static uint8_t *right_bytes(const struct outputs *o, int output)
{
    const struct job_output *t = &o->job->output[output];
    uint8_t *bytes = fl_alloc(t->size);
    sm_memory_read(&o->end->memory, sm_output_at(o->end->img, output), bytes, t->size);
    return bytes;
}

/* What the checker says of these bytes, which it is asked once. No process to be had is as bad as
 * no memory: wait for better times, and give up. */
static bool checked(struct outputs *o, int output, const uint8_t *mine)
{
    const struct job_output *t = &o->job->output[output];
    uint8_t digest[32];
    job_sha256(&(struct job_range){mine, t->size}, 1, digest);
    pthread_mutex_lock(&o->lock);
    uint32_t at = 0, to = o->opinions;
    while (at < to) {
        uint32_t middle = at + (to - at) / 2;
        if (compare(&o->opinion[middle], output, digest) < 0)
            at = middle + 1;
        else
            to = middle;
    }
    bool known = at < o->opinions && compare(&o->opinion[at], output, digest) == 0;
    if (!known) {
        uint8_t *right = right_bytes(o, output);
        int says = -1;
        for (int tries = 0; tries < 60 && (says = ask(t->checker, right, mine, t->size)) < 0;
             tries++)
            sleep(1);
        free(right);
        if (says < 0)
            fl_give_up("the checker of an output cannot be run any more");
        FL_ROOM(o->opinion, o->opinions, o->room, 64);
        memmove(&o->opinion[at + 1], &o->opinion[at], (o->opinions++ - at) * sizeof *o->opinion);
        o->opinion[at] = (struct opinion){.output = output, .good = says};
        memcpy(o->opinion[at].digest, digest, sizeof digest);
    }
    bool good = o->opinion[at].good;
    pthread_mutex_unlock(&o->lock);
    return good;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static double number(enum job_element e, uint32_t bits)
{
    float f;
    switch (e) {
    case ELEMENT_F32: memcpy(&f, &bits, sizeof f); return (double)f;
    case ELEMENT_S32: return (int32_t)bits;
    case ELEMENT_S16: return (int16_t)bits;
    case ELEMENT_U16: return (uint16_t)bits;
    case ELEMENT_S8: return (int8_t)bits;
    case ELEMENT_U8: return (uint8_t)bits;
    default: return bits;
    }
}

/* Floats in their order, the two zeros at one place. */
static int64_t place(uint32_t bits)
{
    int64_t size = bits & 0x7fffffff;
    return bits >> 31 ? -size : size;
}

/* How far apart, in that unit; infinite for what no number says. */
static double apart(const struct job_output *t, enum job_tolerance unit, uint32_t right,
                    uint32_t mine)
{
    double x = number(t->element, right), y = number(t->element, mine);
    if (isnan(x) && isnan(y))
        return 0;
    if (x == y)
        return 0;
    if (!isfinite(x) || !isfinite(y))
        return INFINITY;
    if (unit == TOLERANCE_ULP)
        return (double)llabs(place(right) - place(mine));
    if (unit == TOLERANCE_REL)
        return x == 0 ? INFINITY : fabs(y - x) / fabs(x);
    return fabs(y - x);
}

/* ---- one output ------------------------------------------------------------------------------ */

static void at_least(bool *any, uint32_t *offset, uint32_t at)
{
    if (!*any || at < *offset)
        *offset = at;
    *any = true;
}

struct seen { /* of one output */
    bool differ, wrong;
    uint32_t first, first_wrong;
};

/* The bytes of one word that lie in the output. */
static void judge_word(const struct outputs *o, const struct job_output *t, uint32_t from,
                       const struct outputs_word *w, struct seen *s, struct found *f,
                       struct outputs_verdict *out)
{
    uint32_t good, before, size = t->typed ? (uint32_t)job_element_size(t->element) : 4;
    memcpy(&good, sm_memory_at(&o->end->memory, w->number * 4), 4);
    memcpy(&before, o->end->img->initial + (size_t)w->number * 4, 4);
    for (uint32_t b = 0; b < 4; b += size) {
        bool differs = false;
        uint32_t shift = 8 * b, mask = size == 4 ? ~0u : (1u << 8 * size) - 1;
        for (uint32_t i = b; i < b + size; i++) {
            uint32_t at = w->number * 4 + i - from;
            if (at >= t->size || !((good ^ w->value) >> 8 * i & 0xff))
                continue;
            at_least(&s->differ, &s->first, at);
            differs = true;
        }
        if (!differs)
            continue;
        out->elements++;
        uint32_t right = good >> shift & mask, mine = w->value >> shift & mask;
        bool unwritten = mine == (before >> shift & mask);
        double by = t->typed ? apart(t, TOLERANCE_REL, right, mine) : (double)NAN;
        FL_ROOM(f->element, f->count, f->room, 16);
        f->element[f->count++] = (struct dissected){
            {(w->number * 4 + b - from / size * size) / size, right, mine,
             (uint16_t)(t - o->job->output)},
            unwritten,
            by};
        out->unwritten += unwritten;
        out->by = unwritten || isnan(out->by) || by <= out->by ? out->by : by;
        if (t->tolerance == TOLERANCE_NOTHING) {
            s->wrong = true;
            s->first_wrong = s->first;
        } else if (!t->checker) {
            by = apart(t, t->tolerance, right, mine);
            out->worst = by > out->worst ? by : out->worst;
            if (!(by <= t->within))
                at_least(&s->wrong, &s->first_wrong, w->number * 4 + b - from);
        }
    }
}

/* Of a run with these words, bytes that the caller frees. */
static uint8_t *bytes_of(const struct outputs *o, int output, const struct outputs_word *word,
                         uint32_t n)
{
    uint32_t from = sm_output_at(o->end->img, output), size = o->job->output[output].size;
    uint8_t *mine = right_bytes(o, output);
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t b = 0; b < 4; b++)
            if (word[k].number * 4 + b - from < size)
                mine[word[k].number * 4 + b - from] = (uint8_t)(word[k].value >> 8 * b);
    return mine;
}

/* What somebody finds who has these outputs alone, and not the right ones. */
static void compare_sms(const struct outputs *o, const struct outputs_word *word, uint32_t n,
                        struct outputs_verdict *out)
{
    uint8_t *mine[JOB_MAX_COMPARED];
    bool odd[JOB_MAX_COMPARED];
    for (int i = 0; i < o->ncompared; i++)
        mine[i] = bytes_of(o, o->compared[i], word, n);
    bool half = job_find_odd((const uint8_t *const *)mine, o->ncompared,
                             o->job->output[o->compared[0]].size, odd);
    for (int i = 0; i < o->ncompared; i++) {
        if (half && odd[i] && !out->odds++)
            out->odd = o->compared[i];
        free(mine[i]);
    }
    out->named = !half ? NAMED_NO_HALF : out->odds ? NAMED_ODD : NAMED_ALIKE;
}

static bool checker_objects(struct outputs *o, int output, const struct outputs_word *word,
                            uint32_t n)
{
    uint8_t *mine = bytes_of(o, output, word, n);
    bool good = checked(o, output, mine);
    free(mine);
    return !good;
}

static int by_place(const void *a, const void *b)
{
    const struct outputs_element *x = &((const struct dissected *)a)->e,
                                 *y = &((const struct dissected *)b)->e;
    return x->output != y->output ? (x->output > y->output) - (x->output < y->output)
                                  : (x->index > y->index) - (x->index < y->index);
}

/* Keeps what a run has left, if all of it fits. */
static uint32_t keep(struct outputs *o, const struct found *f)
{
    uint32_t number = 0;
    pthread_mutex_lock(&o->lock);
    o->too_many |= f->count > o->left;
    if (!o->too_many) {
        o->left -= f->count;
        FL_ROOM(o->kept, o->nkept, o->kept_room, 64);
        struct kept *k = &o->kept[o->nkept];
        *k = (struct kept){fl_alloc(f->count * sizeof *k->element), f->count};
        for (uint32_t i = 0; i < f->count; i++)
            k->element[i] = f->element[i].e;
        number = ++o->nkept;
    }
    pthread_mutex_unlock(&o->lock);
    return number;
}

void outputs_keep(struct outputs *o, uint64_t most)
{
    o->keeps = true;
    o->left = most;
}

bool outputs_too_many(struct outputs *o)
{
    pthread_mutex_lock(&o->lock);
    bool too_many = o->too_many;
    pthread_mutex_unlock(&o->lock);
    return too_many;
}

const struct outputs_element *outputs_kept(struct outputs *o, uint32_t number, uint32_t *count)
{
    struct kept k = {0};
    pthread_mutex_lock(&o->lock);
    if (number)
        k = o->kept[number - 1];
    pthread_mutex_unlock(&o->lock);
    *count = k.count;
    return k.element;
}

uint8_t *outputs_left(struct outputs *o, uint32_t number, int output)
{
    const struct job_output *t = &o->job->output[output];
    const uint32_t size = t->typed ? (uint32_t)job_element_size(t->element) : 4;
    const uint32_t skipped = sm_output_at(o->end->img, output) % size; /* of its first word */
    uint8_t *bytes = right_bytes(o, output);
    uint32_t n;
    const struct outputs_element *e = outputs_kept(o, number, &n);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t b = 0; b < size && e[i].output == output; b++)
            if (e[i].index * size + b - skipped < t->size)
                bytes[e[i].index * size + b - skipped] = (uint8_t)(e[i].wrong >> 8 * b);
    return bytes;
}

void outputs_judge(struct outputs *o, const struct outputs_word *word, uint32_t n,
                   struct outputs_verdict *out)
{
    struct found f = {0};
    *out = (struct outputs_verdict){0};
    for (int i = 0; i < o->job->noutputs && n; i++) {
        const struct job_output *t = &o->job->output[i];
        uint32_t from = sm_output_at(o->end->img, i);
        struct seen s = {0};
        for (uint32_t k = 0; k < n; k++)
            judge_word(o, t, from, &word[k], &s, &f, out);
        if (s.differ && t->checker && checker_objects(o, i, word, n)) {
            s.wrong = true;
            s.first_wrong = s.first;
        }
        if (s.wrong ? !out->wrong : s.differ && !out->differ && !out->wrong) {
            out->output = i;
            out->offset = s.wrong ? s.first_wrong : s.first;
        }
        out->differ |= s.differ;
        out->wrong |= s.wrong;
    }
    if (out->wrong && o->ncompared)
        compare_sms(o, word, n, out);
    if (f.count) {
        qsort(f.element, f.count, sizeof *f.element, by_place);
        dissect(o->writers, f.element, f.count, &out->anatomy);
    }
    if (f.count && o->keeps)
        out->kept = keep(o, &f);
    free(f.element);
}

void outputs_judge_memory(struct outputs *o, const struct sm_memory *memory,
                          struct outputs_verdict *out)
{
    struct outputs_word *word = NULL;
    uint32_t n = 0, room = 0;
    for (uint32_t page = 0; page * SM_PAGE < o->end->img->const_offset; page++) {
        const uint8_t *x = memory->page[page], *y = o->end->memory.page[page];
        if (x == y || memcmp(x, y, SM_PAGE) == 0)
            continue;
        for (uint32_t at = 0; at < SM_PAGE; at += 4)
            if (memcmp(x + at, y + at, 4) != 0) {
                FL_ROOM(word, n, room, 256);
                word[n].number = (page * SM_PAGE + at) / 4;
                memcpy(&word[n++].value, x + at, 4);
            }
    }
    outputs_judge(o, word, n, out);
    free(word);
}

void outputs_digest(const struct sm_image *img, const struct sm_memory *memory, uint8_t digest[32])
{
    const int n = img->job->noutputs;
    struct job_range *range = fl_alloc((size_t)n * sizeof *range);
    for (int i = 0; i < n; i++) {
        const uint32_t size = img->job->output[i].size;
        uint8_t *bytes = fl_alloc(size);
        sm_memory_read(memory, sm_output_at(img, i), bytes, size);
        range[i] = (struct job_range){bytes, size};
    }
    job_sha256(range, n, digest);
    for (int i = 0; i < n; i++)
        free((void *)(uintptr_t)range[i].data);
    free(range);
}

bool outputs_decides(const struct outputs *o, int output)
{
    const struct job_output *t = &o->job->output[output];
    for (int i = 0; i < o->ncompared; i++)
        if (o->compared[i] == output)
            return false;
    return t->tolerance == TOLERANCE_NOTHING && !t->checker;
}

bool outputs_differ(const struct outputs *o, const struct sm_memory *memory, int output,
                    uint32_t *offset)
{
    const uint32_t from = sm_output_at(o->end->img, output), size = o->job->output[output].size;
    for (uint32_t at = from, n; at < from + size; at += n) {
        const uint8_t *x = sm_memory_at(memory, at), *y = sm_memory_at(&o->end->memory, at);
        n = SM_PAGE - at % SM_PAGE;
        n = n < from + size - at ? n : from + size - at;
        if (x == y || memcmp(x, y, n) == 0)
            continue;
        for (*offset = at - from; *x == *y; x++, y++)
            ++*offset;
        return true;
    }
    return false;
}

/* ---- made ------------------------------------------------------------------------------------ */

static bool alike(const struct outputs *o, int a, int b)
{
    const uint8_t *x = right_bytes(o, a), *y = right_bytes(o, b);
    bool same = memcmp(x, y, o->job->output[a].size) == 0;
    free((void *)x);
    free((void *)y);
    return same;
}

struct outputs *outputs_new(const struct gpu *end, const struct writers *writers,
                            struct fl_err *err)
{
    const struct job *job = end->img->job;
    struct outputs *o = fl_alloc(sizeof *o);
    *o = (struct outputs){.job = job, .end = end, .writers = writers};
    o->ncompared = job_compared(job, o->compared);
    pthread_mutex_init(&o->lock, NULL);
    for (int i = 1; i < o->ncompared; i++)
        if (!alike(o, o->compared[0], o->compared[i])) {
            fl_fail(
                err,
                "%s: output %s of the fault-free run is not like %s: SMs that are compared must "
                "leave the same, so no clock and no number of an SM may be in it",
                job->path, job->output[o->compared[i]].name, job->output[o->compared[0]].name);
            outputs_free(o);
            return NULL;
        }
    for (int i = 0; i < job->noutputs; i++) {
        const struct job_output *t = &job->output[i];
        if (!t->checker)
            continue;
        uint8_t *right = right_bytes(o, i);
        int says = ask(t->checker, right, right, t->size);
        free(right);
        if (says == 1)
            continue;
        fl_fail(err,
                says < 0 ? "%s: the checker of output %s, %s, cannot be run"
                         : "%s: the checker of output %s, %s, rejects the fault-free output; it is "
                           "called with two files, the correct output and that of a run, and must "
                           "exit with 0 where the second is acceptable",
                job->path, t->name, t->checker);
        outputs_free(o);
        return NULL;
    }
    return o;
}

void outputs_free(struct outputs *o)
{
    if (!o)
        return;
    pthread_mutex_destroy(&o->lock);
    for (uint32_t i = 0; i < o->nkept; i++)
        free(o->kept[i].element);
    free(o->kept);
    free(o->opinion);
    free(o);
}
