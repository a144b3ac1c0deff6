/* access_filter.h -- which accesses of a run are kept, when there are more than memory holds.
 *
 *   a window    all accesses of some cycles; before them the last one of each bit, behind them the
 *               first: so every group that reaches into the window ends where it does in the whole
 *               record
 *   watches     for each of some flips, known beforehand, the accesses that decide what becomes of
 *               it, and no others
 */
#ifndef ACCESS_FILTER_H
#define ACCESS_FILTER_H

#include "accesses.h"

struct access_filter;
/* `units` of each structure. The watches are sorted, and must live as long. */
struct access_filter *access_filter_new(const struct access_wanted *w, const uint32_t *units,
                                        int structures);
void access_filter_free(struct access_filter *f);
/* An access as it is noted. What happens in a slot is noted when its instruction commits, so not all
 * in order. */
bool access_filter_takes(struct access_filter *f, int structure, uint32_t unit,
                         const struct access *t);
/* Accesses noted from here on have cycles in (`gone`, `now`]. */
void access_filter_time(struct access_filter *f, uint64_t gone, uint64_t now);

#endif
