/* Budgets: exact sums, periods in their zone, one alert for each, resolved when it is over. */
#include "budget_world.h"

static void test_spent(void **state)
{
    struct world *w = *state;

    must(w, "budget.set",
         "{\"name\":\"nlp\",\"amount\":\"100usd\",\"where\":[\"team=nlp\"],\"forecast\":["
         "\"none\"]}");
    must(w, "budget.set", "{\"name\":\"all\",\"amount\":\"100usd\"}");
    spend(w, "2026-10-31T10:00:00Z", "team=nlp", 500 * DOLLAR);
    spend(w, "2026-11-03T10:00:00Z", "team=nlp", 49999999999);
    spend(w, "2026-11-03T11:00:00Z", "team=vision", 30 * DOLLAR);
    must(w, "budget.list", "");
    has("\"name\":\"nlp\",\"period\":\"2026-11\"");
    has("\"spent\":{\"amount\":\"49.999999999\",\"currency\":\"USD\"}");
    has("\"spent\":{\"amount\":\"79.999999999\",\"currency\":\"USD\"}");
    has("\"state\":\"ok\"");
    spend(w, "2026-11-03T12:00:00Z", "team=nlp", 1);
    must(w, "budget.list", "");
    has("\"state\":\"50 % reached");
    has("\"remaining\":{\"amount\":\"50\",\"currency\":\"USD\"}");
    must(w, "budget.show", "{\"name\":\"nlp\"}");
    has("\"days\":[{\"date\":\"2026-11-01\",\"spent\":{\"amount\":\"0\"");
    has("{\"date\":\"2026-11-03\",\"spent\":{\"amount\":\"50\"");
    assert_int_equal(call(w, "budget.show", "{\"name\":\"nlq\"}"), ERROR_ABSENT);
}

static void test_zone(void **state)
{
    struct world *w = *state;

    if (!fs_exists("/usr/share/zoneinfo/Europe/Berlin"))
        test_skip("there is no tz database");
    must(w, "budget.set", "{\"name\":\"b\",\"amount\":\"100usd\",\"zone\":\"Europe/Berlin\"}");
    clock_now = at("2026-10-31T22:59:59Z");
    must(w, "budget.list", "");
    has("\"period\":\"2026-10\"");
    clock_now = at("2026-10-31T23:00:00Z");
    must(w, "budget.list", "");
    has("\"period\":\"2026-11\"");
    assert_int_equal(call(w, "budget.set", "{\"name\":\"b\",\"zone\":\"Europe/Berlim\"}"),
                     ERROR_INPUT);
}

/* 100 a month: 30 of September is spent, then 150 of 170, so that 20 come over. */
static void test_rollover(void **state)
{
    struct world *w = *state;

    clock_now = at("2026-09-10");
    must(w, "budget.set", "{\"name\":\"b\",\"amount\":\"100usd\",\"rollover\":true}");
    clock_now = at("2026-11-15");
    spend(w, "2026-08-01T10:00:00Z", "a=b", 1000 * DOLLAR);
    spend(w, "2026-09-01T10:00:00Z", "a=b", 30 * DOLLAR);
    spend(w, "2026-10-31T10:00:00Z", "a=b", 150000000001);
    spend(w, "2026-11-01T00:00:00Z", "a=b", 60 * DOLLAR);
    must(w, "budget.list", "");
    has("\"carried\":{\"amount\":\"19.999999999\",\"currency\":\"USD\"}");
    has("\"limit\":{\"amount\":\"119.999999999\",\"currency\":\"USD\"}");
    has("\"state\":\"50 % reached");
    /* More than there was: nothing comes over, and nothing is owed. */
    spend(w, "2026-10-30T10:00:00Z", "a=b", 500 * DOLLAR);
    must(w, "budget.list", "");
    has("\"carried\":{\"amount\":\"0\",\"currency\":\"USD\"}");
}

