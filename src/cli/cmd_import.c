/* stint import */
#include "cli/bills_view.h"
#include "cli/commands.h"
#include "op/bill/bill_import.h"

static void print_files(const struct view *view, const struct import_result *res)
{
    static const struct table_column columns[] = {
        {.title = "file", .shrink = true},
        {.title = "format"},
        {.title = "days", .optional = true},
        {.title = "lines", .right = true},
        {.title = "its own total", .right = true},
        {.title = "column", .optional = true},
        {.title = "read"},
    };
    const struct import_file_view *files = res->files.at;
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);

    for (size_t i = 0; i < res->files.len; i++) {
        const struct import_file_view *f = &files[i];
        bool skipped = f->same_as.len > 0;

        table_text(&t, f->file);
        bills_format(&t, f->format, f->version);
        bills_days(&t, f->first_day, f->last_day);
        if (skipped)
            table_cell(&t, "-");
        else
            view_count(&t, f->lines);
        if (skipped || f->mixed)
            table_text(&t, skipped ? STR("-") : STR("several currencies"));
        else
            bills_money(&t, &f->total);
        table_text(&t, skipped ? STR("-") : f->column);
        table_cell(&t, skipped ? "skipped: a copy" : f->equal ? "equal" : "NOT EQUAL");
    }
    table_write(&t, &view->term, view->out);
}

static void print_bills(const struct view *view, const struct import_result *res)
{
    static const struct table_column columns[] = {
        {.title = "bill", .right = true},
        {.title = "of"},
        {.title = "account"},
        {.title = "period"},
        {.title = "lines", .right = true},
        {.title = "billed", .right = true},
        {.title = "effective", .right = true},
    };
    const struct import_bill_view *bills = res->bills.at;
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);

    for (size_t i = 0; i < res->bills.len; i++) {
        const struct import_bill_view *b = &bills[i];

        if (b->key > 0)
            table_cell(&t, "%lld", (long long)b->key);
        else
            table_cell(&t, "new");
        table_text(&t, b->provider.len > 0 ? b->provider : STR("-"));
        table_text(&t, b->account.len > 0 ? b->account : STR("-"));
        table_text(&t, b->period);
        view_count(&t, b->lines);
        bills_money(&t, &b->billed);
        bills_money(&t, &b->effective);
    }
    buf_char(view->out, '\n');
    table_write(&t, &view->term, view->out);
}

static void print_replaced(const struct view *view, const struct import_bill_view *b)
{
    struct buf *out = view->out;

    if (b->key > 0) {
        buf_addf(out, "bill %lld takes the place of ", (long long)b->key);
    } else {
        buf_adds(out, "the bill of ");
        buf_add_safe(out, b->account.len > 0 ? b->account : b->provider);
        buf_adds(out, " would take the place of ");
    }
    buf_addf(out, "%s with %lld charge%s, ", b->replaced == 1 ? "one" : "others",
             (long long)b->replaced_lines, b->replaced_lines == 1 ? "" : "s");
    bills_write_money(&b->replaced_billed, out);
    buf_adds(out, " billed and ");
    bills_write_money(&b->replaced_effective, out);
    buf_adds(out, " effective, imported ");
    runs_when(b->replaced_imported, false, out);
    buf_char(out, '\n');
}

static void print(const struct view *view, const void *result)
{
    const struct import_result *res = result;
    const struct import_bill_view *bills = res->bills.at;

    print_files(view, res);
    if (res->bills.len == 0) {
        buf_adds(view->out, res->left_out > 0
                                ? "\nall charges were left out: nothing was changed\n"
                                : "\nno charges: nothing was changed\n");
        return;
    }
    print_bills(view, res);
    buf_char(view->out, '\n');
    for (size_t i = 0; i < res->bills.len; i++)
        if (bills[i].replaced > 0)
            print_replaced(view, &bills[i]);
    if (res->dry_run) {
        buf_addf(view->out, "%lld charge%s; nothing was written\n", (long long)res->lines,
                 res->lines == 1 ? "" : "s");
        return;
    }
    buf_addf(view->out, "%lld charge%s imported, equal to the files' own totals; kept in ",
             (long long)res->lines, res->lines == 1 ? "" : "s");
    buf_add_safe(view->out, res->ledger);
    buf_char(view->out, '\n');
}

const struct command cmd_import = {
    .name = "import",
    .op = &op_import,
    .about =
        "Read bills into the ledger, where 'stint costs' and every other command finds\n"
        "them. What a file is, is recognised by its columns: FOCUS 1.0 to 1.4 (focus), AWS\n"
        "Cost and Usage Reports (aws-cur, aws-cur2), Google Cloud's export (gcp-csv,\n"
        "gcp-ndjson), Azure's (azure), Oracle's (oci), grouped answers of AWS Cost\n"
        "Explorer and BigQuery (aws-explorer, bigquery), Cost Explorer's CSV (aws-console),\n"
        "and any table with a date, a cost and a provider (table; see docs/bills.md). Files\n"
        "may be packed (gzip, xz, zstd, zip) or Parquet; of a folder every bill is read, or\n"
        "what its manifests list; - is standard input.\n"
        "\n"
        "A bill that is delivered again - the same provider, account, period and currency -\n"
        "takes the place of the one before; one that is smaller, or has less than 80 % of the\n"
        "charges that are there (another part), is refused: --add adds it, --replace\n"
        "replaces. Coarse data (sums by day without resources) gives way to detailed data of\n"
        "the same provider, account and days. All of it is imported, or nothing: what was\n"
        "read is compared with each file's own total, to the last digit.",
    .examples = "stint import may.csv.gz\n"
                "stint import exports/20260501-20260601/\n"
                "stint import azure-actual.csv azure-amortised.csv\n"
                "zcat focus.csv.gz | stint import - --dry-run",
    .print = print,
};
