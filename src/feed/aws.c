/* Products and terms of AWS's price lists. */
#include "feed/aws.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "unit/time.h"

bool aws_bad(struct aws_reader *r, struct error *problem, struct error *err)
{
    uint64_t line = r->json != NULL ? json_line(r->json) : r->line;

    r->refused = !feed_bad(r->feed, line, problem, err);
    return !r->refused;
}

bool aws_name_set(struct aws_name *name, struct str text)
{
    if (text.len > sizeof name->at)
        return false;
    if (text.len > 0)
        memcpy(name->at, text.at, text.len);
    name->len = (unsigned char)text.len;
    return true;
}

struct str aws_name(const struct aws_name *name)
{
    return (struct str){name->at, name->len};
}

bool aws_published(struct json *lines, struct str text, stamp *out, struct error *err)
{
    if (stamp_parse_offset(text, out))
        return true;
    error_set(err, ERROR_INPUT, "line %" PRIu64 ": publicationDate: '%.*s' is not a moment",
              json_line(lines), STR_ARG(text));
    error_hint(err, "AWS writes 2026-03-01T00:00:00Z");
    return false;
}

/* ---- products: which are machines with accelerators, by the hour, as one would rent them
 * ---- */

#define MOST_GPUS 1024.0

/* What an attribute must be, as AWS writes it. A product with another value is left at
 * once. */
static const struct rule {
    struct str name, value;
} rules[] = {
    {{"locationType", 12}, {"AWS Region", 10}}, /* not a local zone, not a wavelength zone */
    {{"tenancy", 7}, {"Shared", 6}},
    {{"operatingSystem", 15}, {"Linux", 5}},
    {{"capacitystatus", 14}, {"Used", 4}},
    {{"preInstalledSw", 14}, {"NA", 2}},
    {{"marketoption", 12},
     {"OnDemand", 8}}, /* not a capacity block. Old files do not have it */
};

#define ALL_RULES ((1u << ARRAY_LEN(rules)) - 1)
#define MARKET_RULE (1u << (ARRAY_LEN(rules) - 1))

struct product_reading {
    struct json *json;
    struct aws_product *product;
};

/* "16 GiB", "1,152 GiB", "640 GB HBM3": by GB AWS means GiB. NaN when it is anything else. */
static double parse_gib(struct str text)
{
    struct str number = str_cut(&text, ' '), unit = str_cut(&text, ' ');
    char digits[24];
    size_t len = 0;
    double value;

    for (size_t i = 0; i < number.len && len < sizeof digits; i++)
        if (number.at[i] != ',')
            digits[len++] = number.at[i];
    if (!num_double((struct str){digits, len}, &value) || !(value >= 0))
        return NAN;
    if (str_eq(unit, STR("GiB")) || str_eq(unit, STR("GB")))
        return value;
    return str_eq(unit, STR("TiB")) || str_eq(unit, STR("TB")) ? value * 1024 : NAN;
}

static void set_product_name(struct aws_product *p, struct aws_name *name, const char *what,
                             struct str text)
{
    if (!aws_name_set(name, text))
        error_set(&p->problem, ERROR_INPUT, "%s '%.*s' is longer than %d bytes", what,
                  STR_ARG(text), AWS_NAME_ROOM);
}

static void set_gpus(struct aws_product *p, struct str text)
{
    if (text.len == 0 || str_eq(text, STR("NA")))
        return;
    if (!num_double(text, &p->gpus) || !(p->gpus >= 0 && p->gpus <= MOST_GPUS)) {
        p->gpus = NAN;
        error_set(&p->problem, ERROR_INPUT, "gpu: '%.*s' is not a number of GPUs",
                  STR_ARG(text));
    }
}

static void set_product_fact(struct aws_product *p, struct str key, struct str text)
{
    if (str_eq(key, STR("instanceType")))
        set_product_name(p, &p->instance, "instanceType", text);
    else if (str_eq(key, STR("regionCode")))
        set_product_name(p, &p->region, "regionCode", text);
    else if (str_eq(key, STR("gpu")))
        set_gpus(p, text);
    else if (str_eq(key, STR("gpuMemory")))
        p->gpu_memory_gib = parse_gib(text);
    else if (str_eq(key, STR("memory")))
        p->memory_gib = parse_gib(text);
    else if (!num_double(text, &p->vcpus) || !(p->vcpus > 0))
        p->vcpus = NAN;
}

