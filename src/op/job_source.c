#include "op/job_source.h"

#include <string.h>

#include "base/fs.h"
#include "ledger/runs/learning.h"
#include "op/context.h"
#include "op/ledger_open.h"
#include "op/model_config.h"
#include "op/step.h"
#include "plan/record.h"

/* ---- the constants, corrected by the user's runs ---- */

/* Use the corrections that were learned for these very constants. */
static bool use_corrections(struct op_context *ctx, struct ledger *ledger,
                            struct constants *out, struct error *err)
{
    const struct ledger_correction *rows;
    struct correction *learned;
    char version[CONSTANTS_VERSION];
    size_t count;

    if (!ledger_corrections(ledger, ctx->arena, &rows, &count, err))
        return false;
    learned = arena_array(ctx->arena, struct correction, count, err);
    if (learned == NULL)
        return false;
    constants_version(out, version);
    for (size_t i = 0; i < count; i++) {
        int of = choice_of(correction_names, rows[i].what);

        if (of >= 0 && str_eq(rows[i].constants, str_from(version)) && rows[i].factor > 0)
            learned[out->learned_count++] = (struct correction){.of = (enum correction_of)of,
                                                                .gpu = rows[i].gpu,
                                                                .framework = rows[i].framework,
                                                                .model = rows[i].model,
                                                                .setting = rows[i].setting,
                                                                .factor = rows[i].factor,
                                                                .low = rows[i].low,
                                                                .high = rows[i].high,
                                                                .runs = rows[i].runs};
    }
    out->learned = learned;
    return true;
}

bool op_constants(struct op_context *ctx, bool raw, struct constants *out, struct error *err)
{
    struct error missed = {0};
    struct ledger *ledger;
    bool ok;

    if (!constants_load(&ctx->catalog, out, err))
        return false;
    if (raw || ctx->settings->ledger.len == 0)
        return true;
    ledger = op_ledger(ctx, LEDGER_READ, &missed);
    if (ledger == NULL && missed.kind == ERROR_MEMORY) {
        *err = missed;
        return false;
    }
    if (ledger == NULL) {
        if (missed.kind != ERROR_ABSENT)
            message_warn(&ctx->messages, "estimating without corrections from your runs: %s",
                         missed.text);
        return true;
    }
    ok = use_corrections(ctx, ledger, out, err);
    ledger_close(ledger);
    return ok;
}

/* ---- the job ---- */

/* A job that is being read. */
struct job_reading {
    struct op_context *ctx;
    const struct job_source *source;
    struct job_input *out;
    struct str text; /* of its file, as a plan has kept it; empty: read the file */
};

/* A job file; but a .json is the configuration of a model, unless it is one of a training
 * tool. */
static bool is_job_file(struct op_context *ctx, struct str name, const char *path)
{
    struct error ignored = {0};
    struct str text;

    if (str_ends(name, STR(".json")))
        return op_file_exists(ctx, path) &&
               fs_read(path, JOB_MAX, ctx->arena, &text, &ignored) &&
               job_is_tool(text, path, ctx->arena);
    return str_ends(name, STR(".yaml")) || str_ends(name, STR(".yml")) ||
           op_file_exists(ctx, path);
}

static bool read_job_text(struct op_context *ctx, struct str path, struct str *text,
                          struct error *err)
{
    char *name = str_dup(path, ctx->arena, err);

    return name != NULL && op_file_read(ctx, name, JOB_MAX, text, err);
}

static bool read_deepspeed(struct job_reading *r, struct error *err)
{
    struct str text, path = r->source->deepspeed;
    char *name = str_dup(path, r->ctx->arena, err);

    return name != NULL && read_job_text(r->ctx, path, &text, err) &&
           job_deepspeed(text, name, &r->out->job, r->ctx->arena, err);
}

/* The DeepSpeed file that the configuration of a tool names: from here, or from where the
 * configuration is. Many name a file of another machine: what its name says counts then. */
static bool read_named_deepspeed(struct job_reading *r, const char *config, struct error *err)
{
    struct job *job = &r->out->job;
    const char *slash = strrchr(config, '/');
    const char *named = str_dup(job->tool_deepspeed, r->ctx->arena, err);
    const char *places[2] = {named, NULL};
    struct str folder = {config, slash != NULL ? (size_t)(slash - config) : 0}, text;

    if (named == NULL)
        return false;
    if (slash != NULL) {
        const char *beside = str_dup(folder, r->ctx->arena, err);

        places[1] = beside != NULL ? fs_join(beside, named, r->ctx->arena, err) : NULL;
        if (places[1] == NULL)
            return false;
    }
    for (size_t i = 0; i < ARRAY_LEN(places); i++)
        if (places[i] != NULL && op_file_exists(r->ctx, places[i]))
            return read_job_text(r->ctx, str_from(places[i]), &text, err) &&
                   job_deepspeed(text, places[i], job, r->ctx->arena, err);
    if (job->train.parallel.zero >= 0)
        message_note(&r->ctx->messages, "'%s' is not here: ZeRO %lld, as its name says", named,
                     (long long)job->train.parallel.zero);
    else
        message_warn(&r->ctx->messages,
                     "'%s' is not here: its ZeRO stage and offload are left open; --deepspeed "
                     "FILE names it",
                     named);
    return true;
}

