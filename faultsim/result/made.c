/* made.c -- what made a result, as text and as attributes. */
#include "made.h"

#include <math.h>

#include <stdlib.h>
#include <string.h>

#define MADE_START "faultline "

void made_begin(struct fl_buf *out, const char *model, const char *engine)
{
    fl_buf_printf(out, MADE_START "%s model=%s", made_results(model, engine), model);
}

const char *made_results(const char *model, const char *engine)
{
    bool flips = strcmp(model, "transient") == 0 || strcmp(model, "intermittent") == 0;
    if (strcmp(engine, "rtl") == 0)
        return FAULTLINE_RESULTS_RTL;
    return flips ? FAULTLINE_RESULTS_TRANSIENT : FAULTLINE_RESULTS;
}

char *made_exported(const char *made, const char *program)
{
    const char *space = program ? " " : "";
    bool named = strncmp(made, MADE_START, strlen(MADE_START)) == 0;
    return fl_format("faultline%s%s %s%s", space, program ? program : "", named ? "results=" : "",
                     named ? made + strlen(MADE_START) : made);
}

/* The last release that goes on with what has these results. */
static const struct {
    const char *results, *release;
} last_release[] = {{"0.1", "0.2.0"}};

char *made_by_other_results(const char *there, const char *here)
{
    size_t start = strlen(MADE_START), n;
    if (strncmp(there, MADE_START, start) != 0 || strncmp(here, MADE_START, start) != 0)
        return NULL;
    there += start, here += start;
    n = strcspn(there, " ");
    if (n == strcspn(here, " ") && strncmp(there, here, n) == 0)
        return NULL;
    int now = (int)strcspn(here, " ");
    for (size_t i = 0; i < sizeof last_release / sizeof *last_release; i++)
        if (strlen(last_release[i].results) == n && strncmp(last_release[i].results, there, n) == 0)
            return fl_format(
                "its results are those of version %.*s, and such faults may end otherwise "
                "since %.*s: finish it with version %s, whose store faultsim report "
                "and merge read, or start again in another file",
                (int)n, there, now, here, last_release[i].release);
    return fl_format(
        "its results are those of version %.*s, and this program has those of %.*s: "
        "finish it with the program that made it, whose store faultsim report and merge "
        "read, or start again in another file",
        (int)n, there, now, here);
}

const char *const made_checked[MADE_CHECKS] = {" checked=no", " checked=vectors",
                                               " checked=proved"};

bool made_says(const char *made, const char *word)
{
    size_t n = strlen(word);
    for (const char *at = made; (at = strstr(at, word)); at += n)
        if ((at == made || at[-1] == ' ') && (at[n] == ' ' || at[n] == 0))
            return true;
    return false;
}

uint64_t made_number(const char *made, const char *word)
{
    char *with = fl_format(" %s=", word);
    const char *at = strstr(made, with);
    uint64_t n = at ? strtoull(at + strlen(with), NULL, 10) : 0;
    free(with);
    return n;
}

char *made_without(const char *made, const char *word)
{
    char *all = fl_strdup(made), *with = fl_format(" %s", word), *at = strstr(all, with);
    size_t n = strlen(with);
    if (at && (at[n] == ' ' || at[n] == 0))
        memmove(at, at + n, strlen(at + n) + 1);
    free(with);
    return all;
}

const char made_gpufi[] = "cache-model=gpufi";

const char *made_caches(const char *made)
{
    return made_says(made, made_gpufi)
               ? "Caches are those of gpuFI-4: they hold no data, a flipped tag changes hits and "
                 "misses alone, and valid, dirty and replacement bits cannot be flipped."
               : NULL;
}

const char *made_note(int outputs)
{
    return outputs ? NULL
                   : "no <output>: sdc cannot happen, the figures are of crashes, hangs and "
                     "timeouts alone";
}

static void csv_caches(const struct result_job *j, struct fl_buf *out)
{
    for (int i = 0; i < CACHES; i++) {
        if (!j->cache[i].there)
            continue;
        fl_buf_printf(out, "# cache=%s job=%s", profile_cache_name(i), j->name);
        for (int f = 0; f < CACHE_FIGURES; f++)
            if (!isnan(j->cache[i].figure[f]))
                fl_buf_printf(out, " %s=%.15g", result_cache_figure[f], j->cache[i].figure[f]);
        fl_buf_printf(out, "\n");
    }
}

void made_csv(const char *made, const struct result_job *job, int njobs, struct fl_buf *out)
{
    fl_buf_printf(out, "# %s\n", made);
    for (int i = 0; i < njobs; i++) {
        const struct result_job *j = &job[i];
        fl_buf_printf(out, "# job=%s profile=%s sps=%d sha256=%s", j->name, j->profile, j->sps,
                      j->digest);
        if (j->cubin[0])
            fl_buf_printf(out, " cubin=%s", j->cubin);
        fl_buf_printf(out, "\n");
        if (made_note(j->outputs))
            fl_buf_printf(out, "# note job=%s %s\n", j->name, made_note(j->outputs));
        csv_caches(j, out);
    }
}

void made_xml_job(xmlTextWriterPtr w, const struct result_job *j)
{
    xml_out_text(w, "profile", j->profile);
    xml_out_count(w, "sps", (uint64_t)j->sps);
    xml_out_text(w, "digest", j->digest);
    if (j->cubin[0])
        xml_out_text(w, "cubin", j->cubin);
    if (made_note(j->outputs))
        xml_out_text(w, "note", made_note(j->outputs));
}
