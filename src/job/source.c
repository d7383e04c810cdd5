#include "job/source.h"

#include <string.h>

#include "job/choices.h"
#include "job/job.h"

bool job_is_text(struct str job)
{
    return (job.len > 0 && str_trim(job).len > 0 && str_trim(job).at[0] == '{') ||
           (job.len > 0 && memchr(job.at, '\n', job.len) != NULL);
}

struct str job_shown(struct str job)
{
    return job_is_text(job) ? STR("the job") : job;
}

bool job_source_model(const struct job_source *source, struct str name, struct job *out,
                      struct arena *arena, struct error *err)
{
    double params;

    if (!job_reset(out, arena, err))
        return false;
    if (source->serve)
        out->kind = JOB_INFER;
    return job_set(out, amount_of(name, &params) ? STR("params") : STR("model"), name, arena,
                   err);
}

bool job_source_refuse_serving(struct str given, struct error *err)
{
    bool inlined = job_is_text(given);

    error_set(err, ERROR_USAGE,
              inlined ? "--serve needs a model's name, and this is a job"
                      : "--serve needs a model's name, and '%.*s' is a job file",
              STR_ARG(given));
    error_hint(err, "write infer: instead of train: in %s", inlined ? "it" : "the file");
    return false;
}

/* ---- the options ---- */

/* The job whose keys they change. */
struct applying {
    const struct job_source *source;
    struct job *job;
    struct arena *arena;
};

static bool apply_short(const struct applying *a, const char *key, struct str value,
                        struct error *err)
{
    return value.len == 0 || job_set(a->job, str_from(key), value, a->arena, err);
}

/* "dpo", "grpo": people call these methods, too. */
static bool is_objective(struct str text)
{
    enum objective objective;
    enum method method;

    return text.len > 0 && !method_of(text, &method) && objective_of(text, &objective);
}

/* --lora, --qlora or --method; more than one must agree. */
static bool apply_job_method(const struct applying *a, struct error *err)
{
    const struct job_source *source = a->source;
    struct str method = source->lora    ? STR("lora")
                        : source->qlora ? STR("qlora")
                                        : (struct str){0};

    if (is_objective(source->method) && !apply_short(a, "objective", source->method, err))
        return false;
    if (method.len == 0)
        return is_objective(source->method) || apply_short(a, "method", source->method, err);
    if ((source->lora && source->qlora) ||
        (source->method.len > 0 && !is_objective(source->method) &&
         !str_eq_nocase(source->method, method)))
        return error_fail(err, ERROR_USAGE,
                          "more than one method is given; use --method alone");
    return apply_short(a, "method", method, err);
}

static bool apply_serving(const struct applying *a, struct error *err)
{
    const struct job_source *source = a->source;
    const char *given = source->rate.len > 0 ? "--rate" : source->p95.len > 0 ? "--p95" : NULL;

    if (given != NULL && a->job->kind != JOB_INFER) {
        error_set(err, ERROR_USAGE, "%s is for a model that serves", given);
        error_hint(err, "add --serve");
        return false;
    }
    if (!apply_short(a, "rate", source->rate, err)) {
        if (err->hint[0] == '\0')
            error_hint(err, "requests in a time: --rate 20/s, 5000/h or 3M/month");
        return false;
    }
    return apply_short(a, "slo.p95", source->p95, err);
}

/* --data and --data-at */
static bool apply_job_folder(const struct applying *a, struct error *err)
{
    const struct job_source *source = a->source;

    if (source->data.len + source->data_at.len > 0 && a->job->kind != JOB_TRAIN)
        return error_fail_hint(err, ERROR_USAGE, "leave it out", "--data is for training");
    return apply_short(a, "data.path", source->data, err) &&
           apply_short(a, "data.at", source->data_at, err);
}

/* --set KEY=VALUE,... */
static bool apply_set_options(const struct applying *a, struct error *err)
{
    const struct strs *set = &a->source->set;

    for (size_t i = 0; i < set->len; i++) {
        struct str value = set->at[i], key;

        /* "targets=q,v" was split at its comma: join it again. */
        while (i + 1 < set->len && memchr(set->at[i + 1].at, '=', set->at[i + 1].len) == NULL &&
               set->at[i + 1].at == value.at + value.len + 1)
            value.len += set->at[++i].len + 1;
        key = str_trim(str_cut(&value, '='));
        if (value.at == NULL || value.len == 0) {
            error_set(err, ERROR_USAGE, "--set: '%.*s' is not KEY=VALUE", STR_ARG(set->at[i]));
            error_hint(err, "--set batch=8");
            return false;
        }
        if (!job_set(a->job, key, str_trim(value), a->arena, err))
            return false;
    }
    return true;
}

bool job_source_apply(const struct job_source *source, struct job *job, struct arena *arena,
                      struct error *err)
{
    const struct applying a = {source, job, arena};

    return apply_job_method(&a, err) && apply_short(&a, "objective", source->objective, err) &&
           apply_short(&a, "data.examples", source->examples, err) &&
           apply_short(&a, "data.tokens", source->tokens, err) && apply_job_folder(&a, err) &&
           apply_short(&a, "epochs", source->epochs, err) &&
           apply_short(&a, "sequence", source->sequence, err) &&
           apply_short(&a, "batch", source->batch, err) &&
           apply_short(&a, "precision", source->precision, err) && apply_serving(&a, err) &&
           apply_set_options(&a, err);
}

#define NOTED_UNUSED 380 /* bytes of keys that one message has room for */

void job_note_unused(const struct strs *keys, const struct messages *messages)
{
    struct buf text = buf_new(&alloc_system, 2 * NOTED_UNUSED);
    size_t i = 0;

    for (; i < keys->len && text.len + keys->at[i].len < NOTED_UNUSED; i++)
        buf_addf(&text, "%s%.*s", i > 0 ? ", " : "", STR_ARG(keys->at[i]));
    if (i > 0 && i < keys->len)
        buf_addf(&text, " and %zu more", keys->len - i);
    if (text.len > 0)
        message_note(messages, "not used: %.*s", (int)text.len, text.at);
    buf_free(&text);
}
