/* Runs with a cause that is known, and whether it is found; the parts always add up. */
#include "test.h"

#include <string.h>

#include "advise/explain/why.h"
#include "base/draw.h"

#define DOLLAR INT64_C(1000000000)
#define HOUR 3600.0

static struct arena arena;
static struct why_explained found;

static usd dollars(double amount)
{
    return usd_from(amount);
}

/* An hour of steps of 1 s at $2/hr, with 3 minutes of saving: $2.10, set-up $0.20, storage
 * $0.05. */
static struct why_plan planned(void)
{
    struct why_plan plan = {.cost = dollars(2.35),
                            .compute_hours = 1,
                            .hours = 1.15,
                            .rate = 2,
                            .step_s = 1,
                            .machines = 1};

    for (int i = 0; i < COST_LINE_COUNT; i++)
        plan.line[i] = USD_UNKNOWN;
    plan.line[COST_COMPUTE] = dollars(2);
    plan.line[COST_CHECKPOINTS] = dollars(0.1);
    plan.line[COST_SETUP] = dollars(0.2);
    plan.line[COST_STORAGE] = dollars(0.05);
    return plan;
}

/* Costs that follow from seconds of each use, at this rate. */
static struct why_attempt attempt(double rate, double train, double save)
{
    struct why_attempt a = {.setup = dollars(0.2),
                            .storage = dollars(0.05),
                            .transfer = USD_UNKNOWN,
                            .extra = USD_UNKNOWN,
                            .paid_s = NAN,
                            .rate = rate,
                            .lost_s = NAN};

    a.time[WHY_TRAINING] = dollars(train / HOUR * rate);
    a.time[WHY_SAVING] = dollars(save / HOUR * rate);
    return a;
}

/* Another use of its time. */
static void spend(struct why_attempt *a, enum why_cause use, double seconds)
{
    a->time[use] = dollars(seconds / HOUR * a->rate);
}

static int64_t if_known(usd amount)
{
    return amount.nano != MONEY_UNKNOWN ? amount.nano : 0;
}

static void total(struct why_attempt *a)
{
    a->compute.nano = 0;
    for (int i = 0; i < WHY_TIMES; i++)
        a->compute.nano += a->time[i].nano;
    a->elapsed_s = usd_double(a->compute) / a->rate * HOUR;
    a->cost.nano = a->compute.nano + if_known(a->storage) + if_known(a->setup);
}

/* In nano-dollars; 0 when there is no such part. */
static int64_t part(const char *cause)
{
    const struct why_part *parts = found.parts.at;
    int64_t nano;

    for (size_t i = 0; i < found.parts.len; i++)
        if (str_eq(parts[i].cause, str_from(cause))) {
            assert_true(decimal_fixed(parts[i].amount.amount, 9, &nano));
            return nano;
        }
    return 0;
}

static const struct why_part *first_part(void)
{
    assert_true(found.parts.len > 0);
    return found.parts.at;
}

static void assert_adds_up(void)
{
    const struct why_part *parts = found.parts.at;
    struct decimal sum = {0};

    for (size_t i = 0; i < found.parts.len; i++) {
        assert_true(parts[i].amount.amount.coefficient != 0);
        assert_true(decimal_add(sum, parts[i].amount.amount, &sum));
    }
    assert_int_equal(decimal_cmp(sum, found.difference.amount), 0);
}

static void explain_sides(const struct why_side *from, const struct why_side *to,
                          enum why_kind kind)
{
    struct error err = {0};

    assert_true(why_explain(from, to, kind, &arena, &found, &err));
    assert_adds_up();
}

/* The plan, and these attempts. */
static void explain(const struct why_attempt *attempts, size_t count, double steps,
                    double step_s)
{
    struct why_plan plan = planned();
    struct why_side from, to;

    why_side_of_plan(&plan, &from);
    why_side_of_run(attempts, count, steps, step_s, &to);
    explain_sides(&from, &to, WHY_ESTIMATE);
}

