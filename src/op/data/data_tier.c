/* data.tier - files that have not been written for long: moved to cheaper disks, or deleted. */
#include "op/data/data_tier.h"

#include "data/tier_move.h"
#include "op/context.h"
#include "op/data/data_task.h"
#include "op/op.h"
#include "op/storage_price.h"
#include "run/checkpoint/checkpoints.h"

static const struct field request[] = {
    FIELD(TEXT, data_tier_request, folder, .value = "DIR", .operand = true, .required = true,
          .local = true, .help = "folder with artifacts, logs or data"),
    FIELD(TEXT, data_tier_request, warm, .value = "FOLDER", .local = true,
          .help = "folder on a cheaper disk for files of the warm tier"),
    FIELD(TEXT, data_tier_request, cold, .value = "FOLDER", .local = true,
          .help = "folder on the cheapest disk for files of the cold tier"),
    FIELD(SPAN, data_tier_request, warm_after, .value = "AGE", .positive = true,
          .fallback = "30d", .help = "time since the last write from which a file is warm"),
    FIELD(SPAN, data_tier_request, cold_after, .value = "AGE", .positive = true,
          .fallback = "90d", .help = "time since the last write from which a file is cold"),
    FIELD(SPAN, data_tier_request, delete_after, .value = "AGE", .positive = true,
          .help = "time since the last write from which a file is deleted (default: never)"),
    FIELD(TEXTS, data_tier_request, only, .value = "PATTERN", .local = true,
          .help = "paths or names of the files to consider: '*.log,logs/*' (default: all)"),
    FIELD(FLAG, data_tier_request, by_use, .local = true,
          .help = "count from the last write or read, where the disk records reads"),
    FIELD(FLAG, data_tier_request, link, .local = true,
          .help = "leave a symbolic link at the old place of a file that is moved"),
    FIELD(PER_GB, data_tier_request, storage_price, .value = "PRICE",
          .help = "price per GB and month where the folder is: '$0.08/GB' (default: the "
                  "catalog's)"),
    FIELD(PER_GB, data_tier_request, warm_price, .value = "PRICE",
          .help = "price per GB and month of the warm tier (default: the catalog's)"),
    FIELD(PER_GB, data_tier_request, cold_price, .value = "PRICE",
          .help = "price per GB and month of the cold tier (default: the catalog's)"),
    FIELD(TEXT, data_tier_request, provider, .value = "PROVIDER",
          .help = "provider whose storage prices to use"),
    FIELD(COUNT, data_tier_request, limit, .value = "N", .positive = true, .fallback = "20",
          .help = "list the N largest files"),
    FIELD(FLAG, data_tier_request, yes, .local = true,
          .help = "move and delete them (default: dry run)"),
};

static const struct field row_fields[] = {
    FIELD(ENUM, data_tier_row, tier, .names = data_tier_names, .help = "tier"),
    FIELD(SPAN, data_tier_row, after,
          .help = "time since the last write from which it applies"),
    FIELD(TEXT, data_tier_row, folder, .empty_unknown = true, .help = "folder of the tier"),
    FIELD(COUNT, data_tier_row, files, .help = "number of files"),
    FIELD(BYTES, data_tier_row, size, .help = "size of these files"),
    FIELD(COUNT, data_tier_row, done, .help = "files that were moved or deleted"),
    FIELD(COUNT, data_tier_row, failed, .help = "files that could not be moved or deleted"),
    FIELD(PER_GB, data_tier_row, price, .help = "storage price per GB and month"),
    FIELD(TEXT, data_tier_row, price_source, .empty_unknown = true,
          .help = "source of the storage price"),
    FIELD(USD, data_tier_row, month, .help = "cost per month in this tier"),
    FIELD(USD, data_tier_row, saved, .help = "savings per month"),
};

static const struct field_set row_set = FIELD_SET(struct data_tier_row, row_fields);

static const struct field result[] = {
    FIELD(TEXT, data_tier_result, folder, .help = "folder"),
    FIELD(FLAG, data_tier_result, dry_run, .help = "dry run: nothing was moved or deleted"),
    FIELD(LIST, data_tier_result, tiers, .row = &row_set, .help = "tiers in use"),
    FIELD(COUNT, data_tier_result, file_count, .help = "files old enough for another tier"),
    FIELD(COUNT, data_tier_result, kept, .help = "files among them that stay where they are"),
    FIELD(LIST, data_tier_result, files, .row = &tier_file_fields,
          .help = "files old enough for another tier, the largest first, then those that stay"),
    FIELD(USD, data_tier_result, saved, .help = "savings per month"),
};

