/* mem.h -- the pages of a machine's memory: copy on write, so that a copy of a machine copies
 * little.
 *
 * A page is read through `page[i]`, which points at the image's initial contents or at the
 * machine's own copy. A write first makes the page the machine's own; the room for that was
 * allocated with the machine.
 */
#ifndef SM_MEM_H
#define SM_MEM_H

#include <string.h>
#include "machine.h"

static inline const uint8_t *mem_at(const struct sm_mem *mem, uint32_t offset)
{
    return mem->page[offset / SM_PAGE] + offset % SM_PAGE;
}

static inline uint8_t *mem_writable(struct sm_mem *mem, uint32_t offset)
{
    uint32_t p = offset / SM_PAGE;
    uint8_t *own = mem->own + (size_t)p * SM_PAGE;
    if (mem->page[p] != own) {
        memcpy(own, mem->page[p], SM_PAGE);
        mem->page[p] = own;
        mem->dirty[mem->ndirty++] = p;
    }
    return own + offset % SM_PAGE;
}

void mem_init(struct sm_mem *mem, const struct sm_image *img);
void mem_free(struct sm_mem *mem, const struct sm_image *img);
void mem_copy(struct sm_mem *to, const struct sm_mem *from);
bool mem_equal(const struct sm_mem *a, const struct sm_mem *b);

#endif
