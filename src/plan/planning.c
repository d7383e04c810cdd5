#include "plan/planning.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/num.h"
#include "plan/ranking.h"
#include "plan/relax.h"

#define MOST_GPUS 512
#define LONGEST_H (90 * 24.0) /* that a job without a deadline may take */

struct str plan_words(struct planning *w, struct error *err, const char *fmt, ...)
{
    char text[512];
    va_list args;
    struct str kept;

    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return str_keep(str_from(text), w->arena, &kept, err) ? kept : (struct str){0};
}

struct str plan_text(struct planning *w, const struct buf *text, struct error *err)
{
    const char *kept = buf_ok(text, err) ? str_dup(buf_text(text), w->arena, err) : NULL;

    return kept != NULL ? str_from(kept) : (struct str){0};
}

bool plan_note(struct planning *w, struct error *err, const char *fmt, ...)
{
    char text[512];
    va_list args;

    if (w->note_count == PLAN_NOTES)
        return true;
    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    w->notes[w->note_count] = plan_words(w, err, "%s", text);
    return w->notes[w->note_count++].at != NULL;
}

void plan_name_job(struct error *err, struct str job)
{
    if (err->kind != ERROR_MEMORY && !str_has_nocase(str_from(err->text), job))
        error_context(err, "%.*s", STR_ARG(job));
}

/* A configuration is for its own software: what it cannot say is not planned. */
static bool take_software(struct planning *w, struct error *err)
{
    struct str format = w->request->write_config;
    struct job_train *t = &w->job->train;
    int64_t *unsaid[] = {&t->parallel.tensor, &t->parallel.pipeline, &t->parallel.context,
                         &t->parallel.expert};

    if (format.len == 0 || w->job->kind != JOB_TRAIN || t->framework.len > 0)
        return true;
    t->framework = str_eq(format, STR("hf-trainer")) ? STR("hf") : format;
    for (size_t i = 0; i < ARRAY_LEN(unsaid); i++)
        if (*unsaid[i] < 1)
            *unsaid[i] = 1;
    return plan_note(w, err, "planned for %.*s, the format of the configuration",
                     STR_ARG(format));
}

/* TRL's PPO and RLOO let the model itself write, whatever else could. */
static bool take_rollout_engine(struct planning *w, struct error *err)
{
    struct job_train *t = &w->job->train;
    enum objective objective = OBJECTIVE_SFT;

    if (!str_eq(w->request->write_config, STR("hf-trainer")) || w->job->kind != JOB_TRAIN ||
        t->rollout.engine.len > 0 || !objective_of(t->objective, &objective) ||
        (objective != OBJECTIVE_PPO && objective != OBJECTIVE_RLOO))
        return true;
    t->rollout.engine = STR("hf");
    return plan_note(w, err, "planned with answers written by Transformers, as TRL's %s does",
                     objective_names[objective]);
}

/* One job has no sessions to share. */
static bool note_unused(struct planning *w, struct error *err)
{
    const struct plan_request *r = w->request;

    if (r->jobs.len != 1 || r->queue || (r->session.ns <= 0 && r->parallel < 1))
        return true;
    return plan_note(w, err, "--session and --parallel are ignored: they are for several jobs");
}

static int64_t count_or(int64_t option, int64_t job, int64_t otherwise)
{
    return option > 0 ? option : job > 0 ? job : otherwise;
}

