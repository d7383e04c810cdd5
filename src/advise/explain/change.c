/* Did the work become more expensive? */
#include "advise/explain/change.h"

#include <math.h>

#include "base/num.h"
#include "unit/energy.h"
#include "unit/shown.h"
#include "unit/time.h"

#define LINE 1024          /* bytes of a verdict */
#define EQUAL 1e-9         /* logarithms below it are rounding */
#define SAME 0.0005        /* shares below it are shown as 0.0 % */
#define TENTH 1.2816       /* standard deviations from the middle to the 90th percentile */
#define LONGEST_SPAN 9.2e9 /* seconds */

const char *const change_measure_names[] = {
    [CHANGE_COST] = "cost",
    [CHANGE_TIME] = "time",
    [CHANGE_ENERGY] = "energy",
    [CHANGE_THOUSAND] = "cost per 1,000 predictions",
    NULL,
};
const char *const change_unit_names[] = {
    [CHANGE_COST] = "USD",
    [CHANGE_TIME] = "s",
    [CHANGE_ENERGY] = "kWh",
    [CHANGE_THOUSAND] = "USD",
    NULL,
};
const char *const change_source_names[] = {
    [CHANGE_PLAN] = "plan",
    [CHANGE_ESTIMATE] = "estimate",
    [CHANGE_RUN] = "run",
    [CHANGE_REPORT] = "report",
    NULL,
};
const char *const change_verdict_names[] = {
    [CHANGE_UNKNOWN] = "not compared",
    [CHANGE_SAME] = "same",
    [CHANGE_LOWER] = "lower",
    [CHANGE_WITHIN] = "within the limit",
    [CHANGE_IGNORED] = "not checked",
    [CHANGE_PRICE] = "price change",
    [CHANGE_NOISE] = "within the error",
    [CHANGE_TOO_HIGH] = "increased",
    [CHANGE_OVER] = "above the limit",
    NULL,
};

static const struct field row_fields[] = {
    FIELD(ENUM, change_row, measure, .names = change_measure_names, .help = "compared measure"),
    FIELD(ENUM, change_row, unit, .names = change_unit_names, .help = "unit of the amounts"),
    FIELD(RECORD, change_row, before, .row = &guess_set, .help = "value of the baseline"),
    FIELD(RECORD, change_row, after, .row = &guess_set, .help = "value now"),
    FIELD(NUMBER, change_row, change, .help = "change as a share: 0.1 is 10 % more"),
    FIELD(NUMBER, change_row, price,
          .help = "part of the change explained by the price of the same offer"),
    FIELD(NUMBER, change_row, error, .help = "largest increase that may be error, as a share"),
    FIELD(ENUM, change_row, verdict, .names = change_verdict_names,
          .help = "verdict on the change"),
};
const struct field_set change_row_fields = FIELD_SET(struct change_row, row_fields);

static const struct field side_fields[] = {
    FIELD(TEXT, change_side, name, .empty_unknown = true, .help = "file or run"),
    FIELD(ENUM, change_side, source, .names = change_source_names, .help = "kind of source"),
    FIELD(TEXT, change_side, unit, .empty_unknown = true, .help = "unit of the cost"),
    FIELD(TEXT, change_side, offer, .empty_unknown = true, .help = "machine and its market"),
    FIELD(RATE, change_side, price, .help = "price per machine"),
    FIELD(DAY, change_side, price_date, .help = "date of the price"),
    FIELD(NUMBER, change_side, variation,
          .help = "variation of a run: extra time at the 90th percentile"),
    FIELD(TEXT, change_side, variation_from, .empty_unknown = true,
          .help = "basis of the variation"),
};
const struct field_set change_side_fields = FIELD_SET(struct change_side, side_fields);

/* ---- numbers ---- */

void change_write_amount(enum change_measure measure, double amount, bool exact,
                         struct buf *out)
{
    switch (measure) {
    case CHANGE_TIME:
        if (amount >= 0 && amount < LONGEST_SPAN)
            span_write((span){(int64_t)(amount * 1e9)}, out);
        else
            buf_char(out, '?');
        break;
    case CHANGE_ENERGY:
        joule_write((joule){amount * JOULES_PER_KWH}, out);
        break;
    case CHANGE_COST:
    case CHANGE_THOUSAND:
    case CHANGE_MEASURES:
        if (exact)
            usd_write(usd_from(amount), out);
        else
            usd_write_estimate(usd_from(amount), out);
    }
}

/* The 90th percentile of Student's distribution: exact for few degrees of freedom, then the
 * first term of its expansion. */
