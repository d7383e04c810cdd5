/* What a GPU must hold, part by part. */
#include "memory_cases.h"

#include "estimate/range.h"
#include "estimate/step/step.h"

/* The paper's 175B run: 64 A100s, tensor 8, pipeline 8 in 3 chunks, selective recompute. */
static void the_run_of_the_paper_fits_its_cards(void **state)
{
    struct constants c = numbers();
    struct setup s = megatron(8, true);
    struct memory m;

    (void)state;
    s.gpus = 64;
    s.pipeline = 8;
    s.virtual_pipeline = 3;
    s.accumulation = 64;
    s.recompute = RECOMPUTE_SELECTIVE;
    m = estimate_memory(&s, &c);
    within(m.activations, 2048.0 * 12288 * 34 / 8 * 96 * (1 + 7.0 / 24), 0.01);
    within(m.weights + m.master + m.gradients + m.optimizer, 175e9 / 64 * 18, 0.05);
    assert_true(m.device < usable_memory(&a100));
    s.recompute = RECOMPUTE_NONE; /* "needs recomputation" */
    assert_true(estimate_memory(&s, &c).device > usable_memory(&a100));
}

/* Measured for this project on one H200: allocated, GB. */
static void one_gpu_holds_what_was_measured(void **state)
{
    struct constants c = numbers();
    struct setup s = setup_for(&gpt2, &h200);

    (void)state;
    s.precision = PRECISION_AMP_BF16;
    s.sequence = 1024;
    s.micro_batch = 8;
    within(estimate_memory(&s, &c).allocated, 9.712e9, 0.02);
    s.micro_batch = 32;
    within(estimate_memory(&s, &c).allocated, 33.256e9, 0.02);
    s.stack = STACK_COMPILED;
    s.compiled = true;
    within(estimate_memory(&s, &c).allocated, 16.243e9, 0.03);
    s = setup_for(&gpt2, &h200);
    s.precision = PRECISION_TF32;
    s.sequence = 1024;
    s.micro_batch = 8;
    within(estimate_memory(&s, &c).allocated, 11.396e9, 0.02);
    s = setup_for(&llama3_8b, &h200);
    s.recompute = RECOMPUTE_FULL;
    s.micro_batch = 4;
    within(estimate_memory(&s, &c).allocated, 64.94e9, 0.02);
    s.method = METHOD_LORA;
    s.sequence = 4096;
    within(estimate_memory(&s, &c).allocated, 46.255e9, 0.02);
    s.recompute = RECOMPUTE_NONE;
    s.sequence = 2048;
    s.micro_batch = 2;
    within(estimate_memory(&s, &c).allocated, 46.389e9, 0.02);
}

static double parts(const struct memory *m)
{
    return m->weights + m->master + m->gradients + m->optimizer + m->lora + m->activations +
           m->working + m->logits + m->gathered + m->workspace;
}

static void the_parts_add_up(void **state)
{
    struct constants c = numbers();
    struct setup s = setup_for(&llama3_8b, &h200);

    (void)state;
    for (int recompute = 0; recompute < RECOMPUTE_COUNT; recompute++)
        for (int method = 0; method < METHOD_COUNT; method++) {
            struct memory m;

            s.recompute = (enum recompute)recompute;
            s.method = (enum method)method;
            m = estimate_memory(&s, &c);
            within(m.allocated, parts(&m), 1e-12);
            within(m.reserved, m.allocated + m.fragmentation, 1e-12);
            within(m.device, m.reserved + m.context + m.buffers, 1e-12);
            assert_true(m.moment < MOMENT_COUNT && memory_moment_names[m.moment] != NULL);
        }
    assert_null(memory_moment_names[MOMENT_COUNT]);
}

