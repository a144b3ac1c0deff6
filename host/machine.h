/* machine.h -- the machine that a program's launches run on: the C model, or the RTL. It stands still between them. */
#ifndef HOST_MACHINE_H
#define HOST_MACHINE_H

#include "watch.h"

struct machine {
    struct sm_image *img;
    struct gpu *c;        /* NULL until the first launch, and when the RTL runs */
    bool on_rtl, looked;  /* looked: the host, at memory, since the last launch */
    struct watch watch;   /* of the C model */
    struct smrtl *rtl;    /* stands behind the end of the last launch; NULL until the first */
    struct smrtl *before; /* ... a few cycles before it, from where it can go on */
};

/* `job` has been over job_place, has no launches, and must outlive the machine. */
int machine_open(struct machine *m, const struct job *job, const char *engine, struct fl_err *err);
/* Takes a module that has been joined to the cubin of the job. -1: there is no room for its constants, code or local memory. */
int machine_add(struct machine *m);
void machine_close(struct machine *m);

/* Runs a launch to its end. -1: it cannot be run; how it ended, machine_state says. */
int machine_launch(struct machine *m, const struct job_launch *l, struct fl_err *err);
const struct gpu *machine_state(const struct machine *m); /* NULL before the first launch */
uint64_t machine_cycles(const struct machine *m);

/* Addresses that a buffer of so many bytes may grow to when it is given again. Large ones get up to a quarter more, so
 * that a program that frees one and asks for a little more each time does not run out of addresses. */
uint32_t machine_room(uint32_t size);

/* Bytes of the pages: at `addr` - JOB_BASE those of g14[]. */
void machine_read(struct machine *m, uint32_t at, void *out, uint32_t size);
void machine_write(struct machine *m, uint32_t at, const void *from, uint32_t size);
/* Constant memory: every kernel has its own of a bank. Of those of a module: */
void machine_write_constant(struct machine *m, int module, int bank, uint32_t offset,
                            const void *from, uint32_t size);

#endif
