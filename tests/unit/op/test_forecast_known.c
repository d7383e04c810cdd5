/* What is known of the days to come, and what must be the same however it is asked for. */
#include "costs_world.h"

#include "base/num.h"
#include "ledger/budgets.h"

#define BILLED 60 /* days of a bill */

/* The number after a key, which may be money, behind `after`. */
static double number(const char *after, const char *key)
{
    const char *at = strstr(answered, after), *end;
    char quoted[64];
    double out;

    (void)snprintf(quoted, sizeof quoted, "\"%s\":", key);
    at = at != NULL ? strstr(at, quoted) : NULL;
    if (at == NULL) {
        fail_msg("no %s in %s", key, answered);
        return NAN;
    }
    at += strlen(quoted);
    if (strncmp(at, "{\"amount\":\"", 11) == 0)
        at += 11;
    for (end = at; strchr("-0123456789.e", *end) != NULL; end++)
        ;
    if (!num_read((struct str){at, (size_t)(end - at)}, &out))
        fail_msg("%s is %.30s", key, at);
    return out;
}

static void put_policy(struct world *w, const char *text)
{
    struct ledger *l = costs_open(w, LEDGER_WRITE);
    struct error err = {0};

    assert_true(
        ledger_document_put(l, "allocation", str_from(text), STR("ann"), (stamp){NOW}, &err));
    ledger_close(l);
}

/* What a team's machines cost on each day up to `last`: a week's pattern, and noise. */
static void bill_days(struct world *w, int32_t last)
{
    static char amounts[BILLED][2][16];
    static struct made_cost costs[2 * BILLED];

    for (int i = 0; i < BILLED; i++)
        for (int k = 0; k < 2; k++) {
            int32_t on = last - BILLED + 1 + i;
            int cents = (on % 7 < 2 ? 3000 : 6000) + on * 7919 % 500 + k * 1000 * (i % 3);

            (void)snprintf(amounts[i][k], sizeof amounts[i][k], "%d.%02d", cents / 100,
                           cents % 100);
            costs[2 * i + k] = (struct made_cost){
                "AWS",         "USD", "EC2", "Compute", "spot", k == 0 ? "nlp" : "vision",
                amounts[i][k], NULL,  on};
        }
    bill(w, costs, ARRAY_LEN(costs));
}

/* $30 a month until the 20th: a dollar a day, of which six are left, and nothing after them. */
static void test_known_costs_have_no_range(void **state)
{
    struct world *w = *state;
    double plain, low, high;

    bill_days(w, TODAY - 1);
    ask(w, "forecast", "");
    plain = number("totals", "forecast");
    low = number("totals", "low");
    high = number("totals", "high");
    put_policy(w, "recurring:\n- {name: lease, cost: $300/month, from: 2026-01-01, until: "
                  "2026-11-20, tags: {team: nlp}}\n");
    ask(w, "forecast", "");
    assert_near(number("totals", "forecast"), plain + 200, 0.011);
    assert_near(number("totals", "low"), low + 200, 0.011);
    assert_near(number("totals", "high"), high + 200, 0.011);
    assert_near(number("totals", "recurring"), 60, 1e-9);
    ask(w, "forecast", "{\"where\":[\"team=nlp\"],\"month\":\"2026-12\"}");
    assert_near(number("totals", "recurring"), 0, 1e-9);
    ask(w, "forecast", "{\"by\":[\"service\"]}");
    assert_non_null(strstr(answered, "\"service\":\"lease\""));
    assert_near(number("\"service\":\"lease\"", "forecast"), 200, 1e-9);
    assert_near(number("\"service\":\"lease\"", "high"), 200, 1e-9);
}

/* Whoever is paid: the policy may name a provider. */
static void test_known_costs_of_a_provider(void **state)
{
    static const char *const named[] = {"", "provider: Acme, "};
    double forecast[2], high[2];
    struct world *w = *state;

    bill_days(w, TODAY - 1);
    for (int i = 0; i < 2; i++) {
        char text[128];

        (void)snprintf(text, sizeof text,
                       "recurring:\n- {name: lease, %scost: $300/month, from: 2026-01-01}\n",
                       named[i]);
        put_policy(w, text);
        ask(w, "forecast", "");
        forecast[i] = number("totals", "forecast");
        high[i] = number("totals", "high");
        assert_near(number("totals", "recurring"), 160, 1e-9);
        ask(w, "anomalies", "");
        assert_non_null(strstr(answered, "\"count\":0"));
    }
    assert_near(forecast[0], forecast[1], 1e-9);
    assert_near(high[0], high[1], 1e-9);
}

