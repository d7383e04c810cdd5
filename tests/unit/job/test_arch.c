/* What models are made of: parameters counted, sizes turned into shapes, impossible shapes
 * refused. */
#include "catalog/loaded.h"

#include <math.h>
#include <string.h>

#include "job/arch.h"

static struct arch named(const char *name)
{
    struct error err = {0};
    struct arch a;

    if (!arch_named(&catalog, str_from(name), &a, &err))
        fail_msg("%s", err.text);
    return a;
}

static struct arch small(void)
{
    return (struct arch){.name = STR("small"),
                         .kind = ARCH_DECODER,
                         .layers = 2,
                         .hidden = 64,
                         .heads = 4,
                         .kv_heads = 2,
                         .head_dim = 16,
                         .ffn = 256,
                         .vocab = 1000,
                         .stated_params = NAN};
}

/* --- parameters --------------------------------------------------------------------------- */

static void every_model_has_its_published_parameters(void **state)
{
    size_t count = catalog.tables[TABLE_MODELS].len;

    (void)state;
    for (size_t i = 0; i < count; i++) {
        const struct model *m = CATALOG_ROW(&catalog, TABLE_MODELS, model, i);
        struct arch a = arch_of_model(m);
        double counted = arch_count(&a).total / 1e9;
        struct error err = {0};

        if (!arch_check(&a, &err))
            fail_msg("%s:%llu: %s", m->fact.file, (unsigned long long)m->fact.line, err.text);
        if (!(fabs(counted / m->params_b - 1) < 0.01))
            fail_msg("%s:%llu: %.*s has %g billion parameters, not %g", m->fact.file,
                     (unsigned long long)m->fact.line, STR_ARG(m->name), counted, m->params_b);
    }
    assert_true(count > 200);
}

static void parts_add_up_and_what_is_active_is_no_more(void **state)
{
    (void)state;
    for (size_t i = 0; i < catalog.tables[TABLE_MODELS].len; i++) {
        struct arch a = arch_of_model(CATALOG_ROW(&catalog, TABLE_MODELS, model, i));
        struct arch_params p = arch_count(&a);
        double sum = p.embedding + p.head + p.attention + p.ffn + p.experts + p.other;

        assert_true(fabs(sum / p.total - 1) < 1e-12);
        assert_true(p.active > 0 && p.active <= p.total);
        assert_true(p.matmul > 0 && (a.experts > 0) == (p.active < p.total));
    }
}

static void counts_are_exact_where_they_are_published(void **state)
{
    static const struct {
        const char *name;
        double params;
    } cases[] = {
        {"llama-2-7b", 6738415616.0},
        {"llama-3-8b", 8030261248.0},
        {"mixtral-8x7b", 46702792704.0},
        {"gpt2", 124439808.0},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct arch a = named(cases[i].name);

        if (arch_count(&a).total != cases[i].params)
            fail_msg("%s has %.0f", cases[i].name, arch_count(&a).total);
    }
}

static void experts_that_a_token_visits_are_what_is_active(void **state)
{
    struct arch a = named("mixtral-8x7b");
    struct arch_params p = arch_count(&a);

    (void)state;
    assert_true(fabs(p.active / 12.88e9 - 1) < 0.005);
    assert_true(p.experts == 32.0 * 8 * 3 * 4096 * 14336);
}

/* torch.nn.LSTM(64, 512, 2), and a linear layer to one output. */
static void an_lstm_has_four_gates(void **state)
{
    struct arch a = named("lstm-h512-l2");
    struct arch more = named("LSTM-h512-l2-i128");
    double first = 4 * 512 * (64 + 512 + 2.0), second = 4 * 512 * (512 + 512 + 2.0);

    (void)state;
    assert_int_equal(a.kind, ARCH_LSTM);
    assert_true(arch_count(&a).total == first + second + 513);
    assert_true(arch_count(&more).total == first + second + 513 + 4 * 512 * 64);
}

