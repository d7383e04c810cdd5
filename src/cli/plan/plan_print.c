/* The answer of plan: what it is about, the table of plans, the front of cost against time. */
#include "cli/plan/plan_print.h"

#include <math.h>
#include <string.h>

#include "base/num.h"
#include "cli/data_view.h"
#include "cli/view.h"
#include "unit/shown.h"

/* The lines below the table of plans: why the best is best, what the other
 * market and other providers would change, what it is based on. */

#define SECONDS_PER_HOUR 3600.0
#define SAME_COST 0.001 /* a share of the cost that does not matter */
#define OTHERS_FROM 3   /* rows of the table, from which on there is room for another GPU */
#define SURE 0.99       /* to be in time: below, the chance is shown */
#define SAME_TIME 0.01  /* a share of the time that does not matter */

static bool costs_the_same(const struct plan_row *row, const struct plan_row *best)
{
    return fabs(row->more_usd) <= SAME_COST * usd_double(best->cost);
}

static void end_plan_line(const struct plan_look *look, const char *label, struct buf *text)
{
    plan_view_line(look, str_from(label), STYLE_PLAIN, text);
}

/* "costs $8.30 more and is done 2.10 h sooner", against the best. */
static void write_plan_difference(const struct plan_look *look, const struct plan_row *row,
                                  struct buf *out)
{
    const struct plan_row *best = look->res->plans.at;
    double hours = row->more_hours;

    if (isnan(row->more_usd)) {
        buf_adds(out, "costs ?");
    } else if (costs_the_same(row, best)) {
        buf_adds(out, "costs the same");
    } else {
        buf_adds(out, "costs ");
        plan_view_dollars(row->more_usd, out);
        buf_adds(out, row->more_usd > 0 ? " more" : " less");
    }
    if (plan_view_serving(look->res) && !isnan(row->p95_s)) {
        buf_adds(out, " and answers in ");
        value_seconds(row->p95_s, out);
    } else if (isnan(hours)) {
        return;
    } else if (fabs(hours) <= SAME_TIME * best->hours.value) {
        buf_adds(out, " and takes as long");
    } else {
        buf_adds(out, " and is done ");
        value_hours(fabs(hours), out);
        buf_adds(out, hours > 0 ? " later" : " sooner");
    }
}

/* Hours of a job, or the latency of a model that serves, in seconds. */
static double plan_row_seconds(const struct plan_row *row)
{
    return isnan(row->hours.value) ? row->p95_s : row->hours.value * SECONDS_PER_HOUR;
}

/* Would spot be better at what counts? It is shown beside because it is not allowed. */
static bool spot_is_better(const struct plan_result *res, const struct plan_row *best)
{
    const struct plan_row *spot = plan_view_with_role(res, "on spot");

    if (spot == NULL)
        return false;
    if (str_eq(res->aim, STR("time")))
        return plan_row_seconds(spot) < plan_row_seconds(best);
    return str_eq(res->aim, STR("carbon")) ? spot->carbon_kg < best->carbon_kg
                                           : spot->more_usd < 0 && !costs_the_same(spot, best);
}

/* What it is best at. */
static void write_merit(const struct plan_result *res, const struct plan_row *best,
                        struct buf *out)
{
    struct str aim = res->aim;
    bool cost = aim.len == 0 || str_eq(aim, STR("cost")), carbon = str_eq(aim, STR("carbon"));
    bool time = str_eq(aim, STR("time")), sooner = res->value_of_time.nano > 0;

    if (cost) {
        buf_adds(out, sooner ? "fastest within 5 % of the lowest cost" : "lowest cost");
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
        value_number(best->carbon_kg, out);
        buf_adds(out, " kg CO2e");
    }
}

