/* show_lists.h - the lower half of `stint show`: use, pictures and lists. Each is left out when
 * there is nothing to tell. */
#ifndef CLI_SHOW_LISTS_H
#define CLI_SHOW_LISTS_H

#include "cli/view.h"
#include "op/runs/show.h"

void show_use(const struct view *view, const struct show_result *res);
void show_pictures(const struct view *view, const struct show_result *res, bool utf8);
void show_metrics(const struct view *view, const struct show_result *res, bool utf8);
void show_attempts(const struct view *view, const struct show_result *res);
void show_prices(const struct view *view, const struct show_result *res);
void show_events(const struct view *view, const struct show_result *res);
void show_checkpoints(const struct view *view, const struct show_result *res);

#endif
