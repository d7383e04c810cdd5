/* Which run pays which part of a bill. */
#include "reconciling.h"

#include <math.h>

#include "account/reconcile/reconciliation.h"

static void a_run_pays_for_its_share_of_the_machine(void **state)
{
    struct reconcile_machine m[] = {machine("arn:aws:ec2:us-east-1:1:instance/i-01", "x")};
    struct reconcile_cell c[] = {cell(0, 0, 24, "48"), cell(0, 1, 10, "20")};
    struct reconcile_attempt a[] = {attempt("i-01", 0, 18, 12)}; /* 6 hours of each day */

    (void)state;
    match(m, 1, c, 2, a, 1);
    assert_int_equal(a[0].how, RECONCILE_RESOURCE);
    assert_amount(a[0].billed, "24");
    assert_amount(c[0].matched, "12");
    assert_amount(c[1].matched, "12");
    assert_near(a[0].hours_billed, 12, 1e-9);
}

/* However often the machine was shared and whatever the digits: the sum is exact. */
static void shares_never_add_up_to_more_than_the_cell(void **state)
{
    uint64_t random = 3;

    (void)state;
    for (int round = 0; round < 2000; round++) {
        struct reconcile_machine m[] = {machine("i-1", "x")};
        struct reconcile_cell c[] = {cell(0, 0, 24, "0"), cell(0, 1, 7.3, "0")};
        struct reconcile_attempt a[9];
        struct decimal sum = {0}, cells;
        size_t count;

        random = random * 6364136223846793005u + 1442695040888963407u;
        count = 1 + (random >> 33) % ARRAY_LEN(a);
        for (size_t i = 0; i < 2; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            c[i].cost = (struct decimal){(int64_t)(random >> 20) - (int64_t)(1LL << 42), 15};
        }
        for (size_t i = 0; i < count; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            a[i] = attempt("i-1", (int)(random >> 40) % 2, (int)(random >> 45) % 20,
                           (double)(random >> 50) / 2000);
        }
        match(m, 1, c, 2, a, count);
        for (size_t i = 0; i < count; i++)
            assert_true(decimal_add(sum, a[i].billed, &sum));
        assert_true(decimal_add(c[0].matched, c[1].matched, &cells));
        assert_int_equal(decimal_cmp(sum, cells), 0);
        for (size_t i = 0; i < 2; i++)
            assert_true(fabs(decimal_double(c[i].matched)) <=
                        fabs(decimal_double(c[i].cost)) + 1e-15);
    }
}

/* Two runs at the same time on one machine, both by its id: each its half. */
static void a_machine_may_be_shared(void **state)
{
    struct reconcile_machine m[] = {machine("i-1", "x")};
    struct reconcile_cell c[] = {cell(0, 0, 24, "10")};
    struct reconcile_attempt a[] = {attempt("i-1", 0, 0, 24), attempt("i-1", 0, 0, 24),
                                    attempt("i-1", 0, 0, 24)};

    (void)state;
    match(m, 1, c, 1, a, 3);
    for (int i = 0; i < 3; i++)
        assert_int_equal(a[i].how, RECONCILE_RESOURCE);
    assert_amount(a[0].billed, "3.333333333333");
    assert_amount(a[1].billed, "3.333333333334");
    assert_amount(a[2].billed, "3.333333333333");
    assert_amount(c[0].matched, "10");
}

/* Its time counts once, its money in both; the run's own sum is in the first. */
static void two_currencies_are_separate(void **state)
{
    struct reconcile_machine m[] = {machine("i-1", "x")};
    struct reconcile_cell c[] = {cell(0, 0, 24, "24"), cell(0, 0, 24, "48")};
    struct reconcile_attempt a[] = {attempt("i-1", 0, 0, 6)};

    (void)state;
    c[0].currency = (struct currency){"EUR"};
    match(m, 1, c, 2, a, 1);
    assert_string_equal(a[0].currency.code, "EUR");
    assert_amount(a[0].billed, "6");
    assert_amount(c[1].matched, "12");
    assert_near(a[0].hours_billed, 6, 1e-9);
}

