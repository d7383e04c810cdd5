#include "advise/practice/facts.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/map.h"
#include "base/num.h"
#include "series/values.h"

#define EVIDENCE_MAX 200
#define MONTH_DAYS 30.0
#define LONG_RUN_S 3600.0 /* a run of an hour is worth a checkpoint */

bool practice_set(const struct practice_period *to, enum practice_fact fact, double value,
                  struct error *err, const char *fmt, ...)
{
    char text[EVIDENCE_MAX];
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    to->facts->at[fact].value = value;
    return str_keep(str_from(text), to->arena, &to->facts->at[fact].evidence, err);
}

static double period_days(const struct practice_period *p)
{
    return p->until.n - p->since.n;
}

/* "$1,240.50", for evidence: as long as the arena; "?" when memory runs out. */
static const char *practice_money(double amount, struct currency currency, struct arena *arena)
{
    struct money money = {{(wide)llround(amount * 100), 2}, currency};
    struct buf text = buf_new(arena->alloc, EVIDENCE_MAX);
    struct error ignored;
    struct str out;

    money_write_cents(&money, &text);
    buf_char(&text, '\0');
    return buf_keep(&text, arena, &out, &ignored) ? out.at : "?";
}

static const char *practice_dollars(double amount, const struct practice_period *to)
{
    return practice_money(amount, currency_usd, to->arena);
}

