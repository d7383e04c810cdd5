/* Plans as rows of the record: the best, and what is shown beside it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/model/settings.h"
#include "estimate/serving/infer.h"
#include "plan/planning.h"
#include "plan/ranking.h"

/* What is shown beside the best plan: the other market, other GPUs, faster ones, the front. */

#define MOST_ROWS 100
#define USUAL_ROWS 6
#define WORTH_SHOWING 0.9 /* of the time before, that a faster plan must take at most */
#define NOT_MUCH_DEARER 2.0
#define AS_SOON 1.03 /* of the time of a faster plan: what comes so soon may be cheaper */

static size_t most_rows(const struct planning *w)
{
    int64_t limit = w->request->limit;

    return limit < 1 ? USUAL_ROWS : limit < MOST_ROWS ? (size_t)limit : MOST_ROWS;
}

static void setting_of_training(const struct plan *plan, struct buf *out)
{
    const struct setup *s = &plan->way.setup;

    buf_addf(out, "%s, ", precision_names[s->precision]);
    if (setup_shares_layers(s)) {
        const struct {
            const char *name;
            int64_t degree;
        } degrees[] = {{"tensor", s->tensor},
                       {"pipeline", s->pipeline},
                       {"virtual", s->virtual_pipeline},
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

struct str plan_setting(struct planning *w, const struct plan *plan, struct error *err)
{
    struct buf text = buf_new(w->arena->alloc, 512);
    const struct serving *s = &plan->way.serving;
    struct str words;

    if (plan->way.serves)
        buf_addf(&text, "%s, tensor %lld%s, batch %.0f, %s", weights_names[s->weights],
                 (long long)s->tensor, s->pipeline > 1 ? ", in stages" : "", s->batch,
                 engine_names[s->engine]);
    else if (w->job->arch_known)
        setting_of_training(plan, &text);
    else
        buf_adds(&text, "as measured");
    words = plan_text(w, &text, err);
    buf_free(&text);
    return words;
}

static bool add_training_row(const struct planning *w, const struct plan *plan,
                             struct plan_row *row, struct error *err)
{
    const struct setup *s = &plan->way.setup;
    char setting[SETUP_SETTING];
    const struct correction_key key = setup_correction_key(s, setting);
    double *const corrections[CORRECTION_FACTORS] = {&row->correction, &row->memory_correction,
                                                     &row->power_correction};

    row->rate_unit = arch_counts_samples(s->arch) ? STR("samples/s") : STR("tokens/s");
    row->method = str_from(method_names[s->method]);
    row->precision = str_from(precision_names[s->precision]);
    row->optimizer = str_from(optimizer_names[s->optimizer]);
    row->recompute = str_from(recompute_names[s->recompute]);
    row->framework = str_from(setup_framework(s));
    row->step_s = plan->way.step_s;
    row->board_w = plan->way.board_w;
    for (int of = 0; of < CORRECTION_FACTORS; of++) {
        const struct correction *learned = correction_find(
            w->constants->learned, w->constants->learned_count, (enum correction_of)of, &key);

        if (learned != NULL)
            *corrections[of] = learned->factor;
    }
    row->offload = str_from(offload_names[s->offload]);
    if (s->method == METHOD_QLORA)
        row->weights = str_from(weights_names[s->base]);
    row->data = s->data;
    row->tensor = s->tensor;
    row->pipeline = s->pipeline;
    row->virtual_pipeline = s->virtual_pipeline;
    row->context = s->context;
    row->expert = s->expert;
    row->zero = s->zero;
    row->shard = s->shard;
    row->sequence = s->sequence;
    row->micro_batch = s->micro_batch;
    row->accumulation = s->accumulation;
    row->global_batch = setup_global_batch(s);
    if (w->job->train.search.trials > 0)
        row->parallel_trials = plan->way.trials_parallel;
    return str_keep(key.setting, w->arena, &row->step_setting, err);
}

static void add_serving(const struct planning *w, const struct plan *plan, struct plan_row *row)
{
    const struct serving *s = &plan->way.serving;
    bool tokens = model_writes(s->arch) && s->output > 0;
    double made = plan->way.rate * (w->job->infer.rate > 0 && tokens ? s->output : 1);
    double usd_h = usd_per_hour_double(plan->place->price) * (double)plan->way.machines;

    row->rate_unit = w->job->infer.rate > 0 || !tokens ? STR("requests/s") : STR("tokens/s");
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

static void add_spot_row(const struct plan *plan, struct plan_row *row)
{
    row->risk = plan->risk;
    if (plan->way.serves)
        return;
    row->losses = plan->losses;
    if (isfinite(plan->save_every_s)) /* else it saves when a notice announces the loss */
        row->save_every_s = plan->save_every_s;
    row->overhead = plan->overhead;
}

bool plan_has_deadline(const struct planning *w)
{
    return w->request->deadline.ns > 0 || w->job->limits.deadline.ns > 0;
}

bool plan_has_usual_gpus(const struct planning *w)
{
    return w->request->max_gpus < 1 && w->job->limits.max_gpus < 1 &&
           w->problem.limits.least_gpus < w->problem.limits.most_gpus;
}

/* Against the same that starts now. */
static void add_start_saves(const struct planning *w, const struct plan *plan,
                            struct plan_row *row)
{
    struct plan now;

    if (!plan_price_at(&w->problem, plan->place, &plan->way, 0, &now))
        return;
    row->start_saves_usd = usd_double(now.total.expected) - usd_double(plan->total.expected);
    row->start_saves_kg = now.carbon_kg - plan->carbon_kg;
}

static void add_row_start(struct planning *w, const struct plan *plan, struct plan_row *row)
{
    row->start_h = plan->start_h;
    if (!(plan->start_h > 0))
        return;
    add_start_saves(w, plan, row);
    row->start.s = w->now.s + (int64_t)(plan->start_h * 3600);
    row->start.s -= row->start.s % 3600; /* patterns are by the hour */
}

/* Of work that was measured the size is known; and a server takes the share that it is
 * given. */
static struct doubt plan_memory_doubt(const struct planning *w, const struct plan *plan)
{
    const struct constants *c = w->constants;
    struct serving_memory m;

    if (!w->job->arch_known)
        return (struct doubt){0};
    if (!plan->way.serves)
        return memory_doubt(&plan->way.setup, c);
    m = estimate_serving_memory(&plan->way.serving, c);
    return serving_memory_doubt(&m, c);
}

static void add_row_memory(const struct planning *w, const struct plan *plan,
                           struct plan_row *row)
{
    struct guess size;

    if (isnan(plan->way.need))
        return;
    row->usable_gb = usable_memory(plan->place->machine->gpu) / 1e9;
    size = guess_time(plan->way.need * row->usable_gb, plan_memory_doubt(w, plan));
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

/* A plan as a row; `best` NULL for the best itself. */
bool plan_row_of(struct planning *w, const struct plan *plan, const char *role,
                 const struct plan *best, struct plan_row *out, struct error *err)
{
    const struct plan_place *place = plan->place;

    if (!fields_reset(&plan_row_fields, out, w->arena, err))
        return false;
    out->role = str_from(role);
    out->offer = place->machine->name;
    out->provider = place->machine->provider;
    out->region = place->machine->region;
    out->instance = place->machine->instance;
    out->accelerator = place->machine->gpu->name;
    out->market = place->market;
    out->gpus = plan->way.gpus * plan->way.trials_parallel;
    out->machines = plan->way.machines * plan->way.trials_parallel;
    out->network_gbit_s = plan_network_gbit_s(plan);
    if (!isnan(out->network_gbit_s))
        out->network =
            plan->place->join.gb_s > 0 ? plan->place->join.row->kind : STR("assumed");
    out->rented_gpus = out->machines * place->machine->count;
    out->cost = plan->total.expected;
    out->cost_low = plan->total.low;
    out->cost_high = plan->total.high;
    out->price = place->price;
    out->price_date = place->date;
    out->price_age_days = day_of(w->now).n - place->date.n;
    out->price_low = usd_per_hour_scaled(place->price, exp(-place->trust.width));
    out->price_high = usd_per_hour_scaled(place->price, exp(place->trust.width));
    out->price_unchanged = place->trust.unchanged;
    out->hours = plan_hours(plan);
    out->on_time = plan_has_deadline(w) && !plan->way.serves ? plan->on_time : NAN;
    out->rate = plan->way.rate;
    out->carbon_kg = plan->carbon_kg;
    out->kwh = plan->kwh;
    if (best != NULL) {
        out->more_usd = usd_double(plan->total.expected) - usd_double(best->total.expected);
        out->more_hours = plan->hours - best->hours;
    }
    if (plan->way.serves)
        add_serving(w, plan, out);
    else if (!w->job->arch_known)
        out->rate_unit =
            w->job->train.measured.samples_s > 0 ? STR("samples/s") : STR("tokens/s");
    else if (!add_training_row(w, plan, out, err))
        return false;
    if (place->market == MARKET_SPOT)
        add_spot_row(plan, out);
    add_row_memory(w, plan, out);
    add_owned(plan, out);
    out->setting = plan_setting(w, plan, err);
    add_row_start(w, plan, out);
    return out->setting.at != NULL;
}

/* Unless the same machines are there already: under one role is enough. */
static bool add_plan_row(struct planning *w, const struct plan *plan, const char *role,
                         const struct plan *best, struct plan_row *rows, size_t *count,
                         struct error *err)
{
    for (size_t i = 0; i < *count; i++)
        if (str_eq(rows[i].offer, plan->place->machine->name) &&
            rows[i].market == plan->place->market &&
            rows[i].gpus == plan->way.gpus * plan->way.trials_parallel)
            return true;
    return plan_row_of(w, plan, role, best, &rows[(*count)++], err);
}

/* The best on spot when the best is not, and the other way round. */
static bool add_other_market(struct planning *w, const struct plan *best, struct plan_row *rows,
                             size_t *count, struct error *err)
{
    bool spot = best->place->market == MARKET_SPOT;
    struct plan_problem p = w->problem;
    struct search_filter filter = {.markets = spot ? 1u << MARKET_ON_DEMAND | 1u << MARKET_OWN
                                                   : 1u << MARKET_SPOT};
    struct plan plan;
    bool found;

    p.limits.lifted |= BAR_MARKET;
    if (!search_best(w->search, &p, &filter, &plan, &found, err))
        return false;
    return !found ||
           add_plan_row(w, &plan, spot ? "on demand" : "on spot", best, rows, count, err);
}

/* What an account with another provider would save. */
static bool add_without_account(struct planning *w, const struct plan *best,
                                struct plan_row *rows, size_t *count, struct error *err)
{
    struct plan_problem p = w->problem;
    struct plan plan;
    bool found;

    if (!w->accounts)
        return true;
    p.limits.lifted |= BAR_ACCOUNT;
    if (!search_best(w->search, &p, NULL, &plan, &found, err))
        return false;
    return !found || !(plan.place->bars & BAR_ACCOUNT) ||
           add_plan_row(w, &plan, "no account", best, rows, count, err);
}

/* As many as there is room for in the table. */
static bool add_other_gpus(struct planning *w, const struct plan *best, struct plan_row *rows,
                           size_t *count, struct error *err)
{
    size_t room = most_rows(w) > *count ? most_rows(w) - *count : 0, found;
    struct plan *plans = arena_array(w->arena, struct plan, room + 1, err);

    if (plans == NULL)
        return false;
    if (room == 0)
        return true;
    if (!search_different(w->search, &w->problem, room + 1, plans, &found, err))
        return false;
    for (size_t i = 1; i < found && *count < most_rows(w); i++)
        if (!add_plan_row(w, &plans[i], "other GPU", best, rows, count, err))
            return false;
    return true;
}

/* The plans that no other beats in cost and time at once, cheapest first, and which of them is
 * the best plan; `count` when none is. */
struct front {
    struct plan *at;
    size_t count, best;
};

/* Of two that are as good the front has one. */
static bool is_same_plan(const struct plan *a, const struct plan *b)
{
    return a->total.expected.nano == b->total.expected.nano && !(a->time < b->time) &&
           !(b->time < a->time);
}

static bool find_front(struct planning *w, const struct plan *best, struct front *out,
                       struct error *err)
{
    if (!search_front(w->search, &w->problem, NULL, &out->at, &out->count, err))
        return false;
    out->best = 0;
    while (out->best < out->count && !is_same_plan(&out->at[out->best], best))
        out->best++;
    return true;
}

/* Of the front, those that are each a good deal faster than the one before, as many as wanted;
 * and the best plan, wherever it lies. */
static size_t thin_out(const struct front *front, size_t most, const struct plan **out)
{
    double factor = 1;
    size_t kept;

    if (most == 1 && front->best < front->count) {
        out[0] = &front->at[front->best];
        return 1;
    }
    do {
        factor *= WORTH_SHOWING;
        kept = 0;
        for (size_t i = 0; i < front->count && kept <= most; i++) {
            if (kept > 0 && i != front->best &&
                front->at[i].time > factor * out[kept - 1]->time)
                continue;
            if (kept < most)
                out[kept] = &front->at[i];
            kept++;
        }
    } while (kept > most && factor > 0);
    return kept < most ? kept : most;
}

/* The soonest done for not much more; of those that are as soon the cheapest. */
static const struct plan *find_faster(const struct front *front, const struct plan *best)
{
    double most = NOT_MUCH_DEARER * usd_double(best->total.expected), soonest = INFINITY;
    double latest = WORTH_SHOWING * best->time;

    for (size_t i = 0; i < front->count; i++)
        if (usd_double(front->at[i].total.expected) <= most)
            soonest = fmin(soonest, front->at[i].time);
    latest = fmin(latest, AS_SOON * soonest);
    for (size_t i = 0; i < front->count; i++)
        if (front->at[i].time <= latest && usd_double(front->at[i].total.expected) <= most)
            return &front->at[i];
    return NULL;
}

/* Done sooner for not much more; or cheaper, when time is what was aimed at. */
static bool add_from_front(struct planning *w, const struct plan *best,
                           const struct front *front, struct plan_row *rows, size_t *row_count,
                           struct error *err)
{
    const struct plan *faster = find_faster(front, best);

    if (front->count > 0 && *row_count < most_rows(w) &&
        front->at[0].total.expected.nano < best->total.expected.nano &&
        !add_plan_row(w, &front->at[0], "cheapest", best, rows, row_count, err))
        return false;
    return faster == NULL || *row_count >= most_rows(w) ||
           add_plan_row(w, faster, "faster", best, rows, row_count, err);
}

/* What the hours are worth that the best plan saves compared with the cheapest; or, where
 * nothing was said about that, what it pays for each of them. */
static void add_worth(const struct planning *w, const struct plan *best,
                      const struct plan *cheapest, struct plan_result *res)
{
    double worth = w->problem.aim.value_of_time, saved = cheapest->hours - best->hours;
    double more = usd_double(best->total.expected) - usd_double(cheapest->total.expected);

    if (best->way.serves)
        return;
    if (worth > 0)
        res->time_value = usd_about(worth * fmax(0, saved));
    else if (saved > 0 && more > 0 && best->place != NULL && plan_is_by_cost(w))
        res->value_of_time = (usd_per_hour){usd_from(more / saved).nano};
}

static bool add_front_rows(struct planning *w, const struct plan *best, struct plan_row *rows,
                           size_t *row_count, struct plan_result *res, struct error *err)
{
    size_t most = most_rows(w);
    const struct plan **kept = arena_array(w->arena, const struct plan *, most, err);
    struct plan_row *front_rows = arena_array(w->arena, struct plan_row, most, err);
    struct front front;
    size_t n;

    if (kept == NULL || front_rows == NULL || !find_front(w, best, &front, err) ||
        !add_from_front(w, best, &front, rows, row_count, err))
        return false;
    n = thin_out(&front, most, kept);
    for (size_t i = 0; i < n; i++)
        if (!plan_row_of(w, kept[i], i == 0 ? "cheapest" : "faster", best, &front_rows[i], err))
            return false;
    res->front = (struct rows){front_rows, n};
    if (front.count > 0)
        add_worth(w, best, &front.at[0], res);
    return true;
}

/* What experts do before they pay for more: the job's setting, changed in one way that it
 * leaves open. */
static const struct standard_way {
    const char *role;
    bool serves;
    size_t key; /* of what is changed: a struct str in struct job */
    const char *value;
} standard_ways[] = {
    {"pure bf16", false, offsetof(struct job, train.precision), "bf16-pure"},
    {"8-bit Adam", false, offsetof(struct job, train.optimizer), "adamw-8bit"},
    {"fp8 weights", true, offsetof(struct job, infer.weights), "fp8"},
};

#define MUCH_LESS 0.7 /* of the best plan's cost: below, another standard setting is shown */

/* The best plan of the job in that way; `found` false where the job says otherwise. */
static bool best_in_way(struct planning *w, const struct standard_way *way, struct plan *out,
                        bool *found, struct error *err)
{
    struct job *job = arena_array(w->arena, struct job, 1, err);
    struct plan_problem p = w->problem;
    struct error ignored = {0};
    struct search *search;
    struct str *value;

    *found = false;
    if (job == NULL)
        return false;
    *job = *w->job;
    value = (struct str *)(void *)((char *)job + way->key);
    if (value->len > 0)
        return true;
    *value = str_from(way->value);
    p.job = job;
    search = search_new(&p, w->measured, w->arena, &ignored);
    if (search != NULL)
        return search_best(search, &p, NULL, out, found, err);
    if (ignored.kind == ERROR_INPUT || ignored.kind == ERROR_UNFIT)
        return true; /* it cannot be done in this way */
    *err = ignored;
    return false;
}

/* Full training at the usual precision keeps 16 bytes for each parameter: two thirds of them
 * can be done without. Serving at 16 bits reads twice the bytes of 8. */
static bool is_open_to_ways(const struct planning *w, const struct plan *best)
{
    if (!w->job->arch_known)
        return false;
    return best->way.serves ? weights_bytes(best->way.serving.weights) >= 2
                            : best->way.setup.method == METHOD_FULL;
}

static bool add_standard_ways(struct planning *w, const struct plan *best,
                              struct plan_row *rows, size_t *count, struct error *err)
{
    if (!is_open_to_ways(w, best))
        return true;
    for (size_t i = 0; i < ARRAY_LEN(standard_ways); i++) {
        const struct standard_way *way = &standard_ways[i];
        struct plan plan;
        bool found;

        if (way->serves != best->way.serves)
            continue;
        if (!best_in_way(w, way, &plan, &found, err))
            return false;
        if (found &&
            usd_double(plan.total.expected) < MUCH_LESS * usd_double(best->total.expected) &&
            !plan_row_of(w, &plan, way->role, best, &rows[(*count)++], err))
            return false;
    }
    return true;
}

/* What would be cheaper, were its price still what it was long ago. */
static bool add_worth_checking(struct planning *w, const struct plan *best,
                               struct plan_result *res, struct error *err)
{
    struct plan_row *rows = arena_array(w->arena, struct plan_row, 1, err);
    struct plan_problem p = w->problem;
    struct plan plan;
    bool found;

    if (rows == NULL)
        return false;
    p.limits.lifted |= BAR_OLD;
    if (!search_best(w->search, &p, NULL, &plan, &found, err))
        return false;
    if (!found || !(plan.place->bars & ~w->problem.limits.lifted & BAR_OLD) ||
        usd_compare(plan.total.expected, best->total.expected) >= 0)
        return true;
    res->worth_checking = (struct rows){rows, 1};
    return plan_row_of(w, &plan, "worth checking", best, rows, err);
}

bool plan_alternatives(struct planning *w, const struct plan *best, struct plan_result *res,
                       struct error *err)
{
    /* The best, the other market, other settings and one without an account are there whatever
     * the limit. */
    struct plan_row *rows = arena_array(w->arena, struct plan_row,
                                        most_rows(w) + 3 + ARRAY_LEN(standard_ways), err);
    size_t count = 0;

    if (rows == NULL || !add_plan_row(w, best, "best", NULL, rows, &count, err) ||
        !add_other_market(w, best, rows, &count, err) ||
        !add_front_rows(w, best, rows, &count, res, err) ||
        !add_other_gpus(w, best, rows, &count, err) ||
        !add_standard_ways(w, best, rows, &count, err) ||
        !add_without_account(w, best, rows, &count, err))
        return false;
    plan_sort_rows(rows, count);
    res->plans = (struct rows){rows, count};
    return add_worth_checking(w, best, res, err);
}
