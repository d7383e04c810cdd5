/* run_price.h - what the machine of a run costs, where that is known from, and how clean its
 * power is.
 *
 * In this order: what the user says (--price, --offer, a saved plan), the machine that the
 * cloud says this is, and at home the electricity. Who asks pays for no more than is needed:
 * a price that was said reads no catalog. What was read is given back before the answer is:
 * only the answer's own texts stay, in the arena of the caller's context.
 */
#ifndef OP_RUN_RUN_PRICE_H
#define OP_RUN_RUN_PRICE_H

#include "op/op.h"
#include "run/cloud/metadata.h"

struct run_price_request {
    usd_per_hour price;      /* --price, of the whole machine; unknown: not said */
    struct str offer;        /* --offer: as op/price/offer_name.h has it; empty: not said */
    struct str plan;         /* --plan: a file; empty: none */
    usd_per_kwh electricity; /* --electricity, paid on top; unknown: not said */
    const struct metadata *machine; /* that this is; NULL: of no cloud that is known */
    struct str gpu;                 /* its devices as the meters saw them; empty: not known */
    int64_t gpus;                   /* 0 when there is none, below when it is not known */
    bool carbon;                    /* look up how clean the power is */
};

/* Nothing is said and nothing is known. */
struct run_price_request run_price_blank(void);

enum run_price_how {
    RUN_PRICE_UNKNOWN, /* `hint` says what to do about it */
    RUN_PRICE_SAID,
    RUN_PRICE_OFFER,
    RUN_PRICE_PLAN,
    RUN_PRICE_MACHINE,
    RUN_PRICE_ELECTRICITY,
};

/* What a saved plan predicts. */
struct run_estimate {
    usd cost, cost_low, cost_high; /* of all its machines */
    span time;
    int64_t machines;           /* that it rents; 0 without a plan */
    usd_per_hour rate;          /* of all of them */
    usd setup, storage, egress; /* one machine's share of what it adds for these */
    struct str features;        /* what it was predicted with: JSON */
    struct str constants;       /* by which of the estimator's */
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
    struct run_estimate estimate; /* of the plan: unknown without one */
};

/* Find it. Notes what was chosen and what may be wrong: several offers, an old price.
 * An unknown price is no failure; a name, a plan or a price that is wrong is. */
bool run_price_find(struct op_context *ctx, const struct run_price_request *request,
                    struct run_price *out, struct error *err) MUST_USE;

#endif
