#include "cli/spot_view.h"

void spot_note(const struct view *view, const char *before, struct str text)
{
    struct buf safe = buf_new(view->arena->alloc, 400);

    buf_adds(&safe, before);
    buf_add_safe(&safe, text);
    view_wrap(buf_text(&safe), 2, 0, view->out);
    buf_char(view->out, '\n');
    buf_free_part(&safe, view->out);
}
