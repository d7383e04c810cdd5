#include "unit/time.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/characters.h"
#include "base/decimal.h"
#include "base/num.h"

static const struct {
    const char *name;
    int64_t ns;
} units[] = {
    {"ms", INT64_C(1000000)},
    {"s", INT64_C(1000000000)},
    {"sec", INT64_C(1000000000)},
    {"second", INT64_C(1000000000)},
    {"seconds", INT64_C(1000000000)},
    {"m", 60 * INT64_C(1000000000)},
    {"min", 60 * INT64_C(1000000000)},
    {"mins", 60 * INT64_C(1000000000)},
    {"minute", 60 * INT64_C(1000000000)},
    {"minutes", 60 * INT64_C(1000000000)},
    {"h", SPAN_HOUR},
    {"hr", SPAN_HOUR},
    {"hrs", SPAN_HOUR},
    {"hour", SPAN_HOUR},
    {"hours", SPAN_HOUR},
    {"d", 24 * SPAN_HOUR},
    {"day", 24 * SPAN_HOUR},
    {"days", 24 * SPAN_HOUR},
    {"w", 168 * SPAN_HOUR},
    {"week", 168 * SPAN_HOUR},
    {"weeks", 168 * SPAN_HOUR},
};

/* Programs print more decimals than anyone means: what is beyond the ninth is left out. */
static struct str nine_decimals(struct str number)
{
    const char *point = memchr(number.at, '.', number.len);

    if (point == NULL || memchr(point + 1, '.', (size_t)(number.at + number.len - point) - 1))
        return number;
    if (number.len > (size_t)(point - number.at) + 10)
        number.len = (size_t)(point - number.at) + 10;
    return number;
}

/* Take one "NUMBER UNIT" from the front of `*rest`. */
static bool take_span_part(struct str *rest, wide *total)
{
    struct str number = *rest, unit;
    int64_t count, of = 1000; /* parts of a unit */

    number.len = 0;
    while (number.len < rest->len && strchr("0123456789.", number.at[number.len]) != NULL)
        number.len++;
    unit = (struct str){rest->at + number.len, 0};
    while (number.len + unit.len < rest->len && is_lower(unit.at[unit.len]))
        unit.len++;
    if (!num_fixed(number, 3, &count)) { /* many decimals, or a large number: not both */
        of = 1000000000;
        if (!num_fixed(nine_decimals(number), 9, &count))
            return false;
    }
    for (size_t i = 0; i < ARRAY_LEN(units); i++)
        if (str_eq(unit, str_from(units[i].name))) {
            *total += (wide)count * units[i].ns / of;
            rest->at = unit.at + unit.len;
            rest->len -= number.len + unit.len;
            return true;
        }
    return false;
}

static bool refuse_span(struct str text, struct error *err)
{
    struct str t = str_trim(text);
    int64_t bare;

    error_set(err, ERROR_INPUT, "'%.*s' is not a length of time", STR_ARG(text));
    if (num_fixed(t, 9, &bare) && bare >= 0)
        error_hint(err, "give the unit: %.*sd, %.*sh, %.*smin or %.*ss", STR_ARG(t), STR_ARG(t),
                   STR_ARG(t), STR_ARG(t));
    else
        error_hint(err, "write it as 24h, 90min, 1h30min, 20s or 3d");
    return false;
}

bool span_parse(struct str text, span *out, struct error *err)
{
    struct str rest = str_trim(text);
    wide total = 0;

    if (rest.len == 0 || rest.len > 64)
        return refuse_span(text, err);
    while (rest.len > 0) {
        if (!take_span_part(&rest, &total))
            return refuse_span(text, err);
        if (total > INT64_MAX)
            return error_fail(err, ERROR_INPUT, "'%.*s' is too long a time", STR_ARG(text));
    }
    out->ns = (int64_t)total;
    return true;
}

span span_hours(double hours)
{
    double ns = hours * (double)SPAN_HOUR;

    if (ns <= -9.2e18)
        return (span){-INT64_MAX};
    return (span){ns < 9.2e18 ? llround(ns) : INT64_MAX}; /* NaN compares false */
}

double span_in_hours(span s)
{
    return (double)s.ns / (double)SPAN_HOUR;
}

double span_in_seconds(span s)
{
    return s.ns > 0 ? (double)s.ns / 1e9 : 0;
}

