/* What a job leaves open gets its usual value and a note; contradictions are errors. */
#include "known.h"

#include <limits.h>
#include <string.h>

#include "estimate/memory/memory.h"
#include "estimate/model/choose.h"
#include "estimate/model/settings.h"

struct chosen {
    struct job job;
    struct setup setup;
    struct notes notes;
    struct error err;
    bool ok;
};

static struct hardware hardware(const char *gpu, int64_t gpus)
{
    return (struct hardware){.gpu = known_gpu(gpu),
                             .gpus = gpus,
                             .per_node = gpus < 8 ? gpus : 8,
                             .host_bytes = NAN};
}

/* "model=llama-2-7b zero=3": keys and values with blanks between them. */
static void fill(struct job *job, const char *keys)
{
    struct str rest = str_from(keys);
    struct error err = {0};

    assert_true(job_reset(job, &known_arena, &err));
    while (rest.len > 0) {
        struct str value = str_cut(&rest, ' '), key = str_cut(&value, '=');

        if (!job_set(job, key, value, &known_arena, &err))
            fail_msg("%s", err.text);
    }
    if (!job_resolve(job, &known_catalog, (struct str){0}, &known_arena, &err))
        fail_msg("%s", err.text);
}

/* The job must not move: the setting points to its model. */
static void choose(struct chosen *c, const char *keys, const char *gpu, int64_t gpus)
{
    struct hardware hw = hardware(gpu, gpus);

    memset(c, 0, sizeof *c);
    fill(&c->job, keys);
    c->ok = choose_training(&c->job, &hw, &known_constants, &c->setup, &c->notes, &c->err);
}

static const struct setup *chooses(struct chosen *c, const char *keys, const char *gpu,
                                   int64_t gpus)
{
    choose(c, keys, gpu, gpus);
    if (!c->ok)
        fail_msg("%s", c->err.text);
    return &c->setup;
}

static void refuses(const char *keys, const char *gpu, int64_t gpus, const char *words)
{
    struct chosen c;

    choose(&c, keys, gpu, gpus);
    if (c.ok)
        fail_msg("'%s' was not refused", keys);
    assert_int_equal(c.err.kind, ERROR_INPUT);
    if (strstr(c.err.text, words) == NULL)
        fail_msg("'%s' does not say '%s'", c.err.text, words);
}

static bool noted(const struct chosen *c, const char *words)
{
    for (size_t i = 0; i < c->notes.len; i++)
        if (strstr(c->notes.at[i], words) != NULL)
            return true;
    return false;
}

static double room_left(const struct setup *s)
{
    return usable_memory(s->gpu) - estimate_memory(s, &known_constants).device;
}

/* --- what is left open -------------------------------------------------------------------- */

static void notes_its_assumptions(void **state)
{
    static const char *const words[] = {"precision bf16", "optimizer adamw", "micro-batch",
                                        "ZeRO",           "recompute",       "sequences of"};
    struct chosen c;

    (void)state;
    (void)chooses(&c, "model=llama-2-7b", "H100", 8);
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (!noted(&c, words[i]))
            fail_msg("no note about '%s'", words[i]);
}

static void has_no_notes_about_given_values(void **state)
{
    struct chosen c;

    (void)state;
    (void)chooses(&c,
                  "model=llama-2-7b precision=bf16 optimizer=adamw batch=1 zero=3 "
                  "recompute=full sequence=1024 accumulation=1 framework=hf",
                  "H100", 8);
    for (size_t i = 0; i < c.notes.len; i++)
        fail_msg("'%s'", c.notes.at[i]);
}

static void takes_the_precision_of_the_card(void **state)
{
    struct chosen c;

    (void)state;
    assert_int_equal(chooses(&c, "model=gpt2", "H100", 1)->precision, PRECISION_AMP_BF16);
    assert_int_equal(chooses(&c, "model=gpt2 method=lora", "H100", 1)->precision,
                     PRECISION_BF16);
    assert_int_equal(chooses(&c, "model=gpt2", "V100-SXM2-16GB", 1)->precision,
                     PRECISION_AMP_FP16);
    assert_int_equal(chooses(&c, "model=gpt2", "P40", 1)->precision, PRECISION_FP32);
}

