/* live.h - runs that are running: the record, with what its latest samples show. */
#ifndef RUN_SUPERVISE_LIVE_H
#define RUN_SUPERVISE_LIVE_H

#include "ledger/ledger.h"

struct live_run {
    struct ledger_run run;
    bool silent;     /* no update for a while */
    double silent_s; /* since the last update */
    struct str host; /* of the latest attempt */
    usd_per_hour rate;
    usd_per_hour machine_rate; /* that `rate` is its share of; unknown */
    usd projected;             /* the total cost, at this pace */
    struct ledger_sample now;  /* the latest; unknown when there is none */
    double steps_rate;
    span left;
    int64_t pid, pid_started; /* of its supervisor; -1 unless it is on this machine */
};

/* What is known at `now` of a run with these samples: pure. `here`: the name of this
 * machine. */
void live_run_make(const struct ledger_run *run, const struct ledger_sample *samples,
                   size_t count, stamp now, struct str here, struct live_run *out);

/* One row for each run, unsorted; NULL with the error set. */
struct live_run *live_runs_read(struct ledger *ledger, const struct ledger_run *runs,
                                size_t count, stamp now, struct arena *arena,
                                struct error *err) MUST_USE;

/* "cost" and "rate": the highest first, unknown last; "time": the longest first; "name". */
void live_runs_sort(struct live_run *rows, size_t count, struct str order);

/* Runs together. */
struct live_sum {
    int64_t machines, running;
    usd_per_hour rate; /* of those whose rate is known */
    int64_t rate_unknown;
};

/* Pure. */
struct live_sum live_runs_sum(const struct live_run *rows, size_t count);

/* What all runs have cost, beside a month's budget. */
struct live_spent {
    usd today, month;      /* since midnight UTC; since the first of the month */
    int64_t month_unknown; /* attempts whose cost is not in it */
    struct money budget;   /* of a month; no currency: there is none */
    double share;          /* of the budget; NaN: it is not in dollars, or there is none */
};

/* All but the budget, which the caller sets. */
bool live_spent_read(struct ledger *ledger, stamp now, struct live_spent *spent,
                     struct error *err) MUST_USE;

struct live_details {
    struct rows events;               /* struct ledger_happening, newest first */
    struct numbers busy, watts, loss; /* of the latest attempt, evenly over its time */
    struct numbers devices;           /* utilization of each device now, 0 to 1 */
};

bool live_details_read(struct ledger *ledger, const struct ledger_run *run, struct arena *arena,
                       struct live_details *out, struct error *err) MUST_USE;

extern const struct field_set live_run_fields, live_event_fields;

#endif