void span_write(span s, struct buf *out)
{
    int64_t ms = s.ns / 1000000, hours = ms / 3600000, minutes = ms / 60000 % 60;
    int64_t seconds = ms / 1000 % 60;

    if (s.ns < 0) {
        buf_char(out, '-');
        span_write((span){s.ns > INT64_MIN ? -s.ns : INT64_MAX}, out);
        return;
    }
    if (hours >= 168 && s.ns % (24 * SPAN_HOUR) == 0) {
        buf_addf(out, "%" PRId64 "d", hours / 24);
        return;
    }
    if (hours > 0)
        buf_addf(out, "%" PRId64 "h", hours);
    if (minutes > 0)
        buf_addf(out, "%" PRId64 "min", minutes);
    if (seconds > 0 && hours == 0)
        buf_addf(out, "%" PRId64 "s", seconds);
    if (ms < 1000 && ms > 0)
        buf_addf(out, "%" PRId64 "ms", ms);
    else if (ms == 0)
        buf_adds(out, "0s");
}

/* Days since 1970 of a date in the proleptic Gregorian calendar, by counting full 400-year
 * cycles from a March, so that the leap day comes last. */
static int64_t days_from_civil(int64_t y, int64_t m, int64_t d)
{
    int64_t year = m <= 2 ? y - 1 : y, era = year / 400, of_era = year - era * 400;
    int64_t of_year = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;

    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static void civil_from_days(int64_t n, int *y, int *m, int *d)
{
    int64_t z = n + 719468, era = z / 146097, of_era = z - era * 146097;
    int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
    int64_t shifted = (5 * of_year + 2) / 153;

    *d = (int)(of_year - (153 * shifted + 2) / 5 + 1);
    *m = (int)(shifted < 10 ? shifted + 3 : shifted - 9);
    *y = (int)(year + era * 400 + (*m <= 2));
}

/* `count` digits at the front of `*rest`, then `after` (unless NUL), stepped over. */
static bool take_time_digits(struct str *rest, size_t count, char after, int64_t *out)
{
    size_t take = count + (after != '\0');

    if (rest->len < take || rest->at[0] == '-' ||
        !num_int((struct str){rest->at, count}, out) ||
        (after != '\0' && rest->at[count] != after))
        return false;
    rest->at += take;
    rest->len -= take;
    return true;
}

static bool take_time_day(struct str *rest, day *out)
{
    int64_t y, m, d, n;
    int back_y, back_m, back_d;

    if (!take_time_digits(rest, 4, '-', &y) || !take_time_digits(rest, 2, '-', &m) ||
        !take_time_digits(rest, 2, '\0', &d) || y < 1970 || m < 1 || m > 12)
        return false;
    n = days_from_civil(y, m, d);
    civil_from_days(n, &back_y, &back_m, &back_d);
    if (back_d != d || back_m != m) /* 30 February comes back as a day in March */
        return false;
    out->n = (int32_t)n;
    return true;
}

bool day_parse(struct str text, day *out)
{
    return take_time_day(&text, out) && text.len == 0;
}

void day_write(day d, struct buf *out)
{
    int y, m, dd;

    if (d.n == INT32_MIN) {
        buf_char(out, '?');
        return;
    }
    civil_from_days(d.n, &y, &m, &dd);
    buf_addf(out, "%04d-%02d-%02d", y, m, dd);
}

day day_of(stamp at)
{
    int64_t before = at.s % SECONDS_PER_DAY < 0; /* division rounds up below zero */

    return (day){(int32_t)(at.s / SECONDS_PER_DAY - before)};
}

day day_make(int year, int month, int date)
{
    int64_t months = (int64_t)year * 12 + month - 1;

    return (day){(int32_t)(days_from_civil(months / 12, months % 12 + 1, 1) + date - 1)};
}

void day_split(day d, int *year, int *month, int *date)
{
    civil_from_days(d.n, year, month, date);
}

day day_week_start(day d)
{
    int32_t since_monday = (d.n + 3) % 7; /* 1970-01-01 was a Thursday */

    return (day){d.n - (since_monday < 0 ? since_monday + 7 : since_monday)};
}

day day_month_add(day d, int months)
{
    int year, month, date;

    day_split(d, &year, &month, &date);
    return day_make(year, month + months, 1);
}

day day_month_start(day d)
{
    return day_month_add(d, 0);
}

day day_quarter_start(day d)
{
    int year, month, date;

    day_split(d, &year, &month, &date);
    return day_make(year, month - (month - 1) % 3, 1);
}

day day_year_start(day d)
{
    int year, month, date;

    day_split(d, &year, &month, &date);
    return day_make(year, 1, 1);
}

const char *const month_names[12] = {"January",   "February", "March",    "April",
                                     "May",       "June",     "July",     "August",
                                     "September", "October",  "November", "December"};

int day_month_length(day d)
{
    return day_month_add(d, 1).n - day_month_start(d).n;
}

/* "T10:00:00" at the front of `*rest`, as seconds of the day. */
static bool take_time_of_day(struct str *rest, int64_t *out)
{
    int64_t h, m, s;

    if (!str_take(rest, 'T') || !take_time_digits(rest, 2, ':', &h) ||
        !take_time_digits(rest, 2, ':', &m) || !take_time_digits(rest, 2, '\0', &s) || h > 23 ||
        m > 59 || s > 59)
        return false;
    *out = h * 3600 + m * 60 + s;
    return true;
}

bool stamp_parse(struct str text, stamp *out)
{
    int64_t second = 0;
    day d;

    if (!take_time_day(&text, &d) ||
        (text.len > 0 && (!take_time_of_day(&text, &second) || !str_take(&text, 'Z'))) ||
        text.len > 0)
        return false;
    out->s = d.n * SECONDS_PER_DAY + second;
    return true;
}

/* "Z" or "-05:30", all that is left, as seconds ahead of UTC. */
static bool parse_offset(struct str rest, int64_t *out)
{
    int64_t h, m, sign = rest.len > 0 && rest.at[0] == '-' ? -1 : 1;

    *out = 0;
    if (str_take(&rest, 'Z'))
        return rest.len == 0;
    if ((!str_take(&rest, '+') && !str_take(&rest, '-')) ||
        !take_time_digits(&rest, 2, ':', &h) || !take_time_digits(&rest, 2, '\0', &m) ||
        rest.len > 0 || h > 23 || m > 59)
        return false;
    *out = sign * (h * 3600 + m * 60);
    return true;
}

bool stamp_parse_offset(struct str text, stamp *out)
{
    int64_t second, ahead, digit;
    day d;

    if (!take_time_day(&text, &d) || !take_time_of_day(&text, &second))
        return false;
    if (str_take(&text, '.')) {
        if (!take_time_digits(&text, 1, '\0', &digit))
            return false;
        while (take_time_digits(&text, 1, '\0', &digit))
            continue;
    }
    if (!parse_offset(text, &ahead) || d.n * SECONDS_PER_DAY + second < ahead)
        return false;
    out->s = d.n * SECONDS_PER_DAY + second - ahead;
    return true;
}

bool stamp_parse_typed(struct str text, stamp *out)
{
    const size_t minutes = strlen("2026-11-15T10:00"), seconds = strlen("2026-11-15T10:00:00");
    char full[48];
    int len;

    if (text.len < minutes || text.len > 36)
        return stamp_parse(text, out);
    len =
        snprintf(full, sizeof full, "%.*s%s%s", STR_ARG(text), text.len == minutes ? ":00" : "",
                 text.len == minutes || text.len == seconds ? "Z" : "");
    if (full[strlen("2026-11-15")] == ' ')
        full[strlen("2026-11-15")] = 'T';
    return stamp_parse_offset((struct str){full, (size_t)len}, out);
}

void stamp_write(stamp at, struct buf *out)
{
    int64_t second = (at.s % SECONDS_PER_DAY + SECONDS_PER_DAY) % SECONDS_PER_DAY;

    day_write(day_of(at), out);
    buf_addf(out, "T%02d:%02d:%02dZ", (int)(second / 3600), (int)(second / 60 % 60),
             (int)(second % 60));
}

void stamp_write_short(stamp at, struct buf *out)
{
    if (at.s % SECONDS_PER_DAY == 0)
        day_write(day_of(at), out);
    else
        stamp_write(at, out);
}

stamp stamp_month(stamp at)
{
    int64_t n = day_of(at).n;
    int y, m, d;

    civil_from_days(n, &y, &m, &d);
    return (stamp){(n - d + 1) * SECONDS_PER_DAY};
}

stamp stamp_next_month(stamp at)
{
    return stamp_month((stamp){stamp_month(at).s + 32 * SECONDS_PER_DAY});
}
