/* tags.h - how much of the money has the tags that it must have; tags of a run set later. */
#ifndef OP_ACCOUNT_TAGS_H
#define OP_ACCOUNT_TAGS_H

#include "op/account/costs.h"

struct op_context; /* op/context.h */

extern const struct op op_tags, op_tags_set;

struct tags_request {
    struct costs_ask ask;
    int64_t limit;
};

/* A tag in one currency. */
struct tags_row {
    struct str tag, currency;
    bool required;
    struct money total, tagged, untagged;
    struct money split; /* untagged, but shared out by the policy */
    double share;
    struct str most; /* the value with the most money */
};

/* The largest that lacks a required tag, by what a rule could know it. */
struct tags_untagged {
    struct str provider, service, account, sub_account, currency;
    struct strs missing;
    struct money amount;
    int64_t lines, runs;
    struct str rule; /* that would tag it, as the policy has it */
};

struct tags_result {
    struct rows rows;     /* struct tags_row */
    struct rows untagged; /* struct tags_untagged */
    struct rows credits;  /* struct costs_apart: not in it */
    int64_t more;         /* that are not listed */
    bool policy;          /* some tag is required */
    struct costs_basis basis;
};

struct tags_set_request {
    struct str run;
    struct strs tags;
};

struct tags_set_result {
    struct str id, short_id, name;
    struct strs tags; /* as they are now */
    int64_t changed;
};

/* Note keys that are near a dimension's name and are none: "teem". Other tags are as good as
 * any. */
void tags_note(const struct op_context *ctx, struct strs tags);

#endif
