/* How grave an event is. */
#include "unit/severity.h"

static const char *const names[] = {"info", "warning", "error", "critical"};

const char *severity_name(enum severity severity)
{
    return names[severity];
}

bool severity_parse(struct str name, enum severity *out)
{
    *out = SEVERITY_INFO;
    for (unsigned i = 0; i < ARRAY_LEN(names); i++)
        if (str_eq(name, str_from(names[i]))) {
            *out = (enum severity)i;
            return true;
        }
    return false;
}
