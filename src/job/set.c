/* Changing one key of a job: --set parallel.zero=3, --sweep batch=1..64. */
#include <stdio.h>

#include "job/keys.h"

/* A key, found: the field, the record that has it, and its table. */
struct found {
    const struct field_set *set;
    const struct field *field;
    void *record;
};

/* Follow "parallel.zero" from a record. False, without an error, when there is no such key. */
static bool follow_path(const struct field_set *set, void *record, struct str path,
                        struct found *out)
{
    struct str rest = path, part = str_cut(&rest, '.');
    const struct field *field = field_find(set, part);

    if (field == NULL || (part.len < path.len && field->type != FIELD_RECORD))
        return false;
    if (part.len < path.len)
        return follow_path(field->row, (unsigned char *)record + field->offset, rest, out);
    *out = (struct found){set, field, record};
    return true;
}

static const struct field_set *set_of_kind(const struct job *job)
{
    return job->kind == JOB_INFER ? &job_infer_fields : &job_train_fields;
}

/* As written, as another word for a key, or as the key of the one group that has it. */
static bool search(const struct field_set *set, void *record, struct str key, struct found *out)
{
    struct str meant = key_meant(set, key);
    char room[KEY_PATH_MAX];
    const char *nested;

    if (follow_path(set, record, key, out) ||
        (meant.len > 0 && follow_path(set, record, meant, out)))
        return true;
    nested = key_nested(set, meant.len > 0 ? meant : key, room);
    return nested != NULL && follow_path(set, record, str_from(nested), out);
}

static void suggest_from(const struct field_set *set, struct suggestion *s)
{
    for (size_t i = 0; i < set->len; i++) {
        suggestion_try(s, str_from(set->at[i].name));
        if (set->at[i].type == FIELD_RECORD && set->at[i].row != &job_shape_fields)
            suggest_from(set->at[i].row, s);
    }
}

/* "size" alone could be that of the data or of a checkpoint. */
static bool refuse_ambiguous(const struct field_set *set, struct str key, struct error *err)
{
    char paths[160] = "";
    size_t used = 0;

    for (size_t i = 0; i < set->len; i++)
        if (set->at[i].type == FIELD_RECORD && field_find(set->at[i].row, key) != NULL &&
            used < sizeof paths)
            used += (size_t)snprintf(paths + used, sizeof paths - used, "%s%s.%.*s",
                                     used > 0 ? ", " : "", set->at[i].name, STR_ARG(key));
    error_set(err, ERROR_INPUT, "'%.*s' is a key of more than one group", STR_ARG(key));
    error_hint(err, "write one of %s", paths);
    return false;
}

static bool is_nested(const struct field_set *set, struct str key)
{
    for (size_t i = 0; i < set->len; i++)
        if (set->at[i].type == FIELD_RECORD && field_find(set->at[i].row, key) != NULL)
            return true;
    return false;
}

static bool refuse_key(const struct job *job, struct str key, struct error *err)
{
    struct suggestion s = {.wanted = key};
    struct str tail = key;

    if (str_eq(key, STR("gpus"))) {
        error_set(err, ERROR_INPUT, "'gpus' is not a key that can be set");
        error_hint(err, "number: --on H100x8; allowed GPUs: limits.gpus=A100,H100");
        return false;
    }
    if (is_nested(set_of_kind(job), key))
        return refuse_ambiguous(set_of_kind(job), key, err);
    while (tail.len > 0)
        s.wanted = str_cut(&tail, '.');
    suggest_from(set_of_kind(job), &s);
    suggest_from(&job_limits_fields, &s);
    error_set(err, ERROR_INPUT, "there is no key '%.*s' in %s", STR_ARG(key),
              job->kind == JOB_INFER ? "an inference job" : "a training job");
    (void)suggestion_hint(&s, err);
    return false;
}

static bool find_job_key(struct job *job, struct str key, struct found *out)
{
    struct str rest = key, first = str_cut(&rest, '.');
    bool infers = job->kind == JOB_INFER;
    void *record = infers ? (void *)&job->infer : (void *)&job->train;

    if (str_eq(key, STR("gpus")) || str_eq(first, infers ? STR("train") : STR("infer")))
        return false;
    if (first.len < key.len && str_eq(first, infers ? STR("infer") : STR("train")))
        return search(set_of_kind(job), record, rest, out);
    return search(set_of_kind(job), record, key, out) ||
           follow_path(&job_limits_fields, &job->limits, key, out) ||
           follow_path(&job_fields, job, key, out);
}

/* Make one key unknown again. */
static bool forget_value(const struct found *f, const char *key, struct arena *arena,
                         struct error *err)
{
    const struct field *field = field_find(f->set, str_from(key));
    struct field_set alone = {field, 1, 0};

    if (field == NULL || field == f->field)
        return true;
    if (field->type == FIELD_TEXT)
        *(struct str *)(void *)((unsigned char *)f->record + field->offset) = (struct str){0};
    return fields_reset(&alone, f->record, arena, err);
}

/* One way to name the model, one length of the training: the last one given counts. */
static bool forget_rivals(const struct found *f, struct arena *arena, struct error *err)
{
    static const char *const rivals[][6] = {
        {"model", "params", "config", "shape", "measured", NULL}, {"epochs", "steps", NULL}};

    if (f->set != &job_train_fields && f->set != &job_infer_fields)
        return true;
    for (size_t g = 0; g < ARRAY_LEN(rivals); g++)
        for (size_t i = 0; choice_of(rivals[g], str_from(f->field->name)) >= 0; i++) {
            if (rivals[g][i] == NULL)
                return true;
            if (!forget_value(f, rivals[g][i], arena, err))
                return false;
        }
    return true;
}

static bool set_job_value(const struct found *f, struct str value, struct arena *arena,
                          struct error *err)
{
    struct str copy = {str_dup(value, arena, err), value.len};

    if (copy.at == NULL)
        return false;
    if (f->field->type == FIELD_RECORD) {
        error_set(err, ERROR_INPUT, "'%s' is a group of keys", f->field->name);
        error_hint(err, "name one of them, such as %s.%s", f->field->name,
                   f->field->row->at[0].name);
        return false;
    }
    if (f->field->type == FIELD_TEXTS) /* lists add up when parsed, but this replaces */
        *(struct strs *)(void *)((unsigned char *)f->record + f->field->offset) =
            (struct strs){0};
    return key_spell(f->set, f->field, &copy, arena, err) &&
           field_parse(f->field, FIELD_SPELLED, copy, f->record, arena, err) &&
           key_check(f->field, f->record, err) && forget_rivals(f, arena, err);
}

bool job_set(struct job *job, struct str key, struct str value, struct arena *arena,
             struct error *err)
{
    struct job before = *job;
    struct found found = {0};

    key = str_trim(key);
    if (!find_job_key(job, key, &found) || found.field == NULL)
        return refuse_key(job, key, err);
    if (!set_job_value(&found, value, arena, err)) {
        *job = before;
        return false;
    }
    return true;
}

bool job_key_of_word(struct str word, char *key, size_t room)
{
    char plain[64], nested[KEY_PATH_MAX];
    struct str path, typed;

    if (word.len >= sizeof plain)
        return false;
    for (size_t i = 0; i < word.len; i++)
        plain[i] = word.at[i] == '-' ? '_' : word.at[i];
    typed = (struct str){plain, word.len};
    path = field_find(&job_train_fields, typed) != NULL ? typed
                                                        : key_meant(&job_train_fields, typed);
    if (path.len == 0)
        path = str_from(key_nested(&job_train_fields, typed, nested));
    str_copy(path, key, room);
    return path.len > 0;
}
