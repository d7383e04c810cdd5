/* time.h - lengths of time and days, read and written. The types are in base/clock.h. */
#ifndef UNIT_TIME_H
#define UNIT_TIME_H

#include "base/buf.h"
#include "base/clock.h"
#include "base/str.h"

#define SPAN_HOUR INT64_C(3600000000000)
#define SECONDS_PER_DAY INT64_C(86400)

typedef struct {
    int32_t n;
} day; /* days since 1970-01-01 */

#define DAY_UNKNOWN ((day){INT32_MIN})
#define STAMP_UNKNOWN ((stamp){-1})
#define SPAN_UNKNOWN ((span){-1}) /* of a length of time that cannot be negative */

/* "24h", "90min", "1h30min", "2.5h", "20s", "3d", "1w". A bare number is refused. */
bool span_parse(struct str text, span *out, struct error *err) MUST_USE;

span span_hours(double hours); /* the largest span, either way, when it does not fit */
double span_in_hours(span s);
double span_in_seconds(span s); /* 0 when unknown */

/* "72h", "30d" (complete days from a week on), "1h30min", "45s", "250ms". For people: seconds
 * are left out from an hour on. */
void span_write(span s, struct buf *out);

/* "2026-08-22", and only that. */
bool day_parse(struct str text, day *out) MUST_USE;
void day_write(day d, struct buf *out); /* "?" when unknown */

day day_of(stamp at);

/* A date of the calendar: months and dates from 1. A month below 1 or above 12 is one of
 * another year, a date likewise of another month. */
day day_make(int year, int month, int date);
void day_split(day d, int *year, int *month, int *date);

/* The first day of the week (a Monday), month, quarter or year that the day is in. */
day day_week_start(day d);
day day_month_start(day d);
day day_quarter_start(day d);
day day_year_start(day d);

/* The first day of the month that is so many months later, or earlier. */
day day_month_add(day d, int months);
int day_month_length(day d); /* days of its month */

/* "January", ..., "December". */
extern const char *const month_names[12];

/* "2026-11-15T10:00:00Z" or a day, which means its midnight. */
bool stamp_parse(struct str text, stamp *out) MUST_USE;

/* "2026-11-15T10:00:00.250+01:00", as RFC 3339 has it: a time of day, with a fraction or not
 * (which is dropped), and Z or an offset. Not before 1970. */
bool stamp_parse_offset(struct str text, stamp *out) MUST_USE;

/* As people type it: all of the above, a blank for the T, no seconds ("2026-11-15 10:00"). What
 * has no zone is UTC, as all that is shown. */
bool stamp_parse_typed(struct str text, stamp *out) MUST_USE;
void stamp_write(stamp at, struct buf *out);

/* Likewise; midnight is written as the day alone. */
void stamp_write_short(stamp at, struct buf *out);

/* When its month began, in UTC, and the one after. */
stamp stamp_month(stamp at);
stamp stamp_next_month(stamp at);

#endif
