/* clock.h - where "now" comes from: only main() and the tests make one.
 *
 * Code that needs the time takes a `const struct clock *`; nothing else asks the system. Three
 * types, so that a moment to measure with, a moment on the calendar and a length of time are
 * never mistaken for one another.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

#include "base/error.h"

typedef struct {
    int64_t ns;
} instant; /* on the monotonic clock: for measuring, never for dates */

typedef struct {
    int64_t s;
} stamp; /* seconds since 1970 in UTC: for dates, never for measuring */

typedef struct {
    int64_t ns;
} span; /* a length of time */

#define SECOND INT64_C(1000000000) /* as instants and spans count */

struct clock {
    instant (*now)(void *ctx);
    stamp (*today)(void *ctx);
    void *ctx;
};

extern const struct clock clock_system;

/* Time as a landlord counts it: goes on while the machine sleeps, and no setting of the
 * calendar moves it. For what is paid by the hour; STINT_NOW does not stop it. */
instant clock_paid(void);

/* The calendar in nanoseconds since 1970, as files have it. */
int64_t clock_file_ns(void);

/* The time that a file gets which is written now: as clock_file_ns(), in steps of
 * milliseconds. */
int64_t clock_written_ns(void);

/* The processor time of this thread so far: the difference of two is the cost of a call between
 * them. */
span clock_work(void);

/* A clock that is stopped at `at`: for tests, and for STINT_NOW. `at` must outlive it. */
struct clock clock_fixed(const stamp *at);

static inline span span_between(instant from, instant to)
{
    return (span){to.ns - from.ns};
}

#endif
