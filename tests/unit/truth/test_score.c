/* Statistics of predictions, on numbers that can be checked by hand. */
#include "estimate/known.h"

#include <stdio.h>
#include <string.h>

#include "truth/truth.h"

#define MOST 16

static struct measured_value points[MOST];
static struct held held[MOST];
static size_t count;

static void forget(void)
{
    memset(points, 0, sizeof points);
    memset(held, 0, sizeof held);
    count = 0;
}

/* A point of `measured` that is predicted as `value`, from value / 2 to value x 2. */
static struct measured_value *add(const char *source, const char *gpu, double measured,
                                  double value)
{
    struct measured_value *p = &points[count];

    assert_true(count < MOST);
    *p = (struct measured_value){.source = str_from(source),
                                 .gpu = str_from(gpu),
                                 .set = STR("dense"),
                                 .measured = measured,
                                 .first = true};
    held[count].point = p;
    held[count++].guess = (struct guess){value, value / 2, value * 2};
    return p;
}

static struct score score(const struct score_filter *filter)
{
    struct arena own = test_arena();
    struct error err = {0};
    struct score s;

    assert_true(score_points(held, count, filter, &s, &own, &err));
    arena_free(&own);
    return s;
}

static void near(double got, double expected)
{
    if (!(fabs(got - expected) < 1e-12))
        fail_msg("%.15g, not %.15g", got, expected);
}

static void quantiles_lie_between_the_two_nearest(void **state)
{
    struct score s;

    (void)state;
    forget();
    (void)add("a", "x", 100, 110); /* errors 0.1, 0.2, 0.3, 0.5 */
    (void)add("a", "x", 100, 80);
    (void)add("b", "x", 100, 130);
    (void)add("b", "x", 100, 50);
    s = score(&(struct score_filter){.by = SCORE_ALL});
    assert_int_equal(s.rows, 4);
    assert_int_equal(s.scored, 4);
    near(s.median_ape, 0.25);
    near(s.p90_ape, 0.3 + 0.7 * 0.2); /* place 2.7 of 0..3 */
    near(s.median_ratio, 0.95);       /* 0.5, 0.8, 1.1, 1.3 */
    near(s.inside_range, 1);
}

static void one_point_is_its_own_median(void **state)
{
    struct score s;

    (void)state;
    forget();
    (void)add("a", "x", 100, 120);
    s = score(&(struct score_filter){.by = SCORE_ALL});
    near(s.median_ape, 0.2);
    near(s.p90_ape, 0.2);
    near(s.median_ratio, 1.2);
}

static void the_range_counts_what_lies_in_it(void **state)
{
    struct score s;

    (void)state;
    forget();
    (void)add("a", "x", 100, 200); /* at its lower end */
    (void)add("a", "x", 100, 50);  /* at its upper end */
    (void)add("a", "x", 100, 201);
    (void)add("a", "x", 100, 49);
    s = score(&(struct score_filter){.by = SCORE_ALL});
    near(s.inside_range, 0.5);
}

static void what_has_a_reason_or_no_number_is_a_row_but_not_scored(void **state)
{
    struct score s;

    (void)state;
    forget();
    (void)add("a", "x", 100, 110);
    add("a", "x", 100, 1e9)->reason = "quality C";
    (void)add("a", "x", NAN, 100);
    (void)add("a", "x", 0, 100);
    (void)add("a", "x", 100, NAN);
    (void)add("a", "x", 100, 0);
    s = score(&(struct score_filter){.by = SCORE_ALL});
    assert_int_equal(s.rows, 6);
    assert_int_equal(s.scored, 1);
    near(s.median_ape, 0.1);
}

static void nothing_has_no_statistics(void **state)
{
    struct score s;

    (void)state;
    forget();
    s = score(&(struct score_filter){.by = SCORE_ALL});
    assert_int_equal(s.rows, 0);
    assert_true(isnan(s.median_ape) && isnan(s.p90_ape) && isnan(s.median_ratio) &&
                isnan(s.inside_range));
}

