#include "plan/recheck.h"

#include <math.h>

#define NOISE 1e-4 /* of a price: a change below is rounding */

static const struct field recheck_row_fields[] = {
    FIELD_AS("role", TEXT, plan_recheck_row, then.role, .help = "role in the plan"),
    FIELD_AS("offer", TEXT, plan_recheck_row, then.offer, .help = "provider/region/instance"),
    FIELD(
        TEXT, plan_recheck_row, elsewhere,
        .help =
            "same machine in another region, for comparison if it is not available in its own"),
    FIELD_AS("market", ENUM, plan_recheck_row, then.market, .names = market_names,
             .only = MARKETS_PLANNED, .help = "market: on-demand, spot, reserved or own"),
    FIELD(TEXT, plan_recheck_row, state,
          .help = "state: same, cheaper, more expensive, gone or unknown"),
    FIELD_AS("price_then", RATE, plan_recheck_row, then.price,
             .help = "price of one machine at planning time"),
    FIELD(RATE, plan_recheck_row, price_now, .help = "price of one machine today"),
    FIELD(NUMBER, plan_recheck_row, price_change, .help = "change of the price as a share"),
    FIELD_AS("date_then", DAY, plan_recheck_row, then.price_date,
             .help = "date of the price at planning time"),
    FIELD(DAY, plan_recheck_row, date_now, .help = "date of the price today"),
    FIELD_AS("age_then_days", COUNT, plan_recheck_row, then.price_age_days,
             .help = "age of the price at planning time, days"),
    FIELD(COUNT, plan_recheck_row, age_now_days, .help = "age of today's price, days"),
    FIELD_AS("cost_then", USD, plan_recheck_row, then.cost,
             .help = "cost at planning time, in the result's unit"),
    FIELD(USD, plan_recheck_row, cost_now,
          .help = "cost today, in the result's unit, by the method"),
    FIELD(NUMBER, plan_recheck_row, cost_change, .help = "change of the cost as a share"),
};
const struct field_set plan_recheck_row_fields =
    FIELD_SET(struct plan_recheck_row, recheck_row_fields);

static const struct field recheck_deployment_fields[] = {
    FIELD(TEXT, plan_recheck_deployment, deployment, .help = "kind of deployment"),
    FIELD(TEXT, plan_recheck_deployment, offer_then, .empty_unknown = true,
          .help = "cheapest of its kind at planning time"),
    FIELD(TEXT, plan_recheck_deployment, offer_now, .empty_unknown = true,
          .help = "cheapest today; null: none can be used"),
    FIELD(USD, plan_recheck_deployment, cost_then, .help = "monthly cost at planning time"),
    FIELD(USD, plan_recheck_deployment, cost_now, .help = "monthly cost today"),
    FIELD(NUMBER, plan_recheck_deployment, cost_change,
          .help = "change of the cost as a share"),
};
const struct field_set plan_recheck_deployment_fields =
    FIELD_SET(struct plan_recheck_deployment, recheck_deployment_fields);

/* Is the place one of that offer or, `elsewhere`, of the same machine in any region? */
static bool is_place_of_offer(const struct plan_place *p, struct str offer, bool elsewhere)
{
    struct str instance = offer, provider = str_cut(&instance, '/');

    if (!elsewhere)
        return str_eq(p->machine->name, offer);
    (void)str_cut(&instance, '/'); /* the region */
    return str_eq(p->machine->provider, provider) && str_eq(p->machine->instance, instance);
}

/* Elsewhere the cheapest. Of an offer that is reserved for several terms, the price that is
 * nearest to what it was. */
static const struct plan_place *find_rechecked_place(const struct plan_place *places,
                                                     size_t count, const struct plan_row *row,
                                                     bool elsewhere)
{
    const struct plan_place *best = NULL;
    double then = usd_per_hour_double(row->price), least = INFINITY;

    for (size_t i = 0; i < count; i++) {
        const struct plan_place *p = &places[i];
        double price = usd_per_hour_double(p->price), off;

        if (!is_place_of_offer(p, row->offer, elsewhere) || p->market != row->market)
            continue;
        off = elsewhere && p->market != MARKET_RESERVED ? price : fabs(price - then);
        if (best != NULL && !(off < least))
            continue;
        best = p;
        least = off;
    }
    return best;
}

