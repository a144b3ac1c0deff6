/* images.h -- reads of images become fetches from texture references. */
#ifndef CC_IMAGES_H
#define CC_IMAGES_H

#include "cc/ptx/ptx.h"

/* Image and sampler arguments leave the kernel's parameters; references come to those of the module, from *unit on. */
int cc_images(struct cc_arena *arena, struct ptx_module *m, struct ptx_kernel *k,
              const struct cc_source *source, const char *llvm, uint32_t *unit, struct fl_err *err);

/* Texture objects of CUDA C, which are arguments: fetches through one become fetches from a reference. The argument stays, and has the unit. */
int cc_texture_objects(struct cc_arena *arena, struct ptx_module *m, struct ptx_kernel *k,
                       const struct cc_source *source, const char *llvm, uint32_t *unit,
                       struct fl_err *err);

#endif
