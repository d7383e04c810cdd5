/* work_advice.h - what would have made the work cheaper, as far as its own record shows.
 *
 * Of a run: what the rules of `stint advise` find in it (advise/rules/rule.h). Of an experiment
 * and a plan, which have no record of what machines did: the difference to options of the
 * comparison. Savings do not add up, since two of them may be of the same hours.
 */
#ifndef REPORT_WORK_ADVICE_H
#define REPORT_WORK_ADVICE_H

#include "report/work.h"
#include "report/work_options.h"

enum advice_category { ADVICE_TRAINING, ADVICE_DEPLOYMENT, ADVICE_CATEGORIES };
extern const char *const advice_category_names[]; /* "training", "deployment"; NULL */

enum advice_effort { ADVICE_EASY, ADVICE_MODERATE, ADVICE_HARD, ADVICE_EFFORTS };
extern const char *const advice_effort_names[];

enum advice_priority { ADVICE_HIGH, ADVICE_MEDIUM, ADVICE_LOW }; /* by the saving */
extern const char *const advice_priority_names[];
#define ADVICE_HIGH_SHARE 0.25 /* of the cost */
#define ADVICE_MEDIUM_SHARE 0.1
#define ADVICE_LEAST_SHARE 0.05 /* what saves less is not mentioned */

struct work_advice {
    enum advice_category category;
    enum advice_priority priority;
    enum advice_effort effort;
    struct str title;       /* in a few words */
    struct str text;        /* a sentence */
    struct str improvement; /* "saves up to $1.20 of $4.00 (30 %)" */
    struct str command;     /* what to type */
    usd saving;
    double share; /* of the cost */
};

extern const struct field_set work_advice_fields;

/* Rows of struct work_advice, the largest saving first; none when the cost is not known. */
bool work_advise(const struct report_work *work, const struct work_comparison *comparison,
                 struct arena *arena, struct rows *out, struct error *err) MUST_USE;

#endif
