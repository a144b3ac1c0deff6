/* machine.c -- the machine behind the runtime library. See machine.h.
 *
 * Both machines go on behind a launch as if the next had always been in the job: a recorded run and its job end in the same cycle.
 * The C model keeps all that needs. The RTL has seen by then that no launch follows, so it goes back to a copy of itself from
 * shortly before, and takes the last steps again with the launch in sight.
 */
#include "machine.h"

#include <string.h>
#include <sys/mman.h>

#ifdef FAULTLINE_RTL
#include "rtl/twin/smrtl.h"
#endif

/* Of addresses: more than a device has memory, for the gaps between buffers, and for buffers whose address the program chooses. */
enum { ROOM = JOB_END - JOB_BASE, LATER = 1 << 28, LARGE = 1 << 20 };

uint32_t machine_room(uint32_t size)
{
    uint32_t step = 256;
    while (size >= LARGE && step < size / 8)
        step *= 2;
    return (size + step - 1) & ~(step - 1);
}

int machine_open(struct machine *m, const struct job *job, const char *engine, struct fl_err *err)
{
    *m = (struct machine){.on_rtl = engine && strcmp(engine, "rtl") == 0};
    if (engine && *engine && !m->on_rtl && strcmp(engine, "c") != 0)
        return fl_fail(err, "FAULTLINE_ENGINE is '%.40s'; set it to c or rtl", engine);
#ifndef FAULTLINE_RTL
    if (m->on_rtl)
        return fl_fail(err, "FAULTLINE_ENGINE is rtl, and this library was built without the RTL: "
                            "cmake --preset rtl builds libcudart and libcuda with it");
#endif
    void *room = mmap(NULL, ROOM + LATER, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                      -1, 0);
    if (room == MAP_FAILED)
        return fl_fail(err,
                       "the device needs %d MiB of address space, and the program may not have "
                       "them: raise ulimit -v",
                       (ROOM + LATER) >> 20);
    munmap(room, ROOM + LATER);
    m->img = sm_image_open(job, ROOM);
    return watch_open(&m->watch, m->img, m->on_rtl, err);
}

#ifdef FAULTLINE_RTL
/* The cycles that are run again at most. */
enum { STEP = 4096 };

static int launch_rtl(struct machine *m, struct fl_err *err)
{
    if (!m->rtl) {
        m->rtl = smrtl_new(m->img, err);
        m->before = m->rtl ? smrtl_new(m->img, err) : NULL;
        if (!m->before)
            return -1;
    } else {
        struct smrtl *next = m->before;
        uint64_t end = smrtl_cycles(m->rtl);
        smrtl_run(next, end - 1);
        smrtl_look_again(next);
        smrtl_tick(next);
        sm_memory_copy(smrtl_memory(next), smrtl_memory(m->rtl)); /* the host has written since */
        m->before = m->rtl;
        m->rtl = next;
    }
    while (!smrtl_ended(m->rtl)) {
        smrtl_copy(m->before, m->rtl);
        smrtl_run(m->rtl, smrtl_cycles(m->rtl) + STEP);
    }
    return 0;
}
#endif

void machine_close(struct machine *m)
{
    watch_close(&m->watch);
    gpu_free(m->c);
#ifdef FAULTLINE_RTL
    if (m->rtl)
        smrtl_free(m->rtl);
    if (m->before)
        smrtl_free(m->before);
#endif
    sm_image_free(m->img);
    *m = (struct machine){0};
}

int machine_launch(struct machine *m, const struct job_launch *l, struct fl_err *err)
{
    if (sm_image_launch(m->img, l, err))
        return -1;
    m->img->launch[m->img->nlaunches - 1].looked = m->looked;
    m->looked = false;
#ifdef FAULTLINE_RTL
    if (m->on_rtl)
        return launch_rtl(m, err);
#endif
    if (m->c)
        gpu_go_on(m->c);
    else
        m->c = gpu_new(m->img);
    watch_run(&m->watch, m->c);
    return 0;
}

const struct gpu *machine_state(const struct machine *m)
{
#ifdef FAULTLINE_RTL
    if (m->rtl)
        return smrtl_end(m->rtl);
#endif
    return m->c;
}

uint64_t machine_cycles(const struct machine *m)
{
    const struct gpu *g = machine_state(m);
    return g ? gpu_cycles(g) : 0;
}

static struct sm_memory *memory_of(const struct machine *m)
{
#ifdef FAULTLINE_RTL
    if (m->rtl)
        return smrtl_memory(m->rtl);
#endif
    return m->c ? &m->c->memory : NULL;
}

/* No cache knows of what the host does. The RTL has emptied them, as no launch was in sight. */
static void look(struct machine *m)
{
    if (m->c && !m->looked)
        gpu_host_looks(m->c);
    m->looked = true;
}

void machine_read(struct machine *m, uint32_t at, void *out, uint32_t size)
{
    look(m);
    const struct sm_memory *memory = memory_of(m);
    if (memory)
        sm_memory_read(memory, at, out, size);
    else
        memcpy(out, m->img->initial + at, size);
}

static void put(struct machine *m, uint32_t at, const void *from, uint32_t size)
{
    struct sm_memory *memory = memory_of(m);
    if (memory)
        sm_memory_write(memory, at, from, size);
    else
        memcpy(m->img->initial + at, from, size);
}

void machine_write(struct machine *m, uint32_t at, const void *from, uint32_t size)
{
    look(m);
    put(m, at, from, size);
}

/* Where the module comes to lie nothing was, so no cache holds it. */
int machine_add(struct machine *m)
{
    const struct sm_image *img = m->img;
    const uint32_t konst = img->const_end, code = img->code_offset + img->code_end;
    if (sm_image_add(m->img))
        return -1;
    if (memory_of(m)) {
        put(m, konst, img->initial + konst, img->const_end - konst);
        put(m, code, img->initial + code, img->code_offset + img->code_end - code);
    }
    return 0;
}

void machine_write_constant(struct machine *m, int module, int bank, uint32_t offset,
                            const void *from, uint32_t size)
{
    for (int k = 0; k < m->img->nkernels; k++) {
        const struct sm_bank *b = &m->img->kernel[k].bank[bank];
        if (m->img->job->cubin->kernel[k].module == module && offset <= b->size &&
            size <= b->size - offset)
            machine_write(m, b->offset + offset, from, size);
    }
}
