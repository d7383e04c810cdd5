/* Totals from samples: exact where all was taken, and a range that holds as often as it
 * says. */
#include "test.h"

#include <math.h>

#include "data/sampled.h"

#define TRIES 2000
#define ITEMS 300
#define TAKEN 32

static uint64_t draw_state;

/* The same numbers each time. */
static double draw(void)
{
    draw_state = draw_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(draw_state >> 11) * 0x1p-53;
}

static void all_taken_is_exact(void **state)
{
    struct sampled_stratum s[2] = {{.size = 300, .count = 2}, {.size = 50, .count = 1}};
    struct sampled total;

    (void)state;
    sampled_add(&s[0], 100, 40);
    sampled_add(&s[0], 200, 200);
    sampled_add(&s[1], 50, 10);
    total = sampled_total(s, 2);
    assert_true(total.known && total.complete);
    assert_int_equal(total.size, 250);
    assert_int_equal(total.low, 250);
    assert_int_equal(total.high, 250);
    assert_int_equal(total.taken, 3);
    assert_int_equal(total.taken_size, 350);
}

static void one_of_many_is_unknown(void **state)
{
    struct sampled_stratum s = {.size = 1000, .count = 10, .doubt = 0.1};

    (void)state;
    assert_false(sampled_total(&s, 1).known);
    sampled_add(&s, 100, 40);
    assert_false(sampled_total(&s, 1).known);
    sampled_add(&s, 100, 60);
    assert_true(sampled_total(&s, 1).known);
    assert_int_equal(sampled_total(&s, 1).size, 500);
}

static void nothing_is_nothing(void **state)
{
    struct sampled_stratum s = {0};

    (void)state;
    assert_true(sampled_total(&s, 1).known);
    assert_int_equal(sampled_total(&s, 1).high, 0);
    assert_true(sampled_total(NULL, 0).complete);
}

/* All that were taken are alike: there may be others. */
static void a_doubt_remains(void **state)
{
    struct sampled_stratum s = {.size = 100000, .count = 100, .doubt = 0.3};
    struct sampled total;

    (void)state;
    for (int i = 0; i < TAKEN; i++)
        sampled_add(&s, 1000, 900);
    total = sampled_total(&s, 1);
    assert_int_equal(total.size, 90000);
    assert_true(total.low < 89000 && total.low > 85000);
    assert_true(total.high > 91000 && total.high < 95000);
}

/* What was taken will not become less. */
static void never_below_what_was_seen(void **state)
{
    struct sampled_stratum s = {.size = 1100, .count = 3, .doubt = 5};

    (void)state;
    sampled_add(&s, 500, 400);
    sampled_add(&s, 500, 500);
    assert_int_equal(sampled_total(&s, 1).low, 900);
}

/* Sizes and ratios as image sets have them; one in ten becomes far smaller. */
static bool is_within_range(void)
{
    struct sampled_stratum s = {.count = ITEMS, .doubt = 0.5};
    double truth = 0;
    struct sampled total;

    for (int i = 0; i < ITEMS; i++) {
        uint64_t before = (uint64_t)(1000 + 9000 * draw() * draw());
        double ratio = draw() < 0.1 ? 0.3 : 0.8 + 0.2 * draw();
        uint64_t after = (uint64_t)(ratio * (double)before);

        s.size += before;
        truth += (double)after;
        if (i < TAKEN) /* they are drawn at random */
            sampled_add(&s, before, after);
    }
    total = sampled_total(&s, 1);
    return truth >= (double)total.low && truth <= (double)total.high;
}

static void the_range_holds_as_often_as_it_says(void **state)
{
    int within = 0;

    (void)state;
    draw_state = 40;
    for (int i = 0; i < TRIES; i++)
        within += is_within_range();
    assert_true(within >= TRIES * 76 / 100); /* 80 %, and what chance does in 2,000 tries */
    assert_true(within <= TRIES * 90 / 100); /* nor is it far too wide */
}

int group_sampled(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_taken_is_exact),
        cmocka_unit_test(one_of_many_is_unknown),
        cmocka_unit_test(nothing_is_nothing),
        cmocka_unit_test(a_doubt_remains),
        cmocka_unit_test(never_below_what_was_seen),
        cmocka_unit_test(the_range_holds_as_often_as_it_says),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
