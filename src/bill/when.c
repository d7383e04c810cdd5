/* Times of bills: every cloud and every tool writes them in a way of its own. */
#include <string.h>

#include "bill/internal.h"
#include "unit/time.h"

static bool take(struct str *rest, char c)
{
    if (rest->len == 0 || rest->at[0] != c)
        return false;
    rest->at++;
    rest->len--;
    return true;
}

/* A number of `least` to `most` digits. */
static bool take_number(struct str *rest, size_t least, size_t most, int *out)
{
    size_t len = 0;
    int value = 0;

    while (len < most && len < rest->len && rest->at[len] >= '0' && rest->at[len] <= '9')
        value = value * 10 + (rest->at[len++] - '0');
    if (len < least)
        return false;
    rest->at += len;
    rest->len -= len;
    *out = value;
    return true;
}

static bool days_of(int year, int month, int dd, int64_t *out)
{
    char text[11] = {(char)('0' + year / 1000),
                     (char)('0' + year / 100 % 10),
                     (char)('0' + year / 10 % 10),
                     (char)('0' + year % 10),
                     '-',
                     (char)('0' + month / 10),
                     (char)('0' + month % 10),
                     '-',
                     (char)('0' + dd / 10),
                     (char)('0' + dd % 10)};
    day d;

    if (!day_parse((struct str){text, 10}, &d))
        return false;
    *out = d.n;
    return true;
}

/* "2026-03-01", "20260301", "2026/03/01", or month first: "3/1/2026", "03/01/26". */
static bool take_date(struct str *rest, int64_t *days, bool *month_first)
{
    struct str start = *rest;
    int year, month, dd;
    char sep;

    if (take_number(rest, 4, 4, &year)) {
        sep = rest->len > 0 && (rest->at[0] == '-' || rest->at[0] == '/') ? rest->at[0] : '\0';
        if (sep != '\0')
            return take(rest, sep) && take_number(rest, 2, 2, &month) && take(rest, sep) &&
                   take_number(rest, 2, 2, &dd) && days_of(year, month, dd, days);
        return take_number(rest, 2, 2, &month) && take_number(rest, 2, 2, &dd) &&
               days_of(year, month, dd, days);
    }
    *rest = start;
    if (!take_number(rest, 1, 2, &month) || !take(rest, '/') || !take_number(rest, 1, 2, &dd) ||
        !take(rest, '/') || !take_number(rest, 2, 4, &year))
        return false;
    if (year < 100)
        year += 2000;
    *month_first = true;
    return days_of(year, month, dd, days);
}

/* "10:00:00.250", "10:00", "100000": seconds of the day; what is below a second is dropped. */
static bool take_clock(struct str *rest, int64_t *out)
{
    int h, m, s = 0, digit;

    if (!take_number(rest, 1, 2, &h))
        return false;
    if (take(rest, ':')) {
        if (!take_number(rest, 2, 2, &m) || (take(rest, ':') && !take_number(rest, 2, 2, &s)))
            return false;
    } else if (!take_number(rest, 2, 2, &m) || !take_number(rest, 2, 2, &s)) {
        return false;
    }
    if (take(rest, '.'))
        while (take_number(rest, 1, 1, &digit))
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
    if ((!take(&rest, '+') && !take(&rest, '-')) || !take_number(&rest, 2, 2, &h))
        return false;
    if (rest.len > 0) {
        (void)take(&rest, ':');
        if (!take_number(&rest, 2, 2, &m))
            return false;
    }
    *ahead = sign * (h * 3600 + m * 60);
    return rest.len == 0 && h <= 14 && m <= 59;
}

bool bill_time_parse(struct str text, stamp *out, bool *zoneless, bool *month_first)
{
    struct str rest = str_trim(text);
    int64_t days, second = 0, ahead = 0;
    bool no_zone = false, american = false;

    if (!take_date(&rest, &days, &american))
        return false;
    if (take(&rest, 'T') || take(&rest, 't') || take(&rest, ' ')) {
        if (!take_clock(&rest, &second) || !parse_zone(rest, &ahead, &no_zone))
            return false;
    } else if (rest.len > 0) {
        return false;
    }
    out->s = days * SECONDS_PER_DAY + second - ahead;
    if (no_zone && zoneless != NULL)
        *zoneless = true;
    if (american && month_first != NULL)
        *month_first = true;
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
    if (!same_day(cache, text, out) &&
        !bill_time_parse(text, out, &bill->about.zoneless, &bill->about.month_first)) {
        (void)bill_refuse(bill, column, text, "is no time", err);
        error_hint(err, "write it as 2026-03-01T00:00:00Z");
        return false;
    }
    if (bill->about.month_first && bill->about.date.at == NULL) {
        bill->about.date =
            (struct str){str_dup(str_trim(text), &bill->arena, err), str_trim(text).len};
        if (bill->about.date.at == NULL)
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
    line->period_end = stamp_month((stamp){line->period_start.s + 32 * SECONDS_PER_DAY});
}
