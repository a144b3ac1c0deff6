/* search.h -- binary search. */
#ifndef BASE_SEARCH_H
#define BASE_SEARCH_H

/* The first i of [from, to) for which `holds`, an expression of i, is true; `to` when there is
 * none. Once it is true, it must stay so:
 *
 *     at = FL_FIRST(i, 0, count, touch[i].cycle >= cycle);
 */
#define FL_FIRST(i, from, to, holds)                                                               \
    __extension__({                                                                                \
        __typeof__((to) + 0) i, fl_low_ = (from), fl_high_ = (to);                                 \
        while (fl_low_ < fl_high_) {                                                               \
            i = fl_low_ + (fl_high_ - fl_low_) / 2;                                                \
            if (holds)                                                                             \
                fl_high_ = i;                                                                      \
            else                                                                                   \
                fl_low_ = i + 1;                                                                   \
        }                                                                                          \
        fl_low_;                                                                                   \
    })

#endif
