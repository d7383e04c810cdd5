/* The time of a step: its parts add up, no value is NaN, and it changes in the right
 * direction. */
#include "known.h"

#include "estimate/kernels/kernels.h"
#include "estimate/memory/memory.h"
#include "estimate/step/step.h"

#define SETTINGS 4000

static double time_of(const struct setup *s)
{
    struct error err = {0};

    if (!setup_check(s, &err))
        fail_msg("%s", err.text);
    return estimate_step(s, &known_constants).total;
}

/* --- any setting -------------------------------------------------------------------------- */

static uint64_t seed;

static uint64_t draw(uint64_t below)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed % below;
}

/* 1, the most, or a power of two between them. */
static int64_t draw_size(int64_t most)
{
    int64_t n = 1;

    switch (draw(8)) {
    case 0:
        return 1;
    case 1:
        return most;
    default:
        for (uint64_t up = draw(27); up > 0 && n * 2 <= most; up--)
            n *= 2;
        return n;
    }
}

static struct arch draw_arch(void)
{
    size_t models = known_catalog.tables[TABLE_MODELS].len,
           images = known_catalog.tables[TABLE_IMAGE_MODELS].len;
    struct error err = {0};
    struct arch a;
    size_t i = draw(models + images + 20);

    if (i < models)
        return arch_of_model(CATALOG_ROW(&known_catalog, TABLE_MODELS, model, i));
    if (i < models + images)
        return arch_of_image_model(
            CATALOG_ROW(&known_catalog, TABLE_IMAGE_MODELS, image_model, i - models));
    if (i % 2 == 0) {
        int64_t hidden = draw_size(1 << 20), layers = draw_size(10000);

        return arch_of_lstm(hidden, layers, draw_size(1 << 20));
    }
    assert_true(arch_of_size(1e6 * pow(5e6, (double)draw(1001) / 1000), &a, &err));
    return a;
}

/* An unusual architecture, within the limits of arch_check(). */
static struct arch draw_odd_arch(void)
{
    struct arch a = {.name = STR("odd"), .stated_params = NAN};

    a.kind = (enum arch_kind)draw(ARCH_VIT + 1);
    a.layers = draw_size(10000);
    a.hidden = draw_size(1 << 20);
    a.heads = draw_size(65536);
    a.head_dim = draw_size(65536);
    a.ffn = draw_size(64 << 20);
    a.vocab = draw_size(100000000);
    a.positions = draw_size(100000000) - 1;
    a.window = draw_size(1000000000) - 1;
    a.full_every = draw_size(10000) - 1;
    a.decoder_layers = draw_size(10000) - 1;
    a.gated = draw(2) == 0;
    a.tied = draw(2) == 0;
    a.kv_heads = draw(2) == 0 ? 1 : a.heads;
    if (draw(2) == 0) {
        a.experts = draw_size(65536);
        a.active_experts = draw_size(a.experts);
        a.expert_ffn = draw_size(64 << 20);
        a.shared_ffn = draw_size(100000000) - 1;
        a.dense_layers = draw_size(a.layers) - 1;
    }
    if (draw(3) == 0) {
        a.kv_rank = draw_size(100000000);
        a.q_rank = draw_size(100000000) - 1;
        a.rope_dim = draw_size(100000000) - 1;
        a.value_dim = draw_size(100000000) - 1;
    }
    a.patch = draw_size(64);
    a.resolution = a.patch * draw_size(1024);
    return a;
}

static const struct accelerator *draw_gpu(void)
{
    size_t count = known_catalog.tables[TABLE_ACCELERATORS].len;
    const struct accelerator *gpu;

    do
        gpu = CATALOG_ROW(&known_catalog, TABLE_ACCELERATORS, accelerator, draw(count));
    while (!(peak_flops(gpu, PRECISION_BF16) > 0));
    return gpu;
}

