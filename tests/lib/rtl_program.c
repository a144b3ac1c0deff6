/* rtl_program.c -- runs and shrinks programs. */
#include "rtl_program.h"

enum rtl_verdict rtl_run(const struct rtl_program *p, uint64_t limit, struct smrtl_lockstep *stats,
                         struct fl_buf *account)
{
    struct fl_err err = {{0}};
    struct cubin *cubin = NULL;
    struct fl_buf own = {0};
    if (sasm_assemble("program", p->text, &cubin, &err)) {
        if (account)
            fl_buf_printf(account, "%s\n", err.msg);
        return RTL_NO_PROGRAM;
    }
    cubin_free(cubin);
    struct job *job = machine_job(p->profile, p->text);
    if (p->sps)
        job->profile.sps = p->sps;
    if (p->sms)
        profile_set_sms(&job->profile, p->sms);
    job->cubin->kernel[0].local_bytes = p->local;
    machine_const(job, 0, p->konst, sizeof p->konst);
    machine_const(job, 1, p->konst, sizeof p->konst);
    uint32_t addr = machine_buffer(job, p->buffer, NULL);
    machine_param(machine_launch(job, 0, p->blocks, p->threads), addr);
    struct machine m = machine_load(job);
    struct smrtl *rtl = smrtl_new_model(m.img, p->model, &err);
    if (!rtl)
        CU_FAIL_FATAL("no such model");
    int differ = smrtl_compare(m.img, m.gpu, rtl, limit, stats, account ? account : &own);
    smrtl_free(rtl);
    machine_end(&m);
    fl_buf_free(&own);
    return differ ? RTL_DIFFER : RTL_AGREE;
}

int rtl_instructions(const char *text)
{
    int n = 0;
    for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
        const char *end = strchr(line, '\n'), *from = line + strspn(line, " ");
        n += from < end && *from != '.' && end[-1] != ':';
        if (!end[1])
            break;
    }
    return n;
}

struct rtl_shrinking {
    struct rtl_program *p;
    uint64_t limit; /* the difference must come this early: programs that never end take no time */
    int runs;
};

static bool rtl_still_differs(struct rtl_shrinking *s)
{
    struct smrtl_lockstep stats;
    s->runs++;
    return rtl_run(s->p, s->limit, &stats, NULL) == RTL_DIFFER;
}

static bool rtl_try_number(struct rtl_shrinking *s, uint32_t *number, uint32_t value)
{
    uint32_t before = *number;
    if (value >= before)
        return false;
    *number = value;
    if (rtl_still_differs(s))
        return true;
    *number = before;
    return false;
}

/* Leaves out `n` lines from line `first` on; directives but .align stay, since the job depends on them. */
static char *rtl_without(const char *text, int first, int n)
{
    char *out = fl_alloc(strlen(text) + 1), *to = out;
    int i = 0;
    for (const char *line = text; *line; i++) {
        const char *next = strchr(line, '\n') + 1, *from = line + strspn(line, " ");
        bool directive = *from == '.' && strncmp(from, ".align", 6) != 0;
        if (i < first || i >= first + n || directive) {
            memcpy(to, line, (size_t)(next - line));
            to += next - line;
        }
        line = next;
    }
    return out;
}

static bool rtl_try_lines(struct rtl_shrinking *s, int first, int n)
{
    char *before = s->p->text, *text = rtl_without(before, first, n);
    bool shorter = strlen(text) < strlen(before), differs;
    s->p->text = text;
    differs = shorter && rtl_still_differs(s);
    s->p->text = differs ? text : before;
    free(differs ? before : text);
    return differs;
}

int rtl_shrink(struct rtl_program *p)
{
    struct smrtl_lockstep stats;
    struct rtl_shrinking s = {.p = p};
    if (rtl_run(p, MACHINE_MAX_CYCLES, &stats, NULL) != RTL_DIFFER)
        return 0;
    s.limit = 2 * stats.cycles + 1000;
    for (bool smaller = true; smaller;) {
        smaller = rtl_try_number(&s, &p->blocks, 1);
        for (uint32_t t = 1; t < p->threads && !smaller; t *= 2)
            smaller = rtl_try_number(&s, &p->threads, t);
        int lines = 0;
        for (const char *c = p->text; *c; c++)
            lines += *c == '\n';
        for (int n = lines / 2; n > 0; n /= 2)
            for (int first = lines; first >= 0; first -= n > 4 ? n : 1) /* pairs go together */
                smaller |= rtl_try_lines(&s, first, n);
    }
    return s.runs;
}

bool rtl_has(const char *model)
{
    for (int i = 0; smrtl_model_name(i); i++)
        if (strcmp(smrtl_model_name(i), model) == 0)
            return true;
    return false;
}

bool rtl_built(const char *model)
{
    bool built = rtl_has(model);
    if (!built)
        check_skip("model %s of the RTL was not built (FAULTLINE_RTL_MODELS)", model);
    return built;
}

bool rtl_agree(struct machine *m, struct smrtl *rtl)
{
    struct fl_buf account = {0};
    struct smrtl_lockstep stats;
    int differ = smrtl_compare(m->img, m->gpu, rtl, MACHINE_MAX_CYCLES, &stats, &account);
    if (differ)
        printf("\n%.*s", (int)account.size, (const char *)account.data);
    fl_buf_free(&account);
    return !differ;
}
