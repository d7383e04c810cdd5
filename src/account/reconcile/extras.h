/* extras.h - what bills charge beside machines: traffic, addresses, volumes, stored objects.
 *
 * A charge is of a kind by the words of its meter and description, of which clouds have few.
 * What a thing is used for (requests of a bucket, bytes of a load balancer) is counted
 * beside what it costs to have it, so that one that is only paid for can be told apart.
 */
#ifndef ACCOUNT_RECONCILE_EXTRAS_H
#define ACCOUNT_RECONCILE_EXTRAS_H

#include "bill/bill.h"
#include "doc/field.h"
#include "unit/money.h"
#include "unit/time.h"

enum extra_kind {
    EXTRA_OTHER,
    EXTRA_REGIONS,  /* traffic between regions */
    EXTRA_ZONES,    /* between zones of a region */
    EXTRA_INTERNET, /* to the internet */
    EXTRA_NAT,      /* gateways for address translation: hours and bytes */
    EXTRA_ADDRESS,  /* public addresses that nothing uses, as the bill says */
    EXTRA_BALANCER, /* load balancers */
    EXTRA_VOLUME,   /* disks of machines */
    EXTRA_SNAPSHOT, /* of disks */
    EXTRA_OBJECTS,  /* stored objects, in a class for frequent use */
    EXTRA_KINDS
};
extern const char *const extra_kind_names[];

/* One thing that is paid for; of what has no resource, all of a kind, account and region. */
struct reconcile_extra {
    enum extra_kind kind;
    struct str provider, account, region, resource;
    struct currency currency;
    struct decimal cost;
    double quantity; /* that it is paid for, in the unit of its lines */
    double used;     /* what its use was charged, or how much of it there was; 0: none */
    int64_t days;    /* with a charge */
    day first, last;
    bool steady;   /* it cost the same on each of its days, to a hundredth */
    double gp2;    /* of a volume's cost: for space of AWS's older SSDs */
    bool detached; /* of a volume: its tags or description say that nothing uses it */
    double
        apart; /* of a volume's cost: days in a row, a week or more, without any machine in its
                   * account and region */
};

extern const struct field_set reconcile_extra_fields;

/* Is it traffic? What a machine sent is on the bill under its name, and no part of its time. */
bool extra_is_traffic(enum extra_kind kind);

/* Its provider as the catalog calls it: "aws". */
struct str extra_provider(const struct reconcile_extra *extra);

/* The kind of a charge. `use`: it is for the use of the thing, not for having it. */
enum extra_kind extra_kind_of(const struct bill_line *line, bool *use);

#endif
