/* fault.c -- from the text of an id or pattern to cells, and back. */
#include "fault.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "layout.h"

/* What happens to cells: what stands behind the colon, and the word of --kind. */
static const struct what {
    const char *name, *kind;
    int is, value;
} whats[] = {
    {"sa0", "saf", FSIM_SA, 0},       {"sa1", "saf", FSIM_SA, 1},
    {"tf01", "tf", FSIM_TF, 0},       {"tf10", "tf", FSIM_TF, 1},
    {"sof", "sof", FSIM_SOF, 0},      {"cfin0", "cfin", FSIM_CFIN, 0},
    {"cfin1", "cfin", FSIM_CFIN, 1},  {"cfid00", "cfid", FSIM_CFID, 0},
    {"cfid01", "cfid", FSIM_CFID, 1}, {"cfid10", "cfid", FSIM_CFID, 2},
    {"cfid11", "cfid", FSIM_CFID, 3}, {"cfst00", "cfst", FSIM_CFST, 0},
    {"cfst01", "cfst", FSIM_CFST, 1}, {"cfst10", "cfst", FSIM_CFST, 2},
    {"cfst11", "cfst", FSIM_CFST, 3}, {"af0", "af", FSIM_AF_NONE, 0},
    {"af1", "af", FSIM_AF_NONE, 1},   {"afw", "af", FSIM_AF_WRONG, 0},
    {"afa", "af", FSIM_AF_TWO, 0},    {"afo", "af", FSIM_AF_TWO, 1},
    {"flip", NULL, FSIM_FLIP, 0},
};
enum {
    WHATS = sizeof whats / sizeof *whats - 1, /* permanent ones; of memories all */
    STUCK_AT = 3                              /* the first two */
};

bool fsim_what(const char *word, int *kind, int *value)
{
    for (size_t i = 0; i < sizeof whats / sizeof *whats; i++)
        if (strcmp(word, whats[i].name) == 0) {
            *kind = whats[i].is;
            *value = whats[i].value;
            return true;
        }
    return false;
}

const char *fsim_what_name(int kind, int value)
{
    for (size_t i = 0; i < sizeof whats / sizeof *whats; i++)
        if (whats[i].is == kind && whats[i].value == value)
            return whats[i].name;
    return "?";
}

static bool of_address(int kind)
{
    return kind == FSIM_AF_NONE || kind == FSIM_AF_WRONG || kind == FSIM_AF_TWO;
}

static bool has_other(int kind)
{
    return kind == FSIM_CFIN || kind == FSIM_CFID || kind == FSIM_CFST || kind == FSIM_AF_WRONG ||
           kind == FSIM_AF_TWO;
}

int fsim_choice_kinds(struct fsim_choice *choice, const char *text, struct fl_err *err)
{
    char *copy = fl_strdup(text), *rest = copy;
    int r = 0;
    choice->what = 0;
    for (char *word; r == 0 && (word = strsep(&rest, ","));) {
        uint32_t of = 0;
        for (int i = 0; i < WHATS; i++)
            if (strcmp(word, whats[i].kind) == 0 || strcmp(word, whats[i].name) == 0 ||
                strcmp(word, "all") == 0)
                of |= 1u << i;
        choice->what |= of;
        if (!of)
            r = fl_fail(
                err,
                "'%s' is no kind of memory fault; there are saf, tf, sof, cfin, cfid, cfst, "
                "af, and single ones like tf01",
                word);
    }
    free(copy);
    return r;
}

enum { MAX_PARTS = SM_MAX_AXES + 2, FEW_FIELDS = 10 };

struct span {
    int lo, hi;
};

/* A number of at most nine digits; where it ends, or NULL. */
static const char *read_number(const char *text, int *out)
{
    size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits > 9)
        return NULL;
    *out = (int)strtol(text, NULL, 10);
    return text + digits;
}

/* Reads `*`, `7` or `1-4` behind the letters of a name, within first .. first + count - 1. */
static int read_span(const char *text, int first, int count, struct span *out)
{
    if (strcmp(text, "*") == 0) {
        *out = (struct span){first, first + count - 1};
        return 0;
    }
    *out = (struct span){0, 0};
    text = read_number(text, &out->lo);
    out->hi = out->lo;
    if (text && *text == '-')
        text = read_number(text + 1, &out->hi);
    return text && !*text && out->lo >= first && out->hi < first + count && out->lo <= out->hi ? 0
                                                                                               : -1;
}

