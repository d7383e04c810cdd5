#include "advise/economics/tco.h"

#include <math.h>
#include <stdlib.h>

#include "base/num.h"

const char *const tco_item_names[TCO_ITEMS + 1] = {
    [TCO_PRICE] = "price",
    [TCO_YEARS] = "years",
    [TCO_RESALE] = "resale",
    [TCO_CAPITAL] = "capital",
    [TCO_NETWORK] = "network",
    [TCO_MAINTENANCE] = "maintenance",
    [TCO_SOFTWARE] = "software",
    [TCO_STAFF] = "staff",
    [TCO_SPACE] = "space",
    [TCO_POWER] = "power",
    [TCO_IDLE] = "idle",
    [TCO_PUE] = "pue",
    [TCO_ELECTRICITY] = "electricity",
    [TCO_FAILURES] = "failures",
    [TCO_REPAIR] = "repair",
    [TCO_UTILIZATION] = "utilization",
};

const char *const tco_line_names[TCO_LINES + 1] = {
    [TCO_DEPRECIATION] = "depreciation", [TCO_CAPITAL_COST] = "capital",
    [TCO_NETWORK_COST] = "network",      [TCO_POWER_COST] = "power",
    [TCO_COOLING] = "cooling",           [TCO_SPACE_COST] = "space",
    [TCO_STAFF_COST] = "staff",          [TCO_MAINTENANCE_COST] = "maintenance",
    [TCO_SOFTWARE_COST] = "software",    [TCO_FAILURE_COST] = "failures",
};

const char *const tco_sites[] = {"datacenter", "office", NULL};

#define DAYS_PER_YEAR 365.0
#define MONTHS_PER_YEAR 12.0
#define DOWN_MAX 0.9 /* more of the year under repair is no machine */

/* What is possible: anything else is a typing mistake, or a unit that was mixed up. */
static const struct {
    double least, most;
    const char *option, *hint;
} bounds[TCO_ITEMS] = {
    [TCO_PRICE] = {1, 1e9, "--price", "the price of one machine, such as --price 250000usd"},
    [TCO_YEARS] = {0.25, 20, "--years", "years of use, such as --years 4"},
    [TCO_RESALE] = {0, 1, "--resale", "a share of the price, such as --resale 10%"},
    [TCO_CAPITAL] = {0, 1, "--capital", "a yearly rate, such as --capital 8%"},
    [TCO_NETWORK] = {0, 1, "--network", "a share of the price, such as --network 5%"},
    [TCO_MAINTENANCE] = {0, 1, "--maintenance",
                         "a share of the price a year, such as --maintenance 5%"},
    [TCO_SOFTWARE] = {0, 1e9, "--software",
                      "licenses of the machine per year, such as --software 36000usd"},
    [TCO_STAFF] = {0, 1e9, "--staff",
                   "administration of the machine per year, such as --staff 10000usd"},
    [TCO_SPACE] = {0, 1e5, "--space", "price per kW and month, such as --space 184usd"},
    [TCO_POWER] = {0.01, 1e4, "--power-kw",
                   "power of one machine under load in kW, such as --power-kw 7"},
    [TCO_IDLE] = {0, 1, "--idle", "a share of the power under load, such as --idle 30%"},
    [TCO_PUE] = {1, 3, "--pue", "use a ratio such as --pue 1.3; 1 means no cooling"},
    [TCO_ELECTRICITY] = {0, 10, "--electricity", "such as --electricity 0.10usd/kWh"},
    [TCO_FAILURES] = {0, 10, "--failures",
                      "failures of one GPU a year, such as --failures 0.1"},
    [TCO_REPAIR] = {0, 365, "--repair-days", "days for each failure, such as --repair-days 3"},
    [TCO_UTILIZATION] = {0.001, 1, "--utilization",
                         "a share of hours, such as --utilization 70%"},
};

static double down_share(const struct tco_machine *m)
{
    return (double)m->gpus * m->in[TCO_FAILURES].value * m->in[TCO_REPAIR].value /
           DAYS_PER_YEAR;
}

