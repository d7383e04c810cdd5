/* feed.h - any bytes are read by a reader of prices: quotes that hold what quote.h says, or an error
 * with a text; whole and in pieces alike. */
#ifndef TESTS_FUZZ_FEED_H
#define TESTS_FUZZ_FEED_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "feed/feed.h"

#define MOST_BYTES ((size_t)64 << 10)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct feed_known *known;

static void require(bool fact)
{
    if (!fact)
        abort();
}

static inline void load_known(void)
{
    static struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    static struct catalog catalog;
    struct error err = {0};

    if (known != NULL)
        return;
    require(
        catalog_load(&catalog, catalog_needs(TABLE_BIT(TABLE_OFFERS)), NULL, 0, &arena, &err));
    known = feed_known_new(&catalog, &arena, &err);
    require(known != NULL);
}

/* What a reading comes to: enough to see a difference. */
struct outcome {
    uint64_t quotes, sum, bad;
    struct error err;
    bool ok;
};

static inline bool take_quote(void *ctx, const struct quote *q, struct error *err)
{
    struct outcome *o = ctx;

    (void)err;
    require(q->provider.len > 0 && q->region.len > 0 && q->instance.len > 0);
    require(q->accelerator.len > 0 && q->count > 0 && isfinite(q->count));
    require(isnan(q->reliability) || (q->reliability >= 0 && q->reliability <= 1));
    require(strlen(q->currency) == 3);
    for (int m = 0; m < MARKET_COUNT; m++) {
        require(q->price[m] > 0 || q->price[m] == PRICE_UNSAID || q->price[m] == PRICE_NONE);
        o->sum = o->sum * 31 + (uint64_t)q->price[m];
    }
    for (size_t i = 0; i < q->instance.len; i++)
        o->sum = o->sum * 31 + (unsigned char)q->instance.at[i];
    o->quotes++;
    return true;
}

static inline bool take_bad(void *ctx, const struct error *problem)
{
    struct outcome *o = ctx;

    require(problem->text[0] != '\0');
    o->bad++;
    return true;
}

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

static inline struct outcome outcome_of(const struct feed_format *format, const char *provider,
                                        struct str text, size_t piece)
{
    struct outcome o = {0};
    struct pieces pieces = {text, piece};
    struct feed_input input = {.source = {read_piece, &pieces},
                               .name = "fuzz",
                               .provider = str_from(provider),
                               .date = {1794700800},
                               .known = known,
                               .alloc = &alloc_system};
    struct feed_sink sink = {take_quote, take_bad, NULL};
    struct feed_summary summary = {.next = buf_new(&alloc_system, MOST_BYTES)};

    sink.ctx = &o;
    o.ok = format->read(&input, &sink, &summary, &o.err);
    require(summary.ignored + o.bad <= summary.rows);
    buf_free(&summary.next);
    return o;
}

static inline int fuzz_feed_of(const struct feed_format *format, const char *provider,
                               const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data, size};
    struct outcome whole, cut;

    if (size > MOST_BYTES)
        return 0;
    load_known();
    whole = outcome_of(format, provider, text, SIZE_MAX);
    cut = outcome_of(format, provider, text, 3);
    require(whole.ok == cut.ok && whole.quotes == cut.quotes && whole.sum == cut.sum);
    require(strcmp(whole.err.text, cut.err.text) == 0);
    require(whole.ok ||
            (whole.err.kind == ERROR_INPUT && strncmp(whole.err.text, "fuzz:", 5) == 0));
    for (size_t i = 0; feed_formats[i] != NULL; i++)
        (void)feed_formats[i]->recognise(text);
    return 0;
}

static inline int fuzz_feed(const struct feed_format *format, const uint8_t *data, size_t size)
{
    return fuzz_feed_of(format, format->provider, data, size);
}

#endif
