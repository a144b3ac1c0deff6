/* held.h -- what a program holds by its address. Calls are given stale addresses too, so none is looked into before it is found here. */
#ifndef HOST_HELD_H
#define HOST_HELD_H

#include <stdbool.h>

struct host_held {
    struct host_thing {
        int kind; /* of the interface */
        void *at;
    } * thing;
    int count, room;
};

void host_hold(struct host_held *h, int kind, void *at);
bool host_holds(const struct host_held *h, int kind, const void *at);
/* False: it is not held. It is not freed. */
bool host_drop(struct host_held *h, int kind, const void *at);

#endif
