/* Bills, and what runs cost that no bill covers, as one account.
 *
 * Each amount goes the same way: past the conditions, into the currency that was asked for,
 * into the sums. Where a policy splits costs, they are first summed by everything that it
 * depends on, for complete months: a share of a day depends on the month, never on which days
 * were asked for.
 */
#include "account/query/spending.h"

#include "account/policy/ledger_policy.h"
#include "account/query/charges.h"
#include "account/query/condition.h"
#include "account/query/sums.h"

struct spending_work {
    const struct account_source *account;
    const struct spending_query *query;
    struct condition *where;
    uint64_t needed;         /* dimensions: asked for, or in a condition */
    enum ledger_grain grain; /* that amounts come in */
    day since, until;        /* that are read: complete months where costs are shared */
    struct converter converter;
    const struct ledger_bill *bills;
    size_t bill_count;
    struct coverage coverage;
    const struct allocation_policy *policy;
    bool splits;                   /* amounts are recorded first, then split */
    struct spending_sums recorded; /* by everything that the policy depends on */
    struct spending_sums sums;
    struct spending_sums on;        /* where days are asked for: of each day */
    bool any;                       /* amount at all, wanted or not */
    int64_t unpriced, unpriced_run; /* and the last run that was counted */
};

/* Is there anything to convert? Amounts of a day need the day's rate. */
static bool converts(const struct spending_work *w)
{
    struct str to = w->query->currency;

    if (to.len == 0)
        return false;
    if (w->query->from != SPENDING_BILLS && !str_eq_nocase(to, STR("USD")))
        return true;
    for (size_t i = 0; i < w->bill_count; i++)
        if (!str_eq_nocase(to, w->bills[i].currency))
            return true;
    for (size_t i = 0; w->splits && i < w->policy->recurring_count; i++)
        if (!currency_is(currency_from(to), w->policy->recurring[i].cost.currency))
            return true;
    return false;
}

static bool in_query_range(const struct spending_query *q, day on)
{
    return (q->since.n == DAY_UNKNOWN.n || on.n >= q->since.n) &&
           (q->until.n == DAY_UNKNOWN.n || on.n < q->until.n);
}

static bool is_credit_entry(const struct spending_entry *e)
{
    struct str charge = e->of->of[DIMENSION_charge];

    return str_eq_nocase(charge, STR("Credit")) || str_eq_nocase(charge, STR("Adjustment"));
}

static bool is_asked_for(const struct spending_query *q, const struct spending_entry *e)
{
    return (q->only == NULL || q->only(q->only_ctx, e->of)) &&
           (!q->recurring || e->how.recurring.len > 0);
}

/* Into the sums, when it is wanted: what is not needs no rate. */
static bool sum_wanted(struct spending_work *w, struct spending_entry *e, struct error *err)
{
    if (w->grain == GRAIN_DAY && !in_query_range(w->query, e->from))
        return true;
    w->any = true;
    if (!conditions_hold(w->where, w->query->where.len, e->of) || !is_asked_for(w->query, e) ||
        (w->query->credits != CREDITS_IN &&
         is_credit_entry(e) != (w->query->credits == CREDITS_ONLY)))
        return true;
    if (w->query->currency.len > 0) {
        if (!converter_apply(&w->converter, e->from, e->currency, &e->amount, err) ||
            !converter_apply(&w->converter, e->from, e->currency, &e->metered, err))
            return false;
        e->currency = w->converter.to;
    }
    return spending_sums_add(&w->sums, e, err) &&
           (!w->query->days || spending_sums_add(&w->on, e, err));
}

static bool record_amount(struct spending_work *w, struct spending_entry *e, struct error *err)
{
    return w->splits ? spending_sums_add(&w->recorded, e, err) : sum_wanted(w, e, err);
}

/* ---- bills ---- */

static struct decimal spending_amount(const struct ledger_cost *cost, enum spending_cost which)
{
    switch (which) {
    case COST_BILLED:
        return cost->billed;
    case COST_LIST:
        return cost->list;
    case COST_CONTRACTED:
        return cost->contracted;
    case COST_EFFECTIVE:
    default:
        return cost->effective;
    }
}

