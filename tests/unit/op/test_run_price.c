/* What the machine of a run costs, and where that is known from. */
#include "market_world.h"

#include "op/context.h"
#include "op/run_price.h"

#define CLOUD "aws/us-east-1/p5.48xlarge"

/* Two regions, fresh; the catalog's own rows have other machines. */
static void fill(void)
{
    struct store_edit *e = market_edit("skypilot", CONFIDENCE_CATALOG);

    market_tell(e, CLOUD, 6, MARKET_ON_DEMAND, 55 * DOLLAR);
    market_tell(e, CLOUD, 6, MARKET_SPOT, 20 * DOLLAR);
    market_tell(e, "aws/us-west-2/p5.48xlarge", 6, MARKET_ON_DEMAND, 50 * DOLLAR);
    market_tell(e, "aws/us-west-2/p5.48xlarge", 6, MARKET_SPOT, PRICE_NONE);
    market_commit(e);
}

static struct run_price_request nothing(struct world *w)
{
    w->said[0] = '\0';
    return run_price_blank();
}

static struct plan_prediction predicted; /* by the plan of the last find() */

static struct run_price find(struct world *w, const struct run_price_request *request)
{
    struct run_price price;
    struct error err = {0};

    if (!run_price_find(&w->ctx, request, &price, &predicted, &err))
        fail_msg("%s | %s", err.text, err.hint);
    return price;
}

/* The error and its hint, until the next call. */
static const char *refused(struct world *w, const struct run_price_request *request,
                           enum error_kind kind)
{
    static char text[1024];
    struct run_price price;
    struct error err = {0};

    assert_false(run_price_find(&w->ctx, request, &price, &predicted, &err));
    (void)snprintf(text, sizeof text, "%s | %s", err.text, err.hint);
    if (err.kind != kind)
        fail_msg("kind %d: %s", err.kind, text);
    return text;
}

/* No catalog at all: one that cannot be read does not matter. */
static void a_price_that_is_said_counts(void **state)
{
    struct world *w = *state;
    struct run_price_request r = nothing(w);
    struct run_price p;

    w->settings.catalog = STR("/nonexistent/catalog");
    r.price = (usd_per_hour){2490000000};
    p = find(w, &r);
    assert_int_equal(p.how, RUN_PRICE_SAID);
    assert_int_equal(p.rate.nano, 2490000000);
    assert_int_equal(p.electricity.nano, MONEY_UNKNOWN);
    assert_str_equal(p.source, "from --price");
    assert_true(isnan(p.grams_per_kwh));
    assert_int_equal(predicted.machines, 0);
    assert_int_equal(predicted.cost.nano, MONEY_UNKNOWN);
    assert_string_equal(w->said, "");
    /* the offer says where it is, and electricity may be paid on top */
    r.offer = STR("aws/us-east-1/no-such-machine:spot");
    r.electricity = (usd_per_kwh){100000000};
    p = find(w, &r);
    assert_int_equal(p.how, RUN_PRICE_SAID);
    assert_int_equal(p.electricity.nano, 100000000);
    assert_str_equal(p.provider, "aws");
    assert_str_equal(p.region, "us-east-1");
    assert_str_equal(p.market, "spot");
}

static void an_offer_is_found_by_name(void **state)
{
    struct world *w = *state;
    struct run_price_request r = nothing(w);
    struct run_price p;

    fill();
    r.offer = STR(CLOUD ":spot");
    r.carbon = true;
    p = find(w, &r);
    assert_int_equal(p.how, RUN_PRICE_OFFER);
    assert_int_equal(p.rate.nano, 20 * DOLLAR);
    assert_int_equal(p.electricity.nano, MONEY_UNKNOWN);
    assert_str_equal(p.offer, CLOUD);
    assert_str_equal(p.market, "spot");
    assert_str_equal(p.accelerator, "H100-SXM-80GB");
    assert_int_equal(p.accelerators, 8);
    assert_str_equal(p.source,
                     CLOUD ":spot, price from 2026-11-09 (6 days old), skypilot (a file)");
    assert_near(p.billing_s, 1, 0);
    assert_near(p.minimum_s, 60, 0);
    assert_near(p.notice_s, 120, 0);
    assert_int_equal(p.storage_month.nano, 23000000);
    assert_near(p.grams_per_kwh, 379.069, 1e-9);
    assert_near(p.pue, 1.135, 1e-9);
    assert_str_equal(p.carbon_source, "379 g CO2e/kWh, aws us-east-1 (location-based average "
                                      "of 2020-2023), PUE 1.14 (fleet average)");
    assert_string_equal(w->said, "");
}

