/* trace_html.c -- see trace_html.h. What differs is bold and marked, so that nothing hangs on colours; on a telephone the faulty
 * machine stands below the fault-free one.
 */
#include "trace_html.h"

#include <stdlib.h>
#include <string.h>

#include "faultsim/chart/marks.h"
#include "faultsim/faults/fault.h"
#include "faultsim/report/page.h"
#include "sm/job/job.h"

static const char style[] =
    ".two{display:grid;grid-template-columns:1fr 1fr;gap:0 14px;font:13px/1.45 ui-monospace,"
    "monospace;break-inside:avoid}.two>div{padding:3px 6px;border-bottom:1px solid var(--l);"
    "overflow-wrap:anywhere}.two>.df{border-left:4px solid #d55e00;padding-left:2px;"
    "background:var(--s)}.two b.d{text-decoration:underline}.two i{font-style:normal;"
    "color:var(--m)}.two.hd{font-weight:bold;position:sticky;top:0;background:var(--p)}"
    ".ln{display:block;max-width:100%;margin:2px 0}.ln path{fill:none;stroke-width:6}"
    ".ln .off{stroke:var(--l)}.ln .on{stroke:var(--m)}.ln .dif{stroke:#d55e00}"
    ".key .ln{display:inline-block;margin-right:4px}\n"
    "@media(max-width:700px){.two{grid-template-columns:1fr;padding-bottom:6px}.two.hd{display:"
    "none}"
    ".two>.eq{display:none}.two>div::before{content:attr(data-of);display:block;color:var(--m);"
    "font-weight:bold}}\n";

static const char *const machine[TRACE_MACHINES] = {"fault-free", "faulty"};

/* ---- lanes ---------------------------------------------------------------------------------- */

enum { LANE = 8, STRIP = 14 };

/* A stroke for each lane of `lanes`, lane 0 left. */
static void strokes(uint32_t lanes, const char *class, int height, struct fl_buf *out)
{
    if (!lanes)
        return;
    fl_buf_printf(out, "<path class=\"%s\" d=\"", class);
    for (int l = 0; l < SM_LANES; l++)
        if (lanes >> l & 1)
            fl_buf_printf(out, "M%d %dv-%d", l * LANE + LANE / 2, STRIP, height);
    fl_buf_printf(out, "\"/>");
}

static void strip(uint32_t exec, uint32_t differ, int lanes, struct fl_buf *out)
{
    fl_buf_printf(out,
                  "<svg class=\"ln\" width=\"%1$d\" height=\"%2$d\" viewBox=\"0 0 %1$d %2$d\">",
                  lanes * LANE, STRIP);
    strokes(~exec & ~differ & (lanes < SM_LANES ? (1u << lanes) - 1 : ~0u), "off", 2, out);
    strokes(exec & ~differ, "on", 7, out);
    strokes(differ, "dif", STRIP, out);
    fl_buf_printf(out, "</svg>");
}

static void lane_key(struct page *p)
{
    static const struct {
        const char *text;
        uint32_t exec, differ;
    } key[] = {{"a lane that executes", 1, 0}, {"does not", 0, 0}, {"differs", 0, 1}};
    fl_buf_printf(&p->html, "<div class=\"key\">");
    for (int i = 0; i < 3; i++) {
        fl_buf_printf(&p->html, "<span>");
        strip(key[i].exec, key[i].differ, 1, &p->html);
        fl_buf_printf(&p->html, "%s</span>", key[i].text);
    }
    fl_buf_printf(&p->html, "<span>lane 0 left</span></div>\n");
}

/* ---- words that differ ------------------------------------------------------------------------- */

/* The words of a text; those that differ from the word of the same number in `other` are marked. */
static void words(const char *text, const char *other, struct fl_buf *out)
{
    enum { LONG = 80 };
    while (*text) {
        int n = (int)strcspn(text, " "), m = (int)strcspn(other, " ");
        bool same = n == m && strncmp(text, other, (size_t)n) == 0;
        int cut = n; /* behind a comma */
        while (cut > LONG || (cut < n && cut && text[cut - 1] != ','))
            cut--;
        char *word = fl_format("%.*s%s", cut ? cut : n, text, cut && cut < n ? "\u2026" : "");
        fl_buf_printf(out, same ? "" : "<b class=\"d\">");
        figure_escaped(out, word);
        fl_buf_printf(out, same ? " " : "</b> ");
        free(word);
        text += n + (text[n] == ' ');
        other += m + (other[m] == ' ');
    }
}

/* A commit as sm/trace prints it: the instruction, and what it changed. Caller frees both. */
struct commit_text {
    char *instruction, *effect;
};

