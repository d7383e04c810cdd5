#include "account/costs/hourly.h"

#include <math.h>
#include <stdlib.h>

#include "account/classify/bill_classify.h"
#include "account/policy/ledger_policy.h"
#include "account/query/charge.h"
#include "account/reconcile/reconciliation.h"
#include "base/characters.h"
#include "base/map.h"
#include "base/num.h"
#include "base/stop.h"

#define KEY_MAX ((size_t)1 << 16)
#define PROGRESS_EVERY 65536   /* lines */
#define HOUR_S INT64_C(3600)   /* seconds */
#define COMMITMENTS_MAX 100000 /* ids on bills */
#define NEARLY_ALL 0.98        /* of the billed time: starting and stopping takes the rest */

#define LOAD(kind, member, text) FIELD(kind, hourly_load, member, .help = (text))

static const struct field load_fields[] = {
    FIELD(TEXT, hourly_load, provider, .empty_unknown = true,
          .help = "provider that sells the machines"),
    FIELD(TEXT, hourly_load, region, .empty_unknown = true, .help = "region; null: all"),
    FIELD(TEXT, hourly_load, family, .empty_unknown = true,
          .help = "machine family; null: all"),
    LOAD(COUNT, observed, "hours with a known cost; others are unknown, not zero"),
    LOAD(NUMBER, total, "on-demand cost, US dollars"),
    LOAD(NUMBER, mean, "mean of the observed hours, US dollars per hour"),
    LOAD(NUMBER, peak, "highest hour, US dollars"),
    LOAD(SHARE, to_day, "share of the total known per day only: spread evenly over its hours"),
    LOAD(SHARE, to_month, "share of the total known per longer period only: spread evenly"),
    LOAD(SHARE, from_runs, "share of the total from runs, as metered"),
};

const struct field_set hourly_load_fields = FIELD_SET(struct hourly_load, load_fields);

#define HELD(kind, member, text) FIELD(kind, hourly_commitment, member, .help = (text))

static const struct field commitment_fields[] = {
    HELD(TEXT, id, "ID of the commitment at the provider"),
    FIELD(TEXT, hourly_commitment, name, .empty_unknown = true,
          .help = "name of the commitment"),
    FIELD(TEXT, hourly_commitment, type, .empty_unknown = true,
          .help = "savings plan, reservation, ..."),
    HELD(TEXT, provider, "provider that sold it"),
    HELD(NUMBER, used, "effective cost of the used part, US dollars"),
    HELD(NUMBER, unused, "effective cost of the unused part; null: not in the bills"),
    HELD(SHARE, utilization, "used share of its cost; null: not in the bills"),
    HELD(NUMBER, list, "list price of the used part; null: not in the bills"),
    HELD(NUMBER, saved, "savings against list prices, less the unused part; null: unknown"),
};

const struct field_set hourly_commitment_fields =
    FIELD_SET(struct hourly_commitment, commitment_fields);

struct hourly_work {
    const struct account_source *account;
    const struct hourly_query *query;
    struct hourly_use *out;
    struct converter converter;
    struct coverage coverage;
    struct run_dimensions runs;
    struct bill_classifier *classifier;
    struct buf key;
    struct map loads, commitments; /* numbers are places in the lists */
    size_t load_room, commitment_room;
    struct map uses; /* ids of machines on bills */
    struct map moved;
    const struct reconcile_use *use;
    int64_t first_run, last_run; /* seconds: when the first began and the last ended */
    uint64_t lines;
};

/* ---- what a commitment covers ---- */

/* "p4d" of p4d.24xlarge, "a2" of a2-highgpu-8g; all of another name. */
static struct str machine_family(struct str provider, struct str instance)
{
    bool google = provider_same(provider, STR("gcp"));

    for (size_t i = instance.len; i > 0; i--)
        if (instance.at[i - 1] == '.')
            return (struct str){instance.at, i - 1};
    for (size_t i = 0; google && i < instance.len; i++)
        if (instance.at[i] == '-')
            return (struct str){instance.at, i};
    return instance;
}

