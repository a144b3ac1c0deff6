/* print.c -- see print.h.
 *
 * In the buffer, for each of W warps: bytes of its records (bit 0: more did not fit), whose turn it is, its records, and their times (a word
 * for every 16 bytes of records, the least that one has). A record is a head (kind, words, lane), the address of the format, and for each
 * argument its kind and its value. Text appears in the order of the times, those of one cycle in the order of blocks, warps and threads.
 * A recorded job reads all but the times: a fault that only delays prints the same.
 */
#include "print.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"

enum { LEAST_ROOM = 1024, MOST_BYTES = 256 << 20, MOST_TEXT = 65536, MOST_WIDTH = 4096 };
enum { USED, TURN, RECORDS, TIMES, ROOM };
enum { KIND_WORD = 1, KIND_LONG, KIND_FLOAT, KIND_DOUBLE, KIND_POINTER };
enum { HEAD_PRINTF = 0xa5, HEAD_ASSERT = 0xa6, HEAD_WORDS = 2 };

static const char constant[] = "smcc_printf";

struct record {
    uint32_t time, warp, lane, at; /* at: in the warp's records, in bytes */
};

struct string { /* of the device, read once for each launch */
    uint32_t address;
    char *text; /* NULL: there is none */
};

struct printing {
    struct host_device *d;
    const struct job_launch *l;
    int module;
    uint32_t *used;
    uint8_t **records; /* of each warp that has any */
    struct record *record;
    int nrecords, room;
    struct string *string;
    int nstrings;
    struct fl_buf text; /* of one record */
    uint64_t damaged, lost;
    bool failed; /* an assert has */
};

/* ---- before the launch ---- */

static uint32_t warps_of(const struct job_launch *l)
{
    uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2],
             warps = (threads + SM_LANES - 1) / SM_LANES * l->grid[0] * l->grid[1];
    return warps < UINT32_MAX ? (uint32_t)warps : UINT32_MAX;
}

/* Bytes for each warp; 0: there are too many warps. */
static uint32_t room_for(const struct host_device *d, uint32_t warps)
{
    uint64_t limit = d->process->fifo ? d->process->fifo : HOST_FIFO_BYTES, room = limit / warps;
    if (room < LEAST_ROOM)
        room = LEAST_ROOM;
    if (warps * (room * 5 / 4 + 8) > MOST_BYTES)
        room = MOST_BYTES / warps > 8 ? (MOST_BYTES / warps - 8) * 4 / 5 : 0;
    return (uint32_t)room & ~15u;
}

/* A buffer that is large enough. False: there is no memory. */
static bool find_buffer(struct host_device *d, uint32_t size)
{
    struct host_fifo *f = &d->fifo;
    if (f->size >= size)
        return true;
    int buffer = host_allocate_variable(d, constant, size);
    if (buffer < 0)
        return false;
    f->buffer = buffer;
    f->size = size;
    f->clean = true;
    return true;
}

bool host_print_begin(struct host_device *d, const struct job_launch *l)
{
    struct host_fifo *f = &d->fifo;
    struct host_place p;
    const int module = d->job.cubin->kernel[l->kernel_index].module;
    if (!host_find_variable(d, module, constant, &p) || p.buffer >= 0)
        return false;
    uint32_t warps = warps_of(l), room = room_for(d, warps), place[5] = {0};
    if (room && find_buffer(d, warps * 8 + warps * room / 4 * 5 + 16)) {
        place[USED] = d->job.buffer[f->buffer].addr;
        place[TURN] = place[USED] + 4 * warps;
        place[RECORDS] = (place[TURN] + 4 * warps + 15) & ~15u;
        place[TIMES] = place[RECORDS] + warps * room;
        place[ROOM] = room;
        const struct host_block used = {(const void *)(uintptr_t)place[USED], 4 * warps, f->buffer};
        if (!f->clean)
            host_fill(d, &used, 0, 4 * warps, 1);
    } else
        host_refuse(d, HOST_NO_MEMORY,
                    "kernel '%s' prints nothing: there is no room for the text of %u warps; launch "
                    "fewer blocks",
                    l->kernel, warps);
    if (f->module != module || memcmp(place, f->place, sizeof place) != 0)
        host_write_constant(d, module, p.offset, place, sizeof place);
    memcpy(f->place, place, sizeof place);
    f->module = module;
    f->warps = warps;
    f->room = room;
    f->clean = false;
    return true;
}

