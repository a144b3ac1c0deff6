/* join.c -- copies netlists into one build, driven inputs left out. See join.h. */
#include "join.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "gate/build.h"

struct joiner {
    struct gate_join *j;
    struct gate_build b;
    const char *path;
    uint32_t line;
    bool *drives, *kept; /* [outputs of the first] */
    struct fl_err *err;
};

/* ---- lines ----------------------------------------------------------------------------------- */

/* The next word of a line. */
static bool word(const char **at, const char *end, char *to, size_t room)
{
    size_t n = 0;
    while (*at < end && isspace((unsigned char)**at))
        ++*at;
    while (*at + n < end && n + 1 < room && !isspace((unsigned char)(*at)[n]))
        n++;
    memcpy(to, *at, n);
    to[n] = 0;
    *at += n;
    return n > 0;
}

static const char *remark(const char *from, const char *to)
{
    const char *sign = memchr(from, '#', (size_t)(to - from));
    return sign ? sign : to;
}

enum line { OTHER, INTO, DRIVE, WATCH };

static enum line kind_of(const char *from, const char *to)
{
    char first[300], second[8];
    if (!word(&from, to, first, sizeof first))
        return OTHER;
    if (strcmp(first, "into") == 0 || strcmp(first, "watch") == 0)
        return *first == 'i' ? INTO : WATCH;
    return word(&from, to, second, sizeof second) && strcmp(second, "<-") == 0 ? DRIVE : OTHER;
}

bool gate_join_line(const char *from, const char *to)
{
    enum line kind = kind_of(from, remark(from, to));
    return kind == INTO || kind == DRIVE;
}

static int wrong(struct joiner *a, const char *name, const char *what)
{
    return fl_fail(a->err, "%s:%u: %s%s%s%s", a->path, a->line, name ? "'" : "", name ? name : "",
                   name ? "': " : "", what);
}

/* ---- names ----------------------------------------------------------------------------------- */

static uint32_t output_of(const struct gate_netlist *n, const char *name)
{
    for (uint32_t o = 0; o < n->outputs; o++)
        if (strcmp(n->output_name[o], name) == 0)
            return o;
    return UINT32_MAX;
}

/* The further netlist by which a name begins, and the rest of the name. */
static struct gate_joined *part_of(const struct gate_join *j, const char *name, const char **rest)
{
    for (uint32_t p = 0; p < j->parts; p++) {
        size_t n = strlen(j->part[p].name);
        if (strncmp(name, j->part[p].name, n) == 0 && name[n] == '.') {
            *rest = name + n + 1;
            return &j->part[p];
        }
    }
    return NULL;
}

/* What a net of a netlist is called in the build. */
static uint32_t build_name(struct joiner *a, const struct gate_joined *part, const char *name)
{
    if (!part)
        return gate_build_name(&a->b, name, 1);
    char *full = fl_format("%s.%s", part->name, name);
    uint32_t number = gate_build_name(&a->b, full, 1);
    free(full);
    return number;
}

/* An output of the first netlist that drives something reaches all readers outside through this net: a fault of the port is one of the
 * net. No name in a file has a blank. */
static uint32_t carrier(struct joiner *a, uint32_t output)
{
    char *full = fl_format("%s -> %u", a->j->first->output_name[output], output);
    uint32_t number = gate_build_name(&a->b, full, 1);
    free(full);
    return number;
}

/* NAME[high:low], or NAME: how many bits, and how each is called. */
struct bits {
    char stem[300];
    unsigned high, low;
    bool row;
};

static int bits_of(struct joiner *a, const char *name, struct bits *out)
{
    const char *bracket = strrchr(name, '[');
    unsigned high = 0, low = 0;
    int used = 0;
    out->row = bracket && sscanf(bracket, "[%4u:%4u]%n", &high, &low, &used) == 2 && used;
    out->high = out->row ? high : 0;
    out->low = out->row ? low : 0;
    snprintf(out->stem, sizeof out->stem, "%.*s",
             (int)(out->row ? (size_t)(bracket - name) : strlen(name)), name);
    if (out->row && out->high < out->low)
        return wrong(a, name, "a row of bits goes from the highest to the lowest");
    return 0;
}

