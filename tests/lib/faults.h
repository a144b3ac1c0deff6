/* faults.h -- jobs of a few lines of sasm for the tests of faultsim, and what becomes of one fault in them.
 *
 *     struct job *job = faults_job("tiny", 1, 32, text);   // one buffer of 4 KB, the kernel's parameter and the output
 *     struct fsim_result r = faults_result(job, "dstack/le1/tm5:sa1");
 *     job_free(job);
 *
 * faults_result runs every fault twice, pruned and by brute force, and fails the test when the two differ: so each crafted
 * program keeps the rule that they agree.
 */
#ifndef FAULTS_H
#define FAULTS_H

#include "faultsim/permanent/campaign.h"
#include "machine.h"

/* One launch of every kernel of the text, in order, `blocks` of `threads`; the parameter of each is the buffer. */
struct job *faults_job(const char *profile, uint32_t blocks, uint32_t threads, const char *text);

/* The job of a file; without one the test fails. */
struct job *faults_load(const char *path);

/* One job, nothing kept. */
int faults_run(struct fsim_campaign *c, const struct job *job, const char *const *patterns,
               int npatterns, const char *faults_file, const struct fsim_options *opt,
               struct fl_err *err);

/* Counts all results, or those of a structure (>= 0), or of a field (>= 0) of that. */
void faults_count(const struct fsim_list *list, const struct fsim_result *r, bool detect_timing,
                  int structure, int field, struct fsim_counts *out);

struct fsim_campaign faults_campaign(const struct job *job, const char *pattern,
                                     struct fsim_options opt);

/* The same of several jobs, kept in memory, as faultsim makes its exports of it. */
struct store *faults_store(const struct job *const *jobs, int n, const char *pattern,
                           struct fsim_options opt);

/* An export by its name, of the table of faultsim/report/exports.h. */
struct fl_buf faults_export(const struct store *s, const char *name);

bool faults_same(const struct fsim_result *a, const struct fsim_result *b);

void faults_print(const char *who, const char *id, const struct fsim_result *r);

/* Faults of a campaign on engine c with another result by brute force, of those that are tried: every `stride`-th of those
 * that act, and of the others fewer. Prints the first few. */
long faults_brute_differences(const struct fsim_campaign *c, long stride, long *tried);

/* Faults of two campaigns over one list with different results; prints the first few. */
long faults_differences(const struct fsim_campaign *a, const struct fsim_campaign *b);

/* The result of the only fault that the id names. */
struct fsim_result faults_result(const struct job *job, const char *id);

struct fsim_result faults_result_with(const struct job *job, const char *id,
                                      struct fsim_options opt);

