/* watch.c -- see watch.h. The limit is that of faultsim's runs: a machine that has not ended after twice the fault-free cycles never ends,
 * and it hangs when its state comes back before four times as many (faultsim/outcome/runner.c).
 */
#include "watch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

static const char *asked(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

static int map_report(struct watch *w, const char *path, struct fl_err *err)
{
    int fd = open(path, O_RDWR | O_CLOEXEC);
    void *at = MAP_FAILED;
    if (fd >= 0 && ftruncate(fd, sizeof *w->live) == 0)
        at = mmap(NULL, sizeof *w->live, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    int why = errno;
    if (fd >= 0)
        close(fd);
    if (at == MAP_FAILED)
        return fl_fail(err, LIVE_REPORT " %s: %s", path, strerror(why));
    w->live = at;
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* whoever waits for this run is gone */
    return 0;
}

/* An id without a cycle: stuck-at, or another fault of a memory. */
static int parse_permanent(const struct sm_image *img, const char *id, struct fsim_fault *out,
                           struct fl_err *err)
{
    struct fsim_list list = {.choice = {.memory = !strstr(id, ":sa"), .what = ~0u}};
    int bad = fsim_list_add(&list, img, id, err);
    if (!bad && list.count != 1)
        bad = fl_fail(err, LIVE_FAULT " '%.100s': it names %ld faults; name one", id, list.count);
    if (!bad)
        *out = list.fault[0];
    fsim_list_free(&list);
    return bad;
}

int watch_open(struct watch *w, const struct sm_image *img, bool on_rtl, struct fl_err *err)
{
    const char *fault = asked(LIVE_FAULT), *report = asked(LIVE_REPORT),
               *golden = asked(LIVE_CYCLES);
    *w = (struct watch){.golden = golden ? strtoull(golden, NULL, 10) : 0,
                        .returns = asked(LIVE_ERRORS) != NULL};
    if (on_rtl && (fault || report))
        return fl_fail(err,
                       "FAULTLINE_ENGINE is rtl, and faults in programs need engine c; unset it");
    w->permanent = fault && !strchr(fault, '@');
    if (fault && strncmp(fault, "gate/", 5) == 0) {
        if (!(w->gates = live_gates_open(fault, img->profile.sps, err)))
            return -1;
    } else if (w->permanent ? parse_permanent(img, fault, w->fault, err)
                            : fault && fsim_parse(img, fault, NULL, NULL, w->fault, err))
        return -1;
    w->waits = fault != NULL;
    return report ? map_report(w, report, err) : 0;
}

void watch_close(struct watch *w)
{
    if (w->waits && !w->permanent)
        fprintf(stderr, "faultline: " LIVE_FAULT ": the run has ended before cycle %llu\n",
                (unsigned long long)w->fault->from);
    dut_free(w->dut);
    live_gates_free(w->gates);
    if (w->live)
        munmap(w->live, sizeof *w->live);
    *w = (struct watch){0};
}

void watch_time(struct watch *w)
{
    if (w->live)
        w->live->asks_time = 1;
}

static bool ends(const struct fsim_fault *f)
{
    return f->kind != FSIM_FLIP && f->to != FSIM_NO_END;
}

static void hold(const struct watch *w)
{
    for (int i = 0; i < w->fault->cells; i++)
        dut_hold(w->dut, &w->fault[i].cell, w->fault->value, !ends(w->fault));
}

/* What is held for some cycles is let go where the launch ends before them; the next one goes on. */
static void hold_on(struct watch *w)
{
    w->open = ends(w->fault) && dut_ended(w->dut) && dut_cycle(w->dut) <= w->fault->to;
}

/* A permanent fault is there from the first launch on; one with a cycle comes in this launch, or in a later one. */
static void inject(struct watch *w)
{
    if (w->gates) {
        live_gates_put(w->gates, w->dut);
    } else if (w->permanent && w->fault->kind == FSIM_SA) {
        hold(w);
    } else if (w->permanent) {
        dut_carry(w->dut, w->fault, 0);
    } else {
        dut_run(w->dut, w->fault->from);
        if (dut_ended(w->dut))
            return;
        dut_inject(w->dut, w->fault);
        hold_on(w);
        w->brought = true;
    }
    w->waits = false;
    if (w->live)
        w->live->brought = 1;
}

static void go_on(struct watch *w)
{
    hold(w);
    dut_run(w->dut, w->fault->to);
    dut_release(w->dut);
    hold_on(w);
}

/* It has run for twice the fault-free cycles: whether it will ever end. */
static enum live_end look_on(struct dut *m, uint64_t golden)
{
    bool recurs = false;
    struct fl_err ignored;
    const struct gpu *g = dut_gpu(m);
    struct dut *saved = engine_c.make(g->img, &ignored);
    dut_copy(saved, m);
    while (!dut_ended(m) && dut_cycle(m) < 4 * golden && !recurs) {
        dut_tick(m, NULL);
        recurs = dut_same(m, saved, true);
    }
    const uint64_t period = dut_cycle(m) - dut_cycle(saved);
    dut_free(saved);
    if (recurs)
        return dut_livelocked(m, g->img, period) ? LIVE_LIVELOCKED : LIVE_RECURS;
    return gpu_deadlocked(g) ? LIVE_DEADLOCKED : LIVE_TOO_LONG;
}

void watch_run(struct watch *w, struct gpu *g)
{
    if (!w->dut) {
        w->dut = dut_of_gpu(g);
        if (w->live)
            w->live->devices++;
    }
    if (w->waits)
        inject(w);
    else if (w->open)
        go_on(w);
    dut_advance(w->dut, w->golden ? 2 * w->golden : UINT64_MAX, true);
    enum live_end how = !gpu_ended(g) ? w->returns ? LIVE_TOO_LONG : look_on(w->dut, w->golden)
                        : gpu_trap(g) ? LIVE_TRAPPED
                        : gpu_deadlocked(g) ? LIVE_DEADLOCKED
                                            : LIVE_GOES_ON;
    w->never_ends = how >= LIVE_RECURS;
    if (w->live) {
        w->live->cycles += gpu_cycles(g) - w->reported;
        w->reported = gpu_cycles(g);
        w->live->longest = w->reported > w->live->longest ? w->reported : w->live->longest;
        w->live->launches++;
    }
    if (w->live && !w->returns) {
        w->live->trap = gpu_trap(g);
        w->live->how = how;
    }
    if (w->golden && how != LIVE_GOES_ON && !w->returns)
        _exit(1); /* what has become of the fault is known */
}
