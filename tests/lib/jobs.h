/* jobs.h -- job.xml in a folder with small cubins, read or refused.
 *
 * The cubins: k.cubin (kernels `k`, `big`, `falls`, `loops`, a texture reference `tex` of unit 5), wide.cubin (32-bit branch targets),
 * last.cubin and behind.cubin (code at the end of a 24-bit code space, and behind it).
 */
#ifndef JOBS_H
#define JOBS_H

#include "sm/job/job.h"
#include "tools.h"

void jobs_start(void);
void jobs_end(void);

extern char *jobs_dir;

char *jobs_path(const char *name);

void jobs_put(const char *name, const void *bytes, size_t size);

int jobs_load(const char *xml, const char *profile, struct job **job, struct fl_err *err);

/* A job that is good but for what stands in its third line. */
char *jobs_with_line3(const char *line);

struct job *jobs_accepted(char *xml);

/* The message must start with the file and the line, and hold `words`. */
void jobs_says(const struct fl_err *err, int line, const char *words);

void jobs_refused(char *xml, int line, const char *words);

void jobs_refused_line3(const char *line, const char *words);

char *jobs_whole(void);

/* A job built in memory; what job_finish says about one parameter at `offset`. */
int jobs_finish_with_param(uint32_t offset, uint32_t shared_bytes, struct fl_err *err);

#endif
