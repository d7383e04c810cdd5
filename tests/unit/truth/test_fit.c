/* The fit: it finds constants again that were changed, and changes no others. */
#include "estimate/known.h"

#include <stdio.h>
#include <string.h>

#include "truth/truth.h"

#define MOST 64

static const char *const models[] = {"llama-2-7b", "llama-2-13b", "llama-3-8b", "mistral-7b"};

static struct measured_value points[MOST];
static size_t count;

/* Large models on one H100, where matrix products are nearly all of the time, measured as if
 * `c` were the true constants. */
static void measure(const struct constants *c, const char *const *sources, size_t source_count)
{
    count = 0;
    for (size_t s = 0; s < source_count; s++)
        for (size_t m = 0; m < ARRAY_LEN(models); m++)
            for (int64_t batch = 1; batch <= 4; batch *= 2) {
                struct measured_value *p = &points[count++];

                assert_true(count <= MOST);
                *p = (struct measured_value){.source = str_from(sources[s]),
                                             .gpu = STR("H100"),
                                             .metric = METRIC_TRAINING,
                                             .first = true,
                                             .arch = known_arch(models[m])};
                p->setup = known_setup(&p->arch, "H100", 1);
                p->setup.micro_batch = batch;
                p->setup.sequence = 2048;
            }
    points_settle(points, count);
    for (size_t i = 0; i < count; i++)
        points[i].measured = point_predict(&points[i], c).value;
}

static struct constants fitted(const char *without, const char *kind)
{
    struct constants c = known_constants;
    struct arena own = test_arena();
    struct error err = {0};

    if (!constants_fit(&known_catalog, &(struct measured_values){points, count, count},
                       &(struct fit_options){.kind = kind,
                                             .leave_out = without != NULL,
                                             .without = str_from(without)},
                       &c, &own, &err))
        fail_msg("%s", err.text);
    arena_free(&own);
    return c;
}

static double prior_of(enum constant_id id)
{
    for (size_t i = 0; i < known_catalog.tables[TABLE_CONSTANTS].len; i++) {
        const struct constant *row = CATALOG_ROW(&known_catalog, TABLE_CONSTANTS, constant, i);

        if (str_eq(row->name, str_from(constant_names[id])))
            return row->prior;
    }
    fail();
    return NAN;
}

static struct constants priors(void)
{
    struct constants c = known_constants;

    for (size_t i = 0; i < known_catalog.tables[TABLE_CONSTANTS].len; i++) {
        const struct constant *row = CATALOG_ROW(&known_catalog, TABLE_CONSTANTS, constant, i);

        for (size_t id = 0; id < CONSTANT_COUNT; id++)
            if (str_eq(row->name, str_from(constant_names[id])) && row->prior > 0 &&
                row->spread > 0 && str_eq(row->fitted_on, STR("training")))
                c.at[id] = row->prior;
    }
    return c;
}

/* The median of predicted / measured. */
static double ratio(const struct constants *c)
{
    struct held held[MOST];
    struct arena own = test_arena();
    struct error err = {0};
    struct score s;

    for (size_t i = 0; i < count; i++)
        held[i] = (struct held){&points[i], point_predict(&points[i], c)};
    assert_true(
        score_points(held, count, &(struct score_filter){.by = SCORE_ALL}, &s, &own, &err));
    arena_free(&own);
    return s.median_ratio;
}

static void finds_a_constant_again_that_was_changed(void **state)
{
    static const char *const sources[] = {"a", "b", "c"};
    struct constants truth = priors(), c;

    (void)state;
    truth.at[C_gemm_hopper] *= 0.9;
    measure(&truth, sources, ARRAY_LEN(sources));
    assert_true(fabs(ratio(&truth) - 1) < 1e-12);
    c = fitted("", "training");
    /* The prior, which is sure of itself, holds it back a little; others take a share. */
    if (!(fabs(ratio(&c) - 1) < 0.04))
        fail_msg("ratio %g", ratio(&c));
    assert_true(c.at[C_gemm_hopper] < prior_of(C_gemm_hopper));
}

static void finds_it_exactly_when_nothing_else_is_free(void **state)
{
    static const char *const sources[] = {"a", "b", "c", "d", "e"};
    static char table[256 * CONSTANT_COUNT];
    struct catalog_layer mine = {.table = TABLE_CONSTANTS, .name = "my.csv"};
    struct constants truth = known_constants, c = known_constants;
    struct arena own = test_arena();
    struct catalog with = {0};
    struct error err = {0};

    (void)state;
    (void)strcpy(table, "name,value,unit,prior,spread,fitted_on,date,source,notes\n");
    for (size_t i = 0; i < CONSTANT_COUNT; i++) {
        bool it = i == C_gemm_hopper;

        (void)snprintf(table + strlen(table), sizeof table - strlen(table),
                       "%s,%.17g,,%.17g,0.5,%s,2026-11-16,mine,\n", constant_names[i],
                       known_constants.at[i], known_constants.at[i], it ? "training" : "none");
    }
    mine.text = str_from(table);
    if (!catalog_load(&with, TABLE_BIT(TABLE_CONSTANTS), &mine, 1, &own, &err))
        fail_msg("%s", err.text);
    truth.at[C_gemm_hopper] *= 0.9;
    measure(&truth, sources, ARRAY_LEN(sources));
    assert_true(constants_fit(&with, &(struct measured_values){points, count, count},
                              &(struct fit_options){.kind = "training"}, &c, &own, &err));
    if (!(fabs(c.at[C_gemm_hopper] / truth.at[C_gemm_hopper] - 1) < 0.02))
        fail_msg("%g, not %g", c.at[C_gemm_hopper], truth.at[C_gemm_hopper]);
    for (size_t i = 0; i < CONSTANT_COUNT; i++)
        assert_true(i == C_gemm_hopper || c.at[i] == known_constants.at[i]);
    arena_free(&own);
}

