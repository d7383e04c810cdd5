/* feed.h - any bytes are read by a reader of prices: quotes that meet the contract of quote.h,
 * or an error with a text; the same at once and in pieces. */
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

/* The result of a reading: every quote and bad row, in order. */
struct outcome {
    const struct feed_format *format;
    struct buf text;
    uint64_t bad;
    struct error err;
    bool ok;
};

/* What else the provider's own lists guarantee. */
static inline bool is_aws(const struct outcome *o)
{
    return o->format->provider != NULL && strcmp(o->format->provider, "aws") == 0;
}

static inline bool take_quote(void *ctx, const struct quote *q, struct error *err)
{
    struct outcome *o = ctx;

    (void)err;
    require(q->provider.len > 0 && q->region.len > 0 && q->instance.len > 0);
    require(o->format->provider == NULL || str_eq(q->provider, str_from(o->format->provider)));
    require(q->accelerator.len > 0 && q->count > 0 && isfinite(q->count));
    require(isnan(q->vcpus) || q->vcpus >= 0);
    require(isnan(q->memory_gib) || q->memory_gib >= 0);
    require(!is_aws(o) || isnan(q->vcpus) || q->vcpus > 0);
    require(isnan(q->reliability) || (q->reliability >= 0 && q->reliability <= 1));
    require(strlen(q->currency.code) == 3 && q->at.s >= 0);
    require(!is_aws(o) || currency_is(q->currency, currency_usd) ||
            currency_is(q->currency, (struct currency){"CNY"}));
    buf_add(&o->text, q->instance);
    buf_add(&o->text, q->region);
    buf_add(&o->text, q->zone);
    for (int m = 0; m < MARKET_COUNT; m++) {
        require(q->price[m] > 0 || q->price[m] == PRICE_UNSAID || q->price[m] == PRICE_NONE);
        require(!is_aws(o) || q->price[m] != PRICE_NONE);
        buf_addf(&o->text, " %lld", (long long)q->price[m]);
    }
    buf_addf(&o->text, " %s %lld\n", q->currency.code, (long long)q->at.s);
    return true;
}

static inline bool take_bad(void *ctx, const struct error *problem)
{
    struct outcome *o = ctx;

    require(problem->kind == ERROR_INPUT && strncmp(problem->text, "fuzz:", 5) == 0);
    buf_addf(&o->text, "%s\n", problem->text);
    o->bad++;
    return true;
}

/* Pieces of 1 to 7 bytes, or all at once. */
struct pieces {
    struct str text;
    unsigned state;
    bool at_once;
};

static inline ptrdiff_t read_piece(void *ctx, char *to, size_t room, struct error *err)
{
    struct pieces *p = ctx;
    size_t len = p->at_once ? room : 1 + p->state % 7;

    (void)err;
    p->state = p->state * 5 + 3;
    len = len < p->text.len ? len : p->text.len;
    len = len < room ? len : room;
    if (len > 0)
        memcpy(to, p->text.at, len);
    p->text.at += len;
    p->text.len -= len;
    return (ptrdiff_t)len;
}

static inline struct outcome outcome_of(const struct feed_format *format, const char *provider,
                                        struct str text, bool at_once)
{
    struct outcome o = {.format = format, .text = buf_new(&alloc_system, BUF_MAX_OUTPUT)};
    struct pieces pieces = {text, 1, at_once};
    struct feed_sink sink = {take_quote, take_bad, NULL};
    struct feed_summary summary = {.next = buf_new(&alloc_system, 1 << 20)};
    struct feed_reading feed = {.source = {read_piece, &pieces},
                                .name = "fuzz",
                                .provider = str_from(provider),
                                .date = {1794700800},
                                .known = known,
                                .alloc = &alloc_system,
                                .sink = &sink,
                                .summary = &summary};

    sink.ctx = &o;
    o.ok = feed_read(format, &feed, &o.err);
    /* A product of AWS's may have several prices, each of them bad. */
    require(summary.ignored + (is_aws(&o) ? 0 : o.bad) <= summary.rows);
    buf_add(&o.text, buf_text(&summary.next));
    buf_free(&summary.next);
    return o;
}

static inline int fuzz_feed_of(const struct feed_format *format, const char *provider,
                               const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data, size};
    struct outcome at_once, cut;

    if (size > MOST_BYTES)
        return 0;
    load_known();
    at_once = outcome_of(format, provider, text, true);
    cut = outcome_of(format, provider, text, false);
    require(at_once.ok == cut.ok && str_eq(buf_text(&at_once.text), buf_text(&cut.text)));
    require(strcmp(at_once.err.text, cut.err.text) == 0);
    require(at_once.ok ||
            (at_once.err.kind == ERROR_INPUT && strncmp(at_once.err.text, "fuzz:", 5) == 0));
    (void)feed_format_of(text);
    buf_free(&at_once.text);
    buf_free(&cut.text);
    return 0;
}

static inline int fuzz_feed(const struct feed_format *format, const uint8_t *data, size_t size)
{
    return fuzz_feed_of(format, format->provider, data, size);
}

#endif