/* The attributes that are looked at, by the length of their names, which distinguishes most of
 * the others apart at no cost. */
static bool is_fact(struct str key)
{
    switch (key.len) {
    case 3:
        return str_eq(key, STR("gpu"));
    case 4:
        return str_eq(key, STR("vcpu"));
    case 6:
        return str_eq(key, STR("memory"));
    case 9:
        return str_eq(key, STR("gpuMemory"));
    case 10:
        return str_eq(key, STR("regionCode"));
    case 12:
        return str_eq(key, STR("instanceType"));
    default:
        return false;
    }
}

static bool read_aws_attribute(void *ctx, const struct json_token *key, struct error *err)
{
    struct product_reading *r = ctx;
    struct aws_product *p = r->product;
    char name[16] = {0};
    struct str text, is = {name, key->text.len};

    for (size_t i = 0; i < ARRAY_LEN(rules); i++) {
        if (!str_eq(key->text, rules[i].name))
            continue;
        if (!pull_text(r->json, &text, err))
            return false;
        p->unwanted = !str_eq(text, rules[i].value);
        p->followed |= 1u << i;
        return true;
    }
    if (!is_fact(key->text))
        return json_skip(r->json, err);
    memcpy(name, key->text.at, is.len); /* which the value is read over */
    if (!pull_text(r->json, &text, err))
        return false;
    set_product_fact(p, is, text);
    return true;
}

static bool read_aws_member(void *ctx, const struct json_token *key, struct error *err)
{
    struct product_reading *r = ctx;
    struct aws_product *p = r->product;
    struct str text;

    if (str_eq(key->text, STR("attributes")))
        return pull_object_until(r->json, "'attributes'", read_aws_attribute, r, &p->unwanted,
                                 err);
    if (!str_eq(key->text, STR("productFamily")))
        return json_skip(r->json, err);
    if (!pull_text(r->json, &text, err))
        return false;
    p->unwanted = !str_starts(text, STR("Compute Instance")); /* also "(bare metal)" */
    return true;
}

bool aws_read_product(struct json *json, struct aws_product *product, struct error *err)
{
    struct product_reading r = {json, product};

    product->unwanted = false;
    product->followed = 0;
    product->instance.len = product->region.len = 0;
    product->gpus = product->gpu_memory_gib = product->vcpus = product->memory_gib = NAN;
    product->problem.kind = ERROR_NONE;
    if (!pull_object_until(json, "a product", read_aws_member, &r, &product->unwanted, err))
        return false;
    product->unwanted |= (product->followed | MARKET_RULE) != ALL_RULES;
    return true;
}

/* Of the accelerators of a machine that the catalog does not have: those of its family, if it
 * has another size of it. */
static struct str family_accelerator(struct feed_known *known, struct str instance)
{
    const struct machine *const *offers;
    struct str rest = instance, family = str_cut(&rest, '.'), found = {0};
    size_t count;

    feed_machines(known, STR("aws"), &offers, &count);
    for (size_t i = 0; i < count; i++) {
        struct str other = offers[i]->instance;

        if (!str_eq(str_cut(&other, '.'), family))
            continue;
        if (found.len > 0 && !str_eq(found, offers[i]->accelerator))
            return (struct str){0};
        found = offers[i]->accelerator;
    }
    return found;
}

/* The file has it for one accelerator or for all together, and not which. */
static double memory_of_one(double given, double count, const struct accelerator *a)
{
    if (count == 1)
        return given;
    if (a == NULL || isnan(a->memory_gb))
        return NAN;
    if (fabs(given - a->memory_gb) <= 0.1 * a->memory_gb)
        return given;
    if (fabs(given - a->memory_gb * count) <= 0.1 * a->memory_gb * count)
        return given / count;
    return NAN;
}

bool aws_product_machine(struct aws_product *product, struct feed_known *known,
                         struct aws_machine *machine)
{
    const struct accelerator *accelerator = NULL;
    const struct machine *offer;

