/* internal.h -- what the files of the C model share among themselves; not for users of the
 * library. */
#ifndef SM_INTERNAL_H
#define SM_INTERNAL_H

#include "sm/arith/lanes.h"
#include "effects.h"
#include "evaluate.h"
#include "machine.h"
#include "hook.h"

/* The first trap of a job is the one that counts; it ends the job. */
static inline void set_trap(struct sm *m, int w, enum sm_trap trap)
{
    if (m->s.trap == TRAP_NONE) {
        m->s.trap = trap;
        m->s.trap_warp = w;
        m->s.trap_pc = m->s.warp[w].pc;
    }
}

static inline void set_thread_state(struct sm_warp *w, uint32_t lanes, enum sm_thread_state ts)
{
    w->ts[0] = ts & 1 ? w->ts[0] | lanes : w->ts[0] & ~lanes;
    w->ts[1] = ts & 2 ? w->ts[1] | lanes : w->ts[1] & ~lanes;
}

/* decode.c: instructions that a fault changed on their way */
const struct sm_uop *sm_altered_uop(struct sm *m, int w); /* of a warp in m->s.altered */
uint32_t sm_ir_word(const struct sm *m, uint32_t i); /* word i of what was fetched into Decode; 0 */
/* The words at a mapped address; returns the bytes of code from there on, 0 where no code is mapped. */
uint32_t sm_code_words(const struct sm_kernel *k, uint32_t pc, uint32_t words[2]);

static inline bool in_ir(uint32_t offset)
{
    return offset - offsetof(struct sm_state, ir) < sizeof(((struct sm_state *)0)->ir);
}

static inline void apply_forces(struct sm *m)
{
    for (int i = 0; i < m->nforces; i++) {
        const struct sm_force *f = &m->force[i];
        uint8_t *cell = f->offset < sizeof m->s
                            ? (uint8_t *)&m->s + f->offset
                            : sm_memory_writable(m->port.memory, f->offset - (uint32_t)sizeof m->s);
        uint32_t v = 0, value = f->value;
        if (in_ir(f->offset)) /* it stands there as a difference */
            value = (value ^
                     sm_ir_word(m, (f->offset - (uint32_t)offsetof(struct sm_state, ir)) / 4)) &
                    f->mask;
        memcpy(&v, cell, f->width);
        v = (v & ~f->mask) | value;
        memcpy(cell, &v, f->width);
    }
}

/* Some cell is held that is not one of a register, which only data decide. */
static inline bool holds_control(const struct sm *m)
{
    bool some = false;
    for (int i = 0; i < m->nforces; i++)
        some |= m->force[i].offset - offsetof(struct sm_state, rf) >= sizeof m->s.rf;
    return some;
}

/* Where its local memory begins in the memory pages. */
static inline uint32_t sm_local_offset(const struct sm *m)
{
    return m->img->local_offset + (uint32_t)m->port.number * m->img->local_bytes;
}

/* The instruction that warp w has in the pipeline, behind Fetch. */
static inline const struct sm_uop *warp_uop(struct sm *m, int w)
{
    return mask_has(m->s.altered, w) ? sm_altered_uop(m, w)
                                     : fetch_uop(m->kernel, m->s.warp[w].fetched);
}

/* stack.c: the rest of the divergence stack (effects.h) */
/* RET under the rule ret_pops: pops an entry of any kind, or takes the threads in `exec` out of the
 * mask for good. The PC to go on at. */
uint32_t stack_return(struct sm *m, int w, uint32_t exec, uint32_t next, uint32_t *stall);
bool stack_unwind(struct sm *m, int w,
                  uint32_t *stall); /* one pop; false when there was nothing to pop */

/* exec.c: what instructions do in Write-back */
bool exec_instruction(struct sm *m, int w, uint32_t *stall); /* true when it popped the stack */

/* lsu.c: memory operands, loads and stores, and the time they take */
void lsu_load(struct sm *m, struct sm_warp *w, const struct sm_uop *u, uint32_t exec);
void lsu_store(struct sm *m, struct sm_warp *w, const struct sm_uop *u, uint32_t exec);
/* Locks words of shared memory and loads them; of the lanes in `exec` those that have got theirs. */
uint32_t lsu_lock(struct sm *m, struct sm_warp *w, const struct sm_uop *u, uint32_t exec,
                  uint32_t out[SM_LANES]);
void lsu_atom(struct sm *m, struct sm_warp *w, const struct sm_uop *u, uint32_t exec);
/* A store to global or local memory takes its data in Write-back, not in Read, and so does an atomic operation: whether `reg` is data of
 * this one, and not its address too. */
