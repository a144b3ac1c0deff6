/* rtlcfg.c -- writes what the RTL must know of a profile: the package sm_cfg_pkg, and the same
 * numbers for libsmrtl.
 *
 * Usage: rtlcfg PROFILE SPS|- SMS|- PACKAGE.sv PROFILE.inc    (SPS: scalar processors instead of the
 * profile's own; SMS: SMs)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sm/job/widths.h"

struct line {
    const char *name; /* in the package */
    int value;
};

static void package(const struct profile *p, struct fl_buf *out)
{
    const struct line lines[] = {
        {"Warps", p->warps},
        {"ThreadsPerBlock", p->threads_per_block},
        {"ThreadsPerSm", p->threads_per_sm},
        {"BlocksPerSm", p->blocks_per_sm},
        {"Regs", p->regs},
        {"SharedBytes", p->shared_bytes},
        {"SharedBanks", p->shared_banks},
        {"Barriers", p->barriers},
        {"Sps", p->sps},
        {"StackEntries", p->stack_entries},
        {"StackSpill", p->stack_spill},
        {"CodeBits", p->code_bits},
        {"SfuCycles", p->sfu_cycles},
        {"GlobalLatency", p->global_latency},
        {"GlobalTransaction", p->global_transaction},
        {"ConstConflict", p->const_conflict},
        {"SharedConflict", p->shared_conflict},
        {"SpillLatency", p->spill_latency},
        {"DropsAt", p->drops_at},
        {"EmptyRestores", p->empty_restores},
        {"JoinPops", p->join_pops},
        {"JoinJumps", p->join_jumps},
        {"LastJumps", p->last_jumps},
        {"RetPops", p->ret_pops},
        {"ExitEnds", p->exit_ends},
        {"Sms", p->sms},
        {"PortForEachSm", p->ports == PORTS_SM},
        {"BlocksFixed", p->blocks == BLOCKS_FIXED},
        {"QueuePlaces", profile_queue(p)},
        {"WarpW", width_warp(p)},
        {"WarpCountW", width_warp_count(p)},
        {"RowW", width_row(p)}, /* of the register file */
        {"RowCountW", width_row_count(p)},
        {"AddrW", width_shared_addr(p)}, /* in shared memory */
        {"SharedW", width_shared(p)},    /* bytes of it */
        {"SlotW", width_slot(p)},        /* of a resident block */
    };
    fl_buf_printf(
        out, "// sm_cfg_pkg -- sizes and latencies of profile %s; made by rtlcfg, do not edit.\n",
        p->name);
    fl_buf_printf(out, "package sm_cfg_pkg;\n");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        fl_buf_printf(out, "  localparam int %s = %d;\n", lines[i].name, lines[i].value);
    fl_buf_printf(out, "  typedef logic [WarpW-1:0] warp_t;  // a warp slot\n"
                       "  typedef logic [Warps-1:0] mask_t;  // a set of warps, a bit each\n"
                       "endpackage\n");
}

static void initializer(const struct profile *p, struct fl_buf *out)
{
    fl_buf_printf(out,
                  "/* profile %s; made by rtlcfg, do not edit */\n{\"%s\", %d, %d, %d, %d, %d, %d, "
                  "%d, %d, %d, %d, ",
                  p->name, p->name, p->warps, p->threads_per_block, p->threads_per_sm,
                  p->blocks_per_sm, p->regs, p->shared_bytes, p->shared_banks, p->barriers, p->sps,
                  p->stack_entries);
    fl_buf_printf(out, "%d, %d, %a, %d, %d, %d, %d, %d, %d, ", p->stack_spill, p->code_bits,
                  p->clock_mhz, p->sfu_cycles, p->global_latency, p->global_transaction,
                  p->const_conflict, p->shared_conflict, p->spill_latency);
    fl_buf_printf(out, "%d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, {}}\n", p->drops_at,
                  p->empty_restores, p->join_pops, p->join_jumps, p->last_jumps, p->ret_pops,
                  p->exit_ends, p->sms, p->ports, p->blocks, p->partitions, p->interleave,
                  p->clusters);
    fl_buf_printf(out, "#define SMRTL_SMS %d\n", p->sms);
}

int main(int argc, char **argv)
{
    struct profile p;
    struct fl_err err;
    struct fl_buf sv = {0}, inc = {0};
    if (argc != 6) {
        fputs("Usage: rtlcfg PROFILE SPS|- SMS|- PACKAGE.sv PROFILE.inc\n", stderr);
        return 2;
    }
    if (profile_load(argv[1], &p, &err)) {
        fprintf(stderr, "rtlcfg: %s\n", err.msg);
        return 1;
    }
    if (strcmp(argv[2], "-") != 0)
        p.sps = atoi(argv[2]);
    if (p.sps != 8 && p.sps != 16 && p.sps != 32) {
        fprintf(stderr,
                "rtlcfg: %s: write 8, 16 or 32 scalar processors, or - for the profile's own\n",
                argv[2]);
        return 2;
    }
    int sms = strcmp(argv[3], "-") == 0 ? p.sms : atoi(argv[3]);
    if (sms < 1 || sms > SM_MAX_SMS) {
        fprintf(stderr, "rtlcfg: %s: write a number of SMs, or - for the profile's own\n", argv[3]);
        return 2;
    }
    profile_set_sms(&p, sms);
    package(&p, &sv);
    initializer(&p, &inc);
    int failed = fl_write_file(argv[4], sv.data, sv.size, &err) ||
                 fl_write_file(argv[5], inc.data, inc.size, &err);
    if (failed)
        fprintf(stderr, "rtlcfg: %s\n", err.msg);
    fl_buf_free(&sv);
    fl_buf_free(&inc);
    return failed ? 1 : 0;
}