/* What is left out is chosen, and said; on demand, since that is not the less. */
static void what_a_name_leaves_out_is_chosen(void **state)
{
    struct world *w = *state;
    struct machine_seen here = {.provider = STR("aws"), .region = STR("us-east-1")};
    struct run_price_request r = nothing(w);
    struct run_price p;

    fill();
    r.offer = STR("aws/p5.48xlarge");
    p = find(w, &r);
    assert_str_equal(p.offer, "aws/us-west-2/p5.48xlarge");
    assert_str_equal(p.market, "on-demand");
    assert_int_equal(p.rate.nano, 50 * DOLLAR);
    assert_says(w->said,
                "note: 'aws/p5.48xlarge' means aws/us-west-2/p5.48xlarge, the cheapest "
                "of");
    /* the cloud says where this is */
    r = nothing(w);
    r.offer = STR("p5.48xlarge");
    r.machine = &here;
    p = find(w, &r);
    assert_str_equal(p.offer, CLOUD);
    assert_int_equal(p.rate.nano, 55 * DOLLAR);
    /* and how it is rented */
    here.market = STR("spot");
    p = find(w, &r);
    assert_int_equal(p.rate.nano, 20 * DOLLAR);
    /* machines without a GPU, and prices that hold everywhere */
    r = nothing(w);
    r.offer = STR("aws/us-east-1/c5.large");
    p = find(w, &r);
    assert_int_equal(p.rate.nano, 85000000);
    assert_int_equal(p.accelerators, 0);
    r.offer = STR("lambda/us-east-1/gpu_1x_a10");
    p = find(w, &r);
    assert_str_equal(p.offer, "lambda/*/gpu_1x_a10");
    r.offer = STR("on-prem/8x-h100-sxm");
    p = find(w, &r);
    assert_near(usd_per_hour_double(p.rate), 2.81 * 8, 1e-9);
}

/* Four regions at about $50, one far below, one far above and one that is old. */
static void fill_outliers(void)
{
    static const char *const regions[] = {"eu-a", "eu-b", "eu-c", "eu-d"};
    struct store_edit *e = market_edit("skypilot", CONFIDENCE_CATALOG);

    for (size_t i = 0; i < ARRAY_LEN(regions); i++) {
        char offer[64];

        (void)snprintf(offer, sizeof offer, "acme/%s/box", regions[i]);
        market_tell(e, offer, 6, MARKET_ON_DEMAND, (50 + (int64_t)i) * DOLLAR);
    }
    market_tell(e, "acme/eu-low/box", 6, MARKET_ON_DEMAND, 5 * DOLLAR);
    market_tell(e, "acme/eu-high/box", 6, MARKET_ON_DEMAND, 700 * DOLLAR);
    market_tell(e, "acme/eu-old/box", 500, MARKET_ON_DEMAND, 49 * DOLLAR);
    market_commit(e);
}

/* As plans do: an outlier is not the cheapest, and an old price counts at the end of its
 * range. */
static void outliers_and_old_prices_are_not_chosen(void **state)
{
    struct world *w = *state;
    struct machine_seen here = {.provider = STR("acme"), .instance = STR("box")};
    struct run_price_request r = nothing(w);

    fill_outliers();
    r.offer = STR("acme/box");
    assert_int_equal(find(w, &r).rate.nano, 50 * DOLLAR);
    r = nothing(w);
    r.offer = STR("acme/eu-low/box");
    assert_int_equal(find(w, &r).rate.nano, 5 * DOLLAR);
    assert_says(w->said, "warning: the price of acme/eu-low/box is far below those of other "
                         "regions");
    /* the most expensive that it may be, but not one that cannot be right */
    r = nothing(w);
    r.machine = &here;
    assert_int_equal(find(w, &r).rate.nano, 53 * DOLLAR);
    here.region = STR("eu-high");
    assert_int_equal(find(w, &r).rate.nano, 700 * DOLLAR);
    assert_says(w->said, "is far above those of other regions");
}

