/* fit.h - the uses of a model (serving, training, adapters), and how many GPUs each needs. */
#ifndef ESTIMATE_FIT_H
#define ESTIMATE_FIT_H

#include "estimate/constants.h"
#include "job/arch.h"
#include "job/choices.h"

struct fit_mode {
    const char *name, *with;
    bool serving;
    enum weights weights; /* serving: of the model; QLoRA: of the frozen base */
    enum method method;
    enum optimizer optimizer;
};

extern const struct fit_mode fit_modes[];
extern const size_t fit_mode_count;

struct fit_work {
    const struct arch *arch;
    const struct constants *constants;
    int64_t sequence, batch;
};

/* Can such a model be used so at all? Can this device do it? */
bool fit_mode_suits(const struct fit_mode *mode, const struct arch *arch);
/* Bytes that the fullest of `count` such GPUs needs, and how the work is split ("tensor 2").
 * INFINITY when it cannot be split over that many. */
#define FIT_SETTING_MAX 64
double fit_bytes(const struct fit_mode *mode, const struct fit_work *work,
                 const struct accelerator *gpu, int64_t count, char setting[FIT_SETTING_MAX]);

/* The fewest of this GPU, a power of two up to `most`, that hold it, and what they need; 0 when
 * none do, or when the device cannot. */
int64_t fit_fewest(const struct fit_mode *mode, const struct fit_work *work,
                   const struct accelerator *gpu, int64_t most, double *needed,
                   char setting[FIT_SETTING_MAX]);

#endif
