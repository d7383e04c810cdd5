/* mix.h - which of a set of jobs to put on spot, and which on demand. */
#ifndef SPOT_MIX_H
#define SPOT_MIX_H

#include "spot/outlook.h"

struct mix_job {
    double work, deadline; /* seconds; deadline 0: none */
    int32_t gang;
    bool critical; /* on demand, whatever spot would save */
    bool once;     /* cannot go on from a checkpoint: a loss begins it anew */
};

/* What they run on: a machine's prices and lifetimes, and what a start and a save take. */
struct mix_machine {
    double spot, on_demand;
    const struct lifetimes *life;
    double delay, save_takes, notice; /* seconds */
    const struct policy *policy;      /* for those with a deadline */
    uint64_t seed;
    size_t runs;
};

enum mix_reason { MIX_CHEAPER, MIX_CRITICAL, MIX_DEARER, MIX_UNSURE, MIX_TIGHT };

struct mix_choice {
    bool spot;
    enum mix_reason reason;
    double usd;           /* of the choice, expected */
    double usd_p90;       /* NaN on demand: it is sure */
    double spot_usd;      /* expected, had it been put on spot; NaN: not asked, not possible */
    double on_demand_usd; /* likewise on demand */
};

/* For one job. A job that cannot even make its deadline on demand is ERROR_UNFIT. */
bool mix_choose(const struct mix_job *job, const struct mix_machine *machine,
                struct arena *scratch, struct mix_choice *out, struct error *err) MUST_USE;

#endif