/* The end of a run: costs with many digits, nearly all of the time, and remainders. */
static void fully_assigned_cost_leaves_no_rest(void **state)
{
    struct reconcile_machine m[] = {machine("i-1", "x")};
    struct reconcile_cell c[] = {cell(0, 0, 10, "1.0000000000000000000000000001")};
    struct reconcile_attempt a[] = {attempt("i-1", 0, 0, 3.3), attempt("i-1", 0, 4, 6.55)};

    (void)state;
    match(m, 1, c, 1, a, 2);
    assert_int_equal(decimal_cmp(c[0].matched, c[0].cost), 0);
}

/* As many runs as machines, half of which are known: slow if every pair were compared. */
static void many_runs_and_machines_are_matched(void **state)
{
    enum { MANY = 2000, DAYS = 30 };
    struct arena arena = test_arena();
    struct error err = {0};
    struct reconcile_machine *m = arena_array(&arena, struct reconcile_machine, MANY, &err);
    struct reconcile_cell *c = arena_array(&arena, struct reconcile_cell, MANY * DAYS, &err);
    struct reconcile_attempt *a = arena_array(&arena, struct reconcile_attempt, MANY, &err);
    char(*ids)[24] = (char(*)[24])arena_get(&arena, MANY, 24, 1, &err);
    size_t found = 0;

    (void)state;
    for (size_t i = 0; i < MANY; i++) {
        (void)snprintf(ids[i], sizeof ids[i], "i-%06zu", i);
        m[i] = machine(ids[i], "p4d.24xlarge");
        for (int on = 0; on < DAYS; on++)
            c[i * DAYS + (size_t)on] = cell(i, on, 24, "24");
        a[i] = attempt(i % 2 == 0 ? ids[MANY - 1 - i] : "", (int)(i % DAYS), 0, 20);
    }
    match(m, MANY, c, (size_t)MANY * DAYS, a, MANY);
    for (size_t i = 0; i < MANY; i++)
        found += a[i].how != RECONCILE_NOT && decimal_cmp(a[i].billed, number("20")) == 0;
    assert_int_equal(found, MANY);
    arena_free(&arena);
}

static void empty_input_is_no_error(void **state)
{
    struct reconcile_attempt a[] = {attempt("", 0, 0, 1)};

    (void)state;
    match(NULL, 0, NULL, 0, a, 1);
    assert_int_equal(a[0].how, RECONCILE_NOT);
    match(NULL, 0, NULL, 0, NULL, 0);
}

/* ---- planted truth ---- */

/* Bills and runs of which it is known which machine each run was on, and how well the matching
 * finds it again. */
#define PLANTED_MACHINES 60
#define PLANTED_RUNS 160

struct planted {
    uint64_t random;
    struct reconcile_machine machines[PLANTED_MACHINES];
    struct reconcile_cell cells[PLANTED_MACHINES * 4];
    struct reconcile_attempt attempts[PLANTED_RUNS];
    size_t truth[PLANTED_RUNS];
    char ids[PLANTED_MACHINES][24];
    size_t machine_count, cell_count, attempt_count;
};

static unsigned draw(struct planted *p, unsigned below)
{
    p->random = p->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)((p->random >> 33) % below);
}

/* Runs on one machine that was billed from an hour on, one after the other, with gaps: clocks
 * differ by up to two minutes, and one in three runs knows its machine. */
static void plant_runs(struct planted *p, int on, int hour, double hours)
{
    size_t machine = p->machine_count - 1;
    double at = hour;

    while (p->attempt_count < PLANTED_RUNS && at + 0.5 < hour + hours) {
        struct reconcile_attempt *a = &p->attempts[p->attempt_count];
        double rest = hour + hours - at, length = rest;
        int64_t skew = (int64_t)draw(p, 240) - 120;

        if (draw(p, 3) == 0 && rest > 2)
            length = 1 + draw(p, (unsigned)rest);
        *a = attempt(draw(p, 3) == 0 ? p->ids[machine] : "", on, 0, fmin(length, rest));
        a->from.s += (int64_t)(at * HOUR) + skew;
        a->to.s += (int64_t)(at * HOUR) + skew;
        a->region = p->machines[machine].region;
        a->instance = p->machines[machine].instance;
        a->market = p->machines[machine].market;
        p->truth[p->attempt_count++] = machine;
        at += length + draw(p, 2);
    }
}

