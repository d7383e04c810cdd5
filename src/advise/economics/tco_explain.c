/* The cost of owning in words: how each part came about, and which assumption matters. */
#include <math.h>

#include "advise/economics/tco.h"
#include "base/num.h"

#define TEXT_MAX 400

static const struct field part_fields[] = {
    FIELD(TEXT, tco_part, name, .help = "part: depreciation, capital, power, ..."),
    FIELD(USD, tco_part, year, .help = "cost per machine and year"),
    FIELD(RATE, tco_part, gpu_hour, .help = "cost per GPU-hour in use"),
    FIELD(SHARE, tco_part, share, .help = "share of the total"),
    FIELD(TEXT, tco_part, how, .help = "formula with its numbers"),
};
const struct field_set tco_part_fields = FIELD_SET(struct tco_part, part_fields);

static const struct field assumption_fields[] = {
    FIELD(TEXT, tco_assumption, name, .help = "option that sets it"),
    FIELD(NUMBER, tco_assumption, value, .help = "value in its unit"),
    FIELD(TEXT, tco_assumption, unit, .help = "unit of the value"),
    FIELD(NUMBER, tco_assumption, low, .help = "low end of the usual range; null when given"),
    FIELD(NUMBER, tco_assumption, high, .help = "high end of the usual range; null when given"),
    FIELD(RATE, tco_assumption, at_low, .help = "cost per GPU-hour with the low value"),
    FIELD(RATE, tco_assumption, at_high, .help = "cost per GPU-hour with the high value"),
    FIELD(NUMBER, tco_assumption, tenth,
          .help = "change of the cost per GPU-hour when the value is 10 % higher"),
    FIELD(TEXT, tco_assumption, source, .help = "source of the value"),
    FIELD(DAY, tco_assumption, date, .help = "date of the source; null when given"),
};
const struct field_set tco_assumption_fields =
    FIELD_SET(struct tco_assumption, assumption_fields);

static const struct field rival_fields[] = {
    FIELD(TEXT, tco_rival, market, .help = "on-demand, spot, reserved-1y or reserved-3y"),
    FIELD(TEXT, tco_rival, offer, .help = "cheapest offer with these GPUs"),
    FIELD(RATE, tco_rival, price, .help = "price per GPU"),
    FIELD(RATE, tco_rival, price_low, .help = "low end of the price range; null: unknown"),
    FIELD(RATE, tco_rival, price_high, .help = "high end of the price range; null: unknown"),
    FIELD(RATE, tco_rival, used_hour,
          .help = "price per GPU-hour in use: reserved GPUs are paid in all hours"),
    FIELD(USD, tco_rival, year, .help = "yearly cost of as many GPUs for the same use"),
    FIELD(USD, tco_rival, saved_year,
          .help = "yearly savings by owning; below zero: owning costs more"),
    FIELD(NUMBER, tco_rival, break_even,
          .help =
              "utilization above which owning is cheaper; null: never, or paid in all hours"),
    FIELD(NUMBER, tco_rival, payback_months,
          .help = "months until the machine has paid for itself; null: not during its use"),
    FIELD(FLAG, tco_rival, cheaper, .help = "owning is cheaper at this utilization"),
    FIELD(DAY, tco_rival, date, .help = "date of the price"),
    FIELD(TEXT, tco_rival, note, .empty_unknown = true, .help = "note on the price"),
};
const struct field_set tco_rival_fields = FIELD_SET(struct tco_rival, rival_fields);

static const char *const units[TCO_ITEMS] = {
    [TCO_PRICE] = "USD",
    [TCO_YEARS] = "years",
    [TCO_RESALE] = "of the price",
    [TCO_CAPITAL] = "a year",
    [TCO_NETWORK] = "of the price",
    [TCO_MAINTENANCE] = "of the price a year",
    [TCO_SOFTWARE] = "USD a year",
    [TCO_STAFF] = "USD a year",
    [TCO_SPACE] = "USD a kW and month",
    [TCO_POWER] = "kW",
    [TCO_IDLE] = "of the power",
    [TCO_PUE] = "times the power",
    [TCO_ELECTRICITY] = "USD a kWh",
    [TCO_FAILURES] = "a GPU and year",
    [TCO_REPAIR] = "days",
    [TCO_UTILIZATION] = "of all hours",
};

static void put_tco_dollars(double dollars, struct buf *out)
{
    usd_write_estimate(usd_from(dollars), out);
}

static void put_share(double share, struct buf *out)
{
    num_write(round(share * 1000) / 10, out);
    buf_adds(out, " %");
}

static void put_tco_number(double value, struct buf *out)
{
    num_write(round(value * 1000) / 1000, out);
}

