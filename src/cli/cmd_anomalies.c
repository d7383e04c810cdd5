/* stint anomalies */
#include <math.h>

#include "base/num.h"
#include "cli/alert_view.h"
#include "cli/commands.h"
#include "cli/costs_view.h"
#include "cli/runs_view.h"
#include "op/budget/forecast.h"

#define CELL_MAX 512
#define LONGEST 9e9 /* seconds that fit a span */

/* "2026-11-03, 4 days" */
static void days_cell(struct table *t, const struct anomaly_row *row)
{
    struct buf text = buf_new(t->arena->alloc, CELL_MAX);
    int days = row->last.n - row->first.n + 1;

    day_write(row->first, &text);
    if (days > 1)
        buf_addf(&text, ", %d days", days);
    runs_cell(t, &text);
}

/* "instance=p5.48xlarge with team=nlp: $40.00 a day before, $910.00 now (96 %)" */
static void why_cell(struct table *t, const struct anomaly_row *row)
{
    struct buf text = buf_new(t->arena->alloc, CELL_MAX);

    if (row->note.len > 0)
        buf_add(&text, row->note);
    if (row->cause.len > 0) {
        buf_adds(&text, row->note.len > 0 ? " " : "");
        buf_add(&text, row->cause);
        if (row->cause_too.len > 0) {
            buf_adds(&text, " with ");
            buf_add(&text, row->cause_too);
        }
        buf_adds(&text, ": ");
        costs_write(&row->cause_before, &text);
        buf_adds(&text, " a day before, ");
        costs_write(&row->cause_now, &text);
        buf_adds(&text, " during it (");
        num_write_fixed(100 * row->explains, 0, &text);
        buf_adds(&text, " % of the change)");
    }
    if (row->also.len > 0) {
        buf_adds(&text, text.len > 0 ? "; also " : "also ");
        buf_add(&text, row->also);
    }
    runs_cell(t, &text);
}

static void print_table(const struct view *view, const struct anomalies_result *res)
{
    const struct anomaly_row *rows = res->rows.at;
    struct table_column columns[TABLE_MAX_COLUMNS] = {{.title = "began"}};
    size_t count = 1 + costs_name_columns(res->by, columns + 1, view->arena);
    struct table t;

    columns[count++] = (struct table_column){.title = "change", .right = true};
    columns[count++] = (struct table_column){.title = "expected", .right = true};
    columns[count++] = (struct table_column){.title = "spent", .right = true};
    columns[count++] = (struct table_column){.title = "state"};
    columns[count++] = (struct table_column){.title = "likely cause", .shrink = true};
    t = table_new(columns, count, view->arena);
    for (size_t i = 0; i < res->rows.len; i++) {
        days_cell(&t, &rows[i]);
        costs_name_cells(&t, res->by, rows[i].value, 0);
        costs_change_cell(&t, &rows[i].change);
        costs_cell(&t, &rows[i].expected);
        costs_cell(&t, &rows[i].actual);
        table_text(&t, rows[i].state);
        why_cell(&t, &rows[i]);
        if (str_eq(rows[i].state, STR("goes on")))
            table_style(&t, STYLE_WARN);
    }
    table_write(&t, &view->term, view->out);
}

static void print_sums(const struct view *view, const struct anomalies_result *res)
{
    struct buf *out = view->out;

    buf_addf(out, "%lld event%s in %lld series of days, judged until ", (long long)res->count,
             res->count == 1 ? "" : "s", (long long)res->series);
    day_write(res->known_until, out);
    buf_adds(out, ", the last complete day\n");
    if (res->count > (int64_t)res->rows.len)
        buf_adds(out, "older ones are not shown: --limit 0 shows all\n");
    if (res->too_short > 0)
        buf_addf(out, "%lld of them %s 28 days or fewer: not judged\n",
                 (long long)res->too_short, res->too_short == 1 ? "has" : "have");
    if (res->alerts > 0)
        buf_addf(out, "%lld alert%s sent in these days, %lld of them false\n",
                 (long long)res->alerts, res->alerts == 1 ? " was" : "s were",
                 (long long)res->false_alarms);
}

