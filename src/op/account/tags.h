/* tags.h - how much of the money has the tags that it must have; tags of a run set later. */
#ifndef OP_ACCOUNT_TAGS_H
#define OP_ACCOUNT_TAGS_H

#include "account/query/tags.h"
#include "op/spending.h"

struct op_context; /* op/context.h */

extern const struct op op_tags, op_tags_set;

struct tags_request {
    struct costs_ask ask;
    int64_t limit;
};

struct tags_result {
    struct tag_costs tags;
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

#endif
