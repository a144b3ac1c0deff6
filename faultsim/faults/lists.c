/* lists.c -- lists of faults: of patterns, of files, and samples of them. */
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "internal.h"

/* What one draw takes from: a structure, or all of them. */
struct stratum {
    uint64_t left, wanted, seed;
    bool whole;
};

/* Where the faults of a pattern go. For a sample they are counted first, then each is taken with
 * the chance that is left to it (Knuth, The Art of Computer Programming, vol. 2, 3.4.2, algorithm S). */
struct collector {
    struct fsim_list *list;
    const struct sm_image *img;
    enum { TAKE, COUNT, DRAW } does;
    int patterns[SM_ALL_STRUCTURES]; /* COUNT: that name faults of it */
    struct stratum stratum[SM_ALL_STRUCTURES];
};

static uint64_t size_of(struct fsim_span s)
{
    return (uint64_t)(s.hi - s.lo + 1);
}

static bool untestable(const struct collector *k, const struct fsim_fault *f)
{
    const struct fsim_choice *c = &k->list->choice;
    return c->untestable && c->untestable(k->img, f);
}

static void count(struct collector *k, const struct fsim_fault *f)
{
    struct fsim_population *p = &k->list->population[f->cell.structure][f->cell.field];
    p->faults++;
    p->untestable += untestable(k, f);
}

static bool taken(struct stratum *s)
{
    if (s->whole || s->wanted == 0)
        return s->whole;
    bool takes = fl_random(&s->seed) % s->left-- < s->wanted;
    s->wanted -= takes;
    return takes;
}

static bool drawn(struct collector *k, const struct fsim_fault *f)
{
    bool memory = k->list->choice.memory;
    struct stratum *s = &k->stratum[memory ? 0 : f->cell.structure];
    return (s->whole || memory || !untestable(k, f)) && taken(s);
}

static void append(struct fsim_list *list, const struct fsim_fault *f)
{
    if ((list->count & (list->count - 1)) == 0)
        list->fault = fl_grow(list->fault, (size_t)(list->count ? 2 * list->count : 1),
                              sizeof *list->fault);
    list->fault[list->count++] = *f;
}

static void add(struct collector *k, const struct fsim_fault *f)
{
    if (k->does == COUNT)
        count(k, f);
    else if (k->does == TAKE || drawn(k, f))
        append(k->list, f);
}

static struct fsim_fault fault_of(const struct sm_cell *c, const struct fsim_row *r)
{
    return (struct fsim_fault){.cell = *c,
                               .kind = r->kind,
                               .when = r->when,
                               .value = r->value,
                               .cells = 1,
                               .to = FSIM_NO_END};
}

/* Its size is that of the job's kernels, not of the machine. */
static bool is_of_job(int structure)
{
    return structure == SM_S_local || structure == SM_S_const;
}

/* Memories of a job have millions of stuck-at faults, all in words of one field, and no proof is about them. They are counted
 * and drawn by number, in the order in which a pattern lists them. */
static void sample_words(struct collector *k, const struct fsim_pattern *p)
{
    int last = p->s.field[0].bits - 1;
    uint64_t kinds = (uint64_t)__builtin_popcount(p->rows), words = size_of(p->axis[0]),
             bits = size_of((struct fsim_span){p->bits.lo, p->bits.hi < last ? p->bits.hi : last}),
             faults = size_of(p->places) * words * bits * kinds;
    struct stratum *s = &k->stratum[p->structure];
    if (k->does == COUNT)
        k->list->population[p->structure][0].faults += faults;
    for (uint64_t i = 0; i < faults && k->does == DRAW && (s->whole || s->wanted); i++)
        if (taken(s)) {
            uint64_t cell = i / kinds, word = cell / bits;
            struct sm_cell c = fsim_pattern_first(p);
            c.bit += (int)(cell % bits);
            c.index[0] += (int)(word % words);
            c.place += (int)(word / words);
            uint32_t rows = p->rows;
            for (uint64_t row = i % kinds; row > 0; row--)
                rows &= rows - 1;
            struct fsim_fault f = fault_of(&c, &fsim_row[__builtin_ctz(rows)]);
            append(k->list, &f);
        }
}

/* Whether the cell or address that an id names second may be that. */
static bool may_be_second(const struct layout *l, const struct sm_cell *c, bool address,
                          const struct layout_place *other)
{
    int element = layout_element(l, c);
    if (address)
        return element != other->element && layout_same_decoder(l, element, other->element);
    return (element != other->element || layout_bit(l, c) != other->bit) &&
           layout_same_array(l, element, other->element);
}

