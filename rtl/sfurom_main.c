/* sfurom_main.c -- prints rtl/sm_sfu_rom.sv: the coefficients of sm/arith/sfu_tables.h as a ROM. */
#include <stdint.h>
#include <stdio.h>

struct sfu_row {
    int32_t c0, c1, c2;
};

#include "sm/arith/sfu_tables.h"

static const struct {
    const char *text;
    const struct sfu_row *row;
    unsigned rows;
} tables[] = {
    {"RCP", rcp_table, sizeof rcp_table / sizeof *rcp_table},
    {"RSQ", rsqrt_table, sizeof rsqrt_table / sizeof *rsqrt_table},
    {"LG2", lg2_table, sizeof lg2_table / sizeof *lg2_table},
    {"EX2", ex2_table, sizeof ex2_table / sizeof *ex2_table},
    {"SIN and COS", sin_table, sizeof sin_table / sizeof *sin_table},
};

/* The widths that sm_sfu.sv counts on. */
static int fits(const struct sfu_row *r)
{
    return r->c0 >= 0 && r->c0 < 1 << 26 && r->c1 >= -(1 << 16) && r->c1 < 1 << 16 &&
           r->c2 >= -(1 << 11) && r->c2 < 1 << 11;
}

int main(void)
{
    unsigned at = 0;
    printf("// sm_sfu_rom -- coefficients of the special function unit. Made from "
           "sm/arith/sfu_tables.h by "
           "sfurom; do not edit.\n"
           "module sm_sfu_rom (\n"
           "  input  logic [8:0]         segment_i,\n"
           "  output logic [25:0]        c0_o,\n"
           "  output logic signed [16:0] c1_o,\n"
           "  output logic signed [11:0] c2_o\n"
           ");\n"
           "  logic [54:0] row;\n"
           "  assign c0_o = row[54:29];\n"
           "  assign c1_o = $signed(row[28:12]);\n"
           "  assign c2_o = $signed(row[11:0]);\n"
           "  always_comb begin\n"
           "    unique case (segment_i)\n");
    for (unsigned t = 0; t < sizeof tables / sizeof *tables; t++) {
        printf("      // %s\n", tables[t].text);
        for (unsigned i = 0; i < tables[t].rows; i++, at++) {
            const struct sfu_row *r = &tables[t].row[i];
            if (!fits(r)) {
                fprintf(stderr,
                        "sfurom: row %u of %s does not fit {26, 17, 12} bits: widen them here and "
                        "in rtl/sm_sfu.sv\n",
                        i, tables[t].text);
                return 1;
            }
            printf("      9'd%u: row = {26'h%07x, 17'h%05x, 12'h%03x};\n", at, (unsigned)r->c0,
                   (unsigned)r->c1 & 0x1ffff, (unsigned)r->c2 & 0xfff);
        }
    }
    printf("      default: row = '0;\n"
           "    endcase\n"
           "  end\n"
           "endmodule\n");
    return fflush(stdout) != 0;
}
