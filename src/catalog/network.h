/* network.h - which machines can be joined for one job, by what, and how many there are.
 *
 * The rows of networks.csv say it for the machines of a provider, by patterns of their names.
 * What no row says is not known, and then a cautious number is assumed: it is marked as such,
 * and the user can set another.
 */
#ifndef CATALOG_NETWORK_H
#define CATALOG_NETWORK_H

#include "catalog/catalog.h"

/* How a kind of machine is joined. */
struct network {
    struct fact fact;
    struct str provider, instance; /* instance: a pattern */
    double gbit_s;                 /* of one machine to others, one direction; NaN: not known */
    struct str kind;               /* InfiniBand, EFA, RoCE, Ethernet, ...; empty: not known */
    struct str joinable;  /* yes, cluster (as a product of its own), no, single (hosts of
                                      a marketplace: of an offer one is assumed) */
    int64_t min_machines; /* of one job; below 1: 1 */
    int64_t max_machines; /* that can be got; 0: by contract only; below 0: not known */
    int64_t step;         /* machines come in multiples of it */
    double disk_gb;       /* of one, where no other can be attached; NaN: not known */
    struct str quality;   /* A: read in the source, B: in an excerpt, C: not verified */
};

/* A published limit of an account. */
struct limit {
    struct fact fact;
    struct str provider, kind, instance, market; /* kind: quota, spend; instance: a pattern */
    double most;
    struct str unit; /* vCPU, GPUs, machines, USD/h */
    struct str quality;
};

/* Assumed where a provider's machines can be rented and no limit is published. */
#define ASSUMED_MACHINES 8

/* What is known of several machines of one kind. */
struct joining {
    const struct network *row; /* NULL: nothing is known */
    double gb_s;               /* of one GPU to other machines, GB/s; NaN: not known */
    double doubt;              /* of it: the deviation of its logarithm */
    bool sockets;              /* plain Ethernet: everything passes through the host's TCP */
    bool joins;                /* several can work on one job */
    int64_t least, step;       /* machines that are rented: so many at least, and multiples */
    int64_t supply;            /* so many at most */
    bool assumed;              /* the supply is not published */
    bool given;                /* the user set the supply */
};

/* `supply`: OFFER=N of the user's, as joining_check_supply() accepts it; the last that matches
 * counts. Needs TABLE_NETWORKS. */
struct joining machine_joining(const struct catalog *catalog, const struct machine *machine,
                               struct strs supply);

/* Is each of these OFFER=N? ERROR_USAGE with what to write. */
bool joining_check_supply(struct strs supply, struct error *err) MUST_USE;

/* Is "OFFER=N" about this machine? "vast" is a provider, or a machine. */
bool supply_names(struct str text, const struct machine *machine);

/* Machines to rent for so many, with least and step. */
int64_t joining_rented(const struct joining *j, int64_t machines);

/* Can so many work on one job? */
bool joining_allows(const struct joining *j, int64_t machines);

/* The limit of an account for this machine and market; NULL: none is known (needs
 * TABLE_LIMITS). */
const struct limit *limit_find(const struct catalog *catalog, struct str kind,
                               struct str provider, struct str instance, enum market market);

/* Machines that are to be rented. */
struct limit_check {
    struct str provider, instance;
    enum market market;
    int64_t machines, gpus; /* gpus: of all */
    double vcpus;           /* of one machine; NaN: not known */
    usd_per_hour price;     /* of one machine */
};

enum { LIMIT_TEXT = 160 };

/* The limit of a new account that they break, in words; false when none is known to. */
bool limit_words(const struct catalog *catalog, const struct limit_check *check,
                 char out[static LIMIT_TEXT]);

#endif