static void plant_machine(struct planted *p)
{
    static const char *const types[] = {"g5.2xlarge", "p4d.24xlarge"};
    static const char *const regions[] = {"us-east-1", "eu-west-1"};
    size_t at = p->machine_count++;
    int on = (int)draw(p, 20), hour = (int)draw(p, 20);
    double hours = 1 + draw(p, (unsigned)(24 - hour)) + draw(p, 60) / 60.0;

    hours = fmin(hours, 24 - hour);
    (void)snprintf(p->ids[at], sizeof p->ids[at], "i-%017zx", at * 7919 + 1);
    p->machines[at] = machine(p->ids[at], types[draw(p, 2)]);
    p->machines[at].region = str_from(regions[draw(p, 2)]);
    p->machines[at].market = draw(p, 2) == 0 ? RECONCILE_SPOT : RECONCILE_ON_DEMAND;
    p->cells[p->cell_count] = cell(at, on, hours, "10");
    if (draw(p, 2) == 0) { /* a bill by the hour; others have days */
        p->cells[p->cell_count].from.s += (int64_t)hour * HOUR;
        p->cells[p->cell_count].to.s = p->cells[p->cell_count].from.s + (int64_t)(hours * HOUR);
    }
    p->cell_count++;
    if (draw(p, 6) != 0) /* one in six has no run that is recorded */
        plant_runs(p, on, hour, hours);
}

static void planted_runs_find_their_machines(void **state)
{
    size_t guessed = 0, right = 0, to_guess = 0, wrong_market = 0, beyond = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        static struct planted p;

        p = (struct planted){.random = seed * 977};
        while (p.machine_count < PLANTED_MACHINES)
            plant_machine(&p);
        match(p.machines, p.machine_count, p.cells, p.cell_count, p.attempts, p.attempt_count);
        for (size_t i = 0; i < p.attempt_count; i++) {
            const struct reconcile_attempt *a = &p.attempts[i];

            if (a->resource.len > 0) {
                assert_int_equal(a->how, RECONCILE_RESOURCE);
                assert_int_equal(a->machines[0], p.truth[i]);
                continue;
            }
            to_guess++;
            if (a->how != RECONCILE_PLACE)
                continue;
            guessed++;
            right += a->machines[0] == p.truth[i];
            wrong_market += p.machines[a->machines[0]].market != a->market;
        }
        for (size_t i = 0; i < p.cell_count; i++)
            beyond += (double)p.cells[i].run_seconds > 3600 * p.cells[i].hours + 900;
    }
    assert_int_equal(wrong_market, 0);
    assert_int_equal(beyond, 0);
    assert_true(to_guess > 500);
    print_message("# %zu right of %zu guessed of %zu\n", right, guessed, to_guess);
    if (100 * right < 97 * guessed || 100 * right < 95 * to_guess)
        fail_msg("%zu right of %zu guessed of %zu", right, guessed, to_guess);
}

static void spot_runs_are_not_on_a_machine_on_demand(void **state)
{
    struct reconcile_machine machines[] = {machine("i-1", "p4d.24xlarge")};
    struct reconcile_cell cells[] = {cell(0, 0, 24, "240")};
    struct reconcile_attempt attempts[] = {attempt("", 0, 2, 4), attempt("", 0, 2, 4)};

    (void)state;
    machines[0].market = RECONCILE_ON_DEMAND;
    attempts[0].market = RECONCILE_SPOT;
    attempts[1].market = RECONCILE_ON_DEMAND;
    match(machines, 1, cells, 1, attempts, 2);
    assert_int_equal(attempts[0].how, RECONCILE_NOT);
    assert_int_equal(attempts[0].why, RECONCILE_WHY_MARKET);
    assert_int_equal(attempts[1].how, RECONCILE_PLACE);
    assert_amount(attempts[1].billed, "40");
}

