/* Anomalies as rows. */
#include "base/num.h"
#include "budget/anomalies.h"
#include "report/records.h"

/* "2026-11-03, 4 days" */
static bool write_anomaly_days(const struct column *column, const void *record, struct buf *out)
{
    const struct anomaly_row *row = record;
    int days = row->last.n - row->first.n + 1;

    (void)column;
    day_write(row->first, out);
    if (days > 1)
        buf_addf(out, ", %d days", days);
    return true;
}

/* "instance=p5.48xlarge with team=nlp: $40.00 a day before, $910.00 during it (96 % of the
 * change)" */
static bool write_anomaly_cause(const struct column *column, const void *record,
                                struct buf *out)
{
    const struct anomaly_row *row = record;

    (void)column;
    buf_add(out, row->note);
    if (row->cause.len > 0) {
        buf_adds(out, row->note.len > 0 ? " " : "");
        buf_add(out, row->cause);
        if (row->cause_too.len > 0) {
            buf_adds(out, " with ");
            buf_add(out, row->cause_too);
        }
        buf_adds(out, ": ");
        money_write_cents(&row->cause_before, out);
        buf_adds(out, " a day before, ");
        money_write_cents(&row->cause_now, out);
        buf_adds(out, " during it (");
        num_write_fixed(100 * row->explains, 0, out);
        buf_adds(out, " % of the change)");
    }
    if (row->also.len > 0) {
        buf_adds(out, out->len > 0 ? "; also " : "also ");
        buf_add(out, row->also);
    }
    return true;
}

enum term_style anomaly_style(const void *row)
{
    return ((const struct anomaly_row *)row)->goes_on ? STYLE_WARN : STYLE_PLAIN;
}

/* After those of what --by names. */
static const struct column list[] = {
    COLUMN("began", first, .cell = write_anomaly_days),
    COLUMN("change", change, .form = COLUMN_CHANGE),
    COLUMN("expected", expected, .places = ON_TERMINAL | IN_REPORT),
    COLUMN("spent", actual, .places = ON_TERMINAL | IN_REPORT),
    COLUMN("state", state),
    COLUMN("likely cause", cause, .cell = write_anomaly_cause, .shrink = true, .unknown = "",
           .wide = true),
};

const struct columns anomaly_columns[PLACES] = COLUMNS_OF_RECORD(list, anomaly_style);
