/* caches.c -- see caches.h. */
#include "caches.h"

#include <math.h>

void caches_print(const struct result *r, struct fl_buf *out)
{
    bool head = false;
    for (int i = 0; i < r->njobs * CACHES; i++) {
        const struct result_job *j = &r->job[i / CACHES];
        const struct result_cache *c = &j->cache[i % CACHES];
        if (!c->there)
            continue;
        if (!head)
            fl_buf_printf(out,
                          "\nCaches in the fault-free run; live: percent of bits x cycles that are "
                          "read before they are written\n");
        head = true;
        fl_buf_printf(out, "%s, %s: %.0f hits, %.0f misses, %.0f write-backs", j->name,
                      profile_cache_name(i % CACHES), c->figure[CACHE_HITS],
                      c->figure[CACHE_MISSES], c->figure[CACHE_WRITE_BACKS]);
        if (!isnan(c->figure[CACHE_LIVE]))
            fl_buf_printf(out, "; live: state %.4f, data %.4f", 100 * c->figure[CACHE_LIVE],
                          100 * c->figure[CACHE_LIVE_DATA]);
        fl_buf_printf(out, "\n");
    }
}

void caches_xml(xmlTextWriterPtr w, const struct result_job *j)
{
    for (int i = 0; i < CACHES; i++) {
        if (!j->cache[i].there)
            continue;
        xml_out_open(w, "cache");
        xml_out_text(w, "name", profile_cache_name(i));
        for (int f = 0; f < CACHE_FIGURES; f++)
            if (!isnan(j->cache[i].figure[f]))
                xmlTextWriterWriteFormatAttribute(w, BAD_CAST result_cache_figure[f], "%.15g",
                                                  j->cache[i].figure[f]);
        xml_out_close(w);
    }
}

void page_caches(struct page *p)
{
    const struct result *r = p->a->result;
    bool any = false;
    for (int i = 0; i < r->njobs * CACHES; i++) {
        const struct result_job *j = &r->job[i / CACHES];
        const struct result_cache *c = &j->cache[i % CACHES];
        if (!c->there)
            continue;
        if (!any) {
            page_heading(p, 2, "Caches");
            page_head(p, "*job|*cache|hits|misses|write-backs|live state %|live data %");
        }
        any = true;
        page_cell_text(p, j->name);
        page_cell_text(p, profile_cache_name(i % CACHES));
        for (int f = 0; f < CACHE_LIVE; f++)
            page_cell_count(p, (uint64_t)c->figure[f]);
        for (int f = CACHE_LIVE; f < CACHE_FIGURES; f++)
            page_cell_share(p, c->figure[f], 0);
        page_end_row(p);
    }
    if (!any)
        return;
    page_end_table(p);
    page_say(p,
             "Lines that instructions accessed in the fault-free run. Live: the share of bits x "
             "cycles, of tags and state bits and of data, that are read before they are written: "
             "only there can a flip matter.");
}
