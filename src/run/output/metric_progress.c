/* Progress put together from what lines say: see metric.h. */
#include <math.h>
#include <string.h>

#include "base/draw.h"
#include "ledger/ledger.h"
#include "run/output/metric.h"

#define LEAST_S 0.5    /* of a measurement: bars are drawn ten times a second */
#define FADE_S 120.0   /* in which what was measured fades to a third, at least */
#define TOO_FAST 20    /* times faster than usual: batches that a resumed run skips */
#define WARM_STEPS 3   /* compile, choose kernels, fill the allocator's cache */
#define PAUSE 2.0      /* times as long as usual: something beside steps happened */
#define STEADY_LEAST 5 /* measurements */

static double metric_seconds_between(instant from, instant to)
{
    return (double)(to.ns - from.ns) / 1e9;
}

void progress_start(struct progress_watch *w)
{
    const instant none = {-1};

    *w = (struct progress_watch){.step = NAN, .steps = NAN, .epoch = NAN, .epochs = NAN};
    w->loss = w->eval_loss = w->rate = w->samples_rate = w->tokens_rate = NAN;
    w->first_step = w->printed_left_s = NAN;
    w->mark_step = w->raw_step = w->per_epoch = w->epochs_over = w->raw_epoch = NAN;
    w->first_share = w->samples = w->tokens = w->line_gap = NAN;
    w->first_at = w->last_at = w->mark_at = w->share_at = w->share_last = none;
    w->samples_at = w->tokens_at = none;
}