static void draw_degrees(struct setup *s)
{
    s->tensor = draw_size(1 << (draw(3) * 8));
    s->pipeline = draw_size(1 << (draw(3) * 4));
    s->context = draw_size(1 << (draw(3) * 4));
    s->data = draw_size((1 << 20) / (s->tensor * s->pipeline * s->context) | 1);
    s->gpus = s->tensor * s->pipeline * s->context * s->data;
    s->per_node = draw_size(1 << (draw(2) * 8));
    s->shard = draw(2) == 0 ? s->data * s->context : draw_size(s->data * s->context);
    s->virtual_pipeline = draw_size(8);
    s->expert = s->arch->experts > 0 ? draw_size(s->arch->experts) : 1;
    s->network_gb_s = draw(3) > 0 ? NAN : pow(10, (double)draw(16) - 7);
    s->zero = (int)draw(4);
}

static struct setup draw_setup(const struct arch *a)
{
    struct setup s = {.arch = a, .gpu = draw_gpu()};

    s.method = (enum method)draw(METHOD_COUNT);
    s.targets = (unsigned)draw(TARGET_ALL + 1);
    s.rank = (double)draw_size(65536);
    s.base = (enum weights)draw(WEIGHTS_COUNT);
    s.precision = (enum precision)draw(PRECISION_COUNT);
    s.optimizer = (enum optimizer)draw(OPTIMIZER_COUNT);
    s.recompute = (enum recompute)draw(RECOMPUTE_COUNT);
    s.stack = (enum stack)draw(STACK_COUNT);
    s.offload = (enum offload)draw(OFFLOAD_COUNT);
    s.attention = (enum attention)draw(ATTENTION_COUNT);
    s.compiled = draw(2) == 0;
    s.fused_loss = draw(2) == 0;
    s.fused_optimizer = draw(2) == 0;
    s.sequence_parallel = draw(2) == 0;
    s.head_share = (double)draw(3) / 2;
    s.padding = (double)draw(4) / 4;
    s.sequence = draw_size(1 << 26);
    s.micro_batch = draw_size(1 << 24);
    s.accumulation = draw_size(1 << 24);
    s.resolution = draw_size(1 << 16) - 1;
    draw_degrees(&s);
    return s;
}

static double parts_of(const struct step *t, double *least)
{
    const double parts[] = {t->products,  t->attention,  t->elementwise, t->loss,
                            t->recompute, t->dequantise, t->optimizer,   t->offload,
                            t->tensor,    t->context,    t->expert,      t->pipeline,
                            t->data,      t->host};
    double sum = 0;

    *least = INFINITY;
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        sum += parts[i];
        *least = fmin(*least, isnan(parts[i]) ? -1 : parts[i]);
    }
    return sum;
}

static void check_step(const struct setup *s, uint64_t from)
{
    struct step t = estimate_step(s, &known_constants);
    double least, sum = parts_of(&t, &least);
    const char *wrong = NULL;

    if (!(t.total > 0 && isfinite(t.total)))
        wrong = "total";
    else if (!(least >= 0 && isfinite(sum)))
        wrong = "a part";
    else if (!(fabs(sum / t.total - 1) < 1e-9))
        wrong = "the sum";
    else if (!(t.busy >= 0 && t.busy <= 1))
        wrong = "busy";
    else if (!(t.model_flop > 0 && isfinite(t.model_flop)))
        wrong = "model_flop";
    else if (!(t.tokens > 0 && step_rate(&t, s) > 0 && isfinite(step_rate(&t, s))))
        wrong = "the rate";
    if (wrong != NULL)
        fail_msg("%s is wrong for '%.*s' on %.*s, drawn from %llx: total %g, sum %g, least %g",
                 wrong, STR_ARG(s->arch->name), STR_ARG(s->gpu->name), (unsigned long long)from,
                 t.total, sum, least);
}

static void check_memory(const struct setup *s, uint64_t from)
{
    struct memory m = estimate_memory(s, &known_constants);

    if (!(m.device > 0 && isfinite(m.device) && m.host >= 0 && isfinite(m.host) &&
          m.allocated > 0 && m.activations >= 0 && m.weights >= 0 && m.gradients >= 0))
        fail_msg("the memory of '%.*s', drawn from %llx, is %g", STR_ARG(s->arch->name),
                 (unsigned long long)from, m.device);
}

