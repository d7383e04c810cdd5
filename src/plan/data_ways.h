/* data_ways.h - what moving the data of a job takes, and what would make it less: smaller
 * images, a bundle, machines elsewhere, a copy that is kept.
 *
 * Sizes are measured by the caller; here they become time and money by the same figures as the
 * plan's upload (estimate/money/terms.h). Unknown stays unknown. Pure. */
#ifndef PLAN_DATA_WAYS_H
#define PLAN_DATA_WAYS_H

#include "catalog/catalog.h"
#include "doc/field.h"
#include "unit/money.h"
#include "unit/size.h"

enum data_way_kind {
    DATA_AS_IS,
    DATA_IMAGES,       /* without loss */
    DATA_IMAGES_LOSSY, /* of quality 95 */
    DATA_BUNDLE,
    DATA_REGION, /* machines elsewhere */
    DATA_CACHE,  /* a copy that stays where the machines are */
    DATA_WAYS,
};

extern const char *const data_way_names[DATA_WAYS + 1];

struct data_way {
    enum data_way_kind way;
    bool lossy, worth;               /* worth: it saves enough to be named */
    bytes size, size_low, size_high; /* 80 % range; unknown: not measured */
    int64_t files;
    double seconds;
    usd cost; /* what the cloud that it leaves takes, and machines that wait */
    double saves_seconds;
    usd saves, saves_low, saves_high;
    int64_t sample_files; /* files, or pieces of a bundle, that were measured */
    bytes sample_size;
    struct str command, note; /* note: a reason why it is unknown, or what to know */
};

/* One answer about the data of a job. Without a folder there is none. */
struct plan_data {
    struct str folder, at; /* at: empty: a machine of one's own */
    struct str to;         /* provider/region of the machines; empty: not known */
    bytes size;
    int64_t files;
    usd_per_hour price; /* of all machines that wait */
    struct rows ways;   /* struct data_way: what is known about each, in order */
};

extern const struct field_set plan_data_fields;

/* A size that was measured on a sample. */
struct data_guess {
    bool asked;     /* it makes sense for this data */
    struct str why; /* unknown: why it could not be measured */
    bytes size, low, high;
    int64_t sample_files;
    bytes sample_size;
    int64_t files; /* afterwards */
};

/* Machines like those of the plan in another place. */
struct data_elsewhere {
    struct str provider, region; /* empty: none is known where moving costs less */
    usd move;                    /* what the cloud that the data leaves takes */
    usd more;                    /* what the machines cost more there; may be less than 0 */
};

/* Syncs of the same folder that the ledger has. */
struct data_moves {
    int64_t count;
    double days; /* in which they were */
};

struct data_case {
    struct str folder, at, provider, region;
    struct str job; /* as it was typed; empty: of no job */
    bytes size;
    int64_t files;
    usd_per_hour price; /* of all machines; 0 when none waits */
    struct data_guess images, lossy, bundle;
    struct data_elsewhere elsewhere;
    struct data_moves moves;
    const struct catalog *catalog; /* TABLE_TRANSFER, TABLE_REGIONS, TABLE_STORAGE */
};

bool data_ways(const struct data_case *in, struct arena *arena, struct plan_data *out,
               struct error *err) MUST_USE;

/* The same GPUs in the same market, where moving the data costs less than to `now`: of those
 * the place with the least for both. `hours`: of one machine. */
struct plan_place; /* plan/plan.h */
struct data_elsewhere data_elsewhere(const struct plan_place *places, size_t count,
                                     const struct plan_place *now, double hours);

/* The row of a kind; NULL when there is none. */
const struct data_way *data_way_of(const struct plan_data *data, enum data_way_kind kind);

#endif
