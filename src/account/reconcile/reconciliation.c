#include "account/reconcile/reconciliation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "account/reconcile/internal.h"
#include "base/characters.h"

#define CURRENCIES 16
#define COVERED 0.95 /* of a run's time, for its bill and its meter to be compared */
#define ID_MAX ((size_t)1 << 20)

/* ---- fields ---- */

static const struct field sums_fields[] = {
    FIELD(CURRENCY, reconcile_sums, currency, .help = "currency of the amounts"),
    FIELD(DECIMAL, reconcile_sums, billed, .help = "effective cost of all lines, exact"),
    FIELD(DECIMAL, reconcile_sums, matched, .help = "part used by runs"),
    FIELD(DECIMAL, reconcile_sums, idle, .help = "cost of machines between runs"),
    FIELD(DECIMAL, reconcile_sums, untracked, .help = "cost of machines without any run"),
    FIELD(DECIMAL, reconcile_sums, other,
          .help = "cost other than machines: storage, tax, credits"),
};

static const struct field_set sums_set = FIELD_SET(struct reconcile_sums, sums_fields);

static const struct field day_fields[] = {
    FIELD(DAY, reconcile_day, day, .help = "day in UTC"),
    FIELD(RECORD, reconcile_day, sums, .row = &sums_set, .help = "sums of the bills"),
    FIELD(USD, reconcile_day, metered, .help = "metered cost of runs"),
    FIELD(USD, reconcile_day, estimated_only,
          .help = "part of the metered cost without a bill line"),
};

static const struct field_set day_set = FIELD_SET(struct reconcile_day, day_fields);

#define RESOURCE(kind, member, text) FIELD(kind, reconcile_resource, member, .help = (text))
#define MACHINE(member, text) \
    FIELD_AS(#member, TEXT, reconcile_resource, machine.member, .empty_unknown = true, \
             .help = (text))

static const struct field resource_fields[] = {
    MACHINE(resource, "resource as the bill names it"),
    MACHINE(name, "resource name as the bill has it"),
    MACHINE(provider, "provider that bills it"),
    MACHINE(region, "region, as the provider names it"),
    MACHINE(instance, "machine type"),
    RESOURCE(CURRENCY, currency, "currency of the amounts"),
    RESOURCE(DECIMAL, billed, "exact effective cost"),
    RESOURCE(DECIMAL, matched, "part used by runs"),
    RESOURCE(DECIMAL, rest, "idle cost, or untracked cost when no run used it"),
    RESOURCE(NUMBER, hours, "billed hours"),
    RESOURCE(NUMBER, run_hours, "hours used by runs"),
    RESOURCE(COUNT, runs, "attempts that used it"),
};

static const struct field_set resource_set =
    FIELD_SET(struct reconcile_resource, resource_fields);

#define RUN(kind, member, text) FIELD(kind, reconcile_run, member, .help = (text))

static const struct field run_fields[] = {
    FIELD(TEXT, reconcile_run, id, .empty_unknown = true, .help = "run ID"),
    FIELD(TEXT, reconcile_run, name, .empty_unknown = true, .help = "run name"),
    RUN(TIME, started, "start time in UTC"),
    FIELD_AS("matched_by", ENUM, reconcile_run, how, FIELD_NAMES(reconcile_how_names),
             .help = "basis of the match"),
    FIELD(TEXT, reconcile_run, machine, .empty_unknown = true,
          .help = "machine as the bill names it; the first of several"),
    RUN(COUNT, machines, "matched machines"),
    RUN(USD, estimated, "estimate before the start"),
    RUN(USD, metered, "cost metered during the run"),
    RUN(DECIMAL, billed, "exact billed cost; null: no line was found"),
    RUN(CURRENCY, currency, "currency of the billed cost"),
    FIELD_AS("difference", NUMBER, reconcile_run, off,
             .help = "relative difference: billed / metered - 1"),
    RUN(NUMBER, covered, "share of its time that was billed"),
    FIELD(ENUM, reconcile_run, reason, FIELD_NAMES(reconcile_why_names),
          .help = "reason why no machine matched"),
};

