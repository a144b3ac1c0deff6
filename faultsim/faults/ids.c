/* ids.c -- from the text of an id or pattern to cells, kinds and cycles, and back. */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "internal.h"

enum { MAX_PARTS = SM_MAX_AXES + 2, FEW_FIELDS = 10 };

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
static int read_span(const char *text, int first, int count, struct fsim_span *out)
{
    if (strcmp(text, "*") == 0) {
        *out = (struct fsim_span){first, first + count - 1};
        return 0;
    }
    *out = (struct fsim_span){0, 0};
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

static int unknown_structure(const char *pattern, struct fl_err *err)
{
    struct fl_buf b = {0};
    struct fl_nearest meant = {.typed = pattern, .length = (int)strcspn(pattern, "/:@")};
    for (int i = 0; i < SM_ALL_STRUCTURES; i++) {
        const char *text, *name = sm_structure_name(i, &text);
        fl_buf_printf(&b, "%s%s", i ? ", " : "", name);
        fl_nearest_try(&meant, name, text);
    }
    fl_fail(err, "fault '%s': no such structure%s; there are %s", pattern, meant.hint,
            (char *)b.data);
    fl_buf_free(&b);
    return -1;
}

struct sm_cell fsim_pattern_first(const struct fsim_pattern *p)
{
    struct sm_cell c = {
        .place = p->places.lo, .structure = p->structure, .field = p->fields.lo, .bit = p->bits.lo};
    for (int i = 0; i < p->s.naxes; i++)
        c.index[i] = p->axis[i].lo;
    return c;
}

bool fsim_pattern_next(const struct fsim_pattern *p, struct sm_cell *c)
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
    if (c->place++ < p->places.hi)
        return true;
    c->place = p->places.lo;
    return false;
}

bool fsim_sms_read(const char *text, struct fsim_sms *out)
{
    *out = (struct fsim_sms){{0, 0}};
    if (strcmp(text, "all") == 0) {
        *out = (struct fsim_sms){{~UINT64_C(0), ~UINT64_C(0)}};
        return true;
    }
    char *copy = fl_strdup(text), *rest = copy;
    bool good = true;
    for (char *one; good && (one = strsep(&rest, ","));) {
        struct fsim_span n;
        good = *one != '*' && read_span(one, 0, SM_MAX_SMS, &n) == 0;
        for (int i = n.lo; good && i <= n.hi; i++) {
            good = !fsim_sms_has(out, i);
            out->bits[i / 64] |= UINT64_C(1) << i % 64;
        }
    }
    free(copy);
    return good;
}

int fsim_sms_check(const struct fsim_sms *s, const char *option, const struct sm_image *img,
                   struct fl_err *err)
{
    bool all = !~(s->bits[0] & s->bits[1]);
    for (int i = img->sms; i < SM_MAX_SMS && !all; i++)
        if (fsim_sms_has(s, i))
            return fl_fail(err, "--%s: %s has no SM %d; it has sm0 to sm%d", option,
                           img->profile.name, i, img->sms - 1);
    return 0;
}

int fsim_sms_list(const struct fsim_sms *s, const struct sm_structure *of, int out[SM_MAX_SMS])
{
    int n = 0;
    if (of->places == 1) /* of the chip, or of its only SM */
        out[n++] = 0;
    for (int i = 0; of->places > 1 && i < of->places; i++)
        if (fsim_sms_has(s, i))
            out[n++] = i;
    return n;
}

int fsim_sms_first(const struct fsim_sms *s)
{
    return s->bits[0] ? __builtin_ctzll(s->bits[0]) : 64 + __builtin_ctzll(s->bits[1]);
}

/* It can happen in each SM of the list as it happens in its own. */
static int check_same_in(const struct fsim_sms *in, const struct fsim_fault *fault,
                         struct fl_err *err)
{
    for (int i = 0; i < fault->cells; i++) {
        const struct sm_cell *c = &fault[i].cell;
        if (sm_is_of_chip(c->structure))
            return fl_fail(err,
                           "--same-in: %s belongs to the chip, not to an SM; leave --same-in out",
                           sm_structure_name(c->structure, NULL));
        if (!fsim_sms_has(in, c->place))
            return fl_fail(
                err, "--same-in: the fault is in sm%d, which the list leaves out; add that SM",
                c->place);
    }
    return 0;
}

