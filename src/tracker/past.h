/* past.h - what a run of a tracker says of itself, as a record of it needs that: when it ended,
 * inside which other run, what it is known by, its facts and tags. Pure.
 *
 * `tracker` is "mlflow" or "wandb".
 */
#ifndef TRACKER_PAST_H
#define TRACKER_PAST_H

#include "base/map.h"
#include "tracker/tracker.h"

struct tracker_end {
    int64_t ended_ms;
    const char *assumed; /* how it was found; NULL: it is recorded */
};

/* When it ended; NULL, or why it cannot be recorded: its times are not known, or it still
 * runs. */
const char *tracker_end_of(const struct tracker_run *run, int64_t now_ms,
                           struct tracker_end *out);

/* ---- runs inside others ---- */

struct tracker_span {
    int64_t started_ms, ended_ms;
};

/* When runs were under way, by their id. */
struct tracker_spans {
    struct map by_id;
    struct arena *arena;
};

struct tracker_spans tracker_spans_in(struct arena *arena);
bool tracker_spans_add(struct tracker_spans *spans, const struct tracker_run *run,
                       const struct tracker_end *end, struct error *err) MUST_USE;
const struct tracker_span *tracker_spans_find(const struct tracker_spans *spans, struct str id);

/* Was the outer run under way all the time? Trackers keep times in seconds or milliseconds. */
bool tracker_span_holds(const struct tracker_span *outer, struct tracker_span inner);

/* ---- what is kept ---- */

/* "mlflow:ID": what it is known by; `id` is its own, or that of another of its project. Ids of
 * W&B are unique in a project only, and those that it makes up (8 letters and digits)
 * everywhere. */
bool tracker_identity(const char *tracker, const struct tracker_run *run, struct str id,
                      struct arena *arena, struct str *out, struct error *err) MUST_USE;

/* "mlflow_run=ID", "parent=ID", "param.lr=0.1", ... */
bool tracker_facts(const char *tracker, const struct tracker_run *run,
                   const struct tracker_end *end, struct arena *arena, struct strs *out,
                   struct error *err) MUST_USE;

/* The project, the run's own tags, and `more`: the last of a key counts. */
bool tracker_tags(const char *tracker, const struct tracker_run *run, struct strs more,
                  struct arena *arena, struct strs *out, struct error *err) MUST_USE;

#endif
