/* Runs of ten hours at $2/hr, all of it steps. */
#include "advise_world.h"

static void add_judged(double advised, double later, double sooner)
{
    struct advise_run *r = add_run("bert", 10);

    r->metric_name = STR("val_loss");
    r->stopping[STOP_AS_ADVISED] = advised;
    r->stopping[STOP_LATER] = later;
    r->stopping[STOP_SOONER] = sooner;
}

/* $20 x (0.3 + 0.2); two values later 0.1 + 0; one sooner 0.4, and the other loses then. */
static void steps_after_the_best_are_saved(void **state)
{
    const struct finding *f;

    (void)state;
    add_judged(0.3, 0.1, 0.4);
    add_judged(0.2, 0, -1);
    add_judged(0, 0, 0);
    f = find_by("early-stopping");
    assert_saves(f, 2, 10, 10);
    assert_str_equal(f->evidence, "2 of 3 runs with val_loss would have ended at 75 % of their "
                                  "time, with the same best value");
    assert_str_equal(f->action,
                     "stint run --early-stop val_loss:min,patience=3,rule=patience -- COMMAND");
}

static void not_where_a_better_value_was_lost(void **state)
{
    (void)state;
    add_judged(0.3, 0.1, 0.4);
    add_judged(-1, 0, -1);
    assert_null(find_by("early-stopping"));
}

/* Two runs of which the metric is known are enough; one may be chance. */
static void two_runs_are_needed(void **state)
{
    (void)state;
    add_judged(0.3, 0.1, 0.4);
    add_run("bert", 10); /* no metric */
    assert_null(find_by("early-stopping"));
    add_judged(0, 0, 0);
    assert_saves(find_by("early-stopping"), 2, 6, 8);
}

int group_rules_stopping(void)
{
    const struct CMUnitTest tests[] = {
        world_test(steps_after_the_best_are_saved),
        world_test(not_where_a_better_value_was_lost),
        world_test(two_runs_are_needed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
