/* tags.h - how much of the money has the tags that it must have, and what has not. */
#ifndef ACCOUNT_QUERY_TAGS_H
#define ACCOUNT_QUERY_TAGS_H

#include "account/query/amount.h"

/* A tag in one currency. */
struct tags_row {
    struct str tag;
    bool required;
    struct money total, tagged, untagged;
    struct money split; /* untagged, but shared out by the policy */
    double share;
    struct str most; /* the value with the most money */
};

/* An amount without a required tag, by what a rule could recognize it. */
struct tags_untagged {
    struct str provider, service, account, sub_account;
    struct strs missing;
    struct money amount;
    int64_t lines, runs;
    struct str rule; /* that would tag it, as the policy has it */
};

extern const struct field_set tags_row_fields, tags_untagged_fields;

struct tag_costs {
    struct rows rows;     /* struct tags_row */
    struct rows untagged; /* struct tags_untagged, the largest first */
    struct rows credits;  /* struct money: not included */
    int64_t more;         /* that are not listed */
    bool policy;          /* some tag is required */
    struct spending_answer spent;
};

/* Without the policy's splits and without credits, which the query is set to here. `limit`: of
 * what lacks a tag, the largest so many; 0: all. */
bool account_tags(const struct account_source *account, struct spending_query *query,
                  int64_t limit, struct tag_costs *out, struct error *err) MUST_USE;

#endif
