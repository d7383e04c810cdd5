#include "advise/economics/roi_answer.h"

#include <math.h>
#include <stdlib.h>

#include "advise/economics/tco.h"
#include "base/num.h"
#include "doc/notes.h"
#include "estimate/kernels/relative.h"
#include "unit/energy.h"

#define VALUE_MAX 100000 /* dollars for an hour of a person's time */
#define FULL_SHARE 0.95  /* of a GPU's memory that a run can use */

static const struct field option_fields[] = {
    FIELD(TEXT, roi_option, way,
          .help = "local, best value, cheapest, fastest, on spot or on demand; of --way its "
                  "name"),
    FIELD(TEXT, roi_option, where, .help = "machine used"),
    FIELD(TEXT, roi_option, market, .help = "own, on-demand, spot or reserved"),
    FIELD(TEXT, roi_option, gpu, .help = "GPU of the machine"),
    FIELD(COUNT, roi_option, gpus, .help = "GPUs in use"),
    FIELD_AS("hours", NUMBER, roi_option, hours.value, .help = "hours from start to end"),
    FIELD_AS("hours_low", NUMBER, roi_option, hours.low, .help = "low end of the hours"),
    FIELD_AS("hours_high", NUMBER, roi_option, hours.high, .help = "high end of the hours"),
    FIELD(USD, roi_option, money, .help = "cost; on your machine electricity and wear"),
    FIELD(USD, roi_option, money_low, .help = "low end of the cost"),
    FIELD(USD, roi_option, money_high, .help = "high end of the cost"),
    FIELD(USD, roi_option, waiting, .help = "value of the time spent waiting"),
    FIELD(USD, roi_option, total, .help = "total of cost and waiting"),
    FIELD(USD, roi_option, net, .help = "net savings compared with the base, including time"),
    FIELD(NUMBER, roi_option, ratio,
          .help = "net savings divided by the extra cost above the base; null: no extra cost"),
    FIELD(RATE, roi_option, break_even,
          .help = "value of an hour above which the faster of this option and the base is "
                  "worth its price"),
    FIELD(NUMBER, roi_option, runs_day, .help = "runs per day, one after the other"),
    FIELD(USD, roi_option, further_run,
          .help = "benefit of each run per day beyond what the base has time for; null: no "
                  "more runs"),
    FIELD(FLAG, roi_option, base, .help = "base of the comparison"),
    FIELD(FLAG, roi_option, best, .help = "lowest total"),
    FIELD(DAY, roi_option, price_date, .help = "date of the price"),
};
static const struct field_set roi_option_fields = FIELD_SET(struct roi_option, option_fields);

static const struct field purchase_fields[] = {
    FIELD(USD, roi_purchase, price, .help = "price of a new machine"),
    FIELD(USD, roi_purchase, saved_run,
          .help = "savings per run over the cheapest rented option: cost only"),
    FIELD(USD, roi_purchase, saved_run_total,
          .help = "savings per run over the best rented option: cost and time"),
    FIELD(NUMBER, roi_purchase, runs, .help = "runs until it has paid for itself; null: never"),
    FIELD(NUMBER, roi_purchase, runs_total,
          .help = "runs until it has paid for itself, including time; null: never"),
    FIELD(NUMBER, roi_purchase, runs_month, .help = "requested runs per month"),
    FIELD(NUMBER, roi_purchase, months, .help = "months until it is paid back; null: never"),
    FIELD(NUMBER, roi_purchase, months_total,
          .help = "months until it is paid back, including time; null: never"),
    FIELD(NUMBER, roi_purchase, most_runs_month, .help = "most runs per month on one machine"),
};
static const struct field_set roi_purchase_fields =
    FIELD_SET(struct roi_purchase, purchase_fields);

static const struct field local_fields[] = {
    FIELD(TEXT, roi_local, machine, .help = "machine in local.csv"),
    FIELD(TEXT, roi_local, gpu, .help = "GPU of the machine"),
    FIELD(COUNT, roi_local, gpus, .help = "number of GPUs"),
    FIELD(RATE, roi_local, electricity, .help = "electricity per hour under load"),
    FIELD(RATE, roi_local, wear,
          .help = "wear per hour under load; null: its price is unknown"),
    FIELD(PER_KWH, roi_local, tariff, .help = "price of electricity"),
};
static const struct field_set local_set = FIELD_SET(struct roi_local, local_fields);

