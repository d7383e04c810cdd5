/* guard.h - when to warn, when to ask for a checkpoint, when to end it. Pure: moments and
 * amounts in, decisions out; supervise.c acts on them.
 *
 * All moments are on clock_paid(). A limit (the budget, the deadline, a notice of the cloud) is
 * the moment at which everything must have ended. Before it lie three steps: asking for a
 * checkpoint, SIGTERM, SIGKILL. How long before depends on what the program can make use of:
 * one that catches neither signal needs no time to save, and gets to work until the last
 * moment. */
#ifndef RUN_SUPERVISE_GUARD_H
#define RUN_SUPERVISE_GUARD_H

#include "base/clock.h"
#include "meter/sample.h"
#include "unit/money.h"

#define MOMENT_NEVER ((instant){INT64_MAX})

/* Why a run was ended; STOP_NONE: no guard did. */
enum stop_reason {
    STOP_NONE,
    STOP_BUDGET,
    STOP_MONTH, /* the budget of the month */
    STOP_DEADLINE,
    STOP_IDLE,
    STOP_EARLY, /* the metric got no better */
    STOP_DIVERGED,
    STOP_NOTICE, /* the cloud takes its machine back */
    STOP_USER,
    STOP_DETACHED, /* only the metering ended: the process goes on */
};
#define STOP_REASONS (STOP_DETACHED + 1)

extern const char *const stop_reason_names[STOP_REASONS]; /* "budget", ...; "" for none */

/* What the program can make use of. */
struct guard_program {
    bool saves_on_ask;  /* something catches the checkpoint signal, or there is a command */
    bool saves_on_term; /* something catches SIGTERM */
    bool saving;        /* a save is under way: it is not disturbed before the limit */
    double memory;      /* bytes that must be given back at the end; NaN unknown */
};

struct guard_steps {
    instant ask, term, kill; /* MOMENT_NEVER: that step is left out */
};

/* The steps to be over at `limit`; `grace` before it the last save begins (reserve.h). */
struct guard_steps guard_before(instant limit, span grace, const struct guard_program *program);

/* The steps to end it from `now` on, for a reason that is not a limit, but no later than
 * `limit`. */
struct guard_steps guard_from(instant now, span grace, instant limit,
                              const struct guard_program *program);

/* A save is under way when a step is due, and nothing presses but `latest`: both steps wait,
 * `now` and a little longer. `termed`: SIGTERM was sent already. */
struct guard_steps guard_wait(struct guard_steps steps, instant now, instant latest,
                              bool termed);

/* What to do when the last save is due, but the program is in the middle of one of its own. */
enum save_turn {
    SAVE_ASK,  /* ask: there is time for another */
    SAVE_WAIT, /* wait: the one that is under way is the last, unless it ends soon */
    SAVE_SKIP, /* it has just saved, and another would not be complete in time */
};

/* `left` of the limit; a save is expected to take `save_s` (NaN unknown). `saving`: one of its
 * own is under way, for `under_way` so far; `saved`: it was when this was due, and is
 * complete. */
enum save_turn guard_save_turn(span left, double save_s, bool saving, span under_way,
                               bool saved);

/* The last step before a limit, at the latest: then the keeper acts. */
instant guard_last(instant limit);

/* When `left` is spent at `rate`; never when the rate is nothing or unknown. */
instant guard_spent_at(instant now, usd left, usd_per_hour rate);

/* Warnings at 50, 75 and 90 % of a budget: the highest that is newly passed, 0 for none.
 * `*warned` is the highest that was reported before. */
int guard_warning(usd spent, usd budget, int *warned);

/* Idleness: below a share of use for a time. */
struct idle_options {
    double below; /* 0 to 1; 0.05 */
    span after;   /* SPAN_UNKNOWN: not guarded */
};

struct idle_watch {
    instant since; /* idle since then; MOMENT_NEVER: not idle */
    bool warned;
};

enum idle_verdict {
    IDLE_NO,
    IDLE_WARN, /* half of the time has passed: returned once */
    IDLE_OVER,
};

/* The warning at half of the time: "idle for 5min; stops in 5min (--idle 10min)". `then`: what
 * happens at its end, "stops". */
void idle_describe(const struct idle_options *options, const char *then, char *to, size_t room);

/* `busy`: the busiest device in use, or the cores; NaN (unknown) is not idle. */
enum idle_verdict idle_see(struct idle_watch *watch, const struct idle_options *options,
                           double busy, instant now);

/* ---- use ----
 *
 * 0 to 1: the busiest device, one core, or USE_RATE bytes a second of disk or network are 1,
 * however many cores there are: whoever prepares data or downloads a model is at work. NaN:
 * unknown, which is not idle. */
#define USE_RATE 10e6
struct use_now {
    double cores; /* in use between the last two looks, or waited for: of the tree, or of all */
    double bytes; /* a second, from and to disk or network, whichever is more */
};

/* A run: its own work on devices, where that is known. */
double busy_of_run(const struct meter_sample *sample, const struct use_now *use);

/* A machine: of its cores less than half of one is what idle machines do. */
double busy_of_machine(const struct meter_sample *sample, const struct use_now *use);

/* The devices that a run uses: the busiest one; NaN: it uses none, or that is not known. */
double busy_of_devices(const struct meter_sample *sample);

/* Low utilization: the mean of each half hour. */
struct use_watch {
    instant since; /* of this half hour; MOMENT_NEVER before the first look */
    instant last;
    double sum, seconds; /* of what is known */
    bool reported;
};

/* A look: how busy devices are, 0 to 1; NaN: unknown, or none is used. True when the half hour
 * that ends now was below `least` on average, once; its mean in `mean`. */
bool use_see(struct use_watch *watch, double busy, double least, instant now, double *mean);

#endif
