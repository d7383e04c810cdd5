/* alert_view.h - how what was sent looks, below what commands print. */
#ifndef CLI_ALERT_VIEW_H
#define CLI_ALERT_VIEW_H

#include "cli/cli.h"
#include "op/deliver.h"

/* "sent 2 messages; 1 waits ...", and what did not work; nothing when nothing was to be sent,
 * unless `always`. */
void alert_view_sent(const struct view *view, const struct alert_sent *sent, bool always);
/* Only what did not work. */
void alert_view_failures(const struct view *view, const struct alert_sent *sent);

#endif
