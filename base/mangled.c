/* mangled.c -- the plain part of names of the Itanium C++ ABI. See mangled.h. */
#include "mangled.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* 4fibo: the name; `end` behind it. NULL: something else. */
static const char *counted(const char *s, const char **end)
{
    char *name;
    unsigned long n = isdigit((unsigned char)*s) ? strtoul(s, &name, 10) : 0;
    if (!n || n > strlen(name))
        return NULL;
    *end = name + n;
    return name;
}

const char *fl_source_name(const char *name, size_t *length)
{
    const char *plain = NULL, *end = name, *next;
    *length = strlen(name);
    if (strncmp(name, "_Z", 2))
        return name;
    const char *s = name + 2;
    if (*s == 'Z') /* of a variable in a function: the name behind the last E */
        for (const char *e = strrchr(s, 'E'); e && e > s && !counted(s, &end); e--)
            s = *e == 'E' ? e + 1 : s;
    bool nested = *s == 'N'; /* else what comes behind the name are types */
    s += strspn(s, "NLKVr");
    while ((next = counted(s, &end)) != NULL) {
        plain = next;
        s = end;
        if (!nested)
            break;
    }
    if (!plain)
        return name;
    *length = (size_t)(end - plain);
    return plain;
}