/* What was learned changes the whole by its factor, and no part that is known to the byte. */
static void a_correction_spares_weights_and_states(void **state)
{
    struct setup s = setup_for(&llama3_8b, &h200);
    struct correction learned = {
        .of = CORRECTION_MEMORY, .gpu = h200.name, .framework = STR("nobody's"), .factor = 1.1};
    struct constants c = numbers();
    struct memory plain, m;

    (void)state;
    s.method = METHOD_LORA;
    s.micro_batch = 4;
    plain = estimate_memory(&s, &c);
    c.learned = &learned;
    c.learned_count = 1;
    within(estimate_memory(&s, &c).device, plain.device, 1e-12);
    learned.framework = (struct str){0};
    m = estimate_memory(&s, &c);
    within(m.device, 1.1 * plain.device, 1e-12);
    within(m.weights, plain.weights, 1e-12);
    within(m.lora, plain.lora, 1e-12);
    assert_true(m.activations > plain.activations);
    within(m.allocated, parts(&m), 1e-12);
    within(m.device, m.reserved + m.context + m.buffers, 1e-12);
    learned.factor = 0.1; /* less than what weights and states take */
    m = estimate_memory(&s, &c);
    within(m.weights, plain.weights, 1e-12);
    within(m.activations, 0.2 * plain.activations, 1e-9);
}

static struct setup sharded(int zero)
{
    struct setup s = setup_for(&llama3_8b, &a100);

    s.precision = PRECISION_BF16;
    s.stack = STACK_FSDP;
    s.gpus = s.data = s.shard = 8;
    s.zero = zero;
    s.accumulation = 2;
    s.recompute = RECOMPUTE_FULL;
    return s;
}

static void zero_divides_states_then_gradients_then_weights(void **state)
{
    struct constants c = numbers();
    double p = arch_count(&llama3_8b).total;

    (void)state;
    for (int zero = 0; zero <= 3; zero++) {
        struct setup s = sharded(zero);
        struct memory m = estimate_memory(&s, &c);

        within(m.optimizer, p * 8 / (zero >= 1 ? 8 : 1), 1e-9);
        within(m.master, p * 4 / (zero >= 1 ? 8 : 1), 1e-9);
        within(m.gradients, p * 2 / (zero >= 2 ? 8 : 1), 1e-9);
        within(m.weights, p * 2 / (zero == 3 ? 8 : 1), 1e-9);
        assert_true(zero == 3 ? m.gathered > 0 : m.gathered == 0);
    }
}

static void a_hybrid_shards_over_fewer_ranks(void **state)
{
    struct constants c = numbers();
    struct setup s = sharded(3), hybrid = s;

    (void)state;
    hybrid.gpus = hybrid.data = 64;
    within(estimate_memory(&s, &c).optimizer, estimate_memory(&hybrid, &c).optimizer, 1e-9);
}

static void what_is_offloaded_is_on_the_host(void **state)
{
    struct constants c = numbers();
    struct setup s = sharded(3);
    double p = arch_count(&llama3_8b).total, nvme;
    struct memory m;

    (void)state;
    within(estimate_memory(&s, &c).host + 1, 1, 1e-9);
    s.offload = OFFLOAD_OPTIMIZER;
    m = estimate_memory(&s, &c);
    within(m.host, p * 14 / 8, 1e-9);
    assert_true(m.optimizer == 0 && m.weights > 0);
    s.offload = OFFLOAD_ALL;
    m = estimate_memory(&s, &c);
    within(m.host, p * 16 / 8, 1e-9);
    assert_true(m.weights == 0 && m.gathered > 0);
    s.offload = OFFLOAD_NVME;
    nvme = estimate_memory(&s, &c).host;
    assert_true(nvme > 0 && nvme < m.host);
}

