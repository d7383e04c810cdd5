#include "op/op.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "doc/json_write.h"
#include "doc/node.h"

const struct op *const op_table[] = {
    &op_accuracy,
    &op_anomalies,
    &op_forecast,
    &op_calibrate,
    &op_export,
    &op_reconcile,
    &op_budget_split,
    &op_catalog_list,
    &op_catalog_show,
    &op_config_init,
    &op_config_show,
    &op_estimate,
    &op_plan_slots,
    &op_plan_recheck,
    &op_gpu_fit,
    &op_gpu_list,
    &op_gpu_show,
    &op_price_compare,
    &op_price_diff,
    &op_price_doctor,
    &op_price_history,
    &op_price_list,
    &op_price_fetch,
    &op_price_import,
    &op_price_regions,
    &op_price_spot,
    &op_price_value,
    &op_region_list,
    &op_spot_decide,
    &op_spot_fleet,
    &op_spot_interval,
    &op_spot_risk,
    &op_simulate,
    &op_validate,
    &op_plan,
    &op_run_command,
    &op_watch,
    &op_checkpoints_best,
    &op_checkpoints_list,
    &op_checkpoints_prune,
    &op_meters,
    &op_compare,
    &op_runs,
    &op_run_add,
    &op_tags,
    &op_tags_set,
    &op_allocation_set,
    &op_allocation_show,
    &op_allocation_check,
    &op_allocation_remove,
    &op_statement,
    &op_unit_costs,
    &op_counts_add,
    &op_counts_import,
    &op_counts_list,
    &op_counts_remove,
    &op_import,
    &op_bills,
    &op_bills_remove,
    &op_show,
    &op_stop,
    &op_top,
    &op_tune,
    &op_costs,
    &op_ledger_init,
    &op_ledger_copy,
    &op_ledger_doctor,
    &op_alert_ack,
    &op_alert_raise,
    &op_alert_add,
    &op_alert_channels,
    &op_alert_list,
    &op_alert_log,
    &op_alert_remove,
    &op_alert_send,
    &op_alert_test,
    &op_costs_gpus,
    &op_costs_movers,
    &op_costs_repeats,
    &op_costs_spot,
    &op_costs_storage,
    &op_costs_trend,
    &op_rates_import,
    &op_rates_list,
    &op_budget_check,
    &op_budget_list,
    &op_budget_remove,
    &op_budget_set,
    &op_budget_show,
};
const size_t op_count = ARRAY_LEN(op_table);

const struct op *op_find(struct str name)
{
    for (size_t i = 0; i < op_count; i++)
        if (str_eq(str_from(op_table[i]->name), name))
            return op_table[i];
    return NULL;
}

day op_today(const struct op_context *ctx)
{
    return day_of(ctx->clock->today(ctx->clock->ctx));
}

static bool is_same_file(struct str name, const struct stat *file, struct arena *arena)
{
    struct error ignored = {0};
    const char *path = name.len > 0 ? str_dup(name, arena, &ignored) : NULL;
    struct stat there;

    return path != NULL && stat(path, &there) == 0 && there.st_dev == file->st_dev &&
           there.st_ino == file->st_ino;
}

/* Is the field of the request the name of that file, or has it among others? */
static bool names_file(const struct field *field, const void *request, const struct stat *file,
                       struct arena *arena)
{
    const void *at = (const unsigned char *)request + field->offset;
    const struct strs *texts = at;

    if (field->output || !field_known(field, request))
        return false;
    if (field->type == FIELD_TEXT)
        return is_same_file(*(const struct str *)at, file, arena);
    for (size_t i = 0; field->type == FIELD_TEXTS && i < texts->len; i++)
        if (is_same_file(texts->at[i], file, arena))
            return true;
    return false;
}

/* What the file is already: one that the command reads, or one of Stint's own; NULL. */
static const char *purpose_of(const struct stat *file, const struct op_context *ctx,
                              const struct op *op, const void *request)
{
    for (size_t i = 0; i < op->request->len; i++)
        if (names_file(&op->request->at[i], request, file, ctx->arena))
            return "is read by this command";
    if (ctx->settings != NULL && is_same_file(ctx->settings->ledger, file, ctx->arena))
        return "is the ledger";
    if (ctx->settings_origin != NULL &&
        is_same_file(ctx->settings_origin->config_path, file, ctx->arena))
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

struct op_context op_apart(const struct op_context *ctx, struct arena *arena, bool quiet)
{
    struct op_context own = *ctx;

    own.arena = arena;
    own.catalog = (struct catalog){0};
    own.store = NULL;
    own.live = false;
    if (quiet)
        own.messages = (struct messages){0};
    return own;
}

bool op_run(struct op_context *ctx, const struct op *op, const void *request, void *result,
            struct error *err)
{
    return check_outputs(ctx, op, request, err) &&
           fields_reset(op->result, result, ctx->arena, err) &&
           op->run(ctx, request, result, err);
}

bool op_call(struct op_context *ctx, const struct op *op, struct str request, struct buf *out,
             struct error *err)
{
    void *in = arena_get(ctx->arena, 1, op->request->size, alignof(max_align_t), err);
    void *result = arena_get(ctx->arena, 1, op->result->size, alignof(max_align_t), err);
    struct node *root;

    if (in == NULL || result == NULL || !fields_reset(op->request, in, ctx->arena, err))
        return false;
    if (str_trim(request).len == 0)
        request = STR("{}"); /* which still has to hold what is required */
    root = json_read(request, "request", ctx->arena, err);
    if (root == NULL || !fields_from_node(op->request, root, "request", in, ctx->arena, err) ||
        !op_run(ctx, op, in, result, err))
        return false;
    json_write_record(op->result, result, op->schema, out);
    return buf_ok(out, err);
}

#define GPU_TABLES (TABLE_BIT(TABLE_ACCELERATORS) | TABLE_BIT(TABLE_NAMES))

const struct accelerator *op_accelerator(struct op_context *ctx, struct str name, bool quiet,
                                         struct error *err)
{
    return op_catalog(ctx, GPU_TABLES, err)
               ? accelerator_typed(&ctx->catalog, name, quiet ? NULL : &ctx->messages, err)
               : NULL;
}

bool op_gpu_count(struct op_context *ctx, struct str text, struct str *name, int64_t *count,
                  struct error *err)
{
    return op_catalog(ctx, GPU_TABLES, err) &&
           accelerator_count(&ctx->catalog, text, name, count, err);
}
