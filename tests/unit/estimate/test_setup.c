/* One setting: what it holds, and what is impossible. */
#include "known.h"

#include <string.h>

static void refuses(const struct setup *s, const char *word)
{
    struct error err = {0};

    if (setup_check(s, &err))
        fail_msg("not refused: %s", word);
    assert_int_equal(err.kind, ERROR_INPUT);
    if (strstr(err.text, word) == NULL)
        fail_msg("'%s' does not say '%s'", err.text, word);
}

static void accepts(const struct setup *s)
{
    struct error err = {0};

    if (!setup_check(s, &err))
        fail_msg("%s", err.text);
}

/* --- what is impossible ------------------------------------------------------------------- */

static void degrees_must_multiply_to_the_gpus(void **state)
{
    struct arch a = known_arch("llama-2-7b");
    struct setup s = known_setup(&a, "H100", 16);

    (void)state;
    accepts(&s);
    s.tensor = 2;
    refuses(&s, "tensor 2 x pipeline 1 x context 1 x data 16 is not 16 GPUs");
    s.data = 8;
    s.shard = 8;
    accepts(&s);
    s.tensor = 16;
    refuses(&s, "is not 16 GPUs");
    s.tensor = 17;
    refuses(&s, "is not 16 GPUs");
    s.tensor = s.pipeline = s.context = s.data = INT64_MAX;
    refuses(&s, "is not 16 GPUs");
}

static void no_degree_is_zero_or_less(void **state)
{
    static const size_t members[] = {
        offsetof(struct setup, data),    offsetof(struct setup, tensor),
        offsetof(struct setup, context), offsetof(struct setup, virtual_pipeline),
        offsetof(struct setup, expert),  offsetof(struct setup, pipeline),
        offsetof(struct setup, shard)};
    struct arch a = known_arch("llama-2-7b");

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(members); i++) {
        struct setup s = known_setup(&a, "H100", 8);
        int64_t *n = (int64_t *)(void *)((unsigned char *)&s + members[i]);

        *n = 0;
        refuses(&s, "degrees of parallelism must be 1 or more");
        *n = INT64_MIN;
        refuses(&s, "degrees of parallelism must be 1 or more");
    }
}

static void sizes_are_bounded(void **state)
{
    static const struct {
        size_t member;
        const char *word;
        int64_t most;
    } cases[] = {
        {offsetof(struct setup, gpus), "GPUs", 1 << 20},
        {offsetof(struct setup, per_node), "node", 1 << 20},
        {offsetof(struct setup, micro_batch), "micro-batch", 1 << 24},
        {offsetof(struct setup, sequence), "sequence", 1 << 26},
        {offsetof(struct setup, accumulation), "accumulation", 1 << 24},
    };
    struct arch a = known_arch("llama-2-7b");

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct setup s = known_setup(&a, "H100", 1);
        int64_t *n = (int64_t *)(void *)((unsigned char *)&s + cases[i].member);

        *n = 0;
        refuses(&s, cases[i].word);
        *n = -5;
        refuses(&s, cases[i].word);
        *n = cases[i].most + 1;
        refuses(&s, cases[i].word);
        *n = INT64_MAX;
        refuses(&s, cases[i].word);
        if (cases[i].member == offsetof(struct setup, gpus))
            continue; /* which the degrees must match */
        *n = cases[i].most;
        accepts(&s);
    }
}

static void numbers_are_numbers(void **state)
{
    struct arch a = known_arch("llama-2-7b");
    struct setup s = known_setup(&a, "H100", 8);

    (void)state;
    s.head_share = NAN;
    refuses(&s, "shares");
    s.head_share = 1;
    s.padding = 1; /* nothing is left */
    refuses(&s, "shares");
    s.padding = 0;
    s.network_gb_s = 0;
    refuses(&s, "network");
    s.network_gb_s = INFINITY;
    refuses(&s, "network");
    s.network_gb_s = 25;
    accepts(&s);
    s.zero = 4;
    refuses(&s, "zero must be 0 to 3");
    s.zero = 3;
    accepts(&s);
    s.resolution = 1 << 17;
    refuses(&s, "resolution");
}

