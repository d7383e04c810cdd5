/* Operations: every one by name, on JSON, with a clock that stands still. */
#include "world.h"

#include "op/op.h"

/* The reply to a request, in the arena. */
static const char *ask(struct world *w, const char *name, const char *request)
{
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    const struct op *op = op_find(str_from(name));
    struct error err = {0};
    char *reply;

    assert_non_null(op);
    if (!op_call(&w->ctx, op, str_from(request), &out, &err)) {
        buf_clear(&out);
        buf_addf(&out, "%s %s | %s", error_kind_name(err.kind), err.text, err.hint);
    }
    reply = str_dup(buf_text(&out), &w->arena, &err);
    buf_free(&out);
    assert_non_null(reply);
    return reply;
}

static void every_operation_has_a_schema_and_documented_fields(void **state)
{
    (void)state;
    for (size_t i = 0; i < op_count; i++) {
        const struct op *op = op_table[i];
        char schema[80];

        (void)snprintf(schema, sizeof schema, "stint.%s/1", op->name);
        assert_string_equal(op->schema, schema);
        assert_non_null(op->summary);
        assert_in_range(op->request->len, 0, 64); /* CLI_MAX_OPTIONS */
        for (size_t f = 0; f < op->request->len; f++) {
            assert_non_null(op->request->at[f].help);
            if (op->request->at[f].type != FIELD_FLAG)
                assert_non_null(op->request->at[f].value);
        }
        for (size_t f = 0; f < op->result->len; f++)
            assert_true(op->result->at[f].inlined || op->result->at[f].help != NULL);
        assert_ptr_equal(op_find(str_from(op->name)), op);
    }
    assert_null(op_find(STR("nothing")));
}

static void compare_counts_whole_machines_setup_and_egress(void **state)
{
    struct world *w = *state;
    const char *reply = ask(w, "price.compare",
                            "{\"gpu\":\"H100x12\",\"hours\":10,\"provider\":[\"aws\"],"
                            "\"region\":\"us-east-1\",\"egress\":\"150GB\"}");

    /* 12 GPUs need two p5.48xlarge at $55.04, joined by 3200 Gbit/s; 420 s of set-up, 50 GB
     * beyond the free 100 at $0.09. */
    assert_non_null(strstr(reply, "\"machines\":2,\"gpus\":16,\"network_gbit_s\":3200,"
                                  "\"network\":\"EFA\",\"hourly\":{\"amount\":\"110.08\""));
    assert_non_null(strstr(reply, "\"setup\":{\"amount\":\"12.842666667\""));
    assert_non_null(strstr(reply, "\"egress\":{\"amount\":\"4.5\""));
    assert_non_null(strstr(reply, "\"total\":{\"amount\":\"1118.142666667\""));
    assert_non_null(strstr(reply, "\"cheapest\":true"));
    assert_string_equal(w->said,
                        "note: 'H100' means H100-SXM-80GB, the SXM form with the most memory\n"
                        "note: 1 offer is left out: its machines cannot be joined, or there "
                        "are not enough; --separate shows it\n"
                        "warning: 1 of 1 prices is more than 30 days old (oldest: "
                        "2026-08-22); 'stint price doctor' shows what to run\n");
}

/* p5.4xlarge has no network to train over: 12 of them are cheaper, for jobs that run apart. */
static void compare_prices_separate_machines_only_when_asked(void **state)
{
    const char *reply = ask(*state, "price.compare",
                            "{\"gpu\":\"H100x12\",\"hours\":10,\"provider\":[\"aws\"],"
                            "\"region\":\"us-east-1\",\"separate\":true}");

    assert_non_null(strstr(reply, "\"machines\":12,\"gpus\":12,"));
    assert_non_null(strstr(reply, "\"hourly\":{\"amount\":\"82.56\""));
}

/* Every whole number of hours is billed in whole steps: a sum of doubles once ended just above
 * a step and was billed as one more. */
static void whole_hours_are_never_billed_a_step_too_far(void **state)
{
    struct world *w = *state;

    for (int hours = 1; hours <= 200; hours++) {
        char request[128], expected[128];

        (void)snprintf(
            request, sizeof request,
            "{\"gpu\":\"A100\",\"hours\":%d,\"provider\":\"denvr\",\"egress\":\"0GB\"}", hours);
        /* ten minutes of set-up at $1.40, billed by the minute */
        (void)snprintf(expected, sizeof expected,
                       "\"setup_s\":600,\"setup\":{\"amount\":\"0.233333333\"");
        assert_non_null(strstr(ask(w, "price.compare", request), expected));
    }
}

static void a_gpu_without_offers_is_absent_not_free(void **state)
{
    assert_string_equal(
        ask(*state, "price.compare", "{\"gpu\":\"Gaudi3\",\"hours\":1}"),
        "absent no provider in the catalog offers that | try --any-form, --kind any, or leave "
        "out a filter");
}

static void value_leaves_out_what_it_cannot_score(void **state)
{
    const char *reply = ask(*state, "price.value", "{\"gpu\":\"K80\",\"precision\":\"fp8\"}");

    assert_string_equal(
        reply, "absent no offer matches with price, performance and reliability known | "
               "leave out a filter, choose another --precision, or add the provider's "
               "reliability to your providers.csv");
}

static void a_clock_in_the_past_gives_no_negative_age(void **state)
{
    static const stamp past = {1600000000};
    struct world *w = *state;

    w->clock = clock_fixed(&past);
    assert_non_null(
        strstr(ask(w, "price.list", "{\"gpu\":\"h100\",\"limit\":1}"), "\"age_days\":0"));
}

static void survives_every_allocation_failure(void **state)
{
    static const char *const requests[][2] = {
        {"price.compare", "{\"gpu\":\"a100\",\"hours\":1,\"any_form\":true,\"kind\":\"any\"}"},
        {"gpu.show", "{\"gpu\":\"a100\"}"},
        {"config.show", "{}"},
        {"catalog.show", "{\"table\":\"spend\"}"},
    };
    world_survives(*state, requests, ARRAY_LEN(requests));
}

int group_op(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_operation_has_a_schema_and_documented_fields),
        cmocka_unit_test_setup_teardown(compare_counts_whole_machines_setup_and_egress,
                                        world_make, world_end),
        cmocka_unit_test_setup_teardown(compare_prices_separate_machines_only_when_asked,
                                        world_make, world_end),
        cmocka_unit_test_setup_teardown(whole_hours_are_never_billed_a_step_too_far, world_make,
                                        world_end),
        cmocka_unit_test_setup_teardown(a_gpu_without_offers_is_absent_not_free, world_make,
                                        world_end),
        cmocka_unit_test_setup_teardown(value_leaves_out_what_it_cannot_score, world_make,
                                        world_end),
        cmocka_unit_test_setup_teardown(a_clock_in_the_past_gives_no_negative_age, world_make,
                                        world_end),
        cmocka_unit_test_setup_teardown(survives_every_allocation_failure, world_make,
                                        world_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