/* ---- records, text of the device ---- */

static void read_device(struct host_device *d, int buffer, uint32_t address, void *to,
                        uint32_t size)
{
    const struct host_block from = {(const void *)(uintptr_t)address, size, buffer},
                            into = {to, size, -1};
    host_copy(d, &into, &from, size, 1);
}

/* Constant memory lies below all buffers: what is in it at first, for kernels do not write it. */
static char *read_constant(const struct printing *p, uint32_t address)
{
    const struct cubin_module m = cubin_module(p->d->job.cubin, p->module);
    if (address >= m.const0_size || !memchr(m.const0 + address, 0, m.const0_size - address))
        return NULL;
    return fl_strdup((const char *)m.const0 + address);
}

static char *read_buffer(const struct printing *p, uint32_t address)
{
    enum { STEP = 256 };
    int buffer = host_buffer(p->d, (const void *)(uintptr_t)address, 1);
    if (buffer < 0)
        return NULL;
    const struct job_buffer *b = &p->d->job.buffer[buffer];
    uint32_t left = (uint32_t)p->d->given[buffer] - (address - b->addr), size = 0;
    left = left < MOST_TEXT ? left : MOST_TEXT;
    uint8_t *bytes = fl_alloc(left);
    while (size < left && !memchr(bytes, 0, size)) { /* not all of a large buffer */
        uint32_t n = left - size < STEP ? left - size : STEP;
        machine_read(&p->d->machine, address - JOB_BASE + size, bytes + size, n);
        size += n;
    }
    const uint8_t *end = memchr(bytes, 0, size);
    if (end)
        read_device(p->d, buffer, address, bytes, (uint32_t)(end - bytes) + 1);
    char *text = end ? fl_strdup((const char *)bytes) : NULL;
    free(bytes);
    return text;
}

/* The text at an address of the device; NULL: there is none. */
static const char *text_at(struct printing *p, uint32_t address)
{
    for (int i = 0; i < p->nstrings; i++)
        if (p->string[i].address == address)
            return p->string[i].text;
    p->string = fl_grow(p->string, (size_t)p->nstrings + 1, sizeof *p->string);
    struct string *s = &p->string[p->nstrings++];
    *s = (struct string){address,
                         address < JOB_BASE ? read_constant(p, address) : read_buffer(p, address)};
    return s->text;
}

/* ---- one record ---- */

struct argument {
    uint32_t kind;
    uint64_t bits;
};

/* The next one; false: the record is damaged. */
static bool take(const uint32_t **w, const uint32_t *end, struct argument *out)
{
    const uint32_t *at = *w;
    if (end - at < 2 || at[0] < KIND_WORD || at[0] > KIND_POINTER)
        return false;
    bool wide = at[0] == KIND_LONG || at[0] == KIND_DOUBLE;
    if (end - at < 2 + wide)
        return false;
    *out = (struct argument){at[0], at[1] | (wide ? (uint64_t)at[2] << 32 : 0)};
    *w = at + 2 + wide;
    return true;
}

static double number(const struct argument *a)
{
    float f;
    double x;
    uint32_t low = (uint32_t)a->bits;
    memcpy(&f, &low, sizeof f);
    memcpy(&x, &a->bits, sizeof x);
    return a->kind == KIND_FLOAT    ? (double)f
           : a->kind == KIND_DOUBLE ? x
           : a->kind == KIND_LONG   ? (double)(int64_t)a->bits
                                    : (double)(int32_t)low;
}

