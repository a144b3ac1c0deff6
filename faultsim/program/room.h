/* room.h -- what a file system has left. A run that meets its end says nothing of the fault. */
#ifndef ROOM_H
#define ROOM_H

#include <stdint.h>

struct room { /* UINT64_MAX: the file system does not count them */
    uint64_t bytes, files;
};

static const struct room room_any = {UINT64_MAX, UINT64_MAX};

/* Lowers `least` to what there is now. */
void room_look(const char *folder, struct room *least);

#endif
