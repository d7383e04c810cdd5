/* Ways to do one run of a job: on the local machine, and as the planner would rent machines. */
#include <math.h>
#include <stdlib.h>

#include "base/num.h"
#include "op/advise/roi_parts.h"
#include "op/context.h"
#include "op/market.h"
#include "op/op.h"
#include "plan/record.h"

#define OPTIONS_MAX 6

static const struct field option_fields[] = {
    FIELD(TEXT, roi_option, way,
          .help = "local, best value, cheapest, fastest, on spot or on demand"),
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
const struct field_set roi_option_fields = FIELD_SET(struct roi_option, option_fields);

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
const struct field_set roi_purchase_fields = FIELD_SET(struct roi_purchase, purchase_fields);

struct options {
    struct roi_call *call;
    struct roi_option *at;
    size_t count;
};

/* ---- plans ---- */

/* A plan of the job: the operation itself, so that the numbers are those of 'stint plan'. On
 * the local machine, or where the options say. */
static bool plan_job(struct options *o, bool local, struct plan_result *out, struct error *err)
{
    static const struct str own[] = {{"local", 5}};
    struct op_context *ctx = o->call->ctx, sub = *ctx;
    const struct roi_request *req = o->call->req;
    const struct op *plan = op_find(STR("plan"));
    struct settings settings = *ctx->settings;
    struct plan_request ask;

    sub.messages = (struct messages){0}; /* the same notes for each of them */
    sub.settings = &settings;
    settings.machine = local ? o->call->res->local.machine : (struct str){0};
    if (!fields_reset(&plan_request_fields, &ask, ctx->arena, err))
        return false;
    ask.jobs = (struct strs){&req->source.job, 1};
    ask.source = req->source;
    ask.source.job = (struct str){0};
    if (local) {
        ask.providers = (struct strs){own, 1};
        ask.gpus = (struct strs){&o->call->res->local.gpu, 1}; /* over those of the job */
        settings.electricity = o->call->res->local.tariff;
    } else {
        ask.providers = req->providers;
        ask.regions = req->regions;
        ask.market = req->market;
        ask.aim = o->call->hour > 0 ? STR("value") : STR("cost");
        ask.hour_worth = o->call->hour > 0 ? usd_from(o->call->hour) : USD_UNKNOWN;
    }
    return op_run(&sub, plan, &ask, out, err);
}

static void add_roi_option(struct options *o, const struct plan_row *row, const char *way,
                           double money)
{
    struct roi_option *option = &o->at[o->count];

    for (size_t i = 0; i < o->count; i++)
        if (str_eq(o->at[i].where, row->offer) && o->at[i].gpus == row->gpus &&
            str_eq(o->at[i].market, plan_row_market(row)))
            return;
    if (o->count == OPTIONS_MAX)
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
    o->count++;
}

/* What 'plan' does not count: wear. */
static bool add_local_roi(struct options *o, struct error *err)
{
    struct roi_call *c = o->call;
    const struct roi_local *local = &c->res->local;
    const struct plan_row *row;
    struct plan_result plan;
    struct error unfit = {0};
    struct roi_option *option;
    double wear;

    if (local->machine.len == 0)
        return true;
    if (!plan_job(o, true, &plan, &unfit)) {
        if (unfit.kind != ERROR_UNFIT) {
            *err = unfit;
            return false;
        }
        return roi_note(c, err, "no setting of the job fits %.*s (%lldx %.*s, %.3g GB)",
                        STR_ARG(local->machine), (long long)local->gpus, STR_ARG(local->gpu),
                        local->accelerator->memory_gb);
    }
    row = plan.plans.at;
    if (plan.plans.len == 0 || !(row->hours.value > 0))
        return true;
    option = &o->at[o->count];
    wear = roi_wear(&local->terms, row->hours.value);
    add_roi_option(o, row, "local", roi_electricity(&local->terms, row->hours.value) + wear);
    option->where = local->machine;
    option->price_date = DAY_UNKNOWN;
    option->money_low = usd_about(roi_electricity(&local->terms, row->hours.low) +
                                  roi_wear(&local->terms, row->hours.low));
    option->money_high = usd_about(roi_electricity(&local->terms, row->hours.high) +
                                   roi_wear(&local->terms, row->hours.high));
    return true;
}

/* Plans whose role says something about money and time. */
static bool is_roi_role_shown(struct str role)
{
    static const char *const roles[] = {"best", "cheaper", "faster", "on spot", "on demand"};

    for (size_t i = 0; i < ARRAY_LEN(roles); i++)
        if (str_eq(role, str_from(roles[i])))
            return true;
    return false;
}

static bool add_rented_roi(struct options *o, struct error *err)
{
    struct plan_result plan;
    const struct plan_row *rows;

    if (!plan_job(o, false, &plan, err))
        return false;
    rows = plan.plans.at;
    if (plan.plans.len == 0 || !(rows[0].hours.value > 0)) {
        error_set(err, ERROR_USAGE, "roi is about runs that end, and '%.*s' does not",
                  STR_ARG(job_shown(o->call->req->source.job)));
        error_hint(err, "'stint plan JOB --serve' compares ways to serve a model");
        return false;
    }
    for (size_t i = 0; i < plan.plans.len; i++) {
        if (!is_roi_role_shown(rows[i].role))
            continue;
        add_roi_option(o, &rows[i], rows[i].market == PLAN_SPOT ? "on spot" : "on demand",
                       usd_double(rows[i].cost));
        op_price_age(o->call->ctx, rows[i].price_date, &o->call->res->age);
    }
    op_price_age_warn(o->call->ctx, &o->call->res->age);
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
static void compare_roi_options(struct options *o)
{
    double hour = o->call->hour;
    size_t own = str_eq(o->at[0].way, STR("local")), best = 0;
    struct roi_way base;

    qsort(&o->at[own], o->count - own, sizeof o->at[0], compare_money);
    base = way_from(&o->at[0]);
    o->at[0].base = true;
    for (size_t i = 0; i < o->count; i++) {
        struct roi_option *option = &o->at[i];
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
        if (roi_total(&way, hour) <
            usd_double(o->at[best].money) + o->at[best].hours.value * hour)
            best = i;
    }
    o->at[best].best = true;
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
static void name_least(struct options *o, double (*of)(const struct roi_option *),
                       const char *way)
{
    struct roi_option *least = NULL;

    for (size_t i = 0; i < o->count; i++)
        if (!str_eq(o->at[i].way, STR("local")) && (least == NULL || of(&o->at[i]) < of(least)))
            least = &o->at[i];
    if (least != NULL && str_starts(least->way, STR("on ")))
        least->way = str_from(way);
}

static void name_options(struct options *o)
{
    name_least(o, roi_option_total, o->call->hour > 0 ? "best value" : "cheapest");
    name_least(o, roi_money, "cheapest");
    name_least(o, roi_hours, "fastest");
}

static double finite_or_nan(double value)
{
    return isfinite(value) ? value : NAN;
}

/* A new machine like the local one, paid by what its runs save. */
static void fill_purchase(struct options *o)
{
    struct roi_call *c = o->call;
    const struct roi_machine *terms = &c->res->local.terms;
    struct roi_purchase *p = &c->res->purchase;
    struct roi_way own = way_from(&o->at[0]);
    double least = INFINITY, least_total = INFINITY, saved, saved_total;

    if (!str_eq(o->at[0].way, STR("local")) || isnan(terms->price) || o->count < 2)
        return;
    own.money = roi_electricity(terms, own.hours); /* wear is what the price pays for */
    for (size_t i = 1; i < o->count; i++) {
        struct roi_way way = way_from(&o->at[i]);

        least = fmin(least, way.money);
        least_total = fmin(least_total, roi_total(&way, c->hour));
    }
    saved = least - own.money;
    saved_total = least_total - roi_total(&own, c->hour);
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

bool roi_of_job(struct roi_call *c, struct error *err)
{
    struct options o = {.call = c};

    c->res->job = job_shown(c->req->source.job);
    o.at = arena_array(c->ctx->arena, struct roi_option, OPTIONS_MAX, err);
    /* So that every plan uses the same store. */
    if (o.at == NULL || !op_offers(c->ctx, err) || !add_local_roi(&o, err) ||
        !add_rented_roi(&o, err))
        return false;
    compare_roi_options(&o);
    name_options(&o);
    fill_purchase(&o);
    c->res->options = (struct rows){o.at, o.count};
    return true;
}
