/* A pattern is what stays when weeks are laid over one another. Prices hold for long, so that
 * the slots of a week are far from independent and the usual tests of variance would see
 * patterns everywhere. Here the weeks are turned against each other at random instead: turning
 * keeps all of a week but its place on the clock, so a pattern that is real is one that
 * turning destroys. */
#include "series/pattern.h"

#include <math.h>

#include "base/draw.h"
#include "unit/time.h"

#define SECONDS_PER_WEEK INT64_C(604800)
#define MONDAY INT64_C(345600) /* 1970-01-05: the first one */
#define TURNS 199
#define REAL_BELOW 0.02   /* of chance */
#define SMALLEST 0.005    /* swing worth telling */
#define FEWEST_CHANGES 20 /* to find the hours at which changes are seen */

bool series_shows_hours(struct points points, struct window window)
{
    size_t at_hour[24] = {0}, total = 0, most = 0;

    for (size_t i = series_start(points, window);
         i < points.len && points.at[i].at.s < window.to.s; i++) {
        int64_t second =
            (points.at[i].at.s % SECONDS_PER_DAY + SECONDS_PER_DAY) % SECONDS_PER_DAY;

        if (points.at[i].value == SERIES_UNKNOWN ||
            (i > 0 && points.at[i - 1].value == SERIES_UNKNOWN))
            continue; /* where a gap begins or ends nothing changed */
        at_hour[second / 3600]++;
        total++;
    }
    for (size_t h = 0; h < 24; h++)
        most = at_hour[h] > most ? at_hour[h] : most;
    return total >= FEWEST_CHANGES && (total - most) * 10 >= total;
}

/* Each slot's mean over that of the week around it, which slots of half a week at both ends do
 * not have: they are left out. NaN where either is not known. */
static void week_ratios(const double *value, size_t count, size_t slots, double *out)
{
    for (size_t i = 0; i < count; i++) {
        size_t known = 0;
        double sum = 0;

        for (size_t k = i; k < i + slots; k++)
            if (!isnan(value[k])) {
                sum += value[k];
                known++;
            }
        out[i] =
            known * 2 > slots && sum > 0 ? value[i + slots / 2] * (double)known / sum : NAN;
    }
}

/* The mean of each slot over the weeks, each turned by its own number of slots. */
static void overlay_weeks(const double *ratio, size_t weeks, size_t slots, const size_t *turn,
                          double *mean)
{
    for (size_t s = 0; s < slots; s++) {
        double sum = 0;
        size_t known = 0;

        for (size_t w = 0; w < weeks; w++) {
            double r = ratio[w * slots + (s + turn[w]) % slots];

            if (!isnan(r)) {
                sum += r;
                known++;
            }
        }
        mean[s] = known > 0 ? sum / (double)known : NAN;
    }
}

/* Leave out the weeks of which less than half is known: they say nothing about a week's shape.
 * How many are left. */
static size_t keep_known_weeks(double *ratio, size_t weeks, size_t slots)
{
    size_t kept = 0;

    for (size_t w = 0; w < weeks; w++) {
        size_t known = 0;

        for (size_t s = 0; s < slots; s++)
            known += isnan(ratio[w * slots + s]) ? 0 : 1;
        if (known * 2 < slots)
            continue;
        for (size_t s = 0; s < slots; s++)
            ratio[kept * slots + s] = ratio[w * slots + s];
        kept++;
    }
    return kept;
}

static double ratio_variance(const double *value, size_t count)
{
    double sum = 0, square = 0;
    size_t known = 0;

    for (size_t i = 0; i < count; i++)
        if (!isnan(value[i])) {
            double off = value[i] - 1; /* all are near it: nothing is lost in the squares */

            sum += off;
            square += off * off;
            known++;
        }
    return known > 0 ? square / (double)known - sum / (double)known * (sum / (double)known) : 0;
}

/* `first` is the slot of the week that the ratios start with. */
static void judge_pattern(const double *ratio, size_t first, size_t *turn, struct pattern *p)
{
    double mean[WEEK_HOURS], seen;
    size_t as_much = 1;
    uint64_t state = 1;

    for (size_t w = 0; w < p->weeks; w++)
        turn[w] = p->slots - first;
    overlay_weeks(ratio, p->weeks, p->slots, turn, p->ratio);
    seen = ratio_variance(p->ratio, p->slots);
    for (size_t i = 0; i < TURNS; i++) {
        for (size_t w = 0; w < p->weeks; w++)
            turn[w] = draw_below(&state, p->slots);
        overlay_weeks(ratio, p->weeks, p->slots, turn, mean);
        as_much += ratio_variance(mean, p->slots) >= seen;
    }
    p->chance = (double)as_much / (TURNS + 1);
    for (size_t s = 0; s < p->slots; s++) {
        if (!(p->ratio[s] >= p->ratio[p->cheapest]))
            p->cheapest = isnan(p->ratio[s]) ? p->cheapest : s;
        if (!(p->ratio[s] <= p->ratio[p->costliest]))
            p->costliest = isnan(p->ratio[s]) ? p->costliest : s;
    }
    p->swing = p->ratio[p->costliest] / p->ratio[p->cheapest] - 1;
    p->found = p->chance < REAL_BELOW && p->swing >= SMALLEST ? PATTERN_REAL : PATTERN_NONE;
}

bool series_pattern(struct points points, struct window window, size_t slots,
                    struct pattern *out, struct arena *arena, struct error *err)
{
    int64_t slot = SECONDS_PER_WEEK / (int64_t)slots, start = window.from.s, first;
    size_t needed = slots == WEEK_HOURS ? 2 : 4, len;
    double *value, *ratio;
    size_t *turn;

    *out = (struct pattern){
        .found = PATTERN_TOO_SHORT, .slots = slots, .swing = NAN, .chance = NAN};
    if (points.len == 0)
        return true;
    if (points.at[0].at.s > start) /* before it there is nothing */
        start = points.at[0].at.s;
    start += (slot - start % slot) % slot; /* from a full hour or day */
    len = window.to.s > start ? (size_t)((window.to.s - start) / slot) : 0;
    if (len / slots < needed + 1)
        return true;
    if (slots == WEEK_HOURS && !series_shows_hours(points, window)) {
        out->found = PATTERN_TOO_COARSE;
        return true;
    }
    out->weeks = len / slots - 1;
    value = arena_array(arena, double, len, err);
    ratio = value != NULL ? arena_array(arena, double, out->weeks *slots, err) : NULL;
    turn = ratio != NULL ? arena_array(arena, size_t, out->weeks, err) : NULL;
    if (turn == NULL)
        return false;
    series_resample(points, (struct window){{start}, {start + (int64_t)len * slot}}, len,
                    value);
    week_ratios(value, out->weeks * slots, slots, ratio);
    out->weeks = keep_known_weeks(ratio, out->weeks, slots);
    if (out->weeks < needed)
        return true;
    first = (start - MONDAY) / slot + (int64_t)slots / 2;
    judge_pattern(ratio, (size_t)(first % (int64_t)slots), turn, out);
    return true;
}
