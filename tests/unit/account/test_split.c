#include "policy.h"

#include "account/policy/allocate.h"
#include "account/policy/divide.h"

static struct share share_of(const char *team, const char *service, const char *amount)
{
    return (struct share){
        .of.of = {[DIMENSION_team] = str_from(team), [DIMENSION_service] = str_from(service)},
        .currency = {"USD"},
        .amount = decimal(amount)};
}

/* What a team has in a currency, by a rule (NULL: all), as text. */
static const char *sum_of(const struct share *at, size_t count, const char *team,
                          const char *rule, const char *currency)
{
    static char room[4][80];
    static unsigned next;
    struct decimal sum = {0};
    struct buf out = buf_new(&alloc_system, 70);
    char *text = room[next++ % 4];

    for (size_t i = 0; i < count; i++)
        if ((team == NULL || str_eq(at[i].of.of[DIMENSION_team], str_from(team))) &&
            (rule == NULL || str_eq(at[i].shared_by, str_from(rule))) &&
            currency_is(at[i].currency, currency_from(str_from(currency))))
            assert_true(decimal_add(sum, at[i].amount, &sum));
    decimal_write(decimal_trim(sum, 0), &out);
    assert_true(out.failed == ERROR_NONE);
    (void)snprintf(text, sizeof room[0], "%.*s", (int)out.len, out.at);
    buf_free(&out);
    return text;
}

#define NEVER DAY_UNKNOWN

static void split(const struct allocation_policy *p, const struct share *in, size_t count,
                  struct arena *arena, const struct share **out, size_t *len)
{
    struct error err = {0};
    struct share_list list;

    if (!policy_split(p, (struct share_list){in, count},
                      &(struct split_days){.since = NEVER, .until = NEVER}, arena, &list, &err))
        fail_msg("%s", err.text);
    *out = list.at;
    *len = list.count;
}

static void usage_decides(void **state)
{
    struct arena arena = test_arena();
    const struct allocation_policy *p = read_policy(
        "shared:\n- {name: support, when: {service: Support}, split: usage, over: team}\n",
        &arena);
    struct share in[] = {share_of("nlp", "EC2", "60"), share_of("vision", "EC2", "20.00"),
                         share_of("vision", "S3", "10"), share_of("", "Support", "100"),
                         share_of("", "EC2", "5")};
    const struct share *out;
    size_t n;

    (void)state;
    split(p, in, ARRAY_LEN(in), &arena, &out, &n);
    assert_string_equal(sum_of(out, n, "nlp", "support", "USD"), "66.666666667");
    assert_string_equal(sum_of(out, n, "vision", "support", "USD"), "33.333333333");
    assert_string_equal(sum_of(out, n, "vision", "", "USD"), "30");
    assert_string_equal(sum_of(out, n, "", NULL, "USD"), "5");
    assert_string_equal(sum_of(out, n, NULL, NULL, "USD"), "195");
    assert_int_equal(policy_split_by(p), (1u << DIMENSION_service) | (1u << DIMENSION_team));
    arena_free(&arena);
}

static void even_and_weights_name_the_teams(void **state)
{
    struct arena arena = test_arena();
    const struct allocation_policy *even = read_policy(
        "shared:\n- {name: a, when: {service: X}, split: even, among: [nlp, speech, v*]}\n",
        &arena);
    const struct allocation_policy *weights = read_policy(
        "shared:\n- {name: a, when: {service: X}, split: weights, weights: {nlp: 3, b: 0.5}}\n",
        &arena);
    struct share in[] = {share_of("nlp", "EC2", "60"), share_of("vision", "EC2", "1"),
                         share_of("other", "EC2", "9"), share_of("", "X", "7")};
    const struct share *out;
    size_t n;

    (void)state;
    split(even, in, ARRAY_LEN(in), &arena, &out, &n);
    assert_string_equal(sum_of(out, n, "nlp", "a", "USD"), "2.333333334"); /* first by name */
    assert_string_equal(sum_of(out, n, "speech", "a", "USD"), "2.333333333");
    assert_string_equal(sum_of(out, n, "vision", "a", "USD"), "2.333333333");
    assert_string_equal(sum_of(out, n, "other", NULL, "USD"), "9");
    split(weights, in, ARRAY_LEN(in), &arena, &out, &n);
    assert_string_equal(sum_of(out, n, "nlp", "a", "USD"), "6");
    assert_string_equal(sum_of(out, n, "b", "a", "USD"), "1");
    arena_free(&arena);
}

