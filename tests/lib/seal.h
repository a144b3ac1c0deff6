/* seal.h -- a store whose rows were changed gets the digest of what is there now: by a writer that was wrong, not by
 * accident.
 */
#ifndef SEAL_H
#define SEAL_H

#include "faultsim/store/internal.h"

/* Of any format that has a digest. */
int seal_store(const char *path);
/* Makes the views of the outcomes that the store has, as the faultsim that wrote it did. */
int seal_views(const char *path);

#endif
