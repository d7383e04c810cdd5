/* machine.h - a machine that can be rented, or that the user has, and what it costs.
 *
 * The one struct for it, from the catalog and the price store to estimates, plans and runs. Its
 * name is `provider/region/instance`: machine.c reads what users write, where parts may be
 * left out or be patterns.
 */
#ifndef CATALOG_MACHINE_H
#define CATALOG_MACHINE_H

#include "base/arena.h"
#include "base/str.h"
#include "unit/money.h"
#include "unit/time.h"

/* How a machine is paid for. Prices of terms are what an hour costs over the complete term. */
enum market {
    MARKET_ON_DEMAND,
    MARKET_SPOT,
    MARKET_RESERVED_1Y, /* one machine for the term */
    MARKET_RESERVED_3Y,
    MARKET_SAVINGS_1Y, /* so much spending an hour for the term */
    MARKET_SAVINGS_3Y,
    MARKET_COUNT,                   /* of price lists; what follows is of plans and questions */
    MARKET_RESERVED = MARKET_COUNT, /* for a term that is not stated here */
    MARKET_OWN,                     /* not rented */
    MARKET_ANY,                     /* on demand or spot, whichever costs less */
};

extern const char *const market_names[MARKET_ANY + 2]; /* "on-demand", ..., NULL */

/* Sets of them, as `only` of a field whose `names` or `choices` are market_names. */
#define MARKET_BIT(market) (UINT64_C(1) << (market))
#define MARKETS_LISTED (MARKET_BIT(MARKET_COUNT) - 1)
#define MARKETS_HOURLY (MARKET_BIT(MARKET_ON_DEMAND) | MARKET_BIT(MARKET_SPOT))
#define MARKETS_COMPARED (MARKETS_HOURLY | MARKET_BIT(MARKET_ANY))
#define MARKETS_PLANNED (MARKETS_HOURLY | MARKET_BIT(MARKET_RESERVED) | MARKET_BIT(MARKET_OWN))
#define MARKETS_ASKED (MARKETS_COMPARED | MARKET_BIT(MARKET_RESERVED))

/* The listed market of this name; case does not matter. False when there is none. */
bool market_named(struct str name, enum market *out) MUST_USE;

#define MARKET_HINT "use on-demand, spot, reserved-1y, reserved-3y, savings-1y or savings-3y"

/* The same as a number; ERROR_USAGE with a suggestion when there is no such market. */
bool market_parse(struct str text, int *out, struct error *err) MUST_USE;

/* What every row of the catalog starts with. */
struct fact {
    day date; /* when it was true */
    struct str source, notes;
    const char *file; /* that it was read from */
    uint64_t line;
    unsigned layer; /* 0 for the built-in tables; the user's come after */
    bool current;   /* false for a price that a newer row of the same key replaced */
};

struct accelerator;
struct exchange;

/* How far to trust a price: set when prices are merged (market/trust.h). */
struct price_trust {
    day date;         /* of the price */
    double width;     /* 8 of 10 prices of this age are within a factor of exp(width) now */
    double unchanged; /* share of prices of this age that are the same now; NaN: not known */
    double premium; /* what the price counts for on top when offers are compared, a share: 0, or
                     * more than any price is off by for one that loses to all others */
    bool stale;     /* older than the user lets prices be */
    bool old;       /* so old that it wins against none that is not (market/trust.h) */
    bool aside;     /* old, and most of those compared are not: worth checking, not the best */
    bool outlier;   /* far below its peers, and seen on one day only */
    bool high;      /* ten times its peers or more */
};

/* The prices of one market that are compared with each other. */
struct price_ages {
    size_t count, old;
};

/* Look at one more of them. */
void price_ages_see(struct price_ages *ages, const struct price_trust *trust);

/* Are more than half of them too old? Then they are compared as they are. */
bool price_ages_mostly_old(const struct price_ages *ages);

/* Set its premium and `aside`: prices are compared as they are shown. One that is too old loses
 * to all others, unless most are; an outlier always does. */
void price_trust_rank(struct price_trust *trust, const struct price_ages *ages);

/* Why a plan may not use a machine, or a machine in a market. Each can be lifted alone, to see
 * what it costs. */
enum machine_bar {
    BAR_ACCOUNT = 1 << 0,  /* a provider that the user has no account with */
    BAR_PROVIDER = 1 << 1, /* not among those of the job or the options */
    BAR_REGION = 1 << 2,
    BAR_GPU = 1 << 3,
    BAR_MARKET = 1 << 4,      /* spot that was not allowed, or on-demand that was not */
    BAR_RELIABILITY = 1 << 5, /* of the provider, below what is asked for */
    BAR_COMMIT = 1 << 6,      /* reserved for a term that was not asked for */
    BAR_SOFTWARE = 1 << 7,    /* an accelerator that the job's software does not run on */
    BAR_OLD = 1 << 8,         /* a price that is set aside for its age (struct price_trust) */
};