static void the_model_limits_how_it_is_split(void **state)
{
    struct arch dense = known_arch("llama-2-7b"), sparse = known_arch("mixtral-8x7b");
    struct setup s = known_setup(&dense, "H100", 64);

    (void)state;
    s.expert = 8;
    refuses(&s, "expert");
    s.arch = &sparse;
    accepts(&s);
    s.expert = 16; /* of 8 experts */
    refuses(&s, "expert");
    s.expert = 1;
    s.arch = &dense;
    s.pipeline = 64;
    s.data = s.shard = 1;
    refuses(&s, "more pipeline stages than layers");
    s.pipeline = 32;
    s.data = s.shard = 2;
    accepts(&s);
    s.virtual_pipeline = 33;
    refuses(&s, "layers");
    s.virtual_pipeline = 1;
    s.shard = 3;
    refuses(&s, "ZeRO cannot shard over 3: data x context is 2");
}

static void hints(const struct setup *s, const char *what, const char *hint)
{
    struct error err = {0};

    assert_false(setup_check(s, &err));
    assert_string_equal(err.text, what);
    assert_string_equal(err.hint, hint);
}

static void tensor_parallel_divides_the_heads(void **state)
{
    struct arch a = known_arch("llama-3-8b"); /* 32 heads, 8 of keys */
    struct setup s = known_setup(&a, "H100", 96);

    (void)state;
    s.tensor = 3;
    s.data = s.shard = 32;
    hints(&s, "tensor parallel 3 does not divide the 32 heads",
          "set tensor: 2, or another number that divides 32");
    s.tensor = 96;
    s.data = s.shard = 1;
    hints(&s, "tensor parallel 96 does not divide the 32 heads",
          "set tensor: 32, or another number that divides 32");
    s.tensor = 32; /* keys are copied */
    s.data = s.shard = 3;
    accepts(&s);
    s.tensor = 2;
    s.data = 48;
    for (s.shard = 1; s.shard <= 96; s.shard++)
        if (48 % s.shard == 0)
            accepts(&s);
        else
            refuses(&s, "ZeRO cannot shard");
    s.shard = 9;
    hints(&s, "ZeRO cannot shard over 9: data x context is 48",
          "set shard: 8, or another number that divides 48");
}

static void stages_may_differ_in_layers(void **state)
{
    struct arch a = known_arch("llama-3.1-405b"); /* 126 layers; embedding and head make 128 */
    struct setup s = known_setup(&a, "H100", 128);

    (void)state;
    s.tensor = 8;
    s.pipeline = 16;
    s.data = s.shard = 1;
    accepts(&s);
}

static void adapters_have_a_rank(void **state)
{
    static const double bad[] = {0, -1, 1e6, NAN, INFINITY};
    struct arch a = known_arch("llama-2-7b");
    struct setup s = known_setup(&a, "H100", 1);

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        s.method = METHOD_LORA;
        s.rank = bad[i];
        refuses(&s, "rank");
        s.method = METHOD_FULL; /* which has none */
        accepts(&s);
    }
}

/* --- what is trained and held ------------------------------------------------------------- */

/* Each adapted matrix of in x out has rank x (in + out). */
static void lora_trains_what_a_hand_count_says(void **state)
{
    struct arch a = known_arch("llama-2-7b");
    struct setup s = known_setup(&a, "H100", 1);

    (void)state;
    assert_true(setup_trained(&s) == 6738415616.0);
    s.method = METHOD_LORA;
    assert_true(setup_trained(&s) == 32.0 * 16 * (4 * 8192 + 3 * (4096 + 11008)));
    assert_true(setup_trained(&s) == 39976960);
    s.method = METHOD_QLORA;
    assert_true(setup_trained(&s) == 39976960);
    s.rank = 8;
    s.targets = TARGET_Q | TARGET_V;
    assert_true(setup_trained(&s) == 4194304);
}

