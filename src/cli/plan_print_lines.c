/* The lines below the table of plans: why the best is best, how to have it, what the other
 * market and other providers would change, what it all stands on. */
#include <math.h>

#include "cli/estimate_print.h"
#include "cli/plan_print.h"
#include "cli/spot_view.h"

#define HALF_CENT 0.005
#define AS_LONG 0.01 /* a share of the time that nobody notices */

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
    } else if (fabs(row->more_usd) < HALF_CENT) {
        buf_adds(out, "costs the same");
    } else {
        buf_adds(out, "costs ");
        plan_view_dollars(row->more_usd, out);
        buf_adds(out, row->more_usd > 0 ? " more" : " less");
    }
    if (isnan(hours) || plan_view_serving(look->res))
        return;
    if (fabs(hours) <= AS_LONG * best->hours.value) {
        buf_adds(out, " and takes as long");
    } else {
        buf_adds(out, " and is done ");
        plan_view_hours(fabs(hours), out);
        buf_adds(out, hours > 0 ? " later" : " sooner");
    }
}

/* What it is best at. */
static void merit(const struct plan_result *res, const struct plan_row *best, struct buf *out)
{
    struct str aim = res->aim;

    if (aim.len == 0 || str_eq(aim, STR("cost"))) {
        buf_adds(out, "the least money");
    } else if (str_eq(aim, STR("time"))) {
        buf_adds(out, plan_view_serving(res) ? "the fastest answers" : "the soonest done");
    } else if (str_eq(aim, STR("carbon"))) {
        buf_adds(out, "the least carbon, ");
        number_write(best->carbon_kg, out);
        buf_adds(out, " kg CO2e");
    } else if (str_eq(aim, STR("value"))) {
        buf_adds(out, "the least of money and time together");
    } else {
        buf_adds(out, "the best by ");
        buf_add(out, aim);
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
        buf_adds(&text, ", an hour being worth ");
        usd_write(res->hour_worth, &text);
    }
    if (res->time_worth.nano > 0) {
        buf_adds(&text, "; the time that it saves against the cheapest plan is worth ");
        usd_write(res->time_worth, &text);
    }
    if (other != NULL) {
        buf_adds(&text, plan_view_role_is(other, "other GPU") ? "; the next GPU, "
                        : plan_view_role_is(other, "faster")  ? "; a faster way, "
                                                              : "; a cheaper way, ");
        plan_view_gpus(other, &text);
        buf_adds(&text, ", ");
        difference(look, other, &text);
    }
    end_line(look, "why", &text);
}

static void price_words(const struct plan_row *row, struct buf *out)
{
    usd_per_hour_write(row->price, out);
    if (row->machines > 1)
        buf_adds(out, " each");
    if (row->market.len > 0) {
        buf_char(out, ' ');
        buf_add(out, row->market);
    }
    if (row->price_date.n == DAY_UNKNOWN.n)
        return;
    buf_adds(out, ", price of ");
    day_write(row->price_date, out);
    if (row->price_age_days >= 0)
        buf_addf(out, " (%lld day%s old)", (long long)row->price_age_days,
                 row->price_age_days == 1 ? "" : "s");
}

static void rent_line(const struct plan_look *look, const struct plan_row *best)
{
    struct buf text = plan_view_text(look);
    bool own = str_eq(best->market, STR("own"));

    if (best->machines > 1)
        buf_addf(&text, "%lld x ", (long long)best->machines);
    if (best->offer.len > 0)
        buf_add(&text, best->offer);
    else
        plan_view_where(best, &text);
    buf_adds(&text, ", ");
    price_words(best, &text);
    end_line(look, own ? "use" : "rent", &text);
}

static void set_line(const struct plan_look *look, const struct plan_row *best)
{
    struct buf text = plan_view_text(look);

    buf_add(&text, best->setting);
    if (!isnan(best->memory_gb) && !isnan(best->usable_gb)) {
        buf_adds(&text, text.len > 0 ? ": " : "");
        number_write(best->memory_gb, &text);
        buf_adds(&text, " of ");
        number_write(best->usable_gb, &text);
        buf_adds(&text, best->gpus > 1 ? " GB used on each GPU" : " GB used");
    }
    if (text.len > 0)
        end_line(look, "set", &text);
    else
        buf_free(&text);
}

static void start_line(const struct plan_look *look, const struct plan_row *best)
{
    struct buf text = plan_view_text(look);

    if (!(best->start_h > 0)) {
        buf_free(&text);
        return;
    }
    if (best->start.len > 0) {
        buf_add(&text, best->start);
        buf_adds(&text, ", ");
    }
    buf_adds(&text, "in ");
    plan_view_hours(best->start_h, &text);
    end_line(look, "start", &text);
}