static void image_models_have_what_was_counted(void **state)
{
    (void)state;
    for (size_t i = 0; i < catalog.tables[TABLE_IMAGE_MODELS].len; i++) {
        const struct image_model *m = CATALOG_ROW(&catalog, TABLE_IMAGE_MODELS, image_model, i);
        struct arch a = arch_of_image_model(m);
        struct error err = {0};

        assert_int_equal(a.kind, ARCH_IMAGE);
        assert_true(arch_count(&a).total == m->params_m * 1e6);
        assert_true(a.group_width >= 1 && a.group_kernel >= 1);
        assert_true(a.depthwise_share >= 0 && a.depthwise_share <= 1);
        assert_true(arch_check(&a, &err));
    }
    assert_int_equal(named("resnet50").kind, ARCH_IMAGE);
}

static void a_picture_is_its_patches_and_one_more(void **state)
{
    struct arch a = named("vit_b_16");

    (void)state;
    assert_int_equal(a.kind, ARCH_VIT);
    assert_int_equal(arch_patches(&a), 197);
}

/* --- names -------------------------------------------------------------------------------- */

static void refuses_impossible_lstms(void **state)
{
    static const char *const names[] = {"lstm",
                                        "lstm-",
                                        "lstm-h0",
                                        "lstm-h-5",
                                        "lstm-l2",
                                        "lstm-h512-l0",
                                        "lstm-h512-x3",
                                        "lstm-h512-l",
                                        "lstm-h",
                                        "lstm-h512--",
                                        "lstm-h99999999999999999999",
                                        "lstm-h512-l2.5"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct error err = {0};
        struct arch a;

        if (arch_named(&catalog, str_from(names[i]), &a, &err))
            fail_msg("'%s' was taken", names[i]);
        assert_int_equal(err.kind, ERROR_ABSENT);
    }
}

static void an_unknown_name_gets_a_suggestion_or_a_way_out(void **state)
{
    struct error err = {0};
    struct arch a;

    (void)state;
    assert_false(arch_named(&catalog, STR("lama-2-7b"), &a, &err));
    assert_int_equal(err.kind, ERROR_ABSENT);
    assert_non_null(strstr(err.text, "'lama-2-7b'"));
    assert_non_null(strstr(err.hint, "'llama-2-7b'"));
    assert_false(arch_named(&catalog, STR("my own model"), &a, &err));
    assert_non_null(strstr(err.hint, "params: 7B"));
    assert_false(arch_named(&catalog, STR(""), &a, &err));
    assert_int_equal(err.kind, ERROR_ABSENT);
}

/* --- sizes -------------------------------------------------------------------------------- */

static void a_size_becomes_a_model_of_about_that_size(void **state)
{
    (void)state;
    for (double params = 125e6; params <= 1e12; params *= 1.07) {
        struct error err = {0};
        struct arch a;

        assert_true(arch_of_size(params, &a, &err));
        if (!(fabs(arch_count(&a).total / params - 1) < 0.1))
            fail_msg("%g became %g", params, arch_count(&a).total);
        if (!arch_check(&a, &err))
            fail_msg("%g: %s", params, err.text);
        assert_true(a.assumed);
        assert_true(a.stated_params == params);
        assert_int_equal(a.kind, ARCH_DECODER);
    }
}

static void refuses_sizes_that_no_model_has(void **state)
{
    static const double sizes[] = {0, -1, -7e9, 1e5, 1e14, 1e300, NAN, INFINITY, -INFINITY};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        struct error err = {0};
        struct arch a;

        if (arch_of_size(sizes[i], &a, &err))
            fail_msg("%g was taken", sizes[i]);
        assert_int_equal(err.kind, ERROR_INPUT);
    }
}

/* --- impossible shapes -------------------------------------------------------------------- */

static void refuses(const struct arch *a, const char *word)
{
    struct error err = {0};

    if (arch_check(a, &err))
        fail_msg("%s: not refused", word);
    assert_int_equal(err.kind, ERROR_INPUT);
    if (strstr(err.text, word) == NULL)
        fail_msg("'%s' does not mention %s", err.text, word);
}

