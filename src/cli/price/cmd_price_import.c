/* stint price import */
#include "cli/commands.h"
#include "cli/view.h"
#include "op/price/price_import.h"

static const struct column file_columns[] = {
    COLUMN("file", file, .shrink = true),
    COLUMN("format", format),
    COLUMN("stored as", feed, .optional = true),
    COLUMN("provider", provider),
    COLUMN("prices from", date, .side = COLUMN_RIGHT),
    COLUMN("rows", rows),
    COLUMN("machines", quotes),
    COLUMN("not ours", ignored, .optional = true),
    COLUMN("bad", bad),
};

static void add_count(struct buf *out, int64_t n, const char *what)
{
    buf_addf(out, ", %lld %s", (long long)n, what);
}

static void print_store_changes(const struct view *view, const struct store_change *changes)
{
    buf_addf(view->out, "%lld offer%s", (long long)changes->offers,
             changes->offers == 1 ? "" : "s");
    add_count(view->out, changes->new_offers, "of them new");
    buf_addf(view->out, "; prices: %lld changed", (long long)changes->changed);
    add_count(view->out, changes->unchanged, "confirmed");
    add_count(view->out, changes->gone, "gone");
    if (changes->doubtful > 0)
        add_count(view->out, changes->doubtful, "doubtful ('stint price doctor' lists them)");
    buf_char(view->out, '\n');
}

static void print_price_import(const struct view *view, const void *result)
{
    const struct price_import_result *res = result;
    const struct installed_table *tables = res->tables.at;

    if (res->files.len > 0) {
        view_rows(view, &op_price_import, res, "files", COLUMNS(file_columns));
        buf_char(view->out, '\n');
        print_store_changes(view, &res->changes);
        buf_adds(view->out, "stored in ");
        buf_add_safe(view->out, res->store);
        buf_char(view->out, '\n');
    }
    for (size_t i = 0; i < res->tables.len; i++) {
        buf_addf(view->out, "%lld row%s of %.*s written to ", (long long)tables[i].rows,
                 tables[i].rows == 1 ? "" : "s", STR_ARG(tables[i].table));
        buf_add_safe(view->out, tables[i].path);
        if (tables[i].replaced > 0)
            buf_addf(view->out, ", replacing %lld rows, now in its .bak",
                     (long long)tables[i].replaced);
        buf_char(view->out, '\n');
    }
}

const struct command cmd_price_import = {
    .name = "price import",
    .op = &op_price_import,
    .about =
        "Reads price lists into the price store, which all other commands use. Formats are "
        "recognized: catalogs of SkyPilot (skypilot), change logs (price-changes) and catalogs "
        "of gpuhunt (gpuhunt); AWS price lists (aws-offers, aws-products) and spot histories "
        "(aws-spot, aws-spot-xml); answers of the Azure, Google Cloud, Lambda, RunPod and Vast "
        "APIs (azure, gcp, lambda, runpod, vast), of the last two also bare lists "
        "(runpod-list, vast-list); and our own CSV (stint), with the columns provider, region, "
        "zone, instance, accelerator, count, price, market, currency, date, on_demand_usd_h, "
        "spot_usd_h. Files may be compressed (gzip, xz, zstd); folders are searched; - is "
        "standard input. The import is all or nothing.\n\n"
        "A CSV with provider and discount (and region, instance, market, price_h, currency, "
        "from, until, date, source) or with currency, usd, date and source is no price list: "
        "it is checked and written to your catalog folder as discounts.csv or exchange.csv, "
        "replacing existing rows.\n\n"
        "A price pack ('stint price pack') is imported when its checksum and signature are "
        "right and its key is trusted: --trust, or the setting trusted_keys.",
    .examples = "stint price import catalogs/v8/aws/vms.csv --date 2026-08-22\n"
                "aws ec2 describe-spot-price-history --output json >spot.json; stint price "
                "import spot.json\n"
                "stint price import negotiated.csv --feed acme",
    .print = print_price_import,
};
