/* example - list or write the files of examples/, which are part of the program. */
#include "op/example.h"

#include "op/context.h"
#include "op/op.h"

static const char *const output_names[] = {"o", NULL};

static const struct field request_fields[] = {
    FIELD(TEXTS, example_request, names, .value = "NAME", .operand = true,
          .help = "names of examples to write; none lists them"),
    FIELD(FLAG, example_request, all,
          .help = "write all of them, into the folder " EXAMPLES_FOLDER),
    FIELD(TEXT, example_request, output, .local = true, .value = "DIR", .also = output_names,
          .help = "folder to write to (default: the current one)"),
    FIELD(FLAG, example_request, force, .help = "replace existing files"),
};

static const struct field result_fields[] = {
    FIELD(LIST, example_result, examples, .row = &example_row_fields, .help = "the examples"),
    FIELD(TEXT, example_result, folder, .empty_unknown = true,
          .help = "folder that the examples were written to"),
};

static bool run_example(struct op_context *ctx, const void *request, void *result,
                        struct error *err)
{
    const struct example_request *req = request;
    struct example_result *res = result;
    const struct examples_writing writing = {req->output, req->all, req->force};
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
        res->folder = req->output.len > 0 ? req->output : STR(EXAMPLES_FOLDER);
    return (req->names.len == 0 && !req->all) ||
           examples_write(&writing, chosen, rows, count, ctx->arena, err);
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
