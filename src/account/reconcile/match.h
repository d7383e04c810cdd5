/* match.h - which runs a bill was for. Pure.
 *
 * The bill is cut into cells: a machine on a day. Each attempt at a run is matched with the
 * machine it ran on - by the machine's id, by a tag that names the run, by the machine's
 * name, or, when none is known, by provider, type, region, market and time - and gets the
 * share of a cell's cost that its time is of the time billed. What remains of a machine that
 * runs were on is idle; a machine that no run was on is untracked. Shares and remainder add up
 * to the cell exactly.
 */
#ifndef ACCOUNT_RECONCILE_MATCH_H
#define ACCOUNT_RECONCILE_MATCH_H

#include "base/arena.h"
#include "base/decimal.h"
#include "unit/money.h"
#include "unit/time.h"

/* How it is known that a run was on a machine, the best last. */
enum reconcile_how {
    RECONCILE_NOT,
    RECONCILE_PLACE,    /* the machine of that type, place and time that fits best */
    RECONCILE_NAME,     /* the only one that is called as the host of the run */
    RECONCILE_TAG,      /* the machine's tags name the run */
    RECONCILE_RESOURCE, /* the run knows the machine's id */
    RECONCILE_HOW_COUNT
};
extern const char *const reconcile_how_names[RECONCILE_HOW_COUNT]; /* "" for RECONCILE_NOT */

/* Why a run was matched with no machine. */
enum reconcile_why {
    RECONCILE_WHY_NOT,    /* it was, or nothing is known of its machine */
    RECONCILE_WHY_ID,     /* the bill has no line of the machine it names at that time */
    RECONCILE_WHY_TYPE,   /* it has no machine of that provider, type and region */
    RECONCILE_WHY_MARKET, /* those it has are on the other market: spot, or not */
    RECONCILE_WHY_HOURS,  /* none was billed for most of its time */
    RECONCILE_WHY_TAKEN,  /* those that were have other runs at that time */
    RECONCILE_WHY_COUNT
};
extern const char *const reconcile_why_names[RECONCILE_WHY_COUNT];

/* How a machine is paid for. A commitment covers machines that are started on demand: both are
 * one here. */
enum reconcile_market { RECONCILE_ANY, RECONCILE_ON_DEMAND, RECONCILE_SPOT };

/* By the name of a pricing ("spot", "on-demand", "committed"); RECONCILE_ANY: not known. */
enum reconcile_market reconcile_market_of(struct str pricing);

struct reconcile_machine {
    struct str resource, name; /* as the bill has them */
    struct str provider, region, instance;
    struct str run;     /* that its tags name: an id or a name; empty: none */
    struct str account; /* that it is billed to; empty: not known */
    struct str role;    /* what its tags say that it is for: "inference"; empty: nothing */
    enum reconcile_market market;
};

struct reconcile_cell {
    size_t machine; /* its place in the list */
    day on;
    stamp from,
        to; /* when it was billed, as exactly as the bill has it: within the day or later */
    double hours; /* that were billed; NaN: unknown, then all of the day counts */
    struct decimal cost;
    struct currency currency;
    /* Set by reconcile_match(). */
    struct decimal matched;
    int64_t run_seconds; /* of all attempts matched with it */
    int64_t shared;      /* of them: whose share was computed */
};

struct reconcile_attempt {
    struct str run, name;                  /* id and name of the run */
    struct str resource, host;             /* of the machine it ran on; empty: not known */
    struct str provider, region, instance; /* likewise */
    stamp from, to;
    int64_t count; /* machines of that kind, all at the same time; 0 is 1 */
    enum reconcile_market market;
    /* Set by reconcile_match(). */
    enum reconcile_how how;
    enum reconcile_why why;
    size_t *machines; /* that it was on: several by tags, or when it has a count */
    size_t machine_count;
    struct decimal billed;    /* its share of all cells */
    struct currency currency; /* of the first of them: others are not in `billed` */
    double hours_billed;      /* of its time that a cell covers; of several, on average */
};

/* What was billed. Cells are sorted by machine and day, one for each currency. */
struct reconcile_bill {
    const struct reconcile_machine *machines;
    size_t machine_count;
    struct reconcile_cell *cells;
    size_t cell_count;
};

/* Match the attempts with the machines and share out the cells. What attempts point at lives in
 * the arena. Every attempt that does not know its machine is compared with all of its type,
 * the others with one or two. False when memory runs out, or when an amount does not fit. */
bool reconcile_match(const struct reconcile_bill *bill, struct reconcile_attempt *attempts,
                     size_t attempt_count, struct arena *arena, struct error *err) MUST_USE;

/* The first cell of the machine that is not before the day, among `count` cells. */
size_t reconcile_cell_at(const struct reconcile_cell *cells, size_t count, size_t machine,
                         day on);

#endif
