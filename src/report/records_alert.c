/* Alerts as rows. */
#include "ledger/budgets.h"
#include "report/records.h"

static bool write_alert_state(const struct column *column, const void *row, struct buf *out)
{
    const struct ledger_alert *alert = row;

    (void)column;
    buf_adds(out, alert->false_alarm ? "false alarm" : "");
    return alert->false_alarm;
}

enum term_style alert_style(const void *row)
{
    const struct ledger_alert *alert = row;

    return !alert->firing ? STYLE_DIM : alert->acknowledged ? STYLE_PLAIN : STYLE_WARN;
}

static const struct column list[] = {
    COLUMN("id", id, .places = ON_TERMINAL),
    COLUMN("alert", title, .shrink = true, .unknown = ""),
    COLUMN("state", state, .cell = write_alert_state, .places = ON_TERMINAL | ON_PAGE),
    COLUMN("severity", severity),
    COLUMN("since (UTC)", started, .wide = true),
    COLUMN("changed (UTC)", changed, .optional = true, .places = ON_TERMINAL | ON_PAGE),
    COLUMN("updates", updates, .optional = true, .places = ON_TERMINAL),
    COLUMN("seen by", acknowledged_by, .if_any = true, .optional = true,
           .places = ON_TERMINAL | ON_PAGE),
};

const struct columns alert_columns[PLACES] = COLUMNS_OF_RECORD(list, alert_style);
