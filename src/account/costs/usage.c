#include "account/costs/usage.h"

#include <math.h>

#include "account/classify/bill_classify.h"
#include "account/policy/ledger_policy.h"
#include "account/query/amount.h"
#include "account/query/charge.h"
#include "account/query/condition.h"
#include "base/map.h"
#include "base/num.h"

#define KEY_MAX ((size_t)1 << 16)
#define PROGRESS_EVERY 65536 /* lines */

struct usage_work {
    const struct account_source *account;
    const struct usage_query *query;
    int period; /* that is being read */
    struct converter converter;
    struct coverage coverage;
    struct run_dimensions runs;
    struct condition *where; /* as many as the query has */
    const struct allocation_policy *policy;
    struct bill_classifier *classifier; /* NULL: no condition asks for it */
    struct buf key;
    struct map row_keys, group_keys; /* numbers are places in the lists */
    struct usage_row *rows;
    size_t count, room;
    struct usage_group *groups;
    int64_t *last_run; /* of each group: the run that was counted last */
    size_t group_count, group_room, run_room;
    uint64_t lines;
};

static bool is_in_period(const struct usage_work *w, day on)
{
    return on.n >= w->query->since[w->period].n && on.n < w->query->until[w->period].n;
}

/* The row of the key that was written to `w->key`; new ones are as `like` says, but for its
 * texts, which are copied. */
static struct usage_row *row_of_key(struct usage_work *w, const struct usage_row *like,
                                    struct error *err)
{
    struct map_entry *e;
    struct usage_row *row;
    bool added;

    if (!buf_ok(&w->key, err))
        return NULL;
    e = map_add(&w->row_keys, buf_text(&w->key), &added, err);
    if (e == NULL || !added)
        return e != NULL ? &w->rows[e - w->row_keys.at] : NULL;
    w->rows = arena_grow(w->account->arena, w->rows, w->count, sizeof *w->rows, &w->room, err);
    if (w->rows == NULL || !str_keep(e->key, w->account->arena, &e->key, err))
        return NULL;
    row = &w->rows[w->count++];
    *row = *like;
    if (!str_keep(like->thing, w->account->arena, &row->thing, err) ||
        !str_keep(like->unit, w->account->arena, &row->unit, err))
        return NULL;
    return row;
}

static bool add_usage_cost(struct usage_work *w, struct usage_row *row, day on,
                           struct decimal cost, struct currency currency, struct error *err)
{
    if (w->query->currency.len > 0 && !converter_apply(&w->converter, on, currency, &cost, err))
        return false;
    return costs_plus(&row->cost[w->period], cost, err);
}

/* ---- runs ---- */

static void put_usage_key_part(struct usage_work *w, struct str text)
{
    buf_add(&w->key, text);
    buf_char(&w->key, '\0');
}

/* "nlp, search"; "runs without a team". */
static bool name_group(struct usage_work *w, const struct dimensions *of, struct str *out,
                       struct error *err)
{
    struct str team = of->of[DIMENSION_team], project = of->of[DIMENSION_project];
    struct buf name = buf_new(w->account->arena->alloc, KEY_MAX);

    if (team.len == 0 && project.len == 0)
        buf_adds(&name, "runs without a team");
    buf_add(&name, team);
    if (team.len > 0 && project.len > 0)
        buf_adds(&name, ", ");
    buf_add(&name, project);
    return buf_keep(&name, w->account->arena, out, err);
}

static bool find_usage_group(struct usage_work *w, const struct dimensions *of, size_t *out,
                             struct error *err)
{
    struct arena *arena = w->account->arena;
    struct map_entry *e;
    bool added;

    buf_clear(&w->key);
    put_usage_key_part(w, of->of[DIMENSION_team]);
    put_usage_key_part(w, of->of[DIMENSION_project]);
    if (!buf_ok(&w->key, err))
        return false;
    e = map_add(&w->group_keys, buf_text(&w->key), &added, err);
    if (e == NULL)
        return false;
    *out = (size_t)(e - w->group_keys.at);
    if (!added)
        return true;
    w->groups =
        arena_grow(arena, w->groups, w->group_count, sizeof *w->groups, &w->group_room, err);
    w->last_run =
        arena_grow(arena, w->last_run, w->group_count, sizeof *w->last_run, &w->run_room, err);
    if (w->groups == NULL || w->last_run == NULL || !str_keep(e->key, arena, &e->key, err))
        return false;
    w->groups[w->group_count] = (struct usage_group){0};
    w->last_run[w->group_count] = -1;
    return name_group(w, of, &w->groups[w->group_count++].name, err);
}

/* By team, project, machine and market. */
static struct usage_row *row_of_run(struct usage_work *w, const struct dimensions *of,
                                    size_t group, struct error *err)
{
    struct str machine = of->of[DIMENSION_instance];
    struct usage_row like = {.kind = USAGE_RUNS,
                             .group = group,
                             .thing = machine.len > 0 ? machine : of->of[DIMENSION_provider],
                             .unit = STR("h")};

    buf_clear(&w->key);
    buf_addf(&w->key, "run %zu", group);
    buf_char(&w->key, '\0');
    put_usage_key_part(w, of->of[DIMENSION_provider]);
    put_usage_key_part(w, of->of[DIMENSION_region]);
    put_usage_key_part(w, of->of[DIMENSION_instance]);
    put_usage_key_part(w, of->of[DIMENSION_pricing]);
    return row_of_key(w, &like, err);
}

