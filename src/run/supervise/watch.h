/* watch.h - a machine guarded, without a command of ours on it: idle notebooks, forgotten
 * instances. Looks now and then; when a guard says so, warns, waits for the grace, and runs a
 * command (poweroff) or just says it.
 *
 * The budget and the deadline act once, idleness each time it has lasted, a notice of the cloud
 * whenever there is one. Each warning comes a full grace before, even when the limit has
 * passed already; only a notice acts at once. */
#ifndef RUN_SUPERVISE_WATCH_H
#define RUN_SUPERVISE_WATCH_H

#include "base/message.h"
#include "meter/cloud.h"
#include "meter/meter.h"
#include "run/supervise/account.h"
#include "run/supervise/alert_events.h"
#include "run/supervise/guard.h"

struct watch_options {
    struct run_charge charge;
    span up;    /* how long the machine has been up: what it has cost before counts */
    usd budget; /* since it was started; of electricity: since it is watched; unknown: none */
    span deadline; /* since it was started; SPAN_UNKNOWN: none */
    struct idle_options idle;
    const char *command; /* when a guard acts; NULL: it is only reported */
    const char *on_event;
    struct alert_events alerts;
    double low_use; /* as in supervise.h */
    span grace;     /* between the warning and the command */
    span every;
    span heartbeat; /* SPAN_UNKNOWN: none */
    enum cloud cloud;
    bool once;                   /* end after the first time a guard acted */
    struct meter_options meters; /* of the entire machine */
    const struct alloc *alloc;
    const struct clock *clock;
    const struct messages *messages;
    bool (*stopped)(void); /* by the user; NULL: never */
};

struct watch_result {
    enum stop_reason reason; /* the guard that acted last; STOP_USER: none did */
    char why[200];
    span watched;
    usd cost; /* since it was started, or of electricity; unknown without a price */
    bool since_start;
    usd_per_hour rate;
    double busy;   /* mean of busy_of_machine(): 0 to 1; NaN unknown */
    double idle_s; /* of the watched time */
    usd idle_cost;
    double joules;      /* of the machine's meters while it was watched; NaN */
    int acted;          /* times */
    int command_status; /* of the last; -1: none ran */
};

bool watch_machine(const struct watch_options *options, struct watch_result *out,
                   struct error *err) MUST_USE;

#endif