/* PEFT's print_trainable_parameters() of each alone; a plain feed-forward has no gate. */
static void parts_of_a_feed_forward_are_adapted_alone(void **state)
{
    struct arch llama = known_arch("llama-2-7b"), gpt2 = known_arch("gpt2");
    struct setup s = known_setup(&llama, "H100", 1);
    double one = 32.0 * 16 * (4096 + 11008);

    (void)state;
    s.method = METHOD_LORA;
    s.targets = TARGET_DOWN;
    assert_true(setup_trained(&s) == one);
    s.targets = TARGET_UP;
    assert_true(setup_trained(&s) == one);
    s.targets = TARGET_GATE | TARGET_UP;
    assert_true(setup_trained(&s) == 2 * one);
    s.targets = TARGET_DOWN;
    s.dora = true;
    assert_true(setup_trained(&s) == one + 32.0 * 4096);
    s.dora = false;
    s.arch = &gpt2;
    assert_true(setup_trained(&s) == 12.0 * 16 * (768 + 3072));
    s.targets = TARGET_GATE;
    assert_true(setup_trained(&s) == 0);
    s.targets = TARGET_FFN;
    assert_true(setup_trained(&s) == 12.0 * 16 * 2 * (768 + 3072));
}

/* DoRA: one number for each output of an adapted matrix. */
static void dora_trains_the_lengths_of_columns(void **state)
{
    struct arch a = known_arch("llama-2-7b");
    struct setup s = known_setup(&a, "H100", 1);
    double lora;

    (void)state;
    s.method = METHOD_LORA;
    s.rank = 16;
    s.targets = TARGET_Q | TARGET_FFN;
    lora = setup_trained(&s);
    s.dora = true;
    assert_true(setup_trained(&s) - lora == 32.0 * (4096 + 2 * 11008 + 4096));
    assert_true(setup_local_trained(&s) == setup_trained(&s));
}

static void frozen_layers_are_not_trained(void **state)
{
    struct arch a = known_arch("llama-2-7b");
    struct arch_params p = arch_count(&a);
    struct setup s = known_setup(&a, "H100", 1);

    (void)state;
    s.method = METHOD_FULL;
    s.trained_layers = 8;
    assert_true(fabs(setup_trained(&s) / (p.total - p.embedding - p.head) - 0.25) < 1e-3);
    assert_true(fabs(setup_local_trained(&s) - setup_trained(&s)) < 1);
    assert_true(setup_trained_share(&s) == 0.25);
    s.pipeline = 4; /* the last stage has all of its layers trained */
    assert_true(setup_trained_share(&s) == 1);
}

/* GaLore's paper: 65.5 % less for the states of a 7B model in bf16, at a rank of 1024. */
static void galore_keeps_states_of_low_rank(void **state)
{
    struct arch a = known_arch("llama-2-7b");
    struct setup s = known_setup(&a, "H100", 1);
    struct low_rank all = setup_low_rank(&s), low;
    double left;

    (void)state;
    assert_true(all.states == 1 && all.projections == 0);
    s.galore_rank = 1024;
    low = setup_low_rank(&s);
    left = (4 * low.states + 2 * low.projections) / 4; /* two states, a projection, in bf16 */
    assert_true(fabs(left - 0.345) < 0.01);
    s.galore_rank = 4096; /* as wide as the matrices: nothing is saved */
    low = setup_low_rank(&s);
    assert_true(fabs(low.states - 1) < 1e-9 && low.projections == 0);
}

static void grouped_keys_have_smaller_adapters(void **state)
{
    struct arch a = known_arch("llama-3-8b");
    struct setup s = known_setup(&a, "H100", 1);

    (void)state;
    s.method = METHOD_LORA;
    s.targets = TARGET_K;
    assert_true(setup_trained(&s) == 32.0 * 16 * (4096 + 1024));
}

/* Every expert has its own adapters. */
static void lora_adapts_every_expert(void **state)
{
    struct arch a = known_arch("mixtral-8x7b");
    struct setup s = known_setup(&a, "H100", 8);
    double attention = 32.0 * 16 * (8192 + 2 * 5120 + 8192);
    double experts = 32.0 * 16 * 8 * 3 * (4096 + 14336);

    (void)state;
    s.method = METHOD_LORA;
    assert_true(setup_trained(&s) == attention + experts);
    assert_true(setup_trained(&s) == 240123904);
    s.tensor = 2;
    s.data = s.shard = 4;
    assert_true(setup_local_trained(&s) == 240123904 / 2.0);
    s.expert = 4;
    assert_true(setup_local_trained(&s) == attention / 2 + experts / 4);
    s.targets = TARGET_Q | TARGET_V;
    assert_true(setup_trained(&s) == 32.0 * 16 * (8192 + 5120));
}

