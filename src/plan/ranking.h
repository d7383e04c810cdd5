/* ranking.h - the order of plans, by the figures that are shown.
 *
 * A ranking sorts by the figure in the column: two plans whose figures read the same are the
 * same in it. Time has a value: of the plans that cost at most CLOSE_COST more than the
 * cheapest the one that is done soonest is the best, unless the user says what an hour is
 * worth. */
#ifndef PLAN_RANKING_H
#define PLAN_RANKING_H

#include "plan/planning.h"

#define CLOSE_COST 0.05 /* a share of the lowest cost that is given for time */

/* A number with the three digits that are shown of it. */
double plan_shown(double number);

/* The least amount of at most so much more than this, as both are shown. */
usd plan_close_cost(usd lowest);

/* Is money all that is aimed at, and nothing said about time? With a window for the start no
 * hour of waiting counts. */
bool plan_is_by_cost(const struct planning *w);

/* Instead of the cheapest plan `best`: the soonest done of those that cost hardly more. What it
 * replaces stays in `w->cheapest`. */
bool plan_take_sooner(struct planning *w, struct plan *best, struct error *err) MUST_USE;

/* By shown cost, then by shown time, then as they were; the first row stays. */
void plan_sort_rows(struct plan_row *rows, size_t count);

#endif
