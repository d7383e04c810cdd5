/* stint anomalies */
#include <math.h>

#include "base/num.h"
#include "cli/alert_view.h"
#include "cli/commands.h"
#include "cli/costs_view.h"
#include "cli/runs_view.h"
#include "op/forecast.h"

#define CELL_MAX 512

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
        buf_adds(&text, " in it (");
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
    columns[count++] = (struct table_column){.title = "probably because of", .shrink = true};
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
    buf_adds(out, ", the last whole day\n");
    if (res->count > (int64_t)res->rows.len)
        buf_adds(out, "older ones are not shown: --limit 0 shows all\n");
    if (res->too_short > 0)
        buf_addf(out, "%lld of them %s 28 days or fewer: nothing is said of %s\n",
                 (long long)res->too_short, res->too_short == 1 ? "has" : "have",
                 res->too_short == 1 ? "it" : "those");
    if (res->alerts > 0)
        buf_addf(out, "%lld alert%s told in these days, %lld of them false\n",
                 (long long)res->alerts, res->alerts == 1 ? " was" : "s were",
                 (long long)res->false_alarms);
}

static void print(const struct view *view, const void *result)
{
    const struct anomalies_result *res = result;

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
    if (res->told)
        alert_view_sent(view, &res->delivered, false);
}

const struct command cmd_anomalies = {
    .name = "anomalies",
    .op = &op_anomalies,
    .about =
        "Days whose spending is out of the ordinary, each event once: how much more or\n"
        "less than expected, and which other dimension it is probably because of. A day is\n"
        "held against its weekday's level and against what was ordinary before; both\n"
        "--least and --share must be reached. Nothing is said before there are 28 days, nor\n"
        "of the running day. --alert tells channels of events that go on: once, again when\n"
        "one has doubled, and when it is over. 'stint alert ack ID --false-alarm' counts it\n"
        "as false.",
    .examples = "stint anomalies\n"
                "stint anomalies --by team,service --since 30d --least 100usd\n"
                "stint anomalies --by service --alert ops",
    .print = print,
};