/* What it is compared with: a plan of another kind. */
static const struct plan_row *find_rival(const struct plan_result *res)
{
    static const char *const roles[] = {"cheapest", "other GPU", "faster"};

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
    const struct plan_row *best = res->plans.at, *other = find_rival(res);
    struct buf text = plan_view_text(look);

    write_merit(res, best, &text);
    if (res->value_of_time.nano > 0) {
        buf_adds(&text, res->value_given ? ", with an hour of waiting worth "
                                         : ": an hour of waiting is taken to be worth ");
        (res->value_given ? usd_write : usd_write_estimate)((usd){res->value_of_time.nano},
                                                            &text);
        buf_adds(&text, res->value_given ? "" : " (--value-of-time sets it)");
    }
    if (res->time_value.nano > 0) {
        buf_adds(&text, "; the time it saves over the cheapest plan is worth ");
        usd_write_estimate(res->time_value, &text);
    }
    if (other != NULL) {
        buf_adds(&text, plan_view_role_is(other, "other GPU") ? "; the next GPU, "
                        : plan_view_role_is(other, "faster")  ? "; a faster way, "
                                                              : "; the cheapest way, ");
        plan_view_gpus(other, &text);
        buf_adds(&text, ", ");
        write_plan_difference(look, other, &text);
    } else if (res->plans.len == 1 && res->asked.limit >= OTHERS_FROM) {
        buf_adds(&text, "; no other GPU or market meets the limits");
    }
    end_plan_line(look, "why", &text);
}

static void in_time_words(const struct plan_look *look, const struct plan_row *row,
                          struct buf *out)
{
    bool simulated = row == look->res->plans.at && look->res->simulated_on_time >= 1;

    if (row->on_time >= 1) {
        buf_adds(out, "meets the deadline");
        buf_adds(out, simulated ? " in all simulated runs" : "");
    } else {
        value_share(row->on_time, out);
        buf_adds(out, " chance of meeting the deadline");
    }
}

/* Of a plan that cannot be interrupted, how long it takes is what may keep it from being in
 * time. On spot another line shows it. */
static void deadline_line(const struct plan_look *look, const struct plan_row *best)
{
    struct buf text = plan_view_text(look);

    if (!(best->on_time < SURE) || best->market == MARKET_SPOT)
        return;
    in_time_words(look, best, &text);
    end_plan_line(look, "deadline", &text);
}

/* The deadline, losses, checkpoints: whatever is known of a plan on spot. What it takes of the
 * time is among what --explain shows. */
static void spot_words(const struct plan_look *look, const struct plan_row *row,
                       struct buf *out)
{
    const char *before = out->len > 0 ? "; " : "";

    if (plan_view_serving(look->res) && !isnan(row->risk)) {
        buf_adds(out, before);
        value_share(row->risk, out);
        buf_adds(out, " risk of an interruption a day; interruptions are not priced");
        return;
    }
    if (!isnan(row->on_time)) {
        buf_adds(out, before);
        in_time_words(look, row, out);
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
        value_span(span_hours(row->save_every_s / SECONDS_PER_HOUR), out);
    }
}

static void write_plan_saving(double more, usd whole, struct buf *out)
{
    double of = usd_double(whole);

    buf_adds(out, more < 0 ? "saves " : "costs ");
    plan_view_dollars(more, out);
    buf_adds(out, more < 0 ? "" : " more");
    if (of > 0) {
        buf_adds(out, " (");
        value_share(fabs(more) / of, out);
        buf_char(out, ')');
    }
}

/* The market that is not the best plan's. */
static void other_market(const struct plan_look *look, const struct plan_row *best,
                         const char *role)
{
    const struct plan_row *row = plan_view_with_role(look->res, role);
    struct buf text = plan_view_text(look);

    if (row == NULL)
        return;
    usd_write_estimate(row->cost, &text);
    if (!isnan(row->more_usd)) {
        buf_adds(&text, ": ");
        write_plan_saving(row->more_usd, best->cost, &text);
    }
    if (fabs(row->more_hours) > SAME_TIME * best->hours.value) { /* false when unknown */
        buf_adds(&text, ", done ");
        value_hours(fabs(row->more_hours), &text);
        buf_adds(&text, row->more_hours > 0 ? " later" : " sooner");
    }
    if (row->market == MARKET_SPOT) {
        spot_words(look, row, &text);
    } else if (row->on_time < SURE) { /* false when unknown */
        buf_adds(&text, "; ");
        in_time_words(look, row, &text);
    }
    end_plan_line(look, role, &text);
}

