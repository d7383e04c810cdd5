/* interruption.h - the risk of losing a spot machine within some time, modeled from what was
 * watched.
 *
 * The chance to keep it for h hours is exp(-H h^s): s below 1, because young machines are lost
 * sooner than those that have lasted. H, the hazard of the first hour, is that of the
 * provider's watched rows. Where the price follows demand, it also follows the price: the
 * nearer spot is to on-demand, the scarcer machines are, and the sooner they are lost.
 */
#ifndef SPOT_INTERRUPTION_H
#define SPOT_INTERRUPTION_H

#include "catalog/catalog.h"

enum interruption_basis {
    BASIS_NONE,     /* nothing was watched: the risk is unknown */
    BASIS_ALL,      /* other providers' machines */
    BASIS_PROVIDER, /* the provider's machines */
    BASIS_PRICE,    /* and what spot costs of on-demand */
};

struct interruption_model {
    enum interruption_basis basis;
    double shape;        /* s */
    double level, slope; /* ln H = level + slope x share */
    double spread;       /* standard deviation of ln H among the rows, or about the line */
    double mean, around; /* of ln H whatever the price: for when the share is not known */
    double least, most;  /* shares for which the line is trusted: a little past those watched */
    size_t rows;
};

/* A model for a provider's machines (needs TABLE_INTERRUPTIONS). */
struct interruption_model interruption_model(const struct catalog *catalog,
                                             struct str provider);

/* What is added to the hazard over h hours, H h^s, by a model, for a spot price that is this
 * share of on-demand (NaN: not known); `sigma` spreads away from it. */
double interruption_hazard(const struct interruption_model *model, double share, double hours,
                           double sigma);

/* The share of the time that a provider's machines were available, on average over those that
 * were watched; NaN when none was. */
double interruption_up(const struct catalog *catalog, struct str provider);

#endif
