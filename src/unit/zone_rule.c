/* The rule for years to come, as POSIX writes it in TZ: "CET-1CEST,M3.5.0,M10.5.0/3". */
#include "base/characters.h"
#include "unit/zone.h"

#define HOUR 3600

static bool take(struct str *rest, char c)
{
    if (rest->len == 0 || rest->at[0] != c)
        return false;
    rest->at++;
    rest->len--;
    return true;
}

/* "CET", "<-03>": three letters or more, which tell nothing. */
static bool skip_name(struct str *rest)
{
    size_t len = 0;

    if (take(rest, '<')) {
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

static bool take_number(struct str *rest, int most, int *out)
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
static bool take_time(struct str *rest, int most, int32_t *out)
{
    bool less = take(rest, '-');
    int h, m = 0, s = 0;

    if (!less)
        (void)take(rest, '+');
    if (!take_number(rest, most, &h))
        return false;
    if (take(rest, ':') &&
        (!take_number(rest, 59, &m) || (take(rest, ':') && !take_number(rest, 59, &s))))
        return false;
    *out = (less ? -1 : 1) * (h * HOUR + m * 60 + s);
    return true;
}

static bool take_turn(struct str *rest, struct zone_turn *out)
{
    bool ok;

    *out = (struct zone_turn){.kind = 'D', .time = 2 * HOUR};
    if (!take(rest, ','))
        return false;
    if (take(rest, 'M')) {
        out->kind = 'M';
        ok = take_number(rest, 12, &out->month) && out->month > 0 && take(rest, '.') &&
             take_number(rest, 5, &out->week) && out->week > 0 && take(rest, '.') &&
             take_number(rest, 6, &out->day);
    } else if (take(rest, 'J')) {
        out->kind = 'J';
        ok = take_number(rest, 365, &out->day) && out->day > 0;
    } else {
        ok = take_number(rest, 365, &out->day);
    }
    return ok && (!take(rest, '/') || take_time(rest, TURN_HOURS, &out->time));
}

bool zone_rule_parse(struct str text, struct zone_rule *out)
{
    int32_t west;

    *out = (struct zone_rule){0};
    if (!skip_name(&text) || !take_time(&text, OFFSET_HOURS, &west))
        return false;
    out->standard = -west; /* POSIX counts westwards */
    if (text.len == 0)
        return true;
    if (!skip_name(&text))
        return false;
    out->has_summer = true;
    out->summer = out->standard + HOUR;
    if (text.len > 0 && text.at[0] != ',') {
        if (!take_time(&text, OFFSET_HOURS, &west))
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
