/* Reading a job file: YAML to a typed record, with the place of whatever is wrong. */
#include "job/job.h"

#include "job/keys.h"
#include "job/tool.h"
#include "job/tool_other.h"

struct reading {
    const char *name;
    struct arena *arena;
};

static bool add_job_place(const struct reading *r, unsigned line, unsigned column,
                          struct error *err)
{
    if (err->kind != ERROR_MEMORY)
        error_context(err, "%s:%u:%u", r->name, line, column);
    return false;
}

bool job_reset(struct job *job, struct arena *arena, struct error *err)
{
    return fields_reset(&job_fields, job, arena, err);
}

/* The key as the table has it: another word for it is replaced, and a map of shapes is
 * distinguished from the name of a model. */
static const struct field *find_field_of_node(const struct field_set *set, struct node *child)
{
    const struct field *field;
    struct str meant;

    if (child->kind == NODE_MAP && str_eq(child->key, STR("model")))
        child->key = STR("shape");
    field = field_find(set, child->key);
    if (field != NULL)
        return field;
    meant = key_meant(set, child->key);
    field = meant.len > 0 ? field_find(set, meant) : NULL;
    if (field != NULL)
        child->key = meant;
    return field;
}

/* A key that is right in another place: `zero: 3` beside `parallel`, `model:` outside of
 * `train`. True when it is in none: reading the fields reports that, with a suggestion. */
static bool refuse_misplaced(const struct field_set *set, struct str key, struct error *err)
{
    struct str path = key_meant(set, key), group;
    char room[KEY_PATH_MAX];

    if (path.len == 0)
        path = str_from(key_nested(set, key, room));
    if (path.len == 0 && set == &job_fields && field_find(&job_train_fields, key) != NULL)
        path = STR("train."); /* it is in both: most jobs train */
    group = str_cut(&path, '.');
    if (path.at == NULL)
        return true;
    error_set(err, ERROR_INPUT, "there is no key '%.*s' here", STR_ARG(key));
    if (path.len == 0 || str_eq(path, key))
        error_hint(err, "write it under '%.*s:'", STR_ARG(group));
    else
        error_hint(err, "write it under '%.*s:' as %.*s", STR_ARG(group), STR_ARG(path));
    return false;
}

/* Put keys and values right where people have more than one way to write them. */
static bool tidy(const struct reading *r, const struct field_set *set, struct node *map,
                 struct error *err)
{
    for (struct node *child = map->first; child != NULL; child = child->next) {
        struct str written = child->key;
        const struct field *field = find_field_of_node(set, child);

        if (field == NULL) {
            if (!refuse_misplaced(set, written, err))
                return add_job_place(r, child->key_line, child->key_column, err);
        } else if (field->type == FIELD_RECORD && child->kind == NODE_MAP) {
            if (!tidy(r, field->row, child, err))
                return false;
        } else if (child->kind == NODE_SCALAR && field->type != FIELD_RECORD) {
            if (!key_spell(set, field, &child->text, r->arena, err))
                return add_job_place(r, child->line, child->column, err);
        }
    }
    return true;
}

static bool check_values(const struct reading *r, const struct field_set *set,
                         const struct node *map, const void *record, struct error *err)
{
    for (const struct node *child = map->first; child != NULL; child = child->next) {
        const struct field *field = field_find(set, child->key);
        const void *inside;

        if (field == NULL)
            continue; /* fields_from_node() accepted every key, so this is for the analyzer */
        inside = (const unsigned char *)record + field->offset;
        if (field->type == FIELD_RECORD) {
            if (!check_values(r, field->row, child, inside, err))
                return false;
        } else if (!key_check(field, record, err)) {
            return add_job_place(r, child->line, child->column, err);
        }
    }
    return true;
}

static bool find_job_kind(const struct reading *r, const struct node *root, struct job *job,
                          struct error *err)
{
    const struct node *train = node_get(root, STR("train"));
    const struct node *infer = node_get(root, STR("infer"));

    if (train == NULL && infer == NULL) {
        error_set(err, ERROR_INPUT, "%s: the job has neither 'train' nor 'infer'", r->name);
        error_hint(err, "start it with 'train: {model: llama-2-7b, method: lora}'");
        return false;
    }
    if (train != NULL && infer != NULL) {
        error_set(err, ERROR_INPUT, "a job has 'train' or 'infer', not both");
        error_hint(err, "make two files of it");
        return add_job_place(r, infer->key_line, infer->key_column, err);
    }
    job->kind = infer != NULL ? JOB_INFER : JOB_TRAIN;
    return true;
}

bool job_read(struct str text, const char *name, struct job *job, struct arena *arena,
              struct error *err)
{
    struct reading r = {.name = str_dup(str_from(name), arena, err), .arena = arena};
    struct node *root;
    enum job_tool tool;

    if (r.name == NULL || !job_reset(job, arena, err))
        return false;
    if (text.len > JOB_MAX)
        return error_fail(err, ERROR_INPUT, "%s: larger than 1 MB: not a job file", name);
    job->file = r.name;
    if (!tool_refuse_program(text, name, arena, err))
        return false;
    root = str_ends(str_from(name), STR(".toml")) ? job_tool_toml(text, name, arena, err)
                                                  : yaml_read(text, name, arena, err);
    if (root == NULL)
        return false;
    if (root->kind == NODE_NULL)
        return find_job_kind(&r, root, job, err);
    if (!tool_refuse_other(root, name, err))
        return false;
    tool = job_tool_of(root);
    if (tool != JOB_TOOL_NONE)
        return job_from_tool(root, tool, r.name, job, arena, err);
    return tidy(&r, &job_fields, root, err) &&
           fields_from_node(&job_fields, root, name, job, arena, err) &&
           find_job_kind(&r, root, job, err) && check_values(&r, &job_fields, root, job, err);
}

bool job_is_tool(struct str text, const char *name, struct arena *arena)
{
    struct error ignored = {0};
    const struct node *root =
        text.len <= JOB_MAX ? yaml_read(text, name, arena, &ignored) : NULL;

    return root != NULL && (job_tool_of(root) != JOB_TOOL_NONE || tool_is_other(root));
}
