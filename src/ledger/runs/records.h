/* records.h - what people enter by hand: counts of what was made, tags set later, runs that
 * were not run under `stint run`, or that another program recorded. Named texts are declared in
 * budgets.h.
 */
#ifndef LEDGER_RUNS_RECORDS_H
#define LEDGER_RUNS_RECORDS_H

#include "ledger/ledger.h"
#include "ledger/runs/metrics.h"
#include "unit/time.h"

/* What was made in a time: predictions, requests, tokens. */
struct ledger_count {
    struct str what;
    stamp from, until; /* until: the first second after */
    struct decimal amount;
    struct str tags;   /* {"model":"bert","team":"nlp"}, by key */
    struct str source; /* the file, or "" when it was typed */
};

/* All of them or none. One of the same thing, time and tags is replaced, whatever its source:
 * what is delivered again never counts twice. */
bool ledger_counts_put(struct ledger *ledger, const struct ledger_count *counts, size_t count,
                       int64_t *replaced, struct error *err) MUST_USE;

struct ledger_count_query {
    struct str what;    /* empty: any */
    stamp since, until; /* -1: any */
};

/* Those that reach into the time from `since` to before `until`, by thing, start and tags. A
 * ledger without tables has none. */
bool ledger_counts(struct ledger *ledger, const struct ledger_count_query *query,
                   struct arena *arena, const struct ledger_count **out, size_t *count,
                   struct error *err) MUST_USE;

/* Forget those that lie completely between `since` and `until`: how many. */
bool ledger_counts_remove(struct ledger *ledger, const struct ledger_count_query *query,
                          int64_t *removed, struct error *err) MUST_USE;

/* Set tags of a run ("team=nlp"; "team=" takes it away), and keep what they were as an event
 * "tags" of its last attempt. `changed`: how many are not as they were. ERROR_ABSENT when there
 * is no such run. */
bool ledger_tags_set(struct ledger *ledger, const char *id, struct strs tags, stamp now,
                     int64_t *changed, struct error *err) MUST_USE;

/* A run that is over, with one attempt, all at once. `start->origin` says where it is from.
 * ERROR_INPUT when one of the same name and offer was under way at some time of it. */
bool ledger_run_add(struct ledger *ledger, const struct ledger_start *start,
                    const struct ledger_ending *ending, const struct ledger_totals *totals,
                    struct error *err) MUST_USE;

/* A run that another program recorded (an experiment tracker), with its metrics. It is known by
 * `start.digest` ("mlflow:8f3c..."), which is never empty. */
struct ledger_past_run {
    struct ledger_start start;
    struct ledger_ending ending;
    struct ledger_totals totals;
    const struct ledger_metric *metrics;
    size_t metric_count;
};

/* Record it. One that is there is brought up to date and keeps its id, tags that were set here,
 * and its cost when the new one is not known. `added`: it was not there. */
bool ledger_run_record(struct ledger *ledger, const struct ledger_past_run *run, bool *added,
                       struct error *err) MUST_USE;

/* Does the record say all that `past` says, besides metrics? Then there is nothing to
 * update. */
bool ledger_run_has(const struct ledger_run *there, const struct ledger_past_run *past);

#endif
