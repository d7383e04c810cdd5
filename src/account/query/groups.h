/* groups.h - amounts by group: what to group by, what each group comes to over all periods,
 * sorted, with the small ones summed up, and as rows of a result.
 */
#ifndef ACCOUNT_QUERY_GROUPS_H
#define ACCOUNT_QUERY_GROUPS_H

#include "account/query/amount.h"
#include "account/query/spending.h"
#include "doc/field.h"

#define COSTS_BY_MAX 6 /* dimensions at a time */

enum costs_grain {
    COSTS_WHOLE,
    COSTS_DAY,
    COSTS_WEEK, /* from Monday */
    COSTS_MONTH,
    COSTS_QUARTER,
    COSTS_YEAR,
};

/* "team,month": dimensions in the order they were given, and at most one length of time. */
struct costs_by {
    enum dimension at[COSTS_BY_MAX];
    size_t count;
    uint64_t bits;
    enum costs_grain grain;
};

bool costs_by(struct strs names, struct costs_by *out, struct error *err) MUST_USE;

/* The names of the dimensions, for results. */
bool costs_by_names(const struct costs_by *by, struct arena *arena, struct strs *out,
                    struct error *err) MUST_USE;

/* "day", "month"; NULL for COSTS_WHOLE. */
const char *costs_grain_name(enum costs_grain grain);

/* Set the grain of a query. */
void costs_set_grain(enum costs_grain grain, struct spending_query *query);

/* "2026-11-02", "2026-11", "2026-Q4", "2026", into the arena; nothing for COSTS_WHOLE. */
bool costs_period_name(enum costs_grain grain, day from, struct arena *arena, struct str *out,
                       struct error *err) MUST_USE;

/* ---- groups ---- */

enum costs_sort {
    SORT_COST,   /* the most first */
    SORT_NAME,   /* as the dimensions were given */
    SORT_CHANGE, /* against the days before, the largest first, up or down */
};

struct costs_group {
    struct dimensions of;
    struct currency currency;
    const struct spending *cells; /* by period */
    size_t cell_count;
    struct decimal amount, metered, before, change;
    int64_t lines;
    size_t others; /* groups that it sums up; 0: it is one */
};

struct costs_groups {
    struct arena *arena;
    const struct costs_by *by;
    struct costs_group *at; /* by currency, then as they are sorted */
    size_t count;
};

/* `before`: of the days before, without periods; NULL when nothing is compared. */
bool costs_groups_make(const struct spending_answer *now, const struct spending_answer *before,
                       struct costs_groups *out, struct error *err) MUST_USE;

/* The group with the same values and currency; NULL: none. Of groups that were not sorted. */
const struct costs_group *costs_groups_find(const struct costs_groups *groups,
                                            const struct costs_group *like);

void costs_groups_sort(struct costs_groups *groups, enum costs_sort sort);

/* Of each currency the first `limit`; the others become one. 0: all. */
bool costs_groups_limit(struct costs_groups *groups, int64_t limit, struct error *err) MUST_USE;

/* ---- rows of a result ---- */

/* The fields of rows: those of the dimensions, at `offset` of the row, before `fixed`. */
bool costs_row_fields(const struct costs_by *by, size_t offset, const struct field_set *fixed,
                      struct arena *arena, const struct field_set **out,
                      struct error *err) MUST_USE;

/* Values of a group into a row; NULL: it has none. */
void costs_values(const struct costs_by *by, const struct dimensions *of,
                  struct str value[static COSTS_BY_MAX]);

#endif
