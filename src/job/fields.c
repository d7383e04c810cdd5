/* The keys of a job file, with their help. */
#include "job/keys.h"
#include "job/source.h"

const char *const job_yes_no[] = {"yes", "no", NULL};
const char *const job_example_options[] = {"images", "samples", NULL};

static const char *const qualities[] = {"high", "medium", "low", NULL};
static const char *const losses[] = {"fused", "plain", NULL};
static const char *const layouts[] = {"default", "channels-last", NULL};
static const char *const latents[] = {"encoded", "cached", NULL};
static const char *const schemes[] = {"grid", "random", "asha", NULL};
static const char *const tiers[] = {"hot", "warm", "cold", "archive", NULL};
static const char *const kinds[] = {"decoder", "encoder", "encoder-decoder", "vit", NULL};
static const char *const biases[] = {"none", "qkv", "all", NULL};

static const struct field shape_fields[] = {
    FIELD(CHOICE, job_shape, kind, .choices = kinds, .help = "architecture (default: decoder)"),
    FIELD(COUNT, job_shape, layers, .required = true, .positive = true,
          .help = "layers; of the encoder, where there are both"),
    FIELD(COUNT, job_shape, hidden, .required = true, .positive = true, .help = "hidden width"),
    FIELD(COUNT, job_shape, heads, .required = true, .positive = true, .help = "query heads"),
    FIELD(COUNT, job_shape, vocab, .required = true, .positive = true,
          .help = "rows of the embedding; classes of a vit"),
    FIELD(COUNT, job_shape, kv_heads, .positive = true,
          .help = "key-value heads (default: as many as heads)"),
    FIELD(COUNT, job_shape, head_dim, .positive = true,
          .help = "head dimension, when it is not hidden/heads"),
    FIELD(COUNT, job_shape, ffn, .help = "width of the feed-forward (default: 4 x hidden)"),
    FIELD(CHOICE, job_shape, gated, .choices = job_yes_no,
          .help = "gated feed-forward: three matrices; yes unless ffn is 4 x hidden"),
    FIELD(CHOICE, job_shape, tied, .choices = job_yes_no,
          .help = "tied embeddings: the head is the embedding (default: no)"),
    FIELD(CHOICE, job_shape, bias, .choices = biases,
          .help = "bias terms: none, qkv or all (default: none)"),
    FIELD(COUNT, job_shape, positions, .help = "learned position embeddings"),
    FIELD(COUNT, job_shape, context, .help = "longest sequence, tokens"),
    FIELD(COUNT, job_shape, window, .help = "window of sliding attention, tokens"),
    FIELD(COUNT, job_shape, full_every,
          .help = "period of the layers without sliding attention: one in N"),
    FIELD(COUNT, job_shape, experts, .help = "experts per layer"),
    FIELD(COUNT, job_shape, active_experts, .help = "active experts per token"),
    FIELD(COUNT, job_shape, expert_ffn, .help = "width of one expert"),
    FIELD(COUNT, job_shape, shared_ffn,
          .help = "width of the shared experts, which every token passes"),
    FIELD(COUNT, job_shape, dense_layers, .help = "first layers without experts"),
    FIELD(COUNT, job_shape, q_rank, .help = "latent attention: rank of the queries"),
    FIELD(COUNT, job_shape, kv_rank, .help = "latent attention: rank of keys and values"),
    FIELD(COUNT, job_shape, rope_dim, .help = "latent attention: rotated part of a head"),
    FIELD(COUNT, job_shape, value_dim, .help = "latent attention: dimension of a value head"),
    FIELD(COUNT, job_shape, decoder_layers, .help = "decoder layers of an encoder-decoder"),
    FIELD(COUNT, job_shape, patch, .help = "vit: patch size, pixels"),
    FIELD(COUNT, job_shape, resolution, .help = "vit: image size, pixels"),
};
const struct field_set job_shape_fields = FIELD_SET(struct job_shape, shape_fields);

