/* cover.h -- which faults a sequence of patterns detects. */
#ifndef GATE_COVER_H
#define GATE_COVER_H

#include "faults.h"
#include "patterns.h"

enum gate_engine {
    GATE_BY_PATTERNS, /* each pattern sets inputs and flip-flops, and all that is watched is seen:
                         a circuit without flip-flops, or one with full scan */
    GATE_BY_FAULTS,   /* patterns set inputs, cycle by cycle from the reset; outputs are seen */
    GATE_MIXED,       /* the same result: as long as a machine has the good one's state, its cycles
                         are patterns; only machines that have left it run as faults. Transition
                         faults, which look back a cycle, go by faults */
};

struct gate_cover {
    enum gate_engine engine;
    int width; /* of gate_width */
    bool drop; /* a fault that has been detected is simulated no more */
};

struct gate_found {
    uint32_t first; /* the first pattern that detects it; GATE_NEVER */
    uint32_t times; /* how many do; 1 at most when faults are dropped */
    uint32_t
        possible; /* the first that possibly detects it (unknown.h); GATE_NEVER. Faults dropped before may have none */
};
#define GATE_NEVER UINT32_MAX

/* found[count of the list's classes]. Only what the patterns' strobes observe detects a fault. In transition faults a pattern is a pair with the one before
 * it; the first has none. Patterns have a source for each input, and by patterns also one for each
 * flip-flop. */
void gate_cover(const struct gate_netlist *n, const struct gate_faults *f,
                const struct gate_patterns *p, struct gate_cover how, struct gate_found *found);

#endif