#define ASSERT_RESULT(r, want, why)                                                                \
    do {                                                                                           \
        if ((r).outcome != (want) || strcmp((r).reason, why) != 0)                                 \
            faults_print("wanted " #want " " why ", got", "", &(r));                               \
        CU_ASSERT_EQUAL((r).outcome, want);                                                        \
        CU_ASSERT_STRING_EQUAL((r).reason, why);                                                   \
    } while (0)

/* One block at a time. What a wrong block stores makes the next one skip its write to R3 and store what that one has left there. */
#define LEFTOVERS                                                                                  \
    ".kernel k\n.param u32 OUT\n.regs 6\n.shared x, 200\n"                                         \
    "I2I.U32.U16 R0, R0L\n SHL R1, R0, 2\n IADD R1, s[OUT], R1\n MVI R4, 0\n"                      \
    "GLD.U32 R2, global14[R1]\n ISET.C0 o[0x7f], R2, R4, EQ\n MOV R3 (C0.NE), R0\n NOP\n NOP\n"    \
    "IADD R2, R3, -R0\n GST.U32 global14[R1], R2\n NOP.EXIT\n"

/* One block at a time. With bit 0 of R2 stuck at 0, block 1 takes itself for block 0 and skips its write to R3; then it stores what
 * block 0, which stores nothing, has left there: a wrong 0. */
#define HELD_LEFTOVERS                                                                             \
    ".kernel k\n.param u32 OUT\n.regs 6\n.shared x, 200\n"                                         \
    "I2I.U32.U16 R0, R0L\n SHL R1, R0, 2\n IADD R1, s[OUT], R1\n I2I.U32.U16 R4, s[0xc].U16\n"     \
    "MVI R5, 0\n ISET.C1 o[0x7f], R4, R5, NE\n I2I.U32.U16 R2, s[0xc].U16\n"                       \
    "ISET.C0 o[0x7f], R2, R4, EQ\n MVI R2, 1\n MOV R3 (C0.NE), R2\n"                               \
    "GST.U32 global14[R1] (C1.NE), R3\n NOP.EXIT\n"

/* Arithmetic, flags, address registers, shared and local memory, constants, a barrier, a loop and two paths. */
#define EVERYTHING                                                                                 \
    ".kernel k\n.param ptr out\n.shared key, 96\n"                                                 \
    "  I2I.U32.U16 R1, R0L\n"                                                                      \
    "  SHL R4, R1, 2\n"                                                                            \
    "  R2A A1, R4\n"                                                                               \
    "  R2G.U32.U32 s[A1 + key], R1\n"                                                              \
    "  BAR.ARV.WAIT b0, 0xfff\n"                                                                   \
    "  IADD R4, s[out], R4\n"                                                                      \
    "  MVI R2, 0x8\n"                                                                              \
    "  ISET.S32.C0 o[0x7f], R1, R2, LT\n"                                                          \
    "  SSY sync\n"                                                                                 \
    "  BRA C0.NE, then\n"                                                                          \
    "  MVI R3, 0x2\n"                                                                              \
    "  BRA sync\n"                                                                                 \
    "then:\n"                                                                                      \
    "  MOV R3, s[A1 + key + 4]\n"                                                                  \
    "sync: NOP.S\n"                                                                                \
    "  GST.U32 global14[R4], R3\n"                                                                 \
    "  NOP.EXIT\n"

/* An if/else of 32 threads, 0 to 7 branch: LE 1 holds SYNC, LE 2 DIVERGE with TM ffffff00. The fall-through path starts
 * at 0x38 with an instruction without effect, the join lies at 0x60. */
#define IF_ELSE_BEHIND(before)                                                                     \
    ".kernel k\n.param ptr out\n" before "  I2I.U32.U16 R1, R0L\n"                                 \
    "  SHL R4, R1, 2\n"                                                                            \
    "  IADD R4, s[out], R4\n"                                                                      \
    "  MVI R2, 0x8\n"                                                                              \
    "  ISET.S32.C0 o[0x7f], R1, R2, LT\n"                                                          \
    "  SSY sync\n"                                                                                 \
    "  BRA C0.NE, then\n"                                                                          \
    "  NOP\n"                                                                                      \
    "  MVI R3, 0x2\n"                                                                              \
    "  BRA sync\n"                                                                                 \
    "then:\n"                                                                                      \
    "  MVI R3, 0x1\n"                                                                              \
    "  NOP\n"                                                                                      \
    "sync: NOP.S\n"                                                                                \
    "  GST.U32 global14[R4], R3\n"                                                                 \
    "  NOP.EXIT\n"

#define IF_ELSE IF_ELSE_BEHIND("")

/* What the threads find behind 0x1060, when bit 12 of SPC in LE 1 is stuck at 1. */
#define FAR(code) ".org 0x1060\n  NOP\n" code

/* Peels off threads 0 to 3 one by one: LE 2 is pushed and popped with another TM each time. */
#define PEEL                                                                                       \
    ".kernel k\n.param ptr out\n"                                                                  \
    "  I2I.U32.U16 R1, R0L\n  SHL R4, R1, 2\n  IADD R4, s[out], R4\n"                              \
    ".rept 4\n"                                                                                    \
    "  MVI R2, \\+\n  SSY join\\+\n  ISET.S32.C0 o[0x7f], R1, R2, EQ\n  BRA C0.NE, alone\\+\n"     \
    "  IADD32I R3, R3, 0x10\n  BRA join\\+\n"                                                      \
    "alone\\+: IADD32I R3, R3, 0x1\n"                                                              \
    "join\\+: NOP.S\n"                                                                             \
    ".endr\n"                                                                                      \
    "  GST.U32 global14[R4], R3\n  NOP.EXIT\n"

#endif
