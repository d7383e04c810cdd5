/* What was spent: nothing counted twice, nothing lost, to the last digit. */
#include "costs_world.h"

#include "account/query/charges.h"
#include "ledger/budgets.h"
#include "op/spending.h"

#define HOUR INT64_C(3600)
#define BY(name) (UINT64_C(1) << DIMENSION_##name)

static const struct spending_query everything = {.since = {INT32_MIN}, .until = {INT32_MIN}};

static void no_ledger_has_spent_nothing(void **state)
{
    struct world *w = *state;
    struct spending_answer answer;
    struct error err = {0};

    assert_true(op_spending(&w->ctx, NULL, &everything, &answer, &err));
    assert_int_equal(answer.count, 0);
    assert_int_equal(answer.billed_until.n, DAY_UNKNOWN.n);
}

static const struct made_cost october[] = {
    {"AWS", "USD", "EC2", "Compute", "spot", "nlp", "10.000000000001", "30", OCTOBER},
    {"AWS", "USD", "EC2", "Compute", "on-demand", "vision", "5.5", NULL, OCTOBER + 1},
    {"AWS", "USD", "S3", "Storage", "on-demand", "", "0.000000000000000000000001", NULL,
     OCTOBER + 9},
};

/* A run of a provider counts on days that its bills do not cover, by any of its names. */
static void a_bill_covers_its_days(void **state)
{
    struct world *w = *state;
    struct spending_query q = everything;
    struct spending_answer a;

    bill(w, october, ARRAY_LEN(october));
    /* Two hours before the bill's first day, two in it: half of it is billed. */
    record(w, &(struct made_run){"aws/us-east-1/p5.48xlarge", "spot", "nlp", "",
                                 OCTOBER * SECONDS_PER_DAY - 2 * HOUR, 4 * HOUR, 4 * DOLLAR,
                                 RUN_DONE});
    /* A day within without any line is covered too; the day after the last is not. */
    record(w, &(struct made_run){"aws/p5.48xlarge:spot", "", "nlp", "",
                                 (OCTOBER + 5) * SECONDS_PER_DAY, HOUR, 8 * DOLLAR, RUN_DONE});
    record(w,
           &(struct made_run){"aws/us-east-1/a/p5.48xlarge", "reserved", "nlp", "",
                              (OCTOBER + 10) * SECONDS_PER_DAY, HOUR, 16 * DOLLAR, RUN_DONE});
    record(w, &(struct made_run){"gcp/us-central1/a3", "on-demand", "nlp", "",
                                 (OCTOBER + 5) * SECONDS_PER_DAY, HOUR, 32 * DOLLAR, RUN_DONE});
    a = spending_of(w, &q);
    assert_int_equal(a.count, 1);
    assert_decimal(a.at[0].amount, "65.500000000001000000000001");
    assert_decimal(a.at[0].metered, "50");
    assert_int_equal(a.at[0].lines, 3);
    assert_int_equal(a.at[0].runs, 3);
    assert_int_equal(a.billed_until.n, OCTOBER + 9);
    q.from = SPENDING_BILLS;
    a = spending_of(w, &q);
    assert_decimal(a.at[0].amount, "15.500000000001000000000001");
    assert_decimal(a.at[0].metered, "0");
    q.from = SPENDING_RUNS;
    a = spending_of(w, &q);
    assert_decimal(a.at[0].amount, "60");
    assert_decimal(a.at[0].metered, "50");
    q.from = SPENDING_ALL;
    q.cost = COST_LIST;
    a = spending_of(w, &q);
    assert_decimal(a.at[0].amount, "85.500000000000000000000001");
}

/* A charge that is dated next year in a bill of October says nothing of the runs until then. */
static void a_charge_of_the_future_hides_no_runs(void **state)
{
    static const struct made_cost odd[] = {
        {"AWS", "USD", "EC2", "Compute", "spot", "nlp", "10", NULL, OCTOBER},
        {"AWS", "USD", "EC2", "Compute", "spot", "nlp", "1", NULL, OCTOBER + 400},
        {"AWS", "USD", "EC2", "Compute", "spot", "nlp", "2", NULL, OCTOBER - 100},
    };
    struct world *w = *state;
    struct spending_query q = everything;
    struct spending_answer a;

    bill_of_month(w, odd, ARRAY_LEN(odd), OCTOBER);
    for (int n = -1; n < 2; n++) /* before, in and after the days that are billed */
        record(w, &(struct made_run){"aws/us-east-1/p5.48xlarge", "spot", "nlp", "",
                                     (OCTOBER + 40 * n) * SECONDS_PER_DAY, HOUR, 4 * DOLLAR,
                                     RUN_DONE});
    a = spending_of(w, &q);
    assert_decimal(a.at[0].metered, "8");
    assert_int_equal(a.at[0].runs, 2);
    q.from = SPENDING_BILLS;
    a = spending_of(w, &q);
    assert_decimal(a.at[0].amount, "13");
}

