/* term.h - the terminal: its width, whether it shows color, and a progress bar.
 *
 * Plain ANSI. Color and progress appear only on a terminal; NO_COLOR is honored.
 */
#ifndef BASE_TERM_H
#define BASE_TERM_H

#include <stdint.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/clock.h"

struct term {
    bool tty;
    bool color;
    unsigned width; /* columns; 0 when it is not a terminal, so nothing is cut to fit */
};

/* What `fd` is. NO_COLOR, TERM=dumb and COLUMNS are read from the environment. */
struct term term_probe(int fd);

enum term_style {
    STYLE_PLAIN,
    STYLE_BOLD,
    STYLE_DIM,
    STYLE_GOOD, /* green */
    STYLE_WARN, /* yellow */
    STYLE_BAD,  /* red */
};

/* What to write before and after text in this style: empty without color. */
const char *term_style_on(const struct term *term, enum term_style style);
const char *term_style_off(const struct term *term, enum term_style style);

/* Does the environment's locale (LC_ALL, LC_CTYPE, LANG) say UTF-8? */
bool term_utf8(void);

/* Text in a line, with a '?' for what must not reach a terminal: see str_unsafe(). */
void term_print(struct str text, FILE *to);

/* All of an output as a terminal may show it: lines, tabs and our own styles stay, and for the
 * rest of what str_unsafe() names there is a '?', or an escape in `json`, which stays exact. */
void term_filter(struct str text, bool json, struct buf *out);

/* Write all of an output: exactly, or as term_filter() has it when `fd` is a terminal. */
bool term_write(int fd, struct str text, bool json, const struct alloc *alloc,
                struct error *err) MUST_USE;

/* Columns a terminal needs to show this UTF-8 text (one for each character). */
size_t term_columns(struct str text);

/* Words of `text` in lines of at most `width` columns, as far as single words allow; `column`
 * is where the first goes, further lines start at `left`. What must not reach a terminal is
 * '?'. */
void term_wrap(struct str text, size_t left, size_t column, size_t width, struct buf *out);

/* Lines of running text, each a paragraph that is wrapped; one that begins with a blank stays
 * as it is, and so do empty ones. */
void term_wrap_lines(struct str text, size_t width, struct buf *out);

/* The longest start of `text` that takes at most `columns`. */
struct str term_cut(struct str text, size_t columns);

struct progress {
    FILE *to;
    const struct term *term;
    const struct clock *clock;
    const char *label; /* "reading offers.csv" */
    uint64_t total;    /* 0 when it is not known */
    instant drawn;
    bool visible;
};

/* Draw the bar, at most ten times a second; nothing when `to` is not a terminal. */
void progress_show(struct progress *p, uint64_t done);

/* Remove the bar from the screen. */
void progress_clear(struct progress *p);

#endif
