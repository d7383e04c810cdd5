#include "advise/rules/right_size.h"

#include <math.h>

const char *const right_size_words[] = {
    [SIZE_UNKNOWN] = "not known",
    [SIZE_SMALLEST] = "the GPU is much too large",
    [SIZE_SMALLER] = "a smaller GPU would do",
    [SIZE_MEMORY] = "the memory is needed, the speed is not",
    [SIZE_GOOD] = "the GPU fits",
    [SIZE_LARGER] = "the GPU is near its limits",
};

enum right_size right_size_of(double utilization, double memory)
{
    if (isnan(utilization) || isnan(memory))
        return SIZE_UNKNOWN;
    if (utilization < 0.3 && memory < 0.4)
        return SIZE_SMALLEST;
    if (utilization < 0.6)
        return memory < 0.6 ? SIZE_SMALLER : SIZE_MEMORY;
    return utilization > 0.85 && memory > 0.85 ? SIZE_LARGER : SIZE_GOOD;
}