static const struct field past_fields[] = {
    FIELD(COUNT, roi_portfolio, runs, .help = "rented runs with a known cost"),
    FIELD(COUNT, roi_portfolio, infeasible,
          .help = "runs among them that your machine cannot run"),
    FIELD(USD, roi_portfolio, invested, .help = "total paid for them"),
    FIELD(USD, roi_portfolio, invested_feasible,
          .help = "part paid for those that your machine can run"),
    FIELD(USD, roi_portfolio, cloud_total, .help = "cost of these runs including waiting time"),
    FIELD(USD, roi_portfolio, local_total,
          .help = "cost of the same runs on your machine, including waiting time"),
    FIELD(USD, roi_portfolio, net, .help = "net savings by renting; below zero: loss"),
    FIELD(NUMBER, roi_portfolio, ratio, .help = "net savings divided by the amount paid"),
    FIELD(USD, roi_portfolio, average, .help = "mean net savings per run"),
    FIELD(NUMBER, roi_portfolio, hours_saved, .help = "hours saved"),
};
static const struct field_set past_set = FIELD_SET(struct roi_portfolio, past_fields);

static const struct field fields[] = {
    FIELD(TEXT, roi_result, job, .empty_unknown = true,
          .help = "job in question; null: past runs"),
    FIELD(RATE, roi_result, value_of_time, .help = "value of an hour of waiting"),
    FIELD(NUMBER, roi_result, waiting, .help = "share of a run's time spent waiting"),
    FIELD(RECORD, roi_result, local, .row = &local_set, .sparse = true,
          .help = "your own machine"),
    FIELD(LIST, roi_result, options, .row = &roi_option_fields, .help = "ways to do a run"),
    FIELD(RECORD, roi_result, purchase, .row = &roi_purchase_fields, .sparse = true,
          .help = "purchase of such a machine"),
    FIELD(RECORD, roi_result, past, .row = &past_set, .sparse = true,
          .help = "past runs together"),
    FIELD(LIST, roi_result, runs, .row = &roi_run_fields,
          .help = "past runs, the largest savings by renting first"),
    FIELD(COUNT, roi_result, days, .help = "days of past runs"),
    FIELD(COUNT, roi_result, left_out,
          .help = "runs left out: not rented, or cost, time or GPU unknown"),
    FIELD(RECORD, roi_result, age, .row = &price_age_fields, .help = "age of the prices"),
    FIELD(TEXTS, roi_result, notes, .help = "limitations of the answer"),
    FIELD(TEXT, roi_result, svg, .help = "file that was written"),
};
const struct field_set roi_fields = FIELD_SET(struct roi_result, fields);

/* ---- the user's own machine ---- */

const struct local_machine *roi_local_find(const struct catalog *catalog, struct str name,
                                           const struct accelerator *gpu, int64_t count)
{
    for (size_t i = 0; i < catalog->tables[TABLE_LOCAL].len; i++) {
        const struct local_machine *m = CATALOG_ROW(catalog, TABLE_LOCAL, local_machine, i);

        if (gpu == NULL ? str_eq_nocase(m->machine, name)
                        : str_eq(m->accelerator, gpu->name) && m->count == count)
            return m;
    }
    return NULL;
}

bool roi_local_absent(const struct catalog *catalog, struct str name, struct error *err)
{
    struct suggestion s = {.wanted = name};

    for (size_t i = 0; i < catalog->tables[TABLE_LOCAL].len; i++)
        suggestion_try(&s, CATALOG_ROW(catalog, TABLE_LOCAL, local_machine, i)->machine);
    error_set(err, ERROR_ABSENT, "--local: there is no machine '%.*s'", STR_ARG(name));
    if (!suggestion_hint(&s, err))
        error_hint(err,
                   "'stint catalog show local' lists them; yours goes to local.csv in your "
                   "catalog folder");
    return false;
}

/* A value of ownership.csv for an office; NaN when there is none. */
static double office_value(const struct catalog *catalog, const char *item)
{
    for (size_t i = 0; i < catalog->tables[TABLE_OWNERSHIP].len; i++) {
        const struct ownership *row = CATALOG_ROW(catalog, TABLE_OWNERSHIP, ownership, i);

        if (str_eq(row->site, STR("office")) && str_eq(row->item, str_from(item)))
            return row->value;
    }
    return NAN;
}