static void check_many(struct arch (*any)(void), uint64_t start)
{
    size_t checked = 0;

    seed = start;
    for (size_t tries = 0; checked < SETTINGS && tries < 50 * SETTINGS; tries++) {
        uint64_t from = seed;
        struct error err = {0};
        struct arch a = any();
        struct setup s;

        s = draw_setup(&a);
        if (!arch_check(&a, &err) || !setup_check(&s, &err))
            continue;
        check_step(&s, from);
        check_memory(&s, from);
        checked++;
    }
    assert_int_equal(checked, SETTINGS);
}

static void any_known_model_in_any_setting_has_a_time(void **state)
{
    (void)state;
    check_many(draw_arch, 0x9e3779b97f4a7c15u);
}

static void any_shape_in_any_setting_has_a_time(void **state)
{
    (void)state;
    check_many(draw_odd_arch, 0xd1b54a32d192ed03u);
}

static void every_model_has_a_time_on_every_gpu(void **state)
{
    (void)state;
    for (size_t i = 0; i < known_catalog.tables[TABLE_MODELS].len; i++) {
        struct arch a = arch_of_model(CATALOG_ROW(&known_catalog, TABLE_MODELS, model, i));
        struct setup s = known_setup(&a, "H100", 8);

        for (size_t g = 0; g < known_catalog.tables[TABLE_ACCELERATORS].len; g++) {
            s.gpu = CATALOG_ROW(&known_catalog, TABLE_ACCELERATORS, accelerator, g);
            if (peak_flops(s.gpu, PRECISION_BF16) > 0)
                check_step(&s, 0);
        }
    }
}

/* --- what makes it faster and slower ------------------------------------------------------ */

static void adapters_train_faster_than_everything(void **state)
{
    struct arch a = known_arch("llama-2-7b");
    struct setup s = known_setup(&a, "H100", 8);
    double full = time_of(&s), lora;

    (void)state;
    s.method = METHOD_LORA;
    lora = time_of(&s);
    assert_true(lora < full);
    s.method = METHOD_QLORA; /* unpacks its weights */
    assert_true(time_of(&s) > lora);
}

static void frozen_layers_take_less_time_and_dora_more(void **state)
{
    struct arch a = known_arch("llama-3-8b");
    struct setup s = known_setup(&a, "H100", 1);
    double all, some;

    (void)state;
    s.method = METHOD_FULL;
    all = estimate_step(&s, &known_constants).total;
    s.trained_layers = 8;
    some = estimate_step(&s, &known_constants).total;
    assert_true(some < 0.7 * all && some > 0.3 * all);
    s.trained_layers = 0;
    s.method = METHOD_LORA;
    s.micro_batch = 4;
    all = estimate_step(&s, &known_constants).total;
    s.dora = true;
    some = estimate_step(&s, &known_constants).total;
    assert_true(some > 1.5 * all && some < 2.5 * all); /* on an H200: 1.8 to 2.0 */
}

static void adapters_of_experts_take_time(void **state)
{
    struct arch a = known_arch("mixtral-8x7b");
    struct setup s = known_setup(&a, "H200", 8);
    struct step some, one, all;

    (void)state;
    s.method = METHOD_LORA;
    s.zero = 3;
    s.micro_batch = 4;
    s.targets = TARGET_ALL & ~(unsigned)TARGET_FFN;
    some = estimate_step(&s, &known_constants);
    s.targets |= TARGET_DOWN;
    one = estimate_step(&s, &known_constants);
    s.targets = TARGET_ALL;
    all = estimate_step(&s, &known_constants);
    assert_true(one.products > some.products && one.products < all.products);
    assert_true(one.elementwise > some.elementwise && one.elementwise < all.elementwise);
    assert_true(all.products > some.products && all.elementwise > some.elementwise);
    assert_true(all.optimizer > some.optimizer);
}

