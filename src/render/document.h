/* document.h - reports: a list of blocks, and the writers that make a page or Markdown of it.
 *
 * A document says what is there (headings, paragraphs, facts, tables, figures, notes); how it
 * looks is the writers'. Tables come from records and columns (columns.h), pictures from
 * figures (figure.h), so a number is the same on the terminal and in a report.
 *
 *     struct document d = document_new(STR("November 2026"), arena);
 *
 *     document_facts(&d, facts, ARRAY_LEN(facts));
 *     document_heading(&d, 2, STR("Spend by team"));
 *     document_figure(&d, STR("teams.svg"), &sheet, STR("Spend by team, in dollars"));
 *     document_table(&d, &(struct document_table){.caption = STR("Spend by team"),
 *                                                 .columns = &columns, .rows = rows});
 *     document_html(&d, &page);
 *     document_markdown(&d, &comment);
 *
 * Texts, records and figures are referred to, not copied: they live as long as the document.
 * Texts may be anything that a user, a cloud or a file has written: both writers escape them,
 * and show "?" for control characters and for bytes that are no UTF-8. Without memory for a
 * block, the writers' buffer fails.
 */
#ifndef RENDER_DOCUMENT_H
#define RENDER_DOCUMENT_H

#include "render/columns.h"
#include "render/figure.h"

/* "Cost: $12.34 (metered, prices from 2026-11-15)". */
struct document_fact {
    struct str label;
    struct str value; /* with its unit; empty: "unknown" */
    struct str note;  /* date, method, or why it is unknown; may be empty */
};

struct document_table {
    struct str caption;
    const struct columns *columns;
    struct table_rows rows;
    size_t most; /* only show so many rows, and how many more there are; 0: all */

    /* A last line, as columns_total() makes it; NULL: none. */
    const char *total_label;
    const struct field_set *total_set;
    const void *total;
};

enum document_mood {
    DOCUMENT_NOTE,
    DOCUMENT_WARNING, /* shown so that it is not missed */
};

enum document_kind {
    DOCUMENT_HEADING,
    DOCUMENT_PARAGRAPH,
    DOCUMENT_REMARK,
    DOCUMENT_FACTS,
    DOCUMENT_TABLE,
    DOCUMENT_FIGURE,
};

struct document_block {
    struct document_block *next;
    enum document_kind kind;
    struct str text; /* of a heading, paragraph or remark; the caption of a figure */
    unsigned level;  /* of a heading: 2 or more */
    enum document_mood mood;
    const struct document_fact *facts;
    size_t fact_count;
    struct document_table table;
    struct str file; /* of a figure: the picture that Markdown shows */
    const struct figure_sheet *sheet;
};

struct document {
    struct arena *arena;
    struct str title;
    struct str subtitle; /* below it; may be empty */
    struct str footer;   /* sources and dates; may be empty */
    struct document_block *first, *last;
    bool failed;
};

struct document document_new(struct str title, struct arena *arena);

/* Levels start at 2, since the title is 1; a level that would be skipped is not. */
void document_heading(struct document *d, unsigned level, struct str text);
void document_paragraph(struct document *d, struct str text);
void document_note(struct document *d, enum document_mood mood, struct str text);
void document_facts(struct document *d, const struct document_fact *facts, size_t count);
void document_table(struct document *d, const struct document_table *table); /* is copied */

/* `file` is the name of the picture that the caller writes beside report.md
 * (figure_svg(sheet, out) for an .svg file); the page contains the figures themselves. */
void document_figure(struct document *d, struct str file, const struct figure_sheet *sheet,
                     struct str caption);

/* A text that lives as long as the document: formatted, or what a buffer has, which is freed.
 * Empty without memory, and then the document fails. */
struct str document_text(struct document *d, const char *fmt, ...) PRINTF_LIKE(2, 3);
struct str document_keep(struct document *d, struct buf *text);

/* One HTML file that needs nothing else: no script, no font, no picture. Light and dark, on
 * paper and on a phone. */
void document_html(const struct document *d, struct buf *out);

/* GitHub's Markdown. Tables of more than this many rows are cut, and the rest is counted. */
#define DOCUMENT_MARKDOWN_ROWS 50
void document_markdown(const struct document *d, struct buf *out);

/* A text in Markdown's line: nothing in it is markup, mentions a user or refers to an issue. */
void markdown_escape(struct str text, struct buf *out);

#endif
