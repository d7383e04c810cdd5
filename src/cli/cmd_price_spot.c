/* stint price spot */
#include <math.h>

#include "base/num.h"
#include "cli/commands.h"
#include "cli/view.h"
#include "op/price_spot.h"

/* Small risks are not zero. */
static void put_share(struct buf *out, double share)
{
    if (share > 0 && share < 0.0005)
        buf_adds(out, "<0.1");
    else
        num_write_fixed(share * 100, share < 0.0995 ? 1 : 0, out);
}

/* "4.1 % (1.2-9)". */
static void risk_cell(struct table *t, const struct spot_offer *o)
{
    struct buf text = buf_new(t->arena->alloc, 64);

    if (isnan(o->risk)) {
        buf_char(&text, '?');
    } else {
        put_share(&text, o->risk);
        buf_adds(&text, " % (");
        put_share(&text, o->risk_low);
        buf_char(&text, '-');
        put_share(&text, o->risk_high);
        buf_char(&text, ')');
    }
    if (text.failed != ERROR_NONE)
        t->failed = true;
    table_text(t, buf_text(&text));
    buf_free(&text);
}

static void add_row(struct table *t, const struct spot_offer *o)
{
    table_text(t, o->cheapest ? STR("*") : o->doubts.len > 0 ? STR("!") : STR(""));
    table_text(t, o->offer);
    if (o->count == floor(o->count))
        table_cell(t, "%.0fx %.*s", o->count, STR_ARG(o->accelerator));
    else
        table_cell(t, "%.2fx %.*s", o->count, STR_ARG(o->accelerator));
    view_rate(t, o->price);
    view_rate(t, o->per_gpu);
    view_rate(t, o->on_demand);
    view_percent(t, o->saving);
    view_percent(t, o->weekly);
    table_cell(t, "%lld in %.0f d", (long long)o->losses, o->exposed_h / 24);
    risk_cell(t, o);
    table_text(t, o->seen);
    table_style(t, o->cheapest ? STYLE_GOOD : o->doubts.len > 0 ? STYLE_DIM : STYLE_PLAIN);
}

static void print_legend(const struct view *view, const struct price_spot_result *res)
{
    const struct spot_offer *rows = res->offers.at;
    bool unknown = false;

    for (size_t i = 0; i < res->offers.len; i++)
        unknown |= isnan(rows[i].risk);
    buf_adds(
        view->out,
        "\nmeasured: prices; moves, the mean size of a weekly change; losses, how often it "
        "vanished\nor rose to on-demand in the days it was to be had (of the last 180)\n");
    if (isnan(res->hours)) {
        buf_adds(view->out, "risk: --for 2h gives it\n");
    } else {
        buf_adds(view->out, "risk of losing it within ");
        num_write(res->hours, view->out);
        buf_adds(
            view->out,
            " h, with its 80 % interval: modelled from machines that were\nwatched ('stint "
            "catalog show interruptions'), on AWS by how near spot is to on-demand;\n"
            "measured losses are added\n");
        if (unknown)
            buf_addf(view->out, "a '?' has less than %d days of history\n", SPOT_FEWEST_DAYS);
    }
    for (size_t i = 0; i < res->offers.len; i++)
        for (size_t k = 0; k < rows[i].doubts.len; k++) {
            buf_adds(view->out, "! ");
            buf_add_safe(view->out, rows[i].offer);
            buf_adds(view->out, ": ");
            buf_add_safe(view->out, rows[i].doubts.at[k]);
            buf_char(view->out, '\n');
        }
}

static void print(const struct view *view, const void *result)
{
    struct table_column columns[] = {
        {.title = ""},
        {.title = "offer", .shrink = true},
        {.title = "gpus"},
        {.title = "spot", .right = true},
        {.title = "per GPU", .right = true},
        {.title = "on-demand", .right = true, .optional = true},
        {.title = "saving", .right = true, .optional = true},
        {.title = "moves", .right = true, .optional = true},
        {.title = "losses", .right = true, .optional = true},
        {.title = "risk", .right = true},
        {.title = "seen", .optional = true},
    };
    const struct price_spot_result *res = result;
    const struct spot_offer *rows = res->offers.at;
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);

    columns[9].hidden = isnan(res->hours);
    for (size_t i = 0; i < res->offers.len; i++)
        add_row(&t, &rows[i]);
    table_write(&t, &view->term, view->out);
    print_legend(view, res);
    buf_addf(view->out, "%zu of %lld zones with a spot price\n", res->offers.len,
             (long long)res->candidates);
    view_price_age(view, &res->age);
}

const struct command cmd_price_spot = {
    .name = "price spot",
    .op = &op_price_spot,
    .about =
        "The cheapest spot machines now, for one zone of each region. How much prices\n"
        "moved and how often a machine was lost is measured from the history that is\n"
        "kept (up to 180 days); the risk within --for is modelled from machines that were\n"
        "watched elsewhere, from how near spot is to on-demand, and from these losses.\n"
        "Prices in doubt, such as the floor of an auction, are marked and come last.",
    .examples = "stint price spot --gpu H100 --for 2h\n"
                "stint price spot --gpu A100 --any-form --for 8h --max-risk 20%\n"
                "stint price spot --min-memory 40GB --region 'us-*' --all-zones --json",
    .print = print,
};
