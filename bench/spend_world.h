/* spend_world.h - our detector and forecast on many series. */
#ifndef BENCH_SPEND_WORLD_H
#define BENCH_SPEND_WORLD_H

#include "spend_forecast.h"
#include "spend_score.h"

struct forecast_score {
    size_t count;
    double mean[FORECASTERS], p95[FORECASTERS];    /* errors of the month's total, as a share */
    double by_noise[FORECASTERS][SPEND_NOISES];    /* mean errors */
    double within, below, within_of[SPEND_NOISES]; /* shares that ended in our range */
};

/* For each seed from `first` on a series of each noise. False when memory runs out. */
bool world_score(enum spend_world world, uint64_t first, size_t seeds,
                 struct spend_score *score);

/* Of every month that has a month before it: made on its Nth day, when N - 1 are known. The
 * count is 0 when memory runs out. */
struct forecast_score world_forecast(enum spend_world world, uint64_t first, size_t seeds,
                                     int made_on, bool events);

#endif
