#include "known.h"

#include "estimate/memory/memory.h"
#include "estimate/serving/infer.h"

/* A model on one card, as the measurements of h200_inference.csv were made. */
static struct serving serving_of(const char *model, const char *gpu, struct arch *arch)
{
    struct serving s = {
        .arch = arch,
        .gpu = known_gpu(gpu),
        .gpus = 1,
        .tensor = 1,
        .pipeline = 1,
        .weights = WEIGHTS_FP16,
        .kv = WEIGHTS_FP16,
        .engine = ENGINE_GRAPH,
        .batch = 1,
        .input = 512,
        .output = 1,
    };

    *arch = known_arch(model);
    return s;
}

static struct serving_time times(const struct serving *s)
{
    struct error err = {0};

    assert_true(serving_check(s, &err));
    return estimate_serving(s, &known_constants);
}

static void within(double got, double expected, double share)
{
    if (!(fabs(got / expected - 1) <= share))
        fail_msg("%g, not %g", got, expected);
}

static void engines_are_known_by_common_names(void **state)
{
    static const struct {
        const char *text;
        enum engine engine;
    } cases[] = {
        {"vLLM (ML.ENERGY)", ENGINE_VLLM},
        {"trtllm 1.0.0rc3", ENGINE_TRTLLM},
        {"TensorRT-LLM v0.9", ENGINE_TRTLLM},
        {"sglang nightly-dev", ENGINE_SGLANG},
        {"FasterTransformer", ENGINE_FT},
        {"Deepspeed-MII", ENGINE_MII},
        {"Transformers+FA2", ENGINE_HF},
        {"litgpt (eager)", ENGINE_EAGER},
        {"hf generate", ENGINE_HF},
        {"llama.cpp (layer split)", ENGINE_LLAMACPP},
        {"Neuron 2.18.0", ENGINE_NEURON},
        {"optimum-habana CI baseline", ENGINE_HABANA},
        {"pytorch, CUDA-graph decode", ENGINE_GRAPH},
    };
    enum engine engine;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        assert_true(engine_of(str_from(cases[i].text), &engine));
        assert_int_equal(engine, cases[i].engine);
    }
    for (int i = 0; i < ENGINE_COUNT; i++) {
        assert_true(engine_of(str_from(engine_names[i]), &engine));
        assert_int_equal(engine, i);
    }
    assert_false(engine_of(STR("abacus"), &engine));
}

static void steps_are_near_what_an_h200_measures(void **state)
{
    static const struct {
        const char *model;
        double batch, input, prefill_ms, decode_ms;
    } rows[] = {
        {"llama-2-7b", 1, 2048, 47.5, 5.30},   {"llama-2-7b", 32, 1024, 740, 8.97},
        {"llama-3-8b", 64, 2048, 3134, 9.64},  {"llama-2-13b", 16, 4096, 2898, 20.5},
        {"qwen2.5-14b", 128, 512, 2814, 13.9},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct arch arch;
        struct serving s = serving_of(rows[i].model, "H200", &arch);
        struct serving_time t;

        s.batch = rows[i].batch;
        s.input = rows[i].input;
        t = times(&s);
        within(t.prefill * 1e3, rows[i].prefill_ms, 0.2);
        within(t.decode * 1e3, rows[i].decode_ms, 0.2);
    }
}

static void a_step_reads_the_weights_and_the_cache(void **state)
{
    struct arch arch;
    struct serving s = serving_of("llama-3-8b", "H100", &arch);
    double step = decode_step(&s, 512, &known_constants), least = 2 * 7.5e9 / 3.35e12;

    (void)state;
    assert_true(step > least && step < 2 * least);
    assert_true(decode_step(&s, 100000, &known_constants) > 1.5 * step);
    s.weights = WEIGHTS_INT4;
    assert_true(decode_step(&s, 512, &known_constants) < 0.6 * step);
    s.weights = WEIGHTS_FP16;
    s.batch = 256;
    assert_true(decode_step(&s, 512, &known_constants) > 1.3 * step);
    assert_true(decode_step(&s, 512, &known_constants) < 50 * step);
}