/* A number without a fraction; of what does not fit, 0. */
static uint64_t integer(const struct argument *a, bool sign)
{
    if (a->kind == KIND_FLOAT || a->kind == KIND_DOUBLE) {
        double x = number(a);
        return x > -0x1p63 && x < 0x1p63 ? (uint64_t)(int64_t)x : 0;
    }
    return sign && a->kind == KIND_WORD ? (uint64_t)(int32_t)(uint32_t)a->bits : a->bits;
}

/* A conversion: "%-5.2f", "%v4hld". */
struct conversion {
    char flags[6];
    int width, precision; /* -1: not said; -2: an argument says it */
    int elements;         /* of a vector; 1 */
    int bits;             /* of an integer; 0: as it comes */
    char letter;
};

static const char *read_number(const char *s, int *out)
{
    if (*s == '*') {
        *out = -2;
        return s + 1;
    }
    for (*out = isdigit((unsigned char)*s) ? 0 : -1; isdigit((unsigned char)*s); s++)
        *out = *out < MOST_WIDTH ? 10 * *out + (*s - '0') : MOST_WIDTH;
    return s;
}

/* Behind the '%'. NULL: it is none, and is printed as it is. */
static const char *read_conversion(const char *s, struct conversion *c)
{
    size_t flags = strspn(s, "-+ #0");
    *c = (struct conversion){.width = -1, .precision = -1, .elements = 1};
    for (size_t i = 0; i < flags; i++)
        if (!strchr(c->flags, s[i]))
            c->flags[strlen(c->flags)] = s[i];
    s = read_number(s + flags, &c->width);
    if (*s == '.') {
        s = read_number(s + 1, &c->precision);
        c->precision = c->precision == -1 ? 0 : c->precision;
    }
    if (*s == 'v') {
        s = read_number(s + 1, &c->elements);
        if (c->elements != 2 && c->elements != 3 && c->elements != 4 && c->elements != 8 &&
            c->elements != 16)
            return NULL;
    }
    if (strncmp(s, "hh", 2) == 0)
        c->bits = 8;
    else if (*s == 'h' && s[1] != 'l')
        c->bits = 16;
    s += strspn(s, "hlLjzt");
    c->letter = *s;
    return *s && strchr("diouxXcspeEfFgGaA", *s) ? s + 1 : NULL;
}

/* Appends one value, which is there or not. */
static void put_value(struct printing *p, const struct conversion *c, const struct argument *a)
{
    char form[40];
    const char *size = strchr("diouxX", c->letter) ? "ll" : "";
    const char *flags = c->letter == 'c' || c->letter == 's' || c->letter == 'p'
                            ? strchr(c->flags, '-') ? "-" : ""
                            : c->flags;
    int n = snprintf(form, sizeof form, "%%%s", flags);
    if (c->width >= 0)
        n += snprintf(form + n, sizeof form - (size_t)n, "%d", c->width);
    if (c->precision >= 0 && c->letter != 'c' && c->letter != 'p')
        n += snprintf(form + n, sizeof form - (size_t)n, ".%d", c->precision);
    snprintf(form + n, sizeof form - (size_t)n, "%s%c", size, c->letter == 'p' ? 's' : c->letter);
    bool sign = c->letter == 'd' || c->letter == 'i';
    uint64_t x = integer(a, sign);
    if (c->bits == 8)
        x = sign ? (uint64_t)(int8_t)x : (uint8_t)x;
    else if (c->bits == 16)
        x = sign ? (uint64_t)(int16_t)x : (uint16_t)x;
    const char *text = NULL;
    char address[24];
    if (c->letter == 's')
        text = a->kind == KIND_POINTER && a->bits ? text_at(p, (uint32_t)a->bits) : NULL;
    snprintf(address, sizeof address, "0x%" PRIx64, x);
    char *made;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    switch (c->letter) {
    case 'c': made = fl_format(form, (int)(unsigned char)x); break;
    case 's': made = fl_format(form, text ? text : a->bits ? "(damaged)" : "(null)"); break;
    case 'p': made = fl_format(form, address); break;
    default:
        made = strchr("diouxX", c->letter) ? fl_format(form, (unsigned long long)x)
                                           : fl_format(form, number(a));
    }
#pragma GCC diagnostic pop
    size_t length = strlen(made); /* %c of 0 is a byte all the same */
    fl_buf_add(&p->text, made, length);
    if (c->letter == 'c' && (x & 255) == 0)
        fl_buf_add(&p->text, "", 1);
    free(made);
}