static double student_tenth(size_t freedom)
{
    static const double exact[] = {3.078, 1.886, 1.638, 1.533, 1.476, 1.440, 1.415, 1.397};

    if (freedom <= ARRAY_LEN(exact))
        return exact[freedom - 1];
    return TENTH + (TENTH * TENTH * TENTH + TENTH) / (4 * (double)freedom);
}

double change_spread(const double *values, size_t count)
{
    double mean = 0, squares = 0;

    if (count < 2)
        return NAN;
    for (size_t i = 0; i < count; i++)
        mean += log(values[i]) / (double)count;
    if (!isfinite(mean))
        return NAN;
    for (size_t i = 0; i < count; i++)
        squares += pow(log(values[i]) - mean, 2);
    return student_tenth(count - 1) * sqrt(squares / (double)(count - 1));
}

/* The sum of the squared distances of one work's values from their mean, as logarithms; how
 * many values it has. */
static double squares_of(const double *values, const size_t *works, size_t count, size_t work,
                         size_t *found)
{
    double mean = 0, squares = 0;

    *found = 0;
    for (size_t i = 0; i < count; i++)
        if (works[i] == work) {
            mean += log(values[i]);
            ++*found;
        }
    mean /= (double)*found;
    for (size_t i = 0; i < count; i++)
        if (works[i] == work)
            squares += pow(log(values[i]) - mean, 2);
    return squares;
}

static bool is_first(const size_t *works, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (works[i] == works[at])
            return false;
    return true;
}

double change_spread_pooled(const double *values, const size_t *works, size_t count)
{
    double squares = 0;
    size_t freedom = 0, found;

    for (size_t i = 0; i < count; i++)
        if (is_first(works, i)) {
            squares += squares_of(values, works, count, works[i], &found);
            freedom += found - 1;
        }
    return freedom >= CHANGE_POOL_LEAST && isfinite(squares)
               ? student_tenth(freedom) * sqrt(squares / (double)freedom)
               : NAN;
}

double change_spread_of(double deviation)
{
    return TENTH * deviation;
}

bool change_is_measured(const struct change_side *side)
{
    return side->source == CHANGE_RUN || side->source == CHANGE_REPORT;
}

void change_vary(struct change_side *side, double width, struct str from)
{
    for (int m = 0; m < CHANGE_MEASURES; m++) {
        struct guess *g = &side->amount[m];
        double before = g->value > 0 && g->high > g->value ? log(g->high / g->value) : 0;

        if (isfinite(g->value))
            *g = change_range(g->value, hypot(before, width));
    }
    side->variation = expm1(width);
    side->variation_from = from;
}

struct guess change_range(double value, double width)
{
    if (!(width >= 0))
        return (struct guess){value, NAN, NAN};
    return (struct guess){value, value * exp(-width), value * exp(width)};
}

/* From the middle to the nearer of both ends, as a logarithm; 0 when there is no range. */
static double upper_width(struct guess g)
{
    return g.value > 0 && g.high > g.value ? log(g.high / g.value) : 0;
}

static double lower_width(struct guess g)
{
    return g.low > 0 && g.low < g.value ? log(g.value / g.low) : 0;
}

/* ---- one measure ---- */

static bool is_money_measure(enum change_measure measure)
{
    return measure == CHANGE_COST || measure == CHANGE_THOUSAND;
}

static bool predicted(const struct change_side *side)
{
    return side->source == CHANGE_PLAN || side->source == CHANGE_ESTIMATE;
}

/* Predictions with the same error. */
static bool same_basis(const struct change_side *a, const struct change_side *b)
{
    return predicted(a) && predicted(b) && a->basis.len > 0 && str_eq(a->basis, b->basis);
}

static bool same_offer(const struct change_side *a, const struct change_side *b)
{
    return predicted(a) && predicted(b) && a->offer.len > 0 && str_eq(a->offer, b->offer) &&
           a->price.nano > 0 && b->price.nano > 0;
}

/* The logarithm that errors explain. A baseline was perhaps more, and the rest less, than their
 * middles. */
static double error_width(const struct change_side *before, const struct change_side *after,
                          const struct change_row *row)
{
    if (same_basis(before, after)) {
        if (!is_money_measure(row->measure) || same_offer(before, after))
            return 0;
        if (!isnan(before->price_width) && !isnan(after->price_width))
            return hypot(before->price_width, after->price_width);
    }
    return hypot(upper_width(row->before), lower_width(row->after));
}

static enum change_verdict judge_increase(const struct change_row *row, double max)
{
    double total = log(row->after.value / row->before.value);
    double price = isnan(row->price) ? 0 : log1p(row->price);
    double limit = log1p(max);