    if (product->unwanted)
        return false;
    offer = feed_machine(known, STR("aws"), aws_name(&product->instance));
    if (offer == NULL && !(product->gpus > 0)) /* NaN compares false */
        return false;
    if (product->problem.kind == ERROR_NONE &&
        (product->instance.len == 0 || product->region.len == 0))
        error_set(&product->problem, ERROR_INPUT, "a machine without its %s",
                  product->instance.len == 0 ? "instanceType" : "regionCode");
    if (product->problem.kind != ERROR_NONE)
        return false;
    *machine = (struct aws_machine){
        .instance = product->instance, .region = product->region, .prices = aws_prices_none()};
    /* The file has no name for the accelerators, and of AWS's own chips not even their
     * number. */
    machine->accelerator = offer != NULL
                               ? offer->accelerator
                               : family_accelerator(known, aws_name(&product->instance));
    machine->count = offer != NULL ? (double)offer->count : product->gpus;
    machine->vcpus = isnan(product->vcpus) && offer != NULL ? offer->vcpus : product->vcpus;
    machine->memory_gib =
        isnan(product->memory_gib) && offer != NULL ? offer->memory_gib : product->memory_gib;
    if (machine->accelerator.len > 0)
        accelerator = feed_accelerator(known, machine->accelerator, NAN);
    machine->gpu_memory_gib =
        memory_of_one(product->gpu_memory_gib, machine->count, accelerator);
    return true;
}

/* ---- terms: what a machine costs on demand, and reserved for one year or three ---- */

#define HOURS_PER_YEAR 8760

struct terms_reading {
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
    struct currency currency;
    bool too_long;
};

