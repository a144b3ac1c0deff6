/* rtl_program.h -- a program that the RTL and the C model run in lock step, and how a failing one becomes small.
 *
 * What shrinks is text: lines are left out as long as the machines still differ. A line that is needed to assemble, or
 * to get as far as the difference, comes back by itself. So this works for every generator, whatever it knows.
 */
#ifndef RTL_PROGRAM_H
#define RTL_PROGRAM_H

#include "rtl/twin/smrtl.h"
#include "machine.h"

enum rtl_verdict { RTL_AGREE, RTL_DIFFER, RTL_NO_PROGRAM };

enum { RTL_KONST = 2048 };

struct rtl_program {
    const char *model, *profile;
    int sps, sms; /* 0: as the profile says */
    char *text;   /* one kernel; its parameter: the address of `buffer` bytes */
    uint32_t blocks, threads, buffer, local;
    uint8_t konst[RTL_KONST]; /* banks 0 and 1 */
};

/* Runs it in lock step, up to `limit` cycles. The account is appended to `account`, which may be NULL. */
enum rtl_verdict rtl_run(const struct rtl_program *p, uint64_t limit, struct smrtl_lockstep *stats,
                         struct fl_buf *account);

/* Instructions of the text: lines that are neither empty, nor directives, nor labels alone. */
int rtl_instructions(const char *text);

/* Makes a program that differs smaller: fewer blocks, threads, lines. Every line is text with a newline. Returns how often
 * it was run. */
int rtl_shrink(struct rtl_program *p);

/* Was the model built (FAULTLINE_RTL_MODELS)? The second skips the test when it was not. */
bool rtl_has(const char *model);
bool rtl_built(const char *model);

/* Runs a loaded machine in lock step from cycle 0; prints the account when they differ. */
bool rtl_agree(struct machine *m, struct smrtl *rtl);

#endif