    if (fabs(row->change) < SAME)
        return CHANGE_SAME;
    if (total <= limit + EQUAL)
        return row->change < 0 ? CHANGE_LOWER : CHANGE_WITHIN;
    if (total - price <= limit + EQUAL)
        return CHANGE_PRICE;
    return total - price - log1p(row->error) <= limit + EQUAL ? CHANGE_NOISE : CHANGE_TOO_HIGH;
}

static void judge_change_row(const struct change_side *before, const struct change_side *after,
                             double max, struct change_row *row)
{
    row->change = row->price = row->error = NAN;
    if (!isfinite(row->before.value) || !isfinite(row->after.value)) {
        row->verdict = CHANGE_UNKNOWN;
        return;
    }
    if (!(row->before.value > 0)) { /* from nothing to something has no share */
        row->change = row->after.value > 0 ? INFINITY : 0;
        row->verdict = !(row->after.value > 0) ? CHANGE_SAME : CHANGE_TOO_HIGH;
        return;
    }
    row->change = row->after.value / row->before.value - 1;
    if (is_money_measure(row->measure) && same_offer(before, after))
        row->price = (double)after->price.nano / (double)before->price.nano - 1;
    row->error = expm1(error_width(before, after, row));
    row->verdict = judge_increase(row, max);
}

/* ---- all of them, in a line ---- */

static void write_change_percent(double share, struct buf *out)
{
    if (isfinite(share))
        value_share(share, out);
    else
        buf_adds(out, "an unlimited share");
}

/* A limit as it was given. */
static void write_change_limit(double share, struct buf *out)
{
    num_write(round(share * 1e6) / 1e4, out);
    buf_adds(out, " %");
}

static void write_increase(const struct change_side *before, const struct change_side *after,
                           const struct change_row *row, struct buf *out)
{
    write_change_percent(row->change, out);
    buf_adds(out, " (");
    change_write_amount(row->measure, row->before.value, !predicted(before), out);
    buf_adds(out, " to ");
    change_write_amount(row->measure, row->after.value, !predicted(after), out);
    if (fabs(row->price) >= SAME) { /* false for NaN */
        buf_addf(out, ", the price %s", row->price > 0 ? "+" : "");
        write_change_percent(row->price, out);
    }
    buf_char(out, ')');
}

static void write_failures(const struct change_side *before, const struct change_side *after,
                           const struct change_limits *limits, const struct change *c,
                           struct buf *out)
{
    const struct change_row *rows = c->rows.at;
    const char *between = "";
    bool increased = false;

    for (size_t i = 0; i < c->rows.len; i++)
        if (rows[i].verdict == CHANGE_TOO_HIGH) {
            buf_adds(out, between);
            buf_addf(out, "%s %sby ", change_measure_names[rows[i].measure],
                     increased ? "" : "increased ");
            write_increase(before, after, &rows[i], out);
            between = ", ";
            increased = true;
        }
    if (increased) {
        buf_adds(out, "; the limit is ");
        write_change_limit(limits->max_increase, out);
        between = "; ";
    }
    if (c->over) {
        buf_adds(out, between);
        buf_adds(out, "cost ");
        usd_write(after->cost, out);
        buf_adds(out, " is above the limit of ");
        usd_write(limits->max_cost, out);
    }
}

/* What is above the limit but does not count, and why. */
static void write_excused(const struct change_row *row, struct buf *out)
{
    buf_addf(out, "%s +", change_measure_names[row->measure]);
    write_change_percent(row->change, out);
    if (row->verdict == CHANGE_PRICE) {
        buf_adds(out, " by the price of the machine (+");
        write_change_percent(row->price, out);
    } else {
        buf_adds(out, " by error (");
        write_change_percent(row->error, out);
    }
    buf_char(out, ')');
}

static bool is_excused(const struct change_row *row)
{
    return row->verdict == CHANGE_PRICE || row->verdict == CHANGE_NOISE;
}

static void write_increases(const struct change_limits *limits, const struct change *c,
                            struct buf *out)
{
    const struct change_row *rows = c->rows.at;
    size_t excused = 0, written = 0;

    for (size_t i = 0; i < c->rows.len; i++)
        excused += is_excused(&rows[i]);
    buf_adds(out, excused > 0 ? "increases above " : "nothing increased by more than ");
    write_change_limit(limits->max_increase, out);
    for (size_t i = 0; i < c->rows.len; i++)
        if (is_excused(&rows[i])) {
            buf_adds(out, written++ == 0 ? " are explained: " : ", ");
            write_excused(&rows[i], out);
        }
}

static void write_pass(const struct change_side *before, const struct change_side *after,
                       const struct change_limits *limits, const struct change *c,
                       struct buf *out)
{
    buf_adds(out, "passed: ");
    if (before != NULL)
        write_increases(limits, c, out);
    if (limits->max_cost.nano == MONEY_UNKNOWN)
        return;
    buf_adds(out, before != NULL ? "; cost " : "cost ");
    usd_write(after->cost, out);
    buf_adds(out, " is within ");
    usd_write(limits->max_cost, out);
}

