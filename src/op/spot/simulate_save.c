/* The traces that a sweep is simulated on, as a file that can be simulated on again. */
#include <math.h>
#include <string.h>

#include "base/fs.h"
#include "op/spot/simulate_sweep.h"

static void save_zone(const struct sweep_zone *zone, struct buf *out)
{
    struct trace t = zone->trace;

    t.on_demand = zone->on_demand;
    t.price = zone->price;
    t.spot = zone->price != NULL ? NAN : zone->spot;
    trace_write(&t, out);
}

/* A made-up one, called ZONE~COPY: as many as the gang, or none. */
static bool save_copy(const struct sweep *s, size_t zone, size_t copy, struct arena *scratch,
                      struct buf *out, struct error *err)
{
    struct sweep_zone made = s->zones[zone];
    uint8_t *nodes = arena_array(scratch, uint8_t, made.trace.ticks, err);
    size_t room = made.trace.id.len + 32;
    char *id = arena_array(scratch, char, room, err);
    const uint8_t *up;

    if (nodes == NULL || id == NULL || !sweep_made_up(s, zone, copy, scratch, &up, err))
        return false;
    for (size_t t = 0; t < made.trace.ticks; t++)
        nodes[t] = up[t] != 0 ? (uint8_t)s->job.gang : 0;
    (void)snprintf(id, room, "%.*s~%zu", STR_ARG(made.trace.id), copy + 1);
    made.trace.id = str_from(id);
    made.trace.nodes = s->job.gang;
    made.trace.nodes_at = nodes;
    made.trace.start = STAMP_UNKNOWN;
    made.trace.from_prices = false;
    save_zone(&made, out);
    return true;
}

bool sweep_save_traces(const struct sweep *s, struct str path, struct error *err)
{
    struct arena scratch = {.alloc = s->ctx->arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct buf text = buf_new(s->ctx->arena->alloc, BUF_MAX_OUTPUT);
    char *name = str_dup(path, s->ctx->arena, err);
    bool ok = name != NULL;

    if (s->copies > 0 && s->job.gang > TRACE_NODES_MAX)
        ok = error_fail(err, ERROR_INPUT, "--save-traces: a .trc file counts to %d, not to %d",
                        TRACE_NODES_MAX, s->job.gang);
    for (size_t z = 0; ok && z < s->zone_count; z++) {
        if (s->copies == 0)
            save_zone(&s->zones[z], &text);
        for (size_t c = 0; ok && c < s->copies; c++) {
            ok = save_copy(s, z, c, &scratch, &text, err);
            arena_free(&scratch);
        }
    }
    ok = ok && buf_ok(&text, err) && fs_put(name, buf_text(&text), err);
    arena_free(&scratch);
    buf_free(&text);
    return ok;
}
