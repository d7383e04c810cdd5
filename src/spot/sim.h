/* sim.h - one job on a market under a policy.
 *
 * The tick rules of "Can't Be Late", exactly. At tick i: (1) the past tick is credited: an
 * instance that ran made gap - pending seconds of progress (not below 0), what it used of the
 * pending start is gone; (2) a spot machine whose zone has fewer than `gang` is lost; (3) with
 * at most 1e-3 s of work left it ends; (4) the policy picks; (5) a pick that starts something
 * else makes the start delay pending. Every tick with an instance is paid in full, the last
 * too, unless billing is by the second. Late: not done at tick floor(deadline / gap).
 *
 * Several zones: taking another zone, or the other market in it, is a start. What moves to
 * another region pays for the egress of its checkpoint and waits for the transfer; before the
 * first start there is nothing to move.
 */
#ifndef SPOT_SIM_H
#define SPOT_SIM_H

#include "base/arena.h"
#include "base/str.h"

struct lifetimes; /* spot/lifetimes.h */

enum { SIM_ZONES_MAX = 64 };

enum sim_mode { SIM_IDLE, SIM_SPOT, SIM_ON_DEMAND };

struct sim_zone {
    struct str id;
    const uint8_t *nodes_at; /* [ticks] */
    const double *price;     /* [ticks] spot USD an hour; NULL: `spot` all the time. NaN, where
                              * it is not known: nothing is available */
    double spot, on_demand;  /* USD an hour for one instance */
    size_t region;
    /* For policies that know how long machines last, though not the future; NULL: not known. */
    const struct lifetimes *life;
};

/* What there is to take, from the run's first tick on. */
struct sim_market {
    const struct sim_zone *zones;
    size_t zone_count;    /* 1 to SIM_ZONES_MAX */
    int32_t gap;          /* seconds of a tick */
    size_t ticks;         /* floor(deadline / gap) or more */
    size_t regions;       /* 1 or more */
    const double *egress; /* [from x regions + to] USD for moving the checkpoint; NULL: free */
    const double *carry; /* likewise: seconds that a start waits for the transfer; NULL: none */
};

struct sim_job {
    double work, deadline, delay; /* seconds */
    int32_t gang;                 /* instances at once, all or none; each is paid */
    bool by_second;               /* the last tick is paid as far as it was used */
    /* Without saving (save_every 0) no work is ever lost: the delay has it all, as in the
     * paper. Else the job stops for `save_takes` seconds after each `save_every` seconds of
     * work, and a lost machine loses the work since, unless the notice is long enough to save
     * (save_takes) in its last seconds. Stopping by choice saves first, or leaves the work to
     * be done again where that takes less: the next start waits so long, and the machine is
     * paid so long. A job that is done needs no save. */
    double save_every, save_takes, notice;
};

/* What a policy may look at: the present. */
struct sim_view {
    const struct sim_job *job;
    int32_t gap;
    size_t tick;        /* now */
    size_t ticks_left;  /* to the deadline, whole ones: floor(deadline / gap) - tick */
    double done, left;  /* seconds of work; `left` if nothing is lost */
    double unsaved;     /* of `done`: what a loss at this moment would take back */
    enum sim_mode mode; /* after any loss */
    size_t zone;        /* that it runs in; when idle, where it last ran (0 at first) */
    double pending;     /* seconds of the start (or of a save) that are still ahead */
    bool saving;        /* they are a save's */
    double stop_s;      /* seconds that stopping by choice takes now: saving first */
    size_t zone_count;
    const bool *up;     /* [zones] a gang is available on spot now */
    const double *spot; /* [zones] USD an hour now, one instance */
    const double *on_demand;
    const double
        *move_usd;         /* [zones] egress for starting there: from where its checkpoint is */
    const double *move_s;  /* [zones] seconds that a start there takes now: stop_s, delay,
                             * transfer */
    const double *again_s; /* [zones] seconds of a start there when it was lost there */
};

/* What a view points to. */
struct sim_around {
    bool up[SIM_ZONES_MAX];
    double spot[SIM_ZONES_MAX], on_demand[SIM_ZONES_MAX], move_usd[SIM_ZONES_MAX],
        move_s[SIM_ZONES_MAX], again_s[SIM_ZONES_MAX];
};

struct sim_choice {
    enum sim_mode mode;
    size_t zone;
};

/* Is it what the job does already? */
static inline bool sim_goes_on(const struct sim_view *view, struct sim_choice choice)
{
    return choice.mode == view->mode && (choice.mode == SIM_IDLE || choice.zone == view->zone);
}

struct sim_tick {
    uint8_t mode; /* enum sim_mode of [i, i + 1) */
    uint8_t zone;
    float done; /* seconds of work at its start */
};

struct sim_result {
    double usd, egress_usd; /* all, and of it egress */
    size_t end;             /* the tick at which it was done, or the last one */
    bool late;
    double done; /* seconds of work */
    double spot_s, on_demand_s,
        idle_s;                   /* machine time that was paid (one of the gang); waiting */
    double lost_s;                /* work done twice */
    size_t starts, losses, moves; /* moves: to another region */
};

struct policy;

/* floor(deadline / gap), and whether the two can be simulated at all: ERROR_INPUT when a number
 * is out of range, or the market ends before the deadline. */
size_t sim_deadline_ticks(const struct sim_job *job, int32_t gap);
bool sim_check(const struct sim_market *market, const struct sim_job *job,
               struct error *err) MUST_USE;

/* What a gang pays for one tick on the zone's spot market; NaN when it is not available. */
double sim_spot_usd(const struct sim_market *market, const struct sim_job *job, size_t zone,
                    size_t tick);

/* Look around at a tick, for a job that takes `stop_s` to stop and whose checkpoint lies in the
 * region of `zone` (`placed`: there is one). The view gets what is around and the zone; the
 * rest is the caller's. After the market's last tick nothing is available. */
struct sim_view sim_look(const struct sim_market *market, const struct sim_job *job,
                         size_t tick, size_t zone, bool placed, double stop_s,
                         struct sim_around *around);

/* Run it. `track` takes [market->ticks] entries, or is NULL. Memory that the policy needs comes
 * from `arena`, and may be given back after the run. A policy that picks what is not there is a
 * bug: it is asserted. */
bool sim_run(const struct sim_market *market, const struct sim_job *job,
             const struct policy *policy, struct arena *arena, struct sim_tick *track,
             struct sim_result *out, struct error *err) MUST_USE;

/* The fewest ticks in which on-demand alone finishes, from a start at the first one: a deadline
 * of fewer cannot be promised. */
size_t sim_least_ticks(const struct sim_job *job, int32_t gap);

#endif
