/* Where in the traces runs begin, and the market from there on. */
#include <math.h>
#include <string.h>

#include "op/simulate_sweep.h"
#include "op/trace_files.h"

size_t sweep_window_ticks(const struct sweep *s, const struct sweep_zone *zone, size_t window)
{
    size_t rest = zone->trace.ticks - s->windows.at[window];

    return s->request->window_ticks > 0 ? (size_t)s->request->window_ticks : rest;
}

static bool check_length(const struct sweep *s, const struct sweep_zone *zone, size_t window,
                         struct error *err)
{
    size_t start = s->windows.at[window], ticks = sweep_window_ticks(s, zone, window);

    for (size_t i = 0; i < s->deadline_count; i++) {
        size_t least = (size_t)(s->deadlines[i] / zone->trace.gap);

        if (ticks >= least)
            continue;
        error_set(
            err, ERROR_INPUT,
            "the window at tick %zu of '%.*s' is %.4g h long, too short for a deadline of "
            "%.6g h",
            start, STR_ARG(zone->trace.id), (double)ticks * zone->trace.gap / 3600,
            s->deadlines[i] / 3600);
        error_hint(err, "that takes %zu ticks: a longer trace, or an earlier deadline", least);
        return false;
    }
    return true;
}

static bool check_prices(const struct sweep *s, const struct sweep_zone *zone, size_t window,
                         struct error *err)
{
    size_t start = s->windows.at[window], ticks = sweep_window_ticks(s, zone, window);

    for (size_t t = start; zone->price != NULL && t < start + ticks; t++) {
        if (!isnan(zone->price[t]) || zone->trace.nodes_at[t] == 0)
            continue;
        error_set(err, ERROR_INPUT,
                  "there was spot in '%.*s' at tick %zu, at a price that is not known",
                  STR_ARG(zone->trace.id), t);
        error_hint(err, "give --spot, or windows where it is");
        return false;
    }
    return true;
}

static bool check_window(const struct sweep *s, const struct sweep_zone *zone, size_t window,
                         struct error *err)
{
    size_t start = s->windows.at[window], ticks = zone->trace.ticks;

    if (start < ticks &&
        (s->request->window_ticks <= 0 || (size_t)s->request->window_ticks <= ticks - start))
        return check_length(s, zone, window, err) && check_prices(s, zone, window, err);
    if (start < ticks)
        error_set(err, ERROR_INPUT,
                  "the window of %lld ticks at tick %zu reaches past the %zu ticks of '%.*s'",
                  (long long)s->request->window_ticks, start, ticks, STR_ARG(zone->trace.id));
    else
        error_set(err, ERROR_INPUT, "the window at tick %zu is outside the %zu ticks of '%.*s'",
                  start, ticks, STR_ARG(zone->trace.id));
    return false;
}

bool sweep_windows(struct sweep *s, struct error *err)
{
    static const size_t first[] = {0};

    s->windows = (struct windows){first, 1};
    if (s->request->windows.len > 0 &&
        !window_file_read(s->ctx, s->request->windows, &s->windows, err))
        return false;
    if (s->windows.len == 0)
        return error_fail(err, ERROR_INPUT, "'%.*s' holds no windows",
                          STR_ARG(s->request->windows));
    for (size_t z = 0; z < s->zone_count; z++)
        for (size_t w = 0; w < s->windows.len; w++)
            if (!check_window(s, &s->zones[z], w, err))
                return false;
    return true;
}

/* A trace like that of the zone, the same for every run of this copy. */
static bool make_up(const struct sweep *s, size_t zone, size_t copy, struct arena *arena,
                    const uint8_t **out, struct error *err)
{
    const struct sweep_zone *z = &s->zones[zone];
    /* Far apart for neighbours: the dice spread the seed. */
    struct dice dice = dice_seed((uint64_t)s->request->seed ^
                                 (uint64_t)(zone + 1) * UINT64_C(0x9E3779B97F4A7C15) ^
                                 (uint64_t)(copy + 1) * UINT64_C(0xD1B54A32D192ED03));
    uint8_t *nodes = arena_array(arena, uint8_t, z->trace.ticks, err);
    struct trace drawn;

    if (nodes == NULL ||
        !lifetimes_draw(&z->life, &dice, z->trace.gap, z->trace.ticks, arena, &drawn, err))
        return false;
    for (size_t t = 0; t < z->trace.ticks; t++)
        nodes[t] = drawn.nodes_at[t] > 0 ? (uint8_t)s->job.gang : 0;
    *out = nodes;
    return true;
}

bool sweep_market(const struct sweep *s, const struct sweep_run *run, struct arena *arena,
                  struct sim_market *market, struct sim_job *job, struct error *err)
{
    size_t first = s->request->roam ? 0 : run->zone;
    size_t count = s->request->roam ? s->zone_count : 1, start = s->windows.at[run->window];
    struct sim_zone *zones = arena_array(arena, struct sim_zone, count, err);

    if (zones == NULL)
        return false;
    *market = (struct sim_market){.zones = zones,
                                  .zone_count = count,
                                  .gap = s->zones[first].trace.gap,
                                  .ticks = SIZE_MAX,
                                  .regions = s->request->roam ? s->regions : 1,
                                  .egress = s->egress,
                                  .carry = s->carry};
    for (size_t i = 0; i < count; i++) {
        const struct sweep_zone *z = &s->zones[first + i];
        size_t ticks = sweep_window_ticks(s, z, run->window);
        const uint8_t *nodes = z->trace.nodes_at;

        if (s->copies > 0 && !make_up(s, first + i, run->copy, arena, &nodes, err))
            return false;
        zones[i] = (struct sim_zone){.id = z->trace.id,
                                     .nodes_at = nodes + start,
                                     .price = z->price != NULL ? z->price + start : NULL,
                                     .spot = z->spot,
                                     .on_demand = z->on_demand,
                                     .region = z->region_number};
        market->ticks = ticks < market->ticks ? ticks : market->ticks;
    }
    *job = s->job;
    job->deadline = run->deadline;
    job->delay = run->delay;
    return true;
}
