/* internal.h -- between kinds.c, ids.c, lists.c and memory.c: a row of the kinds, and what a pattern says. */
#ifndef FAULTS_INTERNAL_H
#define FAULTS_INTERNAL_H

#include "fault.h"
#include "layout.h"

/* Who has such faults: any cell for good, a memory for good, any cell in some cycles. */
enum { OF_CELLS = 1, OF_MEMORIES = 2, OF_WINDOWS = 4 };
enum {
    PAIR = 8,    /* there is a second cell or address */
    ADDRESS = 16 /* of the address decoder: of whole elements */
};

struct fsim_row {
    const char *name;  /* behind the colon of an id */
    const char *group; /* the word of --kind; NULL: not permanent */
    uint8_t kind, when, value;
    unsigned flags;
};
extern const struct fsim_row fsim_row[]; /* behind the last one a name is NULL */
/* The rows that have a flag, a bit each. */
uint32_t fsim_rows_of(unsigned flag);
const struct fsim_row *fsim_row_of(const struct fsim_fault *f);

/* How ids are read. */
struct fsim_reader {
    const struct sm_image *img;
    unsigned model;   /* OF_CELLS, OF_MEMORIES or OF_WINDOWS */
    uint32_t unsaid;  /* rows that are meant where none is said */
    fsim_owner owner; /* OF_WINDOWS: or NULL */
    void *context;
};

struct fsim_span {
    int lo, hi;
};

/* What a pattern names; axes count from 0. */
struct fsim_pattern {
    int structure;
    struct sm_structure s;
    bool placed; /* it names an SM */
    struct fsim_span places;
    struct fsim_span axis[SM_MAX_AXES], fields, bits;
    bool whole;    /* elements: it says nothing of fields and bits */
    uint32_t rows; /* what happens to them */
    bool named;    /* the second cell or address is: */
    struct layout_place other;
    uint64_t from, to;
};
int fsim_pattern_read(const struct fsim_reader *r, const char *text, struct fsim_pattern *out,
                      struct fl_err *err);
/* Element by element, so that the list of a stack reads LE by LE. False behind the last cell. */
struct sm_cell fsim_pattern_first(const struct fsim_pattern *p);
bool fsim_pattern_next(const struct fsim_pattern *p, struct sm_cell *c);

#endif