static const char *bit_name(const struct bits *bits, unsigned i, char *to, size_t room)
{
    snprintf(to, room, bits->row ? "%.250s[%u]" : "%.250s", bits->stem, bits->low + i);
    return to;
}

/* ---- pass 1: which netlists, and what drives what --------------------------------------------- */

static int into(struct joiner *a, const char *at, const char *end)
{
    char file[256], more[8];
    struct gate_join *j = a->j;
    struct gate_netlist *n = NULL;
    if (!word(&at, end, file, sizeof file) || word(&at, end, more, sizeof more))
        return wrong(a, NULL, "a line is written into NETLIST");
    const char *slash = *file == '/' ? NULL : strrchr(j->first->file, '/');
    char *path = fl_format("%.*s%s", slash ? (int)(slash + 1 - j->first->file) : 0, j->first->file,
                           file);
    int bad = gate_read(path, &n, a->err);
    free(path);
    if (bad)
        return -1;
    char *unit = strrchr(file, '/') ? strrchr(file, '/') + 1 : file, *ending = strrchr(unit, '.');
    if (ending)
        *ending = 0;
    j->part = fl_grow(j->part, j->parts + 1, sizeof *j->part);
    j->part[j->parts++] = (struct gate_joined){fl_strdup(unit), n, a->line,
                                               fl_alloc(n->nets * sizeof(uint32_t)),
                                               fl_alloc(n->inputs * sizeof(uint32_t))};
    for (uint32_t p = 0; p + 1 < j->parts; p++)
        if (strcmp(j->part[p].name, unit) == 0)
            return wrong(a, unit, "a netlist is joined once");
    return n->flops ? wrong(a, unit, "a netlist that is joined has no flip-flops") : 0;
}

static uint32_t read_by(struct joiner *a, const struct gate_joined *part,
                        const struct gate_netlist *n, uint32_t net)
{ /* the name of the build that a net of a netlist is read by */
    if (part && net < n->inputs && part->driver[net])
        return part->driver[net] - 1;
    return build_name(a, part, n->name[net]);
}

/* The build's number of an output that drives something. */
static int driver_of(struct joiner *a, const char *name, uint32_t *out)
{
    const char *rest = NULL;
    struct gate_joined *part = part_of(a->j, name, &rest);
    uint32_t o = output_of(part ? part->n : a->j->first, part ? rest : name);
    if (o == UINT32_MAX)
        return wrong(a, name, "no output has this name");
    if (part) {
        *out = read_by(a, part, part->n, part->n->output[o]);
    } else {
        a->drives[o] = true;
        *out = carrier(a, o);
    }
    return 0;
}

/* TO <- FROM: an input of a further netlist, and what drives it: an output of the first, or of one before that. */
static int drive(struct joiner *a, const char *at, const char *end)
{
    char to[300], from[300], bit[300];
    const char *rest = NULL, *other = NULL;
    struct bits left, right;
    word(&at, end, to, sizeof to);
    word(&at, end, from, sizeof from);
    if (!word(&at, end, from, sizeof from) || word(&at, end, bit, sizeof bit))
        return wrong(a, NULL, "a line is written NETLIST.INPUT <- OUTPUT");
    struct gate_joined *part = part_of(a->j, to, &rest);
    if (!part)
        return wrong(a, to, "it is no input of a netlist that an into line names before");
    struct gate_joined *source = part_of(a->j, from, &other);
    if (source && source >= part)
        return wrong(a, from, "a netlist is driven by those before it");
    if (bits_of(a, rest, &left) || bits_of(a, from, &right))
        return -1;
    if (left.high - left.low != right.high - right.low)
        return wrong(a, to, "these rows differ in width");
    for (unsigned i = 0; i <= left.high - left.low; i++) {
        uint32_t in = 0, name = 0;
        bit_name(&left, i, bit, sizeof bit);
        while (in < part->n->inputs && strcmp(part->n->name[in], bit) != 0)
            in++;
        if (in == part->n->inputs)
            return wrong(a, bit, "no input of the joined netlist has this name");
        if (part->driver[in])
            return wrong(a, bit, "a second line drives it");
        if (driver_of(a, bit_name(&right, i, bit, sizeof bit), &name))
            return -1;
        part->driver[in] = name + 1;
    }
    return 0;
}

