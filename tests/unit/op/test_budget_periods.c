/* Budgets over their periods: in zones far from UTC, in leap years, in another currency, and
 * what goes over to the next. */
#include "budget_world.h"

/* The rest of the test is skipped without them. */
static void need_zones(void)
{
    if (!fs_exists("/usr/share/zoneinfo/Pacific/Auckland") ||
        !fs_exists("/usr/share/zoneinfo/America/Los_Angeles"))
        test_skip("there is no tz database");
}

/* A EUR budget, spending in dollars: each day at its rate, or the newest before it. */
static void days_are_converted_at_their_rates(void **state)
{
    struct world *w = *state;

    must(w, "budget.set", "{\"name\":\"b\",\"amount\":\"100eur\",\"forecast\":[\"none\"]}");
    rate(w, "2026-11-01", "EUR", "1.25");
    rate(w, "2026-11-10", "EUR", "1.2");
    spend(w, "2026-11-03T10:00:00Z", "a=b", 50 * DOLLAR); /* 40 */
    spend(w, "2026-11-09T10:00:00Z", "a=b", DOLLAR / 8);  /* 0.1 */
    spend(w, "2026-11-10T10:00:00Z", "a=b", 60 * DOLLAR); /* 50 */
    must(w, "budget.list", "");
    has("\"spent\":{\"amount\":\"90.1\",\"currency\":\"EUR\"}");
    has("\"remaining\":{\"amount\":\"9.9\",\"currency\":\"EUR\"}");
    has("\"state\":\"90 % reached\"");
    /* What a rate was is what counts, not what it became. */
    rate(w, "2026-11-14", "EUR", "2");
    must(w, "budget.list", "");
    has("\"spent\":{\"amount\":\"90.1\",\"currency\":\"EUR\"}");
}

static void what_is_left_goes_over_in_its_currency(void **state)
{
    struct world *w = *state;

    clock_now = at("2026-09-15");
    must(w, "budget.set", "{\"name\":\"b\",\"amount\":\"100eur\",\"rollover\":true}");
    clock_now = at("2026-11-15");
    rate(w, "2026-09-01", "EUR", "1.25");
    rate(w, "2026-10-01", "EUR", "1.5");
    rate(w, "2026-11-01", "EUR", "2");
    spend(w, "2026-09-20T10:00:00Z", "a=b", 75 * DOLLAR);  /* 60: 40 are left */
    spend(w, "2026-10-20T10:00:00Z", "a=b", 150 * DOLLAR); /* 100 of 140 */
    spend(w, "2026-11-02T10:00:00Z", "a=b", 20 * DOLLAR);  /* 10 */
    must(w, "budget.list", "");
    has("\"carried\":{\"amount\":\"40\",\"currency\":\"EUR\"}");
    has("\"limit\":{\"amount\":\"140\",\"currency\":\"EUR\"}");
    has("\"remaining\":{\"amount\":\"130\",\"currency\":\"EUR\"}");
}

/* What was overspent is not owed, neither to the next period nor to the one after it. */
static void what_is_overspent_is_not_owed(void **state)
{
    struct world *w = *state;

    clock_now = at("2026-08-15");
    must(w, "budget.set", "{\"name\":\"b\",\"amount\":\"100usd\",\"rollover\":true}");
    spend(w, "2026-08-20T10:00:00Z", "a=b", 900 * DOLLAR);
    spend(w, "2026-09-20T10:00:00Z", "a=b", 30 * DOLLAR);
    clock_now = at("2026-09-25");
    must(w, "budget.list", "");
    has("\"carried\":{\"amount\":\"0\",\"currency\":\"USD\"}");
    clock_now = at("2026-10-05");
    must(w, "budget.list", "");
    has("\"carried\":{\"amount\":\"70\",\"currency\":\"USD\"}");
    clock_now = at("2026-12-05"); /* two months of nothing */
    must(w, "budget.list", "");
    has("\"carried\":{\"amount\":\"270\",\"currency\":\"USD\"}");
}

/* The period that holds at that moment, by its name and days. */
static void holds(struct world *w, const char *now, const char *name, const char *days)
{
    char text[200];

    clock_now = at(now);
    must(w, "budget.list", "");
    (void)snprintf(text, sizeof text, "\"period\":\"%s\",%s", name, days);
    has(text);
}

#define DAYS(first, last) "\"first_day\":\"" first "\",\"last_day\":\"" last "\""