static void a_machine_that_has_a_run_is_not_taken_for_another(void **state)
{
    struct reconcile_machine machines[] = {machine("i-1", "p4d.24xlarge")};
    struct reconcile_cell cells[] = {cell(0, 0, 24, "240")};
    struct reconcile_attempt attempts[] = {attempt("", 0, 2, 4), attempt("i-1", 0, 1, 8)};

    (void)state;
    match(machines, 1, cells, 1, attempts, 2);
    assert_int_equal(attempts[0].how, RECONCILE_NOT);
    assert_int_equal(attempts[0].why, RECONCILE_WHY_TAKEN);
    assert_int_equal(attempts[1].how, RECONCILE_RESOURCE);
}

/* The first could be on either machine, the second only on the one that the first fills
 * best. */
static void a_guess_moves_for_a_run_that_fits_nowhere_else(void **state)
{
    struct reconcile_machine machines[] = {machine("i-1", "p4d.24xlarge"),
                                           machine("i-2", "p4d.24xlarge")};
    struct reconcile_cell cells[] = {cell(0, 0, 10, "100"), cell(0, 1, 10, "100"),
                                     cell(1, 0, 24, "240")};
    struct reconcile_attempt attempts[] = {attempt("", 0, 2, 9.9), attempt("", 0, 4, 29.9)};

    (void)state;
    attempts[1].to.s = (int64_t)(DAY + 1) * 86400 + 9 * HOUR; /* 4:00 to 9:00 of the next day */
    attempts[1].from.s = (int64_t)DAY * 86400 + 15 * HOUR;
    attempts[0].from.s = (int64_t)DAY * 86400 + 14 * HOUR;
    attempts[0].to.s = (int64_t)DAY * 86400 + 23 * HOUR;
    match(machines, 2, cells, 3, attempts, 2);
    assert_int_equal(attempts[0].how, RECONCILE_PLACE);
    assert_int_equal(attempts[1].how, RECONCILE_PLACE);
    assert_int_equal(attempts[0].machines[0], 1);
    assert_int_equal(attempts[1].machines[0], 0);
}

static void units_of_time_are_known(void **state)
{
    static const struct {
        const char *unit;
        double hours, of_azure;
    } units[] = {
        {"Hrs", 1, 1},
        {"Hours", 1, 1},
        {"hour", 1, 1},
        {"1 Hour", 1, 1},
        {"100 Hours", 100, 1},
        {"10 Hours", 10, 1},
        {"Hour", 1, 1},
        {"seconds", 1 / 3600.0, 1 / 3600.0},
        {"Minutes", 1 / 60.0, 1 / 60.0},
        {"GPU Hours", 1, 1},
        {"OCPU Per Hour", 1, 1},
        {"Core-Hours", 1, 1},
        {"GB-Hours", 0, 0},
        {"gibibyte hour", 0, 0},
        {"vCPU-Hours", 0, 0},
        {"1/Month", 0, 0},
        {"GB-Mo", 0, 0},
        {"Requests", 0, 0},
        {"Hours of support", 0, 0},
        {"", 0, 0},
        {"1", 0, 0},
        {" - ", 0, 0},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(units); i++) {
        assert_near(reconcile_unit_hours(str_from(units[i].unit), false), units[i].hours,
                    1e-12);
        assert_near(reconcile_unit_hours(str_from(units[i].unit), true), units[i].of_azure,
                    1e-12);
    }
}

int group_reconcile(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_of_time_are_known),
        cmocka_unit_test(a_run_pays_for_its_share_of_the_machine),
        cmocka_unit_test(shares_never_add_up_to_more_than_the_cell),
        cmocka_unit_test(a_machine_may_be_shared),
        cmocka_unit_test(two_currencies_are_separate),
        cmocka_unit_test(fully_assigned_cost_leaves_no_rest),
        cmocka_unit_test(many_runs_and_machines_are_matched),
        cmocka_unit_test(empty_input_is_no_error),
        cmocka_unit_test(planted_runs_find_their_machines),
        cmocka_unit_test(spot_runs_are_not_on_a_machine_on_demand),
        cmocka_unit_test(a_machine_that_has_a_run_is_not_taken_for_another),
        cmocka_unit_test(a_guess_moves_for_a_run_that_fits_nowhere_else),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
