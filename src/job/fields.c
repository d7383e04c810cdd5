/* The keys of a job file, with their help. */
#include "job/keys.h"
#include "job/source.h"

const char *const job_yes_no[] = {"yes", "no", NULL};
const char *const job_example_options[] = {"images", "samples", NULL};

static const char *const qualities[] = {"high", "medium", "low", NULL};
static const char *const losses[] = {"fused", "plain", NULL};
static const char *const layouts[] = {"default", "channels-last", NULL};
static const char *const latents[] = {"encoded", "cached", NULL};
static const char *const markets[] = {"on-demand", "spot", "reserved", "any", NULL};
static const char *const schemes[] = {"grid", "random", "asha", NULL};
static const char *const tiers[] = {"hot", "warm", "cold", "archive", NULL};
static const char *const kinds[] = {"decoder", "encoder", "encoder-decoder", "vit", NULL};
static const char *const biases[] = {"none", "qkv", "all", NULL};

static const struct field shape_fields[] = {
    FIELD(CHOICE, job_shape, kind, .choices = kinds, .help = "default: decoder"),
    FIELD(COUNT, job_shape, layers, .required = true, .positive = true,
          .help = "how many; of the encoder, where there are both"),
    FIELD(COUNT, job_shape, hidden, .required = true, .positive = true, .help = "width"),
    FIELD(COUNT, job_shape, heads, .required = true, .positive = true,
          .help = "of the queries"),
    FIELD(COUNT, job_shape, vocab, .required = true, .positive = true,
          .help = "rows of the embedding; classes of a vit"),
    FIELD(COUNT, job_shape, kv_heads, .positive = true,
          .help = "of keys and values (default: as many as heads)"),
    FIELD(COUNT, job_shape, head_dim, .positive = true, .help = "when it is not hidden/heads"),
    FIELD(COUNT, job_shape, ffn, .help = "width of the feed-forward (default: 4 x hidden)"),
    FIELD(CHOICE, job_shape, gated, .choices = job_yes_no,
          .help = "three matrices in the feed-forward; yes unless ffn is 4 x hidden"),
    FIELD(CHOICE, job_shape, tied, .choices = job_yes_no,
          .help = "the head is the embedding (default: no)"),
    FIELD(CHOICE, job_shape, bias, .choices = biases, .help = "default: none"),
    FIELD(COUNT, job_shape, positions, .help = "learned position embeddings"),
    FIELD(COUNT, job_shape, context, .help = "longest sequence, tokens"),
    FIELD(COUNT, job_shape, window, .help = "of sliding attention, tokens"),
    FIELD(COUNT, job_shape, full_every, .help = "one layer in so many is not sliding"),
    FIELD(COUNT, job_shape, experts, .help = "in a layer"),
    FIELD(COUNT, job_shape, active_experts, .help = "for a token"),
    FIELD(COUNT, job_shape, expert_ffn, .help = "width of one expert"),
    FIELD(COUNT, job_shape, shared_ffn, .help = "width of what every token passes"),
    FIELD(COUNT, job_shape, dense_layers, .help = "first layers without experts"),
    FIELD(COUNT, job_shape, q_rank, .help = "latent attention: of the queries"),
    FIELD(COUNT, job_shape, kv_rank, .help = "latent attention: of keys and values"),
    FIELD(COUNT, job_shape, rope_dim, .help = "latent attention: rotated part of a head"),
    FIELD(COUNT, job_shape, value_dim, .help = "latent attention: of a value head"),
    FIELD(COUNT, job_shape, decoder_layers, .help = "of an encoder-decoder"),
    FIELD(COUNT, job_shape, patch, .help = "of a vit: side of a patch, pixels"),
    FIELD(COUNT, job_shape, resolution, .help = "of a vit: side of the picture, pixels"),
};
const struct field_set job_shape_fields = FIELD_SET(struct job_shape, shape_fields);

static const struct field data_fields[] = {
    FIELD(NUMBER, job_data, tokens, .value = "AMOUNT", .positive = true,
          .help = "in the complete set (25M, 1.5T); of one example, beside examples"),
    FIELD(NUMBER, job_data, examples, .value = "AMOUNT", .positive = true,
          .help = "or images, in the set"),
    FIELD(NUMBER, job_data, example_tokens, .value = "AMOUNT", .positive = true,
          .help = "of one example"),
    FIELD(NUMBER, job_data, repeats, .positive = true,
          .help = "how often each image counts in an epoch"),
    FIELD(BYTES, job_data, size, .value = "SIZE", .help = "of the data, such as 50GB"),
    FIELD(NUMBER, job_data, bytes_per_token, .positive = true,
          .help = "when only the size is known (default: 4 for text)"),
    FIELD(TEXT, job_data, at, .value = "PLACE", .help = "where it lies, as aws/us-east-1"),
    FIELD(CHOICE, job_data, quality, .choices = qualities,
          .help = "high needs fewer epochs (x0.8), low more (x1.3)"),
};
static const struct field_set data_set = FIELD_SET(struct job_data, data_fields);