static void put_hourly_key_part(struct buf *key, struct str text)
{
    buf_add(key, text);
    buf_char(key, '\0');
}

static bool add_hourly_load(struct hourly_work *w, const struct hourly_load *like,
                            struct error *err)
{
    struct arena *arena = w->account->arena;
    struct hourly_use *out = w->out;
    struct hourly_load *load;

    out->loads =
        arena_grow(arena, out->loads, out->count, sizeof *out->loads, &w->load_room, err);
    if (out->loads == NULL)
        return false;
    load = &out->loads[out->count];
    *load = (struct hourly_load){.dollars = arena_array(arena, double, out->hours, err)};
    if (load->dollars == NULL || !str_keep(like->provider, arena, &load->provider, err) ||
        !str_keep(like->region, arena, &load->region, err) ||
        !str_keep(like->family, arena, &load->family, err))
        return false;
    out->count++;
    return true;
}

/* The load that a machine belongs to; NULL and true when there are too many. */
static bool load_of(struct hourly_work *w, const struct dimensions *of,
                    struct hourly_load **found, struct error *err)
{
    unsigned by = w->query->by;
    struct hourly_load like = {0};
    struct map_entry *e;

    like.provider = (by & HOURLY_PROVIDER) != 0 ? of->of[DIMENSION_provider] : STR("");
    like.region = (by & HOURLY_REGION) != 0 ? of->of[DIMENSION_region] : STR("");
    like.family = (by & HOURLY_FAMILY) != 0
                      ? machine_family(of->of[DIMENSION_provider], of->of[DIMENSION_instance])
                      : STR("");
    buf_clear(&w->key);
    put_hourly_key_part(&w->key, like.provider);
    put_hourly_key_part(&w->key, like.region);
    put_hourly_key_part(&w->key, like.family);
    *found = NULL;
    if (!buf_ok(&w->key, err))
        return false;
    e = map_find(&w->loads, buf_text(&w->key));
    if (e == NULL && w->out->count == HOURLY_GROUPS_MAX)
        return true;
    if (e == NULL) {
        struct str key;

        if (!str_keep(buf_text(&w->key), w->account->arena, &key, err) ||
            !add_hourly_load(w, &like, err))
            return false;
        e = map_add(&w->loads, key, NULL, err);
        if (e == NULL)
            return false;
    }
    *found = &w->out->loads[e - w->loads.at];
    return true;
}

/* ---- amounts over hours ---- */

/* Hours of a cost that runs evenly from `start` to before `end`. `skips`: of runs, days that a
 * bill covers. What lies outside of the period does not count. */
static void spread_cost(struct hourly_work *w, struct hourly_load *load, double dollars,
                        int64_t start, int64_t end, const struct coverage *skips)
{
    int64_t first = w->out->first.s, after = first + (int64_t)w->out->hours * HOUR_S;
    int64_t length = end > start ? end - start : 0;
    int64_t at = start > first ? start : first;
    int64_t until = end < after ? end : after;

    if (length == 0 && start >= first && start < after) { /* a moment: in its hour */
        load->dollars[(start - first) / HOUR_S] += dollars;
        load->total += dollars;
    }
    while (at < until) {
        int64_t hour = (at - first) / HOUR_S;
        int64_t next = first + (hour + 1) * HOUR_S;
        int64_t here = (next < until ? next : until) - at;
        double part = dollars * (double)here / (double)length;

        if (skips == NULL || !coverage_has(skips, load->provider, day_of((stamp){at}))) {
            load->dollars[hour] += part;
            load->total += part;
        }
        at += here;
    }
}

/* ---- bills ---- */

static bool in_dollars(struct hourly_work *w, const struct ledger_bill *bill, day on,
                       struct decimal amount, double *out, struct error *err)
{
    struct currency currency = currency_from(bill->currency);

