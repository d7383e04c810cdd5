#include "advise/rules/stopping.h"

#include <math.h>

static bool is_better_metric(double value, double best, bool greater)
{
    return greater ? value > best : value < best;
}

bool stopping_judge(const double *times, const double *values, size_t count, bool greater,
                    double end, int patience, struct stopping *out)
{
    double best;
    int flat = 0;
    size_t i = 1;

    *out = (struct stopping){.share = 0};
    if (count < STOPPING_LEAST || !(end > 0) || !(times[count - 1] <= end) || !(times[0] >= 0))
        return false;
    for (size_t v = 0; v < count; v++)
        if (!isfinite(values[v]) || (v > 0 && !(times[v] >= times[v - 1])))
            return false;
    best = values[0];
    for (; i < count && flat < patience; i++) {
        bool better = is_better_metric(values[i], best, greater);

        flat = better ? 0 : flat + 1;
        best = better ? values[i] : best;
    }
    if (flat < patience)
        return true;
    out->share = 1 - times[i - 1] / end;
    for (; i < count; i++)
        out->loses = out->loses || is_better_metric(values[i], best, greater);
    return true;
}
