/* Amounts to commit to, compared with brute force over every amount, and by hand. */
#include "test.h"

#include <math.h>

#include "advise/economics/commitments.h"
#include "advise/economics/commitments_read.h"
#include "base/draw.h"

#define HOURS_MAX 4096

static struct arena arena;
static double dollars[HOURS_MAX];

static struct commitment_load load_of(size_t hours)
{
    return (struct commitment_load){{1767225600}, dollars, hours}; /* 2026-01-01 */
}

static struct commitment_curve curve_of(size_t hours, double sustained)
{
    struct commitment_load load = load_of(hours);
    struct commitment_curve curve;
    struct error err = {0};

    assert_true(commitment_curve_make(&load, sustained, &arena, &curve, &err));
    return curve;
}

/* ---- by hand ---- */

/* 10 hours: 4 at $10, 3 at $6, 3 at $0, so $5.8 on average. At 35 % off, a dollar must be used
 * in more than 65 % of the hours: the first $6 are, in 70 %. Cost: 6 x 0.65 + 4 x 4 / 10. */
static void the_best_amount_by_hand(void **state)
{
    struct commitment_curve c;

    (void)state;
    for (size_t i = 0; i < 10; i++)
        dollars[i] = i < 4 ? 10 : i < 7 ? 6 : 0;
    c = curve_of(10, 0);
    assert_int_equal(c.observed, 10);
    assert_near(commitment_cost(&c, 0, 0.35, &commitment_no_change), 5.8, 1e-12);
    assert_near(commitment_best(&c, 0.35, 0, &commitment_no_change), 6, 1e-12);
    assert_near(commitment_cost(&c, 6, 0.35, &commitment_no_change), 5.5, 1e-12);
    assert_near(commitment_coverage(&c, 6), 42 / 58.0, 1e-12);
    assert_near(commitment_utilization(&c, 6), 0.7, 1e-12);
    /* At 30 % off it is the same either way: the smaller amount. At 61 % off, $10. */
    assert_near(commitment_best(&c, 0.3, 0, &commitment_no_change), 0, 1e-12);
    assert_near(commitment_best(&c, 0.61, 0, &commitment_no_change), 10, 1e-12);
    /* Machines of $4: one costs 2.6 + 3.0, two 5.2 + 0.8, three more. */
    assert_near(commitment_best(&c, 0.35, 4, &commitment_no_change), 4, 1e-12);
    assert_near(commitment_cost(&c, 4, 0.35, &commitment_no_change), 5.6, 1e-12);
    assert_near(commitment_cost(&c, 8, 0.35, &commitment_no_change), 6, 1e-12);
}

/* Hours that were not observed change nothing. */
static void hours_without_observations_are_not_zero(void **state)
{
    struct commitment_curve c;

    (void)state;
    for (size_t i = 0; i < 100; i++)
        dollars[i] = i % 2 == 0 ? 8 : NAN;
    c = curve_of(100, 0);
    assert_int_equal(c.observed, 50);
    assert_near(commitment_cost(&c, 0, 0.1, &commitment_no_change), 8, 1e-12);
    assert_near(commitment_best(&c, 0.1, 0, &commitment_no_change), 8, 1e-12);
    for (size_t i = 0; i < 100; i++)
        dollars[i] = NAN;
    c = curve_of(100, 0);
    assert_int_equal(c.count, 0);
}

/* A month of 744 hours at $1. Sustained use of 30 % makes it $0.70 an hour: a commitment at
 * 25 % off does not pay, one at 35 % does. Half of the month: 0.25 + 0.25 x 0.8 = $0.45. */
static void sustained_use_is_counted_by_month(void **state)
{
    struct commitment_curve c;

    (void)state;
    for (size_t i = 0; i < 744; i++)
        dollars[i] = 1;
    c = curve_of(744, 0.3);
    assert_near(commitment_cost(&c, 0, 0.25, &commitment_no_change), 0.7, 1e-12);
    assert_near(commitment_best(&c, 0.25, 0, &commitment_no_change), 0, 1e-12);
    assert_near(commitment_best(&c, 0.35, 0, &commitment_no_change), 1, 1e-12);
    for (size_t i = 0; i < 744; i++)
        dollars[i] = i % 2 == 0;
    c = curve_of(744, 0.3);
    assert_near(commitment_cost(&c, 0, 0.25, &commitment_no_change), 0.45, 1e-12);
    assert_near(commitment_coverage(&c, 1), 1, 1e-12);
    assert_near(commitment_utilization(&c, 1), 0.5, 1e-12);
}

