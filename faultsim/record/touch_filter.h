/* touch_filter.h -- which touches of a run are kept, when there are more than memory holds.
 *
 *   a window    all touches of some cycles; before them the last one of each bit, behind them the
 *               first: so every group that reaches into the window ends where it does in the whole
 *               record
 *   watches     for each of some flips, known beforehand, the touches that decide what becomes of
 *               it, and no others
 */
#ifndef TOUCH_FILTER_H
#define TOUCH_FILTER_H

#include "touch.h"

struct touch_filter;
/* `units` of each structure. The watches are sorted, and must live as long. */
struct touch_filter *touch_filter_new(const struct touch_wanted *w, const uint32_t *units,
                                      int structures);
void touch_filter_free(struct touch_filter *f);
/* A touch as it is noted. What happens in a slot is noted when its instruction commits, so not all
 * in order. */
bool touch_filter_takes(struct touch_filter *f, int structure, uint32_t unit,
                        const struct touch *t);
/* Touches noted from here on have cycles in (`gone`, `now`]. */
void touch_filter_time(struct touch_filter *f, uint64_t gone, uint64_t now);

#endif