/* Bytes of a parameter's states. */
static void optimizers_keep_what_they_keep(void **state)
{
    static const double each[OPTIMIZER_COUNT] = {8, 4, 2 + 8.0 / 256, 12, 0.02, 4, 4,
                                                 4, 8, 2 + 8.0 / 256};
    struct constants c = numbers();
    struct setup s = setup_for(&llama3_8b, &h200);
    double p = arch_count(&llama3_8b).total;

    (void)state;
    s.precision = PRECISION_BF16;
    for (int i = 0; i < OPTIMIZER_COUNT; i++) {
        struct memory m;

        s.optimizer = (enum optimizer)i;
        m = estimate_memory(&s, &c);
        within(m.optimizer + m.paged, p * each[i], 1e-9);
    }
}

static double room_of(const struct setup *s, const struct constants *c)
{
    return fits_share(memory_doubt(s, c)) * usable_memory(s->gpu);
}

/* InternEvo copies all gradients to fp32, and PyTorch's plain AdamW makes two more tensors:
 * 12 bytes for each parameter beside the 18 of Megatron; with a fused kernel 4. */
static void a_step_on_a_flat_tensor_takes_more(void **state)
{
    struct constants c = numbers();
    struct setup s = setup_for(&llama3_8b, &h200);
    double params = setup_local_trained(&s);
    struct memory m;

    (void)state;
    s.stack = STACK_MEGATRON;
    s.precision = PRECISION_BF16;
    s.optimizer = OPTIMIZER_ADAMW;
    s.recompute = RECOMPUTE_FULL;
    s.micro_batch = 1;
    s.flat_step = true;
    s.fused_optimizer = false;
    m = estimate_memory(&s, &c);
    assert_int_equal(m.moment, MOMENT_STEP);
    within(m.working, params * 12, 1e-9);
    s.fused_optimizer = true;
    m = estimate_memory(&s, &c);
    within(m.working, params * 4, 1e-9);
}

/* Adapters of rank 16 on queries to outputs of Llama 3 8B: 32 layers x 16 x (2 x 8,192 + 2 x
 * 5,120) = 13.63 M, each with 8 bytes of states. They move with the optimizer; with all also
 * the weights (4 bytes, and 2 as products read them) and gradients (4). */
static void states_of_adapters_are_offloaded(void **state)
{
    const double trained = 32 * 16 * (2 * 8192 + 2 * 5120);
    struct constants c = numbers();
    struct setup s = setup_for(&llama3_8b, &h200);
    struct memory none, states, all;

    (void)state;
    s.method = METHOD_QLORA;
    s.base = WEIGHTS_NF4;
    s.targets = TARGET_Q | TARGET_K | TARGET_V | TARGET_O;
    s.rank = 16;
    s.precision = PRECISION_BF16;
    s.optimizer = OPTIMIZER_ADAMW;
    none = estimate_memory(&s, &c);
    s.offload = OFFLOAD_OPTIMIZER;
    states = estimate_memory(&s, &c);
    s.offload = OFFLOAD_ALL;
    all = estimate_memory(&s, &c);
    within(states.host, trained * 8, 1e-9);
    within(none.lora - states.lora, trained * 8, 1e-9);
    within(all.host, none.weights + trained * (8 + 4 + 2 + 4), 1e-9);
    assert_true(all.lora == 0 && all.weights == 0 && all.device < states.device);
    s.optimizer = OPTIMIZER_ADAMW_PAGED; /* gone, not paged */
    assert_true(estimate_memory(&s, &c).paged == 0);
}

/* The input of `down` is as wide as the layer, that of `gate` and `up` as the model. */
static void adapters_keep_the_inputs_of_their_own_matrices(void **state)
{
    static const unsigned targets[] = {TARGET_Q, TARGET_Q | TARGET_UP, TARGET_Q | TARGET_WIDEN,
                                       TARGET_Q | TARGET_DOWN, TARGET_Q | TARGET_FFN};
    struct setup s = setup_for(&llama3_8b, &h200);
    double saved[ARRAY_LEN(targets)], h = 4096, width = 14336;

    (void)state;
    s.method = METHOD_LORA;
    s.stack = STACK_HF;
    s.precision = PRECISION_BF16;
    s.recompute = RECOMPUTE_NONE;
    for (size_t i = 0; i < ARRAY_LEN(targets); i++) {
        s.targets = targets[i];
        saved[i] = layer_memory_of(&s, false).saved / (double)(s.sequence * s.micro_batch);
    }
    within(saved[1] - saved[0], 2 * h, 1e-9);
    within(saved[2] - saved[0], 4 * h, 1e-9);
    within(saved[3] - saved[0], 2 * width, 1e-9);
    within(saved[4] - saved[0], 4 * h + 2 * width, 1e-9);
}

