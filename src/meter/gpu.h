/* gpu.h - one vendor's devices as a table of functions: a file each.
 *
 * A vendor fills in samples of the devices that may be ours; which of them the tree uses comes
 * from the vendor's list of processes and `tree_has`.
 */
#ifndef METER_GPU_H
#define METER_GPU_H

#include "base/arena.h"
#include "meter/meter.h"
#include "meter/tree.h"

struct gpu_vendor {
    const char *name; /* "nvidia" */
    /* Open the library. NULL without an error set: there is none of it here; `why` (at least 200
     * bytes) then says what was missing, for `stint meters`. */
    void *(*open)(const struct meter_options *options, struct arena *arena, char *why);
    /* Add a sample for each device that is visible to the tree to out[*count...], up to
     * METER_GPUS in all. */
    void (*read)(void *state, const struct tree *tree, instant now, struct gpu_sample *out,
                 size_t *count);
    void (*close)(void *state);
};

extern const struct gpu_vendor gpu_nvidia, gpu_amd, gpu_gaudi;

#endif
