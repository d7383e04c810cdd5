/* budgets.h - budgets, alerts and what is still to be sent, kept in the ledger.
 *
 * Only kept here: what a budget has spent is worked out by `budget`, what is sent by `alert`.
 */
#ifndef LEDGER_BUDGETS_H
#define LEDGER_BUDGETS_H

#include "ledger/ledger.h"
#include "unit/time.h"

/* Names of budgets and channels: letters, digits, '-', '_' and '.', so that they need no quotes
 * and no escapes anywhere. ERROR_USAGE otherwise; `what` is "budget" or "channel". */
bool ledger_plain_name(struct str name, const char *what, struct error *err) MUST_USE;

struct ledger_budget {
    struct str name;
    struct money amount;
    struct str period;         /* "month", "quarter", "year", "total" */
    struct strs scope;         /* "team=nlp": all must match; none: everything */
    struct numbers thresholds; /* of what was spent: 0.5, 0.8, 1 */
    struct numbers forecast;   /* of what it will come to */
    struct strs channels;      /* names; none: no alerts are sent */
    bool rollover;             /* what was left of the period before is added */
    bool stops;                /* runs that it covers are stopped when it is spent */
    struct str zone;           /* "Europe/Berlin": where its months begin */
    day first_day, last_day;   /* of a total; DAY_UNKNOWN */
    struct str owner;
    stamp made, changed;
};

/* By its name: one that is there is replaced, but for when it was made. */
bool ledger_budget_put(struct ledger *ledger, const struct ledger_budget *budget,
                       bool *replaced, struct error *err) MUST_USE;
bool ledger_budget_remove(struct ledger *ledger, struct str name, bool *found,
                          struct error *err) MUST_USE;
/* By name. */
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

/* An event, reported once however often it is seen. */
struct ledger_alert {
    int64_t key;
    struct str dedup, kind, severity, title, words;
    struct str facts; /* JSON of a struct alert_detail, or empty */
    double level;     /* how bad it is, within one event: more is reported again, less is not */
    bool firing, acknowledged, false_alarm;
    struct str acknowledged_by;
    stamp began, changed, ended; /* ended: -1 */
    stamp acknowledged_at;       /* -1: it was not */
    int64_t updates;
};

struct alert_fact {
    struct str name, value; /* "Spent", "$8,204.10" */
};

/* What an alert carries besides its text. */
struct alert_detail {
    struct rows facts;              /* struct alert_fact */
    struct str scope, budget, link; /* texts of JSON objects; an address. Empty: none */
};

extern const struct field_set alert_detail_fields;

/* As JSON, for `facts` of an alert. */
bool alert_detail_write(const struct alert_detail *detail, struct arena *arena, struct str *out,
                        struct error *err) MUST_USE;

extern const struct field_set ledger_alert_fields;

/* What an evaluation found out about one event. */
struct ledger_finding {
    struct ledger_alert alert; /* of one that is over: `dedup`, `words`; `title` and
                                * `facts` where they changed */
    struct strs channels;      /* to notify */
    bool over;                 /* it is no longer so */
};

/* Add the known alerts of a question (their dedup starts with it) that fire and are not among
 * the `*count` findings: they are over. `at` has room for all that are known. */
void ledger_findings_over(struct ledger_finding *at, size_t *count, struct str question,
                          const struct ledger_alert *known, size_t known_count);

/* All of them in one transaction, with what is to be sent. An event that is new, or worse
 * than it was (a higher severity or level), is put in the queue for each channel; one that
 * is over is sent to those that were notified, and one that goes on to channels that were
 * added since. While it fires, its severity and title stay those of its worst moment. One
 * that was acknowledged is sent again only when its severity rises. What becomes worse while
 * a message of it is postponed is due now: who sends decides again. Findings that are older
 * than what is known are left out. */
bool ledger_findings(struct ledger *ledger, const struct ledger_finding *findings, size_t count,
                     stamp now, struct error *err) MUST_USE;

