/* When to warn, to ask for a checkpoint, to end a run. */
#include "test.h"

#include "run/supervise/guard.h"
#include "unit/time.h"

#define S INT64_C(1000000000)

static const struct guard_program plain = {.memory = NAN};
static const struct guard_program asks = {.saves_on_ask = true, .memory = NAN};
static const struct guard_program terms = {.saves_on_term = true, .memory = NAN};

static void budget_ends_slightly_early_never_late(void **state)
{
    usd_per_hour rates[] = {{1}, {3}, {2490000000}, {3600000000000}, {INT64_MAX}};
    usd amounts[] = {{1}, {7}, {5000000000}, {999999999999}};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rates); i++)
        for (size_t k = 0; k < ARRAY_LEN(amounts); k++) {
            instant now = {12345}, at = guard_spent_at(now, amounts[k], rates[i]);
            usd cost;

            if (at.ns == MOMENT_NEVER.ns)
                continue;
            assert_true(at.ns >= now.ns);
            assert_true(usd_for(rates[i], span_between(now, at), &cost));
            assert_true(cost.nano <= amounts[k].nano);
        }
}

static void unknown_or_free_never_runs_out(void **state)
{
    (void)state;
    assert_int_equal(guard_spent_at((instant){5}, (usd){1}, USD_PER_HOUR_UNKNOWN).ns,
                     MOMENT_NEVER.ns);
    assert_int_equal(guard_spent_at((instant){5}, USD_UNKNOWN, (usd_per_hour){1}).ns,
                     MOMENT_NEVER.ns);
    assert_int_equal(guard_spent_at((instant){5}, (usd){1}, (usd_per_hour){0}).ns,
                     MOMENT_NEVER.ns);
    assert_int_equal(guard_spent_at((instant){5}, (usd){0}, (usd_per_hour){1}).ns, 5);
    assert_int_equal(guard_spent_at((instant){5}, (usd){-1}, (usd_per_hour){1}).ns, 5);
    assert_int_equal(guard_spent_at((instant){5}, (usd){0}, USD_PER_HOUR_UNKNOWN).ns, 5);
}

/* A minute with a save of 2 s: it fits, and less than 2 % is left over. */
static void a_minute_with_a_save_of_two_seconds(void **state)
{
    span grace = {3 * S};
    instant limit = {60 * S};
    struct guard_steps steps;

    (void)state;
    steps = guard_before(limit, grace, &asks);
    assert_true(steps.term.ns - steps.ask.ns >= 2 * S + S / 4);
    assert_true(limit.ns - steps.term.ns < 60 * S / 50);
    assert_true(limit.ns - (steps.ask.ns + 2 * S) <
                60 * S / 50); /* it ends when it has saved */
    steps = guard_before(limit, grace, &terms);
    assert_int_equal(steps.ask.ns, MOMENT_NEVER.ns);
    assert_true(steps.kill.ns - steps.term.ns >= 2 * S + S / 4);
    assert_true(limit.ns - (steps.term.ns + 2 * S) < 60 * S / 50);
    steps = guard_before(limit, grace, &plain);
    assert_int_equal(steps.ask.ns, MOMENT_NEVER.ns);
    assert_true(limit.ns - steps.term.ns < S);
}

static void steps_come_in_order_and_before_the_limit(void **state)
{
    const struct guard_program *programs[] = {&plain, &asks, &terms};
    int64_t graces[] = {0, 1, S / 10, S, 100 * S};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(programs); i++)
        for (size_t k = 0; k < ARRAY_LEN(graces); k++) {
            struct guard_program program = *programs[i];
            struct guard_steps steps;

            for (double memory = 1e9; memory < 1e13; memory *= 100) {
                program.memory = memory;
                steps = guard_before((instant){1000 * S}, (span){graces[k]}, &program);
                assert_true(steps.term.ns <= steps.kill.ns);
                assert_true(steps.kill.ns < 1000 * S);
                assert_true(steps.kill.ns >= 995 * S);
                if (program.saves_on_ask)
                    assert_true(steps.ask.ns <= steps.term.ns);
            }
        }
    assert_int_equal(guard_before(MOMENT_NEVER, (span){S}, &asks).kill.ns, MOMENT_NEVER.ns);
}

static void ending_at_once_keeps_to_the_limit_too(void **state)
{
    struct guard_steps steps =
        guard_from((instant){10 * S}, (span){30 * S}, MOMENT_NEVER, &asks);

    (void)state;
    assert_int_equal(steps.ask.ns, 10 * S);
    assert_int_equal(steps.term.ns, 40 * S);
    assert_int_equal(steps.kill.ns, 70 * S);
    steps = guard_from((instant){10 * S}, (span){30 * S}, MOMENT_NEVER, &plain);
    assert_int_equal(steps.term.ns, 10 * S);
    assert_int_equal(steps.kill.ns, 40 * S);
    steps = guard_from((instant){10 * S}, (span){30 * S}, (instant){20 * S}, &asks);
    assert_true(steps.term.ns < 20 * S && steps.kill.ns < 20 * S);
}

