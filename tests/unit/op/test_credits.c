/* Credits are no share of anything; money that is in no row is told in every currency; work
 * that was added by hand was on no machine of this. */
#include "costs_world.h"

#include <math.h>

static const struct made_cost made[] = {
    {"AWS", "USD", "EC2", "Compute", "spot", "nlp", "75", "100", OCTOBER},
    {"AWS", "USD", "EC2", "Compute", "on-demand", "vision", "25", NULL, OCTOBER},
    {"AWS", "USD", "Credits", "Compute", "other", "", "-90", "0", OCTOBER},
    {"Microsoft", "EUR", "VM", "Compute", "spot", "nlp", "3", NULL, OCTOBER},
    {"AWS", "USD", "EC2", "Compute", "spot", "nlp", "150", NULL, NOVEMBER},
};

static void shares_are_of_what_was_used(void **state)
{
    struct world *w = *state;

    bill(w, made, ARRAY_LEN(made));
    ask(w, "tags", "{\"month\":\"2026-10\"}");
    has("\"tag\":\"team\",\"required\":false,\"currency\":\"USD\",\"total\":{\"amount\":"
        "\"100\"");
    has("\"untagged\":{\"amount\":\"0\",\"currency\":\"USD\"}");
    has("\"credits\":[{\"currency\":\"USD\",\"amount\":{\"amount\":\"-90\",\"currency\":"
        "\"USD\"}}]");
    ask(w, "costs", "{\"by\":[\"team\"],\"month\":\"2026-10\"}");
    has("\"team\":\"nlp\",\"period\":null,\"currency\":\"USD\",\"amount\":{\"amount\":\"75\","
        "\"currency\":\"USD\"},\"metered\":{\"amount\":\"0\",\"currency\":\"USD\"},\"share\":0."
        "75");
    has("\"amount\":{\"amount\":\"-90\",\"currency\":\"USD\"},\"metered\":{\"amount\":\"0\","
        "\"currency\":\"USD\"},\"share\":null");
    has("\"totals\":[{\"currency\":\"EUR\"");
    /* with them */
    has("\"currency\":\"USD\",\"amount\":{\"amount\":\"10\",\"currency\":\"USD\"}");
    ask(w, "costs.spot", "{\"month\":\"2026-10\"}");
    has("\"amount\":{\"amount\":\"100\",\"currency\":\"USD\"},\"spot\":0.75,\"committed\":0,"
        "\"on_demand\":0.25,\"other\":0,\"saved\":{\"amount\":\"25\"");
    has("\"credits\":[{\"currency\":\"USD\",\"amount\":{\"amount\":\"-90\"");
}

static void movers_leave_credits_out(void **state)
{
    struct world *w = *state;

    bill(w, made, ARRAY_LEN(made));
    ask(w, "costs.movers", "{\"month\":\"2026-11\"}");
    has("\"before\":{\"amount\":\"100\",\"currency\":\"USD\"},\"amount\":{\"amount\":\"150\","
        "\"currency\":\"USD\"},\"change\":{\"amount\":\"50\",\"currency\":\"USD\"},\"percent\":"
        "0.5");
    has("\"credits\":[],\"credits_before\":[{\"currency\":\"USD\",\"amount\":{\"amount\":\"-"
        "90\"");
    assert_true(isnan(costs_percent((struct decimal){15, 0}, (struct decimal){-10, 0})));
    assert_true(isnan(costs_percent((struct decimal){-15, 0}, (struct decimal){10, 0})));
    assert_near(costs_percent((struct decimal){-10, 0}, (struct decimal){10, 0}), -1, 1e-12);
}

static void what_is_in_no_unit_is_told(void **state)
{
    struct world *w = *state;

    bill(w, made, ARRAY_LEN(made));
    ask(w, "unit_costs", "{\"of\":\"experiment\",\"month\":\"2026-10\"}");
    has("\"without\":[{\"currency\":\"EUR\",\"amount\":{\"amount\":\"3\",\"currency\":\"EUR\"}}"
        ","
        "{\"currency\":\"USD\",\"amount\":{\"amount\":\"10\",\"currency\":\"USD\"}}]");
}

static void added_work_has_its_provider(void **state)
{
    struct world *w = *state;
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};

    ask(w, "runs.add",
        "{\"start\":\"2026-11-01\",\"end\":\"2026-11-02\",\"name\":\"a\",\"cost\":\"5usd\"}");
    ask(w, "runs.add",
        "{\"start\":\"2026-11-01\",\"end\":\"2026-11-02\",\"name\":\"b\",\"cost\":\"7usd\","
        "\"provider\":\"Acme Cloud\"}");
    ask(w, "costs", "{\"by\":[\"provider\",\"instance\",\"pricing\"]}");
    has("\"provider\":\"Acme Cloud\",\"instance\":null,\"pricing\":\"other\"");
    has("\"provider\":\"added by hand\",\"instance\":null,\"pricing\":\"other\"");
    assert_null(strstr(answered, "this machine"));
    assert_false(
        op_call(&w->ctx, op_find(STR("runs.add")),
                STR("{\"start\":\"2026-11-01\",\"end\":\"2026-11-02\",\"cost\":\"5usd\","
                    "\"provider\":\"a/b\"}"),
                &out, &err));
    assert_int_equal(err.kind, ERROR_USAGE);
    buf_free(&out);
}

int group_credits(void)
{
    const struct CMUnitTest tests[] = {
        costs_test(shares_are_of_what_was_used),
        costs_test(movers_leave_credits_out),
        costs_test(what_is_in_no_unit_is_told),
        costs_test(added_work_has_its_provider),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