static void recomputing_layers_takes_longer(void **state)
{
    struct arch a = known_arch("llama-2-7b");
    struct setup s = known_setup(&a, "A100", 8);
    double none, full;

    (void)state;
    s.micro_batch = 4;
    none = time_of(&s);
    s.recompute = RECOMPUTE_FULL;
    full = time_of(&s);
    /* A forward pass more: a third of the layers' work. */
    assert_true(full > none * 1.2 && full < none * 1.4);
}

static void fp8_is_faster_where_the_card_has_it(void **state)
{
    struct arch a = known_arch("llama-2-70b");
    struct setup s = known_setup(&a, "H100", 64);
    double bf16;

    (void)state;
    s.zero = 3;
    s.micro_batch = 2;
    s.sequence = 4096;
    bf16 = time_of(&s);
    s.precision = PRECISION_FP8;
    assert_true(time_of(&s) < bf16);
}

static void longer_sequences_take_longer(void **state)
{
    struct arch a = known_arch("llama-2-7b");
    struct setup s = known_setup(&a, "H100", 8);
    double before = 0, per_token = 0;

    (void)state;
    for (s.sequence = 256; s.sequence <= 1 << 20; s.sequence *= 2) {
        double now = time_of(&s);

        assert_true(now > before);
        /* And, when long, for each token: attention grows with the square. */
        if (s.sequence > 8192)
            assert_true(now / (double)s.sequence > per_token);
        before = now;
        per_token = now / (double)s.sequence;
    }
}

static void larger_batches_and_models_take_longer(void **state)
{
    struct arch small = known_arch("llama-2-7b"), large = known_arch("llama-2-13b");
    struct setup s = known_setup(&small, "H100", 8);
    double one = time_of(&s), two;

    (void)state;
    s.micro_batch = 2;
    two = time_of(&s);
    assert_true(two > one && two < 2.1 * one);
    s.arch = &large;
    assert_true(time_of(&s) > two);
    s.arch = &small;
    s.micro_batch = 1;
    s.accumulation = 4;
    assert_true(time_of(&s) > 2 * one && time_of(&s) < 4 * one); /* the optimizer runs once */
}

static void a_faster_card_is_faster(void **state)
{
    static const char *const cards[] = {"V100-SXM2-32GB", "A100-SXM-80GB", "H100-SXM-80GB",
                                        "B200"};
    struct arch a = known_arch("llama-2-7b");
    double before = INFINITY;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cards); i++) {
        struct setup s = known_setup(&a, cards[i], 8);

        assert_true(time_of(&s) < before);
        before = time_of(&s);
    }
}

static void no_step_is_faster_than_the_arithmetic_allows(void **state)
{
    (void)state;
    for (size_t i = 0; i < known_catalog.tables[TABLE_MODELS].len; i++) {
        struct arch a = arch_of_model(CATALOG_ROW(&known_catalog, TABLE_MODELS, model, i));
        struct setup s = known_setup(&a, "H100", 8);
        struct step t;

        s.micro_batch = 8;
        t = estimate_step(&s, &known_constants);
        if (!(t.model_flop / t.total < peak_flops(s.gpu, PRECISION_BF16)))
            fail_msg("%.*s: MFU %g", STR_ARG(a.name),
                     t.model_flop / t.total / peak_flops(s.gpu, PRECISION_BF16));
    }
}

/* The well-known figure: about half of the peak. */
static void a_large_model_makes_use_of_about_half_the_peak(void **state)
{
    struct arch a = known_arch("llama-2-70b");
    struct setup s = known_setup(&a, "A100", 64);
    double use;
    struct step t;

    (void)state;
    s.zero = 3;
    s.sequence = 4096;
    s.micro_batch = 2;
    t = estimate_step(&s, &known_constants);
    use = t.model_flop / t.total / peak_flops(s.gpu, PRECISION_BF16);
    assert_true(use > 0.35 && use < 0.65);
}