/* $10 in every hour, 40 % off for 12 months: $10 covered at $6, which saves $35,040 a year.
 * When the load falls by half after six months: 6 months save $4 an hour, 6 months lose $1.
 * Without any load they lose $6; in hindsight $5 (or nothing) would have been better. */
static void a_falling_load_is_regretted(void **state)
{
    const struct commitment_offer offer = {
        .term_months = 12, .discount_low = 0.4, .discount_high = 0.5, .source = STR("test")};
    struct commitment_load load = load_of(1000);
    struct commitment_option o;
    const struct commitment_fall *falls;
    struct error err = {0};

    (void)state;
    for (size_t i = 0; i < 1000; i++)
        dollars[i] = 10;
    assert_true(commitment_options(&load, &offer, 1, &arena, &o, &err));
    assert_true(o.buy);
    assert_near(usd_double(o.saving_low), 35040, 1e-6);
    assert_near(usd_double(o.saving_high), 43800, 1e-6);
    assert_near(usd_double(o.owed), 52560, 1e-6);
    assert_near(usd_double(o.on_demand), 87600, 1e-6);
    assert_near(o.break_even, 0.6, 1e-12);
    falls = o.falls.at;
    assert_int_equal(o.falls.len, 3);
    /* By a quarter: 4380 h x ($4 + $1.50), and $10 still is the best. */
    assert_near(usd_double(falls[0].saving), 24090, 1e-6);
    /* By half: 4380 x (4 - 1) = 13,140. At $5 it saves 8760 x 2 = 17,520. */
    assert_near(usd_double(falls[1].saving), 13140, 1e-6);
    assert_near(usd_double(falls[1].regret), 4380, 1e-6);
    assert_near(usd_per_hour_double(falls[1].best), 5, 1e-9);
    /* To nothing: 4380 x (4 - 6). Nothing would have been best. */
    assert_near(usd_double(falls[2].saving), -8760, 1e-6);
    assert_near(usd_double(falls[2].regret), 8760, 1e-6);
    assert_near(usd_per_hour_double(falls[2].best), 0, 1e-9);
}

static void what_is_recommended_still_saves_at_half_the_load(void **state)
{
    /* 36 months at 40 % off: by half after 6 months they lose (6 x 4 - 30 x 1 < 0). */
    const struct commitment_offer offers[] = {
        {.term_months = 12, .discount_low = 0.3, .discount_high = 0.3},
        {.term_months = 36, .discount_low = 0.4, .discount_high = 0.4},
        {.term_months = 12, .discount_low = NAN, .discount_high = 0.9},
        {.term_months = 12, .discount_low = NAN, .discount_high = NAN}};
    struct commitment_load load = load_of(3 * 672);
    struct commitment_option o[4];
    struct error err = {0};

    (void)state;
    for (size_t i = 0; i < load.hours; i++)
        dollars[i] = 10;
    assert_true(commitment_options(&load, offers, 4, &arena, o, &err));
    assert_true(o[0].buy);
    assert_false(o[1].buy);
    assert_true(str_has_nocase(o[1].why_not, STR("falls by half")));
    assert_false(o[2].buy);
    assert_true(o[2].saving_low.nano == MONEY_UNKNOWN && o[2].saving_high.nano > 0);
    assert_true(o[3].commit.nano == MONEY_UNKNOWN);
    /* Four weeks, and an hour less. */
    load.hours = 672;
    assert_true(commitment_options(&load, offers, 2, &arena, o, &err));
    assert_true(o[0].buy);
    load.hours = 671;
    assert_true(commitment_options(&load, offers, 2, &arena, o, &err));
    assert_false(o[0].buy);
    /* At the threshold of the fall: 6 x 4 - 24 x 1 = 0 with a term of 30 months. */
    load.hours = 3 * 672;
    assert_true(commitment_options(&load,
                                   &(const struct commitment_offer){.term_months = 30,
                                                                    .discount_low = 0.4,
                                                                    .discount_high = 0.4},
                                   1, &arena, o, &err));
    assert_true(o[0].buy);
}

/* Seed 001: 1 year 30-40 %, 3 years 50-60 % (AWS). An instance that is always used saves
 * exactly that: $10,512 to $14,016 of $35,040 a year at $4 an hour. */
