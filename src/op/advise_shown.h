/* advise_shown.h - what `stint advise` found, shown in reports and figures.
 *
 * The numbers are those of the operation `advise`, which is called by its name. Dismissed
 * findings are left out, as there; of applied ones, what was predicted and what was measured.
 */
#ifndef OP_ADVISE_SHOWN_H
#define OP_ADVISE_SHOWN_H

#include "op/advise_record.h"
#include "render/document.h"

struct op_context; /* op/context.h */

#define ADVISE_SHOWN_MOST 15 /* findings of a period; the rest is counted */

struct advise_shown {
    struct advise_result result; /* of a period with the first findings only */
    size_t more;                 /* findings that are not shown */
    struct str problem;          /* why there is no result; empty: there is */
    struct str command;          /* that prints the same */
};

/* Of a run, by its id. What advise needs of memory is given back. A question that fails is
 * reported as a warning and as `problem`; false: no memory. */
bool advise_shown_run(struct op_context *ctx, struct str id, struct advise_shown *out,
                      struct error *err) MUST_USE;

/* Of a period, both days included. Of one with very many runs only the works that cost most are
 * looked at, which is noted. */
#define ADVISE_SHOWN_RUNS 20000
#define ADVISE_SHOWN_WORKS 50
bool advise_shown_period(struct op_context *ctx, day since, day until, struct advise_shown *out,
                         struct error *err) MUST_USE;

/* "saves $64.8 of $145 a month (45 %), $54.4 to $72.1: 2 findings together"; "nothing found".
 */
void advise_shown_total(const struct advise_result *res, struct buf *out);

/* A section "What to change": the total, findings, applied ones, notes. */
void advise_shown_document(struct document *d, const struct advise_shown *shown);

/* Likewise of several runs together, where `others` were not asked about. */
bool advise_shown_runs(struct document *d, const struct advise_shown *runs, size_t count,
                       size_t others, struct error *err) MUST_USE;

/* Bars of the findings, at most 12, those of the best combination marked. */
bool advise_shown_figure(const struct advise_result *res, struct arena *arena,
                         struct figure *out, struct error *err) MUST_USE;

#endif
