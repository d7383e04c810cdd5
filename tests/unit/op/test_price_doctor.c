/* The health of the price store; and every price operation when memory runs out. */
#include "market_world.h"

#include "market/store_internal.h"
#include "op/context.h"

#define AZ1 "aws/us-east-1/use1-az1/p5.48xlarge"

static void an_empty_store_says_what_is_used_instead(void **state)
{
    struct world *w = *state;
    const char *reply = ask(w, "price.doctor", "{}");

    assert_says(reply, "\"size\":null,\"offers\":0,\"series\":0,\"points\":0,\"damaged\":0,");
    assert_says(reply, "\"findings\":[{\"kind\":\"empty\",\"text\":\"the price store is empty, "
                       "so the built-in prices are used: ");
    assert_says(reply, " are too old to be the best\"");
    assert_says(reply, "\"run\":\"stint price fetch skypilot\"},{\"kind\":\"outlier\",");
    assert_says(reply, "gcp/europe-north1/a3-highgpu-1g:spot $1.09/hr a GPU, other regions $6");
}

static void a_sound_store_has_no_findings(void **state)
{
    struct store_edit *e = market_edit("skypilot", CONFIDENCE_CATALOG);
    struct world *w = *state;
    const char *reply;

    for (int d = 30; d >= 0; d--)
        market_tell(e, AZ1, d, MARKET_SPOT, (20 + d % 2) * DOLLAR);
    market_commit(e);
    reply = ask(w, "price.doctor", "{}");
    assert_says(
        reply,
        "\"feeds\":[{\"feed\":\"skypilot\",\"provider\":\"aws\",\"confidence\":"
        "\"catalog\",\"source\":\"a file\",\"read\":\"2026-11-15\",\"imported\":"
        "\"2026-11-15\",\"age_days\":0,\"stale\":false,\"offers\":1,\"series\":1,"
        "\"gone\":0,\"points\":31,\"usual_days\":1}],\"findings\":[{\"kind\":\"outlier\",");
    assert_int_equal(times(reply, "\"kind\":"), 1); /* a built-in price */
}

/* In a log a machine that is only sold on demand has an empty spot price from its first day
 * on. */
static void a_market_that_never_was_is_not_gone(void **state)
{
    struct store_edit *e = market_edit("skypilot", CONFIDENCE_CATALOG);
    struct world *w = *state;

    for (int d = 30; d >= 0; d--) {
        market_tell(e, AZ1, d, MARKET_SPOT, PRICE_NONE);
        market_tell(e, AZ1, d, MARKET_ON_DEMAND, 20 * DOLLAR);
        market_tell(e, "aws/us-east-1/use1-az2/p5.48xlarge", d, MARKET_SPOT,
                    d > 3 ? 10 * DOLLAR : PRICE_NONE);
    }
    market_commit(e);
    assert_says(ask(w, "price.doctor", "{}"), "\"series\":3,\"gone\":1,");
}

/* A gap of 20 days, a floor, a jump, a spot price above on-demand, feeds that differ, an
 * accelerator that nobody knows, a feed from long ago and one from the future. */
static void fill_with_trouble(void)
{
    struct store_edit *e = market_edit("skypilot", CONFIDENCE_CATALOG);
    struct quote q;

    for (int d = 60; d >= 0; d--) {
        if (d > 30 || d <= 10)
            market_tell(e, AZ1, d, MARKET_SPOT, (20 + d % 2) * DOLLAR);
        market_tell(e, AZ1, d, MARKET_ON_DEMAND, 19 * DOLLAR);
    }
    q = market_quote("mithril/us-central1-a/h100.8x", 1);
    q.price[MARKET_SPOT] = 5 * CENT;
    q.flags = QUOTE_FLOOR;
    market_add(e, &q);
    market_tell(e, "gcp/us-central1/a3-highgpu-8g", 2, MARKET_SPOT, 2 * DOLLAR);
    market_tell(e, "gcp/us-central1/a3-highgpu-8g", 1, MARKET_SPOT, 40 * DOLLAR);
    q = market_quote("vast/us/x.1", 50);
    q.accelerator = STR("Voodoo 2");
    q.price[MARKET_ON_DEMAND] = 3 * DOLLAR;
    market_add(e, &q);
    q.instance = STR("x.2");
    market_add(e, &q);
    market_commit(e);
    e = market_edit("aws-offers", CONFIDENCE_OFFICIAL);
    market_tell(e, AZ1, -1, MARKET_ON_DEMAND, 55 * DOLLAR);
    market_commit(e);
}

