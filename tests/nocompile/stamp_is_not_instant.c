/* Must not compile: a date is not on the clock that measures: it can be set back. */
#include "base/clock.h"

span since(stamp start, instant now);

span since(stamp start, instant now)
{
    return span_between(start, now);
}
