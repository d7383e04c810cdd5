#include "spot/learn.h"

#include <math.h>

/* As sure as if so many ends had been seen at the usual rate; after each new one, what the old
 * ones count is multiplied by FADE. Traces of three data sets, split in windows of four days:
 * results hardly differ for SURE from 2 to 16 and FADE from 0.7 to 1. */
#define SURE 4.0
#define FADE 0.8

/* An age's own chance is believed in when it was watched for many hours of that age. */
#define SURE_HOURS 33.0

/* A spell that was under way before anyone watched is no longer young. */
#define FIRST_AGE 1.0

#define MOST_CHANCE 0.9

static void spells_start(struct spells *spells, const double *rates, double gap)
{
    *spells = (struct spells){0};
    for (size_t i = 0; i < AGE_BINS; i++)
        spells->usual[i] = -expm1(-rates[i] * gap);
}

void learner_start(struct learner *learner, const struct lifetimes *usual, double gap_hours)
{
    *learner = (struct learner){.gap = gap_hours};
    spells_start(&learner->up, usual->lose, gap_hours);
    spells_start(&learner->down, usual->gain, gap_hours);
}

static void spells_see(struct spells *spells, size_t bin, bool ended)
{
    spells->watched[bin]++;
    spells->expected += spells->usual[bin];
    if (!ended)
        return;
    spells->ended[bin]++;
    spells->expected *= FADE;
    spells->happened = (spells->happened + 1) * FADE;
}

void learner_see(struct learner *learner, bool up)
{
    bool ended = learner->seen && up != learner->is_up;

    if (!learner->seen) {
        learner->age = FIRST_AGE;
    } else {
        spells_see(learner->is_up ? &learner->up : &learner->down, age_bin(learner->age),
                   ended);
        learner->age = ended ? 0 : learner->age + learner->gap;
    }
    learner->seen = true;
    learner->is_up = up;
}

void spells_chances(const struct spells *spells, double gap_hours, double out[AGE_BINS])
{
    double often = (SURE + spells->happened) / (SURE + spells->expected);
    double sure = SURE_HOURS / gap_hours;

    for (size_t i = 0; i < AGE_BINS; i++)
        out[i] = (sure * fmin(often * spells->usual[i], MOST_CHANCE) + spells->ended[i]) /
                 (sure + spells->watched[i]);
}

double age_step(size_t bin, double gap_hours)
{
    return bin + 1 < AGE_BINS ? fmin(gap_hours / (age_edges[bin + 1] - age_edges[bin]), 1) : 0;
}

void spells_rest(const double chance[AGE_BINS], double gap_hours, double out[AGE_BINS])
{
    double next = 0;

    for (size_t i = AGE_BINS; i-- > 0;) {
        double keep = 1 - chance[i], step = age_step(i, gap_hours);

        next = (1 + keep * step * next) / (1 - keep * (1 - step));
        out[i] = next;
    }
}
