/* No answer joins machines that cannot be joined, whatever the offer: a table of all of
 * them. */
#include "world.h"

#include "estimate/model/choose.h"
#include "op/context.h"
#include "op/job_source.h"
#include "op/op.h"
#include "op/place.h"
#include "op/plan/prepare.h"
#include "plan/ways.h"

static void read_job(struct world *w, const char *model, struct job_input *out)
{
    struct job_source source = {.job = str_from(model), .tokens = STR("1B")};
    struct error err = {0};

    if (!op_job_read(&w->ctx, &source, out, &err))
        fail_msg("%s", err.text);
}

/* Twice the GPUs of a machine, for every offer by its name: they are joined, or refused. */
static void an_offer_that_is_named_is_joined_or_refused(void **state)
{
    struct world *w = *state;
    struct machine_query all = machine_query_all();
    struct machine *machines;
    struct job_input job;
    struct error err = {0};
    size_t count, joined = 0, refused = 0;

    read_job(w, "gpt2", &job);
    assert_true(op_machines(&w->ctx, &all, &machines, &count, &err));
    assert_true(op_catalog(&w->ctx, TABLE_BIT(TABLE_NETWORKS), &err));
    for (size_t i = 0; i < count; i += 3) {
        struct joining j = machine_joining(&w->ctx.catalog, &machines[i], (struct strs){0});
        struct place_request ask = {.offer = machines[i].name, .price = USD_PER_HOUR_UNKNOWN};
        struct job_place place;

        if (machines[i].on_demand.nano == MONEY_UNKNOWN)
            continue;
        err = (struct error){0};
        if (op_place(&w->ctx, &job, &ask, 2 * machines[i].count, &place, &err)) {
            assert_true(j.joins && place.place.join.joins && place.place.machines >= 2);
            assert_int_equal(place.place.machines, joining_rented(&j, 2));
            joined++;
            continue;
        }
        assert_int_equal(err.kind, ERROR_UNFIT);
        assert_false(j.joins);
        refused++;
    }
    print_message("# %zu joined, %zu refused\n", joined, refused);
    assert_true(joined > 20 && refused > 20);
}

/* So many of every GPU: of an offer that joins them, or of none. */
static void gpus_without_an_offer_are_joined_or_have_no_price(void **state)
{
    static const int64_t numbers[] = {3, 16, 64, 100, 1024};
    struct world *w = *state;
    struct job_input job;
    struct error err = {0};
    size_t priced = 0, not_sold = 0;

    read_job(w, "gpt2", &job);
    assert_true(op_catalog(&w->ctx, TABLE_BIT(TABLE_ACCELERATORS), &err));
    for (size_t i = 0; i < w->ctx.catalog.tables[TABLE_ACCELERATORS].len; i++)
        for (size_t n = 0; n < ARRAY_LEN(numbers); n++) {
            struct place_request ask = {.price = USD_PER_HOUR_UNKNOWN};
            const struct estimate_place *p;
            struct job_place place;

            ask.on = CATALOG_ROW(&w->ctx.catalog, TABLE_ACCELERATORS, accelerator, i)->name;
            if (!op_place(&w->ctx, &job, &ask, numbers[n], &place, &err))
                fail_msg("%s", err.text);
            p = &place.place;
            assert_int_equal(p->hardware.gpus, numbers[n]);
            if (p->offer.len == 0) {
                assert_true(p->price.nano == MONEY_UNKNOWN);
                not_sold += p->not_sold;
                continue;
            }
            assert_true(p->machines == 1 || p->join.joins);
            assert_true(p->machines <= p->join.supply || numbers[n] > 8);
            assert_true(p->machines == 1 || p->hardware.network_gb_s > 0);
            priced++;
        }
    print_message("# %zu with an offer, %zu not sold in such numbers\n", priced, not_sold);
    assert_true(priced > 100 && not_sold > 50);
}

/* The planner's places: two machines of each, for one run, for two trials, for two copies. */
static void a_plan_joins_only_what_can_be_joined(void **state)
{
    struct world *w = *state;
    struct plan_gather_ask ask = {.places = {.market = STR("any"), .max_age = SPAN_UNKNOWN},
                                  .min_reliability = NAN};
    struct plan_gathered gathered;
    struct job_input job;
    struct error err = {0};
    struct plan_problem problem = {.hour_of_week = 0};
    size_t joined = 0;

    read_job(w, "gpt2", &job);
    ask.places.job = &job.job;
    if (!plan_gather(&w->ctx, &ask, &gathered, &err))
        fail_msg("%s", err.text);
    problem = (struct plan_problem){.job = &job.job,
                                    .constants = &job.constants,
                                    .places = gathered.places,
                                    .place_count = gathered.count,
                                    .limits = {.budget = USD_UNKNOWN, .most_gpus = 512},
                                    .aim = {.cost = 1, .cost_unit = 1}};
    for (size_t i = 0; i < gathered.count; i++) {
        const struct plan_place *p = &gathered.places[i];
        struct way way = {.machines = 2,
                          .gpus = 2 * p->machine->count,
                          .copies = 1,
                          .hours = 1,
                          .latency_s = NAN,
                          .board_w = 100,
                          .trials_parallel = 1};
        struct plan plan;
        bool together = plan_price(&problem, p, &way, &plan), apart;

        assert_true(!together || (p->join.joins && plan.way.machines <= p->join.supply));
        joined += together;
        way.machines = 1;
        way.trials_parallel = 2;
        apart = plan_price(&problem, p, &way, &plan);
        assert_true(!apart || 2 * plan.way.machines <= p->join.supply);
        if (str_eq(p->machine->provider, STR("vast")) ||
            str_eq(p->machine->provider, STR("hyperbolic")))
            assert_false(together || apart);
    }
    assert_true(joined > 100);
}

int group_joined(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(an_offer_that_is_named_is_joined_or_refused, world_make,
                                        world_end),
        cmocka_unit_test_setup_teardown(gpus_without_an_offer_are_joined_or_have_no_price,
                                        world_make, world_end),
        cmocka_unit_test_setup_teardown(a_plan_joins_only_what_can_be_joined, world_make,
                                        world_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