bool roi_take_local(const struct catalog *catalog, const struct local_machine *row, usd price,
                    usd_per_kwh tariff, struct arena *arena, struct roi_result *out,
                    struct error *err)
{
    struct roi_local *local = &out->local;
    usd new_price = price.nano != MONEY_UNKNOWN ? price : row->purchase_usd;
    double life =
        office_value(catalog, "years") * TCO_YEAR_HOURS * office_value(catalog, "utilization");

    *local = (struct roi_local){
        .machine = row->machine,
        .gpu = row->accelerator,
        .gpus = row->count,
        .electricity = electricity_cost((watt){row->load_w}, tariff),
        .wear = USD_PER_HOUR_UNKNOWN,
        .tariff = tariff,
        .row = row,
        .accelerator = accelerator_named(catalog, row->accelerator),
        .terms = {.load_w = row->load_w,
                  .usd_kwh = (double)tariff.nano / 1e9,
                  .price = new_price.nano == MONEY_UNKNOWN ? NAN : usd_double(new_price),
                  .resale = office_value(catalog, "resale"),
                  .life_hours = life},
    };
    if (isnan(local->terms.price))
        return note_add(&out->notes, arena, err,
                        "the price of %.*s is not known: wear is not counted; set it with "
                        "--price",
                        STR_ARG(row->machine));
    local->wear = (usd_per_hour){usd_about(roi_wear(&local->terms, 1)).nano};
    return true;
}

bool roi_take_value(const struct catalog *catalog, usd_per_hour value, double waiting,
                    struct roi_result *out, struct error *err)
{
    double dollars = value.nano == MONEY_UNKNOWN ? office_value(catalog, "value_of_time")
                                                 : usd_per_hour_double(value);

    if (!(dollars >= 0 && dollars <= VALUE_MAX))
        return error_fail_hint(err, ERROR_USAGE, "such as --value-of-time 50usd/hr",
                               "--value-of-time: the value of an hour must be $0 to $100,000");
    out->value_of_time = (usd_per_hour){usd_from(dollars).nano};
    out->waiting = waiting;
    out->hour = dollars * waiting;
    return true;
}

/* ---- ways to do a job ---- */

static void add_roi_option(struct roi_option *options, struct roi_result *res,
                           const struct plan_row *row, const char *way, double money)
{
    struct roi_option *option = &options[res->options.len];

    for (size_t i = 0; i < res->options.len; i++)
        if (str_eq(options[i].where, row->offer) && options[i].gpus == row->gpus &&
            str_eq(options[i].market, plan_row_market(row)))
            return;
    if (res->options.len == ROI_OPTIONS_MAX)
        return;
    *option = (struct roi_option){.way = str_from(way),
                                  .where = row->offer,
                                  .market = plan_row_market(row),
                                  .gpu = row->accelerator,
                                  .gpus = row->gpus,
                                  .hours = row->hours,
                                  .money = usd_about(money),
                                  .money_low = row->cost_low,
                                  .money_high = row->cost_high,
                                  .price_date = row->price_date};
    res->options = (struct rows){options, res->options.len + 1};
}

void roi_add_local(const struct plan_row *row, struct roi_option *options,
                   struct roi_result *res)
{
    const struct roi_local *local = &res->local;
    struct roi_option *option = &options[res->options.len];
    double wear = roi_wear(&local->terms, row->hours.value); /* 'plan' does not count it */

    add_roi_option(options, res, row, "local",
                   roi_electricity(&local->terms, row->hours.value) + wear);
    option->where = local->machine;
    option->price_date = DAY_UNKNOWN;
    option->money_low = usd_about(roi_electricity(&local->terms, row->hours.low) +
                                  roi_wear(&local->terms, row->hours.low));
    option->money_high = usd_about(roi_electricity(&local->terms, row->hours.high) +
                                   roi_wear(&local->terms, row->hours.high));
}

/* Plans whose role says something about money and time. */
static bool is_roi_role_shown(struct str role)
{
    static const char *const roles[] = {"best", "cheapest", "faster", "on spot", "on demand"};

    for (size_t i = 0; i < ARRAY_LEN(roles); i++)
        if (str_eq(role, str_from(roles[i])))
            return true;
    return false;
}

