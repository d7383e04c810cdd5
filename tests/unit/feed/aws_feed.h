/* aws_feed.h - read a text as an AWS feed, and hold what came of it against what is expected. */
#ifndef TESTS_UNIT_FEED_AWS_FEED_H
#define TESTS_UNIT_FEED_AWS_FEED_H

#include "test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/fs.h"
#include "base/num.h"
#include "base/part.h"
#include "feed/feed.h"
#include "unit/time.h"

static struct catalog catalog;
static struct arena catalog_arena;
static struct feed_known *known;

static inline int load_catalog(void **state)
{
    struct error err = {0};

    (void)state;
    catalog_arena = (struct arena){.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    assert_true(catalog_load(&catalog, TABLE_BIT(TABLE_OFFERS), NULL, 0, &catalog_arena, &err));
    known = feed_known_new(&catalog, &catalog_arena, &err);
    assert_non_null(known);
    return 0;
}

static inline int free_catalog(void **state)
{
    (void)state;
    arena_free(&catalog_arena);
    return 0;
}

/* A source that gives the text in pieces. */
struct pieces {
    struct str text;
    size_t chunk;
    bool failing;
};

static inline ptrdiff_t read_piece(void *ctx, char *to, size_t room, struct error *err)
{
    struct pieces *p = ctx;
    size_t len = p->text.len < p->chunk ? p->text.len : p->chunk;

    if (len == 0 && p->failing) {
        error_set(err, ERROR_SYSTEM, "the line went dead");
        return -1;
    }
    len = len < room ? len : room;
    if (len > 0)
        memcpy(to, p->text.at, len);
    p->text.at += len;
    p->text.len -= len;
    return (ptrdiff_t)len;
}

/* What came of a reading, as text: a line for each quote and each bad row. */
struct heard {
    struct buf out;
    size_t quotes, quotes_until_failure; /* 0: never */
    bool strict;                         /* a bad row ends the reading */
};

static inline bool hear_quote(void *ctx, const struct quote *q, struct error *err)
{
    struct heard *h = ctx;

    if (++h->quotes == h->quotes_until_failure)
        return error_fail(err, ERROR_FAILED, "the store is full");
    assert_str_equal(q->provider, "aws");
    assert_true(q->count > 0 && q->region.len > 0 && q->accelerator.len > 0);
    buf_addf(&h->out, "%.*s", STR_ARG(q->region));
    if (q->zone.len > 0)
        buf_addf(&h->out, "/%.*s", STR_ARG(q->zone));
    buf_addf(&h->out, " %.*s %.*s x", STR_ARG(q->instance), STR_ARG(q->accelerator));
    num_write(q->count, &h->out);
    buf_adds(&h->out, " gpu_gib=");
    num_write(q->gpu_memory_gib, &h->out);
    buf_adds(&h->out, " vcpus=");
    num_write(q->vcpus, &h->out);
    buf_adds(&h->out, " gib=");
    num_write(q->memory_gib, &h->out);
    for (int m = 0; m < MARKET_COUNT; m++)
        if (q->price[m] != PRICE_UNSAID) {
            buf_addf(&h->out, " %s=", market_names[m]);
            nano_write(q->price[m], &h->out);
        }
    buf_addf(&h->out, " %s ", q->currency);
    stamp_write(q->at, &h->out);
    buf_char(&h->out, '\n');
    return true;
}

static inline bool hear_bad(void *ctx, const struct error *problem)
{
    struct heard *h = ctx;

    assert_int_equal(problem->kind, ERROR_INPUT);
    if (h->strict)
        return false;
    buf_addf(&h->out, "bad: %s\n", problem->text);
    return true;
}

/* Read, and write down what came: quotes, bad rows, then the summary or the error. */
static inline void hear(const struct feed_format *format, struct pieces *pieces,
                        struct heard *h, const struct alloc *alloc, struct error *err)
{
    struct feed_sink sink = {hear_quote, hear_bad, h};
    struct feed_input input = {.source = {read_piece, pieces},
                               .name = "f",
                               .date = {1772323200}, /* 2026-03-01 */
                               .known = known,
                               .alloc = alloc};
    struct feed_summary summary = {.next = buf_new(alloc, 4096)};

    if (format->read(&input, &sink, &summary, err)) {
        buf_addf(&h->out, "rows=%d ignored=%d", (int)summary.rows, (int)summary.ignored);
        if (summary.published.s > 0) {
            buf_adds(&h->out, " published=");
            stamp_write(summary.published, &h->out);
        }
        if (summary.next.len > 0)
            buf_addf(&h->out, " next=%.*s", STR_ARG(buf_text(&summary.next)));
        if (summary.region.len > 0)
            buf_addf(&h->out, " region=%.*s", STR_ARG(summary.region));
        buf_char(&h->out, '\n');
    } else {
        assert_int_not_equal(err->kind, ERROR_NONE);
        buf_addf(&h->out, "! %s\n", err->text);
    }
    buf_free(&summary.next);
}

/* The same comes of it in whatever pieces it comes. */
static inline void check_feed(const struct feed_format *format, struct str text,
                              const char *expected)
{
    static const size_t chunks[] = {1, 7, 1 << 20};

    for (size_t i = 0; i < ARRAY_LEN(chunks); i++) {
        struct heard h = {.out = buf_new(&alloc_system, BUF_MAX_OUTPUT)};
        struct pieces pieces = {.text = text, .chunk = chunks[i]};
        struct error err = {0};

        hear(format, &pieces, &h, &alloc_system, &err);
        buf_char(&h.out, '\0');
        assert_true(buf_ok(&h.out, &err));
        if (strcmp(h.out.at, expected) != 0)
            fail_msg("in pieces of %zu:\n%s-- expected:\n%s", chunks[i], h.out.at, expected);
        buf_free(&h.out);
    }
}

/* Every prefix of a good text is refused: a file that was cut is never taken for a whole one. */
static inline void check_cut(const struct feed_format *format, struct str text)
{
    for (size_t len = 0; len < text.len; len++) {
        struct heard h = {.out = buf_new(&alloc_system, BUF_MAX_OUTPUT)};
        struct pieces pieces = {.text = {text.at, len}, .chunk = 1 << 20};
        struct error err = {0};

        hear(format, &pieces, &h, &alloc_system, &err);
        assert_int_equal(err.kind, ERROR_INPUT);
        assert_true(err.text[0] == 'f' && err.text[1] == ':');
        buf_free(&h.out);
    }
}

/* Fail every allocation in turn: nothing leaks, and memory is what the error says. */
static inline void check_memory(const struct feed_format *format, struct str text)
{
    bool done = false;
    size_t allow = 0;

    for (; !done; allow++) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct heard h = {.out = buf_new(&alloc_system, BUF_MAX_OUTPUT)};
        struct pieces pieces = {.text = text, .chunk = 64};
        struct error err = {0};

        hear(format, &pieces, &h, &alloc, &err);
        done = err.kind == ERROR_NONE;
        if (!done)
            assert_int_equal(err.kind, ERROR_MEMORY);
        assert_int_equal(failing.held, 0);
        buf_free(&h.out);
    }
    assert_true(allow > 2);
}