/* If `part` is `name` followed by a number, range or star: where that starts. */
static const char *after_name(const char *part, const char *name)
{
    size_t n = strlen(name);
    bool ok = strncmp(part, name, n) == 0 && (isdigit((unsigned char)part[n]) || part[n] == '*');
    return ok ? part + n : NULL;
}

/* What one draw takes from: a structure, or all of them. */
struct stratum {
    uint64_t left, wanted, seed;
    bool whole;
};

/* Where the faults of a pattern go. For a sample they are counted first, then each is taken with
 * the chance that is left to it (Knuth, The Art of Computer Programming, vol. 2, 3.4.2, algorithm S). */
struct sink {
    struct fsim_list *list;
    const struct sm_image *img;
    enum { TAKE, COUNT, DRAW } does;
    int patterns[SM_ALL_STRUCTURES]; /* COUNT: that name faults of it */
    struct stratum stratum[SM_ALL_STRUCTURES];
};

static bool untestable(const struct sink *k, const struct fsim_fault *f)
{
    const struct fsim_choice *c = &k->list->choice;
    return c->untestable && c->untestable(k->img, f);
}

static void count(struct sink *k, const struct fsim_fault *f)
{
    struct fsim_population *p = &k->list->population[f->cell.structure][f->cell.field];
    p->faults++;
    p->untestable += untestable(k, f);
}

static bool drawn(struct sink *k, const struct fsim_fault *f)
{
    bool memory = k->list->choice.memory;
    struct stratum *s = &k->stratum[memory ? 0 : f->cell.structure];
    if (s->whole)
        return true;
    if (!memory && untestable(k, f))
        return false;
    bool taken = fl_random(&s->seed) % s->left-- < s->wanted;
    s->wanted -= taken;
    return taken;
}

static void add(struct sink *k, const struct fsim_fault *f)
{
    struct fsim_list *list = k->list;
    if (k->does == COUNT)
        count(k, f);
    if (k->does == COUNT || (k->does == DRAW && !drawn(k, f)))
        return;
    if ((list->count & (list->count - 1)) == 0)
        list->fault = fl_grow(list->fault, (size_t)(list->count ? 2 * list->count : 1),
                              sizeof *list->fault);
    list->fault[list->count++] = *f;
}

static int bad_part(const struct sm_structure *s, const char *pattern, const char *part,
                    struct fl_err *err)
{
    struct fl_buf b = {0};
    fl_buf_printf(&b, "fault '%s': '%s' does not fit; an id of %s reads %s", pattern, part, s->name,
                  s->name);
    for (int i = 0; i < s->naxes; i++)
        fl_buf_printf(&b, "/%s%d..%d", s->axis[i].name, s->axis[i].first,
                      s->axis[i].first + s->axis[i].count - 1);
    if (s->nfields > FEW_FIELDS)
        fl_buf_printf(&b, "/REGISTER and bit (%s0)", s->field[0].name);
    for (int i = 0; i < s->nfields && s->nfields <= FEW_FIELDS; i++)
        fl_buf_printf(&b, "%s%s0..%d", i ? " or " : "/", s->field[i].name, s->field[i].bits - 1);
    fl_buf_printf(&b, "%s, numbers also as 1-4 or *",
                  strchr(pattern, '@') ? "@CYCLE:flip" : ":sa0|sa1");
    for (int i = 0; i < s->nfields && s->nfields > FEW_FIELDS; i++)
        fl_buf_printf(&b, "%s%s", i ? " " : "; registers: ", s->field[i].name);
    fl_fail(err, "%s", (char *)b.data);
    fl_buf_free(&b);
    return -1;
}

static int unknown_structure(const struct sm_image *img, const char *pattern, struct fl_err *err)
{
    struct fl_buf b = {0};
    (void)img;
    for (int i = 0; i < SM_ALL_STRUCTURES; i++)
        fl_buf_printf(&b, "%s%s", i ? ", " : "", sm_structure_name(i, NULL));
    fl_fail(err, "fault '%s': no such structure; there are %s", pattern, (char *)b.data);
    fl_buf_free(&b);
    return -1;
}