static const struct field data_fields[] = {
    FIELD(NUMBER, job_data, tokens, .value = "AMOUNT", .positive = true,
          .help = "tokens in the complete set (25M, 1.5T); with examples: tokens per example"),
    FIELD(NUMBER, job_data, examples, .value = "AMOUNT", .positive = true,
          .help = "examples or images in the set"),
    FIELD(NUMBER, job_data, example_tokens, .value = "AMOUNT", .positive = true,
          .help = "tokens per example"),
    FIELD(NUMBER, job_data, repeats, .positive = true,
          .help = "repeats of each image in an epoch"),
    FIELD(BYTES, job_data, size, .value = "SIZE", .help = "size of the data, such as 50GB"),
    FIELD(COUNT, job_data, files,
          .help = "number of files: each takes a moment to move (default: no time)"),
    FIELD(TEXT, job_data, path, .value = "DIR",
          .help = "folder with the data, for its size and files"),
    FIELD(NUMBER, job_data, bytes_per_token, .positive = true,
          .help = "bytes per token, when only the size is known (default: 4 for text)"),
    FIELD(TEXT, job_data, at, .value = "PLACE",
          .help = "location of the data, such as aws/us-east-1"),
    FIELD(CHOICE, job_data, quality, .choices = qualities,
          .help = "data quality: high needs fewer epochs (x0.8), low more (x1.3)"),
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
    FIELD(COUNT, job_parallel, zero, .help = "ZeRO stage or its FSDP equivalent, 0 to 3"),
    FIELD(COUNT, job_parallel, shard, .positive = true,
          .help = "GPUs that ZeRO shards over, when not over all (HSDP)"),
    FIELD(CHOICE, job_parallel, offload, .choices = offload_names,
          .help = "offload to the host's memory or disk: none, optimizer, all or nvme"),
    FIELD(CHOICE, job_parallel, sequence, .choices = job_yes_no,
          .help = "sequence parallelism besides tensor parallelism"),
};
static const struct field_set parallel_set = FIELD_SET(struct job_parallel, parallel_fields);

static const struct field checkpoint_fields[] = {
    FIELD(CHOICE, job_checkpoint, resume, .choices = job_yes_no,
          .help = "job can resume from a checkpoint"),
    FIELD(BYTES, job_checkpoint, size, .value = "SIZE", .help = "size of one checkpoint"),
    FIELD(SPAN, job_checkpoint, save, .value = "TIME", .help = "time to write one"),
    FIELD(SPAN, job_checkpoint, restart, .value = "TIME",
          .help = "time from a new machine to the first step"),
    FIELD(SPAN, job_checkpoint, every, .value = "TIME", .positive = true,
          .help = "interval between checkpoints"),
    FIELD(COUNT, job_checkpoint, keep, .help = "checkpoints to keep"),
};
static const struct field_set checkpoint_set =
    FIELD_SET(struct job_checkpoint, checkpoint_fields);

static const struct field measured_fields[] = {
    FIELD(TEXT, job_measured, gpu, .value = "GPU", .help = "GPU it was measured on"),
    FIELD(NUMBER, job_measured, samples_s, .positive = true,
          .help = "samples a second of one GPU"),
    FIELD(NUMBER, job_measured, tokens_s, .positive = true,
          .help = "tokens a second of one GPU"),
    FIELD(COUNT, job_measured, batch, .positive = true, .help = "samples at a time"),
    FIELD(BYTES, job_measured, memory, .value = "SIZE", .help = "memory used on the GPU"),
    FIELD(SHARE, job_measured, compute,
          .help = "share of the time bound by arithmetic, not by memory"),
};
const struct field_set job_measured_fields = FIELD_SET(struct job_measured, measured_fields);

static const char *const engines[] = {"vllm", "sglang", "hf", NULL};
static const char *const rounds[] = {"step", "micro-batch", NULL};
static const char *const neighbors[] = {"policy", "critic", NULL};

