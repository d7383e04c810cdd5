/* findings.h - what `stint advise` found, in reports and figures.
 *
 * The numbers are those of the operation `advise`. Dismissed findings are left out, as there;
 * of applied ones, what was predicted and what was measured.
 */
#ifndef REPORT_FINDINGS_H
#define REPORT_FINDINGS_H

#include "advise/answer.h"
#include "render/document.h"

#define REPORT_FINDINGS_MOST 15 /* of a period; the rest is counted */

struct report_findings {
    struct advise_result result; /* of a period with the first findings only */
    size_t more;                 /* findings that are not shown */
    struct str problem;          /* why there is no result; empty: there is */
    struct str command;          /* that prints the same */
};

/* Copy what is shown of its result into the arena: of a period the first findings. */
bool report_findings_keep(struct report_findings *out, struct arena *arena,
                          struct error *err) MUST_USE;

/* "saves $64.8 of $145 a month (45 %), $54.4 to $72.1: 2 findings together"; "nothing certain".
 */
void report_findings_total(const struct advise_result *res, struct buf *out);

/* A section "What to change": the total, findings, applied ones, notes. */
void report_findings_document(struct document *d, const struct report_findings *shown);

/* Likewise of several runs together, where `others` were not asked about. */
bool report_findings_of_runs(struct document *d, const struct report_findings *runs,
                             size_t count, size_t others, struct error *err) MUST_USE;

/* Bars of the findings, at most 12, those of the best combination marked. */
bool report_findings_figure(const struct advise_result *res, struct arena *arena,
                            struct figure *out, struct error *err) MUST_USE;

#endif
