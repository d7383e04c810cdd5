#include "alert/schedule.h"

#include "base/num.h"

#define MORNING (9 * 3600)

/* "09:00" */
static bool clock_time(struct str text, int32_t *out)
{
    struct str hours = str_cut(&text, ':');
    int64_t h, m;

    if (hours.len == 0 || hours.len > 2 || text.len != 2 || !num_int(hours, &h) ||
        !num_int(text, &m) || h < 0 || h > 23 || m < 0 || m > 59)
        return false;
    *out = (int32_t)(h * 3600 + m * 60);
    return true;
}

static struct str next_schedule_word(struct str *rest)
{
    *rest = str_trim(*rest);
    return str_cut(rest, ' ');
}

bool quiet_parse(struct str text, struct arena *arena, struct quiet_hours *out,
                 struct error *err)
{
    struct str rest = text, hours = next_schedule_word(&rest), from = str_cut(&hours, '-');

    *out = (struct quiet_hours){.any = text.len > 0};
    if (!out->any)
        return true;
    if (!clock_time(from, &out->from) || !clock_time(hours, &out->to) || out->from == out->to) {
        error_set(err, ERROR_USAGE, "'%.*s' is not a range of hours", STR_ARG(text));
        error_hint(err, "write them as '22:00-07:00', or '22:00-07:00 Europe/Berlin'");
        return false;
    }
    return zone_named(str_trim(rest), arena, &out->zone, err);
}

bool digest_parse(struct str text, struct arena *arena, struct digest_times *out,
                  struct error *err)
{
    struct str rest = text, how = next_schedule_word(&rest), next = rest,
               at = next_schedule_word(&next);
    bool ok = true;

    *out = (struct digest_times){
        .any = text.len > 0, .weekly = str_eq(how, STR("weekly")), .at = MORNING};
    if (!out->any)
        return true;
    if (str_eq(at, STR("at"))) {
        ok = clock_time(next_schedule_word(&next), &out->at);
        rest = next;
    }
    if (!ok || (!out->weekly && !str_eq(how, STR("daily")))) {
        error_set(err, ERROR_USAGE, "'%.*s' is not a digest schedule", STR_ARG(text));
        error_hint(err, "write it as 'daily at 09:00' or 'weekly at 09:00 Europe/Berlin'");
        return false;
    }
    return zone_named(str_trim(rest), arena, &out->zone, err);
}

bool quiet_now(const struct quiet_hours *q, stamp now, stamp *until)
{
    day today = zone_day(&q->zone, now);

    if (!q->any)
        return false;
    /* Hours that began yesterday may not be over. */
    for (int32_t back = 1; back >= 0; back--) {
        day first = {today.n - back};
        stamp from = zone_moment(&q->zone, first, q->from);
        stamp to = zone_moment(&q->zone, (day){first.n + (q->to < q->from)}, q->to);

        if (now.s >= from.s && now.s < to.s) {
            *until = to;
            return true;
        }
    }
    return false;
}

/* The first day from `from` on that has a digest. */
static day digest_day(const struct digest_times *d, day from)
{
    int weekday = ((from.n + 3) % 7 + 7) % 7; /* 0: Monday */

    return (day){from.n + (d->weekly && weekday > 0 ? 7 - weekday : 0)};
}

stamp digest_next(const struct digest_times *d, stamp now)
{
    day today = zone_day(&d->zone, now), on = digest_day(d, today);
    stamp at = zone_moment(&d->zone, on, d->at);

    if (at.s <= now.s)
        at = zone_moment(&d->zone, digest_day(d, (day){on.n + 1}), d->at);
    return at;
}

stamp digest_last(const struct digest_times *d, stamp now)
{
    day today = zone_day(&d->zone, now);
    int back = d->weekly ? ((today.n + 3) % 7 + 7) % 7 : 0;
    stamp at = zone_moment(&d->zone, (day){today.n - back}, d->at);

    if (at.s > now.s)
        at = zone_moment(&d->zone, (day){today.n - back - (d->weekly ? 7 : 1)}, d->at);
    return at;
}
