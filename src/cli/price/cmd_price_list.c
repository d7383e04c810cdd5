/* stint price list */
#include "cli/commands.h"
#include "cli/view.h"
#include "op/price/price.h"
#include "report/records.h"

/* What the numbers do not show: --json has the rest. */
static void print_marks(const struct view *view, const struct machine *offers, size_t count)
{
    size_t conflicts = 0, outliers = 0;

    for (size_t i = 0; i < count; i++) {
        conflicts += offers[i].conflict.len > 0;
        outliers += offers[i].outlier;
    }
    if (outliers > 0)
        view_outliers(view);
    if (conflicts > 0)
        buf_addf(view->out,
                 "feeds disagree about %zu of them: 'stint price doctor' shows both\n",
                 conflicts);
}

static void print_price_list(const struct view *view, const void *result)
{
    const struct price_list_result *res = result;

    view_rows(view, &op_price_list, res, "offers", &price_columns[PLACE_TERMINAL]);
    buf_adds(view->out,
             "\nUS dollars an hour, for the complete machine and for one of its GPUs\n");
    print_marks(view, res->offers.at, res->offers.len);
    view_price_age(view, &res->age);
}

const struct command cmd_price_list = {
    .name = "price list",
    .op = &op_price_list,
    .group = {"what machines cost: list, compare, history, fetch", CLI_BEFORE, .first = true},
    .about = "Lists hourly machine prices, one line for each offer. A '?' is an unknown price. "
             "A family name such as A100 means its SXM form with the most memory; --any-form "
             "includes the complete family. The 80 % range is the likely price today, given "
             "its age; '!' marks prices far below those of other regions.",
    .examples = "stint price list --gpu H100 --sort per-gpu\n"
                "stint price list --gpu A100 --any-form --market spot --region 'us-*'\n"
                "stint price list --min-memory 40GB --max-price 2usd/hr --json",
    .print = print_price_list,
};