/* Runs and bills of one provider are one row, whatever either calls it. */
static void runs_have_dimensions(void **state)
{
    struct world *w = *state;
    struct spending_query q = everything;
    struct spending_answer a;

    record(w, &(struct made_run){"azure/westeurope/NC24ads:on-demand", "", "nlp", "", NOW, HOUR,
                                 DOLLAR, RUN_DONE});
    q.by = (UINT64_C(1) << DIMENSION_COUNT) - 1;
    a = spending_of(w, &q);
    assert_int_equal(a.count, 1);
    assert_str_equal(a.at[0].of.of[DIMENSION_provider], "Microsoft");
    assert_str_equal(a.at[0].of.of[DIMENSION_service], "Virtual Machines");
    assert_str_equal(a.at[0].of.of[DIMENSION_category], "Compute");
    assert_str_equal(a.at[0].of.of[DIMENSION_region], "westeurope");
    assert_str_equal(a.at[0].of.of[DIMENSION_instance], "NC24ads");
    assert_str_equal(a.at[0].of.of[DIMENSION_pricing], "on-demand");
    assert_str_equal(a.at[0].of.of[DIMENSION_gpu], "H100");
    assert_str_equal(a.at[0].of.of[DIMENSION_team], "nlp");
    assert_str_equal(a.at[0].of.of[DIMENSION_owner], "ann");
    assert_str_equal(a.at[0].of.of[DIMENSION_account], "");
    record(w, &(struct made_run){"", "", NULL, "", NOW, HOUR, DOLLAR, RUN_DONE});
    q.by = BY(provider) | BY(service) | BY(pricing);
    a = spending_of(w, &q);
    assert_int_equal(a.count, 2);
    assert_str_equal(a.at[1].of.of[DIMENSION_provider], "this machine");
    assert_str_equal(a.at[1].of.of[DIMENSION_service], "runs");
    assert_str_equal(a.at[1].of.of[DIMENSION_pricing], "other");
}

static void days_are_within_bounds(void **state)
{
    struct world *w = *state;
    struct spending_query q = {.since = {OCTOBER}, .until = {OCTOBER + 1}, .grain = GRAIN_DAY};
    struct spending_answer a;

    bill(w, october, ARRAY_LEN(october));
    record(w, &(struct made_run){"lambda/a/b", "", "nlp", "", OCTOBER * SECONDS_PER_DAY - HOUR,
                                 2 * HOUR, 2 * DOLLAR, RUN_DONE});
    a = spending_of(w, &q);
    assert_int_equal(a.count, 1);
    assert_int_equal(a.at[0].from.n, OCTOBER);
    assert_decimal(a.at[0].amount, "11.000000000001");
    assert_decimal(a.at[0].metered, "1");
    q.since.n--;
    q.until.n++;
    a = spending_of(w, &q);
    assert_int_equal(a.count, 3);
    assert_decimal(a.at[0].amount, "1");
    assert_decimal(a.at[2].amount, "5.5");
    q.grain = GRAIN_MONTH;
    a = spending_of(w, &q);
    assert_int_equal(a.count, 2);
    assert_int_equal(a.at[0].from.n, OCTOBER - 30);
    assert_int_equal(a.at[1].from.n, OCTOBER);
    assert_decimal(a.at[1].amount, "16.500000000001");
    q.grain = GRAIN_DAY;
    q.period = day_week_start; /* Monday, 2026-09-28 */
    a = spending_of(w, &q);
    assert_int_equal(a.count, 1);
    assert_int_equal(a.at[0].from.n, OCTOBER - 3);
    assert_int_equal(a.at[0].runs, 1); /* on two of its days */
}

