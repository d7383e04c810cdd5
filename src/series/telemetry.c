/* Values that come more often than daily. They have bursts and long tails that a short memory
 * takes for news each time: hourly means are compared with all that came before, and with the
 * same hour of the days before. docs/guide/forecast.md has what was measured. */
#include "series/telemetry.h"

#include <math.h>

#define HOUR 3600.0
#define DAY 86400.0
#define DEFAULT_THRESHOLD 4
#define FEWEST 10    /* means that a deviation is taken of */
#define SHORT_SPAN 6 /* hours whose mean is judged beside that of one */
#define SHORT_PART 0.85
#define BEYOND 1.02     /* times as far out as what was ordinary */
#define DAILY_PART 1.5  /* of the threshold, against the same hour of other days */
#define DAILY_LEAST 3   /* days before an hour of the day is known */
#define DAILY_FEWEST 72 /* hours before their deviation is */
#define QUIETEST 1e-3   /* of the mean: values that never changed have no deviation */
#define SPANS 2

static const size_t spans[SPANS] = {1, SHORT_SPAN};
static const double parts[SPANS] = {1, SHORT_PART};

struct history {
    double count, mean, square; /* square: sum of squared deviations from the mean */
};

struct telemetry_watch {
    const struct telemetry *in;
    double threshold;
    size_t bucket, day, settle; /* values of a mean; means of a day; values before any report */
    double *mean;               /* of each bucket; NaN: nothing is known */
    struct history all, *slot;  /* of everything; of each hour of the day */
    double off_count, off_square;     /* of means from their hour of the day */
    double most[SPANS], least[SPANS]; /* that were ordinary, of each span */
    struct anomaly *events;
    size_t count, last; /* last: the latest bucket of the latest event */
};

struct telemetry_verdict {
    double score;    /* in deviations, scaled so that above the threshold is out */
    double expected; /* what it was compared with */
    double unit;     /* a score of 1 is so far from it */
    bool down;
};

static void history_add(struct history *h, double x)
{
    double before = x - h->mean;

    h->count++;
    h->mean += before / h->count;
    h->square += before * (x - h->mean);
}

static double history_deviation(const struct history *h)
{
    double least = fmax(QUIETEST * fabs(h->mean), 1e-9);

    return h->count > 0 ? fmax(sqrt(h->square / h->count), least) : least;
}

/* The mean of the known values of a bucket; NaN when fewer than half are: the mean of one value
 * at the edge of a gap is as wild as one value. */
static double bucket_mean(const struct telemetry_watch *w, size_t b)
{
    double sum = 0, n = 0;

    for (size_t i = b * w->bucket; i < (b + 1) * w->bucket; i++)
        if (isfinite(w->in->value[i])) {
            sum += w->in->value[i];
            n++;
        }
    return 2 * n >= (double)w->bucket ? sum / n : NAN;
}

/* NaN when one of the buckets is not known. */
static double span_mean(const struct telemetry_watch *w, size_t b, size_t hours)
{
    double sum = 0;

    if (b + 1 < hours)
        return NAN;
    for (size_t i = b + 1 - hours; i <= b; i++)
        sum += w->mean[i];
    return sum / (double)hours;
}

static double off_slot(const struct telemetry_watch *w, size_t b)
{
    const struct history *slot = &w->slot[b % w->day];

    return slot->count >= DAILY_LEAST ? w->mean[b] - slot->mean : NAN;
}

static void verdict_raise(struct telemetry_verdict *v, double off, double unit, double expected)
{
    double score = fabs(off) / unit;

    if (score > v->score)
        *v = (struct telemetry_verdict){score, expected, unit, off < 0};
}

/* Is it clearly farther out than anything that was ordinary? What was so once stays so: a job
 * each night is no event each night. */
static bool is_record(const struct telemetry_watch *w, size_t k, double x)
{
    double mean = w->all.mean;

    return x - mean > BEYOND * (w->most[k] - mean) || mean - x > BEYOND * (mean - w->least[k]);
}

static struct telemetry_verdict judge_bucket(const struct telemetry_watch *w, size_t b)
{
    double deviation = history_deviation(&w->all), off = off_slot(w, b);
    struct telemetry_verdict v = {0};

