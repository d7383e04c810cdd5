/* job.h - what the user wants to run: model, method, data, limits.
 *
 * A job comes from a YAML file, from JSON, or from a model's name with options; all fill the
 * same record, through one table of fields (job_fields). What is not given stays unknown and is
 * left to the caller: the estimator uses the usual value and reports it, the planner
 * searches. Pure: it parses memory. Files (a config.json, a DeepSpeed file) are read by the
 * caller.
 */
#ifndef JOB_JOB_H
#define JOB_JOB_H

#include "job/arch.h"
#include "job/choices.h"
#include "unit/energy.h"
#include "unit/money.h"
#include "unit/size.h"
#include "unit/time.h"

/* Counts are -1, numbers NaN, texts NULL when not given. */
struct job_data {
    double tokens;   /* of the set: "1.5T"; beside `examples`, of one (job_resolve moves it) */
    double examples; /* or images */
    double example_tokens, repeats;
    bytes size;
    int64_t files; /* that it is in */
    double bytes_per_token;
    struct str path;    /* a folder: its size and number of files are those of the data */
    struct str at;      /* where it is: "aws/us-east-1" */
    struct str quality; /* high, medium, low: changes the epochs */
};

/* A model that is described instead of named: `model: {layers: 32, hidden: 4096, ...}`. */
struct job_shape {
    struct str kind, bias, gated, tied; /* as in the catalog; yes or no */
    int64_t layers, hidden, heads, kv_heads, head_dim, ffn, vocab, positions, context;
    int64_t window, full_every;
    int64_t experts, active_experts, expert_ffn, shared_ffn, dense_layers;
    int64_t q_rank, kv_rank, rope_dim, value_dim;
    int64_t decoder_layers, patch, resolution;
};

struct job_parallel {
    int64_t data, tensor, pipeline, virtual_pipeline, context, expert, zero, shard;
    struct str offload;
    struct str sequence; /* yes or no: sequence parallel, beside tensor */
};

struct job_checkpoint {
    struct str resume; /* yes or no */
    bytes size;
    span save, restart, every;
    int64_t keep;
};

/* One throughput that was measured, for work whose model is not known to us. */
struct job_measured {
    struct str gpu;
    double samples_s, tokens_s; /* of one GPU */
    int64_t batch;
    bytes memory;
    double compute; /* share of the time that is bound by arithmetic, 0 to 1 */
};

/* Answers that the model writes while it is trained on rewards. */
struct job_rollout {
    int64_t generations;        /* for each prompt */
    int64_t prompt, completion; /* tokens, at most */
    double length;              /* tokens of an answer, on average */
    int64_t passes;             /* over each answer */
    struct str engine;          /* vllm, sglang or hf */
    int64_t engine_gpus;        /* that only write; 0: those that are trained on */
    int64_t reference_gpus, reward_gpus, critic_gpus; /* that hold only these models */
    int64_t policy_gpus;      /* of the trained model; 0: those that are left */
    struct str reward_beside; /* whose GPUs the reward model shares: policy or critic */
    struct str async;         /* yes: answers are written while earlier ones are learned from */
    struct str engine_gpu;    /* their kind: that of the training */
    int64_t engine_tensor;    /* GPUs of a copy that writes */
    double engine_memory;     /* share of a GPU's that it keeps during training */
    int64_t batch;     /* prompts whose answers are written before steps learn from them */
    struct str rounds; /* answers are written for a step, or for each micro-batch */
};

struct job_search {
    int64_t trials, parallel;
    double fraction;   /* of a full run, each */
    struct str scheme; /* grid, random, asha */
    double keep;       /* asha: one in so many goes on */
    double first;      /* asha: share of a trial before the first are stopped */
};

/* What is hoped for, for ordering experiments. */
struct job_experiment {
    double improvement; /* of the metric if it works, as a share */
    double chance;      /* that it works */
    usd value;          /* of an improvement of 100 % */
};

struct job_storage {
    bytes size;
    struct str tier;
    span duration;
};

