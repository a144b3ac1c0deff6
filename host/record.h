/* record.h -- a run of a program, written as a job while it goes on: job.xml, program.cubin, data.bin in a folder. */
#ifndef HOST_RECORD_H
#define HOST_RECORD_H

#include "sm/job/job.h"

struct recorder;

struct machine;

/* Of record n of a process, from 1. Caller frees. */
char *record_folder(const char *folder, int n);
/* What a module is called in the job: "module2" is number 1. */
enum { RECORD_MODULE = 24 };
void record_module_name(int number, char name[RECORD_MODULE]);
/* Empties nothing: the folder must not hold a job yet. NULL: see err. */
struct recorder *record_open(const char *folder, const char *profile, struct fl_err *err);
/* The bytes of a cubin: number 0 is the job's own, others are its modules, one after the other. */
int record_module(struct recorder *r, int number, const void *cubin, size_t size,
                  struct fl_err *err);
/* The variables that there are now keep their names. */
void record_variables(struct recorder *r, const struct job *job);
/* What the host does, in order. Contents before the first launch are taken there. */
void record_launch(struct recorder *r, const struct job *job, struct machine *m,
                   const struct job_launch *l);
/* The launch has ended in that trap, and with it the machine. */
void record_trap(struct recorder *r, const char *trap);
/* The program has freed the buffer, and it is given again: what kernels have found in it no longer counts. */
void record_given(struct recorder *r, int buffer);
/* What the next launch finds bound. */
void record_texture(struct recorder *r, const struct job *job, const struct job_texture *x,
                    const char *name);
void record_write(struct recorder *r, int buffer, uint32_t offset, const void *bytes,
                  uint32_t size);
void record_write_constant(struct recorder *r, int module, uint32_t offset, const void *bytes,
                           uint32_t size);
void record_fill(struct recorder *r, int buffer, uint32_t offset, uint32_t size, uint32_t value);
void record_copy(struct recorder *r, int from, uint32_t offset, uint32_t size, int to, uint32_t at);
/* `bytes`: what the program has read. Their digest goes into the job. */
void record_read(struct recorder *r, int buffer, uint32_t offset, const void *bytes, uint32_t size);
/* Writes job.xml. -1: see err. */
int record_close(struct recorder *r, const struct job *job, struct fl_err *err);

#endif
