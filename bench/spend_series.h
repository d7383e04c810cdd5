/* spend_series.h - generated daily spending, with events whose days are known.
 *
 * Three worlds that differ in their numbers and in how noise, weeks and events are made: what
 * is tuned on one can be tested on another. The same seed gives the same series.
 */
#ifndef BENCH_SPEND_SERIES_H
#define BENCH_SPEND_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SPEND_DAYS 400 /* at most; 240 but in some worlds */
#define SPEND_QUIET 40 /* days at the beginning in which nothing happens */
#define SPEND_EVENTS 4
#define SPEND_NOISES 3

enum spend_kind {
    SPEND_SPIKE,
    SPEND_PLATEAU,
    SPEND_SHIFT,
    SPEND_RAMP,
    SPEND_DROP,
    SPEND_KINDS
};

enum spend_world {
    WORLD_PLAIN,  /* weekdays, noise, trends, legitimate bursts, and the events */
    WORLD_BILLS,  /* the same with fees at the start of months and days without spending */
    WORLD_OTHER,  /* other sizes; noise that follows itself, other weeks, events that add */
    SPEND_BARRED, /* bars are set on those before; what follows is plain but for one thing */
    WORLD_TAILS = SPEND_BARRED, /* noise of Student's t with three degrees of freedom */
    WORLD_BATCH,                /* a large job every other week */
    WORLD_GROWTH,               /* half of the series grow by 0.3 to 1 % a day */
    WORLD_SHORT,                /* 90 days */
    WORLD_LONG,                 /* 400 days */
    WORLD_SMALL,                /* 2 to 15 a day */
    SPEND_WORLDS
};

struct spend_event {
    enum spend_kind kind;
    size_t first, last; /* days; an alarm on one of them has found it */
    bool down;
    double money; /* difference it made, over its days */
};

struct spend_series {
    int32_t first_day; /* days since 1970 */
    int noise;         /* 0: low, 1: middle, 2: high */
    size_t days;
    double amount[SPEND_DAYS];
    double ordinary[SPEND_DAYS]; /* what it would have been without events */
    double expected[SPEND_DAYS]; /* the same on average: what an oracle knows of it */
    double trend;                /* growth of the logarithm in it, a day */
    double spread;               /* variance of its noise, as it adds up over days */
    struct spend_event event[SPEND_EVENTS];
    size_t events;
};

const char *spend_kind_name(enum spend_kind kind);

/* `events`: false for a series in which nothing happens. */
void spend_make(enum spend_world world, uint64_t seed, int noise, bool events,
                struct spend_series *out);

#endif