static void currencies_stay_apart_and_credits_are_shared_too(void **state)
{
    struct arena arena = test_arena();
    const struct allocation_policy *p =
        read_policy("shared:\n- {name: s, when: {service: X}, split: usage}\n", &arena);
    struct share in[] = {share_of("nlp", "EC2", "30"),  share_of("vision", "EC2", "10"),
                         share_of("tiny", "EC2", "-5"), share_of("", "X", "-8"),
                         share_of("nlp", "EC2", "1"),   share_of("", "X", "3")};
    const struct share *out;
    size_t n, kept = 0;

    (void)state;
    in[4].currency = (struct currency){"EUR"};
    split(p, in, ARRAY_LEN(in), &arena, &out, &n);
    assert_string_equal(sum_of(out, n, "nlp", "s", "USD"), "-3.75");
    assert_string_equal(sum_of(out, n, "vision", "s", "USD"), "-1.25");
    assert_string_equal(sum_of(out, n, "tiny", NULL, "USD"), "-5");
    assert_string_equal(sum_of(out, n, NULL, NULL, "USD"), "30");
    in[5].currency = (struct currency){"GBP"}; /* which has no usage */
    split(p, in, ARRAY_LEN(in), &arena, &out, &n);
    assert_string_equal(sum_of(out, n, "", NULL, "GBP"), "3");
    for (size_t i = 0; i < n; i++)
        kept += str_eq(out[i].kept_by, STR("s"));
    assert_int_equal(kept, 1);
    arena_free(&arena);
}

static void rules_follow_each_other(void **state)
{
    struct arena arena = test_arena();
    const struct allocation_policy *p =
        read_policy("shared:\n"
                    "- {name: support, when: {service: Support}, split: even, over: team}\n"
                    "- {name: platform, when: {team: platform}, split: usage, over: team}\n",
                    &arena);
    struct share in[] = {share_of("nlp", "EC2", "30"), share_of("vision", "EC2", "10"),
                         share_of("platform", "EC2", "9"), share_of("", "Support", "30")};
    const struct share *out;
    size_t n;

    (void)state;
    split(p, in, ARRAY_LEN(in), &arena, &out, &n);
    assert_string_equal(sum_of(out, n, "platform", NULL, "USD"), "0");
    assert_string_equal(sum_of(out, n, "nlp", "support", "USD"), "10");
    assert_string_equal(sum_of(out, n, "nlp", "platform", "USD"), "14.25"); /* 3/4 of 9 + 10 */
    assert_string_equal(sum_of(out, n, "vision", "platform", "USD"), "4.75");
    assert_string_equal(sum_of(out, n, NULL, NULL, "USD"), "79");
    arena_free(&arena);
}

/* ---- recurring costs ---- */

static day date(const char *text)
{
    day d;

    assert_true(day_parse(str_from(text), &d));
    return d;
}

static const char *cost_of(const struct allocation_policy *p, day since, day until)
{
    static char text[80];
    struct decimal d;
    struct error err = {0};
    struct buf out = buf_new(&alloc_system, 70);

    assert_true(policy_recurring_cost(p, 0, since, until, &d, &err));
    decimal_write(decimal_trim(d, 0), &out);
    (void)snprintf(text, sizeof text, "%.*s", (int)out.len, out.at);
    buf_free(&out);
    return text;
}

static void recurring_costs_come_by_the_day(void **state)
{
    struct arena arena = test_arena();
    const struct allocation_policy *month = read_policy(
        "recurring:\n- {name: m, cost: $200/month, from: 2026-01-15, until: 2026-04-10}\n",
        &arena);
    const struct allocation_policy *year =
        read_policy("recurring:\n- {name: y, cost: 366EUR/year, from: 2023-01-01}\n", &arena);
    const struct allocation_policy *daily =
        read_policy("recurring:\n- {name: d, cost: $5/day, from: 2026-01-15}\n", &arena);

    (void)state;
    assert_string_equal(cost_of(month, date("2026-02-01"), date("2026-03-01")), "200");
    assert_string_equal(cost_of(month, date("2026-02-01"), date("2026-02-15")), "100");
    assert_string_equal(cost_of(month, date("2025-01-01"), date("2026-01-01")), "0");
    /* 17 of 31 days, February and March, 10 of 30 days */
    assert_string_equal(cost_of(month, NEVER, NEVER), "576.344086021");
    assert_string_equal(cost_of(year, date("2024-02-28"), date("2024-03-01")), "2");
    assert_string_equal(cost_of(year, date("2023-01-01"), date("2025-01-01")), "732");
    assert_string_equal(cost_of(year, date("2023-01-01"), NEVER), "0"); /* it has no end */
    assert_string_equal(cost_of(daily, date("2026-01-01"), date("2026-01-18")), "15");
    assert_int_equal(month->recurring[0].until.n, date("2026-04-10").n);
    assert_int_equal(year->recurring[0].per, PER_YEAR);
    arena_free(&arena);
}