static void the_seeds_ranges_are_reproduced(void **state)
{
    const struct commitment_offer offers[] = {
        {.term_months = 12, .discount_low = 0.3, .discount_high = 0.4},
        {.term_months = 36, .discount_low = 0.5, .discount_high = 0.6}};
    struct commitment_load load = load_of(1000);
    struct commitment_option o[2];
    struct error err = {0};

    (void)state;
    for (size_t i = 0; i < 1000; i++)
        dollars[i] = 4;
    assert_true(commitment_options(&load, offers, 2, &arena, o, &err));
    assert_near(usd_double(o[0].on_demand), 35040, 1e-6);
    assert_near(usd_double(o[0].saving_low), 10512, 1e-6);
    assert_near(usd_double(o[0].saving_high), 14016, 1e-6);
    assert_near(usd_double(o[1].saving_low), 17520, 1e-6);
    assert_near(usd_double(o[1].saving_high), 21024, 1e-6);
}

/* ---- brute force ---- */

static double draw_unit(uint64_t *state)
{
    return (double)draw_below(state, 1000003) / 1000003;
}

/* The definition, without any curve. Without sustained use. */
static double cost_by_definition(size_t hours, double commit, double discount,
                                 const struct commitment_future *f)
{
    double sum = 0, n = 0;

    for (size_t i = 0; i < hours; i++)
        if (!isnan(dollars[i])) {
            sum += f->share * fmax(dollars[i] - commit, 0) +
                   (1 - f->share) * fmax(f->left * dollars[i] - commit, 0);
            n++;
        }
    return commit * (1 - discount) + sum / n;
}

/* Likewise with sustained use: layer by layer of a cent, month by month. */
static double sustained_by_definition(size_t hours, double commit, double discount,
                                      double sustained, double peak)
{
    const double step = 1.0 / 64;
    double sum = 0, n = 0;
    stamp at = load_of(1).first;

    for (size_t i = 0; i < hours; i++)
        n += !isnan(dollars[i]);
    for (double layer = commit; layer < peak; layer += step)
        for (size_t from = 0, to; from < hours; from = to) {
            int64_t next = stamp_next_month((stamp){at.s + (int64_t)from * 3600}).s;
            double used = 0, seen = 0, price = 0;

            for (to = from; to < hours && at.s + (int64_t)to * 3600 < next; to++)
                if (!isnan(dollars[to])) {
                    seen++;
                    used += dollars[to] > layer + step / 2;
                }
            for (double hour = 0; hour < used; hour++) /* each hour at its quarter's rate */
                for (int k = 0; k < 4; k++)
                    price += 0.25 *
                             (1 - sustained * 2 / 3 * floor(4 * (hour + (k + 0.5) / 4) / seen));
            sum += price * step;
        }
    return commit * (1 - discount) + sum / n;
}

static void the_best_amount_equals_brute_force(void **state)
{
    uint64_t draw = 22;

    (void)state;
    for (int k = 0; k < 400; k++) {
        size_t hours = 1 + (size_t)(draw_unit(&draw) * 40);
        double discount = draw_unit(&draw), best, least = INFINITY;
        double unit = k % 3 == 0 ? 0.75 : 0;
        struct commitment_future f = {1, 1};
        struct commitment_curve c;

        if (k % 2 == 1) {
            f.share = draw_unit(&draw);
            f.left = draw_unit(&draw);
        }
        if (k % 5 == 1)
            f.left = 0;
        for (size_t i = 0; i < hours; i++)
            dollars[i] = floor(draw_unit(&draw) * 12);
        if (hours > 3)
            dollars[2] = NAN;
        c = curve_of(hours, 0);
        best = commitment_best(&c, discount, unit, &f);
        /* Every amount at which the slope can change, or every multiple. */
        for (int j = 0; j <= 12; j++) {
            double whole = unit > 0 ? unit * j : j;

            least = fmin(least, cost_by_definition(hours, whole, discount, &f));
            if (unit > 0)
                least = fmin(least, cost_by_definition(hours, unit * (j + 4), discount, &f));
            else
                least = fmin(least, cost_by_definition(hours, j * f.left, discount, &f));
        }
        assert_near(commitment_cost(&c, best, discount, &f), least, 1e-9);
        assert_near(cost_by_definition(hours, best, discount, &f), least, 1e-9);
        if (unit > 0)
            assert_near(best / unit, round(best / unit), 1e-9);
    }
}

