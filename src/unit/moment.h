/* moment.h - times as people give them to --since, --until and --month: the same everywhere.
 *
 * A date is that day: from its beginning for --since, and with all of it for --until. So are
 * "today" and "yesterday". "7d", or "7 days ago", is so long before now.
 */
#ifndef UNIT_MOMENT_H
#define UNIT_MOMENT_H

#include "base/arena.h"
#include "unit/time.h"

/* "7d" before now, or a date, or a moment; -1 when nothing was given. `option` is for the
 * error: "since". */
bool moment_parse(stamp now, const char *option, struct str text, stamp *out,
                  struct error *err) MUST_USE;

/* Likewise, of the end: of a date, the moment after it. */
bool moment_end_parse(stamp now, const char *option, struct str text, stamp *out,
                      struct error *err) MUST_USE;

/* What was given to the three options; empty: nothing. */
struct days_asked {
    struct str since, until, month;
};

/* The first day, and the first day after. "30d" of --since is the last 30 days, today's among
 * them; "1d" of --until is yesterday; a part of a day is one. `days`: how many, to today, when
 * nothing is given; 0: any (DAY_UNKNOWN). */
bool days_asked_parse(day today, const struct days_asked *asked, int32_t days, day *since,
                      day *until, struct error *err) MUST_USE;

/* To ask for the days from the one to the other. */
bool days_ask(day since, day until, struct arena *arena, struct days_asked *out,
              struct error *err) MUST_USE;

#endif
