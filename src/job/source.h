/* source.h - how a request names a job, and the options that change keys of it.
 *
 *     static const struct field request[] = {
 *         JOB_SOURCE_OPTIONS(estimate_request),
 *     };
 */
#ifndef JOB_SOURCE_H
#define JOB_SOURCE_H

#include "base/message.h"
#include "doc/field.h"

struct job; /* job/job.h */

struct job_source {
    struct str job; /* a file, a model, or the job itself (job_is_text) */
    struct strs set;
    struct str deepspeed; /* a file */
    bool serve;
    bool lora, qlora; /* short for a method */
    bool raw;         /* without corrections from runs */
    bool fetch_model; /* ask the Hub for the configuration of a model that is not known */
    /* short forms of --set */
    struct str objective, method, tokens, examples, epochs, sequence, batch, precision;
    struct str rate, p95; /* of serving */
    /* The folder with the data, and its place: where JOB_DATA_OPTIONS are. */
    struct str data, data_at;
    bool data_known; /* what is in the folder of the job is set already: it is not walked */
};

/* Is it the job itself, in YAML or JSON, instead of the name of a file or a model? It has
 * several lines or begins with {. */
bool job_is_text(struct str job);

/* What to call it in messages and results: its name, or "the job". */
struct str job_shown(struct str job);

/* The job of a model's name or a size, which serves if the source says so. */
bool job_source_model(const struct job_source *source, struct str name, struct job *out,
                      struct arena *arena, struct error *err) MUST_USE;

/* --serve with a job file or the job itself. Returns false. */
bool job_source_refuse_serving(struct str given, struct error *err);

/* Change the keys of the job that the options name. ERROR_USAGE where options contradict each
 * other or the kind of the job. */
bool job_source_apply(const struct job_source *source, struct job *job, struct arena *arena,
                      struct error *err) MUST_USE;

/* Note the keys (`job.tool_unused`) of a training tool's file that may change the cost and
 * were not used: for operations whose result has no place for them. */
void job_note_unused(const struct strs *keys, const struct messages *messages);

extern const char *const job_example_options[]; /* other words for --examples */

/* The options of a request that has a `job_source` called `source`, without `job` and `raw`. */
#define JOB_SOURCE_OPTIONS(record) \
    FIELD_AS("set", TEXTS, record, source.set, .value = "KEY=VALUE", \
             .help = "change a key of the job: parallel.zero=3, batch=8"), \
        FIELD_AS("deepspeed", TEXT, record, source.deepspeed, .local = true, .value = "FILE", \
                 .help = "take batch, precision, ZeRO and optimizer from a DeepSpeed " \
                         "configuration"), \
        FIELD_AS("fetch_model", FLAG, record, source.fetch_model, .local = true, \
                 .help = "fetch the config.json of a model that is not known here from the " \
                         "Hugging Face Hub"), \
        FIELD_AS("serve", FLAG, record, source.serve, \
                 .help = "serve the model instead of training it"), \
        FIELD_AS("rate", TEXT, record, source.rate, .value = "RATE", \
                 .help = "serving: requests: 20/s, 5000/h, 3M/month"), \
        FIELD_AS("p95", TEXT, record, source.p95, .value = "TIME", \
                 .help = "serving: latency that 95 of 100 requests must meet: 200ms"), \
        FIELD_AS("objective", TEXT, record, source.objective, .value = "O", \
                 .help = "sft, dpo, orpo, kto, reward, ppo, grpo or rloo (default: sft)"), \
        FIELD_AS("method", TEXT, record, source.method, .value = "M", \
                 .help = "full, lora or qlora"), \
        FIELD_AS("lora", FLAG, record, source.lora, .help = "the same as --method lora"), \
        FIELD_AS("qlora", FLAG, record, source.qlora, .help = "the same as --method qlora"), \
        FIELD_AS("tokens", TEXT, record, source.tokens, .value = "N", \
                 .help = "tokens in the data: 25M, 1.5T"), \
        FIELD_AS("examples", TEXT, record, source.examples, .value = "N", \
                 .also = job_example_options, .help = "examples or images in the data"), \
        FIELD_AS("epochs", TEXT, record, source.epochs, .value = "N", \
                 .help = "passes over the data"), \
        FIELD_AS("sequence", TEXT, record, source.sequence, .value = "N", \
                 .help = "tokens per sequence: 2048, 8k"), \
        FIELD_AS("batch", TEXT, record, source.batch, .value = "N", \
                 .help = "sequences per GPU at a time"), \
        FIELD_AS("precision", TEXT, record, source.precision, .value = "P", \
                 .help = "bf16, fp8, ...")

/* Those of a request that also looks at the data: of a record with JOB_SOURCE_OPTIONS. */
#define JOB_DATA_OPTIONS(record) \
    FIELD_AS("data", TEXT, record, source.data, .local = true, .value = "DIR", \
             .help = \
                 "folder with the training data: takes its size, and shows what moving it " \
                 "costs and what would make it smaller"), \
        FIELD_AS("data_at", TEXT, record, source.data_at, .value = "PLACE", \
                 .help = "cloud that the data is in, such as aws/us-east-1 (default: a " \
                         "machine of your own)")

#endif