bool tco_check(const struct tco_machine *m, struct error *err)
{
    struct buf text;

    for (int i = 0; i < TCO_ITEMS; i++) {
        double value = m->in[i].value;

        if (value >= bounds[i].least && value <= bounds[i].most)
            continue;
        text = buf_new(&alloc_system, 64);
        num_write(value, &text);
        error_set(err, ERROR_USAGE, "%s: %.*s is not possible", bounds[i].option, (int)text.len,
                  text.at != NULL ? text.at : "");
        error_hint(err, "%s", bounds[i].hint);
        buf_free(&text);
        return false;
    }
    if (down_share(m) <= DOWN_MAX)
        return true;
    error_set(err, ERROR_USAGE, "the machine would be under repair all the time");
    error_hint(err, "%s; %s", bounds[TCO_FAILURES].hint, bounds[TCO_REPAIR].hint);
    return false;
}

/* What it costs a year to have bought it: paid in equal parts with interest, less what it is
 * sold for. */
static double annuity(double invested, double resale, double rate, double years)
{
    double grown = pow(1 + rate, years);

    return rate > 0 ? (invested * grown - resale) * rate / (grown - 1)
                    : (invested - resale) / years;
}

struct tco_cost tco_compute(const struct tco_machine *m)
{
    const struct tco_input *in = m->in;
    double price = in[TCO_PRICE].value, years = in[TCO_YEARS].value;
    double network = price * in[TCO_NETWORK].value, resale = price * in[TCO_RESALE].value;
    double hours = (double)m->gpus * TCO_YEAR_HOURS, use = in[TCO_UTILIZATION].value;
    double idle = in[TCO_IDLE].value, pue = in[TCO_PUE].value;
    double busy_year =
        in[TCO_POWER].value * TCO_YEAR_HOURS * in[TCO_ELECTRICITY].value; /* at work always */
    struct tco_cost c = {.invested = price + network, .down = down_share(m)};
    double spare = c.down / (1 - c.down), energy_fixed = busy_year * idle * pue, parts = 0;

    c.line[TCO_DEPRECIATION] = (price - resale) / years;
    c.line[TCO_NETWORK_COST] = network / years;
    c.line[TCO_CAPITAL_COST] = annuity(c.invested, resale, in[TCO_CAPITAL].value, years) -
                               (c.invested - resale) / years;
    c.line[TCO_POWER_COST] = busy_year * (use + idle * (1 - use));
    c.line[TCO_COOLING] = c.line[TCO_POWER_COST] * (pue - 1);
    c.line[TCO_SPACE_COST] = in[TCO_SPACE].value * in[TCO_POWER].value * MONTHS_PER_YEAR;
    c.line[TCO_STAFF_COST] = in[TCO_STAFF].value;
    c.line[TCO_MAINTENANCE_COST] = price * in[TCO_MAINTENANCE].value;
    c.line[TCO_SOFTWARE_COST] = in[TCO_SOFTWARE].value;
    for (int i = 0; i < TCO_FAILURE_COST; i++)
        parts += c.line[i];
    c.line[TCO_FAILURE_COST] = parts * spare;
    c.year = parts + c.line[TCO_FAILURE_COST];
    c.gpu_hour = c.year / (hours * use);
    c.used_hour = busy_year * (1 - idle) * pue * (1 + spare) / hours;
    c.fixed_year = (parts - (c.line[TCO_POWER_COST] * pue - energy_fixed)) * (1 + spare);
    c.running_year = c.year - (c.line[TCO_DEPRECIATION] + c.line[TCO_NETWORK_COST] +
                               c.line[TCO_CAPITAL_COST]) *
                                  (1 + spare);
    c.kwh_year =
        in[TCO_POWER].value * TCO_YEAR_HOURS * (use + idle * (1 - use)) * pue * (1 + spare);
    c.invested *= 1 + spare;
    return c;
}

double tco_break_even(const struct tco_cost *cost, int64_t gpus, double price)
{
    double margin = (price - cost->used_hour) * (double)gpus * TCO_YEAR_HOURS;

    return margin > 0 ? cost->fixed_year / margin : INFINITY;
}

double tco_payback_months(const struct tco_machine *m, const struct tco_cost *cost,
                          double price)
{
    double saved = price * (double)m->gpus * TCO_YEAR_HOURS * m->in[TCO_UTILIZATION].value -
                   cost->running_year;

    return saved > 0 ? MONTHS_PER_YEAR * cost->invested / saved : INFINITY;
}

usd_per_hour tco_rate(double dollars)
{
    return (usd_per_hour){usd_about(dollars).nano};
}

