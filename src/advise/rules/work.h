/* work.h - works: runs of the same thing, with what they cost and did, as rules see them.
 *
 * Runs of one name and project are one work. Pure records: the caller makes them from a ledger,
 * prices machines and asks for risks. What is not known is unknown (field.h).
 */
#ifndef ADVISE_WORK_H
#define ADVISE_WORK_H

#include "account/run/device_use.h"
#include "advise/rules/finding.h"
#include "catalog/machine.h"
#include "unit/size.h"
#include "unit/time.h"

/* How a run ended. */
enum advise_ending {
    ENDED_WELL,
    ENDED_RUNNING,
    ENDED_FAILED,
    ENDED_STOPPED,   /* by a guard or the user */
    ENDED_PREEMPTED, /* the machine was taken away */
    ENDED_LOST,      /* how is not known */
};

/* Did another run do the same before? */
enum advise_repeats {
    REPEATS_NONE,
    REPEATS_LIKELY, /* the same command, configuration and code; no result to compare */
    REPEATS_SURE,   /* and the same result */
};

/* Early stopping, in hindsight: as it is advised, and a little later or sooner. */
enum advise_stop { STOP_AS_ADVISED, STOP_LATER, STOP_SOONER, ADVISE_STOPS };

/* Pruning checkpoints: the newest few stay, and the best. How many: as it is advised, and more
 * or fewer. */
enum advise_keep { KEEP_AS_ADVISED, KEEP_MORE, KEEP_FEWER, ADVISE_KEEPS };
extern const int64_t advise_keep_newest[ADVISE_KEEPS];

/* Checkpoints of a run that were not removed. */
struct kept_checkpoints {
    int64_t count;
    double bytes;               /* of all */
    double spare[ADVISE_KEEPS]; /* of those that pruning would remove */
    int64_t spare_count;        /* as advised */
    struct str folder;
    usd_per_gb month; /* price of a GB for a month there; unknown */
};

/* A run, with all its attempts together. Unknown numbers are NaN. */
struct advise_run {
    char id[40]; /* its short id, to be shown */
    struct str name, project, user, folder, command;
    struct str digest; /* of command, configuration and code; empty: not known */
    stamp started, ended;
    enum advise_ending ending;
    int status;        /* as a shell has it */
    struct str reason; /* "budget", "idle", "out of memory"; empty: none */
    usd cost;
    usd part[ADVISE_PARTS]; /* adds up to the cost; failed and repeated are filled here */
    double hours;           /* of the machine, from start to end */
    double startup_hours;   /* from the start of the command to its first step */
    double lost_hours;      /* work that was not saved */
    int64_t gpus;           /* -1 unknown, 0 none */
    struct str gpu;         /* the catalog's name; as the meters saw it where there is none */
    double busy;            /* of the GPUs: 0 to 1 */
    double watts;           /* of one GPU while steps are made */
    double gpu_energy;      /* of the machine's energy, the share of GPUs */
    double memory_peak, memory_total; /* bytes, of the fullest GPU */
    double received, sent;            /* bytes, from the network and to it */
    double steps, step_s;
    double metric; /* that it reached: the best of the watched one */
    double estimated_hours;
    usd estimated_cost;
    usd_per_hour rate;
    struct str offer, market; /* "provider/region/instance"; "on-demand" */
    struct str metric_name;   /* of evaluations, where they were recorded; empty: none */
    bool metric_rises;        /* more of it is better */
    /* Share of the time that early stopping saves; below 0: a better value came later. */
    double stopping[ADVISE_STOPS];
    struct kept_checkpoints kept;  /* that lie there now, and cost money every month */
    struct idle_devices idle_gpus; /* that had no work while others worked */
    bool electricity;              /* only electricity is paid */
    bool checkpoints;              /* it saves some */
    bool interactive;              /* a notebook */
    bool serves;                   /* its command is a server's */
    bool transfer;                 /* it moved data: stint data sync */
    int64_t attempts;
    enum advise_repeats repeats; /* set by advise_works() */
};

/* Failures of one cause. */
struct advise_failure {
    struct str cause; /* "out of memory", "exit status 1", "interrupted" */
    struct str run;   /* the latest, as it may be named */
    int64_t runs;
    usd cost;
    double hours;
};

/* Another way to do the same work, as the caller priced it: what all of the work would cost
 * there in the period, set-up included. */
