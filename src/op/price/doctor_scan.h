/* doctor_scan.h - one walk through the whole price store, for price.doctor. */
#ifndef OP_PRICE_DOCTOR_SCAN_H
#define OP_PRICE_DOCTOR_SCAN_H

#include "market/zones.h"
#include "op/market.h"
#include "op/price/price_doctor.h"

struct op_context; /* op/context.h */

#define DOUBT_BITS 4
#define LAST_DAY 40000 /* since 1970: 2079 */
#define JUMP_DAYS 90   /* of a history's last days, in which jumps are looked for */

/* A stretch in which no price of a feed changed, much longer than usual. */
struct doctor_gap {
    size_t feed;
    int32_t from, to; /* days */
    double usual;
};

/* A price that went to ten times or a tenth at once, and is fine now. */
struct doctor_jump {
    size_t series;
    double ratio; /* the new price over the old, of its largest */
    stamp at;
};

/* Two feeds that differ about one price. */
struct doctor_conflict {
    struct store_offer offer;
    struct store_series a, b;
    double apart;
};

/* An accelerator that the catalog does not know. */
struct doctor_unknown {
    struct str name;
    int64_t offers;
};

struct doctor_scan {
    struct op_context *ctx;
    const struct store *store;
    size_t keep; /* examples of each kind */
    struct doctor_feed *feeds;
    struct doctor_gap *gaps;
    size_t gap_count, gaps_found;
    size_t *doubtful[DOUBT_BITS]; /* series, the first `keep` */
    size_t doubts_found[DOUBT_BITS];
    struct doctor_conflict *conflicts; /* widest first */
    size_t conflict_count, conflicts_found;
    struct doctor_jump *jumps; /* widest first */
    size_t jump_count, jumps_found;
    struct doctor_unknown *unknown; /* most offers first */
    size_t unknown_count;
};

/* Needs TABLE_ACCELERATORS. Damaged series are left out. */
bool doctor_scan(struct doctor_scan *scan, struct error *err) MUST_USE;

#endif
