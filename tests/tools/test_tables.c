/* test_tables.c -- tables for a terminal: random ones, and those of real campaigns with many targets, structures and jobs. */
#include "base/random.h"
#include "base/table.h"
#include "tests/lib/commands.h"

/* The longest line, in characters. */
static int longest_line(const char *text)
{
    int most = 0, n = 0;
    for (; *text; text++) {
        n = *text == '\n' ? 0 : n + ((*text & 0xc0) != 0x80);
        most = n > most ? n : most;
    }
    return most;
}

/* ---- random tables ------------------------------------------------------------------------------------------------- */

enum { KEYS = 4, ROWS = 12, COLUMNS = 16, CELL = 64 };

struct drawn {
    int keys, rows, columns;
    char cell[1 + ROWS][COLUMNS][CELL]; /* row 0: heads */
};

static uint64_t below(uint64_t *state, uint64_t n)
{
    return fl_random(state) % n;
}

/* No two texts of a table are the same, and none is a part of another: each begins with a letter of its column and its row. */
static struct drawn draw(uint64_t *state)
{
    struct drawn d = {1 + (int)below(state, KEYS), 1 + (int)below(state, ROWS), 0, {{{0}}}};
    uint64_t name = 1 + below(state, 40), figure = 1 + below(state, 30);
    d.columns = d.keys + 1 + (int)below(state, (uint64_t)(COLUMNS - d.keys));
    for (int r = 0; r <= d.rows; r++)
        for (int c = 0; c < d.columns; c++) {
            int n = snprintf(d.cell[r][c], CELL, "%c%c", 'A' + c, 'a' + r);
            for (uint64_t left = below(state, c < d.keys ? name : figure); left > 0; left--)
                d.cell[r][c][n++] = below(state, 6) || c >= d.keys ? '0' : '-';
        }
    return d;
}

static struct fl_buf printed(const struct drawn *d)
{
    struct fl_table t = {0};
    struct fl_buf out = {0};
    for (int c = 0; c < d->columns; c++)
        fl_table_column(&t, c < d->keys ? '*' : ' ', d->cell[0][c]);
    for (int r = 1; r <= d->rows; r++)
        for (int c = 0; c < d->columns; c++)
            fl_table_cell(&t, "%s", d->cell[r][c]);
    CU_ASSERT_TRUE(fl_table_print(&t, &out));
    return out;
}

/* Where a figure ends in its line; it must be there once. */
static long end_of(const char *text, const char *figure)
{
    const char *at = strstr(text, figure), *line = at;
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    CU_ASSERT_PTR_NULL(strstr(at + 1, figure));
    while (line > text && line[-1] != '\n')
        line--;
    return at - line + (long)strlen(figure);
}

/* The letters that begin a name, without what is cut off it. */
static int times(const char *text, const char *begins)
{
    int n = 0;
    for (const char *at = text; (at = strstr(at, begins)); at++)
        n++;
    return n;
}

/* Figures of a column end in one place, or, turned, those of a row. */
static bool aligned(const struct drawn *d, const char *text, bool turned)
{
    for (int c = d->keys; c < d->columns; c++)
        for (int r = 1; r <= d->rows; r++)
            if (end_of(text, d->cell[r][c]) !=
                end_of(text, turned ? d->cell[r][d->keys] : d->cell[1][c]))
                return false;
    return true;
}

