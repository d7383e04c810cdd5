/* unit_costs.h - what one experiment, model update, prediction or unit of improvement cost. */
#ifndef OP_ACCOUNT_UNIT_COSTS_H
#define OP_ACCOUNT_UNIT_COSTS_H

#include "alert/queue.h"
#include "op/account/costs.h"

enum unit_kind {
    UNIT_EXPERIMENT,
    UNIT_UPDATE,
    UNIT_PREDICTION,
    UNIT_IMPROVEMENT,
};

struct unit_costs_request {
    struct str of;
    struct costs_ask ask;
    struct str what, csv;
    int64_t limit;
    struct str by;   /* "day" or "month"; empty: the whole time at once */
    struct str rise; /* percent; empty: the usual */
    struct strs alert;
};

/* One experiment, update, model or run; what does not apply is unknown. */
struct unit_costs_row {
    struct str name;     /* of the experiment, model or run */
    struct str id;       /* of the run */
    struct str from, to; /* days: of an update */
    struct str currency;
    struct money amount, retraining, validation, deployment;
    int64_t runs;
    double count;             /* predictions; NaN: none were counted */
    double per_thousand;      /* in the currency */
    double first, best, gain; /* of the watched metric */
    double per_unit;          /* of gain, in the currency */
    struct str by;            /* of an update: "deployment", or "month" when none was seen */
    day on;                   /* when an update was deployed, a run started */
};

/* What one cost in a day or month. */
struct unit_period {
    struct str name; /* of the model; empty: of all */
    day from;
    struct str period; /* "2026-11" */
    struct str currency;
    struct money amount;
    double count;     /* of units; for improvements the sum of the gains. NaN: not known */
    double unit_cost; /* of one, of a thousand predictions */
    double change;    /* from the period before; NaN */
    bool running;     /* it is not over yet */
};

/* How a series of them goes. */
struct unit_trend {
    struct str name, currency, period; /* period: the newest complete one */
    char code[4];
    double trend;    /* a day or month, over the complete ones; NaN with fewer than three */
    int64_t periods; /* that it is of */
    double newest;   /* of the newest complete one */
    double usual;    /* the median of some before it; NaN */
    int64_t compared;
    double rise; /* of the newest over it */
    bool risen;  /* by more than was asked for */
};

struct unit_costs_result {
    struct str of, by;
    struct rows trends; /* struct unit_trend; none when it is not by day or month */
    bool told;          /* channels were told */
    struct alert_sent delivered;
    double rise; /* more than this is told */
    enum unit_kind kind;
    struct table_rows rows; /* struct unit_costs_row */
    int64_t count;          /* of all, shown or not */
    double mean, median;    /* of one, in dollars (or the only currency); NaN */
    struct str mean_currency;
    struct rows without; /* struct costs_apart: money that belongs to none, for want of a tag */
    int64_t unknown;     /* runs whose metric or cost is not known */
    struct costs_basis basis;
    struct str csv;
};

struct unit_work {
    struct op_context *ctx;
    struct ledger *ledger;
    const struct unit_costs_request *req;
    struct spending_query query;
    struct unit_costs_result *out;
    struct unit_costs_row *rows;
    size_t count, room;
    enum costs_grain grain; /* COSTS_WHOLE, COSTS_DAY, COSTS_MONTH */
    double rise;
    struct unit_period *periods;
    size_t period_count, period_room;
    struct unit_trend *trends;
    size_t trend_count, trend_room;
};

struct unit_costs_row *unit_add(struct unit_work *w, struct error *err) MUST_USE;

bool unit_experiments(struct unit_work *w, struct error *err) MUST_USE;
bool unit_updates(struct unit_work *w, struct error *err) MUST_USE;
bool unit_predictions(struct unit_work *w, struct error *err) MUST_USE;
bool unit_improvements(struct unit_work *w, struct error *err) MUST_USE;

/* By day or month: add to what is there of its period; its end; all rows and trends, in order;
 * and tell the channels what rose. */
bool unit_period_add(struct unit_work *w, const struct unit_period *add,
                     struct error *err) MUST_USE;
day unit_period_end(const struct unit_work *w, day from);
bool unit_periods_gather(struct unit_work *w, struct error *err) MUST_USE;
bool unit_periods_finish(struct unit_work *w, struct error *err) MUST_USE;
bool unit_costs_alert(struct unit_work *w, struct error *err) MUST_USE;

/* What the phase tag means: "train", "fine-tuning" are retraining. */
enum unit_phase {
    UNIT_OTHER,
    UNIT_RETRAINING,
    UNIT_VALIDATION,
    UNIT_DEPLOYMENT,
    UNIT_INFERENCE
};
enum unit_phase unit_phase(struct str tag);

#endif
