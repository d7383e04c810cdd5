/* The lines that say how to have the best plan: what to rent, how to set it, when to start. */
#include <math.h>

#include "cli/estimate_print.h"
#include "cli/plan_print.h"

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
    buf_adds(out, ", price from ");
    day_write(row->price_date, out);
    if (row->price_age_days >= 0)
        buf_addf(out, " (%lld day%s old)", (long long)row->price_age_days,
                 row->price_age_days == 1 ? "" : "s");
}

/* Hours that are paid for, before the price of those that are not. */
static void owned_words(const struct plan_row *row, struct buf *out)
{
    if (!(row->owned_hours > 0))
        return;
    number_write(row->owned_hours, out);
    buf_adds(out, row->machines > 1 ? " machine-hours you own, " : " hours you own, ");
    buf_adds(out, row->owned_suffice ? "else " : "the rest ");
}

static void rent_line(const struct plan_look *look, const struct plan_row *best)
{
    struct buf text = plan_view_text(look);
    bool own = str_eq(best->market, STR("own")) || best->owned_hours > 0;

    if (best->machines > 1)
        buf_addf(&text, "%lld x ", (long long)best->machines);
    if (best->offer.len > 0)
        buf_add(&text, best->offer);
    else
        plan_view_where(best, &text);
    buf_adds(&text, ", ");
    owned_words(best, &text);
    price_words(best, &text);
    if (best->rented_gpus > best->gpus && best->gpus > 0 && !own)
        buf_addf(&text, "; %lld of the %lld rented GPUs are used", (long long)best->gpus,
                 (long long)best->rented_gpus);
    plan_view_line(look, own ? STR("use") : STR("rent"), STYLE_PLAIN, &text);
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
    if (text.len > 0)
        plan_view_line(look, STR("setting"), STYLE_PLAIN, &text);
    else
        plan_view_drop(look, &text);
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
        number_write(fabs(saves), out);
        buf_adds(out, " kg CO2e");
    } else {
        plan_view_dollars(saves, out);
    }
    if (whole > 0) {
        buf_adds(out, " (");
        plan_view_percent(fabs(saves) / whole, out);
        buf_char(out, ')');
    }
    buf_adds(out, saves < 0 ? " more than now" : " against now");
    buf_adds(out, ", if the pattern holds");
    if (res->start_why.len > 0) {
        buf_adds(out, ": ");
        buf_add(out, res->start_why);
    }
}

static void start_line(const struct plan_look *look, const struct plan_row *best)
{
    struct buf text = plan_view_text(look);

    if (!(best->start_h > 0)) {
        plan_view_drop(look, &text);
        return;
    }
    if (best->start.len > 0) {
        buf_add(&text, best->start);
        buf_adds(&text, ", ");
    }
    buf_adds(&text, "in ");
    plan_view_hours(best->start_h, &text);
    start_words(look->res, best, &text);
    plan_view_line(look, STR("start"), STYLE_PLAIN, &text);
}

void plan_print_rent(const struct plan_look *look)
{
    const struct plan_row *best = look->res->plans.at;

    rent_line(look, best);
    set_line(look, best);
    start_line(look, best);
}
