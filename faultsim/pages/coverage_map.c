/* coverage_map.c -- of the page of permanent faults: each structure as a map of its bits, with the strongest outcome of each
 * stuck-at fault in any job.
 */
#include "faultsim/report/coverage.h"
#include "faultsim/report/page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faultsim/permanent/campaign.h"
#include "sm/structures.h"

/* What a fault is in a map, in the order of strength: those before an outcome's. */
enum { NO_FAULT, UNTESTABLE, NOT_ACTIVATED, OUTCOMES };
enum {
    ROWS = 128,
    JOINED_ROWS = 64
}; /* rows with a cell a bit; else so many, of several rows each */

/* Bits of a structure as the list names them: "w0/le3" and "tm17". */
struct bits {
    const char *target;
    int structure;
    int rows, room;
    char **row;
    int last; /* row that was found last */
    int columns, first[SM_MAX_FIELDS], wide[SM_MAX_FIELDS];
    unsigned char *state; /* [rows][columns][2] */
    size_t states;
};

static int state_of(const struct fsim_result *r)
{
    if (r->untestable)
        return UNTESTABLE;
    if (r->outcome == OUT_MASKED && r->first_activation == FSIM_NEVER)
        return NOT_ACTIVATED;
    return OUTCOMES + fsim_outcome_strength(r->outcome);
}

static int row_of(struct bits *b, const char *name, size_t n)
{
    for (int i = 0; i < b->rows; i++) {
        int r = (b->last + i) % b->rows; /* lists are in order: the same row, or the next */
        if (strlen(b->row[r]) == n && memcmp(b->row[r], name, n) == 0)
            return b->last = r;
    }
    FL_ROOM(b->row, b->rows, b->room, 64);
    b->row[b->rows] = fl_format("%.*s", (int)n, name);
    b->last = b->rows;
    return b->rows++;
}

/* "dstack/w0/le3/tm17:sa1": its row "w0/le3", its field and bit, and the value. */
static bool read_id(struct bits *b, const char *id, int *row, int *field, int *bit, int *value)
{
    int structure;
    const char *colon = strchr(id, ':'), *slash = colon, *begin = strchr(id, '/');
    if (!colon || !begin || strncmp(colon, ":sa", 3) != 0 ||
        !fsim_id_field(id, &structure, field) || structure != b->structure)
        return false;
    while (slash > id && *slash != '/')
        slash--;
    *row = row_of(b, begin + 1, slash > begin ? (size_t)(slash - begin - 1) : 0);
    const char *digits = slash + 1 + strcspn(slash + 1, "0123456789");
    *bit = atoi(digits);
    *value = colon[3] - '0';
    return *bit < SM_MAX_FIELDS * 32 && (*value == 0 || *value == 1);
}

/* How wide the fields are: the first pass. */
static int measure(void *context, const struct store_injection *i)
{
    struct bits *b = context;
    int row, field, bit, value;
    if (read_id(b, i->id, &row, &field, &bit, &value) && bit >= b->wide[field])
        b->wide[field] = bit + 1;
    return 0;
}

static int mark(void *context, const struct store_injection *i)
{
    struct bits *b = context;
    struct fsim_result r = fsim_result_kept(i);
    int row, field, bit, value;
    if (!read_id(b, i->id, &row, &field, &bit, &value))
        return 0;
    int column = b->first[field] + b->wide[field] - 1 - bit; /* the highest bit stands left */
    unsigned char *state =
        &b->state[((size_t)row * (size_t)b->columns + (size_t)column) * 2 + (size_t)value];
    if (state_of(&r) > *state)
        *state = (unsigned char)state_of(&r);
    return 0;
}

static int each_job(const struct page *p, struct bits *b,
                    int (*each)(void *context, const struct store_injection *i))
{
    const struct result *r = p->a->result;
    struct fl_err ignored;
    for (int i = 0; i < r->nparts; i++)
        if (strcmp(r->part[i].target, b->target) == 0 &&
            store_injections(p->a->store, i, each, b, &ignored) != 0)
            return -1;
    return 0;
}

static void set_columns(struct bits *b, struct faultmap *m)
{
    const char *letters[SM_MAX_FIELDS];
    int n = sm_structure_letters(b->structure, false, letters);
    for (int f = 0; f < n; f++) {
        b->first[f] = b->columns;
        b->columns += b->wide[f];
        for (int bit = b->wide[f] - 1; bit >= 0; bit--) {
            char *label = fl_format("%s%d", letters[f], bit);
            faultmap_column(m, label, bit == b->wide[f] - 1);
            free(label);
        }
    }
}

/* Numbers in names by their value: le9 before le10. */
static int by_name(const void *a, const void *b)
{
    return strverscmp(*(char *const *)a, *(char *const *)b);
}

