/* watch.h - a whole machine guarded, without a command of ours on it: idle notebooks, forgotten
 * instances. Looks now and then; when a guard says so, runs a command (poweroff) or just says
 * it. */
#ifndef RUN_WATCH_H
#define RUN_WATCH_H

#include "base/log.h"
#include "meter/cloud.h"
#include "run/account.h"
#include "run/guard.h"

struct watch_options {
    struct run_charge charge;
    span up;       /* how long the machine has been up: what it has cost before counts */
    usd budget;    /* since it was started; unknown: none */
    span deadline; /* likewise; SPAN_UNKNOWN: none */
    struct idle_options idle;
    const char *command; /* when a guard says so; NULL: it is only said */
    const char *on_event;
    span grace; /* between the warning and the command */
    span every;
    span heartbeat; /* SPAN_UNKNOWN: none */
    enum cloud cloud;
    bool once;        /* end after the first time a guard acted */
    const char *root; /* before "/proc" and "/sys"; NULL: "" */
    const struct alloc *alloc;
    const struct clock *clock;
    const struct log *log;
    void (*say)(void *ctx, const char *text);
    void *ctx;
    bool (*stopped)(void); /* by the user; NULL: never */
};

struct watch_result {
    enum stop_reason reason; /* the guard that acted last; STOP_USER: nobody did */
    char why[200];
    span watched;
    usd cost; /* of the machine since it was started; unknown without a price */
    usd_per_hour rate;
    double busy;   /* mean of the busiest device, or of the cores: 0 to 1 */
    double idle_s; /* of the watched time */
    usd idle_cost;
    double joules;      /* of the machine's meters while it was watched; NaN */
    int acted;          /* times */
    int command_status; /* of the last; -1: none ran */
};

bool watch_machine(const struct watch_options *options, struct watch_result *out,
                   struct error *err) MUST_USE;

#endif
