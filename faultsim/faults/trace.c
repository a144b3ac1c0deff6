/* trace.c -- see trace.h. */
#include "trace.h"

#include <stdlib.h>

const char *trace_event_text(enum trace_event e)
{
    static const char *const text[TRACE_EVENTS] = {
        [TRACE_NONE] = "",
        [TRACE_POP] = "First activation",
        [TRACE_REGISTER] = "First wrong result in a register",
        [TRACE_STORE] = "First wrong value or address in a store",
        [TRACE_CONTROL] = "First divergence of control"};
    return text[e];
}

void fault_trace_free(struct fault_trace *t)
{
    free(t->id);
    free(t->reason);
    free(t->row);
    fl_buf_free(&t->text);
    *t = (struct fault_trace){0};
}

struct trace_row *fault_trace_row(struct fault_trace *t)
{
    FL_ROOM(t->row, t->rows, t->room, 16);
    struct trace_row *row = &t->row[t->rows++];
    *row = (struct trace_row){0};
    return row;
}

struct trace_stack trace_stack_before(const struct trace_stack *behind, const struct sm_commit *c)
{
    struct trace_stack s = *behind;
    for (int i = c->nstack; i-- > 0;) {
        const struct sm_stack_event *e = &c->stack[i];
        if (e->le < 1 || e->le > SM_MAX_LE)
            continue;
        s.depth = e->push ? e->le - 1 : e->le;
        if (!e->push)
            s.le[e->le - 1] = (struct trace_entry){e->id, e->tm, e->spc};
    }
    return s;
}

bool trace_stores(const struct sm_commit *c)
{
    return c->space && c->store; /* without an access, `store` says nothing */
}

uint32_t trace_values_differ(const uint32_t *a, const uint32_t *b, uint32_t lanes)
{
    uint32_t differ = 0;
    for (int l = 0; l < SM_LANES; l++)
        differ |= (lanes >> l & 1) && a[l] != b[l] ? 1u << l : 0;
    return differ;
}

uint32_t trace_lanes_differ(const struct sm_commit *a, const struct sm_commit *b)
{
    uint32_t lanes = a->exec | b->exec, differ = a->exec ^ b->exec;
    bool same_place = a->kind == b->kind && a->pc == b->pc && a->warp == b->warp &&
                      a->lo == b->lo && a->hi == b->hi;
    if (!same_place || a->nregs != b->nregs || a->areg != b->areg || a->space != b->space ||
        trace_stores(a) != trace_stores(b))
        return ~0u;
    for (int i = 0; i < a->nregs && i < b->nregs; i++)
        differ |= trace_values_differ(a->reg[i], b->reg[i], a->reg_mask | b->reg_mask);
    for (int l = 0; l < SM_LANES && a->areg >= 0 && b->areg >= 0; l++)
        differ |= (lanes >> l & 1) && a->a[l] != b->a[l] ? 1u << l : 0;
    if (a->space && b->space)
        differ |= trace_values_differ(a->addr, b->addr, lanes);
    for (uint32_t i = 0; trace_stores(a) && trace_stores(b) && i < sm_words(a->bytes); i++)
        differ |= trace_values_differ(a->data[i], b->data[i], lanes);
    return differ;
}
