#include "plan/serverless.h"

#include <math.h>

#include "base/num.h"

#define MILLION 1e6
#define SECONDS_PER_HOUR 3600.0

bool serverless_bills_idle(const struct serverless_terms *terms)
{
    return !str_eq(terms->billing, STR("request"));
}

const struct serverless_terms *serverless_terms_find(const struct catalog *catalog,
                                                     const struct serverless *product)
{
    for (size_t i = 0; i < catalog->tables[TABLE_SERVERLESS_TERMS].len; i++) {
        const struct serverless_terms *t =
            CATALOG_ROW(catalog, TABLE_SERVERLESS_TERMS, serverless_terms, i);

        if (str_eq(t->provider, product->provider) && str_glob(product->product, t->product))
            return t;
    }
    return NULL;
}

/* Rounded up to full steps, at least the minimum. */
static double serverless_billed_time(const struct serverless_terms *terms, double seconds)
{
    double step = num_above_zero(terms->step_ms) / 1000;

    if (step > 0)
        seconds = ceil(seconds / step - 1e-9) * step;
    return fmax(seconds, num_above_zero(terms->minimum_ms) / 1000);
}

/* An instance that is up for a time of its own wastes half a step on average. */
static double serverless_billed_seconds(const struct serverless_terms *terms,
                                        const struct serverless_use *use)
{
    double half = num_above_zero(terms->step_ms) / 2000;
    double starts = str_eq(terms->starts_billed, STR("yes")) ? use->starts : 0;

    if (serverless_bills_idle(terms))
        return fmax(use->up_s + use->starts * half,
                    use->starts * num_above_zero(terms->minimum_ms) / 1000);
    return use->requests * serverless_billed_time(terms, use->request_s) +
           starts * use->start_s;
}

/* Dollars of one unit; nothing where the product does not charge for it. */
static double price_per_million(usd per_million)
{
    return per_million.nano != MONEY_UNKNOWN ? usd_double(per_million) / MILLION : 0;
}

struct serverless_bill serverless_bill(const struct serverless *price,
                                       const struct serverless_terms *terms,
                                       struct serverless_size size,
                                       const struct serverless_use *use)
{
    double request = price_per_million(price->usd_per_million_requests);
    double gb_s = price_per_million(price->usd_per_million_gb_seconds);
    double vcpu_s = price_per_million(price->usd_per_million_vcpu_seconds);
    double gpu_h = price->usd_per_gpu_hour.nano != MONEY_UNKNOWN
                       ? usd_per_hour_double(price->usd_per_gpu_hour)
                       : 0;
    struct serverless_bill bill = {.billed_s = serverless_billed_seconds(terms, use)};

    bill.requests_usd = use->requests * request;
    bill.memory_usd = bill.billed_s * size.memory_gb * gb_s;
    bill.vcpu_usd = bill.billed_s * size.vcpus * vcpu_s;
    bill.gpu_usd = bill.billed_s / SECONDS_PER_HOUR * gpu_h;
    bill.usd = bill.requests_usd + bill.memory_usd + bill.vcpu_usd + bill.gpu_usd;
    if (!(gb_s > 0 || vcpu_s > 0 || gpu_h > 0))
        bill.usd = NAN;
    bill.free_usd = fmin(bill.requests_usd, num_above_zero(terms->free_requests) * request) +
                    fmin(bill.memory_usd, num_above_zero(terms->free_gb_seconds) * gb_s) +
                    fmin(bill.vcpu_usd, num_above_zero(terms->free_vcpu_seconds) * vcpu_s);
    return bill;
}