/* Without bf16, what fits as it is trains in autocast in plain processes. DeepSpeed, which has
 * no autocast, is for what does not fit otherwise. */
static void leaves_autocast_only_for_memory(void **state)
{
    static const struct {
        const char *keys, *gpu;
        int64_t gpus;
        bool deepspeed;
    } cases[] = {
        {"model=bert-base tokens=20M", "T4", 1, false},
        {"model=bert-base tokens=20M method=lora", "V100-SXM2-16GB", 1, false},
        {"model=qwen2.5-0.5b tokens=20M", "T4", 1, false},
        {"model=qwen2.5-0.5b tokens=20M", "V100-SXM2-16GB", 1, false},
        {"model=qwen2.5-0.5b tokens=20M", "V100", 8, false},
        {"model=bert-base tokens=20M", "V100", 8, false},
        {"model=bert-base tokens=20M method=lora", "V100", 8, false},
        {"model=bert-large tokens=20M", "T4", 4, false},
        {"model=gpt2 tokens=20M method=lora", "T4", 2, false},
        {"model=tinyllama-1.1b tokens=20M", "T4", 1, true},
        {"model=tinyllama-1.1b tokens=20M", "T4", 4, true},
        {"model=llama-2-7b tokens=20M", "V100", 8, true},
        {"model=bert-base tokens=20M zero=1", "V100", 8, true},
        {"model=bert-base tokens=20M framework=deepspeed zero=1", "T4", 4, true},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct chosen c;
        const struct setup *s = chooses(&c, cases[i].keys, cases[i].gpu, cases[i].gpus);
        bool sharded = s->zero > 0 || s->offload != OFFLOAD_NONE;

        if (sharded != cases[i].deepspeed ||
            (s->method == METHOD_FULL && precision_autocast(s->precision) == sharded))
            fail_msg("%s on %lld %s: ZeRO %d, offload %s, %s", cases[i].keys,
                     (long long)cases[i].gpus, cases[i].gpu, s->zero, offload_names[s->offload],
                     precision_names[s->precision]);
    }
}

/* A narrower one loses accuracy: only when it is asked for. */
static void never_chooses_fp8_by_itself(void **state)
{
    struct chosen c;

    (void)state;
    for (size_t i = 0; i < known_catalog.tables[TABLE_ACCELERATORS].len; i++) {
        const struct accelerator *gpu =
            CATALOG_ROW(&known_catalog, TABLE_ACCELERATORS, accelerator, i);
        struct hardware hw = {.gpu = gpu, .gpus = 1, .per_node = 1, .host_bytes = NAN};

        memset(&c, 0, sizeof c);
        fill(&c.job, "model=gpt2");
        if (choose_training(&c.job, &hw, &known_constants, &c.setup, &c.notes, &c.err))
            assert_true(c.setup.precision != PRECISION_FP8 &&
                        c.setup.precision != PRECISION_MXFP8 &&
                        c.setup.precision != PRECISION_FP4);
    }
    assert_int_equal(chooses(&c, "model=gpt2 precision=fp8", "H100", 1)->precision,
                     PRECISION_FP8);
}

/* A 7B model on cards of 40 GB: stage 1 would fill them to the last byte. */
static void shards_rather_than_filling_the_card(void **state)
{
    struct chosen c;
    struct setup s = *chooses(&c, "model=llama-2-7b", "A100-SXM-40GB", 8);
    struct hardware hw = hardware("A100-SXM-40GB", 8);

    (void)state;
    assert_true(setup_fits(&s, &hw, &known_constants));
    assert_int_equal(s.zero, 3);
    assert_int_equal(s.offload, OFFLOAD_NONE);
    s.zero = 1;
    assert_false(setup_fits(&s, &hw, &known_constants));
}

static void recomputes_only_what_does_not_fit(void **state)
{
    struct chosen c;
    struct setup s =
        *chooses(&c, "model=llama-2-7b batch=4 sequence=8192 attention=flash", "H100", 8);

    (void)state;
    assert_int_equal(s.recompute, RECOMPUTE_FULL);
    assert_true(room_left(&s) >= 0);
    s.zero = 3;
    s.recompute = RECOMPUTE_NONE;
    assert_true(room_left(&s) < 0);
}

