/* What plan writes besides its answer: a file to keep, a table, the user's own
 * configuration. */
#include "op/plan/plan_write.h"

#include <string.h>

#include "base/fs.h"
#include "generate/config.h"
#include "op/context.h"
#include "plan/file.h"
#include "report/plan_table.h"

#define CONFIG_MAX ((size_t)1 << 20) /* bytes of a configuration */

/* ---- --csv ---- */

static bool write_plan_csv(const struct plan_result *res, struct str path,
                           const struct alloc *alloc, struct error *err)
{
    struct buf text = buf_new(alloc, BUF_MAX_OUTPUT);

    plan_csv_text(res, &text);
    return fs_put_buf(path, &text, err);
}

/* ---- --write-config ---- */

/* A user's configuration with the choices in it. */
struct merged {
    struct str old;
    struct buf text;
    bool changes;
};

/* A file that is called .json is read as JSON by the tool it is for. */
static bool check_syntax(const struct plan_request *r, struct str text, struct error *err)
{
    if (!str_ends(r->output, STR(".json")) || str_starts(str_trim(text), STR("{")))
        return true;
    error_set(err, ERROR_USAGE, "'%.*s' is the name of a JSON file, and this is none",
              STR_ARG(r->output));
    error_hint(err, r->base.len > 0 ? "end the name as that of --base does"
                                    : "kohya's configuration is TOML: -o config.toml");
    return false;
}

/* The choice, with the model's name as the tools know it. */
static struct config_choice choice_for_tool(const struct planning *w, const struct plan *best)
{
    struct config_choice choice = config_choice_of(w->job, best);
    struct str id = model_hub_id(w->catalog, choice.model);

    if (id.len > 0)
        choice.model = id;
    return choice;
}

/* What is to be written, and as the answer what that changes; without a file of the user's, a
 * new one to look at. Nothing is written yet. */
static bool merge_config(struct op_context *ctx, const struct planning *w,
                         const struct plan *best, struct merged *out, struct plan_result *res,
                         struct error *err)
{
    const struct plan_request *r = w->request;
    struct config_choice choice = choice_for_tool(w, best);
    enum config_format format =
        (enum config_format)choice_of(config_format_names, r->write_config);
    struct buf diff = buf_new(ctx->arena->alloc, 4 * CONFIG_MAX);
    /* a new file is in the syntax that its name has */
    char *path = str_dup(r->base.len > 0 ? r->base : r->output, ctx->arena, err);
    bool ok = path != NULL &&
              (r->base.len == 0 || fs_read(path, CONFIG_MAX, ctx->arena, &out->old, err)) &&
              config_merge(format, &choice, out->old, path, ctx->arena, &out->text, err) &&
              buf_ok(&out->text, err) && check_syntax(r, buf_text(&out->text), err);

    ok = ok && str_keep(buf_text(&out->text), ctx->arena, &res->configuration, err);
    if (ok && r->output.len > 0)
        res->written = r->output; /* the answer says where it is */
    else if (ok && r->base.len > 0)
        ok = text_diff(out->old, buf_text(&out->text), path, path, ctx->arena, &diff, err);
    else if (ok)
        buf_add(&diff, buf_text(&out->text));
    out->changes = r->output.len > 0 || diff.len > 0;
    if (!ok) {
        buf_free(&diff);
        return false;
    }
    return buf_keep(&diff, ctx->arena, &res->diff, err);
}

/* Into the user's file; the old one is kept beside it. */
static bool put_config(struct op_context *ctx, struct str base, const struct merged *merged,
                       struct error *err)
{
    char *path = str_dup(base, ctx->arena, err);
    const char *copy;

    if (path == NULL || base.len == 0)
        return path != NULL;
    if (!merged->changes) {
        message_note(&ctx->messages, "%s needs no changes", path);
        return true;
    }
    copy = fs_backup_unused(path, ctx->arena, err);
    if (copy == NULL || !fs_replace(copy, merged->old, err) ||
        !fs_put(path, buf_text(&merged->text), err))
        return false;
    message_note(&ctx->messages, "changed %s; the old file is %s", path, copy);
    return true;
}

/* Into a file of its own; one that is there was meant to be kept, unless --force. */
static bool put_output(struct op_context *ctx, const struct plan_request *r,
                       const struct merged *merged, struct error *err)
{
    char *path = str_dup(r->output, ctx->arena, err);

    if (path == NULL || str_eq(r->output, STR("-")))
        return path != NULL;
    return plan_check_output(ctx, r, err) && fs_put(path, buf_text(&merged->text), err);
}

bool plan_check_output(struct op_context *ctx, const struct plan_request *r, struct error *err)
{
    char *path = str_dup(r->output, ctx->arena, err);

    if (path == NULL)
        return false;
    if (r->output.len > 0 && r->write_config.len == 0) {
        error_set(err, ERROR_USAGE, "--output needs --write-config");
        error_hint(err, "add --write-config deepspeed (accelerate, kohya, hf-trainer); --save "
                        "FILE.json keeps the plan, --csv FILE.csv its tables");
        return false;
    }
    if (r->output.len == 0 || r->force || str_eq(r->output, STR("-")) || !fs_exists(path))
        return true;
    error_set(err, ERROR_FAILED, "'%s' exists already", path);
    error_hint(err, "--force replaces it; --base %s changes it and keeps a copy", path);
    return false;
}