struct term {
    struct json *json;
    int64_t hourly, fee; /* billionths; PRICE_UNSAID */
    int64_t since;
    int years;        /* 0 when not given, or neither one nor three */
    unsigned upfront; /* as in struct aws_prices; 3 when not given */
    bool standard;    /* not convertible */
    struct currency currency;
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
static bool currency_member(void *ctx, const struct json_token *key, struct error *err)
{
    struct rate *rate = ctx;
    bool dollars = str_eq(key->text, STR("USD")), yuan = str_eq(key->text, STR("CNY"));
    struct str text;

    if (!pull_text(rate->json, &text, err))
        return false;
    if (!dollars && (!yuan || !currency_unset(rate->currency)))
        return true;
    rate->currency = dollars ? currency_usd : (struct currency){"CNY"};
    rate->too_long = !aws_name_set(&rate->price, text);
    return true;
}

static bool rate_member(void *ctx, const struct json_token *key, struct error *err)
{
    struct rate *rate = ctx;
    bool unit = str_eq(key->text, STR("unit"));
    struct str text;

    if (str_eq(key->text, STR("pricePerUnit")))
        return pull_object(rate->json, "'pricePerUnit'", currency_member, rate, err);
    if (!unit && !str_eq(key->text, STR("beginRange")))
        return json_skip(rate->json, err);
    if (!pull_text(rate->json, &text, err))
        return false;
    if (unit) {
        rate->hours = str_eq(text, STR("Hrs"));
        rate->quantity = str_eq(text, STR("Quantity"));
    } else {
        rate->starts = text.len == 0 || str_eq(text, STR("0"));
    }
    return true;
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

static void add_term_rate(struct term *term, const struct rate *rate)
{
    int64_t nano;

    if (!rate->starts || !(rate->hours || rate->quantity))
        return;
    if (currency_unset(rate->currency)) {
        error_set(&term->problem, ERROR_INPUT, "a price that is neither in USD nor in CNY");
        return;
    }
    if (!parse_price(rate, &nano)) {
        error_set(&term->problem, ERROR_INPUT, "'%.*s' is not a price",
                  STR_ARG(aws_name(&rate->price)));
        return;
    }
    if (!currency_unset(term->currency) && !currency_is(term->currency, rate->currency))
        error_set(&term->problem, ERROR_INPUT, "one price in %s and %s", term->currency.code,
                  rate->currency.code);
    term->currency = rate->currency;
    if (rate->hours)
        term->hourly = nano;
    else
        term->fee = nano;
}

static bool rates_member(void *ctx, const struct json_token *key, struct error *err)
{
    struct term *term = ctx;
    struct rate rate = {.json = term->json, .starts = true}; /* fees have no range */

    (void)key;
    if (!pull_object(term->json, "a price dimension", rate_member, &rate, err))
        return false;
    add_term_rate(term, &rate);
    return true;
}

static bool attribute_member(void *ctx, const struct json_token *key, struct error *err)
{
    struct term *term = ctx;
    bool length = str_eq(key->text, STR("LeaseContractLength")),
         offering = str_eq(key->text, STR("OfferingClass")),
         purchase = str_eq(key->text, STR("PurchaseOption"));
    struct str text;

    if (!pull_text(term->json, &text, err))
        return false;
    if (length)
        term->years = str_eq(text, STR("1yr")) ? 1 : str_eq(text, STR("3yr")) ? 3 : 0;
    if (offering)
        term->standard = str_eq(text, STR("standard"));
    if (purchase)
        term->upfront = str_eq(text, STR("No Upfront"))        ? 0
                        : str_eq(text, STR("Partial Upfront")) ? 1
                        : str_eq(text, STR("All Upfront"))     ? 2
                                                               : 3;
    return true;
}

static bool term_member(void *ctx, const struct json_token *key, struct error *err)
{
    struct term *term = ctx;
    struct str text;
    stamp since;

    if (str_eq(key->text, STR("priceDimensions")))
        return pull_object(term->json, "'priceDimensions'", rates_member, term, err);
    if (str_eq(key->text, STR("termAttributes")))
        return pull_object(term->json, "'termAttributes'", attribute_member, term, err);
    if (!str_eq(key->text, STR("effectiveDate")))
        return json_skip(term->json, err);
    if (!pull_text(term->json, &text, err))
        return false;
    if (stamp_parse_offset(text, &since)) /* else the term goes behind those with a date */
        term->since = since.s;
    return true;
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
static void take_term(struct aws_prices *prices, const struct term *term)
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
    prices->currency = term->currency;
}

static bool terms_member(void *ctx, const struct json_token *key, struct error *err)
{
    struct terms_reading *r = ctx;
    struct term term = {.json = r->json, .upfront = r->reserved ? 3 : 0};

    (void)key;
    term.hourly = term.fee = PRICE_UNSAID;
    if (!pull_object(r->json, "a term", term_member, &term, err))
        return false;
    if (r->reserved && (!term.standard || term.years == 0 || term.upfront == 3))
        return true;
    if (!r->reserved)
        term.years = 0, term.upfront = 0; /* whatever its attributes are */
    if (term.problem.kind == ERROR_NONE && !currency_unset(r->prices->currency) &&
        !currency_unset(term.currency) && !currency_is(r->prices->currency, term.currency))
        error_set(&term.problem, ERROR_INPUT, "prices in %s and %s", r->prices->currency.code,
                  term.currency.code);
    if (term.problem.kind != ERROR_NONE)
        return aws_bad(r->reader, &term.problem, err);
    take_term(r->prices, &term);
    return true;
}

bool aws_read_terms(struct aws_reader *r, struct json *json, bool reserved,
                    struct aws_prices *prices, struct error *err)
{
    struct terms_reading reading = {r, json, reserved, prices};

    return pull_object(json, "the terms of a product", terms_member, &reading, err);
}

/* ---- quotes ---- */

static const enum market markets[AWS_TERMS] = {
    [AWS_ON_DEMAND] = MARKET_ON_DEMAND,
    [AWS_RESERVED_1Y] = MARKET_RESERVED_1Y,
    [AWS_RESERVED_3Y] = MARKET_RESERVED_3Y,
};

static struct quote machine_quote(const struct aws_machine *machine, stamp at)
{
    struct quote q = quote_blank();

    q.provider = STR("aws");
    q.region = aws_name(&machine->region);
    q.instance = aws_name(&machine->instance);
    q.accelerator = machine->accelerator;
    q.count = machine->count;
    q.gpu_memory_gib = machine->gpu_memory_gib;
    q.vcpus = machine->vcpus;
    q.memory_gib = machine->memory_gib;
    for (int term = 0; term < AWS_TERMS; term++)
        q.price[markets[term]] = machine->prices.of[term].nano;
    q.currency = machine->prices.currency;
    q.at = at;
    return q;
}

bool aws_give(struct aws_reader *r, const struct aws_machine *machine, stamp at,
              struct error *err)
{
    struct quote q = machine_quote(machine, at);
    struct str instance = q.instance, family = str_cut(&instance, '.');
    char unknown[AWS_NAME_ROOM + 8];

    if (currency_unset(machine->prices.currency))
        return feed_ignore(r->feed);
    if (q.accelerator.len == 0) { /* unknown, but not lost: "aws g9e" */
        q.accelerator.at = unknown;
        q.accelerator.len =
            (size_t)snprintf(unknown, sizeof unknown, "aws %.*s", STR_ARG(family));
    }
    return feed_give(r->feed, 0, &q, err);
}