static bool take_limits(struct planning *w, struct error *err)
{
    const struct plan_request *r = w->request;
    const struct job_limits *job = &w->job->limits;
    struct plan_limits *l = &w->problem.limits;
    span deadline = r->deadline.ns > 0 ? r->deadline : job->deadline;

    *l = (struct plan_limits){
        .budget = r->budget.nano != MONEY_UNKNOWN ? r->budget : job->budget,
        .deadline_h = deadline.ns > 0 ? span_in_hours(deadline) : NAN,
        .promised = deadline.ns > 0,
        .confidence = r->confidence,
        .max_risk = num_known_or(r->max_risk, job->max_interruption_risk),
        .max_carbon_kg = num_known_or(r->max_carbon_kg, job->max_carbon_kg),
        .most_gpus = count_or(r->max_gpus, job->max_gpus, MOST_GPUS),
        .least_gpus = count_or(r->min_gpus, job->min_gpus, 0),
        .within_h = r->within.ns > 0 ? span_in_hours(r->within) : 0,
    };
    if (!isnan(l->confidence) && !l->promised && r->jobs.len == 1)
        return error_fail_hint(err, ERROR_USAGE, "--deadline 24h sets one",
                               "--confidence is the chance of meeting a deadline, and there is "
                               "none");
    if (l->least_gpus > l->most_gpus && r->max_gpus < 1 && job->max_gpus < 1)
        l->most_gpus = l->least_gpus;
    if (l->within_h >= l->deadline_h) { /* it must start before it is to be done */
        l->within_h = l->deadline_h;
        if (!plan_note(w, err, "it must start within the deadline of %s h",
                       num_about(l->deadline_h).text))
            return false;
    }
    if (isnan(l->deadline_h) && w->job->kind == JOB_TRAIN) {
        l->deadline_h = LONGEST_H + l->within_h;
        return plan_note(w, err,
                         "no deadline: plans longer than %.0f days are not considered; "
                         "--deadline allows them",
                         LONGEST_H / 24);
    }
    return true;
}

static bool refuse_aim(struct str aim, struct error *err)
{
    error_set(err, ERROR_USAGE, "--aim: '%.*s' is not an aim", STR_ARG(aim));
    error_hint(err, "use cost, time, carbon or value, or weights: cost=0.7,time=0.3");
    return false;
}

/* "cost=0.7,time=0.3". */
static bool take_weights(struct planning *w, struct str text, struct error *err)
{
    struct plan_aim *a = &w->problem.aim;
    struct str rest = text;

    while (rest.len > 0) {
        struct str value = str_trim(str_cut(&rest, ',')), name = str_trim(str_cut(&value, '='));
        double *weight = str_eq(name, STR("cost"))     ? &a->cost
                         : str_eq(name, STR("time"))   ? &a->time
                         : str_eq(name, STR("carbon")) ? &a->carbon
                                                       : NULL;

        if (weight == NULL || *weight > 0 || !num_double(str_trim(value), weight) ||
            !(*weight > 0 && *weight <= 1e6))
            return refuse_aim(text, err);
    }
    w->weighted = true;
    return a->cost > 0 || a->time > 0 || a->carbon > 0 || refuse_aim(text, err);
}

static bool take_aim(struct planning *w, struct error *err)
{
    const struct plan_request *r = w->request;
    struct plan_aim *a = &w->problem.aim;
    bool worth = r->value_of_time.nano != MONEY_UNKNOWN && r->value_of_time.nano > 0;
    struct str aim = r->aim.len > 0 ? r->aim : worth ? STR("value") : STR("cost");

    *a = (struct plan_aim){.cost_unit = 1, .time_unit = 1, .carbon_unit = 1};
    if (str_eq(aim, STR("cost"))) {
        a->cost = 1;
    } else if (str_eq(aim, STR("time"))) {
        a->time = 1;
    } else if (str_eq(aim, STR("carbon"))) {
        a->carbon = 1;
    } else if (str_eq(aim, STR("value"))) {
        if (!worth) {
            error_set(err, ERROR_USAGE, "--aim value needs the worth of an hour");
            error_hint(err, "add --value-of-time 50usd/hr");
            return false;
        }
        a->cost = 1;
        a->value_of_time = usd_per_hour_double(r->value_of_time);
    } else {
        return take_weights(w, aim, err);
    }
    if (worth && a->value_of_time == 0) {
        error_set(err, ERROR_USAGE, "--value-of-time is for --aim value");
        error_hint(err, "leave one of them out");
        return false;
    }
    return true;
}

