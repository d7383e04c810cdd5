/* From what the user has to the places of the planner. */
#include "market_world.h"

#include <sys/stat.h>

#include "estimate/terms.h"
#include "op/plan_places.h"
#include "spot/interruption.h"

/* The user's own facts: a provider with one machine, one without a fast network, a machine in a
 * rack, a platform. */
static void write_facts(struct world *w)
{
    static const char *const files[][2] = {
        {"offers.csv", "provider,region,instance,accelerator,count,memory_gib,on_demand_usd_h,"
                       "spot_usd_h,date,"
                       "source\n"
                       "acme,eu-1,a,H100-SXM-80GB,8,1024,20,8,2026-11-14,us\n"
                       "acme,eu-1,b,A100-SXM-80GB,4,,10,,2026-11-14,us\n"
                       "acme,us-1,a,H100-SXM-80GB,8,1024,22,,2026-06-01,us\n"
                       "acme,us-1,t,T4,1,,0.5,,2026-11-14,us\n"
                       "acme,us-1,u,Gaudi1,8,,9,,2026-11-14,us\n"
                       "hosts,*,h,RTX4090,1,,0.4,0.2,2026-11-14,us\n"},
        {"providers.csv",
         "provider,title,notice_s,billing_s,minimum_s,setup_s,reliability,joins,date,source\n"
         "acme,Acme,60,60,120,300,0.99,yes,2026-11-14,us\n"
         "hosts,Hosts,,,,,,no,2026-11-14,us\n"},
        {"commitments.csv",
         "provider,kind,term_months,discount_low,discount_high,automatic,date,source\n"
         "acme,commitment,12,0.2,0.4,no,2026-11-14,us\n"
         "acme,commitment,36,,0.6,no,2026-11-14,us\n"
         "acme,spot,0,0.5,0.6,no,2026-11-14,us\n"},
        {"managed.csv", "provider,product,training_markup,date,source\n"
                        "acme,Acme Train,0.25,2026-11-14,us\n"
                        "acme,Acme Secret,,2026-11-14,us\n"},
        {"onprem.csv", "machine,accelerator,count,usd_per_gpu_hour,date,source\n"
                       "rack,A100-SXM-80GB,8,0.9,2026-11-14,us\n"},
        {"regions.csv", "provider,region,carbon_g_kwh,pue,date,source\n"
                        "acme,eu-1,50,1.1,2026-11-14,us\n"},
    };
    static char facts[100];
    char path[160];

    (void)snprintf(facts, sizeof facts, "%s/facts", market_folder);
    assert_int_equal(mkdir(facts, 0700), 0);
    w->settings.catalog = str_from(facts);
    for (size_t i = 0; i < ARRAY_LEN(files); i++) {
        FILE *f;

        (void)snprintf(path, sizeof path, "%s/facts/%s", market_folder, files[i][0]);
        f = fopen(path, "w");
        assert_non_null(f);
        (void)fputs(files[i][1], f);
        assert_int_equal(fclose(f), 0);
    }
}

struct gathered {
    struct job job;
    struct plan_places_ask ask;
    struct plan_place *at;
    size_t count;
    struct plan_places_facts facts;
    struct error err;
};

static void start(struct world *w, struct gathered *g)
{
    *g = (struct gathered){.ask = {.min_reliability = NAN, .max_age = SPAN_UNKNOWN}};
    assert_true(job_reset(&g->job, &w->arena, &g->err));
}

static void gather(struct world *w, struct gathered *g)
{
    g->err = (struct error){0};
    if (!plan_places(&w->ctx, &g->job, &g->ask, &g->at, &g->count, &g->facts, &g->err))
        fail_msg("%s (%s)", g->err.text, g->err.hint);
}

static void refused(struct world *w, struct gathered *g, enum error_kind kind, const char *text)
{
    g->err = (struct error){0};
    assert_false(plan_places(&w->ctx, &g->job, &g->ask, &g->at, &g->count, &g->facts, &g->err));
    assert_int_equal(g->err.kind, kind);
    assert_says(g->err.text, text);
}

static const struct plan_place *find(const struct gathered *g, const char *offer,
                                     enum plan_market market)
{
    for (size_t i = 0; i < g->count; i++)
        if (str_eq(g->at[i].offer, str_from(offer)) && g->at[i].market == market)
            return &g->at[i];
    return NULL;
}