    if (!currency_is(currency, currency_usd) &&
        !converter_apply(&w->converter, on, currency, &amount, err))
        return false;
    *out = decimal_double(amount);
    return true;
}

/* The on-demand price, negotiated discounts included where the bill has them. */
static struct decimal on_demand_of(const struct bill_line *line)
{
    return line->contracted_known ? line->contracted
           : line->list_known     ? line->list
                                  : line->billed;
}

static bool is_hourly_use(const struct bill_line *line)
{
    struct str charge = line->of[FOCUS_ChargeCategory];

    return charge.len == 0 || str_eq_nocase(charge, STR("Usage"));
}

/* The entry of the commitment that a line names. */
static struct hourly_commitment *commitment_of(struct hourly_work *w,
                                               const struct ledger_bill *bill,
                                               const struct bill_line *line, struct error *err)
{
    struct arena *arena = w->account->arena;
    struct hourly_use *out = w->out;
    struct hourly_commitment *c;
    struct map_entry *e;
    bool added;

    e = map_add(&w->commitments, line->of[FOCUS_CommitmentDiscountId], &added, err);
    if (e == NULL || !added)
        return e != NULL ? &out->commitments[e - w->commitments.at] : NULL;
    out->commitments = arena_grow(arena, out->commitments, out->commitment_count,
                                  sizeof *out->commitments, &w->commitment_room, err);
    if (out->commitments == NULL || !str_keep(e->key, arena, &e->key, err))
        return NULL;
    c = &out->commitments[out->commitment_count++];
    *c = (struct hourly_commitment){.id = e->key};
    /* Google's export has the use of a commitment, and its fee without an id. */
    if (str_starts(bill->format, STR("gcp")) || str_starts(bill->format, STR("bigquery")))
        c->unused = NAN;
    c->name = line->of[FOCUS_CommitmentDiscountName].len > 0
                  ? line->of[FOCUS_CommitmentDiscountName]
                  : c->id; /* AWS gives it none */
    if (!str_keep(c->name, arena, &c->name, err) ||
        !str_keep(line->of[FOCUS_CommitmentDiscountType], arena, &c->type, err) ||
        !str_keep(coverage_name(&w->coverage, ledger_line_provider(line)), arena, &c->provider,
                  err))
        return NULL;
    return c;
}

/* What a commitment was used for, or not. What was paid for it in advance costs nothing by
 * effective cost. */
static bool add_commitment(struct hourly_work *w, const struct ledger_bill *bill,
                           const struct bill_line *line, struct error *err)
{
    bool unused = !str_eq_nocase(line->of[FOCUS_CommitmentDiscountStatus], STR("Used"));
    struct hourly_commitment *c = commitment_of(w, bill, line, err);
    day on = day_of(line->start);
    double cost, list;

    if (c == NULL || !in_dollars(w, bill, on, line->effective, &cost, err) ||
        !in_dollars(w, bill, on, line->list, &list, err))
        return false;
    if (unused) {
        c->unused += cost;
        return true;
    }
    c->used += cost;
    c->list += line->list_known ? list : NAN;
    w->out->committed += line->list_known ? list : cost;
    return true;
}

/* ---- what machines were used for ---- */

/* Machines of bills by their ids, and when runs were on them: what was idle or unused is waste,
 * and not to be committed to. */
static bool read_uses(struct hourly_work *w, struct error *err)
{
    struct reconciliation bills;
    const struct reconcile_use *uses;
    bool all = w->query->leave_out != NULL;

    if (!account_reconcile(w->account, w->query->since, w->query->until, all ? 0 : 1, &bills,
                           err) ||
        (all && !w->query->leave_out(w->query->leave_out_ctx, &bills, &w->moved, err)))
        return false;
    uses = bills.uses.at;
    for (size_t i = 0; i < bills.uses.len; i++) {
        struct map_entry *e = map_add(&w->uses, uses[i].resource, NULL, err);

        if (e == NULL)
            return false;
        e->key = uses[i].resource;
    }
    w->use = uses; /* in the order of the map */
    return true;
}

