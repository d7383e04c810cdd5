/* page.h - the frame of every page: head, navigation, foot. Its content comes from views. */
#ifndef SERVE_PAGE_H
#define SERVE_PAGE_H

#include "serve/internal.h"

/* Only what comes from this server, and no script or style inside a page. */
#define PAGE_POLICY \
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " \
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/* A text in HTML, where tags or values of attributes are: markup, control characters and bytes
 * that are no UTF-8 are harmless. */
void html_text(struct str text, struct buf *out);

/* The page up to its content: `current` is the path of the view that the navigation marks. */
void page_begin(struct visit *v, const char *title, const char *current);
void page_end(struct visit *v);

/* A page that says what went wrong and what to do. */
void page_error(struct visit *v, const struct error *err);

#endif
