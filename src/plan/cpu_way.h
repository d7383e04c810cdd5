/* cpu_way.h - training on a machine without a GPU, beside the plans on GPUs.
 *
 * Small models keep no GPU busy. What vCPUs take is a rough estimate
 * (estimate/step/cpu_step.h), so that such a machine is named beside the plans and is never
 * the best of them.
 */
#ifndef PLAN_CPU_WAY_H
#define PLAN_CPU_WAY_H

#include "plan/deploy_choices.h"

#define PLAN_CPU_TABLES \
    (TABLE_BIT(TABLE_CPU_OFFERS) | TABLE_BIT(TABLE_CPUS) | TABLE_BIT(TABLE_PROVIDERS))

/* Could it be? Asked before tables are loaded. */
bool plan_may_be_on_cpu(struct planning *w, const struct plan *best);

/* Fill in `on_cpu` of the record where it costs about as much as the best plan, or less: the
 * fastest within 5 % of the cheapest (PLAN_CPU_TABLES). */
bool plan_add_cpu_way(struct planning *w, const struct deploy_facts *facts,
                      const struct plan *best, struct plan_result *res,
                      struct error *err) MUST_USE;

#endif