static void unpriced_runs_are_counted(void **state)
{
    struct world *w = *state;
    struct str team = STR("team=nlp");
    struct spending_query q = everything;

    bill(w, october, ARRAY_LEN(october));
    record(w, &(struct made_run){"lambda/a/b", "", "nlp", "", NOW, 3 * SECONDS_PER_DAY, -1,
                                 RUN_DONE});
    record(w, &(struct made_run){"aws/a/b", "", "nlp", "", (OCTOBER + 5) * SECONDS_PER_DAY,
                                 HOUR, -1, RUN_DONE}); /* the bill has its price */
    record(w, &(struct made_run){"", "", "vision", "", NOW, HOUR, -1, RUN_DONE});
    assert_int_equal(spending_of(w, &q).unpriced, 2);
    q.where = (struct strs){&team, 1};
    assert_int_equal(spending_of(w, &q).unpriced, 1);
}

static struct decimal sum_where(struct world *w, const char *condition)
{
    struct str text = str_from(condition);
    struct spending_query q = everything;
    struct spending_answer a;

    q.where = (struct strs){&text, 1};
    w->said[0] = '\0';
    a = spending_of(w, &q);
    return a.count > 0 ? a.at[0].amount : (struct decimal){0};
}

static void conditions_choose(void **state)
{
    struct world *w = *state;

    bill(w, october, ARRAY_LEN(october));
    assert_decimal(sum_where(w, "team=nlp"), "10.000000000001");
    assert_decimal(sum_where(w, "Team = NLP"), "10.000000000001");
    assert_decimal(sum_where(w, "team!=nlp"), "5.500000000000000000000001");
    assert_decimal(sum_where(w, "team=*i*"), "5.5");
    assert_decimal(sum_where(w, "team="), "0.000000000000000000000001");
    assert_decimal(sum_where(w, "team=(none)"), "0.000000000000000000000001");
    assert_decimal(sum_where(w, "provider=amazon"), "15.500000000001000000000001");
    assert_string_equal(w->said, "");
    assert_decimal(sum_where(w, "team=nlq"), "0");
    assert_string_equal(w->said, "warning: no cost so far has team 'nlq': did you mean "
                                 "'nlp'?\n");
    assert_decimal(sum_where(w, "team=zzzzzz"), "0");
    assert_string_equal(w->said, "warning: no cost so far has team 'zzzzzz'\n");
}

/* ---- currencies ---- */

static const struct made_cost mixed[] = {
    {"AWS", "USD", "EC2", "Compute", "spot", "nlp", "10", NULL, OCTOBER},
    {"Microsoft", "EUR", "VM", "Compute", "spot", "nlp", "3", NULL, OCTOBER},
    {"Microsoft", "EUR", "VM", "Compute", "spot", "nlp", "7", NULL, OCTOBER + 3},
};

static void currencies_are_not_summed(void **state)
{
    struct spending_answer a;

    bill(*state, mixed, ARRAY_LEN(mixed));
    a = spending_of(*state, &everything);
    assert_int_equal(a.count, 2);
    assert_string_equal(a.at[0].currency.code, "EUR");
    assert_decimal(a.at[0].amount, "10");
    assert_decimal(a.at[1].amount, "10");
}

static void each_day_has_its_rate(void **state)
{
    struct world *w = *state;
    struct spending_query q = everything;
    struct spending_answer a;

    bill(w, mixed, ARRAY_LEN(mixed));
    rate(w, OCTOBER - 1, "EUR", "1.1");
    rate(w, OCTOBER + 3, "EUR", "1.2");
    q.currency = STR("usd");
    a = spending_of(w, &q);
    assert_int_equal(a.count, 1);
    assert_string_equal(a.at[0].currency.code, "USD");
    assert_decimal(a.at[0].amount, "21.7"); /* 10 + 3 x 1.1 + 7 x 1.2 */
    assert_int_equal(a.rates.from.n, OCTOBER - 1);
    assert_int_equal(a.rates.to.n, OCTOBER + 3);
    assert_int_equal(a.rates.oldest, 1);
    assert_str_equal(a.rates.of, "EUR");
    assert_str_equal(a.rates.source, "made.csv");
    assert_string_equal(w->said, "");
    q.currency = STR("EUR");
    a = spending_of(w, &q);
    assert_decimal(a.at[0].amount, "19.090909090909"); /* 10 / 1.1 + 10 */
}

