/* answer.h - what `stint advise` answers: for the terminal, reports, pages and programs. */
#ifndef ADVISE_ANSWER_H
#define ADVISE_ANSWER_H

#include "advise/rules/followup.h"
#include "advise/rules/rule.h"
#include "plan/data_ways.h"

struct advise_result {
    struct str kind; /* "period", "run" or "job" */
    struct str of;   /* what it is about: a run, a job */
    struct str per;  /* unit of savings */
    day since, until;
    int64_t runs, works, unpriced;
    int64_t jobs_left_out;       /* of the period: the cheapest, where there are many */
    struct rows findings;        /* struct finding: that save something for certain */
    struct rows possible;        /* struct finding: that may save nothing */
    int64_t dismissed, hidden;   /* hidden: by filters */
    struct advise_total total;   /* of those that are shown */
    struct rows applied;         /* struct followup */
    struct rows compression;     /* struct compression_row: of a job that serves */
    struct str compression_unit; /* of its costs */
    struct rows cleaner;         /* struct cleaner_row: of a job */
    struct plan_data data;       /* of a folder that was given */
    struct strs notes;
    struct str svg;
};

extern const struct field_set advise_fields;

/* Which findings are shown. */
struct advise_filter {
    struct strs category; /* none: all */
    struct str effort;    /* at most this; empty: any */
    usd min_saving;
    bool all; /* dismissed and applied ones as well */
};

bool advise_filter_category(const struct advise_filter *filter, enum advise_category category);

/* ERROR_USAGE for a category that does not exist. */
bool advise_filter_check(const struct advise_filter *filter, struct error *err) MUST_USE;

/* Keep those findings, combine them, and set what was left out. */
bool advise_show(const struct advise_filter *filter, const struct advise_facts *facts,
                 struct findings *findings, struct arena *arena, struct advise_result *out,
                 struct error *err) MUST_USE;

/* Say what is not in the answer. `recorded`: there is a ledger. */
bool advise_add_notes(const struct advise_facts *facts, bool recorded, struct arena *arena,
                      struct advise_result *out, struct error *err) MUST_USE;

#endif
