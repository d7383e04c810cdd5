/* stint meters */
#include <math.h>

#include "base/num.h"
#include "cli/commands.h"
#include "cli/view.h"
#include "op/run/meters.h"

static void add_number(struct buf *out, double n)
{
    if (n == round(n))
        num_write_fixed(n, 0, out);
    else
        num_write_fixed(n, 2, out); /* "?" when it is not known */
}

/* "12.3 W", "0.25 of 2 cores"; "-" for what has no figure. */
static void value_cell(struct table *t, const struct meters_row *row)
{
    struct buf text = buf_new(t->arena->alloc, 128);

    if (isnan(row->value) && row->unit.len == 0) {
        buf_char(&text, '-');
    } else {
        add_number(&text, row->value);
        if (!isnan(row->total)) {
            buf_adds(&text, " of ");
            add_number(&text, row->total);
        }
        buf_adds(&text, row->unit.len > 0 ? " " : "");
        buf_add(&text, row->unit);
    }
    t->failed = t->failed || text.failed != ERROR_NONE;
    table_text(t, buf_text(&text));
    buf_free(&text);
}

static void error_cell(struct table *t, double error)
{
    if (isnan(error))
        table_cell(t, "-");
    else
        table_cell(t, "+-%.0f %%", error * 100);
}

static void print_table(const struct view *view, const struct meters_row *rows, size_t count)
{
    static const struct table_column columns[] = {
        {.title = "meter"},
        {.title = "device", .shrink = true, .optional = true},
        {.title = "now", .right = true},
        {.title = "method"},
        {.title = "error", .right = true},
        {.title = "source", .shrink = true, .optional = true},
    };
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);

    for (size_t i = 0; i < count; i++) {
        if (str_eq(rows[i].method, STR("unknown")))
            continue; /* told below */
        table_text(&t, rows[i].meter);
        table_text(&t, rows[i].device);
        value_cell(&t, &rows[i]);
        table_text(&t, rows[i].method);
        error_cell(&t, rows[i].error);
        table_text(&t, rows[i].source);
    }
    table_write(&t, &view->term, view->out);
}

static void print_missing(const struct view *view, const struct meters_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (rows[i].missing.len == 0)
            continue;
        buf_char(view->out, '\n');
        buf_add_safe(view->out, rows[i].meter);
        if (rows[i].device.len > 0) {
            buf_adds(view->out, " of ");
            buf_add_safe(view->out, rows[i].device);
        }
        buf_adds(view->out, ": ");
        buf_add_safe(view->out, rows[i].missing);
        buf_char(view->out, '\n');
        if (rows[i].remedy.len > 0) {
            buf_adds(view->out, "  to get it: ");
            buf_add_safe(view->out, rows[i].remedy);
            buf_char(view->out, '\n');
        }
    }
}

static void print_meters(const struct view *view, const void *result)
{
    const struct meters_result *res = result;
    const struct meters_cloud *cloud = &res->cloud;
    const struct str facts[] = {cloud->instance, cloud->region, cloud->id};

    print_table(view, res->meters.at, res->meters.len);
    print_missing(view, res->meters.at, res->meters.len);
    buf_adds(view->out, "\ncloud: ");
    if (cloud->provider.len == 0) {
        buf_adds(view->out, "none is recognised; nobody was asked\n");
        return;
    }
    buf_add_safe(view->out, cloud->provider);
    for (size_t i = 0; i < ARRAY_LEN(facts); i++) {
        if (facts[i].len > 0)
            buf_char(view->out, ' ');
        buf_add_safe(view->out, facts[i]);
    }
    buf_adds(view->out, ", since ");
    buf_add_safe(view->out, cloud->because);
    buf_adds(view->out, "; nobody was asked\n");
}

const struct command cmd_meters = {
    .name = "meters",
    .op = &op_meters,
    .about =
        "What this machine offers to meter a run by: each meter with what it says now,\n"
        "how the figure is come by (a counter misses nothing; sampled is looked at now and\n"
        "then; modelled is worked out) and how far off it may be. Below stands what is\n"
        "missing, and what to type to get it; then whose machine this is, as far as its\n"
        "firmware and environment tell: no packet is sent.",
    .examples = "stint meters\n"
                "stint meters --for 10s\n"
                "stint meters --json",
    .print = print_meters,
};
