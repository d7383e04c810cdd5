/* status.h - a run's facts as one line: at the bottom of a terminal, or in a log. Pure. */
#ifndef RUN_TERMINAL_STATUS_H
#define RUN_TERMINAL_STATUS_H

#include "base/buf.h"
#include "base/term.h"
#include "run/supervise/phase.h"
#include "unit/money.h"

/* The state of a run now. */
struct run_facts {
    span elapsed;
    usd cost, budget;  /* unknown: no budget */
    usd_per_hour rate; /* what it costs an hour now */
    usd projected;     /* the total when it goes on like this; unknown without progress */
    span left;         /* until it ends by itself; SPAN_UNKNOWN */
    span budget_left;  /* until the budget is spent; SPAN_UNKNOWN */
    double step, steps, loss;
    double gpu_busy, gpu_memory_share; /* 0 to 1; NaN without a device */
    double gpu_memory_total;           /* bytes that it is a share of; NaN unknown */
    int gpus;
    double cpu_cores, memory; /* busy cores, bytes */
    double watts, score;
    enum run_phase phase;
};

/* For a terminal of term->width columns, never wider; what matters most stays when there is
 * little room: cost and budget, rate, time left and projection, GPU, step, loss; the processor
 * only where there is no GPU, watts last. A projection above the budget has a "!". What is
 * unknown is left out. `utf8`: a bar of blocks. */
void status_line(const struct run_facts *facts, const struct term *term, bool utf8,
                 struct buf *out);

/* For a log, without the end of the line: "1h 02m $2.58 of $5.00 ($2.49/hr), step 1200 of
 * 4000, loss 2.31, GPU 87 %, about 2h 05m to go, $7.80 in all". */
void status_heartbeat(const struct run_facts *facts, struct buf *out);

/* "45s", "4m10s", "42m", "2h05m", "3d04h"; `gap` is between the two. */
void status_span(span time, const char *gap, struct buf *out);

/* A loss: "1234", "123.4", "2.31", "0.0310", "2.1e-5". */
void status_number(double value, struct buf *out);

#endif
