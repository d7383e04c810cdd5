#include "jobs.h"

static void check_amount(const char *text, double expected)
{
    double got = NAN;

    if (!amount_of(str_from(text), &got) || got != expected)
        fail_msg("'%s' is %g, not %g", text, got, expected);
}

static void check_no_amount(const char *text)
{
    double got;

    if (amount_of(str_from(text), &got))
        fail_msg("'%s' is %g", text, got);
}

static void amounts_have_letters_for_their_zeros(void **state)
{
    (void)state;
    check_amount("7B", 7e9);
    check_amount("7b", 7e9);
    check_amount("25M", 25e6);
    check_amount("125m", 125e6);
    check_amount("1.5T", 1.5e12);
    check_amount("25k", 25e3);
    check_amount("1e9", 1e9);
    check_amount("0", 0);
    check_amount(".5", 0.5);
    check_amount(" 3 B ", 3e9);
    check_amount("1000000T", 1e18);
}

static void other_text_is_no_amount(void **state)
{
    static const char *const texts[] = {"",     "B",    "-1",    "+1",  "1_000_000", "1,000",
                                        "nan",  "inf",  "1e",    "7BB", "7GB",       "0x10",
                                        "1e19", "2e6T", "1e999", "7 7", "1..2"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        check_no_amount(texts[i]);
}

static void check_epochs(const char *yaml, double epochs, double factor)
{
    struct job job = job_of(yaml);
    double applied = NAN, got = job_epochs(&job, &applied);

    if (fabs(got - epochs) > 1e-12 || fabs(applied - factor) > 1e-12)
        fail_msg("'%s': %g epochs, x%g", yaml, got, applied);
}

static void quality_changes_the_epochs_within_bounds(void **state)
{
    (void)state;
    check_epochs("train: {epochs: 10}", 10, 1);
    check_epochs("train: {epochs: 10, data: {quality: high}}", 8, 0.8);
    check_epochs("train: {epochs: 10, data: {quality: medium}}", 10, 1);
    check_epochs("train: {epochs: 10, data: {quality: low}}", 13, 1.3);
    check_epochs("train: {epochs: 1, data: {quality: high}}", 1,
                 1); /* never less than a pass */
    check_epochs("train: {epochs: 0.5, data: {quality: high}}", 0.5, 1);
    check_epochs("train: {data: {quality: low}}", 1.3, 1.3);
    check_epochs("train: {}", 1, 1);
}

static void check_data(const char *yaml, double tokens, double samples)
{
    struct job job = job_of(yaml);
    double t = job_tokens(&job), s = job_samples(&job);

    if ((isnan(tokens) ? !isnan(t) : !(fabs(t - tokens) <= 1e-9 * tokens)) ||
        (isnan(samples) ? !isnan(s) : !(fabs(s - samples) <= 1e-9 * samples)))
        fail_msg("'%s': %g tokens, %g samples", yaml, t, s);
}

static void data_is_counted_however_it_is_given(void **state)
{
    (void)state;
    check_data("train: {data: {tokens: 25M}}", 25e6, NAN);
    check_data("train: {data: {tokens: 25M}, sequence: 1000, epochs: 2}", 50e6, 50e3);
    check_data("train: {data: {examples: 50000, tokens: 512}, epochs: 3}", 76.8e6, 150e3);
    check_data("train: {data: {examples: 50000, example_tokens: 512}, sequence: 2048}", 25.6e6,
               50e3);
    check_data("train: {data: {examples: 100}}", NAN, 100);
    check_data("train: {data: {images: 30, repeats: 10}, epochs: 10}", NAN, 3000);
    check_data("train: {data: {size: 4GB}}", 1e9, NAN);
    check_data("train: {data: {size: 6GB, bytes_per_token: 3}}", 2e9, NAN);
    check_data("train: {data: {size: 4GB, tokens: 7M}}", 7e6, NAN);
    check_data("train: {steps: 1000, global_batch: 512, sequence: 2048}", 1000.0 * 512 * 2048,
               512e3);
    check_data("train: {steps: 1000, micro_batch: 4, accumulation: 2, parallel: {data: 8}, "
               "sequence: 10}",
               640e3, 64e3);
    check_data("train: {steps: 1000, micro_batch: 4, sequence: 10}", NAN, NAN);
    check_data("train: {steps: 10, global_batch: 2, data: {quality: low}}", NAN, 20);
    check_data("train: {}", NAN, NAN);
}

int group_amounts(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(amounts_have_letters_for_their_zeros),
        cmocka_unit_test(other_text_is_no_amount),
        cmocka_unit_test(quality_changes_the_epochs_within_bounds),
        cmocka_unit_test(data_is_counted_however_it_is_given),
    };

    return cmocka_run_group_tests(tests, load_models, free_catalog);
}
