/* merge.c -- faultsim merge: the shards of a campaign become one store. */
#include "commands.h"

int cli_merge(struct cli_request *r, struct fl_err *err)
{
    if (r->nfiles < 2)
        return cli_wrong(r, err, "merge takes a new file and the shards: merge OUT.db SHARD.db...");
    return store_merge(r->file[0], &r->file[1], r->nfiles - 1, err) != 0 ? CLI_PROBLEM : CLI_DONE;
}
