/* carried.h -- a fault of a memory in a machine: tick by tick, for every engine.
 *
 *     carried_start(&k, &port, m, img, &fault);
 *     carried_before(&k, &port, m);
 *     ... the machine ticks ...
 *     carried_after(&k, &port, m, NULL);
 */
#ifndef MACHINE_CARRIED_H
#define MACHINE_CARRIED_H

#include "faultsim/faults/memory.h"
#include "sm/gpu/access.h"

struct carried {
    struct fsim_fault fault;
    struct memory_places p;
    struct memory_bits cell[MEMORY_WORDS], other[MEMORY_WORDS];
};

/* How an engine's machine is read and changed, a word at a time. */
struct carried_port {
    uint32_t (*read)(const void *machine, const struct memory_place *p);
    void (*write)(void *machine, const struct memory_place *p, uint32_t word);
    /* An instruction has taken what it reads there and has not acted yet, so a change must wait;
     * NULL: the machine reads when the hardware does. */
    bool (*waits)(void *machine, const struct memory_place *p);
};

void carried_start(struct carried *k, const struct carried_port *port, void *machine,
                   const struct sm_image *img, const struct fsim_fault *f, int latched);
void carried_before(struct carried *k, const struct carried_port *port, const void *machine);
/* `seen`: what the tick accessed; NULL: a write is known by what it changes. */
void carried_after(struct carried *k, const struct carried_port *port, void *machine,
                   const struct sm_accesses *seen);
/* Whether they remember the same beside the state of their machines. */
bool carried_same(const struct carried *a, const struct carried *b);

#endif
