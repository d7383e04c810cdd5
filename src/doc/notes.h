/* notes.h - the limitations of an answer: sentences that are part of a result, in order.
 *
 * Unlike messages (base/message.h) they are kept, so that programs get them, too. */
#ifndef DOC_NOTES_H
#define DOC_NOTES_H

#include "doc/field.h"

/* One sentence, as printf writes it. The list is in the arena. */
bool note_add(struct strs *notes, struct arena *arena, struct error *err, const char *fmt, ...)
    PRINTF_LIKE(4, 5) MUST_USE;

/* What was written to `text`, which is freed; nothing was written: no note. */
bool note_keep(struct strs *notes, struct arena *arena, struct buf *text,
               struct error *err) MUST_USE;

#endif
