#include "account/unit/counted_days.h"

#include <math.h>

#define TAGS_MAX ((size_t)1 << 20)

static stamp counted_day_start(day on)
{
    return (stamp){on.n * SECONDS_PER_DAY};
}

/* The model of each count. */
static bool read_counted_models(struct counted_days_list *c, struct arena *arena,
                                struct error *err)
{
    struct buf scratch = buf_new(arena->alloc, TAGS_MAX);
    bool ok = (c->models = arena_array(arena, struct str, c->count_count, err)) != NULL;

    for (size_t i = 0; ok && i < c->count_count; i++) {
        struct dimensions of = {0};

        buf_clear(&scratch);
        (void)dimensions_from_tags(c->counts[i].tags, &of, &scratch); /* no object: no tags */
        ok = buf_ok(&scratch, err) &&
             str_keep(of.of[DIMENSION_model], arena, &c->models[i], err);
    }
    buf_free(&scratch);
    return ok;
}

/* Charges by the month are on their first day alone: then a charge is for the other days of its
 * month, too. */
static void spread_charges(struct counted_days *d)
{
    size_t days = 0, starts = 0;

    for (size_t i = 0; i < d->len; i++) {
        day on = {d->since.n + (int32_t)i};

        days += d->costed[i];
        starts += d->costed[i] && day_month_start(on).n == on.n;
    }
    d->monthly = starts == days;
    for (size_t i = 1; i < d->len && d->monthly; i++) {
        day on = {d->since.n + (int32_t)i};

        d->costed[i] = d->costed[i] || (day_month_start(on).n != on.n && d->costed[i - 1]);
    }
}

/* Costs of a run are known from its start; those of a bill on the days that it covers. */
static void widen_known(const struct counted_days_list *list, const struct spending *s,
                        struct counted_days *d)
{
    const struct coverage *c = &list->coverage;
    struct str provider = coverage_name(c, s->of.of[DIMENSION_provider]);
    day first = s->from, last = s->from;

    if (s->metered.coefficient != 0) { /* no other run means no cost */
        first = day_month_start(s->from);
        last = list->account->today;
    }
    for (size_t i = 0; i < c->count; i++)
        if (str_eq(c->at[i].provider, provider) && s->from.n >= c->at[i].first.n &&
            s->from.n <= c->at[i].last.n) {
            first = c->at[i].first.n < first.n ? c->at[i].first : first;
            last = c->at[i].last.n > last.n ? c->at[i].last : last;
        }
    d->known_from = first.n < d->known_from.n ? first : d->known_from;
    d->known_until = last.n > d->known_until.n ? last : d->known_until;
}

static void gather_costed(const struct counted_days_list *list, struct counted_days *d)
{
    for (size_t i = 0; i < list->spent->count; i++) {
        const struct spending *s = &list->spent->at[i];

        if (s->amount.coefficient == 0 || !str_eq(s->of.of[DIMENSION_model], d->model) ||
            s->from.n < d->since.n || (size_t)(s->from.n - d->since.n) >= d->len)
            continue;
        d->costed[s->from.n - d->since.n] = true;
        widen_known(list, s, d);
    }
    spread_charges(d);
}

const struct counted_days *counted_days_of(struct counted_days_list *list, struct str model,
                                           struct error *err)
{
    struct arena *arena = list->account->arena;
    struct counted_days *d;

    for (size_t i = 0; i < list->count; i++)
        if (str_eq(list->at[i].model, model))
            return &list->at[i];
    list->at = arena_grow(arena, list->at, list->count, sizeof *d, &list->room, err);
    if (list->at == NULL)
        return NULL;
    d = &list->at[list->count];
    *d = (struct counted_days){
        .model = model,
        .since = list->since,
        .len = list->until.n > list->since.n ? (size_t)(list->until.n - list->since.n) : 0,
        .known_from = {INT32_MAX},
        .known_until = {INT32_MIN}};
    d->costed = arena_array(arena, bool, d->len, err);
    d->counted = arena_array(arena, bool, d->len, err);
    if (d->costed == NULL || d->counted == NULL)
        return NULL;
    list->count++;
    gather_costed(list, d);
    for (size_t i = 0; i < list->count_count; i++) {
        day first = day_of(list->counts[i].from);
        day after = {day_of((stamp){list->counts[i].until.s - 1}).n + 1};

        if (!str_eq(list->models[i], model))
            continue;
        for (day on = first; on.n < after.n && on.n < list->until.n; on.n++)
            if (on.n >= d->since.n)
                d->counted[on.n - d->since.n] = true;
        d->any_count = true;
    }
    return d;
}

