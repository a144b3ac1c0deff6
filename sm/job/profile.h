/* profile.h -- the sizes and latencies of one machine, read from profiles/<name>.xml.
 *
 * The same file feeds the C model (through this struct) and the RTL (through a generated package).
 */
#ifndef PROFILE_H
#define PROFILE_H

#include <stdbool.h>
#include <stdint.h>
#include "base/fl.h"

/* Limits of the model's arrays; a profile that wants more is refused. */
enum {
    SM_MAX_WARPS = 64,
    SM_LANES = 32,
    SM_MAX_LE = 32,
    SM_MAX_SPILL = 96,
    SM_MAX_REGS = 65536,
    SM_MAX_SHARED = 98304,       /* of an SM; a block has SM_MAX_BLOCK_SHARED */
    SM_MAX_BLOCK_SHARED = 65536, /* addresses through $a have 16 bits */
    SM_MAX_BARRIERS = 16,
    SM_MAX_BLOCKS = 32,
    SM_MAX_BLOCK_WARPS = 32,
    SM_MAX_BANKS = 64,
    SM_MAX_JOB_BUFFERS = 4096,
    SM_MAX_SMS = 128,
    SM_MAX_PARTITIONS = 64,
    SM_MAX_LINE = 256, /* of a cache, bytes */
    SM_MAX_WAYS = 512
};

/* The caches that a profile may have, each a row of sm/structures.def; behind them, memory. */
enum { CACHE_L1D, CACHE_L1C, CACHE_L1T, CACHE_L1I, CACHE_L2, CACHES, CACHE_MEMORY = CACHES };
enum cache_place { CACHE_OF_SM, CACHE_OF_CHIP };
enum cache_replacement { CACHE_LRU, CACHE_PLRU, CACHE_FIFO };
enum cache_write { CACHE_THROUGH, CACHE_BACK };
enum cache_allocate { CACHE_READ, CACHE_BOTH };
enum cache_on_store { CACHE_UPDATE, CACHE_EVICT };
enum cache_space { CACHE_GLOBAL, CACHE_LOCAL, CACHE_CONSTANT, CACHE_CODE, CACHE_SPACES };
/* Who asks: an instruction, by the space of its operand; the stage Fetch; TEX and TLD, for texels in global
 * memory. */
enum { CACHE_TEXELS = CACHE_SPACES, CACHE_ASKERS };
/* What a cache holds: lines; or nothing but what gpuFI-4's does (sm/cache/cache.h). */
enum cache_model { CACHE_MODEL_REAL, CACHE_MODEL_GPUFI };

struct profile_cache {
    uint32_t bytes; /* 0: the machine has no such cache */
    uint32_t line, ways;
    int replacement, write, allocate, on_store; /* enums cache_... */
    uint32_t spaces;                            /* 1 << CACHE_GLOBAL ... */
    /* from leaving Execute to the answer of a hit, without queueing; of constants, in Execute; of
     * instructions, before Fetch */
    uint32_t latency;
    int next; /* where misses go: CACHE_L2, CACHE_MEMORY */
};

/* What SMs share: one way to memory for the chip, or one for each; a block goes to whoever has room first, or
 * block b to SM b mod n. */
enum profile_ports { PORTS_CHIP, PORTS_SM };
enum profile_blocks { BLOCKS_DYNAMIC, BLOCKS_FIXED };

