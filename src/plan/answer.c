/* The record of the best plan. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "estimate/model/settings.h"
#include "estimate/serving/corrected.h"
#include "plan/planning.h"
#include "plan/trials.h"

/* ---- what there is to do ---- */

/* "76.8 M" */
static struct str write_amount_and_unit(struct planning *w, double n, const char *unit,
                                        struct error *err)
{
    static const struct {
        double unit;
        const char *suffix;
    } scales[] = {{1e12, "T"}, {1e9, "B"}, {1e6, "M"}};

    for (size_t i = 0; i < ARRAY_LEN(scales); i++)
        if (n >= 0.9995 * scales[i].unit) /* 999.9 million is 1 B */
            return plan_words(w, err, "%s %s %s", num_about(n / scales[i].unit).text,
                              scales[i].suffix, unit);
    return plan_words(w, err, "%.0f %s", n, unit);
}

/* What a training job goes over; the amount is the same on every card. */
static struct str work_of_training(struct planning *w, const struct plan *best,
                                   struct error *err)
{
    const struct job *job = w->job;
    bool samples =
        job->arch_known ? arch_counts_samples(&job->arch) : job->train.measured.samples_s > 0;
    double total = !job->arch_known ? (samples ? job_samples(job) : job_tokens(job))
                                    : choose_total(job, &best->way.setup);
    struct str amount = write_amount_and_unit(w, total, samples ? "samples" : "tokens", err);
    enum objective objective = OBJECTIVE_SFT;

    if (!job->arch_known || !objective_of(job->train.objective, &objective) ||
        objective == OBJECTIVE_SFT || amount.at == NULL)
        return amount;
    return plan_words(w, err, "%s, %.*s", objective_names[objective], STR_ARG(amount));
}

static struct str work_of_serving(struct planning *w, struct error *err)
{
    const struct job_infer *t = &w->job->infer;
    struct serving request = {.arch = &w->job->arch};
    struct str of = {0};
    const char *s = t->rate == 1 ? "" : "s";
    struct num_text rate = num_figures(t->rate);
    bool tokens;

    choose_request(t, &request, NULL);
    tokens = model_writes(&w->job->arch) && request.output > 0;

    if (!(t->rate > 0))
        return tokens ? STR("a million output tokens") : STR("a million requests");
    if (w->job->arch.kind == ARCH_ENCODER) {
        of = plan_words(w, err, " of %.0f tokens", request.input);
        if (of.at == NULL)
            return of;
    }
    if (t->hours_per_day > 0 && t->hours_per_day < 24)
        return plan_words(w, err,
                          "%s request%s/s%.*s, %.3g hours a day, for a month of 30 days",
                          rate.text, s, STR_ARG(of), t->hours_per_day);
    return plan_words(w, err, "%s request%s/s%.*s for a month of 30 days", rate.text, s,
                      STR_ARG(of));
}

static struct str aim_words(const struct planning *w)
{
    const struct plan_aim *a = &w->problem.aim;

    if (w->weighted)
        return w->request->aim;
    return a->value_of_time > 0 ? STR("value")
           : a->time > 0        ? STR("time")
           : a->carbon > 0      ? STR("carbon")
                                : STR("cost");
}

/* Until others are beside it. */
static bool only_row(struct planning *w, const struct plan *best, struct plan_result *res,
                     struct error *err)
{
    struct plan_row *row = arena_array(w->arena, struct plan_row, 1, err);

    res->plans = (struct rows){row, 1};
    return row != NULL && plan_row_of(w, best, "best", NULL, row, err);
}

bool plan_describe(struct planning *w, const struct plan *best, struct plan_result *res,
                   struct error *err)
{
    const struct job *job = w->job;
    bool serves = job->kind == JOB_INFER;

    res->kind = serves ? STR("infer") : STR("train");
    res->model = job->arch_known ? job->arch.name : (struct str){0};
    res->name = job->name.len > 0 ? job->name : res->model;
    res->work =
        serves && job->arch_known ? work_of_serving(w, err) : work_of_training(w, best, err);
    res->unit = !serves               ? STR("job")
                : job->infer.rate > 0 ? STR("month")
                                      : STR("million tokens");
    res->aim = aim_words(w);
    res->mostly_old = price_ages_mostly_old(
        best != NULL && best->place->market == MARKET_SPOT ? &w->spot_ages : &w->ages);
    if (best != NULL && best->start_h > 0)
        res->start_why = w->start_why;
    res->experiment = job->experiment.improvement > 0;
    res->explain = w->request->explain;
    if (plan_has_deadline(w))
        res->deadline_h = w->problem.limits.deadline_h;
    if (w->problem.aim.value_of_time > 0) {
        res->value_of_time = w->request->value_of_time;
        res->value_given = true;
    }
    return res->work.at != NULL && (best == NULL || only_row(w, best, res, err));
}