static void tensor_parallel_divides_the_reading_and_adds_latency(void **state)
{
    struct arch arch;
    struct serving s = serving_of("llama-3-70b", "H100", &arch);
    double four, eight;

    (void)state;
    s.engine = ENGINE_VLLM;
    s.gpus = s.tensor = 4;
    four = decode_step(&s, 512, &known_constants);
    s.gpus = s.tensor = 8;
    eight = decode_step(&s, 512, &known_constants);
    assert_true(eight < four && eight > four / 2);
}

static void few_tokens_visit_few_experts(void **state)
{
    struct arch sparse, dense;
    struct serving s = serving_of("mixtral-8x7b", "H200", &sparse);
    struct serving d = serving_of("llama-2-13b", "H200", &dense);
    double one = decode_step(&s, 512, &known_constants);

    (void)state;
    /* 13 billion active parameters are read like those of a dense model of that size. */
    within(one, decode_step(&d, 512, &known_constants), 0.3);
    s.batch = 16; /* and then nearly all 47 */
    assert_true(decode_step(&s, 512, &known_constants) > 2.2 * one);
}

static void an_eager_engine_waits_for_the_host(void **state)
{
    struct arch small, large;
    struct serving s = serving_of("qwen2.5-0.5b", "A100", &small);
    struct serving l = serving_of("qwen2.5-1.5b", "A100", &large);

    (void)state;
    s.engine = l.engine = ENGINE_HF;
    within(decode_step(&s, 512, &known_constants), 0.03, 0.5);
    within(decode_step(&l, 512, &known_constants) / 28,
           decode_step(&s, 512, &known_constants) / 24, 0.05);
}

static void prompts_of_others_come_between_the_tokens(void **state)
{
    struct arch arch;
    struct serving s = serving_of("llama-3-8b", "H100", &arch);
    struct serving_time alone, kept;

    (void)state;
    s.engine = ENGINE_VLLM;
    s.batch = 32;
    s.input = 2048;
    s.output = 128;
    alone = times(&s);
    s.rolling = true;
    kept = times(&s);
    assert_true(kept.decode > 1.5 * alone.decode);
    assert_true(kept.first_token < alone.first_token);
    assert_true(kept.first_token > kept.prefill);
    within(kept.request, kept.first_token + 127 * kept.decode, 0.01); /* lengths vary */
}

/* TensorRT-LLM quantizes both; checkpoints in fp4 say so to all servers; others do not. */
static void caches_are_as_engines_keep_them(void **state)
{
    (void)state;
    assert_int_equal(engine_cache(ENGINE_TRTLLM, WEIGHTS_FP8), WEIGHTS_FP8);
    assert_int_equal(engine_cache(ENGINE_TRTLLM, WEIGHTS_MXFP4), WEIGHTS_FP8);
    assert_int_equal(engine_cache(ENGINE_TRTLLM, WEIGHTS_FP16), WEIGHTS_FP16);
    assert_int_equal(engine_cache(ENGINE_VLLM, WEIGHTS_FP8), WEIGHTS_FP16);
    assert_int_equal(engine_cache(ENGINE_VLLM, WEIGHTS_FP4), WEIGHTS_FP8);
    assert_int_equal(engine_cache(ENGINE_SGLANG, WEIGHTS_MXFP4), WEIGHTS_FP16);
    assert_int_equal(engine_cache(ENGINE_LLAMACPP, WEIGHTS_FP4), WEIGHTS_FP16);
}

