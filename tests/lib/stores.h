/* stores.h -- the made-up campaign in files of one folder, which a suite may damage. */
#ifndef STORES_H
#define STORES_H

#include "made_up.h"
#include "tools.h"

/* The folder, for tools.h. */
extern char *stores_dir;
void stores_start(void);
void stores_end(void);

/* The path of a file of the folder; the same text for the same name, for as long as the tests run. */
const char *stores_file(const char *name);

char *stores_dump(struct store *s);

/* What an undisturbed run in one piece gives. */
char *stores_undisturbed(void);

char *stores_read(const char *path);

#define REFUSED(err, words)                                                                        \
    do {                                                                                           \
        if (!strstr((err).msg, words))                                                             \
            printf("\nmessage: %s\n", (err).msg);                                                  \
        CU_ASSERT_PTR_NOT_NULL(strstr((err).msg, words));                                          \
    } while (0)

void stores_change(const char *path, const char *sql);

/* The same by somebody who knows of the digest. */
void stores_change_sealed(const char *path, const char *sql);

void stores_copy(const char *from, const char *to);

#endif
