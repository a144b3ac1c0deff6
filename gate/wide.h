/* wide.h -- what depends on the width of a word, in a table of functions for each width. Private to
 * this room. */
#ifndef GATE_WIDE_H
#define GATE_WIDE_H

#include "sim.h"

/* Cells of one code in a row. */
struct gate_run {
    uint32_t code, from, to;
};

/* What is the same for all widths: who reads a net, who watches it, fanout-free regions. */
struct gate_plan {
    struct gate_run *run;
    uint32_t runs;
    uint32_t *reader_start, *reader; /* gates that read net i, without flip-flops */
    uint32_t *seen_start, *seen;     /* where net i is watched */
    uint32_t *stem;                  /* [nets] the end of the region of net i: a net that is watched
                                        or has not exactly one reader */
    uint32_t *only_pin;              /* [nets] the pin that reads net i, which is no stem */
    uint32_t *member_start, *member; /* nets of the region of stem i, the highest first */
};

/* The nets "the clock works" of a mapped netlist. */
struct gate_clocks {
    uint32_t *net, nets;
};

struct gate_sim {
    const struct gate_netlist *n;
    const struct gate_wide *wide;
    struct gate_plan plan;
    int words;
    /* blocks of words, one a net */
    void *value;  /* without a fault */
    void *before; /* of the first patterns of pairs */
    void *now;    /* as `value`, but for a fault that is being followed */
    void *sight;  /* patterns in which a change of the net reaches its stem */
    void *valid;  /* one block: the patterns that there are */
    void *shows;  /* of stems: patterns in which a change shows anywhere that is watched */
    struct gate_clocks clocks;
    uint64_t *hold;         /* one block: patterns without an edge; NULL: all have one */
    const uint64_t *strobe; /* of the watched: patterns that observe it; NULL: all */
    uint64_t *observed;     /* of nets: patterns that observe one of the watched there */
    /* sight[] and shows[] are of this block of patterns when the stem's stamp is */
    uint32_t *sight_of, *shows_of, block;
    /* stems whose change goes on from another one, and the patterns, a word each, in which it does */
    uint32_t *way, room_ways;
    uint8_t *rest;
    /* what a change of this stem does */
    uint32_t stem;
    uint32_t *response_at;
    void *response;
    uint32_t responses;
    void *mask; /* of the diffs that are handed out */
    struct gate_diff *diff;
    /* cells that wait, in a set of two levels of bits, and those that have changed */
    uint64_t *waiting, *waiting_words;
    uint32_t *changed;
};

/* A site at which faults of the group lie, and the cell that it belongs to; of a port, nets + its
 * number. */
struct gate_forced {
    uint32_t site, cell, bit;
};

struct gate_group {
    const struct gate_netlist *n;
    const struct gate_wide *wide;
    struct gate_run *run, *all_run;
    uint32_t runs, all_runs, room;
    bool focused; /* not all is evaluated */
    /* inputs that are read, ports and outputs that are looked at: numbers, ascending */
    uint32_t *input, inputs, *look, looks, *shown, showns;
    uint8_t *mark; /* [nets] */
    int words;
    void *now;                  /* [nets] */
    void *flop;                 /* [flops] what they hold */
    void *pin;                  /* [flops] what they read, faults of the pin included */
    void *port;                 /* [ports] what outputs show, faults of the port included */
    void *cell_pin;             /* [most_pins] of the cell at hand */
    struct gate_forced *forced; /* by cell; pins before the cell's net */
    uint32_t forceds;
    uint32_t *forced_of; /* of each bit with a fault: its place in `forced` */
    enum gate_model model;
    /* a word for each of `forced` */
    void *to_zero, *to_one; /* stuck-at 0 and 1; slow to rise and to fall */
    void *last, *seen;      /* transition faults: the site in the cycle before, and in this one */
    bool first;             /* no cycle before */
    struct gate_clocks clocks;
    bool hold; /* no edge follows */
};

struct gate_wide {
    int width;
    void (*load)(struct gate_sim *s, const uint64_t *source, int count);
    int (*fault)(struct gate_sim *s, enum gate_model model, uint32_t fault);
    void (*detect)(struct gate_sim *s, enum gate_model model, const uint32_t *fault, uint32_t count,
                   struct gate_hit *hit);
    void (*group_set)(struct gate_group *g, const uint32_t *fault, uint32_t count);
    void (*group_reset)(struct gate_group *g);
    /* `each`: every bit has its own inputs */
    void (*group_eval)(struct gate_group *g, const uint64_t *input, bool each);
    void (*group_clock)(struct gate_group *g);
};

/* The one for a width that suits this processor. */
const struct gate_wide *gate_wide(int width);

#endif
