/* What a plan is written to: a file to keep, a table, the user's own configuration. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fs.h"
#include "generate/config.h"
#include "op/plan/plan_again.h"
#include "op/plan/plan_csv.h"
#include "op/plan/plan_work.h"
#include "plan/file.h"

#define CONFIG_MAX ((size_t)1 << 20) /* bytes of a configuration */
#define DIFFUSION_SIDE 512           /* pixels of a picture, at least */
#define COPIES_MOST 99               /* of a file as it was, besides the first */

/* Where every GPU has another part of the model there is nothing to share, and a stage that the
 * file has must go: pipelines refuse it. One GPU does not mind, and offload needs one. */
static int zero_of(const struct setup *s)
{
    if (s->data * s->context > 1)
        return s->zero;
    return s->gpus > 1 && s->offload == OFFLOAD_NONE ? 0 : -1;
}

/* What the job does not say was assumed, and does not change what the user's file says. */
static struct config_choice choice_of_plan(const struct plan_work *w, const struct plan *best)
{
    const struct setup *s = &best->way.setup;
    const struct job_train *t = &w->job.job.train;

    return (struct config_choice){
        .gpus = s->gpus,
        .machines = best->way.machines,
        .data = s->data,
        .tensor = s->tensor,
        .pipeline = s->pipeline,
        .micro_batch = s->micro_batch,
        .accumulation = s->accumulation,
        .global_batch = (int64_t)setup_global_batch(s),
        .sequence = arch_counts_samples(s->arch) || t->sequence < 1 ? -1 : s->sequence,
        .resolution = t->resolution > 0 ? t->resolution : -1,
        .rank = s->method == METHOD_FULL ? NAN : t->rank,
        .precision = s->precision,
        .optimizer = t->optimizer.len > 0 ? s->optimizer : OPTIMIZER_COUNT,
        .recompute = s->recompute,
        .offload = s->offload,
        .zero = zero_of(s),
        .compiled = s->compiled,
    };
}

/* A user's configuration with the choices in it. */
struct merged {
    struct str old;
    struct buf text;
    bool changes;
};

/* What is to be written, and as the answer what that changes; without a file of the user's, a
 * new one to look at. Nothing is written yet. */
static bool merge_config(struct plan_work *w, const struct plan *best, struct merged *out,
                         struct plan_result *res, struct error *err)
{
    const struct plan_request *r = w->request;
    struct config_choice choice = choice_of_plan(w, best);
    enum config_format format =
        (enum config_format)choice_of(config_format_names, r->write_config);
    struct buf diff = buf_new(w->ctx->arena->alloc, 4 * CONFIG_MAX);
    char *path = str_dup(r->base, w->ctx->arena, err);
    bool ok = path != NULL &&
              (r->base.len == 0 || fs_read(path, CONFIG_MAX, w->ctx->arena, &out->old, err)) &&
              config_merge(format, &choice, out->old, path, w->ctx->arena, &out->text, err) &&
              buf_ok(&out->text, err);

    if (ok && r->base.len > 0)
        ok = text_diff(out->old, buf_text(&out->text), path, path, w->ctx->arena, &diff, err);
    else if (ok)
        buf_add(&diff, buf_text(&out->text));
    out->changes = diff.len > 0;
    if (ok)
        res->diff = plan_text(w, &diff, err);
    buf_free(&diff);
    return ok && res->diff.at != NULL;
}

/* "FILE.bak", or "FILE.bak.1" and so on: one that is not there. What an earlier time kept may
 * be all that is left of what the user wrote. NULL with the error set when there is none. */
static const char *name_of_copy(struct plan_work *w, const char *path, struct error *err)
{
    size_t room = strlen(path) + sizeof ".bak.99";
    char *name = arena_array(w->ctx->arena, char, room, err);

    if (name == NULL)
        return NULL;
    (void)snprintf(name, room, "%s.bak", path);
    for (int n = 1; fs_exists(name) && n <= COPIES_MOST; n++)
        (void)snprintf(name, room, "%s.bak.%d", path, n);
    if (!fs_exists(name))
        return name;
    error_set(err, ERROR_FAILED, "%s.bak and %d more copies of it are there already", path,
              COPIES_MOST);
    error_hint(err, "remove those that you do not need");
    return NULL;
}

/* Into the user's file; the old one is kept beside it. */
static bool put_config(struct plan_work *w, const struct merged *merged, struct error *err)
{
    char *path = str_dup(w->request->base, w->ctx->arena, err);
    const char *copy;

    if (path == NULL || w->request->base.len == 0)
        return path != NULL;
    if (!merged->changes) {
        message_note(&w->ctx->messages, "%s says all of it already: it stays as it is", path);
        return true;
    }
    copy = name_of_copy(w, path, err);
    if (copy == NULL || !fs_replace(copy, merged->old, err) ||
        !fs_put(path, buf_text(&merged->text), err))
        return false;
    message_note(&w->ctx->messages, "%s is changed; what it was is in %s", path, copy);
    return true;
}

