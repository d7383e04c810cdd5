/* Runs as a table: CSV that MLflow and Weights & Biases export. */
#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/csv.h"
#include "base/num.h"
#include "doc/files.h"
#include "tracker/tracker.h"

#define MAX_ROW ((size_t)16 << 20)
#define MAX_COLUMNS 20000

/* What a column is. */
enum role {
    ROLE_VALUE, /* any other: a number is a metric, a text a parameter */
    ROLE_PARAM,
    ROLE_METRIC,
    ROLE_TAG,
    ROLE_LABELS, /* "baseline, debug" */
    ROLE_ID,
    ROLE_NAME,
    ROLE_USER,
    ROLE_HOST,
    ROLE_PROJECT,
    ROLE_EXPERIMENT,
    ROLE_COMMIT,
    ROLE_STATE,
    ROLE_STAGE,
    ROLE_START,
    ROLE_END,
    ROLE_HEARD,
    ROLE_RUNTIME,
    ROLE_GPU,
    ROLE_GPUS,
    ROLE_SKIPPED,
};

struct named_role {
    const char *name;
    enum role role;
};

static const struct named_role mlflow_columns[] = {
    {"run_id", ROLE_ID},
    {"experiment_id", ROLE_EXPERIMENT},
    {"status", ROLE_STATE},
    {"start_time", ROLE_START},
    {"end_time", ROLE_END},
    {"lifecycle_stage", ROLE_STAGE},
    {"run_name", ROLE_NAME},
    {"user_id", ROLE_USER},
    {"artifact_uri", ROLE_SKIPPED},
};

static const struct named_role wandb_columns[] = {
    {"id", ROLE_ID},
    {"run_id", ROLE_ID},
    {"name", ROLE_NAME},
    {"state", ROLE_STATE},
    {"user", ROLE_USER},
    {"username", ROLE_USER},
    {"tags", ROLE_LABELS},
    {"created", ROLE_START},
    {"created_at", ROLE_START},
    {"createdAt", ROLE_START},
    {"start time", ROLE_START},
    {"end time", ROLE_END},
    {"heartbeat_at", ROLE_HEARD},
    {"updated", ROLE_SKIPPED},
    {"runtime", ROLE_RUNTIME},
    {"_runtime", ROLE_RUNTIME},
    {"duration", ROLE_RUNTIME},
    {"_timestamp", ROLE_SKIPPED},
    {"_step", ROLE_SKIPPED},
    {"hostname", ROLE_HOST},
    {"host", ROLE_HOST},
    {"project", ROLE_PROJECT},
    {"commit", ROLE_COMMIT},
    {"gpu type", ROLE_GPU},
    {"gpu_type", ROLE_GPU},
    {"gpu", ROLE_GPU},
    {"gpu count", ROLE_GPUS},
    {"gpu_count", ROLE_GPUS},
    {"notes", ROLE_SKIPPED},
    {"", ROLE_SKIPPED}, /* numbers of rows of a data frame */
};

/* Columns whose names begin so: the rest is the name. */
static const struct named_role heads[] = {
    {"metrics.", ROLE_METRIC}, {"params.", ROLE_PARAM},           {"tags.", ROLE_TAG},
    {"config.", ROLE_PARAM},   {"config/", ROLE_PARAM},           {"summary.", ROLE_METRIC},
    {"summary/", ROLE_METRIC}, {"summary_metrics.", ROLE_METRIC},
};

struct column {
    struct str name;
    enum role role;
};

struct table {
    bool mlflow;
    struct csv *csv;
    struct column *columns;
    size_t count;
    struct arena arena; /* of the row that is read */
    const struct tracker_sink *sink;
};

static struct column tracker_column_of(struct str name, bool mlflow)
{
    const struct named_role *names = mlflow ? mlflow_columns : wandb_columns;
    size_t count = mlflow ? ARRAY_LEN(mlflow_columns) : ARRAY_LEN(wandb_columns);

    for (size_t i = 0; i < count; i++)
        if (str_eq_nocase(name, str_from(names[i].name)))
            return (struct column){name, names[i].role};
    for (size_t i = 0; i < ARRAY_LEN(heads); i++) {
        struct str head = str_from(heads[i].name);

        if (str_starts(name, head))
            return (struct column){{name.at + head.len, name.len - head.len}, heads[i].role};
    }
    return (struct column){name, mlflow ? ROLE_SKIPPED : ROLE_VALUE};
}

