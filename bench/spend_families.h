/* spend_families.h - a second source of daily spending with known events, independent of
 * spend_series.h: other noise, other shapes, and moderate events (1.3 to 3 times, 1 to 14
 * days). It shares the scoring, and nothing else, with the first. */
#ifndef BENCH_SPEND_FAMILIES_H
#define BENCH_SPEND_FAMILIES_H

#include "spend_series.h"

/* What a series is like before anything happens. Constants may be chosen on the families
 * before FAMILY_KEPT, and are reported on those from it on as well. */
enum spend_family {
    FAMILY_LOGNORMAL, /* lognormal noise, hardly a week */
    FAMILY_WEEKLY,    /* a strong week */
    FAMILY_STEADY,    /* machines that always run: hardly any noise */
    FAMILY_QUIET,     /* weeks of next to nothing, then activity, which is the first event */
    FAMILY_ZEROS,     /* a share of days without any spending */
    FAMILY_KEPT,
    FAMILY_TREND = FAMILY_KEPT, /* growth or decline of up to a third a month */
    FAMILY_MONTH,               /* a charge in the first days of each month */
    FAMILY_SERVICES,            /* the sum of three services of different sizes and weeks */
    FAMILY_SLOW,                /* noise that wanders: a day is like the one before */
    FAMILY_HEAVY,               /* one day in twenty is three times as noisy */
    SPEND_FAMILIES
};

const char *spend_family_name(enum spend_family family);

/* The same seed makes the same series, whatever the platform's random numbers. A quarter of
 * all series have no event. */
void spend_family_make(enum spend_family family, uint64_t seed, struct spend_series *out);

#endif
