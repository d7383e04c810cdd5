/* stint region list */
#include "cli/commands.h"
#include "cli/view.h"
#include "op/facts/region.h"

static void print(const struct view *view, const void *result)
{
    static const struct table_column columns[] = {
        {.title = "provider"},
        {.title = "region", .shrink = true},
        {.title = "place", .shrink = true},
        {.title = "g/kWh", .right = true},
        {.title = "PUE", .right = true},
        {.title = "g/kWh x PUE", .right = true},
        {.title = "carbon-free", .right = true, .optional = true},
        {.title = "factor", .shrink = true},
        {.title = "of", .optional = true},
    };
    const struct region_list_result *res = result;
    const struct region_view *regions = res->regions.at;
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);

    for (size_t i = 0; i < res->regions.len; i++) {
        const struct region_view *r = &regions[i];

        table_text(&t, r->provider);
        table_text(&t, r->region);
        table_cell(&t, "%.*s%s%.*s", STR_ARG(r->place), r->place.len > 0 ? ", " : "",
                   STR_ARG(r->country));
        view_number(&t, r->carbon_g_kwh, 0);
        view_number(&t, r->pue, 2);
        view_number(&t, r->facility_g_kwh, 0);
        view_percent(&t, r->carbon_free);
        table_text(&t, r->carbon_kind);
        table_text(&t, r->carbon_year.len > 0 ? r->carbon_year : STR("?"));
    }
    table_write(&t, &view->term, view->out);
    buf_addf(
        view->out,
        "\n%zu regions; g CO2e for a kWh of the grid, and for a kWh at the machine (x PUE);\n"
        "factors of different kinds are not comparable to a few per cent; '-' is not known\n",
        res->regions.len);
}

const struct command cmd_region_list = {
    .name = "region list",
    .op = &op_region_list,
    .about =
        "How clean each region's power is, and how much of it the halls take. Which factor\n"
        "each figure is, and of which year, stands beside it.",
    .examples = "stint region list --provider gcp --sort carbon\n"
                "stint region list --country SE,FR --max-carbon 100",
    .print = print,
};
