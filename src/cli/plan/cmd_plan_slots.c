/* stint plan slots */
#include <math.h>

#include "base/num.h"
#include "cli/commands.h"
#include "cli/view.h"
#include "op/op.h"
#include "op/plan/plan_slots.h"
#include "unit/shown.h"

static void put_slots_text(const struct view *view, struct str text)
{
    buf_add_safe(view->out, text);
}

static void hours_text(const struct view *view, double hours)
{
    num_write(hours, view->out);
    buf_adds(view->out, " h");
}

static bool write_now(const struct column *column, const void *row, struct buf *out)
{
    (void)column;
    (void)row;
    buf_adds(out, "now");
    return true;
}

static void print_slots(const struct view *view, const struct plan_slots_result *res)
{
    bool priced = !str_eq(res->price_basis, STR("flat"));
    bool powered = !str_eq(res->carbon_basis, STR("flat"));
    bool by_carbon = str_eq(res->ranked, STR("carbon"));
    bool by_time = str_eq(res->ranked, STR("time"));
    struct column columns[] = {
        COLUMN("day", day),
        COLUMN("start", start),
        COLUMN("end", end, .optional = true),
        COLUMN("price x", price_multiplier, .decimals = 3, .hidden = !priced),
        COLUMN("per hour", per_hour, .optional = true),
        COLUMN("cost", cost, .form = COLUMN_ESTIMATE),
        COLUMN("carbon x", carbon_multiplier, .decimals = 2, .optional = true,
               .hidden = !powered),
        COLUMN("g/kWh", carbon_g_kwh, .optional = true),
        COLUMN(by_carbon ? "cleaner" : "saves", savings, .form = COLUMN_PERCENT,
               .hidden = by_time),
    };
    struct table_rows slots = field_rows(op_plan_slots.result, "slots", res);
    struct table_rows now = field_rows(op_plan_slots.result, "now", res);
    struct column_table t = columns_new(COLUMNS(columns), slots.row, view->arena);

    columns_add(&t, &slots);
    if (now.len > 0 && !by_time) {
        columns[0].cell = write_now;
        columns_add(&t, &now);
        table_style(&t.table, STYLE_DIM);
    }
    columns_write(&t, &view->term, view->out);
    buf_char(view->out, '\n');
}

/* What the hours do to a price or to carbon, and how that is known. */
static void print_slots_basis(const struct view *view, const char *label, double swing,
                              struct str why, const char *none)
{
    view_label(view, label);
    if (swing < PLAN_WEEK_FLAT) {
        buf_adds(view->out, none);
        if (swing > 0) {
            buf_adds(view->out, " (they differ by ");
            value_share(swing, view->out);
            buf_char(view->out, ')');
        }
    } else {
        buf_adds(view->out, "slots differ by up to ");
        value_share(swing, view->out);
    }
    buf_adds(view->out, ": ");
    put_slots_text(view, why);
    buf_char(view->out, '\n');
}

static void print_offer(const struct view *view, const struct plan_slots_result *res)
{
    put_slots_text(view, res->offer);
    buf_adds(view->out, ": ");
    value_times((double)res->count, res->accelerator, view->out);
    buf_adds(view->out, ", ");
    put_slots_text(view, res->market);
    buf_adds(view->out, ", slots of ");
    hours_text(view, res->hours);
    buf_addf(view->out, " within %lld day%s\n\n", (long long)res->days,
             res->days == 1 ? "" : "s");
    print_slots(view, res);
    view_label(view, "ranked by");
    if (str_eq(res->ranked, res->aim))
        buf_adds(view->out, str_eq(res->aim, STR("cost")) ? "cost, cheapest first"
                                                          : "carbon, cleanest first");
    else
        buf_addf(view->out, "%s: no slot is %s than another",
                 str_eq(res->ranked, STR("time"))   ? "time"
                 : str_eq(res->ranked, STR("cost")) ? "cost"
                                                    : "carbon",
                 str_eq(res->aim, STR("cost")) ? "cheaper" : "cleaner");
    buf_char(view->out, '\n');
    print_slots_basis(view, "price", res->price_swing, res->price_why, "no slot is cheaper");
    print_slots_basis(view, "carbon", res->carbon_swing, res->carbon_why, "no slot is cleaner");
    if (res->crontab.len > 0) {
        view_label(view, "crontab");
        put_slots_text(view, res->crontab);
        buf_adds(view->out, "     (in UTC: CRON_TZ=UTC in the line before)\n");
    }
    view_label(view, "multipliers");
    buf_adds(view->out, "of ");
    usd_per_hour_write(res->price, view->out);
    buf_adds(view->out, " (");
    put_slots_text(view, res->price_kind);
    buf_adds(view->out, ", ");
    day_write(res->price_date, view->out);
    buf_adds(view->out, ")");
    if (!isnan(res->carbon_g_kwh)) {
        buf_adds(view->out, " and ");
        num_write_fixed(res->carbon_g_kwh, 0, view->out);
        buf_adds(view->out, " g CO2e/kWh");
    }
    buf_char(view->out, '\n');
}