static void takes_the_largest_batch_that_fits(void **state)
{
    struct chosen c;
    struct setup s = *chooses(&c, "model=llama-2-7b method=lora sequence=2048", "A100", 1);

    (void)state;
    assert_true(s.micro_batch > 1);
    assert_true(room_left(&s) >= 0);
    if (s.micro_batch < 64) {
        s.micro_batch *= 2;
        assert_true(room_left(&s) < 0);
    }
}

static void a_batch_is_no_larger_than_the_global_one(void **state)
{
    struct chosen c;
    const struct setup *s = chooses(&c, "model=gpt2 global_batch=16", "H100", 8);

    (void)state;
    assert_int_equal(s->micro_batch, 2);
    assert_int_equal(s->accumulation, 1);
    s = chooses(&c, "model=gpt2 global_batch=512 batch=4", "H100", 8);
    assert_int_equal(s->accumulation, 16);
    s = chooses(&c, "model=gpt2 global_batch=512 accumulation=8", "H100", 8);
    assert_int_equal(s->micro_batch, 8);
    s = chooses(&c, "model=gpt2 batch=4 accumulation=3", "H100", 8);
    assert_true(setup_global_batch(s) == 96);
}

static void indivisible_batch_is_rounded_up_with_a_note(void **state)
{
    struct chosen c;
    const struct setup *s = chooses(&c, "model=gpt2 global_batch=100 batch=4", "H100", 8);

    (void)state;
    assert_true(setup_global_batch(s) == 128);
    assert_true(noted(&c, "a global batch of 128: 100 does not divide evenly"));
}

static void without_a_fit_the_smallest_need_is_chosen(void **state)
{
    struct chosen c;
    struct setup s = *chooses(&c, "model=llama-2-70b offload=none", "T4", 2);
    double left = room_left(&s);

    (void)state;
    assert_true(left < 0);
    assert_int_equal(s.zero, 3);
    assert_int_equal(s.micro_batch, 1);
    assert_true(noted(&c, "what needs least memory"));
    for (s.zero = 0; s.zero <= 3; s.zero++)
        for (int again = 0; again < RECOMPUTE_COUNT; again++) {
            s.recompute = (enum recompute)again;
            assert_true(room_left(&s) <= left);
        }
}

/* States in the machine's memory are the last resort, and only where it has that much. */
static void offloads_what_fits_no_other_way(void **state)
{
    struct hardware hw = hardware("H100", 8);
    struct chosen c;
    struct setup s = *chooses(&c, "model=llama-3.1-70b tokens=100M", "H100", 8);

    (void)state;
    assert_true(s.offload != OFFLOAD_NONE);
    assert_true(noted(&c, "offload"));
    assert_int_equal(chooses(&c, "model=llama-3.1-70b tokens=100M", "H100", 32)->offload,
                     OFFLOAD_NONE);
    memset(&c, 0, sizeof c);
    fill(&c.job, "model=llama-3.1-70b tokens=100M");
    hw.host_bytes = 256e9;
    assert_true(choose_training(&c.job, &hw, &known_constants, &s, &c.notes, &c.err));
    assert_false(setup_fits(&s, &hw, &known_constants));
}

static void data_parallel_takes_the_gpus_that_are_left(void **state)
{
    struct chosen c;
    const struct setup *s = chooses(&c, "model=llama-2-70b tp=8 pp=2", "H100", 64);

    (void)state;
    assert_int_equal(s->tensor, 8);
    assert_int_equal(s->pipeline, 2);
    assert_int_equal(s->data, 4);
    assert_int_equal(s->shard, 4);
    s = chooses(&c, "model=llama-2-70b tp=8 pp=1 cp=4", "H100", 64);
    assert_int_equal(s->data, 2);
    assert_int_equal(s->shard, 8); /* over the ranks of context parallel too */
}

static void a_pipeline_gets_enough_micro_batches(void **state)
{
    struct chosen c;
    const struct setup *s = chooses(&c, "model=llama-2-70b tp=8 pp=4 batch=1", "H100", 32);

    (void)state;
    assert_int_equal(s->accumulation, 16);
    assert_true(noted(&c, "16"));
    s = chooses(&c, "model=llama-2-70b tp=8 pp=4 batch=1 accumulation=2", "H100", 32);
    assert_int_equal(s->accumulation, 2);
}