/* A paged optimizer takes what others do, as long as there is room; then its states make way,
 * and nothing else does. */
static void paged_states_leave_a_full_card(void **state)
{
    struct constants c = numbers();
    struct setup s = setup_for(&llama3_8b, &h200), plain = s;
    struct memory m, other;

    (void)state;
    s.optimizer = OPTIMIZER_ADAMW_8BIT_PAGED;
    plain.optimizer = OPTIMIZER_ADAMW_8BIT;
    s.precision = plain.precision = PRECISION_BF16_PURE;
    s.recompute = plain.recompute = RECOMPUTE_FULL;
    m = estimate_memory(&s, &c);
    other = estimate_memory(&plain, &c);
    assert_true(m.paged == 0 && m.host == 0 && m.device == other.device);
    assert_true(estimate_step(&s, &known_constants).offload == 0);
    s.precision = plain.precision = PRECISION_BF16; /* with a master copy: too much */
    s.optimizer = OPTIMIZER_ADAMW_PAGED;
    plain.optimizer = OPTIMIZER_ADAMW;
    s.micro_batch = plain.micro_batch = 8;
    m = estimate_memory(&s, &c);
    other = estimate_memory(&plain, &c);
    assert_true(m.paged > 0 && m.paged < m.paged + m.optimizer);
    within(m.device, room_of(&s, &c), 1e-5);
    within(m.device + m.paged, other.device, 1e-9);
    within(m.optimizer + m.paged, other.optimizer, 1e-9);
    within(m.host, m.paged, 1e-9);
    assert_true(estimate_step(&s, &known_constants).offload > 0);
    s.micro_batch = 4096; /* more than all states */
    m = estimate_memory(&s, &c);
    assert_true(m.optimizer == 0 && m.device > room_of(&s, &c));
}

/* The QLoRA paper: 65 billion parameters at rank 64 on 48 GB, with double quantization, bf16
 * adapters and a paged optimizer. */
static void qlora_of_65_billion_fits_48_gb(void **state)
{
    struct arch arch = known_arch("llama-65b");
    struct setup s = setup_for(&arch, known_gpu("RTXA6000"));
    struct memory m;

    (void)state;
    s.method = METHOD_QLORA;
    s.base = WEIGHTS_NF4_DQ;
    s.rank = 64;
    s.targets = TARGET_ALL;
    s.stack = STACK_HF;
    s.precision = PRECISION_BF16_PURE;
    s.recompute = RECOMPUTE_FULL;
    s.sequence = 512;
    s.micro_batch = 1;
    s.accumulation = 16;
    s.optimizer = OPTIMIZER_ADAMW_PAGED;
    m = estimate_memory(&s, &known_constants);
    assert_true(m.device <= room_of(&s, &known_constants));
    assert_true(m.paged > 0 && m.paged <= 6.4e9);
}

/* PyTorch's default optimizer makes a temporary of every parameter. */
static void an_unfused_optimizer_needs_more_in_its_step(void **state)
{
    struct constants c = numbers();
    struct setup s = setup_for(&llama3_8b, &h200);
    double p = arch_count(&llama3_8b).total;
    struct memory m;

    (void)state;
    s.recompute = RECOMPUTE_FULL;
    s.fused_optimizer = false;
    m = estimate_memory(&s, &c);
    assert_int_equal(m.moment, MOMENT_STEP);
    within(m.allocated, p * 10 + 1.2e8, 1e-6);
    for (int i = 1; i < OPTIMIZER_COUNT; i++) { /* no other makes them */
        double with;

        s.optimizer = (enum optimizer)i;
        with = estimate_memory(&s, &c).device;
        s.fused_optimizer = true;
        assert_true(with == estimate_memory(&s, &c).device);
        s.fused_optimizer = false;
    }
}

