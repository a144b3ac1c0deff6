/* identity.c -- what makes two jobs the same, and the facts of a job that reports print. */
#include "identity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "asm/isa/isa.h"

static void add_text(struct fl_buf *b, const char *name)
{
    fl_buf_add(b, name, strlen(name) + 1);
}

static void add_bytes(struct fl_buf *b, const char *what, const void *bytes, size_t size)
{
    fl_buf_printf(b, "%s %zu:", what, size);
    if (size)
        fl_buf_add(b, bytes, size);
}

static void add_profile(struct fl_buf *b, const struct profile *p)
{
    fl_buf_printf(b, "%d %d %d %d %d %d %d %d %d %d %d %d %.17g ", p->warps, p->threads_per_block,
                  p->threads_per_sm, p->blocks_per_sm, p->regs, p->shared_bytes, p->shared_banks,
                  p->barriers, p->sps, p->stack_entries, p->stack_spill, p->code_bits,
                  p->clock_mhz);
    fl_buf_printf(b, "%d %d %d %d %d %d\n", p->sfu_cycles, p->global_latency, p->global_transaction,
                  p->const_conflict, p->shared_conflict, p->spill_latency);
    profile_print_rules(p, b);
}

static void add_kernel(struct fl_buf *b, const struct cubin_kernel *k)
{
    add_text(b, k->name);
    fl_buf_printf(b, "%d %u %u\n", k->regs, k->shared_bytes, k->local_bytes);
    for (int i = 0; i < k->ncode; i++) {
        fl_buf_printf(b, "%u ", k->code[i].base);
        add_bytes(b, "code", k->code[i].bytes, k->code[i].size);
    }
    add_bytes(b, "c1", k->const1, k->const1_size);
}

static void add_steps(struct fl_buf *b, const struct job *job, const struct job_steps *steps)
{
    for (int i = steps->first; i < steps->first + steps->count; i++) {
        const struct job_step *s = &job->step[i];
        fl_buf_printf(b, "step %d %d %d %d %u %u %u %d %u %d\n", s->kind, s->konst, s->bank,
                      s->buffer, s->offset, s->size, s->value, s->to, s->at, s->output);
        if (s->module)
            fl_buf_printf(b, "module %d ", s->module);
        if (s->data)
            add_bytes(b, "written", s->data, s->size);
    }
}

/* SHA-256 in hex over profile, kernels, constants, buffers' contents, launches, outputs. */
static void make_digest(const struct job *job, char hex[65])
{
    struct fl_buf b = {0};
    uint8_t digest[32];
    add_profile(&b, &job->profile);
    for (int i = 0; i < job->cubin->nkernels; i++)
        add_kernel(&b, &job->cubin->kernel[i]);
    add_bytes(&b, "c0", job->cubin->const0, job->cubin->const0_size);
    for (int i = 0; i < job->cubin->nmodules; i++) {
        add_text(&b, job->cubin->module[i].name); /* which begins the names of its kernels */
        add_bytes(&b, "c0", job->cubin->module[i].const0, job->cubin->module[i].const0_size);
    }
    for (int i = 0; i < job->nconsts; i++) {
        fl_buf_printf(&b, "c%d %u ", job->konst[i].bank, job->konst[i].offset);
        if (job->konst[i].module)
            fl_buf_printf(&b, "module %d ", job->konst[i].module);
        add_bytes(&b, "const", job->konst[i].data, job->konst[i].size);
    }
    for (int i = 0; i < job->nbuffers; i++) {
        fl_buf_printf(&b, "%u ", job->buffer[i].addr);
        add_bytes(&b, "buffer", job->buffer[i].init, job->buffer[i].size);
    }
    for (int i = 0; i < job->nlaunches; i++) {
        const struct job_launch *l = &job->launch[i];
        add_steps(&b, job, &l->before);
        fl_buf_printf(&b, "launch %d %u,%u %u,%u,%u %u", l->kernel_index, l->grid[0], l->grid[1],
                      l->block[0], l->block[1], l->block[2], l->shared);
        for (int p = 0; p < l->nparams; p++)
            fl_buf_printf(&b, " %u=%u", l->param[p].offset, l->param[p].value);
        if (l->trap)
            fl_buf_printf(&b, " trap %s", l->trap);
        if (l->decides)
            fl_buf_printf(&b, " until %u=%u %d", l->word, l->until, l->over);
        fl_buf_printf(&b, "\n");
    }
    add_steps(&b, job, &job->after);
    for (int i = 0; i < job->noutputs; i++) {
        const struct job_output *o = &job->output[i];
        fl_buf_printf(&b, "output %s %d %u %u\n", o->name, o->buffer, o->offset, o->size);
        if (o->compared)
            fl_buf_printf(&b, "compared\n");
        if (o->typed || o->checker)
            fl_buf_printf(&b, "tolerance %d %d %.17g %s\n", o->tolerance, o->element, o->within,
                          o->checker_sha256);
    }
    job_sha256(&(struct job_range){b.data, b.size}, 1, digest);
    fl_hex(digest, sizeof digest, hex);
    fl_buf_free(&b);
}

