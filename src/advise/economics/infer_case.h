/* infer_case.h - a question about serving as it is asked, what it means for the job and for the
 * comparison (infer.h), and the answer as a record.
 *
 * The model serves the rate at the peak that its cache leaves; traffic comes from a shape, a
 * file with rates of its own, or is constant.
 */
#ifndef ADVISE_INFER_CASE_H
#define ADVISE_INFER_CASE_H

#include "advise/economics/infer.h"
#include "job/source.h"

struct infer_request {
    struct str job;
    struct job_source source;
    struct strs slo; /* p95=200ms, p50=..., p99=..., first_token=... */
    struct str input_size, output_size;
    struct str traffic; /* a file or a shape */
    double cache_hits, prompt_cache;
    struct strs apis, devices;
    struct strs providers, regions, gpus;
    usd budget;
    span max_age;
    struct strs supply; /* OFFER=MACHINES */
    span latency;       /* measured, on the machine of `offer`, for `price`; or not given */
    int64_t batch, concurrency;
    struct str offer;
    usd_per_hour price;
    double speedup;
    int64_t payback_months;
    bool compression;
    bool explain;
    struct str svg;
};

struct infer_result {
    struct str name, model;
    struct infer_answer answer;
    double input, output; /* tokens of a request; unknown: none */
    struct str traffic;   /* "constant", or the shape or file that was given */
    struct str pattern;   /* constant, variable, bursty */
    double cache_hits, prompt_cache;
    usd_per_kwh electricity;
    struct rows excluded; /* struct plan_excluded */
    day prices_from, prices_to;
    struct strs notes;
    bool explain;
    struct str svg; /* file that was written */
};

extern const struct field_set infer_result_fields;

struct infer_case {
    const struct infer_request *request;
    struct traffic traffic;
    bool varies;           /* `traffic` is set */
    const struct job *job; /* with the rate at the peak; NULL before it is known */
};

/* Do the options of the request contradict each other? ERROR_USAGE. */
bool infer_check(const struct infer_case *c, struct error *err) MUST_USE;

/* Is it a job that the ways to deploy can be compared for, and are its requests known? */
bool infer_check_job(const struct infer_case *c, const struct job *job,
                     struct error *err) MUST_USE;

/* Names of hosted models and edge devices that match nothing are typos: ERROR_ABSENT
 * (TABLE_EDGE, TABLE_TOKEN_PRICES). */
bool infer_check_names(const struct infer_request *request, const struct catalog *catalog,
                       struct error *err) MUST_USE;

/* The source of the job as the request names it: serving, with the options of latencies and
 * sizes among its settings. `file`: the job is a file, which says itself whether it serves. */
bool infer_source(const struct infer_request *request, bool file, struct arena *arena,
                  struct job_source *out, struct error *err) MUST_USE;

/* The rate at the peak that reaches the model, as the job has it: the cache answers the
 * others. */
bool infer_peak_rate(const struct infer_case *c, const struct job *job, struct arena *arena,
                     struct str *out, struct error *err) MUST_USE;

/* The comparison that is asked for, of these ways. */
struct infer_ask infer_ask_of(const struct infer_case *c, const struct deploy_set *set,
                              const struct plan_result *planned);

/* The record, but for the answer itself, the dates of prices and what was written: `notes` are
 * those of the search. */
bool infer_describe(const struct infer_case *c, const struct infer_ask *ask,
                    const struct strs *notes, struct arena *arena, struct infer_result *out,
                    struct error *err) MUST_USE;

#endif
