/* cost.h - what a job costs, line by line; each line has one writer, so nothing is counted
 * twice.
 *
 * Hours are physics: double, with a range. They become money once, where a line is written.
 * Money is integers; what is computed from an unknown price is unknown. Everything is USD.
 */
#ifndef ESTIMATE_MONEY_COST_H
#define ESTIMATE_MONEY_COST_H

#include "unit/energy.h"
#include "unit/money.h"
#include "unit/size.h"
#include "unit/time.h"

enum cost_line_id {
    COST_COMPUTE, /* the training itself */
    COST_SETUP,   /* machines that are being prepared */
    COST_UPLOAD,  /* machines that wait for data, and what the bytes cost */
    COST_EVALUATION,
    COST_CHECKPOINTS, /* machines that wait for a save */
    COST_LOST,        /* slow steps, failures and waits of a long run: goodput.h */
    COST_DOWNLOAD,    /* machines that wait until the results have left */
    COST_FAILURES,    /* hardware and bugs: work done again */
    COST_SEARCH,      /* trials before the run that counts */
    COST_STORAGE,
    COST_EGRESS,        /* what the bytes that leave cost */
    COST_ELECTRICITY,   /* where it is paid apart: one's own machines */
    COST_INTERRUPTIONS, /* written by spot */
    COST_BILLING,       /* time billed and not used: written by plan */
    COST_MARKUP,        /* of a managed platform: written by plan */
    COST_OWNED,         /* what is paid for already, less than nothing: written by plan */
    COST_LINE_COUNT,
};

/* 10th percentile, what is expected, 90th percentile. */
struct hours_range {
    double low, expected, high;
};

struct usd_range {
    usd low, expected, high;
};

struct cost_line {
    bool written; /* the others were not written: they are no part of the total */
    struct usd_range amount;
    struct hours_range hours; /* of the clock, that this phase takes; 0 when it takes none */
};

/* Starts as all zeros: no line written. */
struct cost {
    struct cost_line at[COST_LINE_COUNT];
};

extern const char *const cost_line_names[COST_LINE_COUNT];

/* Write a line. Whoever writes one twice has a bug: it is asserted. */
void cost_write(struct cost *cost, enum cost_line_id line, struct usd_range amount,
                struct hours_range hours);

/* The sum of what is written; unknown when one of them is. The ends add up as if all went
 * well or badly together, which they do: they follow the same hours. */
struct usd_range cost_total(const struct cost *cost);
struct hours_range cost_hours(const struct cost *cost);

/* The total where the price of machines is not sure either: 8 of 10 such prices are within a
 * factor of exp(width), whatever the hours are. `fixed` is the part of the total that does not
 * depend on that price. */
struct usd_range cost_widen(struct usd_range total, usd fixed, double width);

/* A job as plain values. Shares are of the training time. */
struct cost_inputs {
    struct hours_range training; /* of the run that counts */
    struct hours_range lost;     /* what that run takes besides, by goodput.h */
    int64_t machines;
    usd_per_hour price;                   /* of one machine */
    double setup_s, upload_s, download_s; /* machines are paid for meanwhile */
    double evaluation, checkpoints;
    double failures;     /* share of all runs that is done again: 1 is every run twice */
    usd ingress, egress; /* of the bytes, as transfer_cost() has them; zero where free */

    bytes stored;
    usd_per_gb storage_month;
    double storage_days;
    int64_t storage_minimum_days; /* that the provider bills */

    int64_t trials, parallel; /* parallel: sets of machines that share the trials */
    double trial_fraction;    /* of a full run, each */

    watt power;         /* of all machines, with the building's share */
    usd_per_kwh tariff; /* zero where the machines' price includes it */
};

/* How long a set of machines is there in all, and what for: sets side by side are added up.
 * Energy follows it, as money does. */
struct machine_hours {
    struct hours_range busy;    /* training and all that comes with it, trials, repeated work */
    struct hours_range waiting; /* for set-ups and for data */
};

struct machine_hours cost_machine_hours(const struct cost_inputs *in);

/* Writes every line up to electricity. Inputs that are less than nothing make their line
 * unknown. */
struct cost estimate_cost(const struct cost_inputs *in);

/* `hours` at `price`: the one way from physics to money. Unknown when either is. */
usd cost_of_hours(usd_per_hour price, double hours);

/* Keeping `size` for `days`, at least the provider's minimum, at a price for a month of 30
 * days. */
usd cost_of_storage(usd_per_gb month, bytes size, double days, int64_t minimum_days);

/* One of `count` images, steps, epochs, experiments, predictions. */
usd cost_each(usd total, double count);

/* `units` of what a machine makes `per_second` of while it is busy, when it is busy
 * `utilization` of the time it is paid for: units 1000 for predictions, 1e6 for tokens. */
usd cost_of_output(usd_per_hour price, double per_second, double utilization, double units);

#endif