static void test_alerts(void **state)
{
    struct world *w = *state;

    must(w, "budget.set", "{\"name\":\"b\",\"amount\":\"100usd\",\"forecast\":[\"none\"]}");
    spend(w, "2026-11-03T10:00:00Z", "a=b", 60 * DOLLAR);
    must(w, "budget.check", "");
    must(w, "alert.list", "");
    has("\"state\":\"firing\",\"severity\":\"info\",\"title\":\"Budget b: 60 % spent\"");
    has("\"dedup\":\"budget/b/2026-11\"");
    has("\"count\":1");
    must(w, "budget.check", "");
    must(w, "alert.list", "");
    has("\"updates\":0");
    spend(w, "2026-11-04T10:00:00Z", "a=b", 39 * DOLLAR); /* past 75 and 90 at once */
    must(w, "budget.check", "");
    must(w, "alert.list", "");
    has("\"severity\":\"error\",\"title\":\"Budget b: 99 % spent\"");
    has("\"updates\":1");
    spend(w, "2026-11-05T10:00:00Z", "a=b", 1 * DOLLAR);
    must(w, "budget.check", "");
    must(w, "alert.list", "");
    has("\"severity\":\"critical\",\"title\":\"Budget b: 100 % spent\"");
    has("$100.00 of $100.00 is spent in 2026-11 (100 %). $100.00 of it is metered");
    /* A new month: that one is over. */
    clock_now = at("2026-12-01T00:10:00Z");
    must(w, "budget.check", "");
    must(w, "alert.list", "");
    has("\"state\":\"resolved\"");
    has("A new period began.");
    has("\"firing\":0");
}

static void test_alert_goes_with_the_budget(void **state)
{
    struct world *w = *state;

    must(w, "budget.set", "{\"name\":\"b\",\"amount\":\"10usd\"}");
    must(w, "budget.set", "{\"name\":\"c\",\"amount\":\"10usd\"}");
    spend(w, "2026-11-03T10:00:00Z", "a=b", 60 * DOLLAR);
    must(w, "budget.check", "");
    must(w, "budget.set", "{\"name\":\"c\",\"amount\":\"1000usd\"}"); /* raised: it is over */
    must(w, "budget.remove", "{\"name\":\"b\"}");
    must(w, "budget.check", "");
    must(w, "alert.list", "");
    has("The budget was removed.");
    has("$60.00 of $1,000.00");
    has("\"firing\":0");
    assert_int_equal(call(w, "budget.remove", "{\"name\":\"b\"}"), ERROR_ABSENT);
}

static void test_forecast(void **state)
{
    struct world *w = *state;
    char when[32];

    must(w, "budget.set", "{\"name\":\"b\",\"amount\":\"280usd\"}");
    for (int d = 1; d <= 14; d++) {
        (void)snprintf(when, sizeof when, "2026-11-%02dT10:00:00Z", d);
        spend(w, when, "a=b", 10 * DOLLAR);
    }
    must(w, "budget.check", "");
    has("\"spent\":{\"amount\":\"140\"");
    has("\"forecast\":300");
    has("\"state\":\"50 % reached, will reach 100 %\"");
    must(w, "alert.list", "{\"firing\":true}");
    has("\"title\":\"Budget b: 50 % spent, forecast 107 %\"");
    has("\"dedup\":\"budget/b/2026-11\"");
    has("\"count\":1"); /* both in one */
    has("It will come to about $300 ($");
    assert_null(strstr(answered, "Most went to"));
    /* The same alert, told again when the next threshold is reached, with what drives it. */
    spend(w, "2026-11-14T12:00:00Z", "team=nlp", 150 * DOLLAR);
    must(w, "budget.check", "");
    must(w, "alert.list", "{\"firing\":true}");
    has("\"title\":\"Budget b: 103 % spent, forecast ");
    has("\"severity\":\"critical\"");
    has("Most went to team nlp $150.00 (52 %), (none) $140.00 (48 %).");
    has("\"count\":1");
    has("\"updates\":1");
    must(w, "budget.check", "");
    must(w, "alert.list", "{\"firing\":true}");
    has("\"updates\":1");
}

