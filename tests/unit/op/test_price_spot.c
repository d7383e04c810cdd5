/* The cheapest spot machines with their risk, and machines in every region. */
#include "market_world.h"

#include "op/context.h"
#include "spot/interruption.h"

#define AZ1 "aws/us-east-1/use1-az1/p5.48xlarge"
#define AZ2 "aws/us-east-1/use1-az2/p5.48xlarge"

/* az1 at $20 vanishes twice in 60 days; az2 at $22 rises to on-demand once; Google's, at $18,
 * is known for five days. An auction starts at five cents. */
static void fill(void)
{
    struct store_edit *e = market_edit("skypilot", CONFIDENCE_CATALOG);
    struct quote floor_price = market_quote("mithril/us-central1-a/h100.8x", 1);

    for (int d = 60; d >= 0; d--) {
        bool lost = d == 30 || d == 10;

        market_tell(e, AZ1, d, MARKET_SPOT, lost ? PRICE_NONE : 20 * DOLLAR);
        market_tell(e, AZ2, d, MARKET_SPOT, (d == 20 ? 55 : 22) * DOLLAR);
        market_tell(e, "aws/us-east-1/p5.48xlarge", d, MARKET_ON_DEMAND, 55 * DOLLAR);
        if (d <= 5)
            market_tell(e, "gcp/us-central1/a3-highgpu-8g", d, MARKET_SPOT, 18 * DOLLAR);
    }
    floor_price.price[MARKET_SPOT] = 5 * CENT;
    floor_price.flags = QUOTE_FLOOR;
    market_add(e, &floor_price);
    market_commit(e);
}

static void one_zone_of_each_region_doubtful_ones_last(void **state)
{
    struct world *w = *state;
    const char *reply, *az1, *gcp, *doubted;

    fill();
    reply = ask(w, "price.spot", "{}");
    gcp = strstr(reply, "\"offer\":\"gcp/us-central1/a3-highgpu-8g\"");
    az1 = strstr(reply, "\"offer\":\"" AZ1 "\"");
    doubted = strstr(reply, "\"offer\":\"mithril/us-central1-a/h100.8x\"");
    assert_true(gcp != NULL && az1 != NULL && doubted != NULL);
    assert_true(gcp < az1 && az1 < doubted);
    assert_null(strstr(reply, AZ2));
    assert_int_equal(times(reply, "\"cheapest\":true"), 1);
    assert_says(doubted, "\"doubts\":[\"a floor or too low to be a price, not what one "
                         "pays\"],\"doubtful\":true,\"cheapest\":false");
    assert_says(reply, "\"candidates\":4,");
    assert_says(ask(w, "price.spot", "{\"all_zones\":true}"), AZ2);
}

static void on_demand_of_the_region_holds_for_its_zones(void **state)
{
    struct world *w = *state;

    fill();
    assert_says(ask(w, "price.spot", "{\"provider\":\"aws\"}"),
                "\"price\":{\"amount\":\"20\",\"currency\":\"USD\"},\"per_gpu\":{\"amount\":"
                "\"2.5\",\"currency\":\"USD\"},\"on_demand\":{\"amount\":\"55\",\"currency\":"
                "\"USD\"},\"price_low\":{\"amount\":\"20\",\"currency\":\"USD\"},"
                "\"price_high\":{\"amount\":\"20\",\"currency\":\"USD\"},\"savings\":"
                "0.6363636363636364");
}

