#include "spot/outlook.h"

#include <math.h>

#include "series/values.h"
#include "spot/hazard.h"
#include "spot/work.h"

#define HOUR 3600.0
#define HORIZON 8.0      /* times what spot alone takes on average, before it is given up */
#define UNFINISHED 0.01  /* share of runs that may be given up */
#define TICKS_MAX 200000 /* of a run */
#define WORK_MAX 4e8     /* ticks of all runs: some ten seconds */
#define SLACK_SHARE 0.1  /* of the slack that work at risk may be */
#define SURE 2.0         /* standard errors */

static void *alone_begin(const struct policy *self, const struct sim_market *market,
                         const struct sim_job *job, struct arena *arena, struct error *err)
{
    (void)self;
    (void)market;
    (void)job;
    return arena_array(arena, char, 1, err); /* it remembers nothing */
}

static struct sim_choice alone_pick(void *state, const struct sim_view *view)
{
    (void)state;
    return (struct sim_choice){view->up[0] ? SIM_SPOT : SIM_IDLE, 0};
}

static const struct policy spot_alone = {
    .name = "spot-alone",
    .about = "spot when available, otherwise wait: never on-demand",
    .begin = alone_begin,
    .pick = alone_pick,
};

/* Ticks short enough to show outages as they are: none is shorter than one. */
static int32_t gap_for(const struct lifetimes *life)
{
    struct hazard gain = hazard_of(life->gain);
    double minutes = floor(hazard_mean(&gain, INFINITY) * 60 / 4);

    return (int32_t)fmin(60 * fmax(minutes, 1), OUTLOOK_GAP);
}

/* The question with its gaps filled in. */
struct setting {
    const struct outlook_ask *ask;
    const struct policy *policy;
    struct sim_job job; /* of one instance; its deadline is where the simulation ends */
    double save_every;
    size_t deadline; /* ticks; 0: none */
    size_t runs;
    int32_t gap;
};

/* The interval to use under a deadline, seconds: work that is not saved must fit into the slack
 * if it is lost, so that a tight deadline wants shorter ones than `best`; but none shorter than
 * sqrt(work x save), from which on the saves take more of the slack than they free. */
static double outlook_interval(const struct sim_job *job, double best)
{
    double slack = job->deadline - job->work - 2 * job->delay;

    if (!(job->deadline > 0) || isinf(best))
        return best;
    return fmin(best, fmax(slack * SLACK_SHARE, sqrt(job->work * job->save_takes)));
}

/* What the job does about saving: the simulator knows no saving on notice alone, but an
 * interval longer than the work is that. */
static void choose_interval(const struct outlook_ask *ask, struct setting *s)
{
    struct interval_costs costs = {.save = s->job.save_takes / HOUR,
                                   .restart = s->job.delay / HOUR,
                                   .notice = s->job.notice / HOUR};

    s->save_every = s->job.save_every;
    if (s->save_every > 0 || s->job.save_takes <= 0)
        return;
    s->save_every = outlook_interval(&s->job, interval_even(ask->life, &costs) * HOUR);
    s->job.save_every = fmax(isinf(s->save_every) ? s->job.work + 1 : s->save_every, 1);
}

/* Hours after which spot alone is given up: several times what it takes on average, and longer
 * than nearly every outage, of which old ones end at the last bin's rate. */
static double patience(const struct outlook_ask *ask, const struct setting *s)
{
    struct hazard gain = hazard_of(ask->life->gain);
    struct interval_costs costs = {.save = s->job.save_takes / HOUR,
                                   .restart = s->job.delay / HOUR,
                                   .notice = s->job.notice / HOUR};
    double every = s->job.save_every > 0 ? s->job.save_every / HOUR : INFINITY;
    double sum = interval_cost(ask->life, &costs, every).sum;

    if (isinf(sum))
        sum = HORIZON;
    return HORIZON * (s->job.work / HOUR * (1 + sum) / fmax(ask->life->up, 0.01) +
                      1 / gain.rate[AGE_BINS - 1]);
}