/* The entry of the line's machine. */
static const struct map_entry *machine_in(struct hourly_work *w, const struct map *ids,
                                          const struct bill_line *line)
{
    struct str id = line->of[FOCUS_ResourceId];

    buf_clear(&w->key);
    for (size_t i = 0; i < id.len; i++)
        buf_char(&w->key, to_lower(id.at[i]));
    return id.len > 0 && w->key.failed == ERROR_NONE ? map_find(ids, buf_text(&w->key)) : NULL;
}

static const struct reconcile_use *use_of(struct hourly_work *w, const struct bill_line *line)
{
    const struct map_entry *e = machine_in(w, &w->uses, line);

    return e != NULL ? &w->use[e - w->uses.at] : NULL;
}

/* Seconds of runs within a time. */
static int64_t used_within(const struct reconcile_use *use, int64_t start, int64_t end)
{
    int64_t sum = 0;

    for (size_t i = 0; i < use->count && use->spans[i].from < end; i++) {
        int64_t from = use->spans[i].from > start ? use->spans[i].from : start;
        int64_t to = use->spans[i].to < end ? use->spans[i].to : end;

        sum += to > from ? to - from : 0;
    }
    return sum;
}

/* The cost of a machine over the time that runs were on it. `hours`: that the line is for, of
 * its time; a daily line of a machine that was on for 8 hours is all used by a run of 8. */
static void spread_used(struct hourly_work *w, struct hourly_load *load, double dollars,
                        int64_t start, int64_t end, double hours,
                        const struct reconcile_use *use)
{
    int64_t used = used_within(use, start, end);
    double billed =
        hours > 0 ? fmin(hours * (double)HOUR_S, (double)(end - start)) : (double)(end - start);
    double share = billed > 0 ? fmin(1, (double)used / billed) : 0;

    if (share >= NEARLY_ALL)
        share = 1;
    w->out->idle += dollars * (1 - share);
    for (size_t i = 0; i < use->count && use->spans[i].from < end && used > 0; i++) {
        int64_t from = use->spans[i].from > start ? use->spans[i].from : start;
        int64_t to = use->spans[i].to < end ? use->spans[i].to : end;

        if (to > from)
            spread_cost(w, load, dollars * share * (double)(to - from) / (double)used, from, to,
                        NULL);
    }
}

/* Hours of one machine that the line is for; 0: it does not say. */
static double line_hours(const struct bill_line *line)
{
    double hours = reconcile_unit_hours(line->of[FOCUS_PricingUnit], false);
    struct decimal quantity;

    return hours > 0 && decimal_parse(line->of[FOCUS_PricingQuantity], &quantity)
               ? hours * decimal_double(quantity)
               : 0;
}

/* On demand, for a machine. */
static bool add_hourly_machine(struct hourly_work *w, const struct ledger_bill *bill,
                               const struct bill_line *line, const struct dimensions *of,
                               struct error *err)
{
    int64_t start = line->start.s, end = line->end.s;
    const struct reconcile_use *use = use_of(w, line);
    struct hourly_load *load;
    double dollars, before;

    if (!in_dollars(w, bill, day_of(line->start), on_demand_of(line), &dollars, err))
        return false;
    w->out->on_demand += dollars;
    if (machine_in(w, &w->moved, line) != NULL) {
        w->out->moved += dollars;
        return true;
    }
    if (!load_of(w, of, &load, err))
        return false;
    if (load == NULL) {
        w->out->others += dollars;
        return true;
    }
    if (use != NULL && use->count == 0 && use->watched.n != DAY_UNKNOWN.n &&
        day_of(line->start).n >= use->watched.n) {
        w->out->unused += dollars;
        return true;
    }
    before = load->total;
    if (use != NULL && use->count > 0) {
        spread_used(w, load, dollars, start, end, line_hours(line), use);
        return true;
    }
    spread_cost(w, load, dollars, start, end, NULL);
    if (end - start > 25 * HOUR_S) /* a day may have 25 hours */
        load->to_month += load->total - before;
    else if (end - start > HOUR_S)
        load->to_day += load->total - before;
    return true;
}

