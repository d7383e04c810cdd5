/* stint import */
#include "cli/commands.h"
#include "cli/view.h"
#include "op/bill/bill_import.h"
#include "report/records.h"
#include "unit/shown.h"

static bool write_import_format(const struct column *column, const void *row, struct buf *out)
{
    const struct import_file_view *file = row;

    (void)column;
    bill_write_format(file->format, file->version, out);
    return true;
}

/* Nothing of a file that was skipped was read. */
static bool write_unless_skipped(const struct column *column, const void *row, struct buf *out)
{
    const struct import_file_view *file = row;

    (void)column;
    buf_adds(out, file->same_as.len > 0 ? "-" : "");
    return file->same_as.len > 0;
}

static bool write_import_total(const struct column *column, const void *row, struct buf *out)
{
    const struct import_file_view *file = row;

    if (write_unless_skipped(column, row, out))
        return true;
    buf_adds(out, file->mixed ? "several currencies" : "");
    return file->mixed;
}

static bool write_outcome(const struct column *column, const void *row, struct buf *out)
{
    const struct import_file_view *file = row;

    (void)column;
    buf_adds(out, file->same_as.len > 0 ? "skipped: a copy"
                  : file->equal         ? "equal"
                                        : "NOT EQUAL");
    return true;
}

static const struct column file_columns[] = {
    COLUMN("file", file, .shrink = true),
    COLUMN_CELL("format", write_import_format),
    COLUMN("days", first_day, .to = "last_day", .unknown = "-", .optional = true),
    COLUMN("lines", lines, .cell = write_unless_skipped),
    COLUMN("its own total", total, .form = COLUMN_EXACT, .unknown = "?",
           .cell = write_import_total),
    COLUMN("column", column, .optional = true, .cell = write_unless_skipped),
    COLUMN_CELL("read", write_outcome),
};

static const struct column imported_columns[] = {
    COLUMN("bill", key, .unknown = "new"),
    COLUMN("provider", provider),
    COLUMN("account", account),
    COLUMN("period", period),
    COLUMN("lines", lines),
    COLUMN("billed", billed, .form = COLUMN_EXACT, .unknown = "?"),
    COLUMN("effective", effective, .form = COLUMN_EXACT, .unknown = "?"),
};

static void print_replaced(const struct view *view, const struct import_bill_view *b)
{
    struct buf *out = view->out;

    if (b->bill.bill.key > 0) {
        buf_addf(out, "bill %lld replaces ", (long long)b->bill.bill.key);
    } else {
        buf_adds(out, "the bill of ");
        buf_add_safe(out, b->bill.bill.account.len > 0 ? b->bill.bill.account
                                                       : b->bill.bill.provider);
        buf_adds(out, " would replace ");
    }
    buf_addf(out, "%s with %lld charge%s, ", b->replaced == 1 ? "one" : "others",
             (long long)b->replaced_lines, b->replaced_lines == 1 ? "" : "s");
    value_exact(&b->replaced_billed, out);
    buf_adds(out, " billed and ");
    value_exact(&b->replaced_effective, out);
    buf_adds(out, " effective, imported ");
    value_time(b->replaced_imported, false, out);
    buf_char(out, '\n');
}

/* What a correction with fewer lines took away. */
static void print_left(const struct view *view, const struct import_bill_view *b)
{
    const struct import_charge_view *charges = b->charges.at;
    struct buf *out = view->out;

    buf_addf(out, "%lld charge%s of the earlier bill %s not in it (", (long long)b->missing,
             b->missing == 1 ? "" : "s", b->missing == 1 ? "is" : "are");
    value_exact(&b->missing_billed, out);
    buf_addf(out, "), %lld changed, %lld added:\n", (long long)b->changed, (long long)b->added);
    for (size_t i = 0; i < b->charges.len; i++) {
        buf_adds(out, "  ");
        day_write(charges[i].on, out);
        buf_adds(out, "  ");
        buf_add_safe(out, charges[i].service);
        buf_adds(out, "  ");
        buf_add_safe(out, charges[i].resource.len > 0 ? charges[i].resource
                                                      : charges[i].description);
        buf_adds(out, "  ");
        value_exact(&charges[i].billed, out);
        buf_char(out, '\n');
    }
    if ((int64_t)b->charges.len < b->missing)
        buf_addf(out, "  and %lld more\n", (long long)b->missing - (long long)b->charges.len);
}

static void print_bill_import(const struct view *view, const void *result)
{
    const struct import_result *res = result;
    const struct import_bill_view *bills = res->bills.at;

    view_rows(view, &op_import, res, "files", COLUMNS(file_columns));
    if (res->bills.len == 0) {
        buf_adds(view->out, res->left_out > 0 ? "\nall charges were skipped: nothing changed\n"
                                              : "\nno charges: nothing changed\n");
        return;
    }
    buf_char(view->out, '\n');
    view_rows(view, &op_import, res, "bills", COLUMNS(imported_columns));
    buf_char(view->out, '\n');
    for (size_t i = 0; i < res->bills.len; i++)
        if (bills[i].replaced > 0) {
            print_replaced(view, &bills[i]);
            if (bills[i].missing > 0)
                print_left(view, &bills[i]);
        }
    if (res->dry_run) {
        buf_addf(view->out, "%lld charge%s; nothing was written\n", (long long)res->lines,
                 res->lines == 1 ? "" : "s");
        return;
    }
    buf_addf(view->out, "%lld charge%s imported, equal to the files' own totals; ledger: ",
             (long long)res->lines, res->lines == 1 ? "" : "s");
    buf_add_safe(view->out, res->ledger);
    buf_char(view->out, '\n');
}

const struct command cmd_import = {
    .name = "import",
    .op = &op_import,
    .group = {"add cloud bills", CLI_AFTER, .first = true},
    .about = "Imports bills into the ledger, where 'stint costs' and every other command finds "
             "them. Formats are recognized by their columns: FOCUS 1.0 to 1.4 (focus), AWS "
             "Cost and Usage Reports (aws-cur, aws-cur2), Google Cloud's export (gcp-csv, "
             "gcp-ndjson), Azure's (azure), Oracle's (oci), grouped answers of AWS Cost "
             "Explorer and BigQuery (aws-explorer, bigquery), the CSV files of AWS's pages "
             "(aws-console, aws-bills), and any table with a date, a cost and a provider "
             "(table; see docs/reference/bills.md): --map, --provider and --month add missing "
             "information. Files may be compressed (gzip, xz, zstd, zip) or Parquet; in a "
             "folder every bill is read, or what its manifests list; - is standard input.\n\n"
             "A bill that is delivered again (the same provider, account, period and currency) "
             "replaces the earlier one; one that is smaller, or has less than 80 % of the "
             "existing charges (another part), is refused, and so is the same money in another "
             "format or under another account: --add adds it, --replace replaces. Detailed "
             "data replaces coarse data (sums by day without resources) of the same provider, "
             "account and days. The import is all or nothing: the amounts read are compared "
             "with each file's own total, to the last digit.\n\n"
             "Past runs of experiment trackers: 'stint import mlflow', 'stint import wandb'.",
    .examples = "stint import may.csv.gz\n"
                "stint import exports/20260501-20260601/\n"
                "stint import azure-actual.csv azure-amortized.csv\n"
                "stint import pods.csv --provider runpod --map cost=amount --map date=time\n"
                "zcat focus.csv.gz | stint import - --dry-run",
    .print = print_bill_import,
};
