/* screen.h - the bottom line of the terminal, kept apart from what the program prints.
 *
 * The last row is taken out of the scrolling region; the program's bytes go to the terminal
 * unchanged. The line is drawn only between whole characters and escape sequences, never while
 * the program holds the saved cursor or the alternate screen, and the region is set again when
 * the program cleared it.
 */
#ifndef RUN_SCREEN_H
#define RUN_SCREEN_H

#include "base/buf.h"
#include "base/str.h"

struct screen {
    int rows, columns;
    bool active;       /* the region is set */
    bool hidden;       /* by the alternate screen */
    bool holds_cursor; /* the program saved the cursor and did not restore it yet */
    int parser;        /* state of the reader of the program's bytes */
    char pending[32];  /* of an escape sequence that has begun */
    int pending_len;
    int utf8_left; /* bytes that the character still needs */
};

void screen_start(struct screen *screen, int rows, int columns, struct buf *out);
void screen_resize(struct screen *screen, int rows, int columns, struct buf *out);
/* The program's bytes: appended to `out` as they are, with the region set again after what
 * cleared it. */
void screen_pass(struct screen *screen, struct str bytes, struct buf *out);
/* The line, when it may be drawn now: false when not. */
bool screen_draw(struct screen *screen, struct str line, struct buf *out);
/* Give the row back, with the cursor where the program left it. */
void screen_stop(struct screen *screen, struct buf *out);

#endif
