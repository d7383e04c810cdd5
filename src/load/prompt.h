/* prompt.h - the requests of a run: their lengths, and their text as plain words.
 *
 * Request number i is the same in every run with the same options, whatever the server does, so
 * that two endpoints get the same. No two have the same words but where a prefix is shared, so
 * that no cache of the server helps by accident. */
#ifndef LOAD_PROMPT_H
#define LOAD_PROMPT_H

#include "base/buf.h"
#include "load/length.h"
#include "load/trace.h"

/* What requests are made of. */
struct prompt_plan {
    struct length_spread input, output;
    /* Lengths are drawn from its rows instead; with `in_order` request i is row i. NULL: as
     * above. */
    const struct load_trace *rows;
    bool in_order;
    int64_t prefix;        /* tokens that requests of a group begin with, besides `input`; 0 */
    int64_t prefix_groups; /* 1 or more */
    uint64_t seed;
    double words_per_token; /* of the server's model; 1 until it is known */
};

struct prompt_ask {
    uint64_t number; /* of the request */
    int32_t input, output;
    int32_t prefix; /* of `input`, tokens that the group shares */
    uint32_t group;
    const struct trace_range *blocks;
    uint32_t block_ranges;
};

/* Request `number`. */
struct prompt_ask prompt_of(const struct prompt_plan *plan, uint64_t number);

/* Its text: ASCII words with blanks between, so that JSON needs no escapes. */
void prompt_write(const struct prompt_plan *plan, const struct prompt_ask *ask,
                  struct buf *out);

#endif
