/* check.h -- proves the table of isa.def sound, and writes docs/reference/isa.md from it. */
#ifndef ISA_CHECK_H
#define ISA_CHECK_H

#include "asm/isa/table.h"

/* A table to check: the real one, or a broken one that a test makes. */
struct isa_table {
    const struct isa_row *row;
    int nrows;
};

/* Adds one line to `report` for everything that is wrong; returns the number of lines. */
int isa_check_masks(struct isa_table t,
                    struct fl_buf *report); /* every bit has exactly one owner */
int isa_check_overlaps(struct isa_table t, struct fl_buf *report); /* no word fits two rows */
/* Rows and operations of a capability stand before those of a higher one. */
int isa_check_order(struct isa_table t, struct fl_buf *report);
int isa_check_fields(struct isa_table t, struct fl_buf *report); /* names differ; all are used */
/* Random words of every row survive decode -> text -> encode; only for the real table. */
int isa_check_round_trip(uint64_t seed, int words_per_row, struct fl_buf *report);

/* The chapter about the instruction set, in Markdown. */
void isa_doc(struct fl_buf *out);
/* The table as SystemVerilog, for machines of a capability; rtl/sm_isa_pkg.sv is that of 1.0. */
void isa_sv(struct fl_buf *out, int capability);

#endif
