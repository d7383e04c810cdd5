/* What the runs of a period prove. */
#include <math.h>

#include "base/map.h"
#include "op/advise/practices.h"
#include "series/values.h"

#define LONG_RUN_S 3600.0 /* a run of an hour is worth a checkpoint */
#define MONTH_DAYS 30.0

/* Sums of runs, in dollars. */
struct run_sums {
    size_t ended, priced, done, failed, guarded, early, loras, estimates;
    double cost, failed_cost, estimated_cost, limited_cost, done_cost, lora_cost;
    double long_cost, saved_cost;
    size_t long_runs;
};

static bool is_lora(const struct ledger_run *run)
{
    if (str_has_nocase(run->start.name, STR("lora")))
        return true;
    for (size_t i = 0; i < run->start.tags.len; i++)
        if (str_eq_nocase(run->start.tags.at[i], STR("method=lora")) ||
            str_eq_nocase(run->start.tags.at[i], STR("method=qlora")))
            return true;
    return false;
}

/* Did a guard end it before it cost more: not the user, nor the cloud? */
static bool is_stopped_by(const struct ledger_run *run, const char *const *guards)
{
    return run->state == RUN_STOPPED && str_is_one_of(run->reason, guards);
}

static void add_practice_run(const struct ledger_run *run, struct run_sums *s)
{
    static const char *const limits[] = {"budget", "deadline", "idle", NULL};
    static const char *const metrics[] = {"early-stop", "divergence", NULL};
    double cost = usd_double(run->totals.cost);

    if (run->state == RUN_RUNNING)
        return;
    s->ended++;
    s->guarded += is_stopped_by(run, limits);
    s->early += is_stopped_by(run, metrics);
    if (isnan(cost))
        return;
    s->priced++;
    s->cost += cost;
    if (run->state == RUN_FAILED || run->state == RUN_LOST) {
        s->failed++;
        s->failed_cost += cost;
    }
    if (run->state == RUN_DONE) {
        s->done++;
        s->done_cost += cost;
    }
    if (is_lora(run) && run->state == RUN_DONE) {
        s->loras++;
        s->lora_cost += cost;
    }
    if (run->start.estimated_cost.nano != MONEY_UNKNOWN) {
        s->estimates++;
        s->estimated_cost += cost;
    }
    if (run->start.budget.nano != MONEY_UNKNOWN)
        s->limited_cost += cost;
    if (span_in_seconds(run->totals.elapsed) >= LONG_RUN_S) {
        s->long_runs++;
        s->long_cost += cost;
        if (run->totals.checkpoint_bytes > 0 || run->totals.save_s > 0)
            s->saved_cost += cost;
    }
}

/* ---- compared with what the same work takes on an own machine ---- */

static bool is_local(const struct ledger_run *run)
{
    return run->start.offer.len == 0 || str_starts(run->start.offer, STR("local"));
}

/* Completed runs of one name: seconds and runs, here and in the cloud. */
struct name_times {
    double seconds[2];
    size_t runs[2];
};

/* Adds completed runs to the times of their names, which run beside the map. */
static bool sum_times(const struct ledger_run *runs, size_t count, struct map *names,
                      struct name_times *times, struct error *err)
{
    for (size_t i = 0; i < count; i++) {
        struct map_entry *e;
        struct name_times *t;

        if (runs[i].state != RUN_DONE || runs[i].totals.elapsed.ns <= 0)
            continue;
        e = map_add(names, runs[i].start.name, NULL, err);
        if (e == NULL)
            return false;
        t = &times[e - names->at];
        t->seconds[is_local(&runs[i])] += span_in_seconds(runs[i].totals.elapsed);
        t->runs[is_local(&runs[i])]++;
    }
    return true;
}

/* Each local run compared with the mean of the same name in the cloud. */
static bool time_saved(const struct ledger_run *runs, size_t count, struct arena *arena,
                       struct practices *out, struct error *err)
{
    struct name_times *times = arena_array(arena, struct name_times, count + 1, err);
    struct map names = map_in_arena(arena);
    double local = 0, cloud = 0;
    size_t compared = 0;

