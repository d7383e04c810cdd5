/* Times of bills: every cloud and every tool writes them in a way of its own. */
#include <stdio.h>
#include <string.h>

#include "base/characters.h"
#include "bill/internal.h"
#include "unit/time.h"

/* A number of `least` to `most` digits. */
static bool take_date_number(struct str *rest, size_t least, size_t most, int *out)
{
    size_t len = 0;
    int value = 0;

    while (len < most && len < rest->len && is_digit(rest->at[len]))
        value = value * 10 + (rest->at[len++] - '0');
    if (len < least)
        return false;
    rest->at += len;
    rest->len -= len;
    *out = value;
    return true;
}

static bool days_of_date(int year, int month, int date, int64_t *out)
{
    char text[40];
    day d;

    (void)snprintf(text, sizeof text, "%04d-%02d-%02d", year, month, date);
    if (!day_parse(str_from(text), &d))
        return false;
    *out = d.n;
    return true;
}

/* "2026-03-01", "20260301", "2026/03/01"; with slashes "3/1/2026" or "03/01/26", where the
 * month is first, or the day. */
static bool take_calendar_date(struct str *rest, bool day_first, int64_t *days, bool *slashes)
{
    struct str start = *rest;
    int year, month, dd;
    char sep;

    if (take_date_number(rest, 4, 4, &year)) {
        sep = rest->len > 0 && (rest->at[0] == '-' || rest->at[0] == '/') ? rest->at[0] : '\0';
        if (sep != '\0')
            return str_take(rest, sep) && take_date_number(rest, 2, 2, &month) &&
                   str_take(rest, sep) && take_date_number(rest, 2, 2, &dd) &&
                   days_of_date(year, month, dd, days);
        return take_date_number(rest, 2, 2, &month) && take_date_number(rest, 2, 2, &dd) &&
               days_of_date(year, month, dd, days);
    }
    *rest = start;
    if (!take_date_number(rest, 1, 2, &month) || !str_take(rest, '/') ||
        !take_date_number(rest, 1, 2, &dd) || !str_take(rest, '/') ||
        !take_date_number(rest, 2, 4, &year))
        return false;
    if (year < 100)
        year += 2000;
    *slashes = true;
    return day_first ? days_of_date(year, dd, month, days)
                     : days_of_date(year, month, dd, days);
}

/* "10:00:00.250", "10:00", "100000": seconds of the day; what is below a second is dropped. */
static bool take_clock(struct str *rest, int64_t *out)
{
    int h, m, s = 0, digit;

    if (!take_date_number(rest, 1, 2, &h))
        return false;
    if (str_take(rest, ':')) {
        if (!take_date_number(rest, 2, 2, &m) ||
            (str_take(rest, ':') && !take_date_number(rest, 2, 2, &s)))
            return false;
    } else if (!take_date_number(rest, 2, 2, &m) || !take_date_number(rest, 2, 2, &s)) {
        return false;
    }
    if (str_take(rest, '.'))
        while (take_date_number(rest, 1, 1, &digit))
            continue;
    if (h > 24 || m > 59 || s > 60 || (h == 24 && (m > 0 || s > 0)))
        return false;
    *out = h * 3600 + m * 60 + s;
    return true;
}

/* What is left: nothing, "Z", " UTC", "+01:00", "-0530", "+01". */
static bool parse_zone(struct str rest, int64_t *ahead, bool *zoneless)
{
    int h, m = 0, sign;

    *ahead = 0;
    rest = str_trim(rest);
    if (rest.len == 0) {
        *zoneless = true;
        return true;
    }
    if (str_eq_nocase(rest, STR("Z")) || str_eq_nocase(rest, STR("UTC")) ||
        str_eq_nocase(rest, STR("GMT")))
        return true;
    sign = rest.at[0] == '-' ? -1 : 1;
    if ((!str_take(&rest, '+') && !str_take(&rest, '-')) || !take_date_number(&rest, 2, 2, &h))
        return false;
    if (rest.len > 0) {
        (void)str_take(&rest, ':');
        if (!take_date_number(&rest, 2, 2, &m))
            return false;
    }
    *ahead = sign * (h * 3600 + m * 60);
    return rest.len == 0 && h <= 14 && m <= 59;
}

/* " AM", "pm" after a clock of twelve hours; the clock is as it was when there is none. */
static bool take_half(struct str *rest, int64_t *second)
{
    struct str half = str_trim(*rest);
    bool after;

    if (half.len < 2 || (half.len > 2 && half.at[2] != ' '))
        return true;
    half.len = 2;
    after = str_eq_nocase(half, STR("pm"));
    if (!after && !str_eq_nocase(half, STR("am")))
        return true;
    if (*second < 3600 || *second >= 13 * 3600)
        return false;
    *second = *second % (12 * 3600) + (after ? 12 * 3600 : 0);
    rest->len = (size_t)(rest->at + rest->len - half.at) - 2;
    rest->at = half.at + 2;
    return true;
}