/* ---- a hyper-parameter search, and runs on spot ---- */

/* Until the last trial ends, with what waiting for spot and losses add. */
static double search_hours(const struct plan *plan)
{
    return plan->cost.at[COST_SEARCH].hours.expected * plan->hours /
           cost_hours(&plan->cost).expected;
}

/* A hyper-parameter search: what it takes so, and one trial after the other. */
static void add_trials(struct planning *w, const struct plan *best, struct plan_result *res)
{
    struct trials trials = trials_of(w->job);
    struct trials_need need;
    struct plan serial;
    struct way way = best->way;

    if (w->job->kind != JOB_TRAIN || trials.count < 1)
        return;
    need = trials_need(&trials, way.trials_parallel);
    way.trials_parallel = 1;
    res->trials.trials = trials.count;
    res->trials.parallel = best->way.trials_parallel;
    res->trials.rungs = need.rungs;
    res->trials.scheme = str_from(trials_scheme_names[trials.scheme]);
    res->trials.stopped = need.stopped;
    res->trials.cost = best->cost.at[COST_SEARCH].amount.expected;
    res->trials.each = cost_each(res->trials.cost, (double)trials.count);
    res->trials.hours = search_hours(best);
    if (plan_price(&w->problem, best->place, &way, &serial)) {
        res->trials.serial_hours = search_hours(&serial);
        res->trials.serial_cost = serial.cost.at[COST_SEARCH].amount.expected;
    }
}

#define SIMULATED_RUNS 60

/* Simulate a plan on spot. `done` is false for other plans, and for what cannot be simulated
 * (which is noted). */