/* "kW x (70 % + 30 % idle x 30 %) x 8,760 h x $0.128" */
static void put_power(const struct tco_input *in, struct buf *out)
{
    double use = in[TCO_UTILIZATION].value;

    put_tco_number(in[TCO_POWER].value, out);
    buf_adds(out, " kW x ");
    if (use < 1 && in[TCO_IDLE].value > 0) {
        buf_char(out, '(');
        put_share(use, out);
        buf_adds(out, " + ");
        put_share(in[TCO_IDLE].value, out);
        buf_adds(out, " x ");
        put_share(1 - use, out);
        buf_char(out, ')');
    } else {
        put_share(use, out);
    }
    buf_adds(out, " x 8,760 h x $");
    num_write(in[TCO_ELECTRICITY].value, out);
    buf_adds(out, "/kWh");
}

static void put_how(enum tco_line line, const struct tco_machine *m, const struct tco_cost *c,
                    struct buf *out)
{
    const struct tco_input *in = m->in;

    switch (line) {
    case TCO_DEPRECIATION:
        put_tco_dollars(in[TCO_PRICE].value, out);
        if (in[TCO_RESALE].value > 0) {
            buf_adds(out, " less ");
            put_share(in[TCO_RESALE].value, out);
            buf_adds(out, " resale");
        }
        buf_adds(out, ", over ");
        put_tco_number(in[TCO_YEARS].value, out);
        buf_adds(out, " years");
        break;
    case TCO_CAPITAL_COST:
        put_share(in[TCO_CAPITAL].value, out);
        buf_adds(out, " a year on the unpaid part");
        break;
    case TCO_NETWORK_COST:
        put_share(in[TCO_NETWORK].value, out);
        buf_adds(out, " of the price, over ");
        put_tco_number(in[TCO_YEARS].value, out);
        buf_adds(out, " years");
        break;
    case TCO_POWER_COST:
        put_power(in, out);
        break;
    case TCO_COOLING:
        buf_adds(out, "(PUE ");
        put_tco_number(in[TCO_PUE].value, out);
        buf_adds(out, " - 1) x power");
        break;
    case TCO_SPACE_COST:
        put_tco_number(in[TCO_POWER].value, out);
        buf_adds(out, " kW x ");
        put_tco_dollars(in[TCO_SPACE].value, out);
        buf_adds(out, " a kW and month");
        break;
    case TCO_STAFF_COST:
        put_tco_dollars(in[TCO_STAFF].value / (double)m->gpus, out);
        buf_adds(out, " a GPU and year");
        break;
    case TCO_MAINTENANCE_COST:
        put_share(in[TCO_MAINTENANCE].value, out);
        buf_adds(out, " of the price a year");
        break;
    case TCO_SOFTWARE_COST:
        put_tco_dollars(in[TCO_SOFTWARE].value / (double)m->gpus, out);
        buf_adds(out, " a GPU and year");
        break;
    case TCO_FAILURE_COST:
        put_share(c->down, out);
        buf_adds(out, " of hours under repair, made up for");
        break;
    case TCO_LINES:
        break;
    }
}

bool tco_explain(const struct tco_machine *m, const struct tco_cost *c, struct arena *arena,
                 struct rows *out, struct error *err)
{
    struct tco_part *parts = arena_array(arena, struct tco_part, TCO_LINES, err);
    double hours = (double)m->gpus * TCO_YEAR_HOURS * m->in[TCO_UTILIZATION].value;
    size_t count = 0;

    if (parts == NULL)
        return false;
    for (int i = 0; i < TCO_LINES; i++) {
        struct buf how = buf_new(arena->alloc, TEXT_MAX);
        struct tco_part *p = &parts[count];

        if (!(c->line[i] > 0)) {
            buf_free(&how);
            continue;
        }
        *p = (struct tco_part){.name = str_from(tco_line_names[i]),
                               .year = usd_about(c->line[i]),
                               .gpu_hour = tco_rate(c->line[i] / hours),
                               .share = c->line[i] / c->year};
        put_how((enum tco_line)i, m, c, &how);
        if (!buf_keep(&how, arena, &p->how, err))
            return false;
        count++;
    }
    *out = (struct rows){parts, count};
    return true;
}

bool tco_assumptions(const struct tco_machine *m, struct arena *arena, struct rows *out,
                     struct error *err)
{
    struct tco_assumption *rows = arena_array(arena, struct tco_assumption, TCO_ITEMS, err);
    struct tco_effect effects[TCO_ITEMS];

    if (rows == NULL)
        return false;
    tco_effects(m, effects);
    for (int i = 0; i < TCO_ITEMS; i++) {
        const struct tco_effect *e = &effects[i];

        rows[i] = (struct tco_assumption){
            .name = str_from(tco_item_names[e->item]),
            .unit = str_from(units[e->item]),
            .source = m->in[e->item].source,
            .date = m->in[e->item].date,
            .value = e->value,
            .low = e->low,
            .high = e->high,
            .at_low = isnan(e->at_low) ? USD_PER_HOUR_UNKNOWN : tco_rate(e->at_low),
            .at_high = isnan(e->at_high) ? USD_PER_HOUR_UNKNOWN : tco_rate(e->at_high),
            .tenth = e->tenth,
        };
    }
    *out = (struct rows){rows, TCO_ITEMS};
    return true;
}
