/* Where in the traces runs begin, and the market from there on. */
#include <math.h>
#include <string.h>

#include "op/spot/simulate_sweep.h"
#include "op/spot/trace_files.h"

/* Ticks that the window of a zone has. */
static size_t sweep_window_ticks(const struct sweep *s, const struct sweep_zone *zone,
                                 size_t window)
{
    size_t rest = zone->trace.ticks - s->windows.at[window];

    return s->request->window_ticks > 0 ? (size_t)s->request->window_ticks : rest;
}

static bool check_length(const struct sweep *s, const struct sweep_zone *zone, size_t window,
                         struct error *err)
{
    size_t start = s->windows.at[window], ticks = sweep_window_ticks(s, zone, window);
    char length[48], deadline[48];

    for (size_t i = 0; i < s->deadline_count; i++) {
        size_t least = (size_t)(s->deadlines[i] / zone->trace.gap);

        if (ticks >= least)
            continue;
        sweep_write_time((double)ticks * zone->trace.gap, false, length, sizeof length);
        sweep_write_time(s->deadlines[i], false, deadline, sizeof deadline);
        error_set(err, ERROR_INPUT,
                  "the window at tick %zu of '%.*s' is %s long, too short for a deadline of %s",
                  start, STR_ARG(zone->trace.id), length, deadline);
        error_hint(err, "that takes %zu ticks: a longer trace, or an earlier deadline", least);
        return false;
    }
    return true;
}

/* For each tick the next at which there was spot at an unknown price; `ticks`: none. NULL: all
 * prices are known. */
static bool find_unpriced(const struct sweep_zone *zone, struct arena *arena, uint32_t **out,
                          struct error *err)
{
    size_t ticks = zone->trace.ticks;

    *out = NULL;
    if (zone->price == NULL)
        return true;
    *out = arena_array(arena, uint32_t, ticks + 1, err);
    if (*out == NULL)
        return false;
    (*out)[ticks] = (uint32_t)ticks; /* TRACE_TICKS_MAX fits */
    for (size_t t = ticks; t-- > 0;)
        (*out)[t] =
            isnan(zone->price[t]) && zone->trace.nodes_at[t] > 0 ? (uint32_t)t : (*out)[t + 1];
    return true;
}

static bool check_prices(const struct sweep *s, const struct sweep_zone *zone, size_t window,
                         const uint32_t *unpriced, struct error *err)
{
    size_t start = s->windows.at[window];

    if (unpriced == NULL || unpriced[start] >= start + sweep_window_ticks(s, zone, window))
        return true;
    error_set(err, ERROR_INPUT,
              "there was spot in '%.*s' at tick %u, at a price that is not known",
              STR_ARG(zone->trace.id), unpriced[start]);
    error_hint(err, "give --spot, or windows where it is");
    return false;
}

static bool check_window(const struct sweep *s, const struct sweep_zone *zone, size_t window,
                         const uint32_t *unpriced, struct error *err)
{
    size_t start = s->windows.at[window], ticks = zone->trace.ticks;

    if (start < ticks &&
        (s->request->window_ticks <= 0 || (size_t)s->request->window_ticks <= ticks - start))
        return check_length(s, zone, window, err) &&
               check_prices(s, zone, window, unpriced, err);
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
    return true;
}

bool sweep_check_windows(const struct sweep *s, struct error *err)
{
    struct arena scratch = {.alloc = s->ctx->arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    bool ok = true;

    for (size_t z = 0; ok && z < s->zone_count; z++) {
        uint32_t *unpriced;

        ok = find_unpriced(&s->zones[z], &scratch, &unpriced, err);
        for (size_t w = 0; ok && w < s->windows.len; w++)
            ok = check_window(s, &s->zones[z], w, unpriced, err);
        arena_free(&scratch);
    }
    return ok;
}

/* A trace like that of the zone, the same for every run of this copy: 1 where the whole gang
 * can be had. A trace that never had so many is no model of when it can. */
bool sweep_made_up(const struct sweep *s, size_t zone, size_t copy, struct arena *arena,
                   const uint8_t **out, struct error *err)
{
    const struct sweep_zone *z = &s->zones[zone];
    /* Far apart for neighbours: the dice spread the seed. */
    struct dice dice =
        dice_seed((uint64_t)s->seed ^ (uint64_t)(zone + 1) * UINT64_C(0x9E3779B97F4A7C15) ^
                  (uint64_t)(copy + 1) * UINT64_C(0xD1B54A32D192ED03));
    struct trace drawn;

    if (z->trace.nodes < s->job.gang) {
        *out = arena_array(arena, uint8_t, z->trace.ticks, err);
        return *out != NULL;
    }
    if (!lifetimes_draw(&z->life, &dice, z->trace.gap, z->trace.ticks, arena, &drawn, err))
        return false;
    *out = drawn.nodes_at;
    return true;
}

/* On a made-up trace one machine stands for the gang, at the price of all: a tick of a trace
 * cannot count as many as a gang may have. */
static bool stand_for_gang(const struct sweep *s, size_t ticks, struct arena *arena,
                           struct sim_zone *zone, struct error *err)
{
    double *price;

    zone->spot *= s->job.gang;
    zone->on_demand *= s->job.gang;
    if (zone->price == NULL)
        return true;
    price = arena_array(arena, double, ticks, err);
    for (size_t t = 0; price != NULL && t < ticks; t++)
        price[t] = zone->price[t] * s->job.gang;
    zone->price = price;
    return price != NULL;
}

static bool fill_zone(const struct sweep *s, const struct sweep_run *run, size_t zone,
                      struct arena *arena, struct sim_zone *out, struct error *err)
{
    const struct sweep_zone *z = &s->zones[zone];
    size_t start = s->windows.at[run->window];
    const uint8_t *nodes = z->trace.nodes_at;

    if (s->copies > 0 && !sweep_made_up(s, zone, run->copy, arena, &nodes, err))
        return false;
    *out = (struct sim_zone){.id = z->trace.id,
                             .nodes_at = nodes + start,
                             .price = z->price != NULL ? z->price + start : NULL,
                             .spot = z->spot,
                             .on_demand = z->on_demand,
                             .region = z->region_number};
    return s->copies == 0 ||
           stand_for_gang(s, sweep_window_ticks(s, z, run->window), arena, out, err);
}

bool sweep_market(const struct sweep *s, const struct sweep_run *run, struct arena *arena,
                  struct sim_market *market, struct sim_job *job, struct error *err)
{
    size_t first = s->request->roam ? 0 : run->zone;
    size_t count = s->request->roam ? s->zone_count : 1;
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
        size_t ticks = sweep_window_ticks(s, &s->zones[first + i], run->window);

        if (!fill_zone(s, run, first + i, arena, &zones[i], err))
            return false;
        market->ticks = ticks < market->ticks ? ticks : market->ticks;
    }
    *job = s->job;
    job->deadline = run->deadline;
    job->delay = run->delay;
    if (s->copies > 0)
        job->gang = 1;
    return true;
}