static void old_prices_are_warned_of(void **state)
{
    struct world *w = *state;
    struct run_price_request r = nothing(w);

    r.offer = STR("aws/us-west-2/g5.xlarge:spot");
    assert_near(usd_per_hour_double(find(w, &r).rate), 0.4811, 1e-9);
    assert_says(w->said, "warning: the price of aws/us-west-2/g5.xlarge is from 2026-08-22, 85 "
                         "days old: 'stint price fetch' gets today's");
    w->settings.stale_after = (span){100 * 24 * SPAN_HOUR};
    r = nothing(w);
    r.offer = STR("aws/us-west-2/g5.xlarge:spot");
    (void)find(w, &r);
    assert_string_equal(w->said, "");
}

static void wrong_names_are_refused(void **state)
{
    struct world *w = *state;
    struct run_price_request r = nothing(w);
    const char *text;

    fill();
    r.offer = STR("aws/us-east-1/p5.48xlrge");
    text = refused(w, &r, ERROR_ABSENT);
    assert_says(text, "there is no offer 'aws/us-east-1/p5.48xlrge' | did you mean "
                      "'p5.48xlarge'?");
    r.offer = STR("azure/p5.48xlarge");
    assert_says(refused(w, &r, ERROR_ABSENT), "'p5.48xlarge' is sold elsewhere");
    r.offer = STR("aws/us-west-2/p5.48xlarge:spott");
    assert_says(refused(w, &r, ERROR_USAGE), "did you mean 'spot'?");
    r.offer = STR("lambda/gpu_1x_a10:spot");
    assert_says(refused(w, &r, ERROR_ABSENT),
                "no spot price of 'lambda/gpu_1x_a10:spot' is known | use --price");
    r.offer = STR(CLOUD ":reserved-1y");
    assert_says(refused(w, &r, ERROR_ABSENT), "no reserved-1y price");
    r.offer = STR("a/b/c/d/e");
    assert_says(refused(w, &r, ERROR_USAGE), "'a/b/c/d/e' is not an offer");
    /* also where a price makes it all but needless */
    r.price = (usd_per_hour){DOLLAR};
    assert_says(refused(w, &r, ERROR_USAGE), "'a/b/c/d/e' is not an offer");
}

/* --- the machine ------------------------------------------------------------------------- */

static void the_machine_is_looked_up(void **state)
{
    struct world *w = *state;
    struct machine_seen m = {.provider = STR("aws"),
                             .instance = STR("p5.48xlarge"),
                             .region = STR("us-east-1"),
                             .market = STR("spot")};
    struct run_price_request r = nothing(w);
    struct run_price p;

    fill();
    r.machine = &m;
    r.gpus = 8;
    p = find(w, &r);
    assert_int_equal(p.how, RUN_PRICE_MACHINE);
    assert_int_equal(p.rate.nano, 20 * DOLLAR);
    assert_str_equal(p.offer, CLOUD);
    assert_string_equal(w->said, "");
    /* a market that is not told is the dearer */
    m.market = (struct str){0};
    p = find(w, &r);
    assert_int_equal(p.rate.nano, 55 * DOLLAR);
    assert_says(w->said, "whether this is a spot machine is not known");
    /* a spot price that is not known is not more than on demand */
    m.market = STR("spot");
    m.region = STR("us-west-2");
    w->said[0] = '\0';
    p = find(w, &r);
    assert_int_equal(p.rate.nano, 50 * DOLLAR);
    assert_str_equal(p.market, "on-demand");
    assert_says(w->said, "warning: no spot price of aws/us-west-2/p5.48xlarge is known");
    /* what is said comes first */
    r.offer = STR(CLOUD);
    assert_int_equal(find(w, &r).how, RUN_PRICE_OFFER);
    r.price = (usd_per_hour){DOLLAR};
    assert_int_equal(find(w, &r).how, RUN_PRICE_SAID);
}

