/* stint price compare */
#include "base/num.h"
#include "cli/commands.h"
#include "cli/view.h"
#include "op/price/price.h"

static void add_row(struct table *t, const struct price_comparison *c)
{
    table_cell(t, "%s%s", c->cheapest ? "*" : " ", c->cheapest_spot ? "s" : " ");
    table_text(t, c->provider);
    table_text(t, c->region);
    if (c->machines > 1)
        table_cell(t, "%lld x %.*s", (long long)c->machines, (int)c->instance.len,
                   c->instance.at);
    else
        table_text(t, c->instance);
    table_text(t, c->accelerator);
    view_count(t, c->gpus);
    view_rate(t, c->hourly);
    view_amount(t, c->total);
    view_amount(t, c->spot_total);
    view_percent(t, c->spot_saving);
    view_amount(t, c->setup);
    view_amount(t, c->egress);
    view_age(t, c->age_days);
    table_style(t, c->cheapest || c->cheapest_spot ? STYLE_GOOD : STYLE_PLAIN);
}

static void print_title(const struct view *view, const struct price_compare_result *res)
{
    buf_addf(view->out, "%lld x ", (long long)res->gpus);
    buf_add_safe(view->out, res->accelerator);
    buf_adds(view->out, res->any_form ? " of any form for " : " for ");
    num_write(res->hours, view->out);
    buf_adds(view->out, res->hours == 1 ? " hour, set-up and " : " hours, set-up and ");
    num_write(res->egress_gb, view->out);
    buf_adds(view->out, " GB of egress included\n\n");
}

static void print_price_compare(const struct view *view, const void *result)
{
    struct table_column columns[] = {
        {.title = ""},
        {.title = "provider"},
        {.title = "region", .shrink = true},
        {.title = "machines", .shrink = true},
        {.title = "GPU", .optional = true},
        {.title = "GPUs", .right = true, .optional = true},
        {.title = "per hour", .right = true},
        {.title = "total", .right = true},
        {.title = "on spot", .right = true},
        {.title = "saving", .right = true, .optional = true},
        {.title = "set-up", .right = true, .optional = true},
        {.title = "egress", .right = true, .optional = true},
        {.title = "age", .right = true},
    };
    const struct price_compare_result *res = result;
    const struct price_comparison *rows = res->comparisons.at;
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);
    bool incomplete = false;

    columns[4].hidden = !res->any_form; /* they are all the same */
    print_title(view, res);
    for (size_t i = 0; i < res->comparisons.len; i++) {
        add_row(&t, &rows[i]);
        incomplete |= !rows[i].complete;
    }
    table_write(&t, &view->term, view->out);
    buf_adds(view->out,
             "\n* cheapest on demand, s cheapest on spot (before interruptions); set-up "
             "times are estimates\n");
    if (incomplete)
        buf_adds(view->out,
                 "a '?' of set-up or egress is not in the total, which is too low then\n");
    view_price_age(view, &res->age);
}

const struct command cmd_price_compare = {
    .name = "price compare",
    .op = &op_price_compare,
    .about = "The same GPUs and hours at every provider and region, cheapest first. Machines\n"
             "are rented whole: where only machines of eight are sold, one GPU costs eight.\n"
             "Set-up is billed in the provider's steps (by the second where they are not\n"
             "known); egress follows its tiers.",
    .examples = "stint price compare A100 --hours 72\n"
                "stint price compare H100x8 --hours 24 --provider aws,gcp,lambda\n"
                "stint price compare a100 --hours 3d --any-form --egress 200GB --all",
    .print = print_price_compare,
};
