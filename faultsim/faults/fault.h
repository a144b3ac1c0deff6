/* fault.h -- permanent faults, their ids, and lists of them by pattern.
 *
 * An id names cells of structures.def and what happens to them:
 *
 *     dstack/w0/le3/spc17:sa1            one cell held at 1 for the whole job
 *     dstack/le3/spc17:sa1               dstack without a warp means warp slot 0
 *     dstack/w0/le1-4/tm*:sa*            a pattern: ranges and * in any number; both stuck values
 *     dstack                             all stuck-at faults of the stack of warp slot 0
 *     sm0/rf/p5/b3:sa0                   of SM 0, as all ids that name none
 *     rf/p5/b3:tf01                      a cell that fails to go from 0 to 1
 *     rf/p5/b3~rf/p5/b4:cfid10           victim~aggressor: when that goes to 1, this becomes 0
 *     rf/p5~rf/p69:afw                   two addresses of one word
 *     rf/p5/b3~*:cfin*                   all inversion couplings of the cell with its neighbours
 *
 * What the faults of memories are and who is whose neighbour: docs/faults.md.
 */
#ifndef FAULT_H
#define FAULT_H

#include "sm/structures.h"

enum fsim_kind {
    FSIM_SA,       /* stuck at `value` */
    FSIM_TF,       /* a transition fails; it gets stuck at `value` once it is there */
    FSIM_SOF,      /* stuck-open: a read returns what its column returned last */
    FSIM_CFIN,     /* coupling: the aggressor goes to `value` and the victim is inverted */
    FSIM_CFID,     /* the aggressor goes to value / 2 and the victim becomes value % 2 */
    FSIM_CFST,     /* while the aggressor is value / 2 the victim is forced to value % 2 */
    FSIM_AF_NONE,  /* address decoder: no row, a read finds `value` in all bits */
    FSIM_AF_WRONG, /* the row of another address */
    FSIM_AF_TWO,   /* a row and that of another address; a read finds 0: AND, 1: OR of both */
    FSIM_KINDS,    /* permanent ones */
    FSIM_FLIP = FSIM_KINDS /* transient: the cell changes once */
};

/* What happens to cells, by its word behind the colon of an id, "sa1": every kind there is has its row
 * in fault.c. False: there is no such word. */
bool fsim_what(const char *word, int *kind, int *value);
const char *fsim_what_name(int kind, int value);

/* Ints without padding, in the order of lists. */
struct fsim_fault {
    struct sm_cell cell; /* of a fault of the address decoder the first one of its element */
    int kind, value;
    /* the aggressor: its element, counted over all axes, and its bit over all fields; the element
     * of the other address; else 0 */
    int other, other_bit;
};

/* What patterns mean that do not say what happens to the cells, and how many of it. */
struct fsim_choice {
    bool memory;   /* faults of memories; `all` is all memories. Else stuck-at faults */
    uint32_t what; /* of those: what fsim_choice_kinds read */
    /* So many are drawn at random, of each structure; of faults of memories so many in all. 0: all
     * are taken. */
    uint64_t sample, seed;
    /* Whether no program can detect it. Of each structure such faults are not drawn, unless all
     * others are taken: what they do is known. NULL: not known of any. */
    bool (*untestable)(const struct sm_image *img, const struct fsim_fault *fault);
    /* what `all` is taken from: of an engine (machine/engine.h); NULL: the C model */
    bool (*has)(const struct sm_image *img, const struct sm_cell *cell);
};
/* "saf,tf,cfin1", or "all"; -1: a word is no kind. */
int fsim_choice_kinds(struct fsim_choice *choice, const char *text, struct fl_err *err);

struct fsim_list { /* zero-initialise; zeros in `choice` are stuck-at faults */
    struct fsim_fault *fault;
    long count;
    struct fsim_choice choice;
    /* of a sample: what it was drawn from, by structure and field; else NULL */
    struct fsim_population {
        uint64_t faults, untestable;
    } (*population)[SM_MAX_FIELDS];
};

/* Appends all faults that a pattern names, in the order structure, axes, field, bit, value, or a
 * sample of them, of which a list has one. Unknown names and numbers out of range are errors that
 * name what there is. */
int fsim_list_add(struct fsim_list *list, const struct sm_image *img, const char *pattern,
                  struct fl_err *err);
/* The cells that such a pattern names, without what happens to them, in the same order: how many
 * there are; the first `room` of them go into `out`. -1: the pattern names none. `shown` is what
 * the user wrote, for messages. */
long fsim_cells(const struct sm_image *img, const char *pattern, const char *shown,
                struct sm_cell *out, long room, struct fl_err *err);
/* A file of patterns, one a line, # starts a comment. */
int fsim_list_read(struct fsim_list *list, const struct sm_image *img, const char *path,
                   struct fl_err *err);
/* Patterns may overlap: keeps the first of equal faults, so that none counts twice. */
void fsim_list_once(struct fsim_list *list);
void fsim_list_free(struct fsim_list *list);

/* Order of lists; 0: equal. */
int fsim_compare(const struct fsim_fault *a, const struct fsim_fault *b);

/* The structure and the field of the (first) cell that an id as fsim_id writes it names, without an
 * image; of a fault of the address decoder the first field. False: it is no such id. */
bool fsim_id_field(const char *id, int *structure, int *field);

/* The full id of a fault; out has room for FSIM_ID bytes. */
enum { FSIM_ID = 80 };
void fsim_id(const struct sm_image *img, const struct fsim_fault *fault, char out[FSIM_ID]);

#endif