/* The faults of a cell, or of the element that it begins. */
static int add_cell(struct collector *k, const struct layout *l, const struct fsim_pattern *p,
                    const struct sm_cell *c, const char *pattern, struct fl_err *err)
{
    struct layout_place near[2][LAYOUT_PARTNERS] = {{p->other}, {p->other}};
    int count[2] = {p->named, p->named}, element = layout_element(l, c);
    bool begins = c->field == 0 && c->bit == 0 && p->whole;
    for (uint32_t left = p->rows; left; left &= left - 1) {
        const struct fsim_row *r = &fsim_row[__builtin_ctz(left)];
        bool address = r->flags & ADDRESS;
        if (address && !begins)
            continue;
        struct fsim_fault f = fault_of(c, r);
        if (!(r->flags & PAIR)) {
            add(k, &f);
            continue;
        }
        if (p->named && !may_be_second(l, c, address, &p->other))
            return fl_fail(err,
                           "fault '%s': the second one must be another %s of the same %s "
                           "(docs/explain/faults.md, \"Faults of memories\")",
                           pattern, address ? "address" : "cell", address ? "decoder" : "array");
        if (!count[address])
            count[address] = address ? layout_partners(l, element, near[1])
                                     : layout_neighbours(l, c, near[0]);
        for (int j = 0; j < count[address]; j++) {
            /* two addresses of one row: the same fault from both sides */
            if (f.kind == FSIM_AF_WRONG && !p->named && near[1][j].element < element)
                continue;
            f.other = near[address][j].element;
            f.other_bit = near[address][j].bit;
            add(k, &f);
        }
    }
    return 0;
}

static int parse(struct collector *k, const struct fsim_choice *choice, const struct sm_image *img,
                 const char *pattern, struct fl_err *err)
{
    struct fsim_pattern p;
    unsigned model = choice->memory ? OF_MEMORIES : OF_CELLS;
    uint32_t rows = fsim_rows_of(model) & (choice->memory ? choice->what : ~0u);
    const struct fsim_reader r = {.img = img, .model = model, .unsaid = rows};
    if (fsim_pattern_read(&r, pattern, &p, err) != 0)
        return -1;
    struct layout l = layout_of(img, p.structure);
    int in[SM_MAX_SMS] = {0}, n = 1;
    if (!p.placed && fsim_sms_said(&choice->in_sm)) {
        if (fsim_sms_check(&choice->in_sm, "in-sm", img, err) != 0)
            return -1;
        n = fsim_sms_list(&choice->in_sm, &p.s, in);
    }
    k->patterns[p.structure]++;
    for (int i = 0; i < n; i++) {
        if (!p.placed)
            p.places = (struct fsim_span){in[i], in[i]};
        if (!choice->memory && k->does != TAKE && is_of_job(p.structure)) {
            sample_words(k, &p);
            continue;
        }
        struct sm_cell c = fsim_pattern_first(&p);
        do
            if (add_cell(k, &l, &p, &c, pattern, err) != 0)
                return -1;
        while (fsim_pattern_next(&p, &c));
    }
    return 0;
}

static bool there(const struct fsim_choice *choice, const struct sm_image *img, int structure)
{
    struct sm_structure s;
    struct sm_cell c = {.structure = structure};
    sm_structure_get(img, structure, &s);
    bool has = sm_structure_bits(&s) > 0 && (choice->has || structure < SM_STRUCTURES) &&
               (!choice->memory || layout_is_memory(structure));
    for (; has && choice->has && c.field < s.nfields; c.field++)
        has = choice->has(img, &c);
    return has;
}

/* Every structure that the job and the engine have, or every memory, and the stacks of all warps; or those of the machine alone. */
static int add_all(struct collector *k, const struct fsim_choice *choice,
                   const struct sm_image *img, bool machine, struct fl_err *err)
{
    int r = 0;
    for (int i = 0; i < SM_ALL_STRUCTURES && r == 0; i++)
        if (there(choice, img, i) && !(machine && is_of_job(i)))
            r = parse(k, choice, img, i == SM_S_dstack ? "dstack/w*" : sm_structure_name(i, NULL),
                      err);
    return r;
}

static int add_patterns(struct collector *k, const struct fsim_choice *choice,
                        const struct sm_image *img, const char *patterns, struct fl_err *err)
{
    char *text = fl_strdup(patterns), *rest = text;
    int r = 0;
    for (char *one; r == 0 && (one = strsep(&rest, ","));) {
        bool machine = strcmp(one, "machine") == 0;
        r = machine || strcmp(one, "all") == 0 ? add_all(k, choice, img, machine, err)
                                               : parse(k, choice, img, one, err);
    }
    free(text);
    return r;
}

/* All that the patterns name, each once. */
static int add_once(struct fsim_list *all, const struct sm_image *img, const char *patterns,
                    struct fl_err *err)
{
    struct collector k = {.list = all, .img = img};
    int bad = add_patterns(&k, &all->choice, img, patterns, err);
    fsim_list_once(all);
    return bad;
}

