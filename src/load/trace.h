/* trace.h - requests that were once made: when, and how many tokens in and out.
 *
 * Read from CSV or lines of JSON, by the names of columns as published traces have them
 * (Azure's TIMESTAMP, ContextTokens, GeneratedTokens; Mooncake's timestamp, input_length,
 * output_length, hash_ids) and plain ones: time_s, input, output. */
#ifndef LOAD_TRACE_H
#define LOAD_TRACE_H

#include "base/arena.h"
#include "base/str.h"

#define LOAD_TRACE_MAX ((size_t)256 << 20) /* bytes of the text */
#define LOAD_TRACE_ROWS 2000000
#define LOAD_TOKENS_MAX 1000000 /* of one request, in or out */
#define LOAD_BLOCK_TOKENS 512   /* of a block of hash_ids */

/* Blocks of a prompt by their ids: two requests that begin with the same ids begin with the
 * same text. */
struct trace_range {
    uint32_t first, last; /* both included */
};

struct trace_row {
    double at_s; /* since the first; NaN: the file has no times */
    int32_t input, output;
    uint32_t range,
        ranges; /* its blocks, in `ranges` of the trace; 0 of them: none are known */
};

struct load_trace {
    const struct trace_row *rows; /* by time */
    size_t count;
    const struct trace_range *ranges;
    bool timed;
};

/* `name` is for errors, which name the line. */
bool load_trace_read(struct str text, const char *name, const struct alloc *alloc,
                     struct arena *arena, struct load_trace *out, struct error *err) MUST_USE;

#endif
