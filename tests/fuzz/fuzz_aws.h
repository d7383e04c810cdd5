/* fuzz_aws.h - any bytes, read as an AWS feed: good quotes or an error with a text, and the same whether
 * the bytes come at once or in pieces. */
#ifndef TESTS_FUZZ_FUZZ_AWS_H
#define TESTS_FUZZ_FUZZ_AWS_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "feed/feed.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void require(bool fact)
{
    if (!fact)
        abort();
}

static inline struct feed_known *load_known(void)
{
    static struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    static struct catalog catalog;
    static struct feed_known *known;
    struct error err = {0};

    if (known == NULL) {
        require(catalog_load(&catalog, TABLE_BIT(TABLE_OFFERS), NULL, 0, &arena, &err));
        known = feed_known_new(&catalog, &arena, &err);
        require(known != NULL);
    }
    return known;
}

/* Pieces of 1 to 7 bytes, or all at once. */
struct pieces {
    struct str text;
    unsigned state;
    bool whole;
};

static inline ptrdiff_t read_piece(void *ctx, char *to, size_t room, struct error *err)
{
    struct pieces *p = ctx;
    size_t len = p->whole ? room : 1 + p->state % 7;

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

static inline bool hear_quote(void *ctx, const struct quote *q, struct error *err)
{
    struct buf *out = ctx;

    (void)err;
    require(str_eq(q->provider, STR("aws")) && q->region.len > 0 && q->instance.len > 0 &&
            q->accelerator.len > 0);
    require(isfinite(q->count) && q->count > 0 && q->at.s >= 0);
    require(isnan(q->vcpus) || q->vcpus > 0);
    require(isnan(q->memory_gib) || q->memory_gib >= 0);
    require(strcmp(q->currency, "USD") == 0 || strcmp(q->currency, "CNY") == 0);
    buf_add(out, q->instance);
    buf_add(out, q->region);
    buf_add(out, q->zone);
    for (int m = 0; m < MARKET_COUNT; m++) {
        require(q->price[m] == PRICE_UNSAID || q->price[m] > 0);
        buf_addf(out, " %lld", (long long)q->price[m]);
    }
    buf_addf(out, " %lld\n", (long long)q->at.s);
    return true;
}

static inline bool hear_bad(void *ctx, const struct error *problem)
{
    require(problem->kind == ERROR_INPUT && strncmp(problem->text, "f:", 2) == 0);
    buf_addf(ctx, "%s\n", problem->text);
    return true;
}

static inline bool hear(const struct feed_format *format, struct str text, bool whole,
                        struct buf *out, struct error *err)
{
    struct pieces pieces = {text, 1, whole};
    struct feed_sink sink = {hear_quote, hear_bad, out};
    struct feed_input input = {.source = {read_piece, &pieces},
                               .name = "f",
                               .date = {1},
                               .known = load_known(),
                               .alloc = &alloc_system};
    struct feed_summary summary = {.next = buf_new(&alloc_system, 1 << 20)};
    bool ok;

    *out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    ok = format->read(&input, &sink, &summary, err);
    require(summary.ignored <= summary.rows);
    buf_add(out, buf_text(&summary.next));
    buf_free(&summary.next);
    return ok;
}

static inline void check_feed(const struct feed_format *format, struct str text)
{
    struct error a = {0}, b = {0};
    struct buf one, other;
    bool ok = hear(format, text, true, &one, &a);

    require(hear(format, text, false, &other, &b) == ok);
    require(str_eq(buf_text(&one), buf_text(&other)));
    require(strcmp(a.text, b.text) == 0);
    require(ok || (a.kind == ERROR_INPUT && strncmp(a.text, "f:", 2) == 0));
    buf_free(&one);
    buf_free(&other);
}

#endif
