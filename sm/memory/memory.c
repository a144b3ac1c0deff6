/* memory.c -- making, copying and comparing the pages of a memory. See memory.h. */
#include "memory.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "base/fl.h"

void *sm_memory_pages(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    return p == MAP_FAILED ? fl_alloc(SIZE_MAX / 2) /* says "out of memory" and aborts */ : p;
}

void sm_memory_give_back(void *pages, size_t bytes)
{
    munmap(pages, bytes);
}

void sm_memory_init(struct sm_memory *m, const uint8_t *initial, uint32_t npages)
{
    *m = (struct sm_memory){.npages = npages};
    m->page = fl_alloc(npages * sizeof *m->page);
    m->dirty = fl_alloc(npages * sizeof *m->dirty);
    for (uint32_t i = 0; i < npages; i++)
        m->page[i] = initial + (size_t)i * SM_PAGE;
    if (npages)
        m->own = sm_memory_pages((size_t)npages * SM_PAGE);
}

void sm_memory_free(struct sm_memory *m)
{
    free(m->page);
    free(m->dirty);
    if (m->own)
        sm_memory_give_back(m->own, (size_t)m->npages * SM_PAGE);
}

/* Of a range, what lies in its first page. */
static uint32_t in_page(uint32_t offset, uint32_t size)
{
    uint32_t n = SM_PAGE - offset % SM_PAGE;
    return n < size ? n : size;
}

void sm_memory_read(const struct sm_memory *m, uint32_t offset, void *out, uint32_t size)
{
    for (uint8_t *to = out; size;) {
        uint32_t n = in_page(offset, size);
        memcpy(to, sm_memory_at(m, offset), n);
        to += n;
        offset += n;
        size -= n;
    }
}

void sm_memory_write(struct sm_memory *m, uint32_t offset, const void *bytes, uint32_t size)
{
    for (const uint8_t *from = bytes; size;) {
        uint32_t n = in_page(offset, size);
        memcpy(sm_memory_writable(m, offset), from, n);
        from += n;
        offset += n;
        size -= n;
    }
}

void sm_memory_copy(struct sm_memory *to, const struct sm_memory *from)
{
    /* Pages private to `to` that `from` has not written go back to what `from` reads; the private
     * pages of `from` are copied, all others shared. */
    for (uint32_t i = 0; i < to->ndirty; i++)
        to->page[to->dirty[i]] = from->page[to->dirty[i]];
    to->ndirty = 0;
    for (uint32_t i = 0; i < from->ndirty; i++) {
        uint32_t p = from->dirty[i];
        uint8_t *own = to->own + (size_t)p * SM_PAGE;
        memcpy(own, from->page[p], SM_PAGE);
        to->page[p] = own;
        to->dirty[to->ndirty++] = p;
    }
}

static bool pages_equal(const struct sm_memory *a, const struct sm_memory *b,
                        const struct sm_memory *list)
{
    for (uint32_t i = 0; i < list->ndirty; i++) {
        uint32_t p = list->dirty[i];
        if (a->page[p] != b->page[p] && memcmp(a->page[p], b->page[p], SM_PAGE) != 0)
            return false;
    }
    return true;
}

bool sm_memory_equal(const struct sm_memory *a, const struct sm_memory *b)
{
    return pages_equal(a, b, a) && pages_equal(a, b, b);
}
