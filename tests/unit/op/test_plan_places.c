/* From what the user has to the places of the planner. */
#include "op/context.h"
#include "places_world.h"

static void an_offer_is_a_place_in_each_market(void **state)
{
    struct world *w = *state;
    struct gathered g;
    const struct plan_place *p, *spot;

    write_facts(w);
    start(w, &g);
    gather(w, &g);
    p = place(&g, "acme/eu-1/a", MARKET_ON_DEMAND);
    assert_int_equal(p->bars, 0);
    assert_int_equal(p->price.nano, 20 * DOLLAR);
    assert_true(str_eq(p->machine->gpu->name, STR("H100-SXM-80GB")));
    assert_int_equal(p->machine->count, 8);
    assert_near(machine_host_bytes(p->machine), 1024.0 * 1024 * 1024 * 1024, 1);
    assert_true(p->join.joins && p->join.assumed && !p->join.sockets);
    assert_int_equal(p->join.supply, ASSUMED_MACHINES);
    assert_near(p->join.gb_s, 1600 / 8.0 / 8, 1e-12);
    assert_true(p->join.doubt > 0.4);
    assert_near(p->billing_s, 60, 0);
    assert_near(p->minimum_s, 120, 0);
    assert_near(p->reliability, 0.99, 1e-12);
    assert_near(p->notice_s, 60, 0);
    assert_near(p->pue, 1.1, 1e-12);
    assert_near(p->carbon_g_kwh, 50, 1e-12);
    assert_near(p->terms->setup_s, 300, 0);
    assert_near(p->commit_hours, 0, 0);
    spot = place(&g, "acme/eu-1/a", MARKET_SPOT);
    assert_int_equal(spot->price.nano, 8 * DOLLAR);
    assert_int_equal(spot->machine->on_demand.nano, 20 * DOLLAR);
    assert_ptr_equal(spot->terms, p->terms);
    assert_null(find(&g, "acme/eu-1/b", MARKET_SPOT));
    assert_true(isnan(machine_host_bytes(place(&g, "acme/eu-1/b", MARKET_ON_DEMAND)->machine)));
    assert_ptr_equal(place(&g, "acme/eu-1/b", MARKET_ON_DEMAND)->terms, p->terms);
    p = place(&g, "acme/eu-1/b", MARKET_ON_DEMAND); /* the narrower pattern */
    assert_true(p->join.joins && !p->join.assumed && p->join.sockets);
    assert_int_equal(p->join.supply, 6);
    assert_near(p->join.gb_s, 25 / 8.0 / 4, 1e-12);
    assert_near(p->join.doubt, 0, 0);
    /* Where nothing is known, the world's carbon, the usual hall, one machine. */
    p = place(&g, "hosts/*/h", MARKET_ON_DEMAND);
    assert_true(!p->join.joins && p->join.assumed && p->join.supply == 1);
    assert_near(p->pue, USUAL_PUE, 0);
    assert_near(p->carbon_g_kwh, WORLD_G_KWH, 0);
    assert_near(p->billing_s, 0, 0);
    assert_true(isnan(p->reliability));
    /* An accelerator without a known speed makes no place. */
    assert_null(find(&g, "acme/us-1/u", MARKET_ON_DEMAND));
    assert_true(g.facts.slow >= 1);
    assert_true(g.facts.offers > g.facts.slow);
    assert_int_equal(g.age.total, (int64_t)g.count);
}

static void markets_are_barred_unless_asked_for(void **state)
{
    struct world *w = *state;
    struct gathered g;

    write_facts(w);
    start(w, &g);
    gather(w, &g);
    assert_int_equal(bars(&g, "acme/eu-1/a", MARKET_SPOT), BAR_MARKET);
    g.job.limits.market = STR("any");
    gather(w, &g);
    assert_int_equal(bars(&g, "acme/eu-1/a", MARKET_SPOT), 0);
    assert_int_equal(bars(&g, "acme/eu-1/a", MARKET_ON_DEMAND), 0);
    assert_int_equal(bars(&g, "acme/eu-1/a", MARKET_RESERVED), BAR_COMMIT);
    g.ask.places.market = STR("spot"); /* over the job's */
    gather(w, &g);
    assert_int_equal(bars(&g, "acme/eu-1/a", MARKET_SPOT), 0);
    assert_int_equal(bars(&g, "acme/eu-1/a", MARKET_ON_DEMAND), BAR_MARKET);
    assert_int_equal(bars(&g, "on-prem/*/rack", MARKET_OWN), 0);
}