/* What a pattern names; axes count from 0. */
struct pattern {
    int place, structure;
    struct sm_structure s;
    struct span axis[SM_MAX_AXES], fields, bits;
    bool whole; /* elements: it says nothing of fields and bits */
};

static struct sm_cell first_cell(const struct pattern *p)
{
    struct sm_cell c = {
        .place = p->place, .structure = p->structure, .field = p->fields.lo, .bit = p->bits.lo};
    for (int i = 0; i < p->s.naxes; i++)
        c.index[i] = p->axis[i].lo;
    return c;
}

/* Element by element, so that the list of a stack reads LE by LE. False behind the last cell. */
static bool next_cell(const struct pattern *p, struct sm_cell *c)
{
    if (c->bit < p->bits.hi && c->bit + 1 < p->s.field[c->field].bits) {
        c->bit++;
        return true;
    }
    c->bit = p->bits.lo;
    if (c->field++ < p->fields.hi)
        return true;
    c->field = p->fields.lo;
    for (int i = p->s.naxes - 1; i >= 0; i--) {
        if (c->index[i]++ < p->axis[i].hi)
            return true;
        c->index[i] = p->axis[i].lo;
    }
    return false;
}

/* Takes "sm0/" from the front of a pattern: the number of the SM, 0 without it. -1: the chip has no
 * such SM. */
static int take_place(const struct sm_image *img, char **text)
{
    struct span n;
    if (!after_name(*text, "sm"))
        return 0;
    const char *number = strsep(text, "/") + strlen("sm");
    return read_span(number, 0, img->sms, &n) == 0 && n.lo == n.hi ? n.lo : -1;
}

/* `text` is the part of the pattern before what happens to the cells; it is cut up. */
static int parse_cells(const struct sm_image *img, const char *pattern, char *text,
                       struct pattern *out, struct fl_err *err)
{
    struct sm_structure *s = &out->s;
    char *part[MAX_PARTS] = {0};
    int nparts = 0, at = 1;
    out->place = take_place(img, &text);
    if (out->place < 0)
        return fl_fail(err, "fault '%s': the chip has no such SM; it has sm0 to sm%d", pattern,
                       img->sms - 1);
    for (char *p; (p = strsep(&text, "/"));) {
        if (nparts == MAX_PARTS)
            return fl_fail(err, "fault '%s': too many parts between slashes", pattern);
        part[nparts++] = p;
    }
    out->structure = nparts ? sm_structure_find(img, part[0]) : -1;
    if (out->structure < 0)
        return unknown_structure(img, pattern, err);
    sm_structure_get(img, out->structure, s);
    if (sm_structure_bits(s) == 0)
        return fl_fail(err, "fault '%s': this job has no %s memory", pattern, s->name);
    for (int i = 0; i < s->naxes; i++) {
        const struct sm_axis *a = &s->axis[i];
        const char *number = at < nparts ? after_name(part[at], a->name) : NULL;
        /* what is left out means all, but warp slot 0 for the stack: a self-test's usual target */
        bool first_warp = out->structure == SM_S_dstack && i == 0;
        out->axis[i] = (struct span){0, first_warp ? 0 : a->count - 1};
        if (!number)
            continue;
        if (read_span(number, a->first, a->count, &out->axis[i]) != 0)
            return bad_part(s, pattern, part[at], err);
        out->axis[i].lo -= a->first;
        out->axis[i].hi -= a->first;
        at++;
    }
    out->fields = (struct span){0, s->nfields - 1};
    out->bits = (struct span){0, INT_MAX};
    out->whole = at == nparts;
    if (out->whole)
        return 0;
    for (int f = 0; f < s->nfields && at + 1 == nparts; f++) {
        const char *number = after_name(part[at], s->field[f].name);
        if (!number)
            continue;
        out->fields = (struct span){f, f};
        if (read_span(number, 0, s->field[f].bits, &out->bits) == 0)
            return 0;
        break;
    }
    return bad_part(s, pattern, part[at], err);
}

