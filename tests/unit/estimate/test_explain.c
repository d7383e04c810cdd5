/* Formulas: their values equal the estimate, for every kind of setting. */
#include "estimate/explain.h"

#include "known.h"

/* A calculator: + - x / ^ ( ) and numbers. */
static double sum(const char **at);

static void blanks(const char **at)
{
    while (**at == ' ')
        (*at)++;
}

static double atom(const char **at)
{
    double n;

    blanks(at);
    if (**at == '(') {
        (*at)++;
        n = sum(at);
        blanks(at);
        assert_int_equal(**at, ')');
        (*at)++;
    } else {
        char *end;

        n = strtod(*at, &end);
        assert_ptr_not_equal(end, *at);
        *at = end;
    }
    blanks(at);
    if (**at == '^') {
        (*at)++;
        n = pow(n, atom(at));
    }
    return n;
}

static double product(const char **at)
{
    double n = atom(at);

    for (;;) {
        blanks(at);
        if (**at == 'x') {
            (*at)++;
            n *= atom(at);
        } else if (**at == '/') {
            (*at)++;
            n /= atom(at);
        } else {
            return n;
        }
    }
}

static double sum(const char **at)
{
    double n = product(at);

    for (;;) {
        blanks(at);
        if (**at != '+' && **at != '-')
            return n;
        n += *(*at)++ == '+' ? product(at) : -product(at);
    }
}

static double scale_of(struct str unit)
{
    if (str_eq(unit, STR("GB")) || str_eq(unit, STR("GB/s")) || str_eq(unit, STR("GFLOP")))
        return 1e9;
    return str_eq(unit, STR("TFLOP/s")) || str_eq(unit, STR("TFLOP")) ? 1e12 : 1;
}

/* Every formula is valid, and evaluates to its value. */
static void check(const struct rows *rows)
{
    const struct estimate_formula *f = rows->at;

    assert_true(rows->len > 5 && rows->len < 60);
    for (size_t i = 0; i < rows->len; i++) {
        const char *at = f[i].numbers.at;
        double value = f[i].value * scale_of(f[i].unit), got = sum(&at);

        assert_int_equal(*at, '\0');
        if (!(fabs(got - value) <= 2e-3 * fabs(value)))
            fail_msg("%.*s: %.*s is %g, not %g", STR_ARG(f[i].name), STR_ARG(f[i].numbers), got,
                     value);
        assert_true(str_starts(f[i].formula, f[i].name));
        for (size_t k = 0; k < i; k++)
            assert_false(str_eq(f[k].name, f[i].name));
    }
}

static const struct estimate_formula *named(const struct rows *rows, const char *name)
{
    const struct estimate_formula *f = rows->at;

    for (size_t i = 0; i < rows->len; i++)
        if (str_eq(f[i].name, str_from(name)))
            return &f[i];
    fail_msg("there is no formula '%s'", name);
    return NULL;
}

static struct setup plain_setup(const struct arch *arch, const char *gpu, int64_t gpus)
{
    struct setup s = known_setup(arch, gpu, gpus);

    s.sequence = 1024;
    s.micro_batch = 2;
    s.accumulation = 4;
    return s;
}

static struct rows explain(const struct setup *s)
{
    struct memory m = estimate_memory(s, &known_constants);
    struct step t = estimate_step(s, &known_constants);
    struct error err = {0};
    struct rows rows;

    assert_true(setup_check(s, &err));
    assert_true(explain_training(s, &m, &t, &known_constants, &known_arena, &rows, &err));
    check(&rows);
    /* The explained totals equal the estimate. */
    assert_near(named(&rows, "memory")->value, m.device / 1e9, 1e-6);
    assert_near(named(&rows, "step")->value, t.total, 1e-9);
    return rows;
}

