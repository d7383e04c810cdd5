/* gpu_fit.h - which GPUs hold a model, and how many, for each use of it; with the cheapest
 * machines.
 *
 * Pure: the model, the catalog and the machines for rent are given.
 */
#ifndef ESTIMATE_MEMORY_GPU_FIT_H
#define ESTIMATE_MEMORY_GPU_FIT_H

#include "catalog/network.h"
#include "estimate/constants.h"
#include "estimate/range.h"
#include "job/arch.h"
#include "job/choices.h"

/* A use of a model: serving, training, adapters. */
struct fit_mode {
    const char *name, *with;
    bool serving;
    enum weights weights; /* serving: of the model; QLoRA: of the frozen base */
    enum method method;
    enum optimizer optimizer;
};

extern const struct fit_mode fit_modes[];
extern const size_t fit_mode_count;

struct fit_work {
    const struct arch *arch;
    const struct constants *constants;
    int64_t sequence, batch;
};

/* Bytes that the fullest of `count` such GPUs needs, and how the work is split ("tensor 2").
 * INFINITY when it cannot be split over that many. */
#define FIT_SETTING_MAX 64
struct guess fit_bytes(const struct fit_mode *mode, const struct fit_work *work,
                       const struct accelerator *gpu, int64_t count,
                       char setting[FIT_SETTING_MAX]);

struct gpu_fit_query {
    struct fit_work work;
    struct str gpu;                 /* pattern of names or families; empty: any */
    const struct accelerator *only; /* this one instead of the pattern; NULL: by the pattern */
    int64_t max_gpus;               /* together */
    int64_t limit;                  /* smallest ones of each use; the cheapest is added */
    const struct machine *machines; /* selected, with their on-demand prices */
    size_t machine_count;
    struct strs supply; /* OFFER=MACHINES of the user's */
};

/* So many of one GPU hold the model for one use. */
struct gpu_fit_option {
    struct str mode, with; /* as struct fit_mode names them */
    struct str gpu, setting;
    int64_t count;
    double memory_gb, usable_gb; /* of the fullest GPU: needed, and there */
    double total_gb;             /* of all of them, as data sheets print it */
    bool smallest, cheapest;     /* of the mode */
    struct str offer;
    int64_t machines, price_age_days;
    usd_per_hour price; /* of all machines */
    double ranked;      /* what it counts for: with its premium (price_trust); NaN: none */
    day price_date;
};

/* A use that nothing asked for holds. */
struct gpu_fit_missing {
    struct str mode, with;
    struct str would; /* what holds it, "" when nothing does */
};

extern const struct field_set gpu_fit_option_fields, gpu_fit_missing_fields;

struct gpu_fit {
    struct rows options; /* struct gpu_fit_option */
    struct rows missing; /* struct gpu_fit_missing */
};

/* Does the pattern match its name or family? Empty matches any. */
bool gpu_fit_matches(const struct accelerator *gpu, struct str pattern);

/* Options by use, the smallest first, the cheapest with them. Several machines are priced only
 * where they can be joined. Needs TABLE_ACCELERATORS and TABLE_NETWORKS. */
bool gpu_fit(const struct catalog *catalog, const struct gpu_fit_query *query,
             struct arena *arena, struct gpu_fit *out, struct error *err) MUST_USE;

#endif
