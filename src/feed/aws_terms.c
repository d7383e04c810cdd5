/* Terms: what a machine costs on demand, and reserved for one year or three. */
#include <string.h>

#include "base/num.h"
#include "feed/aws.h"
#include "unit/time.h"

#define HOURS_PER_YEAR 8760

struct reading {
    struct aws_reader *reader;
    struct json *json;
    bool reserved;
    struct aws_prices *prices;
};

/* One rate of a term. Its price can come before its unit. */
struct rate {
    struct json *json;
    bool hours, quantity,
        starts; /* it is by the hour; for all of the term; from the first unit */
    struct aws_name price;
    char currency[4];
    bool too_long;
};

struct term {
    struct json *json;
    int64_t hourly, fee; /* billionths; PRICE_UNSAID */
    int64_t since;
    int years;        /* 0 when not given, or neither one nor three */
    unsigned upfront; /* as in struct aws_prices; 3 when not given */
    bool standard;    /* not convertible */
    char currency[4];
    struct error problem;
};

struct aws_prices aws_prices_none(void)
{
    struct aws_prices prices = {0};

    for (int term = 0; term < AWS_TERMS; term++)
        prices.of[term].nano = PRICE_UNSAID;
    return prices;
}

/* Dollars, or else yuan: the lists of the Chinese regions have no dollars. */
static enum pull currency_member(void *ctx, struct str key, struct error *err)
{
    struct rate *rate = ctx;
    bool dollars = str_eq(key, STR("USD")), yuan = str_eq(key, STR("CNY"));
    struct str text;

    if (!pull_text(rate->json, &text, err))
        return PULL_FAIL;
    if (!dollars && (!yuan || rate->currency[0] != '\0'))
        return PULL_ON;
    memcpy(rate->currency, dollars ? "USD" : "CNY", sizeof rate->currency);
    rate->too_long = !aws_name_set(&rate->price, text);
    return PULL_ON;
}

static enum pull rate_member(void *ctx, struct str key, struct error *err)
{
    struct rate *rate = ctx;
    bool unit = str_eq(key, STR("unit"));
    struct str text;

    if (str_eq(key, STR("pricePerUnit")))
        return pull_object(rate->json, "'pricePerUnit'", currency_member, rate, err)
                   ? PULL_ON
                   : PULL_FAIL;
    if (!unit && !str_eq(key, STR("beginRange")))
        return json_skip(rate->json, err) ? PULL_ON : PULL_FAIL;
    if (!pull_text(rate->json, &text, err))
        return PULL_FAIL;
    if (unit) {
        rate->hours = str_eq(text, STR("Hrs"));
        rate->quantity = str_eq(text, STR("Quantity"));
    } else {
        rate->starts = text.len == 0 || str_eq(text, STR("0"));
    }
    return PULL_ON;
}

/* A fee is for years: it may be above what quote_price() takes for an hour. */
static bool parse_price(const struct rate *rate, int64_t *nano)
{
    if (rate->too_long)
        return false;
    if (rate->hours)
        return quote_price(aws_name(&rate->price), nano);
    return num_fixed(aws_name(&rate->price), 9, nano) && *nano >= 0;
}

static void add_rate(struct term *term, const struct rate *rate)
{
    int64_t nano;

    if (!rate->starts || !(rate->hours || rate->quantity))
        return;
    if (rate->currency[0] == '\0') {
        error_set(&term->problem, ERROR_INPUT, "a price that is neither in USD nor in CNY");
        return;
    }
    if (!parse_price(rate, &nano)) {
        error_set(&term->problem, ERROR_INPUT, "'%.*s' is not a price",
                  STR_ARG(aws_name(&rate->price)));
        return;
    }
    if (term->currency[0] != '\0' && strcmp(term->currency, rate->currency) != 0)
        error_set(&term->problem, ERROR_INPUT, "one price in %s and %s", term->currency,
                  rate->currency);
    memcpy(term->currency, rate->currency, sizeof term->currency);
    if (rate->hours)
        term->hourly = nano;
    else
        term->fee = nano;
}

static enum pull rates_member(void *ctx, struct str key, struct error *err)
{
    struct term *term = ctx;
    struct rate rate = {.json = term->json, .starts = true}; /* fees have no range */

    (void)key;
    if (!pull_object(term->json, "a price dimension", rate_member, &rate, err))
        return PULL_FAIL;
    add_rate(term, &rate);
    return PULL_ON;
}

