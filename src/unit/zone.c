/* The rule for years to come, as POSIX writes it in TZ: "CET-1CEST,M3.5.0,M10.5.0/3". */
#include "unit/zone.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/characters.h"
#include "base/fs.h"

#define HOUR 3600

/* "CET", "<-03>": three letters or more, which mean nothing. */
static bool skip_name(struct str *rest)
{
    size_t len = 0;

    if (str_take(rest, '<')) {
        size_t before = rest->len;

        (void)str_cut(rest, '>');
        return rest->len < before;
    }
    while (len < rest->len && is_letter(rest->at[len]))
        len++;
    if (len < 3)
        return false;
    rest->at += len;
    rest->len -= len;
    return true;
}

static bool take_zone_number(struct str *rest, int most, int *out)
{
    size_t digits = 0;

    *out = 0;
    while (digits < 3 && rest->len > 0 && is_digit(rest->at[0])) {
        *out = *out * 10 + (rest->at[0] - '0');
        rest->at++;
        rest->len--;
        digits++;
    }
    return digits > 0 && *out <= most;
}

/* Hours of an offset from UTC and of a turn of the clock (RFC 8536: up to a week). */
#define OFFSET_HOURS 24
#define TURN_HOURS 167

/* "-1", "5:30", "3:30:00", up to so many hours. */
static bool take_zone_time(struct str *rest, int most, int32_t *out)
{
    bool less = str_take(rest, '-');
    int h, m = 0, s = 0;

    if (!less)
        (void)str_take(rest, '+');
    if (!take_zone_number(rest, most, &h))
        return false;
    if (str_take(rest, ':') && (!take_zone_number(rest, 59, &m) ||
                                (str_take(rest, ':') && !take_zone_number(rest, 59, &s))))
        return false;
    *out = (less ? -1 : 1) * (h * HOUR + m * 60 + s);
    return true;
}

static bool take_turn(struct str *rest, struct zone_turn *out)
{
    bool ok;

    *out = (struct zone_turn){.kind = 'D', .time = 2 * HOUR};
    if (!str_take(rest, ','))
        return false;
    if (str_take(rest, 'M')) {
        out->kind = 'M';
        ok = take_zone_number(rest, 12, &out->month) && out->month > 0 && str_take(rest, '.') &&
             take_zone_number(rest, 5, &out->week) && out->week > 0 && str_take(rest, '.') &&
             take_zone_number(rest, 6, &out->day);
    } else if (str_take(rest, 'J')) {
        out->kind = 'J';
        ok = take_zone_number(rest, 365, &out->day) && out->day > 0;
    } else {
        ok = take_zone_number(rest, 365, &out->day);
    }
    return ok && (!str_take(rest, '/') || take_zone_time(rest, TURN_HOURS, &out->time));
}

bool zone_rule_parse(struct str text, struct zone_rule *out)
{
    int32_t west;

    *out = (struct zone_rule){0};
    if (!skip_name(&text) || !take_zone_time(&text, OFFSET_HOURS, &west))
        return false;
    out->standard = -west; /* POSIX counts westwards */
    if (text.len == 0)
        return true;
    if (!skip_name(&text))
        return false;
    out->has_summer = true;
    out->summer = out->standard + HOUR;
    if (text.len > 0 && text.at[0] != ',') {
        if (!take_zone_time(&text, OFFSET_HOURS, &west))
            return false;
        out->summer = -west;
    }
    return take_turn(&text, &out->begins) && take_turn(&text, &out->ends) && text.len == 0;
}

static day turn_day(const struct zone_turn *t, int year)
{
    day first;
    int weekday, date;

    if (t->kind == 'M') {
        first = day_make(year, t->month, 1);
        weekday = ((first.n + 4) % 7 + 7) % 7; /* 1970-01-01 was a Thursday */
        date = 1 + (t->day - weekday + 7) % 7 + (t->week - 1) * 7;
        if (first.n + date - 1 >= day_make(year, t->month + 1, 1).n)
            date -= 7;
        return (day){first.n + date - 1};
    }
    first = day_make(year, 1, 1);
    if (t->kind == 'D')
        return (day){first.n + t->day};
    return (day){first.n + t->day - 1 +
                 (t->day >= 60 && day_make(year, 3, 1).n - first.n == 60)};
}

