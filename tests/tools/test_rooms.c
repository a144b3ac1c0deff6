/* test_rooms.c -- the house: which folder may include headers of which, as the table of docs/explain/folders.md says. */
#include <dirent.h>
#include <fnmatch.h>
#include <ftw.h>
#include <stdio.h>
#include <sys/stat.h>

#include "tests/lib/tools.h"

enum { MAX_ROOMS = 96, MAX_FILES = 2000 };

struct house {
    char *table;
    int rooms;
    const char *room[MAX_ROOMS], *may[MAX_ROOMS];
};

/* The words in backquotes of the first two columns: `room`, then the rooms it may include with a space between. */
static void read_house(const char *path, struct house *h)
{
    struct fl_buf text = {0};
    struct fl_err err;
    *h = (struct house){0};
    CU_ASSERT_FATAL(fl_read_file(path, &text, &err) == 0);
    fl_buf_printf(&text, "%c", 0);
    h->table = (char *)text.data;
    for (char *line = strtok(h->table, "\n"); line; line = strtok(NULL, "\n")) {
        if (strncmp(line, "| `", 3) != 0)
            continue;
        char *room = line + 3, *end = strchr(room, '`'), *may = strchr(end, '|') + 2;
        *end = 0;
        *strchr(may, '|') = 0;
        CU_ASSERT_FATAL(h->rooms < MAX_ROOMS);
        h->room[h->rooms] = room;
        h->may[h->rooms++] = may;
    }
}

static int room_of(const struct house *h, const char *folder)
{
    for (int i = 0; i < h->rooms; i++)
        if (strcmp(h->room[i], folder) == 0)
            return i;
    return -1;
}

static bool may_include(const char *may, const char *folder)
{
    char *list = fl_strdup(may), *save = NULL;
    bool found = false;
    for (char *word = strtok_r(list, "` ", &save); word && !found;
         word = strtok_r(NULL, "` ", &save))
        found = fnmatch(word, folder, 0) == 0;
    free(list);
    return found;
}

/* Whether a file of room `own` may include a header of room `other`, which stands in an earlier row; -1: of no room. */
static bool allows(const struct house *h, int own, int other, const char *name)
{
    return other < own && may_include(h->may[own], other < 0 ? name : h->room[other]);
}

/* The folder of a file, or of a folder below a room: bench/sort belongs to bench. */
static void folder_of(const struct house *h, const char *file, char out[256])
{
    snprintf(out, 256, "%s", file);
    do {
        char *slash = strrchr(out, '/');
        if (!slash) {
            *out = 0;
            return;
        }
        *slash = 0;
    } while (room_of(h, out) < 0);
}

/* Appends a line for each include of `file` that the house does not allow. Headers of the system, and those that a
 * build makes, have no folder in the name. */
static void check_file(const struct house *h, const char *root, const char *file,
                       struct fl_buf *out)
{
    char path[512], line[1024], own[256], other[256], name[256];
    folder_of(h, file, own);
    if (!*own) {
        fl_buf_printf(out, "%s: its folder is in no room\n", file);
        return;
    }
    snprintf(path, sizeof path, "%s/%s", root, file);
    FILE *f = fopen(path, "r");
    CU_ASSERT_FATAL(f != NULL);
    for (int n = 1; fgets(line, sizeof line, f); n++) {
        if (sscanf(line, " # include \"%255[^\"]\"", name) != 1)
            continue;
        if (strstr(name, ".."))
            fl_buf_printf(out, "%s:%d: names a header by the way up\n", file, n);
        if (!strchr(name, '/'))
            continue;
        folder_of(h, name, other);
        const char *base = strrchr(name, '/') + 1;
        if (strcmp(own, other) == 0)
            continue;
        if (!allows(h, room_of(h, own), room_of(h, other), name))
            fl_buf_printf(out, "%s:%d: %s may not include %s\n", file, n, own, name);
        else if (strcmp(base, "internal.h") == 0 && strcmp(own, "tests") != 0)
            fl_buf_printf(out, "%s:%d: %s is private\n", file, n, name);
    }
    fclose(f);
}

static char *found[MAX_FILES];
static int nfound;
static size_t root_length;

static int note_source(const char *path, const struct stat *s, int type, struct FTW *where)
{
    (void)s, (void)where;
    const char *rel = path + root_length, *dot = strrchr(rel, '.');
    if (strncmp(rel, "build/", 6) == 0 || strncmp(rel, ".git", 4) == 0 || type != FTW_F || !dot)
        return 0;
    if (strcmp(dot, ".c") == 0 || strcmp(dot, ".h") == 0 || strcmp(dot, ".cc") == 0)
        found[nfound++] = fl_strdup(rel);
    return nfound == MAX_FILES;
}

