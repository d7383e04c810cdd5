/* stint price compare */
#include <math.h>

#include "base/num.h"
#include "cli/commands.h"
#include "cli/view.h"
#include "op/price/price.h"

static bool has_compare_range(const struct rows *rows)
{
    const struct price_comparison *c = rows->at;

    for (size_t i = 0; i < rows->len; i++)
        if (c[i].total_low.nano < c[i].total_high.nano)
            return true;
    return false;
}

static bool has_aws_price(const struct rows *rows)
{
    const struct price_comparison *c = rows->at;

    for (size_t i = 0; i < rows->len; i++)
        if (!isnan(c[i].vs_aws))
            return true;
    return false;
}

static enum term_style style_of_compare_row(const void *row)
{
    const struct price_comparison *c = row;

    return c->cheapest || c->cheapest_spot ? STYLE_GOOD : STYLE_PLAIN;
}

static void print_compare_title(const struct view *view, const struct price_compare_result *res)
{
    buf_addf(view->out, "%lldx ", (long long)res->gpus);
    buf_add_safe(view->out, res->accelerator);
    buf_adds(view->out, res->any_form ? " of any form for " : " for ");
    num_write(res->hours, view->out);
    buf_adds(view->out, res->hours == 1 ? " hour, set-up and " : " hours, set-up and ");
    num_write(res->egress_gb, view->out);
    buf_adds(view->out, " GB of egress included\n\n");
}

static void print_compare_rows(const struct view *view, const struct price_compare_result *res)
{
    const struct column columns[] = {
        COLUMN("", cheapest, .yes = "*",
               .marks = {{"outlier", "!"}, {"worth_checking", "~"}, {"cheapest_spot", "s"}}),
        COLUMN("provider", provider),
        COLUMN("region", region, .shrink = true),
        COLUMN("machines", instance, .times = "machines", .several = true, .shrink = true),
        /* without --any-form they are all the same */
        COLUMN("GPU", accelerator, .optional = true, .hidden = !res->any_form),
        COLUMN("GPUs", gpus, .optional = true),
        COLUMN("per hour", hourly),
        COLUMN("vs AWS", vs_aws, .form = COLUMN_CHANGE, .unknown = "",
               .hidden = !has_aws_price(&res->comparisons)),
        COLUMN("total", total),
        COLUMN("on spot", spot_total),
        COLUMN("80 % range", total_low, .to = "total_high", .form = COLUMN_ESTIMATE,
               .spread = true, .unknown = "", .optional = true,
               .hidden = !has_compare_range(&res->comparisons)),
        COLUMN("savings", spot_savings, .form = COLUMN_PERCENT, .optional = true),
        COLUMN("set-up", setup, .optional = true),
        COLUMN("egress", egress, .optional = true),
        COLUMN("age", age_days, .form = COLUMN_AGE),
    };

    view_rows(view, &op_price_compare, res, "comparisons",
              COLUMNS(columns, .style = style_of_compare_row));
}

static void print_price_compare(const struct view *view, const void *result)
{
    const struct price_compare_result *res = result;
    const struct price_comparison *rows = res->comparisons.at;
    bool incomplete = false, outliers = false, old = false;

    for (size_t i = 0; i < res->comparisons.len; i++) {
        incomplete |= !rows[i].complete;
        outliers |= rows[i].outlier;
        old |= rows[i].worth_checking;
    }
    print_compare_title(view, res);
    print_compare_rows(view, res);
    buf_adds(view->out,
             "\n* cheapest on demand, s cheapest on spot (before interruptions); set-up "
             "times are estimates\n");
    if (has_aws_price(&res->comparisons))
        buf_adds(view->out,
                 "vs AWS: a GPU-hour on demand and the cheapest of AWS in the list\n");
    if (incomplete)
        buf_adds(view->out, "totals do not include set-up or egress that is unknown ('?')\n");
    if (outliers)
        view_outliers(view);
    if (old)
        view_worth_checking(view);
    view_price_age(view, &res->age);
}

const struct command cmd_price_compare = {
    .name = "price compare",
    .op = &op_price_compare,
    .about = "Compares the same GPUs and hours at every provider and region, cheapest first. "
             "Only complete machines can be rented: where all have eight GPUs, one GPU costs "
             "as much as eight. Set-up is billed in the provider's steps (by the second where "
             "they are not known); egress follows its tiers. A GPU-hour is compared with the "
             "cheapest of AWS where it is in the list. Prices older than 180 days (of "
             "marketplaces: 60) come after the others, as worth checking, unless most are so "
             "old.",
    .examples = "stint price compare A100 --hours 72\n"
                "stint price compare H100x8 --hours 24 --provider aws,gcp,lambda\n"
                "stint price compare a100 --hours 3d --any-form --egress 200GB --all",
    .print = print_price_compare,
};
