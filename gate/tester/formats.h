/* formats.h -- patterns in the formats of testers and of other tools: STIL (IEEE 1450), VCD and extended VCD (IEEE 1364).
 *
 * Each reader makes patterns of a netlist by the names of its ports and flip-flops. The file's strobes become what the
 * patterns observe; a file without any observes all outputs in each of them. Errors name file and line.
 */
#ifndef GATE_FORMATS_H
#define GATE_FORMATS_H

#include "gate/patterns.h"

enum gate_format { GATE_LINES, GATE_STIL, GATE_VCD };

/* By how the text begins: STIL, or a `$` of a VCD; else a pattern a line. */
enum gate_format gate_format_of(const char *text);

struct gate_reading {
    enum {
        GATE_SCAN_AUTO,
        GATE_SCAN,
        GATE_CYCLES
    } scan;                  /* by patterns that set flip-flops, or cycle by cycle from the
                                                            reset; auto: scan where the file loads flip-flops */
    bool sets_flops;         /* no engine can be chosen: scan, whatever the file has */
    bool pairs;              /* each pattern is a pair with the one before it: transition faults */
    uint64_t period, strobe; /* of a VCD, in femtoseconds; period 0: not given */
    const char *scope;       /* of a VCD, "tb.dut"; NULL: the one that has the inputs */
    uint32_t most;           /* patterns; 0: 16,777,216 */
};

/* The patterns of a file: `out->sources` says whether they set flip-flops. `notes` gets what was left out or assumed, for
 * people, a line each. */
int gate_stil_read(const char *path, const char *text, const struct gate_netlist *n,
                   const struct gate_reading *how, struct gate_patterns *out, struct fl_buf *notes,
                   struct fl_err *err);
int gate_vcd_read(const char *path, const char *text, const struct gate_netlist *n,
                  const struct gate_reading *how, struct gate_patterns *out, struct fl_buf *notes,
                  struct fl_err *err);

/* As STIL with the outputs of the netlist without a fault: patterns that set flip-flops load and unload one scan chain of
 * all of them; others are cycles from the reset. */
int gate_stil_print(const struct gate_netlist *n, const struct gate_patterns *p, struct fl_buf *out,
                    struct fl_err *err);

/* A time such as 10ns or 5.9ns, in femtoseconds; -1: it is none. */
int gate_time(const char *text, uint64_t *out);

/* What a file expects, and what the netlist without a fault does. */
struct gate_strobes {
    uint64_t count, differ;
    uint32_t pattern, watched; /* of the first that differs */
    bool expected;
};
struct gate_strobes gate_strobes_check(const struct gate_netlist *n, const struct gate_patterns *p);

#endif
