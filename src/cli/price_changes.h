/* price_changes.h - what an import or a fetch changed, in a few lines. */
#ifndef CLI_PRICE_CHANGES_H
#define CLI_PRICE_CHANGES_H

#include "cli/cli.h"
#include "op/price_import.h"

void view_price_changes(const struct view *view, const struct price_changes *changes);

#endif