static const struct field_set run_set = FIELD_SET(struct reconcile_run, run_fields);

static const struct field fields[] = {
    FIELD(LIST, reconciliation, sums, .row = &sums_set, .help = "sums, one for each currency"),
    FIELD(LIST, reconciliation, days, .row = &day_set, .help = "days, oldest first"),
    FIELD(LIST, reconciliation, resources, .row = &resource_set,
          .help = "resources, the largest unmatched amount first"),
    FIELD(LIST, reconciliation, runs, .row = &run_set, .help = "runs, newest first"),
    FIELD(LIST, reconciliation, extras, .row = &reconcile_extra_fields,
          .help = "charges other than machines: traffic, addresses, volumes, ..."),
    FIELD(USD, reconciliation, metered, .help = "metered cost of runs"),
    FIELD(USD, reconciliation, estimated_only,
          .help = "part of the metered cost without a bill line"),
    FIELD(COUNT, reconciliation, run_count, .help = "runs in the period"),
    FIELD(COUNT, reconciliation, matched_runs, .help = "runs with bill lines"),
    FIELD(COUNT, reconciliation, unpriced, .help = "runs without a known cost"),
    FIELD(DAY, reconciliation, first, .help = "first day of the bill lines"),
    FIELD(DAY, reconciliation, last, .help = "last day of the bill lines"),
    FIELD(FLAG, reconciliation, no_bills, .help = "no bill was imported for the period"),
};

const struct field_set reconciliation_fields = FIELD_SET(struct reconciliation, fields);

/* ---- amounts and days ---- */

static bool in_reconciled_range(const struct reconciler *r, day on)
{
    return (r->since.n == DAY_UNKNOWN.n || on.n >= r->since.n) &&
           (r->until.n == DAY_UNKNOWN.n || on.n < r->until.n);
}

struct reconcile_day *reconcile_day_of(struct reconciler *r, day on, struct currency currency,
                                       struct error *err)
{
    char key[8];
    struct map_entry *e;
    struct reconcile_day *d;
    bool added;

    memcpy(key, &on.n, 4);
    memcpy(key + 4, currency.code, sizeof currency.code);
    e = map_add(&r->day_keys, (struct str){key, sizeof key}, &added, err);
    if (e == NULL)
        return NULL;
    if (!added)
        return &r->days[e - r->day_keys.at];
    e->key.at = str_dup(e->key, r->scratch, err);
    r->days =
        arena_grow(r->account->arena, r->days, r->day_count, sizeof *d, &r->day_room, err);
    if (e->key.at == NULL || r->days == NULL)
        return NULL;
    d = &r->days[r->day_count++];
    *d = (struct reconcile_day){.day = on, .sums.currency = currency};
    return d;
}

/* ---- bills and attempts ---- */

static bool read_reconcile_line(void *ctx, const struct ledger_bill *bill,
                                const struct bill_line *line, struct error *err)
{
    struct reconciler *r = ctx;

    /* The amortized bill of the pair has the effective cost of both. */
    if (bill->paired && bill->amounts == BILL_BOTH)
        return true;
    return reconcile_line(r, bill, line, err);
}

static stamp start_or_otherwise(day on, stamp otherwise)
{
    return on.n == DAY_UNKNOWN.n ? otherwise : (stamp){on.n * SECONDS_PER_DAY};
}

/* The part of it within the days that are asked for: when, and what it cost. False when there
 * is none. */
static bool clip_attempt(const struct reconciler *r, const struct ledger_charge *c,
                         struct reconcile_attempt *a, struct attempt_money *m)
{
    struct charge_days days = charge_days_of(c);
    stamp first = start_or_otherwise(r->since, c->started),
          last = start_or_otherwise(r->until, c->until);
    int64_t nano;
    day on;

    a->from = (stamp){days.started > first.s ? days.started : first.s};
    a->to = (stamp){days.until};
    if (r->until.n != DAY_UNKNOWN.n && last.s < a->to.s)
        a->to = last;
    m->metered = c->cost.nano == MONEY_UNKNOWN ? USD_UNKNOWN : (usd){0};
    while (charge_days_next(&days, &on, &nano))
        if (in_reconciled_range(r, on))
            m->metered = usd_add(m->metered, (usd){nano});
    return a->to.s > a->from.s;
}