bool lsu_stores_late(const struct sm_uop *u, uint32_t reg);
/* Fills 32 lanes with an operand in shared or constant memory; false after a trap. */
bool lsu_operand(struct sm *m, struct sm_warp *w, const struct isa_operand *o, uint32_t exec,
                 uint32_t out[SM_LANES]);
void lsu_postincrement(struct sm *m, struct sm_warp *w, const struct sm_uop *u, uint32_t exec);

/* fetch.c: textures */
enum { FETCH_TRANSACTIONS = SM_LANES * TEXTURE_TEXELS }; /* at most */
/* How many; where each begins, unless `at` is NULL. */
uint32_t fetch_transactions(const struct sm *m, const struct sm_warp *w, const struct sm_uop *u,
                            uint32_t *at);
void fetch_texture(struct sm *m, struct sm_warp *w, const struct sm_uop *u, uint32_t exec);
struct cached_words;
/* Texel i of a lane has its words from i times as many on as a texel has. */
void fetch_words(const struct sm *m, const struct sm_warp *w, const struct sm_uop *u, uint32_t exec,
                 struct cached_words *out);

/* cached.c: instructions that meet a cache */

/* Where requests to the space of an operand (ISA_G, ISA_L, ISA_K) go first: a cache or CACHE_MEMORY. */
static inline int cached_first(const struct sm *m, int kind)
{
    return m->img->caches.first[kind == ISA_L   ? CACHE_LOCAL
                                : kind == ISA_K ? CACHE_CONSTANT
                                                : CACHE_GLOBAL];
}
static inline bool is_cached(const struct sm *m, int kind)
{
    return m->words || (m->img->caches.any && (kind == ISA_G || kind == ISA_L || kind == ISA_K) &&
                        cached_first(m, kind) != CACHE_MEMORY);
}
static inline bool fetch_is_cached(const struct sm *m)
{
    return m->img->caches.any && m->img->caches.first[CACHE_TEXELS] != CACHE_MEMORY;
}
/* The words of an access, at addresses as caches count them, that have not had their turn. */
enum { CACHED_WORDS = 4 * TEXTURE_TEXELS };
struct cached_words {
    uint64_t addr[CACHED_WORDS][SM_LANES];
    uint32_t left[CACHED_WORDS]; /* lanes */
    uint32_t count, bytes;       /* words of a lane; bytes of each of them */
};
/* A request enters in cycle `now`: the first cycle in which its answer may go to Write-back. */
uint64_t cached_answer(struct sm *m, int w, const struct sm_uop *u, uint64_t now);
/* An instruction enters Execute: the cycles that it needs longer there for its constants. */
uint32_t cached_constants(struct sm *m, int w, const struct sm_uop *u, uint64_t now);
/* A warp may be picked, if the line of its next instruction is there: from which cycle on it is. */
uint64_t cached_line(struct sm *m, int w, uint64_t now);
/* An instruction is fetched; in the instruction register of Decode stands what differs from the code. */
void cached_instruction(struct sm *m, int w);
/* They are read from, or written to, cache `first` and what is behind it; v[k][lane]. */
void cached_words(struct sm *m, int first, struct cached_words *w, uint32_t (*v)[SM_LANES],
                  bool store);
/* `at`: offsets in the memory pages; `words` of each lane, v[k][lane], of which each has
 * `bytes`. */
void cached_access(struct sm *m, const struct isa_operand *o, uint32_t exec,
                   const uint32_t at[SM_LANES], uint32_t words, uint32_t bytes,
                   uint32_t (*v)[SM_LANES], bool store);

/* The same of a constant, up to 4 bytes, that all lanes read. */
uint32_t cached_constant(struct sm *m, uint32_t at, uint32_t bytes);

/* One lane's part of an atomic operation in global memory, where all SMs share it: its word or two. */
void cached_atom(struct sm *m, uint32_t at, uint32_t words, int lane, uint32_t (*v)[SM_LANES],
                 bool store);

/* exec.c, for lsu.c and fetch.c: registers beyond the allocation ignore writes */
void sm_write_register(struct sm *m, struct sm_warp *w, uint32_t reg, const uint32_t *d,
                       uint32_t lanes);

/* Works out what lsu_pattern (evaluate.h) knows. */
void lsu_find_pattern(struct sm *m, int w, const struct isa_operand *o, uint32_t exec);

/* block.c: starting and ending blocks */
void block_start(struct sm *m);
void block_warp_ended(struct sm *m, int w);

#endif
