/* timeline.h - a picture of one run: what was available, what ran, how far the work was. */
#ifndef RENDER_TIMELINE_H
#define RENDER_TIMELINE_H

#include "base/buf.h"
#include "base/term.h"

enum timeline_what {
    TIMELINE_DONE, /* after the end */
    TIMELINE_WAITING,
    TIMELINE_STARTING, /* paid, and no progress yet */
    TIMELINE_SPOT,
    TIMELINE_ON_DEMAND,
    TIMELINE_WHATS,
};

extern const char *const timeline_words[TIMELINE_WHATS];

/* One policy. */
struct timeline_row {
    struct str name;
    const uint8_t *what; /* [ticks] enum timeline_what */
    const float *done;   /* [ticks + 1] share of the work */
    double usd, end_h;
    bool late;
};

struct timeline {
    struct str title;  /* one line: zone, window, work, deadline */
    struct str source; /* one line: the traces, the prices, and that it is simulated */
    size_t ticks;      /* to the deadline */
    double tick_h;
    double work_h, deadline_h;
    const uint8_t *up; /* [ticks] spot was available */
    const struct timeline_row *rows;
    size_t row_count;
};

/* For a terminal, or for a file when its width is 0. Without `utf8`, in ASCII. */
void timeline_text(const struct timeline *timeline, const struct term *term, bool utf8,
                   struct buf *out);

/* An SVG document, for light and dark backgrounds. */
void timeline_svg(const struct timeline *timeline, struct buf *out);

#endif
