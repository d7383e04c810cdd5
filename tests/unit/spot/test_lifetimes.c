/* Lifetimes by age: queried, fitted and drawn. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "base/fs.h"
#include "spot/lifetimes.h"

static struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};

static int end(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

static struct trace draw(const struct lifetimes *of, uint64_t seed, int32_t gap, size_t ticks)
{
    struct dice dice = dice_seed(seed);
    struct error err = {0};
    struct trace t;

    assert_true(lifetimes_draw(of, &dice, gap, ticks, &arena, &t, &err));
    return t;
}

/* The chance to last for another `hours` at that age, and the mean of what is left. */
static double lasts(const double *rates, double age, double hours)
{
    struct hazard h = hazard_of(rates);

    return exp(-hazard_between(&h, age, age + hours));
}

static double rest(const double *rates, double age)
{
    struct hazard h = hazard_of(rates);

    return (hazard_mean(&h, INFINITY) - hazard_mean(&h, age)) / hazard_survive(&h, age);
}

static void bins_begin_at_their_edges(void **state)
{
    (void)state;
    assert_int_equal(age_bin(0), 0);
    assert_int_equal(age_bin(0.2499), 0);
    assert_int_equal(age_bin(0.25), 1);
    assert_int_equal(age_bin(7.99), 5);
    assert_int_equal(age_bin(16), 7);
    assert_int_equal(age_bin(1e9), 7);
}

static void dice_are_those_of_the_authors(void **state)
{
    /* The state 1, 2, 3, 4 of the published xoshiro256** gives these. */
    static const uint64_t expected[] = {UINT64_C(11520), UINT64_C(0), UINT64_C(1509978240),
                                        UINT64_C(1215971899390074240)};
    struct dice dice = {{1, 2, 3, 4}}, a = dice_seed(7), b = dice_seed(7), c = dice_seed(8);
    double sum = 0;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(expected); i++)
        assert_true(dice_roll(&dice) == expected[i]);
    /* The first of splitmix64 with seed 0. */
    assert_true(dice_seed(0).state[0] == UINT64_C(0xe220a8397b1dcdaf));
    assert_true(dice_roll(&a) == dice_roll(&b) && dice_roll(&a) != dice_roll(&c));
    for (size_t i = 0; i < 10000; i++) {
        double x = dice_unit(&a);

        assert_true(x >= 0 && x < 1);
        sum += x;
    }
    assert_near(sum / 10000, 0.5, 0.01);
}

static void same_seed_same_trace(void **state)
{
    struct trace a = draw(&lifetimes_typical, 42, 600, 5000),
                 b = draw(&lifetimes_typical, 42, 600, 5000),
                 c = draw(&lifetimes_typical, 43, 600, 5000);

    (void)state;
    assert_memory_equal(a.nodes_at, b.nodes_at, 5000);
    assert_true(memcmp(a.nodes_at, c.nodes_at, 5000) != 0);
    assert_int_equal(a.gap, 600);
    assert_int_equal(a.nodes, 1);
    assert_true(isnan(a.on_demand) && a.price == NULL);
}

static void refuses_what_is_no_trace(void **state)
{
    static const struct {
        int32_t gap;
        size_t ticks;
    } cases[] = {{0, 1}, {600, 0}, {600, TRACE_TICKS_MAX + 1}, {INT32_MAX, 1}};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct dice dice = dice_seed(1);
        struct error err = {0};
        struct trace t;

        assert_false(lifetimes_draw(&lifetimes_typical, &dice, cases[i].gap, cases[i].ticks,
                                    &arena, &t, &err));
        assert_int_equal(err.kind, ERROR_INPUT);
    }
}

static void typical_is_not_exponential(void **state)
{
    const struct lifetimes *t = &lifetimes_typical;

    (void)state;
    for (size_t i = 1; i < AGE_BINS; i++) {
        assert_true(t->lose[i] < t->lose[i - 1]);
        assert_true(t->gain[i] < t->gain[i - 1]);
    }
    /* What was published: the chance to lose it in ten minutes, young and old. */
    assert_near(1 - lasts(t->lose, 0, 0.5), 1 - pow(1 - 0.235, 3), 0.03);
    assert_near(1 - lasts(t->lose, 3, 1.0 / 6), 0.05, 0.015);
    assert_near(1 - lasts(t->gain, 0, 1.0 / 6), 0.35, 0.2);
    assert_near(1 - lasts(t->gain, 3, 1.0 / 6), 0.05, 0.015);
    /* What has lasted lasts longer. */
    assert_true(rest(t->lose, 2) > 2 * rest(t->lose, 0));
}

