/* A team's month is one amount, however it is asked for: shared and recurring costs by
 * month. */
#include "costs_world.h"

#include "ledger/budgets.h"
#include "op/account/statement.h"
#include "op/budget/budget.h"
#include "op/op.h"
#include "op/spending.h"

#define BY(name) (UINT64_C(1) << DIMENSION_##name)

static void put_policy(struct world *w, const char *text)
{
    struct ledger *l = costs_open(w, LEDGER_WRITE);
    struct error err = {0};

    assert_true(
        ledger_document_put(l, "allocation", str_from(text), STR("ann"), (stamp){NOW}, &err));
    ledger_close(l);
}

/* Amounts that seven does not divide, on days on which not everybody spends. */
static const struct made_cost costs[] = {
    {"AWS", "USD", "EC2", "Compute", "spot", "nlp", "31.123456789", NULL, OCTOBER},
    {"AWS", "USD", "EC2", "Compute", "spot", "vision", "10.7", NULL, OCTOBER + 1},
    {"AWS", "USD", "S3", "Storage", "on-demand", "vision", "0.0000000001", NULL, OCTOBER + 1},
    {"AWS", "USD", "Support", "Other", "on-demand", "", "4.01", NULL, OCTOBER},
    {"AWS", "USD", "Support", "Other", "on-demand", "", "0.0000001", NULL, OCTOBER + 2},
    {"AWS", "USD", "Support", "Other", "on-demand", "", "1.003", NULL, OCTOBER + 30},
    {"AWS", "USD", "Lake", "Storage", "on-demand", "", "0.07", NULL, OCTOBER + 2},
    {"AWS", "USD", "EC2", "Compute", "spot", "platform", "2.22", NULL, OCTOBER + 3},
    {"AWS", "USD", "EC2", "Compute", "spot", "vision", "100", NULL, NOVEMBER},
    {"AWS", "USD", "Support", "Other", "on-demand", "", "9.99", NULL, NOVEMBER + 1},
};

static const char policy[] =
    "shared:\n"
    "- {name: support, when: {service: [Support, Lake]}, split: usage, over: team}\n"
    "- {name: platform, when: {team: platform}, split: weights, weights: {nlp: 3, vision: 4}}\n"
    "recurring:\n"
    "- {name: lease, cost: $100/month, from: 2026-01-01, tags: {team: nlp}}\n";

/* What all rows of an answer come to. */
static struct decimal total(struct spending_answer a)
{
    struct decimal sum = {0};
    struct error err = {0};

    for (size_t i = 0; i < a.count; i++)
        assert_true(costs_plus(&sum, a.at[i].amount, &err));
    return sum;
}

static struct decimal asked(struct world *w, const char *team, day since, day until,
                            enum ledger_grain grain)
{
    char text[32];
    struct str where = {text, 0};
    struct spending_query q = {.since = since, .until = until, .grain = grain};

    where.len = (size_t)snprintf(text, sizeof text, "team=%s", team);
    q.where = (struct strs){&where, 1};
    return total(spending_of(w, &q));
}

static void assert_same(struct decimal a, struct decimal b)
{
    if (decimal_cmp(a, b) != 0)
        fail_msg("%.12f is not %.12f", decimal_double(a), decimal_double(b));
}

/* Of one team in October, as its statement has it. */
static struct decimal stated(struct world *w, const char *team)
{
    const struct op *op = op_find(STR("statement"));
    struct statement_request req = {.month = STR("2026-10"),
                                    .kind = STR("showback"),
                                    .by = STR("team"),
                                    .team = str_from(team)};
    struct statement_result res = {0};
    struct error err = {0};

    if (!op->run(&w->ctx, &req, &res, &err))
        fail_msg("%s", err.text);
    assert_int_equal(res.set.statements.len, 1);
    return ((const struct statement *)res.set.statements.at)->total.amount;
}

static void a_month_is_one_amount(void **state)
{
    static const char *const teams[] = {"nlp", "vision"};
    struct world *w = *state;
    day first = {OCTOBER}, after = {OCTOBER + 31};

    bill(w, costs, ARRAY_LEN(costs));
    put_policy(w, policy);
    for (size_t i = 0; i < ARRAY_LEN(teams); i++) {
        struct decimal month = asked(w, teams[i], first, after, GRAIN_ALL), days = {0};
        struct error err = {0};

        assert_same(month, asked(w, teams[i], first, after, GRAIN_MONTH));
        assert_same(month, asked(w, teams[i], first, after, GRAIN_DAY));
        assert_same(month, stated(w, teams[i]));
        /* A day is the same by itself as it is among others. */
        for (int32_t d = OCTOBER; d < OCTOBER + 31; d++)
            assert_true(
                costs_plus(&days, asked(w, teams[i], (day){d}, (day){d + 1}, GRAIN_ALL), &err));
        assert_same(month, days);
    }
}

/* The running month of a team, as its budget has it. */
static void a_budget_has_the_same_amount(void **state)
{
    struct world *w = *state;
    struct str vision = STR("team=vision");
    struct ledger_budget b = {.name = STR("b"),
                              .period = STR("month"),
                              .scope = {&vision, 1},
                              .amount = {.amount = {1000, 0}, .currency = {"USD"}}};
    struct account_source account;
    struct budget_state s;
    struct error err = {0};
    struct ledger *l;

    bill(w, costs, ARRAY_LEN(costs));
    put_policy(w, policy);
    l = costs_open(w, LEDGER_READ);
    account = op_account(&w->ctx, l);
    assert_true(budget_evaluate(&account, w->clock.today(w->clock.ctx), &b, &s, &err));
    assert_int_equal(s.problem.kind, ERROR_NONE);
    ledger_close(l);
    assert_same(s.spent, asked(w, "vision", (day){NOVEMBER}, (day){NOVEMBER + 30}, GRAIN_ALL));
    assert_same(s.spent, asked(w, "vision", (day){NOVEMBER}, (day){TODAY + 1}, GRAIN_DAY));
    assert_true(decimal_cmp(s.spent, (struct decimal){100, 0}) > 0);
}