bool roi_add_rented(const struct plan_row *row, struct roi_option *options,
                    struct roi_result *res)
{
    if (!is_roi_role_shown(row->role))
        return false;
    add_roi_option(options, res, row, row->market == MARKET_SPOT ? "on spot" : "on demand",
                   usd_double(row->cost));
    return true;
}

/* ---- comparing ---- */

static struct roi_way way_from(const struct roi_option *option)
{
    return (struct roi_way){option->hours.value, usd_double(option->money)};
}

static int compare_money(const void *a, const void *b)
{
    const struct roi_option *x = a, *y = b;
    int order = usd_compare(x->money, y->money);

    return order != 0 ? order : num_compare(x->hours.value, y->hours.value);
}

/* The local machine first, or else the cheapest: the base of the others. */
static void compare_roi_options(struct roi_option *at, const struct roi_result *res)
{
    double hour = res->hour;
    size_t own = str_eq(at[0].way, STR("local")), best = 0;
    struct roi_way base;

    qsort(&at[own], res->options.len - own, sizeof at[0], compare_money);
    base = way_from(&at[0]);
    at[0].base = true;
    for (size_t i = 0; i < res->options.len; i++) {
        struct roi_option *option = &at[i];
        struct roi_way way = way_from(option);
        struct roi_return r = roi_compare(&base, &way, hour);

        option->waiting = usd_about(way.hours * hour);
        option->total = usd_about(roi_total(&way, hour));
        option->runs_day = roi_runs_a_day(way.hours);
        option->net = i > 0 ? usd_about(r.net) : USD_UNKNOWN;
        option->ratio = i > 0 ? r.ratio : NAN;
        option->break_even = i == 0 || isnan(r.break_even_hour)
                                 ? USD_PER_HOUR_UNKNOWN
                                 : (usd_per_hour){usd_about(r.break_even_hour).nano};
        option->further_run = usd_about(roi_further_run(&base, &way));
        if (roi_total(&way, hour) < usd_double(at[best].money) + at[best].hours.value * hour)
            best = i;
    }
    at[best].best = true;
}

static double roi_option_total(const struct roi_option *option)
{
    return usd_double(option->total);
}

static double roi_money(const struct roi_option *option)
{
    return usd_double(option->money);
}

static double roi_hours(const struct roi_option *option)
{
    return option->hours.value;
}

/* Call the rented way with the least of something so, unless it has a better name already. */
static void name_least(struct roi_option *at, const struct roi_result *res,
                       double (*of)(const struct roi_option *), const char *way)
{
    struct roi_option *least = NULL;

    for (size_t i = 0; i < res->options.len; i++)
        if (!str_eq(at[i].way, STR("local")) && (least == NULL || of(&at[i]) < of(least)))
            least = &at[i];
    if (least != NULL && str_starts(least->way, STR("on ")))
        least->way = str_from(way);
}

static void name_options(struct roi_option *at, const struct roi_result *res)
{
    name_least(at, res, roi_option_total, res->hour > 0 ? "best value" : "cheapest");
    name_least(at, res, roi_money, "cheapest");
    name_least(at, res, roi_hours, "fastest");
}

static double finite_or_nan(double value)
{
    return isfinite(value) ? value : NAN;
}

/* A new machine like the local one, paid by what its runs save. */
static void fill_purchase(const struct roi_option *at, struct roi_result *res)
{
    const struct roi_machine *terms = &res->local.terms;
    struct roi_purchase *p = &res->purchase;
    struct roi_way own = way_from(&at[0]);
    double least = INFINITY, least_total = INFINITY, saved, saved_total;

    if (!str_eq(at[0].way, STR("local")) || isnan(terms->price) || res->options.len < 2)
        return;
    own.money = roi_electricity(terms, own.hours); /* wear is what the price pays for */
    for (size_t i = 1; i < res->options.len; i++) {
        struct roi_way way = way_from(&at[i]);

        least = fmin(least, way.money);
        least_total = fmin(least_total, roi_total(&way, res->hour));
    }
    saved = least - own.money;
    saved_total = least_total - roi_total(&own, res->hour);
    p->price = usd_from(terms->price);
    p->saved_run = usd_about(saved);
    p->saved_run_total = usd_about(saved_total);
    p->runs = finite_or_nan(ceil(roi_payback_months(terms->price, saved)));
    p->runs_total = finite_or_nan(ceil(roi_payback_months(terms->price, saved_total)));
    p->months = finite_or_nan(roi_payback_months(terms->price, saved * p->runs_month));
    p->months_total =
        finite_or_nan(roi_payback_months(terms->price, saved_total * p->runs_month));
    p->most_runs_month = floor(ROI_MONTH_HOURS / own.hours);
}

