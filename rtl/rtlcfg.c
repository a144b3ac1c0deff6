/* rtlcfg.c -- writes what the RTL must know of a profile: the package sm_cfg_pkg, and the same
 * numbers for libsmrtl.
 *
 * Usage: rtlcfg PROFILE SPS|- SMS|- PACKAGE.sv PROFILE.inc    (SPS: scalar processors instead of the
 * profile's own; SMS: SMs)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sm/cache/cache.h"
#include "sm/job/widths.h"

/* Bytes of a line at least, as in profiles; and bits of an address: 2^32 and the local memory of all SMs
 * lie below, and so do the addresses that a wrong tag names. */
enum { MIN_LINE = 16, LINE_ADDRESS = 40 };

struct line {
    const char *name; /* in the package */
    int value;
};

/* Of a cache that the profile lacks: no sets, and sizes that can be written down. */
static void cache_lines(const struct profile *p, int cache, const char *name, struct fl_buf *out)
{
    struct cache_map map;
    cache_lay_out(&map, p, 0);
    const struct cache_shape *s = &map.cache[cache];
    const struct profile_cache none = {.line = MIN_LINE, .ways = 2, .next = CACHE_MEMORY};
    const struct profile_cache *c = s->sets ? &s->is : &none;
    const struct line lines[] = {{"Sets", (int)s->sets},
                                 {"Ways", (int)c->ways},
                                 {"Line", (int)c->line},
                                 {"TagW", s->sets ? (int)s->tag_bits : 1},
                                 {"AgeW", s->sets ? (int)s->age_bits : 1},
                                 {"Replacement", c->replacement},
                                 {"Back", c->write == CACHE_BACK},
                                 {"Allocates", c->allocate == CACHE_BOTH},
                                 {"Evicts", c->on_store == CACHE_EVICT},
                                 {"Latency", (int)c->latency}};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        fl_buf_printf(out, "  localparam int %s%s = %d;\n", name, lines[i].name, lines[i].value);
}

static int first_level(const struct profile *p, enum cache_space space)
{
    int first = profile_first_cache(p, space);
    return first == CACHE_L1D ? 0 : first == CACHE_L2 ? 1 : first == CACHE_L1C ? 3 : 2;
}

static int longest_line(const struct profile *p)
{
    uint32_t longest = MIN_LINE;
    for (int i = 0; i < CACHES; i++)
        longest = p->cache[i].line > longest ? p->cache[i].line : longest;
    return (int)longest;
}

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
        {"Capability", p->capability},
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
        /* where an access of a space goes first: 0 l1d, 1 l2, 2 memory, 3 l1c */
        {"FirstGlobal", first_level(p, CACHE_GLOBAL)},
        {"FirstLocal", first_level(p, CACHE_LOCAL)},
        {"FirstConst", first_level(p, CACHE_CONSTANT)},
        {"ConstCached", profile_first_cache(p, CACHE_CONSTANT) != CACHE_MEMORY},
        {"L1dToL2", p->cache[CACHE_L1D].bytes && p->cache[CACHE_L1D].next == CACHE_L2},
        {"L1cToL2", p->cache[CACHE_L1C].bytes && p->cache[CACHE_L1C].next == CACHE_L2},
        {"LineMax", longest_line(p)},
        {"LineAddrW", LINE_ADDRESS},
    };
    fl_buf_printf(
        out, "// sm_cfg_pkg -- sizes and latencies of profile %s; made by rtlcfg, do not edit.\n",
        p->name);
    fl_buf_printf(out, "package sm_cfg_pkg;\n");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        fl_buf_printf(out, "  localparam int %s = %d;\n", lines[i].name, lines[i].value);
    cache_lines(p, CACHE_L1D, "L1d", out);
    cache_lines(p, CACHE_L1C, "L1c", out);
    cache_lines(p, CACHE_L2, "L2", out);
    fl_buf_printf(out, "  typedef logic [WarpW-1:0] warp_t;  // a warp slot\n"
                       "  typedef logic [Warps-1:0] mask_t;  // a set of warps, a bit each\n"
                       "endpackage\n");
}

static void cache_initializer(const struct profile_cache *c, struct fl_buf *out)
{
    fl_buf_printf(out, "{%u, %u, %u, %d, %d, %d, %d, %u, %u, %d}, ", c->bytes, c->line, c->ways,
                  c->replacement, c->write, c->allocate, c->on_store, c->spaces, c->latency,
                  c->next);
}

static void initializer(const struct profile *p, struct fl_buf *out)
{
    fl_buf_printf(out,
                  "/* profile %s; made by rtlcfg, do not edit */\n{\"%s\", %d, %d, %d, %d, %d, %d, "
                  "%d, %d, %d, %d, ",
                  p->name, p->name, p->warps, p->threads_per_block, p->threads_per_sm,
                  p->blocks_per_sm, p->regs, p->shared_bytes, p->shared_banks, p->barriers, p->sps,
                  p->stack_entries);
    fl_buf_printf(out, "%d, %d, %d, %a, %d, %d, %d, %d, %d, %d, ", p->stack_spill, p->capability,
                  p->code_bits, p->clock_mhz, p->sfu_cycles, p->global_latency,
                  p->global_transaction, p->const_conflict, p->shared_conflict, p->spill_latency);
    fl_buf_printf(out, "%d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, {", p->drops_at,
                  p->empty_restores, p->join_pops, p->join_jumps, p->last_jumps, p->ret_pops,
                  p->exit_ends, p->sms, p->ports, p->blocks, p->partitions, p->interleave,
                  p->clusters);
    for (int i = 0; i < CACHES; i++)
        cache_initializer(&p->cache[i], out);
    fl_buf_printf(out, "}, 0}\n#define SMRTL_SMS %d\n#define SMRTL_CACHES %d\n", p->sms,
                  profile_has_caches(p));
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
    if (p.cache[CACHE_L1T].bytes || p.cache[CACHE_L1I].bytes) {
        fprintf(stderr,
                "rtlcfg: %s has caches for textures or instructions, which the RTL has not\n",
                argv[1]);
        return 1;
    }
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
