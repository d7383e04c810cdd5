/* plan_slots.h - when it is cheapest or cleanest: request and result of plan.slots, and the
 * week of an offer, for whoever chooses a start. */
#ifndef OP_PLAN_PLAN_SLOTS_H
#define OP_PLAN_PLAN_SLOTS_H

#include "op/op.h"
#include "plan/offer_week.h"

/* The offer's own prices in the store go first, when they show a pattern beyond chance or had
 * the time to show one and did not; then the provider's rows of price_hours.csv; else nothing
 * is known to change. Reads the series of one offer and turns its weeks 199 times (a few ms
 * where hours are seen), so ask for few. `history` false: only the tables, at no cost. */
bool plan_week_of_offer(struct op_context *ctx, const struct week_offer *offer, bool history,
                        struct offer_week *out, struct error *err) MUST_USE;

struct plan_slots_request {
    double hours;
    int64_t days, limit;
    struct str offer, gpu, market, aim;
    struct strs providers, regions;
};

struct slot_row {
    struct str day, start, end; /* Mon; RFC 3339 */
    double start_h;
    double price, carbon; /* multipliers */
    usd_per_hour per_hour;
    usd cost;
    double carbon_g_kwh;
    double saves; /* share of the price, or of the carbon, against starting now */
};

/* The week of a provider's market. */
struct slot_pattern {
    struct str provider, market, basis, start, why;
    double price; /* multiplier of the cheapest slot */
    double swing; /* dearest slot over the cheapest, less 1 */
    day date;
};

struct plan_slots_result {
    struct str offer, provider, region, instance, accelerator, market;
    int64_t count;
    usd_per_hour price;    /* that the multipliers are of */
    struct str price_kind; /* "now", or "mean of its last week" */
    day price_date;
    double hours;
    int64_t days;
    struct str aim, ranked; /* by "cost", "carbon" or "time" */
    struct str price_basis, price_why, carbon_basis, carbon_why;
    double price_swing, carbon_swing; /* of slots of this length */
    double carbon_g_kwh;
    struct rows slots;    /* struct slot_row, best first */
    struct rows now;      /* struct slot_row: one, starting now */
    struct rows patterns; /* struct slot_pattern: when no offer was asked for */
    struct strs flat;     /* providers of which none is known */
};

#endif