static bool add_hourly_line(void *ctx, const struct ledger_bill *bill,
                            const struct bill_line *line, struct error *err)
{
    struct hourly_work *w = ctx;
    struct dimensions of = {0};
    struct str provider;
    double dollars;

    if (bill->paired && bill->amounts == BILL_BOTH) /* the other has the effective cost */
        return true;
    if (++w->lines % PROGRESS_EVERY == 0 && !account_goes_on(w->account, "charges", w->lines))
        return error_fail(err, ERROR_FAILED, "stopped");
    if (line->of[FOCUS_CommitmentDiscountId].len > 0)
        return add_commitment(w, bill, line, err);
    if (!is_hourly_use(line))
        return true;
    bill_classify(w->classifier, line, &of);
    if (of.of[DIMENSION_instance].len == 0)
        return true;
    provider = coverage_name(&w->coverage, ledger_line_provider(line));
    of.of[DIMENSION_provider] = provider;
    if (str_eq(of.of[DIMENSION_pricing], STR("spot"))) {
        if (!in_dollars(w, bill, day_of(line->start), line->effective, &dollars, err))
            return false;
        w->out->spot += dollars;
        return true;
    }
    return !str_eq(of.of[DIMENSION_pricing], STR("on-demand")) ||
           add_hourly_machine(w, bill, line, &of, err);
}

static bool read_hourly_bills(struct hourly_work *w, const struct allocation_policy *policy,
                              struct error *err)
{
    struct ledger_line_query query = {
        .since = w->query->since, .until = w->query->until, .bill = -1};
    const struct catalog *catalog = account_catalog(w->account, BILL_CLASSIFIER_TABLES, err);
    bool ok;

    if (catalog == NULL)
        return false;
    w->classifier = bill_classifier_open(catalog, policy, w->account->arena, err);
    if (w->classifier == NULL)
        return false;
    ok = ledger_bill_lines(w->account->ledger, &query, add_hourly_line, w, err) &&
         bill_classifier_ok(w->classifier, err);
    bill_classifier_close(w->classifier);
    return ok;
}

/* ---- runs ---- */

static bool add_hourly_run(void *ctx, const struct ledger_charge *c, struct error *err)
{
    struct hourly_work *w = ctx;
    usd cost = c->compute.nano != MONEY_UNKNOWN ? c->compute : c->cost;
    struct hourly_load *load;
    struct dimensions of;
    double before;

    if (c->started.s >= 0 && c->started.s < w->first_run)
        w->first_run = c->started.s;
    if (c->until.s > w->last_run)
        w->last_run = c->until.s;
    if (!run_dimensions_of(&w->runs, c, &of, err))
        return false;
    if (cost.nano == MONEY_UNKNOWN || of.of[DIMENSION_instance].len == 0)
        return true;
    if (str_eq(of.of[DIMENSION_pricing], STR("spot"))) {
        w->out->spot += usd_double(cost);
        return true;
    }
    if (!str_eq(of.of[DIMENSION_pricing], STR("on-demand")))
        return true;
    if (!load_of(w, &of, &load, err))
        return false;
    if (load == NULL) {
        w->out->others += usd_double(cost);
        return true;
    }
    before = load->total;
    spread_cost(w, load, usd_double(cost), c->started.s, c->until.s, &w->coverage);
    load->from_runs += load->total - before;
    w->out->on_demand += load->total - before;
    return true;
}

static bool read_hourly_runs(struct hourly_work *w, const struct allocation_policy *policy,
                             struct error *err)
{
    bool ok;

    run_dimensions_open(&w->runs, w->account, &w->coverage, policy, 0);
    ok = ledger_charges(w->account->ledger, (stamp){w->query->since.n * SECONDS_PER_DAY},
                        (stamp){w->query->until.n * SECONDS_PER_DAY}, add_hourly_run, w, err);
    run_dimensions_close(&w->runs);
    return ok;
}