static bool feasible(const struct outlook_ask *ask, const struct setting *s, struct error *err)
{
    size_t least = sim_least_ticks(&s->job, s->gap);
    struct sim_job unsaved = s->job;

    if (s->policy == &spot_alone || s->deadline >= least)
        return true;
    unsaved.save_every = 0;
    error_set(err, ERROR_UNFIT,
              sim_least_ticks(&unsaved, s->gap) > s->deadline
                  ? "not even on-demand makes a deadline of %.4g h"
                  : "a deadline of %.4g h leaves no time for saving: only on-demand makes it",
              ask->job.deadline / HOUR);
    error_hint(err, "the earliest that can be promised is %.4g h, in steps of %.3g h",
               (double)least * s->gap / HOUR, s->gap / HOUR);
    return false;
}

/* Is it little enough to be simulated? */
static bool fits(const struct setting *s, struct error *err)
{
    double ticks = (double)sim_deadline_ticks(&s->job, s->gap);
    size_t least = sim_least_ticks(&s->job, s->gap);

    if (least > TICKS_MAX) {
        error_set(err, ERROR_UNFIT, "a job of %.0f h is too long to be simulated",
                  s->job.work / HOUR);
        error_hint(err, "at most about %.0f h of work are", (double)TICKS_MAX * s->gap / HOUR);
        return false;
    }
    if (ticks * (double)s->runs <= WORK_MAX)
        return true;
    error_set(err, ERROR_UNFIT, "%zu runs of up to %.0f h each are too much to simulate",
              s->runs, ticks * s->gap / HOUR);
    error_hint(err, "ask for %.0f runs", floor(WORK_MAX / ticks));
    return false;
}

static bool fill_in_setting(const struct outlook_ask *ask, struct setting *s, struct error *err)
{
    double ticks;

    *s = (struct setting){.ask = ask,
                          .job = ask->job,
                          .runs = ask->runs > 0 ? ask->runs : OUTLOOK_RUNS,
                          .gap = ask->gap > 0 ? ask->gap : gap_for(ask->life)};
    s->policy = ask->policy != NULL && ask->job.deadline > 0 ? ask->policy : &spot_alone;
    s->job.gang = 1; /* all or none, at the same price: one is simulated for all */
    if (!(ask->job.work > 0) || !(ask->spot >= 0) || !(ask->on_demand > 0) ||
        s->runs > OUTLOOK_RUNS_MAX)
        return error_fail(err, ERROR_INPUT,
                          "an outlook needs work, both prices and at most %d "
                          "runs",
                          OUTLOOK_RUNS_MAX);
    choose_interval(ask, s);
    /* Past the patience a deadline does not press: it is as good as one at its end. */
    ticks = fmin(ceil(patience(ask, s) * HOUR / s->gap), TICKS_MAX);
    s->deadline = (size_t)fmin(ask->job.deadline / s->gap, ticks);
    if (s->policy == &spot_alone || (double)s->deadline >= ticks)
        s->job.deadline = ticks * s->gap;
    return fits(s, err) && feasible(ask, s, err);
}

static bool one_run(const struct setting *s, size_t run, struct arena *scratch,
                    struct sim_result *out, struct error *err)
{
    struct dice dice = dice_seed(s->ask->seed + run);
    struct trace trace;
    struct sim_zone zone = {.id = STR("made up"),
                            .spot = s->ask->spot,
                            .on_demand = s->ask->on_demand,
                            .life = s->ask->life};
    struct sim_market market = {.zones = &zone,
                                .zone_count = 1,
                                .gap = s->gap,
                                .ticks = sim_deadline_ticks(&s->job, s->gap),
                                .regions = 1};
    bool ok = lifetimes_draw(s->ask->life, &dice, s->gap, market.ticks, scratch, &trace, err);

    if (ok) {
        zone.nodes_at = trace.nodes_at;
        ok = sim_run(&market, &s->job, s->policy, scratch, NULL, out, err);
    }
    return ok;
}

