/* LiteLLM's file of prices: by hand, names, what is left out, what is refused. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "feed/tokens.h"

static struct arena arena;
static struct catalog catalog;
static struct error err;
static struct tokens_read got;

static int set_up(void **state)
{
    (void)state;
    arena = test_arena();
    return catalog_load(&catalog, TABLE_BIT(TABLE_MODELS), NULL, 0, &arena, &err) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

/* In pieces of a few bytes. */
static ptrdiff_t give(void *ctx, char *to, size_t room, struct error *e)
{
    struct str *left = ctx;
    size_t n = left->len < 7 ? left->len : 7;

    (void)e;
    n = n < room ? n : room;
    if (n > 0)
        memcpy(to, left->at, n);
    left->at += n;
    left->len -= n;
    return (ptrdiff_t)n;
}

static bool reads(const char *text)
{
    struct str left = str_from(text);
    struct tokens_reading reading = {.source = {give, &left},
                                     .name = "prices.json",
                                     .catalog = &catalog,
                                     .date = {20000},
                                     .read_from = STR("test")};

    err = (struct error){0};
    return tokens_read(&reading, &arena, &got, &err);
}

#define PRICES "\"input_cost_per_token\":5e-08,\"output_cost_per_token\":8e-08"

static void prices_are_exact(void **state)
{
    (void)state;
    assert_true(reads(
        "{\"gpt-4o-mini\":{\"input_cost_per_token\":1.5e-07,\"output_cost_per_token\":6e-07,"
        "\"cache_read_input_token_cost\":7.5e-08,\"input_cost_per_token_batches\":7.5e-08,"
        "\"output_cost_per_token_batches\":3e-07,\"litellm_provider\":\"openai\","
        "\"max_input_tokens\":128000,\"mode\":\"chat\",\"tiers\":[{\"a\":{}}]}}"));
    assert_int_equal(got.count, 1);
    assert_int_equal(got.open, 0);
    assert_str_equal(got.rows[0].provider, "openai");
    assert_str_equal(got.rows[0].model, "gpt-4o-mini");
    assert_int_equal(got.rows[0].input_usd_per_m.nano, 150000000);
    assert_int_equal(got.rows[0].output_usd_per_m.nano, 600000000);
    assert_int_equal(got.rows[0].cached_input_usd_per_m.nano, 75000000);
    assert_int_equal(got.rows[0].batch_input_usd_per_m.nano, 75000000);
    assert_int_equal(got.rows[0].batch_output_usd_per_m.nano, 300000000);
    assert_int_equal(got.rows[0].max_input_tokens, 128000);
    assert_int_equal(got.rows[0].fact.date.n, 20000);
}

static void names_are_those_of_the_catalog(void **state)
{
    static const char *const names[][5] = {
        /* as the file has it, its provider; provider, model and weights here */
        {"groq/llama-3.1-8b-instant", "groq", "groq", "llama-3.1-8b-instant", "llama-3.1-8b"},
        {"meta.llama3-1-8b-instruct-v1:0", "bedrock", "aws", "meta.llama3-1-8b-instruct-v1:0",
         "llama-3.1-8b"},
        {"fireworks_ai/accounts/fireworks/models/qwen2p5-7b-instruct", "fireworks_ai",
         "fireworks", "qwen2p5-7b-instruct", "qwen2.5-7b"},
        {"vertex_ai/x", "vertex_ai-language-models", "gcp", "vertex_ai/x", ""},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        char text[400];

        (void)snprintf(text, sizeof text,
                       "{\"%s\":{" PRICES ",\"litellm_provider\":\"%s\",\"mode\":\"chat\"}}",
                       names[i][0], names[i][1]);
        assert_true(reads(text));
        assert_str_equal(got.rows[0].provider, names[i][2]);
        assert_str_equal(got.rows[0].model, names[i][3]);
        assert_str_equal(got.rows[0].serves, names[i][4]);
        assert_int_equal(got.open, names[i][4][0] != '\0');
    }
}

static void others_are_left_out(void **state)
{
    (void)state;
    assert_true(reads("{\"a\":{" PRICES ",\"litellm_provider\":\"p\",\"mode\":\"chat\"},"
                      "\"p/a\":{" PRICES ",\"litellm_provider\":\"p\",\"mode\":\"chat\"},"
                      "\"b\":{" PRICES ",\"litellm_provider\":\"p\",\"mode\":\"embedding\"},"
                      "\"c\":{\"litellm_provider\":\"p\",\"mode\":\"chat\"},"
                      "\"d\":{" PRICES ",\"mode\":\"chat\"},"
                      "\"e\":{\"input_cost_per_token\":\"free\",\"output_cost_per_token\":0,"
                      "\"litellm_provider\":\"p\",\"mode\":\"chat\"},"
                      "\"f\":{\"input_cost_per_token\":2,\"output_cost_per_token\":1e-7,"
                      "\"litellm_provider\":\"p\",\"mode\":\"chat\"},"
                      "\"g\":[1,2],\"h\":null}"));
    assert_int_equal(got.count, 1);
    assert_int_equal(got.skipped, 8);
    assert_int_equal(got.rows[0].max_input_tokens, -1);
    assert_int_equal(got.rows[0].cached_input_usd_per_m.nano, MONEY_UNKNOWN);
}

static void refuses(const char *text, const char *why)
{
    if (reads(text))
        fail_msg("'%s' is read", text);
    if (strstr(err.text, why) == NULL)
        fail_msg("'%s': %s", text, err.text);
}

static void mistakes_are_named(void **state)
{
    (void)state;
    refuses("", "prices.json");
    refuses("[]", "no object");
    refuses("{}", "prices.json: no chat model with a price");
    refuses("{\"a\":{\"mode\":\"chat\"", "prices.json: line 1");
    refuses("{\"a\":{" PRICES ",\"litellm_provider\":\"p\",\"mode\":\"chat\"}} x", "line 1");
}

static void memory_that_runs_out_is_an_error(void **state)
{
    bool ok = false;

    (void)state;
    for (size_t allow = 0; allow < 60 && !ok; allow++) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct arena own = {.alloc = &alloc};
        struct str left =
            STR("{\"a\":{" PRICES ",\"litellm_provider\":\"p\",\"mode\":\"chat\"}}");
        struct tokens_reading reading = {
            .source = {give, &left}, .name = "prices.json", .catalog = &catalog};

        err = (struct error){0};
        ok = tokens_read(&reading, &own, &got, &err);
        assert_true(ok || err.kind == ERROR_MEMORY);
        arena_free(&own);
        assert_int_equal(failing.held, 0);
    }
    assert_true(ok);
}

int group_tokens(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prices_are_exact),
        cmocka_unit_test(names_are_those_of_the_catalog),
        cmocka_unit_test(others_are_left_out),
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(memory_that_runs_out_is_an_error),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