/* Money that does not follow the machine's price. */
static bool is_fixed_line(struct str line)
{
    static const enum cost_line_id fixed[] = {COST_STORAGE, COST_EGRESS, COST_ELECTRICITY};

    for (size_t i = 0; i < ARRAY_LEN(fixed); i++)
        if (str_eq(line, str_from(cost_line_names[fixed[i]])))
            return true;
    return false;
}

/* USD of a plan that are machine time: of the best by its lines; of others the rent of its
 * hours, or all of it when those are not known, as when serving. */
static double machine_time(const struct plan_result *saved, const struct plan_row *row,
                           bool best)
{
    const struct plan_line *lines = saved->money.at;
    double cost = usd_double(row->cost), fixed = 0, rent;

    if (best && saved->money.len > 0) {
        for (size_t i = 0; i < saved->money.len; i++)
            if (is_fixed_line(lines[i].name) && lines[i].amount.nano > 0)
                fixed += usd_double(lines[i].amount);
        return fmax(cost - fixed, 0);
    }
    rent = usd_per_hour_double(row->price) * (double)row->machines * row->hours.value;
    return rent >= 0 && rent < cost ? rent : cost;
}

static double share_more(double now, double then)
{
    if (then == 0 && now == 0) /* hours that were paid for already */
        return 0;
    return then > 0 ? now / then - 1 : NAN;
}

static struct str recheck_state(double change)
{
    return isnan(change)           ? STR("unknown")
           : fabs(change) <= NOISE ? STR("same")
           : change < 0            ? STR("cheaper")
                                   : STR("more expensive");
}

static bool check_plan_row(const struct plan_result *saved, const struct plan_place *places,
                           size_t count, day today, bool best, struct plan_recheck_row *out)
{
    const struct plan_row *then = &out->then;
    const struct plan_place *now = find_rechecked_place(places, count, then, false);
    double change;

    /* Lists differ in how they name regions: '*' in one is a real name in another. */
    if (now == NULL && saved->asked.regions.len == 0) {
        now = find_rechecked_place(places, count, then, true);
        out->elsewhere = now != NULL ? now->machine->name : (struct str){0};
    }
    if (now == NULL) {
        out->state = STR("gone");
        return false;
    }
    change = share_more(usd_per_hour_double(now->price), usd_per_hour_double(then->price));
    out->state = recheck_state(change);
    out->price_now = now->price;
    out->price_change = change;
    out->date_now = now->date;
    out->age_now_days = today.n > now->date.n ? today.n - now->date.n : 0;
    out->cost_now = usd_from(usd_double(then->cost) + change * machine_time(saved, then, best));
    out->cost_change = share_more(usd_double(out->cost_now), usd_double(then->cost));
    return true;
}

bool recheck_prices(const struct plan_result *saved, const struct plan_place *places,
                    size_t count, day today, struct arena *arena, struct plan_recheck *out,
                    struct error *err)
{
    const struct plan_row *plans = saved->plans.at;
    struct plan_recheck_row *rows =
        arena_array(arena, struct plan_recheck_row, saved->plans.len, err);

    if (rows == NULL)
        return false;
    for (size_t i = 0; i < saved->plans.len; i++) {
        struct plan_row *then = &rows[i].then;

        if (!fields_reset(&plan_recheck_row_fields, &rows[i], arena, err))
            return false;
        *then = plans[i];
        if (then->offer.len == 0 && !machine_name(then->provider, then->region, STR(""),
                                                  then->instance, arena, &then->offer, err))
            return false;
        if (check_plan_row(saved, places, count, today, i == 0, &rows[i]))
            out->newer |= rows[i].date_now.n > then->price_date.n;
        out->elsewhere += rows[i].elsewhere.len > 0;
    }
    out->plans = (struct rows){rows, saved->plans.len};
    return true;
}

static const struct plan_deployment *find_deployment(const struct plan_result *res,
                                                     struct str kind)
{
    const struct plan_deployment *rows = res->deployments.at;

    for (size_t i = 0; i < res->deployments.len; i++)
        if (str_eq(rows[i].deployment, kind))
            return &rows[i];
    return NULL;
}

static struct plan_recheck_deployment compare_deployments(const struct plan_deployment *then,
                                                          const struct plan_deployment *now)
{
    struct plan_recheck_deployment row = {
        .cost_then = USD_UNKNOWN, .cost_now = USD_UNKNOWN, .cost_change = (double)NAN};

    if (now != NULL) {
        row.deployment = now->deployment;
        row.cost_now = now->cost;
        row.offer_now = now->offer;
    }
    if (then != NULL) {
        row.deployment = then->deployment;
        row.cost_then = then->cost;
        row.offer_then = then->offer;
    }
    if (then != NULL && now != NULL)
        row.cost_change = share_more(usd_double(row.cost_now), usd_double(row.cost_then));
    return row;
}

