/* slots.h - when a machine is cheapest, or its power cleanest, in the days to come. */
#ifndef PLAN_SLOTS_H
#define PLAN_SLOTS_H

#include "doc/field.h"
#include "plan/week.h"

struct slot_row {
    struct str day; /* Mon */
    stamp start, end;
    double start_h;
    double price, carbon; /* multipliers */
    usd_per_hour per_hour;
    usd cost;
    double carbon_g_kwh;
    double saves; /* share of the price, or of the carbon, compared with starting now */
};

/* The week of a provider's market. */
struct slot_pattern {
    struct str provider, market, basis, reason;
    stamp start;  /* of the cheapest slot; unknown: none is worth waiting for */
    double price; /* multiplier of the cheapest slot */
    double swing; /* most expensive slot over the cheapest, less 1 */
    day date;
    bool used; /* false: a rule of thumb, which changes no price */
};

struct plan_slots_result {
    struct str offer, provider, region, instance, accelerator, market;
    int64_t count;
    usd_per_hour price;    /* that the multipliers are of */
    struct str price_kind; /* "as last seen", or "mean of its last week" */
    day price_date;
    double hours;
    int64_t days;
    struct str aim, ranked; /* by "cost", "carbon" or "time" */
    struct str price_basis, price_why, carbon_basis, carbon_why;
    double price_swing, carbon_swing; /* of slots of this length */
    double carbon_g_kwh;
    struct str crontab;   /* when the best slot comes again; empty: none is better */
    struct rows slots;    /* struct slot_row, best first */
    struct rows now;      /* struct slot_row: one, starting now */
    struct rows patterns; /* struct slot_pattern: when no offer was asked for */
    struct strs flat;     /* providers of which none is known */
};

extern const struct field_set plan_slots_result_fields;

/* The price that multipliers are of: the mean of the last week, with the user's discount, when
 * the pattern is of the machine's own prices; else the known one. `row`: the machine in the
 * catalog, or NULL. */
void slots_set_price(const struct machine *machine, const struct machine *row,
                     const struct offer_week *week, struct plan_slots_result *res);

/* The slots of one offer: hours, days, aim, machine and price of the result are given, the rest
 * is filled in. At most `limit` of them. */
bool slots_of_offer(const struct offer_week *week, stamp now, size_t limit, struct arena *arena,
                    struct plan_slots_result *res, struct error *err) MUST_USE;

/* The cheapest slot of each provider's market that has a pattern (TABLE_PRICE_HOURS), of the
 * result's hours and days; and of the providers that are named, those that have none
 * (TABLE_PROVIDERS). `market` empty: both. */
bool slots_of_providers(const struct catalog *catalog, struct strs providers, struct str market,
                        stamp now, struct arena *arena, struct plan_slots_result *res,
                        struct error *err) MUST_USE;

#endif
