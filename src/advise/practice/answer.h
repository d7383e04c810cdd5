/* answer.h - what `stint maturity`, `checklist` and `targets` answer: one period, one set of
 * measured facts, judged by three tables.
 */
#ifndef ADVISE_PRACTICE_ANSWER_H
#define ADVISE_PRACTICE_ANSWER_H

#include "advise/practice/checklist.h"
#include "advise/practice/maturity.h"
#include "advise/practice/targets.h"
#include "unit/time.h"

/* What they judge. */
struct practice_about {
    day since, until; /* the first and the last day */
    struct str ledger;
    bool no_ledger; /* there is no ledger */
};

struct maturity_result {
    struct practice_about about;
    struct maturity maturity;
    bool explain; /* thresholds and their sources are printed; not in the result */
    struct str svg;
};

struct checklist_result {
    struct str phase; /* empty: all */
    struct practice_about about;
    struct checklist list;
    struct str md; /* file that was written */
};

struct targets_result {
    struct practice_about about;
    struct target_scores scores;
    struct str svg;
};

extern const struct field_set maturity_fields, checklist_fields, targets_fields;

#endif
