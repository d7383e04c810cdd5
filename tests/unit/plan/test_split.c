#include "test.h"

#include <string.h>

#include "plan/split.h"

#define UNIT INT64_C(1000000000)

static const double unsaid[SPLIT_PARTS] = {NAN, NAN, NAN, NAN};

static void check(int64_t budget, const double *shares, int64_t storage,
                  const int64_t *expected)
{
    struct split_line out[SPLIT_PARTS];
    struct error err = {0};

    assert_true(split_budget(budget, shares, storage, out, &err));
    for (int i = 0; i < SPLIT_PARTS; i++) {
        if (out[i].amount != expected[i])
            fail_msg("%s: %lld instead of %lld", split_names[i], (long long)out[i].amount,
                     (long long)expected[i]);
        assert_int_equal(out[i].planned, MONEY_UNKNOWN);
        assert_int_equal(out[i].left, MONEY_UNKNOWN);
        assert_near(out[i].share, (double)expected[i] / (double)budget, 1e-15);
    }
}

static void test_usual_parts(void **state)
{
    const int64_t hundred[] = {30 * UNIT, 50 * UNIT, 10 * UNIT, 10 * UNIT};
    const int64_t one[] = {0, 1, 0, 0};

    (void)state;
    check(100 * UNIT, unsaid, MONEY_UNKNOWN, hundred);
    check(7, unsaid, MONEY_UNKNOWN, (int64_t[]){2, 3, 1, 1}); /* 2.1, 3.5, 0.7, 0.7 */
    check(6, unsaid, MONEY_UNKNOWN, (int64_t[]){2, 3, 1, 0}); /* 1.8, 3, 0.6, 0.6: the first */
    check(1, unsaid, MONEY_UNKNOWN, one);
}

/* $20 are stored: 80 are left, in the proportion 30 : 50 : 10. */
static void test_known_storage(void **state)
{
    const int64_t amounts[] = {26666666667, 44444444444, 20 * UNIT, 8888888889};
    const int64_t all[] = {0, 0, 100 * UNIT, 0}, none[] = {30 * UNIT, 50 * UNIT, 0, 10 * UNIT};
    double without[SPLIT_PARTS] = {0.3, 0.5, NAN, NAN};

    (void)state;
    check(100 * UNIT, unsaid, 20 * UNIT, amounts);
    check(100 * UNIT, unsaid, 100 * UNIT, all);
    check(90 * UNIT, unsaid, 0, none);
    check(100 * UNIT, without, 5 * UNIT,
          (int64_t[]){30 * UNIT, 50 * UNIT, 5 * UNIT, 15 * UNIT});
}

/* Shares that are not given get the rest. */
static void test_given_shares(void **state)
{
    const double half[] = {0.5, NAN, NAN, NAN}, most[] = {1, NAN, NAN, NAN};
    const double all[] = {0.1, 0.2, 0.3, 0.4};

    (void)state;
    check(70 * UNIT, half, MONEY_UNKNOWN,
          (int64_t[]){35 * UNIT, 25 * UNIT, 5 * UNIT, 5 * UNIT});
    check(70 * UNIT, most, MONEY_UNKNOWN, (int64_t[]){70 * UNIT, 0, 0, 0});
    check(10 * UNIT, all, MONEY_UNKNOWN, (int64_t[]){UNIT, 2 * UNIT, 3 * UNIT, 4 * UNIT});
}

static void refuse(int64_t budget, const double *shares, int64_t storage, const char *why)
{
    struct split_line out[SPLIT_PARTS];
    struct error err = {0};

    assert_false(split_budget(budget, shares, storage, out, &err));
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_non_null(strstr(err.text, why));
}

static void test_parts_that_do_not_add_up(void **state)
{
    const double over[] = {0.8, 0.3, NAN, NAN}, under[] = {0.1, 0.2, 0.3, 0.3};
    const double full[] = {0.5, 0.5, NAN, 0};

    (void)state;
    refuse(UNIT, over, MONEY_UNKNOWN, "110 %");
    refuse(UNIT, under, MONEY_UNKNOWN, "90 %");
    refuse(10 * UNIT, full, UNIT, "110 %");
    refuse(UNIT, unsaid, UNIT + 1, "storage");
    refuse(UNIT, unsaid, -1, "storage");
    refuse(0, unsaid, MONEY_UNKNOWN, "a budget of 0");
    refuse(-UNIT, unsaid, MONEY_UNKNOWN, "a budget of 0");
}

/* The sum is exact, no part is negative, and each is within one of its exact share. */
static void test_parts_add_up(void **state)
{
    unsigned long long dice = 1;

    (void)state;
    for (int round = 0; round < 20000; round++) {
        struct split_line out[SPLIT_PARTS];
        struct error err = {0};
        double shares[SPLIT_PARTS];
        int64_t budget, storage, sum = 0;

        for (int i = 0; i < SPLIT_PARTS; i++) {
            dice = dice * 6364136223846793005ULL + 1442695040888963407ULL;
            shares[i] = dice >> 63 != 0 ? NAN : (double)(dice >> 40 & 0xffff) / 0x40000;
        }
        shares[dice >> 30 & 3] = NAN;
        dice = dice * 6364136223846793005ULL + 1442695040888963407ULL;
        budget = 1 + (int64_t)(dice >> (1 + round % 60));
        storage = round % 3 == 0 ? budget / 8 : MONEY_UNKNOWN;
        if (storage != MONEY_UNKNOWN)
            shares[SPLIT_RESERVE] = NAN;
        assert_true(split_budget(budget, shares, storage, out, &err));
        for (int i = 0; i < SPLIT_PARTS; i++) {
            assert_true(out[i].amount >= 0);
            sum += out[i].amount;
            if (!isnan(shares[i]) && (i != SPLIT_STORAGE || storage == MONEY_UNKNOWN))
                assert_near(out[i].amount, shares[i] * (double)budget,
                            1 + 2e-12 * (double)budget);
        }
        assert_int_equal(sum, budget);
    }
}

static void test_plans_are_compared_with_it(void **state)
{
    struct split_line line = {.amount = 30, .planned = MONEY_UNKNOWN, .left = MONEY_UNKNOWN};

    (void)state;
    split_compare(&line, 0);
    assert_int_equal(line.planned, 0);
    assert_int_equal(line.left, 30);
    split_compare(&line, 45);
    assert_int_equal(line.planned, 45);
    assert_int_equal(line.left, -15);
    split_compare(&line, MONEY_UNKNOWN);
    assert_int_equal(line.planned, MONEY_UNKNOWN);
    assert_int_equal(line.left, MONEY_UNKNOWN);
}

int group_split(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_usual_parts),  cmocka_unit_test(test_known_storage),
        cmocka_unit_test(test_given_shares), cmocka_unit_test(test_parts_that_do_not_add_up),
        cmocka_unit_test(test_parts_add_up), cmocka_unit_test(test_plans_are_compared_with_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