/* The middle one, NaN of none; they are sorted. */
static double median_of_values(double *values, int count)
{
    for (int i = 1; i < count; i++) {
        double value = values[i];
        int k = i;

        for (; k > 0 && values[k - 1] > value; k--)
            values[k] = values[k - 1];
        values[k] = value;
    }
    if (count == 0)
        return NAN;
    return count % 2 == 1 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/* Of the last paces. */
static double middle_pace(const struct progress_watch *w)
{
    double paces[PROGRESS_PACES];
    int count = w->paces < PROGRESS_PACES ? w->paces : PROGRESS_PACES;

    memcpy(paces, w->pace, sizeof paces);
    return median_of_values(paces, count);
}

/* Where there is no room, the new one takes the place of one of those before it, or of none:
 * each has the same chance to be in the sample. One of so many would keep step with programs
 * whose every fourth step is slower. */
static void add_steady(struct progress_watch *w, struct progress_pace pace)
{
    uint64_t place = w->steady_seen++;

    if (place >= PROGRESS_STEADY)
        place = draw_below(&w->steady_random, w->steady_seen);
    if (place < PROGRESS_STEADY)
        w->steady[place] = pace;
}

/* The middle pace finds those that had a pause in them; the mean of the others counts steps
 * that are slower by turns, such as those that also update the weights. */
double progress_step_s(const struct progress_watch *w)
{
    int count = w->steady_seen < PROGRESS_STEADY ? (int)w->steady_seen : PROGRESS_STEADY;
    double paces[PROGRESS_STEADY] = {0}, middle, done = 0, took = 0;

    for (int i = 0; i < count; i++)
        paces[i] = w->steady[i].took / w->steady[i].done;
    middle = median_of_values(paces, count);
    for (int i = 0; i < count; i++)
        if (w->steady[i].took / w->steady[i].done < PAUSE * middle) {
            done += w->steady[i].done;
            took += w->steady[i].took;
        }
    return count >= STEADY_LEAST && done >= PROGRESS_LEAST_STEPS ? took / done : NAN;
}

double progress_startup_s(const struct progress_watch *w, instant began)
{
    double step = progress_step_s(w), before = fmin(w->first_step, w->line_gap);

    return isnan(step)
               ? NAN
               : fmax(metric_seconds_between(began, w->first_at) - fmax(before, 0) * step, 0);
}

/* One more measurement, when enough time has passed since the last. */
static void measure_pace(struct progress_watch *w, double step, instant now)
{
    bool begin = isnan(w->mark_step) || step < w->mark_step;
    double took = begin ? 0 : metric_seconds_between(w->mark_at, now);
    double done = begin ? 0 : step - w->mark_step;
    double fade = fmax(FADE_S, metric_seconds_between(w->first_at, now) / 3);
    bool steady;

    if (!begin && (took < LEAST_S || done <= 0))
        return;
    steady = !w->paused && w->mark_step - w->first_step >= WARM_STEPS;
    w->mark_step = step;
    w->mark_at = now;
    w->paused = false;
    if (begin || (w->paces >= 3 && took / done < middle_pace(w) / TOO_FAST))
        return;
    if (steady)
        add_steady(w, (struct progress_pace){done, took});
    w->pace[w->paces % PROGRESS_PACES] = took / done;
    w->paces += w->paces < 2 * PROGRESS_PACES - 1 ? 1 : 1 - PROGRESS_PACES;
    if (w->paces == 2 && w->pace[0] > 3 * w->pace[1])
        w->done = w->took = 0; /* the first steps load and compile: they do not come again */
    w->done = w->done * exp(-took / fade) + done;
    w->took = w->took * exp(-took / fade) + took;
    w->rate = 1 / middle_pace(w);
}

static bool is_style(const struct metric_update *u, const char *style)
{
    return u->style != NULL && strcmp(u->style, style) == 0;
}

static void see_epochs(struct progress_watch *w, const struct metric_update *u)
{
    double over = u->epoch;

    w->from_zero |= (u->epoch == 0 && !u->epoch_done) || is_style(u, "lightning");
    if (!isnan(u->epochs)) /* Lightning's "Epoch 0/9" is the first of ten */
        w->epochs = u->epochs + (is_style(u, "lightning") ? 1 : 0);
    if (isnan(u->epoch))
        return;
    w->epoch = u->epoch;
    w->broken_epochs |= u->epoch != floor(u->epoch);
    if (!u->epoch_done && !w->broken_epochs && !w->from_zero)
        over -= 1; /* "epoch 3" has two behind it */
    w->epochs_over = fmax(over, 0);
}

/* The counter went back: it counts within epochs when a new one has begun, else the program
 * went back to a checkpoint. */
static void went_back(struct progress_watch *w)
{
    bool new_epoch = w->counts_epoch || (!isnan(w->raw_epoch) && w->epochs_over > w->raw_epoch);

    if (!new_epoch)
        return;
    if (!w->counts_epoch) {
        w->counts_epoch = true;
        w->per_epoch = isnan(w->steps) ? w->raw_step : w->steps;
    }
    w->base += isnan(w->per_epoch) ? w->raw_step : w->per_epoch;
}

static void see_step(struct progress_watch *w, const struct metric_update *u, instant now)
{
    if (u->in_epoch) {
        w->counts_epoch = true;
        if (!isnan(u->steps))
            w->per_epoch = u->steps;
    }
    if (!isnan(w->raw_step) && u->step < w->raw_step)
        went_back(w);
    if (w->counts_epoch && !isnan(w->per_epoch) && !isnan(w->epochs_over))
        w->base = floor(w->epochs_over) * w->per_epoch;
    w->raw_step = u->step;
    w->raw_epoch = w->epochs_over;
    w->step = w->counts_epoch ? w->base + u->step : u->step;
    if (isnan(w->first_step)) {
        w->first_step = w->step;
        w->first_at = now;
    } else if (isnan(w->line_gap) && w->step > w->first_step) {
        w->line_gap = w->step - w->first_step;
    }
    w->last_at = now;
    w->style = u->style;
    measure_pace(w, w->step, now);
}

/* The total, once it is known what the steps count. */
static void see_total(struct progress_watch *w, const struct metric_update *u)
{
    if (w->counts_epoch)
        w->steps = isnan(w->epochs) ? (double)NAN : w->epochs * w->per_epoch;
    else if (!isnan(u->steps))
        w->steps = u->steps;
}

static void see_share(struct progress_watch *w, instant now)
{
    double share = progress_share(w);

    if (isnan(share))
        return;
    if (isnan(w->first_share) || share < w->first_share) {
        w->first_share = share;
        w->share_at = now;
    }
    w->share_last = now;
}

/* A count so far: its rate, or what the program says of it. */
static void see_progress_count(double count, double printed, double *last, instant *at,
                               double *rate, instant now)
{
    if (!isnan(printed))
        *rate = printed;
    if (isnan(count))
        return;
    if (isnan(*last) || count < *last) {
        *last = count;
        *at = now;
    } else if (metric_seconds_between(*at, now) >= LEAST_S) {
        double new_rate = (count - *last) / metric_seconds_between(*at, now);

        *rate = isnan(*rate) ? new_rate : 0.7 * *rate + 0.3 * new_rate;
        *last = count;
        *at = now;
    }
}

void progress_see(struct progress_watch *w, const struct metric_update *u, instant now)
{
    if (u->has_loss)
        w->loss = u->loss;
    if (u->has_eval_loss)
        w->eval_loss = u->eval_loss;
    see_epochs(w, u);
    w->paused |=
        u->evaluated || u->saved || u->phase == PHASE_EVALUATE || u->phase == PHASE_CHECKPOINT;
    if (!isnan(u->step))
        see_step(w, u, now);
    see_total(w, u);
    if (!isnan(u->rate) && w->paces < 2)
        w->rate = u->rate;
    if (!isnan(u->left_s)) {
        w->printed_left_s = u->left_s;
        w->last_at = now;
    }
    see_progress_count(u->samples, u->samples_rate, &w->samples, &w->samples_at,
                       &w->samples_rate, now);
    see_progress_count(u->tokens, u->tokens_rate, &w->tokens, &w->tokens_at, &w->tokens_rate,
                       now);
    if (!isnan(u->step) || !isnan(u->epoch))
        see_share(w, now);
}

double progress_share(const struct progress_watch *w)
{
    if (!isnan(w->step) && w->steps > 0)
        return fmin(fmax(w->step / w->steps, 0), 1);
    if (!isnan(w->epochs_over) && w->epochs > 0)
        return fmin(w->epochs_over / w->epochs, 1);
    return NAN;
}

double progress_left(const struct progress_watch *w, instant now)
{
    double share = progress_share(w), left, since;

    if (isnan(share))
        return NAN;
    if (!isnan(w->step) && w->steps > 0 && w->paces >= 2 && w->done > 0) {
        left = (w->steps - w->step) * w->took / w->done;
        since = metric_seconds_between(w->last_at, now);
        /* While an evaluation runs its time passes; the steps still to do take theirs. */
        return fmax(left - since, fmax((w->steps - w->step) * middle_pace(w), 0));
    }
    if (!isnan(w->printed_left_s))
        return fmax(w->printed_left_s - metric_seconds_between(w->last_at, now), 0);
    if (!isnan(w->step) && w->steps > 0 && w->rate > 0)
        return fmax((w->steps - w->step) / w->rate - metric_seconds_between(w->last_at, now),
                    0);
    if (share <= w->first_share || w->share_last.ns <= w->share_at.ns)
        return NAN;
    left = metric_seconds_between(w->share_at, w->share_last) * (1 - share) /
           (share - w->first_share);
    return fmax(left - metric_seconds_between(w->share_last, now), 0);
}