static const struct field rollout_fields[] = {
    FIELD(COUNT, job_rollout, generations, .positive = true,
          .help = "answers to each prompt (default: 8; ppo 1, rloo 4)"),
    FIELD(COUNT, job_rollout, prompt, .positive = true,
          .help = "longest prompt, tokens (default: 512)"),
    FIELD(COUNT, job_rollout, completion, .positive = true,
          .help = "longest answer, tokens (default: 512)"),
    FIELD(NUMBER, job_rollout, length, .positive = true,
          .help = "tokens per answer on average (default: half of the longest)"),
    FIELD(COUNT, job_rollout, passes, .positive = true,
          .help = "passes over each answer (default: 1; ppo 4)"),
    FIELD(CHOICE, job_rollout, engine, .choices = engines,
          .help = "software that writes the answers: vllm, sglang or hf (default: vllm)"),
    FIELD(COUNT, job_rollout, engine_gpus,
          .help = "GPUs that only write answers (default: 0, the GPUs of the training)"),
    FIELD(COUNT, job_rollout, reference_gpus,
          .help =
              "GPUs that hold only the reference model (default: 0, the GPUs of the training)"),
    FIELD(COUNT, job_rollout, reward_gpus,
          .help = "GPUs that hold only the reward model (default: 0, as reward_beside says)"),
    FIELD(COUNT, job_rollout, critic_gpus,
          .help = "GPUs that hold only the critic (default: 0, the GPUs of the training)"),
    FIELD(COUNT, job_rollout, policy_gpus,
          .help = "GPUs of the trained model (default: 0, those that the others leave)"),
    FIELD(CHOICE, job_rollout, reward_beside, .choices = neighbors,
          .help =
              "model whose GPUs the reward model shares: policy or critic (default: policy)"),
    FIELD(CHOICE, job_rollout, async, .choices = job_yes_no,
          .help =
              "answers written by engine_gpus while earlier ones are learned from (default: "
              "no)"),
    FIELD(TEXT, job_rollout, engine_gpu, .value = "GPU",
          .help = "kind of the engine's GPUs: that of the training (others are refused)"),
    FIELD(COUNT, job_rollout, engine_tensor, .positive = true,
          .help = "GPUs that share a model that writes answers"),
    FIELD(SHARE, job_rollout, engine_memory,
          .help = "share of a GPU's memory that the engine keeps during training (default: 0, "
                  "it sleeps)"),
    FIELD(COUNT, job_rollout, batch, .positive = true,
          .help =
              "prompts whose answers are written before steps learn from them (default: those "
              "of a step)"),
    FIELD(CHOICE, job_rollout, rounds, .choices = rounds,
          .help = "answers written at a time: those of a step, or of a micro-batch (default: "
                  "step)"),
};
static const struct field_set rollout_set = FIELD_SET(struct job_rollout, rollout_fields);

static const struct field search_fields[] = {
    FIELD(COUNT, job_search, trials, .positive = true, .help = "settings to try"),
    FIELD(COUNT, job_search, parallel, .positive = true, .help = "trials at the same time"),
    FIELD(SHARE, job_search, fraction, .help = "share of a full run that each trial takes"),
    FIELD(CHOICE, job_search, scheme, .choices = schemes,
          .help = "search scheme: grid, random or asha (stops the worse trials early)"),
    FIELD(NUMBER, job_search, keep, .positive = true,
          .help = "asha: one in N trials continues (default: 3)"),
    FIELD(SHARE, job_search, first,
          .help = "asha: share of a trial before the first are stopped (default: 1/9)"),
};
static const struct field_set search_set = FIELD_SET(struct job_search, search_fields);

static const struct field experiment_fields[] = {
    FIELD(SHARE, job_experiment, improvement, .help = "improvement of the metric if it works"),
    FIELD(SHARE, job_experiment, chance, .help = "probability that it works (default: 30%)"),
    FIELD(USD, job_experiment, value, .value = "AMOUNT",
          .help = "value of an improvement of 100 %, such as $1000"),
};
static const struct field_set experiment_set =
    FIELD_SET(struct job_experiment, experiment_fields);

static const struct field storage_fields[] = {
    FIELD(BYTES, job_storage, size, .value = "SIZE", .help = "size of the stored data"),
    FIELD(CHOICE, job_storage, tier, .choices = tiers, .help = "hot, warm, cold or archive"),
    FIELD(SPAN, job_storage, duration, .value = "TIME", .help = "duration, such as 30d"),
};
static const struct field_set storage_set = FIELD_SET(struct job_storage, storage_fields);

#define MODEL_FIELDS(record) \
    FIELD(TEXT, record, model, .value = "MODEL", \
          .help = "model: a name, the path of a config.json, or a map of shapes"), \
        FIELD(TEXT, record, params, .value = "AMOUNT", \
              .help = "parameters, such as 7B, of an unknown model"), \
        FIELD(TEXT, record, config, .value = "FILE", .help = "a Hugging Face config.json"), \
        FIELD(RECORD, record, shape, .row = &job_shape_fields, .help = "shape of the model")

