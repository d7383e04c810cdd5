/* Must not compile: a moment on the monotonic clock has no date. */
#include "unit/time.h"

day today(instant now);

day today(instant now)
{
    return day_of(now);
}