/* The measured losses are added to what was watched elsewhere. */
static void risk_follows_from_losses_and_from_what_was_watched(void **state)
{
    struct world *w = *state;
    struct interruption_model m;
    double risk, low, high, watched, exposed = 58 * 24, share = 20 / 55.0;
    struct error err = {0};
    const char *reply;

    fill();
    reply = ask(w, "price.spot", "{\"provider\":\"aws\",\"for\":\"2h\"}");
    assert_says(reply,
                "\"history_days\":60,\"span_days\":60,\"interruptions\":2,\"exposed_h\":1392,");
    assert_int_equal(sscanf(strstr(reply, "\"risk\":"), "\"risk\":%lf", &risk), 1);
    assert_int_equal(sscanf(strstr(reply, "\"risk_low\":"), "\"risk_low\":%lf", &low), 1);
    assert_int_equal(sscanf(strstr(reply, "\"risk_high\":"), "\"risk_high\":%lf", &high), 1);
    assert_true(op_catalog(&w->ctx, TABLE_BIT(TABLE_INTERRUPTIONS), &err));
    m = interruption_model(&w->ctx.catalog, STR("aws"));
    watched = interruption_hazard(&m, share, 2, 0);
    assert_true(watched > 0);
    assert_near(risk, 1 - exp(-watched - 2.5 / exposed * 2), 1e-12);
    /* Of a gamma of shape 2.5, 10 % is below 0.8052 and 90 % below 4.6182 (chi-squared, 5
     * dof). */
    assert_true(low > 1 - exp(-0.805 / exposed * 2) && low < risk);
    assert_true(high > 1 - exp(-watched - 4.618 / exposed * 2));
    reply = ask(w, "price.spot", "{\"provider\":\"aws\",\"all_zones\":true,\"for\":\"24h\"}");
    assert_says(strstr(reply, AZ2), "\"interruptions\":1,\"exposed_h\":1416,");
}

static void without_history_the_risk_is_unknown_not_none(void **state)
{
    struct world *w = *state;
    double first, second;
    const char *reply;
    char request[160];

    fill();
    reply = ask(w, "price.spot", "{\"provider\":\"gcp\",\"for\":\"2h\"}");
    assert_says(reply, "\"history_days\":5,\"span_days\":5,\"interruptions\":0,");
    assert_says(reply, "\"risk\":null,\"risk_low\":null,\"risk_high\":null,\"risk_unknown\":"
                       "\"less than 14 days with data\",\"reliability\":null");
    /* The dearer zone, nearer to on-demand, is the riskier: a limit between the two tells
     * them apart. */
    reply = ask(w, "price.spot", "{\"provider\":\"aws\",\"all_zones\":true,\"for\":\"2h\"}");
    assert_int_equal(sscanf(strstr(strstr(reply, AZ1), "\"risk\":"), "\"risk\":%lf", &first),
                     1);
    assert_int_equal(sscanf(strstr(strstr(reply, AZ2), "\"risk\":"), "\"risk\":%lf", &second),
                     1);
    assert_true(first < second);
    (void)snprintf(request, sizeof request,
                   "{\"provider\":[\"gcp\",\"aws\"],\"all_zones\":true,\"for\":\"2h\","
                   "\"max_risk\":%.4f}",
                   (first + second) / 2);
    reply = ask(w, "price.spot", request);
    assert_null(strstr(reply, "gcp/"));
    assert_null(strstr(reply, AZ2));
    assert_says(reply, AZ1);
    assert_string_equal(w->said, "note: 1 left out, their risk is unknown: less than 14 days "
                                 "with data\n"
                                 "note: 1 left out: their risk is above --max-risk\n");
    /* Without a time there is no risk to show. */
    assert_says(ask(w, "price.spot", "{\"provider\":\"aws\"}"), "\"risk\":null");
}

/* The very machine's; and the true reason of a '?', which is not always a short history. */
static void reliability_and_reasons_are_those_of_the_machine(void **state)
{
    struct store_edit *e = market_edit("vast", CONFIDENCE_OFFICIAL);
    struct world *w = *state;
    const char *reply;

    for (int d = 30; d >= 0; d--) {
        struct quote q = market_quote("vast/us/h100.8x.17", d);

        q.price[MARKET_SPOT] = 9 * DOLLAR;
        q.reliability = 0.987;
        market_add(e, &q);
        market_tell(e, "aws/us-east-1/use1-az9/p5.48xlarge", d, MARKET_SPOT, 9 * DOLLAR);
    }
    market_commit(e);
    reply = ask(w, "price.spot", "{\"for\":\"2h\"}");
    assert_says(strstr(reply, "vast/us"), "\"reliability\":0.987");
    /* No feed tells what it costs on demand: the built-in price stands in. */
    assert_says(strstr(reply, "aws/us"), "\"on_demand\":{\"amount\":\"55.04\"");
    assert_says(strstr(reply, "aws/us"), "\"risk_basis\":\"price\"");
}