/* The line of the source that an instruction was made of, behind its text. */
static char *with_line(const char *text, const struct cubin *c, const struct cubin_line *l)
{
    if (!l)
        return fl_strdup(text);
    struct fl_buf b = {0};
    int n = 0;
    const char *s = cubin_source_line(&c->source[l->source], l->line, &n);
    char *line = fl_format("%.*s", s ? n : 0, s ? s : "");
    fl_buf_printf(&b, "%s // ", text);
    fl_buf_printable(&b, c->source[l->source].name);
    fl_buf_printf(&b, ":%d: ", l->line);
    for (char *t = line; *t; t++) /* one line of a table */
        *t = *t == '\t' ? ' ' : *t;
    fl_buf_printable(&b, line + strspn(line, " "));
    fl_buf_add(&b, "", 1);
    free(line);
    return (char *)b.data;
}

static void add_code(struct result_job *out, int kernel, const struct cubin *cubin,
                     const struct cubin_kernel *k, const struct cubin_code *code)
{
    for (uint32_t at = 0; at + 4 <= code->size;) {
        uint32_t lo, hi = 0;
        char text[128];
        memcpy(&lo, code->bytes + at, 4);
        bool two = (lo & 1) && at + 8 <= code->size;
        if (two)
            memcpy(&hi, code->bytes + at + 4, 4);
        if (isa_print(lo, hi, text, sizeof text) < 0)
            snprintf(text, sizeof text, "(no instruction)");
        out->code = fl_grow(out->code, (size_t)out->ncode + 1, sizeof *out->code);
        out->code[out->ncode++] = (struct result_code){
            .kernel = kernel,
            .pc = code->base + at,
            .text = with_line(text, cubin, cubin_line_at(k, code->base + at))};
        at += two ? 8 : 4;
    }
}

static bool is_used(const struct cubin_kernel *k, int source)
{
    for (int i = 0; i < k->nlines; i++)
        if (k->line[i].source == source)
            return true;
    return false;
}

/* What a page can show: tabs as blanks, nothing that is not printable. */
static char *shown(const char *text)
{
    enum { TAB = 4 };
    struct fl_buf b = {0};
    while (*text) {
        int n = (int)strcspn(text, "\n"), column = 0;
        struct fl_buf line = {0};
        for (int i = 0; i < n; i++) {
            bool tab = text[i] == '\t', end = text[i] == '\r' && i + 1 == n;
            int blanks = tab ? TAB - column % TAB : 0;
            fl_buf_printf(&line, "%*s", blanks, "");
            if (!tab && !end)
                fl_buf_add(&line, &text[i], 1);
            column += tab ? blanks : 1;
        }
        fl_buf_add(&line, "", 1);
        fl_buf_printable(&b, (char *)line.data);
        fl_buf_free(&line);
        fl_buf_printf(&b, "\n");
        text += n + (text[n] == '\n');
    }
    fl_buf_add(&b, "", 1);
    return (char *)b.data;
}

/* The files that a kernel was made of. */
static void add_sources(struct result_job *out, const struct cubin *c, const int *number)
{
    for (int i = 0; i < c->nsources; i++) {
        bool used = false;
        for (int k = 0; k < c->nkernels; k++)
            used |= number[k] && is_used(&c->kernel[k], i);
        if (!used || !c->source[i].text)
            continue;
        struct fl_buf name = {0};
        fl_buf_printable(&name, c->source[i].name);
        fl_buf_add(&name, "", 1);
        out->source = fl_grow(out->source, (size_t)out->nsources + 1, sizeof *out->source);
        out->source[out->nsources++] = (struct result_source){(char *)name.data,
                                                              shown(c->source[i].text)};
    }
}

void identity_job(const struct job *job, struct result_job *out)
{
    const struct cubin *c = job->cubin;
    *out = (struct result_job){
        .name = fl_strdup(job->name),
        .profile = fl_strdup(job->profile.name),
        .clock_mhz = job->profile.clock_mhz,
        .warps = job->profile.warps * job->profile.sms,
        .regs = job->profile.regs * job->profile.sms,
        .sps = job->profile.sps,
        .shared_bytes = (uint32_t)(job->profile.shared_bytes * job->profile.sms),
        .outputs = job->noutputs + job_traps(job), /* its status is one */
        .nlaunches = job->nlaunches};
    make_digest(job, out->digest);
    memcpy(out->cubin, job->cubin_sha256, sizeof out->cubin);
    out->kernel = fl_alloc(((size_t)c->nkernels + 1) * sizeof *out->kernel);
    out->launch = fl_alloc((size_t)job->nlaunches * sizeof *out->launch);
    int *number = fl_alloc(((size_t)c->nkernels + 1) * sizeof *number); /* + 1; 0: not seen */
    for (int i = 0; i < job->nlaunches; i++) {
        int index = job->launch[i].kernel_index;
        const struct cubin_kernel *k = &c->kernel[index];
        if (!number[index]) {
            struct fl_buf name = {0}; /* it may be anything; exports take no control characters */
            fl_buf_printable(&name, k->name);
            fl_buf_add(&name, "", 1);
            out->kernel[out->nkernels] = (struct result_kernel){.name = (char *)name.data,
                                                                .regs_per_thread = k->regs};
            for (int s = 0; s < k->ncode; s++)
                add_code(out, out->nkernels, c, k, &k->code[s]);
            number[index] = ++out->nkernels;
        }
        out->launch[i].kernel = number[index] - 1;
    }
    add_sources(out, c, number);
    free(number);
}
