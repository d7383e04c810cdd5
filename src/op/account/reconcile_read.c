/* Bills and runs of the days that are asked for, side by side. */
#include <string.h>

#include "base/hash.h"
#include "op/account/reconcile_work.h"

bool reconcile_grow_slots(struct reconciler *r, struct slots *slots, size_t used,
                          uint64_t (*hash)(const struct reconciler *r, size_t at),
                          struct error *err)
{
    size_t wanted = slots->count == 0 ? 256 : slots->count * 2;

    if (used * 2 < slots->count)
        return true;
    slots->at = arena_array(r->arena, uint32_t, wanted, err);
    if (slots->at == NULL)
        return false;
    slots->count = wanted;
    for (size_t i = 0; i < used; i++) {
        size_t at = hash(r, i) & (wanted - 1);

        while (slots->at[at] != 0)
            at = (at + 1) & (wanted - 1);
        slots->at[at] = (uint32_t)i + 1;
    }
    return true;
}

bool reconcile_add(struct decimal *to, struct decimal amount, struct error *err)
{
    return decimal_add(*to, amount, to) ||
           error_fail(err, ERROR_INPUT, "a sum does not fit in 128 bits");
}

bool reconcile_in_range(const struct reconciler *r, day on)
{
    return (r->since.n == DAY_UNKNOWN.n || on.n >= r->since.n) &&
           (r->until.n == DAY_UNKNOWN.n || on.n < r->until.n);
}

/* ---- days ---- */

static uint64_t hash_day(const struct reconciler *r, day on, struct str currency)
{
    return text_hash((uint64_t)(uintptr_t)r + (uint64_t)on.n, currency);
}

static uint64_t tally_hash(const struct reconciler *r, size_t at)
{
    return hash_day(r, r->tallies[at].on, str_from(r->tallies[at].currency));
}

struct tally *reconcile_tally(struct reconciler *r, day on, struct str currency,
                              struct error *err)
{
    struct tally *t;
    size_t slot;

    if (!reconcile_grow_slots(r, &r->tally_slots, r->tally_count, tally_hash, err))
        return NULL;
    slot = hash_day(r, on, currency) & (r->tally_slots.count - 1);
    for (; r->tally_slots.at[slot] != 0; slot = (slot + 1) & (r->tally_slots.count - 1)) {
        t = &r->tallies[r->tally_slots.at[slot] - 1];
        if (t->on.n == on.n && str_eq(str_from(t->currency), currency))
            return t;
    }
    t = arena_grow(r->arena, r->tallies, r->tally_count, sizeof *t, &r->tally_room, err);
    if (t == NULL)
        return NULL;
    r->tallies = t;
    t = &r->tallies[r->tally_count++];
    r->tally_slots.at[slot] = (uint32_t)r->tally_count;
    *t = (struct tally){.on = on};
    memcpy(t->currency, currency.at, currency.len < 3 ? currency.len : 3);
    return t;
}

/* ---- bills ---- */

static bool each_line(void *ctx, const struct ledger_bill *bill, const struct bill_line *line,
                      struct error *err)
{
    struct reconciler *r = ctx;

    /* The effective cost of both stands in the amortised one. */
    if (bill->paired && bill->amounts == BILL_BOTH)
        return true;
    return reconcile_line(r, bill, line, err);
}

/* ---- attempts ---- */

static struct str kept(struct reconciler *r, struct str text, struct error *err)
{
    char *copy = str_dup(text, r->arena, err);

    return (struct str){copy, copy != NULL ? text.len : 0};
}

static stamp start_of(day on, stamp otherwise)
{
    return on.n == DAY_UNKNOWN.n ? otherwise : (stamp){on.n * SECONDS_PER_DAY};
}

/* The part of it within the days that are asked for: when, and what it cost. False when there
 * is none. */
static bool clip(const struct reconciler *r, const struct ledger_charge *c,
                 struct reconcile_attempt *a, struct attempt_money *m)
{
    struct charge_days days = charge_days_of(c);
    stamp first = start_of(r->since, c->started), last = start_of(r->until, c->until);
    int64_t nano;
    day on;

    a->from = (stamp){days.started > first.s ? days.started : first.s};
    a->to = (stamp){days.until};
    if (r->until.n != DAY_UNKNOWN.n && last.s < a->to.s)
        a->to = last;
    m->metered = c->cost.nano == MONEY_UNKNOWN ? USD_UNKNOWN : (usd){0};
    while (charge_days_next(&days, &on, &nano))
        if (reconcile_in_range(r, on))
            m->metered = usd_add(m->metered, (usd){nano});
    return a->to.s > a->from.s;
}

static bool each_charge(void *ctx, const struct ledger_charge *c, struct error *err)
{
    struct reconciler *r = ctx;
    struct reconcile_attempt attempt = {.run = c->id}, *a;
    struct attempt_money money = {.run = c->run, .estimated = c->estimated}, *m;
    struct dimensions of;
    struct str *texts[] = {&attempt.run,    &attempt.name,     &attempt.resource, &attempt.host,
                           &attempt.region, &attempt.provider, &attempt.instance};

    if (!clip(r, c, &attempt, &money))
        return true;
    if (!run_dimensions_of(&r->dimensions, c, &of, err))
        return false;
    a = arena_grow(r->arena, r->attempts, r->attempt_count, sizeof *a, &r->attempt_room, err);
    m = a != NULL
            ? arena_grow(r->arena, r->money, r->attempt_count, sizeof *m, &r->money_room, err)
            : NULL;
    if (m == NULL)
        return false;
    r->attempts = a;
    r->money = m;
    attempt.name = c->name;
    attempt.resource = c->machine;
    attempt.host = c->host;
    attempt.count = c->machines;
    if (c->offer.len > 0) { /* else nobody knows whose machine it was */
        attempt.provider = of.of[DIMENSION_provider];
        attempt.region = of.of[DIMENSION_region];
        attempt.instance = of.of[DIMENSION_instance];
    }
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        *texts[i] = kept(r, *texts[i], err);
        if (texts[i]->at == NULL)
            return false;
    }
    money.charge =
        (struct ledger_charge){.started = c->started, .until = c->until, .cost = c->cost};
    r->attempts[r->attempt_count] = attempt;
    r->money[r->attempt_count++] = money;
    return true;
}

bool reconcile_gather(struct reconciler *r, struct error *err)
{
    struct ledger_line_query query = {.since = r->since, .until = r->until, .bill = -1};

    return ledger_bill_lines(r->ledger, &query, each_line, r, err) &&
           ledger_charges(r->ledger, start_of(r->since, (stamp){-1}),
                          start_of(r->until, (stamp){-1}), each_charge, r, err);
}