bool practices_leave_unknown(const struct practice_period *to, const enum practice_fact *facts,
                             size_t count, struct error *err)
{
    char text[EVIDENCE_MAX];
    struct str why;

    if (err->kind != ERROR_ABSENT && err->kind != ERROR_INPUT && err->kind != ERROR_USAGE)
        return false;
    (void)snprintf(text, sizeof text, "%.120s%s", err->text,
                   str_starts(str_from(err->text), STR("there is no rate"))
                       ? ": 'stint rates import FILE.csv'"
                       : "");
    if (!str_keep(str_from(text), to->arena, &why, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        to->facts->at[facts[i]].value = NAN;
        to->facts->at[facts[i]].evidence = why;
    }
    *err = (struct error){0};
    return true;
}

/* ---- money ---- */

bool practices_of_spending(const struct practice_period *to,
                           const struct spending_answer *answer, struct error *err)
{
    double amount;

    if (answer->count == 0)
        return true;
    if (!currency_is(answer->at[0].currency, currency_usd))
        return practice_set(to, PRACTICE_SPEND, NAN, err, "in %s, not in dollars",
                            answer->at[0].currency.code);
    amount = decimal_double(answer->at[0].amount);
    return practice_set(to, PRACTICE_SPEND, amount * MONTH_DAYS / period_days(to), err,
                        "%s in %.0f days", practice_dollars(amount, to), period_days(to));
}

bool practices_of_tags(const struct practice_period *to, const struct tag_costs *tags,
                       struct error *err)
{
    const struct tags_row *rows = tags->rows.at, *least = NULL;

    for (size_t i = 0; i < tags->rows.len; i++) {
        bool counts = tags->policy ? rows[i].required : str_eq(rows[i].tag, STR("team"));

        if (counts && !isnan(rows[i].share) && (least == NULL || rows[i].share < least->share))
            least = &rows[i];
    }
    return least == NULL ||
           practice_set(to, PRACTICE_TAGGED, least->share, err, "%s of %s has the tag '%.*s'%s",
                        practice_money(decimal_double(least->tagged.amount),
                                       least->total.currency, to->arena),
                        practice_money(decimal_double(least->total.amount),
                                       least->total.currency, to->arena),
                        STR_ARG(least->tag), tags->policy ? ", required" : "");
}

bool practices_of_gpus(const struct practice_period *to, const struct costs_gpus_row *total,
                       struct error *err)
{
    double measured = total->gpu_hours - total->unknown_hours, cost = usd_double(total->cost),
           idle = usd_double(total->idle);

    if (!(total->gpu_hours > 0))
        return true;
    if (!practice_set(to, PRACTICE_MEASURED, 1 - total->unknown_hours / total->gpu_hours, err,
                      "%.0f of %.0f GPU-hours", measured, total->gpu_hours) ||
        (cost > 0 && total->unpriced <= 0 &&
         !practice_set(to, PRACTICE_COST_PER_GPU_HOUR, cost / total->gpu_hours, err,
                       "%s for %.0f GPU-hours", practice_dollars(cost, to), total->gpu_hours)))
        return false;
    if (isnan(total->busy))
        return true;
    if (idle > 0 && total->busy < 1)
        to->facts->at[PRACTICE_GPU_BUSY].monthly =
            idle / (1 - total->busy) * MONTH_DAYS / period_days(to);
    return practice_set(to, PRACTICE_GPU_BUSY, total->busy, err,
                        "%lld runs, %.0f GPU-hours, %s paid while idle", (long long)total->runs,
                        measured, practice_dollars(isnan(idle) ? 0 : idle, to));
}

bool practices_of_spot(const struct practice_period *to, const struct spot_costs *spot,
                       struct error *err)
{
    const struct costs_spot_row *t = spot->totals.at;
    const char *all;
    double amount;

    if (spot->totals.len != 1)
        return true;
    amount = decimal_double(t->amount.amount);
    if (!(amount > 0) || isnan(t->spot) || isnan(t->committed))
        return true;
    all = practice_money(amount, t->amount.currency, to->arena);
    return practice_set(to, PRACTICE_SPOT, t->spot, err, "of %s for compute", all) &&
           practice_set(to, PRACTICE_COMMITTED, t->committed, err, "of %s for compute", all) &&
           practice_set(to, PRACTICE_DISCOUNTED, t->spot + t->committed, err,
                        "of %s for compute", all);
}

bool practices_of_reconciliation(const struct practice_period *to,
                                 const struct reconciliation *r, struct error *err)
{
    const struct reconcile_sums *sums = r->sums.at;
    double linked, machines;

    if (r->no_bills || r->sums.len == 0)
        return true;
    if (r->sums.len > 1)
        return practice_set(to, PRACTICE_RECONCILED, NAN, err,
                            "the bills are in %zu currencies", r->sums.len);
    linked = decimal_double(sums->matched) + decimal_double(sums->idle);
    machines = linked + decimal_double(sums->untracked);
    return !(machines > 0) || practice_set(to, PRACTICE_RECONCILED, linked / machines, err,
                                           "%s of %s billed for machines",
                                           practice_money(linked, sums->currency, to->arena),
                                           practice_money(machines, sums->currency, to->arena));
}

bool practices_of_unit_costs(const struct practice_period *to, const struct unit_costs *costs,
                             struct error *err)
{
    const struct unit_costs_row *rows = costs->rows.at;
    double amount = 0, predictions = 0;

    for (size_t i = 0; i < costs->rows.len; i++)
        if (rows[i].count > 0) {
            amount += decimal_double(rows[i].amount.amount);
            predictions += rows[i].count;
        }
    return !(predictions > 0) || !(amount > 0) ||
           practice_set(to, PRACTICE_COST_PER_THOUSAND, amount / predictions * 1000, err,
                        "%s for %.0f predictions", practice_dollars(amount, to), predictions);
}

/* ---- budgets, alerts, forecasts ---- */

bool practices_of_budgets(const struct practice_period *to, const struct practice_budgets *n,
                          struct error *err)
{
    double all = (double)n->budgets, periods = (double)n->periods;

    if (!practice_set(to, PRACTICE_BUDGETS, all, err, "in the ledger") ||
        !(n->budgets > 0
              ? practice_set(to, PRACTICE_BUDGET_ALERTS, (double)n->alerting / all, err,
                             "%zu of %zu budgets send an alert before and at 100 %%",
                             n->alerting, n->budgets)
              : practice_set(to, PRACTICE_BUDGET_ALERTS, 0, err, "no budget is set")))
        return false;
    return n->periods == 0 ||
           (practice_set(to, PRACTICE_BUDGET_KEPT, (double)n->kept / periods, err,
                         "%zu of %zu budget periods", n->kept, n->periods) &&
            practice_set(to, PRACTICE_BUDGET_USED, n->used / periods, err,
                         "mean of %zu budget period%s", n->periods,
                         num_plural((int64_t)n->periods)));
}

bool practices_of_alerts(const struct practice_period *to, const struct ledger_alert *alerts,
                         size_t count, stamp now, struct error *err)
{
    stamp since = {(int64_t)to->since.n * SECONDS_PER_DAY};
    stamp until = {(int64_t)to->until.n * SECONDS_PER_DAY};
    double *hours = arena_array(to->arena, double, count + 1, err);
    size_t n = 0, acknowledged = 0;

    if (hours == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct ledger_alert *a = &alerts[i];
        stamp end = a->acknowledged ? a->acknowledged_at : a->ended.s >= 0 ? a->ended : now;

        if (!str_eq(a->kind, STR("anomaly")) || a->began.s < since.s || a->began.s >= until.s)
            continue;
        acknowledged += a->acknowledged;
        hours[n++] = (double)(end.s > a->began.s ? end.s - a->began.s : 0) / 3600;
    }
    if (n == 0)
        return true;
    values_sort(hours, n);
    return practice_set(to, PRACTICE_ANOMALY_HOURS, values_quantile(hours, n, 0.5), err,
                        "median of %zu anomal%s, %zu acknowledged", n, n == 1 ? "y" : "ies",
                        acknowledged);
}

bool practices_of_forecasts(const struct practice_period *to, double *errors, size_t count,
                            int made_on, struct error *err)
{
    if (count == 0)
        return true;
    values_sort(errors, count);
    return practice_set(to, PRACTICE_FORECAST_ERROR, values_quantile(errors, count, 0.5), err,
                        "median of %zu complete month%s, forecast on day %d", count,
                        num_plural((int64_t)count), made_on);
}

/* ---- runs ---- */

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

/* Completed runs of one name: in the cloud, and here. */
struct name_times {
    double seconds[2];
    size_t runs[2];
    double best[2]; /* sum of the best values of the watched metric */
    size_t watched[2];
    int better; /* 1: more of the metric is better, -1: less; 0: not known */
};

/* The best value is better than the last, which tells what is better. */
static void sum_metric(struct name_times *t, const struct ledger_totals *totals, bool local)
{
    if (isnan(totals->best) || isnan(totals->loss))
        return;
    t->best[local] += totals->best;
    t->watched[local]++;
    if (totals->best != totals->loss)
        t->better = totals->best > totals->loss ? 1 : -1;
}

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
        sum_metric(t, &runs[i].totals, is_local(&runs[i]));
    }
    return true;
}