static void spot_line_of_best(const struct plan_look *look, const struct plan_row *best)
{
    struct buf text = plan_view_text(look);

    if (best->market == MARKET_SPOT)
        spot_words(look, best, &text);
    end_plan_line(look, "spot", &text);
}

/* "lambda would save $12.30, runpod $8.10, but you have no account there". */
static void account_line(const struct plan_look *look)
{
    const struct plan_row *rows = look->res->plans.at, *best = rows;
    struct buf text = plan_view_text(look);
    size_t named = 0;

    for (size_t i = 0; i < look->res->plans.len; i++) {
        if (!plan_view_role_is(&rows[i], "no account") || !(rows[i].more_usd < 0) ||
            costs_the_same(&rows[i], best))
            continue;
        buf_adds(&text, named > 0 ? ", " : "");
        buf_add(&text, rows[i].provider);
        buf_adds(&text, named++ > 0 ? " " : " would save ");
        plan_view_dollars(rows[i].more_usd, &text);
        if (usd_double(best->cost) > 0) {
            buf_adds(&text, " (");
            value_share(-rows[i].more_usd / usd_double(best->cost), &text);
            buf_char(&text, ')');
        }
    }
    buf_adds(&text, named > 0 ? ", but you have no account there" : "");
    end_plan_line(look, "no account", &text);
}

static void write_price_words(const struct plan_row *row, struct buf *out)
{
    usd_per_hour_write(row->price, out);
    if (row->machines > 1)
        buf_adds(out, " each");
    if (plan_row_market(row).len > 0) {
        buf_char(out, ' ');
        buf_add(out, plan_row_market(row));
    }
    if (row->price_date.n == DAY_UNKNOWN.n)
        return;
    buf_adds(out, ", price from ");
    day_write(row->price_date, out);
    if (row->price_age_days >= 0)
        buf_addf(out, " (%lld day%s old)", (long long)row->price_age_days,
                 row->price_age_days == 1 ? "" : "s");
    if (row->price_low.nano > 0 && row->price_low.nano < row->price_high.nano) {
        buf_adds(out, ", now ");
        usd_per_hour_write(row->price_low, out);
        buf_adds(out, " to ");
        usd_per_hour_write(row->price_high, out);
    } else if (row->price_age_days > 7) {
        value_unchanged(row->price_unchanged, out);
    }
}

/* Hours that are paid for, before the price of those that are not. */
static void owned_words(const struct plan_row *row, struct buf *out)
{
    if (!(row->owned_hours > 0))
        return;
    value_number(row->owned_hours, out);
    buf_adds(out, row->machines > 1 ? " machine-hours you own, " : " hours you own, ");
    buf_adds(out, row->owned_suffice ? "else " : "the rest ");
}

/* "aws/us-east-1/c7i.large, $0.0893/hr: about 12 min (7 to 20) and $0.0179, ..." */
static void cpu_line(const struct plan_look *look)
{
    const struct plan_row *row = look->res->on_cpu.at;
    struct buf text;

    if (look->res->on_cpu.len == 0)
        return;
    text = plan_view_text(look);
    buf_add(&text, row->offer);
    buf_adds(&text, " (");
    buf_add(&text, row->setting);
    buf_adds(&text, "): about ");
    usd_write_estimate(row->cost, &text);
    buf_adds(&text, " (");
    usd_write_estimate(row->cost_low, &text);
    buf_adds(&text, " to ");
    usd_write_estimate(row->cost_high, &text);
    buf_adds(&text, ") and ");
    value_hours(row->hours.value, &text);
    buf_adds(&text, " (");
    value_hours(row->hours.low, &text);
    buf_adds(&text, " to ");
    value_hours(row->hours.high, &text);
    buf_adds(&text, "); rough: measure some steps, there or on your own computer, before you "
                    "rely on it");
    plan_view_line(look, STR("on a CPU"), STYLE_PLAIN, &text);
}

/* "4x RTX5070 of vast would cost $0.422, were its price still that of 2025-10-27 (388 days
 * old)" */
