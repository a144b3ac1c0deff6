/* held.c -- see held.h. */
#include "held.h"

#include "base/fl.h"

void host_hold(struct host_held *h, int kind, void *at)
{
    FL_ROOM(h->thing, h->count, h->room, 16);
    h->thing[h->count++] = (struct host_thing){kind, at};
}

static int find(const struct host_held *h, int kind, const void *at)
{
    int i = h->count;
    while (i-- > 0 && (h->thing[i].at != at || h->thing[i].kind != kind))
        ;
    return i;
}

bool host_holds(const struct host_held *h, int kind, const void *at)
{
    return find(h, kind, at) >= 0;
}

bool host_drop(struct host_held *h, int kind, const void *at)
{
    int i = find(h, kind, at);
    if (i >= 0)
        h->thing[i] = h->thing[--h->count];
    return i >= 0;
}