static void packed_weights_take_a_quarter(void **state)
{
    struct constants c = numbers();
    struct setup s = setup_for(&llama3_8b, &a100);
    struct arch_params p = arch_count(&llama3_8b);
    double packed = p.attention + p.ffn, rest = p.total - packed;

    (void)state;
    s.method = METHOD_QLORA;
    within(estimate_memory(&s, &c).weights, packed * (0.5 + 4.0 / 64) + rest * 2, 1e-9);
    s.stack = STACK_HF; /* which makes the rest fp32 */
    within(estimate_memory(&s, &c).weights, packed * (0.5 + 4.0 / 64) + rest * 4, 1e-9);
}

/* 46.7 B parameters of 18 bytes over 8 GPUs: 105 GB, and little more. */
static void tensor_parallel_cuts_experts_too(void **state)
{
    struct setup s = setup_for(&mixtral, &h200);
    struct constants c = numbers();
    double total = arch_count(&mixtral).total;
    struct memory m;

    (void)state;
    s.precision = PRECISION_BF16;
    s.stack = STACK_MEGATRON;
    s.gpus = s.tensor = 8;
    s.sequence_parallel = true;
    m = estimate_memory(&s, &c);
    within(m.weights, total * 2 / 8, 1e-9);
    within(m.gradients, total * 4 / 8, 1e-9);
    within(m.master + m.optimizer, total * 12 / 8, 1e-9);
    assert_true(m.device > 105e9 && m.device < 125e9);
    s.method = METHOD_QLORA; /* experts are nearly all of it, half a byte each */
    assert_true(estimate_memory(&s, &c).weights < total * 0.65 / 8);
}

static void the_error_of_1bit_adam_is_not_sharded(void **state)
{
    struct setup s = setup_for(&gpt2, &a100);
    struct constants c = numbers();
    double total = arch_count(&gpt2).total;

    (void)state;
    s.precision = PRECISION_FP16;
    s.optimizer = OPTIMIZER_ADAMW_1BIT;
    s.gpus = s.data = s.shard = 4;
    within(estimate_memory(&s, &c).optimizer, total * 12, 1e-9);
    s.zero = 1;
    within(estimate_memory(&s, &c).optimizer, total * (8.0 / 4 + 4), 1e-9);
}

/* The caching allocator gives back what it hoards before it fails. */
static void a_full_card_has_no_room_for_fragments(void **state)
{
    struct constants c = numbers();
    struct setup s = setup_for(&llama3_8b, &a100);
    struct memory m;

    (void)state;
    s.method = METHOD_LORA;
    s.micro_batch = 4;
    m = estimate_memory(&s, &c);
    within(m.fragmentation, 0.08 * (m.activations + m.logits), 1e-9); /* there is room */
    s.sequence = 2240;
    m = estimate_memory(&s, &c);
    assert_true(m.fragmentation < 0.07 * (m.activations + m.logits));
    assert_true(m.device < usable_memory(&a100));
    within(m.device, usable_memory(&a100), 1e-6);
    s.micro_batch = 50;
    m = estimate_memory(&s, &c);
    assert_true(m.device > usable_memory(&a100));
    within(m.fragmentation, 0.02 * (m.activations + m.logits + m.working), 1e-9);
}

