/* allocation_work.h - what the files of the allocation operations share. */
#ifndef OP_ACCOUNT_ALLOCATION_WORK_H
#define OP_ACCOUNT_ALLOCATION_WORK_H

#include "op/account/allocation.h"
#include "op/account/costs.h"

struct op_context; /* op/context.h */

extern const struct field_set allocation_fields;

/* What is in a policy, without what it matches. */
bool allocation_describe(struct op_context *ctx, const struct policy *p,
                         struct allocation_result *out, struct error *err) MUST_USE;

/* How much money has each tag, of all that was ever recorded. */
struct tagged {
    const struct tagged_currency {
        char currency[4];
        struct decimal total, of[DIMENSION_COUNT];
    } * at;
    size_t count;
};

bool tagged_money(struct op_context *ctx, struct ledger *ledger, struct tagged *out,
                  struct error *err) MUST_USE;

/* What is different: `coverage` of the result. */
bool tagged_changes(struct op_context *ctx, const struct tagged *before,
                    const struct tagged *after, struct allocation_result *out,
                    struct error *err) MUST_USE;

#endif
