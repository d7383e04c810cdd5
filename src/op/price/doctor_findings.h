/* doctor_findings.h - what price.doctor found, put into words. */
#ifndef OP_PRICE_DOCTOR_FINDINGS_H
#define OP_PRICE_DOCTOR_FINDINGS_H

#include "op/price/doctor_scan.h"

struct op_context; /* op/context.h */

#define MOST_FINDINGS 512

struct doctor_visit {
    struct op_context *ctx;
    struct doctor_scan scan;
    struct price_doctor_result *res;
    struct doctor_finding *findings;
    size_t count;
    bool failed; /* memory ran out; `err` says so */
    struct error *err;
};

/* All findings, worst first. */
void doctor_findings(struct doctor_visit *v);

/* Of them, those about when feeds were read, and about how they come by their prices. */
void doctor_dates(struct doctor_visit *v);
void doctor_sources(struct doctor_visit *v);

/* A text in the arena. */
struct str doctor_words(struct doctor_visit *v, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* A new finding; a spare one when there are too many. */
struct doctor_finding *doctor_find(struct doctor_visit *v, const char *kind, size_t count);

/* Room for so many examples; NULL when memory ran out. */
struct str *doctor_examples(struct doctor_visit *v, size_t count);

struct str doctor_date(struct doctor_visit *v, stamp at);
#endif