static const struct field train_fields[] = {
    MODEL_FIELDS(job_train),
    FIELD(TEXT, job_train, objective,
          .help = "sft, dpo, orpo, kto, reward, ppo, grpo or rloo (default: sft)"),
    FIELD(CHOICE, job_train, reference, .choices = job_yes_no,
          .help = "frozen reference model besides the trained one (default: as usual for the "
                  "objective)"),
    FIELD(TEXT, job_train, reward, .value = "MODEL",
          .help = "reward model: a name, a size such as 7B, or none (rewards by rules)"),
    FIELD(CHOICE, job_train, critic, .choices = job_yes_no,
          .help = "critic model of its own (default: yes for ppo)"),
    FIELD(RECORD, job_train, rollout, .row = &rollout_set,
          .help = "answers written during training (ppo, grpo, rloo)"),
    FIELD(CHOICE, job_train, method, .choices = method_names, .help = "full, lora or qlora"),
    FIELD(NUMBER, job_train, rank, .positive = true, .help = "rank of the LoRA adapters"),
    FIELD(TEXT, job_train, targets, .value = "LIST",
          .help = "LoRA targets: q,v or attention or all-linear"),
    FIELD(TEXT, job_train, modules_to_save, .value = "LIST",
          .help = "modules trained in full besides LoRA: embed_tokens, lm_head"),
    FIELD(CHOICE, job_train, dora, .choices = job_yes_no,
          .help = "LoRA with a trained magnitude of each column"),
    FIELD(COUNT, job_train, trained_layers, .positive = true,
          .help = "full training of the last layers only, such as 8; the rest is frozen"),
    FIELD(TEXT, job_train, base,
          .help = "storage format of the frozen weights for qlora: nf4, nf4-dq, int8, ..."),
    FIELD(RECORD, job_train, data, .row = &data_set, .help = "training data"),
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
          .help = "optimizer step during the backward pass: gradients of one layer at a time"),
    FIELD(TEXT, job_train, recompute,
          .help = "activation recomputation: none, selective or full"),
    FIELD(CHOICE, job_train, attention, .choices = attention_names,
          .help = "attention kernel; flash keeps no attention matrix in memory"),
    FIELD(CHOICE, job_train, compile, .choices = job_yes_no, .help = "torch.compile"),
    FIELD(TEXT, job_train, framework, .help = "hf, fsdp, deepspeed, megatron, torchtune, ..."),
    FIELD(CHOICE, job_train, loss, .choices = losses,
          .help = "loss kernel; fused never holds all logits in memory"),
    FIELD(CHOICE, job_train, layout, .choices = layouts,
          .help = "memory layout of convolutions: PyTorch's default, or channels-last"),
    FIELD(CHOICE, job_train, latents, .choices = latents,
          .help = "image latents: encoded in each step, or cached"),
    FIELD(SHARE, job_train, tolerance,
          .help = "accuracy loss allowed for a narrower precision, such as 1%"),
    FIELD(COUNT, job_train, resolution, .positive = true, .help = "image size, pixels"),
    FIELD(RECORD, job_train, parallel, .row = &parallel_set, .help = "parallelism across GPUs"),
    FIELD(RECORD, job_train, checkpoint, .row = &checkpoint_set, .help = "saving and resuming"),
    FIELD(RECORD, job_train, measured, .row = &job_measured_fields,
          .help = "measured throughput, for an unknown model"),
    FIELD(RECORD, job_train, search, .row = &search_set, .help = "hyperparameter search"),
    FIELD(SHARE, job_train, evaluation, .help = "share of the time spent on evaluation"),
    FIELD(SHARE, job_train, failures, .help = "share of runs that fail and restart"),
    FIELD(SHARE, job_train, goodput,
          .help = "share of a run's time that makes progress, or off: nothing is lost"),
    FIELD(RECORD, job_train, storage, .row = &storage_set, .help = "stored data and results"),
    FIELD(BYTES, job_train, download, .value = "SIZE",
          .help = "size of the results downloaded at the end"),
    FIELD(SPAN, job_train, setup, .value = "TIME", .help = "time before the first step"),
};
const struct field_set job_train_fields = FIELD_SET(struct job_train, train_fields);

static const struct field slo_fields[] = {
    FIELD(SPAN, job_slo, p50, .value = "TIME", .positive = true, .help = "median latency"),
    FIELD(SPAN, job_slo, p95, .value = "TIME", .positive = true,
          .help = "95th percentile of the latency"),
    FIELD(SPAN, job_slo, p99, .value = "TIME", .positive = true,
          .help = "99th percentile of the latency"),
    FIELD(SPAN, job_slo, first_token, .value = "TIME", .positive = true,
          .help = "time to first token"),
};
static const struct field_set slo_set = FIELD_SET(struct job_slo, slo_fields);

