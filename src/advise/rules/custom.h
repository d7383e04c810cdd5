/* custom.h - rules of users, from YAML.
 *
 *     rules:
 *       - name: night-idle
 *         title: stop machines at night
 *         when: idle_cost > 10usd and utilization < 30%
 *         savings: idle_cost * 0.8
 *         action: ask {name}'s owner to use --idle
 *
 * `when`, `savings`, `low` and `high` are expressions (expression.h) over the facts of a work;
 * {fact} in a text is its value. Savings are dollars of the period.
 */
#ifndef ADVISE_CUSTOM_H
#define ADVISE_CUSTOM_H

#include "advise/rules/rule.h"

#define CUSTOM_RULES_MAX 200

struct custom_rules {
    const struct custom_rule *at;
    size_t len;
};

/* Read a document; `name` is what errors call it. Rules have names of their own that no other
 * rule has. */
bool custom_rules_read(struct str text, const char *name, struct arena *arena,
                       struct custom_rules *out, struct error *err) MUST_USE;

/* Apply them to every work, and add what they find. `notes`: where a formula divided by zero,
 * one line for each rule at most. */
bool custom_rules_apply(const struct custom_rules *rules, const struct advise_facts *facts,
                        struct findings *out, struct strs *notes, struct error *err) MUST_USE;

/* A fact of a work that rules can name. */
struct advise_fact_row {
    struct str name, unit, about;
};

extern const struct field_set advise_fact_fields;

/* Those whose name contains `part` (empty: all): struct advise_fact_row. ERROR_ABSENT when
 * there is none. */
bool custom_facts_list(struct str part, struct arena *arena, struct rows *out,
                       struct error *err) MUST_USE;

#endif