static bool add_reconcile_attempt(struct reconciler *r, const struct reconcile_attempt *attempt,
                                  const struct attempt_money *money, struct error *err)
{
    size_t n = r->attempt_count;
    struct reconcile_attempt *a;
    struct str *texts[7];

    r->attempts = arena_grow(r->scratch, r->attempts, n, sizeof *a, &r->attempt_room, err);
    if (r->attempts == NULL)
        return false;
    r->money = arena_grow(r->scratch, r->money, n, sizeof *r->money, &r->money_room, err);
    if (r->money == NULL)
        return false;
    a = &r->attempts[n];
    *a = *attempt;
    texts[0] = &a->run;
    texts[1] = &a->name;
    texts[2] = &a->resource;
    texts[3] = &a->host;
    texts[4] = &a->region;
    texts[5] = &a->provider;
    texts[6] = &a->instance;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        if ((texts[i]->at = str_dup(*texts[i], r->account->arena, err)) == NULL)
            return false;
    r->money[r->attempt_count++] = *money;
    return true;
}

static bool read_charge(void *ctx, const struct ledger_charge *c, struct error *err)
{
    struct reconciler *r = ctx;
    struct reconcile_attempt attempt = {.run = c->id,
                                        .name = c->name,
                                        .resource = c->machine,
                                        .host = c->host,
                                        .count = c->machines};
    struct attempt_money money = {
        .run = c->run,
        .estimated = c->estimated,
        .charge = {.started = c->started, .until = c->until, .cost = c->cost}};
    struct dimensions of;

    if (!clip_attempt(r, c, &attempt, &money))
        return true;
    if (!run_dimensions_of(&r->dimensions, c, &of, err))
        return false;
    if (c->offer.len > 0) { /* else it is unknown whose machine it was */
        attempt.provider = of.of[DIMENSION_provider];
        attempt.region = of.of[DIMENSION_region];
        attempt.instance = of.of[DIMENSION_instance];
        attempt.market = reconcile_market_of(of.of[DIMENSION_pricing]);
    }
    return add_reconcile_attempt(r, &attempt, &money, err);
}

static bool read_reconcile_ledger(struct reconciler *r, struct error *err)
{
    static const uint64_t wanted = DIMENSION_BIT(provider) | DIMENSION_BIT(instance) |
                                   DIMENSION_BIT(region) | DIMENSION_BIT(pricing);
    struct ledger_line_query query = {.since = r->since, .until = r->until, .bill = -1};
    struct ledger *ledger = r->account->ledger;
    bool ok;

    run_dimensions_open(&r->dimensions, r->account, &r->coverage, NULL, wanted);
    ok = ledger_bill_lines(ledger, &query, read_reconcile_line, r, err) &&
         ledger_charges(ledger, start_or_otherwise(r->since, (stamp){-1}),
                        start_or_otherwise(r->until, (stamp){-1}), read_charge, r, err);
    run_dimensions_close(&r->dimensions);
    return ok;
}

/* ---- days and sums ---- */

static bool count_users(struct reconciler *r, struct error *err)
{
    r->users = arena_array(r->scratch, int64_t, r->machine_count, err);
    for (size_t i = 0; r->users != NULL && i < r->attempt_count; i++)
        for (size_t k = 0; k < r->attempts[i].machine_count; k++)
            r->users[r->attempts[i].machines[k]]++;
    return r->users != NULL;
}

static bool add_cells_to_days(struct reconciler *r, struct error *err)
{
    for (size_t i = 0; i < r->cell_count; i++) {
        const struct reconcile_cell *c = &r->cells[i];
        struct reconcile_day *d = reconcile_day_of(r, c->on, c->currency, err);
        struct decimal rest;

        if (d == NULL || !costs_minus(c->cost, c->matched, &rest, err) ||
            !costs_plus(&d->sums.matched, c->matched, err) ||
            !costs_plus(r->users[c->machine] > 0 ? &d->sums.idle : &d->sums.untracked, rest,
                        err))
            return false;
    }
    return true;
}

