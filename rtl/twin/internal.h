/* internal.h -- between smrtl.c and the Verilated models (smrtl.cc, once per model). */
#ifndef SMRTL_INT_H
#define SMRTL_INT_H

#include "smrtl.h"

#ifdef __cplusplus
extern "C" {
#endif

/* a register or memory of the RTL: `rows` times `width` bits, `stride` bytes apart */
struct smrtl_array {
    uint8_t *data;
    int rows, width;
    size_t stride;
};

/* where a field of a structure stands: from bit `first` of each `apart` bits of a row */
struct smrtl_place {
    struct smrtl_array array;
    int first, apart;
};

struct smrtl_ops {
    const char *name;
    struct profile profile;
    bool broken; /* has a defect on purpose: never picked by profile */
    bool
        gates; /* something may stand in for units of the control: picked when asked for, or alone */
    void *(*make)(struct smrtl *m);
    void (*free)(void *model);
    void (*tick)(struct smrtl *m);
    void (*state)(struct smrtl *m);
    void (*force_le)(struct smrtl *m, int sm, int warp, int le, struct smrtl_le mask,
                     struct smrtl_le value);
    /* the lane of an SP by m->by; a unit of sm_gates.sv, unless 0, by m->control */
    void (*replace)(struct smrtl *m, int sp, int unit);
    int (*trace)(struct smrtl *m, const char *path);
    void (*copy)(struct smrtl *to, const struct smrtl *from);
    bool (*same)(const struct smrtl *a, const struct smrtl *b, bool relative);
    bool (*find)(const struct smrtl *m, int sm, const char *path, struct smrtl_array *out);
    const char *(*list)(const struct smrtl *m, int i, struct smrtl_array *out);
    void (*settle)(struct smrtl *m);
    bool (*is_time)(const char *path); /* what equal states may have different */
};

struct smrtl_hold {
    struct sm_cell cell;
    int value;
};

struct smrtl {
    const struct smrtl_ops *ops;
    const struct sm_image *img;
    void *model;
    struct gpu *gpu;          /* memories; the rest is filled in by ops->state */
    struct sm_commit *record; /* one for each SM */
    const struct sm_override *by,
        *control; /* of a lane, of a unit of the control; NULL: the RTL's own */
    uint64_t cycle, commits, clock_reads;
    uint64_t instructions[SM_MAX_SMS];
    bool ended;
    struct smrtl_place
        *place; /* of each field of each structure, SM_MAX_FIELDS apart, of each SM */
    int nholds;
    bool times_held; /* then times, and places in the queue, are compared as they are */
    struct smrtl_hold hold[SMRTL_MAX_HOLDS];
};

/* Held cells get their value. */
void smrtl_apply_holds(struct smrtl *m);

/* What rtl/sm_gates.sv calls, `handle` being a struct sm_override. */
void smrtl_gates_answer(unsigned long long handle, int first_in, int ins, int first, int outs,
                        const uint32_t *seen, const uint32_t *own, uint32_t *is);
void smrtl_gates_write(unsigned long long handle, int first_in, int ins, int first, int outs,
                       const uint32_t *seen, const uint32_t *own, uint32_t *is);
int smrtl_gates_listens(unsigned long long handle);
void smrtl_gates_edge(unsigned long long handle, int ins, int outs, const uint32_t *seen,
                      const uint32_t *own);

extern const struct smrtl_ops *const smrtl_models[]; /* NULL at the end; made by the build */

#ifdef __cplusplus
}
#endif
#endif