/* One dense layer of 27; 64 experts and a shared one in the others; latent attention. */
static void latent_attention_has_adapters_of_its_own_shape(void **state)
{
    struct arch lite = known_arch("deepseek-v2-lite"), v3 = known_arch("deepseek-v3");
    struct setup s = known_setup(&lite, "H100", 1);

    (void)state;
    s.method = METHOD_LORA;
    s.targets = TARGET_Q;
    assert_true(setup_trained(&s) == 27.0 * 16 * (2048 + 16 * (128 + 64)));
    s.targets = TARGET_K;
    assert_true(setup_trained(&s) == 27.0 * 16 * (2048 + 512 + 64));
    s.targets = TARGET_V;
    assert_true(setup_trained(&s) == 27.0 * 16 * (512 + 16 * (128 + 128)));
    s.targets = TARGET_O;
    assert_true(setup_trained(&s) == 27.0 * 16 * (16 * 128 + 2048));
    s.targets = TARGET_FFN;
    assert_true(setup_trained(&s) ==
                16.0 * 3 * ((2048 + 10944) + 26 * (2048 + 2816) + 26.0 * 64 * (2048 + 1408)));
    s.targets = TARGET_ALL;
    assert_true(setup_trained(&s) > 0.015 * arch_count(&lite).total);
    assert_true(setup_trained(&s) < 0.02 * arch_count(&lite).total);
    s.arch = &v3; /* whose queries pass a narrow middle too */
    s.targets = TARGET_Q;
    assert_true(setup_trained(&s) == 61.0 * 16 * (1536 + 128 * (128 + 64)));
}

static void gpus_share_what_they_hold(void **state)
{
    struct arch a = known_arch("llama-2-7b");
    struct setup s = known_setup(&a, "H100", 8);
    double all = setup_local_params(&s);

    (void)state;
    assert_true(all == 6738415616.0);
    s.data = s.shard = 1;
    s.tensor = 8;
    assert_true(fabs(setup_local_params(&s) / (all / 8) - 1) < 1e-12);
    s.tensor = 1;
    s.pipeline = 8; /* the first stage has the embedding, the last the head */
    assert_true(setup_local_params(&s) > all / 8);
    assert_true(setup_local_params(&s) < all / 8 + 32000.0 * 4096);
    s.method = METHOD_LORA;
    assert_true(setup_local_trained(&s) == 39976960 / 8.0);
}

static void experts_are_spread_over_their_group(void **state)
{
    struct arch a = known_arch("mixtral-8x7b");
    struct setup s = known_setup(&a, "H100", 8);
    struct arch_params p = arch_count(&a);

    (void)state;
    s.expert = 8;
    assert_true(setup_expert_split(&s) == 8);
    assert_true(fabs(setup_local_params(&s) / (p.total - p.experts * 7 / 8) - 1) < 1e-12);
    s.expert = 1; /* then tensor parallel cuts each */
    s.tensor = 8;
    s.data = s.shard = 1;
    assert_true(setup_expert_split(&s) == 8);
    assert_true(fabs(setup_local_params(&s) / (p.total / 8) - 1) < 1e-12);
    s.expert = 4;
    s.pipeline = 2;
    assert_true(setup_expert_split(&s) == 8);
}

static void a_step_has_its_sequences_and_tokens(void **state)
{
    struct arch a = known_arch("llama-2-7b");
    struct setup s = known_setup(&a, "H100", 8);

    (void)state;
    s.micro_batch = 4;
    s.accumulation = 3;
    assert_true(setup_global_batch(&s) == 96);
    assert_true(setup_tokens_per_step(&s) == 96 * 2048);
}

static double bytes_of_a_parameter(enum precision p, enum optimizer o, enum stack stack)
{
    return precision_weight_bytes(p) + precision_gradient_bytes(p, stack) +
           precision_master_bytes(p) + optimizer_state_bytes(o, p);
}

