/* schema - the requests and results of operations as JSON Schema. */
#include "op/schema.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/fs.h"
#include "doc/json_schema.h"
#include "op/context.h"
#include "op/op.h"

static const char *const output_names[] = {"o", NULL};

static const struct field request[] = {
    FIELD(TEXT, schema_request, operation, .value = "OPERATION", .operand = true,
          .help = "operation, such as price.compare (default: list all)"),
    FIELD(TEXT, schema_request, output, .local = true, .value = "DIR", .also = output_names,
          .help = "write OPERATION.request.json and OPERATION.result.json to DIR"),
};

static const struct field row_fields[] = {
    FIELD(TEXT, schema_row, name,
          .help = "name of the operation: 'stint price compare' is price.compare"),
    FIELD(TEXT, schema_row, schema, .help = "schema name: the first value of its result"),
    FIELD(TEXT, schema_row, summary, .help = "summary"),
    FIELD(FLAG, schema_row, changes, .help = "operation may make lasting changes"),
    FIELD(FLAG, schema_row, own_process,
          .help =
              "operation supervises processes: the library refuses it, 'stint call' runs it"),
    FIELD(ENUM, schema_row, remote, FIELD_NAMES(op_access_names),
          .help =
              "scope that a token needs over HTTP (docs/guide/serve.md); local: not available "
              "over HTTP"),
    FIELD(ENUM, schema_row, team, FIELD_NAMES(op_team_names),
          .help =
              "access for a team's token: nothing, all, or only its own, by where, tag or run"),
    FIELD(JSON, schema_row, request, .help = "JSON Schema of the request"),
    FIELD(JSON, schema_row, result, .help = "JSON Schema of the result"),
};

static const struct field_set row_set = FIELD_SET(struct schema_row, row_fields);

static const struct field result[] = {
    FIELD(LIST, schema_result, operations, .row = &row_set, .help = "operations by name"),
    FIELD(TEXT, schema_result, folder, .empty_unknown = true, .help = "folder with the files"),
};

static bool describe_operation(const struct op *op, struct arena *arena, struct schema_row *out,
                               struct error *err)
{
    *out = (struct schema_row){.name = str_from(op->name),
                               .schema = str_from(op->schema),
                               .summary = str_from(op->summary),
                               .changes = op->changes,
                               .own_process = op->own_process,
                               .remote = (int)op->remote,
                               .team = (int)op->team};
    return json_schema_texts(op->request, op->result, op->schema, arena, &out->request,
                             &out->result, err);
}

static bool write_schema(struct op_context *ctx, const char *folder, struct str name,
                         const char *kind, struct str text, struct error *err)
{
    char file[64]; /* names of operations are short */
    const char *path;

    (void)snprintf(file, sizeof file, "%.*s.%s.json", STR_ARG(name), kind);
    path = fs_join(folder, file, ctx->arena, err);
    return path != NULL && fs_put(path, text, err);
}

static bool write_schema_files(struct op_context *ctx, struct str output,
                               const struct rows *all, struct error *err)
{
    const struct schema_row *rows = all->at;
    const char *folder = str_dup(output, ctx->arena, err);
    bool made;

    if (folder == NULL || !fs_make_output_folder(folder, &made, err))
        return false;
    for (size_t i = 0; i < all->len; i++)
        if (!write_schema(ctx, folder, rows[i].name, "request", rows[i].request, err) ||
            !write_schema(ctx, folder, rows[i].name, "result", rows[i].result, err))
            return false;
    return true;
}

static int compare_schema_names(const void *a, const void *b)
{
    const struct schema_row *x = a, *y = b;

    return str_cmp(x->name, y->name);
}

static bool schema_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct schema_request *req = in;
    struct schema_result *res = out;
    struct schema_row *rows = arena_array(ctx->arena, struct schema_row, op_count, err);
    size_t count = 0;

    if (rows == NULL)
        return false;
    if (req->operation.len > 0 && op_find(req->operation) == NULL)
        return op_unknown(req->operation, err);
    for (size_t i = 0; i < op_count; i++)
        if ((req->operation.len == 0 || str_eq(str_from(op_table[i]->name), req->operation)) &&
            !describe_operation(op_table[i], ctx->arena, &rows[count++], err))
            return false;
    qsort(rows, count, sizeof rows[0], compare_schema_names);
    res->operations = (struct rows){rows, count};
    res->folder = req->output;
    return req->output.len == 0 || write_schema_files(ctx, req->output, &res->operations, err);
}

const struct op op_schema = {
    .name = "schema",
    .schema = "stint.schema/1",
    .summary = "describe requests and results of operations as JSON Schema",
    .remote = OP_READ,
    .team = OP_TEAM_ALL,
    .request = &(const struct field_set)FIELD_SET(struct schema_request, request),
    .result = &(const struct field_set)FIELD_SET(struct schema_result, result),
    .run = schema_run,
};