/* ---- causes ---- */

static void a_run_as_planned_has_no_parts(void **state)
{
    struct why_attempt a = attempt(2, 3600, 180);

    (void)state;
    total(&a);
    explain(&a, 1, 3600, 1);
    assert_int_equal(found.parts.len, 0);
    assert_int_equal(found.difference.amount.coefficient, 0);
    assert_str_equal(found.advice, "nothing to do: no part adds more than 1 % of the cost");
}

static void slower_steps_are_found(void **state)
{
    struct why_attempt a = attempt(2, 3600 * 1.25, 180);

    (void)state;
    total(&a);
    explain(&a, 1, 3600, 1.25);
    assert_int_equal(part("step_time"), DOLLAR / 2);
    assert_int_equal(found.parts.len, 1);
    assert_str_equal(first_part()->name, "slower steps");
    assert_str_equal(first_part()->detail, "1.25 s instead of 1 s a step");
}

static void more_steps_are_found(void **state)
{
    struct why_attempt a = attempt(2, 5400, 180);

    (void)state;
    total(&a);
    explain(&a, 1, 5400, 1);
    assert_int_equal(part("steps"), DOLLAR);
    assert_int_equal(found.parts.len, 1);
    assert_str_equal(first_part()->detail, "5400 instead of 3600");
}

static void data_stalls_are_found(void **state)
{
    struct why_attempt a = attempt(2, 3600, 180);

    (void)state;
    spend(&a, WHY_DATA, 1800);
    total(&a);
    explain(&a, 1, 3600, 1);
    assert_int_equal(part("data_stalls"), DOLLAR);
    assert_int_equal(found.parts.len, 1);
    assert_str_equal(first_part()->detail, "30min instead of none");
    assert_str_equal(found.advice, "data stalls, +$1.00: give the data loader more workers, or "
                                   "keep the data on a local disk");
}

static void idle_time_start_up_and_evaluation_are_found(void **state)
{
    struct why_attempt a = attempt(2, 3600, 90);

    (void)state;
    spend(&a, WHY_IDLE, 900);
    spend(&a, WHY_STARTUP, 360);
    spend(&a, WHY_EVALUATION, 180);
    total(&a);
    explain(&a, 1, 3600, 1);
    assert_int_equal(part("idle"), DOLLAR / 2);
    assert_int_equal(part("startup"), DOLLAR / 5);
    assert_int_equal(part("evaluation"), DOLLAR / 10);
    assert_int_equal(part("checkpoints"), -DOLLAR / 20);
    assert_int_equal(found.parts.len, 4);
}

static void a_price_change_is_found(void **state)
{
    struct why_attempt a = attempt(3, 3600, 180);

    (void)state;
    total(&a);
    explain(&a, 1, 3600, 1);
    assert_int_equal(part("price"), DOLLAR + DOLLAR / 20);
    assert_int_equal(found.parts.len, 1);
    assert_str_equal(first_part()->detail, "$3.00/hr instead of $2.00/hr");
}

/* Twice as long at half of the price: the same cost, and two parts that say why. */
static void causes_that_cancel_are_both_found(void **state)
{
    struct why_attempt a = attempt(1, 7200, 360);

    (void)state;
    total(&a);
    explain(&a, 1, 3600, 2);
    assert_int_equal(found.difference.amount.coefficient, 0);
    assert_int_equal(part("step_time"), 2 * DOLLAR);
    assert_int_equal(part("checkpoints"), DOLLAR / 10);
    assert_int_equal(part("price"), -2 * DOLLAR - DOLLAR / 10);
}