bool recheck_deployments(const struct plan_result *saved, const struct plan_result *today,
                         struct arena *arena, struct plan_recheck *out, struct error *err)
{
    const struct plan_deployment *then = saved->deployments.at, *now = today->deployments.at;
    size_t count = 0;
    struct plan_recheck_deployment *rows =
        arena_array(arena, struct plan_recheck_deployment,
                    saved->deployments.len + today->deployments.len + 1, err);

    if (rows == NULL)
        return false;
    for (size_t i = 0; i < saved->deployments.len; i++)
        rows[count++] =
            compare_deployments(&then[i], find_deployment(today, then[i].deployment));
    for (size_t i = 0; i < today->deployments.len; i++)
        if (find_deployment(saved, now[i].deployment) == NULL)
            rows[count++] = compare_deployments(NULL, &now[i]);
    out->deployments = (struct rows){rows, count};
    return true;
}

void recheck_best(const struct plan *best, struct plan_recheck *out)
{
    const struct plan_recheck_row *saved = out->plans.at;

    out->best_offer = best->place->machine->name;
    out->best_market = best->place->market;
    out->best_cost = best->total.expected;
    out->same =
        out->best_market == saved->then.market && (str_eq(out->best_offer, saved->then.offer) ||
                                                   str_eq(out->best_offer, saved->elsewhere));
    out->newer |= best->place->date.n > saved->then.price_date.n;
}

bool place_has_own_price(const struct plan_place *place)
{
    const struct machine *m = place->machine;

    return place->market == MARKET_OWN || m->fact.layer > 0 ||
           (place->market == MARKET_SPOT ? m->list_spot.nano : m->list_on_demand.nano) > 0;
}

/* ---- the verdict ---- */

/* "+$0.12" */
static void write_usd_difference(usd now, usd then, struct buf *out)
{
    usd difference = {now.nano - then.nano};

    buf_char(out, difference.nano < 0 ? '-' : '+');
    usd_write_estimate((usd){difference.nano < 0 ? -difference.nano : difference.nano}, out);
}

/* The plan that cost no less than the best, and now costs less by more than is tolerated;
 * NULL when there is none. */
static const struct plan_recheck_row *beaten_by(const struct plan_recheck *res,
                                                double tolerance)
{
    const struct plan_recheck_row *rows = res->plans.at, *best = NULL;
    double most = usd_double(rows[0].cost_now) * (1 - tolerance);

    for (size_t i = 1; i < res->plans.len; i++) {
        if (usd_compare(rows[i].then.cost, rows[0].then.cost) < 0 ||
            !(usd_double(rows[i].cost_now) < most) ||
            (best != NULL && usd_compare(rows[i].cost_now, best->cost_now) >= 0))
            continue;
        best = &rows[i];
    }
    return best;
}

/* "WORDS OFFER (MARKET)" */
static void write_named(const char *words, const struct plan_recheck_row *row, struct buf *out)
{
    struct str market = plan_row_market(&row->then);

    buf_addf(out, "%s %.*s (%.*s)", words, STR_ARG(row->then.offer), STR_ARG(market));
}

/* Is the best plan of today another one, and cheaper by more than is tolerated? */
static bool beaten_today(const struct plan_recheck *res, const struct plan_recheck_row *best,
                         double tolerance)
{
    double most = usd_double(best->cost_now) * (1 - tolerance);

    return res->best_offer.len > 0 && usd_double(res->best_cost) < most && !res->same;
}

static void write_good(double change, usd now, usd then, struct buf *out)
{
    buf_adds(out, "still good: ");
    if (fabs(change) <= NOISE)
        buf_adds(out, "the same price");
    else
        write_usd_difference(now, then, out);
}

static void write_more_expensive(double change, usd now, usd then, struct buf *out)
{
    buf_addf(out, "more expensive by %.*f %% (", change < 0.1 ? 1 : 0, change * 100);
    write_usd_difference(now, then, out);
    buf_adds(out, "): plan again");
}

