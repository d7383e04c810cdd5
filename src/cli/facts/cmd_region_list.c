/* stint region list */
#include "cli/commands.h"
#include "cli/view.h"
#include "op/facts/region.h"

static bool write_region_place(const struct column *column, const void *row, struct buf *out)
{
    const struct region *region = &((const struct region_row *)row)->region;

    (void)column;
    buf_add(out, region->place);
    buf_adds(out, region->place.len > 0 ? ", " : "");
    buf_add(out, region->country);
    return true;
}

static void print_regions(const struct view *view, const void *result)
{
    static const struct column columns[] = {
        COLUMN("provider", provider),
        COLUMN("region", region, .shrink = true),
        COLUMN("place", place, .shrink = true, .unknown = "", .cell = write_region_place),
        COLUMN("g/kWh", carbon_g_kwh),
        COLUMN("PUE", pue, .decimals = 2),
        COLUMN("g/kWh x PUE", facility_g_kwh),
        COLUMN("carbon-free", carbon_free, .optional = true),
        COLUMN("factor", carbon_kind, .shrink = true, .unknown = ""),
        COLUMN("of", carbon_year, .optional = true, .unknown = "?"),
    };
    const struct region_list_result *res = result;

    view_rows(view, &op_region_list, res, "regions", COLUMNS(columns));
    buf_addf(
        view->out,
        "\n%zu regions; g CO2e for a kWh of the grid, and for a kWh at the machine (x PUE);\n"
        "factors of different kinds are not comparable to within a few percent; '-' is "
        "unknown\n",
        res->regions.len);
}

const struct command cmd_region_list = {
    .name = "region list",
    .op = &op_region_list,
    .group = {"carbon intensity and PUE of regions", .stage = CLI_SETUP},
    .about = "Lists the carbon intensity of each region's power and the PUE of its data "
             "centers, with the kind and the year of each factor.",
    .examples = "stint region list --provider gcp --sort carbon\n"
                "stint region list --country SE,FR --max-carbon 100",
    .print = print_regions,
};
