/* page.h - what pages are made of: the frame, sections, facts, tables, figures, forms. Their
 * content comes from views.
 *
 * A view writes its page from top to bottom. A part that may change while somebody looks at it
 * is a section: the script replaces sections by their id, the rest of the page stays. */
#ifndef SERVE_PAGE_H
#define SERVE_PAGE_H

#include "render/columns.h"
#include "render/figure.h"
#include "serve/internal.h"

/* Only what comes from this server, and no script or style inside a page. */
#define PAGE_POLICY \
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " \
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/* A text in HTML, where tags or values of attributes are: markup, control characters and bytes
 * that are no UTF-8 are harmless. */
void html_text(struct str text, struct buf *out);

/* Likewise between two pieces of HTML: html_element(out, "<p>", text, "</p>\n"). */
void html_element(struct buf *out, const char *open, struct str text, const char *close);

/* ---- the frame ---- */

/* The page up to its content: `current` is the path of the view that the navigation marks;
 * NULL: without navigation, for those who are not signed in. */
void page_begin(struct visit *v, struct str title, const char *current);

/* Its end; or, when a table was asked for as CSV, that table instead of the page (ERROR_ABSENT
 * when the page has no such table). */
bool page_end(struct visit *v, struct error *err) MUST_USE;

/* A page that says what went wrong and what to do. */
void page_error(struct visit *v, const struct error *err);

/* After a form was sent: lead to `path`, whose page shows that it was done. */
bool page_done(struct visit *v, const char *path, struct error *err) MUST_USE;

/* ---- parts ---- */

/* A part of the page with an id of its own and a heading. `both`: across both columns of
 * cards. */
void page_section(struct visit *v, const char *id, struct str title, bool both);
void page_section_end(struct visit *v);
void page_cards(struct visit *v); /* sections beside each other, up to page_cards_end() */
void page_cards_end(struct visit *v);

/* The class of an element in this style: "amber"; "" when plain. */
const char *page_style_class(enum term_style style);

/* A remark that is not missed. */
void page_remark(struct visit *v, enum term_style style, struct str text);

/* A number with its name, and how it is known; an empty value is "unknown". */
struct page_fact {
    const char *label;
    struct str value, note;
    enum term_style style; /* of the value */
    const char *link;      /* of the value; NULL: none */
};
void page_fact(struct visit *v, const struct page_fact *fact);
void page_facts(struct visit *v, const char *id, const struct page_fact *facts, size_t count);

/* A text in the visit's arena; empty without memory, and then the page fails. */
struct str page_text(struct visit *v, const char *fmt, ...) PRINTF_LIKE(2, 3);
struct str page_keep(struct visit *v, struct buf *text); /* frees the buffer */
struct buf page_buf(struct visit *v);

/* ---- parts that take long (parts.c) ---- */

struct page_part {
    const char *page;               /* where it is: links to its tables lead there */
    void (*write)(struct visit *v); /* into v->out; the same for all of a team */
    span fresh;          /* it is made again at most so often while the ledger changes */
    const char *instead; /* HTML that is shown until it is first made */
};

/* What most of them show until then; without the script a page does not change by itself. */
#define PAGE_BEING_COMPUTED \
    "<p class=\"sub\">Being computed. Reload the page in a moment if it does not " \
    "appear.</p>\n"

/* Begin to make those that are not current, all at once; then write them one after the
 * other. */
void page_parts_begin(struct visit *v, const struct page_part *parts, size_t count);
void page_part(struct visit *v, const struct page_part *part);

/* Begin them before anybody asks. */
void parts_warm(struct server *s, const struct page_part *parts, size_t count);

/* ---- tables (page_table.c) ---- */

struct page_table {
    const char *id; /* in ?sort=ID.MEMBER and ?format=csv&table=ID */
    struct str caption;
    const struct columns *columns;
    struct table_rows rows;
    size_t most;      /* show so many at a time, with links to the others; 0: all */
    const char *none; /* said instead of an empty table */
    /* Write where the first cell of a row leads; nothing: nowhere. */
    void (*link)(const void *row, struct buf *out);
    /* HTML below the text of the first cell, for what is longer; it escapes what it shows. */
    void (*below)(struct visit *v, const void *row);
    /* Further cells that are HTML, such as buttons, under no title; they escape what they
     * show. */
    void (*actions)(struct visit *v, const void *row);
    const char *actions_title; /* for those who do not see it */
    /* A box before each row: its name and value in the form around the table. */
    const char *pick;
    void (*pick_value)(const void *row, struct buf *out);
    const struct columns *file; /* of the CSV file; NULL: those of the page */
    bool sorted;                /* in an order of its own: no links to sort by */
    /* A last line, as columns_total() makes it; NULL: none. */
    const char *total_label;
    const struct field_set *total_set;
    const void *total;
};
void page_table(struct visit *v, const struct page_table *table);

/* The address of this page with another value of a parameter (empty: without it), as the value
 * of an attribute. */
void page_link(const struct visit *v, const char *name, struct str value, struct buf *out);

/* Writes the columns `from` (a list of the command line, say) of `rows` sorted by a member, for
 * tests: the order of the rows. NULL without memory. */
const size_t *page_table_order(const struct columns *columns, const struct table_rows *rows,
                               struct str sort, struct arena *arena, struct error *err);

/* "/runs?name=bert%2A": an address of ours with a parameter, which is left out when it is
 * empty. */
const char *page_address(struct visit *v, const char *path, const char *name, struct str value);

/* ---- figures ---- */

void page_figure(struct visit *v, const struct figure *figure, struct str caption);
void page_figures(struct visit *v); /* beside each other, up to page_figures_end() */
void page_figure_beside(struct visit *v, const struct figure *figure);
void page_figures_end(struct visit *v);

/* ---- forms ---- */

/* A form that changes something: POST to `action`. Ends with page_form_end() and the text of
 * its button. */
void page_form(struct visit *v, const char *action);
void page_form_end(struct visit *v, const char *button);

struct page_field {
    const char *name, *label, *hint, *placeholder;
    struct str value;
    const char *const *choices; /* ends with NULL; NULL: a line of text */
    const char *any;            /* of choices: what none of them is called; NULL: one must be */
    bool required;
};
void page_field(struct visit *v, const struct page_field *field);
void page_hidden(struct visit *v, const char *name, struct str value);

/* ---- files of the page (assets.c) ---- */

const char *asset_version(void); /* changes when they do */
bool asset_style(struct visit *v, struct error *err);
bool asset_script(struct visit *v, struct error *err);

#endif
