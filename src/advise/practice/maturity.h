/* maturity.h - how mature the handling of costs is, practice by practice.
 *
 * Pure: measured facts (practice.h) and thresholds of the catalog in, levels and the next steps
 * out. A fact that is not known has no level: it is neither counted nor held against anyone. A
 * domain is at the level that two in three of its known practices have reached.
 */
#ifndef ADVISE_MATURITY_H
#define ADVISE_MATURITY_H

#include "advise/practice/practice.h"
#include "catalog/catalog.h"
#include "doc/field.h"

enum maturity_level {
    MATURITY_UNKNOWN = -1,
    MATURITY_NONE, /* below crawl */
    MATURITY_CRAWL,
    MATURITY_WALK,
    MATURITY_RUN,
};
extern const char *const maturity_level_names[]; /* "none", "crawl", "walk", "run" */

struct maturity_row {
    struct str domain, fact, label;
    enum practice_unit unit;
    double value; /* NaN: not known */
    enum maturity_level level;
    double crawl, walk, run;
    double goal; /* of the next level; NaN: it is at the highest, or not known */
    struct str evidence, next,
        source; /* next: what to type; of what is not known, to record it */
    day date;
    double worth; /* dollars a month that the next level saves; NaN: not computable */
};

struct maturity_domain {
    struct str domain;
    enum maturity_level level;
    int64_t practices, known;
};

struct maturity_step {
    struct str fact, text; /* "GPU utilization: 41 % to 50 %" */
    struct str command;
    double worth; /* dollars a month; NaN: not computable */
};

#define MATURITY_STEPS 3

struct maturity {
    struct rows rows;    /* struct maturity_row, by domain, as the table has them */
    struct rows domains; /* struct maturity_domain */
    struct rows steps;   /* struct maturity_step: up to MATURITY_STEPS */
};

extern const struct field_set maturity_row_fields, maturity_domain_fields, maturity_step_fields;

/* The level that a value reaches. */
enum maturity_level maturity_level_of(const struct maturity_threshold *threshold, double value);

/* Thresholds of facts that do not exist are ERROR_INPUT, and so are levels that neither rise
 * nor fall. */
bool maturity_judge(const struct practices *facts, const struct rows *thresholds,
                    struct arena *arena, struct maturity *out, struct error *err) MUST_USE;

#endif