static void sequence_length_comes_from_model_or_data(void **state)
{
    struct chosen c;

    (void)state;
    assert_int_equal(chooses(&c, "model=bert-base", "H100", 1)->sequence, 512);
    assert_int_equal(chooses(&c, "model=llama-2-7b", "H100", 1)->sequence, 2048);
    assert_int_equal(
        chooses(&c, "model=llama-2-7b data.example_tokens=700", "H100", 1)->sequence, 700);
    assert_int_equal(chooses(&c, "model=vit_b_16", "H100", 1)->sequence, 197);
    (void)chooses(&c, "model=gpt2 sequence=4096", "H100", 1);
    assert_true(noted(&c, "longer than the 1024 tokens"));
}

static void pictures_have_the_size_that_is_asked_for(void **state)
{
    struct chosen c;

    (void)state;
    assert_int_equal(chooses(&c, "model=resnet50 resolution=448", "H100", 1)->resolution, 448);
    assert_int_equal(chooses(&c, "model=resnet50", "H100", 1)->resolution, 0);
    assert_int_equal(chooses(&c, "model=vit_b_16 resolution=384", "H100", 1)->sequence, 577);
}

static void words_for_recomputing_are_understood(void **state)
{
    struct chosen c;

    (void)state;
    assert_int_equal(chooses(&c, "model=gpt2 recompute=yes", "H100", 1)->recompute,
                     RECOMPUTE_FULL);
    assert_int_equal(chooses(&c, "model=gpt2 recompute=no", "H100", 1)->recompute,
                     RECOMPUTE_NONE);
    assert_int_equal(chooses(&c, "model=gpt2 recompute=selective", "H100", 1)->recompute,
                     RECOMPUTE_SELECTIVE);
}

static void adapters_get_a_rank_and_targets(void **state)
{
    struct chosen c;
    const struct setup *s = chooses(&c, "model=llama-2-7b method=lora", "H100", 1);

    (void)state;
    assert_true(s->rank == 16 && s->targets == TARGET_ALL);
    assert_true(noted(&c, "LoRA of rank 16 on all linear layers"));
    s = chooses(&c, "model=llama-2-7b method=qlora rank=64 targets=q,v", "H100", 1);
    assert_true(s->rank == 64 && s->targets == (TARGET_Q | TARGET_V));
    assert_int_equal(s->base, WEIGHTS_NF4);
    assert_false(noted(&c, "rank"));
}

/* --- contradictions ----------------------------------------------------------------------- */

static void contradictions_are_errors(void **state)
{
    (void)state;
    refuses("model=llama-2-7b tp=16", "H100", 8,
            "tensor 16 x pipeline 1 x context 1 is more than 8 GPUs");
    refuses("model=llama-2-7b tp=3", "H100", 8, "does not divide 8 GPUs");
    refuses("model=llama-2-7b tp=4 dp=4", "H100", 8, "data parallel 4 with the rest is not 8");
    refuses("model=llama-2-7b ep=8", "H100", 8, "expert");
    refuses("model=llama-2-7b shard=16", "H100", 8, "shard");
    refuses("model=llama-2-7b pp=64", "H100", 64, "pipeline");
    refuses("model=gpt2 global_batch=64 batch=8 accumulation=4", "H100", 4,
            "global_batch 64 is not micro_batch 8 x accumulation 4 x data parallel 4");
    refuses("model=gpt2 method=lora targets=gate_proj", "H100", 1, "have no gate");
    refuses("model=gpt2 precision=fp8 tolerance=0.1%", "H100", 1, "tolerated");
    refuses("model=gpt2", "Gaudi1", 1, "how fast Gaudi1 computes is not published");
}

