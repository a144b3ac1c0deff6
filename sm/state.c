/* state.c -- the state of an SM: made, copied, compared, hashed. */
#include <stdlib.h>

#include "base/hash.h"
#include "internal.h"

void sm_init(struct sm *m, const struct sm_image *img, const struct sm_port *port)
{
    m->img = img;
    m->port = *port;
    m->kernel = &img->kernel[img->launch[0].kernel];
    for (int i = 0; i < STAGE_COUNT; i++)
        m->s.stage[i] = NO_WARP;
    m->s.last_warp = img->profile.warps - 1; /* so that warp 0 comes first */
    m->s.slot = img->beats;
    m->s.next = m->s.slot;
    m->s.try_block = 1;
    m->stop = UINT64_MAX;
}

void sm_drop(struct sm *m)
{
    free(m->altered);
}

void sm_add_force(struct sm *m, const struct sm_force *f)
{
    if (m->nforces < SM_MAX_FORCES)
        m->force[m->nforces++] = *f;
    apply_forces(m);
}

/* The parts of the state that a job can touch, as byte ranges: what copies, comparisons and hashes
 * walk over. */
struct part {
    size_t offset, size;
};
enum {
    PART_TIME,
    PART_CONTROL,
    PART_REQUESTS,
    PART_LINES,
    PART_BLOCKS,
    PART_WARPS,
    PART_RF,
    PART_SHARED,
    PART_SPILL_TM,
    PART_SPILL_SPC,
    PART_SPILL_ID,
    PART_LOCK,
    PARTS
};

static void parts(const struct sm_image *img, struct part out[PARTS])
{
    size_t warps = (size_t)img->warps_used, spill = img->profile.stack_spill ? warps : 0;
    out[PART_TIME] = (struct part){0, offsetof(struct sm_state, trap)};
    out[PART_CONTROL] = (struct part){offsetof(struct sm_state, trap),
                                      offsetof(struct sm_state, request) -
                                          offsetof(struct sm_state, trap)};
    out[PART_REQUESTS] = (struct part){offsetof(struct sm_state, request),
                                       (size_t)profile_queue(&img->profile) *
                                           sizeof(struct sm_request)};
    out[PART_LINES] = (struct part){offsetof(struct sm_state, line_ready),
                                    img->caches.instructions ? warps * 8 : 0};
    out[PART_BLOCKS] = (struct part){offsetof(struct sm_state, block),
                                     (size_t)img->blocks_used * sizeof(struct sm_block)};
    out[PART_WARPS] = (struct part){offsetof(struct sm_state, warp),
                                    warps * sizeof(struct sm_warp)};
    out[PART_RF] = (struct part){offsetof(struct sm_state, rf), (size_t)img->regs_used * 4};
    out[PART_SHARED] = (struct part){offsetof(struct sm_state, shared), img->shared_used};
    out[PART_SPILL_TM] = (struct part){offsetof(struct sm_state, spill_tm),
                                       spill * SM_MAX_SPILL * 4};
    out[PART_SPILL_SPC] = (struct part){offsetof(struct sm_state, spill_spc),
                                        spill * SM_MAX_SPILL * 4};
    out[PART_SPILL_ID] = (struct part){offsetof(struct sm_state, spill_id), spill * SM_MAX_SPILL};
    out[PART_LOCK] = (struct part){offsetof(struct sm_state, lock),
                                   profile_has_locks(&img->profile) ? img->shared_used / 4 : 0};
}

/* Writes only what differs, page by page: zeros that no SM has changed take no memory in a checkpoint. */
static void copy_bytes(char *to, const char *from, size_t size)
{
    for (size_t n; size; to += n, from += n, size -= n) {
        n = SM_PAGE - (uintptr_t)to % SM_PAGE;
        n = n < size ? n : size;
        if (memcmp(to, from, n) != 0)
            memcpy(to, from, n);
    }
}

void sm_copy(struct sm *to, const struct sm *from)
{
    struct part part[PARTS];
    parts(from->img, part);
    for (int i = 0; i < PARTS; i++)
        copy_bytes((char *)&to->s + part[i].offset, (const char *)&from->s + part[i].offset,
                   part[i].size);
    to->kernel = from->kernel;
}

bool sm_uses(const struct sm_image *img, uint32_t offset)
{
    struct part part[PARTS];
    parts(img, part);
    bool used = offset >= sizeof(struct sm_state); /* pages are copied when they are written */
    for (int i = 0; i < PARTS; i++)
        used |= offset - part[i].offset < part[i].size;
    return used;
}

static bool same_parts(const struct sm *a, const struct sm *b, int first, int last)
{
    struct part part[PARTS];
    parts(a->img, part);
    for (int i = first; i <= last; i++)
        if (memcmp((const char *)&a->s + part[i].offset, (const char *)&b->s + part[i].offset,
                   part[i].size) != 0)
            return false;
    return true;
}

bool sm_same(const struct sm *a, const struct sm *b)
{
    return a->s.next == b->s.next && same_parts(a, b, PART_CONTROL, PARTS - 1);
}

/* Cycles from now until `t`, 0 when it has passed: what of an absolute time matters to the
 * future. */
static uint64_t ahead(const struct sm *m, uint64_t t)
{
    return t > m->s.next ? t - m->s.next : 0;
}

bool sm_recurs(const struct sm *a, const struct sm *b)
{
    const struct sm_state *x = &a->s, *y = &b->s;
    const size_t from = offsetof(struct sm_state, trap), to = offsetof(struct sm_state, nrequests);
    /* cheap and telling first: most states differ in a stage, a PC or a mask */
    if (x->clock_reads != y->clock_reads || x->slot != y->slot ||
        memcmp((const char *)x + from, (const char *)y + from, to - from) != 0)
        return false;
    for (int i = 0; i < a->img->warps_used; i++)
        if (x->warp[i].pc != y->warp[i].pc || x->warp[i].active != y->warp[i].active ||
            x->warp[i].sp != y->warp[i].sp)
            return false;
    if (x->nrequests != y->nrequests)
        return false;
    for (int i = 0; i < x->nrequests; i++)
        if (x->request[i].warp != y->request[i].warp ||
            ahead(a, x->request[i].ready) != ahead(b, y->request[i].ready))
            return false;
    for (sm_mask f = x->fetching; f; f &= f - 1)
        if (ahead(a, x->line_ready[mask_first(f)]) != ahead(b, y->line_ready[mask_first(f)]))
            return false;
    return same_parts(a, b, PART_BLOCKS, PARTS - 1);
}

uint64_t sm_hash(const struct sm *m, uint64_t h)
{
    struct part part[PARTS];
    parts(m->img, part);
    h ^= m->s.next;
    for (int i = PART_CONTROL; i < PARTS; i++)
        h = fl_hash_bytes(h, (const uint8_t *)&m->s + part[i].offset, part[i].size);
    return h;
}
