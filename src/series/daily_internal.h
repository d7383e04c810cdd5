/* daily_internal.h - what the forecast and the detector of daily spending share. */
#ifndef SERIES_DAILY_INTERNAL_H
#define SERIES_DAILY_INTERNAL_H

#include "series/daily.h"

#define WEEK ((size_t)7)
#define WATCH_MEMORY 56     /* days that the week's pattern and the noise are taken of */
#define WATCH_LEVEL_SPAN 14 /* that the level is */
#define WATCH_REST 14       /* after an event, in which there is no other */
#define WATCH_BEFORE 90     /* days in which what was ordinary once stays so */
#define WATCH_HOLD 21       /* days after which what is new is ordinary */
#define WATCH_CALM 2        /* ordinary days that end an event */
#define WATCH_WINDOWS 5     /* lengths of stretches that are judged beside the day alone */

/* Where a day is in its month: 1 is the first. */
struct month_place {
    int of, length;
};

struct month_place month_place(day d);

/* Fees come on the same day of each month, or on its last. */
bool month_alike(struct month_place a, struct month_place b);

/* What is known of a series on the morning of a day. */
struct watch {
    const struct daily *in;
    struct anomaly_options options; /* with the defaults filled in */
    double *clean;    /* amounts as they would have been without events and fees */
    double *usual;    /* amounts as they came; NaN in events */
    double *residual; /* of the logarithm, a day ahead; NaN in events */
    double *excess;   /* money above what was expected, where that was much */
    double *expected; /* on its day, or as its event has it */
    double *fee;      /* what came above the ordinary on this day of the months before */
    struct month_place *place; /* of each day */
    double week[WEEK];         /* logarithm by which each day of the week differs */
    double *sum, *seen;        /* running sums of logarithms and of values that are known */
    double *scratch;
    double floor;                      /* added before a logarithm is taken */
    double scale;                      /* of the residuals */
    double follows;                    /* how much of a residual is in the next: 0 to 0.8 */
    double most_up, most_down;         /* residuals that were ordinary before */
    double third_up;                   /* the largest residual but two */
    double off;                        /* as most_down, but for the last days */
    double level, past[WATCH_WINDOWS]; /* now, and before each of the stretches */
    bool learnt;                       /* is there a model at all? */
    size_t regime; /* the first day of what is ordinary now: a level that came to stay */
    /* Days without spending come at any time: they say nothing of how much is spent on others,
     * and only many in a row are an event. `idle`: their share. */
    bool intermittent;
    double idle, idle_again; /* `idle_again`: of the days after such a day */
    bool day_off[WEEK];      /* without spending in most weeks */
    struct anomaly *events;
    size_t count, known, calm_days, quiet_until;
    bool open; /* the last event has not ended */
    double event_level;
    double event_inside; /* spiky spending: a day with more is in the event; 0: otherwise */
    double event_beside; /* likewise on a day right after one that is in it */
    double tail_times;   /* of the tail's bounds: the threshold over its default */
};

/* Spiky spending far above what its tail has been. */
struct tail_event {
    size_t first;
    double level;  /* the mean of the days before */
    double bound;  /* that the day, or the mean of some days, exceeded */
    double inside; /* what days of it exceed */
    double beside; /* what its first and last days exceed, which may be parts of days */
    double score;  /* in deviations */
};

/* Is day `t`, or the mean of some days up to it, out? `fee`: part of it that was expected;
 * `alone`: may it be out by itself? */
bool tail_is_out(const struct watch *w, size_t t, double fee, bool alone,
                 struct tail_event *out) MUST_USE;

/* Go through the entire series, evening by evening. */
bool watch_run(struct watch *w, const struct daily *series,
               const struct anomaly_options *options, struct arena *arena,
               struct error *err) MUST_USE;

extern const size_t watch_windows[WATCH_WINDOWS];

#endif
