/* words.c -- see words.h. */
#include "words.h"

#include <stdlib.h>
#include <string.h>

#include "faultsim/result/made.h"
#include "faultsim/result/words.h"

struct rows {
    uint32_t fault; /* lines of --csv-faults so far */
    uint64_t count;
    struct fl_buf *out; /* NULL: they are counted alone */
};

static int add(void *context, int part, const struct store_injection *i)
{
    struct rows *rows = context;
    const uint32_t fault = rows->fault++;
    (void)part;
    for (size_t at = 0; at < i->words_size; at += WORDS_KEPT) {
        const uint8_t number[WORDS_FAULT] = {(uint8_t)fault, (uint8_t)(fault >> 8),
                                             (uint8_t)(fault >> 16), (uint8_t)(fault >> 24)};
        rows->count++;
        if (!rows->out)
            continue;
        fl_buf_add(rows->out, number, sizeof number);
        fl_buf_add(rows->out, i->words + at, WORDS_KEPT);
    }
    return 0;
}

/* In the order of --csv-faults. */
static int walk(const struct avf_report *a, struct fl_buf *out, uint64_t *count, struct fl_err *err)
{
    struct rows rows = {.out = out};
    for (int j = 0; j < a->result->njobs; j++)
        if (store_list(a->store, j, add, &rows, err) != 0)
            return -1;
    *count = rows.count;
    return 0;
}

int words_npy(const struct avf_report *a, struct fl_buf *out, struct fl_err *err)
{
    struct fl_buf made = {0};
    uint64_t count;
    if (!made_says(store_options(a->store), STORE_WORDS))
        return fl_fail(err, "--words: the campaign has not kept the wrong words; run it again, "
                            "in another file, with --words F or --keep words");
    if (walk(a, NULL, &count, err) != 0)
        return -1;
    if (count > WORDS_MOST)
        return words_too_many(err);
    char *line = made_without(a->made, "exhaustive");
    made_csv(line, a->result->job, a->result->njobs, &made);
    free(line);
    words_head(count, made.size, out);
    int bad = walk(a, out, &count, err);
    fl_buf_add(out, made.data, made.size);
    fl_buf_free(&made);
    return bad;
}