static void finds_what_is_wrong_and_says_what_to_run(void **state)
{
    struct world *w = *state;
    const char *reply;

    fill_with_trouble();
    reply = ask(w, "price.doctor", "{}");
    assert_says(reply,
                "{\"kind\":\"stale\",\"text\":\"skypilot of vast was last read 50 days "
                "ago\",\"count\":2,\"examples\":[],\"run\":\"stint price fetch skypilot\"}");
    assert_says(reply, "{\"kind\":\"future\",\"text\":\"aws-offers of aws is dated in the "
                       "future: 2026-11-16\"");
    assert_says(reply,
                "{\"kind\":\"conflict\",\"text\":\"1 price on which feeds differ by more than "
                "1 %\",\"count\":1,\"examples\":[\"" AZ1
                ":on-demand $55/hr by aws-offers (2026-11-16), $19/hr by skypilot "
                "(2026-11-15)\"],\"run\":\"stint price history " AZ1 ":on-demand\"}");
    assert_says(reply, "1 current price: a floor or too low to be a price, not what one "
                       "pays\",\"count\":1,\"examples\":[\"mithril/us-central1-a/h100.8x:spot "
                       "$0.05/hr by skypilot\"],\"run\":\"stint price history "
                       "mithril/us-central1-a/h100.8x:spot\"}");
    assert_says(reply, "1 current price: ten times up or down at once");
    assert_says(reply, "1 current price: spot above on-demand");
    assert_says(reply,
                "{\"kind\":\"gap\",\"text\":\"1 gap in the history: days without data are "
                "left out of means and risks\",\"count\":1,\"examples\":[\"skypilot of "
                "aws, spot: 20 days, 2026-10-16 to 2026-11-04\"]");
    assert_says(reply,
                "{\"kind\":\"unknown\",\"text\":\"the catalog does not know the "
                "accelerators of 2 offers (1 name)\",\"count\":2,\"examples\":[\"Voodoo 2 (2 "
                "offers)\"]");
    assert_says(reply, "{\"kind\":\"by-hand\",\"text\":\"SkyPilot's lists of 2 providers are "
                       "updated manually: prices may be older than their "
                       "date\",\"count\":2,\"examples\":[\"mithril\",\"vast\"],\"run\":\"stint "
                       "price fetch vast\"}");
    assert_int_equal(times(reply, "\"kind\":"), 10);
}

static void old_providers_of_a_feed_are_one_finding(void **state)
{
    struct store_edit *e = market_edit("skypilot", CONFIDENCE_CATALOG);
    struct world *w = *state;
    const char *reply;

    market_tell(e, AZ1, 50, MARKET_SPOT, 20 * DOLLAR);
    market_tell(e, "gcp/us-central1/a3-highgpu-8g", 50, MARKET_SPOT, 20 * DOLLAR);
    market_commit(e);
    reply = ask(w, "price.doctor", "{}");
    assert_says(reply,
                "{\"kind\":\"stale\",\"text\":\"skypilot: 2 providers last read 50 days "
                "ago\",\"count\":2,\"examples\":[],\"run\":\"stint price fetch skypilot\"}");
    assert_int_equal(times(reply, "\"kind\":"), 2); /* and an outlier that is built in */
    op_done(&w->ctx);
    e = market_edit("skypilot", CONFIDENCE_CATALOG);
    market_tell(e, "lambda/us-west-1/gpu_8x_h100", 80, MARKET_ON_DEMAND, 20 * DOLLAR);
    market_commit(e);
    assert_says(ask(w, "price.doctor", "{\"limit\":2}"),
                "skypilot: 3 providers last read 50 to 80 days ago\",\"count\":3,\"examples\":"
                "[\"aws: 50 days\",\"gcp: 50 days\"]");
}

