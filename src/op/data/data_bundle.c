/* data.bundle - a data set, its configuration and its scripts in one packed archive. */
#include "op/data/data_bundle.h"

#include "op/context.h"
#include "op/data/data_task.h"
#include "op/op.h"

static const char *const output_names[] = {"o", NULL};

static const struct field request[] = {
    FIELD(TEXT, bundle_wish, folder, .value = "DIR", .operand = true, .required = true,
          .local = true, .help = "folder with the data"),
    FIELD(TEXT, bundle_wish, config, .value = "FILE", .local = true,
          .help = "configuration to add, as config.json or with its own ending"),
    FIELD(TEXT, bundle_wish, output, .value = "FILE", .output = true, .also = output_names,
          .help = "bundle to write, .tar.gz or .tar.zst (default: DIR_bundle.tar.gz)"),
};

static bool bundle_data(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct data_task task = op_data_task(ctx);

    return bundle_make(&task, in, out, err);
}

const struct op op_data_bundle = {
    .name = "data.bundle",
    .schema = "stint.data.bundle/1",
    .changes = true,
    .summary = "pack a data set, its configuration and scripts into one archive",
    .request = &(const struct field_set)FIELD_SET(struct bundle_wish, request),
    .result = &bundle_made_fields,
    .run = bundle_data,
};