static void weights_and_states_are_parameters_times_bytes(void **state)
{
    struct arch arch;
    struct setup s;
    struct rows rows;

    (void)state;
    arch = known_arch("llama-2-7b");
    s = plain_setup(&arch, "A100-SXM-80GB", 8);
    s.zero = 1;
    rows = explain(&s);
    /* 32 layers of 4 x 4096^2 and 3 x 4096 x 11008, two times 32000 x 4096, 65 norms */
    assert_near(named(&rows, "parameters")->value, 6738415616.0, 1);
    assert_near(named(&rows, "weights")->value, 6738415616.0 * 2 / 1e9, 1e-3);
    assert_near(named(&rows, "FLOP per token")->value,
                (6 * 6607077376.0 + 12 * 32 * 4096 * 1024 * 0.5) / 1e9, 1e-3);
    assert_near(named(&rows, "model FLOP")->value,
                named(&rows, "FLOP per token")->value * 1024 * 2 * 4 / 1e3, 1e-3);
    assert_str_equal(named(&rows, "embedding parameters")->formula,
                     "embedding parameters = vocabulary x hidden");
    assert_str_equal(named(&rows, "embedding parameters")->numbers, "32000 x 4096");
}

static void every_method_stage_and_recompute_is_explained(void **state)
{
    static const char *const models[] = {"llama-2-7b",   "gpt2",        "bert-base", "t5-base",
                                         "mixtral-8x7b", "deepseek-v3", "vit-base"};
    struct error err = {0};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(models); i++) {
        struct arch arch;

        arch = known_arch(models[i]);
        for (int method = 0; method < METHOD_COUNT; method++)
            for (int zero = 0; zero <= 3; zero++)
                for (int recompute = 0; recompute < RECOMPUTE_COUNT; recompute++) {
                    struct setup s = plain_setup(&arch, "H100-SXM-80GB", 16);

                    s.method = (enum method)method;
                    s.zero = zero;
                    s.recompute = (enum recompute)recompute;
                    if (arch.kind == ARCH_VIT)
                        s.sequence = arch_patches(&arch);
                    assert_true(setup_check(&s, &err));
                    (void)explain(&s);
                }
    }
}

static void every_kind_of_parallelism_is_explained(void **state)
{
    struct arch arch;
    struct setup s;
    struct rows rows;

    (void)state;
    arch = known_arch("mixtral-8x7b");
    s = plain_setup(&arch, "H100-SXM-80GB", 64);
    s.stack = STACK_MEGATRON;
    s.data = s.shard = 2;
    s.tensor = 4;
    s.pipeline = 4;
    s.virtual_pipeline = 2;
    s.context = 2;
    s.expert = 2;
    s.accumulation = 16;
    s.sequence_parallel = true;
    rows = explain(&s);
    assert_true(named(&rows, "pipeline")->value > 0);
    s.offload = OFFLOAD_OPTIMIZER;
    s.precision = PRECISION_FP8;
    (void)explain(&s);
    s.offload = OFFLOAD_ALL;
    s.stack = STACK_DEEPSPEED;
    s.attention = ATTENTION_PLAIN;
    s.precision = PRECISION_AMP_BF16;
    (void)explain(&s);
}

static void pictures_and_series_are_explained(void **state)
{
    static const char *const models[] = {"resnet50", "lstm-h512-l2"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(models); i++) {
        struct arch arch;
        struct setup s;

        arch = known_arch(models[i]);
        s = plain_setup(&arch, "T4", 2);
        s.sequence = 1;
        s.micro_batch = 32;
        s.recompute = RECOMPUTE_FULL;
        (void)explain(&s);
    }
}

static void serving_is_explained(void **state)
{
    static const char *const models[] = {"llama-2-7b", "mixtral-8x7b", "bert-base", "resnet50"};
    struct error err = {0};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(models) * 2; i++) {
        struct arch arch;
        struct serving s;
        struct rows rows;

        arch = known_arch(models[i / 2]);
        s = (struct serving){.arch = &arch,
                             .gpu = plain_setup(&arch, "A100-SXM-80GB", 1).gpu,
                             .gpus = i / 2 == 1 ? 2 : 1,
                             .tensor = i / 2 == 1 ? 2 : 1,
                             .pipeline = 1,
                             .weights = WEIGHTS_FP16,
                             .kv = WEIGHTS_FP16,
                             .engine = i % 2 == 0 ? ENGINE_VLLM : ENGINE_HF,
                             .batch = 4,
                             .input = 512,
                             .output = i / 2 < 2 ? 128 : 0,
                             .rolling = i % 2 == 0 && i / 2 < 2};
        assert_true(serving_check(&s, &err));
        assert_true(explain_serving(&s, &known_constants, &known_arena, &rows, &err));
        check(&rows);
    }
}

