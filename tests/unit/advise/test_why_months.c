/* Two months with a cause that is known, and whether it is found; the parts always add up. */
#include "test.h"

#include "advise/explain/why_months.h"
#include "base/draw.h"

#define ROWS 64
#define TEAMS 8

static struct arena arena;
static struct usage_row rows[ROWS];
static size_t row_count;
static struct usage_group groups[TEAMS];
static size_t group_count;
static struct why_explained found;
static struct rows found_groups;

static struct decimal cents(int64_t count)
{
    return (struct decimal){count, 2};
}

/* A team with so many runs in each month: its place. */
static size_t team(const char *name, int64_t before, int64_t now)
{
    groups[group_count] = (struct usage_group){str_from(name), {before, now}};
    return group_count++;
}

static void use(enum usage_kind kind, size_t group, const char *thing, double before,
                int64_t before_cents, double now, int64_t now_cents)
{
    rows[row_count++] = (struct usage_row){.kind = kind,
                                           .group = group,
                                           .thing = str_from(thing),
                                           .cost = {cents(before_cents), cents(now_cents)},
                                           .quantity = {before, now}};
}

/* What was spent is what the rows say, and `more` of each month that no row has. */
static void explain(int64_t recurring, int64_t more)
{
    struct spending spent[2] = {{.currency = currency_usd}, {.currency = currency_usd}};
    struct spending_answer answers[2] = {{.at = &spent[0], .count = 1},
                                         {.at = &spent[1], .count = 1}};
    struct why_months months = {.currency = currency_usd,
                                .spent = {&answers[0], &answers[1]},
                                .usage = {rows, row_count, groups, group_count},
                                .by = DIMENSION_BIT(team)};
    struct error err = {0};

    for (int p = 0; p < USAGE_PERIODS; p++) {
        for (size_t i = 0; i < row_count; i++)
            assert_true(decimal_add(months.recorded[p], rows[i].cost[p], &months.recorded[p]));
        if (p == 1)
            assert_true(decimal_add(months.recorded[p], cents(more), &months.recorded[p]));
        spent[p].amount = months.recorded[p];
        if (p == 1)
            assert_true(decimal_add(spent[p].amount, cents(recurring), &spent[p].amount));
    }
    assert_true(why_explain_months(&months, &arena, &found, &found_groups, &err));
}

static void forget(void)
{
    row_count = group_count = 0;
}

/* In cents, exactly; 0 when there is no such part. */
static double part(const char *cause)
{
    const struct why_part *parts = found.parts.at;

    for (size_t i = 0; i < found.parts.len; i++)
        if (str_eq(parts[i].cause, str_from(cause)))
            return decimal_double(parts[i].amount.amount) * 100;
    return 0;
}

static void assert_adds_up(void)
{
    const struct why_part *parts = found.parts.at;
    const struct why_group *by = found_groups.at;
    struct decimal sum = {0}, changes = {0};

    for (size_t i = 0; i < found.parts.len; i++)
        assert_true(decimal_add(sum, parts[i].amount.amount, &sum));
    for (size_t i = 0; i < found_groups.len; i++)
        assert_true(decimal_add(changes, by[i].change.amount, &changes));
    assert_int_equal(decimal_cmp(sum, found.difference.amount), 0);
    assert_int_equal(decimal_cmp(changes, found.difference.amount), 0);
}

static void more_and_longer_runs_are_found(void **state)
{
    size_t nlp;

    (void)state;
    forget();
    /* 4 runs of 5 h at $2, then 6 of 7 h. */
    nlp = team("nlp", 4, 6);
    use(USAGE_RUNS, nlp, "g5.xlarge", 20, 4000, 42, 8400);
    explain(0, 0);
    assert_near(part("runs"), 2000, 1e-6);
    assert_near(part("run_hours"), 6 * 2 * 200, 1e-6);
    assert_int_equal(found.parts.len, 2);
    assert_adds_up();
}

static void a_price_change_of_a_machine_is_found(void **state)
{
    size_t nlp;

    (void)state;
    forget();
    nlp = team("nlp", 4, 4);
    use(USAGE_RUNS, nlp, "g5.xlarge", 20, 4000, 20, 5000);
    explain(0, 0);
    assert_near(part("price"), 1000, 1e-6);
    assert_int_equal(found.parts.len, 1);
    assert_adds_up();
}