static void whatever_is_chosen_is_possible(void **state)
{
    static const int64_t counts[] = {1, 2, 3, 8, 24, 64, 1000, 100000};

    (void)state;
    for (size_t i = 0; i < known_catalog.tables[TABLE_MODELS].len; i += 7)
        for (size_t n = 0; n < ARRAY_LEN(counts); n++) {
            struct hardware hw = hardware("A100", counts[n]);
            struct chosen c = {.ok = false};

            assert_true(job_reset(&c.job, &known_arena, &c.err));
            c.job.arch = arch_of_model(CATALOG_ROW(&known_catalog, TABLE_MODELS, model, i));
            if (!choose_training(&c.job, &hw, &known_constants, &c.setup, &c.notes, &c.err))
                fail_msg("%.*s: %s", STR_ARG(c.job.arch.name), c.err.text);
            assert_true(setup_check(&c.setup, &c.err));
            assert_int_equal(c.setup.gpus, counts[n]);
        }
}

static void notes_stop_when_there_is_no_more_room(void **state)
{
    struct notes notes = {.len = 0};

    (void)state;
    for (int i = 0; i < MAX_NOTES + 5; i++)
        note(&notes, "%0300d", i);
    assert_int_equal(notes.len, MAX_NOTES);
    assert_int_equal(strlen(notes.at[0]), sizeof notes.at[0] - 1);
    note(NULL, "ignored");
}

/* --- serving ------------------------------------------------------------------------------ */

static bool serve(const char *keys, const char *gpu, int64_t gpus, struct serving *s,
                  struct notes *notes, struct error *err)
{
    static struct job job;
    struct hardware hw = hardware(gpu, gpus);
    struct str rest = str_from(keys);

    *notes = (struct notes){.len = 0};
    *err = (struct error){0};
    assert_true(job_reset(&job, &known_arena, err));
    job.kind = JOB_INFER;
    while (rest.len > 0) {
        struct str value = str_cut(&rest, ' '), key = str_cut(&value, '=');

        if (!job_set(&job, key, value, &known_arena, err))
            fail_msg("%s", err->text);
    }
    if (!job_resolve(&job, &known_catalog, (struct str){0}, &known_arena, err))
        fail_msg("%s", err->text);
    return choose_serving(&job, &hw, &known_constants, s, notes, err);
}

static void serving_takes_the_cheapest_split(void **state)
{
    struct notes notes;
    struct serving s;
    struct error err;

    (void)state;
    assert_true(serve("model=llama-3.1-8b", "H100", 4, &s, &notes, &err));
    assert_int_equal(s.tensor, 1);
    assert_true(serve("model=llama-3-70b", "H100", 8, &s, &notes, &err));
    assert_int_equal(s.tensor, 4);
    assert_true(s.rolling && s.batch == 512); /* 1024 make less than 3 % more */
    assert_int_equal(s.weights, WEIGHTS_FP16);
    assert_true(s.input == 512 && s.output == 128);
    assert_true(notes.len >= 3);
    assert_true(serve("model=llama-3.1-8b rate=1", "H100", 8, &s, &notes, &err));
    assert_int_equal(s.tensor, 1); /* the fewest that keep up */
    assert_true(
        serve("model=qwen2.5-7b weights=fp32 input=30000", "RTX4090", 8, &s, &notes, &err));
    assert_int_equal(28 % s.tensor, 0); /* heads */
    assert_true(serve("model=llama-2-70b tensor=2 weights=int4 input=100 output=10 batch=7",
                      "H100", 4, &s, &notes, &err));
    assert_true(s.tensor == 2 && s.gpus == 2 && s.batch == 7);
    assert_int_equal(s.weights, WEIGHTS_INT4);
    assert_false(serve("model=llama-2-70b tensor=8", "H100", 4, &s, &notes, &err));
    assert_non_null(strstr(err.text, "there are 4 GPUs"));
}

