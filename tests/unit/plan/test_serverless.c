/* Bills of products that are paid by use, against bills made by hand. */
#include "test.h"

#include <math.h>

#include "plan/serverless.h"

static const struct serverless lambda = {.usd_per_million_requests = {200000000},
                                         .usd_per_million_gb_seconds = {16666700000},
                                         .usd_per_million_vcpu_seconds = {MONEY_UNKNOWN},
                                         .usd_per_gpu_hour = {MONEY_UNKNOWN}};
static const struct serverless gpu = {.usd_per_million_requests = {MONEY_UNKNOWN},
                                      .usd_per_million_gb_seconds = {MONEY_UNKNOWN},
                                      .usd_per_million_vcpu_seconds = {MONEY_UNKNOWN},
                                      .usd_per_gpu_hour = {1116000000}};

/* 100 ms of 2 GB, once a second: the request fee and 518,400 GB-seconds. */
static void test_a_month_of_a_function_by_hand(void **state)
{
    struct serverless_terms terms = {.billing = STR("request"),
                                     .step_ms = 1,
                                     .minimum_ms = 1,
                                     .starts_billed = STR("yes"),
                                     .free_requests = 1e6,
                                     .free_gb_seconds = 400000};
    struct serverless_use use = {.requests = 2592000, .request_s = 0.1};
    struct serverless_bill bill = serverless_bill(
        &lambda, &terms, (struct serverless_size){.vcpus = 1, .memory_gb = 2}, &use);

    (void)state;
    assert_near(bill.usd, 2.592 * 0.2 + 518400 * 16.6667e-6, 1e-6);
    assert_near(bill.free_usd, 0.2 + 400000 * 16.6667e-6, 1e-6);
    use.starts = 100; /* of 5 s, which are billed like requests */
    use.start_s = 5;
    assert_near(serverless_bill(&lambda, &terms, (struct serverless_size){1, 2}, &use).usd -
                    bill.usd,
                100 * 5 * 2 * 16.6667e-6, 1e-9);
    terms.starts_billed = STR("no");
    assert_near(serverless_bill(&lambda, &terms, (struct serverless_size){1, 2}, &use).usd,
                bill.usd, 1e-9);
}

static void test_time_is_rounded_up_and_at_least_the_minimum(void **state)
{
    struct serverless_terms terms = {.billing = STR("request"),
                                     .step_ms = 100,
                                     .minimum_ms = 100,
                                     .free_requests = NAN,
                                     .free_gb_seconds = NAN};
    static const struct {
        double seconds, billed;
    } cases[] = {{0.001, 0.1}, {0.1, 0.1}, {0.1001, 0.2}, {0.25, 0.3}, {1, 1}};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct serverless_use use = {.requests = 1000, .request_s = cases[i].seconds};
        struct serverless_bill bill =
            serverless_bill(&lambda, &terms, (struct serverless_size){1, 1}, &use);

        assert_near(bill.billed_s, 1000 * cases[i].billed, 1e-6);
        assert_near(bill.free_usd, 0, 0);
    }
}

static void test_an_instance_is_billed_while_it_is_up(void **state)
{
    struct serverless_terms terms = {
        .billing = STR("instance"), .step_ms = 1000, .minimum_ms = 60000};
    struct serverless_use use = {
        .requests = 100, .request_s = 1, .starts = 10, .start_s = 5, .up_s = 7200};
    struct serverless_size none = {0};
    struct serverless_bill bill = serverless_bill(&gpu, &terms, none, &use);

    (void)state;
    assert_near(bill.billed_s, 7205, 1e-9); /* half a second more for each start */
    assert_near(bill.usd, 7205.0 / 3600 * 1.116, 1e-9);
    use.up_s = 100; /* ten starts are ten minutes at least */
    assert_near(serverless_bill(&gpu, &terms, none, &use).billed_s, 600, 1e-9);
}

static void test_no_price_is_unknown_not_nothing(void **state)
{
    struct serverless_terms terms = {.billing = STR("request"), .step_ms = 1};
    struct serverless_use use = {.requests = 100, .request_s = 1};
    struct serverless unpriced = lambda;

    (void)state;
    unpriced.usd_per_million_gb_seconds = USD_UNKNOWN;
    assert_true(
        isnan(serverless_bill(&unpriced, &terms, (struct serverless_size){1, 1}, &use).usd));
}

int group_serverless(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_month_of_a_function_by_hand),
        cmocka_unit_test(test_time_is_rounded_up_and_at_least_the_minimum),
        cmocka_unit_test(test_an_instance_is_billed_while_it_is_up),
        cmocka_unit_test(test_no_price_is_unknown_not_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
