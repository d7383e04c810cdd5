#include "jobs.h"

#include "base/fs.h"

/* The example of the design, word for word. */
static const char design[] =
    "name: llama-7b-finetune\n"
    "train:                          # or infer: {model, rate: 20/s}\n"
    "  model: llama-2-7b\n"
    "  method: lora                  # full | lora | qlora\n"
    "  data: {examples: 50000, tokens: 512, size: 50GB, at: aws/us-east-1}\n"
    "  epochs: 3\n"
    "  global_batch: 128\n"
    "  checkpoint: {resume: yes, size: 1GB, save: 20s, restart: 5min}\n"
    "limits:\n"
    "  budget: $100\n"
    "  deadline: 24h\n"
    "  market: any                   # on-demand | spot | any\n"
    "  max_interruption_risk: 20%\n"
    "  providers: [aws, lambda]\n"
    "  gpus: [A100, H100]\n"
    "  regions: [us-*, eu-west-1]\n";

static void reads_the_job_of_the_design(void **state)
{
    struct job job = resolved(design);

    (void)state;
    assert_str_equal(job.name, "llama-7b-finetune");
    assert_int_equal(job.kind, JOB_TRAIN);
    assert_str_equal(job.train.method, "lora");
    assert_true(job.train.data.examples == 50000 && job.train.data.example_tokens == 512);
    assert_true(isnan(job.train.data.tokens));
    assert_true(job.train.data.size.n == 50000000000u);
    assert_str_equal(job.train.data.at, "aws/us-east-1");
    assert_true(job.train.epochs == 3 && job.train.global_batch == 128);
    assert_str_equal(job.train.checkpoint.resume, "yes");
    assert_true(job.train.checkpoint.restart.ns == 300 * INT64_C(1000000000));
    assert_true(job.limits.budget.nano == 100 * INT64_C(1000000000));
    assert_true(job.limits.deadline.ns == 24 * SPAN_HOUR);
    assert_true(job.limits.max_interruption_risk == 0.2);
    assert_int_equal(job.limits.providers.len, 2);
    assert_str_equal(job.limits.regions.at[0], "us-*");
    assert_true(job.arch_known && job.arch.layers == 32);
    assert_true(job_tokens(&job) == 50000.0 * 512 * 3 && job_samples(&job) == 150000);
}

static void missing_keys_are_unknown(void **state)
{
    struct job job = job_of("train: {model: gpt2}");

    (void)state;
    assert_int_equal(job.train.sequence, -1);
    assert_int_equal(job.train.parallel.zero, -1);
    assert_int_equal(job.train.shape.layers, -1);
    assert_true(isnan(job.train.epochs) && isnan(job.train.data.tokens));
    assert_null(job.train.precision.at);
    assert_null(job.train.checkpoint.resume.at);
    assert_true(job.train.setup.ns == -1 && job.limits.budget.nano == MONEY_UNKNOWN);
    assert_true(isnan(job_tokens(&job)) && isnan(job_samples(&job)));
}

static void reads_an_inference_job(void **state)
{
    struct job job = job_of("infer: {model: llama-2-7b, rate: 1M/day, input: 512, output: 128, "
                            "weights: awq, kv: fp8, slo: {p95: 200ms}, tp: 2}");

    (void)state;
    assert_int_equal(job.kind, JOB_INFER);
    assert_true(fabs(job.infer.rate - 1e6 / 86400) < 1e-12);
    assert_true(job.infer.slo.p95.ns == 200000000 && job.infer.tensor == 2);
    job = job_of("infer: {model: llama-2-7b, rate: 20}");
    assert_true(job.infer.rate == 20);
    job = job_of("infer: {model: llama-2-7b, rate: 20/s}");
    assert_true(job.infer.rate == 20);
}

static void accepts_common_synonyms(void **state)
{
    struct job job = job_of("train:\n  model: gpt2\n  batch: 4\n  seq_len: 1024\n"
                            "  gradient-checkpointing: true\n  compile: false\n"
                            "  data: {images: 1.5k, repeats: 10}\n"
                            "  parallel: {zero: 3, sequence: on}\n");

    (void)state;
    assert_int_equal(job.train.micro_batch, 4);
    assert_int_equal(job.train.sequence, 1024);
    assert_str_equal(job.train.recompute, "true");
    assert_str_equal(job.train.compile, "no");
    assert_str_equal(job.train.parallel.sequence, "yes");
    assert_true(job.train.data.examples == 1500);
}

