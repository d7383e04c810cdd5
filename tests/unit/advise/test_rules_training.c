/* Each rule: a job that it applies to, with the saving that two estimates of its own give; one
 * that it must not apply to; and one at its threshold. */
#include "job_case.h"

#include <stdio.h>

#define COMPRESS_SHARE 0.2 /* of a step: the rule's */

#define BERT "model=bert-base data.examples=1M sequence=128 goodput=off "
#define LLAMA "model=llama-2-7b data.tokens=25M sequence=2048 goodput=off "
#define RESNET "model=resnet-50 data.examples=1.28M goodput=off "

static struct job_case it; /* large, and may not move */

static void train(const char *keys, const char *gpu, int64_t gpus)
{
    case_open(&it, JOB_TRAIN, keys, case_place(gpu, gpus, 10));
}

/* The cost of the job with the setting that it has, but for these keys. */
static double cost_with(const char *keys, int64_t micro_batch)
{
    char all[400];

    (void)snprintf(all, sizeof all, "%s micro_batch=%lld global_batch=%.0f zero=%lld%s%s%s%s",
                   keys, (long long)micro_batch, it.base.global_batch, (long long)it.base.zero,
                   strstr(keys, "recompute=") != NULL ? "" : " recompute=",
                   strstr(keys, "recompute=") != NULL ? "" : recompute_names[it.base.recompute],
                   strstr(keys, "offload=") != NULL ? "" : " offload=",
                   strstr(keys, "offload=") != NULL ? "" : offload_names[it.base.offload]);
    return case_cost(&it, all);
}

/* The rule saves what the job costs less with these keys, at the same batch. */
static void saves(const char *rule, const char *keys)
{
    case_saves(&it, rule, usd_double(it.base.total) - cost_with(keys, it.base.micro_batch));
}

static void mixed_precision(void **state)
{
    (void)state;
    train(BERT "precision=fp32", "H100", 1);
    saves("mixed-precision", BERT "precision=amp-bf16");
    /* $10 an hour and nothing but steps: the saving is that of the hours. */
    assert_near(usd_double(it.base.total), 10 * it.base.hours.value, 1e-6);
    train(BERT "precision=fp32", "V100", 1); /* no bf16 */
    saves("mixed-precision", BERT "precision=amp-fp16");
    train(BERT "precision=amp-bf16", "H100", 1);
    case_none(&it, "mixed-precision");
    train(BERT "precision=tf32", "H100", 1); /* the narrowest that is wide */
    saves("mixed-precision", BERT "precision=amp-bf16");
}

static void micro_batch(void **state)
{
    (void)state;
    train(BERT "micro_batch=1 global_batch=64", "H100", 1);
    case_saves(&it, "micro-batch", usd_double(it.base.total) - cost_with(BERT, 64));
    assert_non_null(strstr(case_finding(&it, "micro-batch")->action.at,
                           "per_device_train_batch_size=64, gradient_accumulation_steps=1"));
    train(BERT, "H100", 1); /* left open: chosen well */
    case_none(&it, "micro-batch");
    train(BERT "micro_batch=64 global_batch=64", "H100", 1);
    case_none(&it, "micro-batch");
    train(BERT "micro_batch=1 global_batch=1", "H100", 1); /* nothing to put together */
    case_none(&it, "micro-batch");
}

/* Accumulation that is given is the micro-batch's other half. */
static void accumulation(void **state)
{
    (void)state;
    train(BERT "micro_batch=2 accumulation=32", "H100", 1);
    case_saves(&it, "micro-batch", usd_double(it.base.total) - cost_with(BERT, 64));
}

static void recomputation(void **state)
{
    (void)state;
    train(LLAMA "recompute=full", "H100", 8);
    saves("recomputation", LLAMA "recompute=none");
    train(LLAMA "recompute=none", "H100", 8);
    case_none(&it, "recomputation");
    train("model=llama-2-7b data.tokens=25M sequence=16384 goodput=off recompute=full zero=3 "
          "micro_batch=1",
          "A100-SXM-40GB", 8); /* needs it: nothing less fits */
    assert_true(it.base.fits);
    case_none(&it, "recomputation");
}

