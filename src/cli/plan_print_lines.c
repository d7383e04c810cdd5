/* The lines below the table of plans: why the best is best, what the other
 * market and other providers would change, what it all stands on. */
#include <math.h>

#include "base/num.h"
#include "cli/estimate_print.h"
#include "cli/plan_print.h"
#include "cli/spot_view.h"

#define SECONDS_PER_HOUR 3600.0
#define AS_DEAR 0.001 /* a share of the cost that nobody notices */
#define OTHERS_FROM 3 /* rows of the table, from which on there is room for another GPU */
#define SURE 0.99     /* to be in time: below, it is said */
#define AS_LONG 0.01  /* a share of the time that nobody notices */

static bool as_dear(const struct plan_row *row, const struct plan_row *best)
{
    return fabs(row->more_usd) <= AS_DEAR * usd_double(best->cost);
}

static void end_line(const struct plan_look *look, const char *label, struct buf *text)
{
    plan_view_line(look, str_from(label), STYLE_PLAIN, text);
}

/* "costs $8.30 more and is done 2.10 h sooner", against the best. */
static void difference(const struct plan_look *look, const struct plan_row *row,
                       struct buf *out)
{
    const struct plan_row *best = look->res->plans.at;
    double hours = row->more_hours;

    if (isnan(row->more_usd)) {
        buf_adds(out, "costs ?");
    } else if (as_dear(row, best)) {
        buf_adds(out, "costs the same");
    } else {
        buf_adds(out, "costs ");
        plan_view_dollars(row->more_usd, out);
        buf_adds(out, row->more_usd > 0 ? " more" : " less");
    }
    if (plan_view_serving(look->res) && !isnan(row->p95_s)) {
        buf_adds(out, " and answers in ");
        seconds_write(row->p95_s, out);
    } else if (isnan(hours)) {
        return;
    } else if (fabs(hours) <= AS_LONG * best->hours.value) {
        buf_adds(out, " and takes as long");
    } else {
        buf_adds(out, " and is done ");
        plan_view_time(look->longest, fabs(hours) * SECONDS_PER_HOUR, out);
        buf_adds(out, hours > 0 ? " later" : " sooner");
    }
}

/* Would spot be better at what counts? It stands beside because it is not allowed. */
static bool spot_is_better(const struct plan_result *res, const struct plan_row *best)
{
    const struct plan_row *spot = plan_view_with_role(res, "on spot");

    if (spot == NULL)
        return false;
    if (str_eq(res->aim, STR("time")))
        return plan_view_seconds(spot) < plan_view_seconds(best);
    return str_eq(res->aim, STR("carbon")) ? spot->carbon_kg < best->carbon_kg
                                           : spot->more_usd < 0 && !as_dear(spot, best);
}

/* What it is best at. */
static void merit(const struct plan_result *res, const struct plan_row *best, struct buf *out)
{
    struct str aim = res->aim;
    bool cost = aim.len == 0 || str_eq(aim, STR("cost")), carbon = str_eq(aim, STR("carbon"));
    bool time = str_eq(aim, STR("time"));

    if (cost) {
        buf_adds(out, "lowest cost");
    } else if (time) {
        buf_adds(out, plan_view_serving(res) ? "lowest latency" : "done soonest");
    } else if (carbon) {
        buf_adds(out, "lowest carbon");
    } else if (str_eq(aim, STR("value"))) {
        buf_adds(out, "lowest cost of money and time together");
    } else {
        buf_adds(out, "best by ");
        buf_add(out, aim);
    }
    if ((cost || time || carbon) && spot_is_better(res, best))
        buf_adds(out, " without spot");
    if (carbon) {
        buf_adds(out, ", ");
        number_write(best->carbon_kg, out);
        buf_adds(out, " kg CO2e");
    }
}

/* What it is held against: a plan of another kind. */
static const struct plan_row *rival(const struct plan_result *res)
{
    static const char *const roles[] = {"other GPU", "cheaper", "faster"};

    for (size_t i = 0; i < ARRAY_LEN(roles); i++) {
        const struct plan_row *row = plan_view_with_role(res, roles[i]);

        if (row != NULL)
            return row;
    }
    return NULL;
}

static void why_line(const struct plan_look *look)
{
    const struct plan_result *res = look->res;
    const struct plan_row *best = res->plans.at, *other = rival(res);
    struct buf text = plan_view_text(look);

    merit(res, best, &text);
    if (res->hour_worth.nano > 0) {
        buf_adds(&text, ", with an hour worth ");
        usd_write(res->hour_worth, &text);
    }
    if (res->time_worth.nano > 0) {
        buf_adds(&text, "; the time it saves over the cheapest plan is worth ");
        usd_write(res->time_worth, &text);
    }
    if (other != NULL) {
        buf_adds(&text, plan_view_role_is(other, "other GPU") ? "; the next GPU, "
                        : plan_view_role_is(other, "faster")  ? "; a faster way, "
                                                              : "; a cheaper way, ");
        plan_view_gpus(other, &text);
        buf_adds(&text, ", ");
        difference(look, other, &text);
    } else if (res->plans.len == 1 && res->asked.limit >= OTHERS_FROM) {
        buf_adds(&text, "; no other GPU or market meets the limits");
    }
    end_line(look, "why", &text);
}