static const struct field parallel_fields[] = {
    FIELD(COUNT, job_parallel, data, .positive = true, .help = "copies that share the batch"),
    FIELD(COUNT, job_parallel, tensor, .positive = true, .help = "GPUs that share each layer"),
    FIELD(COUNT, job_parallel, pipeline, .positive = true, .help = "stages of layers"),
    FIELD(COUNT, job_parallel, virtual_pipeline, .positive = true,
          .help = "chunks of layers on one stage"),
    FIELD(COUNT, job_parallel, context, .positive = true,
          .help = "GPUs that share each sequence"),
    FIELD(COUNT, job_parallel, expert, .positive = true, .help = "GPUs that share the experts"),
    FIELD(COUNT, job_parallel, zero, .help = "0 to 3: what ZeRO or FSDP shards"),
    FIELD(COUNT, job_parallel, shard, .positive = true,
          .help = "GPUs that ZeRO shards over, when not over all (HSDP)"),
    FIELD(CHOICE, job_parallel, offload, .choices = offload_names,
          .help = "to the host's memory or disk: none, optimizer, all or nvme"),
    FIELD(CHOICE, job_parallel, sequence, .choices = job_yes_no,
          .help = "sequence parallel beside tensor parallel"),
};
static const struct field_set parallel_set = FIELD_SET(struct job_parallel, parallel_fields);

static const struct field checkpoint_fields[] = {
    FIELD(CHOICE, job_checkpoint, resume, .choices = job_yes_no,
          .help = "the job can go on from a checkpoint"),
    FIELD(BYTES, job_checkpoint, size, .value = "SIZE", .help = "of one checkpoint"),
    FIELD(SPAN, job_checkpoint, save, .value = "TIME", .help = "to write one"),
    FIELD(SPAN, job_checkpoint, restart, .value = "TIME",
          .help = "from a new machine to the first step"),
    FIELD(SPAN, job_checkpoint, every, .value = "TIME", .positive = true,
          .help = "between two of them"),
    FIELD(COUNT, job_checkpoint, keep, .help = "how many are kept"),
};
static const struct field_set checkpoint_set =
    FIELD_SET(struct job_checkpoint, checkpoint_fields);

static const struct field measured_fields[] = {
    FIELD(TEXT, job_measured, gpu, .value = "GPU", .help = "that it was measured on"),
    FIELD(NUMBER, job_measured, samples_s, .positive = true,
          .help = "samples a second of one GPU"),
    FIELD(NUMBER, job_measured, tokens_s, .positive = true,
          .help = "tokens a second of one GPU"),
    FIELD(COUNT, job_measured, batch, .positive = true, .help = "samples at a time"),
    FIELD(BYTES, job_measured, memory, .value = "SIZE", .help = "used on the GPU"),
    FIELD(SHARE, job_measured, compute,
          .help = "share of the time bound by arithmetic, not by memory"),
};
const struct field_set job_measured_fields = FIELD_SET(struct job_measured, measured_fields);

static const struct field search_fields[] = {
    FIELD(COUNT, job_search, trials, .positive = true, .help = "settings that are tried"),
    FIELD(COUNT, job_search, parallel, .positive = true, .help = "at the same time"),
    FIELD(SHARE, job_search, fraction, .help = "of a full run that each takes"),
    FIELD(CHOICE, job_search, scheme, .choices = schemes,
          .help = "grid, random or asha, which stops the worse ones early"),
    FIELD(NUMBER, job_search, keep, .positive = true,
          .help = "of asha: one in so many goes on (default: 3)"),
    FIELD(SHARE, job_search, first,
          .help = "of asha: share of a trial before the first are stopped (default: 1/9)"),
};
static const struct field_set search_set = FIELD_SET(struct job_search, search_fields);

static const struct field experiment_fields[] = {
    FIELD(SHARE, job_experiment, improvement, .help = "of the metric, if it works"),
    FIELD(SHARE, job_experiment, chance, .help = "that it works (default: 30%)"),
    FIELD(USD, job_experiment, value, .value = "AMOUNT",
          .help = "of an improvement of 100 %, such as $1000"),
};
static const struct field_set experiment_set =
    FIELD_SET(struct job_experiment, experiment_fields);

static const struct field storage_fields[] = {
    FIELD(BYTES, job_storage, size, .value = "SIZE", .help = "that is kept"),
    FIELD(CHOICE, job_storage, tier, .choices = tiers, .help = "hot, warm, cold or archive"),
    FIELD(SPAN, job_storage, duration, .value = "TIME", .help = "for how long, such as 30d"),
};
static const struct field_set storage_set = FIELD_SET(struct job_storage, storage_fields);

