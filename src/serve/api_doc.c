/* The API described by itself: /api/v1/ lists operations, /api/v1/openapi.json is OpenAPI 3.1,
 * both from the table of operations and its fields. */
#include "doc/json_schema.h"
#include "doc/json_write.h"
#include "serve/api.h"

/* ---- the list ---- */

struct api_row {
    struct str name, summary, path;
    int scope, team;
    bool post; /* it changes something */
};

struct api_list {
    struct rows operations; /* struct api_row */
    struct str openapi;
};

static const struct field row_fields[] = {
    FIELD(TEXT, api_row, name, .help = "name of the operation"),
    FIELD(TEXT, api_row, summary, .help = "summary"),
    FIELD(TEXT, api_row, path, .help = "path of the operation"),
    FIELD(ENUM, api_row, scope, FIELD_NAMES(op_access_names),
          .help = "scope that a token needs"),
    FIELD(ENUM, api_row, team, FIELD_NAMES(op_team_names), .help = "access for a team's token"),
    FIELD(FLAG, api_row, post, .help = "POST only: the operation changes something"),
};
static const struct field_set row_set = FIELD_SET(struct api_row, row_fields);

static const struct field list_fields[] = {
    FIELD(LIST, api_list, operations, .row = &row_set, .help = "operations by name"),
    FIELD(TEXT, api_list, openapi, .help = "OpenAPI 3.1 document"),
};
static const struct field_set list_set = FIELD_SET(struct api_list, list_fields);

bool api_list(struct visit *v, struct error *err)
{
    struct api_row *rows = arena_array(&v->arena, struct api_row, op_count, err);
    struct api_list list = {.openapi = STR("/api/v1/openapi.json")};
    size_t count = 0;

    for (size_t i = 0; rows != NULL && i < op_count; i++) {
        const struct op *op = op_table[i];
        struct buf path = buf_new(&alloc_system, 256);

        if (op->remote == OP_LOCAL)
            continue;
        buf_addf(&path, "/api/v1/%s", op->name);
        rows[count] = (struct api_row){.name = str_from(op->name),
                                       .summary = str_from(op->summary),
                                       .scope = (int)op->remote,
                                       .team = (int)op->team,
                                       .post = op->remote > OP_READ};
        if (!buf_keep(&path, &v->arena, &rows[count++].path, err))
            return false;
    }
    if (rows == NULL)
        return false;
    list.operations = (struct rows){rows, count};
    json_write_record(&list_set, &list, "stint.api/1", &v->out);
    buf_char(&v->out, '\n');
    return true;
}

/* ---- OpenAPI ---- */

static const char opening[] =
    "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"Stint\",\"version\":\"" STINT_VERSION "\","
    "\"description\":\"What machine-learning work costs: the operations of the command line "
    "over HTTP. Values are spelled as on the command line. Unknown is null, never zero; "
    "readers "
    "must accept keys that are not listed.\"},\"servers\":[{\"url\":\"/\"}],"
    "\"security\":[{\"token\":[]}],\"components\":{\"securitySchemes\":{\"token\":{"
    "\"type\":\"http\",\"scheme\":\"bearer\",\"description\":\"stint token add NAME\"}},"
    "\"headers\":{"
    "\"Stint-Notes\":{\"description\":\"Notes and warnings: a JSON array of {kind, text}\","
    "\"schema\":{\"type\":\"string\"}},"
    "\"ETag\":{\"description\":\"Send it as If-None-Match: 304 while nothing changed\","
    "\"schema\":{\"type\":\"string\"}}},"
    "\"parameters\":{\"fields\":{\"name\":\"fields\",\"in\":\"query\",\"description\":"
    "\"only these fields of the rows of lists: "
    "id,name,cost\",\"schema\":{\"type\":\"string\"}}},"
    "\"responses\":{\"work\":{\"description\":\"Long work\",\"content\":{"
    "\"application/"
    "json\":{\"schema\":{\"type\":\"object\"}}}},\"error\":{\"description\":\"What is wrong, "
    "and what to do\",\"content\":{"
    "\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/error\"}}}}},"
    "\"schemas\":{\"error\":{\"type\":\"object\",\"properties\":{\"schema\":{\"const\":"
    "\"stint.error/1\"},\"kind\":{\"type\":\"string\"},\"text\":{\"type\":\"string\"},"
    "\"hint\":{\"type\":[\"string\",\"null\"]}},\"required\":[\"schema\",\"kind\",\"text\","
    "\"hint\"]}";

/* The fields of a request that may be given from elsewhere. */
static bool remote_set(const struct op *op, struct arena *arena, struct field_set *out,
                       struct error *err)
{
    struct field *fields = arena_array(arena, struct field, op->request->len + 1, err);
    size_t count = 0;

    for (size_t i = 0; fields != NULL && i < op->request->len; i++)
        if (op_is_remote(&op->request->at[i]))
            fields[count++] = op->request->at[i];
    *out = (struct field_set){fields, count, op->request->size};
    return fields != NULL;
}