/* It is taken away after 40 minutes, of which 10 were not saved. */
static void a_restart_is_repeated_work(void **state)
{
    struct why_attempt a[] = {attempt(2, 2400, 0), attempt(2, 1800, 180)};

    (void)state;
    total(&a[0]);
    a[1].lost_s = 600;
    a[1].storage = a[1].setup = USD_UNKNOWN;
    spend(&a[1], WHY_STARTUP, 90);
    total(&a[1]);
    a[1].cost = a[1].compute;
    explain(a, 2, 3600, 1);
    /* The repeated ten minutes, and starting again. */
    assert_near((double)part("repeated_work"), (600 + 90) / HOUR * 2e9, 10);
    assert_int_equal(part("startup"), 0);
    assert_near((double)part("training"), 0, 10);
    assert_str_equal(first_part()->name, "failures and repeated work");
    assert_str_equal(first_part()->detail, "11min30s instead of none, 2 attempts");
}

/* More was lost than trained: the rest of the attempt was in vain, too. */
static void an_attempt_that_saved_nothing_is_all_repeated(void **state)
{
    struct why_attempt a[] = {attempt(2, 600, 0), attempt(2, 3600, 180)};
    struct why_side side;

    (void)state;
    spend(&a[0], WHY_DATA, 300);
    total(&a[0]);
    a[1].lost_s = 1e6;
    total(&a[1]);
    why_side_of_run(a, 2, 3600, 1, &side);
    assert_int_equal(side.item[WHY_REPEATED].nano, a[0].compute.nano + a[1].setup.nano);
    assert_int_equal(side.item[WHY_DATA].nano, 0);
}

static void a_shared_machine_costs_less(void **state)
{
    struct why_attempt a = attempt(2, 3600, 180);

    (void)state;
    total(&a);
    a.paid_s = a.elapsed_s / 2;
    a.compute.nano /= 2;
    for (int i = 0; i < WHY_TIMES; i++)
        a.time[i].nano /= 2;
    a.cost.nano = a.compute.nano + a.storage.nano + a.setup.nano;
    explain(&a, 1, 3600, 1);
    assert_int_equal(part("sharing"), -DOLLAR - DOLLAR / 20);
    assert_int_equal(found.parts.len, 1);
    assert_str_equal(first_part()->name, "shared machine");
}

static void a_run_is_one_of_the_plans_machines(void **state)
{
    struct why_plan plan = planned();
    struct why_attempt a = attempt(2, 3600, 180);
    struct why_side from, to;

    (void)state;
    total(&a);
    plan.machines = 4;
    plan.cost.nano *= 4;
    for (int i = 0; i < COST_LINE_COUNT; i++)
        if (plan.line[i].nano != MONEY_UNKNOWN)
            plan.line[i].nano *= 4;
    why_side_of_plan(&plan, &from);
    why_side_of_run(&a, 1, 3600, 1, &to);
    explain_sides(&from, &to, WHY_ESTIMATE);
    assert_int_equal(found.parts.len, 1);
    assert_int_equal(part("other_machines"), -3 * plan.cost.nano / 4);
    assert_str_equal(first_part()->detail, "the plan rents 4 machines, this run is one");
}

/* ---- what is not known ---- */

static void a_run_without_phases_is_not_divided(void **state)
{
    struct why_attempt a = attempt(2, 7200, 0);

    (void)state;
    total(&a);
    for (int i = 0; i < WHY_TIMES; i++)
        a.time[i] = USD_UNKNOWN;
    explain(&a, 1, NAN, NAN);
    assert_int_equal(part("not_explained"), 2 * DOLLAR - DOLLAR / 10);
    assert_int_equal(found.parts.len, 1);
    assert_str_equal(first_part()->detail,
                     "2h instead of 1h3min of the machine; its use is not recorded");
}

/* It is not known that a command without steps did nothing but start up. */
static void a_command_without_steps_has_no_start_up(void **state)
{
    struct why_attempt a = attempt(2, 0, 0);
    struct why_side side;

    (void)state;
    spend(&a, WHY_STARTUP, 3600);
    total(&a);
    why_side_of_run(&a, 1, NAN, NAN, &side);
    assert_int_equal(side.item[WHY_STARTUP].nano, 0);
    assert_int_equal(side.item[WHY_UNSEEN].nano, 2 * DOLLAR);
    why_side_of_run(&a, 1, 10, 1, &side);
    assert_int_equal(side.item[WHY_STARTUP].nano, 2 * DOLLAR);
}