/* 36 GB of states leave nothing of 40 GB for activations: recomputed, there is room. */
static void recompute_smaller(void **state)
{
    struct estimate_place small[2];
    const char *keys = "model=llama-2-7b data.tokens=25M sequence=8192 goodput=off zero=3 "
                       "micro_batch=1 global_batch=8 recompute=";
    char none[160], full[160];
    double cost;

    (void)state;
    small[0] = case_place("A100-SXM-40GB", 8, 8);
    small[1] = case_place("L4", 1, 0.1); /* never fits */
    (void)snprintf(none, sizeof none, "%snone", keys);
    (void)snprintf(full, sizeof full, "%sfull", keys);
    case_open(&it, JOB_TRAIN, full, small[0]);
    assert_true(it.base.fits);
    cost = usd_double(it.base.total);
    train(none, "A100", 8);
    it.place.price.nano *= 2; /* $20 an hour */
    case_open(&it, JOB_TRAIN, none, it.place);
    it.advise.places = (struct rows){small, 2};
    case_saves(&it, "recompute-smaller-gpu", usd_double(it.base.total) - cost);
    case_open(&it, JOB_TRAIN, none, it.place); /* no other machine is known */
    case_none(&it, "recompute-smaller-gpu");
    case_open(&it, JOB_TRAIN, none, it.place);
    small[0] = case_place("H100", 8, 8); /* holds it as it is: no matter of recomputation */
    it.advise.places = (struct rows){small, 2};
    case_none(&it, "recompute-smaller-gpu");
}

static void zero_stage(void **state)
{
    double least = 1e9;

    (void)state;
    train(BERT "zero=3 global_batch=512", "A100", 8);
    for (int stage = 0; stage < 3; stage++) {
        char keys[200];

        (void)snprintf(keys, sizeof keys,
                       BERT "zero=%d micro_batch=%lld global_batch=512 recompute=%s", stage,
                       (long long)it.base.micro_batch, recompute_names[it.base.recompute]);
        least = fmin(least, case_cost(&it, keys));
    }
    case_saves(&it, "zero-stage", usd_double(it.base.total) - least);
    train(BERT "global_batch=512", "A100", 8);
    case_none(&it, "zero-stage");
    train(BERT "zero=0", "A100", 1); /* nothing to share with */
    case_none(&it, "zero-stage");
}

static void no_offload(void **state)
{
    (void)state;
    train(LLAMA "zero=3 offload=all", "H100", 8);
    saves("no-offload", LLAMA "zero=3 offload=none");
    train(LLAMA "zero=3", "H100", 8);
    case_none(&it, "no-offload");
    train("model=llama-2-13b data.tokens=25M goodput=off offload=optimizer", "A100", 1);
    case_none(&it, "no-offload"); /* 16 bytes x 13 billion do not fit */
}

static void flash_attention(void **state)
{
    (void)state;
    train(LLAMA "attention=plain", "H100", 8);
    saves("flash-attention", LLAMA "attention=flash");
    train(LLAMA "attention=flash", "H100", 8);
    case_none(&it, "flash-attention");
    train("model=bert-base data.examples=1M sequence=16 goodput=off attention=plain", "H100",
          1); /* scores of 16 x 16: it saves less than 3 % */
    case_none(&it, "flash-attention");
}

static void compile(void **state)
{
    (void)state;
    train(LLAMA, "H100", 8);
    saves("compile", LLAMA "compile=yes");
    train(LLAMA "compile=yes", "H100", 8);
    case_none(&it, "compile");
    train(LLAMA "compile=no", "H100", 8); /* it was decided */
    case_none(&it, "compile");
    train(LLAMA "framework=megatron", "H100", 8);
    case_none(&it, "compile");
}

/* 128,000 words: without their logits in memory a larger micro-batch fits, or less is
 * recomputed or offloaded. What the job leaves open is chosen for each. */
#define LLAMA3 "model=llama-3-8b method=lora data.tokens=25M goodput=off "

static void fused_loss(void **state)
{
    char keys[160];

    (void)state;
    train(LLAMA3, "RTX4090", 1);
    (void)snprintf(keys, sizeof keys, LLAMA3 "loss=fused global_batch=%.0f",
                   it.base.global_batch);
    case_saves(&it, "fused-loss", usd_double(it.base.total) - case_cost(&it, keys));
    assert_non_null(
        strstr(case_finding(&it, "fused-loss")->action.at, "use_liger_kernel=True"));
    train(LLAMA3 "loss=fused", "RTX4090", 1);
    case_none(&it, "fused-loss");
    train(BERT, "H100", 1); /* no decoder */
    case_none(&it, "fused-loss");
    /* 50,000 words of a small model fit beside it: less memory, but not 3 % less time. */
    train("model=gpt2 data.tokens=25M goodput=off", "H100", 1);
    case_none(&it, "fused-loss");
}

