/* spend_score.h - alarms against events whose days are known.
 *
 * An event is found by the first alarm in its direction on one of its days or up to two days
 * after its start. An alarm on no event's days, nor within a week after them, is false; so is a
 * second one in the direction of an event that was found.
 */
#ifndef BENCH_SPEND_SCORE_H
#define BENCH_SPEND_SCORE_H

#include "spend_series.h"

#define SCORE_LATE 2  /* days after the start that count, for events that are shorter */
#define SCORE_GRACE 7 /* days after the end in which an alarm is neither right nor wrong */

struct spend_alarm {
    size_t at; /* the day on whose evening it is raised */
    bool down;
};

struct spend_tally {
    size_t series, events, found, alarms, false_alarms, days;
    double delay; /* summed over what was found */
    double money, money_found;
};

/* One tally for each kind of event by noise, and the sums that belong to no kind. */
struct spend_score {
    struct spend_tally of[SPEND_KINDS][SPEND_NOISES];
    struct spend_tally noise[SPEND_NOISES];
    struct spend_tally all;
};

void spend_score(const struct spend_series *series, const struct spend_alarm *alarms,
                 size_t count, size_t settle, struct spend_score *score);

double tally_recall(const struct spend_tally *t);
double tally_precision(const struct spend_tally *t);
double tally_f1(const struct spend_tally *t);
double tally_false_per_quarter(const struct spend_tally *t);

#endif
