/* infer.h - what serving a model costs, way by way: per 1,000 predictions and per million
 * tokens, with traffic that changes, and what follows from it.
 *
 * Pure. The ways and their costs are those of the planner (plan/deploy_choices.h): nothing is
 * priced here a second time. `deploy_set` has the ways, the record of the plan their rows.
 */
#ifndef ADVISE_INFER_H
#define ADVISE_INFER_H

#include "advise/economics/infer_scaling.h"
#include "advise/economics/traffic.h"
#include "plan/deploy_choices.h"

/* A way to deploy: the planner's row, and what a prediction costs. Unknown is as of records. */
struct infer_row {
    struct plan_deployment at;
    double utilization; /* of what its machines can serve in time; NaN: paid by use */
    /* Of all requests, those from the cache included; `used` counts only the capacity that is
     * used, as if the rest were sold or served something else. */
    usd per_thousand, per_thousand_used;
    usd per_million_input, per_million_input_used;
    usd per_million_output, per_million_output_used;
    usd fixed_cost; /* of a month with the machines of the peak all the time */
    double starts;  /* of machines that are added as traffic grows, a month */
    double start_s; /* that each takes */
};

/* Two ways, and where the one that costs more now becomes the cheaper one. */
struct infer_even {
    struct str cheaper, other;
    double below_rate, above_rate; /* requests a second on average; NaN: nowhere near */
    double below_month, above_month;
};

/* A copy that works on one request at a time, and one that puts them together. */
struct infer_batching {
    struct str deployment, offer;
    double batch; /* requests that are worked on together, on average */
    double p95_s, alone_p95_s;
    usd cost, alone_cost;
    double machines, alone_machines;
};

/* A question of the decision tree, what it says, and what that costs here. */
struct infer_decision {
    struct str question; /* "latency", "traffic" */
    struct str answer;   /* "near-real-time", "variable" */
    struct str rule;     /* what the rule of thumb chooses */
    struct str choice;   /* the cheapest way that follows it; empty: none can be used */
    usd cost;
    double more_usd;    /* than the best */
    struct str verdict; /* "agrees", "disagrees", "cannot be followed" */
};

/* What an optimization that makes the model so many times faster may cost. */
struct infer_payback {
    struct str deployment; /* the best way afterwards */
    double speedup, months;
    usd cost;     /* of a month afterwards */
    usd saves;    /* a month */
    usd max_cost; /* to be paid back within the months */
    usd per_thousand;
};

/* A smaller model, as a kind of compression makes it by its published ranges, served in the way
 * that is the cheapest then. */
struct infer_compression {
    struct str kind, method, precision, needs, notes;
    double size_low, size_high, cpu_low, cpu_high, gpu_low, gpu_high, loss_low, loss_high;
    struct str deployment; /* empty: no way is known to serve it here */
    usd cost;              /* of a month, in the middle of the range of its speed */
    usd per_thousand, per_thousand_low, per_thousand_high;
    usd per_thousand_used; /* if only the part of the capacity that is used were paid */
    double saving; /* share of the cheapest way of one's own as it is; below 0: costs more */
};

/* The best way hour by hour. */
struct infer_hour {
    int64_t hour;
    double rate; /* requests a second, those from the cache included */
    double machines;
    usd cost; /* of this hour */
};

struct infer_ask {
    const struct deploy_set *set;
    const struct plan_result *plan;       /* with its deployments and volumes */
    const struct deploy_traffic *traffic; /* NULL: constant */
    const struct job_slo *slo;            /* the user's */
    double cache_hits;                    /* share of requests that a cache answers */
    double input, output;                 /* tokens of a request; 0: none */
    double hours_per_day;
    double speedup, months;
    const struct rows *compressions; /* struct compression_kind; NULL: not asked for */
    bool half;                       /* the model is stored in 16 bits, or fewer, already */
};

struct infer_answer {
    double rate, peak_rate, requests_month; /* those from the cache included; rate: the mean */
    struct rows rows;                       /* struct infer_row, in the order of the plan's */
    struct rows volumes;                    /* struct plan_volume */
    struct rows evens;                      /* struct infer_even */
    struct rows batching;                   /* struct infer_batching: one, or none */
    struct rows decisions;                  /* struct infer_decision */
    struct rows paybacks;                   /* struct infer_payback: one, or none */
    struct rows compressions;               /* struct infer_compression, as in the catalog */
    struct rows hours;                      /* struct infer_hour: where traffic changes */
    struct rows scaling; /* struct infer_scaling: one where traffic changes, or none */
    /* The same requests as a batch without a deadline for each, on the machines of the plan. */
    usd batch_cost;
    double batch_hours; /* machine-hours of a month */
};

bool infer_answer(const struct infer_ask *ask, struct arena *arena, struct infer_answer *out,
                  struct error *err) MUST_USE;

/* Dollars of a month at a mean rate of so many requests a second (those from the cache
 * included), of the way `at` of the set; NaN where it cannot be used. For figures. */
double infer_month_usd(const struct infer_ask *ask, size_t at, double rate);

/* Where the cheapest of the ways of the table changes, between two mean rates: at most `most`
 * changes, of each the mean rate and the way that is the cheapest up to there. Ways with a
 * condition do not count. */
struct infer_change {
    double rate;
    size_t way;
};
size_t infer_changes(const struct infer_ask *ask, double from, double to,
                     struct infer_change *out, size_t most);

extern const struct field_set infer_row_fields, infer_even_fields, infer_batching_fields,
    infer_decision_fields, infer_payback_fields, infer_compression_fields, infer_hour_fields;

#endif
