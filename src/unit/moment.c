#include "unit/moment.h"

#include "base/num.h"

static bool no_time(const char *option, struct str text, struct error *err)
{
    error_set(err, ERROR_USAGE, "--%s: '%.*s' is neither a time nor a date", option,
              STR_ARG(text));
    error_hint(err, "write yesterday, 12h, 7d, 2026-11-01 or '2026-11-01 10:00' (UTC)");
    return false;
}

/* "7d", "7 days ago", "last week"; "now" is no time ago. */
static bool ago_parse(struct str text, span *out)
{
    static const struct str ago = {" ago", 4};
    struct error ignored = {0};
    char joined[64];
    size_t len = 0;

    if (str_eq(text, STR("now")))
        text = STR("0s");
    if (str_eq(text, STR("last week")))
        text = STR("7d");
    if (text.len > ago.len && str_eq((struct str){text.at + text.len - ago.len, ago.len}, ago))
        text.len -= ago.len;
    for (size_t i = 0; i < text.len && len < sizeof joined; i++)
        if (text.at[i] != ' ')
            joined[len++] = text.at[i];
    return span_parse((struct str){joined, len}, out, &ignored) && out->ns >= 0;
}

/* A day: "2026-11-01", "today", "yesterday". UTC, as all days are. */
static bool typed_day(day today, struct str text, day *out)
{
    if (day_parse(text, out))
        return true;
    *out = today;
    out->n -= str_eq(text, STR("yesterday"));
    return str_eq(text, STR("yesterday")) || str_eq(text, STR("today"));
}

bool moment_parse(stamp now, const char *option, struct str text, stamp *out, struct error *err)
{
    span ago;
    day on;

    *out = (stamp){-1};
    if (text.len == 0 || stamp_parse_typed(text, out))
        return true;
    if (typed_day(day_of(now), text, &on)) {
        out->s = on.n * SECONDS_PER_DAY;
        return true;
    }
    if (!ago_parse(text, &ago))
        return no_time(option, text, err);
    out->s = now.s - ago.ns / 1000000000;
    out->s = out->s < 0 ? 0 : out->s;
    return true;
}

bool moment_end_parse(stamp now, const char *option, struct str text, stamp *out,
                      struct error *err)
{
    day on;

    if (typed_day(day_of(now), text, &on)) {
        out->s = (on.n + INT64_C(1)) * SECONDS_PER_DAY;
        return true;
    }
    return moment_parse(now, option, text, out, err);
}

/* ---- days ---- */

/* `end`: the first day after it, else the day itself. */
static bool take_option_day(day today, const char *option, struct str text, bool end, day *out,
                            struct error *err)
{
    stamp at;
    span ago;

    if (typed_day(today, text, out)) {
        out->n += end;
    } else if (stamp_parse_typed(text, &at)) {
        *out = day_of((stamp){end ? at.s + SECONDS_PER_DAY - 1 : at.s});
    } else if (ago_parse(text, &ago)) {
        int64_t days = ago.ns / (SPAN_HOUR * 24) + (ago.ns % (SPAN_HOUR * 24) != 0);
        int64_t n = today.n - days + 1;

        out->n = n < 0 ? 0 : (int32_t)n;
    } else {
        return no_time(option, text, err);
    }
    return true;
}

/* "2026-10"; "this"; "last": the month before this one. */
static bool take_option_month(day today, struct str text, day *since, day *until,
                              struct error *err)
{
    struct str rest = text;
    struct str year = str_cut(&rest, '-');
    int64_t y, m;

    if (str_eq(text, STR("last"))) {
        *until = day_month_start(today);
        *since = day_month_add(*until, -1);
        return true;
    }
    if (str_eq(text, STR("this"))) {
        *since = day_month_start(today);
        *until = day_month_add(*since, 1);
        return true;
    }
    if (text.len != 7 || !num_int(year, &y) || !num_int(rest, &m) || y < 1970 || y > 9999 ||
        m < 1 || m > 12) {
        error_set(err, ERROR_USAGE, "--month: '%.*s' is not a month", STR_ARG(text));
        error_hint(err, "write it as 2026-10, this or last");
        return false;
    }
    *since = day_make((int)y, (int)m, 1);
    *until = day_make((int)y, (int)m + 1, 1);
    return true;
}

bool days_asked_parse(day today, const struct days_asked *asked, int32_t days, day *since,
                      day *until, struct error *err)
{
    if (asked->month.len > 0) {
        if (asked->since.len == 0 && asked->until.len == 0)
            return take_option_month(today, asked->month, since, until, err);
        return error_fail(err, ERROR_USAGE,
                          "--month is a complete month: give it alone, or --since and --until");
    }
    *since = *until = DAY_UNKNOWN;
    if (days > 0)
        until->n = today.n + 1;
    if (asked->until.len > 0 &&
        !take_option_day(today, "until", asked->until, true, until, err))
        return false;
    if (days > 0)
        since->n = until->n - days;
    if (asked->since.len > 0 &&
        !take_option_day(today, "since", asked->since, false, since, err))
        return false;
    if (since->n == DAY_UNKNOWN.n || until->n == DAY_UNKNOWN.n || since->n < until->n)
        return true;
    error_set(err, ERROR_USAGE, "--until is before --since");
    error_hint(err, "--until is the last day that counts");
    return false;
}

static bool keep_asked_day(day d, struct arena *arena, struct str *out, struct error *err)
{
    struct buf text = buf_new(arena->alloc, 32);

    day_write(d, &text);
    return buf_keep(&text, arena, out, err);
}

bool days_ask(day since, day until, struct arena *arena, struct days_asked *out,
              struct error *err)
{
    return keep_asked_day(since, arena, &out->since, err) &&
           keep_asked_day(until, arena, &out->until, err);
}
