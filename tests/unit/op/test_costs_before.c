/* Periods are compared with as many days, and only with what is recorded. */
#include "costs_world.h"

/* A dollar a day of a provider, from one day to before another. */
static void daily(struct world *w, const char *provider, int32_t since, int32_t until)
{
    struct made_cost all[100];
    size_t n = 0;

    for (int32_t d = since; d < until && n < ARRAY_LEN(all); d++)
        all[n++] =
            (struct made_cost){provider, "USD", "EC2", "Compute", "spot", "nlp", "1", NULL, d};
    bill(w, all, n);
}

static void run_on(struct world *w, int32_t on, int64_t dollars)
{
    record(w, &(struct made_run){"lambda/a/b", "spot", "nlp", "", on * SECONDS_PER_DAY, 3600,
                                 dollars * DOLLAR, RUN_DONE});
}

/* Bills end three days ago: the running month ends there, and the one before after as many. */
static void a_late_bill_ends_the_period(void **state)
{
    struct world *w = *state;

    daily(w, "AWS", OCTOBER, TODAY - 2);
    run_on(w, TODAY, 50);
    ask(w, "costs.trend", "{\"months\":1}");
    has("\"month\":\"2026-11\",\"currency\":\"USD\",\"amount\":{\"amount\":\"12\"");
    has("\"change\":{\"amount\":\"0\",\"currency\":\"USD\"},\"percent\":0,\"days\":12");
    has("\"before\":{\"since\":\"2026-10-01\",\"until\":\"2026-10-12\",\"known\":true,"
        "\"no_bills\":"
        "false,\"left_out_since\":\"2026-11-13\"}");
    ask(w, "costs", "{\"sort\":\"change\",\"since\":\"10d\"}");
    has("\"amount\":{\"amount\":\"7\"");
    has("\"change\":{\"amount\":\"0\"");
    has("\"before\":{\"since\":\"2026-10-27\",\"until\":\"2026-11-02\"");
    ask(w, "costs.movers", "{\"month\":\"2026-11\"}");
    has("\"movers\":[]");
    has("\"change\":{\"amount\":\"0\"");
    ask(w, "costs",
        "{\"sort\":\"change\",\"from\":\"runs\",\"since\":\"10d\"}"); /* no bill to wait for */
    has("\"until\":\"2026-11-15\",\"kind\"");
}

/* Nobody waits for a bill that does not come, when there are runs. */
static void bills_that_do_not_come_are_not_waited_for(void **state)
{
    struct world *w = *state;

    daily(w, "AWS", OCTOBER, OCTOBER + 20);
    ask(w, "costs.movers", "{\"month\":\"2026-10\"}");
    has("\"left_out_since\":\"2026-10-21\"");
    run_on(w, OCTOBER + 29, 1);
    ask(w, "costs.movers", "{\"month\":\"2026-10\"}");
    has("\"left_out_since\":null");
}

/* A whole month is compared with a whole one, be it shorter. */
static void months_are_compared_with_months(void **state)
{
    struct world *w = *state;

    daily(w, "AWS", OCTOBER - 30, NOVEMBER);
    run_on(w, TODAY, 1);
    ask(w, "costs", "{\"sort\":\"change\",\"month\":\"2026-10\"}");
    has("\"before\":{\"since\":\"2026-09-01\",\"until\":\"2026-09-30\"");
    has("\"amount\":{\"amount\":\"31\"");
    has("\"change\":{\"amount\":\"1\"");
}

/* Before all that is recorded there is nothing, not zero. */
static void nothing_recorded_is_not_zero(void **state)
{
    struct world *w = *state;

    daily(w, "AWS", NOVEMBER, TODAY);
    ask(w, "costs", "{\"sort\":\"change\",\"month\":\"2026-11\"}");
    has("\"before\":null,\"change\":null");
    has("\"known\":false");
    ask(w, "costs.movers", "{\"month\":\"2026-11\"}");
    has("\"movers\":[],\"totals\":[{\"dimension\":null,\"value\":null,\"currency\":\"USD\","
        "\"before\":null,"
        "\"amount\":{\"amount\":\"14\",\"currency\":\"USD\"},\"change\":null,\"percent\":null,"
        "\"direction\":null}]");
    daily(w, "AWS", OCTOBER - 30, OCTOBER - 20); /* September, but not October */
    ask(w, "costs.trend", "{\"months\":3}");
    has("\"month\":\"2026-09\",\"currency\":\"USD\",\"amount\":{\"amount\":\"10\"");
    has("\"month\":\"2026-10\",\"currency\":\"USD\",\"amount\":null,\"metered\":null,"
        "\"change\":null");
    has("\"amount\":{\"amount\":\"14\",\"currency\":\"USD\"},\"metered\":{\"amount\":\"0\","
        "\"currency\":\"USD\"},"
        "\"change\":null");
}

/* A running month of which bills have not a day yet is not compared. */
static void days_without_any_bill_are_not_compared(void **state)
{
    struct world *w = *state;

    daily(w, "AWS", OCTOBER, TODAY - 2);
    run_on(w, TODAY, 5);
    ask(w, "costs", "{\"sort\":\"change\",\"since\":\"2d\"}");
    has("\"amount\":{\"amount\":\"5\"");
    has("\"change\":null");
    has("\"no_bills\":true");
}

int group_costs_before(void)
{
    const struct CMUnitTest tests[] = {
        costs_test(a_late_bill_ends_the_period),
        costs_test(bills_that_do_not_come_are_not_waited_for),
        costs_test(months_are_compared_with_months),
        costs_test(nothing_recorded_is_not_zero),
        costs_test(days_without_any_bill_are_not_compared),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
