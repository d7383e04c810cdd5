/* change.h - did the work become more expensive? Two sides, before and after, measure by
 * measure, with what their errors explain.
 *
 * Pure. A side is a plan, an estimate, a run or the file of a report, reduced to amounts with
 * ranges (10th and 90th percentile). An increase counts when it is above the limit by more than
 * what the errors of both sides explain:
 *
 *     log(after / before) - width > log(1 + limit)
 *
 * - Two predictions of the same model on the same hardware with the same software have the same
 *   error, which cancels: the width is 0.
 * - A change of the price of one and the same offer is not of the work: it is taken out of the
 *   cost, and shown. Between offers, the errors of their prices stay.
 * - Otherwise errors are independent, and their logarithms add as squares.
 */
#ifndef ADVISE_CHANGE_H
#define ADVISE_CHANGE_H

#include "estimate/range.h"
#include "ledger/ledger.h"
#include "unit/money.h"

enum change_measure {
    CHANGE_COST,     /* dollars, of the unit of the side */
    CHANGE_TIME,     /* seconds */
    CHANGE_ENERGY,   /* kWh */
    CHANGE_THOUSAND, /* dollars for 1,000 predictions */
    CHANGE_MEASURES,
};
extern const char *const change_measure_names[];
extern const char *const change_unit_names[]; /* "USD", "s", "kWh" */

enum change_source { CHANGE_PLAN, CHANGE_ESTIMATE, CHANGE_RUN, CHANGE_REPORT };
extern const char *const change_source_names[];

/* One side. Unknown amounts are NaN, texts that are not known are empty. */
struct change_side {
    struct str name;           /* as it was given: a file, or a run's name and id */
    enum change_source source; /* of the amounts */
    struct str unit;           /* of the cost: "job", "month", "million tokens" */
    struct guess amount[CHANGE_MEASURES];
    usd cost; /* exact, where it is recorded so; else that of `amount` */
    /* Of a prediction: what its error depends on (model, method, precision, framework, GPUs),
     * and whose price it is. */
    struct str basis, offer;
    usd_per_hour price; /* of one machine, */
    double price_width; /* and the logarithm from it to its 90th percentile; NaN: not known */
    day price_date;
    /* Of what was measured: how much more the same work takes at the 90th percentile, as a
     * share, and how that is known. NaN: not known; 0 of a prediction, whose ranges have it. */
    double variation;
    struct str variation_from;
};

enum change_verdict {
    CHANGE_UNKNOWN, /* one of the sides does not have it */
    CHANGE_SAME,
    CHANGE_LOWER,
    CHANGE_WITHIN,  /* higher, up to the limit */
    CHANGE_IGNORED, /* above it, but it does not count */
    CHANGE_PRICE,   /* above it, by the price of the same offer alone */
    CHANGE_NOISE,   /* above it, by less than the errors explain */
    CHANGE_TOO_HIGH,
    CHANGE_OVER, /* above the absolute limit */
};
extern const char *const change_verdict_names[];

struct change_row {
    enum change_measure measure, unit;
    struct guess before, after;
    double change; /* a share: 0.1 is 10 % more; infinite from nothing */
    double price;  /* of it, by the price of the same offer; NaN: not computed */
    double error;  /* a share that the errors of both sides explain */
    enum change_verdict verdict;
};

struct change_limits {
    double max_increase; /* a share; NaN: increases do not matter */
    usd max_cost;        /* unknown: none */
    unsigned ignored;    /* measures that may increase: a bit of 1 << measure for each */
};

struct change {
    struct rows rows;   /* struct change_row: of measures that a side has */
    bool over;          /* the cost is above the absolute limit */
    bool passed;        /* it is not, and nothing increased too much */
    struct str verdict; /* in one line */
};

/* `before` may be NULL: only the absolute limit is checked. ERROR_INPUT when there is nothing
 * to compare, or the costs are of different units. */
bool change_judge(const struct change_side *before, const struct change_side *after,
                  const struct change_limits *limits, struct arena *arena, struct change *out,
                  struct error *err) MUST_USE;

/* An amount as people read it: "$12.3", "14.2 h", "3.10 kWh"; `exact`: it is recorded, not
 * estimated. */
void change_write_amount(enum change_measure measure, double amount, bool exact,
                         struct buf *out);

/* The relative half-width from the middle to the 90th percentile of `count` repeats of the same
 * work, by Student's distribution, as a factor's logarithm; NaN for fewer than two, or values
 * that are not positive. */
double change_spread(const double *values, size_t count);

/* The same of several works, each repeated a few times, whose values differ by the same
 * factors: `works` says which one a value is of. NaN for fewer than CHANGE_POOL_LEAST
 * repeats. */
#define CHANGE_POOL_LEAST 3 /* degrees of freedom */
double change_spread_pooled(const double *values, const size_t *works, size_t count);

/* The same of one standard deviation. */
double change_spread_of(double deviation);

/* A run or the report of one, not a prediction. */
bool change_is_measured(const struct change_side *side);

/* The work varies by so much more than its ranges have so far: a logarithm's half-width as
 * above. */
void change_vary(struct change_side *side, double width, struct str from);

/* The range around a value whose logarithm has this half-width; without one, the value
 * alone. */
struct guess change_range(double value, double width);

/* Read from the text of a file that this program wrote: a saved plan, the output of `estimate
 * --json`, or a report's cost_analysis.json. ERROR_INPUT when it is none of them; `name` is
 * what errors call it. */
bool change_side_parse(struct str text, const char *name, struct arena *arena,
                       struct change_side *out, struct error *err) MUST_USE;

/* The same of records. */
struct estimate;    /* estimate/job_estimate.h */
struct plan_result; /* plan/record.h */
bool change_from_estimate(const struct estimate *estimate, struct arena *arena,
                          struct change_side *out, struct error *err) MUST_USE;
bool change_from_plan(const struct plan_result *plan, struct arena *arena,
                      struct change_side *out, struct error *err) MUST_USE;

extern const struct field_set change_row_fields, change_side_fields;

/* ---- runs: change_run.c ---- */

#define CHANGE_REPEATS_MAX 100 /* the newest: older ones say little about today */
#define CHANGE_PAST_MAX 300    /* runs of other work that are looked at for repeats */

/* A run, with the ranges of its amounts by how much its repeats on the same machine differ; one
 * of them may be left out. */
bool change_from_run(const struct ledger_run *run, const struct ledger_run *repeats,
                     size_t count, struct str except, struct arena *arena,
                     struct change_side *out, struct error *err) MUST_USE;

/* How much the times of other work differ when it is repeated; NaN: not known. */
bool change_past_spread(const struct ledger_run *runs, size_t count, struct arena *arena,
                        double *width, struct str *from, struct error *err) MUST_USE;

/* A run varies at least as much as repeats of the other do: it may have none. */
void change_share_spread(struct change_side *before, struct change_side *after);

/* The measures that were not named, as bits; none: all count. ERROR_USAGE with a suggestion. */
bool change_measures_parse(struct strs names, unsigned *ignored, struct error *err) MUST_USE;

/* ---- the answer of `stint check` ---- */

struct check_result {
    struct change change;
    struct change_side before, after;
    double max_increase; /* unknown: there is no baseline */
    usd max_cost;
    struct str markdown;
};

extern const struct field_set check_fields;

#endif
