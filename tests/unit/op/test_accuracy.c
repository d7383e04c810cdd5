/* The errors that docs/accuracy.md states: they must not get worse. The limits stand a little
 * above today's scores, and all of them below the bars the estimator was built to meet. */
#include "world.h"

#include <unistd.h>

#include "op/estimate/validate.h"
#include "op/op.h"

struct limit {
    const char *set; /* NULL: all rows; or the name of a metric, for inference */
    double median, p90;
};

static struct validate_result learned(struct world *w, const char *kind, const char *file,
                                      bool left_out, int64_t calibrate)
{
    struct validate_request req;
    struct validate_result res;
    struct error err = {0};
    char path[512];
    struct str files[1];

    (void)snprintf(path, sizeof path, "%s/tests/truth/%s", getenv("STINT_SOURCE_ROOT"), file);
    assert_true(fields_reset(op_validate.request, &req, &w->arena, &err));
    assert_true(fields_reset(op_validate.result, &res, &w->arena, &err));
    files[0] = str_from(path);
    req.kind = str_from(kind);
    req.files = (struct strs){files, 1};
    req.leave_one_source_out = left_out;
    req.calibrate = calibrate;
    if (!op_validate.run(&w->ctx, &req, &res, &err))
        fail_msg("%s: %s", file, err.text);
    return res;
}

static struct validate_result held(struct world *w, const char *kind, const char *file,
                                   bool left_out)
{
    return learned(w, kind, file, left_out, 0);
}

static const struct score *named(const struct rows *rows, const char *name)
{
    const struct score *scores = rows->at;

    for (size_t i = 0; i < rows->len; i++)
        if (str_eq(scores[i].name, str_from(name)))
            return &scores[i];
    return NULL;
}

static void hold(const struct validate_result *res, const struct limit *limits, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct limit *l = &limits[i];
        struct score all = {.scored = res->validation.all.scored,
                            .median_ape = res->validation.all.median_ape,
                            .p90_ape = res->validation.all.p90_ape};
        const struct score *s = &all;

        if (l->set != NULL) {
            s = named(&res->validation.by_set, l->set);
            if (s == NULL)
                s = named(&res->validation.by_metric, l->set);
        }
        assert_non_null(s);
        assert_true(s->scored > 0);
        if (s->median_ape > l->median || s->p90_ape > l->p90)
            fail_msg("%s: median %.3f (limit %.3f), 90th percentile %.3f (limit %.3f)",
                     l->set != NULL ? l->set : "all", s->median_ape, l->median, s->p90_ape,
                     l->p90);
    }
}

#define HOLD(res, limits) hold(&(res), (limits), ARRAY_LEN(limits))

/* They are to hold 8 of 10 measured values: fewer is overconfident. */
static void ranges_are_honest(const struct validate_result *res)
{
    assert_true(res->validation.all.inside_range >= 0.7 &&
                res->validation.all.inside_range <= 1.0);
}

static void training_rates_are_as_near_as_we_say(void **state)
{
    static const struct limit limits[] = {
        {"dense", 0.065, 0.18}, {"dense-encoder", 0.11, 0.29}, {"moe", 0.13, 0.40},
        {"lora", 0.08, 0.39},   {"qlora", 0.04, 0.21},
    };
    struct validate_result res = held(*state, "training", "training.csv", false);

    HOLD(res, limits);
    assert_int_equal(res.validation.all.scored, res.validation.all.rows);
    assert_true(res.validation.all.inside_range > 0.75 &&
                res.validation.all.inside_range < 0.92);
}

/* The narrow ones as well as the wide ones. */
static void ranges_mean_80_percent(const struct range_score *r, double distance)
{
    const double shares[] = {r->inside, r->inside_narrow, r->inside_middle, r->inside_wide};

    for (size_t i = 0; i < ARRAY_LEN(shares); i++)
        if (!(shares[i] >= (i == 0 ? 0.75 : 0.72) && shares[i] <= (i == 0 ? 0.87 : 0.92)))
            fail_msg("share %zu is %.3f", i, shares[i]);
    assert_true(r->distance <= distance);
}