/* It begins in the days to come, in another month, and is paid in another currency. */
static void test_costs_that_are_to_begin(void **state)
{
    struct world *w = *state;

    bill_days(w, TODAY - 1);
    rate(w, TODAY - 20, "EUR", "1.5");
    put_policy(w, "recurring:\n"
                  "- {name: desk, cost: $10/day, from: 2026-11-29, tags: {team: new}}\n"
                  "- {name: tool, cost: 2EUR/day, from: 2026-11-30, tags: {team: new}}\n");
    ask(w, "forecast", "{\"by\":[\"team\"],\"currency\":\"USD\"}");
    assert_near(number("\"team\":\"new\"", "spent"), 0, 1e-9);
    assert_near(number("\"team\":\"new\"", "running"), 0, 1e-9);
    assert_near(number("\"team\":\"new\"", "forecast"), 23, 1e-9);
    ask(w, "forecast", "{\"where\":[\"team=new\"],\"month\":\"2027-01\"}");
    assert_near(number("\"currency\":\"EUR\"", "forecast"), 62, 1e-9);
    assert_near(number("\"currency\":\"USD\"", "forecast"), 310, 1e-9);
}

/* What is passed on is passed on in days to come, too, and nothing of it is lost. */
static void test_known_costs_are_shared(void **state)
{
    struct world *w = *state;
    double nlp, vision;

    bill_days(w, TODAY - 1);
    put_policy(w,
               "shared:\n- {name: platform, when: {team: platform}, split: usage, over: team}\n"
               "recurring:\n- {name: lease, cost: $300/month, from: 2026-10-01, tags: {team: "
               "platform}}\n");
    ask(w, "forecast", "{\"by\":[\"team\"]}");
    nlp = number("\"team\":\"nlp\"", "recurring");
    vision = number("\"team\":\"vision\"", "recurring");
    assert_near(nlp + vision, 160, 1e-6);
    assert_true(nlp > 50 && vision > nlp);
    ask(w, "forecast", "{\"by\":[\"team\"],\"month\":\"2026-12\"}");
    assert_near(number("\"team\":\"nlp\"", "recurring") +
                    number("\"team\":\"vision\"", "recurring"),
                300, 1e-6);
    assert_null(strstr(answered, "\"team\":\"platform\""));
}

/* A budget and the forecast of what it covers are one number. */
static void same_number(struct world *w, const char *budget, const char *where)
{
    static const char *const of[][2] = {
        {"forecast", "forecast"}, {"forecast_low", "low"}, {"forecast_high", "high"}};
    double says[ARRAY_LEN(of)];
    char name[64], request[128];

    (void)snprintf(name, sizeof name, "\"name\":\"%s\"", budget);
    ask(w, "budget.list", "");
    for (size_t i = 0; i < ARRAY_LEN(of); i++)
        says[i] = number(name, of[i][0]);
    (void)snprintf(request, sizeof request, "{\"currency\":\"USD\",\"where\":[%s]}", where);
    ask(w, "forecast", request);
    for (size_t i = 0; i < ARRAY_LEN(of); i++)
        assert_near(says[i], number("totals", of[i][1]), 1e-9);
}

static void all_same(struct world *w)
{
    same_number(w, "all", "");
    same_number(w, "nlp", "\"team=nlp\"");
    same_number(w, "other", "\"team!=nlp\"");
}

static void late_bill(struct world *w, int32_t days)
{
    ask(w, "budget.set", "{\"name\":\"all\",\"amount\":\"100usd\"}");
    ask(w, "budget.set", "{\"name\":\"nlp\",\"amount\":\"5000usd\",\"where\":[\"team=nlp\"]}");
    ask(w, "budget.set",
        "{\"name\":\"other\",\"amount\":\"5000usd\",\"where\":[\"team!=nlp\"]}");
    bill_days(w, TODAY - days);
    all_same(w);
    for (int32_t d = days - 1; d >= 0; d--)
        record(w, &(struct made_run){"local/x", "on-demand", "nlp", "d",
                                     (TODAY - d) * SECONDS_PER_DAY + 3600, 3600, 7 * DOLLAR,
                                     RUN_DONE});
    all_same(w);
    put_policy(w,
               "shared:\n- {name: p, when: {team: platform}, split: usage, over: team}\n"
               "recurring:\n"
               "- {name: lease, cost: $300/month, from: 2026-10-09, until: 2026-11-18, tags: "
               "{team: nlp}}\n"
               "- {name: rack, cost: 3000usd/year, from: 2026-01-01, tags: {team: "
               "platform}}\n");
    all_same(w);
    /* More on the days that are not whole than anybody expected of the month. */
    record(w, &(struct made_run){"local/x", "on-demand", "nlp", "d", NOW - 3600, 3600,
                                 90000 * DOLLAR, RUN_DONE});
    all_same(w);
}

