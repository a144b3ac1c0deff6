/* names.c -- what PTX does not have, out of clang's own form of the program: names of parameters, sizes of work-groups. */
#include "names.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The list behind "define ... @kernel(", NULL when there is none. */
static const char *find_list(const char *ll, const char *kernel)
{
    size_t n = strlen(kernel);
    for (const char *s = ll; s && *s; s = strchr(s, '\n'), s = s ? s + 1 : NULL) {
        if (strncmp(s, "define ", 7))
            continue;
        const char *end = s + strcspn(s, "\n");
        for (const char *at = memchr(s, '@', (size_t)(end - s)); at;
             at = memchr(at + 1, '@', (size_t)(end - at - 1)))
            if (strncmp(at + 1, kernel, n) == 0 && at[1 + n] == '(')
                return at + 2 + n;
    }
    return NULL;
}

/* One parameter up to a ',' or the closing bracket that are not inside others. */
static size_t extent(const char *s)
{
    int depth = 0;
    size_t n = 0;
    for (; s[n] && s[n] != '\n'; n++) {
        depth += strchr("([{<", s[n]) != NULL;
        if (depth == 0 && (s[n] == ',' || s[n] == ')'))
            break;
        depth -= strchr(")]}>", s[n]) != NULL;
    }
    return n;
}

/* Parameter `number` of a kernel, `n` characters. */
static const char *find_param(const char *ll, const char *kernel, int number, size_t *n)
{
    const char *s = ll ? find_list(ll, kernel) : NULL;
    for (; s && number > 0; number--) {
        *n = extent(s);
        s = s[*n] == ',' ? s + *n + 1 : NULL;
    }
    if (s) {
        s += strspn(s, " ");
        *n = extent(s);
    }
    return s;
}

bool cc_param_is_local(const char *ll, const char *kernel, int number)
{
    size_t n;
    const char *s = find_param(ll, kernel, number, &n);
    return s && memmem(s, n, "addrspace(3)", 12) != NULL;
}

bool cc_param_name(const char *ll, const char *kernel, int number, char *name, size_t size,
                   const char **type)
{
    size_t n, last;
    const char *s = find_param(ll, kernel, number, &n);
    if (!s)
        return false;
    for (last = n; last && s[last - 1] != '%'; last--)
        ;
    size_t length = n - last;
    if (!last || !length || length >= size)
        return false;
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)s[last + i]) && s[last + i] != '_')
            return false;
    if (isdigit((unsigned char)s[last])) /* it has none */
        return false;
    memcpy(name, s + last, length);
    name[length] = 0;
    bool by_value = memmem(s, n, "byval", 5) != NULL,
         pointer = memchr(s, '*', n) || strncmp(s, "ptr", 3) == 0;
    *type = pointer && !by_value                                     ? "ptr"
            : strncmp(s, "float", 5) == 0 || strncmp(s, "<", 1) == 0 ? "f32"
                                                                     : "u32";
    if (*s == '<' && !memmem(s, n, "float", 5))
        *type = "u32";
    return true;
}

static bool work_group(const char *ll, const char *kernel, uint32_t size[3])
{
    static const char mark[] = "!reqd_work_group_size !";
    const char *s = find_list(ll, kernel), *end = s ? s + strcspn(s, "\n") : NULL;
    const char *at = s ? memmem(s, (size_t)(end - s), mark, sizeof mark - 1) : NULL;
    unsigned n;
    char line[40];
    if (!at || sscanf(at + sizeof mark - 1, "%u", &n) != 1)
        return false;
    snprintf(line, sizeof line, "\n!%u = !{", n);
    at = strstr(ll, line);
    return at &&
           sscanf(at + strlen(line), "i32 %u, i32 %u, i32 %u", &size[0], &size[1], &size[2]) == 3;
}

void cc_state_blocks(const char *ll, struct fl_buf *ptx)
{
    static const char mark[] = ".entry ";
    struct fl_buf out = {0};
    const char *from = (const char *)ptx->data, *at, *open;
    while ((at = strstr(from, mark)) && (open = strstr(at, "\n{"))) {
        size_t length = strcspn(at += sizeof mark - 1, "(");
        char *kernel = fl_format("%.*s", (int)length, at);
        uint32_t size[3];
        fl_buf_add(&out, from, (size_t)(open - from));
        if (work_group(ll, kernel, size))
            fl_buf_printf(&out, "\n.reqntid %u, %u, %u", size[0], size[1], size[2]);
        free(kernel);
        from = open;
        fl_buf_add(&out, from, 2);
        from += 2;
    }
    fl_buf_add(&out, from, strlen(from) + 1);
    fl_buf_free(ptx);
    *ptx = out;
}