/* A sink that refuses: its own words are the error. */
static inline void check_sink(const struct feed_format *format, struct str text)
{
    struct heard h = {.out = buf_new(&alloc_system, BUF_MAX_OUTPUT), .quotes_until_failure = 1};
    struct pieces pieces = {.text = text, .chunk = 64};
    struct error err = {0};

    hear(format, &pieces, &h, &alloc_system, &err);
    assert_string_equal(err.text, "the store is full");
    buf_free(&h.out);
}

/* A file of ours ("tests/feed/oddities/X") or of the shared samples ("../shared/..."); false, with a
 * visible word, when it is absent. */
static inline bool read_sample(const char *name, struct arena *arena, struct str *text)
{
    const char *root = env_get("STINT_SOURCE_ROOT");
    struct error err = {0};
    char path[4096];

    (void)snprintf(path, sizeof path, "%s/%s", root != NULL ? root : ".", name);
    if (fs_read(path, 1 << 20, arena, text, &err))
        return true;
    assert_int_equal(err.kind, ERROR_ABSENT);
    print_message("# SKIPPED: %s is absent\n", path);
    return false;
}

/* Such a file is recognised, and what comes of it is this. */
static inline void check_sample(const struct feed_format *format, const char *name,
                                const char *expected)
{
    struct arena arena = test_arena();
    struct str text;

    if (read_sample(name, &arena, &text)) {
        assert_ptr_equal(feed_format_of(text), format);
        check_feed(format, text, expected);
    }
    arena_free(&arena);
}

#define SAMPLES "../shared/finops/samples/pricing/"
#define ODDITIES "tests/feed/oddities/"

#endif