static struct commit_text text_of(const struct sm_commit *c, uint32_t shown)
{
    struct fl_buf line = {0};
    sm_commit_print_lanes(c, shown, &line);
    fl_buf_add(&line, "", 1);
    char *text = (char *)line.data;
    char *place = fl_format(" %06x %08x %08x ", c->pc, c->lo, c->hi);
    const char *from = strstr(text, place), *to = from ? strstr(from, " mask=") : NULL;
    struct commit_text t;
    if (c->kind == COMMIT_INSTRUCTION && to) {
        from += strlen(place);
        int n = (int)(to - from);
        while (n && from[n - 1] == ' ')
            n--;
        t = (struct commit_text){fl_format("%.*s", n, from), fl_strdup(to + 1)};
    } else { /* a further pop, the start of a block */
        const char *unwinds = strstr(text, "(unwinds)");
        t = (struct commit_text){fl_strdup(unwinds ? "(unwinds)" : text),
                                 fl_strdup(unwinds ? unwinds + strlen("(unwinds)") : "")};
    }
    free(place);
    fl_buf_free(&line);
    return t;
}

/* ---- rows --------------------------------------------------------------------------------------- */

static void commit_cell(const struct trace_row *row, int m, uint32_t shown, uint32_t differ,
                        struct fl_buf *out)
{
    const struct trace_side *it = &row->of[m], *other = &row->of[!m];
    if (!it->there) {
        fl_buf_printf(out, "<i>no further instruction of this warp</i>");
        return;
    }
    const struct sm_commit *c = &it->commit;
    struct commit_text commit_text = text_of(c, shown), beside = {fl_strdup(""), fl_strdup("")};
    char *place = fl_format("cycle %llu w%d %06x", (unsigned long long)c->cycle, c->warp, c->pc);
    char *its = fl_strdup(place);
    if (other->there) {
        free(beside.instruction);
        free(beside.effect);
        free(its);
        beside = text_of(&other->commit, shown);
        its = fl_format("cycle %llu w%d %06x", (unsigned long long)other->commit.cycle,
                        other->commit.warp, other->commit.pc);
    }
    fl_buf_printf(out, "<i>");
    words(place, its, out);
    fl_buf_printf(out, "</i><b>");
    figure_escaped(out, commit_text.instruction);
    fl_buf_printf(out, "</b><br>");
    words(commit_text.effect, other->there ? beside.effect : commit_text.effect, out);
    strip(c->exec, differ, SM_LANES, out);
    free(commit_text.instruction);
    free(commit_text.effect);
    free(beside.instruction);
    free(beside.effect);
    free(place);
    free(its);
}

/* The lanes that differ in what they do, and those that are active in one machine alone. */
static uint32_t differing(const struct trace_row *row)
{
    const struct sm_commit *a = &row->of[TRACE_GOLDEN].commit, *b = &row->of[TRACE_FAULTY].commit;
    if (!row->of[TRACE_GOLDEN].there || !row->of[TRACE_FAULTY].there)
        return 0;
    if (a->pc != b->pc || a->lo != b->lo || a->hi != b->hi)
        return a->active ^ b->active;
    return trace_lanes_differ(a, b) | (a->active ^ b->active) | (a->active_after ^ b->active_after);
}

static bool same_line(const struct trace_row *row)
{
    struct fl_buf line[TRACE_MACHINES] = {{0}};
    for (int m = 0; m < TRACE_MACHINES; m++)
        if (row->of[m].there)
            sm_commit_print_lanes(&row->of[m].commit, ~0u, &line[m]);
    bool same = line[0].size == line[1].size &&
                memcmp(line[0].data, line[1].data, line[0].size) == 0;
    fl_buf_free(&line[0]);
    fl_buf_free(&line[1]);
    return same;
}

static void cell_begin(struct page *p, int m, bool differ)
{
    fl_buf_printf(&p->html, "<div%s data-of=\"%s\">",
                  differ              ? " class=\"df\""
                  : m == TRACE_FAULTY ? " class=\"eq\""
                                      : "",
                  differ ? machine[m] : "both");
}

static void head(struct page *p)
{
    fl_buf_printf(&p->html, "<div class=\"two hd\"><div>%s</div><div>%s</div></div>\n", machine[0],
                  machine[1]);
}

