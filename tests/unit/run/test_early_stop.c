/* Early stopping: what the options mean, what each rule does, and how the rules compare. The
 * last test prints the tables of docs/reference/run-metrics.md. */
#include <stdio.h>
#include <string.h>

#include "run/output/early_stop.h"
#include "stop_curves.h"
#include "test.h"

static struct stop_options options(const char *text)
{
    struct stop_options out;
    struct error err;

    if (!stop_parse(str_from(text), &out, &err))
        fail_msg("%s: %s", text, err.text);
    return out;
}

static void options_are_read(void **state)
{
    struct stop_options o = options("val_loss");

    (void)state;
    assert_string_equal(o.metric, "val_loss");
    assert_false(o.greater_is_better);
    assert_int_equal(o.rule, STOP_PLATEAU);
    assert_int_equal(o.patience, 5);
    assert_int_equal(o.warmup, 10);
    assert_near(o.min, 0.002, 1e-15);
    assert_true(o.relative);
    assert_true(options("val_acc").greater_is_better);
    assert_false(options("val_acc:min").greater_is_better);
    o = options("x:MAX, patience=7 ,min-delta=0.01,rule=patience,warmup=3");
    assert_true(o.greater_is_better);
    assert_int_equal(o.patience, 7);
    assert_false(o.relative);
    assert_near(o.min, 0.01, 1e-15);
    assert_int_equal(o.rule, STOP_PATIENCE);
    assert_int_equal(o.warmup, 3);
    o = options("loss,rule=variance,variance=1e-4");
    assert_int_equal(o.patience, 3);
    assert_near(o.min, 0.005, 1e-15);
    assert_near(o.variance, 1e-4, 1e-15);
    assert_int_equal(o.warmup, 0);
}

static void bad_options_are_named(void **state)
{
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"", "early stopping: '' is not the name of a metric"},
        {"patience=3", "early stopping: 'patience=3' is not the name of a metric"},
        {"loss:up", "early stopping: 'up' is neither min nor max"},
        {"loss,patience=0",
         "early stopping: patience is '0', not a whole number from 1 to 128"},
        {"loss,patience=x",
         "early stopping: patience is 'x', not a whole number from 1 to 128"},
        {"loss,min=-1", "early stopping: min is '-1', not an amount"},
        {"loss,min=", "early stopping: min is '', not an amount"},
        {"loss,rule=platau",
         "early stopping: the rule 'platau' is not patience, plateau or variance"},
        {"loss,fast=1", "early stopping: there is no setting 'fast'"},
    };
    struct stop_options out;
    struct error err;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        assert_false(stop_parse(str_from(cases[i].text), &out, &err));
        assert_string_equal(err.text, cases[i].error);
        assert_int_equal(err.kind, ERROR_USAGE);
    }
    assert_false(stop_parse(STR("loss,rule=platau"), &out, &err));
    assert_string_equal(err.hint, "did you mean 'plateau'?");
}

/* The number of the value at which it stops, from 1; 0 when it does not. */
static int stops_at(const char *text, const double *values, int count, char *why)
{
    struct stop_options o = options(text);
    struct stop_watch w;

    stop_start(&w, &o);
    for (int i = 0; i < count; i++) {
        if (stop_see(&w, values[i], why) == STOP_NOW)
            return i + 1;
    }
    return 0;
}

#define STOPS_AT(text, why, ...) \
    stops_at(text, (const double[]){__VA_ARGS__}, \
             (int)ARRAY_LEN(((const double[]){__VA_ARGS__})), why)

static void patience_counts_from_the_best(void **state)
{
    char why[STOP_WHY];
    struct stop_options o = options("loss,rule=patience,patience=3,min=1%");
    struct stop_watch w;

    (void)state;
    assert_int_equal(
        STOPS_AT("loss,rule=patience,patience=3,min=1%", why, 3, 2, 1, 1.1, 0.995, 1.2), 6);
    assert_string_equal(why, "loss has not improved by 1 % on its best of 1 for 3 values");
    assert_int_equal(
        STOPS_AT("acc,rule=patience,patience=2,min=0.01", why, .1, .5, .6, .605, .7, .7), 0);
    assert_int_equal(
        STOPS_AT("acc,rule=patience,patience=2,min=0.01", why, .1, .5, .6, .605, .6), 5);
    stop_start(&w, &o);
    assert_int_equal(stop_see(&w, 1, why), STOP_GO_ON);
    assert_int_equal(stop_see(&w, 1, why), STOP_GO_ON);
    assert_int_equal(stop_see(&w, 1, why), STOP_WARN);
    assert_int_equal(stop_see(&w, 1, why), STOP_NOW);
    assert_int_equal(STOPS_AT("loss,rule=patience,patience=1", why, 0, 0), 2);
}

