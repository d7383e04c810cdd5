/* practices.h - the facts of a period that maturity, checklists and targets judge: measured in
 * the ledger, the configuration and a job. */
#ifndef OP_ADVISE_PRACTICES_H
#define OP_ADVISE_PRACTICES_H

#include "advise/practice/practice.h"
#include "ledger/ledger.h"
#include "render/figure.h"
#include "unit/time.h"

struct op_context; /* op/context.h */

/* Of the days from `since` to before `until`. `ledger`: NULL: there is none, and little is
 * known. Quiet. A fact that cannot be computed (a currency without a rate) is unknown, and its
 * evidence says why; false only when the ledger cannot be read or memory runs out. */
bool op_practices(struct op_context *ctx, struct ledger *ledger, day since, day until,
                  struct practices *out, struct error *err) MUST_USE;

/* The part that runs prove (practices_runs.c). `days`: length of the period. */
bool practices_of_runs(const struct ledger_run *runs, size_t count, double days,
                       struct arena *arena, struct practices *out, struct error *err) MUST_USE;

/* Write the picture of a judgment to the file, with the period in its footer. */
bool practices_draw(struct op_context *ctx, const struct figure *figure, day since, day until,
                    struct str path, struct error *err) MUST_USE;

/* "$1,240.50", for evidence: valid until the arena is freed; "?" when memory runs out. */
const char *practice_money(double amount, struct currency currency, struct arena *arena);

/* A fact with its evidence, as printf does. */
bool practice_set(struct practices *out, enum practice_fact fact, double value,
                  struct arena *arena, struct error *err, const char *fmt, ...)
    PRINTF_LIKE(6, 7) MUST_USE;

#endif
