/* clouds.h - readers of JSON answers under test: what they give, whole and byte by byte. */
#ifndef TESTS_UNIT_FEED_CLOUDS_H
#define TESTS_UNIT_FEED_CLOUDS_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"

#include "base/fs.h"
#include "feed/feed.h"

#define SEEN_MOST 4096
#define TODAY ((stamp){1794700800}) /* 2026-11-15 */
#define USD(dollars) ((int64_t)llround((dollars)*1e9))

/* A quote with texts of its own. */
struct seen {
    struct quote q;
    char text[5][128];
};

/* One reading, and what it gave. */
struct got {
    struct seen *at;
    size_t count, bad;
    char problem[512]; /* the last bad row */
    struct feed_summary summary;
    struct error err;
    bool ok;
};

static struct arena known_arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
static struct feed_known *known;

static inline int load_known(void **state)
{
    static struct catalog catalog;
    struct error err = {0};

    (void)state;
    assert_true(catalog_load(&catalog, catalog_needs(TABLE_BIT(TABLE_OFFERS)), NULL, 0,
                             &known_arena, &err));
    known = feed_known_new(&catalog, &known_arena, &err);
    assert_non_null(known);
    return 0;
}

static inline int free_known(void **state)
{
    (void)state;
    arena_free(&known_arena);
    return 0;
}

static inline struct str keep_text(char room[128], struct str text)
{
    assert_true(text.len < 128);
    if (text.len > 0)
        memcpy(room, text.at, text.len);
    room[text.len] = '\0';
    return (struct str){room, text.len};
}

static inline bool see_quote(void *ctx, const struct quote *quote, struct error *err)
{
    struct got *got = ctx;
    struct seen *seen = &got->at[got->count];

    (void)err;
    assert_true(got->count < SEEN_MOST);
    got->count++;
    seen->q = *quote;
    seen->q.provider = keep_text(seen->text[0], quote->provider);
    seen->q.region = keep_text(seen->text[1], quote->region);
    seen->q.instance = keep_text(seen->text[2], quote->instance);
    seen->q.accelerator = keep_text(seen->text[3], quote->accelerator);
    seen->q.zone = keep_text(seen->text[4], quote->zone);
    assert_true(seen->q.region.len > 0 && seen->q.instance.len > 0 && seen->q.count > 0);
    assert_int_equal(seen->q.at.s, TODAY.s);
    return true;
}

static inline bool see_bad(void *ctx, const struct error *problem)
{
    struct got *got = ctx;

    got->bad++;
    (void)snprintf(got->problem, sizeof got->problem, "%s", problem->text);
    return true;
}

/* A text in pieces of `piece` bytes. */
struct pieces {
    struct str text;
    size_t piece;
};

static inline ptrdiff_t read_piece(void *ctx, char *to, size_t room, struct error *err)
{
    struct pieces *p = ctx;
    size_t len = p->piece < p->text.len ? p->piece : p->text.len;

    (void)err;
    len = len < room ? len : room;
    if (len > 0)
        memcpy(to, p->text.at, len);
    p->text.at += len;
    p->text.len -= len;
    return (ptrdiff_t)len;
}

static inline void forget(struct got *got)
{
    free(got->at);
    buf_free(&got->summary.next);
    *got = (struct got){0};
}

static inline struct got read_pieces(const struct feed_format *format, struct str text,
                                     size_t piece)
{
    struct got got = {.at = calloc(SEEN_MOST, sizeof(struct seen)),
                      .summary = {.next = buf_new(&alloc_system, 1 << 16)}};
    struct pieces pieces = {text, piece};
    struct feed_input input = {.source = {read_piece, &pieces},
                               .name = "f.json",
                               .date = TODAY,
                               .known = known,
                               .alloc = &alloc_system};
    struct feed_sink sink = {see_quote, see_bad, NULL};

    assert_non_null(got.at);
    sink.ctx = &got;
    got.ok = format->read(&input, &sink, &got.summary, &got.err);
    return got;
}

/* Whole and byte by byte: the same quotes, or the same error. */
static inline struct got read_text(const struct feed_format *format, const char *text)
{
    struct got got = read_pieces(format, str_from(text), SIZE_MAX),
               again = read_pieces(format, str_from(text), 1);

    assert_int_equal(got.ok, again.ok);
    assert_int_equal(got.count, again.count);
    assert_int_equal(got.bad, again.bad);
    assert_int_equal(got.summary.rows, again.summary.rows);
    assert_int_equal(got.summary.ignored, again.summary.ignored);
    assert_string_equal(got.err.text, again.err.text);
    for (size_t i = 0; i < got.count; i++)
        assert_memory_equal(got.at[i].q.price, again.at[i].q.price, sizeof got.at[i].q.price);
    forget(&again);
    return got;
}

/* The quote of this machine and region in which `market` is said; the first of several. */
static inline const struct quote *find_quote(const struct got *got, const char *instance,
                                             const char *region, enum market market)
{
    for (size_t i = 0; i < got->count; i++)
        if (str_eq(got->at[i].q.instance, str_from(instance)) &&
            str_eq(got->at[i].q.region, str_from(region)) &&
            got->at[i].q.price[market] != PRICE_UNSAID)
            return &got->at[i].q;
    return NULL;
}

static inline int64_t price_in(const struct got *got, const char *instance, const char *region,
                               enum market market)
{
    const struct quote *q = find_quote(got, instance, region, market);

    return q != NULL ? q->price[market] : PRICE_UNSAID;
}

/* A file below the repository's folder. NULL, said aloud, when it is absent. */
static inline const char *file_text(const char *path)
{
    const char *root = env_get("STINT_SOURCE_ROOT");
    struct error err = {0};
    struct str text;
    char full[512];

    (void)snprintf(full, sizeof full, "%s/%s", root != NULL ? root : ".", path);
    if (!fs_exists(full)) {
        print_message("# SKIPPED: there is no %s\n", full);
        return NULL;
    }
    assert_true(fs_read(full, 1 << 20, &known_arena, &text, &err));
    return str_dup(text, &known_arena, &err);
}

/* Every start of a text is refused with one line that names the file, or is a whole answer. */
static inline void check_truncated(const struct feed_format *format, const char *text)
{
    size_t len = strlen(text);

    for (size_t cut = 0; cut < len; cut++) {
        struct got got = read_pieces(format, (struct str){text, cut}, 7);

        if (!got.ok) {
            assert_int_equal(got.err.kind, ERROR_INPUT);
            assert_memory_equal(got.err.text, "f.json:", 7);
        }
        forget(&got);
    }
}

/* Out of memory at every place: a clean failure, nothing kept. */
static inline void check_memory(const struct feed_format *format, const char *text)
{
    bool ok = false;

    for (size_t allow = 0; !ok && allow < 10000; allow++) {
        struct failing_alloc state = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &state};
        struct got got = {.at = calloc(SEEN_MOST, sizeof(struct seen)),
                          .summary = {.next = buf_new(&alloc_system, 1 << 16)}};
        struct pieces pieces = {str_from(text), 100};
        struct feed_input input = {{read_piece, &pieces}, "f.json", {0}, TODAY, known, &alloc};
        struct feed_sink sink = {see_quote, see_bad, &got};

        ok = format->read(&input, &sink, &got.summary, &got.err);
        assert_true(ok || got.err.kind == ERROR_MEMORY);
        assert_int_equal(state.held, 0);
        forget(&got);
    }
    assert_true(ok);
}

#endif
