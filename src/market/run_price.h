/* run_price.h - what the machine of a run costs, where that is known from, and how clean its
 * power is.
 *
 * In this order: what the user gives (--price, --offer, a saved plan), the machine that this
 * is by its cloud, and at home the electricity. Each function answers for one of these, from
 * tables that the caller has loaded, since a price that is given needs none; op/run_price.h
 * asks them in order.
 */
#ifndef MARKET_RUN_PRICE_H
#define MARKET_RUN_PRICE_H

#include "base/clock.h"
#include "market/offers.h"

/* The machine that a run is on, as its cloud describes it; empty: not known. */
struct machine_seen {
    struct str provider, region, instance;
    struct str market; /* "on-demand" or "spot" */
};

struct run_price_request {
    usd_per_hour price;      /* --price, of the complete machine; unknown: not given */
    struct str offer;        /* --offer: as catalog/machine.h has it; empty: not given */
    struct str plan;         /* --plan: a file; empty: none */
    struct str job;          /* a job file or a model, to be kept; empty: none */
    usd_per_kwh electricity; /* --electricity, paid on top; unknown: not given */
    const struct machine_seen *machine; /* that this is; NULL: of no cloud that is known */
    struct str gpu; /* its devices as the meters saw them; empty: not known */
    int64_t gpus;   /* 0 when there is none, below when it is not known */
    bool carbon;    /* look up how clean the power is */
};

/* Nothing is given and nothing is known. */
struct run_price_request run_price_blank(void);

enum run_price_how {
    RUN_PRICE_UNKNOWN, /* `hint` has what to do about it */
    RUN_PRICE_SAID,
    RUN_PRICE_OFFER,
    RUN_PRICE_PLAN,
    RUN_PRICE_MACHINE,
    RUN_PRICE_ELECTRICITY,
};

struct run_price {
    enum run_price_how how;
    usd_per_hour rate;       /* of this machine; unknown when only electricity is paid */
    usd_per_kwh electricity; /* that is paid apart; unknown: none is, or not known */
    struct str offer, market, provider, region; /* empty: not known */
    struct str machine;     /* its id, as the cloud and its bill have it; empty: not known */
    struct str accelerator; /* that the offer has; empty: not known */
    int64_t accelerators;   /* how many; below 0: not known */
    struct str
        source;      /* "aws/us-east-1/g5.xlarge:spot, price of 2026-11-09 (6 days old), ..." */
    day date;        /* of the price; unknown: none */
    struct str hint; /* when it is not known: what to type */
    /* How the provider bills: reported, and no part of the rate. NaN: not known. */
    double billing_s, minimum_s; /* the step, and the least that is billed */
    double setup_s;              /* until a new machine is ready, usually */
    double notice_s;             /* before a spot machine is taken away */
    usd_per_gb storage_month;    /* of what is kept in its object store; unknown */
    /* Carbon, when it was asked for: NaN and empty when not. */
    double grams_per_kwh, pue;
    struct str carbon_source;
};

/* Nothing is known yet. */
struct run_price run_price_unknown(void);

/* Keep its texts in the arena. */
bool run_price_keep(struct run_price *price, struct arena *arena, struct error *err) MUST_USE;

/* --price, with the place that --offer names. */
bool run_price_given(const struct run_price_request *request, struct run_price *out,
                     struct error *err) MUST_USE;

/* The tables of run_price_offer() and run_price_machine(), besides the offers. */
#define RUN_PRICE_TABLES \
    (TABLE_BIT(TABLE_ACCELERATORS) | TABLE_BIT(TABLE_NAMES) | TABLE_BIT(TABLE_CPU_OFFERS) | \
     TABLE_BIT(TABLE_LOCAL) | TABLE_BIT(TABLE_ONPREM) | TABLE_BIT(TABLE_ELECTRICITY) | \
     TABLE_BIT(TABLE_PROVIDERS) | TABLE_BIT(TABLE_STORAGE))

/* --offer: of several the cheapest, which is noted. ERROR_ABSENT when there is none. */
bool run_price_offer(const struct market_view *view, const struct run_price_request *request,
                     struct run_price *out, struct error *err) MUST_USE;

/* The machine that this is by its cloud; of several offers the most expensive, since a guard
 * that counts too little stops too late. Stays unknown, with a hint, when it has no price. */
bool run_price_machine(const struct market_view *view, const struct run_price_request *request,
                       struct run_price *out, struct error *err) MUST_USE;

/* Is electricity what this machine costs: is a tariff given, or is it the user's own by their
 * word? A rented machine that is not recognized is in a country, too, and costs far more. */
bool run_price_has_tariff(const struct market_view *view,
                          const struct run_price_request *request);

/* Only electricity is paid (needs TABLE_ELECTRICITY unless it is given or set). */
bool run_price_electricity(const struct market_view *view,
                           const struct run_price_request *request, struct run_price *out,
                           struct error *err) MUST_USE;

/* Of a price that stays unknown: what to type. */
void run_price_add_hint(struct run_price *out);

/* The place, as the cloud describes it, where no better one is known. */
void run_price_place(const struct run_price_request *request, struct run_price *out);

/* How the provider bills (TABLE_PROVIDERS, TABLE_STORAGE). */
void run_price_terms(const struct market_view *view, struct run_price *out);

/* Whose rows of TABLE_REGIONS run_price_carbon() needs. */
struct str run_price_seller(const struct run_price *price);

/* How clean the power is there. */
bool run_price_carbon(const struct market_view *view, const struct catalog *regions,
                      struct run_price *out, struct error *err) MUST_USE;

/* Warn of a price that is old, or from the future. */
void run_price_warn_age(const struct market_view *view, struct str what, day date);

/* ", price of 2026-11-09 (6 days old)". */
void run_price_write_date(const struct market_view *view, day date, struct buf *out);

/* What an offer cost in a time that is past, by the store's history: the cost of one machine.
 * `prices` is 0 when the store does not know it. */
struct price_then {
    usd cost;
    usd_per_hour first, last;
    int64_t prices;
    struct str feed;
};

/* `now` is the price of the offer that was found (needs TABLE_EXCHANGE). */
bool run_price_then(const struct market_view *view, const struct run_price *now, stamp start,
                    stamp end, struct price_then *out, struct error *err) MUST_USE;

/* What so many of its machines cost in that time, at the prices of then, or at `now->rate`,
 * which becomes that of then; and their rate. Unknown without a price. ERROR_USAGE when it is
 * more than can be recorded. */
bool run_price_machines(struct run_price *now, const struct price_then *then, span time,
                        int64_t count, usd *cost, usd_per_hour *rate,
                        struct error *err) MUST_USE;

/* Where the cost of a run in that time is from, where a list price is an estimate of it. */
bool run_price_then_source(const struct run_price *now, const struct price_then *then,
                           struct arena *arena, struct str *out, struct error *err) MUST_USE;

#endif