static bool record_cost(void *ctx, const struct ledger_cost *cost, struct error *err)
{
    struct spending_work *w = ctx;
    struct spending_entry e = {.from = cost->from,
                               .of = &cost->of,
                               .amount = spending_amount(cost, w->query->cost),
                               .currency = cost->currency,
                               .lines = cost->lines,
                               .run = -1};

    return record_amount(w, &e, err);
}

static bool read_spending_bills(struct spending_work *w, struct error *err)
{
    static const unsigned amounts[] = {[COST_EFFECTIVE] = 1u << AMOUNT_EFFECTIVE,
                                       [COST_BILLED] = 1u << AMOUNT_BILLED,
                                       [COST_LIST] = 1u << AMOUNT_LIST,
                                       [COST_CONTRACTED] = 1u << AMOUNT_CONTRACTED};
    struct ledger_cost_query query = {.since = w->since,
                                      .until = w->until,
                                      .grain = w->grain,
                                      .by = w->needed,
                                      .amounts = amounts[w->query->cost]};

    if (!w->splits) { /* shares depend on all costs */
        query.only = w->query->only;
        query.only_ctx = w->query->only_ctx;
    }

    return w->query->from == SPENDING_RUNS ||
           ledger_costs(w->account->ledger, &query, record_cost, w, err);
}

/* ---- runs ---- */

static void count_unpriced(struct spending_work *w, const struct ledger_charge *charge,
                           const struct dimensions *of, day on)
{
    /* One that has just begun has reported nothing yet. */
    bool begun = str_eq(charge->state, STR("running")) && charge->elapsed.ns < 0;

    if (begun || w->unpriced_run == charge->run || !in_query_range(w->query, on) ||
        !conditions_hold(w->where, w->query->where.len, of))
        return;
    w->unpriced_run = charge->run;
    w->unpriced++;
}

static bool is_day_read(const struct spending_work *w, day on)
{
    return (w->since.n == DAY_UNKNOWN.n || on.n >= w->since.n) &&
           (w->until.n == DAY_UNKNOWN.n || on.n < w->until.n);
}

/* Runs that are split are recorded by the day, and a run of many days is one: it is counted as
 * it is read. What a rule shares out is of no run any more. */
static bool count_spending_run(struct spending_work *w, const struct spending_entry *e,
                               struct error *err)
{
    struct spending_entry counted = {
        .from = e->from, .of = e->of, .currency = e->currency, .run = e->run};

    for (size_t i = 0; !w->query->unsplit && i < w->policy->shared_count; i++)
        if (policy_shared_matches(w->policy, i, e->of))
            return true;
    return sum_wanted(w, &counted, err);
}

static bool record_charge(void *ctx, const struct ledger_charge *charge,
                          const struct dimensions *of, struct error *err)
{
    struct spending_work *w = ctx;
    struct charge_days days = charge_days_of(charge);
    int64_t nano;
    day on;

    while (charge_days_next(&days, &on, &nano)) {
        bool billed;
        struct spending_entry e = {
            .from = on, .of = of, .currency = {"USD"}, .run = charge->run};

        if (!is_day_read(w, on))
            continue;
        billed = coverage_has(&w->coverage, of->of[DIMENSION_provider], on);
        if (billed && w->query->from != SPENDING_RUNS)
            continue;
        if (nano == MONEY_UNKNOWN) {
            count_unpriced(w, charge, of, on);
            continue;
        }
        e.amount = (struct decimal){nano, 9};
        if (!billed)
            e.metered = e.amount;
        if ((w->splits && !count_spending_run(w, &e, err)) || !record_amount(w, &e, err))
            return false;
    }
    return true;
}

static stamp day_to_stamp(day on)
{
    return (stamp){on.n == DAY_UNKNOWN.n ? -1 : on.n * SECONDS_PER_DAY};
}

