/* stint price compare */
#include "base/num.h"
#include "cli/commands.h"
#include "cli/view.h"
#include "op/price.h"

static void add_row(struct table *t, const struct price_comparison *c)
{
    table_cell(t, "%s%s", c->cheapest ? "*" : " ", c->cheapest_spot ? "s" : " ");
    table_text(t, c->provider);
    table_text(t, c->region);
    if (c->machines > 1)
        table_cell(t, "%lld x %.*s", (long long)c->machines, STR_ARG(c->instance));
    else
        table_text(t, c->instance);
    table_cell(t, "%lld", (long long)c->gpus);
    view_rate(t, c->hourly);
    view_amount(t, c->total);
    view_amount(t, c->spot_total);
    view_percent(t, c->spot_saving);
    if (c->complete)
        view_amount(t, usd_add(c->setup, c->egress));
    else
        table_cell(t, "?");
    view_age(t, c->age_days);
    table_style(t, c->cheapest || c->cheapest_spot ? STYLE_GOOD : STYLE_PLAIN);
}

static void print(const struct view *view, const void *result)
{
    static const struct table_column columns[] = {
        {.title = ""},
        {.title = "provider"},
        {.title = "region", .shrink = true},
        {.title = "machines", .shrink = true},
        {.title = "GPUs", .right = true, .optional = true},
        {.title = "per hour", .right = true},
        {.title = "total", .right = true},
        {.title = "on spot", .right = true},
        {.title = "saving", .right = true, .optional = true},
        {.title = "extras", .right = true, .optional = true},
        {.title = "age", .right = true},
    };
    const struct price_compare_result *res = result;
    const struct price_comparison *rows = res->comparisons.at;
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);
    bool incomplete = false;

    buf_addf(view->out, "%lld x %.*s for ", (long long)res->gpus, STR_ARG(res->accelerator));
    num_write(res->hours, view->out);
    buf_adds(view->out, " hours, set-up and ");
    num_write(res->egress_gb, view->out);
    buf_adds(view->out, " GB of egress included\n\n");
    for (size_t i = 0; i < res->comparisons.len; i++) {
        add_row(&t, &rows[i]);
        incomplete |= !rows[i].complete;
    }
    table_write(&t, &view->term, view->out);
    buf_adds(view->out, "\n* cheapest on demand, s cheapest on spot (before interruptions); "
                        "extras: set-up and egress\n");
    if (incomplete)
        buf_adds(view->out,
                 "'?' extras: set-up or egress is not known and not in the totals\n");
    view_price_age(view, &res->age);
}

const struct command cmd_price_compare = {
    .name = "price compare",
    .op = &op_price_compare,
    .about = "The same GPUs and hours at every provider and region, cheapest first. Machines\n"
             "are rented whole: where only machines of eight are sold, one GPU costs eight.\n"
             "Set-up time is billed as each provider bills; egress follows its tiers.",
    .examples = "stint price compare A100 --hours 72\n"
                "stint price compare H100x8 --hours 24 --provider aws,gcp,lambda\n"
                "stint price compare a100 --hours 72 --any-form --egress 200GB --all",
    .print = print,
};
