/* Must not compile: a length of time is no moment to measure from. */
#include "base/clock.h"

span since(span start, instant now);

span since(span start, instant now)
{
    return span_between(start, now);
}
