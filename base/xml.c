/* xml.c -- reading hostile XML with libxml2. See xml.h for the rules of use.
 *
 * libxml2 reports an error through one callback a thread; every call here installs its own for as
 * long as it runs and keeps the first error, since the later ones follow from it.
 */
#include "xml.h"

#include <ctype.h>
#include <errno.h>
#include <dlfcn.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/relaxng.h>
#include <libxml/xmlschemastypes.h>

struct capture {
    long line; /* of the first error, 0 when it has none */
    char msg[256];
    xmlStructuredErrorFunc old;
    void *old_context;
};

static void keep_first(void *context, xmlErrorPtr e)
{
    struct capture *c = context;
    if (c->msg[0] || !e || e->level < XML_ERR_ERROR)
        return;
    c->line = e->line;
    snprintf(c->msg, sizeof c->msg, "%s", e->message ? e->message : "no message");
    for (char *p = c->msg; *p; p++)
        if (iscntrl((unsigned char)*p))
            *p = ' ';
    for (size_t n = strlen(c->msg); n && c->msg[n - 1] == ' '; n--)
        c->msg[n - 1] = 0;
}

/* libxml2 fills the tables of its schema types on first use and does not lock them, so it is done
 * once, here. */
static void start_libxml(void)
{
    xmlInitParser();
    xmlSchemaInitTypes();
    xmlRelaxNGInitTypes();
}

static void begin_capture(struct capture *c)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, start_libxml);
    *c = (struct capture){.old = xmlStructuredError, .old_context = xmlStructuredErrorContext};
    xmlSetStructuredErrorFunc(c, keep_first);
}

static void end_capture(const struct capture *c)
{
    xmlSetStructuredErrorFunc(c->old_context, c->old);
}

/* Called before the first declaration of a DTD is read: no entity is ever defined, so none can be
 * expanded. */
static void refuse_dtd(void *context, const xmlChar *name, const xmlChar *external,
                       const xmlChar *system)
{
    xmlParserCtxt *ctxt = context;
    struct capture *c = ctxt->_private;
    (void)name, (void)external, (void)system;
    if (!c->msg[0]) {
        c->line = ctxt->input ? ctxt->input->line : 1;
        snprintf(c->msg, sizeof c->msg,
                 "document type declarations are not accepted; remove the <!DOCTYPE ...>");
    }
    xmlStopParser(ctxt);
}

static xmlDoc *parse(const char *path, const struct fl_buf *text, struct fl_err *err)
{
    struct capture c;
    begin_capture(&c);
    xmlDoc *doc = NULL;
    xmlParserCtxt *ctxt = xmlCreateMemoryParserCtxt((const char *)text->data, (int)text->size);
    if (ctxt) {
        ctxt->_private = &c;
        ctxt->sax->internalSubset = refuse_dtd;
        /* Left out of the tree, so that the text around them is one node: libxml2's <list> needs
         * that. */
        ctxt->sax->comment = NULL;
        ctxt->sax->processingInstruction = NULL;
        xmlCtxtUseOptions(ctxt, XML_PARSE_NONET | XML_PARSE_NOCDATA | XML_PARSE_BIG_LINES);
        xmlParseDocument(ctxt);
        doc = ctxt->myDoc;
        if (!ctxt->wellFormed || c.msg[0]) {
            xmlFreeDoc(doc);
            doc = NULL;
        }
        xmlFreeParserCtxt(ctxt);
    }
    end_capture(&c);
    if (!doc)
        fl_fail(err, "%s:%ld: %s%s", path, c.line > 0 ? c.line : 1,
                strncmp(c.msg, "document type", 13) ? "not well-formed XML, correct it here: " : "",
                c.msg[0] ? c.msg : "the file holds no element");
    return doc;
}

int xml_open(const char *path, const char *root, struct xml_file *out, struct fl_err *err)
{
    *out = (struct xml_file){.path = fl_strdup(path)};
    struct fl_buf text = {0};
    if (fl_read_text(path, &text, err))
        return -1;
    if (fl_xml_limits(path, &text, err)) {
        fl_buf_free(&text);
        return -1;
    }
    if (text.size == 0) {
        fl_buf_free(&text);
        return fl_fail(err, "%s:1: the file is empty; a <%s> is needed", path, root);
    }
    out->doc = parse(path, &text, err);
    fl_buf_free(&text);
    if (!out->doc)
        return -1;
    const xmlNode *top = xmlDocGetRootElement(out->doc);
    if (!top)
        return fl_fail(err, "%s:1: the file holds no element; a <%s> is needed", path, root);
    if (!xml_is(top, root))
        return xml_fail(out, top, err, "the file holds a <%.40s>, a <%s> is needed", xml_name(top),
                        root);
    return 0;
}

void xml_close(struct xml_file *f)
{
    xmlFreeDoc(f->doc);
    free(f->path);
    *f = (struct xml_file){0};
}

