/* table.c -- see table.h. */
#include "table.h"

#include <stdlib.h>
#include <string.h>

enum {
    GAP = 2,   /* blanks between columns */
    TEXT = 24, /* the least width of a column of text, */
    NAME = 16, /* and of one of names */
    LETTERS = 4
};

/* ---- lines ----------------------------------------------------------------------------------- */

/* Bytes of UTF-8 that begin a character. */
static bool begins(char c)
{
    return ((unsigned char)c & 0xc0) != 0x80;
}

static int length(const char *text)
{
    int n = 0;
    for (; *text; text++)
        n += begins(*text);
    return n;
}

/* A line of a cell may end after it; ranges of numbers stay whole. */
static bool breaks(const char *at)
{
    return strchr("-/,:", *at) && !('0' <= at[1] && at[1] <= '9');
}

/* The bytes of the first line of `text`: as many as fit up to a space, or in a cell after a mark. A word that is too long is cut
 * in a cell, and stays whole in a sentence. */
static size_t line_of(const char *text, int width, bool cell)
{
    size_t at = 0, best = 0;
    int n = 0;
    for (; text[at]; at++) {
        if (text[at] == ' ' && at)
            best = at;
        if (n >= width && begins(text[at]) && (best || cell))
            return best ? best : at;
        n += begins(text[at]);
        if (cell && breaks(text + at) && n <= width)
            best = at + 1;
    }
    return at;
}

/* The longest part of a head that stays in one line. */
static int longest(const char *head)
{
    int most = 0, n = 0;
    for (; *head; head++) {
        n = *head == ' ' ? 0 : n + begins(*head);
        most = n > most ? n : most;
        if (breaks(head))
            n = 0;
    }
    return most;
}

/* Line `n` of a cell, "" past its end. */
static const char *line(const char *text, int width, int n, size_t *bytes)
{
    *bytes = line_of(text, width, true);
    for (; n > 0 && *text; n--) {
        text += *bytes;
        text += *text == ' ';
        *bytes = line_of(text, width, true);
    }
    return text;
}

static int lines(const char *text, int width)
{
    size_t bytes;
    int n = 1;
    while (*line(text, width, n, &bytes))
        n++;
    return n;
}

static void wrap(struct fl_buf *out, const char *text)
{
    do {
        int paragraph = (int)strcspn(text, "\n");
        char *one = fl_format("%.*s", paragraph, text);
        const char *at = one;
        do {
            int bytes = (int)line_of(at, FL_COLUMNS, false);
            fl_buf_printf(out, "%.*s\n", bytes, at);
            at += bytes;
            at += *at == ' ';
        } while (*at);
        free(one);
        text += paragraph;
    } while (*text++ && *text);
}

static char *formatted(const char *fmt, va_list args) __attribute__((format(printf, 1, 0)));
static char *formatted(const char *fmt, va_list args)
{
    struct fl_buf text = {0};
    fl_buf_vprintf(&text, fmt, args);
    fl_buf_add(&text, "", 1);
    return (char *)text.data;
}

void fl_wrap(struct fl_buf *out, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    char *text = formatted(fmt, args);
    va_end(args);
    wrap(out, text);
    free(text);
}

/* ---- what is in it --------------------------------------------------------------------------- */

void fl_table_title(struct fl_table *t, const char *fmt, ...)
{
    va_list args;
    free(t->title);
    va_start(args, fmt);
    t->title = formatted(fmt, args);
    va_end(args);
}

/* Takes `text`. Names come from files: what is no printable character is shown as one. */
static void add(struct fl_table *t, char *text)
{
    struct fl_buf shown = {0};
    fl_buf_printable(&shown, text);
    fl_buf_add(&shown, "", 1);
    free(text);
    for (char *c = (char *)shown.data; *c; c++)
        *c = *c == '\n' || *c == '\t' ? ' ' : *c;
    FL_ROOM(t->cell, t->cells, t->room, 64);
    t->cell[t->cells++] = (char *)shown.data;
}

void fl_table_column(struct fl_table *t, char kind, const char *head)
{
    t->kind = fl_grow(t->kind, (size_t)t->columns + 1, 1);
    t->kind[t->columns++] = kind;
    add(t, fl_strdup(head));
}

