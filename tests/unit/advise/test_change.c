#include "advise/explain/change.h"
#include "estimate/job_estimate.h"
#include "plan/record.h"
#include "test.h"

#include <math.h>
#include <string.h>

#include "doc/json_write.h"

static struct arena arena = {.alloc = &alloc_system};

static int change_teardown(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

/* A prediction with 80 % within +-20 %. */
static struct change_side predicted_side(double cost, const char *basis, const char *offer)
{
    struct change_side side = {.name = STR("x"),
                               .source = CHANGE_ESTIMATE,
                               .unit = STR("job"),
                               .cost = usd_from(cost),
                               .basis = str_from(basis),
                               .offer = str_from(offer),
                               .price = {2000000000},
                               .price_width = 0.1,
                               .price_date = DAY_UNKNOWN};

    for (int m = 0; m < CHANGE_MEASURES; m++)
        side.amount[m] = (struct guess){NAN, NAN, NAN};
    side.amount[CHANGE_COST] = change_range(cost, log(1.2));
    side.amount[CHANGE_TIME] = change_range(cost * 1800, log(1.2));
    return side;
}

static const struct change_limits ten = {.max_increase = 0.1, .max_cost = {MONEY_UNKNOWN}};

static struct change judge(const struct change_side *before, const struct change_side *after,
                           const struct change_limits *limits)
{
    struct error err = {0};
    struct change out;

    assert_true(change_judge(before, after, limits, &arena, &out, &err));
    return out;
}

static const struct change_row *row_of(const struct change *c, enum change_measure measure)
{
    const struct change_row *rows = c->rows.at;

    for (size_t i = 0; i < c->rows.len; i++)
        if (rows[i].measure == measure)
            return &rows[i];
    fail_msg("there is no row %d", (int)measure);
    return NULL;
}

static void expect_cost(const struct change_side *before, const struct change_side *after,
                        enum change_verdict verdict)
{
    struct change c = judge(before, after, &ten);

    assert_int_equal(row_of(&c, CHANGE_COST)->verdict, verdict);
    if (verdict == CHANGE_TOO_HIGH)
        assert_false(c.passed);
}

/* Errors that both have cancel: 11 % more is more, though the ranges overlap. */
static void test_same_basis(void **state)
{
    struct change_side before = predicted_side(10, "llama h100", "a/b:on-demand"), after;

    (void)state;
    after = predicted_side(10, "llama h100", "a/b:on-demand");
    expect_cost(&before, &after, CHANGE_SAME);
    after = predicted_side(11, "llama h100", "a/b:on-demand");
    expect_cost(&before, &after, CHANGE_WITHIN);
    after = predicted_side(11.1, "llama h100", "a/b:on-demand");
    expect_cost(&before, &after, CHANGE_TOO_HIGH);
    after = predicted_side(9, "llama h100", "a/b:on-demand");
    expect_cost(&before, &after, CHANGE_LOWER);
}

/* Others do not: log(1.1) + sqrt(2) log(1.2) is +42 %. */
static void test_other_basis(void **state)
{
    struct change_side before = predicted_side(10, "llama h100", "a/b:on-demand"), after;

    (void)state;
    after = predicted_side(14.2, "llama a100", "a/c:on-demand");
    expect_cost(&before, &after, CHANGE_NOISE);
    after = predicted_side(14.3, "llama a100", "a/c:on-demand");
    expect_cost(&before, &after, CHANGE_TOO_HIGH);
    before.basis = after.basis = (struct str){0}; /* not known is not the same */
    after = predicted_side(14.2, "", "a/c:on-demand");
    expect_cost(&before, &after, CHANGE_NOISE);
}

/* The same work elsewhere: only the errors of the prices are left. */
static void test_other_offer(void **state)
{
    struct change_side before = predicted_side(10, "llama h100", "a/b:on-demand"), after;

    (void)state;
    after = predicted_side(12.6, "llama h100", "a/c:on-demand"); /* 1.1 exp(0.141) is 1.267 */
    expect_cost(&before, &after, CHANGE_NOISE);
    after = predicted_side(12.7, "llama h100", "a/c:on-demand");
    expect_cost(&before, &after, CHANGE_TOO_HIGH);
    assert_int_equal(
        row_of(&(struct change){.rows = judge(&before, &after, &ten).rows}, CHANGE_TIME)
            ->verdict,
        CHANGE_TOO_HIGH);
}

/* A new price of the same offer is not of the work. */
static void test_price(void **state)
{
    struct change_side before = predicted_side(10, "llama h100", "a/b:on-demand"),
                       after = predicted_side(15, "llama h100", "a/b:on-demand");
    struct change c;

    (void)state;
    after.amount[CHANGE_TIME] = before.amount[CHANGE_TIME];
    after.price.nano = 3000000000;
    c = judge(&before, &after, &ten);
    assert_int_equal(row_of(&c, CHANGE_COST)->verdict, CHANGE_PRICE);
    assert_near(row_of(&c, CHANGE_COST)->price, 0.5, 1e-9);
    assert_true(c.passed);
    assert_str_equal(c.verdict, "passed: increases above 10 % are explained: cost +50 % by the "
                                "price of the machine (+50 %)");
    after.price.nano = 2500000000; /* of 50 %, 25 % is the price: 20 % is left */
    expect_cost(&before, &after, CHANGE_TOO_HIGH);
}

static void test_absolute(void **state)
{
    struct change_side before = predicted_side(10, "m", "o"),
                       after = predicted_side(10, "m", "o");
    struct change_limits limits = {.max_increase = NAN, .max_cost = {10000000000}};
    struct change c;

    (void)state;
    c = judge(NULL, &after, &limits);
    assert_true(c.passed);
    assert_str_equal(c.verdict, "passed: cost $10.00 is within $10.00");
    limits.max_cost.nano--;
    c = judge(NULL, &after, &limits);
    assert_false(c.passed);
    assert_true(c.over);
    after = predicted_side(20, "m", "o");
    limits = (struct change_limits){.max_increase = 0.1, .max_cost = {50000000}};
    c = judge(&before, &after, &limits);
    assert_str_equal(c.verdict,
                     "cost increased by 100 % ($10.0 to $20.0), time by 100 % (5h to 10h); the "
                     "limit is 10 %; cost $20.00 is above the limit of $0.0500");
    limits.ignored = 1U << CHANGE_TIME;
    c = judge(&before, &after, &limits);
    assert_int_equal(row_of(&c, CHANGE_TIME)->verdict, CHANGE_IGNORED);
}

static void test_nothing(void **state)
{
    struct change_side before = predicted_side(10, "m", "o"),
                       after = predicted_side(10, "m", "o");
    struct error err = {0};
    struct change out;

    (void)state;
    before.amount[CHANGE_COST].value = before.amount[CHANGE_TIME].value = 0;
    expect_cost(&before, &after, CHANGE_TOO_HIGH);
    after.amount[CHANGE_COST].value = 0;
    expect_cost(&before, &after, CHANGE_SAME);
    before.amount[CHANGE_COST].value = NAN;
    expect_cost(&before, &after, CHANGE_UNKNOWN);
    before.amount[CHANGE_TIME].value = NAN;
    assert_false(change_judge(&before, &after, &ten, &arena, &out, &err));
    assert_int_equal(err.kind, ERROR_INPUT);
    before = predicted_side(10, "m", "o");
    before.unit = STR("month");
    assert_false(change_judge(&before, &after, &ten, &arena, &out, &err));
    assert_string_equal(err.text, "'x' has the cost of a month, but 'x' of a job");
}

/* Student's distribution: two repeats say little. */
static void test_spread(void **state)
{
    const double same[] = {3, 3, 3}, two[] = {1, exp(1)},
                 many[] = {1, 2, 1, 2, 1, 2, 1, 2, 1, 2};
    const double bad[] = {1, 0};

    (void)state;
    assert_near(change_spread(same, 3), 0, 1e-12);
    assert_near(change_spread(two, 2), 3.078 * sqrt(0.5), 1e-9);
    assert_near(change_spread(many, 10), 1.3747 * log(2) / 2 * sqrt(10.0 / 9), 1e-3);
    assert_true(isnan(change_spread(same, 1)));
    assert_true(isnan(change_spread(bad, 2)));
    assert_true(isnan(change_range(5, NAN).high));
    assert_near(change_range(5, log(2)).high, 10, 1e-9);
}

/* Of several works: each differs from its own mean. Two values 0.2 apart and three 0.1
 * apart, as logarithms: squares of 0.02 each, 3 degrees of freedom. */
static void test_spread_of_several(void **state)
{
    const double values[] = {1, 50, exp(0.2), 50 * exp(0.1), 50 * exp(0.2)};
    const size_t works[] = {0, 1, 0, 1, 1};

    (void)state;
    assert_near(change_spread_pooled(values, works, 5), 1.638 * sqrt(0.04 / 3), 1e-9);
    assert_true(isnan(change_spread_pooled(values, works, 4))); /* 2 of them */
    assert_true(isnan(change_spread_pooled(values, works, 0)));
    assert_near(change_spread_of(0.07), 1.2816 * 0.07, 1e-9);
}

/* What varies gets a range, and one that has a range a wider one. */
static void test_vary(void **state)
{
    struct change_side side = predicted_side(10, "", "");

    (void)state;
    side.source = CHANGE_RUN;
    side.amount[CHANGE_COST] = change_range(10, 0.3);
    side.amount[CHANGE_TIME] = change_range(100, NAN);
    side.amount[CHANGE_ENERGY] = (struct guess){NAN, NAN, NAN};
    change_vary(&side, 0.4, STR("3 repeats"));
    assert_near(side.amount[CHANGE_COST].high, 10 * exp(0.5), 1e-9); /* 0.3, 0.4: 0.5 */
    assert_near(side.amount[CHANGE_TIME].low, 100 * exp(-0.4), 1e-9);
    assert_true(isnan(side.amount[CHANGE_ENERGY].high));
    assert_near(side.variation, exp(0.4) - 1, 1e-9);
    assert_true(change_is_measured(&side));
}

/* Runs: repeats of the baseline differ by as much. */
static void test_runs(void **state)
{
    const double repeats[] = {9, 10, 11, 10};
    struct change_side before = predicted_side(10, "", ""), after = predicted_side(12, "", "");
    double width = change_spread(repeats, 4);

    (void)state;
    before.source = after.source = CHANGE_RUN;
    before.amount[CHANGE_COST] = change_range(10, width);
    after.amount[CHANGE_COST] = change_range(12, width);
    expect_cost(&before, &after, CHANGE_NOISE);
    after.amount[CHANGE_COST] = change_range(14, width);
    expect_cost(&before, &after, CHANGE_TOO_HIGH);
    before.amount[CHANGE_COST] = change_range(10, NAN); /* one run each: nothing is known */
    after.amount[CHANGE_COST] = change_range(12, NAN);
    expect_cost(&before, &after, CHANGE_TOO_HIGH);
}

/* ---- files ---- */

static struct change_side parse(const char *text)
{
    struct change_side side;
    struct error err = {0};

    if (!change_side_parse(str_from(text), "f.json", &arena, &side, &err))
        fail_msg("%s", err.text);
    return side;
}

static void refused(const char *text, const char *expected)
{
    struct change_side side;
    struct error err = {0};

    assert_false(change_side_parse(str_from(text), "f.json", &arena, &side, &err));
    assert_int_equal(err.kind, ERROR_INPUT);
    if (strstr(err.text, expected) == NULL)
        fail_msg("'%s' has no '%s'", err.text, expected);
}

/* The keys of the cost guide, as its own tool writes them, and ours. */
static void test_report_file(void **state)
{
    struct change_side side =
        parse("{\"cost_breakdown\":{\"training\":{\"time_hours\":0.12,\"energy_kwh\":0.0583,"
              "\"cost_local_usd\":0.0076,\"cost_aws_usd\":0.36},\"inference\":{\"avg_time_ms\":"
              "0.15,\"cost_per_1k\":0.0000167}},\"recommendations\":[]}");

    (void)state;
    assert_int_equal(side.source, CHANGE_REPORT);
    assert_near(side.amount[CHANGE_COST].value, 0.0076, 1e-12);
    assert_int_equal(side.cost.nano, 7600000);
    assert_near(side.amount[CHANGE_TIME].value, 432, 1e-9);
    assert_near(side.amount[CHANGE_ENERGY].value, 0.0583, 1e-12);
    assert_near(side.amount[CHANGE_THOUSAND].value, 0.0000167, 1e-12);
    side = parse("{\"schema\":\"stint.cost_analysis/1\",\"cost_breakdown\":{\"training\":"
                 "{\"cost_usd\":1.5,\"cost_local_usd\":0.1,\"time_hours\":null}}}");
    assert_near(side.amount[CHANGE_COST].value, 1.5, 1e-12);
    assert_true(isnan(side.amount[CHANGE_TIME].value));
    refused("{\"cost_breakdown\":{\"training\":{\"time_hours\":\"x\"}}}",
            "f.json: time_hours: expected a number");
    refused("{\"cost_breakdown\":{\"training\":{\"energy_kwh\":-1}}}", "energy_kwh");
    refused("{\"cost_breakdown\":{\"training\":{\"energy_kwh\":[1]}}}", "energy_kwh");
}

static void test_estimate_file(void **state)
{
    struct buf text = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};
    struct change_side side;
    struct estimate e;

    (void)state;
    assert_true(fields_reset(&estimate_fields, &e, &arena, &err));
    e.total = usd_from(4);
    e.total_low = usd_from(3);
    e.total_high = usd_from(5);
    e.hours = (struct guess){2, 1, 3};
    e.wall_hours = 2.5;
    e.energy_kwh = (struct guess){7, 6, 8};
    e.offer = STR("aws/us-east-1/p5");
    e.market = STR("spot");
    e.price.nano = 1000000000;
    e.price_high.nano = 2000000000;
    json_write_record(&estimate_fields, &e, "stint.estimate/1", &text);
    buf_char(&text, '\0');
    side = parse(text.at);
    buf_free(&text);
    assert_int_equal(side.cost.nano, 4000000000);
    assert_near(side.amount[CHANGE_COST].high, 5, 1e-12);
    assert_near(side.amount[CHANGE_TIME].value, 9000, 1e-9);
    assert_near(side.amount[CHANGE_TIME].high, 13500, 1e-9);
    assert_near(side.amount[CHANGE_ENERGY].low, 6, 1e-12);
    assert_str_equal(side.offer, "aws/us-east-1/p5:spot");
    assert_near(side.price_width, log(2), 1e-12);
    assert_true(isnan(side.amount[CHANGE_THOUSAND].value));
}