static void a_model_may_be_described(void **state)
{
    struct job job =
        resolved("train: {model: {layers: 12, hidden: 768, heads: 12, vocab: 50257, tied: yes, "
                 "positions: 1024, bias: all}}");
    double gpt2 = arch_count(&job.arch).total;

    (void)state;
    assert_true(gpt2 > 124e6 && gpt2 < 125e6);
    assert_false(job.arch.gated);
    assert_int_equal(job.arch.ffn, 3072);
    job = resolved(
        "infer: {model: {layers: 32, hidden: 4096, heads: 32, kv_heads: 8, ffn: 14336, "
        "vocab: 128256}}");
    assert_true(job.arch.gated && job.arch.kv_heads == 8);
    check_refused("train: {model: {layers: 12, hidden: 768, heads: 12}}",
                  "job.yaml:1:16: 'vocab' is missing",
                  "vocab: rows of the embedding; classes of a vit");
    check_refused("train: {model: {layers: 0, hidden: 768, heads: 12, vocab: 5}}",
                  "job.yaml:1:25: layers: '0' is not 1 or more", "");
    check_unresolved("train: {model: {layers: 2, hidden: 768, heads: 7, vocab: 5}}",
                     "job.yaml: 7 heads do not divide a width of 768",
                     "change heads or hidden, or give head_dim");
}

static void errors_have_a_place_and_a_reason(void **state)
{
    (void)state;
    check_refused("train:\n  modle: gpt2\n", "job.yaml:2:3: there is no key 'modle'",
                  "did you mean 'model'?");
    check_refused("train:\n  model: gpt2\n  sequence: 4kk\n",
                  "job.yaml:3:13: sequence: '4kk' is not a whole number",
                  "write digits only, without a unit");
    check_refused("train:\n  precision: bf61\n",
                  "job.yaml:2:14: precision: 'bf61' is not a precision",
                  "did you mean 'bf16'?");
    check_refused(
        "train: {optimizer: zzzzzz}", "job.yaml:1:20: optimizer: 'zzzzzz' is not an optimizer",
        "write one of adamw, adamw-bf16, adamw-8bit, adamw-1bit, adafactor, sgd, lion, "
        "muon, paged-adamw, paged-adamw-8bit");
    check_refused("train: {method: loar}",
                  "job.yaml:1:17: method: 'loar' is not one of full, lora, qlora",
                  "did you mean 'lora'?");
    check_refused(
        "train: {model: gpt2}\nlimits: {budget: 100}",
        "job.yaml:2:18: budget: '100' is not an amount of money",
        "give the currency: 100usd, or '$100' in quotes, since the shell expands $ and digits");
    check_refused("train: {data: {size: 50}}", "job.yaml:1:22: size: '50' is not a size",
                  "give the unit in full: 80GB is 80 * 1000^3 bytes, 80GiB is 80 * 1024^3");
    check_refused("infer: {rate: fast}",
                  "job.yaml:1:15: rate: 'fast' is not a rate from 0 to 1e18",
                  "write it as 20/s, 5000/h, 1M/day or 3M/month");
    check_refused("infer: {kv: int4}", "job.yaml:1:13: kv: 'int4' is not a format of the cache",
                  "write fp16 or fp8");
    check_refused("train: {params: 7X}",
                  "job.yaml:1:17: params: '7X' is not a number of parameters",
                  "write it as 7B, 350M or 1.5T");
}

static void misplaced_key_gets_the_right_place(void **state)
{
    (void)state;
    check_refused("train: {parallel: 8, zero: 3}", "job.yaml:1:22: there is no key 'zero' here",
                  "write it under 'parallel:'");
    check_refused("train: {parallel: {zero: 3}, zero: 2}",
                  "job.yaml:1:30: 'zero' is also under 'parallel:'", "write it once");
    check_refused("tokens: 25M\ntrain: {model: gpt2, data: {tokens: 25M}}",
                  "job.yaml:1:1: 'tokens' is also under 'data:'", "write it once");
    check_refused("modle: gpt2\ntokens: 25M", "job.yaml:1:1: there is no key 'modle'", "");
    check_refused("train: {model: gpt2, gpu: T4}", "job.yaml:1:22: there is no key 'gpu' here",
                  "write limits: {gpus: ...}, outside of train or infer");
}

