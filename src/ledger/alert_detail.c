/* Alerts as records: the fields of results, and the facts that messages carry. */
#include "ledger/budgets.h"

#include "doc/json_write.h"

static const char *const states[] = {"resolved", "firing", NULL};

static const struct field alert_fields[] = {
    FIELD_AS("id", COUNT, ledger_alert, key, .help = "ID, for acknowledging it"),
    FIELD_AS("state", ENUM, ledger_alert, firing, .names = states,
             .help = "firing or resolved"),
    FIELD(TEXT, ledger_alert, severity, .help = "info, warning, error or critical"),
    FIELD(TEXT, ledger_alert, title, .help = "title, one line"),
    FIELD_AS("text", TEXT, ledger_alert, words, .help = "a few sentences"),
    FIELD(TEXT, ledger_alert, kind, .help = "budget_threshold, anomaly, ..."),
    FIELD(TEXT, ledger_alert, dedup, .help = "key of the event for receivers"),
    FIELD_AS("started", TIME, ledger_alert, began, .help = "start time in UTC"),
    FIELD(TIME, ledger_alert, changed, .help = "last change in UTC"),
    FIELD(TIME, ledger_alert, ended, .help = "end time in UTC; null while it fires"),
    FIELD(TEXT, ledger_alert, acknowledged_by, .empty_unknown = true,
          .help = "user who acknowledged it"),
    FIELD(FLAG, ledger_alert, false_alarm, .help = "marked as a false alarm"),
    FIELD(COUNT, ledger_alert, updates, .help = "number of times it was sent again"),
};
const struct field_set ledger_alert_fields = FIELD_SET(struct ledger_alert, alert_fields);

static const struct field fact_fields[] = {
    FIELD(TEXT, alert_fact, name, .help = "label"),
    FIELD(TEXT, alert_fact, value, .help = "value as text"),
};
static const struct field_set fact_set = FIELD_SET(struct alert_fact, fact_fields);

static const struct field detail_fields[] = {
    FIELD(LIST, alert_detail, facts, .row = &fact_set, .help = "labeled values"),
    FIELD(TEXT, alert_detail, scope, .help = "JSON object: scope of the alert"),
    FIELD(TEXT, alert_detail, budget, .help = "JSON object: the budget with exact amounts"),
    FIELD(TEXT, alert_detail, link, .help = "address of a page"),
};
const struct field_set alert_detail_fields = FIELD_SET(struct alert_detail, detail_fields);

bool alert_detail_write(const struct alert_detail *detail, struct arena *arena, struct str *out,
                        struct error *err)
{
    struct buf text = buf_new(arena->alloc, BUF_MAX_OUTPUT);

    json_write_record(&alert_detail_fields, detail, NULL, &text);
    return buf_keep(&text, arena, out, err);
}
