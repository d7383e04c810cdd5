/* stint price spot */
#include <math.h>

#include "base/num.h"
#include "cli/commands.h"
#include "cli/view.h"
#include "op/op.h"
#include "op/spot/price_spot.h"
#include "unit/shown.h"

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
    OBSERVED,
    RISK,
    RELIABLE,
    SEEN,
};

/* "6 %", with "12 %/d" where prices swing within the day. */
static bool write_moves(const struct column *column, const void *row, struct buf *out)
{
    const struct spot_offer *o = row;

    (void)column;
    if (!(o->daily_range > SWING) || isnan(o->weekly))
        return false;
    value_share(o->weekly, out);
    buf_adds(out, ", ");
    value_share(o->daily_range, out);
    buf_adds(out, "/d");
    return true;
}

static bool write_spot_losses(const struct column *column, const void *row, struct buf *out)
{
    const struct spot_offer *o = row;

    (void)column;
    buf_addf(out, "%lld in %.0f d", (long long)o->losses, o->exposed_h / 24);
    return true;
}

static enum term_style style_of_offer(const void *row)
{
    const struct spot_offer *o = row;

    return o->cheapest ? STYLE_GOOD : o->doubts.len > 0 ? STYLE_DIM : STYLE_PLAIN;
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

static void print_spot_legend(const struct view *view, const struct table *t,
                              const struct price_spot_result *res)
{
    const struct spot_offer *rows = res->offers.at;
    bool swings = false, gaps = false;

    for (size_t i = 0; i < res->offers.len; i++)
        gaps |= rows[i].span_days - rows[i].history_days >= 0.5;
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
                 "available\n");
    if (table_shows(t, &view->term, OBSERVED))
        buf_adds(view->out, gaps ? "observed: days with data, of all that the history spans\n"
                                 : "observed: days with data\n");
    if (table_shows(t, &view->term, RELIABLE))
        buf_adds(view->out, "reliable: this machine, by its market\n");
    if (isnan(res->hours)) {
        buf_adds(view->out, "risk: --for 2h gives it\n");
    } else {
        buf_adds(view->out, "risk of losing it within ");
        num_write(res->hours, view->out);
        buf_adds(view->out,
                 " h, with its 80 % interval: modeled from observed\n"
                 "machines ('stint catalog show interruptions') and from the interruptions\n");
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

static bool any_reliability(const struct price_spot_result *res)
{
    const struct spot_offer *rows = res->offers.at;

    for (size_t i = 0; i < res->offers.len; i++)
        if (!isnan(rows[i].reliability))
            return true;
    return false;
}

static void print_price_spot(const struct view *view, const void *result)
{
    const struct price_spot_result *res = result;
    /* What may go on a narrow terminal goes from the right. */
    const struct column columns[] = {
        [MARK] = COLUMN("", cheapest, .yes = "*", .marks = {{"doubtful", "!"}}),
        [MACHINE] = COLUMN("machine", instance, .shrink = true, .unknown = ""),
        [WHERE] = COLUMN("where", provider, .under = {"region", "zone"}, .shrink = true),
        [GPUS] = COLUMN("gpus", accelerator, .times = "count", .optional = true),
        [SPOT] = COLUMN("spot", price),
        [PER_GPU] = COLUMN("per GPU", per_gpu),
        [ON_DEMAND] = COLUMN("on-demand", on_demand, .optional = true),
        [SAVING] = COLUMN("savings", savings, .form = COLUMN_PERCENT, .optional = true),
        [MOVES] = COLUMN("moves", weekly, .cell = write_moves, .form = COLUMN_PERCENT,
                         .optional = true),
        [LOSSES] = COLUMN("losses", interruptions, .cell = write_spot_losses, .optional = true),
        [OBSERVED] = COLUMN("observed", history_days, .of = "span_days", .unit = " d",
                            .zero_unknown = true, .optional = true),
        [RISK] = COLUMN("risk", risk, .from = "risk_low", .to = "risk_high", .unknown = "?",
                        .hidden = isnan(res->hours)),
        [RELIABLE] =
            COLUMN("reliable", reliability, .optional = true, .hidden = !any_reliability(res)),
        [SEEN] = COLUMN("seen", seen, .unknown = "", .optional = true),
    };
    struct table_rows offers = field_rows(op_price_spot.result, "offers", res);
    struct column_table t =
        columns_new(COLUMNS(columns, .style = style_of_offer), offers.row, view->arena);

    columns_add(&t, &offers);
    columns_write(&t, &view->term, view->out);
    print_spot_legend(view, &t.table, res);
    buf_addf(view->out, "%zu of %lld zones with a spot price\n", res->offers.len,
             (long long)res->candidates);
    view_price_age(view, &res->age);
}

const struct command cmd_price_spot = {
    .name = "price spot",
    .op = &op_price_spot,
    .about = "Lists the cheapest spot machines now, for one zone of each region. Price changes "
             "and interruptions are measured from the price history (up to 180 days); the risk "
             "within --for is modeled from machines observed elsewhere, from the ratio of the "
             "spot price to on-demand, and from these interruptions. Doubtful prices, such as "
             "the floor of an auction, are marked and come last.",
    .examples = "stint price spot --gpu H100 --for 2h\n"
                "stint price spot --gpu A100 --any-form --for 8h --max-risk 20%\n"
                "stint price spot --min-memory 40GB --region 'us-*' --all-zones --json",
    .print = print_price_spot,
};