/* A `watch` line keeps outputs of the first netlist that drive something. What it cannot mean, the reader of constraints says. */
static void keep(struct joiner *a, const char *at, const char *end)
{
    char name[300], bit[300];
    struct bits bits;
    struct fl_err none = {""}, *err = a->err;
    word(&at, end, name, sizeof name);
    a->err = &none;
    if (word(&at, end, name, sizeof name) && bits_of(a, name, &bits) == 0)
        for (unsigned i = 0; i <= bits.high - bits.low; i++) {
            uint32_t o = output_of(a->j->first, bit_name(&bits, i, bit, sizeof bit));
            if (o != UINT32_MAX)
                a->kept[o] = true;
        }
    a->err = err;
}

static int read_lines(struct joiner *a, const char *text)
{
    int bad = 0;
    while (*text && !bad) {
        const char *end = text + strcspn(text, "\n"), *to = remark(text, end), *at = text;
        char first[300];
        a->line++;
        enum line kind = kind_of(text, to);
        if (kind == INTO) {
            word(&at, to, first, sizeof first);
            bad = into(a, at, to);
        } else if (kind == DRIVE) {
            bad = drive(a, at, to);
        } else if (kind == WATCH) {
            word(&at, to, first, sizeof first);
            keep(a, text, to);
        }
        text = end + (*end == '\n');
    }
    return bad;
}

/* ---- pass 2: the whole ------------------------------------------------------------------------ */

static void copy(struct joiner *a, const struct gate_joined *part, const struct gate_netlist *n)
{
    for (uint32_t i = 0; i < n->nets; i++) {
        const struct gate_cell *c = &n->cell[i];
        if (part && i < n->inputs && part->driver[i])
            continue;
        for (uint32_t k = 0; k < c->pins; k++) {
            uint32_t l = n->literal[c->first + k];
            gate_build_pin(&a->b, GATE_LITERAL(read_by(a, part, n, GATE_NET(l)), GATE_INVERTED(l)));
        }
        gate_build_cell(&a->b, *c, build_name(a, part, n->name[i]));
    }
}

/* An output that carries a net's value under a name of its own. */
static void carry(struct joiner *a, uint32_t from, uint32_t to)
{
    gate_build_pin(&a->b, GATE_LITERAL(from, 0));
    gate_build_cell(&a->b, (struct gate_cell){.kind = GATE_AND, .pins = 1, .line = 1}, to);
}

static void outputs(struct joiner *a)
{
    const struct gate_netlist *n = a->j->first;
    for (uint32_t o = 0; o < n->outputs; o++) {
        uint32_t net = build_name(a, NULL, n->name[n->output[o]]), to = carrier(a, o);
        carry(a, net, to);
        if (!a->drives[o] || a->kept[o])
            gate_build_output(&a->b, to);
    }
    for (uint32_t p = 0; p < a->j->parts; p++) {
        const struct gate_joined *part = &a->j->part[p];
        for (uint32_t o = 0; o < part->n->outputs; o++) {
            char *full = fl_format("%s.%s -> %u", part->name, part->n->output_name[o], o);
            uint32_t to = gate_build_name(&a->b, full, 1);
            carry(a, read_by(a, part, part->n, part->n->output[o]), to);
            gate_build_output(&a->b, to);
            free(full);
        }
    }
}

struct named {
    const char *name;
    uint32_t net;
};

static int by_name(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    return strcmp(x->name, y->name);
}