/* Was the machine of an attempt billed on the day? */
static bool was_billed(const struct reconciler *r, const struct reconcile_attempt *a, day on)
{
    for (size_t i = 0; i < a->machine_count; i++) {
        size_t at = reconcile_cell_at(r->cells, r->cell_count, a->machines[i], on);

        if (at < r->cell_count && r->cells[at].machine == a->machines[i] &&
            r->cells[at].on.n == on.n)
            return true;
    }
    return false;
}

static bool add_attempt_to_days(struct reconciler *r, size_t attempt,
                                struct reconciliation *out, struct error *err)
{
    struct charge_days days = charge_days_of(&r->money[attempt].charge);
    int64_t nano;
    day on;

    while (charge_days_next(&days, &on, &nano)) {
        struct reconcile_day *d;

        if (!in_reconciled_range(r, on))
            continue;
        d = reconcile_day_of(r, on, currency_usd, err);
        if (d == NULL)
            return false;
        d->metered = usd_add(d->metered, (usd){nano});
        if (was_billed(r, &r->attempts[attempt], on))
            continue;
        d->estimated_only = usd_add(d->estimated_only, (usd){nano});
        out->estimated_only = usd_add(out->estimated_only, (usd){nano});
    }
    return true;
}

/* The meter's money by day, and the part of it that no line was found for. */
static bool add_metered_to_days(struct reconciler *r, struct reconciliation *out,
                                struct error *err)
{
    for (size_t i = 0; i < r->attempt_count; i++) {
        if (r->money[i].metered.nano == MONEY_UNKNOWN) {
            out->unpriced++;
            continue;
        }
        out->metered = usd_add(out->metered, r->money[i].metered);
        if (!add_attempt_to_days(r, i, out, err))
            return false;
    }
    return true;
}

static int by_reconcile_day(const void *a, const void *b)
{
    const struct reconcile_day *x = a, *y = b;

    if (x->day.n != y->day.n)
        return x->day.n < y->day.n ? -1 : 1;
    return currency_compare(x->sums.currency, y->sums.currency);
}

static void trim_sums(struct reconcile_sums *s)
{
    struct decimal *const amounts[] = {&s->billed, &s->matched, &s->idle, &s->untracked,
                                       &s->other};

    for (size_t i = 0; i < ARRAY_LEN(amounts); i++)
        *amounts[i] = decimal_trim(*amounts[i], 0);
}

/* In order; nothing is looked up among them after this. */
static void finish_days(struct reconciler *r, struct reconciliation *out)
{
    if (r->day_count > 1)
        qsort(r->days, r->day_count, sizeof *r->days, by_reconcile_day);
    for (size_t i = 0; i < r->day_count; i++) {
        trim_sums(&r->days[i].sums);
        if (r->days[i].lines == 0)
            continue;
        out->first = out->no_bills ? r->days[i].day : out->first;
        out->last = r->days[i].day;
        out->no_bills = false;
    }
    out->days = (struct rows){r->days, r->day_count};
}

static bool add_sums(struct reconcile_sums *to, const struct reconcile_sums *more,
                     struct error *err)
{
    return costs_plus(&to->billed, more->billed, err) &&
           costs_plus(&to->matched, more->matched, err) &&
           costs_plus(&to->idle, more->idle, err) &&
           costs_plus(&to->untracked, more->untracked, err) &&
           costs_plus(&to->other, more->other, err);
}

/* One for each currency of the bills. */
static bool make_sums(const struct reconciler *r, struct reconciliation *out, struct error *err)
{
    struct reconcile_sums *all =
        arena_array(r->account->arena, struct reconcile_sums, CURRENCIES, err);
    size_t count = 0;

    if (all == NULL)
        return false;
    for (size_t i = 0; i < r->day_count; i++) {
        const struct reconcile_day *d = &r->days[i];
        size_t at = 0;

        if (d->lines == 0)
            continue;
        while (at < count && !currency_is(all[at].currency, d->sums.currency))
            at++;
        if (at == CURRENCIES)
            return error_fail(err, ERROR_INPUT, "more than %d currencies", CURRENCIES);
        if (at == count)
            all[count++].currency = d->sums.currency;
        if (!add_sums(&all[at], &d->sums, err))
            return false;
    }
    for (size_t i = 0; i < count; i++)
        trim_sums(&all[i]);
    out->sums = (struct rows){all, count};
    return true;
}

