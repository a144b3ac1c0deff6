/* mangled.h -- names of C++ as compilers write them into programs, and as the source has them. */
#ifndef MANGLED_H
#define MANGLED_H

#include <stddef.h>

/* The name that the source has, inside of `name`, and its length: of _Z4fiboi, 4 letters. A name of C is returned whole. */
const char *fl_source_name(const char *name, size_t *length);

#endif