static const struct field infer_fields[] = {
    MODEL_FIELDS(job_infer),
    FIELD(TEXT, job_infer, weights,
          .help = "storage format of the weights: fp16, fp8, int8, int4, ..."),
    FIELD(TEXT, job_infer, kv, .help = "storage format of the cache: fp16 or fp8"),
    FIELD(NUMBER, job_infer, rate, .value = "RATE", .positive = true,
          .help = "requests: 20/s, 5000/h, 1M/day, 3M/month"),
    FIELD(NUMBER, job_infer, input, .positive = true, .help = "input tokens per request"),
    FIELD(NUMBER, job_infer, output, .help = "tokens of an answer"),
    FIELD(COUNT, job_infer, batch, .positive = true,
          .help = "requests of one batch, which starts and ends together"),
    FIELD(COUNT, job_infer, concurrency, .positive = true,
          .help = "requests in flight at a server: each starts when another ends"),
    FIELD(COUNT, job_infer, tensor, .positive = true, .help = "GPUs that share each layer"),
    FIELD(COUNT, job_infer, pipeline, .positive = true, .help = "stages of layers"),
    FIELD(COUNT, job_infer, resolution, .positive = true, .help = "image size, pixels"),
    FIELD(TEXT, job_infer, framework, .help = "vllm, tensorrt-llm, sglang, llama.cpp, ..."),
    FIELD(RECORD, job_infer, slo, .row = &slo_set, .help = "latency targets"),
    FIELD(RECORD, job_infer, measured, .row = &job_measured_fields,
          .help = "measured throughput, for an unknown model"),
    FIELD(NUMBER, job_infer, hours_per_day, .positive = true,
          .help = "hours of service per day; 24 is always"),
    FIELD(SPAN, job_infer, idle_timeout, .value = "TIME", .positive = true,
          .help = "idle time after which a product that scales to zero stops: 10min"),
};
const struct field_set job_infer_fields = FIELD_SET(struct job_infer, infer_fields);

static const struct field limits_fields[] = {
    FIELD(USD, job_limits, budget, .value = "AMOUNT", .help = "budget, such as $100"),
    FIELD(SPAN, job_limits, deadline, .value = "TIME", .positive = true,
          .help = "deadline, such as 24h"),
    FIELD(CHOICE, job_limits, market, .choices = market_names, .only = MARKETS_ASKED,
          .help = "market: on-demand, spot, reserved or any"),
    FIELD(SHARE, job_limits, max_interruption_risk,
          .help = "highest interruption risk on spot"),
    FIELD(SHARE, job_limits, min_reliability, .help = "lowest reliability of a provider"),
    FIELD(NUMBER, job_limits, max_carbon_kg, .help = "most carbon, kg CO2e"),
    FIELD(TEXTS, job_limits, providers, .value = "LIST",
          .help = "providers to use; !NAME excludes one"),
    FIELD(TEXTS, job_limits, gpus, .value = "LIST", .help = "GPUs to use; !T4 excludes one"),
    FIELD(TEXTS, job_limits, regions, .value = "LIST",
          .help = "regions to use; us-* is a pattern"),
    FIELD(COUNT, job_limits, max_gpus, .positive = true, .help = "maximum number of GPUs"),
    FIELD(COUNT, job_limits, min_gpus, .positive = true, .help = "minimum number of GPUs"),
};
const struct field_set job_limits_fields = FIELD_SET(struct job_limits, limits_fields);

static const struct field file_fields[] = {
    FIELD(TEXT, job, name, .help = "job name"),
    FIELD(TEXTS, job, after, .value = "LIST", .help = "names of jobs to finish first"),
    FIELD(RECORD, job, experiment, .row = &experiment_set,
          .help = "expected benefit, for ordering experiments"),
    FIELD(RECORD, job, train, .row = &job_train_fields, .help = "a training job"),
    FIELD(RECORD, job, infer, .row = &job_infer_fields, .help = "an inference job"),
    FIELD(RECORD, job, limits, .row = &job_limits_fields,
          .help = "limits on cost and resources"),
};
const struct field_set job_fields = FIELD_SET(struct job, file_fields);
