/* top.h - everything that runs on this ledger now, and what it costs: request and result of
 * top. */
#ifndef OP_RUN_TOP_H
#define OP_RUN_TOP_H

#include "base/clock.h"
#include "doc/field.h"
#include "unit/money.h"

extern const struct op op_top;

struct top_request {
    struct str run;  /* tell more of this one; empty: of none */
    struct str sort; /* "cost", "rate", "time" or "name" */
    bool once;       /* for the command line: no live view */
};

struct top_run {
    struct str id, short_id, name, state;
    struct str user, host, folder, command, started;
    int64_t attempts;
    span elapsed;
    double silent_s; /* since the last word of it */
    usd cost, budget, projected;
    double of_budget; /* a share */
    usd_per_hour rate;
    usd_per_hour machine_rate; /* that `rate` is its share of; unknown */
    struct str pays;
    int64_t sharers;
    struct str gpu;
    int64_t gpus;
    double gpu_busy, gpu_memory, gpu_memory_total, watts, cpu_cores, memory; /* now */
    double gpu_memory_run; /* of `gpu_memory`, what the run's own processes use */
    double step, steps, loss, best, steps_rate;
    span left;
    double score;
    int64_t pid, pid_started; /* of its supervisor; -1 unless it is on this machine */
};

struct top_event {
    struct str at, kind, text;
};

struct top_result {
    struct str at;
    int64_t machines, running;
    usd_per_hour rate; /* of those whose rate is known */
    int64_t rate_unknown;
    usd today, month;
    int64_t month_unknown; /* attempts whose cost is not in it */
    struct money budget;   /* of a month */
    double of_budget;
    struct str run;                   /* the id of request.run; empty: none was asked for */
    struct rows runs;                 /* struct top_run */
    struct rows events;               /* struct top_event, of request.run, the newest first */
    struct numbers busy, watts, loss; /* of its latest attempt, evenly over its time */
    struct str ledger;
    bool none_yet; /* there is no ledger */
};

/* Ask the supervisor of a run on this machine to end it in good order. */
bool top_stop(const struct top_run *run, struct error *err) MUST_USE;

/* How times and losses look in a narrow place: "2h05m", "2.31". */
void top_span(span time, struct buf *out);
void top_number(double value, struct buf *out);

#endif
