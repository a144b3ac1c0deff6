/* schema.h -- the tables and views of a campaign's file, as SQL. docs/reference/stores.md explains them; a
 * change here is a new STORE_FORMAT, and a way to it from the last one in migrate.c.
 */
#ifndef STORE_SCHEMA_H
#define STORE_SCHEMA_H

enum {
    STORE_APPLICATION = 0x464c4341
}; /* "FLCA": what `file` and SQLite's application_id tell it by */

/* The lists end with a name NULL. */
struct store_object {
    const char *name;
    int since; /* the first format that has this table, of those that are read; a view: 0 */
    /* a table: what stands behind its name; a view: what it selects */
    const char *is;
};
extern const struct store_object store_tables[], store_views[];

/* The statement that makes it, as it is in the file then; `outcomes`: those that the file has, "masked,sdc",
 * of which views have columns. Caller frees. */
char *store_object_sql(const struct store_object *o, const char *outcomes);

#endif
