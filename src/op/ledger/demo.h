/* demo.h - a throw-away ledger with a made-up quarter of a small team: request and result of
 * demo. */
#ifndef OP_LEDGER_DEMO_H
#define OP_LEDGER_DEMO_H

#include "doc/field.h"
#include "unit/money.h"
#include "unit/time.h"

extern const struct op op_demo;

struct demo_request {
    struct str folder;
    day date; /* of the demo's today; unknown: the clock's */
    bool force;
};

struct demo_result {
    struct str folder, ledger;
    day first_day, last_day, billed_until;
    int64_t runs, charges;  /* charges: lines of the bills */
    struct money metered;   /* by all runs */
    struct str use, remove; /* what to type */
    struct rows next;       /* struct config_step */
};

#endif
