/* stint price regions */
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "cli/commands.h"
#include "cli/view.h"
#include "op/price/price_regions.h"

enum {
    MARK,
    MACHINE,
    REGION,
    SPOT,
    ON_DEMAND,
    SPOT_TOTAL,
    TOTAL,
    SAVING,
    ZONE,
    GRID,
    CARBON,
    DATE,
    SOURCE,
    COLUMNS
};

/* What may go on a narrow terminal goes from the right; an hour's price is in the totals. */
static const struct table_column columns[COLUMNS] = {
    [MARK] = {.title = ""},
    [MACHINE] = {.title = "machine", .shrink = true},
    [REGION] = {.title = "region", .shrink = true},
    [SPOT] = {.title = "spot/h", .right = true, .optional = true},
    [ON_DEMAND] = {.title = "on-demand/h", .right = true, .optional = true},
    [SPOT_TOTAL] = {.title = "spot total", .right = true},
    [TOTAL] = {.title = "total", .right = true},
    [SAVING] = {.title = "saving", .right = true, .optional = true},
    [ZONE] = {.title = "spot zone", .optional = true},
    [GRID] = {.title = "g/kWh", .right = true, .optional = true},
    [CARBON] = {.title = "kg CO2e", .right = true, .optional = true},
    [DATE] = {.title = "of", .optional = true},
    [SOURCE] = {.title = "source", .optional = true, .shrink = true},
};

static void unknown_or(struct table *t, double n, int decimals)
{
    if (isnan(n))
        table_text(t, STR("?"));
    else
        view_number(t, n, decimals);
}

static void add_row(struct table *t, const struct region_price *r)
{
    table_cell(t, "%s%s", r->cheapest ? "*" : "", r->cheapest_spot ? "s" : "");
    table_text(t, r->instance);
    table_cell(t, "%.*s/%.*s", STR_ARG(r->provider), STR_ARG(r->region));
    view_rate(t, r->spot);
    view_rate(t, r->on_demand);
    view_amount(t, r->spot_total);
    view_amount(t, r->on_demand_total);
    if (isnan(r->saving))
        table_text(t, STR("?"));
    else
        view_percent(t, r->saving);
    table_text(t, r->zone.len > 0 ? r->zone : STR("-"));
    unknown_or(t, r->carbon_g_kwh, 0);
    unknown_or(t, r->carbon_kg, r->carbon_kg < 10 ? 1 : 0);
    view_day(t, r->date);
    table_text(t, r->source);
    table_style(t, r->cheapest || r->cheapest_spot ? STYLE_GOOD : STYLE_PLAIN);
}

/* A cell of a Markdown table: a bar would end it, an asterisk start something. */
static void put_cell(const struct view *view, struct str text)
{
    while (text.len > 0) {
        struct str plain = {text.at, 0};

        while (plain.len < text.len && strchr("|*_", text.at[plain.len]) == NULL)
            plain.len++;
        buf_add_safe(view->out, plain);
        if (plain.len < text.len)
            buf_addf(view->out, "\\%c", text.at[plain.len++]);
        text.at += plain.len;
        text.len -= plain.len;
    }
    buf_adds(view->out, " | ");
}

static void put_number(const struct view *view, double n, int decimals, const char *after)
{
    if (isnan(n)) {
        buf_adds(view->out, "?");
    } else {
        num_write_fixed(n, decimals, view->out);
        buf_adds(view->out, after);
    }
    buf_adds(view->out, " | ");
}

static void put_amount(const struct view *view, usd amount, bool bold)
{
    buf_adds(view->out, bold ? "**" : "");
    usd_write(amount, view->out);
    buf_adds(view->out, bold ? "** | " : " | ");
}

