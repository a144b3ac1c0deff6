/* isacheck_main.c -- checks the instruction table; --doc prints docs/reference/isa.md, --sv the RTL's package, of which
 * rtl/sm_isa_pkg.sv is that of 1.0. Runs in every build. */
#include <stdio.h>
#include <string.h>
#include "asm/isacheck/check.h"

static int capability_of(const char *name)
{
    int i = ISA_CAPABILITIES - 1;
    while (i >= 0 && strcmp(isa_capability_name[i], name) != 0)
        i--;
    return i;
}

int main(int argc, char **argv)
{
    struct fl_buf out = {0};
    int bad = 0;
    fl_start("isacheck");
    if (argc == 2 && strcmp(argv[1], "--doc") == 0)
        isa_doc(&out);
    else if (argc == 2 && strcmp(argv[1], "--sv") == 0)
        isa_sv(&out, ISA_1_0);
    else if (argc == 3 && strcmp(argv[1], "--sv") == 0 && capability_of(argv[2]) >= 0)
        isa_sv(&out, capability_of(argv[2]));
    else if (argc == 1) {
        struct isa_table t = {isa_rows, isa_nrows};
        bad = isa_check_masks(t, &out) + isa_check_overlaps(t, &out) + isa_check_fields(t, &out) +
              isa_check_order(t, &out);
        bad += isa_check_round_trip(1, 50, &out);
    } else {
        fputs("usage: isacheck             checks asm/isa/isa.def\n"
              "       isacheck --doc       prints docs/reference/isa.md\n"
              "       isacheck --sv        prints rtl/sm_isa_pkg.sv\n"
              "       isacheck --sv 1.1    prints the package of compute capability 1.1 (or 1.0, "
              "1.2)\n",
              stderr);
        return 2;
    }
    fwrite(out.data ? out.data : (const uint8_t *)"", 1, out.size, bad ? stderr : stdout);
    fl_buf_free(&out);
    if (bad)
        fl_complain(1, "%d complaints about asm/isa/isa.def", bad);
    return fl_end(bad != 0);
}
