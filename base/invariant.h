/* invariant.h -- rules that results rely on, checked while a build with sanitizers runs.
 *
 * A header states and numbers them; the code says FL_INVARIANT(rule), with the number beside it. Elsewhere it costs nothing.
 */
#ifndef FL_INVARIANT_H
#define FL_INVARIANT_H

#ifdef __SANITIZE_ADDRESS__
#undef NDEBUG
#include <assert.h>
#define FL_INVARIANT(rule) assert(rule)
#else
#define FL_INVARIANT(rule) ((void)sizeof(rule))
#endif

#endif