    if ((b + 1) * w->bucket <= w->settle || w->all.count < FEWEST)
        return v;
    for (size_t k = 0; k < SPANS; k++) {
        double x = span_mean(w, b, spans[k]);

        if (is_record(w, k, x))
            verdict_raise(&v, x - w->all.mean, deviation * parts[k], w->all.mean);
    }
    if (w->off_count >= DAILY_FEWEST && !isnan(off)) {
        double usual =
            fmax(sqrt(w->off_square / w->off_count), fmax(QUIETEST * fabs(w->all.mean), 1e-9));

        verdict_raise(&v, off, usual * DAILY_PART, w->slot[b % w->day].mean);
    }
    return v;
}

static void learn_bucket(struct telemetry_watch *w, size_t b, bool out)
{
    double off = off_slot(w, b);

    for (size_t k = 0; k < SPANS && !out; k++) {
        double x = span_mean(w, b, spans[k]);

        w->most[k] = fmax(w->most[k], x); /* NaN is passed over */
        w->least[k] = fmin(w->least[k], x);
    }
    if (!isnan(off)) {
        w->off_square += off * off;
        w->off_count++;
    }
    history_add(&w->all, w->mean[b]);
    history_add(&w->slot[b % w->day], w->mean[b]);
}

/* Alarms less than a day apart have one cause. */
static void note_event(struct telemetry_watch *w, size_t b, const struct telemetry_verdict *v)
{
    double far = w->threshold * v->unit;
    struct anomaly *e;

    if (w->count == 0 || b > w->last + w->day)
        w->events[w->count++] = (struct anomaly){
            .first = b * w->bucket,
            .seen = (b + 1) * w->bucket - 1,
            .direction = v->down ? ANOMALY_DOWN : ANOMALY_UP,
            .low = v->expected - far,
            .high = v->expected + far,
        };
    e = &w->events[w->count - 1];
    e->last = (b + 1) * w->bucket - 1;
    e->score = fmax(e->score, v->score);
    e->expected += v->expected;
    e->actual += w->mean[b];
    e->parts++;
    e->goes_on = (b + 2) * w->bucket > w->in->len;
    w->last = b;
}

static void watch_bucket(struct telemetry_watch *w, size_t b)
{
    struct telemetry_verdict v;
    bool out;

    w->mean[b] = bucket_mean(w, b);
    if (isnan(w->mean[b]))
        return;
    v = judge_bucket(w, b);
    out = v.score > w->threshold;
    if (out)
        note_event(w, b, &v);
    learn_bucket(w, b, out);
}

size_t telemetry_together(double interval)
{
    return (size_t)fmax(1, round(HOUR / fmax(1, fmin(DAY, interval)))); /* NaN: a day */
}

static bool prepare_telemetry(struct telemetry_watch *w,
                              const struct telemetry_options *options, struct arena *arena,
                              struct error *err)
{
    double interval = fmax(1, fmin(DAY, w->in->interval)); /* NaN: a day */

    w->bucket = telemetry_together(interval);
    w->day = (size_t)fmax(1, round(DAY / (interval * (double)w->bucket)));
    w->settle =
        options->settle > 0 ? options->settle : TELEMETRY_DAYS_SETTLE * w->day * w->bucket;
    w->threshold = options->threshold > 0 ? options->threshold : DEFAULT_THRESHOLD;
    for (size_t k = 0; k < SPANS; k++) {
        w->most[k] = -INFINITY;
        w->least[k] = INFINITY;
    }
    w->mean = arena_array(arena, double, w->in->len / w->bucket + 1, err);
    if (w->mean != NULL)
        w->slot = arena_array(arena, struct history, w->day, err);
    if (w->slot != NULL)
        w->events =
            arena_array(arena, struct anomaly, w->in->len / w->bucket / (w->day + 1) + 1, err);
    return w->events != NULL;
}

bool telemetry_anomalies(const struct telemetry *series,
                         const struct telemetry_options *options, struct arena *arena,
                         const struct anomaly **out, size_t *count, struct error *err)
{
    struct telemetry_watch w = {.in = series};

    if (!prepare_telemetry(&w, options, arena, err))
        return false;
    for (size_t b = 0; (b + 1) * w.bucket <= series->len; b++)
        watch_bucket(&w, b);
    *out = w.events;
    *count = w.count;
    return true;
}