static void spot_by_a_rule_is_told_from_spot_that_was_seen(void **state)
{
    struct store_edit *e = market_edit("skypilot", CONFIDENCE_CATALOG);
    struct world *w = *state;
    const char *reply;

    for (int i = 0; i < 30; i++) {
        char offer[64];

        (void)snprintf(offer, sizeof offer, "azure/westus/x%d", i);
        market_tell(e, offer, 0, MARKET_ON_DEMAND, (100 + i) * DOLLAR);
        market_tell(e, offer, 0, MARKET_SPOT,
                    (100 + i) * (i < 25 ? 11 * CENT : (20 + i) * CENT));
        (void)snprintf(offer, sizeof offer, "gcp/us-east1/x%d", i);
        market_tell(e, offer, 0, MARKET_ON_DEMAND, 100 * DOLLAR);
        market_tell(e, offer, 0, MARKET_SPOT, (30 + i) * DOLLAR);
        (void)snprintf(offer, sizeof offer, "lambda/us-east1/x%d", i);
        market_tell(e, offer, 0, MARKET_ON_DEMAND, 100 * DOLLAR);
        if (i < 19) /* too few to say */
            market_tell(e, offer, 0, MARKET_SPOT, 50 * DOLLAR);
    }
    market_commit(e);
    reply = ask(w, "price.doctor", "{}");
    assert_says(reply,
                "{\"kind\":\"computed\",\"text\":\"skypilot of azure: spot is 11.0 % of "
                "on-demand in 25 of 30 offers: computed by a rule, not "
                "observed\",\"count\":25,\"examples\":[],\"run\":\"stint price fetch azure\"}");
    assert_int_equal(times(reply, "\"computed\""), 1);
}

static void jumps_of_the_last_days_are_found_when_the_price_is_fine(void **state)
{
    struct store_edit *e = market_edit("skypilot", CONFIDENCE_CATALOG);
    struct world *w = *state;
    const char *reply;

    for (int d = 200; d >= 0; d--) {
        market_tell(e, AZ1, d, MARKET_SPOT, (d == 30 ? 400 : 20) * DOLLAR);
        market_tell(e, AZ1, d, MARKET_ON_DEMAND, (d == 150 ? 5 : 55) * DOLLAR); /* long ago */
    }
    market_commit(e);
    reply = ask(w, "price.doctor", "{}");
    assert_says(reply,
                "{\"kind\":\"jump\",\"text\":\"1 price jumped ten times or more in the last "
                "90 days of the history: possibly errors of the feed\",\"count\":1,"
                "\"examples\":[\"" AZ1 ":spot 20 times up on 2026-10-16 by skypilot\"],"
                "\"run\":\"stint price history " AZ1 ":spot --days 90\"}");
}

static void damage_is_found(void **state)
{
    struct store_edit *e = market_edit("skypilot", CONFIDENCE_CATALOG);
    struct world *w = *state;
    struct error err = {0};
    const char *reply;
    sqlite3 *db;
    FILE *file;

    for (int d = 30; d >= 0; d--)
        market_tell(e, AZ1, d, MARKET_SPOT, (20 + d % 2) * DOLLAR);
    market_commit(e);
    assert_true(db_open(market_path, &db, &err));
    assert_true(db_run(db, "UPDATE history SET data = x'00'", market_path, &err));
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    reply = ask(w, "price.doctor", "{}");
    assert_says(reply, "\"damaged\":1,");
    assert_says(reply, "{\"kind\":\"damaged\",\"text\":\"the histories of 1 of 1 series cannot "
                       "be read\",\"count\":1,");
    assert_says(reply, "prices.db, then stint price fetch --all or stint price import FILE\"");
    op_done(&w->ctx);
    file = fopen(market_path, "r+b");
    assert_non_null(file);
    assert_int_equal(fputs("not a database", file) < 0, 0);
    assert_int_equal(fclose(file), 0);
    reply = ask(w, "price.doctor", "{}");
    assert_says(reply, "\"findings\":[{\"kind\":\"damaged\",\"text\":\"the file is damaged: "
                       "nothing in it can be read\",\"count\":1,");
}