int fsim_same_in(const struct sm_image *img, const struct fsim_sms *in,
                 struct fsim_fault fault[FSIM_CELLS], struct fl_err *err)
{
    struct fsim_fault all[FSIM_CELLS];
    int n = 0;
    if (check_same_in(in, fault, err) != 0)
        return -1;
    for (int sm = 0; sm < img->sms; sm++)
        for (int i = 0; i < fault->cells && fsim_sms_has(in, sm); i++) {
            struct sm_cell c = fault[i].cell;
            c.place = sm;
            bool there = false;
            for (int k = 0; k < n && !there; k++)
                there = memcmp(&all[k].cell, &c, sizeof c) == 0;
            if (there)
                continue;
            if (n == FSIM_CELLS)
                return fl_fail(err, "--same-in: a fault has at most %d bits; name fewer SMs",
                               FSIM_CELLS);
            all[n] = *fault;
            all[n++].cell = c;
        }
    all[0].cells = (uint8_t)n;
    memcpy(fault, all, (size_t)n * sizeof *all);
    return 0;
}

/* Takes "sm3/" from the front of a pattern; -1: the chip has no such SM. */
static int take_place(const struct sm_image *img, char **text, struct fsim_pattern *out)
{
    out->places = (struct fsim_span){0, 0};
    out->placed = after_name(*text, "sm") != NULL;
    if (!out->placed)
        return 0;
    const char *number = strsep(text, "/") + strlen("sm");
    return read_span(number, 0, img->sms, &out->places);
}

/* `text` is the part of the pattern before what happens to the cells; it is cut up. */
static int read_cells(const struct sm_image *img, const char *pattern, char *text,
                      struct fsim_pattern *out, struct fl_err *err)
{
    struct sm_structure *s = &out->s;
    char *part[MAX_PARTS] = {0};
    int nparts = 0, at = 1;
    if (take_place(img, &text, out) != 0)
        return fl_fail(err, "fault '%s': the chip has no such SM; it has sm0 to sm%d", pattern,
                       img->sms - 1);
    for (char *p; (p = strsep(&text, "/"));) {
        if (nparts == MAX_PARTS)
            return fl_fail(err,
                           "fault '%s': too many parts between slashes; write it like rf/p5/b3:sa1",
                           pattern);
        part[nparts++] = p;
    }
    out->structure = nparts ? sm_structure_find(img, part[0]) : -1;
    if (out->structure < 0)
        return unknown_structure(pattern, err);
    sm_structure_get(img, out->structure, s);
    if (sm_is_left_out(img, out->structure))
        return fl_fail(
            err, "fault '%s': gpuFI-4's cache model has no faults in %s; leave --cache-model out",
            pattern, s->name);
    if (sm_structure_bits(s) == 0 && sm_is_cache(out->structure))
        return fl_fail(err,
                       "fault '%s': profile %s has no cache with %s; choose a profile that has one",
                       pattern, img->profile.name, s->name);
    if (sm_structure_bits(s) == 0)
        return fl_fail(err, "fault '%s': %s has no %s memory", pattern, img->job->path, s->name);
    if (out->places.hi >= s->places)
        return fl_fail(err, "fault '%s': %s belongs to the chip; name it without an SM", pattern,
                       s->name);
    for (int i = 0; i < s->naxes; i++) {
        const struct sm_axis *a = &s->axis[i];
        const char *number = at < nparts ? after_name(part[at], a->name) : NULL;
        /* what is left out means all, but warp slot 0 for the stack: a self-test's usual target */
        bool first_warp = out->structure == SM_S_dstack && i == 0;
        out->axis[i] = (struct fsim_span){0, first_warp ? 0 : a->count - 1};
        if (!number)
            continue;
        if (read_span(number, a->first, a->count, &out->axis[i]) != 0)
            return bad_part(s, pattern, part[at], err);
        out->axis[i].lo -= a->first;
        out->axis[i].hi -= a->first;
        at++;
    }
    out->fields = (struct fsim_span){0, s->nfields - 1};
    out->bits = (struct fsim_span){0, INT_MAX};
    out->whole = at == nparts;
    if (out->whole)
        return 0;
    for (int f = 0; f < s->nfields && at + 1 == nparts; f++) {
        const char *number = after_name(part[at], s->field[f].name);
        if (!number)
            continue;
        out->fields = (struct fsim_span){f, f};
        if (read_span(number, 0, s->field[f].bits, &out->bits) == 0)
            return 0;
        break;
    }
    return bad_part(s, pattern, part[at], err);
}

