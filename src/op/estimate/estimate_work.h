/* estimate_work.h - the parts of the operation `estimate`, for each other. */
#ifndef OP_ESTIMATE_ESTIMATE_WORK_H
#define OP_ESTIMATE_ESTIMATE_WORK_H

#include "estimate/choose.h"
#include "op/estimate/estimate.h"
#include "op/offers.h"

/* Where it runs, and for how much. */
struct place {
    struct hardware hardware;
    struct offer_view offer; /* empty name: none is known */
    usd_per_hour price;      /* of one machine */
    int64_t machines;
    struct str market;
    bool chosen;                 /* by us: the user named only GPUs */
    const struct region *region; /* NULL when not known */
};

struct estimate_work {
    struct op_context *ctx;
    const struct estimate_request *request;
    struct job job;
    struct job said;   /* the same before the model was looked up: sweeps start from it */
    struct str config; /* the text of a config.json, where the job names one */
    int64_t gpus;      /* instead of those of --on; 0: as it says */
    struct constants constants;
    struct place place;
    struct notes notes;
};

/* The whole estimate of one setting, for other operations: read the job, find the machines.
 * ERROR_UNFIT when it does not fit. */
bool estimate_one(struct estimate_work *w, struct estimate_result *res,
                  struct error *err) MUST_USE;

/* Which machines are meant by --on, --offer and --price. */
bool find_place(struct estimate_work *w, struct error *err) MUST_USE;

/* Read the job and apply --set and the short options. */
bool read_job(struct estimate_work *w, struct error *err) MUST_USE;

/* The results of one setting. */
bool estimate_training_job(struct estimate_work *w, struct estimate_result *res,
                           struct error *err) MUST_USE;
bool estimate_serving_job(struct estimate_work *w, struct estimate_result *res,
                          struct error *err) MUST_USE;
bool estimate_measured_job(struct estimate_work *w, struct estimate_result *res,
                           struct error *err) MUST_USE;

/* A part of memory or of a step, before it has a share. */
#define PART(label, value, text) \
    { \
        .name = STR(label), .amount = (value), .help = STR(text) \
    }

/* Those of the parts that are there, each times `scale` and as a share of the `whole`. */
bool add_parts(struct estimate_work *w, const struct estimate_part *parts, size_t count,
               double whole, double scale, struct rows *out, struct error *err) MUST_USE;

/* What the hours mean in energy, carbon and money. `watts` is of one board. */
bool add_energy_and_cost(struct estimate_work *w, double board_watts,
                         struct estimate_result *res, struct error *err) MUST_USE;

/* The same job with one key changed again and again. */
bool estimate_sweep(struct estimate_work *w, struct estimate_result *res,
                    struct error *err) MUST_USE;

/* Run the job as it stands; `res` is reset first. */
bool estimate_once(struct estimate_work *w, struct estimate_result *res,
                   struct error *err) MUST_USE;

extern const struct field_set estimate_result_fields;

#endif