static void a_machine_that_nobody_knows_has_no_price(void **state)
{
    struct world *w = *state;
    struct machine_seen m = {.provider = STR("aws"),
                             .instance = STR("z9.huge"),
                             .region = STR("us-east-1"),
                             .market = STR("on-demand")};
    struct run_price_request r = nothing(w);
    struct run_price p;

    /* not even that of electricity: the cloud pays it */
    w->settings.electricity = (usd_per_kwh){300000000};
    r.machine = &m;
    r.carbon = true;
    p = find(w, &r);
    assert_int_equal(p.how, RUN_PRICE_UNKNOWN);
    assert_int_equal(p.rate.nano, MONEY_UNKNOWN);
    assert_int_equal(p.electricity.nano, MONEY_UNKNOWN);
    assert_str_equal(p.source, "not known: aws/us-east-1/z9.huge is not in the catalog");
    assert_str_equal(p.hint, "'stint price fetch' may know it; --price '$2.49/hr' sets it");
    assert_near(p.grams_per_kwh, 379.069, 1e-9);
    m.instance = STR("g5.xlarge");
    m.region = STR("mars-north-1");
    p = find(w, &r);
    assert_str_equal(p.source, "not known: aws/mars-north-1/g5.xlarge has no price in this "
                               "region");
    m = (struct machine_seen){.provider = STR("runpod")};
    p = find(w, &r);
    assert_str_equal(p.source, "not known: runpod does not report which machine this is");
    assert_says(p.hint.at, "use --price");
}

/* Clouds that do not say which machine it is: what it has says it. */
static void devices_tell_the_machine(void **state)
{
    struct world *w = *state;
    struct machine_seen m = {.provider = STR("runpod")};
    struct run_price_request r = nothing(w);
    struct run_price p;

    r.machine = &m;
    r.gpu = STR("NVIDIA A100-SXM4-80GB");
    r.gpus = 1;
    p = find(w, &r);
    assert_int_equal(p.how, RUN_PRICE_MACHINE);
    assert_str_equal(p.accelerator, "A100-SXM-80GB");
    assert_near(usd_per_hour_double(p.rate), 1.79, 1e-9);
    assert_says(w->said, "warning: this machine may be one of 2 offers of runpod: counted as "
                         "runpod/*/1x_A100-80GB-SXM_SECURE, the most "
                         "expensive");
    /* devices that were added to a machine */
    m = (struct machine_seen){.provider = STR("gcp"),
                              .instance = STR("n1-highmem-4"),
                              .region = STR("asia-east1"),
                              .market = STR("on-demand")};
    r.gpu = STR("Tesla T4");
    p = find(w, &r);
    assert_str_equal(p.offer, "gcp/asia-east1/n1-highmem-4+1xT4");
    assert_near(usd_per_hour_double(p.rate), 0.62396, 1e-9);
    r.gpus = 3;
    assert_int_equal(find(w, &r).how, RUN_PRICE_UNKNOWN);
}

/* --- electricity ------------------------------------------------------------------------- */

static void at_home_electricity_is_paid(void **state)
{
    struct world *w = *state;
    struct run_price_request r = nothing(w);
    struct run_price p = find(w, &r);

    assert_int_equal(p.how, RUN_PRICE_UNKNOWN);
    assert_int_equal(p.rate.nano, MONEY_UNKNOWN);
    assert_str_equal(p.hint, "use --price '$2.49/hr' or --offer NAME for a rented machine; "
                             "--electricity '0.30usd/kWh', or the setting own_machine, for "
                             "your own");
    r.electricity = (usd_per_kwh){250000000};
    p = find(w, &r);
    assert_int_equal(p.how, RUN_PRICE_ELECTRICITY);
    assert_int_equal(p.rate.nano, MONEY_UNKNOWN);
    assert_int_equal(p.electricity.nano, 250000000);
    assert_str_equal(p.source,
                     "electricity that is metered, at $0.2500/kWh, from --electricity");
    r = nothing(w);
    w->settings.electricity = (usd_per_kwh){300000000};
    p = find(w, &r);
    assert_int_equal(p.how, RUN_PRICE_UNKNOWN); /* this machine may be a rented one */
    assert_says(p.hint.at, "own_machine");
    w->settings.own_machine = true;
    p = find(w, &r);
    assert_int_equal(p.electricity.nano, 300000000);
    assert_says(p.source.at, "from your settings");
}

