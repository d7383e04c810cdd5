/* stint anomalies */
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "cli/alert_view.h"
#include "cli/commands.h"
#include "cli/costs_view.h"
#include "op/budget/anomalies.h"
#include "op/op.h"
#include "report/records.h"
#include "unit/shown.h"

#define LONGEST 9e9 /* seconds that fit a span */

static void print_anomaly_table(const struct view *view, const struct anomalies_result *res)
{
    struct columns columns =
        columns_by(res->by, NULL, &anomaly_columns[PLACE_TERMINAL], view->arena);

    columns_print(&columns, &res->events.rows, &view->term, view->arena, view->out);
}

static void print_anomaly_sums(const struct view *view, const struct anomalies_result *res)
{
    struct buf *out = view->out;

    buf_addf(out, "%lld event%s in %lld series of days, judged until ", (long long)res->count,
             res->count == 1 ? "" : "s", (long long)res->events.series);
    day_write(res->events.known_until, out);
    buf_adds(out, ", the last complete day\n");
    if (res->count > (int64_t)res->events.rows.len)
        buf_adds(out, "older ones are not shown: --limit 0 shows all\n");
    if (res->events.too_short > 0)
        buf_addf(out, "%lld of them %s 28 days or fewer: not judged\n",
                 (long long)res->events.too_short, res->events.too_short == 1 ? "has" : "have");
    if (res->alerts > 0)
        buf_addf(out, "%lld alert%s sent in these days, %lld of them false\n",
                 (long long)res->alerts, res->alerts == 1 ? " was" : "s were",
                 (long long)res->false_alarms);
}

/* ---- of values that are in no ledger ---- */

static bool write_anomaly_value(const struct column *column, const void *record,
                                struct buf *out)
{
    const struct readings_event *event = record;

    buf_adds(out, num_figures(column->index == 0 ? event->value : event->expected).text);
    return true;
}

static enum term_style style_of_values(const void *row)
{
    return ((const struct readings_event *)row)->of.goes_on ? STYLE_WARN : STYLE_PLAIN;
}

static void print_values_table(const struct view *view, const struct anomalies_result *res)
{
    static const struct column columns[] = {
        COLUMN("began", first),
        COLUMN("ended", last),
        COLUMN("direction", direction),
        COLUMN_CELL("value", write_anomaly_value, .side = COLUMN_RIGHT),
        COLUMN_CELL("expected", write_anomaly_value, .side = COLUMN_RIGHT, .index = 1),
        COLUMN("state", state),
    };

    view_rows(view, &op_anomalies, res, "values.events",
              COLUMNS(columns, .style = style_of_values));
}

/* "2 events in 4032 values of gpu.csv, one every 5min from 2026-04-01 00:00 to ... (UTC)" */
static void print_values_sums(const struct view *view, const struct anomalies_result *res)
{
    const struct anomaly_values *v = &res->values;
    struct buf *out = view->out;

    buf_addf(out, "%lld event%s in %lld value%s of ", (long long)res->count,
             res->count == 1 ? "" : "s", (long long)v->values, v->values == 1 ? "" : "s");
    buf_add_safe(out, str_eq(v->file, STR("-")) ? STR("standard input") : v->file);
    buf_adds(out, ", one every ");
    span_write((span){(int64_t)(fmin(v->interval_s, LONGEST) * 1e9)}, out);
    buf_adds(out, " from ");
    value_time(v->first, false, out);
    buf_adds(out, " to ");
    value_time(v->last, false, out);
    buf_adds(out, " (UTC)\n");
    if (res->count > (int64_t)v->events.len)
        buf_adds(out, "older ones are not shown: --limit 0 shows all\n");
}

static void print_anomaly_values(const struct view *view, const struct anomalies_result *res)
{
    const struct anomaly_values *v = &res->values;
    bool daily = str_eq(v->method, STR("daily"));
    struct buf *out = view->out;

    if (v->events.len > 0) {
        print_values_table(view, res);
        buf_char(out, '\n');
    }
    print_values_sums(view, res);
    buf_addf(out, "method: %s\n",
             daily ? "daily (each day compared with its weekday's level)"
             : v->together > 1
                 ? "telemetry (hourly means compared with all before and with the same hour of "
                   "other days)"
                 : "telemetry (values compared with all before and with the same hour of other "
                   "days)");
    if (v->events.len > 0)
        buf_addf(out, "value and expected: means of the %s of the event\n",
                 daily             ? "days"
                 : v->together > 1 ? "hours"
                                   : "values");
    if (v->gaps > 0)
        buf_addf(out, "%lld %s no value: not judged, and not counted as 0\n",
                 (long long)v->gaps,
                 daily          ? v->gaps == 1 ? "day has" : "days have"
                 : v->gaps == 1 ? "interval has"
                                : "intervals have");
    if (res->events.too_short > 0)
        buf_addf(out, "that is %s or fewer: nothing is judged yet\n",
                 daily ? "28 days" : "3 days");
    costs_print_csv(view, res->csv, v->events.len);
}

static void print_anomalies(const struct view *view, const void *result)
{
    const struct anomalies_result *res = result;

    if (res->values.file.len > 0) {
        print_anomaly_values(view, res);
        return;
    }
    if (res->events.series == 0) {
        costs_print_nothing(view, &res->basis);
    } else {
        if (res->events.rows.len > 0) {
            print_anomaly_table(view, res);
            buf_char(view->out, '\n');
        }
        print_anomaly_sums(view, res);
        costs_print_basis(view, &res->basis);
    }
    costs_print_csv(view, res->csv, res->events.rows.len);
    if (res->alerted)
        alert_view_sent(view, &res->delivered, false);
}

const struct command cmd_anomalies = {
    .name = "anomalies",
    .op = &op_anomalies,
    .group = {"days of unusual spending and their likely causes", .stage = CLI_AFTER},
    .about =
        "Lists unusual spending: how much more or less than expected, and the likely cause in "
        "another dimension. A day is compared with the level of its weekday and with the usual "
        "variation before; both --min-difference and --share must be reached. Series of 28 "
        "days or "
        "fewer, and today, are not judged. --alert sends events that go on to channels: once, "
        "again when one has doubled, and when it is over. 'stint alert ack ID --false-alarm' "
        "marks an alert as false.\n\n"
        "--values judges the values of a CSV file instead, and needs no ledger: hourly "
        "spending, GPU utilization, requests, power. The columns are time (also timestamp, "
        "date, start) and value (cost, amount, mean; --column names another); without a "
        "header, the first two. Times are RFC 3339 or '2026-11-15 10:00:00' (UTC). Daily or "
        "rarer values are judged as spending is; values that come more often by hourly means, "
        "from the fourth day on. Missing values are not judged, and not counted as 0.",
    .examples = "stint anomalies\n"
                "stint anomalies --by team,service --since 30d --min-difference 100usd\n"
                "stint anomalies --by service --alert ops\n"
                "stint anomalies --values utilization.csv --column gpu0 --csv events.csv",
    .print = print_anomalies,
};
