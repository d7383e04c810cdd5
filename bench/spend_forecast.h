/* spend_forecast.h - what others, and those who know more, make of a month, for comparison. */
#ifndef BENCH_SPEND_FORECAST_H
#define BENCH_SPEND_FORECAST_H

#include "spend_series.h"

enum forecaster {
    FORECAST_STINT,
    FORECAST_RUN_RATE,      /* mean of the month so far */
    FORECAST_WEEK,          /* mean of the last 7 days */
    FORECAST_FOUR_WEEKS,    /* mean of the last 28 days */
    FORECAST_DRIFT,         /* the last 7 days, and the line through them and those before */
    FORECAST_MONTH_BEFORE,  /* the same days of the month before */
    FORECAST_SEASON_NAIVE,  /* the last week again */
    FORECAST_WEEKDAY_MEANS, /* of 28 days */
    FORECAST_HOLT_WINTERS,  /* level, growth and seven seasons on logarithms */
    FORECAST_LEARNER,       /* knows weekdays, fees, days off and noise, not level and growth */
    FORECAST_ORACLE,        /* knows all of it, but no noise and no event to come */
    FORECASTERS
};

#define FORECAST_PEERS FORECAST_LEARNER /* those before it know nothing but the past */

extern const char *const forecaster_names[FORECASTERS];

struct month {
    size_t from, end, known; /* days of the series; the last two are the first after */
};

/* The month's total as each but the first has it. */
void forecast_others(const struct spend_series *s, const struct month *m, double *total);

#endif
