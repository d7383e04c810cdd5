/* learning.h - does learning from a few rows of a source help with its other rows?
 *
 * The rows of a source are taken for runs of one user: corrections are learned from a few of
 * them as `stint calibrate` does, and the others are predicted with these. Which rows are
 * learned from is drawn at random, with a fixed seed, and often; the figures are means over the
 * draws. Pure.
 */
#ifndef TRUTH_LEARNING_H
#define TRUTH_LEARNING_H

#include "truth/truth.h"

#define LEARNING_LEAST_ROWS 10 /* sources with fewer are left out */
#define LEARNING_DRAWS 200

struct learning_score {
    struct str name; /* of the source */
    int64_t rows;
    double before, after; /* median error of the rows that were not learned from */
    double change;        /* after - before */
};

struct learning_scores {
    int64_t learned_from; /* rows of each source; 0: it was not asked for */
    struct rows sources;  /* struct learning_score, by name */
    double before, after; /* median over the sources; NaN: there is none */
    double worst;         /* the largest change */
};

extern const struct field_set learning_fields;

/* `learned_from` rows of each source, at least 1: of its training rates or its memory. */
bool learning_score(const struct held *held, size_t count, int64_t learned_from,
                    struct arena *arena, struct learning_scores *out,
                    struct error *err) MUST_USE;

#endif
