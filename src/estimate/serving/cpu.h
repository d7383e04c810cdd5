/* cpu.h - serving a model on vCPUs: of a machine without an accelerator, or of a function.
 *
 * A rough estimate, by what the vCPUs can do at best (catalog: cpus.csv) and the shares of it
 * that inference reaches: 8 of 10 are taken to lie between half and twice of it. Requests are
 * worked on one at a time, on all vCPUs, as ONNX Runtime and llama.cpp do by default.
 */
#ifndef ESTIMATE_SERVING_CPU_H
#define ESTIMATE_SERVING_CPU_H

#include "estimate/model/choose.h"

#define CPU_SPREAD 0.541 /* of a time: the logarithm of 2, over that of the 90th percentile */

struct cpu_serving {
    const struct arch *arch;
    const struct cpu_kind *cpu;
    double vcpus;
    enum weights weights; /* FP16 is computed in bf16 where the CPU has it, else in fp32 */
    double input, output; /* tokens of a request, as struct serving has them */
    int64_t resolution;
    double passes;
};

/* Seconds of one request that waits for no other. */
struct cpu_time {
    double first_token, decode, request;
};

/* The facts of this machine or product; NULL when none are known. */
const struct cpu_kind *cpu_find(const struct catalog *catalog, struct str provider,
                                struct str instance);

/* How a serving job is run there. What the job leaves open loses no accuracy: bf16 where the
 * CPU has it, fp16 for models that write (llama.cpp reads it), else fp32. */
bool choose_cpu_serving(const struct job *job, const struct cpu_kind *cpu, double vcpus,
                        struct cpu_serving *out, struct error *err) MUST_USE;

struct cpu_time estimate_cpu_serving(const struct cpu_serving *s);

/* Bytes of memory that it needs, the runtime included. */
double cpu_serving_bytes(const struct cpu_serving *s);

/* Of the weights as they are stored: what a start has to load. */
double cpu_weight_bytes(const struct cpu_serving *s);

/* "bf16", "fp32", "int8": what it computes in or, of models that write, how weights are
 * stored. */
const char *cpu_precision_name(const struct cpu_serving *s);

/* Under `rate` requests a second, which come at random and wait in one queue; times are
 * multiplied by `slower`. */
struct serving_load estimate_cpu_load(const struct cpu_serving *s, double slower, double rate);

/* The same of anything that takes `service_s` for a request, `first_s` of them until the first
 * token. */
struct serving_load queue_load(double service_s, double first_s, double rate);

#endif
