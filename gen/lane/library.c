/* library.c -- files of groups (docs/groups.rng), and lists of what a judge has left. */
#include "lane.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/xml.h"

static int read_faults(struct lane_groups *g, const struct xml_file *f, xmlNode *n,
                       struct fl_err *err)
{
    struct fl_buf text = {0};
    long room = 0;
    int bad = xml_text(f, n, &text, err);
    fl_buf_add(&text, "", 1);
    for (char *at = (char *)text.data, *word; !bad && (word = strtok_r(at, " \n\t\r", &at));) {
        FL_ROOM(g->fault, g->faults, room, 1024);
        g->fault[g->faults++] = fl_strdup(word);
    }
    fl_buf_free(&text);
    g->words = (g->faults + 63) / 64;
    g->wanted = fl_alloc((size_t)g->faults);
    return bad;
}

static int read_shows(struct lane_groups *g, const struct xml_file *f, xmlNode *n,
                      struct lane_group *to, struct fl_err *err)
{
    struct fl_buf text = {0};
    int bad = xml_text(f, n, &text, err);
    fl_buf_add(&text, "", 1);
    const char *s = bad ? "" : (char *)text.data;
    to->shows = fl_alloc((size_t)g->words * sizeof *to->shows);
    if (!bad && strlen(s) != (size_t)(16 * g->words))
        bad = xml_fail(f, n, err, "<shows> has %zu digits, and %ld faults need %ld", strlen(s),
                       g->faults, 16 * g->words);
    for (long i = 0; !bad && i < 16 * g->words; i++) {
        uint64_t digit = (uint64_t)(s[i] <= '9' ? s[i] - '0' : s[i] - 'a' + 10);
        to->shows[i / 16] |= digit << i % 16 * 4;
    }
    if (!bad && g->faults % 64 && to->shows[g->words - 1] >> g->faults % 64)
        bad = xml_fail(f, n, err, "<shows> names a fault behind the last, number %ld",
                       g->faults - 1);
    fl_buf_free(&text);
    return bad;
}

static int read_operand(const struct xml_file *f, xmlNode *n, struct lane_group *to,
                        struct fl_err *err)
{
    struct fl_buf text = {0};
    if (to->operands == LANE_MAX_OPERANDS)
        return xml_fail(f, n, err, "more than %d operands", LANE_MAX_OPERANDS);
    struct lane_operand *o = &to->operand[to->operands++];
    snprintf(o->to, sizeof o->to, "%s", xml_attr(n, "to"));
    int bad = xml_text(f, n, &text, err), k = 0;
    fl_buf_add(&text, "", 1);
    for (char *at = (char *)text.data, *word; !bad && (word = strtok_r(at, " \n\t\r", &at)); k++)
        if (k >= LANE_SETS || !xml_u32(word, &o->word[k]))
            bad = xml_fail(f, n, err,
                           "an operand has %d numbers of 32 bits, for lanes 0 to 7, 8 to 15 ...",
                           LANE_SETS);
    if (!bad && k < LANE_SETS)
        bad = xml_fail(f, n, err, "%d numbers; an operand has %d", k, LANE_SETS);
    fl_buf_free(&text);
    return bad;
}

static int read_group(struct lane_groups *g, const struct xml_file *f, xmlNode *n,
                      struct fl_err *err)
{
    uint32_t price = 0;
    if (xml_attr_u32(f, n, "price", 1, 100, &price, err) != 0)
        return -1;
    g->group = fl_grow(g->group, (size_t)g->count + 1, sizeof *g->group);
    struct lane_group *to = &g->group[g->count++];
    *to = (struct lane_group){
        .insn = fl_strdup(xml_attr(n, "insn")), .price = (int)price, .flags = xml_attr(n, "flags")};
    int bad = 0;
    for (xmlNode *c = xml_first(n); c && !bad; c = xml_next(c))
        bad = xml_is(c, "shows") ? read_shows(g, f, c, to, err) : read_operand(f, c, to, err);
    return bad;
}

static bool can_show(const struct lane_groups *g, long fault)
{
    for (int k = 0; k < g->count; k++)
        if (g->group[k].shows[fault / 64] >> fault % 64 & 1)
            return true;
    return false;
}

/* n12:str, n12:stf: most of them are shown by what follows what, whatever the groups. */
static bool is_slow(const char *id)
{
    return strstr(id, ":st") != NULL;
}