/* What is to be done about the best plan. */
static void judge(struct plan_recheck *res, double tolerance, struct buf *out)
{
    const struct plan_recheck_row *best = res->plans.at;
    const struct plan_recheck_row *other = beaten_by(res, tolerance);

    if (str_eq(best->state, STR("gone"))) {
        res->state = best->state;
        write_named("gone:", best, out);
        buf_adds(out, " has no price now; plan again");
    } else if (isnan(best->cost_change)) {
        res->state = STR("unknown");
        buf_adds(out, "unknown: the plan has no cost to compare with; plan again");
    } else if (best->cost_change > tolerance) {
        res->state = STR("more expensive");
        write_more_expensive(best->cost_change, best->cost_now, best->then.cost, out);
    } else if (beaten_today(res, best, tolerance)) {
        res->state = STR("beaten");
        buf_addf(out, "beaten by %.*s (%s): ", STR_ARG(res->best_offer),
                 market_names[res->best_market]);
        write_usd_difference(res->best_cost, best->cost_now, out);
        buf_adds(out, "; plan again");
    } else if (other != NULL) {
        res->state = STR("beaten");
        write_named("beaten by", other, out);
        buf_adds(out, ": ");
        write_usd_difference(other->cost_now, best->cost_now, out);
        buf_adds(out, "; plan again");
    } else {
        res->state = STR("good");
        write_good(best->cost_change, best->cost_now, best->then.cost, out);
    }
}

/* The cheapest today, of those that may be compared. */
static const struct plan_recheck_deployment *cheapest_today(const struct plan_recheck *res)
{
    const struct plan_recheck_deployment *rows = res->deployments.at, *best = NULL;

    for (size_t i = 0; i < res->deployments.len; i++)
        if (rows[i].cost_now.nano != MONEY_UNKNOWN &&
            (best == NULL || usd_compare(rows[i].cost_now, best->cost_now) < 0))
            best = &rows[i];
    return best;
}

static void judge_beaten(struct plan_recheck *res, usd cost_now, double tolerance,
                         struct buf *out)
{
    const struct plan_recheck_deployment *other = cheapest_today(res);

    if (other == NULL ||
        !(usd_double(other->cost_now) < (1 - tolerance) * usd_double(cost_now)))
        return;
    res->state = STR("beaten");
    out->len = 0;
    buf_addf(out, "beaten by %.*s (%.*s): ", STR_ARG(other->deployment),
             STR_ARG(other->offer_now));
    write_usd_difference(other->cost_now, cost_now, out);
    buf_adds(out, "; plan again");
}

/* Of a model that serves, the best way to deploy it where that is no machine with GPUs: by its
 * kind, whose cheapest offer may be another today. */
static void judge_deployments(struct plan_recheck *res, double tolerance, struct buf *out)
{
    const struct plan_recheck_deployment *best = res->deployments.at;

    if (best->cost_now.nano == MONEY_UNKNOWN) {
        res->state = STR("gone");
        buf_addf(out, "gone: no %.*s meets the limits now; plan again",
                 STR_ARG(best->deployment));
    } else if (best->cost_change > tolerance) {
        res->state = STR("more expensive");
        write_more_expensive(best->cost_change, best->cost_now, best->cost_then, out);
    } else {
        res->state = STR("good");
        write_good(best->cost_change, best->cost_now, best->cost_then, out);
        if (!str_eq(best->offer_then, best->offer_now))
            buf_addf(out, ", now on %.*s", STR_ARG(best->offer_now));
        judge_beaten(res, best->cost_now, tolerance, out);
    }
}

static void judge_recheck(struct plan_recheck *res, double tolerance, struct buf *out)
{
    const struct plan_recheck_deployment *deployed = res->deployments.at;
    const struct plan_recheck_row *plans = res->plans.at;
    bool gpus = res->plans.len > 0 &&
                (deployed == NULL || str_eq(deployed->deployment, STR("GPU machine")));

    if (gpus) {
        judge(res, tolerance, out);
        if (str_eq(res->state, STR("good")))
            judge_beaten(res, plans->cost_now, tolerance, out);
    } else if (res->deployments.len > 0) {
        judge_deployments(res, tolerance, out);
    } else {
        res->state = STR("unknown");
        buf_adds(out, "unknown: it could not be planned again");
    }
}

bool recheck_judge(double tolerance, struct arena *arena, struct plan_recheck *out,
                   struct error *err)
{
    struct buf text = buf_new(arena->alloc, 1024);

    judge_recheck(out, tolerance, &text);
    return buf_keep(&text, arena, &out->verdict, err);
}