static void checking_line(const struct plan_look *look)
{
    const struct plan_row *rows = look->res->worth_checking.at;

    for (size_t i = 0; i < look->res->worth_checking.len; i++) {
        struct buf text = plan_view_text(look);

        plan_view_gpus(&rows[i], &text);
        buf_adds(&text, " of ");
        buf_add(&text, rows[i].provider);
        buf_adds(&text, " would cost ");
        usd_write_estimate(rows[i].cost, &text);
        if (!isnan(rows[i].hours.value)) {
            buf_adds(&text, " and take ");
            value_hours(rows[i].hours.value, &text);
        }
        buf_adds(&text, ", were its price still that of ");
        day_write(rows[i].price_date, &text);
        buf_addf(&text, " (%lld days old): ", (long long)rows[i].price_age_days);
        buf_add(&text, rows[i].offer);
        plan_view_line(look, STR("worth checking"), STYLE_PLAIN, &text);
    }
}

static void rent_line(const struct plan_look *look, const struct plan_row *best)
{
    struct buf text = plan_view_text(look);
    bool own = best->market == MARKET_OWN || best->owned_hours > 0;

    if (best->offer.len > 0)
        value_times(best->machines > 1 ? (double)best->machines : NAN, best->offer, &text);
    else
        value_place(best->provider, best->region, STR(""), &text);
    buf_adds(&text, ", ");
    owned_words(best, &text);
    write_price_words(best, &text);
    if (best->rented_gpus > best->gpus && best->gpus > 0 && !own)
        buf_addf(&text, "; %lld of the %lld rented GPUs are used", (long long)best->gpus,
                 (long long)best->rented_gpus);
    plan_view_line(look, own ? STR("use") : STR("rent"), STYLE_PLAIN, &text);
    if (look->res->rent_command.len > 0) { /* on one line, to be copied */
        view_label(look->view, "command");
        buf_add_safe(look->view->out, look->res->rent_command);
        buf_char(look->view->out, '\n');
    }
}

static void set_line(const struct plan_look *look, const struct plan_row *best)
{
    struct buf text = plan_view_text(look);

    buf_add(&text, best->setting);
    if (!isnan(best->memory_gb) && !isnan(best->usable_gb)) {
        buf_adds(&text, text.len > 0 ? ": " : "");
        buf_adds(&text, plan_view_tight(best) ? "probably fits, " : "");
        plan_view_memory(best, &text);
        buf_adds(&text, best->gpus > 1 ? " on each GPU" : " on the GPU");
    }
    plan_view_line(look, STR("setting"), STYLE_PLAIN, &text);
}

/* "saves $0.15 (12 %) against now, if the pattern holds: a rule of thumb for ..." */
static void start_words(const struct plan_result *res, const struct plan_row *best,
                        struct buf *out)
{
    bool carbon = str_eq(res->aim, STR("carbon"));
    double saves = carbon ? best->start_saves_kg : best->start_saves_usd;
    double whole = saves + (carbon ? best->carbon_kg : usd_double(best->cost));

    if (isnan(saves))
        return;
    buf_adds(out, saves < 0 ? ": costs " : ": saves ");
    if (carbon) {
        value_number(fabs(saves), out);
        buf_adds(out, " kg CO2e");
    } else {
        plan_view_dollars(saves, out);
    }
    if (whole > 0) {
        buf_adds(out, " (");
        value_share(fabs(saves) / whole, out);
        buf_char(out, ')');
    }
    buf_adds(out, saves < 0 ? " more than now" : " against now");
    buf_adds(out, ", if the pattern holds");
    if (res->start_why.len > 0) {
        buf_adds(out, ": ");
        buf_add(out, res->start_why);
    }
}

static void print_plan_start(const struct plan_look *look, const struct plan_row *best)
{
    struct buf text = plan_view_text(look);

    if (!(best->start_h > 0))
        return;
    if (best->start.s >= 0) {
        stamp_write(best->start, &text);
        buf_adds(&text, ", ");
    }
    buf_adds(&text, "in ");
    value_hours(best->start_h, &text);
    start_words(look->res, best, &text);
    plan_view_line(look, STR("start"), STYLE_PLAIN, &text);
}