static void markdown_row(const struct view *view, const struct region_price *r)
{
    buf_adds(view->out, "| ");
    put_cell(view, r->instance);
    put_cell(view, r->provider);
    put_cell(view, r->region);
    put_amount(view, (usd){r->spot.nano}, r->cheapest_spot);
    put_amount(view, (usd){r->on_demand.nano}, r->cheapest);
    put_amount(view, r->spot_total, r->cheapest_spot);
    put_amount(view, r->on_demand_total, r->cheapest);
    put_number(view, r->saving * 100, 0, " %");
    put_number(view, r->carbon_g_kwh, 0, "");
    put_number(view, r->carbon_kg, r->carbon_kg < 10 ? 1 : 0, "");
    day_write(r->date, view->out);
    buf_adds(view->out, " |\n");
}

/* Where the prices are from, each source once. */
#define SOURCES 16 /* that are named */

static void put_sources(const struct view *view, const struct price_regions_result *res)
{
    const struct region_price *rows = res->regions.at;

    struct str told[SOURCES];
    size_t count = 0;

    for (size_t i = 0; i < res->regions.len && count < SOURCES; i++) {
        size_t k = 0;

        while (k < count && !str_eq(told[k], rows[i].source))
            k++;
        if (k < count)
            continue;
        buf_adds(view->out, count > 0 ? ", " : "");
        buf_add_safe(view->out, rows[i].source);
        told[count++] = rows[i].source;
    }
    if (count == SOURCES)
        buf_adds(view->out, ", ...");
}

static void print_markdown(const struct view *view, const struct price_regions_result *res)
{
    const struct region_price *rows = res->regions.at;

    buf_adds(view->out,
             "| machine | provider | region | spot/h | on-demand/h | spot total | total | "
             "saving | g CO2e/kWh | kg CO2e | price of |\n"
             "|---|---|---|--:|--:|--:|--:|--:|--:|--:|---|\n");
    for (size_t i = 0; i < res->regions.len; i++)
        markdown_row(view, &rows[i]);
    buf_adds(view->out, "\nUS dollars; totals for ");
    num_write(res->hours, view->out);
    buf_adds(view->out, " hours without interruptions; bold: cheapest; carbon is modelled "
                        "(accelerators at their limit). Prices of ");
    if (res->age.oldest.n != res->age.newest.n) {
        day_write(res->age.oldest, view->out);
        buf_adds(view->out, " to ");
    }
    day_write(res->age.newest, view->out);
    buf_adds(view->out, " from ");
    put_sources(view, res);
    buf_adds(view->out, ".\n");
}

static void print_price_regions(const struct view *view, const void *result)
{
    const struct price_regions_result *res = result;
    const struct region_price *rows = res->regions.at;
    struct table t = table_new(columns, COLUMNS, view->arena);

    if (res->markdown) {
        print_markdown(view, res);
        return;
    }
    for (size_t i = 0; i < res->regions.len; i++)
        add_row(&t, &rows[i]);
    table_write(&t, &view->term, view->out);
    buf_adds(view->out,
             "\n* cheapest on demand, s cheapest on spot (before interruptions); totals "
             "for ");
    num_write(res->hours, view->out);
    buf_adds(view->out, " h\n");
    if (table_shows(&t, &view->term, CARBON))
        buf_adds(view->out,
                 "kg CO2e: modelled, accelerators at their limit, host and halls included; "
                 "'?' is not known\n");
    view_price_age(view, &res->age);
}

const struct command cmd_price_regions = {
    .name = "price regions",
    .op = &op_price_regions,
    .about =
        "One or several machines in every region: spot (cheapest zone) and on-demand, for\n"
        "an hour and for the hours asked, with the carbon of the region's power. Your\n"
        "discounts are taken off; prices in doubt are left out ('price doctor' has them).",
    .examples =
        "stint price regions p4d.24xlarge --hours 72\n"
        "stint price regions aws/p5.48xlarge aws/p5en.48xlarge --hours 24 --region 'us-*'\n"
        "stint price regions 'a3-highgpu-*' --hours 72 --markdown >prices.md",
    .print = print_price_regions,
};