/* More experts than data parallel ranks are spread over those of tensor parallel, too. */
static void experts_of_one_machine_need_no_network(void **state)
{
    struct arch a = known_arch("mixtral-8x7b");
    struct setup fast = known_setup(&a, "H100", 8), slow;

    (void)state;
    fast.stack = STACK_MEGATRON;
    fast.data = 4;
    fast.tensor = 2;
    fast.expert = 8;
    fast.network_gb_s = 50;
    slow = fast;
    slow.network_gb_s = 0.4;
    assert_true(estimate_step(&fast, &known_constants).expert > 0);
    assert_true(estimate_step(&fast, &known_constants).total ==
                estimate_step(&slow, &known_constants).total);
}

static void only_what_is_parallel_is_exchanged(void **state)
{
    struct arch a = known_arch("mixtral-8x7b");
    struct setup s = known_setup(&a, "H100", 8);
    struct step t = estimate_step(&s, &known_constants);

    (void)state;
    assert_true(t.data > 0);
    assert_true(t.tensor == 0 && t.pipeline == 0 && t.context == 0 && t.expert == 0);
    s.expert = 8;
    assert_true(estimate_step(&s, &known_constants).expert > 0);
    s.expert = 1;
    s.tensor = 8;
    s.data = s.shard = 1;
    t = estimate_step(&s, &known_constants);
    assert_true(t.tensor > 0 && t.data == 0);
    s.tensor = 1;
    s.pipeline = 8;
    t = estimate_step(&s, &known_constants);
    assert_true(t.pipeline > 0 && t.tensor == 0);
    s.pipeline = 1;
    s.context = 8;
    assert_true(estimate_step(&s, &known_constants).context > 0);
    s = known_setup(&a, "H100", 1);
    t = estimate_step(&s, &known_constants);
    assert_true(t.data == 0 && t.offload == 0);
}

/* (p - 1) / m of the time is waited for, and interleaving divides it. */
/* An all-reduce is a reduce-scatter and a gather: in the same precision plain processes and
 * ZeRO 1 differ in the optimizer alone. Autocast casts every matrix and sums gradients in
 * fp32. */
static void sharding_states_moves_no_more_than_plain_processes(void **state)
{
    struct arch gpt2 = known_arch("gpt2");
    struct setup s = known_setup_on(&gpt2, known_gpu("V100-SXM2-32GB"), 8);
    struct step plain, sharded, autocast;

    (void)state;
    s.stack = STACK_HF;
    s.precision = PRECISION_FP16;
    s.micro_batch = 2;
    s.data = 8;
    s.zero = 0;
    s.shard = 1;
    plain = estimate_step(&s, &known_constants);
    s.zero = 1;
    s.shard = 8;
    sharded = estimate_step(&s, &known_constants);
    assert_true(fabs(sharded.data - plain.data) < 1e-9 && sharded.optimizer < plain.optimizer);
    assert_true(fabs(plain.total - plain.optimizer - sharded.total + sharded.optimizer) < 1e-9);
    s.zero = 0;
    s.shard = 1;
    s.precision = PRECISION_AMP_FP16;
    autocast = estimate_step(&s, &known_constants);
    assert_true(autocast.elementwise > plain.elementwise && autocast.data > plain.data);
    assert_true(autocast.total > plain.total);
}

static void the_bubble_shrinks_with_more_micro_batches(void **state)
{
    struct arch a = known_arch("llama-2-13b");
    struct setup s = known_setup(&a, "H100", 8);
    struct step few, many, interleaved;

    (void)state;
    s.pipeline = 8;
    s.data = s.shard = 1;
    s.accumulation = 8;
    few = estimate_step(&s, &known_constants);
    s.accumulation = 64;
    many = estimate_step(&s, &known_constants);
    s.virtual_pipeline = 5;
    interleaved = estimate_step(&s, &known_constants);
    assert_true(few.pipeline / few.total > 0.3);
    assert_true(many.pipeline / many.total < 0.2);
    assert_true(interleaved.pipeline < many.pipeline);
}

