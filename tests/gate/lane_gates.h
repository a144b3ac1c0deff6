/* lane_gates.h -- campaigns of the gates of a lane's units, as text: what lane_gates and lane_gates_rtl share. */
#ifndef LANE_GATES_H
#define LANE_GATES_H

#include "faultsim/gate/campaign.h"
#include "faultsim/lane/lane.h"

#define LANE_GATES_NETLISTS FAULTLINE_BUILD_DIR "/gates/"

/* Each integer operation of the lane at work, and a loop whose end a fault can move. */
#define LANE_GATES_BUSY                                                                            \
    ".kernel k\n.param ptr p\n"                                                                    \
    "I2I.U32.U16 R0, R0L\nSHL R1, R0, 2\nIADD R1, s[p], R1\nMVI R3, 0\n"                           \
    "MVI R2, 0x1234\nMVI R5, 12\n"                                                                 \
    "SSY out\nloop: IMAD.U16 R2, R0L, R2L, R3\nLOP.XOR R2, R2, R0\n"                               \
    "ISET.S32.C0 o[0x7f], R3, R5, LT\nIADD32I R3, R3, 3\n"                                         \
    "I2I.S32.S16 R4, R2L\nIADD R2, R2, R4\nBRA C0.NE, loop\nout: NOP.S\n"                          \
    "GST.EXIT.U32 global14[R1], R2\n"

/* Without the netlist the test fails. */
struct unit lane_gates_unit(const char *path, enum vector_unit which);

/* The same with transition faults. */
struct unit lane_gates_slow(const char *path, enum vector_unit which);

/* What became of each fault, as text. */
char *lane_gates_campaign(const struct job *const *jobs, int n, struct gates_options opt);

/* Of the busy kernel on `tiny`, by groups and each alone, which must be the same. Caller frees. */
char *lane_gates_both_ways(const struct unit *u, uint64_t sample);

/* reads.job.xml in a folder of tools.h, for profile tiny: four launches of kernel k of this source, which leaves a word a
 * thread at p. The host takes them after each launch. */
void lane_gates_put_reads(const char *dir, const char *source, int threads);

/* The same of a store, which is closed. */
char *lane_gates_text(struct store *s);

/* How often a word stands in it. */
int lane_gates_count(const char *text, const char *word);

/* Both are freed. */
void lane_gates_same(char *a, char *b);

#endif