struct job_train {
    struct str model, params, config; /* how the model was named; the arch is what counts */
    struct job_shape shape;
    struct str objective, reference, reward; /* reward: a model, its size, or none */
    struct str critic;                       /* of its own: yes or no */
    double reward_params;                    /* of that model, once it is resolved */
    struct job_rollout rollout;
    struct str method, targets, base; /* base: the frozen weights of qlora */
    struct str modules_to_save;       /* trained in full beside adapters */
    double rank;
    struct str dora;        /* yes or no: a trained length of each adapted column */
    int64_t trained_layers; /* the last so many; the others, embedding and head are frozen */
    double galore_rank;     /* of the optimizer's states of each matrix */
    struct str fused_step;  /* yes or no: the optimizer's step is in the backward pass */
    struct job_data data;
    double epochs, steps;
    int64_t sequence, micro_batch, global_batch, accumulation;
    struct str precision, optimizer, recompute, attention, compile, framework, loss, layout;
    struct str latents;
    double tolerance; /* of accuracy: what may be lost to a narrower precision */
    int64_t resolution;
    struct job_parallel parallel;
    struct job_checkpoint checkpoint;
    struct job_measured measured;
    struct job_search search;
    double evaluation; /* share of time */
    double failures;   /* share of runs that fail and start again */
    double goodput;    /* share of the time that makes progress; 1: nothing is lost */
    struct job_storage storage;
    bytes download; /* results that are fetched at the end */
    span setup;
};

struct job_slo {
    span p50, p95, p99, first_token;
};

struct job_infer {
    struct str model, params, config;
    struct job_shape shape;
    struct str weights, kv; /* how they are stored */
    double rate;            /* requests a second: "20/s", "1M/day" */
    double input, output;   /* tokens of a request */
    int64_t batch;          /* one batch, run at once */
    int64_t concurrency;    /* requests in flight: each begins when another ends */
    int64_t tensor, pipeline, resolution;
    struct str framework;
    struct job_slo slo;
    struct job_measured measured;
    double hours_per_day;
    span idle_timeout; /* after which machines that scale to zero stop */
};

struct job_limits {
    usd budget;
    span deadline;
    struct str market;
    double max_interruption_risk, min_reliability;
    double max_carbon_kg;
    struct strs providers, gpus, regions; /* patterns; "!T4" denies */
    int64_t max_gpus, min_gpus;
};

enum job_kind {
    JOB_TRAIN,
    JOB_INFER,
};

/* Whose configuration a job was read from. */
enum job_tool {
    JOB_TOOL_NONE, /* a job file of our own */
    JOB_TOOL_AXOLOTL,
    JOB_TOOL_LLAMA_FACTORY,
    JOB_TOOL_TORCHTUNE,
    JOB_TOOL_ACCELERATE,
    JOB_TOOL_TRAINER, /* Hugging Face's TrainingArguments */
    JOB_TOOL_STATE,   /* trainer_state.json */
    JOB_TOOL_KOHYA,   /* sd-scripts' --config_file, or what its window saves */
    JOB_TOOL_DIFFUSERS,
    JOB_TOOL_LITGPT,
    JOB_TOOL_NEMO,      /* of Megatron: trainer and model */
    JOB_TOOL_NEMO_2,    /* trainer.strategy and data */
    JOB_TOOL_NEMO_AUTO, /* AutoModel's: step_scheduler and model */
    JOB_TOOL_ULTRALYTICS,
    JOB_TOOL_PEFT, /* adapter_config.json */
    JOB_TOOL_OPENRLHF,
    JOB_TOOL_VERL,
};
extern const char *const job_tool_names[]; /* ends with NULL */

struct job {
    const char *file; /* that it was read from, for errors; NULL when from none */
    enum job_tool tool;
    struct str tool_open;    /* keys of the tool whose values were left open, with these */
    struct strs tool_unused; /* keys that may change the cost and were not used, with values */
    /* The DeepSpeed file that the tool's names, for the caller to read. Until then, what its
     * name says about the ZeRO stage counts. */
    struct str tool_deepspeed;
    struct str name;
    struct strs after; /* names of jobs that must be done before */
    struct job_experiment experiment;
    enum job_kind kind;
    struct job_train train;
    struct job_infer infer;
    struct job_limits limits;
    struct str
        described;     /* the model that the text of a config.json is of, when it is a name */
    bool bits_assumed; /* of GGUF weights whose name does not say how many */
    bool arch_known;   /* false for a job that has only a measured throughput */
    struct arch arch;
};