char *xml_data_folder(void)
{
    const char *folder = getenv("FAULTLINE_DATA");
    if (folder && *folder)
        return fl_strdup(folder);
    char program[PATH_MAX];
    int up = 2;
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    program[n > 0 ? n : 0] = 0;
    Dl_info own;
    if (dladdr(__func__, &own) && strstr(own.dli_fname, "/lib/faultline/") &&
        realpath(own.dli_fname, program))
        up = 3; /* the program is somebody else's: ours is the library */
    for (; up && strchr(program, '/'); up--)
        *strrchr(program, '/') = 0;
    char *dir = fl_format("%s/share/faultline", program);
    if (*program && access(dir, F_OK) == 0)
        return dir;
    free(dir);
    return fl_strdup(FAULTLINE_DATA_DIR);
}

char *xml_data_file(const char *rel)
{
    char *folder = xml_data_folder(), *path = fl_format("%s/%s", folder, rel);
    free(folder);
    return path;
}

static xmlRelaxNG *parse_schema(const struct fl_buf *text)
{
    xmlRelaxNGParserCtxt *p = xmlRelaxNGNewMemParserCtxt((const char *)text->data, (int)text->size);
    if (!p)
        return NULL;
    xmlRelaxNG *schema = xmlRelaxNGParse(p);
    xmlRelaxNGFreeParserCtxt(p);
    return schema;
}

int xml_validate(const struct xml_file *f, const char *schema, struct fl_err *err)
{
    char *path = xml_data_file(schema);
    struct fl_buf text = {0};
    struct fl_err why;
    int result = -1;
    if (fl_read_file(path, &text, &why) || text.size > FL_XML_BYTES) {
        fl_fail(err,
                "%s:1: cannot be checked: %.300s; set FAULTLINE_DATA to the folder that holds %s",
                f->path, text.size ? path : why.msg, schema);
        goto out;
    }
    struct capture c;
    begin_capture(&c);
    xmlRelaxNG *rng = parse_schema(&text);
    xmlRelaxNGValidCtxt *ctxt = rng ? xmlRelaxNGNewValidCtxt(rng) : NULL;
    if (!ctxt) {
        fl_fail(err, "%s:%ld: damaged schema (%s); restore it from the distribution", path, c.line,
                c.msg);
    } else {
        xmlRelaxNGSetValidStructuredErrors(ctxt, keep_first, &c);
        result = xmlRelaxNGValidateDoc(ctxt, f->doc) == 0 ? 0 : -1;
        if (result)
            fl_fail(err, "%s:%ld: %s; the format is described in docs/reference/formats.md",
                    f->path, c.line > 0 ? c.line : 1, c.msg[0] ? c.msg : "not valid");
    }
    xmlRelaxNGFreeValidCtxt(ctxt);
    xmlRelaxNGFree(rng);
    end_capture(&c);
out:
    fl_buf_free(&text);
    free(path);
    return result;
}

int xml_read(const char *path, const char *root, const char *schema, struct xml_file *out,
             struct fl_err *err)
{
    if (xml_open(path, root, out, err) == 0 && (!schema || xml_validate(out, schema, err) == 0))
        return 0;
    xml_close(out);
    return -1;
}

int xml_fail(const struct xml_file *f, const xmlNode *n, struct fl_err *err, const char *fmt, ...)
{
    char msg[sizeof err->msg];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(msg, sizeof msg, fmt, ap);
    va_end(ap);
    return fl_fail(err, "%s:%d: %s", f->path, xml_line(n), msg);
}

int xml_line(const xmlNode *n)
{
    long line = xmlGetLineNo(n);
    return line > 0 ? (int)line : 1;
}

static xmlNode *element_from(xmlNode *n)
{
    while (n && n->type != XML_ELEMENT_NODE)
        n = n->next;
    return n;
}

xmlNode *xml_first(const xmlNode *n)
{
    return element_from(n->children);
}

xmlNode *xml_next(const xmlNode *n)
{
    return element_from(n->next);
}

const char *xml_name(const xmlNode *n)
{
    return (const char *)n->name;
}

bool xml_is(const xmlNode *n, const char *name)
{
    return !n->ns && !strcmp(xml_name(n), name);
}

/* Is `word` one of the space-separated words of `list`? */
static bool listed(const char *list, const char *word)
{
    size_t n = strlen(word);
    for (const char *p = list; *p; p += strspn(p, " ")) {
        size_t m = strcspn(p, " ");
        if (m == n && !memcmp(p, word, n))
            return true;
        p += m;
    }
    return false;
}

