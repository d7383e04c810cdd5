#include "advise/economics/commitments.h"

#include <math.h>
#include <stdlib.h>

#include "catalog/discount.h"

#define MONTHS_MAX 1200 /* a hundred years: longer loads are refused by those who read them */
/* Sustained use is priced in quarters of a month, each at the same step below the one before:
 * 100, 80, 60 and 40 % come to 30 % off a full month (cloud.google.com/compute/docs/
 * sustained-use-discounts). */
#define QUARTERS 4
#define TOLERANCE 1e-9 /* of sums of shares */
#define ROUNDING 1e-12 /* of a quotient */

const struct commitment_future commitment_no_change = {1, 1};

/* ---- the curve ---- */

struct hour_load {
    double dollars;
    int month; /* counted from that of the first hour */
};

static int compare_loads(const void *a, const void *b)
{
    const struct hour_load *x = a, *y = b;

    return (x->dollars < y->dollars) - (x->dollars > y->dollars);
}

/* The on-demand price of a dollar of load that is used for this share of a month, as a share of
 * the price of the complete month. */
static double sustained_price(double used, double discount)
{
    double price = 0;

    for (int q = 0; q < QUARTERS; q++) {
        double in_quarter = fmin(fmax(used - (double)q / QUARTERS, 0), 1.0 / QUARTERS);

        price += in_quarter * (1 - discount * 2 * q / (QUARTERS - 1));
    }
    return price;
}

/* The share of a month from which on a dollar costs more on demand than committed; NaN: it
 * never does. */
static double break_even_of(double discount, double sustained)
{
    double price = 0;

    for (int q = 0; q < QUARTERS; q++) {
        double rate = 1 - sustained * 2 * q / (QUARTERS - 1);
        double here = rate > 0 ? (1 - discount - price) / rate : INFINITY;

        if (here <= 1.0 / QUARTERS + TOLERANCE)
            return (double)q / QUARTERS + here;
        price += rate / QUARTERS;
    }
    return NAN;
}

struct month_hours {
    double observed, used; /* hours */
};

/* The observed hours with their months. */
static struct hour_load *collect_hours(const struct commitment_load *load,
                                       struct month_hours *months, struct arena *arena,
                                       size_t *count, struct error *err)
{
    struct hour_load *hours = arena_array(arena, struct hour_load, load->hours, err);
    stamp next = stamp_next_month(load->first);
    int month = 0;

    *count = 0;
    for (size_t i = 0; hours != NULL && i < load->hours; i++) {
        int64_t at = load->first.s + (int64_t)i * 3600;

        if (at >= next.s && month < MONTHS_MAX - 1) {
            month++;
            next = stamp_next_month((stamp){at});
        }
        if (isnan(load->dollars[i]))
            continue;
        hours[(*count)++] = (struct hour_load){fmax(load->dollars[i], 0), month};
        months[month].observed++;
    }
    return hours;
}

/* What a dollar of load that is used in the hours counted so far costs on demand. */
static double price_used(const struct month_hours *m, double sustained)
{
    return m->observed * sustained_price(m->used / m->observed, sustained);
}

bool commitment_curve_make(const struct commitment_load *load, double sustained,
                           struct arena *arena, struct commitment_curve *out, struct error *err)
{
    struct month_hours *months = arena_array(arena, struct month_hours, MONTHS_MAX, err);
    double *level = arena_array(arena, double, load->hours + 1, err);
    double *rate = arena_array(arena, double, load->hours + 1, err);
    double *above = arena_array(arena, double, load->hours + 1, err);
    double *uncovered = arena_array(arena, double, load->hours + 1, err);
    struct hour_load *hours;
    size_t n, at = 0, levels = 0;
    double price = 0;

    *out = (struct commitment_curve){0};
    if (months == NULL || level == NULL || rate == NULL || above == NULL || uncovered == NULL)
        return false;
    hours = collect_hours(load, months, arena, &n, err);
    if (hours == NULL)
        return false;
    if (n == 0)
        return true;
    qsort(hours, n, sizeof *hours, compare_loads);
    /* From the largest load down: below each level, one more hour (or several) is used. */
    while (at < n && hours[at].dollars > 0) {
        double load_here = hours[at].dollars, next;

        for (; at < n && hours[at].dollars >= load_here; at++) {
            struct month_hours *m = &months[hours[at].month];

            price -= sustained > 0 ? price_used(m, sustained) : m->used;
            m->used++;
            price += sustained > 0 ? price_used(m, sustained) : m->used;
        }
        level[levels] = load_here;
        rate[levels] = price / (double)n;
        next = at < n ? hours[at].dollars : 0;
        above[levels + 1] = above[levels] + rate[levels] * (load_here - next);
        uncovered[levels + 1] = uncovered[levels] + (double)at / (double)n * (load_here - next);
        levels++;
    }
    *out = (struct commitment_curve){level, rate, above, uncovered, levels + 1, n};
    return true;
}