/* ---- of values that are in no ledger ---- */

static void time_cell(struct table *t, struct str at)
{
    struct buf text = buf_new(t->arena->alloc, CELL_MAX);

    runs_when(at, false, &text);
    runs_cell(t, &text);
}

static void print_values_table(const struct view *view, const struct rows *events)
{
    static const struct table_column columns[] = {
        {.title = "began"},
        {.title = "ended"},
        {.title = "direction"},
        {.title = "value", .right = true},
        {.title = "expected", .right = true},
        {.title = "state"},
    };
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);
    const struct anomaly_value_row *rows = events->at;

    for (size_t i = 0; i < events->len; i++) {
        time_cell(&t, rows[i].first);
        time_cell(&t, rows[i].last);
        table_text(&t, rows[i].direction);
        table_cell(&t, "%.4g", rows[i].value);
        table_cell(&t, "%.4g", rows[i].expected);
        table_text(&t, rows[i].state);
        if (str_eq(rows[i].state, STR("goes on")))
            table_style(&t, STYLE_WARN);
    }
    table_write(&t, &view->term, view->out);
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
    runs_when(v->first, false, out);
    buf_adds(out, " to ");
    runs_when(v->last, false, out);
    buf_adds(out, " (UTC)\n");
    if (res->count > (int64_t)v->events.len)
        buf_adds(out, "older ones are not shown: --limit 0 shows all\n");
}

static void print_values(const struct view *view, const struct anomalies_result *res)
{
    const struct anomaly_values *v = &res->values;
    bool daily = str_eq(v->method, STR("daily"));
    struct buf *out = view->out;

    if (v->events.len > 0) {
        print_values_table(view, &v->events);
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
    if (res->too_short > 0)
        buf_addf(out, "that is %s or fewer: nothing is judged yet\n",
                 daily ? "28 days" : "3 days");
    costs_print_csv(view, res->csv, v->events.len);
}

static void print_anomalies(const struct view *view, const void *result)
{
    const struct anomalies_result *res = result;

    if (res->values.file.len > 0) {
        print_values(view, res);
        return;
    }
    if (res->series == 0) {
        costs_print_nothing(view, &res->basis);
    } else {
        if (res->rows.len > 0) {
            print_table(view, res);
            buf_char(view->out, '\n');
        }
        print_sums(view, res);
        costs_print_basis(view, &res->basis);
    }
    costs_print_csv(view, res->csv, res->rows.len);
    if (res->told)
        alert_view_sent(view, &res->delivered, false);
}

const struct command cmd_anomalies = {
    .name = "anomalies",
    .op = &op_anomalies,
    .about =
        "Lists unusual spending: how much more or less than expected, and the likely\n"
        "cause in another dimension. A day is compared with the level of its weekday and with\n"
        "the usual variation before; both --least and --share must be reached. Series of 28\n"
        "days or fewer, and today, are not judged. --alert sends events that go on to\n"
        "channels: once, again when one has doubled, and when it is over. 'stint alert ack ID\n"
        "--false-alarm' marks an alert as false.\n"
        "\n"
        "--values judges the values of a CSV file instead, and needs no ledger: hourly\n"
        "spending, GPU utilization, requests, power. The columns are time (also timestamp,\n"
        "date, start) and value (cost, amount, mean; --column names another); without a\n"
        "header, the first two. Times are RFC 3339 or '2026-11-15 10:00:00' (UTC). Daily or\n"
        "rarer values are judged as spending is; values that come more often by hourly\n"
        "means, from the fourth day on. Missing values are not judged, and not counted as 0.",
    .examples = "stint anomalies\n"
                "stint anomalies --by team,service --since 30d --least 100usd\n"
                "stint anomalies --by service --alert ops\n"
                "stint anomalies --values utilization.csv --column gpu0 --csv events.csv",
    .print = print_anomalies,
};