static int bad(const char *text, const char *why, struct fl_err *err)
{
    return fl_fail(err,
                   "fault '%.100s': %s; an id reads rf/p517/b12@1834:flip or "
                   "rf/p517/b12@1800-1900:sa1 (@1800-:sa1 to the end), several joined by '+'",
                   text, why);
}

/* The rows that a suffix names, as bits: "cfin1", "cfin*". */
static int read_kinds(unsigned model, const char *pattern, const char *suffix, uint32_t *out,
                      struct fl_err *err)
{
    size_t n = strcspn(suffix, "*");
    struct fl_buf there = {0};
    *out = 0;
    for (int i = 0; fsim_row[i].name; i++) {
        if (!(fsim_row[i].flags & model))
            continue;
        fl_buf_printf(&there, " :%s", fsim_row[i].name);
        if (strncmp(fsim_row[i].name, suffix, n) == 0 &&
            (suffix[n] ? !suffix[n + 1] : !fsim_row[i].name[n]))
            *out |= 1u << i;
    }
    if (!*out)
        fl_fail(err,
                "fault '%.100s': '%.100s' is no fault of this model; there are%s, and * for the "
                "rest of a name",
                pattern, suffix, (char *)there.data);
    fl_buf_free(&there);
    return *out ? 0 : -1;
}

static bool read_cycle(const char **text, uint64_t *out)
{
    char *end;
    if (**text < '0' || **text > '9')
        return false;
    *out = strtoull(*text, &end, 10);
    bool ok = end - *text < 19;
    *text = end;
    return ok;
}

/* `1834`, `1800-1900` or `1800-` behind the @. */
static int read_window(const char *part, const char *at, struct fsim_pattern *p, struct fl_err *err)
{
    if (!at)
        return bad(part, "the cycle is missing", err);
    if (!read_cycle(&at, &p->from))
        return bad(part, "the cycle is no number", err);
    p->to = p->from;
    if (*at == '-' && *++at)
        return read_cycle(&at, &p->to) && p->to >= p->from && !*at
                   ? 0
                   : bad(part, "the last cycle is no number, or before the first", err);
    if (at[-1] == '-')
        p->to = FSIM_NO_END;
    return *at ? bad(part, "the cycle is no number", err) : 0;
}

/* rf/w2/t5/r3/b12 becomes the physical register, written into `room`. */
enum { OWNED_ROOM = 64 };
static int by_owner(const struct fsim_reader *r, const char *part, uint64_t cycle, char **text,
                    char room[OWNED_ROOM], struct fl_err *err)
{
    int warp, lane, reg, bit, end = 0, regs = 0, place = 0, behind = 0;
    if (sscanf(*text, "sm%d/%n", &place, &behind) != 1)
        behind = 0;
    const char *own = *text + behind;
    if (sscanf(own, "rf/w%d/t%d/r%d/b%d%n", &warp, &lane, &reg, &bit, &end) != 4 || own[end])
        return 0;
    if (place >= r->img->sms)
        return 0; /* read_cells says so */
    if (!r->owner)
        return bad(part, "who owns a register is not known here; name the physical one", err);
    int base = r->owner(r->context, place, warp, cycle, &regs);
    if (base < 0 || lane < 0 || lane >= SM_LANES || reg < 0 || reg >= regs || bit < 0 || bit > 31)
        return bad(part, "no such warp, thread, register or bit in that cycle", err);
    snprintf(room, OWNED_ROOM, "sm%d/rf/p%d/b%d", place, base + reg * SM_LANES + lane, bit);
    *text = room;
    return 0;
}