static void random_tables_fit_and_hold_each_cell_once_under_its_head(void)
{
    int turned = 0, blocks = 0, tables = SANITIZED ? 500 : 5000;
    uint64_t state = 7;
    for (int i = 0; i < tables; i++) {
        struct drawn d = draw(&state);
        struct fl_buf out = printed(&d);
        const char *text = (char *)out.data;
        bool upright = aligned(&d, text, false), in_blocks = strstr(text, "\n\n") != NULL;
        bool good = longest_line(text) <= FL_COLUMNS && (upright || aligned(&d, text, true));
        char begins[3] = "";
        for (int c = 0; c < d.columns; c++) { /* a name once in each block, and each head once */
            memcpy(begins, d.cell[1][c], 2);
            good &= c >= d.keys || in_blocks || times(text, begins) == 1;
            memcpy(begins, d.cell[0][c], 2);
            good &= times(text, begins) == 1 || (c < d.keys && in_blocks);
        }
        if (!good)
            printf("\n    table %d:\n%s", i, text);
        CU_ASSERT_TRUE_FATAL(good);
        turned += !upright;
        blocks += in_blocks;
        fl_buf_free(&out);
    }
    CU_ASSERT(turned > tables / 50 && blocks > tables / 50);
}

static void rows_become_columns_where_that_fits(void)
{
    struct fl_table t = {0};
    struct fl_buf out = {0};
    char head[32];
    fl_table_columns(&t, "*job");
    for (int c = 0; c < 20; c++) {
        snprintf(head, sizeof head, "figure%d", c);
        fl_table_column(&t, ' ', head);
    }
    for (int r = 0; r < 2; r++) {
        fl_table_cell(&t, r ? "second" : "a");
        for (int c = 0; c < 20; c++)
            fl_table_cell(&t, "%d", 100 * r + c);
    }
    fl_table_print(&t, &out);
    CU_ASSERT_EQUAL(strncmp((char *)out.data, "job        a  second\nfigure0    0     100\n", 42),
                    0);
    fl_buf_free(&out);
}

