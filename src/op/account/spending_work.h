/* spending_work.h - what the files of op_spending() share. */
#ifndef OP_ACCOUNT_SPENDING_WORK_H
#define OP_ACCOUNT_SPENDING_WORK_H

#include "account/policy/allocate.h"
#include "bill/provider.h"
#include "ledger/rates.h"
#include "ledger/runs/charges.h"
#include "op/account/spending.h"

/* ---- spending_table.c: sums by day, dimensions and currency ---- */

/* How a value of a dimension is spelled. Values that differ in the case of letters alone are
 * one, as --where matches them: `counts` is the spelling that came first. */
struct spelling {
    struct str value, counts;
    int dimension;
    uint32_t next; /* 1 + the next in its slot; 0: none */
};

#define SPELLING_SLOTS 1024

struct spellings {
    struct spelling *at;
    size_t count, room;
    uint32_t slots[SPELLING_SLOTS]; /* 1 + a number */
    size_t merged;                  /* that are others of the same; */
    size_t example;                 /* the first of those */
};

struct spending_table {
    struct arena *arena;
    struct spellings *spellings; /* made with the first row */
    uint64_t by;                 /* dimensions that are told apart */
    bool how;                    /* and what the policy did */
    enum ledger_grain grain;
    day (*period)(day on); /* NULL: as the grain says */
    struct spending *at;
    int64_t *last_run; /* of each: the run that was counted last */
    size_t count, room;
    uint32_t *slots; /* a hash table of places in `at`, one more; 0: free */
    size_t slot_count;
};

/* An amount on its way. */
struct spending_entry {
    day from;
    const struct dimensions *of;
    struct spending_how how;
    char currency[4];
    struct decimal amount, metered;
    int64_t lines;
    int64_t run;  /* its key; -1: it is of no run */
    int64_t runs; /* or so many that were counted before */
};

/* A warning, when spellings were counted as one. */
void spending_say_spellings(const struct op_context *ctx, const struct spending_table *t);

bool spending_put(struct spending_table *t, const struct spending_entry *e,
                  struct error *err) MUST_USE;

/* By day, dimensions and currency; zeros at the end of amounts are cut off. Nothing is put in
 * after that. */
void spending_sort(struct spending_table *t);

/* ---- spending_where.c ---- */

struct spending_where {
    enum dimension of;
    bool negated, hit; /* hit: some value matched */
    struct str glob;
    struct suggestion near; /* `best` is in `room`: values do not last */
    char room[80];
};

bool spending_conditions(struct strs texts, struct arena *arena, struct spending_where **out,
                         struct error *err) MUST_USE;
bool spending_wanted(struct spending_where *where, size_t count, const struct dimensions *of);

/* Values that matched nothing, with what was probably meant. */
void spending_say_unmatched(const struct op_context *ctx, const struct spending_query *query,
                            const struct spending_where *where);

/* ---- spending_rates.c: one currency for all ---- */

struct converter {
    char to[4]; /* empty: nothing is converted */
    const struct ledger_rate
        *rates; /* by currency and day, of the ledger and the user's files */
    size_t count;
    struct arena *arena;
    struct spending_rates used;
};

bool converter_open(struct op_context *ctx, struct ledger *ledger,
                    const struct spending_query *query, struct converter *out,
                    struct error *err) MUST_USE;

/* The amount in the converter's currency, at the rate of the day, to 12 decimals. */
bool convert(struct converter *c, day on, const char currency[static 4], struct decimal *amount,
             struct error *err) MUST_USE;

/* Rates that two answers used, as those of one. */
bool spending_rates_join(struct spending_rates *to, const struct spending_rates *more,
                         struct arena *arena, struct error *err) MUST_USE;

/* A warning, when one is much older than what it was used for. */
void spending_say_rates(const struct op_context *ctx, const struct spending_rates *used);

/* `amount` x `from` / `to`, to 12 decimals, halves away from zero; false when it does not
 * fit. */
bool decimal_convert(struct decimal amount, struct decimal from, struct decimal to,
                     struct decimal *out) MUST_USE;

/* ---- spending_runs.c ---- */

/* Days in a row that bills of a provider cover. */
struct cover {
    struct str provider; /* as a bill calls it */
    const struct known_provider *known;
    day first, last;
};

struct coverage {
    struct cover *at; /* one for each provider, or more */
    size_t count;
};

bool coverage_make(const struct ledger_bill *bills, size_t count, struct arena *arena,
                   struct coverage *out, struct error *err) MUST_USE;

/* The day, of a provider as coverage_name() calls it. */
bool covered(const struct coverage *c, struct str provider, day on);

/* As bills call it, so that both are one; else provider_name(). */
struct str coverage_name(const struct coverage *c, struct str provider);

/* A run by its dimensions. Texts live in the arena, or as long as the charge. */
struct run_dimensions {
    struct op_context *ctx;
    const struct coverage *coverage;
    const struct policy *policy; /* whose rules set tags; NULL: none */
    uint64_t wanted;             /* dimensions: looking up a GPU takes its time */
    struct buf scratch;          /* of the last run's tags */
    /* The last that were looked up, and what they are called. */
    struct str gpu, gpu_name, offer;
    struct dimensions offered;
};

void run_dimensions_open(struct run_dimensions *d, struct op_context *ctx,
                         const struct coverage *coverage, const struct policy *policy,
                         uint64_t wanted);
void run_dimensions_close(struct run_dimensions *d);
bool run_dimensions_of(struct run_dimensions *d, const struct ledger_charge *charge,
                       struct dimensions *out, struct error *err) MUST_USE;

/* What of an attempt's cost falls on each day that it ran: evenly over its time, and exact -
 * the days add up to the cost. Days from `at`; false when there are no more. */
struct charge_days {
    int64_t cost, started, until; /* nano-dollars, seconds */
    int64_t at;                   /* seconds, from which on the next day counts */
};

struct charge_days charge_days_of(const struct ledger_charge *charge);
bool charge_days_next(struct charge_days *d, day *on, int64_t *nano);

/* ---- spending_policy.c ---- */

/* What was recorded, by month or by day, and where the amounts go that it is split into. */
struct spending_splits {
    const struct policy *policy;
    struct spending_table *recorded;
    day since, until; /* of whole months where costs are shared; DAY_UNKNOWN: any */
    day today;        /* the last day that recurring costs are counted for */
    bool unsplit;     /* recurring costs are added, and nothing is split */
    bool (*take)(void *ctx, struct spending_entry *e, struct error *err);
    void *ctx;
};

/* Split amounts month by month as the policy says, with its recurring costs. Sorts the
 * table. */
bool spending_split(const struct spending_splits *s, struct error *err) MUST_USE;

#endif