int xml_attrs(const struct xml_file *f, const xmlNode *n, const char *required,
              const char *optional, struct fl_err *err)
{
    for (const xmlAttr *a = n->properties; a; a = a->next) {
        const char *name = (const char *)a->name;
        if (a->ns || (!listed(required, name) && !listed(optional, name)))
            return xml_fail(f, n, err, "<%s> has no attribute '%.40s'; it takes: %s%s%s",
                            xml_name(n), name, required, *required && *optional ? " " : "",
                            optional);
    }
    for (const char *p = required; *p; p += strspn(p, " ")) {
        char name[32];
        size_t m = strcspn(p, " ");
        snprintf(name, sizeof name, "%.*s", (int)m, p);
        if (!xml_attr(n, name))
            return xml_fail(f, n, err, "<%s> needs the attribute %s=\"...\"", xml_name(n), name);
        p += m;
    }
    return 0;
}

const char *xml_attr(const xmlNode *n, const char *name)
{
    const xmlAttr *a = xmlHasProp(n, (const xmlChar *)name);
    if (!a)
        return NULL;
    /* Without a DTD there are no entities, so a value is one text node, or none when it is
     * empty. */
    const xmlNode *text = a->children;
    return text && text->type == XML_TEXT_NODE && text->content ? (const char *)text->content : "";
}

int xml_attr_u32(const struct xml_file *f, const xmlNode *n, const char *name, uint32_t min,
                 uint32_t max, uint32_t *value, struct fl_err *err)
{
    const char *text = xml_attr(n, name);
    uint32_t v;
    if (!text)
        return 0;
    if (!xml_u32(text, &v) || v < min || v > max)
        return xml_fail(f, n, err,
                        "<%s> %s=\"%.40s\": write a number from %u to %u, as 12 or as 0xc",
                        xml_name(n), name, text, min, max);
    *value = v;
    return 0;
}

int xml_no_text(const struct xml_file *f, const xmlNode *n, bool leaf, struct fl_err *err)
{
    for (const xmlNode *c = n->children; c; c = c->next) {
        if (c->type == XML_ELEMENT_NODE && leaf)
            return xml_fail(f, c, err, "<%s> holds no elements; remove <%.40s>", xml_name(n),
                            xml_name(c));
        if (c->type != XML_ELEMENT_NODE && !xmlIsBlankNode(c))
            return xml_fail(f, n, err, "<%s> holds no text of its own; remove '%.40s'", xml_name(n),
                            c->content ? (const char *)c->content : "");
    }
    return 0;
}

int xml_text(const struct xml_file *f, const xmlNode *n, struct fl_buf *out, struct fl_err *err)
{
    fl_buf_add(out, "", 0);
    for (const xmlNode *c = n->children; c; c = c->next) {
        if (c->type == XML_ELEMENT_NODE)
            return xml_fail(f, c, err, "<%s> holds text alone; remove <%.40s>", xml_name(n),
                            xml_name(c));
        if ((c->type == XML_TEXT_NODE || c->type == XML_CDATA_SECTION_NODE) && c->content)
            fl_buf_add(out, c->content, strlen((const char *)c->content));
    }
    return 0;
}

/* The magnitude of a plain number: only digits, or 0x and hex digits; at most 32 bits. */
static bool magnitude(const char *s, uint64_t *value)
{
    int base = 10;
    if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
        base = 16;
        s += 2;
    }
    uint64_t v = 0;
    if (!*s)
        return false;
    for (; *s; s++) {
        char c = (char)(*s | 0x20); /* lower case */
        int digit = *s >= '0' && *s <= '9' ? *s - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
        if (digit >= base)
            return false;
        v = v * (uint64_t)base + (uint64_t)digit;
        if (v > UINT32_MAX)
            return false;
    }
    *value = v;
    return true;
}

bool xml_u32(const char *text, uint32_t *value)
{
    uint64_t v;
    if (!magnitude(text, &v))
        return false;
    *value = (uint32_t)v;
    return true;
}

bool xml_s32(const char *text, uint32_t *bits)
{
    bool minus = *text == '-';
    uint64_t v;
    if (!magnitude(text + minus, &v) || v > (uint64_t)INT32_MAX + minus)
        return false;
    *bits = minus ? 0u - (uint32_t)v : (uint32_t)v;
    return true;
}

bool xml_f32(const char *text, uint32_t *bits)
{
    /* strtof takes more than the format does (hex, "nan(...)", leading blanks): look first. */
    const char *p = text + (*text == '-' || *text == '+');
    if (strcmp(p, "inf") &&
        (strspn(p, "0123456789.eE+-") != strlen(p) || !strpbrk(p, "0123456789")))
        return false;
    if (strcmp(p, "inf") && !isdigit((unsigned char)*p) && *p != '.')
        return false;
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0); /* a decimal point in every country */
    char *end;
    float v = c ? strtof_l(text, &end, c) : strtof(text, &end);
    if (c)
        freelocale(c);
    if (*end || (isinf(v) && strcmp(p, "inf")))
        return false;
    memcpy(bits, &v, sizeof v);
    return true;
}
