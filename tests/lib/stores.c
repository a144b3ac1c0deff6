/* stores.c -- makes, changes and reads them. */
#include <sqlite3.h>

#include "seal.h"
#include "stores.h"

char *stores_dir;

void stores_start(void)
{
    stores_dir = tools_folder();
}

void stores_end(void)
{
    tools_remove(stores_dir);
}

const char *stores_file(const char *name)
{
    static char path[64][128];
    char *p = path[0], wanted[128];
    snprintf(wanted, sizeof wanted, "%s/%s", stores_dir, name);
    while (p[0] && strcmp(p, wanted) != 0)
        p += sizeof path[0];
    CU_ASSERT_FATAL(p < path[63]);
    return strcpy(p, wanted);
}

char *stores_dump(struct store *s)
{
    struct fl_err err = {""};
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    char *text = made_up_dump(s);
    CU_ASSERT_EQUAL(store_close(s, &err), 0);
    return text;
}

char *stores_undisturbed(void)
{
    struct fl_err err;
    return stores_dump(made_up_campaign(NULL, false, 1, 1, MADE_UP_UNITS, &err));
}

char *stores_read(const char *path)
{
    struct store *s;
    struct fl_err err = {""};
    if (store_read(path, &s, &err) != 0) {
        printf("\n%s\n", err.msg);
        CU_FAIL_FATAL("cannot be read back");
    }
    return stores_dump(s);
}

void stores_change(const char *path, const char *sql)
{
    sqlite3 *db;
    CU_ASSERT_EQUAL(sqlite3_open(path, &db), SQLITE_OK);
    CU_ASSERT_EQUAL(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

void stores_change_sealed(const char *path, const char *sql)
{
    stores_change(path, sql);
    CU_ASSERT_EQUAL(seal_store(path), 0);
}

void stores_copy(const char *from, const char *to)
{
    struct fl_err err;
    struct fl_buf b = {0};
    CU_ASSERT_EQUAL_FATAL(fl_read_file(stores_file(from), &b, &err), 0);
    tools_put(stores_dir, to, b.data, b.size);
    fl_buf_free(&b);
}