/* Euros with a rate, crowns without, a discount. */
static void what_was_converted_and_taken_off_is_said(void **state)
{
    static const char rate[] = "currency,usd,date,source\nEUR,1.1,2026-11-01,bank\n";
    static const char discount[] =
        "provider,market,discount,date,source\naws,*,10%,2026-11-01,deal\n";
    struct store_edit *e = market_edit("own", CONFIDENCE_PRIVATE);
    struct quote q = market_quote("acme/eu-1/h100.8x", 1);
    struct world *w = *state;
    char path[128];
    FILE *file;

    q.price[MARKET_SPOT] = 10 * DOLLAR;
    q.currency = (struct currency){"EUR"};
    market_add(e, &q);
    q.instance = STR("h100.4x");
    q.currency = (struct currency){"SEK"};
    market_add(e, &q);
    market_tell(e, AZ1, 1, MARKET_SPOT, 20 * DOLLAR);
    market_commit(e);
    w->settings.catalog = str_from(market_folder);
    (void)snprintf(path, sizeof path, "%s/exchange.csv", market_folder);
    file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(rate, file) >= 0 && fclose(file) == 0);
    (void)snprintf(path, sizeof path, "%s/discounts.csv", market_folder);
    file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(discount, file) >= 0 && fclose(file) == 0);
    assert_says(ask(w, "price.spot", "{}"),
                "\"price\":{\"amount\":\"11\",\"currency\":\"USD\"}");
    assert_says(w->said, "note: your discounts are taken off (of 1 offer)\n");
    assert_says(w->said, "note: prices in EUR are converted: 1 EUR = 1.1 USD of 2026-11-01 (");
    assert_says(w->said,
                "exchange.csv:2)\nwarning: left out: 1 offer priced in SEK; add its rate "
                "to exchange.csv ('stint price import' takes it)\n");
    (void)ask(w, "price.regions",
              "{\"instances\":[\"acme/*\",\"aws/p5.48xlarge\"],\"hours\":1,"
              "\"region\":[\"eu-1\",\"us-east-1\"]}");
    assert_says(w->said, "note: your discounts are taken off (of 1 offer)\n");
    assert_says(w->said, "note: prices in EUR are converted: 1 EUR = 1.1 USD of 2026-11-01 (");
    assert_says(w->said, "warning: left out: 1 offer priced in SEK");
    assert_string_equal(ask(w, "price.regions", "{\"instances\":\"h100.4x\",\"hours\":1}"),
                        "absent 'h100.4x' is not shown: its price is in a currency without a "
                        "rate | 'stint price "
                        "import rates.csv' takes currency,usd,date,source");
}

static void regions_say_why_a_machine_is_not_there(void **state)
{
    struct store_edit *e;
    struct world *w = *state;
    struct quote q = market_quote("aws/us-east-1/g6f.large", 1);

    fill();
    e = market_edit("own", CONFIDENCE_PRIVATE);
    q.price[MARKET_SPOT] = DOLLAR;
    q.count = 0.125;
    market_add(e, &q);
    market_commit(e);
    assert_string_equal(
        ask(w, "price.regions", "{\"instances\":\"g6f.large\",\"hours\":1}"),
        "absent 'g6f.large' is not shown: it has part of a GPU (0.125x H100-SXM-80GB) | "
        "'stint price history aws/g6f.large' shows its history");
    assert_string_equal(
        ask(w, "price.regions", "{\"instances\":\"h100.8x\",\"hours\":1}"),
        "absent 'h100.8x' is not shown: its prices are in doubt (a floor or too low to be a "
        "price, "
        "not "
        "what one pays) | 'stint price history mithril/h100.8x' shows its history");
    assert_string_equal(
        ask(w, "price.regions", "{\"instances\":\"gcp/p5.48xlarge\",\"hours\":1}"),
        "absent none of the requested regions has a price of 'gcp/p5.48xlarge' | it has "
        "prices elsewhere: leave out the provider and the region");
    assert_says(ask(w, "price.regions",
                    "{\"instances\":[\"aws/p5.48xlarge\",\"p5.48xlarg\",\"g6f.large\"],"
                    "\"hours\":1,\"region\":\"us-east-1\"}"),
                "\"instance\":\"p5.48xlarge\"");
    assert_string_equal(
        w->said, "warning: no region has a price of 'p5.48xlarg'; did you mean 'p5.48xlarge'?\n"
                 "warning: 'g6f.large' is not shown: it has part of a GPU (0.125x "
                 "H100-SXM-80GB); 'stint price history aws/g6f.large' shows its history\n");
}

