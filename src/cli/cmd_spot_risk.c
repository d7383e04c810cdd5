/* stint spot risk */
#include <math.h>

#include "cli/commands.h"
#include "cli/spot_view.h"
#include "op/spot/spot_risk.h"

static void print_risks(const struct view *view, const struct spot_risk_result *res)
{
    enum { PLACE, RISK, NEW, UP, LOSSES, SPOT, BASE };
    struct table_column columns[] = {
        [PLACE] = {.title = "where", .shrink = true},
        [RISK] = {.title = "risk", .right = true},
        [NEW] = {.title = "when new", .right = true, .optional = true},
        [UP] = {.title = "to be had", .right = true, .optional = true},
        [LOSSES] = {.title = "losses", .right = true, .optional = true},
        [SPOT] = {.title = "spot/h", .right = true, .optional = true},
        [BASE] = {.title = "on-demand/h", .right = true, .optional = true},
    };
    const struct spot_risk_row *rows = res->places.at;
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);
    bool priced = false;

    columns[LOSSES].hidden = rows[0].losses < 0;
    columns[NEW].hidden = columns[UP].hidden =
        rows[0].place.len == 0; /* a rate that was said */
    for (size_t i = 0; i < res->places.len; i++) {
        table_text(&t, rows[i].place.len > 0 ? rows[i].place : STR("as you say"));
        spot_risk_cell(&t, rows[i].risk, rows[i].risk_low, rows[i].risk_high);
        spot_share_cell(&t, rows[i].risk_new);
        spot_share_cell(&t, rows[i].up);
        table_cell(&t, "%lld in %.0f h", (long long)rows[i].losses,
                   rows[i].watched_h * rows[i].up);
        view_rate(&t, rows[i].spot);
        view_rate(&t, rows[i].on_demand);
        priced |= rows[i].spot.nano != MONEY_UNKNOWN;
    }
    columns[SPOT].hidden = columns[BASE].hidden = !priced;
    table_write(&t, &view->term, view->out);
    buf_addf(view->out, "\nrisk of losing %s within ", res->gang > 1 ? "the gang" : "it");
    spot_time(view->out, res->hours);
    if (rows[0].place.len > 0)
        buf_addf(view->out, ", with its %.0f %% interval; got at a random moment",
                 res->interval * 100);
    buf_char(view->out, '\n');
    if (table_shows(&t, &view->term, NEW))
        buf_adds(view->out, "when new: likewise, got as soon as there is one again\n");
    if (table_shows(&t, &view->term, UP))
        buf_adds(view->out, "to be had: share of the time\n");
    if (rows[0].seen.len > 0) {
        buf_adds(view->out, "spot price of ");
        buf_add_safe(view->out, rows[0].seen);
        buf_char(view->out, '\n');
    }
}

static void print_job(const struct view *view, const struct spot_risk_result *res)
{
    static const struct table_column columns[] = {
        {.title = "where", .shrink = true},
        {.title = "cost", .right = true},
        {.title = "10 %", .right = true, .optional = true},
        {.title = "50 %", .right = true, .optional = true},
        {.title = "90 %", .right = true},
        {.title = "on-demand", .right = true},
        {.title = "saving", .right = true},
        {.title = "in time", .right = true},
        {.title = "done (50 %)", .right = true, .optional = true},
        {.title = "done (90 %)", .right = true, .optional = true},
        {.title = "losses", .right = true, .optional = true},
        {.title = "save every", .right = true, .optional = true},
    };
    const struct spot_risk_row *rows = res->places.at;
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);

    for (size_t i = 0; i < res->places.len; i++) {
        const struct spot_risk_row *r = &rows[i];

        table_text(&t, r->place.len > 0 ? r->place : STR("as you say"));
        view_amount(&t, r->mean_usd);
        view_amount(&t, r->p10_usd);
        view_amount(&t, r->p50_usd);
        view_amount(&t, r->p90_usd);
        view_amount(&t, r->on_demand_usd);
        view_percent(&t, r->saving);
        spot_share_cell(&t, r->on_time);
        spot_hours_cell(&t, r->hours_p50);
        spot_hours_cell(&t, r->hours_p90);
        view_number(&t, r->expected_losses, 1);
        spot_span_cell(&t, r->save_every);
        table_style(&t, str_eq(r->worth, STR("no")) ? STYLE_WARN : STYLE_PLAIN);
    }
    buf_char(view->out, '\n');
    table_write(&t, &view->term, view->out);
    buf_adds(view->out, "\na job of ");
    spot_time(view->out, res->work_h);
    if (!isnan(res->deadline_h)) {
        buf_adds(view->out, " to be done in ");
        spot_time(view->out, res->deadline_h);
    }
    buf_addf(view->out, ", %lld simulated runs each, policy: %.*s\n", (long long)res->runs,
             STR_ARG(res->policy));
}

static void print_notes(const struct view *view, const struct spot_risk_result *res)
{
    const struct spot_risk_row *rows = res->places.at;

    for (size_t i = 0; i < res->places.len; i++) {
        bool said = false;

        for (size_t k = 0; k < i; k++)
            said |= str_eq(rows[k].method, rows[i].method);
        if (said)
            continue;
        spot_note(view, rows[i].losses >= 0 ? "measured: " : "", rows[i].method);
    }
    for (size_t i = 0; i < res->places.len; i++)
        if (str_eq(rows[i].worth, STR("no"))) {
            struct buf text = buf_new(view->arena->alloc, 400);

            buf_adds(&text, "spot is not worth it on ");
            buf_add_safe(&text, rows[i].place.len > 0 ? rows[i].place : STR("that"));
            buf_adds(&text, ": it saves no more than chance, or does not end");
            spot_note(view, "", buf_text(&text));
            buf_free(&text);
        }
    if (str_starts(res->policy, STR("optimal")))
        buf_adds(view->out, "optimal knows the future, so it is only a yardstick\n");
}

static void print_spot_risk(const struct view *view, const void *result)
{
    const struct spot_risk_result *res = result;

    print_risks(view, res);
    print_notes(view, res);
    if (!isnan(res->work_h))
        print_job(view, res);
}

const struct command cmd_spot_risk = {
    .name = "spot risk",
    .op = &op_spot_risk,
    .about = "How likely a spot machine is lost within a time. From traces it is measured:\n"
             "of all moments at which the machine could be had, the share that a loss\n"
             "followed in time; its interval is drawn from whole spells. For an offer it is\n"
             "modelled from machines that were watched and from the history of its price.\n"
             "With --work, a job is simulated on made-up markets of the same lifetimes: what\n"
             "it costs, how far that spreads, and whether it makes its deadline.",
    .examples = "stint spot risk aws/us-east-1/p5.48xlarge --for 24h\n"
                "stint spot risk --traces week.trc --zones 'us-west-2*' --for 4h\n"
                "stint spot risk p5.48xlarge --work 48h --deadline 60h --delay 6min",
    .print = print_spot_risk,
};