static bool write_api_schemas(struct visit *v, const struct op *op, struct error *err)
{
    struct field_set set;

    if (!remote_set(op, &v->arena, &set, err))
        return false;
    buf_addf(&v->out, ",\"%s.request\":", op->name);
    json_schema_write_request(&set, &v->out);
    buf_addf(&v->out, ",\"%s.result\":", op->name);
    json_schema_write_selected(op->result, op->schema, &v->out);
    return true;
}

static void write_parameter(const struct op *op, const struct field *field, struct buf *out)
{
    buf_addf(out,
             ",{\"name\":\"%s\",\"in\":\"query\",\"required\":%s,\"description\":", field->name,
             field->required ? "true" : "false");
    json_write_text(str_from(field->help), out);
    if (field->type == FIELD_TEXTS)
        buf_adds(out, ",\"style\":\"form\",\"explode\":true");
    buf_addf(out, ",\"schema\":{\"$ref\":\"#/components/schemas/%s.request/properties/%s\"}}",
             op->name, field->name);
}

static void write_answers(const struct op *op, struct buf *out)
{
    buf_adds(out, "\"responses\":{\"200\":{\"description\":");
    json_write_text(str_from(op->summary), out);
    buf_addf(out,
             ",\"headers\":{\"Stint-Notes\":{\"$ref\":\"#/components/headers/Stint-Notes\"}%s},"
             "\"content\":{\"application/json\":{\"schema\":{\"$ref\":"
             "\"#/components/schemas/%s.result\"}}}}",
             op->remote == OP_READ ? ",\"ETag\":{\"$ref\":\"#/components/headers/ETag\"}" : "",
             op->name);
    buf_adds(out, ",\"default\":{\"$ref\":\"#/components/responses/error\"}}");
}

/* What GET and POST have in common. */
static void write_api_head(const struct op *op, const char *method, struct buf *out)
{
    struct str group = str_from(op->name);

    group = str_cut(&group, '.');
    buf_addf(out, "\"%s\":{\"operationId\":\"%s%s\",\"summary\":", method, op->name,
             method[0] == 'g' ? ".get" : "");
    json_write_text(str_from(op->summary), out);
    buf_addf(out, ",\"tags\":[\"%.*s\"],\"x-stint-scope\":\"%s\",\"x-stint-team\":\"%s\",",
             STR_ARG(group), op_access_names[op->remote], op_team_names[op->team]);
}

static void write_api_path(const struct op *op, struct buf *out)
{
    buf_addf(out, "\"/api/v1/%s\":{", op->name);
    if (op->remote == OP_READ) {
        write_api_head(op, "get", out);
        buf_adds(out, "\"parameters\":[{\"$ref\":\"#/components/parameters/fields\"}");
        for (size_t i = 0; i < op->request->len; i++)
            if (op_is_remote(&op->request->at[i]))
                write_parameter(op, &op->request->at[i], out);
        buf_adds(out, "],");
        write_answers(op, out);
        buf_adds(out, "},");
    }
    write_api_head(op, "post", out);
    buf_addf(out,
             "\"parameters\":[{\"$ref\":\"#/components/parameters/fields\"}],"
             "\"requestBody\":{\"content\":{\"application/json\":{\"schema\":{\"$ref\":"
             "\"#/components/schemas/%s.request\"}}}},",
             op->name);
    write_answers(op, out);
    buf_adds(out, "}}");
}

/* Long work (api_work.c), which is the same for every operation. */
static const char work_paths[] =
    "\"/api/v1/work/{operation}\":{\"parameters\":[{\"name\":\"operation\",\"in\":\"path\","
    "\"required\":true,\"description\":\"the operation (POST), or the id of work that was "
    "begun "
    "(GET, DELETE)\",\"schema\":{\"type\":\"string\"}}],"
    "\"post\":{\"operationId\":\"work.begin\",\"summary\":\"begin long work: the request of "
    "the "
    "operation\",\"requestBody\":{\"content\":{\"application/json\":{\"schema\":{\"type\":"
    "\"object\"}}}},\"responses\":{\"202\":{\"$ref\":\"#/components/responses/work\"},"
    "\"default\":{\"$ref\":\"#/components/responses/error\"}}},"
    "\"get\":{\"operationId\":\"work.show\",\"summary\":\"its state, progress and result\","
    "\"responses\":{\"200\":{\"$ref\":\"#/components/responses/work\"},"
    "\"default\":{\"$ref\":\"#/components/responses/error\"}}},"
    "\"delete\":{\"operationId\":\"work.cancel\",\"summary\":\"cancel it, or drop its result\","
    "\"responses\":{\"200\":{\"$ref\":\"#/components/responses/work\"},"
    "\"default\":{\"$ref\":\"#/components/responses/error\"}}}}";

bool api_openapi(struct visit *v, struct error *err)
{
    buf_adds(&v->out, opening);
    for (size_t i = 0; i < op_count; i++)
        if (op_table[i]->remote != OP_LOCAL && !write_api_schemas(v, op_table[i], err))
            return false;
    buf_adds(&v->out, "}},\"paths\":{");
    buf_adds(&v->out, work_paths);
    for (size_t i = 0; i < op_count; i++) {
        if (op_table[i]->remote == OP_LOCAL)
            continue;
        buf_char(&v->out, ',');
        write_api_path(op_table[i], &v->out);
    }
    buf_adds(&v->out, "}}\n");
    return true;
}
