/* advise.h - what to change, and what it saves: advise and its commands. */
#ifndef OP_ADVISE_ADVISE_H
#define OP_ADVISE_ADVISE_H

#include "advise/rules/cleaner.h"
#include "advise/rules/compression.h"
#include "advise/rules/rule.h"
#include "op/advise_record.h"

struct op_context; /* op/context.h */

extern const struct op op_advise, op_advise_dismiss, op_advise_restore, op_advise_apply,
    op_advise_rules, op_advise_facts;

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

struct advise_facts_request {
    struct str fact; /* a part of a name; empty: all */
};

struct advise_facts_result {
    struct rows facts;
};

#endif
