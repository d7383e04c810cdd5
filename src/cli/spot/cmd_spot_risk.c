/* stint spot risk */
#include <math.h>

#include "cli/commands.h"
#include "cli/spot_view.h"
#include "op/op.h"
#include "op/spot/spot_risk.h"
#include "unit/shown.h"

static bool write_risk_losses(const struct column *column, const void *row, struct buf *out)
{
    const struct spot_risk_row *r = row;

    (void)column;
    buf_addf(out, "%lld in %.0f h", (long long)r->losses, r->watched_h * r->up);
    return true;
}

static bool has_risk_prices(const struct spot_risks *res)
{
    const struct spot_risk_row *rows = res->places.at;

    for (size_t i = 0; i < res->places.len; i++)
        if (rows[i].spot.nano != MONEY_UNKNOWN)
            return true;
    return false;
}

static void print_risks(const struct view *view, const struct spot_risks *res)
{
    enum { PLACE, RISK, NEW, UP };
    const struct spot_risk_row *rows = res->places.at;
    struct table_rows places = field_rows(op_spot_risk.result, "places", res);
    bool rate = rows[0].place.len == 0; /* given by the user */
    const struct column columns[] = {
        [PLACE] = COLUMN("where", place, .unknown = "as given", .shrink = true),
        [RISK] = COLUMN("risk", risk, .from = "risk_low", .to = "risk_high", .unknown = "?"),
        [NEW] = COLUMN("when new", risk_new, .unknown = "?", .optional = true, .hidden = rate),
        [UP] = COLUMN("available", up, .unknown = "?", .optional = true, .hidden = rate),
        COLUMN("losses", interruptions, .cell = write_risk_losses, .optional = true,
               .hidden = rows[0].losses < 0),
        COLUMN("spot/h", spot, .optional = true, .hidden = !has_risk_prices(res)),
        COLUMN("on-demand/h", on_demand, .optional = true, .hidden = !has_risk_prices(res)),
    };
    struct column_table t = columns_new(COLUMNS(columns), places.row, view->arena);

    columns_add(&t, &places);
    columns_write(&t, &view->term, view->out);
    buf_addf(view->out, "\nrisk of losing %s within ", res->gang > 1 ? "the gang" : "it");
    span_write(span_hours(res->hours), view->out);
    if (rows[0].place.len > 0)
        buf_addf(view->out, ", with its %s interval; taken at a random moment",
                 percent_text(res->interval).text);
    buf_char(view->out, '\n');
    if (table_shows(&t.table, &view->term, NEW))
        buf_adds(view->out, "when new: the same, taken as soon as one is available again\n");
    if (table_shows(&t.table, &view->term, UP))
        buf_adds(view->out, "available: share of the time\n");
    if (rows[0].seen.s > 0) {
        buf_adds(view->out, "spot price from ");
        field_write(field_find(places.row, STR("seen")), &rows[0], view->out);
        buf_char(view->out, '\n');
    }
}

static enum term_style style_of_job(const void *row)
{
    return ((const struct spot_risk_row *)row)->worth == WORTH_NO ? STYLE_WARN : STYLE_PLAIN;
}

static const struct column job_columns[] = {
    COLUMN("where", place, .unknown = "as given", .shrink = true),
    COLUMN("cost", mean_usd, .form = COLUMN_ESTIMATE),
    COLUMN("10 %", p10_usd, .form = COLUMN_ESTIMATE, .optional = true),
    COLUMN("50 %", p50_usd, .form = COLUMN_ESTIMATE, .optional = true),
    COLUMN("90 %", p90_usd, .form = COLUMN_ESTIMATE),
    COLUMN("on-demand", on_demand_usd, .form = COLUMN_ESTIMATE),
    COLUMN("savings", savings, .form = COLUMN_PERCENT),
    COLUMN("in time", on_time, .unknown = "?"),
    COLUMN("done (50 %)", hours_p50, .form = COLUMN_HOURS, .optional = true),
    COLUMN("done (90 %)", hours_p90, .form = COLUMN_HOURS, .optional = true),
    COLUMN("losses", expected_interruptions, .decimals = 1, .optional = true),
    COLUMN("save every", save_every, .form = COLUMN_ESTIMATE, .unknown = "-", .optional = true),
};

static void print_job(const struct view *view, const struct spot_risks *res)
{
    buf_char(view->out, '\n');
    view_rows(view, &op_spot_risk, res, "places", COLUMNS(job_columns, .style = style_of_job));
    buf_adds(view->out, "\na job of ");
    span_write(span_hours(res->work_h), view->out);
    if (!isnan(res->deadline_h)) {
        buf_adds(view->out, " to be done in ");
        span_write(span_hours(res->deadline_h), view->out);
    }
    buf_addf(view->out, ", %lld simulated runs each, policy: %.*s\n", (long long)res->runs,
             STR_ARG(res->policy));
}

static void print_risk_notes(const struct view *view, const struct spot_risks *res)
{
    const struct spot_risk_row *rows = res->places.at;

    for (size_t i = 0; i < res->places.len; i++) {
        bool printed = false;

        for (size_t k = 0; k < i; k++)
            printed |= str_eq(rows[k].method, rows[i].method);
        if (printed)
            continue;
        spot_note(view, rows[i].losses >= 0 ? "measured: " : "", rows[i].method);
    }
    for (size_t i = 0; i < res->places.len; i++)
        if (rows[i].worth == WORTH_NO) {
            struct buf text = buf_new(view->arena->alloc, 400);

            buf_adds(&text, "spot is not worth it on ");
            buf_add_safe(&text, rows[i].place.len > 0 ? rows[i].place : STR("that"));
            buf_adds(&text, ": it saves no more than chance, or does not end");
            spot_note(view, "", buf_text(&text));
            buf_free_part(&text, view->out);
        }
    if (str_starts(res->policy, STR("optimal")))
        buf_adds(view->out, "optimal knows the future, so it is only a yardstick\n");
}

static void print_spot_risk(const struct view *view, const void *result)
{
    const struct spot_risks *res = result;

    print_risks(view, res);
    print_risk_notes(view, res);
    if (!isnan(res->work_h))
        print_job(view, res);
}

const struct command cmd_spot_risk = {
    .name = "spot risk",
    .op = &op_spot_risk,
    .group = {"spot machines: interruption risk, checkpoint interval, fleets",
              .stage = CLI_BEFORE},
    .about = "Shows how likely a spot machine is to be interrupted within a time. From traces "
             "it is measured: of all moments at which the machine was available, the share "
             "followed by an interruption within that time; its range comes from drawing "
             "complete spells. For an offer it is modeled from observed machines and its price "
             "history. With --work, a job is simulated on synthetic markets with the same "
             "lifetimes: its cost, the spread, and whether it meets its deadline.",
    .examples = "stint spot risk aws/us-east-1/p5.48xlarge --for 24h\n"
                "stint spot risk --traces week.trc --zones 'us-west-2*' --for 4h\n"
                "stint spot risk p5.48xlarge --work 48h --deadline 60h --delay 6min",
    .print = print_spot_risk,
};