/* The aggressor, or the other address, of an id that names it; `text` is cut up. */
static int read_other(const struct sm_image *img, const char *pattern, char *text,
                      struct fsim_pattern *of, bool of_element, struct fl_err *err)
{
    struct fsim_pattern p;
    if (read_cells(img, pattern, text, &p, err) != 0)
        return -1;
    struct layout l = layout_of(img, of->structure);
    struct sm_cell c = fsim_pattern_first(&p), next = c;
    if (p.structure != of->structure)
        return fl_fail(err,
                       "fault '%s': both cells must be in one structure; correct the second one",
                       pattern);
    if (of_element ? !p.whole : p.whole || fsim_pattern_next(&p, &next))
        return fl_fail(err, "fault '%s': write %s, or *, after ~", pattern,
                       of_element ? "the other address, without a bit" : "one cell");
    if (of_element) {
        p.fields.hi = 0;
        p.bits.hi = 0;
        if (fsim_pattern_next(&p, &next))
            return fl_fail(err, "fault '%s': write one address, or *, after ~", pattern);
    }
    if (c.place != of->places.lo || of->places.lo != of->places.hi)
        return fl_fail(err, "fault '%s': both cells must be in one SM; correct the second one",
                       pattern);
    of->named = true;
    of->other = (struct layout_place){layout_element(&l, &c), of_element ? 0 : layout_bit(&l, &c)};
    return 0;
}

/* `text` is the pattern, and is cut up. */
static int read_pattern(const struct fsim_reader *r, const char *pattern, char *text,
                        struct fsim_pattern *p, struct fl_err *err)
{
    char room[OWNED_ROOM], *colon = strchr(text, ':'), *at = strchr(text, '@');
    char *behind = r->model == OF_MEMORIES ? strchr(text, '~') : NULL;
    uint32_t address = fsim_rows_of(ADDRESS);
    *p = (struct fsim_pattern){.rows = r->unsaid, .to = FSIM_NO_END};
    if (at && r->model != OF_WINDOWS)
        return fl_fail(err, "fault '%s': a permanent fault has no cycles; leave out '%.*s'",
                       pattern, (int)strcspn(at, ":~"), at);
    if (at && colon && colon < at)
        return bad(pattern, "the kind stands behind the cycle", err);
    if (colon)
        *colon++ = 0;
    if (at)
        *at++ = 0;
    if (behind)
        *behind++ = 0;
    if (colon && read_kinds(r->model, pattern, colon, &p->rows, err) != 0)
        return -1;
    if (r->model == OF_WINDOWS && (read_window(pattern, at, p, err) != 0 ||
                                   by_owner(r, pattern, p->from, &text, room, err) != 0))
        return -1;
    if (read_cells(r->img, pattern, text, p, err) != 0)
        return -1;
    if (r->model == OF_MEMORIES && !layout_is_memory(p->structure))
        return fl_fail(err,
                       "fault '%s': %s is not a memory; simulate its faults with faultsim stuck-at",
                       pattern, p->s.name);
    if (colon && !p->whole && !(p->rows & ~address))
        return fl_fail(
            err,
            "fault '%s': a fault of the address decoder concerns whole elements; leave out the bit",
            pattern);
    if (!behind)
        return 0;
    p->rows &= fsim_rows_of(PAIR);
    if (!p->rows)
        return fl_fail(err, "fault '%s': a fault of this kind has no second cell; leave out '~%s'",
                       pattern, behind);
    if (strcmp(behind, "*") == 0)
        return 0;
    if (p->rows & address && p->rows & ~address)
        return fl_fail(
            err, "fault '%s': the kind of fault is missing; add it, as in :cfin1 or :afw", pattern);
    return read_other(r->img, pattern, behind, p, p->rows & address, err);
}

int fsim_pattern_read(const struct fsim_reader *r, const char *text, struct fsim_pattern *out,
                      struct fl_err *err)
{
    char *copy = fl_strdup(text);
    int status = read_pattern(r, text, copy, out, err);
    free(copy);
    return status;
}