void roi_compare_options(struct roi_option *options, struct roi_result *res)
{
    compare_roi_options(options, res);
    if (res->job.len > 0) /* else they have the names that the user gave them */
        name_options(options, res);
    fill_purchase(options, res);
}

/* ---- past runs ---- */

/* How long the run takes on the local machine: as data sheets compare the GPUs, with the same
 * work for each of them. */
static void estimate_local(const struct roi_local *local, const struct accelerator *gpu,
                           const struct ledger_totals *t, struct roi_run *out)
{
    struct relative_time factor;
    double memory = local->accelerator->memory_gb * 1e9 * FULL_SHARE;

    out->local_hours = NAN;
    if (t->gpu_memory_peak > memory) {
        out->why_not = STR("too little GPU memory");
        return;
    }
    if (!relative_time(gpu, local->accelerator, t->gpu_busy, &factor)) {
        out->why_not = STR("its speed is not known");
        return;
    }
    out->local_hours = out->hours * factor.expected * (double)t->gpus / (double)local->gpus;
}

/* A run that was rented by the hour, whose cost, time and GPUs are known. */
static bool is_rented_run(const struct ledger_run *run)
{
    const struct ledger_totals *t = &run->totals;

    return run->start.rate.nano > 0 && !str_starts(run->start.offer, STR("local/")) &&
           !str_starts(run->start.offer, STR("on-prem/")) && t->cost.nano != MONEY_UNKNOWN &&
           t->cost.nano >= 0 && t->elapsed.ns > 0 && t->gpus > 0 && t->gpu.len > 0;
}

static int compare_net(const void *a, const void *b)
{
    const struct roi_run *x = a, *y = b;
    int order = usd_compare(y->net, x->net);

    /* Those without a net come last. */
    if (x->net.nano == MONEY_UNKNOWN || y->net.nano == MONEY_UNKNOWN)
        order = usd_compare(x->net, y->net);
    if (order == 0)
        order = usd_compare(y->cost, x->cost);
    return order != 0 ? order : str_cmp(x->id, y->id);
}

static struct roi_run rented_run(const struct ledger_run *run, const struct roi_local *local,
                                 const struct accelerator *gpu)
{
    struct roi_run out = {.id = ledger_short(run->start.id),
                          .name = run->start.name,
                          .gpu = run->totals.gpu,
                          .cost = run->totals.cost,
                          .hours = span_in_hours(run->totals.elapsed)};

    estimate_local(local, gpu, &run->totals, &out);
    return out;
}

bool roi_past(const struct ledger_run *runs, size_t count, const struct catalog *catalog,
              struct arena *arena, struct roi_result *out, struct error *err)
{
    struct roi_run *rows = arena_array(arena, struct roi_run, count + 1, err);
    enum name_match match;
    size_t kept = 0, unseen = 0;

    if (rows == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct accelerator *gpu =
            is_rented_run(&runs[i]) ? accelerator_search(catalog, runs[i].totals.gpu, &match)
                                    : NULL;

        if (gpu == NULL)
            continue;
        rows[kept++] = rented_run(&runs[i], &out->local, gpu);
        unseen += isnan(runs[i].totals.gpu_memory_peak) ? 1 : 0;
    }
    out->left_out = (int64_t)(count - kept);
    out->past = roi_add_up(rows, kept, &out->local.terms, out->hour);
    if (kept > 1)
        qsort(rows, kept, sizeof rows[0], compare_net);
    out->runs = (struct rows){rows, kept};
    return unseen == 0 ||
           note_add(&out->notes, arena, err,
                    "%zu run%s without a recorded peak of GPU memory: assumed to fit", unseen,
                    unseen == 1 ? "" : "s");
}
