/* mix.h - which of a set of jobs to put on spot, on which machine, and which on demand. */
#ifndef SPOT_MIX_H
#define SPOT_MIX_H

#include "spot/source.h"

struct mix_job {
    double work, deadline; /* seconds; deadline 0: none */
    int32_t gang;
    bool critical; /* on demand, whatever spot would save */
    bool once;     /* cannot resume from a checkpoint: after a loss it starts over */
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

enum mix_reason {
    MIX_CHEAPER,
    MIX_ONLY,
    MIX_CRITICAL,
    MIX_MORE_EXPENSIVE,
    MIX_UNSURE,
    MIX_TIGHT
};

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

/* ---- jobs as the user writes them, on offers ---- */

struct mix_ask {
    struct strs jobs; /* "train:48h:4:by=60h" */
    const char *file; /* of more jobs, one a line; NULL: none */
    struct str text;  /* of the file */
    span delay, checkpoint;
    usd_per_hour max_price;        /* of one machine, in any market; unknown: any */
    const struct catalog *catalog; /* TABLE_INTERRUPTIONS and TABLE_NETWORKS */
    struct strs supply;            /* OFFER=MACHINES of the user's */
    const struct messages *messages;
    bool unknown_noted; /* that offers of unknown risk are left out */
};

/* One job of the mix. */
struct mix_row {
    struct str job, offer;
    enum market market;
    enum mix_reason reason;
    int64_t machines;
    double hours, deadline_h;
    double history_days, span_days; /* of the offer on spot; NaN on demand */
    usd cost_usd, p90_usd, on_demand_usd;
};

struct mix {
    struct rows jobs; /* struct mix_row */
    usd jobs_usd, jobs_on_demand_usd;
    double jobs_saving;
};

extern const struct field_set mix_fields;

/* "train:48h:4:by=60h" as a job: its name, hours of work, and in any order the number of
 * machines, "critical", "once" and "by=TIME". */
bool mix_job_parse(struct str text, struct str *name, struct mix_job *out,
                   struct error *err) MUST_USE;

/* Each job on the market and the offer (struct spot_offer) that is expected to cost it least.
 * Offers of unknown risk are left out while there is another, else used; both are noted. */
bool mix_offers(const struct mix_ask *ask, struct rows offers, struct arena *arena,
                struct mix *out, struct error *err) MUST_USE;

#endif
