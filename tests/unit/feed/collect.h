/* collect.h - read a text as a feed and keep the result.
 *
 * A result is checked in two ways: as quotes (`struct collected`), and as its story, a line for
 * each quote and bad row in the order in which they came, and one for how it ended. */
#ifndef TESTS_FEED_COLLECT_H
#define TESTS_FEED_COLLECT_H

#include "test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/fs.h"
#include "base/num.h"
#include "doc/compress.h"
#include "feed/feed.h"
#include "unit/time.h"

#define COLLECT_DAY INT64_C(1787356800) /* 2026-08-22: of quotes without a date */
#define USD(dollars) ((int64_t)llround((dollars)*1e9))
#define ODDITIES "tests/feed/oddities/"
#define OTHERS "$STINT_TEST_DATA/" /* files from other sources, which may be absent */
#define SAMPLES OTHERS "finops/samples/pricing/"

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

/* --- what is read ------------------------------------------------------------------------- */

/* Text that comes in pieces of `piece` bytes (0: as much as is asked for), and may end in an
 * error. */
struct pieces {
    struct str text;
    size_t piece;
    bool failing;
};

static inline ptrdiff_t read_piece(void *ctx, char *to, size_t room, struct error *err)
{
    struct pieces *p = ctx;
    size_t len = p->text.len < room ? p->text.len : room;

    if (len == 0 && p->failing) {
        error_set(err, ERROR_SYSTEM, "the line went dead");
        return -1;
    }
    if (p->piece > 0 && len > p->piece)
        len = p->piece;
    if (len > 0)
        memcpy(to, p->text.at, len);
    p->text.at += len;
    p->text.len -= len;
    return (ptrdiff_t)len;
}

/* The path of a file of the project from its root, or of others below OTHERS. False when that
 * is absent. */
static inline bool file_there(const char *path, struct test_path *full)
{
    const char *root = env_get("STINT_SOURCE_ROOT");

    if (str_starts(str_from(path), STR(OTHERS)))
        return test_data_there(path + strlen(OTHERS), full);
    (void)snprintf(full->text, sizeof full->text, "%s/%s", root != NULL ? root : ".", path);
    return true;
}

/* Its text, unpacked. Without a file of others the test is skipped. */
static inline void file_text(const char *path, struct arena *arena, struct str *text)
{
    struct error err = {0};
    struct test_path full;

    if (!file_there(path, &full))
        test_skip("%s", full.missing);
    if (!fs_read(full.text, (size_t)1 << 28, arena, text, &err) ||
        !unpack_text(text, full.text, (size_t)1 << 30, arena, &err))
        fail_msg("%s", err.text);
}

/* --- the result --------------------------------------------------------------------------- */

struct collected {
    struct arena arena;
    struct quote *quotes;
    size_t len, room;
    size_t bad;                         /* rows that could not be used */
    char first_bad[512], last_bad[512]; /* and why the first and the last could not */
    bool strict;                        /* stop at the first bad row */
    size_t full;                        /* refuse this quote, from 1; 0: none */
    const char *provider; /* of every quote; NULL when the story has it for each */
    struct buf story;     /* ends with a NUL */
    struct feed_summary summary;
    struct error err;
    bool ok;
};

static inline struct collected collected_new(void)
{
    return (struct collected){
        .arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE},
        .story = buf_new(&alloc_system, BUF_MAX_OUTPUT),
        .summary = {.next = buf_new(&alloc_system, 1 << 16)},
    };
}

static inline void collect_free(struct collected *c)
{
    arena_free(&c->arena);
    buf_free(&c->story);
    buf_free(&c->summary.next);
    *c = (struct collected){0};
}

static inline struct str collect_copy(struct collected *c, struct str text)
{
    char *copy = text.len > 0 ? str_dup(text, &c->arena, &c->err) : NULL;

    return (struct str){copy, copy != NULL ? text.len : 0};
}

/* "us-east-1/use1-az6 g5.xlarge A10G x1 gpu_gib=24 vcpus=4 gib=16 spot=0.4 USD
 * 2026-03-01T..." */
static inline void write_quote(struct buf *out, const struct quote *q)
{
    buf_add(out, q->region);
    if (q->zone.len > 0)
        buf_addf(out, "/%.*s", STR_ARG(q->zone));
    buf_addf(out, " %.*s %.*s x", STR_ARG(q->instance), STR_ARG(q->accelerator));
    num_write(q->count, out);
    buf_adds(out, " gpu_gib=");
    num_write(q->gpu_memory_gib, out);
    buf_adds(out, " vcpus=");
    num_write(q->vcpus, out);
    buf_adds(out, " gib=");
    num_write(q->memory_gib, out);
    for (int m = 0; m < MARKET_COUNT; m++)
        if (q->price[m] != PRICE_UNSAID) {
            buf_addf(out, " %s=", market_names[m]);
            if (q->price[m] == PRICE_NONE)
                buf_adds(out, "none");
            else
                nano_write(q->price[m], out);
        }
    if (!isnan(q->reliability)) {
        buf_adds(out, " reliability=");
        num_write(q->reliability, out);
    }
    buf_addf(out, " %s%s ", (q->flags & QUOTE_FLOOR) != 0 ? "from " : "", q->currency.code);
    stamp_write(q->at, out);
    buf_char(out, '\n');
}

