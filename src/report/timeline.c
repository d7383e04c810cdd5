/* One run tick by tick: as stretches in JSON, as a picture on the screen. */
#include "report/timeline.h"

#include <stdio.h>
#include <string.h>

#include "base/fs.h"
#include "render/timeline.h"

struct drawing {
    const struct sweep *sweep;
    struct sim_market market;
    struct sim_job job;
    size_t ticks; /* to the deadline */
    struct timeline timeline;
    struct timeline_row *rows;
    struct simulate_track *tracks;
};

/* A tick in which more than half went into starting is shown as that. */
static enum timeline_what what_of(const struct drawing *d, const struct sim_tick *track,
                                  size_t tick, size_t end, double done)
{
    double next = tick + 1 < end ? (double)track[tick + 1].done : done;

    if (tick >= end)
        return TIMELINE_DONE;
    if (track[tick].mode == SIM_IDLE)
        return TIMELINE_WAITING;
    if (tick + 1 < end && next - (double)track[tick].done < d->market.gap / 2.0)
        return TIMELINE_STARTING;
    return track[tick].mode == SIM_SPOT ? TIMELINE_SPOT : TIMELINE_ON_DEMAND;
}

/* Ticks in which the same went on, put together. */
static bool add_stretches(const struct drawing *d, const uint8_t *what,
                          const struct sim_tick *track, size_t end, struct rows *out,
                          struct error *err)
{
    double tick_h = d->market.gap / 3600.0;
    struct simulate_stretch *at =
        arena_array(d->sweep->arena, struct simulate_stretch, end + 1, err);
    size_t n = 0;

    if (at == NULL)
        return false;
    for (size_t i = 0; i < end; i++) {
        bool runs = what[i] != TIMELINE_WAITING;
        struct str zone = runs ? d->market.zones[track[i].zone].id : (struct str){0};

        if (i == 0 || what[i] != what[i - 1] || (runs && track[i].zone != track[i - 1].zone))
            at[n++] = (struct simulate_stretch){.from_h = (double)i * tick_h,
                                                .what = str_from(timeline_words[what[i]]),
                                                .zone = zone};
        at[n - 1].to_h = (double)(i + 1) * tick_h;
    }
    *out = (struct rows){at, n};
    return true;
}

static bool draw_policy(struct drawing *d, size_t policy, struct error *err)
{
    size_t row = d->timeline.row_count;
    struct arena *arena = d->sweep->arena;
    struct sim_tick *track = arena_array(arena, struct sim_tick, d->market.ticks + 1, err);
    uint8_t *what = arena_array(arena, uint8_t, d->ticks, err);
    float *done = arena_array(arena, float, d->ticks + 1, err);
    struct sim_result r;
    double tick_h = d->market.gap / 3600.0;

    if (track == NULL || what == NULL || done == NULL ||
        !sim_run(&d->market, &d->job, &d->sweep->policies[policy], arena, track, &r, err))
        return false;
    for (size_t i = 0; i <= d->ticks; i++) {
        done[i] = (float)((i < r.end ? (double)track[i].done : r.done) / d->job.work);
        if (i < d->ticks)
            what[i] = (uint8_t)what_of(d, track, i, r.end, r.done);
    }
    d->rows[row] = (struct timeline_row){.name = str_from(d->sweep->policies[policy].name),
                                         .what = what,
                                         .done = done,
                                         .usd = r.usd,
                                         .end_h = (double)r.end * tick_h,
                                         .late = r.late};
    d->tracks[row] = (struct simulate_track){
        .policy = d->rows[row].name, .usd = r.usd, .end_h = d->rows[row].end_h, .late = r.late};
    d->timeline.row_count++;
    return add_stretches(d, what, track, r.end, &d->tracks[row].stretches, err);
}

/* A title, and below it on what that was simulated. */
static bool write_timeline_title(struct drawing *d, const struct sweep_run *run,
                                 const struct simulate_result *res, struct error *err)
{
    const struct sweep *s = d->sweep;
    struct str zone = s->request->roam ? STR("all zones") : s->zones[run->zone].trace.id;
    char text[400];

    (void)snprintf(text, sizeof text, "simulated on %.*s; prices: %.*s", STR_ARG(res->traces),
                   STR_ARG(res->prices));
    if (!str_keep(str_from(text), s->arena, &d->timeline.source, err))
        return false;
    (void)snprintf(text, sizeof text,
                   "%.*s from tick %zu: %.4g h of work, deadline %.4g h, start %.4g h",
                   STR_ARG(zone), s->windows.at[run->window], d->job.work / 3600,
                   d->job.deadline / 3600, d->job.delay / 3600);
    return str_keep(str_from(text), s->arena, &d->timeline.title, err);
}

static bool find_timeline_spot(struct drawing *d, struct error *err)
{
    uint8_t *up = arena_array(d->sweep->arena, uint8_t, d->ticks, err);

    if (up == NULL)
        return false;
    for (size_t i = 0; i < d->ticks; i++)
        for (size_t z = 0; z < d->market.zone_count; z++)
            up[i] |= d->market.zones[z].nodes_at[i] >= d->job.gang;
    d->timeline.up = up;
    return true;
}

static bool write_timeline_picture(const struct drawing *d, struct str path, struct error *err)
{
    struct buf text = buf_new(d->sweep->arena->alloc, BUF_MAX_OUTPUT);

    timeline_svg(&d->timeline, &text);
    return fs_put_buf(path, &text, err);
}

/* The optimum is drawn where it is a plan that can be followed, and was found. */
static bool draw_policies(struct drawing *d, struct error *err)
{
    const struct sweep *s = d->sweep;

    for (size_t p = 0; p < s->shown; p++) {
        if (p == s->optimal && d->job.save_every > 0) {
            message_note(s->messages,
                         "optimal is not drawn: with checkpoints it is a bound, not a run");
            continue;
        }
        if (draw_policy(d, p, err))
            continue;
        if (p != s->optimal || err->kind != ERROR_FAILED)
            return false;
        *err = (struct error){0};
        message_note(s->messages, "optimal is not drawn: it takes too long to find");
    }
    return true;
}

bool sweep_timeline(const struct sweep *s, struct simulate_result *res, struct error *err)
{
    struct drawing *d = arena_array(s->arena, struct drawing, 1, err);
    struct sweep_run run = sweep_run_of(s, 0);

    if (d == NULL)
        return false;
    d->sweep = s;
    if (!sweep_market(s, &run, s->arena, &d->market, &d->job, err))
        return false;
    d->ticks = sim_deadline_ticks(&d->job, d->market.gap);
    d->rows = arena_array(s->arena, struct timeline_row, s->shown, err);
    d->tracks = arena_array(s->arena, struct simulate_track, s->shown, err);
    if (d->rows == NULL || d->tracks == NULL || !find_timeline_spot(d, err) ||
        !write_timeline_title(d, &run, res, err))
        return false;
    if (!draw_policies(d, err))
        return false;
    d->timeline.ticks = d->ticks;
    d->timeline.tick_h = d->market.gap / 3600.0;
    d->timeline.work_h = d->job.work / 3600;
    d->timeline.deadline_h = d->job.deadline / 3600;
    d->timeline.rows = d->rows;
    res->timeline = (struct rows){d->tracks, d->timeline.row_count};
    res->drawing = &d->timeline;
    res->svg = s->request->svg;
    return s->request->svg.len == 0 || write_timeline_picture(d, s->request->svg, err);
}
