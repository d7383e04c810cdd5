/* infer.h - what serving a model costs, way by way: the request and the result of infer. */
#ifndef OP_PLAN_INFER_H
#define OP_PLAN_INFER_H

#include "advise/economics/infer.h"

extern const struct op op_infer;

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
    double speedup;
    int64_t payback_months;
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

#endif