/* A month has 744 or 672 hours, which quarters divide evenly. */
static void sustained_use_equals_brute_force(void **state)
{
    uint64_t draw = 23;

    (void)state;
    for (int k = 0; k < 6; k++) {
        size_t hours = 744 + 672;
        double discount = 0.1 + 0.5 * draw_unit(&draw), best, least = INFINITY;
        struct commitment_curve c;

        for (size_t i = 0; i < hours; i++)
            dollars[i] = floor(draw_unit(&draw) * 4 * (i < 744 ? 1 : 0.6)) / 4;
        c = curve_of(hours, 0.3);
        best = commitment_best(&c, discount, 0, &commitment_no_change);
        for (int j = 0; j <= 4; j++)
            least = fmin(least, sustained_by_definition(hours, j / 4.0, discount, 0.3, 1));
        assert_near(commitment_cost(&c, best, discount, &commitment_no_change), least, 1e-9);
    }
}

/* ---- files ---- */

static bool read_load(const char *text, double price, struct commitment_load *out,
                      struct error *err)
{
    *err = (struct error){0};
    return commitment_load_read(str_from(text), "load.csv", price, &arena, out, err);
}

static void loads_are_read_and_mistakes_refused(void **state)
{
    struct commitment_load load;
    struct error err;

    (void)state;
    assert_true(
        read_load("amount,hour\n2,2026-01-01 03:00\n1,2026-01-01T01:59:59Z\n", 0, &load, &err));
    assert_int_equal(load.hours, 3);
    assert_int_equal(load.first.s, 1767225600 + 3600);
    assert_near(load.dollars[0], 1, 0);
    assert_true(isnan(load.dollars[1]));
    assert_near(load.dollars[2], 2, 0);
    assert_true(read_load("hour,amount\n2026-01-01 03:00,3\n", 2.5, &load, &err));
    assert_near(load.dollars[0], 7.5, 0);
    assert_false(read_load("", 0, &load, &err));
    assert_false(read_load("hour,amount\n", 0, &load, &err));
    assert_false(read_load("hour,cost\n2026-01-01 03:00,3\n", 0, &load, &err));
    assert_false(read_load("hour,amount\nyesterday,3\n", 0, &load, &err));
    assert_false(read_load("hour,amount\n2026-01-01 03:00,-1\n", 0, &load, &err));
    assert_false(read_load("hour,amount\n2026-01-01 03:00,1e300\n", 0, &load, &err));
    assert_false(
        read_load("hour,amount\n2026-01-01 03:00,1\n2026-01-01 03:30,1\n", 0, &load, &err));
    assert_false(
        read_load("hour,amount\n1970-01-01 00:00,1\n2026-01-01 03:30,1\n", 0, &load, &err));
}

static void memory_that_runs_out_is_an_error(void **state)
{
    const struct commitment_offer offer = {
        .term_months = 12, .discount_low = 0.3, .discount_high = 0.3, .sustained = 0.2};

    (void)state;
    for (size_t allow = 0; allow < 100; allow++) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {.get = failing_get, .put = failing_put, .ctx = &failing};
        struct arena small = {.alloc = &alloc};
        struct commitment_load load;
        struct commitment_option o;
        struct error err = {0};
        bool ok =
            commitment_load_read(STR("hour,amount\n2026-01-01 03:00,3\n2026-01-01 09:00,4\n"),
                                 "a", 0, &small, &load, &err) &&
            commitment_options(&load, &offer, 1, &small, &o, &err);

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
    arena = (struct arena){.alloc = &alloc_system};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

int group_commitments(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_amount_by_hand),
        cmocka_unit_test(hours_without_observations_are_not_zero),
        cmocka_unit_test(sustained_use_is_counted_by_month),
        cmocka_unit_test(a_falling_load_is_regretted),
        cmocka_unit_test(what_is_recommended_still_saves_at_half_the_load),
        cmocka_unit_test(the_seeds_ranges_are_reproduced),
        cmocka_unit_test(the_best_amount_equals_brute_force),
        cmocka_unit_test(sustained_use_equals_brute_force),
        cmocka_unit_test(loads_are_read_and_mistakes_refused),
        cmocka_unit_test(memory_that_runs_out_is_an_error),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