static void channels_last(void **state)
{
    (void)state;
    train(RESNET, "A100", 1);
    saves("channels-last", RESNET "layout=channels-last");
    train(RESNET "layout=channels-last", "A100", 1);
    case_none(&it, "channels-last");
    train(BERT, "A100", 1);
    case_none(&it, "channels-last");
}

static void cached_latents(void **state)
{
    (void)state;
    train("model=sdxl data.examples=1000 epochs=10 method=lora goodput=off", "A100", 1);
    saves("cached-latents",
          "model=sdxl data.examples=1000 epochs=10 method=lora goodput=off latents=cached");
    train("model=sdxl data.examples=1000 method=lora goodput=off latents=cached", "A100", 1);
    case_none(&it, "cached-latents");
}

static void framework(void **state)
{
    const struct finding *f;

    (void)state;
    train(LLAMA "method=lora", "H100", 1);
    saves("framework", LLAMA "method=lora framework=fsdp");
    train(LLAMA "framework=fsdp", "H100", 8);
    case_none(&it, "framework");
    /* Megatron is offered from 8 GPUs on. */
    train(LLAMA "framework=deepspeed", "A100", 8);
    assert_non_null(strstr(case_finding(&it, "framework")->action.at, "framework=megatron"));
    train(LLAMA "framework=deepspeed", "A100", 4);
    f = case_finding(&it, "framework");
    assert_true(f == NULL || strstr(f->action.at, "framework=megatron") == NULL);
    train(RESNET, "H100", 1);
    case_none(&it, "framework");
}

/* Two machines with slow Ethernet between them. */
#define SLOW BERT "epochs=3 framework=eager global_batch=256 "

static double share_of(const char *part)
{
    const struct estimate_part *parts = it.base.step.at;

    for (size_t i = 0; i < it.base.step.len; i++)
        if (str_eq(parts[i].name, str_from(part)))
            return parts[i].share;
    return 0;
}

static void larger_batch(void **state)
{
    char keys[200];

    (void)state;
    train(SLOW, "A100", 16);
    (void)snprintf(keys, sizeof keys,
                   BERT "epochs=3 framework=eager global_batch=1024 micro_batch=%lld zero=%lld "
                        "recompute=none",
                   (long long)it.base.micro_batch, (long long)it.base.zero);
    case_saves(&it, "larger-batch", usd_double(it.base.total) - case_cost(&it, keys));
    train(BERT "epochs=3 framework=eager global_batch=256", "A100", 1); /* no exchange */
    case_none(&it, "larger-batch");
    train(BERT "framework=eager global_batch=1024", "A100", 16); /* 977 steps: 489 are left */
    case_none(&it, "larger-batch");
}

static void gradient_compression(void **state)
{
    char keys[200];

    (void)state;
    train(SLOW, "A100", 16);
    (void)snprintf(keys, sizeof keys,
                   SLOW "optimizer=adamw-1bit micro_batch=%lld zero=0 recompute=none",
                   (long long)it.base.micro_batch);
    case_saves(&it, "gradient-compression", usd_double(it.base.total) - case_cost(&it, keys));
    train(SLOW, "A100", 8); /* one machine: no network */
    case_none(&it, "gradient-compression");
    train(SLOW "optimizer=sgd", "A100", 16);
    case_none(&it, "gradient-compression");
}

/* With ever faster networks: it applies where gradients take 20 % of a step and it saves 3 % of
 * the cost, and nowhere else. */
static void gradients_of_a_fifth_of_a_step(void **state)
{
    struct estimate_place place = case_place("A100", 16, 10);
    bool above = false, below = false;
    char keys[200];

    (void)state;
    for (; !below; place.hardware.network_gb_s *= 1.1) {
        double share, saving;

        case_open(&it, JOB_TRAIN, SLOW, place);
        share = share_of("data parallel");
        (void)snprintf(keys, sizeof keys,
                       SLOW "optimizer=adamw-1bit micro_batch=%lld zero=0 recompute=none",
                       (long long)it.base.micro_batch);
        saving = usd_double(it.base.total) - case_cost(&it, keys);
        above = above || share >= COMPRESS_SHARE;
        below = share < COMPRESS_SHARE;
        if (share >= COMPRESS_SHARE && saving >= 0.03 * usd_double(it.base.total))
            case_saves(&it, "gradient-compression", saving);
        else
            case_none(&it, "gradient-compression");
    }
    assert_true(above);
}

