/* data.tier - files that have not been written for long: moved to cheaper disks, or deleted. */
#include "op/data/data_tier.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fs.h"
#include "base/num.h"
#include "data/move.h"
#include "op/context.h"
#include "op/data/data_tree.h"
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
    FIELD(COUNT, data_tier_row, left, .help = "files that could not be moved or deleted"),
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
    FIELD(COUNT, data_tier_result, held, .help = "files among them that stay where they are"),
    FIELD(LIST, data_tier_result, files, .row = &tier_file_fields,
          .help = "files old enough for another tier, the largest first, then those that stay"),
    FIELD(USD, data_tier_result, saved, .help = "savings per month"),
};

/* One call. */
struct tiering {
    struct op_context *ctx;
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

/* A tier's folder must be there: a disk that is not mounted looks like one that is empty. */
static bool check_tier_folder(struct tiering *t, enum data_tier tier, struct str name,
                              struct error *err)
{
    char from[PATH_MAX], to[PATH_MAX];
    char *folder = str_dup(name, t->ctx->arena, err);
    struct stat here, there;

    if (folder == NULL)
        return false;
    if (!fs_is_folder(folder))
        return error_fail_hint(err, ERROR_ABSENT, "make it, or mount its disk",
                               "there is no folder '%s' for %s files", folder,
                               data_tier_names[tier]);
    if (realpath(t->rules.folder, from) == NULL || realpath(folder, to) == NULL)
        return error_fail(err, ERROR_FAILED, "cannot look at '%s'", folder);
    if (str_starts(str_from(to), str_from(from)) &&
        (to[strlen(from)] == '\0' || to[strlen(from)] == '/' || from[1] == '\0'))
        return error_fail_hint(err, ERROR_INPUT, "name a folder on another disk",
                               "'%s' is in '%s' itself", folder, t->rules.folder);
    if (stat(from, &here) == 0 && stat(to, &there) == 0 && here.st_dev == there.st_dev)
        message_warn(&t->ctx->messages,
                     "'%s' and '%s' are on the same disk: moving files saves nothing", folder,
                     t->rules.folder);
    t->rules.to[tier] = folder;
    return true;
}

/* Ages in order; without a folder for any tier, all are shown. */
static bool set_tier_rules(struct tiering *t, struct error *err)
{
    const struct data_tier_request *req = t->req;
    bool survey = req->warm.len == 0 && req->cold.len == 0 && req->delete_after.ns < 0;
    span last = {0};

    t->rules.after[TIER_HOT] = (span){0};
    t->rules.after[TIER_WARM] = survey || req->warm.len > 0 ? req->warm_after : SPAN_UNKNOWN;
    t->rules.after[TIER_COLD] = survey || req->cold.len > 0 ? req->cold_after : SPAN_UNKNOWN;
    t->rules.after[TIER_DELETE] = req->delete_after;
    for (int i = TIER_WARM; i < TIER_COUNT; i++) {
        if (t->rules.after[i].ns < 0)
            continue;
        if (t->rules.after[i].ns <= last.ns)
            return error_fail_hint(err, ERROR_USAGE,
                                   "--warm-after 30d --cold-after 90d --delete-after 365d",
                                   "the ages of the tiers must increase");
        last = t->rules.after[i];
    }
    if (survey && req->yes)
        return error_fail_hint(err, ERROR_USAGE,
                               "--cold FOLDER, --warm FOLDER or "
                               "--delete-after AGE says what to do",
                               "--yes needs a tier to move files to");
    return (req->warm.len == 0 || check_tier_folder(t, TIER_WARM, req->warm, err)) &&
           (req->cold.len == 0 || check_tier_folder(t, TIER_COLD, req->cold, err));
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
    row->month = usd_for_bytes(row->price, sum->size.n);
    row->saved = usd_less(usd_for_bytes(t->rows[TIER_HOT].price, sum->size.n), row->month);
}

static void sum_tiers(struct tiering *t)
{
    t->res->saved = (usd){0};
    t->res->held = 0;
    for (int i = 0; i < TIER_COUNT; i++) {
        fill_tier_row(t, (enum data_tier)i, &t->rows[i]);
        t->res->held += t->choice.sums[i].held;
        if (i != TIER_HOT)
            t->res->saved = usd_add(t->res->saved, t->rows[i].saved);
    }
}

/* ---- doing it ---- */

static bool tier_one(const struct tiering *t, const struct tier_file *file, struct error *err)
{
    const struct move_work work = {.from = t->rules.folder,
                                   .to = t->rules.to[file->tier],
                                   .path = file->path,
                                   .stat = file->stat,
                                   .link = t->req->link,
                                   .watch = &t->ctx->watch};
    struct arena once = {.alloc = t->ctx->arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    bool ok = file->tier == TIER_DELETE
                  ? data_remove_file(work.from, file->path, &file->stat, &once, err)
                  : data_move_file(&work, &once, err);

    arena_free(&once);
    return ok;
}

/* It stays where it is, and costs what it did. */
static void count_untiered(struct tiering *t, struct tier_file *file)
{
    struct tier_sum *sum = &t->choice.sums[file->tier], *hot = &t->choice.sums[TIER_HOT];

    file->left = true;
    t->rows[file->tier].left++;
    t->ctx->partly = true;
    sum->files--;
    sum->size.n -= file->size.n;
    hot->files++;
    hot->size.n += file->size.n;
}

/* Each that goes; what cannot is named, and the others go on. */
static void tier_all(struct tiering *t)
{
    for (size_t i = 0; i < t->choice.count; i++) {
        struct tier_file *file = &t->choice.files[i];
        struct data_tier_row *row = &t->rows[file->tier];
        struct error err = {0};

        if (file->held.len > 0)
            continue;
        watch_progress(&t->ctx->watch, "moving", i, t->choice.count);
        file->done = !watch_stopped(&t->ctx->watch) && tier_one(t, file, &err);
        if (!file->done && err.kind != ERROR_NONE && err.kind != ERROR_STOPPED)
            message_warn(&t->ctx->messages, "%s", err.text);
        row->done += file->done;
        if (!file->done)
            count_untiered(t, file);
    }
}

static void note_choice(struct tiering *t)
{
    const struct tier_sum *used = &t->choice.used;
    struct messages *messages = &t->ctx->messages;

    if (t->choice.hidden > 0)
        message_note(messages,
                     "left out: %zu file%s with a name that begins with a dot, or in such a "
                     "folder",
                     t->choice.hidden, num_plural((int64_t)t->choice.hidden));
    if (used->files > 0)
        message_warn(messages,
                     "%lld of these files (%.3g GB) were read more lately than they were "
                     "written: --by-use leaves them where they are",
                     (long long)used->files, (double)used->size.n / 1e9);
}

/* What goes before what stays; of these the larger ones. */
static int larger_first(const void *a, const void *b)
{
    const struct tier_file *x = a, *y = b;
    bool held = x->held.len > 0;

    if (held != (y->held.len > 0))
        return held ? 1 : -1;
    if (x->size.n != y->size.n)
        return x->size.n < y->size.n ? 1 : -1;
    return str_cmp(x->path, y->path);
}

static bool tier_data(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct data_tier_request *req = in;
    struct data_tier_result *res = out;
    struct tiering *t = arena_array(ctx->arena, struct tiering, 1, err);
    struct tree tree;

    if (t == NULL)
        return false;
    *t = (struct tiering){.ctx = ctx, .req = req, .res = res};
    t->rules = (struct tier_rules){.folder = str_dup(req->folder, ctx->arena, err),
                                   .now_ns = clock_file_ns(),
                                   .by_use = req->by_use,
                                   .only = req->only,
                                   .belongs = belongs_to_checkpoint};
    if (t->rules.folder == NULL || !op_data_check_folder(t->rules.folder, err) ||
        !set_tier_rules(t, err) || !price_tiers(t, err) ||
        !tree_walk(t->rules.folder, &ctx->watch, ctx->arena, &tree, err) ||
        !tier_choose(&tree, &t->rules, ctx->arena, &t->choice, err))
        return false;
    op_data_note_problems(ctx, req->folder, &tree);
    note_choice(t);
    if (req->yes)
        tier_all(t);
    sum_tiers(t);
    if (t->choice.count > 1)
        qsort(t->choice.files, t->choice.count, sizeof *t->choice.files, larger_first);
    res->folder = req->folder;
    res->dry_run = !req->yes;
    res->tiers = (struct rows){t->rows, TIER_COUNT};
    res->file_count = (int64_t)t->choice.count;
    res->files = (struct rows){t->choice.files, t->choice.count < (size_t)req->limit
                                                    ? t->choice.count
                                                    : (size_t)req->limit};
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