    if (times == NULL || !sum_times(runs, count, &names, times, err))
        return false;
    for (size_t i = 0; i < names.count; i++) {
        const struct name_times *t = &times[i];

        if (t->runs[0] == 0 || t->runs[1] == 0)
            continue;
        compared += t->runs[1];
        local += t->seconds[1];
        cloud += t->seconds[0] / (double)t->runs[0] * (double)t->runs[1];
    }
    return compared == 0 || practice_set(out, PRACTICE_TIME_SAVED, 1 - cloud / local, arena,
                                         err, "%zu local run%s with the same work in the cloud",
                                         compared, compared == 1 ? "" : "s");
}

/* ---- estimates ---- */

static bool estimate_error(const struct ledger_run *runs, size_t count, struct arena *arena,
                           struct practices *out, struct error *err)
{
    double *errors = arena_array(arena, double, count + 1, err);
    size_t n = 0;

    if (errors == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        double actual = usd_double(runs[i].totals.cost);
        double predicted = usd_double(runs[i].start.estimated_cost);

        if (runs[i].state == RUN_DONE && actual > 0 && predicted > 0)
            errors[n++] = fabs(actual / predicted - 1);
    }
    if (n == 0)
        return true;
    values_sort(errors, n);
    return practice_set(out, PRACTICE_ESTIMATE_ERROR, values_quantile(errors, n, 0.5), arena,
                        err, "median of %zu completed run%s", n, n == 1 ? "" : "s");
}

/* A share of what runs cost; `saves`: less of it is money saved. */
static bool set_share(struct practices *out, enum practice_fact fact, double part, double all,
                      double monthly, struct arena *arena, struct error *err, const char *of)
{
    if (all <= 0)
        return true;
    if (!practice_set(out, fact, part / all, arena, err, "%s of %s %s",
                      practice_money(part, currency_usd, arena),
                      practice_money(all, currency_usd, arena), of))
        return false;
    out->at[fact].monthly = monthly;
    return true;
}

/* That no run was stopped does not say whether a guard was watching. */
static bool set_stops(struct practices *out, enum practice_fact fact, size_t stopped,
                      size_t runs, struct arena *arena, struct error *err)
{
    return practice_set(out, fact, stopped > 0 ? (double)stopped : NAN, arena, err,
                        "%zu of %zu runs", stopped, runs);
}

bool practices_of_runs(const struct ledger_run *runs, size_t count, double days,
                       struct arena *arena, struct practices *out, struct error *err)
{
    struct run_sums s = {0};
    double monthly;

    for (size_t i = 0; i < count; i++)
        add_practice_run(&runs[i], &s);
    if (s.ended == 0)
        return true;
    monthly = s.cost * MONTH_DAYS / days;
    if (!practice_set(out, PRACTICE_PRICED, (double)s.priced / (double)s.ended, arena, err,
                      "%zu of %zu runs", s.priced, s.ended) ||
        !set_stops(out, PRACTICE_GUARDED, s.guarded, s.ended, arena, err) ||
        !set_stops(out, PRACTICE_EARLY_STOPPED, s.early, s.ended, arena, err) ||
        !set_share(out, PRACTICE_FAILED, s.failed_cost, s.cost, monthly, arena, err,
                   "for runs that failed or were lost") ||
        !set_share(out, PRACTICE_ESTIMATED, s.estimated_cost, s.cost, NAN, arena, err,
                   "for runs with an estimate") ||
        !set_share(out, PRACTICE_LIMITED, s.limited_cost, s.cost, NAN, arena, err,
                   "for runs with --budget") ||
        !set_share(out, PRACTICE_CHECKPOINTED, s.saved_cost, s.long_cost, NAN, arena, err,
                   "for runs of an hour or more"))
        return false;
    if (s.done > 0 &&
        !practice_set(out, PRACTICE_COST_PER_RUN, s.done_cost / (double)s.done, arena, err,
                      "mean of %zu completed run%s", s.done, s.done == 1 ? "" : "s"))
        return false;
    if (s.loras > 0 &&
        !practice_set(out, PRACTICE_COST_PER_LORA, s.lora_cost / (double)s.loras, arena, err,
                      "mean of %zu completed run%s", s.loras, s.loras == 1 ? "" : "s"))
        return false;
    return time_saved(runs, count, arena, out, err) &&
           estimate_error(runs, count, arena, out, err);
}