static void days_of_a_month_add_up_to_it(void **state)
{
    struct arena arena = test_arena();
    const struct allocation_policy *p = read_policy(
        "recurring:\n- {name: m, cost: $199.99/month, from: 2026-01-01, tags: {team: a}}\n",
        &arena);
    struct share_list out;
    struct decimal sum = {0}, most = {0}, least = {1000, 0};
    struct error err = {0};

    (void)state;
    for (int32_t d = date("2026-01-01").n; d < date("2026-02-01").n; d++) {
        assert_true(policy_split(p, (struct share_list){0},
                                 &(struct split_days){.since = {d}, .until = {d + 1}}, &arena,
                                 &out, &err));
        assert_int_equal(out.count, 1);
        assert_str_equal(out.at[0].recurring, "m");
        assert_str_equal(out.at[0].of.of[DIMENSION_team], "a");
        assert_str_equal(out.at[0].of.of[DIMENSION_service], "m");
        assert_true(decimal_add(sum, out.at[0].amount, &sum));
        most = decimal_cmp(out.at[0].amount, most) > 0 ? out.at[0].amount : most;
        least = decimal_cmp(out.at[0].amount, least) < 0 ? out.at[0].amount : least;
    }
    assert_int_equal(decimal_cmp(sum, decimal("199.99")), 0);
    assert_near(decimal_double(most), decimal_double(least), 1e-8);
    arena_free(&arena);
}

/* ---- properties ---- */

static uint64_t dice = 88172645463325252u;

static uint64_t roll(uint64_t sides)
{
    dice ^= dice << 13;
    dice ^= dice >> 7;
    dice ^= dice << 17;
    return dice % sides;
}

/* A random amount: of any size, sign and number of decimals. */
static struct decimal random_amount(void)
{
    struct decimal d = {0};

    for (uint64_t digits = roll(25); digits > 0; digits--)
        d.coefficient = d.coefficient * 10 + (wide)roll(10);
    d.coefficient = roll(4) == 0 ? -d.coefficient : d.coefficient;
    d.scale = (int)roll(13);
    return d;
}

static struct decimal total(const struct share *at, size_t count, const char *currency)
{
    struct decimal sum = {0};

    for (size_t i = 0; i < count; i++)
        if (currency_is(at[i].currency, currency_from(str_from(currency))))
            assert_true(decimal_add(sum, at[i].amount, &sum));
    return sum;
}

static void sums_never_change(void **state)
{
    static const char *const policies[] = {
        "shared:\n- {name: a, when: {service: s0}, split: usage}\n"
        "- {name: b, when: {team: t1}, split: even}\n"
        "- {name: c, when: {service: s2}, split: weights, weights: {t0: 1, t2: 7, z: 0.001}}\n",
        "shared:\n- {name: a, when: {team: ''}, split: usage, among: [t1, t2, t3]}\n"
        "- {name: b, when: {service: s*}, split: even, over: project}\n",
        "shared:\n- {name: a, when: {service: s1}, split: even, among: [x, t*]}\n"
        "- {name: b, when: {team: t*}, split: usage}\n",
    };
    static const char *const teams[] = {"", "t0", "t1", "t2", "t3"};
    static const char *const services[] = {"s0", "s1", "s2", "other"};
    static const char *const currencies[] = {"USD", "EUR"};

    (void)state;
    for (int round = 0; round < 600; round++) {
        struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
        const struct allocation_policy *p = read_policy(policies[round % 3], &arena);
        struct share in[40];
        size_t count = roll(ARRAY_LEN(in)), n;
        const struct share *out;

        for (size_t i = 0; i < count; i++) {
            const char *team = teams[roll(5)];

            in[i] = share_of(team, services[roll(4)], "0");
            in[i].amount = random_amount();
            in[i].of.of[DIMENSION_project] = str_from(teams[roll(5)]);
            in[i].currency = currency_from(str_from(currencies[roll(2)]));
        }
        split(p, in, count, &arena, &out, &n);
        for (size_t c = 0; c < ARRAY_LEN(currencies); c++)
            assert_int_equal(
                decimal_cmp(total(in, count, currencies[c]), total(out, n, currencies[c])), 0);
        arena_free(&arena);
    }
}

