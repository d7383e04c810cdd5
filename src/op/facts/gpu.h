/* gpu.h - the accelerators of the catalog: requests and results of gpu.list and gpu.show. */
#ifndef OP_FACTS_GPU_H
#define OP_FACTS_GPU_H

#include "op/market.h"
#include "unit/size.h"

extern const struct op op_gpu_list, op_gpu_show;

/* An accelerator with what it can be had for. */
struct gpu_view {
    struct str name, vendor, family, form, architecture, memory_type, link, source, notes;
    struct str cheapest_offer, cheapest_spot_offer;
    int64_t year, offers;
    int64_t cheapest_count, cheapest_spot_count; /* GPUs in the machine with that price */
    int64_t cheapest_days, cheapest_spot_days;   /* how old it is */
    double memory_gb, bandwidth_gb_s, fp32_tflops, tf32_tflops, bf16_tflops, fp16_tflops;
    double fp8_tflops, int8_tops, fp4_tflops, link_gb_s, tdp_w;
    usd_per_hour cheapest, cheapest_spot; /* of one, for an hour */
    day date, cheapest_date, cheapest_spot_date;
};

struct gpu_list_request {
    struct str vendor, sort;
    bytes min_memory;
    int64_t limit;
    bool sold;
};

struct gpu_list_result {
    struct rows gpus; /* struct gpu_view */
    struct price_age age;
};

struct gpu_show_request {
    struct str gpu;
};

struct gpu_show_result {
    struct gpu_view gpu;
    struct strs names; /* others that mean it */
};

#endif