static void in_time_words(const struct plan_row *row, struct buf *out)
{
    plan_view_percent(row->on_time, out);
    buf_adds(out, " chance to meet the deadline");
}

/* Of a plan that cannot be interrupted, how long it takes is what may keep it from being in
 * time. On spot another line says it. */
static void deadline_line(const struct plan_look *look, const struct plan_row *best)
{
    struct buf text = plan_view_text(look);

    if (!(best->on_time < SURE) || str_eq(best->market, STR("spot"))) {
        plan_view_drop(look, &text);
        return;
    }
    in_time_words(best, &text);
    end_line(look, "deadline", &text);
}

/* The deadline, losses, checkpoints: whatever is known of a plan on spot. What it takes of the
 * time is among what --explain says. */
static void spot_words(const struct plan_look *look, const struct plan_row *row,
                       struct buf *out)
{
    const char *before = out->len > 0 ? "; " : "";

    if (plan_view_serving(look->res) && !isnan(row->risk)) {
        buf_adds(out, before);
        plan_view_percent(row->risk, out);
        buf_adds(out, " risk of an interruption a day; interruptions are not priced");
        return;
    }
    if (!isnan(row->on_time)) {
        buf_adds(out, before);
        in_time_words(row, out);
        if (fmax(0, row->start_h) + row->hours.high > look->res->deadline_h)
            buf_adds(out, " if it runs as fast as estimated");
        before = ", ";
    }
    if (!isnan(row->losses)) {
        buf_adds(out, before);
        num_write_fixed(row->losses, row->losses < 1 ? 2 : 1, out);
        buf_adds(out, " interruptions expected");
        before = ", ";
    }
    if (row->save_every_s > 0) {
        buf_adds(out, before);
        buf_adds(out, "a checkpoint every ");
        spot_span(out, span_hours(row->save_every_s / SECONDS_PER_HOUR));
    }
}

static void write_saving(double more, usd whole, struct buf *out)
{
    double of = usd_double(whole);

    buf_adds(out, more < 0 ? "saves " : "costs ");
    plan_view_dollars(more, out);
    buf_adds(out, more < 0 ? "" : " more");
    if (of > 0) {
        buf_adds(out, " (");
        plan_view_percent(fabs(more) / of, out);
        buf_char(out, ')');
    }
}

/* The market that is not the best plan's. */
static void other_market(const struct plan_look *look, const struct plan_row *best,
                         const char *role)
{
    const struct plan_row *row = plan_view_with_role(look->res, role);
    struct buf text = plan_view_text(look);

    if (row == NULL) {
        plan_view_drop(look, &text);
        return;
    }
    usd_write(plan_view_about(row->cost), &text);
    if (!isnan(row->more_usd)) {
        buf_adds(&text, ": ");
        write_saving(row->more_usd, best->cost, &text);
    }
    if (fabs(row->more_hours) > AS_LONG * best->hours.value) { /* false when unknown */
        buf_adds(&text, ", done ");
        plan_view_time(look->longest, fabs(row->more_hours) * SECONDS_PER_HOUR, &text);
        buf_adds(&text, row->more_hours > 0 ? " later" : " sooner");
    }
    if (str_eq(row->market, STR("spot"))) {
        spot_words(look, row, &text);
    } else if (row->on_time < SURE) { /* false when unknown */
        buf_adds(&text, "; ");
        in_time_words(row, &text);
    }
    end_line(look, role, &text);
}

static void spot_line_of_best(const struct plan_look *look, const struct plan_row *best)
{
    struct buf text = plan_view_text(look);

    if (str_eq(best->market, STR("spot")))
        spot_words(look, best, &text);
    if (text.len > 0)
        end_line(look, "spot", &text);
    else
        plan_view_drop(look, &text);
}

/* "lambda would save $12.30, runpod $8.10, but you have no account there". */
static void account_line(const struct plan_look *look)
{
    const struct plan_row *rows = look->res->plans.at, *best = rows;
    struct buf text = plan_view_text(look);
    size_t named = 0;

    for (size_t i = 0; i < look->res->plans.len; i++) {
        if (!plan_view_role_is(&rows[i], "no account") || !(rows[i].more_usd < 0) ||
            as_dear(&rows[i], best))
            continue;
        buf_adds(&text, named > 0 ? ", " : "");
        buf_add(&text, rows[i].provider);
        buf_adds(&text, named++ > 0 ? " " : " would save ");
        plan_view_dollars(rows[i].more_usd, &text);
        if (usd_double(best->cost) > 0) {
            buf_adds(&text, " (");
            plan_view_percent(-rows[i].more_usd / usd_double(best->cost), &text);
            buf_char(&text, ')');
        }
    }
    if (named > 0) {
        buf_adds(&text, ", but you have no account there");
        end_line(look, "no account", &text);
    } else {
        plan_view_drop(look, &text);
    }
}

void plan_print_lines(const struct plan_look *look)
{
    const struct plan_row *best = look->res->plans.at;

    why_line(look);
    plan_print_rent(look);
    deadline_line(look, best);
    spot_line_of_best(look, best);
    other_market(look, best, "on spot");
    other_market(look, best, "on demand");
    account_line(look);
}