/* Where each net is in the whole. */
static void find_nets(struct joiner *a)
{
    struct gate_join *j = a->j;
    const struct gate_netlist *whole = j->n;
    struct named *sorted = fl_alloc(whole->nets * sizeof *sorted);
    uint32_t *net = fl_alloc(a->b.names * sizeof *net); /* by the numbers of the build */
    for (uint32_t i = 0; i < whole->nets; i++)
        sorted[i] = (struct named){whole->name[i], i};
    qsort(sorted, whole->nets, sizeof *sorted, by_name);
    for (uint32_t i = 0; i < a->b.names; i++) {
        struct named key = {a->b.name[i], 0};
        const struct named *found = bsearch(&key, sorted, whole->nets, sizeof *sorted, by_name);
        net[i] = found ? found->net : UINT32_MAX;
    }
    for (uint32_t i = 0; i < j->first->nets; i++)
        j->net[i] = net[read_by(a, NULL, j->first, i)];
    for (uint32_t o = 0; o < j->first->outputs; o++)
        j->port[o] = net[carrier(a, o)];
    for (uint32_t p = 0; p < j->parts; p++)
        for (uint32_t i = 0; i < j->part[p].n->nets; i++)
            j->part[p].net[i] = net[read_by(a, &j->part[p], j->part[p].n, i)];
    free(sorted);
    free(net);
    for (uint32_t o = 0; o < whole->outputs; o++)
        *strstr(whole->output_name[o], " -> ") = 0;
}

int gate_join_text(const char *path, const char *text, const struct gate_netlist *n,
                   struct gate_join **out, struct fl_err *err)
{
    struct gate_join *j = fl_alloc(sizeof *j);
    struct joiner a = {.j = j, .path = path, .err = err};
    j->first = n;
    j->net = fl_alloc(n->nets * sizeof *j->net);
    j->port = fl_alloc(n->outputs * sizeof *j->port);
    a.drives = fl_alloc(n->outputs * sizeof *a.drives);
    a.kept = fl_alloc(n->outputs * sizeof *a.kept);
    a.b.path = n->file;
    a.b.model = fl_strdup(n->model);
    int bad = read_lines(&a, text);
    if (!bad && j->parts) {
        copy(&a, NULL, n);
        for (uint32_t p = 0; p < j->parts; p++)
            copy(&a, &j->part[p], j->part[p].n);
        outputs(&a);
        bad = gate_build_end(&a.b, &j->n, err);
    }
    if (!bad && j->n)
        find_nets(&a);
    gate_build_free(&a.b);
    free(a.drives);
    free(a.kept);
    *out = bad || !j->n ? NULL : j;
    if (!*out)
        gate_join_free(j);
    return bad;
}

void gate_join_free(struct gate_join *j)
{
    if (!j)
        return;
    for (uint32_t p = 0; p < j->parts; p++) {
        free(j->part[p].name);
        free(j->part[p].net);
        free(j->part[p].driver);
        gate_netlist_free(j->part[p].n);
    }
    free(j->part);
    free(j->net);
    free(j->port);
    gate_netlist_free(j->n);
    free(j);
}

uint32_t gate_join_output(const struct gate_join *j, const char *name)
{
    const char *rest = NULL;
    const struct gate_joined *part = part_of(j, name, &rest);
    const struct gate_netlist *n = part ? part->n : j->first;
    uint32_t o = output_of(n, part ? rest : name);
    return o == UINT32_MAX ? o : (part ? part->net : j->net)[n->output[o]];
}

uint32_t gate_join_fault(const struct gate_join *j, uint32_t fault)
{
    const struct gate_netlist *n = j->first;
    uint32_t site = GATE_SITE(fault), at;
    switch (gate_site(n, site, &at)) {
    case GATE_AT_NET: site = j->net[at]; break;
    case GATE_AT_PORT: site = j->port[at]; break;
    default: {
        uint32_t cell = n->pin_cell[at];
        site = j->n->nets + j->n->cell[j->net[cell]].first + (at - n->cell[cell].first);
    }
    }
    return GATE_FAULT(site, gate_stuck_value(n, fault));
}

struct gate_faults *gate_join_faults(const struct gate_join *j, const struct gate_faults *f)
{
    struct gate_faults *all = fl_alloc(sizeof *all);
    all->model = f->model;
    all->all = 2 * (j->n->nets + j->n->pins + j->n->ports);
    all->count = f->count;
    all->fault = fl_alloc(f->count * sizeof *all->fault);
    all->class_of = fl_alloc(all->all * sizeof *all->class_of);
    memset(all->class_of, 0xff, all->all * sizeof *all->class_of);
    for (uint32_t i = 0; i < f->count; i++) {
        all->fault[i] = gate_join_fault(j, f->fault[i]);
        all->class_of[all->fault[i]] = i;
    }
    return all;
}
