/* replay.c -- main() of a fuzz target without libFuzzer: runs the inputs it is given, files or folders of files.
 *
 * A broken rule or a sanitizer report ends it at once, behind the name of the input. An input that takes more than a
 * second of processor time is a failure as well. No input at all is one too: a test must not pass for want of a folder.
 */
#include <dirent.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/fl.h"
#include "fuzz.h"

enum { MAX_SECONDS = 1 };

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int run_file(const char *path, int *count)
{
    struct fl_buf file = {0};
    struct fl_err err;
    if (fl_read_file(path, &file, &err)) {
        fprintf(stderr, "%s\n", err.msg);
        return -1;
    }
    fprintf(stderr, "%s\n", path); /* the last line before a crash names the input */
    uint8_t *exact = malloc(file.size ? file.size : 1); /* a read behind the end is caught */
    memcpy(exact, file.data, file.size);
    double start = seconds();
    LLVMFuzzerTestOneInput(exact, file.size);
    double took = seconds() - start;
    free(exact);
    fl_buf_free(&file);
    ++*count;
    if (took <= MAX_SECONDS)
        return 0;
    fprintf(stderr, "%s: took %.1f s of processor time, %d is the most\n", path, took, MAX_SECONDS);
    return -1;
}

static int run(const char *path, int *count)
{
    struct stat st;
    if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode))
        return run_file(path, count);
    struct dirent **entry;
    int n = scandir(path, &entry, NULL, alphasort), bad = 0;
    for (int i = 0; i < n; i++) {
        if (entry[i]->d_name[0] != '.') {
            char *inside = fl_format("%s/%s", path, entry[i]->d_name);
            bad |= run(inside, count);
            free(inside);
        }
        free(entry[i]);
    }
    if (n >= 0)
        free(entry);
    return bad;
}

int main(int argc, char **argv)
{
    int count = 0, bad = 0;
    if (argc < 2) {
        fprintf(stderr, "usage: %s FILE|FOLDER...   runs fuzz inputs\n", argv[0]);
        return 2;
    }
    for (int i = 1; i < argc; i++)
        bad |= run(argv[i], &count);
    if (!count)
        fprintf(stderr, "no input was run; name files or folders that hold some\n");
    else
        printf("%d inputs\n", count);
    return bad || !count;
}