/* Requests come and go at a server, unless one batch is asked for. */
static void a_server_is_kept_busy(void **state)
{
    struct notes notes;
    struct serving s;
    struct error err;

    (void)state;
    assert_true(serve("model=llama-3.1-8b concurrency=24", "H100", 1, &s, &notes, &err));
    assert_true(s.rolling && s.batch == 24);
    assert_true(serve("model=llama-3.1-8b concurrency=24", "H100", 4, &s, &notes, &err));
    assert_true(s.batch == 6.0 * (double)s.gpus); /* copies share them */
    assert_true(serve("model=llama-3.1-8b concurrency=100000", "T4", 1, &s, &notes, &err));
    assert_true(s.rolling && s.batch == 100000); /* most of them wait */
    assert_true(serve("model=llama-3.1-8b batch=24", "H100", 1, &s, &notes, &err));
    assert_true(!s.rolling && s.batch == 24);
    assert_true(
        serve("model=llama-3.1-8b framework=transformers", "H100", 1, &s, &notes, &err));
    assert_false(s.rolling);
    assert_true(serve("model=bert-base", "H100", 1, &s, &notes, &err));
    assert_false(s.rolling);
}

/* As many as fit, where twice as many do not: at their mean length, since some have just begun.
 * */
static void a_server_takes_what_fits(void **state)
{
    struct notes notes;
    struct serving s;
    struct error err;

    (void)state;
    assert_true(
        serve("model=llama-3.1-8b input=2000 output=2000", "A10G", 1, &s, &notes, &err));
    assert_true(s.batch == floor(serving_max_batch(&s, &known_constants)));
    assert_true(s.batch > serving_holds(&s, &known_constants));
}

/* TensorRT-LLM's recipes quantize the cache along with the weights. */
static void the_cache_follows_the_weights_of_a_recipe(void **state)
{
    struct notes notes;
    struct serving s;
    struct error err;

    (void)state;
    assert_true(
        serve("model=llama-3.1-8b weights=fp8 framework=trtllm", "H100", 1, &s, &notes, &err));
    assert_int_equal(s.kv, WEIGHTS_FP8);
    assert_true(serve("model=llama-3.1-8b weights=fp8 framework=trtllm kv=fp16", "H100", 1, &s,
                      &notes, &err));
    assert_int_equal(s.kv, WEIGHTS_FP16);
    assert_true(serve("model=llama-3.1-8b weights=fp8", "H100", 1, &s, &notes, &err));
    assert_int_equal(s.kv, WEIGHTS_FP16);
}

/* Few tokens for each parameter, and yet more than any fine-tuning has. */
static void many_tokens_are_training_from_scratch(void **state)
{
    struct chosen c;

    (void)state;
    assert_int_equal(chooses(&c, "model=opt-175b data.tokens=300B", "A100", 992)->stack,
                     STACK_MEGATRON);
    assert_int_equal(chooses(&c, "model=opt-175b data.tokens=90B", "A100", 992)->stack,
                     STACK_HF);
}

/* ---- against everything there is ---- */

/* Jobs on hardware: dense models, mixtures of experts, adapters; 1 to 4,096 GPUs. */
static const struct pair {
    const char *keys, *gpu;
    int64_t gpus;
} pairs[] = {
    {"model=gpt2 tokens=100M", "T4", 1},
    {"model=gpt2 tokens=10B", "RTX4090", 2},
    {"model=bert-base tokens=1B", "V100", 8},
    {"model=llama-3.2-1b tokens=50M", "L4", 1},
    {"model=llama-3.2-1b tokens=1T", "H100", 64},
    {"model=llama-3.2-3b tokens=50M", "A100-SXM-40GB", 4},
    {"model=llama-2-7b tokens=100M", "A100-SXM-40GB", 8},
    {"model=llama-2-7b tokens=2T", "A100", 1024},
    {"model=llama-3.1-8b tokens=10M", "H100", 1},
    {"model=llama-3.1-8b tokens=10M", "H100", 8},
    {"model=llama-3.1-8b tokens=1B sequence=16384", "H100", 8},
    {"model=llama-3.1-8b tokens=1B sequence=131072 framework=megatron", "H100", 16},
    {"model=llama-3.1-8b tokens=15T sequence=8192", "H100", 2048},
    {"model=llama-3.1-8b method=lora tokens=10M", "H100", 1},
    {"model=llama-3.1-8b method=lora tokens=10M", "L4", 2},
    {"model=llama-3.1-8b method=qlora tokens=10M", "RTX4090", 1},
    {"model=llama-3.1-70b method=lora tokens=100M", "H100", 8},
    {"model=llama-3.1-70b method=qlora tokens=100M", "A100", 2},
    {"model=llama-3.1-70b tokens=100M", "H100", 8},
    {"model=llama-3.1-70b tokens=1B", "H100", 32},
    {"model=llama-3.1-70b tokens=15T sequence=8192", "H100", 512},
    {"model=llama-3.1-405b tokens=1B", "H200", 128},
    {"model=llama-3.1-405b tokens=15T sequence=8192", "H100", 4096},
    {"model=llama-3.1-405b tokens=15T sequence=8192 pp=16", "H100", 4096},
    {"model=opt-175b tokens=180B tp=8", "A100", 992},
    {"model=opt-175b tokens=180B", "A100", 1024},
    {"model=bloom tokens=366B", "A100", 384},
    {"model=gpt-neox-20b tokens=400B", "A100", 96},
    {"model=qwen2.5-14b tokens=1B framework=deepspeed", "A100", 16},
    {"model=mistral-7b tokens=20M", "A10G", 4},
    {"model=mixtral-8x7b tokens=1T", "H100", 64},
    {"model=mixtral-8x7b method=lora tokens=50M", "A100", 4},
    {"model=mixtral-8x7b tokens=100M", "H100", 16},
    {"model=qwen3-30b-a3b tokens=1T", "H100", 128},
    {"model=deepseek-v3 tokens=14.8T", "H100", 2048},
    {"model=resnet-50 samples=100M", "A100", 8},
    {"model=vit-b-16 samples=100M", "H100", 8},
    {"model=t5-large tokens=1B", "A100", 8},
    {"model=llama-3.1-8b global_batch=96 tokens=100M", "H100", 6},
    {"model=gemma-2b tokens=6T", "H100", 256},
};