/* The same hours, half of them on a machine that costs twice as much. */
static void more_expensive_machines_are_no_price_change(void **state)
{
    size_t nlp;

    (void)state;
    forget();
    nlp = team("nlp", 4, 4);
    use(USAGE_RUNS, nlp, "g5.xlarge", 20, 4000, 10, 2000);
    use(USAGE_RUNS, nlp, "p4d.24xlarge", 0, 0, 10, 4000);
    explain(0, 0);
    assert_near(part("machines"), 2000, 1e-6);
    assert_int_equal(found.parts.len, 1);
    assert_adds_up();
}

static void teams_that_come_and_go_are_found(void **state)
{
    size_t nlp, vision;

    (void)state;
    forget();
    nlp = team("nlp", 3, 0);
    vision = team("vision", 0, 2);
    use(USAGE_RUNS, nlp, "g5.xlarge", 20, 4000, 0, 0);
    use(USAGE_RUNS, vision, "g5.xlarge", 0, 0, 10, 2500);
    explain(0, 0);
    assert_near(part("new"), 2500, 0);
    assert_near(part("gone"), -4000, 0);
    assert_int_equal(found.parts.len, 2);
    assert_adds_up();
}

static void use_and_price_of_a_service_are_divided(void **state)
{
    (void)state;
    forget();
    use(USAGE_CHARGE, 0, "Storage", 100, 1000, 150, 3000);
    use(USAGE_CHARGE, 0, "Queue", 0, 0, 5, 70);
    use(USAGE_CHARGE, 0, "Mail", 0, 500, 0, 800);
    use(USAGE_FIXED, 0, "Tax", 0, 100, 0, 150);
    use(USAGE_CREDIT, 0, "Credit", 0, -900, 0, -400);
    explain(0, 0);
    assert_near(part("use"), 500, 1e-6);
    assert_near(part("price"), 1500, 1e-6);
    assert_near(part("new"), 70, 0);
    assert_near(part("use_or_price"), 300, 0);
    assert_near(part("fixed"), 50, 0);
    assert_near(part("credits"), 500, 0);
    assert_adds_up();
}

static void recurring_costs_and_the_rest_are_parts(void **state)
{
    const struct why_part *last;

    (void)state;
    forget();
    use(USAGE_CHARGE, 0, "Storage", 100, 1000, 100, 1000);
    explain(300, -20);
    assert_near(part("recurring"), 300, 0);
    assert_near(part("not_explained"), -20, 0);
    last = (const struct why_part *)found.parts.at + found.parts.len - 1;
    assert_str_equal(last->cause, "not_explained");
    assert_adds_up();
}

static void parts_always_add_up_to_the_difference(void **state)
{
    uint64_t seed = 20261117;

    (void)state;
    for (int i = 0; i < 1000; i++) {
        size_t teams = draw_below(&seed, TEAMS), count = draw_below(&seed, ROWS);

        forget();
        for (size_t k = 0; k < teams; k++) {
            int64_t before = (int64_t)draw_below(&seed, 4), now = (int64_t)draw_below(&seed, 4);

            (void)team("team", before, now);
        }
        for (size_t k = 0; k < count; k++) {
            enum usage_kind kind = (enum usage_kind)draw_below(&seed, 4);
            size_t group = teams > 0 ? draw_below(&seed, teams) : 0;
            double before = (double)draw_below(&seed, 3) / 7,
                   now = (double)draw_below(&seed, 9);
            int64_t was = (int64_t)draw_below(&seed, 100000);
            int64_t is = (int64_t)draw_below(&seed, 100000) - 1000;

            use(teams > 0 ? kind : USAGE_CHARGE, group, "thing", before, was, now, is);
        }
        explain((int64_t)draw_below(&seed, 3), 0);
        assert_adds_up();
        assert_near(part("not_explained"), 0, 0);
        arena_free(&arena);
        arena = test_arena();
    }
}

static int set_up(void **state)
{
    (void)state;
    arena = test_arena();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

int group_why_months(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_and_longer_runs_are_found),
        cmocka_unit_test(a_price_change_of_a_machine_is_found),
        cmocka_unit_test(more_expensive_machines_are_no_price_change),
        cmocka_unit_test(teams_that_come_and_go_are_found),
        cmocka_unit_test(use_and_price_of_a_service_are_divided),
        cmocka_unit_test(recurring_costs_and_the_rest_are_parts),
        cmocka_unit_test(parts_always_add_up_to_the_difference),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