/* By how much the metric is worse in the cloud, on average over the names; below 0: better. */
static bool quality_lost(const struct name_times *times, size_t names,
                         const struct practice_period *to, struct error *err)
{
    double lost = 0;
    size_t compared = 0;

    for (size_t i = 0; i < names; i++) {
        const struct name_times *t = &times[i];
        double cloud, local;

        if (t->watched[0] == 0 || t->watched[1] == 0)
            continue;
        cloud = t->best[0] / (double)t->watched[0];
        local = t->best[1] / (double)t->watched[1];
        if (local == 0)
            continue;
        /* A metric that never was better than at the end is taken as a loss. */
        lost += (cloud - local) / fabs(local) * (t->better > 0 ? -1 : 1);
        compared++;
    }
    return compared == 0 ||
           practice_set(to, PRACTICE_QUALITY_LOST, lost / (double)compared, err,
                        "best metric of %zu work%s done here and in the cloud", compared,
                        num_plural((int64_t)compared));
}

/* Each local run compared with the mean of the same name in the cloud. */
static bool time_saved(const struct ledger_run *runs, size_t count,
                       const struct practice_period *to, struct error *err)
{
    struct name_times *times = arena_array(to->arena, struct name_times, count + 1, err);
    struct map names = map_in_arena(to->arena);
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
    if (compared > 0 && !practice_set(to, PRACTICE_TIME_SAVED, 1 - cloud / local, err,
                                      "%zu local run%s with the same work in the cloud",
                                      compared, num_plural((int64_t)compared)))
        return false;
    return quality_lost(times, names.count, to, err);
}

