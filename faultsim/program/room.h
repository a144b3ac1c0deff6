/* room.h -- how much of what runs share is left. A run that lacks it says nothing of the fault. */
#ifndef ROOM_H
#define ROOM_H

#include <stdint.h>

struct room {              /* UINT64_MAX: nobody counts them */
    uint64_t bytes, files; /* of a file system, or of the user's quota there */
    uint64_t processes;    /* and threads, that the user may start */
};

static const struct room room_any = {UINT64_MAX, UINT64_MAX, UINT64_MAX};

/* Lowers `least` to what there is now: of the file system of the folder. */
void room_look(const char *folder, struct room *least);
/* Of processes, which takes longer. */
void room_look_at_processes(struct room *least);

#endif
