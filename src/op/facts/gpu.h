/* gpu.h - the accelerators of the catalog: requests and results of gpu.list and gpu.show. */
#ifndef OP_FACTS_GPU_H
#define OP_FACTS_GPU_H

#include "market/gpus.h"

extern const struct op op_gpu_list, op_gpu_show;

struct gpu_list_request {
    struct str vendor, sort;
    bytes min_memory;
    int64_t limit;
    bool sold;
};

struct gpu_list_result {
    struct rows gpus; /* struct gpu_facts */
    struct price_age age;
};

struct gpu_show_request {
    struct str gpu;
};

struct gpu_show_result {
    struct gpu_facts gpu;
    struct strs names; /* others that mean it */
};

#endif