/* What a mix is measured in: the best that is possible of each. */
static bool find_units(struct planning *w, struct error *err)
{
    static const struct plan_aim plain = {.cost_unit = 1, .time_unit = 1, .carbon_unit = 1};
    const struct plan_aim mix = w->problem.aim;
    double *units[] = {&w->problem.aim.cost_unit, &w->problem.aim.time_unit,
                       &w->problem.aim.carbon_unit};
    const double weights[] = {mix.cost, mix.time, mix.carbon};
    double best[3];

    for (size_t i = 0; i < ARRAY_LEN(units); i++) {
        struct plan plan = {0};
        bool found = false;

        best[i] = 1;
        w->problem.aim = plain;
        *(i == 0   ? &w->problem.aim.cost
          : i == 1 ? &w->problem.aim.time
                   : &w->problem.aim.carbon) = 1;
        if (weights[i] > 0 && !search_best(w->search, &w->problem, NULL, &plan, &found, err))
            return false;
        if (found && plan.score > 0)
            best[i] = plan.score;
    }
    w->problem.aim = mix;
    for (size_t i = 0; i < ARRAY_LEN(units); i++)
        *units[i] = best[i];
    return true;
}

/* More trials at once than there are. */
static bool check_trials(const struct job_search *search, struct error *err)
{
    if (search->trials < 1 || search->parallel <= search->trials)
        return true;
    error_set(err, ERROR_INPUT, "search: %lld trials at once, but only %lld in all",
              (long long)search->parallel, (long long)search->trials);
    error_hint(err, "leave out parallel: the planner chooses it");
    return false;
}

bool planning_limits(struct planning *w, struct error *err)
{
    return check_trials(&w->job->train.search, err) && note_unused(w, err) &&
           take_software(w, err) && take_rollout_engine(w, err) && take_aim(w, err) &&
           take_limits(w, err) && plan_check_limits(&w->problem.limits, err);
}

bool planning_search(struct planning *w, struct error *err)
{
    w->problem.job = w->job;
    w->problem.constants = w->constants;
    w->problem.places = w->places;
    w->problem.place_count = w->place_count;
    w->problem.hour_of_week = week_hour(w->now);
    w->search = search_new(&w->problem, w->measured, w->arena, err);
    return w->search != NULL && (!w->weighted || find_units(w, err));
}

#define LOOKS 4 /* offers whose own price history is read for the best start */

/* What the offer's own history shows of its week, in place of what is known of its provider. */
static bool read_week(struct planning *w, const struct plan_place *at, struct str *why,
                      struct error *err)
{
    struct plan_place *place = &w->places[at - w->places];
    struct offer_week *week = arena_array(w->arena, struct offer_week, 1, err);

    if (week == NULL || !w->week(w->week_ctx, place, week, err))
        return false;
    place->prices = week->price_varies ? &week->prices : NULL;
    place->carbon = week->carbon_varies ? &week->carbon : NULL;
    *why = week->price_varies ? week->price_why : (struct str){0};
    return true;
}

/* What is best by the aim alone. */
static bool best_by_aim(struct planning *w, struct plan *out, bool *found, struct error *err)
{
    const struct plan_place *looked[LOOKS];
    struct str whys[LOOKS];

    for (size_t n = 0;; n++) {
        bool known = !(w->problem.limits.within_h > 0) || n == LOOKS;

        if (!search_best(w->search, &w->problem, NULL, out, found, err))
            return false;
        w->lacking = search_count(w->search).lacking > 0;
        if (!*found)
            return true;
        w->start_why = (struct str){0};
        for (size_t i = 0; i < n; i++)
            if (looked[i] == out->place) {
                known = true;
                w->start_why = whys[i];
            }
        if (known || out->place->market == MARKET_OWN || out->place->market == MARKET_RESERVED)
            return true;
        looked[n] = out->place;
        if (!read_week(w, out->place, &whys[n], err))
            return false;
    }
}

/* Are there offers that were set aside only for the age of their prices? */
static bool has_old_prices(const struct planning *w)
{
    for (size_t i = 0; i < w->place_count; i++)
        if ((w->places[i].bars & ~w->problem.limits.lifted) == BAR_OLD)
            return true;
    return false;
}

bool plan_best(struct planning *w, struct plan *out, struct error *err)
{
    bool found;

    if (!best_by_aim(w, out, &found, err))
        return false;
    if (!found && has_old_prices(w)) { /* nothing else can do it */
        w->problem.limits.lifted |= BAR_OLD;
        if (!best_by_aim(w, out, &found, err))
            return false;
        w->old_prices = found;
        if (!found)
            w->problem.limits.lifted &= ~(unsigned)BAR_OLD;
    }
    return found ? plan_take_sooner(w, out, err) : plan_unfit(w, err);
}