struct tco_rival tco_against(const struct tco_machine *m, const struct tco_cost *cost,
                             double price, bool always)
{
    double hours = (double)m->gpus * TCO_YEAR_HOURS, use = m->in[TCO_UTILIZATION].value;
    double year = price * hours * (always ? 1 : use);
    struct tco_rival r = {.price = {usd_from(price).nano},
                          .year = usd_about(year),
                          .saved_year = usd_about(year - cost->year),
                          .used_hour = tco_rate(year / (hours * use)),
                          .cheaper = cost->year < year};

    r.break_even = always ? NAN : tco_break_even(cost, m->gpus, price);
    r.payback_months = tco_payback_months(m, cost, year / (hours * use));
    if (!(r.break_even <= 1))
        r.break_even = NAN;
    if (!(r.payback_months <= m->in[TCO_YEARS].value * MONTHS_PER_YEAR))
        r.payback_months = NAN;
    return r;
}

/* ---- what matters ---- */

static double gpu_hour_with(const struct tco_machine *m, enum tco_item item, double value)
{
    struct tco_machine changed = *m;

    changed.in[item].value = value;
    return tco_compute(&changed).gpu_hour;
}

static int compare_effects(const void *a, const void *b)
{
    const struct tco_effect *x = a, *y = b;
    double wide_x = fabs(x->at_high - x->at_low), wide_y = fabs(y->at_high - y->at_low);
    int order = num_compare(-wide_x, -wide_y);

    if (order == 0)
        order = num_compare(-fabs(x->tenth), -fabs(y->tenth));
    return order != 0 ? order : (x->item > y->item) - (x->item < y->item);
}

void tco_effects(const struct tco_machine *m, struct tco_effect out[static TCO_ITEMS])
{
    double usual = tco_compute(m).gpu_hour;

    for (int i = 0; i < TCO_ITEMS; i++) {
        const struct tco_input *in = &m->in[i];
        enum tco_item item = (enum tco_item)i;

        out[i] = (struct tco_effect){
            .item = item,
            .value = in->value,
            .low = in->low,
            .high = in->high,
            .at_low = isnan(in->low) ? NAN : gpu_hour_with(m, item, in->low),
            .at_high = isnan(in->high) ? NAN : gpu_hour_with(m, item, in->high),
            .tenth = in->value * 1.1 > bounds[i].most
                         ? NAN
                         : gpu_hour_with(m, item, in->value * 1.1) / usual - 1,
        };
    }
    qsort(out, TCO_ITEMS, sizeof out[0], compare_effects);
}

void tco_range(const struct tco_effect effects[static TCO_ITEMS], double gpu_hour, double *low,
               double *high)
{
    double below = 0, above = 0;

    for (int i = 0; i < TCO_ITEMS; i++) {
        const struct tco_effect *e = &effects[i];

        if (e->item == TCO_UTILIZATION || isnan(e->at_low) || isnan(e->at_high))
            continue;
        below += pow(fmax(gpu_hour - fmin(e->at_low, e->at_high), 0), 2);
        above += pow(fmax(fmax(e->at_low, e->at_high) - gpu_hour, 0), 2);
    }
    *low = fmax(gpu_hour - sqrt(below), 0);
    *high = gpu_hour + sqrt(above);
}

/* ---- where the inputs come from ---- */

static const struct ownership *ownership_find(const struct catalog *catalog, struct str site,
                                              const char *item)
{
    for (size_t i = 0; i < catalog->tables[TABLE_OWNERSHIP].len; i++) {
        const struct ownership *row = CATALOG_ROW(catalog, TABLE_OWNERSHIP, ownership, i);

        if (str_eq(row->site, site) && str_eq(row->item, str_from(item)))
            return row;
    }
    return NULL;
}

/* A row of ownership.csv times `scale`: what it is a share or a part of. */
static struct tco_input usual_input(const struct ownership *row, double scale)
{
    if (row == NULL) /* a user's catalog cannot remove rows: a typing mistake of ours */
        return (struct tco_input){NAN, NAN, NAN, STR("not known"), DAY_UNKNOWN};
    return (struct tco_input){.value = row->value * scale,
                              .low = row->low * scale,
                              .high = row->high * scale,
                              .source = row->fact.source,
                              .date = row->fact.date};
}

