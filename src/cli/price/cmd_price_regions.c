/* stint price regions */
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "cli/commands.h"
#include "cli/view.h"
#include "op/price/price_regions.h"

/* What may go on a narrow terminal goes from the right; an hour's price is in the totals. */
static const struct column columns[] = {
    COLUMN("", outlier, .yes = "!", .marks = {{"cheapest", "*"}, {"cheapest_spot", "s"}}),
    COLUMN("machine", instance, .shrink = true),
    COLUMN("region", provider, .under = {"region"}, .shrink = true),
    COLUMN("spot/h", spot, .optional = true),
    COLUMN("on-demand/h", on_demand, .optional = true),
    COLUMN("spot total", spot_total),
    COLUMN("total", on_demand_total),
    COLUMN("savings", savings, .form = COLUMN_PERCENT, .unknown = "?", .optional = true),
    COLUMN("spot zone", zone, .optional = true),
    COLUMN("g/kWh", carbon_g_kwh, .unknown = "?", .optional = true),
    COLUMN("kg CO2e", carbon_kg, .form = COLUMN_FIGURES, .unknown = "?", .optional = true),
    COLUMN("date", date, .optional = true),
    COLUMN("source", source, .optional = true, .shrink = true),
};
#define CARBON_COLUMN 10

static enum term_style style_of_region_row(const void *row)
{
    const struct region_price *r = row;

    return r->cheapest || r->cheapest_spot ? STYLE_GOOD : STYLE_PLAIN;
}

static bool has_outlier(const struct rows *rows)
{
    const struct region_price *at = rows->at;

    for (size_t i = 0; i < rows->len; i++)
        if (at[i].outlier)
            return true;
    return false;
}

/* A cell of a Markdown table: a bar would end it, an asterisk start something. */
static void put_region_cell(const struct view *view, struct str text)
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

static void put_region_number(const struct view *view, double n, int decimals,
                              const char *after)
{
    if (isnan(n)) {
        buf_adds(view->out, "?");
    } else {
        num_write_fixed(n, decimals, view->out);
        buf_adds(view->out, after);
    }
    buf_adds(view->out, " | ");
}

static void put_region_amount(const struct view *view, usd amount, bool bold)
{
    buf_adds(view->out, bold ? "**" : "");
    usd_write(amount, view->out);
    buf_adds(view->out, bold ? "** | " : " | ");
}

static void markdown_row(const struct view *view, const struct region_price *r)
{
    buf_adds(view->out, "| ");
    put_region_cell(view, r->machine.instance);
    put_region_cell(view, r->machine.provider);
    put_region_cell(view, r->machine.region);
    put_region_amount(view, (usd){r->machine.spot.nano}, r->cheapest_spot);
    put_region_amount(view, (usd){r->machine.on_demand.nano}, r->cheapest);
    put_region_amount(view, r->spot_total, r->cheapest_spot);
    put_region_amount(view, r->on_demand_total, r->cheapest);
    put_region_number(view, r->saving * 100, 0, " %");
    put_region_number(view, r->carbon_g_kwh, 0, "");
    put_region_number(view, r->carbon_kg, r->carbon_kg < 10 ? 1 : 0, "");
    day_write(r->machine.fact.date, view->out);
    buf_adds(view->out, " |\n");
}

/* Where the prices are from, each source once. */
#define SOURCES 16 /* that are named */

static void put_sources(const struct view *view, const struct price_regions_result *res)
{
    const struct region_price *rows = res->regions.at;

    struct str named[SOURCES];
    size_t count = 0;

    for (size_t i = 0; i < res->regions.len && count < SOURCES; i++) {
        size_t k = 0;

        while (k < count && !str_eq(named[k], rows[i].machine.fact.source))
            k++;
        if (k < count)
            continue;
        buf_adds(view->out, count > 0 ? ", " : "");
        buf_add_safe(view->out, rows[i].machine.fact.source);
        named[count++] = rows[i].machine.fact.source;
    }
    if (count == SOURCES)
        buf_adds(view->out, ", ...");
}

static void print_markdown(const struct view *view, const struct price_regions_result *res)
{
    const struct region_price *rows = res->regions.at;

    buf_adds(view->out,
             "| machine | provider | region | spot/h | on-demand/h | spot total | total | "
             "savings | g CO2e/kWh | kg CO2e | price from |\n"
             "|---|---|---|--:|--:|--:|--:|--:|--:|--:|---|\n");
    for (size_t i = 0; i < res->regions.len; i++)
        markdown_row(view, &rows[i]);
    buf_adds(view->out, "\nUS dollars; totals for ");
    num_write(res->hours, view->out);
    buf_adds(view->out, " hours without interruptions; bold: cheapest; carbon is modeled "
                        "(accelerators at their limit). Prices from ");
    if (res->age.oldest.n != res->age.newest.n) {
        day_write(res->age.oldest, view->out);
        buf_adds(view->out, " to ");
    }
    day_write(res->age.newest, view->out);
    buf_adds(view->out, " by ");
    put_sources(view, res);
    buf_adds(view->out, ".\n");
}

static void print_price_regions(const struct view *view, const void *result)
{
    const struct price_regions_result *res = result;
    struct table_rows rows = {&region_price_fields, res->regions.at, res->regions.len};
    struct column_table t;

    if (res->markdown) {
        print_markdown(view, res);
        return;
    }
    t = columns_new(COLUMNS(columns, .style = style_of_region_row), rows.row, view->arena);
    columns_add(&t, &rows);
    columns_write(&t, &view->term, view->out);
    buf_adds(view->out,
             "\n* cheapest on demand, s cheapest on spot (before interruptions); totals "
             "for ");
    num_write(res->hours, view->out);
    buf_adds(view->out, " h\n");
    if (table_shows(&t.table, &view->term, CARBON_COLUMN))
        buf_adds(view->out,
                 "kg CO2e: modeled with accelerators at their limit, host and data center "
                 "included; '?' is unknown\n");
    if (has_outlier(&res->regions))
        view_outliers(view);
    view_price_age(view, &res->age);
}

const struct command cmd_price_regions = {
    .name = "price regions",
    .op = &op_price_regions,
    .about =
        "Compares one or several machines across regions: spot (cheapest zone) and on-demand, "
        "for one hour and for --hours, with the carbon of the region's power. Your discounts "
        "are subtracted; doubtful prices are left out ('stint price doctor' lists them).",
    .examples =
        "stint price regions p4d.24xlarge --hours 72\n"
        "stint price regions aws/p5.48xlarge aws/p5en.48xlarge --hours 24 --region 'us-*'\n"
        "stint price regions 'a3-highgpu-*' --hours 72 --markdown >prices.md",
    .print = print_price_regions,
};