/* Repeats are dropped, and a threshold that is no whole percent is not understated. */
static void test_thresholds_are_told_once(void **state)
{
    struct world *w = *state;

    must(w, "budget.set",
         "{\"name\":\"b\",\"amount\":\"100usd\",\"thresholds\":[\"100\",\"50\",\"50%\","
         "\"112.5\",\"100.00\"],\"forecast\":[\"120\",\"120\"]}");
    has("\"thresholds\":[0.5,1,1.125],\"forecast\":[1.2]");
    spend(w, "2026-11-03T10:00:00Z", "a=b", 112 * DOLLAR + DOLLAR / 2);
    must(w, "budget.check", "");
    must(w, "alert.list", "");
    has("\"title\":\"Budget b: 112.5 % spent, forecast 171 %\"");
}

static void test_currencies(void **state)
{
    struct world *w = *state;

    must(w, "budget.set", "{\"name\":\"b\",\"amount\":\"100eur\"}");
    spend(w, "2026-11-03T10:00:00Z", "a=b", 60 * DOLLAR);
    must(w, "budget.check", "");
    has("\"state\":\"not evaluated\",\"problem\":\"there is no rate of EUR");
    assert_true(w->ctx.partly);
    must(w, "alert.list", "");
    has("\"state\":\"firing\",\"severity\":\"error\",\"title\":\"Budget b: could not be "
        "evaluated\"");
    has("\"text\":\"It could not be evaluated: there is no rate of EUR on 2026-11-03. "
        "To fix it: give one");
    has("\"dedup\":\"budget/b/evaluation\"");
    must(w, "budget.check", ""); /* told once */
    must(w, "alert.list", "");
    has("\"count\":1");
    rate(w, "2026-11-03", "EUR", "1.2");
    must(w, "budget.check", "");
    has("\"spent\":{\"amount\":\"50\",\"currency\":\"EUR\"}");
    must(w, "alert.list", "");
    has("50.00 EUR of 100.00 EUR is spent");
    has("\"state\":\"resolved\",\"severity\":\"error\"");
    has("It can be evaluated again.");
}

/* A forecast that cannot be made neither fires nor calls off what was foreseen. */
static void test_forecast_not_known(void **state)
{
    struct world *w = *state;
    char when[32];

    rate(w, "2026-11-01", "EUR", "1");
    must(w, "budget.set", "{\"name\":\"b\",\"amount\":\"280eur\",\"thresholds\":[100]}");
    for (int d = 1; d <= 14; d++) {
        (void)snprintf(when, sizeof when, "2026-11-%02dT10:00:00Z", d);
        spend(w, when, "a=b", 10 * DOLLAR);
    }
    must(w, "budget.check", "");
    has("will reach 100 %");
    spend(w, "2026-10-20T10:00:00Z", "a=b", DOLLAR); /* there is no rate of that */
    must(w, "budget.check", "");
    has("\"forecast\":null");
    must(w, "alert.list", "{\"firing\":true}");
    has("\"kind\":\"budget_forecast\",\"dedup\":\"budget/b/2026-11\"");
    /* Nobody asks for it any more: that is known. */
    must(w, "budget.set", "{\"name\":\"b\",\"forecast\":[\"none\"]}");
    must(w, "budget.check", "");
    must(w, "alert.list", "{\"firing\":true}");
    has("\"count\":0");
}