static void totals_are_added_to_what_is_there(void **state)
{
    struct estimate_line lines[] = {{STR("compute"), usd_from(40), 20},
                                    {STR("setup"), usd_from(2), 1}};
    struct estimate_formula had = {STR("MFU"), STR("MFU = x"), STR("0.5"), 0.5, STR("")};
    struct error err = {0};
    struct estimate res = {
        .formulas = {&had, 1},
        .steps = 1000,
        .step_s = {3.6, 3, 4},
        .hours = {1, 0.9, 1.1},
        .goodput = 1,
        .watts = 5000,
        .nodes = 2,
        .pue = 1.2,
        .energy_kwh = {12, 11, 13},
        .carbon_g_kwh = 400,
        .carbon_kg = {4.8, 4, 5},
        .machines = 2,
        .price = {20000000000},
        .cost = {lines, 2},
        .total = usd_from(42),
    };

    (void)state;
    assert_true(explain_totals(&known_arena, &res, &err));
    check(&res.formulas);
    assert_str_equal(named(&res.formulas, "compute")->numbers, "2 x 20 x 1");
    assert_str_equal(named(&res.formulas, "cost")->numbers, "40 + 2");
    assert_near(named(&res.formulas, "MFU")->value, 0.5, 0);

    res.formulas = (struct rows){&had, 1};
    res.goodput = 0.8;
    res.hours = (struct guess){1.25, 1, 1.5};
    assert_true(explain_totals(&known_arena, &res, &err));
    assert_str_equal(named(&res.formulas, "hours")->numbers, "1000 x 3.6 / 3600 / 0.8");
    assert_str_equal(named(&res.formulas, "compute")->numbers, "2 x 20 x 1");
}

static void unknown_values_are_left_out(void **state)
{
    struct error err = {0};
    struct estimate res = {.steps = NAN,
                           .hours = {NAN, NAN, NAN},
                           .energy_kwh = {NAN, NAN, NAN},
                           .carbon_kg = {NAN, NAN, NAN},
                           .price = USD_PER_HOUR_UNKNOWN};

    (void)state;
    assert_true(explain_totals(&known_arena, &res, &err));
    assert_int_equal(res.formulas.len, 0);
}

static void memory_may_run_out_anywhere(void **state)
{
    struct arch arch;
    struct setup s;
    struct memory m;
    struct step t;
    bool done = false;

    (void)state;
    arch = known_arch("llama-2-7b");
    s = plain_setup(&arch, "A100-SXM-80GB", 8);
    m = estimate_memory(&s, &known_constants);
    t = estimate_step(&s, &known_constants);
    for (size_t allow = 0; !done; allow++) {
        struct failing_alloc fails = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &fails};
        struct arena arena = {.alloc = &alloc};
        struct error err = {0};
        struct rows rows;

        done = explain_training(&s, &m, &t, &known_constants, &arena, &rows, &err);
        assert_true(done || err.kind == ERROR_MEMORY);
        arena_free(&arena);
        assert_int_equal(fails.held, 0);
    }
}

int group_explain(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_and_states_are_parameters_times_bytes),
        cmocka_unit_test(every_method_stage_and_recompute_is_explained),
        cmocka_unit_test(every_kind_of_parallelism_is_explained),
        cmocka_unit_test(pictures_and_series_are_explained),
        cmocka_unit_test(serving_is_explained),
        cmocka_unit_test(totals_are_added_to_what_is_there),
        cmocka_unit_test(unknown_values_are_left_out),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };

    return cmocka_run_group_tests(tests, known_load, known_free);
}