/* Seconds of the attempt on a day, of which it is known that it was one of its days. */
static double charge_seconds_on(const struct ledger_charge *c, day on)
{
    int64_t first = on.n * SECONDS_PER_DAY, after = first + SECONDS_PER_DAY;
    int64_t from = c->started.s > first ? c->started.s : first;
    int64_t to = c->until.s < after ? c->until.s : after;

    return to > from ? (double)(to - from) : 0;
}

static bool add_run_day(struct usage_work *w, const struct ledger_charge *c,
                        const struct dimensions *of, day on, int64_t nano, struct error *err)
{
    struct usage_row *row;
    size_t group;

    if (!find_usage_group(w, of, &group, err))
        return false;
    row = row_of_run(w, of, group, err);
    if (row == NULL ||
        !add_usage_cost(w, row, on, (struct decimal){nano, 9}, currency_usd, err))
        return false;
    row->quantity[w->period] += charge_seconds_on(c, on) / 3600 * (double)c->machines;
    w->groups[group].runs[w->period] += w->last_run[group] != c->run;
    w->last_run[group] = c->run;
    return true;
}

/* As account_spending() counts runs: day by day, where no bill does. */
static bool add_usage_run(void *ctx, const struct ledger_charge *c, struct error *err)
{
    struct usage_work *w = ctx;
    struct charge_days days = charge_days_of(c);
    struct dimensions of;
    int64_t nano;
    day on;

    if (!run_dimensions_of(&w->runs, c, &of, err))
        return false;
    if (!conditions_hold(w->where, w->query->where.len, &of))
        return true;
    while (charge_days_next(&days, &on, &nano))
        if (is_in_period(w, on) && nano != MONEY_UNKNOWN &&
            !coverage_has(&w->coverage, of.of[DIMENSION_provider], on) &&
            !add_run_day(w, c, &of, on, nano, err))
            return false;
    return true;
}

static bool read_usage_runs(struct usage_work *w, struct error *err)
{
    uint64_t wanted = DIMENSION_BIT(team) | DIMENSION_BIT(project);
    bool ok;

    for (size_t i = 0; i < w->query->where.len; i++)
        wanted |= UINT64_C(1) << w->where[i].of;
    run_dimensions_open(&w->runs, w->account, &w->coverage, w->policy, wanted);
    ok = ledger_charges(
        w->account->ledger, (stamp){w->query->since[w->period].n * SECONDS_PER_DAY},
        (stamp){w->query->until[w->period].n * SECONDS_PER_DAY}, add_usage_run, w, err);
    run_dimensions_close(&w->runs);
    for (size_t i = 0; i < w->group_count; i++) /* a run of both periods counts in both */
        w->last_run[i] = -1;
    return ok;
}

/* ---- bills ---- */

/* What is priced alike, whatever its price is: the price is often part of a description. */
static struct str sku_of(const struct bill_line *line)
{
    static const int columns[] = {FOCUS_SkuId, FOCUS_SkuMeter, FOCUS_ResourceType,
                                  FOCUS_ChargeDescription};

    for (size_t i = 0; i < ARRAY_LEN(columns); i++)
        if (line->of[columns[i]].len > 0)
            return line->of[columns[i]];
    return (struct str){0};
}

/* 0: it has none. */
static double usage_quantity(const struct bill_line *line, struct str *unit)
{
    static const int columns[][2] = {{FOCUS_PricingQuantity, FOCUS_PricingUnit},
                                     {FOCUS_ConsumedQuantity, FOCUS_ConsumedUnit}};
    double quantity;

    for (size_t i = 0; i < ARRAY_LEN(columns); i++)
        if (num_double(line->of[columns[i][0]], &quantity) && quantity > 0) {
            *unit = line->of[columns[i][1]];
            return quantity;
        }
    return 0;
}

/* What is not marked is use, as most bills are. */
static bool is_usage_line(const struct bill_line *line)
{
    struct str charge = line->of[FOCUS_ChargeCategory];

    return charge.len == 0 || str_eq_nocase(charge, STR("Usage"));
}

static bool is_credit_line(const struct bill_line *line)
{
    struct str charge = line->of[FOCUS_ChargeCategory];

    return str_eq_nocase(charge, STR("Credit")) || str_eq_nocase(charge, STR("Adjustment"));
}

static bool is_wanted_line(const struct usage_work *w, const struct bill_line *line)
{
    struct dimensions of = {0};

    if (w->classifier == NULL)
        return true;
    bill_classify(w->classifier, line, &of);
    return conditions_hold(w->where, w->query->where.len, &of);
}