/* ---- accounts in which runs are recorded ---- */

/* The first day of which a run was found on a machine of the account. */
struct watched_account {
    struct str provider, account;
    day from;
};

struct watching {
    struct watched_account *at;
    size_t count, room;
};

static struct watched_account *watched_account(const struct watching *w,
                                               const struct reconcile_machine *m)
{
    for (size_t i = 0; i < w->count; i++)
        if (str_eq(w->at[i].account, m->account) && str_eq(w->at[i].provider, m->provider))
            return &w->at[i];
    return NULL;
}

static bool find_watched(const struct reconciler *r, struct watching *out, struct error *err)
{
    *out = (struct watching){0};
    for (size_t i = 0; i < r->attempt_count; i++) {
        const struct reconcile_attempt *a = &r->attempts[i];
        const struct reconcile_machine *m;
        struct watched_account *w;

        if (a->machine_count == 0)
            continue;
        m = &r->machines[a->machines[0]];
        w = watched_account(out, m);
        if (w == NULL) {
            out->at = arena_grow(r->scratch, out->at, out->count, sizeof *w, &out->room, err);
            if (out->at == NULL)
                return false;
            w = &out->at[out->count++];
            *w = (struct watched_account){m->provider, m->account, day_of(a->from)};
        }
        if (a->from.s < start_or_otherwise(w->from, a->from).s)
            w->from = day_of(a->from);
    }
    return true;
}

/* ---- machines that a run without one may have been on ---- */

/* Days on which attempts that were matched with no machine ran, by what they know of theirs.
 * One that knows its machine was on another, and is not here. */
struct loose_days {
    struct str provider, instance; /* empty: any */
    enum reconcile_market market;
    int32_t from, to;
};

struct loose_attempts {
    struct loose_days *at; /* in order; of one kind apart from each other */
    size_t count;
};

/* Whatever the case. */
static int compare_resource_names(struct str a, struct str b)
{
    for (size_t i = 0; i < a.len && i < b.len; i++) {
        char x = to_lower(a.at[i]), y = to_lower(b.at[i]);

        if (x != y)
            return x < y ? -1 : 1;
    }
    return (a.len > b.len) - (a.len < b.len);
}

static int by_loose_kind(const struct loose_days *x, const struct loose_days *y)
{
    int order = str_cmp(x->provider, y->provider);

    if (order == 0)
        order = compare_resource_names(x->instance, y->instance);
    return order != 0 ? order : (x->market > y->market) - (x->market < y->market);
}

static int by_kind_and_day(const void *a, const void *b)
{
    const struct loose_days *x = a, *y = b;
    int order = by_loose_kind(x, y);

    return order != 0 ? order : (x->from > y->from) - (x->from < y->from);
}

static bool list_loose(const struct reconciler *r, struct loose_attempts *out,
                       struct error *err)
{
    size_t count = 0;

    out->count = 0;
    out->at = arena_array(r->scratch, struct loose_days, r->attempt_count, err);
    if (out->at == NULL)
        return false;
    for (size_t i = 0; i < r->attempt_count; i++) {
        const struct reconcile_attempt *a = &r->attempts[i];

        if (a->how == RECONCILE_NOT && a->resource.len == 0)
            out->at[count++] = (struct loose_days){a->provider, a->instance, a->market,
                                                   day_of(a->from).n, day_of(a->to).n};
    }
    if (count > 1)
        qsort(out->at, count, sizeof out->at[0], by_kind_and_day);
    for (size_t i = 0; i < count; i++) {
        struct loose_days *last = out->count > 0 ? &out->at[out->count - 1] : NULL;

        if (last != NULL && by_loose_kind(last, &out->at[i]) == 0 &&
            out->at[i].from <= last->to)
            last->to = out->at[i].to > last->to ? out->at[i].to : last->to;
        else
            out->at[out->count++] = out->at[i];
    }
    return true;
}