static void the_country_has_a_tariff(void **state)
{
    struct world *w = *state;
    struct run_price_request r = nothing(w);
    size_t at = (size_t)(field_find(&settings_fields, STR("country")) - settings_fields.at);
    struct run_price p;

    w->settings.country = STR("DE");
    w->origin.of[at] = "config.yaml";
    r.carbon = true;
    p = find(w, &r);
    assert_int_equal(p.how, RUN_PRICE_UNKNOWN);
    w->settings.own_machine = true;
    p = find(w, &r);
    assert_int_equal(p.how, RUN_PRICE_ELECTRICITY);
    assert_int_equal(p.electricity.nano, 419000000);
    assert_str_equal(p.source, "electricity that is metered, at $0.4190/kWh, households of DE, "
                               "price from 2025-06-30 (503 days old), Eurostat press release "
                               "2025-10-29 (nrg_pc_204), via pubt.io");
    assert_near(p.grams_per_kwh, 380.95, 1e-9);
    assert_near(p.pue, 1, 0);
    w->settings.country = STR("XX");
    p = find(w, &r);
    assert_int_equal(p.how, RUN_PRICE_UNKNOWN);
    assert_says(w->said, "no price of electricity is known for 'XX'");
    assert_says(p.hint.at, "--electricity");
    assert_near(p.grams_per_kwh, 475, 1e-9); /* the world's */
    /* a machine of one's own by its name is metered, too */
    r.offer = STR("local/desktop-rtx3090");
    p = find(w, &r);
    assert_int_equal(p.how, RUN_PRICE_UNKNOWN);
    w->settings.country = STR("DE");
    p = find(w, &r);
    assert_int_equal(p.how, RUN_PRICE_OFFER);
    assert_int_equal(p.rate.nano, MONEY_UNKNOWN);
    assert_int_equal(p.electricity.nano, 419000000);
    assert_says(p.source.at, "local/DE/desktop-rtx3090: electricity that is metered");
}

/* --- plans ------------------------------------------------------------------------------- */

#define USD(n) "{\"amount\":\"" #n "\",\"currency\":\"USD\"}"

static struct str plan_of(const char *plans, const char *money)
{
    static char path[160];
    FILE *f;

    (void)snprintf(path, sizeof path, "%s/plan.json", market_folder);
    f = fopen(path, "w");
    assert_non_null(f);
    (void)fprintf(f, "{\"schema\":\"stint.plan/1\",\"plans\":[%s],\"money\":[%s]}", plans,
                  money);
    assert_int_equal(fclose(f), 0);
    return str_from(path);
}

#define BEST \
    "{\"offer\":\"" CLOUD "\",\"provider\":\"aws\",\"region\":\"us-east-1\"," \
    "\"market\":\"spot\",\"price\":" USD( \
        16) ",\"price_date\":\"2026-11-14\"," \
            "\"cost\":" USD(100) ",\"cost_low\":" USD(90) ",\"cost_high\":" USD( \
                130) "," \
                     "\"machines\":2,\"rented_gpus\":16,\"hours\":{\"value\":2.5}}"

static void a_plan_brings_price_and_estimate(void **state)
{
    struct world *w = *state;
    struct run_price_request r = nothing(w);
    struct run_price p;

    r.plan = plan_of(BEST, "{\"name\":\"setup\",\"amount\":" USD(
                               4) "},{\"name\":\"storage\",\"amount\":" USD(1) "}");
    p = find(w, &r);
    assert_int_equal(p.how, RUN_PRICE_PLAN);
    assert_int_equal(p.rate.nano, 16 * DOLLAR);
    assert_str_equal(p.offer, CLOUD);
    assert_int_equal(p.accelerators, 8);
    assert_says(p.source.at, CLOUD ":spot, price from 2026-11-14 (1 day old), of the plan in ");
    assert_int_equal(predicted.cost.nano, 100 * DOLLAR);
    assert_int_equal(predicted.cost_low.nano, 90 * DOLLAR);
    assert_int_equal(predicted.time.ns, 5 * SPAN_HOUR / 2);
    assert_int_equal(predicted.machines, 2);
    assert_int_equal(predicted.rate.nano, 32 * DOLLAR);
    assert_int_equal(predicted.setup.nano, 2 * DOLLAR);
    assert_int_equal(predicted.storage.nano, DOLLAR / 2);
    assert_int_equal(predicted.egress.nano, MONEY_UNKNOWN);
    assert_says(
        predicted.features.at,
        "\"machines\":2,\"price\":\"16\",\"lines\":{\"setup\":{\"amount\":\"4\",\"hours\":0},"
        "\"storage\":{\"amount\":\"1\",\"hours\":0}}}");
    assert_says(w->said, "note: the plan rents 2 machines for $32.00/hr together: this run "
                         "counts its own, $16.00/hr");
    /* what is said counts, and the estimate stays */
    r.price = (usd_per_hour){DOLLAR};
    p = find(w, &r);
    assert_int_equal(p.how, RUN_PRICE_SAID);
    assert_int_equal(p.rate.nano, DOLLAR);
    assert_int_equal(predicted.cost.nano, 100 * DOLLAR);
}