/* ---- transient and intermittent faults ------------------------------------------------------- */

static int add_part(const struct fsim_reader *r, const char *part, struct fsim_fault *out,
                    struct fl_err *err)
{
    struct fsim_pattern p;
    if (fsim_pattern_read(r, part, &p, err) != 0)
        return -1;
    const struct fsim_row *row = &fsim_row[__builtin_ctz(p.rows)];
    if (p.rows & (p.rows - 1))
        return bad(part, "it has one kind", err);
    if (row->kind == FSIM_FLIP && p.to != p.from)
        return bad(part, "a flip happens in one cycle", err);
    if (out->cells && (row->kind != out->kind || row->value != out->value || p.from != out->from ||
                       p.to != out->to))
        return bad(part, "all parts of a fault have the same cycles and kind", err);
    struct sm_cell c = fsim_pattern_first(&p);
    do {
        uint8_t n = out->cells;
        if (n == FSIM_CELLS)
            return fl_fail(err, "fault '%.100s': a fault has at most %d bits; name fewer", part,
                           FSIM_CELLS);
        for (int i = 0; i < n; i++)
            if (memcmp(&out[i].cell, &c, sizeof c) == 0)
                return bad(part, "a bit is there twice: two flips of it are none", err);
        out[n] = (struct fsim_fault){
            .cell = c, .kind = row->kind, .value = row->value, .from = p.from, .to = p.to};
        out->cells = (uint8_t)(n + 1);
    } while (fsim_pattern_next(&p, &c));
    return 0;
}

int fsim_parse(const struct sm_image *img, const char *text, fsim_owner owner, void *context,
               struct fsim_fault out[FSIM_CELLS], struct fl_err *err)
{
    const struct fsim_reader r = {
        img, OF_WINDOWS, fsim_rows_of(OF_WINDOWS) & ~fsim_rows_of(OF_CELLS), owner, context};
    char *copy = fl_strdup(text), *rest = copy;
    int status = 0;
    out->cells = 0;
    for (char *part; status == 0 && (part = strsep(&rest, "+"));)
        status = add_part(&r, part, out, err);
    free(copy);
    return status;
}

/* ---- back to text ---------------------------------------------------------------------------- */

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
    id = after_name(id, "sm") && strchr(id, '/') ? strchr(id, '/') + 1 : id;
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
    int n = sm_structure_letters(*structure, false, name);
    while (*field < n && !address &&
           !(after_name(last, name[*field]) &&
             last + strlen(name[*field]) + strspn(after_name(last, name[*field]), "0123456789") ==
                 end))
        ++*field;
    return *field < n;
}

/* Behind digits; NULL: there are none. */
static const char *after_digits(const char *text)
{
    size_t n = strspn(text, "0123456789");
    return n ? text + n : NULL;
}

/* Behind one of the names and its number; NULL: it is none of them. */
static const char *after_one_of(const char *text, const char *const *name, int n)
{
    for (int i = 0; i < n; i++) {
        const char *number = after_name(text, name[i]);
        const char *end = number && *number != '*' ? after_digits(number) : NULL;
        if (end && (!*end || strchr("/~@:", *end)))
            return end;
    }
    return NULL;
}

/* Behind a place of a structure: rf/p5/b12; `whole`: without a field, rf/p5. NULL: it is none. */
static const char *after_place(const char *id, bool whole)
{
    const char *axis[SM_MAX_FIELDS], *field[SM_MAX_FIELDS];
    const char *sm = after_one_of(id, (const char *const[]){"sm"}, 1);
    int structure = 0;
    if (sm && *sm == '/')
        id = sm + 1;
    size_t letters = strcspn(id, "/");
    while (structure < SM_ALL_STRUCTURES &&
           !(strlen(sm_structure_name(structure, NULL)) == letters &&
             strncmp(sm_structure_name(structure, NULL), id, letters) == 0))
        structure++;
    if (structure == SM_ALL_STRUCTURES)
        return NULL;
    int axes = sm_structure_letters(structure, true, axis);
    int fields = sm_structure_letters(structure, false, field);
    id += letters;
    for (int i = 0; id && i < axes; i++)
        id = *id == '/' ? after_one_of(id + 1, &axis[i], 1) : NULL;
    if (id && !whole)
        id = *id == '/' ? after_one_of(id + 1, field, fields) : NULL;
    return id;
}

