/* Plans as rows, and words for them. */
#include <math.h>

#include "estimate/infer.h"
#include "estimate/memory.h"
#include "op/plan/plan_work.h"

#define P90 1.2815515655446004 /* standard deviations up to the 90th percentile */

static bool is_mixed(const struct setup *s)
{
    return s->tensor * s->pipeline * s->context * s->expert > 1;
}

static void setting_of_training(const struct plan *plan, struct buf *out)
{
    const struct setup *s = &plan->way.setup;

    buf_addf(out, "%s, ", precision_names[s->precision]);
    if (is_mixed(s)) {
        const struct {
            const char *name;
            int64_t degree;
        } degrees[] = {{"tensor", s->tensor},
                       {"pipeline", s->pipeline},
                       {"context", s->context},
                       {"expert", s->expert}};

        for (size_t i = 0; i < ARRAY_LEN(degrees); i++)
            if (degrees[i].degree > 1)
                buf_addf(out, "%s %lld, ", degrees[i].name, (long long)degrees[i].degree);
    }
    if (s->data * s->context > 1) {
        buf_addf(out, "zero %d", s->zero);
        if (s->zero > 0 && s->shard < s->data * s->context)
            buf_addf(out, " in the machine");
        buf_adds(out, ", ");
    }
    buf_addf(out, "batch %lld", (long long)s->micro_batch);
    if (s->accumulation > 1)
        buf_addf(out, " x %lld", (long long)s->accumulation);
    if (s->recompute != RECOMPUTE_NONE)
        buf_addf(out, ", recompute %s", recompute_names[s->recompute]);
    if (s->offload != OFFLOAD_NONE)
        buf_addf(out, ", offload %s", offload_names[s->offload]);
    if (plan->way.trials_parallel > 1)
        buf_addf(out, ", %lld trials at once", (long long)plan->way.trials_parallel);
}

struct str plan_setting(struct plan_work *w, const struct plan *plan, struct error *err)
{
    struct buf text = buf_new(w->ctx->arena->alloc, 512);
    const struct serving *s = &plan->way.serving;
    struct str words;

    if (plan->way.serves)
        buf_addf(&text, "%s, tensor %lld%s, batch %.0f, %s", weights_names[s->weights],
                 (long long)s->tensor, s->pipeline > 1 ? ", in stages" : "", s->batch,
                 engine_names[s->engine]);
    else if (w->job.job.arch_known)
        setting_of_training(plan, &text);
    else
        buf_adds(&text, "as measured");
    words = plan_text(w, &text, err);
    buf_free(&text);
    return words;
}

static void add_training(const struct plan_work *w, const struct plan *plan,
                         struct plan_row *row)
{
    const struct setup *s = &plan->way.setup;
    const struct correction *learnt;

    row->rate_unit = arch_counts_samples(s->arch) ? STR("samples/s") : STR("tokens/s");
    row->method = str_from(method_names[s->method]);
    row->precision = str_from(precision_names[s->precision]);
    row->optimizer = str_from(optimizer_names[s->optimizer]);
    row->recompute = str_from(recompute_names[s->recompute]);
    row->framework = str_from(setup_framework(s));
    learnt = correction_find(w->job.constants.learnt, w->job.constants.learnt_count,
                             s->gpu->name, row->framework);
    if (learnt != NULL)
        row->correction = learnt->factor;
    row->offload = str_from(offload_names[s->offload]);
    if (s->method == METHOD_QLORA)
        row->weights = str_from(weights_names[s->base]);
    row->data = s->data;
    row->tensor = s->tensor;
    row->pipeline = s->pipeline;
    row->context = s->context;
    row->expert = s->expert;
    row->zero = s->zero;
    row->shard = s->shard;
    row->sequence = s->sequence;
    row->micro_batch = s->micro_batch;
    row->accumulation = s->accumulation;
    row->global_batch = setup_global_batch(s);
    if (w->job.job.train.search.trials > 0)
        row->parallel_trials = plan->way.trials_parallel;
}

static void add_serving(const struct plan_work *w, const struct plan *plan,
                        struct plan_row *row)
{
    const struct serving *s = &plan->way.serving;
    bool tokens = model_writes(s->arch) && s->output > 0;
    double made = plan->way.rate * (w->job.job.infer.rate > 0 && tokens ? s->output : 1);
    double usd_h = usd_per_hour_double(plan->place->price) * (double)plan->way.machines;

    row->rate_unit = w->job.job.infer.rate > 0 || !tokens ? STR("requests/s") : STR("tokens/s");
    row->p95_s = plan->way.latency_s;
    row->copies = plan->way.copies;
    row->weights = row->precision = str_from(weights_names[s->weights]);
    row->framework = str_from(engine_names[s->engine]);
    row->tensor = s->tensor;
    row->pipeline = s->pipeline;
    row->micro_batch = (int64_t)s->batch;
    if (tokens && made > 0)
        row->per_million_tokens = usd_about(usd_h / (made * 3600) * 1e6);
}

bool plan_has_deadline(const struct plan_work *w)
{
    return w->request->deadline.ns > 0 || w->job.job.limits.deadline.ns > 0;
}

static void add_spot(const struct plan *plan, struct plan_row *row)
{
    row->risk = plan->risk;
    if (plan->way.serves)
        return;
    row->losses = plan->losses;
    if (isfinite(plan->save_every_s)) /* else it saves when it is told that it will be lost */
        row->save_every_s = plan->save_every_s;
    row->overhead = plan->overhead;
}