static void refuses_numbers_that_are_none(void **state)
{
    static const struct {
        size_t offset;
        const char *word;
        int64_t most;
    } members[] = {
        {offsetof(struct arch, layers), "layers", 10000},
        {offsetof(struct arch, hidden), "hidden", 1 << 20},
        {offsetof(struct arch, heads), "heads", 65536},
        {offsetof(struct arch, head_dim), "heads", 65536},
        {offsetof(struct arch, kv_heads), "kv_heads", 4},
        {offsetof(struct arch, vocab), "vocab", 100000000},
        {offsetof(struct arch, ffn), "ffn", 64 << 20},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(members); i++) {
        struct arch a = small();
        int64_t *n = (int64_t *)(void *)((unsigned char *)&a + members[i].offset);

        *n = 0;
        refuses(&a, members[i].word);
        *n = -1;
        refuses(&a, members[i].word);
        *n = INT64_MIN;
        refuses(&a, members[i].word);
        *n = members[i].most + 1;
        refuses(&a, members[i].word);
        *n = INT64_MAX;
        refuses(&a, members[i].word);
    }
}

static void refuses_absurd_numbers_of_what_may_be_none(void **state)
{
    static const struct {
        size_t offset;
        const char *word;
        int64_t most;
    } members[] = {
        {offsetof(struct arch, decoder_layers), "decoder_layers", 10000},
        {offsetof(struct arch, shared_ffn), "shared_ffn", 100000000},
        {offsetof(struct arch, positions), "positions", 100000000},
        {offsetof(struct arch, window), "window", 1000000000},
        {offsetof(struct arch, full_every), "full_every", 10000},
        {offsetof(struct arch, q_rank), "q_rank", 100000000},
        {offsetof(struct arch, kv_rank), "kv_rank", 100000000},
        {offsetof(struct arch, rope_dim), "rope_dim", 100000000},
        {offsetof(struct arch, value_dim), "value_dim", 100000000},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(members); i++) {
        struct arch a = small();
        int64_t *n = (int64_t *)(void *)((unsigned char *)&a + members[i].offset);
        struct error err = {0};

        assert_true(arch_check(&a, &err));
        *n = members[i].most;
        assert_true(arch_check(&a, &err));
        assert_true(isfinite(arch_count(&a).total));
        *n = members[i].most + 1;
        refuses(&a, members[i].word);
        *n = -1;
        refuses(&a, members[i].word);
    }
}

/* Models that are published in few bits are so, whatever they are called; copies in 16 bits and
 * other formats say so in their names. */
static void published_formats_are_known(void **state)
{
    static const struct {
        const char *name;
        bool native, quantized;
        enum weights stored;
    } cases[] = {
        {"gpt-oss-20b", true, true, WEIGHTS_MXFP4},
        {"openai/gpt-oss-120b", true, true, WEIGHTS_MXFP4},
        {"unsloth/gpt-oss-20b-BF16", false, false, WEIGHTS_FP32},
        {"deepseek-ai/DeepSeek-V3", true, true, WEIGHTS_FP8},
        {"deepseek-r1", true, true, WEIGHTS_FP8},
        {"deepseek-r1-nvfp4", false, true, WEIGHTS_FP4},
        {"moonshotai/Kimi-K2-Instruct", true, true, WEIGHTS_FP8},
        {"kimi-k2-thinking", true, true, WEIGHTS_INT4},
        {"Qwen/Qwen3-32B-FP8", false, true, WEIGHTS_FP8},
        {"qwen3-32b", false, false, WEIGHTS_FP32},
    };
    static const char wrong[] =
        "name,kind,layers,hidden,heads,kv_heads,ffn,gated,vocab,tied,"
        "params_b,weights,date,source\n"
        "odd,decoder,2,100,5,5,400,no,1000,no,0.001,fp7,2026-11-15,me\n";
    struct catalog_layer mine = {
        .table = TABLE_MODELS, .name = "my.csv", .text = str_from(wrong)};
    struct arena own = test_arena();
    struct catalog with = {0};
    struct error err = {0};
    struct arch a;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        assert_true(arch_named(&catalog, str_from(cases[i].name), &a, &err));
        if (a.native != cases[i].native || a.quantized != cases[i].quantized ||
            (a.quantized && a.stored != cases[i].stored))
            fail_msg("%s: %d %d %s", cases[i].name, a.native, a.quantized,
                     weights_names[a.stored]);
    }
    assert_true(catalog_load(&with, TABLE_BIT(TABLE_MODELS), &mine, 1, &own, &err));
    assert_false(arch_named(&with, STR("odd"), &a, &err));
    assert_string_equal(err.text, "models: 'fp7' of odd is not a format of weights");
    arena_free(&own);
}