/* Behind a gate or its pin: gate/alu_int.sp3/n120.1. */
static const char *after_gate(const char *id)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
    size_t unit = strncmp(id, "gate/", 5) == 0 ? strspn(id + 5, letters) : 0;
    if (!unit)
        return NULL;
    id += 5 + unit;
    if (strncmp(id, ".sp", 3) == 0)
        id = after_digits(id + 3);
    if (!id || id[0] != '/' || !strchr("no", id[1]))
        return NULL;
    id = after_digits(id + 2);
    return id && *id == '.' ? after_digits(id + 1) : id;
}

/* Behind @5, @5- or @5-9; where none is, the same. */
static const char *after_cycles(const char *id)
{
    const char *end = id && *id == '@' ? after_digits(id + 1) : id;
    if (end && end != id && *end == '-')
        end = end[1] == ':' ? end + 1 : after_digits(end + 1);
    return end;
}

static bool one_part(const char *id)
{
    static const char *const of_gates[] = {"sa0", "sa1", "str", "stf", "glitch"};
    const char *colon = strchr(id, ':');
    bool known = false, gate = strncmp(id, "gate/", 5) == 0, whole = false;
    if (!colon)
        return false;
    for (size_t i = 0; gate && i < sizeof of_gates / sizeof *of_gates; i++)
        known |= strcmp(colon + 1, of_gates[i]) == 0;
    for (int i = 0; !gate && fsim_row[i].name; i++)
        if (strcmp(colon + 1, fsim_row[i].name) == 0) {
            known = true;
            whole = fsim_row[i].flags & ADDRESS;
        }
    if (!known)
        return false;
    id = gate ? after_gate(id) : after_place(id, whole);
    if (id && *id == '~' && !gate)
        id = after_place(id + 1, whole);
    return after_cycles(id) == colon;
}

bool fsim_id_is_one(const char *id)
{
    char *copy = fl_strdup(id), *rest = copy;
    bool good = true;
    for (char *part; good && (part = strsep(&rest, "+"));)
        good = one_part(part);
    free(copy);
    return good;
}

static void print_one(const struct sm_image *img, const struct fsim_fault *f, char out[FSIM_ID])
{
    struct layout l = layout_of(img, f->cell.structure);
    unsigned flags = fsim_row_of(f)->flags;
    int n = print_place(&l.s, &f->cell, flags & ADDRESS, out, FSIM_ID);
    if (flags & PAIR) {
        struct sm_cell other = layout_cell(&l, f->cell.place, f->other, f->other_bit);
        out[n++] = '~';
        print_place(&l.s, &other, flags & ADDRESS, out + n, FSIM_ID - (size_t)n);
    }
}

void fsim_id(const struct sm_image *img, const struct fsim_fault *fault, char out[FSIM_ID])
{
    print_one(img, fault, out);
    size_t n = strlen(out);
    snprintf(out + n, FSIM_ID - n, ":%s", fsim_row_of(fault)->name);
}

void fsim_print(const struct sm_image *img, const struct fsim_fault *fault, struct fl_buf *out)
{
    for (int i = 0; i < fault->cells; i++) {
        char cell[FSIM_ID];
        print_one(img, &(struct fsim_fault){.cell = fault[i].cell}, cell);
        fl_buf_printf(out, "%s%s@%llu", i ? "+" : "", cell, (unsigned long long)fault->from);
        if (fault->kind != FSIM_FLIP)
            fl_buf_printf(out, "-");
        if (fault->kind != FSIM_FLIP && fault->to != FSIM_NO_END)
            fl_buf_printf(out, "%llu", (unsigned long long)fault->to);
        fl_buf_printf(out, ":%s", fsim_row_of(fault)->name);
    }
}