static void a_head_ends_its_line_after_a_hyphen_but_a_range_stays_whole(void)
{
    struct fl_table t = {0};
    struct fl_buf out = {0};
    fl_table_columns(&t, "*job|11-100|first-second");
    fl_table_cell(&t, "%060d", 7);
    fl_table_cell(&t, "1");
    fl_table_cell(&t, "2");
    fl_table_print(&t, &out);
    CU_ASSERT_PTR_NOT_NULL(strstr((char *)out.data, " first-\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr((char *)out.data, "  11-100  "));
    fl_buf_free(&out);
}

static void long_names_go_on_in_the_next_line(void)
{
    struct fl_table t = {0};
    struct fl_buf out = {0};
    char name[201];
    memset(name, 'n', 200);
    name[200] = '\0';
    fl_table_columns(&t, "*job|coverage %|testable %");
    for (int r = 0; r < 2; r++) {
        fl_table_cell(&t, "%s%d", name, r);
        fl_table_cell(&t, "%d.25", r);
        fl_table_cell(&t, "%d.5", r);
    }
    fl_table_print(&t, &out);
    CU_ASSERT(longest_line((char *)out.data) <= FL_COLUMNS);
    int letters = 0;
    for (const char *at = (char *)out.data; *at; at++)
        letters += *at == 'n';
    CU_ASSERT_EQUAL(letters, 400);
    CU_ASSERT_EQUAL(times((char *)out.data, "1.25"), 1);
    fl_buf_free(&out);
}

static void what_has_no_content_is_left_out(void)
{
    struct fl_table t = {0};
    struct fl_buf out = {0};
    fl_table_title(&t, "A title");
    fl_table_columns(&t, "*job|?hang|FIT|?sdc|faults");
    static const char *const cell[][5] = {
        {"a", "0", "-", "0", "8"}, {"b", "0", "-", "3", "0"}, {"c", "0", "-", "0", ""}};
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 5; c++)
            fl_table_cell(&t, "%s", cell[r][c]);
    CU_ASSERT_TRUE(fl_table_print(&t, &out));
    CU_ASSERT_STRING_EQUAL((char *)out.data, "A title\njob  sdc  faults\n"
                                             "a      0       8\nb      3       0\n");
    size_t before = out.size;
    fl_table_title(&t, "A table without rows");
    fl_table_columns(&t, "*job|?hang");
    CU_ASSERT_FALSE(fl_table_print(&t, &out));
    CU_ASSERT_EQUAL(out.size, before);
    fl_buf_free(&out);
}

static void names_of_files_break_no_table(void)
{
    struct fl_table t = {0};
    struct fl_buf out = {0};
    fl_table_columns(&t, "*job|faults");
    fl_table_cell(&t, "%s", "a\nb\x1b");
    fl_table_cell(&t, "1");
    fl_table_cell(&t, "%s", "\xc3\xa4");
    fl_table_cell(&t, "2");
    fl_table_print(&t, &out);
    CU_ASSERT_STRING_EQUAL((char *)out.data,
                           "job      faults\na b\\x1b       1\n\xc3\xa4             2\n");
    fl_buf_free(&out);
}

/* ---- reports of campaigns ------------------------------------------------------------------------------------------ */

/* Of a command in the folder of jobs; what it prints fits, and there is as much as was hoped for. */
static void fits(const char *line, int lines)
{
    struct fl_buf out = {0}, err = {0};
    int status = commands_run(line, &out, &err);
    bool good = status == 0 && longest_line(commands_text(&out)) <= FL_COLUMNS &&
                commands_lines(commands_text(&out)) >= lines;
    if (!good)
        printf("\n    %s\nends with %d and prints\n%s%s", line, status, commands_text(&out),
               commands_text(&err));
    CU_ASSERT_TRUE(good);
    fl_buf_free(&out);
    fl_buf_free(&err);
}

#define LONG "good-with-a-name-that-is-as-long-as-the-name-of-any-job-can-be-"

static void make_jobs(void)
{
    commands_run("for n in a second " LONG "; do sed \"s/name=\\\"t\\\"/name=\\\"$n\\\"/\" "
                 "good.job.xml >$n.job.xml; done",
                 NULL, NULL);
}

#define JOBS "a.job.xml second.job.xml " LONG ".job.xml"

static void coverage_fits_for_all_targets_of_several_jobs(void)
{
    fits("faultsim stuck-at --target all --sample 20 " JOBS, 40);
    fits("faultsim stuck-at a.job.xml", 9);
    fits("faultsim stuck-at --target ir --store stuck-at.db " JOBS, 12);
    fits("faultsim report stuck-at.db", 12);
    fits("faultsim memory --target rf/p0-3,shared/p0-1 --sample 50 " JOBS, 15);
}

static void avf_fits_for_all_targets_of_several_jobs(void)
{
    fits("faultsim transient --target all --sample 20 --ace --technology 28nm " JOBS, 100);
    fits("faultsim transient --target rf,pc --technology 28nm --sps 8,16,32 a.job.xml", 40);
    fits("faultsim intermittent --target all --sample 20 a.job.xml", 30);
    fits("faultsim transient --target cc --store flips.db " JOBS, 10);
    fits("faultsim report flips.db", 10);
}

static void other_tables_fit(void)
{
    fits("faultsim stuck-at --target all --sample 20 --store a.db " JOBS " >a && faultsim stuck-at "
         "--target all --sample 20 --seed 2 --store b.db " JOBS " >b && faultsim compare a.db b.db",
         40);
    fits("faultsim dictionary " JOBS, 5);
}

int main(void)
{
    commands_start();
    make_jobs();
    int failed = CHECK_RUN(
        "tables", CHECK(random_tables_fit_and_hold_each_cell_once_under_its_head),
        CHECK(rows_become_columns_where_that_fits),
        CHECK(a_head_ends_its_line_after_a_hyphen_but_a_range_stays_whole),
        CHECK(long_names_go_on_in_the_next_line), CHECK(what_has_no_content_is_left_out),
        CHECK(names_of_files_break_no_table), CHECK(coverage_fits_for_all_targets_of_several_jobs),
        CHECK(avf_fits_for_all_targets_of_several_jobs), CHECK(other_tables_fit));
    commands_end();
    return failed;
}
