/* unit_costs.h - what one experiment, model update, prediction or unit of improvement cost.
 */
#ifndef ACCOUNT_UNIT_UNIT_COSTS_H
#define ACCOUNT_UNIT_UNIT_COSTS_H

#include "account/query/groups.h"
#include "ledger/budgets.h"
#include "ledger/runs/records.h"

enum unit_kind { UNIT_EXPERIMENT, UNIT_UPDATE, UNIT_PREDICTION, UNIT_IMPROVEMENT };
#define UNIT_KINDS 4

extern const char *const unit_kinds[UNIT_KINDS + 1]; /* "experiment", ...; NULL at the end */

struct unit_question {
    enum unit_kind kind;
    struct spending_query query; /* grain and dimensions are not asked */
    struct str what;             /* the counts that are the predictions */
    enum costs_grain grain; /* COSTS_DAY or COSTS_MONTH: what one cost in each; COSTS_WHOLE */
    double rise;            /* a rise above this is reported */
    int64_t limit;          /* rows; of periods: of each series. 0: all */
};

/* Days on which both cost and counts of predictions are known. */
struct unit_days {
    day first, last; /* unknown: there are none, or it is not about predictions */
    int64_t days;
};

/* One experiment, update, model or run; what does not apply is unknown. */
struct unit_costs_row {
    struct str name; /* of the experiment, model or run */
    struct str id;   /* of the run */
    day from, to;    /* of an update */
    struct money amount, retraining, validation, deployment;
    int64_t runs;
    double count;             /* predictions; NaN: none were counted */
    double per_thousand;      /* in the currency */
    double first, best, gain; /* of the watched metric */
    double per_unit;          /* of gain, in the currency */
    struct str by;            /* of an update: "deployment", or "month" when none was seen */
    day on;                   /* when an update was deployed, a run started */
    struct unit_days same;    /* of predictions: that amount and count are of */
    struct money all;         /* likewise: of all days, counted or not */
};

/* What one cost in a day or month. */
struct unit_period {
    struct str name; /* of the model; empty: of all */
    day from;
    struct str period; /* "2026-11" */
    struct money amount;
    double count;     /* of units; for improvements the sum of the gains. NaN: unknown */
    double unit_cost; /* of one, of a thousand predictions */
    double change;    /* from the period before; NaN */
    bool running;     /* it is not over yet */
    /* Of predictions. */
    struct unit_days same; /* that amount and count are of */
    bool partial;          /* these are not all of its days up to now */
    struct money all;      /* of all days, counted or not */
};

/* How a series of them develops. */
struct unit_trend {
    struct str name, period; /* period: the newest complete one */
    struct currency currency;
    double trend;    /* a day or month, over the complete ones; NaN with fewer than three */
    int64_t periods; /* that it is of */
    double newest;   /* of the newest complete one */
    double usual;    /* the median of some before it; NaN */
    int64_t compared;
    double rise; /* of the newest over it */
    bool risen;  /* by more than was asked for */
};

extern const struct field_set unit_trend_fields;

struct unit_costs {
    struct table_rows rows; /* struct unit_costs_row, or unit_period by day or month */
    struct rows trends;     /* struct unit_trend; none when it is not by day or month */
    int64_t count;          /* of all, shown or not */
    double mean, median;    /* of one, where all are in one currency; NaN */
    struct currency mean_currency;
    struct rows without;          /* struct money: money that belongs to none, without a tag */
    int64_t unknown;              /* runs whose metric or cost is unknown */
    struct spending_answer spent; /* the amounts that it is made of */
};

bool account_unit_costs(const struct account_source *account,
                        const struct unit_question *question, struct unit_costs *out,
                        struct error *err) MUST_USE;

/* Alerts of what rose, and the end of those that are over (struct ledger_finding). `firing`:
 * all alerts that are (struct ledger_alert); those of other questions are left alone. */
bool unit_costs_findings(const struct unit_question *question, const struct unit_costs *costs,
                         struct strs channels, struct rows firing, struct arena *arena,
                         struct rows *out, struct error *err) MUST_USE;

#endif
