/* The user's own facts change prices: exchange rates and negotiated discounts. */
#include "test.h"

#include "feed/quote.h"
#include "market/offers.h"
#include "unit/time.h"

#define TODAY_N 20772 /* 2026-11-15 */
#define BILLION INT64_C(1000000000)

static struct arena arena;
static struct catalog catalog;
static struct market_view view;

static void load(enum catalog_table table, const char *text)
{
    struct catalog_layer layer = {table, "own.csv", str_from(text)};
    struct error err = {0};

    arena = (struct arena){.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    catalog = (struct catalog){0};
    view = (struct market_view){
        .catalog = &catalog, .today = {TODAY_N}, .fresh = {7 * 24 * SPAN_HOUR}};
    if (!catalog_load(&catalog, TABLE_BIT(TABLE_EXCHANGE) | TABLE_BIT(TABLE_DISCOUNTS), &layer,
                      1, &arena, &err))
        fail_msg("%s", err.text);
}

static int unload(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

/* --- exchange rates ----------------------------------------------------------------------- */

static int64_t dollars_of(int64_t nano, const char *currency, const char *date)
{
    const struct exchange *used = NULL;
    usd_per_hour price;
    day on;

    assert_true(day_parse(str_from(date), &on));
    price = market_in_usd(&catalog, nano, currency_from(str_from(currency)), on, &used);
    assert_true((used != NULL) ==
                (price.nano != MONEY_UNKNOWN && !str_eq(str_from(currency), STR("USD"))));
    return price.nano;
}

static void a_price_is_converted_by_the_rate_of_its_day(void **state)
{
    (void)state;
    load(TABLE_EXCHANGE, "currency,usd,date,source\n"
                         "EUR,1.10,2026-01-01,bank\nEUR,1.20,2026-06-01,bank\n"
                         "EUR,1.15,2026-09-01,bank\njpy,0.0066,2026-06-01,bank\n");
    assert_int_equal(dollars_of(10 * BILLION, "EUR", "2026-06-01"), 12 * BILLION);
    assert_int_equal(dollars_of(10 * BILLION, "EUR", "2026-08-31"), 12 * BILLION);
    assert_int_equal(dollars_of(10 * BILLION, "EUR", "2026-05-31"), 11 * BILLION);
    assert_int_equal(dollars_of(10 * BILLION, "EUR", "2026-11-15"), 11500000000);
    /* Before the first rate there is none: that one. */
    assert_int_equal(dollars_of(10 * BILLION, "EUR", "2020-01-01"), 11 * BILLION);
    assert_int_equal(dollars_of(1000 * BILLION, "JPY", "2026-11-15"), 6600000000);
}

static void without_a_rate_the_price_is_unknown(void **state)
{
    (void)state;
    load(TABLE_EXCHANGE, "currency,usd,date,source\nEUR,1.10,2026-01-01,bank\n");
    assert_int_equal(dollars_of(BILLION, "GBP", "2026-11-15"), MONEY_UNKNOWN);
    assert_int_equal(dollars_of(BILLION, "USD", "2026-11-15"), BILLION);
    assert_int_equal(dollars_of(PRICE_NONE, "EUR", "2026-11-15"), MONEY_UNKNOWN);
    assert_int_equal(dollars_of(PRICE_UNSAID, "USD", "2026-11-15"), MONEY_UNKNOWN);
}

/* --- discounts ---------------------------------------------------------------------------- */

#define HEADER \
    "date,source,provider,region,instance,market,discount,price_h,currency,from,until\n"
#define RULE "2026-01-01,a letter,"

static struct machine offer_of(const char *provider, const char *region, const char *instance)
{
    return (struct machine){.fact = {.date = {TODAY_N}, .current = true},
                            .provider = str_from(provider),
                            .region = str_from(region),
                            .instance = str_from(instance),
                            .on_demand = {100 * BILLION},
                            .spot = {40 * BILLION}};
}

/* What an offer costs after the rules; spot is not touched. */
static int64_t pays(const char *provider, const char *region, const char *instance)
{
    struct machine o = offer_of(provider, region, instance);
    bool less = market_discount(&view, &o, 1) == 1;

    assert_int_equal(o.list_on_demand.nano, less ? 100 * BILLION : 0);
    assert_int_equal(o.spot.nano, 40 * BILLION);
    assert_int_equal(o.list_spot.nano, 0);
    return o.on_demand.nano;
}

static void the_narrowest_rule_holds(void **state)
{
    (void)state;
    load(TABLE_DISCOUNTS, HEADER RULE
         "*,*,*,on-demand,1%,,,,\n" RULE "aws,*,*,on-demand,5%,,,,\n" RULE
         "aws,us-*,*,on-demand,10%,,,,\n" RULE "aws,us-east-1,*,on-demand,15%,,,,\n" RULE
         "*,*,p5.*,on-demand,20%,,,,\n" RULE "aws,*,p5.48xlarge,on-demand,0.25,,,,\n" RULE
         "aws,us-east-1,p5.48xlarge,on-demand,30%,,,,\n");
    assert_int_equal(pays("gcp", "us-east-1", "a"), 99 * BILLION);
    assert_int_equal(pays("aws", "eu-west-1", "a"), 95 * BILLION);
    assert_int_equal(pays("aws", "us-west-2", "a"), 90 * BILLION);
    assert_int_equal(pays("aws", "us-east-1", "a"), 85 * BILLION);
    assert_int_equal(pays("gcp", "us-east-1", "p5.4xlarge"), 80 * BILLION);
    assert_int_equal(pays("aws", "us-east-1", "p5.4xlarge"), 80 * BILLION);
    assert_int_equal(pays("aws", "eu-west-1", "p5.48xlarge"), 75 * BILLION);
    assert_int_equal(pays("aws", "us-east-1", "p5.48xlarge"), 70 * BILLION);
}

static void a_rule_holds_from_its_first_to_its_last_day(void **state)
{
    (void)state;
    load(TABLE_DISCOUNTS, HEADER RULE
         "a,*,*,on-demand,10%,,,2026-11-15,\n" RULE "b,*,*,on-demand,10%,,,2026-11-16,\n" RULE
         "c,*,*,on-demand,10%,,,,2026-11-15\n" RULE "d,*,*,on-demand,10%,,,,2026-11-14\n" RULE
         "e,*,*,on-demand,10%,,,,2026-01-01\n" RULE
         "*,*,*,on-demand,50%,,,2026-12-01,2026-12-31\n");
    assert_int_equal(pays("a", "r", "m"), 90 * BILLION);
    assert_int_equal(pays("b", "r", "m"), 100 * BILLION);
    assert_int_equal(pays("c", "r", "m"), 90 * BILLION);
    assert_int_equal(pays("d", "r", "m"), 100 * BILLION);
    view.today.n += 20;
    assert_int_equal(pays("e", "r", "m"), 50 * BILLION);
    assert_int_equal(pays("a", "r", "m"), 90 * BILLION); /* narrower, if less */
}

static void markets_are_apart(void **state)
{
    struct machine o = offer_of("aws", "r", "m");

    (void)state;
    load(TABLE_DISCOUNTS,
         HEADER RULE "aws,*,*,spot,10%,,,,\n" RULE "gcp,*,*,*,10%,,,,\n" RULE "x,,,,10%,,,,\n");
    assert_int_equal(market_discount(&view, &o, 1), 1);
    assert_int_equal(o.spot.nano, 36 * BILLION);
    assert_int_equal(o.list_spot.nano, 40 * BILLION);
    assert_int_equal(o.on_demand.nano, 100 * BILLION);
    o = offer_of("gcp", "r", "m");
    assert_int_equal(market_discount(&view, &o, 1), 1);
    assert_int_equal(o.spot.nano, 36 * BILLION);
    assert_int_equal(o.on_demand.nano, 90 * BILLION);
    assert_int_equal(pays("x", "r", "m"), 90 * BILLION); /* left out: everything, on demand */
}

static void a_price_may_be_named_in_any_currency(void **state)
{
    struct machine o;

    (void)state;
    load(TABLE_DISCOUNTS,
         HEADER RULE "aws,*,*,on-demand,,55.5,,,\n" RULE "gcp,*,*,on-demand,,50,EUR,,\n");
    assert_int_equal(pays("aws", "r", "m"), 55500000000);
    /* A currency without a rate: the list price is kept, and the currency reported. */
    o = offer_of("gcp", "r", "m");
    (void)market_discount(&view, &o, 1);
    assert_int_equal(o.on_demand.nano, 100 * BILLION);
    assert_string_equal(o.foreign.code, "EUR");
    /* The rule's price is used where the list has none. */
    o = offer_of("aws", "r", "m");
    o.on_demand = USD_PER_HOUR_UNKNOWN;
    (void)market_discount(&view, &o, 1);
    assert_int_equal(o.on_demand.nano, 55500000000);
    assert_int_equal(o.list_on_demand.nano, 0);
    {
        static struct exchange rate = {
            .fact = {.date = {TODAY_N - 30}}, .currency = {"eur", 3}, .usd = 1.2};

        catalog.tables[TABLE_EXCHANGE] = (struct rows){&rate, 1};
    }
    assert_int_equal(pays("gcp", "r", "m"), 60 * BILLION);
}

static void history_and_unknown_prices_have_no_discount(void **state)
{
    struct machine o = offer_of("aws", "r", "m");

    (void)state;
    load(TABLE_DISCOUNTS, HEADER RULE "aws,*,*,*,10%,,,,\n");
    o.fact.current = false;
    assert_int_equal(market_discount(&view, &o, 1), 0);
    assert_int_equal(o.on_demand.nano, 100 * BILLION);
    o = offer_of("aws", "r", "m");
    o.on_demand = o.spot = USD_PER_HOUR_UNKNOWN;
    assert_int_equal(market_discount(&view, &o, 1), 0);
    assert_int_equal(o.on_demand.nano, MONEY_UNKNOWN);
    o = offer_of("gcp", "r", "m");
    assert_int_equal(market_discount(&view, &o, 1), 0);
}

int group_own_prices(void)
{
#define TEST(name) cmocka_unit_test_teardown(name, unload)
    const struct CMUnitTest tests[] = {
        TEST(a_price_is_converted_by_the_rate_of_its_day),
        TEST(without_a_rate_the_price_is_unknown),
        TEST(the_narrowest_rule_holds),
        TEST(a_rule_holds_from_its_first_to_its_last_day),
        TEST(markets_are_apart),
        TEST(a_price_may_be_named_in_any_currency),
        TEST(history_and_unknown_prices_have_no_discount),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