/* At a limit it has all of the time but the last moment; otherwise both steps wait for it. */
static void a_save_under_way_is_not_disturbed(void **state)
{
    struct guard_program saving = {.saves_on_ask = true, .saving = true, .memory = NAN};
    struct guard_steps steps = guard_before((instant){100 * S}, (span){10 * S}, &saving);
    instant latest = {60 * S};

    (void)state;
    assert_int_equal(steps.ask.ns, 90 * S);
    assert_int_equal(steps.term.ns, steps.kill.ns);
    assert_true(steps.kill.ns < 100 * S && steps.kill.ns > 99 * S);
    steps = guard_wait((struct guard_steps){{0}, {40 * S}, {50 * S}}, (instant){45 * S}, latest,
                       false);
    assert_int_equal(steps.term.ns, 46 * S);
    assert_int_equal(steps.kill.ns, 50 * S);
    steps = guard_wait(steps, (instant){55 * S}, latest, true);
    assert_int_equal(steps.term.ns, 46 * S);
    assert_int_equal(steps.kill.ns, 56 * S);
    steps = guard_wait(steps, (instant){59 * S + S / 2}, latest, true);
    assert_int_equal(steps.kill.ns, latest.ns);
}

/* The program's own save when the last one is due is the last, unless there is time for
 * another. */
static void a_save_of_its_own_may_be_the_last(void **state)
{
    (void)state;
    assert_int_equal(guard_save_turn((span){10 * S}, 8, false, (span){0}, false), SAVE_ASK);
    assert_int_equal(guard_save_turn((span){10 * S}, 8, true, (span){2 * S}, false), SAVE_WAIT);
    assert_int_equal(guard_save_turn((span){4 * S}, 8, false, (span){0}, true), SAVE_SKIP);
    assert_int_equal(guard_save_turn((span){9 * S}, 8, false, (span){0}, true), SAVE_ASK);
    /* A file that is written forever is no save. */
    assert_int_equal(guard_save_turn((span){10 * S}, 8, true, (span){60 * S}, false), SAVE_ASK);
    assert_int_equal(guard_save_turn((span){10 * S}, NAN, true, (span){S}, false), SAVE_WAIT);
    /* Too late for a complete one, but it has none: asked anyway. */
    assert_int_equal(guard_save_turn((span){4 * S}, 8, false, (span){0}, false), SAVE_ASK);
}

static void warnings_come_once_each(void **state)
{
    usd budget = {100};
    int warned = 0;

    (void)state;
    assert_int_equal(guard_warning((usd){49}, budget, &warned), 0);
    assert_int_equal(guard_warning((usd){50}, budget, &warned), 50);
    assert_int_equal(guard_warning((usd){60}, budget, &warned), 0);
    assert_int_equal(guard_warning((usd){92}, budget, &warned), 90);
    assert_int_equal(guard_warning((usd){80}, budget, &warned), 0);
    assert_int_equal(guard_warning(USD_UNKNOWN, budget, &warned), 0);
    assert_int_equal(guard_warning((usd){100}, USD_UNKNOWN, &warned), 0);
}

static void work_and_unknown_use_end_idleness(void **state)
{
    struct idle_options options = {.below = 0.05, .after = {60 * S}};
    struct idle_watch watch = {.since = MOMENT_NEVER};

    (void)state;
    assert_int_equal(idle_see(&watch, &options, 0.01, (instant){0}), IDLE_NO);
    assert_int_equal(idle_see(&watch, &options, 0.01, (instant){30 * S}), IDLE_WARN);
    assert_int_equal(idle_see(&watch, &options, 0.01, (instant){31 * S}), IDLE_NO);
    assert_int_equal(idle_see(&watch, &options, 0.9, (instant){40 * S}), IDLE_NO);
    assert_int_equal(idle_see(&watch, &options, 0.01, (instant){61 * S}), IDLE_NO);
    assert_int_equal(idle_see(&watch, &options, NAN, (instant){80 * S}), IDLE_NO);
    assert_int_equal(idle_see(&watch, &options, 0, (instant){90 * S}), IDLE_NO);
    assert_int_equal(idle_see(&watch, &options, 0, (instant){150 * S}), IDLE_OVER);
    options.after = SPAN_UNKNOWN;
    assert_int_equal(idle_see(&watch, &options, 0, (instant){999 * S}), IDLE_NO);
}

int group_guard(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(budget_ends_slightly_early_never_late),
        cmocka_unit_test(unknown_or_free_never_runs_out),
        cmocka_unit_test(a_save_under_way_is_not_disturbed),
        cmocka_unit_test(a_save_of_its_own_may_be_the_last),
        cmocka_unit_test(a_minute_with_a_save_of_two_seconds),
        cmocka_unit_test(steps_come_in_order_and_before_the_limit),
        cmocka_unit_test(ending_at_once_keeps_to_the_limit_too),
        cmocka_unit_test(warnings_come_once_each),
        cmocka_unit_test(work_and_unknown_use_end_idleness),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
