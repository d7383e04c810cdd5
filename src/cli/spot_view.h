/* spot_view.h - how risks and amounts look in the tables of 'stint spot'. */
#ifndef CLI_SPOT_VIEW_H
#define CLI_SPOT_VIEW_H

#include "cli/view.h"

/* "4.1": small ones are not zero; "?" when unknown. And "4.1 %". */
void spot_share(struct buf *out, double share);
void spot_percent(struct buf *out, double share);

/* "41 % (30-52)". */
void spot_risk(struct buf *out, double risk, double low, double high);

/* "33min": a computed time, without seconds that mean nothing. */
void spot_span(struct buf *out, span s);

/* "24 h", "30min": a time of the request. */
void spot_time(struct buf *out, double hours);

/* A sentence of a note, wrapped. */
void spot_note(const struct view *view, const char *before, struct str text);

/* "48 h", "6 min", "never" for what has no end, "-" when it is not known. */
void spot_hours(struct buf *out, double hours);

/* "60 d", "12 of 104 d": the days with data, and those from the first to the last of them where
 * there are gaps. "-" without any. */
void spot_observed(struct buf *out, double days, double span_days);

#endif