/* No part is further from its exact share than one unit of the last digit. */
static void parts_are_near_their_exact_share(void **state)
{
    (void)state;
    for (int round = 0; round < 2000; round++) {
        struct taker takers[6];
        struct remainder order[6];
        struct decimal parts[6], amount = random_amount(), sum = {0};
        size_t count = 1 + roll(6);
        double total = 0;

        for (size_t i = 0; i < count; i++) {
            takers[i] = (struct taker){.name = STR("x"), .amount = random_amount()};
            takers[i].amount.coefficient =
                takers[i].amount.coefficient < 0 ? 0 : takers[i].amount.coefficient;
            takers[i].amount.coefficient += i == 0;
            total += decimal_double(takers[i].amount);
        }
        takers_weigh(takers, count);
        divide_exactly(amount, takers, count, order, parts);
        for (size_t i = 0; i < count; i++) {
            double ideal = decimal_double(amount) * (decimal_double(takers[i].amount) / total);

            assert_true(decimal_add(sum, parts[i], &sum));
            assert_near(decimal_double(parts[i]), ideal,
                        2e-9 + 1e-12 * fabs(ideal) + 1e-14 * fabs(decimal_double(amount)));
        }
        assert_int_equal(decimal_cmp(sum, amount), 0);
    }
}

static void the_largest_amounts_are_divided(void **state)
{
    const wide most = (wide)(((natural)1 << 127) - 1);
    const struct decimal amounts[] = {
        {most, 0}, {-most, 0}, {-most - 1, 40}, {1, 60}, {-1, -9}};

    (void)state;
    for (size_t a = 0; a < ARRAY_LEN(amounts); a++)
        for (size_t count = 1; count <= 3; count++) {
            struct taker takers[] = {{.name = STR("a"), .amount = {most, -60}},
                                     {.name = STR("b"), .amount = {most / 3, -60}},
                                     {.name = STR("c"), .amount = {1, 60}}};
            struct remainder order[3];
            struct decimal parts[3], sum = {0};

            takers_weigh(takers, count);
            divide_exactly(amounts[a], takers, count, order, parts);
            for (size_t i = 0; i < count; i++)
                assert_true(decimal_add(sum, parts[i], &sum));
            assert_int_equal(decimal_cmp(sum, amounts[a]), 0);
        }
}

static void out_of_memory_is_reported(void **state)
{
    struct arena arena = test_arena();
    const struct allocation_policy *p = read_policy(
        "shared:\n- {name: a, when: {service: X}, split: usage}\n"
        "recurring:\n- {name: r, cost: $5/day, from: 2026-01-01, tags: {team: a}}\n",
        &arena);
    struct share in[] = {share_of("nlp", "EC2", "30"), share_of("", "X", "10")};
    bool done = false;

    (void)state;
    for (size_t allow = 0; !done; allow++) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct arena small = {.alloc = &alloc};
        struct error err = {0};
        struct share_list out;

        done = policy_split(p, (struct share_list){in, 2},
                            &(struct split_days){.since = date("2026-01-01"),
                                                 .until = date("2026-01-02"),
                                                 .each = true},
                            &small, &out, &err);
        if (!done)
            assert_int_equal(err.kind, ERROR_MEMORY);
        arena_free(&small);
        assert_int_equal(failing.held, 0);
        assert_true(allow < 100);
    }
    arena_free(&arena);
}

int group_split(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(usage_decides),
        cmocka_unit_test(even_and_weights_name_the_teams),
        cmocka_unit_test(currencies_stay_apart_and_credits_are_shared_too),
        cmocka_unit_test(rules_follow_each_other),
        cmocka_unit_test(recurring_costs_come_by_the_day),
        cmocka_unit_test(days_of_a_month_add_up_to_it),
        cmocka_unit_test(sums_never_change),
        cmocka_unit_test(parts_are_near_their_exact_share),
        cmocka_unit_test(the_largest_amounts_are_divided),
        cmocka_unit_test(out_of_memory_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