/* Closed forms that searches ask are near what the simulation says. */
static void flows_are_near_the_simulation(void **state)
{
    static const double batches[] = {1, 16, 128};
    struct arch arch;
    struct serving s = serving_of("llama-3-8b", "H100", &arch);

    (void)state;
    s.rolling = true;
    s.output = 256;
    for (size_t i = 0; i < ARRAY_LEN(batches); i++)
        for (int e = 0; e < 2; e++) {
            s.engine = e == 0 ? ENGINE_VLLM : ENGINE_SGLANG;
            s.batch = batches[i];
            within(estimate_flow(&s, &known_constants).decode, times(&s).decode, 0.15);
        }
    s.engine = ENGINE_VLLM;
    s.batch = 1024;
    within(estimate_load(&s, 0, &known_constants).max_rate,
           estimate_busy(&s, &known_constants).max_rate, 0.1);
}

static void more_than_fits_waits(void **state)
{
    struct arch arch;
    struct serving s = serving_of("llama-3-8b", "H100", &arch);
    double most, full, twice;

    (void)state;
    s.engine = ENGINE_TRTLLM;
    s.rolling = true;
    s.input = 4096;
    s.output = 1024;
    most = serving_max_batch(&s, &known_constants);
    assert_true(most > 20 && most < 200);
    s.batch = most;
    full = times(&s).request;
    s.batch = 2 * most;
    twice = times(&s).request;
    within(twice, 2 * full, 0.01); /* so the throughput stays */
}

static void memory_is_the_sum_of_its_parts(void **state)
{
    struct arch arch;
    struct serving s = serving_of("llama-2-7b", "H100", &arch);
    struct serving_memory m;

    (void)state;
    s.batch = 8;
    s.input = 1000;
    s.output = 48;
    m = estimate_serving_memory(&s, &known_constants);
    within(m.weights, 2 * 6.738e9, 0.001);
    within(m.cache, 8.0 * 1048 * 2 * 32 * 4096 * 2, 1e-9);
    within(m.allocated, m.weights + m.cache + m.activations + m.workspace, 1e-9);
    within(m.device, m.allocated + m.context, 1e-9);
    s.engine = ENGINE_VLLM; /* takes its share, needed or not */
    assert_true(estimate_serving_memory(&s, &known_constants).device > 70e9);
    s.gpus = s.tensor = 2;
    within(estimate_serving_memory(&s, &known_constants).weights, 6.738e9, 0.001);
}

/* The prompt's pass runs before the cache of what will be written is there. */
static void caches_that_grow_peak_at_the_prompt_or_at_the_end(void **state)
{
    struct arch arch;
    struct serving s = serving_of("qwen2.5-7b", "A100", &arch);
    double token = 2.0 * 28 * 4 * 128 * 2, width = 2.0 * (4 * 3584 + 3 * 18944);
    double head = 152064.0 * 8, prompt, end;
    struct serving_memory m;

    (void)state;
    s.input = 6144;
    s.output = 2048;
    prompt = 6144 * (token + width) + head;
    end = 8192 * token + width + head;
    m = estimate_serving_memory(&s, &known_constants); /* in full from the start */
    within(m.cache + m.activations, 8192 * token + 6144 * width + head, 1e-9);
    s.engine = ENGINE_HF;
    m = estimate_serving_memory(&s, &known_constants);
    within(m.cache, 8192 * token, 1e-9);
    within(m.cache + m.activations, prompt, 1e-9);
    s.input = 1;
    s.output = 8191;
    m = estimate_serving_memory(&s, &known_constants);
    within(m.cache + m.activations, end, 1e-9);
    s.output = 0; /* nothing is written: one pass */
    s.input = 8192;
    m = estimate_serving_memory(&s, &known_constants);
    within(m.cache + m.activations, 8192 * (token + width) + head, 1e-9);
}

static void the_largest_batch_fits_and_the_next_does_not(void **state)
{
    struct arch arch;
    struct serving s = serving_of("llama-2-13b", "A100", &arch);
    double room = usable_memory(s.gpu);

    (void)state;
    s.input = 1024;
    s.output = 1024;
    s.batch = serving_max_batch(&s, &known_constants);
    assert_true(s.batch > 5);
    assert_true(estimate_serving_memory(&s, &known_constants).device <= room);
    s.batch += 1;
    assert_true(estimate_serving_memory(&s, &known_constants).device > room * 0.98);
}