/* The guide's rule fires on 0.03, 0.02, 0.01: its variance is not relative to anything. */
static void small_values_that_fall_go_on(void **state)
{
    char why[STOP_WHY];

    (void)state;
    assert_int_equal(STOPS_AT("loss,rule=variance", why, 0.04, 0.03, 0.02, 0.01), 0);
    assert_int_equal(STOPS_AT("loss,rule=variance", why, 4, 3.999, 3.998, 3.997), 0);
    assert_int_equal(STOPS_AT("loss,rule=variance", why, 4, 3, 3.001, 3.002), 4);
    assert_string_equal(why, "the last 3 values of loss vary by 0.00027 of their mean");
    assert_int_equal(STOPS_AT("loss,rule=variance", why, 4, 3, 2, 2.5), 4);
    assert_string_equal(why, "loss at 2.5 is no better than 2 shortly before");
    assert_int_equal(STOPS_AT("loss,rule=variance", why, 4, 3, 2), 0);
    assert_int_equal(STOPS_AT("acc,rule=variance", why, .1, .2, .3, .4, .5), 0);
}

static void a_plateau_is_warned_of_then_stopped(void **state)
{
    struct stop_options o = options("loss,rule=plateau,patience=3");
    struct stop_watch w;
    char why[STOP_WHY];
    enum stop_verdict verdict = STOP_GO_ON, before = STOP_GO_ON;
    int n = 0;

    (void)state;
    stop_start(&w, &o);
    for (; n < 10; n++) /* straight down */
        assert_int_equal(stop_see(&w, 10 - 0.5 * n, why), STOP_GO_ON);
    for (; n < 40 && verdict != STOP_NOW; n++) {
        before = verdict;
        verdict = stop_see(&w, 5.5, why);
    }
    assert_int_equal(verdict, STOP_NOW);
    assert_int_equal(before, STOP_WARN);
    assert_in_range(n, 14, 20);
    assert_string_equal(why,
                        "the trend of loss over the last 6 values promises 0 % in the next "
                        "3, less than 0.2 %");
}

static void getting_worse_is_stopped(void **state)
{
    double rising[40];
    char why[STOP_WHY];

    (void)state;
    for (int i = 0; i < 40; i++)
        rising[i] = i < 15 ? 3 - 0.1 * i : 1.5 + 0.05 * (i - 15);
    assert_in_range(stops_at("loss,patience=3", rising, 40, why), 17, 25);
    for (int i = 0; i < 40; i++)
        rising[i] = -rising[i];
    assert_in_range(stops_at("acc,patience=3", rising, 40, why), 17, 25);
}

static void nan_is_the_end(void **state)
{
    char why[STOP_WHY];

    (void)state;
    assert_int_equal(STOPS_AT("loss,rule=patience", why, 3, 2, (double)NAN), 3);
    assert_string_equal(why, "loss is not a number any more");
    assert_int_equal(STOPS_AT("loss", why, (double)INFINITY), 1);
}

/* Many more values than are remembered. */
static void a_long_run_is_bounded(void **state)
{
    struct stop_options o = options("loss,patience=128,min=0");
    struct stop_watch w;
    char why[STOP_WHY];

    (void)state;
    stop_start(&w, &o);
    for (int i = 0; i < 5000; i++)
        assert_int_equal(stop_see(&w, 1e6 - i, why), STOP_GO_ON);
    assert_int_equal(w.count, 5000);
}

static enum divergence see_loss(struct divergence_watch *w, double loss)
{
    char why[STOP_WHY];

    return divergence_see(w, loss, NAN, why);
}

static void a_loss_that_is_not_finite_twice_has_diverged(void **state)
{
    struct divergence_watch w;
    char why[STOP_WHY];

    (void)state;
    divergence_start(&w);
    assert_int_equal(see_loss(&w, (double)NAN), DIVERGENCE_NONE);
    assert_int_equal(see_loss(&w, 2), DIVERGENCE_NONE);
    assert_int_equal(see_loss(&w, (double)INFINITY), DIVERGENCE_NONE);
    assert_int_equal(divergence_see(&w, (double)INFINITY, NAN, why), DIVERGENCE_NOT_FINITE);
    assert_string_equal(why, "the loss is infinite");
    divergence_start(&w); /* a bar shows one bad step ten times a second */
    for (int i = 0; i < 50; i++)
        assert_int_equal(divergence_see(&w, (double)NAN, 7, why), DIVERGENCE_NONE);
    assert_int_equal(divergence_see(&w, (double)NAN, 8, why), DIVERGENCE_NOT_FINITE);
    assert_string_equal(why, "the loss is not a number");
}

static void a_loss_that_has_grown_tenfold_is_noticed(void **state)
{
    struct divergence_watch w;
    char why[STOP_WHY] = "";
    int n = 0;

    (void)state;
    divergence_start(&w);
    for (int i = 0; i < 100; i++) /* with outliers */
        assert_int_equal(see_loss(&w, i % 10 == 9 ? 1000 : 2 - 0.01 * i), DIVERGENCE_NONE);
    while (n < 100 && divergence_see(&w, 50 + n, NAN, why) == DIVERGENCE_NONE)
        n++;
    assert_in_range(n, 5, 16);
    assert_non_null(strstr(why, "the loss has grown from 1.0"));
    divergence_start(&w); /* ten times a value near zero is noise, not divergence */
    for (int i = 0; i < 200; i++)
        assert_int_equal(see_loss(&w, i < 50 ? 3 : i < 100 ? 1e-4 : 2e-3), DIVERGENCE_NONE);
    divergence_start(&w);
    for (int i = 0; i < 200; i++)
        assert_int_equal(see_loss(&w, -3.0 * i), DIVERGENCE_NONE);
}