/* The text of a format with its arguments. False: the record is damaged. */
static bool put_text(struct printing *p, const char *format, const uint32_t *w, const uint32_t *end)
{
    struct argument a;
    for (const char *s = format; *s;) {
        struct conversion c;
        size_t plain = strcspn(s, "%");
        fl_buf_add(&p->text, s, plain);
        s += plain;
        if (!*s)
            break;
        const char *behind = s[1] == '%' ? NULL : read_conversion(s + 1, &c);
        if (!behind) { /* "%%", or what printf does not have */
            fl_buf_add(&p->text, "%", 1);
            s += s[1] == '%' ? 2 : 1;
            continue;
        }
        if (w == end) { /* fewer arguments than conversions */
            fl_buf_add(&p->text, s, (size_t)(behind - s));
            s = behind;
            continue;
        }
        int *said[] = {&c.width, &c.precision};
        for (int i = 0; i < 2; i++)
            if (*said[i] == -2) {
                if (!take(&w, end, &a))
                    return false;
                int64_t x = (int64_t)integer(&a, true);
                if (x < 0 && i == 0 && !strchr(c.flags, '-'))
                    c.flags[strlen(c.flags)] = '-';
                x = x < 0 ? i == 0 ? -x : -1 : x;
                *said[i] = x < MOST_WIDTH && x >= -1 ? (int)x : MOST_WIDTH;
            }
        for (int i = 0; i < c.elements; i++) {
            if (i)
                fl_buf_add(&p->text, ",", 1);
            if (!take(&w, end, &a))
                return false;
            put_value(p, &c, &a);
        }
        s = behind;
    }
    return true;
}

/* "k.cu:5: void k(int *): block: [0,0,0], thread: [3,0,0] Assertion `x > 0` failed." */
static bool put_assert(struct printing *p, const struct record *r, const uint32_t *w, uint32_t lane)
{
    const char *what = text_at(p, w[1]), *file = text_at(p, w[2]), *function = text_at(p, w[4]);
    const uint32_t *block = p->l->block, warps = (block[0] * block[1] * block[2] + 31) / 32,
                   thread = r->warp % warps * 32 + lane, number = r->warp / warps;
    if (!what || !file || !function)
        return false;
    p->failed = true;
    fl_buf_printf(&p->text,
                  "%s:%u: %s: block: [%u,%u,0], thread: [%u,%u,%u] Assertion `%s` failed.\n", file,
                  w[3], function, number % p->l->grid[0], number / p->l->grid[0], thread % block[0],
                  thread / block[0] % block[1], thread / block[0] / block[1], what);
    return true;
}

static void put_record(struct printing *p, const struct record *r)
{
    uint32_t words[256];
    memcpy(words, p->records[r->warp] + r->at, 4);
    const uint32_t head = words[0] >> 24, n = words[0] >> 8 & 0xffff, lane = words[0] & 0xff;
    memcpy(words, p->records[r->warp] + r->at, 4 * (size_t)n);
    const char *format = head == HEAD_PRINTF ? text_at(p, words[1]) : NULL;
    p->text.size = 0;
    bool good = head == HEAD_ASSERT ? n == 5 && put_assert(p, r, words, lane)
                                    : format && put_text(p, format, words + HEAD_WORDS, words + n);
    if (!good)
        p->damaged++;
    else
        fwrite(p->text.data, 1, p->text.size, head == HEAD_ASSERT ? stderr : stdout);
}