/* ---- what was observed ---- */

static bool is_hour_observed(const struct hourly_work *w, const struct hourly_load *load,
                             size_t i)
{
    int64_t at = w->out->first.s + (int64_t)i * HOUR_S;

    return load->dollars[i] > 0 ||
           coverage_has(&w->coverage, load->provider, day_of((stamp){at})) ||
           (load->from_runs > 0 && at + HOUR_S > w->first_run && at < w->last_run);
}

static void finish_load(const struct hourly_work *w, struct hourly_load *load)
{
    for (size_t i = 0; i < w->out->hours && !stop_asked(); i++) {
        if (!is_hour_observed(w, load, i)) {
            load->dollars[i] = NAN;
            continue;
        }
        load->observed++;
        load->peak = fmax(load->peak, load->dollars[i]);
    }
    load->mean = load->observed > 0 ? load->total / (double)load->observed : NAN;
    if (!(load->total > 0))
        return;
    load->to_day /= load->total;
    load->to_month /= load->total;
    load->from_runs /= load->total;
}

static int by_hourly_total(const void *a, const void *b)
{
    const struct hourly_load *x = a, *y = b;

    return num_compare(-x->total, -y->total);
}

static double held_cost(const struct hourly_commitment *c)
{
    return c->used + (isnan(c->unused) ? 0 : c->unused);
}

static int by_hourly_cost(const void *a, const void *b)
{
    return num_compare(-held_cost(a), -held_cost(b));
}

static void finish_commitments(struct hourly_use *out)
{
    for (size_t i = 0; i < out->commitment_count; i++) {
        struct hourly_commitment *c = &out->commitments[i];
        double all = c->used + c->unused;

        c->utilization = all > 0 ? c->used / all : NAN;
        c->saved = c->list - all;
    }
    if (out->commitment_count > 1)
        qsort(out->commitments, out->commitment_count, sizeof *out->commitments,
              by_hourly_cost);
}

static bool read_hourly_loads(struct hourly_work *w, struct error *err)
{
    const struct allocation_policy *policy;
    struct ledger *ledger = w->account->ledger;

    return ledger_policy_read(ledger, w->account->arena, &policy, err) &&
           coverage_read(ledger, w->account->arena, &w->coverage, err) &&
           converter_open(w->account, STR("USD"), w->query->since, w->query->until,
                          &w->converter, err) &&
           read_uses(w, err) && read_hourly_bills(w, policy, err) &&
           read_hourly_runs(w, policy, err);
}

bool account_hourly(const struct account_source *account, const struct hourly_query *query,
                    struct hourly_use *out, struct error *err)
{
    struct hourly_work w = {.account = account,
                            .query = query,
                            .out = out,
                            .key = buf_new(account->arena->alloc, KEY_MAX),
                            .loads = map_in_arena(account->arena),
                            .commitments = map_in_arena(account->arena),
                            .uses = map_in_arena(account->arena),
                            .moved = map_in_arena(account->arena),
                            .first_run = INT64_MAX,
                            .last_run = INT64_MIN};
    bool ok;

    w.commitments.most = COMMITMENTS_MAX;
    *out = (struct hourly_use){.first = {query->since.n * SECONDS_PER_DAY},
                               .hours = query->until.n > query->since.n
                                            ? (size_t)(query->until.n - query->since.n) * 24
                                            : 0};
    if (account->ledger == NULL || out->hours == 0)
        return true;
    ok = read_hourly_loads(&w, err);
    buf_free(&w.key);
    for (size_t i = 0; ok && i < out->count; i++)
        finish_load(&w, &out->loads[i]);
    ok = ok && stop_check(err);
    if (ok && out->count > 1)
        qsort(out->loads, out->count, sizeof *out->loads, by_hourly_total);
    if (ok)
        finish_commitments(out);
    out->rates = w.converter.used;
    return ok;
}
