#include "world.h"

#include "op/context.h"
#include "op/plan/budget_split.h"
#include <unistd.h>

static char folder[] = "/tmp/stint-budget-XXXXXX";
static char reply[8192];

static const char *path_of(const char *name)
{
    static char path[160];

    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void put(const char *name, const char *text)
{
    FILE *f = fopen(path_of(name), "w");

    assert_non_null(f);
    (void)fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

/* A plan that costs so much, in a file of that name. */
static void put_plan(const char *name, const char *amount, const char *more)
{
    char text[512];

    (void)snprintf(text, sizeof text,
                   "{\"schema\":\"stint.plan/1\",\"name\":\"%s\",%s\"plans\":[{\"cost\":"
                   "{\"amount\":\"%s\",\"currency\":\"USD\"}}]}",
                   name, more, amount);
    put(name, text);
}

static bool call(struct world *w, const char *request, struct error *err)
{
    struct buf out = buf_new(&alloc_system, sizeof reply - 1);
    bool ok;

    *err = (struct error){0};
    w->said[0] = '\0';
    w->ctx.partly = false;
    ok = op_call(&w->ctx, &op_budget_split, str_from(request), &out, err);
    memcpy(reply, out.len > 0 ? out.at : "", out.len);
    reply[out.len] = '\0';
    buf_free(&out);
    return ok;
}

static void ask(struct world *w, const char *request)
{
    struct error err;

    if (!call(w, request, &err))
        fail_msg("%s", err.text);
}

static void refused(struct world *w, const char *request, enum error_kind kind,
                    const char *text)
{
    struct error err;

    assert_false(call(w, request, &err));
    assert_int_equal(err.kind, kind);
    if (strstr(err.text, text) == NULL)
        fail_msg("'%s' is not in '%s'", text, err.text);
}

/* The row of a part starts so. */
static void part_is(const char *part, const char *expected)
{
    char start[64];
    const char *at;

    (void)snprintf(start, sizeof start, "{\"part\":\"%s\",", part);
    at = strstr(reply, start);
    assert_non_null(at);
    if (strncmp(at + strlen(start), expected, strlen(expected)) != 0)
        fail_msg("%s: %.200s", part, at);
}

#define USD_(amount) "{\"amount\":\"" amount "\",\"currency\":\"USD\"}"

static void parts_add_up_and_plans_are_held(void **state)
{
    struct world *w = *state;
    char request[512];

    put_plan("a.json", "10.000000001", "\"experiment\":true,");
    put_plan("b.json", "30", "\"experiment\":false,");
    put_plan("c.json", "25.5", "\"unit\":\"month\",");
    (void)snprintf(
        request, sizeof request,
        "{\"budget\":\"100usd\",\"plans\":[\"%s/a.json\",\"%s/b.json\",\"%s/c.json\"]}", folder,
        folder, folder);
    ask(w, request);
    part_is("experiments",
            "\"share\":0.3,\"amount\":" USD_("30") ",\"planned\":" USD_(
                "10.000000001") ",\"remaining\":" USD_("19.999999999") ",\"over\":"
                                                                       "false");
    part_is("production", "\"share\":0.5,\"amount\":" USD_("50") ",\"planned\":" USD_(
                              "55.5") ",\"remaining\":" USD_("-5.5") ",\"over\":true");
    part_is("reserve",
            "\"share\":0.1,\"amount\":" USD_("10") ",\"planned\":null,\"remaining\":null");
    assert_non_null(strstr(reply, "\"planned\":" USD_("65.500000001") ",\"remaining\":" USD_(
                                      "34.499999999") ",\"over\":" USD_("5.5")));
    assert_non_null(strstr(reply, "\"reserve_covers\":true"));
    assert_false(w->ctx.partly); /* over is an answer, not a failure */
}

static void budget_is_the_configured_one(void **state)
{
    struct world *w = *state;
    char request[256];

    refused(w, "{}", ERROR_USAGE, "no budget");
    w->settings.budget = (struct money){.amount = {200, 0}, .currency = {"EUR"}};
    ask(w, "");
    part_is("production", "\"share\":0.5,\"amount\":{\"amount\":\"100\",\"currency\":\"EUR\"}");
    put_plan("a.json", "10", "");
    (void)snprintf(request, sizeof request, "{\"budget\":\"%s/a.json\"}", folder);
    ask(w, request); /* the operand that is not an amount is a plan */
    assert_non_null(strstr(reply, "a.json"));
    assert_true(w->ctx.partly); /* there is no rate for its dollars */
}

static void another_currency_needs_a_rate(void **state)
{
    struct world *w = *state;
    char request[256];

    put_plan("a.json", "10", "");
    put_plan("b.json", "7", "");
    (void)snprintf(request, sizeof request,
                   "{\"budget\":\"50eur\",\"plans\":[\"%s/a.json\",\"%s/b.json\"]}", folder,
                   folder);
    ask(w, request);
    assert_true(w->ctx.partly);
    assert_non_null(strstr(w->said, "they cannot be compared"));
    /* What is not known makes the sum unknown. */
    part_is("production", "\"share\":0.5,\"amount\":{\"amount\":\"25\",\"currency\":\"EUR\"},"
                          "\"planned\":null,\"remaining\":null,\"over\":false");
    assert_non_null(strstr(reply, "\"cost\":" USD_("10") ",\"converted_cost\":null"));
    refused(w, "{\"budget\":\"50eur\",\"storage\":\"1usd\"}", ERROR_INPUT, "no exchange rate");
}

static void rates_convert(void **state)
{
    struct world *w = *state;
    char request[256];

    put("exchange.csv", "currency,usd,date,source,notes\nEUR,1.25,2026-11-01,bank,\n");
    w->settings.catalog = str_from(folder);
    put_plan("a.json", "10", "");
    put_plan("b.json", "10", "\"experiment\":true,");
    (void)snprintf(request, sizeof request,
                   "{\"budget\":\"50eur\",\"plans\":[\"%s/a.json\",\"%s/b.json\"]}", folder,
                   folder);
    ask(w, request);
    part_is("production", "\"share\":0.5,\"amount\":{\"amount\":\"25\",\"currency\":\"EUR\"},"
                          "\"planned\":{\"amount\":\"8\",\"currency\":\"EUR\"}");
    part_is("experiments", "\"share\":0.3,\"amount\":{\"amount\":\"15\",\"currency\":\"EUR\"},"
                           "\"planned\":{\"amount\":\"8\",\"currency\":\"EUR\"}");
    assert_non_null(strstr(w->said, "1 EUR = 1.25 USD of 2026-11-01"));
    assert_false(w->ctx.partly);
    assert_int_equal(unlink(path_of("exchange.csv")), 0);
}

static void bad_plans(void **state)
{
    static const char *const texts[][2] = {
        {"{\"schema\":\"stint.plan/2\"}", "its version is 2, but this program reads 1"},
        {"{\"schema\":\"stint.price.list/1\"}", "not a saved plan"},
        {"{\"schema\":\"stint.plan/1\"}", "the plan has no cost"},
        {"{\"schema\":\"stint.plan/1\",\"plans\":{}}", "x.json: plans"},
        {"{\"schema\":\"stint.plan/1\",\"plans\":[]}", "the plan has no cost"},
        {"{\"schema\":\"stint.plan/1\",\"plans\":[3]}", "x.json: plans"},
        {"{\"schema\":\"stint.plan/1\",\"plans\":[{\"cost\":3}]}", "x.json: plans: cost"},
        {"{\"schema\":\"stint.plan/1\",\"plans\":[{\"cost\":{}}]}", "x.json: plans: cost"},
        {"{\"schema\":\"stint.plan/1\",\"plans\":[{\"cost\":{\"amount\":\"1\",\"currency\":"
         "\"EUR\"}}]}",
         "x.json: plans: cost"},
        {"{\"schema\":\"stint.plan/1\",\"plans\":[{\"cost\":{\"amount\":"
         "\"1e30\",\"currency\":\"USD\"}}]}",
         "x.json: plans: cost"},
        {"{\"schema\":[]}", "x.json"},
        {"{\"train\":{}}", "has no schema"},
        {"train:\n", "x.json"},
        {"", "x.json"},
        {"{", "x.json:1"},
    };
    struct world *w = *state;
    char request[256];

    (void)snprintf(request, sizeof request, "{\"budget\":\"1usd\",\"plans\":[\"%s/x.json\"]}",
                   folder);
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        put("x.json", texts[i][0]);
        refused(w, request, ERROR_INPUT, texts[i][1]);
    }
    assert_int_equal(unlink(path_of("x.json")), 0);
    refused(w, request, ERROR_ABSENT, "x.json");
}

static void bad_amounts(void **state)
{
    struct world *w = *state;

    refused(w, "{\"budget\":\"100\"}", ERROR_INPUT, "not an amount");
    refused(w, "{\"budget\":\"-1usd\"}", ERROR_INPUT, "below zero");
    refused(w, "{\"budget\":\"1e20usd\"}", ERROR_INPUT, "too large");
    refused(w, "{\"budget\":\"0.0000000001usd\"}", ERROR_INPUT, "9 decimals");
    refused(w, "{\"budget\":\"10usd\",\"storage\":\"-1usd\"}", ERROR_INPUT, "storage is below");
    refused(w, "{\"budget\":\"10usd\",\"storage\":\"x%\"}", ERROR_INPUT, "storage: 'x%'");
    refused(w, "{\"budget\":\"10usd\",\"storage\":\"11usd\"}", ERROR_INPUT, "exceeds");
    refused(w, "{\"budget\":\"10usd\",\"reserve\":\"2\"}", ERROR_INPUT, "reserve");
    ask(w, "{\"budget\":\"9223372036usd\"}");
    part_is("production", "\"share\":0.5,\"amount\":" USD_("4611686018"));
}

static void survives_want_of_memory(void **state)
{
    struct world *w = *state;
    char request[256];
    const char *const requests[][2] = {
        {"budget.split", request},
        {"budget.split", "{\"budget\":\"10usd\",\"storage\":\"1usd\"}"},
    };

    put_plan("a.json", "10", "");
    w->settings.budget = (struct money){.amount = {20, 0}, .currency = {"USD"}};
    (void)snprintf(request, sizeof request,
                   "{\"budget\":\"%s/a.json\",\"plans\":[\"%s/a.json\"]}", folder, folder);
    world_survives(w, requests, ARRAY_LEN(requests));
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    static const char *const files[] = {"a.json", "b.json", "c.json"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(files); i++)
        (void)unlink(path_of(files[i]));
    return rmdir(folder);
}

int group_budget_split(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(parts_add_up_and_plans_are_held, world_make, world_end),
        cmocka_unit_test_setup_teardown(budget_is_the_configured_one, world_make, world_end),
        cmocka_unit_test_setup_teardown(another_currency_needs_a_rate, world_make, world_end),
        cmocka_unit_test_setup_teardown(rates_convert, world_make, world_end),
        cmocka_unit_test_setup_teardown(bad_plans, world_make, world_end),
        cmocka_unit_test_setup_teardown(bad_amounts, world_make, world_end),
        cmocka_unit_test_setup_teardown(survives_want_of_memory, world_make, world_end),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
