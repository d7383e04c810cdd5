/* Energy, carbon and cost of an estimate, and what was assumed, as a person reads it. */
#include <math.h>
#include <stdio.h>

#include "cli/estimate_print.h"

/* Serving has no end: its energy and carbon are those of an hour. */
static bool is_serving(const struct estimate *res)
{
    return str_eq(res->kind, STR("infer"));
}

/* In the largest unit that leaves more than ten of it: each is a thousand of the one before. */
static void write_in(struct guess g, const char *const *units, const char *after,
                     struct buf *out)
{
    char unit[32];

    while (g.value >= 1e4 && units[1] != NULL) {
        g = (struct guess){g.value / 1000, g.low / 1000, g.high / 1000};
        units++;
    }
    (void)snprintf(unit, sizeof unit, "%s%s", units[0], after);
    range_write(g, unit, out);
}

static void carbon_line(const struct view *view, const struct estimate *res)
{
    static const char *const units[] = {"kg", "t", "kt", NULL};
    struct buf line = estimate_line_new(view);

    write_in(res->carbon_kg, units, is_serving(res) ? " CO2e an hour" : " CO2e", &line);
    if (isnan(res->carbon_kg.value)) {
        buf_adds(&line, ": the region's power is not known");
    } else {
        buf_adds(&line, " at ");
        number_write(res->carbon_g_kwh, &line);
        buf_adds(&line, " g/kWh");
        if (res->region.len > 0 && !str_eq(res->region, STR("*"))) {
            buf_adds(&line, " in ");
            buf_add(&line, res->region);
        }
    }
    estimate_line_end(view, "carbon", STYLE_PLAIN, &line);
    for (size_t i = 0; i < res->equivalents.len && i < 2; i++) {
        line = estimate_line_new(view);
        buf_adds(&line, "as much as ");
        buf_add(&line, res->equivalents.at[i]);
        estimate_line_end(view, "", STYLE_PLAIN, &line);
    }
    if (res->offset_low.nano >= 10 * 1000 * 1000) { /* a cent */
        line = estimate_line_new(view);
        usd_write(res->offset_low, &line);
        buf_adds(&line, " to avoid as much elsewhere, ");
        usd_write(res->offset_high, &line);
        buf_adds(&line, " to take it out of the air for good");
        estimate_line_end(view, "offset", STYLE_PLAIN, &line);
    }
}

void estimate_energy_section(const struct view *view, const struct estimate *res)
{
    static const char *const units[] = {"kWh", "MWh", "GWh", NULL};
    struct buf line = estimate_line_new(view);

    buf_char(view->out, '\n');
    if (isnan(res->watts)) {
        buf_adds(&line, "? the power of the board is not known");
        estimate_line_end(view, "ENERGY", STYLE_BOLD, &line);
        return;
    }
    number_write(res->watts, &line);
    buf_adds(&line, res->nodes > 1 ? " W for each machine" : " W at the wall");
    if (!isnan(res->energy_kwh.value)) {
        buf_adds(&line, ": ");
        write_in(res->energy_kwh, units, is_serving(res) ? " an hour" : "", &line);
        if (!isnan(res->pue)) {
            buf_adds(&line, " with PUE ");
            number_write(res->pue, &line);
        }
    }
    estimate_line_end(view, "ENERGY", STYLE_BOLD, &line);
    if (!isnan(res->energy_kwh.value))
        carbon_line(view, res);
}

static void money_range(usd value, usd low, usd high, struct buf *out)
{
    usd_write(value, out);
    if (low.nano == MONEY_UNKNOWN || high.nano == MONEY_UNKNOWN || low.nano >= high.nano)
        return;
    buf_adds(out, " (");
    usd_write(low, out);
    buf_adds(out, " to ");
    usd_write(high, out);
    buf_char(out, ')');
}

static void offer_line(const struct view *view, const struct estimate *res)
{
    struct buf line = estimate_line_new(view);

    buf_add(&line, res->offer.len > 0 ? res->offer : STR("at the price given"));
    buf_adds(&line, ", ");
    if (res->machines > 1)
        buf_addf(&line, "%lld x ", (long long)res->machines);
    usd_per_hour_write(res->price, &line);
    if (res->market.len > 0) {
        buf_char(&line, ' ');
        buf_add(&line, res->market);
    }
    if (res->price_date.n != DAY_UNKNOWN.n) {
        buf_adds(&line, " of ");
        day_write(res->price_date, &line);
        if (res->price_age_days >= 0)
            buf_addf(&line, " (%lld day%s old)", (long long)res->price_age_days,
                     res->price_age_days == 1 ? "" : "s");
    }
    estimate_line_end(view, "offer", STYLE_PLAIN, &line);
}

static void cost_lines(const struct view *view, const struct rows *rows)
{
    const struct estimate_line *lines = rows->at;

    for (size_t i = 0; i < rows->len; i++) {
        struct buf amount = buf_new(view->arena->alloc, 64);

        if (lines[i].amount.nano == 0) { /* a phase that this job does not have */
            buf_free(&amount);
            continue;
        }
        dollars_write(usd_double(lines[i].amount), &amount);
        buf_addf(view->out, "  %-*.*s %9.*s\n", ESTIMATE_LEFT, STR_ARG(lines[i].name),
                 (int)amount.len, buf_text(&amount).at);
        if (amount.failed != ERROR_NONE)
            view->out->failed = amount.failed;
        buf_free(&amount);
    }
}

/* "$0.41 ($0.32 to $0.52) for a million tokens" */
static void output_line(const struct view *view, const char *label, const char *what,
                        struct guess dollars)
{
    struct buf line = estimate_line_new(view);

    dollars_range_write(dollars, &line);
    buf_addf(&line, " for %s", what);
    estimate_line_end(view, label, label[0] != '\0' ? STYLE_BOLD : STYLE_PLAIN, &line);
}

static void serving_cost(const struct view *view, const struct estimate *res)
{
    bool tokens = !isnan(res->usd_per_million_tokens.value);

    if (tokens)
        output_line(view, "COST", "a million tokens", res->usd_per_million_tokens);
    output_line(view, tokens ? "" : "COST", "1,000 predictions", res->usd_per_thousand);
}

static void training_cost(const struct view *view, const struct estimate *res)
{
    struct buf line = estimate_line_new(view);

    money_range(res->total, res->total_low, res->total_high, &line);
    if (isnan(res->hours.value))
        buf_adds(&line, ": how long it takes is not known; say --tokens");
    estimate_line_end(view, "COST", STYLE_BOLD, &line);
    if (res->total.nano != MONEY_UNKNOWN)
        cost_lines(view, &res->cost);
}

void estimate_cost_section(const struct view *view, const struct estimate *res)
{
    buf_char(view->out, '\n');
    if (res->price.nano == MONEY_UNKNOWN) {
        struct buf line = estimate_line_new(view);

        buf_adds(&line, "? no price: say --offer or --price");
        estimate_line_end(view, "COST", STYLE_BOLD, &line);
        return;
    }
    if (is_serving(res))
        serving_cost(view, res);
    else
        training_cost(view, res);
    offer_line(view, res);
}

void estimate_notes(const struct view *view, const struct estimate *res)
{
    const struct str label = STR("note: ");

    if (res->notes.len > 0)
        buf_char(view->out, '\n');
    for (size_t i = 0; i < res->notes.len; i++) {
        buf_add(view->out, label);
        view_wrap(res->notes.at[i], label.len, label.len, view->out);
        buf_char(view->out, '\n');
    }
}