static void check_tree(const char *root, const struct house *h, struct fl_buf *out)
{
    nfound = 0;
    root_length = strlen(root) + 1;
    CU_ASSERT_FATAL(nftw(root, note_source, 16, FTW_PHYS) == 0);
    for (int i = 0; i < nfound; i++) {
        check_file(h, root, found[i], out);
        free(found[i]);
    }
}

static void every_include_is_one_that_the_house_allows(void)
{
    struct house h;
    struct fl_buf out = {0};
    read_house(FAULTLINE_SOURCE_DIR "/docs/explain/folders.md", &h);
    check_tree(FAULTLINE_SOURCE_DIR, &h, &out);
    if (out.size)
        fprintf(stderr, "\n%.*s", (int)out.size, (char *)out.data);
    CU_ASSERT(out.size == 0);
    CU_ASSERT(nfound > 100);
    fl_buf_free(&out);
    free(h.table);
}

static long lines_of(const char *path)
{
    struct fl_buf text = {0};
    struct fl_err err;
    long n = 0;
    CU_ASSERT_FATAL(fl_read_file(path, &text, &err) == 0);
    for (size_t i = 0; i < text.size; i++)
        n += text.data[i] == '\n';
    fl_buf_free(&text);
    return n;
}

/* A folder that grows beyond this wants rooms. */
static void a_folder_holds_no_more_than_a_person_oversees(void)
{
    enum { FILES = 35, LINES = 5000 };
    nfound = 0;
    root_length = strlen(FAULTLINE_SOURCE_DIR) + 1;
    CU_ASSERT_FATAL(nftw(FAULTLINE_SOURCE_DIR, note_source, 16, FTW_PHYS) == 0);
    for (int i = 0; i < nfound; i++) {
        int files = 0, length = (int)(strrchr(found[i], '/') - found[i]) + 1;
        long lines = 0;
        for (int k = 0; k < nfound; k++)
            if (strncmp(found[k], found[i], (size_t)length) == 0 &&
                !strchr(found[k] + length, '/')) {
                char *path = fl_format("%s/%s", FAULTLINE_SOURCE_DIR, found[k]);
                if (k < i)
                    k = nfound; /* the folder has been looked at */
                else
                    lines += lines_of(path);
                files += k < nfound;
                free(path);
            }
        if (files > FILES || lines > LINES)
            fprintf(stderr, "\n%.*s: %d files, %ld lines\n", length, found[i], files, lines);
        CU_ASSERT(files <= FILES && lines <= LINES);
    }
    CU_ASSERT(nfound > 100);
    for (int i = 0; i < nfound; i++)
        free(found[i]);
}

/* Rooms that are named, beside patterns, stand in earlier rows: so no chain of includes leads back. */
static void the_table_of_rooms_points_one_way(void)
{
    struct house h;
    read_house(FAULTLINE_SOURCE_DIR "/docs/explain/folders.md", &h);
    for (int i = 0; i < h.rooms; i++)
        for (int later = i; later < h.rooms; later++) {
            char *word = fl_format("`%s`", h.room[later]);
            if (strstr(h.may[i], word))
                fprintf(stderr, "\n%s may include %s, which stands behind it", h.room[i],
                        h.room[later]);
            CU_ASSERT(strstr(h.may[i], word) == NULL);
            free(word);
        }
    free(h.table);
}

/* The functions and data of all archives of the build: a linker takes the first of two that it comes to. A source may be in several
 * archives. */
static void no_global_name_is_defined_twice(void)
{
    struct fl_buf out = {0};
    int status = tools_run(
        FAULTLINE_BUILD_DIR, &out,
        "find . -name 'lib*.a' -not -path './tests/*' -exec nm -A -g --defined-only {} + |\n"
        "awk 'NF > 2 && $(NF - 1) ~ /^[TDBRC]$/ { split($1, at, \":\"); print $NF, at[1], at[2] }' "
        "|\n"
        "sort | awk '$1 == name && ($2 == archive || $3 != object) { print }\n"
        "{ name = $1; archive = $2; object = $3 } END { if (NR > 1000) print \"all names\" }'");
    if (strcmp((char *)out.data, "all names\n") != 0)
        fprintf(stderr, "\n%s", (char *)out.data);
    CU_ASSERT(status == 0 && strcmp((char *)out.data, "all names\n") == 0);
    fl_buf_free(&out);
}

/* bench has a README for each workload, and a table that is made of them. */
static void the_readme_of_a_folder_at_the_top_names_what_lies_below(void)
{
    nfound = 0;
    root_length = strlen(FAULTLINE_SOURCE_DIR) + 1;
    CU_ASSERT_FATAL(nftw(FAULTLINE_SOURCE_DIR, note_source, 16, FTW_PHYS) == 0);
    for (int i = 0; i < nfound; i++) {
        struct fl_buf text = {0};
        struct fl_err err;
        char top[256], below[256] = "";
        int folders = sscanf(found[i], "%255[^/]/%255[^/]/", top, below);
        char *path = fl_format("%s/%s/README.md", FAULTLINE_SOURCE_DIR, top);
        CU_ASSERT_FATAL(folders == 2 && fl_read_file(path, &text, &err) == 0);
        fl_buf_printf(&text, "%c", 0);
        if (strchr(strchr(found[i], '/') + 1, '/') && strcmp(top, "bench") != 0 &&
            !strstr((char *)text.data, below)) {
            fprintf(stderr, "\n%s does not name %s", path, below);
            CU_FAIL("a folder that no README names");
        }
        fl_buf_free(&text);
        free(path);
        free(found[i]);
    }
    CU_ASSERT(nfound > 100);
}