int32_t zone_rule_offset(const struct zone_rule *r, stamp at)
{
    int year, month, date;
    int64_t begins, ends;

    if (!r->has_summer)
        return r->standard;
    day_split(day_of((stamp){at.s + r->standard}), &year, &month, &date);
    begins = turn_day(&r->begins, year).n * SECONDS_PER_DAY + r->begins.time - r->standard;
    ends = turn_day(&r->ends, year).n * SECONDS_PER_DAY + r->ends.time - r->summer;
    if (begins < ends)
        return at.s >= begins && at.s < ends ? r->summer : r->standard;
    return at.s >= ends && at.s < begins ? r->standard : r->summer;
}

#define HEADER 44
#define MAX_CHANGES 10000 /* the longest of the database has a few hundred */
#define MAX_OFFSET (26 * 3600)

/* How many of each a block has, in the order of the header. */
struct counts {
    uint32_t utc, standard, leap, changes, types, letters;
};

static uint64_t read_big_endian(const char *at, size_t len)
{
    uint64_t n = 0;

    for (size_t i = 0; i < len; i++)
        n = n << 8 | (unsigned char)at[i];
    return n;
}

bool zone_name_ok(struct str name)
{
    bool letter = false;

    if (name.len == 0 || name.len > 64)
        return false;
    for (size_t i = 0; i < name.len; i++) {
        char c = name.at[i];
        bool plain = is_letter(c);

        if (!plain && !is_digit(c) && c != '_' && c != '-' && c != '+' &&
            (c != '/' || i == 0 || i + 1 == name.len))
            return false;
        letter |= plain;
    }
    return letter;
}

/* A header at the front of `*rest`, stepped over. */
static bool take_zone_header(struct str *rest, char *version, struct counts *out)
{
    uint32_t *const counts[] = {&out->utc,     &out->standard, &out->leap,
                                &out->changes, &out->types,    &out->letters};

    if (rest->len < HEADER || memcmp(rest->at, "TZif", 4) != 0)
        return false;
    *version = rest->at[4];
    for (size_t i = 0; i < 6; i++)
        *counts[i] = (uint32_t)read_big_endian(rest->at + 20 + i * 4, 4);
    rest->at += HEADER;
    rest->len -= HEADER;
    return out->types > 0 && out->types <= 256 && out->changes <= MAX_CHANGES &&
           out->letters <= 4096 && out->leap <= 1000 && out->utc <= 256 && out->standard <= 256;
}

static size_t block_size(const struct counts *c, size_t moment)
{
    return c->changes * (moment + 1) + c->types * 6 + c->letters + c->leap * (moment + 4) +
           c->standard + c->utc;
}

static bool type_offset(const char *types, size_t count, size_t which, int32_t *out)
{
    if (which >= count)
        return false;
    *out = (int32_t)(uint32_t)read_big_endian(types + which * 6, 4);
    return *out > -MAX_OFFSET && *out < MAX_OFFSET;
}

static bool read_block(struct str block, const struct counts *c, size_t moment,
                       struct arena *arena, struct zone *out, struct error *err)
{
    const char *which = block.at + c->changes * moment, *types = which + c->changes;
    int64_t *changes = arena_array(arena, int64_t, c->changes, err);
    int32_t *offsets = arena_array(arena, int32_t, c->changes, err);

    if (changes == NULL || offsets == NULL)
        return false;
    *out = (struct zone){.changes = changes, .offsets = offsets, .count = c->changes};
    if (!type_offset(types, c->types, 0, &out->before))
        return error_fail(err, ERROR_INPUT, "a broken zone file");
    for (size_t i = 0; i < c->changes; i++) {
        uint64_t at = read_big_endian(block.at + i * moment, moment);

        changes[i] = moment == 8 ? (int64_t)at : (int32_t)(uint32_t)at;
        if ((i > 0 && changes[i] <= changes[i - 1]) ||
            !type_offset(types, c->types, (unsigned char)which[i], &offsets[i]))
            return error_fail(err, ERROR_INPUT, "a broken zone file");
    }
    return true;
}

