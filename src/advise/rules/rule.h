/* rule.h - rules: what is looked at, when they apply, how the saving is computed.
 *
 * A rule is a row of a table, so that `stint advise rules` can print all there is to know about
 * it. Its function looks at facts and adds findings:
 *
 *     static bool find_idle(struct advising *a, struct error *err)
 *     {
 *         struct finding_draft d = finding_begin(a);
 *
 *         buf_addf(&d.evidence, "%lld runs, ...", ...);
 *         buf_adds(&d.action, "stint run --idle 10min -- COMMAND");
 *         d.saving = (struct saving){low, mid, high};
 *         return finding_end(a, &d, err);
 *     }
 *
 * No rule without a computed saving, or one from a range with its source.
 */
#ifndef ADVISE_RULE_H
#define ADVISE_RULE_H

#include "advise/rules/work.h"
#include "estimate/job_estimate.h"
#include "plan/data_ways.h"

#define ADVISE_MONTH_DAYS 30.0 /* savings are of a month of 30 days */

/* What a rule is called for. */
enum advise_scope {
    SCOPE_WORK,   /* once for each work of the period */
    SCOPE_PERIOD, /* once, about everything */
    SCOPE_JOB,    /* once for the job that was given; rules about training: for each work
                   * whose job is known, too */
};

/* A job that advice is asked for, estimated as it is. */
struct advise_job {
    const struct estimate_input *input; /* the job, resolved; its place; catalog, constants */
    const struct job *given;            /* before it was resolved: what variants start from */
    struct str config;                  /* of job_resolve() */
    struct str typed;                   /* what the user called it: for commands */
    const struct estimate *base;        /* it fits or not: see there */
    struct rows options;                /* struct advise_option: other places for it */
    struct rows places;                 /* struct estimate_place: the cheapest with each GPU */
    struct rows regions; /* struct estimate_place: with the same GPUs, in each region */
    bool monthly;        /* it serves: money is of a month, not of one run */
};

/* What a commitment would save, by the load of the period. */
struct advise_commitment {
    usd saving, saving_low, saving_high; /* a year */
    usd_per_hour commit;                 /* what is covered, at on-demand prices */
    int64_t term_months;
    double utilization;
    double hours;    /* of load that were looked at */
    double left_out; /* dollars of the period: machines that other findings make cheaper */
    struct str source;
};

/* Machines that no run was on. */
struct advise_unused {
    int64_t machines;
    double hours;
    struct str names;     /* of the most expensive, with what they cost */
    struct saving saving; /* of the period */
};

/* Ways to pay less for machines of accounts without runs: each machine counts for the best. */
enum billed_way { BILLED_SPOT, BILLED_REGION, BILLED_NEWER, BILLED_NIGHTS, BILLED_WAYS };

struct advise_billed {
    int64_t machines;
    double hours, cost;   /* of the period */
    struct str names;     /* of some, with what they cost and where they would cost less */
    struct saving saving; /* of the period */
};

/* What bills show that no run explains (bills.h). */
struct advise_bills {
    size_t resources;                 /* machines and other things on them; 0: there are none */
    bool runs;                        /* runs were found on machines of the bills */
    struct advise_unused unused;      /* in accounts that have runs */
    struct advise_unused unexplained; /* of which it is less clear: as a question */
    struct advise_billed billed[BILLED_WAYS];
    const struct reconcile_extra *extras;
    size_t extra_count;
    double scale; /* from the period to the findings' unit */
};

/* Machines that runs were on, as bills have them, and what was billed while none ran. */
struct advise_left_on {
    int64_t machines;
    struct str name;      /* of the one with the most of that money */
    double hours, idle;   /* billed; of these, without a run */
    struct saving saving; /* beyond 10 min after each run; 1 h; nothing. Of the period */
    double scale;         /* from the period to the findings' unit */
};

struct reconcile_extra; /* account/reconcile/extras.h */
struct advising;        /* below */

struct advise_facts {
    struct str per;                /* "month" or "run": the unit of savings */
    stamp from, until;             /* of the period */
    struct rows works;             /* struct advise_work: subjects 0, 1, ... */
    struct advise_money rest;      /* of the period, of no work: in the unit of savings */
    usd limit;                     /* a run above it is expensive; unknown: none is set */
    struct advise_left_on left_on; /* no machines: none is known */
    struct advise_bills bills;
    struct advise_commitment commitment; /* that is recommended; all zero: none */
    const struct advise_job *job;        /* NULL: none; it is subject `works.len` */
    struct advise_money job_money;
    struct str job_name;
    const struct plan_data *data;  /* of the job, measured; NULL: it is not */
    double keep_low, keep_high;    /* dollars for a GB and month in hot tiers; 0: not known */
    const struct catalog *catalog; /* NULL: not loaded */
    const struct constants *constants; /* of the estimator; NULL: not loaded */
};