static void survival_adds_up(void **state)
{
    const struct lifetimes *t = &lifetimes_typical;
    struct hazard h = hazard_of(t->lose);
    double sum = 0, step = 1e-3;

    (void)state;
    assert_near(lasts(t->lose, 1, 0), 1, 0);
    assert_near(lasts(t->lose, 0.1, 5), lasts(t->lose, 0.1, 2) * lasts(t->lose, 2.1, 3), 1e-12);
    assert_near(lasts(t->gain, 0, 30), lasts(t->gain, 0, 20) * lasts(t->gain, 20, 10), 1e-12);
    for (double at = step / 2; at < 12; at += step)
        sum += step * lasts(t->lose, 0, at);
    assert_near(hazard_mean(&h, 12), sum, 1e-5);
    assert_near(hazard_mean(&h, 0), 0, 0);
    assert_near(rest(t->lose, 20), 1 / t->lose[AGE_BINS - 1], 1e-9);
    /* Ages met at a random moment: half are below the one that leaves half of the hours. */
    for (double of = 0; of < 1; of += 0.125)
        assert_near(hazard_mean(&h, hazard_age(&h, of)) / hazard_mean(&h, INFINITY), of, 1e-9);
}

/* How often spells of a trace outlive `hours` from an age on, and how many got that far. */
static double kept(const struct trace *t, bool up, double age, double hours, size_t *count)
{
    size_t reach = (size_t)(age * 3600 / t->gap), more = (size_t)(hours * 3600 / t->gap),
           spell = 0, lasted = 0;

    *count = 0;
    for (size_t i = 0; i + more < t->ticks; i++) {
        spell = i > 0 && t->nodes_at[i] == t->nodes_at[i - 1] ? spell + 1 : 0;
        if ((t->nodes_at[i] > 0) != up || spell != reach)
            continue;
        ++*count;
        lasted += memchr(t->nodes_at + i, !up, more + 1) == NULL;
    }
    return (double)lasted / (double)*count;
}

static void survival_is_that_of_drawn_traces(void **state)
{
    static const double ages[] = {0, 0.5, 1, 3}, spans[] = {0.5, 1, 4};
    struct trace t = draw(&lifetimes_typical, 5, 600, 400000);

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(ages); i++)
        for (size_t k = 0; k < ARRAY_LEN(spans); k++) {
            size_t n;
            double wanted = lasts(lifetimes_typical.lose, ages[i], spans[k]);
            double got = kept(&t, true, ages[i], spans[k], &n);

            assert_near(got, wanted, 4 * sqrt(wanted * (1 - wanted) / (double)n));
            wanted = lasts(lifetimes_typical.gain, ages[i], spans[k]);
            got = kept(&t, false, ages[i], spans[k], &n);
            assert_near(got, wanted, 4 * sqrt(wanted * (1 - wanted) / (double)n));
        }
}

/* The start is drawn from the long run: the first ticks are as likely up as later ones. */
static void begins_as_it_goes_on(void **state)
{
    struct dice dice = dice_seed(11);
    struct error err = {0};
    double first = 0, later = 0;

    (void)state;
    for (int i = 0; i < 4000; i++) {
        struct trace t;

        assert_true(lifetimes_draw(&lifetimes_typical, &dice, 600, 61, &arena, &t, &err));
        first += t.nodes_at[0];
        later += t.nodes_at[60];
    }
    assert_near(first / 4000, lifetimes_typical.up, 4 * 0.5 / sqrt(4000));
    assert_near(later / 4000, lifetimes_typical.up, 4 * 0.5 / sqrt(4000));
}

/* How many spells ended at which age, at the latest. */
static void count_ends(const struct trace *t, double *lost, double *back)
{
    size_t spell = 0;

    for (size_t i = 1; i < t->ticks; i++) {
        spell++;
        if (t->nodes_at[i] == t->nodes_at[i - 1])
            continue;
        (t->nodes_at[i - 1] > 0 ? lost : back)[age_bin((double)spell * t->gap / 3600)]++;
        spell = 0;
    }
}

/* Any tick length: also ticks across the bins' edges. */
static void a_fit_recovers_what_was_drawn(void **state)
{
    static const struct lifetimes odd = {
        .lose = {0.9, 0.8, 0.7, 0.5, 0.2, 0.3, 0.05, 0.04},
        .gain = {6, 3, 0.5, 0.6, 0.3, 0.2, 0.1, 0.08},
        .up = 0.7,
    };
    static const int32_t gaps[] = {60, 195, 600, 1000};

    (void)state;
    for (size_t g = 0; g < ARRAY_LEN(gaps); g++) {
        struct trace t = draw(&odd, 100 + g, gaps[g], 600000);
        double lost[AGE_BINS] = {0}, back[AGE_BINS] = {0};
        struct lifetimes fit;

        lifetimes_fit(&t, 1, &fit);
        count_ends(&t, lost, back);
        for (size_t i = 0; i < AGE_BINS; i++) {
            /* Neighbors in one tick share events, so errors are larger than of counts. */
            assert_near(fit.lose[i] / odd.lose[i], 1, 0.02 + 6 / sqrt(lost[i]));
            assert_near(fit.gain[i] / odd.gain[i], 1, 0.02 + 6 / sqrt(back[i]));
        }
    }
}

