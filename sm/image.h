/* image.h -- what never changes while a job runs: profile, decoded code, launches, the map of memory
 * and its contents. Built once from a job, shared by any number of machines and threads.
 */
#ifndef SM_IMAGE_H
#define SM_IMAGE_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include "operand.h"
#include "sm/arith/alu.h"
#include "sm/cache/cache.h"
#include "sm/job/job.h"
#include "sm/job/profile.h"
#include "sm/memory/memory.h"
#include "sm/texture/texture.h"

/* How the model executes an instruction; chosen once, when code is decoded. */
enum sm_unit {
    UNIT_NONE, /* no such instruction: traps */
    UNIT_NOP,
    UNIT_ALU,
    UNIT_MOVE,
    UNIT_R2A,
    UNIT_A2R,
    UNIT_ADA,
    UNIT_C2R,
    UNIT_R2C,
    UNIT_S2R,
    UNIT_LOAD,
    UNIT_STORE,
    UNIT_BRA,
    UNIT_CAL,
    UNIT_RET,
    UNIT_SSY,
    UNIT_PBK,
    UNIT_BRK,
    UNIT_BAR,
    UNIT_TRAP,
    UNIT_UNSUPPORTED,
    UNIT_TEXTURE, /* of a unit that some launch of the job has bound; else UNIT_UNSUPPORTED */
    UNIT_VOTE,
    UNIT_ATOM,
    UNIT_LOCK /* a load that locks */
};

/* A shared or constant operand through an address register; one that passes a cache for constants. */
enum { LONGER_BY_ADDRESSES = 1, LONGER_BY_CACHE = 2 };

struct sm;
struct sm_uop;
struct sm_warp;
struct sm_pattern;
/* A shortcut: does the instruction for the lanes in `exec`, which are some; or does nothing and
 * returns false. The PC is that of the next instruction; `p`: what is known of a word_shared, or NULL. */
typedef bool (*sm_quick_fn)(struct sm *m, struct sm_warp *w, const struct sm_uop *u, uint32_t exec,
                            const struct sm_pattern *p);
/* quick/quick.c: chooses one; `regs`: registers per thread of the kernel */
void quick_select(struct sm_uop *u, uint32_t regs);

/* How far it may go in a full pipeline without more than a look (run_full in sm.c): through Write-back, or no further than
 * Execute, Read, Decode. */
enum sm_pace { PACE_THROUGH, PACE_EXECUTE, PACE_READ, PACE_DECODE };

struct sm_uop {
    struct isa_insn in;
    uint32_t lo, hi;
    sm_alu_fn alu;
    uint8_t unit; /* enum sm_unit */
    bool sfu;     /* takes profile.sfu_cycles in Execute */
    /* leaves the pipeline after Execute and waits for memory: global and local accesses, textures */
    bool offchip;
    uint8_t longer; /* Execute may take longer: LONGER_... */
    uint8_t nsrc;   /* sources that have an operand */
    bool postinc;   /* adds to an address register afterwards */
    /* `memory` is a 32-bit word of shared memory through an address register: the common kind */
    bool word_shared;
    uint32_t cycles;                  /* in Execute, without those for bank conflicts */
    bool always;                      /* no predicate, no lane mask: all active lanes execute */
    const struct isa_operand *memory; /* the operand that decides how long, or NULL */
    uint32_t *imm[3];                 /* 32 lanes of each source that is an immediate, else NULL */
    /* shortcuts of quick/ */
    sm_quick_fn quick;  /* or NULL */
    sm_quick_fn joined; /* of a join: the rest of it */
    /* 32 lanes of each source that never changes: immediate, zeros; else NULL ... */
    const uint32_t *lanes[3];
    uint32_t row[3], dst_row; /* ... and the register's first lane counts from reg_base */
    uint8_t how[3];           /* how each source is had: enum source_kind in quick/quick.c */
    uint8_t made;             /* sources that have to be put together, a bit each */
    uint8_t pace;             /* enum sm_pace */
    bool acts;                /* whatever its predicate says */
    uint8_t unused[21];       /* a power of two: an instruction's place is found with a shift */
};
static_assert(sizeof(struct sm_uop) == 256, "see unused");

struct sm_code {
    uint32_t base, size;
    uint32_t at; /* where it stands behind code_offset, if a cache asks for code */
    /* one for each 4 bytes; those inside an instruction are decoded too: a wild jump may go
     * there */
    struct sm_uop *uop;
};

/* one constant bank as the kernel sees it: bytes [offset, offset + size) of the memory pages */
struct sm_bank {
    uint32_t offset, size;
};

struct sm_kernel {
    const char *name;
    int regs;             /* registers per thread */
    uint32_t local_bytes; /* per thread */
    int ncode;
    struct sm_code *code;
    struct sm_bank bank[16];
};

/* What the host does between two launches: `size` bytes of the memory pages from `to` on become
 * `data`, or those from `from` on, or `value` again and again, from its low byte on. What it reads,
 * it copies to pages of its own. */
struct sm_step {
    uint32_t to, size;
    const uint8_t *data; /* of the job */
    bool copies;
    uint32_t from, value;
};
struct sm_steps { /* image.step[first ...] */
    uint32_t first, count;
};

