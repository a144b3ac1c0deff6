/* fault.h -- faults: kind, cells, cycles. Their ids, and lists of permanent ones by pattern.
 *
 * An id names cells of structures.def, what happens to them and when:
 *
 *     dstack/w0/le3/spc17:sa1            one cell held at 1 for the whole job
 *     dstack/le3/spc17:sa1               dstack without a warp means warp slot 0
 *     dstack/w0/le1-4/tm*:sa*            a pattern: ranges and * in any number; both stuck values
 *     dstack                             all stuck-at faults of the stack of warp slot 0
 *     sm3/rf/p5/b3:sa0                   of SM 3; of sm0 where none is named; sm*, sm0-3 in patterns
 *     rf/p5/b3:tf01                      a cell that fails to go from 0 to 1
 *     rf/p5/b3~rf/p5/b4:cfid10           victim~aggressor: when that goes to 1, this becomes 0
 *     rf/p5~rf/p69:afw                   two addresses of one word
 *     rf/p5/b3~*:cfin*                   all inversion couplings of the cell with its neighbours
 *
 *     rf/p517/b12@1834:flip              one bit, flipped at the start of cycle 1834
 *     rf/p517/b12@1800-1900:sa1          held at 1 in cycles 1800 to 1900 (intermittent)
 *     rf/p517/b12@1800-:sa1              held at 1 from cycle 1800 on, to the end of the faulty run
 *     rf/w2/t5/r3/b12@1834:flip          by owner: warp slot 2, lane 5, $r3
 *     rf/p5/b1@1834:flip+pc/w0/b13@1834:flip several at once, in any structures
 *
 * All parts of a fault have the same cycles and the same kind. Cycles count from 0 at the start of
 * the job, over all launches. A flip takes effect before the reads of its cycle. An instruction that
 * has taken its operands already does not see it: the flip then waits until that instruction has
 * left, and is lost if it writes the cell. A permanent fault is there from cycle 0 on without an end.
 *
 * What the faults of memories are and who is whose neighbour: docs/explain/faults.md.
 */
#ifndef FAULT_H
#define FAULT_H

#include "sm/machine.h"
#include "sm/structures.h"

enum fsim_kind {
    FSIM_SA,       /* stuck at `value` */
    FSIM_TF,       /* a transition fails; it gets stuck at `value` once it is there */
    FSIM_SOF,      /* stuck-open: a read returns what its column returned last */
    FSIM_CFIN,     /* coupling: the aggressor goes to `when` and the victim is inverted */
    FSIM_CFID,     /* the aggressor goes to `when` and the victim becomes `value` */
    FSIM_CFST,     /* while the aggressor is `when` the victim is forced to `value` */
    FSIM_AF_NONE,  /* address decoder: no row, a read finds `value` in all bits */
    FSIM_AF_WRONG, /* the row of another address */
    FSIM_AF_TWO,   /* a row and that of another address; a read finds 0: AND, 1: OR of both */
    FSIM_KINDS,    /* permanent ones */
    FSIM_FLIP = FSIM_KINDS /* transient: the cell changes once */
};

enum { FSIM_CELLS = SM_MAX_FORCES };
#define FSIM_NO_END UINT64_MAX

/* Without padding. A fault of several cells is an array: the first one says all, those behind it have
 * a cell each. */
struct fsim_fault {
    struct sm_cell cell; /* of a fault of the address decoder the first one of its element */
    uint8_t kind, when, value;
    uint8_t cells; /* FSIM_CELLS at most */
    /* the aggressor: its element, counted over all axes, and its bit over all fields; the element
     * of the other address; else 0 */
    int other, other_bit;
    /* cycles, both included: a flip has from == to; FSIM_NO_END: to the end of the run */
    uint64_t from, to;
};

static inline struct fsim_fault fsim_flip(struct sm_cell cell, uint64_t cycle)
{
    return (struct fsim_fault){
        .cell = cell, .kind = FSIM_FLIP, .cells = 1, .from = cycle, .to = cycle};
}