/* ---- what happens to them --------------------------------------------------------------------- */

/* The rows that a suffix names, as bits: "cfin1", "cfin*". */
static int parse_what(const struct fsim_choice *choice, const char *pattern, const char *suffix,
                      uint32_t *out, struct fl_err *err)
{
    size_t n = strcspn(suffix, "*");
    uint32_t allowed = choice->memory ? ~0u : STUCK_AT;
    *out = 0;
    for (int i = 0; i < WHATS; i++)
        if ((allowed >> i & 1) && strncmp(whats[i].name, suffix, n) == 0 &&
            (suffix[n] ? !suffix[n + 1] : !whats[i].name[n]))
            *out |= 1u << i;
    if (*out)
        return 0;
    return fl_fail(
        err,
        choice->memory
            ? "fault '%s': '%s' is no fault of a memory; there are sa0 sa1 tf01 tf10 sof "
              "cfin0..1 cfid00..11 cfst00..11 af0 af1 afw afa afo, and * for the rest of a "
              "name"
            : "fault '%s': '%s' is no fault of this model; write :sa0, :sa1 or :sa*",
        pattern, suffix);
}

/* The aggressor, or the other address, of an id that names it; `text` is cut up. */
static int parse_other(const struct sm_image *img, const char *pattern, char *text,
                       const struct layout *l, bool of_element, struct layout_place *out,
                       struct fl_err *err)
{
    struct pattern p;
    if (parse_cells(img, pattern, text, &p, err) != 0)
        return -1;
    struct sm_cell c = first_cell(&p), next = c;
    if (p.structure != l->structure)
        return fl_fail(err, "fault '%s': both must be of one structure", pattern);
    if (of_element ? !p.whole : p.whole || next_cell(&p, &next))
        return fl_fail(err, "fault '%s': behind ~ stands %s, or *", pattern,
                       of_element ? "the other address, without a bit" : "one cell");
    if (of_element) {
        struct layout_place first = {layout_element(l, &c), 0};
        p.fields.hi = 0;
        p.bits.hi = 0;
        if (next_cell(&p, &next))
            return fl_fail(err, "fault '%s': behind ~ stands one address, or *", pattern);
        *out = first;
        return 0;
    }
    *out = (struct layout_place){layout_element(l, &c), layout_bit(l, &c)};
    return 0;
}

/* The faults of a cell, or of the element that it begins. */
static int add_cell(struct sink *k, const struct layout *l, const struct pattern *p,
                    const struct sm_cell *c, uint32_t what, const struct layout_place *other,
                    const char *pattern, struct fl_err *err)
{
    struct layout_place near[LAYOUT_PARTNERS];
    int element = layout_element(l, c);
    bool begins = c->field == 0 && c->bit == 0 && p->whole;
    for (int i = 0; i < WHATS; i++) {
        struct fsim_fault f = {.cell = *c, .kind = whats[i].is, .value = whats[i].value};
        bool address = of_address(f.kind);
        if (!(what >> i & 1) || (address && !begins))
            continue;
        if (!has_other(f.kind)) {
            add(k, &f);
            continue;
        }
        int n = other     ? 1
                : address ? layout_partners(l, element, near)
                          : layout_neighbours(l, c, near);
        if (other)
            near[0] = *other;
        if (other &&
            (address ? element == other->element || !layout_same_decoder(l, element, other->element)
                     : (element == other->element && layout_bit(l, c) == other->bit) ||
                           !layout_same_array(l, element, other->element)))
            return fl_fail(err,
                           "fault '%s': the second one must be another %s of the same %s "
                           "(docs/faults.md, \"Faults of memories\")",
                           pattern, address ? "address" : "cell", address ? "decoder" : "array");
        for (int j = 0; j < n; j++) {
            /* two addresses of one row: the same fault from both sides */
            if (f.kind == FSIM_AF_WRONG && !other && near[j].element < element)
                continue;
            f.other = near[j].element;
            f.other_bit = near[j].bit;
            add(k, &f);
        }
    }
    return 0;
}

