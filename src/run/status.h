/* status.h - a run's facts as one line: at the bottom of a terminal, or in a log. Pure. */
#ifndef RUN_STATUS_H
#define RUN_STATUS_H

#include "base/buf.h"
#include "base/term.h"
#include "run/facts.h"

/* For a terminal of term->width columns, never wider; what matters most comes first and stays
 * when there is little room (cost, rate, budget bar, GPU, ETA). `utf8`: a bar of blocks. */
void status_line(const struct run_facts *facts, const struct term *term, bool utf8,
                 struct buf *out);

/* For a log: "stint: 1h 02m $2.58 of $5.00 ($2.49/hr), step 1200 of 4000, loss 2.31, GPU 87 %,
 * about 2h 05m to go, $7.80 in all". */
void status_heartbeat(const struct run_facts *facts, struct buf *out);

#endif
