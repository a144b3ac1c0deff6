/* internal.h -- what the files of this room share. */
#ifndef LIBRARY_INTERNAL_H
#define LIBRARY_INTERNAL_H

#include "library.h"

#define LIBRARY_CUBIN     "library.cubin"
#define LIBRARY_MANIFEST  "library.xml"
#define LIBRARY_CONSTANTS "constants"    /* all of c0[] */
#define LIBRARY_DEVICE    "Faultline %s" /* as the machine calls itself: cuDeviceGetName */

/* join.c */
int library_join(struct library *l, struct fl_err *err);
/* order.c: the tests that stay come first, in the order to run them; how many. */
int library_order(struct library *l, const struct library_options *o, int *count,
                  struct fl_err *err);
/* manifest.c */
struct library_file {
    const char *name;
    struct fl_buf bytes;
};
int library_manifest(const struct library *l, int count, const struct library_options *o,
                     const struct library_file *file, int files, struct fl_buf *out,
                     struct fl_err *err);
void library_sha256(const void *bytes, size_t size, char hex[65]);
/* The digest of a manifest: of its text with zeros in place of the digest. NULL: it has none. */
char *library_seal(const struct fl_buf *manifest, char hex[65]);
/* table.c: library.c */
void library_table(const struct library *l, int count, const struct library_options *o,
                   struct fl_buf *out);

/* traps.c: the number of the driver's error that a launch must end in; 0: it ends. All traps of the same error. The caller frees it. */
int library_error(const struct job_launch *l);
char *library_traps(const char *trap);

/* Which buffer a parameter of a launch points into, or -1; *plus: so many bytes behind its start. */
int library_points(const struct library_test *t, int launch, int param, uint32_t *plus);
/* Whether all words are the first one. */
bool library_uniform(const uint8_t *bytes, uint32_t size, uint32_t *word);
uint32_t library_word(const uint8_t *bytes);
/* What c0[] holds before the test; its size, 0: nothing. The caller frees it. */
uint32_t library_constants(const struct job *job, uint8_t **bytes);
/* The reference to a texture unit. */
enum { LIBRARY_TEXTURE = 16 };
void library_texture(int unit, char name[LIBRARY_TEXTURE]);
/* The SM whose blocks leave this output; -1: several may. */
int library_sm(const struct job *job, int output);

#endif
