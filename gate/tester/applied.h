/* applied.h -- from vectors, as a tester applies them, to patterns. Private to this room.
 *
 * A vector sets inputs, observes outputs, and then pulses the clock or does not. A reader fills in `input`, `expect`,
 * `edge` and `line` and calls gate_apply; of a scan design it also loads and unloads flip-flops. A vector that
 * observes nothing and pulses nothing makes no pattern, and one that observes what the next one applies is a part of it.
 */
#ifndef GATE_APPLIED_H
#define GATE_APPLIED_H

#include "gate/sim.h"
#include "formats.h"

enum { GATE_LOW, GATE_HIGH, GATE_UNKNOWN }; /* of an output: not observed */

/* More would not fit in memory, and are a mistake of a file (a loop). */
enum { GATE_MOST_PATTERNS = 1 << 24 };

struct gate_applied {
    const struct gate_netlist *n;
    bool scan, pairs;
    bool all;   /* every output is observed */
    bool keep;  /* a vector that observes nothing is a pattern, too */
    bool apart; /* and none is a part of another one */
    uint8_t *input, *expect;
    bool edge;
    uint32_t most; /* patterns */
    uint32_t line;
    /* The result, and what was left out on the way. */
    struct gate_patterns p;
    uint32_t room;
    uint64_t strobes; /* that are there */
    uint64_t
        unknown; /* values of inputs and loaded flip-flops that are neither 0 nor 1: read as 0 */
    uint64_t several_edges; /* patterns of a load that follow an edge */
    /* Of a scan design: what flip-flops hold, and the last pattern since they were loaded that changes them: by an edge, or by clear and preset. */
    uint8_t *state;
    bool loaded, moved; /* moved: the last pattern changes flip-flops, `state` is that before it */
    uint32_t since, captured;
    struct gate_group *good;
};
#define GATE_NO_PATTERN UINT32_MAX

void gate_applied_new(struct gate_applied *a, const struct gate_netlist *n, bool scan, bool pairs);
/* One vector; -1: too many. */
int gate_apply(struct gate_applied *a);
/* A clock edge follows the last vector, before the next one. */
void gate_edge(struct gate_applied *a);
/* What the last capture left in the flip-flops comes out: expect[flops], levels; UNKNOWN is not observed. Returns a
 * flip-flop that holds what was loaded, without an edge since, and should come out otherwise; or GATE_NO_PATTERN. */
uint32_t gate_unload(struct gate_applied *a, const uint8_t *expect);
/* The flip-flops get these levels. */
void gate_load(struct gate_applied *a, const uint8_t *state);
/* The patterns, which are the caller's now; all else is freed. */
struct gate_patterns gate_applied_end(struct gate_applied *a);
void gate_applied_free(struct gate_applied *a);

/* Names to numbers. */
struct gate_names {
    struct gate_name {
        const char *name;
        uint32_t number;
    } * slot;
    uint32_t slots, count;
    bool one_slash; /* '.' and '/' are the same, and \ is nothing */
};
void gate_names_add(struct gate_names *names, const char *name, uint32_t number);
/* UINT32_MAX: none. */
uint32_t gate_names_find(const struct gate_names *names, const char *name, size_t length);
void gate_names_free(struct gate_names *names);

#endif