/* The deadline, losses, checkpoints: whatever is known of a plan on spot. */
static void spot_words(const struct plan_row *row, struct buf *out)
{
    const char *before = out->len > 0 ? "; " : "";

    if (!isnan(row->on_time)) {
        buf_adds(out, before);
        plan_view_percent(row->on_time, out);
        buf_adds(out, " sure to be in time");
        before = ", ";
    }
    if (!isnan(row->risk)) {
        buf_adds(out, before);
        plan_view_percent(row->risk, out);
        buf_adds(out, " to lose a machine");
        before = ", ";
    }
    if (!isnan(row->losses)) {
        buf_adds(out, before);
        number_write(row->losses, out);
        buf_adds(out, " lost in the mean");
        before = ", ";
    }
    if (row->save_every_s > 0) {
        buf_adds(out, before);
        buf_adds(out, "a checkpoint every ");
        spot_span(out, span_hours(row->save_every_s / 3600));
        before = ", ";
    }
    if (!isnan(row->overhead)) {
        buf_adds(out, before);
        plan_view_percent(row->overhead, out);
        buf_adds(out, " of the time for it");
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
        buf_free(&text);
        return;
    }
    usd_write(row->cost, &text);
    if (!isnan(row->more_usd)) {
        buf_adds(&text, ": ");
        write_saving(row->more_usd, best->cost, &text);
    }
    if (fabs(row->more_hours) > AS_LONG * best->hours.value) { /* false when unknown */
        buf_adds(&text, ", done ");
        plan_view_hours(fabs(row->more_hours), &text);
        buf_adds(&text, row->more_hours > 0 ? " later" : " sooner");
    }
    if (str_eq(row->market, STR("spot")))
        spot_words(row, &text);
    end_line(look, role, &text);
}

static void spot_line_of_best(const struct plan_look *look, const struct plan_row *best)
{
    struct buf text = plan_view_text(look);

    if (str_eq(best->market, STR("spot")))
        spot_words(best, &text);
    if (text.len > 0)
        end_line(look, "spot", &text);
    else
        buf_free(&text);
}

/* "lambda would save $12.30, runpod $8.10: you have no account there". */
static void account_line(const struct plan_look *look)
{
    const struct plan_row *rows = look->res->plans.at;
    struct buf text = plan_view_text(look);
    size_t named = 0;

    for (size_t i = 0; i < look->res->plans.len; i++) {
        if (!plan_view_role_is(&rows[i], "no account") || !(rows[i].more_usd <= -HALF_CENT))
            continue;
        buf_adds(&text, named > 0 ? ", " : "");
        buf_add(&text, rows[i].provider);
        buf_adds(&text, named++ > 0 ? " " : " would save ");
        plan_view_dollars(rows[i].more_usd, &text);
        if (!plan_view_serving(look->res) && !isnan(rows[i].hours.value)) {
            buf_adds(&text, " (");
            plan_view_gpus(&rows[i], &text);
            buf_adds(&text, ", ");
            plan_view_hours(rows[i].hours.value, &text);
            buf_char(&text, ')');
        }
    }
    if (named > 0) {
        buf_adds(&text, ": you have no account there");
        end_line(look, "no account", &text);
    } else {
        buf_free(&text);
    }
}

void plan_print_lines(const struct plan_look *look)
{
    const struct plan_row *best = look->res->plans.at;

    why_line(look);
    rent_line(look, best);
    set_line(look, best);
    start_line(look, best);
    spot_line_of_best(look, best);
    other_market(look, best, "on spot");
    other_market(look, best, "on demand");
    account_line(look);
}

static void counted(struct buf *out, int64_t n, const char *what)
{
    if (n < 0)
        return;
    buf_adds(out, out->len > 0 ? ", " : "");
    if (n < 1000000)
        count_write((double)n, out);
    else
        large_write((double)n, out);
    buf_adds(out, what);
}

void plan_print_source(const struct plan_look *look)
{
    const struct plan_result *res = look->res;
    struct buf text = plan_view_text(look);

    if (res->prices_to.n != DAY_UNKNOWN.n) {
        buf_adds(&text, "of ");
        if (res->prices_from.n != DAY_UNKNOWN.n && res->prices_from.n != res->prices_to.n) {
            day_write(res->prices_from, &text);
            buf_adds(&text, " to ");
        }
        day_write(res->prices_to, &text);
        plan_view_line(look, STR("prices"), STYLE_DIM, &text);
        text = plan_view_text(look);
    }
    counted(&text, res->offers, res->offers == 1 ? " offer" : " offers");
    if (res->places > 0 && res->offers >= 0) {
        buf_adds(&text, " at ");
        count_write((double)res->places, &text);
        buf_adds(&text, res->places == 1 ? " price" : " prices");
    }
    counted(&text, res->settings, " settings computed");
    counted(&text, res->pruned, " ruled out");
    if (!isnan(res->search_ms) && text.len > 0) {
        buf_adds(&text, ", ");
        seconds_write(res->search_ms / 1000, &text);
    }
    if (text.len > 0)
        plan_view_line(look, STR("searched"), STYLE_DIM, &text);
    else
        buf_free(&text);
}
