/* schema.h -- the tables and views of a campaign's file, as SQL. docs/formats.md explains them; a change here is a
 * new STORE_FORMAT.
 */
#ifndef STORE_SCHEMA_H
#define STORE_SCHEMA_H

enum {
    STORE_APPLICATION = 0x464c4341
}; /* "FLCA": what `file` and SQLite's application_id tell it by */

extern const char store_schema[];

#endif
