/* What is wrong with a price of a feed: it is kept and shown, but not trusted. */
#include <math.h>

#include "base/decimal.h"
#include "market/store_internal.h"

#define NANO 1e9
#define LOWEST (0.01 * NANO) /* an hour of an accelerator: below it is an auction's start */
#define HIGHEST (1000 * NANO)
#define CONFIRMED (INT64_C(7) * 24 * 3600) /* seconds */

/* Amounts of these are near enough to dollars for the bounds above; of yen they are not. */
static bool like_dollars(struct currency currency)
{
    static const struct currency codes[] = {{"USD"}, {"EUR"}, {"GBP"}, {"CHF"},
                                            {"CAD"}, {"AUD"}, {"NZD"}, {"SGD"}};

    for (size_t i = 0; i < ARRAY_LEN(codes); i++)
        if (currency_is(currency, codes[i]))
            return true;
    return false;
}

uint8_t doubts_jump(const struct point *at, size_t len)
{
    int64_t before, now;

    if (len < 2 || at[len - 2].value == SERIES_NONE || at[len - 1].value == SERIES_NONE)
        return 0;
    before = at[len - 2].value;
    now = at[len - 1].value;
    return (wide)now >= (wide)before * 10 || (wide)before >= (wide)now * 10 ? DOUBT_JUMP : 0;
}

/* The on-demand price of the same feed, in the same currency, or SERIES_NONE. */
static int64_t on_demand(const struct series_row *rows, size_t count,
                         const struct series_row *spot)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i].market == MARKET_ON_DEMAND && rows[i].feed == spot->feed &&
            currency_is(rows[i].currency, spot->currency))
            return rows[i].price;
    return SERIES_NONE;
}

/* A feed corrects its mistakes within days: what was confirmed for a week is the price. */
static bool is_jump_doubtful(const struct series_row *row)
{
    return (row->doubts & DOUBT_JUMP) && row->seen - row->since < CONFIRMED;
}

void doubts_set(struct series_row *rows, size_t count, double accelerators)
{
    for (size_t i = 0; i < count; i++) {
        struct series_row *row = &rows[i];
        unsigned doubts = is_jump_doubtful(row) ? DOUBT_JUMP : 0;
        double each = (double)row->price / accelerators;
        int64_t full = SERIES_NONE;

        if (row->price == SERIES_NONE) { /* no price to doubt */
            row->doubts = 0;
            continue;
        }
        if (row->market == MARKET_SPOT)
            full = on_demand(rows, count, row);
        if ((row->flags & QUOTE_FLOOR) != 0 || (like_dollars(row->currency) && each < LOWEST))
            doubts |= DOUBT_FLOOR;
        if (like_dollars(row->currency) && each > HIGHEST)
            doubts |= DOUBT_HIGH;
        if (full != SERIES_NONE && (wide)row->price * 100 > (wide)full * 101)
            doubts |= DOUBT_SPOT_DEAR;
        row->doubts = (uint8_t)doubts;
    }
}