/* The root is in the include path: a file named list there would be the <list> of C++. */
static void no_file_of_the_root_is_named_like_a_header(void)
{
    DIR *root = opendir(FAULTLINE_SOURCE_DIR);
    CU_ASSERT_FATAL(root != NULL);
    for (struct dirent *entry; (entry = readdir(root)) != NULL;) {
        const char *name = entry->d_name, *dot = strrchr(name, '.');
        bool like = dot ? strcmp(dot, ".h") == 0 : strcmp(name, "LICENSE") != 0;
        if (entry->d_type == DT_REG && like) {
            fprintf(stderr, "\n%s/%s", FAULTLINE_SOURCE_DIR, name);
            CU_FAIL("a file that hides a header of that name");
        }
    }
    closedir(root);
}

static void write_text(const char *dir, const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *f = fopen(path, "w");
    CU_ASSERT_FATAL(f != NULL);
    fputs(text, f);
    fclose(f);
}

static void an_include_that_points_up_is_found(void)
{
    struct house h;
    struct fl_buf out = {0};
    char dir[] = "/tmp/faultline-rooms-XXXXXX", command[64];
    read_house(FAULTLINE_SOURCE_DIR "/docs/explain/folders.md", &h);
    CU_ASSERT_FATAL(mkdtemp(dir) != NULL);
    char sub[64];
    static const char *const folder[] = {"sm", "faultsim", "faultsim/faults", "attic"};
    for (int i = 0; i < 4; i++) {
        snprintf(sub, sizeof sub, "%s/%s", dir, folder[i]);
        CU_ASSERT_FATAL(mkdir(sub, 0777) == 0);
    }
    write_text(dir, "sm/a.c", "#include <stdio.h>\n#include \"sm.h\"\n#include \"base/fl.h\"\n");
    write_text(dir, "faultsim/later.c", "#include \"faultsim/faults/fault.h\"\n");
    write_text(dir, "sm/later.c", "#include \"sm/gpu/gpu.h\"\n");
    write_text(dir, "sm/up.c", "#include \"faultsim/faults/fault.h\"\n");
    write_text(dir, "sm/way.c", "#include \"../base/fl.h\"\n");
    write_text(dir, "faultsim/faults/b.c", "#include \"sm/machine.h\"\n#include \"gen/sbst.h\"\n");
    write_text(dir, "faultsim/faults/c.c", "#include \"sm/internal.h\"\n");
    write_text(dir, "attic/d.c", "int d;\n");
    check_tree(dir, &h, &out);
    fl_buf_printf(&out, "%c", 0);
    const char *text = (char *)out.data;
    CU_ASSERT(strstr(text, "sm/up.c:1: sm may not include faultsim/faults/fault.h\n") != NULL);
    CU_ASSERT(strstr(text, "sm/later.c:1: sm may not include sm/gpu/gpu.h\n") != NULL);
    CU_ASSERT(strstr(text, "faultsim/later.c") == NULL);
    CU_ASSERT(strstr(text, "sm/way.c:1: names a header by the way up\n") != NULL);
    CU_ASSERT(strstr(text, "faultsim/faults/b.c:2: faultsim/faults may not include gen/sbst.h\n") !=
              NULL);
    CU_ASSERT(strstr(text, "faultsim/faults/c.c:1: sm/internal.h is private\n") != NULL);
    CU_ASSERT(strstr(text, "attic/d.c: its folder is in no room\n") != NULL);
    CU_ASSERT(strstr(text, "sm/a.c") == NULL && strstr(text, "b.c:1") == NULL);
    snprintf(command, sizeof command, "rm -r %s", dir);
    CU_ASSERT(system(command) == 0);
    fl_buf_free(&out);
    free(h.table);
}

int main(void)
{
    return CHECK_RUN("rooms", CHECK(every_include_is_one_that_the_house_allows),
                     CHECK(the_table_of_rooms_points_one_way),
                     CHECK(no_global_name_is_defined_twice),
                     CHECK(a_folder_holds_no_more_than_a_person_oversees),
                     CHECK(the_readme_of_a_folder_at_the_top_names_what_lies_below),
                     CHECK(no_file_of_the_root_is_named_like_a_header),
                     CHECK(an_include_that_points_up_is_found));
}
