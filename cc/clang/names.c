/* names.c -- what PTX does not have, out of clang's own form of the program: names of parameters, what pointers point to,
 * sizes of work-groups.
 */
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

/* ---- what a pointer points to ---- */

/* Node number `n` of clang's description of the program for debuggers, up to the end of its line; NULL: there is none. */
static const char *find_node(const char *ll, unsigned n)
{
    char mark[24];
    int length = snprintf(mark, sizeof mark, "\n!%u = ", n);
    const char *at = strstr(ll, mark);
    return at ? at + length : NULL;
}

/* The number behind `mark`, which ends in '!', in that line. */
static bool node_of(const char *line, const char *mark, unsigned *n)
{
    const char *at = memmem(line, strcspn(line, "\n"), mark, strlen(mark));
    return at && sscanf(at + strlen(mark), "%u", n) == 1;
}

static bool says(const char *line, const char *word)
{
    return memmem(line, strcspn(line, "\n"), word, strlen(word)) != NULL;
}

/* Past the next number of a node in a list, !{null, !13, !15}; NULL: the list is over. */
static const char *next_node(const char *at, bool *is_node, unsigned *n)
{
    at += strspn(at, "{, ");
    if (*at == '}' || *at == '\n' || !*at)
        return NULL;
    *is_node = sscanf(at, "!%u", n) == 1;
    return at + strcspn(at, ",}");
}

static const char *basic_element(const char *line)
{
    static const char *const names[][3] = {
        {"f32", NULL, NULL}, {"s32", "s16", "s8"}, {"u32", "u16", "u8"}};
    int kind = says(line, "DW_ATE_float")                                      ? 0
               : says(line, "DW_ATE_signed")                                   ? 1
               : says(line, "DW_ATE_unsigned") || says(line, "DW_ATE_boolean") ? 2
                                                                               : -1;
    int size = says(line, "size: 32,")   ? 0
               : says(line, "size: 16,") ? 1
               : says(line, "size: 8,")  ? 2
                                         : -1;
    return kind < 0 || size < 0 ? NULL : names[kind][size];
}

static const char *element_of(const char *nodes, unsigned n, int depth);

/* What all members are of. Functions, and what belongs to no object, are none. */
static const char *element_of_members(const char *nodes, const char *list, int depth)
{
    const char *all = NULL;
    bool is_node = false;
    unsigned n = 0;
    for (list++; (list = next_node(list, &is_node, &n));) {
        const char *member = is_node ? find_node(nodes, n) : NULL;
        if (!member || !says(member, "!DIDerivedType(") || says(member, "DIFlagStaticMember"))
            continue;
        const char *one = says(member, "DIFlagBitField") ? NULL : element_of(nodes, n, depth);
        if (!one || (all && strcmp(one, all) != 0))
            return NULL;
        all = one;
    }
    return all;
}

static const char *element_of(const char *nodes, unsigned n, int depth)
{
    enum { DEEPEST = 32 };
    const char *line = find_node(nodes, n), *list;
    if (!line || depth > DEEPEST)
        return NULL;
    if (says(line, "!DIBasicType("))
        return basic_element(line);
    if (says(line, "DW_TAG_pointer_type") || says(line, "DW_TAG_reference_type"))
        return NULL;
    if (says(line, "DW_TAG_structure_type") || says(line, "DW_TAG_class_type") ||
        says(line, "DW_TAG_union_type"))
        return node_of(line, " elements: !", &n) && (list = find_node(nodes, n))
                   ? element_of_members(nodes, list, depth + 1)
                   : NULL;
    return node_of(line, " baseType: !", &n) ? element_of(nodes, n, depth + 1) : NULL;
}

/* The type of parameter `number`, past names and qualifiers. */
static const char *type_of_param(const char *nodes, unsigned function, int number)
{
    unsigned n = 0;
    bool is_node = false;
    const char *at = find_node(nodes, function);
    if (!at || !node_of(at, " type: !", &n) || !(at = find_node(nodes, n)) ||
        !node_of(at, "types: !", &n) || !(at = find_node(nodes, n)))
        return NULL;
    at++;
    for (int i = 0; i <= number + 1; i++) /* what it returns comes first */
        if (!(at = next_node(at, &is_node, &n)))
            return NULL;
    at = is_node ? find_node(nodes, n) : NULL;
    while (at && (says(at, "DW_TAG_restrict_type") || says(at, "DW_TAG_const_type") ||
                  says(at, "DW_TAG_volatile_type") || says(at, "DW_TAG_typedef")))
        at = node_of(at, " baseType: !", &n) ? find_node(nodes, n) : NULL;
    return at;
}

const char *cc_param_element(const char *ll, const char *kernel, int number)
{
    unsigned n;
    const char *s = ll ? find_list(ll, kernel) : NULL, *nodes = s ? strstr(s, "\n!0 = ") : NULL;
    if (!nodes || !node_of(s, " !dbg !", &n))
        return NULL;
    const char *type = type_of_param(nodes, n, number);
    bool points = type &&
                  (says(type, "DW_TAG_pointer_type") || says(type, "DW_TAG_reference_type"));
    return points && node_of(type, " baseType: !", &n) ? element_of(nodes, n, 0) : NULL;
}

/* Behind "!{" of the list that the kernel has under that name, "!NAME !"; NULL: it has none. */
static const char *list_of(const char *ll, const char *kernel, const char *mark)
{
    const char *s = ll ? find_list(ll, kernel) : NULL, *list;
    unsigned n;
    return s && node_of(s, mark, &n) && (list = find_node(ll, n)) && strncmp(list, "!{", 2) == 0
               ? list + 2
               : NULL;
}

static bool work_group(const char *ll, const char *kernel, uint32_t size[3])
{
    const char *at = list_of(ll, kernel, "!reqd_work_group_size !");
    return at && sscanf(at, "i32 %u, i32 %u, i32 %u", &size[0], &size[1], &size[2]) == 3;
}

/* Item `number` of a list; NULL: it has fewer. */
static const char *item(const char *at, int number)
{
    for (; at && number > 0; number--) {
        at += strcspn(at, ",}\n");
        at = *at == ',' ? at + 2 : NULL;
    }
    return at;
}

const char *cc_param_kind(const char *ll, const char *kernel, int number)
{
    static const char *const spaces[] = {"value", "global", "constant", "local"};
    const char *type = item(list_of(ll, kernel, "!kernel_arg_base_type !"), number),
               *in = item(list_of(ll, kernel, "!kernel_arg_addr_space !"), number);
    unsigned space;
    if (!type || !in || sscanf(in, "i32 %u", &space) != 1 ||
        space >= sizeof spaces / sizeof *spaces)
        return NULL;
    return strncmp(type, "!\"image", 7) == 0        ? "image"
           : strncmp(type, "!\"sampler_t", 11) == 0 ? "sampler"
                                                    : spaces[space];
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
