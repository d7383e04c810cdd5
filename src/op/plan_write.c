/* What a plan is written to: a file to keep, a table, the user's own configuration. */
#include <math.h>

#include "base/fs.h"
#include "generate/config.h"
#include "op/config.h"
#include "op/plan_again.h"
#include "op/plan_csv.h"
#include "op/plan_file.h"
#include "op/plan_work.h"

#define CONFIG_MAX ((size_t)1 << 20) /* bytes of a configuration */

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
        .sequence = arch_counts_samples(s->arch) ? -1 : s->sequence,
        .resolution = t->resolution > 0 ? t->resolution : -1,
        .rank = s->method == METHOD_FULL ? NAN : s->rank,
        .precision = s->precision,
        .optimizer = t->optimizer.len > 0 ? s->optimizer : OPTIMIZER_COUNT,
        .recompute = s->recompute,
        .offload = s->offload,
        .zero = s->data * s->context > 1 ? s->zero : -1,
        .compiled = s->compiled,
    };
}

/* The user's file with the choices in it, the old one kept beside it; without one, a new one to
 * look at. What changed is the answer. */
static bool put_config(struct plan_work *w, struct str old, struct str merged, struct buf *diff,
                       struct error *err)
{
    char *path = str_dup(w->request->base, w->ctx->arena, err);

    if (path == NULL || !text_diff(old, merged, path, path, w->ctx->arena, diff, err))
        return false;
    return diff->len == 0 || (config_keep_old(w->ctx, path, err) && fs_put(path, merged, err));
}

static bool write_config(struct plan_work *w, const struct plan *best, struct plan_result *res,
                         struct error *err)
{
    const struct plan_request *r = w->request;
    struct config_choice choice = choice_of_plan(w, best);
    enum config_format format =
        (enum config_format)choice_of(config_format_names, r->write_config);
    struct buf merged = buf_new(w->ctx->arena->alloc, CONFIG_MAX);
    struct buf diff = buf_new(w->ctx->arena->alloc, 4 * CONFIG_MAX);
    char *path = str_dup(r->base, w->ctx->arena, err);
    struct str old = {0};
    bool ok = path != NULL &&
              (r->base.len == 0 || fs_read(path, CONFIG_MAX, w->ctx->arena, &old, err)) &&
              config_merge(format, &choice, old, path, w->ctx->arena, &merged, err) &&
              buf_ok(&merged, err);

    if (ok && r->base.len > 0)
        ok = put_config(w, old, buf_text(&merged), &diff, err);
    else if (ok)
        buf_add(&diff, buf_text(&merged));
    ok = ok && buf_ok(&diff, err);
    if (ok) {
        const char *text = str_dup(buf_text(&diff), w->ctx->arena, err);

        res->diff = (struct str){text, diff.len};
        ok = text != NULL;
    }
    buf_free(&merged);
    buf_free(&diff);
    return ok;
}

static bool check_config(const struct plan_work *w, struct error *err)
{
    const struct plan_request *r = w->request;

    if (r->base.len > 0 && r->write_config.len == 0) {
        error_set(err, ERROR_USAGE, "--base needs to know what it is");
        error_hint(err, "say --write-config deepspeed (accelerate, kohya, hf-trainer)");
        return false;
    }
    if (r->write_config.len > 0 && (w->job.job.kind != JOB_TRAIN || !w->job.job.arch_known)) {
        error_set(err, ERROR_USAGE, "--write-config is for training a model that is known");
        return false;
    }
    return true;
}

bool plan_write(struct plan_work *w, const struct plan *best, struct plan_result *res,
                struct error *err)
{
    const struct plan_request *r = w->request;

    if (!check_config(w, err) ||
        (r->write_config.len > 0 && !write_config(w, best, res, err)) ||
        (r->csv.len > 0 && !plan_csv_write(res, r->csv, w->ctx->arena, err)))
        return false;
    if (r->save.len == 0)
        return true;
    res->saved = r->save;
    res->asked = *r;
    res->asked.save = res->asked.csv = res->asked.write_config = res->asked.base =
        (struct str){0};
    res->job_text = plan_job_text(w->ctx, r);
    return plan_file_write(w->ctx, r->save, res, err);
}
