#include "op/op.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fs.h"
#include "doc/json_write.h"
#include "doc/node.h"
#include "op/context.h"
#include "op/remote.h"
#include "op/step.h"

static bool is_input_file(struct str name, const struct stat *file, struct arena *arena)
{
    struct error ignored = {0};
    const char *path = name.len > 0 ? str_dup(name, arena, &ignored) : NULL;
    struct stat there;

    return path != NULL && stat(path, &there) == 0 && there.st_dev == file->st_dev &&
           there.st_ino == file->st_ino;
}

/* Is the field of the request the name of that file, or has it among others? */
static bool request_names_file(const struct field *field, const void *request,
                               const struct stat *file, struct arena *arena)
{
    const void *at = (const unsigned char *)request + field->offset;
    const struct strs *texts = at;

    if (field->output || !field_known(field, request))
        return false;
    if (field->type == FIELD_TEXT)
        return is_input_file(*(const struct str *)at, file, arena);
    for (size_t i = 0; field->type == FIELD_TEXTS && i < texts->len; i++)
        if (is_input_file(texts->at[i], file, arena))
            return true;
    return false;
}

/* What the file is already: one that the command reads, or one of Stint's own; NULL. */
static const char *purpose_of(const struct stat *file, const struct op_context *ctx,
                              const struct op *op, const void *request)
{
    for (size_t i = 0; i < op->request->len; i++)
        if (request_names_file(&op->request->at[i], request, file, ctx->arena))
            return "is read by this command";
    if (ctx->settings != NULL && is_input_file(ctx->settings->ledger, file, ctx->arena))
        return "is the ledger";
    if (ctx->settings_origin != NULL &&
        is_input_file(ctx->settings_origin->config_path, file, ctx->arena))
        return "is the configuration";
    return NULL;
}

static bool refuse_output(const struct field *field, const char *path, const char *purpose,
                          struct error *err)
{
    char option[64];

    (void)snprintf(option, sizeof option, "--%s: ", field->name);
    for (char *c = option; *c != '\0'; c++)
        *c = *c == '_' ? '-' : *c;
    error_set(err, ERROR_USAGE, "%s'%s' %s, and would be overwritten",
              field->operand ? "" : option, path, purpose);
    error_hint(err, "name another file");
    return false;
}

/* Nothing that a command reads is replaced by what it writes. */
static bool check_outputs(const struct op_context *ctx, const struct op *op,
                          const void *request, struct error *err)
{
    for (size_t i = 0; i < op->request->len; i++) {
        const struct field *field = &op->request->at[i];
        const void *at = (const unsigned char *)request + field->offset;
        const char *path, *purpose;
        struct stat file;

        if (!field->output || !field_known(field, request))
            continue;
        path = str_dup(*(const struct str *)at, ctx->arena, err);
        if (path == NULL)
            return false;
        purpose = stat(path, &file) == 0 && S_ISREG(file.st_mode)
                      ? purpose_of(&file, ctx, op, request)
                      : NULL;
        if (purpose == NULL)
            continue;
        return refuse_output(field, path, purpose, err);
    }
    return true;
}

static bool check_process(const struct op_context *ctx, const struct op *op, struct error *err)
{
    if (!op->own_process || ctx->own_process)
        return true;
    error_set(err, ERROR_USAGE,
              "'%s' needs a process of its own: it supervises other processes, and would take "
              "signals and children of this program",
              op->name);
    error_hint(err, "start the program: stint call %s REQUEST", op->name);
    return false;
}

bool op_run(struct op_context *ctx, const struct op *op, const void *request, void *result,
            struct error *err)
{
    struct op_step step = op_step_begin(ctx);
    bool ok = op_admit(ctx, op, &request, err) && check_process(ctx, op, err) &&
              check_outputs(ctx, op, request, err) &&
              fields_reset(op->result, result, ctx->arena, err) &&
              op->run(ctx, request, result, err);

    op_step_end(&step, "%s: %s", op->name, ok ? "done" : err->text);
    return ok;
}

bool op_clock(stamp *fixed, struct clock *out, struct error *err)
{
    const char *now = env_get("STINT_NOW");

    *out = clock_system;
    if (now == NULL)
        return true;
    if (!stamp_parse(str_from(now), fixed)) {
        error_set(err, ERROR_USAGE, "STINT_NOW: '%.60s' is not a time", now);
        error_hint(err, "write it as 2026-11-15 or 2026-11-15T10:00:00Z");
        return false;
    }
    *out = clock_fixed(fixed);
    return true;
}

bool op_call_record(struct op_context *ctx, const struct op *op, struct str request,
                    const void **out, struct error *err)
{
    void *in = arena_get(ctx->arena, 1, op->request->size, alignof(max_align_t), err);
    void *result = arena_get(ctx->arena, 1, op->result->size, alignof(max_align_t), err);
    struct node *root;

    *out = result;
    if (in == NULL || result == NULL || !fields_reset(op->request, in, ctx->arena, err))
        return false;
    if (str_trim(request).len == 0)
        request = STR("{}"); /* which still has to hold what is required */
    root = json_read(request, "request", ctx->arena, err);
    return root != NULL &&
           fields_from_node(op->request, root, "request", in, ctx->arena, err) &&
           op_run(ctx, op, in, result, err);
}

bool op_call(struct op_context *ctx, const struct op *op, struct str request, struct buf *out,
             struct error *err)
{
    const void *result;

    if (!op_call_record(ctx, op, request, &result, err))
        return false;
    json_write_record(op->result, result, op->schema, out);
    return buf_ok(out, err);
}

void op_write_error(const struct error *err, struct buf *out)
{
    buf_clear(out);
    buf_addf(out, "{\"schema\":\"stint.error/1\",\"kind\":\"%s\",\"text\":",
             error_kind_name(err->kind));
    json_write_text(str_from(err->text), out);
    buf_adds(out, ",\"hint\":");
    if (err->hint[0] != '\0')
        json_write_text(str_from(err->hint), out);
    else
        buf_adds(out, "null");
    buf_char(out, '}');
}
