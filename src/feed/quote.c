#include "feed/quote.h"

#include <math.h>

#include "base/decimal.h"

#define HIGHEST (INT64_C(1000000) * 1000000000) /* a million an hour */

struct quote quote_blank(void)
{
    struct quote q = {.count = NAN,
                      .gpu_memory_gib = NAN,
                      .vcpus = NAN,
                      .memory_gib = NAN,
                      .reliability = NAN,
                      .currency = {"USD"}};

    for (int m = 0; m < MARKET_COUNT; m++)
        q.price[m] = PRICE_UNSAID;
    return q;
}

void quote_machine(struct quote *q, const struct machine *machine)
{
    q->accelerator = machine->accelerator;
    q->count = (double)machine->count;
    q->vcpus = machine->vcpus;
    q->memory_gib = machine->memory_gib;
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

static bool names_good(const struct quote *quote, struct error *err)
{
    const struct str texts[] = {quote->provider, quote->region, quote->zone, quote->instance,
                                quote->accelerator};

    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        if (texts[i].len > QUOTE_TEXT_LONGEST)
            return error_fail(err, ERROR_INPUT, "'%.*s...' is too long for a name",
                              STR_ARG(texts[i]));
    if (quote->provider.len == 0 || quote->region.len == 0 || quote->instance.len == 0)
        return error_fail(err, ERROR_INPUT, "a price names no provider, region or instance");
    return true;
}

static bool is_code(struct currency currency)
{
    for (unsigned i = 0; i < 3; i++)
        if (currency.code[i] < 'A' || currency.code[i] > 'Z')
            return false;
    return currency.code[3] == '\0';
}

/* Not given, or a number of something. */
static bool is_quote_amount(double n)
{
    return isnan(n) || (n >= 0 && isfinite(n));
}

static bool numbers_good(const struct quote *q, struct error *err)
{
    if (!(isnan(q->count) || (q->count >= 1.0 / 1024 && q->count <= QUOTE_COUNT_MOST)))
        return error_fail(err, ERROR_INPUT, "'%.*s' has %g accelerators", STR_ARG(q->instance),
                          q->count);
    if (!is_quote_amount(q->gpu_memory_gib) || !is_quote_amount(q->vcpus) ||
        !is_quote_amount(q->memory_gib) || !is_quote_amount(q->reliability) ||
        q->reliability > 1)
        return error_fail(err, ERROR_INPUT,
                          "'%.*s': its memory, CPUs or reliability are no such numbers",
                          STR_ARG(q->instance));
    return true;
}

static bool prices_good(const struct quote *quote, struct error *err)
{
    if (quote->at.s < 0 || quote->at.s > QUOTE_LATEST)
        return error_fail(err, ERROR_INPUT,
                          "the price of '%.*s' is dated before 1970 or after 9999",
                          STR_ARG(quote->instance));
    if (!is_code(quote->currency))
        return error_fail(err, ERROR_INPUT, "the currency of '%.*s' is not a code like USD",
                          STR_ARG(quote->instance));
    for (unsigned m = 0; m < MARKET_COUNT; m++) {
        int64_t price = quote->price[m];

        if (price != PRICE_UNSAID && price != PRICE_NONE &&
            (price < 0 || price > QUOTE_HIGHEST))
            return error_fail(err, ERROR_INPUT, "the price of '%.*s' is negative or too large",
                              STR_ARG(quote->instance));
    }
    return true;
}

bool quote_good(const struct quote *quote, struct error *err)
{
    return names_good(quote, err) && prices_good(quote, err) && numbers_good(quote, err);
}
