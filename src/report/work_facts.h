/* work_facts.h - a piece of work with what was computed about it, and what is written of it. */
#ifndef REPORT_WORK_FACTS_H
#define REPORT_WORK_FACTS_H

#include "report/report.h"
#include "report/work_advice.h"

struct work_facts {
    struct report_work work;
    struct work_comparison comparison;
    struct str no_options; /* why there is no comparison; empty: there is */
    struct rows advice;    /* struct work_advice */
    stamp now;
    struct str title, subtitle, footer; /* of figures and documents */
};

/* All files of a report about the work, and its summary: `work`, `comparison` and `no_options`
 * are filled in. */
bool work_report(struct work_facts *facts, struct report *report, struct error *err) MUST_USE;

/* Why a value of cost_analysis.json is null. */
struct str work_reason(const struct work_facts *facts, const char *section, const char *key);

/* cost_analysis.json (docs/guide/report.md). */
bool work_json(const struct work_facts *facts, struct arena *arena, struct buf *out,
               struct error *err) MUST_USE;

/* The six panels, and the same work on every provider and market. NULL with the error set. */
const struct figure_sheet *work_dashboard(const struct work_facts *facts, struct arena *arena,
                                          struct error *err) MUST_USE;
const struct figure_sheet *work_comparison_sheet(const struct work_facts *facts,
                                                 struct arena *arena,
                                                 struct error *err) MUST_USE;

/* Every metric that the run reported, each as a figure; NULL in `*out`: none has two values. */
bool work_metrics_sheet(const struct work_facts *facts, struct arena *arena,
                        const struct figure_sheet **out, struct error *err) MUST_USE;
void work_metrics_section(struct document *d, const struct work_facts *facts,
                          const struct figure_sheet *sheet);

/* The figures of the document; `metrics` may be NULL. */
struct work_sheets {
    const struct figure_sheet *dashboard, *comparison, *metrics;
};

/* report.html and report.md. */
bool work_document(const struct work_facts *facts, const struct work_sheets *sheets,
                   struct arena *arena, struct buf *html, struct buf *markdown,
                   struct error *err) MUST_USE;

#endif