/* Measured on one H200: 72 ms, against some 40 of a BERT of the same shape. */
static void scores_of_positions_take_time(void **state)
{
    struct arch deberta = known_arch("deberta-v3-base"), plain = deberta;
    struct setup s = known_setup(&deberta, "H200", 1);
    double time;

    (void)state;
    s.stack = STACK_HF;
    s.precision = PRECISION_AMP_BF16;
    s.attention = ATTENTION_PLAIN;
    s.sequence = 256;
    s.micro_batch = 16;
    s.head_share = 0;
    time = time_of(&s);
    assert_true(time > 0.060 && time < 0.083);
    plain.disentangled = false;
    s.arch = &plain;
    assert_true(time > 1.4 * time_of(&s));
}

/* Measured on one H200 with LoRA: 328 ms, 2.3 times what a fused kernel would take. */
static void a_single_key_head_costs_the_matrix_of_scores(void **state)
{
    struct arch falcon = known_arch("falcon-7b"), repeated = falcon;
    struct setup s = known_setup(&falcon, "H200", 1), fused;

    (void)state;
    s.stack = STACK_HF;
    s.method = METHOD_LORA;
    s.sequence = 1024;
    s.micro_batch = 2;
    assert_true(setup_has_fp32_scores(&s));
    repeated.key_not_repeated = false;
    fused = s;
    fused.arch = &repeated;
    assert_false(setup_has_fp32_scores(&fused));
    assert_true(time_of(&s) > 1.5 * time_of(&fused));
    s.stack = STACK_MEGATRON; /* has kernels of its own */
    assert_false(setup_has_fp32_scores(&s));
    s.stack = STACK_HF;
    falcon = known_arch("falcon-40b"); /* repeats its keys */
    assert_false(setup_has_fp32_scores(&s));
}

/* A mixer with the weights of attention takes the time of its products without their scores;
 * beside attention it adds to it; twice the weights take longer and keep more. */
static void layers_that_keep_a_state_take_their_time(void **state)
{
    struct arch plain = known_arch("llama-2-7b"), instead = plain, beside;
    struct setup s = known_setup(&plain, "H100", 8);
    double time, memory, short_of, kept;

    (void)state;
    s.sequence = 512;
    short_of = time_of(&s);
    s.sequence = 4096;
    time = time_of(&s);
    memory = layer_memory_of(&s, false).saved;
    instead.mixer_layers = instead.layers;
    instead.mixer_params = arch_attention_params(&plain);
    instead.mixer_state = 1;
    beside = instead;
    beside.mixers_beside = true;
    s.arch = &instead;
    assert_true(time_of(&s) < time);
    kept = layer_memory_of(&s, false).saved;
    s.sequence = 512;
    assert_true(fabs(time_of(&s) / short_of - 1) < 0.05);
    s.sequence = 4096;
    s.arch = &beside;
    assert_true(time_of(&s) > 1.1 * time);
    assert_true(layer_memory_of(&s, false).saved > memory);
    time = time_of(&s);
    beside.mixer_params *= 2;
    assert_true(time_of(&s) > 1.05 * time);
    instead.mixer_params *= 2;
    s.arch = &instead;
    assert_true(layer_memory_of(&s, false).saved > kept);
}

static void odd_heads_are_filled_up_for_fused_kernels(void **state)
{
    struct arch odd = known_arch("open-llama-3b");
    struct setup s = known_setup(&odd, "H200", 1);
    double time;

    (void)state;
    s.micro_batch = 4;
    time = estimate_step(&s, &known_constants).elementwise;
    odd.head_dim = 104; /* more work, but in kernels that take it as it is */
    assert_true(time > 1.02 * estimate_step(&s, &known_constants).elementwise);
}

