#include "fill_stopping.h"

#include <stdio.h>

#include "writes.h"

#define NOVEMBER INT64_C(1793491200) /* 2026-11-01 */
#define HOUR INT64_C(3600)
#define SECOND INT64_C(1000000000)
#define EVALUATIONS 10

/* Ten hours of training at $2/hr, with a value at the end of each. */
static bool add_run(struct ledger *ledger, const char *name, int number, const char *metric,
                    const double values[static EVALUATIONS], struct error *err)
{
    struct ledger_start start = {.name = str_from(name),
                                 .folder = STR("/home/ann/work"),
                                 .command = STR("python train.py"),
                                 .user = STR("ann"),
                                 .host = STR("node-1"),
                                 .rate = {2 * SECOND},
                                 .electricity = {MONEY_UNKNOWN},
                                 .storage_month = {MONEY_UNKNOWN},
                                 .budget = USD_UNKNOWN,
                                 .estimated_cost = USD_UNKNOWN,
                                 .estimated_time = {-1},
                                 .started = {NOVEMBER + number * 20 * HOUR},
                                 .pid = -1,
                                 .pid_started = -1};
    double times[EVALUATIONS], steps[EVALUATIONS];
    struct ledger_metric list = {.name = str_from(metric),
                                 .told = EVALUATIONS,
                                 .first = values[0],
                                 .last = values[EVALUATIONS - 1],
                                 .last_step = 100 * EVALUATIONS,
                                 .times = {times, EVALUATIONS},
                                 .steps = {steps, EVALUATIONS},
                                 .values = {values, EVALUATIONS}};
    struct ledger_totals t;
    int attempt;

    (void)snprintf(start.id, sizeof start.id, "019d4000-0000-7000-8000-00000001%04d", number);
    for (int i = 0; i < EVALUATIONS; i++) {
        times[i] = 3600.0 * (i + 1);
        steps[i] = 100.0 * (i + 1);
    }
    ledger_totals_unknown(&t);
    for (int i = 0; i < LEDGER_PHASES; i++)
        t.phase[i] = usd_from(i == PHASE_TRAIN ? 20 : 0);
    t.cost = t.compute = usd_from(20);
    t.at = (stamp){start.started.s + EVALUATIONS * HOUR};
    t.elapsed = (span){EVALUATIONS * HOUR * SECOND};
    t.step = 100 * EVALUATIONS;
    t.step_s = 36;
    return ledger_begin(ledger, &start, &attempt, err) &&
           ledger_metrics_put(ledger, start.id, attempt, &list, 1, err) &&
           ledger_end(ledger, start.id, attempt, &(struct ledger_ending){RUN_DONE, 0, ""}, &t,
                      err);
}

bool fill_stopping(struct ledger *ledger, struct error *err)
{
    static const double early[] = {9, 7, 5, 4, 4.5, 5, 5, 6, 6, 7}; /* stops at 7 of 10 h */
    static const double later[] = {9, 8, 6, 5, 4, 5, 5, 6, 6, 7};   /* at 8 */
    static const double falls[] = {10, 9, 8, 7, 6, 5, 4, 3, 2, 1};
    static const double lucky[] = {9, 7, 5, 6, 6, 6, 6, 6, 4, 5}; /* 4 comes after the stop */
    static const double rises[] = {1, 2, 3, 2, 2, 2, 2, 2, 2, 2}; /* stops at 6 */

    return add_run(ledger, "bert", 1, "val_loss", early, err) &&
           add_run(ledger, "bert", 2, "val_loss", later, err) &&
           add_run(ledger, "bert", 3, "val_loss", falls, err) &&
           add_run(ledger, "lucky", 4, "val_loss", lucky, err) &&
           add_run(ledger, "lucky", 5, "val_loss", early, err) &&
           add_run(ledger, "accurate", 6, "eval_accuracy", rises, err) &&
           add_run(ledger, "accurate", 7, "eval_accuracy", rises, err) &&
           add_run(ledger, "noisy", 8, "loss", early, err) &&
           add_run(ledger, "noisy", 9, "loss", early, err);
}
