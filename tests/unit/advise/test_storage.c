/* Lifecycles of data, compared with brute force over every policy and a simulation day by
 * day. */
#include "test.h"

#include <math.h>

#include "advise/economics/storage.h"
#include "advise/economics/storage_read.h"
#include "base/draw.h"

static struct arena arena = {.alloc = &alloc_system};

static int tear_down(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

/* S3 as the catalog has it. */
static const struct storage_tier s3[] = {
    {/* hot */ .gb_month = 0.023, .put = 0.005, .get = 0.0004, .direct = true},
    {/* warm */ .gb_month = 0.0125,
     .retrieval = 0.01,
     .put = 0.01,
     .get = 0.001,
     .minimum_kb = 128,
     .minimum_days = 30,
     .direct = true,
     .by_rule = true,
     .rule_days = 30},
    {/* cold */ .gb_month = 0.004,
     .retrieval = 0.03,
     .put = 0.02,
     .get = 0.01,
     .minimum_kb = 128,
     .minimum_days = 90,
     .direct = true,
     .by_rule = true},
    {/* archive */ .gb_month = 0.00099,
     .retrieval = 0.02,
     .put = 0.05,
     .get = 0.1,
     .minimum_days = 180,
     .direct = true,
     .by_rule = true,
     .wait_h = 12}};

static struct storage_data data_of(double gb, int days)
{
    return (struct storage_data){.gb = gb, .object_gb = 0.1, .days = days};
}

/* ---- by hand ---- */

/* Seed 003 prices 500 GB at $0.10 for one month at $50; its formula multiplies the price of a
 * month by days, which would be 30 times as much. */
static void a_month_costs_the_price_of_a_month(void **state)
{
    const struct storage_tier tier = {.gb_month = 0.10, .direct = true};
    struct storage_data d = data_of(500, 365);
    struct storage_costs c = storage_cost(&tier, &(const size_t){0}, &(const int){0}, 1, &d);

    (void)state;
    assert_near(c.storage / 12, 50, 1e-9);
    assert_near(c.total, 600, 1e-9);
}

/* 1 TB in S3 Standard for a year: 1,000 x 0.023 x 12 = $276 and 10,000 objects at $0.005 a
 * thousand. Read once a month: 120,000 reads at $0.0004 a thousand. */
static void costs_by_hand(void **state)
{
    double reads = 12 / 365.0;
    struct storage_data d = data_of(1000, 365);
    const size_t at[] = {0, 1};
    const int days[] = {0, 30};
    struct storage_costs c;

    (void)state;
    d.reads = &reads;
    d.read_days = 1;
    c = storage_cost(s3, at, days, 1, &d);
    assert_near(c.storage, 276, 1e-9);
    assert_near(c.retrieval, 0, 1e-12);
    assert_near(c.requests, 10 * 0.005 + 120 * 0.0004, 1e-9);
    assert_near(c.early, 0, 1e-12);
    /* Standard-IA from day 30: 335 of 365 days at 0.0125, and 12 x 335/365 reads at $10. */
    c = storage_cost(s3, at, days, 2, &d);
    assert_near(c.storage, 1000 * 12 / 365.0 * (30 * 0.023 + 335 * 0.0125), 1e-9);
    assert_near(c.retrieval, 12 * 335 / 365.0 * 10, 1e-9);
    assert_near(c.requests,
                10 * 0.005 + 10 * 0.01 + 12 / 365.0 * (30 * 10 * 0.0004 + 335 * 10 * 0.001),
                1e-9);
}

/* Seed 001 moves objects to STANDARD_IA on day 7, which S3 refuses: from day 30 on. */
static void a_rule_cannot_move_data_too_soon(void **state)
{
    double reads[365] = {0};
    struct storage_tier tiers[] = {s3[0], s3[1]};
    struct storage_data d = data_of(1000, 365);
    struct storage_policy p;
    struct error err = {0};

    (void)state;
    for (int i = 0; i < 7; i++)
        reads[i] = 2; /* it is read all the time in the first week, then never */
    d.reads = reads;
    d.read_days = 365;
    tiers[1].direct = false;
    assert_true(storage_best(tiers, 2, &d, &arena, &p, &err));
    assert_int_equal(p.steps, 2);
    assert_int_equal(p.days[1], 30);
    /* Without the limit it would be day 7. */
    tiers[1].rule_days = 0;
    assert_true(storage_best(tiers, 2, &d, &arena, &p, &err));
    assert_int_equal(p.days[1], 7);
}

/* Data that lives for 60 days in a tier with a minimum of 90: 30 days more are billed. */
static void minimum_times_are_billed(void **state)
{
    struct storage_data d = data_of(1000, 365);
    struct storage_costs c;

    (void)state;
    d.keep_days = 60;
    c = storage_cost(s3, &(const size_t){2}, &(const int){0}, 1, &d);
    assert_near(c.storage, 1000 * 0.004 * 12 / 365.0 * 60, 1e-9);
    assert_near(c.early, 1000 * 0.004 * 12 / 365.0 * 30, 1e-9);
    assert_near(storage_at_end(&d), 0, 0);
    d.keep_days = 90;
    c = storage_cost(s3, &(const size_t){2}, &(const int){0}, 1, &d);
    assert_near(c.early, 0, 0);
    /* Kept to the end and beyond: nothing is missing. */
    d.keep_days = 0;
    d.days = 30;
    c = storage_cost(s3, &(const size_t){2}, &(const int){0}, 1, &d);
    assert_near(c.early, 0, 0);
}

/* Objects of 64 KB are billed as 128 KB in Standard-IA, which then costs more than Standard. */
static void small_objects_are_billed_as_larger_ones(void **state)
{
    struct storage_data d = data_of(1000, 365);
    struct storage_policy p;
    struct error err = {0};

    (void)state;
    assert_true(storage_best(s3, 2, &d, &arena, &p, &err));
    assert_int_equal(p.at[0], 1);
    d.object_gb = 64e-6;
    assert_true(storage_best(s3, 2, &d, &arena, &p, &err));
    assert_int_equal(p.at[0], 0);
    assert_int_equal(p.steps, 1);
}

static void archives_need_patience(void **state)
{
    struct storage_data d = data_of(1000, 365);
    struct storage_policy p;
    struct error err = {0};

    (void)state;
    assert_true(storage_best(s3, 4, &d, &arena, &p, &err));
    assert_int_equal(p.at[p.steps - 1], 2);
    d.wait_h = 12;
    assert_true(storage_best(s3, 4, &d, &arena, &p, &err));
    assert_int_equal(p.at[p.steps - 1], 3);
    /* A tier whose retrieval is not known is not for data that is read. */
    {
        struct storage_tier unknown = s3[2];
        double reads = 0.01;

        unknown.retrieval = NAN;
        d.reads = &reads;
        d.read_days = 1;
        assert_false(storage_tier_fits(&unknown, &d));
        d.read_days = 0;
        assert_true(storage_tier_fits(&unknown, &d));
    }
}

/* ---- brute force ---- */

/* Day by day, cohort by cohort, without the sums by age. */
static double simulate(const struct storage_tier *tiers, const size_t *at, const int *days,
                       size_t steps, const struct storage_data *d)
{
    double total = 0;

    for (int arrival = 0; arrival < d->days; arrival++) {
        double gb = (arrival == 0 ? d->gb : 0) + d->grows;
        size_t step = 0;

        for (int on = arrival; on < d->days; on++) {
            int age = on - arrival;
            const struct storage_tier *t;
            double object_kb = d->object_gb * 1e6, read = gb * d->reads[age];

            if (d->keep_days > 0 && age == d->keep_days) {
                int missing = tiers[at[step]].minimum_days - (age - days[step]);

                total += missing > 0 ? missing * gb * tiers[at[step]].gb_month * 12 / 365 *
                                           fmax(1, tiers[at[step]].minimum_kb / object_kb)
                                     : 0;
                break;
            }
            if (step + 1 < steps && age == days[step + 1]) {
                int missing = tiers[at[step]].minimum_days - (age - days[step]);

                total += missing > 0 ? missing * gb * tiers[at[step]].gb_month * 12 / 365 *
                                           fmax(1, tiers[at[step]].minimum_kb / object_kb)
                                     : 0;
                step++;
                total += gb / d->object_gb * tiers[at[step]].put / 1000;
            }
            t = &tiers[at[step]];
            if (age == 0)
                total += gb / d->object_gb * t->put / 1000;
            total += gb * t->gb_month * 12 / 365 * fmax(1, t->minimum_kb / object_kb) +
                     read * t->retrieval + read / d->object_gb * t->get / 1000;
        }
    }
    return total;
}

struct brute {
    const struct storage_tier *tiers;
    size_t count;
    const struct storage_data *data;
    size_t at[4];
    int days[4];
    double least;
};

/* Every way to go on from the last step. */
static void try_all(struct brute *b, size_t steps)
{
    int ages = b->data->keep_days > 0 && b->data->keep_days < b->data->days ? b->data->keep_days
                                                                            : b->data->days;

    b->least = fmin(b->least, simulate(b->tiers, b->at, b->days, steps, b->data));
    for (size_t next = b->at[steps - 1] + 1; next < b->count; next++)
        for (int on = b->days[steps - 1] + 1; on < ages; on++) {
            if (!b->tiers[next].by_rule || on < b->tiers[next].rule_days)
                continue;
            b->at[steps] = next;
            b->days[steps] = on;
            try_all(b, steps + 1);
        }
}

static double draw_unit(uint64_t *state)
{
    return (double)draw_below(state, 1000003) / 1000003;
}

static void the_best_policy_equals_brute_force(void **state)
{
    uint64_t draw = 22;
    size_t moved = 0;

    (void)state;
    for (int k = 0; k < 120; k++) {
        struct storage_tier tiers[3];
        double reads[16];
        struct storage_data d = {
            .object_gb = 1e-4, .days = 14, .reads = reads, .read_days = 16};
        struct brute b = {.tiers = tiers, .count = 3, .data = &d, .least = INFINITY};
        struct storage_policy p;
        struct error err = {0};

        for (size_t i = 0; i < 3; i++) {
            tiers[i] = (struct storage_tier){.direct = i == 0 || k % 4 == 0, .by_rule = true};
            tiers[i].gb_month = (draw_unit(&draw) + 0.2) / (double)(1 << (3 * i));
            tiers[i].retrieval = i == 0 ? 0 : draw_unit(&draw) * 0.1 * (double)i;
            tiers[i].put = draw_unit(&draw) * 1e-4;
            tiers[i].get = draw_unit(&draw) * 1e-5;
            tiers[i].minimum_days = (int)draw_below(&draw, 6);
            tiers[i].rule_days = (int)draw_below(&draw, 5);
            tiers[i].minimum_kb = i == 1 ? 128 : 0;
        }
        for (size_t i = 0; i < 16; i++)
            reads[i] = draw_unit(&draw) / (double)(1 + i);
        d.gb = draw_unit(&draw) * 10;
        d.grows = k % 3 == 0 ? draw_unit(&draw) : 0;
        d.keep_days = k % 5 == 0 ? 9 : 0;
        for (size_t first = 0; first < 3; first++)
            if (tiers[first].direct) {
                b.at[0] = first;
                b.days[0] = 0;
                try_all(&b, 1);
            }
        assert_true(storage_best(tiers, 3, &d, &arena, &p, &err));
        assert_near(p.costs.total, b.least, 1e-9 * (1 + b.least));
        assert_near(simulate(tiers, p.at, p.days, p.steps, &d), b.least, 1e-9 * (1 + b.least));
        moved += p.steps > 1;
    }
    assert_true(moved > 30); /* the comparison is of more than one tier */
}

/* ---- what users write ---- */

static void rates_are_parsed(void **state)
{
    struct error err = {0};
    double value;

    (void)state;
    assert_true(storage_rate_parse(STR("365GB/year"), "grows", &value, &err));
    assert_near(value, 1e9, 1e-3);
    assert_true(storage_reads_parse(STR("12/year"), &value, &err));
    assert_near(value, 12 / 365.0, 1e-12);
    assert_true(storage_reads_parse(STR("1/month"), &value, &err));
    assert_near(value, 12 / 365.0, 1e-12);
    assert_false(storage_rate_parse(STR("100GB"), "grows", &value, &err));
    assert_false(storage_rate_parse(STR("100/month"), "grows", &value, &err));
    assert_false(storage_reads_parse(STR("often"), &value, &err));
    assert_false(storage_reads_parse(STR("-1/month"), &value, &err));
    assert_false(storage_reads_parse(STR("1e300/day"), &value, &err));
}

static void reads_by_age(void **state)
{
    struct error err = {0};
    const double *reads = storage_reads_decay(0.4, 10, 21, &arena, &err);

    (void)state;
    assert_near(reads[0], 0.4, 0);
    assert_near(reads[10], 0.2, 1e-12);
    assert_near(reads[20], 0.1, 1e-12);
    reads =
        storage_reads_file(STR("age_days,reads\n5,3\n2,6\n400,1\n"), "a.csv", 10, &arena, &err);
    assert_near(reads[1], 0, 0);
    assert_near(reads[2], 6 * 12 / 365.0, 1e-12);
    assert_near(reads[4], 6 * 12 / 365.0, 1e-12);
    assert_near(reads[9], 3 * 12 / 365.0, 1e-12);
    assert_null(storage_reads_file(STR("age,reads\n"), "a.csv", 10, &arena, &err));
    assert_null(storage_reads_file(STR("age_days,reads\n"), "a.csv", 10, &arena, &err));
    assert_null(storage_reads_file(STR("age_days,reads\n-1,3\n"), "a.csv", 10, &arena, &err));
    assert_null(storage_reads_file(STR("age_days,reads\n1,x\n"), "a.csv", 10, &arena, &err));
    assert_null(
        storage_reads_file(STR("age_days,reads\n1,1\n1,2\n"), "a.csv", 10, &arena, &err));
}

static void memory_that_runs_out_is_an_error(void **state)
{
    struct storage_data d = data_of(1000, 40);

    (void)state;
    for (size_t allow = 0; allow < 100; allow++) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {.get = failing_get, .put = failing_put, .ctx = &failing};
        struct arena small = {.alloc = &alloc};
        struct storage_policy p;
        struct error err = {0};
        const double *reads =
            storage_reads_file(STR("age_days,reads\n0,1\n"), "a", 40, &small, &err);
        bool ok = reads != NULL;

        d.reads = reads;
        d.read_days = ok ? 40 : 0;
        ok = ok && storage_best(s3, 4, &d, &small, &p, &err);
        assert_true(ok || err.kind == ERROR_MEMORY);
        arena_free(&small);
        assert_int_equal(failing.held, 0);
        if (ok)
            return;
    }
    fail_msg("it never had enough");
}

int group_storage(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_month_costs_the_price_of_a_month),
        cmocka_unit_test(costs_by_hand),
        cmocka_unit_test(a_rule_cannot_move_data_too_soon),
        cmocka_unit_test(minimum_times_are_billed),
        cmocka_unit_test(small_objects_are_billed_as_larger_ones),
        cmocka_unit_test(archives_need_patience),
        cmocka_unit_test(the_best_policy_equals_brute_force),
        cmocka_unit_test(rates_are_parsed),
        cmocka_unit_test(reads_by_age),
        cmocka_unit_test(memory_that_runs_out_is_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, tear_down);
}
