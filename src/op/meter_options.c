#include "op/meter_options.h"

#include <math.h>

#include "base/fs.h"

struct meter_options op_meter_options(pid_t tree)
{
    return (struct meter_options){
        .tree = tree,
        .root = env_get("STINT_ROOT"),
        .nvml = env_get("STINT_NVML"),
        .rocm = env_get("STINT_ROCM"),
        .gaudi = env_get("STINT_HL_SMI"),
        .watts_a_core = NAN,
        .gpus = true,
    };
}
