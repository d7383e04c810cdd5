/* roi.h - what faster hardware is worth: money, time of who waits, electricity, wear.
 *
 * Pure. An hour of waiting has a value, so that a run costs its money and the time waited for
 * it. Compared are ways to do the same work: on one's own machine, rented, on faster machines;
 * and what was spent on past runs with what they would have cost on one's own machine.
 *
 *     electricity  W / 1000 x hours x price of a kWh
 *     wear         hours x (price - resale) / hours of use in its life
 *     total        money + hours x share of them spent waiting x value of an hour
 *     return       (total of one way - total of the other) / money invested
 */
#ifndef ADVISE_ROI_H
#define ADVISE_ROI_H

#include "doc/field.h"
#include "unit/money.h"

/* A machine of one's own. */
struct roi_machine {
    double load_w, usd_kwh;
    double price;      /* of a new one; NaN: not known, so that wear is not counted */
    double resale;     /* share of it */
    double life_hours; /* in use, in all */
};

double roi_electricity(const struct roi_machine *machine, double hours);
double roi_wear(const struct roi_machine *machine, double hours);

/* The same work, done in one way. */
struct roi_way {
    double hours, money; /* from start to end; paid, with electricity and wear */
};

/* `hour`: dollars that an hour of it is worth to who waits. */
double roi_total(const struct roi_way *way, double hour);

struct roi_return {
    double net;         /* dollars that the other way is better by, with time; below 0: worse */
    double hours_saved; /* below 0: it takes longer */
    double extra;       /* money that it costs more; below 0: less */
    double ratio;       /* net / extra; NaN: nothing extra is paid */
    /* Value of an hour from which the one that is faster is worth its price; 0: it costs no
     * more; NaN: neither is faster. */
    double break_even_hour;
};

/* From one way to the other. */
struct roi_return roi_compare(const struct roi_way *from, const struct roi_way *to,
                              double hour);

/* How many runs, one after the other, a day has time for. */
double roi_runs_a_day(double hours);

/* What each further run a day costs, when going from one way to the other and making as many as
 * there is time for; NaN when there are no more of them. */
double roi_further_run(const struct roi_way *from, const struct roi_way *to);

/* Months until a price is paid back; infinite: never. */
double roi_payback_months(double price, double saved_month);

/* "10/month", "3/day", "2/week", "50/year", in a month. ERROR_USAGE with what to type. */
bool roi_runs_parse(struct str text, double *a_month, struct error *err) MUST_USE;

#define ROI_MONTH_HOURS 730.0
#define ROI_MONTH_DAYS (ROI_MONTH_HOURS / 24)

/* ---- past runs ---- */

/* A run that was rented, and what it would have been on one's own machine. */
struct roi_run {
    struct str id, name, gpu;
    usd cost;
    double hours;
    double local_hours; /* NaN: it does not fit, or that is not known */
    struct str why_not; /* empty: it could run there */
    usd local_cost;     /* electricity and wear */
    usd net;            /* saved by renting, with time; below zero: lost */
};

extern const struct field_set roi_run_fields;

struct roi_portfolio {
    int64_t runs, infeasible;     /* infeasible: only rented machines could do them */
    usd invested;                 /* paid for all of them */
    usd invested_feasible;        /* of it, for those that could have been local */
    usd cloud_total, local_total; /* of the feasible ones, with time */
    usd net;                      /* local less cloud */
    double ratio;                 /* net over what was invested in them; NaN: nothing */
    usd average;                  /* net of a run; unknown: there is none */
    double hours_saved;
};

/* Fill in costs and net of each run, and add them up. */
struct roi_portfolio roi_add_up(struct roi_run *runs, size_t count,
                                const struct roi_machine *machine, double hour);

#endif