static void a_rate_grows_old(void **state)
{
    struct world *w = *state;
    struct spending_query q = everything;
    struct ledger *l;
    struct spending_answer a;
    struct error err = {0};

    bill(w, mixed, ARRAY_LEN(mixed));
    rate(w, OCTOBER - 28, "EUR", "1.1"); /* 31 days before the last */
    q.currency = STR("USD");
    a = spending_of(w, &q);
    assert_decimal(a.at[0].amount, "21");
    assert_string_equal(w->said, "warning: a rate that was used is 31 days older than what it "
                                 "converts: 'stint rates import FILE.csv' takes newer ones\n");
    q.currency = STR("GBP");
    l = costs_open(w, LEDGER_READ);
    assert_false(op_spending(&w->ctx, l, &q, &a, &err));
    assert_int_equal(err.kind, ERROR_ABSENT);
    assert_non_null(strstr(err.text, "rate of GBP on 2026-10-01"));
    assert_non_null(strstr(err.hint, "stint rates import"));
    q.currency = STR("XYZ");
    assert_false(op_spending(&w->ctx, l, &q, &a, &err));
    assert_int_equal(err.kind, ERROR_USAGE);
    ledger_close(l);
    /* What is not asked for needs no rate. */
    rate(w, OCTOBER - 28, "EUR", "1");
    q.currency = STR("USD");
    assert_decimal(spending_of(w, &q).at[0].amount, "20");
}

/* A day more than a rate is good for. */
static void too_old_a_rate_is_none(void **state)
{
    struct world *w = *state;
    struct spending_query q = everything;
    struct ledger *l;
    struct spending_answer a;
    struct error err = {0};

    bill(w, mixed, ARRAY_LEN(mixed));
    rate(w, OCTOBER - 29, "EUR", "1.1");
    q.currency = STR("USD");
    l = costs_open(w, LEDGER_READ);
    assert_false(op_spending(&w->ctx, l, &q, &a, &err));
    assert_non_null(strstr(err.text, "rate of EUR on 2026-10-04"));
    ledger_close(l);
}

/* ---- the policy ---- */

static void put_policy(struct world *w, const char *text)
{
    struct ledger *l = costs_open(w, LEDGER_WRITE);
    struct error err = {0};

    assert_true(
        ledger_document_put(l, "allocation", str_from(text), STR("ann"), (stamp){NOW}, &err));
    ledger_close(l);
}

static const struct made_cost shared[] = {
    {"AWS", "USD", "EC2", "Compute", "spot", "nlp", "30", NULL, OCTOBER},
    {"AWS", "USD", "EC2", "Compute", "spot", "vision", "10", NULL, OCTOBER + 1},
    {"AWS", "USD", "Support", "Other", "on-demand", "", "4", NULL, OCTOBER + 2},
    /* In November vision alone spends: the support of October is not split anew. */
    {"AWS", "USD", "EC2", "Compute", "spot", "vision", "100", NULL, NOVEMBER},
};

static void shared_costs_are_split_by_the_month(void **state)
{
    struct world *w = *state;
    struct str team = STR("team=vision");
    struct spending_query q = everything;
    struct spending_answer a;

    bill(w, shared, ARRAY_LEN(shared));
    record(w, &(struct made_run){"lambda/a/b", "spot", "nlp", "", NOVEMBER * SECONDS_PER_DAY,
                                 HOUR, DOLLAR, RUN_DONE});
    put_policy(w, "shared:\n- {name: s, when: {service: Support}, split: usage, over: team}\n"
                  "recurring:\n- {name: l, cost: $31/month, from: 2026-10-01, until: "
                  "2026-10-31, tags: {team: desk}}\n");
    q.by = BY(team);
    a = spending_of(w, &q);
    assert_int_equal(a.count, 3);
    assert_str_equal(a.at[0].of.of[DIMENSION_team], "desk");
    /* Of 71 dollars of usage in October 31 are the desk's. */
    assert_decimal(a.at[0].amount, "32.746478873");
    assert_decimal(a.at[1].amount, "32.690140845"); /* nlp, with its run of November */
    assert_decimal(a.at[1].metered, "1");
    assert_int_equal(a.at[1].runs, 1);
    q.by = 0;
    a = spending_of(w, &q);
    assert_int_equal(a.count, 1);
    assert_decimal(a.at[0].amount, "176"); /* to the last digit */
    q.where = (struct strs){&team, 1};
    q.grain = GRAIN_MONTH;
    a = spending_of(w, &q);
    assert_int_equal(a.count, 2);
    assert_true(decimal_cmp(a.at[0].amount, (struct decimal){10, 0}) > 0);
    assert_decimal(a.at[1].amount, "100");
    q.raw = true;
    a = spending_of(w, &q);
    assert_decimal(a.at[0].amount, "10");
    q.where.len = 0;
    q.grain = GRAIN_ALL;
    assert_decimal(spending_of(w, &q).at[0].amount, "145");
}

