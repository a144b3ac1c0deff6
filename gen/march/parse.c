/* parse.c -- a March test from its line: any(w0) up(r0 w1) down(r1 w0). */
#include "march.h"

#include <string.h>

static const char *const orders[] = {"any", "up", "down"};

static const char *skip_blanks(const char *s)
{
    return s + strspn(s, " \t\r\n");
}

/* "w0", "r1", "i": -1 is none of them. *state is what the cells hold, -1 before the first write. */
static int parse_step(const char **s, struct march_step *out, int *state, struct fl_err *err)
{
    char op = **s;
    if (op == 'i') {
        *out = (struct march_step){.kind = MARCH_INVERT, .value = *state};
        *s += 1;
    } else if ((op == 'r' || op == 'w') && ((*s)[1] == '0' || (*s)[1] == '1')) {
        *out = (struct march_step){.kind = op == 'r' ? MARCH_READ : MARCH_WRITE,
                                   .value = (*s)[1] - '0'};
        *s += 2;
    } else {
        return fl_fail(err, "'%.8s' is no operation; write r0, r1, w0, w1 or i", *s);
    }
    if (op != 'w' && *state < 0)
        return fl_fail(err, "the first operation must be a write");
    if (op == 'r' && out->value != *state)
        return fl_fail(err, "r%d finds %d, which was written before", out->value, *state);
    *state = op == 'i' ? !*state : out->value;
    return 0;
}

static int parse_element(const char **s, struct march_element *out, int *state, struct fl_err *err)
{
    for (int order = MARCH_ANY; order <= MARCH_DOWN; order++) {
        size_t n = strlen(orders[order]);
        if (strncmp(*s, orders[order], n) != 0 || (*s)[n] != '(')
            continue;
        *out = (struct march_element){.order = (enum march_order)order};
        for (*s = skip_blanks(*s + n + 1); **s != ')'; *s = skip_blanks(*s)) {
            if (out->nsteps == MARCH_MAX_STEPS)
                return fl_fail(err, "more than %d operations in an element", MARCH_MAX_STEPS);
            if (parse_step(s, &out->step[out->nsteps++], state, err) != 0)
                return -1;
        }
        *s += 1;
        return out->nsteps ? 0 : fl_fail(err, "an element without operations");
    }
    return fl_fail(err, "'%.8s' is no element; write any(...), up(...) or down(...)", *s);
}

int march_parse(const char *text, struct march *out, struct fl_err *err)
{
    int state = -1;
    for (const char *s = skip_blanks(text); *s; s = skip_blanks(s)) {
        if (out->nelements == MARCH_MAX_ELEMENTS)
            return fl_fail(err, "more than %d elements", MARCH_MAX_ELEMENTS);
        if (parse_element(&s, &out->element[out->nelements++], &state, err) != 0)
            return -1;
    }
    return out->nelements ? 0 : fl_fail(err, "a march without elements");
}

void march_element_text(const struct march_element *e, struct fl_buf *out)
{
    fl_buf_printf(out, "%s(", orders[e->order]);
    for (int i = 0; i < e->nsteps; i++) {
        const struct march_step *s = &e->step[i];
        if (s->kind == MARCH_INVERT)
            fl_buf_printf(out, "%si", i ? " " : "");
        else
            fl_buf_printf(out, "%s%c%d", i ? " " : "", s->kind == MARCH_READ ? 'r' : 'w', s->value);
    }
    fl_buf_printf(out, ")");
}
