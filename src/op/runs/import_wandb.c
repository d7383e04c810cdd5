/* import wandb - past runs from an export of Weights & Biases, or from its folder wandb/. */
#include <string.h>
#include <sys/stat.h>

#include "base/fs.h"
#include "op/context.h"
#include "op/import_files.h"
#include "op/op.h"
#include "op/runs/import_options.h"
#include "op/runs/import_runs.h"
#include "tracker/tracker.h"

#define MAX_FILE ((size_t)16 << 20)

static const struct field request_fields[] = {
    FIELD(TEXTS, import_runs_request, from, .value = "FROM", .operand = true, .required = true,
          .help = "export of runs (CSV, JSON), or a folder wandb"),
    IMPORT_RUNS_OPTIONS,
    IMPORT_RUNS_DRY_RUN,
};

struct wandb {
    struct op_context *ctx;
    const struct import_runs_request *req;
};

/* "run-20261101_101500-ab12cd34" and "offline-run-...": its id is at the end. */
static bool is_run_folder(struct str name)
{
    return str_starts(name, STR("run-")) || str_starts(name, STR("offline-run-"));
}

/* The start in the folder's name, in the machine's own zone, which is not recorded: it serves
 * only when no file has one. */
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
            !import_text(files, parts[i].name, MAX_FILE, arena, &text, &there, err) ||
            (there && !parts[i].read(text, path, run, arena, err)))
            return false;
        *any = *any || there;
    }
    return true;
}

static bool read_run_folder(struct wandb *w, const char *folder,
                            const struct tracker_sink *sink, bool *any, struct error *err)
{
    struct arena arena = {.alloc = w->ctx->arena->alloc, .block_size = ARENA_BLOCK_SIZE};
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
    }
    if (ok && found)
        ok = sink->run(sink->ctx, run, err);
    *any = *any || found;
    arena_free(&arena);
    return ok;
}

static bool read_folder(struct wandb *w, const char *folder, const struct tracker_sink *sink,
                        struct error *err)
{
    struct arena *arena = w->ctx->arena;
    const char *files = fs_join(folder, "files", arena, err);
    bool any = false;
    char **names;
    size_t count;

    if (files == NULL)
        return false;
    if (fs_exists(files) && !read_run_folder(w, folder, sink, &any, err))
        return false;
    if (any)
        return true;
    if (!import_names(folder, arena, &names, &count, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        const char *path = fs_join(folder, names[i], arena, err);

        if (path == NULL)
            return false;
        /* "latest-run" is a link to one of them. */
        if (is_run_folder(str_from(names[i])) && !read_run_folder(w, path, sink, &any, err))
            return false;
    }
    if (any)
        return true;
    error_set(err, ERROR_INPUT, "'%s' has no runs of Weights & Biases", folder);
    error_hint(err, "name a folder wandb, or one of its run-* folders");
    return false;
}

bool import_check_sources(struct strs from, struct error *err)
{
    for (size_t i = 0; i < from.len; i++)
        if (str_eq(from.at[i], STR("-"))) {
            error_set(err, ERROR_USAGE, "runs are not read from standard input");
            error_hint(err, "write them to a file, and name it");
            return false;
        }
    return true;
}

static bool read_all(void *ctx, const struct tracker_sink *sink, struct error *err)
{
    struct wandb *w = ctx;

    for (size_t i = 0; i < w->req->from.len; i++) {
        const char *from = str_dup(w->req->from.at[i], w->ctx->arena, err);
        struct stat st;

        if (from == NULL)
            return false;
        if (stat(from, &st) == 0 && S_ISDIR(st.st_mode)
                ? !read_folder(w, from, sink, err)
                : !import_runs_file(w->ctx, from, false, sink, err))
            return false;
    }
    return true;
}

static bool import_wandb(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct wandb w = {.ctx = ctx, .req = in};
    const struct import_tracker tracker = {.id = "wandb", .title = "W&B"};

    for (size_t i = 0; i < w.req->from.len; i++)
        if (str_starts(w.req->from.at[i], STR("http"))) {
            error_set(err, ERROR_USAGE, "Weights & Biases is not asked over the network");
            error_hint(err, "export the table of runs as CSV on the project's page, or with "
                            "wandb's own package: docs/import.md");
            return false;
        }
    return import_check_sources(w.req->from, err) &&
           import_runs(ctx, w.req, &tracker,
                       &(const struct import_source){.read = read_all, .ctx = &w}, out, err);
}

const struct op op_import_wandb = {
    .name = "import.wandb",
    .schema = "stint.import.wandb/1",
    .changes = true,
    .summary = "import past runs from Weights & Biases into the ledger",
    .request = &(const struct field_set)FIELD_SET(struct import_runs_request, request_fields),
    .result = &import_runs_result_fields,
    .run = import_wandb,
};