static void a_fit_reproduces_the_counts(void **state)
{
    /* Flaps: lost after two ticks, back after two. */
    char text[600];
    struct trace t = {.gap = 600, .nodes = 4, .ticks = 600, .nodes_at = (const uint8_t *)text};
    struct lifetimes fit;

    (void)state;
    for (size_t i = 0; i < 600; i++)
        text[i] = i % 4 < 2 ? 4 : 1;
    lifetimes_fit(&t, 2, &fit);
    assert_near(fit.up, 0.5, 1e-9);
    assert_true(lasts(fit.lose, 0, 1.0 / 6) > 0.9);
    assert_true(lasts(fit.lose, 1.0 / 6, 1.0 / 6) < 0.1);
    assert_true(lasts(fit.gain, 0, 1.0 / 6) > 0.9);
    assert_true(lasts(fit.gain, 1.0 / 6, 1.0 / 6) < 0.1);
    lifetimes_fit(&t, 1, &fit); /* one is always available */
    assert_near(fit.up, 1, 0);
    assert_true(lasts(fit.lose, 50, 10) > 0.8);
}

static void little_seen_is_typical(void **state)
{
    const uint8_t nodes[] = {1, 1};
    struct trace t = {.gap = 86400, .nodes = 1, .ticks = 1, .nodes_at = nodes};
    struct lifetimes fit;

    (void)state;
    lifetimes_fit(&t, 1, &fit);
    for (size_t i = 0; i < AGE_BINS; i++) {
        assert_near(fit.lose[i], lifetimes_typical.lose[i], 1e-9);
        assert_near(fit.gain[i], lifetimes_typical.gain[i], 1e-9);
    }
    t.ticks = 2; /* a day without a loss is evidence about losses, not about gains */
    lifetimes_fit(&t, 1, &fit);
    assert_true(fit.lose[6] < lifetimes_typical.lose[6] && fit.lose[6] > 0);
    assert_near(fit.gain[6], lifetimes_typical.gain[6], 1e-9);
}

static void real_machines_are_lost_young(void **state)
{
    static const char *const files[] = {"spot/traces/aws_2022-10_k80_v100_ping600.trc",
                                        "spot/traces/aws_2023-02_v100_3zones_195s_priced.trc",
                                        "spot/traces/gcp_2025-10_h100_5zones_600s.trc"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(files); i++) {
        struct error err = {0};
        struct traces t;
        struct str text;
        struct test_path path;

        assert_true(fs_read(test_data(files[i], &path), (size_t)1 << 24, &arena, &text, &err));
        assert_true(
            traces_read(text, (struct trace_options){.name = files[i]}, &arena, &t, &err));
        for (size_t k = 0; k < t.len; k++) {
            struct lifetimes fit;

            lifetimes_fit(&t.at[k], 1, &fit);
            assert_true(lasts(fit.lose, 0, 0.5) < lasts(fit.lose, 4, 0.5));
            assert_true(lasts(fit.gain, 0, 0.5) < lasts(fit.gain, 4, 0.5));
            for (size_t b = 0; b < AGE_BINS; b++)
                assert_true(fit.lose[b] > 0 && isfinite(fit.lose[b]) && fit.gain[b] > 0 &&
                            isfinite(fit.gain[b]));
        }
    }
}

int group_lifetimes(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bins_begin_at_their_edges),
        cmocka_unit_test(dice_are_those_of_the_authors),
        cmocka_unit_test(same_seed_same_trace),
        cmocka_unit_test(refuses_what_is_no_trace),
        cmocka_unit_test(typical_is_not_exponential),
        cmocka_unit_test(survival_adds_up),
        cmocka_unit_test(survival_is_that_of_drawn_traces),
        cmocka_unit_test(begins_as_it_goes_on),
        cmocka_unit_test(a_fit_recovers_what_was_drawn),
        cmocka_unit_test(a_fit_reproduces_the_counts),
        cmocka_unit_test(little_seen_is_typical),
        cmocka_unit_test(real_machines_are_lost_young),
    };

    return cmocka_run_group_tests(tests, NULL, end);
}