static const struct plan_place *place(const struct gathered *g, const char *offer,
                                      enum plan_market market)
{
    const struct plan_place *p = find(g, offer, market);

    if (p == NULL)
        fail_msg("there is no %s of %s", plan_market_names[market], offer);
    return p;
}

static unsigned bars(const struct gathered *g, const char *offer, enum plan_market market)
{
    return place(g, offer, market)->bars;
}

#define LIST(...) \
    ((struct strs){(const struct str[]){__VA_ARGS__}, \
                   sizeof((const struct str[]){__VA_ARGS__}) / sizeof(struct str)})

static void an_offer_is_a_place_in_each_market(void **state)
{
    struct world *w = *state;
    struct gathered g;
    const struct plan_place *p, *spot;

    write_facts(w);
    start(w, &g);
    gather(w, &g);
    p = place(&g, "acme/eu-1/a", PLAN_ON_DEMAND);
    assert_int_equal(p->bars, 0);
    assert_int_equal(p->price.nano, 20 * DOLLAR);
    assert_true(str_eq(p->gpu->name, STR("H100-SXM-80GB")));
    assert_int_equal(p->count, 8);
    assert_near(p->host_bytes, 1024.0 * 1024 * 1024 * 1024, 1);
    assert_int_equal(p->capacity, PLACE_MANY);
    assert_near(p->billing_s, 60, 0);
    assert_near(p->minimum_s, 120, 0);
    assert_near(p->reliability, 0.99, 1e-12);
    assert_near(p->notice_s, 60, 0);
    assert_near(p->pue, 1.1, 1e-12);
    assert_near(p->carbon_g_kwh, 50, 1e-12);
    assert_near(p->terms->setup_s, 300, 0);
    assert_near(p->commit_hours, 0, 0);
    spot = place(&g, "acme/eu-1/a", PLAN_SPOT);
    assert_int_equal(spot->price.nano, 8 * DOLLAR);
    assert_int_equal(spot->on_demand.nano, 20 * DOLLAR);
    assert_ptr_equal(spot->terms, p->terms);
    assert_null(find(&g, "acme/eu-1/b", PLAN_SPOT));
    assert_true(isnan(place(&g, "acme/eu-1/b", PLAN_ON_DEMAND)->host_bytes));
    assert_ptr_equal(place(&g, "acme/eu-1/b", PLAN_ON_DEMAND)->terms, p->terms);
    /* Where nothing is known, the world's carbon, the usual hall, one machine. */
    p = place(&g, "hosts/*/h", PLAN_ON_DEMAND);
    assert_int_equal(p->capacity, 1);
    assert_near(p->pue, USUAL_PUE, 0);
    assert_near(p->carbon_g_kwh, WORLD_G_KWH, 0);
    assert_near(p->billing_s, 0, 0);
    assert_true(isnan(p->reliability));
    /* An accelerator without a known speed makes no place. */
    assert_null(find(&g, "acme/us-1/u", PLAN_ON_DEMAND));
    assert_true(g.facts.slow >= 1);
    assert_true(g.facts.offers > g.facts.slow);
    assert_int_equal(g.facts.age.total, (int64_t)g.count);
}

static void a_term_costs_the_middle_of_its_discounts(void **state)
{
    struct world *w = *state;
    struct gathered g;
    const struct plan_place *p;
    size_t terms = 0;

    write_facts(w);
    start(w, &g);
    gather(w, &g);
    p = place(&g, "acme/eu-1/a", PLAN_RESERVED);
    assert_int_equal(p->price.nano, 14 * DOLLAR);
    assert_near(p->commit_hours, 12 * 730, 0);
    assert_int_equal(p->bars, BAR_COMMIT | BAR_MARKET);
    for (size_t i = 0; i < g.count; i++)
        terms += str_eq(g.at[i].offer, STR("acme/eu-1/a")) && g.at[i].market == PLAN_RESERVED;
    assert_int_equal(terms, 1); /* "up to 60 %" is no price */
    assert_int_equal(g.facts.notes.len, 0);
    g.ask.market = STR("reserved");
    gather(w, &g);
    assert_int_equal(bars(&g, "acme/eu-1/a", PLAN_RESERVED), 0);
    assert_int_equal(bars(&g, "acme/eu-1/a", PLAN_ON_DEMAND), BAR_MARKET);
    assert_int_equal(g.facts.notes.len, 1);
}

