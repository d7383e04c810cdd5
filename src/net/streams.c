#include "net/streams.h"

#include <string.h>

#include "base/buf.h"
#include "base/part.h"
#include "net/net_part.h"
#include "net/url.h"

#define HEADER_MAX ((size_t)16 << 10)

struct streams {
    const struct net_part *part;
    struct stream_set *set;
};

/* Bytes that end a header, or that no header has. */
static bool header_is_sound(const struct http_header *h)
{
    for (const char *at = h->value; *at != '\0'; at++)
        if (*at < ' ' || *at >= 0x7f)
            return false;
    return true;
}

static bool check_streams_place(const struct streams_place *place, struct error *err)
{
    struct url url;

    if (!url_parse(str_from(place->url), &url, err))
        return false;
    for (size_t i = 0; i < place->header_count; i++) {
        if (!header_is_sound(&place->headers[i]))
            return error_fail(err, ERROR_INPUT,
                              "the value of the header %s has characters that "
                              "no header can have",
                              place->headers[i].name);
        if (place->headers[i].secret && !url.tls && !url_is_loopback(&url) &&
            !place->plain_allowed)
            return error_fail_hint(err, ERROR_INPUT, "use https",
                                   "the key would go to another machine over plain http");
    }
    return true;
}

/* "Name: value" of each, which the part copies. */
static bool write_stream_headers(const struct streams_place *place, struct arena *arena,
                                 const char ***out, size_t *count, struct error *err)
{
    const char **lines = arena_array(arena, const char *, place->header_count + 1, err);

    if (lines == NULL)
        return false;
    for (*count = 0; *count < place->header_count; ++*count) {
        struct buf line = buf_new(arena->alloc, HEADER_MAX);
        struct str text;

        buf_adds(&line, place->headers[*count].name);
        buf_adds(&line, ": ");
        buf_adds(&line, place->headers[*count].value);
        buf_char(&line, '\0');
        if (!buf_keep(&line, arena, &text, err))
            return false;
        lines[*count] = text.at;
    }
    *out = lines;
    return true;
}

struct streams *streams_open(const struct streams_place *place,
                             const struct streams_events *events, struct error *err)
{
    struct arena arena = {.alloc = &alloc_system};
    struct streams *out = NULL;
    const char **lines = NULL;
    size_t count = 0;

    if (!check_streams_place(place, err) ||
        !write_stream_headers(place, &arena, &lines, &count, err)) {
        arena_free(&arena);
        return NULL;
    }
    out = alloc_system.get(alloc_system.ctx, sizeof *out);
    if (out == NULL) {
        (void)error_memory(err);
    } else {
        /* The part is looked for once: that takes longer than a request. */
        *out = (struct streams){.part = part_open("net", NET_PART_VERSION, err)};
        if (out->part != NULL) {
            out->set = out->part->streams_open(place, lines, count, events);
            if (out->set == NULL)
                (void)error_memory(err);
        }
    }
    for (size_t i = 0; i < count; i++)
        explicit_bzero((char *)(uintptr_t)lines[i], strlen(lines[i]));
    arena_free(&arena);
    if (out != NULL && out->set == NULL) {
        alloc_system.put(alloc_system.ctx, out);
        out = NULL;
    }
    return out;
}

bool streams_send(struct streams *streams, struct str body, void *stream, struct error *err)
{
    return streams->part->streams_send(streams->set, body, stream) ||
           error_fail(err, ERROR_SYSTEM, "too many requests are open, or memory ran out");
}

bool streams_wait(struct streams *streams, instant until, struct error *err)
{
    return streams->part->streams_wait(streams->set, until) ||
           error_fail(err, ERROR_SYSTEM, "cannot wait for the server's answers");
}

void streams_close(struct streams *streams)
{
    if (streams == NULL)
        return;
    streams->part->streams_close(streams->set);
    alloc_system.put(alloc_system.ctx, streams);
}
