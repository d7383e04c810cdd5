/* How grave an event is. */
#include "unit/severity.h"

const char *const severity_names[] = {"info", "warning", "error", "critical", NULL};

const char *severity_name(enum severity severity)
{
    return severity_names[severity];
}

bool severity_parse(struct str name, enum severity *out)
{
    *out = SEVERITY_INFO;
    for (unsigned i = 0; severity_names[i] != NULL; i++)
        if (str_eq(name, str_from(severity_names[i]))) {
            *out = (enum severity)i;
            return true;
        }
    return false;
}