static void a_filter_takes_its_own(void **state)
{
    struct score s;

    (void)state;
    forget();
    (void)add("a", "x", 100, 110);
    (void)add("b", "x", 100, 120);
    add("b", "y", 100, 130)->set = STR("lora");
    s = score(&(struct score_filter){.by = SCORE_SOURCE, .name = STR("b")});
    assert_int_equal(s.scored, 2);
    near(s.median_ape, 0.25);
    s = score(&(struct score_filter){.by = SCORE_GPU, .name = STR("y")});
    near(s.median_ape, 0.3);
    s = score(&(struct score_filter){.by = SCORE_SET, .name = STR("dense")});
    near(s.median_ape, 0.15);
    s = score(&(struct score_filter){.by = SCORE_SET, .name = STR("none")});
    assert_int_equal(s.rows, 0);
}

static void metrics_are_scored_apart(void **state)
{
    struct score s;

    (void)state;
    forget();
    add("a", "x", 100, 110)->metric = METRIC_PREFILL;
    add("a", "x", 100, 140)->metric = METRIC_DECODE;
    points[1].first = false; /* of the same row */
    add("a", "x", 100, 190)->metric = METRIC_THROUGHPUT;
    s = score(&(struct score_filter){.metrics = 1u << METRIC_DECODE});
    assert_int_equal(s.rows, 1);
    near(s.median_ape, 0.4);
    s = score(&(struct score_filter){.metrics = 1u << METRIC_PREFILL | 1u << METRIC_DECODE});
    near(s.median_ape, 0.25);
    s = score(&(struct score_filter){.metrics = 0});
    assert_int_equal(s.rows, 2);
    assert_int_equal(s.scored, 3);
}

static void groups_come_by_name_with_all_their_rows(void **state)
{
    struct arena own = test_arena();
    struct error err = {0};
    const struct score *groups;
    struct rows found;

    (void)state;
    forget();
    (void)add("zebra", "x", 100, 110);
    (void)add("ant", "x", 100, 120);
    add("ant", "x", 100, 140)->reason = "quality C";
    (void)add("", "y", 100, 130);
    assert_true(score_groups(held, count, SCORE_SOURCE, 0, &found, &own, &err));
    assert_int_equal(found.len, 3);
    groups = found.at;
    assert_str_equal(groups[0].name, "");
    assert_str_equal(groups[1].name, "ant");
    assert_str_equal(groups[2].name, "zebra");
    assert_int_equal(groups[1].rows, 2);
    assert_int_equal(groups[1].scored, 1);
    near(groups[1].median_ape, 0.2);
    near(groups[2].median_ape, 0.1);
    assert_true(score_groups(held, 0, SCORE_GPU, 0, &found, &own, &err));
    assert_int_equal(found.len, 0);
    arena_free(&own);
}

static void groups_of_a_metric_count_the_rows_of_the_file(void **state)
{
    struct arena own = test_arena();
    struct error err = {0};
    const struct score *groups;
    struct rows found;

    (void)state;
    forget();
    add("a", "x", 100, 110)->metric = METRIC_PREFILL;
    add("a", "x", 100, 120)->metric = METRIC_DECODE;
    points[1].first = false;
    add("a", "x", 100, 130)->metric = METRIC_THROUGHPUT;
    assert_true(score_groups(held, count, SCORE_SOURCE,
                             1u << METRIC_PREFILL | 1u << METRIC_DECODE, &found, &own, &err));
    assert_int_equal(found.len, 1);
    groups = found.at;
    assert_int_equal(groups[0].rows, 2);
    assert_int_equal(groups[0].scored, 2);
    arena_free(&own);
}

static void ranges_are_counted_by_width(void **state)
{
    struct arena own = test_arena();
    struct range_score r;
    struct error err = {0};

    (void)state;
    forget();
    assert_true(score_ranges(held, count, 0, &r, &own, &err));
    assert_true(r.scored == 0 && isnan(r.inside) && isnan(r.distance));
    for (size_t i = 0; i < 9; i++) {
        (void)add("a", "x", i < 3 ? 200 : 100, 100); /* the narrow ones are wrong */
        held[i].guess = guess_of(100, i < 3 ? 0.05 : i < 6 ? 0.1 : 0.2);
    }
    assert_true(score_ranges(held, count, 0, &r, &own, &err));
    assert_int_equal(r.scored, 9);
    assert_near(r.inside, 6.0 / 9, 1e-9);
    assert_near(r.inside_narrow, 0, 1e-9);
    assert_near(r.inside_middle, 1, 1e-9);
    assert_near(r.inside_wide, 1, 1e-9);
    assert_near(r.median_width, exp(2 * 1.2816 * 0.1), 1e-6);
    assert_near(r.distance, 0.5, 1e-9); /* six at the middle, three at the end */
    arena_free(&own);
}