static void put_row(struct page *p, const struct trace_row *row)
{
    bool there = row->of[TRACE_GOLDEN].there && row->of[TRACE_FAULTY].there;
    bool differ = !there || !same_line(row);
    uint32_t shown = there ? trace_lanes_differ(&row->of[TRACE_GOLDEN].commit,
                                                &row->of[TRACE_FAULTY].commit)
                           : ~0u;
    if (!differ)
        shown = ~0u;
    if (row->skipped)
        page_say(p, "Instructions that are the same in both are left out here.");
    if (row->event != TRACE_NONE) {
        fl_buf_printf(&p->html, "<h3>%s, cycle ", trace_event_text(row->event));
        figure_count(&p->html, row->of[TRACE_FAULTY].commit.cycle);
        fl_buf_printf(&p->html, "</h3>\n");
    }
    fl_buf_printf(&p->html, "<div class=\"two\">");
    for (int m = 0; m < TRACE_MACHINES; m++) {
        cell_begin(p, m, differ);
        commit_cell(row, m, shown, differing(row), &p->html);
        fl_buf_printf(&p->html, "</div>");
    }
    fl_buf_printf(&p->html, "</div>\n");
}

/* ---- stacks ------------------------------------------------------------------------------------- */

static char *entry_text(const struct trace_stack *s, int le)
{
    static const char *const id[] = {"SYNC", "DIVERGE", "CALL", "BREAK"};
    if (le > s->depth)
        return fl_strdup("-");
    const struct trace_entry *e = &s->le[le - 1];
    return fl_format("%s tm=%08x spc=%08x", id[e->id & 3], e->tm, e->spc);
}

static bool same_stack(const struct trace_stack *a, const struct trace_stack *b)
{
    bool same = a->depth == b->depth;
    for (int le = 1; le <= a->depth && same; le++) {
        char *one = entry_text(a, le), *other = entry_text(b, le);
        same = strcmp(one, other) == 0;
        free(one);
        free(other);
    }
    return same;
}

/* Of both machines, the top entry first. */
static void put_stacks(struct page *p, const char *title,
                       const struct trace_stack s[TRACE_MACHINES])
{
    bool differ = !same_stack(&s[TRACE_GOLDEN], &s[TRACE_FAULTY]);
    int depth = s[TRACE_GOLDEN].depth > s[TRACE_FAULTY].depth ? s[TRACE_GOLDEN].depth
                                                              : s[TRACE_FAULTY].depth;
    fl_buf_printf(&p->html, "<h3>%s</h3>\n", title);
    fl_buf_printf(&p->html, "<div class=\"two\">");
    for (int m = 0; m < TRACE_MACHINES; m++) {
        cell_begin(p, m, differ);
        for (int le = depth; le >= 1; le--) {
            char *text = entry_text(&s[m], le), *other = entry_text(&s[!m], le);
            fl_buf_printf(&p->html, "<i>LE %d</i> ", le);
            words(text, other, &p->html);
            fl_buf_printf(&p->html, "<br>");
            free(text);
            free(other);
        }
        fl_buf_printf(&p->html, "%s</div>", depth ? "" : "<i>empty</i>");
    }
    fl_buf_printf(&p->html, "</div>\n");
}

static bool shows_stack(const struct trace_row *row)
{
    const struct trace_side *a = &row->of[TRACE_GOLDEN], *b = &row->of[TRACE_FAULTY];
    return a->has_stack && b->has_stack &&
           (a->commit.nstack || b->commit.nstack || !same_stack(&a->stack, &b->stack));
}

static void stacks(struct page *p, const struct fault_trace *t)
{
    bool any = false;
    for (int i = 0; i < t->rows; i++) {
        struct trace_stack before[TRACE_MACHINES], behind[TRACE_MACHINES];
        const struct trace_row *row = &t->row[i];
        if (!shows_stack(row))
            continue;
        if (!any) {
            page_heading(p, 2, "Divergence stack");
            page_say(p, "The line-entries (LE) of the warp, the top one first: kind, thread mask "
                        "(tm), address (spc).");
            head(p);
        }
        any = true;
        for (int m = 0; m < TRACE_MACHINES; m++) {
            behind[m] = row->of[m].stack;
            before[m] = trace_stack_before(&behind[m], &row->of[m].commit);
        }
        char *title = fl_format("Before cycle %llu",
                                (unsigned long long)row->of[TRACE_FAULTY].commit.cycle);
        put_stacks(p, title, before);
        free(title);
        title = fl_format("After cycle %llu",
                          (unsigned long long)row->of[TRACE_FAULTY].commit.cycle);
        put_stacks(p, title, behind);
        free(title);
    }
}

/* ---- the page ----------------------------------------------------------------------------------- */