static void sources_that_were_left_out_are_predicted_too(void **state)
{
    static const struct limit limits[] = {{"dense", 0.09, 0.23},
                                          {"moe", 0.18, 0.45},
                                          {"lora", 0.15, 0.40},
                                          {"qlora", 0.08, 0.26}};
    struct validate_result res = held(*state, "training", "training.csv", true);

    HOLD(res, limits);
    assert_true(res.validation.left_out);
    ranges_mean_80_percent(&res.validation.ranges, 0.10);
}

/* Learning from three rows of a source makes its other rows no worse by more than a point. */
static void learning_makes_no_source_worse(void **state)
{
    struct validate_result res = learned(*state, "training", "training.csv", false, 3);

    assert_int_equal(res.validation.learning.sources.len, 11);
    assert_true(res.validation.learning.worst < 0.01);
    assert_true(res.validation.learning.after < 0.087);
    res = learned(*state, "memory", "memory.csv", false, 3);
    assert_true(res.validation.learning.worst < 0.015); /* a source of 11 rows */
}

static void our_own_measurements_are_predicted(void **state)
{
    static const struct limit training[] = {{NULL, 0.04, 0.09}};
    static const struct limit more[] = {{NULL, 0.06, 0.15}};
    static const struct limit vision[] = {{NULL, 0.10, 0.20}};
    static const struct limit more_vision[] = {{NULL, 0.13, 0.25}};
    static const struct limit memory[] = {{NULL, 0.02, 0.05}};
    static const struct limit transformers[] = {{NULL, 0.08, 0.20}};
    static const struct limit transformers_memory[] = {{NULL, 0.03, 0.08}};
    static const struct limit later[] = {{NULL, 0.08, 0.20}, {"lora", 0.09, 0.20}};
    static const struct limit diffusion[] = {{NULL, 0.13, 0.25}};
    static const struct limit layouts[] = {{NULL, 0.08, 0.25}};
    static const struct limit generate[] = {{"decode", 0.35, 0.50}};
    struct validate_result res = held(*state, "training", "h200_training.csv", false);

    HOLD(res, training);
    res = held(*state, "training", "h200_more_training.csv", false);
    HOLD(res, more);
    res = held(*state, "training", "h200_vision.csv", false);
    HOLD(res, vision);
    res = held(*state, "training", "h200_more_vision.csv", false);
    HOLD(res, more_vision);
    res = held(*state, "memory", "h200_training.csv", false);
    HOLD(res, memory);
    res = held(*state, "training", "h200_transformers.csv", false);
    HOLD(res, transformers);
    res = held(*state, "memory", "h200_transformers.csv", false);
    HOLD(res, transformers_memory);
    res = held(*state, "training", "h200_transformers_later.csv", false);
    HOLD(res, later);
    res = held(*state, "memory", "h200_transformers_later.csv", false);
    HOLD(res, transformers_memory);
    res = held(*state, "training", "h200_diffusion.csv", false);
    HOLD(res, diffusion);
    res = held(*state, "memory", "h200_diffusion.csv", false);
    HOLD(res, diffusion);
    res = held(*state, "training", "h200_layouts.csv", false);
    HOLD(res, layouts);
    res = held(*state, "inference", "h200_generate.csv", false);
    HOLD(res, generate);
}

static void memory_is_predicted_and_nothing_is_said_to_fit_that_does_not(void **state)
{
    static const struct limit limits[] = {{"training", 0.09, 0.348}, {"inference", 0.03, 0.11}};
    struct validate_result res = held(*state, "memory", "memory.csv", false);

    HOLD(res, limits);
    ranges_are_honest(&res);
    assert_true(res.validation.fits.out_of_memory > 0);
    assert_int_equal(res.validation.fits.wrongly_fits, 0);
    assert_true(res.validation.fits.wrongly_refused * 50 <= res.validation.fits.ran);
    /* With constants fitted on these rows; 0.11 where sources are left out. */
    ranges_mean_80_percent(&res.validation.ranges, 0.16);
}