/* What the item's fact is multiplied with: of a GPU it becomes the machine's. */
static double item_scale(const struct tco_ask *ask, enum tco_item item)
{
    if (item == TCO_SOFTWARE || item == TCO_STAFF)
        return (double)ask->gpus;
    if (item == TCO_POWER)
        return (double)ask->gpus * ask->gpu->tdp_w / 1000;
    if (item == TCO_ELECTRICITY)
        return ask->electricity.nano != MONEY_UNKNOWN ? (double)ask->electricity.nano / 1e9
                                                      : NAN;
    return 1;
}

/* The row's own figures, by the machine. The price keeps the range of quotes. */
static void take_onprem_row(const struct onprem *row, struct tco_machine *m)
{
    struct tco_input *in = m->in, price = in[TCO_PRICE];
    double paid = usd_double(row->purchase_usd);

    in[TCO_PRICE] = (struct tco_input){paid, paid * price.low, paid * price.high,
                                       row->fact.source, row->fact.date};
    if (!isnan(row->years))
        in[TCO_YEARS].value = row->years;
    if (!isnan(row->utilization))
        in[TCO_UTILIZATION].value = row->utilization;
    if (!isnan(row->power_kw))
        in[TCO_POWER] =
            (struct tco_input){row->power_kw, row->power_kw * 0.9, row->power_kw * 1.1,
                               row->fact.source, row->fact.date};
}

/* A range holds its value, whatever else decided it. */
static void widen_ranges(struct tco_machine *m)
{
    for (int i = 0; i < TCO_ITEMS; i++) {
        struct tco_input *in = &m->in[i];

        in->low = fmin(in->low, in->value);
        in->high = fmax(in->high, in->value);
    }
}

/* What an item that does not count is; NaN: it always counts, since it is divided by, or is
 * what the question is about. */
static const double uncounted[TCO_ITEMS] = {
    [TCO_PRICE] = NAN, [TCO_YEARS] = NAN,       [TCO_POWER] = NAN,
    [TCO_PUE] = 1,     [TCO_ELECTRICITY] = NAN, [TCO_UTILIZATION] = NAN,
};

static void take_given(const struct tco_ask *ask, struct tco_machine *m)
{
    for (int i = 0; i < TCO_ITEMS; i++) {
        struct tco_input *in = &m->in[i];

        if (!isnan(ask->given[i]))
            *in = (struct tco_input){ask->given[i], NAN, NAN, STR("given"), DAY_UNKNOWN};
        else if (ask->only_given && !isnan(uncounted[i]))
            *in = (struct tco_input){uncounted[i], NAN, NAN, STR("not counted (--only-given)"),
                                     DAY_UNKNOWN};
    }
}

/* What nothing says. */
static bool check_known(const struct tco_ask *ask, const struct tco_machine *m,
                        struct error *err)
{
    static const enum tco_item needed[] = {TCO_PRICE, TCO_ELECTRICITY, TCO_POWER};

    for (size_t i = 0; i < ARRAY_LEN(needed); i++) {
        if (!isnan(m->in[needed[i]].value))
            continue;
        error_set(err, ERROR_USAGE, "the %s of a machine with %lldx %.*s is not known",
                  needed[i] == TCO_ELECTRICITY ? "electricity price"
                                               : tco_item_names[needed[i]],
                  (long long)ask->gpus, STR_ARG(ask->gpu->name));
        error_hint(err, "add it: %s", bounds[needed[i]].hint);
        return false;
    }
    return true;
}

bool tco_gather(const struct catalog *catalog, const struct tco_ask *ask,
                struct tco_machine *out, struct error *err)
{
    *out = (struct tco_machine){.gpus = ask->gpus};
    for (int i = 0; i < TCO_ITEMS; i++)
        out->in[i] = usual_input(ownership_find(catalog, ask->site, tco_item_names[i]),
                                 item_scale(ask, (enum tco_item)i));
    out->in[TCO_ELECTRICITY].source = ask->tariff_source;
    out->in[TCO_ELECTRICITY].date = ask->tariff_date;
    if (ask->row != NULL && ask->row->purchase_usd.nano != MONEY_UNKNOWN)
        take_onprem_row(ask->row, out);
    else
        out->in[TCO_PRICE].value = NAN;
    widen_ranges(out);
    take_given(ask, out);
    return check_known(ask, out, err) && tco_check(out, err);
}
