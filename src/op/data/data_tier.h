/* data_tier.h - files by age on cheaper disks: request and result of data.tier. */
#ifndef OP_DATA_DATA_TIER_H
#define OP_DATA_DATA_TIER_H

#include "data/tier.h"
#include "unit/money.h"
#include "unit/size.h"

extern const struct op op_data_tier;

struct data_tier_request {
    struct str folder, warm, cold, provider;
    span warm_after, cold_after, delete_after;
    struct strs only;
    usd_per_gb storage_price, warm_price, cold_price;
    int64_t limit;
    bool by_use, link, yes;
};

/* All files of a tier. */
struct data_tier_row {
    int32_t tier;      /* enum data_tier */
    span after;        /* from this age on */
    struct str folder; /* where they go; empty: nowhere */
    int64_t files, done, failed;
    bytes size;
    usd_per_gb price;
    struct str price_source;
    usd month, saved; /* for a month: what the tier costs, and how much less that is than hot */
};

struct data_tier_result {
    struct str folder;
    struct rows tiers; /* struct data_tier_row */
    struct rows files; /* struct tier_file, the largest first */
    int64_t file_count, kept;
    usd saved; /* for a month */
    bool dry_run;
};

#endif