#define MODEL_FIELDS(record) \
    FIELD(TEXT, record, model, .value = "MODEL", \
          .help = "a name, the path of a config.json, or a map of shapes"), \
        FIELD(TEXT, record, params, .value = "AMOUNT", \
              .help = "parameters, such as 7B, of a model that is not known"), \
        FIELD(TEXT, record, config, .value = "FILE", .help = "a Hugging Face config.json"), \
        FIELD(RECORD, record, shape, .row = &job_shape_fields, \
              .help = "what the model is made of")

static const struct field train_fields[] = {
    MODEL_FIELDS(job_train),
    FIELD(CHOICE, job_train, method, .choices = method_names, .help = "full, lora or qlora"),
    FIELD(NUMBER, job_train, rank, .positive = true, .help = "of the LoRA adapters"),
    FIELD(TEXT, job_train, targets, .value = "LIST",
          .help = "of LoRA: q,v or attention or all-linear"),
    FIELD(TEXT, job_train, modules_to_save, .value = "LIST",
          .help = "trained in full beside LoRA: embed_tokens, lm_head"),
    FIELD(CHOICE, job_train, dora, .choices = job_yes_no,
          .help = "LoRA with a trained magnitude of each column"),
    FIELD(COUNT, job_train, trained_layers, .positive = true,
          .help = "full training of the last layers only, such as 8; the rest is frozen"),
    FIELD(TEXT, job_train, base,
          .help = "how qlora stores the frozen weights: nf4, nf4-dq, int8, ..."),
    FIELD(RECORD, job_train, data, .row = &data_set, .help = "what it learns from"),
    FIELD(NUMBER, job_train, epochs, .positive = true, .help = "passes over the data"),
    FIELD(NUMBER, job_train, steps, .positive = true, .help = "optimizer steps, not epochs"),
    FIELD(COUNT, job_train, sequence, .positive = true, .help = "tokens of one sequence"),
    FIELD(COUNT, job_train, micro_batch, .positive = true,
          .help = "sequences or images on one GPU at a time"),
    FIELD(COUNT, job_train, global_batch, .positive = true,
          .help = "sequences or images of one optimizer step, over all GPUs"),
    FIELD(COUNT, job_train, accumulation, .positive = true,
          .help = "micro-batches of one optimizer step"),
    FIELD(TEXT, job_train, precision, .help = "bf16, amp-bf16, fp16, tf32, fp8, ..."),
    FIELD(TEXT, job_train, optimizer,
          .help =
              "adamw, adamw-8bit, paged-adamw, paged-adamw-8bit, adafactor, sgd, lion, muon"),
    FIELD(NUMBER, job_train, galore_rank, .positive = true,
          .help = "GaLore: rank of the optimizer's states"),
    FIELD(CHOICE, job_train, fused_step, .choices = job_yes_no,
          .help = "optimizer step in the backward pass: gradients of one layer at a time"),
    FIELD(TEXT, job_train, recompute, .help = "of activations: none, selective or full"),
    FIELD(CHOICE, job_train, attention, .choices = attention_names,
          .help = "flash keeps no matrix of attention in memory"),
    FIELD(CHOICE, job_train, compile, .choices = job_yes_no, .help = "torch.compile"),
    FIELD(TEXT, job_train, framework, .help = "hf, fsdp, deepspeed, megatron, torchtune, ..."),
    FIELD(CHOICE, job_train, loss, .choices = losses,
          .help = "fused never has all logits in memory"),
    FIELD(CHOICE, job_train, layout, .choices = layouts,
          .help = "of convolutions: PyTorch's default, or channels-last"),
    FIELD(CHOICE, job_train, latents, .choices = latents,
          .help = "of pictures: encoded in each step, or cached"),
    FIELD(SHARE, job_train, tolerance,
          .help = "accuracy that may be lost to a narrower precision, such as 1%"),
    FIELD(COUNT, job_train, resolution, .positive = true, .help = "side of an image, pixels"),
    FIELD(RECORD, job_train, parallel, .row = &parallel_set, .help = "how GPUs share the work"),
    FIELD(RECORD, job_train, checkpoint, .row = &checkpoint_set, .help = "saving and resuming"),
    FIELD(RECORD, job_train, measured, .row = &job_measured_fields,
          .help = "a throughput, when the model is not one of ours"),
    FIELD(RECORD, job_train, search, .row = &search_set, .help = "of hyper-parameters"),
    FIELD(SHARE, job_train, evaluation, .help = "share of the time spent on evaluation"),
    FIELD(SHARE, job_train, failures, .help = "share of runs that fail and start again"),
    FIELD(SHARE, job_train, goodput,
          .help = "share of a run's time that makes progress, or off: nothing is lost"),
    FIELD(RECORD, job_train, storage, .row = &storage_set, .help = "data and results kept"),
    FIELD(BYTES, job_train, download, .value = "SIZE", .help = "results fetched at the end"),
    FIELD(SPAN, job_train, setup, .value = "TIME", .help = "before the first step"),
};
const struct field_set job_train_fields = FIELD_SET(struct job_train, train_fields);