/* What people write beside the model, and no job has. */
static void keys_of_other_tools_get_a_hint(void **state)
{
    (void)state;
    check_refused("train: {model: gpt2, lora: {rank: 8}}",
                  "job.yaml:1:22: there is no key 'lora'",
                  "write method: lora (or qlora), and rank: 16");
    check_refused("model: gpt2\ndataset: {tokens: 10M}",
                  "job.yaml:2:1: there is no key 'dataset'",
                  "write data: {examples: 1000}, or data: {tokens: 10M}");
    check_refused("train: {model: gpt2, learning_rate: 1e-4}",
                  "job.yaml:1:22: there is no key 'learning_rate'",
                  "it does not change what the job takes and costs: leave it out");
    check_refused("model: gpt2\non: A100x2", "job.yaml:2:1: there is no key 'on'",
                  "it belongs on the command line: --on A100x2, --offer NAME, --price 2usd/hr");
    check_refused("train: {model: gpt2, data: 10M}",
                  "job.yaml:1:28: data: '10M' may be tokens, examples or a size",
                  "write data: {tokens: 10M}, {examples: 1000} or {size: 50GB}");
}

/* As on the command line: `stint plan gpt2 --lora --tokens 25M --budget 100usd`. */
static void keys_outside_of_their_groups_are_put_there(void **state)
{
    struct job job = job_of("model: gpt2\nmethod: lora\ntokens: 25M\nbatch: 4\nzero: 3\n"
                            "budget: $100\ngpus: [H100]");

    (void)state;
    assert_int_equal(job.kind, JOB_TRAIN);
    assert_string_equal(job.train.model.at, "gpt2");
    assert_true(job.train.data.tokens == 25e6);
    assert_int_equal(job.train.micro_batch, 4);
    assert_int_equal(job.train.parallel.zero, 3);
    assert_int_equal(job.limits.budget.nano, INT64_C(100000000000));
    assert_int_equal(job.limits.gpus.len, 1);
    job = job_of("model: gpt2\ntokens: 1M\ngpu: A100\nprovider: aws\nregion: us-east-1");
    assert_int_equal(job.limits.gpus.len, 1);
    assert_int_equal(job.limits.providers.len, 1);
    assert_string_equal(job.limits.regions.at[0].at, "us-east-1");
    assert_int_equal(job.train.measured.gpu.len, 0);
    job = job_of("train: {model: gpt2, samples: 1k, num_train_epochs: 3, max_seq_length: 512, "
                 "per_device_train_batch_size: 2}\nlimits: {region: [FI, NO]}");
    assert_true(job.tool == JOB_TOOL_NONE && job.train.epochs == 3);
    assert_int_equal(job.train.sequence, 512);
    assert_int_equal(job.train.micro_batch, 2);
    assert_int_equal(job.limits.regions.len, 2);
    job = job_of("train: {measured: {tokens_s: 1000, gpu: A100}, tokens: 1M}");
    assert_string_equal(job.train.measured.gpu.at, "A100");
    job = job_of("model: gpt2\ntrain: {tp: 8, examples: 50k}\nepochs: 2");
    assert_int_equal(job.train.parallel.tensor, 8);
    assert_true(job.train.data.examples == 50e3 && job.train.epochs == 2);
    job = job_of("model: gpt2\nrate: 20/s\nbatch: 8\np95: 200ms");
    assert_int_equal(job.kind, JOB_INFER);
    assert_true(job.infer.rate == 20 && job.infer.batch == 8);
    assert_int_equal(job.infer.slo.p95.ns, INT64_C(200000000));
}

static void a_job_trains_or_infers(void **state)
{
    (void)state;
    check_refused("name: x", "job.yaml: the job has neither 'train' nor 'infer'",
                  "start it with 'train: {model: llama-2-7b, method: lora}'");
    check_refused("", "job.yaml: the job has neither 'train' nor 'infer'",
                  "start it with 'train: {model: llama-2-7b, method: lora}'");
    check_refused("train: {}\ninfer: {}",
                  "job.yaml:2:1: a job has 'train' or 'infer', not both",
                  "make two files of it");
    check_refused("- train", "job.yaml:1:1: expected keys and values", "");
    check_refused("train: yes", "job.yaml:1:8: expected keys and values", "");
}

