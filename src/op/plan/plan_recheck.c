/* plan.recheck - is a plan that was saved still good? */
#include "op/plan/plan_recheck.h"

#include <math.h>
#include <string.h>

#include "op/plan/plan_again.h"
#include "op/plan/plan_places.h"
#include "plan/file.h"

/* ---- the request and the result of plan.recheck, as tables ---- */

static const struct field request[] = {
    FIELD(TEXT, plan_recheck_request, file, .value = "PLAN.json", .operand = true,
          .required = true, .help = "that 'stint plan --save' wrote"),
    FIELD(SHARE, plan_recheck_request, tolerance, .value = "SHARE", .fallback = "5%",
          .help = "a plan that costs more by at most this is still good"),
};
const struct field_set plan_recheck_request_fields =
    FIELD_SET(struct plan_recheck_request, request);

static const struct field row_fields[] = {
    FIELD(TEXT, plan_recheck_row, role, .help = "that the plan had"),
    FIELD(TEXT, plan_recheck_row, offer, .help = "provider/region/instance"),
    FIELD(TEXT, plan_recheck_row, elsewhere,
          .help = "the same machine in another region, which it is compared with when it is "
                  "not there itself"),
    FIELD(TEXT, plan_recheck_row, market, .help = "on-demand, spot, reserved or own"),
    FIELD(TEXT, plan_recheck_row, state, .help = "same, cheaper, dearer, gone or unknown"),
    FIELD(RATE, plan_recheck_row, price_then, .help = "of one machine when it was planned"),
    FIELD(RATE, plan_recheck_row, price_now, .help = "of one machine today"),
    FIELD(NUMBER, plan_recheck_row, price_change, .help = "of the price, a share"),
    FIELD(DAY, plan_recheck_row, date_then, .help = "of the price then"),
    FIELD(DAY, plan_recheck_row, date_now, .help = "of the price now"),
    FIELD(COUNT, plan_recheck_row, age_then_days, .help = "of the price when it was planned"),
    FIELD(COUNT, plan_recheck_row, age_now_days, .help = "of today's price"),
    FIELD(USD, plan_recheck_row, cost_then, .help = "of the result's unit"),
    FIELD(USD, plan_recheck_row, cost_now, .help = "likewise, by the method"),
    FIELD(NUMBER, plan_recheck_row, cost_change, .help = "of the cost, a share"),
};
static const struct field_set row_set = FIELD_SET(struct plan_recheck_row, row_fields);

static const struct field result[] = {
    FIELD(TEXT, plan_recheck_result, file, .help = "that was read"),
    FIELD(TEXT, plan_recheck_result, name, .help = "of the job"),
    FIELD(TEXT, plan_recheck_result, unit, .help = "of cost: job, month or million tokens"),
    FIELD(TEXT, plan_recheck_result, state,
          .help = "good, dearer, beaten by another of them, gone or unknown"),
    FIELD(TEXT, plan_recheck_result, verdict, .help = "in one line"),
    FIELD(TEXT, plan_recheck_result, method, .help = "how the costs of today were found"),
    FIELD(LIST, plan_recheck_result, plans, .row = &row_set, .help = "as they were saved"),
    FIELD(TEXT, plan_recheck_result, best_offer,
          .help = "of the best plan today; null when it could not be planned again"),
    FIELD(TEXT, plan_recheck_result, best_market, .help = "likewise"),
    FIELD(USD, plan_recheck_result, best_cost, .help = "likewise"),
    FIELD(FLAG, plan_recheck_result, same,
          .help = "the best plan today is on the machine of the saved one"),
    FIELD(FLAG, plan_recheck_result, job_changed, .help = "the job's file is not what it was"),
    FIELD(FLAG, plan_recheck_result, newer, .help = "some price is newer than the plan's"),
    FIELD(RECORD, plan_recheck_result, age, .row = &price_age_fields,
          .help = "how old the prices of today are"),
};
const struct field_set plan_recheck_result_fields =
    FIELD_SET(struct plan_recheck_result, result);

/* ---- the operation ---- */

#define NOISE 1e-4 /* of a price: a change below is rounding */

