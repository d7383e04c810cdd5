/* spot_view.h - what the commands about spot machines print alike. */
#ifndef CLI_SPOT_VIEW_H
#define CLI_SPOT_VIEW_H

#include "cli/view.h"

/* A sentence of a note, wrapped. */
void spot_note(const struct view *view, const char *before, struct str text);

#endif
