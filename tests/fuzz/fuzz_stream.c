/* Any bytes are what a server answers: however they are cut, the outcome is the same, and
 * counts stay within their range. The first byte is how. */
#include <stdlib.h>
#include <string.h>

#include "load/stream.h"
#include "load/trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool fact)
{
    if (!fact)
        abort();
}

static enum stream_fault feed(struct load_answer *s, struct str text, size_t step)
{
    int64_t seen = 0;
    int pieces = 0;

    load_answer_again(s);
    while (text.len > 0) {
        size_t len = text.len < step ? text.len : step;
        bool fine = load_answer_take(s, (struct str){text.at, len}, &pieces);

        require(fine == (s->fault == STREAM_FINE) && pieces >= 0);
        seen += pieces;
        require(s->pieces == seen);
        text.at += len;
        text.len -= len;
    }
    return load_answer_end(s);
}

/* The same bytes as a file of requests. */
static void read_rows(struct str text)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct load_trace trace;
    struct error err = {0};

    if (load_trace_read(text, "t", &alloc_system, &arena, &trace, &err)) {
        require(trace.count > 0);
        for (size_t i = 0; i < trace.count; i++) {
            require(trace.rows[i].input > 0 && trace.rows[i].output > 0);
            require(!trace.timed || trace.rows[i].at_s >= 0);
        }
    } else {
        require(err.kind == ERROR_INPUT && err.text[0] != '\0');
    }
    arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct load_answer a = load_answer_new(&alloc_system), b = load_answer_new(&alloc_system);
    struct str text = {(const char *)data, size};
    enum stream_fault fault;

    if (size == 0)
        return 0;
    read_rows(text);
    fault = feed(&a, (struct str){text.at + 1, size - 1}, SIZE_MAX);
    require(feed(&b, (struct str){text.at + 1, size - 1}, (size_t)data[0] + 1) == fault);
    require(a.pieces == b.pieces && a.input == b.input && a.output == b.output);
    require(a.whole == b.whole && a.input >= -1 && a.output >= -1);
    require(fault != STREAM_FINE || a.pieces > 0);
    load_answer_free(&a);
    load_answer_free(&b);
    return 0;
}
