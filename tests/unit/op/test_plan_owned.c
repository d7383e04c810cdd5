/* Places that cost what no price list says: terms, platforms, hours and machines that are
 * owned. */
#include "places_world.h"

static void a_term_costs_the_middle_of_its_discounts(void **state)
{
    struct world *w = *state;
    struct gathered g;
    const struct plan_place *p;
    size_t terms = 0;

    write_facts(w);
    start(w, &g);
    gather(w, &g);
    p = place(&g, "acme/eu-1/a", MARKET_RESERVED);
    assert_int_equal(p->price.nano, 14 * DOLLAR);
    assert_near(p->commit_hours, 12 * 730, 0);
    assert_int_equal(p->bars, BAR_COMMIT | BAR_MARKET);
    for (size_t i = 0; i < g.count; i++)
        terms += str_eq(g.at[i].machine->name, STR("acme/eu-1/a")) &&
                 g.at[i].market == MARKET_RESERVED;
    assert_int_equal(terms, 1); /* "up to 60 %" is no price */
    assert_int_equal(g.facts.notes.len, 0);
    g.ask.places.market = STR("reserved");
    gather(w, &g);
    assert_int_equal(bars(&g, "acme/eu-1/a", MARKET_RESERVED), 0);
    assert_int_equal(bars(&g, "acme/eu-1/a", MARKET_ON_DEMAND), BAR_MARKET);
    assert_int_equal(g.facts.notes.len, 1);
}

static void a_platform_adds_its_markup(void **state)
{
    struct world *w = *state;
    struct gathered g;

    write_facts(w);
    start(w, &g);
    g.ask.places.platform = STR("acme train");
    gather(w, &g);
    assert_int_equal(bars(&g, "acme/eu-1/a", MARKET_ON_DEMAND), 0);
    assert_near(place(&g, "acme/eu-1/a", MARKET_ON_DEMAND)->markup, 0.25, 1e-12);
    assert_int_equal(bars(&g, "hosts/*/h", MARKET_ON_DEMAND), BAR_PROVIDER);
    assert_int_equal(bars(&g, "on-prem/*/rack", MARKET_OWN), BAR_PROVIDER);
    g.ask.places.platform = STR("sagemaker");
    gather(w, &g);
    assert_int_equal(bars(&g, "acme/eu-1/a", MARKET_ON_DEMAND), BAR_PROVIDER);
    g.ask.places.platform = STR("sagemakr");
    refused(w, &g, ERROR_ABSENT, "there is no platform 'sagemakr'");
    assert_says(g.err.hint, "SageMaker");
    g.ask.places.platform = STR("acme secret");
    refused(w, &g, ERROR_ABSENT, "the markup of 'Acme Secret' is not known");
}

static void hours_that_are_paid_for_are_known(void **state)
{
    struct world *w = *state;
    struct gathered g;

    write_facts(w);
    start(w, &g);
    w->settings.providers = LIST(STR("hosts"));
    w->settings.owned = LIST(STR("acme/eu-1/a=200h"), STR("hosts/h=5"));
    g.ask.places.owned = LIST(STR("acme/*/a = 1.5d"));
    gather(w, &g);
    assert_near(place(&g, "acme/eu-1/a", MARKET_ON_DEMAND)->owned_hours, 36, 1e-9);
    assert_near(place(&g, "acme/us-1/a", MARKET_ON_DEMAND)->owned_hours, 36, 1e-9);
    assert_near(place(&g, "hosts/*/h", MARKET_ON_DEMAND)->owned_hours, 5, 1e-9);
    assert_near(place(&g, "acme/eu-1/a", MARKET_SPOT)->owned_hours, 0, 0);
    assert_near(place(&g, "acme/eu-1/b", MARKET_ON_DEMAND)->owned_hours, 0, 0);
    assert_int_equal(bars(&g, "acme/eu-1/a", MARKET_ON_DEMAND), 0);
    assert_int_equal(bars(&g, "acme/eu-1/b", MARKET_ON_DEMAND), BAR_ACCOUNT);
    g.ask.places.owned = LIST(STR("acme/eu-1/z9=200h"));
    refused(w, &g, ERROR_ABSENT, "there is no offer 'acme/eu-1/z9'");
    g.ask.places.owned = LIST(STR("acme/eu-1/a"));
    refused(w, &g, ERROR_USAGE, "has no hours");
    g.ask.places.owned = LIST(STR("acme/eu-1/a=-3"));
    refused(w, &g, ERROR_USAGE, "is not a number of hours");
    g.ask.places.owned = LIST(STR("acme/eu-1/a=many"));
    refused(w, &g, ERROR_USAGE, "'many' is not a number of hours");
    g.ask.places.owned = LIST(STR("acme/eu-1/a:spot=3h"));
    refused(w, &g, ERROR_USAGE, "have no market");
}

static void the_own_machine_costs_its_power(void **state)
{
    struct world *w = *state;
    struct gathered g;
    const struct plan_place *p;

    write_facts(w);
    start(w, &g);
    gather(w, &g);
    assert_null(find(&g, "local/US/desktop-rtx3060", MARKET_OWN));
    w->settings.machine = STR("desktop-rtx3060");
    w->settings.country = STR("FR");
    w->settings.electricity = (usd_per_kwh){DOLLAR / 5};
    w->settings.providers = LIST(STR("hosts"));
    gather(w, &g);
    p = place(&g, "local/FR/desktop-rtx3060", MARKET_OWN);
    assert_int_equal(p->price.nano, DOLLAR * 322 / 5000);
    assert_near(p->carbon_g_kwh, 56.039, 1e-6);
    assert_near(p->pue, 1, 0);
    assert_int_equal(p->join.supply, 1);
    assert_int_equal(p->bars, 0);
    p = place(&g, "on-prem/*/rack", MARKET_OWN);
    assert_int_equal(p->price.nano, 72 * DOLLAR / 10);
    assert_near(p->carbon_g_kwh, 56.039, 1e-6);
    assert_int_equal(p->join.supply, 1);
    assert_null(find(&g, "on-prem/*/guide-8x-h100", MARKET_OWN)); /* nobody's */
    w->settings.machine = STR("desktop-rtx306");
    refused(w, &g, ERROR_ABSENT, "there is no machine 'desktop-rtx306'");
    assert_says(g.err.hint, "desktop-rtx3060");
}

int group_plan_owned(void)
{
    const struct CMUnitTest tests[] = {
        market_test(a_term_costs_the_middle_of_its_discounts),
        market_test(a_platform_adds_its_markup),
        market_test(hours_that_are_paid_for_are_known),
        market_test(the_own_machine_costs_its_power),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
