/* advise.h - what to change, and what it saves: requests and results of advise and its
 * commands. */
#ifndef OP_ADVISE_ADVISE_H
#define OP_ADVISE_ADVISE_H

#include "advise/rules/cleaner.h"
#include "advise/rules/compression.h"
#include "advise/rules/followup.h"
#include "advise/rules/rule.h"
#include "job/source.h"
#include "op/moment.h"

extern const struct op op_advise, op_advise_dismiss, op_advise_restore, op_advise_apply,
    op_advise_rules, op_advise_facts;

struct advise_request {
    struct job_source source; /* .job: a run or a job; empty: the ledger */
    struct str on, offer;     /* of a job: where it runs */
    usd_per_hour price;       /* of one machine there; unknown: the catalog's */
    struct op_days days;
    struct strs category;
    struct str effort; /* at most this */
    usd min_saving, expensive;
    bool all;              /* dismissed ones as well */
    struct str svg, rules; /* rules: a file of the user's */
};

struct advise_result {
    struct str kind; /* "period", "run" or "job" */
    struct str of;   /* what it is about: a run, a job */
    struct str per;  /* unit of savings */
    day since, until;
    int64_t runs, works, unpriced;
    struct rows findings;        /* struct finding */
    int64_t dismissed, hidden;   /* hidden: by filters */
    struct advise_total total;   /* of those that are shown */
    struct rows applied;         /* struct followup */
    struct rows compression;     /* struct compression_row: of a job that serves */
    struct str compression_unit; /* of its costs */
    struct rows cleaner;         /* struct cleaner_row: of a job */
    struct strs notes;
    struct str svg;
};

/* The complete answer, whatever is filtered: for commands about one finding, too. */
struct advise_answer {
    struct advise_facts facts;
    struct findings findings;
};

bool advise_answer(struct op_context *ctx, const struct advise_request *request,
                   struct advise_answer *answer, struct advise_result *out,
                   struct error *err) MUST_USE;

struct advise_decide_request {
    struct str id, of, reason;
};

struct advise_decide_result {
    struct advise_decision decision;
    struct str ledger;
};

struct advise_rules_request {
    struct str rule; /* a name; empty: all */
};

struct advise_rules_result {
    struct rows rules; /* struct advise_rule_row */
};

/* A fact that users' rules can name. */
struct advise_fact_row {
    struct str name, unit, about;
};

struct advise_facts_request {
    struct str fact; /* a part of a name; empty: all */
};

struct advise_facts_result {
    struct rows facts;
};

#endif