static void zones_decide_when_periods_begin(void **state)
{
    struct world *w = *state;

    need_zones();
    /* Thirteen hours before UTC in January. */
    must(w, "budget.set",
         "{\"name\":\"b\",\"amount\":\"1usd\",\"period\":\"quarter\",\"zone\":"
         "\"Pacific/Auckland\"}");
    holds(w, "2026-12-31T10:59:59Z", "2026-Q4", DAYS("2026-10-01", "2026-12-31"));
    holds(w, "2026-12-31T11:00:00Z", "2027-Q1", DAYS("2027-01-01", "2027-03-31"));
    must(w, "budget.set", "{\"name\":\"b\",\"period\":\"year\"}");
    holds(w, "2026-12-31T10:59:59Z", "2026", DAYS("2026-01-01", "2026-12-31"));
    holds(w, "2026-12-31T11:00:00Z", "2027", DAYS("2027-01-01", "2027-12-31"));
    /* Eight hours after it; in July seven. */
    must(w, "budget.set", "{\"name\":\"b\",\"zone\":\"America/Los_Angeles\"}");
    holds(w, "2027-01-01T07:59:59Z", "2026", DAYS("2026-01-01", "2026-12-31"));
    holds(w, "2027-01-01T08:00:00Z", "2027", DAYS("2027-01-01", "2027-12-31"));
    must(w, "budget.set", "{\"name\":\"b\",\"period\":\"quarter\"}");
    holds(w, "2027-07-01T06:59:59Z", "2027-Q2", DAYS("2027-04-01", "2027-06-30"));
    holds(w, "2027-07-01T07:00:00Z", "2027-Q3", DAYS("2027-07-01", "2027-09-30"));
}

static void leap_days_belong_to_february(void **state)
{
    struct world *w = *state;

    clock_now = at("2028-02-29T12:00:00Z");
    must(w, "budget.set", "{\"name\":\"b\",\"amount\":\"100usd\",\"rollover\":true}");
    spend(w, "2028-02-29T20:00:00Z", "a=b", 25 * DOLLAR);
    spend(w, "2028-03-01T00:00:00Z", "a=b", 10 * DOLLAR);
    holds(w, "2028-02-29T23:59:59Z", "2028-02", DAYS("2028-02-01", "2028-02-29"));
    has("\"spent\":{\"amount\":\"25\",\"currency\":\"USD\"}");
    holds(w, "2028-03-01T00:00:00Z", "2028-03", DAYS("2028-03-01", "2028-03-31"));
    has("\"carried\":{\"amount\":\"75\",\"currency\":\"USD\"}");
    must(w, "budget.set", "{\"name\":\"b\",\"period\":\"quarter\"}");
    holds(w, "2028-02-29T12:00:00Z", "2028-Q1", DAYS("2028-01-01", "2028-03-31"));
    must(w, "budget.set", "{\"name\":\"b\",\"period\":\"year\"}");
    holds(w, "2028-02-29T12:00:00Z", "2028", DAYS("2028-01-01", "2028-12-31"));
    need_zones();
    must(w, "budget.set",
         "{\"name\":\"b\",\"period\":\"month\",\"zone\":\"America/Los_Angeles\"}");
    holds(w, "2028-03-01T07:59:59Z", "2028-02", DAYS("2028-02-01", "2028-02-29"));
    must(w, "budget.set", "{\"name\":\"b\",\"zone\":\"Pacific/Auckland\"}");
    holds(w, "2028-02-29T11:00:00Z", "2028-03", DAYS("2028-03-01", "2028-03-31"));
}

/* A quarter that goes over to the next, over New Year. */
static void quarters_go_over(void **state)
{
    struct world *w = *state;

    clock_now = at("2026-10-10");
    must(w, "budget.set",
         "{\"name\":\"b\",\"amount\":\"300usd\",\"period\":\"quarter\",\"rollover\":true}");
    spend(w, "2026-12-31T22:00:00Z", "a=b", 120 * DOLLAR);
    spend(w, "2027-01-01T00:00:00Z", "a=b", 5 * DOLLAR);
    holds(w, "2027-02-01", "2027-Q1", DAYS("2027-01-01", "2027-03-31"));
    has("\"carried\":{\"amount\":\"180\",\"currency\":\"USD\"}");
    has("\"spent\":{\"amount\":\"5\",\"currency\":\"USD\"}");
}

int group_budget_periods(void)
{
    const struct CMUnitTest tests[] = {
        budget_test(days_are_converted_at_their_rates),
        budget_test(what_is_left_goes_over_in_its_currency),
        budget_test(what_is_overspent_is_not_owed),
        budget_test(zones_decide_when_periods_begin),
        budget_test(leap_days_belong_to_february),
        budget_test(quarters_go_over),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