static void sentence(struct page *p, const struct fault_trace *t)
{
    fl_buf_printf(&p->html, "<p><b>");
    page_escaped(p, t->id);
    fl_buf_printf(&p->html, "</b> ends as <b>%s</b> (", fsim_outcome_name(t->outcome));
    page_escaped(p, t->reason);
    if (t->activated == FSIM_NEVER) {
        fl_buf_printf(&p->html, "). It is never activated.</p>\n");
        return;
    }
    fl_buf_printf(&p->html, "). It is activated in cycle ");
    figure_count(&p->html, t->activated);
    fl_buf_printf(&p->html, ", after %.1f&#8239;%% of the fault-free run.</p>\n",
                  100 * (double)t->activated / (double)t->cycles);
}

static void machine_of(struct page *p, const struct fault_trace *t, const struct sm_image *img)
{
    fl_buf_printf(&p->html, "<p class=\"n\">");
    page_escaped(p, img->job->name);
    fl_buf_printf(&p->html, ": profile ");
    page_escaped(p, img->profile.name);
    fl_buf_printf(&p->html, ", ");
    figure_of(&p->html, (uint64_t)img->profile.sps, "SP");
    fl_buf_printf(&p->html, ", ");
    figure_of(&p->html, t->cycles, "cycle");
    fl_buf_printf(&p->html, " without a fault.");
    int structure, field;
    const char *text;
    if (fsim_id_field(t->id, &structure, &field)) {
        fl_buf_printf(&p->html, " <b>%s</b>: ", sm_structure_name(structure, &text));
        page_escaped(p, text);
        fl_buf_printf(&p->html, ".");
    }
    fl_buf_printf(&p->html, "</p>\n");
}

/* Injected, activated, each difference, the end. */
static void timeline(struct page *p, const struct fault_trace *t)
{
    static const char *const label[TRACE_EVENTS] = {[TRACE_REGISTER] = "wrong register",
                                                    [TRACE_STORE] = "wrong store",
                                                    [TRACE_CONTROL] = "control differs"};
    struct marks m;
    marks_begin(&m, "timeline", t->cycles);
    marks_add(&m, "injected", t->injected);
    if (t->activated != FSIM_NEVER)
        marks_add(&m, "activated", t->activated);
    for (int i = 0; i < t->rows; i++)
        if (label[t->row[i].event])
            marks_add(&m, label[t->row[i].event], t->row[i].of[TRACE_FAULTY].commit.cycle);
    if (t->end != FSIM_NEVER)
        marks_add(&m, fsim_outcome_name(t->outcome), t->end);
    page_picture(p, m.name, &marks_picture, &m,
                 t->end != FSIM_NEVER
                     ? "From injection to outcome, in cycles of the run."
                     : "From injection on, in cycles of the run, which never ends.");
    marks_free(&m);
}

/* The sentences of the trace, without the commits, which stand beside each other below. */
static void sentences(struct page *p, const struct fault_trace *t)
{
    const char *text = (const char *)t->text.data, *end = text + t->text.size;
    for (bool first = true; text < end; first = false) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        int n = (int)((stop ? stop : end) - text);
        if (!first && strncmp(text, "  ", 2) != 0) {
            char *line = fl_format("%.*s", n, text);
            if (n && line[n - 1] == ':') { /* what it announces stands below */
                char *last = strrchr(line, '.');
                last[1] = 0;
            }
            fl_buf_printf(&p->html, "<p>");
            page_escaped(p, line);
            fl_buf_printf(&p->html, "</p>\n");
            free(line);
        }
        text += n + 1;
    }
}

void trace_html(const struct fault_trace *t, const struct sm_image *img, const char *made,
                struct fl_buf *out)
{
    struct page p;
    char *title = fl_format("Trace of %s in %s", t->id, img->job->name);
    page_open_titled(&p, title, made);
    fl_buf_printf(&p.style, "%s", style);
    page_begin(&p);
    sentence(&p, t);
    machine_of(&p, t, img);
    page_contents(&p);
    page_heading(&p, 2, "Timeline");
    timeline(&p, t);
    sentences(&p, t);
    if (t->rows) {
        page_heading(&p, 2, "Both machines side by side");
        page_say(&p, "Instructions of one warp, with their effects as <i>smrun --trace</i> prints "
                     "them; long lists of lanes are cut. A row with a bar at its left differs; "
                     "words that differ are underlined. Where both machines execute one "
                     "instruction, values are those of the lanes that differ; <i>same</i>: none "
                     "does.");
        lane_key(&p);
        head(&p);
        for (int i = 0; i < t->rows; i++)
            put_row(&p, &t->row[i]);
    }
    stacks(&p, t);
    page_end(&p, out);
    free(title);
}
