/* values.c -- what stands behind an option on the line becomes a member of the request. */
#include "values.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "faultsim/result/metrics.h"
#include "faultsim/verdict/verdict.h"

bool cli_flag(const struct cli_option *o, const char *value, void *to)
{
    (void)o, (void)value;
    *(bool *)to = true;
    return true;
}

bool cli_text(const struct cli_option *o, const char *value, void *to)
{
    (void)o;
    *(const char **)to = value;
    return true;
}

bool cli_input(const struct cli_option *o, const char *value, void *to)
{
    return cli_text(o, fl_input(value), to);
}

bool cli_output(const struct cli_option *o, const char *value, void *to)
{
    return cli_text(o, value, to);
}

bool cli_word(const struct cli_option *o, const char *value, void *to)
{
    struct cli_words *w = to;
    (void)o;
    w->word = fl_grow(w->word, (size_t)w->count + 1, sizeof *w->word);
    w->word[w->count++] = value;
    return true;
}

static bool read_count(const char *text, uint64_t min, uint64_t max, uint64_t *out)
{
    char *end;
    *out = strtoull(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && strlen(text) < 20 && *end == 0 && *out >= min &&
           *out <= max;
}

static bool read_small(const char *text, uint64_t min, uint64_t max, int *out)
{
    uint64_t n;
    bool ok = read_count(text, min, max, &n);
    *out = ok ? (int)n : 0;
    return ok;
}

static bool read_number(const char *text, double below, double *out)
{
    char *end;
    *out = strtod(text, &end);
    return end != text && *end == 0 && *out > 0 && *out < below;
}

bool cli_count(const struct cli_option *o, const char *value, void *to)
{
    return read_count(value, o->min, o->max, to);
}

bool cli_seed(const struct cli_option *o, const char *value, void *to)
{
    struct cli_seed *seed = to;
    return seed->given = read_count(value, o->min, o->max, &seed->number);
}

bool cli_small(const struct cli_option *o, const char *value, void *to)
{
    return read_small(value, o->min, o->max, to);
}

bool cli_kinds(const struct cli_option *o, const char *value, void *to)
{
    struct fl_err err;
    (void)o;
    return fsim_choice_kinds(to, value, &err) == 0;
}

bool cli_share(const struct cli_option *o, const char *value, void *to)
{
    (void)o;
    return read_number(value, 1, to);
}

bool cli_positive(const struct cli_option *o, const char *value, void *to)
{
    (void)o;
    return read_number(value, 1e30, to);
}

/* Structures, and patterns of their faults; fsim_list_add knows the names. */
bool cli_patterns(const struct cli_option *o, const char *value, void *to)
{
    return cli_text(o, value, to);
}

/* As many as a campaign can take, none of them empty; avf_targets knows the names. */
bool cli_targets(const struct cli_option *o, const char *value, void *to)
{
    int n = 1;
    for (const char *comma = value; (comma = strchr(comma, ',')); comma++)
        n++;
    bool empty = !*value || *value == ',' || strstr(value, ",,") || value[strlen(value) - 1] == ',';
    return cli_text(o, value, to) && !empty && n <= AVF_MAX_TARGETS;
}

bool cli_cycles(const struct cli_option *o, const char *value, void *to)
{
    struct context_window *w = to;
    char *copy = fl_strdup(value), *dash = strchr(copy, '-');
    (void)o;
    if (dash)
        *dash++ = 0;
    bool ok = dash && read_count(copy, 0, UINT64_MAX - 1, &w->from) &&
              read_count(dash, w->from, UINT64_MAX - 1, &w->to);
    free(copy);
    return ok;
}

bool cli_bits(const struct cli_option *o, const char *value, void *to)
{
    struct avf_pattern *p = to;
    (void)o;
    if (strncmp(value, "adjacent:", 9) == 0)
        return read_small(value + 9, 1, 32, &p->adjacent);
    return strncmp(value, "random:", 7) == 0 && read_small(value + 7, 1, 32, &p->random);
}

bool cli_sms(const struct cli_option *o, const char *value, void *to)
{
    (void)o;
    return fsim_sms_read(value, to);
}

/* 3=detected; each status once. */
bool cli_exit(const struct cli_option *o, const char *value, void *to)
{
    static const enum fsim_outcome may[] = {OUT_SDC, OUT_DETECTED, OUT_MASKED};
    struct cli_exits *exits = to;
    char *end = NULL;
    (void)o;
    unsigned long status = isdigit((unsigned char)*value) ? strtoul(value, &end, 10) : ULONG_MAX;
    if (status >= PROGRAM_STATUSES || *end != '=' || exits->means[status])
        return false;
    for (size_t i = 0; i < sizeof may / sizeof *may; i++)
        if (strcmp(end + 1, fsim_outcome_name(may[i])) == 0)
            exits->means[status] = (uint8_t)(may[i] + 1);
    exits->count += exits->means[status] != 0;
    return exits->means[status] != 0;
}

/* All but the last, which decides every fault. */
bool cli_rungs(const struct cli_option *o, const char *value, void *to)
{
    uint32_t *skip = to;
    char *copy = fl_strdup(value);
    (void)o;
    bool ok = *value;
    for (char *rest = copy, *word; ok && (word = strsep(&rest, ","));) {
        int rung = 0;
        while (rung < RUNG_BRUTE_FORCE && strcmp(word, fsim_rung_name(rung)) != 0)
            rung++;
        ok = rung < RUNG_BRUTE_FORCE;
        *skip |= 1u << rung;
    }
    free(copy);
    return ok;
}

bool cli_hold(const struct cli_option *o, const char *value, void *to)
{
    (void)o;
    if (strcmp(value, "end") != 0)
        return read_count(value, 1, 1ull << 40, to);
    *(uint64_t *)to = FSIM_NO_END;
    return true;
}

bool cli_shard(const struct cli_option *o, const char *value, void *to)
{
    struct cli_shard *s = to;
    (void)o;
    return store_shard_parse(value, &s->number, &s->of, &s->why) == 0;
}

/* 8, 16 and 32, each at most once. */
bool cli_sps(const struct cli_option *o, const char *value, void *to)
{
    struct cli_sps *s = to;
    char *copy = fl_strdup(value), *rest = copy;
    bool ok = true;
    (void)o;
    s->count = 0;
    for (char *t; ok && (t = strsep(&rest, ","));) {
        int n;
        ok = s->count < 3 && read_small(t, 8, 32, &n) && (n == 8 || n == 16 || n == 32);
        for (int i = 0; ok && i < s->count; i++)
            ok = s->sps[i] != n;
        if (ok)
            s->sps[s->count++] = n;
    }
    free(copy);
    return ok;
}

bool cli_fit(const struct cli_option *o, const char *value, void *to)
{
    struct cli_rate *rate = to;
    (void)o;
    rate->from = "--fit-per-bit";
    return read_number(value, 1e30, &rate->fit_per_bit);
}

bool cli_technology(const struct cli_option *o, const char *value, void *to)
{
    const struct metrics_technology *t = metrics_technology(value);
    (void)o;
    if (t)
        *(struct cli_rate *)to = (struct cli_rate){t->fit_per_bit, t->source};
    return t != NULL;
}

bool cli_protect(const struct cli_option *o, const char *value, void *to)
{
    (void)o;
    return protect_parse(value, to) == 0;
}

bool cli_page(const struct cli_option *o, const char *value, void *to)
{
    (void)o;
    *(const char **)to = value;
    return strcmp(value, "man") == 0 || strcmp(value, "completion") == 0;
}

bool cli_progress(const struct cli_option *o, const char *value, void *to)
{
    struct cli_progress *p = to;
    static const char *const name[] = {[PROGRESS_NONE] = "none",
                                       [PROGRESS_AUTO] = "auto",
                                       [PROGRESS_BAR] = "bar",
                                       [PROGRESS_LINE] = "line"};
    (void)o;
    for (int i = PROGRESS_NONE; i <= PROGRESS_LINE; i++)
        if (strcmp(value, name[i]) == 0) {
            *p = (struct cli_progress){.given = true, .show = (enum progress_show)i};
            return true;
        }
    *p = (struct cli_progress){.given = true, .show = PROGRESS_LINE};
    return strncmp(value, "line:", 5) == 0 && read_small(value + 5, 1, 86400, &p->every);
}

/* One of the words of o->argument, by its number. */
bool cli_one_of(const struct cli_option *o, const char *value, void *to)
{
    unsigned number = 0;
    for (const char *word = o->argument; *word; number++) {
        size_t letters = strcspn(word, "|");
        if (strlen(value) == letters && strncmp(word, value, letters) == 0) {
            *(unsigned *)to = number;
            return true;
        }
        word += letters + (word[letters] == '|');
    }
    return false;
}