static void providers_need_an_account_unless_named(void **state)
{
    struct world *w = *state;
    struct gathered g;

    write_facts(w);
    start(w, &g);
    w->settings.providers = LIST(STR("hosts"));
    gather(w, &g);
    assert_int_equal(bars(&g, "acme/eu-1/a", MARKET_ON_DEMAND), BAR_ACCOUNT);
    assert_int_equal(bars(&g, "hosts/*/h", MARKET_ON_DEMAND), 0);
    assert_int_equal(bars(&g, "on-prem/*/rack", MARKET_OWN), 0);
    g.ask.providers = LIST(STR("acme"));
    gather(w, &g);
    assert_int_equal(bars(&g, "acme/eu-1/a", MARKET_ON_DEMAND), 0);
    assert_int_equal(bars(&g, "hosts/*/h", MARKET_ON_DEMAND), BAR_PROVIDER);
    g.ask.providers = LIST(STR("!hosts"));
    gather(w, &g);
    assert_int_equal(bars(&g, "acme/eu-1/a", MARKET_ON_DEMAND), BAR_ACCOUNT);
    assert_int_equal(bars(&g, "hosts/*/h", MARKET_ON_DEMAND), BAR_PROVIDER);
    w->settings.providers = LIST(STR("hotss"));
    refused(w, &g, ERROR_ABSENT, "there is no provider 'hotss'");
    assert_says(g.err.hint, "hosts");
}

static void patterns_of_job_and_options_hold_together(void **state)
{
    struct world *w = *state;
    struct gathered g;

    write_facts(w);
    start(w, &g);
    g.job.limits.regions = LIST(STR("eu-*"), STR("!us-1"));
    gather(w, &g);
    assert_int_equal(bars(&g, "acme/eu-1/a", MARKET_ON_DEMAND), 0);
    assert_int_equal(bars(&g, "acme/us-1/a", MARKET_ON_DEMAND), BAR_REGION);
    assert_int_equal(bars(&g, "hosts/*/h", MARKET_ON_DEMAND), BAR_REGION);
    g.ask.regions = LIST(STR("us-*"), STR("e?-1")); /* allowed here, denied by the job */
    gather(w, &g);
    assert_int_equal(bars(&g, "acme/us-1/a", MARKET_ON_DEMAND), BAR_REGION);
    assert_int_equal(bars(&g, "acme/eu-1/a", MARKET_ON_DEMAND), 0);
    g.ask.regions = LIST(STR("!eu-9"));
    refused(w, &g, ERROR_ABSENT, "there is no region 'eu-9'");
    g.ask.regions = (struct strs){0};
    g.ask.providers = LIST(STR("acne"));
    refused(w, &g, ERROR_ABSENT, "there is no provider 'acne'");
    assert_says(g.err.hint, "acme");
}

static void gpus_are_known_by_all_their_names(void **state)
{
    struct world *w = *state;
    struct gathered g;

    write_facts(w);
    start(w, &g);
    g.ask.gpus = LIST(STR("nvidia h100"), STR("rtx 4090"));
    gather(w, &g);
    assert_int_equal(bars(&g, "acme/eu-1/a", MARKET_ON_DEMAND), 0);
    assert_int_equal(bars(&g, "hosts/*/h", MARKET_ON_DEMAND), 0);
    assert_int_equal(bars(&g, "acme/eu-1/b", MARKET_ON_DEMAND), BAR_GPU);
    assert_int_equal(bars(&g, "on-prem/*/rack", MARKET_OWN), BAR_GPU);
    g.ask.gpus = LIST(STR("!A100*"));
    g.job.limits.gpus = LIST(STR("!T4"));
    gather(w, &g);
    assert_int_equal(bars(&g, "acme/eu-1/a", MARKET_ON_DEMAND), 0);
    assert_int_equal(bars(&g, "acme/eu-1/b", MARKET_ON_DEMAND), BAR_GPU);
    assert_int_equal(bars(&g, "acme/us-1/t", MARKET_ON_DEMAND), BAR_GPU);
    g.ask.gpus = LIST(STR("H1000"));
    refused(w, &g, ERROR_ABSENT, "there is no accelerator 'H1000'");
    assert_says(g.err.hint, "did you mean");
}

static void reliability_that_is_unknown_is_not_enough(void **state)
{
    struct world *w = *state;
    struct gathered g;

    write_facts(w);
    start(w, &g);
    g.ask.min_reliability = 0.99;
    gather(w, &g);
    assert_int_equal(bars(&g, "acme/eu-1/a", MARKET_ON_DEMAND), 0);
    assert_int_equal(bars(&g, "hosts/*/h", MARKET_ON_DEMAND), BAR_RELIABILITY);
    g.ask.min_reliability = NAN;
    g.job.limits.min_reliability = 0.995;
    gather(w, &g);
    assert_int_equal(bars(&g, "acme/eu-1/a", MARKET_ON_DEMAND), BAR_RELIABILITY);
}

static void old_prices_are_left_out(void **state)
{
    struct world *w = *state;
    struct gathered g;

    write_facts(w);
    start(w, &g);
    gather(w, &g);
    assert_non_null(find(&g, "acme/us-1/a", MARKET_ON_DEMAND));
    assert_int_equal(g.facts.old, 0);
    g.ask.places.max_age = span_hours(30 * 24);
    gather(w, &g);
    assert_null(find(&g, "acme/us-1/a", MARKET_ON_DEMAND));
    assert_non_null(find(&g, "acme/eu-1/a", MARKET_ON_DEMAND));
    assert_true(g.facts.old >= 1);
    assert_true(g.age.oldest.n >= op_today(&w->ctx).n - 30);
}