/* The place of the level at or below `commit`; the last has 0. */
static size_t level_at(const struct commitment_curve *c, double commit)
{
    size_t low = 0, high = c->count - 1;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (c->level[middle] <= commit)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Of one of the sums: what is above `commit`, which may lie between two levels. */
static double sum_above(const struct commitment_curve *c, const double *sum, double commit)
{
    size_t i = level_at(c, commit);
    double width;

    if (i == 0)
        return 0; /* at or above the largest load */
    width = c->level[i - 1] - c->level[i];
    return sum[i] - (sum[i] - sum[i - 1]) * (commit - c->level[i]) / width;
}

/* What the next dollar above `commit` costs on demand. */
static double rate_above(const struct commitment_curve *c, double commit)
{
    size_t i = level_at(c, commit);

    return i == 0 ? 0 : c->rate[i - 1];
}

double commitment_cost(const struct commitment_curve *curve, double commit, double discount,
                       const struct commitment_future *future)
{
    double before = sum_above(curve, curve->above, commit);
    double after = future->left > 0
                       ? future->left * sum_above(curve, curve->above, commit / future->left)
                       : 0;

    return commit * (1 - discount) + future->share * before + (1 - future->share) * after;
}

/* Is a dollar more than `commit` not worth its price? */
static bool is_commitment_enough(const struct commitment_curve *c, double commit,
                                 double discount, const struct commitment_future *f)
{
    /* A scaled level divided by its scale may come out an ulp below the level. */
    double after = f->left > 0 ? rate_above(c, commit / f->left * (1 + ROUNDING)) : 0;

    return f->share * rate_above(c, commit) + (1 - f->share) * after <=
           1 - discount + TOLERANCE;
}

/* The smallest of the levels, times `scale`, that is enough: the slope falls with the
 * amount. */
static double smallest_enough(const struct commitment_curve *c, double scale, double discount,
                              const struct commitment_future *f)
{
    size_t low = 0, high = c->count - 1; /* `low` is enough */

    if (is_commitment_enough(c, 0, discount, f))
        return 0;
    while (low < high) {
        size_t middle = low + (high - low + 1) / 2;

        if (is_commitment_enough(c, c->level[middle] * scale, discount, f))
            low = middle;
        else
            high = middle - 1;
    }
    return c->level[low] * scale;
}

double commitment_best(const struct commitment_curve *curve, double discount, double unit,
                       const struct commitment_future *future)
{
    double best = smallest_enough(curve, 1, discount, future), fewer, more;

    if (future->share < 1 && future->left > 0) {
        /* The largest level is enough for the history; scaled, it may not be. */
        double scaled = smallest_enough(curve, future->left, discount, future);

        if (scaled < best && is_commitment_enough(curve, scaled, discount, future))
            best = scaled;
    }
    if (!(unit > 0))
        return best;
    fewer = floor(best / unit + TOLERANCE) * unit;
    more = fewer + unit;
    return commitment_cost(curve, more, discount, future) <
                   commitment_cost(curve, fewer, discount, future) - TOLERANCE
               ? more
               : fewer;
}

double commitment_coverage(const struct commitment_curve *curve, double commit)
{
    double all = sum_above(curve, curve->uncovered, 0);

    return all > 0 ? 1 - sum_above(curve, curve->uncovered, commit) / all : NAN;
}

double commitment_utilization(const struct commitment_curve *curve, double commit)
{
    double all = sum_above(curve, curve->uncovered, 0);

    return commit > 0 ? (all - sum_above(curve, curve->uncovered, commit)) / commit : NAN;
}

/* ---- what to buy ---- */

#define FALL(kind, member, text) FIELD(kind, commitment_fall, member, .help = (text))

static const struct field fall_fields[] = {
    FALL(SHARE, by, "fall of the load after six months, as a share"),
    FIELD_AS("savings", USD, commitment_fall, saving,
             .help = "savings over the term, compared with on demand"),
    FALL(USD, regret, "regret over the term, compared with the best amount in hindsight"),
    FALL(RATE, best, "best amount in hindsight, at on-demand prices"),
};

const struct field_set commitment_fall_fields = FIELD_SET(struct commitment_fall, fall_fields);

#define OPTION(kind, member, text) FIELD(kind, commitment_option, member, .help = (text))

static const struct field option_fields[] = {
    FIELD(TEXT, commitment_option, provider, .empty_unknown = true,
          .help = "provider that sells it"),
    FIELD(TEXT, commitment_option, region, .empty_unknown = true, .help = "region; null: all"),
    FIELD(TEXT, commitment_option, family, .empty_unknown = true,
          .help = "machine family; null: all"),
    OPTION(COUNT, term_months, "term in months"),
    FIELD(TEXT, commitment_option, upfront, .empty_unknown = true,
          .help = "upfront payment: none, partial or all; null: not stated"),
    OPTION(
        SHARE, discount,
        "expected discount off the on-demand price: the middle of the published range; null: "
        "not published"),
    OPTION(SHARE, discount_low, "lowest discount off the on-demand price; null: not published"),
    OPTION(SHARE, discount_high,
           "highest discount off the on-demand price; null: not published"),
    OPTION(SHARE, sustained,
           "automatic discount for a complete month of use, without a commitment"),
    OPTION(SHARE, break_even, "share of hours that must be used to break even; null: never"),
    OPTION(RATE, commit, "load it covers, at on-demand prices"),
    OPTION(RATE, pay, "payment for it at the lower discount, used or not"),
    OPTION(NUMBER, machines, "machines to commit to, where they are sold by the machine"),
    OPTION(SHARE, coverage, "covered share of the load"),
    OPTION(SHARE, utilization, "used share of the commitment"),
    OPTION(USD, on_demand, "yearly cost without it"),
    OPTION(USD, cost_low, "yearly cost with it, at the higher discount"),
    OPTION(USD, cost_high, "yearly cost with it, at the lower discount"),
    FIELD_AS("savings", USD, commitment_option, saving,
             .help = "yearly savings at the expected discount"),
    FIELD_AS("savings_low", USD, commitment_option, saving_low,
             .help = "yearly savings at the lower discount"),
    FIELD_AS("savings_high", USD, commitment_option, saving_high,
             .help = "yearly savings at the higher discount"),
    OPTION(USD, owed, "total owed over the term, used or not"),
    FIELD_AS("if_load_falls", LIST, commitment_option, falls, .row = &commitment_fall_fields,
             .help = "outcomes if the load falls after six months"),
    OPTION(FLAG, buy, "recommended for this load"),
    FIELD(TEXT, commitment_option, why_not, .empty_unknown = true,
          .help = "reason against it, where something other than its savings decides"),
    OPTION(TEXT, source, "source of the discounts"),
    OPTION(DAY, date, "date of the discounts"),
};

const struct field_set commitment_option_fields =
    FIELD_SET(struct commitment_option, option_fields);

static usd_per_hour dollars_per_hour(double dollars)
{
    return (usd_per_hour){usd_about(dollars).nano};
}

static bool make_falls(const struct commitment_curve *curve,
                       const struct commitment_offer *offer, double discount, double commit,
                       struct arena *arena, struct rows *out, struct error *err)
{
    static const double steps[] = {0.25, 0.5, 1};
    struct commitment_fall *falls =
        arena_array(arena, struct commitment_fall, ARRAY_LEN(steps), err);
    double months = (double)offer->term_months;
    double hours = months * COMMITMENT_YEAR_HOURS / 12;

    if (falls == NULL)
        return false;
    for (size_t i = 0; i < ARRAY_LEN(steps); i++) {
        struct commitment_future future = {fmin(COMMITMENT_FALL_MONTHS / months, 1),
                                           1 - steps[i]};
        double best = commitment_best(curve, discount, offer->unit, &future);
        double cost = commitment_cost(curve, commit, discount, &future);

        falls[i] = (struct commitment_fall){
            .by = steps[i],
            .saving = usd_about((commitment_cost(curve, 0, discount, &future) - cost) * hours),
            .regret =
                usd_about((cost - commitment_cost(curve, best, discount, &future)) * hours),
            .best = dollars_per_hour(best)};
    }
    *out = (struct rows){falls, ARRAY_LEN(steps)};
    return true;
}

/* The amount for the discount that is certain; else the one that is promised at most. */
static bool make_option(const struct commitment_curve *curve,
                        const struct commitment_offer *offer, struct arena *arena,
                        struct commitment_option *out, struct error *err)
{
    bool certain = !isnan(offer->discount_low);
    double low = certain ? offer->discount_low : offer->discount_high;
    double high = isnan(offer->discount_high) ? low : offer->discount_high;
    double commit, cost, on_demand;

    *out = (struct commitment_option){
        .term_months = offer->term_months,
        .upfront = offer->upfront,
        .discount = discount_expected(offer->discount_low, offer->discount_high),
        .discount_low = offer->discount_low,
        .discount_high = offer->discount_high,
        .sustained = offer->sustained,
        .break_even = break_even_of(low, offer->sustained),
        .commit = USD_PER_HOUR_UNKNOWN,
        .pay = USD_PER_HOUR_UNKNOWN,
        .machines = NAN,
        .coverage = NAN,
        .utilization = NAN,
        .on_demand = USD_UNKNOWN,
        .cost_low = USD_UNKNOWN,
        .cost_high = USD_UNKNOWN,
        .saving = USD_UNKNOWN,
        .saving_low = USD_UNKNOWN,
        .saving_high = USD_UNKNOWN,
        .owed = USD_UNKNOWN,
        .source = offer->source,
        .date = offer->date};
    if (curve->count == 0 || isnan(low) || offer->term_months <= 0) {
        out->why_not = curve->count == 0 ? STR("no hour of the load was observed")
                                         : STR("the discount is not published: ask for a quote "
                                               "and give it as --discount");
        return true;
    }
    commit = commitment_best(curve, low, offer->unit, &commitment_no_change);
    on_demand = commitment_cost(curve, 0, low, &commitment_no_change);
    cost = commitment_cost(curve, commit, low, &commitment_no_change);
    out->commit = dollars_per_hour(commit);
    out->pay = dollars_per_hour(commit * (1 - low));
    out->machines = offer->unit > 0 ? round(commit / offer->unit) : NAN;
    out->coverage = commitment_coverage(curve, commit);
    out->utilization = commitment_utilization(curve, commit);
    out->on_demand = usd_about(on_demand * COMMITMENT_YEAR_HOURS);
    out->cost_high = usd_about(cost * COMMITMENT_YEAR_HOURS);
    out->cost_low = usd_about((cost - commit * (high - low)) * COMMITMENT_YEAR_HOURS);
    out->saving_high =
        usd_about((on_demand - cost + commit * (high - low)) * COMMITMENT_YEAR_HOURS);
    out->owed =
        usd_about(commit * (1 - low) * (double)offer->term_months * COMMITMENT_YEAR_HOURS / 12);
    if (certain) {
        out->saving_low = usd_about((on_demand - cost) * COMMITMENT_YEAR_HOURS);
        out->saving =
            usd_about((on_demand - cost + commit * (discount_expected(low, high) - low)) *
                      COMMITMENT_YEAR_HOURS);
    } else {
        out->cost_high = USD_UNKNOWN;
        out->why_not = STR("only an upper limit of the discount is published");
    }
    return make_falls(curve, offer, low, commit, arena, &out->falls, err);
}

/* Does it save over its term, even when half of the load is gone after six months? */
static bool is_safe(const struct commitment_option *o)
{
    const struct commitment_fall *falls = o->falls.at;

    for (size_t i = 0; i < o->falls.len; i++)
        if (falls[i].by <= 0.5 && falls[i].saving.nano < 0)
            return false;
    return o->falls.len > 0;
}

/* At most one is recommended. */
static void choose_option(struct commitment_option *options, size_t count, size_t observed)
{
    struct commitment_option *best = NULL;

    for (size_t i = 0; i < count; i++) {
        struct commitment_option *o = &options[i];

        if (o->why_not.len > 0)
            continue;
        if (o->commit.nano == 0)
            o->why_not = isnan(o->break_even)
                             ? STR("the discount for sustained use, without it, is larger")
                             : STR("no part of the load is used in enough hours");
        else if ((double)observed < COMMITMENT_LEAST_HOURS * (double)o->term_months / 12)
            o->why_not = STR("less than four weeks were observed for each year of its term");
        else if (!is_safe(o))
            o->why_not = STR("costs more than on demand if the load falls by half after 6 "
                             "months");
        else if (best == NULL || o->saving_low.nano > best->saving_low.nano)
            best = o;
    }
    if (best != NULL)
        best->buy = true;
}

bool commitment_options(const struct commitment_load *load,
                        const struct commitment_offer *offers, size_t count,
                        struct arena *arena, struct commitment_option *out, struct error *err)
{
    struct commitment_curve curve = {0};
    double made = NAN;

    for (size_t i = 0; i < count; i++) {
        /* The same curve for all offers, as a rule. */
        if (!(made == offers[i].sustained)) {
            if (!commitment_curve_make(load, offers[i].sustained, arena, &curve, err))
                return false;
            made = offers[i].sustained;
        }
        if (!make_option(&curve, &offers[i], arena, &out[i], err))
            return false;
    }
    choose_option(out, count, curve.observed);
    return true;
}
