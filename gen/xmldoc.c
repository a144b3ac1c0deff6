/* xmldoc.c -- reading an XML file, with its first error as one message. libxml2 itself prints nothing. */
#include "xmldoc.h"

#include <libxml/parser.h>
#include <libxml/relaxng.h>
#include <libxml/xmlerror.h>
#include <stdbool.h>
#include <string.h>

struct first_error {
    struct fl_err *err;
    const char *path;
    bool seen;
};

static void keep_first(void *user, xmlError *e)
{
    struct first_error *first = user;
    if (first->seen || e->level < XML_ERR_ERROR)
        return;
    first->seen = true;
    const char *text = e->message ? e->message : "not well-formed";
    fl_fail(first->err, "%s:%d: %.*s", first->path, e->line, (int)strcspn(text, "\n"), text);
}

static bool valid(xmlDoc *doc, const char *path, const char *schema, struct fl_err *err)
{
    xmlRelaxNGParserCtxt *parser = xmlRelaxNGNewParserCtxt(schema);
    struct first_error broken = {err, schema, false};
    xmlRelaxNGSetParserStructuredErrors(parser, keep_first, &broken);
    xmlRelaxNG *rng = xmlRelaxNGParse(parser);
    xmlRelaxNGFreeParserCtxt(parser);
    if (!rng) {
        if (!broken.seen)
            fl_fail(err,
                    "%s: cannot read this schema; set FAULTLINE_DATA to the directory of "
                    "Faultline's data",
                    schema);
        return false;
    }
    xmlRelaxNGValidCtxt *check = xmlRelaxNGNewValidCtxt(rng);
    struct first_error refused = {err, path, false};
    xmlRelaxNGSetValidStructuredErrors(check, keep_first, &refused);
    bool good = xmlRelaxNGValidateDoc(check, doc) == 0;
    if (!good && !refused.seen)
        fl_fail(err, "%s: does not follow %s", path, schema);
    xmlRelaxNGFreeValidCtxt(check);
    xmlRelaxNGFree(rng);
    return good;
}

xmlDoc *sbst_xml_read(const char *path, const char *schema, struct fl_err *err)
{
    struct fl_buf text = {0};
    if (fl_read_file(path, &text, err) != 0 || fl_xml_limits(path, &text, err) != 0) {
        fl_buf_free(&text);
        return NULL;
    }
    xmlParserCtxt *parser = xmlNewParserCtxt();
    /* Errors of an encoding pass by the parser: without a function of the thread's own they would be printed. */
    xmlStructuredErrorFunc old = xmlStructuredError;
    void *old_context = xmlStructuredErrorContext;
    struct first_error broken = {err, path, false};
    xmlSetStructuredErrorFunc(&broken, keep_first);
    xmlDoc *doc = xmlCtxtReadMemory(parser, (const char *)text.data, (int)text.size, path, NULL,
                                    XML_PARSE_NONET | XML_PARSE_NOWARNING);
    xmlSetStructuredErrorFunc(old_context, old);
    if (!doc && !broken.seen)
        fl_fail(err, "%s: not well-formed XML", path);
    xmlFreeParserCtxt(parser);
    fl_buf_free(&text);
    if (doc && schema && !valid(doc, path, schema, err)) {
        xmlFreeDoc(doc);
        doc = NULL;
    }
    return doc;
}
