/* work.h - a piece of work that a report is about: what it took, what it cost, what it would
 * cost elsewhere.
 *
 * A metered run, an experiment of which the time is known, or a plan become the same record;
 * cost_analysis.json, the figures and the document are made from it. What is not known is
 * unknown, and `unknowns` says why.
 */
#ifndef OP_REPORT_WORK_H
#define OP_REPORT_WORK_H

#include "catalog/catalog.h"
#include "ledger/runs/review.h"
#include "op/report/report.h"

/* Why a value of cost_analysis.json is null. */
struct work_unknown {
    const char *section, *key;
    struct str why;
};
#define WORK_UNKNOWNS 48

struct report_work {
    struct str name, id; /* id: empty when it has none */
    stamp at;            /* when it began, or the plan was made */
    struct str state;
    /* Time, and how it is known: "metered", "given", "estimated". */
    span time;
    struct str time_method;
    /* Hardware. */
    struct str gpu_name;           /* as the meters saw it; empty: none known */
    const struct accelerator *gpu; /* NULL: not known */
    int64_t gpus;                  /* 0: none, below: not known */
    double gpu_busy;
    double gpu_memory_peak, gpu_memory_total;
    double cpu_cores, memory_peak;
    /* Energy. */
    joule energy;
    struct str energy_method;
    double energy_error;
    gram_co2 carbon;
    struct str carbon_method;
    /* Money. */
    usd cost, estimated; /* estimated: before it began */
    usd_per_hour rate;
    struct str offer, market, price_source;
    struct rows costs, phases; /* struct ledger_part */
    double score;
    /* The model. */
    double model_bytes, parameters;
    double inference_s; /* of one prediction */
    struct work_unknown unknowns[WORK_UNKNOWNS];
    size_t unknown_count;
};

/* Nothing is known. */
void work_blank(struct report_work *out);

/* Note why a value is null; the first reason for a value counts. */
void work_unknown(struct report_work *work, const char *section, const char *key,
                  struct str why);

/* All files of a report about it, and its summary. */
bool work_report(struct op_context *ctx, struct report_work *work, struct report *out,
                 struct error *err) MUST_USE;

/* cost_analysis.json (docs/report.md). */
bool work_json(const struct report_work *work, struct arena *arena, struct buf *out,
               struct error *err) MUST_USE;

#endif