static void absurd_numbers_are_refused(void **state)
{
    (void)state;
    check_refused("train: {sequence: 99999999999}",
                  "job.yaml:1:19: sequence: 99999999999 is not from 1 to 16777216", "");
    check_refused("train: {parallel: {zero: 4}}", "job.yaml:1:26: zero: 4 is not from 0 to 3",
                  "");
    check_refused("train: {parallel: {tensor: 9223372036854775807}}",
                  "job.yaml:1:28: tensor: 9.22337203685478e+18 is not from 0 to 100000000", "");
    check_refused("train: {data: {tokens: 1e30}}",
                  "job.yaml:1:24: tokens: '1e30' is not a number from 0 to 1e18",
                  "write it as 250000, 25M (million), 7B or 1.5T");
    check_refused("train: {data: {tokens: -5}}",
                  "job.yaml:1:24: tokens: '-5' is not a number from 0 to 1e18",
                  "write it as 250000, 25M (million), 7B or 1.5T");
    check_refused("train: {epochs: nan}",
                  "job.yaml:1:17: epochs: 'nan' is not a number from 0 to 1e18",
                  "write it as 250000, 25M (million), 7B or 1.5T");
    check_refused("train: {epochs: 1e-300}",
                  "job.yaml:1:17: epochs: '1e-300' is not a number from 0 to 1e18",
                  "write it as 250000, 25M (million), 7B or 1.5T");
    check_refused("train: {failures: 100%}", "job.yaml:1:19: failures: 1 is not from 0 to 0.95",
                  "");
    check_refused("train: {setup: 200000d}",
                  "job.yaml:1:16: setup: '200000d' is too long a time", "");
    check_refused("train: {setup: 90000d}", "job.yaml:1:16: setup: more than a hundred years",
                  "");
    check_refused("train: {download: 9000PB}", "job.yaml:1:19: download: more than 1000 PB",
                  "");
    check_refused("infer: {hours_per_day: 25}",
                  "job.yaml:1:24: hours_per_day: 25 is not from 0.01 to 24", "");
}

static void a_huge_file_is_no_job(void **state)
{
    struct error err = {0};
    struct job job;
    char *text = calloc(JOB_MAX + 1, 1);

    (void)state;
    assert_non_null(text);
    assert_false(job_read((struct str){text, JOB_MAX + 1}, "job.yaml", &job, &arena, &err));
    assert_string_equal(err.text, "job.yaml: larger than 1 MB: not a job file");
    free(text);
}

/* Users start from the files of examples/. */
static void the_examples_are_good(void **state)
{
    static const char *const names[] = {"llama-7b-lora.yaml", "gpt2-pretrain.yaml",
                                        "serve-8b.yaml", "sdxl-lora.yaml"};
    const char *root = env_get("STINT_SOURCE_ROOT");

    (void)state;
    assert_non_null(root);
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct error err = {0};
        char path[1024];
        struct str text;
        struct job job;

        (void)snprintf(path, sizeof path, "%s/examples/%s", root, names[i]);
        if (!fs_read(path, JOB_MAX, &arena, &text, &err) ||
            !job_read(text, names[i], &job, &arena, &err) ||
            !job_resolve(&job, &catalog, (struct str){0}, &arena, &err))
            fail_msg("%s", err.text);
        assert_true(job.kind == JOB_INFER || job_samples(&job) > 0);
    }
}

static void survives_any_failed_allocation(void **state)
{
    (void)state;
    for (size_t allow = 0;; allow++) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct arena own = {.alloc = &alloc};
        struct error err = {0};
        struct job job;
        bool ok = job_read(str_from(design), "job.yaml", &job, &own, &err) &&
                  job_resolve(&job, &catalog, (struct str){0}, &own, &err);

        arena_free(&own);
        assert_int_equal(failing.held, 0);
        if (ok)
            break;
        assert_int_equal(err.kind, ERROR_MEMORY);
    }
}

int group_job(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_the_job_of_the_design),
        cmocka_unit_test(missing_keys_are_unknown),
        cmocka_unit_test(reads_an_inference_job),
        cmocka_unit_test(accepts_common_synonyms),
        cmocka_unit_test(a_model_may_be_described),
        cmocka_unit_test(errors_have_a_place_and_a_reason),
        cmocka_unit_test(misplaced_key_gets_the_right_place),
        cmocka_unit_test(keys_of_other_tools_get_a_hint),
        cmocka_unit_test(keys_outside_of_their_groups_are_put_there),
        cmocka_unit_test(a_job_trains_or_infers),
        cmocka_unit_test(absurd_numbers_are_refused),
        cmocka_unit_test(a_huge_file_is_no_job),
        cmocka_unit_test(the_examples_are_good),
        cmocka_unit_test(survives_any_failed_allocation),
    };

    return cmocka_run_group_tests(tests, load_models, free_catalog);
}