void fl_table_columns(struct fl_table *t, const char *heads)
{
    for (; *heads; heads += *heads == '|') {
        char kind = strchr("*<?", *heads) ? *heads++ : ' ';
        int bytes = (int)strcspn(heads, "|");
        char *head = fl_format("%.*s", bytes, heads);
        fl_table_column(t, kind, head);
        free(head);
        heads += bytes;
    }
}

void fl_table_cell(struct fl_table *t, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    add(t, formatted(fmt, args));
    va_end(args);
}

/* ---- how it is printed ----------------------------------------------------------------------- */

/* The rows and columns that are shown. Turned, a row of the table is a column of what is printed. */
struct grid {
    const struct fl_table *t;
    int *row, *column; /* row 0 is that of the heads */
    int rows, columns, keys;
    bool turned;
    int *width, *least; /* of the columns of what is printed */
};

static int high(const struct grid *g)
{
    return g->turned ? g->columns : g->rows;
}

static int wide(const struct grid *g)
{
    return g->turned ? g->rows : g->columns;
}

/* Rows of heads, and columns of names, of what is printed. */
static int heads(const struct grid *g)
{
    return g->turned ? g->keys : 1;
}

static int names(const struct grid *g)
{
    return g->turned ? 1 : g->keys;
}

static const char *cell(const struct grid *g, int row, int column)
{
    int r = g->turned ? column : row, c = g->turned ? row : column;
    return g->t->cell[g->row[r] * g->t->columns + g->column[c]];
}

static bool is_text(const struct grid *g, int column)
{
    return !g->turned && g->t->kind[g->column[column]] == '<';
}

static bool has_content(const struct fl_table *t, int row, int column)
{
    const char *text = t->cell[row * t->columns + column];
    return *text && strcmp(text, "-") != 0 && (t->kind[column] != '?' || strcmp(text, "0") != 0);
}

static void find_rows(struct grid *g)
{
    const struct fl_table *t = g->t;
    g->row[g->rows++] = 0;
    for (int r = 1; r < t->cells / t->columns; r++) {
        bool any = t->kind[t->columns - 1] == '*';
        for (int c = 0; c < t->columns; c++)
            any |= t->kind[c] != '*' && has_content(t, r, c);
        if (any)
            g->row[g->rows++] = r;
    }
}

static void find_columns(struct grid *g)
{
    for (int c = 0; c < g->t->columns; c++) {
        bool any = false;
        for (int r = 1; r < g->rows; r++)
            any |= has_content(g->t, g->row[r], c);
        if (any) {
            g->keys += g->t->kind[c] == '*';
            g->column[g->columns++] = c;
        }
    }
}

/* Does it fit so? Sets the widths, to what the cells want, and where that is too much to less: heads in several lines, texts
 * that go on in the next one, and so do names that are `cut`. */
static bool fits(struct grid *g, bool turned, bool cut)
{
    int all = -GAP, widest = 0;
    g->turned = turned;
    for (int c = 0; c < wide(g); c++) {
        int width = 1, least = 1;
        for (int r = 0; r < high(g); r++) {
            int n = length(cell(g, r, c)), m = r < heads(g) ? longest(cell(g, r, c)) : n;
            width = n > width ? n : width;
            least = m > least ? m : least;
        }
        g->width[c] = width;
        int may = is_text(g, c) ? TEXT : cut && c < names(g) ? NAME : least;
        g->least[c] = may < least ? may : least;
        all += width + GAP;
    }
    for (; all > FL_COLUMNS && widest >= 0; all--) {
        widest = -1;
        for (int c = 0; c < wide(g); c++)
            if (g->width[c] > g->least[c] && (widest < 0 || g->width[c] > g->width[widest]))
                widest = c;
        if (widest >= 0)
            g->width[widest]--;
    }
    return widest >= 0;
}

/* Names that are the same in all rows go into a line above them. */
static void same_names(struct grid *g, struct fl_buf *out)
{
    struct fl_buf said = {0};
    int left = 0;
    for (int c = 0; c < g->columns; c++) {
        const char *first = g->t->cell[g->row[1] * g->t->columns + g->column[c]];
        bool same = c < g->keys && g->rows > 2;
        for (int r = 2; r < g->rows; r++)
            same &= strcmp(first, g->t->cell[g->row[r] * g->t->columns + g->column[c]]) == 0;
        if (same)
            fl_buf_printf(&said, "%s%s %s", said.size ? ", " : "", g->t->cell[g->column[c]], first);
        else
            g->column[left++] = g->column[c];
    }
    g->keys -= g->columns - left;
    g->columns = left;
    if (said.size)
        wrap(out, (char *)said.data);
    fl_buf_free(&said);
}