/* Of each structure by itself: one that is alone has the seed's own order. */
static void want(struct collector *k)
{
    const struct fsim_choice *c = &k->list->choice;
    int structures = 0;
    for (int i = 0; i < SM_ALL_STRUCTURES; i++)
        structures += k->patterns[i] > 0;
    for (int i = 0; i < SM_ALL_STRUCTURES; i++) {
        struct stratum *s = &k->stratum[c->memory ? 0 : i];
        for (int f = 0; f < SM_MAX_FIELDS; f++) {
            const struct fsim_population *p = &k->list->population[i][f];
            s->left += p->faults - (c->memory ? 0 : p->untestable);
        }
        s->wanted = c->sample < s->left ? c->sample : s->left;
        s->whole = c->sample >= s->left;
        s->seed = c->memory || structures == 1
                      ? c->seed
                      : fl_random_mix(c->seed + FL_RANDOM_STEP) + (uint64_t)i;
    }
}

/* Patterns that name a structure twice may name a fault twice: it has one chance. */
static int draw(struct fsim_list *list, const struct sm_image *img, const char *patterns,
                struct fl_err *err)
{
    struct collector k = {.list = list, .img = img, .does = COUNT};
    struct fsim_list all = {.choice = list->choice};
    bool twice = false;
    if (list->population)
        return fl_fail(err,
                       "fault '%.40s...': a sample is drawn once for a list; give all patterns at "
                       "once, with commas",
                       patterns);
    list->population = fl_alloc(SM_ALL_STRUCTURES * sizeof *list->population);
    int bad = add_patterns(&k, &list->choice, img, patterns, err);
    for (int i = 0; i < SM_ALL_STRUCTURES; i++)
        twice |= k.patterns[i] > 1;
    if (!bad && twice) {
        memset(list->population, 0, SM_ALL_STRUCTURES * sizeof *list->population);
        bad = add_once(&all, img, patterns, err);
        for (long i = 0; i < all.count; i++)
            add(&k, &all.fault[i]);
    }
    want(&k);
    k.does = DRAW;
    for (long i = 0; i < all.count; i++)
        add(&k, &all.fault[i]);
    if (!bad && !twice)
        bad = add_patterns(&k, &list->choice, img, patterns, err);
    fsim_list_free(&all);
    return bad;
}

int fsim_list_add(struct fsim_list *list, const struct sm_image *img, const char *pattern,
                  struct fl_err *err)
{
    struct collector k = {.list = list, .img = img};
    if (strlen(pattern) > 200)
        return fl_fail(err, "fault '%.40s...': an id has at most 200 characters; split the pattern",
                       pattern);
    return list->choice.sample ? draw(list, img, pattern, err)
                               : add_patterns(&k, &list->choice, img, pattern, err);
}

char *fsim_list_line(char **rest, int *number)
{
    static const char blank[] = " \t\r";
    for (char *text; (text = strsep(rest, "\n"));) {
        ++*number;
        text[strcspn(text, "#")] = 0;
        text += strspn(text, blank);
        for (size_t n = strlen(text); n && strchr(blank, text[n - 1]);)
            text[--n] = 0;
        if (*text)
            return text;
    }
    return NULL;
}

int fsim_list_read(struct fsim_list *list, const struct sm_image *img, const char *path,
                   struct fl_err *err)
{
    struct fl_buf b = {0};
    struct fl_err why;
    if (fl_read_text(path, &b, err) != 0)
        return -1;
    int line = 0, r = 0;
    for (char *rest = (char *)b.data, *text; r == 0 && (text = fsim_list_line(&rest, &line));)
        if (strpbrk(text, " \t\r"))
            r = fl_fail(err, "%s:%d: '%.100s': write one id or pattern a line", path, line, text);
        else if (fsim_list_add(list, img, text, &why) != 0)
            r = fl_fail(err, "%s:%d: %s", path, line, why.msg);
    fl_buf_free(&b);
    return r;
}

struct place { /* of a fault in a list */
    struct fsim_fault fault;
    long number;
};

static int by_cell(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    int d = fsim_compare(&x->fault, &y->fault);
    return d ? d : (x->number > y->number) - (x->number < y->number);
}

static int by_number(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

void fsim_list_once(struct fsim_list *list)
{
    long n = 1;
    while (n < list->count && fsim_compare(&list->fault[n - 1], &list->fault[n]) < 0)
        n++;
    if (n >= list->count) /* as one pattern lists them */
        return;
    n = 0;
    struct place *p = fl_alloc((size_t)list->count * sizeof *p);
    for (long i = 0; i < list->count; i++)
        p[i] = (struct place){list->fault[i], i};
    qsort(p, (size_t)list->count, sizeof *p, by_cell);
    for (long i = 0; i < list->count; i++)
        if (i == 0 || memcmp(&p[i].fault, &p[n - 1].fault, sizeof p->fault) != 0)
            p[n++] = p[i];
    qsort(p, (size_t)n, sizeof *p, by_number);
    for (long i = 0; i < n; i++)
        list->fault[i] = p[i].fault;
    list->count = n;
    free(p);
}

void fsim_list_free(struct fsim_list *list)
{
    free(list->fault);
    free(list->population);
    *list = (struct fsim_list){0};
}