static void the_risk_of_spot_is_the_models(void **state)
{
    struct world *w = *state;
    struct gathered g;
    struct interruption_model m;
    size_t seen = 0;

    write_facts(w);
    start(w, &g);
    gather(w, &g);
    for (size_t i = 0; i < g.count; i++) {
        const struct plan_place *p = &g.at[i];
        double share;

        if (p->market != MARKET_SPOT || !str_eq(p->machine->provider, STR("aws")))
            continue;
        m = interruption_model(&w->ctx.catalog, STR("aws"));
        share = p->machine->on_demand.nano > 0
                    ? (double)p->price.nano / (double)p->machine->on_demand.nano
                    : NAN;
        assert_near(p->risk.first_hour, interruption_hazard(&m, share, 1, 0), 1e-12);
        assert_near(p->risk.shape, m.shape, 0);
        assert_near(p->risk.up, interruption_up(&w->ctx.catalog, STR("aws")), 0);
        assert_near(p->risk.gone, 0, 0);
        seen++;
    }
    assert_true(seen > 3);
    /* Of a provider that nobody watched: the others' machines, and no share of time. */
    assert_true(place(&g, "acme/eu-1/a", MARKET_SPOT)->risk.first_hour > 0);
    assert_true(isnan(place(&g, "acme/eu-1/a", MARKET_SPOT)->risk.up));
    assert_int_equal(g.facts.unwatched, 0);
}

static void nothing_to_plan_with_is_an_error(void **state)
{
    struct world *w = *state;
    struct gathered g;

    start(w, &g);
    g.ask.places.max_age = span_hours(0);
    refused(w, &g, ERROR_ABSENT, "there is no machine to plan with");
    assert_says(g.err.hint, "--max-age");
    g.ask.places.max_age = SPAN_UNKNOWN;
    gather(w, &g);
    assert_true(g.count > 100);
    for (size_t i = 0; i < g.count; i++)
        assert_int_not_equal(g.at[i].market, MARKET_OWN);
    g.job.train.data.at = STR("nowhere/us");
    refused(w, &g, ERROR_INPUT, "data.at: there is no provider 'nowhere'");
}

static void want_of_memory_is_told(void **state)
{
    struct world *w = *state;
    bool ok = false;

    write_facts(w);
    w->settings.owned = LIST(STR("acme/eu-1/a=200h"));
    for (size_t allow = 0; !ok; allow++) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct arena arena = {.alloc = &alloc, .block_size = ARENA_BLOCK_SIZE};
        struct op_context ctx = w->ctx;
        struct gathered g;

        assert_true(allow < 2000);
        start(w, &g);
        ctx.arena = &arena;
        ok = gather_in(&ctx, &g);
        assert_int_equal(g.err.kind, ok ? ERROR_NONE : ERROR_MEMORY);
        op_done(&ctx);
        arena_free(&arena);
        assert_int_equal(failing.held, 0);
    }
}

static void weeks_are_looked_up_when_asked_for(void **state)
{
    struct world *w = *state;
    struct gathered g;
    const struct plan_place *p = NULL;
    size_t moving = 0;

    start(w, &g);
    gather(w, &g);
    for (size_t i = 0; i < g.count; i++) {
        assert_null(g.at[i].prices);
        assert_null(g.at[i].carbon);
    }
    g.ask.places.weeks = true;
    gather(w, &g);
    for (size_t i = 0; i < g.count; i++) {
        struct week week;
        bool measured, known;

        known = week_of_prices(&w->ctx.catalog, g.at[i].machine->provider,
                               str_from(market_names[g.at[i].market]), &week, &measured);
        if (g.at[i].market == MARKET_RESERVED || !known || !measured || !week_varies(&week)) {
            assert_null(g.at[i].prices);
            continue;
        }
        moving++;
        assert_memory_equal(g.at[i].prices, &week, sizeof week);
        if (g.at[i].carbon != NULL)
            p = &g.at[i];
    }
    assert_true(moving > 10);
    assert_non_null(p);
    assert_true(week_varies(p->carbon));
}

int group_plan_places(void)
{
    const struct CMUnitTest tests[] = {
        market_test(an_offer_is_a_place_in_each_market),
        market_test(markets_are_barred_unless_asked_for),
        market_test(providers_need_an_account_unless_named),
        market_test(patterns_of_job_and_options_hold_together),
        market_test(gpus_are_known_by_all_their_names),
        market_test(reliability_that_is_unknown_is_not_enough),
        market_test(old_prices_are_left_out),
        market_test(the_risk_of_spot_is_the_models),
        market_test(nothing_to_plan_with_is_an_error),
        market_test(want_of_memory_is_told),
        market_test(weeks_are_looked_up_when_asked_for),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