static int parse_pattern(struct sink *k, const struct fsim_choice *choice,
                         const struct sm_image *img, const char *pattern, char *text,
                         struct fl_err *err)
{
    struct pattern p;
    struct layout_place other;
    uint32_t what = choice->memory ? choice->what : STUCK_AT, address = 0, pairs = 0;
    char *colon = strchr(text, ':'), *behind;
    if (colon) {
        *colon++ = 0;
        if (parse_what(choice, pattern, colon, &what, err) != 0)
            return -1;
    }
    for (int i = 0; i < WHATS; i++) {
        address |= (uint32_t)of_address(whats[i].is) << i;
        pairs |= (uint32_t)has_other(whats[i].is) << i;
    }
    behind = choice->memory ? strchr(text, '~') : NULL;
    if (behind)
        *behind++ = 0;
    if (parse_cells(img, pattern, text, &p, err) != 0)
        return -1;
    if (choice->memory && !layout_is_memory(p.structure))
        return fl_fail(err, "fault '%s': %s is no memory; faultsim stuck-at has its faults",
                       pattern, p.s.name);
    if (colon && !p.whole && !(what & ~address))
        return fl_fail(err,
                       "fault '%s': a fault of the address decoder is one of whole elements; "
                       "leave out the bit",
                       pattern);
    struct layout l = layout_of(img, p.structure);
    k->patterns[p.structure]++;
    if (behind) {
        what &= pairs;
        if (!what)
            return fl_fail(err, "fault '%s': that has no second cell; leave out '~%s'", pattern,
                           behind);
        if (strcmp(behind, "*") == 0)
            behind = NULL;
        else if (what & address && what & ~address)
            return fl_fail(err, "fault '%s': say what happens, as in :cfin1 or :afw", pattern);
        else if (parse_other(img, pattern, behind, &l, what & address, &other, err) != 0)
            return -1;
    }
    struct sm_cell c = first_cell(&p);
    do
        if (add_cell(k, &l, &p, &c, what, behind ? &other : NULL, pattern, err) != 0)
            return -1;
    while (next_cell(&p, &c));
    return 0;
}

static int parse(struct sink *k, const struct fsim_choice *choice, const struct sm_image *img,
                 const char *pattern, struct fl_err *err)
{
    char *text = fl_strdup(pattern);
    int r = parse_pattern(k, choice, img, pattern, text, err);
    free(text);
    return r;
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

/* Every structure that the job and the engine have, or every memory, and the stacks of all warps. */
static int add_all(struct sink *k, const struct fsim_choice *choice, const struct sm_image *img,
                   struct fl_err *err)
{
    int r = 0;
    for (int i = 0; i < SM_ALL_STRUCTURES && r == 0; i++)
        if (there(choice, img, i))
            r = parse(k, choice, img, i == SM_S_dstack ? "dstack/w*" : sm_structure_name(i, NULL),
                      err);
    return r;
}

static int add_patterns(struct sink *k, const struct fsim_choice *choice,
                        const struct sm_image *img, const char *patterns, struct fl_err *err)
{
    char *text = fl_strdup(patterns), *rest = text;
    int r = 0;
    for (char *one; r == 0 && (one = strsep(&rest, ","));)
        r = strcmp(one, "all") == 0 ? add_all(k, choice, img, err)
                                    : parse(k, choice, img, one, err);
    free(text);
    return r;
}

/* All that the patterns name, each once. */
static int add_once(struct fsim_list *all, const struct sm_image *img, const char *patterns,
                    struct fl_err *err)
{
    struct sink k = {.list = all, .img = img};
    int bad = add_patterns(&k, &all->choice, img, patterns, err);
    fsim_list_once(all);
    return bad;
}

/* Of each structure by itself: one that is alone has the seed's own order. */
static void want(struct sink *k)
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
    struct sink k = {.list = list, .img = img, .does = COUNT};
    struct fsim_list all = {.choice = list->choice};
    bool twice = false;
    if (list->population)
        return fl_fail(err, "fault '%.40s...': a list has one sample", patterns);
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
    struct sink k = {.list = list, .img = img};
    if (strlen(pattern) > 200)
        return fl_fail(err, "fault '%.40s...': an id is shorter than that", pattern);
    return list->choice.sample ? draw(list, img, pattern, err)
                               : add_patterns(&k, &list->choice, img, pattern, err);
}