static void mistakes_are_answered_with_what_to_type(void **state)
{
    struct world *w = *state;

    fill();
    assert_string_equal(
        ask(w, "price.spot", "{\"max_risk\":\"20%\"}"),
        "usage --max-risk needs --for: a risk is one within some time | stint price "
        "spot --for 2h --max-risk 20%");
    assert_string_equal(ask(w, "price.spot", "{\"provider\":\"awss\"}"),
                        "absent there is no provider 'awss' | did you mean 'aws'?");
    assert_string_equal(
        ask(w, "price.spot", "{\"gpu\":\"T4\"}"),
        "absent no spot price matches | leave out a filter; --any-form widens the "
        "search");
}

static void only_your_providers_unless_asked(void **state)
{
    static const struct str own[] = {{"gcp", 3}};
    struct world *w = *state;

    fill();
    w->settings.providers = (struct strs){own, 1};
    assert_null(strstr(ask(w, "price.spot", "{}"), "aws/"));
    assert_string_equal(w->said, "note: only your providers (gcp); --provider '*' shows all\n");
    assert_says(ask(w, "price.spot", "{\"provider\":\"*\"}"), "aws/");
}

static void regions_take_the_cheapest_zone_and_the_grid(void **state)
{
    struct world *w = *state;
    const char *reply;
    double kwh, kg;

    fill();
    reply = ask(w, "price.regions",
                "{\"instances\":\"aws/p5.48xlarge\",\"hours\":10,\"region\":\"us-east-1\"}");
    assert_int_equal(times(reply, "\"instance\":"), 1);
    assert_says(reply, "\"zone\":\"use1-az1\"");
    assert_says(reply, "\"spot_total\":{\"amount\":\"200\",\"currency\":\"USD\"},"
                       "\"on_demand_total\":{\"amount\":\"550\",\"currency\":\"USD\"}");
    assert_says(reply, "\"date\":\"2026-11-15\",\"source\":\"skypilot (a file)\","
                       "\"age_days\":0,\"outlier\":false,\"cheapest\":true,"
                       "\"cheapest_spot\":true");
    /* 8 x 700 W for 10 h, and the host, supplies and halls on top. */
    assert_int_equal(sscanf(strstr(reply, "\"energy_kwh\":"), "\"energy_kwh\":%lf", &kwh), 1);
    assert_int_equal(sscanf(strstr(reply, "\"carbon_kg\":"), "\"carbon_kg\":%lf", &kg), 1);
    assert_true(kwh > 56 * 1.135 && kwh < 56 * 1.8);
    assert_near(kg / kwh, 0.379, 0.001);
}

static void regions_use_built_in_prices_where_the_store_has_none(void **state)
{
    struct world *w = *state;
    const char *reply;

    fill();
    reply = ask(w, "price.regions", "{\"instances\":[\"aws/p5.48xlarge\"],\"hours\":1}");
    assert_true(times(reply, "\"instance\":") > 5);
    assert_int_equal(times(reply, "\"source\":\"skypilot (a file)\""), 1);
    assert_int_equal(times(reply, "\"region\":\"us-east-1\""), 1);
    assert_int_equal(times(reply, "\"cheapest_spot\":true"), 1);
    assert_string_equal(
        ask(w, "price.regions", "{\"instances\":\"p5.48xl\",\"hours\":1}"),
        "absent no region has a price of 'p5.48xl' | did you mean 'p5.48xlarge'?");
}

int group_price_spot(void)
{
    const struct CMUnitTest tests[] = {
        market_test(one_zone_of_each_region_doubtful_ones_last),
        market_test(on_demand_of_the_region_holds_for_its_zones),
        market_test(risk_follows_from_losses_and_from_what_was_watched),
        market_test(without_history_the_risk_is_unknown_not_none),
        market_test(reliability_and_reasons_are_those_of_the_machine),
        market_test(what_was_converted_and_taken_off_is_said),
        market_test(regions_say_why_a_machine_is_not_there),
        market_test(mistakes_are_answered_with_what_to_type),
        market_test(only_your_providers_unless_asked),
        market_test(regions_take_the_cheapest_zone_and_the_grid),
        market_test(regions_use_built_in_prices_where_the_store_has_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