static void without_steps_training_is_longer(void **state)
{
    struct why_attempt a = attempt(2, 5400, 180);

    (void)state;
    total(&a);
    explain(&a, 1, NAN, NAN);
    assert_int_equal(part("training"), DOLLAR);
    assert_str_equal(first_part()->name, "longer training");
    assert_str_equal(first_part()->detail, "1h30min instead of 1h; steps are not known");
}

/* An older record: a total and a time. */
static void an_estimate_without_parts_is_its_total(void **state)
{
    struct why_plan plan = planned();
    struct why_attempt a = attempt(2, 3600, 180);
    struct why_side from, to;

    (void)state;
    for (int i = 0; i < COST_LINE_COUNT; i++)
        plan.line[i] = USD_UNKNOWN;
    plan.compute_hours = NAN;
    plan.hours = 1;
    total(&a);
    why_side_of_plan(&plan, &from);
    why_side_of_run(&a, 1, 3600, 1, &to);
    explain_sides(&from, &to, WHY_ESTIMATE);
    assert_int_equal(part("training"), 0);
    assert_int_equal(part("checkpoints"), DOLLAR / 10);
    assert_int_equal(part("not_explained"), -(DOLLAR / 10 + DOLLAR / 4));
}

static void a_breakdown_is_all_of_the_cost(void **state)
{
    struct why_attempt a = attempt(2, 3600, 180);
    struct why_side from, to;

    (void)state;
    spend(&a, WHY_IDLE, 1800);
    total(&a);
    why_side_of_run(&a, 1, 3600, 1, &to);
    from = (struct why_side){
        .rate = to.rate, .share = to.share, .steps = NAN, .step_s = NAN, .seen = true};
    explain_sides(&from, &to, WHY_BREAKDOWN);
    assert_int_equal(part("training"), 2 * DOLLAR);
    assert_str_equal(first_part()->name, "training");
    assert_str_equal(
        found.advice,
        "idle time, $1.00: 'stint run --idle 10min' stops a run that does nothing");
}

/* ---- always ---- */

/* From 0 to 1. */
static double draw_unit(uint64_t *seed)
{
    return (double)draw_below(seed, (size_t)1 << 30) / (double)(1 << 30);
}

static double draw_seconds(uint64_t *seed)
{
    return draw_unit(seed) < 0.3 ? 0 : draw_unit(seed) * 1e5;
}

static struct why_attempt draw_attempt(uint64_t *seed)
{
    double rate = 0.01 + draw_unit(seed) * 50;
    struct why_attempt a = attempt(rate, 0, 0);

    for (int i = 0; i < WHY_TIMES; i++) {
        double seconds = draw_seconds(seed);

        spend(&a, (enum why_cause)i, seconds);
    }
    total(&a);
    a.storage = draw_unit(seed) < 0.5 ? USD_UNKNOWN : dollars(draw_unit(seed));
    a.cost = dollars(usd_double(a.cost) * (0.5 + draw_unit(seed)));
    a.lost_s = draw_unit(seed) < 0.5 ? (double)NAN : draw_seconds(seed);
    a.paid_s = draw_unit(seed) < 0.5 ? (double)NAN : a.elapsed_s * draw_unit(seed);
    if (draw_unit(seed) < 0.3)
        a.rate = NAN;
    if (draw_unit(seed) < 0.1)
        for (int i = 0; i < WHY_TIMES; i++)
            a.time[i] = USD_UNKNOWN;
    return a;
}

static struct why_side draw_run(uint64_t *seed)
{
    struct why_attempt attempts[4];
    size_t count = 1 + (size_t)(draw_unit(seed) * 3.999);
    double steps = draw_unit(seed) < 0.3 ? (double)NAN : draw_unit(seed) * 1e6;
    double step_s = draw_unit(seed) < 0.3 ? (double)NAN : draw_unit(seed) * 10;
    struct why_side side;