/* A rule tags runs as they are read. */
static void rules_tag_runs(void **state)
{
    struct world *w = *state;
    struct spending_query q = everything;
    struct spending_answer a;

    record(w, &(struct made_run){"lambda/a/b", "spot", NULL, "", NOW, HOUR, DOLLAR, RUN_DONE});
    put_policy(w, "rules:\n- {when: {provider: Lambda}, set: {team: found}}\n");
    q.by = BY(team);
    a = spending_of(w, &q);
    assert_int_equal(a.count, 1);
    assert_str_equal(a.at[0].of.of[DIMENSION_team], "found");
}

static void assert_same_answer(const struct spending_answer *a, const struct spending_answer *b)
{
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->unpriced, b->unpriced);
    for (size_t i = 0; i < a->count; i++) {
        const struct spending *x = &a->at[i], *y = &b->at[i];

        assert_int_equal(x->from.n, y->from.n);
        assert_int_equal(decimal_cmp(x->amount, y->amount), 0);
        assert_int_equal(decimal_cmp(x->metered, y->metered), 0);
        assert_int_equal(x->runs, y->runs);
        for (size_t d = 0; d < DIMENSION_COUNT; d++)
            assert_true(str_eq(x->of.of[d], y->of.of[d]));
    }
}

static void record_many(struct world *w)
{
    static const char *const offers[] = {"aws/us-east-1/g5.xlarge", "gcp/us-central1/a3",
                                         "lambda/a/b", ""};
    static const char *const teams[] = {"nlp", "vision", "NLP", NULL};

    bill(w, october, ARRAY_LEN(october));
    for (int i = 0; i < 40; i++)
        record(w, &(struct made_run){offers[i % 4], i % 3 == 0 ? "spot" : "on-demand",
                                     teams[i % 4], "",
                                     (OCTOBER - 20 + i) * SECONDS_PER_DAY + 20 * HOUR,
                                     (i % 9) * HOUR, i % 7 == 0 ? MONEY_UNKNOWN : i * DOLLAR,
                                     i % 5 == 0 ? RUN_FAILED : RUN_DONE});
}

/* Answers from memory are those from the ledger, within the days that are remembered and
 * before them. */
static void remembered_runs_are_the_same(void **state)
{
    struct world *w = *state;
    struct spending_query queries[] = {
        {.since = {OCTOBER - 10}, .until = {INT32_MIN}, .grain = GRAIN_DAY, .by = BY(team)},
        {.since = {OCTOBER}, .until = {OCTOBER + 5}, .by = BY(gpu) | BY(provider)},
        {.since = {OCTOBER - 5}, .until = {OCTOBER + 9}, .from = SPENDING_RUNS},
        {.since = {INT32_MIN}, .until = {OCTOBER}, .by = BY(service)},
        {.since = {OCTOBER - 9}, .until = {OCTOBER + 9}, .grain = GRAIN_MONTH},
    };
    struct account_source plain, remembering;
    struct error err = {0};
    struct ledger *l;

    record_many(w);
    l = costs_open(w, LEDGER_READ);
    plain = remembering = op_account(&w->ctx, l);
    assert_true(account_remember(&remembering, (day){OCTOBER - 10}, &err));
    assert_non_null(remembering.remembered);
    for (size_t i = 0; i < ARRAY_LEN(queries); i++) {
        struct spending_answer a, b;

        assert_true(account_spending(&plain, &queries[i], &a, &err));
        assert_true(account_spending(&remembering, &queries[i], &b, &err));
        assert_true(a.count > 0);
        assert_same_answer(&a, &b);
    }
    ledger_close(l);
}

int group_spending(void)
{
    const struct CMUnitTest tests[] = {
        costs_test(no_ledger_has_spent_nothing),
        costs_test(a_bill_covers_its_days),
        costs_test(a_charge_of_the_future_hides_no_runs),
        costs_test(runs_have_dimensions),
        costs_test(days_are_within_bounds),
        costs_test(unpriced_runs_are_counted),
        costs_test(conditions_choose),
        costs_test(currencies_are_not_summed),
        costs_test(each_day_has_its_rate),
        costs_test(a_rate_grows_old),
        costs_test(too_old_a_rate_is_none),
        costs_test(shared_costs_are_split_by_the_month),
        costs_test(rules_tag_runs),
        costs_test(remembered_runs_are_the_same),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