/* ---- estimates ---- */

static bool estimate_error(const struct ledger_run *runs, size_t count,
                           const struct practice_period *to, struct error *err)
{
    double *errors = arena_array(to->arena, double, count + 1, err);
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
    return practice_set(to, PRACTICE_ESTIMATE_ERROR, values_quantile(errors, n, 0.5), err,
                        "median of %zu completed run%s", n, num_plural((int64_t)n));
}

/* A share of what runs cost; `saves`: less of it is money saved. */
static bool set_share(const struct practice_period *to, enum practice_fact fact, double part,
                      double all, double monthly, struct error *err, const char *of)
{
    if (all <= 0)
        return true;
    if (!practice_set(to, fact, part / all, err, "%s of %s %s", practice_dollars(part, to),
                      practice_dollars(all, to), of))
        return false;
    to->facts->at[fact].monthly = monthly;
    return true;
}

/* That no run was stopped does not say whether a guard was watching. */
static bool set_stops(const struct practice_period *to, enum practice_fact fact, size_t stopped,
                      size_t runs, struct error *err)
{
    return practice_set(to, fact, stopped > 0 ? (double)stopped : NAN, err, "%zu of %zu runs",
                        stopped, runs);
}

bool practices_of_runs(const struct practice_period *to, const struct ledger_run *runs,
                       size_t count, struct error *err)
{
    struct run_sums s = {0};
    double monthly;

    for (size_t i = 0; i < count; i++)
        add_practice_run(&runs[i], &s);
    if (s.ended == 0)
        return true;
    monthly = s.cost * MONTH_DAYS / period_days(to);
    if (!practice_set(to, PRACTICE_PRICED, (double)s.priced / (double)s.ended, err,
                      "%zu of %zu runs", s.priced, s.ended) ||
        !set_stops(to, PRACTICE_GUARDED, s.guarded, s.ended, err) ||
        !set_stops(to, PRACTICE_EARLY_STOPPED, s.early, s.ended, err) ||
        !set_share(to, PRACTICE_FAILED, s.failed_cost, s.cost, monthly, err,
                   "for runs that failed or were lost") ||
        !set_share(to, PRACTICE_ESTIMATED, s.estimated_cost, s.cost, NAN, err,
                   "for runs with an estimate") ||
        !set_share(to, PRACTICE_LIMITED, s.limited_cost, s.cost, NAN, err,
                   "for runs with --budget") ||
        !set_share(to, PRACTICE_CHECKPOINTED, s.saved_cost, s.long_cost, NAN, err,
                   "for runs of an hour or more"))
        return false;
    if (s.done > 0 &&
        !practice_set(to, PRACTICE_COST_PER_RUN, s.done_cost / (double)s.done, err,
                      "mean of %zu completed run%s", s.done, num_plural((int64_t)s.done)))
        return false;
    if (s.loras > 0 &&
        !practice_set(to, PRACTICE_COST_PER_LORA, s.lora_cost / (double)s.loras, err,
                      "mean of %zu completed run%s", s.loras, num_plural((int64_t)s.loras)))
        return false;
    return time_saved(runs, count, to, err) && estimate_error(runs, count, to, err);
}

bool practices_of_repeats(const struct practice_period *to, const struct ledger_run *runs,
                          size_t count, const struct repeat_costs *repeats, struct error *err)
{
    double repeated = repeats->again > 0 ? usd_double(repeats->repeated) : 0, cost = 0;

    for (size_t i = 0; i < count; i++)
        if (runs[i].totals.cost.nano != MONEY_UNKNOWN)
            cost += usd_double(runs[i].totals.cost);
    if (!(cost > 0) || isnan(repeated))
        return true;
    to->facts->at[PRACTICE_REPEATED].monthly = cost * MONTH_DAYS / period_days(to);
    return practice_set(to, PRACTICE_REPEATED, repeated < cost ? repeated / cost : 1, err,
                        "%s of %s for %lld run%s of a configuration that had completed",
                        practice_dollars(repeated, to), practice_dollars(cost, to),
                        (long long)repeats->again, num_plural(repeats->again));
}
