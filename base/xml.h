/* xml.h -- reading hostile XML: parse, walk, complain with file:line, check against a RELAX NG
 * schema.
 *
 * A reader opens a file, walks it and refuses what it does not understand in its own words, then
 * lets the schema have the last word (xml_validate). The schema is the law; the reader is there for
 * messages a person can act on. Nothing here touches the network, expands an entity, accepts a DTD,
 * prints, or keeps state between calls; calls from several threads do not meet.
 */
#ifndef XML_H
#define XML_H

#include <stdbool.h>
#include <stdint.h>
#include <libxml/tree.h>
#include "fl.h"

struct xml_file {
    char *path;
    xmlDoc *doc;
};

/* Opens `path`, whose root element must be `root`. Close with xml_close, also after a failure. */
int xml_open(const char *path, const char *root, struct xml_file *out, struct fl_err *err);
/* Checks an open file against a schema of the data folder, "docs/job.rng". */
int xml_validate(const struct xml_file *f, const char *schema, struct fl_err *err);
void xml_close(struct xml_file *f);
/* Opens and, unless `schema` is NULL, checks a file; on an error nothing stays open. */
int xml_read(const char *path, const char *root, const char *schema, struct xml_file *out,
             struct fl_err *err);

/* The data folder: $FAULTLINE_DATA, or ../share/faultline beside the program, or the one the build
 * was told of. A file of it. Caller frees. */
char *xml_data_folder(void);
char *xml_data_file(const char *rel);

/* Fills in "path:line: message", returns -1. */
int xml_fail(const struct xml_file *f, const xmlNode *n, struct fl_err *err, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* Child elements in order: for (n = xml_first(parent); n; n = xml_next(n)). */
xmlNode *xml_first(const xmlNode *n);
xmlNode *xml_next(const xmlNode *n);
int xml_line(const xmlNode *n);
const char *xml_name(const xmlNode *n);
bool xml_is(const xmlNode *n, const char *name);

/* Refuses attributes that are in neither list and misses none of the required ones; lists are "name
 * size". */
int xml_attrs(const struct xml_file *f, const xmlNode *n, const char *required,
              const char *optional, struct fl_err *err);
/* Value of an attribute, or NULL when it is not there. Lives as long as the file. */
const char *xml_attr(const xmlNode *n, const char *name);
/* Number of an attribute in min..max; *value stays when the attribute is not there. */
int xml_attr_u32(const struct xml_file *f, const xmlNode *n, const char *name, uint32_t min,
                 uint32_t max, uint32_t *value, struct fl_err *err);

/* Refuses text between the child elements, and child elements too when `leaf`. */
int xml_no_text(const struct xml_file *f, const xmlNode *n, bool leaf, struct fl_err *err);
/* The text of an element that holds nothing else. */
int xml_text(const struct xml_file *f, const xmlNode *n, struct fl_buf *out, struct fl_err *err);

/* Numbers as the files and the command lines write them: 12, 0xc; -12; 1.5, -2e3, inf. False: not a
 * number, or one that does not fit. */
bool xml_u32(const char *text, uint32_t *value);
bool xml_s32(const char *text, uint32_t *bits);
bool xml_f32(const char *text, uint32_t *bits);

#endif
