/* stint price list */
#include "cli/commands.h"
#include "cli/view.h"
#include "op/price/price.h"

/* What the numbers do not show: --json has the rest. */
static void print_marks(const struct view *view, const struct machine *offers, size_t count)
{
    size_t conflicts = 0;

    for (size_t i = 0; i < count; i++)
        conflicts += offers[i].conflict.len > 0;
    if (conflicts > 0)
        buf_addf(view->out, "%zu that feeds disagree about: 'stint price doctor' shows both\n",
                 conflicts);
}

static void print_price_list(const struct view *view, const void *result)
{
    static const struct table_column columns[] = {
        {.title = "offer", .shrink = true},
        {.title = "gpus"},
        {.title = "GPU GB", .right = true, .optional = true},
        {.title = "on-demand", .right = true},
        {.title = "spot", .right = true},
        {.title = "saving", .right = true, .optional = true},
        {.title = "per GPU", .right = true},
        {.title = "age", .right = true},
    };
    const struct price_list_result *res = result;
    const struct machine *offers = res->offers.at;
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);

    for (size_t i = 0; i < res->offers.len; i++) {
        const struct machine *o = &offers[i];

        table_text(&t, o->name);
        table_cell(&t, "%lldx %.*s", (long long)o->count, STR_ARG(o->accelerator));
        view_number(&t, o->gpu_memory_gb, 0);
        view_rate(&t, o->on_demand);
        view_rate(&t, o->spot);
        view_percent(&t, o->spot_saving);
        view_rate(&t, o->per_gpu);
        view_age(&t, o->age_days);
    }
    table_write(&t, &view->term, view->out);
    buf_adds(view->out, "\nUS dollars an hour, for the whole machine and for one GPU of it\n");
    print_marks(view, offers, res->offers.len);
    view_price_age(view, &res->age);
}

const struct command cmd_price_list = {
    .name = "price list",
    .op = &op_price_list,
    .about = "What machines cost: one line for each offer, for the whole machine and hour.\n"
             "A '?' is a price that is not known. A family name such as A100 means its SXM\n"
             "form with the most memory; --any-form takes all of the family.",
    .examples = "stint price list --gpu H100 --sort per-gpu\n"
                "stint price list --gpu A100 --any-form --market spot --region 'us-*'\n"
                "stint price list --min-memory 40GB --max-price 2usd/hr --json",
    .print = print_price_list,
};
