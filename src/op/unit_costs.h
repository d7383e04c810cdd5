/* unit_costs.h - what one experiment, model update, prediction or unit of improvement cost. */
#ifndef OP_UNIT_COSTS_H
#define OP_UNIT_COSTS_H

#include "op/costs.h"

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
};

struct unit_costs_result {
    struct str of;
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
};

struct unit_costs_row *unit_add(struct unit_work *w, struct error *err) MUST_USE;

bool unit_experiments(struct unit_work *w, struct error *err) MUST_USE;
bool unit_updates(struct unit_work *w, struct error *err) MUST_USE;
bool unit_predictions(struct unit_work *w, struct error *err) MUST_USE;
bool unit_improvements(struct unit_work *w, struct error *err) MUST_USE;

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
