/* managed.c -- memory that host and device share: pages of the host at the addresses of a buffer of the device, and variables.
 *
 * What the host has written goes to the device before the next launch, copy or fill; what kernels have left comes back with the next call that
 * waits for the device, which a record takes as a read of the whole buffer. In between the host may not touch the pages, as on devices
 * before compute capability 6.0: the message of the fault says so (cudart.c).
 */
#include "internal.h"

#include <dlfcn.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* As the host's pages and the device had it when they were last the same. */
struct managed {
    int buffer;
    void *at;
    uint32_t there;    /* on the device: for a variable, another address */
    size_t size, room; /* of the program; of its pages, 0: a variable */
    uint8_t *same;
};

enum { PAGE = 4096 };

static struct managed *find(const struct cudart *rt, const void *at)
{
    for (int i = 0; i < rt->nmanaged; i++)
        if (rt->managed[i]->at == at)
            return rt->managed[i];
    return NULL;
}

bool cudart_is_managed(const struct cudart *rt, const void *at)
{
    for (int i = 0; i < rt->nmanaged; i++)
        if ((uintptr_t)at - (uintptr_t)rt->managed[i]->at < rt->managed[i]->room)
            return true;
    return false;
}

/* ---- to the device, and back ---- */

static void allow(struct cudart *rt, int access)
{
    for (int i = 0; i < rt->nmanaged; i++)
        if (rt->managed[i]->room)
            mprotect(rt->managed[i]->at, rt->managed[i]->room, access);
    rt->managed_closed = access == PROT_NONE;
}

/* Pages that differ, as few copies. */
static void send(struct cudart *rt, struct managed *m)
{
    const uint8_t *now = m->at;
    for (size_t at = 0, end; at < m->size; at = end) {
        end = at;
        while (end < m->size) {
            size_t n = m->size - end < PAGE ? m->size - end : PAGE;
            if (memcmp(now + end, m->same + end, n) == 0)
                break;
            end += n;
        }
        if (end > at) {
            const struct host_block to = {(const void *)(m->there + at), end - at, m->buffer},
                                    from = {now + at, end - at, -1};
            memcpy(m->same + at, now + at, end - at);
            host_copy(&rt->d, &to, &from, end - at, 1);
        } else
            end += PAGE;
    }
}

void cudart_send_managed(struct cudart *rt)
{
    for (int i = 0; i < rt->nmanaged && !rt->managed_closed; i++)
        send(rt, rt->managed[i]);
}

void cudart_close_managed(struct cudart *rt)
{
    if (rt->nmanaged)
        allow(rt, PROT_NONE);
}

void cudart_bring_managed(struct cudart *rt)
{
    if (!rt->managed_closed)
        return;
    allow(rt, PROT_READ | PROT_WRITE);
    for (int i = 0; i < rt->nmanaged; i++) {
        struct managed *m = rt->managed[i];
        const struct host_block to = {m->at, m->size, -1},
                                from = {(const void *)(uintptr_t)m->there, m->size, m->buffer};
        host_copy(&rt->d, &to, &from, m->size, 1);
        memcpy(m->same, m->at, m->size);
    }
}

/* ---- given and freed ---- */

static void take(struct cudart *rt, const struct managed m)
{
    FL_ROOM(rt->managed, rt->nmanaged, rt->managed_room, 16);
    rt->managed[rt->nmanaged] = fl_alloc(sizeof m);
    *rt->managed[rt->nmanaged++] = m;
}

/* Pages of the host where the device has its next buffer: they may be the program's own, and then further on. */
static int allocate(struct cudart *rt, size_t size, size_t room, void **at)
{
    enum { STEP = 1 << 20, TRIES = 256 };
    for (int i = 0; i < TRIES; i++) {
        *at = host_align_next(&rt->d, i ? STEP : PAGE);
        if (mmap(*at, room, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0) == *at) {
            int buffer = host_allocate_new(&rt->d, size, room);
            if (buffer < 0)
                munmap(*at, room);
            return buffer;
        }
        host_align_next(&rt->d, 2 * STEP);
    }
    cudart_refuse(
        rt, cudaErrorMemoryAllocation,
        "the host has no pages at the addresses of the device, below %p; build the program "
        "without -static and -no-pie",
        *at);
    return -1;
}

cudaError_t cudaMallocManaged(void **to, size_t size, unsigned flags)
{
    struct cudart *rt = cudart_enter_device("cudaMallocManaged");
    const size_t room = (size + PAGE - 1) & ~(size_t)(PAGE - 1);
    void *at;
    if (rt->dead)
        return cudart_leave(rt, rt->dead);
    if (!to || !size || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost))
        return cudart_leave(rt, cudaErrorInvalidValue);
    *to = NULL;
    cudart_bring_managed(rt); /* its pages are open, as those of all others */
    int buffer = size <= HOST_DEVICE_BYTES ? allocate(rt, size, room, &at) : -1;
    if (buffer < 0)
        return cudart_leave(rt, cudaErrorMemoryAllocation);
    take(rt, (struct managed){buffer, at, (uint32_t)(uintptr_t)at, size, room, fl_alloc(size)});
    *to = at;
    return cudart_leave(rt, cudaSuccess);
}