/* Of settings around the limit, what is said to fit surely does, but for two, and what surely
 * does not does not. */
static void what_surely_fits_does(void **state)
{
    struct validate_result res = held(*state, "memory", "h200_limits.csv", false);
    const struct fit_check *f = &res.validation.fits;

    assert_int_equal(f->out_of_memory + f->ran, 103);
    assert_true(f->sure >= 25 && f->sure_failed <= 2);
    assert_true(f->sure_not >= 30 && f->sure_not_failed <= 2);
}

static void serving_is_predicted(void **state)
{
    static const struct limit limits[] = {{"prefill", 0.18, 0.555}, {"decode", 0.13, 0.365}};
    static const struct limit own[] = {{"prefill", 0.12, 0.28}, {"decode", 0.12, 0.28}};
    static const struct limit more[] = {{"prefill", 0.082, 0.164}, {"decode", 0.098, 0.235}};
    struct validate_result res = held(*state, "inference", "inference.csv", false);

    HOLD(res, limits);
    ranges_are_honest(&res);
    ranges_mean_80_percent(&res.validation.ranges, 0.10);
    res = held(*state, "inference", "h200_inference.csv", false);
    HOLD(res, own);
    res = held(*state, "inference", "h200_more_inference.csv", false);
    HOLD(res, more);
}

static void metered_power_is_predicted(void **state)
{
    static const struct limit nodes[] = {{NULL, 0.03, 0.06}};
    static const struct limit vision[] = {{NULL, 0.10, 0.32}};
    static const struct limit serving[] = {{NULL, 0.13, 0.33}};
    static const struct limit others[] = {{NULL, 0.18, 0.41}};
    struct validate_result res = held(*state, "energy", "energy_train.csv", false);

    HOLD(res, nodes);
    assert_true(res.validation.all.inside_range >= 0.7);
    res = held(*state, "energy", "h200_vision.csv", false);
    HOLD(res, vision);
    res = held(*state, "energy", "h200_inference.csv", false);
    HOLD(res, serving);
    res = held(*state, "energy", "energy_infer.csv", false);
    HOLD(res, others);
}

/* No constant was fitted on these rows. */
static void complete_runs_are_predicted(void **state)
{
    static const struct limit limits[] = {{NULL, 0.20, 0.85}, {"throughput", 0.12, 0.25}};
    struct validate_result res = held(*state, "gpu-hours", "gpu_hours.csv", false);

    HOLD(res, limits);
    assert_true(res.validation.all.scored >= 22);
    assert_true(res.validation.all.inside_range >= 0.70);
}

int group_accuracy(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(training_rates_are_as_near_as_we_say, world_make,
                                        world_end),
        cmocka_unit_test_setup_teardown(sources_that_were_left_out_are_predicted_too,
                                        world_make, world_end),
        cmocka_unit_test_setup_teardown(learning_makes_no_source_worse, world_make, world_end),
        cmocka_unit_test_setup_teardown(our_own_measurements_are_predicted, world_make,
                                        world_end),
        cmocka_unit_test_setup_teardown(
            memory_is_predicted_and_nothing_is_said_to_fit_that_does_not, world_make,
            world_end),
        cmocka_unit_test_setup_teardown(what_surely_fits_does, world_make, world_end),
        cmocka_unit_test_setup_teardown(serving_is_predicted, world_make, world_end),
        cmocka_unit_test_setup_teardown(metered_power_is_predicted, world_make, world_end),
        cmocka_unit_test_setup_teardown(complete_runs_are_predicted, world_make, world_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