static bool parse_bill_time(struct str text, bool day_first, stamp *out, bool *zoneless,
                            bool *slashes)
{
    struct str rest = str_trim(text);
    int64_t days, second = 0, ahead = 0;
    bool no_zone = false, has_slashes = false;

    if (!take_calendar_date(&rest, day_first, &days, &has_slashes))
        return false;
    if (str_take(&rest, 'T') || str_take(&rest, 't') || str_take(&rest, ' ')) {
        if (!take_clock(&rest, &second) || !take_half(&rest, &second) ||
            !parse_zone(rest, &ahead, &no_zone))
            return false;
    } else if (rest.len > 0) {
        return false;
    }
    out->s = days * SECONDS_PER_DAY + second - ahead;
    if (no_zone && zoneless != NULL)
        *zoneless = true;
    if (has_slashes && slashes != NULL)
        *slashes = true;
    return true;
}

bool bill_time_parse(struct str text, stamp *out, bool *zoneless, bool *month_first)
{
    return parse_bill_time(text, false, out, zoneless, month_first);
}

/* Between cells of any file, or after a date. */
static bool ends_cell(char c)
{
    return c == ',' || c == ';' || c == '"' || c == '\r' || c == '\n';
}

/* The first two numbers of "15/3/2026" at the start of a cell; 0 when it is none. */
static size_t slashed(struct str text, int *first, int *second)
{
    struct str rest = text;
    int year;

    if (!take_date_number(&rest, 1, 2, first) || !str_take(&rest, '/') ||
        !take_date_number(&rest, 1, 2, second) || !str_take(&rest, '/') ||
        !take_date_number(&rest, 4, 4, &year) ||
        (rest.len > 0 && !ends_cell(rest.at[0]) && rest.at[0] != ' '))
        return 0;
    return text.len - rest.len;
}

/* In the first rows there is a day above 12 before its month, and none after it. */
static bool days_first(struct str text)
{
    bool days = false;

    for (size_t i = 1; i < text.len; i++) {
        struct str rest = {text.at + i, text.len - i};
        int first, second;

        if (!ends_cell(text.at[i - 1]) || !slashed(rest, &first, &second))
            continue;
        if (second > 12)
            return false;
        days |= first > 12;
    }
    return days;
}

/* One that has slashes is the first, or goes with those before it. */
static bool parse_slashes(struct bill *bill, struct str text, stamp *out, bool *zoneless)
{
    struct bill_about *about = &bill->about;
    bool slashes = false;

    if (!about->month_first && !about->day_first && text.len > 0 &&
        memchr(text.at, '/', text.len < 3 ? text.len : 3) != NULL)
        about->day_first = days_first((struct str){bill->input.ahead, bill->input.ahead_len});
    if (!parse_bill_time(text, about->day_first, out, zoneless, &slashes))
        return false;
    about->month_first = about->month_first || (slashes && !about->day_first);
    return true;
}

static unsigned two(const char *at)
{
    unsigned tens = (unsigned)(unsigned char)at[0] - '0',
             ones = (unsigned)(unsigned char)at[1] - '0';

    return tens > 9 || ones > 9 ? 1000 : tens * 10 + ones;
}

/* "YYYY-MM-DDTHH:MM:SSZ" on the day of the text before it: only the hours differ mostly. */
static bool same_day(const struct bill_time *cache, struct str text, stamp *out)
{
    unsigned h, m, s;

    if (text.len != 20 || cache->len != 20 || text.at[19] != 'Z' || cache->text[19] != 'Z' ||
        text.at[10] != 'T' || memcmp(text.at, cache->text, 11) != 0 || text.at[13] != ':' ||
        text.at[16] != ':')
        return false;
    h = two(text.at + 11);
    m = two(text.at + 14);
    s = two(text.at + 17);
    if (h > 23 || m > 59 || s > 59)
        return false;
    out->s = cache->at.s - cache->at.s % SECONDS_PER_DAY + h * 3600 + m * 60 + s;
    return true;
}

bool bill_time(struct bill *bill, struct bill_time *cache, const char *column, struct str text,
               stamp *out, struct error *err)
{
    if (text.len == cache->len && text.len > 0 && memcmp(text.at, cache->text, text.len) == 0) {
        *out = cache->at;
        return true;
    }
    if (!same_day(cache, text, out) && !parse_slashes(bill, text, out, &bill->about.zoneless)) {
        (void)bill_refuse(bill, column, text, "is not a time", err);
        if (bill->about.date.at != NULL)
            error_hint(err, "in '%.*s' the %s was taken to be first: write 2026-03-31",
                       STR_ARG(bill->about.date), bill->about.day_first ? "day" : "month");
        else
            error_hint(err, "write it as 2026-03-01T00:00:00Z");
        return false;
    }
    if ((bill->about.month_first || bill->about.day_first) && bill->about.date.at == NULL) {
        if (!str_keep(str_trim(text), &bill->arena, &bill->about.date, err))
            return false;
    }
    if (text.len <= sizeof cache->text) {
        memcpy(cache->text, text.at, text.len);
        cache->len = text.len;
        cache->at = *out;
    }
    return true;
}

void bill_month_of(struct bill_line *line)
{
    line->period_start = stamp_month(line->start);
    line->period_end = stamp_next_month(line->period_start);
}
