#include "spend_series.h"

#include <math.h>
#include <string.h>

#define DAYS_OF_WEEK 7

struct dice {
    uint64_t state;
};

struct shape {
    double noise[SPEND_NOISES]; /* of the logarithm */
    double follows;             /* how much of yesterday's noise is in today's */
    double wild;                /* share of days whose noise is three times as large */
    double bursts;              /* legitimate ones in 90 days */
    double burst_low, burst_high;
    double fees;  /* share of series with a fee at the month's start */
    double zeros; /* share of series that have days without any spending */
    double trend_low, trend_high;
    double low, high; /* of an ordinary day */
    double tails;     /* degrees of freedom of Student's t; 0: it is normal */
    double batch;     /* share of series with a job every other week */
    size_t days;
    double gap;                                         /* days between events, at least */
    double least[SPEND_KINDS];                          /* factor at the smaller end */
    double most[SPEND_KINDS];                           /* at the larger */
    double shortest[SPEND_KINDS], longest[SPEND_KINDS]; /* days */
};

/* What plain spending and bills have in common. */
#define ORDINARY \
    .low = 40, .high = 4000, .days = 240, .noise = {0.03, 0.07, 0.15}, .wild = 0.02, \
    .bursts = 1.5, .burst_low = 1.10, .burst_high = 1.45, .trend_low = -0.001, \
    .trend_high = 0.003, .gap = 30, .least = {1.6, 1.4, 1.4, 1.5, 0}, \
    .most = {6, 3, 2.5, 3, 0.5}, .shortest = {1, 4, 14, 10, 1}, .longest = {2, 14, 14, 21, 6}

static const struct shape shapes[] = {
    [WORLD_PLAIN] = {ORDINARY},
    [WORLD_BILLS] = {ORDINARY, .fees = 0.2, .zeros = 0.1},
    [WORLD_OTHER] =
        {
            .low = 40,
            .high = 4000,
            .days = 240,
            .noise = {0.04, 0.09, 0.17},
            .follows = 0.35,
            .wild = 0.04,
            .bursts = 1,
            .burst_low = 1.15,
            .burst_high = 1.5,
            .fees = 0.35,
            .zeros = 0.15,
            .trend_low = -0.002,
            .trend_high = 0.004,
            .gap = 26,
            .least = {1.6, 1.35, 1.35, 1.5, 0},
            .most = {6, 3, 2.5, 3, 0.6},
            .shortest = {1, 3, 14, 7, 2},
            .longest = {3, 18, 14, 28, 8},
        },
};

static struct shape shape_of(enum spend_world world)
{
    struct shape s = shapes[world < SPEND_BARRED ? world : WORLD_PLAIN];

    if (world == WORLD_TAILS) {
        s.tails = 3;
        s.wild = 0;
    } else if (world == WORLD_BATCH) {
        s.batch = 1;
    } else if (world == WORLD_GROWTH) {
        s.trend_low = 0.003;
        s.trend_high = 0.01;
    } else if (world == WORLD_SHORT) {
        s.days = 90;
    } else if (world == WORLD_LONG) {
        s.days = 400;
    } else if (world == WORLD_SMALL) {
        s.low = 2;
        s.high = 15;
    }
    return s;
}

const char *spend_kind_name(enum spend_kind kind)
{
    static const char *const names[SPEND_KINDS] = {"spike", "plateau", "shift", "ramp", "drop"};

    return names[kind];
}

