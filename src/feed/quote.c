#include "feed/quote.h"

#include <math.h>

#include "base/decimal.h"

#define HIGHEST (INT64_C(1000000) * 1000000000) /* a million an hour */

const char *const market_names[MARKET_COUNT + 1] = {
    "on-demand", "spot", "reserved-1y", "reserved-3y", "savings-1y", "savings-3y", NULL};

struct quote quote_blank(void)
{
    struct quote q = {.count = NAN,
                      .gpu_memory_gib = NAN,
                      .vcpus = NAN,
                      .memory_gib = NAN,
                      .reliability = NAN,
                      .currency = "USD"};

    for (int m = 0; m < MARKET_COUNT; m++)
        q.price[m] = PRICE_UNSAID;
    return q;
}

bool quote_price(struct str text, int64_t *nano)
{
    struct decimal d;
    wide value;

    if (!decimal_parse(text, &d) || d.coefficient < 0)
        return false;
    value = d.coefficient;
    for (int scale = d.scale; scale < 9 && value <= HIGHEST; scale++)
        value *= 10;
    if (d.scale > 9) {
        wide unit = 1;

        for (int scale = d.scale; scale > 9 && unit <= value; scale--)
            unit *= 10;
        value = (value + unit / 2) / unit;
    }
    if (value > HIGHEST)
        return false;
    *nano = (int64_t)value;
    return true;
}