static void pictures_and_series_are_counted_by_what_they_keep(void **state)
{
    const struct arch resnet = {.kind = ARCH_IMAGE,
                                .resolution = 224,
                                .image_params = 25.557e6,
                                .saved_elements = 21.29e6,
                                .output_elements = 37.562e6,
                                .forward_flop = 8.178e9};
    const struct arch lstm = {.kind = ARCH_LSTM, .hidden = 512, .layers = 2, .input = 5};
    struct constants c = numbers();
    struct setup s = setup_for(&resnet, &h200);

    (void)state;
    s.sequence = 1;
    s.micro_batch = 128;
    s.precision = PRECISION_AMP_BF16;
    within(estimate_memory(&s, &c).allocated, 6.201e9, 0.05);
    s.recompute = RECOMPUTE_FULL;
    assert_true(estimate_memory(&s, &c).allocated < 4e9);
    s = setup_for(&lstm, &h200);
    s.precision = PRECISION_TF32;
    s.sequence = 200;
    s.micro_batch = 128;
    within(estimate_memory(&s, &c).allocated, 1.143e9, 0.08);
}

/* What nvidia-smi calls the total. */
static void cards_have_what_the_driver_says(void **state)
{
    static const struct {
        const char *name, *type;
        double gb, mib;
    } cards[] = {
        {"A100-SXM-80GB", "HBM2e", 80, 81920},
        {"A100-SXM-40GB", "HBM2", 40, 40536},
        {"V100-SXM2-32GB", "HBM2", 32, 32510},
        {"H100-SXM-80GB", "HBM3", 80, 81559},
        {"H200-SXM-141GB", "HBM3e", 141, 143771},
        {"RTX4090", "GDDR6X", 24, 24564},
        {"RTX3090", "GDDR6X", 24, 24268},
        {"A40", "GDDR6", 48, 46068},
        {"L4", "GDDR6", 24, 23034},
        {"T4", "GDDR6", 16, 15360},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cards); i++) {
        struct accelerator gpu = {.name = str_from(cards[i].name),
                                  .memory_type = str_from(cards[i].type),
                                  .memory_gb = cards[i].gb};

        within(usable_memory(&gpu), cards[i].mib * 1048576, 0.025);
    }
}

static uint64_t next(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return *seed >> 33;
}

static int64_t power(uint64_t *seed, int most)
{
    return (int64_t)1 << next(seed) % (uint64_t)(most + 1);
}

static struct setup any_setup(uint64_t *seed, const struct arch *arch)
{
    struct setup s = setup_for(arch, next(seed) % 2 ? &a100 : &h200);

    s.tensor = power(seed, 4);
    s.pipeline = power(seed, 4);
    s.context = power(seed, 3);
    s.data = power(seed, 9);
    s.gpus = s.tensor * s.pipeline * s.context * s.data;
    s.expert = arch->experts > 0 ? power(seed, 5) : 1;
    s.shard = s.data;
    s.virtual_pipeline = power(seed, 3);
    s.zero = (int)(next(seed) % 4);
    s.method = (enum method)(next(seed) % METHOD_COUNT);
    s.precision = (enum precision)(next(seed) % PRECISION_COUNT);
    s.optimizer = (enum optimizer)(next(seed) % OPTIMIZER_COUNT);
    s.recompute = (enum recompute)(next(seed) % RECOMPUTE_COUNT);
    s.stack = (enum stack)(next(seed) % STACK_COUNT);
    s.offload = (enum offload)(next(seed) % OFFLOAD_COUNT);
    s.attention = (enum attention)(next(seed) % ATTENTION_COUNT);
    s.compiled = next(seed) % 2;
    s.sequence_parallel = next(seed) % 2;
    s.fused_loss = next(seed) % 2;
    s.sequence = power(seed, 26);
    s.micro_batch = power(seed, 24);
    s.accumulation = power(seed, 24);
    return s;
}

/* Frozen layers have neither gradients nor states nor activations; a step in the backward
 * pass has the gradients of one layer, unless micro-batches add theirs up. */
