/* figures.c -- see figures.h. */
#include "figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXACT_DECIMALS = 4 };

void figure_escaped(struct fl_buf *out, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '<': fl_buf_printf(out, "&lt;"); break;
        case '>': fl_buf_printf(out, "&gt;"); break;
        case '&': fl_buf_printf(out, "&amp;"); break;
        case '"': fl_buf_printf(out, "&quot;"); break;
        default: fl_buf_add(out, text, 1);
        }
}

int figure_decimals(double half)
{
    if (!(half > 0))
        return EXACT_DECIMALS;
    int decimals = 1 - (int)floor(log10(half));
    return decimals < 0 ? 0 : decimals > 6 ? 6 : decimals;
}

double figure_top(double v)
{
    if (!(v > 0))
        return 1;
    double power = pow(10, floor(log10(v))), first = v / power;
    return power * (first > 5 ? 10 : first > 2 ? 5 : first > 1 ? 2 : 1);
}

void figure_percent(struct fl_buf *out, double percent, double half)
{
    if (percent == 0)
        fl_buf_printf(out, "0");
    else if (!(half > 0) && fabs(percent) < 0.00005)
        fl_buf_printf(out, "&lt;&#8239;0.0001"); /* not nothing */
    else
        fl_buf_printf(out, "%.*f", figure_decimals(half), percent);
}

void figure_number(struct fl_buf *out, double v, double half)
{
    enum { DIGITS = 4 };
    if (isinf(v)) {
        fl_buf_printf(out, "&infin;");
        return;
    }
    int digits = DIGITS;
    if (half > 0 && v > 0) { /* those before the doubt, and two of it */
        digits = (int)floor(log10(v)) - (int)floor(log10(half)) + 2;
        digits = digits < 1 ? 1 : digits > DIGITS ? DIGITS : digits;
    }
    char text[40], *e;
    snprintf(text, sizeof text, "%.*e", digits - 1, v);
    e = strchr(text, 'e');
    int exponent = atoi(e + 1);
    if (v == 0 || (exponent > -4 && exponent < 6)) {
        if (half > 0)
            fl_buf_printf(out, "%.*f", exponent >= digits - 1 ? 0 : digits - 1 - exponent, v);
        else
            fl_buf_printf(out, "%.*g", exponent >= digits ? exponent + 1 : digits, v);
    } else
        fl_buf_printf(out, "%.*s&#8239;&times;&#8239;10<sup>%d</sup>", (int)(e - text), text,
                      exponent);
}

void figure_count(struct fl_buf *out, uint64_t v)
{
    char digits[24];
    int n = snprintf(digits, sizeof digits, "%llu", (unsigned long long)v);
    for (int i = 0; i < n; i++)
        fl_buf_printf(out, "%s%c", i && (n - i) % 3 == 0 ? "&#8239;" : "", digits[i]);
}

void figure_of(struct fl_buf *out, uint64_t n, const char *what)
{
    figure_count(out, n);
    fl_buf_printf(out, " %s%s", what, n == 1 ? "" : "s");
}