bool zone_read(struct str file, struct arena *arena, struct zone *out, struct error *err)
{
    struct counts counts = {0};
    size_t moment = 4;
    char version = 0;

    if (file.len > ZONE_FILE_MAX || !take_zone_header(&file, &version, &counts) ||
        file.len < block_size(&counts, moment))
        return error_fail(err, ERROR_INPUT, "not a time zone file");
    if (version >= '2') { /* the same once more, with 64 bits for moments */
        size_t first = block_size(&counts, moment);

        file = (struct str){file.at + first, file.len - first};
        moment = 8;
        if (!take_zone_header(&file, &version, &counts) ||
            file.len < block_size(&counts, moment))
            return error_fail(err, ERROR_INPUT, "a broken zone file");
    }
    if (!read_block(file, &counts, moment, arena, out, err))
        return false;
    if (moment == 8) {
        size_t used = block_size(&counts, moment);
        struct str end = {file.at + used, file.len - used};

        if (str_cut(&end, '\n').len == 0)
            out->ruled = zone_rule_parse(str_cut(&end, '\n'), &out->rule);
    }
    return true;
}

int32_t zone_offset(const struct zone *zone, stamp at)
{
    size_t low = 0, high = zone->count;

    while (low < high) { /* the first change after the moment */
        size_t middle = low + (high - low) / 2;

        if (zone->changes[middle] <= at.s)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == zone->count && zone->ruled)
        return zone_rule_offset(&zone->rule, at);
    return low == 0 ? zone->before : zone->offsets[low - 1];
}

day zone_day(const struct zone *zone, stamp at)
{
    return day_of((stamp){at.s + zone_offset(zone, at)});
}

stamp zone_moment(const struct zone *zone, day date, int32_t seconds)
{
    int64_t wall = (int64_t)date.n * SECONDS_PER_DAY + seconds;
    /* What held a day before: of a time that is shown twice it gives the first, and one that is
     * left out is counted on by the old clock. */
    int32_t earlier = zone_offset(zone, (stamp){wall - SECONDS_PER_DAY});
    int32_t later = zone_offset(zone, (stamp){wall + SECONDS_PER_DAY});
    stamp first = {wall - earlier}, second = {wall - later};

    if (zone_offset(zone, first) == earlier)
        return first;
    return zone_offset(zone, second) == later ? second : first;
}

/* ---- time zones by name, from the files of this machine ---- */

#define FOLDER "/usr/share/zoneinfo"

static bool zone_absent(struct str name, struct error *err)
{
    error_set(err, ERROR_INPUT, "there is no time zone '%.*s'", STR_ARG(name));
    error_hint(err, "use a name from the tz database, such as Europe/Berlin; 'ls " FOLDER
                    "' lists them (package tzdata)");
    return false;
}

bool zone_named(struct str name, struct arena *arena, struct zone *out, struct error *err)
{
    const char *folder = env_get("TZDIR");
    char path[PATH_MAX];
    struct str file;

    *out = (struct zone){0};
    if (name.len == 0 || str_eq(name, STR("UTC")))
        return true;
    if (!zone_name_ok(name))
        return zone_absent(name, err);
    if (snprintf(path, sizeof path, "%s/%.*s", folder != NULL ? folder : FOLDER, (int)name.len,
                 name.at) >= (int)sizeof path)
        return zone_absent(name, err);
    if (!fs_read(path, ZONE_FILE_MAX, arena, &file, err))
        return (err->kind == ERROR_ABSENT || err->kind == ERROR_INPUT) &&
               zone_absent(name, err);
    if (zone_read(file, arena, out, err))
        return true;
    error_context(err, "%s", path);
    return false;
}
