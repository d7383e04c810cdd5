/* work.h - a piece of work that a report is about: what it took and what it cost.
 *
 * A metered run, an experiment of which the time is known, and a plan become the same record;
 * cost_analysis.json, the figures and the document are made from it. What is not known is
 * unknown, and work_reason() says why.
 */
#ifndef REPORT_WORK_H
#define REPORT_WORK_H

#include "account/run/device_use.h"
#include "account/run/review.h"
#include "catalog/catalog.h"
#include "report/findings.h"
#include "report/work_inference.h"

struct report_work {
    struct str kind;     /* "run", "experiment", "plan" */
    struct str per;      /* of its cost, where it is not the work's: " a month" */
    struct str name, id; /* id: empty when it has none */
    stamp at;            /* when it began; unknown */
    struct str state;
    /* Time, and how it is known: "metered", "given", "estimated". */
    span time;
    struct str time_method;
    double lost_s; /* of work that was repeated */
    /* Hardware. */
    struct str gpu_name;           /* as the meters saw it; empty: not known */
    const struct accelerator *gpu; /* NULL: not known */
    int64_t gpus;                  /* 0: none, below: not known */
    double gpu_busy;
    struct rows devices; /* struct device_use: where they differ */
    double gpu_memory_peak, gpu_memory_total;
    double cpu_cores, memory_peak, memory_mean;
    double disk_read, disk_written; /* bytes */
    bool has_checkpoints;
    /* Energy. */
    joule energy;
    struct str energy_method;
    double energy_error;
    gram_co2 carbon;
    struct str carbon_method;
    /* Money. */
    usd cost, estimated; /* estimated: before it began */
    usd time_cost;       /* of `cost`, what was paid for machines */
    usd cost_per_step;
    usd_per_hour rate;
    bool electricity; /* only electricity is paid */
    bool modeled;     /* the cost is an estimate, not a record */
    struct str offer, market, price_source;
    struct rows costs, phases; /* struct run_part */
    struct strs verdict;
    double score, seed_score;
    struct rows metrics; /* that it reported: struct ledger_metric */
    /* Machines that a plan has compared, instead of what is modeled here: struct
     * work_option. */
    struct rows planned;
    /* Of a run: what `stint advise` finds in it. */
    struct report_findings advice;
    /* The user's other runs of this kind of GPU: the middle half of them. */
    struct work_usual {
        int64_t runs;
        double busy[2], memory[2]; /* quartiles */
    } usual;
    /* The model. */
    double model_bytes, parameters;
    struct work_inference inference;
};

/* Nothing is known. */
void work_blank(struct report_work *out);

#endif