/* For blocks of columns: room for the widest beside the names, of which each keeps a few letters in a line. */
static void narrow(struct grid *g)
{
    int room = FL_COLUMNS - names(g) * (LETTERS + GAP), widest = 0, all = 0;
    for (int c = 0; c < wide(g); c++) {
        int most = c < names(g) ? TEXT : room;
        g->width[c] = g->width[c] > most ? most : g->width[c];
        if (c < names(g))
            all += g->width[c] + GAP;
        else
            widest = g->width[c] > widest ? g->width[c] : widest;
    }
    for (; all + widest > FL_COLUMNS; all--) {
        int most = 0;
        for (int c = 1; c < names(g); c++)
            most = g->width[c] > g->width[most] ? c : most;
        g->width[most]--;
    }
}

static void print_row(const struct grid *g, int row, int from, int to, struct fl_buf *out)
{
    int most = 1;
    for (int c = 0; c < to; c = c + 1 == names(g) ? from : c + 1) {
        int n = lines(cell(g, row, c), g->width[c]);
        most = n > most ? n : most;
    }
    for (int i = 0; i < most; i++) {
        int blanks = 0;
        for (int c = 0; c < to; c = c + 1 == names(g) ? from : c + 1) {
            const char *text = cell(g, row, c);
            bool left = c < names(g) || is_text(g, c);
            int above = row < heads(g) ? most - lines(text, g->width[c]) : 0;
            size_t bytes = 0;
            text = i < above ? "" : line(text, g->width[c], i - above, &bytes);
            char *part = fl_format("%.*s", (int)bytes, text);
            int rest = g->width[c] - length(part);
            if (*part)
                fl_buf_printf(out, "%*s%s", blanks + (left ? 0 : rest), "", part);
            blanks = *part ? (left ? rest : 0) : blanks + g->width[c];
            blanks += GAP;
            free(part);
        }
        fl_buf_printf(out, "\n");
    }
}

static void print_block(const struct grid *g, int from, int to, struct fl_buf *out)
{
    for (int r = 0; r < high(g); r++)
        print_row(g, r, from, to, out);
}

static void print_blocks(struct grid *g, struct fl_buf *out)
{
    int first = names(g);
    fits(g, false, false);
    narrow(g);
    for (int from = first, to; from < wide(g); from = to) {
        int all = 0;
        for (int c = 0; c < first; c++)
            all += g->width[c] + GAP;
        for (to = from; to < wide(g) && (to == from || all + g->width[to] <= FL_COLUMNS); to++)
            all += g->width[to] + GAP;
        fl_buf_printf(out, from > first ? "\n" : "");
        print_block(g, from, to, out);
    }
}

static void print(struct grid *g, struct fl_buf *out)
{
    bool fit = fits(g, false, false);
    if (!fit) {
        same_names(g, out);
        fit = fits(g, false, false) || (g->keys && fits(g, true, false)) || fits(g, false, true);
    }
    if (fit)
        print_block(g, names(g), wide(g), out);
    else
        print_blocks(g, out);
}

bool fl_table_print(struct fl_table *t, struct fl_buf *out)
{
    size_t rows = t->columns ? (size_t)(t->cells / t->columns) : 0, columns = (size_t)t->columns;
    struct grid g = {.t = t,
                     .row = fl_alloc((rows + 1) * sizeof(int)),
                     .column = fl_alloc((columns + 1) * sizeof(int)),
                     .width = fl_alloc((rows + columns) * sizeof(int)),
                     .least = fl_alloc((rows + columns) * sizeof(int))};
    if (rows) {
        find_rows(&g);
        find_columns(&g);
    }
    bool any = g.rows > 1;
    if (any) {
        fl_buf_printf(out, out->size ? "\n" : "");
        if (t->title)
            wrap(out, t->title);
        print(&g, out);
    }
    free(g.row);
    free(g.column);
    free(g.width);
    free(g.least);
    for (int i = 0; i < t->cells; i++)
        free(t->cell[i]);
    free(t->cell);
    free(t->kind);
    free(t->title);
    *t = (struct fl_table){0};
    return any;
}