/* The least hours of any setting in the space, and of any that is simpler than `than`. */
static double least_hours(const struct space *s, const struct hardware *hw, int than)
{
    struct shape shape = {0};
    double least = INFINITY;

    while (space_next_shape(s, &shape)) {
        struct micro micros[SPACE_MICROS];
        struct zero zeros[SPACE_ZEROS];
        enum recompute recomputes[SPACE_WAYS];
        enum offload offloads[SPACE_WAYS];
        size_t micro_count = space_micros(s, &shape, micros);
        size_t zero_count = space_zeros(s, &shape, zeros);
        size_t ways = space_recomputes(s, shape.stack, recomputes);

        for (size_t i = 0; i < micro_count * zero_count; i++) {
            struct zero zero = zeros[i % zero_count];
            struct setup setup = space_setup(s, &shape, micros[i / zero_count], zero);
            size_t loads = space_offloads(s, &shape, &setup, offloads);

            for (size_t k = 0; k < ways * loads; k++) {
                setup.recompute = recomputes[k % ways];
                space_offload(s, offloads[k / ways], &setup);
                if (setup_complexity(&setup) < than && setup_fits(&setup, hw, s->constants))
                    least = fmin(least, space_hours(s, &setup,
                                                    estimate_step(&setup, s->constants).total));
            }
        }
    }
    return least;
}

static void is_within_3_percent_of_everything_and_the_simplest(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(pairs); i++) {
        struct hardware hw = hardware(pairs[i].gpu, pairs[i].gpus);
        struct chosen c;
        struct space space;
        double hours, best, simpler;

        (void)chooses(&c, pairs[i].keys, pairs[i].gpu, pairs[i].gpus);
        assert_true(space_open(&c.job, &known_constants, &hw, true, &space, &c.err));
        space.rounds = isinf(least_hours(&space, &hw, INT_MAX));
        best = least_hours(&space, &hw, INT_MAX);
        simpler = least_hours(&space, &hw, setup_complexity(&c.setup));
        hours = space_hours(&space, &c.setup, estimate_step(&c.setup, &known_constants).total);
        if (!setup_fits(&c.setup, &hw, &known_constants) || !(hours <= 1.03 * best))
            fail_msg("%s on %lld %s: %g hours, and the best are %g", pairs[i].keys,
                     (long long)pairs[i].gpus, pairs[i].gpu, hours, best);
        if (simpler <= 1.03 * best)
            fail_msg("%s on %lld %s: a simpler setting takes %g hours, this %g", pairs[i].keys,
                     (long long)pairs[i].gpus, pairs[i].gpu, simpler, hours);
    }
}

