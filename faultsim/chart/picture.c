/* picture.c -- see picture.h. */
#include "picture.h"

#include <string.h>

#include "svg.h"

static const struct {
    const char *class;
    int width;
} layout[] = {{"tel", 340}, {"mid", 640}, {"desk", 980}};
enum { LAYOUTS = sizeof layout / sizeof *layout };

/* One that fits a narrower place serves wider ones too. */
void picture_html(const struct picture *p, struct fl_buf *out)
{
    int natural = p->kind->least(p->of);
    fl_buf_printf(out, "<figure>\n");
    for (int i = 0; i < LAYOUTS; i++) {
        bool last = i + 1 == LAYOUTS || natural <= layout[i].width;
        fl_buf_printf(out, "<div class=\"%s%s\">", layout[i].class, last ? " up" : "");
        p->kind->svg(p->of, layout[i].width, out);
        fl_buf_printf(out, "</div>\n");
        if (last)
            break;
    }
    fl_buf_printf(out, "<figcaption>%s</figcaption></figure>\n", p->caption);
}

void picture_svg(const struct picture *p, struct fl_buf *out)
{
    struct fl_buf svg = {0};
    int width = p->kind->least(p->of), most = layout[LAYOUTS - 1].width;
    p->kind->svg(p->of, width < most ? width : most, &svg);
    svg_file(out, &svg);
    fl_buf_free(&svg);
}