/* Sums over the runs. */
struct tally {
    double *usd, *hours;
    double sum, square, machine, spot, losses;
    size_t on_time, unfinished;
};

static void count_outlook_run(const struct setting *s, const struct sim_result *r, size_t run,
                              struct tally *t)
{
    double cost = r->usd * s->ask->job.gang;

    t->usd[run] = cost;
    t->hours[run] = r->late ? INFINITY : (double)r->end * s->gap / HOUR;
    t->sum += cost;
    t->square += cost * cost;
    t->machine += r->spot_s + r->on_demand_s;
    t->spot += r->spot_s;
    t->losses += (double)r->losses;
    t->unfinished += r->late;
    t->on_time += !r->late && (s->deadline == 0 || r->end <= s->deadline);
}

static double on_demand_alone(const struct setting *s)
{
    double seconds = s->job.work + s->job.delay;

    if (!s->job.by_second)
        seconds = ceil(seconds / s->gap - 1e-9) * s->gap;
    return s->ask->on_demand * s->ask->job.gang * seconds / HOUR;
}

static void sum_up_runs(const struct setting *s, struct tally *t, struct outlook *out)
{
    double n = (double)s->runs, variance = (t->square - t->sum * t->sum / n) / fmax(n - 1, 1);

    values_sort(t->usd, s->runs);
    values_sort(t->hours, s->runs);
    *out = (struct outlook){
        .runs = s->runs,
        .usd = t->sum / n,
        .usd_error = sqrt(fmax(variance, 0) / n),
        .usd_p10 = values_quantile(t->usd, s->runs, 0.1),
        .usd_p50 = values_quantile(t->usd, s->runs, 0.5),
        .usd_p90 = values_quantile(t->usd, s->runs, 0.9),
        .hours_p10 = values_quantile(t->hours, s->runs, 0.1),
        .hours_p50 = values_quantile(t->hours, s->runs, 0.5),
        .hours_p90 = values_quantile(t->hours, s->runs, 0.9),
        .on_time = (double)t->on_time / n,
        .losses = t->losses / n,
        .save_every = s->save_every,
        .overhead = t->machine / n / s->job.work - 1,
        .spot_share = t->machine > 0 ? t->spot / t->machine : 0,
        .on_demand_usd = on_demand_alone(s),
        .unfinished = (double)t->unfinished / n,
    };
    out->saving = 1 - out->usd / out->on_demand_usd;
    out->worth = outlook_beats(out, out->on_demand_usd);
}

bool outlook_beats(const struct outlook *o, double limit)
{
    return o->usd + SURE * o->usd_error < limit && o->unfinished <= UNFINISHED;
}

bool outlook_run(const struct outlook_ask *ask, struct arena *scratch, struct outlook *out,
                 struct error *err)
{
    struct arena kept = {.alloc = scratch->alloc, .block_size = scratch->block_size};
    struct setting s;
    struct tally t = {0};
    bool ok = fill_in_setting(ask, &s, err);

    if (ok) {
        t.usd = arena_array(&kept, double, s.runs, err);
        t.hours = arena_array(&kept, double, s.runs, err);
        ok = t.usd != NULL && t.hours != NULL;
    }
    for (size_t run = 0; ok && run < s.runs; run++) {
        struct sim_result r;

        ok = one_run(&s, run, scratch, &r, err);
        arena_free(scratch);
        if (ok)
            count_outlook_run(&s, &r, run, &t);
    }
    if (ok)
        sum_up_runs(&s, &t, out);
    arena_free(&kept);
    return ok;
}

/* The outlook in closed form.
 *
 * Up and down alternate; the time up within the deadline has a mean and a variance that follow
 * from the mean and variance of lives and outages, and lies between none and all of it: a beta
 * distribution. Spot does what it can within that time, on-demand the rest.
 */

#define POINTS 64 /* of the distribution */