static void markets_are_barred_unless_asked_for(void **state)
{
    struct world *w = *state;
    struct gathered g;

    write_facts(w);
    start(w, &g);
    gather(w, &g);
    assert_int_equal(bars(&g, "acme/eu-1/a", PLAN_SPOT), BAR_MARKET);
    g.job.limits.market = STR("any");
    gather(w, &g);
    assert_int_equal(bars(&g, "acme/eu-1/a", PLAN_SPOT), 0);
    assert_int_equal(bars(&g, "acme/eu-1/a", PLAN_ON_DEMAND), 0);
    assert_int_equal(bars(&g, "acme/eu-1/a", PLAN_RESERVED), BAR_COMMIT);
    g.ask.market = STR("spot"); /* over the job's */
    gather(w, &g);
    assert_int_equal(bars(&g, "acme/eu-1/a", PLAN_SPOT), 0);
    assert_int_equal(bars(&g, "acme/eu-1/a", PLAN_ON_DEMAND), BAR_MARKET);
    assert_int_equal(bars(&g, "on-prem/*/rack", PLAN_OWN), 0);
}

static void providers_need_an_account_unless_named(void **state)
{
    struct world *w = *state;
    struct gathered g;

    write_facts(w);
    start(w, &g);
    w->settings.providers = LIST(STR("hosts"));
    gather(w, &g);
    assert_int_equal(bars(&g, "acme/eu-1/a", PLAN_ON_DEMAND), BAR_ACCOUNT);
    assert_int_equal(bars(&g, "hosts/*/h", PLAN_ON_DEMAND), 0);
    assert_int_equal(bars(&g, "on-prem/*/rack", PLAN_OWN), 0);
    g.ask.providers = LIST(STR("acme"));
    gather(w, &g);
    assert_int_equal(bars(&g, "acme/eu-1/a", PLAN_ON_DEMAND), 0);
    assert_int_equal(bars(&g, "hosts/*/h", PLAN_ON_DEMAND), BAR_PROVIDER);
    g.ask.providers = LIST(STR("!hosts"));
    gather(w, &g);
    assert_int_equal(bars(&g, "acme/eu-1/a", PLAN_ON_DEMAND), BAR_ACCOUNT);
    assert_int_equal(bars(&g, "hosts/*/h", PLAN_ON_DEMAND), BAR_PROVIDER);
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
    assert_int_equal(bars(&g, "acme/eu-1/a", PLAN_ON_DEMAND), 0);
    assert_int_equal(bars(&g, "acme/us-1/a", PLAN_ON_DEMAND), BAR_REGION);
    assert_int_equal(bars(&g, "hosts/*/h", PLAN_ON_DEMAND), BAR_REGION);
    g.ask.regions = LIST(STR("us-*"), STR("e?-1")); /* allowed here, denied by the job */
    gather(w, &g);
    assert_int_equal(bars(&g, "acme/us-1/a", PLAN_ON_DEMAND), BAR_REGION);
    assert_int_equal(bars(&g, "acme/eu-1/a", PLAN_ON_DEMAND), 0);
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
    assert_int_equal(bars(&g, "acme/eu-1/a", PLAN_ON_DEMAND), 0);
    assert_int_equal(bars(&g, "hosts/*/h", PLAN_ON_DEMAND), 0);
    assert_int_equal(bars(&g, "acme/eu-1/b", PLAN_ON_DEMAND), BAR_GPU);
    assert_int_equal(bars(&g, "on-prem/*/rack", PLAN_OWN), BAR_GPU);
    g.ask.gpus = LIST(STR("!A100*"));
    g.job.limits.gpus = LIST(STR("!T4"));
    gather(w, &g);
    assert_int_equal(bars(&g, "acme/eu-1/a", PLAN_ON_DEMAND), 0);
    assert_int_equal(bars(&g, "acme/eu-1/b", PLAN_ON_DEMAND), BAR_GPU);
    assert_int_equal(bars(&g, "acme/us-1/t", PLAN_ON_DEMAND), BAR_GPU);
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
    assert_int_equal(bars(&g, "acme/eu-1/a", PLAN_ON_DEMAND), 0);
    assert_int_equal(bars(&g, "hosts/*/h", PLAN_ON_DEMAND), BAR_RELIABILITY);
    g.ask.min_reliability = NAN;
    g.job.limits.min_reliability = 0.995;
    gather(w, &g);
    assert_int_equal(bars(&g, "acme/eu-1/a", PLAN_ON_DEMAND), BAR_RELIABILITY);
}

