/* feed.h - run a feed's reader over any bytes: whatever comes out is a quote that can be kept, or an
 * error that names the input. */
/* feed.h - any bytes are read by a reader of prices: quotes that hold what quote.h says, or an error
 * with a text; whole and in pieces alike. */
#ifndef TESTS_FUZZ_FEED_H
#define TESTS_FUZZ_FEED_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "feed/feed.h"

static inline void require(bool fact)
#define MOST_BYTES ((size_t)64 << 10)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct feed_known *known;

static void require(bool fact)
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

static inline struct outcome outcome_of(const struct feed_format *format, struct str text,
                                        size_t piece)
{
    struct outcome o = {0};
    struct pieces pieces = {text, piece};
    struct feed_input input = {.source = {read_piece, &pieces},
                               .name = "fuzz",
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

static inline int fuzz_feed(const struct feed_format *format, const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data, size};
    struct outcome whole, cut;

    if (size > MOST_BYTES)
        return 0;
    load_known();
    whole = outcome_of(format, text, SIZE_MAX);
    cut = outcome_of(format, text, 3);
    require(whole.ok == cut.ok && whole.quotes == cut.quotes && whole.sum == cut.sum);
    require(strcmp(whole.err.text, cut.err.text) == 0);
    require(whole.ok ||
            (whole.err.kind == ERROR_INPUT && strncmp(whole.err.text, "fuzz:", 5) == 0));
    for (size_t i = 0; feed_formats[i] != NULL; i++)
        (void)feed_formats[i]->recognise(text);
    return 0;
}

#endif
