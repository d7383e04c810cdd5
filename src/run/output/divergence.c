/* Divergence of a training loss: see early_stop.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run/output/early_stop.h"

void divergence_start(struct divergence_watch *w)
{
    *w = (struct divergence_watch){.best_median = NAN, .first_median = NAN};
}

static double middle(const double *values)
{
    double sorted[DIVERGENCE_SPAN] = {0};

    for (int i = 0; i < DIVERGENCE_SPAN; i++) {
        int k = i;

        for (; k > 0 && sorted[k - 1] > values[i]; k--)
            sorted[k] = sorted[k - 1];
        sorted[k] = values[i];
    }
    return (sorted[DIVERGENCE_SPAN / 2 - 1] + sorted[DIVERGENCE_SPAN / 2]) / 2;
}

bool divergence_see(struct divergence_watch *w, double loss, char *why)
{
    double now;

    why[0] = '\0';
    if (!isfinite(loss)) {
        w->bad++;
        if (w->bad < DIVERGENCE_TIMES)
            return false;
        (void)snprintf(why, STOP_WHY, "the loss is %s",
                       isnan(loss) ? "not a number" : "infinite");
        return true;
    }
    w->bad = 0;
    w->recent[w->count % DIVERGENCE_SPAN] = loss;
    w->count += w->count < 2 * DIVERGENCE_SPAN - 1 ? 1 : 1 - DIVERGENCE_SPAN;
    if (w->count < DIVERGENCE_SPAN)
        return false;
    now = middle(w->recent);
    if (isnan(w->first_median))
        w->first_median = w->best_median = now;
    w->best_median = fmin(w->best_median, now);
    if (w->best_median <= 0 || now <= w->first_median ||
        now <= DIVERGENCE_FACTOR * w->best_median)
        return false;
    (void)snprintf(why, STOP_WHY, "the loss has grown from %.4g to %.4g", w->best_median, now);
    return true;
}