static void the_longest_context_fits(void **state)
{
    struct arch arch;
    struct serving s = serving_of("llama-2-70b", "H100", &arch);

    (void)state;
    assert_true(serving_max_context(&s, &known_constants) == 0); /* 138 GB of weights */
    assert_true(serving_max_batch(&s, &known_constants) == 0);
    s.gpus = s.tensor = 4;
    assert_true(serving_max_context(&s, &known_constants) == (double)arch.context);
    arch.context = 0;
    assert_true(serving_max_context(&s, &known_constants) > 100000);
}

static void narrow_caches_take_less(void **state)
{
    struct arch latent, windowed, plain;
    struct serving l = serving_of("deepseek-v2-lite", "H200", &latent);
    struct serving w = serving_of("gpt-oss-20b", "H200", &windowed);
    struct serving p = serving_of("llama-2-7b", "H200", &plain);

    (void)state;
    l.input = w.input = p.input = 32768;
    l.output = w.output = p.output = 0;
    within(estimate_serving_memory(&l, &known_constants).cache, 32768.0 * 27 * (512 + 64) * 2,
           1e-6);
    /* Every other layer of gpt-oss keeps 128 tokens. */
    within(estimate_serving_memory(&w, &known_constants).cache,
           (32768.0 + 128) * 12 * 2 * 8 * 64 * 2, 1e-6);
    assert_true(estimate_serving_memory(&p, &known_constants).cache > 15e9);
    l.gpus = l.tensor = 8; /* the latent is needed by every head */
    within(estimate_serving_memory(&l, &known_constants).cache, 32768.0 * 27 * (512 + 64) * 2,
           1e-6);
}

/* A hybrid keeps keys and values in few layers, and a state in the others that does not
 * grow. */
static void layers_that_keep_a_state_have_no_cache(void **state)
{
    struct arch plain, hybrid;
    struct serving s = serving_of("llama-3-8b", "H200", &plain), h;
    double token = 2.0 * 8 * 128 * 2, cache, step, full;

    (void)state;
    hybrid = plain;
    hybrid.mixer_layers = 24;
    hybrid.mixer_params = arch_attention_params(&plain);
    hybrid.mixer_state = 1e6;
    s.input = 100000;
    s.output = 0;
    h = s;
    h.arch = &hybrid;
    cache = estimate_serving_memory(&h, &known_constants).cache;
    within(cache, 100000 * 8 * token + 24 * 2e6, 1e-9);
    within(estimate_serving_memory(&s, &known_constants).cache, 100000 * 32 * token, 1e-9);
    h.input = 200000;
    within(estimate_serving_memory(&h, &known_constants).cache - cache, 100000 * 8 * token,
           1e-9);
    h.batch = s.batch = 16;
    step = decode_step(&h, 100000, &known_constants);
    full = decode_step(&s, 100000, &known_constants);
    assert_true(step < 0.5 * full);
    assert_true(decode_step(&h, 200000, &known_constants) - step <
                0.3 * (decode_step(&s, 200000, &known_constants) - full));
    h.tensor = h.gpus = 2;
    within(estimate_serving_memory(&h, &known_constants).cache,
           16 * (200000 * 8 * token + 24 * 2e6) / 2, 1e-9);
    within(arch_count(&hybrid).total, arch_count(&plain).total, 1e-12);
}

