/* split.h - a month's money: experiments, production, storage, reserve.
 *
 * Amounts are billionths of a unit of the budget's currency, whatever that is: budgets are kept
 * in euros too. MONEY_UNKNOWN is unknown.
 */
#ifndef PLAN_SPLIT_H
#define PLAN_SPLIT_H

#include "doc/field.h"
#include "unit/money.h"

enum split_part {
    SPLIT_EXPERIMENTS,
    SPLIT_PRODUCTION,
    SPLIT_STORAGE,
    SPLIT_RESERVE,
    SPLIT_PARTS
};

extern const char *const split_names[SPLIT_PARTS];
extern const double split_usual[SPLIT_PARTS]; /* 30, 50, 10, 10 %: a rule of thumb */

struct split_line {
    double share;
    int64_t amount;
    int64_t planned; /* sum of the plans compared with it; unknown: none was given */
    int64_t left;    /* negative: over; unknown when `planned` is */
};

/* The parts add up to the whole (above 0) to the last billionth: what is left over by rounding
 * goes to those that lost most by it. A share is of the whole; those that are NaN have what the
 * others leave, in the proportion of the usual ones. `storage` is its known cost:
 * it gets that instead of a share (unknown: it has one). False, with the error set, when they
 * come to more than the whole, or all are given and come to less. */
bool split_budget(int64_t whole, const double shares[static SPLIT_PARTS], int64_t storage,
                  struct split_line out[static SPLIT_PARTS], struct error *err) MUST_USE;

/* Compare a part with all that is planned for it. */
void split_compare(struct split_line *line, int64_t planned);

/* All parts together. */
struct split_sum {
    int64_t planned;     /* with the known storage; unknown: some of it is */
    int64_t left;        /* of the budget; negative: over */
    int64_t over;        /* by which parts are over, together */
    bool reserve_covers; /* that */
};

struct split_sum split_sum(int64_t whole, const struct split_line lines[static SPLIT_PARTS]);

/* ---- the answer ---- */

/* All amounts of a row are in the budget's currency; unknown: nothing is compared with it. */
struct budget_part {
    enum split_part part;
    double share;
    struct money amount, planned, remaining; /* left: negative when it is over */
    bool over;
};

struct budget_plan {
    struct str name, file;
    enum split_part part;
    struct money cost; /* as the plan has it */
    struct money held; /* in the budget's currency; unknown: there is no exchange rate */
};

struct budget_split {
    struct money budget;
    struct rows parts;               /* struct budget_part */
    struct rows plans;               /* struct budget_plan, as given */
    struct money planned, remaining; /* of the complete budget */
    struct money over;               /* by which parts are over, together */
    bool reserve_covers;             /* that */
};

extern const struct field_set budget_split_fields;

/* An amount as billionths; `what` is what the error calls it. */
bool split_nano(const struct money *m, const char *what, int64_t *out,
                struct error *err) MUST_USE;

/* "20usd", "10%" or nothing: an amount, or a share (NaN: it is none). */
bool split_storage_parse(struct str text, double *share, struct money *amount,
                         struct error *err) MUST_USE;

/* Split the budget and compare the plans (struct budget_plan) with its parts. `storage` as in
 * split_budget(). */
bool split_plans(const struct money *budget, const double shares[static SPLIT_PARTS],
                 int64_t storage, struct rows plans, struct arena *arena,
                 struct budget_split *out, struct error *err) MUST_USE;

#endif
