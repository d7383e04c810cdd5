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

/* The path of a key that belongs into a group of this map: `zero` beside `parallel`, `budget`
 * beside `limits`. Empty when there is none. */
static struct str path_of_misplaced(const struct field_set *set, struct str key,
                                    char room[KEY_PATH_MAX])
{
    struct str meant = key_meant(set, key), rest = meant;

    (void)str_cut(&rest, '.');
    return rest.len > 0 ? meant : str_from(key_nested(set, meant.len > 0 ? meant : key, room));
}

/* The group of that name in the map, made when it is missing. NULL with the error set. */
static struct node *group_of_map(const struct reading *r, struct node *map, struct str name,
                                 const struct node *of, struct error *err)
{
    struct node **at = &map->first;

    for (; *at != NULL; at = &(*at)->next)
        if (str_eq((*at)->key, name)) {
            if ((*at)->kind == NODE_NULL)
                (*at)->kind = NODE_MAP;
            if ((*at)->kind == NODE_MAP)
                return *at;
            error_set(err, ERROR_INPUT, "there is no key '%.*s' here", STR_ARG(of->key));
            error_hint(err, "write it under '%.*s:'", STR_ARG(name));
            (void)add_job_place(r, of->key_line, of->key_column, err);
            return NULL;
        }
    *at = node_new(NODE_MAP, r->arena, err);
    if (*at != NULL) {
        (*at)->key = name;
        (*at)->line = (*at)->key_line = of->key_line;
        (*at)->column = (*at)->key_column = of->key_column;
    }
    return *at;
}

/* Move a value from its map to the end of a group, under the name that it has there. */
static bool move_to_group(const struct reading *r, struct node *map, struct node *child,
                          struct node *group, struct str name, struct error *err)
{
    struct node **at = &group->first;

    for (; *at != NULL; at = &(*at)->next)
        if (str_eq((*at)->key, name)) {
            error_set(err, ERROR_INPUT, "'%.*s' is also under '%.*s:'", STR_ARG(child->key),
                      STR_ARG(group->key));
            error_hint(err, "write it once");
            return add_job_place(r, child->key_line, child->key_column, err);
        }
    *at = child;
    for (at = &map->first; *at != child; at = &(*at)->next)
        ;
    *at = child->next;
    child->next = NULL;
    child->key = name;
    return true;
}

/* Keys where the command line has them, beside their group: `tokens` beside `data`, `zero`
 * beside `parallel`, `budget` beside `limits`. What is in none is left to the reading of the
 * fields, which suggests one. */
static bool place_in_groups(const struct reading *r, const struct field_set *set,
                            struct node *map, struct error *err)
{
    struct node *next;

    for (struct node *child = map->first; child != NULL; child = next) {
        char room[KEY_PATH_MAX];
        struct str rest, name;
        struct node *group;

        next = child->next;
        if (find_field_of_node(set, child) != NULL)
            continue;
        rest = path_of_misplaced(set, child->key, room);
        name = str_cut(&rest, '.');
        if (rest.len == 0)
            continue;
        name = str_from(field_find(set, name)->name);
        rest = str_from(field_find(field_find(set, name)->row, rest)->name);
        group = group_of_map(r, map, name, child, err);
        if (group == NULL || !move_to_group(r, map, child, group, rest, err))
            return false;
    }
    return true;
}

/* Is it a key of the job itself, or of one of its groups? */
static bool is_key_of_kind(const struct field_set *set, struct str key)
{
    struct str meant = key_meant(set, key);
    char room[KEY_PATH_MAX];

    return field_find(set, key) != NULL || field_find(set, meant) != NULL ||
           path_of_misplaced(set, key, room).len > 0;
}

/* `gpu`, which is a key of `measured`, too. */
static bool is_of_limits(struct str key)
{
    return str_starts(key_meant(&job_fields, key), STR("limits."));
}

