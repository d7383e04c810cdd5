/* What a user must know of a plan besides its numbers: how it is paid, what was assumed. */
#include <math.h>

#include "estimate/choose.h"
#include "op/estimate/learning.h"
#include "op/plan/plan_work.h"

/* How it is paid, where that is not by the hour of a machine alone; and when it starts, where
 * that was asked for. */
static bool add_payment(struct plan_work *w, const struct plan *best,
                        const struct plan_row *row, struct error *err)
{
    const struct plan_place *place = best->place;

    if (row->owned_hours > 0 &&
        !plan_note(w, err, "%.3g of the %.3g machine-hours of %.*s that you own are used",
                   row->owned_hours, place->owned_hours, STR_ARG(place->offer)))
        return false;
    if (place->markup > 0 &&
        !plan_note(w, err, "through %.*s: %.3g %% on top of the price of machines",
                   STR_ARG(w->request->platform), 100 * place->markup))
        return false;
    return !(w->problem.limits.within_h > 0) || best->start_h > 0 ||
           plan_note(w, err, "now is the best start within %.3g h", w->problem.limits.within_h);
}

/* What the job does not say and got its usual value: what the search chose is left out, as it
 * stands in the setting. */
static bool gather_usual(const struct plan_work *w, const struct plan *best,
                         struct notes *notes, struct error *err)
{
    struct job job = w->job.job;
    struct hardware hw = {.gpu = best->place->gpu,
                          .gpus = best->way.gpus,
                          .per_node = best->place->count,
                          .host_bytes = best->place->host_bytes};
    struct setup setup;
    struct serving serving;

    if (best->way.serves) {
        job.infer.tensor = best->way.serving.tensor;
        job.infer.pipeline = best->way.serving.pipeline;
        job.infer.batch = (int64_t)best->way.serving.batch;
        return choose_serving(&job, &hw, &w->job.constants, &serving, notes, err);
    }
    job.train.precision = str_from(precision_names[best->way.setup.precision]);
    return choose_base(&job, &hw, &setup, notes, err);
}

static bool has_promise(const struct job_slo *slo)
{
    return slo->p50.ns > 0 || slo->p95.ns > 0 || slo->p99.ns > 0 || slo->first_token.ns > 0;
}

static bool add_usual(struct plan_work *w, const struct plan *best, struct error *err)
{
    const struct job_infer *t = &w->job.job.infer;
    struct notes notes = {.len = 0};
    struct error ignored = {0}; /* the search chose the same way before */

    if (!w->job.job.arch_known || !gather_usual(w, best, &notes, &ignored))
        return true;
    for (size_t i = 0; i < notes.len; i++)
        if (!plan_note(w, err, "%s", notes.at[i]))
            return false;
    return !best->way.serves || !(t->rate > 0) || has_promise(&t->slo) ||
           plan_note(w, err, "no slo: any latency is taken");
}

/* What was assumed, that changes the answer. */
static bool add_assumptions(struct plan_work *w, const struct plan *best, struct error *err)
{
    const struct job_train *t = &w->job.job.train;
    const struct setup *s = &best->way.setup;
    struct str learnt;

    if (best->place->market == PLAN_RESERVED && best->way.serves &&
        !plan_note(w, err, "reserved for %.0f months: $%.0f in all, used or not",
                   best->place->commit_hours / MONTH_HOURS,
                   usd_per_hour_double(best->place->price) * (double)best->way.machines *
                       best->place->commit_hours))
        return false;
    if (!add_usual(w, best, err))
        return false;
    if (w->job.job.kind == JOB_INFER || !w->job.job.arch_known)
        return true;
    if (!learning_words(&w->job.constants, s->gpu->name, str_from(setup_framework(s)),
                        w->ctx->arena, &learnt, err) ||
        (learnt.len > 0 && !plan_note(w, err, "%.*s", (int)learnt.len, learnt.at)))
        return false;
    if (w->job.job.arch.assumed &&
        !plan_note(w, err, "a decoder of %lld layers, %lld wide: only its size is known",
                   (long long)s->arch->layers, (long long)s->arch->hidden))
        return false;
    if (t->global_batch < 1 && t->micro_batch > 0 && s->data > 1 &&
        !plan_note(
            w, err,
            "a global batch of %.0f follows from the GPUs: --set global_batch=N fixes it",
            setup_global_batch(s)))
        return false;
    if (t->global_batch < 1 && t->micro_batch < 1 &&
        !plan_note(w, err,
                   "a global batch of %.0f, as none is said: --set global_batch=N changes it",
                   setup_global_batch(s)))
        return false;
    if (best->place->market == PLAN_SPOT && t->checkpoint.resume.len == 0 &&
        !plan_note(w, err, "the job goes on from its last checkpoint after a loss"))
        return false;
    if (s->tensor * s->pipeline * s->context * s->expert > 1 && t->framework.len == 0 &&
        !plan_note(w, err,
                   "layers are shared between GPUs: it takes Megatron, NeMo or torchtitan; "
                   "'--set framework=fsdp' plans without"))
        return false;
    return s->gpus <= s->per_node || isnan(s->network_gb_s) ||
           plan_note(w, err, "machines joined by 25 Gb/s: these have no network of their own");
}

/* What may go wrong although the plan keeps to the limits. */
static bool add_dangers(struct plan_work *w, const struct plan *best,
                        const struct plan_row *row, struct error *err)
{
    double deadline = w->problem.limits.deadline_h;

    if (best->way.serves && best->place->market == PLAN_SPOT)
        return plan_note(w, err,
                         "losses on spot are not priced: other machines must stand in for one "
                         "that is lost");
    return !plan_has_deadline(w) || !(row->start_h + row->hours.high > deadline) ||
           plan_note(w, err,
                     "it may be late: 8 of 10 times it is done %.3g to %.3g h from now, and "
                     "the deadline is in %.3g h",
                     row->start_h + row->hours.low, row->start_h + row->hours.high, deadline);
}

bool plan_add_notes(struct plan_work *w, const struct plan *best, const struct plan_row *row,
                    struct error *err)
{
    return add_payment(w, best, row, err) && add_assumptions(w, best, err) &&
           add_dangers(w, best, row, err);
}