static void test_plan_of_serving(void **state)
{
    struct plan_deployment way;
    struct plan_result plan;
    struct change_side side;
    struct error err = {0};

    (void)state;
    assert_true(fields_reset(&plan_result_fields, &plan, &arena, &err) &&
                fields_reset(&plan_deployment_fields, &way, &arena, &err));
    way.cost = usd_from(100);
    way.cost_low = usd_from(50);
    way.cost_high = usd_from(200);
    way.per_million_requests = usd_from(2);
    way.p95_s = 0.5;
    plan.unit = STR("month");
    plan.deployments = (struct rows){&way, 1};
    assert_true(change_from_plan(&plan, &arena, &side, &err));
    assert_str_equal(side.unit, "month");
    assert_near(side.amount[CHANGE_THOUSAND].value, 0.002, 1e-12);
    assert_near(side.amount[CHANGE_THOUSAND].high, 0.004, 1e-12);
    assert_near(side.amount[CHANGE_TIME].value, 0.5, 1e-12);
    plan.deployments.len = 0;
    assert_false(change_from_plan(&plan, &arena, &side, &err));
    assert_int_equal(err.kind, ERROR_INPUT);
}

static void test_other_files(void **state)
{
    (void)state;
    refused("{}", "it has no schema");
    refused("[]", "it has no schema");
    refused("{\"schema\":\"stint.runs/1\"}", "'stint.runs/1' has no cost to compare");
    refused("{\"schema\":\"stint.plan/9\"}", "its version is 9");
    refused("{\"schema\":\"stint.plan/1\"}", "it holds no plan");
    refused("{\"schema\":\"stint.estimate/1\",\"total\":\"x\"}", "f.json");
    refused("{", "f.json");
}

#define FREED(test) cmocka_unit_test_teardown(test, change_teardown)

int group_change(void)
{
    const struct CMUnitTest tests[] = {
        FREED(test_same_basis),
        FREED(test_other_basis),
        FREED(test_other_offer),
        FREED(test_price),
        FREED(test_absolute),
        FREED(test_nothing),
        FREED(test_spread),
        FREED(test_spread_of_several),
        FREED(test_vary),
        FREED(test_runs),
        FREED(test_report_file),
        FREED(test_estimate_file),
        FREED(test_plan_of_serving),
        FREED(test_other_files),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
