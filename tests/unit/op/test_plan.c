/* Plans of the built-in prices: what is said of them, beside what they cost. */
#include "market_world.h"

#include "op/plan.h"

/* The answer to a question, which must have one. */
static const struct plan_result *plan_of(struct world *w, const char *request)
{
    struct error err = {0};
    struct plan_request *req = arena_array(&w->arena, struct plan_request, 1, &err);
    struct plan_result *res = arena_array(&w->arena, struct plan_result, 1, &err);
    struct node *root = json_read(str_from(request), "request", &w->arena, &err);

    assert_non_null(req);
    assert_non_null(res);
    if (root == NULL || !fields_reset(op_plan.request, req, &w->arena, &err) ||
        !fields_from_node(op_plan.request, root, "request", req, &w->arena, &err) ||
        !op_run(&w->ctx, &op_plan, req, res, &err))
        fail_msg("%s: %s", request, err.text);
    return res;
}

static const struct plan_row *best_of(const struct plan_result *res)
{
    assert_true(res->plans.len > 0);
    return res->plans.at;
}

/* A server takes the share of a GPU that it is told to; of training the size is a guess. */
static void memory_has_a_range(void **state)
{
    const struct plan_row *train =
        best_of(plan_of(*state, "{\"jobs\":[\"llama-2-7b\"],\"method\":\"lora\",\"tokens\":"
                                "\"25M\",\"gpu\":[\"L40S\"],\"provider\":[\"aws\"]}"));
    const struct plan_row *serve =
        best_of(plan_of(*state, "{\"jobs\":[\"llama-3.1-8b\"],\"serve\":true,"
                                "\"gpu\":[\"L40S\"],\"provider\":[\"aws\"]}"));

    assert_true(train->memory_low_gb < 0.95 * train->memory_gb);
    assert_true(train->memory_high_gb > 1.05 * train->memory_gb);
    assert_near(serve->memory_low_gb, serve->memory_gb, 0);
    assert_near(serve->memory_high_gb, serve->memory_gb, 0);
}

#define plan_test(name) cmocka_unit_test_setup_teardown(name, world_make, world_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        plan_test(memory_has_a_range),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
