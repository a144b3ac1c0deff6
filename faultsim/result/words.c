/* words.c -- see words.h. */
#include "words.h"

#include <string.h>

static uint8_t *put(uint8_t *to, uint32_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        *to++ = (uint8_t)(value >> 8 * i);
    return to;
}

void words_put(const struct words_row *r, uint8_t out[WORDS_KEPT])
{
    out = put(out, r->output, 2);
    out = put(out, r->index, 4);
    out = put(out, r->right, 4);
    out = put(out, r->wrong, 4);
    out = put(out, r->launch, 2);
    out = put(out, r->block, 4);
    out = put(out, r->warp, 1);
    out = put(out, r->lane, 1);
    put(out, r->pc, 4);
}

/* Version 1.0 of the format: a literal of Python, and a comment behind it. */
void words_head(uint64_t rows, size_t provenance, struct fl_buf *out)
{
    enum { FRONT = 10, LINE = 64 };
    struct fl_buf text = {0};
    fl_buf_printf(&text,
                  "{'descr': [('fault', '<u4'), ('output', '<u2'), ('index', '<u4'), ('right', "
                  "'<u4'), ('wrong', '<u4'), ('launch', '<u2'), ('block', '<u4'), ('warp', '|u1'), "
                  "('lane', '|u1'), ('pc', '<u4')], 'fortran_order': False, 'shape': (%llu,), } "
                  "# faultline words=%d provenance=%zu",
                  (unsigned long long)rows, WORDS_FORMAT, provenance);
    while ((FRONT + text.size + 1) % LINE)
        fl_buf_add(&text, " ", 1);
    fl_buf_add(&text, "\n", 1);
    const uint8_t front[FRONT] = {
        0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (uint8_t)text.size, (uint8_t)(text.size >> 8)};
    fl_buf_add(out, front, sizeof front);
    fl_buf_add(out, text.data, text.size);
    fl_buf_free(&text);
}

int words_too_many(struct fl_err *err)
{
    return fl_fail(err,
                   "the wrong words of all faults take more than 1 GiB (--words); give a smaller "
                   "--sample, fewer faults or fewer jobs");
}