struct advise_option {
    struct str offer; /* "provider/region/instance" */
    struct str provider, region, gpu;
    enum market market;
    int64_t gpus;
    double memory_gb;              /* of one GPU */
    double need_gb, usable_gb;     /* of it: at most, by the margin of estimates; there. NaN */
    usd cost, cost_low, cost_high; /* 80 % range */
    usd egress;                    /* of these: moving the data there; unknown: not known */
    double time;                   /* factor of the time it takes now */
    double hours;                  /* of a plan, from start to end; 0: it serves, or is none */
    day date;                      /* of the price */
    double interruptions;          /* spot: expected in a run; NaN unknown */
    double overhead;               /* spot: share of the time that is lost; NaN unknown */
    struct str method;             /* how time and risk are known */
    bool estimated;                /* by the estimator, not by data sheets */
    bool account;                  /* the user has one with the provider, as far as is known */
    bool stale;                    /* the price is too old to rely on */
};

/* The work's own machine on spot, today: in its region, or where it costs much less. */
struct advise_spot {
    usd_per_hour on_demand;                 /* of a machine, where it runs; 0: not known */
    usd_per_hour spot;                      /* unknown or 0: not known */
    bool elsewhere;                         /* that is in another region: `offer` */
    struct str offer;                       /* "aws/us-west-2/g5.2xlarge" */
    double losses, losses_low, losses_high; /* interruptions expected in a run: 80 % range */
    day date;                               /* of the spot price */
    struct str method;                      /* "of machines of the provider" */
};

/* The work's own machine in another region of its provider. */
struct advise_region {
    struct str offer;
    double share; /* of the price here; 0: none is cheaper, or it is not known */
    day date;     /* of the price */
};

struct advise_job; /* rule.h */

/* A work in the period. Its fields are the facts that users' rules can name. */
struct advise_work {
    struct str subject; /* "bert", "bert (project nlp)" */
    struct str name, project;
    int64_t runs, done, failed, stopped, interrupted, repeated, interactive;
    usd cost;                  /* of the period */
    struct advise_money money; /* in the findings' unit */
    double scale;              /* from the period to that unit */
    usd part[ADVISE_PARTS];
    span time, gpu_time;             /* of machines; of GPUs */
    double utilization;              /* of GPUs, weighted by their time */
    double memory_used;              /* peak over total */
    bytes memory_peak, memory_total; /* of the fullest GPU */
    struct str gpu;                  /* of most of the time */
    int64_t gpus;                    /* of most of the time */
    struct str offer, provider, region, market;
    usd_per_hour rate;
    bool checkpoints, electricity;
    bool serves;                     /* a service: it must answer while a machine is replaced */
    usd cost_per_run, cost_per_step; /* of runs that ended well */
    double watts, gpu_energy;        /* as of a run, over the time that they are known */
    double slowdown;                 /* measured time over estimated, of runs that ended well */
    int64_t estimates;               /* runs that `slowdown` is of */
    span mean_time;                  /* of a run */
    usd repeated_surely; /* of the repeated part: where the results are the same, too */
    double data_gb;      /* of its data; NaN not known */
    usd egress;          /* of moving the data to another provider; unknown */
    struct advise_spot spot;
    struct advise_region region_best;
    double hour_now, hour_best;    /* price over the week's mean when it ran, at best; NaN */
    struct str hour_when;          /* "at 03:00 UTC on a weekday" */
    struct rows failures;          /* struct advise_failure: the most expensive first */
    struct rows options;           /* struct advise_option: the cheapest first */
    struct rows list;              /* const struct advise_run *: oldest first */
    const struct advise_job *job;  /* that its runs are (rule.h); NULL: not known */
    struct advise_money job_money; /* estimated, of one run */
};

/* Dollars a month for so many bytes of them; 0: no price is known. */
double kept_checkpoints_month(const struct kept_checkpoints *kept, double size);

/* The named facts, and what they mean. */
extern const struct field_set advise_work_fields;

/* Group runs into works, the most expensive first, and mark failed and repeated ones in their
 * parts. Runs whose cost is not known are counted in `unpriced` and left out. `scale` turns
 * money of the period into the findings' unit. */
bool advise_works(struct advise_run *runs, size_t count, double scale, struct arena *arena,
                  struct rows *out, int64_t *unpriced, struct error *err) MUST_USE;

#endif
