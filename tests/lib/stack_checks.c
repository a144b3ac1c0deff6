/* stack_checks.c -- runs it and compares. */

#include "stack_checks.h"

struct machine stack_run(const char *profile, uint32_t threads, uint32_t z, uint32_t z1,
                         const char *text)
{
    struct machine m = machine_start(profile, threads, text);
    machine_flags(&m, 0, 0, z);
    machine_flags(&m, 0, 1, z1);
    machine_run(&m);
    return m;
}

void stack_event(const struct machine *m, int n, int push, int le, enum sm_le_id id, uint32_t tm,
                 uint32_t spc)
{
    struct sm_stack_event e = machine_event(m, n);
    if (e.push != push || e.le != le || e.id != id || e.tm != tm || e.spc != spc)
        printf("\n    event %d: %s le%d id=%d tm=%08x spc=%x\n", n, e.push ? "push" : "pop", e.le,
               e.id, e.tm, e.spc);
    CU_ASSERT_EQUAL(e.push, push);
    CU_ASSERT_EQUAL(e.le, le);
    CU_ASSERT_EQUAL(e.id, id);
    CU_ASSERT_EQUAL(e.tm, tm);
    CU_ASSERT_EQUAL(e.spc, spc);
}

void stack_path(const struct machine *m, const struct stack_step *want, int n)
{
    for (int i = 0; i < n; i++) {
        const struct sm_commit *c = machine_commit(m, 0, COMMIT_INSTRUCTION, i);
        CU_ASSERT_PTR_NOT_NULL(c);
        if (!c)
            return;
        if (c->pc != want[i].pc || c->active != want[i].active)
            printf("\n    step %d: pc %x mask %08x, wanted %x %08x\n", i, c->pc, c->active,
                   want[i].pc, want[i].active);
        CU_ASSERT_EQUAL(c->pc, want[i].pc);
        CU_ASSERT_EQUAL(c->active, want[i].active);
    }
    CU_ASSERT_PTR_NULL(machine_commit(m, 0, COMMIT_INSTRUCTION, n));
}
