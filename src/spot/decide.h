/* decide.h - what to do now: Stint's policy for a job that really runs.
 *
 * The simulator asks a policy tick by tick; a launcher asks once, with all that it has seen.
 */
#ifndef SPOT_DECIDE_H
#define SPOT_DECIDE_H

#include "spot/policy_stint.h"
#include "spot/trace_files.h"
#include "unit/money.h"

/* The state of the job. */
struct decide_job {
    double left;      /* seconds of work */
    double unsaved;   /* of what is done: not in a checkpoint yet */
    double time_left; /* seconds to the deadline */
    enum sim_mode mode;
    size_t zone;    /* that it runs in, or last ran in */
    double pending; /* seconds of its start that are still ahead */
    bool began;     /* it ran before, so that there is a checkpoint to move */
};

struct decision {
    struct sim_choice choice;
    struct sim_choice options[STINT_OPTIONS]; /* that keep the deadline; on-demand first */
    double all_usd[STINT_OPTIONS];            /* what each is expected to cost to the end */
    size_t count;
    double latest_s; /* seconds until on-demand must be started, if nothing is done; below 0:
                      * what runs must go on */
    double late_s;   /* by which even the choice misses the deadline; 0 or less: it does not */
};

/* `seen` is the market up to now: its last tick is the present, which holds until the next
 * question a tick later. */
bool decide(const struct sim_market *seen, const struct sim_job *job,
            const struct decide_job *now, struct arena *arena, struct decision *out,
            struct error *err) MUST_USE;

/* ---- the question as the user asks it ---- */

extern const char *const decide_running[]; /* "nothing", "spot", "on-demand", NULL */

struct decide_ask {
    span work, done, unsaved, left; /* left: to the deadline */
    span delay, starting;           /* starting: what is still ahead of a start */
    struct str running, zone;
    struct strs seen, traces, zones; /* seen: "us-east-1a=110111" */
    struct str ones;
    span every;                  /* between two questions; of traces: their ticks */
    struct strs spot, on_demand; /* "$0.97/hr", or "us-east-1a=$0.97/hr" */
    int64_t gang;
    span checkpoint_every, checkpoint_time, notice;
};

enum decide_action { DECIDE_STAY, DECIDE_SPOT, DECIDE_ON_DEMAND, DECIDE_WAIT };

struct decide_option {
    enum decide_action action;
    struct str zone; /* of what is to run; none to wait */
    usd expected;    /* to the end of the job */
    bool chosen;
};

struct decide_answer {
    enum decide_action action;
    struct str zone;
    usd expected;
    struct rows options; /* struct decide_option */
    span ask_again;      /* when to ask again */
    span latest;         /* to start on-demand, if nothing is done; unknown: too late */
    span late_by;        /* unknown: it is not late */
};

extern const struct field_set decide_answer_fields;

/* Read what was seen, and decide. Reads files of traces. */
bool decide_answer(const struct decide_ask *ask, const struct messages *messages,
                   struct arena *arena, struct decide_answer *out, struct error *err) MUST_USE;

#endif
