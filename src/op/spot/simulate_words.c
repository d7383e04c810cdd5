/* What a sweep was, in words: times, prices, rules. */
#include <math.h>
#include <stdio.h>

#include "op/spot/simulate_sweep.h"

/* As it can be typed again. */
void sweep_write_time(double seconds, bool at_least, char *to, size_t room)
{
    double whole = at_least ? ceil(seconds - 1e-6) : round(seconds);
    long long s = (long long)whole;
    size_t at = 0;

    if (!at_least && seconds < 60 && fabs(seconds - whole) > 1e-6) {
        (void)snprintf(to, room, "%.3gs", seconds);
        return;
    }
    to[0] = '\0';
    if (s >= 3600)
        at += (size_t)snprintf(to, room, "%lldh", s / 3600);
    if (s % 3600 >= 60 && at < room)
        at += (size_t)snprintf(to + at, room - at, "%lldmin", s % 3600 / 60);
    if ((s % 60 > 0 || s == 0) && at < room)
        (void)snprintf(to + at, room - at, "%llds", s % 60);
}

static bool keep(const struct sweep *s, const char *text, struct str *out, struct error *err)
{
    out->at = str_dup(str_from(text), s->ctx->arena, err);
    out->len = out->at != NULL ? str_from(text).len : 0;
    return out->at != NULL;
}

/* Each of the two as one number where all zones have the same. */
static bool say_prices(const struct sweep *s, struct simulate_result *res, struct error *err)
{
    const struct sweep_zone *z = &s->zones[0];
    bool same_on_demand = true, same_spot = z->price == NULL;
    char on_demand[48] = "as in each trace", spot[48] = "as in each trace", text[128];

    for (size_t i = 1; i < s->zone_count; i++) {
        same_on_demand &= s->zones[i].on_demand == z->on_demand;
        same_spot &= s->zones[i].price == NULL && s->zones[i].spot == z->spot;
    }
    if (same_on_demand)
        (void)snprintf(on_demand, sizeof on_demand, "$%.6g/hr", z->on_demand);
    if (same_spot)
        (void)snprintf(spot, sizeof spot, "$%.6g/hr", z->spot);
    else if (s->zone_count == 1)
        (void)snprintf(spot, sizeof spot, "as in the trace");
    (void)snprintf(text, sizeof text, "on-demand %s, spot %s", on_demand, spot);
    return keep(s, text, &res->prices, err);
}

static struct str rules_of(const struct sweep *s)
{
    if (s->job.save_every > 0)
        return s->job.by_second
                   ? STR("ticks of the trace, billed by the second; work since the "
                         "last checkpoint is lost with a machine")
                   : STR("whole ticks billed; work since the last checkpoint is "
                         "lost with a machine");
    return s->job.by_second
               ? STR("ticks of the trace, billed by the second; work is never lost")
               : STR("whole ticks billed, starts too; work is never lost");
}

static bool in_hours(const struct sweep *s, const double *seconds, size_t count,
                     struct numbers *out, struct error *err)
{
    double *at = arena_array(s->ctx->arena, double, count, err);

    if (at == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        at[i] = seconds[i] / 3600;
    *out = (struct numbers){at, count};
    return true;
}

bool sweep_describe(const struct sweep *s, struct simulate_result *res, struct error *err)
{
    res->zones = (int64_t)s->zone_count;
    res->windows = (int64_t)s->windows.len;
    res->deadlines = (int64_t)s->deadline_count;
    res->delays = (int64_t)s->delay_count;
    res->roam = s->request->roam;
    res->work_h = s->job.work / 3600;
    res->traces = s->source;
    res->rules = rules_of(s);
    if (s->request->shard.len > 0) {
        char part[64];

        (void)snprintf(part, sizeof part, "%.*s of %zu runs", STR_ARG(s->request->shard),
                       s->runs);
        if (!keep(s, part, &res->part, err))
            return false;
    }
    return in_hours(s, s->deadlines, s->deadline_count, &res->deadlines_h, err) &&
           in_hours(s, s->delays, s->delay_count, &res->delays_h, err) &&
           say_prices(s, res, err);
}
