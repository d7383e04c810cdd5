/* example - list or write the files of examples/, which are part of the program. */
#include "op/example.h"

#include <string.h>

#include "base/fs.h"
#include "demo/example.h"
#include "op/context.h"
#include "op/op.h"

#define FOLDER "examples" /* for all of them */

static const char *const output_names[] = {"o", NULL};

static const struct field request_fields[] = {
    FIELD(TEXTS, example_request, names, .value = "NAME", .operand = true,
          .help = "names of examples to write; none lists them"),
    FIELD(FLAG, example_request, all, .help = "write all of them, into the folder " FOLDER),
    FIELD(TEXT, example_request, output, .local = true, .value = "DIR", .also = output_names,
          .help = "folder to write to (default: the current one)"),
    FIELD(FLAG, example_request, force, .help = "replace existing files"),
};

static const struct field row_fields[] = {
    FIELD(TEXT, example_row, name, .help = "name of the example"),
    FIELD(TEXT, example_row, file, .help = "name of its file"),
    FIELD(TEXT, example_row, about, .help = "description"),
    FIELD(TEXT, example_row, command, .help = "command to try it with"),
    FIELD(TEXT, example_row, path, .empty_unknown = true, .help = "file that was written"),
};
static const struct field_set row_set = FIELD_SET(struct example_row, row_fields);

static const struct field result_fields[] = {
    FIELD(LIST, example_result, examples, .row = &row_set, .help = "the examples"),
    FIELD(TEXT, example_result, folder, .empty_unknown = true,
          .help = "folder that the examples were written to"),
};

static struct example_row example_row_of(const struct example *example)
{
    return (struct example_row){.name = str_from(example->name),
                                .file = str_from(example_file(example)),
                                .about = str_from(example->about),
                                .command = str_from(example->command)};
}

/* A file with other content is the user's. */
static bool check_free(const char *path, struct str text, struct arena *arena,
                       struct error *err)
{
    struct error ignored = {0};
    struct str there;

    if (!fs_exists(path) ||
        (fs_read(path, text.len + 1, arena, &there, &ignored) && str_eq(there, text)))
        return true;
    error_set(err, ERROR_FAILED, "'%s' is there already, and differs from the example", path);
    error_hint(err, "--force replaces it; -o DIR writes to another folder");
    return false;
}

static bool place_example(struct op_context *ctx, const struct example_request *req,
                          const struct example *example, const char *folder, char **out,
                          struct error *err)
{
    const char *name = req->all ? example->path : example_file(example);

    *out = folder[0] != '\0' ? fs_join(folder, name, ctx->arena, err)
                             : str_dup(str_from(name), ctx->arena, err);
    return *out != NULL &&
           (req->force || check_free(*out, example_text(example), ctx->arena, err));
}

static bool write_example(const struct example *example, const char *path, struct arena *arena,
                          struct error *err)
{
    const char *slash = strrchr(path, '/');
    const char *folder = slash != NULL && slash != path
                             ? str_dup((struct str){path, (size_t)(slash - path)}, arena, err)
                             : "";
    bool made;

    return folder != NULL && (folder[0] == '\0' || fs_make_output_folder(folder, &made, err)) &&
           fs_put(path, example_text(example), err);
}

/* Nothing is written before every place is known to be free. */
static bool write_examples(struct op_context *ctx, const struct example_request *req,
                           const struct example *const *chosen, struct example_row *rows,
                           size_t count, struct error *err)
{
    char **paths = arena_array(ctx->arena, char *, count, err);
    const char *folder = req->output.len > 0 ? str_dup(req->output, ctx->arena, err)
                         : req->all          ? FOLDER
                                             : "";

    if (paths == NULL || folder == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!place_example(ctx, req, chosen[i], folder, &paths[i], err))
            return false;
    for (size_t i = 0; i < count; i++) {
        if (!write_example(chosen[i], paths[i], ctx->arena, err))
            return false;
        rows[i].path = str_from(paths[i]);
    }
    return true;
}

static bool run_example(struct op_context *ctx, const void *request, void *result,
                        struct error *err)
{
    const struct example_request *req = request;
    struct example_result *res = result;
    size_t most = example_count + req->names.len, count;
    const struct example **chosen = arena_array(ctx->arena, const struct example *, most, err);
    struct example_row *rows = arena_array(ctx->arena, struct example_row, most, err);

    if (chosen == NULL || rows == NULL)
        return false;
    if (req->all && req->names.len > 0)
        return error_fail(err, ERROR_USAGE, "--all writes every example: give no names");
    if (!examples_choose(req->names, chosen, &count, err))
        return false;
    for (size_t i = 0; i < count; i++)
        rows[i] = example_row_of(chosen[i]);
    res->examples = (struct rows){rows, count};
    if (req->all)
        res->folder = req->output.len > 0 ? req->output : STR(FOLDER);
    return (req->names.len == 0 && !req->all) ||
           write_examples(ctx, req, chosen, rows, count, err);
}

const struct op op_example = {
    .name = "example",
    .schema = "stint.example/1",
    .summary = "write example files: jobs, configurations, a bill",
    .changes = true,
    .request = &(const struct field_set)FIELD_SET(struct example_request, request_fields),
    .result = &(const struct field_set)FIELD_SET(struct example_result, result_fields),
    .run = run_example,
};