static void test_budgets_say_the_same(void **state)
{
    late_bill(*state, 1);
}

static void test_budgets_say_the_same_of_late_bills(void **state)
{
    late_bill(*state, 5);
}

static void test_budgets_say_the_same_without_bills(void **state)
{
    late_bill(*state, 12);
}

/* A lease is nothing that was metered: days after an old bill stay unknown. */
static void test_known_costs_make_no_day_whole(void **state)
{
    struct world *w = *state;

    bill_days(w, TODAY - 20);
    put_policy(w, "recurring:\n- {name: lease, cost: $300/month, from: 2026-01-01}\n");
    ask(w, "forecast", "");
    assert_non_null(strstr(answered, "\"known_until\":\"2026-10-26\""));
    assert_true(number("totals", "forecast") > 2000);
}

/* Bills that come once a month, and small runs since: nobody stopped spending. */
static void test_monthly_bills_are_waited_for(void **state)
{
    struct world *w = *state;

    bill_days(w, NOVEMBER - 1);
    for (int32_t d = 12; d >= 1; d--)
        record(w, &(struct made_run){"local/x", "on-demand", "nlp", "d",
                                     (TODAY - d) * SECONDS_PER_DAY + 3600, 3600, 2 * DOLLAR,
                                     RUN_DONE});
    ask(w, "forecast", "");
    assert_non_null(strstr(answered, "\"known_until\":\"2026-10-31\""));
    assert_near(number("totals", "running"), 24, 1e-9);
    assert_true(number("totals", "forecast") > 2000);
    ask(w, "anomalies", "");
    assert_non_null(strstr(answered, "\"count\":0"));
    /* More is spent on runs than ever was billed: that is all there is now. */
    for (int32_t d = 12; d >= 1; d--)
        record(w, &(struct made_run){"local/x", "on-demand", "nlp", "d",
                                     (TODAY - d) * SECONDS_PER_DAY + 7200, 3600, 500 * DOLLAR,
                                     RUN_DONE});
    ask(w, "forecast", "");
    assert_non_null(strstr(answered, "\"known_until\":\"2026-11-14\""));
}

/* Who begins in the middle of a month has not spent anything before. */
static void test_days_before_the_first_cost_nothing(void **state)
{
    struct world *w = *state;

    for (int32_t d = 5; d >= 1; d--)
        record(w, &(struct made_run){"local/x", "on-demand", "nlp", "d",
                                     (TODAY - d) * SECONDS_PER_DAY + 3600, 3600, 10 * DOLLAR,
                                     RUN_DONE});
    ask(w, "forecast", "");
    assert_near(number("totals", "forecast"), 210, 1e-9); /* 5 days, and the 16 that are left */
}

static void test_months_that_are_over_are_known(void **state)
{
    struct world *w = *state;
    static const struct made_cost one = {"AWS", "USD", "EC2", "Compute", "spot",
                                         "nlp", "7",   NULL,  OCTOBER};

    bill(w, &one, 1);
    record(w, &(struct made_run){"local/x", "on-demand", "nlp", "d", NOW - 86400, 3600, DOLLAR,
                                 RUN_DONE});
    ask(w, "forecast", "{\"month\":\"2026-10\"}");
    assert_near(number("totals", "forecast"), 7, 1e-9);
    assert_non_null(strstr(answered, "all days are known"));
}

static void test_rows_say_what_they_add_up_to(void **state)
{
    struct world *w = *state;
    double nlp, vision;

    bill_days(w, TODAY - 1);
    ask(w, "forecast", "{\"by\":[\"team\"]}");
    nlp = number("\"team\":\"nlp\"", "forecast");
    vision = number("\"team\":\"vision\"", "forecast");
    assert_near(number("totals", "added"), nlp + vision, 1e-6);
    ask(w, "forecast", "{\"by\":[\"team\"],\"limit\":1}");
    assert_non_null(strstr(answered, "\"added\":null"));
}

/* ---- events ---- */

