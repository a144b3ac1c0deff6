/* smrtl_int.h -- between smrtl.c and the Verilated models (smrtl.cc, once per model). */
#ifndef SMRTL_INT_H
#define SMRTL_INT_H

#include "smrtl.h"

#ifdef __cplusplus
extern "C" {
#endif

struct smrtl_ops {
    const char *name;
    struct profile profile;
    bool broken; /* has a defect on purpose: never picked by profile */
    void *(*make)(struct smrtl *m);
    void (*free)(void *model);
    void (*tick)(struct smrtl *m);
    void (*state)(struct smrtl *m);
    struct smrtl_le (*read_le)(const struct smrtl *m, int warp, int le);
    void (*write_le)(struct smrtl *m, int warp, int le, struct smrtl_le v);
    void (*force_le)(struct smrtl *m, int warp, int le, struct smrtl_le mask,
                     struct smrtl_le value);
    int (*trace)(struct smrtl *m, const char *path);
    void (*copy)(struct smrtl *to, const struct smrtl *from);
    bool (*same)(struct smrtl *a, struct smrtl *b, bool relative);
};

struct smrtl {
    const struct smrtl_ops *ops;
    const struct sm_image *img;
    void *model;
    struct sm *sm; /* memories; the rest is filled in by ops->state */
    struct sm_commit *record;
    uint64_t cycle, instructions;
    bool ended;
};

extern const struct smrtl_ops *const smrtl_models[]; /* NULL at the end; made by the build */

#ifdef __cplusplus
}
#endif
#endif