/* a part of it: rent, setting, start */
static void plan_print_rent(const struct plan_look *look)
{
    const struct plan_row *best = look->res->plans.at;

    rent_line(look, best);
    set_line(look, best);
    print_plan_start(look, best);
}

/* why, rent, the other market, ... */
static void plan_print_lines(const struct plan_look *look)
{
    const struct plan_row *best = look->res->plans.at;

    why_line(look);
    plan_print_rent(look);
    deadline_line(look, best);
    spot_line_of_best(look, best);
    other_market(look, best, "on spot");
    other_market(look, best, "on demand");
    account_line(look);
    cpu_line(look);
    checking_line(look);
}

/* The lines that say how to have the best plan: what to rent, how to set it, when to start. */

/* ---- what a plan is based on, what was assumed, and what was written ---- */

#define TAB 4 /* blanks in its place */

static void write_counted(struct buf *out, int64_t n, const char *one, const char *many)
{
    if (n < 1000000)
        value_count((double)n, out);
    else
        value_large((double)n, out);
    buf_adds(out, n == 1 ? one : many);
}

/* "searched 689 offers and 12,119 configurations in 44 ms" */
static void search_line(const struct plan_look *look)
{
    const struct plan_result *res = look->res;
    struct buf text = plan_view_text(look);

    if (res->offers < 0)
        return;
    write_counted(&text, res->offers, " offer", " offers");
    if (res->settings >= 0) {
        buf_adds(&text, " and ");
        write_counted(&text, res->settings, " configuration", " configurations");
    }
    if (res->search_ms > 0) { /* a clock that does not move measures nothing */
        buf_adds(&text, " in ");
        value_seconds(res->search_ms / 1000, &text);
    }
    plan_view_line(look, STR("searched"), STYLE_DIM, &text);
}

/* dates of prices, what was searched */
static void plan_print_source(const struct plan_look *look)
{
    const struct plan_result *res = look->res;
    struct buf text = plan_view_text(look);

    if (res->prices_to.n != DAY_UNKNOWN.n) {
        buf_adds(&text, "from ");
        if (res->prices_from.n != DAY_UNKNOWN.n && res->prices_from.n != res->prices_to.n) {
            day_write(res->prices_from, &text);
            buf_adds(&text, " to ");
        }
        day_write(res->prices_to, &text);
        plan_view_line(look, STR("prices"), STYLE_DIM, &text);
    }
    search_line(look);
}

static void plan_print_notes(const struct plan_look *look)
{
    if (look->res->notes.len > 0)
        buf_char(look->view->out, '\n');
    for (size_t i = 0; i < look->res->notes.len; i++) {
        struct buf text = plan_view_text(look);

        buf_add(&text, look->res->notes.at[i]);
        plan_view_line(look, STR("note"), STYLE_PLAIN, &text);
    }
}

/* What was written, and what that changes, line by line as `diff -u` has it. */
static void plan_print_written(const struct plan_look *look)
{
    const struct view *view = look->view;
    struct str rest = look->res->diff;

    if (look->res->saved.len > 0) {
        struct buf text = plan_view_text(look);

        buf_char(view->out, '\n');
        buf_add(&text, look->res->saved);
        plan_view_line(look, STR("saved"), STYLE_PLAIN, &text);
    }
    if (look->res->written.len > 0) {
        struct buf text = plan_view_text(look);

        buf_char(view->out, '\n');
        buf_add(&text, look->res->written);
        plan_view_line(look, STR("configuration"), STYLE_PLAIN, &text);
    }
    if (rest.len > 0)
        plan_view_heading(look, "CONFIGURATION");
    while (rest.len > 0) {
        struct str line = str_cut(&rest, '\n');
        enum term_style style = str_starts(line, STR("+"))   ? STYLE_GOOD
                                : str_starts(line, STR("-")) ? STYLE_WARN
                                                             : STYLE_PLAIN;

        buf_adds(view->out, term_style_on(&view->term, style));
        while (line.len > 0) { /* a tab would be shown as '?' */
            struct str piece = str_cut(&line, '\t');

            buf_add_safe(view->out, piece);
            buf_pad(view->out, ' ',
                    line.at != NULL && line.at > piece.at + piece.len ? TAB : 0);
        }
        buf_adds(view->out, term_style_off(&view->term, style));
        buf_char(view->out, '\n');
    }
}

