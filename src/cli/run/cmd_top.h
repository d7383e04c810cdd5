/* cmd_top.h - the live view of `stint top`: what a key does and what is drawn are pure
 * functions of this state. */
#ifndef CLI_CMD_TOP_H
#define CLI_CMD_TOP_H

#include "base/term.h"
#include "op/run/top.h"

#define TOP_ID 64

struct top_view {
    int rows, columns;
    struct term term; /* colors */
    bool utf8;
    bool printed;          /* as lines, not at places of a screen */
    char selected[TOP_ID]; /* the run's id; empty: the first */
    size_t sort;           /* of top_sorts */
    bool details;          /* of the selected one, in place of the list */
    bool confirm;          /* asking whether to stop the selected one */
    char message[200];     /* in the last row, until the next key */
};

extern const char *const top_sorts[];

enum top_key {
    TOP_OTHER,
    TOP_UP,
    TOP_DOWN,
    TOP_PAGE_UP,
    TOP_PAGE_DOWN,
    TOP_FIRST,
    TOP_LAST,
    TOP_ENTER,
    TOP_BACK, /* Escape, Backspace */
    TOP_QUIT,
    TOP_SORT,
    TOP_STOP,
    TOP_YES,
};

/* Take the next key from the front of what was read. `*bytes` is not empty. */
enum top_key top_key_take(struct str *bytes);

enum top_wish {
    WISH_NOTHING, /* but to be drawn again */
    WISH_QUIT,
    WISH_FACTS, /* other facts are shown: ask for them */
    WISH_STOP,  /* the selected run */
};

enum top_wish top_press(struct top_view *view, const struct top_result *now, enum top_key key);

/* The selected run; NULL when there is none. */
const struct live_run *top_selected(const struct top_view *view, const struct top_result *now);

/* All rows of the terminal, from its upper left corner. */
void top_draw(const struct top_view *view, const struct top_result *now, struct buf *out);

/* A row being drawn: what is written to `text` is cut to the terminal. */
struct top_line {
    const struct top_view *view;
    struct buf *out;
    struct buf text; /* of one row */
    int row;         /* rows written so far */
};

/* The details of one run, as rows of `line`. */
void top_draw_details(struct top_line *line, const struct live_run *run,
                      const struct top_result *now);

#endif
