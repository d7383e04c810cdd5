/* checks.h - what every reader of a feed must handle: pieces, cuts, out of memory, a sink that
 * refuses. */
#ifndef TESTS_FEED_CHECKS_H
#define TESTS_FEED_CHECKS_H

#include "collect.h"

/* The story is this. */
static inline void check_collected(struct collected *c, const char *expected)
{
    if (strcmp(c->story.at, expected) != 0)
        fail_msg("%s-- expected:\n%s", c->story.at, expected);
    collect_free(c);
}

static inline void check_story(const struct feed_format *format, const char *provider,
                               struct str text, const char *expected)
{
    struct collected c = {0};

    (void)collect_text(&c, format, provider, text);
    check_collected(&c, expected);
}

static inline void check_file(const struct feed_format *format, const char *provider,
                              const char *path, const char *expected)
{
    struct collected c = {0};

    collect_file(&c, format, provider, path);
    check_collected(&c, expected);
}

/* Every prefix of a good text is refused, with one line that names it: a truncated file is
 * never read as a complete one. A table of rows has no end mark: with `rows` a prefix may be
 * good. */
static inline void check_cut(const struct feed_format *format, const char *provider,
                             struct str text, bool rows)
{
    struct collected c = {0};

    for (size_t len = 0; len < text.len; len++) {
        bool ok = collect_once(&c, format, provider, (struct pieces){{text.at, len}, 7, false},
                               &alloc_system);

        assert_true(!ok || rows);
        if (!ok) {
            assert_int_equal(c.err.kind, ERROR_INPUT);
            assert_memory_equal(c.err.text, "f:", 2);
        }
    }
    collect_free(&c);
}

/* Fail every allocation in turn: nothing leaks, the error is out of memory, and finally the
 * story is the usual one. */
static inline void check_memory(const struct feed_format *format, const char *provider,
                                struct str text)
{
    struct collected good = {0}, c = {0};
    size_t allow = 0;

    (void)collect_once(&good, format, provider, (struct pieces){.text = text}, &alloc_system);
    assert_true(good.ok);
    for (; !c.ok; allow++) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &failing};

        assert_true(allow < 10000);
        (void)collect_once(&c, format, provider, (struct pieces){text, 64, false}, &alloc);
        assert_true(c.ok || c.err.kind == ERROR_MEMORY);
        assert_int_equal(failing.held, 0);
    }
    assert_true(allow > 2);
    assert_string_equal(c.story.at, good.story.at);
    collect_free(&c);
    collect_free(&good);
}

/* A sink that refuses a quote: its message is the error. */
static inline void check_sink(const struct feed_format *format, const char *provider,
                              struct str text)
{
    struct collected c = {.full = 1};

    assert_false(collect_text(&c, format, provider, text));
    assert_string_equal(c.err.text, "the store is full");
    collect_free(&c);
}

/* A sink that accepts no bad row: the row's problem is the error. */
static inline void check_strict(const struct feed_format *format, const char *provider,
                                struct str text, const char *expected)
{
    struct collected c = {.strict = true};

    assert_false(collect_text(&c, format, provider, text));
    assert_string_equal(c.err.text, expected);
    collect_free(&c);
}

#endif
