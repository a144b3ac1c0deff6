/* carried.c -- what a tick wrote, into the memory with the fault; what that shows, back into the
 * machine. See carried.h. */
#include "carried.h"

/* What the machine's cells have to show, in word i of the row at fault or of the other one. */
static uint32_t shown(const struct carried *k, int i, bool of_other)
{
    return of_other ? k->other[i].holds : memory_shows(&k->fault, &k->cell[i], &k->other[i]);
}

static void show(const struct carried_port *port, void *machine, const struct memory_place *p,
                 uint32_t bits)
{
    uint32_t word = port->read(machine, p);
    if ((word & p->mask) != bits && !(port->waits && port->waits(machine, p)))
        port->write(machine, p, (word & ~p->mask) | bits);
}

static void show_all(struct carried *k, const struct carried_port *port, void *machine)
{
    for (int i = 0; i < k->p.n; i++) {
        show(port, machine, &k->p.cell[i], shown(k, i, false));
        if (memory_both(&k->fault))
            show(port, machine, &k->p.other[i], shown(k, i, true));
    }
}

void carried_start(struct carried *k, const struct carried_port *port, void *machine,
                   const struct sm_image *img, const struct fsim_fault *f, int latched)
{
    *k = (struct carried){.fault = *f};
    memory_find(img, f, &k->p);
    for (int i = 0; i < k->p.n; i++)
        k->cell[i].mask = k->p.cell[i].mask;
    for (int i = 0; i < k->p.others; i++)
        k->other[i].mask = k->p.other[i].mask;
    carried_before(k, port, machine);
    for (int i = 0; i < k->p.n; i++) {
        k->cell[i].holds = k->cell[i].value;
        k->other[i].holds = k->other[i].value;
    }
    memory_start(f, &k->p, k->cell, k->other);
    if (f->kind == FSIM_SOF)
        k->cell[0].holds = latched ? k->cell[0].mask : 0;
    show_all(k, port, machine);
}

void carried_before(struct carried *k, const struct carried_port *port, const void *machine)
{
    for (int i = 0; i < k->p.n; i++)
        k->cell[i].value = port->read(machine, &k->p.cell[i]) & k->cell[i].mask;
    for (int i = 0; i < k->p.others; i++)
        k->other[i].value = port->read(machine, &k->p.other[i]) & k->other[i].mask;
}

static void note_writes(struct memory_bits *b, const struct memory_place *p, int structure,
                        const struct sm_accesses *seen, uint32_t word)
{
    b->written = (word ^ b->value) & b->mask;
    b->value = word & b->mask;
    for (uint32_t i = 0; seen && i < seen->count; i++) {
        const struct sm_access *x = &seen->access[i];
        if (x->write)
            b->written |= memory_covered(x, structure, p);
    }
}

void carried_after(struct carried *k, const struct carried_port *port, void *machine,
                   const struct sm_accesses *seen)
{
    int structure = k->fault.cell.structure;
    for (int i = 0; i < k->p.n; i++)
        note_writes(&k->cell[i], &k->p.cell[i], structure, seen,
                    port->read(machine, &k->p.cell[i]));
    for (int i = 0; i < k->p.others; i++)
        note_writes(&k->other[i], &k->p.other[i], structure, seen,
                    port->read(machine, &k->p.other[i]));
    memory_tick(&k->fault, k->p.n, k->cell, k->other);
    show_all(k, port, machine);
}

bool carried_same(const struct carried *a, const struct carried *b)
{
    for (int i = 0; i < a->p.n; i++)
        if (a->cell[i].holds != b->cell[i].holds || a->other[i].holds != b->other[i].holds)
            return false;
    return true;
}