/* Nothing is lost or made, whatever days are asked for. */
static void all_adds_up(void **state)
{
    struct world *w = *state;
    struct spending_query q = {.since = {OCTOBER}, .until = {OCTOBER + 31}, .by = BY(team)};
    struct decimal all;

    bill(w, costs, ARRAY_LEN(costs));
    put_policy(w, policy);
    all = total(spending_of(w, &q));
    assert_decimal(costs_money(all, currency_usd).amount, "149.1264568891");
    q.by = BY(team) | BY(service) | BY(project);
    q.grain = GRAIN_DAY;
    assert_same(all, total(spending_of(w, &q)));
    q.by = 0;
    q.since.n = OCTOBER + 2; /* support of that day, and the lease's */
    q.until.n = OCTOBER + 3;
    assert_decimal(costs_money(total(spending_of(w, &q)), currency_usd).amount, "3.295806551");
}

/* Today counts, tomorrow does not: of the running month, and of the year. */
static void days_to_come_cost_nothing(void **state)
{
    struct world *w = *state;
    struct spending_query q = {.since = {NOVEMBER}, .until = {NOVEMBER + 30}};

    bill(w, costs, 1);
    put_policy(w, "recurring:\n- {name: lease, cost: $30/month, from: 2026-01-01}\n");
    assert_decimal(total(spending_of(w, &q)), "15");
    q.grain = GRAIN_DAY;
    assert_int_equal(spending_of(w, &q).count, 15);
    q.grain = GRAIN_MONTH;
    q.since = day_make(2026, 1, 1);
    q.until = day_make(2027, 1, 1);
    assert_decimal(total(spending_of(w, &q)),
                   "346.123456789"); /* ten months, a half, and EC2 */
    q.since = day_make(2026, 12, 1);
    assert_int_equal(spending_of(w, &q).count, 0);
}

/* What is not asked for needs no rate; what is asked for and has none is an error. */
static void conditions_come_before_rates(void **state)
{
    struct world *w = *state;
    struct str nlp = STR("team=nlp"), desk = STR("team=desk");
    struct spending_query q = {.since = {OCTOBER},
                               .until = {OCTOBER + 31},
                               .currency = STR("USD"),
                               .where = {&nlp, 1}};
    struct spending_answer a;
    struct error err = {0};
    struct ledger *l;

    bill(w, costs, ARRAY_LEN(costs));
    put_policy(w, "shared:\n- {name: s, when: {service: Support}, split: usage, over: team}\n"
                  "recurring:\n- {name: tool, cost: 31EUR/month, from: 2026-01-01, tags: "
                  "{team: desk}}\n");
    a = spending_of(w, &q);
    assert_int_equal(a.count, 1);
    assert_true(a.rates.of.len == 0);
    q.where.at = &desk;
    l = costs_open(w, LEDGER_READ);
    assert_false(op_spending(&w->ctx, l, &q, &a, &err));
    assert_int_equal(err.kind, ERROR_ABSENT);
    assert_non_null(strstr(err.text, "rate of EUR on 2026-10-01"));
    ledger_close(l);
    for (int32_t d = OCTOBER; d < OCTOBER + 31; d++)
        rate(w, d, "EUR", d == OCTOBER ? "2" : "1"); /* each day at its own */
    assert_decimal(total(spending_of(w, &q)), "32");
    q.until.n = OCTOBER + 1;
    assert_decimal(total(spending_of(w, &q)), "2");
}

/* Bills are what bills say, runs what runs cost: neither has leases or shares in it. */
static void one_source_is_as_it_was_recorded(void **state)
{
    struct world *w = *state;
    struct spending_query q = {
        .since = {OCTOBER}, .until = {OCTOBER + 31}, .by = BY(team), .from = SPENDING_BILLS};
    struct spending_answer a;

    bill(w, costs, ARRAY_LEN(costs));
    record(w, &(struct made_run){"lambda/a/b", "spot", "nlp", "", OCTOBER * SECONDS_PER_DAY,
                                 3600, DOLLAR, RUN_DONE});
    put_policy(w, policy);
    a = spending_of(w, &q);
    assert_int_equal(a.count, 4);
    assert_str_equal(a.at[0].of.of[DIMENSION_team], "");
    assert_decimal(a.at[0].amount, "5.0830001");
    assert_decimal(a.at[1].amount, "31.123456789");
    q.from = SPENDING_RUNS;
    a = spending_of(w, &q);
    assert_int_equal(a.count, 1);
    assert_decimal(a.at[0].amount, "1");
}

int group_months(void)
{
    const struct CMUnitTest tests[] = {
        costs_test(a_month_is_one_amount),
        costs_test(a_budget_has_the_same_amount),
        costs_test(all_adds_up),
        costs_test(days_to_come_cost_nothing),
        costs_test(conditions_come_before_rates),
        costs_test(one_source_is_as_it_was_recorded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