static void test_set(void **state)
{
    static const struct {
        const char *request;
        enum error_kind kind;
    } wrong[] = {
        {"{\"name\":\"b\"}", ERROR_USAGE},
        {"{\"name\":\"a b\",\"amount\":\"5usd\"}", ERROR_USAGE},
        {"{\"name\":\"b\",\"amount\":\"0usd\"}", ERROR_USAGE},
        {"{\"name\":\"b\",\"amount\":\"-5usd\"}", ERROR_INPUT},
        {"{\"name\":\"b\",\"amount\":\"5usd\",\"where\":[\"taem=nlp\"]}", ERROR_USAGE},
        {"{\"name\":\"b\",\"amount\":\"5usd\",\"thresholds\":[\"x\"]}", ERROR_USAGE},
        {"{\"name\":\"b\",\"amount\":\"5usd\",\"thresholds\":[\"-5\"]}", ERROR_USAGE},
        {"{\"name\":\"b\",\"amount\":\"5usd\",\"alert\":[\"nobody\"]}", ERROR_ABSENT},
        {"{\"name\":\"b\",\"amount\":\"5usd\",\"first_day\":\"2026-01-01\"}", ERROR_USAGE},
        {"{\"name\":\"b\",\"amount\":\"5usd\",\"period\":\"total\",\"rollover\":true}",
         ERROR_USAGE},
        {"{\"name\":\"b\",\"amount\":\"5usd\",\"stop\":true,\"no_stop\":true}", ERROR_USAGE},
        {"{\"name\":\"b\",\"amount\":\"5usd\",\"period\":\"total\","
         "\"first_day\":\"2026-02-01\",\"last_day\":\"2026-01-01\"}",
         ERROR_USAGE},
    };
    struct world *w = *state;

    for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
        if (call(w, "budget.set", wrong[i].request) != wrong[i].kind)
            fail_msg("%s: %s", wrong[i].request, answered);
    must(w, "budget.set",
         "{\"name\":\"b\",\"amount\":\"5usd\",\"thresholds\":[\"100\",\"80%\",\"12.5\"],"
         "\"stop\":true,\"rollover\":true,\"where\":[\"team=nlp\"]}");
    has("\"changed\":false");
    has("\"thresholds\":[0.125,0.8,1]");
    must(w, "budget.set", "{\"name\":\"b\",\"amount\":\"7usd\"}"); /* the rest stays */
    has("\"changed\":true");
    has("\"amount\":{\"amount\":\"7\"");
    has("\"where\":[\"team=nlp\"]");
    has("\"thresholds\":[0.125,0.8,1]");
    has("\"rollover\":true,\"stops\":true");
    must(w, "budget.set",
         "{\"name\":\"b\",\"no_stop\":true,\"no_rollover\":true,\"where\":[\"none\"],"
         "\"thresholds\":[\"none\"]}");
    has("\"where\":[]");
    has("\"thresholds\":[]");
    has("\"rollover\":false,\"stops\":false");
}

static void test_memory(void **state)
{
    static const char *const requests[][2] = {
        {"budget.set", "{\"name\":\"b\",\"amount\":\"10usd\",\"where\":[\"team=nlp\"]}"},
        {"budget.list", ""},
        {"budget.check", ""},
        {"budget.show", "{\"name\":\"b\"}"},
        {"alert.list", ""},
        {"alert.log", ""},
        {"alert.channels", ""},
        {"alert.add", "{\"name\":\"x\",\"kind\":\"webhook\",\"url\":\"http://127.0.0.1:1/\"}"},
        {"alert.ack", "{\"id\":1}"},
        {"alert.send", ""},
        {"alert.remove", "{\"name\":\"x\"}"},
        {"budget.remove", "{\"name\":\"b\"}"},
    };
    struct world *w = *state;

    must(w, "budget.set", "{\"name\":\"b\",\"amount\":\"10usd\"}");
    spend(w, "2026-11-03T10:00:00Z", "team=nlp", 8 * DOLLAR);
    must(w, "budget.check", "");
    for (size_t i = 0; i < ARRAY_LEN(requests); i++) {
        bool removes = strstr(requests[i][0], "remove") != NULL;

        if (!removes) /* the second time there is nothing to remove */
            world_survives(w, &requests[i], 1);
        else
            must(w, requests[i][0], requests[i][1]);
    }
}

int group_budget(void)
{
    const struct CMUnitTest tests[] = {
        budget_test(test_spent),
        budget_test(test_zone),
        budget_test(test_rollover),
        budget_test(test_alerts),
        budget_test(test_alert_goes_with_the_budget),
        budget_test(test_forecast),
        budget_test(test_thresholds_are_told_once),
        budget_test(test_currencies),
        budget_test(test_forecast_not_known),
        budget_test(test_set),
        budget_test(test_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