static bool add_usage_line(void *ctx, const struct ledger_bill *bill,
                           const struct bill_line *line, struct error *err)
{
    struct usage_work *w = ctx;
    struct usage_row like = {0}, *row;
    struct str service = line->of[FOCUS_ServiceName], sku = sku_of(line);
    double quantity;

    if (bill->paired && bill->amounts == BILL_BOTH) /* the other has the effective cost */
        return true;
    if (++w->lines % PROGRESS_EVERY == 0 && !account_goes_on(w->account, "charges", w->lines))
        return error_fail(err, ERROR_FAILED, "stopped");
    if (!is_wanted_line(w, line))
        return true;
    like.kind = is_credit_line(line)  ? USAGE_CREDIT
                : is_usage_line(line) ? USAGE_CHARGE
                                      : USAGE_FIXED;
    quantity = like.kind == USAGE_CHARGE ? usage_quantity(line, &like.unit) : 0;
    like.thing = service.len > 0 ? service : sku;
    buf_clear(&w->key);
    buf_addf(&w->key, "bill %d", (int)like.kind);
    buf_char(&w->key, '\0');
    put_usage_key_part(w, ledger_line_provider(line));
    put_usage_key_part(w, service);
    put_usage_key_part(w, sku);
    put_usage_key_part(w, line->of[FOCUS_RegionId]);
    put_usage_key_part(w, line->of[FOCUS_PricingCategory]);
    put_usage_key_part(w, like.unit);
    row = row_of_key(w, &like, err);
    if (row == NULL || !add_usage_cost(w, row, day_of(line->start), line->effective,
                                       currency_from(bill->currency), err))
        return false;
    row->quantity[w->period] += quantity;
    return true;
}

static bool read_usage_lines(struct usage_work *w, struct error *err)
{
    struct ledger_line_query query = {
        .since = w->query->since[w->period], .until = w->query->until[w->period], .bill = -1};

    return ledger_bill_lines(w->account->ledger, &query, add_usage_line, w, err);
}

/* ---- all of it ---- */

/* Lines are only classified again where a condition asks for it. */
static bool open_conditions(struct usage_work *w, struct error *err)
{
    const struct account_source *account = w->account;
    const struct catalog *catalog;

    if (!conditions_parse(w->query->where, account->arena, &w->where, err) ||
        !ledger_policy_read(account->ledger, account->arena, &w->policy, err))
        return false;
    if (w->query->where.len == 0)
        return true;
    catalog = account_catalog(account, BILL_CLASSIFIER_TABLES, err);
    if (catalog == NULL)
        return false;
    w->classifier = bill_classifier_open(catalog, w->policy, account->arena, err);
    return w->classifier != NULL;
}

static bool read_usage_period(struct usage_work *w, struct error *err)
{
    return converter_open(w->account, w->query->currency, w->query->since[w->period],
                          w->query->until[w->period], &w->converter, err) &&
           read_usage_lines(w, err) && read_usage_runs(w, err);
}

bool account_usage(const struct account_source *account, const struct usage_query *query,
                   struct usage *out, struct error *err)
{
    struct usage_work w = {.account = account,
                           .query = query,
                           .key = buf_new(account->arena->alloc, KEY_MAX),
                           .row_keys = map_in_arena(account->arena),
                           .group_keys = map_in_arena(account->arena)};
    bool ok;

    *out = (struct usage){0};
    if (account->ledger == NULL)
        return true;
    ok = coverage_read(account->ledger, account->arena, &w.coverage, err) &&
         open_conditions(&w, err);
    for (; ok && w.period < USAGE_PERIODS; w.period++)
        ok = read_usage_period(&w, err);
    ok = ok && (w.classifier == NULL || bill_classifier_ok(w.classifier, err));
    bill_classifier_close(w.classifier);
    buf_free(&w.key);
    *out = (struct usage){w.rows, w.count, w.groups, w.group_count};
    return ok;
}

static bool usage_period_spent(const struct account_source *account,
                               const struct usage_query *asked, uint64_t by, int period,
                               struct spending_answer *spent, struct decimal *recorded,
                               struct error *err)
{
    struct spending_query query = {.since = asked->since[period],
                                   .until = asked->until[period],
                                   .by = by,
                                   .where = asked->where,
                                   .currency = asked->currency,
                                   .quiet = true};
    struct spending_answer raw;

    if (!account_spending(account, &query, spent, err))
        return false;
    query.by = 0;
    query.raw = true;
    if (!account_spending(account, &query, &raw, err))
        return false;
    for (size_t i = 0; i < raw.count; i++)
        if (!costs_plus(recorded, raw.at[i].amount, err))
            return false;
    return true;
}

bool account_usage_spent(const struct account_source *account, const struct usage_query *query,
                         uint64_t by, struct spending_answer spent[static USAGE_PERIODS],
                         struct decimal recorded[static USAGE_PERIODS], struct error *err)
{
    for (int p = 0; p < USAGE_PERIODS; p++)
        if (!usage_period_spent(account, query, by, p, &spent[p], &recorded[p], err))
            return false;
    return true;
}