struct sm_launch {
    struct sm_steps before;
    int kernel;
    uint32_t grid[2], block[3];
    uint32_t blocks;     /* grid[0] * grid[1] */
    int threads, warps;  /* per block */
    int regs;            /* registers of a whole block: warps * 32 * regs per thread */
    uint32_t shared;     /* bytes of a block, header and parameters included, multiple of 16 */
    uint32_t params_end; /* bytes [0x10, params_end) are written when a block starts */
    uint8_t *params;     /* image of s[0 .. params_end), header zero */
    uint32_t *r0;        /* what $r0 of each thread of a block starts with; whole warps */
    bool shares;         /* the two are those of an earlier pass of a repeat */
    uint32_t textures;   /* what is bound: image.texture[textures ...], TEXTURE_UNITS of them */
    /* what the host does behind it: see struct job_launch */
    bool decides, last_pass, looked; /* looked: before it, at memory, without steps that say so */
    uint32_t word, until, over;      /* word: address in g14[] */
};

/* What follows the end of a launch; beside the number of another one: */
enum { SM_JOB_OVER = 1u << 30, SM_HOST_GIVES_UP };

struct sm_buffer { /* a mapped range of g14[] */
    uint32_t addr, size;
};

/* Cells of local memory (of an SM) and of constant memory, in bytes: at least so many, though the job addresses fewer.
 * What a job addresses lies in the first of them; the others hold 0, and no instruction and no cache reaches them. */
struct sm_image_cells {
    uint32_t local, konst;
};

struct sm_image {
    struct profile profile;
    uint32_t beats;                         /* cycles of a slot: 32 / SPs */
    const struct job *job;                  /* names for messages; must outlive the image */
    int sms, nkernels, nlaunches, nbuffers; /* sms: of the chip */
    struct sm_kernel *kernel;
    struct sm_launch *launch;
    struct sm_buffer *buffer;
    struct sm_step *step;
    uint32_t nsteps;
    struct sm_steps after;   /* behind the last launch */
    struct texture *texture; /* sets of TEXTURE_UNITS: what launches have bound */
    uint32_t ntextures;
    uint32_t traps; /* bits of enum sm_trap: the last launch is to end in one of them; 0: in none */
    bool
        beside_traps; /* this job, or one that faults are judged by together with it, has such a launch */
    uint32_t texture_units; /* a bit each: the job binds it, or the cubin has a reference there */
    bool live;              /* sm_image_open: the host decides while the machine runs */
    int textures_bound;     /* of job.texture, in the last set */
    uint32_t *taken;        /* of outputs that a step takes: where, in the memory pages */
    const struct sm_buffer **page_buffer; /* of each page of g14[], or NULL: never two */
    /* memory pages: [0, global_bytes) is g14[JOB_BASE ...), then what the host has read, from const_offset on
     * constant banks, then the local memory of each SM, code if a cache asks for it, caches */
    uint32_t global_bytes, const_offset, const_end, local_offset, code_offset, code_bytes, code_end;
    uint32_t mem_bytes, npages, local_bytes; /* of each SM: sm0's begin at local_offset */
    struct sm_image_cells cells;
    uint32_t spare_offset; /* of the cells that the job does not address, behind all else */
    struct cache_map caches;
    uint8_t *initial; /* npages * SM_PAGE, the contents when the first launch begins */
    /* what this job can ever occupy, so that copies and comparisons touch no more than that */
    int warps_used, blocks_used, regs_used;
    uint32_t shared_used;
};

/* What the host does before a launch; behind the last one there is no such launch any more. */
static inline struct sm_steps sm_steps_before(const struct sm_image *img, uint32_t launch)
{
    return launch < (uint32_t)img->nlaunches ? img->launch[launch].before : img->after;
}

/* Does a step on contents of the memory pages. */
void sm_step_do(const struct sm_step *s, uint8_t *pages);

/* Where the bytes of an output stand in the memory pages. */
static inline uint32_t sm_output_at(const struct sm_image *img, int output)
{
    const struct job_output *o = &img->job->output[output];
    return o->taken ? img->taken[output] : img->job->buffer[o->buffer].addr + o->offset - JOB_BASE;
}

/* decode.c, for image/image.c: code into instructions, once. */
void decode_code(const struct sm_image *img, struct sm_kernel *k, const struct cubin_kernel *src);
void decode_free(struct sm_kernel *k);
/* The instruction at an address of mapped code has other words (size 4: the second is left alone) in all that runs of
 * this image from now on. */
void decode_patch(struct sm_image *img, struct sm_kernel *k, uint32_t at, const uint32_t words[2],
                  int size);

struct sm_image *sm_image_new(const struct job *job, struct fl_err *err);
struct sm_image *sm_image_with_cells(const struct job *job, const struct sm_image_cells *least,
                                     struct fl_err *err);
size_t sm_image_local_cell(const struct sm_image *img, size_t sm, size_t word);
size_t sm_image_const_cell(const struct sm_image *img, size_t word);
/* For a host that decides while the machine runs: of a job that job_place has been over, without launches and with
 * `room` bytes for buffers. Buffers (-1: no room), modules, joined to the job's cubin before, and launches come one by
 * one; the first launch before the machine, whose memory gets the new bytes of `initial` behind the ends (const_end ...). */
struct sm_image *sm_image_open(const struct job *job, uint32_t room);
int sm_image_add(struct sm_image *img); /* -1: no room, and nothing is added */
int sm_image_map(struct sm_image *img, uint32_t addr, uint32_t size);
/* A buffer that begins where it began; what follows it must be free. */
void sm_image_resize(struct sm_image *img, int buffer, uint32_t size);
int sm_image_launch(struct sm_image *img, const struct job_launch *l, struct fl_err *err);
void sm_image_free(struct sm_image *img);

#endif