/* ---- the table of plans, and the sections in their order ---- */

#define BAR 10        /* columns of the longest bar of the front */
#define FRONT_LEAST 3 /* plans of a front that say more than the table of plans */

/* The job's name, what it is, its work. */
static void print_plan_head(const struct plan_look *look)
{
    const struct plan_result *res = look->res;
    const struct plan_row *best = res->plans.len > 0 ? res->plans.at : NULL;
    const struct view *view = look->view;
    struct buf line = plan_view_text(look);

    if (res->name.len > 0 && !str_eq(res->name, res->model)) {
        buf_add(&line, res->name);
        buf_adds(&line, res->model.len + res->work.len > 0 ? ": " : "");
    }
    if (res->model.len > 0) {
        buf_adds(&line, plan_view_serving(res) ? "serve " : "train ");
        buf_add(&line, res->model);
        if (best != NULL && best->method.len > 0 && !plan_view_serving(res)) {
            buf_adds(&line, ", ");
            buf_add(&line, best->method);
        }
        buf_adds(&line, res->work.len > 0 ? ", " : "");
    }
    buf_add(&line, res->work);
    if (line.len > 0) {
        buf_adds(view->out, term_style_on(&view->term, STYLE_BOLD));
        view_text(view, buf_text(&line));
        buf_adds(view->out, term_style_off(&view->term, STYLE_BOLD));
    }
    buf_free_part(&line, view->out);
}

static const char *cost_title(const struct plan_result *res)
{
    if (str_eq(res->unit, STR("month")))
        return "cost/month";
    return str_eq(res->unit, STR("million tokens")) ? "cost/M out" : "cost";
}

struct column plan_view_time(const struct plan_result *res)
{
    if (plan_view_serving(res))
        return (struct column)COLUMN("p95", p95_s, .form = COLUMN_LENGTH, .unknown = "?");
    return (struct column)COLUMN("time", hours.value, .form = COLUMN_HOURS, .unknown = "?");
}

static bool write_plan_start(const struct column *column, const void *row, struct buf *out)
{
    double hours = ((const struct plan_row *)row)->start_h;

    (void)column;
    buf_adds(out, hours > 0 ? "in " : "now");
    if (hours > 0)
        value_hours(hours, out);
    return true;
}

/* The column's `yes` beside the best plan. */
static bool write_plan_mark(const struct column *column, const void *row, struct buf *out)
{
    buf_adds(out, plan_view_role_is(row, "best") ? column->yes : "");
    return true;
}

static enum term_style style_of_plan(const void *row)
{
    return plan_view_role_is(row, "best") ? STYLE_GOOD : STYLE_PLAIN;
}

/* What a provider without an account would save has its own line. */
static bool has_plan_account(const void *row)
{
    return !plan_view_role_is(row, "no account");
}

static bool has_ranges(const struct rows *plans)
{
    const struct plan_row *rows = plans->at;

    for (size_t i = 0; i < plans->len; i++)
        if (has_plan_account(&rows[i]) && rows[i].cost_low.nano != MONEY_UNKNOWN &&
            rows[i].cost_low.nano < rows[i].cost_high.nano)
            return true;
    return false;
}

static bool plan_has_many_machines(const struct rows *plans)
{
    const struct plan_row *rows = plans->at;

    for (size_t i = 0; i < plans->len; i++)
        if (has_plan_account(&rows[i]) && rows[i].machines > 1)
            return true;
    return false;
}

static const char *plan_mark(const struct plan_look *look)
{
    return look->utf8 ? "\xc2\xbb" : ">";
}

