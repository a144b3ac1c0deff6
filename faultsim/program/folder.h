/* folder.h -- folders with all that is in them: files, folders and links; what else lies there (pipes, devices) is left out. */
#ifndef FOLDER_H
#define FOLDER_H

#include <sys/stat.h>

#include "base/fl.h"

struct folder_copy {
    const struct stat *without; /* files and folders that are not copied */
    int nwithout;
    uint64_t most_bytes; /* more is refused; 0: any */
    long most_files;
    uint64_t bytes; /* copied so far */
    long files;
};

/* `to` must not be there. */
int folder_copy(const char *from, const char *to, struct folder_copy *c, struct fl_err *err);
void folder_remove(const char *path);

#endif