/* The range of time is that of the training; waiting for spot is spread with it. */
static struct guess hours_of(const struct plan *plan)
{
    struct hours_range h = cost_hours(&plan->cost);

    if (plan->way.serves)
        return (struct guess){NAN, NAN, NAN};
    return (struct guess){plan->hours, plan->hours * h.low / h.expected,
                          plan->hours * h.high / h.expected};
}

/* On spot what interruptions leave of it, were the time known; elsewhere what the range of time
 * leaves of it. */
static double chance_in_time(const struct plan_work *w, const struct plan *plan,
                             struct guess hours)
{
    double left = w->problem.limits.deadline_h - plan->start_h;
    double spread = log(hours.high / hours.value) / P90;

    if (!plan_has_deadline(w) || plan->way.serves)
        return NAN;
    if (plan->place->market == PLAN_SPOT)
        return plan->on_time;
    if (!(spread > 0))
        return hours.value <= left ? 1 : 0;
    return left > 0 ? 0.5 * erfc(-log(left / hours.value) / (spread * sqrt(2))) : 0;
}

/* Against the same that starts now. */
static void add_start_saves(const struct plan_work *w, const struct plan *plan,
                            struct plan_row *row)
{
    struct plan now;

    if (!plan_price_at(&w->problem, plan->place, &plan->way, 0, &now))
        return;
    row->start_saves_usd = usd_double(now.total.expected) - usd_double(plan->total.expected);
    row->start_saves_kg = now.carbon_kg - plan->carbon_kg;
}

static bool add_start(struct plan_work *w, const struct plan *plan, struct plan_row *row,
                      struct error *err)
{
    stamp at = w->ctx->clock->today(w->ctx->clock->ctx);
    struct buf text;

    row->start_h = plan->start_h;
    if (!(plan->start_h > 0))
        return true;
    add_start_saves(w, plan, row);
    at.s += (int64_t)(plan->start_h * 3600);
    at.s -= at.s % 3600; /* hours of the week are whole */
    text = buf_new(w->ctx->arena->alloc, 64);
    stamp_write(at, &text);
    row->start = plan_text(w, &text, err);
    buf_free(&text);
    return row->start.at != NULL;
}

/* Of work that was measured the size is known; and a server takes the share that it is told. */
static double memory_spread(const struct plan_work *w, const struct plan *plan)
{
    const struct constants *c = &w->job.constants;
    struct serving_memory m;

    if (!w->job.job.arch_known)
        return 0;
    if (plan->way.serves) {
        m = estimate_serving_memory(&plan->way.serving, c);
        if (m.device > m.allocated + m.context)
            return 0;
    }
    return c->at[C_spread_memory];
}

static void add_memory(const struct plan_work *w, const struct plan *plan, struct plan_row *row)
{
    struct guess size;

    if (isnan(plan->way.need))
        return;
    row->usable_gb = usable_memory(plan->place->gpu) / 1e9;
    size = guess_of(plan->way.need * row->usable_gb, memory_spread(w, plan));
    row->memory_gb = size.value;
    row->memory_low_gb = size.low;
    row->memory_high_gb = size.high;
}

static void add_owned(const struct plan *plan, struct plan_row *row)
{
    const struct cost_line *line = &plan->cost.at[COST_OWNED];
    double used = -usd_double(line->amount.expected) / usd_per_hour_double(plan->place->price);

    if (!line->written || !(used > 0))
        return;
    row->owned_hours = used;
    row->owned_suffice = used < plan->place->owned_hours * (1 - 1e-6); /* money is rounded */
}

bool plan_row_of(struct plan_work *w, const struct plan *plan, const char *role,
                 const struct plan *best, struct plan_row *out, struct error *err)
{
    const struct plan_place *place = plan->place;

    if (!fields_reset(&plan_row_fields, out, w->ctx->arena, err))
        return false;
    out->role = str_from(role);
    out->offer = place->offer;
    out->provider = place->provider;
    out->region = place->region;
    out->instance = place->instance;
    out->accelerator = place->gpu->name;
    out->market = str_from(plan_market_names[place->market]);
    out->gpus = plan->way.gpus * plan->way.trials_parallel;
    out->machines = plan->way.machines * plan->way.trials_parallel;
    out->rented_gpus = out->machines * place->count;
    out->cost = plan->total.expected;
    out->cost_low = plan->total.low;
    out->cost_high = plan->total.high;
    out->price = place->price;
    out->price_date = place->date;
    out->price_age_days = op_today(w->ctx).n - place->date.n;
    out->hours = hours_of(plan);
    out->on_time = chance_in_time(w, plan, out->hours);
    out->rate = plan->way.rate;
    out->carbon_kg = plan->carbon_kg;
    out->kwh = plan->kwh;
    if (best != NULL) {
        out->more_usd = usd_double(plan->total.expected) - usd_double(best->total.expected);
        out->more_hours = plan->hours - best->hours;
    }
    if (plan->way.serves)
        add_serving(w, plan, out);
    else if (w->job.job.arch_known)
        add_training(w, plan, out);
    else
        out->rate_unit =
            w->job.job.train.measured.samples_s > 0 ? STR("samples/s") : STR("tokens/s");
    if (place->market == PLAN_SPOT)
        add_spot(plan, out);
    add_memory(w, plan, out);
    add_owned(plan, out);
    out->setting = plan_setting(w, plan, err);
    return out->setting.at != NULL && add_start(w, plan, out, err);
}