struct recheck {
    struct op_context *ctx;
    const struct plan_recheck_request *request;
    struct plan_result saved;
    struct plan_place *places;
    size_t place_count;
    bool own_price; /* the best plan of today rests on the user's own */
};

/* Prices as the planner sees them, of whatever market and provider. */
static bool prices_now(struct recheck *r, struct error *err)
{
    struct plan_places_ask ask = {
        .market = STR("any"), .min_reliability = NAN, .max_age = SPAN_UNKNOWN};
    struct plan_places_facts facts;
    struct job job;

    return job_reset(&job, r->ctx->arena, err) &&
           plan_places(r->ctx, &job, &ask, &r->places, &r->place_count, &facts, err);
}

/* Is the place one of that offer or, `elsewhere`, of the same machine in any region? */
static bool is_of(const struct plan_place *p, struct str offer, bool elsewhere)
{
    struct str instance = offer, provider = str_cut(&instance, '/');

    if (!elsewhere)
        return str_eq(p->offer, offer);
    (void)str_cut(&instance, '/'); /* the region */
    return str_eq(p->provider, provider) && str_eq(p->instance, instance);
}

/* Elsewhere the cheapest. Of an offer that is reserved for several terms, the price that is
 * nearest to what it was. */
static const struct plan_place *place_of(const struct recheck *r, struct str offer,
                                         const struct plan_row *row, bool elsewhere)
{
    const struct plan_place *best = NULL;
    double then = usd_per_hour_double(row->price), least = INFINITY;

    for (size_t i = 0; i < r->place_count; i++) {
        const struct plan_place *p = &r->places[i];
        double price = usd_per_hour_double(p->price), off;

        if (!is_of(p, offer, elsewhere) ||
            !str_eq(str_from(plan_market_names[p->market]), row->market))
            continue;
        off = elsewhere && p->market != PLAN_RESERVED ? price : fabs(price - then);
        if (best != NULL && !(off < least))
            continue;
        best = p;
        least = off;
    }
    return best;
}

/* Money that does not follow the machine's price. */
static bool stands(struct str line)
{
    static const enum cost_line_id fixed[] = {COST_STORAGE, COST_EGRESS, COST_ELECTRICITY};

    for (size_t i = 0; i < ARRAY_LEN(fixed); i++)
        if (str_eq(line, str_from(cost_line_names[fixed[i]])))
            return true;
    return false;
}

/* USD of a plan that are machine time: of the best by its lines; of others the rent of its
 * hours, or all of it when those are not known, as when serving. */
