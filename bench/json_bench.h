/* json_bench.h - what the parts of bench_json share. The peers are on their own because
 * jansson's names clash with ours.
 */
#ifndef BENCH_JSON_BENCH_H
#define BENCH_JSON_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

#define BENCH_BATCH ((size_t)128 * 1024) /* bytes for each read() */

struct tally {
    uint64_t tokens, prices;
    int64_t nano_dollars;
    bool usd; /* the last key was "USD" */
};

void tally_key(struct tally *tally, struct str key);
void tally_string(struct tally *tally, struct str text);

/* Visit every token of the file. False after saying on standard error what is wrong. */
bool read_ours(const char *path, struct tally *tally);
bool read_jansson(const char *path, struct tally *tally);
bool read_yajl(const char *path, struct tally *tally);

/* Write a made-up price list of about that size. Returns an exit status. */
int generate(const char *path, unsigned long megabytes, bool compact);

#endif
