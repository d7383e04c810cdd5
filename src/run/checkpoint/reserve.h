/* reserve.h - how much of a limit is kept for the last save, and why. Pure: what is known of
 * the program and its disk in, a time and its reason out.
 *
 * A save that was seen, in this run or an earlier attempt at it, is the best witness: the next
 * one takes as long, or longer in proportion when more memory is in use by now. Before the
 * first save, all memory in use may have to be written at the speed of the disk. The reserve is
 * asked for again and again while the run goes on: as memory grows, the last save begins
 * earlier. */
#ifndef RUN_CHECKPOINT_RESERVE_H
#define RUN_CHECKPOINT_RESERVE_H

#include "base/buf.h"
#include "base/clock.h"
#include "unit/money.h"

enum reserve_basis {
    RESERVE_NONE,    /* nothing catches a signal: the program works until the limit */
    RESERVE_SET,     /* --grace */
    RESERVE_SEEN,    /* from saves that were seen */
    RESERVE_DERIVED, /* from the memory in use and the speed of the disk */
    RESERVE_USUAL,   /* too little is known: a share of the time */
};

/* Saves that were seen; save_history_start() makes an empty one. */
struct save_history {
    int count;
    double longest, longest_memory; /* seconds, and bytes in use then; NaN: none was seen */
    double last, last_memory;       /* likewise of the newest */
    bool earlier;                   /* all of them in earlier attempts */
    bool unsettled;                 /* memory in use is that of a look before the newest */
};

void save_history_start(struct save_history *history);

/* A save of this attempt, or (`earlier`) of one before it. */
void save_history_add(struct save_history *history, double seconds, double memory,
                      bool earlier);

/* Memory in use at the look after the newest save. What is in use is looked at now and then: a
 * program may have taken most of it since the look before the save, and a save is not taken to
 * grow by that. */
void save_history_settle(struct save_history *history, double memory);

struct reserve_facts {
    span set;   /* by --grace; SPAN_UNKNOWN: not */
    span ahead; /* the time that the limit allows in all */
    bool saves; /* the program can be asked to save, or catches SIGTERM */
    const struct save_history *history;
    double memory;     /* bytes in use that a save may have to write; NaN unknown */
    bool on_device;    /* ... of devices, not of the host */
    double write_rate; /* bytes a second that reach the disk; NaN unknown */
    double step_s;     /* until the program notices that it was asked; 0: at once */
};

struct reserve {
    span time;
    enum reserve_basis basis;
    double save_s;             /* what the save is expected to take; NaN unknown */
    double memory, write_rate; /* that it was derived from; NaN */
    bool on_device, earlier;
    double seen_s, seen_memory; /* the save it follows; NaN */
    double step_s;              /* included: the step before the save */
    bool cut;                   /* the limit allows less than is needed */
};

struct reserve reserve_evaluate(const struct reserve_facts *facts);

/* "a save took 5.1 s with 3.9 GB in use" and its like. */
void reserve_explain(const struct reserve *reserve, struct buf *out);

/* Has it changed so much since it was announced that this is worth a line? */
bool reserve_differs(const struct reserve *announced, const struct reserve *now);

#endif
