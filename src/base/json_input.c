#include <inttypes.h>
#include <string.h>

#include "base/json_internal.h"

#define FIRST_CAPACITY ((size_t)128 * 1024) /* stays in the second-level cache */

/* Beyond the longest token: its quotes, and what an escape that starts at its end needs. */
#define SLACK ((size_t)64)

void json_input_text(struct json_input *in, struct str text)
{
    const char *at = text.len > 0 ? text.at : "";

    *in = (struct json_input){.base = at, .at = at, .end = at, .base_line = 1, .ended = true};
    in->held_end = at + text.len;
    in->window = at;
    json_index(at, 0, &in->index);
}

bool json_input_open(struct json_input *in, struct source source, size_t max_token,
                     const struct alloc *alloc, struct error *err)
{
    *in = (struct json_input){.source = source, .alloc = alloc, .base_line = 1};
    in->most = max_token + SLACK;
    in->capacity = in->most < FIRST_CAPACITY ? in->most : FIRST_CAPACITY;
    in->buffer = alloc->get(alloc->ctx, in->capacity);
    in->base = in->at = in->end = in->held_end = in->window = in->buffer;
    json_index(in->buffer, 0, &in->index);
    return in->buffer != NULL || error_memory(err);
}

void json_input_close(struct json_input *in)
{
    if (in->buffer != NULL)
        in->alloc->put(in->alloc->ctx, in->buffer);
}

/* Count the lines from the base to `to`, which becomes the base. */
static void pass_lines(struct json_input *in, const char *to)
{
    size_t len = (size_t)(to - in->base);
    const char *last = memrchr(in->base, '\n', len);

    in->base_line += json_count_lines(in->base, to);
    if (last != NULL)
        in->line_start = in->base_offset + (size_t)(last - in->base) + 1;
    in->base_offset += len;
    in->base = to;
}

bool json_place(struct json_input *in, const char *at, struct error *err)
{
    pass_lines(in, at);
    error_context(err, "line %" PRIu64 ", column %" PRIu64, in->base_line,
                  in->base_offset - in->line_start + 1);
    return false;
}

uint64_t json_input_line(struct json_input *in)
{
    if (in->at > in->base) /* a fault may lie beyond it */
        pass_lines(in, in->at);
    return in->base_line;
}

/* Move what is still to be read to the front of the buffer, or of a larger one when it takes up
 * more than half: so each byte of a long token is moved only a few times. */
static bool make_room(struct json_input *in, struct error *err)
{
    size_t held = (size_t)(in->end - in->at);
    char *to = in->buffer;

    pass_lines(in, in->at);
    if (held > in->capacity / 2 && in->capacity < in->most) {
        size_t capacity = in->capacity < in->most / 2 ? in->capacity * 2 : in->most;

        to = in->alloc->get(in->alloc->ctx, capacity);
        if (to == NULL)
            return error_memory(err);
        memcpy(to, in->at, held);
        in->alloc->put(in->alloc->ctx, in->buffer);
        in->buffer = to;
        in->capacity = capacity;
    } else {
        memmove(to, in->at, held);
    }
    in->base = in->at = to;
    in->end = in->held_end = in->window = to + held;
    json_index(in->window, 0, &in->index); /* the old one is of bytes that have moved */
    return true;
}

/* Hold more: as much as the source gives and there is room for. */
static enum json_fill read_more(struct json_input *in, struct error *err)
{
    ptrdiff_t got;
    size_t used;

    if (in->ended)
        return JSON_FILL_ENDED;
    if ((in->at == in->end || in->end == in->buffer + in->capacity) && !make_room(in, err))
        return JSON_FILL_FAILED;
    used = (size_t)(in->end - in->buffer);
    got = in->source.read(in->source.ctx, in->buffer + used, in->capacity - used, err);
    if (got < 0)
        return JSON_FILL_FAILED;
    in->ended = got == 0;
    in->held_end = in->end + got;
    return got > 0 ? JSON_FILL_MORE : JSON_FILL_ENDED;
}

enum json_fill json_fill(struct json_input *in, struct error *err)
{
    enum json_fill filled = JSON_FILL_MORE;
    size_t len;

    if (in->end == in->held_end)
        filled = read_more(in, err);
    if (filled != JSON_FILL_MORE)
        return filled;
    len = (size_t)(in->held_end - in->end);
    if (len > JSON_WINDOW)
        len = JSON_WINDOW;
    json_index(in->end, len, &in->index);
    in->window = in->end;
    in->end += len;
    return JSON_FILL_MORE;
}

int json_peek_past_space(struct json_input *in, struct error *err)
{
    for (;;) {
        enum json_fill filled;

        in->at = json_find(in, in->index.solid, in->at);
        if (in->at != in->end)
            return (unsigned char)*in->at;
        filled = json_fill(in, err);
        if (filled != JSON_FILL_MORE)
            return filled == JSON_FILL_ENDED ? JSON_PEEK_END : JSON_PEEK_FAILED;
    }
}

int json_peek_past_mark(struct json_input *in, struct error *err)
{
    static const char mark[3] = {'\xef', '\xbb', '\xbf'};

    if (in->base_offset > 0 || in->at > in->base)
        return (unsigned char)*in->at;
    while (in->end - in->at < 3) {
        enum json_fill filled = json_fill(in, err);

        if (filled == JSON_FILL_FAILED)
            return JSON_PEEK_FAILED;
        if (filled == JSON_FILL_ENDED)
            return (unsigned char)*in->at;
    }
    if (memcmp(in->at, mark, sizeof mark) != 0)
        return (unsigned char)*in->at;
    in->at += sizeof mark;
    in->line_start = sizeof mark; /* editors hide it: columns start after it */
    return json_peek_past_space(in, err);
}
