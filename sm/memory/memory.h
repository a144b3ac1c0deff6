/* memory.h -- the memory of a chip: its words in pages that are copied on write, and the channels
 * that requests take in and out of it.
 *
 * A page is read through `page[i]`, which points at the initial contents of the job or at the
 * memory's own copy. A write first makes the page the memory's own; the room for that was reserved
 * with the memory. So a copy of a machine copies little.
 */
#ifndef SM_MEMORY_H
#define SM_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { SM_PAGE = 4096 };

struct sm_memory {
    uint32_t npages;
    const uint8_t **page; /* current contents of each page */
    uint8_t *own;         /* npages * SM_PAGE, private; page[i] == own + i * SM_PAGE once written */
    uint32_t *dirty;      /* numbers of the private pages */
    uint32_t ndirty;
};

/* The way in and out: one for each SM, or one for the whole chip, which may have partitions: then each
 * of them is one. */
struct sm_channel {
    uint64_t free;         /* first cycle in which it takes a new request */
    uint64_t transactions; /* so far, for statistics: no state */
    /* cycles: it is busy for each transaction, and from the last one to the answer */
    uint32_t transaction, latency;
};

static inline const uint8_t *sm_memory_at(const struct sm_memory *m, uint32_t offset)
{
    return m->page[offset / SM_PAGE] + offset % SM_PAGE;
}

static inline uint8_t *sm_memory_writable(struct sm_memory *m, uint32_t offset)
{
    uint32_t p = offset / SM_PAGE;
    uint8_t *own = m->own + (size_t)p * SM_PAGE;
    if (m->page[p] != own) {
        memcpy(own, m->page[p], SM_PAGE);
        m->page[p] = own;
        m->dirty[m->ndirty++] = p;
    }
    return own + offset % SM_PAGE;
}

/* Bytes of any range. */
void sm_memory_read(const struct sm_memory *m, uint32_t offset, void *out, uint32_t size);
void sm_memory_write(struct sm_memory *m, uint32_t offset, const void *bytes, uint32_t size);

/* A request of so many transactions arrives in cycle `now`. Returns the first cycle in which its answer
 * may go to Write-back. */
static inline uint64_t sm_channel_request(struct sm_channel *c, uint32_t transactions, uint64_t now)
{
    c->transactions += transactions;
    c->free = (c->free > now ? c->free : now) + (uint64_t)transactions * c->transaction;
    return c->free + c->latency;
}

/* Zeros, reserved and not occupied: the system gives a page when it is first written. Out of memory
 * ends the program. */
void *sm_memory_pages(size_t bytes);
void sm_memory_give_back(void *pages, size_t bytes);

/* `initial`: npages * SM_PAGE bytes, which must outlive it. Its times are 0. */
void sm_memory_init(struct sm_memory *m, const uint8_t *initial, uint32_t npages);
void sm_memory_free(struct sm_memory *m);
/* Both were made of the same contents. */
void sm_memory_copy(struct sm_memory *to, const struct sm_memory *from);
bool sm_memory_equal(const struct sm_memory *a, const struct sm_memory *b); /* the words */

#endif
