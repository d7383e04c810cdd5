/* screen.h - the bottom line of the terminal, kept apart from what the program prints.
 *
 * The last row is taken out of the scrolling region; the program's bytes go to the terminal
 * unchanged, with a little after what would take the cursor there. The line is drawn only
 * between complete characters and escape sequences, never while the program holds the saved
 * cursor or the alternate screen, and the region is set again when the program cleared it. So
 * the program has a terminal with one row less. Pure: it needs no terminal.
 *
 * What it cannot do: a program that restores one saved cursor several times finds, the second
 * time, the place where it was when the line was drawn. */
#ifndef RUN_TERMINAL_SCREEN_H
#define RUN_TERMINAL_SCREEN_H

#include "base/buf.h"
#include "base/str.h"

/* Smaller than this, there is no line. */
#define SCREEN_ROWS 3
#define SCREEN_COLUMNS 20

enum screen_setting {
    SCREEN_SET,    /* the region is as it must be */
    SCREEN_LOST,   /* to be set again as soon as it may be */
    SCREEN_RESIZED /* likewise, and the old line may be anywhere below the cursor */
};

struct screen {
    int rows, columns;
    int top, bottom;   /* the program's region */
    bool active;       /* the last row is ours */
    bool hidden;       /* by the alternate screen */
    bool holds_cursor; /* the program saved the cursor and did not restore it yet */
    bool origin;       /* the program counts rows from its region's top */
    bool starts_row;   /* no text since the last end of a line */
    bool erased;       /* the program cleared our row: draw it again */
    enum screen_setting setting;
    int parser;       /* state of the reader of the program's bytes */
    char pending[32]; /* parameters of the escape sequence that has begun */
    int pending_len;  /* more than there is room for: not looked at */
    int utf8_left;    /* bytes that the character still needs */
};

/* Take the last row; nothing happens on a terminal that is too small. */
void screen_start(struct screen *screen, int rows, int columns, struct buf *out);
/* The terminal has another size now: from too small to large enough, or back, as well. */
void screen_resize(struct screen *screen, int rows, int columns, struct buf *out);
/* The program's bytes: appended to `out` as they are, with the region set again after what
 * cleared it. */
void screen_pass(struct screen *screen, struct str bytes, struct buf *out);
/* May something of ours be written now? */
bool screen_may_write(const struct screen *screen);
/* The line, when it may be drawn now: false when not. It may have colors (CSI ... m); what is
 * wider than the terminal is cut. */
bool screen_draw(struct screen *screen, struct str line, struct buf *out);
/* Give the row back, with the cursor where the program left it. */
void screen_stop(struct screen *screen, struct buf *out);

#endif
