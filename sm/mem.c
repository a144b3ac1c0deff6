/* mem.c -- making, copying and comparing the copy-on-write pages of a machine. See mem.h. */
#include "mem.h"

#include <stdlib.h>
#include <sys/mman.h>

void mem_init(struct sm_mem *mem, const struct sm_image *img)
{
    mem->npages = img->npages;
    mem->page = fl_alloc(img->npages * sizeof *mem->page);
    mem->dirty = fl_alloc(img->npages * sizeof *mem->dirty);
    mem->ndirty = 0;
    for (uint32_t i = 0; i < img->npages; i++)
        mem->page[i] = img->initial + (size_t)i * SM_PAGE;
    /* reserved, not occupied: the system gives a page when it is first written */
    mem->own = NULL;
    if (img->mem_bytes) {
        void *p = mmap(NULL, img->mem_bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        mem->own =
            p == MAP_FAILED ? fl_alloc(SIZE_MAX / 2) /* says "out of memory" and aborts */ : p;
    }
}

void mem_free(struct sm_mem *mem, const struct sm_image *img)
{
    free(mem->page);
    free(mem->dirty);
    if (mem->own)
        munmap(mem->own, img->mem_bytes);
}

void mem_copy(struct sm_mem *to, const struct sm_mem *from)
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

static bool pages_equal(const struct sm_mem *a, const struct sm_mem *b, const struct sm_mem *list)
{
    for (uint32_t i = 0; i < list->ndirty; i++) {
        uint32_t p = list->dirty[i];
        if (a->page[p] != b->page[p] && memcmp(a->page[p], b->page[p], SM_PAGE) != 0)
            return false;
    }
    return true;
}

bool mem_equal(const struct sm_mem *a, const struct sm_mem *b)
{
    return pages_equal(a, b, a) && pages_equal(a, b, b);
}