static bool read_spending_runs(struct spending_work *w, struct error *err)
{
    const struct charge_question asked = {.coverage = &w->coverage,
                                          .wanted = w->needed,
                                          .since = day_to_stamp(w->since),
                                          .until = day_to_stamp(w->until)};

    return w->query->from == SPENDING_BILLS ||
           account_charges(w->account, &asked, record_charge, w, err);
}

/* ---- shared and recurring costs ---- */

/* An amount that is not shared has its lines (its runs are counted as they are read, but for
 * what a rule would have shared); shares of others have an amount alone. */
static bool sum_share(struct spending_work *w, const struct share *share, struct error *err)
{
    const struct spending *row = share->of_row;
    struct spending_entry e = {.from = share->on,
                               .of = &share->of,
                               .amount = share->amount,
                               .currency = share->currency,
                               .run = -1,
                               .how = {share->shared_by, share->recurring, share->kept_by}};

    if (share->metered)
        e.metered = share->amount;
    if (share->shared_by.len == 0 && row != NULL) {
        e.lines = share->metered ? 0 : row->lines;
        e.runs = share->kept_by.len > 0 && share->metered ? row->runs : 0;
    }
    return sum_wanted(w, &e, err);
}

/* What bills have of a row, and what runs have that no bill covers, go apart: so it stays known
 * of every part which of the two it is. Returns how many there are, 1 or 2. */
static size_t put_spending_row(const struct spending *row, struct share out[static 2],
                               struct error *err)
{
    struct share share = {
        .of = row->of, .on = row->from, .currency = row->currency, .of_row = row};
    struct decimal less = {-row->metered.coefficient, row->metered.scale};
    size_t n = 0;

    if (!decimal_add(row->amount, less, &share.amount)) {
        error_set(err, ERROR_INPUT, "the costs in %s do not fit in 38 digits",
                  row->currency.code);
        return 0;
    }
    if (row->lines > 0 || share.amount.coefficient != 0)
        out[n++] = share;
    if (row->runs > 0 || row->metered.coefficient != 0 || n == 0) {
        share.amount = row->metered;
        share.metered = true;
        out[n++] = share;
    }
    return n;
}

static bool split_rows(struct spending_work *w, const struct split_days *days,
                       const struct spending *rows, size_t count, struct arena *arena,
                       struct error *err)
{
    struct share *in = arena_array(arena, struct share, 2 * count, err);
    struct share_list out;
    size_t n = 0;

    if (in == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        size_t parts = put_spending_row(&rows[i], &in[n], err);

        if (parts == 0)
            return false;
        n += parts;
    }
    if (!policy_split(w->policy, (struct share_list){in, n}, days, arena, &out, err))
        return false;
    for (size_t i = 0; i < out.count; i++)
        if (!sum_share(w, &out.at[i], err))
            return false;
    return true;
}

/* There are many more shares than recorded amounts, and they are needed only until they are
 * summed. */
