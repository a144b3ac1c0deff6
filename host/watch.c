/* watch.c -- see watch.h. The limit is that of faultsim's runs: a machine that has not ended after twice the fault-free cycles never ends,
 * and it hangs when its state comes back before four times as many (faultsim/verdict/runner.c).
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

#include "faultsim/machine/engine.h"

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
    w->live->devices++;
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* whoever waits for this run is gone */
    return 0;
}

int watch_open(struct watch *w, const struct sm_image *img, bool on_rtl, struct fl_err *err)
{
    const char *fault = asked(LIVE_FAULT), *report = asked(LIVE_REPORT),
               *golden = asked(LIVE_CYCLES);
    *w = (struct watch){.golden = golden ? strtoull(golden, NULL, 10) : 0};
    if (on_rtl && (fault || report))
        return fl_fail(err,
                       "FAULTLINE_ENGINE is rtl, and faults in programs need engine c; unset it");
    if (fault && fsim_parse(img, fault, NULL, NULL, w->fault, err))
        return -1;
    if (fault && w->fault->kind != FSIM_FLIP)
        return fl_fail(err, LIVE_FAULT " '%.100s': in a program's run bits are flipped, not held",
                       fault);
    w->waits = fault != NULL;
    return report ? map_report(w, report, err) : 0;
}

void watch_close(struct watch *w)
{
    if (w->waits)
        fprintf(stderr, "faultline: " LIVE_FAULT ": the run has ended before cycle %llu\n",
                (unsigned long long)w->fault->from);
    if (w->live)
        munmap(w->live, sizeof *w->live);
    *w = (struct watch){0};
}

void watch_time(struct watch *w)
{
    if (w->live)
        w->live->asks_time = 1;
}

/* The flip happens in this launch, or in a later one. */
static void bring(struct watch *w, struct gpu *g)
{
    gpu_run(g, w->fault->from);
    if (gpu_ended(g))
        return;
    struct dut *m = dut_of_gpu(g);
    dut_bring(m, w->fault);
    dut_free(m);
    w->waits = false;
    w->brought = true;
    if (w->live)
        w->live->brought = 1;
}

/* It has run for twice the fault-free cycles: whether it will ever end. */
static enum live_end look_on(struct gpu *g, uint64_t golden)
{
    bool recurs = false;
    struct gpu *saved = gpu_new(g->img);
    gpu_copy(saved, g);
    while (!gpu_ended(g) && gpu_cycles(g) < 4 * golden && !recurs) {
        gpu_tick(g);
        recurs = gpu_recurs(g, saved);
    }
    gpu_free(saved);
    return recurs ? LIVE_RECURS : gpu_deadlocked(g) ? LIVE_DEADLOCKED : LIVE_TOO_LONG;
}

void watch_run(struct watch *w, struct gpu *g)
{
    if (w->waits)
        bring(w, g);
    gpu_run_slots(g, w->golden ? 2 * w->golden : UINT64_MAX, UINT64_MAX);
    enum live_end how = !gpu_ended(g)       ? look_on(g, w->golden)
                        : gpu_trap(g)       ? LIVE_TRAPPED
                        : gpu_deadlocked(g) ? LIVE_DEADLOCKED
                                            : LIVE_GOES_ON;
    if (w->live) {
        w->live->cycles = gpu_cycles(g);
        w->live->launches++;
        w->live->trap = gpu_trap(g);
        w->live->how = how;
    }
    if (w->golden && how != LIVE_GOES_ON)
        _exit(1); /* what has become of the fault is known */
}
