/* why.h - why a run cost more or less than its estimate, or than another run.
 *
 * Both sides are what money went into (struct why_side); the difference between them becomes
 * parts, each with one cause, that add up to it to the nano-dollar. Machine time of the second
 * side is first priced as that of the first, so that what a price changed is one part and every
 * other part is time. What no cause explains is a part of its own.
 */
#ifndef ADVISE_WHY_H
#define ADVISE_WHY_H

#include "doc/field.h"
#include "estimate/money/cost.h"
#include "unit/money.h"

/* What money of a run goes into, first what is paid by the hour of the machine; and besides
 * these items, what the difference of two of them is divided into. */
enum why_cause {
    WHY_TRAINING,
    WHY_DATA,  /* devices wait for data: the phase that 'show' and advice have, too */
    WHY_WAITS, /* likewise inside steps, besides that phase */
    WHY_STARTUP,
    WHY_EVALUATION,
    WHY_SAVING,
    WHY_REPEATED, /* work that was not saved, and starting again */
    WHY_IDLE,
    WHY_UNSEEN, /* it is not known what the machine did */
    WHY_TIMES,
    WHY_SETUP = WHY_TIMES, /* of the machine, before the run */
    WHY_STORAGE,
    WHY_TRANSFER,
    WHY_EXTRA,
    WHY_TRIALS,   /* of a search, before the run that counts */
    WHY_MACHINES, /* of the plan that are other runs */
    WHY_BILLING,  /* hours billed and not used, markup, hours that are paid for already */
    WHY_ITEMS,
    WHY_PRICE = WHY_ITEMS, /* of an hour */
    WHY_SHARING,           /* of the machine's price with other runs */
    WHY_STEPS,             /* their number */
    WHY_SPEED,             /* of a step */
    WHY_CAUSES,
};

/* One of the two that are compared. */
struct why_side {
    usd cost;             /* the sum of the items */
    usd item[WHY_ITEMS];  /* zero: none */
    double rate;          /* dollars for an hour of the machine; NaN unknown */
    double share;         /* of that price that it pays */
    double steps, step_s; /* that count; once warm. NaN unknown */
    bool seen;            /* machine time is divided by its use */
    int64_t attempts, machines;
};

/* An attempt at a run, as it was metered. Unknown amounts are unknown, seconds NaN. */
struct why_attempt {
    usd cost, compute, setup, storage, transfer, extra;
    usd time[WHY_TIMES];      /* the compute part by use */
    double elapsed_s, paid_s; /* paid: of the machine's time; unknown: all of it */
    double rate;              /* dollars an hour; NaN: as `compute` comes to */
    double lost_s;            /* of the attempt before: work that was not saved */
};

/* The attempts' costs are known. `steps`, `step_s`: NaN unknown. */
void why_side_of_run(const struct why_attempt *attempts, size_t count, double steps,
                     double step_s, struct why_side *out);

/* Of each step of a run, the time in which GPUs waited for data. */
struct why_wait {
    double step_s;    /* NaN or 0: nothing is known */
    double share;     /* of the time of a step */
    struct str known; /* how: "the metric data_time" */
};

/* That is waiting, and no training: what remains are steps that did not wait. What is counted
 * as data stalls already is part of it, since a moment between steps is part of a step's time:
 * it stays there. False when that is all of it. */
bool why_side_wait(const struct why_wait *wait, struct why_side *side);

/* An estimate as it was recorded with a run. */
struct why_plan {
    usd cost;                  /* of all machines */
    usd line[COST_LINE_COUNT]; /* likewise; unknown: not recorded */
    usd startup;               /* likewise: before the work begins */
    double compute_hours;      /* of the clock; NaN unknown */
    double hours;              /* from start to end */
    double rate;               /* dollars for an hour of one machine; NaN unknown */
    double step_s;
    int64_t machines;
};

void why_side_of_plan(const struct why_plan *plan, struct why_side *out);

/* A part of a difference. */
struct why_part {
    struct str cause;    /* "speed": does not depend on the sign */
    struct str name;     /* "slower steps" */
    struct money amount; /* that it adds; below zero: it saves */
    struct str detail;   /* "520 ms a step instead of 400 ms"; NULL: none */
};

extern const struct field_set why_part_fields;

struct why_explained {
    struct money from, to, difference;
    struct rows parts; /* struct why_part: the largest first, what is not explained last */
    struct str advice; /* what to do about the largest part that adds cost */
};

/* A part below this share of the cost needs nothing done about it. */
#define WHY_SMALL 0.01

/* What the sides are: it decides the words. */
enum why_kind {
    WHY_ESTIMATE,  /* an estimate, and the run that followed */
    WHY_RUNS,      /* two runs */
    WHY_BREAKDOWN, /* nothing, and a run: where its money went */
};

/* Parts that are nothing are left out. */
bool why_explain(const struct why_side *from, const struct why_side *to, enum why_kind kind,
                 struct arena *arena, struct why_explained *out, struct error *err) MUST_USE;

#endif