/* Is the cost of a count's day known? A count of one day needs a cost on that day; of a longer
 * one it is not known on which of its days it was. */
static bool is_costed(const struct counted_days *d, const struct ledger_count *c, day on)
{
    if (c->until.s - c->from.s > SECONDS_PER_DAY)
        return on.n >= d->known_from.n && on.n <= d->known_until.n;
    return on.n >= d->since.n && (size_t)(on.n - d->since.n) < d->len &&
           d->costed[on.n - d->since.n];
}

/* Seconds of a count on a day. */
static int64_t count_seconds(const struct ledger_count *c, day on)
{
    int64_t from = counted_day_start(on).s, to = counted_day_start((day){on.n + 1}).s;

    from = c->from.s > from ? c->from.s : from;
    to = c->until.s < to ? c->until.s : to;
    return to > from ? to - from : 0;
}

struct unit_days counted_days_between(const struct counted_days_list *all,
                                      const struct counted_days *d, day first, day after)
{
    struct unit_days out = {.first = DAY_UNKNOWN, .last = DAY_UNKNOWN};

    for (day on = first; on.n < after.n; on.n++) {
        bool any = false;

        for (size_t i = 0; i < all->count_count && !any; i++)
            any = count_seconds(&all->counts[i], on) > 0 && str_eq(all->models[i], d->model) &&
                  is_costed(d, &all->counts[i], on);
        if (!any)
            continue;
        out.first = out.days == 0 ? on : out.first;
        out.last = on;
        out.days++;
    }
    return out;
}

double counted_days_counted(const struct counted_days_list *all, const struct counted_days *d,
                            day first, day after)
{
    double sum = NAN;

    for (size_t i = 0; i < all->count_count; i++) {
        const struct ledger_count *c = &all->counts[i];
        day on = day_of(c->from).n > first.n ? day_of(c->from) : first;
        int64_t seconds = 0;

        if (!str_eq(all->models[i], d->model))
            continue;
        for (; on.n < after.n && counted_day_start(on).s < c->until.s; on.n++)
            seconds += is_costed(d, c, on) ? count_seconds(c, on) : 0;
        if (seconds > 0)
            sum = (isnan(sum) ? 0 : sum) + decimal_double(c->amount) * (double)seconds /
                                               (double)(c->until.s - c->from.s);
    }
    return sum;
}

bool counted_days_compared(const struct counted_days *d, day on)
{
    day after = d->monthly ? day_month_add(on, 1) : (day){on.n + 1};
    bool any = !d->any_count;

    for (; on.n < after.n && !any; on.n++)
        any = on.n >= d->since.n && (size_t)(on.n - d->since.n) < d->len &&
              d->counted[on.n - d->since.n];
    return any;
}

bool counted_days_read(const struct account_source *account, struct str what, day since,
                       day until, const struct spending_answer *spent,
                       struct counted_days_list *out, struct error *err)
{
    const struct ledger_count_query asked = {what, counted_day_start(since),
                                             counted_day_start(until)};

    *out = (struct counted_days_list){
        .account = account, .spent = spent, .since = since, .until = until};
    return (account->ledger == NULL ||
            (ledger_counts(account->ledger, &asked, account->arena, &out->counts,
                           &out->count_count, err) &&
             coverage_read(account->ledger, account->arena, &out->coverage, err))) &&
           read_counted_models(out, account->arena, err);
}
