#include "advise/economics/roi.h"

#include <math.h>

#include "base/num.h"

static const struct field run_fields[] = {
    FIELD(TEXT, roi_run, id, .help = "run ID"),
    FIELD(TEXT, roi_run, name, .help = "run name"),
    FIELD(TEXT, roi_run, gpu, .help = "rented GPUs"),
    FIELD(USD, roi_run, cost, .help = "cost of the run"),
    FIELD(NUMBER, roi_run, hours, .help = "hours of the run"),
    FIELD(NUMBER, roi_run, local_hours,
          .help = "hours on your own machine; null: it cannot run there"),
    FIELD(USD, roi_run, local_cost, .help = "cost of electricity and wear on your own machine"),
    FIELD(USD, roi_run, net, .help = "savings by renting, with time; below zero: loss"),
    FIELD(TEXT, roi_run, why_not, .empty_unknown = true,
          .help = "reason why it cannot run there"),
};
const struct field_set roi_run_fields = FIELD_SET(struct roi_run, run_fields);

double roi_electricity(const struct roi_machine *m, double hours)
{
    return m->load_w / 1000 * hours * m->usd_kwh;
}

double roi_wear(const struct roi_machine *m, double hours)
{
    return isnan(m->price) ? 0 : hours * m->price * (1 - m->resale) / m->life_hours;
}

double roi_total(const struct roi_way *way, double hour)
{
    return way->money + way->hours * hour;
}

struct roi_return roi_compare(const struct roi_way *from, const struct roi_way *to, double hour)
{
    struct roi_return r = {.net = roi_total(from, hour) - roi_total(to, hour),
                           .hours_saved = from->hours - to->hours,
                           .extra = to->money - from->money};

    r.ratio = r.extra > 0 ? r.net / r.extra : NAN;
    r.break_even_hour = NAN;
    if (r.hours_saved != 0)
        r.break_even_hour = fmax(r.extra / r.hours_saved, 0);
    return r;
}

double roi_runs_a_day(double hours)
{
    return 24 / hours;
}

double roi_further_run(const struct roi_way *from, const struct roi_way *to)
{
    double few = roi_runs_a_day(from->hours), many = roi_runs_a_day(to->hours);

    return many > few ? (many * to->money - few * from->money) / (many - few) : NAN;
}

double roi_payback_months(double price, double saved_month)
{
    return saved_month > 0 ? price / saved_month : INFINITY;
}

bool roi_runs_parse(struct str text, double *a_month, struct error *err)
{
    static const struct {
        const char *unit;
        double a_month;
    } units[] = {{"day", ROI_MONTH_DAYS},
                 {"week", ROI_MONTH_DAYS / 7},
                 {"month", 1},
                 {"year", 1 / 12.0}};
    struct str unit = text, number = str_trim(str_cut(&unit, '/'));
    double count;

    unit = str_trim(unit);
    for (size_t i = 0; i < ARRAY_LEN(units); i++)
        if (str_eq_nocase(unit, str_from(units[i].unit)) && num_double(number, &count) &&
            count > 0 && count <= 1e6) {
            *a_month = count * units[i].a_month;
            return true;
        }
    error_set(err, ERROR_USAGE, "--runs: '%.*s' is not a number of runs", STR_ARG(text));
    error_hint(err, "such as 10/month, 3/day, 2/week or 50/year");
    return false;
}

/* ---- past runs ---- */

static void add_roi_run(struct roi_run *run, const struct roi_machine *machine, double hour,
                        struct roi_portfolio *sum, double totals[2])
{
    struct roi_way cloud = {run->hours, usd_double(run->cost)}, local;
    struct roi_return r;

    sum->runs++;
    sum->invested = usd_add(sum->invested, run->cost);
    run->local_cost = run->net = USD_UNKNOWN;
    if (isnan(run->local_hours)) {
        sum->infeasible++;
        return;
    }
    local = (struct roi_way){run->local_hours, roi_electricity(machine, run->local_hours) +
                                                   roi_wear(machine, run->local_hours)};
    r = roi_compare(&local, &cloud, hour);
    run->local_cost = usd_about(local.money);
    run->net = usd_about(r.net);
    sum->invested_feasible = usd_add(sum->invested_feasible, run->cost);
    sum->hours_saved += r.hours_saved;
    totals[0] += roi_total(&cloud, hour);
    totals[1] += roi_total(&local, hour);
}

struct roi_portfolio roi_add_up(struct roi_run *runs, size_t count,
                                const struct roi_machine *machine, double hour)
{
    struct roi_portfolio sum = {.ratio = NAN, .average = USD_UNKNOWN};
    double totals[2] = {0}, net;

    for (size_t i = 0; i < count; i++)
        add_roi_run(&runs[i], machine, hour, &sum, totals);
    net = totals[1] - totals[0];
    sum.cloud_total = usd_about(totals[0]);
    sum.local_total = usd_about(totals[1]);
    sum.net = usd_about(net);
    if (sum.invested_feasible.nano > 0)
        sum.ratio = net / usd_double(sum.invested_feasible);
    if (sum.runs > sum.infeasible)
        sum.average = usd_about(net / (double)(sum.runs - sum.infeasible));
    return sum;
}
