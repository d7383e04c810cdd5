/* top_rows.h - runs of the ledger as `top` shows them: by their latest samples. */
#ifndef OP_RUN_TOP_ROWS_H
#define OP_RUN_TOP_ROWS_H

#include "ledger/ledger.h"
#include "op/run/top.h"

struct op_context; /* op/context.h */

/* One row for each run, in no order yet; NULL with the error set. */
struct top_run *top_rows(struct op_context *ctx, struct ledger *ledger,
                         const struct ledger_run *runs, size_t count,
                         struct error *err) MUST_USE;

/* What `now` knows of the run, and its samples: pure. `here`: the name of this machine. */
void top_fill(const struct ledger_run *run, const struct ledger_sample *samples, size_t count,
              stamp now, struct str here, struct top_run *out);

/* Cost and rate: the greatest first, unknown last; time: the longest first. */
void top_sort(struct top_run *rows, size_t count, struct str order);

/* The events of one run, and its course. */
bool top_details(struct op_context *ctx, struct ledger *ledger, const struct ledger_run *run,
                 struct top_result *out, struct error *err) MUST_USE;

#endif