/* The configuration of a tool, or a job file. */
static bool read_job_file(struct job_reading *r, struct str text, const char *file,
                          struct error *err)
{
    struct job *job = &r->out->job;

    if (!job_read(text, file, job, r->ctx->arena, err))
        return false;
    return job->tool_deepspeed.len == 0 || r->source->deepspeed.len > 0 ||
           read_named_deepspeed(r, file, err);
}

/* What PEFT saved is served as the model that it adapts. */
static bool job_of_adapter(struct job_reading *r, const char *file, struct error *err)
{
    struct job adapter;
    struct str text;

    if (!read_job_text(r->ctx, str_from(file), &text, err) ||
        !job_read(text, file, &adapter, r->ctx->arena, err))
        return false;
    if (adapter.train.model.len > 0)
        return job_source_model(r->source, adapter.train.model, &r->out->job, r->ctx->arena,
                                err);
    error_set(err, ERROR_INPUT, "%s does not say which model it adapts", file);
    error_hint(err, "name that model instead");
    return false;
}

/* How a training tool's file was read. */
static void note_tool(const struct job_reading *r, struct str name)
{
    const struct job *job = &r->out->job;

    if (job->tool_open.len > 0)
        message_warn(&r->ctx->messages, "left open: %.*s; --set KEY=VALUE sets ours",
                     (int)(job->tool_open.len < 400 ? job->tool_open.len : 400),
                     job->tool_open.at);
    if (job->tool != JOB_TOOL_NONE)
        message_note(&r->ctx->messages, "'%.*s' is read as %s", STR_ARG(name),
                     job_tool_names[job->tool]);
}

/* The job file, the job itself, or the model that is named instead. */
static bool read_job_source(struct job_reading *r, struct error *err)
{
    struct str given = r->source->job, text = given, name = job_shown(given);
    bool inlined = job_is_text(given);
    char *file = inlined ? str_dup(name, r->ctx->arena, err) : op_home_path(r->ctx, name, err);
    enum model_folder folder = FOLDER_NONE;
    char *inside = NULL;

    if (file == NULL)
        return false;
    if (r->text.len > 0)
        return read_job_file(r, r->text, file, err);
    if (!inlined && !op_model_folder(r->ctx, file, &folder, &inside, err))
        return false;
    if (folder == FOLDER_ADAPTER && r->source->serve)
        return job_of_adapter(r, inside, err);
    if (folder == FOLDER_ADAPTER) {
        file = inside;
        name = str_from(inside);
    }
    if (!inlined && folder != FOLDER_ADAPTER &&
        (folder != FOLDER_NONE || !is_job_file(r->ctx, name, file)))
        return job_source_model(r->source, name, &r->out->job, r->ctx->arena, err);
    if (r->source->serve)
        return job_source_refuse_serving(given, err);
    if ((!inlined && !read_job_text(r->ctx, str_from(file), &text, err)) ||
        !read_job_file(r, text, file, err))
        return false;
    note_tool(r, name);
    return true;
}

/* The config.json that the job names, or that a model of the Hub has. */
static bool read_job_config(struct job_reading *r, struct error *err)
{
    struct job_input *out = r->out;
    struct str path;

    if (job_names_file(&out->job, &path))
        return op_model_file(r->ctx, path, out->job.file, &out->config, err);
    if (!op_model_config(r->ctx, job_model(&out->job), out->job.file, r->source->fetch_model,
                         &out->config, err))
        return false;
    if (out->config.len > 0)
        out->job.described = job_model(&out->job);
    return true;
}

/* As it was given: its file or model with the options, and the config.json of its model. */
static bool read_given(struct job_reading *r, struct error *err)
{
    *r->out = (struct job_input){0};
    return op_catalog(r->ctx, TABLE_BIT(TABLE_MODELS) | TABLE_BIT(TABLE_IMAGE_MODELS), err) &&
           read_job_source(r, err) &&
           (r->source->deepspeed.len == 0 || read_deepspeed(r, err)) &&
           job_source_apply(r->source, &r->out->job, r->ctx->arena, err) &&
           read_job_config(r, err);
}

/* A model that is named itself, and is no model of the Hub: a name that nothing knows is a
 * typo. In a file it may be a model of the user's own. */
static bool check_named_model(struct job_reading *r, const struct job_input *in,
                              struct error *err)
{
    struct str model = job_model(&in->job);
    struct job resolved = in->job;