struct advise_rule {
    const char *name; /* "idle-time": stable, in ids */
    const char *title;
    enum advise_category category;
    enum advise_effort effort;
    enum advise_risk risk;
    enum advise_lever lever;
    enum advise_scope scope;
    unsigned parts;       /* that it acts on: PART_BIT */
    const char *uses;     /* "GPU utilization and peak memory of a job" */
    const char *applies;  /* "below 30 % and 40 %" */
    const char *computed; /* how the saving is */
    const char *source;
    bool (*find)(struct advising *advising, struct error *err);
};

/* What the function of a rule gets. */
struct advising {
    const struct advise_facts *facts;
    const struct advise_rule *rule;
    const struct advise_work *work; /* of SCOPE_WORK; NULL otherwise */
    size_t about;                   /* the subject's number; SUBJECT_ALL */
    struct str subject;
    const struct advise_money *money; /* of the subject */
    double scale;                     /* from estimated money to the subject's; 0: the same */
    struct arena *arena;
    struct findings *out;
};

/* A finding that is being written. The rule's row decides what is not set here. */
struct finding_draft {
    struct buf evidence, action, method;
    struct saving saving; /* in the unit of the facts; NaN: not known */
    double
        least; /* that is enough to save, whatever FINDING_LEAST of the subject's money is; 0:
                   * it is not */
    unsigned parts;
    enum advise_lever lever;
    enum advise_effort effort;
    enum advise_risk risk;
    struct str source;
    const double *by_subject; /* as of struct finding */
    const struct job_change *change;
};

/* `risk` of something that takes so many times as long: what takes much longer may come too
 * late, whatever it saves. */
enum advise_risk advise_risk_of_time(enum advise_risk risk, double times);

struct finding_draft finding_begin(const struct advising *advising);

/* Give it up. */
void finding_drop(struct finding_draft *draft);

/* Add it, unless its saving is not known or below FINDING_LEAST of the subject's money. The
 * range is put in order and kept between nothing and the money of the parts. */
bool finding_end(struct advising *advising, struct finding_draft *draft,
                 struct error *err) MUST_USE;

/* "provider/instance" where an offer is the same in all regions (its region is an asterisk), so
 * that no shell expands it; the offer as it is otherwise. */
void advise_write_offer(struct str offer, struct buf *out);

/* What keeping data costs: the cheapest and the most expensive hot tier (TABLE_STORAGE). */
void advise_keep_prices(const struct catalog *catalog, struct advise_facts *facts);

/* ---- all rules ---- */

/* A table of rules in a file of its own; rule.c lists the tables. */
struct advise_rules {
    const struct advise_rule *at;
    size_t len;
};

#define ADVISE_RULES(rows) \
    { \
        .at = (rows), .len = ARRAY_LEN(rows) \
    }

extern const struct advise_rules advise_machine_rules;  /* rules_machines.c: likewise */
extern const struct advise_rules advise_waste_rules;    /* rules_waste.c: of works */
extern const struct advise_rules advise_place_rules;    /* rules_place.c: of a job */
extern const struct advise_rules advise_training_rules; /* rules_training.c: of a job */
extern const struct advise_rules advise_serving_rules;  /* rules_serving.c: of a job */
extern const struct advise_rules advise_storage_rules;  /* rules_storage.c: of both */
extern const struct advise_rules advise_power_rules;    /* rules_power.c: of works */
extern const struct advise_rules advise_stopping_rules; /* rules_stopping.c: of works */
extern const struct advise_rules advise_bill_rules;     /* rules_bills.c: of bills */

/* Each table of rules, by its number; NULL behind the last. */
const struct advise_rules *advise_rules_table(size_t number);

/* A rule as it is shown. */
struct advise_rule_row {
    struct str name, title, uses, applies, computed, source;
    enum advise_category category;
    enum advise_effort effort;
    enum advise_risk risk;
    enum advise_lever lever;
};

extern const struct field_set advise_rule_fields; /* of struct advise_rule_row */

struct advise_rule_row advise_rule_row(const struct advise_rule *rule);

/* All of them: rows of struct advise_rule_row. */
bool advise_rules_list(struct arena *arena, struct rows *out, struct error *err) MUST_USE;

/* The rule of this name; NULL when there is none. */
const struct advise_rule *advise_rule_named(struct str name);

/* Apply every rule, and add what they find. */
bool advise_apply(const struct advise_facts *facts, struct findings *out,
                  struct error *err) MUST_USE;

/* The money of each subject of the facts, works then the job, for findings_combine(). */
bool advise_subjects(const struct advise_facts *facts, struct arena *arena,
                     struct advise_money **out, size_t *count, struct error *err) MUST_USE;

#endif