static void latency_grows_with_the_rate_of_requests(void **state)
{
    struct arch arch;
    struct serving s = serving_of("llama-3-8b", "H100", &arch);
    struct serving_load idle, busy, over;
    double most;

    (void)state;
    s.engine = ENGINE_VLLM;
    s.output = 256;
    most = estimate_load(&s, 1, &known_constants).max_rate;
    assert_true(most > 5 && most < 200);
    idle = estimate_load(&s, most / 100, &known_constants);
    busy = estimate_load(&s, most * 0.9, &known_constants);
    over = estimate_load(&s, most * 1.1, &known_constants);
    within(idle.utilization, 0.01, 1e-6);
    assert_true(idle.first_p50 <= idle.first_p95 && idle.first_p95 <= idle.first_p99);
    assert_true(busy.first_p50 < busy.first_p95 && busy.first_p95 < busy.first_p99);
    assert_true(busy.request_p50 > 2 * idle.request_p50);
    assert_true(busy.request_p99 > busy.request_p50);
    assert_true(busy.batch > 50 * idle.batch);
    within(busy.tokens_s, most * 0.9 * 256, 1e-6);
    assert_true(isinf(over.request_p50) && over.utilization > 1);
    within(over.tokens_s, most * 256, 1e-6);
}

static void models_that_do_not_write_have_one_pass(void **state)
{
    static const char *const names[] = {"bert-large", "resnet50", "lstm-h512-l2"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct arch arch;
        struct serving s = serving_of(names[i], "H100", &arch);
        struct serving_time one, many;
        struct serving_load load;

        s.input = 128;
        s.output = 0;
        one = times(&s);
        s.batch = 256;
        many = times(&s);
        assert_true(one.prefill > 1e-5 && one.prefill < 0.1);
        assert_true(many.prefill > one.prefill && many.prefill < 256 * one.prefill);
        assert_true(many.decode == 0 && many.request == many.prefill);
        assert_true(estimate_serving_memory(&s, &known_constants).cache == 0);
        assert_true(serving_max_batch(&s, &known_constants) > 256);
        load = estimate_load(&s, 1, &known_constants);
        assert_true(load.max_rate > 100 && load.request_p50 < 0.1);
        assert_true(load.request_p99 >= load.request_p50);
        s.output = 128; /* whatever is asked for */
        load = estimate_load(&s, 1, &known_constants);
        within(load.request_p50, one.prefill, 0.01);
        assert_true(load.tokens_s == 0);
        /* Those that come during a pass wait for it, and go together in the next. */
        load = estimate_load(&s, load.max_rate * 0.9, &known_constants);
        assert_true(load.request_p50 > 1.5 * one.prefill && load.batch > 2);
        assert_true(load.request_p50 < 4 * many.prefill);
    }
}

static void pictures_have_a_size_and_may_take_many_passes(void **state)
{
    struct arch arch;
    struct serving s = serving_of("sdxl", "H100", &arch);
    struct serving_time usual, larger, two, many;
    double activations;

    (void)state;
    s.input = 1;
    s.output = 0;
    s.batch = 8;
    usual = times(&s);
    activations = estimate_serving_memory(&s, &known_constants).activations;
    s.resolution = arch.resolution;
    within(times(&s).prefill, usual.prefill, 1e-9);
    s.resolution = 2 * arch.resolution;
    larger = times(&s);
    within(larger.prefill, 4 * usual.prefill, 0.05);
    within(estimate_serving_memory(&s, &known_constants).activations, 4 * activations, 1e-9);
    s.resolution = 0;
    s.passes = 2;
    two = times(&s);
    s.passes = 60;
    many = times(&s);
    within(many.request - usual.request, 59 * (two.request - usual.request), 1e-9);
    assert_true(usual.request > 1.2 * (two.request - usual.request)); /* latents to pictures */
    assert_true(many.prefill_bound > usual.prefill_bound);
    within(estimate_serving_memory(&s, &known_constants).activations, activations, 1e-9);
}