static bool has_role(const struct table *t, enum role role)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->columns[i].role == role)
            return true;
    return false;
}

static bool read_tracker_header(struct table *t, struct arena *arena, struct error *err)
{
    struct csv_row row;

    if (!csv_next(t->csv, &row, err))
        return csv_failed(t->csv) ? false
                                  : error_fail(err, ERROR_INPUT, "line 1: the file is empty");
    t->columns = arena_array(arena, struct column, row.count, err);
    for (size_t i = 0; t->columns != NULL && i < row.count; i++) {
        struct str name;

        if (!str_keep(csv_cell(&row, i), arena, &name, err))
            return false;
        t->columns[t->count++] = tracker_column_of(name, t->mlflow);
    }
    if (t->columns == NULL)
        return false;
    if (has_role(t, ROLE_START))
        return true;
    error_set(err, ERROR_INPUT,
              "line 1: there is no column '%s': this is not an export of runs",
              t->mlflow ? "start_time" : "Created");
    error_hint(err, "%s",
               t->mlflow ? "export with 'mlflow experiments csv', or name the server or the "
                           "folder mlruns"
                         : "on the project's page, show the column Created and export the "
                           "table of runs as CSV");
    return false;
}

/* Seconds, or as the page shows it: "1d 2h 3m 4s". -1 when it is neither. */
static int64_t runtime_ms(struct str cell)
{
    double seconds = 0;

    if (!num_read(cell, &seconds))
        while (cell.len > 0) {
            struct str part = str_trim(str_cut(&cell, ' '));
            char unit = 's';
            double count = 0;

            if (part.len > 0) {
                unit = part.at[part.len - 1];
                if (!num_read((struct str){part.at, part.len - 1}, &count))
                    return -1;
            }
            if (unit != 'd' && unit != 'h' && unit != 'm' && unit != 's')
                return -1;
            seconds += count * (unit == 'd'   ? 86400
                                : unit == 'h' ? 3600
                                : unit == 'm' ? 60
                                              : 1);
        }
    return seconds >= 0 && seconds < 1e10 ? (int64_t)(seconds * 1000) : -1;
}

static bool add_labels(struct tracker_run *run, struct str cell, struct arena *arena,
                       struct error *err)
{
    while (cell.len > 0) {
        struct str label = str_trim(str_cut(&cell, ','));

        if (label.len > 0 && !tracker_add_tag(run, label, STR("yes"), arena, err))
            return false;
    }
    return true;
}

static bool add_tracker_value(struct tracker_run *run, const struct column *column,
                              struct str cell, struct arena *arena, struct error *err)
{
    struct tracker_metric m = {.name = column->name, .step = NAN, .at_ms = -1};

    if (column->role != ROLE_PARAM && tracker_number(cell, &m.value))
        return tracker_add_metric(run, &m, arena, err);
    if (column->role == ROLE_METRIC)
        return true;
    return tracker_add_param(run, column->name, cell, arena, err);
}

static struct str *tracker_text_of(struct tracker_run *run, enum role role)
{
    struct str *const texts[] = {
        [ROLE_ID] = &run->id,           [ROLE_NAME] = &run->name,
        [ROLE_USER] = &run->user,       [ROLE_HOST] = &run->host,
        [ROLE_PROJECT] = &run->project, [ROLE_EXPERIMENT] = &run->experiment,
        [ROLE_COMMIT] = &run->commit,   [ROLE_GPU] = &run->gpu,
        [ROLE_SKIPPED] = NULL,
    };

    return texts[role];
}

static int64_t *tracker_moment_of(struct tracker_run *run, enum role role)
{
    return role == ROLE_START   ? &run->started_ms
           : role == ROLE_END   ? &run->ended_ms
           : role == ROLE_HEARD ? &run->heard_ms
                                : NULL;
}

static bool set_cell(struct table *t, struct tracker_run *run, const struct column *column,
                     struct str cell, struct error *err)
{
    struct str *text = tracker_text_of(run, column->role);
    int64_t *moment = tracker_moment_of(run, column->role), count;