static bool simulate(struct planning *w, const struct plan *plan, struct outlook *out,
                     bool *done, struct error *err)
{
    struct arena scratch = {.alloc = w->arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct error why = {0};
    struct lifetimes life;
    struct outlook_ask ask;

    *done = false;
    /* Of trials side by side the simulation knows one set of machines. */
    if (plan->place->market != MARKET_SPOT || plan->way.serves || plan->way.trials_parallel > 1)
        return true;
    ask = plan_outlook(&w->problem, plan, &life);
    ask.runs = SIMULATED_RUNS;
    if (isnan(ask.on_demand)) /* it waits for spot: what it is compared with does not matter */
        ask.on_demand = ask.spot;
    *done = outlook_run(&ask, &scratch, out, &why);
    arena_free(&scratch);
    if (*done)
        return true;
    return why.kind == ERROR_MEMORY ? error_memory(err)
                                    : plan_note(w, err, "not simulated: %s", why.text);
}

static bool add_simulation(struct planning *w, const struct plan *best, struct plan_result *res,
                           struct error *err)
{
    struct outlook o;
    bool done;

    if (!simulate(w, best, &o, &done, err))
        return false;
    if (!done)
        return true;
    res->simulated = usd_about(o.usd);
    res->simulated_low = usd_about(o.usd_p10);
    res->simulated_high = usd_about(o.usd_p90);
    res->simulated_hours = o.hours_p50;
    if (plan_has_deadline(w))
        res->simulated_on_time = o.on_time;
    res->simulated_runs = (int64_t)o.runs;
    return true;
}

/* ---- where the money goes, and what one would choose who only looks at prices or at a guide
 * ---- */

static bool add_answer_money(struct planning *w, const struct plan *best,
                             struct plan_result *res, struct error *err)
{
    struct plan_line *lines = arena_array(w->arena, struct plan_line, COST_LINE_COUNT, err);
    double total = 0; /* before what is paid already: of nothing there are no shares */
    size_t count = 0;

    if (lines == NULL)
        return false;
    for (size_t i = 0; i < COST_LINE_COUNT; i++)
        if (best->cost.at[i].written && best->cost.at[i].amount.expected.nano > 0)
            total += usd_double(best->cost.at[i].amount.expected);
    for (size_t i = 0; i < COST_LINE_COUNT; i++) {
        const struct cost_line *line = &best->cost.at[i];

        if (!line->written || line->amount.expected.nano == 0)
            continue;
        lines[count++] = (struct plan_line){
            .name = str_from(cost_line_names[i]),
            .amount = line->amount.expected,
            .share = total > 0 ? usd_double(line->amount.expected) / total : NAN,
            .hours = line->hours.expected,
        };
    }
    res->money = (struct rows){lines, count};
    return true;
}

/* A place to be sorted by the price of an hour. */
struct priced {
    const struct plan_place *place;
};

static int by_offer_price(const void *a, const void *b)
{
    const struct plan_place *x = ((const struct priced *)a)->place;
    const struct plan_place *y = ((const struct priced *)b)->place;
    int order = usd_per_hour_compare(x->price, y->price);

    return order != 0 ? order : str_cmp(x->machine->name, y->machine->name);
}

/* The cheapest machine for an hour that holds the job, as peers choose: on demand, one of them.
 * Its limits are those of the plan, but for deadline and budget. */
static bool cheapest_hour(struct planning *w, struct plan *out, bool *found, struct error *err)
{
    struct priced *sorted = arena_array(w->arena, struct priced, w->place_count + 1, err);
    struct plan_problem p = w->problem;
    size_t count = 0;

    *found = false;
    if (sorted == NULL)
        return false;
    p.limits.deadline_h = p.limits.max_carbon_kg = NAN;
    p.limits.budget = USD_UNKNOWN;
    for (size_t i = 0; i < w->place_count; i++)
        if (w->places[i].market == MARKET_ON_DEMAND &&
            (w->places[i].bars & ~(p.limits.lifted | BAR_MARKET)) == 0)
            sorted[count++].place = &w->places[i];
    p.limits.lifted |= BAR_MARKET;
    qsort(sorted, count, sizeof *sorted, by_offer_price);
    for (size_t i = 0; i < count && !*found; i++) {
        struct search_filter filter = {.only = sorted[i].place, .machines = 1};

        if (!search_best(w->search, &p, &filter, out, found, err))
            return false;
    }
    return true;
}

/* The GPU that guides recommend for a model of so many parameters (ML Cost Optimization
 * Reference, 2025), and how many. */
struct advice {
    double params;
    const char *gpu;
    int64_t gpus;
};

static const struct advice guide[] = {
    {0.35e9, "T4", 1},
    {1e9, "V100-SXM2-16GB", 1},
    {3e9, "V100-SXM2-32GB", 1},
    {7e9, "A100-SXM-40GB", 1},
    {13e9, "A100-SXM-80GB", 1},
    {30e9, "A100-SXM-80GB", 2},
    {INFINITY, "A100-SXM-80GB", 4},
};

static const struct advice *advice_for(const struct job *job)
{
    double params = arch_count(&job->arch).total;
    size_t i = 0;

    while (params > guide[i].params * 1.1) /* "7B" has 6.7 to 7.6 */
        i++;
    return &guide[i];
}

/* That GPU on demand, twice as many until it fits, with the big clouds' prices where they have
 * any. */
static bool guide_choice(struct planning *w, struct plan *out, bool *found, struct error *err)
{
    const struct advice *advice = advice_for(w->job);
    struct plan_problem p = w->problem;

    *found = false;
    p.limits.deadline_h = p.limits.max_carbon_kg = NAN;
    p.limits.budget = USD_UNKNOWN;
    p.limits.lifted |= BAR_MARKET | BAR_GPU;
    for (int64_t gpus = advice->gpus; gpus <= 64 && !*found; gpus *= 2)
        for (size_t i = 0; i < w->place_count; i++) {
            const struct plan_place *place = &w->places[i];
            struct search_filter filter = {.only = place, .gpus = gpus};
            struct plan plan;
            bool here;

            if (place->market != MARKET_ON_DEMAND || place->machine->count > gpus ||
                !str_eq(place->machine->gpu->name, str_from(advice->gpu)) ||
                (place->bars & ~p.limits.lifted) != 0)
                continue;
            if (!search_best(w->search, &p, &filter, &plan, &here, err))
                return false;
            if (here && (!*found || plan.total.expected.nano < out->total.expected.nano))
                *out = plan;
            *found |= here;
        }
    return true;
}

static bool add_naive(struct planning *w, const struct plan *best, struct plan_result *res,
                      struct error *err)
{
    struct plan_row *rows = arena_array(w->arena, struct plan_row, 2, err);
    struct plan plan;
    size_t count = 0;
    bool found;

    if (rows == NULL || !cheapest_hour(w, &plan, &found, err))
        return false;
    if (found && !plan_row_of(w, &plan, "cheapest hour", best, &rows[count++], err))
        return false;
    if (w->job->arch_known && w->job->kind == JOB_TRAIN) {
        if (!guide_choice(w, &plan, &found, err))
            return false;
        if (found && !plan_row_of(w, &plan, "as a guide says", best, &rows[count++], err))
            return false;
    }
    res->naive = (struct rows){rows, count};
    return true;
}

static bool explain_answer(struct planning *w, const struct plan *best, struct plan_result *res,
                           struct error *err)
{
    if (!add_answer_money(w, best, res, err))
        return false;
    return !w->request->explain ||
           (add_naive(w, best, res, err) && plan_restrictions(w, best, res, err));
}

/* ---- what a user must know of a plan besides its numbers ---- */

/* How it is paid, where that is not by the hour of a machine alone; and when it starts, where
 * that was asked for. */
static bool add_payment(struct planning *w, const struct plan *best, const struct plan_row *row,
                        struct error *err)
{
    const struct plan_place *place = best->place;

    if (row->owned_hours > 0 &&
        !plan_note(w, err, "uses %s of your %s prepaid machine-hours of %.*s",
                   num_about(row->owned_hours).text, num_about(place->owned_hours).text,
                   STR_ARG(place->machine->name)))
        return false;
    if (place->markup > 0 &&
        !plan_note(w, err, "through %.*s: %.3g %% on top of machine prices",
                   STR_ARG(str_eq_nocase(w->request->platform, STR("all"))
                               ? STR("a managed platform")
                               : w->request->platform),
                   100 * place->markup))
        return false;
    return !(w->problem.limits.within_h > 0) || best->start_h > 0 ||
           plan_note(w, err, "now is the best start within %s h",
                     num_about(w->problem.limits.within_h).text);
}

/* What the job does not say and got its usual value: what the search chose is left out, as it
 * is in the setting. */
static bool gather_usual(const struct planning *w, const struct plan *best, struct notes *notes,
                         struct error *err)
{
    struct job job = *w->job;
    struct hardware hw = {.gpu = best->place->machine->gpu,
                          .gpus = best->way.gpus,
                          .per_node = best->place->machine->count,
                          .host_bytes = machine_host_bytes(best->place->machine)};
    struct setup setup;
    struct serving serving;
    struct step step;

    if (best->way.serves) {
        job.infer.tensor = best->way.serving.tensor;
        job.infer.pipeline = best->way.serving.pipeline;
        job.infer.batch = (int64_t)best->way.serving.batch;
        return choose_serving(&job, &hw, w->constants, &serving, notes, err);
    }
    job.train.precision = str_from(precision_names[best->way.setup.precision]);
    if (!choose_base(&job, &hw, &setup, notes, err))
        return false;
    step = estimate_step(&best->way.setup, w->constants);
    settings_note_idle(notes, &best->way.setup, &step);
    return true;
}

static bool has_promise(const struct job_slo *slo)
{
    return slo->p50.ns > 0 || slo->p95.ns > 0 || slo->p99.ns > 0 || slo->first_token.ns > 0;
}

static bool add_usual(struct planning *w, const struct plan *best, struct error *err)
{
    const struct job_infer *t = &w->job->infer;
    struct notes notes = {.len = 0};
    struct error ignored = {0}; /* the search chose the same way before */

    if (!w->job->arch_known || !gather_usual(w, best, &notes, &ignored))
        return true;
    for (size_t i = 0; i < notes.len; i++)
        if (!plan_note(w, err, "%s", notes.at[i]))
            return false;
    if (best->way.serves && !(t->rate > 0))
        return plan_note(w, err,
                         "no rate given: GPU machines that are always busy; --rate 1/s "
                         "compares CPU machines, serverless and others");
    return !best->way.serves || has_promise(&t->slo) ||
           plan_note(w, err, "no slo: any latency is accepted");
}

bool plan_note_model(struct planning *w, struct error *err)
{
    struct str text = w->job->arch_known ? w->job->arch.note : (struct str){0};

    if (text.len == 0 || w->note_count == PLAN_NOTES)
        return true;
    return str_keep(text, w->arena, &w->notes[w->note_count++], err);
}

bool plan_note_serving(struct planning *w, const struct serving *s, struct error *err)
{
    struct str learned;

    if (s->gpu == NULL || s->arch == NULL) /* on vCPUs */
        return true;
    return serving_describe_correction(s, w->constants, w->arena, &learned, err) &&
           (learned.len == 0 || plan_note(w, err, "%.*s; 'stint infer --raw' ignores this",
                                          (int)learned.len, learned.at));
}

/* What was assumed, that changes the answer. */
static bool add_assumptions(struct planning *w, const struct plan *best, struct error *err)
{
    const struct job_train *t = &w->job->train;
    const struct setup *s = &best->way.setup;
    char setting[SETUP_SETTING];
    struct correction_key key;
    struct str learned;

    if (best->place->market == MARKET_RESERVED && best->way.serves &&
        !plan_note(w, err, "reserved for %.0f months: $%.0f in all, used or not",
                   best->place->commit_hours / MONTH_HOURS,
                   usd_per_hour_double(best->place->price) * (double)best->way.machines *
                       best->place->commit_hours))
        return false;
    if (!add_usual(w, best, err))
        return false;
    if (!plan_note_model(w, err))
        return false;
    if (w->job->kind == JOB_INFER && w->job->arch_known)
        return plan_note_serving(w, &best->way.serving, err);
    if (!w->job->arch_known)
        return true;
    key = setup_correction_key(s, setting);
    if (!correction_describe(w->constants->learned, w->constants->learned_count, &key, w->arena,
                             &learned, err) ||
        (learned.len > 0 && !plan_note(w, err, "%.*s", (int)learned.len, learned.at)))
        return false;
    if (w->job->arch.assumed &&
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
        !plan_note(w, err, "a global batch of %.0f (default): --set global_batch=N changes it",
                   setup_global_batch(s)))
        return false;
    if (best->place->market == MARKET_SPOT && t->checkpoint.resume.len == 0 &&
        !plan_note(w, err, "after an interruption the job resumes from its last checkpoint"))
        return false;
    if (s->tensor * s->pipeline * s->context * s->expert > 1 && t->framework.len == 0 &&
        !plan_note(w, err,
                   "layers are split across GPUs, which needs Megatron, NeMo or torchtitan; "
                   "'--set framework=fsdp' plans without it"))
        return false;
    return true;
}

/* By what the machines of one run are joined. */
static bool note_network(struct planning *w, const struct plan *best, struct error *err)
{
    const struct joining *j = &best->place->join;
    double gbit_s = plan_network_gbit_s(best);
    struct buf date;
    bool ok;

    if (isnan(gbit_s))
        return true;
    if (!(j->gb_s > 0))
        return plan_note(w, err, "machines joined by %s Gbit/s, which is assumed",
                         num_figures(gbit_s).text);
    date = buf_new(w->arena->alloc, 16);
    day_write(j->row->fact.date, &date);
    ok = plan_note(w, err, "machines joined by %s Gbit/s%s%.*s each, as of %.*s%s",
                   num_figures(gbit_s).text, j->row->kind.len > 0 ? " " : "",
                   STR_ARG(j->row->kind), STR_ARG(buf_text(&date)),
                   str_eq(j->row->quality, STR("C"))
                       ? ", not verified: the range includes 1.5 times less"
                       : "");
    buf_free(&date);
    return ok;
}

/* How many machines there are, where that is assumed and counts; what a new account may
 * not do. */
static bool note_supply(struct planning *w, const struct plan *best, struct error *err)
{
    const struct plan_place *place = best->place;
    const struct joining *j = &place->join;
    int64_t machines = best->way.machines * best->way.trials_parallel;
    struct limit_check check = {.provider = place->machine->provider,
                                .instance = place->machine->instance,
                                .market = place->market,
                                .machines = machines,
                                .gpus = machines * place->machine->count,
                                .vcpus = place->machine->vcpus,
                                .price = place->price};
    char text[LIMIT_TEXT];

    if (machines > 1 && j->assumed &&
        !plan_note(w, err,
                   "up to %lld machines are assumed to be available: %.*s publishes no limit; "
                   "--supply %.*s=N sets it",
                   (long long)j->supply, STR_ARG(place->machine->provider),
                   STR_ARG(place->machine->provider)))
        return false;
    if (j->step > 1 && !plan_note(w, err, "these machines are rented in multiples of %lld",
                                  (long long)j->step))
        return false;
    if (w->lacking &&
        !plan_note(w, err,
                   "offers that may be cheaper are left out: not enough of their machines are "
                   "assumed to be available (marketplaces: 1); --supply OFFER=N sets it"))
        return false;
    return place->market == MARKET_OWN || !limit_words(w->catalog, &check, text) ||
           plan_note(w, err, "%s", text);
}

/* What may go wrong although the plan keeps to the limits. */
static bool add_dangers(struct planning *w, const struct plan *best, const struct plan_row *row,
                        struct error *err)
{
    double deadline = w->problem.limits.deadline_h;

    if (best->way.serves && best->place->market == MARKET_SPOT)
        return plan_note(w, err,
                         "interruptions are not priced: other machines must replace one that "
                         "is lost");
    return !plan_has_deadline(w) || !(row->start_h + row->hours.high > deadline) ||
           plan_note(w, err,
                     "it may miss the deadline: the 80 %% range is %s to %s h from now, "
                     "the deadline in %s h",
                     num_about(row->start_h + row->hours.low).text,
                     num_about(row->start_h + row->hours.high).text, num_about(deadline).text);
}

/* The most GPUs that were looked at may be too few. */
static bool note_most_gpus(struct planning *w, const struct plan *best, struct error *err)
{
    int64_t most = w->problem.limits.most_gpus;

    return 2 * best->way.gpus <= most || !plan_has_usual_gpus(w) ||
           plan_note(w, err, "more than %lld GPUs are not considered; --max-gpus allows them",
                     (long long)most);
}

static bool add_answer_notes(struct planning *w, const struct plan *best,
                             const struct plan_row *row, struct error *err)
{
    if (w->old_prices &&
        !plan_note(w, err, "only offers whose prices are too old to rely on can do it"))
        return false;
    return note_most_gpus(w, best, err) && add_payment(w, best, row, err) &&
           add_assumptions(w, best, err) && note_network(w, best, err) &&
           note_supply(w, best, err) && add_dangers(w, best, row, err);
}

static bool keep_answer_notes(struct planning *w, struct plan_result *res, struct error *err)
{
    struct str *kept = arena_array(w->arena, struct str, w->note_count + 1, err);

    if (kept == NULL)
        return false;
    memcpy(kept, w->notes, w->note_count * sizeof *kept);
    res->notes = (struct strs){kept, w->note_count};
    return true;
}

/* No machine with GPUs meets the limits, and the model is deployed in another way. */
static bool answer_without_gpus(struct planning *w, struct plan_result *res, struct error *err)
{
    struct notes notes = {.len = 0};
    struct serving request = {.arch = &w->job->arch};

    choose_request(&w->job->infer, &request, &notes);
    for (size_t i = 0; i < notes.len; i++)
        if (!plan_note(w, err, "%s", notes.at[i]))
            return false;
    return plan_describe(w, NULL, res, err) &&
           plan_note(w, err, "no GPU machine meets the limits") &&
           keep_answer_notes(w, res, err);
}

static bool answer_with_plan(struct planning *w, const struct plan *best,
                             struct plan_result *res, struct error *err)
{
    if (!plan_describe(w, best, res, err) || !plan_alternatives(w, best, res, err) ||
        !explain_answer(w, best, res, err))
        return false;
    add_trials(w, best, res);
    return add_simulation(w, best, res, err) && add_answer_notes(w, best, res->plans.at, err) &&
           keep_answer_notes(w, res, err);
}

bool plan_answer(struct planning *w, const struct plan *best, struct plan_result *res,
                 struct error *err)
{
    struct search_counts counts;

    if (!(best != NULL ? answer_with_plan(w, best, res, err)
                       : answer_without_gpus(w, res, err)))
        return false;
    counts = search_count(w->search);
    res->places = (int64_t)counts.places;
    res->settings = (int64_t)counts.settings;
    res->pruned = (int64_t)counts.pruned;
    return true;
}
