/* savings_view.h - what smaller data saves, as commands print it. */
#ifndef CLI_DATA_SAVINGS_VIEW_H
#define CLI_DATA_SAVINGS_VIEW_H

#include "cli/view.h"
#include "op/data/data_price.h"

/* "saved  3.2 GB (50 %), 32.0 s and $0.29 each time the model is moved" */
void view_savings(const struct view *view, const struct data_savings *saved, bytes before,
                  const char *what);

#endif