/* A class for each state, in the colours of the outcomes. */
static void set_classes(const struct page *p, struct faultmap *m, int class[OUTCOMES + OUT_COUNT])
{
    class[NO_FAULT] = 0;
    class[UNTESTABLE] = faultmap_class(m, "untestable", "#a6a600", 1);
    class[NOT_ACTIVATED] = faultmap_class(m, "not activated", "#999999", .2);
    class[OUTCOMES + fsim_outcome_strength(OUT_MASKED)] = faultmap_class(m, "masked", "#999999",
                                                                         .5);
    for (int o = p->outcomes - 1; o >= 0; o--)
        class[OUTCOMES + fsim_outcome_strength(p->shown[o].outcome)] = faultmap_class(
            m, fsim_outcome_name(p->shown[o].outcome), p->shown[o].colour, 1);
}

static void map_bits(const struct page *p, struct bits *b, struct faultmap *m)
{
    int class[OUTCOMES + OUT_COUNT] = {0};
    set_classes(p, m, class);
    for (int r = 0; r < b->rows; r++) {
        faultmap_row(m, b->row[r]);
        for (int c = 0; c < b->columns; c++)
            for (int h = 0; h < 2; h++) {
                size_t at = ((size_t)r * (size_t)b->columns + (size_t)c) * 2 + (size_t)h;
                faultmap_set(m, r, c, h, class[b->state[at]]);
            }
    }
}

/* Several rows in each: which share of their faults is detected. */
static void map_shares(const struct page *p, struct bits *b, struct faultmap *m)
{
    static const char *const name[] = {"0", "to 25 %", "to 50 %", "to 75 %", "to 99 %", "100 %"};
    enum { SHARES = sizeof name / sizeof *name };
    int class[SHARES], joined = (b->rows + JOINED_ROWS - 1) / JOINED_ROWS;
    bool detected[OUTCOMES + OUT_COUNT] = {false};
    for (int o = 0; o < OUT_COUNT; o++)
        detected[OUTCOMES + fsim_outcome_strength((enum fsim_outcome)o)] = fsim_outcome_detected(
            (enum fsim_outcome)o, p->coverage->timing);
    for (int s = 0; s < SHARES; s++)
        class[s] = faultmap_class(m, name[s], s ? PAGE_DETECTED : "#999999", s ? s / 5.0 : .2);
    for (int from = 0; from < b->rows; from += joined) {
        faultmap_row(m, b->row[from]);
        for (int c = 0; c < b->columns; c++)
            for (int h = 0; h < 2; h++) {
                int all = 0, some = 0;
                for (int r = from; r < from + joined && r < b->rows; r++) {
                    int state =
                        b->state[((size_t)r * (size_t)b->columns + (size_t)c) * 2 + (size_t)h];
                    all += state > UNTESTABLE;
                    some += detected[state];
                }
                if (all)
                    faultmap_set(m, from / joined, c, h,
                                 class[!some         ? 0
                                       : some == all ? SHARES - 1
                                                     : 1 + 4 * some / (all + 1)]);
            }
    }
}

static void one_map(struct page *p, const char *target, int structure)
{
    struct bits b = {.target = target, .structure = structure};
    struct faultmap m;
    const char *what = NULL;
    char *name = fl_format("map-%s", target);
    sm_structure_name(structure, &what);
    faultmap_begin(&m, name);
    free(name);
    if (each_job(p, &b, measure) == 0) {
        qsort(b.row, (size_t)b.rows, sizeof *b.row, by_name);
        set_columns(&b, &m);
        b.states = (size_t)b.rows * (size_t)b.columns * 2;
        b.state = fl_alloc(b.states ? b.states : 1);
        each_job(p, &b, mark);
    }
    if (b.rows > ROWS)
        map_shares(p, &b, &m);
    else if (b.columns)
        map_bits(p, &b, &m);
    char *caption = fl_format(
        "<b>%s</b>, %s. A cell a bit: its left half is the stuck-at-0 fault, its right half the "
        "stuck-at-1 fault%s%s",
        target, what ? what : "",
        p->a->result->njobs > 1 ? "; the strongest outcome in any job" : "",
        b.rows > ROWS ? ". Each row of the map joins several rows of the structure: the share of "
                        "their faults that is detected."
                      : ".");
    if (m.rows)
        page_picture(p, m.name, &faultmap_picture, &m, caption);
    faultmap_free(&m);
    free(caption);
    for (int r = 0; r < b.rows; r++)
        free(b.row[r]);
    free(b.row);
    free(b.state);
}

void page_faultmaps(struct page *p)
{
    const struct result *r = p->a->result;
    bool any = false;
    if (strcmp(result_model(r)->name, "stuck-at") != 0 || p->coverage->sampled)
        return;
    for (int i = 0; i < r->nparts; i++) {
        int structure = page_structure(p, i);
        if (structure < 0)
            continue;
        if (!any)
            page_heading(p, 2, "Fault maps");
        any = true;
        one_map(p, r->part[i].target, structure);
    }
}