static void examples_are_as_many_as_asked_for(void **state)
{
    struct store_edit *e = market_edit("skypilot", CONFIDENCE_CATALOG);
    struct world *w = *state;
    const char *reply;

    for (int i = 0; i < 9; i++) {
        char offer[64];
        struct quote q;

        (void)snprintf(offer, sizeof offer, "aws/us-east-1/x%d.large", i);
        q = market_quote(offer, 0);
        q.accelerator = STR("Voodoo 2");
        q.price[MARKET_SPOT] = CENT;
        market_add(e, &q);
    }
    market_commit(e);
    e = market_edit("other", CONFIDENCE_OFFICIAL);
    for (int i = 0; i < 9; i++) {
        char offer[64];

        (void)snprintf(offer, sizeof offer, "aws/us-east-1/x%d.large", i);
        market_tell(e, offer, 0, MARKET_SPOT, (2 + i) * CENT);
    }
    market_commit(e);
    reply = ask(w, "price.doctor", "{\"limit\":2}");
    /* The two widest conflicts, the widest first. */
    assert_says(reply,
                "\"kind\":\"conflict\",\"text\":\"9 prices on which feeds differ by more "
                "than 1 %\",\"count\":9,\"examples\":[\"aws/us-east-1/x8.large:spot "
                "$0.1/hr by other (2026-11-15), $0.01/hr by skypilot (2026-11-15)\","
                "\"aws/us-east-1/x7.large:spot ");
    assert_null(strstr(reply, "x6.large:spot $0.08/hr by"));
}

/* A log with daily prices from 90 to 70 days ago, and from 10 days ago on. */
static void add_log(void)
{
    struct feed_format format = {
        .name = "log", .confidence = CONFIDENCE_CATALOG, .scope = SCOPE_LOG};
    struct store_edit *e = market_edit("skypilot", CONFIDENCE_CATALOG);
    struct error err = {0};

    assert_true(store_edit_feed(e, &format, STR("skypilot"), STR("a log"), &err));
    for (int d = 90; d >= 0; d--)
        if (d >= 70 || d <= 10)
            market_tell(e, AZ1, d, MARKET_SPOT, (20 + d % 2) * DOLLAR);
    assert_true(store_edit_complete(e, SCOPE_LOG, (stamp){TODAY}, &err));
    market_commit(e);
}

static void a_silent_log_has_a_gap(void **state)
{
    add_log();
    assert_says(ask(*state, "price.doctor", "{}"), "\"kind\":\"gap\"");
}

static void survives_every_allocation_failure(void **state)
{
    static const char *const requests[][2] = {
        {"price.doctor", "{}"},
        {"price.history", "{\"offer\":\"p5.48xlarge\"}"},
        {"price.spot", "{\"for\":\"2h\",\"gpu\":\"h100\"}"},
        {"price.regions", "{\"instances\":\"p5.48xlarge\",\"hours\":1}"},
        {"price.diff", "{\"from\":\"7d\"}"},
    };

    fill_with_trouble();
    world_survives(*state, requests, ARRAY_LEN(requests));
}

int group_price_doctor(void)
{
    const struct CMUnitTest tests[] = {
        market_test(an_empty_store_says_what_is_used_instead),
        market_test(a_sound_store_has_no_findings),
        market_test(a_market_that_never_was_is_not_gone),
        market_test(finds_what_is_wrong_and_says_what_to_run),
        market_test(old_providers_of_a_feed_are_one_finding),
        market_test(spot_by_a_rule_is_told_from_spot_that_was_seen),
        market_test(jumps_of_the_last_days_are_found_when_the_price_is_fine),
        market_test(damage_is_found),
        market_test(examples_are_as_many_as_asked_for),
        market_test(a_silent_log_has_a_gap),
        market_test(survives_every_allocation_failure),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