/* 61 layers in 16 stages take as long as 64: all wait for the stages that have four. */
static void the_fullest_stage_sets_the_pace(void **state)
{
    struct arch a = known_arch("llama-2-7b");
    struct setup s = known_setup(&a, "H100", 16);
    double uneven;

    (void)state;
    s.pipeline = 16;
    s.data = s.shard = 1;
    s.accumulation = 64;
    a.layers = 61;
    uneven = estimate_step(&s, &known_constants).products;
    a.layers = 64;
    assert_true(fabs(uneven / estimate_step(&s, &known_constants).products - 1) < 1e-9);
}

/* Ranks of an expert group hold different experts: each sends its own gradients. */
static void gradients_of_experts_go_through_one_adapter(void **state)
{
    struct arch a = known_arch("deepseek-v3");
    struct setup s = known_setup(&a, "B200", 256);
    double apart, alone, interleaved;

    (void)state;
    s.stack = STACK_MEGATRON;
    s.pipeline = 8;
    s.data = s.shard = 32;
    s.zero = 1;
    s.accumulation = 64;
    s.expert = 8;
    apart = estimate_step(&s, &known_constants).data;
    s.expert = 32; /* no two GPUs hold the same experts */
    assert_true(estimate_step(&s, &known_constants).data < apart);
    alone = estimate_step(&s, &known_constants).expert;
    s.virtual_pipeline = 2; /* another micro-batch hides the exchange of tokens */
    interleaved = estimate_step(&s, &known_constants).expert;
    assert_true(interleaved < alone);
}

static void pictures_are_counted_in_samples_and_text_in_tokens(void **state)
{
    struct arch text = known_arch("llama-2-7b"), picture = known_arch("resnet50");
    struct setup s = known_setup(&text, "H100", 8);
    struct step t = estimate_step(&s, &known_constants);

    (void)state;
    assert_true(fabs(step_rate(&t, &s) * t.total * 8 / (8 * 2048) - 1) < 1e-12);
    s.arch = &picture;
    s.sequence = 1;
    s.micro_batch = 32;
    t = estimate_step(&s, &known_constants);
    assert_true(step_samples(&s) == 8 * 32);
    assert_true(fabs(step_rate(&t, &s) * t.total / 32 - 1) < 1e-12);
}

int group_step(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_known_model_in_any_setting_has_a_time),
        cmocka_unit_test(any_shape_in_any_setting_has_a_time),
        cmocka_unit_test(every_model_has_a_time_on_every_gpu),
        cmocka_unit_test(adapters_train_faster_than_everything),
        cmocka_unit_test(frozen_layers_take_less_time_and_dora_more),
        cmocka_unit_test(adapters_of_experts_take_time),
        cmocka_unit_test(experts_of_one_machine_need_no_network),
        cmocka_unit_test(recomputing_layers_takes_longer),
        cmocka_unit_test(fp8_is_faster_where_the_card_has_it),
        cmocka_unit_test(longer_sequences_take_longer),
        cmocka_unit_test(larger_batches_and_models_take_longer),
        cmocka_unit_test(a_faster_card_is_faster),
        cmocka_unit_test(no_step_is_faster_than_the_arithmetic_allows),
        cmocka_unit_test(a_large_model_makes_use_of_about_half_the_peak),
        cmocka_unit_test(only_what_is_parallel_is_exchanged),
        cmocka_unit_test(sharding_states_moves_no_more_than_plain_processes),
        cmocka_unit_test(the_bubble_shrinks_with_more_micro_batches),
        cmocka_unit_test(scores_of_positions_take_time),
        cmocka_unit_test(a_single_key_head_costs_the_matrix_of_scores),
        cmocka_unit_test(layers_that_keep_a_state_take_their_time),
        cmocka_unit_test(odd_heads_are_filled_up_for_fused_kernels),
        cmocka_unit_test(the_fullest_stage_sets_the_pace),
        cmocka_unit_test(gradients_of_experts_go_through_one_adapter),
        cmocka_unit_test(pictures_are_counted_in_samples_and_text_in_tokens),
    };

    return cmocka_run_group_tests(tests, known_load, known_free);
}
