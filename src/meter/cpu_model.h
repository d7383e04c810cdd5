/* cpu_model.h - watts of a busy core by the kind of processor, for machines without a
 * counter. */
#ifndef METER_CPU_MODEL_H
#define METER_CPU_MODEL_H

struct cpu_model {
    char name[64]; /* "AMD EPYC 7763 64-Core Processor", "ARM Neoverse V1"; or "unknown" */
    double watts_a_core; /* of one core as Linux counts them, at full load */
};

/* From /proc/cpuinfo; `proc` is the folder. */
void cpu_model_find(int proc, struct cpu_model *out);

#endif