    for (size_t i = 0; i < count; i++)
        attempts[i] = draw_attempt(seed);
    why_side_of_run(attempts, count, steps, step_s, &side);
    return side;
}

static struct why_side draw_plan(uint64_t *seed)
{
    struct why_plan plan = planned();
    struct why_side side;

    for (int i = 0; i < COST_LINE_COUNT; i++)
        plan.line[i] =
            draw_unit(seed) < 0.3 ? USD_UNKNOWN : dollars(draw_unit(seed) * 100 - 10);
    plan.cost = dollars(draw_unit(seed) * 1000);
    plan.machines = 1 + (int64_t)(draw_unit(seed) * 9);
    plan.rate = draw_unit(seed) < 0.3 ? (double)NAN : draw_unit(seed) * 20;
    plan.compute_hours = draw_unit(seed) < 0.3 ? (double)NAN : draw_unit(seed) * 100;
    plan.step_s = draw_unit(seed) < 0.3 ? (double)NAN : draw_unit(seed);
    why_side_of_plan(&plan, &side);
    return side;
}

static void parts_always_add_up_to_the_difference(void **state)
{
    uint64_t seed = 20261117;

    (void)state;
    for (int i = 0; i < 3000; i++) {
        struct why_side from = draw_unit(&seed) < 0.5 ? draw_plan(&seed) : draw_run(&seed);
        struct why_side to = draw_run(&seed);
        int64_t sum[2] = {0};

        for (int k = 0; k < WHY_ITEMS; k++) {
            sum[0] += from.item[k].nano;
            sum[1] += to.item[k].nano;
        }
        assert_int_equal(sum[0], from.cost.nano);
        assert_int_equal(sum[1], to.cost.nano);
        explain_sides(&from, &to, (enum why_kind)(i % 3));
        arena_free(&arena);
        arena = test_arena();
    }
}

static void memory_that_runs_out_is_an_error(void **state)
{
    struct why_attempt a = attempt(3, 5400, 90);
    struct why_plan plan = planned();
    struct why_side from, to;

    (void)state;
    total(&a);
    why_side_of_plan(&plan, &from);
    why_side_of_run(&a, 1, 3600, 1.5, &to);
    for (size_t allow = 0; allow < 100; allow++) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {.get = failing_get, .put = failing_put, .ctx = &failing};
        struct arena small = {.alloc = &alloc};
        struct why_explained out;
        struct error err = {0};
        bool ok = why_explain(&from, &to, WHY_ESTIMATE, &small, &out, &err);

        assert_true(ok || err.kind == ERROR_MEMORY);
        arena_free(&small);
        assert_int_equal(failing.held, 0);
        if (ok)
            return;
    }
    fail_msg("it never had enough");
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

int group_why(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_as_planned_has_no_parts),
        cmocka_unit_test(slower_steps_are_found),
        cmocka_unit_test(more_steps_are_found),
        cmocka_unit_test(data_stalls_are_found),
        cmocka_unit_test(idle_time_start_up_and_evaluation_are_found),
        cmocka_unit_test(a_price_change_is_found),
        cmocka_unit_test(causes_that_cancel_are_both_found),
        cmocka_unit_test(a_restart_is_repeated_work),
        cmocka_unit_test(an_attempt_that_saved_nothing_is_all_repeated),
        cmocka_unit_test(a_shared_machine_costs_less),
        cmocka_unit_test(a_run_is_one_of_the_plans_machines),
        cmocka_unit_test(a_run_without_phases_is_not_divided),
        cmocka_unit_test(a_command_without_steps_has_no_start_up),
        cmocka_unit_test(without_steps_training_is_longer),
        cmocka_unit_test(an_estimate_without_parts_is_its_total),
        cmocka_unit_test(a_breakdown_is_all_of_the_cost),
        cmocka_unit_test(parts_always_add_up_to_the_difference),
        cmocka_unit_test(memory_that_runs_out_is_an_error),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