static const struct field slo_fields[] = {
    FIELD(SPAN, job_slo, p50, .value = "TIME", .positive = true,
          .help = "of half the requests"),
    FIELD(SPAN, job_slo, p95, .value = "TIME", .positive = true, .help = "of 95 in 100"),
    FIELD(SPAN, job_slo, p99, .value = "TIME", .positive = true, .help = "of 99 in 100"),
    FIELD(SPAN, job_slo, first_token, .value = "TIME", .positive = true,
          .help = "until the first token"),
};
static const struct field_set slo_set = FIELD_SET(struct job_slo, slo_fields);

static const struct field infer_fields[] = {
    MODEL_FIELDS(job_infer),
    FIELD(TEXT, job_infer, weights, .help = "how they are stored: fp16, fp8, int8, int4, ..."),
    FIELD(TEXT, job_infer, kv, .help = "how the cache is stored: fp16 or fp8"),
    FIELD(NUMBER, job_infer, rate, .value = "RATE", .positive = true,
          .help = "requests: 20/s, 5000/h, 1M/day, 3M/month"),
    FIELD(NUMBER, job_infer, input, .positive = true, .help = "tokens of a request"),
    FIELD(NUMBER, job_infer, output, .help = "tokens of an answer"),
    FIELD(COUNT, job_infer, batch, .positive = true, .help = "requests at a time"),
    FIELD(COUNT, job_infer, tensor, .positive = true, .help = "GPUs that share each layer"),
    FIELD(COUNT, job_infer, pipeline, .positive = true, .help = "stages of layers"),
    FIELD(COUNT, job_infer, resolution, .positive = true, .help = "side of an image, pixels"),
    FIELD(TEXT, job_infer, framework, .help = "vllm, tensorrt-llm, sglang, llama.cpp, ..."),
    FIELD(RECORD, job_infer, slo, .row = &slo_set, .help = "how long a request may take"),
    FIELD(RECORD, job_infer, measured, .row = &job_measured_fields,
          .help = "a throughput, when the model is not one of ours"),
    FIELD(NUMBER, job_infer, hours_per_day, .positive = true,
          .help = "it is served; 24 is all"),
    FIELD(SPAN, job_infer, idle_timeout, .value = "TIME", .positive = true,
          .help = "without a request, until what scales to zero stops: 10min"),
};
const struct field_set job_infer_fields = FIELD_SET(struct job_infer, infer_fields);

static const struct field limits_fields[] = {
    FIELD(USD, job_limits, budget, .value = "AMOUNT", .help = "such as $100"),
    FIELD(SPAN, job_limits, deadline, .value = "TIME", .positive = true, .help = "such as 24h"),
    FIELD(CHOICE, job_limits, market, .choices = markets,
          .help = "on-demand, spot, reserved or any"),
    FIELD(SHARE, job_limits, max_interruption_risk, .help = "of losing a spot machine"),
    FIELD(SHARE, job_limits, min_reliability, .help = "of a provider"),
    FIELD(NUMBER, job_limits, max_carbon_kg, .help = "kg of CO2e"),
    FIELD(TEXTS, job_limits, providers, .value = "LIST", .help = "only these; !name: not it"),
    FIELD(TEXTS, job_limits, gpus, .value = "LIST", .help = "only these; !T4: not it"),
    FIELD(TEXTS, job_limits, regions, .value = "LIST", .help = "only these; us-* is a pattern"),
    FIELD(COUNT, job_limits, max_gpus, .positive = true, .help = "at most so many"),
    FIELD(COUNT, job_limits, min_gpus, .positive = true, .help = "at least so many"),
};
const struct field_set job_limits_fields = FIELD_SET(struct job_limits, limits_fields);

static const struct field file_fields[] = {
    FIELD(TEXT, job, name, .help = "what the job is called"),
    FIELD(TEXTS, job, after, .value = "LIST", .help = "names of jobs that are done before it"),
    FIELD(RECORD, job, experiment, .row = &experiment_set,
          .help = "what is hoped for, when experiments are put in order"),
    FIELD(RECORD, job, train, .row = &job_train_fields, .help = "a training job"),
    FIELD(RECORD, job, infer, .row = &job_infer_fields, .help = "an inference job"),
    FIELD(RECORD, job, limits, .row = &job_limits_fields, .help = "what it may cost and use"),
};
const struct field_set job_fields = FIELD_SET(struct job, file_fields);