static void what_is_not_kept_takes_no_memory(void **state)
{
    struct arch a = known_arch("llama-2-7b");
    struct setup s = known_setup(&a, "H100", 1);
    struct memory all, some;

    (void)state;
    s.method = METHOD_FULL;
    s.precision = PRECISION_BF16_PURE;
    s.recompute = RECOMPUTE_FULL;
    all = estimate_memory(&s, &known_constants);
    s.trained_layers = 4;
    some = estimate_memory(&s, &known_constants);
    assert_true(some.optimizer < 0.13 * all.optimizer && some.weights == all.weights);
    assert_true(some.device < 0.45 * all.device);
    s.precision = PRECISION_AMP_BF16; /* frozen weights have 16 bits */
    assert_true(estimate_memory(&s, &known_constants).weights < 1.3 * all.weights);
    s.precision = PRECISION_BF16_PURE;
    s.trained_layers = 0;
    s.fused_step = true;
    some = estimate_memory(&s, &known_constants);
    assert_true(some.device < all.device - 9e9 && some.optimizer == all.optimizer);
    s.accumulation = 2;
    assert_true(estimate_memory(&s, &known_constants).device >= all.device);
    s.accumulation = 1;
    s.fused_step = false;
    s.galore_rank = 512;
    some = estimate_memory(&s, &known_constants);
    assert_true(some.optimizer < 0.3 * all.optimizer);
}

static void any_setting_gives_finite_numbers(void **state)
{
    const struct arch *archs[] = {&gpt, &gpt2, &llama3_8b, &mixtral};
    struct constants c = numbers();
    struct error ignored = {0};
    uint64_t seed = 1;
    int tried = 0;

    (void)state;
    for (int i = 0; i < 20000; i++) {
        struct setup s = any_setup(&seed, archs[i % 4]);
        struct memory m;

        if (!setup_check(&s, &ignored))
            continue;
        m = estimate_memory(&s, &c);
        assert_true(isfinite(m.device) && m.allocated > 0 && m.device >= m.allocated);
        assert_true(isfinite(m.host) && m.host >= 0 && parts(&m) <= m.allocated * (1 + 1e-9));
        assert_true(m.gradients >= 0 && m.working >= 0 && m.logits >= 0 &&
                    m.fragmentation >= 0);
        tried++;
    }
    assert_true(tried > 10000);
}

int group_memory(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_run_of_the_paper_fits_its_cards),
        cmocka_unit_test(one_gpu_holds_what_was_measured),
        cmocka_unit_test(the_parts_add_up),
        cmocka_unit_test(a_correction_spares_weights_and_states),
        cmocka_unit_test(zero_divides_states_then_gradients_then_weights),
        cmocka_unit_test(a_hybrid_shards_over_fewer_ranks),
        cmocka_unit_test(what_is_offloaded_is_on_the_host),
        cmocka_unit_test(optimizers_keep_what_they_keep),
        cmocka_unit_test(states_of_adapters_are_offloaded),
        cmocka_unit_test(a_step_on_a_flat_tensor_takes_more),
        cmocka_unit_test(adapters_keep_the_inputs_of_their_own_matrices),
        cmocka_unit_test(paged_states_leave_a_full_card),
        cmocka_unit_test(qlora_of_65_billion_fits_48_gb),
        cmocka_unit_test(an_unfused_optimizer_needs_more_in_its_step),
        cmocka_unit_test(packed_weights_take_a_quarter),
        cmocka_unit_test(tensor_parallel_cuts_experts_too),
        cmocka_unit_test(the_error_of_1bit_adam_is_not_sharded),
        cmocka_unit_test(a_full_card_has_no_room_for_fragments),
        cmocka_unit_test(pictures_and_series_are_counted_by_what_they_keep),
        cmocka_unit_test(cards_have_what_the_driver_says),
        cmocka_unit_test(what_is_not_kept_takes_no_memory),
        cmocka_unit_test(any_setting_gives_finite_numbers),
    };

    return cmocka_run_group_tests(tests, known_load, known_free);
}