static enum pull attribute_member(void *ctx, struct str key, struct error *err)
{
    struct term *term = ctx;
    bool length = str_eq(key, STR("LeaseContractLength")),
         offering = str_eq(key, STR("OfferingClass")),
         purchase = str_eq(key, STR("PurchaseOption"));
    struct str text;

    if (!pull_text(term->json, &text, err))
        return PULL_FAIL;
    if (length)
        term->years = str_eq(text, STR("1yr")) ? 1 : str_eq(text, STR("3yr")) ? 3 : 0;
    if (offering)
        term->standard = str_eq(text, STR("standard"));
    if (purchase)
        term->upfront = str_eq(text, STR("No Upfront"))        ? 0
                        : str_eq(text, STR("Partial Upfront")) ? 1
                        : str_eq(text, STR("All Upfront"))     ? 2
                                                               : 3;
    return PULL_ON;
}

static enum pull term_member(void *ctx, struct str key, struct error *err)
{
    struct term *term = ctx;
    struct str text;
    bool ok;
    stamp since;

    if (str_eq(key, STR("priceDimensions"))) {
        ok = pull_object(term->json, "'priceDimensions'", rates_member, term, err);
    } else if (str_eq(key, STR("termAttributes"))) {
        ok = pull_object(term->json, "'termAttributes'", attribute_member, term, err);
    } else if (str_eq(key, STR("effectiveDate"))) {
        ok = pull_text(term->json, &text, err);
        if (ok &&
            stamp_parse_offset(text, &since)) /* else the term goes behind those with a date */
            term->since = since.s;
    } else {
        ok = json_skip(term->json, err);
    }
    return ok ? PULL_ON : PULL_FAIL;
}

/* What an hour comes to over the term; PRICE_UNSAID when that is not given. */
static int64_t hour_of(const struct term *term)
{
    int64_t hours = (int64_t)term->years * HOURS_PER_YEAR, hourly = term->hourly;

    if (term->upfront == 0 || hours == 0)
        return hourly;
    if (term->upfront == 2 && hourly == PRICE_UNSAID)
        hourly = 0;
    if (hourly == PRICE_UNSAID || term->fee == PRICE_UNSAID)
        return PRICE_UNSAID;
    return term->fee / hours + (term->fee % hours * 2 >= hours) + hourly;
}

/* Take the term's price, if there is none at the same term that goes before it. Nothing upfront
 * goes first: it is the price that an hour has by itself, as all other prices here are. */
static void take(struct aws_prices *prices, const struct term *term)
{
    enum aws_term slot = term->years == 0   ? AWS_ON_DEMAND
                         : term->years == 1 ? AWS_RESERVED_1Y
                                            : AWS_RESERVED_3Y;
    int64_t nano = hour_of(term);

    if (nano == PRICE_UNSAID || nano == 0) /* AWS writes 0 for what is not sold this way */
        return;
    if (prices->of[slot].nano != PRICE_UNSAID &&
        (term->upfront > prices->of[slot].upfront ||
         (term->upfront == prices->of[slot].upfront && term->since <= prices->of[slot].since)))
        return;
    prices->of[slot].nano = nano;
    prices->of[slot].since = term->since;
    prices->of[slot].upfront = term->upfront;
    memcpy(prices->currency, term->currency, sizeof prices->currency);
}

static enum pull terms_member(void *ctx, struct str key, struct error *err)
{
    struct reading *r = ctx;
    struct term term = {.json = r->json, .upfront = r->reserved ? 3 : 0};

    (void)key;
    term.hourly = term.fee = PRICE_UNSAID;
    if (!pull_object(r->json, "a term", term_member, &term, err))
        return PULL_FAIL;
    if (r->reserved && (!term.standard || term.years == 0 || term.upfront == 3))
        return PULL_ON;
    if (!r->reserved)
        term.years = 0, term.upfront = 0; /* whatever its attributes say */
    if (term.problem.kind == ERROR_NONE && r->prices->currency[0] != '\0' &&
        term.currency[0] != '\0' && strcmp(r->prices->currency, term.currency) != 0)
        error_set(&term.problem, ERROR_INPUT, "prices in %s and %s", r->prices->currency,
                  term.currency);
    if (term.problem.kind != ERROR_NONE)
        return aws_bad(r->reader, &term.problem, err) ? PULL_ON : PULL_FAIL;
    take(r->prices, &term);
    return PULL_ON;
}

bool aws_read_terms(struct aws_reader *r, struct json *json, bool reserved,
                    struct aws_prices *prices, struct error *err)
{
    struct reading reading = {r, json, reserved, prices};

    return pull_object(json, "the terms of a product", terms_member, &reading, err);
}