static void only_the_decoder_of_two_stacks_writes(void **state)
{
    struct arch arch, deep;
    struct serving s = serving_of("t5-11b", "H100", &arch), d = s;
    struct serving_time t, twice;
    double decoder, step;

    (void)state;
    s.output = d.output = 128;
    t = times(&s);
    /* Each of its layers has two attentions and a feed-forward. */
    decoder = 24 * (2 * arch_attention_params(&arch) + arch_dense_ffn_params(&arch));
    step = 2 * decoder / 3.35e12;
    assert_true(t.decode > step && t.decode < 1.6 * step);
    within(estimate_serving_memory(&s, &known_constants).cache, 640.0 * 24 * 2 * 128 * 128 * 2,
           1e-9);
    deep = arch;
    deep.layers *= 2; /* of the encoder */
    d.arch = &deep;
    twice = times(&d);
    within(twice.decode, t.decode, 1e-9);
    assert_true(twice.prefill > 1.5 * t.prefill);
    deep = arch;
    deep.decoder_layers *= 2;
    twice = times(&d);
    assert_true(twice.decode > 1.8 * t.decode);
    /* What was read is looked at in every step. */
    d = s;
    d.batch = 64;
    step = times(&d).decode;
    d.input = 4096;
    assert_true(times(&d).decode > 1.2 * step);
}

static void held_requests_fit_in_memory(void **state)
{
    static const char *const names[] = {"llama-3-8b", "llama-2-13b", "mixtral-8x7b",
                                        "t5-large",   "bert-large",  "vit-b-16",
                                        "sdxl",       "lstm-h512-l2"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(names) * ENGINE_COUNT * 8; i++) {
        struct arch arch;
        struct serving s = serving_of(names[i % ARRAY_LEN(names)], "A100", &arch);
        size_t k = i / ARRAY_LEN(names);
        double holds;

        s.engine = (enum engine)(k % ENGINE_COUNT);
        k /= ENGINE_COUNT;
        s.gpus = s.tensor = k % 2 == 0 ? 1 : 4;
        s.rolling = k % 4 < 2;
        s.input = k < 4 ? 30 : 2000;
        s.output = 100;
        holds = serving_holds(&s, &known_constants);
        assert_true(holds <= serving_max_batch(&s, &known_constants));
        s.batch = 500;
        assert_true(serving_holds(&s, &known_constants) == holds);
        if (holds < 1)
            continue;
        s.batch = holds;
        if (estimate_serving_memory(&s, &known_constants).device > usable_memory(s.gpu))
            fail_msg("%.*s: %g do not fit", STR_ARG(arch.name), holds);
        assert_true(serving_max_batch(&s, &known_constants) >= holds);
    }
}

static void absurd_settings_are_refused(void **state)
{
    struct arch arch;
    const struct serving good = serving_of("llama-3-8b", "H100", &arch);
    struct serving s;
    struct error err = {0};

    (void)state;
    assert_true(serving_check(&good, &err));
    for (int i = 0; i < 13; i++) {
        s = good;
        s.resolution = i == 9 ? -1 : i == 10 ? 65537 : 0;
        s.passes = i == 11 ? NAN : i == 12 ? 1e300 : 0;
        s.batch = i == 0 ? 0 : i == 1 ? NAN : i == 2 ? 1e300 : 1;
        s.input = i == 3 ? -1 : i == 4 ? INFINITY : 512;
        s.output = i == 5 ? 1e30 : 1;
        s.tensor = i == 6 ? 3 : 1;
        s.gpus = i == 6 ? 4 : i == 7 ? 0 : 1;
        s.pipeline = i == 8 ? 64 : 1;
        assert_false(serving_check(&s, &err));
    }
    s = good;
    s.gpus = s.pipeline = 64;
    assert_false(serving_check(&s, &err)); /* of 32 layers */
    arch.heads = 0;
    assert_false(serving_check(&good, &err));
}

static void is_number(double n)
{
    assert_true(isfinite(n) && n >= 0);
}

