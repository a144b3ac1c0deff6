/* smrun.c -- the tool that runs a job, or one kernel of a cubin, on the model of the SM and says
 * how it went.
 *
 * Exit status: 0 the job finished (and, with --expect, its digest matched), 1 the run found a
 * problem, 2 wrong usage.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"
#include "asm/isa/isa.h"
#include "sm/gpu/gpu.h"
#include "schedule.h"
#include "smrun.h"
#include "timeline.h"
#include "base/usage.h"
#include "base/xml.h"
#ifdef FAULTLINE_RTL
#include "rtl/twin/smrtl.h"
#endif

enum {
    LIST = 1,
    EXPECT,
    TRACE,
    BINARY,
    DUMP,
    PROFILE,
    ON,
    SMS,
    TIMELINE,
    ENGINE,
    WAVE,
    MAX,
    DUMP_STATE,
    BREAK,
    KERNEL,
    GRID,
    BLOCK,
    SHARED,
    PARAM,
    CONST,
    BUFFER,
    WRITE_JOB,
    RECORD,
    SIGN,
    MEASURE
};
static const struct usage_row rows[] = {
    {.help = "A job, or a kernel of a cubin"},
    {"--trace FILE", "one line for each warp instruction committed", TRACE},
    {"--binary", "with --trace: a binary trace, for smtrace", BINARY},
    {"--dump NAME=FILE",
     "write a buffer's final contents to a file; FILE -: standard output, and the summary goes to "
     "standard error",
     DUMP},
    {"--profile NAME",
     "the machine that the job names: a shipped one (g80, g80-chip ...) or a path to an .xml file",
     PROFILE},
    {"--on NAME", "run the job on this machine in place of its own", ON},
    {"--sms N", "number of SMs, in place of the profile's", SMS},
    {"--engine c|rtl|both",
     "the C model, the RTL, or both in lock step (needs a build with the RTL)", ENGINE},
    {"--wave FILE.fst", "waves of the RTL (needs FAULTLINE_RTL_TRACE)", WAVE},
    {"--timeline F.svg", "chart of the blocks on each SM over time", TIMELINE},
    {"--max-cycles N", "give up after N cycles", MAX},
    {"--dump-state CYCLE", "print warps, masks, stacks and registers in that cycle", DUMP_STATE},
    {"--break WHERE",
     "stop and print this state: in a cycle (1200), or before the effects of the first instruction "
     "at a "
     "code address (0x38)",
     BREAK},
    {.help = "A job"},
    {"--expect", "fail if the digest of the outputs differs from that of the job", EXPECT},
    {"--sign", "add the digest of the outputs to a job without one", SIGN},
    {.help = "A schedule of self-test parts, from sbstgen"},
    {"--measure",
     "run each part on its own machine, and write its instructions and cycles into the schedule; "
     "--profile and --max-cycles apply",
     MEASURE},
    {.help = "A program that smcc --exe has built, or linked with libcuda"},
    {"--record DIR",
     "run the program and record its launches in the folder as a job: job.xml, program.cubin, "
     "cubins of further modules, data.bin; --profile and --engine apply to the run",
     RECORD},
    {.help = "A cubin"},
    {"--kernel NAME", "the kernel to launch, once; --list shows the kernels", KERNEL},
    {"--grid X,Y", "blocks (default 1,1)", GRID},
    {"--block X,Y,Z", "threads of a block (default 1,1,1)", BLOCK},
    {"--shared BYTES", "dynamic shared memory (default 0)", SHARED},
    {"--buffer NAME=FILE|SIZE",
     "a buffer with the bytes of a file (./123 for a file named 123), or SIZE zero bytes; a NAME "
     "of a variable of the cubin sets its initial value",
     BUFFER},
    {"--param WHERE:TYPE:VALUE",
     "a parameter; WHERE is its name, or its byte address in s[], from 0x10; TYPE:VALUE is u32:N, "
     "s32:N, f32:X or buf:NAME[+BYTES]",
     PARAM},
    {"--const BANK:OFFSET=FILE|NAME=FILE",
     "bytes of constant memory, in place of the cubin's own; NAME is a constant that --list shows",
     CONST},
    {"--write-job F", "write this command line as a job.xml; nothing runs", WRITE_JOB},
    {"--list", "the kernels of a cubin, their parameters, constants and variables", LIST},
    USAGE_GENERAL,
    {.help = "Exit status"},
    {"0", "finished", 0},
    {"1", "the run found a problem", 0},
    {"2", "wrong usage", 0},
    {0},
};
static const struct usage usage = {
    "smrun", "runs a job, or one kernel of a cubin, on the cycle-exact model of the SM",
    "JOB.xml [--expect] [--trace FILE] [--dump NAME=FILE]... [--profile NAME]\n"
    "FILE.cubin --kernel NAME --grid X,Y --block X,Y,Z [OPTION]...\n"
    "--measure FILE.schedule.csv\n"
    "--record DIR -- ./PROGRAM [ARGUMENT]...\n"
    "--list FILE.cubin",
    rows};

static void append(struct list *l, const char *item)
{
    l->item = fl_grow(l->item, (size_t)l->count + 1, sizeof *l->item);
    l->item[l->count++] = item;
}

static int complain(int status, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static int complain(int status, const char *fmt, ...)
{
    struct fl_err err;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(err.msg, sizeof err.msg, fmt, ap);
    va_end(ap);
    fl_complain(status, "%s", err.msg);
    if (status == USAGE)
        fputs("smrun --help shows how it is called\n", stderr);
    return status;
}

/* A part of the summary. */
static void say(const struct options *o, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
static void say(const struct options *o, const char *fmt, ...)
{
    char *text;
    va_list ap;
    va_start(ap, fmt);
    if (vasprintf(&text, fmt, ap) < 0)
        text = NULL;
    va_end(ap);
    if (text)
        fl_print(o->people, text);
    free(text);
}

/* ---- running ---- */

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

struct trace {
    struct fl_out out;
    FILE *f; /* of out; NULL: none is asked for */
    bool binary;
};

/* The instruction at this address comes next in Write-back. */
static bool about_to_commit(const struct gpu *m, uint32_t pc)
{
    const struct sm_state *s = gpu_end_state(m);
    int w = s->stage[STAGE_W];
    return w != NO_WARP && !s->unwinding && s->warp[w].fetched == pc;
}

/* Looks for an endless loop: keeps the state of some cycle and compares those that follow with it,
 * for a 64th of the time so far; then again when the run is twice as long. Short runs pay nothing,
 * long ones next to nothing. */
enum { FIRST_LOOK = 1 << 20 };
struct endless {
    struct gpu *saved;    /* NULL until it is needed */
    uint64_t look, until; /* cycles: when to begin, and to give up */
    bool looking, found;
};

/* After a tick. */
static bool seen_before(struct endless *e, const struct gpu *m)
{
    uint64_t now = gpu_cycles(m);
    if (gpu_ended(m) || now < e->look)
        return false;
    if (!e->looking) {
        if (!e->saved)
            e->saved = gpu_new(m->img);
        gpu_copy(e->saved, m);
        e->looking = true;
        e->until = now + now / 64;
        return false;
    }
    e->found = gpu_recurs(m, e->saved);
    if (now > e->until) {
        e->looking = false;
        e->look = 2 * now;
    }
    return e->found;
}

/* Runs to the end, to where the effects of cycle `limit` come next, to an instruction at *pc, or,
 * unless `e` is NULL, to where a state recurs. */
static void run(struct gpu *m, const struct trace *t, uint64_t limit, const uint32_t *pc,
                struct endless *e)
{
    enum { CHUNK = 1 << 20, TOGETHER = 4 };
    struct sm_commit record = {0};
    struct fl_buf line = {0};
    bool terminal = isatty(STDERR_FILENO);
    double start = seconds(), shown = start;
    gpu_record(m, t->f ? &record : NULL);
    for (int i = 0; i < m->sms; i++)
        m->sm[i].stop = limit;
    for (uint64_t ticks = 0; !gpu_ended(m) && gpu_cycles(m) <= limit; ticks++) {
        if (pc && about_to_commit(m, *pc))
            break;
        if (t->f || pc) {
            gpu_tick(m);
            if (t->f && record.kind != COMMIT_NONE) {
                line.size = 0;
                if (t->binary)
                    sm_commit_pack(&record, &line);
                else
                    sm_commit_print(m->img, &record, &line);
                fwrite(line.data, 1, line.size, t->f);
                if (!t->binary)
                    fputc('\n', t->f);
            }
        } else if (e && e->looking) {
            gpu_run_slots(m, limit, TOGETHER);
        } else {
            uint64_t to = gpu_cycles(m) + CHUNK;
            gpu_run(m, to < limit ? to : limit);
        }
        if (e && seen_before(e, m))
            break;
        if (terminal && (!(t->f || pc) || ticks % 4096 == 0) && seconds() - shown > 0.5) {
            shown = seconds();
            fprintf(stderr, "\r%" PRIu64 " cycles, %.0f s, end not known", gpu_cycles(m),
                    shown - start);
        }
    }
    if (shown > start)
        fputs("\r\033[K", stderr);
    gpu_record(m, NULL);
    for (int i = 0; i < m->sms; i++)
        m->sm[i].stop = UINT64_MAX;
    fl_buf_free(&line);
}

static void show_state(const struct gpu *m, const struct options *o)
{
    struct fl_buf text = {0};
    gpu_print(m, &text);
    fl_print(o->people, (char *)text.data);
    fl_buf_free(&text);
}

/* Runs as far as the options say; true when it stopped at --break. */
static bool run_as_asked(struct gpu *m, const struct trace *t, const struct options *o,
                         struct endless *e)
{
    const uint32_t *pc = o->has_break_pc ? &o->break_pc : NULL;
    uint64_t last = o->max_cycles < o->break_cycle ? o->max_cycles : o->break_cycle;
    if (t->f && t->binary)
        fputs(SM_TRACE_MAGIC, t->f);
    if (o->dump_cycle != UINT64_MAX && o->dump_cycle <= last) {
        run(m, t, o->dump_cycle, pc, NULL);
        if (gpu_cycles(m) > o->dump_cycle)
            show_state(m, o);
    }
    run(m, t, last, pc, o->break_cycle == UINT64_MAX ? e : NULL);
    bool at_break = !gpu_ended(m) &&
                    (pc ? about_to_commit(m, *pc) : gpu_cycles(m) > o->break_cycle);
    if (at_break)
        show_state(m, o);
    return at_break;
}

#ifdef FAULTLINE_RTL
/* The RTL alone, with what it commits written as the C model's trace is. */
static void run_rtl(struct smrtl *m, const struct sm_image *img, const struct trace *t,
                    uint64_t limit)
{
    struct sm_commit *records = fl_alloc((size_t)img->sms * sizeof *records);
    struct fl_buf line = {0};
    smrtl_record(m, t->f ? records : NULL);
    while (!smrtl_ended(m) && smrtl_cycles(m) < limit) {
        smrtl_tick(m);
        for (int i = 0; t->f && i < img->sms; i++) {
            if (records[i].kind == COMMIT_NONE)
                continue;
            line.size = 0;
            sm_commit_print(img, &records[i], &line);
            fwrite(line.data, 1, line.size, t->f);
            fputc('\n', t->f);
        }
    }
    smrtl_record(m, NULL);
    fl_buf_free(&line);
    free(records);
}

/* Fills in *out with the machine to report on. */
static int run_with_rtl(const struct sm_image *img, const struct options *o, const struct trace *t,
                        struct gpu *c, struct smrtl **rtl, const struct gpu **out)
{
    struct fl_err err;
    *rtl = smrtl_new(img, &err);
    if (!*rtl || (o->wave && smrtl_trace(*rtl, o->wave, &err)))
        return complain(PROBLEM, "%s", err.msg);
    if (o->engine == ENGINE_RTL) {
        run_rtl(*rtl, img, t, o->max_cycles);
        *out = smrtl_state(*rtl);
        return OK;
    }
    struct smrtl_lockstep stats;
    struct fl_buf account = {0};
    double start = seconds();
    int differ = smrtl_compare(img, c, *rtl, o->max_cycles, &stats, &account);
    *out = c;
    say(o, "lock step     %s, %" PRIu64 " commits, %.0f cycles per second\n",
        differ ? "DIFFERS" : "agrees", stats.commits, (double)stats.cycles / (seconds() - start));
    if (differ) {
        fl_print(o->people, (char *)account.data);
        complain(PROBLEM, "%s: the RTL and the C model differ; the account is above", o->file);
    }
    fl_buf_free(&account);
    return differ ? PROBLEM : OK;
}
#endif

/* ---- reporting ---- */

static const char *const what_to_do[TRAP_COUNT] = {
    [TRAP_FETCH_UNMAPPED] = "end every path with .EXIT, and check the branch targets",
    [TRAP_FETCH_MISALIGNED] = "align the branch target to 8 bytes (.align 8)",
    [TRAP_ILLEGAL_INSTRUCTION] = "look at the words with sdis --words; data must not be executed",
    [TRAP_UNSUPPORTED_INSTRUCTION] =
        "write the code without this instruction; docs/reference/isa.md lists "
        "what is executed",
    [TRAP_TRAP_INSTRUCTION] = "the program asked for it; find out why it came here",
    [TRAP_MISALIGNED_GLOBAL] = "make the address a multiple of the access size",
    [TRAP_MISALIGNED_SHARED] = "make the address a multiple of the access size",
    [TRAP_MISALIGNED_LOCAL] = "make the address a multiple of the access size",
    [TRAP_MISALIGNED_CONST] = "make the address a multiple of the access size",
    [TRAP_OUT_OF_BOUNDS_GLOBAL] = "compare pointers and indices with the buffers above; --trace "
                                  "shows the addresses",
    [TRAP_OUT_OF_BOUNDS_SHARED] = "enlarge .shared or the launch's shared bytes, or correct the "
                                  "index",
    [TRAP_OUT_OF_BOUNDS_LOCAL] = "correct the local address; --list shows the kernel's local bytes",
    [TRAP_OUT_OF_BOUNDS_CONST] = "add the constants to the cubin or the job, or correct the index",
    [TRAP_STACK_OVERFLOW] = "nest less deeply, or take a profile with a spill area (g80)",
    [TRAP_STACK_UNDERFLOW] = "give every join (.S) its SSY",
    [TRAP_STACK_MISMATCH] = "pair SSY with .S, CAL with RET and PBK with BRK on every path",
};

static void print_buffers(const struct job *job, const struct options *o)
{
    for (int i = 0; i < job->nbuffers; i++)
        say(o, "buffer        %-16s g14[0x%08x .. 0x%08x), %u bytes\n", job->buffer[i].name,
            job->buffer[i].addr, job->buffer[i].addr + job->buffer[i].size, job->buffer[i].size);
}

/* "loop+0x8", or "" when the cubin knows no label before pc. */
static void label_of(const struct cubin_kernel *k, uint32_t pc, char *out, size_t size)
{
    const struct cubin_symbol *best = NULL;
    out[0] = 0;
    for (int i = 0; i < k->nsymbols; i++)
        if (k->symbol[i].addr <= pc && (!best || k->symbol[i].addr >= best->addr))
            best = &k->symbol[i];
    if (best)
        snprintf(out, size, " (%.60s+0x%x)", best->name, pc - best->addr);
}

static bool code_word(const struct cubin_kernel *k, uint32_t addr, uint32_t *word)
{
    for (int i = 0; i < k->ncode; i++) {
        const struct cubin_code *c = &k->code[i];
        if (addr - c->base < c->size && c->size - (addr - c->base) >= 4) {
            const uint8_t *b = c->bytes + (addr - c->base);
            *word = (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 |
                    (uint32_t)b[3] << 24;
            return true;
        }
    }
    return false;
}

static void explain_trap(const struct job *job, const struct gpu *m, const struct options *o)
{
    const struct sm_state *s = gpu_end_state(m);
    enum sm_trap trap = s->trap < TRAP_COUNT ? (enum sm_trap)s->trap : TRAP_NONE;
    const struct job_launch *l = &job->launch[m->grid.launch];
    const struct cubin_kernel *k = &job->cubin->kernel[l->kernel_index];
    char label[96], text[256];
    uint32_t lo, hi = 0;
    label_of(k, s->trap_pc, label, sizeof label);
    say(o, "trap          %s: %s%s\n", sm_trap_name(trap), sm_trap_text(trap),
        gpu_ended_rightly(m) ? " (as the job states)" : "");
    say(o, "where         kernel '%s', launch %u, ", k->name, m->grid.launch + 1);
    if (m->sms > 1)
        say(o, "SM %d, ", gpu_turn(m));
    say(o, "warp %d, pc 0x%06x%s\n", s->trap_warp, s->trap_pc, label);
    if (code_word(k, s->trap_pc, &lo)) {
        (void)code_word(k, s->trap_pc + 4, &hi);
        if (isa_print(lo, hi, text, sizeof text) > 0)
            say(o, "instruction   %s\n", text);
    }
    if (gpu_ended_rightly(m))
        return;
    print_buffers(job, o);
    if (m->img->traps)
        complain(PROBLEM, "%s: trap %s in launch %u; its last launch states %s", job->path,
                 sm_trap_name(trap), m->grid.launch + 1, job->launch[job->nlaunches - 1].trap);
    else
        complain(PROBLEM, "%s: trap %s in kernel '%s' at pc 0x%06x; %s", job->path,
                 sm_trap_name(trap), k->name, s->trap_pc,
                 what_to_do[trap] ? what_to_do[trap] : "run it with --trace");
}

static void print_hex(const struct options *o, const uint8_t digest[32])
{
    char hex[65];
    fl_hex(digest, 32, hex);
    say(o, "%s", hex);
}

/* What SMs that are compared with each other have left. */
static void report_compared(const struct gpu *m, const struct options *o)
{
    const struct job *job = m->img->job;
    int output[JOB_MAX_COMPARED], n = job_compared(job, output), odds = 0;
    uint8_t *bytes[JOB_MAX_COMPARED];
    bool odd[JOB_MAX_COMPARED];
    for (int i = 0; i < n; i++) {
        bytes[i] = fl_alloc(job->output[output[i]].size);
        sm_memory_read(&m->memory, sm_output_at(m->img, output[i]), bytes[i],
                       job->output[output[i]].size);
    }
    if (!n)
        return;
    bool half = job_find_odd((const uint8_t *const *)bytes, n, job->output[output[0]].size, odd);
    say(o, "compared      %d SMs: ", n);
    for (int i = 0; i < n; i++) {
        if (half && odd[i])
            say(o, "%s%s", odds++ ? ", " : "", job->output[output[i]].name);
        free(bytes[i]);
    }
    say(o, "%s\n",
        !half  ? "no more than half are alike"
        : odds ? " not like the others"
               : "all alike");
}

static int report_digest(const struct job *job, const struct gpu *m, const struct options *o)
{
    uint8_t digest[32];
    if (job->noutputs == 0 && job_traps(job)) {
        say(o, "digest        none: the trap is what the job leaves\n");
        return OK;
    }
    if (job->noutputs == 0) {
        say(o, "digest        none: the job states no outputs\n");
        return o->expect || o->sign
                   ? complain(PROBLEM, "%s: nothing to compare; add <output>s and a <digest>",
                              job->path)
                   : OK;
    }
    gpu_outputs_digest(m, digest);
    struct fl_err err;
    if (o->sign && job->has_digest)
        return complain(PROBLEM, "%s: states a digest already; remove it and run --sign again",
                        job->path);
    if (o->sign && smrun_sign(job->path, digest, &err) != 0)
        return complain(PROBLEM, "%s", err.msg);
    report_compared(m, o);
    bool same = job->has_digest && !memcmp(digest, job->digest, sizeof digest);
    say(o, "digest        ");
    print_hex(o, digest);
    say(o, "%s\n", !job->has_digest ? "" : same ? " (as the job states)" : " (DIFFERS)");
    if (o->expect && !job->has_digest)
        return complain(PROBLEM,
                        "%s: states no digest; once the outputs are known to be right, add "
                        "<digest sha256=\"...\"/>",
                        job->path);
    if (job->has_digest && !same) {
        say(o, "job states    ");
        print_hex(o, job->digest);
        say(o, "\n");
        if (o->expect)
            return complain(PROBLEM,
                            "%s: the outputs differ from the digest it states; compare them "
                            "with --dump NAME=FILE",
                            job->path);
    }
    return OK;
}

/* Accesses that instructions made when they acted, a line of the cache each. */
static void print_caches(const struct gpu *m, const struct options *o)
{
    for (int i = 0; i < CACHES; i++) {
        const struct cache_count *c = &m->counts[i];
        uint64_t all = c->hits + c->misses;
        char name[16];
        if (!m->img->caches.cache[i].is.bytes)
            continue;
        snprintf(name, sizeof name, "cache %s", profile_cache_name(i));
        say(o, "%-13s %" PRIu64 " hits, %" PRIu64 " misses (%.1f %%), %" PRIu64 " write-backs\n",
            name, c->hits, c->misses, all ? 100.0 * (double)c->misses / (double)all : 0.0,
            c->write_backs);
    }
}

static int report(const struct job *job, const struct gpu *m, const struct options *o,
                  const struct endless *e, const struct timeline *t)
{
    uint64_t cycles = gpu_cycles(m), instructions = gpu_instructions(m);
    bool sms = m->sms > 1, partitions = job->profile.partitions > 1;
    struct fl_buf text = {0};
    fl_buf_printf(&text, "job           %s (%s)\nprofile       %s\n", job->name, job->path,
                  job->profile.name);
    fl_buf_printf(&text, "cycles        %" PRIu64 " (%.3f us at %g MHz)\n", cycles,
                  (double)cycles / job->profile.clock_mhz, job->profile.clock_mhz);
    fl_buf_printf(&text, "instructions  %" PRIu64 " of a warp, %.3f per cycle\n", instructions,
                  cycles ? (double)instructions / (double)cycles : 0.0);
    smrun_print_host(job, &text);
    if (sms)
        timeline_print(t, m, &text);
    if (partitions)
        timeline_print_partitions(m, &text);
    fl_buf_printf(&text, sms || partitions ? "\n" : "");
    fl_print(o->people, (char *)text.data);
    fl_buf_free(&text);
    print_caches(m, o);
    if (gpu_trap(m))
        explain_trap(job, m, o);
    if (gpu_trap(m) && !gpu_ended_rightly(m))
        return PROBLEM;
    if (gpu_ended_rightly(m))
        return report_digest(job, m, o);
    if (gpu_deadlocked(m))
        return complain(PROBLEM,
                        "%s: deadlock after %" PRIu64 " cycles in launch %u: every warp waits; "
                        "check that all warps of a block reach each barrier",
                        job->path, cycles, m->grid.launch + 1);
    if (e->found)
        return complain(
            PROBLEM,
            "%s: launch %u runs for ever: the machine is in cycle %" PRIu64
            " where it was in cycle %" PRIu64 "; --break %" PRIu64 " shows the warps there",
            job->path, m->grid.launch + 1, cycles, gpu_cycles(e->saved), gpu_cycles(e->saved));
    if (m->grid.done == SM_GAVE_UP)
        return complain(PROBLEM,
                        "%s: the <repeat> has reached its limit after %" PRIu64
                        " cycles in launch %u; raise the limit, or find out why its word never "
                        "becomes \"until\"",
                        job->path, cycles, m->grid.launch + 1);
    if (!m->grid.done)
        return complain(PROBLEM,
                        "%s: not finished after %" PRIu64 " cycles in launch %u; raise "
                        "--max-cycles, or look for an endless loop with --trace",
                        job->path, cycles, m->grid.launch + 1);
    return complain(PROBLEM, "%s: the run ends, and its last launch states trap=\"%s\"", job->path,
                    job->launch[job->nlaunches - 1].trap);
}

static int dump(const struct job *job, const struct gpu *m, const char *text, struct fl_err *err)
{
    const char *file = NULL; /* check_dumps has seen to it that there is one */
    char *name = smrun_split(text, '=', &file);
    const struct job_buffer *b = &job->buffer[job_find_buffer(job, name)];
    uint8_t *bytes = fl_alloc(b->size);
    gpu_read_global(m, b->addr, bytes, b->size);
    int result = fl_write_file(file, bytes, b->size, err);
    free(bytes);
    free(name);
    return result;
}

/* Before a long run: are the --dump options right? */
static int check_dumps(const struct job *job, const struct options *o, struct fl_err *err)
{
    for (int i = 0; i < o->dump.count; i++) {
        const char *file;
        char *name = smrun_split(o->dump.item[i], '=', &file);
        if (!name)
            return smrun_bad(err, "dump", o->dump.item[i], "NAME=FILE");
        int b = job_find_buffer(job, name);
        free(name);
        if (b < 0)
            return smrun_bad(err, "dump", o->dump.item[i], "the name of a buffer of the job");
    }
    return 0;
}

/* Before a long run: can all outputs be written, and is each a file of its own? */
static int check_files(const struct job *job, struct options *o, struct fl_err *err)
{
    struct fl_files files = {0};
    fl_files_join(&files, &job->files);
    fl_files_out(&files, "--trace", o->trace);
    fl_files_out(&files, "--wave", o->wave);
    fl_files_out(&files, "--timeline", o->timeline);
    fl_files_out(&files, "--write-job", o->write_job);
    for (int i = 0; i < o->dump.count; i++) {
        char *what = fl_format("--dump %.*s", (int)strcspn(o->dump.item[i], "="), o->dump.item[i]);
        fl_files_out(&files, what, strchr(o->dump.item[i], '=') + 1);
        free(what);
    }
    o->people = fl_files_people(&files);
    int bad = fl_files_check(&files, err);
    fl_files_free(&files);
    return bad;
}

static int write_job(const struct job *job, struct options *o)
{
    struct fl_err err = {""};
    struct fl_buf text = {0};
    int bad = check_files(job, o, &err) || smrun_print_job(o, job, o->write_job, &text, &err) ||
              fl_write_file(o->write_job, text.data, text.size, &err);
    fl_buf_free(&text);
    return bad ? complain(PROBLEM, "%s", err.msg) : OK;
}

static int run_job(const struct job *job, struct options *o)
{
    struct fl_err err;
    struct trace t = {.binary = o->binary};
    if (check_dumps(job, o, &err))
        return complain(USAGE, "%s", err.msg);
    if (check_files(job, o, &err))
        return complain(PROBLEM, "%s", err.msg);
    struct sm_image *img = sm_image_new(job, &err);
    if (!img)
        return complain(PROBLEM, "%s", err.msg);
    if (o->trace && fl_out_open(&t.out, o->trace, &err)) {
        sm_image_free(img);
        return complain(PROBLEM, "%s; name another trace file", err.msg);
    }
    t.f = t.out.f;
    struct gpu *m = gpu_new(img);
    const struct gpu *shown = m;
    struct endless e = {.look = FIRST_LOOK};
    struct timeline timeline = {0};
    int differs = OK;
    bool at_break = false;
    if (m->sms > 1 || o->timeline)
        timeline_listen(&timeline, m);
#ifdef FAULTLINE_RTL
    struct smrtl *rtl = NULL;
    if (o->engine != ENGINE_C)
        differs = run_with_rtl(img, o, &t, m, &rtl, &shown);
#endif
    if (o->engine == ENGINE_C)
        at_break = run_as_asked(m, &t, o, &e);
    if (o->timeline && timeline_write(&timeline, m, o->timeline, &err))
        differs = complain(PROBLEM, "%s", err.msg);
    bool traced = fl_out_close(&t.out, true, &err) == 0;
    if (!traced)
        complain(PROBLEM, "%s; make room, or name another trace file", err.msg);
    int status = differs ? differs : at_break ? OK : report(job, shown, o, &e, &timeline);
    if (!traced)
        status = PROBLEM;
    for (int i = 0; i < o->dump.count; i++)
        if (dump(job, shown, o->dump.item[i], &err))
            status = complain(PROBLEM, "%s", err.msg);
#ifdef FAULTLINE_RTL
    smrtl_free(rtl);
#endif
    gpu_free(e.saved);
    gpu_free(m);
    timeline_free(&timeline);
    sm_image_free(img);
    return status;
}

/* ---- costs of a schedule ---- */

/* How it ended; NULL: well. */
static const char *what_failed(const struct gpu *m, const struct endless *e)
{
    return gpu_trap(m)                  ? sm_trap_name(gpu_trap(m))
           : gpu_deadlocked(m)          ? "deadlock"
           : e->found                   ? "endless loop"
           : m->grid.done == SM_GAVE_UP ? "the host gives up"
           : !m->grid.done              ? "--max-cycles is too low"
                                        : NULL;
}

/* Runs the job of a line; its costs into the schedule. */
static int measure_part(const struct job *job, struct schedule *s, int line, uint64_t limit,
                        struct fl_err *err)
{
    struct sm_image *img = sm_image_new(job, err);
    if (!img)
        return -1;
    struct gpu *m = gpu_new(img);
    struct endless e = {.look = FIRST_LOOK};
    uint8_t digest[32];
    char hex[65];
    run(m, &(struct trace){.f = NULL}, limit, NULL, &e);
    gpu_outputs_digest(m, digest);
    fl_hex(digest, sizeof digest, hex);
    const char *failed = what_failed(m, &e);
    int bad = failed ? fl_fail(err, "%s does not finish (%s); smrun %s shows where", job->path,
                               failed, job->path)
              : strcmp(hex, schedule_get(s, line, SCHEDULE_SHA256)) != 0
                  ? fl_fail(err,
                            "the outputs of %s have another digest than the schedule states; "
                            "generate the schedule and its jobs together",
                            job->path)
                  : 0;
    if (!bad) {
        schedule_set(s, line, SCHEDULE_INSTRUCTIONS, gpu_instructions(m));
        schedule_set(s, line, SCHEDULE_CYCLES, gpu_cycles(m));
    }
    gpu_free(e.saved);
    gpu_free(m);
    sm_image_free(img);
    return bad;
}

/* All parts, or the file stays as it was. */
static int measure(const struct options *o)
{
    struct schedule s;
    struct fl_err err, at;
    struct fl_files files = {0};
    struct job *first = NULL;
    fl_files_out(&files, "the schedule", o->file);
    int bad = schedule_load(o->file, &s, &at) || fl_files_check(&files, &at), line = 1;
    while (!bad && line < s.lines) {
        char *path = fl_path_beside(s.path, schedule_get(&s, ++line, SCHEDULE_JOB));
        struct job *job = NULL;
        bad = job_load(path, &o->machine, &job, &err);
        const char *differs = bad || !first ? NULL
                                            : profile_differs(&job->profile, &first->profile);
        if (differs)
            bad = fl_fail(&err,
                          "%s is for profile %s, and %s for profile %s: these are different "
                          "machines (%s), and a schedule is for one; generate all parts for it",
                          first->path, first->profile.name, path, job->profile.name, differs);
        bad = bad || measure_part(job, &s, line, o->max_cycles, &err);
        if (bad)
            fl_fail(&at, "%s:%d: %s", s.path, line, err.msg);
        if (first)
            job_free(job);
        else
            first = job;
        free(path);
    }
    bad = bad || schedule_write(&s, &at);
    if (bad)
        complain(PROBLEM, "%s", at.msg);
    else
        say(o, "%s: instructions and cycles of %d parts measured on profile %s\n", s.path,
            s.lines - 1, first->profile.name);
    job_free(first);
    schedule_free(&s);
    fl_files_free(&files);
    return bad ? PROBLEM : OK;
}

/* Instructions of a kernel, long and short ones alike. */
static uint32_t count_instructions(const struct cubin_kernel *k, bool wide_code)
{
    uint32_t count = 0;
    for (int i = 0; i < k->ncode; i++)
        for (uint32_t at = k->code[i].base, end = at + k->code[i].size; at != end; count++) {
            struct isa_insn in;
            uint32_t lo = 0, hi = 0;
            code_word(k, at, &lo);
            code_word(k, at + 4, &hi);
            int size = isa_decode(lo, hi, wide_code, ISA_NEWEST, &in);
            at += size == 8 && end - at >= 8 ? 8 : 4;
        }
    return count;
}

/* A line for a kernel and one for its parameters: address in s[] and size in bytes. */
static void list_kernel(const struct options *o, const struct cubin *c,
                        const struct cubin_kernel *k, int width)
{
    uint64_t code = 0;
    for (int i = 0; i < k->ncode; i++)
        code += k->code[i].size;
    say(o, "%-*s %5d %7u %6u %9d %6u %6" PRIu64 "  %6u ", width, k->name, k->regs, k->shared_bytes,
        k->local_bytes, k->barriers, k->const1_size, code, count_instructions(k, c->wide_code));
    for (int i = 0; i < k->nparams; i++)
        say(o, " %s%s%s%s0x%x(%u)", k->param[i].type, k->param[i].type[0] ? " " : "",
            k->param[i].name ? k->param[i].name : "", k->param[i].name ? "=" : "",
            JOB_PARAM0 + k->param[i].offset, k->param[i].size);
    say(o, "\n");
}

static int list(const struct options *o)
{
    struct cubin *c;
    struct fl_err err;
    if (cubin_read(fl_input(o->file), &c, &err))
        return complain(PROBLEM, "%s", err.msg);
    int width = 24;
    for (int i = 0; i < c->nkernels; i++) {
        int n = (int)strlen(c->kernel[i].name);
        width = n > width && n <= 60 ? n : width;
    }
    say(o, "%-*s %5s %7s %6s %9s %6s %6s  %6s  %s\n", width, "kernel", "regs", "shared", "local",
        "barriers", "c1", "code", "instr.", "parameters: address in s[] (bytes)");
    for (int i = 0; i < c->nkernels; i++)
        list_kernel(o, c, &c->kernel[i], width);
    for (int i = 0; i < c->nconstants; i++)
        say(o, "constant %-32s c0[0x%x .. 0x%x), %u bytes\n", c->constant[i].name,
            c->constant[i].offset, c->constant[i].offset + c->constant[i].size,
            c->constant[i].size);
    for (int i = 0; i < c->nvariables; i++)
        say(o, "variable %-32s a buffer of %u bytes%s\n", c->variable[i].name, c->variable[i].size,
            c->variable[i].init ? ", with a first value" : "");
    if (c->wide_code)
        say(o, "branch targets of 32 bits: needs profile flexgripplus\n");
    cubin_free(c);
    return OK;
}

static int parse_engine(const char *text, struct options *o)
{
    static const char *const name[] = {"c", "rtl", "both"};
#ifdef FAULTLINE_RTL
    enum { ENGINES = 3 };
    static const char have[] = "c, rtl and both";
#else
    enum { ENGINES = 1 };
    static const char have[] = "c";
#endif
    for (int i = 0; i < ENGINES; i++) {
        if (strcmp(text, name[i]) == 0) {
            o->engine = (enum engine)i;
            o->has_engine = true;
            return 0;
        }
    }
    return complain(USAGE,
                    "--engine %s: this build has the engine %s; write that, or configure with "
                    "-DFAULTLINE_RTL=ON for rtl and both",
                    text, have);
}

/* A code address reads 0x38, a cycle 1200. */
static int parse_break(const char *text, struct options *o)
{
    bool pc = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    char *end;
    unsigned long long v = strtoull(text, &end, pc ? 16 : 10);
    if (*end || *text < '0' || *text > '9' || (pc && (v > UINT32_MAX || !text[2])))
        return complain(USAGE, "--break %s: write a cycle (1200) or a code address (0x38)", text);
    if (pc)
        o->break_pc = (uint32_t)v;
    else
        o->break_cycle = v;
    o->has_break_pc |= pc;
    return OK;
}

/* Does the command line state a launch? */
static bool launches(const struct options *o)
{
    return o->kernel || o->grid || o->block || o->shared || o->param.count || o->konst.count ||
           o->buffer.count || o->write_job;
}

static int parse(int argc, char **argv, struct options *o)
{
    for (int c; (c = usage_next(&usage, argc, argv)) != USAGE_END;) {
        char *end;
        switch (c) {
        case USAGE_ANSWERED: return OK;
        case LIST: o->list = true; break;
        case EXPECT: o->expect = true; break;
        case SIGN: o->sign = true; break;
        case MEASURE: o->measure = true; break;
        case TRACE: o->trace = optarg; break;
        case BINARY: o->binary = true; break;
        case DUMP: append(&o->dump, optarg); break;
        case PROFILE: o->machine.profile = optarg; break;
        case ON: o->machine.on = optarg; break;
        case SMS: {
            unsigned long n = strtoul(optarg, &end, 10);
            if (*end || *optarg < '0' || *optarg > '9' || n < 1 || n > SM_MAX_SMS)
                return complain(USAGE, "--sms %s: write a number from 1 to %d", optarg, SM_MAX_SMS);
            o->machine.sms = (int)n;
            break;
        }
        case TIMELINE: o->timeline = optarg; break;
        case ENGINE:
            if (parse_engine(optarg, o))
                return USAGE;
            break;
        case WAVE: o->wave = optarg; break;
        case MAX:
            o->max_cycles = strtoull(optarg, &end, 0);
            if (*end || *optarg < '0' || *optarg > '9' || !o->max_cycles)
                return complain(USAGE, "--max-cycles %s: write a number of cycles", optarg);
            break;
        case DUMP_STATE:
            o->dump_cycle = strtoull(optarg, &end, 10);
            if (*end || *optarg < '0' || *optarg > '9')
                return complain(USAGE, "--dump-state %s: write a cycle", optarg);
            break;
        case BREAK:
            if (parse_break(optarg, o))
                return USAGE;
            break;
        case KERNEL: o->kernel = optarg; break;
        case GRID: o->grid = optarg; break;
        case BLOCK: o->block = optarg; break;
        case SHARED: o->shared = optarg; break;
        case PARAM: append(&o->param, optarg); break;
        case CONST: append(&o->konst, optarg); break;
        case BUFFER: append(&o->buffer, optarg); break;
        case WRITE_JOB: o->write_job = optarg; break;
        case RECORD: o->record = optarg; break;
        default: return USAGE;
        }
    }
    if (o->wave && o->engine == ENGINE_C)
        return complain(USAGE, "--wave needs --engine rtl or both");
    bool stops = o->has_break_pc || o->break_cycle != UINT64_MAX || o->dump_cycle != UINT64_MAX;
    if (stops && o->engine != ENGINE_C)
        return complain(USAGE, "--break and --dump-state need --engine c");
    if (o->trace && o->engine == ENGINE_BOTH)
        return complain(USAGE, "--trace needs one engine: --engine c or rtl");
    if (o->timeline && o->engine == ENGINE_RTL)
        return complain(USAGE, "--timeline needs --engine c or both");
    if (o->record && o->engine == ENGINE_BOTH)
        return complain(USAGE, "--record needs one engine: --engine c or rtl");
    o->program = argv + optind;
    if (optind + 1 != argc && !(o->record && optind < argc))
        return complain(USAGE, optind == argc ? "no file given" : "more than one file given");
    if (o->binary && !o->trace)
        return complain(USAGE, "--binary is the form of a trace; name it with --trace FILE");
    o->file = argv[optind];
    if (o->measure &&
        (stops || launches(o) || o->expect || o->sign || o->list || o->trace || o->timeline ||
         o->dump.count || o->record || o->has_engine || o->machine.on || o->machine.sms))
        return complain(USAGE, "--measure runs each part as its job states, on the C model; with "
                               "it leave out all other options but --profile and --max-cycles");
    return -1; /* go on */
}

static int work(struct options *o)
{
    size_t n = strlen(o->file);
    bool is_job = n > 4 && !strcmp(o->file + n - 4, ".xml");
    struct fl_err err;
    if (o->record)
        return smrun_record(o, o->program, &err) ? complain(PROBLEM, "%s", err.msg) : OK;
    if (o->list)
        return list(o);
    if (o->measure)
        return measure(o);
    if (is_job) {
        struct job *job;
        if (launches(o))
            return complain(USAGE, "a job states its launches itself; leave out --kernel, --grid, "
                                   "--block, --shared, --param, --const, --buffer and --write-job");
        if (job_load(o->file, &o->machine, &job, &err))
            return complain(PROBLEM, "%s", err.msg);
        int status = run_job(job, o);
        job_free(job);
        return status;
    }
    if (!o->kernel)
        return complain(USAGE,
                        "%s: a cubin needs --kernel NAME (--list shows the names); a job's "
                        "name ends in .xml",
                        o->file);
    if (o->expect || o->sign)
        return complain(USAGE, "%s",
                        o->sign ? "--sign needs a job.xml, which gets the digest"
                                : "--expect needs a job.xml, which states the digest");
    if (o->write_job && strcmp(o->file, "-") == 0)
        return complain(
            USAGE,
            "--write-job: the job names its cubin, which cannot be standard input; give a file");
    struct job *job = fl_alloc(sizeof *job);
    int status;
    if (smrun_build_job(o, job, &status, &err))
        complain(status, "%s", err.msg);
    else
        status = o->write_job ? write_job(job, o) : run_job(job, o);
    job_free(job);
    return status;
}

int main(int argc, char **argv)
{
    struct options o = {.people = stdout,
                        .max_cycles = UINT64_MAX,
                        .dump_cycle = UINT64_MAX,
                        .break_cycle = UINT64_MAX};
    fl_start("smrun");
    int status = parse(argc, argv, &o);
    if (status < 0)
        status = work(&o);
    free(o.param.item);
    free(o.konst.item);
    free(o.buffer.item);
    free(o.dump.item);
    return fl_end(status);
}
