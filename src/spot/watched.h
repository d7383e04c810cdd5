/* watched.h - the risk of an interruption as a trace shows it.
 *
 * The machine is taken at a random moment at which it is available: of all such moments that
 * were watched for long enough after, the share that was followed by a loss in time. Moments of
 * one spell are no independent tries, so that the interval comes from drawing complete spells
 * (the bootstrap; of very many, blocks of them), or with few losses from a rate of Jeffreys
 * (series/risk.h). What happens between two ticks is not seen: times count in whole ones.
 */
#ifndef SPOT_WATCHED_H
#define SPOT_WATCHED_H

#include "spot/trace.h"

/* With fewer losses, drawing spells shows too little of the spread. */
#define WATCHED_FEWEST 5

struct watched {
    double risk, low, high; /* NaN: never up, or never watched for so long */
    size_t spells;          /* that moments were taken from */
    size_t losses;          /* of them seen to end */
    double up_hours, hours; /* during which it was available; in all */
    bool drawn;             /* the interval is the bootstrap's */
};

/* Within so many hours for a gang of `gang`; the interval holds the middle `share`. */
bool watched_risk(const struct trace *trace, int32_t gang, double hours, double share,
                  struct arena *scratch, struct watched *out, struct error *err) MUST_USE;

#endif