/* ---- behind the launch ---- */

/* Where the records of a warp begin. What follows one without a sound head cannot be told. */
static void find_records(struct printing *p, uint32_t warp)
{
    const struct host_fifo *f = &p->d->fifo;
    const uint32_t bytes = p->used[warp] & ~3u;
    p->lost += p->used[warp] & 1;
    if (!bytes)
        return;
    if (bytes > f->room) {
        p->damaged++;
        return;
    }
    p->records[warp] = fl_alloc(bytes);
    const uint32_t ntimes = (bytes + 15) / 16;
    uint32_t *times = fl_alloc(4 * (size_t)ntimes);
    read_device(p->d, f->buffer, f->place[RECORDS] + warp * f->room, p->records[warp], bytes);
    machine_read(&p->d->machine, f->place[TIMES] + warp * (f->room / 4) - JOB_BASE, times,
                 4 * ntimes);
    for (uint32_t at = 0, head, n; at < bytes; at += 4 * n) {
        memcpy(&head, p->records[warp] + at, 4);
        n = head >> 8 & 0xffff;
        if ((head >> 24 != HEAD_PRINTF && head >> 24 != HEAD_ASSERT) || n < HEAD_WORDS || n > 256 ||
            (head & 0xff) >= SM_LANES || 4 * n > bytes - at) {
            p->damaged++;
            break;
        }
        FL_ROOM(p->record, p->nrecords, p->room, 64);
        p->record[p->nrecords++] = (struct record){times[at / 16], warp, head & 0xff, at};
    }
    free(times);
}

static int by_time(const void *a, const void *b)
{
    const struct record *x = a, *y = b;
    const uint32_t a_key[] = {x->time, x->warp, x->lane, x->at},
                   b_key[] = {y->time, y->warp, y->lane, y->at};
    for (int i = 0; i < 4; i++)
        if (a_key[i] != b_key[i])
            return a_key[i] < b_key[i] ? -1 : 1;
    return 0;
}

static void say_losses(const struct printing *p)
{
    if (p->damaged)
        host_refuse(p->d, HOST_UNKNOWN,
                    "kernel '%s': %" PRIu64 " damaged records of printf are left out", p->l->kernel,
                    p->damaged);
    if (p->lost)
        host_refuse(p->d, HOST_UNKNOWN,
                    "kernel '%s': of %" PRIu64 " warps some text of printf is lost, since each has "
                    "room for %u bytes; raise cudaLimitPrintfFifoSize, or print less",
                    p->l->kernel, p->lost, p->d->fifo.room);
}

bool host_print_end(struct host_device *d, const struct job_launch *l)
{
    struct host_fifo *f = &d->fifo;
    struct printing p = {.d = d, .l = l, .module = d->job.cubin->kernel[l->kernel_index].module};
    if (f->room == 0)
        return false;
    p.used = fl_alloc(4 * (size_t)f->warps);
    p.records = fl_alloc(f->warps * sizeof *p.records);
    read_device(d, f->buffer, f->place[USED], p.used, 4 * f->warps);
    f->clean = true;
    for (uint32_t w = 0; w < f->warps; w++) {
        f->clean &= p.used[w] == 0;
        find_records(&p, w);
    }
    if (p.nrecords)
        qsort(p.record, (size_t)p.nrecords, sizeof *p.record, by_time);
    for (int i = 0; i < p.nrecords; i++)
        put_record(&p, &p.record[i]);
    say_losses(&p);
    for (uint32_t w = 0; w < f->warps; w++)
        free(p.records[w]);
    for (int i = 0; i < p.nstrings; i++)
        free(p.string[i].text);
    free(p.string);
    free(p.record);
    free(p.records);
    free(p.used);
    fl_buf_free(&p.text);
    return p.failed;
}