/* The catalog does not say what an image model is for. Those that make pictures have attention
 * and work on large ones; those that sort pictures lack one or the other. */
static bool is_diffusion(const struct arch *a)
{
    return a->kind == ARCH_IMAGE && a->layered && a->resolution >= DIFFUSION_SIDE;
}

/* kohya's scripts train diffusion models and nothing else, which Hugging Face's trainer does
 * not do; kohya's file says all that one of accelerate would. */
static bool check_model(const struct plan_work *w, enum config_format format, struct error *err)
{
    const struct job *job = &w->job.job;
    bool diffusion = is_diffusion(&job->arch);

    if (format == CONFIG_KOHYA && !diffusion) {
        error_set(err, ERROR_USAGE, "--write-config kohya: %.*s is no diffusion model",
                  STR_ARG(job->arch.name.len > 0 ? job->arch.name : STR("the model")));
        error_hint(err, "say --write-config deepspeed, accelerate or hf-trainer");
        return false;
    }
    if ((format == CONFIG_HF || format == CONFIG_ACCELERATE) && diffusion) {
        error_set(err, ERROR_USAGE, "--write-config %s: %.*s is a diffusion model",
                  config_format_names[format], STR_ARG(job->arch.name));
        error_hint(err, "say --write-config kohya");
        return false;
    }
    return true;
}

/* Software whose configuration that of the format can be, or be a part of. */
static bool check_software(const struct plan_work *w, enum config_format format,
                           struct error *err)
{
    static const unsigned plain = 1U << STACK_EAGER | 1U << STACK_COMPILED;
    static const unsigned drives[] = {
        [CONFIG_DEEPSPEED] = 1U << STACK_DEEPSPEED | 1U << STACK_HF,
        [CONFIG_ACCELERATE] =
            1U << STACK_HF | 1U << STACK_DEEPSPEED | 1U << STACK_FSDP | 1U << STACK_MEGATRON,
        [CONFIG_KOHYA] = 0,
        [CONFIG_HF] = 1U << STACK_HF | 1U << STACK_DEEPSPEED | 1U << STACK_FSDP,
    };
    struct str said = w->job.job.train.framework;
    enum stack stack;

    if (str_has_nocase(said, str_from(config_format_names[format])) || !stack_of(said, &stack))
        return true;
    if (((plain | drives[format]) >> stack & 1U) != 0 && !str_has_nocase(said, STR("kohya")))
        return true;
    error_set(err, ERROR_USAGE, "--write-config %s: the job is for %.*s",
              config_format_names[format], STR_ARG(said));
    error_hint(err, "take 'framework: %.*s' out of the job, or say --set framework=%s",
               STR_ARG(said), config_format_names[format]);
    return false;
}

static bool check_config(const struct plan_work *w, struct error *err)
{
    const struct plan_request *r = w->request;
    enum config_format format;

    if (r->base.len > 0 && r->write_config.len == 0) {
        error_set(err, ERROR_USAGE, "--base needs to know what it is");
        error_hint(err, "say --write-config deepspeed (accelerate, kohya, hf-trainer)");
        return false;
    }
    if (r->write_config.len == 0)
        return true;
    if (w->job.job.kind != JOB_TRAIN || !w->job.job.arch_known) {
        error_set(err, ERROR_USAGE, "--write-config is for training a model that is known");
        return false;
    }
    format = (enum config_format)choice_of(config_format_names, r->write_config);
    return check_model(w, format, err) && check_software(w, format, err);
}

/* What the file has no key for must be set by hand. */
static void say_what_is_left(const struct plan_work *w, const struct plan *best)
{
    const struct setup *s = &best->way.setup;

    if (!str_eq(w->request->write_config, STR("accelerate")))
        return;
    message_note(&w->ctx->messages,
                 "accelerate's file has no micro-batch: set %lld in your script, where "
                 "per_device_train_batch_size or the DataLoader's batch_size is",
                 (long long)s->micro_batch);
}

static bool save_plan(struct plan_work *w, struct plan_result *res, struct error *err)
{
    const struct plan_request *r = w->request;

    if (r->save.len == 0)
        return true;
    res->saved = r->save;
    res->job_text = plan_job_text(w->ctx, r);
    return plan_file_write(r->save, res, w->ctx->arena, err);
}

bool plan_write(struct plan_work *w, const struct plan *best, struct plan_result *res,
                struct error *err)
{
    const struct plan_request *r = w->request;
    struct merged merged = {.text = buf_new(w->ctx->arena->alloc, CONFIG_MAX)};
    bool config = r->write_config.len > 0;
    /* The user's own file comes last: it stays as it is when anything else fails. */
    bool ok = check_config(w, err) && (!config || merge_config(w, best, &merged, res, err)) &&
              (r->csv.len == 0 || plan_csv_write(res, r->csv, w->ctx->arena, err)) &&
              save_plan(w, res, err) && (!config || put_config(w, &merged, err));

    if (ok && config)
        say_what_is_left(w, best);

    buf_free(&merged.text);
    return ok;
}