static void plans_that_are_no_use_are_refused(void **state)
{
    struct world *w = *state;
    struct run_price_request r = nothing(w);

    r.plan = STR("/nonexistent/plan.json");
    assert_says(refused(w, &r, ERROR_ABSENT), "/nonexistent/plan.json");
    r.plan = plan_of("", "");
    assert_says(refused(w, &r, ERROR_INPUT), "it holds no plan of one job");
    r.plan = plan_of("{\"offer\":\"" CLOUD "\",\"market\":\"spot\"}", "");
    assert_says(refused(w, &r, ERROR_INPUT), "its best plan has no price");
    /* but what it lacks may be said */
    r.price = (usd_per_hour){DOLLAR};
    (void)find(w, &r);
    assert_int_equal(predicted.machines, 1);
    /* an own machine is metered */
    r = nothing(w);
    w->settings.electricity = (usd_per_kwh){300000000};
    r.plan = plan_of("{\"provider\":\"local\",\"offer\":\"local/US/"
                     "desktop-rtx3090\",\"market\":\"on-demand\","
                     "\"price\":" USD(0.1) "}",
                     "");
    assert_int_equal(find(w, &r).electricity.nano, 300000000);
    assert_int_equal(find(w, &r).rate.nano, MONEY_UNKNOWN);
}

/* However soon memory runs out, nothing is kept. */
static void it_survives_without_memory(void **state)
{
    struct world *w = *state;
    struct machine_seen m = {.provider = STR("aws"), .instance = STR("p5.48xlarge")};
    struct run_price_request requests[3];

    fill();
    for (size_t i = 0; i < ARRAY_LEN(requests); i++) {
        requests[i] = nothing(w);
        requests[i].carbon = true;
    }
    requests[0].machine = &m;
    requests[1].offer = STR("p5.48xlarge");
    requests[2].plan = plan_of(BEST, "");
    for (size_t i = 0; i < ARRAY_LEN(requests); i++) {
        bool ok = false;

        for (size_t allow = 0; !ok; allow++) {
            struct failing_alloc failing = {.allow = allow};
            struct alloc alloc = {failing_get, failing_put, &failing};
            struct arena arena = {.alloc = &alloc, .block_size = ARENA_BLOCK_SIZE};
            struct op_context ctx = w->ctx;
            struct run_price price;
            struct error err = {0};

            assert_true(allow < 2000);
            ctx.arena = &arena;
            ok = run_price_find(&ctx, &requests[i], &price, &predicted, &err);
            assert_int_equal(err.kind, ok ? ERROR_NONE : ERROR_MEMORY);
            /* one block holds the answer's texts: what was read is gone */
            assert_true(failing.held <= 1);
            arena_free(&arena);
            assert_int_equal(failing.held, 0);
        }
    }
}

int group_run_price(void)
{
    const struct CMUnitTest tests[] = {
        market_test(a_price_that_is_said_counts),
        market_test(an_offer_is_found_by_name),
        market_test(what_a_name_leaves_out_is_chosen),
        market_test(outliers_and_old_prices_are_not_chosen),
        market_test(old_prices_are_warned_of),
        market_test(wrong_names_are_refused),
        market_test(the_machine_is_looked_up),
        market_test(a_machine_that_nobody_knows_has_no_price),
        market_test(devices_tell_the_machine),
        market_test(at_home_electricity_is_paid),
        market_test(the_country_has_a_tariff),
        market_test(a_plan_brings_price_and_estimate),
        market_test(plans_that_are_no_use_are_refused),
        market_test(it_survives_without_memory),
    };

    return cmocka_run_group_tests_name("run_price", tests, NULL, NULL);
}
