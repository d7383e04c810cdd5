/* A budget that is set or changed. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "budget/change.h"

static struct arena arena;

static int arena_new(void **state)
{
    (void)state;
    arena = (struct arena){.alloc = &alloc_system};
    return 0;
}

static int arena_end(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

static struct budget_change of_dollars(double dollars)
{
    return (struct budget_change){.name = STR("nlp"),
                                  .amount = money_from_usd(usd_from(dollars)),
                                  .first_day = DAY_UNKNOWN,
                                  .last_day = DAY_UNKNOWN};
}

static void what_is_not_given_stays(void **state)
{
    struct str percents[] = {STR("90"), STR("50"), STR("90")}, none = STR("none");
    struct budget_change change = of_dollars(100);
    struct ledger_budget b = budget_blank(STR("nlp"), (stamp){0});
    struct error err = {0};

    (void)state;
    assert_true(budget_change(&change, false, &arena, &b, &err));
    assert_int_equal(b.thresholds.len, 4); /* the usual */
    change = (struct budget_change){.name = STR("nlp"),
                                    .thresholds = {percents, 3},
                                    .forecast = {&none, 1},
                                    .first_day = DAY_UNKNOWN,
                                    .last_day = DAY_UNKNOWN,
                                    .stop = true};
    assert_true(budget_change(&change, true, &arena, &b, &err));
    assert_true(decimal_double(b.amount.amount) == 100);
    assert_int_equal(b.thresholds.len, 2); /* sorted, each once */
    assert_true(b.thresholds.at[0] == 0.5 && b.thresholds.at[1] == 0.9);
    assert_int_equal(b.forecast.len, 0);
    assert_true(b.stops && !b.rollover);
}

static void what_does_not_go_together_is_refused(void **state)
{
    struct budget_change none = of_dollars(1), both = of_dollars(1), days = of_dollars(1),
                         total = of_dollars(1);
    const struct {
        const struct budget_change *change;
        const char *text;
    } wrong[] = {
        {&none, "a new budget needs an amount"},
        {&both, "one or the other: --stop or --no-stop"},
        {&days, "--first-day and --last-day need --period total"},
        {&total, "a total has no next period to roll over to"},
    };

    (void)state;
    none.amount = (struct money){0};
    both.stop = both.no_stop = true;
    days.first_day = (day){20000};
    total.period = STR("total");
    total.rollover = true;
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        struct ledger_budget b = budget_blank(STR("nlp"), (stamp){0});
        struct error err = {0};

        assert_false(budget_change(wrong[i].change, false, &arena, &b, &err));
        assert_int_equal(err.kind, ERROR_USAGE);
        assert_string_equal(err.text, wrong[i].text);
    }
}

int group_change(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_given_stays),
        cmocka_unit_test(what_does_not_go_together_is_refused),
    };

    return cmocka_run_group_tests(tests, arena_new, arena_end);
}
