/* zone.h - time zones: what a clock on a wall shows at a moment, and the other way round.
 *
 * A zone is the content of a file of the tz database (TZif, RFC 8536), read from memory;
 * zone_named() reads the file of this machine. libc's own (TZ, localtime) is one zone for the
 * entire process, and so is not used. All zero is UTC.
 */
#ifndef UNIT_ZONE_H
#define UNIT_ZONE_H

#include "base/arena.h"
#include "base/str.h"
#include "unit/time.h"

#define ZONE_FILE_MAX ((size_t)256 * 1024)

/* When summer time begins or ends in every year. */
struct zone_turn {
    char kind;            /* 'M': a weekday of a month; 'J': a day, never 29 February; 'D' */
    int month, week, day; /* of 'M': 1 to 12; 1 to 5 (the last); 0 to 6 from Sunday. Else day */
    int32_t time;         /* seconds after midnight by the clock that then ends */
};

/* What holds after the last change that the file lists. */
struct zone_rule {
    int32_t standard, summer; /* seconds ahead of UTC */
    bool has_summer;
    struct zone_turn begins, ends;
};

struct zone {
    const int64_t *changes; /* moments, ascending */
    const int32_t *offsets; /* from each change on: seconds ahead of UTC */
    size_t count;
    int32_t before; /* the first change */
    bool ruled;
    struct zone_rule rule;
};

/* "Europe/Berlin", "UTC", "Etc/GMT+3": may it be the name of a zone? Then it is safe as part of
 * a path. */
bool zone_name_ok(struct str name);

/* The zone "Europe/Berlin", from this machine's files; empty and "UTC" need no file.
 * ERROR_INPUT with a hint when there is none of that name. */
bool zone_named(struct str name, struct arena *arena, struct zone *out,
                struct error *err) MUST_USE;

/* The file's content; ERROR_INPUT when it is none of a zone. */
bool zone_read(struct str file, struct arena *arena, struct zone *out,
               struct error *err) MUST_USE;

/* The line at the end of such a file: "CET-1CEST,M3.5.0,M10.5.0/3". */
bool zone_rule_parse(struct str text, struct zone_rule *out) MUST_USE;
int32_t zone_rule_offset(const struct zone_rule *rule, stamp at);

/* Seconds ahead of UTC at that moment. */
int32_t zone_offset(const struct zone *zone, stamp at);

/* The date there. */
day zone_day(const struct zone *zone, stamp at);

/* The moment when the clock there shows so many seconds after midnight of that date. One that
 * it shows twice: the first. One that it leaves out: as if the clock had not been moved yet. */
stamp zone_moment(const struct zone *zone, day date, int32_t seconds);

#endif
