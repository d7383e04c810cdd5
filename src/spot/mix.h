/* mix.h - which of a set of jobs to put on spot, on which machine, and which on demand. */
#ifndef SPOT_MIX_H
#define SPOT_MIX_H

#include "spot/outlook.h"

struct mix_job {
    double work, deadline; /* seconds; deadline 0: none */
    int32_t gang;
    bool critical; /* on demand, whatever spot would save */
    bool once;     /* cannot go on from a checkpoint: a loss begins it anew */
};

/* A machine on spot: USD an hour, and how long it lasts. `on_demand` is what the policy falls
 * back on; NaN: it may not, so that no deadline can be promised here. */
struct mix_offer {
    double spot, on_demand;
    const struct lifetimes *life;
};

/* What holds for all jobs. */
struct mix_terms {
    double on_demand; /* USD an hour of the cheapest machine on demand; NaN: there is none */
    double delay, save_takes, notice; /* seconds */
    const struct policy *policy;      /* for those with a deadline */
    uint64_t seed;
    size_t runs;
};

enum mix_reason { MIX_CHEAPER, MIX_ONLY, MIX_CRITICAL, MIX_DEARER, MIX_UNSURE, MIX_TIGHT };

struct mix_choice {
    bool spot;
    size_t offer; /* of those on spot */
    enum mix_reason reason;
    double usd;           /* of the choice, expected */
    double usd_p90;       /* NaN on demand: it is sure */
    double spot_usd;      /* expected, had it been put on spot; NaN: not asked, not possible */
    double on_demand_usd; /* likewise on the cheapest machine on demand */
};

/* For one job, the offer that is expected to cost least: by the closed form first, then by
 * simulation of the few that are best. ERROR_UNFIT for a job that cannot even make its deadline
 * on demand, or that needs on-demand where there is none. */
bool mix_choose(const struct mix_job *job, const struct mix_terms *terms,
                const struct mix_offer *offers, size_t count, struct arena *scratch,
                struct mix_choice *out, struct error *err) MUST_USE;

#endif
