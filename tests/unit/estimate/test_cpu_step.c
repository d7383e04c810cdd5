/* Training on vCPUs, beside measured steps. */
#include "known.h"

#include <stdlib.h>

#include "estimate/step/cpu_step.h"

/* PyTorch 2 in fp32 with AdamW on a Xeon with AVX-512 and AMX (unused), 18 November 2026: the
 * fastest of 5 steps, in ms, on 1, 4, 8 and 16 cores; 0: not measured. A core is two vCPUs. */
static const struct {
    double gflop, operations, params;
    bool recurrent;
    double ms[4];
} rows[] = {
    {6.087, 120, 264192, true, {55.5, 37.3, 26.9, 24.1}},     /* LSTM 128 x 2: 64 x 60 */
    {48.70, 120, 264192, true, {671.4, 224.2, 170.3, 146.0}}, /* 512 x 60 */
    {51.94, 1024, 264192, true, {787.0, 313.9, 248.9, 230.1}},
    {51.74, 256, 1052672, true, {568.4, 213.7, 159.7, 116.3}}, /* 256 x 2 */
    {322.7, 200, 4202496, true, {3002.9, 1082.6, 700.1, 463.2}},
    {84.07, 4, 3158528, false, {871.8, 308.7, 248.0, 111.5}}, /* encoders, 128 tokens */
    {242.1, 6, 18914304, false, {2561.7, 814.1, 429.7, 277.7}},
    {537.1, 12, 85054464, false, {4745.2, 1493.5, 975.1, 675.5}},
    {0.2573, 3, 669706, false, {4.4, 2.8, 1.9, 2.9}}, /* three layers, batch 64 */
    {2.058, 3, 669706, false, {15.2, 6.4, 4.1, 4.3}},
    {54.69, 10, 4700000, false, {0, 190.5, 122.5, 84.7}}, /* ten convolutions, 32 x 32 pixels */
};
static const struct cpu_kind xeon = {.fp32_gflops_vcpu = 93, .bandwidth_gb_s_vcpu = 3.2};
static const double cores[] = {1, 4, 8, 16};

static int compare_numbers(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static void test_measured_steps(void **state)
{
    double off[ARRAY_LEN(rows) * ARRAY_LEN(cores)];
    size_t count = 0, within = 0;

    (void)state;
    for (size_t r = 0; r < ARRAY_LEN(rows); r++)
        for (size_t i = 0; i < ARRAY_LEN(cores); i++) {
            struct cpu_step step = {1e9 * rows[r].gflop, rows[r].operations, rows[r].params,
                                    rows[r].recurrent};
            double ms = 1000 * cpu_step_seconds(&step, &xeon, 2 * cores[i]);

            if (rows[r].ms[i] <= 0)
                continue;
            off[count] = fabs(log(ms / rows[r].ms[i]));
            within += off[count++] <= log(2);
        }
    qsort(off, count, sizeof off[0], compare_numbers);
    assert_true(exp(off[count / 2]) < 1.15); /* the middle one */
    assert_true((double)within >= 0.99 * (double)count);
}

static void test_more_vcpus_are_faster(void **state)
{
    struct cpu_step step = {1e10, 10, 1e6, false};
    double last = INFINITY;

    (void)state;
    for (double vcpus = 1; vcpus <= 256; vcpus *= 2) {
        double now = cpu_step_seconds(&step, &xeon, vcpus);

        assert_true(now < last);
        last = now;
    }
}

int group_cpu_step(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_measured_steps),
        cmocka_unit_test(test_more_vcpus_are_faster),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