/* Columns that go, the first of `order` first, until the table is as wide as the terminal. */
static void leave_out_columns(struct column_table *t, const size_t *order, size_t count,
                              const struct term *term)
{
    for (size_t i = 0; i < count && !t->table.failed; i++) {
        struct table_column *column = &t->titles[order[i]];

        if (column->hidden)
            continue;
        column->optional = true; /* the only one: it goes when the table is too wide */
        column->hidden = !table_shows(&t->table, term, order[i]);
        column->optional = false;
        if (!column->hidden)
            return;
    }
}

static void plans_table(const struct plan_look *look)
{
    enum {
        MARK,
        ROLE,
        COST,
        RANGE,
        TIME,
        TOKENS,
        COPIES,
        START,
        GPUS,
        MACHINES,
        WHERE,
        MARKET,
        AGE,
        CARBON,
        SETTING
    };
    /* What a narrow terminal does without, first to go first. */
    static const size_t order[] = {SETTING, MACHINES, AGE,    RANGE, COPIES,
                                   CARBON,  START,    TOKENS, MARKET};
    const struct plan_result *res = look->res;
    const struct view *view = look->view;
    const struct column columns[] = {
        [MARK] = COLUMN_CELL("", write_plan_mark, .yes = plan_mark(look), .unknown = ""),
        [ROLE] = COLUMN("plan", role, .unknown = ""),
        [COST] = COLUMN(cost_title(res), cost, .form = COLUMN_ESTIMATE),
        [RANGE] = COLUMN("80 % range", cost_low, .to = "cost_high", .form = COLUMN_ESTIMATE,
                         .spread = true, .unknown = "", .style = STYLE_DIM,
                         .hidden = !has_ranges(&res->plans)),
        [TIME] = plan_view_time(res),
        [TOKENS] = COLUMN("per M out", per_million_tokens, .form = COLUMN_ESTIMATE,
                          .if_any = true, .hidden = str_eq(res->unit, STR("million tokens"))),
        [COPIES] = COLUMN("copies", copies, .if_any = true, .hidden = !plan_view_serving(res)),
        [START] = COLUMN("start", start_h, .cell = write_plan_start, .side = COLUMN_LEFT,
                         .if_any = true),
        [GPUS] = PLAN_COLUMN_GPUS,
        [MACHINES] =
            COLUMN("machines", machines, .hidden = !plan_has_many_machines(&res->plans)),
        [WHERE] = PLAN_COLUMN_WHERE(.shrink = true),
        [MARKET] = COLUMN("market", market, .unknown = ""),
        [AGE] = COLUMN("price age", price_age_days, .form = COLUMN_AGE),
        [CARBON] = COLUMN("CO2e", carbon_kg, .form = COLUMN_FIGURES, .unit = " kg",
                          .unknown = "?", .hidden = !str_has_nocase(res->aim, STR("carbon"))),
        [SETTING] = COLUMN("setting", setting, .if_any = true, .unknown = ""),
    };
    struct table_rows plans = field_rows(&plan_result_fields, "plans", res);
    struct column_table t =
        columns_new(COLUMNS(columns, .style = style_of_plan, .shown = has_plan_account),
                    plans.row, view->arena);

    columns_add(&t, &plans);
    leave_out_columns(&t, order, ARRAY_LEN(order), &view->term);
    if (res->deployments.len > 0)
        plan_view_heading(look, "GPU MACHINES");
    else
        buf_char(view->out, '\n');
    columns_write(&t, &view->term, view->out);
    buf_char(view->out, '\n');
}

/* A plan of the front, with what it is compared with. */
struct front_row {
    struct plan_row plan; /* the first member: cells of plans take a front_row, too */
    bool best;
    double cost_share, time_share; /* of the highest */
};

static const struct field front_fields[] = {
    FIELD(RECORD, front_row, plan, .row = &plan_row_fields, .inlined = true),
    FIELD(FLAG, front_row, best, .help = "the best plan"),
};
static const struct field_set front_set = FIELD_SET(struct front_row, front_fields);

static bool same_plan(const struct plan_row *a, const struct plan_row *b)
{
    return str_eq(a->offer, b->offer) && a->market == b->market && a->gpus == b->gpus &&
           a->machines == b->machines && a->cost.nano == b->cost.nano;
}