    return !str_eq(model, r->source->job) || memchr(model.at, '/', model.len) != NULL ||
           job_resolve(&resolved, &r->ctx->catalog, in->config, r->ctx->arena, err) ||
           err->kind != ERROR_ABSENT;
}

static bool write_given(struct job_reading *r, size_t most, struct str *out, struct error *err)
{
    struct job_input *in = arena_array(r->ctx->arena, struct job_input, 1, err);
    struct buf text = buf_new(r->ctx->arena->alloc, 4 * JOB_MAX);

    *out = (struct str){0};
    r->out = in;
    if (in == NULL || !read_given(r, err) || !check_named_model(r, in, err))
        return false;
    job_note_unused(&in->job.tool_unused, &r->ctx->messages);
    job_write(&in->job, in->config, &text);
    if (text.failed == ERROR_NONE && text.len > most) {
        message_note(&r->ctx->messages, "the job is larger than %zu KB and is not stored",
                     most >> 10);
        buf_free(&text);
        return true;
    }
    return buf_keep(&text, r->ctx->arena, out, err);
}

bool op_job_text(struct op_context *ctx, const struct job_source *source, size_t most,
                 struct str *out, struct error *err)
{
    struct job_reading r = {.ctx = ctx, .source = source};

    return write_given(&r, most, out, err);
}

bool op_job_text_of_plan(struct op_context *ctx, const struct plan_result *plan, size_t most,
                         struct str *out, struct error *err)
{
    struct job_source source = plan->asked.source;
    struct job_reading r = {.ctx = ctx, .source = &source, .text = plan->job_text};
    struct op_context quiet = *ctx;
    struct error why = {0};

    *out = (struct str){0};
    if (plan->asked.jobs.len != 1)
        return true;
    source.job = plan->asked.jobs.at[0];
    source.fetch_model = false; /* it was fetched then */
    quiet.messages = (struct messages){0};
    r.ctx = &quiet;
    if (write_given(&r, most, out, &why))
        return true;
    /* Files that the plan read then may be gone: the run starts without its job. */
    *out = (struct str){0};
    return why.kind != ERROR_MEMORY || error_memory(err);
}

bool op_job_restore(struct op_context *ctx, struct str text, struct job_input *out,
                    struct error *err)
{
    const uint64_t tables =
        TABLE_BIT(TABLE_MODELS) | TABLE_BIT(TABLE_IMAGE_MODELS) | TABLE_BIT(TABLE_CONSTANTS);
    struct str path;

    *out = (struct job_input){0};
    if (!op_catalog(ctx, tables, err) || !op_constants(ctx, true, &out->constants, err) ||
        !job_restore(text, "the job of the run", &out->job, &out->config, ctx->arena, err))
        return false;
    if (out->config.len > 0 && !job_names_file(&out->job, &path))
        out->job.described = job_model(&out->job);
    out->given = out->job;
    return job_resolve(&out->job, &ctx->catalog, out->config, ctx->arena, err);
}

bool op_job_read(struct op_context *ctx, const struct job_source *source, struct job_input *out,
                 struct error *err)
{
    const uint64_t tables =
        TABLE_BIT(TABLE_MODELS) | TABLE_BIT(TABLE_IMAGE_MODELS) | TABLE_BIT(TABLE_CONSTANTS);
    struct job_reading r = {.ctx = ctx, .source = source, .out = out};

    *out = (struct job_input){0};
    if (!op_catalog(ctx, tables, err) ||
        !op_constants(ctx, source->raw, &out->constants, err) || !read_job_source(&r, err) ||
        (source->deepspeed.len > 0 && !read_deepspeed(&r, err)) ||
        !job_source_apply(source, &out->job, ctx->arena, err))
        return false;
    if (!read_job_config(&r, err) || (!source->data_known && !op_job_data(ctx, out, err)))
        return false;
    out->given = out->job;
    op_log(ctx, "job: %s the model '%.*s'%s", out->job.kind == JOB_INFER ? "serves" : "trains",
           STR_ARG(job_model(&out->job)),
           out->config.len > 0 ? ", shapes from its config.json" : "");
    if (!job_resolve(&out->job, &ctx->catalog, out->config, ctx->arena, err)) {
        op_model_hint(job_model(&out->job), source->fetch_model, err);
        return false;
    }
    if (out->job.bits_assumed)
        message_warn(&ctx->messages,
                     "'%.*s' does not say its quantization: 4 bits are assumed, as Q4_K_M has; "
                     "name one (%.*s:Q8_0), or --set weights=int8",
                     STR_ARG(job_model(&out->job)), STR_ARG(job_model(&out->job)));
    return true;
}

const struct field_set *op_job_keys(void)
{
    return &job_fields;
}

bool op_job_key(struct str word, char *key, size_t room)
{
    return job_key_of_word(word, key, room);
}