static bool was_loose(const struct loose_attempts *all, struct loose_days like)
{
    size_t low = 0, high = all->count;

    while (low < high) { /* the last that does not begin later */
        size_t middle = low + (high - low) / 2;

        if (by_kind_and_day(&all->at[middle], &like) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && by_loose_kind(&all->at[low - 1], &like) == 0 &&
           all->at[low - 1].to >= like.from;
}

/* May an attempt that was matched with no machine have been on this one on that day? */
static bool is_doubtful_machine(const struct loose_attempts *all,
                                const struct reconcile_machine *m, day on)
{
    const struct str providers[] = {m->provider, {0}}, instances[] = {m->instance, {0}};

    for (size_t i = 0; i < 4; i++)
        for (int market = RECONCILE_ANY; market <= RECONCILE_SPOT; market++) {
            struct loose_days like = {providers[i / 2], instances[i % 2],
                                      (enum reconcile_market)market, on.n, on.n};

            if ((market == RECONCILE_ANY || m->market == RECONCILE_ANY ||
                 like.market == m->market) &&
                was_loose(all, like))
                return true;
        }
    return false;
}

/* ---- when runs were on machines ---- */

static int by_from(const void *a, const void *b)
{
    const struct reconcile_span *x = a, *y = b;

    return (x->from > y->from) - (x->from < y->from);
}

/* In order, and joined where they touch. */
static size_t join_reconcile_spans(struct reconcile_span *at, size_t count)
{
    size_t kept = 0;

    if (count > 1)
        qsort(at, count, sizeof *at, by_from);
    for (size_t i = 0; i < count; i++)
        if (kept > 0 && at[i].from <= at[kept - 1].to)
            at[kept - 1].to = at[i].to > at[kept - 1].to ? at[i].to : at[kept - 1].to;
        else
            at[kept++] = at[i];
    return kept;
}

static bool make_uses(const struct reconciler *r, const struct watching *watching,
                      struct reconciliation *out, struct error *err)
{
    struct arena *arena = r->account->arena;
    struct reconcile_use *uses =
        arena_array(arena, struct reconcile_use, r->machine_count, err);
    struct reconcile_span **spans =
        arena_array(r->scratch, struct reconcile_span *, r->machine_count, err);

    if (uses == NULL || spans == NULL)
        return false;
    for (size_t i = 0; i < r->machine_count; i++) {
        const struct watched_account *w = watched_account(watching, &r->machines[i]);

        if (!str_keep(r->machine_ids.at[i].key, arena, &uses[i].resource, err))
            return false;
        uses[i].watched = w != NULL ? w->from : DAY_UNKNOWN;
        spans[i] = arena_array(arena, struct reconcile_span, (size_t)r->users[i], err);
        if (spans[i] == NULL)
            return false;
        uses[i].spans = spans[i];
    }
    for (size_t i = 0; i < r->attempt_count; i++)
        for (size_t k = 0; k < r->attempts[i].machine_count; k++) {
            size_t m = r->attempts[i].machines[k];

            spans[m][uses[m].count++] =
                (struct reconcile_span){r->attempts[i].from.s, r->attempts[i].to.s};
        }
    for (size_t i = 0; i < r->machine_count; i++)
        uses[i].count = join_reconcile_spans(spans[i], uses[i].count);
    out->uses = (struct rows){uses, r->machine_count};
    return true;
}

/* ---- machines ---- */

static int by_rest(const void *a, const void *b)
{
    const struct reconcile_resource *x = a, *y = b;
    int order = decimal_cmp(y->rest, x->rest);

    return order != 0 ? order : (x->number > y->number) - (x->number < y->number);
}

/* Each machine in each of its currencies. */
static bool sum_machines(const struct reconciler *r, const struct watching *watching,
                         struct reconcile_resource *all, size_t *count, struct error *err)
{
    struct loose_attempts loose;

    if (!list_loose(r, &loose, err))
        return false;
    *count = 0;
    for (size_t i = 0; i < r->cell_count; i++) {
        const struct reconcile_cell *c = &r->cells[i];
        const struct watched_account *watched =
            watched_account(watching, &r->machines[c->machine]);
        struct reconcile_resource *s = *count > 0 ? &all[*count - 1] : NULL;

        if (s == NULL || s->number != c->machine || !currency_is(s->currency, c->currency)) {
            s = &all[(*count)++];
            *s = (struct reconcile_resource){.machine = r->machines[c->machine],
                                             .number = c->machine,
                                             .currency = c->currency,
                                             .runs = r->users[c->machine]};
        }
        if (s->runs == 0 && !s->doubtful)
            s->doubtful = is_doubtful_machine(&loose, &s->machine, c->on);
        if (watched != NULL && c->on.n >= watched->from.n && s->runs == 0)
            s->watched += decimal_double(c->cost);
        s->hours += c->hours;
        s->days++;
        s->run_hours += (double)c->run_seconds / 3600;
        if (!costs_plus(&s->billed, c->cost, err) ||
            !costs_plus(&s->matched, c->matched, err) ||
            !costs_minus(s->billed, s->matched, &s->rest, err))
            return false;
    }
    return true;
}

static bool make_resources(const struct reconciler *r, const struct watching *watching,
                           size_t limit, struct reconciliation *out, struct error *err)
{
    struct reconcile_resource *all =
        arena_array(r->scratch, struct reconcile_resource, r->cell_count, err);
    struct reconcile_resource *shown;
    size_t count;

    if (all == NULL || !sum_machines(r, watching, all, &count, err))
        return false;
    if (count > 1)
        qsort(all, count, sizeof *all, by_rest);
    count = limit > 0 && count > limit ? limit : count;
    shown = arena_array(r->account->arena, struct reconcile_resource, count, err);
    if (shown == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        shown[i] = all[i];
        shown[i].billed = decimal_trim(all[i].billed, 0);
        shown[i].matched = decimal_trim(all[i].matched, 0);
        shown[i].rest = decimal_trim(all[i].rest, 0);
    }
    out->resources = (struct rows){shown, count};
    return true;
}

/* ---- runs ---- */

/* What all attempts at one run come to. */
struct run_sum {
    const struct reconcile_attempt *best; /* known */
    struct decimal billed;                /* in the best one's currency */
    double hours, covered;
    usd metered;
};

static bool sum_run(const struct reconciler *r, size_t from, size_t to, struct run_sum *out,
                    struct error *err)
{
    *out = (struct run_sum){.best = &r->attempts[from]};
    for (size_t i = from; i < to; i++) {
        const struct reconcile_attempt *a = &r->attempts[i];

        out->hours += (double)(a->to.s - a->from.s) / 3600;
        out->covered += a->hours_billed;
        out->metered = usd_add(out->metered, r->money[i].metered);
        if (a->how > out->best->how)
            out->best = a;
    }
    for (size_t i = from; i < to; i++)
        if (currency_is(r->attempts[i].currency, out->best->currency) &&
            !costs_plus(&out->billed, r->attempts[i].billed, err))
            return false;
    return true;
}

/* The attempts at one run, which follow each other: from `from` up to `to`. */
static bool make_run(const struct reconciler *r, size_t from, size_t to,
                     struct reconcile_run *out, struct error *err)
{
    const struct reconcile_attempt *first = &r->attempts[from], *best;
    struct run_sum sum;

    if (!sum_run(r, from, to, &sum, err))
        return false;
    best = sum.best;
    *out = (struct reconcile_run){
        .id = first->run,
        .name = first->name,
        .started = r->money[from].charge.started,
        .how = best->how,
        .reason = best->how == RECONCILE_NOT ? best->why : RECONCILE_WHY_NOT,
        .machines = (int64_t)best->machine_count,
        .estimated = r->money[from].estimated,
        .metered = sum.metered,
        .billed = DECIMAL_UNKNOWN,
        .covered = sum.hours > 0 ? fmin(1, sum.covered / sum.hours) : NAN,
        .off = NAN};
    if (best->how == RECONCILE_NOT)
        return true;
    out->machine = r->machines[best->machines[0]].resource;
    out->billed = decimal_trim(sum.billed, 0);
    out->currency = best->currency;
    if (sum.metered.nano > 0 && out->covered >= COVERED &&
        currency_is(out->currency, currency_usd))
        out->off = decimal_double(sum.billed) / usd_double(sum.metered) - 1;
    return true;
}

struct run_place {
    size_t from, to; /* attempts */
    stamp started;
};

static int newest_first(const void *a, const void *b)
{
    const struct run_place *x = a, *y = b;

    if (x->started.s != y->started.s)
        return x->started.s > y->started.s ? -1 : 1;
    return (x->from < y->from) - (x->from > y->from);
}

static bool is_matched(const struct reconciler *r, const struct run_place *run)
{
    for (size_t i = run->from; i < run->to; i++)
        if (r->attempts[i].how != RECONCILE_NOT)
            return true;
    return false;
}

static bool make_runs(const struct reconciler *r, size_t limit, struct reconciliation *out,
                      struct error *err)
{
    struct run_place *runs = arena_array(r->scratch, struct run_place, r->attempt_count, err);
    struct reconcile_run *rows;
    size_t count = 0, shown;

    if (runs == NULL)
        return false;
    for (size_t from = 0, to; from < r->attempt_count; from = to) {
        for (to = from; to < r->attempt_count && r->money[to].run == r->money[from].run;)
            to++;
        runs[count++] = (struct run_place){from, to, r->money[from].charge.started};
    }
    if (count > 1)
        qsort(runs, count, sizeof *runs, newest_first);
    shown = limit > 0 && count > limit ? limit : count;
    rows = arena_array(r->account->arena, struct reconcile_run, shown, err);
    if (rows == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        out->matched_runs += is_matched(r, &runs[i]);
        if (i < shown && !make_run(r, runs[i].from, runs[i].to, &rows[i], err))
            return false;
    }
    out->run_count = (int64_t)count;
    out->runs = (struct rows){rows, shown};
    return true;
}

/* ---- all of it ---- */

static bool compare(struct reconciler *r, size_t limit, struct reconciliation *out,
                    struct error *err)
{
    struct reconcile_bill bill;
    struct watching watching;

    if (!coverage_read(r->account->ledger, r->scratch, &r->coverage, err) ||
        !read_reconcile_ledger(r, err) || !reconcile_cells(r, err) ||
        !reconcile_extras_finish(r, err))
        return false;
    bill = (struct reconcile_bill){r->machines, r->machine_count, r->cells, r->cell_count};
    if (!reconcile_match(&bill, r->attempts, r->attempt_count, r->scratch, err) ||
        !count_users(r, err) || !add_cells_to_days(r, err) || !add_metered_to_days(r, out, err))
        return false;
    finish_days(r, out);
    out->extras = (struct rows){r->extras, r->extra_count};
    return make_sums(r, out, err) && find_watched(r, &watching, err) &&
           make_resources(r, &watching, limit, out, err) && make_runs(r, limit, out, err) &&
           make_uses(r, &watching, out, err);
}

bool account_reconcile(const struct account_source *account, day since, day until,
                       int64_t limit, struct reconciliation *out, struct error *err)
{
    struct arena scratch = {.alloc = account->arena->alloc,
                            .block_size = account->arena->block_size};
    struct reconciler r = {.account = account,
                           .scratch = &scratch,
                           .since = since,
                           .until = until,
                           .machine_ids = map_in_arena(&scratch),
                           .piece_keys = map_in_arena(&scratch),
                           .day_keys = map_in_arena(&scratch),
                           .extra_keys = map_in_arena(&scratch),
                           .lower = buf_new(account->arena->alloc, ID_MAX)};
    bool ok;

    *out = (struct reconciliation){.no_bills = true, .first = DAY_UNKNOWN, .last = DAY_UNKNOWN};
    ok = compare(&r, limit > 0 ? (size_t)limit : 0, out, err);
    buf_free(&r.lower);
    arena_free(&scratch);
    return ok;
}
