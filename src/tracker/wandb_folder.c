/* Runs in a folder `wandb` of Weights & Biases: a folder for each, with a few files. */
#include <string.h>
#include <sys/stat.h>

#include "base/fs.h"
#include "tracker/tracker.h"

#define MAX_FILE ((size_t)16 << 20)

/* "run-20261101_101500-ab12cd34" and "offline-run-...": its id is at the end. */
static bool is_run_folder(struct str name)
{
    return str_starts(name, STR("run-")) || str_starts(name, STR("offline-run-"));
}

/* The start in the folder's name is in the machine's own zone, which is not recorded. */
static struct str id_of(struct str name)
{
    struct str rest = name;

    (void)str_cut(&rest, '_'); /* after the day */
    (void)str_cut(&rest, '-'); /* after the time of day */
    return rest;
}

static bool read_run_files(const char *files, struct tracker_run *run, bool *any,
                           struct arena *arena, struct error *err)
{
    static const struct {
        const char *name;
        bool (*read)(struct str text, const char *name, struct tracker_run *run,
                     struct arena *arena, struct error *err);
    } parts[] = {
        {"wandb-metadata.json", wandb_read_metadata},
        {"wandb-summary.json", wandb_read_summary},
        {"config.yaml", wandb_read_config},
    };

    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        const char *path = fs_join(files, parts[i].name, arena, err);
        struct str text;
        bool there;

        if (path == NULL ||
            !fs_read_if(files, parts[i].name, MAX_FILE, arena, &text, &there, err) ||
            (there && !parts[i].read(text, path, run, arena, err)))
            return false;
        *any = *any || there;
    }
    return true;
}

static bool read_run_folder(const char *folder, const struct alloc *alloc,
                            const struct tracker_sink *sink, bool *any, struct error *err)
{
    struct arena arena = {.alloc = alloc, .block_size = ARENA_BLOCK_SIZE};
    struct tracker_run *run = arena_array(&arena, struct tracker_run, 1, err);
    struct str name = str_from(folder);
    const char *files = run == NULL ? NULL : fs_join(folder, "files", &arena, err);
    bool found = false, ok = files != NULL;

    while (name.len > 0 && name.at[name.len - 1] == '/')
        name.len--;
    name = str_after_last(name, '/');
    if (ok) {
        tracker_run_clear(run);
        ok = tracker_text(is_run_folder(name) ? id_of(name) : name, &arena, &run->id, err) &&
             read_run_files(files, run, &found, &arena, err);
        if (run->started_ms < 0 && run->heard_ms >= 0 && run->runtime_ms >= 0)
            run->started_ms = run->heard_ms - run->runtime_ms; /* without its metadata */
    }
    if (!ok) {
        found = true; /* a run, if a damaged one */
        ok = tracker_go_on(sink, folder, err);
    } else if (found) {
        ok = sink->run(sink->ctx, run, err);
    }
    *any = *any || found;
    arena_free(&arena);
    return ok;
}

bool wandb_folder_read(const char *folder, struct arena *arena, const struct tracker_sink *sink,
                       struct error *err)
{
    const char *files = fs_join(folder, "files", arena, err);
    bool any = false;
    char **names;
    size_t count;

    if (files == NULL)
        return false;
    if (fs_exists(files) && !read_run_folder(folder, arena->alloc, sink, &any, err))
        return false;
    if (any)
        return true;
    if (!fs_names(folder, arena, &names, &count, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        const char *path = fs_join(folder, names[i], arena, err);

        if (path == NULL)
            return false;
        /* "latest-run" is a link to one of them. */
        if (is_run_folder(str_from(names[i])) &&
            !read_run_folder(path, arena->alloc, sink, &any, err))
            return false;
    }
    if (any)
        return true;
    error_set(err, ERROR_INPUT, "'%s' has no runs of Weights & Biases", folder);
    error_hint(err, "name a folder wandb, or one of its run-* folders");
    return false;
}

bool wandb_sources_read(void *sources, const struct tracker_sink *sink, struct error *err)
{
    const struct wandb_sources *w = sources;

    for (size_t i = 0; i < w->from.len; i++) {
        const char *from = str_dup(w->from.at[i], w->arena, err);
        struct stat st;

        if (from == NULL)
            return false;
        if (stat(from, &st) == 0 && S_ISDIR(st.st_mode)
                ? !wandb_folder_read(from, w->arena, sink, err)
                : !tracker_read_file(from, false, w->arena, &w->watch, sink, err))
            return false;
    }
    return true;
}
