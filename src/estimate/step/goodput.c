#include "estimate/step/goodput.h"

#include <math.h>

#define HOURS_PER_DAY 24.0
#define SECONDS_PER_HOUR 3600.0
#define LONGEST_SAVE_H 3.0 /* between checkpoints: the longest that published runs chose */
#define MOST_DOWNTIME 0.9  /* of the time: beyond, runs are given up */

/* Failures of a run in a day. Hardware fails with the number of GPUs; other causes (software,
 * network, people) grow more slowly than the run does, since large runs are better prepared. */
static double failures_a_day(double gpus, const struct constants *c)
{
    double other = c->at[C_goodput_other] / (1 + gpus / c->at[C_goodput_other_gpus]);

    return gpus * (c->at[C_goodput_hardware] + other);
}

/* Hours between checkpoints: as the job sets them, or where saving and losing work cost the
 * same (Young 1974). */
static double save_interval(const struct job_checkpoint *job, double save_h, double failure_h)
{
    if (job->every.ns > 0)
        return span_in_hours(job->every);
    return fmin(LONGEST_SAVE_H, sqrt(2 * save_h * failure_h));
}

/* Is it left to us how GPUs share the work? Then the step is that of the best setting, with
 * today's kernels, which few runs have. That is not counted as lost, or the same setting would
 * cost more when it is chosen than when it is given; but it makes the time less sure. */
static bool is_untuned(const struct job *job, int64_t gpus)
{
    const struct job_parallel *p = &job->train.parallel;
    enum method method;

    if (gpus < 2 || !job->arch_known || p->tensor > 0 || p->pipeline > 0 || p->zero >= 0)
        return false;
    return job->train.method.len == 0 ||
           (method_of(job->train.method, &method) && method == METHOD_FULL);
}

/* Share of the clock that failures take: restarts, work done again, and hangs that a person
 * must find. */
static double downtime(const struct goodput *g, const struct job_checkpoint *job,
                       const struct constants *c)
{
    double restart =
        job->restart.ns > 0 ? span_in_hours(job->restart) : c->at[C_goodput_restart_h];
    double hangs = fmin(c->at[C_goodput_hang_share] * g->failures_day, c->at[C_goodput_hangs]);
    double hours =
        g->failures_day * (restart + g->save_every_h / 2) + hangs * c->at[C_goodput_hang_h];

    return fmin(MOST_DOWNTIME, hours / HOURS_PER_DAY);
}

/* Slow steps, evaluation, saves and failures, as far as the job does not set them. */
static void add_goodput_losses(struct goodput *g, const struct job_train *t, double gpus,
                               bool saves, const struct constants *c)
{
    double save_h = t->checkpoint.save.ns > 0 ? span_in_hours(t->checkpoint.save)
                                              : c->at[C_goodput_save_s] / SECONDS_PER_HOUR;
    double more, down;

    g->failures_day = failures_a_day(gpus, c);
    g->save_every_h = save_interval(&t->checkpoint, save_h, HOURS_PER_DAY / g->failures_day);
    g->slow = c->at[C_goodput_slow] * fmin(1, gpus / c->at[C_goodput_slow_gpus]);
    more = g->slow;
    if (!(t->evaluation >= 0))
        more += c->at[C_goodput_evaluation];
    if (saves && !(t->checkpoint.save.ns > 0 && t->checkpoint.every.ns > 0))
        more += save_h / g->save_every_h;
    down = t->failures >= 0 ? 0 : downtime(g, &t->checkpoint, c);
    g->share = (1 - down) / (1 + more);
    g->spread = -c->at[C_spread_goodput] * log(g->share);
}

struct goodput goodput_of(const struct job *job, int64_t gpus, double hours,
                          enum goodput_part part, const struct constants *c)
{
    const struct job_train *t = &job->train;
    struct goodput g = {.share = 1, .failures_day = NAN, .save_every_h = NAN};
    double weight;

    if (t->goodput > 0) {
        g.share = t->goodput;
        return g;
    }
    weight = log(hours * (double)gpus / GOODPUT_GPU_HOURS) /
             log(GOODPUT_FULL_GPU_HOURS / GOODPUT_GPU_HOURS);
    if (!(weight > 0))
        return g;
    if (part != GOODPUT_SETTING)
        add_goodput_losses(&g, t, (double)gpus, part != GOODPUT_BUT_SAVES, c);
    if (is_untuned(job, gpus)) {
        g.spread = hypot(g.spread, c->at[C_spread_untuned]);
        g.late = c->at[C_late_untuned];
    }
    if (weight < 1) {
        g.share = pow(g.share, weight);
        g.spread *= weight;
        g.late *= weight;
        g.slow *= weight;
    }
    return g;
}

struct guess goodput_hours(const struct goodput *g, double hours, struct doubt doubt)
{
    doubt.spread = hypot(doubt.spread, g->spread);
    doubt.late += g->late;
    return guess_time(hours / g->share, doubt);
}

struct hours_range goodput_lost(const struct goodput *g, double hours, struct doubt doubt)
{
    struct guess work = guess_time(hours, doubt), run = goodput_hours(g, hours, doubt);

    /* Rounding must not make it less than nothing, which would be unknown. */
    return (struct hours_range){fmax(0, run.low - work.low), fmax(0, run.value - work.value),
                                fmax(0, run.high - work.high)};
}