/* Trainings that were published, and part of the hardware that they used. */
static void large_trainings_use_the_hardware(void **state)
{
    static const struct {
        const char *keys, *gpu;
        int64_t gpus;
        double mfu;
    } large[] = {
        {"model=deepseek-v3 tokens=14.8T", "H100", 2048, 0.2},
        {"model=llama-3.1-405b tokens=15.6T sequence=8192", "H100", 16384, 0.35},
        {"model=llama-3.1-405b tokens=15.6T sequence=8192 pp=16", "H100", 16384, 0.35},
        {"model=opt-175b tp=8", "A100", 992, 0.4},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(large); i++) {
        struct chosen c;
        const struct setup *s = chooses(&c, large[i].keys, large[i].gpu, large[i].gpus);
        struct step step = estimate_step(s, &known_constants);
        double mfu = step.model_flop / step.total / peak_flops(s->gpu, PRECISION_BF16);

        if (mfu < large[i].mfu)
            fail_msg("%s: MFU %.3f", large[i].keys, mfu);
    }
}

/* 131,072 tokens of llama-3-8b have 168 GB of logits in code that does not split sequences. */
static void long_sequences_get_software_that_splits_them(void **state)
{
    struct chosen c;
    const struct setup *s =
        chooses(&c, "model=llama-3-8b sequence=131072 data.tokens=1B", "H100-SXM-80GB", 8);

    (void)state;
    assert_int_equal(s->stack, STACK_MEGATRON);
    assert_true(s->context > 1);
    assert_true(estimate_memory(s, &known_constants).device < usable_memory(s->gpu));
    s = chooses(&c, "model=llama-3-8b sequence=16384 data.tokens=1B", "H100-SXM-80GB", 8);
    assert_int_equal(s->stack, STACK_HF);
    /* what the user names stays */
    choose(&c, "model=llama-3-8b sequence=131072 data.tokens=1B framework=hf", "H100-SXM-80GB",
           8);
    assert_int_equal(c.setup.stack, STACK_HF);
}

int group_choose(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(notes_its_assumptions),
        cmocka_unit_test(has_no_notes_about_given_values),
        cmocka_unit_test(takes_the_precision_of_the_card),
        cmocka_unit_test(leaves_autocast_only_for_memory),
        cmocka_unit_test(never_chooses_fp8_by_itself),
        cmocka_unit_test(shards_rather_than_filling_the_card),
        cmocka_unit_test(recomputes_only_what_does_not_fit),
        cmocka_unit_test(takes_the_largest_batch_that_fits),
        cmocka_unit_test(a_batch_is_no_larger_than_the_global_one),
        cmocka_unit_test(indivisible_batch_is_rounded_up_with_a_note),
        cmocka_unit_test(without_a_fit_the_smallest_need_is_chosen),
        cmocka_unit_test(data_parallel_takes_the_gpus_that_are_left),
        cmocka_unit_test(a_pipeline_gets_enough_micro_batches),
        cmocka_unit_test(sequence_length_comes_from_model_or_data),
        cmocka_unit_test(pictures_have_the_size_that_is_asked_for),
        cmocka_unit_test(words_for_recomputing_are_understood),
        cmocka_unit_test(adapters_get_a_rank_and_targets),
        cmocka_unit_test(many_tokens_are_training_from_scratch),
        cmocka_unit_test(contradictions_are_errors),
        cmocka_unit_test(whatever_is_chosen_is_possible),
        cmocka_unit_test(notes_stop_when_there_is_no_more_room),
        cmocka_unit_test(serving_takes_the_cheapest_split),
        cmocka_unit_test(a_server_is_kept_busy),
        cmocka_unit_test(a_server_takes_what_fits),
        cmocka_unit_test(the_cache_follows_the_weights_of_a_recipe),
        cmocka_unit_test(offloads_what_fits_no_other_way),
        cmocka_unit_test(is_within_3_percent_of_everything_and_the_simplest),
        cmocka_unit_test(large_trainings_use_the_hardware),
        cmocka_unit_test(long_sequences_get_software_that_splits_them),
    };

    return cmocka_run_group_tests(tests, known_load, known_free);
}