static bool check_plan_config(const struct planning *w, struct error *err)
{
    const struct plan_request *r = w->request;

    if (r->base.len > 0 && r->write_config.len == 0) {
        error_set(err, ERROR_USAGE, "--base needs --write-config");
        error_hint(err, "add --write-config deepspeed (accelerate, kohya, hf-trainer)");
        return false;
    }
    return r->write_config.len == 0 ||
           config_check_job((enum config_format)choice_of(config_format_names, r->write_config),
                            w->job, err);
}

/* A new file names the model by its id on the Hub; a name that only Stint knows stays in it,
 * for the user to replace. */
static void note_model(const struct op_context *ctx, const struct planning *w)
{
    struct str format = w->request->write_config, model = w->job->train.model;
    bool kohya = str_eq(format, STR("kohya"));

    if ((!kohya && !str_eq(format, STR("hf-trainer"))) || w->request->base.len > 0 ||
        memchr(model.at, '/', model.len) != NULL || model_hub_id(w->catalog, model).len > 0)
        return;
    if (model.len == 0)
        message_note(&ctx->messages, "add %s: the model's Hugging Face id or folder",
                     kohya ? "pretrained_model_name_or_path" : "model_name_or_path");
    else
        message_note(&ctx->messages,
                     "replace '%.*s' in the file with the model's Hugging Face id or folder",
                     STR_ARG(model));
}

/* No key of the file says what some of TRL's trainers do. */
static void note_trainer(const struct op_context *ctx, const struct planning *w,
                         const struct plan *best)
{
    static const char *const trainers[OBJECTIVE_COUNT] = {
        [OBJECTIVE_DPO] = "DPOTrainer",   [OBJECTIVE_ORPO] = "ORPOTrainer",
        [OBJECTIVE_KTO] = "KTOTrainer",   [OBJECTIVE_REWARD] = "RewardTrainer",
        [OBJECTIVE_PPO] = "PPOTrainer",   [OBJECTIVE_GRPO] = "GRPOTrainer",
        [OBJECTIVE_RLOO] = "RLOOTrainer",
    };
    enum objective objective = best->way.setup.alignment.objective;
    bool said = objective != OBJECTIVE_ORPO && objective != OBJECTIVE_REWARD;

    if (!str_eq(w->request->write_config, STR("hf-trainer")) || w->request->base.len > 0 ||
        trainers[objective] == NULL)
        return;
    message_note(&ctx->messages, "the configuration is for TRL's %s%s%s", trainers[objective],
                 said ? "" : ", which no key says: to estimate it, add --objective ",
                 said ? "" : objective_names[objective]);
}

/* What the file has no key for must be set by hand. */
static void note_unwritten_settings(const struct op_context *ctx, const struct planning *w,
                                    const struct plan *best)
{
    note_model(ctx, w);
    note_trainer(ctx, w, best);
    if (str_eq(w->request->write_config, STR("accelerate")))
        message_note(
            &ctx->messages,
            "accelerate's file has no micro-batch: set per_device_train_batch_size (or the "
            "DataLoader's batch_size) to %lld in your script%s",
            (long long)best->way.setup.micro_batch,
            best->way.setup.recompute == RECOMPUTE_NONE ? "" : ", and gradient_checkpointing");
}

/* ---- --save, and all of it ---- */

struct str plan_job_text(struct op_context *ctx, const struct plan_request *request)
{
    struct error ignored = {0};
    struct str text = {0};
    const char *path =
        request->jobs.len == 1 ? str_dup(request->jobs.at[0], ctx->arena, &ignored) : NULL;

    if (request->jobs.len == 1 && job_is_text(request->jobs.at[0]))
        return request->jobs.at[0];
    if (path == NULL || !op_file_exists(ctx, path) ||
        !fs_read(path, JOB_MAX, ctx->arena, &text, &ignored))
        return (struct str){0};
    return text;
}

static bool save_plan(struct op_context *ctx, const struct plan_request *r,
                      struct plan_result *res, struct error *err)
{
    if (r->save.len == 0)
        return true;
    res->saved = r->save;
    res->job_text = plan_job_text(ctx, r);
    return plan_file_write(r->save, res, ctx->arena->alloc, err);
}

bool plan_write(struct op_context *ctx, const struct planning *w, const struct plan *best,
                struct plan_result *res, struct error *err)
{
    const struct plan_request *r = w->request;
    struct merged merged = {.text = buf_new(ctx->arena->alloc, CONFIG_MAX)};
    bool config = r->write_config.len > 0;
    /* The user's own file comes last: it stays as it is when anything else fails. */
    bool ok = check_plan_config(w, err) &&
              (!config || merge_config(ctx, w, best, &merged, res, err)) &&
              (r->csv.len == 0 || write_plan_csv(res, r->csv, ctx->arena->alloc, err)) &&
              save_plan(ctx, r, res, err) &&
              (!config || (r->output.len > 0 ? put_output(ctx, r, &merged, err)
                                             : put_config(ctx, r->base, &merged, err)));

    if (ok && config)
        note_unwritten_settings(ctx, w, best);
    buf_free(&merged.text);
    return ok;
}