/* One call. */
struct tiering {
    struct op_context *ctx;
    struct data_task task;
    const struct data_tier_request *req;
    struct tier_rules rules;
    struct tier_choice choice;
    struct data_tier_row rows[TIER_COUNT];
    struct data_tier_result *res;
};

/* ---- the rules ---- */

/* A part of a checkpoint is nothing without the others, and what is the best one is not a
 * question of age. */
static const char *belongs_to_checkpoint(struct str path)
{
    return checkpoint_has_path(path) ? "it is part of a checkpoint: 'stint checkpoints prune'"
                                     : NULL;
}

static bool set_tier_rules(struct tiering *t, struct error *err)
{
    const struct data_tier_request *req = t->req;
    const struct tier_wish wish = {.folder = {[TIER_WARM] = req->warm, [TIER_COLD] = req->cold},
                                   .after = {[TIER_WARM] = req->warm_after,
                                             [TIER_COLD] = req->cold_after,
                                             [TIER_DELETE] = req->delete_after},
                                   .moves = req->yes};

    return tier_rules_set(&t->task, &wish, &t->rules, err);
}

/* ---- money ---- */

static bool price_tiers(struct tiering *t, struct error *err)
{
    const struct data_tier_request *req = t->req;
    const usd_per_gb given[TIER_COUNT] = {
        req->storage_price, req->warm_price, req->cold_price, {0}};

    for (int i = 0; i < TIER_COUNT; i++) {
        struct data_tier_row *row = &t->rows[i];

        row->price = given[i];
        if (i != TIER_DELETE && !op_storage_price(t->ctx, req->provider, data_tier_names[i],
                                                  &row->price, &row->price_source, err))
            return false;
    }
    return true;
}

static void fill_tier_row(const struct tiering *t, enum data_tier tier,
                          struct data_tier_row *row)
{
    const struct tier_sum *sum = &t->choice.sums[tier];

    row->tier = (int32_t)tier;
    row->after = t->rules.after[tier];
    row->folder = t->rules.to[tier] != NULL ? str_from(t->rules.to[tier]) : STR("");
    row->files = sum->files;
    row->size = sum->size;
    row->done = sum->done;
    row->failed = sum->left;
    row->month = usd_for_bytes(row->price, sum->size.n);
    row->saved = usd_less(usd_for_bytes(t->rows[TIER_HOT].price, sum->size.n), row->month);
}

static void sum_tiers(struct tiering *t)
{
    t->res->saved = (usd){0};
    t->res->kept = 0;
    for (int i = 0; i < TIER_COUNT; i++) {
        fill_tier_row(t, (enum data_tier)i, &t->rows[i]);
        t->res->kept += t->choice.sums[i].held;
        if (i != TIER_HOT)
            t->res->saved = usd_add(t->res->saved, t->rows[i].saved);
    }
}

static bool tier_data(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct data_tier_request *req = in;
    struct data_tier_result *res = out;
    struct tiering *t = arena_array(ctx->arena, struct tiering, 1, err);
    struct tree tree;

    if (t == NULL)
        return false;
    *t = (struct tiering){.ctx = ctx, .task = op_data_task(ctx), .req = req, .res = res};
    t->rules = (struct tier_rules){.folder = str_dup(req->folder, ctx->arena, err),
                                   .now_ns = clock_file_ns(),
                                   .by_use = req->by_use,
                                   .only = req->only,
                                   .belongs = belongs_to_checkpoint};
    if (t->rules.folder == NULL || !data_check_folder(t->rules.folder, err) ||
        !set_tier_rules(t, err) || !price_tiers(t, err) ||
        !tree_walk(t->rules.folder, &ctx->watch, ctx->arena, &tree, err) ||
        !tier_choose(&tree, &t->rules, ctx->arena, &t->choice, err))
        return false;
    data_note_problems(&t->task, req->folder, &tree);
    tier_note_choice(&t->task, &t->choice);
    if (req->yes)
        tier_move(&(struct tier_work){&t->task, &t->rules, &t->choice, req->link});
    sum_tiers(t);
    tier_sort(&t->choice);
    res->folder = req->folder;
    res->dry_run = !req->yes;
    res->tiers = (struct rows){t->rows, TIER_COUNT};
    res->files = (struct rows){t->choice.files, t->choice.count};
    res->file_count = op_data_list(&res->files, (size_t)req->limit);
    return true;
}

const struct op op_data_tier = {
    .name = "data.tier",
    .schema = "stint.data.tier/1",
    .changes = true,
    .summary = "move files that are old to cheaper disks (dry run by default)",
    .request = &(const struct field_set)FIELD_SET(struct data_tier_request, request),
    .result = &(const struct field_set)FIELD_SET(struct data_tier_result, result),
    .run = tier_data,
};
