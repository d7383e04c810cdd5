#include "load/wire.h"

#define CONNECT ((span){10 * SECOND})

/* The run and its connections, which name each other. */
struct wire_of_run {
    struct load_drive *drive;
    struct streams *streams;
};

static int64_t wire_now(void *ctx)
{
    (void)ctx;
    return clock_system.now(clock_system.ctx).ns;
}

static bool wire_send(void *ctx, struct str body, void *stream, struct error *err)
{
    struct wire_of_run *w = ctx;

    return streams_send(w->streams, body, stream, err);
}

static bool wire_wait(void *ctx, int64_t until, struct error *err)
{
    struct wire_of_run *w = ctx;

    return streams_wait(w->streams, (instant){until}, err);
}

static bool wire_arrived(void *ctx, void *stream, int status, struct str bytes,
                         const struct net_moment *when)
{
    struct wire_of_run *w = ctx;

    return load_arrived(w->drive, stream, status, bytes, when);
}

static void wire_ended(void *ctx, void *stream, const struct net_ended *ended)
{
    struct wire_of_run *w = ctx;

    load_done(w->drive, stream, ended);
}

bool load_run_on(const struct load_endpoint *endpoint, const struct load_options *options,
                 struct arena *arena, struct load_run *out, double *work_s, struct error *err)
{
    const struct streams_place place = {
        .url = endpoint->url,
        .headers = endpoint->headers,
        .header_count = endpoint->header_count,
        .certificates = endpoint->certificates,
        .plain_allowed = endpoint->plain_allowed,
        .connect = endpoint->timeout.ns < CONNECT.ns ? endpoint->timeout : CONNECT,
        .altogether = endpoint->timeout,
        .most = options->most};
    struct wire_of_run w = {0};
    const struct streams_events events = {&w, wire_arrived, wire_ended};
    const struct load_wire wire = {&w, wire_now, wire_send, wire_wait};
    span before = clock_work();
    bool ok = false;

    w.drive = load_drive_new(options, arena, err);
    if (w.drive != NULL && (w.streams = streams_open(&place, &events, err)) != NULL)
        ok = load_drive(w.drive, &wire, out, err);
    streams_close(w.streams);
    load_drive_free(w.drive);
    *work_s = (double)(clock_work().ns - before.ns) / 1e9;
    return ok;
}
