/* bills_view.h - how bills look. */
#ifndef CLI_BILLS_VIEW_H
#define CLI_BILLS_VIEW_H

#include "cli/runs_view.h"

void bills_write_format(struct str format, struct str version,
                        struct buf *out); /* "focus 1.2" */

#endif
