/* traffic.h - how the rate of requests changes with the hour: a named shape of the catalog, or
 * a file of the user's.
 *
 *     hour,rate
 *     0,2/s
 *     1,1.5/s
 *     ...
 *
 * 24 hours of a day, or 168 of a week from Monday; each once, in any order. The rate is a
 * number of requests a second, or has a unit: 20/s, 5000/h. Or when requests were made, once.
 */
#ifndef ADVISE_TRAFFIC_H
#define ADVISE_TRAFFIC_H

#include "catalog/catalog.h"
#include "plan/deploy.h"

struct traffic {
    struct deploy_traffic shape;
    double peak;    /* requests a second; of a named shape NaN: --rate is its mean */
    double covered; /* seconds of requests that were made; 0: rates were given */
};

/* Read the file's text; `name` is what errors call it, with the line. */
bool traffic_read(struct str text, const char *name, const struct alloc *alloc,
                  struct traffic *out, struct error *err) MUST_USE;

/* Does the file's text say when requests were made, rather than rates by the hour? */
bool traffic_is_trace(struct str text);

/* Of requests that were made so many seconds after the first, in order: the rate of each hour
 * of a day, or of a week where there are seven days. What is shorter than a day says nothing of
 * its hours: the same rate all the time. */
bool traffic_of_requests(const double *at_s, size_t count, const char *name,
                         struct traffic *out, struct error *err) MUST_USE;

/* Is the trace long enough for that? */
bool traffic_covers_day(const struct traffic *traffic);

/* A shape of TABLE_TRAFFIC. ERROR_ABSENT with a suggestion when there is none, ERROR_INPUT when
 * its rows leave hours out. */
bool traffic_named(const struct catalog *catalog, struct str name, struct traffic *out,
                   struct error *err) MUST_USE;

/* What the seeds' decision tree calls it: the rate at its peak over its mean. */
enum traffic_pattern { TRAFFIC_CONSTANT, TRAFFIC_VARIABLE, TRAFFIC_BURSTY, TRAFFIC_PATTERNS };
extern const char *const traffic_pattern_names[TRAFFIC_PATTERNS + 1];
enum traffic_pattern traffic_pattern(const struct deploy_traffic *shape); /* NULL: constant */

#endif
