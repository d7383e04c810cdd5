#include "doc/notes.h"

#include <stdarg.h>
#include <stdio.h>

/* Notes are few: the list is copied for each. */
static bool append_note(struct strs *notes, struct arena *arena, struct str note,
                        struct error *err)
{
    struct str *all = arena_array(arena, struct str, notes->len + 1, err);

    if (all == NULL)
        return false;
    for (size_t i = 0; i < notes->len; i++)
        all[i] = notes->at[i];
    all[notes->len] = note;
    *notes = (struct strs){all, notes->len + 1};
    return true;
}

bool note_add(struct strs *notes, struct arena *arena, struct error *err, const char *fmt, ...)
{
    va_list args, again;
    char *text;
    int len;

    va_start(args, fmt);
    va_copy(again, args);
    len = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    text = len < 0 ? NULL : arena_array(arena, char, (size_t)len + 1, err);
    if (text != NULL)
        (void)vsnprintf(text, (size_t)len + 1, fmt, again);
    va_end(again);
    return text != NULL && append_note(notes, arena, str_from(text), err);
}

bool note_keep(struct strs *notes, struct arena *arena, struct buf *text, struct error *err)
{
    struct str kept;

    if (text->len == 0) {
        buf_free(text);
        return true;
    }
    return buf_keep(text, arena, &kept, err) && append_note(notes, arena, kept, err);
}
