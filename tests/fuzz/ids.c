/* ids.c -- fuzz target: bytes as patterns of faults, one a line. What is accepted prints as ids that name the same. */
#include <string.h>

#include "faultsim/faults/fault.h"
#include "fuzz.h"
#include "machine.h"
#include "sm/structures.h"

enum { MAX_SIZE = 1 << 12, MAX_LINES = 16 };

static const struct sm_image *image(void)
{
    static struct sm_image *img;
    struct fl_err err;
    if (!img) {
        static const struct machine_header h = {.flags = MACHINE_WARPS};
        static const uint32_t code[2] = {0xf0000001, 0xe0000001}; /* NOP.EXIT */
        struct job *job = machine_job(&h, (const uint8_t *)code, sizeof code, NULL);
        FUZZ_CHECK(job_finish(job, &err) == 0 && (img = sm_image_new(job, &err)), "%s", err.msg);
    }
    return img;
}

static bool same_fault(const struct fsim_fault *a, const struct fsim_fault *b)
{
    return a->cell.structure == b->cell.structure && a->cell.field == b->cell.field &&
           a->cell.bit == b->cell.bit && a->value == b->value &&
           memcmp(a->cell.index, b->cell.index, sizeof a->cell.index) == 0;
}

static void check_list(const struct fsim_list *list, const char *pattern)
{
    for (long i = 0; i < list->count; i += 1 + list->count / 64) {
        const struct fsim_fault *f = &list->fault[i];
        struct fsim_list one = {0};
        struct fl_err err;
        char id[FSIM_ID];
        fsim_id(image(), f, id);
        FUZZ_CHECK(fsim_list_add(&one, image(), id, &err) == 0, "'%s': %s", pattern, err.msg);
        FUZZ_CHECK(one.count == 1 && same_fault(f, one.fault), "'%s': %s names another fault",
                   pattern, id);
        if (f->cell.structure >= SM_STRUCTURES) { /* not in the C model */
            fsim_list_free(&one);
            continue;
        }
        struct sm_force cell = sm_cell_force(image(), &f->cell, f->value);
        FUZZ_CHECK(cell.offset + cell.width <= SM_IN_PAGES(image()->mem_bytes),
                   "'%s': %s lies outside", pattern, id);
        fsim_list_free(&one);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > MAX_SIZE)
        return 0;
    char *text = fl_alloc(size + 1), *next = text;
    memcpy(text, data, size);
    for (int i = 0; next && i < MAX_LINES; i++) {
        char *line = strsep(&next, "\n");
        struct fl_err err = {{0}};
        struct fsim_list list = {0};
        if (fsim_list_add(&list, image(), line, &err) == 0) {
            FUZZ_CHECK(list.count > 0, "'%s' names nothing", line);
            check_list(&list, line);
        } else {
            FUZZ_CHECK(err.msg[0], "'%s' is refused without a message", line);
        }
        fsim_list_free(&list);
    }
    free(text);
    return 0;
}
