/* stint price spot */
#include <math.h>

#include "base/num.h"
#include "cli/commands.h"
#include "cli/spot_view.h"
#include "op/spot/price_spot.h"

#define SWING 0.01 /* of a day: smaller ones are not shown */

enum {
    MARK,
    MACHINE,
    WHERE,
    GPUS,
    SPOT,
    PER_GPU,
    ON_DEMAND,
    SAVING,
    MOVES,
    LOSSES,
    RISK,
    RELIABLE,
    SEEN,
};

/* "6 %", with "12 %/d" where prices swing within the day. */
static void moves_cell(struct table *t, const struct spot_offer *o)
{
    if (o->daily_range > SWING && !isnan(o->weekly))
        table_cell(t, "%.0f %%, %.0f %%/d", o->weekly * 100, o->daily_range * 100);
    else
        view_percent(t, o->weekly);
}

static void add_row(struct table *t, const struct spot_offer *o)
{
    table_text(t, o->cheapest ? STR("*") : o->doubts.len > 0 ? STR("!") : STR(""));
    table_text(t, o->instance);
    table_cell(t, "%.*s/%.*s%s%.*s", STR_ARG(o->provider), STR_ARG(o->region),
               o->zone.len > 0 ? "/" : "", STR_ARG(o->zone));
    if (o->count == floor(o->count))
        table_cell(t, "%.0fx %.*s", o->count, STR_ARG(o->accelerator));
    else
        table_cell(t, "%.2fx %.*s", o->count, STR_ARG(o->accelerator));
    view_rate(t, o->price);
    view_rate(t, o->per_gpu);
    view_rate(t, o->on_demand);
    view_percent(t, o->saving);
    moves_cell(t, o);
    table_cell(t, "%lld in %.0f d", (long long)o->losses, o->exposed_h / 24);
    spot_risk_cell(t, o->risk, o->risk_low, o->risk_high);
    view_percent(t, o->reliability);
    table_text(t, o->seen);
    table_style(t, o->cheapest ? STYLE_GOOD : o->doubts.len > 0 ? STYLE_DIM : STYLE_PLAIN);
}

/* Why a risk is '?', each reason once. */
static void print_unknown(const struct view *view, const struct price_spot_result *res)
{
    const struct spot_offer *rows = res->offers.at;

    for (size_t i = 0; i < res->offers.len; i++) {
        bool first = rows[i].risk_unknown.len > 0;

        for (size_t k = 0; k < i; k++)
            first &= !str_eq(rows[k].risk_unknown, rows[i].risk_unknown);
        if (!first)
            continue;
        buf_adds(view->out, "risk '?': ");
        buf_add_safe(view->out, rows[i].risk_unknown);
        buf_char(view->out, '\n');
    }
}

static void print_legend(const struct view *view, const struct table *t,
                         const struct price_spot_result *res)
{
    const struct spot_offer *rows = res->offers.at;
    bool swings = false;

    for (size_t i = 0; i < res->offers.len; i++)
        swings |= rows[i].daily_range > SWING && !isnan(rows[i].weekly);
    buf_char(view->out, '\n');
    if (table_shows(t, &view->term, MOVES)) {
        buf_adds(view->out, "moves, measured: the mean size of a weekly change\n");
        if (swings)
            buf_adds(view->out, "%/d: how far the highest of a day is above its lowest\n");
    }
    if (table_shows(t, &view->term, LOSSES))
        buf_adds(view->out,
                 "losses, measured: it vanished or rose to on-demand, in the days it was "
                 "to be had\n");
    if (table_shows(t, &view->term, RELIABLE))
        buf_adds(view->out, "reliable: this very machine, as its market says\n");
    if (isnan(res->hours)) {
        buf_adds(view->out, "risk: --for 2h gives it\n");
    } else {
        buf_adds(view->out, "risk of losing it within ");
        num_write(res->hours, view->out);
        buf_adds(view->out,
                 " h, with its 80 % interval: modelled from machines\n"
                 "that were watched ('stint catalog show interruptions') and from the "
                 "losses\n");
        print_unknown(view, res);
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

static void print_price_spot(const struct view *view, const void *result)
{
    /* What may go on a narrow terminal goes from the right. */
    struct table_column columns[] = {
        [MARK] = {.title = ""},
        [MACHINE] = {.title = "machine", .shrink = true},
        [WHERE] = {.title = "where", .shrink = true},
        [GPUS] = {.title = "gpus", .optional = true},
        [SPOT] = {.title = "spot", .right = true},
        [PER_GPU] = {.title = "per GPU", .right = true},
        [ON_DEMAND] = {.title = "on-demand", .right = true, .optional = true},
        [SAVING] = {.title = "saving", .right = true, .optional = true},
        [MOVES] = {.title = "moves", .right = true, .optional = true},
        [LOSSES] = {.title = "losses", .right = true, .optional = true},
        [RISK] = {.title = "risk", .right = true},
        [RELIABLE] = {.title = "reliable", .right = true, .optional = true, .hidden = true},
        [SEEN] = {.title = "seen", .optional = true},
    };
    const struct price_spot_result *res = result;
    const struct spot_offer *rows = res->offers.at;
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);

    columns[RISK].hidden = isnan(res->hours);
    for (size_t i = 0; i < res->offers.len; i++) {
        columns[RELIABLE].hidden &= isnan(rows[i].reliability);
        add_row(&t, &rows[i]);
    }
    table_write(&t, &view->term, view->out);
    print_legend(view, &t, res);
    buf_addf(view->out, "%zu of %lld zones with a spot price\n", res->offers.len,
             (long long)res->candidates);
    view_price_age(view, &res->age);
}

const struct command cmd_price_spot = {
    .name = "price spot",
    .op = &op_price_spot,
    .about = "The cheapest spot machines now, for one zone of each region. How much prices\n"
             "moved and how often a machine was lost is measured from the history that is\n"
             "kept (up to 180 days); the risk within --for is modelled from machines that\n"
             "were watched elsewhere, from how near spot is to on-demand, and from these\n"
             "losses. Prices in doubt, such as the floor of an auction, are marked and come\n"
             "last.",
    .examples = "stint price spot --gpu H100 --for 2h\n"
                "stint price spot --gpu A100 --any-form --for 8h --max-risk 20%\n"
                "stint price spot --min-memory 40GB --region 'us-*' --all-zones --json",
    .print = print_price_spot,
};
