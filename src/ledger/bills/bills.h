/* bills.h - bills in the ledger: every line exactly, and roll-ups by day for questions.
 *
 * The texts of a line are mostly those of an earlier one: a "thing". Lines are packed
 * by the thousand into blocks, which have each thing once (bills_block.c). While they are read
 * they are added to daily sums by dimension, so that questions need not read them again.
 *
 * An import is invisible until ledger_import_commit(): then it takes the place of what it
 * delivers again - the same provider, account, billing period, currency and kind of amounts -
 * in one transaction. One that was never finished leaves nothing that is seen, and is swept
 * away by the next. It writes in short transactions, so that runs can be recorded meanwhile.
 */
#ifndef LEDGER_BILLS_BILLS_H
#define LEDGER_BILLS_BILLS_H

#include "bill/bill.h"
#include "bill/dimension.h"
#include "ledger/ledger.h"
#include "unit/time.h"

struct ledger_import;

struct ledger_import_options {
    /* The dimensions of a thing, asked once for each; texts live until the next call. */
    void (*classify)(void *ctx, const struct bill_line *line, struct dimensions *out);
    void *classify_ctx;
    bool add;     /* besides what is there, not in its place: the next part of a delivery */
    bool replace; /* of a larger delivery, or of one that is the same money */
    bool force;   /* days that look the same may be added, and be in two files */
    /* All checks, but nothing is written: commit returns what would be, and bills have no key.
     * The ledger may be NULL then, for one that is not there: memory and time come from
     * here. */
    bool dry_run;
    const struct alloc *alloc;
    const struct clock *clock;
    size_t memory; /* bytes for what is kept in memory at most; 0: 24 MB */
    /* Who imports, to distinguish what a dead import left from one that is under way; as
     * in struct ledger_start. */
    struct str owner, host, boot;
    int64_t pid, pid_started;
};

/* Sweeps away what dead imports left. The options' texts and functions outlive the import.
 * `ledger` may be open for reading alone when nothing is to be written. */
struct ledger_import *ledger_import_begin(struct ledger *ledger,
                                          const struct ledger_import_options *options,
                                          struct error *err) MUST_USE;

/* A file begins; its lines; it ends. `digest`: of its content, 32 hexadecimal digits. */
bool ledger_import_file(struct ledger_import *import, struct str name,
                        const struct bill_about *about, struct error *err) MUST_USE;
bool ledger_import_line(struct ledger_import *import, const struct bill_line *line,
                        struct error *err) MUST_USE;
bool ledger_import_file_end(struct ledger_import *import, struct str digest,
                            struct error *err) MUST_USE;

/* Who is paid for a line's service; and who sends its bill, which is often the same. */
struct str ledger_line_provider(const struct bill_line *line);
/* A bill: what one provider asks of one account for one period. Before and after. */
struct ledger_bill {
    int64_t key;
    struct str provider, account, currency, format, version;
    struct str account_name; /* of its first charge, as the dimension has it; or the id */
    struct str files;        /* JSON: [{"name":"may.csv","digest":"..."}] */
    enum bill_amounts amounts;
    bool paired; /* there is one with the other amounts: neither is counted twice */
    bool coarse; /* sums by service and day or the like, without resources */
    stamp period_start, period_end;
    day first_day, last_day; /* on which charges start; to their end if all are of many days */
    /* The days that it speaks for: those of its charges, within its period and up to the day of
     * its import, since one charge of next year says nothing of the time until then. None when
     * the last is before the first. */
    day covers_first, covers_last;
    stamp imported;
    int64_t lines;
    struct decimal billed, effective; /* exact */
};

/* Coarse data and detailed data of the same money met: the details count. */
struct ledger_overlap {
    struct str file; /* coarse data that was left out; empty: the coarse bill is replaced */
    struct str format, currency; /* of the coarse data */
    int64_t coarse;              /* the bill that is replaced; 0 when it was left out */
    int64_t detailed;            /* the bill with the details; 0: not written yet */
    int64_t lines;               /* coarse charges that do not count */
    struct decimal amount;       /* of those */
    day first, last;             /* their days */
    int64_t rest_lines,
        rest; /* of a replaced one: charges of other days; the bill they are in */
};

/* A charge of an earlier delivery that the new one does not have. */
struct ledger_left {
    day on;
    struct str service, resource, description;
    struct decimal amount;
};

/* A bill came again with a few lines less: what left, and what else differs. */
struct ledger_bill_correction {
    size_t bill; /* of `bills` */
    int64_t left, changed, added;
    struct decimal left_amount;
    const struct ledger_left *charges; /* the first of those that left */
    size_t charge_count;
};

/* A bill of another account or format that may be the same money; `replaced`: that is, and had
 * to go. */
