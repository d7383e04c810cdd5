#include "plan/file.h"

#include "base/fs.h"
#include "base/num.h"
#include "doc/json_restore.h"
#include "doc/json_write.h"

bool plan_file_write(struct str path, const struct plan_result *plan, const struct alloc *alloc,
                     struct error *err)
{
    struct buf text = buf_new(alloc, PLAN_FILE_MAX);

    json_write_record(&plan_result_fields, plan, PLAN_SCHEMA, &text);
    buf_char(&text, '\n');
    return fs_put_buf(path, &text, err);
}

/* "stint.plan/1": the family, and the version after it. */
static bool check_schema(const struct node *root, const char *name, struct error *err)
{
    const struct node *given = root->kind == NODE_MAP ? node_get(root, STR("schema")) : NULL;
    struct str schema =
        given != NULL && given->kind == NODE_SCALAR ? given->text : (struct str){0};
    struct str own = str_from(PLAN_SCHEMA), version = schema, family = str_cut(&version, '/'),
               own_family = str_cut(&own, '/');
    int64_t number;

    if (str_eq(schema, str_from(PLAN_SCHEMA)))
        return true;
    if (str_eq(family, own_family) && num_int(version, &number) && number > 0) {
        error_set(err, ERROR_INPUT, "%s: its version is %lld, but this program reads %.*s",
                  name, (long long)number, STR_ARG(own));
        error_hint(err, "plan again, or use the stint that wrote it");
        return false;
    }
    if (schema.len > 0)
        error_set(err, ERROR_INPUT, "%s: not a saved plan, but '%.*s'", name, STR_ARG(schema));
    else
        error_set(err, ERROR_INPUT, "%s: not a saved plan: it has no schema", name);
    error_hint(err, "'stint plan JOB --save PLAN.json' writes one");
    return false;
}

bool plan_file_parse(struct str text, const char *name, struct arena *arena,
                     struct plan_result *out, struct error *err)
{
    const struct node *root = json_read(text, name, arena, err);

    return root != NULL && check_schema(root, name, err) &&
           json_restore(&plan_result_fields, root, name, out, arena, err);
}

bool plan_file_read(struct str path, struct arena *arena, struct plan_result *out,
                    struct error *err)
{
    const char *name = str_dup(path, arena, err);
    struct str text;

    return name != NULL && fs_read(name, PLAN_FILE_MAX, arena, &text, err) &&
           plan_file_parse(text, name, arena, out, err);
}
