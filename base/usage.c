/* usage.c -- see usage.h. */
#include "usage.h"

#include <ctype.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "nearest.h"
#include "revision.h"
#include "xml.h"

/* ---- rows ------------------------------------------------------------------------------------ */

static bool is_last(const struct usage_row *r)
{
    return !r->option && !r->help;
}

static bool is_option(const struct usage_row *r)
{
    return r->option && r->option[0] == '-';
}

/* "--dump" of "--dump NAME=FILE" and of "-d, --dump NAME=FILE"; "-o" when there is no long name; "-cl-std" of
 * "-cl-std=VERSION". */
static const char *name_of(const struct usage_row *r, int *length)
{
    const char *name = strstr(r->option, "--");
    name = name ? name : r->option;
    *length = (int)strcspn(name, " =");
    return name;
}

/* "-o", also as "-o, --output FILE"; not "-cl-std", which next_word reads. */
static bool has_letter(const struct usage_row *r)
{
    return r->option[1] != '-' && (!r->option[2] || strchr(" ,", r->option[2]));
}

static bool is_word(const struct usage_row *r)
{
    return is_option(r) && r->option[1] != '-' && !has_letter(r);
}

/* "NAME=FILE"; empty when the option takes no value. */
static const char *value_of(const struct usage_row *r)
{
    int length;
    const char *name = name_of(r, &length);
    return name[length] ? name + length + 1 : "";
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Is the word an option as getopt reads it, by itself? */
static bool is_plain(const struct usage_row *r, const char *word)
{
    int length;
    if (!is_option(r) || is_word(r))
        return false;
    const char *name = name_of(r, &length);
    return (strncmp(word, name, (size_t)length) == 0 && !word[length]) ||
           (has_letter(r) && word[1] == r->option[1] && !word[2]);
}

/* One of "true|false"; "VERSION" is any. */
static bool is_one_of(const char *value, const char *choices)
{
    size_t n = strlen(value);
    if (isupper((unsigned char)*choices) && !strchr(choices, '|'))
        return true;
    for (const char *c = choices; *c; c += strcspn(c, "|"), c += *c == '|')
        if (strcspn(c, "|") == n && strncmp(value, c, n) == 0)
            return true;
    return false;
}

/* The row of a word such as -cl-std=CL1.2 or --use_fast_math, and its value; NULL: none. */
static const struct usage_row *find_word(const struct usage *u, const char *word,
                                         const char **value)
{
    const char *name = word + 1 + (word[1] == '-');
    for (const struct usage_row *r = u->row; !is_last(r); r++) {
        int length;
        if (is_plain(r, word)) /* --fmad, beside -fmad=true */
            return NULL;
        if (!is_word(r))
            continue;
        const char *known = name_of(r, &length) + 1;
        bool takes = *value_of(r) != 0;
        length--;
        if (strncmp(name, known, (size_t)length) ||
            (name[length] && !(takes && name[length] == '=')))
            continue;
        *value = name[length] ? name + length + 1 : NULL;
        return r;
    }
    return NULL;
}

/* When the next option is such a word: moves it to where getopt goes on, and past it. */
static int next_word(const struct usage *u, int argc, char **argv)
{
    int at = optind, used = 1, name;
    const char *value = NULL;
    while (at < argc && (argv[at][0] != '-' || !argv[at][1]))
        at++;
    const struct usage_row *r = at < argc ? find_word(u, argv[at], &value) : NULL;
    if (!r)
        return USAGE_END;
    char *word = argv[at], *next = at + 1 < argc ? argv[at + 1] : NULL;
    const char *choices = value_of(r);
    if (*choices && !value) {
        value = next;
        used = 2;
    }
    name_of(r, &name);
    if (*choices && (!value || !is_one_of(value, choices))) {
        fl_complain(2, "%.*s takes %s%s%s%s: %s", name, r->option, choices, value ? ", not '" : "",
                    value ? value : "", value ? "'" : "", r->help);
        return USAGE_WRONG;
    }
    memmove(argv + optind + used, argv + optind, (size_t)(at - optind) * sizeof *argv);
    argv[optind] = word;
    if (used == 2)
        argv[optind + 1] = next;
    optind += used;
    optarg = (char *)value;
    return r->key;
}

int usage_next(const struct usage *u, int argc, char **argv)
{
    enum { MOST = 64 };
    struct option known[MOST + 1] = {{0}};
    char letters[2 * MOST + 2] = ":", *letter = letters + 1, name[MOST][32];
    int n = 0;
    for (const struct usage_row *r = u->row; !is_last(r) && n < MOST; r++) {
        if (!is_option(r))
            continue;
        int length, takes = *value_of(r) ? required_argument : no_argument;
        const char *text = name_of(r, &length);
        if (has_letter(r)) {
            *letter++ = r->option[1];
            if (takes)
                *letter++ = ':';
        }
        if (text[1] == '-') {
            snprintf(name[n], sizeof name[n], "%.*s", length - 2, text + 2);
            known[n] = (struct option){name[n], takes, NULL, r->key};
            n++;
        }
    }
    opterr = 0; /* our message, not getopt's */
    int key = next_word(u, argc, argv);
    if (key != USAGE_END)
        return key;
    key = getopt_long(argc, argv, letters, known, NULL);
    struct fl_buf out = {0};
    for (const struct usage_row *r = u->row; !is_last(r) && key > 0; r++)
        if (is_option(r) && has_letter(r) && key == r->option[1])
            key = r->key;
    if (key == ':' || key == '?') {
        const char *word = argv[optind - 1], letter_alone[] = {'-', (char)optopt, 0};
        if (key == '?' && optopt && strncmp(word, "--", 2) != 0)
            word = letter_alone; /* several in a word: -xq */
        if (key == '?' && optopt && optind < argc && argv[optind][0] == '-' &&
            argv[optind][1] == optopt)
            word = argv[optind]; /* its first: -cl-std */
        struct fl_nearest meant = {.typed = word, .length = (int)strcspn(word, "=")};
        for (const struct usage_row *r = u->row; key == '?' && !is_last(r); r++) {
            int length;
            const char *option = is_option(r) ? name_of(r, &length) : NULL;
            char *known_as = option ? fl_format("%.*s", length, option) : NULL;
            if (known_as)
                fl_nearest_try(&meant, known_as, NULL);
            free(known_as);
        }
        fl_complain(2,
                    key == ':' ? "%s needs a value%s; see %s --help"
                               : "unknown option '%s'%s; see %s --help",
                    word, meant.hint, u->tool);
        return USAGE_WRONG;
    }
    if (key == USAGE_HELP)
        usage_help(u, &out);
    else if (key == USAGE_VERSION)
        usage_version(u->tool, &out);
    else if (key == USAGE_GENERATE && strcmp(optarg, "man") == 0)
        usage_man(u, &out);
    else if (key == USAGE_GENERATE && strcmp(optarg, "completion") == 0)
        usage_completion(u, 1, &out);
    else if (key == USAGE_GENERATE) {
        fl_complain(2, "--generate '%s': give man or completion", optarg);
        return USAGE_WRONG;
    } else
        return key;
    fwrite(out.data, 1, out.size, stdout);
    fl_buf_free(&out);
    return USAGE_ANSWERED;
}

/* ---- texts ----------------------------------------------------------------------------------- */

/* `left` from column 2 on, the words of `text` from column TEXT on. */
static void help_row(struct fl_buf *out, const char *left, const char *text)
{
    enum { TEXT = 26, WIDTH = 96 };
    size_t n = strlen(left), at = TEXT;
    fl_buf_printf(out, "  %-*s", TEXT - 2, left);
    if (n + 2 >= TEXT)
        fl_buf_printf(out, "\n%*s", TEXT, "");
    for (size_t word; *text; text += word + (text[word] == ' ')) {
        word = strcspn(text, " ");
        if (at > TEXT && at + 1 + word > WIDTH) {
            fl_buf_printf(out, "\n%*s", TEXT, "");
            at = TEXT;
        }
        fl_buf_printf(out, "%s%.*s", at > TEXT ? " " : "", (int)word, text);
        at += word + (at > TEXT);
    }
    fl_buf_printf(out, "\n");
}

/* A line for each form. */
static void synopsis(const struct usage *u, const char *before, struct fl_buf *out)
{
    for (const char *line = u->synopsis; *line;) {
        int n = (int)strcspn(line, "\n");
        bool first = line == u->synopsis;
        fl_buf_printf(out, "%*s%s %.*s\n", (int)strlen(before), first ? before : "", u->tool, n,
                      line);
        line += n + (line[n] == '\n');
    }
}

void usage_help(const struct usage *u, struct fl_buf *out)
{
    synopsis(u, "usage: ", out);
    fl_buf_printf(out, "%s\n", u->does);
    for (const struct usage_row *r = u->row; !is_last(r); r++)
        if (r->option)
            help_row(out, r->option, r->help);
        else
            fl_buf_printf(out, "\n%s:\n", r->help);
}

/* Nothing of it is a request of roff's. */
static void man_text(struct fl_buf *out, const char *text)
{
    if (*text == '.')
        fl_buf_printf(out, "\\&");
    for (; *text; text++) {
        if (*text == '-' || *text == '\\')
            fl_buf_printf(out, *text == '-' ? "\\-" : "\\e");
        else if (*text == '\'' || *text == '`')
            fl_buf_printf(out, *text == '\'' ? "\\(aq" : "\\(ga");
        else
            fl_buf_add(out, text, 1);
    }
}

void usage_man(const struct usage *u, struct fl_buf *out)
{
    struct fl_buf forms = {0};
    char *name = fl_strdup(u->tool);
    for (char *space; (space = strchr(name, ' '));)
        *space = '-';
    fl_buf_printf(out, ".TH %s 1 \"\" \"Faultline %s\" \"Faultline\"\n.SH NAME\n%s \\- ", name,
                  FAULTLINE_VERSION, name);
    man_text(out, u->does);
    fl_buf_printf(out, "\n.SH SYNOPSIS\n.nf\n");
    synopsis(u, "", &forms);
    fl_buf_add(&forms, "", 1);
    man_text(out, (char *)forms.data);
    fl_buf_printf(out, ".fi\n.SH DESCRIPTION\n%s ", u->tool);
    man_text(out, u->does);
    fl_buf_printf(out, ".\n");
    for (const struct usage_row *r = u->row; !is_last(r); r++) {
        if (r->option) {
            fl_buf_printf(out, ".TP\n.B ");
            man_text(out, r->option);
        }
        fl_buf_printf(out, r->option ? "\n" : ".SS ");
        man_text(out, r->help);
        fl_buf_printf(out, "\n");
    }
    fl_buf_printf(
        out,
        ".SH SEE ALSO\n.BR faultsim (1),\n.BR sasm (1),\n.BR sbstgen (1),\n"
        ".BR sdis (1),\n.BR gatesim (1),\n.BR smcc (1),\n.BR smrun (1),\n.BR smtrace (1)\n.PP\n"
        "The documentation is in share/doc/faultline/docs.\n");
    fl_buf_free(&forms);
    free(name);
}

/* ---- completion ------------------------------------------------------------------------------ */

static void completion_words(const struct usage *u, struct fl_buf *out)
{
    const char *space = "";
    for (const struct usage_row *r = u->row; !is_last(r); r++)
        if (is_option(r)) {
            int length;
            const char *name = name_of(r, &length);
            fl_buf_printf(out, "%s%.*s", space, length, name);
            space = " ";
        }
}

/* The words between which a value is a choice: "c|rtl|both", not "FILE|PATTERN". */
static bool is_choice(const char *value)
{
    return strchr(value, '|') &&
           strspn(value, "abcdefghijklmnopqrstuvwxyz0123456789-|") == strlen(value);
}

/* "--engine) words='c rtl'; any=1 ;;" for each option whose value is a choice. */
static void completion_choices(const struct usage *u, struct fl_buf *out)
{
    for (const struct usage_row *r = u->row; !is_last(r); r++) {
        if (!is_option(r) || !is_choice(value_of(r)))
            continue;
        int length;
        const char *name = name_of(r, &length);
        char *words = fl_strdup(value_of(r));
        for (char *bar; (bar = strchr(words, '|'));)
            *bar = ' ';
        fl_buf_printf(out, "        %.*s) words='%s'; any=1 ;;\n", length, name, words);
        free(words);
    }
}

void usage_completion(const struct usage *u, int n, struct fl_buf *out)
{
    fl_buf_printf(out,
                  "# Options of %s for bash, made by: %s --generate completion\n"
                  "_%s() {\n    local now=${COMP_WORDS[COMP_CWORD]} any= words=\n"
                  "    case ${COMP_WORDS[1]} in\n",
                  u->tool, u->tool, u->tool);
    for (int i = n - 1; i >= 0; i--) {
        fl_buf_printf(out, "    %s) words='", i ? u[i].tool + strlen(u->tool) + 1 : "*");
        completion_words(&u[i], out);
        fl_buf_printf(out, "'\n        case ${COMP_WORDS[COMP_CWORD - 1]} in\n");
        completion_choices(&u[i], out);
        fl_buf_printf(out, "        esac ;;\n");
    }
    fl_buf_printf(out, "    esac\n");
    if (n > 1) {
        fl_buf_printf(out, "    [[ $COMP_CWORD -ne 1 ]] || any=1 words+='");
        for (int i = 1; i < n; i++)
            fl_buf_printf(out, " %s", u[i].tool + strlen(u->tool) + 1);
        fl_buf_printf(out, "'\n");
    }
    fl_buf_printf(out,
                  "    [[ $any || $now == -* ]] || return\n"
                  "    COMPREPLY=($(compgen -W \"$words\" -- \"$now\"))\n}\n"
                  "complete -o default -F _%s %s\n",
                  u->tool, u->tool);
}

/* ---- version --------------------------------------------------------------------------------- */

void usage_version(const char *tool, struct fl_buf *out)
{
    char *data = xml_data_folder();
    fl_buf_printf(out,
                  "%s (Faultline) %s\n"
                  "revision   %s\n"
                  "compiler   %s\n"
                  "engines    %s\n"
                  "data       %s\n",
                  tool, FAULTLINE_VERSION, FAULTLINE_REVISION, FAULTLINE_COMPILER,
                  FAULTLINE_ENGINES, data);
    free(data);
}

const char *usage_program(void)
{
    return FAULTLINE_VERSION FAULTLINE_REVISION_OF_EXPORTS;
}
