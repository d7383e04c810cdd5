/* Recording and alert rules for Prometheus, from the table of metrics. */
#include "generate/metrics.h"

/* A YAML text in single quotes, which need no escapes but for themselves. */
static void write_quoted_rule(const char *text, struct buf *out)
{
    buf_char(out, '\'');
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            buf_char(out, '\'');
        buf_char(out, *text);
    }
    buf_char(out, '\'');
}

static void write_rule_key(const char *key, const char *value, struct buf *out)
{
    buf_adds(out, key);
    write_quoted_rule(value, out);
    buf_char(out, '\n');
}

static void write_record(const struct metric_record *r, struct buf *out)
{
    buf_addf(out, "      - record: %s\n", r->name);
    write_rule_key("        expr: ", r->query, out);
}

static void write_alert(const struct metric_alert *a, struct buf *out)
{
    buf_addf(out, "      - alert: %s\n        expr: '", a->name);
    buf_addf(out, "%s %s'\n        for: %s\n", a->query, a->condition, a->lasting);
    buf_addf(out, "        labels:\n          severity: %s\n        annotations:\n",
             a->severity);
    write_rule_key("          summary: ", a->summary, out);
    write_rule_key("          description: ", a->action, out);
}

void metrics_write_rules(struct buf *out)
{
    buf_adds(out, "# Rules for Prometheus, written by 'stint metrics rules'.\n"
                  "groups:\n  - name: stint-records\n    rules:\n");
    for (size_t i = 0; i < METRIC_IDS; i++)
        if (metrics_table[i].record.name != NULL)
            write_record(&metrics_table[i].record, out);
    buf_adds(out, "  - name: stint-alerts\n    rules:\n");
    for (size_t i = 0; i < METRIC_IDS; i++)
        if (metrics_table[i].alert.name != NULL)
            write_alert(&metrics_table[i].alert, out);
}