/* A person has seen it. */
struct ledger_seen {
    struct str by;
    bool false_alarm;
    struct strs channels; /* that support acknowledgments: notified if they were of the alert */
};
/* `found` is false when there is no such alert. */
bool ledger_alert_acknowledge(struct ledger *ledger, int64_t key,
                              const struct ledger_seen *seen, stamp now, bool *found,
                              struct error *err) MUST_USE;

/* Which of them: those that changed since then (-1: ever); of these, those that fire; or these
 * and all that fire. */
enum ledger_alerts_which { ALERTS_CHANGED, ALERTS_FIRING, ALERTS_CHANGED_OR_FIRING };
/* The newest first. */
bool ledger_alerts(struct ledger *ledger, stamp since, enum ledger_alerts_which which,
                   struct arena *arena, const struct ledger_alert **out, size_t *count,
                   struct error *err) MUST_USE;

/* Forget those that ended before then, the oldest, and what was sent of them: at most
 * LEDGER_FORGET at once. None of which something is still to be sent; nor one that fires. */
#define LEDGER_FORGET 100
bool ledger_alerts_forget(struct ledger *ledger, stamp before, struct error *err) MUST_USE;

/* What is to be sent, and what became of it. `snapshot` is the message as JSON: id, dedup,
 * kind, what, severity, title, words, began, ended, detail (the alert's facts). */
struct ledger_delivery {
    int64_t key, alert; /* alert: -1 for a test */
    struct str channel, what, state, answer, snapshot, claim;
    stamp not_before, tried, made;
    int64_t tries;
};

/* What is due: what waits until then at most; what was taken by then and not finished. */
struct ledger_due {
    stamp waiting, taken;
};
/* Take one that is due, so that no other program sends it too. What belongs to one alert and
 * channel is taken in its order. False in `found` when there is none. */
bool ledger_delivery_take(struct ledger *ledger, const struct ledger_due *due, stamp now,
                          struct arena *arena, struct ledger_delivery *out, bool *found,
                          struct error *err) MUST_USE;
/* The others that are due for the same channel, at most LEDGER_DIGEST: for a digest. */
#define LEDGER_DIGEST 200
bool ledger_delivery_take_more(struct ledger *ledger, const struct ledger_delivery *first,
                               stamp now, struct arena *arena,
                               const struct ledger_delivery **out, size_t *count,
                               struct error *err) MUST_USE;

/* What became of one that was taken. `again`: the next try, before which nothing else is sent
 * to its channel either; -1 when it is sent or given up. */
bool ledger_delivery_told(struct ledger *ledger, const struct ledger_delivery *delivery,
                          bool sent, struct str answer, stamp now, stamp again,
                          struct error *err) MUST_USE;
/* It is not its time: give it back, untried. One that became worse meanwhile is given up for
 * the sake of its update. */
bool ledger_delivery_postpone(struct ledger *ledger, const struct ledger_delivery *delivery,
                              struct str why, stamp until, struct error *err) MUST_USE;
/* Those that were given up after a try wait again. */
bool ledger_delivery_revive(struct ledger *ledger, stamp now, int64_t *count,
                            struct error *err) MUST_USE;

/* The newest first: made since then (-1: ever), at most `limit` (0: all). */
bool ledger_deliveries(struct ledger *ledger, stamp since, int64_t limit, struct arena *arena,
                       const struct ledger_delivery **out, size_t *count,
                       struct error *err) MUST_USE;

/* Named texts for all who use the ledger: "allocation". Empty when there is none. */
bool ledger_document(struct ledger *ledger, const char *name, struct arena *arena,
                     struct str *out, stamp *changed, struct error *err) MUST_USE;
bool ledger_document_put(struct ledger *ledger, const char *name, struct str text,
                         struct str owner, stamp now, struct error *err) MUST_USE;

struct ledger_document {
    struct str name, text, owner;
    stamp changed;
};

/* All whose name begins so ("advise/"; no '%' and no '_'), by name. A ledger without tables has
 * none. */
bool ledger_documents(struct ledger *ledger, const char *prefix, struct arena *arena,
                      const struct ledger_document **out, size_t *count,
                      struct error *err) MUST_USE;

#endif
