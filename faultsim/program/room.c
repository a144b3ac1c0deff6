/* room.c -- see room.h. */
#include "room.h"

#include <sys/statvfs.h>

static void lower(uint64_t *least, uint64_t now)
{
    *least = now < *least ? now : *least;
}

void room_look(const char *folder, struct room *least)
{
    struct statvfs s;
    if (statvfs(folder, &s) != 0)
        return;
    if (s.f_blocks)
        lower(&least->bytes, (uint64_t)s.f_bavail * s.f_frsize);
    if (s.f_files)
        lower(&least->files, s.f_favail);
}
