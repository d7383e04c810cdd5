#include "unit/zone.h"

#include <string.h>

#include "base/characters.h"

#define HEADER 44
#define MAX_CHANGES 10000 /* the longest of the database has a few hundred */
#define MAX_OFFSET (26 * 3600)

/* How many of each a block has, in the order of the header. */
struct counts {
    uint32_t utc, standard, leap, changes, types, letters;
};

static uint64_t number(const char *at, size_t len)
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
static bool take_header(struct str *rest, char *version, struct counts *out)
{
    uint32_t *const counts[] = {&out->utc,     &out->standard, &out->leap,
                                &out->changes, &out->types,    &out->letters};

    if (rest->len < HEADER || memcmp(rest->at, "TZif", 4) != 0)
        return false;
    *version = rest->at[4];
    for (size_t i = 0; i < 6; i++)
        *counts[i] = (uint32_t)number(rest->at + 20 + i * 4, 4);
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
    *out = (int32_t)(uint32_t)number(types + which * 6, 4);
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
        uint64_t at = number(block.at + i * moment, moment);

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

    if (file.len > ZONE_FILE_MAX || !take_header(&file, &version, &counts) ||
        file.len < block_size(&counts, moment))
        return error_fail(err, ERROR_INPUT, "no file of a time zone");
    if (version >= '2') { /* the same once more, with 64 bits for moments */
        size_t first = block_size(&counts, moment);

        file = (struct str){file.at + first, file.len - first};
        moment = 8;
        if (!take_header(&file, &version, &counts) || file.len < block_size(&counts, moment))
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
