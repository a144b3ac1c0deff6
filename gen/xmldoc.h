/* xmldoc.h -- reading an XML file, with its first error as one message. */
#ifndef SBST_XMLDOC_H
#define SBST_XMLDOC_H

#include <libxml/tree.h>
#include "base/fl.h"

/* Parses `path` and, when `schema` is not NULL, checks it against that RELAX NG schema. NULL with the message on error;
 * the caller frees the document with xmlFreeDoc. */
xmlDoc *sbst_xml_read(const char *path, const char *schema, struct fl_err *err);

#endif
