/* severity.h - how grave an event is: the one list of names, in its order. */
#ifndef UNIT_SEVERITY_H
#define UNIT_SEVERITY_H

#include "base/str.h"

enum severity { SEVERITY_INFO, SEVERITY_WARNING, SEVERITY_ERROR, SEVERITY_CRITICAL };

extern const char *const severity_names[];         /* ends with NULL */
const char *severity_name(enum severity severity); /* "info", ... */
bool severity_parse(struct str name, enum severity *out) MUST_USE;

#endif
