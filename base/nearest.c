/* nearest.c -- see nearest.h. */
#include "nearest.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 32, MOST = 2 };

static bool same_letter(char a, char b)
{
    return a == b || (strchr("-_", a) && strchr("-_", b));
}

/* How many letters to add, take away or change. */
static int distance(const char *a, size_t n, const char *b)
{
    int row[LONGEST + 1];
    size_t m = strlen(b);
    if (n > LONGEST || m > LONGEST)
        return LONGEST;
    for (size_t j = 0; j <= m; j++)
        row[j] = (int)j;
    for (size_t i = 1; i <= n; i++) {
        int before = row[0]++;
        for (size_t j = 1; j <= m; j++) {
            int best = before + !same_letter(a[i - 1], b[j - 1]);
            before = row[j];
            best = best < row[j] + 1 ? best : row[j] + 1;
            row[j] = best < row[j - 1] + 1 ? best : row[j - 1] + 1;
        }
    }
    return row[m];
}

/* Is `typed` made of the beginnings of the first words of a text, of two letters each or more? A plural may
 * be one of the first word. */
static bool begins_words(const char *typed, size_t n, const char *text)
{
    size_t at = 0;
    for (bool first = true; at < n; first = false) {
        size_t same = 0;
        while (at + same < n && isalnum((unsigned char)text[same]) &&
               tolower((unsigned char)typed[at + same]) == tolower((unsigned char)text[same]))
            same++;
        at += same;
        if (same < 2 || at >= n)
            return same >= 2 && n > 2;
        if (first && at + 1 == n && typed[at] == 's')
            return true;
        text += strcspn(text, " -");
        text += strspn(text, " -");
        at += strspn(typed + at, "-_ ") ? 1 : 0;
    }
    return false;
}

void fl_nearest_try(struct fl_nearest *n, const char *name, const char *text)
{
    const char *whole = name;
    size_t dashes = strspn(n->typed, "-"),
           length = (n->length ? (size_t)n->length : strlen(n->typed)) - dashes;
    const char *typed = n->typed + dashes;
    name += strspn(name, "-");
    int d = text && begins_words(typed, length, text)            ? 0
            : length > MOST && strncmp(name, typed, length) == 0 ? 1
                                                                 : distance(typed, length, name);
    if (d > MOST || 2 * d > (int)length || (n->hint[0] && d >= n->distance))
        return;
    n->distance = d;
    snprintf(n->hint, sizeof n->hint, " (did you mean %s?)", whole);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* In the order of their names: folders have none of their own. */
void fl_nearest_files(struct fl_nearest *n, const char *folder, const char *suffix)
{
    char **name = NULL;
    int count = 0, room = 0;
    DIR *d = opendir(folder);
    for (const struct dirent *e; d && (e = readdir(d));) {
        size_t all = strlen(e->d_name), end = strlen(suffix);
        if (all <= end || strcmp(e->d_name + all - end, suffix) != 0)
            continue;
        FL_ROOM(name, count, room, 16);
        name[count++] = fl_format("%.*s", (int)(all - end), e->d_name);
    }
    if (d)
        closedir(d);
    if (count)
        qsort(name, (size_t)count, sizeof *name, by_name);
    for (int i = 0; i < count; i++) {
        fl_nearest_try(n, name[i], NULL);
        free(name[i]);
    }
    free(name);
}
