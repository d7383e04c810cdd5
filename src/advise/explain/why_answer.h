/* why_answer.h - what `stint why` answers, and runs of the ledger as sides of a difference.
 *
 * Pure: records of runs, their metrics and samples in.
 */
#ifndef ADVISE_WHY_ANSWER_H
#define ADVISE_WHY_ANSWER_H

#include "advise/explain/why_months.h"
#include "ledger/runs/metrics.h"

struct why_result {
    struct str kind;     /* "estimate", "runs", "breakdown" or "months" */
    struct str from, to; /* their names: "estimate", "bert (aaaa0001)", "2026-10" */
    struct why_explained explained;
    struct rows groups;       /* struct why_group: of months */
    struct strs notes;        /* what limits the answer */
    struct str svg, png, pdf; /* files that were written */
};

extern const struct field_set why_fields;

/* What a run was spent on. `steps`, `step_s`: as its plan counts them. ERROR_INPUT when its
 * cost is not known. */
bool why_run_side(const struct ledger_run *run, double steps, double step_s,
                  struct arena *arena, struct why_side *out, struct error *err) MUST_USE;

/* How long its steps waited for data, in the run's own steps: by the metrics that it printed;
 * NaN when they do not say. */
bool why_wait_of_metrics(const struct ledger_run *run, const struct ledger_metric *metrics,
                         size_t count, struct arena *arena, struct why_wait *out,
                         struct error *err) MUST_USE;

/* Likewise by the samples of its last attempt. */
bool why_wait_of_samples(const struct ledger_run *run, const struct ledger_sample *samples,
                         size_t count, struct arena *arena, struct why_wait *out,
                         struct error *err) MUST_USE;

/* Divide its steps by that wait; `step_s` as for why_run_side(). NaN when it says no more than
 * what was seen of the time between steps. */
void why_take_wait(const struct ledger_run *run, double step_s, struct why_wait *wait,
                   struct why_side *side);

/* "bert (aaaa0001)" */
bool why_name_run(const struct ledger_run *run, struct arena *arena, struct str *out,
                  struct error *err) MUST_USE;

/* What limits what can be said of a run: waiting, devices that were idle (`uses`: of
 * device_uses_read()), time that cannot be divided (not `seen`), a run that is not done. */
struct why_limits {
    const struct why_wait *wait;
    const struct rows *uses;
    bool seen;
};
bool why_note_run(const struct ledger_run *run, struct str name, const struct why_limits *of,
                  struct arena *arena, struct strs *notes, struct error *err) MUST_USE;

/* A side of the same machine that nothing was spent on: what remains is a breakdown. */
struct why_side why_nothing(const struct why_side *side);

/* The estimate that was recorded with the run, whose features are `features`; false when there
 * is none. `parts`: the plan's parts were recorded. */
bool why_read_estimate(const struct ledger_run *run, struct str features, struct arena *arena,
                       struct why_side *out, bool *parts);

/* The two months, and their names in the result; of one alone, the one before it. A month that
 * is not over is noted. */
bool why_take_months(const struct strs *of, day today, struct arena *arena,
                     struct usage_query *out, struct why_result *res,
                     struct error *err) MUST_USE;

/* What is missing in them; `filtered`: only what matches conditions was asked for. */
bool why_note_months(const struct spending_answer spent[static USAGE_PERIODS], bool filtered,
                     struct arena *arena, struct strs *notes, struct error *err) MUST_USE;

/* The one currency of both months. ERROR_USAGE when there are several. */
bool why_currency(const struct spending_answer spent[static USAGE_PERIODS],
                  struct currency *out, struct error *err) MUST_USE;

/* "2026-10" */
bool why_is_month(struct str text);

#endif
