/* Runs in a folder `mlruns` of MLflow: a folder for each, with files for its parameters, tags
 * and metrics. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "tracker/mlflow_source.h"

#define MAX_VALUE 65536 /* bytes of a parameter's or tag's file that are read */
#define MAX_META ((size_t)1 << 20)
#define MAX_DEPTH 4 /* folders of metrics: "system/gpu_0_power_usage_watts" */
#define READ_ROOM 65536

/* A file of a metric, line by line. */
static bool read_metric_file(const char *path, struct str name, const struct tracker_sink *sink,
                             struct error *err)
{
    struct tracker_metric point = {.name = name};
    char room[READ_ROOM];
    size_t have = 0;
    ssize_t got = 1;
    int fd = fs_open(path, err);

    if (fd < 0)
        return false;
    while (got > 0) {
        struct str text;

        got = read(fd, room + have, sizeof room - have);
        have += got > 0 ? (size_t)got : 0;
        text = (struct str){room, have};
        while (text.len > 0 && (got <= 0 || memchr(text.at, '\n', text.len) != NULL))
            if (mlflow_metric_line(str_cut(&text, '\n'), &point))
                sink->point(sink->ctx, &point);
        if (text.len == sizeof room) /* no line of a metric is so long */
            text.len = 0;
        if (text.len > 0)
            memmove(room, text.at, text.len);
        have = text.len;
    }
    (void)close(fd);
    return true;
}

/* ---- a run ---- */

enum file_kind { FILE_PARAM, FILE_TAG, FILE_METRIC };

/* A file of the folder that is read. */
struct pair_file {
    const char *folder, *name; /* "opt/momentum" */
    const char *path;
    enum file_kind kind;
};

/* The last line of a metric's file. */
static void keep_last(void *ctx, const struct tracker_metric *point)
{
    *(struct tracker_metric *)ctx = *point;
}

static bool read_mlflow_last(const struct pair_file *file, struct tracker_run *run,
                             struct arena *arena, struct error *err)
{
    struct tracker_metric last = {.at_ms = -1};
    struct tracker_sink sink = {.point = keep_last, .ctx = &last};

    return read_metric_file(file->path, str_from(file->name), &sink, err) &&
           (last.name.len == 0 || tracker_add_metric(run, &last, arena, err));
}

/* Long values are left out. */
static bool read_mlflow_file(const struct pair_file *file, struct tracker_run *run,
                             struct arena *arena, struct error *err)
{
    struct str value, key = str_from(file->name);
    bool there;

    if (file->kind == FILE_METRIC)
        return read_mlflow_last(file, run, arena, err);
    if (!fs_read_if(file->folder, file->name, MAX_VALUE, arena, &value, &there, err)) {
        if (err->kind == ERROR_MEMORY)
            return false;
        *err = (struct error){0};
        return true;
    }
    return file->kind == FILE_PARAM ? tracker_add_param(run, key, value, arena, err)
                                    : mlflow_add_tag(run, key, value, arena, err);
}

/* A file for each: its name is the key; "opt/momentum" is in a folder. */
static bool read_mlflow_files(const char *folder, const char *within, unsigned depth,
                              enum file_kind kind, struct tracker_run *run, struct arena *arena,
                              struct error *err)
{
    const char *path = within[0] == '\0' ? folder : fs_join(folder, within, arena, err);
    char **names;
    size_t count;

    if (path == NULL || !fs_exists(path))
        return path != NULL;
    if (!fs_names(path, arena, &names, &count, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        const char *name = within[0] == '\0' ? names[i] : fs_join(within, names[i], arena, err);
        struct pair_file file = {folder, name, NULL, kind};

        file.path = name != NULL ? fs_join(folder, name, arena, err) : NULL;
        if (file.path == NULL)
            return false;
        if (!fs_is_folder(file.path)
                ? !read_mlflow_file(&file, run, arena, err)
                : depth < MAX_DEPTH &&
                      !read_mlflow_files(folder, name, depth + 1, kind, run, arena, err))
            return false;
    }
    return true;
}

/* A run of the folder, before it is read: its start decides the order. */
struct found_run {
    const char *folder;
    struct str experiment; /* name */
    int64_t started_ms;
};

struct found_runs {
    struct found_run *at;
    size_t count, room;
    bool damaged; /* there is one that cannot be read */
};

static bool read_meta(const char *folder, struct tracker_run *run, bool *there,
                      struct arena *arena, struct error *err)
{
    const char *path = fs_join(folder, "meta.yaml", arena, err);
    struct str text;