/* ---- both sides ---- */

static bool both_have(const struct change_side *before, const struct change_side *after,
                      enum change_measure m)
{
    return isfinite(before->amount[m].value) && isfinite(after->amount[m].value);
}

static bool check_any_in_common(const struct change_side *before,
                                const struct change_side *after, struct error *err)
{
    for (int m = 0; m < CHANGE_MEASURES; m++)
        if (both_have(before, after, (enum change_measure)m))
            return true;
    return error_fail(err, ERROR_INPUT,
                      "nothing to compare: '%.*s' and '%.*s' have no cost, time "
                      "or energy in common",
                      STR_ARG(before->name), STR_ARG(after->name));
}

static bool check_same_unit(const struct change_side *before, const struct change_side *after,
                            struct error *err)
{
    if (!both_have(before, after, CHANGE_COST) || str_eq(before->unit, after->unit))
        return true;
    return error_fail(err, ERROR_INPUT, "'%.*s' has the cost of a %.*s, but '%.*s' of a %.*s",
                      STR_ARG(before->name), STR_ARG(before->unit), STR_ARG(after->name),
                      STR_ARG(after->unit));
}

static bool check_sides(const struct change_side *before, const struct change_side *after,
                        const struct change_limits *limits, struct error *err)
{
    if (limits->max_cost.nano != MONEY_UNKNOWN && after->cost.nano == MONEY_UNKNOWN)
        return error_fail(err, ERROR_INPUT,
                          "%.*s: its cost is not known, so --max-cost cannot be checked",
                          STR_ARG(after->name));
    return before == NULL ||
           (check_any_in_common(before, after, err) && check_same_unit(before, after, err));
}

static const struct guess nothing = {NAN, NAN, NAN};

bool change_judge(const struct change_side *before, const struct change_side *after,
                  const struct change_limits *limits, struct arena *arena, struct change *out,
                  struct error *err)
{
    struct change_row *rows = arena_array(arena, struct change_row, CHANGE_MEASURES, err);
    struct buf line = buf_new(arena->alloc, LINE);
    size_t count = 0;

    *out = (struct change){.passed = true};
    if (rows == NULL || !check_sides(before, after, limits, err))
        return false;
    for (int m = 0; m < CHANGE_MEASURES; m++) {
        struct change_row *row = &rows[count];

        *row = (struct change_row){.measure = (enum change_measure)m,
                                   .unit = (enum change_measure)m,
                                   .before = before != NULL ? before->amount[m] : nothing,
                                   .after = after->amount[m]};
        if (!isfinite(row->before.value) && !isfinite(row->after.value))
            continue;
        judge_change_row(before, after, limits->max_increase, row);
        if (row->verdict >= CHANGE_PRICE && (limits->ignored >> m & 1) != 0)
            row->verdict = CHANGE_IGNORED;
        out->passed = out->passed && row->verdict != CHANGE_TOO_HIGH;
        count++;
    }
    out->rows = (struct rows){rows, count};
    out->over =
        limits->max_cost.nano != MONEY_UNKNOWN && after->cost.nano > limits->max_cost.nano;
    out->passed = out->passed && !out->over;
    if (out->over && rows[0].verdict != CHANGE_TOO_HIGH)
        rows[0].verdict = CHANGE_OVER;
    if (out->passed)
        write_pass(before, after, limits, out, &line);
    else
        write_failures(before, after, limits, out, &line);
    return buf_keep(&line, arena, &out->verdict, err);
}

/* ---- the answer ---- */

static const struct field check_list[] = {
    FIELD_AS("passed", FLAG, check_result, change.passed, .help = "all limits are met"),
    FIELD_AS("verdict", TEXT, check_result, change.verdict, .help = "verdict in one line"),
    FIELD(SHARE, check_result, max_increase,
          .help = "limit on the increase; null without a baseline"),
    FIELD(USD, check_result, max_cost, .help = "limit on the cost; null: none"),
    FIELD(RECORD, check_result, before, .row = &change_side_fields, .sparse = true,
          .help = "baseline"),
    FIELD(RECORD, check_result, after, .row = &change_side_fields, .help = "checked item"),
    FIELD_AS("rows", LIST, check_result, change.rows, .row = &change_row_fields,
             .help = "measures known for either side"),
    FIELD(TEXT, check_result, markdown, .empty_unknown = true, .help = "file that was written"),
};
const struct field_set check_fields = FIELD_SET(struct check_result, check_list);
