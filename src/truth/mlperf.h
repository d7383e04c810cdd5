/* mlperf.h - rows of MLPerf Inference results: what their names and scenarios mean. */
#ifndef TRUTH_MLPERF_H
#define TRUTH_MLPERF_H

#include "truth/rows.h"

/* A table with the columns `scenario` and `samples_per_s`, of MLPerf Inference. */
bool row_is_mlperf(const struct rows_reader *r);

/* The name without the accuracy that it keeps: "llama2-70b-99.9" is Llama 2 70B. */
struct str mlperf_model(struct str name);

/* The load, the lengths, how the GPUs share the work and what weights are computed in, of a row
 * whose model, GPU and engine are known. */
void read_mlperf(const struct rows_reader *r, struct measured_value *p);

#endif
