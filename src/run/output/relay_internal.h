/* relay_internal.h - the state of a relay: for relay.c, and for its tests. */
#ifndef RUN_OUTPUT_RELAY_INTERNAL_H
#define RUN_OUTPUT_RELAY_INTERNAL_H

#include <signal.h>

#include "base/buf.h"
#include "run/output/metric.h"
#include "run/output/relay.h"

#define RELAY_CHUNK ((size_t)64 * 1024) /* read at once */
#define RELAY_HELD ((size_t)256 * 1024) /* at most waits to be written */
#define RELAY_PIPE (1024 * 1024)        /* asked for; the system may give less */

/* Where bytes go: one of the descriptors we were given, which others share. Their mode is not
 * ours to change. */
enum sink_kind {
    SINK_FILE,   /* never blocks: a file, /dev/null */
    SINK_OWN,    /* opened again for ourselves, not blocking */
    SINK_SOCKET, /* each call says that it must not block */
    SINK_SHARED, /* asked before each write, which is small */
};

struct relay_sink {
    int fd;
    enum sink_kind kind;
    size_t most; /* at once, of SINK_SHARED */
};

/* The start of a line whose end has not come yet. */
struct relay_lines {
    char text[METRIC_LINE];
    size_t len;
};

/* Report each line that ends in these bytes. */
void relay_lines_see(struct relay_lines *lines, const struct relay_options *options,
                     struct str bytes, bool is_error);
/* The output has ended: report what is left. */
void relay_lines_end(struct relay_lines *lines, const struct relay_options *options,
                     bool is_error);

struct relay_stream {
    int from;  /* our end; -1: it has ended */
    int child; /* the program's end; -1: closed */
    bool pty, is_error;
    bool starts_row; /* the next byte is the first of a row */
    struct relay_sink sink;
    char *held; /* RELAY_HELD bytes: held[sent...len] could not be written yet */
    size_t sent, len;
    bool unwritten; /* it could not be written, and that was reported */
    struct relay_lines lines;
};

struct relay {
    const struct alloc *alloc;
    struct relay_options options;
    struct relay_stream stream[2];
    int count;
    struct relay_stream *of[3]; /* what replaces descriptors 1 and 2; NULL: nothing */
    struct relay_stream *shown; /* whose terminal has the line; NULL: none */
    struct screen screen;
    struct buf drawn, line, messages; /* for the terminal; the status line; lines that wait */
    char *chunk;
    struct sigaction before; /* of SIGPIPE */
    bool suspended;
};

#endif