static double machine_time(const struct recheck *r, const struct plan_row *row, bool best)
{
    const struct plan_line *lines = r->saved.money.at;
    double cost = usd_double(row->cost), fixed = 0, rent;

    if (best && r->saved.money.len > 0) {
        for (size_t i = 0; i < r->saved.money.len; i++)
            if (stands(lines[i].name) && lines[i].amount.nano > 0)
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

static struct str state_of(double change)
{
    return isnan(change)           ? STR("unknown")
           : fabs(change) <= NOISE ? STR("same")
           : change < 0            ? STR("cheaper")
                                   : STR("dearer");
}

static bool offer_of(const struct recheck *r, const struct plan_row *row, struct str *out,
                     struct error *err)
{
    *out = row->offer;
    return row->offer.len > 0 || machine_name(row->provider, row->region, STR(""),
                                              row->instance, r->ctx->arena, out, err);
}

static bool check_row(const struct recheck *r, const struct plan_row *row, bool best,
                      struct plan_recheck_row *out, struct error *err)
{
    const struct plan_place *now;
    double change;

    out->role = row->role;
    out->market = row->market;
    out->price_then = row->price;
    out->date_then = row->price_date;
    out->age_then_days = row->price_age_days;
    out->cost_then = row->cost;
    if (!offer_of(r, row, &out->offer, err))
        return false;
    now = place_of(r, out->offer, row, false);
    /* Lists differ in how they tell regions: '*' in one is a real name in another. */
    if (now == NULL && r->saved.asked.regions.len == 0) {
        now = place_of(r, out->offer, row, true);
        out->elsewhere = now != NULL ? now->offer : (struct str){0};
    }
    if (now == NULL) {
        out->state = STR("gone");
        return true;
    }
    change = share_more(usd_per_hour_double(now->price), usd_per_hour_double(row->price));
    out->state = state_of(change);
    out->price_now = now->price;
    out->price_change = change;
    out->date_now = now->date;
    out->age_now_days = price_age_of(now->date, r->ctx).ns / (24 * SPAN_HOUR);
    out->cost_now = usd_from(usd_double(row->cost) + change * machine_time(r, row, best));
    out->cost_change = share_more(usd_double(out->cost_now), usd_double(row->cost));
    return true;
}

static bool check_rows(const struct recheck *r, const struct field_set *set,
                       struct plan_recheck_result *res, struct error *err)
{
    const struct plan_row *rows = r->saved.plans.at;
    struct plan_recheck_row *out =
        arena_array(r->ctx->arena, struct plan_recheck_row, r->saved.plans.len, err);
    size_t elsewhere = 0;

    if (out == NULL)
        return false;
    for (size_t i = 0; i < r->saved.plans.len; i++) {
        if (!fields_reset(set, &out[i], r->ctx->arena, err) ||
            !check_row(r, &rows[i], i == 0, &out[i], err))
            return false;
        elsewhere += out[i].elsewhere.len > 0;
        if (out[i].date_now.n == DAY_UNKNOWN.n)
            continue;
        res->newer |= out[i].date_now.n > out[i].date_then.n;
        price_age_add(&res->age, out[i].date_now, r->ctx);
    }
    res->plans = (struct rows){out, r->saved.plans.len};
    if (elsewhere > 0)
        message_note(
            &r->ctx->messages,
            "%zu of %zu offers %s not there: compared with the same machine in another "
            "region, the cheapest",
            elsewhere, r->saved.plans.len, elsewhere == 1 ? "is" : "are");
    return true;
}

/* "+$0.12" */
static void write_difference(usd now, usd then, struct buf *out)
{
    usd difference = {now.nano - then.nano};

    buf_char(out, difference.nano < 0 ? '-' : '+');
    usd_write((usd){difference.nano < 0 ? -difference.nano : difference.nano}, out);
}

/* The plan that cost no less than the best, and now costs less by more than is tolerated;
 * NULL when there is none. */
static const struct plan_recheck_row *beaten_by(const struct recheck *r,
                                                const struct plan_recheck_result *res)
{
    const struct plan_recheck_row *rows = res->plans.at, *best = NULL;
    double most = usd_double(rows[0].cost_now) * (1 - r->request->tolerance);

    for (size_t i = 1; i < res->plans.len; i++) {
        if (usd_compare(rows[i].cost_then, rows[0].cost_then) < 0 ||
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
    buf_addf(out, "%s %.*s (%.*s)", words, STR_ARG(row->offer), STR_ARG(row->market));
}

/* Is the best plan of today another one, and cheaper by more than is tolerated? */
static bool beaten_today(const struct recheck *r, const struct plan_recheck_row *best,
                         const struct plan_recheck_result *res)
{
    double most = usd_double(best->cost_now) * (1 - r->request->tolerance);

    return res->best_offer.len > 0 && usd_double(res->best_cost) < most && !res->same;
}

static void write_good(const struct plan_recheck_row *best, struct buf *out)
{
    buf_adds(out, "still good: ");
    if (fabs(best->cost_change) <= NOISE)
        buf_adds(out, "the same price");
    else
        write_difference(best->cost_now, best->cost_then, out);
}

/* What is to be done about the best plan. */
static void judge(const struct recheck *r, const struct plan_recheck_row *best,
                  struct plan_recheck_result *res, struct buf *out)
{
    const struct plan_recheck_row *other = beaten_by(r, res);

    if (str_eq(best->state, STR("gone"))) {
        res->state = best->state;
        write_named("gone:", best, out);
        buf_adds(out, " has no price now; plan again");
    } else if (isnan(best->cost_change)) {
        res->state = STR("unknown");
        buf_adds(out, "not known: the plan has no cost to compare with; plan again");
    } else if (best->cost_change > r->request->tolerance) {
        res->state = STR("dearer");
        buf_addf(out, "dearer by %.*f %% (", best->cost_change < 0.1 ? 1 : 0,
                 best->cost_change * 100);
        write_difference(best->cost_now, best->cost_then, out);
        buf_adds(out, "): plan again");
    } else if (beaten_today(r, best, res)) {
        res->state = STR("beaten");
        buf_addf(out, "beaten by %.*s (%.*s): ", STR_ARG(res->best_offer),
                 STR_ARG(res->best_market));
        write_difference(res->best_cost, best->cost_now, out);
        buf_adds(out, "; plan again");
    } else if (other != NULL) {
        res->state = STR("beaten");
        write_named("beaten by", other, out);
        buf_adds(out, ": ");
        write_difference(other->cost_now, best->cost_now, out);
        buf_adds(out, "; plan again");
    } else {
        res->state = STR("good");
        write_good(best, out);
    }
}

static bool give_verdict(const struct recheck *r, struct plan_recheck_result *res,
                         struct error *err)
{
    struct buf text = buf_new(r->ctx->arena->alloc, 1024);
    bool ok;

    judge(r, res->plans.at, res, &text);
    ok = buf_ok(&text, err);
    if (ok) {
        res->verdict.at = str_dup(buf_text(&text), r->ctx->arena, err);
        res->verdict.len = text.len;
        ok = res->verdict.at != NULL;
    }
    buf_free(&text);
    r->ctx->partly |= !str_eq(res->state, STR("good"));
    return ok;
}

/* The best plan at the prices of today, where the job can still be read. */
static bool ask_again(struct recheck *r, struct plan_recheck_result *res, struct error *err)
{
    const struct plan_recheck_row *best = res->plans.at;
    struct plan_again again;

    if (!plan_again(r->ctx, &r->saved, &again, err))
        return false;
    if (!again.planned)
        message_note(&r->ctx->messages, "not planned again: %.*s", STR_ARG(again.why_not));
    if (again.changed)
        message_warn(&r->ctx->messages, "the job's file has changed since: plan again");
    res->best_offer = again.offer;
    res->best_market = again.market;
    res->best_cost = again.cost;
    res->same = again.planned && str_eq(again.market, best->market) &&
                (str_eq(again.offer, best->offer) || str_eq(again.offer, best->elsewhere));
    res->newer |= again.planned && again.date.n > best->date_then.n;
    r->own_price = again.own_price;
    res->job_changed = again.changed;
    return true;
}

static bool run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct plan_recheck_result *res = out;
    struct recheck r = {.ctx = ctx, .request = in};
    const struct field_set *set = field_find(&plan_recheck_result_fields, STR("plans"))->row;

    if (!plan_file_read(r.request->file, ctx->arena, &r.saved, err))
        return false;
    if (r.saved.plans.len == 0) {
        error_set(err, ERROR_INPUT, "%.*s: it holds no plan", STR_ARG(r.request->file));
        error_hint(err, "none was possible when it was written: plan again");
        return false;
    }
    res->file = r.request->file;
    res->name = r.saved.name;
    res->unit = r.saved.unit;
    res->method = STR("machine time follows the price of the machine, storage and egress stay; "
                      "hours and setting are the plan's");
    if (!prices_now(&r, err) || !check_rows(&r, set, res, err) || !ask_again(&r, res, err) ||
        !give_verdict(&r, res, err))
        return false;
    if (!res->newer && !r.own_price && res->age.total > 0)
        message_note(&ctx->messages,
                     "no price is newer than the plan's: 'stint price fetch' gets "
                     "today's");
    price_age_warn(&res->age, ctx);
    return true;
}

const struct op op_plan_recheck = {
    .name = "plan.recheck",
    .schema = "stint.plan.recheck/1",
    .summary = "check whether a saved plan is still good",
    .request = &plan_recheck_request_fields,
    .result = &plan_recheck_result_fields,
    .run = run,
};