struct profile {
    char name[32];
    int warps;             /* warp slots, 24; at most 64 */
    int threads_per_block; /* 512 */
    int threads_per_sm;    /* 768 */
    int blocks_per_sm;     /* 8 */
    int regs;              /* 32-bit registers, 8192 */
    int shared_bytes;      /* 16384 */
    int shared_banks;      /* 16 */
    int barriers;          /* 16 */
    int sps;               /* 8, 16 or 32 */
    int stack_entries;     /* LEs per warp, 32 */
    int stack_spill;       /* fault-free entries behind them; 0: a push on full traps */
    int capability;        /* enum isa_capability */
    int code_bits;    /* 24; 32: hi[27:20] extend branch targets; 18: a pop takes no more of SPC */
    double clock_mhz; /* 1350 */
    /* timing, in cycles; docs/explain/cycles.md, "Timing" */
    int sfu_cycles;         /* Execute time of an SFU warp instruction */
    int global_latency;     /* from leaving Execute to the answer, without queueing */
    int global_transaction; /* per memory transaction of a half-warp */
    int const_conflict;     /* per further distinct address of a constant operand */
    int shared_conflict;    /* per further bank pass of a half-warp */
    int spill_latency;      /* per push to or pop from the spill area */
    /* rules of the divergence stack that are not the same in all machines; docs/explain/stack.md. Sets of
     * flow ids have a bit each: 1 SYNC, 2 DIVERGE, 4 CALL, 8 BREAK */
    /* a push is lost when the stack holds so many entries; 0: one on a full stack traps */
    int drops_at;
    /* a join on an empty stack: the threads that the warp started with; else it traps */
    int empty_restores;
    int join_pops; /* flow ids that a join may pop, others trap */
    /* flow ids whose SPC a join takes; behind others it goes on with the next instruction */
    int join_jumps;
    int last_jumps; /* ... and whether it takes that of the last entry */
    int ret_pops;   /* RET pops an entry of any kind, and acts on threads on an empty stack only */
    int exit_ends;  /* the exit flag ends threads */
    /* the chip */
    int sms;    /* 1 */
    int ports;  /* enum profile_ports */
    int blocks; /* enum profile_blocks */
    /* of the way to memory that all SMs share: each takes transactions of its own, and has every so
     * many-th `interleave` bytes */
    int partitions; /* 1 */
    int interleave; /* in bytes, a power of two */
    int clusters;   /* of as many SMs each; 1 */
    struct profile_cache cache[CACHES];
    int cache_model; /* enum cache_model; no file says it, whoever runs a campaign does */
};

/* "l1d", and whose it is. */
const char *profile_cache_name(int cache);
enum cache_place profile_cache_place(int cache);

static inline uint32_t profile_cache_sets(const struct profile_cache *c)
{
    return c->bytes ? c->bytes / (c->line * c->ways) : 0;
}

/* The cache that requests of an asker meet first, or CACHE_MEMORY. */
static inline int profile_first_cache(const struct profile *p, int asker)
{
    int space = asker == CACHE_TEXELS ? CACHE_GLOBAL : asker;
    int other = asker == CACHE_TEXELS ? CACHE_L1D : CACHE_L1T;
    for (int i = 0; i < CACHES; i++)
        if (i != other && p->cache[i].bytes && p->cache[i].spaces >> space & 1)
            return i;
    return CACHE_MEMORY;
}

static inline bool profile_has_caches(const struct profile *p)
{
    for (int i = 0; i < CACHES; i++)
        if (p->cache[i].bytes)
            return true;
    return false;
}

/* Words of shared memory can be locked: compute capability 1.2. */
static inline bool profile_has_locks(const struct profile *p)
{
    return p->capability >= 2;
}

/* Places of the memory queue: a warp has one instruction in flight, so a healthy SM never fills them. */
static inline int profile_queue(const struct profile *p)
{
    return p->warps > 32 ? SM_MAX_WARPS : 32;
}

/* Takes another number of SMs, in clusters as large as before; the last one may have fewer. */
void profile_set_sms(struct profile *p, int sms);

/* Bits of SPC that a pop takes: addresses are multiples of 8, and fetch may see few bits of
 * them. */
static inline uint32_t profile_spc_bits(const struct profile *p)
{
    return (p->code_bits < 24 ? ((uint32_t)1 << p->code_bits) - 1 : ~0u) & ~7u;
}

/* `name` is a shipped profile (g80, flexgripplus, flexgripplus-rtl, tiny) or a path to an .xml file
 * (it ends in .xml or holds a slash). Schema: docs/profile.rng. A profile that contradicts itself
 * is refused. */
int profile_load(const char *name, struct profile *out, struct fl_err *err);
/* Where it lies: as written when it looks like a path, else among the shipped ones. Caller
 * frees. */
char *profile_path(const char *name);

/* An SM that writes a whole line back takes back what others have written in it. */
static inline bool profile_lines_collide(const struct profile *p)
{
    const struct profile_cache *c = &p->cache[CACHE_L1D];
    return p->sms > 1 && c->bytes && c->write == CACHE_BACK && c->spaces >> CACHE_GLOBAL & 1;
}

/* Reads <cache>; what several of them can get wrong together. `root`: the profile. */
struct xml_file;
struct _xmlNode;
int profile_read_cache(const struct xml_file *f, const struct _xmlNode *n, struct profile *p,
                       struct fl_err *err);
int profile_check_caches(const struct xml_file *f, const struct _xmlNode *root,
                         const struct profile *p, struct fl_err *err);

/* " name=value" for each rule that is another one than the G80's: nothing for most machines. */
void profile_print_rules(const struct profile *p, struct fl_buf *out);

/* The first element in which two profiles differ ("regs"), or NULL when they describe the same
 * machine. */
const char *profile_differs(const struct profile *a, const struct profile *b);

#endif
