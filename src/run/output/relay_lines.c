/* Lines out of a stream of bytes, in two passes of memchr() over each. */
#include <string.h>

#include "run/output/relay_internal.h"

static void tell(const struct relay_options *options, struct str line, bool is_error)
{
    if (line.len > METRIC_LINE)
        line.len = METRIC_LINE;
    if (line.len > 0)
        options->line(options->ctx, line, is_error);
}

static void keep(struct relay_lines *lines, struct str bytes)
{
    size_t room = sizeof lines->text - lines->len;

    if (bytes.len > room)
        bytes.len = room; /* the line is cut */
    if (bytes.len > 0)
        memcpy(lines->text + lines->len, bytes.at, bytes.len);
    lines->len += bytes.len;
}

void relay_lines_end(struct relay_lines *lines, const struct relay_options *options,
                     bool is_error)
{
    if (options->line != NULL)
        tell(options, (struct str){lines->text, lines->len}, is_error);
    lines->len = 0;
}

void relay_lines_see(struct relay_lines *lines, const struct relay_options *options,
                     struct str bytes, bool is_error)
{
    const char *at = bytes.at, *end = bytes.at + bytes.len;

    while (options->line != NULL && at < end) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        const char *stop = feed != NULL ? feed : end;

        while (at <= stop) { /* parts that end with \r, and what is after the last of them */
            const char *back = at < stop ? memchr(at, '\r', (size_t)(stop - at)) : NULL;
            struct str piece = {at, (size_t)((back != NULL ? back : stop) - at)};
            bool whole = back != NULL || feed != NULL;

            if (whole && lines->len == 0) {
                tell(options, piece, is_error);
            } else {
                keep(lines, piece);
                if (whole)
                    relay_lines_end(lines, options, is_error);
            }
            at += piece.len + 1;
        }
    }
}
