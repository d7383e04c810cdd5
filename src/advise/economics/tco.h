/* tco.h - what a GPU-hour of a machine that one owns costs, and when owning pays.
 *
 * Pure: what is assumed of one machine (price, life, power, staff, ...) in; its yearly cost by
 * part, the cost of a GPU-hour in use, break-even utilization and payback against a price of
 * the market out. Every assumption has a range, so that what matters most can be shown.
 *
 *     capital    the annuity of price and network less resale, beyond their depreciation
 *     power      kW x (utilization + idle x (1 - utilization)) x 8760 h x price of a kWh
 *     cooling    (PUE - 1) x power
 *     failures   capacity that makes up for machines under repair: cost x down / (1 - down),
 *                down = GPUs x failures a year x days of a repair / 365
 *     GPU-hour   all parts / (GPUs x 8760 h x utilization)
 */
#ifndef ADVISE_TCO_H
#define ADVISE_TCO_H

#include "catalog/catalog.h"

#define TCO_YEAR_HOURS 8760.0

/* What is assumed, of one machine. */
enum tco_item {
    TCO_PRICE,       /* dollars */
    TCO_YEARS,       /* of use */
    TCO_RESALE,      /* share of the price, at the end */
    TCO_CAPITAL,     /* cost of capital a year */
    TCO_NETWORK,     /* share of the price, bought with it */
    TCO_MAINTENANCE, /* share of the price a year */
    TCO_SOFTWARE,    /* dollars a year */
    TCO_STAFF,       /* dollars a year */
    TCO_SPACE,       /* dollars a month for a kW */
    TCO_POWER,       /* kW at work */
    TCO_IDLE,        /* share of that power without work */
    TCO_PUE,
    TCO_ELECTRICITY, /* dollars for a kWh */
    TCO_FAILURES,    /* of a GPU a year */
    TCO_REPAIR,      /* days without the machine for each */
    TCO_UTILIZATION, /* share of hours in use */
    TCO_ITEMS,
};

/* Their names: those of the options, and the items of ownership.csv. Ends with NULL. */
extern const char *const tco_item_names[TCO_ITEMS + 1];

struct tco_input {
    double value, low, high; /* low, high: NaN where only the value was given */
    struct str source;
    day date; /* of the fact; unknown: the user's */
};

struct tco_machine {
    int64_t gpus;
    struct tco_input in[TCO_ITEMS];
};

/* Yearly costs. */
enum tco_line {
    TCO_DEPRECIATION,
    TCO_CAPITAL_COST,
    TCO_NETWORK_COST,
    TCO_POWER_COST,
    TCO_COOLING,
    TCO_SPACE_COST,
    TCO_STAFF_COST,
    TCO_MAINTENANCE_COST,
    TCO_SOFTWARE_COST,
    TCO_FAILURE_COST,
    TCO_LINES,
};

extern const char *const tco_line_names[TCO_LINES + 1];

struct tco_cost {
    double line[TCO_LINES]; /* dollars a year */
    double year;            /* their sum */
    double gpu_hour;        /* in use */
    double fixed_year;      /* of `year`, what is paid without any use */
    double used_hour;       /* and for each GPU-hour in use on top of it */
    double invested;        /* when it is bought */
    double running_year;    /* of `year`, all but depreciation and capital */
    double down;            /* share of hours under repair */
    double kwh_year;        /* with cooling */
};

/* ERROR_USAGE for an input that is not possible: its name, the value, what to type. */
bool tco_check(const struct tco_machine *machine, struct error *err) MUST_USE;

/* Of a machine that tco_check() passed. */
struct tco_cost tco_compute(const struct tco_machine *machine);

/* The utilization at which a GPU-hour costs as much as `price`; infinite: owning costs more at
 * any utilization. Above 1: likewise, but for that. */
double tco_break_even(const struct tco_cost *cost, int64_t gpus, double price);

/* Months until what a rented GPU-hour at `price` would have cost has paid for the machine and
 * its running costs; infinite: never. */
