/* spend_peers.h - what others do with daily spending, for comparison in the same run. */
#ifndef BENCH_SPEND_PEERS_H
#define BENCH_SPEND_PEERS_H

#include "spend_score.h"

/* Median of the same weekday in the last eight weeks and MAD, on logarithms. Alarms of one
 * direction within a week of one another are one. */
size_t peer_weekday_mad(const struct spend_series *s, double threshold,
                        struct spend_alarm *alarms);

/* Holt-Winters with a season of a week on logarithms, updates clipped at three deviations. */
size_t peer_holt_winters(const struct spend_series *s, double threshold,
                         struct spend_alarm *alarms);

/* Mean and deviation of the last 30 days. */
size_t peer_z30(const struct spend_series *s, double threshold, struct spend_alarm *alarms);

#endif
