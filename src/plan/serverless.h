/* serverless.h - what a month on a product that is paid by use is billed: seconds of memory, of
 * vCPUs and of a GPU, and a fee for each request, rounded as the provider rounds. */
#ifndef PLAN_SERVERLESS_H
#define PLAN_SERVERLESS_H

#include "catalog/catalog.h"

/* Of an instance. */
struct serverless_size {
    double vcpus, memory_gb; /* GiB, as they are billed; 0: it is not chosen */
};

/* Of a month. */
struct serverless_use {
    double requests, request_s; /* how many, and seconds of an instance that each takes */
    double starts, start_s;     /* cold ones */
    double up_s; /* that instances are up, added up: starts and idle time included */
};

struct serverless_bill {
    double usd;      /* without free amounts; NaN: no price is known */
    double free_usd; /* of it, what the free amounts of an account would pay */
    double billed_s; /* seconds of an instance */
    double requests_usd, memory_usd, vcpu_usd, gpu_usd; /* its parts */
};

struct serverless_bill serverless_bill(const struct serverless *price,
                                       const struct serverless_terms *terms,
                                       struct serverless_size size,
                                       const struct serverless_use *use);

/* Is every second that an instance is up billed, or only those of requests? */
bool serverless_bills_idle(const struct serverless_terms *terms);

/* How the product bills; NULL when that is not known. */
const struct serverless_terms *serverless_terms_find(const struct catalog *catalog,
                                                     const struct serverless *product);

#endif
