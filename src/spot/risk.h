/* risk.h - how likely machines of places are lost within a time, and the cost of a job on them.
 *
 * Measured where the place is a trace, modeled where it is an offer, computed where the user
 * gave a rate. The job is simulated on markets drawn from the same lifetimes (outlook.h).
 */
#ifndef SPOT_RISK_H
#define SPOT_RISK_H

#include "spot/source.h"

struct risk_ask {
    span length; /* the time within which */
    int64_t gang;
    struct outlook_ask job; /* without prices and lifetimes; without work: none */
};

enum spot_worth {
    WORTH_UNKNOWN, /* not asked */
    WORTH_NO,
    WORTH_YES, /* spot saves more than chance, and the job gets done */
};

/* One place. What is not known is NaN; the job's numbers are so without --work and prices. */
struct spot_risk_row {
    struct str place, method;
    usd_per_hour spot, on_demand; /* of one machine, as they were used */
    stamp seen;                   /* when the spot price was last confirmed; 0: not known */
    double risk, risk_low, risk_high;
    double risk_new; /* of a machine that has just become available */
    int64_t spells, losses;
    double watched_h, up; /* up: share of the time that it was available */
    /* the job, by simulation */
    usd mean_usd, error_usd, p10_usd, p50_usd, p90_usd, on_demand_usd;
    double on_time, hours_p10, hours_p50, hours_p90, expected_interruptions, overhead, saving;
    span save_every;
    enum spot_worth worth;
};

struct spot_risks {
    struct rows places; /* struct spot_risk_row */
    double hours;       /* within which */
    double interval;    /* what risk_low to risk_high hold */
    int64_t gang, runs;
    double work_h, deadline_h, delay_h;
    struct str policy; /* of the simulation; empty: none was asked for */
};

extern const struct field_set spot_risks_fields;

/* A row for each place. Sets all but what describes the job. */
bool spot_risks(const struct risk_ask *ask, const struct spot_place *places, size_t count,
                const struct messages *messages, struct arena *arena, struct spot_risks *out,
                struct error *err) MUST_USE;

#endif
