/* validate - how far predictions are from measured rows, and constants fitted to them. */
#include "op/estimate/validate.h"

#include "base/fs.h"
#include "doc/compress.h"
#include "op/context.h"
#include "op/op.h"
#include "truth/constants_file.h"

#define FILE_MAX ((size_t)256 << 20)
#define MOST_CALIBRATE 1000

static const struct field request[] = {
    FIELD(CHOICE, validate_request, kind, .value = "KIND", .operand = true, .required = true,
          .choices = validate_kinds,
          .help = "kind of rows: training, memory, inference, energy, gpu-hours or choice"),
    FIELD(TEXTS, validate_request, files, .value = "FILE", .operand = true, .required = true,
          .help = "CSV files of measured rows, with the columns of docs/accuracy.md"),
    FIELD(FLAG, validate_request, leave_one_source_out,
          .help = "predict each source by constants fitted without it"),
    FIELD(FLAG, validate_request, fit, .help = "fit the constants to these rows first"),
    FIELD(FLAG, validate_request, from_priors,
          .help = "fit from the values known before any row, not from the values in use"),
    FIELD(TEXT, validate_request, group, .value = "GROUP",
          .help = "fit the constants of this group (their fitted_on), not the kind's"),
    FIELD(COUNT, validate_request, calibrate, .value = "N", .positive = true,
          .help = "learn corrections from N rows of each source and score its other rows"),
    FIELD(TEXT, validate_request, per_row, .value = "OUT.csv",
          .help = "write every prediction to OUT.csv"),
    FIELD(TEXT, validate_request, save, .value = "OUT.csv",
          .help = "write the fitted constants to OUT.csv"),
};

static const struct field result[] = {
    FIELD(RECORD, validate_result, validation, .row = &validation_fields, .inlined = true),
    FIELD(RECORD, validate_result, prices, .row = &price_age_fields,
          .help = "age of the prices of the choices"),
};

static bool read_validate_files(struct strs paths, struct arena *arena,
                                struct validate_ask *ask, struct error *err)
{
    struct validate_file *files = arena_array(arena, struct validate_file, paths.len + 1, err);

    for (size_t i = 0; files != NULL && i < paths.len; i++) {
        struct validate_file *file = &files[i];

        file->name = str_dup(paths.at[i], arena, err);
        if (file->name == NULL || !fs_read(file->name, FILE_MAX, arena, &file->text, err) ||
            !unpack_text(&file->text, file->name, FILE_MAX, arena, err))
            return false;
    }
    ask->files = files;
    ask->file_count = paths.len;
    return files != NULL;
}

/* The machines that choices are priced with. */
static bool find_validate_machines(struct op_context *ctx, struct validate_ask *ask,
                                   struct price_age *age, struct error *err)
{
    const struct machine_query query = machine_query_all();
    struct machine *machines;

    if (!op_machines(ctx, &query, &machines, &ask->machine_count, err))
        return false;
    ask->machines = machines;
    for (size_t i = 0; i < ask->machine_count; i++)
        op_price_age(ctx, machines[i].fact.date, age);
    return true;
}

static bool check_validate_options(const struct validate_request *req, int kind,
                                   struct error *err)
{
    if (!req->fit && (req->save.len > 0 || req->from_priors || req->group.len > 0)) {
        error_set(err, ERROR_USAGE, "--save, --from-priors and --group are for a fit");
        error_hint(err, "add --fit");
        return false;
    }
    if (kind == VALIDATE_CHOICE && req->fit) {
        error_set(err, ERROR_USAGE, "choices have no constants of their own to fit");
        error_hint(err, "fit 'training' or 'inference', and validate with what --save wrote");
        return false;
    }
    if (req->calibrate > 0 && kind != TRUTH_TRAINING && kind != TRUTH_MEMORY) {
        error_set(err, ERROR_USAGE, "--calibrate is for training and memory");
        error_hint(err, "corrections are learned from training runs only");
        return false;
    }
    if (req->calibrate > MOST_CALIBRATE)
        return error_fail(err, ERROR_USAGE, "--calibrate: %lld rows are too many (%d at most)",
                          (long long)req->calibrate, MOST_CALIBRATE);
    return true;
}

static bool write_validate_file(struct str path, struct str text, struct arena *arena,
                                struct error *err)
{
    const char *name = str_dup(path, arena, err);

    return name != NULL && fs_replace(name, text, err);
}

static bool validate_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct validate_request *req = in;
    struct validate_result *res = out;
    struct validate_ask ask = {.kind = choice_of(validate_kinds, req->kind),
                               .catalog = &ctx->catalog,
                               .leave_out = req->leave_one_source_out,
                               .fit = req->fit,
                               .from_priors = req->from_priors,
                               .group = req->group,
                               .calibrate = req->calibrate > 0 ? req->calibrate : 0};
    struct buf rows = buf_new(ctx->arena->alloc, BUF_MAX_OUTPUT);
    struct constants constants;
    bool ok;

    if (!check_validate_options(req, ask.kind, err) ||
        !op_catalog(ctx,
                    TABLE_BIT(TABLE_ACCELERATORS) | TABLE_BIT(TABLE_NAMES) |
                        TABLE_BIT(TABLE_MODELS) | TABLE_BIT(TABLE_IMAGE_MODELS) |
                        TABLE_BIT(TABLE_CONSTANTS),
                    err) ||
        !constants_load(&ctx->catalog, &constants, err) ||
        !read_validate_files(req->files, ctx->arena, &ask, err) ||
        (ask.kind == VALIDATE_CHOICE && !find_validate_machines(ctx, &ask, &res->prices, err)))
        return false;
    ok = validate(&ask, &constants, ctx->arena, &res->validation,
                  req->per_row.len > 0 ? &rows : NULL, err) &&
         (req->save.len == 0 || constants_save(&ctx->catalog, &constants, op_today(ctx),
                                               req->save, ctx->arena, err)) &&
         (req->per_row.len == 0 ||
          (buf_ok(&rows, err) &&
           write_validate_file(req->per_row, buf_text(&rows), ctx->arena, err)));
    buf_free(&rows);
    if (ok && ask.kind == VALIDATE_CHOICE)
        op_price_age_warn(ctx, &res->prices);
    return ok;
}

const struct op op_validate = {
    .name = "validate",
    .schema = "stint.validate/1",
    .summary = "compare predictions with measurements",
    .request = &(const struct field_set)FIELD_SET(struct validate_request, request),
    .result = &(const struct field_set)FIELD_SET(struct validate_result, result),
    .run = validate_run,
};