static inline void write_end(struct collected *c)
{
    if (!c->ok) {
        assert_int_not_equal(c->err.kind, ERROR_NONE);
        buf_addf(&c->story, "! %s\n", c->err.text);
        buf_char(&c->story, '\0');
        return;
    }
    buf_addf(&c->story, "rows=%d ignored=%d", (int)c->summary.rows, (int)c->summary.ignored);
    if (c->summary.published.s > 0) {
        buf_adds(&c->story, " published=");
        stamp_write(c->summary.published, &c->story);
    }
    if (c->summary.next.len > 0)
        buf_addf(&c->story, " next=%.*s", STR_ARG(buf_text(&c->summary.next)));
    buf_char(&c->story, '\n');
    buf_char(&c->story, '\0');
}

static inline bool collect_quote(void *ctx, const struct quote *quote, struct error *err)
{
    struct collected *c = ctx;
    struct quote *q;

    assert_true(quote->provider.len > 0 && quote->region.len > 0 && quote->instance.len > 0);
    assert_true(quote->accelerator.len > 0 && quote->count > 0);
    if (c->len + 1 == c->full)
        return error_fail(err, ERROR_FAILED, "the store is full");
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
    if (c->provider != NULL)
        assert_str_equal(quote->provider, c->provider);
    else
        buf_addf(&c->story, "%.*s ", STR_ARG(quote->provider));
    write_quote(&c->story, quote);
    return true;
}

static inline bool collect_bad(void *ctx, const struct error *problem)
{
    struct collected *c = ctx;

    assert_int_equal(problem->kind, ERROR_INPUT);
    if (c->bad++ == 0)
        (void)snprintf(c->first_bad, sizeof c->first_bad, "%s", problem->text);
    (void)snprintf(c->last_bad, sizeof c->last_bad, "%s", problem->text);
    if (!c->strict)
        buf_addf(&c->story, "bad: %s\n", problem->text);
    return !c->strict;
}

static inline struct feed_reading reading_of(struct pieces *from, const char *provider,
                                             const struct alloc *alloc,
                                             const struct feed_sink *sink,
                                             struct feed_summary *summary)
{
    return (struct feed_reading){.source = {read_piece, from},
                                 .name = "f",
                                 .provider = str_from(provider),
                                 .date = {COLLECT_DAY},
                                 .known = known,
                                 .alloc = alloc,
                                 .sink = sink,
                                 .summary = summary};
}

/* Read it once. `c` may have been used before; its `strict` and `full` stay. */
static inline bool collect_once(struct collected *c, const struct feed_format *format,
                                const char *provider, struct pieces from,
                                const struct alloc *alloc)
{
    struct feed_sink sink = {collect_quote, collect_bad, c};
    struct feed_reading feed = reading_of(&from, provider, alloc, &sink, &c->summary);
    bool strict = c->strict;
    size_t full = c->full;

    collect_free(c);
    *c = collected_new();
    c->strict = strict;
    c->full = full;
    c->provider = format->provider;
    c->ok = feed_read(format, &feed, &c->err);
    write_end(c);
    assert_int_equal(c->story.failed, ERROR_NONE);
    return c->ok;
}

/* Read it in pieces of many sizes; the result must be the same each time. */
static inline bool collect_text(struct collected *c, const struct feed_format *format,
                                const char *provider, struct str text)
{
    static const size_t sizes[] = {1, 7, 64};
    struct collected at_once = {.strict = c->strict, .full = c->full};

    (void)collect_once(&at_once, format, provider, (struct pieces){.text = text},
                       &alloc_system);
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        (void)collect_once(c, format, provider, (struct pieces){text, sizes[i], false},
                           &alloc_system);
        if (strcmp(c->story.at, at_once.story.at) != 0)
            fail_msg("in pieces of %zu:\n%s-- at once:\n%s", sizes[i], c->story.at,
                     at_once.story.at);
    }
    collect_free(&at_once);
    return c->ok;
}

static inline bool collect(struct collected *c, const struct feed_format *format,
                           const char *provider, const char *text)
{
    return collect_text(c, format, provider, str_from(text));
}

/* Read a file, which must be recognized; see file_text(). */
static inline void collect_file(struct collected *c, const struct feed_format *format,
                                const char *provider, const char *path)
{
    struct arena arena = test_arena();
    struct str text;

    file_text(path, &arena, &text);
    assert_ptr_equal(feed_format_of(text), format);
    (void)collect_text(c, format, provider, text);
    arena_free(&arena);
}

/* For a feed that has a provider and no dates. */
static inline struct collected read_text(const struct feed_format *format, const char *text)
{
    struct collected c = {0};

    (void)collect(&c, format, "", text);
    for (size_t i = 0; i < c.len; i++)
        assert_int_equal(c.quotes[i].at.s, COLLECT_DAY);
    return c;
}

/* The last quote for a machine, which is the valid one. NULL when there is none. */
static inline const struct quote *last_quote(const struct collected *c, const char *region,
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

/* The first quote of this machine and region that has a price for `market`. */
static inline const struct quote *find_quote(const struct collected *c, const char *instance,
                                             const char *region, enum market market)
{
    for (size_t i = 0; i < c->len; i++)
        if (str_eq(c->quotes[i].instance, str_from(instance)) &&
            str_eq(c->quotes[i].region, str_from(region)) &&
            c->quotes[i].price[market] != PRICE_UNSAID)
            return &c->quotes[i];
    return NULL;
}

static inline int64_t price_in(const struct collected *c, const char *instance,
                               const char *region, enum market market)
{
    const struct quote *q = find_quote(c, instance, region, market);

    return q != NULL ? q->price[market] : PRICE_UNSAID;
}

#endif
