#include "job_case.h"

#include "advise/rules/job_change.h"

/* An estimate that costs so much, of which `fixed` does not follow the time. */
static struct estimate costs(double total, double low, double high, double fixed,
                             struct estimate_line *line)
{
    *line = (struct estimate_line){.name = STR("storage"), .amount = usd_from(fixed)};
    return (struct estimate){.total = usd_from(total),
                             .total_low = usd_from(low),
                             .total_high = usd_from(high),
                             .cost = {line, fixed > 0 ? 1 : 0}};
}

/* $100 become $60, of which $20 is storage. With a deviation of 0.1 the other $40 are between
 * 40 / e^0.12816 = 35.19 and 45.47, so that 34.53 to 44.81 are saved. */
static void ratio(void **state)
{
    struct estimate_line a, b;
    struct estimate before = costs(100, 100, 100, 20, &a), after = costs(60, 60, 60, 20, &b);
    struct saving s = job_change_saving(&before, &after, 0.1);

    (void)state;
    assert_near(s.mid, 40, 1e-9);
    assert_near(s.low, 34.5306, 1e-4);
    assert_near(s.high, 44.8115, 1e-4);
}

/* The job's own cost is between $80 and $125: ln 1.25 = 0.2231, beside ln(40 / 34.53) = 0.1471
 * and ln(44.811 / 40) = 0.1136. */
static void own_range(void **state)
{
    struct estimate_line a, b;
    struct estimate before = costs(100, 80, 125, 20, &a), after = costs(60, 60, 60, 20, &b);
    struct saving s = job_change_saving(&before, &after, 0.1);

    (void)state;
    assert_near(s.low, 40 * exp(-sqrt(0.22314 * 0.22314 + 0.14707 * 0.14707)), 1e-3);
    assert_near(s.high, 40 * exp(sqrt(0.22314 * 0.22314 + 0.11358 * 0.11358)), 1e-3);
}

/* It may also cost more. */
static void uncertain(void **state)
{
    struct estimate_line a, b;
    struct estimate before = costs(100, 90, 110, 0, &a), after = costs(95, 90, 110, 0, &b);
    struct saving s = job_change_saving(&before, &after, 0.1);

    (void)state;
    assert_near(s.mid, 5, 1e-9);
    assert_true(s.low < 0);
    after = costs(120, 100, 140, 0, &b);
    s = job_change_saving(&before, &after, 0.1);
    assert_near(s.mid, -20, 1e-9);
    before = costs(NAN, NAN, NAN, 0, &a);
    assert_true(isnan(job_change_saving(&before, &after, 0.1).mid));
}

static void threshold(void **state)
{
    struct job_change change = {.possible = true, .saving = {.mid = 3}};

    (void)state;
    assert_true(job_change_pays(&change, usd_from(100)));
    change.saving.mid = 2.99;
    assert_false(job_change_pays(&change, usd_from(100)));
    change.saving.mid = NAN;
    assert_false(job_change_pays(&change, usd_from(100)));
    change = (struct job_change){.possible = false, .saving = {.mid = 50}};
    assert_false(job_change_pays(&change, usd_from(100)));
}

static struct job_case it;

/* The batch of a step stays, however the job gave it. */
static void batch_stays(void **state)
{
    struct job_change change = {0};
    struct error err = {0};

    (void)state;
    case_open(&it, JOB_TRAIN,
              "model=bert-base data.examples=1M sequence=128 micro_batch=4 accumulation=16",
              case_place("H100", 1, 10));
    job_change_set_count(&change, "micro_batch", 32);
    assert_true(job_change_estimate(&it.advise, 0.13, &case_arena, &change, &err));
    assert_true(change.possible);
    assert_near(change.after.global_batch, 64, 0);
    assert_int_equal(change.after.accumulation, 2);
    assert_true(change.time > 0 && change.time < 1);
    assert_int_equal(it.given.train.micro_batch, 4); /* the job itself is not changed */
}

/* Settings that the job cannot have make no error. */
static void impossible(void **state)
{
    const char *const keys[][2] = {
        {"parallel.tensor", "3"}, {"precision", "wide"}, {"sequence", "1000000000"}};
    struct error err = {0};

    (void)state;
    case_open(&it, JOB_TRAIN, "model=llama-2-7b data.tokens=25M", case_place("H100", 8, 10));
    for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
        struct job_change change = {0};

        job_change_set(&change, keys[i][0], keys[i][1]);
        assert_true(job_change_estimate(&it.advise, 0.13, &case_arena, &change, &err));
        assert_false(change.possible);
        assert_true(isnan(change.saving.mid));
    }
}

int group_job_change(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ratio),       cmocka_unit_test(own_range),
        cmocka_unit_test(uncertain),   cmocka_unit_test(threshold),
        cmocka_unit_test(batch_stays), cmocka_unit_test(impossible),
    };

    return cmocka_run_group_tests(tests, case_load, case_free);
}