static uint64_t roll(struct dice *d)
{
    uint64_t z = d->state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static double unit(struct dice *d)
{
    return (double)(roll(d) >> 11) * 0x1p-53;
}

static double between(struct dice *d, double low, double high)
{
    return low + (high - low) * unit(d);
}

static double log_between(struct dice *d, double low, double high)
{
    return exp(between(d, log(low), log(high)));
}

static double normal(struct dice *d)
{
    double r = sqrt(-2 * log(1 - unit(d)));

    return r * cos(6.283185307179586 * unit(d));
}

static size_t days_between(struct dice *d, double low, double high)
{
    return (size_t)between(d, low, high + 1);
}

/* A factor for each day of the week: offices, all alike, their own, weekends. */
static void make_week(struct dice *d, enum spend_world world, double *week)
{
    double kind = unit(d), weekend;
    size_t turn = world == WORLD_OTHER ? (size_t)(roll(d) % DAYS_OF_WEEK) : 0;

    weekend = kind < 0.45   ? between(d, 0.35, 0.85)
              : kind < 0.75 ? between(d, 0.92, 1)
              : kind < 0.88 ? between(d, 1.1, 1.5)
                            : 1;
    for (size_t i = 0; i < DAYS_OF_WEEK; i++) {
        week[(i + turn) % DAYS_OF_WEEK] = i >= 5 ? weekend : 1;
        week[(i + turn) % DAYS_OF_WEEK] *= exp(normal(d) * (kind >= 0.88 ? 0.15 : 0.03));
    }
}

/* The day of the month, from the days since 1970. */
static int day_of_month(int32_t n)
{
    int64_t z = (int64_t)n + 719468, era = z / 146097, doe = z - era * 146097;
    int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153;

    return (int)(doy - (153 * mp + 2) / 5 + 1);
}

/* Of unit variance; what is beyond twelve deviations is cut off, so that there is a mean. */
static double long_tailed(struct dice *d, double freedom)
{
    double square = 0, x = normal(d);

    for (int i = 0; i < (int)freedom; i++) {
        double each = normal(d);

        square += each * each;
    }
    x /= sqrt(square / freedom) * sqrt(freedom / (freedom - 2));
    return fmax(-12, fmin(12, x));
}

static void make_noise(struct dice *d, const struct shape *s, int level, double *out)
{
    double before = 0, sigma = s->noise[level], fresh = sqrt(1 - s->follows * s->follows);

    for (size_t t = 0; t < s->days; t++) {
        double e =
            s->tails > 0 ? long_tailed(d, s->tails) : normal(d) * (unit(d) < s->wild ? 3 : 1);

        before = s->follows * before + fresh * e;
        out[t] = exp(sigma * before);
    }
}

/* More for a day or two, legitimately: no alarm is wanted. */
static void add_bursts(struct dice *d, const struct shape *s, double *out)
{
    for (size_t t = 0; t < s->days; t++)
        if (unit(d) < s->bursts / 90) {
            double factor = between(d, s->burst_low, s->burst_high);
            size_t days = days_between(d, 1, 2);

            for (size_t i = t; i < t + days && i < s->days; i++)
                out[i] *= factor;
        }
}

/* The mean of what a day is multiplied by: noise is lopsided, and bursts only add. */
static double mean_of_noise(const struct shape *s, int level)
{
    double variance = s->noise[level] * s->noise[level] * (1 + 8 * s->wild);
    double burst = (s->burst_low + s->burst_high) / 2 - 1;

    return exp(variance / 2) * (1 + s->bursts / 90 * 1.5 * burst);
}

static void make_ordinary(struct dice *d, const struct shape *s, enum spend_world world,
                          struct spend_series *out)
{
    double week[DAYS_OF_WEEK], noise[SPEND_DAYS], base = log_between(d, s->low, s->high),
                                                  trend = 0;
    double fee = 0, pause = 0, batch = 0;
    int fee_day = 1;

    make_week(d, world, week);
    make_noise(d, s, out->noise, noise);
    add_bursts(d, s, noise);
    if (unit(d) < 0.5)
        trend = between(d, s->trend_low, s->trend_high);
    out->trend = trend;
    out->spread = s->noise[out->noise] * s->noise[out->noise] * (1 + 8 * s->wild) *
                  (1 + s->follows) / (1 - s->follows);
    if (unit(d) < s->fees) {
        fee = base * between(d, 0.4, 2.5);
        fee_day = world == WORLD_OTHER ? (int)days_between(d, 1, 3) : 1;
    }
    if (unit(d) < s->zeros)
        pause = unit(d) < 0.5 ? 1 : between(d, 0.05, 0.2);
    if (s->batch > 0 && unit(d) < s->batch)
        batch = base * between(d, 0.3, 1.5);
    for (size_t t = 0; t < out->days; t++) {
        int32_t day = out->first_day + (int32_t)t;
        bool weekend = (day + 3) % DAYS_OF_WEEK >= 5;
        double plain = base * exp(trend * (double)t) * week[(day + 3) % DAYS_OF_WEEK];
        double due = day_of_month(day) == fee_day ? fee : 0, x = plain * noise[t];

        due += day % (2 * DAYS_OF_WEEK) == 0 ? batch : 0;
        plain *= mean_of_noise(s, out->noise);
        out->expected[t] = due + plain * (pause < 1 ? 1 - pause : !weekend);
        /* Either weekends off, or days off here and there. */
        if (pause >= 1 ? weekend : unit(d) < pause)
            x = 0;
        out->ordinary[t] = x + due;
    }
}

/* By what the days of an event are multiplied. */
static void apply(struct dice *d, enum spend_world world, struct spend_event *e, double factor,
                  struct spend_series *out)
{
    bool stays = e->kind == SPEND_SHIFT || (e->kind == SPEND_RAMP && unit(d) < 0.5);
    size_t length = e->last - e->first + 1, end = stays ? out->days : e->last + 1;
    double plain = 0;

    for (size_t t = 0; t < e->first; t++)
        plain += out->ordinary[t] / (double)e->first;
    for (size_t t = e->first; t < end && t < out->days; t++) {
        double part = e->kind == SPEND_RAMP && t <= e->last
                          ? (double)(t - e->first + 1) / (double)length
                          : 1;
        double f = exp(log(fmax(factor, 1e-9)) * part), before = out->amount[t];

        /* In the other world what is added does not know the day of the week. */
        if (world == WORLD_OTHER && factor > 1)
            out->amount[t] += (f - 1) * plain;
        else
            out->amount[t] *= f;
        if (t <= e->last)
            e->money += fabs(out->amount[t] - before);
    }
}

void spend_make(enum spend_world world, uint64_t seed, int noise, bool events,
                struct spend_series *out)
{
    const struct shape shape = shape_of(world), *s = &shape;
    struct dice d = {seed * UINT64_C(0x2545f4914f6cdd1d) + (uint64_t)noise + 1};
    size_t at;

    memset(out, 0, sizeof *out);
    out->noise = noise;
    out->days = s->days;
    out->first_day = 19000 + (int32_t)(roll(&d) % 1000);
    make_ordinary(&d, s, world, out);
    memcpy(out->amount, out->ordinary, sizeof out->amount);
    at = SPEND_QUIET + (size_t)(unit(&d) * 90);
    while (events && out->events < SPEND_EVENTS && at + 28 < out->days) {
        struct spend_event *e = &out->event[out->events++];
        double factor;

        e->kind = (enum spend_kind)(roll(&d) % SPEND_KINDS);
        e->first = at;
        e->last = at + days_between(&d, s->shortest[e->kind], s->longest[e->kind]) - 1;
        factor = e->kind == SPEND_DROP ? between(&d, s->least[e->kind], s->most[e->kind])
                                       : log_between(&d, s->least[e->kind], s->most[e->kind]);
        if (e->kind == SPEND_SHIFT && unit(&d) < 0.2)
            factor = 1 / factor;
        e->down = factor < 1;
        apply(&d, world, e, factor, out);
        if (!(e->money > 0)) /* on days without spending: there is nothing to see */
            out->events--;
        at = e->last + 1 + (size_t)(s->gap + unit(&d) * 120);
    }
}
