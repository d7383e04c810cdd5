/* stint meters */
#include <math.h>

#include "base/num.h"
#include "cli/commands.h"
#include "cli/view.h"
#include "op/run/meters.h"
#include "unit/shown.h"

static void add_meter_number(struct buf *out, double n)
{
    if (n == round(n))
        num_write_fixed(n, 0, out);
    else
        num_write_fixed(n, 2, out); /* "?" when it is not known */
}

/* "12.3 W", "0.25 of 2 cores"; nothing for what has no figure. */
static bool write_meter_value(const struct column *column, const void *row, struct buf *out)
{
    const struct meter_offer *meter = row;

    (void)column;
    if (isnan(meter->value) && meter->unit.len == 0)
        return true;
    add_meter_number(out, meter->value);
    if (!isnan(meter->total)) {
        buf_adds(out, " of ");
        add_meter_number(out, meter->total);
    }
    buf_adds(out, meter->unit.len > 0 ? " " : "");
    buf_add(out, meter->unit);
    return true;
}

static bool write_meter_error(const struct column *column, const void *row, struct buf *out)
{
    const struct meter_offer *meter = row;

    (void)column;
    if (!isnan(meter->error)) {
        buf_adds(out, "+-");
        value_share(meter->error, out);
    }
    return true;
}

/* The others are listed below the table. */
static bool is_measured(const void *row)
{
    return ((const struct meter_offer *)row)->method != METHOD_NONE;
}

static const struct column meter_columns[] = {
    COLUMN("meter", meter),
    COLUMN("device", device, .shrink = true, .optional = true, .unknown = ""),
    COLUMN("now", value, .cell = write_meter_value),
    COLUMN("method", method),
    COLUMN("error", error, .cell = write_meter_error),
    COLUMN("source", source, .shrink = true, .optional = true, .unknown = ""),
};

static void print_missing_meters(const struct view *view, const struct meter_offer *rows,
                                 size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (rows[i].missing.len == 0)
            continue;
        buf_char(view->out, '\n');
        buf_add_safe(view->out, rows[i].name);
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
    const struct cloud_facts *cloud = &res->cloud;
    const char *const facts[] = {cloud->instance, cloud->region, cloud->id};

    view_rows(view, &op_meters, res, "meters", COLUMNS(meter_columns, .shown = is_measured));
    print_missing_meters(view, res->meters.at, res->meters.len);
    buf_adds(view->out, "\ncloud: ");
    if (cloud->provider.len == 0) {
        buf_adds(view->out, "none recognized (without network access)\n");
        return;
    }
    buf_add_safe(view->out, cloud->provider);
    for (size_t i = 0; i < ARRAY_LEN(facts); i++) {
        if (facts[i][0] != '\0')
            buf_char(view->out, ' ');
        buf_add_safe(view->out, str_from(facts[i]));
    }
    buf_adds(view->out, ": ");
    buf_add_safe(view->out, str_from(cloud->because));
    buf_adds(view->out, " (without network access)\n");
}

const struct command cmd_meters = {
    .name = "meters",
    .op = &op_meters,
    .group = {"what Stint can measure on this machine", .stage = CLI_SETUP},
    .about = "Shows what Stint can measure on this machine: each meter with its current value, "
             "the method (a counter misses nothing; sampled values are read from time to time; "
             "modeled values are computed) and the error. Below the table: what is missing and "
             "what to type to get it; then the cloud of this machine, recognized by its "
             "firmware and environment, without network access.",
    .examples = "stint meters\n"
                "stint meters --for 10s\n"
                "stint meters --json",
    .print = print_meters,
};