    if (text != NULL)
        return tracker_text(cell, &t->arena, text, err);
    if (column->role == ROLE_LABELS)
        return add_labels(run, cell, &t->arena, err);
    if (column->role == ROLE_TAG)
        return mlflow_add_tag(run, column->name, cell, &t->arena, err);
    if (column->role <= ROLE_METRIC)
        return add_tracker_value(run, column, cell, &t->arena, err);
    if (moment != NULL)
        *moment = tracker_time(cell);
    else if (column->role == ROLE_STATE)
        run->state = tracker_state_of(cell);
    else if (column->role == ROLE_STAGE)
        run->deleted = str_eq(cell, STR("deleted"));
    else if (column->role == ROLE_RUNTIME)
        run->runtime_ms = runtime_ms(cell);
    else if (column->role == ROLE_GPUS)
        run->gpus = num_int(cell, &count) && count >= 0 ? count : -1;
    return true;
}

static bool read_tracker_row(struct table *t, const struct csv_row *row, struct error *err)
{
    struct tracker_run run;
    bool ok = true;

    tracker_run_clear(&run);
    for (size_t i = 0; ok && i < t->count; i++) {
        struct str cell = csv_cell(row, i);

        if (cell.len > 0)
            ok = set_cell(t, &run, &t->columns[i], cell, err);
    }
    ok = ok && t->sink->run(t->sink->ctx, &run, err);
    arena_free(&t->arena);
    return ok;
}

bool tracker_read_table(struct source source, bool mlflow, const struct alloc *alloc,
                        const struct tracker_sink *sink, struct error *err)
{
    struct csv_options options = {
        .alloc = alloc, .max_row = MAX_ROW, .max_fields = MAX_COLUMNS};
    struct arena names = {.alloc = alloc, .block_size = 16384};
    struct table t = {
        .mlflow = mlflow, .sink = sink, .arena = {.alloc = alloc, .block_size = 16384}};
    struct csv_row row;
    bool ok;

    t.csv = csv_open(source, &options, err);
    ok = t.csv != NULL && read_tracker_header(&t, &names, err);
    while (ok && csv_next(t.csv, &row, err))
        ok = read_tracker_row(&t, &row, err);
    ok = ok && !csv_failed(t.csv);
    csv_close(t.csv);
    arena_free(&names);
    return ok;
}

bool tracker_read_export(struct source source, struct str head, bool mlflow,
                         const struct alloc *alloc, const struct tracker_sink *sink,
                         struct error *err)
{
    struct buf next = buf_new(alloc, 65536);
    bool ok;

    while (head.len > 0 && (head.at[0] == ' ' || head.at[0] == '\n' || head.at[0] == '\r'))
        head = (struct str){head.at + 1, head.len - 1};
    if (head.len == 0)
        ok = error_fail(err, ERROR_INPUT, "line 1: the file is empty");
    else if (head.at[0] != '{' && head.at[0] != '[')
        ok = tracker_read_table(source, mlflow, alloc, sink, err);
    else if (mlflow)
        ok = mlflow_read_runs(source, alloc, sink, &next, err);
    else
        ok = wandb_read_runs(source, alloc, sink, err);
    buf_free(&next);
    return ok;
}

struct export_reader {
    bool mlflow;
    const struct tracker_sink *sink;
    const struct alloc *alloc;
};

static bool read_runs_stream(void *ctx, struct file_stream *stream, bool listed,
                             struct error *err)
{
    const struct export_reader *r = ctx;
    bool ok =
        tracker_read_export(stream->source, stream->head, r->mlflow, r->alloc, r->sink, err);

    (void)listed;
    if (!ok && (err->kind == ERROR_INPUT || err->kind == ERROR_NONE))
        error_place(err, stream->name);
    return ok;
}

bool tracker_read_file(const char *path, bool mlflow, struct arena *arena,
                       const struct watch *watch, const struct tracker_sink *sink,
                       struct error *err)
{
    struct export_reader reader = {.mlflow = mlflow, .sink = sink, .alloc = arena->alloc};
    struct file_visitor visitor = {
        .file = read_runs_stream, .ctx = &reader, .arena = arena, .watch = *watch};

    return files_visit(path, &visitor, err);
}
