/* caches.c -- see caches.h. */
#include "caches.h"

#include <math.h>

#include "base/table.h"

void caches_print(const struct result *r, struct fl_buf *out)
{
    struct fl_table t = {0};
    fl_table_title(&t, "Caches in the fault-free run; live: percent of bits x cycles that are read "
                       "before they are written");
    fl_table_columns(&t, "*job|*cache|hits|misses|write-backs|live state %|live data %");
    for (int i = 0; i < r->njobs * CACHES; i++) {
        const struct result_job *j = &r->job[i / CACHES];
        const struct result_cache *c = &j->cache[i % CACHES];
        if (!c->there)
            continue;
        fl_table_cell(&t, "%s", j->name);
        fl_table_cell(&t, "%s", profile_cache_name(i % CACHES));
        for (int f = 0; f < CACHE_LIVE; f++)
            fl_table_cell(&t, "%.0f", c->figure[f]);
        for (int f = CACHE_LIVE; f < CACHE_FIGURES; f++)
            if (isnan(c->figure[f]))
                fl_table_cell(&t, "-");
            else
                fl_table_cell(&t, "%.4f", 100 * c->figure[f]);
    }
    fl_table_print(&t, out);
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