static void heads_must_divide_the_width(void **state)
{
    static const char table[] = "name,kind,layers,hidden,heads,kv_heads,ffn,gated,vocab,tied,"
                                "params_b,date,source\n"
                                "odd,decoder,2,100,7,7,400,no,1000,no,0.001,2026-11-15,mine\n"
                                "even,decoder,2,100,5,5,400,no,1000,no,0.001,2026-11-15,mine\n";
    struct catalog_layer mine = {
        .table = TABLE_MODELS, .name = "my.csv", .text = str_from(table)};
    struct arena own = test_arena();
    struct catalog with = {0};
    struct error err = {0};
    struct arch a;

    (void)state;
    if (!catalog_load(&with, TABLE_BIT(TABLE_MODELS), &mine, 1, &own, &err))
        fail_msg("%s", err.text);
    assert_true(arch_named(&with, STR("odd"), &a, &err));
    refuses(&a, "heads do not divide hidden");
    assert_true(arch_named(&with, STR("even"), &a, &err));
    assert_true(arch_check(&a, &err));
    assert_int_equal(a.head_dim, 20);
    a.kv_heads = 3;
    refuses(&a, "kv_heads");
    arena_free(&own);
}

static void experts_must_be_complete(void **state)
{
    struct arch a = small();
    struct error err = {0};

    (void)state;
    a.experts = 8;
    refuses(&a, "experts");
    a.active_experts = 2;
    refuses(&a, "expert_ffn");
    a.expert_ffn = 128;
    assert_true(arch_check(&a, &err));
    a.active_experts = 9;
    refuses(&a, "active_experts");
    a.active_experts = 2;
    a.dense_layers = 3; /* of 2 */
    refuses(&a, "experts");
}

static void a_patch_must_fit_the_picture(void **state)
{
    struct arch a = small();
    struct error err = {0};

    (void)state;
    a.kind = ARCH_VIT;
    refuses(&a, "patch");
    a.patch = 16;
    a.resolution = 8;
    refuses(&a, "patch");
    a.resolution = 224;
    assert_true(arch_check(&a, &err));
    a.resolution = 1 << 20;
    refuses(&a, "resolution");
}

static void refuses_absurd_lstms(void **state)
{
    struct arch a = arch_of_lstm(512, 2, 64), absurd = arch_of_lstm(INT64_MAX, 2, 64);
    struct error err = {0};

    (void)state;
    assert_true(arch_check(&a, &err));
    refuses(&absurd, "hidden");
    a.input = 0;
    refuses(&a, "input");
    a = arch_of_lstm(512, 0, 64);
    refuses(&a, "layers");
}

int group_arch(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_model_has_its_published_parameters),
        cmocka_unit_test(parts_add_up_and_what_is_active_is_no_more),
        cmocka_unit_test(counts_are_exact_where_they_are_published),
        cmocka_unit_test(experts_that_a_token_visits_are_what_is_active),
        cmocka_unit_test(an_lstm_has_four_gates),
        cmocka_unit_test(image_models_have_what_was_counted),
        cmocka_unit_test(a_picture_is_its_patches_and_one_more),
        cmocka_unit_test(refuses_impossible_lstms),
        cmocka_unit_test(an_unknown_name_gets_a_suggestion_or_a_way_out),
        cmocka_unit_test(a_size_becomes_a_model_of_about_that_size),
        cmocka_unit_test(refuses_sizes_that_no_model_has),
        cmocka_unit_test(refuses_numbers_that_are_none),
        cmocka_unit_test(refuses_absurd_numbers_of_what_may_be_none),
        cmocka_unit_test(published_formats_are_known),
        cmocka_unit_test(heads_must_divide_the_width),
        cmocka_unit_test(experts_must_be_complete),
        cmocka_unit_test(a_patch_must_fit_the_picture),
        cmocka_unit_test(refuses_absurd_lstms),
    };

    return cmocka_run_group_tests(tests, load_models, free_catalog);
}