/* Time up within some hours, as a share of them: all of it, none of it, or between. */
struct up_time {
    double all, none;
    double a, b; /* the beta distribution of what is between */
};

static struct up_time up_within(const struct lifetimes *life, double hours)
{
    struct hazard lose = hazard_of(life->lose), gain = hazard_of(life->gain);
    double on = hazard_mean(&lose, INFINITY), off = hazard_mean(&gain, INFINITY), u = life->up;
    double rate = (hazard_variance(&lose) * off * off + hazard_variance(&gain) * on * on) /
                  ((on + off) * (on + off) * (on + off));
    double spread = fmax(u * (1 - u), 1e-6), x = 2 * spread * hours / rate, between, mean;
    double square, variance, size;
    struct up_time up = {.all = u * hazard_goes_on(&lose, hours),
                         .none = (1 - u) * hazard_goes_on(&gain, hours)};

    /* An indicator that forgets at one rate, chosen to give the long run its variance. */
    square = u * u + spread * fmin(2 * (x + expm1(-x)) / (x * x), 1);
    between = fmax(1 - up.all - up.none, 1e-9);
    mean = fmin(fmax((u - up.all) / between, 0.01), 0.99);
    variance = fmax((square - up.all) / between - mean * mean, 1e-4);
    size = fmax(mean * (1 - mean) / variance - 1, 0.5 / fmin(mean, 1 - mean));
    up.a = mean * size;
    up.b = (1 - mean) * size;
    return up;
}

/* What the job needs of the time up, as shares of the deadline. */
struct need {
    double most;   /* with the losses that there are on average */
    double least;  /* without any */
    double spread; /* of `most`, as a share of it: losses come at random */
};

/* How much of `most` is there on average, and the chance that all of it is. */
static void expect_run_time(struct up_time up, struct need need, double *mean, double *reach)
{
    /* Gauss-Hermite with three points: a normal's mean, and sqrt(3) deviations either side. */
    double far = sqrt(3) * need.spread, thresholds[] = {1 - far, 1, 1 + far};
    const double weights[] = {1 / 6.0, 2 / 3.0, 1 / 6.0};
    double sum = 0, total = 0, above = 0, between = 1 - up.all - up.none;

    /* Even steps of x = sin^2: smooth at both ends when neither a nor b is below a half. */
    for (int i = 0; i < POINTS; i++) {
        double angle = (i + 0.5) / POINTS * acos(0), s = sin(angle), c = cos(angle);
        double x = s * s, weight = exp((2 * up.a - 1) * log(s) + (2 * up.b - 1) * log(c));

        total += weight;
        sum += weight * fmin(x, need.most);
        for (size_t k = 0; k < ARRAY_LEN(thresholds); k++)
            above += x >= need.most * thresholds[k] ? weight * weights[k] : 0;
    }
    *mean = up.all * (need.least <= 1 ? need.most : 1) + between * sum / total;
    *reach = (need.least <= 1 ? up.all : 0) + between * above / total;
}

/* What saving and restarts add on spot. Daly's interval is near enough: the optimum is flat. */
static struct interval_overhead spot_overhead(const struct outlook_ask *ask, double mean_life,
                                              double *every)
{
    struct interval_costs costs = {.save = ask->job.save_takes / HOUR,
                                   .restart = ask->job.delay / HOUR,
                                   .notice = ask->job.notice / HOUR};

    *every = ask->job.save_every / HOUR;
    if (costs.save <= 0 || (*every <= 0 && work_notice_saves(&ask->job)))
        *every = INFINITY;
    else if (*every <= 0)
        *every =
            outlook_interval(&ask->job, interval_daly(costs.save, mean_life) * HOUR) / HOUR;
    return interval_cost(ask->life, &costs, *every);
}

/* The numbers of the question, in hours. */
struct quick {
    double work, deadline, delay, every, save;
    double life; /* mean */
    struct interval_overhead over;
};

/* Of the work: what saving takes. */
static double pauses(const struct quick *k)
{
    return k->save > 0 && isfinite(k->every) ? k->save / k->every : 0;
}

