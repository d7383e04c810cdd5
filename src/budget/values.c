#include "budget/values.h"

#include "doc/files.h"
#include "series/telemetry.h"

#define ROW(label, kind, member, text, ...) \
    FIELD_AS(label, kind, readings_event, member, .help = (text), __VA_ARGS__)

static const struct field row_fields[] = {
    ROW("first", TIME, first, "time of its first value", ),
    ROW("last", TIME, last, "time of its last value, so far", ),
    ROW("seen", TIME, seen, "time of the value that revealed it", ),
    ROW("direction", ENUM, of.direction, "direction of the change: up or down",
        FIELD_NAMES(anomaly_directions)),
    ROW("state", ENUM, of.goes_on, "state: ongoing or ended", FIELD_NAMES(anomaly_states)),
    ROW("value", NUMBER, value, "mean of its values", ),
    ROW("expected", NUMBER, expected, "expected mean", ),
    ROW("low", NUMBER, of.low, "low end of the usual range in its first hour or day", ),
    ROW("high", NUMBER, of.high, "high end of the usual range in its first hour or day", ),
    ROW("score", NUMBER, of.score,
        "distance from expected, in deviations (daily: scales of the noise)", ),
};

const struct field_set readings_event_fields = FIELD_SET(struct readings_event, row_fields);

static const struct field value_fields[] = {
    FIELD(TEXT, anomaly_values, file, .help = "file that was read"),
    FIELD(TEXT, anomaly_values, method, .help = "method: daily or telemetry"),
    FIELD(NUMBER, anomaly_values, interval_s, .help = "seconds from one value to the next"),
    FIELD(COUNT, anomaly_values, together, .help = "values averaged for each test"),
    FIELD(TIME, anomaly_values, first, .help = "time of the first value"),
    FIELD(TIME, anomaly_values, last, .help = "time of the last value"),
    FIELD(COUNT, anomaly_values, values, .help = "known values"),
    FIELD(COUNT, anomaly_values, missing, .help = "rows without a value"),
    FIELD(COUNT, anomaly_values, infinite, .help = "infinite values: not judged"),
    FIELD(COUNT, anomaly_values, repeated, .help = "rows that repeat the time of another"),
    FIELD(COUNT, anomaly_values, gaps, .help = "intervals without a value: not judged"),
    FIELD(LIST, anomaly_values, events, .row = &readings_event_fields,
          .help = "events, newest first"),
};

const struct field_set anomaly_values_fields = FIELD_SET(struct anomaly_values, value_fields);

/* ---- the file ---- */

struct values_reading {
    struct str column;
    struct arena *arena;
    struct readings readings;
};

static bool read_readings_stream(void *ctx, struct file_stream *stream, bool listed,
                                 struct error *err)
{
    struct values_reading *f = ctx;
    struct csv_options options = {.alloc = f->arena->alloc};
    struct csv *csv;
    bool ok;

    if (!listed) {
        error_set(err, ERROR_INPUT, "it is a folder, not a file");
        error_hint(err, "name one file; each is judged by itself");
        return false;
    }
    csv = csv_open(stream->source, &options, err);
    if (csv == NULL)
        return false;
    ok = readings_read(csv, f->column, f->arena, &f->readings, err);
    csv_close(csv);
    return ok;
}

/* What was wrong with the file, and what was done about it. */
static void warn_of_rows(const struct values_question *q, const struct readings *r,
                         const struct readings_pace *pace)
{
    if (r->backward > 0)
        message_warn(q->messages,
                     "%s: %zu row%s older than the one before: sorted by time (of local times, "
                     "write the UTC offset)",
                     q->path, r->backward, r->backward == 1 ? " is" : "s are");
    if (r->repeated > 0)
        message_warn(q->messages,
                     "%s: %zu row%s the time of another: their mean is judged (of local times, "
                     "write the UTC offset)",
                     q->path, r->repeated, r->repeated == 1 ? " has" : "s have");
    if (r->missing > 0)
        message_warn(q->messages,
                     "%s: %zu row%s no value: ignored, not counted as 0 (write 0 if it was)",
                     q->path, r->missing, r->missing == 1 ? " has" : "s have");
    if (r->infinite > 0)
        message_warn(q->messages, "%s: %zu value%s infinite: not judged (write the number)",
                     q->path, r->infinite, r->infinite == 1 ? " is" : "s are");
    if (pace->method == READINGS_DAILY && r->negative > 0)
        message_warn(q->messages,
                     "%s: %zu value%s negative: the daily method is meant for amounts and is "
                     "unreliable for those (hourly values may be negative)",
                     q->path, r->negative, r->negative == 1 ? " is" : "s are");
}

static bool refuse_daily_only(const char *option, struct error *err)
{
    error_set(err, ERROR_USAGE, "--%s is for daily values: these come more often", option);
    error_hint(err, "leave it out; --threshold N sets how far out an hour must be");
    return false;
}

/* ---- the answer ---- */

static bool list_value_events(const struct readings_found *found, struct arena *arena,
                              struct anomaly_values *out, struct anomaly_events *events,
                              struct error *err)
{
    struct readings_event *rows = arena_array(arena, struct readings_event, found->len, err);

    for (size_t i = 0; rows != NULL && i < found->len; i++) {
        rows[i] = found->at[found->len - 1 - i];
        events->going_on += rows[i].of.goes_on;
    }
    out->events = (struct rows){rows, found->len};
    return rows != NULL;
}

static void describe_values(const struct readings *r, const struct readings_pace *pace,
                            struct anomaly_values *out, struct anomaly_events *events)
{
    bool daily = pace->method == READINGS_DAILY;

    events->series = 1;
    events->too_short = pace->too_short;
    events->known_until = day_of(r->at[r->len - 1].at);
    *out = (struct anomaly_values){
        .method = daily ? STR("daily") : STR("telemetry"),
        .interval_s = pace->interval,
        .together = daily ? 1 : (int64_t)telemetry_together(pace->interval),
        .values = (int64_t)(r->len - r->missing - r->infinite),
        .missing = (int64_t)r->missing,
        .infinite = (int64_t)r->infinite,
        .repeated = (int64_t)r->repeated,
        .gaps = (int64_t)pace->empty,
        .first = r->at[0].at,
        .last = r->at[r->len - 1].at,
    };
}

static bool judge_values(const struct values_question *q, struct arena *arena,
                         struct anomaly_values *out, struct anomaly_events *events,
                         struct error *err)
{
    struct values_reading f = {.column = q->column, .arena = arena};
    struct file_visitor visitor = {
        .file = read_readings_stream, .ctx = &f, .arena = arena, .watch = q->watch};
    struct readings_found found;
    struct readings_pace pace;

    if (!files_visit(q->path, &visitor, err) || !readings_pace(&f.readings, arena, &pace, err))
        return false;
    if (pace.method != READINGS_DAILY && q->daily_only != NULL)
        return refuse_daily_only(q->daily_only, err);
    warn_of_rows(q, &f.readings, &pace);
    describe_values(&f.readings, &pace, out, events);
    return readings_judge(&f.readings, &pace, &q->options, arena, &found, err) &&
           list_value_events(&found, arena, out, events, err);
}

bool anomaly_values_judge(const struct values_question *q, struct arena *arena,
                          struct anomaly_values *out, struct anomaly_events *events,
                          struct error *err)
{
    if (judge_values(q, arena, out, events, err))
        return true;
    if (err->kind == ERROR_INPUT)
        error_place(err, q->path);
    return false;
}