/* Does a key outside of `train` and `infer` say that the job serves? */
static bool serves_by_keys(const struct node *root)
{
    for (const struct node *child = root->first; child != NULL; child = child->next)
        if (is_key_of_kind(&job_infer_fields, child->key) &&
            !is_key_of_kind(&job_train_fields, child->key))
            return true;
    return false;
}

/* Keys of a job that stand outside of `train` or `infer`: `model: llama-2-7b` in the first
 * line. Without either, the job trains unless a key is of serving alone. */
static bool place_in_kind(const struct reading *r, struct node *root, struct error *err)
{
    bool infers = node_get(root, STR("infer")) != NULL ||
                  (node_get(root, STR("train")) == NULL && serves_by_keys(root));
    const struct field_set *set = infers ? &job_infer_fields : &job_train_fields;
    struct node *next, *group;

    for (struct node *child = root->first; child != NULL; child = next) {
        next = child->next;
        if (field_find(&job_fields, child->key) != NULL || is_of_limits(child->key) ||
            !is_key_of_kind(set, child->key))
            continue;
        group = group_of_map(r, root, infers ? STR("infer") : STR("train"), child, err);
        if (group == NULL || !move_to_group(r, root, child, group, child->key, err))
            return false;
    }
    return true;
}

/* A map under a name of the user's own that aliases repeat (`common: &c {...}`) is only there
 * to be repeated. */
static void drop_repeated(struct node *root)
{
    struct node **at = &root->first;

    while (*at != NULL) {
        const struct node *child = *at;

        if (child->repeated && child->kind == NODE_MAP &&
            field_find(&job_fields, child->key) == NULL &&
            !is_key_of_kind(&job_train_fields, child->key) &&
            !is_key_of_kind(&job_infer_fields, child->key))
            *at = child->next;
        else
            at = &(*at)->next;
    }
}

/* A key that is none here, of which is known what to write instead. */
static bool refuse_elsewhere(const struct reading *r, const struct node *child,
                             struct error *err)
{
    const char *hint = key_elsewhere(child->key);
    struct str limit =
        is_of_limits(child->key) ? key_meant(&job_fields, child->key) : (struct str){0};

    if (hint == NULL && limit.len == 0)
        return false;
    error_set(err, ERROR_INPUT, "there is no key '%.*s'%s", STR_ARG(child->key),
              hint == NULL ? " here" : "");
    (void)str_cut(&limit, '.');
    if (hint != NULL)
        error_hint(err, "%s", hint);
    else
        error_hint(err, "write limits: {%.*s: ...}, outside of train or infer", STR_ARG(limit));
    (void)add_job_place(r, child->key_line, child->key_column, err);
    return true;
}

/* A number where the data's unit must be named. */
static bool refuse_plain_data(const struct reading *r, const struct node *child,
                              struct error *err)
{
    error_set(err, ERROR_INPUT, "data: '%.*s' may be tokens, examples or a size",
              STR_ARG(child->text));
    error_hint(err, "write data: {tokens: 10M}, {examples: 1000} or {size: 50GB}");
    return add_job_place(r, child->line, child->column, err);
}

/* Put keys and values right where people have more than one way to write them. */
static bool tidy(const struct reading *r, const struct field_set *set, struct node *map,
                 struct error *err)
{
    if (!place_in_groups(r, set, map, err))
        return false;
    for (struct node *child = map->first; child != NULL; child = child->next) {
        const struct field *field = find_field_of_node(set, child);

        if (field == NULL) {
            if (refuse_elsewhere(r, child, err))
                return false;
            continue; /* reading the fields reports it, with a suggestion */
        }
        if (field->type == FIELD_RECORD && child->kind == NODE_SCALAR &&
            str_eq(child->key, STR("data")))
            return refuse_plain_data(r, child, err);
        if (field->type == FIELD_RECORD && child->kind == NODE_MAP) {
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
    drop_repeated(root);
    return place_in_kind(&r, root, err) && tidy(&r, &job_fields, root, err) &&
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
