/* A job as text that a ledger keeps, and read back from it. */
#include "doc/json_restore.h"
#include "doc/json_write.h"
#include "job/job.h"

/* What is known, nested as a job file is: most of the keys are left out. */
static bool write_known_fields(const struct field_set *set, const void *record, struct buf *out)
{
    size_t before = out->len;
    bool any = false;

    buf_char(out, '{');
    for (size_t i = 0; i < set->len; i++) {
        const struct field *f = &set->at[i];
        const struct field_set alone = {.at = f, .len = 1, .size = set->size};
        size_t start = out->len;

        if (f->type != FIELD_RECORD && !field_known(f, record))
            continue;
        if (any)
            buf_char(out, ',');
        if (f->type != FIELD_RECORD) {
            struct buf one = buf_new(out->alloc, JOB_MAX);

            json_write_record(&alone, record, NULL, &one);
            if (one.failed == ERROR_NONE) /* without its braces */
                buf_add(out, (struct str){one.at + 1, one.len - 2});
            else
                out->failed = one.failed;
            buf_free(&one);
            any = true;
            continue;
        }
        json_write_text(str_from(f->name), out);
        buf_char(out, ':');
        if (write_known_fields(f->row, (const unsigned char *)record + f->offset, out))
            any = true;
        else if (out->failed == ERROR_NONE)
            out->len = start;
    }
    buf_char(out, '}');
    if (!any && out->failed == ERROR_NONE)
        out->len = before;
    return any;
}

void job_write(const struct job *job, struct str config, struct buf *out)
{
    buf_addf(out, "{\"schema\":\"%s\",\"kind\":\"%s\",\"job\":", JOB_TEXT_SCHEMA,
             job->kind == JOB_INFER ? "infer" : "train");
    if (!write_known_fields(&job_fields, job, out))
        buf_adds(out, "{}");
    if (config.len > 0) {
        buf_adds(out, ",\"config\":");
        json_write_text(config, out);
    }
    buf_char(out, '}');
}

bool job_restore(struct str text, const char *name, struct job *job, struct str *config,
                 struct arena *arena, struct error *err)
{
    const struct node *root, *node;

    *config = (struct str){0};
    if (!job_reset(job, arena, err))
        return false;
    root = json_read(text, name, arena, err);
    if (root == NULL)
        return false;
    node = node_get(root, STR("schema"));
    if (node == NULL || !str_eq(node->text, STR(JOB_TEXT_SCHEMA)))
        return error_fail(err, ERROR_INPUT, "%s: written by another version", name);
    node = node_get(root, STR("job"));
    if (node == NULL || node->kind != NODE_MAP)
        return error_fail(err, ERROR_INPUT, "%s: there is no job in it", name);
    if (!json_restore(&job_fields, node, name, job, arena, err))
        return false;
    node = node_get(root, STR("kind"));
    job->kind = node != NULL && str_eq(node->text, STR("infer")) ? JOB_INFER : JOB_TRAIN;
    node = node_get(root, STR("config"));
    if (node != NULL && node->kind == NODE_SCALAR)
        *config = node->text;
    return true;
}