enum { BAR_COUNT = 9 };

struct machine {
    struct fact fact; /* of the on-demand price, and of spot unless `spot_source` is set */
    struct str provider, region, zone, instance;
    struct str accelerator; /* empty: it has none */
    int64_t count;          /* of accelerators */
    double vcpus, memory_gib;
    usd_per_hour on_demand, spot; /* the complete machine, with the user's discounts */
    /* Set when prices of the store are merged in: */
    day spot_date;          /* of the spot price */
    struct str spot_source; /* empty: the fact's */
    struct str spot_zone;   /* of a price for a region: the zone that has it; empty: any */
    usd_per_hour list_on_demand,
        list_spot;               /* before the user's discount; 0 when there is none */
    struct str conflict;         /* what another feed has; empty when none disagrees */
    const struct exchange *rate; /* that its prices were converted with; NULL: none */
    struct currency foreign; /* the currency that has no rate, so that its price is unknown */
    struct price_trust trust[MARKET_SPOT + 1]; /* by market */
    /* Set by market_select(); the fact is then of the price in the market asked for, and list
     * prices are unknown without a discount. */
    struct str name;               /* "provider/region/instance" */
    struct str kind;               /* "cloud", "local" or "on-prem" */
    const struct accelerator *gpu; /* NULL: it has none */
    double gpu_memory_gb;          /* of one */
    usd_per_hour per_gpu;          /* in the market asked for */
    double spot_saving;            /* share of on-demand; NaN without both prices */
    int64_t age_days;
    usd_per_hour price_low, price_high; /* 80 % range of the price now, in that market */
    double price_unchanged;             /* chance that it is the same; NaN: not known */
    bool outlier;                       /* in one of its markets */
    /* Of a selection with limits (market/limits.h): */
    unsigned bars;  /* enum machine_bar: the limits that it breaks */
    bool gpu_named; /* they allow its GPU by a pattern */
};

/* How users name a machine and a market:
 *
 *     provider/region[/zone]/instance[:market]    provider/instance    instance
 *
 * Each part may be a pattern ('us-*'); case does not matter. What is left out means the
 * cheapest. */
struct offer_name {
    struct str text;                             /* all of it */
    struct str provider, region, zone, instance; /* NULL when not given */
    int market;                                  /* enum market; -1 when not given */
    /* Of a GPU that stands for every machine with it (offer_name_gpu()), or empty; 0: however
     * many the machine has. */
    struct str gpu;
    int64_t gpus;
};

bool offer_name_parse(struct str text, struct offer_name *out, struct error *err) MUST_USE;

/* Does it name this machine, whatever the market? */
bool offer_name_matches(const struct offer_name *name, struct str provider, struct str region,
                        struct str zone, struct str instance);

/* The same where a GPU's name stands for the machines with it. */
bool offer_name_means(const struct offer_name *name, struct str provider, struct str region,
                      struct str zone, struct str instance, struct str accelerator,
                      double count);

/* "provider/region[/zone]/instance", in the arena. */
bool machine_name(struct str provider, struct str region, struct str zone, struct str instance,
                  struct arena *arena, struct str *out, struct error *err) MUST_USE;

/* Bytes of its memory; NaN when that is not known. */
double machine_host_bytes(const struct machine *machine);

/* The market itself; of MARKET_ANY the one in which the machine costs less. */
enum market machine_market(const struct machine *machine, enum market market);

/* Its price in a market (without rent: on demand); unknown in those that it does not have. */
usd_per_hour machine_price(const struct machine *machine, enum market market);

/* The day of that price. */
day machine_price_date(const struct machine *machine, enum market market);

/* The trust in its price on demand, on spot, or in MARKET_ANY. */
const struct price_trust *machine_trust(const struct machine *machine, enum market market);

/* What that price counts for when offers are compared: with its premium. */
usd_per_hour machine_ranked(const struct machine *machine, enum market market);

/* An amount with a premium on top; unknown stays unknown. */
usd_per_hour rate_with_premium(usd_per_hour price, double premium);

/* The ends of its 80 % range. */
usd_per_hour rate_low(usd_per_hour price, double width);
usd_per_hour rate_high(usd_per_hour price, double width);

#endif