static void drop(struct cudart *rt, struct managed *m)
{
    if (m->room)
        munmap(m->at, m->room);
    for (int i = 0; i < rt->nmanaged; i++)
        if (rt->managed[i] == m)
            rt->managed[i] = rt->managed[--rt->nmanaged];
    free(m->same);
    free(m);
}

void cudart_free_managed(struct cudart *rt, const void *at)
{
    struct managed *m = find(rt, at);
    if (m)
        drop(rt, m);
}

void cudart_drop_managed(struct cudart *rt)
{
    while (rt->nmanaged)
        drop(rt, rt->managed[0]);
    rt->managed_closed = false;
}

/* ---- variables: the host has its own, in a section of its own (cc/headers/cuda.h) ---- */

/* Whether an address lies in section smcc_managed of its file. */
static bool in_section(const void *at)
{
    static const char wanted[] = "smcc_managed";
    Dl_info where;
    struct fl_buf file = {0};
    bool in = false;
    if (!dladdr(at, &where) || fl_read_file(where.dli_fname, &file, NULL))
        return false;
    const uint64_t offset = (uint64_t)((const char *)at - (const char *)where.dli_fbase);
    Elf64_Ehdr e;
    Elf64_Shdr names = {0}, s;
    if (file.size > sizeof e) {
        memcpy(&e, file.data, sizeof e);
        const uint64_t table = e.e_shoff, each = sizeof s;
        bool good = e.e_ident[EI_CLASS] == ELFCLASS64 && e.e_shentsize == each &&
                    table < file.size && e.e_shnum <= (file.size - table) / each &&
                    e.e_shstrndx < e.e_shnum;
        if (good)
            memcpy(&names, file.data + table + e.e_shstrndx * each, each);
        for (int i = 0; good && i < e.e_shnum && !in; i++) {
            memcpy(&s, file.data + table + (uint64_t)i * each, each);
            const uint64_t name = names.sh_offset + s.sh_name;
            in = offset >= s.sh_addr && offset - s.sh_addr < s.sh_size && name < file.size &&
                 file.size - name >= sizeof wanted &&
                 memcmp(file.data + name, wanted, sizeof wanted) == 0;
        }
    }
    fl_buf_free(&file);
    return in;
}

/* Before main(): the host's variable begins as the device's. */
void cudart_note_managed(struct cudart *rt, struct symbol *s, void *shadow, size_t size)
{
    struct cubin *c;
    struct fl_err err;
    const struct image *image = &rt->image[s->image];
    s->managed = in_section(shadow);
    if (!s->managed || cubin_read_memory("program", image->bytes, image->size, &c, &err))
        return;
    for (int i = 0; i < c->nvariables; i++) {
        const struct cubin_variable *v = &c->variable[i];
        if (v->init && v->size <= size && strcmp(v->name, s->own ? s->own : s->name) == 0)
            memcpy(shadow, v->init, v->size);
    }
    cubin_free(c);
}

void cudart_take_managed_variables(struct cudart *rt)
{
    for (int i = 0; i < rt->nsymbols; i++) {
        const struct symbol *s = &rt->symbol[i];
        struct host_place p;
        if (!s->managed ||
            !host_find_variable(&rt->d, rt->image[s->image].module, s->own ? s->own : s->name,
                                &p) ||
            p.buffer < 0)
            continue;
        struct managed m = {p.buffer,
                            (void *)(uintptr_t)s->shadow,
                            rt->d.job.buffer[p.buffer].addr,
                            p.size,
                            0,
                            fl_alloc(p.size)};
        machine_read(&rt->d.machine, m.there - JOB_BASE, m.same, p.size);
        take(rt, m);
    }
}

/* ---- hints ---- */

static cudaError_t hint(const char *call, const void *at)
{
    struct cudart *rt = cudart_enter_device(call);
    if (rt->dead || cudart_is_managed(rt, at))
        return cudart_leave(rt, rt->dead);
    return cudart_leave(
        rt, cudart_refuse(rt, cudaErrorInvalidValue, "%p is not from cudaMallocManaged", at));
}

cudaError_t cudaMemPrefetchAsync(const void *at, size_t size, int device, cudaStream_t stream)
{
    (void)size, (void)device, (void)stream;
    return hint("cudaMemPrefetchAsync", at);
}

cudaError_t cudaMemAdvise(const void *at, size_t size, enum cudaMemoryAdvise advice, int device)
{
    (void)size, (void)advice, (void)device;
    return hint("cudaMemAdvise", at);
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *at, size_t size, unsigned flags)
{
    (void)stream, (void)size, (void)flags;
    return hint("cudaStreamAttachMemAsync", at);
}