long fsim_cells(const struct sm_image *img, const char *pattern, const char *shown,
                struct sm_cell *out, long room, struct fl_err *err)
{
    struct pattern p;
    char *text = fl_strdup(pattern);
    int bad = parse_cells(img, shown, text, &p, err);
    free(text);
    if (bad)
        return -1;
    long n = 0;
    struct sm_cell c = first_cell(&p);
    do {
        if (n < room)
            out[n] = c;
        n++;
    } while (next_cell(&p, &c));
    return n;
}

int fsim_list_read(struct fsim_list *list, const struct sm_image *img, const char *path,
                   struct fl_err *err)
{
    struct fl_buf b = {0};
    if (fl_read_file(path, &b, err) != 0)
        return -1;
    int line = 0, r = 0;
    char *next = (char *)b.data;
    while (next && r == 0) {
        char *text = next;
        next = strchr(text, '\n');
        if (next)
            *next++ = 0;
        line++;
        text[strcspn(text, "#")] = 0;
        text += strspn(text, " \t\r");
        char *end = text + strcspn(text, " \t\r");
        struct fl_err why;
        if (end[strspn(end, " \t\r")])
            r = fl_fail(err, "%s:%d: '%.100s': write one id or pattern a line", path, line, text);
        *end = 0;
        if (r == 0 && text[0] && fsim_list_add(list, img, text, &why) != 0)
            r = fl_fail(err, "%s:%d: %s", path, line, why.msg);
    }
    fl_buf_free(&b);
    return r;
}

struct place { /* of a fault in a list */
    struct fsim_fault fault;
    long number;
};

int fsim_compare(const struct fsim_fault *a, const struct fsim_fault *b)
{
    const int *x = (const int *)a, *y = (const int *)b;
    for (size_t i = 0; i < sizeof *a / sizeof *x; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

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

static int print_place(const struct sm_structure *s, const struct sm_cell *c, bool element,
                       char *out, size_t room)
{
    int n = c->place ? snprintf(out, room, "sm%d/", c->place) : 0;
    n += snprintf(out + n, room - (size_t)n, "%s", s->name);
    for (int i = 0; i < s->naxes; i++)
        n += snprintf(out + n, room - (size_t)n, "/%s%d", s->axis[i].name,
                      c->index[i] + s->axis[i].first);
    if (!element)
        n += snprintf(out + n, room - (size_t)n, "/%s%d", s->field[c->field].name, c->bit);
    return n;
}

bool fsim_id_field(const char *id, int *structure, int *field)
{
    const char *name[SM_MAX_FIELDS], *end = id + strcspn(id, "~:"), *last = end;
    size_t letters = strcspn(id, "/~:");
    bool address = strncmp(id + strcspn(id, ":"), ":af", 3) == 0;
    *structure = 0;
    while (*structure < SM_ALL_STRUCTURES &&
           !(strlen(sm_structure_name(*structure, NULL)) == letters &&
             strncmp(sm_structure_name(*structure, NULL), id, letters) == 0))
        ++*structure;
    *field = 0;
    if (*structure == SM_ALL_STRUCTURES)
        return false;
    while (last > id && last[-1] != '/')
        last--;
    int n = sm_structure_fields(*structure, name);
    while (*field < n && !address &&
           !(after_name(last, name[*field]) &&
             last + strlen(name[*field]) + strspn(after_name(last, name[*field]), "0123456789") ==
                 end))
        ++*field;
    return *field < n;
}

void fsim_id(const struct sm_image *img, const struct fsim_fault *fault, char out[FSIM_ID])
{
    struct layout l = layout_of(img, fault->cell.structure);
    bool address = of_address(fault->kind);
    int n = print_place(&l.s, &fault->cell, address, out, FSIM_ID);
    if (has_other(fault->kind)) {
        struct sm_cell other = layout_cell(&l, fault->other, fault->other_bit);
        out[n++] = '~';
        n += print_place(&l.s, &other, address, out + n, FSIM_ID - (size_t)n);
    }
    snprintf(out + n, FSIM_ID - (size_t)n, ":%s", fsim_what_name(fault->kind, fault->value));
}