/* --- The comparison --- */

#define CURVES 200

/* The guide's own, as it is written there. */
static bool as_written(const double *values, int count)
{
    double mean = 0, variance = 0, best = INFINITY;

    if (count < 4)
        return false;
    for (int i = count - 3; i < count; i++)
        mean += values[i] / 3;
    for (int i = count - 3; i < count; i++)
        variance += (values[i] - mean) * (values[i] - mean) / 3;
    for (int i = count - 3; i < count - 1; i++)
        best = fmin(best, values[i]);
    return variance < 0.001 || (best - values[count - 1]) / best < 0.005;
}

struct outcome {
    double early; /* share of curves stopped before 99 % of the improvement there was */
    double lost;  /* mean part of the improvement that was not reached */
    double saved; /* mean part of the values that were not waited for */
};

/* How many values of a curve are read. NULL: the guide's rule as written. */
static int seen_of(const struct curve *curve, const struct stop_options *o)
{
    struct stop_watch w;
    char why[STOP_WHY];

    if (o != NULL)
        stop_start(&w, o);
    for (int n = 0; n < CURVE_VALUES; n++) {
        if (o != NULL ? stop_see(&w, curve->value[n], why) == STOP_NOW
                      : as_written(curve->value, n + 1))
            return n + 1;
    }
    return CURVE_VALUES;
}

static struct outcome try_rule(const struct stop_options *o, enum curve_kind kind, double noise)
{
    struct curve_dice dice = {1 + (uint64_t)kind};
    struct outcome sum = {0, 0, 0};

    for (int i = 0; i < CURVES; i++) {
        struct curve curve;
        double reached = INFINITY, least = INFINITY, share;
        int seen;

        curve_make(&curve, kind, noise, &dice);
        seen = seen_of(&curve, o);
        for (int n = 0; n < CURVE_VALUES; n++) {
            least = fmin(least, curve.true_value[n]);
            if (n < seen)
                reached = least;
        }
        share = (curve.true_value[0] - reached) / (curve.true_value[0] - least);
        sum.early += share < 0.99 ? 1.0 / CURVES : 0;
        sum.lost += (1 - share) / CURVES;
        sum.saved += 1.0 * (CURVE_VALUES - seen) / CURVE_VALUES / CURVES;
    }
    return sum;
}

#define RULES 5
#define NOISES 3

static void check_kind(int kind, struct outcome all[RULES][NOISES])
{
    const struct outcome *plateau = all[RULES - 1];

    for (int z = 0; z < NOISES; z++) {
        for (int r = 0; r < 3; r++) { /* the others at their own settings */
            assert_true(plateau[z].early <= all[r][z].early);
            assert_true(plateau[z].lost < all[r][z].lost + 1e-3);
        }
        if (kind == CURVE_PLATEAU || kind == CURVE_OVERFIT) {
            assert_true(plateau[z].lost < 0.01);
            assert_true(plateau[z].saved > 0.4);
        }
    }
}

static void the_plateau_rule_regrets_least(void **state)
{
    static const char *const kinds[] = {"power law", "then flat", "late drop", "then worse"};
    static const char *const rules[RULES] = {"the guide's, as written", "variance", "patience",
                                             "patience of 15", "plateau"};
    const double noises[NOISES] = {0.001, 0.01, 0.05};
    struct stop_options o[RULES] = {
        options("loss,rule=variance"), options("loss,rule=variance"),
        options("loss,rule=patience"), options("loss,rule=patience,patience=15"),
        options("loss,rule=plateau")};

    (void)state;
    for (int kind = 0; kind < CURVE_KINDS; kind++) {
        struct outcome all[RULES][NOISES];

        for (int r = 0; r < RULES; r++) {
            printf("# | %s | %s |", kinds[kind], rules[r]);
            for (int z = 0; z < NOISES; z++) {
                all[r][z] = try_rule(r == 0 ? NULL : &o[r], (enum curve_kind)kind, noises[z]);
                printf(" %.0f %% / %.1f %% / %.0f %% |", all[r][z].early * 100,
                       all[r][z].lost * 100, all[r][z].saved * 100);
            }
            printf("\n");
        }
        check_kind(kind, all);
    }
}

int group_early_stop(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_are_read),
        cmocka_unit_test(bad_options_are_named),
        cmocka_unit_test(patience_counts_from_the_best),
        cmocka_unit_test(small_values_that_fall_go_on),
        cmocka_unit_test(a_plateau_is_warned_of_then_stopped),
        cmocka_unit_test(getting_worse_is_stopped),
        cmocka_unit_test(nan_is_the_end),
        cmocka_unit_test(a_long_run_is_bounded),
        cmocka_unit_test(a_loss_that_is_not_finite_twice_has_diverged),
        cmocka_unit_test(a_loss_that_has_grown_tenfold_is_noticed),
        cmocka_unit_test(the_plateau_rule_regrets_least),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
