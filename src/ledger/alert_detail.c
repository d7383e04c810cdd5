/* The facts of an alert, as the ledger keeps them and messages carry them. */
#include "ledger/budgets.h"

#include "doc/json_write.h"

static const struct field fact_fields[] = {
    FIELD(TEXT, alert_fact, name, .help = "label"),
    FIELD(TEXT, alert_fact, value, .help = "value as text"),
};
static const struct field_set fact_set = FIELD_SET(struct alert_fact, fact_fields);

static const struct field detail_fields[] = {
    FIELD(LIST, alert_detail, facts, .row = &fact_set, .help = "labeled values"),
    FIELD(TEXT, alert_detail, scope, .help = "JSON object: what the alert is about"),
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