static void old_prices_are_left_out(void **state)
{
    struct world *w = *state;
    struct gathered g;

    write_facts(w);
    start(w, &g);
    gather(w, &g);
    assert_non_null(find(&g, "acme/us-1/a", PLAN_ON_DEMAND));
    assert_int_equal(g.facts.old, 0);
    g.ask.max_age = span_hours(30 * 24);
    gather(w, &g);
    assert_null(find(&g, "acme/us-1/a", PLAN_ON_DEMAND));
    assert_non_null(find(&g, "acme/eu-1/a", PLAN_ON_DEMAND));
    assert_true(g.facts.old >= 1);
    assert_true(g.facts.age.oldest.n >= op_today(&w->ctx).n - 30);
}

static void a_platform_adds_its_markup(void **state)
{
    struct world *w = *state;
    struct gathered g;

    write_facts(w);
    start(w, &g);
    g.ask.platform = STR("acme train");
    gather(w, &g);
    assert_int_equal(bars(&g, "acme/eu-1/a", PLAN_ON_DEMAND), 0);
    assert_near(place(&g, "acme/eu-1/a", PLAN_ON_DEMAND)->markup, 0.25, 1e-12);
    assert_int_equal(bars(&g, "hosts/*/h", PLAN_ON_DEMAND), BAR_PROVIDER);
    assert_int_equal(bars(&g, "on-prem/*/rack", PLAN_OWN), BAR_PROVIDER);
    g.ask.platform = STR("sagemaker");
    gather(w, &g);
    assert_int_equal(bars(&g, "acme/eu-1/a", PLAN_ON_DEMAND), BAR_PROVIDER);
    g.ask.platform = STR("sagemakr");
    refused(w, &g, ERROR_ABSENT, "there is no platform 'sagemakr'");
    assert_says(g.err.hint, "SageMaker");
    g.ask.platform = STR("acme secret");
    refused(w, &g, ERROR_ABSENT, "what 'Acme Secret' adds to the price is not known");
}