struct ledger_likeness {
    size_t bill; /* of `bills` */
    struct ledger_bill there;
    double share; /* of its costs by resource and day; 0: the same total on the same days */
    bool replaced;
};

struct ledger_imported {
    const struct ledger_bill *bills; /* what came in */
    size_t count;
    const struct ledger_bill *replaced; /* what had to go for it */
    size_t replaced_count;
    int64_t lines;
    const struct ledger_overlap *overlaps;
    size_t overlap_count;
    const struct ledger_likeness *likenesses;
    size_t likeness_count;
    const struct ledger_bill_correction *corrections;
    size_t correction_count;
};

/* When a period began: at the edge of a month when it is no further from it than zones are,
 * since clouds write the same month as 2026-05-01T00:00:00Z and as 2026-04-30T22:00:00Z. */
stamp ledger_period_edge(stamp start);

/* Make it seen, in one transaction; frees the import either way. What it replaces is swept
 * away after that, a little at a time. ERROR_INPUT when a bill is smaller than what it would
 * replace (lines, days, period, or less than four fifths of the amount; but not when at
 * least 95 % of the lines came again and the total is within 5 %), when it is the same money
 * as a bill of another account or format (the same costs of the same resources on the same
 * days), when it has less than four fifths of the charges that it would replace (it is
 * another part then), when days that are added look like days that are there, or when coarse
 * and detailed data of the same days are far apart. */
bool ledger_import_commit(struct ledger_import *import, struct arena *arena,
                          struct ledger_imported *out, struct error *err) MUST_USE;
void ledger_import_abandon(
    struct ledger_import *import); /* nothing of it stays; NULL is fine */

/* The bills that are there, by period, provider and account. */
bool ledger_bills(struct ledger *ledger, struct arena *arena, const struct ledger_bill **out,
                  size_t *count, struct error *err) MUST_USE;
bool ledger_bill_remove(struct ledger *ledger, int64_t key, struct error *err) MUST_USE;

/* Daily sums: a charge counts on the day on which it starts. One for each day (or coarser), set
 * of dimensions and currency. */
enum ledger_grain {
    GRAIN_ALL, /* one sum for all of the time */
    GRAIN_DAY,
    GRAIN_MONTH,
};

struct ledger_cost {
    day from; /* the first day of the grain; DAY_UNKNOWN for GRAIN_ALL */
    struct dimensions of;
    struct currency currency;
    struct decimal billed, effective, list, contracted;
    int64_t lines;
};

enum ledger_amount {
    AMOUNT_BILLED,
    AMOUNT_EFFECTIVE,
    AMOUNT_LIST,
    AMOUNT_CONTRACTED,
};

struct ledger_cost_query {
    day since, until; /* the first day, and the first day after; DAY_UNKNOWN: any */
    enum ledger_grain grain;
    uint64_t
        by; /* bits of enum dimension: the others are empty in the answer and summed over */
    /* Which amounts are wanted, as bits of enum ledger_amount: the others are 0. 0: all. */
    unsigned amounts;
    /* Only what has such values, by the dimensions of `by`; NULL: all. */
    bool (*only)(const void *ctx, const struct dimensions *of);
    const void *only_ctx;
};

/* The sums, each passed to `each` (its texts live until it returns); it returns false with the
 * error set to stop, and asks the ledger nothing. Where there are very many, a sum comes in
 * parts. From bills alone: what runs cost is ledger_charges()'s. */
bool ledger_costs(struct ledger *ledger, const struct ledger_cost_query *query,
                  bool (*each)(void *ctx, const struct ledger_cost *cost, struct error *err),
                  void *ctx, struct error *err) MUST_USE;

/* Complete lines, as they were imported, oldest bill first: for exports and reconciliation. */
struct ledger_line_query {
    day since, until;
    int64_t bill; /* its key; -1: all that are seen */
};
bool ledger_bill_lines(struct ledger *ledger, const struct ledger_line_query *query,
                       bool (*each)(void *ctx, const struct ledger_bill *bill,
                                    const struct bill_line *line, struct error *err),
                       void *ctx, struct error *err) MUST_USE;

/* What these lines are of, once for each bill: the columns that do not vary from line to line
 * (focus_varies()), the others empty; no amounts and times. */
bool ledger_bill_things(struct ledger *ledger, const struct ledger_line_query *query,
                        bool (*each)(void *ctx, const struct ledger_bill *bill,
                                     const struct bill_line *thing, struct error *err),
                        void *ctx, struct error *err) MUST_USE;

/* The rules that classify have changed: ask again for every thing, and sum up anew the bills,
 * one by one. An import that is under way must be done again. When it was broken off, sums are
 * right, but by the old rules for some bills: do it again. `changed`: things that moved. */
bool ledger_regroup(struct ledger *ledger, const struct ledger_import_options *options,
                    int64_t *changed, struct error *err) MUST_USE;

#endif
