/* collect.h - run a feed's reader over a text and keep what it gives. */
#ifndef TESTS_FEED_COLLECT_H
#define TESTS_FEED_COLLECT_H

#include "test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fs.h"
#include "doc/compress.h"
#include "feed/feed.h"

#define COLLECT_DAY INT64_C(1787356800) /* 2026-08-22: of quotes without a date */

/* The facts, loaded once for all tests of a program. */
static struct arena facts_arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
static struct catalog facts;
static struct feed_known *known;

static inline int load_facts(void **state)
{
    struct error err = {0};

    (void)state;
    if (!catalog_load(&facts, catalog_needs(TABLE_BIT(TABLE_OFFERS)), NULL, 0, &facts_arena,
                      &err))
        return -1;
    known = feed_known_new(&facts, &facts_arena, &err);
    return known != NULL ? 0 : -1;
}

static inline int free_facts(void **state)
{
    (void)state;
    arena_free(&facts_arena);
    return 0;
}

/* What a reading gave. */
struct collected {
    struct arena arena;
    struct quote *quotes;
    size_t len, room;
    size_t bad;          /* rows that could not be used */
    char first_bad[512]; /* and why the first could not */
    bool strict;         /* stop at the first bad row */
    struct feed_summary summary;
    struct error err;
};

/* Text that comes in pieces of `piece` bytes. */
struct text_source {
    struct str rest;
    size_t piece;
};

static inline ptrdiff_t text_read(void *ctx, char *to, size_t room, struct error *err)
{
    struct text_source *s = ctx;
    size_t len = s->rest.len;

    (void)err;
    if (len > room)
        len = room;
    if (len > s->piece)
        len = s->piece;
    if (len > 0)
        memcpy(to, s->rest.at, len);
    s->rest.at += len;
    s->rest.len -= len;
    return (ptrdiff_t)len;
}

static inline struct str collect_copy(struct collected *c, struct str text)
{
    char *copy = text.len > 0 ? str_dup(text, &c->arena, &c->err) : NULL;

    return (struct str){copy, copy != NULL ? text.len : 0};
}

static inline bool collect_quote(void *ctx, const struct quote *quote, struct error *err)
{
    struct collected *c = ctx;
    struct quote *q;

    if (c->len == c->room) {
        size_t room = c->room > 0 ? 2 * c->room : 64;
        struct quote *larger = arena_array(&c->arena, struct quote, room, err);

        if (larger == NULL)
            return false;
        if (c->len > 0)
            memcpy(larger, c->quotes, c->len * sizeof *larger);
        c->quotes = larger;
        c->room = room;
    }
    q = &c->quotes[c->len++];
    *q = *quote;
    q->provider = collect_copy(c, quote->provider);
    q->region = collect_copy(c, quote->region);
    q->zone = collect_copy(c, quote->zone);
    q->instance = collect_copy(c, quote->instance);
    q->accelerator = collect_copy(c, quote->accelerator);
    return true;
}

static inline bool collect_bad(void *ctx, const struct error *problem)
{
    struct collected *c = ctx;

    if (c->bad++ == 0)
        (void)snprintf(c->first_bad, sizeof c->first_bad, "%s", problem->text);
    return !c->strict;
}

static inline void collect_free(struct collected *c)
{
    arena_free(&c->arena);
    *c = (struct collected){0};
}

/* Read `text` as `format`, in pieces of `piece` bytes. `c` may have been used before; its `strict`
 * stays. */
static inline bool collect_pieces(struct collected *c, const struct feed_format *format,
                                  const char *provider, struct str text, size_t piece)
{
    struct text_source from = {text, piece};
    struct feed_input input = {.source = {text_read, &from},
                               .name = "feed.csv",
                               .provider = str_from(provider),
                               .date = {COLLECT_DAY},
                               .known = known,
                               .alloc = &alloc_system};
    struct feed_sink sink = {collect_quote, collect_bad, c};
    bool strict = c->strict;

    collect_free(c);
    c->strict = strict;
    c->arena = (struct arena){.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    return format->read(&input, &sink, &c->summary, &c->err);
}

static inline bool collect(struct collected *c, const struct feed_format *format,
                           const char *provider, const char *text)
{
    return collect_pieces(c, format, provider, str_from(text), 64);
}

/* The last quote for a machine: that is the one that holds. NULL when there is none. */
static inline const struct quote *collected_quote(const struct collected *c, const char *region,
                                                  const char *zone, const char *instance)
{
    for (size_t i = c->len; i > 0; i--) {
        const struct quote *q = &c->quotes[i - 1];

        if (str_eq(q->region, str_from(region)) && str_eq(q->zone, str_from(zone)) &&
            str_eq(q->instance, str_from(instance)))
            return q;
    }
    return NULL;
}

/* A file beside the project's root, unpacked; false, and a line that says so, when it is absent. */
static inline bool shared_text(const char *test, const char *name, struct arena *arena,
                               struct str *text)
{
    const char *root = env_get("STINT_SOURCE_ROOT");
    struct error err = {0};
    char path[1024];

    (void)snprintf(path, sizeof path, "%s/../shared/%s", root != NULL ? root : ".", name);
    if (!fs_exists(path)) {
        print_message("# SKIPPED %s: no file '%s'\n", test, path);
        return false;
    }
    if (!fs_read(path, (size_t)1 << 28, arena, text, &err) ||
        !unpack_text(text, path, (size_t)1 << 30, arena, &err))
        fail_msg("%s", err.text);
    return true;
}

/* A file of the project's own oddities. */
static inline struct str oddity(const char *name, struct arena *arena)
{
    const char *root = env_get("STINT_SOURCE_ROOT");
    struct error err = {0};
    struct str text = {0};
    char path[1024];

    (void)snprintf(path, sizeof path, "%s/tests/feed/oddities/%s", root != NULL ? root : ".",
                   name);
    if (!fs_read(path, (size_t)1 << 20, arena, &text, &err))
        fail_msg("%s", err.text);
    return text;
}

#endif
