/* check.h - the table of a check, for a pull request. */
#ifndef REPORT_CHECK_H
#define REPORT_CHECK_H

#include "advise/explain/change.h"
#include "base/buf.h"

/* The table of both sides, as Markdown. Names are shown as they are, whatever is in them. */
void check_markdown(const struct check_result *res, struct buf *out);

#endif
