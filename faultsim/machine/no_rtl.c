/* no_rtl.c -- engine rtl in a build without it: a name that engine_find can speak of. */
#include "engine.h"

const struct engine engine_rtl = {.name = "rtl"}, engine_rtl_gates = {.name = "rtl"};