    tracker_run_clear(run);
    return path != NULL &&
           fs_read_if(folder, "meta.yaml", MAX_META, arena, &text, there, err) &&
           (!*there || mlflow_read_meta(text, path, run, arena, err));
}

static bool read_found(struct mlflow_folder *m, const struct found_run *found,
                       const struct tracker_sink *sink, struct error *err)
{
    struct arena arena = {.alloc = m->arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct tracker_run *run = arena_array(&arena, struct tracker_run, 1, err);
    const char *params = NULL, *tags = NULL, *metrics = NULL;
    bool there, ok = run != NULL && read_meta(found->folder, run, &there, &arena, err);

    if (ok) {
        params = fs_join(found->folder, "params", &arena, err);
        tags = fs_join(found->folder, "tags", &arena, err);
        metrics = fs_join(found->folder, "metrics", &arena, err);
        run->project = found->experiment;
        ok = params != NULL && tags != NULL && metrics != NULL &&
             read_mlflow_files(params, "", 0, FILE_PARAM, run, &arena, err) &&
             read_mlflow_files(tags, "", 0, FILE_TAG, run, &arena, err) &&
             read_mlflow_files(metrics, "", 0, FILE_METRIC, run, &arena, err);
    }
    m->metrics = metrics;
    ok = ok ? sink->run(sink->ctx, run, err) : tracker_go_on(sink, found->folder, err);
    m->metrics = NULL;
    arena_free(&arena);
    return ok;
}

static bool add_found_run(struct mlflow_folder *m, const char *folder, struct str experiment,
                          int64_t started_ms, struct found_runs *out, struct error *err)
{
    out->at = arena_grow(m->arena, out->at, out->count, sizeof *out->at, &out->room, err);
    if (out->at == NULL)
        return false;
    out->at[out->count++] = (struct found_run){folder, experiment, started_ms};
    return true;
}

/* A folder of runs, of experiments, or a run itself. */
static bool find_runs(struct mlflow_folder *m, const char *folder, struct str experiment,
                      unsigned depth, const struct tracker_sink *sink, struct found_runs *out,
                      struct error *err)
{
    struct arena *arena = m->arena;
    struct tracker_run *run = arena_array(arena, struct tracker_run, 1, err);
    bool there = false;
    char **names;
    size_t count;

    if (run == NULL)
        return false;
    if (!read_meta(folder, run, &there, arena, err)) {
        out->damaged = true;
        return tracker_go_on(sink, folder, err);
    }
    if (there && run->id.len > 0)
        return add_found_run(m, folder, experiment, run->started_ms, out, err);
    if (there) { /* an experiment: its name is where a run's would be */
        experiment = run->name;
        if (!mlflow_wants(m->choice, experiment))
            return true;
    }
    if (depth == 0)
        return true;
    if (!fs_names(folder, arena, &names, &count, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        const char *path = fs_join(folder, names[i], arena, err);
        struct stat st;

        if (path == NULL)
            return false;
        if (lstat(path, &st) == 0 && S_ISDIR(st.st_mode) &&
            !find_runs(m, path, experiment, depth - 1, sink, out, err))
            return false;
    }
    return true;
}

static int by_found_start(const void *a, const void *b)
{
    const struct found_run *x = a, *y = b;

    if (x->started_ms != y->started_ms)
        return x->started_ms < y->started_ms ? -1 : 1;
    return strcmp(x->folder, y->folder);
}

bool mlflow_folder_read(struct mlflow_folder *folder, const char *path,
                        const struct tracker_sink *sink, struct error *err)
{
    struct found_runs found = {0};

    if (!find_runs(folder, path, (struct str){0}, 2, sink, &found, err))
        return false;
    if (found.count == 0 && !found.damaged) {
        error_set(err, ERROR_INPUT, "'%s' has no runs of MLflow", path);
        error_hint(err, "name the folder mlruns, or an experiment or a run in it");
        return false;
    }
    if (found.count > 0)
        qsort(found.at, found.count, sizeof found.at[0], by_found_start);
    for (size_t i = 0; i < found.count; i++)
        if (!read_found(folder, &found.at[i], sink, err))
            return false;
    return true;
}

bool mlflow_folder_values(const struct mlflow_folder *folder, const struct tracker_run *run,
                          const struct tracker_sink *sink, struct error *err)
{
    struct arena arena = {.alloc = folder->arena->alloc, .block_size = 8192};
    bool ok = true;

    for (size_t i = 0; ok && i < run->metric_count; i++) {
        struct str name = run->metrics[i].name;
        const char *path = str_dup(name, &arena, err);

        path = path == NULL ? NULL : fs_join(folder->metrics, path, &arena, err);
        ok = path != NULL && read_metric_file(path, name, sink, err);
    }
    arena_free(&arena);
    return ok;
}
