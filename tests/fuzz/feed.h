/* feed.h - run a feed's reader over any bytes: whatever comes out is a quote that can be kept, or an
 * error that names the input. */
#ifndef TESTS_FUZZ_FEED_H
#define TESTS_FUZZ_FEED_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "feed/feed.h"

static inline void require(bool fact)
{
    if (!fact)
        abort();
}

static inline void check_number(double n)
{
    require(isnan(n) || (isfinite(n) && n >= 0));
}

static inline bool check_quote(void *ctx, const struct quote *q, struct error *err)
{
    const struct feed_input *input = ctx;

    (void)err;
    require(str_eq(q->provider, input->provider));
    require(q->region.len > 0 && q->instance.len > 0 && q->accelerator.len > 0);
    require(q->count > 0 && isfinite(q->count));
    check_number(q->gpu_memory_gib);
    check_number(q->vcpus);
    check_number(q->memory_gib);
    for (int m = 0; m < MARKET_COUNT; m++)
        require(q->price[m] > 0 || q->price[m] == PRICE_NONE || q->price[m] == PRICE_UNSAID);
    require(currency_known((struct str){q->currency, strlen(q->currency)}));
    return true;
}

static inline bool check_bad(void *ctx, const struct error *problem)
{
    (void)ctx;
    require(problem->kind == ERROR_INPUT && strncmp(problem->text, "fuzz:", 5) == 0);
    return true;
}

struct fuzz_text {
    struct str rest;
    size_t piece;
};

static inline ptrdiff_t fuzz_read(void *ctx, char *to, size_t room, struct error *err)
{
    struct fuzz_text *s = ctx;
    size_t len = s->rest.len < room ? s->rest.len : room;

    (void)err;
    if (len > s->piece)
        len = s->piece;
    if (len > 0)
        memcpy(to, s->rest.at, len);
    s->rest.at += len;
    s->rest.len -= len;
    return (ptrdiff_t)len;
}

/* The first byte chooses the provider and how large the pieces are. */
static inline void fuzz_feed(const struct feed_format *format, const char *const *providers,
                             size_t provider_count, const uint8_t *data, size_t size)
{
    static struct arena facts = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    static struct catalog catalog;
    static struct feed_known *known;
    struct feed_summary summary = {0};
    struct error err = {0};
    struct fuzz_text text;
    struct feed_input input = {.source = {fuzz_read, &text},
                               .name = "fuzz",
                               .date = {1787356800},
                               .alloc = &alloc_system};
    struct feed_sink sink = {check_quote, check_bad, &input};

    if (size == 0 || size > ((size_t)64 << 10))
        return;
    if (known == NULL) {
        require(catalog_load(&catalog, catalog_needs(TABLE_BIT(TABLE_OFFERS)), NULL, 0, &facts,
                             &err));
        known = feed_known_new(&catalog, &facts, &err);
        require(known != NULL);
    }
    input.known = known;
    input.provider = str_from(providers[data[0] % provider_count]);
    text.piece = data[0] >= 128 ? 7 : 4096;
    text.rest = (struct str){(const char *)data + 1, size - 1};
    (void)format->recognise(text.rest);
    if (!format->read(&input, &sink, &summary, &err))
        require(err.kind == ERROR_INPUT && strncmp(err.text, "fuzz:", 5) == 0);
    require(summary.ignored <= summary.rows);
}

#endif