static void leaves_constants_of_other_kinds_alone(void **state)
{
    static const char *const sources[] = {"a"};
    struct constants truth = known_constants, c;
    size_t changed = 0;

    (void)state;
    truth.at[C_gemm_hopper] *= 0.9;
    measure(&truth, sources, ARRAY_LEN(sources));
    c = fitted("", "training");
    for (size_t i = 0; i < known_catalog.tables[TABLE_CONSTANTS].len; i++) {
        const struct constant *row = CATALOG_ROW(&known_catalog, TABLE_CONSTANTS, constant, i);
        size_t id = 0;

        while (!str_eq(row->name, str_from(constant_names[id])))
            id++;
        assert_true(c.at[id] > 0 && isfinite(c.at[id]));
        if (!str_eq(row->fitted_on, STR("training")))
            assert_true(c.at[id] == known_constants.at[id]);
        else
            changed += c.at[id] != known_constants.at[id];
    }
    assert_true(changed > 0);
    c = fitted("", "nothing of this kind");
    assert_memory_equal(&c, &known_constants, sizeof c);
}

/* A constant without any evidence keeps its prior. */
static void without_evidence_the_prior_is_kept(void **state)
{
    static const char *const sources[] = {"a"};
    struct constants truth = priors(), c;

    (void)state;
    measure(&truth, sources, ARRAY_LEN(sources));
    c = fitted("", "training");
    assert_true(fabs(c.at[C_gemm_volta] / prior_of(C_gemm_volta) - 1) < 1e-9);
    assert_true(fabs(c.at[C_gemm_tpu] / prior_of(C_gemm_tpu) - 1) < 1e-9);
    assert_true(fabs(c.at[C_gemm_hopper] / prior_of(C_gemm_hopper) - 1) < 0.01);
    count = 0;
    c = fitted("", "training");
    assert_true(fabs(c.at[C_gemm_hopper] / prior_of(C_gemm_hopper) - 1) < 1e-9);
}

/* Two sources that contradict each other: each fit follows the one that is not left out. */
static void left_out_source_has_no_effect(void **state)
{
    static const char *const sources[] = {"low", "high"};
    struct constants truth = priors(), low, high;

    (void)state;
    measure(&truth, sources, ARRAY_LEN(sources));
    for (size_t i = 0; i < count; i++)
        points[i].measured *= str_eq(points[i].source, STR("low")) ? 0.9 : 1.1;
    low = fitted("high", "training");
    high = fitted("low", "training");
    assert_true(low.at[C_gemm_hopper] < prior_of(C_gemm_hopper));
    assert_true(high.at[C_gemm_hopper] > prior_of(C_gemm_hopper));
    for (size_t i = 0; i < count; i++) /* as if it were not there */
        if (str_eq(points[i].source, STR("high")))
            points[i].reason = "not scored";
    high = fitted("", "training");
    assert_memory_equal(&low, &high, sizeof low);
}

/* One row that is wrong by a factor of ten does not change the fit much. */
static void outlier_does_not_dominate(void **state)
{
    static const char *const sources[] = {"a", "b", "c"};
    struct constants truth = priors(), c;

    (void)state;
    measure(&truth, sources, ARRAY_LEN(sources));
    points[0].measured *= 10;
    points[1].measured = 1e300;
    points[2].measured = NAN;
    points[3].measured = 0;
    c = fitted("", "training");
    assert_true(fabs(ratio(&c) - 1) < 0.02);
}

static void memory_that_runs_out_is_an_error(void **state)
{
    static const char *const sources[] = {"a"};
    size_t allow = 0;

    (void)state;
    measure(&known_constants, sources, ARRAY_LEN(sources));
    count = 1;
    for (;; allow++) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct arena own = {.alloc = &alloc};
        struct constants c = known_constants;
        struct error err = {0};
        bool ok = constants_fit(&known_catalog, &(struct measured_values){points, count, count},
                                &(struct fit_options){.kind = "training"}, &c, &own, &err);

        arena_free(&own);
        assert_int_equal(failing.held, 0);
        if (ok)
            break;
        assert_int_equal(err.kind, ERROR_MEMORY);
        assert_memory_equal(&c, &known_constants, sizeof c);
    }
    assert_true(allow >= 5);
}

int group_fit(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_a_constant_again_that_was_changed),
        cmocka_unit_test(finds_it_exactly_when_nothing_else_is_free),
        cmocka_unit_test(leaves_constants_of_other_kinds_alone),
        cmocka_unit_test(without_evidence_the_prior_is_kept),
        cmocka_unit_test(left_out_source_has_no_effect),
        cmocka_unit_test(outlier_does_not_dominate),
        cmocka_unit_test(memory_that_runs_out_is_an_error),
    };

    return cmocka_run_group_tests(tests, known_load, known_free);
}