static void hours_that_are_paid_for_are_known(void **state)
{
    struct world *w = *state;
    struct gathered g;

    write_facts(w);
    start(w, &g);
    w->settings.providers = LIST(STR("hosts"));
    w->settings.owned = LIST(STR("acme/eu-1/a=200h"), STR("hosts/h=5"));
    g.ask.owned = LIST(STR("acme/*/a = 1.5d"));
    gather(w, &g);
    assert_near(place(&g, "acme/eu-1/a", PLAN_ON_DEMAND)->owned_hours, 36, 1e-9);
    assert_near(place(&g, "acme/us-1/a", PLAN_ON_DEMAND)->owned_hours, 36, 1e-9);
    assert_near(place(&g, "hosts/*/h", PLAN_ON_DEMAND)->owned_hours, 5, 1e-9);
    assert_near(place(&g, "acme/eu-1/a", PLAN_SPOT)->owned_hours, 0, 0);
    assert_near(place(&g, "acme/eu-1/b", PLAN_ON_DEMAND)->owned_hours, 0, 0);
    assert_int_equal(bars(&g, "acme/eu-1/a", PLAN_ON_DEMAND), 0);
    assert_int_equal(bars(&g, "acme/eu-1/b", PLAN_ON_DEMAND), BAR_ACCOUNT);
    g.ask.owned = LIST(STR("acme/eu-1/z9=200h"));
    refused(w, &g, ERROR_ABSENT, "there is no offer 'acme/eu-1/z9'");
    g.ask.owned = LIST(STR("acme/eu-1/a"));
    refused(w, &g, ERROR_USAGE, "does not say how many hours");
    g.ask.owned = LIST(STR("acme/eu-1/a=-3"));
    refused(w, &g, ERROR_USAGE, "is no number of hours");
    g.ask.owned = LIST(STR("acme/eu-1/a=many"));
    refused(w, &g, ERROR_USAGE, "'many' is no number of hours");
    g.ask.owned = LIST(STR("acme/eu-1/a:spot=3h"));
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
    assert_null(find(&g, "local/US/desktop-rtx3060", PLAN_OWN));
    w->settings.machine = STR("desktop-rtx3060");
    w->settings.country = STR("FR");
    w->settings.electricity = (usd_per_kwh){DOLLAR / 5};
    w->settings.providers = LIST(STR("hosts"));
    gather(w, &g);
    p = place(&g, "local/FR/desktop-rtx3060", PLAN_OWN);
    assert_int_equal(p->price.nano, DOLLAR * 322 / 5000);
    assert_near(p->carbon_g_kwh, 56.039, 1e-6);
    assert_near(p->pue, 1, 0);
    assert_int_equal(p->capacity, 1);
    assert_int_equal(p->bars, 0);
    p = place(&g, "on-prem/*/rack", PLAN_OWN);
    assert_int_equal(p->price.nano, 72 * DOLLAR / 10);
    assert_near(p->carbon_g_kwh, 56.039, 1e-6);
    assert_int_equal(p->capacity, 1);
    assert_null(find(&g, "on-prem/*/guide-8x-h100", PLAN_OWN)); /* nobody's */
    w->settings.machine = STR("desktop-rtx306");
    refused(w, &g, ERROR_ABSENT, "there is no machine 'desktop-rtx306'");
    assert_says(g.err.hint, "desktop-rtx3060");
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

        if (p->market != PLAN_SPOT || !str_eq(p->provider, STR("aws")))
            continue;
        m = interruption_model(&w->ctx.catalog, STR("aws"));
        share = p->on_demand.nano > 0 ? (double)p->price.nano / (double)p->on_demand.nano : NAN;
        assert_near(p->risk.first_hour, interruption_hazard(&m, share, 1, 0), 1e-12);
        assert_near(p->risk.shape, m.shape, 0);
        assert_near(p->risk.up, interruption_up(&w->ctx.catalog, STR("aws")), 0);
        assert_near(p->risk.gone, 0, 0);
        seen++;
    }
    assert_true(seen > 3);
    /* Of a provider that nobody watched: the others' machines, and no share of time. */
    assert_true(place(&g, "acme/eu-1/a", PLAN_SPOT)->risk.first_hour > 0);
    assert_true(isnan(place(&g, "acme/eu-1/a", PLAN_SPOT)->risk.up));
    assert_int_equal(g.facts.unwatched, 0);
}

static void nothing_to_plan_with_is_an_error(void **state)
{
    struct world *w = *state;
    struct gathered g;

    start(w, &g);
    g.ask.kind = STR("local");
    refused(w, &g, ERROR_ABSENT, "there is no machine to plan with");
    assert_says(g.err.hint, "machine");
    g.ask.kind = STR("cloud");
    g.ask.max_age = span_hours(0);
    refused(w, &g, ERROR_ABSENT, "there is no machine to plan with");
    assert_says(g.err.hint, "--max-age");
    g.ask.max_age = SPAN_UNKNOWN;
    gather(w, &g);
    assert_true(g.count > 100);
    for (size_t i = 0; i < g.count; i++)
        assert_int_not_equal(g.at[i].market, PLAN_OWN);
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
        ok = plan_places(&ctx, &g.job, &g.ask, &g.at, &g.count, &g.facts, &g.err);
        assert_int_equal(g.err.kind, ok ? ERROR_NONE : ERROR_MEMORY);
        op_done(&ctx);
        arena_free(&arena);
        assert_int_equal(failing.held, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        market_test(an_offer_is_a_place_in_each_market),
        market_test(a_term_costs_the_middle_of_its_discounts),
        market_test(markets_are_barred_unless_asked_for),
        market_test(providers_need_an_account_unless_named),
        market_test(patterns_of_job_and_options_hold_together),
        market_test(gpus_are_known_by_all_their_names),
        market_test(reliability_that_is_unknown_is_not_enough),
        market_test(old_prices_are_left_out),
        market_test(a_platform_adds_its_markup),
        market_test(hours_that_are_paid_for_are_known),
        market_test(the_own_machine_costs_its_power),
        market_test(the_risk_of_spot_is_the_models),
        market_test(nothing_to_plan_with_is_an_error),
        market_test(want_of_memory_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