/* The keys of a job file, nested as the file is; job_fields is the whole of it. */
extern const struct field_set job_fields, job_train_fields, job_infer_fields, job_limits_fields;

#define JOB_MAX ((size_t)1 << 20) /* bytes of a job file, a config.json or a DeepSpeed file */

/* Nothing given yet; a training job. */
bool job_reset(struct job *job, struct arena *arena, struct error *err) MUST_USE;

/* Read a job file (YAML, which JSON is too), or the configuration of a training tool
 * (job_tool), which may be TOML if `name` ends so. `name` is what errors call it. The model is
 * not looked up yet. Every number is within bounds afterwards: none can overflow what is
 * computed from it. */
bool job_read(struct str text, const char *name, struct job *job, struct arena *arena,
              struct error *err) MUST_USE;

/* Is the text the configuration of a training tool? A model's config.json is not. */
bool job_is_tool(struct str text, const char *name, struct arena *arena);

/* Change one key: "train.sequence=4096", or without the first part when it is clear from the
 * kind of the job. Nested keys have dots: "data.tokens=25M", "parallel.zero=3"; the group may
 * be left out where only one has such a key. The short words that people use mean what they
 * should: batch (micro_batch), seq, zero, tp, pp, dp, cp, ep; gpus is not one of them (it is a
 * matter of --on). Naming the model in one way forgets the others, and so do epochs and steps.
 * Unknown keys are errors with a suggestion; the job is unchanged then. */
bool job_set(struct job *job, struct str key, struct str value, struct arena *arena,
             struct error *err) MUST_USE;

/* Is the word, which may have hyphens, a key of a training job? Its path for job_set() is then
 * in `key`. */
bool job_key_of_word(struct str word, char *key, size_t room);

/* Take a DeepSpeed configuration as it is: batch sizes, accumulation, fp16/bf16, ZeRO stage and
 * offload, optimizer (1-bit Adam too), activation checkpointing. "auto" stays unknown; keys
 * that do not matter to cost are passed over. */
bool job_deepspeed(struct str text, const char *name, struct job *job, struct arena *arena,
                   struct error *err) MUST_USE;

/* Find the model: `config_text` is the content of a config.json when the job names one, or when
 * `described` is set; else empty. Checks everything that does not depend on the hardware:
 * impossible shapes, rates, contradictions. */
bool job_resolve(struct job *job, const struct catalog *catalog, struct str config_text,
                 struct arena *arena, struct error *err) MUST_USE;

/* The job before it is resolved, as one line of JSON with the keys that are known, and the text
 * of the config.json that it names; and the opposite. What a ledger keeps of a run. */
#define JOB_TEXT_SCHEMA "stint.job/1"
void job_write(const struct job *job, struct str config, struct buf *out);
bool job_restore(struct str text, const char *name, struct job *job, struct str *config,
                 struct arena *arena, struct error *err) MUST_USE;

/* Does the job name a file or a folder: `config:`, or a `model:` that ends in .json or /, or
 * starts as a path does (/, ./, ../, ~/)? "meta-llama/Llama-2-7b-hf" is a name. */
bool job_names_file(const struct job *job, struct str *path);

/* The model's name as the job has it; empty when it is described in another way. */
struct str job_model(const struct job *job);

/* "7B", "350M", "1.5T", "25k", "1e9": 0 to AMOUNT_MAX. */
#define AMOUNT_MAX 1e18
bool amount_of(struct str text, double *out) MUST_USE;

/* "20/s", "5000/h", "1M/day", "3M/month" (of 30 days): a second's, as a bare number is. */
bool request_rate_of(struct str text, double *out) MUST_USE;

/* How often the data is gone through (once, when not given), after its quality: high needs
 * fewer epochs (x0.8), low more (x1.3), but nothing makes it less than one pass. `factor` is
 * what was applied. */
double job_epochs(const struct job *job, double *factor);

/* When only the size of the data is known and the job does not say bytes_per_token. */
#define BYTES_PER_TOKEN 4.0

/* Tokens (or samples, for images and measured jobs) that the whole training sees; NaN when not
 * given. */
double job_tokens(const struct job *job);
double job_samples(const struct job *job);

#endif
