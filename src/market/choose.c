#include "market/choose.h"

#include <stdlib.h>

#include "base/decimal.h"
#include "unit/time.h"

bool choose_old(const struct market_view *view, stamp seen)
{
    return (int64_t)view->today.n - day_of(seen).n > view->fresh.ns / (24 * SPAN_HOUR);
}

/* The rule: is `a`, of confidence `x`, preferred to `b`, of confidence `y`? */
static bool choose_before(const struct market_view *view, const struct store_series *a,
                          enum confidence x, const struct store_series *b, enum confidence y)
{
    bool a_old = choose_old(view, a->seen), b_old = choose_old(view, b->seen);

    if ((x == CONFIDENCE_PRIVATE) != (y == CONFIDENCE_PRIVATE))
        return x == CONFIDENCE_PRIVATE;
    if (a_old != b_old)
        return b_old;
    if (x != y && !a_old) /* of old prices the newest counts, whatever its source */
        return x < y;
    return a->seen.s > b->seen.s;
}

bool choose_doubted(unsigned doubts)
{
    return (doubts & (DOUBT_FLOOR | DOUBT_JUMP | DOUBT_HIGH)) != 0;
}

/* A price that begins after today is not the one in force: go back to that one. */
static void go_back(const struct market_view *view, const struct store *store, size_t series,
                    struct store_series *s)
{
    struct arena scratch = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct error ignored = {0};
    struct points points;

    if (day_of(s->since).n <= view->today.n ||
        !store_points(store, series, &scratch, &points, &ignored)) {
        arena_free(&scratch);
        return;
    }
    while (points.len > 1 && day_of(points.at[points.len - 1].at).n > view->today.n)
        points.len--;
    if (day_of(points.at[points.len - 1].at).n <= view->today.n) {
        const struct point *now = &points.at[points.len - 1];

        s->price = now->value == SERIES_NONE ? PRICE_NONE : now->value;
        s->since = s->seen = now->at;
        s->doubts &= ~(unsigned)DOUBT_JUMP;
    }
    arena_free(&scratch);
}

/* Can it be shown, if only as an amount that is not believed? */
static bool has_rate(const struct market_view *view, const struct store_series *s)
{
    return s->price == PRICE_NONE ||
           market_in_usd(view->catalog, s->price, s->currency, day_of(s->seen), NULL).nano !=
               MONEY_UNKNOWN;
}

/* 2 for a sound price, 1 for a doubtful one, 0 for one whose currency has no rate. */
static int standing(const struct market_view *view, const struct store_series *s)
{
    if (!has_rate(view, s))
        return 0;
    return choose_doubted(s->doubts) ? 1 : 2;
}

size_t choose_series(const struct market_view *view, const struct store *store,
                     const struct store_offer *offer, enum market market,
                     struct store_series *out)
{
    enum confidence trust = CONFIDENCE_COUNT;
    size_t best = SIZE_MAX;

    int best_standing = 0;

    for (size_t i = offer->first_series; i < offer->first_series + offer->series_count; i++) {
        struct store_series s = store_series(store, i);
        enum confidence c;
        int standing_now;

        if (s.market != market)
            continue;
        go_back(view, store, i, &s);
        c = store_confidence(store, s.feed);
        standing_now = standing(view, &s);
        if (best != SIZE_MAX &&
            (standing_now < best_standing ||
             (standing_now == best_standing && !choose_before(view, &s, c, out, trust))))
            continue;
        *out = s;
        trust = c;
        best = i;
        best_standing = standing_now;
    }
    return best;
}

bool choose_mention(struct chooser *c, usd_per_hour chosen, const struct store_series *s,
                    usd_per_hour price, struct str *conflict, struct error *err)
{
    struct buf text;
    bool ok;

    if (conflict->len > 0 || choose_old(c->view, s->seen) || price.nano < 0 ||
        chosen.nano <= 0 || (wide)llabs(price.nano - chosen.nano) * 100 <= (wide)chosen.nano)
        return true;
    text = buf_new(c->arena->alloc, 256);
    buf_add(&text, c->feeds[s->feed].feed);
    buf_addf(&text, " says %s ", market_names[s->market]);
    usd_per_hour_write(price, &text);
    ok = buf_ok(&text, err);
    if (ok) {
        conflict->at = str_dup(buf_text(&text), c->arena, err);
        conflict->len = conflict->at != NULL ? text.len : 0;
        ok = conflict->at != NULL;
    }
    buf_free(&text);
    return ok;
}

bool choose_price(struct chooser *c, const struct store_offer *o, enum market market,
                  struct choice *out, struct str *conflict, struct error *err)
{
    *out = (struct choice){.price = USD_PER_HOUR_UNKNOWN};
    if (choose_series(c->view, c->store, o, market, &out->series) == SIZE_MAX)
        return true;
    if (choose_doubted(out->series.doubts)) { /* there is no better: not for lists of prices */
        c->counts->doubtful++;
        return true;
    }
    out->found = true;
    out->price = market_in_usd(c->view->catalog, out->series.price, out->series.currency,
                               day_of(out->series.seen), &out->rate);
    for (size_t i = o->first_series; i < o->first_series + o->series_count; i++) {
        struct store_series s = store_series(c->store, i);

        if (s.market == market && s.feed != out->series.feed && s.doubts == 0 &&
            s.price != PRICE_NONE &&
            !choose_mention(
                c, out->price, &s,
                market_in_usd(c->view->catalog, s.price, s.currency, day_of(s.seen), NULL),
                conflict, err))
            return false;
    }
    return true;
}
