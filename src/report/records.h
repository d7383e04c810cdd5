/* records.h - how records look wherever they are shown: one list of columns for each, of which
 * the terminal, a page, a report and a file show some (`place` of struct columns), and one rule
 * for the style of a row. */
#ifndef REPORT_RECORDS_H
#define REPORT_RECORDS_H

#include "ledger/ledger.h"
#include "render/columns.h"

struct budget_view; /* budget/budget.h */
struct live_run;    /* run/supervise/live.h */
struct money;

/* Rows of struct budget_view. */
extern const struct columns budget_columns[PLACES];
enum term_style budget_style(const void *row);

/* What may be spent; of a budget that was not evaluated, what was set. */
const struct money *budget_view_limit(const struct budget_view *b);

/* Rows of struct ledger_run. */
extern const struct columns run_columns[PLACES];
enum term_style run_style(const void *row);
enum term_style run_state_style(enum ledger_state state);

/* Rows of struct live_run (run/supervise/live.h). */
extern const struct columns live_run_columns[PLACES];
enum term_style live_run_style(const void *row);
bool live_run_over(const struct live_run *run); /* it will cost more than its budget */

/* Why it ended as it did: "budget", "exit 1", "signal 9", "2 attempts"; nothing when it is
 * done, or still runs. */
void run_write_why(const struct ledger_run *run, struct buf *out);

/* Rows of struct bill_view (account/import/bill_view.h). */
extern const struct columns bill_columns[PLACES];
void bill_write_format(struct str format, struct str version,
                       struct buf *out); /* "focus 1.2" */

/* Rows of struct machine (catalog/machine.h): their prices. */
extern const struct columns price_columns[PLACES];

/* Rows of struct ledger_alert. */
extern const struct columns alert_columns[PLACES];
enum term_style alert_style(const void *row);

/* Rows of struct anomaly_row (budget/anomalies.h), after what they are by: see columns_by(). */
extern const struct columns anomaly_columns[PLACES];
enum term_style anomaly_style(const void *row);

#endif