static struct table_rows front_rows(const struct plan_look *look)
{
    const struct plan_result *res = look->res;
    const struct plan_row *rows = res->front.at;
    struct error ignored = {0};
    struct front_row *front =
        arena_array(look->view->arena, struct front_row, res->front.len, &ignored);
    double highest = 0, slowest = 0;

    if (front == NULL) {
        look->view->out->failed = ERROR_MEMORY;
        return (struct table_rows){.row = &front_set};
    }
    for (size_t i = 0; i < res->front.len; i++) {
        highest = fmax(highest, usd_double(rows[i].cost));
        slowest = fmax(slowest, plan_row_seconds(&rows[i]));
    }
    for (size_t i = 0; i < res->front.len; i++)
        front[i] = (struct front_row){
            .plan = rows[i],
            .best = res->plans.len > 0 && same_plan(&rows[i], res->plans.at),
            .cost_share = usd_double(rows[i].cost) / highest,
            .time_share = plan_row_seconds(&rows[i]) / slowest,
        };
    return (struct table_rows){&front_set, front, res->front.len};
}

/* The column's `yes`, repeated. */
static bool write_plan_bar(const struct column *column, const void *row, struct buf *out)
{
    const struct front_row *front = row;

    plan_view_bar(column->yes, column->index == 0 ? front->cost_share : front->time_share, BAR,
                  out);
    return true;
}

static enum term_style style_of_front(const void *row)
{
    return ((const struct front_row *)row)->best ? STYLE_GOOD : STYLE_PLAIN;
}

static void front_section(const struct plan_look *look)
{
    const struct plan_result *res = look->res;
    const char *bar = plan_view_bar_mark(look);
    const struct column columns[] = {
        COLUMN("", best, .yes = plan_mark(look), .unknown = ""),
        COLUMN(cost_title(res), cost, .form = COLUMN_ESTIMATE),
        COLUMN_CELL("", write_plan_bar, .index = 0, .yes = bar, .unknown = "",
                    .optional = true),
        plan_view_time(res),
        COLUMN_CELL("", write_plan_bar, .index = 1, .yes = bar, .unknown = "",
                    .optional = true),
        PLAN_COLUMN_GPUS,
        COLUMN("machines", machines, .optional = true,
               .hidden = !plan_has_many_machines(&res->front)),
        PLAN_COLUMN_WHERE(.shrink = true),
        COLUMN("market", market, .optional = true, .unknown = ""),
        COLUMN("price age", price_age_days, .form = COLUMN_AGE, .optional = true),
    };
    struct table_rows rows;

    if (res->front.len < FRONT_LEAST)
        return;
    rows = front_rows(look);
    plan_view_heading(look, plan_view_serving(res) ? "COST AND LATENCY" : "COST AND TIME");
    columns_print(COLUMNS(columns, .style = style_of_front), &rows, &look->view->term,
                  look->view->arena, look->view->out);
}

void plan_print(const struct view *view, const struct plan_result *res, bool utf8)
{
    struct plan_look look = {.view = view, .res = res, .utf8 = utf8};

    if (str_eq(res->written, STR("-"))) { /* it may be piped into a file */
        buf_add(view->out, res->configuration);
        return;
    }
    print_plan_head(&look);
    plan_print_deployments(&look);
    if (res->plans.len > 0) {
        plans_table(&look);
        plan_print_lines(&look);
        plan_print_source(&look);
    }
    data_view(view, &res->data);
    plan_print_platforms(&look);
    plan_print_trials(&look);
    plan_print_sessions(&look);
    plan_print_queue(&look);
    front_section(&look);
    if (res->explain) {
        plan_print_explain(&look);
        plan_print_excluded(&look);
    }
    plan_print_notes(&look);
    view_not_used(view, &res->not_used);
    if (res->plans.len == 0) {
        buf_adds(view->out, res->stages.len > 0 ? "\n" : "");
        plan_print_source(&look);
    }
    plan_print_written(&look);
}