static void parameter_takes_the_known_bytes(void **state)
{
    static const struct {
        enum precision precision;
        enum optimizer optimizer;
        enum stack stack;
        double bytes;
    } cases[] = {
        {PRECISION_FP32, OPTIMIZER_ADAMW, STACK_EAGER, 16},
        {PRECISION_TF32, OPTIMIZER_ADAMW, STACK_EAGER, 16},
        {PRECISION_AMP_BF16, OPTIMIZER_ADAMW, STACK_FSDP, 16},
        {PRECISION_BF16, OPTIMIZER_ADAMW, STACK_DEEPSPEED, 16},
        {PRECISION_FP16, OPTIMIZER_ADAMW, STACK_DEEPSPEED, 16},
        {PRECISION_BF16, OPTIMIZER_ADAMW, STACK_MEGATRON, 18}, /* sums gradients in fp32 */
        {PRECISION_FP8, OPTIMIZER_ADAMW, STACK_MEGATRON, 18},
        {PRECISION_BF16_PURE, OPTIMIZER_ADAMW, STACK_FSDP, 8},
        {PRECISION_BF16, OPTIMIZER_SGD, STACK_FSDP, 12},
        {PRECISION_FP32, OPTIMIZER_LION, STACK_EAGER, 12},
        {PRECISION_BF16, OPTIMIZER_ADAMW_BF16, STACK_FSDP, 12},
        {PRECISION_FP16, OPTIMIZER_ADAMW_1BIT, STACK_DEEPSPEED, 20}, /* its error, in fp32 */
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        double got =
            bytes_of_a_parameter(cases[i].precision, cases[i].optimizer, cases[i].stack);

        if (got != cases[i].bytes)
            fail_msg("case %zu: %g bytes, not %g", i, got, cases[i].bytes);
    }
}

static void smaller_states_are_smaller(void **state)
{
    (void)state;
    for (int p = 0; p < PRECISION_COUNT; p++) {
        enum precision precision = (enum precision)p;
        double full = optimizer_state_bytes(OPTIMIZER_ADAMW, precision);

        for (int o = 0; o < OPTIMIZER_COUNT; o++)
            assert_true(optimizer_state_bytes((enum optimizer)o, precision) > 0);
        assert_true(optimizer_state_bytes(OPTIMIZER_ADAMW_8BIT, precision) < full);
        assert_true(optimizer_state_bytes(OPTIMIZER_SGD, precision) == full / 2);
        assert_true(optimizer_state_bytes(OPTIMIZER_ADAFACTOR, precision) < 0.1);
    }
}

static void a_setting_has_nothing_that_a_search_chooses(void **state)
{
    struct arch a = known_arch("llama-3-8b");
    struct setup s = known_setup(&a, "H100", 8);
    char text[SETUP_SETTING];

    (void)state;
    s.method = METHOD_LORA;
    setup_setting(&s, text);
    assert_string_equal(text, "lora bf16, sequence 2048");
    s.gpus = s.data = 64;
    s.micro_batch = 4;
    s.accumulation = 8;
    s.tensor = 2;
    s.zero = 3;
    s.recompute = RECOMPUTE_FULL;
    setup_setting(&s, text);
    assert_string_equal(text, "lora bf16, sequence 2048");
}

int group_setup(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(degrees_must_multiply_to_the_gpus),
        cmocka_unit_test(no_degree_is_zero_or_less),
        cmocka_unit_test(sizes_are_bounded),
        cmocka_unit_test(numbers_are_numbers),
        cmocka_unit_test(the_model_limits_how_it_is_split),
        cmocka_unit_test(tensor_parallel_divides_the_heads),
        cmocka_unit_test(stages_may_differ_in_layers),
        cmocka_unit_test(adapters_have_a_rank),
        cmocka_unit_test(lora_trains_what_a_hand_count_says),
        cmocka_unit_test(parts_of_a_feed_forward_are_adapted_alone),
        cmocka_unit_test(dora_trains_the_lengths_of_columns),
        cmocka_unit_test(frozen_layers_are_not_trained),
        cmocka_unit_test(galore_keeps_states_of_low_rank),
        cmocka_unit_test(grouped_keys_have_smaller_adapters),
        cmocka_unit_test(lora_adapts_every_expert),
        cmocka_unit_test(latent_attention_has_adapters_of_its_own_shape),
        cmocka_unit_test(gpus_share_what_they_hold),
        cmocka_unit_test(experts_are_spread_over_their_group),
        cmocka_unit_test(a_step_has_its_sequences_and_tokens),
        cmocka_unit_test(parameter_takes_the_known_bytes),
        cmocka_unit_test(smaller_states_are_smaller),
        cmocka_unit_test(a_setting_has_nothing_that_a_search_chooses),
    };

    return cmocka_run_group_tests(tests, known_load, known_free);
}