/* Stuck gates that some group shows are wanted once, slow ones only when a judge has left them. */
static void want(struct lane_groups *g)
{
    g->first_slow = 0;
    while (g->first_slow < g->faults && !is_slow(g->fault[g->first_slow]))
        g->first_slow++;
    for (long i = 0; i < g->faults; i++)
        g->wanted[i] = !is_slow(g->fault[i]) && can_show(g, i);
    for (long i = 0; i < g->faults; i++)
        g->shown += g->wanted[i];
}

int lane_groups_load(const char *path, struct lane_groups **out, struct fl_err *err)
{
    struct lane_groups *g = fl_alloc(sizeof *g);
    struct xml_file f = {0};
    g->path = fl_strdup(path);
    int bad = xml_read(path, "groups", "docs/groups.rng", &f, err);
    if (!bad) {
        xmlNode *top = xmlDocGetRootElement(f.doc);
        g->unit = fl_strdup(xml_attr(top, "unit"));
        g->netlist = fl_strdup(xml_attr(top, "netlist"));
        for (xmlNode *n = xml_first(top); n && !bad; n = xml_next(n))
            bad = xml_is(n, "faults") ? read_faults(g, &f, n, err) : read_group(g, &f, n, err);
        xml_close(&f);
    }
    if (!bad)
        want(g);
    if (!bad && !g->shown)
        bad = fl_fail(err,
                      "%s: no group detects a fault, so there is nothing to test; make the groups "
                      "again with faultsim gate --groups",
                      path);
    if (bad) {
        lane_groups_free(g);
        g = NULL;
    }
    *out = g;
    return g ? 0 : -1;
}

void lane_groups_free(struct lane_groups *g)
{
    if (!g)
        return;
    for (int i = 0; i < g->count; i++) {
        free(g->group[i].insn);
        free(g->group[i].shows);
    }
    for (long i = 0; i < g->faults; i++)
        free(g->fault[i]);
    free(g->group);
    free(g->fault);
    free(g->wanted);
    free(g->path);
    free(g->unit);
    free(g->netlist);
    free(g);
}

/* gate/alu_int.sp3/n12:sa0 or gate/alu_int/n12:sa0, at the start of a line or behind a comma: what stands
 * behind the unit; NULL: it is of another. */
static const char *id_of(const struct lane_groups *g, const char *line, size_t *length)
{
    const char *at = strstr(line, "gate/");
    size_t n = strlen(g->unit);
    if (!at || strncmp(at + 5, g->unit, n) != 0 || (at[5 + n] != '.' && at[5 + n] != '/'))
        return NULL;
    at = strchr(at + 5 + n, '/');
    if (!at)
        return NULL;
    *length = strcspn(at + 1, ", \r\n");
    return at + 1;
}

struct by_id {
    const char *id;
    long number;
};

static int compare(const void *a, const void *b)
{
    return strcmp(((const struct by_id *)a)->id, ((const struct by_id *)b)->id);
}

long lane_groups_left(struct lane_groups *g, const char *path, struct fl_err *err)
{
    struct fl_buf text = {0};
    struct by_id *all = fl_alloc((size_t)g->faults * sizeof *all);
    long count = 0;
    int bad = fl_read_text(path, &text, err);
    for (long i = 0; i < g->faults; i++)
        all[i] = (struct by_id){g->fault[i], i};
    qsort(all, (size_t)g->faults, sizeof *all, compare);
    for (char *at = (char *)text.data, *line; !bad && at && (line = strsep(&at, "\n"));) {
        size_t length;
        const char *id = *line == '#' ? NULL : id_of(g, line, &length);
        if (!id || strstr(line, ",detected,"))
            continue;
        char *copy = fl_format("%.*s", (int)length, id);
        struct by_id key = {copy, 0},
                     *found = bsearch(&key, all, (size_t)g->faults, sizeof *all, compare);
        if (!found)
            bad = fl_fail(err, "%s: %s has no fault %s; the list is of another netlist", path,
                          g->path, copy);
        else {
            uint8_t *wanted = &g->wanted[found->number];
            bool more = is_slow(found->id) ? *wanted == 0 && can_show(g, found->number)
                                           : *wanted > 0 && *wanted < UINT8_MAX;
            *wanted = (uint8_t)(*wanted + more);
            count += more;
        }
        free(copy);
    }
    free(all);
    fl_buf_free(&text);
    return bad ? -1 : count;
}

void lane_groups_suffice(struct lane_groups *g, long slow)
{
    long wanted = 0;
    for (long i = g->first_slow; i < g->faults; i++)
        wanted += g->wanted[i] > 0;
    g->spare = slow && slow < wanted ? wanted - slow : 0;
}