static inline struct fsim_fault fsim_held(struct sm_cell cell, int value, uint64_t from,
                                          uint64_t to)
{
    return (struct fsim_fault){
        .cell = cell, .value = value != 0, .cells = 1, .from = from, .to = to};
}

/* SMs of the chip, a bit each; of none: nobody has said. */
struct fsim_sms {
    uint64_t bits[2];
};
_Static_assert(SM_MAX_SMS <= 128, "struct fsim_sms has a bit for each");

static inline bool fsim_sms_said(const struct fsim_sms *s)
{
    return (s->bits[0] | s->bits[1]) != 0;
}

static inline bool fsim_sms_has(const struct fsim_sms *s, int sm)
{
    return s->bits[sm / 64] >> sm % 64 & 1;
}
/* "0,3,5-7" or "all". */
bool fsim_sms_read(const char *text, struct fsim_sms *out);
/* -1: the chip has not got one of them. */
int fsim_sms_check(const struct fsim_sms *s, const char *option, const struct sm_image *img,
                   struct fl_err *err);
int fsim_sms_first(const struct fsim_sms *s); /* of those said, the lowest */
/* Those of them that have cells of the structure, in order; how many. */
int fsim_sms_list(const struct fsim_sms *s, const struct sm_structure *of, int out[SM_MAX_SMS]);

/* A register that an id names by its owner needs to know who owns what: gives the physical register
 * of $r0, lane 0 of a warp slot of an SM in a cycle, -1 when the slot is empty; NULL: such ids are refused. */
typedef int (*fsim_owner)(void *context, int sm, int warp, uint64_t cycle, int *regs);

/* Reads the id of a transient or intermittent fault, parts and all. */
int fsim_parse(const struct sm_image *img, const char *text, fsim_owner owner, void *context,
               struct fsim_fault out[FSIM_CELLS], struct fl_err *err);
/* The same fault in all of these SMs at once: what it does in one of them, it does in each. -1: it has a cell of
 * the chip or of another SM, or would have too many. */
int fsim_same_in(const struct sm_image *img, const struct fsim_sms *in,
                 struct fsim_fault fault[FSIM_CELLS], struct fl_err *err);
void fsim_print(const struct sm_image *img, const struct fsim_fault *fault, struct fl_buf *out);

/* What patterns mean that do not say what happens to the cells, and how many of it. */
struct fsim_choice {
    bool memory;   /* faults of memories; `all` is all memories. Else stuck-at faults */
    uint32_t what; /* of those: what fsim_choice_kinds read */
    /* So many are drawn at random, of each structure; of faults of memories so many in all. 0: all
     * are taken. */
    uint64_t sample, seed;
    struct fsim_sms in_sm; /* of patterns that name none; none: sm0 */
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
/* A file of patterns, one a line, # starts a comment. */
int fsim_list_read(struct fsim_list *list, const struct sm_image *img, const char *path,
                   struct fl_err *err);
/* The next line of a list that says something, without its comment and blanks, and its number; NULL: there is
 * none. `rest` is cut up. */
char *fsim_list_line(char **rest, int *number);
/* Patterns may overlap: keeps the first of equal faults, so that none counts twice. */
void fsim_list_once(struct fsim_list *list);
void fsim_list_free(struct fsim_list *list);

/* A fault of the address decoder: of whole elements. */
bool fsim_of_decoder(const struct fsim_fault *fault);

/* Order of lists; 0: equal. */
int fsim_compare(const struct fsim_fault *a, const struct fsim_fault *b);

/* The structure and the field of the (first) cell that an id as fsim_id writes it names, without an
 * image; of a fault of the address decoder the first field. False: it is no such id. */
bool fsim_id_field(const char *id, int *structure, int *field);
/* Is the text an id of any machine: names of structures, gates and kinds that there are, with numbers? */
bool fsim_id_is_one(const char *id);

/* The full id of a permanent fault; out has room for FSIM_ID bytes. */
enum { FSIM_ID = 80 };
void fsim_id(const struct sm_image *img, const struct fsim_fault *fault, char out[FSIM_ID]);

#endif