static struct need need_of(const struct quick *k)
{
    double losses = fmax(k->work * (1 + k->over.sum) / k->life, 1);
    double random = k->over.lost + k->over.restart;

    return (struct need){
        .most = k->work * (1 + k->over.sum) / k->deadline,
        .least = (k->work * (1 + pauses(k)) + k->delay) / k->deadline,
        .spread = random / (1 + k->over.sum) / sqrt(losses),
    };
}

/* Work done on spot, at most: what time there is, and what the slack allows. Each hour of work
 * on spot takes as much slack as its overhead, and a start on demand after some of the losses;
 * what the guard keeps back (two starts, and the work at risk) is not there to be used. */
static double spot_work(const struct outlook_ask *ask, const struct quick *k, double up)
{
    double could = up * k->deadline / (1 + k->over.sum), slack, waste;
    double out = fmax(k->deadline * (1 - ask->life->up), 1e-9);
    double filled = fmin(fmax(k->work - could, 0) / out, 1);

    slack = k->deadline - k->work - 2 * k->delay - (isfinite(k->every) ? k->every : 0) / 2;
    waste = k->over.sum + (1 + k->over.sum) / k->life * k->delay * filled;
    return fmin(fmin(could, k->work), fmax(slack, 0) / fmax(waste, 1e-9));
}

static double with_fallback(const struct outlook_ask *ask, const struct quick *k, double up,
                            double *done)
{
    double left, starts, out = fmax(k->deadline * (1 - ask->life->up), 1e-9);
    double alone = k->work * (1 + pauses(k)) + k->delay;

    *done = spot_work(ask, k, up);
    left = fmax(k->work - *done, 0);
    starts = *done * (1 + k->over.sum) / k->life * fmin(left / out, 1);
    starts = left > 0 ? starts + 1 : 0;
    return fmin(ask->spot * *done * (1 + k->over.sum) +
                    ask->on_demand * (left * (1 + pauses(k)) + k->delay * starts),
                ask->on_demand * alone);
}

/* Nothing gets done on spot: on-demand alone, or never. */
static struct outlook_quick hopeless(const struct outlook_ask *ask, struct outlook_quick q)
{
    bool falls_back = ask->policy != NULL && ask->job.deadline > 0;

    q.usd = falls_back ? q.on_demand_usd : INFINITY;
    q.on_time = falls_back ? 1 : 0;
    q.losses = falls_back ? 0 : INFINITY;
    q.saving = 1 - q.usd / q.on_demand_usd;
    return q;
}

struct outlook_quick outlook_quick(const struct outlook_ask *ask)
{
    struct hazard lose = hazard_of(ask->life->lose);
    struct quick k = {.work = ask->job.work / HOUR,
                      .deadline = ask->job.deadline / HOUR,
                      .delay = ask->job.delay / HOUR,
                      .save = ask->job.save_takes / HOUR,
                      .life = hazard_mean(&lose, INFINITY)};
    double gang = ask->job.gang, done = k.work, up, reach;
    struct outlook_quick q = {.on_time = 1};

    k.over = spot_overhead(ask, k.life, &k.every);
    q.on_demand_usd = ask->on_demand * gang * (k.work + k.delay);
    q.overhead = k.over.sum;
    q.save_every = k.save > 0 ? k.every * HOUR : 0;
    if (isinf(k.over.sum))
        return hopeless(ask, q);
    q.usd = ask->spot * k.work * (1 + k.over.sum);
    if (k.deadline > 0) {
        expect_run_time(up_within(ask->life, k.deadline), need_of(&k), &up, &reach);
        if (ask->policy == NULL)
            q.on_time = reach;
        else
            q.usd = with_fallback(ask, &k, up, &done);
    }
    q.losses = done * (1 + k.over.sum) / k.life;
    q.usd *= gang;
    q.saving = 1 - q.usd / q.on_demand_usd;
    return q;
}