/* Simulated, too, where `runs`: that takes a thousand times as long. */
static void nothing_overflows(const struct serving *s, bool runs)
{
    struct error err = {0};
    struct serving_time t;
    struct serving_memory m;
    struct serving_load load;

    if (!serving_check(s, &err))
        return;
    t = (runs ? estimate_serving : estimate_flow)(s, &known_constants);
    m = estimate_serving_memory(s, &known_constants);
    load = estimate_load(s, runs ? 3 : 0, &known_constants);
    assert_true(t.prefill > 0);
    is_number(t.prefill);
    is_number(t.first_token);
    is_number(t.decode);
    is_number(t.request);
    is_number(m.device);
    is_number(serving_max_batch(s, &known_constants));
    is_number(serving_max_context(s, &known_constants));
    is_number(load.max_rate);
    is_number(load.utilization);
    assert_false(isnan(load.first_p50) || isnan(load.request_p99));
    assert_true(load.request_p99 >= load.first_p99);
}

static void extremes_have_answers(void **state)
{
    static const double sizes[] = {0, 1, 100000000};

    (void)state;
    for (size_t i = 0; i < known_catalog.tables[TABLE_MODELS].len; i += 3)
        for (size_t j = 0; j < known_catalog.tables[TABLE_ACCELERATORS].len; j += 7)
            for (unsigned k = 0; k < 54; k++) {
                struct arch arch =
                    arch_of_model(CATALOG_ROW(&known_catalog, TABLE_MODELS, model, i));
                struct serving s = {
                    .arch = &arch,
                    .gpu = CATALOG_ROW(&known_catalog, TABLE_ACCELERATORS, accelerator, j),
                    .gpus = k % 2 == 0 ? 1 : 1 << 20,
                    .tensor = k % 4 == 3 ? 8 : 1,
                    .pipeline = 1,
                    .weights = (enum weights)(k % WEIGHTS_COUNT),
                    .kv = k % 5 == 0 ? WEIGHTS_FP8 : WEIGHTS_FP16,
                    .engine = (enum engine)(k % ENGINE_COUNT),
                    .batch = k % 3 == 0 ? 1 : 1e7,
                    .input = sizes[k / 3 % 3],
                    .output = sizes[k / 9 % 3],
                    .rolling = k / 27 == 1,
                };

                nothing_overflows(&s, (i + j + k) % 101 == 0);
            }
}

int group_infer(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(engines_are_known_by_common_names),
        cmocka_unit_test(steps_are_near_what_an_h200_measures),
        cmocka_unit_test(a_step_reads_the_weights_and_the_cache),
        cmocka_unit_test(tensor_parallel_divides_the_reading_and_adds_latency),
        cmocka_unit_test(few_tokens_visit_few_experts),
        cmocka_unit_test(an_eager_engine_waits_for_the_host),
        cmocka_unit_test(prompts_of_others_come_between_the_tokens),
        cmocka_unit_test(caches_are_as_engines_keep_them),
        cmocka_unit_test(flows_are_near_the_simulation),
        cmocka_unit_test(more_than_fits_waits),
        cmocka_unit_test(memory_is_the_sum_of_its_parts),
        cmocka_unit_test(caches_that_grow_peak_at_the_prompt_or_at_the_end),
        cmocka_unit_test(the_largest_batch_fits_and_the_next_does_not),
        cmocka_unit_test(the_longest_context_fits),
        cmocka_unit_test(narrow_caches_take_less),
        cmocka_unit_test(layers_that_keep_a_state_have_no_cache),
        cmocka_unit_test(latency_grows_with_the_rate_of_requests),
        cmocka_unit_test(models_that_do_not_write_have_one_pass),
        cmocka_unit_test(pictures_have_a_size_and_may_take_many_passes),
        cmocka_unit_test(only_the_decoder_of_two_stacks_writes),
        cmocka_unit_test(held_requests_fit_in_memory),
        cmocka_unit_test(absurd_settings_are_refused),
        cmocka_unit_test(extremes_have_answers),
    };

    return cmocka_run_group_tests(tests, known_load, known_free);
}
