/* spot_view.h - how risks and amounts look in the tables of 'stint spot'. */
#ifndef CLI_SPOT_VIEW_H
#define CLI_SPOT_VIEW_H

#include "cli/view.h"

/* "4.1 %": small ones are not zero; "?" when unknown. */
void spot_share(struct buf *out, double share);
void spot_share_cell(struct table *t, double share);

/* "41 % (30-52)". */
void spot_risk_cell(struct table *t, double risk, double low, double high);

/* "33min": what is only computed, without seconds that mean nothing. */
void spot_span(struct buf *out, span s);

/* Likewise; "-" when unknown. */
void spot_span_cell(struct table *t, span s);

/* "24 h", "30min": a time that was asked for. */
void spot_time(struct buf *out, double hours);

/* A sentence of a note, wrapped. */
void spot_note(const struct view *view, const char *before, struct str text);

/* "48 h", "0.1 h", "never" for what has no end, "-" for what is not known. */
void spot_hours_cell(struct table *t, double hours);

/* "risk     measured ...": a line of a record. */
void spot_line(const struct view *view, const char *name, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

#endif
