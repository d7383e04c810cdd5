/* tco and roi as operations: the same numbers as plans, and no memory kept when it runs out. */
#include "world.h"

#include "op/advise/roi.h"
#include "op/op.h"
#include "plan/record.h"

static void rented_ways_are_those_of_the_plan(void **state)
{
    struct world *w = *state;
    struct roi_request ask;
    struct roi_result found;
    struct plan_request plan_ask;
    struct plan_result plan;
    const struct roi_option *options;
    const struct plan_row *best;
    const struct str job = STR("llama-2-7b");
    struct error err = {0};
    size_t same = 0;

    assert_true(fields_reset(op_roi.request, &ask, &w->arena, &err));
    ask.source.job = job;
    ask.source.lora = true;
    ask.source.tokens = STR("10M");
    ask.value_of_time = (usd_per_hour){INT64_C(80000000000)};
    ask.waiting = 0.5;
    assert_true(op_run(&w->ctx, &op_roi, &ask, &found, &err));
    assert_true(fields_reset(&plan_request_fields, &plan_ask, &w->arena, &err));
    plan_ask.jobs = (struct strs){&job, 1};
    plan_ask.source = ask.source;
    plan_ask.source.job = (struct str){0};
    plan_ask.aim = STR("value");
    plan_ask.value_of_time = (usd_per_hour){INT64_C(40000000000)};
    assert_true(op_run(&w->ctx, op_find(STR("plan")), &plan_ask, &plan, &err));
    best = plan.plans.at;
    options = found.options.at;
    for (size_t i = 0; i < found.options.len; i++) {
        const struct roi_option *o = &options[i];

        assert_near(usd_double(o->total), usd_double(o->money) + 40 * o->hours.value, 0.02);
        if (!str_eq(o->where, best->offer) || o->gpus != best->gpus ||
            !str_eq(o->market, plan_row_market(best)))
            continue;
        assert_near(usd_double(o->money), usd_double(best->cost), 0.01);
        assert_near(o->hours.value, best->hours.value, 1e-9);
        same++;
    }
    assert_int_equal(same, 1);
}

static void memory_that_runs_out_is_an_error(void **state)
{
    static const char *const requests[][2] = {
        {"tco", "{\"machine\":\"8x-h100-sxm\",\"provider\":[\"lambda\"],\"load\":\"8+8@10%\","
                "\"svg\":\"/dev/null\"}"},
        {"roi",
         "{\"job\":\"llama-2-7b\",\"lora\":true,\"tokens\":\"10M\",\"local\":\"rtx4090\","
         "\"provider\":[\"lambda\"],\"runs\":\"10/month\",\"svg\":\"/dev/null\"}"},
    };

    world_survives(*state, requests, ARRAY_LEN(requests));
}

int group_economics(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(rented_ways_are_those_of_the_plan, world_make,
                                        world_end),
        cmocka_unit_test_setup_teardown(memory_that_runs_out_is_an_error, world_make,
                                        world_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
