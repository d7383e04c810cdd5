/* Bills as rows. */
#include "account/import/bill_view.h"
#include "report/records.h"

static bool write_bill_amounts(const struct column *column, const void *row, struct buf *out)
{
    const struct bill_view *bill = row;

    (void)column;
    buf_adds(out, bill_amounts_names[bill->bill.bill.amounts]);
    buf_adds(out, bill->bill.bill.paired ? ", paired" : "");
    return true;
}

void bill_write_format(struct str format, struct str version, struct buf *out)
{
    buf_add(out, format);
    buf_adds(out, version.len > 0 ? " " : "");
    buf_add(out, version);
}

static bool write_bill_format(const struct column *column, const void *row, struct buf *out)
{
    const struct bill_view *bill = row;

    (void)column;
    bill_write_format(bill->bill.bill.format, bill->bill.bill.version, out);
    return true;
}

/* On the terminal, where bills are checked, amounts have all digits. */
static const struct column list[] = {
    COLUMN("bill", key, .places = ON_TERMINAL),
    COLUMN("provider", provider),
    COLUMN("account", account, .shrink = true, .wide = true),
    COLUMN("period", period),
    COLUMN("lines", lines, .wide = true),
    COLUMN("billed", billed, .form = COLUMN_EXACT, .unknown = "?", .places = ON_TERMINAL),
    COLUMN("effective", effective, .form = COLUMN_EXACT, .unknown = "?", .places = ON_TERMINAL),
    COLUMN("billed", billed, .unknown = "?", .places = ON_PAGE),
    COLUMN("effective", effective, .unknown = "?", .optional = true, .places = ON_PAGE),
    COLUMN_CELL("amounts", write_bill_amounts, .optional = true),
    COLUMN("format", format, .cell = write_bill_format, .optional = true),
    COLUMN("imported (UTC)", imported, .optional = true),
};

const struct columns bill_columns[PLACES] = COLUMNS_OF_RECORD(list, NULL);
