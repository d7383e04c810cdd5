/* report.h - a report that is being made: texts about it and its files.
 *
 * Whoever makes one fills in the first members. Files are kept in memory until all of them are
 * complete (files.h). A report of demo data says so in every file.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "base/message.h"
#include "render/document.h"
#include "report/files.h"
#include "unit/time.h"

struct report {
    struct arena *arena;
    struct messages messages;
    stamp now;
    bool demo; /* it shows demo data */
    /* What was made: */
    struct str kind;     /* "run", "experiment", "plan", ... */
    struct str title;    /* what it is about, in a line */
    struct str folder;   /* where it goes unless the user named another */
    struct strs summary; /* its main points */
    struct report_files files;
    bool no_pictures; /* the part that draws them is missing, which was reported */
};

/* Add "STEM.svg", "STEM.png" and, when `pdf`, "STEM.pdf". Where pictures cannot be drawn, the
 * SVG alone, with a warning. */
bool report_add_figure(struct report *report, const char *stem,
                       const struct figure_sheet *sheet, bool pdf, struct error *err) MUST_USE;

/* Show a figure, whose series live as long as the document, in it, and add its files. */
bool report_show_figure(struct report *report, struct document *d, const char *stem,
                        const struct figure *figure, struct str source,
                        struct error *err) MUST_USE;

/* Add report.html and report.md. */
bool report_add_document(struct report *report, const struct document *d,
                         struct error *err) MUST_USE;

/* Of demo data: "Demo data. " at the start of what is written below a figure. */
bool report_mark_footer(bool demo, struct arena *arena, struct str *footer,
                        struct error *err) MUST_USE;

#endif
