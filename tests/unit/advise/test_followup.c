/* Applied findings: predicted and measured. */
#include "advise_world.h"

#include "advise/rules/followup.h"

#define DAYS(n) ((n)*INT64_C(86400))

static struct followup out;

static struct advise_decision applied = {
    .lever = LEVER_IDLE, .saving = {INT64_C(41000000000)}, .at = {DAY0}};

static struct advise_run *run_on(int64_t on, double cost, double steps)
{
    struct advise_run *r = add_run("bert", 1);

    r->started.s = DAY0 + DAYS(on);
    r->cost = usd_from(cost);
    r->part[PART_TRAIN] = r->cost;
    r->steps = steps;
    return r;
}

static void measure(struct advise_decision *d, int64_t days)
{
    struct error err = {0};

    d->id = STR("idle-time-1");
    d->name = STR("bert");
    d->per = STR("month");
    make_works(1);
    assert_true(
        followup_measure(d, runs, run_count, (stamp){DAY0 + DAYS(days)}, &arena, &out, &err));
}

/* $4 a run before, $3 after; 5 runs in 10 days are 15 a month: $15. */
static void the_cost_of_a_run_before_and_after(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++)
        run_on(-4 + i, 4, NAN);
    for (int i = 0; i < 5; i++)
        run_on(i, 3, NAN);
    run_on(-31, 100, NAN); /* too long ago */
    measure(&applied, 10);
    assert_str_equal(out.unit, "run");
    assert_near(out.before, 4, 1e-9);
    assert_near(out.after, 3, 1e-9);
    assert_near(usd_double(out.measured), 15, 1e-6);
    assert_near(usd_double(out.measured_low), 15, 1e-6); /* no run differs */
    assert_str_equal(out.verdict, "predicted $41.0 a month, measured $15.0 a month");
}

/* Twice the steps for the same money are half the cost of a step: 3 x 200 steps in 15 days are
 * 1,200 a month, for $0.01 instead of $0.02. */
static void steps_are_the_unit_where_runs_count_them(void **state)
{
    struct advise_decision d = applied;

    (void)state;
    for (int i = 0; i < 3; i++) {
        run_on(-3 + i, 2, 100);
        run_on(i, 2, 200);
    }
    measure(&d, 15);
    assert_str_equal(out.unit, "step");
    assert_near(usd_double(out.measured), 12, 1e-6);
    d.lever = LEVER_MEMORY; /* another batch: a step is not the same */
    measure(&d, 15);
    assert_str_equal(out.unit, "run");
    assert_near(usd_double(out.measured), 0, 1e-6);
}

/* Failed runs are paid, too: $6 for each that ended well, then $2. */
static void failures_are_part_of_the_cost(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        run_on(-3 + i, 2, NAN);
        run_on(-3 + i, 4, NAN)->ending = ENDED_FAILED;
        run_on(i, 2, NAN);
    }
    measure(&applied, 30);
    assert_near(out.before, 6, 1e-9);
    assert_near(usd_double(out.measured), 12, 1e-6);
}

/* $3, $4 and $5 before: leaving one out each time, the standard error of the mean is 0.577; so
 * it is after, at $3.50: 80 % of 3 runs a month within 3 x 1.2816 x 0.816 = 3.14. */
static void what_chance_explains_is_said(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        run_on(-3 + i, 3 + i, NAN);
        run_on(i, 2.5 + i, NAN);
    }
    measure(&applied, 30);
    assert_near(usd_double(out.measured), 1.5, 1e-6);
    assert_near(usd_double(out.measured_low), 1.5 - 3 * 1.2816 * sqrt(2.0 / 3), 1e-6);
    assert_near(usd_double(out.measured_high), 1.5 + 3 * 1.2816 * sqrt(2.0 / 3), 1e-6);
    assert_str_equal(out.verdict,
                     "predicted $41.0 a month, measured $1.50 a month, which chance explains");
}

static void two_runs_are_too_few(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++)
        run_on(-3 + i, 4, NAN);
    for (int i = 0; i < 2; i++)
        run_on(i, 3, NAN);
    measure(&applied, 10);
    assert_int_equal(out.unit.len, 0);
    assert_int_equal(out.measured.nano, MONEY_UNKNOWN);
    assert_str_equal(out.verdict, "predicted $41.0 a month; too few completed runs yet: 3 "
                                  "before and 2 since, 3 each are needed");
    run_on(2, 3, NAN);
    measure(&applied, 10);
    assert_int_equal(out.unit.len, 3);
}

static void other_works_do_not_count(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        run_on(-3 + i, 4, NAN)->project = STR("nlp");
        run_on(i, 3, NAN);
    }
    measure(&applied, 10);
    assert_int_equal(out.runs_before, 0);
}

static void decisions_are_found_by_id(void **state)
{
    struct finding list[] = {{.id = "idle-time-1"}, {.id = "idle-time-2"}};
    struct findings all = {.at = list, .count = 2};
    struct advise_decision d = applied;

    (void)state;
    d.id = STR("idle-time-1");
    d.state = FINDING_DISMISSED;
    d.reason = STR("a demo");
    findings_decided(&all, &d, 1);
    assert_int_equal(list[0].state, FINDING_DISMISSED);
    assert_str_equal(list[0].reason, "a demo");
    assert_int_equal(list[1].state, FINDING_OPEN);
}

int group_followup(void)
{
    const struct CMUnitTest tests[] = {
        world_test(the_cost_of_a_run_before_and_after),
        world_test(steps_are_the_unit_where_runs_count_them),
        world_test(failures_are_part_of_the_cost),
        world_test(what_chance_explains_is_said),
        world_test(two_runs_are_too_few),
        world_test(other_works_do_not_count),
        world_test(decisions_are_found_by_id),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