static void lora(void **state)
{
    (void)state;
    train(LLAMA, "A100", 16);
    saves("lora", LLAMA "method=lora");
    train(LLAMA "method=lora", "A100", 8);
    case_none(&it, "lora");
    /* 5 tokens of each of 6.74 billion parameters are training from scratch. */
    train("model=llama-2-7b data.tokens=34B goodput=off", "H100", 64);
    case_none(&it, "lora");
    train(RESNET, "A100", 1); /* no adapters */
    case_none(&it, "lora");
}

/* The search of 100 full runs costs 100 times the run: of $x in all, 100/101. */
static void search(void **state)
{
    double run;

    (void)state;
    train(LLAMA "method=lora search.trials=100", "H100", 1);
    run = usd_double(it.base.total) / 101;
    /* Rungs of 100, 33 and 11 trials: 100/9 + 33 (1/3 - 1/9) + 11 (1 - 1/3) = 25.78 runs. */
    case_saves(&it, "stop-trials", run * (100 - (100 / 9.0 + 33 * 2 / 9.0 + 11 * 2 / 3.0)));
    case_saves(&it, "fewer-trials", run * (100 - 59));
    train(LLAMA "method=lora search.trials=60", "H100", 1);
    case_saves(&it, "fewer-trials", usd_double(it.base.total) / 61);
    train(LLAMA "method=lora search.trials=59", "H100", 1);
    case_none(&it, "fewer-trials");
    train(LLAMA "method=lora search.trials=100 search.scheme=asha", "H100", 1);
    case_none(&it, "stop-trials");
    case_none(&it, "fewer-trials");
    train(LLAMA "method=lora search.trials=1", "H100", 1);
    case_none(&it, "stop-trials");
}

static void pilot(void **state)
{
    double tenth;

    (void)state;
    train(LLAMA "method=lora global_batch=8", "H100", 1);
    case_none(&it, "pilot"); /* how likely it works is not said */
    tenth = case_cost(&it, "model=llama-2-7b data.tokens=2500000 sequence=2048 goodput=off "
                           "method=lora global_batch=8");
    it.given.experiment.chance = 0.5;
    case_open(&it, JOB_TRAIN, LLAMA "method=lora global_batch=8", it.place);
    it.given.experiment.chance = 0.5;
    case_saves(&it, "pilot", 0.5 * usd_double(it.base.total) - tenth);
    case_open(&it, JOB_TRAIN, LLAMA "method=lora global_batch=8", it.place);
    it.given.experiment.chance = 0.9; /* 10 % of the cost is not more than the pilot's */
    case_none(&it, "pilot");
}

/* What cannot run, or has no price, or no end, is not compared. */
static void unknown(void **state)
{
    struct estimate_place place = case_place("H100", 8, 10);

    (void)state;
    train("model=llama-2-70b data.tokens=25M precision=fp32 goodput=off offload=none", "L4", 1);
    assert_false(it.base.fits);
    case_none(&it, "mixed-precision");
    place.price = USD_PER_HOUR_UNKNOWN;
    case_open(&it, JOB_TRAIN, LLAMA "recompute=full", place);
    case_none(&it, "recomputation");
    train("model=llama-2-7b recompute=full goodput=off", "H100", 8); /* no data */
    case_none(&it, "recomputation");
}

int group_rules_training(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mixed_precision),
        cmocka_unit_test(micro_batch),
        cmocka_unit_test(accumulation),
        cmocka_unit_test(recomputation),
        cmocka_unit_test(recompute_smaller),
        cmocka_unit_test(zero_stage),
        cmocka_unit_test(no_offload),
        cmocka_unit_test(flash_attention),
        cmocka_unit_test(compile),
        cmocka_unit_test(fused_loss),
        cmocka_unit_test(channels_last),
        cmocka_unit_test(cached_latents),
        cmocka_unit_test(framework),
        cmocka_unit_test(larger_batch),
        cmocka_unit_test(gradient_compression),
        cmocka_unit_test(gradients_of_a_fifth_of_a_step),
        cmocka_unit_test(lora),
        cmocka_unit_test(search),
        cmocka_unit_test(pilot),
        cmocka_unit_test(unknown),
    };

    return cmocka_run_group_tests(tests, case_load, case_free);
}
