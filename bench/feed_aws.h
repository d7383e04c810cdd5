/* feed_aws.h - what the parts of bench_feed_aws share. The peer is on its own because jansson's
 * names clash with ours.
 */
#ifndef BENCH_FEED_AWS_H
#define BENCH_FEED_AWS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"

/* The machines with GPUs and the sum of what they cost on demand: all readers must agree. */
struct found {
    uint64_t machines;
    int64_t nano_dollars;
};

/* False after saying on standard error what is wrong. */
bool find_jansson(const char *path, void *found);

/* Write a made-up regional price list of about that size. Returns an exit status. */
int generate_aws(const char *path, unsigned long megabytes);

#endif