static bool write_pattern_start(const struct column *column, const void *row, struct buf *out)
{
    const struct slot_pattern *pattern = row;

    (void)column;
    if (pattern->start.s >= 0)
        value_time(pattern->start, false, out);
    else if (!pattern->used)
        buf_adds(out, "not measured");
    return true;
}

static void print_patterns(const struct view *view, const struct plan_slots_result *res)
{
    static const struct column columns[] = {
        COLUMN("provider", provider),
        COLUMN("market", market),
        COLUMN("cheapest slot", start, .cell = write_pattern_start, .unknown = "any: flat"),
        COLUMN("price x", price_multiplier, .decimals = 3),
        COLUMN("swing", swing, .form = COLUMN_PERCENT, .decimals = 1),
        COLUMN("basis", basis),
        COLUMN("date", date, .optional = true),
        COLUMN("source", reason, .optional = true, .shrink = true),
    };

    if (res->patterns.len > 0) {
        view_rows(view, &op_plan_slots, res, "patterns", COLUMNS(columns));
        buf_char(view->out, '\n');
    }
    if (res->flat.len > 0) {
        view_label(view, "flat");
        for (size_t i = 0; i < res->flat.len; i++) {
            buf_adds(view->out, i > 0 ? ", " : "");
            put_slots_text(view, res->flat.at[i]);
        }
        buf_adds(view->out, ": no known pattern\n");
    }
    for (size_t i = 0; i < res->patterns.len; i++)
        if (!((const struct slot_pattern *)res->patterns.at)[i].used) {
            view_label(view, "rule of thumb");
            buf_adds(view->out, "what guides claim, not measured: it changes no price\n");
            break;
        }
    buf_adds(view->out, "slots of ");
    hours_text(view, res->hours);
    buf_addf(
        view->out,
        " within %lld day%s; --offer or --gpu shows them for a machine, by its own prices\n",
        (long long)res->days, res->days == 1 ? "" : "s");
}

static void print_plan_slots(const struct view *view, const void *result)
{
    const struct plan_slots_result *res = result;

    if (res->offer.len > 0)
        print_offer(view, res);
    else
        print_patterns(view, res);
}

const struct command cmd_plan_slots = {
    .name = "plan slots",
    .op = &op_plan_slots,
    .about =
        "Lists the cheapest or lowest-carbon slots of a machine in the days ahead, best first, "
        "without overlaps. Prices by hour of the week come from the offer's own history where "
        "it shows a significant pattern, else from the provider's measured pattern; most "
        "prices do not depend on the hour, and the output notes it. Rules of thumb are listed "
        "and change no price. Without an offer or a GPU: the known patterns of providers.",
    .examples = "stint plan slots --hours 4 --days 7\n"
                "stint plan slots --hours 8 --offer aws/us-east-1/p5.48xlarge:spot\n"
                "stint plan slots --hours 4 --gpu A100 --provider vast\n"
                "stint plan slots --hours 6 --gpu H100 --aim carbon --region eu-*",
    .print = print_plan_slots,
};
