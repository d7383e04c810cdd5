/* stint data tier */
#include "base/num.h"
#include "cli/commands.h"
#include "cli/view.h"
#include "op/data/data_tier.h"

static bool is_tier_in_use(const void *row)
{
    return ((const struct data_tier_row *)row)->after.ns >= 0;
}

static bool write_tier_step(const struct column *column, const void *row, struct buf *out)
{
    const struct tier_file *file = row;
    bool goes = file->tier == TIER_DELETE;

    (void)column;
    if (file->kept.len > 0) {
        buf_adds(out, "stays: ");
        buf_add(out, file->kept);
    } else if (file->done) {
        buf_adds(out, goes ? "deleted" : "moved");
    } else if (file->failed) {
        buf_adds(out, "left");
    } else {
        buf_adds(out, goes ? "delete" : "move");
    }
    return true;
}

static void print_tier_files(const struct view *view, const struct data_tier_result *res)
{
    static const struct column columns[] = {
        COLUMN("tier", tier),
        COLUMN("days", days),
        COLUMN("size", size),
        COLUMN("path", path, .shrink = true),
        COLUMN_CELL("step", write_tier_step),
    };

    if (res->files.len == 0)
        return;
    buf_char(view->out, '\n');
    view_rows(view, &op_data_tier, res, "files", COLUMNS(columns));
    if (res->files.len < (size_t)res->file_count)
        buf_addf(view->out, "and %lld more: --limit\n",
                 (long long)res->file_count - (long long)res->files.len);
}

static void print_tier_savings(const struct view *view, const struct data_tier_result *res)
{
    const struct data_tier_row *rows = res->tiers.at;

    buf_char(view->out, '\n');
    if (res->saved.nano == MONEY_UNKNOWN) {
        buf_adds(view->out, "savings unknown: --storage-price, --warm-price and --cold-price "
                            "give the prices\n");
        return;
    }
    view_label(view, "saves");
    usd_write(res->saved, view->out);
    buf_adds(view->out, " a month\n");
    for (int i = 0; i < TIER_DELETE; i++) {
        if (rows[i].after.ns < 0 || rows[i].price.nano == MONEY_UNKNOWN)
            continue;
        view_label(view, data_tier_names[i]);
        usd_write((usd){rows[i].price.nano}, view->out);
        buf_adds(view->out, " per GB (");
        buf_add_safe(view->out, rows[i].price_source);
        buf_adds(view->out, ")\n");
    }
}

static void print_data_tier(const struct view *view, const void *result)
{
    static const struct column columns[] = {
        COLUMN("tier", tier),
        COLUMN("from age", after),
        COLUMN("files", files),
        COLUMN("size", size),
        COLUMN("a month", month),
        COLUMN("saves", saved),
        COLUMN("folder", folder, .shrink = true, .optional = true),
    };
    const struct data_tier_result *res = result;
    const struct data_tier_row *rows = res->tiers.at;
    int64_t left = 0, tiers = 0;

    for (size_t i = 0; i < res->tiers.len; i++) {
        left += rows[i].failed;
        tiers += rows[i].folder.len > 0 || (i == TIER_DELETE && rows[i].after.ns >= 0);
    }
    view_rows(view, &op_data_tier, res, "tiers", COLUMNS(columns, .shown = is_tier_in_use));
    print_tier_files(view, res);
    print_tier_savings(view, res);
    if (res->dry_run && res->file_count > res->kept)
        buf_adds(view->out, tiers > 0
                                ? "this was a dry run: add --yes to do it\n"
                                : "--cold FOLDER names where they go; nothing was moved\n");
    if (left > 0)
        buf_addf(view->out, "%lld file%s left: run this again when the reason is gone\n",
                 (long long)left, num_plural(left));
}

const struct command cmd_data_tier = {
    .name = "data tier",
    .op = &op_data_tier,
    .about =
        "Sorts the files of a folder by the time since they were last written, and prints what "
        "keeping the old ones on cheaper disks saves. With --yes files from 30 days on are "
        "moved to the folder of --warm, from 90 days on to that of --cold, with their path "
        "below it, and from the age of --delete-after on they are deleted.\n"
        "Every file is complete in at least one place at every moment, is compared after it "
        "was copied, and never replaces another. Parts of checkpoints, files with other names "
        "(hard links), and what is in hidden folders stay where they are.",
    .examples = "stint data tier runs\n"
                "stint data tier runs --cold /mnt/archive --delete-after 365d\n"
                "stint data tier logs --only '*.log' --cold /mnt/archive --link --yes",
    .print = print_data_tier,
};
