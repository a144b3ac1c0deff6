/* seal.c -- writes the digest, and the views. */
#include "seal.h"

int seal_store(const char *path)
{
    struct store s = {.path = (char *)path, .name = (char *)path};
    struct fl_err err;
    sqlite3_stmt *q = NULL;
    int bad = sqlite3_open_v2(path, &s.db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK ||
              !(q = store_prepare(&s,
                                  "SELECT name FROM sqlite_master WHERE type = 'table' AND name "
                                  "NOT IN ('run', 'seal')",
                                  &err));
    while (!bad && store_step(&s, q, &err) > 0)
        bad = store_digest_table(&s, column(q, 0), &s.digest, &err) != 0;
    sqlite3_finalize(q);
    bad = bad || store_begin(&s, &err) != 0 || store_end(&s, 0, &err) != 0;
    store_written_free(&s);
    sqlite3_close(s.db);
    return bad ? -1 : 0;
}

int seal_views(const char *path)
{
    struct store s = {.path = (char *)path, .name = (char *)path};
    struct fl_err err;
    int bad = sqlite3_open_v2(path, &s.db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK ||
              store_make_views(&s, &err) != 0;
    sqlite3_close(s.db);
    return bad ? -1 : 0;
}