#define LONG 700

/* Noise with wild days, and an event now and then. */
static void bill_long(struct world *w)
{
    static char amounts[LONG][16];
    static struct made_cost costs[LONG];
    unsigned seed = 7;

    for (int i = 0; i < LONG; i++) {
        int32_t on = TODAY - LONG + i;
        double x = 100;

        seed = seed * 1103515245u + 12345u;
        x *= 0.8 + 0.4 * (double)(seed >> 16 & 1023) / 1023;
        x *= (seed >> 8) % 23 == 0 ? 2.2 : 1;
        x *= i % 61 > 57 ? 5 : 1;
        (void)snprintf(amounts[i], sizeof amounts[i], "%.2f", x);
        costs[i] = (struct made_cost){"AWS", "USD",      "EC2", "Compute", "spot",
                                      "nlp", amounts[i], NULL,  on};
    }
    bill(w, costs, LONG);
}

/* What is answered of the newest event, without the days that were asked for. */
static void test_events_do_not_depend_on_the_window(void **state)
{
    struct world *w = *state;
    struct str first = {0};
    size_t found = 0;

    bill_long(w);
    for (int days = 450; days >= 10; days -= 17) {
        const char *from, *end;
        struct str rows;
        char request[64];

        (void)snprintf(request, sizeof request, "{\"since\":\"%dd\",\"limit\":0}", days);
        ask(w, "anomalies", request);
        from = strstr(answered, "\"rows\":[");
        assert_non_null(from);
        from += strlen("\"rows\":[");
        end = strstr(from, "],\"count\"");
        assert_non_null(end);
        rows = (struct str){from, (size_t)(end - from)};
        first = first.len == 0 ? rows : first;
        found += rows.len > 0;
        /* The newest first: of fewer days only older ones are missing. */
        if (!str_starts(first, rows))
            fail_msg("of %d days: %.*s\nof more: %.*s", days, STR_ARG(rows), STR_ARG(first));
    }
    assert_true(found > 5);
}

/* A lease that ends is no drop, and none that begins is a rise. */
static void test_known_costs_are_no_events(void **state)
{
    struct world *w = *state;

    bill_days(w, TODAY - 1);
    put_policy(w, "recurring:\n- {name: lease, cost: $9000/month, from: 2026-10-20, until: "
                  "2026-11-05, tags: {team: nlp}}\n");
    ask(w, "anomalies", "{\"by\":[\"team\"]}");
    assert_non_null(strstr(answered, "\"count\":0"));
    ask(w, "anomalies", "{\"by\":[\"service\"]}");
    assert_non_null(strstr(answered, "\"count\":0"));
    assert_non_null(strstr(answered, "\"series\":1"));
}

static void test_memory_may_run_out(void **state)
{
    static const char *const requests[][2] = {
        {"budget.set", "{\"name\":\"b\",\"amount\":\"10usd\"}"},
        {"forecast", "{\"by\":[\"team\"]}"},
        {"anomalies", "{\"since\":\"10d\"}"},
        {"budget.list", ""},
    };
    struct world *w = *state;

    bill(w,
         (const struct made_cost[]){
             {"AWS", "USD", "EC2", "Compute", "spot", "nlp", "7", NULL, NOVEMBER}},
         1);
    put_policy(w, "shared:\n- {name: p, when: {team: platform}, split: usage, over: team}\n"
                  "recurring:\n- {name: rack, cost: $1/day, from: 2026-11-01, tags: {team: "
                  "platform}}\n");
    world_survives(w, requests, ARRAY_LEN(requests));
}

int group_forecast_known(void)
{
    const struct CMUnitTest tests[] = {
        costs_test(test_known_costs_have_no_range),
        costs_test(test_known_costs_of_a_provider),
        costs_test(test_costs_that_are_to_begin),
        costs_test(test_known_costs_are_shared),
        costs_test(test_budgets_say_the_same),
        costs_test(test_budgets_say_the_same_of_late_bills),
        costs_test(test_budgets_say_the_same_without_bills),
        costs_test(test_known_costs_make_no_day_whole),
        costs_test(test_monthly_bills_are_waited_for),
        costs_test(test_days_before_the_first_cost_nothing),
        costs_test(test_months_that_are_over_are_known),
        costs_test(test_rows_say_what_they_add_up_to),
        costs_test(test_events_do_not_depend_on_the_window),
        costs_test(test_known_costs_are_no_events),
        costs_test(test_memory_may_run_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
