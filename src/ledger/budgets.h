/* budgets.h - budgets, alerts and what is still to be sent, kept in the ledger.
 *
 * Only kept here: what a budget has spent is worked out by `op`, what is sent by `alert`.
 */
#ifndef LEDGER_BUDGETS_H
#define LEDGER_BUDGETS_H

#include "ledger/ledger.h"
#include "unit/time.h"

struct ledger_budget {
    struct str name;
    struct money amount;
    struct str period;         /* "month", "quarter", "year", "total" */
    struct strs scope;         /* "team=nlp": all must match; none: everything */
    struct numbers thresholds; /* of what was spent: 0.5, 0.8, 1 */
    struct numbers forecast;   /* of what it will come to */
    struct strs channels;      /* names; none: nobody is told */
    bool rollover;             /* what was left of the period before is added */
    bool stops;                /* runs that it covers are stopped when it is spent */
    struct str zone;           /* "Europe/Berlin": where its months begin */
    day first_day, last_day;   /* of a total; DAY_UNKNOWN */
    struct str owner;
    stamp made, changed;
};

bool ledger_budget_put(struct ledger *ledger, const struct ledger_budget *budget,
                       bool *replaced, struct error *err) MUST_USE;
bool ledger_budget_remove(struct ledger *ledger, struct str name, bool *found,
                          struct error *err) MUST_USE;
bool ledger_budgets(struct ledger *ledger, struct arena *arena,
                    const struct ledger_budget **out, size_t *count,
                    struct error *err) MUST_USE;

/* Where alerts go: `settings` is JSON without secrets. */
struct ledger_channel {
    struct str name, kind, settings;
    stamp made;
};
bool ledger_channel_put(struct ledger *ledger, const struct ledger_channel *channel,
                        bool *replaced, struct error *err) MUST_USE;
bool ledger_channel_remove(struct ledger *ledger, struct str name, bool *found,
                           struct error *err) MUST_USE;
bool ledger_channels(struct ledger *ledger, struct arena *arena,
                     const struct ledger_channel **out, size_t *count,
                     struct error *err) MUST_USE;

/* An event, told once however often it is seen. */
struct ledger_alert {
    int64_t key;
    struct str dedup, kind, severity, title, words, facts; /* facts: JSON */
    bool firing, acknowledged, false_alarm;
    struct str acknowledged_by;
    stamp began, changed, ended; /* ended: -1 */
    int64_t updates;
};

/* It is so: a new event, or one that is known. A new one, and one that became worse or changed
 * its words when `tell_again`, is put in the queue for each channel, not before `not_before`,
 * in the same transaction. */
bool ledger_alert_fire(struct ledger *ledger, const struct ledger_alert *alert,
                       struct strs channels, stamp now, stamp not_before, bool tell_again,
                       bool *is_new, struct error *err) MUST_USE;
/* It is no longer so: those who were told are told. No event of that name is no error. */
bool ledger_alert_resolve(struct ledger *ledger, struct str dedup, stamp now,
                          struct error *err) MUST_USE;
bool ledger_alert_acknowledge(struct ledger *ledger, int64_t key, struct str by,
                              bool false_alarm, stamp now, bool *found,
                              struct error *err) MUST_USE;
bool ledger_alerts(struct ledger *ledger, stamp since, bool firing_only, struct arena *arena,
                   const struct ledger_alert **out, size_t *count, struct error *err) MUST_USE;

struct ledger_delivery {
    int64_t key, alert;                                /* alert: -1 for a digest or a test */
    struct str channel, what, state, answer, snapshot; /* snapshot: the message as JSON */
    stamp not_before, tried, made;
    int64_t tries;
};

bool ledger_delivery_add(struct ledger *ledger, const struct ledger_delivery *delivery,
                         struct error *err) MUST_USE;
/* Take one that is due, so that no other program sends it too; one that was taken `stale` ago
 * and never told of is due again. False in `found` when there is none. */
bool ledger_delivery_take(struct ledger *ledger, stamp now, span stale, struct arena *arena,
                          struct ledger_delivery *out, bool *found, struct error *err) MUST_USE;
/* What became of it; `again`: the next try, -1 when it is done or given up. */
bool ledger_delivery_told(struct ledger *ledger, int64_t key, bool sent, struct str answer,
                          stamp now, stamp again, struct error *err) MUST_USE;
bool ledger_deliveries(struct ledger *ledger, stamp since, struct arena *arena,
                       const struct ledger_delivery **out, size_t *count,
                       struct error *err) MUST_USE;

/* Named texts for all who use the ledger: "allocation". Empty when there is none. */
bool ledger_document(struct ledger *ledger, const char *name, struct arena *arena,
                     struct str *out, stamp *changed, struct error *err) MUST_USE;
bool ledger_document_put(struct ledger *ledger, const char *name, struct str text,
                         struct str owner, stamp now, struct error *err) MUST_USE;

#endif
