#include "net/streams.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
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

/* "Name: value" of each, which the part copies; none is anywhere else, so that all can be
 * wiped. `count`: those that are written. */
static bool write_stream_headers(const struct streams_place *place, struct arena *arena,
                                 char **lines, size_t *count, struct error *err)
{
    for (*count = 0; *count < place->header_count; ++*count) {
        const struct http_header *h = &place->headers[*count];
        size_t size = strlen(h->name) + strlen(": ") + strlen(h->value) + 1;
        char *line;

        if (size > HEADER_MAX)
            return error_fail(err, ERROR_INPUT, "the header %s is too long", h->name);
        line = arena_get(arena, size, 1, 1, err);
        if (line == NULL)
            return false;
        (void)snprintf(line, size, "%s: %s", h->name, h->value);
        lines[*count] = line;
    }
    return true;
}

/* The part is looked for once: that takes longer than a request. */
static struct streams *make_streams(const struct streams_place *place, char **lines,
                                    size_t count, const struct streams_events *events,
                                    struct error *err)
{
    struct streams *out = alloc_system.get(alloc_system.ctx, sizeof *out);

    if (out == NULL) {
        (void)error_memory(err);
        return NULL;
    }
    *out = (struct streams){.part = part_open("net", NET_PART_VERSION, err)};
    if (out->part != NULL) {
        out->set = out->part->streams_open(place, (const char *const *)lines, count, events);
        if (out->set == NULL)
            (void)error_memory(err);
    }
    if (out->set == NULL) {
        alloc_system.put(alloc_system.ctx, out);
        out = NULL;
    }
    return out;
}

struct streams *streams_open(const struct streams_place *place,
                             const struct streams_events *events, struct error *err)
{
    struct arena arena = {.alloc = &alloc_system};
    char **lines = arena_array(&arena, char *, place->header_count + 1, err);
    struct streams *out = NULL;
    size_t count = 0;

    if (lines != NULL && check_streams_place(place, err) &&
        write_stream_headers(place, &arena, lines, &count, err))
        out = make_streams(place, lines, count, events, err);
    for (size_t i = 0; i < count; i++)
        explicit_bzero(lines[i], strlen(lines[i]));
    arena_free(&arena);
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
