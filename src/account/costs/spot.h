/* spot.h - how machines are paid: on spot, by commitments, on demand; and what that saved. */
#ifndef ACCOUNT_COSTS_SPOT_H
#define ACCOUNT_COSTS_SPOT_H

#include "account/query/groups.h"

struct costs_spot_row {
    struct str value[COSTS_BY_MAX];
    struct money amount;
    double spot, committed, on_demand, other; /* shares of it */
    /* Compared with list prices, where bills have those; unknown: none has. */
    struct money saved, saved_by_commitments;
    struct money unknown, unknown_committed; /* paid without one: what it saved is unknown */
};

extern const struct field_set costs_spot_row_fields;

struct spot_costs {
    struct table_rows rows; /* struct costs_spot_row, without credits */
    struct rows totals;
    struct rows credits;          /* struct money */
    struct spending_answer spent; /* the amounts that it is made of */
};

/* The query names what is asked about, as a rule machines (category=Compute). Policies and
 * credits are left out of it here: shares are of what was used. */
bool account_spot(const struct account_source *account, const struct costs_by *by,
                  struct spending_query *query, struct spot_costs *out,
                  struct error *err) MUST_USE;

#endif