static void rows_that_ran_and_failed_are_distinguished(void **state)
{
    struct arch a = known_arch("llama-2-7b");
    struct setup small = known_setup(&a, "H100", 1), large = small;
    struct fit_check fits;

    (void)state;
    forget();
    small.method = METHOD_QLORA;
    large.micro_batch = 1024;
    for (size_t i = 0; i < 5; i++) {
        struct measured_value *p = add("a", "x", 10, 10);

        p->metric = METRIC_MEMORY;
        p->setup = i % 2 == 0 ? small : large;
    }
    points[0].out_of_memory = true; /* predicted to fit */
    points[1].out_of_memory = true;
    points[4].reason = "quality C";
    fits = check_fits(held, count, &known_constants);
    assert_int_equal(fits.out_of_memory, 2);
    assert_int_equal(fits.wrongly_fits, 1);
    assert_int_equal(fits.ran, 2);
    assert_int_equal(fits.wrongly_refused, 1);
}

static void memory_that_runs_out_is_an_error(void **state)
{
    size_t allow = 0;

    (void)state;
    forget();
    (void)add("a", "x", 100, 110);
    (void)add("b", "x", 100, 120);
    for (;; allow++) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct arena own = {.alloc = &alloc};
        struct error err = {0};
        struct rows found;
        bool ok = score_groups(held, count, SCORE_SOURCE, 1, &found, &own, &err);

        arena_free(&own);
        assert_int_equal(failing.held, 0);
        if (ok)
            break;
        assert_int_equal(err.kind, ERROR_MEMORY);
    }
    assert_true(allow >= 3);
}

/* Each group must not take memory for all points. */
static void many_groups_take_no_more_memory_than_points(void **state)
{
    enum { LOTS = 3000 };
    static struct measured_value many[LOTS];
    static struct held all[LOTS];
    static char names[LOTS][8];
    struct arena own = test_arena();
    struct error err = {0};
    const struct score *groups;
    struct rows found;

    (void)state;
    for (size_t i = 0; i < LOTS; i++) {
        (void)snprintf(names[i], sizeof names[i], "%zu", i);
        many[i] =
            (struct measured_value){.source = str_from(names[i]), .measured = 1, .first = true};
        all[i] = (struct held){&many[i], {1, 1, 1}};
    }
    assert_true(score_groups(all, LOTS, SCORE_SOURCE, 0, &found, &own, &err));
    assert_int_equal(found.len, LOTS);
    groups = found.at;
    assert_true(groups[LOTS - 1].scored == 1 && groups[LOTS - 1].median_ape == 0);
    arena_free(&own);
}

int group_score(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_lie_between_the_two_nearest),
        cmocka_unit_test(one_point_is_its_own_median),
        cmocka_unit_test(the_range_counts_what_lies_in_it),
        cmocka_unit_test(what_has_a_reason_or_no_number_is_a_row_but_not_scored),
        cmocka_unit_test(nothing_has_no_statistics),
        cmocka_unit_test(a_filter_takes_its_own),
        cmocka_unit_test(metrics_are_scored_apart),
        cmocka_unit_test(groups_come_by_name_with_all_their_rows),
        cmocka_unit_test(groups_of_a_metric_count_the_rows_of_the_file),
        cmocka_unit_test(ranges_are_counted_by_width),
        cmocka_unit_test(rows_that_ran_and_failed_are_distinguished),
        cmocka_unit_test(memory_that_runs_out_is_an_error),
        cmocka_unit_test(many_groups_take_no_more_memory_than_points),
    };

    return cmocka_run_group_tests(tests, known_load, known_free);
}
