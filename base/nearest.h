/* nearest.h -- of the names that there are, the one that a wrong name was meant to be.
 *
 *     struct fl_nearest n = {.typed = word};
 *     for (...)
 *         fl_nearest_try(&n, name, NULL);
 *     return fl_fail(err, "there is no unit '%s'%s", word, n.hint);
 */
#ifndef NEAREST_H
#define NEAREST_H

#include "fl.h"

struct fl_nearest {
    const char *typed;
    int length;    /* of it; 0: all of it */
    int distance;  /* of the best so far, when there is a hint */
    char hint[80]; /* " (did you mean rf?)", or "" */
};

/* A name is near when at most two letters are added, taken away or changed, and at most half of them, or when
 * it begins with what was typed. A hyphen and an underscore mean the same, and dashes before a name do not
 * count. `text` explains the name, or is
 * NULL: beginnings of its first words ("regfile", of "register file, a ...") name it too. */
void fl_nearest_try(struct fl_nearest *n, const char *name, const char *text);
/* The files of a folder that end in `suffix`, without it. */
void fl_nearest_files(struct fl_nearest *n, const char *folder, const char *suffix);

#endif