static bool split_month(struct spending_work *w, const struct split_days *days,
                        const struct spending *rows, size_t count, struct error *err)
{
    struct arena arena = {.alloc = w->account->arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    bool ok = split_rows(w, days, rows, count, &arena, err);

    arena_free(&arena);
    return ok;
}

/* The first day of what was recorded, or of a recurring cost. */
static day first_spending_day(const struct spending_work *w)
{
    day first = {INT32_MAX};

    if (w->since.n != DAY_UNKNOWN.n)
        return w->since;
    if (w->recorded.count > 0)
        first = w->recorded.at[0].from;
    for (size_t i = 0; i < w->policy->recurring_count; i++) {
        day from = w->policy->recurring[i].from;

        if (from.n != DAY_UNKNOWN.n && from.n < first.n)
            first = from;
    }
    return first;
}

/* Month by month as the policy says, with its recurring costs up to today. */
static bool split_recorded(struct spending_work *w, struct error *err)
{
    const struct spending_sums *recorded = &w->recorded;
    struct split_days days = {.each = w->grain == GRAIN_DAY, .unsplit = w->query->unsplit};
    day today = w->account->today;
    size_t at = 0;

    spending_sums_sort(&w->recorded);
    days.since = first_spending_day(w);
    while (days.since.n < today.n + 1 || at < recorded->count) {
        day next = day_month_add(days.since, 1);
        size_t count = 0;

        if (w->until.n != DAY_UNKNOWN.n && days.since.n >= w->until.n)
            break;
        days.until = next.n <= today.n ? next : (day){today.n + 1};
        if (w->until.n != DAY_UNKNOWN.n && days.until.n > w->until.n)
            days.until = w->until;
        while (at + count < recorded->count && recorded->at[at + count].from.n < next.n)
            count++;
        if (!split_month(w, &days, recorded->at + at, count, err))
            return false;
        at += count;
        days.since = next;
    }
    return true;
}

/* ---- the query ---- */

/* Complete months, where costs are shared. */
static void widen_to_months(struct spending_work *w)
{
    if (w->since.n != DAY_UNKNOWN.n)
        w->since = day_month_add(w->since, 0);
    if (w->until.n != DAY_UNKNOWN.n)
        w->until = day_month_add((day){w->until.n - 1}, 1);
}

/* The policy is applied here and nowhere else: its rules to runs as they are read (bills have
 * them since their import), its splits and recurring costs to everything that was recorded.
 * Bills alone, or runs alone, are as they were recorded. */
static bool prepare_policy(struct spending_work *w, struct error *err)
{
    const struct spending_query *q = w->query;

    if (!ledger_policy_read(w->account->ledger, w->account->arena, &w->policy, err))
        return false;
    w->splits = (q->how || (!q->raw && q->from == SPENDING_ALL)) && w->policy != NULL &&
                w->policy->shared_count + w->policy->recurring_count > 0;
    if (!w->splits || q->unsplit)
        return true;
    w->needed |= policy_split_by(w->policy);
    if (w->policy->shared_count > 0)
        widen_to_months(w);
    return true;
}

/* Amounts of days where days matter: for a rate, or because some of a month are not asked for.
 * Shares are of months else: a month's do not change with the next. */
static enum ledger_grain spending_grain(const struct spending_work *w)
{
    const struct spending_query *q = w->query;

    if (q->grain == GRAIN_DAY || q->days || converts(w) ||
        (w->splits && (w->since.n != q->since.n || w->until.n != q->until.n)))
        return GRAIN_DAY;
    return w->splits ? GRAIN_MONTH : q->grain;
}

static bool prepare_spending(struct spending_work *w, struct error *err)
{
    const struct spending_query *q = w->query;
    struct arena *arena = w->account->arena;

    if (!conditions_parse(q->where, arena, &w->where, err) ||
        !ledger_bills(w->account->ledger, arena, &w->bills, &w->bill_count, err) ||
        !coverage_make(w->bills, w->bill_count, arena, &w->coverage, err) ||
        !converter_open(w->account, q->currency, q->since, q->until, &w->converter, err))
        return false;
    w->needed = q->by;
    for (size_t i = 0; i < q->where.len; i++)
        w->needed |= UINT64_C(1) << w->where[i].of;
    if (q->credits != CREDITS_IN)
        w->needed |= DIMENSION_BIT(charge);
    w->since = q->since;
    w->until = q->until;
    if (!prepare_policy(w, err))
        return false;
    w->grain = spending_grain(w);
    w->recorded = (struct spending_sums){.arena = arena, .by = w->needed, .grain = w->grain};
    w->sums = (struct spending_sums){
        .arena = arena, .by = q->by, .how = q->how, .grain = q->grain, .period = q->period};
    w->sums.days = q->days;
    w->on = (struct spending_sums){.arena = arena, .grain = GRAIN_DAY};
    w->unpriced_run = -1;
    return true;
}

static void warn(const struct spending_work *w)
{
    const struct spending_query *q = w->query;
    const struct messages *to = &w->account->messages;
    bool ever = q->since.n == DAY_UNKNOWN.n && q->until.n == DAY_UNKNOWN.n;

    if (w->any)
        conditions_warn(w->where, q->where.len, ever, to);
    rates_used_warn(&w->converter.used, to);
    spending_sums_warn(&w->sums, to);
}

/* For --log: what was read and applied. */
static void log_spending(const struct spending_work *w, instant began)
{
    const struct log *log = w->account->messages.log;
    struct buf days;

    if (log == NULL || log->level < LOG_DEBUG)
        return;
    days = buf_new(w->account->arena->alloc, 64);
    if (w->since.n != DAY_UNKNOWN.n) {
        buf_adds(&days, " from ");
        day_write(w->since, &days);
    }
    if (w->until.n != DAY_UNKNOWN.n) {
        buf_adds(&days, " until ");
        day_write(w->until, &days);
    }
    log_write(log, LOG_DEBUG,
              "spending: %zu bills, days%.*s; policy: %zu rules, %zu shared and %zu recurring "
              "costs; %zu sums (%.1f ms)",
              w->bill_count, days.len > 0 ? (int)days.len : 4, days.len > 0 ? days.at : " any",
              w->policy != NULL ? w->policy->rule_count : 0,
              w->policy != NULL ? w->policy->shared_count : 0,
              w->policy != NULL ? w->policy->recurring_count : 0, w->sums.count,
              (double)span_between(began, clock_paid()).ns / 1e6);
    buf_free(&days);
}

bool account_spending(const struct account_source *account, const struct spending_query *query,
                      struct spending_answer *out, struct error *err)
{
    struct spending_work w = {.account = account, .query = query};
    instant began = clock_paid();
    bool ok;

    *out = (struct spending_answer){.billed_until = DAY_UNKNOWN,
                                    .rates = {.from = DAY_UNKNOWN, .to = DAY_UNKNOWN}};
    if (account->ledger == NULL)
        return conditions_parse(query->where, account->arena, &w.where, err);
    /* All of one moment: a bill imported between the two readings would count besides its runs,
     * or its runs would be left out before it is there. */
    if (!ledger_hold(account->ledger, err))
        return false;
    ok = prepare_spending(&w, err) && read_spending_bills(&w, err) &&
         read_spending_runs(&w, err);
    ledger_release(account->ledger);
    if (!ok || (w.splits && !split_recorded(&w, err)))
        return false;
    spending_sums_sort(&w.sums);
    spending_sums_sort(&w.on);
    if (!query->quiet)
        warn(&w);
    log_spending(&w, began);
    *out = (struct spending_answer){.at = w.sums.at,
                                    .count = w.sums.count,
                                    .unpriced = w.unpriced,
                                    .billed_until = coverage_last(&w.coverage),
                                    .rates = w.converter.used,
                                    .on = w.on.at,
                                    .on_count = w.on.count};
    return true;
}

bool account_billed_until(const struct account_source *account, day *out, struct error *err)
{
    struct coverage coverage;

    if (!coverage_read(account->ledger, account->arena, &coverage, err))
        return false;
    *out = coverage_last(&coverage);
    return true;
}

static const struct field day_fields[] = {
    FIELD_AS("day", DAY, spending, from, .help = "day in UTC"),
    FIELD(CURRENCY, spending, currency, .help = "currency of the amounts"),
    FIELD(DECIMAL, spending, amount, .help = "exact effective cost"),
    FIELD(DECIMAL, spending, metered, .help = "part that no bill covers"),
    FIELD(COUNT, spending, lines, .help = "bill lines"),
    FIELD(COUNT, spending, runs, .help = "runs included"),
#define DIMENSION_FIELD(label, words) \
    FIELD_AS(#label, TEXT, spending, of.of[DIMENSION_##label], .help = (words)),
    DIMENSIONS(DIMENSION_FIELD)
#undef DIMENSION_FIELD
};

const struct field_set spending_day_fields = FIELD_SET(struct spending, day_fields);
