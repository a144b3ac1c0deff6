/* xml_out.c -- beginning and end of an XML file. */
#include "xml_out.h"

int xml_out_begin(struct xml_out *x, const char *root, struct fl_err *err)
{
    x->buffer = xmlBufferCreate();
    x->w = x->buffer ? xmlNewTextWriterMemory(x->buffer, 0) : NULL;
    if (!x->w) {
        xmlBufferFree(x->buffer);
        return fl_fail(err, "libxml2 cannot make a writer");
    }
    xmlTextWriterSetIndent(x->w, 1);
    xmlTextWriterStartDocument(x->w, NULL, "UTF-8", NULL);
    xml_out_open(x->w, root);
    return 0;
}

void xml_out_end(struct xml_out *x, struct fl_buf *out)
{
    xmlTextWriterEndDocument(x->w);
    xmlFreeTextWriter(x->w);
    fl_buf_add(out, x->buffer->content, x->buffer->use);
    xmlBufferFree(x->buffer);
}
