/* work_elsewhere.h - the same work on other machines: which can do it, and the cheapest of each
 * provider and market.
 *
 * Times on other GPUs are modeled (estimate/kernels/relative.h). Machines whose processor has
 * another architecture (ARM) would need another build of the software: they are only compared
 * with work that ran on such a machine. Pure. */
#ifndef REPORT_WORK_ELSEWHERE_H
#define REPORT_WORK_ELSEWHERE_H

#include "estimate/constants.h"
#include "estimate/kernels/relative.h"
#include "report/work.h"
#include "report/work_options.h"

#define COMPARE_SLOWEST 2.0 /* times as long as it took */

/* Can a GPU do the work, and how long does it take there? By its vendor, its memory with the
 * estimator's margin, and its machine's processor. */
bool work_runs_on(const struct report_work *work, const struct accelerator *gpu,
                  const struct constants *constants, struct relative_time *time);

/* Room for the options of a comparison. */
bool work_options_open(struct work_comparison *out, struct arena *arena,
                       struct error *err) MUST_USE;

/* An option in a market of a machine, without its cost. */
struct work_option work_option_at(const struct machine *machine, enum market market,
                                  int64_t machines, int64_t gpus, double hours);

/* Its range: that of the price, from `low` to `high`, and that of the time together. */
void work_option_spread(struct work_option *option, usd low, usd high,
                        const struct relative_time *time);

/* It takes the place of its provider's in its market if it is cheaper. */
void work_options_offer(struct work_comparison *out, const struct work_option *option);

/* Sort them, mark the cheapest, find the oldest and the newest price. */
void work_options_finish(struct work_comparison *out);

/* What electricity costs at home; the row that says so, NULL: the user does. */
struct work_tariff {
    usd_per_kwh price;
    const struct electricity *row;
};

/* The energy of the work at home, and how it is known: metered, or modeled as its GPUs were
 * busy. What the machine cost to buy is not in it. */
bool work_price_local(const struct report_work *work, const struct work_tariff *tariff,
                      const struct constants *constants, struct arena *arena,
                      struct work_comparison *out, struct error *err) MUST_USE;

#endif