double tco_payback_months(const struct tco_machine *machine, const struct tco_cost *cost,
                          double price);

/* Owning compared with a price of the market. The caller sets the texts and dates. */
struct tco_rival {
    struct str market;      /* "on-demand", "spot", "reserved-1y", "reserved-3y" */
    struct str offer;       /* the cheapest with these GPUs */
    usd_per_hour price;     /* of a GPU */
    usd_per_hour used_hour; /* of a GPU-hour in use: reserved ones are paid all hours */
    usd_per_hour price_low, price_high; /* the range of that price; unknown: none */
    usd year;                           /* for the same use */
    usd saved_year;                     /* by owning; below zero: owning costs more */
    double break_even;     /* utilization; NaN: none, or paid all hours as owning is */
    double payback_months; /* NaN: not while it is used */
    bool cheaper;          /* owning is */
    day date;              /* of the price */
    struct str note;       /* how the price came about; empty: it was read */
};

extern const struct field_set tco_rival_fields;

/* `always`: it is paid for all hours, in use or not. */
struct tco_rival tco_against(const struct tco_machine *machine, const struct tco_cost *cost,
                             double price, bool always);

/* How much one input matters. */
struct tco_effect {
    enum tco_item item;
    double value, low, high; /* as of the input */
    double at_low, at_high;  /* dollars of a GPU-hour with these; NaN without a range */
    double tenth;            /* change of that cost, a share, when it is 10 % more; NaN: that is
                              * not possible */
};

/* One for each input, the widest range first, then by `tenth`. How many: TCO_ITEMS. */
void tco_effects(const struct tco_machine *machine, struct tco_effect out[static TCO_ITEMS]);

/* The range of a GPU-hour's cost at this utilization: ranges of inputs are independent, so that
 * their effects are added as squares. */
void tco_range(const struct tco_effect effects[static TCO_ITEMS], double gpu_hour, double *low,
               double *high);

/* ---- for people and JSON ---- */

/* A price of an hour, rounded as usd_about() does. */
usd_per_hour tco_rate(double dollars);

/* A part of the cost. */
struct tco_part {
    struct str name; /* of tco_line_names */
    usd year;
    usd_per_hour gpu_hour;
    double share;   /* of all */
    struct str how; /* "($300,000 - 10 % resale) / 4 years" */
};

/* An assumption, with what it does. */
struct tco_assumption {
    struct str name, unit, source;
    day date; /* unknown: given by the user */
    double value, low, high;
    usd_per_hour at_low, at_high; /* a GPU-hour with these */
    double tenth;                 /* change of its cost when the value is 10 % more */
};

extern const struct field_set tco_part_fields, tco_assumption_fields;

/* The parts that cost something, in the order of tco_line; struct tco_part. */
bool tco_explain(const struct tco_machine *machine, const struct tco_cost *cost,
                 struct arena *arena, struct rows *out, struct error *err) MUST_USE;

/* The assumptions, what matters most first; struct tco_assumption. */
bool tco_assumptions(const struct tco_machine *machine, struct arena *arena, struct rows *out,
                     struct error *err) MUST_USE;

/* ---- where the inputs come from ---- */

struct tco_ask {
    const struct onprem *row;      /* of the catalog; NULL: none */
    const struct accelerator *gpu; /* what it has; not NULL */
    int64_t gpus;
    struct str site;          /* of ownership.csv: "datacenter" or "office" */
    double given[TCO_ITEMS];  /* by the user; NaN: not given */
    bool only_given;          /* what is not given costs nothing */
    usd_per_kwh electricity;  /* of the settings or the country; unknown */
    struct str tariff_source; /* where that is from */
    day tariff_date;
};

extern const char *const tco_sites[]; /* ends with NULL */

/* What the user gave, else the machine's row, else ownership.csv (TABLE_OWNERSHIP). ERROR_USAGE
 * for what is missing or not possible. */
bool tco_gather(const struct catalog *catalog, const struct tco_ask *ask,
                struct tco_machine *out, struct error *err) MUST_USE;

#endif
