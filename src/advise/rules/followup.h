/* followup.h - what was decided about findings, and whether applied ones paid off.
 *
 * A measured saving compares the same work before and after: cost of all its runs, failed and
 * repeated ones too, for each unit that was reached. The unit is a step where runs count steps
 * and the finding does not change what a step is, else a run that ended well and did something
 * new.
 */
#ifndef ADVISE_FOLLOWUP_H
#define ADVISE_FOLLOWUP_H

#include "advise/rules/work.h"

#define FOLLOWUP_DAYS 30 /* before it was applied */
#define FOLLOWUP_RUNS 3  /* that ended well, on each side: with fewer nothing is concluded */

/* A finding that was dismissed or applied, as it is kept. */
struct advise_decision {
    struct str id, rule, title, subject, name, project;
    enum finding_state state;
    enum advise_lever lever;
    struct str reason, per, by; /* by: the user */
    usd saving, saving_low, saving_high;
    stamp at;
};

extern const struct field_set advise_decision_fields;

/* What is known of an applied finding. */
struct followup {
    struct advise_decision decision;
    struct str unit;                           /* "step" or "run"; empty: nothing is measured */
    double before, after;                      /* dollars for each unit */
    int64_t runs_before, runs_after;           /* that ended well */
    usd measured, measured_low, measured_high; /* dollars a month: 80 % range */
    struct str verdict;
};

extern const struct field_set followup_fields;

/* Compare runs of the work that began in the FOLLOWUP_DAYS before with those since. `runs` are
 * all that may be of it, as advise_works() left them; `now` ends the time after. */
bool followup_measure(const struct advise_decision *decision, const struct advise_run *runs,
                      size_t count, stamp now, struct arena *arena, struct followup *out,
                      struct error *err) MUST_USE;

/* Set state, reason and time of the findings that were decided about. */
void findings_decided(struct findings *list, const struct advise_decision *decisions,
                      size_t count);

#endif
