/* count.c -- one injection, counted into what a unit of work found. See campaign.h. */
#include "campaign.h"

#include "faultsim/result/words.h"

/* t NULL: nobody wants it. */
static void count_in(struct tally *t, const struct campaign_injection *i)
{
    const struct fsim_result *r = i->result;
    if (!t)
        return;
    t->counted++;
    t->outcome[r->outcome]++;
    t->reason[i->why]++;
    if (r->outcome == OUT_SDC)
        tally_wrong(t, r->elements, r->unwritten, r->by, &r->anatomy, 1);
    t->owned_counted += i->owned;
    t->owned_failed += i->owned && fsim_outcome_fails(r->outcome);
    t->not_run += !i->ran;
    t->runs += i->ran;
}

/* The elements that differ, and who wrote them. */
static void put_words(const struct job_context *l, uint32_t kept, struct fl_buf *out)
{
    uint32_t n;
    const struct outputs_element *e = outputs_kept(l->g->outputs, kept, &n);
    for (uint32_t i = 0; i < n; i++) {
        const struct writer *by = writers_of(l->g->writers, e[i].output, e[i].index);
        const struct words_row row = {e[i].output, e[i].index, e[i].right, e[i].wrong, by->launch,
                                      by->block,   by->warp,   by->lane,   by->pc};
        uint8_t bytes[WORDS_KEPT];
        words_put(&row, bytes);
        fl_buf_add(out, bytes, sizeof bytes);
    }
}

void campaign_count(const struct job_context *l, struct store_found *found,
                    const struct campaign_injection *i)
{
    const struct fsim_result *r = i->result;
    int launch = context_launch(l, i->cycle);
    struct moment *m = &found->moment[timeline_bucket(&l->facts.timeline, i->cycle)];
    bool fails = fsim_outcome_fails(r->outcome);
    count_in(&found->tally[launch], i);
    if (i->at)
        count_in(store_found_sm(found, i->at->place, launch), i);
    m->outcome[r->outcome]++;
    m->owned_counted += i->owned;
    m->owned_failed += i->owned && fails;
    int row = i->at && i->at->structure == SM_S_rf ? (int)sm_unit_of(l->img, i->at).unit : -1;
    context_count_site(l, &found->sites, SITE_READER, i->reader, row, r->outcome, 1);
    context_count_site(l, &found->sites, SITE_WRITER, i->writer, row, r->outcome, 1);
    if (!i->id)
        return;
    struct fl_buf words = {0};
    put_words(l, r->kept, &words);
    store_found_inject(found, &(struct store_injection){.number = i->number,
                                                        .kernel = l->kernel[launch],
                                                        .id = i->id,
                                                        .outcome = r->outcome,
                                                        .reason = r->reason,
                                                        .first_activation = r->first_activation,
                                                        .end = r->end,
                                                        .ran = i->ran,
                                                        .elements = r->elements,
                                                        .unwritten = r->unwritten,
                                                        .by = r->by,
                                                        .anatomy = r->anatomy,
                                                        .words = words.data,
                                                        .words_size = words.size,
                                                        .place = i->place,
                                                        .untestable = r->untestable});
    fl_buf_free(&words);
}
